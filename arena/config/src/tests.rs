//! Configurations as users write them, right and wrong.

use std::path::Path;

use super::*;
use engine_proto::{GameId, Games};
use model::{EloModelKey, Format};

fn wrong(text: &str) -> String {
    match parse(Games::built_in(), text, Path::new("league.toml")) {
        Ok(config) => panic!("accepted: {config:?}"),
        Err(error) => error.to_string(),
    }
}

/// Two engines whose program is on every system that the tests run on.
const ENGINES: &str = "
[[engine]]
name = \"one\"
command = \"sh\"
[[engine]]
name = \"two\"
command = \"sh\"
";

#[test]
fn every_key_has_a_default() {
    let config = parse(Games::built_in(), ENGINES, Path::new("configs/league.toml")).unwrap();
    assert_eq!(config.name, "league");
    assert_eq!(config.results, Path::new("results/league"));
    assert_eq!(config.pairs, 1);
    let games: Vec<_> = config.games.iter().map(|game| (game.id, game.opening_plies)).collect();
    assert_eq!(games, GameId::BUILT_IN.iter().map(|game| (*game, 4)).collect::<Vec<_>>());
}

#[expect(clippy::too_many_lines, reason = "one file with every key")]
#[test]
fn all_keys_are_read() {
    let text = r#"
        [tournament]
        name = "all keys"
        format = "gauntlet"
        seeds = ["two"]
        seeds-meet = true
        pairs = 3
        max-faults = 5
        concurrency = 2
        cores = 3
        memory = "4GiB"
        pin = false
        seed = 7
        results = "elsewhere"
        [limits]
        base = "2s"
        increment = "20ms"
        moves-to-go = 40
        movetime = "1m 30s"
        nodes = 2000
        depth = 4
        margin = "5ms"
        max-plies = 300
        [adjudication]
        draw = { score = 10, moves = 8, after-plies = 80 }
        win = { score = 1000, moves = 4 }
        [stop.sprt]
        elo0 = -5
        elo1 = 2.5
        alpha = 0.1
        beta = 0.2
        model = "logistic"
        batch = 4
        [stop.precision]
        elo = 20
        scope = "games"
        [stop.separated]
        question = "above"
        engines = ["one", "two"]
        [timeouts]
        start = "1s"
        ready = "2s"
        think = "3s"
        quit = "4s"
        [cage]
        memory = "2 GiB"
        nice = 5
        [[game]]
        id = "tower-push"
        start = "9x9"
        opening-plies = 6
        [[pairing]]
        engines = ["two", "one"]
        games = ["tower-push"]
        pairs = 50
        [[engine]]
        name = "one"
        command = "sh"
        threads = 3
        args = ["-c", "true"]
        build = ["true"]
        options = { Hash = 16, Ponder = false, Style = "bold", Temperature = 0.5 }
        directory = "."
        environment = { THREADS = "1" }
        games = ["tower-push"]
        limits = { nodes = 10, margin = "1ms" }
        cage = { memory = "512MiB", processes = 16, cpu-time = "1m", open-files = 64, cpu-affinity = [0, 1], environment-allow = ["PATH"], sandbox = true, readable = ["."] }
        [[engine]]
        name = "two"
        command = "sh"
    "#;
    let config = parse(Games::built_in(), text, Path::new("x.toml")).unwrap();
    let engine = &config.engines[0];
    let values: Vec<_> = engine.options.values().map(String::as_str).collect();
    assert_eq!(values, ["16", "false", "bold", "0.5"]);
    assert_eq!(engine.cage.memory.unwrap().to_string(), "512MiB");
    assert_eq!(engine.cage.nice, Some(5));
    assert_eq!(config.n_pairs(["one", "two"], engine_proto::GameId::TOWER_PUSH), 50);
    assert_eq!(config.n_pairs(["one", "two"], engine_proto::GameId::PUSH), 3);
    assert_eq!([engine.n_threads(), config.engines[1].n_threads()], [Some(3), None]);
    // Written and read again it is the same, wherever its keys stood in the file.
    let written = toml::to_string_pretty(&config).unwrap();
    let again: Tournament = toml::from_str(&written).unwrap();
    assert_eq!(again, config);
    assert_eq!(toml::to_string_pretty(&again).unwrap(), written);
    for key in [
        "name",
        "seeds",
        "seeds-meet",
        "after-plies",
        "max-faults",
        "pairs",
        "moves-to-go",
        "max-plies",
        "think",
        "elo0",
        "alpha",
        "batch",
        "scope",
        "separated",
        "opening-plies",
        "environment",
        "directory",
        "cpu-affinity",
        "cpu-time",
        "readable",
        "cores = 3",
        "memory = \"4GiB\"",
        "pin = false",
        "threads = 3",
        "pairs = 50",
    ] {
        assert!(written.contains(key), "{key} is missing from\n{written}");
    }
}

