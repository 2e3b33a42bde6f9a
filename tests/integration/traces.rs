//! Spans on their way to a collector of OpenTelemetry, which is one of the test's own.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::server::{Server, ask, wait_until};
use crate::support::{folder, lopper, run};

/// Requests that came, head and body.
type Received = Arc<Mutex<Vec<Vec<u8>>>>;

/// A collector, and where it listens. It takes everything.
fn collector() -> (String, Received) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, received) = (listener.local_addr().unwrap(), Received::default());
    let taken = Arc::clone(&received);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut request, mut piece) = (Vec::new(), [0; 4096]);
            while !is_whole(&request) {
                let bytes = stream.read(&mut piece).unwrap();
                assert!(bytes > 0, "it broke off");
                request.extend_from_slice(&piece[..bytes]);
            }
            taken.lock().unwrap().push(request);
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        }
    });
    (format!("http://{address}"), received)
}

fn is_whole(request: &[u8]) -> bool {
    let Some(head) = request.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&request[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    request.len() >= head + 4 + length.unwrap_or_default()
}

fn holds(sent: &[u8], wanted: &[u8]) -> bool {
    sent.windows(wanted.len()).any(|bytes| bytes == wanted)
}

/// A service of one page whose traces go there.
fn serving(folder: &tempfile::TempDir, endpoint: &str) -> Server {
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    let mut serve = lopper(folder.path());
    serve.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
    serve.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint).env("OTEL_BSP_SCHEDULE_DELAY", "50");
    Server::of(serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
}

#[test]
fn the_spans_of_a_request_are_part_of_its_callers_trace() {
    let folder = folder(&[("mills.html", b"<title>Mills</title><p>Old mills grind slowly but well.</p>")]);
    let (endpoint, received) = collector();
    let server = serving(&folder, &endpoint);
    let parent = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let request =
        format!("GET /v1/search?q=mills+slowly HTTP/1.1\r\nhost: localhost\r\n{parent}\r\nconnection: close\r\n\r\n");
    assert_eq!(ask(&server.address, &request).unwrap().0, 200);
    // A request's span comes last, since it ends after its stages.
    wait_until("the request's span comes", || {
        received.lock().unwrap().iter().any(|request| holds(request, b"GET /v1/search"))
    });
    let sent = received.lock().unwrap().concat();
    assert!(sent.starts_with(b"POST /v1/traces HTTP/1.1"), "{}", String::from_utf8_lossy(&sent));
    for name in ["lopper", "wait", "read", "rank", "show", "http.route", "/v1/search"] {
        assert!(holds(&sent, name.as_bytes()), "no {name} in {}", String::from_utf8_lossy(&sent));
    }
    let trace = [0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80, 0x31, 0x9c];
    assert_eq!(sent.windows(16).filter(|bytes| *bytes == trace).count(), 5, "the request and its four stages");
    assert!(holds(&sent, &[0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31]), "it has the caller's span as parent");
    assert!(!holds(&sent, b"slowly"), "what is searched for is in no trace");
}

#[test]
fn without_a_collector_requests_are_answered() {
    let folder = folder(&[("mills.html", b"<title>Mills</title><p>Old mills grind slowly but well.</p>")]);
    // Nobody listens there.
    let server = serving(&folder, "http://127.0.0.1:9");
    for _ in 0..3 {
        assert_eq!(server.get("/v1/search?q=mills").unwrap().0, 200);
    }
}
