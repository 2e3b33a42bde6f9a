//! Markdown to a document, by a parser that is not ours.

use lopper_content::document::{Block, Cell, Definition, Document, Inline, List, ListEntry, Row, Table};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// CommonMark with tables, and what Lopper's Markdown has besides.
pub(crate) fn extended() -> Options {
    common() | Options::ENABLE_MATH | Options::ENABLE_DEFINITION_LIST | Options::ENABLE_FOOTNOTES
}

/// CommonMark with tables.
pub(crate) fn common() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Something that is open.
enum Open {
    Blocks(Vec<Block>),
    List(List),
    Definitions(Vec<Definition>),
    Table(Table),
    Row(Row),
    Inlines(Vec<Inline>),
    Link(String, Vec<Inline>),
    Code(Option<String>, String),
    /// An image and its alternative text.
    Image(String, String),
    /// An element of HTML in a line.
    Tagged(&'static str, Vec<Inline>),
}

pub(crate) fn read(markdown: &str, options: Options) -> Document {
    let mut reader = Reader { open: vec![Open::Blocks(Vec::new())], tasks: Vec::new() };
    for event in Parser::new_ext(markdown, options) {
        reader.event(event);
    }
    reader.end_line();
    match reader.open.pop() {
        Some(Open::Blocks(blocks)) if reader.open.is_empty() => Document { blocks },
        _ => panic!("something stayed open in {markdown:?}"),
    }
}

struct Reader {
    open: Vec<Open>,
    /// What entries say of their tasks, each by its place in `open`.
    tasks: Vec<(usize, bool)>,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => self.inline(Inline::Code { text: text.to_string() }),
            Event::InlineMath(tex) => self.inline(Inline::Formula { tex: tex.to_string() }),
            Event::DisplayMath(tex) => self.inline(Inline::Formula { tex: format!("$${tex}") }),
            Event::InlineHtml(html) => self.html(&html),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.inline(Inline::LineBreak),
            Event::Rule => {
                self.end_line();
                self.block(Block::Rule);
            }
            Event::TaskListMarker(done) => {
                let entry = self.open.iter().rposition(|open| matches!(open, Open::Blocks(_)));
                self.tasks.push((entry.expect("an entry is open"), done));
            }
            Event::FootnoteReference(label) => self.inline(Inline::Note { label: label.to_string() }),
            other @ Event::Html(_) => panic!("unexpected {other:?}"),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let inline =
            matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. });
        if !inline {
            self.end_line();
        }
        let open = match tag {
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::DefinitionListTitle
            | Tag::TableCell => Open::Inlines(Vec::new()),
            Tag::Link { dest_url, .. } => Open::Link(dest_url.to_string(), Vec::new()),
            Tag::BlockQuote(_) | Tag::Item | Tag::DefinitionListDefinition | Tag::FootnoteDefinition(_) => {
                Open::Blocks(Vec::new())
            }
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) if !info.is_empty() => Some(info.to_string()),
                    _ => None,
                };
                Open::Code(language, String::new())
            }
            Tag::List(start) => {
                let start_number = start.unwrap_or(1) as u32;
                Open::List(List { ordered: start.is_some(), start: start_number, ..List::default() })
            }
            Tag::DefinitionList => Open::Definitions(Vec::new()),
            Tag::Table(_) => Open::Table(Table::default()),
            Tag::TableHead | Tag::TableRow => Open::Row(Row::default()),
            Tag::Image { dest_url, .. } => Open::Image(dest_url.to_string(), String::new()),
            other => panic!("unexpected {other:?}"),
        };
        if inline && matches!(self.open.last(), Some(Open::Blocks(_))) {
            // A tight entry's words are in no paragraph.
            self.open.push(Open::Inlines(Vec::new()));
        }
        self.open.push(open);
    }

    fn end(&mut self, tag: TagEnd) {
        if !matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image) {
            self.end_tight_line(tag);
        }
        let open = self.open.pop().expect("something is open");
        let done = self.tasks.pop_if(|(entry, _)| *entry == self.open.len()).map(|(_, done)| done);
        match (tag, open) {
            (TagEnd::Paragraph, Open::Inlines(content)) => self.paragraph(content),
            (TagEnd::Heading(level), Open::Inlines(content)) => {
                let level = match level {
                    HeadingLevel::H1 => 1,
                    HeadingLevel::H2 => 2,
                    HeadingLevel::H3 => 3,
                    HeadingLevel::H4 => 4,
                    HeadingLevel::H5 => 5,
                    HeadingLevel::H6 => 6,
                };
                self.block(Block::Heading { level, content });
            }
            (TagEnd::Emphasis, Open::Inlines(content)) => self.inline(Inline::Emphasis { content }),
            (TagEnd::Strong, Open::Inlines(content)) => self.inline(Inline::Strong { content }),
            (TagEnd::Strikethrough, Open::Inlines(content)) => self.inline(Inline::Deleted { content }),
            (TagEnd::Link, Open::Link(url, content)) => self.inline(Inline::Link { url, content }),
            (TagEnd::Image, Open::Image(url, alt)) => self.inline(Inline::Image { url, alt }),
            (TagEnd::BlockQuote(_), Open::Blocks(blocks)) => self.block(Block::Quote { blocks }),
            (TagEnd::CodeBlock, Open::Code(language, text)) => {
                let text = text.strip_suffix('\n').unwrap_or(&text).to_owned();
                self.block(Block::Code { language, text });
            }
            (TagEnd::Item, Open::Blocks(blocks)) => match self.open.last_mut() {
                Some(Open::List(list)) => list.entries.push(ListEntry { blocks, done }),
                _ => panic!("an entry outside of lists"),
            },
            (TagEnd::List(_), Open::List(list)) => self.block(Block::List(list)),
            (TagEnd::DefinitionListTitle, Open::Inlines(term)) => {
                let entries = self.definitions();
                match entries.last_mut() {
                    Some(entry) if entry.definitions.is_empty() => entry.terms.push(term),
                    _ => entries.push(Definition { terms: vec![term], definitions: Vec::new() }),
                }
            }
            (TagEnd::DefinitionListDefinition, Open::Blocks(blocks)) => {
                self.definitions().last_mut().expect("a term").definitions.push(blocks);
            }
            (TagEnd::DefinitionList, Open::Definitions(entries)) => self.block(Block::Definitions { entries }),
            (TagEnd::TableCell, Open::Inlines(content)) => {
                let blocks = if content.is_empty() { Vec::new() } else { vec![Block::Paragraph { content }] };
                match self.open.last_mut() {
                    Some(Open::Row(row)) => row.cells.push(Cell { blocks, ..Cell::default() }),
                    _ => panic!("a cell outside of rows"),
                }
            }
            (TagEnd::TableHead, Open::Row(row)) => {
                let is_empty = row.cells.iter().all(|cell| cell.blocks.is_empty());
                let table = self.table();
                if !is_empty {
                    table.head_rows = 1;
                    table.rows.push(row);
                }
            }
            (TagEnd::TableRow, Open::Row(row)) => self.table().rows.push(row),
            (TagEnd::Table, Open::Table(table)) => self.block(Block::Table(table)),
            // Footnotes may be read anywhere.
            (TagEnd::FootnoteDefinition, Open::Blocks(_)) => {}
            (tag, _) => panic!("{tag:?} ends something else"),
        }
    }

    /// A displayed formula alone in a paragraph is a block.
    fn paragraph(&mut self, content: Vec<Inline>) {
        if let [Inline::Formula { tex }] = content.as_slice()
            && let Some(tex) = tex.strip_prefix("$$")
        {
            return self.block(Block::Formula { tex: tex.to_owned() });
        }
        self.block(Block::Paragraph { content });
    }

    fn definitions(&mut self) -> &mut Vec<Definition> {
        match self.open.last_mut() {
            Some(Open::Definitions(entries)) => entries,
            _ => panic!("a definition outside of lists"),
        }
    }

    fn table(&mut self) -> &mut Table {
        match self.open.last_mut() {
            Some(Open::Table(table)) => table,
            _ => panic!("a row outside of tables"),
        }
    }

    fn block(&mut self, block: Block) {
        match self.open.last_mut() {
            Some(Open::Blocks(blocks)) => blocks.push(block),
            _ => panic!("{block:?} stands in no block"),
        }
    }

    /// Ends the words of a tight entry before a block.
    fn end_line(&mut self) {
        let n = self.open.len();
        if n >= 2
            && matches!((&self.open[n - 2], &self.open[n - 1]), (Open::Blocks(_), Open::Inlines(_)))
            && let Some(Open::Inlines(content)) = self.open.pop()
        {
            self.paragraph(content);
        }
    }

    fn end_tight_line(&mut self, tag: TagEnd) {
        if matches!(
            tag,
            TagEnd::Item | TagEnd::FootnoteDefinition | TagEnd::DefinitionListDefinition | TagEnd::BlockQuote(_)
        ) {
            self.end_line();
        }
    }

    fn text(&mut self, text: &str) {
        match self.open.last_mut() {
            Some(Open::Code(_, code)) => code.push_str(text),
            Some(Open::Image(_, alt)) => alt.push_str(text),
            Some(Open::Inlines(inlines) | Open::Link(_, inlines) | Open::Tagged(_, inlines)) => {
                push_text(inlines, text);
            }
            Some(Open::Blocks(_)) => {
                self.open.push(Open::Inlines(Vec::new()));
                self.text(text);
            }
            _ => panic!("{text:?} stands in no line"),
        }
    }

    fn inline(&mut self, inline: Inline) {
        match self.open.last_mut() {
            Some(Open::Inlines(inlines) | Open::Link(_, inlines) | Open::Tagged(_, inlines)) => inlines.push(inline),
            Some(Open::Blocks(_)) => self.open.push(Open::Inlines(vec![inline])),
            Some(Open::Image(_, alt)) => alt.push('?'),
            _ => panic!("{inline:?} stands in no line"),
        }
    }

    fn html(&mut self, html: &str) {
        let tag = html.trim_matches(['<', '>', '/']);
        let tag = ["sup", "sub", "em", "strong", "del", "br"]
            .into_iter()
            .find(|known| *known == tag)
            .expect("a known element");
        if tag == "br" {
            return self.inline(Inline::LineBreak);
        }
        if !html.starts_with("</") {
            if matches!(self.open.last(), Some(Open::Blocks(_))) {
                self.open.push(Open::Inlines(Vec::new()));
            }
            return self.open.push(Open::Tagged(tag, Vec::new()));
        }
        let Some(Open::Tagged(_, content)) =
            self.open.pop_if(|open| matches!(open, Open::Tagged(opened, _) if *opened == tag))
        else {
            return self.text(html);
        };
        self.inline(match tag {
            "sup" => Inline::Superscript { content },
            "sub" => Inline::Subscript { content },
            "em" => Inline::Emphasis { content },
            "del" => Inline::Deleted { content },
            _ => Inline::Strong { content },
        });
    }
}

pub(crate) fn push_text(inlines: &mut Vec<Inline>, text: &str) {
    match inlines.last_mut() {
        Some(Inline::Text { text: before }) => before.push_str(text),
        _ => inlines.push(Inline::Text { text: text.to_owned() }),
    }
}
