//! Settings: command line before environment before `lopper.toml` before default.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lopper_collection::ingest::Bodies;
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use serde::{Deserialize, Deserializer};

use crate::allowance::Allowance;
use crate::origin::Origin;
use crate::url_prefix::UrlPrefix;

/// The file that is read from the working folder when none is named.
pub(crate) const FILE_NAME: &str = "lopper.toml";

/// Default data folder.
pub(crate) const DATA_DEFAULT: &str = "./lopper-data";

/// Default address of the HTTP service.
pub const LISTEN_DEFAULT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7700);

/// Time that a search over HTTP has.
pub const QUERY_DURATION_MAX_DEFAULT: Duration = Duration::from_secs(2);

/// The Internet Archive's replay.
pub const REPLAY_URL_DEFAULT: &str = "https://web.archive.org/web/{timestamp}/{url}";

/// Archives that arrive over HTTP at the same time, unless told otherwise.
pub const ARCHIVES_ARRIVING_MAX_DEFAULT: usize = 4;

/// Bytes a second that an archive which is sent must come with by default.
pub const ARCHIVE_BYTES_PER_SECOND_MIN_DEFAULT: u64 = 16 << 10;

/// Further collections of the HTTP service that are open at the same time.
pub(crate) const COLLECTIONS_OPEN_MAX_DEFAULT: usize = 4;

/// Time after which such a collection is closed that nobody asks for.
pub(crate) const COLLECTIONS_IDLE_MAX_DEFAULT: Duration = Duration::from_mins(5);

/// What the names of indexes in an engine begin with.
pub(crate) const INDEX_NAME_DEFAULT: &str = "lopper";

/// Searches over HTTP that wait for others.
pub const SEARCHES_WAITING_MAX_DEFAULT: usize = 256;

/// What a configuration file can hold. Unknown keys are refused.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// Data folder.
    pub(crate) data: Option<PathBuf>,
    /// Address of the HTTP service, in any form that [`listen_address`] takes.
    #[serde(deserialize_with = "listen_setting")]
    pub(crate) listen: Option<SocketAddr>,
    /// Threads of an ingest.
    pub(crate) threads: Option<NonZeroUsize>,
    /// What an ingest keeps of pages' HTML.
    pub(crate) bodies: Option<Bodies>,
    /// How an ingest commits.
    pub(crate) ingest: IngestConfig,
    /// Which engine holds the blocks.
    pub(crate) index: IndexConfig,
    /// What requests to the HTTP service may take.
    pub(crate) serve: ServeConfig,
    /// Further collections of the HTTP service, by their names.
    pub(crate) collections: BTreeMap<String, CollectionConfig>,
    /// Limits on records and pages.
    pub(crate) limits: Limits,
    /// Parameters of the extraction.
    pub(crate) extract: ExtractParams,
}

/// How an ingest commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct IngestConfig {
    /// Records between two commits; default 2000.
    pub(crate) batch_records: Option<NonZeroU64>,
}

/// Which engine holds the blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct IndexConfig {
    /// `embedded` by default: the one inside.
    pub(crate) kind: IndexKind,
    /// Address of another one.
    pub(crate) url: Option<String>,
    /// What the names of the collection's indexes begin with; default [`INDEX_NAME_DEFAULT`].
    pub(crate) name: Option<String>,
    /// Which of its generations; default `1`.
    pub(crate) generation: Option<String>,
    /// Whether an engine of another kind or version is used all the same.
    pub(crate) force: bool,
}

/// Kinds of engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IndexKind {
    /// The one inside, in the data folder.
    #[default]
    Embedded,
    /// Quickwit.
    Quickwit,
    /// Elasticsearch or OpenSearch.
    Elasticsearch,
}

/// A collection of the HTTP service besides the first one.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CollectionConfig {
    /// Data folder; default `collections/NAME` in that of the first one.
    pub(crate) data: Option<PathBuf>,
    /// Parameters of the extraction.
    pub(crate) extract: ExtractParams,
    /// Weights of the ranking, a file.
    pub(crate) weights: Option<PathBuf>,
}

