//! Writing pages.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::thread::JoinHandle;

use lopper_index::engine::{BlockEngineWriter, BytesWriter, EngineError};
use lopper_index::{BlockDocument, PageDocument, WriterError};
use serde_json::json;

use crate::bulk::{self, BYTES_MAX, DOCUMENTS_MAX, Line, Refused};
use crate::client::{Client, random};
use crate::commits::{Commit, Log, next_batch};
use crate::document::{Encoded, Encoder, Sums};
use crate::error::RemoteError;
use crate::hits::{HITS_MAX, Search, any_of};
use crate::keep;
use crate::layout::{ALL, BLOCKS, IndexLayout, KEPT, PAGES};

/// Requests that wait for their acknowledgement at the same time.
const REQUESTS_MAX: usize = 16;

/// Pages that one commit can replace or delete: they stand in its one document.
const GONE_MAX: usize = 50_000;

/// Pages that are looked up at once.
const PAGES_AT_ONCE: usize = 500;

/// Refused documents that are told one by one.
const REFUSED_TOLD_MAX: usize = 20;

/// Writes into one generation. What it wrote counts from its commit on, all at once; what it wrote before it was cut off never does.
pub struct RemoteWriter {
    client: Client,
    encoder: Encoder,
    log: Log,
    batch: u64,
    /// Of this commit.
    batches: Vec<u64>,
    left: Vec<u64>,
    written: HashSet<String>,
    gone: BTreeMap<String, u64>,
    /// Pages that were written twice in this commit.
    rewritten: HashSet<String>,
    sums: Sums,
    waiting: [Waiting; ALL.len()],
    requests: Vec<JoinHandle<Result<Vec<Refused>, RemoteError>>>,
    refused: u64,
    /// Pages that they are of.
    refused_pages: BTreeSet<String>,
    /// Of the last commit.
    last_refused: u64,
    has_failed: bool,
}

/// Documents of one index that are not sent yet.
#[derive(Default)]
struct Waiting {
    lines: Vec<Line>,
    bytes: usize,
}

impl RemoteWriter {
    pub(crate) fn new(client: Client) -> Result<Self, RemoteError> {
        let mut log = Log::default();
        keep::read_commits(&client, &mut log)?;
        let left = left_behind(&client, &log)?;
        let batch = next_batch(left.iter().copied().fold(log.last, u64::max), random());
        Ok(Self {
            client,
            encoder: Encoder::default(),
            log,
            batch,
            batches: vec![batch],
            left,
            written: HashSet::new(),
            gone: BTreeMap::new(),
            rewritten: HashSet::new(),
            sums: Sums::default(),
            waiting: Default::default(),
            requests: Vec::new(),
            refused: 0,
            refused_pages: BTreeSet::new(),
            last_refused: 0,
            has_failed: false,
        })
    }

    fn location(&self) -> PathBuf {
        self.client.settings.location()
    }

    fn try_writing(
        &mut self,
        page_id: &str,
        write: impl FnOnce(&mut Self) -> Result<(), RemoteError>,
    ) -> Result<(), WriterError> {
        self.must_be_sound()?;
        write(self).map_err(|source| {
            self.has_failed = true;
            WriterError::Add { dir: self.location(), page_id: page_id.to_owned(), source: Box::new(source) }
        })
    }

    fn failed_commit(&mut self, source: RemoteError) -> WriterError {
        self.has_failed = true;
        WriterError::Commit { dir: self.location(), source: Box::new(source) }
    }

    fn must_be_sound(&self) -> Result<(), WriterError> {
        if self.has_failed { Err(WriterError::Poisoned { dir: self.location() }) } else { Ok(()) }
    }

    fn push(&mut self, layout: &IndexLayout, line: Line) -> Result<(), RemoteError> {
        let place = ALL.iter().position(|known| known.part == layout.part).unwrap_or_default();
        let waiting = &self.waiting[place];
        if !waiting.lines.is_empty()
            && (waiting.bytes + line.bytes() > BYTES_MAX || waiting.lines.len() >= DOCUMENTS_MAX)
        {
            self.send(place)?;
        }
        let waiting = &mut self.waiting[place];
        waiting.bytes += line.bytes();
        waiting.lines.push(line);
        Ok(())
    }

