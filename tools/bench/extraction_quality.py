#!/usr/bin/env python3
"""Scores what several extractors keep of labelled pages, and how sure the differences are.

usage: extraction_quality.py TEXTS SET... [--ours NAME...] [--characters]

Each SET is a folder with gold.jsonl.gz; TEXTS/SET/EXTRACTOR.jsonl has a line {"id", "text"} a page (a page without one counts as
empty). Prints two tables, a column a set and, for sets with page types, a column a type: F1 of each extractor, and for each of ours
its difference to the best of the others in that column, with the 95 % bootstrap interval over pages, both on the same pages.

Where a set's gold has texts, F1 is that of bags of lower-cased words, the mean over pages; where it has wanted and unwanted segments,
it is over all segments, each sought as it is but for blanks. With --characters each character of a script without blanks is a word. Only the standard library is needed.
"""
import argparse
import gzip
import json
import os
import random
import re
from collections import Counter, defaultdict

UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
WORD, CHARACTERS = re.compile(r"\w+"), re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")
BLANKS = re.compile(r"\s+")
TYPES = ["article", "documentation", "service", "forum", "listing", "collection", "product", "page"]
DRAWS, SEED = 2000, 1


def word_f1(gold, text, word=WORD, either=""):
    """Words of `either` that are kept beyond those of the gold do not count."""
    wanted, got, free = (Counter(word.findall(part.lower())) for part in (gold, text, either))
    got -= (got - wanted) & free
    if not wanted or not got:
        return float(wanted == got)
    return 2 * (wanted & got).total() / (wanted.total() + got.total())


def segment_f1(record, text):
    """Twice the hits, and what they are divided by: the pages' sums make the F1."""
    plain = lambda part: BLANKS.sub(" ", part).strip()
    text = plain(text)
    found = lambda name: sum(plain(segment) in text for segment in record[name])
    hits = found("with")
    return 2 * hits, hits + found("without") + len(record["with"])


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        return {str(record["id"]): record for record in map(json.loads, file)}


def page_scorer(gold, word):
    """What tells a page's part of the numerator and the denominator of its columns' F1; a set is scored in one way."""
    if any(record.get("text") for record in gold.values()):
        return lambda record, text: (word_f1(record["text"], text, word, record.get("either") or ""), 1)
    return segment_f1


class Scores:
    """Of each column, and there of each extractor, the pages' scores; always in the order of the ids."""

    def __init__(self, word=WORD):
        self.word = word
        self.columns = defaultdict(dict)

    def add(self, texts, folder):
        name = os.path.basename(os.path.normpath(folder))
        gold = dict(sorted(read(os.path.join(folder, "gold.jsonl.gz")).items()))
        score, columns = page_scorer(gold, self.word), defaultdict(list)
        for page, record in enumerate(gold.values()):
            columns[name].append(page)
            if record.get("page_type"):
                columns[record["page_type"]].append(page)
        for file in sorted(os.listdir(os.path.join(texts, name))):
            if file.endswith(".jsonl"):
                kept = read(os.path.join(texts, name, file))
                scores = [score(record, kept.get(id, {}).get("text") or "") for id, record in gold.items()]
                for column, pages in columns.items():
                    self.columns[column][file[: -len(".jsonl")]] = [scores[page] for page in pages]

    def names(self):
        """Sets and types: a set's types after it."""
        sets = [column for column in self.columns if column not in TYPES]
        types = [kind for kind in TYPES if kind in self.columns]
        return sets[:1] + types + sets[1:]


def f1(pages):
    parts, wholes = zip(*pages)
    return sum(parts) / sum(wholes)


def difference(ours, theirs):
    """F1 of one less that of the other, with its interval: both are drawn on the same pages."""
    random_pages, size = random.Random(SEED), len(ours)
    draws = []
    for _ in range(DRAWS):
        drawn = random_pages.choices(range(size), k=size)
        draws.append(f1([ours[page] for page in drawn]) - f1([theirs[page] for page in drawn]))
    draws.sort()
    return f1(ours) - f1(theirs), draws[round(0.025 * DRAWS)], draws[round(0.975 * DRAWS) - 1]


def row(cells):
    print("| " + " | ".join(cells) + " |")


def print_scores(scores, extractors):
    row(["F1", *scores.names()])
    row(["---"] + ["---:"] * len(scores.names()))
    row(["pages", *(str(len(next(iter(scores.columns[name].values())))) for name in scores.names())])
    for extractor in extractors:
        row([extractor, *(f"{f1(column[extractor]):.3f}" if extractor in column else "–" for column in
                          map(scores.columns.get, scores.names()))])


def print_differences(scores, ours):
    for our in ours:
        print()
        row([f"`{our}`", "F1", "best peer", "its F1", "difference", "95 %", ""])
        row(["---", "---:", "---", "---:", "---:", "---", "---"])
        for name in scores.names():
            column = scores.columns[name]
            if our not in column:
                continue
            best = max((peer for peer in column if peer not in ours), key=lambda peer: f1(column[peer]))
            by, low, high = difference(column[our], column[best])
            verdict = "ahead" if low > 0 else "behind" if high < 0 else "not told apart"
            row([name, f"{f1(column[our]):.3f}", best, f"{f1(column[best]):.3f}", f"{by:+.3f}", f"{low:+.3f} to {high:+.3f}", verdict])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", help="folder of what the extractors kept, a folder a set in it")
    parser.add_argument("sets", nargs="+", help="folders of the labelled sets; the first is the one with page types")
    parser.add_argument("--ours", action="append", default=[], help="an extractor that is compared with the best of the others")
    parser.add_argument("--characters", action="store_true", help="characters of scripts without blanks are words")
    arguments = parser.parse_args()
    scores = Scores(CHARACTERS if arguments.characters else WORD)
    for folder in arguments.sets:
        scores.add(arguments.texts, folder)
    peers = {name for column in scores.columns.values() for name in column} - set(arguments.ours)
    print_scores(scores, arguments.ours + sorted(peers))
    if peers:
        print_differences(scores, arguments.ours)


if __name__ == "__main__":
    main()
