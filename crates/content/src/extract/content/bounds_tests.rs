//! What is written grows with the page, whatever the page says of itself.

use super::tests::{content, markdown};
use crate::document::{to_html, to_markdown, to_text};

/// The longest of what is written of a page.
fn written_bytes(html: &str) -> usize {
    let document = content(html);
    to_markdown(&document).len().max(to_html(&document).len()).max(to_text(&document).len())
}

#[test]
fn tables_are_written_in_the_length_of_their_cells() {
    let wide = format!("<table><tr>{}</tr>{}</table>", "<td>h".repeat(1000), "<tr><td>c".repeat(1000));
    let spanned = format!("<table><tr><th>a<th>b<tr><td colspan=1000>{}</table>", "word ".repeat(1000));
    let many = "<table><tr><td>a<td>b<tr><td colspan=1000 rowspan=3>c<td>d</table>".repeat(50);
    for html in [wide, spanned, many] {
        let written = written_bytes(&html);
        assert!(written < html.len() * 4, "{written} bytes of {}", html.len());
    }
}

#[test]
fn a_long_cell_that_spans_is_written_once() {
    let table = |text: &str| markdown(&format!("<table><tr><th>a<th>b<tr><td colspan=2>{text}</table>"));
    assert!(table("c").ends_with("\n| c | c |\n"));
    let long = "word ".repeat(30);
    assert!(table(&long).ends_with(&format!("\n| {} |  |\n", long.trim_end())));
}

#[test]
fn addresses_are_bounded() {
    let paragraphs = "<p>Some words.</p>".repeat(500);
    let links = |html: &str| markdown(html).matches("](").count();
    assert_eq!(
        links(&format!("<a href='/{}'>{paragraphs}</a>", "x".repeat(5000))),
        0,
        "it is longer than an address is"
    );
    assert_eq!(links(&format!("<a href=/x>{paragraphs}</a>")), 256);
    assert_eq!(links(&format!("{}<a href=/x>word</a>", "<a href=/x><b>some</b> words</a> ".repeat(500))), 501);
    let base =
        |length: usize| markdown(&format!("<base href='http://b.org/{}/'><p><a href=c>word</a>", "x".repeat(length)));
    assert!(base(2000).starts_with("[word](http://b.org/xxx"));
    assert_eq!(base(5000), "[word](https://e.org/a/c)\n", "as without it");
}

#[test]
fn control_characters_are_left_out() {
    let html = "<title>Mi\u{1b}lls</title><h1>Mi\u{1b}lls</h1>\
        <p>a \u{7} b\u{9b}31mc <i>\u{1b}</i>d<a href='x\u{1}'>e\u{85}f</a>\
        <img src=i.png alt='g\u{1b}h'><code>i\u{7f}j</code><pre>k\t\u{1b}[2Jl\n\u{c}m</pre>\
        <table><tr><th>n\u{8}<th>o<tr><td>p<td>q</table>\
        <p>\\(x\u{2}\\)<math><mi>\u{3}y</mi></math><script src=mathjax.js></script>";
    let document = content(html);
    let page = crate::extract(html, &crate::ExtractOptions::default());
    let json = serde_json::to_string(&document).unwrap();
    assert!(!json.contains("\\u00"), "{json}");
    for written in
        [to_text(&document), to_markdown(&document), to_html(&document), json, page.markdown(), page.metadata.title]
    {
        let control = written.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
        assert_eq!(control, None, "{written:?}");
    }
    let text = to_text(&document);
    assert!(text.starts_with("Mills\n\na b31mc de f"), "{text:?}");
    assert!(text.contains("k\t[2Jl\nm"), "{text:?}");
}
