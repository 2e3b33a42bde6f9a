//! Listening and running.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use actix_cors::Cors;
use actix_web::http::header;
use actix_web::middleware::{Compress, Condition, from_fn};
use actix_web::rt::System;
use actix_web::{App, HttpServer, web};
use lopper_collection::DataFolder;
use lopper_collection::search::SearchError;

use super::ServeOptions;
use super::access::KeyRing;
use super::collections::{Collections, DEFAULT, is_name, select};
use super::state::State;
use super::{TlsError, TlsFiles, access, headers, job_run, limits, origin, request_log, routes};
use crate::keys::KeysError;
use crate::origin::Origin;

/// Threads for what is neither a search nor a page being taken in: deletions, lists.
const SPARE_THREADS: usize = 4;

/// Time that running requests have when the server is told to stop.
const SHUTDOWN_SECONDS: u64 = 5;

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Another program listens there.
    #[error("{address} is in use: stop the program that listens there, or choose another port with `--listen`")]
    AddressInUse {
        /// The address wanted.
        address: SocketAddr,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address wanted.
        address: SocketAddr,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// Others can reach the address, and there is no key.
    #[error(
        "{address} can be reached from other machines, and there are no keys: make one with `lopper keys add NAME`, \
         or say `--open-to-all` to let whoever reaches it read, add and delete"
    )]
    NoKeys {
        /// The address wanted.
        address: SocketAddr,
    },
    /// A collection of the settings cannot be called so.
    #[error(
        "no collection can be called `{name}`: a name has up to 64 letters a to z, digits, `-` and `_`, begins with a \
         letter or digit, and is not `default`, which is the one of `data`"
    )]
    CollectionName {
        /// The name.
        name: String,
    },
    /// A folder of the settings is not there.
    #[error("`archive_folders` in [serve] names {}, which is no folder", folder.display())]
    ArchiveFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// TLS was asked for and cannot be spoken.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The keys cannot be read.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The index cannot be read.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The server stopped by itself.
    #[error("the server at {address} failed")]
    Run {
        /// Where it listened.
        address: SocketAddr,
        /// Cause.
        #[source]
        source: io::Error,
    },
}

/// A server that listens already. Connections wait until it [runs](Self::run).
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    state: web::Data<State>,
    tls: Option<rustls::ServerConfig>,
}

impl Server {
    /// Listens for requests to `collection`. Pages can be posted when it was opened for writing.
    ///
    /// # Errors
    ///
    /// [`ServeError::NoKeys`], [`ServeError::AddressInUse`], [`ServeError::Listen`], [`ServeError::Tls`], [`ServeError::Search`].
    pub fn bind(collection: Arc<DataFolder>, options: ServeOptions) -> Result<Self, ServeError> {
        let wanted = options.listen;
        let other = options.collections.keys().find(|name| !is_name(name) || *name == DEFAULT);
        if let Some(name) = other {
            return Err(ServeError::CollectionName { name: name.clone() });
        }
        if let Some(folder) = options.archive_folders.iter().find(|folder| !folder.is_dir()) {
            return Err(ServeError::ArchiveFolder { folder: folder.clone() });
        }
        let tls = options.tls.as_ref().map(TlsFiles::config).transpose()?;
        let is_closed = !wanted.ip().is_loopback() && !options.open_to_all;
        let folder = options.keys.clone().unwrap_or_else(|| collection.store().data().to_owned());
        let keys = KeyRing::new(folder, is_closed)?;
        if is_closed && keys.keys()?.keys.is_empty() {
            return Err(ServeError::NoKeys { address: wanted });
        }
        let state = web::Data::new(State::new(collection, options, keys)?);
        let listener = TcpListener::bind(wanted).map_err(|source| listen_error(wanted, source))?;
        let address = listener.local_addr().map_err(|source| listen_error(wanted, source))?;
        Ok(Self { listener, address, state, tls })
    }

    /// Whether a server can listen at `address` now.
    ///
    /// # Errors
    ///
    /// As [`bind`](Self::bind) has them of the address.
    pub(crate) fn can_bind(address: SocketAddr) -> Result<(), ServeError> {
        TcpListener::bind(address).map(drop).map_err(|source| listen_error(address, source))
    }

