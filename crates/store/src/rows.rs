//! Encoding of rows: a version byte, then postcard.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Version of every row's encoding. A change goes with a migration, which rewrites the rows.
const ROW_VERSION: u8 = 2;

pub(super) fn encode(row: &impl Serialize) -> Vec<u8> {
    // postcard fails only on full buffers and on sequences of unknown length; a vector grows, and rows have none.
    postcard::to_extend(row, vec![ROW_VERSION]).expect("rows are plain data")
}

/// The row in `bytes`, or what is wrong with them.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bytes.split_first() {
        Some((&ROW_VERSION, row)) => postcard::from_bytes(row).map_err(|error| error.to_string()),
        Some((version, _)) => Err(format!("row version {version} is unknown")),
        None => Err("the row is empty".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_strange_ones_are_refused() {
        let bytes = encode(&(7u64, "oak"));
        assert_eq!(decode(&bytes), Ok((7u64, "oak".to_owned())));
        assert!(decode::<(u64, String)>(&[]).is_err());
        assert!(decode::<(u64, String)>(&bytes[..2]).is_err());
        let mut newer = bytes;
        newer[0] = 9;
        let error = decode::<(u64, String)>(&newer).unwrap_err();
        assert!(error.contains("version 9"), "{error}");
    }
}
