"""A translation model as arrays: its tables and its language models, compiled.

The text files are parsed once.  The arrays are kept in a cache folder, one .npy file per array,
under a digest of the files' bytes; later runs map them from disk, whatever the files are called.
Language models have a cache entry of their own (kept_language_models.py), since other commands use
them without the tables.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xxhash

from campanula.formats.arrays.pointers import expand, pointer_of
from campanula.formats.arrays.types import Ids, Ints, Singles
from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import DISTORTION, LM_SPLIT, PENALTIES, names_of
from campanula.formats.files import is_file
from campanula.formats.model.array_folder import (
    Arrays,
    default_cache,
    kept_arrays,
    write_arrays,
)
from campanula.formats.model.file_digests import FileState, file_digest
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.kept_language_models import (
    automaton_arrays,
    load_language_models,
    vocabulary_arrays,
    vocabulary_of,
)
from campanula.formats.model.language_models import LanguageModels
from campanula.formats.model.phrase_trie import build_trie
from campanula.formats.model.vocabulary import Vocabulary
from campanula.formats.moses.distortion_table import START, DistortionTable, read_distortion_table
from campanula.formats.moses.phrase_table import PhraseTable, read_phrase_table
from campanula.formats.moses.reordering_table import N_SCORES, read_reordering_table

# Part of the digest.  An entry is used without reading its files again: raise the number when the
# arrays change, or when the reader comes to refuse files that it accepted before.
LAYOUT = "campanula model 9"


@dataclass(frozen=True)
class Model:
    """A compiled model.

    trie: transitions of a trie of source phrases (hash_table.transition_table).  A source phrase is
    a node; its phrase pairs are the rows row_start[node] to row_start[node + 1] - 1, and all rows
    are sorted by node.

    Of each row: target_word[target_start[row]:target_start[row + 1]], the target words; score
    (n_rows, n_scores) and reordering (n_rows, 6 * n_tables), six columns per reordering table,
    natural logarithms; kind (n_rows,), the number of its forward reordering scores among the
    distinct ones; count (n_rows, 3), the table's counts (PhraseTable), or (0, 3) if it has none.

    hierarchical (n_tables,): which tables have hierarchical orientations; to_lm (n_words, n_lms):
    the number of each target word in the language models, one column of 0 if there are none and
    `lm` is None; distortion (2, n + 1, 2 r + 1): values of a distortion table with the n words
    `distortion_words`, or (2, 0, 0); longest: most words of a source phrase; digest: that of the
    files' bytes (of the arrays' when the files were pipes); labels: as in ModelFiles.
    """

    source: Vocabulary
    target: Vocabulary
    trie: Ids
    row_start: Ints
    target_start: Ints
    target_word: Ids
    score: Singles
    reordering: Singles
    kind: Ids
    count: Ids
    to_lm: Ids
    lm: LanguageModels | None
    distortion: Singles
    distortion_words: Vocabulary
    longest: int
    digest: str
    hierarchical: tuple[bool, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def n_lms(self) -> int:
        """Number of language models."""
        return 0 if self.lm is None else len(self.lm)

    def all_features(self) -> list[str]:
        """Return the names of the features that the files provide, in column order."""
        return self.feature_names() + (list(LM_SPLIT) if self.lm is not None else [])

    def feature_names(self) -> list[str]:
        """Return the names of the features that are on by default; they are the first columns."""
        width = {"LM0": 1} if self.lm is not None else {}
        width |= dict.fromkeys(PENALTIES, 1)
        width["TranslationModel0"] = self.score.shape[1]
        tables = range(self.reordering.shape[1] // N_SCORES)
        width |= {f"LexicalReordering{table}": N_SCORES for table in tables}
        width |= dict.fromkeys(DISTORTION if self.distortion.size else (), 1)
        width |= {f"LM{model}": 1 for model in range(1, self.n_lms)}
        own_label = dict(self.labels)
        return [
            name for label in width for name in names_of(own_label.get(label, label), width[label])
        ]

    def jump_rows(self, words: list[bytes]) -> Ints | None:
        """Return the rows (n_words + 1,) of `distortion` for a sentence's start and its words.

        A word that the table does not have gets the last row.  None without a distortion table.
        """
        if not self.distortion.size:
            return None
        unknown = self.distortion.shape[1] - 1
        find = self.distortion_words.find
        row = np.array([find(word) for word in (START, *words)], dtype=np.int64)
        return np.where(row < 0, unknown, row)


_loaded: dict[object, Model] = {}  # by state of the files, the model used last at the end
KEEP_LOADED = 2


def load_model(files: ModelFiles, cache: str | None = None) -> Model:
    """Map a model from the cache, compiling it first if there is no entry; raises DataError.

    A model that this process loaded before is returned if its files have not been touched since.
    Files that are not regular (pipes) are compiled without a cache, since they can be read once.
    """
    paths = files.paths()
    if not all(is_file(path) for kind in paths for path in kind if path is not None):
        lms = load_language_models(files.lms, cache) if files.lms else None
        arrays = _compile(files, lms)
        digest = _arrays_digest(arrays | (automaton_arrays(lms) if lms is not None else {}))
        return _named(_model(arrays, lms, digest), files)
    state = tuple(tuple(path and FileState.of(path) for path in kind) for kind in paths)
    if state in _loaded:
        _loaded[state] = _loaded.pop(state)  # to the end: used last
        return _named(_loaded[state], files)
    cache = cache or default_cache()
    digest = _digest(paths, cache)
    folder = os.path.join(cache, f"tables-{digest}")
    lms = load_language_models(files.lms, cache) if files.lms else None
    arrays = kept_arrays(folder) or _kept_now(files, lms, cache, folder, digest)
    model = _model(arrays, lms, digest)
    _loaded[state] = model
    while len(_loaded) > KEEP_LOADED:
        del _loaded[next(iter(_loaded))]
    return _named(model, files)


def _kept_now(
    files: ModelFiles, lms: LanguageModels | None, cache: str, folder: str, digest: str
) -> Arrays:
    """Compile the tables and cache them; raises DataError if files changed while they were read."""
    arrays = _compile(files, lms)
    if _digest(files.paths(), cache) != digest:
        problem = "this file, or another of the model, changed while it was read: start again"
        raise DataError(files.phrase_table, None, problem)
    return write_arrays(arrays, folder)


def _named(model: Model, files: ModelFiles) -> Model:
    """Return the model with properties that its files do not have: labels, hierarchical tables."""
    if files.labels:
        model = replace(model, labels=files.labels)
    hierarchical = files.hierarchical()
    if any(hierarchical):
        # the same arrays give other features, so results must not go by the same digest
        digest = xxhash.xxh3_128(f"{model.digest} hierarchical {hierarchical}".encode()).hexdigest()
        model = replace(model, hierarchical=hierarchical, digest=digest)
    return model


def _digest(paths: list[list[str | None]], cache: str) -> str:
    """Return the digest of a model, from its files; each kind has none, one or several."""
    total = xxhash.xxh3_128(LAYOUT.encode())
    for kind in paths:
        if len(kind) != 1:
            total.update(f"{len(kind)} files".encode() if kind else b"none")
        for path in kind:
            total.update(b"none" if path is None else file_digest(path, cache))
    return total.hexdigest()


def _arrays_digest(arrays: Arrays) -> str:
    total = xxhash.xxh3_128(LAYOUT.encode())
    for name in sorted(arrays):
        total.update(np.ascontiguousarray(arrays[name]).tobytes())
    return total.hexdigest()


def _compile(files: ModelFiles, lms: LanguageModels | None) -> Arrays:
    table = read_phrase_table(files.phrase_table)
    tables = [read_reordering_table(one.path, table.key) for one in files.reordering_tables]
    reordering = np.concatenate(tables, axis=1) if tables else np.zeros((0, 6), dtype=np.float32)
    arrays = _table_arrays(table, reordering)
    arrays["to_lm"] = np.zeros((len(table.target_words), 1), dtype=np.int32)
    if lms is not None:
        arrays["to_lm"] = lms.numbers_of_all(table.target_words)
    distortion = DistortionTable([], np.zeros((2, 0, 0), np.float32))
    if files.distortion_table is not None:
        distortion = read_distortion_table(files.distortion_table)
    arrays["distortion"] = distortion.value
    for name, words in (
        ("source", table.source_words),
        ("target", table.target_words),
        ("distortion_words", distortion.words),
    ):
        arrays |= vocabulary_arrays(name, Vocabulary.build(words))
    return arrays


def _table_arrays(table: PhraseTable, reordering: Singles) -> Arrays:
    trie, node, n_nodes, longest = build_trie(table.source)
    row_node = node[table.row_source]
    order = np.argsort(row_node, kind="stable")
    length = np.diff(table.target.offset)[order]
    target_start, place = expand(table.target.offset[:-1][order], length)
    row_start = pointer_of(np.bincount(row_node, minlength=n_nodes))
    kind = np.zeros(len(order), dtype=np.int32)
    if len(reordering):
        reordering = reordering[order]
        forward = reordering.reshape(len(order), -1, 2, 3)[:, :, 1].reshape(len(order), -1)
        inverse = np.unique(forward, axis=0, return_inverse=True)[1]
        kind = inverse.reshape(-1).astype(np.int32)
    return {
        "trie": trie,
        "row_start": row_start,
        "target_start": target_start,
        "target_word": table.target.word[place],
        "score": table.score[order],
        "count": table.count[order] if len(table.count) else table.count,
        "reordering": reordering,
        "kind": kind,
        "longest": np.array(longest),
    }


def _model(arrays: Arrays, lms: LanguageModels | None, digest: str) -> Model:
    a: dict[str, Any] = dict(arrays)
    if not len(a["reordering"]):  # no table: (0, 6) in the cache
        a["reordering"] = np.zeros((len(a["score"]), 0), np.float32)
    columns = ("trie", "row_start", "target_start", "target_word", "score", "reordering", "kind")
    return Model(
        source=vocabulary_of(arrays, "source"),
        target=vocabulary_of(arrays, "target"),
        lm=lms,
        distortion_words=vocabulary_of(arrays, "distortion_words"),
        longest=int(a["longest"]),
        digest=digest,
        hierarchical=(False,) * (a["reordering"].shape[1] // N_SCORES),
        **{name: a[name] for name in (*columns, "count", "to_lm", "distortion")},
    )
