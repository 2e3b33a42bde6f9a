//! The language of a block that is plainly in another than its page.

use super::function_words::{self, LANGUAGES, LanguageSet};
use super::language;
use super::script::{Letters, Script};

/// Bytes of a block that are looked at.
const BYTES_MAX: usize = 2000;

/// Bytes of each of three stretches, in which a block of the page's language shows itself as a rule.
const STRETCH_BYTES: usize = 160;

/// Words below which a block tells nothing.
const WORDS_MIN: usize = 12;

/// Letters below which another script tells nothing; of Han, Kana and Hangul a third.
const LETTERS_MIN: usize = 30;

/// Small words that a block has in its language and the page's language has not.
const OWN_MIN: usize = 4;

/// How many times as many they are as those of the page's language that its own has not.
const OWN_TIMES: usize = 4;

/// The same where both are relatives.
const OWN_OF_RELATIVE_MIN: usize = 8;

/// Small words in a hundred of most languages, and of those that have endings in their place.
const SHARE_MIN: usize = 15;
const SHARE_OF_ENDINGS_MIN: usize = 9;

/// Languages whose words have endings where others have small words.
const OF_ENDINGS: &[&str] = &["fi", "hu", "tr", "et", "lt", "lv", "eu", "pl", "cs", "sk", "ru", "uk", "be"];

/// Languages that have many small words in common.
const RELATIVES: &[&[&str]] = &[
    &["es", "pt", "gl", "ca", "it", "fr"],
    &["da", "no", "sv"],
    &["cs", "sk"],
    &["sr", "hr", "sl", "mk", "bg"],
    &["ru", "uk", "be", "bg"],
    &["en", "nl"],
];

/// Small words of English that code is full of too.
const OF_CODE: &[&str] = &[
    "for", "in", "if", "this", "with", "is", "not", "and", "or", "as", "from", "to", "on", "at", "by", "no", "do",
    "then", "all", "any", "use", "only", "so", "when", "other", "new", "one",
];

/// The language of a block, where that is plainly another than its page's; nothing for all else: code, names, lists of commands, tables of
/// numbers, and texts in two languages are what the page is.
///
/// Another script is sure. Where both are written in the same letters, the commonest small words of languages tell: the block has many of its
/// language that the page's language has not, and hardly any the other way round.
///
/// ```
/// use lopper_content::text::block_language::detect;
///
/// let text = "This option is not translated yet: it tells the program which of the files are to be read, and where they are.";
/// assert_eq!(detect(text, "de"), Some("en"));
/// assert_eq!(detect(text, "en"), None);
/// assert_eq!(detect("for (i in list) { print(i) } if (this.is_not) return from", "de"), None);
/// ```
pub fn detect(text: &str, page: &str) -> Option<&'static str> {
    let page = Page::of(page);
    if text.len() < LETTERS_MIN || page.is_plain_in(text) {
        return None;
    }
    let sample = &text[..text.floor_char_boundary(BYTES_MAX)];
    let letters = Letters::of(sample);
    let all = letters.count();
    let script = letters.script(None);
    let of_script = letters.of_script(script);
    if of_script < LETTERS_MIN || page.script.is_some_and(|own| own != script && letters.of_script(own) * 5 > all) {
        return None;
    }
    let found = match script {
        Script::Latin => by_words(sample, &page),
        // Names and code are in Latin letters everywhere.
        _ if of_script * 5 < all * 3 => None,
        Script::Cyrillic | Script::Arabic => by_words(sample, &page),
        Script::Of(language) => (page.script != Some(script)).then_some(language),
        Script::Ideographic => {
            let language = letters.ideographic_language();
            // Names and headings in Japanese and Korean may be in Han alone.
            (page.script != Some(script) || language != "zh").then_some(language)
        }
    };
    found.filter(|found| *found != page.code)
}

/// The language of a page, to which its blocks are compared.
struct Page<'a> {
    code: &'a str,
    script: Option<Script>,
    /// It and those that cannot be told from it; none where its small words are not known.
    languages: LanguageSet,
}

impl<'a> Page<'a> {
    fn of(code: &'a str) -> Self {
        let alike: &[&str] = match code {
            "sr" | "hr" | "bs" => &["sr", "hr"],
            "ms" => &["id"],
            _ => &[code],
        };
        let places = alike.iter().filter_map(|code| function_words::place_of(code));
        let languages = places.fold(0, |set, place| set | 1 << place);
        Self { code, script: (!code.is_empty()).then(|| language::script_of(code)), languages }
    }

