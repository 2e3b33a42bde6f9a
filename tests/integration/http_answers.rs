//! What all answers of the server have in common: names, tags, compression, counts.

use std::io::Read;

use flate2::read::GzDecoder;

use crate::http::Site;

#[test]
fn requests_have_names() {
    let site = Site::new();
    let given = site.with_headers("GET", "/healthz", "X-Request-Id: from-proxy_1.2\r\n");
    assert_eq!(given.header("x-request-id"), Some("from-proxy_1.2"));
    let names: Vec<String> = (0..2)
        .map(|_| site.with_headers("GET", "/v1/nothing", "X-Request-Id: a b\r\n"))
        .map(|answer| answer.header("x-request-id").unwrap().to_owned())
        .collect();
    assert!(names[0] != names[1] && !names[0].contains(' '), "{names:?}");
    let refused = site.send("GET /v1/search?q=mill HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(refused.status == 403 && refused.header("x-request-id").is_some(), "refusals have one, too");
}

#[test]
fn pages_have_tags_by_which_they_are_not_sent_again() {
    let site = Site::new();
    let id = site.page_id("mill");
    for path in [format!("/v1/pages/{id}"), format!("/v1/pages/{id}/tree")] {
        let first = site.get(&path);
        let tag = first.header("etag").unwrap().to_owned();
        let again = site.with_headers("GET", &path, &format!("If-None-Match: \"other\", {tag}\r\n"));
        assert_eq!((again.status, again.body.as_str(), again.header("etag")), (304, "", Some(tag.as_str())), "{path}");
        let other = site.with_headers("GET", &path, "If-None-Match: \"other\"\r\n");
        assert_eq!((other.status, other.body), (200, first.body), "{path}");
        let head = site.with_headers("HEAD", &path, "");
        assert_eq!((head.status, head.body.as_str(), head.header("etag")), (200, "", Some(tag.as_str())), "{path}");
    }
}

#[test]
fn answers_are_compressed_for_those_who_can_read_that() {
    let site = Site::new();
    let plain = site.get("/style.css");
    assert_eq!(plain.header("content-encoding"), None);
    let request = "GET /style.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n";
    let answer = site.send_for_bytes(request);
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_ascii_lowercase();
    assert!(head.contains("content-encoding: gzip") && head.contains("vary:"), "{head}");
    let mut text = String::new();
    GzDecoder::new(&*without_chunks(&answer[end + 4..])).read_to_string(&mut text).unwrap();
    assert!(text == plain.body && answer.len() < plain.body.len() / 2);
}

#[test]
fn answers_are_counted() {
    let site = Site::new();
    assert_eq!(site.get("/readyz").json()["status"], "ready");
    for query in ["mill", "wheel"] {
        assert_eq!(site.get(&format!("/v1/search?q={query}")).status, 200);
    }
    site.get("/v1/search");
    site.get("/v1/pages/0123456789abcdef0123456789abcdef");
    let metrics = site.get("/metrics").body;
    for line in [
        "lopper_pages 2",
        "lopper_writer_stopped 0",
        "lopper_http_requests_total{route=\"/v1/search\",method=\"GET\",status=\"200\"} 2",
        "lopper_http_requests_total{route=\"/v1/search\",method=\"GET\",status=\"400\"} 1",
        "lopper_http_requests_total{route=\"/v1/pages/{id}\",method=\"GET\",status=\"404\"} 1",
        "lopper_http_request_duration_seconds_count{route=\"/v1/search\"} 3",
        "lopper_errors_total{code=\"bad_parameter\"} 1",
        "lopper_errors_total{code=\"page_not_found\"} 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "no {line} in\n{metrics}");
    }
    assert!(!metrics.contains("wheel"), "what is searched for is in no count");
}

/// A body without the marks of its chunks.
fn without_chunks(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let end = body.windows(2).position(|window| window == b"\r\n").unwrap();
        let len = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            return whole;
        }
        whole.extend_from_slice(&body[end + 2..end + 2 + len]);
        body = &body[end + 2 + len + 2..];
    }
}
