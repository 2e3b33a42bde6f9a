//! `lopper completions` and `lopper man`: what packages bring besides the program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Args;
use super::output::Output;

#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Folder for the pages, one a command; it is made
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "lopper", &mut script);
    Output::of("the script").write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn man(args: &ManArgs) -> Result<ExitCode> {
    let write = || {
        fs::create_dir_all(&args.folder)?;
        clap_mangen::generate_to(Args::command(), &args.folder)
    };
    write().with_context(|| format!("cannot write manual pages to {}", args.folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
