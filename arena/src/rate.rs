//! stub
use std::io::Write;
/// stub
#[derive(clap::Args, Clone, Debug)]
pub struct RateArgs {}
/// stub
#[derive(Debug, thiserror::Error)]
#[error("stub")]
pub struct RateError;
/// stub
pub fn run(_args: &RateArgs, _out: &mut dyn Write) -> Result<(), RateError> {
    Ok(())
}
