//! Who says what of a page is content.

use super::{ContentVerdict, PageView};

/// A judge of pages: the trained model, or one of the published methods. The same judge serves extraction, the index, search and
/// evaluation.
///
/// ```
/// use lopper_content::extract::{ContentJudge, Extractor};
/// use lopper_content::limits::Limits;
/// use lopper_content::pipeline::{PageText, ParsedPage};
///
/// let html = "<nav><a href=/>Home</a></nav><main><h1>Mills</h1><p>The old mill at the river grinds, as it did for years.</p>";
/// let page = ParsedPage::parse(PageText { html, ..PageText::default() }, &Limits::default());
/// let verdict = Extractor::default().judge(&page.view());
/// assert_eq!((verdict.kept.first(), verdict.kept.last()), (Some(&false), Some(&true)));
/// ```
pub trait ContentJudge {
    /// Its name, as on the command line.
    fn name(&self) -> &'static str;

    /// Judges every run of a page. Never fails; the same page gives the same verdict.
    fn judge(&self, page: &PageView<'_>) -> ContentVerdict;
}
