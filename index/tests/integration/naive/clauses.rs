//! Whether a block meets a clause.

use lopper_analysis::TermForm;
use lopper_index::{BlockDocument, Clause, Filter, Phrase, ResolvedWord, TermSequence, host_and_parents};

use super::collection::{Collection, NaiveBlock, Terms};

impl Collection {
    pub(super) fn matches(&self, block: &NaiveBlock, clause: &Clause) -> bool {
        match clause {
            Clause::Bool { must, should, must_not } => {
                let any = |clauses: &[Clause]| clauses.iter().any(|clause| self.matches(block, clause));
                must.iter().all(|clause| self.matches(block, clause))
                    && (should.is_empty() || any(should))
                    && !any(must_not)
            }
            Clause::AnyWord(words) => words.iter().any(|word| self.has_word(block, word)),
            Clause::Phrase(phrase) => self.has_phrase(block, phrase),
            Clause::Filter(filter) => meets(&block.document, filter),
            other => panic!("no such clause was known: {other:?}"),
        }
    }

    pub(super) fn has_word(&self, block: &NaiveBlock, word: &ResolvedWord) -> bool {
        word.forms.iter().any(|form| self.count(block, block.text(word.field), form) > 0)
    }

    /// How often a form stands in a text of a block.
    pub(super) fn count(&self, block: &NaiveBlock, text: &Terms, form: &TermForm) -> u32 {
        let term = self.term(&form.term).filter(|_| form.allows(block.document.language));
        term.map_or(0, |term| text.count(term))
    }

    fn has_phrase(&self, block: &NaiveBlock, phrase: &Phrase) -> bool {
        let text = block.text(phrase.field);
        let in_language = |sequence: &TermSequence| {
            sequence.languages.is_empty() || sequence.languages.contains(&block.document.language)
        };
        phrase.sequences.iter().any(|sequence| in_language(sequence) && self.has_sequence(text, sequence, phrase.slop))
    }

    fn has_sequence(&self, text: &Terms, sequence: &TermSequence, slop: u32) -> bool {
        let mut places: Vec<(i64, &[u32])> = Vec::new();
        for (offset, term) in &sequence.terms {
            let Some(term) = self.term(term) else { return false };
            places.push((*offset as i64, text.positions(term)));
        }
        let moves = places.iter().flat_map(|(offset, at)| at.iter().map(move |at| i64::from(*at) - offset));
        moves.into_iter().any(|least| fits(&places, least, i64::from(slop)))
    }
}

/// Whether each term has a place of its own, moved by `least` to `least + slop`: tries the first free one, which is the best.
fn fits(places: &[(i64, &[u32])], least: i64, slop: i64) -> bool {
    let mut taken: Vec<(*const u32, i64)> = Vec::new();
    places.iter().all(|(offset, at)| {
        let range = least + offset..=least + offset + slop;
        // The same term at another place of the phrase has the same list of places.
        let is_free = |place: i64| !taken.contains(&(at.as_ptr(), place));
        let free = at.iter().map(|at| i64::from(*at)).find(|place| range.contains(place) && is_free(*place));
        taken.extend(free.map(|place| (at.as_ptr(), place)));
        free.is_some()
    })
}

pub(super) fn meets(block: &BlockDocument, filter: &Filter) -> bool {
    match filter {
        Filter::Site(host) => host_and_parents(&block.host).any(|own| own == host),
        Filter::UrlUnder { host, path } => is_under(&block.url, host, path),
        Filter::Language(language) => block.language == *language,
        Filter::PageType(name) => block.page_type == *name,
        Filter::Captured { from, to } => {
            let is_within = |at: i64| from.is_none_or(|from| from <= at) && to.is_none_or(|to| at <= to);
            block.captured_at.is_some_and(is_within)
        }
        Filter::Nothing => false,
        other => panic!("no such filter was known: {other:?}"),
    }
}

fn is_under(url: &str, host: &str, path: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")) else { return false };
    let (authority, own_path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let own_host = match authority.rsplit_once(':') {
        Some((own, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => own,
        _ => authority,
    };
    let without_www = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
    let Some(behind) = own_path.strip_prefix(path) else { return false };
    without_www(own_host) == without_www(host) && (behind.is_empty() || behind.starts_with(['/', '?', '#']))
}
