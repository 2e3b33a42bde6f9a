//! Ranges of time as they are written behind `date:`.

use super::error::QueryErrorKind;

/// Seconds since 1970 in UTC, both ends included; an open end has no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateRange {
    pub(super) from: Option<i64>,
    pub(super) to: Option<i64>,
}

const DAY_SECONDS: i64 = 86_400;

impl DateRange {
    /// Reads `A`, `A..B`, `A..` or `..B`, where each end is the beginning of an RFC 3339 time: a year at least. An end
    /// is meant whole: `2008..2010` goes up to the last second of 2010.
    pub(super) fn parse(text: &str) -> Result<Self, QueryErrorKind> {
        let bad = || QueryErrorKind::BadDate { value: text.to_owned() };
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        if from.is_empty() && to.is_empty() {
            return Err(bad());
        }
        let span_of = |end: &str| match end {
            "" => Some(None),
            end => span(end).map(Some),
        };
        let (from, to) = (span_of(from).ok_or_else(bad)?, span_of(to).ok_or_else(bad)?);
        let range = Self { from: from.map(|(first, _)| first), to: to.map(|(_, last)| last) };
        match range {
            Self { from: Some(from), to: Some(to) } if from > to => {
                Err(QueryErrorKind::ReversedDates { value: text.to_owned() })
            }
            range => Ok(range),
        }
    }
}

/// The last second, since 1970 in UTC, of what the beginning of an RFC 3339 time stands for: a year at least. `None` for other texts.
pub fn last_second_of(text: &str) -> Option<i64> {
    span(text).map(|(_, last)| last)
}

/// First and last second of what the beginning of an RFC 3339 time in UTC stands for.
fn span(text: &str) -> Option<(i64, i64)> {
    let (date, time) = match text.split_once(['T', 't']) {
        Some((date, time)) => (date, Some(time.strip_suffix(['Z', 'z']).unwrap_or(time))),
        None => (text, None),
    };
    let (first_day, days) = days(date)?;
    let start = first_day * DAY_SECONDS;
    let Some(time) = time else { return Some((start, start + days * DAY_SECONDS - 1)) };
    if date.len() != "2008-05-17".len() {
        return None;
    }
    let (second, seconds) = seconds(time)?;
    Some((start + second, start + second + seconds - 1))
}

/// First day since 1970 and number of days of `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
fn days(date: &str) -> Option<(i64, i64)> {
    let mut parts = date.split('-');
    let year = number(parts.next()?, 4, 9999)?;
    let month = parts.next().map(|month| number(month, 2, 12).filter(|month| *month > 0));
    let day = parts.next().map(|day| number(day, 2, 31).filter(|day| *day > 0));
    if parts.next().is_some() {
        return None;
    }
    let first = |year, month| days_before(year, month);
    match (month, day) {
        (None, _) => Some((first(year, 1), first(year + 1, 1) - first(year, 1))),
        (Some(month), day) => {
            let month = month?;
            let next = if month == 12 { first(year + 1, 1) } else { first(year, month + 1) };
            let length = next - first(year, month);
            match day {
                None => Some((first(year, month), length)),
                Some(day) => day.filter(|day| *day <= length).map(|day| (first(year, month) + day - 1, 1)),
            }
        }
    }
}

/// First second of the day and number of seconds of `HH`, `HH:MM` or `HH:MM:SS`; parts of a second are passed over.
fn seconds(time: &str) -> Option<(i64, i64)> {
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut parts = time.split(':');
    let hour = number(parts.next()?, 2, 23)?;
    let Some(minute) = parts.next() else { return Some((hour * 3600, 3600)) };
    let minute = number(minute, 2, 59)?;
    let Some(second) = parts.next() else { return Some((hour * 3600 + minute * 60, 60)) };
    // A leap second counts as the one before it.
    let second = number(second, 2, 60)?.min(59);
    parts.next().is_none().then_some((hour * 3600 + minute * 60 + second, 1))
}

