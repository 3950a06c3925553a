//! What an engine says of itself, and the commands that prepare it for a match. No I/O here.

use std::collections::BTreeMap;

use engine_proto::proto::{Command, LineError, OptionKind, OptionSpec, Reply, Words, first_word};
use engine_proto::{GameId, fen::shown};

use super::dialect::{Dialect, is_chess};
use model::Protocol;

/// The option for thinking on the opponent's time.
const PONDER: &str = "Ponder";

/// What an engine reports about itself in its greeting.
#[derive(Clone, Debug, Default)]
pub struct Greeting {
    /// The protocol that the configuration names.
    pub asked: Protocol,
    /// The protocol that it answered to.
    pub dialect: Dialect,
    /// Its name.
    pub name: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The edition of the protocol.
    pub protocol: Option<String>,
    /// Its options.
    pub options: Vec<OptionSpec>,
    /// The `option` lines that cannot be read, with the reason.
    pub unreadable: Vec<String>,
    /// The last line that begins with no word of the protocol.
    pub unknown: Option<String>,
}

impl Greeting {
    /// Before the first line of an engine that speaks `protocol`.
    pub fn awaited(protocol: Protocol) -> Self {
        Self { asked: protocol, dialect: Dialect::first(protocol), ..Self::default() }
    }

    /// The option with this name; case does not matter.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Parses a line of the answer to `ugi`. Returns whether it ends the greeting.
    ///
    /// # Errors
    /// If the line is malformed. Nothing in it counts then.
    pub fn hear(&mut self, line: &str) -> Result<bool, LineError> {
        if first_word(line) == "uciok" && self.asked != Protocol::Ugi {
            self.dialect = Dialect::Uci;
            return Ok(true);
        }
        match Reply::parse(line) {
            Ok(Reply::UgiOk) => return Ok(true),
            Ok(Reply::IdName(name)) => self.name = Some(name.to_owned()),
            Ok(Reply::IdAuthor(author)) => self.author = Some(author.to_owned()),
            Ok(Reply::IdVersion(version)) => self.version = Some(version.to_owned()),
            Ok(Reply::IdProtocol(edition)) => self.protocol = Some(edition.to_owned()),
            Ok(Reply::Option(option)) => self.options.push(option),
            Ok(_) => {}
            Err(LineError::Unknown) => self.unknown = Some(line.to_owned()),
            Err(error) => {
                self.unreadable.push(format!("`{}`: {error}", shown(line)));
                return Err(error);
            }
        }
        Ok(false)
    }

    /// Whether the engine has the check option `Ponder`.
    pub fn can_ponder(&self) -> bool {
        self.option(PONDER).is_some_and(|option| matches!(option.kind, OptionKind::Check { .. }))
    }

    /// The commands that prepare the engine for a match: these options, the game if given, and `uginewgame`. `ponders`
    /// says whether engines may think on their opponents' time.
    pub fn preparation(
        &self,
        options: &BTreeMap<String, String>,
        game: Option<GameId>,
        seed: u64,
        ponders: bool,
    ) -> String {
        let is_set = |name: &str| options.keys().any(|option| option.eq_ignore_ascii_case(name));
        let mut commands = String::new();
        for (name, value) in options {
            commands.push_str(&set_option(name, value));
        }
        if let Some(game) = game {
            commands.push_str(&self.choice_of(game, is_set));
        }
        if self.option("LegalMoves").is_some() {
            commands.push_str(&set_option("LegalMoves", "true"));
        }
        if ponders && self.can_ponder() && !is_set(PONDER) {
            commands.push_str(&set_option(PONDER, "true"));
        }
        if !is_set("Seed")
            && let Some(value) = self.option("Seed").and_then(|option| seed_within(option, seed))
        {
            commands.push_str(&set_option("Seed", &value.to_string()));
        }
        commands.push_str("uginewgame\nisready\n");
        commands
    }

    /// The commands that choose the game.
    fn choice_of(&self, game: GameId, is_set: impl Fn(&str) -> bool) -> String {
        let values = match self.dialect {
            Dialect::Ugi => vec![("Game", game.id().to_owned())],
            Dialect::Uci => vec![
                ("UCI_Chess960", (game == GameId::CHESS960).to_string()),
                ("UCI_Variant", if is_chess(game) { "chess" } else { game.id() }.to_owned()),
            ],
        };
        let known = values.into_iter().filter(|(name, _)| self.option(name).is_some() && !is_set(name));
        known.map(|(name, value)| set_option(name, &value)).collect()
    }

    /// The command that names the opponent to an engine that wants to know it: the option `UCI_Opponent` of UCI.
    pub fn naming_of(&self, opponent: &str) -> Option<String> {
        let wants_it = self.dialect == Dialect::Uci && self.option("UCI_Opponent").is_some();
        wants_it.then(|| set_option("UCI_Opponent", &format!("none none computer {opponent}")))
    }

    /// The games that the engine lists: in its option `Game`, or, in UCI, chess and the games of `UCI_Variant`.
    /// `None` if it lists none.
    pub fn games(&self) -> Option<Vec<GameId>> {
        if self.dialect == Dialect::Uci {
            let variants = match self.option("UCI_Variant").map(|option| &option.kind) {
                Some(OptionKind::Combo { choices, .. }) => choices.as_slice(),
                _ => &[],
            };
            let has_chess960 = self.option("UCI_Chess960").is_some();
            let chess = [Some(GameId::CHESS), has_chess960.then_some(GameId::CHESS960)];
            let others = variants.iter().filter_map(|choice| choice.parse().ok());
            return Some(chess.into_iter().flatten().chain(others.filter(|&game| !is_chess(game))).collect());
        }
        match &self.option("Game")?.kind {
            OptionKind::Combo { choices, .. } => {
                Some(choices.iter().filter_map(|choice| choice.parse().ok()).collect())
            }
            _ => None,
        }
    }
}

fn set_option(name: &str, value: &str) -> String {
    format!("{}\n", Command::SetOption { name: Words::new(name), value: Some(value) })
}

/// `seed` limited to the option's range; `None` if the option is not a number.
fn seed_within(option: &OptionSpec, seed: u64) -> Option<i64> {
    let OptionKind::Spin { min, max, .. } = &option.kind else { return None };
    let span = max.checked_sub(*min)?.cast_unsigned().checked_add(1)?;
    min.checked_add_unsigned(seed % span)
}
