//! Keys: each route with each scope, and when they are asked for.

use std::net::SocketAddr;
use std::sync::Arc;

use lopper::http::{ServeError, ServeOptions, Server};
use lopper::keys::{Keys, Scope};
use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;

use crate::http::{Site, options};
use crate::server::wait_until;

/// Method, path, what it needs.
const ROUTES: &[(&str, &str, Option<Scope>)] = &[
    ("GET", "/healthz", None),
    ("GET", "/readyz", None),
    ("GET", "/v1/search?q=mill", Some(Scope::Read)),
    ("HEAD", "/v1/search?q=mill", Some(Scope::Read)),
    ("POST", "/v1/search", Some(Scope::Read)),
    ("GET", "/v1/export?q=mill", Some(Scope::Read)),
    ("POST", "/v1/export", Some(Scope::Read)),
    ("POST", "/v1/extract", Some(Scope::Read)),
    ("POST", "/v1/mcp", Some(Scope::Read)),
    ("GET", "/v1/suggest?q=mill", Some(Scope::Read)),
    ("GET", "/v1/cite/ID", Some(Scope::Read)),
    ("GET", "/v1/pages/ID", Some(Scope::Read)),
    ("GET", "/v1/pages?url=http://e.org/", Some(Scope::Read)),
    ("GET", "/v1/captures?url=http://e.org/", Some(Scope::Read)),
    ("GET", "/v1/blocks/ID/captures", Some(Scope::Read)),
    ("GET", "/v1/pages/ID/tree", Some(Scope::Read)),
    ("GET", "/v1/pages/ID/content", Some(Scope::Read)),
    ("POST", "/v1/pages/batch", Some(Scope::Read)),
    ("GET", "/v1/jobs", Some(Scope::Read)),
    ("GET", "/v1/jobs/1", Some(Scope::Read)),
    ("GET", "/v1/collections", Some(Scope::Read)),
    ("GET", "/v1/collections/search?q=mill", Some(Scope::Read)),
    ("POST", "/v1/collections", Some(Scope::Admin)),
    ("GET", "/v1/c/none/search?q=mill", Some(Scope::Read)),
    ("POST", "/v1/c/none/pages", Some(Scope::Ingest)),
    ("DELETE", "/v1/c/none/pages/ID", Some(Scope::Admin)),
    ("GET", "/v1/c/none/takedowns", Some(Scope::Admin)),
    ("GET", "/c/none/healthz", Some(Scope::Read)),
    ("GET", "/v1/takedown%73", Some(Scope::Admin)),
    ("GET", "/v1/c/none/%74akedowns", Some(Scope::Admin)),
    ("GET", "/v1/jobs/1/events", Some(Scope::Read)),
    ("GET", "/v1/jobs/1/records", Some(Scope::Read)),
    ("POST", "/v1/jobs/1/cancel", Some(Scope::Ingest)),
    ("GET", "/v1/archives", Some(Scope::Read)),
    ("GET", "/v1/archives/1/records", Some(Scope::Read)),
    ("GET", "/metrics", Some(Scope::Read)),
    ("GET", "/", Some(Scope::Read)),
    ("GET", "/page/ID", Some(Scope::Read)),
    ("GET", "/page/ID/frame", Some(Scope::Read)),
    ("GET", "/page/ID/picture?url=http://e.org/a.png", Some(Scope::Read)),
    ("GET", "/page/ID/methods", Some(Scope::Read)),
    ("GET", "/page/ID/changes", Some(Scope::Read)),
    ("GET", "/try", Some(Scope::Read)),
    ("POST", "/try", Some(Scope::Read)),
    ("GET", "/ingest", Some(Scope::Read)),
    ("GET", "/docs", Some(Scope::Read)),
    ("GET", "/style.css", Some(Scope::Read)),
    ("GET", "/nowhere", Some(Scope::Read)),
    ("POST", "/v1/pages", Some(Scope::Ingest)),
    ("POST", "/v1/archives?name=a.warc", Some(Scope::Ingest)),
    ("POST", "/ingest", Some(Scope::Ingest)),
    ("POST", "/ingest/delete", Some(Scope::Admin)),
    ("DELETE", "/v1/pages?host=none.example", Some(Scope::Admin)),
    ("DELETE", "/v1/pages/ID", Some(Scope::Admin)),
    ("GET", "/v1/takedowns", Some(Scope::Admin)),
    ("DELETE", "/v1/takedowns/1", Some(Scope::Admin)),
    ("PUT", "/v1/pages", Some(Scope::Admin)),
    ("POST", "/nowhere", Some(Scope::Admin)),
];

fn data_of(site: &Site) -> std::path::PathBuf {
    site.folder().join("data")
}

fn key(site: &Site, scopes: &[Scope], expires_at: Option<i64>) -> String {
    let mut keys = Keys::read(&data_of(site)).unwrap();
    let key = keys.add("test", scopes, 0, expires_at).unwrap();
    keys.write(&data_of(site)).unwrap();
    key
}

fn bearer(key: &str) -> String {
    format!("Authorization: Bearer {key}\r\n")
}

