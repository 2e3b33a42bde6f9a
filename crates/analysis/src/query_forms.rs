//! What a word of a query is looked up by.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::analyzer::Analyzer;
use super::compound::{for_each_compound, parts};
use super::forms::{FormBuffer, PART, SPELLING, is_further_form, is_in_capitals, joined, only_unit, signed_name};
use super::language::Language;
use super::normal::normalise;
use super::words::Surface;

/// What another spelling counts when the query's word is written without marks: its writer may have left them out.
const FOLDED_FACTOR: f32 = 0.8;

/// What another spelling counts when the query's word has marks: it is likely another word.
const OTHER_MARKS_FACTOR: f32 = 0.5;

/// What a word counts that is only a part of a name in the text.
const PART_FACTOR: f32 = 0.5;

/// What a compound as one word, and a part of the query's name, count beside the words they are made of: enough to find what
/// is found by nothing else and to part what is else alike. In full they cost documentation queries 0.025 nDCG@10.
const EXTRA_FACTOR: f32 = 0.1;

/// A term that is a form of a query word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TermForm {
    /// The term, as the index has it.
    pub term: String,
    /// Languages that it is the stem in; none for the word as it stands, which counts in all.
    pub languages: Vec<Language>,
    /// What it counts, in (0, 1]: 1 for the word and its stems, less for other spellings.
    pub factor: f32,
}

impl TermForm {
    /// Whether it stands in the index beside the word itself: another spelling, a compound, a part of a name. Pages are weighed
    /// without such terms, and short texts are searched without them.
    pub fn is_further(&self) -> bool {
        is_further_form(&self.term)
    }

    /// Whether it is an acronym as it is written.
    pub fn is_acronym(&self) -> bool {
        self.term.strip_prefix(SPELLING).is_some_and(is_in_capitals)
    }

    /// Whether it counts also where words alone do, as in names, links' texts and titles of pages: a word, a stem, and an acronym, which stands
    /// in place of its stem.
    pub fn counts_as_word(&self) -> bool {
        !self.is_further() || self.is_acronym()
    }

    /// Whether it counts in a text of that language: a stem does in its own languages alone.
    pub fn allows(&self, language: Language) -> bool {
        self.languages.is_empty() || self.languages.contains(&language)
    }
}

/// What a query looks for besides its surface words: a compound as one word, or a part of a name.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtraWord<'t> {
    /// Where it comes from; the same text gives the same forms.
    pub source: &'t str,
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

impl ExtraWord<'_> {
    /// Whether it is a name with the signs that belong to it, as `C++`.
    pub fn has_signs(&self) -> bool {
        self.kind == ExtraKind::Signed
    }
}

