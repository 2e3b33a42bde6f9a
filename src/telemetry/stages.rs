//! How long the stages of requests take, told by their spans.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lopper_collection::STAGES;
use tracing::span::{Attributes, Id};
use tracing::{Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::histogram::Histogram;

/// Of all requests since the program was started.
static TIMES: Mutex<BTreeMap<&'static str, Histogram>> = Mutex::new(BTreeMap::new());

/// Counts each span of [`STAGES`] by its name.
pub(super) struct StageTimes;

/// When a span began.
struct Begun(Instant);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for StageTimes {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(Begun(Instant::now()));
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let begun = span.extensions().get::<Begun>().map(|begun| begun.0);
        if let Some(begun) = begun {
            times().entry(span.name()).or_default().count(begun.elapsed());
        }
    }
}

/// Whether a span is a stage.
pub(super) fn is_stage(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && metadata.target() == STAGES
}

/// Writes what was counted as lines for Prometheus: `NAME_bucket{stage="…",le="…"}` and the like.
pub(crate) fn write(out: &mut String, name: &str) {
    for (stage, histogram) in times().iter() {
        histogram.write(out, name, "stage", stage);
    }
}

fn times() -> MutexGuard<'static, BTreeMap<&'static str, Histogram>> {
    TIMES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::filter::filter_fn;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn stages_alone_are_counted() {
        let subscriber = tracing_subscriber::registry().with(StageTimes.with_filter(filter_fn(is_stage)));
        tracing::subscriber::with_default(subscriber, || {
            for _ in 0..2 {
                tracing::debug_span!(target: STAGES, "of_the_test").in_scope(|| ());
            }
            tracing::debug_span!("of_another_target").in_scope(|| ());
        });
        let mut text = String::new();
        write(&mut text, "times");
        assert!(text.contains("times_count{stage=\"of_the_test\"} 2\n"), "{text}");
        assert!(!text.contains("another"), "{text}");
    }
}
