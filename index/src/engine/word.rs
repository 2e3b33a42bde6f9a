//! The words of a query with what they weigh in a collection.

use super::contract::CollectionFacts;
use crate::query::{OPENING_WEIGHT, ResolvedWord};
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
}

/// A word of the query with what ranking needs of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RankWord {
    /// The terms that it stands in the collection as.
    pub forms: Vec<KnownForm>,
    /// Most that a form counts; the others count in proportion.
    pub factor_max: f32,
    /// Inverse document frequency over blocks, that of its most frequent form: ln(1 + (N − n + 0.5) / (n + 0.5)).
    pub idf: f32,
    /// What the word weighs in features: the geometric mean of `idf` and ln(1 + N / n) over pages. The small words of a sentence are on
    /// nearly all pages, if in few of their blocks, so they weigh less by it; they still weigh something, since they do help.
    pub weight: f32,
    /// The same over pages, without smoothing: ln(N / n), for the cosine.
    pub page_idf: f32,
}

impl RankWord {
    /// A word of a query, of which the collection has these forms; a word without any weighs nothing.
    pub fn new(word: &ResolvedWord, forms: Vec<KnownForm>, facts: &CollectionFacts) -> Self {
        let factor_max = word.forms.iter().map(|form| form.factor).fold(0.0, f32::max);
        let most = |documents: fn(&KnownForm) -> u64| {
            let most_of = |is_best: bool| {
                let alike = forms.iter().filter(|known| (known.form.factor >= factor_max) == is_best);
                alike.map(documents).max().unwrap_or(0)
            };
            if most_of(true) > 0 { most_of(true) } else { most_of(false) }
        };
        let (blocks, pages) = (most(|form| form.blocks), most(|form| form.pages));
        let weight = word.weight * factor_max;
        let n = blocks.max(1) as f32;
        let known = f32::from(u8::from(blocks.max(pages) > 0));
        let counts = known * weight;
        let idf = counts * (1.0 + (facts.blocks as f32 - n + 0.5).max(0.0) / (n + 0.5)).ln();
        let pages_a_holder = facts.pages.max(1) as f32 / pages.max(1) as f32;
        let page_idf = counts * pages_a_holder.ln();
        let smooth_page_idf = counts * pages_a_holder.ln_1p();
        Self { forms, factor_max, idf, weight: (idf * smooth_page_idf).sqrt(), page_idf }
    }

    /// Lets it weigh `share` of what it did.
    fn lighten(&mut self, share: f32) {
        for value in [&mut self.idf, &mut self.weight, &mut self.page_idf] {
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
pub(crate) fn rank_words(words: &[ResolvedWord], forms: &[Vec<KnownForm>], facts: &CollectionFacts) -> Vec<RankWord> {
    let ranked = words.iter().zip(forms).map(|(word, forms)| RankWord::new(word, forms.clone(), facts));
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

/// What all words weigh together; above zero.
pub(crate) fn total_weight(words: &[RankWord]) -> f32 {
    words.iter().map(|word| word.weight).sum::<f32>().max(f32::MIN_POSITIVE)
}
