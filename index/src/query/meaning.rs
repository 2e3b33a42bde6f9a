//! What queries mean: the engine beside an evaluation of the tree on each block.

use std::collections::HashSet;

use proptest::prelude::*;

use super::ast::{Field, Node};
use super::filter::value;
use super::site::{Site, host_and_parents};
use super::words::surfaces;
use super::{BlockQuery, parse};
use crate::{BlockDocument, BlockIndex, BlockSearcher, WriterOptions};

/// Blocks of few words in every part, some without date.
fn blocks() -> impl Strategy<Value = Vec<BlockDocument>> {
    let words =
        || prop::sample::select(vec!["", "a", "b a", "c b a", "a a c", "c d", "b c d e a", "ab", "ab abc", "d. b"]);
    let hosts = prop::sample::select(vec!["example.org", "www.example.org", "a.example.org", "other.net"]);
    let paths = prop::sample::select(vec!["", "docs", "docs/a_b", "dogs/c"]);
    let years = prop::sample::select(vec![None, Some(1_199_145_600), Some(1_230_767_999), Some(1_230_768_000)]);
    let kinds = prop::sample::select(vec!["", "forum", "article"]);
    let languages = prop::sample::select(vec!["xx", "yy"]);
    let block = (words(), words(), words(), hosts, paths, years, kinds, languages);
    prop::collection::vec(block, 1..12).prop_map(|blocks| {
        let block = |(index, (title, heading, body, host, path, captured_at, page_type, language))| {
            let (host, page_type): (&str, &str) = (host, page_type);
            let (title, heading, body): (&str, &str, &str) = (title, heading, body);
            BlockDocument {
                block_id: format!("{index:032}:0"),
                page_id: format!("{index:032}"),
                url: format!("https://{host}/{path}"),
                host: host.to_owned(),
                title: title.to_owned(),
                heading_path: vec![heading.to_owned(), "e".to_owned()],
                body: body.to_owned(),
                captured_at,
                page_type: page_type.to_owned(),
                language: lopper_analysis::Language::from_code(language),
                ..BlockDocument::default()
            }
        };
        blocks.into_iter().enumerate().map(block).collect()
    })
}

fn queries() -> impl Strategy<Value = String> {
    let leaves = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "zz",
        "ab*",
        "a*",
        "\"b a\"",
        "\"a b\"~2",
        "\"c a\"~1",
        "\"a a\"~1",
        "\"d b\"~9",
        "\"a b c\"~2",
        "title:a",
        "title:\"b a\"",
        "title:(a c)",
        "title:(a -b)",
        "heading:c",
        "heading:(a AND c)",
        "heading:ab*",
        "site:example.org",
        "site:org",
        "site:www.example.org",
        "site:example.org/docs",
        "lang:xx",
        "lang:(xx OR yy)",
        "date:2008",
        "date:2008..",
        "date:..2008",
        "type:forum",
        "type:(forum article)",
        "inurl:docs",
        "inurl:b",
        "inurl:docs*",
        "inurl:(dogs OR b)",
        "?",
    ]);
    let leaf = leaves.prop_map(str::to_owned).boxed();
    leaf.prop_recursive(4, 24, 4, |part| {
        prop_oneof![
            prop::collection::vec(part.clone(), 1..4).prop_map(|parts| format!("({})", parts.join(" "))),
            prop::collection::vec(part.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" AND "))),
            prop::collection::vec(part.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" OR "))),
            part.clone().prop_map(|part| format!("NOT {part}")),
            part.clone().prop_map(|part| format!("(+{part} )")),
            (part.clone(), part).prop_map(|(a, b)| format!("{a} {b}")),
        ]
    })
}

/// What a list takes a part for, and whether a block matches it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Verdict {
    role: Role,
    textual: bool,
    matches: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    Wish,
    Demand,
    Exclusion,
}

/// The meaning of a query, evaluated on one block.
struct Naive<'a> {
    block: &'a BlockDocument,
}

