use lopper_analysis::Language;

use super::*;
use crate::cst::{self, Profile};
use crate::dom;
use crate::judge::RunJudgement;
use crate::limits::Limits;
use crate::weigh::{NoStatistics, WeighParams, Weigher};

fn pruned(html: &str, query: &str, rule: PruneRule) -> PrunedTree {
    pruned_with(html, query, rule, &|_| 0.0)
}

/// With the template scores of blocks by their text.
fn pruned_with(html: &str, query: &str, rule: PruneRule, score: &dyn Fn(&str) -> f32) -> PrunedTree {
    let limits = Limits::default();
    let tree = cst::build(&dom::parse(html, &limits), Profile::Paper, &limits);
    let scores: Vec<f32> = tree.ids().map(|id| score(tree.subtree_text(id))).collect();
    let mut weigher = Weigher::new();
    let weighted = weigher.weigh(tree, Language::from_code("en"), &NoStatistics, WeighParams::default());
    let query = QueryVector::new(&mut weigher, &weighted, query);
    prune(weighted, query, rule, BlockEvidence { templates: &scores, ..BlockEvidence::default() })
}

/// With a judge that holds runs with `content` for content.
fn pruned_by_judge(html: &str, query: &str, rule: PruneRule) -> PrunedTree {
    pruned_by_judge_with(html, query, rule, NavigationBounds::default())
}

fn pruned_by_judge_with(html: &str, query: &str, rule: PruneRule, navigation: NavigationBounds) -> PrunedTree {
    let limits = Limits::default();
    let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
    let said = |run| {
        let kept = tree.run_text(run).contains("content");
        RunJudgement { probability: f32::from(u8::from(kept)), kept, comment: false }
    };
    let judged = JudgedRuns::new("test", tree.runs().iter().map(said));
    let mut weigher = Weigher::new();
    let weighted = weigher.weigh(tree, Language::from_code("en"), &NoStatistics, WeighParams::default());
    let query = QueryVector::new(&mut weigher, &weighted, query);
    prune(weighted, query, rule, BlockEvidence { judged: Some(&judged), navigation, ..Default::default() })
}

fn surviving(pruned: &PrunedTree) -> Vec<&str> {
    pruned.surviving_runs().map(|run| pruned.tree().run_text(run)).collect()
}

#[test]
fn links_over_the_menus_go_and_headings_with_their_lists() {
    let skips = "<p><a href=#m>Skip to content of mills</a></p><div><a href=#f>Skip to mills</a></div>";
    let text = "<h1>content of mills</h1><p>content of a mill</p>";
    let left = |html: &str, rule| surviving(&pruned_by_judge(html, "mills", rule)).join("|");
    let balanced = |html: &str| left(html, PruneRule::Balanced);
    assert_eq!(balanced(&format!("{skips}{text}")), "content of mills|content of a mill");
    assert!(left(&format!("{skips}{text}"), PruneRule::Everything).starts_with("Skip"));
    assert!(balanced(&format!("{skips}{skips}{text}")).starts_with("Skip"), "the page's contents");
    assert!(balanced(&format!("<p>content</p>{skips}{text}")).contains("Skip"));
    assert!(balanced(skips).starts_with("Skip"));
    let own = "<h1 id=m><a href=#m>content of mills</a></h1><div id=n><p><a href=#n>mills</a></p></div>";
    assert_eq!(balanced(&format!("{own}<p>content of a mill</p>")), "content of mills|mills|content of a mill");
    let list = "<ul><li><a href=a>wind</a><li><a href=b>water</a><li><a href=c>steam</a></ul>";
    let related = format!("{text}<h2>other mills</h2>{list}<h2>more mills</h2><p>content</p>");
    assert_eq!(balanced(&related), "content of mills|content of a mill|more mills|content");
}

