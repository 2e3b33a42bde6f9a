#!/usr/bin/env python3
"""Makes copies of labelled pages with one disturbance each, and scores how much of the content stays the same.

usage: stability.py copies SET OUT [SHARE] [DISTURBANCE...]
       stability.py score TEXTS [OTHER_TEXTS] [--worst N]

`copies` writes for each disturbance, and for `original`, the folder OUT/SET.DISTURBANCE with `html/ID.html.gz` and `gold.jsonl.gz`, which
`predict` reads. Pages are chosen by a hash of their id: of articles, documentation and sets without types SHARE (1/10), of other kinds
three times as many. `score` reads what an extractor kept, TEXTS/SET.DISTURBANCE.jsonl with a line {"id", "text"} a page, beside the
gold in OUT (the folder `gold` of TEXTS is a link to it).

The similarity is the F1 of bags of lower-cased words between the original's text and the copy's, without the words that the copy has
more and the disturbance brought. Only the standard library is needed.
"""
import gzip
import hashlib
import json
import os
import re
import sys
from collections import Counter, defaultdict

WORD = re.compile(r"\w+")
COMMON_KINDS = {"article", "documentation", None}
# Parts of a page's source in which nothing is markup, and tags.
PARTS = re.compile(r"<!--.*?-->|<(script|style|textarea|title|noscript|template|svg)\b.*?</\1\s*>|</?[a-zA-Z][^<>]*>", re.S | re.I)
BODY = re.compile(r"<body\b[^>]*>", re.I)

ONETRUST = """<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter ot-fade-in"></div><div id="onetrust-banner-sdk"
 class="otFlat bottom ot-wo-title" role="region" aria-label="Cookie banner"><div role="alertdialog" aria-describedby="onetrust-policy-text"
 aria-modal="true" aria-label="Privacy"><div class="ot-sdk-container"><div class="ot-sdk-row"><div id="onetrust-group-container"
 class="ot-sdk-eight ot-sdk-columns"><div id="onetrust-policy"><h2 id="onetrust-policy-title">We value your privacy</h2><div
 id="onetrust-policy-text">By clicking “Accept All Cookies”, you agree to the storing of cookies on your device to enhance site navigation,
 analyze site usage, and assist in our marketing efforts. <a class="ot-cookie-policy-link" href="/cookies">Cookie Policy</a></div></div></div>
 <div id="onetrust-button-group-parent"><div id="onetrust-button-group"><button id="onetrust-pc-btn-handler">Cookies Settings</button>
 <button id="onetrust-reject-all-handler">Reject All</button><button id="onetrust-accept-btn-handler">Accept All Cookies</button></div></div>
 </div></div></div></div><div id="onetrust-pc-sdk" class="otPcCenter ot-hide ot-fade-in" role="dialog" aria-modal="true"><div
 class="ot-pc-content"><h2 id="ot-pc-title">Privacy Preference Center</h2><div id="ot-pc-desc">When you visit any website, it may store or
 retrieve information on your browser, mostly in the form of cookies. This information might be about you, your preferences or your device
 and is mostly used to make the site work as you expect it to. The information does not usually directly identify you, but it can give you
 a more personalized web experience. Because we respect your right to privacy, you can choose not to allow some types of cookies.</div>
 <section class="ot-sdk-row ot-cat-grp"><h3 id="ot-category-title">Manage Consent Preferences</h3><div class="ot-cat-item"><h4>Strictly
 Necessary Cookies</h4><div class="ot-always-active">Always Active</div><p class="ot-category-desc">These cookies are necessary for the
 website to function and cannot be switched off in our systems. They are usually only set in response to actions made by you which amount
 to a request for services, such as setting your privacy preferences, logging in or filling in forms.</p></div><div class="ot-cat-item"><h4>
 Performance Cookies</h4><p class="ot-category-desc">These cookies allow us to count visits and traffic sources so we can measure and
 improve the performance of our site. They help us to know which pages are the most and least popular and see how visitors move around the
 site.</p></div></section></div></div></div>"""
