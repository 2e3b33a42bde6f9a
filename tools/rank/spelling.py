"""How many slips of the pen in queries are mended, and how many right words are touched (docs/lab/RANKING.md, Spelling).

    spelling.py [--words N] [--list] [--in-queries] NAME=ADDRESS=FOLDER ...

Each ADDRESS is that of a server (`lopper serve`) which has the pages of the judged set in FOLDER (queries.jsonl). Takes N words of
each set's queries (250 if not said) that at least five blocks have, of four letters and more. Of each it makes one error of each
kind: a letter too many, one missing, another one, two swapped, and one of these in the first letter. Asks for each error alone, and
for each right word, and prints by kind the shares of errors that are mended (searched for, or asked about), that find the same pages
as the right word all the same (of the first ten at least half), that are taken for another word, that are told to be nowhere, and that
pass without any of these. Then the share of right words that are touched, of the set's own queries and of those of the other sets that
it has nowhere. Errors that are words are left out: of any set's queries, or, `--real BLOCKS`, in so many blocks of the set and more
(20). `--in-queries` asks for each error within the first query of the set that has the word and two others at least, in place of alone.
Words and errors are drawn by a hash of the word, so a rerun prints the same. `--list` prints each error that is not mended.
"""

import argparse
import json
import re
import urllib.parse
import urllib.request
import zlib
from collections import Counter

# Parts of names are no words that people type.
BEFORE, BEHIND = r"(?<![\w.\-/'])", r"(?![\w.\-/'(])"
WORD = BEFORE + "[A-Za-z]{4,}" + BEHIND
LETTERS = "etaoinshrdlcumwfgypbvk"
BLOCKS_MIN = 5
KINDS = ["insert", "delete", "substitute", "transpose", "first letter"]


def read_words(folder):
    """The different words of a set's queries, in an order that has nothing to do with them."""
    with open(f"{folder}/queries.jsonl", encoding="utf-8") as lines:
        texts = [json.loads(line)["query"] for line in lines]
    words = {word.lower() for text in texts for word in re.findall(WORD, text)}
    return sorted(words, key=number)


def number(text):
    return zlib.crc32(text.encode())


def error(word, kind):
    """The word with one error; None where two swapped letters are the same."""
    draw = number(f"{kind} {word}")
    letter = LETTERS[(draw >> 16) % len(LETTERS)]
    if kind == "first letter":
        kind, at = KINDS[(draw >> 8) % 4], 0
    else:
        at = 1 + draw % (len(word) - (2 if kind == "transpose" else 1))
    if kind == "insert":
        wrong = word[:at] + letter + word[at:]
    elif kind == "delete":
        wrong = word[:at] + word[at + 1 :]
    elif kind == "substitute":
        wrong = word[:at] + letter + word[at + 1 :]
    else:
        wrong = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return wrong if wrong != word else None


def ask(address, query):
    values = urllib.parse.urlencode({"q": query, "pages": 10, "blocks_per_page": 1})
    with urllib.request.urlopen(f"{address}/v1/search?{values}") as answer:
        return json.load(answer)


def corrections(answer):
    return [note["correction"] for note in answer["notes"] if "correction" in note]


def is_known(address, word):
    answer = ask(address, word)
    return answer["total_blocks"] >= BLOCKS_MIN and not any(note["applied"] for note in corrections(answer))


def is_of_word(found, word):
    """Whether both are forms of one word, as a stem has them."""
    found = found.lower()
    shorter, longer = sorted((found, word), key=len)
    if longer in (shorter + "s", shorter + "es"):
        return True
    begin = max(4, min(len(found), len(word)) - 3)
    return found == word or found[:begin] == word[:begin] and abs(len(found) - len(word)) <= 4


def pages(answer):
    return {page["page_id"] for page in answer["pages"]}


def outcome(answer, word, right):
    notes = corrections(answer)
    if any(is_of_word(note["suggested"], word) for note in notes):
        return "mended"
    if notes:
        return "another"
    if any("absent_words" in note for note in answer["notes"]):
        return "told"
    return "found" if 2 * len(pages(answer) & pages(right)) >= len(pages(right)) else "silent"


