//! The engine inside and the naive one give the same first ten on the demo's archive.

use lopper::eval::retrieval::read_judged;
use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Silent, ingest};
use lopper_collection::links::CountedLinks;
use lopper_content::pipeline::ExtractParams;
use lopper_index::{BlockQuery, Ranking};

#[path = "../engines/mod.rs"]
mod copies;

use self::copies::naive::agreement::agreement;
use self::copies::naive_copy;
use crate::support::repository;

/// Beside the judged queries: what they do not have.
const QUERIES: [&str; 12] = [
    "data",
    "\"open data\"",
    "\"data licence\"~3",
    "+crime -police",
    "title:data maps",
    "site:data.gov.uk school OR hospital",
    "inurl:blog transport",
    "date:2014 apps",
    "licens*",
    "goverment",
    "-data",
    "type:article expenditure",
];

#[test]
fn both_engines_give_the_same_first_ten_on_the_demo() {
    let folder = tempfile::tempdir().unwrap();
    let collection = DataFolder::open_to_write(folder.path(), ExtractParams::default()).unwrap();
    let demo = repository("demo/data-gov-uk-2014.warc.gz");
    ingest(&collection, &[demo], &IngestOptions::default(), &mut Silent).unwrap();
    let (embedded, naive) = (collection.index().searcher(), naive_copy(&collection));
    embedded.reload().unwrap();
    assert!(embedded.count() > 100 && embedded.count() == naive.count());
    assert_eq!(embedded.documents_by_page().unwrap(), naive.documents_by_page().unwrap());
    let judged = repository("tests/quality/retrieval");
    let judged = read_judged(&judged.join("queries.jsonl"), &judged.join("qrels.jsonl")).unwrap();
    let texts = judged.iter().map(|query| query.query.query.as_str()).chain(QUERIES);
    let links = collection.store().snapshot();
    let mut others = Vec::new();
    for text in texts {
        for ranking in [Ranking::Blend, Ranking::Bm25, Ranking::Cosine] {
            let query = BlockQuery { ranking, depth: 100, ..BlockQuery::new(text, 100) };
            if !agreement(&embedded, &naive, &query, &CountedLinks(&links)).is_of_scores_too() {
                others.push((text, ranking));
            }
        }
    }
    assert!(others.is_empty(), "{others:?}");
}
