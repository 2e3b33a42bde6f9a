//! A page's tree as nested boxes.

use lopper_content::cst::{ContentStructureTree, NodeId, NodeKind};
use lopper_content::pipeline::StoredTree;
use lopper_content::prune::{PruneDecision, PruneReason};

use maud::{Markup, html};

use super::figures::counted;
use crate::markup::MarkupStream;
use crate::view::{Judged, Line, Step, walk};

/// Lines shown of a page.
const LINES_MAX: usize = 5000;

/// Boxes shown of a page.
const BOXES_MAX: usize = 5000;

/// Characters shown of a line.
const LINE_CHARS_MAX: usize = 2000;

/// Characters that tell of a dropped box what is in it.
const PREVIEW_CHARS: usize = 110;

/// The boxes. Within a dropped one there are only lines: what was decided inside no longer matters.
pub(super) fn boxes(stored: &StoredTree) -> Markup {
    let mut drawing = Drawing::new(&stored.tree);
    walk(stored, |step| drawing.step(step));
    let left_out = drawing.left_out as u64;
    html! {
        div.boxes {
            (drawing.out.into_markup())
            @if left_out > 0 {
                p.note { (counted(left_out, "line is", "lines are")) " not shown." }
            }
        }
    }
}

/// What was written when a box was opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    Kept,
    Dropped,
    Nothing,
}

struct Drawing<'a> {
    tree: &'a ContentStructureTree,
    out: MarkupStream,
    open: Vec<Opened>,
    boxes: usize,
    lines: usize,
    left_out: usize,
}

impl<'a> Drawing<'a> {
    fn new(tree: &'a ContentStructureTree) -> Self {
        Self { tree, out: MarkupStream::default(), open: Vec::new(), boxes: 0, lines: 0, left_out: 0 }
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Open(judged) => self.open(&judged),
            Step::Line(line) if self.lines < LINES_MAX => self.line(&line),
            Step::Line(_) => self.left_out += 1,
            Step::Close => match self.open.pop() {
                Some(Opened::Kept) => self.out.tags("</section>"),
                Some(Opened::Dropped) => self.out.tags("</details>"),
                Some(Opened::Nothing) | None => {}
            },
        }
    }

    fn open(&mut self, judged: &Judged) {
        let is_inside_dropped = self.open.contains(&Opened::Dropped);
        let opened = match judged.decision.kept {
            _ if is_inside_dropped || self.boxes >= BOXES_MAX || self.lines >= LINES_MAX => Opened::Nothing,
            true => Opened::Kept,
            false => Opened::Dropped,
        };
        self.open.push(opened);
        self.boxes += usize::from(opened != Opened::Nothing);
        match opened {
            Opened::Kept => self.kept(judged),
            Opened::Dropped => self.dropped(judged),
            Opened::Nothing => {}
        }
    }

    fn kept(&mut self, judged: &Judged) {
        self.out.tags("<section class=\"box kept\">");
        self.out.put(&html! { p.judged { (label(judged)) } });
    }

    fn dropped(&mut self, judged: &Judged) {
        let text = self.tree.subtree_text(judged.item);
        let words = text.split_whitespace().count() as u64;
        self.out.tags("<details class=\"box dropped\">");
        self.out.put(&html! {
            summary {
                span.judged { (label(judged)) }
                span.preview dir="auto" { (preview(text)) }
                " " small { (counted(words, "word", "words")) }
            }
        });
    }

    fn line(&mut self, line: &Line<'_>) {
        self.lines += 1;
        let text = self.tree.run_text(line.run);
        let shown: String = text.chars().take(LINE_CHARS_MAX).collect();
        let id = line.path.as_ref().map(|path| format!("block-{path}"));
        let is_image = |id: &NodeId| self.tree.kind(*id) == NodeKind::Image;
        self.out.put(&html! {
            p class={ "line " (style(line.tag)) } dir="auto" id=[id] {
                (shown) @if shown.len() < text.len() { "…" }
                @for image in line.run.nodes.clone().map(NodeId).filter(is_image) { (self.image(image)) }
            }
        });
    }

    fn image(&self, id: NodeId) -> Markup {
        let alt = self.tree.image(id).map_or("", |image| self.tree.attribute_text(image.alt).trim());
        html! {
            " " span.image { "image" @if !alt.is_empty() { ": " (alt) } }
        }
    }
}

fn label(judged: &Judged) -> Markup {
    let PruneDecision { kept, reason, similarity, template, .. } = judged.decision;
    html! {
        code { (judged.tags.join(" › ")) }
        " "
        span.reason {
            @if reason == PruneReason::Root { "the whole page" }
            @else if kept { "kept: " (reason.as_str()) }
            @else { "dropped: " (reason.as_str()) }
        }
        " "
        span.similarity title="Cosine similarity to the page’s topic, from 0 to 1" {
            (format_args!("{similarity:.3}"))
        }
        @if template > 0.0 {
            " "
            span.similarity title="Share of the site’s pages that hold this block" {
                (format_args!("{:.0} % of the site", 100.0 * template))
            }
        }
    }
}

fn preview(text: &str) -> String {
    let one_line: Vec<&str> = text.split_whitespace().take(PREVIEW_CHARS).collect();
    let one_line = one_line.join(" ");
    match one_line.char_indices().nth(PREVIEW_CHARS) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

/// How a line is set.
fn style(tag: &str) -> &'static str {
    match tag {
        "h1" | "h2" => "heading",
        "h3" | "h4" | "h5" | "h6" | "dt" | "th" | "caption" | "summary" | "legend" => "subheading",
        "li" | "dd" => "item",
        "td" => "cell",
        "pre" => "pre",
        "blockquote" => "quote",
        _ => "plain",
    }
}