impl Naive<'_> {
    /// The words of each part that a field stands for; no phrase spans two.
    fn parts(&self, field: Option<Field>) -> Vec<Vec<String>> {
        let block = self.block;
        let url = block.url.replace('_', " ").replace("https://", "");
        let headings = || block.heading_path.clone();
        let texts = match field {
            Some(Field::Title) => vec![block.title.clone()],
            Some(Field::Heading) => headings(),
            Some(Field::InUrl) => vec![url],
            _ => [vec![block.title.clone()], headings(), vec![block.body.clone()]].concat(),
        };
        texts.iter().map(|text| words(text)).collect()
    }

    fn has_word(&self, field: Option<Field>, word: &str, is_prefix: bool) -> bool {
        let matches = |found: &String| if is_prefix { found.starts_with(word) } else { found == word };
        self.parts(field).iter().flatten().any(matches)
    }

    fn has_phrase(&self, field: Option<Field>, phrase: &[String], slop: i64) -> bool {
        let found = |part: &Vec<String>| choices(part, phrase).iter().any(|places| spread(places) <= slop);
        self.parts(field).iter().any(found)
    }

    fn filter(&self, field: Field, value: &str) -> bool {
        let block = self.block;
        match field {
            Field::Site => {
                let site = Site::parse(value).unwrap();
                let path = block.url.trim_start_matches("https://").trim_start_matches(&block.host).to_owned();
                let same_host = block.host.trim_start_matches("www.") == site.host;
                match site.path.as_str() {
                    "" => host_and_parents(&block.host).any(|host| host == site.host),
                    wanted => same_host && (path == wanted || path.starts_with(&format!("{wanted}/"))),
                }
            }
            Field::Language => block.language.code() == value,
            Field::Type => block.page_type == value,
            _ => block.captured_at.is_some_and(|time| match value {
                "2008" => (1_199_145_600..1_230_768_000).contains(&time),
                "2008.." => time >= 1_199_145_600,
                _ => time < 1_230_768_000,
            }),
        }
    }

    fn leaf(&self, node: &Node, field: Option<Field>, demanded: bool) -> Option<Verdict> {
        let role = if demanded { Role::Demand } else { Role::Wish };
        if let Some(field) = field.filter(|field| !matches!(field, Field::Title | Field::Heading | Field::InUrl)) {
            return Some(Verdict { role, textual: false, matches: self.filter(field, &value(node).0) });
        }
        let textual = field != Some(Field::InUrl);
        let (text, is_prefix, slop) = match node {
            Node::Word { text, is_prefix, .. } => (text, *is_prefix, None),
            Node::Phrase { text, slop, .. } => (text, false, Some(i64::from(*slop))),
            _ => return None,
        };
        let words = words(text);
        let matches = match (slop, demanded) {
            _ if words.is_empty() => return None,
            (Some(slop), _) => self.has_phrase(field, &words, slop),
            (None, true) if !is_prefix && textual => self.has_phrase(field, &words, 0),
            (None, true) => words.iter().all(|word| self.has_word(field, word, is_prefix)),
            (None, false) => words.iter().any(|word| self.has_word(field, word, is_prefix)),
        };
        Some(Verdict { role: if slop.is_some() { Role::Demand } else { role }, textual, matches })
    }

    fn verdict(&self, node: &Node, field: Option<Field>, demanded: bool) -> Option<Verdict> {
        let demand = |verdict: Verdict| match verdict.role {
            Role::Wish => Verdict { role: Role::Demand, ..verdict },
            _ => verdict,
        };
        match node {
            Node::Word { .. } | Node::Phrase { .. } => self.leaf(node, field, demanded),
            Node::Require(part) => self.verdict(part, field, true).map(demand),
            Node::Field(field, part) => self.verdict(part, Some(*field), true).map(demand),
            Node::Not(part) if field.is_none() && is_option(part) => self.verdict(part, field, demanded),
            Node::Not(part) => self.verdict(part, field, true).map(|verdict| match verdict.role {
                Role::Exclusion => Verdict { role: Role::Demand, ..verdict },
                _ => Verdict { role: Role::Exclusion, ..verdict },
            }),
            Node::And(parts) => {
                let parts: Vec<_> =
                    parts.iter().filter_map(|part| self.verdict(part, field, true)).map(demand).collect();
                list(&parts).map(demand)
            }
            Node::Or(parts) => {
                let parts: Vec<_> = parts.iter().filter_map(|part| self.verdict(part, field, true)).collect();
                let textual = parts.iter().all(|part| part.textual && part.role != Role::Exclusion);
                let matches = parts.iter().any(|part| part.matches != (part.role == Role::Exclusion));
                (!parts.is_empty()).then_some(Verdict { role: Role::Demand, textual, matches })
            }
            Node::List(parts) => {
                list(&parts.iter().filter_map(|part| self.verdict(part, field, false)).collect::<Vec<_>>())
            }
        }
    }
}

