//! `/docs`: the interface for people who write programs.

use maud::{Markup, html};

use super::layout::Content;
use crate::http::asked::{Parameter, Place};
use crate::http::openapi::{Field, Schema, Shape, errors, names_in, schemas};
use crate::http::operations::{GROUPS, Operation, in_path};

/// All that can be asked, and what is answered.
pub(in crate::http) fn api() -> Content {
    let main = html! {
        h1 { "The interface" }
        p { "For programs: " a href="/v1/openapi.json" { "/v1/openapi.json" } " (OpenAPI 3.1). Errors are problem documents "
            "(RFC 9457), and " code { "code" } " tells them apart. Addresses are this server’s: "
            code { "HOST" } " stands for its name." }
        nav { @for (group, _) in GROUPS { a href={ "/docs#" (anchor(group)) } { (group) } " · " } a href="/docs#answers" { "Answers" } }
        @for (group, operations) in GROUPS {
            h2 id=(anchor(group)) { (group) }
            @for operation in *operations { (section(operation)) }
        }
        h2 #answers { "Answers" }
        @for schema in schemas() { (described(schema)) }
    };
    Content::new("api", "The interface – Lopper", main)
}

fn anchor(group: &str) -> String {
    group.to_lowercase().replace(' ', "-")
}

fn section(operation: &Operation) -> Markup {
    let Operation { method, path, summary, parameters, .. } = operation;
    let in_query: Vec<&Parameter> = parameters.iter().filter(|own| own.place == Place::Query).collect();
    let in_body: Vec<&Parameter> = parameters.iter().filter(|own| own.place != Place::Query).collect();
    html! {
        details {
            summary { b { (method) } " " code { (path) } " " (summary) }
            (table("In the path", names_in(path).map(|name| (name, in_path(name), true, ""))))
            (table("In the address", in_query.into_iter().map(row)))
            (table("Fields of the JSON body", in_body.into_iter().map(row)))
            p { "Answers: " @for (place, answer) in operation.answers.iter().enumerate() {
                @if place > 0 { "; " }
                (answer.status) " " code { (answer.media_types.join(", ")) }
                @if let Some(shape) = &answer.schema { " " (words(shape)) }
            } }
            p { "Errors: " @for (place, (status, codes)) in errors(operation).into_iter().enumerate() {
                @if place > 0 { "; " }
                (status) @for code in codes { " " code { (code) } }
            } }
            pre { code { (curl(operation)) } }
        }
    }
}

fn row(parameter: &Parameter) -> (&'static str, Shape, bool, &'static str) {
    let Field { name, shape, is_required, meaning } = parameter.field;
    (name, shape, is_required, meaning)
}

fn described(schema: &Schema) -> Markup {
    let fields = schema.fields.iter().copied().flatten();
    html! {
        details id=(schema.name) {
            summary { b { (schema.name) } " " (schema.meaning) }
            (table("", fields.map(|field| (field.name, field.shape, field.is_required, field.meaning))))
        }
    }
}

fn table<'a>(title: &str, rows: impl Iterator<Item = (&'a str, Shape, bool, &'a str)>) -> Markup {
    let mut rows = rows.peekable();
    html! {
        @if rows.peek().is_some() {
            table {
                @if !title.is_empty() { caption { (title) } }
                @for (name, shape, is_required, meaning) in rows {
                    tr { th scope="row" { code { (name) } } td { (words(&shape)) @if !is_required { ", may be left out" } } td { (meaning) } }
                }
            }
        }
    }
}

