//! Telling the type.

use std::sync::OnceLock;

use super::{Description, Model, PageType, TypedPage};

/// The embedded model: trained on the development split of WCXB, see `tools/train/README.md`.
static MODEL: &[u8] = include_bytes!("page_type.model");

/// What is thought of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The probability of each type, in the order of [`PageType::ALL`].
    pub probabilities: [f32; PageType::ALL.len()],
    /// The probability that a type must have to be told.
    told_min: f32,
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
    Description::of(&TypedPage { url: "", metadata: &crate::metadata::Metadata::default(), dom: &dom, tree: &tree }).names
}

impl Verdict {
    /// What `model` thinks of a page.
    pub fn of(page: &Description, model: &Model) -> Self {
        Self { probabilities: model.probabilities(&page.numbers, &page.words), told_min: model.told_min() }
    }

    /// The likeliest type with its probability.
    pub fn likeliest(&self) -> (PageType, f32) {
        let of_types = PageType::ALL.into_iter().zip(self.probabilities);
        of_types.fold((PageType::Article, 0.0), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// The type, if it is sure enough.
    pub fn told(&self) -> Option<PageType> {
        let (kind, probability) = self.likeliest();
        (probability >= self.told_min).then_some(kind)
    }
}