fn number(text: &str, digits: usize, max: i64) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && *number <= max)
}

/// Days from 1970-01-01 to the first of a month of the Gregorian calendar.
fn days_before(year: i64, month: i64) -> i64 {
    const BEFORE_MONTH: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    // Leap days of the years before this one, from year 0 on.
    let past = year - 1;
    let leap_days = past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400);
    let days = year * 365 + leap_days + BEFORE_MONTH[(month - 1) as usize] + i64::from(is_leap && month > 2);
    days - 719_527
}

/// The year, in UTC, of a time in seconds since 1970.
pub fn year_of(seconds: i64) -> i64 {
    // Years are counted from March, so that the leap day ends them, and in eras of 400 years, which all have as many days.
    const ERA_DAYS: i64 = 146_097;
    let days = seconds.div_euclid(DAY_SECONDS) - days_before(0, 3);
    let (era, day) = (days.div_euclid(ERA_DAYS), days.rem_euclid(ERA_DAYS));
    let year = (day - day / 1460 + day / 36_524 - day / (ERA_DAYS - 1)) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    // From March on it takes 306 days to the next January.
    era * 400 + year + i64::from(day_of_year >= 306)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_by_hand() {
        // `date -u -d … +%s`
        for (text, from, to) in [
            ("1970", Some(0), Some(31_535_999)),
            ("2008", Some(1_199_145_600), Some(1_230_767_999)),
            ("2008-02", Some(1_201_824_000), Some(1_204_329_599)),
            ("2008-12-31", Some(1_230_681_600), Some(1_230_767_999)),
            ("2008-12-31T23", Some(1_230_764_400), Some(1_230_767_999)),
            ("2008-12-31T23:59", Some(1_230_767_940), Some(1_230_767_999)),
            ("2008-12-31T23:59:59Z", Some(1_230_767_999), Some(1_230_767_999)),
            ("2008-12-31t23:59:60.25z", Some(1_230_767_999), Some(1_230_767_999)),
            ("2008..2010", Some(1_199_145_600), Some(1_293_839_999)),
            ("2008-03..", Some(1_204_329_600), None),
            ("..2000-02-29", None, Some(951_868_799)),
            ("2008..2008-01-01", Some(1_199_145_600), Some(1_199_231_999)),
            ("0000", Some(-62_167_219_200), Some(-62_135_596_801)),
            ("9999-12-31", Some(253_402_214_400), Some(253_402_300_799)),
        ] {
            assert_eq!(DateRange::parse(text), Ok(DateRange { from, to }), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "..",
            "...",
            "08",
            "20080",
            "2008-1",
            "2008-13",
            "2008-00",
            "2007-02-29",
            "2008-04-31",
            "2008-01-01-01",
            "2008T10",
            "2008-01-01T24",
            "2008-01-01T10:60",
            "2008-01-01T10:00:00+02:00",
            "2008-01-01T",
            "may",
            "2008..2009..2010",
            "+008",
            "2008-01-01T10:00:00.",
        ] {
            let found = DateRange::parse(text);
            assert!(matches!(found, Err(QueryErrorKind::BadDate { .. })), "{text}: {found:?}");
        }
        assert!(matches!(DateRange::parse("2010..2008"), Err(QueryErrorKind::ReversedDates { .. })));
    }

    #[test]
    fn years_of_times() {
        for year in [-401, -1, 0, 1, 1599, 1600, 1899, 1900, 1970, 1972, 1999, 2000, 2024, 2100, 9999] {
            let (first, next) = (days_before(year, 1) * DAY_SECONDS, days_before(year + 1, 1) * DAY_SECONDS);
            assert_eq!((year_of(first), year_of(next - 1)), (year, year));
        }
        assert!(year_of(i64::MAX) > 9999 && year_of(i64::MIN) < 0);
    }
}
