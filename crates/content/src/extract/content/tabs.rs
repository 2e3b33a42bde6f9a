//! Panels that are shown one at a time, each below its label: the label stands above its panel.

use super::classes::class;
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Class names of panels (Material for MkDocs, Bootstrap, Sphinx Design, Asciidoctor).
const PANELS: &ClassNames = classes!["tabbed-block", "tab-pane", "sd-tab-content", "tabpanel"];

/// Class names of what holds the labels.
const LABELS: &ClassNames = classes!["tabbed-labels", "nav-tabs", "tabs", "tablist"];

/// Elements that are looked at for labels or a panel.
const NODES_MAX: usize = 128;

/// Siblings that are looked at.
const SIBLINGS_MAX: usize = 64;

/// Siblings behind a list of labels in which a panel is looked for, and elements of each.
const BEHIND_MAX: usize = 4;
const BEHIND_NODES_MAX: usize = 32;

/// Nodes at the beginning of an element before a panel among which the list of labels is looked for.
const LIST_NODES_MAX: usize = 4;

/// Characters of a label; longer texts are none.
const LABEL_CHARS_MAX: usize = 60;

/// The label of a panel, if the element is one among several.
pub(super) fn label(dom: &Dom, element: DomId) -> Option<String> {
    if !is_panel(dom, element) {
        return None;
    }
    let text = match labels_before(dom, element) {
        Labels::One(label) => dom.text_content(label),
        Labels::List(list) => {
            let around = dom.parent(element)?;
            let panels: Vec<DomId> = dom.children(around).filter(|id| is_panel(dom, *id)).take(SIBLINGS_MAX).collect();
            let labels = labels_of(dom, list);
            if panels.len() < 2 || labels.len() != panels.len() {
                return None;
            }
            dom.text_content(labels[panels.iter().position(|id| *id == element)?])
        }
        Labels::None => return None,
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty() && text.chars().count() <= LABEL_CHARS_MAX).then_some(text)
}

/// Whether an element holds the labels of panels behind it, which stand above these.
pub(super) fn is_label_list(dom: &Dom, element: DomId) -> bool {
    if has_class_of_tabs(dom, element, classes!["sd-tab-label"]) {
        return true;
    }
    holds_labels(dom, element) && {
        let behind = |id| std::iter::successors(dom.next_sibling(id), |id| dom.next_sibling(*id)).take(BEHIND_MAX);
        let behind = behind(element).chain(dom.parent(element).into_iter().flat_map(behind));
        let mut panels =
            behind.flat_map(|id| dom.descendants(id).take(BEHIND_NODES_MAX)).filter(|id| is_panel(dom, *id));
        panels.next().is_some_and(|panel| {
            // What holds labels and panels is no list, whatever stands behind it.
            let is_list = matches!(labels_before(dom, panel), Labels::List(list) if list == element);
            is_list && label(dom, panel).is_some()
        })
    }
}

/// Whether one of the element's class names is among `names`, which have `tab` in them, and that in small letters.
fn has_class_of_tabs(dom: &Dom, element: DomId, names: &ClassNames) -> bool {
    dom.has_class(element, names) && class(dom, element).contains("tab")
}

fn holds_labels(dom: &Dom, element: DomId) -> bool {
    has_class_of_tabs(dom, element, LABELS) || dom.attribute(element, AttributeName::Role) == Some("tablist")
}

fn is_panel(dom: &Dom, element: DomId) -> bool {
    has_class_of_tabs(dom, element, PANELS)
        || (class(dom, element).starts_with("language-") && is_in_code_group(dom, element))
        || dom.attribute(element, AttributeName::Role) == Some("tabpanel")
}

/// Whether code is one among several of VitePress.
fn is_in_code_group(dom: &Dom, element: DomId) -> bool {
    let blocks = dom.parent(element).filter(|around| class(dom, *around) == "blocks");
    let group = blocks.and_then(|blocks| dom.parent(blocks));
    group.is_some_and(|group| dom.has_class(group, classes!["vp-code-group"]))
}

enum Labels {
    /// The label right before the panel.
    One(DomId),
    /// What holds the labels of all panels.
    List(DomId),
    None,
}

/// The labels before a panel, or before what holds the panels.
fn labels_before(dom: &Dom, panel: DomId) -> Labels {
    let before =
        |id: DomId| std::iter::successors(dom.previous_sibling(id), |id| dom.previous_sibling(*id)).take(SIBLINGS_MAX);
    if dom.has_class(panel, classes!["sd-tab-content"]) {
        let label = before(panel).find(|id| dom.tag(*id).is_some());
        return label.filter(|id| dom.tag(*id) == Some(Tag::Label)).map_or(Labels::None, Labels::One);
    }
    let around = dom.parent(panel);
    let list_in = |id: DomId| {
        let mut first = dom.descendants(id).take(LIST_NODES_MAX);
        let list = first.find(|inner| holds_labels(dom, *inner))?;
        // A list with panels of its own is that of others.
        let has_own = || dom.descendants(id).take(BEHIND_NODES_MAX).any(|inner| is_panel(dom, inner));
        (list == id || !has_own()).then_some(list)
    };
    let list = before(panel).chain(around.into_iter().flat_map(before)).find_map(list_in);
    list.map_or(Labels::None, Labels::List)
}

fn labels_of(dom: &Dom, list: DomId) -> Vec<DomId> {
    let nodes = || dom.descendants(list).skip(1).take(NODES_MAX);
    let by_role: Vec<DomId> = nodes().filter(|id| dom.attribute(*id, AttributeName::Role) == Some("tab")).collect();
    if !by_role.is_empty() {
        return by_role;
    }
    let of_tag = |tag: Tag| nodes().filter(|id| dom.tag(*id) == Some(tag)).collect::<Vec<_>>();
    [Tag::Label, Tag::Li, Tag::A, Tag::Button]
        .into_iter()
        .map(of_tag)
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}
