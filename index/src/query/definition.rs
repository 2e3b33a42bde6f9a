//! Definition questions: `what is a mutex`, `was ist ein Deadlock`, `ミューテックスとは`. They ask what something is, so a block that is headed
//! by its name answers better than one that uses it.

use super::ast::Node;
use super::question::{plain, text_of};
use super::words::surfaces;

/// Words that may be asked about; more are no name as a rule: `what is the best way to hang a mill wheel`.
const NAME_WORDS_MAX: usize = 4;

/// Characters of the same in a language without blanks.
const NAME_CHARS_MAX: usize = 16;

/// Of one language, how such a question begins (alternatives part by `|`), the articles that may follow, and what it may end with.
struct Asking {
    begins: &'static str,
    articles: &'static str,
    ends: &'static str,
}

/// English (twice, since `what does` needs its `mean`), German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian; Swedish,
/// Danish and Norwegian together.
const LANGUAGES: [Asking; 11] = [
    Asking { begins: "what is|what are|what's|whats", articles: "a an the", ends: "" },
    Asking { begins: "what does|what do", articles: "a an the", ends: "mean" },
    Asking { begins: "was ist|was sind|was bedeutet", articles: "ein eine der die das", ends: "" },
    Asking { begins: "qu est ce que|qu est ce|c est quoi|que signifie", articles: "un une le la les l", ends: "" },
    Asking { begins: "qué es|que es|qué son|que son|qué significa", articles: "un una el la los las", ends: "" },
    Asking {
        begins: "cos'è|cosa è|che cos'è|che cosa è|cosa sono",
        articles: "un uno una il lo la i gli le l",
        ends: "",
    },
    Asking { begins: "o que é|o que são|que é", articles: "um uma o a os as", ends: "" },
    Asking { begins: "wat is|wat zijn|wat betekent", articles: "een de het", ends: "" },
    Asking { begins: "co to jest|czym jest|co to są", articles: "", ends: "" },
    Asking { begins: "что такое|что значит|что означает", articles: "", ends: "" },
    Asking { begins: "vad är|hvad er|hva er|vad betyder|hvad betyder|hva betyr", articles: "en ett et", ends: "" },
];

/// Chinese, Japanese and Korean: what stands before the name, and what behind it, the longer first.
const BEFORE: &str = "什么是 什麼是";
const BEHIND: &str = "是什么意思 是什麼意思 是什么 是什麼 とは何ですか とは何 とは って何ですか って何 이란 란 이란무엇인가요 이란무엇인가";

/// Whether a query is a definition question.
pub(super) fn asks_definition(root: Option<&Node>) -> bool {
    let parts = root.map_or(&[][..], Node::side_by_side);
    let Some(texts) = parts.iter().map(text_of).collect::<Option<Vec<&str>>>() else { return false };
    let words: Vec<String> = texts.iter().flat_map(|text| surfaces(text)).map(|word| plain(word.text)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    LANGUAGES.iter().any(|asking| asking.asks(&words)) || asks_without_blanks(&texts)
}

impl Asking {
    fn asks(&self, words: &[&str]) -> bool {
        self.begins.split('|').any(|begin| {
            let begin: Vec<&str> = begin.split(' ').collect();
            words.strip_prefix(&begin[..]).is_some_and(|behind| self.is_name(behind))
        })
    }

    /// Whether words behind the beginning are a name, with its article and what ends the question.
    fn is_name(&self, words: &[&str]) -> bool {
        let name = match words.split_first() {
            Some((article, name)) if self.articles.split(' ').any(|known| known == *article) => name,
            _ => words,
        };
        let name = match name.split_last() {
            _ if self.ends.is_empty() => name,
            Some((end, name)) if *end == self.ends => name,
            _ => return false,
        };
        (1..=NAME_WORDS_MAX).contains(&name.len())
    }
}

/// The same of texts in a language without blanks, as one: `미러링이란 무엇인가요`.
fn asks_without_blanks(texts: &[&str]) -> bool {
    let text = plain(&texts.concat());
    let text = text.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let before = BEFORE.split(' ').find_map(|before| text.strip_prefix(before));
    let name = before.or_else(|| BEHIND.split_whitespace().find_map(|behind| text.strip_suffix(behind)));
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
    fn other_questions_ask_for_no_definition() {
        for query in [
            "",
            "mutex",
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
