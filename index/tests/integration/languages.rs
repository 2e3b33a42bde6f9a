//! A query in each language, and spellings that find each other.

use lopper_analysis::{Analyzer, Language};
use lopper_index::BlockQuery;

use crate::support::{TestIndex, block, page_id};

/// Language, its code, a text, and a query: inflected otherwise, without marks, cut out of a run, or as the word stands.
const QUERIES: &[(&str, &str, &str, &str)] = &[
    // With a stemmer.
    ("Arabic", "ar", "تحتفظ المكتبة بنسخ من الصفحات", "مكتبة"),
    ("Danish", "da", "Biblioteket bevarer kopier af siderne", "bibliotek"),
    ("Dutch", "nl", "De bibliotheek bewaart kopieën van oude boeken", "boek"),
    ("English", "en", "The library keeps copies of archived pages", "archiving"),
    ("Finnish", "fi", "Kirjasto säilyttää vanhoja kirjoja hyllyissä", "kirja"),
    ("French", "fr", "La bibliothèque conserve des copies anciennes", "ancien"),
    ("German", "de", "Die Häuser stehen am Rand der Stadt", "haus"),
    ("Greek", "el", "Οι βιβλιοθήκες φυλάσσουν αντίγραφα", "βιβλιοθήκη"),
    ("Hungarian", "hu", "A könyvtárban régi könyveket őriznek", "könyvek"),
    ("Italian", "it", "Le biblioteche conservano copie antiche", "conservare"),
    ("Norwegian", "no", "Bibliotekene tar vare på gamle sider", "side"),
    ("Portuguese", "pt", "As bibliotecas guardam cópias antigas", "antigo"),
    ("Romanian", "ro", "Paginile arhivate se păstrează", "pagini"),
    ("Russian", "ru", "Библиотеки хранят старые страницы", "библиотека"),
    ("Spanish", "es", "Las bibliotecas guardan copias antiguas", "antiguo"),
    ("Swedish", "sv", "Arkiven bevarar gamla tidningar", "tidning"),
    ("Tamil", "ta", "நூலகங்கள் பழைய பக்கங்களை வைத்திருக்கின்றன", "நூலகம்"),
    ("Turkish", "tr", "Kütüphaneler eski sayfaları saklıyor", "sayfa"),
    // Without blanks between words.
    ("Chinese", "zh", "图书馆保存了许多网页的副本", "网页"),
    ("Japanese", "ja", "図書館はページの写しを保存しています", "写し"),
    ("Korean", "ko", "도서관은 페이지의 사본을 보관하고 있습니다", "도서관"),
    ("Thai", "th", "ห้องสมุดเก็บสำเนาของหน้าเว็บ", "สำเนา"),
    ("Lao", "lo", "ຫໍສະໝຸດເກັບສຳເນົາຂອງໜ້າເວັບ", "ສຳເນົາ"),
    ("Khmer", "km", "បណ្ណាល័យរក្សាទុកច្បាប់ចម្លងនៃទំព័រ", "ទំព័រ"),
    ("Burmese", "my", "စာကြည့်တိုက်သည် စာမျက်နှာမိတ္တူများကို သိမ်းဆည်းသည်", "မိတ္တူ"),
    // As they stand, found without their marks.
    ("Vietnamese", "vi", "Thư viện lưu giữ bản sao của những trang mạng", "thu vien"),
    ("Polish", "pl", "Biblioteka Łódzka przechowuje źródła", "źródło"),
    ("Czech", "cs", "Knihovna uchovává kopie stránek", "stránka"),
    ("Slovak", "sk", "Knižnica uchováva kópie stránok", "kópia"),
    ("Slovenian", "sl", "Knjižnica hrani kopije strani", "kopija"),
    ("Croatian", "hr", "Knjižnica čuva preslike stranica", "stranice"),
    ("Lithuanian", "lt", "Biblioteka saugo puslapių kopijas", "puslapis"),
    ("Latvian", "lv", "Bibliotēka glabā lapu kopijas", "glaba"),
    ("Estonian", "et", "Raamatukogu säilitab lehtede koopiaid", "koopia"),
    ("Icelandic", "is", "Bókasafnið geymir afrit af síðum þess", "bokasafnid thess"),
    ("Catalan", "ca", "La biblioteca conserva còpies de les pàgines", "pàgina"),
    ("Galician", "gl", "A biblioteca garda copias de páxinas", "páxina"),
    ("Basque", "eu", "Liburutegiak orrien kopiak gordetzen ditu", "liburutegia"),
    ("Indonesian", "id", "Perpustakaan menyimpan salinan halaman", "simpan"),
    ("Malay", "ms", "Perpustakaan menyimpan salinan halaman lama", "simpan"),
    ("Albanian", "sq", "Biblioteka ruan kopje të faqeve që humbasin", "qe te"),
    ("Azerbaijani", "az", "Kitabxana səhifələrin surətlərini saxlayır", "sehifelerin saxlayir"),
    ("Ukrainian", "uk", "Бібліотека зберігає копії об'єднання сторінок", "сторінка"),
    ("Belarusian", "be", "Бібліятэка захоўвае копіі старонак", "старонак"),
    ("Bulgarian", "bg", "Библиотеката пази копия на страници", "копия"),
    ("Serbian", "sr", "Библиотека чува копије страница", "странице"),
    ("Macedonian", "mk", "Библиотеката чува копии од страници", "копии"),
    ("Persian", "fa", "کتابخانه نسخه‌هایی از صفحه‌ها را نگه می‌دارد", "کتابخانه‌ها"),
    ("Urdu", "ur", "کتب خانہ صفحات کی نقول محفوظ رکھتا ہے", "نقول"),
    ("Hebrew", "he", "הספרייה שומרת עותקים של דפים", "עותקים"),
    ("Yiddish", "yi", "די ביבליאָטעק האַלט קאָפּיעס", "ביבליאטעק"),
    ("Hindi", "hi", "पुस्तकालय पृष्ठों की प्रतियाँ रखता है", "पृष्ठ"),
    ("Marathi", "mr", "ग्रंथालय पानांच्या प्रती ठेवते", "ग्रंथालय"),
    ("Bengali", "bn", "গ্রন্থাগার পৃষ্ঠার অনুলিপি রাখে", "অনুলিপি"),
    ("Telugu", "te", "గ్రంథాలయం పేజీల ప్రతులను ఉంచుతుంది", "గ్రంథాలయం"),
    ("Georgian", "ka", "ბიბლიოთეკა ინახავს გვერდების ასლებს", "ასლებს"),
    ("Armenian", "hy", "Գրադարանը պահում է էջերի պատճենները", "պատճեն"),
    ("Amharic", "am", "ቤተ መጻሕፍቱ የገጾችን ቅጂዎች ይይዛል", "ቅጂዎች"),
    ("Esperanto", "eo", "La biblioteko konservas kopiojn de paĝoj ĉiam", "paĝo"),
    ("Welsh", "cy", "Mae'r llyfrgell yn cadw copïau", "copiau"),
    ("Irish", "ga", "Coinníonn an leabharlann cóipeanna", "gcóipeanna"),
    ("Maltese", "mt", "Il-librerija żżomm kopji tal-paġni ħfief", "hfief"),
];

