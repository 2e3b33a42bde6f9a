//! From clauses to tantivy's queries.

use std::ops::Bound;
use std::sync::Arc;

use tantivy::query::{
    AutomatonWeight, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, EnableScoring, Occur,
    Query, RangeQuery, TermQuery, Weight,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{TantivyError, Term};

use super::automata::{UrlsUnder, spellings};
use super::lexicon::Lexicon;
use super::metered::MeteredQuery;
use super::near::NearQuery;
use super::schema::Fields;
use super::steady::SteadyQuery;
use crate::engine::Budget;
use crate::query::{Clause, Filter, Phrase, ResolvedQuery, ResolvedWord, TextField};
use lopper_analysis::{Language, TermForm};

/// A query ready for tantivy.
#[derive(Default)]
pub(super) struct CompiledQuery {
    /// What a block must meet, whatever its score. It has the score 0.
    pub(super) constraint: Option<Box<dyn Query>>,
    /// All that matches, by its score; nothing where nothing can.
    pub(super) matching: Option<Box<dyn Query>>,
}

/// Compiles queries for one state of the index.
pub(super) struct Compiler<'a> {
    pub(super) lexicon: &'a Lexicon<'a>,
    pub(super) fields: &'a Fields,
    pub(super) budget: &'a Budget,
}

type Clauses = Vec<(Occur, Box<dyn Query>)>;

impl Compiler<'_> {
    pub(super) fn compile(&self, query: &ResolvedQuery) -> Result<CompiledQuery, TantivyError> {
        let constraint = query.constraint.as_ref().map(|clause| self.clause(clause)).transpose()?;
        let constraint = constraint.map(|query| Box::new(ConstScoreQuery::new(query, 0.0)) as Box<dyn Query>);
        let matching = self.matching(query, constraint.as_deref())?;
        let matching = matching.map(|matching| self.restricted(matching, query.without.as_deref()));
        Ok(CompiledQuery { constraint, matching })
    }

    /// The constraint, and any of the words in its field by its score.
    fn matching(
        &self,
        query: &ResolvedQuery,
        constraint: Option<&dyn Query>,
    ) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let mut clauses = Clauses::new();
        for word in &query.words {
            clauses.extend(self.any_form(word)?.map(|query| (Occur::Should, query)));
        }
        if query.needs_word && clauses.is_empty() {
            return Ok(None);
        }
        let Some(constraint) = constraint else {
            return Ok((!clauses.is_empty()).then(|| boxed(BooleanQuery::new(clauses))));
        };
        let constraint = (Occur::Must, constraint.box_clone());
        if query.needs_word {
            let any_word = boxed(BooleanQuery::new(clauses));
            return Ok(Some(boxed(BooleanQuery::new(vec![constraint, (Occur::Must, any_word)]))));
        }
        clauses.push(constraint);
        Ok(Some(boxed(BooleanQuery::new(clauses))))
    }

    /// `matching` without the block that is left out.
    fn restricted(&self, matching: Box<dyn Query>, without: Option<&str>) -> Box<dyn Query> {
        let Some(block_id) = without else { return matching };
        let without = TermQuery::new(self.fields.block_term(block_id), IndexRecordOption::Basic);
        boxed(BooleanQuery::new(vec![(Occur::Must, matching), (Occur::MustNot, boxed(without))]))
    }

    fn clause(&self, clause: &Clause) -> Result<Box<dyn Query>, TantivyError> {
        match clause {
            Clause::Bool { must, should, must_not } => self.bool(must, should, must_not),
            Clause::AnyWord(words) => self.any_word(words),
            Clause::Phrase(phrase) => Ok(self.phrase(phrase)),
            Clause::Filter(filter) => Ok(self.filter(filter)),
        }
    }

    fn clauses(&self, clauses: &[Clause]) -> Result<Vec<Box<dyn Query>>, TantivyError> {
        clauses.iter().map(|clause| self.clause(clause)).collect()
    }

    fn bool(&self, must: &[Clause], should: &[Clause], must_not: &[Clause]) -> Result<Box<dyn Query>, TantivyError> {
        if must.is_empty() && must_not.is_empty() && !should.is_empty() {
            return Ok(boxed(BooleanQuery::union(self.clauses(should)?)));
        }
        let mut clauses: Clauses = self.clauses(must)?.into_iter().map(|query| (Occur::Must, query)).collect();
        for excluded in self.clauses(must_not)? {
            clauses.push((Occur::MustNot, boxed(SteadyQuery(excluded))));
        }
        if !should.is_empty() {
            clauses.push((Occur::Must, boxed(BooleanQuery::union(self.clauses(should)?))));
        }
        if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
            clauses.push((Occur::Must, self.metered(self.fields.every_block())));
        }
        Ok(boxed(BooleanQuery::new(clauses)))
    }

    fn any_word(&self, words: &[ResolvedWord]) -> Result<Box<dyn Query>, TantivyError> {
        let mut queries = Vec::with_capacity(words.len());
        for word in words {
            queries.extend(self.any_form(word)?);
        }
        Ok(match queries.len() {
            0 => boxed(EmptyQuery),
            1 => queries.swap_remove(0),
            _ => boxed(BooleanQuery::union(queries)),
        })
    }

    /// The best of a word's forms that its field has.
    ///
    /// A stem counts in blocks of its language alone: that of another language may be any word here. Every stem counts as rare
    /// as the most frequent one, since its own inverse document frequency would put a stem of a rare language first. Another
    /// spelling counts at most as rare, times its factor; it does not make the word itself count less.
    fn any_form(&self, word: &ResolvedWord) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let field = self.field(word.field);
        let mut known = Vec::with_capacity(word.forms.len());
        let mut least_idf = f32::INFINITY;
        for form in &word.forms {
            let document_frequency = self.lexicon.frequency(field, &form.term)?;
            if document_frequency > 0 {
                let idf = self.idf(document_frequency)?;
                if form.factor >= 1.0 {
                    least_idf = least_idf.min(idf);
                }
                known.push((idf, form));
            }
        }
        if known.is_empty() {
            return Ok(None);
        }
        let queries = known.into_iter().map(|(idf, form)| self.form(field, form, idf, least_idf));
        Ok(Some(best_of(queries.collect())))
    }

    fn form(&self, field: Field, form: &TermForm, idf: f32, least_idf: f32) -> Box<dyn Query> {
        let term = Term::from_field_text(field, &form.term);
        let mut query = self.metered(TermQuery::new(term, IndexRecordOption::WithFreqs));
        let boost = form.factor * idf.min(least_idf) / idf;
        if boost < 1.0 {
            query = boxed(BoostQuery::new(query, boost));
        }
        self.only_in(&form.languages, query)
    }

    fn phrase(&self, phrase: &Phrase) -> Box<dyn Query> {
        let field = self.field(phrase.field);
        let queries = phrase.sequences.iter().map(|sequence| {
            let terms = sequence.terms.iter().map(|(place, term)| (*place, Term::from_field_text(field, term)));
            let query = match (&sequence.terms[..], phrase.slop) {
                ([], _) => boxed(EmptyQuery),
                ([(_, only)], _) => self.exact(field, only),
                (_, slop) => boxed(NearQuery::new(terms.collect(), slop, self.budget.clone())),
            };
            self.only_in(&sequence.languages, query)
        });
        best_of(queries.collect())
    }

    /// `query` within blocks of these languages; with none, within all.
    fn only_in(&self, languages: &[Language], query: Box<dyn Query>) -> Box<dyn Query> {
        if languages.is_empty() {
            return query;
        }
        let terms = languages.iter().map(|language| self.exact(self.fields.language, language.code()));
        let within = ConstScoreQuery::new(boxed(BooleanQuery::union(terms.collect())), 0.0);
        boxed(BooleanQuery::intersection(vec![query, boxed(within)]))
    }

    fn filter(&self, filter: &Filter) -> Box<dyn Query> {
        if let Some((field, text)) = exact_term(self.fields, filter) {
            return self.exact(field, text);
        }
        match filter {
            Filter::UrlUnder { host, path } => {
                let of = |(host, path): (String, String)| {
                    let urls = Arc::new(UrlsUnder::new(&host, &path));
                    self.metered(UrlQuery { field: self.fields.url, urls })
                };
                boxed(BooleanQuery::union(spellings(host, path).into_iter().map(of).collect()))
            }
            Filter::Captured { from, to } => {
                let bound = |end: &Option<i64>| match end {
                    Some(seconds) => Bound::Included(Term::from_field_i64(self.fields.captured_at, *seconds)),
                    None => Bound::Unbounded,
                };
                self.metered(RangeQuery::new(bound(from), bound(to)))
            }
            Filter::Site(_) | Filter::Language(_) | Filter::PageType(_) | Filter::Nothing => boxed(EmptyQuery),
        }
    }

    fn exact(&self, field: Field, text: &str) -> Box<dyn Query> {
        self.metered(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
    }

    /// A leaf that counts its work.
    fn metered(&self, query: impl Query) -> Box<dyn Query> {
        boxed(MeteredQuery { query: boxed(query), budget: self.budget.clone() })
    }

    fn field(&self, field: TextField) -> Field {
        text_field(self.fields, field)
    }

    /// The engine's inverse document frequency, ln(1 + (N − n + 0.5) / (n + 0.5)).
    fn idf(&self, document_frequency: u64) -> Result<f32, TantivyError> {
        use tantivy::query::Bm25StatisticsProvider;
        let documents = self.lexicon.searcher.total_num_docs()? as f32;
        let n = document_frequency as f32;
        Ok((1.0 + (documents - n + 0.5) / (n + 0.5)).ln())
    }
}

