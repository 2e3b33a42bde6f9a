//! Whether a block that came back meets a clause: engines are asked for at least those that do, and this has the last word.

use lopper_analysis::TermForm;
use lopper_index::{BlockDocument, Clause, Filter, Phrase, ResolvedWord, TermSequence, host_and_parents};

use crate::document::host_and_path;
use crate::fetched::{FetchedBlock, Terms};

/// Whether a block meets a clause. Of a kind that is not known here no block does.
pub(crate) fn meets(block: &FetchedBlock, clause: &Clause) -> bool {
    match clause {
        Clause::Bool { must, should, must_not } => {
            let any = |clauses: &[Clause]| clauses.iter().any(|clause| meets(block, clause));
            must.iter().all(|clause| meets(block, clause)) && (should.is_empty() || any(should)) && !any(must_not)
        }
        Clause::AnyWord(words) => words.iter().any(|word| has_word(block, word)),
        Clause::Phrase(phrase) => has_phrase(block, phrase),
        Clause::Filter(filter) => passes(&block.document, filter),
        _ => false,
    }
}

/// Whether a form of a word stands in the word's field.
pub(crate) fn has_word(block: &FetchedBlock, word: &ResolvedWord) -> bool {
    word.forms.iter().any(|form| count(block, block.text(word.field), form) > 0)
}

/// How often a form stands in a text of a block.
pub(crate) fn count(block: &FetchedBlock, text: &Terms, form: &TermForm) -> u32 {
    if form.allows(block.document.language) { text.count(&form.term) } else { 0 }
}

fn has_phrase(block: &FetchedBlock, phrase: &Phrase) -> bool {
    let text = block.text(phrase.field);
    let in_language = |sequence: &TermSequence| {
        sequence.languages.is_empty() || sequence.languages.contains(&block.document.language)
    };
    phrase.sequences.iter().any(|sequence| in_language(sequence) && has_sequence(text, sequence, phrase.slop))
}

fn has_sequence(text: &Terms, sequence: &TermSequence, slop: u32) -> bool {
    let places: Vec<(i64, &str)> =
        sequence.terms.iter().map(|(offset, term)| (*offset as i64, term.as_str())).collect();
    if places.iter().any(|(_, term)| text.count(term) == 0) {
        return false;
    }
    let mut moves = places.iter().flat_map(|(offset, term)| text.positions(term).map(move |at| i64::from(at) - offset));
    moves.any(|least| fits(text, &places, least, i64::from(slop)))
}

/// Whether each term has a place of its own, moved by `least` to `least + slop`: tries the first free one, which is the best.
fn fits(text: &Terms, places: &[(i64, &str)], least: i64, slop: i64) -> bool {
    let mut taken: Vec<(&str, i64)> = Vec::new();
    places.iter().all(|(offset, term)| {
        let range = least + offset..=least + offset + slop;
        let mut all = text.positions(term).map(i64::from);
        let free = all.find(|place| range.contains(place) && !taken.contains(&(*term, *place)));
        taken.extend(free.map(|place| (*term, place)));
        free.is_some()
    })
}

fn passes(block: &BlockDocument, filter: &Filter) -> bool {
    match filter {
        Filter::Site(host) => host_and_parents(&block.host).any(|own| own == host),
        Filter::UrlUnder { host, path } => is_under(&block.url, host, path),
        Filter::Language(language) => block.language == *language,
        Filter::PageType(name) => block.page_type == *name,
        Filter::Captured { from, to } => {
            let is_within = |at: i64| from.is_none_or(|from| from <= at) && to.is_none_or(|to| at <= to);
            block.captured_at.is_some_and(is_within)
        }
        _ => false,
    }
}

fn is_under(url: &str, host: &str, path: &str) -> bool {
    let Some((own_host, own_path)) = host_and_path(url) else { return false };
    let without_www = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
    let Some(behind) = own_path.strip_prefix(path) else { return false };
    without_www(own_host) == without_www(host) && (behind.is_empty() || behind.starts_with(['/', '?', '#']))
}
