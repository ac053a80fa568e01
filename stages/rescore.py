"""Extract k-best lists from lattices, under other weights and with features that look beyond.

    score = theta . (f(derivation), sparse(derivation), lexical(derivation))

`decode --lattice` writes the lattices.  Under the weights that made it, the k best derivations of a
lattice are those that decode wrote, with the sparse features of the templates that were on then.  A
feature list names others (n-grams of the translation, word pairs, trigger pairs, or any), one a
line, as `extract-features` finds them; every derivation gets the count of each.  A sparse or listed
feature without a weight counts 0.  What belongs to an arc leaves the search exact, under any
weights.  Where features that look beyond it (n-grams, triggers, neighbouring phrases) weigh
anything else than in the search, lists are found by cube pruning, with lists of --node-list
derivations at the nodes (Gimpel and Smith 2012, section 4.3).

Reads a lattice stream, writes a k-best stream; no translation model is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.formats.weights import Theta, Weights
from campanula.stages import command
from campanula.stages.decoding import paths
from campanula.stages.decoding.lattice_steps import LatticeSteps
from campanula.stages.decoding.lexical import LexicalFeatures
from campanula.stages.decoding.sparse_arcs import SparseArcs
from campanula.stages.decoding.sparse_counts import SparseCounts
from campanula.stages.decoding.sparse_flags import add_list_flag, read_lists
from campanula.stages.decoding.sparse_options import SparseWeights, digest_of, features_of
from campanula.stages.threads import in_order

COMMAND = "rescore"


@dataclass(frozen=True)
class Settings:
    """How to extract: list length, different strings only, derivations per inner node."""

    k: int = 500
    distinct: bool = False
    node_list: int = 100


@dataclass(frozen=True)
class Sparse:
    """The features beside the dense ones, for lattices made with some templates.

    `arcs` is None when none of them has a weight other than 0, and `digest` is that of the weights.
    """

    counts: SparseCounts
    lexical: LexicalFeatures
    lexical_id: Ids
    arcs: SparseArcs | None
    digest: str


@dataclass(frozen=True)
class Task:
    """A lattice with the ids of its dense features in the lists to write, and their weights."""

    lattice: Lattice
    dense_id: Ids
    weight: Floats
    sparse: Sparse


@dataclass(frozen=True)
class Found:
    """Paths (offset, arc) of a lattice; their dense features, texts, and listed features."""

    task: Task
    path: tuple[Ints, Ints]
    dense: Floats
    text: Texts
    listed: tuple[Ints, Ids]


class Rescorer:
    """Extracts k-best lists, all with the table `names`.

    `missing` is the weight of a dense feature without one; sparse and listed ones have 0.
    """

    def __init__(
        self,
        weights: Weights,
        settings: Settings,
        listed: Iterable[str] = (),
        missing: float | None = None,
    ) -> None:
        self.names = Names()
        self._weights, self._settings, self._missing = weights, settings, missing
        self._listed = tuple(listed)
        self._lexical = LexicalFeatures.of(self._listed)
        self._by_templates: dict[tuple[str, ...], Sparse] = {}
        self._steps = LatticeSteps()
        self._theta = Theta(weights, self.names, 0.0)

    def rescore(self, lattices: Iterable[Lattice], jobs: int = 1) -> Iterator[KBest]:
        """Yield the k-best list of every lattice, in order; the same for any number of jobs."""
        for found in in_order(self._extract, map(self._task, lattices), jobs):
            yield self._record(found)

    def refuse_unknown(self, lists: str) -> None:
        """Raise DataError for a weight whose feature no lattice read can have."""
        on = {p for names in self._by_templates for name in names for p in TEMPLATES[name].prefixes}
        listed = set(self._listed)
        rest = {
            name: value
            for name, value in self._weights.items()
            if name.partition("_")[0] not in on and name not in listed
        }
        Weights(rest, self._weights.source).refuse_unknown(self.names, lists)

    def _task(self, lattice: Lattice) -> Task:
        names = Names([lattice.names[number] for number in lattice.dense_id.tolist()])
        weight = self._weights.vector(names, self._missing)
        dense_id = self.names.ids_of(names)
        sparse = self._by_templates.get(lattice.templates)
        if sparse is None:
            sparse = self._by_templates[lattice.templates] = self._sparse(lattice.templates)
        return Task(lattice, dense_id, weight, sparse)

    def _sparse(self, templates: tuple[str, ...]) -> Sparse:
        lexical = self._lexical.without(templates)
        given = SparseWeights(templates, self._weights, self._weights.source, self._listed)
        features = features_of(given)
        return Sparse(
            SparseCounts(
                templates, self.names, self._steps.phrases, self._steps.text, self._listed
            ),
            lexical,
            np.array([self.names.id(name) for name in lexical.names], np.int32),
            SparseArcs(features) if features else None,
            digest_of(features),
        )

    def _extract(self, task: Task) -> Found:
        from campanula.stages.kernels.graph import arcs as lattice_arcs

        lattice, lexical = task.lattice, task.sparse.lexical
        path = best_paths(task, self._settings)
        arcs = paths.arcs_of(lattice)
        hyp, feature = lexical.count(lattice.source, lattice.word, arcs, path)
        dense = lattice_arcs.path_sums(*path, lattice.dense)
        listed = hyp, task.sparse.lexical_id[feature]
        return Found(task, path, dense, paths.path_texts(lattice, *path), listed)

    def _record(self, found: Found) -> KBest:
        """Record of derivations; its order is that of the scores which the record itself gives."""
        task, lattice = found.task, found.task.lattice
        features = Features.of_dense(task.dense_id, found.dense)
        if len(lattice.source):
            counts = task.sparse.counts
            steps = self._steps.steps(lattice, *found.path) if counts.on else None
            more = counts.count(steps, len(found.text), found.listed)
            features = features.with_sparse(*more)
        score = scores(features, task.weight, self._theta.vector())
        record = KBest(lattice.sid, found.text, features, self.names, score)
        order = np.argsort(-score, kind="stable")
        return record if (np.diff(order) > 0).all() else record.take(order)


def best_paths(task: Task, settings: Settings) -> tuple[Ints, Ints]:
    """The k best paths: those of the search under its weights, else as exact as can be."""
    from campanula.stages.kernels.graph import cube_kbest as lattice_kbest

    lattice, sparse = task.lattice, task.sparse
    k, distinct = settings.k, settings.distinct
    if sparse.digest == lattice.sparse and np.array_equal(task.weight, lattice.weight):
        return paths.best_paths(lattice, None, k, distinct)
    local = paths.arc_scores(lattice, task.weight)
    if sparse.arcs is None or not len(lattice.source):
        return paths.best_paths(lattice, local, k, distinct)
    found = sparse.arcs.scores(lattice)
    local += found.local
    if not found.beyond:
        return paths.best_paths(lattice, local, k, distinct)
    beyond = (found.varies, found.turns, found.info, found.seams)
    return lattice_kbest.cube_kbest(
        paths.arcs_of(lattice), local, *beyond, settings.node_list, k, distinct
    )


def scores(features: Features, weight: Floats, theta: Floats) -> Floats:
    """theta . f of hypotheses, added up in the order of all stages: dense, sparse, binary.

    weight (n_dense,) are those of the dense features; the others' are found in theta by id.
    """
    score = np.zeros(len(features))
    for value, row in zip(weight.tolist(), features.dense, strict=True):
        score += value * row
    sparse = (features.sparse_pointer, theta[features.sparse_id] * features.sparse_value)
    for pointer, value in (sparse, (features.binary_pointer, theta[features.binary_id])):
        np.add.at(score, np.repeat(np.arange(len(score)), np.diff(pointer)), value)
    return score


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = "rescore --weights w1 --feature-list lexical dev.lattice -o dev.kbest"
    p = command.parser(COMMAND, __doc__, example)
    p.add_argument("input", nargs="?", default="-", help="lattice stream (default: stdin)")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights theta")
    command.add_missing_flag(p)
    add_list_flag(p)
    p.add_argument(
        "-k", type=command.positive_int, default=500, help="length of the lists (default: 500)"
    )
    p.add_argument(
        "--distinct",
        action="store_true",
        help="k different strings, each with its best derivation (default: k derivations)",
    )
    p.add_argument(
        "--node-list",
        type=command.positive_int,
        default=100,
        metavar="N",
        help="derivations kept at each node by cube pruning (default: 100)",
    )
    p.add_argument(
        "--jobs",
        type=command.positive_int,
        default=1,
        help="threads; the output is the same (default: 1)",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read lattices, extract, write."""
    command.one_stdin(args.input, args.weights, *args.feature_list)
    weights, listed = Weights.read(args.weights), read_lists(args.feature_list)
    settings = Settings(args.k, args.distinct, args.node_list)
    rescorer = Rescorer(weights, settings, listed, 0.0 if args.allow_missing else None)
    how = command.signature(
        COMMAND, weights=weights.digest(), features=len(listed), **vars(settings)
    )
    with (
        Reader(args.input, Lattice) as lattices,
        Writer(args.output, KBest, f"{how} < {lattices.signature}") as out,
    ):
        watched = command.progress(lattices, args, COMMAND)
        for kbest in rescorer.rescore(watched, args.jobs):
            out.write(kbest)
        if not args.allow_missing:
            rescorer.refuse_unknown(lattices.name)
    command.say(args, f"{COMMAND}: {out.count} sentences")


if __name__ == "__main__":
    raise SystemExit(main())
