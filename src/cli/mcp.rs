//! `lopper mcp`.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::args::DataArgs;
use super::data_folder;
use crate::config::Config;
use crate::mcp::{ReadFolder, Speaker, Tools, serve_stdio};

#[derive(Debug, clap::Args)]
pub(super) struct McpArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
}

pub(super) fn run(args: &McpArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let tools = Tools::new(Arc::new(ReadFolder::open(data)?), config.limits);
    serve_stdio(Speaker::new(Arc::new(tools))).context("the client on standard input and output")?;
    Ok(ExitCode::SUCCESS)
}
