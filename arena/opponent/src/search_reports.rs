//! What an engine reports during one search: of its `info` lines, those that count. It parses a line only where it must.

use std::collections::BTreeMap;

use engine_proto::proto::{InfoLine, MOST_STATS, Reply};

use super::dialect::Dialect;
use model::referee::SearchInfo;

/// The reports of one search.
#[derive(Clone, Debug, Default)]
pub struct SearchReports {
    dialect: Dialect,
    /// The last line about the best move.
    last: Option<String>,
    /// The numbers of the engine's own.
    stats: BTreeMap<String, i64>,
}

impl SearchReports {
    /// Before the first report of an engine that speaks this dialect.
    pub fn in_dialect(dialect: Dialect) -> Self {
        Self { dialect, ..Self::default() }
    }

    /// Adds an `info` line.
    pub fn hear(&mut self, line: String) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let first = words.next().unwrap_or_default();
        // UCI has lines about the move that is being searched, and about bounds of the score.
        let is_partial = self.dialect == Dialect::Uci
            && (!words.clone().any(|word| word == "score")
                || words.clone().any(|word| matches!(word, "lowerbound" | "upperbound")));
        if first == "string" || is_partial {
            return;
        }
        let is_plain = first != "stat" && !words.any(|word| word == "multipv" || word == "stat");
        if is_plain && first != "multipv" {
            self.last = Some(line);
            return;
        }
        let Ok(Reply::Info(info)) = Reply::parse(&line) else { return };
        if let Some(stat) = info.stat {
            self.add(stat.key, stat.value);
        }
        let is_about_best_move = info.multipv.is_none_or(|number| number <= 1);
        if is_about_best_move && first != "stat" {
            self.last = Some(line);
        }
    }

    fn add(&mut self, key: &str, value: i64) {
        if let Some(known) = self.stats.get_mut(key) {
            *known = value;
        } else if self.stats.len() < MOST_STATS {
            self.stats.insert(key.to_owned(), value);
        }
    }

    /// With this line about the best move only.
    pub fn of_line(line: String) -> Self {
        Self { last: Some(line), ..Self::default() }
    }

    /// The last line about the best move.
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// What the engine reported.
    pub fn into_info(self) -> SearchInfo {
        let Self { last, stats, .. } = self;
        let info = match last.as_deref().map(Reply::parse) {
            Some(Ok(Reply::Info(info))) => info,
            _ => InfoLine::default(),
        };
        SearchInfo {
            depth: info.depth,
            score: info.score,
            nodes: info.nodes,
            time: info.time,
            principal_variation: principal_variation(&info),
            stats,
            ..SearchInfo::default()
        }
    }
}

/// The start of the principal variation. It is stored with every move, so it is bounded.
fn principal_variation(info: &InfoLine<'_>) -> Option<String> {
    const MOST_MOVES: usize = 16;
    const MOST_BYTES: usize = 200;
    let mut line = String::new();
    for mv in info.pv.iter().take(MOST_MOVES) {
        if MOST_BYTES < line.len() + 1 + mv.len() {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(mv);
    }
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use engine_proto::proto::Score;

    use super::*;

    fn heard(lines: &[&str]) -> SearchInfo {
        let mut reports = SearchReports::default();
        for line in lines {
            reports.hear((*line).to_owned());
        }
        reports.into_info()
    }

    #[test]
    fn the_last_line_about_the_best_move_counts() {
        let best = heard(&[
            "info depth 1 score cp 5 pv a1a2",
            "info depth 2 multipv 1 score cp 7 pv b1b2",
            "info depth 2 multipv 2 score cp -90 pv c1c2",
            "info multipv 3 depth 2 score cp -95 pv c1c3",
            "info string multipv 1 depth 9",
            "info stat cuts 4",
        ]);
        assert_eq!((best.depth, best.score), (Some(2), Some(Score::Centi(7))));
        assert_eq!(best.principal_variation.as_deref(), Some("b1b2"));
        assert_eq!(heard(&[]), SearchInfo::default());
        assert_eq!(
            heard(&["info depth 3 score cp 1", "info depth 4"]).score,
            None,
            "the line counts as a whole"
        );
    }

    #[test]
    fn reports_in_uci_have_a_score() {
        let mut reports = SearchReports::in_dialect(Dialect::Uci);
        for line in [
            "info depth 9 seldepth 12 multipv 1 score cp 31 nodes 5000 nps 100 tbhits 0 time 50 pv e2e4 e7e5",
            "info depth 10 seldepth 12 multipv 1 score cp 90 lowerbound nodes 6000 time 60 pv e2e4",
            "info depth 10 currmove d2d4 currmovenumber 2",
            "info string NNUE evaluation using nn-ad9b42354671.nnue enabled",
            "info nodes 7000 nps 100 hashfull 3",
        ] {
            reports.hear(line.to_owned());
        }
        let info = reports.into_info();
        assert_eq!((info.depth, info.score, info.nodes), (Some(9), Some(Score::Centi(31)), Some(5000)));
        let mut reports = SearchReports::in_dialect(Dialect::Uci);
        reports.hear("info depth 5 score mate -3 pv e1e2".to_owned());
        assert_eq!(reports.into_info().score, Some(Score::Loss(6)));
    }

    #[test]
    fn of_each_number_the_last_value_is_kept() {
        let stats = heard(&["info stat cuts 4", "info depth 2 stat probes 1", "info stat cuts -5"]).stats;
        assert_eq!(stats, BTreeMap::from([("cuts".to_owned(), -5), ("probes".to_owned(), 1)]));
        assert_eq!(heard(&["info depth 2 stat probes 1"]).depth, Some(2));
        // No more names than allowed; those that are known still change.
        let mut lines: Vec<String> = (0..20).map(|n| format!("info stat key{n} {n}")).collect();
        lines.push("info stat key0 7".to_owned());
        let stats = heard(&lines.iter().map(String::as_str).collect::<Vec<_>>()).stats;
        assert_eq!((stats.len(), stats["key0"], stats["key15"]), (MOST_STATS, 7, 15));
    }

    #[test]
    fn the_principal_variation_is_bounded() {
        let stored = |pv: &str| heard(&[&format!("info depth 3 pv {pv}")]).principal_variation;
        assert_eq!(stored("a1a2 b1b2"), Some("a1a2 b1b2".to_owned()));
        assert_eq!(heard(&["info depth 3"]).principal_variation, None);
        assert_eq!(stored(&"a1a2 ".repeat(1000)).unwrap().split(' ').count(), 16);
        assert_eq!(stored(&format!("a1a2 {}", "x".repeat(500))), Some("a1a2".to_owned()));
        assert_eq!(stored(&"x".repeat(500)), None);
    }
}
