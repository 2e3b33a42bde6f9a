//! The server in a process of its own, and what is asked of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::lopper;

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A server in a process of its own; killed on drop.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(folder: &Path) -> Self {
        let mut command = lopper(folder);
        command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
        Self::of(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
    }

    pub(crate) fn of(mut child: Child) -> Self {
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let place = |line: String| Some(line.split_once("http://")?.1.split_once('/')?.0.to_owned());
        let address = lines.into_iter().find_map(place).expect("the server says where it listens");
        Self { child, address }
    }

    pub(crate) fn post(&self, kind: &str, body: &str) -> Option<(u16, String)> {
        Self::post_to(&self.address, kind, body)
    }

    pub(crate) fn post_page(&self, url: &str, text: &str) -> Option<(u16, String)> {
        self.post("application/json", &json!({ "url": url, "html": html(text) }).to_string())
    }

    pub(crate) fn get(&self, path: &str) -> Option<(u16, Value)> {
        let (status, body) = Self::get_from(&self.address, path)?;
        Some((status, serde_json::from_str(&body).ok()?))
    }

    pub(crate) fn post_to(address: &str, kind: &str, body: &str) -> Option<(u16, String)> {
        let length = body.len();
        let head = format!(
            "POST /v1/pages HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n"
        );
        ask(address, &format!("{head}connection: close\r\n\r\n{body}"))
    }

    pub(crate) fn get_from(address: &str, path: &str) -> Option<(u16, String)> {
        Self::ask(address, "GET", path)
    }

    pub(crate) fn ask(address: &str, method: &str, path: &str) -> Option<(u16, String)> {
        ask(address, &format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"))
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Status and body of an answer; `None` where the server went away before its end.
pub(crate) fn ask(address: &str, request: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let is_whole = length.is_none_or(|length: usize| body.len() == length);
    is_whole.then_some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

/// A page that says that.
pub(crate) fn html(text: &str) -> String {
    format!("<title>{text}</title><h1>{text}</h1><p>Old mills grind slowly: {text}.</p>")
}

/// Waits as long as there is patience.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}