#[test]
fn what_is_passed_over_goes_however_similar_it_is() {
    let html = "<body><div><p>mills</p><p>rivers</p></div><div>content of mills</div><p>more of mills</p>
        <p>content of a mill</p></body>";
    let limits = Limits::default();
    let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
    let said = |run| {
        let kept = tree.run_text(run).contains("content");
        RunJudgement { probability: f32::from(u8::from(kept)), kept, comment: false }
    };
    let judged = |passed_over: &[RunId]| {
        let mut judged = JudgedRuns::new("test", tree.runs().iter().map(said));
        judged.pass_over(passed_over);
        judged
    };
    let left = |passed_over: &[RunId], rule| {
        let (mut weigher, judged) = (Weigher::new(), judged(passed_over));
        let weighted = weigher.weigh(tree.clone(), Language::from_code("en"), &NoStatistics, WeighParams::default());
        let query = QueryVector::new(&mut weigher, &weighted, "mills rivers");
        let pruned = prune(weighted, query, rule, BlockEvidence { judged: Some(&judged), ..Default::default() });
        surviving(&pruned).len()
    };
    assert_eq!(left(&[], PruneRule::Balanced), 5);
    assert_eq!(left(&[0, 1], PruneRule::Balanced), 3, "a block");
    assert_eq!(left(&[3], PruneRule::Balanced), 4, "a run");
    assert_eq!(left(&[0, 1, 3], PruneRule::Everything), 5, "no judge is asked");
}

const FLOOR: &str = "<body>top<div>red sea<div>red</div></div><div>red tea sun</div><div>ink</div></body>";

#[test]
fn the_paper_keeps_the_most_similar_sibling() {
    assert_eq!(surviving(&pruned(FLOOR, "red", PruneRule::Paper)), ["top", "red sea", "red"]);
    assert_eq!(surviving(&pruned(FLOOR, "tea", PruneRule::Paper)), ["top", "red tea sun"]);
    assert_eq!(surviving(&pruned(FLOOR, "unknown", PruneRule::Paper)).len(), 5, "nothing is similar: all stay");
}

#[test]
fn similarities_and_values_by_hand() {
    // All idf are 1. First div with its child: red 2, sea 1: cos = 2 / sqrt(5). Second: 1 / sqrt(3).
    let pruned = pruned(FLOOR, "red", PruneRule::Relative { share: 0.9 });
    let floor: Vec<NodeId> = pruned.tree().child_items(ContentStructureTree::ROOT).collect();
    let similarity = |item: NodeId| pruned.decision(item).unwrap().similarity;
    assert!((similarity(floor[0]) - 2.0 / 5f32.sqrt()).abs() < 1e-6);
    assert!((similarity(floor[1]) - 1.0 / 3f32.sqrt()).abs() < 1e-6);
    assert!(similarity(floor[2]) == 0.0);
    // 1 / sqrt(3) = 0.577 is below 0.9 · 0.894, so only the first div adds to the body: top, red 2, sea 1 over the page's norm
    // sqrt(1 + 9 + 1 + 1 + 1 + 1).
    let value = pruned.element_value(ContentStructureTree::ROOT);
    assert!((value - 4.0 / 14f32.sqrt()).abs() < 1e-6, "{value}");
}

const SITE: &str = "<body><div>all mills</div><div>red tea sun moon star sky sea sand wood</div><div>ink</div></body>";

#[test]
fn what_the_site_repeats_goes_before_the_others_compete() {
    let score = |text: &str| if matches!(text, "all mills" | "ink") { 0.5 } else { 0.0 };
    let judged = pruned_with(SITE, "mills", PruneRule::Balanced, &score);
    assert_eq!(surviving(&judged), ["red tea sun moon star sky sea sand wood"]);
    let floor: Vec<NodeId> = judged.tree().child_items(ContentStructureTree::ROOT).collect();
    let decision = judged.decision(floor[0]).unwrap();
    assert_eq!((decision.reason, decision.template), (PruneReason::Template, 0.5));
    assert_eq!(judged.decision(floor[1]).unwrap().reason, PruneReason::OnlyChild);
    for rule in [PruneRule::Everything, PruneRule::Balanced] {
        let judged = pruned_with(SITE, "mills", rule, &|text| if text == "ink" { 0.49 } else { 0.0 });
        assert_eq!(surviving(&judged).len(), 3, "below the least score, and by other rules, nothing goes");
    }
}

