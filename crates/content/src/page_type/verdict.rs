//! Telling the type.

use std::sync::OnceLock;

use super::{Description, Model, PageType, TypedPage};

/// The embedded model: trained on the development split of WCXB and on sites of documentation, see `tools/train/README.md`.
static MODEL: &[u8] = include_bytes!("page_type.model");

/// What is thought of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The probability of each type, in the order of [`PageType::ALL`].
    pub probabilities: [f32; PageType::ALL.len()],
    /// The probability that each type must have to be told; infinite for a page that is not like those which types were learnt from.
    pub(super) told_min: [f32; PageType::ALL.len()],
}

/// Tells the type of a page by the model that comes with the program.
pub fn page_type(page: &TypedPage<'_>) -> Verdict {
    Verdict::of(&Description::of(page), embedded())
}

fn embedded() -> &'static Model {
    static EMBEDDED: OnceLock<Model> = OnceLock::new();
    EMBEDDED.get_or_init(|| Model::read(MODEL, &names()).expect("the embedded model is checked by a test"))
}

/// The names of the numbers, which are those of any page.
fn names() -> Vec<&'static str> {
    let limits = crate::limits::Limits::default();
    let dom = crate::dom::parse("", &limits);
    let tree = crate::cst::build(&dom, crate::cst::Profile::Modern, &limits);
    Description::of(&TypedPage { url: "", metadata: &crate::metadata::Metadata::default(), dom: &dom, tree: &tree })
        .names
}

impl Verdict {
    /// What `model` thinks of a page.
    pub fn of(page: &Description, model: &Model) -> Self {
        model.judge(&page.numbers, &page.words)
    }

    /// The likeliest type with its probability.
    pub fn likeliest(&self) -> (PageType, f32) {
        let of_types = PageType::ALL.into_iter().zip(self.probabilities);
        of_types.fold((PageType::Article, 0.0), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// The type, if it is sure enough.
    pub fn told(&self) -> Option<PageType> {
        let (kind, probability) = self.likeliest();
        (probability >= self.told_min[kind as usize]).then_some(kind)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;
    use crate::metadata::Metadata;

    fn verdict(html: &str, url: &str) -> Verdict {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        page_type(&TypedPage { url, metadata: &Metadata::read(&dom), dom: &dom, tree: &tree })
    }

    fn of_case(case: &str, url: &str) -> Option<PageType> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/pages").join(case).join("source.html");
        verdict(&fs::read_to_string(source).unwrap(), url).told()
    }

    #[test]
    fn types_are_told_of_pages_that_show_them() {
        assert_eq!(of_case("article", "https://rivers.example/blog/how-a-tide-mill-works"), Some(PageType::Article));
        assert_eq!(of_case("product", "https://hearth.example/products/kelvin-60"), Some(PageType::Product));
    }

    #[test]
    fn nothing_is_told_of_pages_that_show_nothing() {
        let links = "<a href=/x>xq</a><br>".repeat(300);
        for html in [
            "",
            "<p>hello world",
            "<title>404 Not Found</title><h1>404 Not Found</h1>",
            "<frameset><frame src=a>",
            &links,
        ] {
            assert_eq!(verdict(html, "http://e.org/").told(), None, "{html:.60}");
        }
        assert_eq!(of_case("japanese", "http://e.org/"), None);
    }

    proptest! {
        #[test]
        fn any_page_has_probabilities(html in "(<[a-z0-9]{1,6}( class=[a-z]+)?>|</[a-z]{1,4}>|[ -~]{0,20}|\\PC{0,9}|[$€0-9.]{1,6}){0,60}", url in "(https?://)?\\PC{0,30}") {
            let verdict = verdict(&html, &url);
            prop_assert!((verdict.probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            prop_assert!(verdict.told().is_none_or(|told| told == verdict.likeliest().0));
        }
    }
}
