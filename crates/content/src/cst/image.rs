//! Where an image is, also of those that scripts load when they come into view.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Attributes that scripts put in the place of `src`, which then holds something that is nothing to look at.
const LAZY: &[AttributeName] = &[AttributeName::DataSrc, AttributeName::DataLazySrc, AttributeName::DataOriginal];

/// Sets of sources, the first of which is the image.
const SETS: &[AttributeName] = &[AttributeName::DataSrcset, AttributeName::DataLazySrcset, AttributeName::Srcset];

/// The address of an image as written; empty when it has none but one of data.
pub(crate) fn image_source(dom: &Dom, image: DomId) -> &str {
    let named = |name: &AttributeName| dom.attribute(image, *name).map(str::trim).filter(|value| is_address(value));
    let source = LAZY.iter().find_map(named).or_else(|| named(&AttributeName::Src));
    let source = source.or_else(|| first_of_sets(dom, image));
    source.or_else(|| in_picture(dom, image)).or_else(|| without_scripts(dom, image)).unwrap_or("")
}

/// Elements beside an image that are looked at for its address.
const BESIDE_MAX: usize = 8;

/// The first address of the sources before an image in a `picture`.
fn in_picture(dom: &Dom, image: DomId) -> Option<&str> {
    let picture = dom.parent(image).filter(|id| dom.tag(*id) == Some(Tag::Picture))?;
    let mut sources = dom.children(picture).take(BESIDE_MAX).filter(|id| dom.tag(*id) == Some(Tag::Source));
    sources.find_map(|source| first_of_sets(dom, source))
}

/// The address that a page gives to those without scripts, in a `noscript` right beside the image, or beside an element that holds nothing
/// else. Not where the image only fills the place of another one.
fn without_scripts(dom: &Dom, image: DomId) -> Option<&str> {
    if dom.attribute(image, AttributeName::AriaHidden) == Some("true") {
        return None;
    }
    let is_blank = |id: &DomId| dom.text(*id).is_some_and(|text| text.trim().is_empty());
    let is_noscript = |id: &DomId| dom.tag(*id) == Some(Tag::Noscript);
    let beside = |id: DomId| {
        let mut behind = std::iter::successors(dom.next_sibling(id), |id| dom.next_sibling(*id)).take(2);
        let mut before = std::iter::successors(dom.previous_sibling(id), |id| dom.previous_sibling(*id)).take(2);
        let nearest = [behind.find(|id| !is_blank(id)), before.find(|id| !is_blank(id))];
        nearest.into_iter().flatten().find(is_noscript)
    };
    let holder = || {
        let holder =
            dom.parent(image).filter(|id| matches!(dom.tag(*id), Some(Tag::Span | Tag::Div | Tag::Picture)))?;
        let is_alone = dom.children(holder).take(BESIDE_MAX).all(|id| id == image || is_blank(&id));
        is_alone.then_some(holder)
    };
    let noscript = beside(image).or_else(|| beside(holder()?))?;
    let inner = dom.descendants(noscript).take(BESIDE_MAX).find(|id| dom.tag(*id) == Some(Tag::Img))?;
    let source = dom.attribute(inner, AttributeName::Src).map(str::trim).filter(|value| is_address(value));
    source.or_else(|| first_of_sets(dom, inner)).filter(|source| !counts_visits(dom, inner, source))
}

/// Whether an image is there to be asked for, not to be seen.
fn counts_visits(dom: &Dom, image: DomId, source: &str) -> bool {
    const NAMES: [&str; 6] = ["/tr?", "/tr/?", "pixel", "1x1", "beacon", "collect?"];
    let is_hidden = dom.attribute(image, AttributeName::Style).is_some_and(|style| style.contains("none"));
    is_hidden || NAMES.iter().any(|name| source.contains(name))
}

fn first_of_sets(dom: &Dom, element: DomId) -> Option<&str> {
    SETS.iter().find_map(|name| {
        let first = dom.attribute(element, *name)?.split_ascii_whitespace().next()?;
        Some(first.trim_end_matches(',')).filter(|value| is_address(value))
    })
}

fn is_address(value: &str) -> bool {
    !value.is_empty() && !value.starts_with("data:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::{self, Tag};
    use crate::limits::Limits;

    #[test]
    fn images_that_scripts_load_have_their_address() {
        for (image, source) in [
            ("src=/a.jpg srcset='/b.jpg 2x'", "/a.jpg"),
            ("src='data:image/gif;base64,R0' data-lazy-src=/a.jpg", "/a.jpg"),
            ("src=/blank.gif data-original=' /a.jpg '", "/a.jpg"),
            ("srcset='/a.jpg 400w, /b.jpg 800w'", "/a.jpg"),
            ("src='data:,' data-srcset='/a.jpg, /b.jpg 2x'", "/a.jpg"),
            ("src='data:,' data-lazy-srcset='/a.jpg 1x'", "/a.jpg"),
            ("src=/a.jpg data-src=''", "/a.jpg"),
            ("src='data:,'", ""),
            ("alt=x", ""),
        ] {
            let dom = dom::parse(&format!("<img {image}>"), &Limits::default());
            let element = dom.descendants(Dom::DOCUMENT).find(|id| dom.tag(*id) == Some(Tag::Img)).unwrap();
            assert_eq!(image_source(&dom, element), source, "{image}");
        }
    }

    #[test]
    fn images_have_the_address_of_what_stands_for_them() {
        for (html, source) in [
            ("<picture><source srcset='/a.webp 640w, /b.webp 800w'><img alt=x></picture>", "/a.webp"),
            ("<picture><source srcset='/a.webp'><img src=/b.jpg></picture>", "/b.jpg"),
            ("<p><img src='data:,'><noscript><img src=/a.jpg></noscript>", "/a.jpg"),
            ("<p><noscript><img src=/a.jpg></noscript><img src='data:,'>", "/a.jpg"),
            ("<span><img src='data:,'></span><noscript><img srcset='/a.jpg 2x'></noscript>", "/a.jpg"),
            ("<p><img src='data:,'><noscript>Switch scripts on</noscript>", ""),
            ("<p><img src='data:,'><noscript><img src='//e.org/tr?id=1'></noscript>", ""),
            ("<p><img src='data:,' aria-hidden=true><noscript><img src=/a.jpg></noscript>", ""),
            ("<p><img src='data:,'><img src='data:,b'><noscript><img src=/a.jpg></noscript>", ""),
            ("<div>Words<img src='data:,'></div><noscript><img src=/a.jpg></noscript>", ""),
        ] {
            let dom = dom::parse(html, &Limits::default());
            let is_image =
                |id: &DomId| dom.tag(*id) == Some(Tag::Img) && dom.attribute(*id, AttributeName::Src) != Some("/a.jpg");
            let image = dom.descendants(Dom::DOCUMENT).find(is_image).unwrap();
            assert_eq!(image_source(&dom, image), source, "{html}");
        }
    }
}
