//! `lopper blocks`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use lopper_collection::DataFolder;
use lopper_collection::search::{AllBlocks, SearchEngine};

use super::args::DataArgs;
use super::engine::is_elsewhere;
use super::output::Output;
use super::{data_folder, message};
use crate::config::{Config, REPLAY_URL_DEFAULT};
use crate::export::write_blocks;

#[derive(Debug, clap::Args)]
pub(super) struct BlocksArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Blocks of this host alone
    #[arg(long, value_name = "HOST")]
    pub(super) host: Option<String>,
}

/// Writes all blocks, an object a line. A page that cannot be read is told on standard error, and the others follow.
pub(super) fn run(args: &BlocksArgs, config: &Config) -> Result<ExitCode> {
    if is_elsewhere(config) {
        bail!(
            "an engine's blocks are not listed: say this of the data folder that was pushed, without LOPPER_INDEX_KIND"
        );
    }
    let folder = DataFolder::open_to_read(&data_folder(args.data.data.as_ref(), config))?;
    let engine = SearchEngine::new(Arc::new(folder))?;
    let template = config.serve.replay_url.as_deref().unwrap_or(REPLAY_URL_DEFAULT);
    let mut out = BufWriter::new(Output::of("the blocks"));
    let mut pages = AllBlocks::new(&engine, args.host.as_deref())?;
    let mut code = ExitCode::SUCCESS;
    loop {
        match pages.next_page(&engine) {
            Ok(None) => break,
            Ok(Some(blocks)) => {
                write_blocks(blocks, template, &mut out)?;
            }
            Err(error) => {
                eprintln!("lopper: {}", message(&error.into()));
                code = ExitCode::FAILURE;
            }
        }
    }
    out.flush()?;
    Ok(code)
}
