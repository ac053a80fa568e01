"""A translation model as arrays: its tables and its language model, compiled.

The text files are parsed once.  What comes out is kept in a cache folder, one .npy file an array,
under a digest of the files' bytes; a later run maps the arrays from disk, whatever the files'
names.  Language models have an entry of their own (kept_language_models.py), which other commands
map, too.
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
from campanula.formats.model.array_folder import (
    Arrays,
    default_cache,
    kept_arrays,
    write_arrays,
)
from campanula.formats.model.file_digests import FileState, digest_of
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

# Part of the digest.  An entry is not looked at again as its files were: who changes the arrays, or
# has reading refuse what it took before, makes this another number.
LAYOUT = "campanula model 9"


@dataclass(frozen=True)
class Model:
    """A compiled model.

    Rows of the phrase table are sorted by source phrase, which is a node of a trie: `trie` holds
    its transitions (hash_table.transition_table), rows `row_start[node]` to `row_start[node + 1]`
    are its phrase pairs.  `target_word[target_start[row]:target_start[row + 1]]` are target words,
    `score` (n_rows, n_scores) and `reordering` (n_rows, 6 * n_tables), six columns of each
    reordering table, natural logarithms; `hierarchical` (n_tables,) says of which tables the
    orientations are hierarchical.  `kind`
    numbers the distinct forward reordering scores, `count` (n_rows, 3) or (0, 3) are the table's
    counts (PhraseTable).  `to_lm` (n_words, n_lms) is each target word in the language models.
    Without any, `lm` is None and `to_lm` one column of 0.  `distortion` (2, n + 1, 2 r + 1) is that
    of a distortion table with the n words `distortion_words`, or (2, 0, 0).
    `digest` is that of the files' bytes (of the arrays' when the files were pipes).  `labels` as in
    ModelFiles.
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
        """Return those that are on unless others are chosen; they are the first columns."""
        width = {"LM0": 1} if self.lm is not None else {}
        width |= dict.fromkeys(PENALTIES, 1)
        width["TranslationModel0"] = self.score.shape[1]
        tables = range(self.reordering.shape[1] // N_SCORES)
        width |= {f"LexicalReordering{table}": N_SCORES for table in tables}
        width |= dict.fromkeys(DISTORTION if self.distortion.size else (), 1)
        width |= {f"LM{model}": 1 for model in range(1, self.n_lms)}
        called = dict(self.labels)
        return [
            name for label in width for name in names_of(called.get(label, label), width[label])
        ]

    def jump_rows(self, words: list[bytes]) -> Ints | None:
        """Return the rows of `distortion` of a sentence's start and of each of its words."""
        if not self.distortion.size:
            return None
        unknown = self.distortion.shape[1] - 1
        find = self.distortion_words.find
        found = np.array([find(word) for word in (START, *words)], dtype=np.int64)
        return np.where(found < 0, unknown, found)


_loaded: dict[object, Model] = {}  # the models used last in this process
KEEP_LOADED = 2


def load_model(files: ModelFiles, cache: str | None = None) -> Model:
    """Map a model from the cache, compiling it first when it is not there.

    A model whose files have not been touched since is returned as it is.  Files that are not
    regular (pipes) are compiled without a cache.
    """
    paths = files.paths()
    if not all(os.path.isfile(path) for kind in paths for path in kind if path is not None):
        lms = load_language_models(files.lms, cache) if files.lms else None
        arrays = _compile(files, lms)
        digest = _arrays_digest(arrays | (automaton_arrays(lms) if lms is not None else {}))
        return _named(_model(arrays, lms, digest), files)
    state = tuple(tuple(path and FileState.of(path) for path in kind) for kind in paths)
    if state in _loaded:
        _loaded[state] = _loaded.pop(state)
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
    """Compile the tables and keep them; raises DataError where files have changed meanwhile."""
    arrays = _compile(files, lms)
    if _digest(files.paths(), cache) != digest:
        raise DataError(files.phrase_table, None, "it, or its model, changed while it was read")
    return write_arrays(arrays, folder)


def _named(model: Model, files: ModelFiles) -> Model:
    """The model with what its files do not say themselves: labels, types of reordering tables."""
    if files.labels:
        model = replace(model, labels=files.labels)
    hierarchical = files.hierarchical()
    if any(hierarchical):
        # the same arrays make other lists
        digest = xxhash.xxh3_128(f"{model.digest} hierarchical {hierarchical}".encode()).hexdigest()
        model = replace(model, hierarchical=hierarchical, digest=digest)
    return model


def _digest(paths: list[list[str | None]], cache: str) -> str:
    """Digest of a model by its files, of each kind none, one or several."""
    total = xxhash.xxh3_128(LAYOUT.encode())
    kept = os.path.join(cache, "digests")
    for kind in paths:
        if len(kind) != 1:
            total.update(f"{len(kind)} files".encode() if kind else b"none")
        for path in kind:
            total.update(b"none" if path is None else digest_of(path, kept))
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
