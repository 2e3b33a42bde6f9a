//! What inputs are given to, and the laws that hold for whatever comes.

use std::error::Error;
use std::io::Cursor;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use lopper_archive::page::{self, Page, PageId, PageOutcome, Provenance};
use lopper_collection::DataFolder;
use lopper_collection::ingest::ingest_page;
use lopper_collection::search::{SearchEngine, SearchError, SearchRequest};
use lopper_content::document::{TeiHead, to_html, to_markdown, to_tei, to_text};
use lopper_content::dom::Dom;
use lopper_content::extract::methods::Method;
use lopper_content::extract::{ContentJudge, Extractor, PageView};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser, StoredTree};
use lopper_content::{cst, dom};
use tempfile::TempDir;

use crate::random::Random;

/// Records of an archive that are read.
const RECORDS_MAX: usize = 100_000;

/// The published methods are run on one page in so many, so that more pages are tried.
const PUBLISHED_EVERY: usize = 8;

/// Bytes of pages out of an archive that are analysed, too.
const ANALYSED_BYTES_MAX: usize = 20_000;

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Page,
    Archive,
    Query,
}

impl Target {
    pub(crate) const ALL: [Self; 3] = [Self::Page, Self::Archive, Self::Query];

    /// Pages above all.
    pub(crate) fn any(random: &mut Random) -> Self {
        *random.one_of(&[Self::Page, Self::Page, Self::Page, Self::Archive, Self::Archive, Self::Query])
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|target| format!("{target:?}").eq_ignore_ascii_case(name));
        found.ok_or_else(|| format!("{name} is none of page, archive, query"))
    }
}

/// Everything that inputs are given to.
pub(crate) struct Targets {
    limits: Limits,
    analyser: PageAnalyser,
    engine: SearchEngine,
    pages: usize,
    /// The published methods are run on one page in so many.
    published_every: usize,
    _data: TempDir,
}

impl Targets {
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        let limits = Limits { spool_bytes_max: 16 << 20, body_bytes_max: 4 << 20, ..Limits::default() };
        let analyser = PageAnalyser::new(ExtractParams::default(), limits);
        let data = tempfile::tempdir()?;
        let collection = DataFolder::open_to_write(&data.path().join("data"), ExtractParams::default())?;
        let html = "<title>Mills</title><h1>Old oak mills</h1><p>An old water mill of oak stood by the river.</p>";
        for url in ["https://example.org/docs/mill", "http://b.example.com/"] {
            ingest_page(&collection, &page(url, html.to_owned()), &limits)?;
        }
        let engine = SearchEngine::new(Arc::new(collection))?;
        Ok(Self { limits, analyser, engine, pages: 0, published_every: PUBLISHED_EVERY, _data: data })
    }

    /// Runs the published methods on every page from now on.
    pub(crate) fn try_every_method(&mut self) {
        self.published_every = 1;
    }

    pub(crate) fn run(&mut self, target: Target, input: &[u8]) -> Result<(), String> {
        match target {
            Target::Page => {
                self.page(&page("https://example.org/a/b?c=d", String::from_utf8_lossy(input).into_owned()))
            }
            Target::Archive => self.archive(input),
            Target::Query => self.query(&String::from_utf8_lossy(input)),
        }
    }

    fn page(&mut self, page: &Page) -> Result<(), String> {
        let Page { html, url, .. } = page;
        let dom = dom::parse(html, &self.limits);
        self.pages += 1;
        let extractors =
            if self.pages.is_multiple_of(self.published_every) { Extractor::all() } else { vec![Extractor::Lopper] };
        let cubic = |extractor: &Extractor| matches!(extractor, Extractor::Published(Method::BteOriginal, _));
        extracted(&dom, url, &self.limits, extractors.into_iter().filter(|extractor| !cubic(extractor)))?;
        self.analysed(page)
    }

    /// What was analysed gives the same blocks when it was stored.
    fn analysed(&mut self, page: &Page) -> Result<(), String> {
        let analysed = self.analyser.analyse(page.source(), None).map_err(|error| error.to_string())?;
        let blocks = analysed.blocks.clone();
        let stored = StoredTree::decode(&StoredTree::of(analysed).encode().bytes).map_err(|error| error.to_string())?;
        let again = stored.blocks(&ExtractParams::default());
        // Not `==`: a similarity that is no number is unequal to itself, and is a find.
        if again == blocks { Ok(()) } else { Err("the stored tree has other blocks".to_owned()) }
    }

    /// A reader ends.
    fn archive(&mut self, input: &[u8]) -> Result<(), String> {
        let source = Cursor::new(input.to_vec());
        let path = Path::new("fuzz.warc");
        let Ok(mut reader) = lopper_archive::open_source(source, Some(input.len() as u64), path, &self.limits) else {
            return Ok(());
        };
        for _ in 0..RECORDS_MAX {
            let Some(record) = reader.next_record() else { return Ok(()) };
            let Ok(record) = record else { continue };
            if let Ok(PageOutcome::Page(page)) = page::decode(record, &self.limits)
                && page.html.len() <= ANALYSED_BYTES_MAX
            {
                self.analysed(&page)?;
            }
        }
        Err("the archive does not end".to_owned())
    }

    /// A query is answered, or refused with what is wrong with it.
    fn query(&mut self, text: &str) -> Result<(), String> {
        match self.engine.search(&SearchRequest::new(text)) {
            Ok(_) | Err(SearchError::Query { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// All forms of what methods keep; a verdict for each run.
fn extracted(dom: &Dom, url: &str, limits: &Limits, extractors: impl Iterator<Item = Extractor>) -> Result<(), String> {
    let tree = cst::build(dom, cst::Profile::Modern, limits);
    let view = PageView::new(dom, &tree, url);
    for extractor in extractors {
        let verdict = extractor.judge(&view);
        if verdict.kept.len() != tree.runs().len() || verdict.score.iter().any(|score| score.is_nan()) {
            return Err(format!("{extractor} has no verdict for each run"));
        }
        let content = verdict.content(&view);
        drop((to_text(&content), to_markdown(&content), to_html(&content), to_tei(&content, &TeiHead::default())));
    }
    Ok(())
}

fn page(url: &str, html: String) -> Page {
    Page {
        id: PageId::of(url, None),
        url: url.to_owned(),
        captured_at: None,
        status: 200,
        media_type: "text/html".to_owned(),
        charset: "UTF-8",
        content_language: None,
        listed_title: None,
        remark: None,
        html,
        provenance: Provenance { archive: "fuzz.warc".into(), offset_bytes: 0, record_id: None },
    }
}
