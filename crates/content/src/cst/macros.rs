//! Definitions of TeX's commands for the formulas of a page. They stand in its text, often in an element that is not shown, and a renderer of
//! formulas shows nothing of them.

use crate::dom::{AttributeName, Dom, DomId};

/// Elements around a text that are asked whether they are shown.
const LEVELS: usize = 3;

/// Bytes of a text that is looked at.
const BYTES_MAX: usize = 64 << 10;

/// What stands around formulas.
const DELIMITERS: [&str; 6] = ["$$", "$", "\\(", "\\)", "\\[", "\\]"];

/// What a command is defined by, and what follows: a name, arguments that may be missing, text.
const COMMANDS: [(&str, &[Part]); 11] = [
    ("newcommand", &[Part::Star, Part::Name, Part::Option, Part::Option, Part::Group]),
    ("renewcommand", &[Part::Star, Part::Name, Part::Option, Part::Option, Part::Group]),
    ("providecommand", &[Part::Star, Part::Name, Part::Option, Part::Option, Part::Group]),
    ("DeclareMathOperator", &[Part::Star, Part::Name, Part::Group]),
    ("newenvironment", &[Part::Group, Part::Option, Part::Option, Part::Group, Part::Group]),
    ("gdef", &[Part::Name, Part::Pattern, Part::Group]),
    ("edef", &[Part::Name, Part::Pattern, Part::Group]),
    ("def", &[Part::Name, Part::Pattern, Part::Group]),
    ("let", &[Part::Name, Part::Equals, Part::Name]),
    ("require", &[Part::Group]),
    ("global", &[]),
];

#[derive(Debug, Clone, Copy)]
enum Part {
    Star,
    Equals,
    /// `\R` or `{\R}`.
    Name,
    /// `[1]`.
    Option,
    /// `#1#2`.
    Pattern,
    /// `{…}`.
    Group,
}

/// Whether a text of a page is nothing but such definitions, between the signs of formulas or in an element that is not shown.
pub(super) fn is_macros(dom: &Dom, id: DomId, text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['$', '\\'])
        && (are_macros(text) && (DELIMITERS.iter().any(|sign| text.starts_with(sign)) || is_hidden(dom, id)))
}

fn is_hidden(dom: &Dom, id: DomId) -> bool {
    let mut around = std::iter::successors(dom.parent(id), |id| dom.parent(*id)).take(LEVELS);
    around.any(|element| {
        let style = dom.attribute(element, AttributeName::Style).unwrap_or("");
        style.split(';').filter_map(|rule| rule.split_once(':')).any(|(name, value)| {
            name.trim().eq_ignore_ascii_case("display")
                && value.trim_start().get(..4).is_some_and(|value| value.eq_ignore_ascii_case("none"))
        })
    })
}

/// Whether a text is nothing but such definitions. O(bytes).
pub(crate) fn are_macros(text: &str) -> bool {
    let mut rest = text.trim();
    if rest.len() > BYTES_MAX || !rest.starts_with(['$', '\\', '%']) {
        return false;
    }
    let mut is_some = false;
    while !rest.is_empty() {
        if let Some(behind) = DELIMITERS.iter().find_map(|sign| rest.strip_prefix(sign)) {
            rest = behind.trim_start();
        } else if rest.starts_with('%') {
            rest = rest.split_once('\n').map_or("", |(_, behind)| behind).trim_start();
        } else {
            let Some(behind) = behind_definition(rest) else { return false };
            is_some = true;
            rest = behind.trim_start();
        }
    }
    is_some
}

fn behind_definition(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\\')?;
    let length = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (name, rest) = text.split_at(length);
    let (_, parts) = COMMANDS.iter().find(|(command, _)| *command == name)?;
    parts.iter().try_fold(rest, |rest, part| part.behind(rest.trim_start()))
}

impl Part {
    /// What stands behind it at the beginning of a text; `None` where it is missing and must not be.
    fn behind(self, text: &str) -> Option<&str> {
        match self {
            Self::Star => Some(text.strip_prefix('*').unwrap_or(text)),
            Self::Equals => Some(text.strip_prefix('=').unwrap_or(text)),
            Self::Name => behind_name(text).or_else(|| behind_group(text, '{', '}')),
            Self::Option => Some(behind_group(text, '[', ']').unwrap_or(text)),
            Self::Pattern => Some(&text[text.find('{')?..]),
            Self::Group => behind_group(text, '{', '}').or_else(|| behind_name(text)),
        }
    }
}

fn behind_name(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\\')?;
    let length = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    Some(&text[length.max(text.chars().next()?.len_utf8())..])
}

fn behind_group(text: &str, left: char, right: char) -> Option<&str> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (at, sign) in text.char_indices() {
        if at == 0 && sign != left {
            return None;
        }
        if is_escaped {
            is_escaped = false;
        } else if sign == '\\' {
            is_escaped = true;
        } else if sign == left {
            depth += 1;
        } else if sign == right {
            depth -= 1;
            if depth == 0 {
                return Some(&text[at + sign.len_utf8()..]);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn definitions_are_told_from_formulas() {
        for macros in [
            r"$\newcommand{\R}{\mathbb{R}}$",
            r"\(\newcommand\abs[1]{\left|#1\right|}\) \(\def\x#1#2{#1_{#2}}\)",
            "$$\n% sets\n\\DeclareMathOperator*{\\argmax}{arg\\,max}\n\\let\\eps=\\varepsilon\n$$",
            r"\newcommand{\set}[2][x]{\{#1 : #2\}}\require{cancel}",
        ] {
            assert!(are_macros(macros), "{macros}");
        }
        for text in [
            "",
            "$",
            "$$",
            "$5",
            r"$\newcommand{\R}{\mathbb{R}} \R^n$",
            r"$\newcommand{\R}{\mathbb{R}} \R$",
            r"$\newcommand{\R}{\mathbb{R}$",
            r"\newcommand defines a command.",
            r"\def",
            r"\newcommandé{a}{b}",
            "\\",
        ] {
            assert!(!are_macros(text), "{text}");
        }
    }

    #[test]
    fn what_is_defined_for_formulas_is_no_text() {
        let text = |html: &str| {
            let limits = Limits::default();
            cst::build(&dom::parse(html, &limits), Profile::Modern, &limits).visible_text().to_owned()
        };
        let page = |macros: &str| text(&format!("{macros}<p>Let $x$ be a mill."));
        for macros in [
            r"<div style='display:none'>$\newcommand{\R}{\mathbb{R}}$</div>",
            r"<div style='margin: 0; DISPLAY: none'><p>\newcommand{\R}{\mathbb{R}}</p></div>",
            r"<p>\(\newcommand{\R}{\mathbb{R}}\)",
        ] {
            assert_eq!(page(macros), "Let $x$ be a mill.", "{macros}");
        }
        for shown in
            [r"<p>\newcommand{\R}{b}</p>", r"<code>$\newcommand{\R}{b}$</code>", "<p style='display:none'>Menu</p>"]
        {
            assert!(page(shown).lines().count() == 2, "{shown}");
        }
    }
}
