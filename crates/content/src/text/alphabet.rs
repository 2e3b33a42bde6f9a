//! Letters beyond ASCII that a language is written with.

/// The small letters of the languages that the fast detector takes others for, which it does not know. Of Vietnamese only those that few
/// others have; with its tones they are most of its letters beyond ASCII.
const ALPHABETS: &[(&str, &str)] = &[
    ("ar", "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي"),
    ("de", "äöüß"),
    ("es", "áéíóúüñ"),
    ("fr", "àâæçéèêëîïôœùûüÿ"),
    ("it", "àèéìíîòóùú"),
    ("nl", "áéëèêïíóöúüĳ"),
    ("pt", "áâãàçéêíóôõúü"),
    ("ru", "абвгдежзийклмнопрстуфхцчшщъыьэюяё"),
    ("sv", "äöéà"),
    ("tr", "çğıöşüâîûi\u{307}"),
    ("vi", "ăđĩũơư"),
];

/// Letters of a text that a language has none of, below which they may be names.
const FOREIGN_MIN: usize = 3;

/// Whether the letters of `text` beyond ASCII are mostly such as `language` is not written with.
///
/// Of Latin letters more than half must be: a text has foreign names. Of Cyrillic and Arabic ones a twentieth, since
/// there the languages differ by a few letters.
pub(super) fn contradicts(text: &str, language: &str) -> bool {
    let Some((_, alphabet)) = ALPHABETS.iter().find(|(code, _)| *code == language) else { return false };
    let (mut own, mut foreign) = (0, 0);
    // Swedish, Danish and Norwegian all have an `å`.
    let is_letter = |char: &char| match language {
        "ar" => matches!(char, '\u{620}'..='\u{63f}' | '\u{641}'..='\u{64a}' | '\u{671}'..='\u{6d3}'),
        "ru" => matches!(char, '\u{400}'..='\u{52f}'),
        _ => matches!(char, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') && !"åÅ×÷".contains(*char),
    };
    for char in text.chars().filter(is_letter) {
        let is_tone = language == "vi" && ('\u{1ea0}'..='\u{1ef9}').contains(&char);
        let is_own = is_tone || char.to_lowercase().any(|small| alphabet.contains(small));
        *(if is_own { &mut own } else { &mut foreign }) += 1;
    }
    let share = if matches!(language, "ar" | "ru") { 20 } else { 2 };
    foreign >= FOREIGN_MIN && foreign * share > own + foreign
}

/// Common words of Basque that its neighbours lack; no detector knows it, and it is taken for Turkish or Indonesian.
const BASQUE: &[&str] = &[
    "eta", "dira", "duen", "dituen", "dituzten", "dute", "egin", "egiten", "edo", "ez", "baina", "dago", "dagoen",
    "ere", "izan", "daiteke", "nahi", "behar", "gisa", "bezala", "horrek", "bada", "zein", "hau", "bat",
];

/// Whether every fifteenth word is one of the commonest of Basque, and these are three different ones.
pub(super) fn is_basque(text: &str) -> bool {
    let (mut words, mut hits, mut different) = (0, 0, 0_u32);
    for word in text.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty()) {
        words += 1;
        if let Some(place) = BASQUE.iter().position(|common| *common == word) {
            hits += 1;
            different |= 1 << place;
        }
    }
    hits * 15 >= words && different.count_ones() >= 3
}
