//! The language of a page.

/// placeholder
pub fn detect(_text: &str, _declared: Option<&str>) -> &'static str {
    ""
}
