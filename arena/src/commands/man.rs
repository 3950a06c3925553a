//! `arena man`: manual pages, made from the same texts as the help.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::exit::{CommandError, Exit};
use host::output::{self, CannotWrite};

const EXAMPLES: &str = "\
Examples:
  arena man run | man -l -                  Read the manual page of `arena run`
  arena man --output ~/.local/share/man/man1
                                            Install all manual pages";

/// Print or write manual pages
///
/// Without --output, prints one page to standard output.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ManArgs {
    /// The command to describe [default: arena itself]
    pub command: Option<String>,
    /// Write all pages to this folder instead
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub output: Option<PathBuf>,
}

/// Prints the page of a command, or writes the pages of `arena` and of all its commands and prints where they are.
///
/// # Errors
/// If there is no such command, and those of the pages and of `out`.
pub fn run(args: &ManArgs, arena: &Command, out: &mut dyn Write) -> Result<(), CommandError> {
    let pages = Page::all(arena);
    if let Some(folder) = &args.output {
        return write_all(&pages, folder, out);
    }
    let wanted = args.command.as_deref().map_or_else(|| "arena".to_owned(), |name| format!("arena-{name}"));
    let Some(page) = pages.iter().find(|page| page.name == wanted) else {
        let name = args.command.as_deref().unwrap_or_default();
        let known: Vec<&str> = arena.get_subcommands().map(Command::get_name).collect();
        return Err(CommandError::usage(format!(
            "no command `{name}`; the commands are {}",
            known.join(", ")
        )));
    };
    Ok(page.write(out)?)
}

fn write_all(pages: &[Page], folder: &Path, out: &mut dyn Write) -> Result<(), CommandError> {
    std::fs::create_dir_all(folder).map_err(CannotWrite::at(folder))?;
    for page in pages {
        let path = folder.join(format!("{}.1", page.name));
        output::write_whole(&path, |file| page.write(file)).map_err(CannotWrite::at(&path))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

/// The manual page of `arena` or of one of its commands.
struct Page {
    name: String,
    command: Command,
    /// The lines of the examples.
    examples: Vec<String>,
}

impl Page {
    fn all(arena: &Command) -> Vec<Self> {
        let mut arena = arena.clone().disable_help_subcommand(true);
        // Arguments that all commands take reach the commands when all is built.
        arena.build();
        let commands: Vec<Self> = arena
            .get_subcommands()
            .map(|command| Self::new(format!("arena-{}", command.get_name()), command.clone()))
            .collect();
        [Self::new("arena".to_owned(), arena)].into_iter().chain(commands).collect()
    }

    fn new(name: String, command: Command) -> Self {
        let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        let examples = text
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1)
            .take_while(|line| !line.is_empty())
            .map(ToOwned::to_owned)
            .collect();
        // An option that the short help hides would have no text.
        let command = command.after_long_help(None).mut_args(|arg| arg.hide_short_help(false));
        Self { name, command, examples }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut page = Vec::new();
        let man = Man::new(self.command.clone());
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
        if self.command.has_subcommands() {
            man.render_subcommands_section(&mut page)?;
        }
        let mut rest = Roff::new();
        if !self.examples.is_empty() {
            rest.control("SH", ["EXAMPLES"]);
            rest.control("nf", []);
            for line in &self.examples {
                rest.text([roman(line)]);
            }
            rest.control("fi", []);
        }
        rest.control("SH", ["EXIT STATUS"]);
        for (code, meaning) in Exit::table() {
            rest.control("TP", []);
            rest.text([bold(code.to_string())]);
            rest.text([roman(meaning)]);
        }
        rest.to_writer(&mut page)?;
        out.write_all(&page)
    }
}
