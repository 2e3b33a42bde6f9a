//! Words of a query: their forms in the languages of the index, and the engine's queries for them.

use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TantivyError, Term};

use super::near::NearQuery;
use crate::analysis::{Analyzer, Language, Surface, for_each_surface};
use crate::highlight::Form;

/// A word by which blocks are ranked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScoringWord {
    /// The word as the user wrote it, or as it was corrected; of a prefix, the prefix.
    pub(crate) surface: String,
    /// The terms it may stand as in the index, the plain one first.
    pub(crate) forms: Vec<Form>,
    /// What it counts in the ranking; 1 for a word of the user's.
    pub(crate) weight: f32,
    /// The one field it is looked for in; in none, in all of the block.
    pub(crate) field: Option<Field>,
}

/// Looks words up in one state of the index.
pub(super) struct WordQueries<'a> {
    pub(super) searcher: &'a Searcher,
    /// The field of a block's language.
    pub(super) language: Field,
    /// Languages to try every word in.
    pub(super) languages: &'a [Language],
    pub(super) analyzer: &'a mut Analyzer,
}

/// The terms of a phrase with their places in it.
type Sequence = Vec<(usize, Term)>;

impl WordQueries<'_> {
    /// The different terms of a word in all languages, the plain one first.
    pub(super) fn forms(&mut self, surface: &Surface<'_>) -> Vec<Form> {
        let plain = self.analyzer.term(surface, Language::UNDETERMINED).to_owned();
        let mut forms = vec![Form { term: plain, languages: Vec::new() }];
        if surface.is_pair {
            return forms;
        }
        for &language in self.languages {
            let term = self.analyzer.term(surface, language);
            match forms.iter().position(|known| known.term == term) {
                Some(0) => {}
                Some(known) => forms[known].languages.push(language),
                None => forms.push(Form { term: term.to_owned(), languages: vec![language] }),
            }
        }
        forms
    }

    /// Blocks in which the most frequent form of a word stands.
    pub(super) fn document_frequency(&self, field: Field, forms: &[Form]) -> Result<u64, TantivyError> {
        let mut most = 0;
        for form in forms {
            most = most.max(self.searcher.doc_freq(&Term::from_field_text(field, &form.term))?);
        }
        Ok(most)
    }

    /// The best of a word's forms that `field` has.
    ///
    /// A stem counts in blocks of its language alone: that of another language may be any word here. Every form counts as rare
    /// as the most frequent one, since its own inverse document frequency would put a stem of a rare language first.
    pub(super) fn any_form(&self, field: Field, forms: &[Form]) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let mut known = Vec::with_capacity(forms.len());
        for form in forms {
            let term = Term::from_field_text(field, &form.term);
            let document_frequency = self.searcher.doc_freq(&term)?;
            if document_frequency > 0 {
                known.push((term, document_frequency, &form.languages));
            }
        }
        let Some(most_frequent) = known.iter().map(|(_, frequency, _)| *frequency).max() else {
            return Ok(None);
        };
        let least_idf = self.idf(most_frequent)?;
        let mut queries = Vec::with_capacity(known.len());
        for (term, frequency, languages) in known {
            let mut query: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            if frequency != most_frequent {
                query = Box::new(BoostQuery::new(query, least_idf / self.idf(frequency)?));
            }
            queries.push(self.only_in(languages, query));
        }
        Ok(Some(best_of(queries)))
    }

    /// The best of a phrase's sequences that `field` may have: one for each language, none mixed. There are at least two words.
    pub(super) fn any_sequence(
        &mut self,
        field: Field,
        surfaces: &[Surface<'_>],
        slop: u32,
    ) -> Result<Box<dyn Query>, TantivyError> {
        let mut sequences: Vec<(Sequence, Vec<Language>)> = Vec::new();
        for language in std::iter::once(Language::UNDETERMINED).chain(self.languages.iter().copied()) {
            let sequence = self.sequence(field, surfaces, language);
            match sequences.iter().position(|(known, _)| *known == sequence) {
                Some(0) => {}
                Some(known) => sequences[known].1.push(language),
                None if language == Language::UNDETERMINED => sequences.push((sequence, Vec::new())),
                None => sequences.push((sequence, vec![language])),
            }
        }
        let mut queries: Vec<Box<dyn Query>> = Vec::new();
        for (sequence, languages) in sequences {
            if self.has_all(&sequence)? {
                let query: Box<dyn Query> = match slop {
                    0 => Box::new(PhraseQuery::new_with_offset(sequence)),
                    _ => Box::new(NearQuery::new(sequence, slop)),
                };
                queries.push(self.only_in(&languages, query));
            }
        }
        Ok(best_of(queries))
    }

    fn sequence(&mut self, field: Field, surfaces: &[Surface<'_>], language: Language) -> Sequence {
        let terms = surfaces.iter().map(|surface| {
            let offset = (surface.position - surfaces[0].position) as usize;
            (offset, Term::from_field_text(field, self.analyzer.term(surface, language)))
        });
        terms.collect()
    }

    /// `query` within blocks of these languages; with none, within all.
    fn only_in(&self, languages: &[Language], query: Box<dyn Query>) -> Box<dyn Query> {
        if languages.is_empty() {
            return query;
        }
        let terms = languages.iter().map(|language| {
            let term = Term::from_field_text(self.language, language.code());
            Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>
        });
        let within = ConstScoreQuery::new(Box::new(BooleanQuery::union(terms.collect())), 0.0);
        Box::new(BooleanQuery::intersection(vec![query, Box::new(within)]))
    }

    fn has_all(&self, sequence: &[(usize, Term)]) -> Result<bool, TantivyError> {
        for (_, term) in sequence {
            if self.searcher.doc_freq(term)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The engine's inverse document frequency, ln(1 + (N − n + 0.5) / (n + 0.5)).
    fn idf(&self, document_frequency: u64) -> Result<f32, TantivyError> {
        use tantivy::query::Bm25StatisticsProvider;
        let documents = self.searcher.total_num_docs()? as f32;
        let n = document_frequency as f32;
        Ok((1.0 + (documents - n + 0.5) / (n + 0.5)).ln())
    }
}

/// Matches what any query matches, with the highest of their scores.
fn best_of(mut queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match queries.len() {
        0 => Box::new(EmptyQuery),
        1 => queries.swap_remove(0),
        _ => Box::new(DisjunctionMaxQuery::new(queries)),
    }
}

pub(super) fn surfaces(text: &str) -> Vec<Surface<'_>> {
    let mut surfaces = Vec::new();
    for_each_surface(text, |surface| surfaces.push(surface));
    surfaces
}
