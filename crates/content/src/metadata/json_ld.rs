//! The reader of schema.org statements (`<script type="application/ld+json">`). What is made of them is told by who asks: facts of the
//! page ([`StructuredData`](super::StructuredData)), or texts that are content (`extract::structured`).

use serde_json::{Map, Value};

use crate::dom::{Dom, DomId};

/// How much of one script is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScriptLimits {
    /// Bytes of a script; longer ones are passed over.
    pub(crate) bytes_max: usize,
    /// Arrays and objects that are looked at.
    pub(crate) values_max: usize,
    /// Whether what is nearly JSON is read, too.
    pub(crate) is_lenient: bool,
}

/// Whether an element is a JSON-LD script.
pub(crate) fn is_json_ld(dom: &Dom, element: DomId) -> bool {
    dom.is_script_of(element, "application/ld+json")
}

/// Visits the objects of a script, outer before inner ones, and tells whether each is one of those that the script is about: its own, those
/// of its `@graph`, and what these name as their `mainEntity`. Scripts that are not JSON are passed over: there is nothing that a
/// reader could do about them.
pub(crate) fn for_each_object(source: &str, limits: ScriptLimits, mut visit: impl FnMut(&Map<String, Value>, bool)) {
    if source.len() > limits.bytes_max {
        return;
    }
    let roots = match serde_json::from_str::<Value>(source) {
        Ok(root) => vec![root],
        Err(_) if limits.is_lenient => nearly_json(source),
        Err(_) => return,
    };
    let mut open: Vec<(&Value, bool)> = roots.iter().rev().map(|root| (root, true)).collect();
    for _ in 0..limits.values_max {
        match open.pop() {
            Some((Value::Array(values), is_main)) => open.extend(values.iter().rev().map(|value| (value, is_main))),
            Some((Value::Object(object), is_main)) => {
                visit(object, is_main);
                let inner = object.iter().filter(|(_, value)| value.is_array() || value.is_object());
                let leads = |name: &str| matches!(name, "@graph" | "mainEntity");
                open.extend(inner.map(|(name, value)| (value, is_main && leads(name))));
            }
            Some(_) => {}
            None => return,
        }
    }
}

/// The values of a script that is JSON but for what people and templates do to it: line ends within strings, commas behind the last value,
/// wrappers of comments and CDATA, several values one after another. Up to the first fault of another kind.
fn nearly_json(source: &str) -> Vec<Value> {
    const WRAPPER: &str = "CDATA[";
    let head = &source[..source.floor_char_boundary(64)];
    let source = head.find(WRAPPER).map_or(source, |at| &source[at + WRAPPER.len()..]);
    let mended = mended(&source[source.find(['{', '[']).unwrap_or(source.len())..]);
    serde_json::Deserializer::from_str(&mended).into_iter::<Value>().map_while(Result::ok).collect()
}

/// With blanks for control characters and for commas that nothing follows.
fn mended(source: &str) -> String {
    let mut mended = String::with_capacity(source.len());
    let (mut is_text, mut is_escaped, mut comma) = (false, false, None);
    for c in source.chars() {
        let c = if c.is_control() { ' ' } else { c };
        if is_text {
            is_text = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
        } else if matches!(c, ']' | '}') {
            if let Some(at) = comma {
                mended.replace_range(at..=at, " ");
            }
        } else {
            is_text = c == '"';
        }
        if c == ',' && !is_text {
            comma = Some(mended.len());
        } else if c != ' ' {
            comma = None;
        }
        mended.push(c);
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str, values_max: usize) -> Vec<String> {
        let mut names = Vec::new();
        let limits = ScriptLimits { bytes_max: 100, values_max, is_lenient: true };
        for_each_object(source, limits, |object, _| names.extend(object.get("n").map(Value::to_string)));
        names
    }

    #[test]
    fn objects_are_visited_from_the_outside_within_limits() {
        let source = r#"[{"n":1,"in":{"n":2,"deep":[{"n":3}]}},4,{"n":5}]"#;
        assert_eq!(names(source, 100), ["1", "2", "3", "5"]);
        assert_eq!(names(source, 3), ["1", "2"]);
        assert!(names("{\"n\": ", 100).is_empty() && names(&format!("{source:200}"), 100).is_empty());
        let strict = ScriptLimits { bytes_max: 100, values_max: 100, is_lenient: false };
        for_each_object("{\"n\": 1,}", strict, |_, _| panic!("no JSON"));
    }

    #[test]
    fn what_is_nearly_json_is_read() {
        for source in [
            "{\"n\": 1, \"text\": \"two\nlines\"}",
            "//<![CDATA[\n{\"n\": 1}\n//]]>",
            "<!-- {\"n\": 1} -->",
            "{\"n\": 1, \"l\": [1, 2, ], }",
            "{\"n\": 1, \"t\": \"a,}\\\"]\",}",
        ] {
            assert_eq!(names(source, 100), ["1"], "{source}");
        }
        assert_eq!(names("{\"n\": 1}\n{\"n\": 2}; more", 100), ["1", "2"]);
        assert!(names("/* CDATA[", 100).is_empty() && names("{,}", 100).is_empty());
    }
}
