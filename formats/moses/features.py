"""The [feature] lines of a moses.ini: which features of `decode` are on, and their files.

    PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrase-table.gz
    LexicalReordering name=LexicalReordering0 type=wbe-msd-bidirectional-fe-allff path=table.gz
    LexicalReordering name=LexicalReordering1 type=hier-msd-bidirectional-fe-allff path=other.gz
    KENLM name=LM0 path=lm.arpa.gz order=5
    Distortion

A line has a type, then `key=value` in any order.  A feature without `name=` is called by its type
and the number of such features before it, as in Moses.  A feature, key or value that `decode` does
not support is an error that names the line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from campanula.formats.arpa.reader import is_binary
from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION, LM_SPLIT, names_of
from campanula.formats.feature_names.sparse import split_name
from campanula.formats.files import read_head, read_lines
from campanula.formats.model.files import (
    HIERARCHICAL,
    PHRASE,
    WORD,
    LanguageModelFile,
    ModelFiles,
    ReorderingTable,
)
from campanula.formats.text.numbers import whole_number

# keys that do not change translations
SAME_ANYWHERE = {"tuneable", "tuneable-components", "filterable", "verbosity"}
SAME_ANYWHERE |= {"require-sorting-after-source-context", "cache-size", "load", "lazyken"}
TRUNCATING = {"SRILM", "IRSTLM"}  # they read n-grams up to `order`; KenLM reads all
KINDS = {  # our label of a type's features, without number
    "PhraseDictionaryMemory": "TranslationModel",
    "LexicalReordering": "LexicalReordering",
    "KENLM": "LM",
    "SRILM": "LM",
    "IRSTLM": "LM",
    "Distortion": "Distortion",
    "WordPenalty": "WordPenalty",
    "PhrasePenalty": "PhrasePenalty",
    "UnknownWordPenalty": "UnknownWordPenalty",
}
SEVERAL = ("LM", "LexicalReordering")  # kinds of which a model may have more than one
BINARY = {
    "PhraseDictionaryCompact",
    "PhraseDictionaryOnDisk",
    "PhraseDictionaryBinary",
    "ProbingPT",
}
FACTORS = ("input-factor", "output-factor", "factor")
N_ORIENTATIONS = 6  # monotone, swap, discontinuous; before and after
MAX_SCORES = 64  # of a phrase pair
ORIENTATIONS = {"msd", "bidirectional", "fe"}  # required words of a reordering type
OTHER_PARTS = {"wbe": WORD, "phrase": PHRASE, "hier": HIERARCHICAL, "allff": ""}  # optional ones


@dataclass(frozen=True)
class IniLine:
    """A line of a configuration: its number from 1, and its text without a comment."""

    file: str
    number: int
    text: str

    def error(self, expected: str, found: str) -> DataError:
        """Return the error that `found` stands in this line where `expected` should."""
        return DataError(self.file, f"line {self.number}", f"expected {expected}, found {found}")


@dataclass(frozen=True)
class IniFeature:
    """A feature function of a moses.ini.

    type, name: Moses's; number: how many features of its kind come before; width: number of its
    values; value: all keys of the line with their values.
    """

    line: IniLine
    type: str
    name: str
    number: int
    width: int
    value: dict[str, str]

    @property
    def kind(self) -> str:
        """Our label for features of this type, without the number."""
        return KINDS[self.type]

    @property
    def label(self) -> str:
        """Our label for the feature, such as LM0."""
        return f"{self.kind}{self.number}"

    def names(self) -> list[str]:
        """Return the names of its values, numbered if there are several."""
        return names_of(self.name, self.width)


def read_feature(line: IniLine, earlier: Sequence[IniFeature]) -> IniFeature:
    """Read a line of [feature]; raises DataError for anything that decode does not support."""
    kind, *arguments = line.text.split(" ")
    if kind in BINARY:
        raise line.error("PhraseDictionaryMemory with a text table", f"{kind}, a binary format")
    if kind not in KINDS:
        raise line.error("features of a phrase-based model that decode has", repr(kind))
    value: dict[str, str] = {}
    for argument in arguments:
        key, mark, text = argument.partition("=")
        if not mark or not text or key in value:
            raise line.error(f"key=value after {kind}, each key once", repr(argument))
        value[key] = text
    unnamed = sum("name" not in feature.value for feature in earlier if feature.type == kind)
    name = value.get("name", f"{kind}{unnamed}")
    same_kind = [other for other in earlier if other.kind == KINDS[kind]]
    if same_kind and KINDS[kind] not in SEVERAL:
        raise line.error(f"one feature like {same_kind[0].name}", f"{name}, another")
    feature = IniFeature(line, kind, name, len(same_kind), _width(line, kind, value), value)
    _refuse_taken_names(feature, earlier)
    _refuse_other_keys(feature)
    return feature


def _refuse_taken_names(feature: IniFeature, earlier: Sequence[IniFeature]) -> None:
    """Raise DataError if another feature has the name of this one, or of one of its values.

    Other features are those of earlier lines, and those of decode that no moses.ini can name.
    """
    taken = {name for other in earlier for name in (other.name, *other.names())}
    for name in (feature.name, *feature.names()):
        if name in taken:
            raise feature.line.error("another name", f"{name!r} for the second time")
        if name in (*LM_SPLIT, *DISTORTION) or split_name(name) is not None:
            raise feature.line.error(
                "another name", f"{name!r}, which is another feature of decode"
            )


def _width(line: IniLine, kind: str, value: dict[str, str]) -> int:
    """Return the number of a feature's values; raises DataError for another num-features."""
    usual = N_ORIENTATIONS if kind == "LexicalReordering" else 1
    text = value.get("num-features", str(usual))
    width = whole_number(text)
    if kind == "PhraseDictionaryMemory":
        if width and width <= MAX_SCORES:
            return width
        raise line.error(f"num-features= from 1 to {MAX_SCORES}", repr(text))
    if width != usual:
        raise line.error(f"num-features={usual} of {kind}", repr(text))
    return usual


