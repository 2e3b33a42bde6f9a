//! TLS of the server: its certificate and key, read anew when their files have changed.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

/// Time between two looks at the files.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// Files that a server speaks TLS by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// Its certificate and those that lead to a known one, in PEM.
    pub certificate: PathBuf,
    /// The key of the first of these, in PEM, without a password.
    pub key: PathBuf,
}

/// Why TLS cannot be spoken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read, or is not PEM.
    #[error("cannot read {what} of {}: {source}", path.display())]
    Read {
        /// What was wanted of it.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Cause.
        #[source]
        source: pem::Error,
    },
    /// A file has nothing of what is wanted.
    #[error("{} has no certificate: it must hold some in PEM, the server's own first", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// Key and certificate are of two pairs, or cannot be used.
    #[error("the key of {} and the certificate of {} cannot be used together: {source}", key.display(), certificate.display())]
    Unusable {
        /// The key's file.
        key: PathBuf,
        /// The certificate's file.
        certificate: PathBuf,
        /// Cause.
        #[source]
        source: rustls::Error,
    },
}

impl TlsFiles {
    /// What a server needs to speak TLS 1.2 and 1.3 by these files.
    pub(super) fn config(&self) -> Result<ServerConfig, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let renewed = Renewed::new(self.clone(), Arc::clone(&provider))?;
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.map_err(|source| self.unusable(source))?;
        Ok(builder.with_no_client_auth().with_cert_resolver(Arc::new(renewed)))
    }

    fn read(&self, provider: &CryptoProvider) -> Result<CertifiedKey, TlsError> {
        let failed = |what, path: &Path| {
            let path = path.to_owned();
            move |source| TlsError::Read { what, path, source }
        };
        let chain = CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(failed("the certificate", &self.certificate))?;
        if chain.is_empty() {
            return Err(TlsError::NoCertificate { path: self.certificate.clone() });
        }
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(failed("the key", &self.key))?;
        CertifiedKey::from_der(chain, key, provider).map_err(|source| self.unusable(source))
    }

    fn unusable(&self, source: rustls::Error) -> TlsError {
        TlsError::Unusable { key: self.key.clone(), certificate: self.certificate.clone(), source }
    }

    /// When the files were written.
    fn version(&self) -> [Option<SystemTime>; 2] {
        [&self.certificate, &self.key].map(|path| fs::metadata(path).and_then(|file| file.modified()).ok())
    }
}

/// The certificate as it is now. One that cannot be used, since it is being written for instance, leaves the former one.
struct Renewed {
    files: TlsFiles,
    provider: Arc<CryptoProvider>,
    known: Mutex<Known>,
}

struct Known {
    key: Arc<CertifiedKey>,
    version: [Option<SystemTime>; 2],
    looked_at: Instant,
}

impl Renewed {
    fn new(files: TlsFiles, provider: Arc<CryptoProvider>) -> Result<Self, TlsError> {
        let version = files.version();
        let key = Arc::new(files.read(&provider)?);
        Ok(Self { files, provider, known: Mutex::new(Known { key, version, looked_at: Instant::now() }) })
    }

    fn current(&self, now: Instant) -> Arc<CertifiedKey> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(known.looked_at) >= LOOK_INTERVAL {
            known.looked_at = now;
            self.look(&mut known);
        }
        Arc::clone(&known.key)
    }

    fn look(&self, known: &mut Known) {
        let version = self.files.version();
        if version == known.version {
            return;
        }
        known.version = version;
        match self.files.read(&self.provider) {
            Ok(key) => {
                known.key = Arc::new(key);
                tracing::info!(certificate = %self.files.certificate.display(), "the certificate was read anew");
            }
            Err(error) => tracing::error!(%error, "the former certificate stays in use"),
        }
    }
}

impl fmt::Debug for Renewed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renewed").field("files", &self.files).finish_non_exhaustive()
    }
}

impl ResolvesServerCert for Renewed {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    fn files(certificate: &str, key: &str) -> TlsFiles {
        let path = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name);
        TlsFiles { certificate: path(certificate), key: path(key) }
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        let told = |certificate, key| files(certificate, key).config().unwrap_err().to_string();
        assert!(files("first.pem", "first-key.pem").config().is_ok());
        assert!(told("none.pem", "first-key.pem").starts_with("cannot read the certificate of "));
        assert!(told("first.pem", "none.pem").starts_with("cannot read the key of "));
        assert!(told("first-key.pem", "first-key.pem").contains("has no certificate"));
        assert!(told("first.pem", "first.pem").starts_with("cannot read the key of "));
        let mismatch = told("first.pem", "second-key.pem");
        assert!(mismatch.contains("cannot be used together") && mismatch.contains("second-key.pem"), "{mismatch}");
    }

    #[test]
    fn a_renewed_certificate_is_taken_and_a_damaged_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let own = TlsFiles { certificate: folder.path().join("c"), key: folder.path().join("k") };
        let mut written = UNIX_EPOCH;
        let mut put = |certificate: &[u8], key: &[u8]| {
            written += Duration::from_secs(1);
            for (path, content) in [(&own.certificate, certificate), (&own.key, key)] {
                fs::write(path, content).unwrap();
                fs::File::options().write(true).open(path).unwrap().set_modified(written).unwrap();
            }
        };
        let pair = |name: &str| {
            let files = files(&format!("{name}.pem"), &format!("{name}-key.pem"));
            (fs::read(files.certificate).unwrap(), fs::read(files.key).unwrap())
        };
        let ((first, first_key), (second, second_key)) = (pair("first"), pair("second"));
        put(&first, &first_key);
        let renewed = Renewed::new(own.clone(), Arc::new(ring::default_provider())).unwrap();
        let begun = Instant::now();
        let at = |looks: u32| renewed.current(begun + looks * 2 * LOOK_INTERVAL).cert[0].clone();
        let old = at(0);
        assert_eq!(at(1), old);
        put(&second, b"being written");
        assert_eq!(at(2), old, "what cannot be used leaves the former one");
        put(&second, &second_key);
        assert_ne!(at(3), old);
    }
}