#[test]
fn all_errors_at_once() {
    insta::assert_snapshot!(wrong(
        r#"[tournament]
pairs = "two"
concurency = 2
format = "roundrobin"

[limits]
bse = "2s"
increment = 20
movetime = "50"

[[game]]
id = "tower-psh"

[[game]]
id = "tower-push"
start = "8x8"

[[engine]]
name = "one"
command = "sh"
option = { Hash = 16 }

[[engine]]
command = "sh"
"#
    ));
}

#[test]
fn errors_across_keys() {
    insta::assert_snapshot!(wrong(
        r#"[limits]
increment = "20ms"
nodes = 0

[[game]]
id = "push"
[[game]]
id = "push"
[[game]]
id = "push-push"
start = "abcdcba/7/7/3*3/7/7/ABCDCB w - - 0 0"

[[engine]]
name = "one"
command = "sh"
games = ["tower-push"]

[[engine]]
name = "one"
command = "no/such/program"
directory = "no/such/folder"
limits = { max-plies = 20 }
"#
    ));
}

#[test]
fn a_wrong_base_is_not_missing_as_well() {
    let errors = wrong("[limits]\nbase = \"abc\"\nincrement = \"5ms\"\n[[game]]\nid = \"push\"\n");
    assert!(errors.contains("`abc` is not a duration") && !errors.contains("needs `base`"), "{errors}");
}

#[test]
fn errors_in_pairings() {
    insta::assert_snapshot!(wrong(&format!(
        r#"[[game]]
id = "push"
[[game]]
id = "push-push"
[[pairing]]
engines = ["one", "tow"]
pairs = 2
[[pairing]]
engines = ["one"]
pairs = 2
[[pairing]]
engines = ["one", "one"]
pairs = 2
[[pairing]]
engines = ["one", "two"]
games = ["push", "tower-push"]
pairs = 2
[[pairing]]
engines = ["two", "one"]
games = ["push"]
pairs = 0
{ENGINES}"#
    )));
    let apart = "[tournament]\nformat = \"gauntlet\"\nseeds = [\"three\"]\n[[pairing]]\nengines = [\"one\", \"two\"]\npairs = 2";
    let found = wrong(&format!("{apart}\n{ENGINES}[[engine]]\nname = \"three\"\ncommand = \"sh\"\n"));
    assert!(found.contains("`one` and `two` never play each other"), "{found}");
}

#[test]
fn matches_that_could_never_begin() {
    insta::assert_snapshot!(wrong(
        r#"[tournament]
cores = 2
memory = "3GiB"

[cage]
memory = "1GiB"

[[engine]]
name = "one"
command = "sh"
threads = 3

[[engine]]
name = "two"
command = "sh"
options = { threads = 4 }
cage = { memory = "1536MiB" }

[[engine]]
name = "three"
command = "sh"
options = { Threads = 4 }
threads = 2
cage = { memory = "2GiB" }
"#
    ));
    for (keys, words) in [("cores = 0", "`cores` is 0"), ("cores = 2\nmemory = 2", "an amount of memory")] {
        let found = wrong(&format!("[tournament]\n{keys}\n{ENGINES}"));
        assert!(found.contains(words), "{words}: {found}");
    }
    let found = wrong(&format!("{ENGINES}threads = 0"));
    assert!(found.contains("`threads` is 0"), "{found}");
    let fits = "[tournament]\ncores = 2\nmemory = \"2GiB\"\n[cage]\nmemory = \"1GiB\"\n";
    assert!(parse(Games::built_in(), &format!("{fits}{ENGINES}threads = 2"), Path::new("x.toml")).is_ok());
}

