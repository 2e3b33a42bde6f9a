//! The model: a multinomial logistic regression over steps of the numbers and over words.
//!
//! P(type) = softmax((b + Σ w_n + Σ w_h) / temperature), with `b` the bias, `w_n` the weights of the step that each number has
//! reached, and `w_h` those of each word of the page that the model knows. O(numbers + words).
//!
//! The file is little-endian, without padding:
//!
//! ```text
//! "LOPT"  u16 version = 2  u32 digest of the numbers' names
//! f32 temperature  7 × f32 told_min  f32 known_min  f32 known_words_min  f32 number scale  f32 word scale  7 × f32 bias
//! u16 numbers  numbers × { u8 steps  steps × { f32 threshold  7 × i16 weight } }
//! u32 words    words × { u32 hash  7 × i8 weight }                                   hashes ascending
//! ```
//!
//! A number reaches a step when it is above its threshold; thresholds ascend, and a step's weights are for all that reach it and
//! no later one.

use super::{PageType, Verdict};
use crate::model_file::{CutOff, Reader, digest};

const MAGIC: &[u8; 4] = b"LOPT";
const VERSION: u16 = 2;
const TYPES: usize = PageType::ALL.len();

/// Hashes with the same first bits are looked for together.
const BUCKET_BITS: u32 = 12;

/// A value for each type.
type ByType = [f32; TYPES];

/// What tells types from descriptions.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    temperature: f32,
    /// The least probability at which each type is told.
    told_min: ByType,
    /// The least share of a page's words that the model must know.
    known_min: f32,
    /// The least number of them.
    known_words_min: f32,
    bias: ByType,
    /// By number: thresholds with weights.
    numbers: Vec<Vec<(f32, ByType)>>,
    hashes: Vec<u32>,
    weights: Vec<[i8; TYPES]>,
    word_scale: f32,
    /// Where the hashes of each bucket begin, and the end of the last.
    buckets: Vec<u32>,
}

/// Why a model file cannot be used.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum PageTypeModelError {
    /// It is no model file, or one of another version.
    #[error("not a page type model of version {VERSION}")]
    NotAModel,
    /// It was trained with other numbers.
    #[error("the page type model was trained with other numbers: train it again")]
    OtherNumbers,
    /// It ends too early or is longer than its content.
    #[error("the page type model is cut off or too long")]
    Length,
    /// A value is not finite, or out of order.
    #[error("the page type model is damaged")]
    Damaged,
}

use PageTypeModelError as ModelError;

impl From<CutOff> for ModelError {
    fn from(_: CutOff) -> Self {
        Self::Length
    }
}

impl Model {
    /// Reads and checks a model file for numbers of those names.
    ///
    /// # Errors
    ///
    /// When the file is not a sound model for these numbers.
    pub fn read(bytes: &[u8], names: &[&str]) -> Result<Self, ModelError> {
        let mut reader = Reader(bytes);
        if reader.array() != Ok(*MAGIC) || reader.u16() != Ok(VERSION) {
            return Err(ModelError::NotAModel);
        }
        if reader.u32()? != digest(names) {
            return Err(ModelError::OtherNumbers);
        }
        let model = reader.model()?;
        if !reader.0.is_empty() {
            return Err(ModelError::Length);
        }
        if model.is_sound() && model.numbers.len() == names.len() { Ok(model) } else { Err(ModelError::Damaged) }
    }

    fn is_sound(&self) -> bool {
        let steps = || self.numbers.iter().flatten();
        let single = [self.temperature, self.known_min, self.known_words_min, self.word_scale];
        let values = single.into_iter().chain(self.told_min).chain(self.bias);
        values.chain(steps().flat_map(|(_, weights)| *weights)).all(f32::is_finite)
            && self.temperature > 0.0
            && self.numbers.iter().all(|steps| steps.is_sorted_by(|a, b| a.0 < b.0))
            && self.hashes.is_sorted_by(|a, b| a < b)
    }

    /// What to think of a page with these numbers and hashes of words.
    ///
    /// No type is told of a page that has too few words which the model knows: it is in another language, or of a kind that was not
    /// learnt.
    pub fn judge(&self, numbers: &[f32], words: &[u32]) -> Verdict {
        let (known, of_words) = self.sum_of_words(words);
        let mut sums = self.bias.map(f64::from);
        add(&mut sums, &of_words.map(|sum| f64::from(sum) * f64::from(self.word_scale)));
        for (steps, value) in self.numbers.iter().zip(numbers) {
            let reached = steps.partition_point(|(threshold, _)| value > threshold);
            if let Some((_, weights)) = reached.checked_sub(1).and_then(|step| steps.get(step)) {
                add(&mut sums, &weights.map(f64::from));
            }
        }
        let known = known as f32;
        let is_known = known >= self.known_words_min && known >= self.known_min * words.len() as f32;
        let told_min = if is_known { self.told_min } else { [f32::INFINITY; TYPES] };
        Verdict { probabilities: softmax(sums.map(|sum| sum / f64::from(self.temperature))), told_min }
    }

    /// How many of the words are known, and the sum of their weights.
    fn sum_of_words(&self, words: &[u32]) -> (usize, [i32; TYPES]) {
        let (mut known, mut sums) = (0, [0; TYPES]);
        for word in words.iter().filter_map(|word| self.find(*word)) {
            known += 1;
            for (sum, weight) in sums.iter_mut().zip(&self.weights[word]) {
                *sum += i32::from(*weight);
            }
        }
        (known, sums)
    }

