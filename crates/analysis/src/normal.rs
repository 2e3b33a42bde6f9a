//! The normal form of a word: lower case, composed, without what cannot be seen.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::Language;

const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();

/// Appends the normal form of `word` to `normal`.
///
/// It is the lower case of NFKC, so that ligatures, full-width and half-width forms, Arabic presentation forms and letters
/// with marks apart are what they look like. Differs from that: 1) invisible marks (soft hyphen, joiners) are left out; 2) every
/// sigma is `σ`; 3) `İ` is a plain `i`, and `I` is `ı` in Turkish and Azerbaijani; 4) a typographic apostrophe is `'`; 5) letters
/// below U+0300, Greek, Cyrillic and Thai ones are kept where NFKC would replace them (`²`, `ϐ`, `ำ`), since that would cost the
/// common words a look into Unicode's tables.
#[inline]
pub fn normalise(word: &str, language: Language, normal: &mut String) {
    if word.is_ascii() && !language.has_dotless_i() {
        let start = normal.len();
        normal.push_str(word);
        normal[start..].make_ascii_lowercase();
    } else if !push_composed(word, language, normal) {
        let composed = NFKC.normalize_iter(word.chars()).filter(|char| !char.is_whitespace());
        composed.for_each(|char| push_lower(char, language, normal));
    }
}

/// Appends the lower case of a word that is composed already; of another one nothing.
fn push_composed(word: &str, language: Language, normal: &mut String) -> bool {
    let start = normal.len();
    for char in word.chars() {
        match char {
            // Most letters there are, without going through Unicode's tables.
            'a'..='z' | '0'..='9' | 'ß'..='ö' | 'ø'..='ÿ' | 'а'..='я' => normal.push(char),
            _ if is_composed(char) => push_lower(char, language, normal),
            _ => {
                normal.truncate(start);
                return false;
            }
        }
    }
    true
}

fn push_lower(char: char, language: Language, lower: &mut String) {
    match char {
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' => {}
        'ς' => lower.push('σ'),
        'İ' => lower.push('i'),
        'I' if language.has_dotless_i() => lower.push('ı'),
        '\u{2019}' => lower.push('\''),
        // Letters without capitals.
        '\u{3041}'..='\u{30FC}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => lower.push(char),
        _ => lower.extend(char.to_lowercase()),
    }
}

/// Whether a character is left as it stands by composing: nearly all there are in running text.
fn is_composed(char: char) -> bool {
    matches!(char,
        '\0'..='\u{2FF}'
        | '\u{386}'..='\u{482}' | '\u{48A}'..='\u{52F}'
        | '\u{E01}'..='\u{E4E}'
        | '\u{1EA0}'..='\u{1EF9}'
        | '\u{2019}' | '\u{200C}'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FC}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn normal(word: &str) -> String {
        let mut normal = String::new();
        normalise(word, Language::UNDETERMINED, &mut normal);
        normal
    }

    #[test]
    fn words_that_look_alike_are_alike() {
        for (word, expected) in [
            ("ﬁﬂ", "fifl"),
            ("e\u{301}te\u{301}", "été"),
            ("ＡＢＣ１", "abc1"),
            ("ｶﾞﾗｽ", "ガラス"),
            ("ﻼ", "لا"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
            ("tru\u{31B}\u{300}ng", "trừng"),
            ("soft\u{AD}ware", "software"),
            ("می\u{200C}خواهم", "میخواهم"),
        ] {
            assert_eq!(normal(word), expected, "{word}");
        }
    }

    proptest! {
        /// What is kept from the tables would come out of them as it went in, but for the letters named above.
        #[test]
        fn composed_letters_are_their_own_normal_form(char in any::<char>()) {
            if is_composed(char) && !matches!(char, '\u{A0}'..='\u{2FF}' | '\u{386}'..='\u{52F}' | '\u{E33}') {
                prop_assert!(NFKC.is_normalized(char.encode_utf8(&mut [0; 4])));
            }
        }
    }
}
