//! How well the collection's statistics count: exact layers of today beside the shared sketch of data version 3.
//!
//! ```text
//! cargo run --release -p lopper-content --example statistics_noise -- accuracy 1000000
//! cargo run --release -p lopper-content --example statistics_noise -- accuracy 10000000
//! cargo run --release -p lopper-content --example statistics_noise -- growth 1000000
//! ```
//!
//! `accuracy` draws the counts of a collection of that many pages at once: of every sixteenth term and host, into structures a sixteenth as
//! large, which gives the same noise in a sixteenth of the time; bytes are told sixteenfold. `growth` counts pages one after the other, in commits of 2,000, and
//! tells what each commit writes. Seeds are fixed: the same command gives the same figures, but for the times.
//!
//! The model, on the pessimistic side of what crawls are like:
//!
//! - **terms**: 450 words a page, drawn from 100 million by Zipf's law (rank r with a probability of 1 / (r ln 10⁸)): some 380 distinct terms a page,
//!   and 80 million in 10 million pages, most of them rare;
//! - **hosts**: a fifth of the pages on hosts of 20 pages, three tenths on hosts of 200, half on hosts of 20,000;
//! - **blocks**: each page has 30 of its own, and those of 20 that its host repeats on nine pages of ten;
//! - **links**: those of 30 that its host repeats on nine pages of ten, and 10 of its own to pages of its host.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use lopper_content::statistics::{
    CountLayer, CountRun, Kind, PageKeys, StatisticsChange, StatisticsLimits, StatisticsSnapshot,
};

mod model;

use model::{
    FRAME_BLOCK, FRAME_LINK, HOST, OWN_BLOCK, OWN_LINK, OldSketch, PART_BITS, Random, TERM, WIDTH, is_drawn, key,
};

/// Ranks of terms.
const RANKS: u64 = 100_000_000;
const WORDS: f64 = 450.0;
/// Blocks and links of a host's frame, and the share of its pages that have each.
const FRAME_BLOCKS: u64 = 20;
const FRAME_LINKS: u64 = 30;
const FRAME_SHARE: f64 = 0.9;
const OWN_BLOCKS: u64 = 30;
const OWN_LINKS: u64 = 10;
/// Sizes of hosts, and their share of the pages in tenths.
const HOSTS: [(u64, u64); 3] = [(20, 2), (200, 3), (20_000, 5)];
const COMMIT_PAGES: u64 = 2000;
/// One key of 2^this is drawn by `accuracy`.
const PART: u32 = 4;
/// Keys that are sorted at once.
const CHUNK: usize = 16 << 20;
/// What is looked up of each group.
const PROBES: usize = 20_000;
/// Pages that hold a term: the groups that are told apart.
const GROUPS: [(u64, u64); 3] = [(1, 10), (30, 100), (300, 1000)];

fn main() {
    let mut args = std::env::args().skip(1);
    let (mode, pages) = (args.next().unwrap_or_default(), args.next().and_then(|pages| pages.parse().ok()));
    match (mode.as_str(), pages) {
        ("accuracy", Some(pages)) => accuracy(pages),
        ("growth", Some(pages)) => growth(pages),
        _ => eprintln!("statistics_noise accuracy|growth <pages>"),
    }
}

/// Fills both structures.
struct Both {
    old: OldSketch,
    new: StatisticsSnapshot,
    small: StatisticsSnapshot,
    waiting: Vec<(u64, i64)>,
}

impl Both {
    fn add(&mut self, kind: Kind, hash: u64, count: u64) {
        if count == 0 {
            return;
        }
        self.old.add(hash, count);
        self.waiting.push((hash, count as i64));
        if self.waiting.len() >= CHUNK {
            self.sort(kind, 0);
        }
    }

    /// Takes over what waits, all of `kind`, of so many pages.
    fn sort(&mut self, kind: Kind, pages: u64) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_unstable();
        let counts: Vec<(u64, i64)> = waiting
            .chunk_by(|one, other| one.0 == other.0)
            .map(|same| (same[0].0, same.iter().map(|(_, count)| count).sum()))
            .collect();
        let run = CountRun::from_sorted(counts.into_iter());
        let runs = Kind::ALL.map(|other| if other == kind { run.clone() } else { CountRun::default() });
        let part = StatisticsSnapshot::from_layers(1, pages, vec![Arc::new(CountLayer::new(1, runs))]);
        self.new.merge(&part);
        self.small.merge(&part);
        self.waiting = waiting;
        self.waiting.clear();
    }
}

