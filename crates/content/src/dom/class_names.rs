//! Names that classes are compared with, and a summary of an element's classes that tells at once that it has none of them.
//!
//! Dozens of rules ask each element whether it is called so or so, and nearly always it is not. So each value of `class` has [`ClassMarks`]: a
//! bit of 128 for each of its names, by the name's length and its first and last letter. Names that are asked for have such marks too,
//! made when the program is compiled. Where the two have no bit in common the element has none of the names; only else its names are
//! compared with them.

use super::class_values::ClassValue;

/// Bytes of a `class` that are read.
const CLASS_BYTES_MAX: usize = 2 << 10;

/// The beginning of a `class` that is read; elements are asked for it by all their children.
pub(super) fn read_part(class: &str) -> &str {
    if class.len() <= CLASS_BYTES_MAX { class } else { &class[..class.floor_char_boundary(CLASS_BYTES_MAX)] }
}

/// A set of class names of which some are told apart: names in it have their bit, and a few others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ClassMarks(u128);

impl ClassMarks {
    /// The marks of a `class`.
    pub(super) fn of_class(class: &str) -> Self {
        let names = class.as_bytes().split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
        Self(names.fold(0, |marks, name| marks | Self::of_name(name)))
    }

    /// The bit of a name, which is not empty, in any case.
    const fn of_name(name: &[u8]) -> u128 {
        let (first, last) = (name[0].to_ascii_lowercase() as u32, name[name.len() - 1].to_ascii_lowercase() as u32);
        let shape = first.wrapping_mul(5) ^ last.wrapping_mul(37) ^ (name.len() as u32).wrapping_mul(11);
        1 << (shape.wrapping_mul(0x9e37_79b9) >> 25)
    }
}

/// Class names that a rule knows, in lower case. [`classes!`](crate::dom::classes) makes them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClassNames {
    names: &'static [&'static str],
    marks: ClassMarks,
}

impl ClassNames {
    /// These names.
    ///
    /// # Panics
    ///
    /// If one is empty or has a capital letter: when the program is compiled, since they are constants.
    pub(crate) const fn of(names: &'static [&'static str]) -> Self {
        let mut marks = 0;
        let mut next = 0;
        while next < names.len() {
            let name = names[next].as_bytes();
            let mut at = 0;
            while at < name.len() {
                assert!(!name[at].is_ascii_uppercase(), "names are in lower case");
                at += 1;
            }
            marks |= ClassMarks::of_name(name);
            next += 1;
        }
        Self { names, marks: ClassMarks(marks) }
    }

    /// Whether one of the names in a `class` is one of these, in any case.
    #[inline]
    pub(crate) fn are_in(&self, class: &ClassValue) -> bool {
        self.marks.0 & class.marks.0 != 0 && self.are_names_in(class.text())
    }

    fn are_names_in(&self, class: &str) -> bool {
        class.split_ascii_whitespace().any(|name| self.contains(name.as_bytes()))
    }

    /// Whether a part of one of the names in a `class` is one of these, in any case: `t-navbar-head` has the part `navbar`.
    pub(crate) fn are_parts_of(&self, class: &str) -> bool {
        let ends_part = |byte: &u8| matches!(byte, b'-' | b'_') || byte.is_ascii_whitespace();
        class.as_bytes().split(ends_part).any(|part| self.contains(part))
    }

    /// Whether a name is one of these, in any case.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        !name.is_empty()
            && self.marks.0 & ClassMarks::of_name(name) != 0
            && self.names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
    }
}

/// The [`ClassNames`] of a list of names, as a constant.
macro_rules! classes {
    ($($name:literal),+ $(,)?) => {
        const { &$crate::dom::ClassNames::of(&[$($name),+]) }
    };
}
pub(crate) use classes;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::{Tag, parse};
    use crate::limits::Limits;

    fn has(class: &str, names: &ClassNames) -> bool {
        let dom = parse(&format!("<p class='{class}'>"), &Limits::default());
        dom.has_class(dom.find(Tag::P).unwrap(), names)
    }

    #[test]
    fn names_are_whole_words_in_any_case() {
        let names = classes!["note", "side-bar"];
        for class in ["note", "a Note b", "\tSIDE-BAR\n"] {
            assert!(has(class, names), "{class}");
        }
        for class in ["", "notes", "side bar", "nate", "no-te", "é"] {
            assert!(!has(class, names), "{class}");
        }
    }

    #[test]
    fn of_a_long_class_the_beginning_is_read() {
        assert!(has(&format!("{}Note", "c ".repeat(900)), classes!["note"]));
        assert!(!has(&format!("{}Note", "é ".repeat(900)), classes!["note"]));
    }

    #[test]
    fn attributes_of_a_second_body_count() {
        let dom = parse("<body><p>A<body class=note>", &Limits::default());
        assert!(dom.has_class(dom.find(Tag::Body).unwrap(), classes!["note"]));
    }
}
