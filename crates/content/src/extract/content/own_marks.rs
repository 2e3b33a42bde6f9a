//! Marks that entries of a list have twice: by what they are, and in their words.
//!
//! Recipes and instructions write `1.` before each step of a list that is numbered, since styles hide its own numbers, and `▢` beside the
//! box that is to be ticked. LaTeXML writes `(a)` and `•` before entries.

use crate::document::{Block, Inline, List, ListEntry, Numbering};

/// Fewest entries of a list whose words number them, with a sign behind the numbers and without: `2 cups` may stand second by chance.
const NUMBERED_MIN: usize = 2;
const BARE_MIN: usize = 3;

/// Signs behind a number.
const SIGNS: [char; 3] = ['.', ')', ':'];

/// How entries may be numbered.
const NUMBERINGS: [Option<Numbering>; 5] = [
    None,
    Some(Numbering::LowerLetters),
    Some(Numbering::LowerRoman),
    Some(Numbering::UpperLetters),
    Some(Numbering::UpperRoman),
];

/// Signs before the entries of a list that is not numbered, and those that are a sign only where they stand alone.
const BULLETS: [char; 10] = ['•', '‣', '◦', '●', '○', '▪', '▫', '■', '∙', '⁃'];
const DASHES: [char; 4] = ['-', '–', '—', '*'];

/// Boxes to be ticked.
const BOXES: [char; 7] = ['▢', '☐', '□', '◻', '⬜', '❏', '❑'];

/// Takes these marks out of the words: numbers where each entry has its own, bullets where each has one, boxes of tasks. What is nothing else
/// stays. O(entries).
pub(super) fn say_once(list: &mut List) {
    let marks = if list.ordered { numbers(list) } else { bullets(list) };
    if let Some(marks) = marks {
        list.entries.iter_mut().zip(marks).for_each(|(entry, bytes)| take_out(entry, bytes));
    }
    for entry in list.entries.iter_mut().filter(|entry| entry.done.is_some()) {
        if let Some(bytes) = box_bytes(entry) {
            take_out(entry, bytes);
        }
    }
}

/// The number that an entry begins with.
struct OwnNumber {
    /// Its bytes, with the signs and the blanks around it.
    bytes: usize,
    /// The sign behind it.
    sign: Option<char>,
}

/// The bytes of the number at the beginning of each entry, if all have theirs; the list is numbered so then.
fn numbers(list: &mut List) -> Option<Vec<usize>> {
    let (numbering, start) = (list.numbering, list.start);
    for own in NUMBERINGS.into_iter().filter(|own| numbering.is_none() || numbering == *own) {
        let is_free = own.is_none() && start == 1 && !list.reversed;
        list.start = list.entries.first().filter(|_| is_free).and_then(first_number).unwrap_or(start);
        list.numbering = own;
        let number = |(place, entry)| OwnNumber::of(entry, &list.mark(place));
        let numbers: Option<Vec<OwnNumber>> = list.entries.iter().enumerate().map(number).collect();
        if let Some(numbers) = numbers.filter(|numbers| are_sure(own, numbering.is_some(), numbers)) {
            return Some(numbers.into_iter().map(|number| number.bytes).collect());
        }
    }
    (list.numbering, list.start) = (numbering, start);
    None
}

/// Whether numbers are no words by chance: `2 cups` may stand second, and `A. Weir` first where the list does not say that it has letters.
fn are_sure(numbering: Option<Numbering>, is_said: bool, numbers: &[OwnNumber]) -> bool {
    let are_letters = numbering.is_some();
    let are_large = matches!(numbering, Some(Numbering::UpperLetters | Numbering::UpperRoman));
    if numbers.iter().all(|number| number.sign == Some(')')) {
        numbers.len() >= if are_letters { 1 } else { NUMBERED_MIN }
    } else if numbers.iter().all(|number| number.sign.is_some()) {
        numbers.len() >= if are_large && !is_said { BARE_MIN } else { NUMBERED_MIN }
    } else {
        !are_letters && numbers.len() >= BARE_MIN
    }
}

