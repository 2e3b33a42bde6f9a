//! How the server runs.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use lopper_content::limits::Limits;

use super::{CollectionSettings, TlsFiles};
use crate::allowance::Allowance;
use crate::config::{
    ARCHIVE_BYTES_PER_SECOND_MIN_DEFAULT, ARCHIVES_ARRIVING_MAX_DEFAULT, COLLECTIONS_IDLE_MAX_DEFAULT,
    COLLECTIONS_OPEN_MAX_DEFAULT, LISTEN_DEFAULT, QUERY_DURATION_MAX_DEFAULT, REPLAY_URL_DEFAULT,
    SEARCHES_WAITING_MAX_DEFAULT,
};
use crate::origin::Origin;
use crate::url_prefix::UrlPrefix;

/// Options of a [`Server`](super::Server).
#[derive(Debug, Clone, PartialEq)]
pub struct ServeOptions {
    /// Where to listen. Port 0 takes a free one. Default [`LISTEN_DEFAULT`].
    pub listen: SocketAddr,
    /// Names by which requests may call the server, besides its addresses and `localhost`. Default: none.
    pub allowed_hosts: Vec<String>,
    /// Origins of other sites whose pages may read answers. Default: none.
    pub allowed_origins: Vec<Origin>,
    /// Whether whoever reaches the address is served without a key. Default: only on the loopback address.
    pub open_to_all: bool,
    /// What each caller may ask for: who has a key, besides what that says, and without keys each address. Default: all.
    pub per_caller: Allowance,
    /// Proxies whose word is taken for who asked (`X-Forwarded-For`). Default: none.
    pub proxies: Vec<IpAddr>,
    /// Certificate and key, for TLS. Default: none, and no TLS.
    pub tls: Option<TlsFiles>,
    /// The folder with the keys. Default: the data folder.
    pub keys: Option<PathBuf>,
    /// Threads that read requests. Default: all cores.
    pub threads: usize,
    /// Searches, and other requests that read the collection, that work at the same time. Default: all cores.
    pub searches_max: usize,
    /// Such requests that wait; more are refused. Default [`SEARCHES_WAITING_MAX_DEFAULT`].
    pub searches_waiting_max: usize,
    /// Time that a search has once it works; then it answers with what it has. Default [`QUERY_DURATION_MAX_DEFAULT`].
    pub query_duration_max: Duration,
    /// Bytes of the body of a `POST /v1/pages`. Default 16 MiB.
    pub upload_bytes_max: usize,
    /// Pages that were received and are worked on at the same time; and how many bodies of the largest have room while they arrive. Default 16.
    pub uploads_max: usize,
    /// Time that a body may take to arrive. Default 60 s.
    pub upload_duration_max: Duration,
    /// Bytes of an archive that is sent to the service. Default 16 GiB.
    pub archive_bytes_max: u64,
    /// Bytes a second that an archive must arrive with, in the mean of each `upload_duration_max`. Default
    /// [`ARCHIVE_BYTES_PER_SECOND_MIN_DEFAULT`].
    pub archive_bytes_per_second_min: u64,
    /// Archives that arrive at the same time; more are refused. Default [`ARCHIVES_ARRIVING_MAX_DEFAULT`].
    pub archives_arriving_max: usize,
    /// Further collections, by their names.
    pub collections: BTreeMap<String, CollectionSettings>,
    /// Further collections that are open at the same time. Default 4.
    pub collections_open_max: usize,
    /// Time after which a further collection is closed that nobody asks for. Default 5 minutes.
    pub collections_idle_max: Duration,
    /// Folders whose archives may be taken in by their path. Default: none.
    pub archive_folders: Vec<PathBuf>,
    /// Beginnings of URLs whose archives may be taken in. Default: none.
    pub archive_urls: Vec<UrlPrefix>,
    /// Where a replay shows captures, with `{timestamp}` and `{url}`. Default [`REPLAY_URL_DEFAULT`].
    pub replay_url: String,
    /// Limits on pages that are taken in.
    pub limits: Limits,
}

impl Default for ServeOptions {
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            listen: LISTEN_DEFAULT,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            open_to_all: false,
            per_caller: Allowance::default(),
            proxies: Vec::new(),
            tls: None,
            keys: None,
            threads: cores,
            searches_max: cores,
            searches_waiting_max: SEARCHES_WAITING_MAX_DEFAULT,
            query_duration_max: QUERY_DURATION_MAX_DEFAULT,
            upload_bytes_max: 16 << 20,
            uploads_max: 16,
            upload_duration_max: Duration::from_mins(1),
            archive_bytes_max: 16 << 30,
            archive_bytes_per_second_min: ARCHIVE_BYTES_PER_SECOND_MIN_DEFAULT,
            archives_arriving_max: ARCHIVES_ARRIVING_MAX_DEFAULT,
            collections: BTreeMap::new(),
            collections_open_max: COLLECTIONS_OPEN_MAX_DEFAULT,
            collections_idle_max: COLLECTIONS_IDLE_MAX_DEFAULT,
            archive_folders: Vec::new(),
            archive_urls: Vec::new(),
            replay_url: REPLAY_URL_DEFAULT.to_owned(),
            limits: Limits::default(),
        }
    }
}
