//! Capture times, for people and for replays.

use lopper_collection::parse_rfc_3339;
use time::OffsetDateTime;

/// An RFC 3339 time in UTC as replay services take it: `20080430204825`.
pub(super) fn replay_time(rfc_3339: &str) -> Option<String> {
    let time = utc(rfc_3339)?;
    let (date, clock) = (time.date(), time.time());
    let (day, hour) = ((date.year(), u8::from(date.month()), date.day()), clock.as_hms());
    Some(format!("{:04}{:02}{:02}{:02}{:02}{:02}", day.0, day.1, day.2, hour.0, hour.1, hour.2))
}

/// The day of an RFC 3339 time in UTC for people, as `30 April 2008`.
pub(super) fn day(rfc_3339: &str) -> Option<String> {
    let date = utc(rfc_3339)?.date();
    Some(format!("{} {} {}", date.day(), date.month(), date.year()))
}

fn utc(rfc_3339: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp(parse_rfc_3339(rfc_3339)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_other_ways() {
        assert_eq!(day("2008-04-30T20:48:25Z").as_deref(), Some("30 April 2008"));
        assert_eq!(replay_time("2008-04-30T22:48:05+02:00").as_deref(), Some("20080430204805"));
        assert_eq!((day("x"), replay_time("2008-04-30")), (None, None));
    }
}
