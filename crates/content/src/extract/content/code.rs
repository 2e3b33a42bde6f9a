//! Code to the letter: without line numbers and buttons.

use std::borrow::Cow;

use super::classes::class;
use super::code_lines;
use super::furniture::is_switch;
use super::listing;
use super::scaladoc::is_declaration;
use super::table::is_gutter;
use crate::cst::{display, is_code_variant};
use crate::dom::{AttributeName, ClassNames, Display, Dom, DomId, Tag, classes};

/// Class names of the number of a line.
pub(super) const NUMBERS: &ClassNames = classes![
    "linenos",
    "linenr",
    "lineno",
    "linenumber",
    "line-number",
    "lnt",
    "ln",
    "codemirror-linenumber",
    "react-syntax-highlighter-line-number",
];

/// Class names of what else is shown beside code but is none of it.
const BESIDES: &ClassNames = classes![
    "line-numbers",
    "line-numbers-rows",
    "gutter",
    "copy",
    "copybtn",
    "copy-btn",
    "copy-button",
    "btn-copy",
    "code-copy",
    "clipboard",
    "btn-clipboard",
    "toolbar",
    "crayon-nums",
    "crayon-toolbar",
    "filename",
    "copy-popup-wrapper",
];

/// Columns that the number of a line takes at least: a number of one or two digits alone may be code.
const NUMBER_WIDTH_MIN: usize = 3;

/// Whether a block is code although it is no `pre`: lines of divisions (Doxygen, Crayon), a signature (Javadoc).
pub(super) fn is_listing(dom: &Dom, element: DomId, tag: Tag) -> bool {
    let holds_lines = || {
        let first = dom.children(element).find(|id| dom.tag(*id).is_some());
        first.is_some_and(|line| dom.has_class(line, classes!["line", "crayon-line"]))
    };
    match tag {
        Tag::Div | Tag::Td if code_lines::are_code(dom, element) => true,
        Tag::Div if class(dom, element).is_empty() => false,
        Tag::Div => {
            (dom.has_class(element, classes!["fragment", "crayon-pre"]) && holds_lines())
                || listing::is_listing(dom, element)
                || dom.has_class(element, classes!["member-signature", "type-signature"])
                || is_symbol(dom, element)
                || is_declaration(dom, element)
        }
        Tag::Table => dom.has_class(element, classes!["crayon-table"]),
        _ => false,
    }
}

/// Whether an element is the declaration of a member in Kotlin (Dokka).
pub(in crate::extract) fn is_symbol(dom: &Dom, element: DomId) -> bool {
    dom.has_class(element, classes!["symbol"]) && dom.has_class(element, classes!["monospace"])
}

/// The elements whose text is code, of an element that holds code: variants in several languages, or the code behind a head, in one `pre`.
pub(super) fn parts_of(dom: &Dom, element: DomId) -> Vec<DomId> {
    if dom.tag(element) != Some(Tag::Pre) {
        return vec![element];
    }
    let parts: Vec<DomId> = dom.children(element).filter(|id| dom.tag(*id) == Some(Tag::Code)).collect();
    if parts.len() > 1 && parts.iter().all(|part| is_code_variant(dom, *part)) {
        return parts;
    }
    match headed(dom, element) {
        Some(code) => vec![code],
        None => vec![element],
    }
}

/// The code of a `pre` that begins with a head of a few words in an element of its own.
fn headed(dom: &Dom, pre: DomId) -> Option<DomId> {
    /// Elements that are looked at for the code.
    const ELEMENTS_MAX: usize = 24;
    /// Bytes of a head.
    const HEAD_BYTES_MAX: usize = 40;
    let first = dom.children(pre).find(|id| dom.text(*id).is_none_or(|text| !text.trim().is_empty()))?;
    if dom.tag(first) != Some(Tag::Div) {
        return None;
    }
    let code = dom.descendants(pre).take(ELEMENTS_MAX).find(|id| dom.tag(*id) == Some(Tag::Code))?;
    let (all, inner) = (dom.text_content(pre).trim().len(), dom.text_content(code).trim().len());
    (inner > 0 && all - inner <= HEAD_BYTES_MAX).then_some(code)
}

