//! Pages of which nearly the same is in the index, by their similarity hashes.

use std::collections::{BTreeMap, HashMap};

use lopper_archive::page::PageId;
use lopper_content::simhash::{BITS_MAX, SimHash};

use super::{Store, StoreError};

/// Parts of a hash: of two that differ in [`BITS_MAX`] bits at most, one part at least is the same.
const PARTS: u32 = BITS_MAX + 1;

/// Bits of a part.
const PART_BITS: u32 = u64::BITS / PARTS;

/// Hashes with the same part that each is compared with, which keeps the work linear whatever pages were made for. In a million
/// pages about 15 share a part by chance.
const COMPARED_MAX: usize = 256;

/// Pages in groups: each page's main blocks are nearly those of another page of its group. Largest group first, pages by their ids.
pub type NearDuplicates = Vec<Vec<PageId>>;

impl Store {
    /// The groups of near-identical pages, also of different URLs. Pages without words are in none. O(pages).
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn near_duplicates(&self) -> Result<NearDuplicates, StoreError> {
        let mut pages: BTreeMap<SimHash, Vec<PageId>> = BTreeMap::new();
        for page in self.pages() {
            let page = page?;
            if page.simhash != 0 {
                pages.entry(SimHash(page.simhash)).or_default().push(page.id);
            }
        }
        Ok(groups(&pages))
    }
}

fn groups(pages: &BTreeMap<SimHash, Vec<PageId>>) -> NearDuplicates {
    let hashes: Vec<SimHash> = pages.keys().copied().collect();
    let mut leaders = Leaders::new(hashes.len());
    for part in 0..PARTS {
        join_by_part(&hashes, part, &mut leaders);
    }
    let mut groups: BTreeMap<usize, Vec<PageId>> = BTreeMap::new();
    for (place, ids) in pages.values().enumerate() {
        groups.entry(leaders.of(place)).or_default().extend(ids);
    }
    let mut groups: NearDuplicates = groups.into_values().filter(|ids| ids.len() > 1).collect();
    for ids in &mut groups {
        ids.sort();
    }
    groups.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    groups
}

/// Joins the hashes that have this part in common and are near.
fn join_by_part(hashes: &[SimHash], part: u32, leaders: &mut Leaders) {
    let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, hash) in hashes.iter().enumerate() {
        alike.entry(hash.0 >> (part * PART_BITS) & ((1 << PART_BITS) - 1)).or_default().push(place);
    }
    for places in alike.values() {
        for (at, &one) in places.iter().enumerate() {
            let others = places[at + 1..].iter().take(COMPARED_MAX);
            others.filter(|&&other| hashes[one].is_near(hashes[other])).for_each(|&other| leaders.join(one, other));
        }
    }
}

/// Sets that are joined: each place leads to its set's first one.
struct Leaders(Vec<usize>);

impl Leaders {
    fn new(len: usize) -> Self {
        Self((0..len).collect())
    }

    fn of(&mut self, mut place: usize) -> usize {
        while self.0[place] != place {
            self.0[place] = self.0[self.0[place]];
            place = self.0[place];
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups_of(hashes: &[u64]) -> Vec<Vec<u128>> {
        let mut pages: BTreeMap<SimHash, Vec<PageId>> = BTreeMap::new();
        for (id, hash) in hashes.iter().enumerate() {
            pages.entry(SimHash(*hash)).or_default().push(PageId(id as u128));
        }
        groups(&pages).into_iter().map(|ids| ids.into_iter().map(|id| id.0).collect()).collect()
    }

    #[test]
    fn pages_within_three_bits_are_together() {
        let far = 0xffff_0000_ffff_0000;
        assert_eq!(
            groups_of(&[1, 1, 0b1111, far, far ^ (1 << 63), 0x5555_5555_5555_5555]),
            [vec![0, 1, 2], vec![3, 4]]
        );
        assert_eq!(groups_of(&[1, 0b11110]), Vec::<Vec<u128>>::new());
        assert_eq!(groups_of(&[7, 7 ^ (1 << 63 | 1 << 40 | 1 << 20)]), [vec![0, 1]], "a bit in each of three parts");
    }

    #[test]
    fn groups_are_those_of_all_pairs() {
        // Hashes of few bits, so that many are near.
        let hashes: Vec<u64> =
            (0..300u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) << (n % 4 * 16)).collect();
        let mut leaders = Leaders::new(hashes.len());
        for one in 0..hashes.len() {
            let near = |other: &usize| SimHash(hashes[one]).is_near(SimHash(hashes[*other]));
            (0..one).filter(near).for_each(|other| leaders.join(one, other));
        }
        let mut expected: BTreeMap<usize, Vec<u128>> = BTreeMap::new();
        (0..hashes.len()).for_each(|at| expected.entry(leaders.of(at)).or_default().push(at as u128));
        let mut expected: Vec<Vec<u128>> = expected.into_values().filter(|ids| ids.len() > 1).collect();
        let mut found = groups_of(&hashes);
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
        assert!(found.len() > 1);
    }
}
