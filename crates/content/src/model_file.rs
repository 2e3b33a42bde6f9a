//! What the files of trained models have in common: little-endian numbers without padding, and a digest of what they were trained with.

/// The file ends too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CutOff;

/// The bytes not yet read.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], CutOff> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(CutOff)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, CutOff> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, CutOff> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, CutOff> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32, CutOff> {
        self.array().map(f32::from_le_bytes)
    }

    /// A value kept as a whole number of steps.
    pub(crate) fn scaled(&mut self, scale: f32) -> Result<f32, CutOff> {
        Ok(f32::from(i16::from_le_bytes(self.array()?)) * scale)
    }
}

/// A digest of the features' names (FNV-1a over them, a line each), to refuse a model of others.
pub(crate) fn digest<S: AsRef<str>>(names: &[S]) -> u32 {
    let lines = names.iter().enumerate().flat_map(|(place, name)| {
        let end = if place == 0 { "" } else { "\n" };
        end.bytes().chain(name.as_ref().bytes())
    });
    lines.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
