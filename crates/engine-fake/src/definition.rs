//! What an index was made with.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::Kind;

/// How a field is cut into terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tokens {
    /// It is one term.
    Raw,
    /// At blanks.
    Blanks,
    /// Words of letters and digits, lower case.
    Default,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "as the engine has them")]
pub(crate) struct Field {
    pub(crate) is_text: bool,
    pub(crate) tokens: Tokens,
    pub(crate) has_positions: bool,
    pub(crate) has_norms: bool,
    pub(crate) is_indexed: bool,
    pub(crate) is_stored: bool,
    pub(crate) is_fast: bool,
}

/// The fields of an index, and what it was made of.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) fields: BTreeMap<String, Field>,
    pub(crate) given: Value,
}

/// Keys of a Quickwit field mapping.
const FIELD_KEYS: [&str; 12] = [
    "name",
    "type",
    "tokenizer",
    "record",
    "stored",
    "indexed",
    "fast",
    "fieldnorms",
    "input_formats",
    "output_format",
    "fast_precision",
    "description",
];

const MAPPING_KEYS: [&str; 7] =
    ["mode", "store_source", "tokenizers", "field_mappings", "timestamp_field", "tag_fields", "partition_key"];

const CONFIG_KEYS: [&str; 6] =
    ["version", "index_id", "doc_mapping", "indexing_settings", "search_settings", "retention"];

impl Definition {
    pub(crate) fn new(kind: Kind, given: &Value) -> Result<Self, String> {
        match kind {
            Kind::Quickwit => Self::of_quickwit(given),
            Kind::Elasticsearch => Self::of_elasticsearch(given),
        }
    }

    fn of_quickwit(given: &Value) -> Result<Self, String> {
        known_keys(given, &CONFIG_KEYS)?;
        known_keys(&given["doc_mapping"], &MAPPING_KEYS)?;
        let is_own = |name: &str| {
            let own = given["doc_mapping"]["tokenizers"].as_array();
            own.is_some_and(|own| own.iter().any(|tokenizer| tokenizer["name"] == name))
        };
        let mut fields = BTreeMap::new();
        for field in given["doc_mapping"]["field_mappings"].as_array().into_iter().flatten() {
            known_keys(field, &FIELD_KEYS)?;
            let name = field["name"].as_str().ok_or("a field has no name")?;
            let flag = |key: &str, default: bool| field[key].as_bool().unwrap_or(default);
            let is_text = field["type"] == "text";
            if !flag("indexed", true) && ["tokenizer", "record", "fieldnorms"].iter().any(|key| !field[*key].is_null())
            {
                return Err(format!("field `{name}` is not indexed and has a tokenizer"));
            }
            let tokens = match field["tokenizer"].as_str().unwrap_or("default") {
                "raw" => Tokens::Raw,
                "default" => Tokens::Default,
                "whitespace" => Tokens::Blanks,
                own if is_own(own) => Tokens::Blanks,
                own => return Err(format!("invalid config: unknown tokenizer `{own}` for field `{name}`")),
            };
            let field = Field {
                is_text,
                tokens: if is_text { tokens } else { Tokens::Raw },
                has_positions: field["record"] == "position",
                has_norms: flag("fieldnorms", false),
                is_indexed: flag("indexed", true),
                is_stored: flag("stored", true),
                is_fast: flag("fast", false),
            };
            fields.insert(name.to_owned(), field);
        }
        Ok(Self { fields, given: given.clone() })
    }

    fn of_elasticsearch(given: &Value) -> Result<Self, String> {
        known_keys(given, &["settings", "mappings"])?;
        known_keys(&given["mappings"], &["dynamic", "_source", "properties"])?;
        let excluded = given["mappings"]["_source"]["excludes"].as_array().cloned().unwrap_or_default();
        let mut fields = BTreeMap::new();
        for (name, field) in given["mappings"]["properties"].as_object().into_iter().flatten() {
            known_keys(field, &["type", "analyzer", "index_options", "index", "doc_values", "ignore_above"])?;
            let kind = field["type"].as_str().unwrap_or_default();
            let field = Field {
                is_text: ["text", "keyword"].contains(&kind),
                tokens: if kind == "text" { Tokens::Blanks } else { Tokens::Raw },
                has_positions: field["index_options"] == "positions",
                has_norms: kind == "text",
                is_indexed: field["index"] != false,
                is_stored: !excluded.iter().any(|own| own == name.as_str()),
                is_fast: kind != "text" && field["doc_values"] != false,
            };
            fields.insert(name.clone(), field);
        }
        Ok(Self { fields, given: given.clone() })
    }

    /// What is wrong with a document.
    pub(crate) fn check(&self, document: &Value) -> Result<(), String> {
        let fields = document.as_object().ok_or("the document is not an object")?;
        for (name, value) in fields {
            let Some(field) = self.fields.get(name) else {
                let reason = "the document contains a field that is not declared in the schema: ";
                return Err(format!("{reason}\"{name}\""));
            };
            let is_right =
                if field.is_text { value.is_string() } else { value.is_i64() || value.is_u64() || value.is_f64() };
            if !is_right {
                return Err(format!("the field `{name}` could not be parsed: {value}"));
            }
        }
        Ok(())
    }
}

fn known_keys(value: &Value, known: &[&str]) -> Result<(), String> {
    let unknown =
        value.as_object().into_iter().flat_map(|object| object.keys()).find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| Err(format!("unknown field `{key}`, expected one of {}", list(known))))
}

/// Names as the engine lists them.
pub(crate) fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
