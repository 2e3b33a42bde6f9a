//! The HTML elements that Lopper knows, as data: how each takes part in the layout and in the trees built from it.

use std::sync::OnceLock;

use html5ever::LocalName;
use rustc_hash::FxHashMap;

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
pub(crate) struct TagInfo {
    /// Name in lower case; empty for unknown elements.
    pub name: &'static str,
    /// Its part in the page's text.
    pub display: Display,
    /// Whether the CST paper (sec. V) names it as a source of an HtmlItem.
    pub(crate) paper_item: bool,
    /// Whether it is a container: a block of blocks, rather than a paragraph, heading, row or cell of one.
    pub container: bool,
}

macro_rules! tags {
    ($($id:ident $name:literal $display:ident $paper:literal $container:literal)*) => {
        /// An element name. [`Tag::Unknown`] stands for any name outside the table, [`Tag::Custom`] for names with a hyphen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, clippy::upper_case_acronyms)] // Each is what HTML calls so.
        pub enum Tag { $($id),* }

        static TAGS: &[(Tag, TagInfo)] = &[
            $((Tag::$id, TagInfo { name: $name, display: Display::$display, paper_item: $paper, container: $container })),*
        ];
    };
}

tags! {
    Unknown "" Inline false true
    Custom "" Inline false true
    A "a" Inline false false
    Abbr "abbr" Inline false false
    Acronym "acronym" Inline false false
    Address "address" Block false true
    Applet "applet" Dropped false false
    Area "area" Dropped false false
    Article "article" Block false true
    Aside "aside" Block false true
    Audio "audio" Dropped false false
    B "b" Inline false false
    Base "base" Dropped false false
    Bdi "bdi" Inline false false
    Bdo "bdo" Inline false false
    Big "big" Inline false false
    Blockquote "blockquote" Block false false
    Body "body" Block true true
    Br "br" Break false false
    Button "button" Inline false false
    Canvas "canvas" Dropped false false
    Caption "caption" Block false false
    Center "center" Block false true
    Cite "cite" Inline false false
    Code "code" Inline false false
    Col "col" Dropped false false
    Colgroup "colgroup" Dropped false false
    Data "data" Inline false false
    Datalist "datalist" Dropped false false
    Dd "dd" Block false false
    Del "del" Inline false false
    Details "details" Block false true
    Dfn "dfn" Inline false false
    Dialog "dialog" Block false true
    Dir "dir" Block false true
    Div "div" Block true true
    Dl "dl" Block false true
    Dt "dt" Block false false
    Em "em" Inline false false
    Embed "embed" Dropped false false
    Fieldset "fieldset" Block false true
    Figcaption "figcaption" Block false false
    Figure "figure" Block false true
    Font "font" Inline false false
    Footer "footer" Block false true
    Form "form" Block false true
    Frame "frame" Dropped false false
    Frameset "frameset" Block true true
    H1 "h1" Block false false
    H2 "h2" Block false false
    H3 "h3" Block false false
    H4 "h4" Block false false
    H5 "h5" Block false false
    H6 "h6" Block false false
    Head "head" Dropped false false
    Header "header" Block false true
    Hgroup "hgroup" Block false false
    Hr "hr" Rule false false
    Html "html" Block false false
    I "i" Inline false false
    Iframe "iframe" Dropped false false
    Img "img" Inline false false
    Input "input" Dropped false false
    Ins "ins" Inline false false
    Kbd "kbd" Inline false false
    Label "label" Inline false false
    Legend "legend" Block false false
    Li "li" Block false false
    Link "link" Dropped false false
    Main "main" Block false true
    Map "map" Dropped false false
    Mark "mark" Inline false false
    Marquee "marquee" Block false false
    Math "math" Inline false false
    Menu "menu" Block false true
    Meta "meta" Dropped false false
    Meter "meter" Dropped false false
    Nav "nav" Block false true
    Nobr "nobr" Inline false false
    Noembed "noembed" Dropped false false
    Noframes "noframes" Dropped false false
    Noscript "noscript" Block false true
    Object "object" Dropped false false
    Ol "ol" Block false true
    Optgroup "optgroup" Dropped false false
    Option "option" Dropped false false
    Output "output" Inline false false
    P "p" Block false false
    Param "param" Dropped false false
    Picture "picture" Inline false false
    Plaintext "plaintext" Block false false
    Pre "pre" Block false false
    Progress "progress" Dropped false false
    Q "q" Inline false false
    Rp "rp" Inline false false
    Rt "rt" Inline false false
    Ruby "ruby" Inline false false
    S "s" Inline false false
    Samp "samp" Inline false false
    Script "script" Dropped false false
    Search "search" Block false true
    Section "section" Block false true
    Select "select" Dropped false false
    Small "small" Inline false false
    Source "source" Dropped false false
    Span "span" Inline false false
    Strike "strike" Inline false false
    Strong "strong" Inline false false
    Style "style" Dropped false false
    Sub "sub" Inline false false
    Summary "summary" Block false false
    Sup "sup" Inline false false
    Svg "svg" Dropped false false
    Table "table" Block true true
    Tbody "tbody" Block false false
    Td "td" Block false false
    Template "template" Dropped false false
    Textarea "textarea" Dropped false false
    Tfoot "tfoot" Block false false
    Th "th" Block false false
    Thead "thead" Block false false
    Time "time" Inline false false
    Title "title" Dropped false false
    Tr "tr" Block false false
    Track "track" Dropped false false
    Tt "tt" Inline false false
    U "u" Inline false false
    Ul "ul" Block false true
    Var "var" Inline false false
    Video "video" Dropped false false
    Wbr "wbr" Inline false false
    Xmp "xmp" Block false false
    Annotation "annotation" Inline false true
    AnnotationXml "annotation-xml" Inline false true
    Maction "maction" Inline false true
    Mfenced "mfenced" Inline false true
    Mfrac "mfrac" Inline false true
    Mi "mi" Inline false true
    Mmultiscripts "mmultiscripts" Inline false true
    Mn "mn" Inline false true
    Mo "mo" Inline false true
    Mover "mover" Inline false true
    Mphantom "mphantom" Inline false true
    Mprescripts "mprescripts" Inline false true
    Mroot "mroot" Inline false true
    Ms "ms" Inline false true
    Msqrt "msqrt" Inline false true
    Msub "msub" Inline false true
    Msubsup "msubsup" Inline false true
    Msup "msup" Inline false true
    Mtable "mtable" Inline false true
    Mtext "mtext" Inline false true
    Munder "munder" Inline false true
    Munderover "munderover" Inline false true
    Semantics "semantics" Inline false true
}

