//! Images that stand for one character.

use crate::dom::{AttributeName, ClassNames, Dom, DomId, classes};

/// Class names of such images.
const NAMES: &ClassNames = classes!["emoji", "wp-smiley", "twemoji", "emojione", "emojioneicon"];

/// Characters of a sign that is put together from some.
const CHARS_MAX: usize = 8;

/// The character that an image shows, by its alternative text.
pub(super) fn of_image(dom: &Dom, image: DomId) -> Option<&str> {
    let alt = dom.attribute(image, AttributeName::Alt)?.trim();
    let is_sign = !alt.is_empty() && alt.chars().count() <= CHARS_MAX && !alt.chars().any(char::is_alphabetic);
    (is_sign && dom.has_class(image, NAMES)).then_some(alt)
}
