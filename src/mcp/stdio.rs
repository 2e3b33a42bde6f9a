//! The protocol over standard input and output, a message a line.
//!
//! Lines go to the library through a pipe, except those that it cannot read: these are answered here. All answers go through one writer, so
//! that none stands within another.

use std::io;

use rmcp::ServiceExt;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, duplex, stdin, stdout};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::Speaker;
use super::message::fault;

/// Bytes that wait in a pipe.
const PIPE_BYTES: usize = 1 << 16;

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
    let (answers, mut waiting) = unbounded_channel::<Vec<u8>>();
    tokio::spawn(read_lines(input, to_library, answers.clone()));
    tokio::spawn(async move {
        let mut lines = BufReader::new(from_library).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            let _ = answers.send(line);
        }
    });
    let writer = tokio::spawn(async move {
        let mut output = output;
        while let Some(mut line) = waiting.recv().await {
            line.push(b'\n');
            output.write_all(&line).await?;
            output.flush().await?;
        }
        Ok::<_, io::Error>(())
    });
    let served = async {
        let running = speaker.serve((library_input, library_output)).await.map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)
    };
    let served = served.await;
    writer.await.map_err(io::Error::other)??;
    served.map(drop)
}

/// Hands on the lines that are messages, and answers the others.
async fn read_lines(
    input: impl AsyncRead + Unpin,
    mut to_library: impl AsyncWrite + Unpin,
    answers: UnboundedSender<Vec<u8>>,
) {
    let mut lines = BufReader::new(input).split(b'\n');
    while let Ok(Some(mut line)) = lines.next_segment().await {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Some(fault) = fault(&line) {
            let _ = answers.send(fault.answer.into_bytes());
            continue;
        }
        line.push(b'\n');
        if to_library.write_all(&line).await.is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lopper_collection::search::{SearchEngine, SearchError};
    use lopper_content::limits::Limits;
    use serde_json::Value;
    use tokio::io::AsyncReadExt;

    use super::super::{Collections, Tools};
    use super::*;

    struct None;

    impl Collections for None {
        fn engine(&self) -> Result<Arc<SearchEngine>, SearchError> {
            unreachable!("no tool is called")
        }
    }

    /// The answers to these lines.
    fn answers(lines: &[&str]) -> Vec<Value> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, ours) = duplex(1 << 20);
            let (input, output) = tokio::io::split(ours);
            let speaker = Speaker::new(Arc::new(Tools::new(Arc::new(None), Limits::default())));
            let served = tokio::spawn(serve(speaker, input, output));
            client.write_all((lines.join("\n") + "\n").as_bytes()).await.unwrap();
            client.shutdown().await.unwrap();
            served.await.unwrap().unwrap();
            let mut written = String::new();
            client.read_to_string(&mut written).await.unwrap();
            written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        })
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