/// The pages found, best first.
fn found(test: &TestIndex, query: &str) -> Vec<String> {
    let ranked = test.searcher().search(&BlockQuery::new(query, 10)).unwrap();
    ranked.blocks.into_iter().map(|block| block.document.page_id).collect()
}

/// What is marked in the first block found.
fn marked(test: &TestIndex, query: &str) -> Vec<String> {
    let ranked = test.searcher().search(&BlockQuery::new(query, 1)).unwrap();
    let Some(found) = ranked.blocks.first() else {
        return Vec::new();
    };
    found.highlights.body.iter().map(|range| found.document.body[range.clone()].to_owned()).collect()
}

#[test]
fn every_language_is_found() {
    // Blocks of all languages in one index, so that none is found because its language is the only one. Related ones share words.
    let mut failures = Vec::new();
    let blocks: Vec<_> = QUERIES.iter().zip(1..).map(|((_, code, text, _), page)| block(page, 0, code, text)).collect();
    let test = TestIndex::of(&blocks);
    for ((_, code, text, query), page) in QUERIES.iter().zip(1..) {
        if !found(&test, query).contains(&page_id(page)) || marked(&test, query).is_empty() {
            failures.push(format!("{code}: {query} in {text}"));
        }
    }
    assert_eq!(failures, [""; 0]);
}

