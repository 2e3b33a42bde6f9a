"""Texts in other scripts: each word becomes, by its hash, a word that no lexicon knows; the same word always the same."""

import hashlib
import re
from functools import lru_cache

LETTERS = re.compile(r"[^\W\d_]+")
BLANKS = re.compile(r"\s+")
BETWEEN_NUMBERS = re.compile(r"(?<=[0-9])\s+(?=[0-9])")
KEPT_BLANK = "\ue000"
# Function words of some languages, as `crates/content/src/extract/features/lexicon.rs` has them, and those of Chinese.
FUNCTION_WORDS = set(
    "the a an and or of to in is are was for on with that this it as at by be from you your we our i he she they not have has "
    "der die das und oder von zu in ist sind war für auf mit dass es als bei ein eine einen nicht auch sich im am wir sie ich "
    "le la les un une des et ou de du est sont pour sur avec que qui ce il elle ne pas au aux el los las y o del al es para con por "
    "se su no lo como il e di non per della è som og av i w na z do się nie jest to".split()
)
CHINESE_FUNCTION_WORDS = "的了是在和也就都不有我他这中"
IDEOGRAPHS = [chr(code) for code in range(0x4E00, 0x9FA0) if chr(code) not in CHINESE_FUNCTION_WORDS]
ALPHABETS = ["абвгдежзийклмнопрстуфхцчшыэюя", "αβγδεζηθικλμνξοπρστυφχψω", "אבגדהוזחטיכלמנסעפצקרשת"]
MARKS = {"!": "！", "?": "？", ";": "；", "(": "（", ")": "）"}


def digest(word):
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=16).digest(), "big")


@lru_cache(maxsize=1 << 18)
def chinese(word):
    number, length = digest(word), 1 if len(word) <= 3 else 2 if len(word) <= 7 else 3
    if word in FUNCTION_WORDS:
        return CHINESE_FUNCTION_WORDS[number % len(CHINESE_FUNCTION_WORDS)]
    characters = []
    for _ in range(length):
        number, rest = divmod(number, len(IDEOGRAPHS))
        characters.append(IDEOGRAPHS[rest])
    return "".join(characters)


@lru_cache(maxsize=1 << 18)
def spelled(word, alphabet):
    letters, number = [], digest(word)
    for place in range(len(word)):
        if place % 16 == 15:
            number = digest(word[place:])
        number, rest = divmod(number, len(alphabet))
        letters.append(alphabet[rest])
    return "".join(letters)


def to_cipher(text, alphabet):
    def word(match):
        old = match.group()
        new = spelled(old.lower(), alphabet)
        return new.upper() if old.isupper() else new[0].upper() + new[1:] if old[0].isupper() else new

    return LETTERS.sub(word, text)


def to_chinese(text, keep_lines):
    text = re.sub(r"(?<!\d),|,(?!\d)", "，", text)
    text = re.sub(r"(?<=[^\W\d_])\.(?![^\W_])|(?<=\d)\.(?=\s|$)", "。", text)
    text = re.sub(r"(?<!\d):|:(?!\d)", "：", text)
    text = re.sub(r"[!?;()]", lambda match: MARKS[match.group()], text)
    text = LETTERS.sub(lambda match: chinese(match.group().lower()), text)
    blank = lambda match: "\n" if keep_lines and "\n" in match.group() else ""
    return BLANKS.sub(blank, BETWEEN_NUMBERS.sub(KEPT_BLANK, text)).replace(KEPT_BLANK, " ")


def mapping(script, draw):
    """What changes a text: to Chinese characters, to the letters of an alphabet (`draw`, in [0, 1), tells which), or not at all."""
    if script == "cjk":
        return lambda text, keep_lines=False: to_chinese(text, keep_lines)
    if script == "cipher":
        alphabet = ALPHABETS[int(draw * len(ALPHABETS))]
        return lambda text, keep_lines=False: to_cipher(text, alphabet)
    return lambda text, keep_lines=False: text
