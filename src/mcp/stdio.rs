//! The protocol over standard input and output, a message a line.
//!
//! Lines go to the library through a pipe, except those that it cannot read: these are answered here. All answers go through one writer, so
//! that none stands within another.

use std::io;

use rmcp::ServiceExt;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, duplex, stdin, stdout,
};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Speaker;
use super::message::{fault, too_long};

/// Bytes that wait in a pipe.
const PIPE_BYTES: usize = 1 << 16;

/// Bytes of a message.
const LINE_BYTES_MAX: usize = 1 << 20;

/// Answers that wait to be written.
const WAITING_MAX: usize = 16;

/// Answers until the client closes its side.
///
/// # Errors
///
/// When the client does not speak the protocol, or the runtime cannot start.
pub(crate) fn serve_stdio(speaker: Speaker) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve(speaker, stdin(), stdout()));
    runtime.shutdown_background();
    served
}

async fn serve(
    speaker: Speaker,
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> io::Result<()> {
    let (to_library, library_input) = duplex(PIPE_BYTES);
    let (library_output, from_library) = duplex(PIPE_BYTES);
    // A client that does not read is not read from.
    let (answers, waiting) = channel::<Vec<u8>>(WAITING_MAX);
    let reader = tokio::spawn(read_lines(input, to_library, answers.clone()));
    tokio::spawn(hand_on(from_library, answers));
    let writer = tokio::spawn(write_lines(waiting, output));
    let served = async {
        let running = speaker.serve((library_input, library_output)).await.map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)
    };
    let served = served.await;
    // It may wait for a client that says nothing more.
    reader.abort();
    writer.await.map_err(io::Error::other)??;
    served.map(drop)
}

/// Hands on the lines that are messages, and answers the others.
async fn read_lines(input: impl AsyncRead + Unpin, mut to_library: impl AsyncWrite + Unpin, answers: Sender<Vec<u8>>) {
    let mut input = BufReader::new(input);
    let mut mark: &[u8] = b"\xef\xbb\xbf";
    while let Ok(Some(mut line)) = next_line(&mut input).await {
        if line.starts_with(mark) {
            line.drain(..mark.len());
        }
        // A mark stands at the beginning alone.
        mark = b"";
        if line.trim_ascii().is_empty() {
            continue;
        }
        let fault = if line.len() > LINE_BYTES_MAX { Some(too_long(LINE_BYTES_MAX)) } else { fault(&line) };
        let is_gone = if let Some(fault) = fault {
            answers.send(fault.answer.into_bytes()).await.is_err()
        } else {
            line.push(b'\n');
            to_library.write_all(&line).await.is_err()
        };
        if is_gone {
            break;
        }
    }
}

/// The next line, without its end; of one that is too long a byte more than it may have. `None` at the end of the input.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let (mut line, mut is_there) = (Vec::new(), false);
    loop {
        let part = input.fill_buf().await?;
        if part.is_empty() {
            return Ok(is_there.then_some(line));
        }
        is_there = true;
        let end = part.iter().position(|byte| *byte == b'\n');
        let room = LINE_BYTES_MAX + 1 - line.len();
        line.extend(part.iter().take(end.unwrap_or(part.len())).take(room));
        let used = end.map_or(part.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

/// The library's answers, a line each.
async fn hand_on(from_library: impl AsyncRead + Unpin, answers: Sender<Vec<u8>>) {
    let mut lines = BufReader::new(from_library).split(b'\n');
    while let Ok(Some(line)) = lines.next_segment().await {
        if answers.send(line).await.is_err() {
            break;
        }
    }
}

async fn write_lines(mut waiting: Receiver<Vec<u8>>, mut output: impl AsyncWrite + Unpin) -> io::Result<()> {
    while let Some(mut line) = waiting.recv().await {
        line.push(b'\n');
        output.write_all(&line).await?;
        output.flush().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lopper_collection::search::{SearchEngine, SearchError};
    use lopper_content::limits::Limits;
    use serde_json::Value;
    use tokio::io::{AsyncReadExt, DuplexStream};
    use tokio::task::JoinHandle;

    use super::super::{Collections, Tools};
    use super::*;

    struct None;

    impl Collections for None {
        fn engine(&self) -> Result<Arc<SearchEngine>, SearchError> {
            unreachable!("no tool is called")
        }
    }

    /// A client's side, and the server that it talks to.
    fn client_of_server() -> (DuplexStream, JoinHandle<io::Result<()>>) {
        let (client, ours) = duplex(1 << 20);
        let (input, output) = tokio::io::split(ours);
        let speaker = Speaker::new(Arc::new(Tools::new(Arc::new(None), Limits::default())));
        (client, tokio::spawn(serve(speaker, input, output)))
    }

    /// The answers to these lines.
    fn answers(lines: &[&str]) -> Vec<Value> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, served) = client_of_server();
            client.write_all((lines.join("\n") + "\n").as_bytes()).await.unwrap();
            client.shutdown().await.unwrap();
            served.await.unwrap().unwrap();
            let mut written = String::new();
            client.read_to_string(&mut written).await.unwrap();
            written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        })
    }

    #[test]
    fn a_client_that_begins_wrongly_is_left() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, served) = client_of_server();
            client.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await.unwrap();
            // The client keeps its side open.
            assert!(served.await.unwrap().is_err());
        });
    }

    #[test]
    fn lines_that_are_too_long_are_answered_and_passed_over() {
        let long =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"{}\"}}", "y".repeat(LINE_BYTES_MAX));
        let begin = r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
        let begin = format!("\u{feff}{begin}");
        let answers = answers(&[&begin, &long, r#"{"jsonrpc":"2.0","id":3,"method":"ping","params":null}"#]);
        assert_eq!(answers.len(), 3, "{answers:?}");
        assert!(answers.iter().any(|answer| answer["error"]["code"] == -32600), "{answers:?}");
        assert!(answers.iter().any(|answer| answer["id"] == 3 && answer["result"].is_object()), "{answers:?}");
    }

    #[test]
    fn bad_lines_are_answered_among_good_ones() {
        let answers = answers(&[
            "not json",
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "",
            r#"{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#,
        ]);
        let of = |id: Value| answers.iter().find(|answer| answer["id"] == id).unwrap();
        assert_eq!(answers.len(), 5, "{answers:?}");
        assert_eq!(of(Value::Null)["error"]["code"], -32700);
        assert_eq!(
            (&of(1.into())["error"]["code"], &of(3.into())["error"]["code"]),
            (&(-32602).into(), &(-32602).into())
        );
        assert!(of(2.into())["result"]["serverInfo"].is_object() && of(4.into())["result"].is_object());
    }
}
