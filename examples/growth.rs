//! Pages of two kinds of markup, at two sizes: which take much longer than their size says.

#[path = "../fuzz/src/clock.rs"]
mod clock;

use std::time::Duration;

use clock::worked;

use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser, PageSource};
use lopper_content::{ExtractOptions, extract};

const UNITS: &[&str] = &[
    "<div>",
    "<div>a ",
    "<p>word",
    "<p>some words in a row of paragraph #.",
    "<p></p>",
    "<figure>",
    "<figcaption>cap # ",
    "<figure><img src=#.png><figcaption>cap #</figcaption></figure>",
    "<p><img src=#.png alt=word></p>",
    "<img src=#.png>",
    "<table>",
    "<tr><td>x #",
    "<td>y",
    "<th>z",
    "<table><tr><td>x",
    "<caption>c",
    "<ul>",
    "<li>item #",
    "<li><a href=/#>link #</a>",
    "<ol><li>",
    "<dl>",
    "<dt>t #",
    "<dd>d #",
    "<dl><dt>t<dd>d</dl>",
    "<h1>",
    "<h2>heading #</h2>",
    "<h2><a id=#></a>h</h2>",
    "<h3>a</h3><p>b #</p>",
    "<a href=\"##\">a</a>",
    "<a href=\"#1\">x</a>",
    "<a id=#></a>",
    "<p id=#>",
    "<a href=/#>link #</a> ",
    "<a href=x><img src=#.png></a>",
    "<pre>",
    "<pre>code #\n</pre>",
    "<code>c#</code> ",
    "<pre><span class=ln>#</span> a\n",
    "<blockquote>",
    "<blockquote>quote # words here",
    "<br>",
    "a<br>",
    "<hr>",
    "<sup><a href=\"#fn#\">#</a></sup>",
    "<li id=fn#>note #",
    "<section>",
    "<article>",
    "<article><h2>post #</h2><p>text of the post",
    "<header>",
    "<footer>",
    "<nav>",
    "<aside>",
    "<details><summary>s</summary>",
    "<summary>#</summary>",
    "<b>",
    "<b>x</b>",
    "<i>x",
    "<span>w</span>",
    "<span> # </span>",
    "<em>a<b>b</em>c</b>",
    "<button>b</button>",
    "<form><input><label>l",
    "<select><option>o",
    "<script>",
    "<style>a{}</style>",
    "<template>",
    "<noscript><img src=#></noscript>",
    "<picture><source srcset=#.png><img></picture>",
    "<math><mi>x</mi></math>",
    "\\(x_#\\) ",
    "$x$ ",
    "<div class=comment>comment # here",
    "<div class=admonition><p class=admonition-title>Note<p>text",
    "<div class=highlight><pre>code</pre></div>",
    "<time datetime=2020-01-01>d</time>",
    "<span itemprop=author>A#</span>",
    "<div itemscope itemprop=author itemtype=Person><span itemprop=name>B#</span></div>",
    "<a rel=author>A #</a>",
    "<meta property=article:author content=#>",
    "<link rel=canonical href=/#>",
    "<p class=byline>By A #</p>",
    "word # ",
    "中国",
    "x",
    "\n",
    "&amp;",
    "<ruby>漢<rt>kan</ruby>",
    "<svg><text>t</text></svg>",
    "<iframe src=#></iframe>",
    "<video src=#></video>",
    "<div hidden>h",
    "<span class=sr-only>h #</span>",
    "<p>Next: <a href=#>next</a> Up: <a href=#>up</a>",
    "<p>.",
    "<p>Advertisement",
    "<p>1",
    "| a | b |\n",
    "* ",
    "<p>*#*",
    "<div role=row><span role=cell>c</span></div>",
    "<tt>t</tt>",
    "<center><font size=1>f",
];

fn repeated(unit: &str, bytes: usize) -> String {
    let mut html = String::new();
    let mut number = 0;
    while html.len() < bytes {
        html += &unit.replace("##", &format!("#{number}")).replace('#', &number.to_string());
        number += 1;
    }
    html
}

fn page(pattern: usize, a: &str, b: &str, bytes: usize) -> String {
    let start = "<!DOCTYPE html><title>word</title><body><h1>word</h1>";
    match pattern {
        0 => format!("{start}{a}{}", repeated(b, bytes)),
        1 => format!("{start}{}{}", repeated(a, bytes / 2), repeated(b, bytes / 2)),
        _ => format!("{start}{}", repeated(&format!("{a}{b}"), bytes)),
    }
}

fn taken(html: &str, analyser: &mut PageAnalyser) -> [Duration; 2] {
    let mut least = [Duration::MAX; 2];
    for _ in 0..1 {
        let started = worked();
        std::hint::black_box(extract(html, &ExtractOptions::default()).markdown());
        least[0] = least[0].min(worked() - started);
        let started = worked();
        let source = PageSource { url: "http://a.example/b", html, content_language: None, listed_title: None };
        std::hint::black_box(analyser.analyse(source, None).ok());
        least[1] = least[1].min(worked() - started);
    }
    least
}

fn main() {
    let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
    let only: Option<usize> = std::env::args().nth(1).and_then(|pattern| pattern.parse().ok());
    for pattern in 0..3 {
        if only.is_some_and(|only| only != pattern) {
            continue;
        }
        for a in UNITS {
            for b in UNITS {
                let small = taken(&page(pattern, a, b, 512 << 10), &mut analyser);
                if small.iter().all(|time| time.as_millis() < 150) {
                    continue;
                }
                let large = taken(&page(pattern, a, b, 2 << 20), &mut analyser);
                for (which, (small, large)) in ["extract", "analyse"].iter().zip(small.iter().zip(large)) {
                    let ratio = large.as_secs_f64() / small.as_secs_f64();
                    if ratio > 7.0 && large.as_millis() >= 800 || large.as_millis() > 6000 {
                        println!("{pattern} {which} {ratio:.0}x {small:?} {large:?} {a:?} {b:?}");
                    }
                }
            }
        }
    }
}
