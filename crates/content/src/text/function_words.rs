//! The commonest small words of languages, and which languages each is a word of.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Languages as a set: a bit for the place of each in [`LISTS`].
pub(super) type LanguageSet = u64;

/// Of each language the words that stand in nearly every text of it, most frequent first as a rule, in lower case. Those of one Latin letter
/// are left out, since names and code are full of them.
const LISTS: &[(&str, &str)] = &[
    (
        "en",
        "the and of to in is that for it with as on be are this by you or from an not can which if at have \
        will your has was but all when they there use these we more also may one any other their its then only \
        no so than would should must into such does been were about how what do",
    ),
    (
        "de",
        "der die das und in den von zu mit ist sich auf für im nicht ein eine als auch es an werden aus dem \
        oder wird sie bei einen des einer kann wenn sind durch wie zum haben zur nach nur dass diese dieser um \
        einem wurde noch können so über vor war eines muss man hat ihr wir ihre dieses mehr unter",
    ),
    (
        "fr",
        "le la les de des et un une du en est que pour dans qui sur par ce pas au plus vous avec il ne se \
        sont cette ou peut être si aux ces ont son sa ses mais nous comme elle été tout leur fait même sans \
        ainsi lorsque votre cela entre aussi on",
    ),
    (
        "es",
        "el la de que los las en un una del por con para se es al lo como más su no si puede este esta son \
        está ser sus pero también cuando entre sin muy todo todos hay usted desde cada sobre ya fue tiene esto \
        otro otra donde porque",
    ),
    (
        "it",
        "il di che la un una per in del della con non le si da dei sono gli lo al nel come più alla questo \
        questa delle anche se ha ed può essere dal nella degli viene quando tutti ma su sul agli ai dalla ogni \
        sua suo cui dello nei stato",
    ),
    (
        "pt",
        "de que os um uma para com não em do da dos das se na no por mais ao são como as você está pode ser \
        seu sua isso este esta foi também ou quando pelo pela nos nas já mas até muito tem entre sem aos sobre \
        cada depois há",
    ),
    (
        "nl",
        "de het een van en in is dat op te zijn voor met die niet aan er ook door als om bij dit wordt kan \
        naar worden deze uit of maar heeft dan nog over wat je meer tot kunt hebben geen alle wel moet werd \
        onder",
    ),
    (
        "sv",
        "och att det som en på är av för med den till inte ett om har de kan från eller så du när var men \
        vid ska detta denna alla finns kommer sig här också efter måste utan mot där än sin genom vara bara \
        under",
    ),
    (
        "da",
        "og at det som en på er af for med den til ikke et om har de kan fra eller så du når var men ved \
        skal denne dette alle vil sig her også efter være hvis der bliver kun uden blev hvor mellem under man",
    ),
    (
        "no",
        "og det som en på er av for med den til ikke et om har de kan fra eller så du når var men ved skal \
        denne dette alle vil seg her også etter være hvis der blir bare uten ble hvor mellom under man at",
    ),
    (
        "fi",
        "ja on ei että se oli joka ovat kun jos voi tai sen myös mutta kuin niin tämä siitä jotka ole mukaan \
        vain hän sekä voidaan tämän ne kanssa käyttää jonka siinä tässä näin sitä joita olla voit tätä",
    ),
    (
        "hu",
        "az és hogy nem egy is meg csak de ha van vagy ez el volt mint már azt lehet kell amely ezt ki még \
        után ezek minden például majd be szerint illetve akkor ami sem között pedig",
    ),
    (
        "tr",
        "ve bir bu için ile da de olarak olan daha çok gibi kadar en olduğu sonra ne var her ya veya ancak \
        değil ise tarafından göre ama şu üzerinde bunu olup kullanarak eğer içinde",
    ),
    (
        "pl",
        "się nie na jest do to że jak za od po co są dla lub przez może oraz jego tylko ale przy jeśli który \
        która które tym być ten można pod będzie ze też jej tego czy aby by był gdy bez również tak nad",
    ),
    (
        "cs",
        "se na je že to do jako ale by po si pro za od nebo který která které být jen když může jsou tak ze \
        tento pokud při také lze není bude má pod než podle více už před aby až jeho však ve mezi",
    ),
    (
        "sk",
        "sa na je že to do ako ale by po si pre za od alebo ktorý ktorá ktoré byť len keď môže sú tak zo \
        tento pri tiež nie bude má pod než podľa viac už pred aby až jeho však vo medzi",
    ),
    (
        "sl",
        "in je na za se da ki so ne pri ali kot po tudi lahko od ni iz bi če ko to ta te pa kako vse med še \
        ter samo ima biti do bil potem",
    ),
    (
        "hr",
        "je na se da za su od koji koja koje ili što kao iz ne može bi biti po samo ako ali te nije ovaj ova \
        ovo kako svi do pri još nakon između ima bio bila",
    ),
    (
        "ro",
        "și de în la cu un pe nu este care din să că pentru mai ca se sunt sau fi al prin dar când ce fost \
        poate acest această dacă după fiecare doar fără lui ale între",
    ),
    (
        "ca",
        "el la de que els les en un una del per amb no es al com més si pot aquest aquesta són està ser seu \
        però també quan entre sense ha hi dels aquests pel des cada sobre ja què vostre",
    ),
    (
        "gl",
        "de que os un unha para con non en do da dos das se na no por máis ao son como as pode ser seu súa \
        isto este esta foi tamén ou cando polo pola nos nas xa mais ata moi ten entre sen aos sobre cada",
    ),
    (
        "eu",
        "eta da ez bat dira ere du edo izan den baina dute egin hau duen behar dago baino nahi gisa bezala \
        beste diren daiteke dituen horrek bada zein ditu bere egiten erabili hori ari",
    ),
    (
        "et",
        "ja on ei et see ka või kui mis oli aga seda ning ta saab selle kõik nii oma pole siis veel vaid \
        välja kuid mida peab selles olema neid olla kas siin üks",
    ),
    (
        "lt",
        "ir yra kad iš su tai ne bet ar kaip jei į už buvo nuo per po gali apie tik jo savo prie kai ši šis \
        jų kurie kuris būti dėl arba jau taip iki",
    ),
    (
        "lv",
        "un ir no ar uz par kas ka bet vai kā to tas lai nav pie pēc ja tika var arī šis šī būt tikai vēl \
        kad jau līdz viņa kuru bez caur",
    ),
    (
        "id",
        "yang dan di dari untuk dengan ini itu dalam tidak pada adalah akan atau ke oleh sebagai dapat anda \
        juga bisa telah jika ada saat lebih karena tersebut bagi secara sebuah hanya kita",
    ),
    (
        "vi",
        "và của là có cho không được trong một với các này đã những người khi để từ bạn như cũng thể nếu \
        trên về ra vào hoặc hay sẽ",
    ),
    (
        "sq",
        "dhe të në një për me që nga si është ka do më por kjo ky janë ose nuk mund edhe duke kur pas këtë \
        nëse",
    ),
    (
        "is",
        "og að er í sem til með ekki það við um en af hann var eru eða frá þetta verður hún fyrir þegar \
        hefur ef þú verið á",
    ),
    ("ga", "agus an na ar is le go sé ní tá do ag chun nó sin seo leis atá bhí ach mar iad faoi ón"),
    ("cy", "yn ar mae yr ac ei hefyd gan wedi neu bod fod nid oedd hwn hon ond gyda dyma eich chi"),
    ("eo", "la kaj de en estas ne ke al por kun kiu kiuj ĉi aŭ sed oni povas tiu se vi el sur ĝi ankaŭ pri"),
    ("mt", "il ta li għal ma hija huwa jew dan din fil minn biex kien dawn tal fl mill"),
    (
        "ru",
        "на не что для из по от это или как при если так также он но его мы вы можно может только бы был то \
        уже их этого все до будет за быть который которые которая есть чтобы этот она они во когда со без ещё \
        после",
    ),
    (
        "uk",
        "на не що для із від це або як при якщо так також він але його ви можна може тільки був до за бути \
        який які яка та щоб цей вона вони коли без після буде й під ці",
    ),
    (
        "bg",
        "на не че за от или как при ако така също той но си може само беше до ще са който които която това \
        този се тя те със когато без след да по",
    ),
    (
        "sr",
        "на не да за од или како при ако тако такође он али је може само био до су који које која ово овај \
        се она они са када без после бити у из",
    ),
    (
        "be",
        "на не што для ад гэта або як пры калі так таксама ён але яго вы можна можа толькі быў да за быць \
        які якія якая каб гэты яна яны без пасля будзе",
    ),
    (
        "mk",
        "на не дека за од или како при ако така исто тој но може само беше до ќе се кој кои која ова овој \
        таа тие со кога без по да во",
    ),
    (
        "ar",
        "في من على إلى أن هذا هذه التي الذي لا ما أو كان عن مع قد هو هي لم بعد كل إذا ذلك بين غير عند كما ثم \
        حيث يمكن تم عليه إن يكون",
    ),
    (
        "fa",
        "در از به که این را با است برای آن یک می تا هم بر یا نیز هر اما شود باید خود کنید شما آنها بود دارد \
        شده اگر چه هستند کند",
    ),
    ("ur", "کے میں کی ہے کا اور سے کو یہ پر نے ہیں اس کہ ایک جو بھی نہیں تو کر تھا ہو لیے وہ گیا یا"),
];