    /// Whether three stretches of a block have the small words of the page's language, or its letters, as any text of it has.
    fn is_plain_in(&self, text: &str) -> bool {
        let stretch = |start: usize| {
            let start = text.floor_char_boundary(start);
            &text[start..text.floor_char_boundary(start + STRETCH_BYTES)]
        };
        let last = text.len().saturating_sub(STRETCH_BYTES);
        let starts = [0, last / 2, last];
        let stretches = starts.iter().take(if last == 0 { 1 } else { 3 }).map(|start| stretch(*start));
        // English words stand in texts of any language.
        let english = if self.code == "en" { 0 } else { 1 << ENGLISH };
        let (mut words, mut own) = (0, 0);
        for stretch in stretches {
            function_words::for_each_word(stretch, |_, languages| {
                words += 1;
                own += usize::from(languages & self.languages != 0 && languages & english == 0);
            });
        }
        own >= 3 && own * 100 >= words * share_min(self.code)
    }

    fn is_relative_of(&self, code: &str) -> bool {
        RELATIVES.iter().any(|relatives| relatives.contains(&self.code) && relatives.contains(&code))
    }
}

/// The place of English among the languages of small words.
const ENGLISH: usize = 0;

fn share_min(code: &str) -> usize {
    if OF_ENDINGS.contains(&code) { SHARE_OF_ENDINGS_MIN } else { SHARE_MIN }
}

