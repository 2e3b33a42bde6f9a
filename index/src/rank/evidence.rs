//! What is known for and against a block.

use super::{PARTS, Part};

/// One number a [`Part`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence([f32; PARTS]);

impl Evidence {
    /// The number of a part.
    pub fn of(&self, part: Part) -> f32 {
        self.0[part as usize]
    }

    pub(super) fn set(&mut self, part: Part, value: f32) {
        self.0[part as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_in_their_order() {
        assert!(Part::ALL.iter().enumerate().all(|(place, part)| *part as usize == place));
    }
}
