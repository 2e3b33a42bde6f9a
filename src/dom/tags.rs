//! The HTML elements that Lopper knows, as data: how each takes part in the layout and in the trees built from it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use html5ever::LocalName;

/// How an element takes part in a page's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Display {
    /// Opens a block: text before, in and after it are different runs.
    Block,
    /// Stands in a line of text.
    Inline,
    /// Breaks a line (`br`).
    Break,
    /// A rule between blocks (`hr`): ends a run, holds nothing.
    Rule,
    /// Holds no text of the page (`script`, `style`, controls that are not read).
    Dropped,
}

/// What is known of one element name.
#[derive(Debug, Clone, Copy)]
pub struct TagInfo {
    /// Name in lower case; empty for unknown elements.
    pub name: &'static str,
    /// Its part in the page's text.
    pub display: Display,
    /// Whether the CST paper (sec. V) names it as a source of an HtmlItem.
    pub paper_item: bool,
}

macro_rules! tags {
    ($($id:ident $name:literal $display:ident $paper:literal)*) => {
        /// An element name. [`Tag::Unknown`] stands for any name outside the table, [`Tag::Custom`] for names with a hyphen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, clippy::upper_case_acronyms)]
        pub enum Tag { $($id),* }

        static TAGS: &[(Tag, TagInfo)] = &[
            $((Tag::$id, TagInfo { name: $name, display: Display::$display, paper_item: $paper })),*
        ];
    };
}

tags! {
    Unknown "" Inline false
    Custom "" Inline false
    A "a" Inline false
    Abbr "abbr" Inline false
    Acronym "acronym" Inline false
    Address "address" Block false
    Applet "applet" Dropped false
    Area "area" Dropped false
    Article "article" Block false
    Aside "aside" Block false
    Audio "audio" Dropped false
    B "b" Inline false
    Base "base" Dropped false
    Bdi "bdi" Inline false
    Bdo "bdo" Inline false
    Big "big" Inline false
    Blockquote "blockquote" Block false
    Body "body" Block true
    Br "br" Break false
    Button "button" Inline false
    Canvas "canvas" Dropped false
    Caption "caption" Block false
    Center "center" Block false
    Cite "cite" Inline false
    Code "code" Inline false
    Col "col" Dropped false
    Colgroup "colgroup" Dropped false
    Data "data" Inline false
    Datalist "datalist" Dropped false
    Dd "dd" Block false
    Del "del" Inline false
    Details "details" Block false
    Dfn "dfn" Inline false
    Dialog "dialog" Block false
    Dir "dir" Block false
    Div "div" Block true
    Dl "dl" Block false
    Dt "dt" Block false
    Em "em" Inline false
    Embed "embed" Dropped false
    Fieldset "fieldset" Block false
    Figcaption "figcaption" Block false
    Figure "figure" Block false
    Font "font" Inline false
    Footer "footer" Block false
    Form "form" Block false
    Frame "frame" Dropped false
    Frameset "frameset" Block true
    H1 "h1" Block false
    H2 "h2" Block false
    H3 "h3" Block false
    H4 "h4" Block false
    H5 "h5" Block false
    H6 "h6" Block false
    Head "head" Dropped false
    Header "header" Block false
    Hgroup "hgroup" Block false
    Hr "hr" Rule false
    Html "html" Block false
    I "i" Inline false
    Iframe "iframe" Dropped false
    Img "img" Inline false
    Input "input" Dropped false
    Ins "ins" Inline false
    Kbd "kbd" Inline false
    Label "label" Inline false
    Legend "legend" Block false
    Li "li" Block false
    Link "link" Dropped false
    Main "main" Block false
    Map "map" Dropped false
    Mark "mark" Inline false
    Marquee "marquee" Block false
    Math "math" Inline false
    Menu "menu" Block false
    Meta "meta" Dropped false
    Meter "meter" Dropped false
    Nav "nav" Block false
    Nobr "nobr" Inline false
    Noembed "noembed" Dropped false
    Noframes "noframes" Block false
    Noscript "noscript" Block false
    Object "object" Dropped false
    Ol "ol" Block false
    Optgroup "optgroup" Dropped false
    Option "option" Dropped false
    Output "output" Inline false
    P "p" Block false
    Param "param" Dropped false
    Picture "picture" Inline false
    Plaintext "plaintext" Block false
    Pre "pre" Block false
    Progress "progress" Dropped false
    Q "q" Inline false
    Rp "rp" Dropped false
    Rt "rt" Inline false
    Ruby "ruby" Inline false
    S "s" Inline false
    Samp "samp" Inline false
    Script "script" Dropped false
    Search "search" Block false
    Section "section" Block false
    Select "select" Dropped false
    Small "small" Inline false
    Source "source" Dropped false
    Span "span" Inline false
    Strike "strike" Inline false
    Strong "strong" Inline false
    Style "style" Dropped false
    Sub "sub" Inline false
    Summary "summary" Block false
    Sup "sup" Inline false
    Svg "svg" Dropped false
    Table "table" Block true
    Tbody "tbody" Block false
    Td "td" Block false
    Template "template" Dropped false
    Textarea "textarea" Dropped false
    Tfoot "tfoot" Block false
    Th "th" Block false
    Thead "thead" Block false
    Time "time" Inline false
    Title "title" Dropped false
    Tr "tr" Block false
    Track "track" Dropped false
    Tt "tt" Inline false
    U "u" Inline false
    Ul "ul" Block false
    Var "var" Inline false
    Video "video" Dropped false
    Wbr "wbr" Inline false
    Xmp "xmp" Block false
}

