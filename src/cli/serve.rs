//! `lopper serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use lopper_collection::ingest::Collection;

use super::args::ServeArgs;
use super::data_folder;
use super::output::Output;
use crate::config::{Config, LISTEN_DEFAULT};
use crate::http::{ServeOptions, Server};

pub(super) fn run(args: &ServeArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = Collection::open_to_write(&data, config.extract)?;
    serve(Arc::new(collection), address(args.listen, config), config)
}

pub(super) fn address(flag: Option<SocketAddr>, config: &Config) -> SocketAddr {
    flag.or(config.listen).unwrap_or(LISTEN_DEFAULT)
}

/// Serves until the process is told to stop. Says where, once it listens.
pub(super) fn serve(collection: Arc<Collection>, address: SocketAddr, config: &Config) -> Result<ExitCode> {
    let options = ServeOptions { listen: address, limits: config.limits, ..ServeOptions::default() };
    let server = Server::bind(collection, options)?;
    writeln!(Output::of("the address"), "\nSearch page: http://{}/  (Ctrl-C stops)", server.address())?;
    server.run()?;
    Ok(ExitCode::SUCCESS)
}