/// What a value may be, in words.
fn words(shape: &Shape) -> Markup {
    html! {
        @match shape {
            Shape::Text => { "text" }
            Shape::Like(pattern) => { "text like " code { (pattern) } }
            Shape::Url => { "URL" }
            Shape::Time => { "time (RFC 3339)" }
            Shape::OneOf(names) => { @for (place, name) in names.iter().enumerate() { @if place > 0 { " " } code { (name) } } }
            Shape::Flag => { code { "true" } " or " code { "false" } }
            Shape::Count => { "whole number" }
            Shape::From(min, max) => { "whole number from " (min) " to " (max) }
            Shape::Number => { "number" }
            Shape::Share => { "number from 0 to 1" }
            Shape::Object => { "object" }
            Shape::List(item) => { "list of " (words(item)) }
            Shape::Few(item, max) => { "list of up to " (max) " " (words(item)) }
            Shape::Map(value) => { "object of " (words(value)) }
            Shape::Named(name) => { a href={ "/docs#" (name) } { (name) } }
            Shape::OrNull(shape) => { (words(shape)) " or " code { "null" } }
            Shape::Either(shapes) => {
                @for (place, shape) in shapes.iter().enumerate() { @if place > 0 { " or " } (words(shape)) }
            }
        }
    }
}

/// A command that asks for it.
fn curl(operation: &Operation) -> String {
    let Operation { method, path, parameters, bodies, .. } = operation;
    let needed = |is_field: bool| {
        parameters.iter().filter(move |own| own.field.is_required && (own.place == Place::Query) != is_field)
    };
    let mut query: Vec<String> =
        needed(false).map(|own| format!("{}={}", own.field.name, sample(own.field.name))).collect();
    query.extend(one_of_several(method, path).map(|name| format!("{name}={}", sample(name))));
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let method = if *method == "GET" { String::new() } else { format!("-X {method} ") };
    let body = match bodies.first() {
        None => String::new(),
        Some(kind) if *kind == "application/json" => {
            let fields: Vec<String> =
                needed(true).map(|own| format!("\"{}\": {}", own.field.name, sample_field(own))).collect();
            let fields = match (fields.join(", "), *path) {
                (none, "/v1/mcp") if none.is_empty() => {
                    r#""jsonrpc": "2.0", "id": 1, "method": "tools/list""#.to_owned()
                }
                (none, _) if none.is_empty() => r#""q": "water mill""#.to_owned(),
                (fields, _) => fields,
            };
            format!(" \\\n  -H 'Content-Type: {kind}' -d '{{{fields}}}'")
        }
        Some(kind) => format!(" \\\n  -H 'Content-Type: {kind}' --data-binary @FILE"),
    };
    format!("curl {method}'http://HOST{}{query}'{body}", path.replace(['{', '}'], ""))
}

/// A parameter of a request that needs one of several.
fn one_of_several(method: &str, path: &str) -> Option<&'static str> {
    match (method, path) {
        ("GET", "/v1/search" | "/v1/export" | "/v1/collections/search") => Some("q"),
        ("POST", "/v1/archives") => Some("name"),
        ("DELETE", "/v1/pages") => Some("url"),
        _ => None,
    }
}

/// A value in an address.
fn sample(name: &str) -> &'static str {
    match name {
        "q" => "water+mill",
        "url" => "http://example.org/",
        "name" => "crawl.warc.gz",
        _ => "VALUE",
    }
}

/// A value in a body.
fn sample_field(parameter: &Parameter) -> &'static str {
    match (parameter.field.name, parameter.field.shape) {
        ("html", _) => "\"<title>Mills</title><p>…\"",
        ("url", _) => "\"http://example.org/\"",
        ("name", _) => "\"news\"",
        (_, Shape::Few(..)) => "[\"PAGE_ID\"]",
        _ => "\"VALUE\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_told_and_loads_nothing_from_elsewhere() {
        let page = api().main.into_string();
        for (_, operations) in GROUPS {
            for operation in *operations {
                assert!(page.contains(&format!("<code>{}</code> ", operation.path)), "{}", operation.path);
            }
        }
        for schema in schemas() {
            assert!(page.contains(&format!("<details id=\"{}\">", schema.name)), "{}", schema.name);
        }
        assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
        let search = GROUPS[0].1.iter().find(|own| own.method == "POST").unwrap();
        assert!(curl(search).ends_with("-d '{\"q\": \"water mill\"}'"), "{}", curl(search));
        for command in ["v1/search?q=water+mill'", "v1/archives?name=crawl.warc.gz'", "\"method\": \"tools/list\"}"] {
            assert!(
                GROUPS.iter().flat_map(|(_, operations)| *operations).any(|own| curl(own).contains(command)),
                "{command}"
            );
        }
    }
}