#[test]
fn a_footer_goes_however_similar_it_is_where_the_judge_agrees() {
    let page = |footer: &str| {
        format!("<body><div>content of a page about mills and rivers and much else that turns</div>{footer}</body>")
    };
    let kept = |footer: &str, rule| surviving(&pruned_by_judge(&page(footer), "mills", rule)).len();
    assert_eq!(kept("<footer>mills</footer>", PruneRule::Balanced), 1);
    assert_eq!(kept("<footer>mills</footer>", PruneRule::Everything), 2);
    assert_eq!(kept("<footer>content mills</footer>", PruneRule::Balanced), 2, "the judge keeps it");
    assert_eq!(kept("<div>mills</div>", PruneRule::Balanced), 2, "no element says so");
    let links = r#"<ul><li><a href="/m">mills</a></li></ul>"#.repeat(20);
    let menu = format!("<div>{links}</div>");
    let rest = "content of a page that says much of mills. ".repeat(6);
    let beside = |rest: &str| {
        let html = format!("<body>{menu}<div>{rest}</div></body>");
        surviving(&pruned_by_judge(&html, "mills", PruneRule::Balanced)).len()
    };
    assert_eq!(beside(&rest), 1, "much of a page that the judge knows");
    assert_eq!(beside("content of mills."), 21, "nearly all of the page");
    let with_text = menu.replacen("</div>", "<p>content in between</p></div>", 1);
    let html = format!("<body>{with_text}<div>{rest}</div></body>");
    assert_eq!(surviving(&pruned_by_judge(&html, "mills", PruneRule::Balanced)).len(), 22, "some of it is kept");
    assert_eq!(beside(&rest.replace("content", "matter")), 21, "the judge keeps nothing else");
    let alone = "<footer>mills</footer>".repeat(5);
    let alone = surviving(&pruned_by_judge(&alone, "mills", PruneRule::Balanced)).len();
    assert_eq!(alone, 5, "a floor is not emptied");
}

#[test]
fn links_that_the_judge_holds_for_content_stay_beside_what_is_more_similar() {
    let card = |words: &str| {
        let links = ["picture", words, "buy it"].map(|text| format!(r#"<a href="/1">{text}</a>"#)).join("<br>");
        format!("<div>{links}</div>")
    };
    let names = ["red mill", "content blue", "content green", "grey"];
    let html = format!("<body><div>{}</div></body>", names.map(card).concat());
    let stay = |content_min| {
        let navigation = NavigationBounds { noise_max: 0.0, content_min };
        let pruned = pruned_by_judge_with(&html, "mill", PruneRule::Balanced, navigation);
        let text = surviving(&pruned).join(" ");
        names.map(|name| text.contains(name))
    };
    assert_eq!(stay(0.3), [true, true, true, false]);
    assert_eq!(stay(f32::INFINITY), [true, false, false, false]);
}

#[test]
fn a_doubtful_card_stays_in_a_list_of_content() {
    let card = |words: &str| {
        let lines = words.split(',').map(|text| format!(r#"<p><a href="/1">{text}</a> <a href="/2">buy</a></p>"#));
        format!("<div>{}</div>", lines.collect::<String>())
    };
    let stays = |sure: &[&str]| {
        let cards: String =
            ["red mill", "content grey,nothing grey"].iter().chain(sure).map(|words| card(words)).collect();
        let html = format!("<body><div>{cards}</div></body>");
        let navigation = NavigationBounds { noise_max: 0.0, content_min: 0.8 };
        let pruned = pruned_by_judge_with(&html, "mill", PruneRule::Balanced, navigation);
        surviving(&pruned).join(" ").contains("grey")
    };
    let sure = ["content blue,content dark", "content green,content pale", "content teal,content fair"];
    assert!(stays(&sure));
    assert!(!stays(&sure[..2]), "too few");
}

#[test]
fn a_template_does_not_empty_its_floor_nor_take_much_of_the_page() {
    assert_eq!(surviving(&pruned_with(SITE, "mills", PruneRule::Balanced, &|_| 1.0)).len(), 1, "the long one stays");
    let alike = "<body>".to_owned() + &"<div>one two</div>".repeat(5);
    assert_eq!(surviving(&pruned_with(&alike, "mills", PruneRule::Balanced, &|_| 1.0)).len(), 5);
}

#[test]
fn what_is_inside_an_eliminated_block_goes_with_it() {
    let pruned = pruned(FLOOR, "tea", PruneRule::Paper);
    let inner = pruned.tree().runs().iter().find(|run| pruned.tree().run_text(run) == "red").unwrap();
    assert!(pruned.decision(inner.item).unwrap().kept && !pruned.survives(inner.item));
}
