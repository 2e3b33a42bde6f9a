//! Just enough of HTTP/1.1.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::answer::Answer;
use crate::routes::{Request, answer};
use crate::state::State;

/// Stops the server when it is dropped.
pub(crate) struct Stop {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // So that the server looks.
        drop(TcpStream::connect(self.address));
    }
}

/// Serves at a free port.
pub(crate) fn serve(state: Arc<Mutex<State>>) -> (SocketAddr, Stop) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = listener.local_addr().expect("an address");
    let is_over = Arc::new(AtomicBool::new(false));
    let stop = Stop { address, is_over: Arc::clone(&is_over) };
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if is_over.load(Ordering::SeqCst) {
                return;
            }
            let state = Arc::clone(&state);
            thread::spawn(move || talk(&stream, &state));
        }
    });
    (address, stop)
}

/// Answers the requests of one connection until it ends.
fn talk(stream: &TcpStream, state: &Mutex<State>) {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream);
    while let Ok(Some(request)) = read(&mut reader) {
        let sent = answer(&mut state.lock().unwrap_or_else(PoisonError::into_inner), &request);
        let Some(sent) = sent else { return };
        if write(stream, &sent).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<&TcpStream>) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let (mut length, mut is_chunked) = (0, false);
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
        is_chunked |= name.eq_ignore_ascii_case("transfer-encoding");
    }
    if is_chunked {
        return Err(io::Error::other("chunks are not part of the fake"));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (path, parameters) = target.split_once('?').unwrap_or((&target, ""));
    let body = String::from_utf8_lossy(&body).into_owned();
    Ok(Some(Request { method, path: path.to_owned(), parameters: parameters.to_owned(), body }))
}

fn write(mut stream: &TcpStream, (status, body): &Answer) -> io::Result<()> {
    let body = body.to_string();
    let head =
        format!("HTTP/1.1 {status} Told\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())
}