#[test]
fn spellings_of_a_word_find_each_other() {
    let cases = [
        ("vi", "trường đại học", "truong dai hoc"),
        ("hi", "हिन्दी में वर्तनी जाँच", "हिंदी जांच"),
        ("hi", "हिंदी में वर्तनी जांच", "हिन्दी जाँच"),
        ("hi", "फ़ाइल खोलें", "फाइल"),
        ("bn", "২০২৪ সালের অনুলিপি", "2024"),
        ("th", "หน้า 12 ของหนังสือ", "๑๒"),
        ("th", "หน้า๑๒ของหนังสือ", "12"),
        ("vi", "truong dai hoc", "trường đại học"),
        ("fr", "un résumé détaillé", "resume detaille"),
        ("fr", "un resume", "résumé"),
        ("de", "Müller und Söhne", "mueller soehne"),
        ("de", "Mueller", "Müller"),
        ("de", "die große Straße", "grosse strasse"),
        ("da", "Århus og Sønderborg", "aarhus soenderborg"),
        ("en", "smørrebrød in Łódź", "smorrebrod lodz"),
        ("el", "η ιστορία της Ελλάδας", "ιστορια"),
        ("ru", "ёлка и мёд", "елка мед"),
        ("ru", "елка", "ёлка"),
        ("ar", "كتاب العَرَبِيَّة", "العربيه"),
        ("ar", "كتـــاب", "كتاب"),
        ("fa", "كتاب", "کتاب"),
        ("he", "שָׁלוֹם עליכם", "שלום"),
        ("tr", "IŞIK ve ısı", "isik"),
        ("tr", "İstanbul", "ISTANBUL"),
        ("en", "ＡＰＩ２ of the ﬁle", "api2 file"),
        ("en", "cafe\u{301} menu", "café"),
        ("en", "soft\u{AD}ware", "software"),
        ("ja", "ｶﾞﾗｽの器", "ガラス"),
        ("zh", "Rust语言教程", "rust"),
        ("zh", "Rust语言教程", "语言"),
        ("zh", "森林公園", "林"),
        ("zh", "森林公園", "園"),
        ("zh", "木 的", "木"),
        ("ko", "집을 짓다", "집"),
        ("en", "call read_csv here", "read csv"),
        ("en", "call readCsv here", "read_csv"),
        ("en", "the HTMLParser class", "parser"),
        ("en", "the JSON_EXTRACT function", "json_extract"),
        ("en", "an e-mail from node.js", "email nodejs"),
        ("en", "wifi", "wi-fi"),
        ("en", "written in C++", "c++"),
        ("en", "iPhone15 review", "iphone15"),
        ("en", "on 2024-01-05", "2024-01-05"),
        ("en", "ask john.doe@example.org", "john.doe@example.org"),
    ];
    let blocks: Vec<_> = cases.iter().zip(1..).map(|((code, text, _), page)| block(page, 0, code, text)).collect();
    let test = TestIndex::of(&blocks);
    let searcher = test.searcher();
    for ((_, text, query), page) in cases.into_iter().zip(1..) {
        let ranked = searcher.search(&BlockQuery::new(query, cases.len())).unwrap();
        let found = ranked.blocks.iter().find(|block| block.document.page_id == page_id(page));
        assert!(found.is_some_and(|block| !block.highlights.body.is_empty()), "{query} in {text}");
    }
}

