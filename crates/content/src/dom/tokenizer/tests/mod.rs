//! The tokenizer beside html5ever's own, and both against the tree construction tests of the html5lib project.

mod html5lib;
mod whole_tree;

use std::io::Read;

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use proptest::prelude::*;
use whole_tree::WholeTree;

use super::{AttributePolicy, Tokenizer, prepare};

fn builder() -> TreeBuilder<whole_tree::Handle, WholeTree> {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    TreeBuilder::new(WholeTree::default(), options)
}

/// The tree that our tokens give, in the notation of html5lib.
fn ours(html: &str) -> String {
    let builder = builder();
    Tokenizer::new(&prepare(html), &builder, AttributePolicy::All).run();
    builder.sink.outline()
}

/// The tree that html5ever's tokens give.
fn theirs(html: &str) -> String {
    let tokenizer = html5ever::tokenizer::Tokenizer::new(builder(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.sink.outline()
}

fn check(html: &str) {
    assert_eq!(ours(html), theirs(html), "{html:?}");
}

#[test]
fn constructs_are_read_as_html5ever_reads_them() {
    let cases = [
        "a<b<c</d</",
        "<",
        "<div",
        "<div a",
        "<div a=",
        "<div a='x",
        "<p a b=c d='e' f=\"g\" h = i/>x<br/ j><p/=k>",
        "<p a=1 A=2 b&amp=3 c=&amp;d&lt e='&copy=1&copy;&notit;' =f>",
        "<a href=?x&copy=1&amp;y\u{0}z>",
        "<!-><!--><!---><!----><!--a--!>b<!--c->d--><!--e--",
        "<!---",
        "<!--x--!",
        "<!-- <!-- --> --><!x><!><?php ?></ x></>",
        "<!DOCTYPE><p>",
        "<!doctype html public 'x' \"y\"z><table>",
        "<!DOCTYPE html SYSTEM><p><table>",
        "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'><p><table>",
        "<!DOCTYPE html PUBLIC 'a>b",
        "<!DOCTYPE \u{0}HTML x>",
        "<title>a&amp;b</titles></TITLE x=1>c",
        "<textarea>\n\na</textarea><pre>\nb",
        "<style><!--</style>--></style>",
        "<script>a<!--<script>b</script>c--></script>d",
        "<script><!--></script>e<script><!--<script></script>f</script>g",
        "<script><!-- -- <script </script x>h</script>--></script>",
        "<script>i</script",
        "<plaintext>a</plaintext>\u{0}b",
        "<svg><![CDATA[a]]b]]>]]></svg><![CDATA[c]]>",
        "<svg><![CDATA[a\u{0}",
        "<math><mi>x</mi><annotation-xml encoding=text/html><p>y",
        "\u{feff}a\rb\r\nc\u{0}d&#0;&#x80;&#xFFFFFFFFF;&#;&#x;&",
        "<select><option>a<p>b</select><table>c<tr><td>d&nbsp;e",
        "<i a=1><i a=2><i a=1 b><p></i></i></i>x",
        "<\u{130}x><d\u{130}V \u{c9}=1>",
    ];
    cases.into_iter().for_each(check);
}

/// Real pages: those of `tests/quality`, or of the folder that `LOPPER_HTML_PAGES` names.
#[test]
fn pages_are_read_as_html5ever_reads_them() {
    let folder = std::env::var("LOPPER_HTML_PAGES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/quality/html").to_owned());
    let mut pages = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let mut html = Vec::new();
        let file = std::fs::File::open(entry.unwrap().path()).unwrap();
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut html).unwrap();
        let html = String::from_utf8_lossy(&html);
        assert!(ours(&html) == theirs(&html), "{}", &html[..html.floor_char_boundary(200)]);
        pages += 1;
    }
    assert!(pages > 10);
}

#[test]
fn a_tag_of_many_attributes_is_read_in_time() {
    let attributes: Vec<String> = (0..50_000).map(|number| format!("a{number}=1")).collect();
    let html = format!("<b {}>x", attributes.join(" "));
    assert!(ours(&html).contains("\"x\""));
}

/// Pieces of markup; put together at random they meet all states.
const PIECES: &[&str] = &[
    "<",
    ">",
    "</",
    "/>",
    "!",
    "<!",
    "--",
    "-",
    "<!--",
    "-->",
    "--!>",
    "?",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "\r",
    "\t",
    "\u{c}",
    "\u{0}",
    "&",
    ";",
    "#",
    "x",
    "&amp",
    "&am",
    "&lt;",
    "&notin;",
    "&copy",
    "&#x80",
    "&#0;",
    "a",
    "B",
    "é",
    "href",
    "type",
    "p",
    "div",
    "table",
    "tr",
    "td",
    "i",
    "font",
    "svg",
    "math",
    "title",
    "textarea",
    "style",
    "script",
    "select",
    "option",
    "template",
    "plaintext",
    "body",
    "html",
    "pre",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "<p>",
    "</p>",
    "<a href=",
    "<svg>",
    "</svg>",
    "<![CDATA[",
    "]]>",
    "]",
    "<!DOCTYPE",
    " html",
    " public",
    " SYSTEM",
    "1",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<b>",
    "</b>",
];

fn markup() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_markup_is_read_as_html5ever_reads_it(html in markup()) {
        prop_assert_eq!(ours(&html), theirs(&html));
    }

    #[test]
    fn attributes_left_out_do_not_change_the_tree(html in markup()) {
        let (read, all) = (builder(), builder());
        Tokenizer::new(&prepare(&html), &read, AttributePolicy::Read).run();
        Tokenizer::new(&prepare(&html), &all, AttributePolicy::All).run();
        read.sink.strip();
        all.sink.strip();
        prop_assert_eq!(read.sink.outline(), all.sink.outline());
    }
}
