//! What was taken in, and more of it.

use lopper_collection::ingest::Progress;
use lopper_collection::{DeleteReport, archive_name};
use lopper_store::{ArchiveEntry, RecordEntry, RecordState, StateKind, StoreStatistics};
use maud::{Markup, html};

use super::figures::{bytes, counted, grouped};
use super::layout::Content;
use crate::http::jobs::{Job, JobState};

/// Archives on a page.
pub(in crate::http) const ARCHIVES_SHOWN: usize = 100;

/// What the ledger tells.
pub(in crate::http) struct Ledger {
    pub(in crate::http) stats: StoreStatistics,
    /// Some of the archives, by name.
    pub(in crate::http) archives: Vec<ArchiveEntry>,
    /// How many there are.
    pub(in crate::http) archives_total: usize,
    /// How many were passed over.
    pub(in crate::http) offset: usize,
    /// The records of one of them.
    pub(in crate::http) records: Option<Records>,
    /// Archives that are or were taken in since the start.
    pub(in crate::http) jobs: Vec<Job>,
    /// What was deleted, or would be.
    pub(in crate::http) deletion: Option<Deletion>,
}

/// A deletion, or its dry run.
pub(in crate::http) struct Deletion {
    pub(in crate::http) by: String,
    pub(in crate::http) value: String,
    pub(in crate::http) report: DeleteReport,
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
pub(in crate::http) fn ingest(ledger: &Ledger) -> Content {
    let main = html! {
        h1 { "Archives" }
        p.facts {
            (counted(ledger.stats.distinct_pages, "page", "pages")) " of "
            (counted(ledger.archives_total as u64, "archive", "archives")) ", "
            (counted(ledger.stats.blocks, "passage", "passages")) " to search."
        }
        (adding(&ledger.jobs))
        @match &ledger.records {
            Some(records) => (of_archive(records)),
            None => (archives(ledger)),
        }
        (deleting(ledger.deletion.as_ref()))
    };
    Content { script: Some("/ingest.js"), ..Content::new("ingest", "Archives – Lopper", main) }
}

fn adding(jobs: &[Job]) -> Markup {
    html! {
        section.drop #drop aria-labelledby="adding" {
            h2 #adding { "Add an archive" }
            p { "WARC, WACZ, ARC, HAR, MHTML, ZIM, zip, HTML: compressed or not." }
            form method="post" action="ingest" enctype="multipart/form-data" {
                label.file-label for="archive" { "Choose a file" }
                input #archive name="archive" type="file" required;
                noscript { button { "Add it" } }
            }
            div #jobs aria-live="polite" {}
            noscript { @for each in jobs.iter().rev() { (job(each)) } }
        }
    }
}

/// A job for those without scripts.
fn job(job: &Job) -> Markup {
    let Progress { bytes_read, bytes_total, pages, failed, .. } = job.progress;
    html! {
        div.job {
            b { bdi { (job.archive) } }
            span {
                @match job.state {
                    JobState::Running => {
                        (bytes(bytes_read)) " of " (bytes(bytes_total)) ", " (grouped(pages)) " pages, " (grouped(failed)) " errors"
                        @if let Some(left) = job.seconds_left { ", about " (left) " s left" }
                        ". " a href="ingest" { "Look again" }
                    }
                    JobState::Done if is_known(job) => { "It was taken in before, and is known." }
                    JobState::Done => { "Done in " (format_args!("{:.1}", job.seconds)) " s: " (grouped(pages)) " pages, " (grouped(failed)) " errors." }
                    JobState::Cancelled => { "Stopped as told, after " (grouped(pages)) " pages." }
                    JobState::Failed => { "Stopped: " (job.message.as_deref().unwrap_or("see the server’s log")) }
                }
            }
        }
    }
}

/// Whether all that it was given was taken in before.
fn is_known(job: &Job) -> bool {
    job.report.as_ref().is_some_and(|report| report.archives == 0 && report.archives_already_ingested > 0)
}

fn archives(ledger: &Ledger) -> Markup {
    let Ledger { archives, archives_total, offset, .. } = ledger;
    let end = offset + archives.len();
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
            nav.more aria-label="Pages of archives" {
                @if *offset > 0 || end < *archives_total {
                    span.small { (grouped(*offset as u64 + 1)) " to " (grouped(end as u64)) " of " (grouped(*archives_total as u64)) } " "
                }
                @if *offset > 0 { a rel="prev" href=(archives_from(offset.saturating_sub(ARCHIVES_SHOWN))) { "← Former archives" } " " }
                @if end < *archives_total { a rel="next" href=(archives_from(end)) { "More archives →" } }
            }
        }
    }
}

