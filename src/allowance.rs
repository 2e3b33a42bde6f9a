//! What each caller of the HTTP service may ask for: so many requests a second, and so many at work at once.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Fewest requests a second that can be named: some three a month.
const RATE_MIN: f64 = 1e-6;

/// Most requests a second that can be named: more is no limit.
const RATE_MAX: f64 = 1e6;

/// What a caller may ask for. What is not set is not limited, or is as the settings have it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Allowance {
    /// Requests a second, over a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Requests that may come at once after a rest; default: those of two seconds, at least one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<NonZeroU32>,
    /// Requests that are being answered at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_work_max: Option<NonZeroU32>,
}

impl Allowance {
    /// This one, and of `other` what it does not say. A burst belongs to its rate.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let burst = if self.rate.is_some() { self.burst } else { self.burst.or(other.burst) };
        Self { rate: self.rate.or(other.rate), burst, at_work_max: self.at_work_max.or(other.at_work_max) }
    }

    /// Whether it limits nothing.
    pub(crate) fn is_unlimited(self) -> bool {
        self.rate.is_none() && self.at_work_max.is_none()
    }

    /// Requests a second, and those that may come at once; `None` where the rate is not limited.
    pub(crate) fn rate_and_burst(self) -> Option<(f64, f64)> {
        let rate = self.rate?.per_second();
        Some((rate, self.burst.map_or((2.0 * rate).ceil(), |burst| f64::from(burst.get()))))
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.rate.map(|rate| format!("{}/s", rate.per_second()));
        let burst = self.burst.map(|burst| format!("{burst} at once"));
        let at_work = self.at_work_max.map(|max| format!("{max} at work"));
        f.write_str(&[rate, burst, at_work].into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// Requests a second: more than 0.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Rate(f64);

impl Rate {
    /// The number.
    pub(crate) fn per_second(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Rate {
    type Error = String;

    fn try_from(per_second: f64) -> Result<Self, String> {
        let is_rate = (RATE_MIN..=RATE_MAX).contains(&per_second);
        is_rate.then_some(Self(per_second)).ok_or_else(|| {
            format!("a rate is a number of requests a second, as 5 or 0.5, from {RATE_MIN} to {RATE_MAX}")
        })
    }
}

impl From<Rate> for f64 {
    fn from(rate: Rate) -> Self {
        rate.0
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // What is no number is told as such a one.
        Self::try_from(text.parse().unwrap_or(f64::NAN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_key_does_not_say_the_settings_say() {
        let settings: Allowance = toml::from_str("rate = 5\nburst = 9\nat_work_max = 3").unwrap();
        assert_eq!(settings.rate_and_burst(), Some((5.0, 9.0)));
        let own = Allowance { rate: "0.5".parse().ok(), ..Allowance::default() };
        assert_eq!(own.or(settings).to_string(), "0.5/s, 3 at work");
        assert_eq!(own.rate_and_burst(), Some((0.5, 1.0)));
        assert_eq!(Allowance::default().or(settings), settings);
        assert!(Allowance::default().is_unlimited() && !own.is_unlimited());
    }

    #[test]
    fn rates_are_above_nothing() {
        for wrong in ["0", "-1", "inf", "NaN", "many", "", "1000001"] {
            assert!(wrong.parse::<Rate>().unwrap_err().contains("requests a second"), "{wrong}");
        }
        for wrong in ["rate = 0", "burst = 0", "at_work_max = 0", "rat = 1"] {
            assert!(toml::from_str::<Allowance>(wrong).is_err(), "{wrong}");
        }
    }
}
