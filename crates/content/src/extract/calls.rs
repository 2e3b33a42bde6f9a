//! Calls to subscribe among or behind the paragraphs of an article: `Never miss a story: sign up for our newsletter.`
//!
//! They are the site's words, not the author's, but sentences like the author's. They call, and name what they call for. An article that is
//! about newsletters names these often: nothing goes from it.

use super::comments::begins_with;
use super::features::PageInfo;
use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, RunId};
use crate::dom::Tag;

/// Most words of a call, and bytes that are read of it.
const WORDS_MAX: f32 = 40.0;
const BYTES_MAX: usize = 500;

/// Most kept texts that name what is called for, beside a share of all: with more the page is about it.
const NAMING_MAX: usize = 2;
const NAMING_SHARE: usize = 20;

/// Calls, wherever they stand, in lower case.
const CALLS: [&str; 33] = [
    "sign up for our",
    "sign up to our",
    "sign up for the",
    "signing up to our",
    "signing up for our",
    "subscribe to our",
    "subscribe now",
    "please subscribe",
    "abonnieren sie",
    "abonniere",
    "melde dich",
    "melden sie sich",
    "abonnez-vous",
    "inscrivez-vous",
    "suscríbete",
    "suscríbase",
    "suscribite",
    "únete",
    "iscriviti",
    "iscrivetevi",
    "inscreva-se",
    "assine",
    "subskrybuj",
    "zapisz się",
    "zapraszamy",
    "подпишитесь",
    "подписывайтесь",
    "schrijf je in",
    "meld je aan",
    "prenumerera på",
    "tilmeld dig",
    "tilaa",
    "iratkozz fel",
];

/// What clauses begin with that are calls, in lower case. Elsewhere these words tell of somebody who does it.
const BEGINNINGS: [&str; 6] = ["sign up", "subscribe", "follow us", "join us", "join our", "get our"];

/// What words begin with that name what is called for, in lower case.
const OBJECTS: [&str; 18] = [
    "newsletter",
    "inbox",
    "whatsapp",
    "telegram",
    "youtube",
    "posteingang",
    "infolettre",
    "boletín",
    "boletim",
    "biuletyn",
    "subskrypcj",
    "рассылк",
    "телеграм",
    "nieuwsbrief",
    "nyhetsbrev",
    "uutiskirje",
    "hírlevél",
    "bülten",
];

/// Bytes of the shortest of them.
const OBJECT_BYTES_MIN: usize = 5;

/// What is called for behind the word "full".
const OF_FULL: [&str; 2] = ["story", "article"];

/// Takes calls to subscribe out of `kept`, by run, on pages that say to be articles; nothing where nothing would be left. O(text).
pub(super) fn drop_calls(tree: &ContentStructureTree, info: &PageInfo, units: WordedRuns<'_>, kept: &mut Vec<bool>) {
    if !info.is_called_article() {
        return;
    }
    let (mut all, mut naming, mut found) = (0, 0, Vec::new());
    for (run, words) in units.runs.iter().zip(units.words).filter(|(run, _)| kept[**run]) {
        all += 1;
        let text = beginning(tree, *run);
        if names_object(text) {
            naming += 1;
            let is_sentence = *words <= WORDS_MAX && !matches!(tree.tag(tree.runs()[*run].item), Tag::Pre | Tag::Td);
            if is_sentence && calls(&text.to_lowercase()) {
                found.push(*run);
            }
        }
    }
    if naming <= NAMING_MAX + all / NAMING_SHARE {
        units.leave_out(kept, &found);
    }
}

/// The beginning of a run's text.
fn beginning(tree: &ContentStructureTree, run: RunId) -> &str {
    let text = tree.run_text(&tree.runs()[run]);
    &text[..text.floor_char_boundary(BYTES_MAX)]
}

/// Whether a text names what is called for.
fn names_object(text: &str) -> bool {
    if text.is_ascii() {
        let words = text.as_bytes().split(|sign| !sign.is_ascii_alphanumeric());
        return is_object_among(words, |word, object| begins_with(word, object));
    }
    let words = text.split(|sign: char| !sign.is_alphanumeric()).map(str::as_bytes);
    is_object_among(words, |word, object| {
        str::from_utf8(word).is_ok_and(|word| word.to_lowercase().starts_with(object))
    })
}

