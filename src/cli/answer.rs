//! The answer to a search, for people.

use std::io::Write;

use anyhow::Result;
use lopper_collection::search::{
    AsOf, BlockExplanation, BlockHit, Floor, OtherHits, PageExplanation, PageHit, PrunedPage, QueryExplanation,
    SearchResponse,
};
use lopper_index::{Facet, FieldCounts, QueryWord};

use super::output::{Style, counted, grouped, printable};

/// Characters shown of a block that stayed in a pruned page.
const PRUNED_CHARS: usize = 160;

/// Prints an answer.
pub(super) fn print_response(
    out: &mut impl Write,
    response: &SearchResponse,
    as_of: Option<AsOf>,
    style: Style,
) -> Result<()> {
    for note in &response.notes {
        writeln!(out, "{}note: {note}{}", style.dim, style.off)?;
    }
    if let Some(explanation) = &response.explanation {
        print_words(out, explanation)?;
    }
    if response.pages.is_empty() && response.total_blocks > 0 && response.coverage.is_some() {
        writeln!(out, "What was found is too little for --min-coverage.")?;
    } else if response.pages.is_empty() {
        print_nothing(out, as_of)?;
    }
    let words = response.explanation.as_ref().map_or(&[][..], |explanation| &explanation.words);
    for (index, page) in response.pages.iter().enumerate() {
        print_page(out, response.offset + index + 1, page, words, style)?;
    }
    if let Some(facets) = &response.facets {
        let facets = [
            ("host", &facets.host),
            ("language", &facets.language),
            ("year", &facets.year),
            ("type", &facets.page_type),
        ];
        facets.into_iter().try_for_each(|(name, facet)| print_facet(out, name, facet))?;
    }
    print_summary(out, response, style)
}

fn print_nothing(out: &mut impl Write, as_of: Option<AsOf>) -> Result<()> {
    match as_of {
        None => writeln!(out, "Nothing found. Try fewer or other words, without quotes and filters.")?,
        Some(time) => writeln!(
            out,
            "Nothing found as of {time}: only pages count that were captured until then. Try a later --as-of, or other words."
        )?,
    }
    Ok(())
}

fn print_summary(out: &mut impl Write, response: &SearchResponse, style: Style) -> Result<()> {
    let ms = response.duration_ms;
    let blocks = counted(response.total_blocks, "block matches", "blocks match");
    let least = if response.total_is_exact { "" } else { "at least " };
    let next = response.next_offset.map(|offset| format!(", --offset {offset} goes on")).unwrap_or_default();
    let ended = if response.is_complete { "" } else { "; the search ended before all was looked at" };
    let pages = counted(response.pages.len() as u64, "page", "pages");
    let coverage = response.coverage.map(|coverage| format!(", coverage {coverage:.2}")).unwrap_or_default();
    writeln!(out, "{}{least}{blocks}, {pages} shown{next}{coverage}, {ms:.1} ms{ended}{}", style.dim, style.off)?;
    Ok(())
}

fn print_facet(out: &mut impl Write, name: &str, facet: &Facet) -> Result<()> {
    if facet.values.is_empty() {
        return Ok(());
    }
    let values = facet.values.iter().map(|value| format!("{} {}", one_line(&value.value), grouped(value.blocks)));
    let mut values: Vec<String> = values.collect();
    if facet.other_blocks > 0 {
        values.push(format!("others {}", grouped(facet.other_blocks)));
    }
    writeln!(out, "{name:<9} {}", values.join(" · "))?;
    Ok(())
}

fn print_page(out: &mut impl Write, place: usize, page: &PageHit, words: &[QueryWord], style: Style) -> Result<()> {
    let title = if page.title.is_empty() { &page.url } else { &page.title };
    let date = page.stood_at.as_ref().or(page.captured_at.as_ref()).map_or("no date", |time| day(time));
    let last = page.last_captured_at.as_deref().map(|time| format!(", unchanged {}", day(time))).unwrap_or_default();
    writeln!(out, "{}{place}. {}{}", style.bold, one_line(title), style.off)?;
    writeln!(out, "   {}{} · {date}{last} · {}{}", style.dim, printable(&page.url), page.language, style.off)?;
    if let Some(newer) = &page.newer_capture {
        let date = newer.captured_at.as_deref().map_or("no date", day);
        writeln!(out, "   {}a newer capture may have another text: {date}{}", style.dim, style.off)?;
    }
    print_others(out, "other capture", &page.captures)?;
    print_others(out, "similar block", &page.similar)?;
    if let Some(explanation) = &page.explanation {
        print_aggregation(out, page.score, explanation)?;
    }
    for block in &page.blocks {
        print_block(out, block, words, style)?;
    }
    if let Some(pruned) = &page.pruned {
        print_pruned(out, pruned)?;
    }
    writeln!(out)?;
    Ok(())
}

fn print_others(out: &mut impl Write, name: &str, others: &OtherHits) -> Result<()> {
    if others.is_empty() {
        return Ok(());
    }
    let plural = if others.count == 1 { "" } else { "s" };
    let place = |other: &lopper_collection::search::OtherBlock| match other.captured_at.as_deref() {
        Some(time) => format!("{} ({})", printable(&other.url), day(time)),
        None => printable(&other.url),
    };
    let shown: Vec<String> = others.blocks.iter().take(3).map(place).collect();
    let more = if others.count > shown.len() { " …" } else { "" };
    writeln!(out, "   {} {name}{plural}: {}{more}", others.count, shown.join(", "))?;
    Ok(())
}

