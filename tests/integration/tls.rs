//! TLS of the service, spoken to by a client of its own.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use lopper::http::{ServeError, ServeOptions, Server, TlsError, TlsFiles};
use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::http::{Site, options};
use crate::server::PATIENCE;
use crate::support::{folder, lopper, repository, run};

fn files(certificate: &str, key: &str) -> TlsFiles {
    let path = |name: &str| repository(&format!("tests/tls/{name}.pem"));
    TlsFiles { certificate: path(certificate), key: path(key) }
}

/// A client that trusts the tests' authority alone.
fn client() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(repository("tests/tls/authority.pem")).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    builder.with_root_certificates(roots).with_no_client_auth()
}

/// What is answered, as bytes.
fn ask(address: SocketAddr, headers: &str) -> std::io::Result<Vec<u8>> {
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(Arc::new(client()), name).unwrap();
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut stream = StreamOwned::new(connection, stream);
    let head = format!("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(head.as_bytes())?;
    let mut answer = Vec::new();
    // The server may close without saying so in TLS.
    let _ = stream.read_to_end(&mut answer);
    Ok(answer)
}

fn site(tls: TlsFiles) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    Site::serving(folder, collection, ServeOptions { tls: Some(tls), ..options() })
}

#[test]
fn it_is_spoken_and_nothing_else() {
    let site = site(files("first", "first-key"));
    let answer = String::from_utf8(ask(site.address(), "").unwrap()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("\"openapi\":\"3.1.0\""), "{answer}");
    let plain = site.send_for_bytes("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(!String::from_utf8_lossy(&plain).contains("HTTP/1.1"), "{plain:?}");
}

#[test]
fn what_cannot_be_used_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let bind = |tls: TlsFiles| {
        let collection = DataFolder::open_to_write(folder.path(), ExtractParams::default()).unwrap();
        Server::bind(Arc::new(collection), ServeOptions { tls: Some(tls), ..options() }).err()
    };
    let mismatch = bind(files("first", "second-key"));
    assert!(matches!(mismatch, Some(ServeError::Tls(TlsError::Unusable { .. }))), "{mismatch:?}");
    assert!(matches!(bind(files("none", "first-key")), Some(ServeError::Tls(TlsError::Read { .. }))));
}

#[test]
fn the_command_line_names_both_files() {
    let folder = folder(&[]);
    for name in ["first.pem", "first-key.pem"] {
        fs::copy(repository("tests/tls").join(name), folder.path().join(name)).unwrap();
    }
    let serve = |more: &[&str]| run(folder.path(), ["serve", "--data", "data", "--listen", "0"].iter().chain(more));
    assert_eq!(serve(&["--tls-cert", "first.pem"]).code, Some(2), "a key is needed besides");
    let refused = serve(&["--tls-cert", "first.pem", "--tls-key", "first.pem"]);
    assert!(refused.code == Some(1) && refused.err.contains("cannot read the key of first.pem"), "{refused:?}");
    let mut child = lopper(folder.path())
        .args(["serve", "--data", "data", "--listen", "0", "--tls-cert", "first.pem", "--tls-key", "first-key.pem"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("https://") && std::io::BufRead::read_line(&mut told, &mut line).unwrap() > 0 {}
    let address = line.split_once("https://").and_then(|(_, rest)| rest.split_once('/')).unwrap().0.parse().unwrap();
    let answer = ask(address, "Accept-Encoding: br\r\n");
    child.kill().unwrap();
    child.wait().unwrap();
    let answer = String::from_utf8_lossy(&answer.unwrap()).to_lowercase();
    assert!(answer.contains("content-encoding: br"), "{answer}");
}

/// The service stands for an engine: that it is none is told to those who trust its certificate, and to them alone.
#[test]
fn engines_are_asked_by_it() {
    let (site, folder) = (site(files("first", "first-key")), folder(&[]));
    let url = format!("https://localhost:{}", site.address().port());
    let told = |trusted: &str| {
        let mut check = lopper(folder.path());
        check.args(["engine", "check"]).env("LOPPER_INDEX_KIND", "quickwit").env("LOPPER_INDEX_URL", &url);
        check.env("SSL_CERT_FILE", repository(&format!("tests/tls/{trusted}.pem")));
        let output = check.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let no_engine = told("authority");
    assert!(no_engine.contains("is 404") && no_engine.contains("Quickwit was expected"), "{no_engine}");
    let no_trust = told("second");
    assert!(no_trust.contains("no answer from the engine") && no_trust.contains("certificate"), "{no_trust}");
}
