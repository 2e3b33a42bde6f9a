//! TEI-XML, the form that corpora of text are kept in.

use super::{Block, Cell, Definition, Document, Inline, List, Table};
use crate::metadata::Metadata;

/// What stands in a TEI document's header; empty values are left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct TeiHead<'a> {
    /// The page's title.
    pub title: &'a str,
    /// Its author.
    pub author: &'a str,
    /// The site's name.
    pub publisher: &'a str,
    /// Date of publication, as written.
    pub date: &'a str,
    /// The page's address.
    pub url: &'a str,
    /// Its language.
    pub language: &'a str,
}

impl<'a> TeiHead<'a> {
    /// What a page at `url` says of itself. Where the address is none of the web, its canonical one stands.
    pub fn of(metadata: &'a Metadata, url: &'a str) -> Self {
        let is_unknown = url.is_empty() || url.starts_with("file:");
        Self {
            title: &metadata.title,
            author: &metadata.author,
            publisher: &metadata.site_name,
            date: &metadata.published,
            url: if is_unknown { &metadata.canonical_url } else { url },
            language: &metadata.language,
        }
    }
}

/// The document as TEI-XML, a whole `TEI` element. Characters that XML does not have are left out.
pub fn to_tei(document: &Document, head: &TeiHead<'_>) -> String {
    let mut xml = Xml::default();
    xml.markup("<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n<teiHeader><fileDesc>");
    xml.head(head);
    xml.markup("</fileDesc></teiHeader>\n<text");
    if !head.language.is_empty() {
        xml.attribute("xml:lang", head.language);
    }
    xml.markup("><body>\n");
    xml.blocks(&document.blocks);
    xml.markup("</body></text>\n</TEI>\n");
    xml.out
}

#[derive(Default)]
struct Xml {
    out: String,
}

