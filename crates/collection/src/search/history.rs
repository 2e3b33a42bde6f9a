//! What the captures of an address tell: which page is what it gave last, and until when each page was given.
//!
//! A page is indexed with the capture that it was read from first. Captures that repeat it, revisits among them, are in the store alone. So
//! whether a page is the newest of its address, and which capture of it is its last, is looked up there, once for an address and answer.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use lopper_archive::page::PageId;
use lopper_content::text::url::{address, canonical_or_written};
use lopper_index::Budget;
use lopper_store::StoredPage;

use super::NewerCapture;
use crate::{CollectionError, DataFolder, rfc_3339};

/// Captures that are read before the budget is asked: an address may have hundreds of thousands.
const ASK_EVERY: u32 = 1 << 10;

/// The dated captures of an address, up to a time.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Time and page of the newest. Of several at the same second it is the one of the last page by name.
    pub(super) newest: Option<(i64, PageId)>,
    /// The last capture of each page, by the page's order.
    last: HashMap<u64, i64>,
}

impl History {
    fn see(&mut self, time: i64, page: PageId) {
        self.newest = self.newest.max(Some((time, page)));
        self.last.entry(order_of(page)).and_modify(|last| *last = time.max(*last)).or_insert(time);
    }

    /// The last capture of the page of that [order](lopper_index::page_order), which was read from one of that time.
    pub(super) fn last_of(&self, page_order: u64, captured_at: i64) -> i64 {
        self.last.get(&page_order).map_or(captured_at, |last| captured_at.max(*last))
    }
}

/// [`page_order`](lopper_index::page_order) of the page's name.
fn order_of(page: PageId) -> u64 {
    (page.0 >> u64::BITS) as u64
}

/// What an answer tells of a page's captures.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct PageHistory {
    /// When its address last gave the page's HTML, where that is later than the page, RFC 3339.
    pub(super) last_captured_at: Option<String>,
    pub(super) newer_capture: Option<NewerCapture>,
}

/// The histories that an answer needs, each read once.
pub(super) struct Histories<'a> {
    collection: &'a DataFolder,
    until: i64,
    budget: &'a Budget,
    /// By address; `None` where the time was spent before all captures were read.
    known: RefCell<HashMap<String, Option<Rc<History>>>>,
    is_cut_short: Cell<bool>,
}

impl<'a> Histories<'a> {
    /// Of captures that are not later than `until`.
    pub(super) fn new(collection: &'a DataFolder, until: i64, budget: &'a Budget) -> Self {
        Self { collection, until, budget, known: RefCell::default(), is_cut_short: Cell::new(false) }
    }

    /// Whether one was not read since the time was spent.
    pub(super) fn is_cut_short(&self) -> bool {
        self.is_cut_short.get()
    }

    /// The history of a URL's address; `None` where the time was spent before all captures were read.
    pub(super) fn of(&self, url: &str) -> Result<Option<Rc<History>>, CollectionError> {
        let canonical = canonical_or_written(url);
        let address = address(&canonical);
        if let Some(known) = self.known.borrow().get(address) {
            return Ok(known.clone());
        }
        let read = self.read(url)?.map(Rc::new);
        self.is_cut_short.set(self.is_cut_short() || read.is_none());
        self.known.borrow_mut().insert(address.to_owned(), read.clone());
        Ok(read)
    }

    fn read(&self, url: &str) -> Result<Option<History>, CollectionError> {
        if !self.budget.has_time() {
            return Ok(None);
        }
        let (mut history, mut seen) = (History::default(), 0_u32);
        let is_whole = self.collection.dated_captures(url, &mut |time, page| {
            if time <= self.until {
                history.see(time, page);
            }
            seen = seen.wrapping_add(1);
            seen % ASK_EVERY != 0 || self.budget.has_time()
        })?;
        Ok(is_whole.then_some(history))
    }

    /// What became of a page's address after the page. A page without a time may be newer than any capture.
    pub(super) fn of_page(&self, page: &StoredPage) -> Result<PageHistory, CollectionError> {
        let Some(own) = page.captured_at else { return Ok(PageHistory::default()) };
        let Some(history) = self.of(&page.url)? else { return Ok(PageHistory::default()) };
        let last = history.last_of(order_of(page.id), own);
        let newest = history.newest.filter(|(time, id)| *id != page.id && *time > last);
        let told = |last: i64, newer_capture| PageHistory {
            last_captured_at: Some(last).filter(|last| *last > own).and_then(rfc_3339),
            newer_capture,
        };
        let Some((time, id)) = newest else { return Ok(told(last, None)) };
        // The same HTML under another form of the address is a page of its own, and says nothing new.
        let other = self.collection.page(id)?;
        if page.digest.is_some() && other.is_some_and(|other| other.digest == page.digest) {
            return Ok(told(time, None));
        }
        Ok(told(last, Some(NewerCapture { page_id: id.to_string(), captured_at: rfc_3339(time) })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_the_order_of_their_names() {
        for page in [PageId::of("http://e.org/", Some(1)), PageId::of("http://e.org/", None), PageId(7)] {
            assert_eq!(order_of(page), lopper_index::page_order(&page.to_string()), "{page}");
        }
    }

    #[test]
    fn the_last_capture_of_a_page_may_be_of_any_record() {
        let (a, b) = (PageId::of("http://e.org/", Some(3)), PageId::of("http://e.org/", Some(5)));
        let mut history = History::default();
        for (time, page) in [(9, a), (5, b), (3, a)] {
            history.see(time, page);
        }
        assert_eq!(history.newest, Some((9, a)));
        assert_eq!((history.last_of(order_of(a), 3), history.last_of(order_of(b), 5)), (9, 5));
        assert_eq!(history.last_of(order_of(PageId(0)), 4), 4, "of a page that has no dated capture");
    }
}