fn archive(entry: &ArchiveEntry) -> Markup {
    let name = archive_name(&entry.key.path);
    html! {
        tr {
            th scope="row" {
                a href=(records_at(entry, None, 0)) { bdi { (name) } }
                @if let Some(site) = &entry.key.site { " " span.small { "of " bdi { (site) } } }
            }
            td { (bytes(entry.position_bytes)) @if !entry.finished { " so far" } }
            @for kind in StateKind::ALL {
                @let count = entry.sums.in_state(kind);
                td { @if count > 0 { a href=(records_at(entry, Some(kind), 0)) { (grouped(count)) } } @else { "0" } }
            }
        }
    }
}

/// The address of the archives from one on.
fn archives_from(offset: usize) -> String {
    if offset == 0 { "ingest".to_owned() } else { format!("ingest?offset={offset}") }
}

/// The address of the records of an archive.
fn records_at(entry: &ArchiveEntry, wanted: Option<StateKind>, offset: usize) -> String {
    let state = wanted.map(|kind| format!("&state={}", kind.as_str())).unwrap_or_default();
    let offset = if offset > 0 { format!("&offset={offset}") } else { String::new() };
    format!("ingest?archive={:032x}{state}{offset}", entry.key.id)
}

fn of_archive(records: &Records) -> Markup {
    let Records { archive, wanted, entries, offset, has_more } = records;
    html! {
        p.back { a href="ingest" { "← All archives" } }
        h2 { bdi { (archive_name(&archive.key.path)) } }
        ul.chips aria-label="State" {
            (state(records, None, "all", archive.sums.records()))
            @for kind in StateKind::ALL { (state(records, Some(kind), kind.as_str(), archive.sums.in_state(kind))) }
        }
        @if entries.is_empty() { p.empty { "No record is in that state." } }
        ol.records start=(offset + 1) { @for entry in entries { (record(archive, entry)) } }
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

fn record(archive: &ArchiveEntry, entry: &RecordEntry) -> Markup {
    let path = archive.key.path.to_string_lossy();
    html! {
        li {
            span.small { "at byte " (grouped(entry.offset_bytes)) " · " (entry.state.kind().as_str()) }
            @match &entry.state {
                RecordState::Skipped { reason } => { ": " (reason.as_str()) }
                RecordState::Failed { code, message } => { " (" code { (code) } "): " (message.replace(&*path, &archive_name(&archive.key.path))) }
                state => @if let Some(page) = state.page() { " " a href={ "page/" (page) } { "page" } },
            }
        }
    }
}

fn deleting(deletion: Option<&Deletion>) -> Markup {
    const KINDS: [(&str, &str); 5] = [
        ("host", "host"),
        ("url", "address"),
        ("prefix", "beginning of address"),
        ("q", "query"),
        ("archive", "archive"),
    ];
    let chosen = deletion.map_or("host", |deletion| &deletion.by);
    let value = deletion.map(|deletion| &deletion.value);
    html! {
        details.deleting open[deletion.is_some()] {
            summary { "Delete pages" }
            form.sheet #delete method="get" action="ingest" {
                p { "What is deleted stays out: a takedown keeps it from coming back with the next archive." }
                div.row {
                    label.select {
                        span { "By" }
                        select name="by" { @for (by, name) in KINDS { option value=(by) selected[by == chosen] { (name) } } }
                    }
                    label.grow { span.unseen { "Which" } input name="value" required placeholder="example.org" value=[value]; }
                    button { "Count" }
                }
                p #counted role="status" { @if let Some(deletion) = deletion { (counted_or_deleted(deletion)) } }
            }
            @if let Some(deletion) = deletion.filter(|deletion| !is_done(deletion) && deletion.report.pages > 0) {
                form #really method="post" action="ingest/delete" {
                    input type="hidden" name="by" value=(deletion.by);
                    input type="hidden" name="value" value=(deletion.value);
                    button { "Delete " (counted(deletion.report.pages, "page", "pages")) }
                }
            }
        }
    }
}

/// Whether it was more than a count.
fn is_done(deletion: &Deletion) -> bool {
    deletion.report.takedown.is_some()
}

fn counted_or_deleted(deletion: &Deletion) -> Markup {
    let DeleteReport { pages, blocks, takedown, .. } = &deletion.report;
    let pages = counted(*pages, "page", "pages");
    html! {
        @match takedown {
            Some(takedown) => { (pages) " deleted; takedown " (takedown.number) " keeps them out." },
            None => { "That is " (pages) " with " (counted(*blocks, "passage", "passages")) "." },
        }
    }
}
