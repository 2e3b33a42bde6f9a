//! `lopper serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use lopper_collection::{CollectionError, DataFolder};

use super::args::DataArgs;
use super::data_folder;
use super::engine::{is_elsewhere, open_to_read};
use super::output::Output;
use crate::config::{CollectionConfig, Config, LISTEN_DEFAULT, ServeConfig, TlsConfig};
use crate::http::{CollectionSettings, ServeOptions, Server, TlsFiles};
use crate::priority::starting_behind;

/// Time between two looks into an engine for a newer commit.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Address to listen at, or a port of the loopback address [default: 127.0.0.1:7700]
    #[arg(long, env = "LOPPER_LISTEN", value_name = "ADDR", value_parser = crate::config::listen_address)]
    pub(super) listen: Option<SocketAddr>,
    /// Serve whoever reaches the address, without keys
    #[arg(long, env = "LOPPER_OPEN_TO_ALL")]
    pub(super) open_to_all: bool,
    /// Speak TLS with this certificate and those that lead to a known one (PEM); read anew when the file changes
    #[arg(long, env = "LOPPER_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub(super) tls_cert: Option<PathBuf>,
    /// The key of the certificate (PEM)
    #[arg(long, env = "LOPPER_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub(super) tls_key: Option<PathBuf>,
}

pub(super) fn run(args: &ServeArgs, config: &Config) -> Result<ExitCode> {
    let options = options(config);
    let tls = args.tls_cert.clone().zip(args.tls_key.clone());
    let options = ServeOptions {
        open_to_all: args.open_to_all || config.serve.open_to_all,
        listen: address(args.listen, config),
        tls: tls.map(|(certificate, key)| TlsFiles { certificate, key }).or(options.tls.clone()),
        ..options
    };
    if is_elsewhere(config) {
        let opened = open_to_read(args.data.data.as_ref(), config)?;
        let options = ServeOptions { keys: Some(data_folder(args.data.data.as_ref(), config)), ..options };
        keep_fresh(&opened.collection);
        return start(Arc::clone(&opened.collection), options);
    }
    let data = data_folder(args.data.data.as_ref(), config);
    if !data.exists() {
        // Before the folder is made: a port that is taken should leave nothing behind.
        Server::can_bind(options.listen)?;
        let data = data.display();
        eprintln!(
            "lopper: note: there was no data in {data}: an empty collection is made, which `lopper ingest --data {data} PATH` fills"
        );
    }
    match starting_behind(|| DataFolder::open_to_write(&data, config.extract)) {
        Err(CollectionError::Store(error)) if error.is_not_writable() => read_only(&data, options),
        opened => start(Arc::new(opened?), options),
    }
}

/// Serves a folder that this user may not write in, as it is now.
fn read_only(data: &Path, options: ServeOptions) -> Result<ExitCode> {
    let collection = Arc::new(DataFolder::open_to_read(data)?);
    let told =
        "may only be read: no page is added or deleted, and what others write there is seen after the next start";
    writeln!(Output::of("the state"), "{} {told}", data.display())?;
    start(collection, options)
}

/// Looks now and then for what was pushed meanwhile. An engine that does not answer is asked again later; requests tell of it.
pub(super) fn keep_fresh(collection: &Arc<DataFolder>) {
    let watched = Arc::downgrade(collection);
    std::thread::spawn(move || {
        while let Some(collection) = watched.upgrade() {
            if let Err(error) = collection.refresh() {
                tracing::warn!(%error, "the newest commit cannot be read");
            }
            drop(collection);
            std::thread::sleep(REFRESH_INTERVAL);
        }
    });
}

pub(super) fn address(flag: Option<SocketAddr>, config: &Config) -> SocketAddr {
    flag.or(config.listen).unwrap_or(LISTEN_DEFAULT)
}

/// Serves until the process is told to stop. Says where, once it listens.
pub(super) fn serve(collection: Arc<DataFolder>, address: SocketAddr, config: &Config) -> Result<ExitCode> {
    start(collection, ServeOptions { listen: address, ..options(config) })
}

fn start(collection: Arc<DataFolder>, options: ServeOptions) -> Result<ExitCode> {
    let server = Server::bind(collection, options)?;
    writeln!(Output::of("the address"), "\nSearch page: {}  (Ctrl-C stops)", server.url())?;
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

fn collection(own: &CollectionConfig) -> CollectionSettings {
    CollectionSettings { data: own.data.clone(), extract: own.extract, weights: own.weights.clone() }
}

/// What the settings say of the service, at its default address.
pub(super) fn options(config: &Config) -> ServeOptions {
    let default = ServeOptions::default();
    let ServeConfig {
        allowed_hosts,
        allowed_origins,
        archive_folders,
        archive_urls,
        archive_bytes_per_second_min,
        archives_arriving_max,
        collections_open_max,
        collections_idle_seconds,
        query_duration_max_ms,
        searches_max,
        searches_waiting_max,
        replay_url,
        open_to_all,
        per_caller,
        proxies,
        tls,
    } = config.serve.clone();
    ServeOptions {
        allowed_hosts,
        allowed_origins,
        archive_folders,
        archive_urls,
        archive_bytes_per_second_min: archive_bytes_per_second_min.unwrap_or(default.archive_bytes_per_second_min),
        archives_arriving_max: archives_arriving_max.map_or(default.archives_arriving_max, NonZeroUsize::get),
        collections: config.collections.iter().map(|(name, own)| (name.clone(), collection(own))).collect(),
        collections_open_max: collections_open_max.map_or(default.collections_open_max, NonZeroUsize::get),
        collections_idle_max: collections_idle_seconds.map_or(default.collections_idle_max, Duration::from_secs),
        limits: config.limits,
        open_to_all,
        per_caller,
        proxies,
        tls: tls.map(|TlsConfig { certificate, key }| TlsFiles { certificate, key }),
        replay_url: replay_url.unwrap_or(default.replay_url.clone()),
        query_duration_max: query_duration_max_ms
            .map_or(default.query_duration_max, |max| Duration::from_millis(max.get())),
        searches_max: searches_max.map_or(default.searches_max, NonZeroUsize::get),
        searches_waiting_max: searches_waiting_max.unwrap_or(default.searches_waiting_max),
        ..default
    }
}
