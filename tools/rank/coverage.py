"""How far `coverage` can be trusted, and the logistic function that it is fitted by (docs/lab/RANKING.md, Coverage).

    coverage.py NAME=ADDRESS[=FOLDER] ...

Each ADDRESS is that of a server (`lopper serve`) which has the pages of the judged set in FOLDER (queries.jsonl, qrels.jsonl.gz), and
those of the everyday queries of this name, where there are any. Asks each server the queries of its own sets and 200 of each other
judged set, which have no right page there. Prints, for each collection and for all, the answers in each fifth of `coverage` with the
mean of it and the share of right first pages, and the mean error; then the same of functions fitted to the other collections alone.
Queries are drawn with a fixed seed, so a rerun prints the same.
"""

import collections
import gzip
import json
import math
import pathlib
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
# How often a query is asked until its answer is complete.
TRIES = 5
# Weight of the queries of other sets in a collection; its own sets share the rest.
OTHERS_SHARE = 0.25
# Words that a block shares with a copy of it, of all that the two have.
COPY_SHARE = 0.9
EVERYDAY = pathlib.Path(__file__).parent / "everyday"


def lines(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read(queries, qrels):
    """The queries of a set, each with the addresses of its right pages."""
    right = {}
    for row in lines(qrels):
        right.setdefault(row["qid"], set()).add(row["url"])
    return [(query["query"], right.get(query["qid"], set())) for query in lines(queries)]


def sets_of(name, folder=None):
    """The sets of a collection by their kinds: judged and everyday."""
    sets = {}
    if folder:
        folder = pathlib.Path(folder)
        sets["judged"] = read(folder / "queries.jsonl", folder / "qrels.jsonl.gz")[:: EVERY.get(name, 1)]
    queries = EVERYDAY / f"{name}.queries.jsonl"
    if queries.exists():
        sets["everyday"] = read(queries, EVERYDAY / f"{name}.qrels.jsonl")
    return sets


def is_copy(one, other):
    one, other = (set(re.findall(r"\w+", page["blocks"][0]["text"].lower())) for page in (one, other))
    return len(one & other) >= COPY_SHARE * len(one | other)


def is_right(pages, right):
    """Whether the first page is a right one, or has the same first block as one of the next."""
    first, *others = pages
    return first["url"] in right or any(page["url"] in right and is_copy(first, page) for page in others)


def get(address):
    with urllib.request.urlopen(address) as answer:
        return answer.read()


def ask(address, query):
    """The answer; asked again where the server had no time for all of it, as it has no coverage then."""
    values = {"q": query, "explain": "true", "pages": 4, "blocks_per_page": 1}
    for _ in range(TRIES):
        answer = json.loads(get(f"{address}/v1/search?{urllib.parse.urlencode(values)}"))
        if "coverage" in answer:
            break
    return answer


def facts(answer, blocks):
    """The four facts of an answer; None without a first block or without words of its own."""
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
    evidence = math.log(parts.get("best_of_page", 0) * known + 0.02)
    return evidence, known * lead, math.log(sum(mass) / highest**1.5), math.sqrt(parts.get("tenth_of_site", 0))


def gather(servers):
    """By collection: rows of (facts, coverage, is right, kind of set)."""
    random.seed(3)
    rows = {}
    for name, (address, sets) in servers.items():
        blocks = int(re.search(rb"^lopper_blocks (\d+)", get(f"{address}/metrics"), re.MULTILINE)[1])
        asked = [(kind, query, right) for kind, queries in sets.items() for query, right in queries]
        for other, (_, others) in servers.items():
            if other != name and "judged" in others:
                asked += [("others", query, set()) for query, _ in random.sample(others["judged"], OF_OTHERS)]
        rows[name] = []
        for kind, query, right in asked:
            answer = ask(address, query)
            found = facts(answer, blocks)
            if found and "coverage" in answer:
                rows[name].append((found, answer["coverage"], is_right(answer["pages"], right), kind))
    return rows


def weights(rows):
    counts = collections.Counter(row[3] for row in rows)
    own_share = (1 - OTHERS_SHARE) / (len(counts) - 1)
    return np.array([(OTHERS_SHARE if row[3] == "others" else own_share) / counts[row[3]] for row in rows])


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
    servers = {}
    for argument in sys.argv[1:]:
        name, address, *folder = argument.split("=", 2)
        servers[name] = (address.rstrip("/"), sets_of(name, *folder))
    rows = gather(servers)
    every = [row for name in servers for row in rows[name]]
    tell("all", every, np.array([row[1] for row in every]))
    for name, own in rows.items():
        for kind, here in {name: own, f"{name}, everyday": [row for row in own if row[3] == "everyday"]}.items():
            if here:
                tell(kind, here, np.array([row[1] for row in here]))
    for name, own in rows.items():
        function = fit([others for other, others in rows.items() if other != name])
        tell(f"fitted without {name}", own, 1 / (1 + np.exp(-(design(own) @ function))))
        others = [row for row in own if row[3] == "others"]
        print(f"of {len(others)} queries of others asked of {name} {sum(row[1] >= 0.8 for row in others)} have 0.8 or more")
    print("fitted to all:", np.round(fit(list(rows.values())), 2))


if __name__ == "__main__":
    main()
