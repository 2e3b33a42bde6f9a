//! Times as they are told and asked for (RFC 3339).

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A time in UTC, of seconds since 1970-01-01T00:00:00Z; `None` for one that has no four-digit year.
pub fn rfc_3339(seconds: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(seconds).ok()?.format(&Rfc3339).ok()
}

/// Seconds since 1970-01-01T00:00:00Z of a time as it is told.
pub fn parse_rfc_3339(text: &str) -> Option<i64> {
    OffsetDateTime::parse(text.trim(), &Rfc3339).ok().map(OffsetDateTime::unix_timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_back() {
        assert_eq!(parse_rfc_3339("2008-04-30T22:48:25.5+02:00"), Some(1_209_588_505));
        assert_eq!(rfc_3339(1_209_588_505).as_deref(), Some("2008-04-30T20:48:25Z"));
        assert_eq!((parse_rfc_3339("2008-04-30"), rfc_3339(i64::MAX)), (None, None));
    }
}
