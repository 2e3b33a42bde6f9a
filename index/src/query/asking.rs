//! How questions are asked in each language: the words that tell that something is asked, and the ways to ask what something is.

/// Of one language, the words that begin a question, those that follow before it says what it is about, those that say whose question it is,
/// which may stand anywhere in it, and those that end it; words of politeness, which may do both; those that ask to be told: what stands
/// behind these is asked as it would be alone; the ways to ask what something is, with `_` for its name (parted by `|`); and the articles
/// that may stand before the name.
pub(super) struct Asking {
    /// The codes of the languages.
    pub(super) codes: &'static str,
    pub(super) first: &'static str,
    pub(super) then: &'static str,
    pub(super) person: &'static str,
    pub(super) last: &'static str,
    pub(super) polite: &'static str,
    pub(super) tell: &'static str,
    pub(super) define: &'static str,
    pub(super) articles: &'static str,
}

/// English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian; Swedish, Danish and Norwegian together.
pub(super) static LANGUAGES: [Asking; 10] = [
    Asking {
        codes: "en",
        first: "how what what's whats why when where which who is are can could does did should would i i'm i'd",
        then: "to do does did can could should would will is are was were am want need trying like you we one my me us the a an there any long many much often \
               some way ways best it possible in of",
        person: "i we me my us our",
        last: "do mean used for",
        polite: "please pls plz kindly thanks thx",
        tell: "tell show explain describe know help give find understand learn",
        define: "what is _|what are _|what's _|whats _|what does _ mean|what do _ mean|what is meant by _|define _|definition of _|_ definition|\
                  meaning of _|_ meaning|what is the definition of _|what is the meaning of _|what's the definition of _|what's the meaning of _",
        articles: "a an the",
    },
    Asking {
        codes: "de",
        first: "wie was warum wieso weshalb wann wo wer welche welcher welches kann kannst können könnten könntest gibt ich",
        then: "kann können muss soll möchte will ist sind war wird werden man wir sie du mir uns der die das den dem ein eine einen einem einer es lange oft viel viele",
        person: "ich wir man mir mich uns mein meine meinen meinem meiner meines unser unsere unseren unserem unserer",
        last: "",
        polite: "bitte danke",
        tell: "sag sagen sage erklär erkläre erklären zeig zeigen wissen",
        define: "was ist _|was sind _|was bedeutet _|was bedeuten _|was heißt _|definition von _|definition des _|definition der _|_ definition|\
                  bedeutung von _|bedeutung des _|bedeutung der _|_ bedeutung",
        articles: "ein eine einer eines der die das den dem",
    },
    Asking {
        codes: "fr",
        first: "comment pourquoi quand où quel quelle quels quelles qui que qu est combien je pouvez peux pourriez",
        then: "puis peut peux faut doit veux voudrais sont ce on tu vous me moi nous il elle se le la les l un une des de du d",
        person: "je nous moi mon ma mes notre nos",
        last: "",
        polite: "merci",
        tell: "dire dis dites expliquer explique expliquez savoir montrer",
        define: "qu est ce que _|qu est ce qu _|qu est ce _|c est quoi _|que signifie _|définition de _|définition du _|définition d _|_ définition|\
                  signification de _|signification du _|signification d _|_ signification",
        articles: "un une le la les l",
    },
    Asking {
        codes: "es",
        first: "cómo como qué que cuál cual cuáles cuales cuánto cuánta cuántos cuántas cuándo cuando dónde donde quién quien por puedes puede podría podrías",
        then: "qué que puedo puede se debo es son el la los las lo un una de hay",
        person: "yo mi mis mío mía nuestro nuestra",
        last: "",
        polite: "favor gracias",
        tell: "decir decirme dime explicar explicarme explica explícame saber enseñarme",
        define: "qué es _|que es _|qué son _|que son _|qué significa _|que significa _|definición de _|definición del _|_ definición|\
                  significado de _|significado del _|_ significado",
        articles: "un una el la los las",
    },
    Asking {
        codes: "it",
        first: "come cosa cos'è perché perche quando quanto quanta quanti quante dove quale quali chi che puoi può potresti",
        then: "cosa si posso può puo devo è e sono il lo la i gli le l un uno una di",
        person: "io mio mia miei mie nostro nostra",
        last: "",
        polite: "favore grazie",
        tell: "dire dirmi dimmi spiegare spiegarmi spiegami sapere",
        define: "cos'è _|cosa è _|che cos'è _|che cosa è _|cosa sono _|cosa significa _|che significa _|definizione di _|definizione del _|definizione della _|\
                  _ definizione|significato di _|significato del _|significato della _|_ significato",
        articles: "un uno una il lo la i gli le l",
    },
    Asking {
        codes: "pt",
        first: "como o que qual quais quando quanto quanta quantos quantas onde por porque quem pode podes poderia",
        then: "que é e são sao eu posso pode devo se o a os as um uma de do da",
        person: "eu meu minha meus minhas nosso nossa",
        last: "",
        polite: "favor obrigado obrigada",
        tell: "dizer explicar explique diga saber mostrar",
        define: "o que é _|o que são _|que é _|o que significa _|definição de _|definição do _|definição da _|_ definição|significado de _|\
                  significado do _|significado da _|_ significado",
        articles: "um uma o a os as",
    },
    Asking {
        codes: "nl",
        first: "hoe wat waarom wanneer waar wie welke kunt kun kan",
        then: "kan moet doe is zijn wordt ik je u mij me men de het een lang vaak veel",
        person: "ik je mijn we ons onze",
        last: "",
        polite: "alstublieft alsjeblieft graag bedankt",
        tell: "vertellen vertel uitleggen weten zeggen",
        define: "wat is _|wat zijn _|wat betekent _|definitie van _|_ definitie|betekenis van _|_ betekenis",
        articles: "een de het",
    },
    Asking {
        codes: "pl",
        first: "jak co dlaczego kiedy gdzie kto który która które czy",
        then: "możesz mi mogę moge można mozna jest są to się",
        person: "ja mój moja moje moją mojej mojego",
        last: "",
        polite: "proszę prosze dzięki",
        tell: "powiedzieć powiedz wyjaśnić wyjaśnij wiedzieć",
        define: "co to jest _|czym jest _|co to są _|co to znaczy _|co oznacza _|definicja _|_ definicja",
        articles: "",
    },
    Asking {
        codes: "ru",
        first: "как что почему когда где кто какой какая какое какие зачем",
        then: "мне нам можно нужно я это такое ли есть",
        person: "я мы мне мой моя моё мое мои мою моего моей моем",
        last: "",
        polite: "пожалуйста спасибо",
        tell: "скажите скажи подскажите подскажи объясните объясни узнать знать",
        define: "что такое _|что значит _|что означает _|определение _|_ определение",
        articles: "",
    },
    Asking {
        codes: "sv da no",
        first: "hur vad varför när var vem hvordan hva hvad hvorfor hvornår hvor hvem",
        then: "kan ska skal gör gjør gør man mig meg jag jeg är er en ett et den det länge lenge længe många mange mycket meget mye ofta ofte",
        person: "jeg jag man mig meg min mitt mina mit mine",
        last: "",
        polite: "tack takk snälla",
        tell: "berätta förklara fortelle forklare fortælle veta vite vide",
        define: "vad är _|hvad er _|hva er _|vad betyder _|hvad betyder _|hva betyr _|definition av _|definition af _|definisjon av _|_ definition|\
                  _ definisjon|betydelse av _|betydelsen av _|betydning af _|betydning av _|betydningen af _|betydningen av _|_ betydelse|_ betydning",
        articles: "en ett et",
    },
];

