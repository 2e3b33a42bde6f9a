//! The distinct values of `class` of a page: most elements repeat one that stands on others, so what is asked of each value is worked out
//! once.

use html5ever::tendril::StrTendril;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::class_names::{ClassMarks, read_part};
use super::{Attribute, AttributeName};

/// Which of a page's values of `class` an element has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ClassId(u32);

impl ClassId {
    /// The index as a number, for arrays of what each value tells.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value of `class`.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClassValue {
    text: StrTendril,
    pub(super) marks: ClassMarks,
}

impl ClassValue {
    /// The value, as far as it is read.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// The values that were seen so far. The first is that of elements without one.
#[derive(Debug)]
pub(super) struct ClassValues {
    list: Vec<ClassValue>,
    by_hash: FxHashMap<u64, ClassId>,
}

impl Default for ClassValues {
    fn default() -> Self {
        Self { list: vec![ClassValue::default()], by_hash: FxHashMap::default() }
    }
}

impl ClassValues {
    /// The value that is among these attributes of an element.
    pub(super) fn of(&mut self, attributes: &[Attribute]) -> ClassId {
        let class = attributes.iter().find(|attribute| attribute.name == AttributeName::Class);
        class.map_or(ClassId::default(), |class| self.number(&class.value))
    }

    fn number(&mut self, class: &StrTendril) -> ClassId {
        let read = read_part(class);
        let next = ClassId(self.list.len() as u32);
        let known = *self.by_hash.entry(xxh3_64(read.as_bytes())).or_insert(next);
        if self.list.get(known.index()).is_some_and(|known| *known.text == *read) {
            return known;
        }
        // It is new, or has the hash of another.
        let text = class.subtendril(0, read.len() as u32);
        self.list.push(ClassValue { text, marks: ClassMarks::of_class(read) });
        next
    }

    pub(super) fn into_list(self) -> Vec<ClassValue> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::{Dom, parse};
    use crate::limits::Limits;

    #[test]
    fn each_value_counts_once() {
        let dom = parse("<p class='a b'>A<p>B<p class=a>C<p class='a b'>D<p class=''>E", &Limits::default());
        let paragraphs: Vec<_> =
            dom.descendants(Dom::DOCUMENT).filter(|id| dom.tag(*id) == Some(super::super::Tag::P)).collect();
        let classes: Vec<&str> = paragraphs.iter().map(|id| dom.class(*id)).collect();
        assert_eq!(classes, ["a b", "", "a", "a b", ""]);
        assert_eq!(dom.class_id(paragraphs[0]), dom.class_id(paragraphs[3]));
        assert_eq!(dom.distinct_classes().filter(|class| !class.text().is_empty()).count(), 2);
        assert_eq!(dom.distinct_classes().nth(dom.class_id(paragraphs[2]).index()).map(ClassValue::text), Some("a"));
    }

    #[test]
    fn values_with_the_same_hash_stay_apart() {
        let mut values = ClassValues::default();
        let first = values.number(&StrTendril::from("one"));
        values.by_hash.insert(xxh3_64(b"two"), first);
        let second = values.number(&StrTendril::from("two"));
        assert_ne!(first, second);
        assert_eq!(&*values.list[second.index()].text, "two");
    }
}