impl Tag {
    /// Number of tags; every `Tag as usize` is below it.
    pub const COUNT: usize = TAGS.len();

    /// What is known of this tag.
    pub(crate) fn info(self) -> &'static TagInfo {
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

/// Other names of elements that are as good as those of the table. Those of MathML are also known with a prefix.
const ALIASES: &[(&str, Tag)] = &[("amp-img", Tag::Img)];

type NameMap = FxHashMap<LocalName, Tag>;

fn by_name() -> &'static NameMap {
    static MAP: OnceLock<NameMap> = OnceLock::new();
    MAP.get_or_init(|| {
        let named = TAGS.iter().filter(|(_, info)| !info.name.is_empty()).map(|(tag, info)| (info.name, *tag));
        let named = named.chain(ALIASES.iter().copied()).map(|(name, tag)| (LocalName::from(name), tag));
        let prefixed = TAGS.iter().filter(|(tag, _)| *tag == Tag::Math || *tag >= Tag::Annotation);
        named.chain(prefixed.map(|(tag, info)| (LocalName::from(format!("mml:{}", info.name)), *tag))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_their_tags() {
        assert_eq!(Tag::of(&LocalName::from("div")), Tag::Div);
        assert_eq!(Tag::of(&LocalName::from("relative-time")), Tag::Custom);
        assert_eq!(Tag::of(&LocalName::from("amp-img")), Tag::Img);
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
