//! Words for those alone who do not see the page, which say nothing of what is read: where a link opens, and what an icon shows. And signs
//! for those alone who see it, that are icons.

use super::classes::class;
use super::inlines::READ_OUT;
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// What a remark on a link says, in lower case: that it opens elsewhere.
const OPENS: [&str; 18] = [
    "new tab",
    "new window",
    "external",
    "neuem tab",
    "neuem fenster",
    "neues fenster",
    "nouvel onglet",
    "nouvelle fenêtre",
    "nueva ventana",
    "nueva pestaña",
    "nuova finestra",
    "nuova scheda",
    "nova janela",
    "nova aba",
    "nieuw venster",
    "nieuw tabblad",
    "новом окне",
    "新しい",
];

/// Parts of the class names of what is read out alone.
const PARTS: [&str; 4] = ["sr-only", "visually-hidden", "visuallyhidden", "screen-reader"];

/// Bytes of such words.
const BYTES_MAX: usize = 80;

/// Bytes of such a sign.
const SIGN_BYTES_MAX: usize = 8;

/// Elements around such words that are looked at.
const LEVELS_MAX: usize = 4;

/// What the entry of a tree of files is in (Starlight).
const TREES: &ClassNames = classes!["tree-entry"];

/// Whether an element is such a sign, or such words beside others: a remark on the link that it is in, the name of an icon in a tree of
/// files, or of a kind of code in its caption.
pub(super) fn is_remark(dom: &Dom, element: DomId, tag: Tag) -> bool {
    if tag != Tag::Span {
        return false;
    }
    if is_icon(dom, element) {
        return true;
    }
    if !PARTS.iter().any(|part| class(dom, element).contains(part)) {
        return false;
    }
    let text = dom.text_content(element);
    if text.len() > BYTES_MAX {
        return false;
    }
    let mut around = std::iter::successors(dom.parent(element), |id| dom.parent(*id)).take(LEVELS_MAX);
    around.any(|around| match dom.tag(around) {
        Some(Tag::A) => opens_elsewhere(&text) && dom.text_content(around).trim() != text.trim(),
        // The icon that leads to a post (phpBB).
        Some(Tag::P) => dom.has_class(around, classes!["author"]),
        Some(Tag::Figcaption) => dom.has_class(element, READ_OUT) && dom.has_class(around, classes!["header"]),
        Some(Tag::Span) => dom.has_class(around, TREES),
        _ => false,
    })
}

/// Whether an element is a sign that is shown alone and called an icon: the `!` before a warning.
fn is_icon(dom: &Dom, element: DomId) -> bool {
    dom.attribute(element, AttributeName::AriaHidden) == Some("true") && class(dom, element).contains("icon") && {
        let text = dom.text_content(element);
        text.len() <= SIGN_BYTES_MAX && !text.contains(char::is_alphanumeric)
    }
}

fn opens_elsewhere(text: &str) -> bool {
    let lower = text.to_lowercase();
    OPENS.iter().any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn remarks_on_links_and_names_of_icons_are_no_text() {
        let link =
            |class: &str, words: &str| format!("<p>See <a href=/m>Mills<span class='{class}'> {words}</span></a>.");
        let plain = "See [Mills](https://e.org/m).\n";
        assert_eq!(markdown(&link("nx-sr-only nx-select-none", "(opens in a new tab)")), plain);
        assert_eq!(markdown(&link("visually-hidden", "(öffnet in neuem Fenster)")), plain);
        assert_eq!(markdown(&link("sr-only", "of the north")), "See [Mills of the north](https://e.org/m).\n");
        assert_eq!(markdown(&link("note", "new window")), "See [Mills new window](https://e.org/m).\n");
        let post = "<p class=author><a href='#p1'><i class=icon></i><span class=sr-only>Post</span></a>by <b>ann</b>";
        assert_eq!(markdown(post), "by **ann**\n");
        let icon = "<p><span class=warning-text__icon aria-hidden=true>!</span>Keep off.";
        assert_eq!(markdown(icon), "Keep off.\n");
        assert_eq!(markdown(&icon.replace("!<", "1<")), "1 Keep off.\n");
        let alone = "<p>See <a href=/m><svg></svg><span class=sr-only>External link</span></a>.";
        assert_eq!(markdown(alone), "See [External link](https://e.org/m).\n");
    }

    #[test]
    fn code_and_files_of_starlight_have_no_words_that_are_not_shown() {
        let code = "<figure><figcaption class=header><span class=title></span><span class=sr-only>Terminal window\
            </span></figcaption><pre data-language=sh>mill open</pre></figure>";
        assert_eq!(markdown(code), "```sh\nmill open\n```\n");
        let named = code.replace("<span class=title></span>", "<span class=title>a.sh</span>").replace("Terminal", "");
        assert_eq!(markdown(&named), "*a.sh*\n\n```sh\nmill open\n```\n", "the name of the file stands first");
        let files = "<ul><li><span class=tree-entry><span><span><span class=sr-only>Directory</span><svg></svg></span>\
            src</span></span></ul>";
        assert_eq!(markdown(files), "- src\n");
    }
}
