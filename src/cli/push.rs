//! `lopper push`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::DataFolder;
use lopper_collection::push::push;
use lopper_remote::RemoteEngine;

use super::args::DataArgs;
use super::data_folder;
use super::engine::wanted_settings;
use super::output::Output;
use crate::config::Config;

#[derive(Debug, clap::Args)]
pub(super) struct PushArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
}

pub(super) fn run(args: &PushArgs, config: &Config) -> Result<ExitCode> {
    let settings = wanted_settings(config)?;
    let collection = DataFolder::open_to_read(&data_folder(args.data.data.as_ref(), config))?;
    let engine = RemoteEngine::open_or_create(settings)?;
    let mut writer = engine.writer()?;
    let report = push(&collection, &mut writer, &engine, &mut |report| {
        tracing::info!(
            pages = report.pages,
            blocks = report.blocks,
            commits = report.commits,
            "committed to the engine"
        );
    })?;
    writeln!(
        Output::of("what was pushed"),
        "{} pages with {} blocks pushed, {} unchanged, {} deleted, {} documents refused, {} commits",
        report.pages,
        report.blocks,
        report.unchanged,
        report.deleted,
        report.refused,
        report.commits
    )?;
    Ok(if report.refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
