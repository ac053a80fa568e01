"""Finds differences in form between lists or outputs and their references.

Markup (`|0-1|`, `</s>`, `&apos;`), subwords (`c@@ at`, `▁c at`), ids in front (`utt1 hello`), JSON,
case and tokenisation: if one side has it everywhere and the other nowhere, the metric would count
errors that are not those of the translations.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

ENOUGH = 1000  # texts of each side that are examined; more would not change the answer
SHARE = 0.01  # of the words; marks on fewer may be a slip
LETTERS = 100  # fewest letters of a side that is taken for lower-cased
CAPITALS = 5  # fewest upper-case letters of the other side then
FEW = 4  # fewest punctuation marks or quotes of each side
MOSTLY = 10  # one way must be this many times as frequent as the other

PATTERNS = {
    "subword marks such as '@@'": re.compile(r"\S@@(?!\S)"),
    "subword marks '\u2581'": re.compile("\u2581"),
    "segmentation marks such as |0-1|": re.compile(r"(?<!\S)\|\d+-\d+[^\s|]*\|(?!\S)"),
    "factors such as house|N": re.compile(r"(?<!\S)[^\s|]+(?:\|[^\s|]+)+(?!\S)"),
    "marks such as </s>": re.compile(r"(?<!\S)</?(?:s|unk|pad)>(?!\S)"),
}
ESCAPED = re.compile(r"&(?:apos|quot);")
WHOLE = {
    "begin with ids such as utt1": re.compile(  # of letters and digits, or 84-121-0007
        r"(?=\S*[0-9])(?=\S*(?:[^\W\d]|[0-9]-[0-9]))[\w.:-]+(?!\S)"
    ),
    "are JSON objects (call the file *.jsonl)": re.compile(r'\{\s*".*\}\s*$'),
}
QUOTES = re.compile("['\"]")
DETACHED = re.compile(r"(?<=\w )[.,!?;:](?!\S)")
ATTACHED = re.compile(r"(?<=[^\W\d])[.,!?;:](?!\S)")


@dataclass(slots=True)
class FormCounts:
    """Counts of the features of form in the texts of one side.

    detached, attached: punctuation marks after a blank, and right after a word; escaped: escapes
    such as &apos;; whole: texts by pattern of WHOLE; marks: matches by pattern of PATTERNS.
    """

    texts: int = 0
    words: int = 0
    letters: int = 0
    capitals: int = 0
    detached: int = 0
    attached: int = 0
    escaped: int = 0
    quotes: int = 0
    whole: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)

    def add(self, text: str) -> None:
        """Count the features of a text."""
        self.texts += 1
        self.words += len(text.split())
        capitals = sum(map(str.isupper, text))
        self.capitals += capitals
        self.letters += capitals + sum(map(str.islower, text))
        self.detached += len(DETACHED.findall(text))
        self.attached += len(ATTACHED.findall(text))
        self.escaped += len(ESCAPED.findall(text))
        self.quotes += len(QUOTES.findall(text))
        self.whole.update(what for what, pattern in WHOLE.items() if pattern.match(text))
        for what, pattern in PATTERNS.items():
            if count := len(pattern.findall(text)):
                self.marks[what] += count

    @classmethod
    def of(cls, texts: Iterable[str]) -> FormCounts:
        """Count the features of the first ENOUGH texts."""
        counts = cls()
        for text in itertools.islice(texts, ENOUGH):
            counts.add(text)
        return counts


def form_difference(
    texts: FormCounts, references: FormCounts, *, case: bool = True, tokens: bool = True
) -> str | None:
    """Return how texts differ in form from references, for a message; None if they do not.

    case, tokens: whether case and tokenisation matter to the metric.
    """
    sides = [("texts", texts, "references", references), ("references", references, "texts", texts)]
    differences = [
        what
        for here, counts, there, others in sides
        for what in _differences(here, counts, there, others, case, tokens)
    ]
    return "; ".join(differences) or None


def _differences(
    here: str, counts: FormCounts, there: str, others: FormCounts, case: bool, tokens: bool
) -> Iterator[str]:
    """Yield, in words, each feature of form that side `here` has and side `there` has not."""
    for what in PATTERNS:
        if counts.marks[what] > SHARE * counts.words and others.words and not others.marks[what]:
            yield f"the {here} have {what}, the {there} none"
    for what in WHOLE:
        all_are = counts.whole[what] == counts.texts
        if all_are and _mostly(counts.whole[what], others.whole[what]) and others.texts:
            yield f"the {here} {what}, unlike the {there}"
    if _mostly(counts.escaped, counts.quotes) and _mostly(others.quotes, others.escaped):
        yield f"the {here} have escapes such as &apos;, the {there} none"
    enough = counts.letters >= LETTERS and others.capitals >= CAPITALS
    if case and enough and not counts.capitals and others.capitals > SHARE * others.letters:
        yield f"the {here} are all lower-case, the {there} are not"
    attached = _mostly(others.attached, others.detached)
    if tokens and attached and _mostly(counts.detached, counts.attached):
        yield f"the {here} are tokenised, the {there} are not"


def _mostly(often: int, seldom: int) -> bool:
    return often >= FEW and often >= MOSTLY * seldom
