//! Formulas: TeX, wherever a page has it.

use super::classes::class;
use super::marks::Marks;
use super::mathml;
use crate::cst::are_macros;
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// A formula as TeX without delimiters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    pub(super) tex: String,
    /// Whether it stands on a line of its own.
    pub(super) display: bool,
}

impl Formula {
    fn new(tex: &str, display: bool) -> Option<Self> {
        let (tex, by_delimiters) = without_delimiters(tex);
        (!tex.is_empty() && !are_macros(tex)).then(|| Self { tex: tex.to_owned(), display: display || by_delimiters })
    }
}

/// Class names of elements that hold a formula rendered, with its source.
const RENDERED: &ClassNames = classes![
    "katex",
    "katex-display",
    "katex-mathml",
    "mwe-math-element",
    "mathjax",
    "mathjax_display",
    "mjx-chtml",
    "mjx-container",
];

/// Class names of what MathJax shows in place of a script behind it.
const SHOWN: &ClassNames = classes![
    "mathjax_preview",
    "mathjax",
    "mathjax_display",
    "mathjax_svg",
    "mathjax_svg_display",
    "mathjax_chtml",
    "mathjax_error",
    "mjx-chtml",
];

/// Class names of elements whose text holds formulas between delimiters.
const MARKED: &ClassNames = classes![
    "math",
    "math-container",
    "arithmatex",
    "tex2jax_process",
    "mathjax_process",
    "math-inline",
    "math-display",
    "math-tex"
];

/// Class names of images of formulas.
const IMAGES: &ClassNames = classes![
    "math",
    "latex",
    "tex",
    "mwe-math-fallback-image-inline",
    "mwe-math-fallback-image-display",
    "mwe-math-fallback-image",
    "formulainl",
    "formuladsp",
    "equation",
    "math-image",
    "mathimage",
    "texrender",
    "ee_img",
];

/// Beside `math`, what pandoc calls a formula in a line, and one that stands alone.
const OF_PANDOC: &ClassNames = classes!["inline", "display"];

/// Bytes of a script that may set up a renderer; longer ones are programs.
const SCRIPT_BYTES_MAX: usize = 16 << 10;

/// How a page's texts mark formulas.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Delimiters {
    /// `\(…\)`, `\[…\]` and `$$…$$` everywhere.
    everywhere: bool,
    /// Single dollars, too.
    dollars: bool,
}

impl Delimiters {
    /// What the page's scripts look for; a style sheet of a renderer says that there is one.
    pub(super) fn of(dom: &Dom) -> Self {
        let mut found = Self::default();
        for script in dom.elements() {
            match dom.tag(script) {
                Some(Tag::Script) => {}
                Some(Tag::Link) => {
                    let href = dom.attribute(script, AttributeName::Href).unwrap_or("");
                    found.everywhere |= href.contains("katex.") && href.contains(".css");
                    continue;
                }
                _ => continue,
            }
            let source = dom.attribute(script, AttributeName::Src).unwrap_or("");
            let text = dom.first_child(script).and_then(|text| dom.text(text)).unwrap_or("");
            let text = if text.len() > SCRIPT_BYTES_MAX { "" } else { text };
            let is_named = names_renderer(source) || names_renderer(text);
            found.everywhere |= is_named;
            if is_named && text.contains('$') {
                let pairs =
                    ["['$', '$']", "['$','$']", "[\"$\", \"$\"]", "[\"$\",\"$\"]", "left: '$',", "left: \"$\","];
                found.dollars |= pairs.iter().any(|pair| text.contains(pair));
            }
        }
        found
    }

    /// The delimiters that count within an element with formulas.
    pub(super) fn marked(self) -> Self {
        Self { everywhere: true, ..self }
    }

    /// The first formula in `text`: what stands before it, the formula, what stands behind it.
    pub(super) fn split(self, text: &str) -> Option<(&str, Formula, &str)> {
        if !self.everywhere {
            return None;
        }
        let mut from = 0;
        while let Some(at) = text[from..].find(['\\', '$']).map(|at| from + at) {
            let rest = &text[at..];
            if let Some(length) = environment(rest)
                && let Some(formula) = Formula::new(&rest[..length], true)
            {
                return Some((&text[..at], formula, &rest[length..]));
            }
            let pairs = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true), ("$", "$", false)];
            let pair = pairs.into_iter().find(|(left, _, _)| rest.starts_with(left));
            let may_be = |left: &str| left != "$" || self.dollars || are_around_all(text);
            if let Some((left, right, display)) = pair.filter(|(left, _, _)| may_be(left))
                && let Some(length) = end_of(&rest[left.len()..], right)
                && let Some(formula) = Formula::new(&rest[left.len()..left.len() + length], display)
            {
                return Some((&text[..at], formula, &rest[left.len() + length + right.len()..]));
            }
            // An escaped sign is none.
            let step = if rest.starts_with("\\$") { 2 } else { pair.map_or(1, |(left, _, _)| left.len()) };
            from = at + step;
        }
        None
    }
}

