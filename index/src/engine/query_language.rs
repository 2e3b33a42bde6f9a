//! What language a query is in, and how often its words stand in texts of that language.
//!
//! A word's frequency in the whole collection misleads where texts of several languages are in it: the small words of a language that few
//! texts are in are as rare there as names are. So the frequency is that in the query's own language, as far as the query's words tell it:
//! Σ_ℓ P(ℓ | query) · P(word | ℓ), with P(ℓ | query) ∝ P(ℓ) · Π P(word | ℓ) (naive Bayes). Where nothing tells the language this is nearly
//! the frequency in the language that most texts are in.

use lopper_analysis::Language;

use super::contract::CollectionFacts;
use super::word::KnownForm;
use crate::query::ResolvedWord;
use crate::searcher::LanguageCount;

/// A language's share of a word is drawn towards the word's share in all texts, as if so many blocks more were in the language.
const PRIOR_BLOCKS: f64 = 20.0;

/// Share of the blocks from which on a language is known by its words; all that have less count as one. What is in them are often pages
/// whose language was taken for another.
const SHARE_MIN: f64 = 0.003;

/// Blocks that it has at least.
const BLOCKS_MIN: u64 = 50;

/// How many times the share of a language beside the most frequent one counts besides.
const MOST_COUNTS: f64 = 2.0;

/// How many times less likely that makes a language, at most.
const MOST_FACTOR_MAX: f64 = 100.0;

/// What the words of a query tell of its language.
pub(crate) struct QueryLanguage {
    /// The languages that are known, and what is left: at the end, without a language.
    groups: Vec<Group>,
    /// Share of a word in the texts of each group, by word; empty for a word that is in no block, or there in another spelling alone.
    shares: Vec<Vec<f64>>,
    /// How likely the query is in each group.
    likely: Vec<f64>,
}

/// The texts of one language, or of all that are hardly there.
struct Group {
    language: Option<Language>,
    blocks: u64,
}

impl QueryLanguage {
    /// Nothing where nearly all texts are in one language, or the engine does not tell the languages of words.
    pub(crate) fn of(words: &[ResolvedWord], forms: &[Vec<KnownForm>], facts: &CollectionFacts) -> Option<Self> {
        if !facts.has_languages() {
            return None;
        }
        let groups = groups(facts);
        let total: u64 = groups.iter().map(|group| group.blocks).sum();
        let of_words = words.iter().zip(forms);
        let shares: Vec<Vec<f64>> = of_words.map(|(word, forms)| shares(word, forms, &groups, total as f64)).collect();
        let mut log = log_priors(&groups);
        for (shares, word) in shares.iter().zip(words) {
            for (log, share) in log.iter_mut().zip(shares) {
                *log += f64::from(word.weight) * share.ln();
            }
        }
        let most = log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut likely: Vec<f64> = log.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = likely.iter().sum();
        for likely in &mut likely {
            *likely /= sum;
        }
        Some(Self { groups, shares, likely })
    }

    /// How likely the query is in a language, as a share of the likeliest.
    pub(crate) fn likely(&self, language: Language) -> f32 {
        let most = self.likely.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        group_of(language, &self.groups).map_or(0.0, |place| (self.likely[place] / most) as f32)
    }

    /// The likeliest, unless it is one of those with few texts.
    pub(crate) fn likeliest(&self) -> Option<Language> {
        let likely = self.groups.iter().zip(&self.likely);
        likely.max_by(|(_, a), (_, b)| a.total_cmp(b)).and_then(|(group, _)| group.language)
    }

    /// The share of texts that have a word, in the language of the query.
    pub(super) fn share(&self, word: usize) -> Option<f64> {
        let shares = self.shares.get(word).filter(|shares| !shares.is_empty())?;
        Some(shares.iter().zip(&self.likely).map(|(share, likely)| share * likely).sum())
    }
}

impl CollectionFacts {
    /// Whether two languages or more have enough blocks to be told apart by their words. Where not, engines need not say which languages
    /// words are in.
    pub fn has_languages(&self) -> bool {
        known_languages(self).nth(1).is_some()
    }
}

/// The languages that have enough blocks to be known by their words.
fn known_languages(facts: &CollectionFacts) -> impl Iterator<Item = &LanguageCount> {
    let total: u64 = facts.languages.iter().map(|count| count.blocks).sum();
    let least = BLOCKS_MIN.max((total as f64 * SHARE_MIN) as u64);
    let is_known = move |count: &&LanguageCount| count.blocks >= least && count.language != Language::UNDETERMINED;
    facts.languages.iter().filter(is_known)
}

/// These, then what is left.
fn groups(facts: &CollectionFacts) -> Vec<Group> {
    let total: u64 = facts.languages.iter().map(|count| count.blocks).sum();
    let mut groups: Vec<Group> =
        known_languages(facts).map(|count| Group { language: Some(count.language), blocks: count.blocks }).collect();
    let others = total - groups.iter().map(|group| group.blocks).sum::<u64>();
    groups.push(Group { language: None, blocks: others.max(1) });
    groups
}

/// `ln P(ℓ)`, up to a term that all have: the share of blocks, and besides `max(1 / 100, (blocks / most blocks)²)`. In a manual with its
/// translations a name is by chance somewhat more frequent in one of them, which says nothing of who asks; a word of a language is more
/// frequent there by far more than a hundred times.
fn log_priors(groups: &[Group]) -> Vec<f64> {
    let most = groups.iter().map(|group| group.blocks).max().unwrap_or(1) as f64;
    let prior = |group: &Group| {
        let share = (group.blocks as f64 / most).ln();
        share + (MOST_COUNTS * share).max(-MOST_FACTOR_MAX.ln())
    };
    groups.iter().map(prior).collect()
}

