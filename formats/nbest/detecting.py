"""Detects the format of lists from the first lines of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from campanula.formats.errors import LineError
from campanula.formats.nbest import csv_table, kaldi, plain_lines, srilm, wenet
from campanula.formats.nbest.json_shape import json_format
from campanula.formats.nbest.labels import Labels
from campanula.formats.nbest.quotes import unquoted
from campanula.formats.nbest.splitting import split
from campanula.formats.text.numbers import looks_like_number

FAIRSEQ = re.compile(r"[STHDP]-\d+\t")
COMMA = re.compile(r"[-+]?\d+,\d+")  # a score with a decimal comma, which the reader then refuses
LINES = 100  # lines that are examined, JSON aside


def detect(lines: Sequence[str]) -> str | None:
    """Return the name of the format of a file's first lines, or None when no format fits.

    All lines are examined for JSON, the first hundred for other formats.
    """
    full = [line for line in lines[:LINES] if line.strip(" \t")]
    if not full:
        return None
    # JSON first: its texts may have bars, tabs and labels, which would look like other formats
    json_name = json_format("\n".join(lines))
    if json_name is not None:
        return json_name
    if any(FAIRSEQ.match(line) for line in full):
        return "fairseq"
    if "|||" in full[0]:
        return next(filter(None, map(_detect_bars, full)), "moses")
    columns = [unquoted(name.strip(" ")) for name in full[0].split("\t")]
    if "text" in columns and {"id", "sid"} & {*columns}:
        return "tsv"
    return _detect_speech(full)


def _detect_speech(full: Sequence[str]) -> str | None:
    """Return the format of lists of speech recognisers, which all lines must fit; else None."""
    if csv_table.header(full[0]) is not None:
        return "csv"
    if srilm.is_srilm(full):
        return "srilm"
    if wenet.is_wenet(full):
        return "wenet"
    if plain_lines.is_beams(full):
        return "nemo"
    return "kaldi" if kaldi.is_kaldi(full) else None


def _detect_bars(line: str) -> str | None:
    """Return the format of a line with bars; None when its features have no labels."""
    try:
        fields = split(line)
    except LineError:
        return None
    for place, field in enumerate(fields[2:], 2):
        token = field.replace("\t", " ").split(" ")[0]
        if Labels(":").recognise(field):
            return "phrasal"
        if not Labels("=").recognise(field):
            continue
        if place > 2 and looks_like_number(fields[place - 1]):
            return "travatar"
        if token.startswith(("WordScores=", "F0=")):
            return "marian"
        if not token.endswith("="):
            return "travatar" if COMMA.fullmatch(fields[place - 1]) and place > 2 else "cdec"
        return "moses" if place == 2 else "marian"
    return None
