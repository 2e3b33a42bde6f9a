//! What the analysis takes of a page.

/// A page before its analysis: its source text and what is known of it from elsewhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageText<'a> {
    /// Address of the page; empty when unknown.
    pub url: &'a str,
    /// Its source text.
    pub html: &'a str,
    /// `Content-Language` of the HTTP message, as written.
    pub content_language: Option<&'a str>,
    /// Title by a list of pages that came with it; it counts where the page itself has none.
    pub listed_title: Option<&'a str>,
}
