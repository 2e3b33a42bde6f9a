//! Words of a query that are written apart or together otherwise than in the collection.

use serde_json::json;

use crate::support::{folder, run};

#[test]
fn words_are_joined_and_parted_as_the_collection_has_them() {
    let page = |name: &str, text: &str| format!("<html lang=en><title>{name}</title><h1>{name}</h1><p>{text}");
    let heat = page("Heat", "A thermostat saves heat in every room, so that nobody has to turn the valve.");
    let rules = page("Rules", "The borrow checker compares scopes, and the miller looks for a smart borrow of flour.");
    let files = [("heat.html", heat.as_bytes()), ("rules.html", rules.as_bytes())];
    let folder = folder(&files);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let answer = |query: &str| run(folder.path(), ["search", "--data", "data", "--format", "json", "--", query]).json();
    let told = |query: &str| answer(query)["notes"][0]["correction"].clone();
    let correction = |given: &str, suggested: &str| json!({"position_bytes": 0, "given": given, "suggested": suggested, "applied": true});
    assert_eq!(told("thermo stat"), correction("thermo stat", "thermostat"));
    assert_eq!(answer("thermo stat")["pages"][0]["title"], "Heat");
    assert_eq!(told("BorrowChecker"), correction("BorrowChecker", "Borrow Checker"));
    assert_eq!(answer("BorrowChecker")["pages"][0]["title"], "Rules");
    for query in ["borrow checker", "smart borrow", "every room", "thermo Stat"] {
        let notes = answer(query)["notes"].to_string();
        assert!(!notes.contains("\"given\":\"thermo stat\"") && !notes.contains("borrow"), "{query}: {notes}");
    }
}

#[test]
fn neighbouring_words_are_found_as_one_too() {
    let page = |name: &str, text: &str| format!("<html lang=en><title>{name}</title><h1>{name}</h1><p>{text}");
    let names = page("Computers", "The hostname is what others call it; change it where the network is set up.");
    let guests = page("Guests", "A host greets each guest by name, and will change the plates.");
    let files = [("names.html", names.as_bytes()), ("guests.html", guests.as_bytes())];
    let folder = folder(&files);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let search = |query: &str| run(folder.path(), ["search", "--data", "data", "--format", "json", "--", query]).json();
    let both = search("change host name");
    assert_eq!((both["pages"].as_array().unwrap().len(), &both["notes"]), (2, &json!([])));
    assert_eq!(search("host name of computers in a network")["pages"][0]["title"], "Computers");
    assert_eq!(search("+host +name")["pages"].as_array().unwrap().len(), 1, "what must be there is not found as one");
    let grouped = search("+(host guest) host name");
    assert_eq!(grouped["pages"].as_array().unwrap().len(), 1, "nor what must be there in a group");
    let block = &search("change host name")["pages"][1]["blocks"][0]["snippet"];
    let marked: Vec<&str> = block["highlights"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| {
            let at = |end: &str| part[end].as_u64().unwrap() as usize;
            &block["text"].as_str().unwrap()[at("start")..at("end")]
        })
        .collect();
    assert_eq!(marked, ["hostname"]);
}

#[test]
fn a_stem_of_two_words_that_one_has_by_itself_is_no_form_of_the_other() {
    let apt = "<html lang=en><title>Apt</title><h1>Apt</h1><p>The call getits(apt) lists how apt will get its files.";
    let mills =
        "<html lang=ca><title>Molins</title><h1>Molins</h1><p>El vent fa girar les aspes dels molins de la vila.";
    let folder = folder(&[("apt.html", apt.as_bytes()), ("mills.html", mills.as_bytes())]);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let answer = run(folder.path(), ["search", "--data", "data", "--format", "json", "--explain", "get its"]).json();
    let words = answer["explanation"]["words"].as_array().unwrap();
    let terms =
        |word: usize| words[word]["forms"].as_array().unwrap().iter().map(|form| form["term"].as_str().unwrap());
    assert!(terms(1).any(|term| term == "getits"), "as one: {words:?}");
    assert!(terms(1).all(|term| term != "get"), "{words:?}");
}

#[test]
fn a_compound_that_is_nowhere_is_found_by_its_parts() {
    let page = |name: &str, text: &str| format!("<html lang=de><title>{name}</title><h1>{name}</h1><p>{text}");
    let rights = page("Rechte", "Jede Datei hat Rechte: wer sie lesen darf, und wer in die Datei schreiben darf.");
    let mills = page("Mühlen", "Die Mühle am Bach hat ein Rad aus Eichenholz, und der Müller hat alle Rechte.");
    let folder = folder(&[("rechte.html", rights.as_bytes()), ("muehlen.html", mills.as_bytes())]);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let answer = |query: &str| run(folder.path(), ["search", "--data", "data", "--format", "json", "--", query]).json();
    let told = &answer("Dateirechte")["notes"][0]["correction"];
    assert_eq!((&told["suggested"], &told["applied"]), (&json!("Datei rechte"), &json!(true)));
    assert_eq!(answer("Dateirechte")["pages"][0]["title"], "Rechte");
    let unknown = answer("Mühlenpatent")["notes"].to_string();
    assert!(!unknown.contains("suggested"), "no page has a patent: {unknown}");
}

#[test]
fn a_word_that_asks_in_the_language_of_the_pages_counts_little() {
    let page = |name: &str, text: &str| format!("<html lang=fr><title>{name}</title><h1>{name}</h1><p>{text}");
    let prints = page("Impression", "Pour imprimer sur les deux faces, choisissez le recto verso de la feuille.");
    let asks = page("Questions", "Comment choisir ? Comment ranger ? Comment imprimer avec une autre encre ?");
    let files = [("impression.html", prints.as_bytes()), ("questions.html", asks.as_bytes())];
    let others = ["Le moulin tourne.", "La farine est blanche.", "Le meunier dort."].map(|text| page("Moulin", text));
    let names = ["a.html", "b.html", "c.html"];
    let files: Vec<(&str, &[u8])> =
        files.into_iter().chain(names.into_iter().zip(others.iter().map(String::as_bytes))).collect();
    let folder = folder(&files);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let explained = |query: &str| {
        let answer =
            run(folder.path(), ["search", "--data", "data", "--format", "json", "--explain", "--", query]).json();
        let idf = |word: usize| answer["explanation"]["words"][word]["idf"].as_f64().unwrap();
        (idf(0), idf(1))
    };
    let (comment, verso) = explained("comment verso");
    assert!(comment < 0.61 * verso, "{comment} beside {verso}");
    let (encre, verso) = explained("encre verso");
    assert!((encre - verso).abs() < 1e-6, "{encre} beside {verso}");
}
