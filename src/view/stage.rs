//! What stands around the page: the choice of methods, the slider, the frame, the tree.

use maud::{Markup, html};

use super::tree::tree;
use super::{Choice, Kept, Shown, Verdicts, Viewed, frame_document};
use crate::markup::{finished, json};

/// The words of the run that the reader came for.
const FOUND_HINT: &str =
    "The block that you came for is marked. Point at a part of the page, or tap it, to see what speaks for it.";
const HINT: &str = "Point at a part of the page, or tap it, to see what speaks for it.";

/// Where the page itself is.
pub(crate) enum Place<'a> {
    /// At an address of its own.
    At(String),
    /// In the page around it.
    Inline,
    /// Nowhere; this stands in its place.
    Missing(&'a Markup),
}

/// How other choices can be asked for without a script.
pub(crate) enum Action<'a> {
    /// At an address of its own.
    Get(&'a str),
    /// By sending the page again, which is stored nowhere: where to, its address and its HTML.
    Send { to: &'a str, url: Option<&'a str>, html: &'a str },
    /// Not at all.
    None,
}

/// All that is shown of a page below its title.
pub(crate) struct Stage<'a> {
    pub(crate) viewed: &'a Viewed<'a>,
    pub(crate) shown: &'a Shown,
    pub(crate) place: Place<'a>,
    pub(crate) verdicts: &'a Verdicts,
    /// How other choices can be asked for without a script.
    pub(crate) action: Action<'a>,
}

/// The choices, the page and its tree.
pub(crate) fn stage(stage: &Stage<'_>) -> Markup {
    let Stage { viewed, shown, .. } = stage;
    let first = viewed.kept(shown.first);
    let second = shown.second.map(|second| viewed.kept(second));
    html! {
        (dial(stage, &first, second.as_ref()))
        div.stage {
            (screen(stage))
            div.beside {
                section.detail aria-live="polite" aria-label="What speaks for it" {
                    p.hint { @if shown.block.is_some() { (FOUND_HINT) } @else { (HINT) } }
                }
                h2 #parts { "Its parts" }
                (tree(viewed, &first))
            }
        }
        (json("verdicts", stage.verdicts))
    }
}

/// The choice of who says what is kept.
fn dial(stage: &Stage<'_>, first: &Kept, second: Option<&Kept>) -> Markup {
    let Stage { viewed, shown, .. } = stage;
    let has_body = viewed.parsed().is_some();
    let is_offered = |choice: &Choice| {
        (has_body || !choice.needs_body())
            && (viewed.stored.judged.is_some() || !matches!(choice, Choice::Judge { .. }))
    };
    let choices: Vec<Choice> = Choice::all().filter(is_offered).collect();
    let (method, action, enctype) = match stage.action {
        Action::Get(at) => ("get", Some(at), None),
        Action::Send { to, .. } => ("post", Some(to), Some("multipart/form-data")),
        Action::None => ("get", None, None),
    };
    html! {
        form.dial method=(method) action=[action] enctype=[enctype] {
            @if let Some(block) = shown.block { input type="hidden" name="block" value=(block); }
            fieldset.methods {
                legend { "Kept by" }
                @for choice in &choices {
                    @let is_chosen = choice.name() == shown.first.name();
                    label {
                        input type="radio" name="method" value=(choice.name()) checked[is_chosen];
                        span { (choice.label()) }
                    }
                }
            }
            div.knobs {
                (slider(shown))
                label.select {
                    span { "Compare with" }
                    select name="beside" {
                        option value="" selected[shown.second.is_none()] { "nothing" }
                        @for choice in &choices {
                            @let is_chosen = shown.second.is_some_and(|second| second.name() == choice.name());
                            option value=(choice.name()) selected[is_chosen] { (choice.label()) }
                        }
                    }
                }
                (shares(viewed, first, second))
                (show(&stage.action))
            }
        }
    }
}

/// What asks for the choice without a script.
fn show(action: &Action<'_>) -> Markup {
    html! {
        @match action {
            Action::Get(_) => button.show { "Show" },
            Action::Send { url, html, .. } => noscript {
                @if let Some(url) = url { input type="hidden" name="url" value=(url); }
                textarea name="html" hidden { "\n" (html) }
                button.show { "Show" }
            },
            Action::None => {},
        }
    }
}

fn slider(shown: &Shown) -> Markup {
    let is_fixed = !matches!(shown.first, Choice::Judge { .. } | Choice::Similarity { .. });
    let least = shown.first.least();
    html! {
        label.strict {
            span { "Strictness" }
            input type="range" name="least" min="0" max="100" step="1" value=(least.unwrap_or(50)) disabled[is_fixed];
            output { @if let Some(least) = least { (least) " %" } @else { "its own" } }
        }
    }
}

fn shares(viewed: &Viewed<'_>, first: &Kept, second: Option<&Kept>) -> Markup {
    let words: u64 = viewed.words.iter().map(|words| u64::from(*words)).sum();
    html! {
        p.shares role="status" {
            span.kept-share { b { (viewed.share(|run| first[run])) " %" } " of " (words) " words kept" }
            span.agreement {
                @if let Some(second) = second {
                    "; the two agree on " b { (viewed.share(|run| first[run] == second[run])) " %" }
                }
            }
        }
    }
}

/// The page itself, or what stands in its place.
fn screen(stage: &Stage<'_>) -> Markup {
    let title = "The archived page, parts that are not kept tinted";
    html! {
        div.screen {
            @match &stage.place {
                Place::At(address) => iframe title=(title) sandbox="allow-same-origin" src=(address) {},
                Place::Inline => {
                    @if let Some(document) = frame_document(stage.viewed, stage.shown, None) {
                        iframe title=(title) sandbox="allow-same-origin" srcdoc=(finished(document)) {}
                    }
                },
                Place::Missing(instead) => (instead),
            }
        }
    }
}
