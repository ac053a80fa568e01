"""Read a Moses configuration: the files of a phrase-based model, its weights, search settings.

    [feature]                                       the feature functions, see features.py
    PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrase-table.gz
    [distortion-limit]                              a setting of the search
    6
    [weight]                                        values by the features' names
    TranslationModel0= 0.2 0.2 0.2 0.2

As in Moses, a comment runs from `#` to the end of its line, a feature without weights has weights
of 1, and without [distortion-limit] jumps are not limited.  Paths are relative to the folder of the
file, or else to the current folder as in Moses.  Settings for Moses's output files and memory are
ignored; any other setting that would change the translations is an error.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from campanula.formats.errors import DataError, LineError, quoted
from campanula.formats.files import read_lines
from campanula.formats.model.files import ModelFiles
from campanula.formats.moses.features import IniFeature, IniLine, model_files, read_feature
from campanula.formats.text.numbers import number, whole_number
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights

UNLIMITED = math.inf
PASSED_OVER = re.compile(  # settings of Moses's output, server and memory
    r"alignment-output-file|clean-lm-cache|daemon|description|include-.*|input-file"
    r"|labeled-n-best-list|lattice-samples|lmbr-.*|mbr-scale|mbr-size|minlexr-memory|minphr-memory"
    r"|n-best-.*|no-cache|output-(hypo-score|search-graph.*|unknowns|word-graph)"
    r"|persistent-cache-size|print-(alignment-info.*|all-derivations|id)|references"
    r"|report-.*|serial|server.*|session-(cache-size|timeout)|show-weights|sort-word-alignment"
    r"|(tree-)?translation-(all-)?details|unpruned-search-graph|use-persistent-cache|verbose"
    r"|xml-brackets"
)
OFF = ("0", "false", "no", "off")
AS_IT_IS = {  # settings for which decode supports these values alone
    "inputtype": ("0",),
    "input-factors": ("0",),
    "output-factors": ("0",),
    "mapping": ("0 T 0", "T 0"),
    "search-algorithm": ("0", "1"),  # decode has cube pruning, which finds what the stacks find
    "max-phrase-length": ("20",),
    "xml-input": ("pass-through",),
    "start-translation-id": ("0",),
    "time-out": ("-1", "0"),
    "segment-time-out": ("-1", "0"),
    "stack-diversity": ("0",),
    "cube-pruning-diversity": ("0",),
    "early-discarding-threshold": ("0",),
    "translation-option-threshold": ("0",),
    "always-create-direct-transopt": OFF,
    "consensus-decoding": OFF,
    "cube-pruning-deterministic-search": (*OFF, "1", "true"),  # decode's search always is
    "cube-pruning-lazy-scoring": OFF,
    "disable-discarding": (*OFF, "1", "true"),  # affects only hypotheses too bad for a full stack
    "drop-unknown": OFF,
    "early-distortion-cost": (*OFF, "1", "true"),  # decode's cost estimates always include it
    "lminimum-bayes-risk": OFF,
    "lmodel-oov-feature": OFF,
    "mark-unknown": OFF,
    "minimum-bayes-risk": OFF,
    "mira": OFF,
    "monotone-at-punctuation": OFF,
    "phrase-drop-allowed": OFF,
    "print-passthrough": OFF,
    "print-passthrough-in-n-best": OFF,
}


@dataclass(frozen=True)
class MosesIni:
    """A Moses configuration.

    settings: those of the search that are in the file: distortion-limit and jobs (whole numbers),
    stack, cube-pruning-pop-limit and table-limit (whole numbers, or inf for none), beam-threshold
    (largest difference of natural logarithms); weights: None without a section [weight]; paths: the
    file itself and all files that it names.
    """

    files: ModelFiles
    settings: dict[str, float]
    weights: Weights | None
    paths: tuple[str, ...] = field(default=())


def read_moses_ini(path: str) -> MosesIni:
    """Read a moses.ini; raises DataError that names the line with what decode does not support."""
    features: list[IniFeature] = []
    settings: dict[str, float] = {}
    weights: list[IniLine] = []
    sparse: list[IniLine] = []
    for section, line in _lines(path):
        if section == "feature":
            features.append(read_feature(line, features))
        elif section == "weight":
            weights.append(line)
        elif section == "weight-file":
            sparse.append(line)
        elif section in SETTINGS:
            name, value = SETTINGS[section]
            settings.setdefault(name, value(line))
        elif not PASSED_OVER.fullmatch(section):
            _refuse_other(section, line)
    files, limit = model_files(path, features)
    settings.setdefault("distortion-limit", UNLIMITED)
    # the phrase table's own limit comes before that of [ttable-limit]
    if limit is not None:
        settings["table-limit"] = limit or UNLIMITED
    tables = [_beside(path, line.text) for line in sparse]
    named = [file for kind in files.paths() for file in kind if file is not None]
    return MosesIni(
        files, settings, _weights(path, features, weights, tables), (path, *named, *tables)
    )


def _lines(path: str) -> Iterator[tuple[str, IniLine]]:
    """Yield the lines that are not blank, each with its section; raises DataError."""
    section = ""
    for place, text in enumerate(read_lines(path, "a moses.ini", ("moses.ini", "weights")), 1):
        text = text.partition("#")[0].strip(" \t")
        if text.startswith("["):
            section = text[1:].partition("]")[0]
        elif text:
            tokens = filter(None, text.replace("\t", " ").split(" "))
            line = IniLine(path, place, " ".join(tokens))
            if not section:
                raise line.error("a section such as [feature]", quoted(text))
            yield section, line


def _refuse_other(section: str, line: IniLine) -> None:
    """Raise DataError for a setting that decode does not support."""
    if section not in AS_IT_IS:
        raise line.error("settings that decode has", f"[{section}]")
    if line.text.lower() not in [value.lower() for value in AS_IT_IS[section]]:
        expected = " or ".join(AS_IT_IS[section][:2])
        raise line.error(f"{expected} of [{section}]", quoted(line.text))


def _count(unlimited: str, least: int = 1) -> Callable[[IniLine], float]:
    """Return a reader of whole numbers from `least` on; the text `unlimited` means inf."""

    def read(line: IniLine) -> float:
        if line.text == unlimited:
            return UNLIMITED
        value = whole_number(line.text)
        if value is None or value < least:
            raise line.error(f"a whole number from {least}", quoted(line.text))
        return value

    return read


def _threads(line: IniLine) -> float:
    return os.cpu_count() or 1 if line.text == "all" else _count("all")(line)


def _log_ratio(line: IniLine) -> float:
    """Read a ratio of probabilities as a difference of logarithms, at most 100 as in Moses."""
    try:
        ratio = number(line.text, "")
    except LineError:
        ratio = -1.0
    if not 0.0 <= ratio <= 1.0:
        raise line.error("a number from 0 to 1", quoted(line.text))
    return min(100.0, -math.log(ratio)) if ratio else 100.0


SETTINGS: dict[str, tuple[str, Callable[[IniLine], float]]] = {
    "distortion-limit": ("distortion-limit", _count("-1", 0)),
    "stack": ("stack", _count("0")),
    "cube-pruning-pop-limit": ("cube-pruning-pop-limit", _count("")),
    "ttable-limit": ("table-limit", _count("0")),
    "beam-threshold": ("beam-threshold", _log_ratio),
    "threads": ("jobs", _threads),
}


def _weights(
    path: str, features: list[IniFeature], lines: list[IniLine], sparse: list[str]
) -> Weights | None:
    """Return the weights of the features and of the sparse weight files; raises DataError."""
    if not lines:
        return None
    values_by_name: dict[str, list[float]] = {}
    width = {feature.name: feature.width for feature in features}
    for line in lines:
        name, values = _named_values(line, width)
        if name in values_by_name:
            raise line.error(f"the weights of {name} once", "them for the second time")
        values_by_name[name] = values
    table = WeightTable()
    for feature in features:
        values = values_by_name.get(feature.name, [1.0] * feature.width)
        table.weights.update(zip(feature.names(), values, strict=True))
    for file in sparse:
        table.add_pairs(WeightLines(file))
    return Weights(table.weights, path)


def _named_values(line: IniLine, width: dict[str, int]) -> tuple[str, list[float]]:
    """Read the name of a feature and its weights, `width[name]` of them; raises DataError."""
    name, mark, text = (field.strip(" ") for field in line.text.partition("="))
    if name not in width or not mark:
        raise line.error("`name= value` of a feature in [feature]", quoted(line.text))
    tokens = text.split(" ") if text else []
    if len(tokens) != width[name]:
        expected = "one value" if width[name] == 1 else f"{width[name]} values"
        raise line.error(f"{expected} of {name}", str(len(tokens)))
    try:
        return name, [number(token, f"feature {name!r}") for token in tokens]
    except LineError as error:
        raise DataError(line.file, f"line {line.number}", str(error)) from error


def _beside(ini: str, path: str) -> str:
    """Return the path of a file that a configuration names; its own folder comes first."""
    inside = os.path.join(os.path.dirname(ini), path)
    return inside if os.path.exists(inside) or not os.path.exists(path) else path
