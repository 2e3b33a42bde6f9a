//! The description of the interface (OpenAPI 3.1), made from the list of its operations.

use actix_web::http::Method;
use serde_json::{Map, Value, json};

use super::access::needed;
use super::operations::{OPERATIONS, Operation, Parameter, Place};

/// The document.
pub(super) fn document() -> Value {
    let mut paths = Map::new();
    for operation in OPERATIONS {
        let methods = paths.entry(operation.path).or_insert_with(|| json!({}));
        methods[operation.method.to_ascii_lowercase()] = described(operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Lopper",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Searches web archives by the blocks of their pages.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "A key of `lopper keys add`, where there are keys."},
                "password": {"type": "http", "scheme": "basic", "description": "The same key as password, with any name."},
            },
            "schemas": {"Problem": problem()},
        },
    })
}

fn described(operation: &Operation) -> Value {
    let Operation { method, path, summary, parameters, bodies, status, answer } = operation;
    let in_path = path.split(['{', '}']).skip(1).step_by(2);
    let in_path =
        in_path.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let in_query = parameters.iter().filter(|parameter| parameter.place == Place::Query).map(in_query);
    let given: Vec<Value> = in_path.chain(in_query).collect();
    let mut described = json!({
        "summary": summary,
        "operationId": operation_id(operation),
        "parameters": given,
        "responses": {
            status.to_string(): {"description": "The answer."},
            "default": {
                "description": "What went wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
    });
    if !answer.is_empty() {
        let content = answer.split(", ").map(|media_type| (media_type.to_owned(), json!({})));
        described["responses"][status.to_string()]["content"] = content.collect::<Map<_, _>>().into();
    }
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

/// The method and the words of the path.
fn operation_id(operation: &Operation) -> String {
    let words = operation.path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(operation.method.to_ascii_lowercase(), |id, word| format!("{id}_{word}"))
}

fn in_query(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name, "in": "query", "required": parameter.is_required, "description": parameter.meaning,
        "schema": {"type": parameter.kind},
    })
}

/// The schema of a body: of JSON its fields, of others anything.
fn body(media_type: &str, parameters: &[Parameter]) -> Value {
    if media_type != "application/json" {
        return json!({});
    }
    let fields = || parameters.iter().filter(|parameter| parameter.place != Place::Query);
    let properties = fields().map(|field| (field.name.to_owned(), schema(field)));
    let required: Vec<&str> = fields().filter(|field| field.is_required).map(|field| field.name).collect();
    json!({"schema": {
        "type": "object", "properties": properties.collect::<Map<_, _>>(), "required": required,
        "additionalProperties": false,
    }})
}

fn schema(field: &Parameter) -> Value {
    match field.kind {
        "array" => json!({"type": "array", "items": {"type": "string"}, "description": field.meaning}),
        kind => json!({"type": kind, "description": field.meaning}),
    }
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
            "code": {"type": "string", "description": "A stable name, by which programs go."},
            "position_bytes": {"type": "integer", "description": "Where in the query the trouble begins."},
        },
    })
}
