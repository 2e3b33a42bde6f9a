//! In what the engines' dialects differ: one table.

use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};

use crate::layout::{FieldKind, IndexLayout};

/// Kinds of engines that can take the place of the one inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// Quickwit, from 0.9 on.
    Quickwit,
    /// Elasticsearch 7 to 9, OpenSearch 1 to 3.
    Elasticsearch,
}

impl EngineKind {
    /// Its name in settings.
    pub fn name(self) -> &'static str {
        self.dialect().name
    }

    pub(crate) fn dialect(self) -> &'static Dialect {
        match self {
            Self::Quickwit => &QUICKWIT,
            Self::Elasticsearch => &ELASTICSEARCH,
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let kinds = [Self::Quickwit, Self::Elasticsearch];
        let known = kinds.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| format!("`{name}` is no kind of engine: quickwit, elasticsearch"))
    }
}

/// What an engine says of itself, and whether that is one of the kind.
pub(crate) type IsKnown = fn(distribution: &str, number: &str) -> bool;

/// How one kind of engine is spoken to, where it differs.
#[derive(Debug)]
pub(crate) struct Dialect {
    pub(crate) name: &'static str,
    /// What stands before `_search`, `_bulk` and `_count`.
    pub(crate) base: &'static str,
    /// Makes an index of a definition: method and path.
    pub(crate) create: (&'static str, fn(&str) -> String),
    /// The definition of an index.
    pub(crate) definition: fn(&str, &IndexLayout) -> Value,
    /// Path of an index that is dropped.
    pub(crate) drop: fn(&str) -> String,
    /// The line of `_bulk` before a document, which has that name.
    pub(crate) action: fn(&str) -> Value,
    /// When an acknowledgement of `_bulk` means that the documents survive: value of `refresh`.
    pub(crate) durable: &'static str,
    pub(crate) is_known: IsKnown,
    /// What [`is_known`](Self::is_known) takes, in words.
    pub(crate) wanted: &'static str,
}

/// Quickwit has no identities of documents, and its acknowledgement alone is not durable.
static QUICKWIT: Dialect = Dialect {
    name: "quickwit",
    base: "/api/v1/_elastic",
    create: ("POST", |_| "/api/v1/indexes".to_owned()),
    definition: quickwit_definition,
    drop: |index| format!("/api/v1/indexes/{index}"),
    action: |_| json!({"create": {}}),
    durable: "wait_for",
    // It names the version of another engine.
    is_known: |distribution, _| distribution == "quickwit",
    wanted: "Quickwit",
};

/// Its translog is synced before it acknowledges; waiting makes the documents visible besides.
static ELASTICSEARCH: Dialect = Dialect {
    name: "elasticsearch",
    base: "",
    create: ("PUT", |index| format!("/{index}")),
    definition: elasticsearch_definition,
    drop: |index| format!("/{index}"),
    action: |name| json!({"index": {"_id": name}}),
    durable: "wait_for",
    is_known: |distribution, number| {
        let major = number.split('.').next().unwrap_or_default();
        match distribution {
            "opensearch" => ["1", "2", "3"].contains(&major),
            "quickwit" => false,
            _ => ["7", "8", "9"].contains(&major),
        }
    },
    wanted: "Elasticsearch 7, 8 or 9, or OpenSearch 1, 2 or 3",
};

/// Name of the tokenizer that cuts terms apart at blanks.
const TOKENIZER: &str = "lopper_terms";

fn quickwit_definition(index: &str, layout: &IndexLayout) -> Value {
    let field = |(name, kind): &(&str, FieldKind)| match kind {
        FieldKind::Word => {
            json!({"name": name, "type": "text", "tokenizer": "raw", "record": "basic", "stored": true, "fast": true})
        }
        FieldKind::Terms { positions } => json!({
            "name": name, "type": "text", "tokenizer": TOKENIZER, "stored": false, "fieldnorms": true,
            "record": if *positions { "position" } else { "freq" },
        }),
        FieldKind::Number => json!({"name": name, "type": "i64", "stored": true, "indexed": true, "fast": true}),
        FieldKind::Kept => json!({"name": name, "type": "text", "stored": true, "indexed": false}),
    };
    let fields: Vec<Value> = layout.fields.iter().map(field).collect();
    json!({
        "version": "0.8",
        "index_id": index,
        "doc_mapping": {
            "mode": "strict",
            "store_source": false,
            "tokenizers": [{"name": TOKENIZER, "type": "regex", "pattern": "[^ ]+"}],
            "field_mappings": fields,
        },
        "indexing_settings": {"commit_timeout_secs": 10},
    })
}

fn elasticsearch_definition(_: &str, layout: &IndexLayout) -> Value {
    let field = |(name, kind): &(&str, FieldKind)| {
        let mapping = match kind {
            FieldKind::Word => json!({"type": "keyword", "ignore_above": 8191}),
            FieldKind::Terms { positions } => json!({
                "type": "text", "analyzer": TOKENIZER,
                "index_options": if *positions { "positions" } else { "freqs" },
            }),
            FieldKind::Number => json!({"type": "long"}),
            FieldKind::Kept => json!({"type": "keyword", "index": false, "doc_values": false}),
        };
        ((*name).to_owned(), mapping)
    };
    let is_terms = |(_, kind): &&(&str, FieldKind)| matches!(kind, FieldKind::Terms { .. });
    let only_indexed: Vec<&str> = layout.fields.iter().filter(is_terms).map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> = layout.fields.iter().map(field).collect();
    json!({
        "settings": {"analysis": {
            "tokenizer": {TOKENIZER: {"type": "pattern", "pattern": " "}},
            "analyzer": {TOKENIZER: {"type": "custom", "tokenizer": TOKENIZER}},
        }},
        "mappings": {"dynamic": "strict", "_source": {"excludes": only_indexed}, "properties": properties},
    })
}
