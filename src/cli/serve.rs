//! `lopper serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use lopper_collection::DataFolder;

use super::args::ServeArgs;
use super::data_folder;
use super::output::Output;
use crate::config::{Config, LISTEN_DEFAULT, ServeConfig};
use crate::http::{ServeOptions, Server};

pub(super) fn run(args: &ServeArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = DataFolder::open_to_write(&data, config.extract)?;
    serve(Arc::new(collection), address(args.listen, config), config)
}

pub(super) fn address(flag: Option<SocketAddr>, config: &Config) -> SocketAddr {
    flag.or(config.listen).unwrap_or(LISTEN_DEFAULT)
}

/// Serves until the process is told to stop. Says where, once it listens.
pub(super) fn serve(collection: Arc<DataFolder>, address: SocketAddr, config: &Config) -> Result<ExitCode> {
    let options = ServeOptions { listen: address, ..options(config) };
    let server = Server::bind(collection, options)?;
    writeln!(Output::of("the address"), "\nSearch page: http://{}/  (Ctrl-C stops)", server.address())?;
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

/// What the settings say of the service, at its default address.
pub(super) fn options(config: &Config) -> ServeOptions {
    let default = ServeOptions::default();
    let ServeConfig { allowed_hosts, query_duration_max_ms, searches_max, searches_waiting_max, replay_url } =
        config.serve.clone();
    ServeOptions {
        allowed_hosts,
        limits: config.limits,
        replay_url: replay_url.unwrap_or(default.replay_url.clone()),
        query_duration_max: query_duration_max_ms
            .map_or(default.query_duration_max, |max| Duration::from_millis(max.get())),
        searches_max: searches_max.map_or(default.searches_max, NonZeroUsize::get),
        searches_waiting_max: searches_waiting_max.unwrap_or(default.searches_waiting_max),
        ..default
    }
}
