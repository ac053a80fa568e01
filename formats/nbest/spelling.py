"""Writes names and texts for other tools, and refuses those that their formats cannot express."""

from __future__ import annotations

import re

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.errors import DataError, quoted
from campanula.formats.nbest.pages import FeatureRows, LabelBytes, Part
from campanula.formats.nbest.splitting import BARS
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts

BLANKS = " \t\n"
PLAIN_ID = re.compile(r"[^ \t\n|]+")


def sentence_field(kbest: KBest, source: str) -> bytes:
    """Return a list's id or number as first field; raises DataError for an id with blank or bar."""
    if kbest.id is None:
        return b"%d" % kbest.sid
    if not PLAIN_ID.fullmatch(kbest.id):
        problem = f"expected an id without blanks and bars, found {quoted(kbest.id)}"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    return kbest.id.encode("utf-8")


def bar_texts(texts: Texts, source: str, sid: int) -> Texts:
    """Return the texts; raises DataError for one that a field between bars cannot contain."""
    # all texts at once first: few lists have one that has to be looked at
    if b"|||" not in texts.blob and b"\n" not in texts.blob and not _blank_at_ends(texts):
        return texts
    for place, text in enumerate(texts):
        if text != text.strip(" \t") or "\n" in text or BARS.search(text):
            where = f"sentence {sid}: hypothesis {place}"
            problem = "expected text without ||| between blanks, line end, blank at its ends"
            raise DataError(source, where, f"{problem}; found {text!r}")
    return texts


def _blank_at_ends(texts: Texts) -> bool:
    """Whether any text begins or ends with a blank or tab."""
    start = texts.pointer[:-1]
    end = texts.pointer[1:]
    filled = end > start
    byte = np.frombuffer(texts.blob, np.uint8)
    ends = np.concatenate([byte[start[filled]], byte[end[filled] - 1]])
    return bool(((ends == ord(" ")) | (ends == ord("\t"))).any())


class NameSpelling:
    """Makes labels of feature names, each with a mark at its end, and checks every name once."""

    def __init__(self, source: str, mark: str) -> None:
        self._source = source
        self._mark = mark
        self._byte = Column(np.uint8)
        self._pointer = Column(np.int64)
        self._pointer.append(0)

    @property
    def labels(self) -> LabelBytes:
        """Labels of all names so far, by id."""
        return LabelBytes(self._byte.values, self._pointer.values)

    def add(self, names: Names) -> list[str]:
        """Add the new names of a growing table and return them; raises DataError for blanks."""
        fresh = names.since(len(self._pointer) - 1)
        for name in fresh:
            if not name or any(blank in name for blank in BLANKS):
                problem = "expected a name without blanks"
                raise DataError(self._source, f"feature {name!r}", problem)
        if fresh:
            labels = Texts.of(f"{name}{self._mark}" for name in fresh)
            self._pointer.extend(labels.pointer[1:] + len(self._byte))
            self._byte.extend(np.frombuffer(labels.blob, np.uint8))
        return fresh

    def parts(self, kbest: KBest) -> list[Part]:
        """Return the features of every hypothesis as `name=value name=value`."""
        self.add(kbest.names)
        parts: list[Part] = []
        for number, values in zip(
            kbest.features.dense_id.tolist(), kbest.features.dense, strict=True
        ):
            parts += [f"{' ' * bool(parts)}{kbest.names[number]}{self._mark}".encode(), values]
        return [*parts, FeatureRows(kbest.features, self.labels, behind=bool(parts))]
