//! Texts and their trees: cases, and laws of the parser.

use proptest::prelude::*;

use super::ast::Node;
use super::error::QueryErrorKind;
use super::{QueryNote, parse};

/// The tree as one line, with everything that is implied.
fn shown(node: &Node) -> String {
    let many = |name: &str, parts: &[Node]| {
        let parts: Vec<String> = parts.iter().map(shown).collect();
        format!("{name}[{}]", parts.join(", "))
    };
    match node {
        Node::Word { text, is_prefix, .. } => format!("{text}{}", if *is_prefix { "…" } else { "" }),
        Node::Phrase { text, slop, .. } => format!("<{text}>{slop}"),
        Node::Require(part) => format!("must {}", shown(part)),
        Node::Not(part) => format!("not {}", shown(part)),
        Node::Field(field, part) => format!("{} = {}", field.name(), shown(part)),
        Node::And(parts) => many("and", parts),
        Node::Or(parts) => many("or", parts),
        Node::List(parts) => many("", parts),
    }
}

#[test]
fn texts_and_their_trees() {
    for (text, tree) in [
        ("a b", "[a, b]"),
        ("a and b or not c", "[a, and, b, or, not, c]"),
        (r#"a "b c" d"#, "[a, <b c>0, d]"),
        ("“a b”~3 «c»", "[<a b>3, <c>0]"),
        (r#"x"a b"y"#, "[x, <a b>0, y]"),
        (r#""a"~x "b"~2z"#, "[<a>0, x, <b>0, 2z]"),
        (r#"a "b c"#, "[a, b, c]"),
        ("+a -b", "[must a, not b]"),
        ("a - b + c", "[a, b, c]"),
        ("--help e-mail C++ x+y", "[--help, e-mail, C++, x+y]"),
        ("__init__ -_x", "[__init__, not _x]"),
        ("-.NET +$PATH ---x ... .", "[not .NET, must $PATH, not --x]"),
        (r#"-"a b" +(c d)"#, "[not <a b>0, must [c, d]]"),
        ("a AND b AND c", "and[a, b, c]"),
        ("a OR b c", "[or[a, b], c]"),
        ("a AND b OR c AND NOT d", "or[and[a, b], and[c, not d]]"),
        ("a (b OR (c AND d))", "[a, or[b, and[c, d]]]"),
        ("(a)AND (b)", "and[a, b]"),
        ("NOT NOT a", "must a"),
        ("NOT -a", "must a"),
        ("-(a -b)", "not [a, not b]"),
        ("AND a", "[and, a]"),
        ("a AND", "[a, and]"),
        ("a NOT", "[a, not]"),
        ("a AND OR b", "[a, or[and, b]]"),
        ("a AND OR b OR", "[a, or[and, b], or]"),
        ("-AND", "not and"),
        ("mill* mi*l *x* f**", "[mill…, mi*l, x…, f**]"),
        ("title:mill Heading:\"a b\"", "[title = mill, heading = <a b>0]"),
        ("title:(a OR b) -title:c", "[title = or[a, b], not title = c]"),
        ("title: a", "[title:, a]"),
        ("title:\"a", "[title:, a]"),
        ("title:-a", "title = -a"),
        ("title:(-a)", "title = not a"),
        ("title:a:b", "title = a:b"),
        ("std::vec http://example.org/a foo:bar", "[std::vec, http://example.org/a, foo:bar]"),
        ("site:example.org/a(b) lang:en", "[site = example.org/a(b), lang = en]"),
        ("date:2008..2010 type:Forum", "[date = 2008..2010, type = Forum]"),
        ("(site:a OR site:b) c", "[or[site = a, site = b], c]"),
        ("lang:(en OR de)", "lang = or[en, de]"),
        ("f(x) g(", "[f(x), g(]"),
        ("PRINT A FILE AND ITS SIZE", "[PRINT, A, FILE, AND, ITS, SIZE]"),
        ("NASA AND ESA OR JAXA OR ISRO", "or[and[NASA, ESA], JAXA, ISRO]"),
        ("WATER MILL AND WIND MILL", "[WATER, and[MILL, WIND], MILL]"),
        ("森林 公園 中国 日本 AND 大阪", "[森林, 公園, 中国, and[日本, 大阪]]"),
        ("Print A FILE AND ITS SIZE", "[Print, A, and[FILE, ITS], SIZE]"),
        ("how to (not) do :( that", "[how, to, not, do, that]"),
        ("() a -() \"\" -\"\" title:()", "a"),
        ("a) b", "[a, b]"),
        ("(a b", "[a, b]"),
        ("(printf(\"x y\") z)", "[printf(, <x y>0, z]"),
    ] {
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.root.as_ref().map(shown).as_deref(), Some(tree), "{text}");
    }
    for text in ["", " ", "?!", "()", "(())", "\"\"", "- + *", "-()", ":"] {
        assert_eq!(parse(text).unwrap().root, None, "{text}");
    }
}

#[test]
fn notes_tell_what_was_not_understood() {
    for (text, expected) in [
        ("a \"b", QueryNote::UnclosedQuote { position_bytes: 2 }),
        ("é AND", QueryNote::OperatorAsWord { position_bytes: 3 }),
        ("a) b", QueryNote::LoneParenthesis { position_bytes: 1 }),
        ("é (b", QueryNote::LoneParenthesis { position_bytes: 3 }),
        ("SHOW ALL OF THE MILLS AND SAILS", QueryNote::ShoutedOperator { position_bytes: 22 }),
        ("\"a b\"~51", QueryNote::SlopCut { position_bytes: 0 }),
    ] {
        assert_eq!(parse(text).unwrap().notes, [expected], "{text}");
    }
    for operators in ["10 20 30 40 50 OR 60", "MARS ROVER IMAGES OF 2020 NOT SIZES", "MILLS AND SAILS"] {
        assert!(parse(operators).unwrap().notes.is_empty(), "{operators}");
    }
}

#[test]
fn errors_tell_where_and_what_to_do() {
    use QueryErrorKind::{
        BadDate, BadLanguage, BadSite, BadType, ReversedDates, TooDeep, TooManyParts, UnclosedParenthesis,
        UnopenedParenthesis,
    };
    let value = |value: &str| value.to_owned();
    for (text, position_bytes, kind, advice) in [
        ("a AND (b", 6, UnclosedParenthesis, "add a `)`"),
        ("+é (b (c)", 4, UnclosedParenthesis, "in quotes"),
        ("a OR b) c", 6, UnopenedParenthesis, "remove it"),
        ("é date:may", 8, BadDate { value: value("may") }, "date:2008..2010"),
        ("date:(2008 OR x)", 14, BadDate { value: value("x") }, "date:2008"),
        ("date:2008*", 5, BadDate { value: value("2008*") }, "date:2008"),
        ("date:2010..2008", 5, ReversedDates { value: value("2010..2008") }, "earlier"),
        ("lang:e", 5, BadLanguage { value: value("e") }, "lang:en"),
        ("site:/a", 5, BadSite { value: value("/a") }, "site:example.org"),
        ("type:\"blog post\"", 6, BadType { value: value("blog post") }, "article, forum"),
        (&"(".repeat(100_000), 64, TooDeep, "flatter"),
        (&"\"a\" b* lang:en ".repeat(22), 319, TooManyParts, "fewer"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!((error.position_bytes, &error.kind), (position_bytes, &kind));
        assert!(error.to_string().contains(advice), "{error}");
        let json = serde_json::to_string(&error).unwrap();
        assert_eq!(serde_json::from_str::<super::QueryError>(&json).unwrap(), error);
    }
}

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        " ",
        " ",
        " ",
        "a",
        "B",
        "cd",
        "é",
        "森林",
        "ภา",
        "\u{301}",
        "(",
        ")",
        "\"",
        "“",
        "»",
        "~2",
        "~",
        "+",
        "-",
        "--",
        "$",
        "#",
        "*",
        ":",
        ".",
        " AND ",
        " OR ",
        " NOT ",
        "AND",
        "NOT",
        "title:",
        "heading:",
        "site:",
        "lang:en",
        "inurl:",
        "date:2008",
        "..",
        "type:",
        "forum",
        "date:",
        "2009",
        "http://",
        "'",
        "\u{a0}",
        "\u{0}",
    ]);
    prop_oneof![any::<String>(), prop::collection::vec(pieces, 0..25).prop_map(|pieces| pieces.concat())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_a_tree_or_an_error_with_a_place(text in texts()) {
        match parse(&text) {
            Err(error) => prop_assert!(text.is_char_boundary(error.position_bytes)),
            Ok(parsed) => {
                let Some(root) = parsed.root else { return Ok(()) };
                let again = parse(&root.to_string());
                prop_assert!(again.is_ok(), "{root}: {again:?}");
                prop_assert_eq!(again.unwrap().root, Some(root));
            }
        }
    }
}