impl Xml {
    fn head(&mut self, head: &TeiHead<'_>) {
        self.within("titleStmt", |xml| {
            xml.leaf("title", head.title);
            if !head.author.is_empty() {
                xml.leaf("author", head.author);
            }
        });
        self.within("publicationStmt", |xml| {
            if head.publisher.is_empty() {
                xml.markup("<p/>");
            } else {
                xml.leaf("publisher", head.publisher);
                if !head.date.is_empty() {
                    xml.leaf("date", head.date);
                }
            }
        });
        self.within("sourceDesc", |xml| {
            xml.within("bibl", |xml| {
                xml.leaf("title", head.title);
                for (tag, value) in [("author", head.author), ("date", head.date), ("idno", head.url)] {
                    if !value.is_empty() {
                        xml.leaf(tag, value);
                    }
                }
            });
        });
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
            self.out.push('\n');
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, content } => {
                self.markup("<ab type=\"head\"");
                self.attribute("subtype", &format!("h{level}"));
                self.out.push('>');
                self.inlines(content);
                self.markup("</ab>");
            }
            Block::Paragraph { content } => self.within("p", |xml| xml.inlines(content)),
            Block::List(list) => self.list(list),
            Block::Definitions { entries } => {
                self.markup("<list type=\"gloss\">\n");
                for entry in entries {
                    self.definition(entry);
                }
                self.markup("</list>");
            }
            Block::Code { language, text } => {
                self.markup("<code");
                if let Some(language) = language {
                    self.attribute("lang", language);
                }
                self.markup(" xml:space=\"preserve\">");
                self.escaped(text);
                self.markup("</code>");
            }
            Block::Table(table) => self.within("table", |xml| xml.table(table)),
            Block::Quote { blocks } => self.within("quote", |xml| xml.lines(blocks)),
            Block::Formula { tex } => {
                self.markup("<formula notation=\"TeX\" rend=\"display\">");
                self.escaped(tex);
                self.markup("</formula>");
            }
            Block::Figure { blocks, caption } => self.within("figure", |xml| {
                if !caption.is_empty() {
                    xml.within("head", |xml| xml.inlines(caption));
                }
                xml.lines(blocks);
            }),
            Block::Rule => self.markup("<milestone unit=\"section\" rend=\"rule\"/>"),
            Block::Footnote { label, blocks } => {
                self.markup("<note place=\"foot\"");
                self.attribute("n", label);
                self.out.push('>');
                self.lines(blocks);
                self.markup("</note>");
            }
        }
    }

    fn lines(&mut self, blocks: &[Block]) {
        self.out.push('\n');
        self.blocks(blocks);
    }

    fn list(&mut self, list: &List) {
        self.markup("<list");
        self.attribute("rend", if list.ordered { "ol" } else { "ul" });
        self.markup(">\n");
        for (place, entry) in list.entries.iter().enumerate() {
            self.markup("<item");
            if list.ordered {
                self.attribute("n", &list.mark(place));
            }
            if let Some(done) = entry.done {
                self.attribute("type", if done { "done" } else { "open" });
            }
            self.out.push('>');
            self.content_of(&entry.blocks);
            self.markup("</item>\n");
        }
        self.markup("</list>");
    }

    fn content_of(&mut self, blocks: &[Block]) {
        match blocks {
            [Block::Paragraph { content }] => self.inlines(content),
            [] => {}
            blocks => self.lines(blocks),
        }
    }

    fn definition(&mut self, entry: &Definition) {
        for term in &entry.terms {
            self.within("label", |xml| xml.inlines(term));
            self.out.push('\n');
        }
        for blocks in &entry.definitions {
            self.within("item", |xml| xml.content_of(blocks));
            self.out.push('\n');
        }
    }

    fn table(&mut self, table: &Table) {
        self.out.push('\n');
        if !table.caption.is_empty() {
            self.within("head", |xml| xml.inlines(&table.caption));
            self.out.push('\n');
        }
        for (place, row) in table.rows.iter().enumerate() {
            self.markup("<row");
            if place < table.head_rows as usize {
                self.attribute("role", "label");
            }
            self.out.push('>');
            row.cells.iter().for_each(|cell| self.cell(cell));
            self.markup("</row>\n");
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.markup("<cell");
        if cell.header {
            self.attribute("role", "label");
        }
        for (name, count) in [("cols", cell.columns), ("rows", cell.rows)] {
            if count != 1 {
                self.attribute(name, &count.to_string());
            }
        }
        self.out.push('>');
        self.content_of(&cell.blocks);
        self.markup("</cell>");
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text { text } => self.escaped(text),
                Inline::Emphasis { content } => self.highlighted("#i", content),
                Inline::Strong { content } => self.highlighted("#b", content),
                Inline::Deleted { content } => {
                    self.markup("<del>");
                    self.inlines(content);
                    self.markup("</del>");
                }
                Inline::Superscript { content } => self.highlighted("#sup", content),
                Inline::Subscript { content } => self.highlighted("#sub", content),
                Inline::Code { text } => self.leaf("code", text),
                Inline::Link { url, content } => {
                    self.markup("<ref");
                    self.attribute("target", url);
                    self.out.push('>');
                    self.inlines(content);
                    self.markup("</ref>");
                }
                Inline::Image { url, alt } => {
                    self.markup("<graphic");
                    self.attribute("url", url);
                    self.out.push('>');
                    if !alt.is_empty() {
                        self.leaf("desc", alt);
                    }
                    self.markup("</graphic>");
                }
                Inline::Formula { tex } => {
                    self.markup("<formula notation=\"TeX\">");
                    self.escaped(tex);
                    self.markup("</formula>");
                }
                Inline::Note { label } => {
                    self.markup("<ref type=\"noteAnchor\"");
                    self.attribute("n", label);
                    self.markup("/>");
                }
                Inline::LineBreak => self.markup("<lb/>"),
            }
        }
    }

    fn highlighted(&mut self, rend: &str, content: &[Inline]) {
        self.markup("<hi");
        self.attribute("rend", rend);
        self.out.push('>');
        self.inlines(content);
        self.markup("</hi>");
    }

    fn within(&mut self, tag: &str, inner: impl FnOnce(&mut Self)) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        inner(self);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    fn leaf(&mut self, tag: &str, text: &str) {
        self.within(tag, |xml| xml.escaped(text));
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.escaped(value);
        self.out.push('"');
    }

    /// Writes markup as it stands.
    fn markup(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\n' | '\t' => self.out.push(c),
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
                c => self.out.push(c),
            }
        }
    }
}
