//! What a feature of the model is, in words.

/// Features by name.
const NAMES: [(&str, &str); 34] = [
    ("words", "its number of words"),
    ("chars", "its length"),
    ("word_length", "the length of its words"),
    ("link_share", "the share of its words in links"),
    ("links", "its number of links"),
    ("control", "whether it is a button or a menu"),
    ("bold", "how much of it is bold"),
    ("small", "how much of it is in small print"),
    ("commas", "its commas"),
    ("sentences", "its sentences"),
    ("question", "whether it asks"),
    ("prose", "how much it reads like prose"),
    ("function_words", "its small words, as “the” and “of”"),
    ("start", "how it begins"),
    ("end", "how it ends"),
    ("digits", "its digits"),
    ("capitals", "its capitals"),
    ("upper", "how much of it is in capitals"),
    ("ornaments", "its ornaments"),
    ("code_marks", "its signs of code"),
    ("currencies", "its prices"),
    ("years", "its years"),
    ("lines", "its lines"),
    ("title_words", "how many of its words the title has"),
    ("title_words_count", "how many words it has of the title"),
    ("described_pairs", "how much of it the page’s own description says"),
    ("described_pairs_count", "how much of it the page’s own description says"),
    ("copies", "how often the page says the same again"),
    ("distance", "how far it is from the main part"),
    ("headline_distance", "how far it is from the headline"),
    ("headline_words", "how many words stand between it and the headline"),
    ("depth", "how deep it is nested"),
    ("images", "its pictures"),
    ("heading_level", "its level as a heading"),
];

/// Features by how their names begin, the longer beginnings first.
const BEGINNINGS: [(&str, &str); 21] = [
    ("first_pass_before", "what stands before it"),
    ("first_pass_behind", "what follows it"),
    ("first_pass_next", "what stands next to it"),
    ("first_pass_window", "what stands around it"),
    ("first_pass_make", "what is built like it"),
    ("first_pass_block", "what else is in its block"),
    ("first_pass_kept", "what is kept around it"),
    ("first_pass_page", "the page as a whole"),
    ("first_pass", "its own text and place, at a first look"),
    ("heading_before", "the heading above it"),
    ("headed", "what its heading is over"),
    ("same_make", "how often the page repeats its like"),
    ("parent_tag", "the element around it"),
    ("grandparent_tag", "the element around it"),
    ("tag", "its element"),
    ("hint", "the names that the page gives to the parts around it"),
    ("page_", "what kind of page this is"),
    ("url_", "the page’s address"),
    ("best_", "how it stands to the page’s main part"),
    ("descent_", "how it stands to the bulk of the text"),
    ("level_", "the block around it"),
];

/// What the feature of that name looks at.
pub(super) fn in_words(feature: &str) -> String {
    let exact = NAMES.iter().find(|(name, _)| *name == feature);
    let begun = || BEGINNINGS.iter().find(|(name, _)| feature.starts_with(name));
    exact.or_else(begun).map_or_else(|| feature.replace('_', " "), |(_, words)| (*words).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_told_in_words() {
        assert_eq!(in_words("link_share"), "the share of its words in links");
        assert_eq!(in_words("level_2_link_share"), "the block around it");
        assert_eq!(in_words("first_pass_before_2"), "what stands before it");
        assert_eq!(in_words("some_new_one"), "some new one");
    }
}
