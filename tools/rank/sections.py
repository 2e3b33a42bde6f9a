"""Adds to judgements of places in pages the text of their sections, so that `lopper eval retrieval` judges blocks as well.

    python tools/rank/sections.py PAGES SITE_URL QRELS > QRELS_WITH_TEXT

PAGES is the folder that was ingested with `--site-url SITE_URL`. A section is what stands between the heading that has the
judgement's anchor in or just before it, and the next heading. Places that no heading has keep their page alone.
"""

import functools
import html
import json
import pathlib
import re
import sys

# Characters before a heading in which its anchor may stand.
BEFORE_MAX = 300
HEAD_WORDS = 40
TEXT_WORDS = 1200


@functools.cache
def read(path):
    """A page, and where its headings are."""
    page = path.read_text(errors="replace")
    return page, list(re.finditer(r"<h([1-6])[^>]*>.*?</h\1>", page, re.S))


def words(markup):
    markup = re.sub(r"<(script|style|svg|details)\b.*?</\1>", "", markup, flags=re.S)
    return html.unescape(re.sub(r"<[^>]+>", " ", markup)).split()


def section(path, anchor):
    """The words under the first heading with the anchor."""
    page, headings = read(path)
    for heading, following in zip(headings, headings[1:] + [None]):
        if f'"{anchor}"' in page[max(0, heading.start() - BEFORE_MAX) : heading.end()]:
            return words(page[heading.end() : following.start() if following else len(page)])
    return []


def main():
    folder, site, qrels = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/"), pathlib.Path(sys.argv[3])
    for line in qrels.read_text().splitlines():
        judged = json.loads(line)
        path = folder / judged["url"].removeprefix(site + "/")
        path = path / "index.html" if path.is_dir() else path
        text = section(path, judged["anchor"]) if judged.get("anchor") else []
        if text:
            judged |= {"gold_head": " ".join(text[:HEAD_WORDS]), "gold_text": " ".join(text[:TEXT_WORDS])}
        print(json.dumps(judged, ensure_ascii=False))


if __name__ == "__main__":
    main()
