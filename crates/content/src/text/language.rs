//! The language of a page, told in microseconds from a sample of its text and from what the page declares.

use whichlang::Lang;

use super::alphabet;
use super::language_code;
use super::script::{Letters, Script};

pub use super::language_code::primary;

/// Bytes of text that are looked at, from its middle: beginnings and ends are full of names and menus.
const SAMPLE_BYTES: usize = 2000;

/// Bytes of each part of the sample that the slower detector sees.
const PART_BYTES: usize = 100;

/// Those parts.
const PARTS: usize = 4;

/// Letters below which a text tells nothing.
const LETTERS_MIN: usize = 20;

/// Languages of the fast detector.
const FAST: &[&str] = &["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pt", "ru", "sv", "tr", "vi", "zh"];

/// Languages that are written in Cyrillic and, but for Serbian and Uzbek, seldom otherwise.
const CYRILLIC: &[&str] =
    &["ab", "av", "ba", "be", "bg", "ce", "cv", "kk", "kv", "ky", "mk", "mn", "os", "ru", "sr", "tg", "tt", "uk", "uz"];

/// Languages that are written in Arabic letters.
const ARABIC: &[&str] = &["ar", "fa", "ks", "ku", "ps", "sd", "ug", "ur"];

/// Languages that share a script with the one the script stands for.
const NEIGHBOURS: &[(&str, &str)] =
    &[("he", "yi"), ("hi", "mr"), ("hi", "ne"), ("hi", "sa"), ("bn", "as"), ("am", "ti"), ("bo", "dz")];

/// Languages of other scripts than Latin that have a whole script to themselves.
const OWN_SCRIPT: &[&str] = &[
    "am", "as", "bn", "bo", "dv", "dz", "el", "gu", "he", "hi", "hy", "ja", "ka", "km", "kn", "ko", "lo", "ml", "mr",
    "my", "ne", "or", "pa", "sa", "si", "ta", "te", "th", "ti", "yi", "zh",
];

/// Tells the language of `text` as an ISO 639-1 code; empty when nothing tells it.
///
/// `declared` is what the page says of itself (`lang`, `Content-Language`). It decides for texts of a few letters, and
/// between answers that are alike; it does not outweigh a text that is plainly written in another language.
///
/// ```
/// use lopper_content::text::language::detect;
///
/// assert_eq!(detect("Der schnelle braune Fuchs springt über den faulen Hund.", None), "de");
/// assert_eq!(detect("OK", Some("fr-CA")), "fr");
/// ```
pub fn detect(text: &str, declared: Option<&str>) -> &'static str {
    let declared = declared.and_then(primary);
    let sample = middle(text, SAMPLE_BYTES);
    let letters = Letters::of(sample);
    if letters.count() < LETTERS_MIN {
        return declared.unwrap_or_default();
    }
    match letters.script(declared.map(script_of)) {
        Script::Ideographic => letters.ideographic_language(),
        Script::Of(language) => neighbour(language, declared),
        Script::Cyrillic => by_words(&without_latin(sample), declared.filter(|code| CYRILLIC.contains(code))),
        Script::Arabic => by_words(&without_latin(sample), declared.filter(|code| ARABIC.contains(code))),
        Script::Latin => by_words(sample, declared.filter(|code| script_of(code) == Script::Latin)),
    }
}

/// The script that a declared language is written in, as a rule.
pub(super) fn script_of(code: &str) -> Script {
    match code {
        "zh" | "ja" | "ko" => Script::Ideographic,
        "sr" | "uz" | "ku" => Script::Latin,
        code if CYRILLIC.contains(&code) => Script::Cyrillic,
        code if ARABIC.contains(&code) => Script::Arabic,
        code => match OWN_SCRIPT.iter().find(|own| **own == code) {
            Some(own) => {
                let shared = NEIGHBOURS.iter().find(|(_, neighbour)| neighbour == own);
                Script::Of(shared.map_or(own, |(language, _)| language))
            }
            None => Script::Latin,
        },
    }
}

/// A text in another script, without names, code and lists of codes in Latin letters.
fn without_latin(sample: &str) -> String {
    sample.chars().map(|letter| if letter.is_ascii_alphabetic() { ' ' } else { letter }).collect()
}

/// At most `len` bytes from the middle of `text`, at the boundaries of characters.
fn middle(text: &str, len: usize) -> &str {
    let start = boundary(text, text.len().saturating_sub(len) / 2);
    let end = boundary(text, (start + len).min(text.len()));
    &text[start..end]
}