/// The language of a text by its small words.
fn by_words(text: &str, page: &Page<'_>) -> Option<&'static str> {
    let mut words = 0;
    let mut small: Vec<(u64, LanguageSet)> = Vec::new();
    function_words::for_each_word(text, |hash, languages| {
        words += 1;
        if languages != 0 {
            small.push((hash, languages));
        }
    });
    if words < WORDS_MIN || small.len() < OWN_MIN {
        return None;
    }
    let mut counts = [0_usize; LANGUAGES];
    for (_, languages) in &small {
        let mut rest = *languages;
        while rest != 0 {
            counts[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
    }
    let best = (0..LANGUAGES).max_by_key(|place| (counts[*place], LANGUAGES - place))?;
    let code = function_words::language_at(best);
    let bit = 1 << best;
    if page.languages & bit != 0 || counts[best] * 100 < words * share_min(code) {
        return None;
    }
    // A page in a language that is not known by its words may have small words of any relative.
    if page.languages == 0 && page.script == Some(Script::Latin) && best != ENGLISH {
        return None;
    }
    let is_own = |languages: LanguageSet| languages & bit != 0 && languages & page.languages == 0;
    let own: Vec<u64> = small.iter().filter(|(_, languages)| is_own(*languages)).map(|(hash, _)| *hash).collect();
    let of_page = small.iter().filter(|(_, languages)| languages & bit == 0 && languages & page.languages != 0).count();
    let is_relative = page.is_relative_of(code);
    let own_min = if is_relative { OWN_OF_RELATIVE_MIN } else { OWN_MIN };
    if own.len() < own_min || own.len() < of_page * OWN_TIMES || !has_different(&own, best) {
        return None;
    }
    let second = (0..LANGUAGES).filter(|place| *place != best).map(|place| counts[place]).max().unwrap_or(0);
    if is_relative || (second * 6 > counts[best] * 5 && counts[best] < second + 3) {
        let told = language::detect(text, None);
        let is_as_likely = function_words::place_of(told).is_some_and(|place| counts[place] + 1 >= counts[best]);
        return if is_as_likely { Some(told) } else { (!is_relative && counts[best] > second).then_some(code) };
    }
    Some(code)
}

/// Whether three of the words are different ones. Of English three must be such as code seldom has, two of them different.
fn has_different(words: &[u64], place: usize) -> bool {
    let of_code = OF_CODE.iter().filter(|_| place == ENGLISH).map(|word| function_words::hash(word.as_bytes()));
    let of_code: Vec<u64> = of_code.collect();
    let of_text: Vec<u64> = words.iter().filter(|word| !of_code.contains(word)).copied().collect();
    of_text.len() >= 3 && different(of_text) >= 2 && different(words.to_vec()) >= 3
}

fn different(mut words: Vec<u64>) -> usize {
    words.sort_unstable();
    words.dedup();
    words.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH_TEXT: &str = "The OLE Object bar appears when objects are selected, and contains the most important functions for formatting and \
                                positioning objects.";
    const GERMAN_TEXT: &str = "Lesen Sie zuerst das Handbuch: es wird in viele Seiten aufgeteilt, die nicht in der Reihenfolge der Kapitel stehen.";

    #[test]
    fn a_plain_block_has_its_own_language() {
        for (page, language, text) in [
            ("de", "en", ENGLISH_TEXT),
            ("gl", "en", ENGLISH_TEXT),
            ("ja", "en", ENGLISH_TEXT),
            ("", "en", ENGLISH_TEXT),
            ("en", "de", GERMAN_TEXT),
            ("cs", "de", GERMAN_TEXT),
            ("", "de", GERMAN_TEXT),
            ("en", "ja", "図書館はページの写しを保存しています。初めから読む人はいません。"),
            ("zh", "ja", "図書館はページの写しを保存しています。初めから読む人はいません。"),
            ("en", "zh", "图书馆保存了许多网页的副本，否则它们会在几年之内消失。"),
            ("ja", "ko", "도서관은 페이지의 사본을 보관하고 있습니다. 그렇지 않으면 몇 년 안에 사라질 것입니다."),
            ("ru", "el", "Οι βιβλιοθήκες φυλάσσουν αντίγραφα σελίδων που αλλιώς θα είχαν χαθεί."),
            (
                "en",
                "ru",
                "Библиотека хранит копии страниц, которые иначе были бы потеряны за несколько лет, и это не только для тех, кто их читает.",
            ),
            (
                "en",
                "ca",
                "Els paquets de la distribució no són els únics que hi ha: també es poden fer servir els que altres han preparat per als usuaris.",
            ),
            (
                "de",
                "da",
                "Hvis du ikke ønsker at installere pakken, så kan den hentes senere, men det er ikke muligt når systemet bliver startet uden netværk.",
            ),
        ] {
            assert_eq!(detect(text, page), Some(language), "{page}: {text}");
            assert_eq!(detect(text, language), None, "{text}");
            assert_eq!(detect(&format!("{text}\n").repeat(80), page), Some(language), "{page}: {text}");
        }
    }

    #[test]
    fn what_is_not_plain_is_what_its_page_is() {
        for text in [
            "",
            "See the manual.",
            "for x in list: if x is not None and x in other: return from this, else use all",
            "apt-get install the-package && git commit --all -m 'fix' && make all install clean check dist",
            "Anna Rossi, Marco Bianchi, Lucia Verdi, Peter Smith, Ivan Petrov, Jean de la Fontaine, Vincent van Gogh, Otto von Bismarck",
            "1.5 | 2.5 | 3.5 | 17 % | 12 kg | 4 m | 8 h | 33 dB | 1.5 | 2.5 | 3.5 | 17 % | 12 kg | 4 m | 8 h | 33 dB",
            "void f(int in, char *as) { for (;;) if (in) do { is(this); } while (not(as)); } // and so on, or not",
            "Library Journal of the Russian Geographical Society; Annals of the New York Academy",
        ] {
            for page in ["de", "fr", "ru", "ja", "sw", ""] {
                assert_eq!(detect(text, page), None, "{page}: {text}");
            }
        }
    }

    #[test]
    fn texts_in_two_languages_are_what_the_page_is() {
        let both = format!("{GERMAN_TEXT} {ENGLISH_TEXT}");
        assert_eq!(detect(&both, "de"), None);
        assert_eq!(detect(&both, "en"), None);
        let glossed =
            "図書館 (library) はページの写しを保存しています: the library keeps copies of the pages that are lost";
        assert_eq!(detect(glossed, "ja"), None);
    }

    #[test]
    fn relatives_need_more() {
        let galician = "A biblioteca garda copias de páxinas que doutro xeito se terían perdido en poucos anos, como son as da rede.";
        let spanish = "La biblioteca guarda copias de las páginas que de otro modo se habrían perdido en pocos años, como son las de la red.";
        for page in ["es", "gl", "pt"] {
            assert!(detect(galician, page).is_none_or(|language| language == "gl"), "{page}");
        }
        assert!(detect(spanish, "gl").is_none_or(|language| language == "es"));
        // Serbian in Latin letters is written as Croatian is.
        let serbian = "Biblioteka čuva preslike stranica koje bi se inače izgubile, a to nije samo za one koji ih čitaju, već i za sve koji će doći.";
        assert_eq!(detect(serbian, "sr"), None);
        assert_eq!(detect(serbian, "bs"), None);
    }

    #[test]
    fn pages_in_other_languages_keep_their_blocks() {
        // Afrikaans, whose small words are not known, has those of Dutch.
        let afrikaans = "Die biblioteek hou kopieë van die bladsye wat anders in die loop van die jare sou verlore gaan, en dit is nie al nie.";
        assert_eq!(detect(afrikaans, "af"), None);
        assert_eq!(detect(ENGLISH_TEXT, "af"), Some("en"));
    }
}
