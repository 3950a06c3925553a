//! Games that a program adds to the list.

use games::push::Push;
use games::{GameId, RegisterError, register};

#[test]
fn an_id_is_registered_once() {
    assert_eq!(register::<Push>(), Err(RegisterError::Twice { id: "push" }));
    assert_eq!(
        register::<Push>().unwrap_err().to_string(),
        "the game `push` is already registered; give the new game another id"
    );
    assert_eq!(GameId::all().iter().filter(|game| game.id() == "push").count(), 1);
}
