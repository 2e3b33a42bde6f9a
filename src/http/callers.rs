//! How much each caller asks for: requests over time, and at the same time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::allowance::Allowance;

/// Callers that are remembered. Those who rest are forgotten first.
const CALLERS_MAX: usize = 10_000;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Caller {
    /// Whoever has the key of this id.
    Key(String),
    /// Whoever is at this address, without a key.
    Address(IpAddr),
}

impl Caller {
    /// The caller at an address. Who has one address of IPv6 has the 2^64 beside it.
    pub(super) fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(own) => IpAddr::from((own.to_bits() & !u128::from(u64::MAX)).to_be_bytes()),
            own @ IpAddr::V4(_) => own,
        })
    }
}

/// Why a request is not answered now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Over {
    /// Too many came: the next one may come after this time.
    Rate(Duration),
    /// As many as may be are being answered.
    AtWork,
}

/// What callers have asked for.
#[derive(Debug, Default)]
pub(super) struct Callers {
    used: Mutex<HashMap<Caller, Used>>,
    over_rate: AtomicU64,
    over_at_work: AtomicU64,
}

#[derive(Debug)]
struct Used {
    /// Requests that may come now: up to the burst, more by the rate.
    left: f64,
    counted_at: Instant,
    at_work: u32,
    /// When all that may come at once may come again.
    rested_at: Instant,
}

impl Callers {
    /// Lets a request in, until its place is dropped.
    pub(super) fn admit(self: &Arc<Self>, caller: Caller, allowed: Allowance, now: Instant) -> Result<Place, Over> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.len() >= CALLERS_MAX && !used.contains_key(&caller) {
            forget(&mut used, now);
        }
        let own = used.entry(caller.clone()).or_insert_with(|| Used::begin(allowed, now));
        match own.ask(allowed, now) {
            Ok(()) => Ok(Place { callers: Arc::clone(self), caller }),
            Err(over) => {
                let count = if over == Over::AtWork { &self.over_at_work } else { &self.over_rate };
                count.fetch_add(1, Ordering::Relaxed);
                Err(over)
            }
        }
    }

    /// Requests that were refused: for the rate, and for those at work.
    pub(super) fn refused(&self) -> (u64, u64) {
        (self.over_rate.load(Ordering::Relaxed), self.over_at_work.load(Ordering::Relaxed))
    }
}

impl Used {
    fn begin(allowed: Allowance, now: Instant) -> Self {
        let left = allowed.rate_and_burst().map_or(0.0, |(_, burst)| burst);
        Self { left, counted_at: now, at_work: 0, rested_at: now }
    }

    fn ask(&mut self, allowed: Allowance, now: Instant) -> Result<(), Over> {
        if allowed.at_work_max.is_some_and(|max| self.at_work >= max.get()) {
            return Err(Over::AtWork);
        }
        if let Some((rate, burst)) = allowed.rate_and_burst() {
            let since = now.saturating_duration_since(self.counted_at).as_secs_f64();
            self.left = (self.left + rate * since).min(burst);
            self.counted_at = now;
            if self.left < 1.0 {
                return Err(Over::Rate(Duration::from_secs_f64((1.0 - self.left) / rate)));
            }
            self.left -= 1.0;
            self.rested_at = now + Duration::from_secs_f64((burst - self.left) / rate);
        }
        self.at_work += 1;
        Ok(())
    }
}

/// Makes room: who rests loses nothing by being forgotten. Where nobody does, whoever is not at work begins anew.
fn forget(used: &mut HashMap<Caller, Used>, now: Instant) {
    used.retain(|_, used| used.at_work > 0 || used.rested_at > now);
    if used.len() >= CALLERS_MAX {
        used.retain(|_, used| used.at_work > 0);
    }
}

/// A request that is being answered; done on drop.
#[derive(Debug)]
pub(super) struct Place {
    callers: Arc<Callers>,
    caller: Caller,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut used = self.callers.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = used.get_mut(&self.caller) {
            own.at_work = own.at_work.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn allowed(text: &str) -> Allowance {
        toml::from_str(text).unwrap()
    }

    fn key(name: &str) -> Caller {
        Caller::Key(name.to_owned())
    }

    #[test]
    fn a_rate_has_a_burst_and_comes_back_with_time() {
        let (callers, begun) = (Arc::new(Callers::default()), Instant::now());
        let after = |ms: u64| begun + Duration::from_millis(ms);
        let ask = |caller: Caller, ms| callers.admit(caller, allowed("rate = 2\nburst = 3"), after(ms)).map(drop);
        for _ in 0..3 {
            assert_eq!(ask(key("a"), 0), Ok(()));
        }
        assert_eq!(ask(key("a"), 0), Err(Over::Rate(Duration::from_millis(500))));
        assert_eq!(ask(key("b"), 0), Ok(()), "another caller has a rate of its own");
        assert!(ask(key("a"), 499).is_err());
        assert_eq!(ask(key("a"), 500), Ok(()));
        assert!(ask(key("a"), 501).is_err());
        // Rest does not add up beyond the burst.
        assert_eq!((0..5).filter(|_| ask(key("a"), 60_000).is_ok()).count(), 3);
        assert_eq!(callers.refused(), (5, 0));
    }

    #[test]
    fn places_are_given_back() {
        let (callers, now) = (Arc::new(Callers::default()), Instant::now());
        let ask = |name| callers.admit(key(name), allowed("at_work_max = 2"), now);
        let (first, _second) = (ask("a").unwrap(), ask("a").unwrap());
        assert_eq!(ask("a").err(), Some(Over::AtWork));
        assert!(ask("b").is_ok());
        drop(first);
        assert!(ask("a").is_ok());
        assert_eq!(callers.refused(), (0, 1));
    }

    #[test]
    fn callers_are_forgotten_when_there_are_too_many() {
        let (callers, now) = (Arc::new(Callers::default()), Instant::now());
        let ask = |n: u32, at: Instant| {
            callers.admit(Caller::at(Ipv4Addr::from(n).into()), allowed("rate = 1\nburst = 1\nat_work_max = 1"), at)
        };
        let at_work = ask(0, now).unwrap();
        for n in 1..30_000 {
            drop(ask(n, now));
        }
        assert!(callers.used.lock().unwrap().len() <= CALLERS_MAX);
        assert_eq!(ask(0, now + Duration::from_mins(1)).err(), Some(Over::AtWork), "who is at work is remembered");
        drop(at_work);
        assert!(ask(0, now + Duration::from_mins(1)).is_ok());
    }

    #[test]
    fn networks_of_ipv6_are_one_caller() {
        let at = |address: &str| Caller::at(address.parse().unwrap());
        assert_eq!(at("2001:db8:1:2:3::4"), at("2001:db8:1:2:ffff::5"));
        assert_ne!(at("2001:db8:1:2:3::4"), at("2001:db8:1:3:3::4"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
        assert_ne!(at("10.0.0.2"), at("10.0.0.1"));
    }
}