/// The last boundary of characters that is not behind `index`.
fn boundary(text: &str, index: usize) -> usize {
    (0..=index).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0)
}

fn neighbour(language: &'static str, declared: Option<&'static str>) -> &'static str {
    declared.filter(|declared| NEIGHBOURS.contains(&(language, declared))).unwrap_or(language)
}

/// Asks the fast detector, and the slower one where the first cannot know or is contradicted.
fn by_words(sample: &str, declared: Option<&'static str>) -> &'static str {
    let fast = fast(sample);
    if declared == Some(fast) || (declared.is_none() && fast == "en" && is_plainly_english(sample)) {
        return fast;
    }
    let is_wrong = alphabet::contradicts(sample, fast);
    if declared.is_none() && alphabet::is_basque(sample) {
        return "eu";
    }
    // A page that declares its language may be translated in part; without that a text in one piece tells more.
    let second_sample = match declared {
        Some(_) => spread(sample),
        None => sample[..boundary(sample, (PARTS * PART_BYTES).min(sample.len()))].to_owned(),
    };
    let (slow, is_sure) = slow(&second_sample, is_wrong.then_some(fast));
    match declared {
        Some(declared) if declared == slow => declared,
        // English is what pages are that were never asked for their language; any other answer may be a relative.
        Some(declared) if fast != "en" && !is_known(declared) => declared,
        _ if fast == slow => fast,
        // Two guesses at what is no running text, such as a list of names.
        Some(declared) if !is_sure => declared,
        None if is_wrong && !slow.is_empty() => slow,
        _ if is_sure && !FAST.contains(&slow) => slow,
        Some(declared) if !FAST.contains(&declared) => declared,
        _ => fast,
    }
}

fn fast(sample: &str) -> &'static str {
    match whichlang::detect_language(sample) {
        Lang::Ara => "ar",
        Lang::Cmn => "zh",
        Lang::Deu => "de",
        Lang::Eng => "en",
        Lang::Fra => "fr",
        Lang::Hin => "hi",
        Lang::Ita => "it",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Nld => "nl",
        Lang::Por => "pt",
        Lang::Rus => "ru",
        Lang::Spa => "es",
        Lang::Swe => "sv",
        Lang::Tur => "tr",
        Lang::Vie => "vi",
    }
}

/// Parts of a sample from its whole length, which may be in two languages.
fn spread(sample: &str) -> String {
    let part = |place: usize| {
        let start = boundary(sample, sample.len() * place / PARTS);
        let length = PART_BYTES.min(sample.len() / PARTS);
        &sample[start..boundary(sample, start + length)]
    };
    (0..PARTS).map(part).collect::<Vec<_>>().join(" ")
}

/// The slower detector's answer, which is not `wrong`, and whether it is sure of it.
fn slow(sample: &str, wrong: Option<&str>) -> (&'static str, bool) {
    let is_wrong = |lang: &&whatlang::Lang| wrong.is_some() && language_code::code(lang.code()) == wrong;
    let denied = whatlang::Lang::all().iter().filter(is_wrong).copied();
    match whatlang::Detector::with_denylist(denied.collect()).detect(sample) {
        Some(info) => (language_code::code(info.lang().code()).unwrap_or_default(), info.is_reliable()),
        None => ("", false),
    }
}

/// Whether the commonest word of English stands as often in the sample as in any English text. This spares most pages
/// that declare nothing the slower detector.
fn is_plainly_english(sample: &str) -> bool {
    let articles = memchr::memmem::find_iter(sample.as_bytes(), " the ").count();
    articles >= 2 && articles * 400 >= sample.len()
}

