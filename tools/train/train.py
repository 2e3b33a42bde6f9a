#!/usr/bin/env python3
"""Trains the default method's model and reports its cross-validated quality.  See README.md for the commands."""

import argparse
import os
import subprocess
import sys
from collections import defaultdict

import lightgbm as lgb
import numpy as np

import forest_file
import pages as corpus

SEED = 1
# Units that are surely not content are many and alike: only some of them are used, with more weight.
THIN_BELOW, THIN_SHARE = 0.1, 0.3
# A page weighs 1, in its units by the square root of their words; a page of segments, with few units labelled, weighs less.
WORD_POWER, SEGMENTS_WEIGHT = 0.5, 0.5
COMMON = dict(
    objective="cross_entropy", max_bin=63, num_threads=1, deterministic=True, force_row_wise=True, verbose=-1, seed=SEED,
    use_missing=False, min_data_in_leaf=60, min_sum_hessian_in_leaf=0.15, lambda_l2=0.3,
)
FIRST = dict(COMMON, num_leaves=31, learning_rate=0.1, feature_fraction=0.3), 80
SECOND = dict(COMMON, num_leaves=31, learning_rate=0.06, feature_fraction=0.3), 200
COMMENTS = dict(COMMON, num_leaves=15, learning_rate=0.1, feature_fraction=0.3), 40
ORDER = ["ALL", "article", "documentation", "service", "forum", "listing", "collection", "product", "dragnet-dev", "segments-dev"]


class Data:
    """The pages with features, labels and weights, a row a unit."""

    def __init__(self, export, folders, tool):
        self.export, self.tool = export, tool
        self.pages = corpus.load(export, folders)
        with open(os.path.join(export, "names.txt"), encoding="utf-8") as file:
            self.names = file.read().split("\n")
        rows = sum(len(page["words"]) for page in self.pages)
        self.own = np.fromfile(os.path.join(export, "features.f32"), "<f4").reshape(rows, -1)
        self.label, self.weight, self.comment = (np.zeros(rows, np.float32) for _ in range(3))
        self.fold, self.kind = np.zeros(rows, np.int8), np.zeros(rows, np.int8)
        self.kinds = sorted({page["type"] for page in self.pages})
        for page in self.pages:
            self._add(page)

    def _add(self, page):
        at = page["rows"]
        self.label[at], self.comment[at] = page["label"], page["comment"]
        self.fold[at], self.kind[at] = page["fold"], self.kinds.index(page["type"])
        weight = page["weight"] * np.maximum(page["words"], 1) ** WORD_POWER
        total = weight.sum()
        if total > 0:
            self.weight[at] = weight / total * (SEGMENTS_WEIGHT if page["type"] == "segments-dev" else 1)

    def context(self, first):
        """The features of the second pass for first-pass probabilities of all units, by the Rust code."""
        paths = [os.path.join(self.export, name) for name in ("first.f32", "context.f32")]
        first.astype("<f4").tofile(paths[0])
        subprocess.run([self.tool, "context", self.export, *paths], check=True)
        return np.fromfile(paths[1], "<f4").reshape(len(first), -1)


def fit(setting, values, label, weight, rows):
    """A forest from those rows of the (thinned) training data."""
    parameters, rounds = setting
    random = np.random.default_rng(SEED).random(len(label))
    low = label < THIN_BELOW
    used = rows & (weight > 0) & ~(low & (random > THIN_SHARE))
    weight = np.where(low, weight / THIN_SHARE, weight)[used]
    data = lgb.Dataset(values[used], label[used], weight=weight, params=dict(max_bin=63, verbose=-1, force_row_wise=True))
    return lgb.train(parameters, data, rounds)


class Stack:
    """First and second pass, trained on some rows: the second on first-pass probabilities of rows unseen by it."""

    def __init__(self, data, rows, inner, cache):
        self.data = data
        self.first = self._first(rows, cache)
        probability = self.first.predict(data.own).astype(np.float32)
        for group in inner:
            held = np.isin(data.fold, group) & rows
            probability[held] = self._first(rows & ~held, cache).predict(data.own[held])
        self.joined = np.hstack([data.own, data.context(probability)])
        self.second = fit(SECOND, self.joined, data.label, data.weight, rows)

    def _first(self, rows, cache):
        key = hash(rows.tobytes())
        if key not in cache:
            cache[key] = fit(FIRST, self.data.own, self.data.label, self.data.weight, rows)
        return cache[key]

    def predict(self, rows):
        return self.second.predict(self.joined[rows])


