//! The description of the interface (OpenAPI 3.1), made from the list of its operations and of what they answer.

mod content_schemas;
mod page_schemas;
mod search_schemas;
mod shape;

use std::collections::BTreeMap;

use actix_web::http::Method;
use serde_json::{Map, Value, json};

use super::access::needed;
use super::asked::{Parameter, Place};
use super::error::ErrorCode;
use super::operations::{Answer, GROUPS, Operation, in_path};
pub(super) use search_schemas::ID;
pub(super) use shape::{Field, Schema, Shape};
use shape::{object, or_null};

const PROBLEM: &str = "application/problem+json";

/// The document.
pub(super) fn document() -> Value {
    let mut paths = Map::new();
    for (group, operations) in GROUPS {
        for operation in *operations {
            let methods = paths.entry(operation.path).or_insert_with(|| json!({}));
            methods[operation.method.to_ascii_lowercase()] = described(operation, group);
        }
    }
    let tags: Vec<Value> = GROUPS.iter().map(|(group, _)| json!({"name": group})).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Lopper",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Searches web archives by the blocks of their pages.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "A key of `lopper keys add`, where there are keys."},
                "password": {"type": "http", "scheme": "basic", "description": "The same key as password, with any name."},
            },
            "schemas": components(),
        },
    })
}

/// The schemas that have names.
pub(super) fn schemas() -> impl Iterator<Item = &'static Schema> {
    search_schemas::SCHEMAS.iter().chain(page_schemas::SCHEMAS).chain(content_schemas::SCHEMAS)
}

fn components() -> Map<String, Value> {
    let own = [("Problem", problem()), ("Error", error()), ("QueryNote", note())];
    let own = own.into_iter().map(|(name, schema)| (name.to_owned(), schema));
    own.chain(schemas().map(|schema| (schema.name.to_owned(), schema.schema()))).collect()
}

fn described(operation: &Operation, group: &str) -> Value {
    let Operation { method, path, summary, parameters, bodies, .. } = operation;
    let in_path = names_in(path)
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": in_path(name).schema()}));
    let in_query = parameters.iter().filter(|parameter| parameter.place == Place::Query).map(in_query);
    let mut described = json!({
        "summary": summary,
        "operationId": operation_id(operation),
        "tags": [group],
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
        "responses": responses(operation),
    });
    if !bodies.is_empty() {
        let content = bodies.iter().map(|media_type| ((*media_type).to_owned(), body(media_type, parameters)));
        described["requestBody"] = json!({"required": true, "content": content.collect::<Map<_, _>>()});
    }
    let scope = Method::from_bytes(method.as_bytes()).ok().and_then(|method| needed(&method, path));
    described["security"] = match scope {
        Some(scope) => json!([{"key": [scope.name()]}, {"password": [scope.name()]}, {}]),
        None => json!([{}]),
    };
    described
}

/// The names between braces.
pub(super) fn names_in(path: &str) -> impl Iterator<Item = &str> {
    path.split(['{', '}']).skip(1).step_by(2)
}

/// The method and the words of the path.
fn operation_id(operation: &Operation) -> String {
    let words = operation.path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(operation.method.to_ascii_lowercase(), |id, word| format!("{id}_{word}"))
}

fn in_query(parameter: &Parameter) -> Value {
    let Field { name, shape, is_required, meaning } = parameter.field;
    json!({"name": name, "in": "query", "required": is_required, "description": meaning, "schema": shape.schema()})
}

/// The schema of a body: of JSON its fields, of others nothing.
fn body(media_type: &str, parameters: &[Parameter]) -> Value {
    if media_type != "application/json" {
        return json!({});
    }
    let fields = parameters.iter().filter(|parameter| parameter.place != Place::Query);
    if fields.clone().next().is_none() {
        return json!({"schema": {"type": "object"}});
    }
    let mut schema = object(fields.clone().map(|parameter| parameter.field), "");
    for Parameter { field, .. } in fields.filter(|parameter| parameter.place == Place::FieldOrNull) {
        schema["properties"][field.name] = or_null(field.shape.described(field.meaning));
    }
    schema["additionalProperties"] = false.into();
    json!({ "schema": schema })
}

fn responses(operation: &Operation) -> Map<String, Value> {
    let good = operation.answers.iter().map(|answer| (answer.status.to_string(), good(answer)));
    let bad = errors(operation).into_iter().map(|(status, codes)| (status.to_string(), bad(status, &codes)));
    // An answer of that status that is no problem document goes before.
    bad.chain(good).collect()
}

