//! Further forms of words beside the terms that pages are weighed by: for the index, and for queries.
//!
//! A further form stands in the index at the position of its word, behind a mark that no word begins with. So it finds the word
//! in another spelling, and a query can count it less than the word as it stands.

use unicode_segmentation::UnicodeSegmentation;

use super::analyzer::{Analyzer, Token};
use super::compound::{SignedName, for_each_compound, parts};
use super::fold::{fold, fold_to_pairs};
use super::language::Language;
use super::normal::normalise;
use super::words::Surface;

/// Stands before another spelling of a word: without marks, joined, or one character of a pair.
const SPELLING: char = '\u{2}';

/// Stands before a part of a programmer's name.
const PART: char = '\u{3}';

/// What another spelling counts when the query's word is written without marks: its writer may have left them out.
const FOLDED_FACTOR: f32 = 0.8;

/// What another spelling counts when the query's word has marks: it is likely another word.
const OTHER_MARKS_FACTOR: f32 = 0.5;

/// What a word counts that is only a part of a name in the text, or of the query's name.
const PART_FACTOR: f32 = 0.5;

/// Whether a term of the index is a further form, not a word as it was written (and stemmed).
pub(crate) fn is_further_form(term: &str) -> bool {
    term.starts_with([SPELLING, PART])
}

/// A term that is a form of a query word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    pub(crate) term: String,
    /// Languages that it is the stem in; none for the word as it stands, which counts in all.
    pub(crate) languages: Vec<Language>,
    /// What it counts, in (0, 1]: 1 for the word and its stems, less for other spellings.
    pub(crate) factor: f32,
}

/// What a query looks for besides its surface words: a compound as one word, or a part of a name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ExtraWord<'t> {
    /// Where it comes from; the same text gives the same forms.
    pub(crate) source: &'t str,
    kind: ExtraKind,
}

#[derive(Debug, Clone, PartialEq)]
enum ExtraKind {
    /// The words of a compound without what is between them.
    Joined(String),
    /// A name with its signs.
    Signed,
    /// A part of a name.
    Part,
}

/// The compounds and parts of names in a query's text.
pub(crate) fn extra_words(text: &str) -> Vec<ExtraWord<'_>> {
    let mut extras = Vec::new();
    for_each_compound(text, |words| {
        if let [first, .., last] = words {
            let source = &text[first.start..last.start + last.text.len()];
            extras.push(ExtraWord { source, kind: ExtraKind::Joined(joined(words)) });
        } else if let Some(name) = signed_name(text, words) {
            extras.push(ExtraWord { source: name, kind: ExtraKind::Signed });
        }
        for word in words {
            let parts = parts(word.text).into_iter();
            extras.extend(parts.map(|(_, part)| ExtraWord { source: part, kind: ExtraKind::Part }));
        }
    });
    extras
}