/// Whether single dollars stand around all of a text, and nowhere else: in an element of its own that is a formula (Documenter).
fn are_around_all(text: &str) -> bool {
    let inner = text.trim().strip_prefix('$').and_then(|text| text.strip_suffix('$'));
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains('$'))
}

/// Environments that a renderer reads without delimiters.
const ENVIRONMENTS: &[&str] = &["equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign"];

/// Bytes of the environment that `text` begins with.
fn environment(text: &str) -> Option<usize> {
    let name = text.strip_prefix("\\begin{")?;
    let name = &name[..name.find('}').filter(|length| *length <= 16)?];
    if !ENVIRONMENTS.contains(&name.trim_end_matches('*')) {
        return None;
    }
    let end = format!("\\end{{{name}}}");
    Some(text[..text.floor_char_boundary(TEX_BYTES_MAX)].find(&end)? + end.len())
}

/// Whether a script's address or text names a renderer of formulas.
fn names_renderer(text: &str) -> bool {
    let found = |name: &str| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    found("katex") || (found("ath") && (found("MathJax") || found("mathjax") || found("renderMathInElement")))
}

/// Bytes of a formula in a text.
const TEX_BYTES_MAX: usize = 20_000;

fn end_of(text: &str, right: &str) -> Option<usize> {
    let text = &text[..text.floor_char_boundary(TEX_BYTES_MAX)];
    let mut from = 0;
    loop {
        let at = from + text[from..].find(right)?;
        let is_escaped = right.starts_with('$') && text[..at].ends_with('\\');
        let is_price = right == "$" && text[..at].contains("\n\n");
        if !is_escaped {
            return (!is_price).then_some(at);
        }
        from = at + right.len();
    }
}

/// Whether the element may be a formula or hold some, by its class names.
pub(super) fn may_concern(dom: &Dom, element: DomId, tag: Tag) -> bool {
    if matches!(tag, Tag::Math | Tag::Custom) {
        return true;
    }
    let is_called_so = || [RENDERED, SHOWN, MARKED].iter().any(|names| dom.has_class(element, names));
    matches!(tag, Tag::Span | Tag::Div | Tag::P)
        && is_called_so()
        && ["ath", "tex", "jx", "mwe"].iter().any(|part| class(dom, element).contains(part))
}

/// Whether the element's text holds formulas between delimiters.
pub(super) fn is_marked(dom: &Dom, element: DomId) -> bool {
    let is_in_small_letters = |class: &str| class.contains("ath") || class.contains("tex");
    dom.has_class(element, MARKED) && is_in_small_letters(class(dom, element))
}

/// The formula that an element is, with everything below it.
pub(super) fn of_element(dom: &Dom, element: DomId, tag: Tag) -> Option<Formula> {
    match tag {
        Tag::Math => of_math(dom, element, false),
        Tag::Span if dom.has_class(element, classes!["math"]) && dom.has_class(element, OF_PANDOC) => {
            of_pandoc(dom, element)
        }
        Tag::Custom if dom.has_class(element, classes!["js-inline-math", "js-display-math"]) => {
            Formula::new(&dom.text_content(element), dom.has_class(element, classes!["js-display-math"]))
        }
        Tag::Span | Tag::Div | Tag::P | Tag::Custom if may_be_rendered(dom, element, tag) => {
            let display = dom.has_class(element, classes!["katex-display", "mathjax_display"])
                || dom.attribute(element, AttributeName::Display) == Some("true");
            let math = dom.descendants(element).find(|id| dom.tag(*id) == Some(Tag::Math))?;
            of_math(dom, math, display)
        }
        _ => None,
    }
}

/// The formula of an element about whose text nothing was decided, or that it is none, where the words around it are kept: what MathJax
/// wrote has a text for those who do not see it, which stands in no line.
pub(super) fn unjudged(dom: &Dom, marks: &Marks, element: DomId, tag: Tag) -> Option<Formula> {
    let formula = if tag == Tag::Custom { of_element(dom, element, tag) } else { None };
    formula.filter(|_| marks.surroundings_are_kept(dom, element))
}

/// The formula of a span that has it as text, with delimiters or without (pandoc, for KaTeX).
fn of_pandoc(dom: &Dom, span: DomId) -> Option<Formula> {
    let text = dom.first_child(span).filter(|text| dom.next_sibling(*text).is_none())?;
    Formula::new(dom.text(text)?, dom.has_class(span, classes!["display"]))
}

