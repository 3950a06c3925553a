//! The id of a results folder: workers on other machines know the tournament by it, also after the coordinator was started
//! again.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use super::stored::read_stored;
use super::{ResultsError, TOURNAMENT_ID, io_error};
use host::output::write_whole;
use model::hex;

/// The number of hexadecimal digits.
const DIGITS: usize = 16;

/// The id of the tournament in `folder`. A folder without id gets a new one.
///
/// # Errors
/// If the file cannot be read or written.
pub fn tournament_id(folder: &Path) -> Result<String, ResultsError> {
    let path = folder.join(TOURNAMENT_ID);
    if let Ok(text) = read_stored(&path) {
        let id = text.trim();
        if id.len() == DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(id.to_owned());
        }
    }
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let place = folder.canonicalize().unwrap_or_default();
    let text = format!("{nanos} {} {}", std::process::id(), place.display());
    let mut id = hex(&Sha256::digest(text));
    id.truncate(DIGITS);
    write_whole(&path, |file| writeln!(file, "{id}")).map_err(io_error("write", &path))?;
    Ok(id)
}