/// The name of the file that code is from, where the page writes it into the code's element.
pub(super) fn file_name(dom: &Dom, element: DomId) -> Option<String> {
    if dom.tag(element) == Some(Tag::Pre) {
        return None;
    }
    let mut below = dom.descendants(element);
    let name = below.find(|id| dom.tag(*id) == Some(Tag::Span) && dom.has_class(*id, classes!["filename"]))?;
    let name = dom.text_content(name).trim().to_owned();
    (!name.is_empty()).then_some(name)
}

/// The text below `element`, white space to the letter.
pub(super) fn text_of(dom: &Dom, element: DomId) -> String {
    if let Some(text) = listing::text_of(dom, element) {
        return text;
    }
    let mut code = String::new();
    // The elements around the present node that begin lines of their own.
    let mut lines: Vec<DomId> = Vec::new();
    // Where numbers of lines stood.
    let mut numbers: Vec<usize> = Vec::new();
    let is_pre = |id: &DomId| dom.tag(*id) == Some(Tag::Pre);
    let mut at = dom.first_child(element);
    while let Some(node) = at {
        let is_passed = is_beside(dom, node);
        if let Some(text) = dom.text(node) {
            let is_to_the_letter = is_pre(&element) || lines.iter().any(is_pre);
            if !parts_lines(dom, node, text, is_to_the_letter) {
                indent(dom, &lines, &mut code);
                code.push_str(text);
            }
        } else if dom.tag(node) == Some(Tag::Br) {
            code.push('\n');
        } else if !is_passed && is_line(dom, node) {
            begin_line(&mut code);
            lines.push(node);
        }
        if is_passed && numbers.last() != Some(&code.len()) && is_number_of_line(dom, node) {
            numbers.push(code.len());
        }
        let below = if is_passed { None } else { dom.first_child(node) };
        at = below.or_else(|| {
            let next = dom.following_after(node, element);
            let parent = next.and_then(|next| dom.parent(next));
            // The lines that end before what follows.
            while lines.last().is_some_and(|line| next.is_none() || !is_within(dom, parent, *line, element)) {
                lines.pop();
                begin_line(&mut code);
            }
            next
        });
    }
    cleaned(&without_blanks(code, &numbers))
}

/// Deepest lists of lines that are set in further than those around them.
const DEPTH_MAX: usize = 16;

/// Begins a line of lists within each other as it is seen.
fn indent(dom: &Dom, lines: &[DomId], code: &mut String) {
    let is_entry = |line: &&DomId| {
        dom.tag(**line) == Some(Tag::Li) && dom.parent(**line).is_some_and(|list| dom.tag(list) == Some(Tag::Ul))
    };
    if code.is_empty() || code.ends_with('\n') {
        let depth = lines.iter().filter(is_entry).count().min(DEPTH_MAX);
        code.extend(std::iter::repeat_n("  ", depth));
    }
}

/// Whether white space stands between lines or cells of code, which begin lines by themselves.
fn parts_lines(dom: &Dom, node: DomId, text: &str, is_to_the_letter: bool) -> bool {
    let is_between = || {
        let tags = |id: Option<DomId>| id.and_then(|id| dom.tag(id));
        let of_table = matches!(tags(dom.parent(node)), Some(Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tr));
        let beside = [dom.previous_sibling(node), dom.next_sibling(node)];
        of_table || (!is_to_the_letter && beside.into_iter().flatten().any(|id| is_line(dom, id)))
    };
    text.trim().is_empty() && is_between()
}

/// Code without the blank behind each number of a line, where one stands behind all of them that have code behind them.
fn without_blanks(code: String, numbers: &[usize]) -> String {
    let blank = |at: usize| code[at..].chars().next().filter(|next| matches!(next, ' ' | '\u{a0}'));
    let has_code = |at: usize| !code[at..].is_empty() && !code[at..].starts_with('\n');
    if numbers.is_empty() || numbers.iter().any(|at| blank(*at).is_none() && has_code(*at)) {
        return code;
    }
    let (mut bare, mut from) = (String::with_capacity(code.len()), 0);
    for at in numbers {
        if let Some(blank) = blank(*at) {
            bare.push_str(&code[from..*at]);
            from = *at + blank.len_utf8();
        }
    }
    bare + &code[from..]
}