/// Whether one of the detectors could have told this language.
fn is_known(code: &str) -> bool {
    let is_slow = || whatlang::Lang::all().iter().any(|lang| language_code::code(lang.code()) == Some(code));
    FAST.contains(&code) || is_slow()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENTENCES: &[(&str, &str)] = &[
        ("en", "The library keeps copies of pages that would otherwise have been lost within a few years."),
        ("de", "Die Bibliothek bewahrt Abbilder von Seiten auf, die sonst nach wenigen Jahren verloren wären."),
        ("fr", "La bibliothèque conserve des copies de pages qui auraient disparu au bout de quelques années."),
        ("es", "La biblioteca guarda copias de páginas que de otro modo se habrían perdido en pocos años."),
        ("it", "La biblioteca conserva le copie delle pagine che altrimenti sarebbero andate perdute in pochi anni."),
        ("pt", "A biblioteca guarda cópias de páginas que, de outra forma, teriam desaparecido em poucos anos."),
        ("nl", "De bibliotheek bewaart kopieën van pagina's die anders binnen enkele jaren verloren zouden zijn."),
        ("sv", "Biblioteket bevarar kopior av sidor som annars skulle ha gått förlorade inom några få år."),
        ("tr", "Kütüphane, aksi takdirde birkaç yıl içinde kaybolacak olan sayfaların kopyalarını saklıyor."),
        ("vi", "Thư viện lưu giữ bản sao của những trang mà nếu không sẽ bị mất đi chỉ trong vài năm."),
        ("ru", "Библиотека хранит копии страниц, которые иначе были бы утрачены уже через несколько лет."),
        ("ar", "تحتفظ المكتبة بنسخ من الصفحات التي كانت ستضيع خلال بضع سنوات لولا ذلك."),
        ("hi", "पुस्तकालय उन पृष्ठों की प्रतियाँ रखता है जो अन्यथा कुछ ही वर्षों में खो जाते।"),
        ("zh", "图书馆保存了许多网页的副本，否则这些网页几年之内就会消失。"),
        ("ja", "図書館は、そうでなければ数年のうちに失われてしまうページの写しを保存しています。"),
        ("ko", "도서관은 그렇지 않으면 몇 년 안에 사라질 페이지의 사본을 보관하고 있습니다."),
        ("el", "Η βιβλιοθήκη φυλάσσει αντίγραφα σελίδων που αλλιώς θα είχαν χαθεί μέσα σε λίγα χρόνια."),
        ("th", "ห้องสมุดเก็บสำเนาของหน้าเว็บที่มิฉะนั้นจะสูญหายไปภายในไม่กี่ปี"),
        ("he", "הספרייה שומרת עותקים של דפים שאחרת היו אובדים בתוך שנים ספורות."),
        ("ta", "இல்லையெனில் சில ஆண்டுகளில் தொலைந்துபோகும் பக்கங்களின் நகல்களை நூலகம் வைத்திருக்கிறது."),
        ("ka", "ბიბლიოთეკა ინახავს იმ გვერდების ასლებს, რომლებიც სხვაგვარად დაიკარგებოდა."),
        ("hy", "Գրադարանը պահում է այն էջերի պատճենները, որոնք այլապես կկորչեին։"),
    ];

    /// Languages that the fast detector does not know.
    const DECLARED: &[(&str, &str)] = &[
        ("pl", "Biblioteka przechowuje kopie stron, które w przeciwnym razie zaginęłyby w ciągu kilku lat."),
        ("cs", "Knihovna uchovává kopie stránek, které by se jinak během několika let ztratily."),
        ("hu", "A könyvtár olyan oldalak másolatait őrzi, amelyek különben néhány éven belül elvesznének."),
        ("fi", "Kirjasto säilyttää kopioita sivuista, jotka muuten katoaisivat muutamassa vuodessa."),
        ("ro", "Biblioteca păstrează copii ale paginilor care altfel s-ar fi pierdut în câțiva ani."),
        ("da", "Biblioteket bevarer kopier af sider, som ellers ville være gået tabt inden for få år."),
        ("no", "Biblioteket tar vare på kopier av sider som ellers ville ha gått tapt i løpet av få år."),
        ("id", "Perpustakaan menyimpan salinan halaman yang jika tidak akan hilang dalam beberapa tahun."),
        ("uk", "Бібліотека зберігає копії сторінок, які інакше були б втрачені вже за кілька років."),
        ("bg", "Библиотеката пази копия на страници, които иначе щяха да бъдат загубени след няколко години."),
        ("fa", "کتابخانه نسخه‌هایی از صفحه‌هایی را نگه می‌دارد که در غیر این صورت از بین می‌رفتند."),
        ("gl", "A biblioteca garda copias de páxinas que doutro xeito se terían perdido en poucos anos."),
    ];

    #[test]
    fn lists_of_codes_do_not_outweigh_the_declared_script() {
        let codes = "da | de | en | es | fr | ja | ko | pt-br | ru | tr | zh-cn\n".repeat(3);
        let russian = "Русский\nДокументация по установке\nМодули и директивы\nЧасто задаваемые вопросы\n";
        assert_eq!(detect(&format!("{russian}{codes}{russian}"), Some("ru")), "ru");
        let chinese = "模块索引\n常见问题与安装文档\n指令的快速参考\n";
        assert_eq!(detect(&format!("{chinese}{codes}{chinese}"), Some("zh-cn")), "zh");
    }

    #[test]
    fn what_most_of_a_sample_is_in_counts() {
        let of = |code| SENTENCES.iter().chain(DECLARED).find(|(known, _)| *known == code).map_or("", |(_, text)| text);
        let mixed = [of("en"), of("cs"), of("cs"), of("cs")].join("\n");
        assert_eq!(detect(&mixed, Some("cs")), "cs");
    }

    #[test]
    fn tells_languages_that_nobody_declares() {
        for (code, text) in SENTENCES {
            assert_eq!(detect(text, None), *code, "{text}");
        }
    }

    #[test]
    fn letters_tell_what_the_fast_detector_takes_for_another() {
        for (code, text) in [
            ("da", "Efter installationen kan du læse hjælpen på skærmen, og øvrige pakker findes på den næste side."),
            (
                "cs",
                "Do takového stavu se dostanete například při instalaci z běžného disku; stačí vybrat oblast a její velikost.",
            ),
            (
                "sl",
                "Če želite odpreti pogovorno okno, kliknite na gumb in določite pot do datoteke na vašem računalniku.",
            ),
            ("fa", "برای نصب بسته‌ها می‌توانید از این گزینه استفاده کنید و سپس رایانه را دوباره راه‌اندازی کنید."),
            ("uk", "Щоб зберегти зображення, натисніть кнопку, і програма відкриє вікно з її параметрами."),
            (
                "eu",
                "Leiho hau irekitzeko, egin klik botoian eta aukeratu nahi duzun fitxategia; ez da ezer gehiago behar.",
            ),
        ] {
            assert_eq!(detect(text, None), code, "{text}");
        }
    }

    #[test]
    fn letters_of_other_scripts_and_marks_say_nothing() {
        for (code, declared, text) in [
            ("ar", None, "بِسْمِ اللَّهِ الرَّحْمَٰنِ الرَّحِيمِ الْحَمْدُ لِلَّهِ رَبِّ الْعَالَمِينَ وَتُحْفَظُ الْكُتُبُ فِي الْمَكْتَبَةِ"),
            (
                "ru",
                None,
                "Словарь: Straße — улица, Brücke — мост, Kühe — коровы, Bäume — деревья, Schlüssel — ключ от дома",
            ),
            ("da", Some("da"), "Pakkerne hentes fra nettet, og systemet er klar når de øvrige filer er på plads."),
            ("no", Some("no"), "Pakkene hentes fra nettet, og systemet er klart når de øvrige filene er på plass."),
        ] {
            assert_eq!(detect(text, declared), code, "{text}");
        }
    }

    #[test]
    fn tells_languages_that_are_declared() {
        for (code, text) in DECLARED.iter().chain(SENTENCES) {
            assert_eq!(detect(text, Some(code)), *code, "{text}");
            assert_eq!(detect(&text.repeat(100), Some(code)), *code, "{text}");
        }
    }

    #[test]
    fn a_wrong_declaration_is_overruled() {
        for (code, text) in SENTENCES {
            for declared in ["en-US", "ja", "pl"] {
                assert_eq!(detect(text, Some(declared)), *code, "{text} declared {declared}");
            }
        }
    }

    #[test]
    fn short_texts_are_what_they_are_declared() {
        assert_eq!(detect("", None), "");
        assert_eq!(detect("12 - 15 %", Some("da")), "da");
        assert_eq!(detect("Accueil", Some("nonsense")), "");
    }

    #[test]
    fn lists_of_names_are_what_they_are_declared() {
        for text in [
            "abs acos acosh add_months aggregate any_value approx_percentile array_agg array_contains array_distinct array_except",
            "Anna Rossi, Marco Bianchi, Lucia Verdi, Peter Smith, Ivan Petrov, Jean Dupont, Hans Müller, Pablo Torres",
            "os.path.abspath os.path.basename os.path.commonpath os.path.dirname os.path.exists os.path.expanduser",
            "Madrid Barcelona Sevilla Valencia Bilbao Granada Toledo Salamanca Paris Lyon Marseille Nice Toulouse",
        ] {
            assert_eq!(detect(text, Some("en")), "en", "{text}");
        }
    }

    #[test]
    fn samples_end_at_characters() {
        let text = "ß→😀".repeat(5000);
        for len in [0, 1, 2, 3, 5, 8, 2000, 100_000] {
            assert!(middle(&text, len).len() <= len);
        }
        assert_eq!(middle("abcdef", 2), "cd");
    }
}
