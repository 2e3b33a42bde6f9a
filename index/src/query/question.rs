//! The words that a question begins with: `how do I`, `what is the`, `wie kann man`, and those that it ends with: `what does it do`;
//! in languages without blanks the pairs of characters of what asks, anywhere: `怎样`.
//! They tell that something is asked, not what.

use std::collections::HashSet;
use std::ops::Range;

use super::asking::{ASKING, ASKING_END, Asking, EXPLAIN, LANGUAGES, YOU};
use super::ast::{Field, Node};
use super::definition::asking_words;
use super::words::surfaces;
use lopper_analysis::Language;

/// What all of them count in the ranking together, in words. They do count: where questions are headings, they are in them.
pub(crate) const OPENING_WEIGHT: f32 = 0.6;

/// Words that an opening has at least: `which` alone is the name of a command, and `what` may be asked for itself.
const OPENING_WORDS_MIN: usize = 2;

impl Asking {
    /// What of these texts, words in lower case, asks in this language; nothing where it is no question, or asks for nothing else.
    fn of(&self, texts: &[Vec<String>]) -> Places {
        let words: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
        let is_first = words.first().is_some_and(|word| self.begins(word));
        let mut at = 0;
        let of_opening = |text: &&Vec<String>| {
            let places = at..at + text.len();
            at = places.end;
            is_first && places.into_iter().all(|place| self.is_of_opening(&words, place))
        };
        let begin = texts.iter().take_while(of_opening).count();
        let of_end = |words: &&Vec<String>| words.iter().all(|word| has(self.last, word) || has(self.polite, word));
        let end = texts[begin..].iter().rev().take_while(of_end).count();
        // `what is it for` asks for `for`, if for anything.
        let end = if begin + end < texts.len() { end } else { 0 };
        // Two words and more tell by themselves that something is asked.
        let is_begun = texts[..begin].iter().map(Vec::len).sum::<usize>() + 1 == OPENING_WORDS_MIN;
        let between = begin..texts.len() - end;
        let persons = between.filter(|place| is_begun && self.is_person(&texts[*place])).collect();
        Places { begin, persons, end }
    }

    /// Whether a text behind the beginning says whose question it is: `ich` and `mein` in `wie ändere ich mein Passwort`.
    fn is_person(&self, text: &[String]) -> bool {
        text.iter().all(|word| has(self.person, word))
    }

    /// Whether a word may be the first of a question.
    fn begins(&self, word: &str) -> bool {
        has(self.first, word) || has(self.polite, word) || has(self.tell, word)
    }

    /// Whether the word of a question at a place does not say what it is about, as none before it does.
    fn is_of_opening(&self, words: &[&str], place: usize) -> bool {
        let word = words[place];
        if has(self.tell, word) {
            let is_told =
                place > 0 && has(EXPLAIN, word) && (has(YOU, words[place - 1]) || has(self.polite, words[place - 1]));
            return is_told || self.tells(&words[place + 1..]);
        }
        has(self.first, word) || has(self.then, word) || has(self.polite, word)
    }

    /// Whether a word that asks to be told has such words behind it that it is that: `explain to me how`, and not `show hidden files`.
    fn tells(&self, behind: &[&str]) -> bool {
        let asked = behind.iter().find(|word| !has(self.then, word) && !has(self.polite, word));
        asked.is_some_and(|word| has(self.first, word))
    }
}

/// The texts of a query that ask: so many at its beginning and at its end, and those between that say whose question it is, where it
/// begins with one word alone.
#[derive(Debug, Default)]
struct Places {
    begin: usize,
    persons: Vec<usize>,
    end: usize,
}

impl Places {
    /// Whether a text that is not of the end asks.
    fn opens(&self, place: usize) -> bool {
        place < self.begin || self.persons.contains(&place)
    }

    /// How many texts ask.
    fn count(&self) -> usize {
        self.begin + self.persons.len() + self.end
    }
}

/// Whether a word is in a list of words.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// The words that a query begins and ends with as a question does, and pairs of what asks in it.
pub(super) struct Opening {
    words: HashSet<String>,
    /// The word that it begins with, if it has no opening and this asks by itself in some languages: `comment imprimer`.
    alone: Option<(String, Vec<Language>)>,
}

impl Opening {
    /// Without a word where the query is no question, or asks for nothing else.
    pub(super) fn of(root: Option<&Node>) -> Self {
        let parts = root.map_or(&[][..], Node::side_by_side);
        let mut words = words_between_blanks(parts);
        words.extend(asking_pairs(parts));
        words.extend(asking_words(parts));
        let alone = if words.is_empty() { asking_alone(parts) } else { None };
        Self { words, alone }
    }