#[cfg(target_os = "linux")]
#[test]
fn errors_in_cages() {
    insta::assert_snapshot!(wrong(
        r#"[cage]
memory = "1 GB"
nice = 20

[[engine]]
name = "one"
command = "sh"
cage = { memory = "0MiB", processes = 0, cpu-time = "0s", open-files = 7, cpu-affinity = [], sandbox = "yes" }

[[engine]]
name = "two"
command = "sh"
cage = { sandbox = true, readable = ["no/such/folder"], sandbx = true }
"#
    ));
}

#[test]
fn a_gauntlet_names_its_seeds() {
    let with = |tournament: &str| format!("[tournament]\n{tournament}\n{ENGINES}");
    let config =
        parse(Games::built_in(), &with("format = \"gauntlet\"\nseeds = [\"two\"]"), Path::new("x.toml"))
            .unwrap();
    let seeds = vec!["two".to_owned()];
    assert_eq!(config.format, Format::Gauntlet { seeds, seeds_meet: false });
    for (tournament, words) in [
        ("format = \"gauntlet\"", "`gauntlet` needs `seeds`"),
        ("format = \"gauntlet\"\nseeds = [\"twoo\"]", "did you mean `two`?"),
        ("format = \"gauntlet\"\nseeds = [\"two\", \"two\"]", "listed twice"),
        ("format = \"gauntlet\"\nseeds = [\"one\", \"two\"]", "every engine is a seed"),
        ("seeds-meet = true", "`seeds-meet` works only with the format `gauntlet`"),
        ("seeds = [\"two\"]", "`seeds` works only with the format `gauntlet`"),
    ] {
        let found = wrong(&with(tournament));
        assert!(found.contains(words), "{words}: {found}");
    }
}

#[test]
fn rules_that_end_a_tournament_have_defaults() {
    let config = parse(Games::built_in(), ENGINES, Path::new("x.toml")).unwrap();
    assert!(config.stop.is_empty());
    let config = parse(Games::built_in(), &format!("[stop.sprt]\n{ENGINES}"), Path::new("x.toml")).unwrap();
    let sprt = config.stop.sprt.unwrap();
    assert_eq!([sprt.elo0, sprt.elo1].map(f64::to_bits), [0.0, 5.0_f64].map(f64::to_bits));
    assert_eq!(sprt.model, EloModelKey::Normalized);
}

#[test]
fn errors_in_rules_that_end_a_tournament() {
    insta::assert_snapshot!(wrong(
        r#"[stop.sprt]
elo0 = 5
elo1 = 5
batch = 0

[stop.precision]
elo = 0

[stop.separated]
question = "above"
engines = ["one", "tow"]

[adaptive]
floor = 0

[[engine]]
name = "one"
command = "sh"
[[engine]]
name = "two"
command = "sh"
[[engine]]
name = "three"
command = "sh"
"#
    ));
}

