//! Markdown: CommonMark with tables, `$` formulas, footnotes and definition lists.
//!
//! What Markdown cannot say is said by the nearest it can: a cell that spans is repeated where it is short, and stands
//! in its first place alone where it is not; captions are emphasised paragraphs, raised and lowered text is HTML within
//! the line, a table with code in its cells is written cell by cell, numbers that count down are words, and a
//! definition of more than paragraphs follows its term, which is strong.

mod escape;
mod inlines;
mod table;

use super::table::holds_code;
use super::{Block, Definition, Document, Inline, List};

/// The largest number that an entry may have.
const NUMBER_MAX: u32 = 999_999_999;

/// The document as Markdown. Signs that Markdown would read are escaped; nothing but `sup`, `sub`, `br`, `em`, `strong` and `del` is HTML.
pub fn to_markdown(document: &Document) -> String {
    let mut writer = Writer::default();
    writer.blocks(&document.blocks, false);
    let mut out = writer.out;
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

#[derive(Default)]
struct Writer {
    out: String,
    /// What each line begins with: quotation marks and the indentation of entries.
    prefix: String,
    /// Where the present line's content begins in `out`.
    line_start: usize,
    context: Context,
}

/// What the present inlines stand in.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
struct Context {
    /// A table's cell, where lines cannot break and `|` ends it.
    cell: bool,
    /// A heading or term, where lines cannot break.
    one_line: bool,
    strong: bool,
    emphasis: bool,
    deleted: bool,
    /// A link's anchor or an image's text, and whether its brackets have to be escaped.
    anchor: bool,
    escapes_brackets: bool,
    /// A further place of a cell that spans.
    repeated: bool,
}

/// What is written as one block.
#[derive(Clone, Copy)]
enum Part<'a> {
    Block(&'a Block),
    /// A caption.
    Emphasised(&'a [Inline]),
    /// A term.
    Strong(&'a [Inline]),
}

impl Writer {
    /// Writes blocks at the present place, which is the beginning of a line's content. `tight`: without empty lines between them.
    fn blocks(&mut self, blocks: &[Block], tight: bool) {
        let mut parts = Vec::with_capacity(blocks.len());
        for block in blocks {
            flatten(block, &mut parts);
        }
        let mut before: Option<(bool, bool)> = None;
        let mut is_first = true;
        for part in parts {
            let start = self.out.len();
            if !is_first {
                self.separate(tight);
            }
            let content = self.out.len();
            self.line_start = content;
            before = self.part(part, before);
            if self.out.len() == content {
                self.out.truncate(start);
                self.line_start = start;
            } else {
                is_first = false;
            }
        }
    }

    /// Writes one part; gives, of a list, whether it is ordered and whether it has the other marks.
    fn part(&mut self, part: Part<'_>, before: Option<(bool, bool)>) -> Option<(bool, bool)> {
        match part {
            Part::Emphasised(content) => self.wrapped(content, Inlines::Emphasis),
            Part::Strong(content) => self.wrapped(content, Inlines::Strong),
            Part::Block(Block::List(list)) if list.ordered && (list.reversed || list.numbering.is_some()) => {
                return self.part(Part::Block(&Block::List(with_numbers_as_words(list))), before);
            }
            Part::Block(Block::List(list)) => {
                // Two lists of a kind in a row would be one.
                let other = before.is_some_and(|(ordered, other)| ordered == list.ordered && !other);
                self.list(list, other);
                return Some((list.ordered, other));
            }
            Part::Block(block) => self.block(block),
        }
        None
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, content } => self.heading(*level, content),
            Block::Paragraph { content } => self.inlines(content),
            Block::Definitions { entries } => self.definitions(entries),
            Block::Code { language, text } => self.code(language.as_deref(), text),
            Block::Table(table) => self.table(table),
            Block::Quote { blocks } => self.indented("> ", "> ", blocks, false),
            Block::Formula { tex } => self.display_formula(tex),
            Block::Rule => self.out.push_str("***"),
            Block::Footnote { label, blocks } => self.indented(&format!("[^{label}]: "), "    ", blocks, false),
            Block::List(_) | Block::Figure { .. } => debug_assert!(false, "taken by `part` and `flatten`"),
        }
    }

    fn wrapped(&mut self, content: &[Inline], kind: Inlines) {
        match kind {
            Inlines::Emphasis => self.emphasis(content, None),
            Inlines::Strong => self.strong(content, None),
        }
    }

    fn heading(&mut self, level: u8, content: &[Inline]) {
        let start = self.out.len();
        self.out.push_str(&"######"[..usize::from(level.clamp(1, 6))]);
        self.out.push(' ');
        let words = self.out.len();
        self.context.one_line = true;
        self.inlines(content);
        self.context.one_line = false;
        if self.out.len() == words {
            self.out.truncate(start);
        }
        let rest = self.out.trim_end_matches('#');
        if rest.len() < self.out.len() && (rest.ends_with(' ') || rest.len() <= words) {
            // Signs at the end would close the heading.
            self.out.pop();
            self.out.push_str("\\#");
        }
    }

    fn list(&mut self, list: &List, other: bool) {
        let tight = list.entries.iter().all(|entry| is_tight(&entry.blocks));
        for (place, entry) in list.entries.iter().enumerate() {
            if place > 0 {
                self.separate(tight);
            }
            let mark = match (list.ordered, other) {
                (false, false) => "- ".to_owned(),
                (false, true) => "+ ".to_owned(),
                (true, other) => {
                    let number = list.number(place).min(NUMBER_MAX);
                    format!("{number}{} ", if other { ')' } else { '.' })
                }
            };
            let indentation = " ".repeat(mark.len());
            // The sign of a task stands before its words.
            let is_task = matches!(entry.blocks.first(), Some(Block::Paragraph { .. }));
            let task = match entry.done.filter(|_| is_task) {
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
                None => "",
            };
            self.indented(&(mark + task), &indentation, &entry.blocks, tight);
        }
    }

    /// Blocks behind a mark, their further lines behind `prefix`.
    fn indented(&mut self, mark: &str, prefix: &str, blocks: &[Block], tight: bool) {
        let before = self.prefix.len();
        self.out.push_str(mark);
        self.prefix.push_str(prefix);
        let content = self.out.len();
        self.blocks(blocks, tight);
        self.prefix.truncate(before);
        if self.out.len() == content {
            self.out.truncate(content - (mark.len() - mark.trim_end().len()));
        }
    }

    /// Definitions that are paragraphs alone; others are taken apart by [`flatten`].
    fn definitions(&mut self, entries: &[Definition]) {
        let mut is_first = true;
        for entry in entries {
            if !is_first {
                self.separate(false);
            }
            is_first = false;
            for term in &entry.terms {
                self.line_start = self.out.len();
                self.context.one_line = true;
                self.inlines(term);
                self.context.one_line = false;
            }
            for blocks in &entry.definitions {
                self.separate(true);
                self.indented(": ", "  ", blocks, false);
            }
        }
    }

    /// A fence longer than any run of its sign inside.
    fn code(&mut self, language: Option<&str>, text: &str) {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        self.out.push_str(&fence);
        let is_name = |c: char| c.is_alphanumeric() || "+-#._".contains(c);
        self.out.extend(language.unwrap_or("").chars().filter(|c| is_name(*c)));
        for line in text.split('\n') {
            if line.is_empty() {
                self.empty_line();
            } else {
                self.separate(true);
                self.out.push_str(line);
            }
        }
        self.separate(true);
        self.out.push_str(&fence);
    }

    /// In one line, so that nothing in it can begin another block.
    fn display_formula(&mut self, tex: &str) {
        let mark = self.out.len();
        self.out.push_str("$$");
        self.tex(tex);
        if self.out.len() == mark + 2 {
            self.out.truncate(mark);
        } else {
            self.out.push_str("$$");
        }
    }

    /// A line feed with the prefix of the next line, and an empty line before it unless `tight`.
    fn separate(&mut self, tight: bool) {
        if !tight {
            self.empty_line();
        }
        self.out.push('\n');
        self.out.push_str(&self.prefix);
        self.line_start = self.out.len();
    }

    fn empty_line(&mut self) {
        self.out.push('\n');
        self.out.push_str(self.prefix.trim_end());
    }
}

#[derive(Clone, Copy)]
enum Inlines {
    Emphasis,
    Strong,
}

/// Takes apart what Markdown has no block for.
fn flatten<'a>(block: &'a Block, parts: &mut Vec<Part<'a>>) {
    match block {
        Block::Figure { blocks, caption } => {
            // The name of a file stands above its code, on the page as here.
            let is_code = matches!(blocks.first(), Some(Block::Code { .. }));
            let caption = |is_here: bool| (is_here && !caption.is_empty()).then_some(Part::Emphasised(caption));
            parts.extend(caption(is_code));
            for block in blocks {
                flatten(block, parts);
            }
            parts.extend(caption(!is_code));
        }
        Block::Table(table) => {
            if !table.caption.is_empty() {
                parts.push(Part::Emphasised(&table.caption));
            }
            if holds_code(table) {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.flat_map(|cell| &cell.blocks).for_each(|block| flatten(block, parts));
            } else {
                parts.push(Part::Block(block));
            }
        }
        Block::Definitions { entries } if !entries.iter().all(is_plain) => {
            for entry in entries {
                parts.extend(entry.terms.iter().map(|term| Part::Strong(term)));
                entry.definitions.iter().flatten().for_each(|block| flatten(block, parts));
            }
        }
        block => parts.push(Part::Block(block)),
    }
}

