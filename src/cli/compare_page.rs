//! The comparison as a page of its own: the runs in order, with a cell for each method, the chosen one's dropped runs faint.
//!
//! The choice of a method is a row of radio buttons, and a style sheet that looks at them: nothing runs and nothing is fetched.

use lopper_content::cst::{Run, RunId};
use maud::{DOCTYPE, Markup, html};

use super::compare::Comparison;

/// Shades of the cells; methods beyond them begin again.
const SHADES: [&str; 7] = ["#24613a", "#b0542c", "#2f5fa8", "#8a3f8f", "#9a7a12", "#1f7f86", "#6b6f76"];

const STYLE: &str = "
:root { color-scheme: light dark; --faint: #8883; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.1rem; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { padding: .1rem .5rem; text-align: right; }
th:first-child { text-align: left; }
input { position: absolute; opacity: 0; }
label { display: inline-block; margin: .2rem .6rem .2rem 0; padding: 0 .4rem; border: 1px solid var(--faint); cursor: pointer; }
input:checked + label { outline: 2px solid currentColor; }
input:focus-visible + label { outline: 3px solid Highlight; }
i { display: inline-block; width: .75em; height: .75em; margin-right: .15em; }
ol { list-style: none; padding: 0; }
li { display: grid; grid-template-columns: max-content 5rem 1fr; gap: .6rem; padding: .15rem 0; border-bottom: 1px solid var(--faint); }
li i { background: var(--faint); }
code { font-size: .8rem; }
p { margin: 0; white-space: pre-line; }
";

/// The page.
pub(super) fn page(comparison: &Comparison<'_>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { "Compared: " (comparison.url) }
                style { (STYLE) (style_of_choice(comparison)) }
            }
            body {
                h1 { (comparison.url) }
                (agreement(comparison))
                (choice(comparison))
                ol {
                    "\n"
                    @for (id, run) in comparison.runs() { (line(comparison, id, run)) "\n" }
                }
            }
        }
    }
}

/// For each method: its shade, and that what it drops is faint while it is chosen.
fn style_of_choice(comparison: &Comparison<'_>) -> String {
    let rule = |method: usize| {
        let shade = SHADES[method % SHADES.len()];
        format!(
            "i.k{method}, li i.k{method} {{ background: {shade}; }}\n#m{method}:checked ~ ol li:not(.k{method}) p {{ opacity: .35; }}\n"
        )
    };
    (0..comparison.extractors.len()).map(rule).collect()
}

/// What each method keeps, and how far it agrees with the others.
fn agreement(comparison: &Comparison<'_>) -> Markup {
    let methods = || comparison.extractors.iter().enumerate();
    html! {
        table {
            tr {
                th { "of " (comparison.total()) " words, in per cent" }
                th { "kept" }
                @for (method, _) in methods() { th { (mark(method)) } }
            }
            @for (method, extractor) in methods() {
                tr {
                    th { (mark(method)) " " (extractor.to_string()) }
                    td { (comparison.share_kept(method).to_string()) }
                    @for (other, _) in methods() { td { (comparison.agreement(method, other).to_string()) } }
                }
            }
        }
    }
}

/// A method's shade and letter.
fn mark(method: usize) -> Markup {
    html! { i class=(class(method)) {} (letter(method)) }
}

fn choice(comparison: &Comparison<'_>) -> Markup {
    html! {
        @for (method, extractor) in comparison.extractors.iter().enumerate() {
            @let id = format!("m{method}");
            input #(id) type="radio" name="method" checked[method == 0];
            label for=(id) { (extractor.to_string()) }
            " "
        }
    }
}

/// A run: a cell for every method, filled where it keeps the run; its tag; its text.
fn line(comparison: &Comparison<'_>, id: RunId, run: &Run) -> Markup {
    let keeps = |method: &usize| comparison.verdicts[*method].kept[id];
    let methods = 0..comparison.extractors.len();
    let classes: Vec<String> = methods.clone().filter(keeps).map(class).collect();
    html! {
        li class=(classes.join(" ")) title=(format_args!("{:.2}", comparison.verdicts[0].score[id])) {
            span {
                @for method in methods { i class=[keeps(&method).then(|| class(method))] {} }
            }
            code { (comparison.tree.tag(run.item).name()) }
            p { (comparison.tree.run_text(run)) }
        }
    }
}

/// The class of what a method keeps.
fn class(method: usize) -> String {
    format!("k{method}")
}

fn letter(method: usize) -> char {
    char::from(b'a' + (method % 26) as u8)
}