#[test]
fn the_exact_spelling_comes_first() {
    for (code, exact, other, query) in [
        ("vi", "con hổ ở đây", "ăn phở hồ ở đây", "hổ"),
        ("vi", "má tôi", "mà tôi", "má"),
        ("en", "resume the work", "résumé the work", "resume"),
        ("en", "résumé the work", "resume the work", "résumé"),
        ("de", "schon fertig", "schön fertig", "schon"),
        ("en", "the parser class", "the HTMLParser class", "parser"),
        ("en", "read_csv reads", "readCsv reads", "read_csv"),
        ("en", "str.join reads", "join a str", "str.join"),
        ("en", "C++ code", "C code", "C++"),
        ("en", "C# code", "C++ code", "c#"),
        ("en", "code for .NET here", "a net here", ".NET"),
        ("en", "add #include here", "they include it", "#include"),
        ("en", "set $PATH here", "a path here", "$PATH"),
        ("en", "git push --force here", "a force here", "--force"),
        ("zh", "木 頭", "森木林", "木"),
    ] {
        // Both orders of pages, since ties go by page.
        for (exact_page, other_page) in [(1, 2), (2, 1)] {
            let test = TestIndex::of(&[block(exact_page, 0, code, exact), block(other_page, 0, code, other)]);
            assert_eq!(found(&test, query).first(), Some(&page_id(exact_page)), "{query}: {exact} before {other}");
        }
    }
}

#[test]
fn a_name_with_signs_is_asked_for_exactly() {
    let texts = [
        "C++ code",
        "C code",
        "C# code",
        "the .NET runtime",
        "a net of runtime code",
        "grep --count",
        "a count",
        "def __init__(self)",
        "call object.__init__ first",
        "git init",
        "sql and_",
    ];
    let blocks: Vec<_> = texts.iter().zip(1..).map(|(text, page)| block(page, 0, "en", text)).collect();
    let test = TestIndex::of(&blocks);
    for (query, pages) in [
        ("\"C++\"", &[1][..]),
        ("+C# code", &[3]),
        ("C++ AND code", &[1]),
        ("\".NET\"", &[4]),
        ("runtime -.NET", &[5]),
        ("\"--count\"", &[6]),
        ("\"__init__\"", &[8, 9]),
        ("+__init__", &[8, 9]),
        ("init -__init__", &[10]),
        ("\"object.__init__\"", &[9]),
        ("\"and_\"", &[11]),
        ("\"_init\"", &[8, 9, 10]),
        // No text has the sign, so the word alone is looked for.
        ("\"#count\"", &[6, 7]),
    ] {
        let mut found = found(&test, query);
        found.sort();
        assert_eq!(found, pages.iter().map(|page| page_id(*page)).collect::<Vec<_>>(), "{query}");
    }
}

/// The small words of a language that few pages are in are no names.
#[test]
fn questions_are_answered_in_a_language_that_few_pages_are_in() {
    let english = (1..=900).map(|page| block(page, 0, "en", &format!("The library keeps copies of page {page}")));
    let italian = (901..=1000).map(|page| block(page, 0, "it", &format!("come posso di nuovo usare la pagina {page}")));
    let answer = block(1001, 0, "it", "Si accende la stampante di casa premendo il tasto");
    let elsewhere = block(1002, 0, "en", "stampante la casa");
    let blocks: Vec<_> = english.chain(italian).chain([answer, elsewhere]).collect();
    let test = TestIndex::of(&blocks);
    let found = found(&test, "come posso di nuovo usare la stampante");
    assert_eq!(found.first(), Some(&page_id(1001)));
}

/// A word of a page is in the index by its stem alone, so all languages must be tried.
#[test]
fn words_are_found_in_more_languages_than_eight() {
    let codes = ["en", "de", "fr", "es", "it", "nl", "sv", "da", "pt", "pl", "cs"];
    let many = codes.iter().zip((1..).step_by(20)).flat_map(|(code, first)| {
        let pages = if *code == "cs" { 1 } else { 20 };
        (first..first + pages).map(|page| block(page, 0, code, "abc"))
    });
    let czech = block(900, 0, "cs", "Knihovny uchovávají kopie stránek");
    let test = TestIndex::of(&many.chain([czech]).collect::<Vec<_>>());
    assert_eq!(found(&test, "knihovna"), [page_id(900)]);
    assert_eq!(found(&test, "stránka"), [page_id(900)]);
}