/// Which of a group's blocks have a word.
fn shares(word: &ResolvedWord, forms: &[KnownForm], groups: &[Group], total: f64) -> Vec<f64> {
    let factor_max = word.factor_max();
    let best = forms.iter().filter(|known| known.form.factor >= factor_max && !known.languages.is_empty());
    let mut best = best.peekable();
    if best.peek().is_none() {
        return Vec::new();
    }
    let mut counts = vec![0_u64; groups.len()];
    for known in best {
        for (count, of_form) in counts.iter_mut().zip(blocks_by_group(known, groups)) {
            *count = of_form.max(*count);
        }
    }
    // Deleted blocks may be among those that have a word.
    let anywhere = ((counts.iter().sum::<u64>() as f64 + 0.5) / (total + 1.0)).min(1.0);
    let share = |(count, group): (&u64, &Group)| {
        (*count as f64 + PRIOR_BLOCKS * anywhere) / (group.blocks.max(*count) as f64 + PRIOR_BLOCKS)
    };
    counts.iter().zip(groups).map(share).collect()
}

/// The blocks of each group that have a form, where it counts.
fn blocks_by_group(known: &KnownForm, groups: &[Group]) -> Vec<u64> {
    let mut blocks = vec![0; groups.len()];
    for count in known.languages.iter().filter(|count| known.form.allows(count.language)) {
        if let Some(place) = group_of(count.language, groups) {
            blocks[place] += count.blocks;
        }
    }
    blocks
}

/// The place of a language's group: its own, or that of what is left.
fn group_of(language: Language, groups: &[Group]) -> Option<usize> {
    groups.iter().position(|group| group.language.is_none_or(|known| known == language))
}

#[cfg(test)]
mod tests {
    use lopper_analysis::TermForm;

    use super::*;
    use crate::query::TextField;

    fn language(code: &str) -> Language {
        Language::from_code(code)
    }

    fn facts(blocks: &[(&str, u64)]) -> CollectionFacts {
        let languages = blocks.iter().map(|(code, blocks)| LanguageCount { language: language(code), blocks: *blocks });
        let all = blocks.iter().map(|(_, blocks)| blocks).sum();
        CollectionFacts { blocks: all, pages: all, languages: languages.collect(), ..CollectionFacts::default() }
    }

    /// Of a word with these blocks by language.
    fn word(blocks: &[(&str, u64)]) -> (ResolvedWord, Vec<KnownForm>) {
        let form = TermForm { term: "w".into(), languages: Vec::new(), factor: 1.0 };
        let forms = vec![form.clone()];
        let word = ResolvedWord {
            surface: "w".into(),
            forms,
            weight: 1.0,
            is_of_opening: false,
            asks_in: Vec::new(),
            field: TextField::All,
        };
        let CollectionFacts { blocks, languages, .. } = facts(blocks);
        (word, vec![KnownForm { form, blocks, pages: blocks, languages }])
    }

    fn query_language(words: &[&[(&str, u64)]], facts: &CollectionFacts) -> Option<QueryLanguage> {
        let (words, forms): (Vec<_>, Vec<_>) = words.iter().map(|blocks| word(blocks)).unzip();
        QueryLanguage::of(&words, &forms, facts)
    }

    #[test]
    fn small_words_are_frequent_in_their_own_language() {
        let facts = facts(&[("en", 100_000), ("it", 2000)]);
        let small: &[(&str, u64)] = &[("it", 1200), ("en", 30)];
        let name: &[(&str, u64)] = &[("en", 300), ("it", 6)];
        let query_language = query_language(&[small, small, name], &facts).unwrap();
        assert!((query_language.likely(language("it")) - 1.0).abs() < 1e-6);
        assert!(query_language.likely(language("en")) < 0.01);
        // 1200 of 2000, drawn a little towards 1230 of 102,000; the name is as rare in all.
        assert!((query_language.share(0).unwrap() - 0.594).abs() < 0.01);
        assert!((query_language.share(2).unwrap() - 0.003).abs() < 0.0005);
    }

    #[test]
    fn a_name_that_all_languages_have_tells_none() {
        let facts = facts(&[("en", 9000), ("it", 1000)]);
        let query_language = query_language(&[&[("en", 90), ("it", 10)]], &facts).unwrap();
        assert!((query_language.share(0).unwrap() - 0.01).abs() < 0.001);
        assert!((query_language.likely(language("it")) - 1.0 / 729.0).abs() < 0.0005);
    }

    #[test]
    fn languages_of_few_blocks_are_taken_together() {
        let few = facts(&[("en", 90_000), ("pt", 115), ("fr", 4)]);
        assert!(!few.has_languages() && query_language(&[&[("pt", 5)]], &few).is_none());
        let facts = facts(&[("en", 50_000), ("it", 40_000), ("pt", 115), ("fr", 4)]);
        let query_language = query_language(&[&[("pt", 100), ("fr", 4)]], &facts).unwrap();
        assert_eq!(query_language.likely(language("pt")).to_bits(), query_language.likely(language("fr")).to_bits());
        assert!(query_language.likely(language("pt")) > query_language.likely(language("it")));
    }

    #[test]
    fn words_that_nothing_has_tell_nothing() {
        let facts = facts(&[("en", 9000), ("it", 1000)]);
        let (word, _) = word(&[]);
        let query_language = QueryLanguage::of(&[word], &[Vec::new()], &facts).unwrap();
        assert_eq!(query_language.share(0), None);
        assert!((query_language.likely(language("en")) - 1.0).abs() < 1e-6);
    }
}
