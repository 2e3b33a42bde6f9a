//! The language of code, as the page names it.

use super::classes::class;
use super::code::is_symbol;
use super::furniture::is_signature_of_javadoc;
use super::scaladoc::is_declaration;
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Elements around code whose class names are asked for its language.
const LANGUAGE_LEVELS: usize = 4;

/// Class names with this beginning name a language behind it.
const PREFIXES: &[&str] = &[
    "language-",
    "lang-",
    "mw-highlight-lang-",
    "highlight-source-",
    "highlight-text-",
    "highlight-",
    "brush:",
    "ltx_lst_language_",
];

/// What stands for no language, or is not one.
const NO_LANGUAGES: &[&str] = &[
    "none",
    "text",
    "plaintext",
    "plain",
    "txt",
    "default",
    "nohighlight",
    "notranslate",
    "block",
    "highlight",
    "wrapper",
    "container",
    "toolbar",
    "wrap",
    "snippet",
    "example",
    "inline",
    "line",
    "lines",
    "box",
    "area",
    "header",
    "content",
    "body",
    "auto",
    "source",
    "switch",
    "switcher",
    "selector",
    "picker",
    "toggle",
];

/// Languages that are named by a class alone: `python hljs`, `highlight python`.
const LANGUAGES: &[&str] = &[
    "bash",
    "c",
    "clojure",
    "cmake",
    "cpp",
    "cs",
    "csharp",
    "css",
    "dart",
    "diff",
    "dockerfile",
    "elixir",
    "erlang",
    "fortran",
    "go",
    "graphql",
    "groovy",
    "haskell",
    "hcl",
    "html",
    "ini",
    "java",
    "javascript",
    "js",
    "json",
    "jsonc",
    "jsx",
    "julia",
    "kotlin",
    "kt",
    "latex",
    "lisp",
    "lua",
    "makefile",
    "matlab",
    "nginx",
    "nix",
    "objectivec",
    "ocaml",
    "perl",
    "php",
    "powershell",
    "prolog",
    "protobuf",
    "py",
    "python",
    "r",
    "rb",
    "rs",
    "ruby",
    "rust",
    "sass",
    "scala",
    "scheme",
    "scss",
    "sh",
    "shell",
    "sql",
    "swift",
    "toml",
    "ts",
    "tsx",
    "typescript",
    "vb",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zig",
];

/// Class names of elements of code that name the language beside them.
const HIGHLIGHTED: &ClassNames = classes!["highlight", "hljs", "syntaxhighlighter", "prettyprint"];

/// The language that the page names for code, in lower case.
pub(super) fn language_of(dom: &Dom, element: DomId) -> Option<String> {
    let inner = dom.children(element).filter(|child| dom.tag(*child) == Some(Tag::Code));
    if dom.has_class(element, classes!["member-signature", "type-signature"]) || is_signature_of_javadoc(dom, element) {
        return Some("java".to_owned());
    }
    if is_symbol(dom, element) {
        return Some("kotlin".to_owned());
    }
    if is_declaration(dom, element) {
        return Some("scala".to_owned());
    }
    let around = std::iter::successors(Some(element), |id| dom.parent(*id)).take(LANGUAGE_LEVELS);
    inner.chain(around).find_map(|id| named_by(dom, id))
}

fn named_by(dom: &Dom, element: DomId) -> Option<String> {
    let data = [AttributeName::DataLang, AttributeName::DataLanguage, AttributeName::DataEnlighterLanguage];
    let said = data.into_iter().filter_map(|name| dom.attribute(element, name)).find_map(language);
    let said = said.or_else(|| bare_name(dom, element)).or_else(|| brush(dom, element));
    said.or_else(|| {
        let class = class(dom, element);
        let mut words = class.split([' ', '\t', '\n', ';']).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            if word == "brush:" {
                return words.next().and_then(language);
            }
            if matches!(word, "sourceCode" | "hljs")
                && let Some(named) = words.peek().and_then(|word| language(by_prefix(word).unwrap_or(word)))
            {
                return Some(named);
            }
            if word == "src"
                && let Some(named) = words.peek().and_then(|word| word.strip_prefix("src-")).and_then(language)
            {
                return Some(named);
            }
            if let Some(named) = by_prefix(word).and_then(language) {
                return Some(named);
            }
        }
        None
    })
}

/// The language among the settings of a highlighter (Confluence): `brush: java; gutter: false`.
fn brush(dom: &Dom, element: DomId) -> Option<String> {
    let (_, behind) = dom.attribute(element, AttributeName::DataSyntaxhighlighterParams)?.split_once("brush:")?;
    behind.split(';').next().and_then(language)
}

/// A language that is named alone: by a class of what says that it is code, or by the `lang` of a `pre`.
fn bare_name(dom: &Dom, element: DomId) -> Option<String> {
    let tag = dom.tag(element);
    let is_pre = tag == Some(Tag::Pre);
    if !is_pre && tag != Some(Tag::Code) && !dom.has_class(element, HIGHLIGHTED) {
        return None;
    }
    let known = |word: &str| LANGUAGES.contains(&word).then(|| word.to_owned());
    let lang = dom.attribute(element, AttributeName::Lang).filter(|_| is_pre).and_then(known);
    lang.or_else(|| dom.class_names(element).find_map(known))
}

/// Whether a text is the name of a language, in any case.
pub(super) fn is_known_language(text: &str) -> bool {
    LANGUAGES.iter().any(|name| name.eq_ignore_ascii_case(text))
}

fn by_prefix(word: &str) -> Option<&str> {
    let rest = || ["code-", "hl-", "source-"].iter().find_map(|prefix| word.strip_prefix(prefix));
    let known = || rest().filter(|name| LANGUAGES.contains(name) || name.starts_with("ipython"));
    PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix)).or_else(known)
}

/// Whether a text names a language that is known.
pub(super) fn is_name_of_language(text: &str) -> bool {
    language(text).is_some_and(|name| LANGUAGES.contains(&name.as_str()) || matches!(&*name, "c++" | "c#" | "html"))
}

/// A name that may be one of a language.
fn language(word: &str) -> Option<String> {
    let word = word.trim().to_ascii_lowercase();
    let is_name = !word.is_empty()
        && word.len() <= 20
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "+#-._".contains(c))
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !word.contains("--");
    // What notebooks call the Python of their cells.
    let word = if matches!(&*word, "ipython" | "ipython2" | "ipython3") { "python".to_owned() } else { word };
    (is_name && !NO_LANGUAGES.contains(&word.as_str())).then_some(word)
}
