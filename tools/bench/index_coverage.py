"""Tells how much of pages' main text is in the blocks of an index, by kind of page.

    lopper blocks --data DATA > BLOCKS.jsonl
    python tools/bench/index_coverage.py BLOCKS.jsonl GOLD.jsonl.gz ...

GOLD has a JSON object a page: `id`, `url` (or the page's is that of tools/rank/web_pages.py), `text`, and `page_type` where pages have
kinds. Printed are, for each kind, the mean share of the text's triples of words in a row that are in some block of the page, and pages of
which less than 0.8 are. Pages with fewer than 20 triples are left out.
"""

import collections
import gzip
import json
import re
import sys
from pathlib import Path

GRAMS_MIN = 20
LOW = 0.8


def grams(text):
    words = re.findall(r"\w+", text.lower())
    return collections.Counter(zip(words, words[1:], words[2:]))


def main():
    held = collections.defaultdict(set)
    with open(sys.argv[1], encoding="utf-8") as lines:
        for block in map(json.loads, lines):
            held[block["url"]].update(grams(block["text"]))
    shares = collections.defaultdict(list)
    for path in map(Path, sys.argv[2:]):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for page in map(json.loads, lines):
                kind = page.get("page_type", path.parent.name)
                gold = grams(page["text"])
                if gold.total() >= GRAMS_MIN:
                    host = page.get("host", "wcxb.invalid")
                    known = held[page.get("url") or f"http://{host}/{page['id']}"]
                    share = sum(count for gram, count in gold.items() if gram in known) / gold.total()
                    shares[kind].append(share)
    print("kind pages mean low")
    for kind, found in sorted(shares.items()):
        print(kind, len(found), f"{sum(found) / len(found):.3f}", sum(share < LOW for share in found))


if __name__ == "__main__":
    main()
