//! The programs that have the rules of a tournament's games: they are the same at the coordinator and at every worker.

use std::collections::BTreeMap;

use engine_proto::fen::shown;

use model::{BuildFile, Tournament};
use opponent::own_game;

/// The files of all programs, by the id of the game.
pub type Files = BTreeMap<String, Vec<BuildFile>>;

/// The files of the programs that have the rules.
///
/// # Errors
/// If a program does not exist, in words.
pub fn referee_files(tournament: &Tournament) -> Result<Files, String> {
    let programs = tournament.games.iter().filter_map(|game| Some((game.id.id(), game.referee.as_ref()?)));
    programs.map(|(id, program)| Ok((id.to_owned(), own_game::files(id, program)?))).collect()
}

/// How the files at the coordinator and here differ; `None` if they do not.
pub fn difference(theirs: &Files, ours: &Files) -> Option<String> {
    theirs.iter().find_map(|(id, theirs)| {
        let ours = ours.get(id).map_or(&[][..], Vec::as_slice);
        let sha256 = |file: Option<&BuildFile>| file.and_then(|file| file.sha256.clone());
        let in_words = |sha256: Option<String>| sha256.unwrap_or_else(|| "no file".to_owned());
        let differences: Vec<String> = (0..theirs.len().max(ours.len()))
            .filter_map(|idx| {
                let (their, our) = (theirs.get(idx), ours.get(idx));
                let (there, here) = (sha256(their), sha256(our));
                let path = shown(&their.or(our)?.path);
                (there != here).then(|| format!("`{path}` is {} there and {} here", in_words(there), in_words(here)))
            })
            .collect();
        (!differences.is_empty()).then(|| {
            format!(
                "the program with the rules of `{}` differs from the coordinator's: {}; install the same files on both machines, or use `distribute`",
                shown(id),
                differences.join(", ")
            )
        })
    })
}