/// Pages that hold the term of a rank, on average.
fn mean_of_rank(rank: u64, pages: u64) -> f64 {
    pages as f64 * (1.0 - (-WORDS / (rank as f64 * (RANKS as f64).ln())).exp())
}

fn accuracy(pages: u64) {
    PART_BITS.store(PART, Ordering::Relaxed);
    let limits = |megabytes: [usize; 3]| {
        let [terms_bytes_max, links_bytes_max, sites_bytes_max] = megabytes.map(|megabytes| megabytes << 20 >> PART);
        StatisticsSnapshot::with_limits(StatisticsLimits { terms_bytes_max, links_bytes_max, sites_bytes_max })
    };
    let mut both = Both {
        old: OldSketch::new(WIDTH >> PART),
        new: limits([256, 128, 384]),
        small: limits([64, 32, 96]),
        waiting: Vec::with_capacity(CHUNK),
    };
    let mut random = Random(7);
    let mut probes: [Vec<(u64, u64)>; 3] = Default::default();
    let mut distinct = 0u64;
    for rank in (1..=RANKS).filter(|rank| is_drawn(*rank)) {
        let count = random.poisson(mean_of_rank(rank, pages)).min(pages);
        let hash = key(TERM, rank, 0);
        distinct += u64::from(count > 0);
        both.add(Kind::Term, hash, count);
        for (group, probes) in GROUPS.iter().zip(&mut probes) {
            // One term of many, all over the group.
            if (group.0..=group.1).contains(&count) && probes.len() < PROBES && (group.0 > 1 || rank.is_multiple_of(7))
            {
                probes.push((hash, count));
            }
        }
    }
    both.sort(Kind::Term, pages);
    let (small_hosts, sites) = add_hosts(&mut both, pages);
    println!("{pages} pages, {} distinct terms, {} distinct blocks and hosts", distinct << PART, sites << PART);
    let old = |hash| both.old.estimate(hash).min(pages);
    let new = |hash| both.new.count(Kind::Term, hash);
    let small = |hash| both.small.count(Kind::Term, hash);
    println!("\n| | sketch of version 3 | layers | layers with a quarter of the bounds |\n|---|---|---|---|");
    let memory = |snapshot: &StatisticsSnapshot| format!("{:.1} MB", (snapshot.size_bytes() << PART) as f64 / 1e6);
    println!("| memory | 16.8 MB | {} | {} |", memory(&both.new), memory(&both.small));
    for kind in [Kind::Term, Kind::Link, Kind::Site] {
        let told = |snapshot: &StatisticsSnapshot| {
            let run = snapshot.layers()[0].run(kind);
            let megabytes = (run.size_bytes() << PART) as f64 / 1e6;
            let each = run.size_bytes() as f64 / run.entries().max(1) as f64;
            format!(
                "{megabytes:.1} MB, {each:.2} B a key of {} bits, noise {}",
                run.key_bits(),
                snapshot.noise(kind) << PART
            )
        };
        println!("| {kind:?} | noise {} | {} | {} |", both.old.noise(), told(&both.new), told(&both.small));
    }
    let terms = [&old as &dyn Fn(u64) -> u64, &new, &small].map(|count| TermTable::of(&probes, count, pages));
    print_terms(&terms);
    let noise = both.old.noise();
    let hosts = [
        SiteTable::of(&small_hosts, &|hash| both.old.estimate(hash), noise),
        SiteTable::of(&small_hosts, &|hash| both.new.count(Kind::Site, hash), both.new.noise(Kind::Site) << PART),
        SiteTable::of(&small_hosts, &|hash| both.small.count(Kind::Site, hash), both.small.noise(Kind::Site) << PART),
    ];
    println!("| hosts of 20 pages whose memory is on | {} |", row(&hosts, |table| share(table.on)));
    println!("| of them: frame blocks with a score ≥ 0.5 | {} |", row(&hosts, |table| share(table.frame)));
    println!("| of them: own blocks with a score ≥ 0.25 | {} |", row(&hosts, |table| share(table.own)));
}