fn good(answer: &Answer) -> Value {
    let Answer { status, media_types, schema } = answer;
    let mut response = json!({"description": if *status == 304 { "It is as the tag says." } else { "The answer." }});
    let of = |media_type: &str| match schema {
        Some(shape) if media_type == "application/json" => json!({"schema": shape.schema()}),
        _ => json!({}),
    };
    if !media_types.is_empty() {
        let content = media_types.iter().map(|media_type| ((*media_type).to_owned(), of(media_type)));
        response["content"] = content.collect::<Map<_, _>>().into();
    }
    response
}

fn bad(status: u16, codes: &[&'static str]) -> Value {
    let codes: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
    let mut response = json!({
        "description": codes.join(", "),
        "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    });
    if status == 429 {
        response["headers"] = json!({"Retry-After": {
            "description": "Seconds after which to ask again.", "required": true, "schema": {"type": "integer"},
        }});
    }
    response
}

/// What can go wrong, by status.
pub(super) fn errors(operation: &Operation) -> BTreeMap<u16, Vec<&'static str>> {
    let Operation { method, path, parameters, bodies, errors, .. } = operation;
    let scope = Method::from_bytes(method.as_bytes()).ok().and_then(|method| needed(&method, path));
    let with = |codes: &'static [ErrorCode], holds: bool| codes.iter().filter(move |_| holds).copied();
    let all = with(&[ErrorCode::HostNotAllowed, ErrorCode::Internal], true)
        .chain(with(&[ErrorCode::KeyRequired, ErrorCode::ScopeMissing, ErrorCode::TooManyRequests], scope.is_some()))
        .chain(with(&[ErrorCode::OriginNotAllowed], *method != "GET"))
        .chain(with(&[ErrorCode::BadParameter], !parameters.is_empty()))
        .chain(with(BODY_ERRORS, !bodies.is_empty()))
        .chain(errors.iter().copied());
    let mut by_status: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
    for code in all {
        let codes = by_status.entry(code.status()).or_default();
        if !codes.contains(&code.name()) {
            codes.push(code.name());
        }
    }
    by_status
}

const BODY_ERRORS: &[ErrorCode] = &[
    ErrorCode::BadBody,
    ErrorCode::BodyTooSlow,
    ErrorCode::TooLarge,
    ErrorCode::UnsupportedMediaType,
    ErrorCode::Busy,
];

fn codes() -> Vec<&'static str> {
    ErrorCode::ALL.iter().map(|code| code.name()).collect()
}

fn problem() -> Value {
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": {"const": "about:blank"},
            "title": {"type": "string", "description": "The status in words."},
            "status": {"type": "integer"},
            "detail": {"type": "string", "description": "What is wrong, with advice."},
            "code": {"type": "string", "enum": codes(), "description": "A stable name, by which programs go."},
            "position_bytes": {"type": "integer", "description": "Where in the query the trouble begins."},
        },
    })
}

/// What is wrong with a part of a request, within an answer.
fn error() -> Value {
    json!({
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": {"type": "string", "enum": codes()},
            "message": {"type": "string"},
            "position_bytes": {"type": "integer"},
        },
    })
}

/// A note is a name, or an object with the name as its one field.
fn note() -> Value {
    json!({
        "description": "How the query was understood: a name, or an object with the name and what it is about.",
        "anyOf": [
            {"type": "string", "enum": ["no_words", "not_in_a_row"]},
            {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "object"},
             "propertyNames": {"enum": [
                "text_cut", "words_ignored", "unclosed_quote", "lone_parenthesis", "operator_as_word", "shouted_operator",
                "slop_cut", "phrase_cut", "prefix_cut", "nothing_has", "excluded", "option", "absent_words",
                "undated_left_out", "correction",
            ]}},
        ],
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::http::operations::operations;

    /// The names of all schemas that a part of the document refers to.
    fn named(value: &Value, names: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                let name = fields.get("$ref").and_then(Value::as_str).and_then(|name| name.rsplit('/').next());
                names.extend(name.map(str::to_owned));
                fields.values().for_each(|value| named(value, names));
            }
            Value::Array(items) => items.iter().for_each(|value| named(value, names)),
            _ => {}
        }
    }

    #[test]
    fn schemas_are_there_and_used() {
        let document = document();
        let mut used = BTreeSet::new();
        named(&document, &mut used);
        let there: BTreeSet<String> = document["components"]["schemas"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(used, there);
    }

    #[test]
    fn each_answer_and_error_is_told() {
        for operation in operations() {
            let responses = responses(operation);
            assert!(responses.contains_key("500") && responses.contains_key("403"), "{}", operation.path);
            for answer in operation.answers {
                let has_json = answer.media_types.contains(&"application/json");
                assert_eq!(answer.schema.is_some(), has_json, "{}", operation.path);
            }
        }
    }
}
