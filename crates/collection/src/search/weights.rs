//! Weights of the ranking from a file.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lopper_index::RankingWeights;

/// Why a file gives no weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// It cannot be read.
    #[error("cannot read the weights in {}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It does not hold weights.
    #[error("{} holds no weights of the ranking", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// Reads weights: TOML where the file's name ends in `.toml`, else JSON. See [`RankingWeights`] for what stands in it.
///
/// # Errors
///
/// [`WeightsError`] names the file; of a weight or feature that cannot be, its cause names it.
pub fn read_weights(file: &Path) -> Result<RankingWeights, WeightsError> {
    let io = |source| WeightsError::Io { file: file.to_owned(), source };
    let text = fs::read_to_string(file).map_err(io)?;
    let is_toml = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let read: Result<RankingWeights, Box<dyn Error + Send + Sync>> = if is_toml {
        toml::from_str(&text).map_err(Into::into)
    } else {
        serde_json::from_str(&text).map_err(Into::into)
    };
    read.map_err(|source| WeightsError::Malformed { file: file.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use lopper_index::Feature;

    use super::*;

    #[test]
    fn both_forms_are_read_and_mistakes_told() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            read_weights(&file)
        };
        let json = write("w.json", r#"{"version": "a", "weights": {"bm25f": 1.0, "page": 0.5}}"#).unwrap();
        let toml = write("w.toml", "version = \"a\"\n[weights]\nbm25f = 1.0\npage = 0.5\n").unwrap();
        assert_eq!(json, toml);
        assert!((toml.of(Feature::Page) - 0.5).abs() < f32::EPSILON && toml.of(Feature::Cosine) == 0.0);
        let error = write("x.toml", "version = \"a\"\n[weights]\npages = 0.5\n").unwrap_err();
        assert!(error.source().unwrap().to_string().contains("pages"), "{error:?}");
        assert!(matches!(read_weights(&folder.path().join("none")), Err(WeightsError::Io { .. })));
    }
}
