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
}

/// Whether an element is a JSON-LD script.
pub(crate) fn is_json_ld(dom: &Dom, element: DomId) -> bool {
    dom.is_script_of(element, "application/ld+json")
}

/// Visits the objects of a script, outer before inner ones. Scripts that are not JSON are passed over: there is nothing that a
/// reader could do about them.
pub(crate) fn for_each_object(source: &str, limits: ScriptLimits, mut visit: impl FnMut(&Map<String, Value>)) {
    if source.len() > limits.bytes_max {
        return;
    }
    let Ok(root) = serde_json::from_str::<Value>(source) else { return };
    let mut open = vec![&root];
    for _ in 0..limits.values_max {
        match open.pop() {
            Some(Value::Array(values)) => open.extend(values.iter().rev()),
            Some(Value::Object(object)) => {
                visit(object);
                open.extend(object.values().filter(|value| value.is_array() || value.is_object()));
            }
            Some(_) => {}
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str, values_max: usize) -> Vec<String> {
        let mut names = Vec::new();
        let limits = ScriptLimits { bytes_max: 100, values_max };
        for_each_object(source, limits, |object| names.extend(object.get("n").map(Value::to_string)));
        names
    }

    #[test]
    fn objects_are_visited_from_the_outside_within_limits() {
        let source = r#"[{"n":1,"in":{"n":2,"deep":[{"n":3}]}},4,{"n":5}]"#;
        assert_eq!(names(source, 100), ["1", "2", "3", "5"]);
        assert_eq!(names(source, 3), ["1", "2"]);
        assert!(names("{\"n\": ", 100).is_empty() && names(&format!("{source:200}"), 100).is_empty());
    }
}
