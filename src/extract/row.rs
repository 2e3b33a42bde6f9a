//! A unit's features as the forests read them.

/// Features that a row has room for: a power of two, so that a feature's number needs no check.
pub const ROW: usize = 512;

/// The features of one unit, and zeros.
pub type Row = [f32; ROW];
