//! A unit's features as the forests read them.

/// Features that a row has room for: a power of two, so that a feature's number, taken modulo it, needs no check. There are fewer names
/// of features, which a test holds.
pub const ROW_FEATURES_MAX: usize = 512;

/// The features of one unit, and zeros.
pub type Row = [f32; ROW_FEATURES_MAX];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_features_have_room() {
        assert!(crate::extract::forest_judge::feature_names().len() <= ROW_FEATURES_MAX);
    }
}
