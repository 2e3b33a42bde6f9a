//! Links of pages whose addresses are relative to something else than the page.

use url::Url;

use super::{ContentStructureTree, Span};

/// Longest address that is written, in bytes.
const URL_BYTES_MAX: usize = 4096;

/// Bytes that the addresses of a page may take.
const BYTES_MAX: usize = 16 << 20;

impl ContentStructureTree {
    /// Writes the addresses of links and images in full, as they lead from `base`. Links within the page stay as they are.
    pub(crate) fn make_absolute(&mut self, base: &Url) {
        let mut left = BYTES_MAX;
        for link in 0..self.links.len() {
            self.links[link].href = self.absolute(self.links[link].href, base, &mut left);
        }
        for image in 0..self.images.len() {
            self.images[image].src = self.absolute(self.images[image].src, base, &mut left);
        }
    }

    fn absolute(&mut self, written: Span, base: &Url, left: &mut usize) -> Span {
        let reference = self.attribute_text(written).trim();
        if reference.is_empty() || reference.starts_with('#') || reference.len() > URL_BYTES_MAX {
            return written;
        }
        let Ok(url) = base.join(reference) else { return written };
        let url = url.as_str();
        let is_too_long = url.len() > URL_BYTES_MAX.min(*left);
        if url == reference || is_too_long {
            return written;
        }
        *left -= url.len();
        let start = self.attribute_text.len() as u32;
        self.attribute_text.push_str(url);
        Span { start, end: self.attribute_text.len() as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn addresses_are_relative_to_the_base() {
        let html = "<p><a href=mill#wind>a</a><a href='#top'>b</a><a href=https://f.org/>c</a><a href='mailto:x@e.org'>d</a>\
            <img src=/m.png><a>e</a>";
        let mut tree = cst::build(&dom::parse(html, &Limits::default()), Profile::Modern, &Limits::default());
        tree.make_absolute(&Url::parse("https://e.org/docs/").unwrap());
        let hrefs: Vec<&str> = tree.links.iter().map(|link| tree.attribute_text(link.href)).collect();
        assert_eq!(hrefs, ["https://e.org/docs/mill#wind", "#top", "https://f.org/", "mailto:x@e.org"]);
        assert_eq!(tree.attribute_text(tree.images[0].src), "https://e.org/m.png");
    }
}
