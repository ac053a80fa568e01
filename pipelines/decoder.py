"""Decoders of a loop: they give the k best hypotheses of source sentences under given weights.

A loop knows a decoder by the protocol LoopDecoder alone.  A class for another program has the same
method; its task writes a k-best stream.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from campanula.formats.feature_names.template_sets import split_features
from campanula.formats.model.files import ReorderingTable
from campanula.formats.model.folder import read_model_folder
from campanula.formats.moses.ini import read_moses_ini
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Argument, Leaf, Product, StageTask, stage
from campanula.stages.command import UsageError

OURS = (
    "-o",
    "--output",
    "--lattice",
    "--text",
    "--format",
)  # flags that the pipeline sets itself, or that no loop has
REORDERING = "--reordering-table"  # its value may name the table's type besides its path
TABLES = ("--phrase-table", REORDERING, "--distortion-table")
LANGUAGE_MODELS = ("--lm", "--class-lm", "--classes")
FILES = ("--model", "--moses-ini", "--feature-list", *TABLES, *LANGUAGE_MODELS)
# Flags that are about one text; a loop decodes several.
ONE_TEXT = ("--leave-one-out", "--leave-out", "--leave-out-text", "--singleton-penalty")
CACHE = "--cache"  # no part of digests: it changes no byte of the output


def values_of(flags: Sequence[str], wanted: Sequence[str]) -> dict[str, list[str]]:
    """Values of the wanted flags among decoder flags, in order; no values for one that is absent.

    Both `--flag value` and `--flag=value` count.
    """
    p = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for flag in wanted:
        p.add_argument(flag, dest=flag, action="append", default=[])
    args, _ = p.parse_known_args(flags)
    return {flag: getattr(args, flag) for flag in wanted}


class SparseFlags(NamedTuple):
    """Decoder flags that turn sparse features on.

    given: values of --features; lists: files of --feature-list; models: templates of model folders.
    """

    given: list[str]
    lists: list[str]
    models: list[str]

    @classmethod
    def of(cls, flags: Sequence[str]) -> SparseFlags:
        """Find them among decoder flags; raises DataError for a malformed model folder."""
        values = values_of(flags, ("--features", "--feature-list", "--model"))
        features = (read_model_folder(folder).features or () for folder in values["--model"])
        models = [template for names in features for template in split_features(names)[0]]
        return cls(values["--features"], values["--feature-list"], models)


def has_sparse_features(flags: Sequence[str]) -> bool:
    """Whether decoder flags turn sparse features on, so that every decode may add new names."""
    return any(SparseFlags.of(flags))


class LoopDecoder(Protocol):
    """A decoder, ours or another program: makes k-best lists of source sentences."""

    def kbest(self, cache: Cache, source: Leaf, weights: Product, k: int) -> StageTask:
        """Task that makes the k-best stream of the source under the weights."""
        ...


class EmbeddedDecoder:
    """The command `decode` with those of its flags that `tune` was given.

    engine: flags with which workers of dask decode a text in several files.  `free` has the flags
    that change no byte (threads, `cache_flags`), `arguments` all others.
    """

    def __init__(self, flags: Sequence[str], jobs: int, engine: Sequence[str] = ()) -> None:
        self._engine = tuple(engine)
        self._jobs = jobs
        self._flags: list[str] = []
        self.cache_flags: list[str] = []
        # in pairs, since the value of `--cache DIR` is a word of its own
        for previous, flag in pairwise(["", *flags]):
            name = flag.partition("=")[0]
            if name in OURS:
                raise UsageError(f"{flag} is no flag of a loop; --work-dir says where results go")
            if name in ONE_TEXT:
                raise UsageError(f"{flag} is no flag of a loop, which decodes more than one text")
            if "--moses-ini" in (name, previous) and flag in ("-", "--moses-ini=-"):
                raise UsageError("--moses-ini cannot be stdin here: it is read more than once")
            of_cache = CACHE in (name, previous)
            (self.cache_flags if of_cache else self._flags).append(flag)

    @property
    def free(self) -> list[str]:
        """Flags that change no byte of what is decoded."""
        return ["--jobs", str(self._jobs), *self.cache_flags]

    def kbest(self, cache: Cache, source: Leaf, weights: Product, k: int) -> StageTask:
        """Task that makes the k-best stream of the source under the weights."""
        settings: tuple[Argument, ...] = (source, "--weights", weights, "-k", str(k))
        settings += tuple(self.arguments(cache))
        free = (*self.free, *(self._engine if os.path.isdir(source.path) else ()))
        return stage(cache, "decode", *settings, suffix=".kbest", free=free)

    def arguments(self, cache: Cache) -> Iterator[Argument]:
        """Yield the flags; files among them are leaves, whose content the digest covers."""
        for previous, text in pairwise(["", *self._flags]):
            flag, equals, value = text.partition("=")
            if flag in FILES and equals:
                yield flag
                yield file_of(cache, flag, value)
            else:
                yield file_of(cache, previous, text) if previous in FILES else text


def file_of(cache: Cache, flag: str, path: str) -> Leaf:
    """Input of the decoder; a moses.ini or a model folder has the digest of the files it names."""
    if flag == "--moses-ini":
        # so that a change during the run is seen; its bytes determine no output, its files do
        cache.digest_of(path)
        files = read_moses_ini(path).paths
        return Leaf(path, digest.of([cache.digest_of(file) for file in files]))
    if flag == REORDERING:
        table = ReorderingTable.named(path)
        return Leaf(path, digest.of(table.orientation, cache.digest_of(table.path)))
    return Leaf(path, model_digest(cache, path)) if os.path.isdir(path) else Leaf.of(cache, path)


def model_digest(cache: Cache, folder: str) -> str:
    """Digest of a model folder: of the files that its model.json names, in any folder."""
    model = read_model_folder(folder)
    if os.path.isfile(model.source):
        cache.digest_of(model.source)  # for the same reason as a moses.ini's
    files = [[path and cache.digest_of(path) for path in kind] for kind in model.paths()]
    types = [table.orientation for table in model.reordering_tables]  # --leave-out needs them
    return digest.of(model.features, model.labels, files, types)
