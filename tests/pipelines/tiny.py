"""A tiny model and text, so small that a whole tuning run takes a second or two."""

from __future__ import annotations

import os
from pathlib import Path

BLOCKS = """\
der ||| the ||| 0.7 0.6 0.7 0.6 ||| 0-0 ||| 9 9 9
der ||| of the ||| 0.2 0.3 0.2 0.1 ||| 0-0 ||| 9 9 9
ein ||| a ||| 0.8 0.7 0.8 0.7 ||| 0-0 ||| 9 9 9
ein ||| one ||| 0.3 0.2 0.2 0.3 ||| 0-0 ||| 9 9 9
hund ||| dog ||| 0.9 0.8 0.6 0.7 ||| 0-0 ||| 9 9 9
hund ||| hound ||| 0.5 0.4 0.4 0.3 ||| 0-0 ||| 9 9 9
katze ||| cat ||| 0.9 0.9 0.8 0.8 ||| 0-0 ||| 9 9 9
mann ||| man ||| 0.8 0.9 0.9 0.8 ||| 0-0 ||| 9 9 9
mann ||| husband ||| 0.6 0.5 0.1 0.2 ||| 0-0 ||| 9 9 9
schläft ||| sleeps ||| 0.9 0.8 0.5 0.5 ||| 0-0 ||| 9 9 9
schläft ||| is asleep ||| 0.6 0.4 0.3 0.2 ||| 0-0 ||| 9 9 9
sieht ||| sees ||| 0.7 0.8 0.6 0.7 ||| 0-0 ||| 9 9 9
sieht ||| is watching ||| 0.5 0.2 0.4 0.1 ||| 0-0 ||| 9 9 9
"""
SOURCE = ["der hund schläft", "ein mann sieht der hund", "der katze sieht ein mann", "ein hund"]
REFS = [
    ["the dog is asleep", "a man is watching the dog", "the cat sees a man", "one dog"],
    ["the hound sleeps", "one man is watching the dog", "the cat is watching a man", "a dog"],
]
WEIGHTS = """\
LM0 0.5
Distortion0 0.3
WordPenalty0 -1
PhrasePenalty0 0.2
UnknownWordPenalty0 1
TranslationModel0_0 0.2
TranslationModel0_1 0.2
TranslationModel0_2 0.2
TranslationModel0_3 0.2
"""
INI = """\
[distortion-limit]
6
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrase-table
Distortion
KENLM name=LM0 factor=0 path=lm.arpa order=1
[weight]
LM0= 0.5
Distortion0= 0.3
WordPenalty0= -1
PhrasePenalty0= 0.2
UnknownWordPenalty0= 1
TranslationModel0= 0.2 0.2 0.2 0.2  # 9
"""
WORDS = ["the", "of", "a", "one", "dog", "hound", "cat", "man", "husband"]
WORDS += ["sleeps", "is", "asleep", "sees", "watching"]


def unigrams() -> str:
    """An ARPA file of one order, every word as likely as its place allows."""
    lines = [f"{-1.0 - 0.1 * i:.1f}\t{word}" for i, word in enumerate(WORDS)]
    head = f"\\data\\\nngram 1={len(WORDS) + 3}\n\n\\1-grams:\n-2.0\t<unk>\n-99\t<s>\n-1.2\t</s>\n"
    return head + "\n".join(lines) + "\n\n\\end\\\n"


def write(folder: Path) -> list[str]:
    """Write model, text and weights; return the flags of `tune rampion` that name them."""
    files = {
        "phrase-table": BLOCKS,
        "lm.arpa": unigrams(),
        "dev.de": "".join(f"{line}\n" for line in SOURCE),
        "dev.en0": "".join(f"{line}\n" for line in REFS[0]),
        "dev.en1": "".join(f"{line}\n" for line in REFS[1]),
        "w0": WEIGHTS,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = {name: os.fspath(folder / name) for name in files}
    data = ["--source", path["dev.de"], "--ref", path["dev.en0"], "--ref", path["dev.en1"]]
    model = ["--phrase-table", path["phrase-table"], "--lm", path["lm.arpa"]]
    return [*data, *model, "--weights", path["w0"], "-k", "20"]