/// Whether one of the words names what is called for. `begins_with` tells whether a word begins so, in any case.
fn is_object_among<'a>(words: impl Iterator<Item = &'a [u8]>, begins_with: fn(&[u8], &str) -> bool) -> bool {
    let mut is_full = false;
    for word in words {
        if is_full && OF_FULL.iter().any(|of| word.eq_ignore_ascii_case(of.as_bytes())) {
            return true;
        }
        is_full = word.len() == 4 && word.eq_ignore_ascii_case(b"full");
        let [first, ..] = word else { continue };
        let may_name = word.len() >= OBJECT_BYTES_MIN && BEGINS_OBJECT[usize::from(*first)];
        let may_be = |object: &&&str| !first.is_ascii() || first.to_ascii_lowercase() == object.as_bytes()[0];
        if may_name && OBJECTS.iter().filter(may_be).any(|object| begins_with(word, object)) {
            return true;
        }
    }
    false
}

/// Whether a byte may be the first of one of [`OBJECTS`], in either case.
static BEGINS_OBJECT: [bool; 256] = {
    let mut begins = [false; 256];
    begins.split_at_mut(0x80).1.copy_from_slice(&[true; 0x80]);
    let mut next = 0;
    while next < OBJECTS.len() {
        let first = OBJECTS[next].as_bytes()[0];
        begins[first as usize] = true;
        begins[first.to_ascii_uppercase() as usize] = true;
        next += 1;
    }
    begins
};

/// Whether a text in lower case calls upon the reader.
fn calls(text: &str) -> bool {
    let is_word = |at: usize, length: usize| {
        let is_letter = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        !is_letter(text[..at].chars().next_back()) && !is_letter(text[at + length..].chars().next())
    };
    let is_called = |call: &&str| text.match_indices(*call).any(|(at, _)| is_word(at, call.len()));
    let begins = |at: usize| text[..at].trim_end().ends_with(|sign: char| !sign.is_alphanumeric()) || at == 0;
    let is_begun = |call: &&str| text.match_indices(*call).any(|(at, _)| is_word(at, call.len()) && begins(at));
    CALLS.iter().any(is_called) || BEGINNINGS.iter().any(is_begun)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    const ARTICLE: &str = "<meta property=og:type content=article>";

    fn left(html: &str) -> Vec<String> {
        testing::left(html, 0.9, |dom, tree, units, _, kept| {
            let mut all = vec![true; kept.len()];
            drop_calls(tree, &PageInfo::new(dom, ""), units, &mut all);
            kept.copy_from_slice(&all);
        })
    }

    #[test]
    fn calls_to_subscribe_go_from_articles() {
        for call in [
            "Never miss a story by signing up to our newsletter today!",
            "Want more? Sign up here and get mills in your inbox.",
            "To read the full story, please subscribe.",
            "Keine Mühle verpassen: Abonnieren Sie unseren Newsletter!",
            "¿Sabías que tenemos canal de Telegram? Únete.",
            "Подпишитесь на наш Телеграм-канал",
        ] {
            assert_eq!(
                left(&format!("{ARTICLE}<p>Mills grind.<p>{call}<p>They turn.")),
                ["Mills grind.", "They turn."]
            );
            assert_eq!(left(&format!("<p>Mills grind.<p>{call}<p>They turn.")).len(), 3, "no article");
        }
    }

    #[test]
    fn what_is_told_of_them_stays() {
        for told in [
            "Twelve people sign up for a newsletter a week.",
            "She subscribed to our newsletter.",
            "They meet on WhatsApp.",
            "Unsubscribe now from a newsletter of mills.",
        ] {
            assert_eq!(left(&format!("{ARTICLE}<p>Mills grind.<p>{told}")).len(), 2, "{told}");
        }
        let about = "<p>Newsletters have readers.".repeat(3);
        assert_eq!(
            left(&format!("{ARTICLE}{about}<p>Subscribe now to the newsletter.")).len(),
            4,
            "an article about them"
        );
        assert_eq!(left(&format!("{ARTICLE}<p>Subscribe now to the newsletter.")).len(), 1, "all that there is");
    }
}
