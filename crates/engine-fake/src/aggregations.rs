//! `terms` aggregations.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::answer::Failure;
use crate::definition::Definition;
use crate::query::Matches;
use crate::split::Split;

/// Counts the values of fields, each by a name of its own.
pub(crate) fn aggregate(
    definition: &Definition,
    found: &[(&Split, Matches)],
    wanted: &Value,
) -> Result<Value, Failure> {
    let mut all = Map::new();
    for (name, own) in wanted.as_object().into_iter().flatten() {
        let terms = own.as_object().filter(|own| own.len() == 1).and_then(|own| own.get("terms"));
        let terms = terms.ok_or_else(|| Failure::parsing(format!("aggregation `{name}` is not part of the fake")))?;
        let field = terms["field"].as_str().unwrap_or_default();
        if !definition.fields.get(field).is_some_and(|field| field.is_fast) {
            return Err(Failure::searching(400, format!("field `{field}` is not a fast field")));
        }
        all.insert(name.clone(), counted(found, field, terms["size"].as_u64().unwrap_or(10) as usize));
    }
    Ok(Value::Object(all))
}

fn counted(found: &[(&Split, Matches)], field: &str, size: usize) -> Value {
    let mut counts: BTreeMap<String, (Value, u64)> = BTreeMap::new();
    for (split, matches) in found {
        let column = &split.columns[field];
        for (doc, _) in matches {
            let word = || column.words[*doc as usize].as_ref().map(|word| json!(word));
            let Some(value) = column.numbers[*doc as usize].map(|number| json!(number)).or_else(word) else { continue };
            counts.entry(value.to_string()).or_insert((value, 0)).1 += 1;
        }
    }
    let mut counts: Vec<(Value, u64)> = counts.into_values().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let others: u64 = counts.iter().skip(size).map(|(_, count)| count).sum();
    let buckets = counts.into_iter().take(size).map(|(key, count)| json!({"key": key, "doc_count": count}));
    json!({"buckets": buckets.collect::<Vec<_>>(), "sum_other_doc_count": others, "doc_count_error_upper_bound": 0})
}
