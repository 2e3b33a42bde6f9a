//! What was deleted and must not come back: `takedowns.jsonl`, a JSON object a line.
//!
//! The file is written before pages are deleted, whole and durably, and no rebuild touches it: what it names stays out whatever happens to
//! the database. It can be read, and lines removed by hand, while no process writes into the folder.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use lopper_archive::page::{Page, PageId};
use lopper_content::text::url::{self, canonical_or_written, canonical_prefix, canonical_url, host};
use serde::{Deserialize, Serialize};

use super::files::{takedowns_path, write_whole};
use super::{ContentDigest, RecordFacts, RecordPlace, Store, StoreError};

/// A deletion that stands until it is lifted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Takedown {
    /// By which it is lifted; never given twice.
    pub number: u64,
    /// When, seconds since 1970-01-01T00:00:00Z.
    pub since: i64,
    /// What it keeps out.
    #[serde(flatten)]
    pub scope: TakedownScope,
    /// The query that found the pages, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Why, in the words of who deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a takedown keeps out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TakedownScope {
    /// Captures, and what other captures of their URLs have the same content.
    Pages(Vec<TakenPage>),
    /// All captures of a URL, in its canonical form.
    Url(String),
    /// All pages whose canonical URL begins so, by either scheme of the web and with or without `www.`.
    Prefix(String),
    /// All pages of a host.
    Host(String),
    /// All records of an archive.
    Archive {
        /// Its identity, 32 hexadecimal digits.
        id: String,
        /// Its file as it was named when it was read.
        path: PathBuf,
    },
}

/// A page that is kept out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenPage {
    /// Its id, 32 hexadecimal digits.
    pub id: String,
    /// Its URL, in canonical form.
    #[serde(default)]
    pub url: String,
    /// Digest of its HTML, 32 hexadecimal digits, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl TakedownScope {
    /// Of the archive with that identity.
    pub fn of_archive(id: u128, path: &Path) -> Self {
        Self::Archive { id: format!("{id:032x}"), path: path.to_owned() }
    }
}

/// Whether a canonical URL begins with `prefix`, without what forms of one address differ in.
pub(super) fn has_prefix(canonical: &str, prefix: &str) -> bool {
    let bare = url::origin_and_path(prefix);
    // Of a prefix that is hardly more than a scheme nothing is left.
    canonical.starts_with(prefix) || (!bare.is_empty() && url::origin_and_path(canonical).starts_with(bare))
}

/// All takedowns, ready to be asked.
#[derive(Debug, Default)]
pub(super) struct Takedowns {
    list: Vec<Takedown>,
    /// The highest number ever given, as far as the list tells.
    last_number: u64,
    pages: HashSet<PageId>,
    /// URLs with the digest of a content that is kept out there.
    contents: HashSet<(String, String)>,
    /// Addresses of URLs, whose forms are all kept out.
    urls: HashSet<String>,
    hosts: HashSet<String>,
    archives: HashSet<u128>,
    prefixes: Vec<String>,
}

/// A line of the file: a takedown, or the highest number of those that were lifted.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Takedown(Takedown),
    Lifted { lifted_up_to: u64 },
}

