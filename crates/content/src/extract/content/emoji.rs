//! Images that stand for one character.

use crate::dom::{AttributeName, ClassNames, Dom, DomId, classes};

/// Class names of such images.
const NAMES: &ClassNames = classes!["emoji", "wp-smiley", "twemoji", "emojione", "emojioneicon"];

/// Class names of the smileys of forums (phpBB, XenForo, SMF). Those that are written in words (`:lol:`) stay images.
const SMILEYS: &ClassNames = classes!["smilies", "smilie", "smiley"];

/// Characters of a sign that is put together from some.
const CHARS_MAX: usize = 8;

/// The character that an image shows, by its alternative text.
pub(super) fn of_image(dom: &Dom, image: DomId) -> Option<&str> {
    let alt = dom.attribute(image, AttributeName::Alt)?.trim();
    let is_sign = !alt.is_empty() && alt.chars().count() <= CHARS_MAX && !alt.chars().any(char::is_alphabetic);
    (is_sign && (dom.has_class(image, NAMES) || dom.has_class(image, SMILEYS))).then_some(alt)
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn smileys_are_what_was_typed() {
        let smiley =
            |class: &str, alt: &str| markdown(&format!("<p>Runs well <img class={class} src=s.gif alt='{alt}'> now"));
        assert_eq!(smiley("smilies", ":)"), "Runs well :) now\n");
        assert!(smiley("smilie", ":confused:").contains("!["));
        assert!(smiley("smilies", "A mill").contains("!["));
        assert!(smiley("photo", ":)").contains("!["));
    }
}