#[test]
fn each_route_is_open_to_its_scope_alone() {
    let site = Site::new();
    // An id that no page has, so that nothing is deleted under way.
    let path = |path: &str| path.replace("ID", "0123456789abcdef0123456789abcdef");
    assert_eq!(site.get("/v1/search?q=mill").status, 200, "without keys it is open");
    let keys = [Scope::Read, Scope::Ingest, Scope::Admin].map(|scope| (scope, key(&site, &[scope], None)));
    for (method, route, needed) in ROUTES {
        let answer = |headers: &str| site.with_headers(method, &path(route), headers).status;
        let is_open = needed.is_none();
        assert_eq!(answer("") != 401, is_open, "{method} {route} without a key");
        assert_eq!(answer(&bearer("lopper_00000000_00")) != 401, is_open, "{method} {route} with a wrong key");
        for (scope, key) in &keys {
            let is_allowed = is_open || *scope == Scope::Admin || Some(*scope) == *needed;
            // Forms of browsers without an origin are refused with the same status for another reason.
            let is_form = route.starts_with("/ingest") && *method == "POST";
            let status = answer(&bearer(key));
            assert!(status != 401, "{method} {route} with {scope}");
            if !(is_form && is_allowed) {
                assert_eq!(status != 403, is_allowed, "{method} {route} with {scope}: {status}");
            }
        }
    }
}

#[test]
fn keys_come_as_passwords_end_and_are_removed_while_the_server_runs() {
    let site = Site::new();
    let good = key(&site, &[Scope::Read], None);
    let ended = key(&site, &[Scope::Read], Some(1));
    let status = |headers: &str| site.with_headers("GET", "/v1/search?q=mill", headers);
    assert_eq!(status(&bearer(&good)).status, 200);
    assert_eq!(status(&bearer(&ended)).error(), (401, "key_required".to_owned()));
    let refused = status("");
    assert!(refused.header("www-authenticate").unwrap().starts_with("Basic realm="), "browsers ask for a password");
    // `:KEY` and `x:KEY` in base 64 begin so.
    let password = format!("Authorization: Basic {}\r\n", base64(&format!("x:{good}")));
    assert_eq!(status(&password).status, 200);
    let scopeless = site.post("/v1/pages", "application/json", "{}");
    assert_eq!(scopeless.error().0, 401);
    let mut keys = Keys::read(&data_of(&site)).unwrap();
    let id = good.split('_').nth(1).unwrap();
    assert!(keys.remove(id));
    keys.write(&data_of(&site)).unwrap();
    assert_eq!(status(&bearer(&good)).status, 401, "it was taken back");
    std::fs::write(data_of(&site).join("keys.json"), "damaged").unwrap();
    assert_eq!(status(&bearer(&good)).status, 500, "a damaged file opens nothing");
}

/// A service whose collection is in an engine has no data folder of its own.
#[test]
fn the_keys_may_be_in_another_folder() {
    let (folder, keys_folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let keys = Some(keys_folder.path().to_owned());
    let site = Site::serving(folder, collection, ServeOptions { keys, ..options() });
    assert_eq!(site.get("/v1/search?q=mill").status, 200, "there is no key");
    let mut keys = Keys::read(keys_folder.path()).unwrap();
    let key = keys.add("test", &[Scope::Read], 0, None).unwrap();
    keys.write(keys_folder.path()).unwrap();
    assert_eq!(site.get("/v1/search?q=mill").status, 401);
    assert_eq!(site.with_headers("GET", "/v1/search?q=mill", &bearer(&key)).status, 200);
}

#[test]
fn other_addresses_are_not_served_without_keys() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let mut opened = None;
        // The threads of the server before may have the folder still.
        wait_until("the folder is free", || {
            opened = DataFolder::open_to_write(folder.path(), ExtractParams::default()).ok();
            opened.is_some()
        });
        Arc::new(opened.unwrap())
    };
    let everywhere = ServeOptions { listen: SocketAddr::from(([0, 0, 0, 0], 0)), ..options() };
    let refused = Server::bind(open(), everywhere.clone()).err();
    assert!(matches!(refused, Some(ServeError::NoKeys { .. })), "{refused:?}");
    assert!(Server::bind(open(), ServeOptions { open_to_all: true, ..everywhere.clone() }).is_ok());
    assert!(Server::bind(open(), options()).is_ok(), "the loopback address is open");
    let mut keys = Keys::default();
    keys.add("a", &[Scope::Read], 0, None).unwrap();
    keys.write(folder.path()).unwrap();
    assert!(Server::bind(open(), everywhere).is_ok());
}

/// Text in base 64.
fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let chunk = |bytes: &[u8]| {
        let bits = bytes.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - bytes.len()));
        let digit = |place: usize| DIGITS[(bits >> (18 - 6 * place)) as usize & 63] as char;
        (0..4).map(|place| if place <= bytes.len() { digit(place) } else { '=' }).collect::<String>()
    };
    text.as_bytes().chunks(3).map(chunk).collect()
}