impl Takedowns {
    /// What the file in the folder says; nothing where there is none.
    pub(super) fn read(data: &Path) -> Result<Self, StoreError> {
        let path = takedowns_path(data);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(StoreError::io("read", &path))?,
        };
        let mut takedowns = Self::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let unreadable = |reason: String| StoreError::Takedowns { path: path.clone(), line: number, reason };
            match serde_json::from_str(line).map_err(|error| unreadable(error.to_string()))? {
                Line::Takedown(takedown) => takedowns.add(takedown).map_err(unreadable)?,
                Line::Lifted { lifted_up_to } => takedowns.last_number = takedowns.last_number.max(lifted_up_to),
            }
        }
        Ok(takedowns)
    }

    fn write(&self, data: &Path) -> Result<(), StoreError> {
        let lifted = Line::Lifted { lifted_up_to: self.last_number };
        let lines = self.list.iter().cloned().map(Line::Takedown).chain([lifted]);
        let mut text = String::new();
        for line in lines {
            text += &serde_json::to_string(&line).expect("a takedown is plain data");
            text.push('\n');
        }
        write_whole(&takedowns_path(data), text.as_bytes())
    }

    pub(super) fn list(&self) -> &[Takedown] {
        &self.list
    }

    /// With one more of this scope, on disk when this returns.
    pub(super) fn with(
        &self,
        data: &Path,
        scope: TakedownScope,
        query: Option<String>,
        note: Option<String>,
        since: i64,
    ) -> Result<(Self, Takedown), StoreError> {
        let takedown = Takedown { number: self.last_number + 1, since, scope, query, note };
        let new = self.of_list(self.list.iter().chain([&takedown]).cloned());
        new.write(data)?;
        Ok((new, takedown))
    }

    /// Without number `number`, on disk when this returns; `None` when there is none of that number.
    pub(super) fn without(&self, data: &Path, number: u64) -> Result<Option<Self>, StoreError> {
        if self.list.iter().all(|takedown| takedown.number != number) {
            return Ok(None);
        }
        let new = self.of_list(self.list.iter().filter(|takedown| takedown.number != number).cloned());
        new.write(data)?;
        Ok(Some(new))
    }

    fn of_list(&self, list: impl Iterator<Item = Takedown>) -> Self {
        let mut new = Self { last_number: self.last_number, ..Self::default() };
        for takedown in list {
            new.add(takedown).expect("it was taken before");
        }
        new
    }

    fn add(&mut self, takedown: Takedown) -> Result<(), String> {
        match &takedown.scope {
            TakedownScope::Pages(pages) => {
                for TakenPage { id, url, digest } in pages {
                    self.pages.insert(id.parse().map_err(|_| format!("`{id}` is no page id"))?);
                    self.contents.extend(digest.clone().map(|digest| (url.clone(), digest)));
                }
            }
            TakedownScope::Url(url) => drop(self.urls.insert(url::address(url).to_owned())),
            TakedownScope::Prefix(prefix) => self.prefixes.push(prefix.clone()),
            TakedownScope::Host(host) => drop(self.hosts.insert(host.clone())),
            TakedownScope::Archive { id, .. } => {
                let id = u128::from_str_radix(id, 16).map_err(|_| format!("`{id}` is no archive's identity"))?;
                self.archives.insert(id);
            }
        }
        self.last_number = self.last_number.max(takedown.number);
        self.list.push(takedown);
        Ok(())
    }

    /// Whether the page of a record of `archive` is kept out.
    pub(super) fn hold(&self, archive: u128, facts: &RecordFacts) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let digest = facts.digest.filter(|_| !self.contents.is_empty());
        let former = url::former(&facts.canonical_url);
        let urls = || std::iter::once(facts.canonical_url.as_str()).chain(former.as_deref());
        let of_content =
            |digest: ContentDigest| urls().any(|url| self.contents.contains(&(url.to_owned(), digest.to_string())));
        self.archives.contains(&archive)
            || self.pages.contains(&facts.id)
            || digest.is_some_and(of_content)
            || self.hold_url(&facts.canonical_url)
    }

    /// Whether whatever has this URL, in its canonical form, is kept out.
    pub(super) fn hold_url(&self, canonical_url: &str) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let former = url::former(canonical_url);
        let urls = || std::iter::once(canonical_url).chain(former.as_deref());
        let of_host = || url::host(canonical_url).is_some_and(|host| self.hosts.contains(&host));
        urls().any(|url| self.urls.contains(url::address(url)))
            || urls().any(|url| self.prefixes.iter().any(|prefix| has_prefix(url, prefix)))
            || (!self.hosts.is_empty() && of_host())
    }

    /// Whether a page of which no more is known than its kept body is kept out: its archive is known by its path alone.
    pub(super) fn hold_kept(&self, page: &Page) -> bool {
        let canonical_url = url::canonical_or_written(&page.url);
        let captured_at = page.captured_at;
        let digest = (!self.contents.is_empty()).then(|| ContentDigest::of(&page.html));
        let facts = RecordFacts { id: page.id, canonical_url, captured_at, digest, declared_digest: None };
        let is_archive = |takedown: &Takedown| matches!(&takedown.scope, TakedownScope::Archive { path, .. } if *path == page.provenance.archive);
        self.hold(0, &facts) || self.list.iter().any(is_archive)
    }
}

