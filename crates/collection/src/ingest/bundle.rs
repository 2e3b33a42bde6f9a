//! A page on its way from the analysis to the store and the index.

use lopper_archive::page::Page;
use lopper_content::cst::CutShort;
use lopper_content::pipeline::{
    AnalysedPage, EncodedTree, LinkResolver, PageAnalyser, SiteBlocks, Stage, StoredTree, link_keys,
};
use lopper_content::simhash::SimHash;
use lopper_content::statistics::{PageKeys, StatisticsSnapshot};
use lopper_content::text::url;
use lopper_content::weigh::distinct_hashes;
use lopper_store::{BodyPlace, PagePut, StoreError, StoredPage};
use serde::{Deserialize, Serialize};

use super::{Bodies, JudgedCapture, PageHead};
use crate::documents::PageDocuments;

/// First byte of the encoding.
const ENCODING_VERSION: u8 = 1;

/// All that the store and the index take of a page.
///
/// It is made of a page, statistics and parameters alone, the same for the same ones, and owns what it holds: it may be made in another
/// process than the one that has the collection.
///
/// ```
/// use lopper_archive::page::{Page, PageId, Provenance};
/// use lopper_collection::ingest::{Bodies, PageBundle};
/// use lopper_content::limits::Limits;
/// use lopper_content::pipeline::{ExtractParams, PageAnalyser};
/// use lopper_content::statistics::StatisticsSnapshot;
///
/// let page = Page {
///     id: PageId::of("http://oak.example/", None),
///     url: "http://oak.example/".to_owned(),
///     captured_at: None,
///     status: 200,
///     media_type: "text/html".to_owned(),
///     charset: "UTF-8",
///     content_language: None,
///     listed_title: None,
///     remark: None,
///     html: "<title>Oaks</title><p>Oaks grow old.".to_owned(),
///     provenance: Provenance { archive: "trees.warc".into(), offset_bytes: 0, record_id: None },
/// };
/// let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
/// let bundle = PageBundle::analyse(&page, &StatisticsSnapshot::default(), &mut analyser, Bodies::None).unwrap();
/// assert_eq!(bundle.documents.blocks[0].body, "Oaks grow old.");
/// assert_eq!(PageBundle::from_bytes(&bundle.to_bytes().unwrap()).unwrap(), bundle);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageBundle {
    /// For the store: metadata, tree, keys, and the HTML where it is kept.
    pub put: PagePut,
    /// For the index: the page and its blocks.
    pub documents: PageDocuments,
    /// The limit that cut the page short, where it was judged in this process.
    #[serde(skip)]
    pub cut_short: Option<CutShort>,
}

/// A bundle that cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// It was written by another version.
    #[error("the page's bundle has encoding {found}, this version reads {ENCODING_VERSION}")]
    OtherVersion {
        /// The version found.
        found: u8,
    },
    /// Its bytes are not a bundle, or the name of its archive is not Unicode.
    #[error("the page's bundle cannot be coded")]
    Coding {
        /// Cause.
        #[source]
        source: postcard::Error,
    },
    /// There are no bytes.
    #[error("the page's bundle is empty")]
    Empty,
}

impl PageBundle {
    /// Analyses a page with the parameters of `analyser`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Refused`], [`StoreError::TreeTooLarge`]: the page costs itself alone.
    pub fn analyse(
        page: &Page,
        statistics: &StatisticsSnapshot,
        analyser: &mut PageAnalyser,
        bodies: Bodies,
    ) -> Result<Self, StoreError> {
        Self::analyse_watched(page, statistics, analyser, bodies, &mut |_| {})
    }

