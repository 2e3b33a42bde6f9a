//! Numbers for people.

/// With a thin space between thousands: `12 345`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of things, as `1 page` and `2 pages`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Bytes with a unit of thousands.
pub(super) fn bytes(number: u64) -> String {
    let mut value = number as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if value < 1000.0 {
            return if unit == "bytes" { counted(number, "byte", "bytes") } else { format!("{value:.1} {unit}") };
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!((&*grouped(0), &*grouped(123), &*grouped(1_234_567)), ("0", "123", "1\u{2009}234\u{2009}567"));
        assert_eq!((&*bytes(1), &*bytes(999), &*bytes(12_345_678)), ("1 byte", "999 bytes", "12.3 MB"));
        assert_eq!(bytes(u64::MAX), "18446744.1 TB");
    }
}