    /// Sends what waits for one index, beside other requests.
    fn send(&mut self, place: usize) -> Result<(), RemoteError> {
        let Waiting { lines, .. } = std::mem::take(&mut self.waiting[place]);
        if lines.is_empty() {
            return Ok(());
        }
        while self.requests.len() >= REQUESTS_MAX {
            let first = self.requests.remove(0);
            self.end(first)?;
        }
        let (client, index) = (self.client.clone(), self.client.settings.index(ALL[place].part));
        self.requests.push(std::thread::spawn(move || bulk::write(&client, &index, &lines)));
        Ok(())
    }

    fn end(&mut self, request: JoinHandle<Result<Vec<Refused>, RemoteError>>) -> Result<(), RemoteError> {
        let strange = |_| RemoteError::Strange { url: self.client.settings.url.clone(), what: "a panic".to_owned() };
        let refused = request.join().map_err(strange)??;
        for Refused { name, reason, .. } in refused.iter().take(REFUSED_TOLD_MAX.saturating_sub(self.refused as usize))
        {
            tracing::warn!(document = name, reason, "the engine refused a document");
        }
        self.refused += refused.len() as u64;
        for Refused { name, page, reason } in refused {
            // Without a document of its own a collection is not whole.
            let page = page.ok_or(RemoteError::Strange { url: name, what: reason })?;
            self.refused_pages.insert(page);
        }
        Ok(())
    }

    fn send_all(&mut self) -> Result<(), RemoteError> {
        (0..ALL.len()).try_for_each(|place| self.send(place))?;
        while let Some(request) = self.requests.pop() {
            self.end(request)?;
        }
        Ok(())
    }

    /// Leaves the pages out of those to be forgotten that were not there.
    fn settle_gone(&mut self) -> Result<(), RemoteError> {
        let asked: Vec<String> = self.gone.keys().filter(|page| !self.rewritten.contains(*page)).cloned().collect();
        let mut known: HashSet<String> = self.rewritten.clone();
        let index = self.client.settings.index(PAGES.part);
        let mut open: Vec<&[String]> = asked.chunks(PAGES_AT_ONCE).collect();
        while let Some(some) = open.pop() {
            let before = json!({"range": {"batch": {"lte": self.log.last}}});
            let query = json!({"bool": {"filter": [any_of("page_id", some), before]}});
            let found = self.client.search(&index, &Search::new(query, HITS_MAX, json!([{"block_order": "asc"}])))?;
            // Former versions are hits, too: fewer pages at once have room for all of theirs.
            if found.hits.len() >= HITS_MAX && some.len() > 1 {
                let (first, second) = some.split_at(some.len() / 2);
                open.extend([first, second]);
                continue;
            }
            let live = found.hits.iter().filter(|hit| self.log.is_live(hit.text("page_id"), hit.batch()));
            known.extend(live.map(|hit| hit.text("page_id").to_owned()));
        }
        self.gone.retain(|page, _| known.contains(page));
        Ok(())
    }

    fn try_commit(&mut self, checkpoint: &str) -> Result<u64, RemoteError> {
        self.send_all()?;
        self.settle_gone()?;
        let (name, before) = (self.client.settings.index("*"), self.log.last);
        // The engine cannot compare and set: who commits at the very same time is noticed behind.
        keep::read_commits(&self.client, &mut self.log)?;
        if self.log.last != before {
            return Err(RemoteError::OtherWriter { name });
        }
        if self.gone.len() > GONE_MAX {
            let what = format!(
                "{} pages are replaced or deleted, and {GONE_MAX} can be at once: write a new generation",
                self.gone.len()
            );
            return Err(RemoteError::Strange { url: name, what });
        }
        let commit = Commit {
            number: self.batch,
            after: self.log.last,
            place: self.log.place + 1,
            batches: std::mem::take(&mut self.batches),
            left: std::mem::take(&mut self.left),
            gone: std::mem::take(&mut self.gone),
            sums: std::mem::take(&mut self.sums),
            refused: self.refused,
            checkpoint: checkpoint.to_owned(),
        };
        let refused = bulk::write(&self.client, &self.client.settings.index(KEPT.part), &[keep::commit_line(&commit)])?;
        if let Some(refused) = refused.into_iter().next() {
            return Err(RemoteError::Strange { url: name, what: refused.reason });
        }
        keep::read_commits(&self.client, &mut self.log)?;
        if self.log.last != commit.number {
            return Err(RemoteError::OtherWriter { name });
        }
        self.written.clear();
        self.rewritten.clear();
        self.batch = next_batch(self.log.last, random());
        self.batches = vec![self.batch];
        (self.last_refused, self.refused) = (self.refused, 0);
        self.refused_pages.clear();
        Ok(self.log.place)
    }
}

