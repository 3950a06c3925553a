//! The program `arena`: arguments in, exit code out. A program that plays a game of its own is this:
//!
//! ```no_run
//! # use engine_proto::games::push::Push as Hex;
//! fn main() -> std::process::ExitCode {
//!     engine_proto::register::<Hex>().expect("no other game has its id");
//!     arena::program::main()
//! }
//! ```

use std::io::{self, Write};
use std::process::ExitCode;

use crate::cli::{Cli, Colour, Command};
use crate::error::Error;
use crate::output::WhileRead;
use crate::{check, commands, compare, config, rate, show, simulate, verify};
use anstream::ColorChoice;
use clap::Parser;

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    if let Some(code) = crate::opponent::launch::intercept() {
        return code;
    }
    let cli = Cli::parse();
    match cli.color {
        Colour::Auto => {}
        Colour::Always => ColorChoice::Always.write_global(),
        Colour::Never => ColorChoice::Never.write_global(),
    }
    let executed = execute(cli.command);
    crate::opponent::launch::supervisors::end_all();
    match executed {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads our output has had enough: that is no error.
        Err(Error::Stdio(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let colour = anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never;
            let _ = writeln!(io::stderr(), "{}", error.render(colour));
            ExitCode::from(error.exit_code())
        }
    }
}

fn execute(command: Command) -> Result<(), Error> {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    match command {
        Command::Run(args) => match commands::run::run(&args) {
            Ok(standings) => write!(out, "{standings}")?,
            Err(error) => {
                if let Error::Interrupted { standings, .. } | Error::OpeningsRanOut { standings, .. } = &error
                {
                    write!(out, "{standings}")?;
                }
                return Err(error);
            }
        },
        Command::Rate(args) => rate::run(&args, &mut out)?,
        Command::Compare(args) => compare::run(&args, &mut out)?,
        Command::Simulate(args) => simulate::run(&args, &mut out)?,
        Command::Report(args) => commands::report(&args, &mut out)?,
        Command::Verify(args) => verify::run(&args, &mut WhileRead(&mut out))?,
        Command::Show(args) => show::run(&args, &mut out)?,
        Command::Check(args) => check::run(&args, &mut WhileRead(&mut out))?,
        Command::Games(args) => commands::games(&args, &mut out)?,
        Command::Perft(args) => commands::perft(&args, &mut out)?,
        Command::Probe(args) => commands::probe(&args, io::stdin().lock(), &mut out)?,
        Command::Schema => writeln!(out, "{}", config::schema())?,
        Command::Completions { shell } => out.write_all(&Cli::completions(shell))?,
    }
    out.flush()?;
    Ok(())
}
