//! The structure of eight pages survives extraction: floors on what their Markdown has of it, read by a parser that is not ours.

mod support;

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use lopper_content::document::{Block, Inline, List, Table, plain_text, to_markdown};
use lopper_content::extract::{ContentJudge, Extractor};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{PageText, ParsedPage};
use serde_json::Value;
use support::{extended, read};

/// Kinds of structure, and the least mean over the pages that have some: twice the pieces that page and gold share in order, by the
/// pieces of both.
const FLOORS: [(&str, f64); 5] =
    [("code", 0.995), ("tables", 0.895), ("math", 1.0), ("headings", 0.975), ("items", 0.885)];

#[test]
fn structure_stays_above_its_floors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/structure");
    let gold = std::fs::read_to_string(folder.join("gold.jsonl")).unwrap();
    let gold: Vec<Value> = gold.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let pages: Vec<Pieces> = gold.iter().map(|page| pieces_of(&folder, page["id"].as_str().unwrap())).collect();
    let mut found = Vec::new();
    for (place, (kind, _)) in FLOORS.iter().enumerate() {
        let wanted = gold.iter().map(|page| wanted(kind, &page[*kind]));
        let scores = wanted.zip(&pages).filter(|(wanted, _)| !wanted.is_empty());
        let scores: Vec<f64> = scores.map(|(wanted, page)| shared(&wanted, &page.0[place])).collect();
        found.push(scores.iter().sum::<f64>() / scores.len() as f64);
    }
    let is_held = FLOORS.iter().zip(&found).all(|((_, floor), found)| found >= floor);
    assert!(is_held, "structure {found:.3?} is below its floors {FLOORS:?}");
}

/// Pieces of a page's Markdown, in the order of [`FLOORS`].
#[derive(Default)]
struct Pieces([Vec<String>; 5]);

fn pieces_of(folder: &Path, id: &str) -> Pieces {
    let file = std::fs::File::open(folder.join("html").join(format!("{id}.html.gz"))).unwrap();
    let mut bytes = Vec::new();
    MultiGzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    let html = String::from_utf8_lossy(&bytes);
    let page = ParsedPage::parse(PageText { html: &html, ..PageText::default() }, &Limits::default());
    let view = page.view();
    let markdown = to_markdown(&Extractor::default().judge(&view).content(&view));
    let mut pieces = Pieces::default();
    pieces.blocks(&read(&markdown, extended()).blocks, 0);
    pieces
}

impl Pieces {
    fn blocks(&mut self, blocks: &[Block], depth: usize) {
        for block in blocks {
            match block {
                Block::Code { text, .. } => self.0[0].push(code(text)),
                Block::Table(table) => self.table(table, depth),
                Block::Formula { tex } => self.0[2].push(formula(tex)),
                Block::Heading { level, content } => {
                    self.0[3].push(format!("{level} {}", folded(&plain_text(content))));
                    self.inlines(content);
                }
                Block::List(list) => self.list(list, depth + 1),
                Block::Paragraph { content } => self.inlines(content),
                Block::Quote { blocks } | Block::Figure { blocks, .. } | Block::Footnote { blocks, .. } => {
                    self.blocks(blocks, depth);
                }
                Block::Definitions { entries } => {
                    for entry in entries {
                        entry.terms.iter().for_each(|term| self.inlines(term));
                        entry.definitions.iter().for_each(|blocks| self.blocks(blocks, depth));
                    }
                }
                _ => {}
            }
        }
    }

    fn table(&mut self, table: &Table, depth: usize) {
        for row in &table.rows {
            let text = |blocks: &[Block]| match blocks {
                [Block::Paragraph { content }] => folded(&plain_text(content)),
                _ => String::new(),
            };
            let cells: Vec<String> = row.cells.iter().map(|cell| text(&cell.blocks)).collect();
            // A table without a head has an empty one in Markdown.
            if cells.iter().any(|cell| !cell.is_empty()) {
                self.0[1].push(cells.join(" | "));
            }
            row.cells.iter().for_each(|cell| self.blocks(&cell.blocks, depth));
        }
    }

    fn list(&mut self, list: &List, depth: usize) {
        for entry in &list.entries {
            let words = match entry.blocks.first() {
                Some(Block::Paragraph { content }) => folded(&plain_text(content)),
                _ => String::new(),
            };
            self.0[4].push(item(depth as u64, list.ordered, &words));
            self.blocks(&entry.blocks, depth);
        }
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Formula { tex } => self.0[2].push(formula(tex)),
                Inline::Emphasis { content }
                | Inline::Strong { content }
                | Inline::Deleted { content }
                | Inline::Link { content, .. }
                | Inline::Superscript { content }
                | Inline::Subscript { content } => self.inlines(content),
                _ => {}
            }
        }
    }
}

/// The pieces of a kind that the gold has.
fn wanted(kind: &str, gold: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = gold.as_array().unwrap();
    match kind {
        "code" => all.iter().map(|one| code(&text(one))).collect(),
        "math" => all.iter().map(|one| formula(&text(one))).collect(),
        "headings" => all.iter().map(|one| format!("{} {}", one[0], folded(&text(&one[1])))).collect(),
        "items" => {
            all.iter().map(|one| item(one[0].as_u64().unwrap(), one[1].as_bool().unwrap(), &text(&one[2]))).collect()
        }
        _ => {
            let row = |row: &Value| {
                row.as_array().unwrap().iter().map(|cell| folded(&text(cell))).collect::<Vec<_>>().join(" | ")
            };
            all.iter().flat_map(|table| table.as_array().unwrap()).map(row).collect()
        }
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn code(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}

fn formula(tex: &str) -> String {
    tex.trim_start_matches("$$").split_whitespace().collect()
}

fn item(depth: u64, ordered: bool, words: &str) -> String {
    let words: String = words.chars().take(60).collect();
    format!("{depth} {ordered} {}", words.trim_end())
}

/// Twice the length of the longest common subsequence, by the lengths of both.
fn shared(one: &[String], other: &[String]) -> f64 {
    let mut above = vec![0_u32; other.len() + 1];
    for piece in one {
        let mut row = vec![0; other.len() + 1];
        for (at, with) in other.iter().enumerate() {
            row[at + 1] = if piece == with { above[at] + 1 } else { row[at].max(above[at + 1]) };
        }
        above = row;
    }
    2.0 * f64::from(above[other.len()]) / (one.len() + other.len()) as f64
}