fn may_be_rendered(dom: &Dom, element: DomId, tag: Tag) -> bool {
    (tag == Tag::Custom && holds_math(dom, element)) || dom.has_class(element, RENDERED)
}

/// Whether MathML is among the first elements of a custom one, or the only thing in one of its children.
fn holds_math(dom: &Dom, element: DomId) -> bool {
    /// Elements that are looked at.
    const FIRST: usize = 4;
    let is_math = |id: DomId| dom.tag(id) == Some(Tag::Math);
    dom.descendants(element).take(FIRST).any(is_math)
        || dom.children(element).take(FIRST).filter_map(|child| dom.first_child(child)).any(is_math)
}

/// The source of MathML: its annotation, or its alternative text; else what its elements say.
fn of_math(dom: &Dom, math: DomId, display: bool) -> Option<Formula> {
    let display = display || dom.attribute(math, AttributeName::Display) == Some("block");
    let is_tex = |id: &DomId| {
        dom.attribute(*id, AttributeName::Encoding)
            .is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    };
    let annotation = dom.descendants(math).find(is_tex).map(|annotation| dom.text_content(annotation));
    let text = annotation.filter(|text| !text.trim().is_empty());
    let text = text.or_else(|| dom.attribute(math, AttributeName::Alttext).map(str::to_owned));
    let text = text.or_else(|| mathml::tex(dom, math))?;
    Formula::new(&text, display)
}

/// The formula of a `script type=math/tex`.
pub(super) fn of_script(dom: &Dom, script: DomId) -> Option<Formula> {
    let kind = dom.attribute(script, AttributeName::Type)?.trim().to_ascii_lowercase();
    let options = kind.strip_prefix("math/tex")?;
    Formula::new(&dom.text_content(script), options.contains("display"))
}

/// Whether the element is what MathJax made of a script behind it.
pub(super) fn is_shown_script(dom: &Dom, element: DomId) -> bool {
    /// Siblings that are looked at.
    const SIBLINGS: usize = 4;
    if !dom.has_class(element, SHOWN) {
        return false;
    }
    let behind = std::iter::successors(dom.next_sibling(element), |id| dom.next_sibling(*id)).take(SIBLINGS);
    behind.filter(|id| dom.tag(*id) == Some(Tag::Script)).any(|script| of_script(dom, script).is_some())
}

/// The formula that an image shows, by its alternative text.
pub(super) fn of_image(dom: &Dom, image: DomId) -> Option<Formula> {
    let alt = dom.attribute(image, AttributeName::Alt)?.trim();
    let is_delimited = without_delimiters(alt).0.len() < alt.len() && alt.len() > 2;
    let source = dom.attribute(image, AttributeName::Src).unwrap_or("");
    let by_source = || {
        ["latex.php?", "latex.codecogs.com", "/math/render/", "/latex/", "_images/math/", "tex.cgi?", "chart?cht=tx"]
            .iter()
            .any(|part| source.contains(part))
    };
    if alt.is_empty()
        || !(is_delimited || alt.starts_with("{\\displaystyle") || dom.has_class(image, IMAGES) || by_source())
    {
        return None;
    }
    let in_block = dom.parent(image).is_some_and(|parent| {
        dom.has_class(parent, classes!["math", "formuladsp", "displaymath", "equation"])
            || dom.parent(parent).is_some_and(|around| dom.tag(around) == Some(Tag::Div) && is_marked(dom, around))
    });
    let display = dom.has_class(image, classes!["mwe-math-fallback-image-display", "formuladsp"])
        || (dom.has_class(image, classes!["math"]) && dom.has_class(image, classes!["display"]))
        || (in_block && dom.parent(image).is_some_and(|parent| matches!(dom.tag(parent), Some(Tag::Div | Tag::P))));
    Formula::new(alt, display)
}

/// What stands around TeX, and whether it is a display.
const DELIMITERS: [(&str, &str, bool); 6] = [
    ("\\begin{displaymath}", "\\end{displaymath}", true),
    ("\\begin{math}", "\\end{math}", false),
    ("\\(", "\\)", false),
    ("\\[", "\\]", true),
    ("$$", "$$", true),
    ("$", "$", false),
];

/// TeX without the delimiters around it, and whether these are of a display.
fn without_delimiters(tex: &str) -> (&str, bool) {
    let mut tex = tex.trim();
    let mut display = false;
    for (left, right, displays) in DELIMITERS {
        if tex.len() >= left.len() + right.len()
            && let Some(inner) = tex.strip_prefix(left).and_then(|tex| tex.strip_suffix(right))
        {
            tex = inner.trim();
            display |= displays;
        }
    }
    (tex, display)
}