/// Which languages a word is one of the commonest of, by its hash.
type Table = HashMap<u64, LanguageSet>;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::new();
        for (place, (_, words)) in LISTS.iter().enumerate() {
            for word in words.split(' ') {
                *table.entry(hash(word.as_bytes())).or_default() |= 1 << place;
            }
        }
        table
    })
}

/// FNV-1a.
pub(super) fn hash(word: &[u8]) -> u64 {
    word.iter().fold(SEED, |hash, byte| step(hash, *byte))
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// The place of a language in a [`LanguageSet`], where its words are known.
pub(super) fn place_of(language: &str) -> Option<usize> {
    LISTS.iter().position(|(code, _)| *code == language)
}

/// The language at a place.
pub(super) fn language_at(place: usize) -> &'static str {
    LISTS[place].0
}

/// How many languages have a place.
pub(super) const LANGUAGES: usize = LISTS.len();

/// Calls `visit` with each word of `text`: its hash, by which words are told apart, and the languages that have it as a small word. A word is
/// a run of letters; marks of punctuation beyond ASCII end it. Capitals beyond ASCII are not made small: small words seldom begin with one.
pub(super) fn for_each_word(text: &str, mut visit: impl FnMut(u64, LanguageSet)) {
    let table = table();
    let (mut hash, mut skipped) = (SEED, 0);
    let mut end = |hash: &mut u64| {
        if *hash != SEED {
            visit(*hash, table.get(hash).copied().unwrap_or_default());
            *hash = SEED;
        }
    };
    let bytes = text.as_bytes();
    for (index, &byte) in bytes.iter().enumerate() {
        if skipped > 0 {
            skipped -= 1;
        } else if byte.is_ascii_alphabetic() {
            hash = step(hash, byte | 0x20);
        } else if byte.is_ascii() {
            end(&mut hash);
        } else {
            // Punctuation and signs of Latin-1, Arabic punctuation, and signs such as dashes and quotation marks.
            skipped = match (byte, bytes.get(index + 1)) {
                (0xc2, _) | (0xd8, Some(0x8c | 0x9b | 0x9f)) => 1,
                (0xe2, Some(..0xb0)) => 2,
                _ => 0,
            };
            if skipped > 0 {
                end(&mut hash);
            } else {
                hash = step(hash, byte);
            }
        }
    }
    end(&mut hash);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<&'static str>> {
        let mut found = Vec::new();
        let of = |set: LanguageSet| (0..LANGUAGES).filter(|place| set >> place & 1 == 1).map(language_at).collect();
        for_each_word(text, |_, set| found.push(of(set)));
        found
    }

    #[test]
    fn words_have_their_languages() {
        assert_eq!(words("“Nicht” l’eau—WHICH"), [vec!["de"], vec![], vec![], vec!["en"]]);
        assert_eq!(words("также, зависимости то،إلى"), [vec!["ru"], vec![], vec!["ru"], vec!["ar"]]);
        assert_eq!(words(" 12 -- "), Vec::<Vec<&str>>::new());
    }

    #[test]
    fn every_list_is_found() {
        assert!(LANGUAGES <= LanguageSet::BITS as usize);
        for (place, (code, list)) in LISTS.iter().enumerate() {
            assert_eq!(place_of(code), Some(place));
            assert!(words(list).iter().all(|languages| languages.contains(code)), "{code}");
            assert_eq!(words(list).len(), list.split(' ').count(), "{code}");
        }
    }
}