/// Words that ask to be told of anything, where they stand behind these or a word of politeness: `can you explain locks`.
pub(super) const EXPLAIN: &str = "explain describe expliquer";
pub(super) const YOU: &str = "you vous";

/// In Chinese, Japanese and Korean, what asks wherever it stands.
pub(super) const ASKING: &str = "怎么样 怎么 怎样 如何 怎麼 怎樣 为什么 為什麼 什么 什麼 哪里 哪裡 哪些 多少 请问 請問 \
                      どうやって どうすれば どうしたら どのように どのくらい どこ なぜ 何か 誰が 어떻게 어떤 무엇 어디서 어디에 언제 얼마나 누가";

/// The same, what does so at the end.
pub(super) const ASKING_END: &str =
    "吗 嗎 呢 的方法 とは するには 方法 やり方 ですか ますか でしょうか 방법 하려면 나요 까요 니까";

/// The same, what stands before a name of which it is asked what it is, and what behind it.
pub(super) const BEFORE_NAME: &str = "什么是 什麼是";
pub(super) const BEHIND_NAME: &str = "是什么意思 是什麼意思 是什么 是什麼 とは何ですか とは何 とは って何ですか って何 이란 란 이란무엇인가요 이란무엇인가 \
     的定义 的定義 的意思 的含义 的含義 の定義 の意味 의정의 의의미 뜻";
