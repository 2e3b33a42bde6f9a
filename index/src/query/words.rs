//! Words of a query: their forms in the languages of the index, and the engine's queries for them.

use lopper_analysis::{Analyzer, Language, Surface, for_each_surface};
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{TantivyError, Term};

use super::near::NearQuery;
use crate::highlight::Form;
use crate::lexicon::Lexicon;

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
    pub(super) lexicon: &'a Lexicon<'a>,
    /// The field of a block's language.
    pub(super) language: Field,
    /// Languages to try every word in.
    pub(super) languages: &'a [Language],
    pub(super) analyzer: &'a mut Analyzer,
}

/// Spellings of a phrase that are tried in one language.
const PHRASE_SPELLINGS_MAX: usize = 32;

/// The terms of a phrase with their places in it.
type Sequence = Vec<(usize, Term)>;

impl WordQueries<'_> {
    /// The different forms of a word in all languages, the plain one first.
    pub(super) fn forms(&mut self, surface: &Surface<'_>) -> Vec<Form> {
        self.analyzer.forms(surface, self.languages)
    }

    /// Blocks in which the most frequent form of a word stands.
    pub(super) fn document_frequency(&self, field: Field, forms: &[Form]) -> Result<u64, TantivyError> {
        let mut most = 0;
        for form in forms {
            most = most.max(self.lexicon.frequency(field, &form.term)?);
        }
        Ok(most)
    }

    /// The best of a word's forms that `field` has.
    ///
    /// A stem counts in blocks of its language alone: that of another language may be any word here. Every stem counts as rare
    /// as the most frequent one, since its own inverse document frequency would put a stem of a rare language first. Another
    /// spelling counts at most as rare, times its factor; it does not make the word itself count less.
    pub(super) fn any_form(&self, field: Field, forms: &[Form]) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let mut known = Vec::with_capacity(forms.len());
        let mut least_idf = f32::INFINITY;
        for form in forms {
            let document_frequency = self.lexicon.frequency(field, &form.term)?;
            if document_frequency > 0 {
                let term = Term::from_field_text(field, &form.term);
                let idf = self.idf(document_frequency)?;
                if form.factor >= 1.0 {
                    least_idf = least_idf.min(idf);
                }
                known.push((term, idf, form));
            }
        }
        if known.is_empty() {
            return Ok(None);
        }
        let mut queries = Vec::with_capacity(known.len());
        for (term, idf, form) in known {
            let mut query: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            let boost = form.factor * idf.min(least_idf) / idf;
            if boost < 1.0 {
                query = Box::new(BoostQuery::new(query, boost));
            }
            queries.push(self.only_in(&form.languages, query));
        }
        Ok(Some(best_of(queries)))
    }

    /// The best of a phrase's sequences that the index may have: those of each language, no two languages mixed.
    pub(super) fn any_sequence(
        &mut self,
        field: Field,
        surfaces: &[Surface<'_>],
        slop: u32,
    ) -> Result<Box<dyn Query>, TantivyError> {
        let mut sequences: Vec<(Sequence, Vec<Language>)> = Vec::new();
        for language in std::iter::once(Language::UNDETERMINED).chain(self.languages.iter().copied()) {
            for sequence in self.sequences(field, surfaces, language)? {
                match sequences.iter().position(|(known, _)| *known == sequence) {
                    Some(known) if sequences[known].1.is_empty() => {}
                    Some(known) => sequences[known].1.push(language),
                    None if language == Language::UNDETERMINED => sequences.push((sequence, Vec::new())),
                    None => sequences.push((sequence, vec![language])),
                }
            }
        }
        let mut queries: Vec<Box<dyn Query>> = Vec::new();
        for (sequence, languages) in sequences {
            let query: Box<dyn Query> = match slop {
                0 => Box::new(PhraseQuery::new_with_offset(sequence)),
                _ => Box::new(NearQuery::new(sequence, slop)),
            };
            queries.push(self.only_in(&languages, query));
        }
        Ok(best_of(queries))
    }

    /// The sequences of a phrase in one language whose terms are in the index, likely ones first.
    ///
    /// Where most words may be spelled in two ways there are too many; writers keep to one way, so those with fewest words in
    /// the way that is rarer in them are tried.
    fn sequences(
        &mut self,
        field: Field,
        surfaces: &[Surface<'_>],
        language: Language,
    ) -> Result<Vec<Sequence>, TantivyError> {
        let mut sequences: Vec<(usize, Sequence)> = vec![(0, Vec::new())];
        for (words, surface) in surfaces.iter().enumerate() {
            let offset = (surface.position - surfaces[0].position) as usize;
            let mut longer = Vec::new();
            for (spelling, text) in self.analyzer.spellings(surface, language).into_iter().enumerate() {
                if self.lexicon.frequency(field, &text)? > 0 {
                    let term = Term::from_field_text(field, &text);
                    longer.extend(sequences.iter().map(|(respelled, sequence)| {
                        let term = std::iter::once((offset, term.clone()));
                        (respelled + usize::from(spelling > 0), sequence.iter().cloned().chain(term).collect())
                    }));
                }
            }
            longer.sort_by_key(|(respelled, _)| *respelled.min(&(words + 1 - respelled)));
            longer.truncate(PHRASE_SPELLINGS_MAX);
            sequences = longer;
        }
        Ok(sequences.into_iter().map(|(_, sequence)| sequence).collect())
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

    /// The engine's inverse document frequency, ln(1 + (N − n + 0.5) / (n + 0.5)).
    fn idf(&self, document_frequency: u64) -> Result<f32, TantivyError> {
        use tantivy::query::Bm25StatisticsProvider;
        let documents = self.lexicon.searcher.total_num_docs()? as f32;
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
