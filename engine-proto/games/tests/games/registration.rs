//! Games that a program adds to those of the crate.

use std::sync::Arc;

use games::push::Push;
use games::{AnyGame, AnyPlay, GameId, GameInfo, Games, PlayError, Position, RegisterError};

/// Push under another id.
struct Other(GameInfo);

impl Other {
    fn new(id: &'static str) -> Arc<Self> {
        Arc::new(Self(GameInfo { id, ..*Push::INFO }))
    }
}

impl AnyGame for Other {
    fn info(&self) -> &GameInfo {
        &self.0
    }

    fn play(&self, fen: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        Games::built_in().play(GameId::PUSH, fen)
    }

    fn start(&self, name: &str, seed: u64) -> Result<Box<dyn AnyPlay>, PlayError> {
        Games::built_in().start(GameId::PUSH, name, seed)
    }
}

#[test]
fn an_id_is_in_use_once() {
    let games = Games::built_in();
    let error = games.with::<Push>().unwrap_err();
    assert_eq!(error, RegisterError::Twice { id: "push".to_owned() });
    assert_eq!(error.to_string(), "the game `push` is already registered; give the new game another id");
    let more = games.with_on_request(Other::new("zeta")).unwrap();
    assert!(more.with_on_request(Other::new("zeta")).is_err());
    let error = games.with_on_request(Other::new("Zeta")).unwrap_err();
    assert_eq!(error, RegisterError::BadId { id: "Zeta".to_owned() });
    let error = games.with_on_request(Other::new("a-name-that-is-by-far-too-long-to-use")).unwrap_err();
    assert!(error.to_string().contains("has 37 characters, but at most 31 are possible"), "{error}");
}

#[test]
fn each_value_knows_its_own_games() {
    let one = Games::built_in().with_on_request(Other::new("zeta")).unwrap();
    let two = one.with_on_request(Other::new("alpha")).unwrap();
    let [zeta, alpha] = ["zeta", "alpha"].map(|id| id.parse::<GameId>().unwrap());
    assert!(one.knows(zeta) && !one.knows(alpha) && !Games::built_in().knows(zeta));
    assert_eq!(two.known().skip(5).collect::<Vec<_>>(), [GameId::CHESS, GameId::CHESS960, zeta, alpha]);
    assert_eq!(two.all().collect::<Vec<_>>(), GameId::BUILT_IN);
    assert_eq!(two.startpos(zeta).unwrap().fen(), Push::startpos().to_string());
    assert_eq!(one.startpos(alpha).map(|_| ()).unwrap_err().to_string(), "unknown game `alpha`");
    assert_eq!(one.parse("alpha").unwrap_err().to_string(), "unknown game `alpha`");
    let no_start = two.start(zeta, "nowhere", 1).map(|_| ()).unwrap_err();
    assert_eq!(no_start, PlayError::NoStart { name: "nowhere".to_owned() });
}

#[test]
fn ids_are_names_in_order() {
    for game in GameId::BUILT_IN.iter().chain(GameId::ON_REQUEST) {
        assert_eq!(game.id().parse(), Ok(*game));
    }
    let mut ids = ["beta", "chess", "alpha-2", "push", "alpha"].map(|id| id.parse::<GameId>().unwrap());
    ids.sort_unstable();
    assert_eq!(ids.map(|game| game.to_string()), ["push", "chess", "alpha", "alpha-2", "beta"]);
    for text in ["", "Push", "a--b", "a b", "-a", "a-name-that-is-by-far-too-long-to-use"] {
        assert!(text.parse::<GameId>().is_err(), "{text}");
    }
}