/// Adds links, blocks and hosts; gives some hosts of 20 pages, and the number of distinct keys of sites.
fn add_hosts(both: &mut Both, pages: u64) -> (Vec<(u64, u64)>, u64) {
    let mut random = Random(11);
    let (mut small, mut host, mut distinct) = (Vec::new(), 0, 0);
    for kind in [Kind::Link, Kind::Site] {
        host = 0;
        let mut page = 0;
        for (size, tenths) in HOSTS {
            for _ in 0..pages * tenths / 10 / size {
                host += 1;
                if !is_drawn(host) {
                    page += size;
                    continue;
                }
                let with_frame = (size as f64 * FRAME_SHARE).round() as u64;
                if kind == Kind::Link {
                    (0..FRAME_LINKS).for_each(|link| both.add(kind, key(FRAME_LINK, host, link), with_frame));
                    for _ in 0..size * OWN_LINKS {
                        let target = random.next() % size;
                        both.add(kind, key(OWN_LINK, host, target), 1);
                    }
                } else {
                    if size == HOSTS[0].0 && small.len() < 2000 {
                        small.push((host, page));
                    }
                    both.add(kind, key(HOST, host, 0), size);
                    (0..FRAME_BLOCKS).for_each(|block| both.add(kind, key(FRAME_BLOCK, host, block), with_frame));
                    for page in page..page + size {
                        (0..OWN_BLOCKS).for_each(|block| both.add(kind, key(OWN_BLOCK, page, block), 1));
                    }
                    distinct += 1 + FRAME_BLOCKS + size * OWN_BLOCKS;
                }
                page += size;
            }
        }
        both.sort(kind, 0);
    }
    debug_assert!(host > 0);
    (small, distinct)
}

/// How terms are told apart.
struct TermTable {
    medians: [u64; 3],
    ordered: [f64; 3],
    correlation: f64,
    idf_error: [f64; 3],
}

impl TermTable {
    fn of(probes: &[Vec<(u64, u64)>; 3], count: &dyn Fn(u64) -> u64, pages: u64) -> Self {
        let counts: Vec<Vec<(u64, u64)>> =
            probes.iter().map(|group| group.iter().map(|(hash, truth)| (*truth, count(*hash))).collect()).collect();
        let median = |group: &Vec<(u64, u64)>| {
            let mut found: Vec<u64> = group.iter().map(|(_, found)| *found).collect();
            found.sort_unstable();
            found.get(found.len() / 2).copied().unwrap_or(0)
        };
        let idf = |count: u64| (pages as f64 / count.max(1) as f64).ln();
        let error = |group: &Vec<(u64, u64)>| {
            let sum: f64 = group.iter().map(|(truth, found)| (idf(*truth) - idf(*found)).abs()).sum();
            sum / group.len().max(1) as f64
        };
        Self {
            medians: std::array::from_fn(|group| median(&counts[group])),
            ordered: [(0, 1), (1, 2), (0, 2)].map(|(rarer, other)| ordered(&counts[rarer], &counts[other])),
            correlation: rank_correlation(&counts.concat()),
            idf_error: std::array::from_fn(|group| error(&counts[group])),
        }
    }
}

/// Share of the pairs of a term of each group that are in the right order; equal counts are half right.
fn ordered(rarer: &[(u64, u64)], other: &[(u64, u64)]) -> f64 {
    let mut random = Random(13);
    let right = |_| {
        let one = rarer[random.next() as usize % rarer.len()].1;
        let two = other[random.next() as usize % other.len()].1;
        if one == two { 0.5 } else { f64::from(u8::from(one < two)) }
    };
    let pairs = 1_000_000;
    (0..pairs).map(right).sum::<f64>() / f64::from(pairs)
}