impl Store {
    /// Notes that what `scope` names is kept out from now on; `query` is what found its pages, where one did. On disk when this returns.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`], [`StoreError::Io`].
    pub fn take_down(
        &self,
        scope: TakedownScope,
        query: Option<String>,
        note: Option<String>,
        now: i64,
    ) -> Result<Takedown, StoreError> {
        self.must_write()?;
        let _no_other = self.writer();
        let (new, takedown) = self.takedowns_now().with(&self.data, scope, query, note, now)?;
        self.replace_takedowns(new);
        Ok(takedown)
    }

    /// Lifts the takedown of that number: what it kept out comes back with the next ingest. `false` when there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`], [`StoreError::Io`].
    pub fn lift_takedown(&self, number: u64) -> Result<bool, StoreError> {
        self.must_write()?;
        let _no_other = self.writer();
        let new = self.takedowns_now().without(&self.data, number)?;
        Ok(new.map(|new| self.replace_takedowns(new)).is_some())
    }

    /// The takedowns of a data folder, which another process may have open.
    ///
    /// # Errors
    ///
    /// [`StoreError::Takedowns`], [`StoreError::Io`].
    pub fn takedowns_of(data: &Path) -> Result<Vec<Takedown>, StoreError> {
        Ok(Takedowns::read(data)?.list().to_vec())
    }

    /// Whether a takedown keeps out the page of the record at `place`.
    pub fn keeps_out(&self, place: &RecordPlace<'_>, facts: &RecordFacts) -> bool {
        self.takedowns_now().hold(place.archive.id, facts)
    }

    /// Whether a takedown keeps out what has this URL, as a picture of a page.
    pub fn keeps_out_url(&self, url: &str) -> bool {
        self.takedowns_now().hold_url(&canonical_or_written(url))
    }

    /// All takedowns that stand, in the order of their numbers.
    pub fn takedowns(&self) -> Vec<Takedown> {
        self.takedowns_now().list().to_vec()
    }

