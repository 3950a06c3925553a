//! The tree of the Monte Carlo tree search: nodes, selection, and proven results. It plays no moves and evaluates
//! nothing.
//!
//! All values of a node are from the view of the side that *chose* it, which is the side to move of its parent. The
//! same side may choose twice in a row: a value is inverted only if the choosers differ.

use std::cmp::Ordering;
use std::mem;

use engine_proto::Side;

/// The index of a node.
type Idx = usize;

/// The tree. Its root is the position being searched.
#[derive(Debug)]
pub struct Tree<M> {
    nodes: Vec<Node<M>>,
    capacity: usize,
    /// How often nodes were moved.
    n_relocations: u32,
}

/// The nodes from the root to the one that a thread is working on.
#[derive(Debug, Default)]
pub struct Trail {
    nodes: Vec<Idx>,
    /// The tree's `n_relocations` at that time: the indices are invalid once it has changed.
    walked_at: u32,
}

/// A position in the tree, with the move that leads to it.
#[derive(Clone, Copy, Debug)]
pub struct Node<M> {
    /// The move; none at the root.
    pub mv: Option<M>,
    /// The side that chose the move.
    chooser: Side,
    state: State,
    /// The proven result, for the chooser.
    pub proof: Proof,
    /// The prior probability that the move is the best one.
    prior: f32,
    /// The evaluation, as the chooser's expected score.
    guess: f32,
    /// The sum of the values backed up through the node.
    sum: f32,
    /// The minimax value of the subtree; for a leaf, its evaluation.
    minimax: f32,
    /// The number of values, including those of running visits.
    pub visits: u32,
    first_child: u32,
    n_children: u32,
}

/// The state of a node's expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Leaf,
    /// A thread is about to expand it.
    Growing,
    Expanded,
}

/// The proven result of a node, with the plies to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    Open,
    /// The chooser wins.
    Win(u16),
    /// A draw.
    Draw,
    /// The chooser loses.
    Loss(u16),
}

/// A child in the result of its parent's expansion.
#[derive(Clone, Copy, Debug)]
pub struct Sprout<M> {
    /// The move.
    pub mv: M,
    /// The prior probability that it is the best.
    pub prior: f32,
    /// The evaluation for the side that moves.
    pub guess: f32,
    /// The proven result for the side that moves.
    pub proof: Proof,
}

/// What to do with the node that [`Tree::select`] has reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// Expand it, then call [`Tree::grow`].
    Expand,
    /// Nothing: its value is already known. Call [`Tree::back_up`] with this value for its chooser.
    Settled(f32),
}

/// The weight of the priors relative to the values.
const EXPLORATION: f32 = 0.6;
/// The weight of the minimax value; the rest is the mean of the values that were backed up.
const MINIMAX_SHARE: f32 = 0.5;