def _refuse_other_keys(feature: IniFeature) -> None:
    """Raise DataError for a key, or a value of a key, that decode does not support."""
    own = {
        "TranslationModel": {"path", "table-limit"},
        "LexicalReordering": {"path", "type"},
        "LM": {"path", "order", "oov-feature"},
        "PhrasePenalty": {"per-phrase-table"},
    }
    keys = {"name", "num-features", *FACTORS, *own.get(feature.kind, ()), *SAME_ANYWHERE}
    for key, text in feature.value.items():
        if key not in keys:
            raise feature.line.error(f"keys of {feature.type} that decode has", repr(key))
        if key in FACTORS and text != "0":
            raise feature.line.error(f"{key}=0", repr(text))
        if key in ("oov-feature", "per-phrase-table") and text not in ("0", "false"):
            raise feature.line.error(f"{key}=false", repr(text))
    if feature.type == "LexicalReordering":
        parts = set(feature.value.get("type", "").split("-"))
        kinds = [part for part in parts if OTHER_PARTS.get(part)]
        if not ORIENTATIONS <= parts <= ORIENTATIONS | set(OTHER_PARTS) or len(kinds) > 1:
            expected = "type=wbe-msd-bidirectional-fe-allff (or phrase, hier)"
            raise feature.line.error(expected, repr(feature.value.get("type", "none")))


def model_files(ini: str, features: Sequence[IniFeature]) -> tuple[ModelFiles, int | None]:
    """Return the files of the features, and the phrase table's table-limit; raises DataError.

    The limit is None if the line has none, 0 for no limit.
    """
    by_label = {feature.label: feature for feature in features}
    table = by_label.get("TranslationModel0")
    if table is None:
        raise DataError(ini, None, "expected a phrase table in [feature], found none")
    phrase_table = _file(ini, table, ".gz")
    _check_width(table, phrase_table)
    lms = [(lm, _file(ini, lm)) for lm in features if lm.kind == "LM"]
    for lm, path in lms:
        _check_language_model(lm, path)
    limit = table.value.get("table-limit")
    if limit is not None and whole_number(limit) is None:
        raise table.line.error("a whole number of table-limit", repr(limit))
    files = ModelFiles(
        phrase_table,
        tuple(_reordering_table(ini, one) for one in features if one.kind == "LexicalReordering"),
        tuple(LanguageModelFile(path) for _, path in lms),
        tuple(name for feature in features for name in feature.names()),
        labels=tuple((feature.label, feature.name) for feature in features),
        source=ini,
    )
    return files, None if limit is None else whole_number(limit)


def _reordering_table(ini: str, feature: IniFeature) -> ReorderingTable:
    """Return the table of a reordering feature; raises DataError when the file is missing."""
    parts = feature.value["type"].split("-")
    orientation = next(filter(None, (OTHER_PARTS.get(part) for part in parts)), WORD)
    return ReorderingTable(_file(ini, feature, ".gz"), orientation)


def _file(ini: str, feature: IniFeature, *ends: str) -> str:
    """Return the path of a feature's file, which may end in one of `ends` as well.

    Raises DataError when there is no such file.
    """
    path = feature.value.get("path")
    if path is None:
        raise feature.line.error(f"path=FILE of {feature.type}", "none")
    for folder in (os.path.dirname(ini), ""):
        for end in ("", *ends):
            if os.path.exists(found := os.path.join(folder, path + end)):
                return found
    where = os.path.join(os.path.dirname(ini), path)
    raise feature.line.error(f"the file {where}", "no such file")


def _first(feature: IniFeature, path: str, wanted: Callable[[str], bool]) -> str:
    """Return the first of a file's first 1000 lines that is `wanted`, "" if there is none."""
    if not os.path.isfile(path):
        return ""
    lines = (line for _, line in zip(range(1000), read_lines(path), strict=False))
    return next(filter(wanted, lines), "")


def _check_width(table: IniFeature, path: str) -> None:
    """Raise DataError unless a phrase table has as many scores as num-features says."""
    fields = _first(table, path, lambda line: True).split("|||")
    if len(fields) > 2 and len(fields[2].split()) != table.width:
        width = len(fields[2].split())
        raise table.line.error(f"num-features={width} as {path} has", f"num-features={table.width}")


def _check_language_model(lm: IniFeature, path: str) -> None:
    """Raise DataError for a binary file, and for n-grams longer than the order Moses reads."""
    if not os.path.isfile(path):
        return
    # 64 KiB: ARPA's counts, `ngram N=...`, stand at the beginning of the file
    head = read_head(path, 1 << 16)
    if is_binary(head):
        raise lm.line.error("a language model as ARPA text", f"{path}, a binary file")
    order = lm.value.get("order", "")
    if lm.type in TRUNCATING and (n := whole_number(order)) and b"\nngram %d=" % (n + 1) in head:
        raise lm.line.error(f"an order of at least that of {path}", f"order={order}")
