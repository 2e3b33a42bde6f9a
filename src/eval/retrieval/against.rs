//! What changed of each query's answer since a saved run.

use serde::Serialize;

use super::{JudgedQuery, Metric, QueryScore};

/// The figures that are compared. Of words that must be read, fewer are better.
pub(crate) const COMPARED: [Metric; 3] = [Metric::Ndcg10, Metric::BlockSuccess1, Metric::Read];

/// Least difference that counts.
const DIFFERENCE_MIN: f64 = 1e-9;

/// One figure over all queries that have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Comparison {
    /// The figure.
    pub metric: Metric,
    /// Queries whose figure got better.
    pub better: usize,
    /// Queries whose figure is as it was.
    pub same: usize,
    /// Those whose figure got worse, the most first.
    pub worse: Vec<Regression>,
}

/// A query that is answered worse.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Regression {
    /// Its name.
    pub qid: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// What is searched for.
    pub query: String,
    /// The figure of the saved run.
    pub before: f64,
    /// The figure now.
    pub now: f64,
}

/// Compares the scores of `queries` with those of a saved run, figure by figure.
pub(crate) fn compare(queries: &[JudgedQuery], before: &[QueryScore], now: &[QueryScore]) -> Vec<Comparison> {
    COMPARED.into_iter().map(|metric| comparison(metric, queries, before, now)).collect()
}

fn comparison(metric: Metric, queries: &[JudgedQuery], before: &[QueryScore], now: &[QueryScore]) -> Comparison {
    let sign = if metric.is_in_words() { -1.0 } else { 1.0 };
    let mut comparison = Comparison { metric, better: 0, same: 0, worse: Vec::new() };
    for ((JudgedQuery { query, .. }, before), now) in queries.iter().zip(before).zip(now) {
        let (Some(before), Some(now)) = (before.of(metric), now.of(metric)) else { continue };
        match sign * (now - before) {
            gain if gain.abs() < DIFFERENCE_MIN => comparison.same += 1,
            gain if gain > 0.0 => comparison.better += 1,
            _ => comparison.worse.push(Regression {
                qid: query.qid.clone(),
                kind: query.kind.clone(),
                query: query.query.clone(),
                before,
                now,
            }),
        }
    }
    let loss = |regression: &Regression| sign * (regression.before - regression.now);
    comparison.worse.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    comparison
}

#[cfg(test)]
mod tests {
    use super::super::judged::{Judged, Judgement, Query};
    use super::super::score::{Shown, score};
    use super::*;

    fn judged(qid: &str) -> JudgedQuery {
        let judgement = Judgement {
            qid: qid.to_owned(),
            url: "a".to_owned(),
            grade: 1.0,
            gold_head: "one two three".to_owned(),
            gold_text: String::new(),
        };
        let query = Query { qid: qid.to_owned(), kind: "k".to_owned(), query: format!("query {qid}") };
        JudgedQuery { query, judged: Judged::new(&[judgement]) }
    }

    #[test]
    fn worse_queries_are_told_with_the_greatest_loss_first() {
        let queries = ["q1", "q2", "q3"].map(judged);
        let of = |urls: &[&str]| {
            let shown: Vec<Shown<'_>> = urls.iter().map(|url| Shown { url, text: "one two three" }).collect();
            score(&shown, &queries[0].judged)
        };
        let (first, second, none) = (of(&["a"]), of(&["b", "a"]), of(&["b"]));
        let compared = compare(&queries, &[first, first, second], &[second, none, first]);
        let [ndcg, success, read] = &compared[..] else { panic!("{compared:?}") };
        assert_eq!((ndcg.better, ndcg.same), (1, 0));
        assert_eq!(ndcg.worse.iter().map(|worse| &worse.qid[..]).collect::<Vec<_>>(), ["q2", "q1"]);
        assert_eq!((success.better, success.worse.len()), (1, 2));
        let words: Vec<(f64, f64)> = read.worse.iter().map(|worse| (worse.before, worse.now)).collect();
        assert_eq!(words, [(3.0, 2000.0), (3.0, 6.0)], "more words to read are worse");
        let same = compare(&queries, &[first; 3], &[first; 3]);
        assert!(same.iter().all(|figure| figure.same == 3 && figure.worse.is_empty()));
    }
}