/// Batches behind the last commit: a writer was cut off before it committed them.
fn left_behind(client: &Client, log: &Log) -> Result<Vec<u64>, RemoteError> {
    let mut left = Vec::new();
    for layout in [&BLOCKS, &PAGES] {
        let mut search = Search::new(json!({"range": {"batch": {"gt": log.last}}}), 0, serde_json::Value::Null);
        search.aggregations = json!({"batch": {"terms": {"field": "batch", "size": 1000}}});
        let found = client.search(&client.settings.index(layout.part), &search)?;
        let buckets = found.aggregations["batch"]["buckets"].as_array().cloned().unwrap_or_default();
        let number = |key: &serde_json::Value| key.as_u64().or_else(|| key.as_f64().map(|key| key as u64));
        left.extend(buckets.iter().filter_map(|bucket| number(&bucket["key"])));
    }
    left.sort_unstable();
    left.dedup();
    Ok(left)
}

impl BlockEngineWriter for RemoteWriter {
    fn add_page(&mut self, page: &PageDocument, blocks: &[BlockDocument]) -> Result<(), WriterError> {
        if blocks.is_empty() {
            return self.must_be_sound();
        }
        let Encoded { blocks, page: document, sums } = self.encoder.encode(page, blocks, self.batch);
        let batch = self.batch;
        self.try_writing(&page.page_id, |writer| {
            for (handle, block) in blocks {
                writer.push(&BLOCKS, Line::new(format!("{handle}-{batch}"), &block).of_page(&page.page_id))?;
            }
            let line = Line::new(format!("{}-{batch}", page.page_id), &document);
            writer.push(&PAGES, line.of_page(&page.page_id))?;
            writer.sums.add(&sums);
            writer.written.insert(page.page_id.clone());
            Ok(())
        })
    }

    fn delete_page(&mut self, page_id: &str) -> Result<(), WriterError> {
        self.must_be_sound()?;
        if self.written.remove(page_id) {
            // What was written of it in this commit counts no more, and what will be does.
            self.batch += 1;
            self.batches.push(self.batch);
            self.rewritten.insert(page_id.to_owned());
        }
        self.gone.insert(page_id.to_owned(), self.batch);
        Ok(())
    }

    fn commit(&mut self, checkpoint: &str) -> Result<u64, WriterError> {
        self.must_be_sound()?;
        self.try_commit(checkpoint).map_err(|source| self.failed_commit(source))
    }

    fn checkpoint(&self) -> Result<Option<String>, EngineError> {
        Ok(self.log.checkpoint.clone())
    }
}

impl BytesWriter for RemoteWriter {
    fn keep(&mut self, kind: &str, key: &str, bytes: Option<&[u8]>, page: Option<&str>) -> Result<(), WriterError> {
        let lines = keep::lines(kind, key, bytes, self.batch).into_iter();
        let mut lines = lines.map(|line| if let Some(page) = page { line.of_page(page) } else { line });
        self.try_writing(key, |writer| lines.try_for_each(|line| writer.push(&KEPT, line)))
    }

    fn settle(&mut self) -> Result<Vec<String>, WriterError> {
        self.must_be_sound()?;
        self.send_all().map_err(|source| self.failed_commit(source))?;
        Ok(self.refused_pages.iter().cloned().collect())
    }

    fn refused(&self) -> u64 {
        self.last_refused + self.refused
    }
}