COOKIEBOT = """<div id="CybotCookiebotDialog" name="CybotCookiebotDialog" role="dialog" aria-modal="true" class="CybotEdge CybotMultilevel"
 data-template="popup"><div class="CybotCookiebotDialogContentWrapper"><div id="CybotCookiebotDialogHeader"></div><div
 class="CybotCookiebotScrollContainer"><div id="CybotCookiebotDialogTabContent"><div id="CybotCookiebotDialogBody"
 class="CybotCookiebotDialogBody"><h2 id="CybotCookiebotDialogBodyContentTitle">This website uses cookies</h2><div
 id="CybotCookiebotDialogBodyContentText">We use cookies to personalise content and ads, to provide social media features and to analyse our
 traffic. We also share information about your use of our site with our social media, advertising and analytics partners who may combine it
 with other information that you’ve provided to them or that they’ve collected from your use of their services.</div></div><div
 id="CybotCookiebotDialogDetailBody"><ul><li><label>Necessary 12</label><p>Necessary cookies help make a website usable by enabling basic
 functions like page navigation and access to secure areas of the website.</p></li><li><label>Marketing 31</label><p>Marketing cookies are
 used to track visitors across websites. The intention is to display ads that are relevant and engaging for the individual user.</p></li>
 </ul></div></div></div><div id="CybotCookiebotDialogFooter"><button id="CybotCookiebotDialogBodyButtonDecline">Deny</button><button
 id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll">Allow all</button></div></div></div>"""
COMPLIANZ = """<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-hidden banner-1 optin cmplz-bottom-right" role="dialog"
 aria-modal="true" data-nosnippet="true" aria-live="polite" aria-labelledby="cmplz-header-1-optin"><div class="cmplz-header"><div
 class="cmplz-title" id="cmplz-header-1-optin">Manage Consent</div><div class="cmplz-close" tabindex="0" role="button"></div></div><div
 class="cmplz-body"><div class="cmplz-message">To provide the best experiences, we use technologies like cookies to store and/or access
 device information. Consenting to these technologies will allow us to process data such as browsing behavior or unique IDs on this site.
 Not consenting or withdrawing consent, may adversely affect certain features and functions.</div><div class="cmplz-categories"><details
 class="cmplz-category"><summary><span class="cmplz-category-title">Functional</span></summary><div class="cmplz-description">The technical
 storage or access is strictly necessary for the legitimate purpose of enabling the use of a specific service explicitly requested by the
 subscriber or user.</div></details></div></div><div class="cmplz-buttons"><button class="cmplz-btn cmplz-accept">Accept</button><button
 class="cmplz-btn cmplz-deny">Deny</button><button class="cmplz-btn cmplz-view-preferences">View preferences</button></div></div></div>"""
OWN_BANNER = """<div class="site-notice"><div class="wrap"><p>We and our partners use cookies to give you the best experience on our site. By
 continuing to browse you accept their use. Read more in our <a href="/privacy">privacy policy</a>.</p><a href="#" class="btn">Got it</a>
 </div></div>"""
MODAL = """<div class="modal fade newsletter-popup" id="newsletterModal" tabindex="-1" role="dialog" aria-modal="true"><div
 class="modal-dialog"><div class="modal-content"><button class="close" aria-label="Close">×</button><h3 class="modal-title">Join our
 mailing list</h3><p>Sign up for our newsletter and get 10% off your first order. Be the first to hear about new arrivals, special offers
 and exclusive events. You can unsubscribe at any time.</p><form><input type="email" placeholder="Your email"><button>Subscribe</button>
 </form><a href="#" class="no-thanks">No thanks</a></div></div></div>"""
