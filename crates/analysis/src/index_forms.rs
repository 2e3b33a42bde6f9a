//! The tokens of a text with the further forms that stand in the index.

use unicode_segmentation::UnicodeSegmentation;

use super::analyzer::{Analyzer, Token};
use super::compound::{for_each_compound, parts};
use super::forms::{FormBuffer, PART, SPELLING, is_cut, is_in_capitals, only_unit, signed_name, underscored_name};
use super::language::Language;
use super::words::{Surface, for_each_surface};

impl Analyzer {
    /// Calls `sink` with every token of `text` as [`Analyzer::analyze`] does, acronyms also as they are written, behind their stems.
    pub fn analyze_with_acronyms(&mut self, text: &str, language: Language, mut sink: impl FnMut(Token<'_>)) {
        let mut forms = std::mem::take(&mut self.forms);
        for_each_surface(text, |surface| {
            sink(token(self.term(&surface, language), &surface));
            if !surface.is_pair
                && let Some(written) = self.acronym(surface.text, language, &mut forms)
            {
                sink(token(written, &surface));
            }
        });
        self.forms = forms;
    }

    /// Calls `sink` with every token of `text` as [`Analyzer::analyze`] does, but the letters of acronyms in place of their stems.
    pub fn analyze_names(&mut self, text: &str, language: Language, mut sink: impl FnMut(Token<'_>)) {
        let mut forms = std::mem::take(&mut self.forms);
        for_each_surface(text, |surface| {
            let is_acronym = !surface.is_pair && self.acronym(surface.text, language, &mut forms).is_some();
            let language = if is_acronym { Language::UNDETERMINED } else { language };
            sink(token(self.term(&surface, language), &surface));
        });
        self.forms = forms;
    }

    /// Calls `sink` with every token of `text` as [`Analyzer::analyze`] does, each followed by its word's further forms.
    ///
    /// Starts and positions do not decrease; a further form has the position of its word.
    pub fn analyze_for_index(&mut self, text: &str, language: Language, mut sink: impl FnMut(Token<'_>)) {
        let mut forms = std::mem::take(&mut self.forms);
        let mut units_end = 0;
        for_each_compound(text, |words| {
            for (index, surface) in words.iter().enumerate() {
                sink(token(self.term(surface, language), surface));
                if surface.is_pair {
                    units_end = single_units(surface, units_end, &mut forms, &mut sink);
                    continue;
                }
                self.further_forms(surface, language, &mut forms, &mut sink);
                if words.len() > 1
                    && let Some(name) = underscored_name(text, surface)
                {
                    name_form(name, surface, &mut forms, &mut sink);
                }
                if index == 0 {
                    self.compound_forms(text, words, language, &mut forms, &mut sink);
                } else if index + 2 == words.len() {
                    self.joined_form(&words[index..], language, &mut forms, &mut sink);
                }
            }
        });
        self.forms = forms;
    }

    /// The spellings and parts of one word.
    fn further_forms(
        &mut self,
        surface: &Surface<'_>,
        language: Language,
        forms: &mut FormBuffer,
        sink: &mut impl FnMut(Token<'_>),
    ) {
        if has_no_forms(surface.text, language) {
            return; // Nearly every word.
        }
        if let Some(written) = self.acronym(surface.text, language, forms) {
            sink(token(written, surface));
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
                is_pair: false,
            });
        }
    }

    /// An acronym as it is written, where its stem is another word: `up` of `UPS`.
    fn acronym<'f>(&mut self, word: &str, language: Language, forms: &'f mut FormBuffer) -> Option<&'f str> {
        if !is_in_capitals(word) {
            return None;
        }
        forms.normalise(word, language);
        is_cut(word, self.stemmers.stem(&forms.normal, language)).then(|| forms.as_written(word))
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
            name_form(name, &words[0], forms, sink);
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
        forms.normalise_joined(words, language);
        forms.fold();
        let term = forms.marked(SPELLING, |joined| self.stemmers.stem(joined, language));
        let (start, end) = (first.start, last.start + last.text.len());
        sink(Token { term, start, end, position: first.position, is_pair: false });
    }
}

/// A word as the name that it is with its signs.
fn name_form(name: &str, word: &Surface<'_>, forms: &mut FormBuffer, sink: &mut impl FnMut(Token<'_>)) {
    forms.fold_name(name);
    sink(token(forms.marked(SPELLING, |name| name), word));
}

/// Whether a word is quickly told to have no other spelling and no parts: small letters behind a letter, or digits.
fn has_no_forms(word: &str, language: Language) -> bool {
    let Some((first, rest)) = word.as_bytes().split_first() else { return true };
    if first.is_ascii_digit() {
        return rest.iter().all(u8::is_ascii_digit);
    }
    let is_dotless = *first == b'I' && language.has_dotless_i();
    first.is_ascii_alphabetic() && !is_dotless && rest.iter().all(u8::is_ascii_lowercase)
}

fn token<'a>(term: &'a str, surface: &Surface<'_>) -> Token<'a> {
    let (start, end) = (surface.start, surface.start + surface.text.len());
    Token { term, start, end, position: surface.position, is_pair: surface.is_pair }
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
        let term = forms.marked(SPELLING, |unit| unit);
        sink(Token { term, start, end, position: pair.position, is_pair: false });
    }
    end
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
    fn acronyms_stand_behind_their_stems_or_in_place_of_them() {
        let (text, english) = ("Größe of UPS, HTML", Language::from_code("en"));
        let mut found = Vec::new();
        let mut analyzer = Analyzer::new();
        analyzer.analyze_with_acronyms(text, english, |token| found.push((token.term.to_owned(), token.position)));
        let expected = [("größe", 0), ("of", 1), ("up", 2), ("\u{2}UPS", 2), ("html", 3)];
        assert_eq!(found, expected.map(|(term, position)| (term.to_owned(), position)));
        let mut found = Vec::new();
        analyzer.analyze_names(text, english, |token| found.push(token.term.to_owned()));
        assert_eq!(found, ["größe", "of", "ups", "html"]);
    }

    #[test]
    fn further_forms_stand_at_their_words() {
        check("plain Words", "en", &[("plain", 0), ("word", 1)]);
        check("đại học", "vi", &[("đại", 0), ("~dai", 0), ("học", 1), ("~hoc", 1)]);
        check("Größe", "de", &[("gross", 0), ("~gross", 0), ("~groess", 0)]);
        check(
            "str.join_all(x)",
            "en",
            &[("str", 0), ("~strjoinal", 0), ("join_all", 1), ("~joinal", 1), ("/join", 1), ("/all", 1), ("x", 2)],
        );
        check("C++ in", "en", &[("c", 0), ("~c++", 0), ("in", 1)]);
        check("def __init__", "", &[("def", 0), ("init", 1), ("~__init__", 1)]);
        check("a.__init__", "", &[("a", 0), ("~ainit", 0), ("init", 1), ("~__init__", 1)]);
        check("森林公", "zh", &[("森林", 0), ("~森", 0), ("~林", 0), ("林公", 1), ("~公", 1)]);
        check(
            "a UPS, an IDS, ups",
            "en",
            &[("a", 0), ("up", 1), ("~UPS", 1), ("an", 2), ("id", 3), ("~IDS", 3), ("up", 4)],
        );
        check("HTML UPS", "", &[("html", 0), ("ups", 1)]);
        check("HTML PRESETS", "en", &[("html", 0), ("preset", 1)]);
        check("木 a", "zh", &[("木", 0), ("a", 1)]);
    }
}
