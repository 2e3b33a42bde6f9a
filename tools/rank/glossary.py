#!/usr/bin/env python3
"""Definition questions, made of the glossaries of a collection: `what is a mutex` for the entry `mutex`.

A glossary is a page with `gloss` in its address; an entry of it is a block whose first line is its heading, of eight words or more. The
entries of one name answer its question, wherever they are; what stands in brackets behind a name is no part of it.

    lopper blocks --data DATA | glossary.py OUT [PHRASE…]

writes OUT.queries.jsonl and OUT.qrels.jsonl for `lopper eval retrieval`. The kind of a query is the host. A PHRASE asks with the name in
place of `{}`, as `define {}` or `{} meaning` does; then each entry is asked for by all of them, and the kind of a query is its phrase.
"""

import json
import re
import sys
from urllib.parse import urlsplit

WORDS_MIN, NAME_CHARS = 8, range(2, 41)
BRACKETS = re.compile(r"\s*\(.*?\)")


def name_of(text):
    return BRACKETS.sub("", text).strip()


def entries(lines):
    """Name, address and text of each entry."""
    for line in lines:
        block = json.loads(line)
        if "gloss" not in block["url"].lower() or not block["heading_path"]:
            continue
        name, text = name_of(block["heading_path"][-1]), block["text"]
        is_headed = name_of(text.split("\n")[0]).lower() == name.lower()
        if is_headed and len(name) in NAME_CHARS and len(text.split()) >= WORDS_MIN:
            yield name, block["url"], text


def question(number, name):
    article = "a " if number % 2 and name[0].islower() else ""
    return f"what is {article}{name}"


def asked(number, name, url, phrases):
    """Number, kind and text of each question for an entry."""
    if not phrases:
        yield f"g{number}", urlsplit(url).hostname or "", question(number, name)
    for place, phrase in enumerate(phrases):
        yield f"g{number}-{place}", phrase, phrase.format(name)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    named = {}
    for name, url, text in entries(sys.stdin):
        named.setdefault(name.lower(), []).append((name, url, text))
    out, phrases = sys.argv[1], sys.argv[2:]
    with open(f"{out}.queries.jsonl", "w") as queries, open(f"{out}.qrels.jsonl", "w") as qrels:
        for number, (_, answers) in enumerate(sorted(named.items())):
            name, url, _ = answers[0]
            for qid, kind, query in asked(number, name, url, phrases):
                print(json.dumps({"qid": qid, "type": kind, "query": query}), file=queries)
                for _, url, text in answers:
                    head = " ".join(text.split()[:20])
                    judgement = {"qid": qid, "url": url, "grade": 1, "gold_head": head, "gold_text": text}
                    print(json.dumps(judgement), file=qrels)
    print(f"{len(named)} entries")


if __name__ == "__main__":
    main()
