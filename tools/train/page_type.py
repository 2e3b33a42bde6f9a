#!/usr/bin/env python3
"""Trains the model of the page type and reports its cross-validated quality.  See README.md for the commands."""

import argparse
import json
import os
import struct
import sys
from collections import defaultdict

# Sums in one order, so that a rerun gives the same file.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import minimize

import forest_file

# As `PageType::ALL` in `crates/content/src/page_type/kind.rs`.
TYPES = ["article", "documentation", "service", "forum", "listing", "collection", "product"]
# A word must stand on pages of that many domains; one of a single site says nothing of others.
DOMAINS_MIN = 6
# Steps of a number: its quantiles.
QUANTILES = 8
# Strengths of the ridge on weights of words and of steps.
RIDGE_WORDS, RIDGE_STEPS = 2e-3, 1e-2
# The share of the types told that shall be right; the least probability that gives it in the cross-validation is that of the model.
PRECISION = 0.92
# Documentation is told from here on: plain pages of other kinds are most like it, and WCXB has few of them.
DOCUMENTATION_TOLD_MIN = 0.7
# A page of whose words the model knows less than this share, or fewer than these, is of no kind that it learnt: no type is told.
KNOWN_MIN, KNOWN_WORDS_MIN = 0.1, 6
# What pages count in the fit: those without their addresses, as folders of files have them, and those of sites of documentation.
BARE_WEIGHT, DOCUMENTATION_WEIGHT = 0.25, 0.5


class Data:
    """Described pages with their labels, and what each counts in the fit."""

    def __init__(self, export, folder, weight):
        read = lambda name: open(os.path.join(export, name), encoding="utf-8").read().split("\n")
        self.names, ids = read("names.txt"), read("ids.txt")[:-1]
        with open(os.path.join(folder, "metadata.json"), encoding="utf-8") as file:
            labels = json.load(file)["pages"]
        labels = [labels[page] for page in ids]
        self.type = np.array([TYPES.index(label["page_type"]) for label in labels])
        self.fold = np.array([label["fold"] for label in labels])
        self.weight = np.full(len(ids), weight)
        self.domain = [label["domain"] for label in labels]
        self.numbers = np.fromfile(os.path.join(export, "numbers.f32"), "<f4").reshape(len(ids), -1)
        words, at = np.fromfile(os.path.join(export, "words.u32"), "<u4"), 0
        self.words = []
        for _ in ids:
            count = int(words[at])
            self.words.append(words[at + 1 : at + 1 + count])
            at += 1 + count

    def add(self, other):
        """Takes the pages of another set too."""
        for name in ("type", "fold", "weight", "numbers"):
            setattr(self, name, np.concatenate([getattr(self, name), getattr(other, name)]))
        self.domain += other.domain
        self.words += other.words


def load(export, folder, weight=1.0):
    """The pages of a set, with and without their addresses."""
    variants = (("addressed", weight), ("bare", weight * BARE_WEIGHT))
    return [Data(os.path.join(export, name), folder, weight) for name, weight in variants]


def known_words(data, rows):
    """Hashes of the words that enough domains have, ascending."""
    domains = defaultdict(set)
    for row in rows:
        for word in data.words[row].tolist():
            domains[word].add(data.domain[row])
    return np.array(sorted(word for word, seen in domains.items() if len(seen) >= DOMAINS_MIN), np.uint32)


def thresholds(data, rows):
    """For each number the thresholds of its steps, ascending."""
    shares = np.linspace(0, 1, QUANTILES + 1)[1:-1]
    return [np.unique(np.quantile(data.numbers[rows, at], shares, method="lower")) for at in range(len(data.names))]


