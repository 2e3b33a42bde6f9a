//! Keys, random numbers, and the sketch of data version 3.

use std::sync::atomic::{AtomicU32, Ordering};

use lopper_content::weigh::TERM_HASH_BITS;

/// Leading bits of all keys that are 0: only one key of 2^bits is drawn, into that part of the space of hashes.
pub(crate) static PART_BITS: AtomicU32 = AtomicU32::new(0);

/// Whether a thing is drawn.
pub(crate) fn is_drawn(number: u64) -> bool {
    mix(number ^ 0x5eed) & ((1 << PART_BITS.load(Ordering::Relaxed)) - 1) == 0
}

/// The finaliser of SplitMix64.
pub(crate) fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The key of a thing of some sort, in 40 bits.
pub(crate) fn key(sort: u64, one: u64, two: u64) -> u64 {
    mix(mix(mix(sort).wrapping_add(one)).wrapping_add(two)) >> (64 - TERM_HASH_BITS + PART_BITS.load(Ordering::Relaxed))
}

pub(crate) const TERM: u64 = 1;
pub(crate) const HOST: u64 = 2;
pub(crate) const FRAME_BLOCK: u64 = 3;
pub(crate) const OWN_BLOCK: u64 = 4;
pub(crate) const FRAME_LINK: u64 = 5;
pub(crate) const OWN_LINK: u64 = 6;

/// Random numbers with a fixed seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0)
    }

    /// From 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// How often something happens that happens `mean` times on average (Knuth; above 30 by the normal distribution).
    pub(crate) fn poisson(&mut self, mean: f64) -> u64 {
        if mean > 30.0 {
            let normal = (-2.0 * self.share().max(1e-300).ln()).sqrt() * (std::f64::consts::TAU * self.share()).cos();
            return (mean + normal * mean.sqrt()).round().max(0.0) as u64;
        }
        let (limit, mut product, mut count) = ((-mean).exp(), self.share(), 0);
        while product > limit {
            product *= self.share();
            count += 1;
        }
        count
    }
}

/// The statistics of data version 3: one sketch for all, 4 rows of 2²⁰ counters, estimated by count-mean-min.
pub(crate) struct OldSketch {
    pub(crate) counters: Vec<u32>,
    pub(crate) total: u64,
}

pub(crate) const DEPTH: usize = 4;
pub(crate) const WIDTH: usize = 1 << 20;

impl OldSketch {
    pub(crate) fn add(&mut self, hash: u64, count: u64) {
        self.total += count;
        for at in self.cells(hash) {
            self.counters[at] += count as u32;
        }
    }

    pub(crate) fn estimate(&self, hash: u64) -> u64 {
        let counts = self.cells(hash).map(|at| self.counters[at]);
        let least = counts.into_iter().min().unwrap_or(0);
        let mut cleaned = counts.map(|count| {
            let others = self.total.saturating_sub(count.into()) as f64;
            f64::from(count) - others / (self.width() - 1) as f64
        });
        cleaned.sort_by(f64::total_cmp);
        let median = f64::midpoint(cleaned[1], cleaned[2]).round().max(0.0);
        (median as u64).min(least.into())
    }

    pub(crate) fn noise(&self) -> u64 {
        self.total / self.width() as u64
    }

    pub(crate) fn new(width: usize) -> Self {
        Self { counters: vec![0; DEPTH * width], total: 0 }
    }

    fn width(&self) -> usize {
        self.counters.len() / DEPTH
    }

    fn cells(&self, hash: u64) -> [usize; DEPTH] {
        let low = mix(hash);
        let high = mix(low ^ 0x9e37_79b9_7f4a_7c15);
        let columns = [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32];
        std::array::from_fn(|row| row * self.width() + columns[row] as usize % self.width())
    }
}
