"""Fits the weights of the ranking's blend to judged queries, and says what they give on queries that they have not seen.

usage: fit.py EVIDENCE.jsonl… [--hold-out] [--folds 5] [--every N] [--start current|bm25f|FILE] [--pull L] [--bags N] [--search STEPS]

The files come from `lopper eval retrieval … --evidence`. README.md tells the method.
"""

import argparse
import json

import numpy as np

import evidence as evidence_files
import measure

GAIN_MIN = 2e-4  # what a change, and a weight above 0, must give
STEPS = (0.3, 0.15, 0.07, 0.03)
PASSES = 3  # at most, over all parts with one step


class Objective:
    """The mean objective of some sets, less `pull` for each unit that a weight is away from where it started."""

    def __init__(self, sets, start=None, pull=0.0):
        self.sets, self.start, self.pull = sets, start, pull

    def scores(self, weights):
        return [np.tensordot(weights.astype(np.float32), one.x, axes=1) for one in self.sets]

    def value(self, scores, weights):
        found = [measure.objective(measure.figures(one, s)) for one, s in zip(self.sets, scores)]
        away = np.abs(weights - self.start).sum() if self.pull else 0.0
        return float(np.mean(found)) - self.pull * away

    def moved(self, scores, part, by):
        """The scores with one weight changed."""
        return [s + np.float32(by) * one.x[part] for one, s in zip(self.sets, scores)]


def fit(sets, weights, pull=0.0):
    """Coordinate ascent from `weights`. The first weight stays: only proportions count."""
    objective = Objective(sets, weights, pull)
    weights = weights.copy()
    value = objective.value(objective.scores(weights), weights)
    for step in STEPS:
        for _ in range(PASSES):
            before = value
            for part in range(1, len(weights)):
                value = improve(objective, weights, part, step, value)
            if value < before + GAIN_MIN:
                break
        value = drop_idle(objective, weights, value)
    return weights


def search(sets, weights, steps, start=None, pull=0.0, seed=1):
    """Random steps of one to three weights at once, kept where they give something: it leaves the points where no single weight helps."""
    objective, random = Objective(sets, start, pull), np.random.default_rng(seed)
    value = objective.value(objective.scores(weights), weights)
    for _ in range(steps):
        moved = weights.copy()
        for part in random.choice(np.arange(1, len(weights)), random.integers(1, 4), replace=False):
            moved[part] = round(max(0.0, moved[part] * (1 + random.normal() * 0.3) + random.normal() * 0.08), 2)
        found = objective.value(objective.scores(moved), moved)
        if found > value + GAIN_MIN / 4:
            weights, value = moved, found
    return weights


def bagged(sets, learn, bags):
    """The mean of weights fitted to halves of each set's groups, split at random `bags` times: sites that a fit has not seen keep it from
    leaning on what is peculiar to some."""
    found = []
    for seed in range(bags):
        halves = [evidence_files.halves(one.groups, seed) for one in sets]
        for half in range(2):
            found.append(learn([one.select(is_in == half) for one, is_in in zip(sets, halves)]))
    return np.round(np.mean(found, axis=0), 2)


def improve(objective, weights, part, step, value):
    """Moves one weight to where it gives most, if that is enough."""
    now = weights[part]
    scores = objective.scores(weights)
    targets = sorted({round(max(0.0, now + by * step), 2) for by in (-2, -1, 1, 2)} | {0.0} - {now})
    with_target = lambda target: np.where(np.arange(len(weights)) == part, target, weights)
    value_of = lambda target: objective.value(objective.moved(scores, part, target - now), with_target(target))
    values = [(value_of(target), target) for target in targets]
    best, target = max(values, key=lambda pair: (pair[0], -pair[1]))
    if best < value + GAIN_MIN:
        return value
    weights[part] = target
    return best


def drop_idle(objective, weights, value):
    """Sets to 0 what gives too little, the smallest first."""
    for part in sorted(range(1, len(weights)), key=lambda part: (weights[part], part)):
        if weights[part] > 0:
            rest = np.where(np.arange(len(weights)) == part, 0.0, weights)
            without = objective.value(objective.scores(rest), rest)
            if without > value - GAIN_MIN:
                weights[part], value = 0.0, without
    return value