def has_word(answer, word):
    """Whether a block shown has the very word, and not only another of its stem."""
    texts = [block["text"] for page in answer["pages"] for block in page["blocks"]]
    return any(re.search(rf"(?i)\b{word}\b", text) for text in texts)


def share(count, total):
    return f"{100 * count / max(1, total):5.1f}"


def first_queries(folder):
    """For each word the first of the set's queries that has it, of three words and more."""
    queries = {}
    with open(f"{folder}/queries.jsonl", encoding="utf-8") as lines:
        for text in (json.loads(line)["query"] for line in lines):
            if len(text.split()) >= 3:
                for word in re.findall(WORD, text):
                    queries.setdefault(word.lower(), (text, word))
    return queries


def with_error(queries, word, wrong):
    """The query of a word, and the same with an error in place of the word; nothing where the set has none."""
    if queries is None:
        return word, wrong
    if word not in queries:
        return None
    text, written = queries[word]
    return text, re.sub(BEFORE + written + BEHIND, wrong, text)


def measure_errors(name, address, words, all_words, real, listed, queries):
    sums = Counter()
    for kind in KINDS:
        counts = Counter()
        for word in words:
            wrong = error(word, kind)
            if wrong is None or wrong in all_words:
                continue
            alone = ask(address, wrong)
            if alone["total_blocks"] >= real and not corrections(alone) and has_word(alone, wrong):
                counts["words"] += 1
                continue
            asked = with_error(queries, word, wrong)
            if asked is None:
                continue
            answer = ask(address, asked[1])
            result = outcome(answer, word, ask(address, asked[0]))
            counts[result] += 1
            counts["n"] += 1
            if listed and result != "mended":
                notes = [(note["suggested"], note["applied"]) for note in corrections(answer)]
                print(f"    {kind}: {word} -> {wrong}: {result} {notes} {answer['total_blocks']} blocks")
        print_row(name, kind, counts)
        sums.update(counts)
    print_row(name, "all", sums)


def print_row(name, kind, counts):
    cells = [share(counts[result], counts["n"]) for result in ("mended", "found", "another", "told", "silent")]
    print(f"| {name} | {kind} | {counts['n']} | {' | '.join(cells)} | {counts['words']} |", flush=True)


def measure_right(name, kind, address, words, listed):
    counts = Counter(n=len(words))
    for word in words:
        notes = corrections(ask(address, word))
        counts["asked"] += any(not note["applied"] for note in notes)
        counts["changed"] += any(note["applied"] for note in notes)
        if listed and notes:
            print(f"    right: {word}: {[(note['suggested'], note['applied']) for note in notes]}")
    print(f"| {name} | {kind} | {len(words)} | {share(counts['changed'], len(words))} "
          f"| {share(counts['asked'], len(words))} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=250)
    parser.add_argument("--real", type=int, default=20)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--in-queries", action="store_true")
    parser.add_argument("sets", nargs="+", metavar="NAME=ADDRESS=FOLDER")
    arguments = parser.parse_args()
    sets, queries = {}, {}
    for argument in arguments.sets:
        name, address, folder = argument.split("=", 2)
        sets[name] = (address.rstrip("/"), read_words(folder))
        queries[name] = first_queries(folder) if arguments.in_queries else None
    all_words = {word for _, words in sets.values() for word in words}
    known = {name: [w for w in words[: 2 * arguments.words] if is_known(address, w)][: arguments.words]
             for name, (address, words) in sets.items()}
    print("| set | error | n | mended | finds the same | another word | told to be nowhere | silent | words, left out |")
    for name, (address, _) in sets.items():
        measure_errors(name, address, known[name], all_words, arguments.real, arguments.list, queries[name])
    print("| set | right words | n | changed | asked about |")
    for name, (address, words) in sets.items():
        measure_right(name, "of its queries", address, words[: 2 * arguments.words], arguments.list)
        others = [word for other, (_, found) in sets.items() if other != name for word in found[: arguments.words]]
        absent = [word for word in dict.fromkeys(others) if word not in words and ask(address, f'"{word}"')["total_blocks"] == 0]
        measure_right(name, "that it has nowhere", address, absent, arguments.list)


if __name__ == "__main__":
    main()
