//! Words in another font of TeX, as TeX4ht names it: `cmti-10`, `ecbx-1000`.

use super::classes::class;
use super::line::Setting;
use crate::dom::{Dom, DomId};

/// The families of Computer Modern: as they were, in the European encoding, and Latin Modern.
const FAMILIES: [&str; 3] = ["cm", "ec", "lm"];

/// How the words of an element are set off, whose only class is such a font.
pub(super) fn setting(dom: &Dom, element: DomId) -> Option<Setting> {
    let (font, size) = class(dom, element).split_once('-')?;
    if size.is_empty() || !size.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    match FAMILIES.iter().find_map(|family| font.strip_prefix(family))? {
        "ti" | "sl" => Some(Setting::Emphasis),
        "bx" | "b" | "bxti" => Some(Setting::Strong),
        "tt" | "sltt" => Some(Setting::Code),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn fonts_of_tex_set_words_off() {
        let html = "<p>A <span class=cmti-10>head </span>of <span class='ecbx-1000'>water</span>, <span class=cmtt-10>mill -s</span>,
            <span class=cmr-12>and</span> <span class=cmti-x>so on</span></p>";
        assert_eq!(markdown(html), "A *head* of **water**, `mill -s`, and so on\n");
        assert_eq!(markdown("<h3><span class=cmbx-9>Abstract</span></h3><p>Words."), "### Abstract\n\nWords.\n");
    }
}
