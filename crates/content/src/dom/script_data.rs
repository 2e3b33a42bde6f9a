//! The texts of a page that only its scripts would show: a shell without words, with the data beside it (`__NEXT_DATA__`, other
//! `application/json`, objects that scripts assign as `window.state = {"…"}`, the `articleBody` of JSON-LD).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::{Display, Dom, Tag};
use crate::document::escape_html;

/// Bytes of visible text from which a page has words of its own; of a `noscript`, which may ask for scripts at length.
const VISIBLE_BYTES_MIN: usize = 250;
const NOSCRIPT_BYTES_MIN: usize = 500;

/// Words of a text in a program's data that is a page's and not a label or a notice; where writing has no blanks, two characters are one.
const DATA_WORDS_MIN: usize = 150;

/// The same of what says of itself that it is the body of an article, or has paragraphs and stands beside the page's title, of as many
/// bytes.
const BODY_WORDS_MIN: usize = 25;
const TITLE_BYTES_MIN: usize = 16;

/// The name of the text below a video (YouTube), whose every length is a page's.
const OF_VIDEO: &str = "shortDescription";

/// Objects that are looked for in a script.
const ASSIGNED_MAX: usize = 16;

/// Letters by which a text and its summary are told to begin alike.
const BEGINNING_LETTERS: usize = 60;

/// Share of letters and blanks in a text, of a hundred.
const LETTERS_MIN: usize = 70;

/// Bytes of a script; longer ones are passed over.
const SCRIPT_BYTES_MAX: usize = 4 << 20;

/// Bytes of all texts together.
const TEXT_BYTES_MAX: usize = 1 << 20;

/// Values that are looked at.
const VALUES_MAX: usize = 50_000;

/// Names of what heads the texts beside it.
const TITLES: [&str; 5] = ["title", "headline", "heading", "name", "question"];

/// How often the references of a text were escaped.
const REFERENCE_LEVELS: usize = 2;

/// Bytes of the name of a character.
const REFERENCE_BYTES_MAX: usize = 8;

/// Characters that are written by name in texts for readers.
const REFERENCES: [(&str, char); 16] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("bull", '•'),
];

/// HTML of the page's hidden texts in a `main`; `None` where it has visible ones, or no such texts.
pub(super) fn hidden_main(dom: &Dom) -> Option<String> {
    if has_words(dom) {
        return None;
    }
    let title = dom.elements().find(|id| dom.tag(*id) == Some(Tag::Title)).map(|id| dom.text_content(id));
    let mut texts = Texts { page_title: title.unwrap_or_default(), ..Texts::default() };
    for script in dom.elements().filter(|id| dom.tag(*id) == Some(Tag::Script)) {
        let source = dom.text_content(script);
        if source.len() > SCRIPT_BYTES_MAX {
            continue;
        }
        let is_linked_data = dom.is_script_of(script, "application/ld+json");
        if !is_linked_data && !dom.is_script_of(script, "application/json") {
            assigned(&source).for_each(|root| texts.read(None, &root));
            continue;
        }
        let Ok(root) = serde_json::from_str::<Value>(&source) else { continue };
        if is_linked_data { texts.read_bodies(&root) } else { texts.read(None, &root) }
    }
    (!texts.html.is_empty()).then(|| format!("<main>{}</main>", texts.html))
}

/// The objects that a script assigns, where they are JSON as they stand.
fn assigned(source: &str) -> impl Iterator<Item = Value> + '_ {
    let mut from = 0;
    let places = std::iter::from_fn(move || {
        let sign = from + source.get(from..)?.find('=')?;
        from = sign + 1;
        Some(source[from..].trim_start())
    });
    let objects = places.filter(|rest| rest.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"')));
    objects.take(ASSIGNED_MAX).filter_map(|rest| serde_json::Deserializer::from_str(rest).into_iter().next()?.ok())
}