/// The number in figures that an entry begins with.
fn first_number(entry: &ListEntry) -> Option<u32> {
    let text = beginning(entry)?.trim_start().trim_start_matches('(');
    let behind = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
    text[..text.len() - behind.len()].parse().ok().filter(|_| behind.starts_with(SIGNS))
}

impl OwnNumber {
    fn of(entry: &ListEntry, number: &str) -> Option<Self> {
        let text = beginning(entry)?;
        let trimmed = text.trim_start();
        let inner = trimmed.strip_prefix('(');
        let behind = inner.unwrap_or(trimmed).strip_prefix(number)?;
        let sign = behind.chars().next().filter(|sign| SIGNS.contains(sign));
        let rest = &behind[sign.map_or(0, char::len_utf8)..];
        let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let bytes = text.len() - rest.trim_start().len();
        (is_whole && (inner.is_none() || sign == Some(')')) && has_more(entry, bytes)).then_some(Self { bytes, sign })
    }
}

/// The bytes of the bullet at the beginning of each entry, if all have one.
fn bullets(list: &List) -> Option<Vec<usize>> {
    let bytes = |entry: &ListEntry| {
        let text = beginning(entry)?;
        let trimmed = text.trim_start();
        let dash = || trimmed.strip_prefix(DASHES).filter(|rest| rest.trim().is_empty());
        let rest = trimmed.strip_prefix(BULLETS).or_else(dash)?;
        let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let bytes = text.len() - rest.trim_start().len();
        (is_whole && has_more(entry, bytes)).then_some(bytes)
    };
    list.entries.iter().map(bytes).collect()
}

/// Whether a text is such a sign alone, or nothing.
pub(super) fn is_bullet(text: &str) -> bool {
    text.strip_prefix(BULLETS).or_else(|| text.strip_prefix(DASHES)).unwrap_or(text).is_empty()
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
            ("<ol><li>(1) Mix<li>(2) Bake</ol>", "1. Mix\n2. Bake\n"),
            ("<ol><li><span>(a)</span><p>Mix</p><li><span>(b)</span><p>Bake</p></ol>", "- a. Mix\n- b. Bake\n"),
            ("<ol><li>i. Mix<li>ii. Bake</ol>", "- i. Mix\n- ii. Bake\n"),
            ("<ol type=A><li>A. Mix<li>B. Bake</ol>", "- A. Mix\n- B. Bake\n"),
            ("<ol><li>a mill<li>b mills</ol>", "1. a mill\n2. b mills\n"),
            ("<ol><li>5. Mix<li>6. Bake</ol>", "5. Mix\n6. Bake\n"),
            ("<ol><li>(a) Mix</ol>", "- a. Mix\n"),
            ("<ol><li>A. Weir<li>B. Stone</ol>", "1. A. Weir\n2. B. Stone\n"),
            ("<ol><li>(a) Mix<li>(c) Bake</ol>", "1. (a) Mix\n2. (c) Bake\n"),
            ("<ol type=a><li>1. Mix<li>2. Bake</ol>", "- a. 1. Mix\n- b. 2. Bake\n"),
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
    }

    #[test]
    fn entries_have_no_bullets_in_their_words() {
        for (html, expected) in [
            (
                "<ul><li><span>•</span><div><p>Mix</p></div><li><span>–</span><div><p>Bake</p></div></ul>",
                "- Mix\n- Bake\n",
            ),
            ("<ul><li>• Mix<li>•\u{a0}Bake</ul>", "- Mix\n- Bake\n"),
            ("<ul><li>• Mix<li>Bake</ul>", "- • Mix\n- Bake\n"),
            ("<ul><li>– 3<li>– 4</ul>", "- – 3\n- – 4\n"),
            ("<ul><li>•</ul>", "- •\n"),
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