    /// The same; `watch` is told of the end of each stage of the analysis.
    ///
    /// # Errors
    ///
    /// As [`analyse`](Self::analyse).
    pub fn analyse_watched(
        page: &Page,
        statistics: &StatisticsSnapshot,
        analyser: &mut PageAnalyser,
        bodies: Bodies,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Self, StoreError> {
        let analysed = analyser.analyse_watched(page.source(), Some(statistics), None, watch);
        let analysed = analysed.map_err(|source| StoreError::Refused { url: page.url.clone(), source })?;
        Self::of(PageHead::of(page, bodies), analysed, statistics.epoch())
    }

    /// Goes on with a page that was judged, here or in another process, with the parameters and limits of `analyser`.
    ///
    /// # Errors
    ///
    /// As [`analyse`](Self::analyse).
    pub fn finish(
        capture: JudgedCapture,
        statistics: &StatisticsSnapshot,
        analyser: &mut PageAnalyser,
        bodies: Bodies,
    ) -> Result<Self, StoreError> {
        let JudgedCapture { head, page } = capture;
        let analysed = analyser.finish(&head.url, page, Some(statistics));
        let analysed = analysed.map_err(|source| StoreError::Refused { url: head.url.clone(), source })?;
        Self::of(head.with_bodies(bodies), analysed, statistics.epoch())
    }

    fn of(mut head: PageHead, analysed: AnalysedPage, epoch: u64) -> Result<Self, StoreError> {
        let kept = head.kept.take();
        let stored = stored_page(head, &analysed);
        let url = stored.url.clone();
        let mut links = LinkResolver::new(&url);
        let keys = keys_of(&analysed, &mut links);
        let cut_short = analysed.pruned.tree().cut_short();
        let (tree, blocks) = StoredTree::with_blocks(analysed);
        let EncodedTree { bytes, outline_bytes } = tree.encode();
        let put = PagePut::new(stored, &bytes, outline_bytes, keys)?.keeping(kept).weighed_by(epoch);
        // From the page as it is stored, so that an index made anew from the store is the same.
        let documents = PageDocuments::of_blocks(put.page(), blocks, &mut links);
        let put = put.with_main_blocks(documents.blocks.len() as u32);
        Ok(Self { put, documents, cut_short })
    }

    /// With the payload digest that the archive declares, by which revisit records find the page.
    #[must_use]
    pub fn declaring(self, digest: Option<String>) -> Self {
        Self { put: self.put.declaring(digest), ..self }
    }

    /// The bundle as bytes.
    ///
    /// # Errors
    ///
    /// [`BundleError::Coding`] where the name of the page's archive is not Unicode.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BundleError> {
        postcard::to_extend(self, vec![ENCODING_VERSION]).map_err(|source| BundleError::Coding { source })
    }

    /// Reads a bundle back from its [bytes](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`BundleError`] for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BundleError> {
        match bytes.split_first() {
            None => Err(BundleError::Empty),
            Some((&ENCODING_VERSION, rest)) => {
                postcard::from_bytes(rest).map_err(|source| BundleError::Coding { source })
            }
            Some((&found, _)) => Err(BundleError::OtherVersion { found }),
        }
    }
}

fn keys_of(analysed: &AnalysedPage, links: &mut LinkResolver) -> PageKeys {
    let terms = distinct_hashes(analysed.pruned.weighted().terms().iter().map(String::as_str));
    let sites = analysed.site.iter().flat_map(SiteBlocks::keys).collect();
    PageKeys::new(terms, link_keys(analysed.pruned.tree(), links), sites)
}

fn stored_page(head: PageHead, analysed: &AnalysedPage) -> StoredPage {
    StoredPage {
        id: head.id,
        canonical_url: url::canonical_or_written(&head.url),
        host: url::host(&head.url).unwrap_or_default(),
        url: head.url,
        title: analysed.metadata.title.clone(),
        description: analysed.metadata.description.clone(),
        language: (!analysed.language.is_empty()).then(|| analysed.language.clone().into_owned()),
        page_type: analysed.page_type,
        captured_at: head.captured_at,
        status: head.status,
        charset: head.charset,
        provenance: head.provenance,
        html_bytes: head.html_bytes,
        main_blocks: analysed.blocks.len() as u32,
        runs: analysed.pruned.tree().runs().len() as u32,
        digest: Some(head.digest),
        simhash: SimHash::of_words(analysed.blocks.iter().map(|block| block.text.as_str())).0,
        body: if head.bodies == Bodies::None { BodyPlace::None } else { BodyPlace::Archive },
    }
}

#[cfg(test)]
mod tests {
    use lopper_archive::page::{PageId, Provenance};
    use lopper_content::limits::Limits;
    use lopper_content::pipeline::ExtractParams;
    use lopper_content::statistics::StatisticsChange;

