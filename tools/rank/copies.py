"""What the first ten pages of the answers to everyday/translated.* are: copies.py LOPPER DATA [OPTIONS OF SEARCH]

Tells by kind of query nDCG@10, how often the right page is first, the share of answers in another language than the query's, and
how many of the ten have the text of one before them.
"""

import json
import math
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

EVERYDAY = Path(__file__).parent / "everyday"
COLUMNS = ("queries", "nDCG@10", "right first", "other language", "other language first", "copies")


def lines(name):
    return [json.loads(line) for line in (EVERYDAY / name).open(encoding="utf-8")]


def judged(answer, right, language):
    """The figures of one answer, in the order of COLUMNS."""
    seen, gain, first, other, other_first, copies = set(), 0.0, 0, 0, 0, 0
    for place, page in enumerate(answer["pages"]):
        block = page["blocks"][0]
        is_other = (block.get("block_language") or page["language"]) != language
        text = " ".join(block["text"].split())
        gain += (page["url"] in right) / math.log2(place + 2)
        other += is_other
        copies += text in seen
        seen.add(text)
        if place == 0:
            first, other_first = page["url"] in right, is_other
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(right))))
    return 1, gain / ideal, first, other / max(1, len(answer["pages"])), other_first, copies


def main():
    lopper, data, *options = sys.argv[1:]
    right, sums = defaultdict(set), defaultdict(lambda: [0.0] * len(COLUMNS))
    for judgement in lines("translated.qrels.jsonl"):
        right[judgement["qid"]].add(judgement["url"])
    for query in lines("translated.queries.jsonl"):
        kind = query["qid"].split("-")[0]
        command = [lopper, "search", "--data", data, "--format", "json", "--pages", "10", *options, query["query"]]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        figures = judged(answer, right[query["qid"]], "en" if kind in ("name", "ver") else kind)
        for key in ("all", kind):
            sums[key] = [a + b for a, b in zip(sums[key], figures)]
    print("\t".join(("kind", *COLUMNS)))
    for key, (count, *figures) in sums.items():
        print("\t".join((key, f"{count:.0f}", *(f"{figure / count:.3f}" for figure in figures))))


main()
