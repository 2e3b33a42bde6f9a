"""How well the language of a text is told that declares none: page_languages.py LOPPER UNPACKED

Texts are one to seven paragraphs in a row of the translated handbooks of everyday/handbooks.txt, unpacked as for
handbooks.sh, at most 200 a language. Paragraphs that are not translated are left out: by the share of the commonest
English words, and in other scripts by the share of Latin letters. Prints the share that is told right, by language.
"""

import collections
import html
import json
import os
import random
import re
import subprocess
import sys
import tempfile

ENGLISH = set("the of and to in is that for with this are be on as it you can or an by from not if".split())
OTHER_SCRIPTS = set("el ru uk ar fa hi ja zh ko".split())
TEXTS_MAX = 200


def files_by_language(unpacked):
    table = os.path.join(os.path.dirname(__file__), "everyday", "handbooks.txt")
    files = collections.defaultdict(list)
    for line in open(table):
        if line.startswith("#"):
            continue
        book, package, _, folder = line.split()
        root = os.path.join(unpacked, package, folder)
        for path, _, names in os.walk(root):
            for name in names:
                if not name.endswith(".html"):
                    continue
                if "/" in book:
                    language = book.split("/")[1]
                elif book == "live":
                    language = name.split(".")[-2]
                else:
                    language = os.path.relpath(path, root).split("/")[0]
                language = re.split("[-_]", language)[0].lower()
                files[{"nb": "no"}.get(language, language)].append(os.path.join(path, name))
    return files


def paragraphs(path, language):
    page = open(path, encoding="utf-8", errors="replace").read()
    for text in re.findall(r"<(?:p|dd|td)\b[^>]*>(.*?)</(?:p|dd|td)>", page, re.S):
        text = " ".join(html.unescape(re.sub("<[^>]*>", " ", text)).split())
        words = re.findall(r"\w+", text.lower())
        letters = [char for char in text if char.isalpha()]
        is_english = sum(word in ENGLISH for word in words) > 0.03 * len(words)
        is_latin = language in OTHER_SCRIPTS and sum(char > "\u0250" for char in letters) < 0.6 * len(letters)
        if len(text) >= 40 and not is_english and not is_latin:
            yield text


def texts(files, language, draw):
    files.sort()
    draw.shuffle(files)
    count = 0
    for path in files:
        own = list(paragraphs(path, language))
        in_a_row = draw.randrange(1, 8)
        begin = draw.randrange(max(1, len(own) - in_a_row + 1))
        text = " ".join(own[begin : begin + in_a_row])
        if len(text) >= 80 and count < TEXTS_MAX:
            count += 1
            yield text


def main(lopper, unpacked):
    draw = random.Random(5)
    told = collections.defaultdict(collections.Counter)
    for language, files in sorted(files_by_language(unpacked).items()):
        if language in ("en", "hu"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for number, text in enumerate(texts(files, language, draw)):
                with open(os.path.join(folder, f"{number}.html"), "w", encoding="utf-8") as page:
                    page.write(f"<meta charset=utf-8><body><p>{html.escape(text)}</p>")
            found = subprocess.run([lopper, "extract", "--format", "jsonl", folder], capture_output=True, text=True)
        for line in found.stdout.splitlines():
            told[language][json.loads(line).get("lang", "")] += 1
    for language, counts in told.items():
        print(f"{language} {counts.total():4} {counts[language] / counts.total():.3f}", counts.most_common(4))
    right = sum(counts[language] for language, counts in told.items())
    total = sum(counts.total() for counts in told.values())
    print(f"all {total} {right / total:.3f}")


main(*sys.argv[1:])
