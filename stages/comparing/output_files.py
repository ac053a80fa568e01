"""Outputs in a file, one text a sentence, matched with references by line or by id.

Lines have ids in JSON lines with ids (`rerank --format jsonl`), and where --keyed says that they
are `id text`; the references are then matched by id, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.records.matching import most_are
from campanula.formats.text.keyed import KeyedTexts, from_json_lines, is_json_lines, keyed
from campanula.formats.text.parts import TextLines
from campanula.formats.text.references import References


def read_outputs(path: str, by_ids: bool) -> KeyedTexts:
    """Return the texts of a file, and their ids if it has some; by_ids: lines are `id text`."""
    text = TextLines(path)
    if is_json_lines(path):
        return from_json_lines(text, text.name)
    return keyed(text, text.name) if by_ids else KeyedTexts(list(text))


def references_beside(references: References, paths: Iterable[str], by_ids: bool) -> References:
    """Return the references by ids where the outputs have ids, else as they are."""
    if references.ids is not None:
        return references
    if by_ids:
        return references.by_ids()
    ids = next((ids for path in filter(is_json_lines, paths) if (ids := _ids(path))), None)
    if ids is not None and most_are(ids, references.first_words()):
        return references.by_ids()
    return references


def _ids(path: str) -> Sequence[str] | None:
    return read_outputs(path, by_ids=False).ids


def in_order_of_references(outputs: KeyedTexts, references: References, path: str) -> list[str]:
    """Return texts in the order of the references; raises DataError unless each has one."""
    name = display_name(path)
    n = len(references)
    if references.ids is not None and outputs.ids is None:
        problem = f"expected ids of sentences, as {references.names[0]} has (--keyed: `id text`)"
        raise DataError(name, None, f"{problem}, found none")
    if references.ids is None or outputs.ids is None:
        if len(outputs.texts) != n:
            expected = f"expected {n} lines, as {references.names[0]} has"
            raise DataError(name, None, f"{expected}, found {len(outputs.texts)}")
        return list(outputs.texts)
    # unknown ids first: a misspelt id is a fault of this file, not a missing line
    for number, key in enumerate(outputs.ids, 1):
        if key not in references.ids:
            problem = f"expected an id of {references.names[0]}, found {key[:60]!r}"
            raise DataError(name, f"line {number}", problem)
    text = dict(zip(outputs.ids, outputs.texts, strict=True))
    for key in references.ids:
        if key not in text:
            problem = f"expected a line of {key!r}, as {references.names[0]} has, found none"
            raise DataError(name, None, problem)
    return [text[key] for key in references.ids]
