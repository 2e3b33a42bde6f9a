//! The tree beside the page, folded.

use maud::{Markup, html};

use super::{Judged, Kept, Line, Step, Viewed, walk};
use crate::markup::MarkupStream;

/// Boxes and lines shown of a page.
const ENTRIES_MAX: usize = 4000;

/// Characters that tell what is in a box or line.
const PREVIEW_CHARS: usize = 70;

/// Boxes so deep are open at first.
const OPEN_DEPTH: usize = 2;

/// The tree's boxes and lines; those of which nothing is `kept` are grey.
pub(super) fn tree(viewed: &Viewed<'_>, kept: &Kept) -> Markup {
    let mut drawing = Drawing { viewed, kept, out: MarkupStream::default(), open: Vec::new(), entries: 0, left_out: 0 };
    walk(viewed.stored, |step| drawing.step(step));
    let left_out = drawing.left_out;
    html! {
        div.tree {
            (drawing.out.into_markup())
            @if left_out > 0 { p.small { (left_out) " more are not shown." } }
        }
    }
}

struct Drawing<'a> {
    viewed: &'a Viewed<'a>,
    kept: &'a Kept,
    out: MarkupStream,
    /// Whether each open box was written.
    open: Vec<bool>,
    entries: usize,
    left_out: usize,
}

impl Drawing<'_> {
    fn step(&mut self, step: Step<'_>) {
        let is_full = self.entries >= ENTRIES_MAX;
        match step {
            Step::Open(_) | Step::Line(_) if is_full => {
                self.left_out += 1;
                if matches!(step, Step::Open(_)) {
                    self.open.push(false);
                }
            }
            Step::Open(judged) => self.open(&judged),
            Step::Line(line) => self.line(&line),
            Step::Close => {
                if self.open.pop() == Some(true) {
                    self.out.tags("</details>");
                }
            }
        }
    }

    fn open(&mut self, judged: &Judged) {
        self.entries += 1;
        let tree = &self.viewed.stored.tree;
        let runs = tree.runs_within(judged.item);
        let is_gone = !runs.clone().any(|run| self.kept[run]);
        let is_open = self.open.len() < OPEN_DEPTH && !is_gone;
        self.open.push(true);
        let text = tree.subtree_text(judged.item);
        self.out.tags(match (is_open, is_gone) {
            (true, _) => "<details class=\"node\" open>",
            (false, true) => "<details class=\"node gone\">",
            (false, false) => "<details class=\"node\">",
        });
        self.out.put(&html! {
            summary data-runs={ (runs.start) "-" (runs.end) } {
                code { (judged.tags.last().copied().unwrap_or("body")) }
                " " span.preview dir="auto" { (preview(text)) }
                " " small title="Similarity to the page’s topic" { (format_args!("{:.2}", judged.decision.similarity)) }
            }
        });
    }

    fn line(&mut self, line: &Line<'_>) {
        self.entries += 1;
        let text = self.viewed.stored.tree.run_text(line.run);
        let is_gone = !self.kept[line.id];
        self.out.put(&html! {
            button.leaf.gone[is_gone] type="button" tabindex="-1" data-runs={ (line.id) "-" (line.id + 1) } dir="auto" {
                @if text.is_empty() { "picture" } @else { (preview(text)) }
            }
        });
    }
}

/// The beginning of a text, on one line.
pub(super) fn preview(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(PREVIEW_CHARS).collect();
    let line = words.join(" ");
    match line.char_indices().nth(PREVIEW_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
