//! The analyzer: surface words to lowercased, stemmed terms.

use super::Language;
use super::forms::FormBuffer;
use super::normal::normalise;
use super::stem::CachedStemmer;
use super::words::{Surface, for_each_surface};

/// Entries of the stem cache of one language in [`Analyzer::new`]: the words that make up nearly all of a crawl's text.
const CACHE_ENTRIES: usize = 1 << 15;

/// One term at its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The term as it is indexed: lower case, stemmed in the given language.
    pub term: &'a str,
    /// First byte in the analysed text, on a character border.
    pub start: usize,
    /// Byte behind the last, on a character border. Pairs of characters overlap, so it may pass the next start.
    pub end: usize,
    /// Position in words from 0, increasing; a dropped word leaves a gap.
    pub position: u32,
    /// Whether it is a pair of characters of a script without word borders.
    pub is_pair: bool,
}

/// Turns texts into terms; keep one a thread, since its cache of stems makes it quick.
///
/// Creating one allocates nothing; memory is bounded by the cache: 2 MB for each stemmed language met.
pub struct Analyzer {
    pub(super) stemmers: Stemmers,
    /// Room for further forms, lent to where they are made.
    pub(super) forms: FormBuffer,
    lowered: String,
}

/// The stemmers met so far.
pub(super) struct Stemmers {
    by_language: [Option<Box<CachedStemmer>>; Language::STEMMERS],
    cache_entries: usize,
}

impl Default for Analyzer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyzer").field("cache_entries", &self.stemmers.cache_entries).finish_non_exhaustive()
    }
}

impl Analyzer {
    /// An analyzer for bulk work.
    pub fn new() -> Self {
        Self::with_cache_entries(CACHE_ENTRIES)
    }

    /// An analyzer that caches the stems of about so many words for each language.
    pub fn with_cache_entries(cache_entries: usize) -> Self {
        let stemmers = Stemmers { by_language: std::array::from_fn(|_| None), cache_entries };
        Self { stemmers, forms: FormBuffer::default(), lowered: String::new() }
    }

    /// Calls `sink` with every token of `text`, by increasing start and position.
    pub fn analyze(&mut self, text: &str, language: Language, mut sink: impl FnMut(Token<'_>)) {
        for_each_surface(text, |surface| {
            sink(Token {
                term: self.term(&surface, language),
                start: surface.start,
                end: surface.start + surface.text.len(),
                position: surface.position,
                is_pair: surface.is_pair,
            });
        });
    }

    /// The term of one surface word in `language`.
    pub fn term<'a>(&'a mut self, surface: &Surface<'a>, language: Language) -> &'a str {
        if is_normal(surface.text) {
            return self.stemmers.stem(surface.text, language);
        }
        self.lowered.clear();
        normalise(surface.text, language, &mut self.lowered);
        if surface.is_pair { &self.lowered } else { self.stemmers.stem(&self.lowered, language) }
    }
}

/// Whether a word is quickly told to be its own normal form, as most are.
fn is_normal(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

impl Stemmers {
    /// The stem of a normalised word, which is the word itself in a language without a stemmer. Names with `_` are no words of any language:
    /// `ST_PixelAsCentroid` and `ST_PixelAsCentroids` are two functions.
    #[inline]
    pub(super) fn stem<'a>(&'a mut self, word: &'a str, language: Language) -> &'a str {
        if word.as_bytes().contains(&b'_') {
            return word;
        }
        let Some(index) = language.stemmer_index() else {
            return word;
        };
        let stemmer = &mut self.by_language[index];
        if stemmer.is_none() {
            *stemmer = CachedStemmer::new(language, self.cache_entries).map(Box::new);
        }
        match stemmer {
            Some(stemmer) => stemmer.stem(word),
            None => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, code: &str) -> Vec<String> {
        let mut terms = Vec::new();
        Analyzer::new().analyze(text, Language::from_code(code), |token| terms.push(token.term.to_owned()));
        terms
    }

    #[test]
    fn words_are_lowercased_and_stemmed_in_their_language() {
        assert_eq!(terms("Indexing Web Archives", "en"), ["index", "web", "archiv"]);
        assert_eq!(terms("Indexing Web Archives", "und"), ["indexing", "web", "archives"]);
        assert_eq!(terms("Häuser", "de"), ["haus"]);
        assert_eq!(terms("max_values of values", "en"), ["max_values", "of", "valu"]);
        assert_eq!(terms("l\u{2019}HOMME don\u{2019}t", "fr"), ["l", "homm", "don't"]);
    }

    #[test]
    fn forms_of_one_word_meet() {
        assert_eq!(terms("soft\u{AD}ware", "und"), ["software"]);
        assert_eq!(terms("ΛΟΓΟΣ λογος", "und"), ["λογοσ", "λογοσ"]);
        assert_eq!(terms("İSTANBUL istanbul", "und"), ["istanbul", "istanbul"]);
        assert_eq!(terms("IŞIK ışık", "tr"), ["ışık", "ışık"]);
        assert_eq!(terms("ＡＢＣ１", "und"), ["abc1"]);
    }

    #[test]
    fn pairs_are_not_stemmed() {
        assert_eq!(terms("東京の", "en"), ["東京", "京の"]);
    }
}
