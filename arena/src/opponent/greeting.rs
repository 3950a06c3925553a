//! What an engine says of itself, and the commands that prepare it for a match. No I/O here.

use std::collections::BTreeMap;

use engine_proto::proto::{Command, LineError, OptionKind, OptionSpec, Reply, Words};
use engine_proto::{GameId, fen::shown};

/// The option for thinking on the opponent's time.
const PONDER: &str = "Ponder";

/// What an engine reports about itself in its greeting.
#[derive(Clone, Debug, Default)]
pub struct Greeting {
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
}

impl Greeting {
    /// The option with this name; case does not matter.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Parses a line of the answer to `ugi`. Returns whether it ends the greeting.
    ///
    /// # Errors
    /// If the line is malformed. Nothing in it counts then.
    pub fn hear(&mut self, line: &str) -> Result<bool, LineError> {
        match Reply::parse(line) {
            Ok(Reply::UgiOk) => return Ok(true),
            Ok(Reply::IdName(name)) => self.name = Some(name.to_owned()),
            Ok(Reply::IdAuthor(author)) => self.author = Some(author.to_owned()),
            Ok(Reply::IdVersion(version)) => self.version = Some(version.to_owned()),
            Ok(Reply::IdProtocol(edition)) => self.protocol = Some(edition.to_owned()),
            Ok(Reply::Option(option)) => self.options.push(option),
            Ok(_) | Err(LineError::Unknown) => {}
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
        if let Some(game) = game
            && self.option("Game").is_some()
        {
            commands.push_str(&set_option("Game", game.id()));
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

    /// The known games in the engine's option `Game`; `None` without this option.
    pub fn games(&self) -> Option<Vec<GameId>> {
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
