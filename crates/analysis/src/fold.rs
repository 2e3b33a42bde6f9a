//! Folding: the spelling of a word that is left when its marks and signs are not written.

use std::str::Chars;

use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};

const DECOMPOSITION: CanonicalDecompositionBorrowed<'static> = CanonicalDecompositionBorrowed::new();

/// Appends the folded form of `word`, already normalised, to `folded`; tells whether it differs.
///
/// Accents of Latin and Greek letters, points of Hebrew, vowel signs and tatweel of Arabic, apostrophes and underscores are
/// left out; letters that Unicode does not take apart are replaced ([`spelled`]), and digits of other scripts are ASCII ones.
/// Nasals and dots of Devanagari are spelled in one way ([`devanagari`]). What marks tell apart in Cyrillic (`й`, `ї`, `ў`),
/// in the other scripts of India and Southeast Asia and in kana is kept: they are letters there.
pub(super) fn fold(word: &str, folded: &mut String) -> bool {
    let before = folded.len();
    let mut chars = word.chars();
    while let Some(char) = chars.next() {
        if matches!(char, '\u{900}'..='\u{97F}') {
            devanagari(char, &mut chars, folded);
        } else if char.is_ascii() {
            if !matches!(char, '\'' | '_') {
                folded.push(char);
            }
        } else if let Some(letters) = spelled(char) {
            folded.push_str(letters);
        } else if !is_optional_mark(char) {
            folded.push(without_marks(char));
        }
    }
    folded[before..] != *word
}

/// Appends `word` with the letter pairs that stand for umlauts and the like in German, Danish and Norwegian, where it has any.
pub(super) fn fold_to_pairs(word: &str, folded: &mut String) -> bool {
    if !word.contains(['ä', 'ö', 'ü', 'å', 'ø']) {
        return false;
    }
    for char in word.chars() {
        match char {
            'ä' => folded.push_str("ae"),
            'ö' | 'ø' => folded.push_str("oe"),
            'ü' => folded.push_str("ue"),
            'å' => folded.push_str("aa"),
            _ => folded.push_str(spelled(char).unwrap_or(char.encode_utf8(&mut [0; 4]))),
        }
    }
    true
}

/// How a letter is spelled that has no canonical decomposition, or another than its letter and marks.
fn spelled(char: char) -> Option<&'static str> {
    Some(match char {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'đ' | 'ð' | 'ɖ' => "d",
        'ł' => "l",
        'ø' | 'º' => "o",
        'ı' => "i",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "n",
        'ə' => "e",
        'ª' => "a",
        '¹' => "1",
        '²' => "2",
        '³' => "3",
        'µ' => "μ",
        'ё' | 'ѐ' => "е",
        'ѝ' => "и",
        'أ' | 'إ' | 'آ' | 'ٱ' => "ا",
        'ى' | 'ی' | 'ئ' => "ي",
        'ؤ' => "و",
        'ة' => "ه",
        'ک' => "ك",
        // Tatweel, and the letters that are apostrophes.
        '\u{640}' | 'ʼ' | 'ʻ' | 'ʹ' | 'ʿ' | 'ʾ' | '׳' | '״' => "",
        _ => return digit(char),
    })
}

/// The ASCII digit of one in another script that is in everyday use.
fn digit(char: char) -> Option<&'static str> {
    const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let zero = match char {
        '\u{660}'..='\u{669}' => 0x660,    // Arabic
        '\u{6F0}'..='\u{6F9}' => 0x6F0,    // Persian
        '\u{966}'..='\u{96F}' => 0x966,    // Devanagari
        '\u{9E6}'..='\u{9EF}' => 0x9E6,    // Bengali
        '\u{A66}'..='\u{A6F}' => 0xA66,    // Gurmukhi
        '\u{AE6}'..='\u{AEF}' => 0xAE6,    // Gujarati
        '\u{B66}'..='\u{B6F}' => 0xB66,    // Odia
        '\u{BE6}'..='\u{BEF}' => 0xBE6,    // Tamil
        '\u{C66}'..='\u{C6F}' => 0xC66,    // Telugu
        '\u{CE6}'..='\u{CEF}' => 0xCE6,    // Kannada
        '\u{D66}'..='\u{D6F}' => 0xD66,    // Malayalam
        '\u{E50}'..='\u{E59}' => 0xE50,    // Thai
        '\u{ED0}'..='\u{ED9}' => 0xED0,    // Lao
        '\u{F20}'..='\u{F29}' => 0xF20,    // Tibetan
        '\u{1040}'..='\u{1049}' => 0x1040, // Burmese
        '\u{17E0}'..='\u{17E9}' => 0x17E0, // Khmer
        '\u{1810}'..='\u{1819}' => 0x1810, // Mongolian
        _ => return None,
    };
    DIGITS.get(char as usize - zero).copied()
}

