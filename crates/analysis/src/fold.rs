//! Folding: the spelling of a word that is left when its marks and signs are not written.

use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};

const DECOMPOSITION: CanonicalDecompositionBorrowed<'static> = CanonicalDecompositionBorrowed::new();

/// Appends the folded form of `word`, already normalised, to `folded`; tells whether it differs.
///
/// Accents of Latin and Greek letters, points of Hebrew, vowel signs and tatweel of Arabic, apostrophes and underscores are
/// left out; letters that Unicode does not take apart are replaced ([`spelled`]). What marks tell apart in Cyrillic (`й`, `ї`,
/// `ў`), in the scripts of India and Southeast Asia and in kana is kept: they are letters there.
pub(super) fn fold(word: &str, folded: &mut String) -> bool {
    let before = folded.len();
    for char in word.chars() {
        if char.is_ascii() {
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

/// The ASCII digit of an Arabic or Persian one.
fn digit(char: char) -> Option<&'static str> {
    const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let value = match char {
        '\u{660}'..='\u{669}' => char as usize - 0x660,
        '\u{6F0}'..='\u{6F9}' => char as usize - 0x6F0,
        _ => return None,
    };
    DIGITS.get(value).copied()
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
            ("हिन्दी", "हिन्दी"),
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