/// A list that counts down or by letters, as one without numbers whose entries begin with them: Markdown's lists count up, in digits.
fn with_numbers_as_words(list: &List) -> List {
    let entries = list.entries.iter().enumerate().map(|(place, entry)| {
        let mut entry = entry.clone();
        let words = |text: String| Inline::Text { text };
        let number = list.mark(place);
        if let Some(Block::Paragraph { content } | Block::Heading { content, .. }) = entry.blocks.first_mut() {
            content.insert(0, words(format!("{number}. ")));
        } else {
            entry.blocks.insert(0, Block::Paragraph { content: vec![words(format!("{number}."))] });
        }
        entry
    });
    List { start: 1, entries: entries.collect(), ..List::default() }
}

/// Whether the definition is a term with paragraphs.
fn is_plain(entry: &Definition) -> bool {
    let is_paragraph = |block: &Block| matches!(block, Block::Paragraph { content } if !content.is_empty());
    let are_paragraphs = |blocks: &Vec<Block>| !blocks.is_empty() && blocks.iter().all(is_paragraph);
    let has_term = matches!(entry.terms.as_slice(), [term] if super::has_words(term));
    has_term && !entry.definitions.is_empty() && entry.definitions.iter().all(are_paragraphs)
}

/// Whether an entry is one paragraph with a list below it, which begins at 1, since no other may follow a paragraph's line.
fn is_tight(blocks: &[Block]) -> bool {
    let below = match blocks {
        [Block::Paragraph { .. }, below @ ..] => below,
        all => all,
    };
    match below {
        [] => true,
        [Block::List(list)] => list.start == 1 && list.entries.iter().all(|entry| is_tight(&entry.blocks)),
        _ => false,
    }
}
