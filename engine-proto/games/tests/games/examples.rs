//! Reads the `examples` blocks of a rules page: the format is in `src/CONVENTIONS.md`, section Examples.

/// One line of a block.
#[derive(Debug)]
pub enum Line<'a> {
    Fen(&'a str),
    Play { moves: Vec<&'a str>, to: &'a str, stays: bool },
    End { winner: &'a str, reason: &'a str },
    Legal(Vec<&'a str>),
    Illegal(Vec<&'a str>),
    From { square: &'a str, moves: Vec<&'a str> },
    Begin { text: &'a str, moves: Vec<&'a str> },
    Perft(Vec<u64>),
    Refuse { field: &'a str, text: &'a str },
}

/// The lines of all `examples` blocks of a page, each with its number on the page; one list a block.
pub fn blocks(page: &str) -> Vec<Vec<(usize, Line<'_>)>> {
    let mut blocks = Vec::new();
    let mut inside = false;
    for (idx, raw) in page.lines().enumerate() {
        match raw {
            "```examples" => {
                inside = true;
                blocks.push(Vec::new());
            }
            "```" => inside = false,
            _ if inside => {
                let text = raw.split("   # ").next().expect("split gives one part at least");
                if !text.trim().is_empty() {
                    let block: &mut Vec<_> = blocks.last_mut().expect("inside a block");
                    block.push((idx + 1, line(text).unwrap_or_else(|| panic!("line {}: {raw}", idx + 1))));
                }
            }
            _ => {}
        }
    }
    blocks
}

fn line(text: &str) -> Option<Line<'_>> {
    let (kind, rest) = text.split_once(' ')?;
    Some(match kind {
        "fen" => Line::Fen(rest),
        "play" | "try" => {
            let (moves, to) = rest.split_once(" -> ")?;
            Line::Play { moves: moves.split(' ').collect(), to, stays: kind == "try" }
        }
        "end" => {
            let (winner, reason) = rest.split_once(' ')?;
            Line::End { winner, reason }
        }
        "legal" if rest == "-" => Line::Legal(Vec::new()),
        "legal" => Line::Legal(rest.split(' ').collect()),
        "illegal" => Line::Illegal(rest.split(' ').collect()),
        "from" | "begin" => {
            let mut words = rest.split(' ');
            let first = words.next()?;
            let moves = words.collect();
            if kind == "from" {
                Line::From { square: first, moves }
            } else {
                Line::Begin { text: first, moves }
            }
        }
        "perft" => Line::Perft(rest.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?),
        "refuse" => {
            let (field, text) = rest.split_once(' ')?;
            Line::Refuse { field, text }
        }
        _ => return None,
    })
}
