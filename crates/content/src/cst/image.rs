//! Where an image is, also of those that scripts load when they come into view.

use crate::dom::{AttributeName, Dom, DomId};

/// Attributes that scripts put in the place of `src`, which then holds something that is nothing to look at.
const LAZY: &[AttributeName] = &[AttributeName::DataSrc, AttributeName::DataLazySrc, AttributeName::DataOriginal];

/// Sets of sources, the first of which is the image.
const SETS: &[AttributeName] = &[AttributeName::DataSrcset, AttributeName::DataLazySrcset, AttributeName::Srcset];

/// The address of an image as written; empty when it has none but one of data.
pub(crate) fn image_source(dom: &Dom, image: DomId) -> &str {
    let named = |name: &AttributeName| dom.attribute(image, *name).map(str::trim).filter(|value| is_address(value));
    let in_set = |name: &AttributeName| {
        let first = dom.attribute(image, *name)?.split_ascii_whitespace().next()?;
        Some(first.trim_end_matches(',')).filter(|value| is_address(value))
    };
    let source = LAZY.iter().find_map(named).or_else(|| named(&AttributeName::Src));
    source.or_else(|| SETS.iter().find_map(in_set)).unwrap_or("")
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
}