pub(super) fn text_field(fields: &Fields, field: TextField) -> Field {
    match field {
        TextField::All => fields.all,
        TextField::Title => fields.title_terms,
        TextField::Headings => fields.heading_terms,
        TextField::Url => fields.url_terms,
    }
}

/// The one term that a filter asks for, where it is one.
pub(super) fn exact_term<'f>(fields: &Fields, filter: &'f Filter) -> Option<(Field, &'f str)> {
    match filter {
        Filter::Site(host) => Some((fields.site, host)),
        Filter::Language(language) => Some((fields.language, language.code())),
        Filter::PageType(name) => Some((fields.page_type, name)),
        Filter::UrlUnder { .. } | Filter::Captured { .. } | Filter::Nothing => None,
    }
}

fn boxed(query: impl Query) -> Box<dyn Query> {
    Box::new(query)
}

/// Matches what any query matches, with the highest of their scores.
fn best_of(mut queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match queries.len() {
        0 => boxed(EmptyQuery),
        1 => queries.swap_remove(0),
        _ => boxed(DisjunctionMaxQuery::new(queries)),
    }
}

/// Blocks of the URLs that an automaton accepts.
#[derive(Debug, Clone)]
struct UrlQuery {
    field: Field,
    urls: Arc<UrlsUnder>,
}

impl Query for UrlQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(AutomatonWeight::<UrlsUnder>::new(self.field, Arc::clone(&self.urls))))
    }
}