/// Spearman's: the correlation of the ranks of truth and count, equal ones with their mean rank.
fn rank_correlation(counts: &[(u64, u64)]) -> f64 {
    let truth = ranks(&counts.iter().map(|(truth, _)| *truth).collect::<Vec<_>>());
    let found = ranks(&counts.iter().map(|(_, found)| *found).collect::<Vec<_>>());
    let mean = (counts.len() as f64 - 1.0) / 2.0;
    let product = |one: &[f64], two: &[f64]| -> f64 { one.iter().zip(two).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    product(&truth, &found) / (product(&truth, &truth) * product(&found, &found)).sqrt()
}

fn ranks(numbers: &[u64]) -> Vec<f64> {
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    for number in numbers {
        *places.entry(*number).or_default() += 1;
    }
    let mut before = 0;
    let ranks: BTreeMap<u64, f64> = places
        .into_iter()
        .map(|(number, count)| {
            let rank = before as f64 + (count as f64 - 1.0) / 2.0;
            before += count;
            (number, rank)
        })
        .collect();
    numbers.iter().map(|number| ranks[number]).collect()
}

/// How the memory of small sites works.
struct SiteTable {
    on: f64,
    frame: f64,
    own: f64,
}

impl SiteTable {
    /// `hosts`: number of a host and of its first page.
    fn of(hosts: &[(u64, u64)], count: &dyn Fn(u64) -> u64, noise: u64) -> Self {
        let (mut on, mut frame, mut own) = (0u64, 0u64, 0u64);
        for (host, page) in hosts {
            let known = count(key(HOST, *host, 0));
            if known < noise.max(5) {
                continue;
            }
            on += 1;
            let score = |hash| count(hash) as f64 / known as f64;
            frame += (0..FRAME_BLOCKS).filter(|block| score(key(FRAME_BLOCK, *host, *block)) >= 0.5).count() as u64;
            own += (0..OWN_BLOCKS).filter(|block| score(key(OWN_BLOCK, *page, *block)) >= 0.25).count() as u64;
        }
        let of_blocks = |found: u64, blocks: u64| found as f64 / (on * blocks) as f64;
        Self {
            on: on as f64 / hosts.len() as f64,
            frame: of_blocks(frame, FRAME_BLOCKS),
            own: of_blocks(own, OWN_BLOCKS),
        }
    }
}

fn share(share: f64) -> String {
    if share.is_nan() { "–".to_owned() } else { format!("{:.2} %", share * 100.0) }
}

fn row<T>(tables: &[T], cell: impl Fn(&T) -> String) -> String {
    tables.iter().map(cell).collect::<Vec<_>>().join(" | ")
}

fn print_terms(tables: &[TermTable]) {
    for (place, (from, to)) in GROUPS.iter().enumerate() {
        println!(
            "| median count of terms of {from}–{to} pages | {} |",
            row(tables, |table| table.medians[place].to_string())
        );
    }
    for (place, pair) in ["1–10 before 30–100", "30–100 before 300–1000", "1–10 before 300–1000"].iter().enumerate()
    {
        println!("| pairs in order, {pair} | {} |", row(tables, |table| share(table.ordered[place])));
    }
    println!("| rank correlation with the truth | {} |", row(tables, |table| format!("{:.4}", table.correlation)));
    for (place, (from, to)) in GROUPS.iter().enumerate() {
        println!(
            "| mean error of ln(N/df), {from}–{to} pages | {} |",
            row(tables, |table| format!("{:.3}", table.idf_error[place]))
        );
    }
}

/// Commit after commit, as an ingest does.
fn growth(pages: u64) {
    let mut random = Random(17);
    let mut statistics = StatisticsSnapshot::default();
    let mut old = Arc::new(OldSketch::new(WIDTH));
    let mut old_time = std::time::Duration::ZERO;
    let (mut written, mut largest, mut keys) = (0u64, 0u64, 0u64);
    let mut time = std::time::Duration::ZERO;
    println!(
        "| pages | layers | memory, MB | bytes a page | MB written a commit, mean | largest | ms a commit, mean |"
    );
    println!("|---|---|---|---|---|---|---|");
    for commit in 0..pages / COMMIT_PAGES {
        let mut change = StatisticsChange::default();
        let mut batch = Vec::new();
        for page in commit * COMMIT_PAGES..(commit + 1) * COMMIT_PAGES {
            let page = page_keys(page, pages, &mut random);
            keys += page.len() as u64;
            batch.push(page);
        }
        let started = Instant::now();
        for page in &batch {
            change.add(page);
        }
        statistics = statistics.with(change);
        let bytes = statistics.layers().last().map_or(0, |layer| layer.to_bytes().len()) as u64;
        time += started.elapsed();
        old_time += add_to_old(&mut old, &batch);
        written += bytes;
        largest = largest.max(bytes);
        let commits = commit + 1;
        if commits.is_power_of_two() || commits * COMMIT_PAGES == pages {
            let memory = statistics.size_bytes() as f64;
            let counted = commits * COMMIT_PAGES;
            println!(
                "| {counted} | {} | {:.1} | {:.1} | {:.2} | {:.1} | {:.1} |",
                statistics.layers().len(),
                memory / 1e6,
                memory / counted as f64,
                written as f64 / 1e6 / commits as f64,
                largest as f64 / 1e6,
                time.as_secs_f64() * 1e3 / commits as f64
            );
        }
    }
    let commits = (pages / COMMIT_PAGES) as f64;
    println!("\n{:.0} keys a page", keys as f64 / pages as f64);
    println!(
        "sketch of version 3: {:.1} ms a commit, without compressing and writing it",
        old_time.as_secs_f64() * 1e3 / commits
    );
    let hashes: Vec<u64> = (0..2_000_000).map(|_| key(TERM, rank(&mut random), 0)).collect();
    look_ups("layers", &hashes, &|hash| statistics.pages_with_hash(hash));
    look_ups("sketch of version 3", &hashes, &|hash| old.estimate(hash));
}

/// A commit as version 3 made it: the snapshot before stays, so the counters are copied.
fn add_to_old(old: &mut Arc<OldSketch>, batch: &[PageKeys]) -> std::time::Duration {
    let started = Instant::now();
    let mut next = OldSketch { counters: old.counters.clone(), total: old.total };
    for hash in batch.iter().flat_map(|page| Kind::ALL.into_iter().flat_map(|kind| page.of(kind))) {
        next.add(*hash, 1);
    }
    *old = Arc::new(next);
    started.elapsed()
}

/// How long a look-up of a term takes.
fn look_ups(name: &str, hashes: &[u64], count: &dyn Fn(u64) -> u64) {
    let started = Instant::now();
    let sum: u64 = hashes.iter().map(|hash| count(*hash)).sum();
    let nanoseconds = started.elapsed().as_nanos() as f64 / hashes.len() as f64;
    println!("{name}: {nanoseconds:.0} ns a look-up of a term, drawn as pages have them ({sum})");
}

/// A rank by Zipf's law.
fn rank(random: &mut Random) -> u64 {
    (random.share() * (RANKS as f64).ln()).exp() as u64
}

fn page_keys(page: u64, pages: u64, random: &mut Random) -> PageKeys {
    // Hosts' pages come mixed, as crawls have them; a tenth of the pages goes to each share in turn.
    let tenth = page % 10;
    let (size, sort) = if tenth < 2 {
        (20, 0)
    } else if tenth < 5 {
        (200, 1)
    } else {
        (20_000, 2)
    };
    let hosts = (pages / size).max(1);
    let host = (random.next() % hosts) << 2 | sort;
    let terms = (0..WORDS as u64).map(|_| key(TERM, rank(random), 0)).collect();
    let mut links: Vec<u64> = (0..OWN_LINKS).map(|_| key(OWN_LINK, host, random.next() % size)).collect();
    let mut sites: Vec<u64> = (0..OWN_BLOCKS).map(|block| key(OWN_BLOCK, page, block)).collect();
    sites.push(key(HOST, host, 0));
    links.extend((0..FRAME_LINKS).filter(|_| random.share() < FRAME_SHARE).map(|link| key(FRAME_LINK, host, link)));
    sites.extend((0..FRAME_BLOCKS).filter(|_| random.share() < FRAME_SHARE).map(|block| key(FRAME_BLOCK, host, block)));
    PageKeys::new(terms, links, sites)
}