fn print_block(out: &mut impl Write, block: &BlockHit, words: &[QueryWord], style: Style) -> Result<()> {
    let path = one_line(&block.heading_path.join(" › "));
    let missing = match &block.missing_words[..] {
        [] => String::new(),
        words => format!(", without {}", printable(&words.join(", "))),
    };
    let language = block.block_language.as_ref().map_or(String::new(), |language| format!(", in {language}"));
    writeln!(out, "   [score {:.2}, similarity {:.2}{language}{missing}] {path}", block.score, block.similarity)?;
    if !block.table_head.is_empty() {
        writeln!(out, "     {}columns: {}{}", style.dim, one_line(&block.table_head), style.off)?;
    }
    let snippet = block.snippet.marked(style.mark, style.off, printable);
    for line in snippet.lines() {
        writeln!(out, "     {line}")?;
    }
    writeln!(out, "     {}{}{}", style.dim, printable(&block.locator.url), style.off)?;
    match &block.explanation {
        Some(explanation) => print_explanation(out, block, explanation, words),
        None => Ok(()),
    }
}

fn print_words(out: &mut impl Write, explanation: &QueryExplanation) -> Result<()> {
    writeln!(out, "ranking {}, sort {}", explanation.ranking, explanation.sort)?;
    writeln!(out, "  {:<20} {:>7} {:>9}  forms", "word", "idf", "page idf")?;
    for word in &explanation.words {
        let forms: Vec<String> = word.forms.iter().map(form_in_words).collect();
        let surface = one_line(&word.surface);
        writeln!(out, "  {surface:<20} {:>7.3} {:>9.3}  {}", word.idf, word.page_idf, forms.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}

fn form_in_words(form: &lopper_index::WordForm) -> String {
    // Further forms stand in the index behind a mark that is a control character.
    let term: String = form.term.chars().filter(|c| !c.is_control()).collect();
    let languages: Vec<String> = form.languages.iter().map(ToString::to_string).collect();
    let factor = if form.factor < 1.0 { format!(" × {}", form.factor) } else { String::new() };
    let languages = if languages.is_empty() { String::new() } else { format!(" ({})", languages.join(" ")) };
    format!("{term}{languages}{factor}")
}

fn print_aggregation(out: &mut impl Write, score: f32, explanation: &PageExplanation) -> Result<()> {
    let share = |block: &lopper_collection::search::BlockShare| {
        format!("{:.4} × {} (block {})", block.score, block.share, block.ordinal)
    };
    let shares: Vec<String> = explanation.blocks.iter().map(share).collect();
    writeln!(out, "   page {:.4} by {} = {}", score, explanation.documents, shares.join(" + "))?;
    Ok(())
}

fn print_explanation(
    out: &mut impl Write,
    block: &BlockHit,
    explanation: &BlockExplanation,
    words: &[QueryWord],
) -> Result<()> {
    writeln!(out, "     {:<20} {:>9} {:>8} {:>9}", "part", "evidence", "weight", "adds")?;
    for part in &explanation.parts {
        let (name, evidence, weight, adds) = (part.name, part.value, part.weight, part.contribution);
        writeln!(out, "     {name:<20} {evidence:>9.4} {weight:>8.4} {adds:>9.4}")?;
    }
    writeln!(out, "     {:<20} {:>9} {:>8} {:>9.4}", "score", "", "", block.score)?;
    print_fields(out, &explanation.fields, words)?;
    explanation.survival.iter().try_for_each(|floor| print_floor(out, floor))
}

fn print_fields(out: &mut impl Write, fields: &[FieldCounts], words: &[QueryWord]) -> Result<()> {
    for field in fields {
        let found = words.iter().zip(&field.counts).filter(|(_, count)| **count > 0.0);
        let found: Vec<String> = found.map(|(word, count)| format!("{} {count}", one_line(&word.surface))).collect();
        if !found.is_empty() {
            writeln!(out, "     in {:<17} {} of {} words", field.field, found.join(", "), field.length)?;
        }
    }
    Ok(())
}

fn print_floor(out: &mut impl Write, floor: &Floor) -> Result<()> {
    let own = &floor.own;
    let verdict = if own.kept { "kept" } else { "dropped" };
    let others: Vec<String> =
        floor.siblings.iter().map(|other| format!("{} {:.2}", other.tag, other.similarity)).collect();
    let beside = if others.is_empty() { String::new() } else { format!("; beside {}", others.join(", ")) };
    let place = if own.path.is_empty() { String::new() } else { format!(" {}", own.path) };
    let content = own.content.map_or_else(String::new, |content| format!(", content {content:.2}"));
    let similarity = own.similarity;
    writeln!(out, "     {}{place}: {verdict}, {}, similarity {similarity:.2}{content}{beside}", own.tag, own.reason)?;
    Ok(())
}

fn print_pruned(out: &mut impl Write, pruned: &PrunedPage) -> Result<()> {
    let (blocks, words) = (pruned.blocks.len(), pruned.dropped_words);
    writeln!(out, "   pruned by the query ({}): {blocks} blocks stay, {words} words go", pruned.rule)?;
    for block in &pruned.blocks {
        let text = one_line(&block.text);
        let shown: String = text.chars().take(PRUNED_CHARS).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        writeln!(out, "     {:.2} {:<30} {shown}{more}", block.similarity, block.reason)?;
    }
    Ok(())
}

/// The day of an RFC 3339 time.
fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

fn one_line(text: &str) -> String {
    printable(text).replace('\n', " ")
}