#[test]
fn rules_that_end_a_tournament_take_their_keys() {
    for (keys, words) in [
        ("[stop.sprt]\nelo1 = \"five\"", "expected a number"),
        ("[stop.sprt]\nelo1 = 5000", "5000 is too large for a hypothesis"),
        ("[stop.sprt]\nalpha = 0.5", "alpha must be above 0 and below 0.5"),
        ("[stop.sprt]\nelo0 = 5\nelo1 = 0\nalpha = 2\nbeta = -1", "beta must be above 0 and below 0.5"),
        ("[stop.sprt]\nmodel = \"normalised\"", "did you mean `normalized`?"),
        ("[stop]\nsprd = {}", "did you mean `sprt`?"),
        ("[stop.precision]", "the key `elo` is missing"),
        ("[stop.precision]\nelo = 20\nscope = \"game\"", "did you mean `games`?"),
        ("[stop.separated]\nquestion = \"top\"", "the question `top` needs `n`"),
        ("[stop.separated]\nquestion = \"top\"\nn = 2", "`n` is 2, but with 2 engines it must be at most 1"),
        ("[stop.separated]\nquestion = \"best\"\nn = 1", "`n` works only with the question `top`"),
        ("[stop.separated]\nquestion = \"above\"", "needs two `engines`"),
        (
            "[stop.separated]\nquestion = \"best\"\nengines = [\"one\"]",
            "`engines` works only with the question `above`",
        ),
        ("[stop.separated]\nquestion = \"above\"\nengines = [\"one\"]", "two different engines"),
        ("[stop.separated]\nquestion = \"bets\"", "did you mean `best`?"),
        ("[stop.sprt]\nlimits = [\"short\"]", "`limits` needs several tables `[[limits]]`"),
        (
            "[stop.sprt]\nlimits = [\"short\", \"lnog\"]\n[[limits]]\nname = \"short\"\n[[limits]]\nname = \"long\"",
            "no `[[limits]]` have the name `lnog`",
        ),
        (
            "[stop.sprt]\nlimits = [\"long\", \"long\"]\n[[limits]]\nname = \"short\"\n[[limits]]\nname = \"long\"",
            "`long` is listed twice",
        ),
        (
            "[stop.sprt]\nlimits = [\"long\"]\n[[limits]]\nname = \"short\"\n[[limits]]\nname = \"long\"",
            "`short` is missing: `limits` lists all",
        ),
        (
            "[tournament]\nformat = \"gauntlet\"\nseeds = [\"one\", \"two\"]\n[stop.sprt]",
            "`[stop.sprt]` tests all engines against one seed, but the gauntlet has 2",
        ),
        ("[tournament]\nformat = \"adaptive\"", "this `adaptive` tournament has no end"),
        ("[tournament]\nformat = \"adaptive\"\n[adaptive]\nmatches = 1", "`matches` must be at least 2"),
        ("[tournament]\nformat = \"adaptive\"\n[adaptive]\nmatches = 9\nbatch = 0", "`batch` is 0"),
        ("[adaptive]\nmatches = 10", "`[adaptive]` works only with the format `adaptive`"),
        ("[swiss]\nrounds = 1", "`[swiss]` works only with the format `swiss`"),
        ("[knockout]\nthird-place = true", "`[knockout]` works only with the format `knockout`"),
        ("[tournament]\nformat = \"swiss\"\n[swiss]\nrounds = 0", "`rounds` is 0"),
        ("[tournament]\nformat = \"swiss\"\n[swiss]\nrounds = 9", "play at most"),
        ("[tournament]\nformat = \"knockout\"\n[stop.precision]\nelo = 9", "`[stop]` does not work with"),
    ] {
        let found = wrong(&format!("{keys}\n{ENGINES}"));
        assert!(found.contains(words), "{words}: {found}");
    }
}

#[test]
fn errors_in_several_limits() {
    for (limits, words) in [
        ("name = \"short\"\n[[limits]]\nnodes = 5", "each of several `[[limits]]` needs a `name`"),
        ("name = \"Short\"\n[[limits]]\nname = \"short\"", "two `[[limits]]` have the name `short`"),
        ("name = \"10 s\"\n[[limits]]\nname = \"long\"", "takes up to 32 letters, digits"),
        ("name = \"a\"\n[[limits]]\nname = \"b\"\nincrement = \"1s\"", "`increment` needs `base`"),
        ("name = \"a\"\n[[limits]]\nname = \"b\"\nnode = 5", "did you mean `nodes`?"),
        (
            "name = \"a\"\n[[limits]]\nname = \"b\"\n[adaptive]\nmatches = 9\n[tournament]\nformat = \"adaptive\"",
            "takes only one `[limits]`",
        ),
    ] {
        let found = wrong(&format!("[[limits]]\n{limits}\n{ENGINES}"));
        assert!(found.contains(words) && found.matches("error: ").count() == 1, "{words}: {found}");
    }
    let found = wrong(&format!("{ENGINES}limits = {{ name = \"short\", nodes = 5 }}\n"));
    assert!(found.contains("`name` is a key of the tournament's `[[limits]]`"), "{found}");
    let found = wrong(&format!("limits = 5\n{ENGINES}"));
    assert!(found.contains("limits = { movetime = \"1s\" }"), "{found}");
}

#[test]
fn an_engine_has_a_time_control_under_each_of_several_limits() {
    let text = "[[limits]]\nname = \"short\"\nnodes = 5\nmax-plies = 90\n[[limits]]\nname = \"long\"\nnodes = 50\n\
                [[engine]]\nname = \"one\"\ncommand = \"sh\"\n\
                [[engine]]\nname = \"two\"\ncommand = \"sh\"\nlimits = { depth = 3 }\n";
    let tournament = parse(Games::built_in(), text, Path::new("x.toml")).unwrap();
    let nodes = |engine: &str, limits| tournament.engine(engine).unwrap().time_control_under(limits).nodes;
    assert_eq!(["short", "long"].map(|limits| nodes("one", Some(limits))), [Some(5), Some(50)]);
    assert_eq!((nodes("one", None), nodes("two", Some("long"))), (Some(5), None));
    assert_eq!(["short", "long"].map(|limits| tournament.rules_under(Some(limits)).max_plies), [90, 400]);
    assert_eq!(tournament.rules_under(None).max_plies, 400);
    assert_eq!(tournament.engine("one").unwrap().under("long").time_control.nodes, Some(50));
}

