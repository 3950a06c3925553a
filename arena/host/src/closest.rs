//! "Did you mean": finds the known word that is closest to an unknown one.

use std::fs;
use std::path::{Path, PathBuf};

/// The word of `known` that was probably meant.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.75;
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| ALIKE <= *likeness)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// The path in the folder of `path` that was probably meant, among those that are `wanted`.
pub fn closest_path(path: &Path, wanted: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = path.file_name()?.to_str()?;
    let names: Vec<String> = fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| wanted(path))
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    let name = closest(name, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name)))
}
