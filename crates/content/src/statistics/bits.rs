//! Numbers of variable length: seven bits a byte, the lowest first; the top bit says that more follow.

/// Bits before the last byte that a number can have.
const BITS_MAX: u32 = 63;

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
    match *bytes {
        // Most numbers are small.
        [byte, rest @ ..] if *byte < 0x80 => {
            *bytes = rest;
            Some(u64::from(*byte))
        }
        // Gaps of hashes take some bytes.
        [a, b, rest @ ..] if *b < 0x80 => {
            *bytes = rest;
            Some(u64::from(*a & 0x7f) | u64::from(*b) << 7)
        }
        [a, b, c, rest @ ..] if *c < 0x80 => {
            *bytes = rest;
            Some(u64::from(*a & 0x7f) | u64::from(*b & 0x7f) << 7 | u64::from(*c) << 14)
        }
        _ => take_long(bytes),
    }
}

fn take_long(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            *bytes = &bytes[at + 1..];
            // The tenth byte has room for one bit.
            return Some(number).filter(|_| shift < BITS_MAX || byte < 2);
        }
        shift += 7;
        if shift > BITS_MAX {
            return None;
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
            if let Some(number) = take(&mut rest) {
                let mut again = Vec::new();
                put(&mut again, number);
                prop_assert!((1..=bytes.len() - rest.len()).contains(&again.len()));
            }
        }
    }
}
