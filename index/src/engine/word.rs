//! The words of a query with what they weigh in a collection.

use super::contract::CollectionFacts;
use super::query_language::QueryLanguage;
use crate::query::{OPENING_WEIGHT, ResolvedWord};
use crate::searcher::LanguageCount;
use lopper_analysis::TermForm;

/// A form of a word that an engine has.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownForm {
    /// The form.
    pub form: TermForm,
    /// Blocks whose joined text has it.
    pub blocks: u64,
    /// Pages whose joined text has it.
    pub pages: u64,
    /// The blocks by language; of a frequent form an estimate. Empty where the collection has one language, of a form that counts less
    /// than others of the word, and where the query has used up its budget.
    pub languages: Vec<LanguageCount>,
}

impl KnownForm {
    /// Whether texts of a language that it is the stem in have it, as far as that is known. Basque's stem of `tritone` is `tri`, a word of
    /// other languages.
    fn is_in_its_languages(&self) -> bool {
        let own = &self.form.languages;
        own.is_empty() || self.languages.is_empty() || self.languages.iter().any(|count| own.contains(&count.language))
    }
}

/// A word of the query with what ranking needs of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RankWord {
    /// The terms that it stands in the collection as.
    pub forms: Vec<KnownForm>,
    /// Most that a form counts; the others count in proportion.
    pub factor_max: f32,
    /// Inverse document frequency over all blocks, that of its most frequent form: ln(1 + (N − n + 0.5) / (n + 0.5)). Candidates are found
    /// by it: the small words of the query's language, rare where most texts are in another, are what finds texts of that language.
    pub idf: f32,
    /// The same over the blocks in the query's language, as far as its words tell it. It is `idf` where nearly all are in one language.
    pub own_idf: f32,
    /// What the word weighs in features: the geometric mean of `own_idf` and ln(1 + N / n) over such pages. The small words of a sentence are on
    /// nearly all pages, if in few of their blocks, so they weigh less by it; they still weigh something, since they do help.
    pub weight: f32,
    /// Inverse document frequency over all pages, without smoothing: ln(N / n), for the cosine.
    pub page_idf: f32,
}

impl RankWord {
    /// A word of a query, of which the collection has these forms; a word without any weighs nothing. `share` is that of the texts of
    /// the query's language that have it, where that is another than of all.
    fn new(word: &ResolvedWord, forms: Vec<KnownForm>, facts: &CollectionFacts, share: Option<f64>) -> Self {
        let factor_max = word.factor_max();
        let most = |documents: fn(&KnownForm) -> u64| {
            let most_of = |is_best: bool| {
                let found = forms.iter().filter(|known| known.is_in_its_languages());
                let alike = found.filter(|known| (known.form.factor >= factor_max) == is_best);
                alike.map(documents).max().unwrap_or(0)
            };
            if most_of(true) > 0 { most_of(true) } else { most_of(false) }
        };
        let (blocks, pages) = (most(|form| form.blocks), most(|form| form.pages));
        let counts = if blocks.max(pages) > 0 { word.weight * factor_max } else { 0.0 };
        let of_all = [block_idf(blocks, facts), page_idf(pages, facts)].map(|idf| counts * idf);
        let (blocks, pages) = share.map_or((blocks, pages), |share| of_share(blocks, pages, share, facts));
        let own_idf = counts * block_idf(blocks, facts);
        let smooth_page_idf = counts * pages_a_holder(pages, facts).ln_1p();
        let weight = (own_idf * smooth_page_idf).sqrt();
        Self { forms, factor_max, idf: of_all[0], own_idf, weight, page_idf: of_all[1] }
    }

    /// Lets it weigh `share` of what it did.
    fn lighten(&mut self, share: f32) {
        for value in [&mut self.idf, &mut self.own_idf, &mut self.weight, &mut self.page_idf] {
            *value *= share;
        }
    }

    /// What an occurrence of one of its forms counts, in (0, 1].
    pub fn factor(&self, form: &TermForm) -> f32 {
        form.factor / self.factor_max
    }
}

/// The words of a query, of which the collection has these forms. Those that a question begins with weigh at most
/// [`OPENING_WEIGHT`] of the heaviest other word together: in a collection of another language they are its rarest words.
pub(crate) fn rank_words(
    words: &[ResolvedWord],
    forms: &[Vec<KnownForm>],
    facts: &CollectionFacts,
    query_language: Option<&QueryLanguage>,
) -> Vec<RankWord> {
    let share = |word| query_language.and_then(|query_language| query_language.share(word));
    let ranked = words.iter().zip(forms).enumerate();
    let ranked = ranked.map(|(number, (word, forms))| RankWord::new(word, forms.clone(), facts, share(number)));
    let (mut opening, mut heaviest) = (0.0, 0.0_f32);
    let mut ranked: Vec<RankWord> = ranked.collect();
    for (word, ranked) in words.iter().zip(&ranked) {
        if word.is_of_opening {
            opening += ranked.weight;
        } else {
            heaviest = heaviest.max(ranked.weight);
        }
    }
    if heaviest > 0.0 && opening > OPENING_WEIGHT * heaviest {
        let share = OPENING_WEIGHT * heaviest / opening;
        let openings = words.iter().zip(&mut ranked).filter(|(word, _)| word.is_of_opening);
        openings.for_each(|(_, ranked)| ranked.lighten(share));
    }
    ranked
}

fn block_idf(having: u64, facts: &CollectionFacts) -> f32 {
    let n = having.max(1) as f32;
    (1.0 + (facts.blocks as f32 - n + 0.5).max(0.0) / (n + 0.5)).ln()
}

fn page_idf(having: u64, facts: &CollectionFacts) -> f32 {
    pages_a_holder(having, facts).ln()
}

fn pages_a_holder(having: u64, facts: &CollectionFacts) -> f32 {
    facts.pages.max(1) as f32 / having.max(1) as f32
}

/// How many blocks and pages had a word, if all were like those of which this share of the blocks has it.
fn of_share(blocks: u64, pages: u64, share: f64, facts: &CollectionFacts) -> (u64, u64) {
    let all = (share.min(1.0) * facts.blocks as f64).round();
    let pages_a_block = pages as f64 / blocks.max(1) as f64;
    let pages = (all * pages_a_block).round().min(facts.pages as f64);
    ((all as u64).max(1), (pages as u64).max(1))
}

/// What all words weigh together; above zero.
pub(crate) fn total_weight(words: &[RankWord]) -> f32 {
    words.iter().map(|word| word.weight).sum::<f32>().max(f32::MIN_POSITIVE)
}