#[test]
fn adjudication_is_off_and_takes_its_numbers() {
    assert!(parse(Games::built_in(), ENGINES, Path::new("x.toml")).unwrap().rules.adjudication.is_off());
    for (adjudication, words) in [
        ("win = { score = 0, moves = 4 }", "`score` is 0"),
        ("draw = { score = 0, moves = 0 }", "`moves` is 0"),
        ("draw = { score = 10 }", "the key `moves` is missing"),
        ("win = { score = 10, moves = 2, after-plies = 3 }", "after-plies"),
        ("draw = { score = -1, moves = 2 }", "-1"),
    ] {
        let found = wrong(&format!("[adjudication]\n{adjudication}\n{ENGINES}"));
        assert!(found.contains(words), "{words}: {found}");
    }
}

#[test]
fn a_bracket_that_is_not_closed_is_one_problem() {
    for text in ["[tournament\npairs = 2\n", "[tournament]\nseeds = [\"a\"\npairs = 2\n"] {
        let found = wrong(&format!("{text}{ENGINES}"));
        assert_eq!(found.matches("error: ").count(), 1, "{found}");
    }
}

#[test]
fn a_time_control_of_another_tool_is_translated() {
    for (control, expected) in [
        ("8+0.08", "write in `[limits]`: `base = \"8s\"` and `increment = \"80ms\"`"),
        ("40/60", "write in `[limits]`: `base = \"1m\"` and `moves-to-go = 40`"),
        ("soon", "write the time control in `[limits]`: `base = \"10s\"` and `increment = \"100ms\"`"),
    ] {
        let found = wrong(&format!("[tournament]\ntc = \"{control}\"\n{ENGINES}"));
        assert!(found.contains(expected), "{found}");
    }
    let found = wrong("[[engine]]\nname = \"a\"\ncommand = \"sh\"\ntc = \"8+0.08\" # short\n");
    assert!(found.contains("`limits = { base = \"8s\", increment = \"80ms\" }`"), "{found}");
}

