//! `arena completions`: the completion script for a shell.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  arena completions bash > ~/.local/share/bash-completion/completions/arena
  arena completions fish > ~/.config/fish/completions/arena.fish";

/// Print the completion script for a shell
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Prints the script that completes the arguments of `arena`.
///
/// # Errors
/// Those of `out`.
pub fn run(args: &CompletionsArgs, mut arena: Command, out: &mut dyn Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut arena, "arena", &mut script);
    out.write_all(&script)
}