def fit_comments(data, joined):
    """Comments are labelled in dragnet only; the content of other pages that are no forum is none."""
    kind = lambda name: data.kind == data.kinds.index(name)
    dragnet = kind("dragnet-dev")
    content = ~dragnet & ~kind("forum") & (data.label > 0.5)
    return fit(COMMENTS, joined, data.comment, data.weight, dragnet | content)


def cut(probability, words):
    """The units with the highest expected F1, as `src/extract/cut.rs` has it."""
    kept = np.zeros(len(probability), bool)
    if not len(probability):
        return kept
    words = np.maximum(words, 0.5)
    order = np.argsort(-probability, kind="stable")
    hits = np.cumsum(probability[order] * words[order])
    expected = 2 * hits / (np.cumsum(words[order]) + hits[-1])
    kept[order[: int(np.argmax(expected)) + 1]] = True
    return kept


def report(title, data, probability, kinds=None):
    scores, segments = defaultdict(list), np.zeros(3)
    for page in data.pages:
        if kinds and page["type"] not in kinds:
            continue
        kept = cut(probability[page["rows"]], page["words"])
        if page["type"] == "segments-dev":
            segments += corpus.segment_hits(page, kept)
            continue
        f1 = corpus.word_f1(page, kept)
        scores[page["type"]].append(f1)
        if page["set"] == "wcxb-dev":
            scores["ALL"].append(f1)
    figures = {kind: float(np.mean(values)) for kind, values in scores.items()}
    if segments.sum():
        figures["segments-dev"] = 2 * segments[0] / (2 * segments[0] + segments[1] + segments[2])
    print(title, "  ".join(f"{kind} {figures[kind]:.4f}" for kind in ORDER if kind in figures), flush=True)
    return figures


def cross_validate(data, cache, models):
    probability = np.zeros(len(data.label), np.float32)
    for fold in range(5):
        stack = Stack(data, data.fold != fold, [[g] for g in range(5) if g != fold], cache)
        held = data.fold == fold
        probability[held] = stack.predict(held)
        if models:
            comments = fit_comments_without(data, stack.joined, fold)
            forest_file.write(os.path.join(models, f"fold{fold}.model"), data.names, [stack.first, stack.second, comments])
            ids = defaultdict(list)
            for page in data.pages:
                if page["fold"] == fold:
                    ids[page["set"]].append(page["id"])
            for name, list_ in ids.items():
                with open(os.path.join(models, f"fold{fold}.{name}.ids"), "w", encoding="utf-8") as file:
                    file.write("\n".join(list_) + "\n")
    np.save(os.path.join(data.export, "crossval.npy"), probability)
    report("five-fold:", data, probability)


def fit_comments_without(data, joined, fold):
    weight = data.weight
    data.weight = np.where(data.fold != fold, weight, 0)
    comments = fit_comments(data, joined)
    data.weight = weight
    return comments


def leave_out(data):
    """For each page type and each set: trained on all others, scored on it."""
    groups = [[kind] for kind in data.kinds] + [[kind for kind in data.kinds if not kind.endswith("-dev")]]
    for group in groups:
        held = np.isin(data.kind, [data.kinds.index(kind) for kind in group])
        stack = Stack(data, ~held, [[0, 1, 2], [3, 4]], {})
        probability = np.zeros(len(held), np.float32)
        probability[held] = stack.predict(held)
        report(f"without {'wcxb-dev' if len(group) > 1 else group[0]}:", data, probability, set(group))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", help="folder that export_features wrote")
    parser.add_argument("sets", nargs="+", help="folders of the labelled sets, as given to export_features")
    parser.add_argument("--tool", required=True, help="the export_features program")
    parser.add_argument("--model", help="train on everything and write the model here")
    parser.add_argument("--cross-validate", action="store_true")
    parser.add_argument("--fold-models", help="write each fold's model and page ids into this folder")
    parser.add_argument("--leave-out", action="store_true")
    arguments = parser.parse_args()
    data = Data(arguments.export, arguments.sets, arguments.tool)
    cache = {}
    if arguments.cross_validate:
        cross_validate(data, cache, arguments.fold_models)
    if arguments.model:
        everything = np.ones(len(data.label), bool)
        stack = Stack(data, everything, [[g] for g in range(5)], cache)
        comments = fit_comments(data, stack.joined)
        forest_file.write(arguments.model, data.names, [stack.first, stack.second, comments])
        print("model:", os.path.getsize(arguments.model), "bytes")
    if arguments.leave_out:
        leave_out(data)


if __name__ == "__main__":
    sys.exit(main())