class Model:
    """A multinomial logistic regression, in the whole numbers of its file."""

    def __init__(self, data, rows):
        self.names, self.words, self.steps = data.names, known_words(data, rows), thresholds(data, rows)
        self.temperature, self.told_min = 1.0, 0.0
        ridge = np.r_[np.full(len(self.words), RIDGE_WORDS), np.full(sum(map(len, self.steps)), RIDGE_STEPS)]
        self.bias, weights = fit(self.matrix(data)[rows], data.type[rows], data.weight[rows], ridge)
        self.bias = self.bias.astype("<f4")
        self._round(weights)

    def matrix(self, data):
        """Of each page the words it has and the steps that its numbers are at or past."""
        at, ends = [], [0]
        for words in data.words:
            place = np.minimum(np.searchsorted(self.words, words), len(self.words) - 1)
            at.append(place[self.words[place] == words])
            ends.append(ends[-1] + len(at[-1]))
        words = sparse.csr_matrix((np.ones(ends[-1]), np.concatenate(at), ends), shape=(len(data.words), len(self.words)))
        past = [data.numbers[:, [number]] > steps for number, steps in enumerate(self.steps)]
        return sparse.hstack([words, sparse.csr_matrix(np.hstack(past).astype(float))]).tocsr()

    def _round(self, weights):
        words, steps = np.split(weights, [len(self.words)])
        sums, start = [], 0
        for limits in self.steps:
            sums.append(np.cumsum(steps[start : start + len(limits)], axis=0))
            start += len(limits)
        sums = np.vstack(sums)
        self.word_scale, self.step_scale = (np.float32(np.abs(w).max() / m) for w, m in ((words, 127), (sums, 32767)))
        self.word_weights = np.rint(words / self.word_scale).astype(np.int8)
        self.step_weights = np.rint(sums / self.step_scale).astype(np.int16)

    def is_known(self, data, rows):
        known = np.array([np.isin(data.words[row], self.words).sum() for row in rows])
        words = np.array([len(data.words[row]) for row in rows])
        return (known >= KNOWN_MIN * words) & (known >= KNOWN_WORDS_MIN)

    def sums(self, data, rows):
        """The sums before the softmax, as `crates/content/src/page_type/model.rs` has them."""
        words = self.matrix(data)[rows][:, : len(self.words)] @ (self.word_weights * float(self.word_scale))
        total, start = words + self.bias, 0
        for number, limits in enumerate(self.steps):
            reached = np.searchsorted(limits, data.numbers[rows, number])
            table = np.vstack([np.zeros(len(TYPES)), self.step_weights[start : start + len(limits)] * float(self.step_scale)])
            total += table[reached]
            start += len(limits)
        return total

    def write(self, path):
        digest = forest_file.digest(self.names)
        head = struct.pack("<HIf7f", 2, digest, self.temperature, *least_by_type(self.told_min))
        head += struct.pack("<ffff", KNOWN_MIN, KNOWN_WORDS_MIN, self.step_scale, self.word_scale)
        out, start = [b"LOPT", head, self.bias.tobytes(), struct.pack("<H", len(self.names))], 0
        for limits in self.steps:
            out.append(struct.pack("<B", len(limits)))
            for limit in limits:
                out.append(struct.pack("<f", limit) + self.step_weights[start].astype("<i2").tobytes())
                start += 1
        out.append(struct.pack("<I", len(self.words)))
        out += [struct.pack("<I", word) + weights.tobytes() for word, weights in zip(self.words, self.word_weights)]
        with open(path, "wb") as file:
            file.write(b"".join(out))


