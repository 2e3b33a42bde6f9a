//! What was taken in, and more of it.

use lopper_store::{ArchiveEntry, RecordEntry, RecordState, StateKind, StoreStatistics};
use maud::{Markup, html};

use super::figures::{bytes, counted, grouped};
use super::layout::{Content, framed};

/// What the ledger tells.
pub(in crate::http) struct Ledger {
    pub(in crate::http) stats: StoreStatistics,
    /// The archives, by name.
    pub(in crate::http) archives: Vec<ArchiveEntry>,
    /// The records of one of them.
    pub(in crate::http) records: Option<Records>,
}

/// Records of an archive.
pub(in crate::http) struct Records {
    pub(in crate::http) archive: ArchiveEntry,
    /// The state that they are in, where one was asked for.
    pub(in crate::http) wanted: Option<StateKind>,
    pub(in crate::http) entries: Vec<RecordEntry>,
    /// How many were passed over.
    pub(in crate::http) offset: usize,
    /// Whether more follow.
    pub(in crate::http) has_more: bool,
}

/// The page.
pub(in crate::http) fn ingest(ledger: &Ledger) -> Markup {
    let main = html! {
        h1 { "Archives" }
        p.facts {
            (counted(ledger.stats.distinct_pages, "page", "pages")) " of "
            (counted(ledger.archives.len() as u64, "archive", "archives")) ", "
            (counted(ledger.stats.blocks, "block", "blocks")) " to search."
        }
        (adding())
        @match &ledger.records {
            Some(records) => (of_archive(records)),
            None => (archives(&ledger.archives)),
        }
        (deleting())
    };
    framed(&Content { kind: "ingest", title: "Archives – Lopper", query: "", script: Some("/ingest.js"), main })
}

fn adding() -> Markup {
    html! {
        section.drop #drop aria-labelledby="adding" {
            h2 #adding { "Add an archive" }
            p { "WARC, WACZ, ARC, HAR, MHTML, ZIM, zip, HTML: compressed or not." }
            label.file-label for="archive" { "Choose a file" }
            input #archive type="file";
            div #jobs aria-live="polite" {}
            noscript { p.note { "Without scripts, use " code { "lopper ingest PATH…" } " while the service is stopped." } }
        }
    }
}

fn archives(archives: &[ArchiveEntry]) -> Markup {
    html! {
        h2 { "What was taken in" }
        @if archives.is_empty() { p.empty { "Nothing yet." } } @else {
            div.scroll tabindex="0" role="region" aria-label="Archives" {
                table {
                    thead {
                        tr {
                            th scope="col" { "archive" } th scope="col" { "read" }
                            @for kind in StateKind::ALL { th scope="col" { (kind.as_str()) } }
                        }
                    }
                    tbody { @for entry in archives { (archive(entry)) } }
                }
            }
        }
    }
}

fn archive(entry: &ArchiveEntry) -> Markup {
    let name = entry.key.path.file_name().unwrap_or(entry.key.path.as_os_str()).to_string_lossy();
    html! {
        tr {
            th scope="row" { a href=(records_at(entry, None, 0)) title=(entry.key.path.display()) { bdi { (name) } } }
            td { (bytes(entry.position_bytes)) @if !entry.finished { " so far" } }
            @for kind in StateKind::ALL {
                @let count = entry.sums.in_state(kind);
                td { @if count > 0 { a href=(records_at(entry, Some(kind), 0)) { (grouped(count)) } } @else { "0" } }
            }
        }
    }
}

/// The address of the records of an archive.
fn records_at(entry: &ArchiveEntry, wanted: Option<StateKind>, offset: usize) -> String {
    let state = wanted.map(|kind| format!("&state={}", kind.as_str())).unwrap_or_default();
    let offset = if offset > 0 { format!("&offset={offset}") } else { String::new() };
    format!("/ingest?archive={:032x}{state}{offset}", entry.key.id)
}

fn of_archive(records: &Records) -> Markup {
    let Records { archive, wanted, entries, offset, has_more } = records;
    html! {
        p.back { a href="/ingest" { "← All archives" } }
        h2 { bdi { (archive.key.path.display()) } }
        ul.chips aria-label="State" {
            (state(records, None, "all", archive.sums.records()))
            @for kind in StateKind::ALL { (state(records, Some(kind), kind.as_str(), archive.sums.in_state(kind))) }
        }
        @if entries.is_empty() { p.empty { "No record is in that state." } }
        ol.records start=(offset + 1) { @for entry in entries { (record(entry)) } }
        nav.more aria-label="Pages of records" {
            @if *offset > 0 { a rel="prev" href=(records_at(archive, *wanted, offset.saturating_sub(entries.len().max(100)))) { "← Former records" } " " }
            @if *has_more { a rel="next" href=(records_at(archive, *wanted, offset + entries.len())) { "More records →" } }
        }
    }
}

fn state(records: &Records, kind: Option<StateKind>, name: &str, count: u64) -> Markup {
    let is_chosen = records.wanted == kind;
    html! {
        li {
            a.chip.off[!is_chosen] href=(records_at(&records.archive, kind, 0)) aria-current=[is_chosen.then_some("true")] {
                (name) " " (grouped(count))
            }
        }
    }
}

fn record(entry: &RecordEntry) -> Markup {
    html! {
        li {
            span.small { "at byte " (grouped(entry.offset_bytes)) " · " (entry.state.kind().as_str()) }
            @match &entry.state {
                RecordState::Skipped { reason } => { ": " (reason.as_str()) }
                RecordState::Failed { code, message } => { " (" code { (code) } "): " (message) }
                state => @if let Some(page) = state.page() { " " a href={ "/page/" (page) } { "page" } },
            }
        }
    }
}

fn deleting() -> Markup {
    html! {
        details.deleting {
            summary { "Delete pages" }
            form.sheet #delete {
                p { "What is deleted stays out: a takedown keeps it from coming back with the next archive." }
                div.row {
                    label.select {
                        span { "By" }
                        select name="by" {
                            @for (by, name) in [("host", "host"), ("url", "address"), ("prefix", "beginning of address"), ("q", "query"), ("archive", "archive")] {
                                option value=(by) { (name) }
                            }
                        }
                    }
                    label.grow { span.unseen { "Which" } input name="value" required placeholder="example.org"; }
                    button { "Count" }
                }
                p #counted role="status" {}
                noscript { p.note { "Without scripts, use " code { "lopper delete" } "." } }
            }
        }
    }
}
