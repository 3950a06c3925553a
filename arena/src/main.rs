//! Arguments in, exit code out.

use std::io::{self, Write};
use std::process::ExitCode;

use anstream::ColorChoice;
use arena::cli::{Cli, Colour, Command};
use arena::error::Error;
use arena::output::WhileRead;
use arena::{check, commands, compare, config, rate, show, simulate, verify};
use clap::Parser;

fn main() -> ExitCode {
    if let Some(code) = arena::opponent::launch::intercept() {
        return code;
    }
    let cli = Cli::parse();
    match cli.color {
        Colour::Auto => {}
        Colour::Always => ColorChoice::Always.write_global(),
        Colour::Never => ColorChoice::Never.write_global(),
    }
    let executed = execute(cli.command);
    arena::opponent::launch::supervisors::end_all();
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
