//! Which part each kept run plays: told by the elements around it.

use std::collections::HashMap;

use super::inlines::InlineReader;
use super::{Content, ContentBlock, Shape};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, Run};
use crate::dom::{Dom, DomId, Tag};

/// The content of the runs that `kept` says, by run. `tree` was just built from `dom`; `url` is what links are relative to.
pub fn content_of(dom: &Dom, tree: &ContentStructureTree, url: &str, kept: &[bool]) -> Content {
    let reader = InlineReader::new(dom, tree, url);
    let mut shapes = Shapes::new(tree);
    let mut texts = tree.source_texts().iter().peekable();
    let mut content = Content::default();
    let mut own: Vec<DomId> = Vec::new();
    for (id, run) in tree.runs().iter().enumerate() {
        own.clear();
        while let Some((text, _)) = texts.next_if(|(_, of)| *of == id) {
            own.push(*text);
        }
        if !kept.get(id).copied().unwrap_or(false) {
            continue;
        }
        let shape = shapes.of(run);
        let inlines = reader.read(run, &own, shape == Shape::Preformatted);
        if !inlines.is_empty() {
            content.blocks.push(ContentBlock { shape, quotes: quotes(tree, run), inlines });
        }
    }
    content
}

fn quotes(tree: &ContentStructureTree, run: &Run) -> u8 {
    let depth = tree.ancestors(run.item).filter(|item| tree.tag(*item) == Tag::Blockquote).count();
    depth.min(usize::from(u8::MAX)) as u8
}

/// Tells shapes; remembers lists and tables that were met.
struct Shapes<'a> {
    tree: &'a ContentStructureTree,
    tables: HashMap<NodeId, u32>,
    /// Whether each table that was met lays out the page: looked up once, since it goes through the whole table.
    layouts: HashMap<NodeId, bool>,
    /// Rows met of each table element.
    rows: HashMap<NodeId, (u32, NodeId)>,
    /// Items met of each list element.
    items: HashMap<NodeId, u32>,
    last_item: Option<NodeId>,
    last_cell: Option<NodeId>,
}

impl<'a> Shapes<'a> {
    fn new(tree: &'a ContentStructureTree) -> Self {
        Self {
            tree,
            tables: HashMap::new(),
            layouts: HashMap::new(),
            rows: HashMap::new(),
            items: HashMap::new(),
            last_item: None,
            last_cell: None,
        }
    }

    fn of(&mut self, run: &Run) -> Shape {
        let tree = self.tree;
        for item in tree.ancestors(run.item) {
            match tree.tag(item) {
                Tag::Pre | Tag::Xmp | Tag::Plaintext => return Shape::Preformatted,
                Tag::Dt => return Shape::Term,
                Tag::Dd => return Shape::Definition,
                Tag::Figcaption | Tag::Caption => return Shape::Caption,
                Tag::Li => return self.item(item),
                Tag::Td | Tag::Th => return self.cell(item).unwrap_or(Shape::Paragraph),
                tag => {
                    if let Some(level) = tag.heading_level() {
                        return Shape::Heading(level);
                    }
                }
            }
        }
        Shape::Paragraph
    }

    fn item(&mut self, item: NodeId) -> Shape {
        let tree = self.tree;
        let is_list = |id: &NodeId| matches!(tree.tag(*id), Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir);
        let lists: Vec<NodeId> = tree.ancestors(item).filter(is_list).collect();
        let depth = lists.len().clamp(1, usize::from(u8::MAX)) as u8;
        let continued = self.last_item == Some(item);
        self.last_item = Some(item);
        let number = lists.first().filter(|list| tree.tag(**list) == Tag::Ol).map(|list| {
            let met = self.items.entry(*list).or_default();
            *met += u32::from(!continued);
            *met
        });
        Shape::Item { depth, number, continued }
    }

    /// The cell's shape, unless its table only lays out the page: then its content stands for itself.
    fn cell(&mut self, cell: NodeId) -> Option<Shape> {
        let tree = self.tree;
        let row = tree.ancestors(cell).find(|id| tree.tag(*id) == Tag::Tr)?;
        let table = tree.ancestors(row).find(|id| tree.tag(*id) == Tag::Table)?;
        if *self.layouts.entry(table).or_insert_with(|| lays_out(tree, table)) {
            return None;
        }
        let next = self.tables.len() as u32;
        let number = *self.tables.entry(table).or_insert(next);
        let (rows, last) = self.rows.entry(table).or_insert((0, row));
        if *last != row {
            (*rows, *last) = (*rows + 1, row);
        }
        let continued = self.last_cell == Some(cell);
        self.last_cell = Some(cell);
        Some(Shape::Cell { table: number, row: *rows, header: tree.tag(cell) == Tag::Th, continued })
    }
}

/// Bytes of a cell's text above which its table is one of layout.
const DATA_CELL_BYTES_MAX: usize = 1000;

/// Whether a table holds other tables, or cells as long as pages.
fn lays_out(tree: &ContentStructureTree, table: NodeId) -> bool {
    let inside = (table.0 + 1..tree.subtree_end(table).0).map(NodeId);
    let long = |id: NodeId| {
        matches!(tree.tag(id), Tag::Td | Tag::Th)
            && tree.kind(id) == NodeKind::HtmlItem
            && tree.subtree_text(id).len() > DATA_CELL_BYTES_MAX
    };
    let nested = |id: NodeId| tree.tag(id) == Tag::Table && tree.kind(id) == NodeKind::HtmlItem;
    inside.skip(1).any(|id| long(id) || nested(id))
}
