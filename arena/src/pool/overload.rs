//! Warns if a tournament uses more processors than there are, because engines then lose time without their fault.

use crate::machine::usable_cores;
use crate::tournament::Resources;

/// At most one warning about the tournament's processors.
pub fn warnings(resources: &Resources) -> Vec<String> {
    let concurrency = u32::from(resources.concurrency);
    warning(usable_cores() as u32, resources.cores, concurrency).into_iter().collect()
}

/// The warning for `cores` used of `usable` processors.
fn warning(usable: u32, cores: u32, concurrency: u32) -> Option<String> {
    if cores < concurrency {
        return Some(format!(
            "{concurrency} matches at once take {concurrency} processors, and the tournament has {cores}: no more than \
             {cores} are played at once; engines that only wait for others, or a network, may share processors: \
             `cores = {concurrency}` in `[tournament]`"
        ));
    }
    (usable < cores).then(|| {
        format!(
            "`cores = {cores}` on {usable} processors: engines wait for each other on their own clocks, and may lose on \
             time for it"
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
                .starts_with("5 matches at once take 5 processors, and the tournament has 4: no more than 4")
        );
        assert!(said(4, 4, 5).ends_with("`cores = 5` in `[tournament]`"));
        assert!(said(4, 5, 5).starts_with("`cores = 5` on 4 processors"));
    }
}
