//! `WARC-Date` values, of which not all follow the standard.

use time::{Date, Month};

/// Seconds since 1970-01-01T00:00:00Z.
///
/// Takes the standard's form with or without a fraction, dates cut off behind any part (the missing ones count as the
/// earliest), fourteen digits, and zone offsets. Anything else is `None`.
pub(super) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let mut rest = text.as_bytes();
    let year = number(&mut rest, 4)?;
    let mut parts = [1, 1, 0, 0, 0];
    let mut given = 0;
    while given < parts.len() && !is_zone(rest, given) {
        skip_separator(&mut rest);
        let Some(part) = number(&mut rest, 2) else { break };
        parts[given] = part;
        given += 1;
    }
    skip_fraction(&mut rest);
    let offset = zone_seconds(rest)?;
    seconds(year, parts).map(|seconds| seconds - offset)
}

fn seconds(year: i64, [month, day, hour, minute, second]: [i64; 5]) -> Option<i64> {
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(i32::try_from(year).ok()?, month, u8::try_from(day).ok()?).ok()?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(date.midnight().assume_utc().unix_timestamp() + hour * 3600 + minute * 60 + second)
}

/// `+hh:mm` and `-hh:mm` are zones once hours and minutes are read; before, `-` parts a date.
fn is_zone(rest: &[u8], given: usize) -> bool {
    match rest.first() {
        None | Some(b'Z' | b'z' | b'+' | b'.') => true,
        Some(b'-') => given >= 3,
        Some(_) => false,
    }
}

fn skip_separator(rest: &mut &[u8]) {
    if let [b'-' | b':' | b'T' | b't' | b' ', more @ ..] = *rest {
        *rest = more;
    }
}

fn skip_fraction(rest: &mut &[u8]) {
    if let [b'.' | b',', more @ ..] = *rest {
        let digits = more.iter().take_while(|byte| byte.is_ascii_digit()).count();
        *rest = &more[digits..];
    }
}

fn zone_seconds(mut rest: &[u8]) -> Option<i64> {
    let sign = match rest {
        [] | [b'Z' | b'z' | b'T' | b't' | b'-' | b':'] => return Some(0),
        [b'+', more @ ..] => {
            rest = more;
            1
        }
        [b'-', more @ ..] => {
            rest = more;
            -1
        }
        _ => return None,
    };
    let hours = number(&mut rest, 2)?;
    skip_separator(&mut rest);
    let minutes = number(&mut rest, 2).unwrap_or(0);
    Some(sign * (hours * 3600 + minutes * 60))
}

/// Takes exactly `digits` digits.
fn number(rest: &mut &[u8], digits: usize) -> Option<i64> {
    let (number, more) = rest.split_at_checked(digits)?;
    let value = std::str::from_utf8(number).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    *rest = more;
    value.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_the_forms_in_use() {
        let whole = Some(1_209_588_505);
        assert_eq!(parse("2008-04-30T20:48:25Z"), whole);
        assert_eq!(parse("2008-04-30T20:48:25.123456789Z"), whole);
        assert_eq!(parse("2008-04-30T20:48:25"), whole);
        assert_eq!(parse("20080430204825"), whole);
        assert_eq!(parse("2008-04-30 22:48:25+02:00"), whole);
        assert_eq!(parse("2008-04-30T12:48:25-0800"), whole);
        assert_eq!(parse("2008-04-30T20:48Z"), Some(1_209_588_480));
        assert_eq!(parse("2008-04"), Some(1_207_008_000));
        assert_eq!(parse("2008"), Some(1_199_145_600));
    }

    #[test]
    fn refuses_what_is_no_date() {
        for text in
            ["", "yesterday", "2008-13-01", "2008-04-31T00:00:00Z", "2009-03-65T08:43:19-0800", "20", "2008-04-30Tx"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