const TUNED: &str = "
[tournament]
pairs = 101
concurrency = 8
[[game]]
id = \"push\"
[[engine]]
name = \"mine\"
command = \"sh\"
build = [\"true\"]
[tune]
pairs-per-point = 2
[[tune.option]]
name = \"Margin\"
min = 0
max = 100
";

#[test]
fn a_tuning_has_two_engines_and_whole_points() {
    let config = parse(Games::built_in(), TUNED, Path::new("tune.toml")).unwrap();
    let tune = config.tune.as_ref().unwrap();
    assert_eq!((config.names(), config.pairs), (vec!["mine+".to_owned(), "mine-".to_owned()], 100));
    assert_eq!(
        config.engines.iter().map(|engine| engine.build.len()).collect::<Vec<_>>(),
        [1, 0],
        "built once"
    );
    assert_eq!((tune.lag, tune.max_faults, tune.options[0].step, tune.options[0].start), (4, 10, 5.0, None));
    // Another engine of the file does not play.
    let two = TUNED
        .replace("[tune]\n", "[[engine]]\nname = \"other\"\ncommand = \"sh\"\n[tune]\nengine = \"mine\"\n");
    assert_eq!(parse(Games::built_in(), &two, Path::new("tune.toml")).unwrap(), config);
    let changes = Changes { pairs: Some(60), concurrency: Some(1) };
    let changed =
        Source::new(Path::new("tune.toml"), TUNED.to_owned()).changed(Games::built_in(), changes).unwrap();
    assert_eq!((changed.pairs, changed.resources.concurrency, changed.tune.unwrap().lag), (60, 1, 1));
    let scaled = TUNED
        .replace("min = 0\nmax = 100", "min = 0.29\nmax = 1\nscale = 100")
        .replace("[tune]\n", "[tune]\nweights = { push = 2 }\n");
    let tune = parse(Games::built_in(), &scaled, Path::new("tune.toml")).unwrap().tune.unwrap();
    assert_eq!(tune.weights, [(GameId::PUSH, 2.0)].into());
    let texts = [0.29, 0.294, 0.295, 1.0].map(|value| tune.options[0].text(value));
    assert_eq!(texts, ["29", "29", "30", "100"]);
    assert_eq!(tune.options[0].range(), 29.0..=100.0);
}

#[test]
fn errors_in_tunings() {
    insta::assert_snapshot!(wrong(&format!(
        "{TUNED}start = 200\nstep = 60\n\
         [[tune.option]]\nname = \"margin\"\nmin = 0.5\nmax = 1e300\n\
         [[tune.option]]\nname = \"Other\"\nmin = 5\nmax = 5\n\
         [stop.precision]\nelo = 5\n"
    )));
    let few = TUNED.replace("pairs = 101", "pairs = 19");
    let expected = "tuning needs at least 20 `pairs`";
    assert!(wrong(&few).contains(expected));
    let other = TUNED.replace("[tune]\n", "[tune]\nengine = \"mein\"\n");
    assert!(
        wrong(&other).contains("no engine is named `mein`") && wrong(&other).contains("did you mean `mine`?")
    );
    let weighted = |weights| TUNED.replace("[tune]\n", &format!("[tune]\nweights = {{ {weights} }}\n"));
    insta::assert_snapshot!(wrong(&format!(
        "{}scale = 1000\n\
         [[tune.option]]\nname = \"Fine\"\nmin = 0.5\nmax = 1.505\nscale = 100\nstep = 0.001\n\
         [[tune.option]]\nname = \"Both\"\nmin = 0\nmax = 1\nfloat = true\nscale = 100\n",
        weighted("push = -1, tower-push = 2")
    )));
    assert!(wrong(&weighted("push = 0")).contains("the weight of `push` is 0, but must be above 0"));
    assert!(wrong(&weighted("push = nan")).contains("the weight of `push` is NaN, but must be above 0"));
    assert!(wrong(&weighted("pusch = 1")).contains("unknown game `pusch`; did you mean `push`?"));
    let none = &TUNED[..TUNED.find("[[tune.option]]").unwrap()];
    assert!(wrong(none).contains("`[tune]` has no options"));
}

#[test]
fn keys_of_other_tools() {
    insta::assert_snapshot!(wrong(
        r#"games = 100

[each]
tc = "10+0.1"

[tournament]
rounds = 100
repeat = true
nodes = 500

[limits]
tc = "10s+100ms"
time-control = "10+0.1"
st = 1
pairs = 2

[[engine]]
name = "one"
cmd = "sh"
command = "sh"
dir = "."
proto = "uci"
movetime = "1s"
hash = 16

[[engine]]
name = "two"
command = "sh --quiet --level 3"
"#
    ));
}

#[test]
fn numbers_that_are_too_large() {
    insta::assert_snapshot!(wrong(
        r#"[tournament]
pairs = 99999999999999999999
seed = 18446744073709551615
concurrency = 70000

[stop.sprt]
elo1 = 1e999
alpha = 1_0.5

[[engine]]
name = "one"
command = "sh"

[[engine]]
name = "two"
command = "sh"
"#
    ));
}

#[test]
fn brackets_of_tables() {
    insta::assert_snapshot!(wrong(
        r#"[[tournament]]
pairs = 2

[engine]
name = "one"
command = "sh"
"#
    ));
    let two =
        wrong("[engine]\nname = \"one\"\ncommand = \"sh\"\n[engine]\nname = \"two\"\ncommand = \"sh\"\n");
    assert!(two.contains("write `[[engine]]` with double brackets, once for each engine"), "{two}");
    assert_eq!(two.matches("error: ").count(), 1, "the repeated keys are not errors as well: {two}");
}

#[test]
fn values_of_the_wrong_type() {
    insta::assert_snapshot!(wrong(
        r#"[tournament]
seed = -1
sandbox = true

[limits]
base = "10s"
increment = "-5ms"

[stop]
precision = 20

[adjudication]
draw = 10

[[engine]]
name = "one"
command = "sh"
sandbox = true

[[engine]]
name = "two"
command = "sh"
"#
    ));
    assert!(wrong("x = = 3\n").contains("error: extra `=`\n"));
}

#[test]
fn engine_defaults_are_replaced_by_an_engines_own_keys() {
    let text = r#"
        [limits]
        base = "1s"
        [engine-defaults]
        options = { Hash = 16, Level = 3 }
        threads = 1
        environment = { A = "1", B = "2" }
        limits = { nodes = 500, margin = "7ms" }
        cage = { memory = "1GiB", nice = 5 }
        [[engine]]
        name = "one"
        command = "sh"
        [[engine]]
        name = "two"
        command = "sh"
        options = { hash = 64, Style = "bold" }
        threads = 2
        environment = { B = "3" }
        limits = { depth = 4 }
        cage = { nice = 0 }
        [[engine]]
        name = "three"
        command = "sh"
        options = { Threads = 2 }
        limits = { margin = "1ms" }
        [tournament]
        cores = 2
    "#;
    let config = parse(Games::built_in(), text, Path::new("x.toml")).unwrap();
    let facts: Vec<String> = config.engines.iter().map(|engine| {
        let control = &engine.time_control;
        let memory = engine.cage.memory.map(|memory| memory.to_string());
        format!(
            "{} {:?} threads {:?} {:?}, base {:?} nodes {:?} depth {:?} margin {:?}, {memory:?} nice {:?}",
            engine.name, engine.options, engine.n_threads(), engine.environment, control.base, control.nodes,
            control.depth, control.margin, engine.cage.nice,
        )
    }).collect();
    insta::assert_snapshot!(facts.join("\n"));
}

#[test]
fn errors_in_engine_defaults() {
    insta::assert_snapshot!(wrong(&format!(
        r#"[engine-defaults]
option = {{ Hash = 16 }}
limits = {{ nodes = 0, max-plies = 100 }}
cage = {{ nice = 30 }}
command = "sh"
{ENGINES}"#
    )));
}

#[test]
fn places_of_what_only_engines_know() {
    let text = format!(
        "[engine-defaults]\noptions = {{ Hash = 16 }}\n{ENGINES}games = [\"push\"]\noptions = {{ Levl = 3 }}\n"
    );
    let source = Source::new(Path::new("league.toml"), text);
    let at = |engine, option, message, help| AtEngine { engine, key: "games", option, message, help };
    let error = source.wrong([
        at("one", Some("Hash"), "engine `one` has no option `Hash`", Some("it has Level, Seed")),
        at("two", Some("Levl"), "engine `two` has no option `Levl`", Some("did you mean `Level`?")),
        at("two", None, "engine `two` does not list the game `push`", None),
        at("one", None, "engine `one` has no option `Game`", None),
    ]);
    insta::assert_snapshot!(error);
}

#[test]
fn one_engine_is_no_tournament() {
    insta::assert_snapshot!(wrong("[[engine]]\nname = \"one\"\ncommand = \"sh\"\n"));
}

/// Its keys are others, and each would be a problem.
#[test]
fn the_record_of_a_run_is_recognised() {
    let record = stored::write(&parse(Games::built_in(), ENGINES, Path::new("configs/league.toml")).unwrap());
    insta::assert_snapshot!(wrong(&record));
    assert!(stored::read(Games::built_in(), &record, Path::new("")).is_ok());
}

#[test]
fn broken_toml() {
    insta::assert_snapshot!(wrong("[tournament\npairs = 2\n"));
}

#[test]
fn a_file_that_is_not_there() {
    let error = load(Games::built_in(), Path::new("no/such/file.toml")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read the configuration `no/such/file.toml`: "), "{error}");
}

#[test]
fn a_program_is_no_tournament_file() {
    let error = load(Games::built_in(), &std::env::current_exe().unwrap()).unwrap_err().to_string();
    assert!(error.contains("not a tournament file") && error.contains("`--engine "), "{error}");
}

#[test]
fn the_schema_knows_every_key() {
    let schema: serde_json::Value = serde_json::from_str(&schema(Games::built_in())).unwrap();
    let text = schema.to_string();
    for key in
        ["pairs", "moves-to-go", "opening-plies", "openings", "environment", "tower-push", "round-robin"]
    {
        assert!(text.contains(&format!("\"{key}\"")), "{key}");
    }
    // Every key says what it is.
    let tables = schema["$defs"].as_object().unwrap().values().chain([&schema]);
    for (key, property) in tables.filter_map(|table| table["properties"].as_object()).flatten() {
        assert!(
            property["description"].is_string() || property["$ref"].is_string(),
            "`{key}` is not described"
        );
    }
}
