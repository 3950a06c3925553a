//! Remedies for unknown keys: the names of settings in other tournament managers and their names here, and keys in
//! the wrong table. It does not check values.

use std::time::Duration;

/// Keys of other tools and what to write instead. They are compared in lowercase, without `-` and `_`.
const OTHER_TOOLS: [(&[&str], &str); 20] = [
    (&["rounds", "encounters"], "the number of pairs is `pairs` in `[tournament]`; a pair is two matches"),
    (
        &["games"],
        "`[[game]]` tables list the games to play; the number of matches is set by `pairs` in `[tournament]`",
    ),
    (
        &["repeat", "reverse", "noswap"],
        "remove it: every opening is always played twice, with the sides swapped",
    ),
    (
        &["tc", "timecontrol", "time"],
        "write the time control in `[limits]`: `base = \"10s\"` and `increment = \"100ms\"`",
    ),
    (&["inc"], "write it in `[limits]`: `increment = \"100ms\"`, together with `base`"),
    (&["st"], "write the time for each move in `[limits]`: `movetime = \"1s\"`"),
    (&["timemargin"], "write it in `[limits]`: `margin = \"20ms\"`"),
    (&["maxmoves"], "write it in `[limits]` as `max-plies`, which counts the moves of both sides"),
    (&["proto", "protocol"], "remove it: all engines use the protocol UGI"),
    (&["cmd", "path", "exe"], "the program is `command`, its arguments are `args`"),
    (&["dir", "workingdirectory", "cwd"], "the folder that an engine runs in is `directory`"),
    (&["env"], "environment variables are `environment = { NAME = \"value\" }`"),
    (&["each", "defaults"], "keys for all engines are in `[engine-defaults]`"),
    (&["hash"], "write options of an engine in `options`: `options = { Hash = 16 }`"),
    (&["book", "openingbook"], "write `openings = \"FILE\"` in a `[[game]]`: one position per line"),
    (&["variant"], "each game is a `[[game]]` table with its `id`"),
    (&["sprt"], "write the test as `[stop.sprt]`"),
    (&["resign"], "write it as `win = { score = 1000, moves = 4 }` in `[adjudication]`"),
    (&["draw"], "write it as `draw = { score = 10, moves = 8 }` in `[adjudication]`"),
    (&["srand"], "the seed is `seed` in `[tournament]`"),
];

/// Keys that belong in one table and are often written in another one.
const TABLES: [(&str, &[&str]); 3] = [
    ("limits", &["base", "increment", "moves-to-go", "movetime", "nodes", "depth", "margin", "max-plies"]),
    (
        "tournament",
        &["pairs", "concurrency", "cores", "format", "seeds", "seed", "max-faults", "results", "pin"],
    ),
    (
        "cage",
        &[
            "sandbox",
            "readable",
            "processes",
            "cpu-time",
            "open-files",
            "cpu-affinity",
            "nice",
            "environment-allow",
        ],
    ),
];

/// What to write instead of the unknown key `word` with this value in a table whose keys are `known`.
pub fn remedy(word: &str, known: &[&str], value: Option<&str>) -> Option<String> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_'], "");
    let word = plain(word);
    if known.iter().any(|key| plain(key) == word) {
        return None;
    }
    for (table, keys) in TABLES {
        let Some(key) = keys.iter().find(|key| plain(key) == word) else { continue };
        let is_of_engine = known.contains(&"command") && known.contains(&table);
        return Some(if is_of_engine {
            format!("write it in the engine's `{table}`: `{table} = {{ {key} = ... }}`")
        } else {
            format!("`{key}` belongs in `[{table}]`")
        });
    }
    if ["tc", "timecontrol"].contains(&word.as_str())
        && let Some(control) = value
        && let Some(limits) = limits(control)
    {
        return if known.contains(&"command") {
            Some(format!("write the engine's limits: `limits = {{ {} }}`", limits.join(", ")))
        } else {
            control_in_limits(control)
        };
    }
    let found = OTHER_TOOLS.iter().find(|(words, _)| words.contains(&word.as_str()));
    found.map(|(_, help)| (*help).to_owned())
}

/// Where to write a time control such as `40/60+0.6`, in seconds.
pub fn control_in_limits(control: &str) -> Option<String> {
    let keys: Vec<String> = limits(control)?.iter().map(|key| format!("`{key}`")).collect();
    Some(format!("write in `[limits]`: {}", keys.join(" and ")))
}

/// A time control as the keys of `[limits]`.
fn limits(control: &str) -> Option<Vec<String>> {
    let (moves, rest) = control.split_once('/').map_or((None, control), |(moves, rest)| (Some(moves), rest));
    let (base, increment) = rest.split_once('+').map_or((rest, None), |(base, rest)| (base, Some(rest)));
    let time = |text: &str| {
        let seconds: f64 = text.trim().parse().ok()?;
        let time = Duration::try_from_secs_f64(seconds).ok()?;
        Some(humantime::format_duration(Duration::from_millis(time.as_millis() as u64)).to_string())
    };
    let mut keys = vec![format!("base = \"{}\"", time(base)?)];
    if let Some(increment) = increment {
        keys.push(format!("increment = \"{}\"", time(increment)?));
    }
    match moves {
        None | Some("0") => {}
        Some(moves) => keys.push(format!("moves-to-go = {}", moves.parse::<u32>().ok()?)),
    }
    Some(keys)
}
