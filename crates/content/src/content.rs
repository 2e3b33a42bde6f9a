//! One call from HTML to content.

use crate::document::{Document, to_html, to_markdown, to_text};
use crate::extract::content::ContentOptions;
use crate::extract::{Comments, ContentJudge, Extractor, titled};
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::page_type::PageType;
use crate::pipeline::{PageText, ParsedPage};

/// How [`extract`](crate::extract()) works. The default is the trained model, with links and images.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// Address of the page: links become absolute by it, and the model looks at it. Empty when unknown.
    pub url: String,
    /// Who says what is content.
    pub method: Extractor,
    /// What becomes of readers' comments.
    pub comments: Comments,
    /// Whether links and images are kept.
    pub content: ContentOptions,
    /// Bounds on the page's size.
    pub limits: Limits,
}

impl ExtractOptions {
    /// The defaults, for the page at `url`.
    pub fn for_url(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }
}

/// The content of a page, with what the page says of itself.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Content {
    /// The content, in reading order. Empty for a page without text.
    pub document: Document,
    /// Title, author, date and more, as the page declares them.
    pub metadata: Metadata,
    /// ISO 639-1 code of the language; empty when unknown.
    pub language: &'static str,
    /// What kind of page it is, where that is sure enough.
    pub page_type: Option<PageType>,
}

impl Content {
    /// The content as plain text.
    pub fn text(&self) -> String {
        to_text(&self.document)
    }

    /// The content as Markdown, below the page's title ([`titled`]).
    pub fn markdown(&self) -> String {
        to_markdown(&titled(&self.document, &self.metadata))
    }

    /// The content as clean HTML, below the page's title.
    pub fn html(&self) -> String {
        to_html(&titled(&self.document, &self.metadata))
    }
}

/// The main content of a page. Never fails: of a page without text there is an empty document.
///
/// ```
/// use lopper_content::{ExtractOptions, extract};
///
/// let html = "<title>Mills</title><nav><a href=/>Home</a></nav>
///     <main><h1>Mills</h1><p>The <b>old mill</b> at the river grinds, as it did for years.</p></main>";
/// let content = extract(html, &ExtractOptions::for_url("https://example.org/mills"));
/// assert_eq!(content.metadata.title, "Mills");
/// assert_eq!(content.markdown(), "# Mills\n\nThe **old mill** at the river grinds, as it did for years.\n");
/// ```
pub fn extract(html: &str, options: &ExtractOptions) -> Content {
    let source = PageText { url: &options.url, html, ..PageText::default() };
    let page = ParsedPage::parse(source, &options.limits);
    let view = page.view();
    let verdict = options.method.judge(&view).with_comments(options.comments);
    let document = verdict.content_with(&view, options.content);
    let (language, page_type) = (page.language(), page.page_type().told());
    let (metadata, _) = page.into_metadata_and_tree();
    Content { document, metadata, language, page_type }
}
