"""Outputs of a file, a text a sentence, beside references: line by line, or by ids.

Lines go by ids in JSON lines (`rerank --format jsonl`) that have some, and where they are said to
be `id text` (`--keyed`); references do so then, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.records.matching import most_are
from campanula.formats.text.keyed import KeyedTexts, from_json_lines, is_json_lines, keyed
from campanula.formats.text.parts import Text
from campanula.formats.text.references import References


def read_outputs(path: str, by_ids: bool) -> KeyedTexts:
    """The texts of a file, and their ids if it has some; by_ids: lines are `id text`."""
    text = Text(path)
    if is_json_lines(path):
        return from_json_lines(text, text.name)
    return keyed(text, text.name) if by_ids else KeyedTexts(list(text))


def references_beside(references: References, paths: Iterable[str], by_ids: bool) -> References:
    """The references as outputs call for them: those of `id text` by their ids."""
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


def in_order(found: KeyedTexts, references: References, path: str) -> list[str]:
    """Texts in the order of the references; raises DataError unless there is one for each."""
    name, n = display_name(path), len(references)
    if references.ids is not None and found.ids is None:
        problem = f"expected ids of sentences, as {references.names[0]} has (--keyed: `id text`)"
        raise DataError(name, None, f"{problem}, found none")
    if references.ids is None or found.ids is None:
        if len(found.texts) != n:
            problem = f"expected {n} lines, as {references.names[0]} has, found {len(found.texts)}"
            raise DataError(name, None, problem)
        return list(found.texts)
    for number, key in enumerate(found.ids, 1):
        if key not in references.ids:
            problem = f"expected an id of {references.names[0]}, found {key[:60]!r}"
            raise DataError(name, f"line {number}", problem)
    text = dict(zip(found.ids, found.texts, strict=True))
    for key in references.ids:
        if key not in text:
            problem = f"expected a line of {key!r}, as {references.names[0]} has, found none"
            raise DataError(name, None, problem)
    return [text[key] for key in references.ids]