fn list(parts: &[Verdict]) -> Option<Verdict> {
    let of = |role| parts.iter().filter(move |part| part.role == role);
    let textual_demand = of(Role::Demand).any(|part| part.textual);
    let wish = of(Role::Wish).any(|part| part.matches) || of(Role::Wish).count() == 0 || textual_demand;
    let matches = wish && of(Role::Demand).all(|part| part.matches) && of(Role::Exclusion).all(|part| !part.matches);
    let role = if parts.iter().all(|part| part.role == Role::Wish) { Role::Wish } else { Role::Demand };
    let textual = textual_demand || of(Role::Wish).any(|part| part.textual);
    (!parts.is_empty()).then_some(Verdict { role, textual, matches })
}

/// Whether a hyphen before one letter or a number was taken for an exclusion.
fn is_option(part: &Node) -> bool {
    let is_short = |text: &str| text.chars().count() == 1 || text.bytes().all(|byte| byte.is_ascii_digit());
    matches!(part, Node::Word { text, is_prefix: false, place } if place.is_after_hyphen && is_short(text))
}

fn words(text: &str) -> Vec<String> {
    surfaces(text).iter().map(|surface| surface.text.to_lowercase()).collect()
}

/// How far each word of a phrase is moved, for every choice of different places.
fn choices(part: &[String], phrase: &[String]) -> Vec<Vec<i64>> {
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for word in phrase {
        let places: Vec<usize> = (0..part.len()).filter(|&at| part[at] == *word).collect();
        choices = choices
            .into_iter()
            .flat_map(|chosen| {
                let free = places.iter().filter(|at| !chosen.contains(at)).copied().collect::<Vec<_>>();
                free.into_iter().map(move |at| [&chosen[..], &[at]].concat())
            })
            .collect();
    }
    let moved = |places: Vec<usize>| places.iter().enumerate().map(|(offset, &at)| at as i64 - offset as i64).collect();
    choices.into_iter().map(moved).collect()
}

fn spread(moves: &[i64]) -> i64 {
    let (least, most) = (moves.iter().min(), moves.iter().max());
    most.zip(least).map_or(0, |(most, least)| most - least)
}

fn searcher_of(blocks: &[BlockDocument]) -> (tempfile::TempDir, BlockSearcher) {
    let dir = tempfile::tempdir().unwrap();
    let index = BlockIndex::create(dir.path()).unwrap();
    let mut writer = index.writer(WriterOptions::default()).unwrap();
    for (at, block) in blocks.iter().enumerate() {
        writer.add(block).unwrap();
        if at == blocks.len() / 2 {
            writer.commit("first segment").unwrap();
        }
    }
    writer.commit("second segment").unwrap();
    let searcher = index.searcher();
    searcher.reload().unwrap();
    (dir, searcher)
}

#[test]
fn the_engine_finds_what_the_query_means() {
    let config = ProptestConfig::with_cases(16);
    proptest!(config, |(blocks in blocks(), queries in prop::collection::vec(queries(), 80))| {
        let (_dir, searcher) = searcher_of(&blocks);
        for text in queries {
            let root = parse(&text).unwrap().root;
            let ranked = searcher.search(&BlockQuery::new(&text, 100)).unwrap();
            let found: HashSet<&str> = ranked.blocks.iter().map(|block| block.document.block_id.as_str()).collect();
            let is_meant = |block: &&BlockDocument| {
                let verdict = root.as_ref().and_then(|root| Naive { block }.verdict(root, None, false));
                let verdict = verdict.and_then(|verdict| list(&[verdict]));
                verdict.is_some_and(|verdict| verdict.matches)
            };
            let meant: HashSet<&str> = blocks.iter().filter(is_meant).map(|block| block.block_id.as_str()).collect();
            prop_assert_eq!(&found, &meant, "{}", text);
            prop_assert_eq!(ranked.total, found.len() as u64);
        }
    });
}
