//! `_bulk`.

use serde_json::{Value, json};

use crate::Kind;
use crate::answer::{Answer, Failure};
use crate::state::{Fault, State};

/// Writes documents, whose answers are told one by one.
pub(crate) fn bulk(
    state: &mut State,
    default: Option<&str>,
    body: &str,
    refresh: &str,
    fault: &Fault,
) -> Result<Answer, Failure> {
    let mut lines = body.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mut items = Vec::new();
    let mut has_errors = false;
    let mut touched = Vec::new();
    while let Some((number, line)) = lines.next() {
        let (name, index, id) = action(state.kind, number + 1, line, default)?;
        let Some((_, document)) = lines.next() else { return Err(Failure::parsing("a document is missing")) };
        let refused = match *fault {
            Fault::Items(status) if items.len() % 2 == 1 => Some((status, "too_many_requests", "busy".to_owned())),
            _ => write(state, &index, id.clone(), document).err(),
        };
        let error = refused.as_ref().map(|(_, kind, reason)| json!({"index": index, "type": kind, "reason": reason}));
        has_errors |= error.is_some();
        let status = refused.map_or(201, |(status, ..)| status);
        let item = json!({"_index": index, "_id": id, "status": status, "error": error});
        let key = if state.kind == Kind::Quickwit { "index" } else { name };
        items.push(json!({key: item}));
        touched.push(index);
    }
    if refresh == "wait_for" || refresh == "true" {
        let split_documents = state.split_documents;
        for index in touched {
            if let Some(index) = state.indexes.get_mut(&index) {
                index.commit(split_documents);
            }
        }
    }
    Ok((200, json!({"took": 1, "errors": has_errors, "items": items})))
}

/// What a line before a document says: the action, the index, the document's name.
fn action(
    kind: Kind,
    number: usize,
    line: &str,
    default: Option<&str>,
) -> Result<(&'static str, String, Option<String>), Failure> {
    let malformed = |what: &str| {
        let reason = format!("Malformed action/metadata line [{number}]: {what}");
        let Failure((status, mut body)) = Failure::searching(400, reason);
        body["error"]["type"] = json!("illegal_argument_exception");
        Failure((status, body))
    };
    let value: Value = serde_json::from_str(line).map_err(|error| malformed(&error.to_string()))?;
    let entry = value.as_object().filter(|own| own.len() == 1).and_then(|own| own.iter().next());
    let Some((name, about)) = entry else { return Err(malformed("expected one action")) };
    let name = match name.as_str() {
        "create" => "create",
        "index" => "index",
        other => {
            let what =
                format!("unknown variant `{other}`, expected `create` or `index` at line 1 column {}", other.len() + 3);
            return Err(malformed(&what));
        }
    };
    let index = about["_index"].as_str().or(default).ok_or_else(|| malformed("no index"))?;
    let id = about["_id"].as_str().map(str::to_owned);
    // Quickwit gives an identity back and does not keep it.
    Ok((name, index.to_owned(), id.filter(|_| kind == Kind::Elasticsearch)))
}

fn write(
    state: &mut State,
    index: &str,
    id: Option<String>,
    document: &str,
) -> Result<(), (u16, &'static str, String)> {
    if state.refused_text.as_ref().is_some_and(|text| document.contains(text)) {
        return Err((400, "document_parsing_exception", "failed to parse".to_owned()));
    }
    let Some(own) = state.indexes.get_mut(index) else {
        return Err((404, "index_not_found_exception", format!("no such index [{index}]")));
    };
    let parsed = serde_json::from_str::<Value>(document).map_err(|error| error.to_string());
    let checked = parsed.and_then(|document| own.definition.check(&document).map(|()| document));
    let document = checked.map_err(|reason| (400, "document_parsing_exception", reason))?;
    own.volatile.push((id, document));
    Ok(())
}