/// Appends a letter or sign of Devanagari, which `rest` goes on behind, as one of the ways to spell it. Writers of Hindi and
/// Marathi do either:
///
/// 1. a nasal before a consonant of its own row is a dot (`हिन्दी`, `हिंदी`), and its virama is taken from `rest`;
/// 2. so is the half moon with a dot (`जाँच`, `जांच`);
/// 3. the dot below a letter is left out (`फ़ाइल`, `फाइल`).
fn devanagari(char: char, rest: &mut Chars<'_>, folded: &mut String) {
    const DOT: char = '\u{902}';
    match char {
        '\u{901}' => folded.push(DOT),
        '\u{93C}' => {}
        '\u{929}' => folded.push('न'),
        '\u{931}' => folded.push('र'),
        '\u{934}' => folded.push('ळ'),
        _ if is_nasal_of_row(char, rest.as_str()) => {
            folded.push(DOT);
            rest.next();
        }
        _ => match digit(char) {
            Some(digit) => folded.push_str(digit),
            None => folded.push(char),
        },
    }
}

/// What takes the vowel from the consonant before it.
const VIRAMA: char = '\u{94D}';

/// Whether a nasal stands before one of the four other consonants of its row, without a vowel between them.
fn is_nasal_of_row(char: char, rest: &str) -> bool {
    let row = match char {
        'ङ' => 'क'..='घ',
        'ञ' => 'च'..='झ',
        'ण' => 'ट'..='ढ',
        'न' => 'त'..='ध',
        'म' => 'प'..='भ',
        _ => return false,
    };
    rest.strip_prefix(VIRAMA).and_then(|rest| rest.chars().next()).is_some_and(|next| row.contains(&next))
}

/// The letter under the marks, in the scripts that are written without them too.
fn without_marks(char: char) -> char {
    if !matches!(char, '\u{C0}'..='\u{3FF}' | '\u{1E00}'..='\u{1FFF}' | '\u{6C0}'..='\u{6D3}') {
        return char;
    }
    let mut base = char;
    while let Decomposed::Singleton(first) | Decomposed::Expansion(first, _) = DECOMPOSITION.decompose(base) {
        base = first;
    }
    base
}

/// Whether a mark is one that may be left out in writing.
fn is_optional_mark(char: char) -> bool {
    matches!(char,
        '\u{300}'..='\u{36F}'     // Latin, Greek, and stress in Cyrillic
        | '\u{483}'..='\u{487}'   // Old Cyrillic
        | '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}'..='\u{5C2}' | '\u{5C4}'..='\u{5C5}' | '\u{5C7}' // Hebrew
        | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6DC}' | '\u{6DF}'..='\u{6E8}'
        | '\u{6EA}'..='\u{6ED}'   // Arabic
        | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20F0}' | '\u{FE20}'..='\u{FE2F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_left_out_where_writers_leave_them_out() {
        for (word, expected) in [
            ("trường", "truong"),
            ("đặng", "dang"),
            ("straße", "strasse"),
            ("smørrebrød", "smorrebrod"),
            ("łódź", "lodz"),
            ("ışık", "isik"),
            ("λόγοσ", "λογοσ"),
            ("ᾧδε", "ωδε"),
            ("ёлка", "елка"),
            ("мой", "мой"),
            ("за\u{301}мок", "замок"),
            ("إِسْلَامِيّة", "اسلاميه"),
            ("كتـــاب", "كتاب"),
            ("کتاب", "كتاب"),
            ("שָׁלוֹם", "שלום"),
            ("हिन्दी", "हिंदी"),
            ("जाँच", "जांच"),
            ("सम्पर्क", "संपर्क"),
            ("अण्डा", "अंडा"),
            ("फ\u{93C}ाइल", "फाइल"),
            ("जन्म", "जन्म"),
            ("अन्न", "अन्न"),
            ("भाषा", "भाषा"),
            ("पृष्ठ", "पृष्ठ"),
            ("म्", "म्"),
            ("अङ्क", "अंक"),
            ("चञ्चल", "चंचल"),
            ("২০২৪", "2024"),
            ("१२", "12"),
            ("๒๕๖๗", "2567"),
            ("១២", "12"),
            ("が", "が"),
            ("don't", "dont"),
            ("snake_case", "snakecase"),
            ("۱۴۰۲", "1402"),
            ("plain", "plain"),
        ] {
            let mut folded = String::new();
            assert_eq!(fold(word, &mut folded), word != expected, "{word}");
            assert_eq!(folded, expected, "{word}");
        }
        let mut pairs = String::new();
        assert!(fold_to_pairs("größe", &mut pairs) && !fold_to_pairs("grosse", &mut pairs));
        assert_eq!(pairs, "groesse");
    }
}