#[test]
fn phrases_are_found_without_marks() {
    for (code, text, query) in [
        ("vi", "Đại học Quốc gia Hà Nội", "\"dai hoc quoc gia ha noi\""),
        ("vi", "Dai hoc Quoc gia", "\"Đại học quốc gia\""),
        ("fr", "les élèves étudient", "\"eleves etudient\""),
        ("en", "read the str.join docs", "\"the str.join docs\""),
        ("zh", "国立森林公園", "\"森林公園\""),
    ] {
        let test = TestIndex::of(&[block(1, 0, code, text), block(2, 0, code, "noi ha gia quoc hoc dai")]);
        assert_eq!(found(&test, query), [page_id(1)], "{query} in {text}");
    }
}

#[test]
fn highlights_mark_other_spellings_and_whole_names() {
    for (code, text, query, expected) in [
        ("vi", "Trường đại học", "truong hoc", &["Trường", "học"][..]),
        ("en", "Use str.join here", "str.join", &["str.join"]),
        ("en", "Use an e-mail", "email", &["e-mail"]),
        ("zh", "森林公園", "公", &["公"]),
    ] {
        let test = TestIndex::of(&[block(1, 0, code, text)]);
        assert_eq!(marked(&test, query), expected, "{query} in {text}");
    }
}

/// The table of `docs/LANGUAGES.md` is made from the code; `LOPPER_UPDATE=1` writes it anew.
#[test]
fn the_documented_table_is_that_of_the_code() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/LANGUAGES.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let head = "| language | code | words | stemmer | also found without | example: query | finds |\n|---|---|---|---|---|---|---|\n";
    let start = document.find(head).expect("the table's head") + head.len();
    let len = document[start..].find("\n\n").expect("an empty line behind the table") + 1;
    let rows: String = QUERIES.iter().map(row).collect();
    if std::env::var_os("LOPPER_UPDATE").is_some() {
        std::fs::write(&path, format!("{}{rows}{}", &document[..start], &document[start + len..])).unwrap();
    } else {
        assert_eq!(&document[start..start + len], rows, "run with LOPPER_UPDATE=1");
    }
}

fn row((name, code, text, query): &(&str, &str, &str, &str)) -> String {
    let language = Language::from_code(code);
    let words = if has_pairs(text, language) { "pairs of characters" } else { "between blanks" };
    let stemmer = if language.has_stemmer() { "yes" } else { "" };
    format!("| {name} | {code} | {words} | {stemmer} | {} | {query} | {text} |\n", left_out(text, code))
}

/// Whether the tokens of a text overlap.
fn has_pairs(text: &str, language: Language) -> bool {
    let mut end = 0;
    let mut overlaps = false;
    Analyzer::new().analyze(text, language, |token| {
        overlaps |= token.start < end;
        end = token.end;
    });
    overlaps
}

/// What a script's writers may leave out, by the script of a text's first letter.
fn left_out(text: &str, code: &str) -> &'static str {
    match text.chars().next().unwrap_or_default() {
        _ if matches!(code, "de" | "da" | "no") => "marks; `ae` for `ä`, `oe` for `ö` `ø`, `ue` for `ü`, `aa` for `å`",
        '\0'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => "marks",
        '\u{370}'..='\u{3FF}' => "tonos and other marks",
        '\u{400}'..='\u{52F}' => "the dots of `ё`, stress marks, apostrophes",
        '\u{590}'..='\u{5FF}' => "points",
        '\u{600}'..='\u{6FF}' => "vowel signs, tatweel, forms of alef, yeh and kaf",
        '\u{900}'..='\u{97F}' => "the dot below; `ं` for `ँ` and for a nasal before its row",
        _ => "",
    }
}