impl<M: Copy> Tree<M> {
    /// A tree with only its root, of at most `bytes`.
    pub fn new(bytes: usize, side: Side) -> Self {
        let capacity = (bytes / size_of::<Node<M>>()).clamp(2, u32::MAX as usize);
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::root(side));
        Self { nodes, capacity, n_relocations: 0 }
    }

    /// Removes all nodes except the root.
    pub fn reset(&mut self, side: Side) {
        self.nodes.clear();
        self.nodes.push(Node::root(side));
    }

    /// The root.
    pub fn root(&self) -> &Node<M> {
        &self.nodes[0]
    }

    /// The children of a node.
    pub fn children(&self, idx: Idx) -> &[Node<M>] {
        let node = &self.nodes[idx];
        &self.nodes[node.first_child as usize..][..node.n_children as usize]
    }

    /// The share of the memory in use, in thousandths.
    pub fn fullness(&self) -> u32 {
        (self.nodes.len() * 1000 / self.capacity) as u32
    }

    /// Walks from the root to the next node to expand, and stores the nodes on the way in `trail`. It counts a visit of
    /// each without a value, so that other threads choose other nodes.
    pub fn select(&mut self, trail: &mut Trail) -> Task {
        trail.nodes.clear();
        trail.walked_at = self.n_relocations;
        let mut idx = 0;
        loop {
            trail.nodes.push(idx);
            let node = &mut self.nodes[idx];
            node.visits += 1;
            match node.proof {
                Proof::Win(_) => return Task::Settled(1.0),
                Proof::Draw => return Task::Settled(0.5),
                Proof::Loss(_) => return Task::Settled(0.0),
                Proof::Open => {}
            }
            match node.state {
                State::Leaf => {
                    node.state = State::Growing;
                    return Task::Expand;
                }
                State::Growing => return Task::Settled(node.guess),
                State::Expanded => idx = self.best_child(idx),
            }
        }
    }

    /// The moves of a trail that was just walked.
    pub fn moves_along(&self, trail: &Trail) -> impl Iterator<Item = M> {
        trail.nodes.iter().filter_map(|&idx| self.nodes[idx].mv)
    }

    /// Adds the children of the last node of the trail, the most promising first, and backs up their values. `side`
    /// chooses among them. If there is no memory left, the least visited nodes are removed.
    pub fn grow(&mut self, trail: &Trail, side: Side, sprouts: &[Sprout<M>]) {
        let Some(&idx) = trail.nodes.last().filter(|_| self.is_valid(trail)) else { return };
        let best = sprouts.iter().map(Sprout::value).fold(0.0, f32::max);
        let first_child = self.nodes.len() as u32;
        let has_room = self.nodes.len() + sprouts.len() <= self.capacity;
        let node = &mut self.nodes[idx];
        let value = if node.chooser == side { best } else { 1.0 - best };
        node.state = State::Leaf;
        if has_room {
            node.state = State::Expanded;
            (node.first_child, node.n_children) = (first_child, sprouts.len() as u32);
            self.nodes.extend(sprouts.iter().map(|sprout| Node::child(sprout, side)));
        }
        self.back_up(trail, value);
        if has_room {
            self.prove(trail);
            self.back_up_minimax(trail);
        } else {
            self.make_room();
        }
    }

    /// Adds `value`, from the view of the chooser of the last node of the trail, to all nodes on it.
    pub fn back_up(&mut self, trail: &Trail, value: f32) {
        let Some(&last) = trail.nodes.last().filter(|_| self.is_valid(trail)) else { return };
        let viewer = self.nodes[last].chooser;
        for &idx in &trail.nodes {
            let node = &mut self.nodes[idx];
            node.sum += if node.chooser == viewer { value } else { 1.0 - value };
        }
    }

    /// Updates minimax values upwards from the last node of the trail, as long as they change.
    fn back_up_minimax(&mut self, trail: &Trail) {
        for &idx in trail.nodes.iter().rev() {
            let Some(side) = self.children(idx).first().map(|child| child.chooser) else { return };
            let best = self.candidates(idx).map(|child| child.minimax).fold(0.0, f32::max);
            let node = &mut self.nodes[idx];
            let minimax = if node.chooser == side { best } else { 1.0 - best };
            if node.minimax.total_cmp(&minimax).is_eq() {
                return;
            }
            node.minimax = minimax;
        }
    }

    /// Takes back the visits that [`Tree::select`] counted, for a node that was not expanded.
    pub fn cancel(&mut self, trail: &Trail) {
        let Some(&last) = trail.nodes.last().filter(|_| self.is_valid(trail)) else { return };
        for &idx in &trail.nodes {
            self.nodes[idx].visits -= 1;
        }
        if self.nodes[last].state == State::Growing {
            self.nodes[last].state = State::Leaf;
        }
    }

    /// A node.
    pub fn node(&self, idx: Idx) -> &Node<M> {
        &self.nodes[idx]
    }

    /// The child of the root to play, if it has any: the surest win, else the most visited, and never a proven loss if
    /// there is anything else; of losses the last to come.
    pub fn best_at(&self, idx: Idx) -> Option<&Node<M>> {
        self.children(idx).iter().max_by(|a, b| a.compare(b))
    }

    /// The places of the root's best children, `n` of them at most; the best one comes first.
    pub fn best_children(&self, n: usize) -> Vec<Idx> {
        let first = self.nodes[0].first_child as usize;
        let mut places: Vec<Idx> = (first..first + self.children(0).len()).collect();
        // Of equals, `best_at` takes the last one.
        places.reverse();
        places.sort_by(|&a, &b| self.nodes[b].compare(&self.nodes[a]));
        places.truncate(n);
        places
    }

    /// The line of most visited moves below a node.
    pub fn line_from(&self, mut idx: Idx) -> Vec<M> {
        let (start, mut line) = (idx, Vec::new());
        while let Some(best) = self.best_at(idx) {
            if best.visits == 0 && best.proof == Proof::Open && (!line.is_empty() || start != 0) {
                break;
            }
            line.extend(best.mv);
            idx = self.index_of(idx, best);
        }
        line
    }

    /// The line that begins with the move of a child of the root.
    pub fn line_with(&self, child: Idx) -> Vec<M> {
        let mut line: Vec<M> = self.nodes[child].mv.into_iter().collect();
        line.extend(self.line_from(child));
        line
    }

    /// Makes the node that `moves` lead to the root, and frees the memory of all nodes that are not below it. Returns
    /// false and changes nothing if the tree does not contain this node.
    pub fn advance(&mut self, moves: &[M]) -> bool
    where
        M: PartialEq,
    {
        let mut idx = 0;
        for mv in moves {
            let Some(child) = self.children(idx).iter().find(|child| child.mv == Some(*mv)) else {
                return false;
            };
            idx = self.index_of(idx, child);
        }
        if self.nodes[idx].state != State::Expanded {
            return false;
        }
        self.keep_only(idx, 0);
        true
    }

    /// Whether the nodes have not been moved since `trail` was walked. If they have, the thread's result is lost with
    /// its visit; this is rare.
    const fn is_valid(&self, trail: &Trail) -> bool {
        trail.walked_at == self.n_relocations
    }

    /// Removes the children of the least visited nodes, until half of the memory is free.
    fn make_room(&mut self) {
        let mut least_visits = 2;
        while self.capacity / 2 < self.nodes.len() && least_visits <= self.root().visits {
            self.keep_only(0, least_visits);
            least_visits *= 2;
        }
    }

    fn index_of(&self, parent: Idx, child: &Node<M>) -> Idx {
        let first = self.nodes[parent].first_child as usize;
        let offset = self.children(parent).iter().position(|other| std::ptr::eq(other, child));
        first + offset.unwrap_or_default()
    }

    /// Moves the subtree of `root` to the front, in place, without the children of nodes with fewer visits than
    /// `least_visits`. Blocks of children are behind their parents, so that in ascending order each block moves to
    /// memory that is no longer needed.
    fn keep_only(&mut self, root: Idx, least_visits: u32) {
        self.n_relocations += 1;
        let mut blocks = Vec::new();
        let mut stack = vec![root];
        while let Some(idx) = stack.pop() {
            let node = &mut self.nodes[idx];
            if node.state == State::Expanded && (least_visits <= node.visits || idx == root) {
                let first = node.first_child as usize;
                blocks.push((first, node.n_children as usize, idx));
                stack.extend(first..first + node.n_children as usize);
            } else {
                (node.state, node.first_child, node.n_children) = (State::Leaf, 0, 0);
            }
        }
        blocks.sort_unstable();
        self.nodes[0] = Node { mv: None, ..self.nodes[root] };
        // The old and new places of the blocks moved so far, ascending.
        let mut moved: Vec<(Idx, Idx)> = vec![(root, 0)];
        let mut end = 1;
        for (first, len, parent) in blocks {
            self.nodes.copy_within(first..first + len, end);
            let parent_block = moved.partition_point(|&(from, _)| from <= parent) - 1;
            let (from, to) = moved[parent_block];
            self.nodes[to + (parent - from)].first_child = end as u32;
            moved.push((first, end));
            end += len;
        }
        self.nodes.truncate(end);
    }

    /// The children of a node up to the first one without visits: the others are less promising in every way.
    fn candidates(&self, idx: Idx) -> impl Iterator<Item = &Node<M>> {
        let mut goes_on = true;
        self.children(idx).iter().take_while(move |child| {
            mem::replace(&mut goes_on, 0 < child.visits || child.proof != Proof::Open)
        })
    }

    /// The child to visit next: a good value, or a good prior and few visits.
    fn best_child(&self, idx: Idx) -> Idx {
        let node = &self.nodes[idx];
        let urge = EXPLORATION * (node.visits as f32).sqrt();
        let first = node.first_child as usize;
        let mut best = (first, f32::NEG_INFINITY);
        for (offset, child) in self.candidates(idx).enumerate() {
            if matches!(child.proof, Proof::Loss(_)) {
                continue;
            }
            let merit = child.value() + urge * child.prior / (1 + child.visits) as f32;
            if best.1 < merit {
                best = (first + offset, merit);
            }
        }
        best.0
    }

    /// Updates proofs upwards from the last node of the trail, as long as they change.
    fn prove(&mut self, trail: &Trail) {
        for &idx in trail.nodes.iter().rev() {
            let Some(proof) = self.proof_by_children(idx) else { return };
            self.nodes[idx].proof = proof;
        }
    }

    /// The result that the children prove for the chooser of their parent.
    fn proof_by_children(&self, idx: Idx) -> Option<Proof> {
        let children = self.children(idx);
        let side = children.first()?.chooser;
        let mut best = Proof::Loss(0);
        for child in children {
            best = match (best, child.proof) {
                (Proof::Win(a), Proof::Win(b)) => Proof::Win(a.min(b)),
                (Proof::Win(a), _) | (_, Proof::Win(a)) => Proof::Win(a),
                (Proof::Open, _) | (_, Proof::Open) => Proof::Open,
                (Proof::Draw, _) | (_, Proof::Draw) => Proof::Draw,
                (Proof::Loss(a), Proof::Loss(b)) => Proof::Loss(a.max(b)),
            };
        }
        let same_view = self.nodes[idx].chooser == side;
        match best {
            Proof::Open => None,
            Proof::Draw => Some(Proof::Draw),
            Proof::Win(distance) if same_view => Some(Proof::Win(distance + 1)),
            Proof::Win(distance) => Some(Proof::Loss(distance + 1)),
            Proof::Loss(distance) if same_view => Some(Proof::Loss(distance + 1)),
            Proof::Loss(distance) => Some(Proof::Win(distance + 1)),
        }
    }
}