    /// Where it listens, with the port that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address for a browser.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}/", self.address)
    }

    /// Answers requests until the process is told to stop (SIGINT, SIGTERM); requests that are running get an answer.
    ///
    /// # Errors
    ///
    /// [`ServeError::Run`].
    pub fn run(self) -> Result<(), ServeError> {
        let Self { listener, address, state, tls } = self;
        let ServeOptions { threads, searches_max, uploads_max, allowed_origins, .. } = state.options().clone();
        // Each reading thread has workers of its own, and all that work may fall to one: none shall wait for a thread.
        let workers = searches_max + uploads_max + SPARE_THREADS;
        let jobs = state.jobs().clone();
        job_run::go_on(&state);
        let collections = Collections::new(state.clone());
        let served = web::Data::from(Arc::clone(&collections));
        let _handover = state.collection().is_writable().then(|| super::handover::Handover::listen(&state));
        let app = move || {
            App::new()
                .app_data(state.clone())
                .app_data(served.clone())
                .wrap(from_fn(select))
                .wrap(from_fn(limits::check))
                .wrap(from_fn(access::check))
                .wrap(from_fn(origin::check))
                .wrap(Condition::new(!allowed_origins.is_empty(), readable_by(&allowed_origins)))
                .wrap(headers::security())
                .wrap(Compress::default())
                .wrap(from_fn(request_log::log))
                .configure(routes::configure)
        };
        let run = async move {
            let server = HttpServer::new(app).workers(threads.max(1)).worker_max_blocking_threads(workers);
            // Whoever closes the connection waits for nothing: the request's work ends.
            let server = server.h1_allow_half_closed(false);
            let server = server.shutdown_timeout(SHUTDOWN_SECONDS);
            let server = match tls {
                None => server.listen(listener)?,
                Some(config) => server.listen_rustls_0_23(listener, config)?,
            };
            server.run().await
        };
        let ended = System::new().block_on(run).map_err(|source| ServeError::Run { address, source });
        jobs.stop();
        collections.stop();
        ended
    }
}

/// [Binds](Server::bind) and [runs](Server::run).
///
/// # Errors
///
/// [`ServeError`].
pub fn serve(collection: Arc<DataFolder>, options: ServeOptions) -> Result<(), ServeError> {
    Server::bind(collection, options)?.run()
}

/// Lets pages of the given origins read answers, also with a key.
fn readable_by(origins: &[Origin]) -> Cors {
    /// Seconds for which a browser need not ask again.
    const REMEMBERED_SECONDS: usize = 600;
    let cors = Cors::default()
        .allowed_methods(["GET", "HEAD"])
        .allowed_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG, header::RETRY_AFTER])
        .max_age(REMEMBERED_SECONDS);
    origins.iter().fold(cors, |cors, origin| cors.allowed_origin(origin.as_str()))
}

fn listen_error(address: SocketAddr, source: io::Error) -> ServeError {
    match source.kind() {
        io::ErrorKind::AddrInUse => ServeError::AddressInUse { address },
        _ => ServeError::Listen { address, source },
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::io::Write;
    use std::net::TcpStream;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use std::thread;
    use std::time::{Duration, Instant};

    use lopper_content::pipeline::ExtractParams;

    use super::*;

    fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
        let started = Instant::now();
        while !holds() {
            assert!(started.elapsed() < Duration::from_secs(30), "{what}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Dropping the request's future is what ends its search.
    #[test]
    fn a_client_that_goes_away_takes_its_request_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let collection = DataFolder::open_to_write(folder.path(), ExtractParams::default()).unwrap();
        let options =
            ServeOptions { listen: "127.0.0.1:0".parse().unwrap(), searches_max: 1, ..ServeOptions::default() };
        let server = Server::bind(Arc::new(collection), options).unwrap();
        let (state, address) = (server.state.clone().into_inner(), server.address());
        thread::spawn(move || server.run());
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(Ok(_place)) = pin!(state.searches().enter()).poll(&mut context) else { panic!("no place") };
        let mut client = TcpStream::connect(address).unwrap();
        client.write_all(b"GET /v1/search?q=mills HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        wait_until("it waits", || state.searches_waiting() == 1);
        thread::sleep(Duration::from_millis(50));
        assert_eq!(state.searches_waiting(), 1, "as long as the client does");
        drop(client);
        wait_until("it went with its client", || state.searches_waiting() == 0);
    }
}