/// What requests to the HTTP service may take.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ServeConfig {
    /// Names by which requests may call the server, besides its addresses and `localhost`.
    #[serde(deserialize_with = "host_names")]
    pub(crate) allowed_hosts: Vec<String>,
    /// Origins of other sites whose pages may read answers; default none.
    pub(crate) allowed_origins: Vec<Origin>,
    /// Whether whoever reaches the address is served without a key; default no, except on the loopback address.
    pub(crate) open_to_all: bool,
    /// What each caller may ask for; default all.
    pub(crate) per_caller: Allowance,
    /// Addresses of proxies whose `X-Forwarded-For` is believed; default none.
    pub(crate) proxies: Vec<IpAddr>,
    /// Certificate and key, for TLS; default none.
    pub(crate) tls: Option<TlsConfig>,
    /// Milliseconds that a search has; default [`QUERY_DURATION_MAX_DEFAULT`].
    pub(crate) query_duration_max_ms: Option<NonZeroU64>,
    /// Searches at the same time; default all cores.
    pub(crate) searches_max: Option<NonZeroUsize>,
    /// Further collections that are open at the same time; default [`COLLECTIONS_OPEN_MAX_DEFAULT`].
    pub(crate) collections_open_max: Option<NonZeroUsize>,
    /// Seconds after which one is closed that nobody asks for; default [`COLLECTIONS_IDLE_MAX_DEFAULT`].
    pub(crate) collections_idle_seconds: Option<u64>,
    /// Folders whose archives may be taken in by their path; default none.
    pub(crate) archive_folders: Vec<PathBuf>,
    /// Beginnings of URLs whose archives may be taken in; default none.
    pub(crate) archive_urls: Vec<UrlPrefix>,
    /// Archives that arrive at the same time; default [`ARCHIVES_ARRIVING_MAX_DEFAULT`].
    pub(crate) archives_arriving_max: Option<NonZeroUsize>,
    /// Bytes a second that they arrive with at least; default [`ARCHIVE_BYTES_PER_SECOND_MIN_DEFAULT`].
    pub(crate) archive_bytes_per_second_min: Option<u64>,
    /// Where a replay shows captures: an address with `{timestamp}` and `{url}`; default [`REPLAY_URL_DEFAULT`].
    #[serde(deserialize_with = "replay_setting")]
    pub(crate) replay_url: Option<String>,
    /// Searches that wait; default [`SEARCHES_WAITING_MAX_DEFAULT`].
    pub(crate) searches_waiting_max: Option<usize>,
}

/// What the HTTP service speaks TLS by.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TlsConfig {
    /// Its certificate and those that lead to a known one, PEM.
    pub(crate) certificate: PathBuf,
    /// The key of the first, PEM.
    pub(crate) key: PathBuf,
}

/// Why a configuration file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ConfigError {
    /// It cannot be read.
    #[error("cannot read the configuration file {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// It is not what a configuration file may hold.
    #[error("the configuration file {} is not usable: {source}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Cause, with line and column.
        #[source]
        source: toml::de::Error,
    },
}

impl Config {
    /// Reads `named`, which must exist, or else [`FILE_NAME`] in the working folder: `None` where there is none.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] for a file that cannot be read or holds something unknown.
    pub(crate) fn read(named: Option<&Path>) -> Result<Option<Self>, ConfigError> {
        let path = named.unwrap_or(Path::new(FILE_NAME));
        let parsed = |text: String| {
            toml::from_str(&text).map(Some).map_err(|source| ConfigError::Invalid { path: path.to_owned(), source })
        };
        match fs::read_to_string(path) {
            Ok(text) => parsed(text),
            Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => Ok(None),
            Err(source) => Err(ConfigError::Io { path: path.to_owned(), source }),
        }
    }
}

/// The address that `text` means: `ADDRESS:PORT`, `NAME:PORT`, or a port alone for the loopback address.
///
/// # Errors
///
/// A sentence that says what was wrong with it, and what would do.
pub(crate) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::new(LISTEN_DEFAULT.ip(), port));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let forms = "wanted is ADDRESS:PORT as in 127.0.0.1:7700, NAME:PORT as in localhost:7700, or a port as in 7700";
    if text.rsplit_once(':').is_none_or(|(name, port)| name.is_empty() || port.parse::<u16>().is_err()) {
        return Err(forms.to_owned());
    }
    let mut addresses: Vec<SocketAddr> =
        text.to_socket_addrs().map_err(|error| format!("the name is not known ({error}); {forms}"))?.collect();
    // `localhost` is 127.0.0.1, as in the default, although many machines name ::1 first.
    addresses.sort_by_key(|address| !address.is_ipv4());
    addresses.first().copied().ok_or_else(|| format!("the name has no address; {forms}"))
}