impl<M> Node<M> {
    /// The chooser of the root is its own side to move, so that its values are from the view of this side.
    const fn root(side: Side) -> Self {
        Self {
            mv: None,
            chooser: side,
            state: State::Leaf,
            proof: Proof::Open,
            prior: 1.0,
            guess: 0.5,
            sum: 0.0,
            minimax: 0.5,
            visits: 0,
            first_child: 0,
            n_children: 0,
        }
    }

    /// A child that `side` may choose.
    pub const fn child(sprout: &Sprout<M>, side: Side) -> Self
    where
        M: Copy,
    {
        Self {
            mv: Some(sprout.mv),
            chooser: side,
            proof: sprout.proof,
            prior: sprout.prior,
            guess: sprout.guess,
            minimax: sprout.value(),
            ..Self::root(side)
        }
    }

    /// Compares two children for their chooser: the better one is greater.
    fn compare(&self, other: &Self) -> Ordering {
        let key = |node: &Self| match node.proof {
            Proof::Win(distance) => (2, u32::MAX - u32::from(distance), 0.0),
            Proof::Open | Proof::Draw => (1, node.visits, node.value()),
            Proof::Loss(distance) => (0, u32::from(distance), 0.0),
        };
        let (one, two) = (key(self), key(other));
        (one.0, one.1).cmp(&(two.0, two.1)).then(one.2.total_cmp(&two.2))
    }