CHAT = """<div class="chat-widget" id="chat-widget-container"><div class="chat-window"><div class="chat-header"><span>Chat with us</span>
 </div><div class="chat-body"><div class="chat-message">Hi there! Have a question? Our team typically replies in a few minutes. Leave us a
 message and we will get back to you as soon as possible.</div></div><div class="chat-footer"><textarea></textarea><button>Send</button>
 </div></div><button class="chat-launcher" aria-label="Open chat">Need help?</button></div>"""
ADVERT = """<div class="ad-slot advertisement" id="div-gpt-ad-1500000000-0"><span class="ad-label">Advertisement</span><a href="/out/1"
 rel="sponsored">Save up to 40% on car insurance. Compare quotes from top providers in minutes.</a><script>googletag.cmd.push(1)</script></div>"""
SKIP = """<a class="skip-link screen-reader-text" href="#content">Skip to content</a><a class="skip-link" href="#footer">Skip to footer</a>"""
NOSCRIPT = """<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-XX" height="0" width="0" style="display:none"></iframe>
</noscript><noscript><div class="noscript-warning">JavaScript seems to be disabled in your browser. For the best experience on our site, be
 sure to turn on Javascript in your browser.</div></noscript>"""
JSON_LD = """<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Organization","name":"Example Company",
"url":"https://www.example.com/","logo":"https://www.example.com/logo.png"},{"@type":"WebSite","name":"Example Company","url":
"https://www.example.com/"},{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Home"}]}]}</script>"""
LAZY = 'src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" data-'


def edit_tags(html, edit):
    """The page with `edit` of each tag outside scripts and the like."""
    return PARTS.sub(lambda part: edit(part[0]) if part[1] is None and not part[0].startswith("<!--") else part[0], html)


def first_in_body(html, part):
    body = BODY.search(html)
    return html[: body.end()] + part + html[body.end():] if body else part + html


def last_in_body(html, part):
    at = html.lower().rfind("</body")
    return html + part if at < 0 else html[:at] + part + html[at:]


