//! Marks that entries of a list have twice: by what they are, and in their words.
//!
//! Recipes and instructions write `1.` before each step of a list that is numbered, since styles hide its own numbers, and `▢` beside the
//! box that is to be ticked.

use crate::document::{Block, Inline, List, ListEntry};

/// Fewest entries of a list whose words number them, with a sign behind the numbers and without: `2 cups` may stand second by chance.
const NUMBERED_MIN: usize = 2;
const BARE_MIN: usize = 3;

/// Boxes to be ticked.
const BOXES: [char; 7] = ['▢', '☐', '□', '◻', '⬜', '❏', '❑'];

/// Takes these marks out of the words: numbers where each entry has its own, boxes of tasks. What is nothing else stays. O(entries).
pub(super) fn say_once(list: &mut List) {
    let is_numbered = list.ordered && list.numbering.is_none() && list.entries.len() >= NUMBERED_MIN;
    if is_numbered && let Some(numbers) = numbers(list) {
        list.entries.iter_mut().zip(numbers).for_each(|(entry, bytes)| take_out(entry, bytes));
    }
    for entry in list.entries.iter_mut().filter(|entry| entry.done.is_some()) {
        if let Some(bytes) = box_bytes(entry) {
            take_out(entry, bytes);
        }
    }
}

/// The bytes of the number at the beginning of each entry, if all have theirs.
fn numbers(list: &List) -> Option<Vec<usize>> {
    let number = |(place, entry)| number_bytes(entry, list.number(place));
    let numbers: Vec<(usize, bool)> = list.entries.iter().enumerate().map(number).collect::<Option<_>>()?;
    let is_sure = numbers.len() >= BARE_MIN || numbers.iter().all(|(_, has_sign)| *has_sign);
    is_sure.then(|| numbers.into_iter().map(|(bytes, _)| bytes).collect())
}

/// The bytes of the number that an entry begins with, with the sign and the blanks behind it, and whether it has a sign.
fn number_bytes(entry: &ListEntry, number: u32) -> Option<(usize, bool)> {
    let text = beginning(entry)?;
    let behind = text.trim_start().strip_prefix(number.to_string().as_str())?;
    let rest = behind.strip_prefix(['.', ')', ':']).unwrap_or(behind);
    let has_sign = rest.len() < behind.len();
    let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let bytes = text.len() - rest.trim_start().len();
    (is_whole && has_more(entry, bytes)).then_some((bytes, has_sign))
}

/// The bytes of the box that an entry begins with, and of the blanks behind it.
fn box_bytes(entry: &ListEntry) -> Option<usize> {
    let text = beginning(entry)?;
    let bytes = text.len() - text.trim_start().strip_prefix(BOXES)?.trim_start().len();
    has_more(entry, bytes).then_some(bytes)
}

/// Whether an entry has more than the first bytes of its beginning.
fn has_more(entry: &ListEntry, bytes: usize) -> bool {
    let is_first_longer = beginning(entry).is_some_and(|text| text.len() > bytes);
    is_first_longer || entry.blocks.len() > 1 || line(entry).is_some_and(|line| line.len() > 1)
}

/// The words that an entry begins with, stressed or not.
fn beginning(entry: &ListEntry) -> Option<&str> {
    match line(entry)?.first()? {
        Inline::Text { text } => Some(text),
        Inline::Strong { content } | Inline::Emphasis { content } => match &content[..] {
            [Inline::Text { text }, ..] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn line(entry: &ListEntry) -> Option<&[Inline]> {
    match entry.blocks.first()? {
        Block::Paragraph { content } | Block::Heading { content, .. } => Some(content),
        _ => None,
    }
}

/// Takes bytes from the words that an entry begins with, and what is empty then.
fn take_out(entry: &mut ListEntry, bytes: usize) {
    let Some(Block::Paragraph { content } | Block::Heading { content, .. }) = entry.blocks.first_mut() else { return };
    match content.first_mut() {
        Some(Inline::Strong { content: inner } | Inline::Emphasis { content: inner }) => {
            take_from_words(inner, bytes);
            if inner.is_empty() {
                content.remove(0);
                trim_start(content);
            }
        }
        _ => take_from_words(content, bytes),
    }
    if content.is_empty() {
        entry.blocks.remove(0);
    }
}

fn take_from_words(content: &mut Vec<Inline>, bytes: usize) {
    let Some(Inline::Text { text }) = content.first_mut() else { return };
    text.drain(..bytes);
    if text.is_empty() {
        content.remove(0);
        trim_start(content);
    }
}

/// Takes line ends and blanks from the beginning.
fn trim_start(content: &mut Vec<Inline>) {
    let ends = content.iter().take_while(|inline| matches!(inline, Inline::LineBreak)).count();
    content.drain(..ends);
    if let Some(Inline::Text { text }) = content.first_mut() {
        *text = text.trim_start().to_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn entries_say_their_numbers_once() {
        for (html, expected) in [
            ("<ol><li><span>1.</span> Mix<li>2. Bake</ol>", "1. Mix\n2. Bake\n"),
            (
                "<ol><li><p>1</p><p>Mix</p><li><p>2</p><p>Bake</p><li><p>3</p><p>Eat</p></ol>",
                "1. Mix\n2. Bake\n3. Eat\n",
            ),
            ("<ol start=4><li><b>4)</b><br>Mix<li><b>5) Bake</b> it</ol>", "4. Mix\n5. **Bake** it\n"),
            ("<ol><li>1 cup<li>2 cups</ol>", "1. 1 cup\n2. 2 cups\n"),
            ("<ol><li>1.5 cups<li>2. cups</ol>", "1. 1.5 cups\n2. 2\\. cups\n"),
            ("<ol><li>1.<li>2.</ol>", "1. 1\\.\n2. 2\\.\n"),
            ("<ul><li>1. Mix<li>2. Bake</ul>", "- 1\\. Mix\n- 2\\. Bake\n"),
            ("<ol type=a><li>1. Mix<li>2. Bake</ol>", "- a. 1. Mix\n- b. 2. Bake\n"),
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
    }

    #[test]
    fn a_box_stands_once_before_what_is_to_be_done() {
        let html = "<ul><li><label><input type=checkbox><span>▢ </span></label>flour<li><input type=checkbox> ▢<li>▢ salt</ul>";
        assert_eq!(markdown(html), "- [ ] flour\n- [ ] ▢\n- ▢ salt\n");
    }
}
