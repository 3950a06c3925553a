//! "Did you mean": finds the known word that is closest to an unknown one.

use std::fs;
use std::path::{Path, PathBuf};

/// The word of `known` that was probably meant.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.75;
    // Swapped letters of a short word, as in `odl`, are no likeness to it.
    let is_slip = |candidate| 2 < word.len() && strsim::damerau_levenshtein(word, candidate) == 1;
    let likeness =
        |candidate| strsim::jaro_winkler(word, candidate).max(if is_slip(candidate) { ALIKE } else { 0.0 });
    known
        .into_iter()
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| ALIKE <= *likeness)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// The path that was probably meant by a path that does not exist, for the end of a message; empty if there is none.
pub fn path_meant(path: &Path) -> String {
    let meant = if path.exists() { None } else { closest_path(path, |_| true) };
    meant.map_or_else(String::new, |meant| format!(" (did you mean `{}`?)", meant.display()))
}

/// The path in the folder of `path` that was probably meant, among those that are `wanted`. If there is no such folder, the
/// folder that was probably meant is searched. A path in `results` is meant without this folder, too.
pub fn closest_path(path: &Path, wanted: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let in_results = Path::new("results").join(path);
    if in_results.exists() && wanted(&in_results) {
        return Some(in_results);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.exists()) {
        let meant = closest_path(folder, Path::is_dir)?.join(path.file_name()?);
        return if meant.exists() {
            Some(meant).filter(|meant| wanted(meant))
        } else {
            closest_path(&meant, wanted)
        };
    }
    // Many files have the same extension, so it is no likeness.
    let stem = |path: &Path| Some(path.file_stem()?.to_str()?.to_owned());
    let paths: Vec<PathBuf> = fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| wanted(path))
        .collect();
    let stems: Vec<String> = paths.iter().filter_map(|path| stem(path)).collect();
    let meant = closest(&stem(path)?, stems.iter().map(String::as_str))?;
    let wanted_name = path.file_name()?.to_str()?;
    let alike = paths.iter().filter(|path| stem(path).as_deref() == Some(meant));
    let likeness = |name: &&str| strsim::jaro_winkler(wanted_name, name);
    let names = alike.filter_map(|path| path.file_name()?.to_str());
    let name = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    Some(folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_with_mistakes_in_several_of_its_parts() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("results/reference")).unwrap();
        fs::write(at("results/reference/matches.csv"), "").unwrap();
        for name in ["quick", "quick.1", "quick.2"] {
            fs::create_dir(at("results").join(name)).unwrap();
        }
        for (path, meant) in [
            ("results/referense", Some("results/reference")),
            ("reslts/reference", Some("results/reference")),
            ("reslts/refrence", Some("results/reference")),
            ("reslts/refrence/matchs.csv", Some("results/reference/matches.csv")),
            ("results/quik", Some("results/quick")),
            ("results/qick.2", Some("results/quick.2")),
            ("results/xyz", None),
            ("xyz/reference", None),
        ] {
            let said = meant.map(|meant| format!(" (did you mean `{}`?)", at(meant).display()));
            assert_eq!(path_meant(&at(path)), said.unwrap_or_default(), "{path}");
        }
        assert_eq!(path_meant(&at("results")), "");
    }
}
