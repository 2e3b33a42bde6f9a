//! Definition questions: `what is a mutex`, `mutex definition`, `was ist ein Deadlock`, `ミューテックスとは`. They ask what something is, so a
//! block that is headed by its name answers better than one that uses it.

use super::asking::{Asking, BEFORE_NAME, BEHIND_NAME, LANGUAGES};
use super::ast::Node;
use super::question::{has, plain, text_of};
use super::words::surfaces;

/// Words that may be asked about; more are no name as a rule: `what is the best way to hang a mill wheel`.
const NAME_WORDS_MAX: usize = 4;

/// Characters of the same in a language without blanks.
const NAME_CHARS_MAX: usize = 16;

/// Whether a query is a definition question.
pub(super) fn asks_definition(root: Option<&Node>) -> bool {
    let parts = root.map_or(&[][..], Node::side_by_side);
    let Some(texts) = texts_of(parts) else { return false };
    way_of(&words_of(&texts)).is_some() || asks_without_blanks(&texts)
}

/// The words by which a definition question asks: `definition` and `of`. None of other queries, nor where nothing else says anything, as in
/// `what is it`.
pub(super) fn asking_words(parts: &[Node]) -> Vec<String> {
    let Some(words) = texts_of(parts).map(|texts| words_of(&texts)) else { return Vec::new() };
    let Some((asking, way)) = way_of(&words) else { return Vec::new() };
    let asks = |word: &str| way.split(' ').any(|of_way| of_way == word);
    if words.iter().all(|word| asks(word) || has(asking.then, word)) {
        return Vec::new();
    }
    words.into_iter().filter(|word| asks(word)).collect()
}

/// The place of the name in a way to ask.
const NAME: &str = "_";

/// The texts that a query consists of, if it has nothing else.
fn texts_of(parts: &[Node]) -> Option<Vec<&str>> {
    parts.iter().map(text_of).collect()
}

fn words_of(texts: &[&str]) -> Vec<String> {
    texts.iter().flat_map(|text| surfaces(text)).map(|word| plain(word.text)).collect()
}

/// The longest way in which these words ask what something is, and its language.
fn way_of(words: &[String]) -> Option<(&'static Asking, &'static str)> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ways = LANGUAGES.iter().flat_map(|asking| asking.define.split('|').map(move |way| (asking, way)));
    ways.filter(|(asking, way)| asking.asks(way, &words)).max_by_key(|(_, way)| way.split(' ').count())
}

impl Asking {
    /// Whether words ask so what something is.
    fn asks(&self, way: &str, words: &[&str]) -> bool {
        let Some((before, behind)) = way.split_once(NAME) else { return false };
        let [before, behind] = [before, behind].map(|part| part.split_whitespace().collect::<Vec<_>>());
        let name = words.strip_prefix(&before[..]).and_then(|words| words.strip_suffix(&behind[..]));
        name.is_some_and(|name| self.is_name(name) && !(before.is_empty() && is_said_of(name, &behind)))
    }

    /// Whether words are a name, with its article.
    fn is_name(&self, words: &[&str]) -> bool {
        let name = match words.split_first() {
            Some((article, name)) if has(self.articles, article) => name,
            _ => words,
        };
        (1..=NAME_WORDS_MAX).contains(&name.len())
    }
}

/// Whether words before `definition` are no name: they ask otherwise, as `how to change a definition` does, or are the same. `definition` is a
/// word of several languages, so what asks in any of them does.
fn is_said_of(words: &[&str], behind: &[&str]) -> bool {
    LANGUAGES.iter().any(|asking| has(asking.first, words[0])) || words.iter().any(|word| behind.contains(word))
}

/// The same of texts in a language without blanks, as one: `미러링이란 무엇인가요`.
fn asks_without_blanks(texts: &[&str]) -> bool {
    let text = plain(&texts.concat());
    let text = text.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let before = BEFORE_NAME.split(' ').find_map(|before| text.strip_prefix(before));
    let name = before.or_else(|| BEHIND_NAME.split_whitespace().find_map(|behind| text.strip_suffix(behind)));
    name.is_some_and(|name| (1..=NAME_CHARS_MAX).contains(&name.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn asks(query: &str) -> bool {
        asks_definition(parse(query).unwrap().root.as_ref())
    }

    #[test]
    fn what_something_is_is_asked_in_many_languages() {
        for query in [
            "what is a mutex",
            "define mutex",
            "define a foreign key",
            "Mutex definition",
            "definition of foreign data wrappers",
            "lock file meaning?",
            "meaning of nullable",
            "what is the meaning of nullable",
            "Definition von Deadlock",
            "Deadlock Bedeutung",
            "définition d'un verrou",
            "clave foránea significado",
            "significato di mutex",
            "definição de índice",
            "betekenis van molen",
            "definicja mutexu",
            "определение индекса",
            "betydelse av mutex",
            "死锁的定义",
            "デッドロックの意味",
            "미러링의 정의",
            "미러링 뜻",
            "What’s the GIL?",
            "what are foreign data wrappers",
            "What does nullable mean?",
            "Was ist ein Deadlock?",
            "Qu'est-ce qu'un verrou ?",
            "¿Qué es una clave foránea?",
            "cos'è il polimorfismo",
            "o que é um índice",
            "wat is een molen",
            "co to jest mutex",
            "что такое индекс",
            "hva er en mølle",
            "什么是死锁",
            "死锁是什么？",
            "デッドロックとは",
            "미러링이란 무엇인가요?",
        ] {
            assert!(asks(query), "{query}");
        }
    }

    #[test]
    fn the_words_that_ask_are_those_of_the_longest_way() {
        let words = |query: &str| asking_words(parse(query).unwrap().root.as_ref().unwrap().side_by_side()).join(" ");
        assert_eq!(words("what is the meaning of life"), "what is the meaning of");
        assert_eq!(words("what is a mutex"), "what is");
        assert_eq!(words("Mutex definition"), "definition");
        assert_eq!(words("lock a mutex"), "");
    }

    #[test]
    fn other_questions_ask_for_no_definition() {
        for query in [
            "",
            "mutex",
            "define",
            "definition",
            "definition of",
            "definition definition",
            "xml definition language",
            "css class definition order",
            "how to change a definition",
            "where is the function definition",
            "define the priority with an explicit option",
            "mutex \"definition\"",
            "mutex +definition",
            "what is",
            "what is the",
            "what is the best way to hang a mill wheel",
            "what does mutex lock do",
            "how do I lock a mutex",
            "\"what is\" a mutex",
            "what is a -mutex",
            "とは",
            "デッドロック",
        ] {
            assert!(!asks(query), "{query}");
        }
    }
}