    pub(super) fn has(&self, surface: &str) -> bool {
        self.words.contains(&plain(surface))
    }

    /// The languages in whose queries a word only asks, though it is no opening in any language.
    pub(super) fn asks_in(&self, surface: &str) -> &[Language] {
        let alone = self.alone.as_ref().filter(|(word, _)| *word == plain(surface));
        alone.map_or(&[], |(_, languages)| languages)
    }

    /// What a word counts in the ranking that is of the opening, in proportion to one that is not.
    pub(super) fn weight_of(&self, surface: &str) -> Option<f32> {
        self.has(surface).then(|| OPENING_WEIGHT / self.words.len() as f32)
    }
}

/// The first word of a query that has others, where it asks by itself in other languages than English, with these. It may be a word of English,
/// and there a single one is often what is asked for.
fn asking_alone(parts: &[Node]) -> Option<(String, Vec<Language>)> {
    let first = words_of(parts.first()?)?.into_iter().next()?;
    let asking = LANGUAGES.iter().filter(|language| language.codes != "en" && has(language.first, &first));
    let codes = asking.flat_map(|language| language.codes.split(' '));
    let languages: Vec<Language> = codes.map(Language::from_code).collect();
    (!languages.is_empty() && parts[1..].iter().any(is_text)).then_some((first, languages))
}

/// The words that a question begins and ends with in languages with blanks.
fn words_between_blanks(parts: &[Node]) -> HashSet<String> {
    let texts: Vec<Vec<String>> = parts.iter().map_while(words_of).collect();
    let places = LANGUAGES.iter().map(|language| language.of(&texts)).max_by_key(Places::count).unwrap_or_default();
    let of_opening = texts.iter().enumerate().filter(|(place, _)| places.opens(*place));
    let words: Vec<String> = of_opening.flat_map(|(_, text)| text).cloned().collect();
    let mut others = parts.iter().enumerate().filter(|(place, _)| !places.opens(*place));
    let is_opening = words.len() >= OPENING_WORDS_MIN && others.any(|(_, part)| is_text(part));
    // What stands behind the words is no part of the sentence's end: `site:example.org` may, `-table` may.
    let ends = texts[texts.len() - places.end..].concat();
    if is_opening { words.into_iter().chain(ends).collect() } else { HashSet::new() }
}

/// The pairs of characters that what asks in a text without blanks takes part in.
fn asking_pairs(parts: &[Node]) -> HashSet<String> {
    let texts: Vec<String> = parts.iter().filter_map(text_of).map(plain).collect();
    let (mut asking, mut others) =
        (HashSet::new(), parts.iter().filter(|part| text_of(part).is_none() && is_text(part)).count());
    for (index, text) in texts.iter().enumerate() {
        let places = asking_places(text, index + 1 == texts.len());
        for surface in surfaces(text) {
            let end = surface.start + surface.text.len();
            let is_asking = places.iter().any(|place| surface.start < place.end && place.start < end);
            if surface.is_pair && is_asking {
                asking.insert(surface.text.to_owned());
            } else {
                others += 1;
            }
        }
    }
    if others > 0 { asking } else { HashSet::new() }
}

/// Where a text asks.
fn asking_places(text: &str, is_last: bool) -> Vec<Range<usize>> {
    let anywhere = ASKING.split_whitespace().flat_map(|asking| text.match_indices(asking));
    let mut places: Vec<Range<usize>> = anywhere.map(|(start, asking)| start..start + asking.len()).collect();
    let said = text.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let at_end = ASKING_END.split_whitespace().filter(|asking| is_last && said.ends_with(asking));
    places.extend(at_end.map(|asking| said.len() - asking.len()..said.len()));
    places
}

/// A part that is a stretch of text without signs.
pub(super) fn text_of(part: &Node) -> Option<&str> {
    match part {
        Node::Word { text, is_prefix: false, .. } => Some(text),
        _ => None,
    }
}

/// A word as the lists have it.
pub(super) fn plain(surface: &str) -> String {
    surface.to_lowercase().replace('’', "'")
}

/// The words of a part that is one stretch of text without signs.
fn words_of(part: &Node) -> Option<Vec<String>> {
    let text = text_of(part)?;
    let words: Vec<String> = surfaces(text).iter().map(|surface| plain(surface.text)).collect();
    (!words.is_empty()).then_some(words)
}