    /// The chooser's share of the point: the mean of what was backed up, the evaluation counting as one visit, mixed with
    /// the minimax value.
    pub fn value(&self) -> f32 {
        match self.proof {
            Proof::Open => {
                let mean = (self.guess + self.sum) / (1 + self.visits) as f32;
                mean + MINIMAX_SHARE * (self.minimax - mean)
            }
            Proof::Win(_) => 1.0,
            Proof::Draw => 0.5,
            Proof::Loss(_) => 0.0,
        }
    }
}

impl<M> Sprout<M> {
    /// The value for the side that moves.
    const fn value(&self) -> f32 {
        match self.proof {
            Proof::Open => self.guess,
            Proof::Win(_) => 1.0,
            Proof::Draw => 0.5,
            Proof::Loss(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_proto::bits::mix64;

    /// A tree in which each node's children have the moves 0, 1, 2, ..., grown `times` times.
    fn grown(bytes: usize, times: u64) -> Tree<u8> {
        let mut tree = Tree::new(bytes, Side::White);
        let mut trail = Trail::default();
        for nth in 0..times {
            match tree.select(&mut trail) {
                Task::Expand => {
                    let side = Side::ALL[trail.nodes.len() % 2];
                    let sprouts: Vec<_> = (0..=(mix64(nth) % 5) as u8)
                        .map(|mv| Sprout {
                            mv,
                            prior: 0.2,
                            guess: (mix64(nth ^ u64::from(mv) << 32) % 1000) as f32 / 1000.0,
                            proof: Proof::Open,
                        })
                        .collect();
                    tree.grow(&trail, side, &sprouts);
                }
                Task::Settled(value) => tree.back_up(&trail, value),
            }
        }
        tree
    }

    /// All lines below a node with the visits of their last nodes, deepest first.
    fn lines(tree: &Tree<u8>, idx: Idx) -> Vec<(Vec<u8>, u32)> {
        let mut lines = Vec::new();
        for (offset, child) in tree.children(idx).iter().enumerate() {
            let mv = child.mv.expect("a child has a move");
            for (line, visits) in lines_of_child(tree, tree.nodes[idx].first_child as usize + offset) {
                lines.push(([&[mv], &line[..]].concat(), visits));
            }
        }
        lines
    }

    fn lines_of_child(tree: &Tree<u8>, idx: Idx) -> Vec<(Vec<u8>, u32)> {
        let mut below = lines(tree, idx);
        below.push((Vec::new(), tree.nodes[idx].visits));
        below
    }

    #[test]
    fn advancing_keeps_the_subtree_as_it_was() {
        for moves in [&[0][..], &[1], &[0, 0], &[1, 0]] {
            let mut tree = grown(1 << 20, 3_000);
            let before: Vec<_> = lines(&tree, 0)
                .into_iter()
                .filter_map(|(line, visits)| Some((line.strip_prefix(moves)?.to_vec(), visits)))
                .filter(|(line, _)| !line.is_empty())
                .collect();
            if tree.advance(moves) {
                assert_eq!(lines(&tree, 0), before, "{moves:?}");
                assert_eq!(tree.nodes.len(), before.len() + 1);
            } else {
                assert!(before.is_empty(), "{moves:?}");
            }
        }
    }

    #[test]
    fn a_full_tree_makes_room_and_grows_on() {
        let bytes = 500 * size_of::<Node<u8>>();
        let mut tree = grown(bytes, 20_000);
        assert!(tree.nodes.len() <= 500);
        assert_eq!(tree.root().visits, 20_000);
        let deepest = lines(&tree, 0).iter().map(|(line, _)| line.len()).max();
        assert!(Some(5) < deepest, "{deepest:?}");
        tree.make_room();
        let n_lines = lines(&tree, 0).len();
        assert_eq!(tree.nodes.len(), n_lines + 1);
    }

    #[test]
    fn proofs_go_up_by_who_chooses() {
        let mut tree = Tree::new(1 << 16, Side::White);
        let mut trail = Trail::default();
        let sprout = |mv, proof| Sprout { mv, prior: 0.5, guess: 0.5, proof };
        assert_eq!(tree.select(&mut trail), Task::Expand);
        tree.grow(&trail, Side::White, &[sprout(0, Proof::Loss(1)), sprout(1, Proof::Open)]);
        assert_eq!(tree.root().proof, Proof::Open);
        // White moves again and wins: so the first of the two moves wins too, although the other one loses.
        assert_eq!(tree.select(&mut trail), Task::Expand);
        tree.grow(&trail, Side::White, &[sprout(0, Proof::Draw), sprout(1, Proof::Win(1))]);
        assert_eq!(tree.root().proof, Proof::Win(3));
        assert_eq!(tree.line_from(0), [1, 1]);
    }
}
