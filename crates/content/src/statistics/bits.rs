//! Numbers of variable length: seven bits a byte, the lowest first; the top bit says that more follow.

/// Bytes that a number takes at most.
const BYTES_MAX: usize = 10;

pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front of `bytes`; `None` where there is no whole one.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(first.into());
    }
    take_long(bytes)
}

fn take_long(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (place, &byte) in bytes.iter().take(BYTES_MAX).enumerate() {
        let part = u64::from(byte & 0x7f);
        // The tenth byte has room for one bit.
        if place == BYTES_MAX - 1 && part > 1 {
            return None;
        }
        number |= part << (7 * place);
        if byte < 0x80 {
            *bytes = &bytes[place + 1..];
            return Some(number);
        }
    }
    None
}

/// A number with a sign, small where its amount is: 0, -1, 1, -2, …
pub(super) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, shift in 0u32..64, signed: i64, behind: u8) {
            let number = number >> shift;
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            bytes.push(behind);
            let mut rest = &bytes[..];
            prop_assert_eq!(take(&mut rest), Some(number));
            prop_assert_eq!(rest, &[behind][..]);
            prop_assert_eq!(unzigzag(zigzag(signed)), signed);
        }

        #[test]
        fn other_bytes_are_no_number_or_one(bytes: Vec<u8>) {
            let mut rest = &bytes[..];
            if take(&mut rest).is_none() {
                prop_assert_eq!(rest.len(), bytes.len());
            }
        }
    }
}