fn is_within(dom: &Dom, node: Option<DomId>, line: DomId, root: DomId) -> bool {
    std::iter::successors(node, |id| dom.parent(*id)).take_while(|id| *id != root).any(|id| id == line)
}

fn begin_line(code: &mut String) {
    if !code.is_empty() && !code.ends_with('\n') {
        code.push('\n');
    }
}

fn is_line(dom: &Dom, node: DomId) -> bool {
    match dom.tag(node) {
        Some(Tag::Div | Tag::P | Tag::Li | Tag::Dt | Tag::Dd | Tag::Tr | Tag::Pre) => true,
        // Lines by style alone: nothing stands between them.
        Some(Tag::Span | Tag::Code) => {
            let is_marked = |id: DomId| dom.has_class(id, classes!["line", "code-line"]);
            is_marked(node) && dom.next_sibling(node).is_some_and(is_marked)
        }
        _ => false,
    }
}

fn is_beside(dom: &Dom, node: DomId) -> bool {
    let Some(tag) = dom.tag(node) else { return false };
    tag == Tag::Button
        || (display(dom, node, tag) == Display::Dropped && tag != Tag::Noscript)
        || (tag == Tag::Summary && is_switch(dom, node))
        || (tag != Tag::Code && (dom.has_class(node, BESIDES) || is_number_of_line(dom, node)))
        || (matches!(tag, Tag::Td | Tag::Th) && is_gutter(dom, node) && !dom.has_class(node, classes!["lntd"]))
}

/// Whether an element is the number of a line, by its class, or by a style that keeps it from being copied (Chroma without classes).
pub(super) fn is_number_of_line(dom: &Dom, element: DomId) -> bool {
    /// What Chroma wrote before it had `user-select`.
    const PADDING: &str = "margin-right:0.4em;padding:0 0.4em 0 0.4em";
    let is_apart = |style: &str| {
        ["user-select:none", "user-select: none", PADDING].iter().any(|part| style.contains(part))
            && dom.first_child(element).and_then(|id| dom.text(id)).is_some_and(|text| {
                let number = text.trim();
                !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
            })
    };
    dom.has_class(element, NUMBERS)
        || (dom.tag(element) == Some(Tag::Span) && dom.attribute(element, AttributeName::Style).is_some_and(is_apart))
}

/// Without carriage returns and invisible characters, without empty lines at both ends, and without the numbers of its lines.
fn cleaned(code: &str) -> String {
    let code = code.trim_end();
    let start =
        code.find(|c: char| !c.is_whitespace()).map_or(0, |word| code[..word].rfind('\n').map_or(0, |at| at + 1));
    let unseen = |c: char| matches!(c, '\r' | '\u{200b}' | '\u{feff}');
    let code = without_numbers(&code[start..]);
    if code.contains(unseen) || code.contains('\u{a0}') {
        return code.chars().filter(|c| !unseen(*c)).map(|c| if c == '\u{a0}' { ' ' } else { c }).collect();
    }
    code.into_owned()
}

/// Code whose lines all begin with their numbers from 1 on and a blank that does not break, as DocBook's DSSSL writes them, without these.
/// Numbers in front of plain blanks stay: text may speak of them, and they may be what a program printed.
fn without_numbers(code: &str) -> Cow<'_, str> {
    let lines = (1..).zip(code.lines());
    let bare = lines.map(|(number, line): (usize, &str)| {
        let (written, rest) = line.split_once('\u{a0}').unwrap_or((line, ""));
        (written.len() >= NUMBER_WIDTH_MIN && written.trim_start().parse() == Ok(number)).then_some(rest)
    });
    match bare.collect::<Option<Vec<&str>>>() {
        Some(bare) if code.contains('\u{a0}') => bare.join("\n").trim_end().trim_start_matches('\n').to_owned().into(),
        _ => code.into(),
    }
}