def fit(matrix, types, shares, ridge):
    """Bias and weights of least cross entropy plus ridge."""
    pages, features, kinds = *matrix.shape, len(TYPES)
    transposed, wanted, shares = matrix.T.tocsr(), np.eye(kinds)[types], shares / shares.sum()

    def loss(values):
        weights = values[kinds:].reshape(features, kinds)
        probability = softmax(matrix @ weights + values[:kinds])
        entropy = -np.log(probability[np.arange(pages), types] + 1e-12) @ shares
        slope = (probability - wanted) * shares[:, None]
        gradient = np.r_[slope.sum(0), (transposed @ slope + ridge[:, None] * weights).ravel()]
        return entropy + (ridge[:, None] * weights**2).sum() / 2, gradient

    values = minimize(loss, np.zeros(kinds * (features + 1)), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return values[:kinds], values[kinds:].reshape(features, kinds)


def softmax(sums):
    powers = np.exp(sums - sums.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def cross_validated(data):
    """Sums of each page, and whether it is known, by a model that saw neither it nor its domain."""
    sums, known = np.zeros((len(data.type), len(TYPES))), np.zeros(len(data.type), bool)
    for fold in range(5):
        model = Model(data, np.flatnonzero(data.fold != fold))
        held = np.flatnonzero(data.fold == fold)
        sums[held], known[held] = model.sums(data, held), model.is_known(data, held)
    return sums, known


def best_temperature(sums, types):
    """The temperature of least cross entropy."""
    entropy = lambda t: -np.log(softmax(sums / t)[np.arange(len(types)), types] + 1e-12).mean()
    return min((round(0.5 + 0.05 * step, 2) for step in range(41)), key=entropy)


def least_told(probability, known, types):
    """The least probability, in hundredths, at which enough of the types told are right."""
    best, right = np.where(known, probability.max(1), 0), probability.argmax(1) == types
    return next(least / 100 for least in range(20, 100) if right[best >= least / 100].mean() >= PRECISION)


def least_by_type(told_min):
    """The least probability at which each type is told."""
    return np.array([max(told_min, DOCUMENTATION_TOLD_MIN) if name == "documentation" else told_min for name in TYPES])


def report(probability, known, types, told_min):
    best = probability.argmax(1)
    told = known & (probability.max(1) >= least_by_type(told_min)[best])
    share = lambda part, whole: part.sum() / max(whole.sum(), 1)
    print(f"all pages: accuracy {np.mean(best == types):.3f}, macro F1 {np.mean([f1(best, types, t) for t in range(7)]):.3f}")
    print(f"told from {told_min}: {told.mean():.3f} of all pages, {share(told & (best == types), told):.3f} of them rightly")
    print(f"{'type':15} pages  told precision recall  F1 if all are told")
    for kind, name in enumerate(TYPES):
        said, true = told & (best == kind), types == kind
        right = said & true
        figures = f"{true.sum():5} {said.sum():5} {share(right, said):9.3f} {share(right, true):6.3f} {f1(best, types, kind):8.3f}"
        print(f"{name:15} {figures}")
    for low in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        near = (probability.max(1) >= low) & (probability.max(1) < {0.3: 0.5, 0.9: 0.95, 0.95: 1.01}.get(low, low + 0.1))
        print(f"probability from {low}: {near.sum():4} pages, {share(near & (best == types), near):.3f} rightly")


def f1(best, types, kind):
    return 2 * ((best == kind) & (types == kind)).sum() / max((best == kind).sum() + (types == kind).sum(), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", help="folder that export_page_types wrote")
    parser.add_argument("set", help="folder of the labelled set, with metadata.json")
    parser.add_argument("--documentation", nargs=2, metavar=("EXPORT", "SET"), help="the same of documentation.py's set")
    parser.add_argument("--model", help="train on everything and write the model here")
    arguments = parser.parse_args()
    named = dict(zip(("pages with their addresses", "pages without"), load(arguments.export, arguments.set)))
    if arguments.documentation:
        sites = load(*arguments.documentation, DOCUMENTATION_WEIGHT)
        named |= dict(zip(("sites of documentation with their addresses", "sites of documentation without"), sites))
    data, *others = named.values()
    counts = [len(part.type) for part in named.values()]
    for part in others:
        data.add(part)
    sums, known = cross_validated(data)
    temperature = best_temperature(sums, data.type)
    probability = softmax(sums / temperature)
    # Pages with their addresses are the first.
    first = slice(counts[0])
    told_min = least_told(probability[first], known[first], data.type[first])
    print(f"temperature {temperature}")
    for name, count, end in zip(named, counts, np.cumsum(counts)):
        part = slice(end - count, end)
        print(f"\n{name}")
        report(probability[part], known[part], data.type[part], told_min)
    if arguments.model:
        model = Model(data, np.arange(len(data.type)))
        model.temperature, model.told_min = temperature, told_min
        model.write(arguments.model)
        print(f"model: {os.path.getsize(arguments.model)} bytes, {len(model.words)} words")


if __name__ == "__main__":
    sys.exit(main())
