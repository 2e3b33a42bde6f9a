//! Pages for the methods' tests.

use super::PageView;
use crate::cst::{self, Profile};
use crate::dom;
use crate::limits::Limits;

/// Hands the view of a page to `check`.
pub(super) fn with_page(html: &str, check: impl FnOnce(&PageView<'_>)) {
    let limits = Limits::default();
    let dom = dom::parse(html, &limits);
    let tree = cst::build(&dom, Profile::Modern, &limits);
    check(&PageView::new(&dom, &tree, "https://example.org/"));
}