def in_the_middle(html, part):
    """Behind the paragraph, else the entry or division, that ends nearest to the middle of the body."""
    start = body.end() if (body := BODY.search(html)) else 0
    for name in ("p", "li", "div"):
        ends = [tag.end() for tag in PARTS.finditer(html, start) if tag[0].lower().startswith(f"</{name}>")]
        if len(ends) > 2:
            at = ends[len(ends) // 2]
            return html[:at] + part + html[at:]
    return html


def hashed(name, style):
    digest = hashlib.sha256(name.encode()).hexdigest()
    return {"css": f"css-{digest[:7]}", "modules": f"_{digest[:5]}_{int(digest[5:7], 16)}", "id": f"r{digest[:6]}"}[style]


def rename(names):
    """Edits the attributes that hold names: `names(attribute, value)`; None takes the attribute away."""
    def edit(tag):
        def attribute(found):
            value = names(found[1].lower(), found[2].strip("\"'"))
            return "" if value is None else f' {found[1]}="{value}"'
        return re.sub(r"\s(class|id|for|href|aria-labelledby|aria-controls)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>\"']+)", attribute, tag, flags=re.I)
    return lambda html: edit_tags(html, edit)


def hash_names(style):
    def names(attribute, value):
        if attribute == "class":
            return " ".join(hashed(name, style) for name in value.split())
        if attribute == "href":
            return "#" + hashed(value[1:], "id") if len(value) > 1 and value.startswith("#") else value
        return " ".join(hashed(name, "id") for name in value.split())
    return rename(names)


def wrap_main_parts(html):
    names = r"(main|article|header|footer|nav|section|aside)"
    def edit(tag):
        if re.match(rf"<{names}\b", tag, re.I):
            return f'<div class="wrap"><div>{tag}'
        return f"{tag}</div></div>" if re.match(rf"</{names}\b", tag, re.I) else tag
    html = edit_tags(html, edit)
    return last_in_body(first_in_body(html, '<div id="__next"><div class="layout">'), "</div></div>")


def minify(html):
    kept = re.split(r"(<(pre|script|style|textarea)\b.*?</\2\s*>)", html, flags=re.S | re.I)
    parts = []
    for at in range(0, len(kept), 3):
        parts.append(re.sub(r"\s+", " ", re.sub(r"<!--(?!\[if).*?-->", "", kept[at], flags=re.S)))
        parts.extend(kept[at + 1: at + 2])
    return "".join(parts)


def without_json_ld(html):
    return re.sub(r"<script\b[^>]*ld\+json[^>]*>.*?</script\s*>", "", html, flags=re.S | re.I)


def lazy_images(html):
    return edit_tags(html, lambda tag: re.sub(r"\bsrc=", LAZY + "src=", tag, count=1) if re.match(r"<img\b", tag, re.I) else tag)


def images_in_noscript(html):
    return edit_tags(html, lambda tag: f"{tag}<noscript>{tag}</noscript>" if re.match(r"<img\b", tag, re.I) else tag)


def retitle(html):
    return re.sub(r"(<title\b[^>]*>)(.*?)(</title>)", r"\1Example Company | Official Site | \2\3", html, count=1, flags=re.S | re.I)


def without_lang(html):
    return re.sub(r"<html\b[^>]*>", lambda tag: re.sub(r"\s(xml:)?lang\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>]+)", "", tag[0], flags=re.I), html, count=1, flags=re.I)


def reverse_head(html):
    head = re.search(r"(<head\b[^>]*>)(.*?)(</head>)", html, re.S | re.I)
    if not head:
        return html
    element = r"<(script|style|title|noscript)\b.*?</\1\s*>|<(?:meta|link|base)\b[^>]*>|<!--.*?-->"
    elements = [found[0] for found in re.finditer(element, head[2], re.S | re.I)]
    return html[: head.end(1)] + "\n".join(reversed(elements)) + html[head.start(3):]


def put(where, part):
    return (lambda html: where(html, part)), part


# What each disturbance does, and the source that it brings.
DISTURBANCES = {
    "original": (lambda html: html, ""),
    "onetrust-first": put(first_in_body, ONETRUST),
    "onetrust-last": put(last_in_body, ONETRUST),
    "cookiebot-first": put(first_in_body, COOKIEBOT),
    "cookiebot-last": put(last_in_body, COOKIEBOT),
    "complianz-last": put(last_in_body, COMPLIANZ),
    "own-banner-first": put(first_in_body, OWN_BANNER),
    "own-banner-last": put(last_in_body, OWN_BANNER),
    "newsletter-modal": put(last_in_body, MODAL),
    "chat-widget": put(last_in_body, CHAT),
    "advert": put(in_the_middle, ADVERT),
    "skip-links": put(first_in_body, SKIP),
    "noscript": put(first_in_body, NOSCRIPT),
    "json-ld-more": put(last_in_body, JSON_LD),
    "json-ld-none": (without_json_ld, ""),
    "hashed-css": (hash_names("css"), ""),
    "hashed-modules": (hash_names("modules"), ""),
    "no-classes": (rename(lambda attribute, value: None if attribute == "class" else value), ""),
    "wrapped": (wrap_main_parts, ""),
    "minified": (minify, ""),
    "lazy-images": (lazy_images, ""),
    "images-in-noscript": (images_in_noscript, ""),
    "title": (retitle, "Example Company | Official Site |"),
    "no-lang": (without_lang, ""),
    "head-reversed": (reverse_head, ""),
}


def bag(text):
    return Counter(WORD.findall(text.lower()))


def f1(one, other):
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def own_words(disturbance):
    """The words that a disturbance brings."""
    return bag(re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", DISTURBANCES[disturbance][1], flags=re.S))


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return {str(record["id"]): record for record in map(json.loads, file)}


def is_chosen(record, share):
    digest = hashlib.sha256(str(record["id"]).encode()).digest()
    chance = int.from_bytes(digest[:4], "big") / 2**32
    return chance < share * (1 if record.get("page_type") in COMMON_KINDS else 3)


def copies(folder, out, share, disturbances):
    name = os.path.basename(os.path.normpath(folder))
    gold = read(os.path.join(folder, "gold.jsonl.gz"))
    chosen = [record for record in gold.values() if is_chosen(record, share)]
    for disturbance in disturbances:
        copy = os.path.join(out, f"{name}.{disturbance}")
        os.makedirs(os.path.join(copy, "html"), exist_ok=True)
        with gzip.open(os.path.join(copy, "gold.jsonl.gz"), "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in chosen)
        for record in chosen:
            page = os.path.join("html", f"{record['id']}.html.gz")
            with gzip.open(os.path.join(folder, page)) as file:
                html = file.read().decode("utf-8", "replace")
            with gzip.open(os.path.join(copy, page), "wb", compresslevel=1) as file:
                file.write(DISTURBANCES[disturbance][0](html).encode())


class Stability:
    """Of each disturbance: a line a page, (similarity, F1 before, F1 after, share of the disturbance's words that is kept, page)."""

    def __init__(self, texts):
        self.pages = defaultdict(list)
        files = sorted(file for file in os.listdir(texts) if file.endswith(".jsonl"))
        originals = {file.split(".")[0] for file in files}
        for of_set in originals:
            gold = read(os.path.join(texts, "gold", f"{of_set}.original", "gold.jsonl.gz"))
            before = {id: bag(record["text"]) for id, record in read(os.path.join(texts, f"{of_set}.original.jsonl")).items()}
            wanted = {id: bag(gold[id]["text"]) for id in before}
            for file in (file for file in files if file.startswith(of_set + ".") and ".original." not in file):
                disturbance = file.split(".")[1]
                own = own_words(disturbance)
                for id, record in read(os.path.join(texts, file)).items():
                    after = bag(record["text"])
                    brought = own & (after - before[id])
                    leaked = brought.total() / own.total() if own else 0.0
                    line = f1(before[id], after - brought), f1(wanted[id], before[id]), f1(wanted[id], after), leaked
                    self.pages[disturbance].append((*line, f"{of_set} {id} {gold[id].get('page_type') or ''}"))

    def figures(self, pages):
        similar = sorted(page[0] for page in pages)
        worst = similar[: max(1, len(similar) // 20)]
        mean = lambda at: sum(page[at] for page in pages) / len(pages)
        return mean(0), sum(worst) / len(worst), sum(page < 0.8 for page in similar) / len(similar), mean(1), mean(2), mean(3)


def score(texts, worst):
    all_of = [Stability(folder) for folder in texts]
    heads = ["similarity", "worst 5 %", "below 0.8", "F1 before", "after", "own words kept"]
    print("| disturbance | pages | " + " | ".join(heads * len(texts)) + " |")
    print("|---|" + "---:|" * (1 + len(heads) * len(texts)))
    row = lambda name, of: print(f"| {name} | {len(of[0])} | " + " | ".join(
        f"{figure:.3f}" for one, pages in zip(all_of, of) for figure in one.figures(pages)) + " |")
    names = [name for name in DISTURBANCES if name in all_of[0].pages]
    for name in names:
        row(name, [one.pages[name] for one in all_of])
    row("all", [[page for name in names for page in one.pages[name]] for one in all_of])
    lines = sorted((page, name) for name in names for page in all_of[0].pages[name])
    for page, name in lines[:worst]:
        print(f"{page[0]:.2f} {page[1]:.2f} {page[2]:.2f} {name} {page[4]}")


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["copies"] and len(arguments) > 2:
        named = arguments[3:]
        share = float(named.pop(0)) if named and named[0][0].isdigit() else 0.1
        copies(arguments[1], arguments[2], share, named or DISTURBANCES)
    elif arguments[:1] == ["score"] and len(arguments) > 1:
        worst = int(arguments[arguments.index("--worst") + 1]) if "--worst" in arguments else 0
        score([one for one in arguments[1:] if os.path.isdir(one)], worst)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