/// Whether there is visible text of some length. Pages with words are left after their first elements.
fn has_words(dom: &Dom) -> bool {
    let (mut shown, mut offered) = (0, 0);
    for node in dom.descendants(Dom::DOCUMENT) {
        let Some(text) = dom.text(node).map(str::trim).filter(|text| !text.is_empty()) else { continue };
        let mut around = std::iter::successors(dom.parent(node), |id| dom.parent(*id)).filter_map(|id| dom.tag(id));
        let hidden = around.find(|tag| *tag == Tag::Noscript || tag.info().display == Display::Dropped);
        match hidden {
            None => shown += text.len(),
            Some(Tag::Noscript) => offered += text.len(),
            Some(_) => {}
        }
        if shown >= VISIBLE_BYTES_MIN || offered >= NOSCRIPT_BYTES_MIN {
            return true;
        }
    }
    false
}

/// Texts that were found, as HTML.
#[derive(Default)]
struct Texts {
    page_title: String,
    html: String,
    values: usize,
    seen: HashSet<String>,
}

impl Texts {
    /// The bodies of articles in JSON-LD.
    fn read_bodies(&mut self, value: &Value) {
        if self.is_full() {
            return;
        }
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.read_bodies(value)),
            Value::Object(fields) => {
                if let Some(Value::String(body)) = fields.get("articleBody") {
                    self.push(Some(fields), body, BODY_WORDS_MIN);
                }
                fields.values().for_each(|value| self.read_bodies(value));
            }
            _ => {}
        }
    }

    /// All long texts below a value of `parent`. The parser bounds the depth.
    fn read(&mut self, parent: Option<&Map<String, Value>>, value: &Value) {
        if self.is_full() {
            return;
        }
        match value {
            Value::String(text) => {
                let is_body = |fields| self.has_title_of_page(fields) && !has_longer_copy(fields, text);
                let is_titled = text.matches("</p>").nth(1).is_some() && parent.is_some_and(is_body);
                self.push(parent, text, if is_titled { BODY_WORDS_MIN } else { DATA_WORDS_MIN });
            }
            Value::Object(fields) => {
                if let Some(Value::String(text)) = fields.get(OF_VIDEO) {
                    self.push(Some(fields), text, 1);
                }
                fields.values().for_each(|value| self.read(Some(fields), value));
            }
            Value::Array(values) => match rich_text(values) {
                Some(html) => self.push(parent, &html, DATA_WORDS_MIN),
                None => values.iter().for_each(|value| self.read(parent, value)),
            },
            _ => {}
        }
    }

    /// Whether one of the fields is the page's title, or most of it: `Mills reopen` of `Mills reopen | The Daily`.
    fn has_title_of_page(&self, fields: &Map<String, Value>) -> bool {
        let mut titles = TITLES.iter().filter_map(|name| fields.get(*name)?.as_str());
        titles.any(|title| title.len() >= TITLE_BYTES_MIN && self.page_title.contains(title.trim()))
    }

    fn is_full(&mut self) -> bool {
        self.values += 1;
        self.values > VALUES_MAX || self.html.len() > TEXT_BYTES_MAX
    }

    /// Adds a text that is long enough and none of those before, below the title that stands beside it. HTML stays HTML.
    fn push(&mut self, fields: Option<&Map<String, Value>>, text: &str, words_min: usize) {
        let text = &*without_references(text.trim());
        if !is_prose(text, words_min) || !self.seen.insert(text.to_owned()) {
            return;
        }
        let title = fields.and_then(|fields| TITLES.iter().find_map(|name| fields.get(*name)?.as_str()));
        let title = title.map(|title| without_references(title.trim()));
        if let Some(title) = title.filter(|title| **title != *text && self.seen.insert(title.to_string())) {
            let level = if self.html.is_empty() { 1 } else { 2 };
            let _ = write!(self.html, "<h{level}>{}</h{level}>", escape_html(&title));
        }
        if is_html(text) {
            let _ = write!(self.html, "<div>{text}</div>");
            return;
        }
        for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
            let _ = write!(self.html, "<p>{}</p>", escape_html(paragraph).replace('\n', "<br>"));
        }
    }
}

/// Whether another text of an object begins as this one does and is longer: this one is its summary.
fn has_longer_copy(fields: &Map<String, Value>, text: &str) -> bool {
    let beginning = |text: &str| letters(text).take(BEGINNING_LETTERS).collect::<String>();
    let own = beginning(text);
    let mut others = fields.values().filter_map(Value::as_str).filter(|other| other.len() > text.len());
    others.any(|other| beginning(other) == own)
}