/// Whether a part asks for something in the text.
fn is_text(part: &Node) -> bool {
    match part {
        Node::Field(field, _) => matches!(field, Field::Title | Field::Heading),
        Node::Not(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn opening(query: &str) -> String {
        let opening = Opening::of(parse(query).unwrap().root.as_ref());
        let mut words: Vec<String> = opening.words.into_iter().collect();
        words.sort();
        words.join(" ")
    }

    #[test]
    fn a_question_begins_with_words_that_do_not_say_what_is_asked() {
        for (query, expected) in [
            ("how do I rename a column", "do how i"),
            ("I want to rename a column", "i to want"),
            ("What is the best way to cache a view?", "best is the to way what"),
            ("How to \"drop a table\"", "how to"),
            ("what’s the time", "the what's"),
            ("what does unwrap do", "do does what"),
            ("what is a lock file used for", "a for is used what"),
            ("What does nullable mean?", "does mean what"),
            ("what does a lifetime mean site:example.org", "a does mean what"),
            ("how to work", "how to"),
            ("wie kann ich eine Spalte umbenennen", "eine ich kann wie"),
            ("Wie ändere ich mein Passwort?", "ich mein wie"),
            ("wie löscht man eine Spalte", "man wie"),
            ("wie lange Brot im Ofen backen", "lange wie"),
            ("warum startet mein Rechner nicht", "mein warum"),
            ("how to rename my column", "how to"),
            ("how long to cook oats", "how long to"),
            ("comment changer mon mot de passe", "comment mon"),
            ("¿Cómo cambio mi contraseña?", "cómo mi"),
            ("hoe wijzig ik mijn wachtwoord", "hoe ik mijn"),
            ("как изменить мой пароль", "как мой"),
            ("Comment puis-je renommer une colonne", "comment je puis"),
            ("qu'est-ce que le pain", "ce est le qu que"),
            ("¿Cómo puedo cambiar el nombre?", "cómo puedo"),
            ("как мне переименовать столбец", "как мне"),
            ("please tell me how to rename a column", "how me please tell to"),
            ("Can you explain to me how to rename columns please", "can explain how me please to you"),
            (
                "I would like to know what a lock file is used for, thanks",
                "a for i know like thanks to used what would",
            ),
            ("Can you explain locks", "can explain you"),
            ("what does explain do", "do does what"),
            ("please rename a column quickly", ""),
            ("Können Sie mir bitte sagen, wie ich eine Spalte umbenenne", "bitte eine ich können mir sagen sie wie"),
            ("pouvez-vous me dire comment renommer une colonne", "comment dire me pouvez vous"),
            ("¿Puedes explicarme cómo renombrar una columna?", "cómo explicarme puedes"),
            ("подскажите пожалуйста как переименовать столбец", "как подскажите пожалуйста"),
            ("how to show hidden files", "how to"),
            ("how to find which process writes", "find how to which"),
            ("怎样锁定单元格", "怎样 样锁"),
            ("Debianとは？", "とは"),
            ("define mutex", "define"),
            ("mutex definition", "definition"),
            ("what is the meaning of life", "is meaning of the what"),
            ("was bedeutet Deadlock", "bedeutet was"),
            ("\"名片\" 怎么", "怎么"),
            ("セル を 保護するには", "する には るに 護す"),
        ] {
            assert_eq!(opening(query), expected, "{query}");
        }
    }

    #[test]
    fn a_first_word_alone_asks_in_its_languages() {
        let asks_in = |query: &str, word: &str| -> Vec<String> {
            let opening = Opening::of(parse(query).unwrap().root.as_ref());
            opening.asks_in(word).iter().map(|language| language.code().to_owned()).collect()
        };
        assert_eq!(asks_in("Comment imprimer recto verso", "Comment"), ["fr"]);
        assert_eq!(asks_in("como instalar una impresora", "como"), ["es", "pt"]);
        assert_eq!(asks_in("como instalar una impresora", "instalar"), [""; 0]);
        for query in ["comment", "why python", "print a comment", "comment puis je imprimer", "\"comment\" imprimer"] {
            assert_eq!(asks_in(query, "comment"), [""; 0], "{query}");
        }
    }

    #[test]
    fn other_queries_have_no_opening() {
        for query in [
            "",
            "which",
            "why python",
            "rename a column",
            "how to",
            "how my",
            "my password",
            "ändere ich mein Passwort",
            "what is it",
            "how to site:example.org",
            "how to -table",
            "+how to begin",
            "\"how do I\" begin",
            "title:how do I begin",
            "how* do I begin",
            "how OR why begin",
            "do it yourself",
            "things to do",
            "what do I do",
            "tell me",
            "please tell me how to",
            "show hidden files",
            "find files",
            "explain plan",
            "password please",
        ] {
            assert_eq!(opening(query), "", "{query}");
        }
    }
}
