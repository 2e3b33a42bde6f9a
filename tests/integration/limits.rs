//! What each caller may ask for: over time, and at the same time.

use std::io::Write;
use std::net::TcpStream;

use lopper::allowance::Allowance;
use lopper::http::ServeOptions;
use lopper::keys::{Keys, Scope};
use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;

use crate::http::{Answer, Site, options};
use crate::server::{PATIENCE, wait_until};
use crate::support::run;

fn allowance(text: &str) -> Allowance {
    toml::from_str(text).unwrap()
}

/// A service of an empty collection, with these limits.
fn site(per_caller: &str) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let proxies = vec!["127.0.0.1".parse().unwrap()];
    Site::serving(folder, collection, ServeOptions { per_caller: allowance(per_caller), proxies, ..options() })
}

/// Makes a key of the collection that is served.
fn key(site: &Site, own: &str) -> String {
    let data = site.folder().join("data");
    let mut keys = Keys::read(&data).unwrap();
    let key = keys.add("test", &[Scope::Admin], 0, None).unwrap();
    let id = keys.keys.last().unwrap().id.clone();
    assert!(keys.limit(&id, allowance(own)));
    keys.write(&data).unwrap();
    format!("Authorization: Bearer {key}\r\n")
}

fn search(site: &Site, headers: &str) -> Answer {
    site.with_headers("GET", "/v1/search?q=mill", headers)
}

#[test]
fn callers_without_keys_have_a_rate_by_their_address() {
    let site = site("rate = 0.01\nburst = 2");
    assert_eq!([search(&site, "").status, search(&site, "").status], [200, 200]);
    let refused = search(&site, "");
    assert_eq!(refused.error(), (429, "too_many_requests".to_owned()));
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((50..=100).contains(&wait), "{wait}");
    assert_eq!(site.get("/healthz").status, 200, "who watches is always answered");
    let by_proxy = |address: &str| search(&site, &format!("X-Forwarded-For: {address}\r\n")).status;
    assert_eq!([by_proxy("192.0.2.1"), by_proxy("192.0.2.1"), by_proxy("192.0.2.1")], [200, 200, 429]);
    assert_eq!(by_proxy("192.0.2.1, 192.0.2.2"), 200, "another client of the proxy");
    assert_eq!(by_proxy("192.0.2.3, 192.0.2.1"), 429, "only what the proxy added counts");
}

#[test]
fn keys_have_limits_of_their_own() {
    let site = site("rate = 0.01\nburst = 1");
    let (as_set, wider) = (key(&site, ""), key(&site, "rate = 1000\nburst = 1000"));
    assert_eq!([search(&site, &as_set).status, search(&site, &as_set).status], [200, 429]);
    for _ in 0..5 {
        assert_eq!(search(&site, &wider).status, 200);
    }
    let figures = site.with_headers("GET", "/metrics", &wider).body;
    for line in ["lopper_http_limited_total{limit=\"rate\"} 1", "lopper_http_limited_total{limit=\"at_work\"} 0"] {
        assert!(figures.lines().any(|found| found == line), "no {line} in\n{figures}");
    }
}

#[test]
fn requests_at_work_are_counted_until_they_end() {
    let site = site("");
    let (own, other) = (key(&site, "at_work_max = 1"), key(&site, ""));
    let mut slow = TcpStream::connect(site.address()).unwrap();
    let head = "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 100\r\n";
    slow.write_all(format!("{head}{own}\r\n").as_bytes()).unwrap();
    wait_until("the slow one is at work", || search(&site, &own).status == 429);
    assert_eq!(search(&site, &own).header("retry-after"), Some("1"));
    assert_eq!(search(&site, &other).status, 200);
    slow.set_read_timeout(Some(PATIENCE)).unwrap();
    drop(slow);
    wait_until("it has ended", || search(&site, &own).status == 200);
}

#[test]
fn limits_of_keys_are_listed_and_changed() {
    let folder = tempfile::tempdir().unwrap();
    let lopper = |line: &str| run(folder.path(), ["keys"].into_iter().chain(line.split(' ')));
    lopper("add --data data --rate 0.5 --burst 4 --at-work 2 crawler").success();
    let listed = lopper("list --data data").success();
    assert!(listed.contains("crawler  0.5/s, 4 at once, 2 at work"), "{listed}");
    let id = listed.split(' ').next().unwrap();
    lopper(&format!("limit --data data --at-work 9 {id}")).success();
    let listed = lopper("list --data data").success();
    assert!(listed.contains("crawler  9 at work"), "{listed}");
    assert_eq!(lopper("limit --data data --at-work 9 none").code, Some(1));
    let refused = lopper("add --data data --rate 0 crawler");
    assert!(refused.code == Some(2) && refused.err.contains("a rate is a number of requests a second"), "{refused:?}");
}
