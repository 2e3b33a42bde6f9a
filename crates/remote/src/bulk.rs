//! Writing documents: batches of bounded size, answers looked at one by one.

use serde_json::Value;

use crate::client::{Answer, Asked, Client, is_busy, refused, wait_before};
use crate::error::RemoteError;

/// Bytes of a request, below what engines take: 10 MiB.
pub(crate) const BYTES_MAX: usize = 5 << 20;

/// Documents of a request.
pub(crate) const DOCUMENTS_MAX: usize = 10_000;

/// Times that what an engine was too busy for is sent.
const TRIES_MAX: u32 = 12;

/// A document that the engine did not take, and never will.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Its name.
    pub(crate) name: String,
    /// The page that it is of.
    pub(crate) page: Option<String>,
    /// What the engine said.
    pub(crate) reason: String,
}

impl Refused {
    fn new(line: &Line, reason: String) -> Self {
        Self { name: line.name.clone(), page: line.page.clone(), reason }
    }
}

/// A document as it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Unique in its index, for engines that know documents by name.
    pub(crate) name: String,
    pub(crate) source: String,
    /// The page that it is of; the collection's otherwise.
    page: Option<String>,
}

impl Line {
    pub(crate) fn new(name: String, source: &Value) -> Self {
        Self { name, source: source.to_string(), page: None }
    }

    pub(crate) fn of_page(self, page_id: &str) -> Self {
        Self { page: Some(page_id.to_owned()), ..self }
    }

    /// Bytes that it takes with what stands before it.
    pub(crate) fn bytes(&self) -> usize {
        self.source.len() + self.name.len() + 32
    }
}

/// Writes documents into an index, durably and so that they are seen. Those that the engine refuses for what they are come back; all others are
/// there afterwards, or it is an error.
pub(crate) fn write(client: &Client, index: &str, lines: &[Line]) -> Result<Vec<Refused>, RemoteError> {
    let mut refused = Vec::new();
    // Halves of what was too large wait here.
    let mut waiting: Vec<Vec<&Line>> = vec![lines.iter().collect()];
    while let Some(part) = waiting.pop() {
        match send(client, index, part, &mut refused)? {
            Sent::All => {}
            Sent::TooLarge(part) if part.len() > 1 => {
                let (first, second) = part.split_at(part.len() / 2);
                waiting.extend([second.to_vec(), first.to_vec()]);
            }
            Sent::TooLarge(part) => refused
                .extend(part.into_iter().map(|line| {
                    Refused::new(line, format!("{} bytes are too many for the engine", line.source.len()))
                })),
        }
    }
    Ok(refused)
}

enum Sent<'a> {
    All,
    TooLarge(Vec<&'a Line>),
}

fn send<'a>(
    client: &Client,
    index: &str,
    mut lines: Vec<&'a Line>,
    told: &mut Vec<Refused>,
) -> Result<Sent<'a>, RemoteError> {
    let dialect = client.settings.kind.dialect();
    let path = format!("{}/{index}/_bulk?refresh={}", dialect.base, dialect.durable);
    let mut tries = 0;
    while !lines.is_empty() {
        let Answer { url, status, body } = client.ask("POST", &path, &Asked::Lines(bytes(client, &lines)))?;
        if status == 413 {
            return Ok(Sent::TooLarge(lines));
        }
        if status != 200 {
            return Err(refused(url, status, &body));
        }
        lines = remaining(&url, &body, lines, told)?;
        tries += 1;
        if !lines.is_empty() {
            if tries >= TRIES_MAX {
                return Err(RemoteError::Refused { url, status: 429, message: "it stays too busy".to_owned() });
            }
            std::thread::sleep(wait_before(tries));
        }
    }
    Ok(Sent::All)
}

fn bytes(client: &Client, lines: &[&Line]) -> Vec<u8> {
    let action = client.settings.kind.dialect().action;
    let mut bytes = Vec::with_capacity(lines.iter().map(|line| line.bytes()).sum());
    for line in lines {
        bytes.extend_from_slice(action(&line.name).to_string().as_bytes());
        bytes.push(b'\n');
        bytes.extend_from_slice(line.source.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

/// Looks at each item of an answer: gives those that must be sent again.
fn remaining<'a>(
    url: &str,
    body: &Value,
    lines: Vec<&'a Line>,
    told: &mut Vec<Refused>,
) -> Result<Vec<&'a Line>, RemoteError> {
    let items = body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.len() != lines.len() {
        let what = format!("{} items for {} documents", items.len(), lines.len());
        return Err(RemoteError::Strange { url: url.to_owned(), what });
    }
    let mut again = Vec::new();
    for (line, item) in lines.into_iter().zip(items) {
        // The key is the action's name, or always `index`.
        let item = item.as_object().and_then(|item| item.values().next()).unwrap_or(&Value::Null);
        let status = item["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or_default();
        let reason = || crate::client::message(item);
        match status {
            200..300 => {}
            400 => told.push(Refused::new(line, reason())),
            _ if is_busy(status) || status == 500 => again.push(line),
            _ => return Err(RemoteError::Refused { url: url.to_owned(), status, message: reason() }),
        }
    }
    Ok(again)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDED: &str = include_str!("../../engine-fake/tests/transcripts/quickwit-0.9.jsonl");

    fn items(case: &str, lines: &[Line]) -> Result<(usize, Vec<Refused>), RemoteError> {
        let recorded = RECORDED.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let answer = recorded.into_iter().find(|line| line["case"] == case).unwrap()["response"].take();
        let mut told = Vec::new();
        remaining("u", &answer, lines.iter().collect(), &mut told).map(|again| (again.len(), told))
    }

    #[test]
    fn recorded_items_are_looked_at_one_by_one() {
        let lines = ["a", "b"].map(|name| Line::new(name.to_owned(), &Value::Null));
        assert_eq!(items("bulk_ok", &lines[..1]).unwrap(), (0, Vec::new()));
        let (again, told) = items("bulk_partial_error", &lines).unwrap();
        assert!(
            again == 0 && told.len() == 1 && told[0].name == "a" && told[0].reason.contains("not declared"),
            "{told:?}"
        );
        let missing = items("bulk_missing_index", &lines[..1]);
        assert!(matches!(missing, Err(RemoteError::Refused { status: 404, .. })), "{missing:?}");
        let other = items("bulk_ok", &lines);
        assert!(matches!(other, Err(RemoteError::Strange { .. })), "{other:?}");
    }
}
