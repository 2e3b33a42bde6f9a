//! `lopper serve`.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;

use super::args::ServeArgs;
use super::data_folder;
use crate::config::{Config, LISTEN_DEFAULT};
use crate::ingest::Collection;

pub(super) fn run(args: &ServeArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = Collection::open_to_write(&data, config.extract)?;
    serve(Arc::new(collection), address(args.listen, config))
}

pub(super) fn address(flag: Option<SocketAddr>, config: &Config) -> SocketAddr {
    flag.or(config.listen).unwrap_or(LISTEN_DEFAULT)
}

pub(super) fn serve(_collection: Arc<Collection>, _address: SocketAddr) -> Result<ExitCode> {
    anyhow::bail!("serving comes with the next commit")
}