def cross_validate(sets, learn, count):
    """The figures of every query by weights that its group had no part in."""
    fold_of = [evidence_files.folds(one.groups, count) for one in sets]
    found = [np.full((4, len(one.kinds)), np.nan) for one in sets]
    for fold in range(count):
        weights = learn([one.select(f != fold) for one, f in zip(sets, fold_of)])
        print(f"fold {fold}: {named(sets[0].parts, weights)}", flush=True)
        for one, f, figures in zip(sets, fold_of, found):
            rows = np.flatnonzero(f == fold)
            if len(rows):
                held_out = one.select(rows)
                figures[:, rows] = measure.figures(held_out, Objective([held_out]).scores(weights)[0])
    return found


def hold_out(sets, learn):
    """The figures of every set by weights fitted to the others."""
    found = []
    for held in sets:
        weights = learn([one for one in sets if one is not held])
        print(f"without {held.name}: {named(held.parts, weights)}", flush=True)
        found.append(measure.figures(held, Objective([held]).scores(weights)[0]))
    return found


def started(choice, first):
    """The weights that the fit begins with."""
    if choice == "current":
        return first.weights
    if choice == "bm25f":
        return np.eye(len(first.parts))[0]
    with open(choice, encoding="utf-8") as file:
        weights = json.load(file)["weights"]
    return np.array([weights.get(part, 0.0) for part in first.parts])


def named(parts, weights):
    return " ".join(f"{part}={weight:g}" for part, weight in zip(parts, weights) if weight > 0)


def rust_array(weights):
    """The body of `RankingWeights::default`."""
    texts = [f"{weight:.2f}".rstrip("0") for weight in weights]
    return "Self([" + ", ".join(text + "0" if text.endswith(".") else text for text in texts) + "])"


def report(label, sets, figures):
    for one, found in zip(sets, figures):
        print(f"{one.name}")
        measure.report(label, one, found)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("evidence", nargs="+")
    arguments.add_argument("--folds", type=int, default=5)
    arguments.add_argument("--every", type=int, default=1, help="take every Nth query")
    arguments.add_argument("--start", default="current", metavar="current|bm25f|FILE", help="FILE as of lopper's --weights, in JSON")
    arguments.add_argument("--hold-out", action="store_true", help="fit to all sets but one, for each of them")
    arguments.add_argument("--pull", type=float, default=0.0, metavar="L", help="what a unit away from the start costs")
    arguments.add_argument("--best", type=int, default=400, metavar="N", help="candidates of a query that are looked at")
    arguments.add_argument("--bags", type=int, default=0, metavar="N", help="the mean of fits to halves of the groups, split N times")
    arguments.add_argument("--search", type=int, default=0, metavar="STEPS", help="random steps after the ascent")
    arguments.add_argument("--no-ascent", action="store_true", help="random steps alone")
    options = arguments.parse_args()
    sets = [evidence_files.read(path, options.every, options.best) for path in options.evidence]
    if any(one.parts != sets[0].parts for one in sets):
        raise SystemExit("the files were written by programs with different parts")
    start = started(options.start, sets[0])
    of_all = lambda weights: [measure.figures(one, s) for one, s in zip(sets, Objective(sets).scores(weights))]
    print(f"{'':18} {'type':8} {'n':>6} {'nDCG@10':>8} {'bS@1':>8} {'bF1@1':>8} {'read':>6}")
    report("current", sets, of_all(sets[0].weights))
    report("start", sets, of_all(start))
    ascended = lambda some: start if options.no_ascent else fit(some, start, options.pull)
    single = lambda some: search(some, ascended(some), options.search, start, options.pull)
    learn = (lambda some: bagged(some, single, options.bags)) if options.bags else single
    if options.hold_out:
        report("held out", sets, hold_out(sets, learn))
    if options.folds > 1:
        report("cross-validated", sets, cross_validate(sets, learn, options.folds))
    weights = learn(sets)
    report("fitted", sets, of_all(weights))
    print(named(sets[0].parts, weights))
    print(rust_array(weights))


if __name__ == "__main__":
    main()
