"""Moses: the sections [weight] and [weight-file] of a moses.ini.

    [weight]
    LM0= 0.5
    TranslationModel0= 0.2 0.2 0.1 0.1
    [weight-file]
    sparse-weights

A label with several values gives numbered names.  Sparse weights are in a second file with lines
`name value`.  A file may also have just the lines of [weight], as `moses -show-weights`, mert and
`-weight-overwrite` write them; there a label's values may go on in the next line.  Components that
are not tuned have no number.  A comment runs from `#` to the end of its line.  The sections of
Moses before 2013, such as [weight-l], do not name features and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from campanula.formats.errors import DataError, quoted, repeated
from campanula.formats.feature_names.dense import names_of
from campanula.formats.weight_files.labels import is_dense, labelled
from campanula.formats.weight_files.lines import WeightLines, WeightTable
from campanula.formats.weights import Weights

# what moses -show-weights prints for what is not tuned
UNTUNED = {"UNTUNEABLE", "UNTUNEABLECOMPONENT"}
OLD_SECTION = re.compile(r"\[weight-(?!file\]|overwrite\]).*\]")
OLD = "a section of Moses before 2013, whose weights have no names"
KEPT = "x"  # in -weight-overwrite: this component keeps its weight


def read(lines: WeightLines, table: WeightTable) -> None:
    """Read the weights of a moses.ini; raises DataError."""
    groups: dict[str, list[str]] = {}
    section = ""
    for full_line in lines:
        line = full_line.partition("#")[0].strip(" ")
        if line.startswith("[") and line.endswith("]"):
            section = line
            if OLD_SECTION.fullmatch(section):
                raise lines.error(f"expected the weights in [weight], found {section}, {OLD}")
        elif section in ("", "[weight]"):
            _read_labels(line, lines, groups, goes_on=not section)
        elif section == "[weight-file]":
            table.add_pairs(lines.beside(line))
    for label, tokens in groups.items():
        for name, token in zip(names_of(label, len(tokens)), tokens, strict=True):
            if token != KEPT:
                table.add(lines, name, token)


def is_ini(lines: Iterable[str]) -> bool:
    """Whether one of the lines begins a section of weights, new or old."""
    sections = {line.partition("#")[0].strip(" ") for line in lines if line.startswith("[")}
    return "[weight]" in sections or any(map(OLD_SECTION.fullmatch, sections))


def _read_labels(
    line: str, lines: WeightLines, groups: dict[str, list[str]], goes_on: bool
) -> None:
    """Add the values of a line to those of their labels; raises DataError.

    goes_on: whether a label may stand in several lines.
    """
    tokens = list(_tokens(line))
    if tokens[-1] in UNTUNED and "=" not in line:
        return
    label = None
    for token in tokens:
        if token.endswith("=") and len(token) > 1:
            label = token[:-1]
            if label in groups and not goes_on:
                raise lines.error(repeated("label", label))
            groups.setdefault(label, [])
        elif label is None:
            raise lines.error(f"expected `label= value`, found {quoted(line)}")
        elif token not in UNTUNED:
            if token != KEPT:
                lines.value(token, label)
            groups[label].append(token)
    if tokens[-1].endswith("="):
        raise lines.error(f"expected a value of {label!r}, found none")


def _tokens(line: str) -> Iterator[str]:
    """Yield labels with their `=`, and values, with or without a blank between them."""
    for token in line.replace(" = ", "= ").split(" "):
        label, mark, value = token.rpartition("=")
        if label and value:
            yield label + mark
            yield value
        elif token:
            yield token


def write(weights: Weights) -> Iterator[str]:
    """Yield a [weight] section; raises DataError for a sparse weight."""
    yield "[weight]"
    for label, names in labelled(weights):
        if not is_dense(label, names):
            problem = "expected dense weights in [weight]; sparse ones go into a file of their own"
            raise DataError(weights.source, f"feature {label!r}", problem)
        yield f"{label}= {' '.join(repr(weights[name]) for name in names)}"


def write_apart(weights: Weights, path: str) -> tuple[list[str], Weights]:
    """Return the lines of the dense weights, and the sparse weights, to be written to `path`."""
    dense, sparse = _split(weights)
    return [*write(dense), "[weight-file]", path], sparse


def _split(weights: Weights) -> tuple[Weights, Weights]:
    """Split weights into dense and sparse ones, as Moses tells them apart."""
    dense: dict[str, float] = {}
    sparse: dict[str, float] = {}
    for label, names in labelled(weights):
        group = dense if is_dense(label, names) else sparse
        group.update((name, weights[name]) for name in names)
    return Weights(dense, weights.source), Weights(sparse, weights.source)
