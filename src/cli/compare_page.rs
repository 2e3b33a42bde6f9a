//! The comparison as a page of its own: the runs in order, with a cell for each method, the chosen one's dropped runs faint.
//!
//! The choice of a method is a row of radio buttons, and a style sheet that looks at them: nothing runs and nothing is fetched.

use std::io::Write;

use anyhow::Result;
use lopper_content::cst::{Run, RunId};
use lopper_content::document::escape_html;

use super::compare::Comparison;
use super::output::printable;

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

/// Writes the page.
pub(super) fn write(out: &mut impl Write, comparison: &Comparison<'_>) -> Result<()> {
    let url = escape_html(&printable(comparison.url));
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Compared: {url}</title>")?;
    writeln!(out, "<style>{STYLE}{}</style>\n</head>\n<body>\n<h1>{url}</h1>", style_of_choice(comparison))?;
    write_agreement(out, comparison)?;
    write_choice(out, comparison)?;
    writeln!(out, "<ol>")?;
    for (id, run) in comparison.runs() {
        write_run(out, comparison, id, run)?;
    }
    writeln!(out, "</ol>\n</body>\n</html>")?;
    Ok(())
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
fn write_agreement(out: &mut impl Write, comparison: &Comparison<'_>) -> Result<()> {
    let methods = 0..comparison.extractors.len();
    write!(out, "<table>\n<tr><th>of {} words, in per cent</th><th>kept</th>", comparison.total())?;
    for method in methods.clone() {
        write!(out, "<th><i class=\"k{method}\"></i>{}</th>", letter(method))?;
    }
    writeln!(out, "</tr>")?;
    for method in methods.clone() {
        let name = escape_html(&comparison.extractors[method].to_string());
        let mark = format!("<i class=\"k{method}\"></i>{}", letter(method));
        write!(out, "<tr><th>{mark} {name}</th><td>{}</td>", comparison.share_kept(method))?;
        for other in methods.clone() {
            write!(out, "<td>{}</td>", comparison.agreement(method, other))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</table>")?;
    Ok(())
}

fn write_choice(out: &mut impl Write, comparison: &Comparison<'_>) -> Result<()> {
    for (method, extractor) in comparison.extractors.iter().enumerate() {
        let checked = if method == 0 { " checked" } else { "" };
        let name = escape_html(&extractor.to_string());
        writeln!(
            out,
            "<input type=\"radio\" name=\"method\" id=\"m{method}\"{checked}><label for=\"m{method}\">{name}</label>"
        )?;
    }
    Ok(())
}

/// A run: a cell for every method, filled where it keeps the run; its tag; its text.
fn write_run(out: &mut impl Write, comparison: &Comparison<'_>, id: RunId, run: &Run) -> Result<()> {
    let keeps = |method: &usize| comparison.extractions[*method].kept[id];
    let classes: Vec<String> =
        (0..comparison.extractors.len()).filter(keeps).map(|method| format!("k{method}")).collect();
    write!(out, "<li class=\"{}\" title=\"{:.2}\"><span>", classes.join(" "), comparison.extractions[0].score[id])?;
    for method in 0..comparison.extractors.len() {
        let class = if keeps(&method) { format!(" class=\"k{method}\"") } else { String::new() };
        write!(out, "<i{class}></i>")?;
    }
    let tag = escape_html(comparison.tree.tag(run.item).name());
    let text = escape_html(&printable(comparison.tree.run_text(run)));
    writeln!(out, "</span><code>{tag}</code><p>{text}</p></li>")?;
    Ok(())
}

fn letter(method: usize) -> char {
    char::from(b'a' + (method % 26) as u8)
}
