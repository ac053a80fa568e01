"""A diagnosis as tables to read, and as one object of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from campanula.stages.comparing.table import EMPTY, Cell, MetricTable, TableColumn, number, words
from campanula.stages.comparing.table_formats import as_text
from campanula.stages.diagnosing.chosen import ChosenHypotheses
from campanula.stages.diagnosing.diagnosis import Diagnosis, Lengths
from campanula.stages.diagnosing.feature_table import FeatureLine
from campanula.stages.diagnosing.listing import Others
from campanula.stages.diagnosing.sizes import Spread
from campanula.stages.metrics.corpus_value import Value

GAIN = TableColumn("mean gain", "gain")
SPREAD = (
    TableColumn("lengths", "lengths", text=True),
    TableColumn("mean", "mean"),
    TableColumn("lowest", "lowest"),
    TableColumn("median", "median"),
    TableColumn("highest", "highest"),
)
PLACES = (
    TableColumn("mean rank", "rank"),
    TableColumn("is first", "first"),
    TableColumn("word edits to first", "edits_to_first"),
    TableColumn("to oracle", "edits_to_oracle"),
)
FEATURE = (
    TableColumn("feature", "name", text=True),
    TableColumn("lowest", "lowest"),
    TableColumn("highest", "highest"),
    TableColumn("constant", "constant"),
    TableColumn("r gain", "gain_correlation"),
    TableColumn("most alike", "alike", text=True),
    TableColumn("r", "alike_correlation"),
)
ALIKE = 0.99995
"""A correlation that is shown as 1.0000."""


def as_json(diagnosis: Diagnosis) -> str:
    """Return one JSON object, in full precision; null stands for values that are not known."""
    lengths = asdict(diagnosis.lengths)
    shown = {
        **{key: lengths.pop(key) for key in ("lists", "hypotheses")},
        "lengths": lengths,
        "metric": None if diagnosis.metric is None else diagnosis.metric.fields(),
        "choices": [asdict(choice) for choice in diagnosis.choices],
        "oracles": [asdict(oracle) for oracle in diagnosis.oracles],
        "features": [asdict(line) for line in diagnosis.features],
        "others": None if diagnosis.others is None else asdict(diagnosis.others),
    }
    for row in [*shown["choices"], *shown["oracles"]]:
        value = row.pop("value")
        row |= {"metric": value["metric"], "gain": value["gain"]}
    return json.dumps(shown, ensure_ascii=False)


def as_tables(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the lines of all tables."""
    tables = [_lengths(diagnosis.lengths)]
    if diagnosis.choices:
        tables.append(_choices(diagnosis))
    if diagnosis.oracles:
        tables.append(_oracles(diagnosis))
    if diagnosis.features or diagnosis.others:
        tables.append(_features(diagnosis.features, diagnosis.others))
    return as_text(tables)


def _lengths(lengths: Lengths) -> MetricTable:
    rows = {
        "hypotheses a list": lengths.size,
        "different texts a list": lengths.different,
        "words a hypothesis": lengths.words,
    }
    cells = [[words(name), *_spread(spread)] for name, spread in rows.items() if spread]
    title = f"{lengths.lists} lists, {lengths.hypotheses} hypotheses"
    return MetricTable("lengths", "", title, SPREAD, cells, notes=list(_remarks(lengths)))


def _spread(spread: Spread) -> list[Cell]:
    return [
        number(spread.mean, ".2f"),
        number(spread.lowest, "d"),
        number(spread.median, "g"),
        number(spread.highest, "d"),
    ]


def _remarks(lengths: Lengths) -> Iterator[str]:
    if lengths.repeated:
        share = f"{lengths.repeated / lengths.hypotheses:.1%}"
        yield (
            f"with the text of one before it in its list: {lengths.repeated} ({share}), "
            f"and its features: {lengths.duplicates}"
        )
    if lengths.single:
        yield f"lists of one hypothesis, with nothing to choose: {lengths.single}"
    if lengths.empty:
        yield f"hypotheses without a word: {lengths.empty}"


def _metric(diagnosis: Diagnosis) -> tuple[str, tuple[TableColumn, ...]]:
    """Return title and columns of values: the gain, and the metric if all lists have statistics."""
    metric = diagnosis.metric
    if metric is None or diagnosis.choices[0].value.metric is None:
        return "mean gain", (GAIN,)
    return str(metric), (TableColumn(metric.name, "metric"), GAIN)


def _value(value: Value) -> list[Cell]:
    gain = number(value.gain, ".4f")
    return [gain] if value.metric is None else [Cell(value.metric, value.shown), gain]


def _choices(diagnosis: Diagnosis) -> MetricTable:
    title, columns = _metric(diagnosis)
    if diagnosis.choices[0].value == Value():
        title = "no gains: score-bleu adds them"
        columns = (GAIN,)
    name = TableColumn("hypothesis", "name", text=True)
    rows = [
        [words(choice.name), *_value(choice.value), *_places(choice)]
        for choice in diagnosis.choices
    ]
    return MetricTable("choices", "", title, (name, *columns, *PLACES), rows)


def _places(choice: ChosenHypotheses) -> list[Cell]:
    return [
        number(choice.rank, ".2f"),
        number(choice.first, ".1%"),
        number(choice.edits_to_first, ".2f"),
        number(choice.edits_to_oracle, ".2f"),
    ]


def _oracles(diagnosis: Diagnosis) -> MetricTable:
    _, columns = _metric(diagnosis)
    rows = [[number(oracle.k, "d"), *_value(oracle.value)] for oracle in diagnosis.oracles]
    title = "oracle of the first k hypotheses"
    return MetricTable("oracles", "", title, (TableColumn("k", "k"), *columns), rows)


def _features(lines: Sequence[FeatureLine], others: Others | None) -> MetricTable:
    title = "features, and correlations within lists"
    rows = [_feature(line) for line in lines]
    return MetricTable("features", "", title, FEATURE, rows, notes=list(_notes(lines, others)))


def _feature(line: FeatureLine) -> list[Cell]:
    return [
        words(line.name),
        number(line.lowest, ".6g"),
        number(line.highest, ".6g"),
        number(line.constant, ".1%"),
        number(line.gain_correlation, "+.4f"),
        EMPTY if line.alike is None else words(line.alike),
        number(line.alike_correlation, "+.4f"),
    ]


def _notes(lines: Sequence[FeatureLine], others: Others | None) -> Iterator[str]:
    constant = [line.name for line in lines if line.constant == 1.0]
    if constant:
        yield f"constant in every list, so that no weight changes a choice: {', '.join(constant)}"
    paired: set[str | None] = set()  # features that a note has named as the second of a pair
    for line in lines:
        r = line.alike_correlation
        if r is not None and abs(r) > ALIKE and line.name not in paired:
            paired.add(line.alike)
            yield f"{line.name} and {line.alike} differ alike within lists: one of them is enough"
    if others is not None:
        kinds = "other features" if lines else "features that not every hypothesis has"
        yield (
            f"{kinds}: {others.features}, on average {others.each:.2f} in a hypothesis; "
            f"{others.in_one_list} in one list alone (--feature PATTERN lists some)"
        )
