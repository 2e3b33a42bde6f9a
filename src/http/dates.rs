//! Capture times in and out.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// RFC 3339 in UTC; `None` for a time that has no four-digit year.
pub(super) fn rfc_3339(seconds: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(seconds).ok()?.format(&Rfc3339).ok()
}

/// Seconds since 1970 of an RFC 3339 time.
pub(super) fn parse_rfc_3339(text: &str) -> Option<i64> {
    OffsetDateTime::parse(text.trim(), &Rfc3339).ok().map(OffsetDateTime::unix_timestamp)
}

/// The day of an RFC 3339 time for people, as `30 April 2008`.
pub(super) fn day(rfc_3339: &str) -> Option<String> {
    let date = OffsetDateTime::parse(rfc_3339, &Rfc3339).ok()?.date();
    Some(format!("{} {} {}", date.day(), date.month(), date.year()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_back() {
        assert_eq!(parse_rfc_3339("2008-04-30T22:48:25.5+02:00"), Some(1_209_588_505));
        assert_eq!(rfc_3339(1_209_588_505).as_deref(), Some("2008-04-30T20:48:25Z"));
        assert_eq!(day("2008-04-30T20:48:25Z").as_deref(), Some("30 April 2008"));
        assert_eq!((parse_rfc_3339("2008-04-30"), day("x"), rfc_3339(i64::MAX)), (None, None, None));
    }
}
