//! What schema.org statements say of the page as a whole.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json_ld::{ScriptLimits, for_each_object};

/// Types that are noted.
const TYPES_MAX: usize = 32;

/// Authors that are named.
const AUTHORS_MAX: usize = 20;

const LIMITS: ScriptLimits = ScriptLimits { bytes_max: 512 << 10, values_max: 2000 };

/// The first value found of each property that Lopper reads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructuredData {
    /// `description` of the first typed object that has one.
    pub description: Option<String>,
    /// `author` or `creator`, by name; several are parted by commas.
    pub author: Option<String>,
    /// `datePublished` as written.
    pub date_published: Option<String>,
    /// The types of all things that are described, each once, without `http://schema.org/`.
    pub types: Vec<String>,
}

impl StructuredData {
    /// Reads one script more.
    pub(super) fn read(&mut self, script: &str) {
        for_each_object(script.trim().trim_end_matches(';'), LIMITS, |object| self.read_object(object));
    }

    fn read_object(&mut self, object: &Map<String, Value>) {
        let types = strings(object.get("@type"));
        for name in &types {
            self.note_type(name);
        }
        if types.iter().any(|name| is_response(name)) {
            return;
        }
        set_first(&mut self.description, object.get("description"));
        set_first(&mut self.date_published, object.get("datePublished"));
        if self.author.is_none() {
            self.author = object.get("author").or_else(|| object.get("creator")).and_then(name_of);
        }
    }

    fn note_type(&mut self, name: &str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        if self.types.len() < TYPES_MAX && !self.types.iter().any(|known| known == name) {
            self.types.push(name.to_owned());
        }
    }
}

/// Whether a type is one of what others say of the page's subject: a review, a comment, an answer to a question.
pub(super) fn is_response(name: &str) -> bool {
    ["Review", "Comment", "Answer"].iter().any(|response| name.ends_with(response))
}

fn set_first(slot: &mut Option<String>, value: Option<&Value>) {
    if slot.is_none() {
        *slot = strings(value).into_iter().find(|text| !text.trim().is_empty());
    }
}

fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => Some(name.clone()),
        Value::Array(values) => {
            let names: Vec<String> = values.iter().take(AUTHORS_MAX).filter_map(name_of).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        other => other.get("name").and_then(Value::as_str).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_and_lists_are_read() {
        let mut data = StructuredData::default();
        data.read(r#"{"@graph":[{"@type":["NewsArticle"],"description":"D","author":[{"name":"Ann"}]}]}"#);
        data.read("not json");
        assert_eq!(data.author.as_deref(), Some("Ann"));
        assert_eq!(data.description.as_deref(), Some("D"));
        data.read(r#"[{"@type":"http://schema.org/NewsArticle"},{"@type":["A", "B"]}]"#);
        assert_eq!(data.types, ["NewsArticle", "A", "B"]);
    }
}
