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
    // Many files have the same extension, so it is no likeness.
    let stem = |path: &Path| Some(path.file_stem()?.to_str()?.to_owned());
    let paths: Vec<PathBuf> = fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| wanted(path))
        .collect();
    let stems: Vec<String> = paths.iter().filter_map(|path| stem(path)).collect();
    let meant = closest(&stem(path)?, stems.iter().map(String::as_str))?;
    let meant = paths.iter().find(|path| stem(path).as_deref() == Some(meant))?;
    let name = meant.file_name()?;
    Some(folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name)))
}