    use super::*;
    use crate::testing::posted;

    fn page(number: u32) -> Page {
        let url = format!("http://e.org/{number}");
        let html = format!(
            "<html lang=en><title>Mill {number}</title><nav><a href=/>All the old mills</a> <a href=/a#top>top</a></nav>\
             <main><h1 id=mill>Mill {number}</h1><p>Old mills of number {number} grind corn by the river.</p></main>"
        );
        Page {
            id: PageId::of(&url, Some(7)),
            captured_at: Some(7),
            provenance: Provenance { archive: "a.warc".into(), offset_bytes: 9, record_id: Some("<urn:1>".to_owned()) },
            ..posted(&url, &html)
        }
    }

    /// Bundles of ten pages, made one after the other by one analyser, with statistics of `pages` pages like them.
    fn bundles(pages: u32, bodies: Bodies) -> Vec<PageBundle> {
        let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let empty = StatisticsSnapshot::default();
        let mut change = StatisticsChange::default();
        for number in 0..pages {
            let analysed = analyser.analyse(page(number).source(), Some(&empty)).unwrap();
            change.add(&keys_of(&analysed, &mut LinkResolver::new("http://e.org/")));
        }
        let statistics = if change.is_empty() { empty } else { empty.with(change) };
        let analyse = |number| PageBundle::analyse(&page(number), &statistics, &mut analyser, bodies).unwrap();
        (0..10).map(analyse).collect()
    }

    #[test]
    fn bytes_give_the_bundle_back() {
        for bodies in [Bodies::Keep, Bodies::Refer, Bodies::None] {
            for bundle in bundles(8, bodies) {
                let bundle = bundle.declaring(Some("sha1:ABC".to_owned()));
                assert!(!bundle.documents.blocks.is_empty() && !bundle.documents.blocks[0].names.is_empty());
                let read = PageBundle::from_bytes(&bundle.to_bytes().unwrap()).unwrap();
                assert_eq!(read, bundle);
                assert_eq!(read.to_bytes().unwrap(), bundle.to_bytes().unwrap());
            }
        }
    }

    #[test]
    fn two_analysers_give_the_same_bytes() {
        let bytes =
            |bundles: Vec<PageBundle>| -> Vec<_> { bundles.iter().map(|one| one.to_bytes().unwrap()).collect() };
        let all = bytes(bundles(8, Bodies::Keep));
        assert!(all == bytes(bundles(8, Bodies::Keep)));
        // One that has seen no page before gives the same as one that has seen nine.
        let mut fresh = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let alone = PageBundle::analyse(&page(9), &StatisticsSnapshot::default(), &mut fresh, Bodies::Keep).unwrap();
        assert!(alone.to_bytes().unwrap() == bytes(bundles(0, Bodies::Keep))[9]);
        assert!(alone.to_bytes().unwrap() != all[9], "statistics count");
    }

    #[test]
    fn what_is_indexed_is_what_is_stored() {
        let mut long = page(1);
        let description = "Of mills and rivers. ".repeat(500);
        let head = format!("<title>{}</title><meta name=description content='{description}'>", "Old mill ".repeat(500));
        long.html = long.html.replace("<title>Mill 1</title>", &head);
        let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let bundle = PageBundle::analyse(&long, &StatisticsSnapshot::default(), &mut analyser, Bodies::Keep).unwrap();
        let (stored, documents) = (bundle.put.page(), &bundle.documents);
        assert!(stored.description.len() < description.len(), "the store shortens it");
        assert_eq!(documents.page.title, stored.title);
        assert_eq!(documents.page.description, stored.description);
        assert_eq!(documents.blocks[0].title, stored.title);
        assert_eq!(documents.blocks.len(), stored.main_blocks as usize);
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = bundles(0, Bodies::Keep)[0].to_bytes().unwrap();
        assert!(matches!(PageBundle::from_bytes(&[]), Err(BundleError::Empty)));
        assert!(matches!(PageBundle::from_bytes(&[7, 1, 2]), Err(BundleError::OtherVersion { found: 7 })));
        for length in 1..bytes.len() {
            assert!(matches!(PageBundle::from_bytes(&bytes[..length]), Err(BundleError::Coding { .. })), "{length}");
        }
    }
}
