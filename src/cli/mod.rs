//! The command line.

mod answer;
mod archives;
mod args;
mod backup;
mod backup_place;
mod bench;
mod bench_load;
mod blocks;
mod compact;
mod compare;
mod compare_page;
mod completions;
mod delete;
mod delete_args;
mod demo;
mod elsewhere;
mod engine;
mod eval;
mod eval_args;
mod eval_pruning;
mod eval_retrieval;
mod extract;
mod extract_args;
mod first_page;
#[cfg(unix)]
mod handed;
mod ingest;
mod interrupt;
mod keys;
mod mcp;
mod migrate;
mod output;
mod page_files;
mod page_progress;
mod parse;
mod progress;
mod push;
mod rebuild;
mod repair;
mod report;
mod search;
mod search_args;
mod serve;
mod stats;
mod table;
mod tree;
mod usage;
mod verify;
mod worker;

use std::error::Error;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use args::{Args, BenchCommand, Command, EvalCommand};
use lopper_faults::disk;

use crate::config::{Config, DATA_DEFAULT, FILE_NAME};
use output::printable;
use usage::is_wrong_usage;

/// Runs the program: 0 for success, 1 for failure, 2 for wrong usage, 130 when Ctrl-C stopped it.
pub fn main() -> ExitCode {
    let args = parse::parse();
    match run(args) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let disk = if disk::is_full(error.as_ref()) { " (the disk is full)" } else { "" };
            eprintln!("lopper: {}{disk}", message(&error));
            if is_wrong_usage(&error) { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn run(args: Args) -> Result<ExitCode> {
    let config = settings(args.config.as_deref())?;
    match args.command {
        Command::Demo(args) => demo::run(&args, &config),
        Command::Ingest(args) => ingest::run(&args, &config),
        Command::Search(args) => search::run(&args, &config),
        Command::Extract(args) => extract::run(&args, &config),
        Command::Compare(args) => compare::run(&args, &config),
        Command::Eval(EvalCommand::Extraction(args)) => eval::run(&args, &config),
        Command::Eval(EvalCommand::Pruning(args)) => eval_pruning::run(&args, &config),
        Command::Eval(EvalCommand::Retrieval(args)) => eval_retrieval::run(&args, &config),
        Command::Tree(args) => tree::run(&args, &config),
        Command::Serve(args) => serve::run(&args, &config),
        Command::Mcp(args) => mcp::run(&args, &config),
        Command::Blocks(args) => blocks::run(&args, &config),
        Command::Stats(args) => stats::run(&args, &config),
        Command::Verify(args) => verify::run(&args, &config),
        Command::Delete(args) => delete::run(&args, &config),
        Command::Takedowns(args) => delete::takedowns(&args, &config),
        Command::Compact(args) => compact::run(&args, &config),
        Command::Rebuild(args) => rebuild::run(&args, &config),
        Command::Repair(args) => repair::run(&args, &config),
        Command::Archives(args) => archives::run(&args, &config),
        Command::Bench(BenchCommand::Ingest(args)) => bench::run(&args, &config),
        Command::Bench(BenchCommand::Load(args)) => bench_load::run(&args, &config),
        Command::Backup(command) => backup::run(&command, &config),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => completions::man(&args),
        Command::Keys(command) => keys::run(&command, &config),
        Command::Push(args) => push::run(&args, &config),
        Command::Engine(command) => engine::run(&command, &config),
        Command::Worker(args) => worker::run(&args, &config),
        Command::MergeCounts(args) => worker::merge_counts(&args),
        Command::Migrate(args) => migrate::run(&args, &config),
    }
}

/// What the configuration file says. One that nobody named is told, since it changes what the command does.
fn settings(named: Option<&Path>) -> Result<Config> {
    let found = Config::read(named)?;
    if named.is_none() && found.is_some() {
        eprintln!("lopper: note: settings are taken from {FILE_NAME} in this folder");
    }
    Ok(found.unwrap_or_default())
}

/// Flag or environment, then file, then default.
fn data_folder(flag: Option<&PathBuf>, config: &Config) -> PathBuf {
    flag.or(config.data.as_ref()).cloned().unwrap_or_else(|| DATA_DEFAULT.into())
}

/// The error and its causes on one line; causes that the error already tells are not repeated.
fn message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    let mut source: Option<&(dyn Error + 'static)> = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        source = cause.source();
    }
    printable(message.trim_end())
}

/// The reader of our output went away (`lopper … | head`): nothing is wrong.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io_errors.into_iter().any(|error| error.kind() == ErrorKind::BrokenPipe)
}
