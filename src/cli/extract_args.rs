//! Flags of `lopper extract`.

use std::path::PathBuf;

use clap::ValueEnum;
use lopper_content::extract::methods::Variant;
use lopper_content::extract::{Comments, Extractor};
use url::Url;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExtractFormat {
    /// Text alone, with paragraphs, lists and tables apart
    Text,
    /// Markdown with links, images and tables
    Markdown,
    /// Clean HTML: structure, links and images, nothing that runs
    Html,
    /// A JSON object a page and line: {"id","url","title","lang","method","text",…}
    Jsonl,
    /// The same with "content" in place of "text": blocks within blocks, each with its type
    Json,
    /// TEI-XML, a document a page
    Tei,
}

impl ExtractFormat {
    /// The ending of a file's name.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
            Self::Tei => "xml",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
    /// They are there
    Keep,
    /// They are not; a link's words stay
    Drop,
}

#[derive(Debug, clap::Args)]
pub(super) struct ExtractArgs {
    /// Extraction method: lopper, cst, bte, bte-original, distribution, punctuation, link-density, full-text
    #[arg(long, value_name = "NAME", default_value = "lopper")]
    pub(super) method: Extractor,
    /// Reading of the method: the one that measured `best`, or the paper's text as it stands, `literal`
    #[arg(long, value_name = "NAME", default_value = "best")]
    pub(super) variant: Variant,
    /// Readers' comments: `auto` leaves them out except where they are the content, `keep`, `drop`
    #[arg(long, value_name = "CHOICE", default_value_t = Comments::Auto)]
    pub(super) comments: Comments,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text)]
    pub(super) format: ExtractFormat,
    /// Links: `keep`, or `drop` and leave their words
    #[arg(long, value_enum, value_name = "CHOICE", default_value_t = Part::Keep, hide_possible_values = true)]
    pub(super) links: Part,
    /// Images: `keep` or `drop`; images of formulas are formulas
    #[arg(long, value_enum, value_name = "CHOICE", default_value_t = Part::Keep, hide_possible_values = true)]
    pub(super) images: Part,
    /// The body alone: without title, standfirst, byline and date at the beginning, and without captions
    #[arg(long)]
    pub(super) body_only: bool,
    /// Address of pages that are files: links are relative to it, and the method goes by it [default: what the page says of itself]
    #[arg(long, value_name = "URL", value_parser = web_address)]
    pub(super) url: Option<Url>,
    /// With --format jsonl: every block of the page, kept or not, with its score and the reasons
    #[arg(long)]
    pub(super) blocks: bool,
    /// Write a file a page into this folder, named by the page's file or address, instead of all pages to standard output
    #[arg(long, value_name = "DIR")]
    pub(super) output_dir: Option<PathBuf>,
    /// Archives, HTML files or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

/// A whole address of the web.
fn web_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| "wanted is a whole address, as https://example.org/page".to_owned())
}
