//! Warns if a tournament uses more processors than there are, because engines then lose time without their fault.

use host::machine::usable_cores;
use model::Resources;

/// At most one warning about the tournament's processors.
pub fn warnings(resources: &Resources) -> Vec<String> {
    let concurrency = u32::from(resources.concurrency);
    warning(usable_cores() as u32, resources.cores, concurrency).into_iter().collect()
}

/// The warning for `cores` used of `usable` processors.
fn warning(usable: u32, cores: u32, concurrency: u32) -> Option<String> {
    if cores < concurrency {
        return Some(format!(
            "`concurrency = {concurrency}` needs {concurrency} processors, but the tournament has {cores}, so at most \
             {cores} matches are played at once; if the engines only wait for a network or a device, set \
             `cores = {concurrency}` in `[tournament]`"
        ));
    }
    (usable < cores).then(|| {
        format!(
            "`cores = {cores}` is more than the {usable} processors that the arena may use; engines wait for each other \
             while their clocks run, and may lose on time"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_said_with_the_remedy() {
        let said = |usable, cores, concurrency| warning(usable, cores, concurrency).unwrap_or_default();
        assert_eq!(said(4, 4, 4), "");
        assert_eq!(said(4, 2, 2), "");
        assert!(
            said(4, 4, 5)
                .starts_with("`concurrency = 5` needs 5 processors, but the tournament has 4, so at most 4")
        );
        assert!(said(4, 4, 5).ends_with("`cores = 5` in `[tournament]`"));
        assert!(said(4, 5, 5).starts_with("`cores = 5` is more than the 4 processors"));
    }
}
