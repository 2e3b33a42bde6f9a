//! What a page's main content consists of.

/// A page's main content in page order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// Headings, paragraphs, items, cells.
    pub blocks: Vec<ContentBlock>,
}

/// One kept run with its part in the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentBlock {
    /// Its part in the page.
    pub shape: Shape,
    /// Depth of quotation, 0 outside.
    pub quotes: u8,
    /// What it says.
    pub inlines: Vec<Inline>,
}

/// The part that a run plays in its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A paragraph, or any other text.
    Paragraph,
    /// An item of a list.
    Item {
        /// Lists around it, from 1.
        depth: u8,
        /// Its number in an ordered list.
        number: Option<u32>,
        /// Whether it goes on an item that began before.
        continued: bool,
    },
    /// A cell of a table. Cells of one row come one after another.
    Cell {
        /// Which table of the page.
        table: u32,
        /// Row of the table.
        row: u32,
        /// Whether it is a header cell.
        header: bool,
        /// Whether it goes on a cell that began before.
        continued: bool,
    },
    /// Preformatted text.
    Preformatted,
    /// A term that is defined.
    Term,
    /// A definition.
    Definition,
    /// The caption of a figure or table.
    Caption,
}

/// How a stretch of text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Strong importance.
    pub strong: bool,
    /// Stress.
    pub emphasis: bool,
    /// Code.
    pub code: bool,
}

/// A stretch of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// Text, white space folded; in preformatted blocks as it stands.
    Text {
        /// The words, with blanks at the ends where there are any.
        text: String,
        /// How they are set.
        style: Style,
        /// Absolute URL that they lead to.
        link: Option<String>,
    },
    /// An image.
    Image {
        /// Absolute URL.
        url: String,
        /// Alternative text.
        alt: String,
    },
    /// A line break.
    Break,
}

impl Content {
    /// Adds a paragraph that is no run of the page; white space is folded.
    pub(in crate::extract) fn push_paragraph(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let inlines = vec![Inline::Text { text, style: Style::default(), link: None }];
        self.blocks.push(ContentBlock { shape: Shape::Paragraph, quotes: 0, inlines });
    }

    /// URLs of the content's images, in order.
    pub fn images(&self) -> Vec<&str> {
        let inlines = self.blocks.iter().flat_map(|block| &block.inlines);
        inlines
            .filter_map(|inline| if let Inline::Image { url, .. } = inline { Some(url.as_str()) } else { None })
            .collect()
    }
}

impl ContentBlock {
    /// The words of the block as they read, images left out.
    pub fn plain_text(&self) -> String {
        let mut plain = String::new();
        for inline in &self.inlines {
            match inline {
                Inline::Text { text, .. } => plain.push_str(text),
                Inline::Break => plain.push('\n'),
                Inline::Image { .. } => {}
            }
        }
        plain
    }
}
