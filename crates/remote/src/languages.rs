//! How many blocks of each language have a term.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use lopper_analysis::Language;
use lopper_index::LanguageCount;
use serde_json::{Value, json};

use crate::at_once::{AT_ONCE, ask_at_once};
use crate::error::RemoteError;
use crate::hits::{Search, term};
use crate::snapshot::{Asking, COUNTS_MAX, State};

/// Languages that are told of a term.
const LANGUAGES_MAX: usize = 200;

/// What was counted of the terms of one state.
#[derive(Default)]
pub(crate) struct TermLanguages(Mutex<HashMap<String, Vec<LanguageCount>>>);

impl TermLanguages {
    /// The blocks that have each of these terms, by language. What was not counted before is, some at the same time. Blocks of former
    /// batches may count.
    pub(crate) fn count(
        &self,
        state: &State,
        terms: &[&str],
    ) -> Result<HashMap<String, Vec<LanguageCount>>, RemoteError> {
        let mut counts = HashMap::new();
        let mut new: Vec<&str> = Vec::new();
        for own in terms {
            match self.known().get(*own) {
                Some(known) => drop(counts.insert((*own).to_owned(), known.clone())),
                None if !new.contains(own) => new.push(own),
                None => {}
            }
        }
        for some in new.chunks(AT_ONCE) {
            let counted = ask_at_once(some, |own| ask(state, own));
            for (own, found) in some.iter().zip(counted) {
                let found = found?;
                self.remember(own, found.clone());
                counts.insert((*own).to_owned(), found);
            }
        }
        Ok(counts)
    }

    fn remember(&self, own: &str, counts: Vec<LanguageCount>) {
        let mut known = self.known();
        if known.len() >= COUNTS_MAX {
            known.clear();
        }
        known.insert(own.to_owned(), counts);
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, Vec<LanguageCount>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ask(state: &State, own: &str) -> Result<Vec<LanguageCount>, RemoteError> {
    let mut search = Search::new(term("terms", own), 0, Value::Null);
    search.aggregations = json!({"lang": {"terms": {"field": "lang", "size": LANGUAGES_MAX}}});
    let found = state.search(Asking::Blocks, &search)?;
    let buckets = found.aggregations["lang"]["buckets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let count = |bucket: &Value| {
        let language = Language::from_code(bucket["key"].as_str()?);
        Some(LanguageCount { language, blocks: bucket["doc_count"].as_u64()? })
    };
    Ok(buckets.iter().filter_map(count).collect())
}
