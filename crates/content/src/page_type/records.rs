//! Siblings that are made alike: cards, posts, rows.

use super::texts::RunTexts;
use crate::cst::{ContentStructureTree, NodeId, NodeKind};

/// What is in an item's subtree.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Content {
    pub(super) bytes: f32,
    pub(super) links: f32,
    pub(super) images: f32,
    pub(super) prices: f32,
    pub(super) dates: f32,
    pub(super) headings: f32,
    pub(super) prose: f32,
}

impl Content {
    fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.links += other.links;
        self.images += other.images;
        self.prices += other.prices;
        self.dates += other.dates;
        self.headings += other.headings;
        self.prose += other.prose;
    }
}

/// A stretch of siblings with the same make.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Records {
    pub(super) count: f32,
    /// Of all together.
    pub(super) content: Content,
}

/// Siblings that a stretch must have.
const COUNT_MIN: f32 = 3.0;

/// Bytes of text that each must have on average: fewer are menus.
const BYTES_MIN: f32 = 25.0;

/// Sets of tags that a make tells apart; the tag itself stands above their bits.
const TAG_SETS: u64 = 57;

/// An item on the way: its content, its make, and the stretch of children that is being followed.
#[derive(Debug, Clone, Copy, Default)]
struct Item {
    content: Content,
    /// Its tag and the set of its children's tags, as bits.
    make: u64,
    last_make: u64,
    open: Records,
}

/// The page's content, the two stretches with the most text, and the one with the most members.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Repetition {
    pub(super) page: Content,
    pub(super) largest: Records,
    pub(super) longest: Records,
}

impl Repetition {
    pub(super) fn of(tree: &ContentStructureTree, texts: &RunTexts) -> Self {
        let mut items = contents(tree, texts);
        sum_up(tree, &mut items);
        let mut found = Self { page: items[0].content, ..Self::default() };
        for id in tree.ids().skip(1).filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
            let Some(parent) = tree.parent(id) else { continue };
            let Item { content, make, .. } = items[id.index()];
            let above = &mut items[parent.index()];
            if above.last_make != make {
                above.last_make = make;
                above.open = Records::default();
            }
            above.open.count += 1.0;
            above.open.content.add(&content);
            found.see(&items[parent.index()].open);
        }
        found
    }

    fn see(&mut self, records: &Records) {
        if records.count < COUNT_MIN || records.content.bytes < BYTES_MIN * records.count {
            return;
        }
        if records.content.bytes > self.largest.content.bytes {
            self.largest = *records;
        }
        if records.count > self.longest.count {
            self.longest = *records;
        }
    }
}

/// What each item holds itself.
fn contents(tree: &ContentStructureTree, texts: &RunTexts) -> Vec<Item> {
    let mut items = vec![Item::default(); tree.len()];
    for id in tree.ids() {
        let parent = tree.parent(id).map_or(0, NodeId::index);
        match tree.kind(id) {
            NodeKind::Link => items[parent].content.links += 1.0,
            NodeKind::Image => items[parent].content.images += 1.0,
            _ => {}
        }
    }
    for (run, text) in tree.runs().iter().zip(&texts.runs) {
        let content = &mut items[run.item.index()].content;
        content.bytes += run.text.len() as f32;
        content.prices += f32::from(u8::from(text.price));
        content.dates += f32::from(u8::from(text.date));
        content.headings += f32::from(u8::from(tree.tag(run.item).heading_level().is_some()));
        content.prose += f32::from(u8::from(text.prose));
    }
    items
}

/// Adds the content of items to those around them, and notes their makes.
fn sum_up(tree: &ContentStructureTree, items: &mut [Item]) {
    for id in tree.ids().rev() {
        let Some(parent) = tree.parent(id).filter(|_| tree.kind(id) == NodeKind::HtmlItem) else { continue };
        let tag = tree.tag(id) as u64;
        let item = &mut items[id.index()];
        item.make |= (tag & 0x7f) << TAG_SETS;
        let content = item.content;
        items[parent.index()].content.add(&content);
        items[parent.index()].make |= 1 << (tag * 31 % TAG_SETS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    fn repetition(html: &str) -> Repetition {
        let tree = cst::build(&dom::parse(html, &Limits::default()), Profile::Modern, &Limits::default());
        Repetition::of(&tree, &RunTexts::of(&tree))
    }

    #[test]
    fn cards_are_found_between_other_blocks() {
        let card = "<div><img src=i><h3><a href=x>A kettle for the kitchen</a></h3><p>$ 12.50</p></div>";
        let html = format!("<main><h1>Kettles</h1>{}<p>All prices with taxes.</p></main>", card.repeat(5));
        let Records { count, content } = repetition(&html).largest;
        let found = [count, content.links, content.images, content.prices, content.headings, content.dates];
        assert_eq!(found.map(|number| number as u32), [5, 5, 5, 5, 5, 0]);
    }

    #[test]
    fn few_siblings_and_short_ones_are_no_records() {
        for html in
            ["<p>one sentence that is long enough</p><p>and another one as long as that</p>", "<li>a<li>b<li>c<li>d"]
        {
            let found = repetition(html);
            assert_eq!([found.largest.count, found.longest.count].map(|count| count as u32), [0, 0], "{html}");
        }
    }
}