/// The letters and digits of a text outside of tags.
fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut is_tag = false;
    text.chars().filter(move |c| {
        is_tag = *c == '<' || is_tag && *c != '>';
        !is_tag && c.is_alphanumeric()
    })
}

/// A list of blocks that say what they are, as editors store them (Contentful, Portable Text, Slate), as HTML.
fn rich_text(blocks: &[Value]) -> Option<String> {
    let mut html = String::new();
    for block in blocks {
        let fields = block.as_object()?;
        let kind = ["nodeType", "_type", "type", "object"].iter().find_map(|name| fields.get(*name)?.as_str())?;
        let style = fields.get("style").and_then(Value::as_str).unwrap_or(kind);
        let mut words = String::new();
        push_words(block, &mut words);
        let tag = if style.starts_with("heading") || matches!(style, "h1" | "h2" | "h3" | "h4") { "h2" } else { "p" };
        let _ = write!(html, "<{tag}>{}</{tag}>", escape_html(words.trim()));
    }
    Some(html)
}

/// The words of a block's spans.
fn push_words(value: &Value, words: &mut String) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| push_words(value, words)),
        Value::Object(fields) => {
            words.extend(["text", "value"].iter().find_map(|name| fields.get(*name)?.as_str()));
            let inner = ["content", "children", "nodes", "spans", "leaves"].iter().filter_map(|name| fields.get(*name));
            inner.for_each(|inner| push_words(inner, words));
        }
        _ => {}
    }
}

/// A text that is no HTML without the character references that it was given for HTML; they may be of references again.
fn without_references(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..REFERENCE_LEVELS {
        if is_html(&text) || !text.contains('&') {
            break;
        }
        text = Cow::Owned(resolved(&text));
    }
    text
}

/// A text with its character references resolved.
fn resolved(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('&');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let reference = part.split_once(';').filter(|(name, _)| name.len() <= REFERENCE_BYTES_MAX);
        if let Some((character, rest)) = reference.and_then(|(name, rest)| Some((character(name)?, rest))) {
            out.push(character);
            out.push_str(rest);
        } else {
            out.push('&');
            out.push_str(part);
        }
    }
    out
}

/// The character that a reference names.
fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let hexadecimal = number.strip_prefix(['x', 'X']).map(|digits| u32::from_str_radix(digits, 16));
        let number = hexadecimal.unwrap_or_else(|| number.parse()).ok()?;
        return char::from_u32(number).filter(|c| !c.is_control() || c.is_whitespace());
    }
    REFERENCES.iter().find(|(known, _)| *known == name).map(|(_, character)| *character)
}

fn is_html(text: &str) -> bool {
    text.contains("</") || text.contains("<br") || text.contains("<p>")
}

/// Whether a string is meant to be read, and as long.
fn is_prose(text: &str, words_min: usize) -> bool {
    if text.starts_with(['{', '[', '/', '.', '#']) || text.starts_with("http") || text.starts_with("data:") {
        return false;
    }
    let (mut letters, mut all, mut words, mut wide) = (0, 0, 0, 0);
    let (mut is_tag, mut in_word) = (false, false);
    for c in text.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            _ if is_tag => {}
            _ => {
                all += 1;
                letters += usize::from(c.is_alphabetic() || c.is_whitespace());
                wide += usize::from(c > '\u{2e7f}');
                words += usize::from(!in_word && !c.is_whitespace());
                in_word = !c.is_whitespace();
            }
        }
    }
    words.max(wide / 2) >= words_min && letters * 100 >= all * LETTERS_MIN
}

#[cfg(test)]
mod tests {
    use crate::dom::{Dom, Tag, parse};
    use crate::limits::Limits;

    const BODY: &str = "The garden of the old manor was laid out in 1740, and its beds were planted with roses, lavender and thyme. \
        Later owners added a glass house, in which oranges and lemons were grown for the table of the house until the war came.";

    fn words(html: &str) -> String {
        let dom = parse(html, &Limits::default());
        let main = dom.descendants(Dom::DOCUMENT).find(|id| dom.tag(*id) == Some(Tag::Main));
        main.map(|main| dom.text_content(main)).unwrap_or_default()
    }

    fn shell(kind: &str, data: &str) -> String {
        format!("<title>t</title><div id=root></div><script type='{kind}'>{data}</script>")
    }

