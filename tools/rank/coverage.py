"""How far `coverage` can be trusted, and the logistic function that it is fitted by (docs/lab/RANKING.md, Coverage).

    coverage.py NAME=ADDRESS=FOLDER ...

Each ADDRESS is that of a server (`lopper serve`) which has the pages of the judged set in FOLDER (queries.jsonl, qrels.jsonl.gz). Asks
each server the queries of its own set and 200 of each other set, which have no right block there. Prints, for each set and for
all, the answers in each fifth of `coverage` with the mean of it and the share of right first blocks, and the mean error; then the
same of functions fitted to the other sets alone. Queries are drawn with a fixed seed, so a rerun prints the same.
"""

import gzip
import json
import math
import random
import re
import sys
import urllib.parse
import urllib.request

import numpy as np
from scipy.optimize import minimize

# Every how many queries of a set are asked: the large sets would outweigh the small ones.
EVERY = {"docs": 2, "wcxb": 5}
OF_OTHERS = 200
PULL = 0.00002
# Weight of a set's own queries against those of the others.
OWN_SHARE = 0.75


def trigrams(text):
    words = re.findall(r"\w+", text.lower())
    return set(zip(words, words[1:], words[2:])) or {tuple(words[:1])}


def read(folder):
    """The queries of a set, and by query the pages and beginnings of the right blocks."""
    with open(f"{folder}/queries.jsonl", encoding="utf-8") as lines:
        queries = [json.loads(line) for line in lines]
    gold = {}
    with gzip.open(f"{folder}/qrels.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            gold.setdefault(row["qid"], []).append((row["url"], row.get("gold_head") or ""))
    return queries, gold


def is_right(page, right):
    """Whether the page's first block begins as a right one does: 0.7 of the trigrams. None where no right block is known."""
    if not any(head for _, head in right):
        return None
    found = trigrams(page["blocks"][0]["passage"])
    heads = [trigrams(head) for url, head in right if head and url == page["url"]]
    return any(len(head & found) >= 0.7 * len(head) for head in heads)


def ask(address, query):
    values = {"q": query, "explain": "true", "pages": 2, "blocks_per_page": 1}
    with urllib.request.urlopen(f"{address}/v1/search?{urllib.parse.urlencode(values)}") as answer:
        return json.load(answer)


def facts(answer, blocks):
    """The three facts of an answer; None without a first block or without words of its own."""
    words = answer["explanation"]["words"]
    highest = math.log(1 + (blocks + 0.5) / 0.5)
    own = [word for word in words if word["weight"] >= 0.999]
    if not answer["pages"] or not own:
        return None
    mass = [(word["idf"] if word["idf"] > 0 else highest) ** 1.5 for word in own]
    known = sum(value for value, word in zip(mass, own) if word["idf"] > 0) / sum(mass)
    first, *others = (page["blocks"][0] for page in answer["pages"])
    parts = {part["name"]: part["evidence"] for part in first["explanation"]["parts"]}
    rival = others[0]["score"] if others else 0
    lead = max(0, (first["score"] - rival) / first["score"]) if first["score"] > 0 else 0
    return math.log(parts.get("bm25f", 0) * known + 0.02), known * math.sqrt(lead), math.log(sum(mass) / highest**1.5)


def gather(sets):
    """By set: rows of (facts, coverage, is right, is of this set)."""
    random.seed(3)
    rows = {}
    for name, (address, queries, gold) in sets.items():
        with urllib.request.urlopen(f"{address}/metrics") as answer:
            blocks = int(re.search(r"^lopper_blocks (\d+)", answer.read().decode(), re.MULTILINE)[1])
        asked = [(query, True) for query in queries[:: EVERY.get(name, 1)]]
        for other, (_, others, _) in sets.items():
            if other != name:
                asked += [(query, False) for query in random.sample(others[:: EVERY.get(other, 1)], OF_OTHERS)]
        rows[name] = []
        for query, is_own in asked:
            answer = ask(address, query["query"])
            found = facts(answer, blocks)
            right = is_right(answer["pages"][0], gold.get(query["qid"], [])) if is_own and found else False
            if found and right is not None:
                rows[name].append((found, answer["coverage"], right, is_own))
    return rows


def weights(rows):
    own = sum(row[3] for row in rows)
    return np.array([OWN_SHARE / own if row[3] else (1 - OWN_SHARE) / (len(rows) - own) for row in rows])


def design(rows):
    return np.array([[1.0, *row[0]] for row in rows])


def fit(sets):
    x, weight = np.vstack([design(rows) for rows in sets]), np.concatenate([weights(rows) for rows in sets])
    y = np.concatenate([[row[2] for row in rows] for rows in sets]).astype(float)

    def loss(b):
        z = x @ b
        return (weight / len(sets) * (np.logaddexp(0, z) - y * z)).sum() + PULL * (b[1:] ** 2).sum()

    return minimize(loss, np.zeros(x.shape[1]), method="BFGS").x


def tell(name, rows, predicted):
    right = np.array([row[2] for row in rows], dtype=float)
    fifth = np.minimum((predicted * 5).astype(int), 4)
    cells, error = [], 0.0
    for number in range(5):
        here = fifth == number
        if here.any():
            cells.append(f"{here.sum()}: {predicted[here].mean():.2f}, {right[here].mean():.2f}")
            error += here.mean() * abs(predicted[here].mean() - right[here].mean())
    print(f"| {name} | {' | '.join(cells)} | {error:.3f} |")


def main():
    sets = {}
    for argument in sys.argv[1:]:
        name, address, folder = argument.split("=", 2)
        sets[name] = (address.rstrip("/"), *read(folder))
    rows = gather(sets)
    every = [row for name in sets for row in rows[name]]
    for name, own in [("all", every), *rows.items()]:
        tell(name, own, np.array([row[1] for row in own]))
    for name, own in rows.items():
        function = fit([others for other, others in rows.items() if other != name])
        tell(f"fitted without {name}", own, 1 / (1 + np.exp(-(design(own) @ function))))
    print("fitted to all:", np.round(fit(list(rows.values())), 2))


if __name__ == "__main__":
    main()