    pub(super) fn takedowns_now(&self) -> Arc<Takedowns> {
        Arc::clone(&self.takedowns.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes takedowns count that are on disk. To be called by who has the [`writer`](Self::writer) since it read the former ones.
    pub(super) fn replace_takedowns(&self, new: Takedowns) {
        *self.takedowns.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
    }
}

/// The canonical form in which a scope names a URL.
///
/// # Errors
///
/// What is wrong with the text, in words.
pub fn scope_of_url(url: &str) -> Result<TakedownScope, String> {
    canonical_url(url)
        .map(TakedownScope::Url)
        .ok_or_else(|| format!("`{url}` is no URL; begin with http:// or https://"))
}

/// The scope of the URLs that begin so, however that is written.
///
/// # Errors
///
/// What is wrong with the text, in words.
pub fn scope_of_prefix(prefix: &str) -> Result<TakedownScope, String> {
    canonical_prefix(prefix)
        .map(TakedownScope::Prefix)
        .ok_or_else(|| format!("`{prefix}` is not the beginning of URLs; begin with http:// or https:// and a host"))
}

/// The scope of a host, however it is written; also of a URL on it.
///
/// # Errors
///
/// What is wrong with the text, in words.
pub fn scope_of_host(text: &str) -> Result<TakedownScope, String> {
    let found = host(text).or_else(|| host(&format!("http://{text}/")));
    found.map(TakedownScope::Host).ok_or_else(|| format!("`{text}` is no host; write it as in www.example.org"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(canonical_url: &str) -> RecordFacts {
        let (id, digest) = (PageId::of(canonical_url, None), Some(ContentDigest(3)));
        RecordFacts { id, canonical_url: canonical_url.to_owned(), captured_at: None, digest, declared_digest: None }
    }

    fn taken(id: PageId, url: &str, digest: Option<ContentDigest>) -> TakedownScope {
        let digest = digest.map(|digest| digest.to_string());
        TakedownScope::Pages(vec![TakenPage { id: id.to_string(), url: url.to_owned(), digest }])
    }

    #[test]
    fn each_scope_keeps_out_its_own() {
        let oak = facts("http://oak.example/a/b");
        let scopes = [
            (taken(oak.id, "", None), true),
            (taken(PageId(7), "http://oak.example/a/b", None), false),
            (taken(PageId(7), "http://oak.example/a/b", oak.digest), true),
            (taken(PageId(7), "http://oak.example/a", oak.digest), false),
            (taken(PageId(7), "http://oak.example/a/b", Some(ContentDigest(7))), false),
            (TakedownScope::Url("http://oak.example/a/b".to_owned()), true),
            (TakedownScope::Url("http://oak.example/a".to_owned()), false),
            (TakedownScope::Prefix("http://oak.example/a/".to_owned()), true),
            (TakedownScope::Prefix("http://oak.example/b/".to_owned()), false),
            (TakedownScope::Host("oak.example".to_owned()), true),
            (TakedownScope::Host("example".to_owned()), false),
            (TakedownScope::of_archive(9, "a.warc".as_ref()), true),
            (TakedownScope::of_archive(8, "a.warc".as_ref()), false),
        ];
        for (scope, holds) in scopes {
            let folder = tempfile::tempdir().unwrap();
            let (_, takedown) = Takedowns::default()
                .with(folder.path(), scope, Some("oak".to_owned()), Some("court".to_owned()), 3)
                .unwrap();
            let read = Takedowns::read(folder.path()).unwrap();
            assert_eq!(read.list(), std::slice::from_ref(&takedown));
            assert_eq!(read.hold(9, &oak), holds, "{takedown:?}");
        }
    }

    /// Before index format 8 a short `sid` was no part of an address.
    #[test]
    fn former_addresses_are_kept_out() {
        let folder = tempfile::tempdir().unwrap();
        let scope = TakedownScope::Url("http://oak.example/story".to_owned());
        let (takedowns, _) = Takedowns::default().with(folder.path(), scope, None, None, 3).unwrap();
        assert!(takedowns.hold(9, &facts("http://oak.example/story?sid=9")));
        assert!(!takedowns.hold(9, &facts("http://oak.example/story?id=9")));
    }

    #[test]
    fn what_belongs_to_a_page_is_kept_out_by_its_address() {
        let oak = "https://www.oak.example/a/b.png/";
        for (scope, holds) in [
            (TakedownScope::Url("http://oak.example/a/b.png".to_owned()), true),
            (TakedownScope::Url("http://oak.example/a/".to_owned()), false),
            (TakedownScope::Prefix("https://www.oak.example/a/".to_owned()), true),
            (TakedownScope::Prefix("http://oak.example/a/".to_owned()), true),
            (TakedownScope::Prefix("https://www.oak.example/b/".to_owned()), false),
            (TakedownScope::Prefix("http://www.".to_owned()), false),
            (TakedownScope::Prefix("https://www.".to_owned()), true),
            (TakedownScope::Host("www.oak.example".to_owned()), true),
            (TakedownScope::Host("elm.example".to_owned()), false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let (takedowns, takedown) = Takedowns::default().with(folder.path(), scope, None, None, 3).unwrap();
            assert_eq!(takedowns.hold_url(oak), holds, "{takedown:?}");
        }
    }

    #[test]
    fn lifted_numbers_are_not_given_again() {
        let folder = tempfile::tempdir().unwrap();
        let host = |host: &str| TakedownScope::Host(host.to_owned());
        let (one, _) = Takedowns::default().with(folder.path(), host("oak.example"), None, None, 1).unwrap();
        assert!(one.without(folder.path(), 2).unwrap().is_none());
        one.without(folder.path(), 1).unwrap().unwrap();
        let none = Takedowns::read(folder.path()).unwrap();
        assert!(!none.hold(0, &facts("http://oak.example/")));
        assert_eq!(none.with(folder.path(), host("elm.example"), None, None, 2).unwrap().1.number, 2);
    }

    #[test]
    fn an_unreadable_line_is_told_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        for line in ["{}", "{", r#"{"number":1,"since":1,"pages":[{"id":"x"}]}"#] {
            fs::write(takedowns_path(folder.path()), format!("\n{line}\n")).unwrap();
            let error = Takedowns::read(folder.path()).unwrap_err();
            assert!(matches!(error, StoreError::Takedowns { line: 2, .. }), "{line}: {error}");
        }
    }
}
