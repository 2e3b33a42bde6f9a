//! A page's tree as nested boxes.

use lopper_content::cst::{ContentStructureTree, NodeId, NodeKind};
use lopper_content::pipeline::StoredTree;
use lopper_content::prune::{Decision, Reason};

use super::Html;
use super::figures::counted;
use super::tree::{Judged, Line, Step, walk};

/// Lines shown of a page.
const LINES_MAX: usize = 5000;

/// Boxes shown of a page.
const BOXES_MAX: usize = 5000;

/// Characters shown of a line.
const LINE_CHARS_MAX: usize = 2000;

/// Characters that tell of a dropped box what is in it.
const PREVIEW_CHARS: usize = 110;

/// The boxes. Within a dropped one there are only lines: what was decided inside no longer matters.
pub(super) fn boxes(stored: &StoredTree) -> Html {
    let mut drawing =
        Drawing { tree: &stored.tree, html: Html::new(), open: Vec::new(), boxes: 0, lines: 0, left_out: 0 };
    drawing.html.raw("<div class=\"boxes\">");
    walk(stored, |step| drawing.step(step));
    if drawing.left_out > 0 {
        let left_out = counted(drawing.left_out as u64, "line is", "lines are");
        drawing.html.raw("<p class=\"note\">").text(left_out).raw(" not shown.</p>");
    }
    drawing.html.raw("</div>");
    drawing.html
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
    html: Html,
    open: Vec<Opened>,
    boxes: usize,
    lines: usize,
    left_out: usize,
}

impl Drawing<'_> {
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Open(judged) => self.open(&judged),
            Step::Line(line) if self.lines < LINES_MAX => self.line(&line),
            Step::Line(_) => self.left_out += 1,
            Step::Close => match self.open.pop() {
                Some(Opened::Kept) => drop(self.html.raw("</section>")),
                Some(Opened::Dropped) => drop(self.html.raw("</details>")),
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
        self.html.raw("<section class=\"box kept\"><p class=\"judged\">").html(&label(judged)).raw("</p>");
    }

    fn dropped(&mut self, judged: &Judged) {
        let text = self.tree.subtree_text(judged.item);
        let words = text.split_whitespace().count() as u64;
        self.html.raw("<details class=\"box dropped\"><summary><span class=\"judged\">").html(&label(judged));
        self.html.raw("</span><span class=\"preview\" dir=\"auto\">").text(preview(text)).raw("</span> <small>");
        self.html.text(counted(words, "word", "words")).raw("</small></summary>");
    }

    fn line(&mut self, line: &Line<'_>) {
        self.lines += 1;
        let text = self.tree.run_text(line.run);
        self.html.raw("<p class=\"line ").raw(style(line.tag)).raw("\" dir=\"auto\"");
        if let Some(path) = &line.path {
            self.html.attribute("id", format_args!("block-{path}"));
        }
        self.html.raw(">").text(text.chars().take(LINE_CHARS_MAX).collect::<String>());
        if text.chars().nth(LINE_CHARS_MAX).is_some() {
            self.html.raw("…");
        }
        let images = line.run.nodes.clone().map(NodeId).filter(|id| self.tree.kind(*id) == NodeKind::Image);
        for image in images.collect::<Vec<_>>() {
            self.image(image);
        }
        self.html.raw("</p>");
    }

    fn image(&mut self, id: NodeId) {
        let Some(image) = self.tree.image(id) else { return };
        let alt = self.tree.attribute_text(image.alt).trim();
        self.html.raw(" <span class=\"image\">image");
        if !alt.is_empty() {
            self.html.raw(": ").text(alt);
        }
        self.html.raw("</span>");
    }
}

fn label(judged: &Judged) -> Html {
    let mut html = Html::new();
    html.raw("<code>");
    for (place, tag) in judged.tags.iter().enumerate() {
        html.raw(if place > 0 { " › " } else { "" }).raw(tag);
    }
    html.raw("</code> <span class=\"reason\">");
    match judged.decision {
        Decision { reason: Reason::Root, .. } => html.raw("the whole page"),
        Decision { kept: true, reason, .. } => html.raw("kept: ").raw(reason.as_str()),
        Decision { kept: false, reason, .. } => html.raw("dropped: ").raw(reason.as_str()),
    };
    html.raw("</span> <span class=\"similarity\" title=\"");
    html.raw("Cosine similarity to the page’s topic, from 0 to 1\">");
    html.text(format_args!("{:.3}", judged.decision.similarity)).raw("</span>");
    if judged.decision.template > 0.0 {
        html.raw(" <span class=\"similarity\" title=\"Share of the site’s pages that hold this block\">");
        html.text(format_args!("{:.0} % of the site", 100.0 * judged.decision.template)).raw("</span>");
    }
    html
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
