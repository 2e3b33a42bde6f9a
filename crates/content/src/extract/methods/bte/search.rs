//! Step 2: the search for `[i, j]`, three times.

/// A stretch of a token stream or of its run lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interval {
    /// First element, `i`.
    pub start: usize,
    /// One past the last element, `j + 1`. Equal to `start` where no interval has a sum below 0, so there are no words.
    pub end: usize,
    /// Sum of the elements: tags inside less words inside. 0 or less.
    pub sum: i64,
}

/// The original search: for every `i` and `j` the whole stream is gone through for the tags before `i`, the words
/// inside and the tags after `j`. O(n³) in the tokens.
///
/// ```
/// use lopper_content::extract::methods::bte::{Interval, search_cubic};
///
/// let tokens = [1, 1, -1, -1, -1, -1, -1];
/// assert_eq!(search_cubic(&tokens), Interval { start: 2, end: 7, sum: -5 });
/// ```
pub fn search_cubic(binary_tokens: &[i8]) -> Interval {
    let tags = |tokens: &[i8]| tokens.iter().map(|token| i32::from(*token > 0)).sum::<i32>();
    let words = |tokens: &[i8]| tokens.iter().map(|token| i32::from(*token < 0)).sum::<i32>();
    let all_tags = i64::from(tags(binary_tokens));
    let mut best = Interval::default();
    for i in 0..binary_tokens.len() {
        for j in i..binary_tokens.len() {
            let (before, rest) = binary_tokens.split_at(i);
            let (inside, after) = rest.split_at(j + 1 - i);
            // As many as can be: tags outside and words inside. Less all tags, that is the sum with its sign turned.
            let objective = i64::from(tags(before) + words(inside) + tags(after));
            let sum = all_tags - objective;
            if sum < best.sum {
                best = Interval { start: i, end: j + 1, sum };
            }
        }
    }
    best
}

/// Algorithm 2 over `encode[]`: every negative `i`, with the sum `s` carried along `j`. O(n²) in the run lengths.
///
/// Differs from the paper, whose listing cannot be run: 1) lines 31 to 35 move `j` to the end before anything is summed, so
/// lines 36 to 44 stand inside the loop here; 2) `min` of line 40 is never set, at first or later; 3) line 41 adds a number of
/// tokens to an index of `encode[]`, so `i` and `j` stay indices here, and line 47's sums are
/// [`TokenStream`](super::TokenStream)'s matter; 4) `j` runs to `length - 1`, and the counters of lines 34, 43 and 45 are
/// not raised twice.
///
/// ```
/// use lopper_content::extract::methods::bte::{Interval, search_quadratic};
///
/// assert_eq!(search_quadratic(&[2, -5]), Interval { start: 1, end: 2, sum: -5 });
/// ```
pub fn search_quadratic(encode: &[i32]) -> Interval {
    let mut best = Interval::default();
    for i in 0..encode.len() {
        if encode[i] > 0 {
            continue;
        }
        let mut s = 0;
        for (j, k) in encode.iter().enumerate().skip(i) {
            s += i64::from(*k);
            if s < best.sum {
                best = Interval { start: i, end: j + 1, sum: s };
            }
        }
    }
    best
}

/// The same by one pass: the best interval that ends at `j` is the best one that ends before it with `j` added, or begins at
/// `j`, when that one's sum is above 0. O(n) in the run lengths.
///
/// ```
/// use lopper_content::extract::methods::bte::{Interval, search_linear};
///
/// assert_eq!(search_linear(&[2, -5]), Interval { start: 1, end: 2, sum: -5 });
/// ```
pub fn search_linear(encode: &[i32]) -> Interval {
    let mut best = Interval::default();
    let mut here = Interval::default();
    for (j, k) in encode.iter().enumerate() {
        if here.sum > 0 || here.start == here.end {
            here = Interval { start: j, end: j, sum: 0 };
        }
        here.end = j + 1;
        here.sum += i64::from(*k);
        if here.sum < best.sum {
            best = here;
        }
    }
    best
}

/// By element: the sum of the best interval that holds it. O(n).
pub(super) fn best_sums_through(encode: &[i32]) -> Vec<i64> {
    let mut through = vec![0i64; encode.len()];
    let mut ending = 0i64;
    for (sum, k) in through.iter_mut().zip(encode) {
        ending = ending.min(0) + i64::from(*k);
        *sum = ending;
    }
    let mut beginning = 0i64;
    for (sum, k) in through.iter_mut().zip(encode).rev() {
        *sum += beginning.min(0);
        beginning = beginning.min(0) + i64::from(*k);
    }
    through
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::encode;
    use super::*;

    /// Places of run lengths as places of tokens.
    fn in_tokens(encode: &[i32], found: Interval) -> Interval {
        let token = |at: usize| encode[..at].iter().map(|run| run.unsigned_abs() as usize).sum();
        Interval { start: token(found.start), end: token(found.end), sum: found.sum }
    }

    #[test]
    fn searches_by_hand() {
        // The best interval bridges one tag: -3 + 1 - 4.
        let encoded = [4, -3, 1, -4, 6, -5, 2];
        assert_eq!(search_linear(&encoded), Interval { start: 1, end: 4, sum: -6 });
        assert_eq!(search_quadratic(&encoded), search_linear(&encoded));
        assert_eq!(best_sums_through(&encoded), [-2, -6, -6, -6, -5 + 6 - 6, -5, -3]);
        assert_eq!(search_linear(&[3]), Interval::default());
        assert_eq!(search_linear(&[]), Interval::default());
    }

    proptest! {
        #[test]
        fn all_three_find_the_same(tokens in prop::collection::vec(prop::sample::select(vec![1i8, -1]), 0..80)) {
            let encoded = encode(&tokens);
            let linear = search_linear(&encoded);
            prop_assert_eq!(search_quadratic(&encoded), linear);
            prop_assert_eq!(search_cubic(&tokens), in_tokens(&encoded, linear));
        }

        #[test]
        fn the_best_interval_is_the_best_through_its_elements(encoded in prop::collection::vec(-9i32..9, 0..60)) {
            let found = search_linear(&encoded);
            let through = best_sums_through(&encoded);
            prop_assert_eq!(through.iter().copied().min().unwrap_or(0).min(0), found.sum);
            prop_assert!(through[found.start..found.end].iter().all(|sum| *sum == found.sum));
        }
    }
}
