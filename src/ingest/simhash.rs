//! A page's similarity hash.

use xxhash_rust::xxh3::Xxh3;

/// Words in a row that are hashed together.
const SHINGLE_WORDS: usize = 3;

/// 64 bits over the words of `texts`: each run of three words votes with its hash on every bit (Charikar's simhash). Of pages that share
/// most of their runs, few bits differ. 0 without words.
pub(super) fn simhash<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut votes = [0i32; 64];
    for text in texts {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() < SHINGLE_WORDS {
            vote(&words, &mut votes);
        }
        words.windows(SHINGLE_WORDS).for_each(|shingle| vote(shingle, &mut votes));
    }
    votes.iter().enumerate().fold(0, |hash, (bit, vote)| hash | u64::from(*vote > 0) << bit)
}

fn vote(words: &[&str], votes: &mut [i32; 64]) {
    if words.is_empty() {
        return;
    }
    let mut hasher = Xxh3::new();
    for word in words {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    let hash = hasher.digest();
    for (bit, vote) in votes.iter_mut().enumerate() {
        *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u64 {
        simhash([text])
    }

    #[test]
    fn near_pages_are_near() {
        let text = (0..400).map(|number| format!("word{}", number * 7 % 101)).collect::<Vec<_>>().join(" ");
        let other = (0..400).map(|number| format!("term{}", number * 5 % 97)).collect::<Vec<_>>().join(" ");
        let near = of(&format!("{text} and one more sentence at the end"));
        assert!((of(&text) ^ near).count_ones() <= 8, "{}", (of(&text) ^ near).count_ones());
        assert!((of(&text) ^ of(&other)).count_ones() >= 16);
        assert_eq!(of(""), 0);
    }
}