    fn find(&self, hash: u32) -> Option<usize> {
        let bucket = (hash >> (32 - BUCKET_BITS)) as usize;
        let (start, end) = (self.buckets[bucket] as usize, self.buckets[bucket + 1] as usize);
        let at = self.hashes[start..end].iter().position(|known| *known == hash)?;
        Some(start + at)
    }
}

fn add(sums: &mut [f64; TYPES], weights: &[f64; TYPES]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight;
    }
}

fn softmax(sums: [f64; TYPES]) -> ByType {
    let highest = sums.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let powers = sums.map(|sum| (sum - highest).exp());
    let total: f64 = powers.iter().sum();
    powers.map(|power| (power / total) as f32)
}

impl Reader<'_> {
    fn by_type<T: Copy + Default>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, CutOff>,
    ) -> Result<[T; TYPES], CutOff> {
        let mut values = [T::default(); TYPES];
        for value in &mut values {
            *value = read(self)?;
        }
        Ok(values)
    }

    fn model(&mut self) -> Result<Model, CutOff> {
        let (temperature, told_min) = (self.f32()?, self.by_type(Self::f32)?);
        let (known_min, known_words_min) = (self.f32()?, self.f32()?);
        let (number_scale, word_scale) = (self.f32()?, self.f32()?);
        let bias = self.by_type(Self::f32)?;
        let numbers = (0..self.u16()?).map(|_| self.steps(number_scale)).collect::<Result<_, _>>()?;
        let (mut hashes, mut weights) = (Vec::new(), Vec::new());
        for _ in 0..self.u32()? {
            hashes.push(self.u32()?);
            weights.push(self.by_type(|reader| Ok(i8::from_le_bytes(reader.array()?)))?);
        }
        let first_of = |bucket: u32| hashes.partition_point(|hash| (hash >> (32 - BUCKET_BITS)) < bucket) as u32;
        let buckets = (0..=1 << BUCKET_BITS).map(first_of).collect();
        Ok(Model {
            temperature,
            told_min,
            known_min,
            known_words_min,
            bias,
            numbers,
            hashes,
            weights,
            word_scale,
            buckets,
        })
    }

    fn steps(&mut self, scale: f32) -> Result<Vec<(f32, ByType)>, CutOff> {
        (0..self.u8()?).map(|_| Ok((self.f32()?, self.by_type(|reader| reader.scaled(scale))?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One number with the steps 1 and 2, one word; the second type is told by the first step, the third by the word.
    fn file() -> Vec<u8> {
        let mut bytes = [MAGIC.as_slice(), &VERSION.to_le_bytes(), &digest(&["n"]).to_le_bytes()].concat();
        let told_min = [0.75_f32, 0.99, 0.75, 0.75, 0.75, 0.75, 0.75];
        let floats = [0.5].into_iter().chain(told_min).chain([0.5, 1.0, 0.001, 0.25]).chain([0.0; TYPES]);
        bytes.extend(floats.flat_map(f32::to_le_bytes));
        bytes.extend([1, 0, 2]);
        for (threshold, second) in [(1.0_f32, 2000_i16), (2.0, 0)] {
            bytes.extend(threshold.to_le_bytes());
            bytes.extend([0, second, 0, 0, 0, 0, 0].into_iter().flat_map(i16::to_le_bytes));
        }
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(0xF000_0001_u32.to_le_bytes());
        bytes.extend([0, 0, 12, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn probabilities_are_those_computed_by_hand() {
        let model = Model::read(&file(), &["n"]).unwrap();
        let near = |a: f32, b: f64| assert!((f64::from(a) - b).abs() < 1e-6, "{a} {b}");
        let probability = |number: f32, words: &[u32], kind: usize| model.judge(&[number], words).probabilities[kind];
        near(probability(1.0, &[], 0), 1.0 / 7.0);
        let e4 = 4.0_f64.exp();
        near(probability(1.5, &[7], 1), e4 / (e4 + 6.0));
        near(probability(2.5, &[], 1), 1.0 / 7.0);
        let e6 = 6.0_f64.exp();
        near(probability(1.5, &[7, 0xF000_0001], 2), e6 / (e6 + e4 + 5.0));
        near(probability(f32::NAN, &[], 3), 1.0 / 7.0);
    }

    #[test]
    fn a_type_is_told_of_known_pages_alone() {
        let model = Model::read(&file(), &["n"]).unwrap();
        assert_eq!(model.judge(&[1.5], &[7, 0xF000_0001]).told(), Some(PageType::Service));
        assert_eq!(model.judge(&[1.5], &[7, 8, 0xF000_0001]).told(), None);
        assert_eq!(model.judge(&[1.5], &[]).told(), None, "too few words");
        let documentation = model.judge(&[1.5], &[7]);
        assert_eq!(documentation.likeliest().0, PageType::Documentation);
        assert!((0.75..0.99).contains(&documentation.likeliest().1) && documentation.told().is_none());
    }

    #[test]
    fn files_that_are_no_sound_model_are_refused() {
        let sound = file();
        assert_eq!(Model::read(&sound, &["m"]), Err(ModelError::OtherNumbers));
        assert_eq!(Model::read(b"LOPM", &["n"]), Err(ModelError::NotAModel));
        for end in 10..sound.len() {
            assert_eq!(Model::read(&sound[..end], &["n"]), Err(ModelError::Length), "{end}");
        }
        assert_eq!(Model::read(&[sound.as_slice(), &[0]].concat(), &["n"]), Err(ModelError::Length));
        let mut cold = sound;
        cold[10..14].copy_from_slice(&0.0_f32.to_le_bytes());
        assert_eq!(Model::read(&cold, &["n"]), Err(ModelError::Damaged));
    }
}