/// The compounds and parts of names in a query's text.
pub fn extra_words(text: &str) -> Vec<ExtraWord<'_>> {
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
    /// The different forms of a query word in all languages, the word as it stands first.
    pub fn forms(&mut self, surface: &Surface<'_>, languages: &[Language]) -> Vec<TermForm> {
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

    /// The forms of an acronym that is meant as it is written: its letters, which texts without a stemmer have, and what others have beside its
    /// stem. Who writes `UPS` does not ask for "set up". Nothing for other words.
    pub fn acronym_forms(&mut self, surface: &Surface<'_>) -> Option<[TermForm; 2]> {
        if surface.is_pair || !is_in_capitals(surface.text) {
            return None;
        }
        let letters = self.term(surface, Language::UNDETERMINED).to_owned();
        let form = |term| TermForm { term, languages: Vec::new(), factor: 1.0 };
        Some([letters, marked(SPELLING, surface.text)].map(form))
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
    pub fn extra_forms(&mut self, extra: &ExtraWord<'_>, languages: &[Language]) -> Vec<TermForm> {
        let mut forms = Forms::default();
        let mut buffer = FormBuffer::default();
        match &extra.kind {
            ExtraKind::Signed => {
                buffer.fold_name(extra.source);
                forms.add(&marked(SPELLING, &buffer.folded), Language::UNDETERMINED, 1.0);
            }
            ExtraKind::Joined(joined) => {
                for language in all(languages) {
                    buffer.normalise(joined, language);
                    buffer.fold();
                    let stem = self.stemmers.stem(&buffer.folded, language);
                    forms.add(&marked(SPELLING, stem), language, EXTRA_FACTOR);
                    forms.add(stem, language, EXTRA_FACTOR);
                }
            }
            ExtraKind::Part => {
                for language in all(languages) {
                    buffer.normalise(extra.source, language);
                    forms.add(self.stemmers.stem(&buffer.normal, language), language, EXTRA_FACTOR);
                }
            }
        }
        forms.0
    }

    /// The term of a pair of characters, and those of its characters by themselves; nothing of a run of one, and of a word.
    pub fn pair_terms(&mut self, pair: &Surface<'_>) -> Option<[String; 3]> {
        let mut units = pair.text.graphemes(true).filter(|_| pair.is_pair);
        let (first, second) = units.next().zip(units.next())?;
        Some([self.term(pair, Language::UNDETERMINED).to_owned(), marked_unit(first), marked_unit(second)])
    }

    /// The terms that may stand for a word of a phrase in texts of one language, the word as it stands first.
    pub fn spellings(&mut self, surface: &Surface<'_>, language: Language) -> Vec<String> {
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
struct Forms(Vec<TermForm>);

impl Forms {
    /// Adds a term of a language, unless it is there for that language or for all.
    fn add(&mut self, term: &str, language: Language, factor: f32) {
        let mut same = self.0.iter_mut().filter(|known| known.term == term);
        if same.by_ref().any(|known| known.languages.is_empty() || known.languages.contains(&language)) {
            return;
        }
        let is_all = language == Language::UNDETERMINED;
        let counts_alike = |known: &&mut TermForm| known.term == term && known.factor.total_cmp(&factor).is_eq();
        match self.0.iter_mut().find(counts_alike) {
            Some(known) if !is_all => known.languages.push(language),
            _ => {
                let languages = if is_all { Vec::new() } else { vec![language] };
                self.0.push(TermForm { term: term.to_owned(), languages, factor });
            }
        }
    }
}

fn marked(mark: char, term: &str) -> String {
    format!("{mark}{term}")
}

fn marked_unit(unit: &str) -> String {
    let mut normal = String::from(SPELLING);
    normalise(unit, Language::UNDETERMINED, &mut normal);
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_word_has_its_forms_once() {
        let mut surfaces = Vec::new();
        super::super::for_each_surface("Häuser", |surface| surfaces.push(surface));
        let languages = ["de", "en"].map(Language::from_code);
        let forms = Analyzer::new().forms(&surfaces[0], &languages);
        assert_eq!(forms[0], TermForm { term: "häuser".to_owned(), languages: Vec::new(), factor: 1.0 });
        assert_eq!(forms[1], TermForm { term: "haus".to_owned(), languages: vec![languages[0]], factor: 1.0 });
        for (index, form) in forms.iter().enumerate() {
            let is_alike = |other: &TermForm| other.term == form.term && other.languages == form.languages;
            assert!(!forms[..index].iter().any(is_alike), "{form:?}");
            assert!(form.factor > 0.0 && form.factor <= 1.0);
        }
    }

    #[test]
    fn an_acronym_has_no_stems() {
        let mut surfaces = Vec::new();
        super::super::for_each_surface("UPS ups HTML5 WINDOWS", |surface| surfaces.push(surface));
        let mut analyzer = Analyzer::new();
        let acronym = analyzer.acronym_forms(&surfaces[0]).unwrap();
        assert_eq!(acronym.each_ref().map(|form| form.term.as_str()), ["ups", "\u{2}UPS"]);
        assert_eq!(acronym.each_ref().map(TermForm::is_acronym), [false, true]);
        assert!(acronym.iter().all(TermForm::counts_as_word));
        let forms = analyzer.forms(&surfaces[0], &[Language::from_code("en")]);
        let words: Vec<&str> = forms.iter().filter(|form| form.counts_as_word()).map(|form| &*form.term).collect();
        assert_eq!(words, ["ups", "up"]);
        for other in &surfaces[1..] {
            assert_eq!(analyzer.acronym_forms(other), None, "{}", other.text);
        }
    }

    #[test]
    fn a_pair_is_looked_up_with_its_characters() {
        let mut analyzer = Analyzer::new();
        let mut of = |text| {
            let mut found = Vec::new();
            super::super::for_each_surface(text, |surface| found.push(analyzer.pair_terms(&surface)));
            found
        };
        let terms = |terms: [&str; 3]| Some(terms.map(str::to_owned));
        assert_eq!(of("森林公"), [terms(["森林", "\u{2}森", "\u{2}林"]), terms(["林公", "\u{2}林", "\u{2}公"])]);
        assert_eq!(of("木"), [None]);
        assert_eq!(of("mill"), [None]);
    }

    #[test]
    fn queries_look_for_compounds_and_parts_too() {
        let sources = |text| extra_words(text).into_iter().map(|extra| extra.source).collect::<Vec<_>>();
        assert_eq!(sources("use str.join and C++"), ["str.join", "C++"]);
        assert_eq!(sources(".NET $PATH --force"), [".NET", "$PATH", "--force"]);
        assert_eq!(sources("__init__ or and_"), ["__init__", "and_"]);
        assert_eq!(sources("read_csv"), ["read", "csv"]);
        assert_eq!(sources("plain words"), [""; 0]);
    }
}