impl Tag {
    /// Number of tags; every `Tag as usize` is below it.
    pub const COUNT: usize = TAGS.len();

    /// What is known of this tag.
    pub fn info(self) -> &'static TagInfo {
        &TAGS[self as usize].1
    }

    /// The name, `""` for unknown ones.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The tag of a number that `Tag as u8` gave.
    pub fn from_index(index: u8) -> Option<Self> {
        TAGS.get(usize::from(index)).map(|(tag, _)| *tag)
    }

    /// Heading level 1 to 6, for `h1` to `h6`.
    pub fn heading_level(self) -> Option<u8> {
        let level = (self as u8).wrapping_sub(Self::H1 as u8).wrapping_add(1);
        (1..=6).contains(&level).then_some(level)
    }

    pub(super) fn of(name: &LocalName) -> Self {
        let known = by_name().get(name).copied();
        known.unwrap_or_else(|| if name.contains('-') { Self::Custom } else { Self::Unknown })
    }
}

type NameMap = HashMap<LocalName, Tag, BuildHasherDefault<AtomHasher>>;

fn by_name() -> &'static NameMap {
    static MAP: OnceLock<NameMap> = OnceLock::new();
    MAP.get_or_init(|| {
        let named = TAGS.iter().filter(|(_, info)| !info.name.is_empty());
        named.map(|(tag, info)| (LocalName::from(info.name), *tag)).collect()
    })
}

/// Interned names carry their own hash; it is spread by one multiplication instead of being hashed again.
#[derive(Default)]
struct AtomHasher(u64);

impl Hasher for AtomHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn write_u32(&mut self, hash: u32) {
        self.0 = u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_their_tags() {
        assert_eq!(Tag::of(&LocalName::from("div")), Tag::Div);
        assert_eq!(Tag::of(&LocalName::from("relative-time")), Tag::Custom);
        assert_eq!(Tag::of(&LocalName::from("blink")), Tag::Unknown);
        for (index, (tag, info)) in TAGS.iter().enumerate() {
            assert_eq!(*tag as usize, index, "{}", info.name);
        }
    }

    #[test]
    fn heading_levels() {
        assert_eq!(Tag::H1.heading_level(), Some(1));
        assert_eq!(Tag::H6.heading_level(), Some(6));
        assert_eq!(Tag::Head.heading_level(), None);
        assert_eq!(Tag::Frameset.heading_level(), None);
    }
}