/// [`listen_address`] of a configuration file: a text, or a number for a port.
fn listen_setting<'de, D: Deserializer<'de>>(source: D) -> Result<Option<SocketAddr>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Setting {
        Port(u16),
        Text(String),
    }
    match Setting::deserialize(source)? {
        Setting::Port(port) => Ok(Some(SocketAddr::new(LISTEN_DEFAULT.ip(), port))),
        Setting::Text(text) => listen_address(&text).map(Some).map_err(serde::de::Error::custom),
    }
}

/// Names of hosts, without scheme, port and path.
fn host_names<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(source)?;
    match names.iter().find(|name| !matches!(url::Host::parse(name), Ok(url::Host::Domain(_)))) {
        Some(name) => {
            Err(serde::de::Error::custom(format!("`{name}` is no name of a host: wanted is one as search.example.org")))
        }
        None => Ok(names),
    }
}

/// An address with the place of the captured URL.
fn replay_setting<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(source)?;
    let is_address = url::Url::parse(&text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if is_address && text.contains("{url}") {
        return Ok(Some(text));
    }
    let wanted = format!("wanted is an address with `{{timestamp}}` and `{{url}}` in it, as {REPLAY_URL_DEFAULT}");
    Err(serde::de::Error::custom(format!("`{text}` leads to no capture: {wanted}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_content::prune::PruneRule;

    #[test]
    fn a_file_sets_what_it_names() {
        let config: Config = toml::from_str(
            "data = 'd'\nlisten = '127.0.0.1:80'\n[ingest]\nbatch_records = 7\n[serve]\nquery_duration_max_ms = 500\n[limits]\ndepth_max = 100\n[extract]\nprune = 'paper'\n",
        )
        .unwrap();
        assert_eq!(config.data, Some("d".into()));
        assert_eq!((config.limits.depth_max, config.limits.nodes_max), (100, Limits::default().nodes_max));
        assert_eq!(config.ingest.batch_records.map(u64::from), Some(7));
        assert_eq!(config.serve.query_duration_max_ms.map(u64::from), Some(500));
        assert_eq!(config.extract.prune, PruneRule::Paper);
    }

    #[test]
    fn addresses_have_several_forms() {
        let loopback = |port| SocketAddr::new(LISTEN_DEFAULT.ip(), port);
        for (text, expected) in [
            ("7808", loopback(7808)),
            ("localhost:7808", loopback(7808)),
            ("127.0.0.1:7808", loopback(7808)),
            ("0.0.0.0:1", "0.0.0.0:1".parse().unwrap()),
            ("[::1]:80", "[::1]:80".parse().unwrap()),
        ] {
            assert_eq!(listen_address(text), Ok(expected), "{text}");
        }
        for text in ["", ":7808", "localhost", "127.0.0.1", "70000", "localhost:70000", "localhost:x"] {
            assert!(listen_address(text).unwrap_err().contains("wanted is ADDRESS:PORT"), "{text}");
        }
        assert_eq!(toml::from_str::<Config>("listen = 7808").unwrap().listen, Some(loopback(7808)));
        assert_eq!(toml::from_str::<Config>("listen = 'localhost:1'").unwrap().listen, Some(loopback(1)));
        assert_eq!(toml::from_str::<Config>("data = 'd'").unwrap().listen, None);
    }

    #[test]
    fn values_that_mean_nothing_are_refused() {
        for (text, expected) in [
            ("threads = 0", "nonzero"),
            ("[extract]\nprune = { relative = { share = 2.0 } }", "wanted is one from 0 to 1"),
        ] {
            let error = toml::from_str::<Config>(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        assert!(toml::from_str::<Config>("dta = 'd'").unwrap_err().to_string().contains("dta"));
    }
}
