//! The query's words as engines are asked for them.

use std::collections::HashMap;

use lopper_index::engine::{KnownForm, RankWord};
use lopper_index::{ResolvedQuery, ResolvedWord};
use serde_json::Value;

use crate::error::RemoteError;
use crate::filters::{field_name, in_languages};
use crate::hits::{boosted, term};
use crate::snapshot::{Asking, State};

/// ln(1 + (N − n + 0.5) / (n + 0.5)): what engines take as a term's idf, of a collection in one part.
fn idf(documents: u64, having: u64) -> f32 {
    let (all, n) = (documents as f32, having as f32);
    (1.0 + (all - n + 0.5).max(0.0) / (n + 0.5)).ln()
}

/// Of each word the forms that the engine has, with their frequencies.
pub(crate) fn known_forms(state: &State, query: &ResolvedQuery) -> Result<Vec<Vec<KnownForm>>, RemoteError> {
    let forms = || query.words.iter().flat_map(|word| &word.forms);
    let asked = forms().flat_map(|form| {
        let names = (form.languages.is_empty() && form.counts_as_word())
            .then(|| (Asking::Blocks, term("name_terms", &form.term)));
        let both = [Asking::Blocks, Asking::Pages].map(|of| (of, term("terms", &form.term)));
        both.into_iter().chain(names)
    });
    state.count_all(asked.collect())?;
    let mut languages = HashMap::new();
    if state.facts.has_languages() {
        let mut terms = Vec::new();
        for word in &query.words {
            let factor_max = word.factor_max();
            for form in word.forms.iter().filter(|form| form.factor >= factor_max) {
                if state.frequency(Asking::Blocks, "terms", &form.term)? > 0 {
                    terms.push(form.term.as_str());
                }
            }
        }
        languages = state.languages.count(state, &terms)?;
    }
    let known = |form: &lopper_analysis::TermForm| {
        let blocks = state.frequency(Asking::Blocks, "terms", &form.term)?;
        let pages = state.frequency(Asking::Pages, "terms", &form.term)?;
        let mut is_known = blocks > 0 || (form.languages.is_empty() && pages > 0);
        if !is_known && form.languages.is_empty() && form.counts_as_word() {
            is_known = state.frequency(Asking::Blocks, "name_terms", &form.term)? > 0;
        }
        Ok(is_known.then(|| KnownForm {
            form: form.clone(),
            blocks,
            pages,
            languages: languages.get(&form.term).cloned().unwrap_or_default(),
        }))
    };
    let of_word = |word: &ResolvedWord| word.forms.iter().filter_map(|form| known(form).transpose()).collect();
    query.words.iter().map(of_word).collect()
}

/// The words of a ranking in the joined text of blocks, so that a word counts by the idf of the whole collection.
pub(crate) fn block_words(words: &[RankWord], blocks: u64) -> Vec<Value> {
    scored(words, |word| word.idf, blocks, |known| known.blocks)
}

/// The same in that of pages.
pub(crate) fn page_words(words: &[RankWord], pages: u64) -> Vec<Value> {
    scored(words, |word| word.page_idf, pages, |known| known.pages)
}

/// The engine multiplies by the idf of each term; so what it is to be multiplied by instead is divided by that.
fn scored(words: &[RankWord], weight: fn(&RankWord) -> f32, documents: u64, of: fn(&KnownForm) -> u64) -> Vec<Value> {
    let mut queries = Vec::new();
    for word in words {
        for known in word.forms.iter().filter(|known| of(known) > 0) {
            let boost = weight(word) * word.factor(&known.form) / idf(documents, of(known)).max(f32::MIN_POSITIVE);
            queries.push(boosted("terms", &known.form.term, boost.clamp(1e-6, 1e6)));
        }
    }
    queries
}

/// The words of a query by the engine's own BM25, a word's form no rarer than its most frequent one.
pub(crate) fn own_words(state: &State, query: &ResolvedQuery) -> Result<Vec<Value>, RemoteError> {
    let mut queries = Vec::new();
    for word in &query.words {
        let field = field_name(word.field);
        let mut known = Vec::new();
        for form in &word.forms {
            let having = state.frequency(Asking::Blocks, field, &form.term)?;
            if having > 0 {
                known.push((form, idf(state.facts.blocks, having)));
            }
        }
        let plain = known.iter().filter(|(form, _)| form.factor >= 1.0);
        let least = plain.map(|(_, idf)| *idf).fold(f32::INFINITY, f32::min);
        for (form, idf) in known {
            let boost = form.factor * idf.min(least) / idf.max(f32::MIN_POSITIVE);
            queries.push(in_languages(boosted(field, &form.term, boost.clamp(1e-6, 1e6)), &form.languages));
        }
    }
    Ok(queries)
}
