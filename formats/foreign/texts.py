"""Kinds of text files, by their first lines, as far as these are certain."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Sequence

from campanula.formats.foreign.kinds import HEAD, FileKind
from campanula.formats.text.numbers import float_or_nan

LINES = 20  # full lines whose form is examined; ten times as many for sections and marks
ARPA = FileKind("arpa", "a language model as ARPA text", "decode --lm takes it")
MOSES_INI = FileKind(
    "moses.ini", "a moses.ini", "decode --moses-ini takes it, import-weights its weights"
)
NBEST = FileKind("n-best", "an n-best list", "import-nbest makes a stream of it")
MOSES_NBEST = NBEST._replace(what="a Moses n-best list")
PHRASE_TABLE = FileKind("phrase-table", "a Moses phrase table", "decode --phrase-table takes it")
MODEL = FileKind("model.json", "a model.json", "decode --model takes its folder")
JSON_TEXTS = FileKind(
    "json-texts", "JSON lines with ids and texts", "a name in .jsonl has them read as such"
)
JSON = FileKind("json", "JSON", "import-nbest makes a stream of lists in it")
WEIGHTS = FileKind("weights", "a weights file", "--weights takes it")
SGML = FileKind("sgml", "SGML or XML", "take the text of its segments, one a line")
HTML = FileKind("html", "a web page", "download the file itself, not a page")
LFS = FileKind("lfs", "a pointer of Git LFS", "git lfs pull brings the file")
ANY = frozenset(
    kind.name
    for kind in (ARPA, MOSES_INI, NBEST, PHRASE_TABLE, MODEL, JSON_TEXTS, JSON, WEIGHTS, SGML)
)
"""Names of all kinds of text but web pages and Git LFS pointers, which no reader wants."""

SECTION = re.compile(r"\[[A-Za-z][\w-]*\]")
# of which a moses.ini has at least one; other ini files have sections, too
SECTIONS = {"feature", "weight", "mapping", "input-factors", "ttable-file", "lmodel-file"}
TAG = re.compile(r"<(\?xml|!doctype|refset|srcset|tstset|mteval|tmx)\b", re.IGNORECASE)
PAGE = re.compile(r"<(!doctype\s+html|html)\b", re.IGNORECASE)
IS_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*[\[{"\]])')
LABEL = re.compile(r"\s*[^\W\d]\S*[=:]\s*[-+.\d]")
MOSES_LABEL = re.compile(r"\s*[^\W\d][^\s=]*=\s+[-+.\d]")
LINKS = re.compile(r"\s*\d+-\d+(\s+\d+-\d+)*\s*")


def text_kind(head: bytes) -> FileKind | None:
    """Return the kind of a text file from its first bytes; None where that is not certain.

    The last line may be cut off, so it is ignored unless it is the only one.
    """
    text = head.removeprefix(BOM_UTF8).decode("utf-8", "ignore")
    lines = text.split("\n")
    if len(lines) > 1 and len(head) >= HEAD:
        del lines[-1]
    full = [line.rstrip("\r") for line in lines if line.strip()][: 10 * LINES]
    if not full:
        return None
    return (
        _marked(full)
        or (_json_kind(text, full) if IS_JSON.match(text) else None)
        or _barred(full[:LINES])
        or (WEIGHTS if _is_weights(full[:LINES]) else None)
    )


def _marked(full: Sequence[str]) -> FileKind | None:
    """Return the kind of a text that has a line found in one kind alone; else None."""
    if PAGE.match(full[0].lstrip()):
        return HTML
    if TAG.match(full[0].lstrip()):
        return SGML
    if full[0].startswith("version https://git-lfs.github.com/"):
        return LFS
    if "\\data\\" in full and full[full.index("\\data\\") :][1:2] != []:
        following = full[full.index("\\data\\") + 1]
        return ARPA if following.startswith("ngram") else None
    own = [line.strip() for line in full if not line.lstrip().startswith("#")]
    if own and SECTION.fullmatch(own[0]) and any(line[1:-1] in SECTIONS for line in own):
        return MOSES_INI
    return None


def _json_kind(text: str, full: Sequence[str]) -> FileKind | None:
    """Return the kind of a text that begins as JSON does."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and "phrase-table" in whole:
        return MODEL
    try:
        values = [json.loads(line) for line in full[:LINES]]
    except (ValueError, RecursionError):
        return JSON
    is_text = [
        isinstance(value, dict) and isinstance(value.get("text"), str) and {"id", "sid"} & {*value}
        for value in values
    ]
    return JSON_TEXTS if all(is_text) else JSON


def _barred(full: Sequence[str]) -> FileKind | None:
    """Return the kind of a text with fields between bars: n-best list, phrase table, or None."""
    rows = [line.split("|||") for line in full]
    if min(map(len, rows)) < 3:
        return None
    if all(map(_is_hypothesis, rows)):
        moses = any(MOSES_LABEL.match(row[2]) for row in rows)
        return MOSES_NBEST if moses else NBEST
    return PHRASE_TABLE if _is_phrase_table(rows) else None


def _is_hypothesis(row: Sequence[str]) -> bool:
    """Whether a row is of an n-best list: id, text, then labelled features, or values and a score.

    Unlabelled values must have a negative one, and a single score after them: a phrase table has
    probabilities there, and word links.
    """
    if len(row[0].split()) != 1:
        return False
    if any(map(LABEL.match, row[2:])):
        return True
    values = _numbers(row[2])
    return len(row) > 3 and min(values, default=0.0) < 0 and len(_numbers(row[3])) == 1


def _is_phrase_table(rows: Sequence[Sequence[str]]) -> bool:
    scores = [_numbers(row[2]) for row in rows]
    if not all(values and min(values) >= 0 for values in scores):
        return False
    linked = any(len(row) > 3 and LINKS.fullmatch(row[3]) for row in rows)
    return linked or any(len(row[0].split()) > 1 for row in rows)


def _is_weights(full: Sequence[str]) -> bool:
    pairs = [line.split() for line in full if not line.startswith("#")]
    return bool(pairs) and all(
        len(pair) == 2 and pair[0][:1].isalpha() and _numbers(pair[1]) for pair in pairs
    )


def _numbers(field: str) -> list[float]:
    """Return the numbers of a field; an empty list if it has anything else."""
    values = [float_or_nan(token) for token in field.split()]
    return values if all(value == value for value in values) else []  # NaN: no number
