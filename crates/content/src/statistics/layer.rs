//! The counts of some changes, and their bytes.
//!
//! ```text
//! layer   = sections:u32 section*
//! section = kind:u32 key_bits:u32 bucket_bits:u32 0:u32 entries:u64 total:i64 length:u64 run    run: length bytes, see `run`
//! ```
//! Integers are little-endian. A kind without counts has no section, so that a kind that is added later needs no new format.

use super::{CountRun, Kind, RunError};

const SECTION_HEAD_BYTES: usize = 40;

/// One [`CountRun`] of each [`Kind`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountLayer {
    epoch: u64,
    runs: [CountRun; Kind::ALL.len()],
}

/// Bytes that are no layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// They end too early, or go on behind the end.
    #[error("a part of the counts has a wrong length")]
    Length,
    /// A kind of counts that this version does not know, or one twice.
    #[error("counts of an unknown kind, {0}; use a newer version")]
    Kind(u32),
    /// A run is damaged.
    #[error("the counts cannot be read")]
    Run(#[source] RunError),
}

impl CountLayer {
    /// Of runs, one for each kind in the order of their numbers.
    pub fn new(epoch: u64, runs: [CountRun; Kind::ALL.len()]) -> Self {
        Self { epoch, runs }
    }

    /// The epoch that it was made for.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The counts of a kind.
    pub fn run(&self, kind: Kind) -> &CountRun {
        &self.runs[kind as usize]
    }

    /// Memory that it takes.
    pub fn size_bytes(&self) -> usize {
        self.runs.iter().map(CountRun::size_bytes).sum()
    }

    /// Layers added up, for `epoch`; each run is shortened to the bytes that its kind may have.
    pub(super) fn merged(epoch: u64, layers: &[&Self], bytes_max: [usize; Kind::ALL.len()]) -> Self {
        let run = |kind: Kind| {
            let runs: Vec<&CountRun> = layers.iter().map(|layer| layer.run(kind)).collect();
            CountRun::merged(&runs).shortened(bytes_max[kind as usize])
        };
        Self { epoch, runs: Kind::ALL.map(run) }
    }

    /// With each run shortened to the bytes that its kind may have.
    pub(super) fn shortened(self, bytes_max: [usize; Kind::ALL.len()]) -> Self {
        let mut bytes_max = bytes_max.into_iter();
        Self { runs: self.runs.map(|run| run.shortened(bytes_max.next().unwrap_or(usize::MAX))), ..self }
    }

    /// What is to be stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| self.run(*kind).entries() > 0).collect();
        let mut bytes = Vec::with_capacity(self.size_bytes() + 4 + kinds.len() * SECTION_HEAD_BYTES);
        bytes.extend_from_slice(&(kinds.len() as u32).to_le_bytes());
        for kind in kinds {
            let run = self.run(kind);
            for number in [kind as u32, run.key_bits(), run.bucket_bits(), 0] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            for number in [run.entries(), run.total() as u64, run.bytes().len() as u64] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            bytes.extend_from_slice(run.bytes());
        }
        bytes
    }

    /// Reads a layer back from its [bytes](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`LayerError`] for bytes that are no layer, and of one with kinds that this version does not know.
    pub fn from_bytes(epoch: u64, bytes: &[u8]) -> Result<Self, LayerError> {
        let mut rest = bytes;
        let mut runs: [Option<CountRun>; Kind::ALL.len()] = Default::default();
        for _ in 0..u32::from_le_bytes(number(&mut rest)?) {
            let (kind, run) = section(&mut rest)?;
            let place = &mut runs[kind as usize];
            if place.replace(run).is_some() {
                return Err(LayerError::Kind(kind as u32));
            }
        }
        if !rest.is_empty() {
            return Err(LayerError::Length);
        }
        Ok(Self { epoch, runs: runs.map(Option::unwrap_or_default) })
    }
}

fn section(bytes: &mut &[u8]) -> Result<(Kind, CountRun), LayerError> {
    let small: [u32; 4] = [number(bytes)?, number(bytes)?, number(bytes)?, number(bytes)?].map(u32::from_le_bytes);
    let [entries, total, length] = [number(bytes)?, number(bytes)?, number(bytes)?].map(u64::from_le_bytes);
    let kind = Kind::from_number(small[0]).filter(|_| small[3] == 0).ok_or(LayerError::Kind(small[0]))?;
    let length = usize::try_from(length).map_err(|_| LayerError::Length)?;
    let (run, rest) = bytes.split_at_checked(length).ok_or(LayerError::Length)?;
    *bytes = rest;
    let run = CountRun::from_bytes(small[1], small[2], entries, total as i64, run).map_err(LayerError::Run)?;
    Ok((kind, run))
}

fn number<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], LayerError> {
    let (number, rest) = bytes.split_first_chunk().ok_or(LayerError::Length)?;
    *bytes = rest;
    Ok(*number)
}

#[cfg(test)]
mod tests {
    use super::super::{PageKeys, StatisticsChange};
    use super::*;

    fn layer() -> CountLayer {
        let mut change = StatisticsChange::default();
        change.add(&PageKeys::new(vec![1, 2, 1 << 39], vec![3], Vec::new()));
        change.remove(&PageKeys::new(vec![2, 5], vec![3, 4], Vec::new()));
        change.into_layer(9)
    }

    #[test]
    fn bytes_give_the_layer_back() {
        assert_eq!(CountLayer::from_bytes(9, &layer().to_bytes()), Ok(layer()));
        let empty = StatisticsChange::default().into_layer(1);
        assert_eq!(CountLayer::from_bytes(1, &empty.to_bytes()), Ok(empty));
    }

    #[test]
    fn other_bytes_are_refused() {
        let sound = layer().to_bytes();
        for length in 0..sound.len() {
            assert!(CountLayer::from_bytes(9, &sound[..length]).is_err(), "{length} bytes");
        }
        let mut bytes = sound.clone();
        bytes[4] = 9;
        assert_eq!(CountLayer::from_bytes(9, &bytes), Err(LayerError::Kind(9)));
        for at in 4..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x41;
            if let Ok(other) = CountLayer::from_bytes(9, &bytes) {
                assert_ne!(other.to_bytes(), sound, "byte {at}");
            }
        }
    }
}
