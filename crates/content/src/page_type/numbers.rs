//! What of a page can be counted.

use super::address::Address;
use super::markup::Markup;
use super::records::{Content, Records, Repetition};
use super::texts::{GROUPS, RunTexts};
use super::{Description, TypedPage};
use crate::dom::Tag;

/// Elements that are counted.
const TAGS: [(&str, Tag); 36] = [
    ("a", Tag::A),
    ("article", Tag::Article),
    ("aside", Tag::Aside),
    ("blockquote", Tag::Blockquote),
    ("button", Tag::Button),
    ("code", Tag::Code),
    ("details", Tag::Details),
    ("dt", Tag::Dt),
    ("figure", Tag::Figure),
    ("form", Tag::Form),
    ("h1", Tag::H1),
    ("h2", Tag::H2),
    ("h3", Tag::H3),
    ("h4", Tag::H4),
    ("iframe", Tag::Iframe),
    ("img", Tag::Img),
    ("input", Tag::Input),
    ("kbd", Tag::Kbd),
    ("label", Tag::Label),
    ("li", Tag::Li),
    ("main", Tag::Main),
    ("nav", Tag::Nav),
    ("option", Tag::Option),
    ("p", Tag::P),
    ("pre", Tag::Pre),
    ("script", Tag::Script),
    ("section", Tag::Section),
    ("select", Tag::Select),
    ("strong", Tag::Strong),
    ("svg", Tag::Svg),
    ("table", Tag::Table),
    ("textarea", Tag::Textarea),
    ("time", Tag::Time),
    ("tr", Tag::Tr),
    ("video", Tag::Video),
    ("custom", Tag::Custom),
];

/// Puts all numbers of a page into its description.
pub(super) fn put(numbers: &mut Description, page: &TypedPage<'_>, markup: &Markup<'_>) {
    let texts = RunTexts::of(page.tree);
    let repetition = Repetition::of(page.tree, &texts);
    put_address(numbers, page.url);
    put_head(numbers, page);
    for (name, tag) in TAGS {
        numbers.put(name, markup.count(tag).ln_1p());
    }
    put_texts(numbers, page, &texts, &repetition.page);
    put_records(numbers, LARGEST, &repetition.largest, &repetition.page);
    put_records(numbers, LONGEST, &repetition.longest, &repetition.page);
}

fn put_address(numbers: &mut Description, url: &str) {
    let address = Address::of(url);
    let last = address.last();
    numbers.put("url_segments", address.segments.len() as f32);
    numbers.put("url_hyphens", last.matches(['-', '_']).count() as f32);
    numbers.put("url_last", last.len() as f32);
    let digits = |part: &&str| part.bytes().filter(u8::is_ascii_digit).count();
    numbers.put("url_digits", address.segments.iter().map(digits).sum::<usize>() as f32);
    numbers.put("url_last_digits", digits(&last) as f32);
    numbers.flag("url_query", address.has_query);
    numbers.flag("url_year", address.has_year());
    numbers.flag("url_extension", last.contains('.'));
}

fn put_head(numbers: &mut Description, page: &TypedPage<'_>) {
    let metadata = page.metadata;
    let words = |text: &str| text.split_ascii_whitespace().count() as f32;
    numbers.put("title_words", words(&metadata.title));
    let separators = [" - ", " | ", " – ", " — ", ": "];
    numbers.put(
        "title_separators",
        separators.iter().map(|sign| metadata.title.matches(sign).count()).sum::<usize>() as f32,
    );
    numbers.put("heading_words", words(&metadata.heading));
    numbers.put("description_bytes", metadata.description.len() as f32);
    numbers.flag("author", metadata.has_declared_author);
    numbers.flag("published", metadata.has_declared_date);
    numbers.flag("site_name", !metadata.site_name.is_empty());
    numbers.put("images_named", metadata.images.len() as f32);
    numbers.put("types", metadata.structured.types.len() as f32);
}

fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn put_texts(numbers: &mut Description, page: &TypedPage<'_>, texts: &RunTexts, content: &Content) {
    let runs = page.tree.runs().len() as f32;
    numbers.put("runs", runs.ln_1p());
    numbers.put("bytes", content.bytes.ln_1p());
    numbers.put("bytes_per_run", share(content.bytes, runs));
    numbers.put("links", content.links.ln_1p());
    numbers.put("links_per_kb", share(content.links * 1000.0, content.bytes));
    numbers.put("images_per_kb", share(content.images * 1000.0, content.bytes));
    numbers.put("prices", content.prices.ln_1p());
    numbers.put("price_share", share(content.prices, runs));
    numbers.put("dates", content.dates.ln_1p());
    numbers.put("date_share", share(content.dates, runs));
    numbers.put("heading_share", share(content.headings, runs));
    numbers.put("short_share", share(texts.short, runs));
    numbers.put("link_runs", share(texts.links, runs));
    numbers.put("questions", texts.questions.ln_1p());
    numbers.put("cut", texts.cut.ln_1p());
    numbers.put("prose", texts.prose.ln_1p());
    numbers.put("prose_share", share(texts.prose_bytes, content.bytes));
    numbers.put("prose_bytes", texts.prose_bytes.ln_1p());
    numbers.put("prose_mean", share(texts.prose_bytes, texts.prose));
    numbers.put("longest_prose", texts.longest.ln_1p());
    numbers.put("before_prose", share(texts.first_prose, runs));
    for ((name, _), count) in GROUPS.iter().zip(texts.groups) {
        numbers.put(name, share(count, texts.words));
    }
}

/// Names of a stretch's numbers.
type RecordNames = [&'static str; 9];

const LARGEST: RecordNames = [
    "largest_count",
    "largest_share",
    "largest_bytes",
    "largest_links",
    "largest_images",
    "largest_prices",
    "largest_dates",
    "largest_headings",
    "largest_prose",
];

const LONGEST: RecordNames = [
    "longest_count",
    "longest_share",
    "longest_bytes",
    "longest_links",
    "longest_images",
    "longest_prices",
    "longest_dates",
    "longest_headings",
    "longest_prose_share",
];

fn put_records(numbers: &mut Description, names: RecordNames, records: &Records, page: &Content) {
    let Records { count, content } = records;
    let values = [
        count.ln_1p(),
        share(content.bytes, page.bytes),
        share(content.bytes, *count).ln_1p(),
        share(content.links, *count),
        share(content.images, *count),
        share(content.prices, *count),
        share(content.dates, *count),
        share(content.headings, *count),
        share(content.prose, *count),
    ];
    for (name, value) in names.into_iter().zip(values) {
        numbers.put(name, value);
    }
}