impl Analyzer {
    /// Calls `sink` with every token of `text` as [`Analyzer::analyze`] does, each followed by its word's further forms.
    ///
    /// Starts and positions do not decrease; a further form has the position of its word.
    pub(crate) fn analyze_for_index(&mut self, text: &str, language: Language, mut sink: impl FnMut(Token<'_>)) {
        let mut forms = FormBuffer::default();
        let mut units_end = 0;
        for_each_compound(text, |words| {
            for (index, surface) in words.iter().enumerate() {
                sink(token(self.term(surface, language), surface));
                if surface.is_pair {
                    units_end = single_units(surface, units_end, &mut forms, &mut sink);
                    continue;
                }
                self.further_forms(surface, language, &mut forms, &mut sink);
                if index == 0 {
                    self.compound_forms(text, words, language, &mut forms, &mut sink);
                } else if index + 2 == words.len() {
                    self.joined_form(&words[index..], language, &mut forms, &mut sink);
                }
            }
        });
    }

    /// The spellings and parts of one word.
    fn further_forms(
        &mut self,
        surface: &Surface<'_>,
        language: Language,
        forms: &mut FormBuffer,
        sink: &mut impl FnMut(Token<'_>),
    ) {
        if surface.text.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return; // Nearly every word.
        }
        forms.normalise(surface.text, language);
        if forms.fold() {
            sink(token(forms.marked(SPELLING, |folded| self.stemmers.stem(folded, language)), surface));
        }
        if language.spells_umlauts_in_pairs() && forms.fold_to_pairs() {
            sink(token(forms.marked(SPELLING, |folded| self.stemmers.stem(folded, language)), surface));
        }
        for (offset, part) in parts(surface.text) {
            forms.normalise(part, language);
            forms.fold();
            let term = forms.marked(PART, |part| self.stemmers.stem(part, language));
            sink(Token {
                term,
                start: surface.start,
                end: surface.start + offset + part.len(),
                position: surface.position,
            });
        }
    }

    /// A whole compound as one word, or the name with its signs.
    fn compound_forms(
        &mut self,
        text: &str,
        words: &[Surface<'_>],
        language: Language,
        forms: &mut FormBuffer,
        sink: &mut impl FnMut(Token<'_>),
    ) {
        if words.len() > 1 {
            self.joined_form(words, language, forms, sink);
        } else if let Some(name) = signed_name(text, words) {
            forms.normalise(name, Language::UNDETERMINED);
            forms.fold();
            sink(token(forms.marked(SPELLING, |name| name), &words[0]));
        }
    }

    fn joined_form(
        &mut self,
        words: &[Surface<'_>],
        language: Language,
        forms: &mut FormBuffer,
        sink: &mut impl FnMut(Token<'_>),
    ) {
        let [first, .., last] = words else {
            return;
        };
        forms.normalise(&joined(words), language);
        forms.fold();
        let term = forms.marked(SPELLING, |joined| self.stemmers.stem(joined, language));
        sink(Token { term, start: first.start, end: last.start + last.text.len(), position: first.position });
    }

    /// The different forms of a query word in all languages, the word as it stands first.
    pub(crate) fn forms(&mut self, surface: &Surface<'_>, languages: &[Language]) -> Vec<Form> {
        let mut forms = Forms::default();
        for language in all(languages) {
            forms.add(self.term(surface, language), language, 1.0);
        }
        if surface.is_pair {
            if let Some(unit) = only_unit(surface.text) {
                forms.add(&marked_unit(unit), Language::UNDETERMINED, FOLDED_FACTOR);
            }
            return forms.0;
        }
        let mut buffer = FormBuffer::default();
        for language in all(languages) {
            self.other_spellings(surface.text, language, &mut buffer, &mut forms);
        }
        forms.0
    }

    /// Adds the spellings of `word` in one language, and the word as a part of a name.
    fn other_spellings(&mut self, word: &str, language: Language, buffer: &mut FormBuffer, forms: &mut Forms) {
        buffer.normalise(word, language);
        let has_marks = buffer.fold();
        let mut stem = |folded: &str| self.stemmers.stem(folded, language).to_owned();
        let factor = if has_marks { OTHER_MARKS_FACTOR } else { FOLDED_FACTOR };
        let folded = stem(&buffer.folded);
        if has_marks {
            forms.add(&folded, language, FOLDED_FACTOR);
        }
        forms.add(&marked(SPELLING, &folded), language, factor);
        if buffer.fold_to_pairs() {
            forms.add(&stem(&buffer.folded), language, FOLDED_FACTOR);
        }
        forms.add(&marked(PART, &folded), language, PART_FACTOR);
    }

    /// The forms of a compound or part in all languages.
    pub(crate) fn extra_forms(&mut self, extra: &ExtraWord<'_>, languages: &[Language]) -> Vec<Form> {
        let mut forms = Forms::default();
        let mut buffer = FormBuffer::default();
        match &extra.kind {
            ExtraKind::Signed => {
                buffer.normalise(extra.source, Language::UNDETERMINED);
                buffer.fold();
                forms.add(&marked(SPELLING, &buffer.folded), Language::UNDETERMINED, 1.0);
            }
            ExtraKind::Joined(joined) => {
                for language in all(languages) {
                    buffer.normalise(joined, language);
                    buffer.fold();
                    let stem = self.stemmers.stem(&buffer.folded, language);
                    forms.add(&marked(SPELLING, stem), language, 1.0);
                    forms.add(stem, language, FOLDED_FACTOR);
                }
            }
            ExtraKind::Part => {
                for language in all(languages) {
                    buffer.normalise(extra.source, language);
                    forms.add(self.stemmers.stem(&buffer.normal, language), language, PART_FACTOR);
                }
            }
        }
        forms.0
    }

    /// The terms that may stand for a word of a phrase in texts of one language, the word as it stands first.
    pub(crate) fn spellings(&mut self, surface: &Surface<'_>, language: Language) -> Vec<String> {
        let term = self.term(surface, language).to_owned();
        if surface.is_pair {
            let unit = only_unit(surface.text).map(marked_unit);
            return std::iter::once(term).chain(unit).collect();
        }
        let mut buffer = FormBuffer::default();
        buffer.normalise(surface.text, language);
        buffer.fold();
        let folded = self.stemmers.stem(&buffer.folded, language);
        let mut spellings = vec![term, marked(SPELLING, folded)];
        if spellings[0] != folded {
            spellings.push(folded.to_owned());
        }
        spellings
    }
}

/// The undetermined language, then these.
fn all(languages: &[Language]) -> impl Iterator<Item = Language> {
    std::iter::once(Language::UNDETERMINED).chain(languages.iter().copied())
}

/// Different forms in the order of what they count.
#[derive(Default)]
struct Forms(Vec<Form>);

impl Forms {
    /// Adds a term of a language, unless it is there for that language or for all.
    fn add(&mut self, term: &str, language: Language, factor: f32) {
        let mut same = self.0.iter_mut().filter(|known| known.term == term);
        if same.by_ref().any(|known| known.languages.is_empty() || known.languages.contains(&language)) {
            return;
        }
        let is_all = language == Language::UNDETERMINED;
        let counts_alike = |known: &&mut Form| known.term == term && known.factor.total_cmp(&factor).is_eq();
        match self.0.iter_mut().find(counts_alike) {
            Some(known) if !is_all => known.languages.push(language),
            _ => {
                let languages = if is_all { Vec::new() } else { vec![language] };
                self.0.push(Form { term: term.to_owned(), languages, factor });
            }
        }
    }
}

/// Room to make forms in.
#[derive(Default)]
struct FormBuffer {
    normal: String,
    folded: String,
    marked: String,
}

impl FormBuffer {
    fn normalise(&mut self, word: &str, language: Language) {
        self.normal.clear();
        normalise(word, language, &mut self.normal);
    }

    /// Folds the normal form; tells whether that is another spelling.
    fn fold(&mut self) -> bool {
        self.folded.clear();
        fold(&self.normal, &mut self.folded) && !self.folded.is_empty()
    }

    fn fold_to_pairs(&mut self) -> bool {
        self.folded.clear();
        fold_to_pairs(&self.normal, &mut self.folded)
    }

    /// The stem of what was folded, behind a mark.
    fn marked<'s>(&'s mut self, mark: char, stem: impl FnOnce(&'s str) -> &'s str) -> &'s str {
        self.marked.clear();
        self.marked.push(mark);
        self.marked.push_str(stem(&self.folded));
        &self.marked
    }
}

fn marked(mark: char, term: &str) -> String {
    format!("{mark}{term}")
}

fn token<'a>(term: &'a str, surface: &Surface<'_>) -> Token<'a> {
    Token { term, start: surface.start, end: surface.start + surface.text.len(), position: surface.position }
}

/// The words of a compound without what is between them.
fn joined(words: &[Surface<'_>]) -> String {
    words.iter().map(|word| word.text).collect()
}

/// The name that a lone word is with its signs.
fn signed_name<'t>(text: &'t str, words: &[Surface<'t>]) -> Option<&'t str> {
    let [word] = words else {
        return None;
    };
    if word.is_pair {
        return None;
    }
    let name = SignedName::around(text, word.start, word.start + word.text.len())?;
    text.get(name.start..name.end)
}

/// Sends the characters of a pair that were not sent with the pair before it; gives the end of the last.
fn single_units(
    pair: &Surface<'_>,
    sent_end: usize,
    forms: &mut FormBuffer,
    sink: &mut impl FnMut(Token<'_>),
) -> usize {
    let mut end = sent_end;
    if only_unit(pair.text).is_some() {
        return end; // It stands for itself.
    }
    for (offset, unit) in pair.text.grapheme_indices(true) {
        let start = pair.start + offset;
        if start < sent_end {
            continue;
        }
        end = start + unit.len();
        forms.normalise(unit, Language::UNDETERMINED);
        std::mem::swap(&mut forms.normal, &mut forms.folded);
        sink(Token { term: forms.marked(SPELLING, |unit| unit), start, end, position: pair.position });
    }
    end
}

/// The character as the reader sees it, when there is but one.
fn only_unit(pair: &str) -> Option<&str> {
    let mut units = pair.graphemes(true);
    units.next().filter(|_| units.next().is_none())
}

fn marked_unit(unit: &str) -> String {
    let mut normal = String::from(SPELLING);
    normalise(unit, Language::UNDETERMINED, &mut normal);
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indexed(text: &str, code: &str) -> Vec<(String, u32)> {
        let mut found = Vec::new();
        Analyzer::new().analyze_for_index(text, Language::from_code(code), |token| {
            found.push((token.term.replace(SPELLING, "~").replace(PART, "/"), token.position));
        });
        found
    }

    #[track_caller]
    fn check(text: &str, code: &str, expected: &[(&str, u32)]) {
        let found = indexed(text, code);
        let found: Vec<(&str, u32)> = found.iter().map(|(term, position)| (term.as_str(), *position)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn further_forms_stand_at_their_words() {
        check("plain Words", "en", &[("plain", 0), ("word", 1)]);
        check("đại học", "vi", &[("đại", 0), ("~dai", 0), ("học", 1), ("~hoc", 1)]);
        check("Größe", "de", &[("gross", 0), ("~gross", 0), ("~groess", 0)]);
        check(
            "str.join_all(x)",
            "en",
            &[("str", 0), ("~strjoinal", 0), ("join_al", 1), ("~joinal", 1), ("/join", 1), ("/all", 1), ("x", 2)],
        );
        check("C++ in", "en", &[("c", 0), ("~c++", 0), ("in", 1)]);
        check("森林公", "zh", &[("森林", 0), ("~森", 0), ("~林", 0), ("林公", 1), ("~公", 1)]);
        check("木 a", "zh", &[("木", 0), ("a", 1)]);
    }

    #[test]
    fn a_query_word_has_its_forms_once() {
        let mut surfaces = Vec::new();
        super::super::for_each_surface("Häuser", |surface| surfaces.push(surface));
        let languages = ["de", "en"].map(Language::from_code);
        let forms = Analyzer::new().forms(&surfaces[0], &languages);
        assert_eq!(forms[0], Form { term: "häuser".to_owned(), languages: Vec::new(), factor: 1.0 });
        assert_eq!(forms[1], Form { term: "haus".to_owned(), languages: vec![languages[0]], factor: 1.0 });
        for (index, form) in forms.iter().enumerate() {
            let is_alike = |other: &Form| other.term == form.term && other.languages == form.languages;
            assert!(!forms[..index].iter().any(is_alike), "{form:?}");
            assert!(form.factor > 0.0 && form.factor <= 1.0);
        }
    }

    #[test]
    fn queries_look_for_compounds_and_parts_too() {
        let sources = |text| extra_words(text).into_iter().map(|extra| extra.source).collect::<Vec<_>>();
        assert_eq!(sources("use str.join and C++"), ["str.join", "C++"]);
        assert_eq!(sources("read_csv"), ["read", "csv"]);
        assert_eq!(sources("plain words"), [""; 0]);
    }
}
