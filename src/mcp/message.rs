//! Messages that are none of the protocol, and their answers: the library passes over them, or takes them for calls of unknown methods.

use serde_json::{Map, Value, json};

/// The answer to a message that the library cannot read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    /// What is wrong.
    pub(crate) message: String,
    /// The answer, without a line end.
    pub(crate) answer: String,
    /// Whether it is no message of JSON-RPC at all, rather than one with wrong parameters.
    pub(crate) is_no_message: bool,
}

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

/// What is wrong with a message. `None` where nothing is, and where it is a notification, which is not answered.
pub(crate) fn fault(message: &[u8]) -> Option<Fault> {
    let read: Value = match serde_json::from_slice(message) {
        Ok(read) => read,
        Err(error) => return Some(of(PARSE_ERROR, &Value::Null, &format!("the message is no JSON: {error}"))),
    };
    let Value::Object(fields) = &read else {
        let what =
            if read.is_array() { "messages come one by one, without an array" } else { "a message is an object" };
        return Some(of(INVALID_REQUEST, &Value::Null, what));
    };
    let id = fields.get("id").filter(|id| id.is_string() || id.is_number()).unwrap_or(&Value::Null);
    let (code, what) = match wrong_request(fields) {
        Some(what) => (INVALID_REQUEST, what),
        None => (INVALID_PARAMS, wrong_params(fields)?),
    };
    (fields.contains_key("id") || code == INVALID_REQUEST).then(|| of(code, id, &what))
}

/// That a message is longer than it may be.
pub(super) fn too_long(bytes_max: usize) -> Fault {
    of(INVALID_REQUEST, &Value::Null, &format!("the message is longer than {bytes_max} bytes"))
}

fn of(code: i64, id: &Value, what: &str) -> Fault {
    let answer = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": what}}).to_string();
    Fault { message: what.to_owned(), answer, is_no_message: code != INVALID_PARAMS }
}

fn wrong_request(fields: &Map<String, Value>) -> Option<String> {
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    let is_id = |id: &Value| id.is_string() || id.as_f64().is_some_and(|id| id.fract() == 0.0);
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        Some("`jsonrpc` must be \"2.0\"".to_owned())
    } else if !is_answer && !fields.get("method").is_some_and(Value::is_string) {
        Some("`method` must be the name of a method".to_owned())
    } else if !is_answer && fields.get("id").is_some_and(|id| !is_id(id)) {
        Some("`id` must be a string or a whole number".to_owned())
    } else {
        None
    }
}

/// What is wrong with the parameters of the methods that have some which must be there.
fn wrong_params(fields: &Map<String, Value>) -> Option<String> {
    let params = match fields.get("params") {
        Some(Value::Object(params)) => params,
        None | Some(Value::Null) => &Map::new(),
        Some(_) => return Some("`params` must be an object".to_owned()),
    };
    let has_text = |of: &Map<String, Value>, name: &str| of.get(name).is_some_and(Value::is_string);
    match fields.get("method").and_then(Value::as_str) {
        Some("tools/call") if !has_text(params, "name") => {
            Some("`params.name` must be the name of a tool; `tools/list` lists them".to_owned())
        }
        Some("tools/call")
            if params.get("arguments").is_some_and(|arguments| !arguments.is_object() && !arguments.is_null()) =>
        {
            Some("`params.arguments` must be an object".to_owned())
        }
        Some("initialize") => {
            let client = params.get("clientInfo").and_then(Value::as_object);
            let is_named = client.is_some_and(|client| has_text(client, "name") && has_text(client, "version"));
            if !has_text(params, "protocolVersion") {
                Some("`params.protocolVersion` must be a version, such as \"2025-06-18\"".to_owned())
            } else if !params.get("capabilities").is_some_and(Value::is_object) {
                Some("`params.capabilities` must be an object".to_owned())
            } else if is_named {
                None
            } else {
                Some("`params.clientInfo` must be an object with `name` and `version`".to_owned())
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_answered_with_its_code_and_the_id() {
        let call = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{params}}}"#);
        let begin = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":"a","method":"initialize","params":{params}}}"#);
        for (message, code, id) in [
            ("not json".to_owned(), PARSE_ERROR, Value::Null),
            ("{\"jsonrpc\":".to_owned(), PARSE_ERROR, Value::Null),
            ("[]".to_owned(), INVALID_REQUEST, Value::Null),
            ("{}".to_owned(), INVALID_REQUEST, Value::Null),
            (r#"{"jsonrpc":"2.0","id":9,"method":7}"#.to_owned(), INVALID_REQUEST, json!(9)),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#.to_owned(), INVALID_REQUEST, Value::Null),
            (r#"{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}"#.to_owned(), INVALID_PARAMS, json!(9)),
            (call("{}"), INVALID_PARAMS, json!(9)),
            (call(r#"{"name":"search","arguments":[]}"#), INVALID_PARAMS, json!(9)),
            (begin("{}"), INVALID_PARAMS, json!("a")),
            (begin(r#"{"protocolVersion":"2025-06-18","capabilities":{}}"#), INVALID_PARAMS, json!("a")),
        ] {
            let answer: Value = serde_json::from_str(&fault(message.as_bytes()).unwrap().answer).unwrap();
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{message}");
        }
        assert!(fault(b"\xff").unwrap().is_no_message && !fault(call("{}").as_bytes()).unwrap().is_no_message);
    }

    #[test]
    fn what_the_library_can_read_is_left_to_it() {
        for message in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"unknown/method","params":{"a":1}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1.0,"method":"ping","params":null}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}"#,
        ] {
            assert_eq!(fault(message.as_bytes()), None, "{message}");
        }
    }
}
