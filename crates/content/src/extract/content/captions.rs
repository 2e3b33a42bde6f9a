//! Figures of divisions with a caption: those of HTML 4 (pandoc, R Markdown, Docutils), of WordPress and of MediaWiki.

use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// Class names of such a figure.
const FIGURES: &ClassNames = classes!["figure", "wp-caption", "thumbinner"];

/// Class names of its caption.
const CAPTIONS: &ClassNames = classes!["caption", "wp-caption-text", "thumbcaption"];

/// Children of a figure that are looked at for its caption.
const CHILDREN_MAX: usize = 16;

/// Nodes of a figure that are looked at for an image.
const NODES_MAX: usize = 64;

/// Whether a division is a figure: it holds an image and, beside it, a caption. O(1).
pub(super) fn is_figure(dom: &Dom, division: DomId) -> bool {
    dom.has_class(division, FIGURES)
        && dom.children(division).take(CHILDREN_MAX).any(|id| is_called_caption(dom, id))
        && dom.descendants(division).take(NODES_MAX).any(|id| dom.tag(id) == Some(Tag::Img))
}

/// Whether an element is the caption of the figure that it stands in.
pub(super) fn is_caption(dom: &Dom, element: DomId) -> bool {
    is_called_caption(dom, element) && dom.parent(element).is_some_and(|figure| is_figure(dom, figure))
}

/// Whether a quotation is a table or figure set between two rules, and none (HeVeA).
pub(super) fn is_float(dom: &Dom, quotation: DomId) -> bool {
    dom.has_class(quotation, classes!["table", "figure"])
        && dom.descendants(quotation).take(NODES_MAX).any(|id| is_rule_of_float(dom, id))
}

/// Whether a rule is one of those.
pub(super) fn is_rule_of_float(dom: &Dom, rule: DomId) -> bool {
    dom.tag(rule) == Some(Tag::Hr) && dom.has_class(rule, classes!["floatrule"])
}

fn is_called_caption(dom: &Dom, element: DomId) -> bool {
    matches!(dom.tag(element), Some(Tag::P | Tag::Div)) && dom.has_class(element, CAPTIONS)
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn divisions_with_an_image_and_a_caption_are_figures() {
        let expected = "![](https://e.org/a/m.png)\n\n*The mill*\n";
        for html in [
            "<div class=figure style='text-align: center'><img src=m.png><p class=caption>The mill</p></div>",
            "<div class='wp-caption alignleft'><img src=m.png><p class=wp-caption-text>The mill</p></div>",
            "<div class=thumbinner><img src=m.png><div class=thumbcaption>The mill</div></div>",
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
        assert_eq!(markdown("<div class=figure><p class=caption>The mill</p></div>"), "The mill\n", "no image");
    }
}
