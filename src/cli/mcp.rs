//! `lopper mcp`.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use lopper_collection::search::SearchEngine;

use super::args::DataArgs;
use super::data_folder;
use super::engine::{is_elsewhere, open_to_read};
use super::serve::keep_fresh;
use crate::config::Config;
use crate::mcp::{Collections, OneEngine, ReadFolder, Speaker, Tools, serve_stdio};

#[derive(Debug, clap::Args)]
pub(super) struct McpArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
}

pub(super) fn run(args: &McpArgs, config: &Config) -> Result<ExitCode> {
    if is_elsewhere(config) {
        let opened = open_to_read(args.data.data.as_ref(), config)?;
        keep_fresh(&opened.collection);
        return speak(OneEngine(Arc::new(SearchEngine::new(Arc::clone(&opened.collection))?)), config);
    }
    speak(ReadFolder::open(data_folder(args.data.data.as_ref(), config))?, config)
}

fn speak(collections: impl Collections + 'static, config: &Config) -> Result<ExitCode> {
    let tools = Tools::new(Arc::new(collections), config.limits);
    serve_stdio(Speaker::new(Arc::new(tools))).context("the client on standard input and output")?;
    Ok(ExitCode::SUCCESS)
}
