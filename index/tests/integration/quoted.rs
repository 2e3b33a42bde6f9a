//! Queries that are quoted from a text, as messages of errors are.

use lopper_index::{BlockQuery, Feature, NoLinks, RankingWeights};

use crate::support::{TestIndex, block, page_id};

#[test]
fn a_message_is_found_where_it_is_quoted() {
    let uses = "Contact the server of the realm: any realm can be requested, and a server that cannot be reached is asked again.";
    let quotes = format!(
        "{} The message is: cannot contact any server for requested realm. {0}",
        "Other messages say more of it. ".repeat(6)
    );
    let test = TestIndex::of(&[
        block(1, 0, "en", uses),
        block(2, 0, "en", &quotes),
        block(3, 0, "en", "A barn beside the mill."),
    ]);
    let first = |query: &str, weights: &RankingWeights| {
        let ranked = test.searcher().search_with(&BlockQuery::new(query, 3), &NoLinks, weights).unwrap();
        ranked.blocks[0].document.page_id.clone()
    };
    let built_in = RankingWeights::default();
    let message = "cannot contact any server for requested realm";
    assert_eq!(first(message, &built_in), page_id(2));
    assert_eq!(first(message, &built_in.without(Feature::Verbatim)), page_id(1));
    assert_eq!(first("contact requested server realm again", &built_in), page_id(1), "its words, and no quotation");
}