    #[test]
    fn texts_of_data_are_the_text_of_a_shell() {
        let long = format!("{BODY} {}", BODY.replace("1740", "1741")).repeat(3);
        let data = format!(
            r#"{{"props":{{"post":{{"body":"<p>{long}</p>","slug":"a-b","title":"The garden"}},"nav":[{{"label":"Home","x":"{BODY}"}}]}}}}"#
        );
        assert_eq!(words(&shell("application/json", &data)), format!("The garden{long}"));
        let linked = format!(r#"[{{"@type":"NewsArticle","headline":"The garden","articleBody":"{BODY}"}}]"#);
        assert_eq!(words(&shell("application/ld+json", &linked)), format!("The garden{BODY}"));
        let rich = format!(
            r#"{{"body":[{{"type":"heading-2","children":[{{"text":"So"}}]}},
                {{"type":"p","children":[{{"text":"{long} So "}},{{"text":"it","bold":true}},{{"text":" is."}}]}}]}}"#
        );
        assert_eq!(words(&shell("application/json", &rich)), format!("So{long} So it is."));
    }

    #[test]
    fn references_are_resolved() {
        let of = |body: &str| {
            let data = format!(r#"{{"headline":"The manor&#8217;s garden","articleBody":"{BODY} {body}"}}"#);
            words(&shell("application/ld+json", &data)).replace(BODY, "…")
        };
        let title = "The manor’s garden…";
        assert_eq!(of("It&#8217;s R&amp;D&nbsp;now"), format!("{title} It’s R&D\u{a0}now"));
        assert_eq!(of("&lt;p&gt;New.&lt;/p&gt;"), format!("{title} New."));
        assert_eq!(of("It&amp;#x2019;s"), format!("{title} It’s"));
        assert_eq!(
            of("A & B &; &unknown; &#xd800; &#0; &#99999999999;"),
            format!("{title} A & B &; &unknown; &#xd800; &#0; &#99999999999;")
        );
    }

    #[test]
    fn pages_with_words_and_data_without_are_left_alone() {
        let data = format!(r#"{{"body":"{}"}}"#, BODY.repeat(5));
        assert_ne!(words(&shell("application/json", &data)), "");
        for beside in ["<p>", "<noscript>"] {
            let page = format!("{}{beside}{}", shell("application/json", &data), BODY.repeat(5));
            assert_eq!(words(&page), "", "{beside}");
        }
        for data in [
            r#"{"a":"b"}"#.to_owned(),
            "{".to_owned(),
            format!(r#"{{"notice":"{BODY}","css":"{}"}}"#, ".a{b:c} ".repeat(200)),
        ] {
            assert_eq!(words(&shell("application/json", &data)), "", "{data}");
        }
        assert_eq!(words(&shell("text/javascript", &data)), "");
    }

    #[test]
    fn objects_that_scripts_assign_are_data() {
        let long = format!("{BODY} {}", BODY.replace("1740", "1741")).repeat(3);
        for script in [
            format!(r#"window.state = {{"story":{{"body":"{long}"}}}};"#),
            format!(r#"var a=1; if(a==2){{b()}} x.y={{ "body":"{long}"}}, c = {{"#),
        ] {
            assert_eq!(words(&shell("", &script)), long, "{script}");
        }
        let video =
            r#"var player = {"videoDetails":{"title":"The mill","shortDescription":"How it grinds.\n\nBy hand."}};"#;
        assert_eq!(words(&shell("text/javascript", video)), "The millHow it grinds.By hand.");
        assert_eq!(words(&shell("", &format!(r#"state = {{body: "{long}"}}"#))), "", "no JSON");
    }

    #[test]
    fn what_stands_beside_the_page_s_title_may_be_short() {
        let data =
            format!(r#"s = {{"title":"Mills reopen today","start":"{BODY}","text":"<p>{BODY}</p><p>{BODY}</p>"}}"#);
        let of = |title: &str| words(&shell("", &data).replace("<title>t", &format!("<title>{title}")));
        assert_eq!(of("Mills reopen today | The Daily"), format!("Mills reopen today{BODY}{BODY}"));
        assert_eq!(of("The Daily"), "");
        assert_eq!(
            words(&shell("", &data).replace("<title>t", "<title>Mills reopen today").replace("</p><p>", "")),
            ""
        );
    }
}
