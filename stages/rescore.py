"""Extract k-best lists from lattices, under other weights and with features that look beyond.

    score = theta . (f(derivation), lexical(derivation))

`decode --lattice` writes the lattices.  Without a feature list the k best derivations of a lattice
are exact, and under the weights that made it they are those that decode wrote.  A feature list
names lexical features (n-grams of the translation, word pairs, trigger pairs), one a line, as
`extract-features` finds them; every derivation gets the count of each.  Word pairs and unigrams
belong to an arc, and leave the search exact.  The others look beyond it: if one of those that a
sentence can have weighs anything, its list is found by cube pruning, with lists of --node-list
derivations at the nodes (Gimpel and Smith 2012, section 4.3).

Reads a lattice stream, writes a k-best stream; no translation model is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from formats.columns import Floats, Ids, Ints
from formats.features import Features
from formats.files import display_name, read_lines
from formats.kbest import KBest
from formats.lattice import Lattice
from formats.lexical_names import read_feature_list
from formats.names import Names
from formats.stream import Reader, Writer
from formats.weights import Weights
from stages import command
from stages.decoding import paths
from stages.decoding.lexical import LexicalFeatures, counts
from stages.threads import in_order

COMMAND = "rescore"


@dataclass(frozen=True)
class Settings:
    """How to extract: list length, different strings only, derivations per inner node."""

    k: int = 500
    distinct: bool = False
    node_list: int = 100


@dataclass(frozen=True)
class Task:
    """A lattice with the ids of its features in the lists to write, and all weights by id."""

    lattice: Lattice
    dense_id: Ids
    lexical_id: Ids
    theta: Floats


class Rescorer:
    """Extracts k-best lists, all with the table `names`; `missing` is the weight of no weight."""

    def __init__(
        self,
        weights: Weights,
        settings: Settings,
        lexical: LexicalFeatures | None = None,
        missing: float | None = None,
    ) -> None:
        self.names = Names()
        self._weights, self._settings, self._missing = weights, settings, missing
        self._lexical = lexical or LexicalFeatures([])
        self._lexical_id: Ids | None = None
        self._theta = np.zeros(0)

    def rescore(self, lattices: Iterable[Lattice], jobs: int = 1) -> Iterator[KBest]:
        """Yield the k-best list of every lattice, in order; the same for any number of jobs."""
        yield from in_order(self._extract, map(self._task, lattices), jobs)

    def _task(self, lattice: Lattice) -> Task:
        dense_id = self.names.ids_of(lattice.names)[lattice.dense_id]
        if self._lexical_id is None:  # after the names of the first lattice, as decode has them
            names = self._lexical.names
            self._lexical_id = np.array([self.names.id(name) for name in names], np.int32)
        if len(self.names) > len(self._theta):
            self._theta = self._weights.vector(self.names, self._missing)
        return Task(lattice, dense_id, self._lexical_id, self._theta)

    def _extract(self, task: Task) -> KBest:
        lattice = task.lattice
        if not len(task.lexical_id):
            k, distinct = self._settings.k, self._settings.distinct
            path = paths.best_paths(lattice, task.theta[task.dense_id], None, k, distinct)
            return _record(self.names, task, path, None)
        return self._with_lexical(task)

    def _with_lexical(self, task: Task) -> KBest:
        from stages.kernels import lattice_kbest

        lattice, k, distinct = task.lattice, self._settings.k, self._settings.distinct
        arcs = paths.arcs_of(lattice)
        local = lattice_kbest.local_features(arcs, self._lexical.local(lattice))
        dense, weight = task.theta[task.dense_id], task.theta[task.lexical_id]
        weighed = self._lexical.beyond(lattice, weight)
        if len(weighed.bigram) + len(weighed.trigram) + len(weighed.trigger):
            score = paths.arc_scores(lattice, dense) + arc_sums(*local, weight)
            path = lattice_kbest.cube_kbest(
                arcs, score, weighed, weight, self._settings.node_list, k, distinct
            )
        else:
            more = arc_sums(*local, weight)
            path = paths.best_paths(lattice, dense, more if more.any() else None, k, distinct)
        found = lattice_kbest.path_features(*path, arcs, *local, self._lexical.beyond(lattice))
        return _record(self.names, task, path, found)


def arc_sums(pointer: Ints, feature: Ints, weight: Floats) -> Floats:
    """What the lexical features of each arc score (n_arcs,)."""
    arc = np.repeat(np.arange(len(pointer) - 1), np.diff(pointer))
    total = np.zeros(len(pointer) - 1)
    np.add.at(total, arc, weight[feature])
    return total


def _record(
    names: Names, task: Task, path: tuple[Ints, Ints], found: tuple[Ints, Ints] | None
) -> KBest:
    """Record of derivations; its order is that of the scores which the record itself gives."""
    from stages.kernels import lattice_arcs

    lattice = task.lattice
    dense = lattice_arcs.path_sums(*path, lattice.dense)
    features = Features.of_dense(task.dense_id, dense)
    if found is not None:
        features = with_counts(task.dense_id, dense, task.lexical_id, found)
    score = scores(features, task.theta)
    text = paths.path_texts(lattice, *path)
    record = KBest(lattice.sid, text, features, names, score)
    order = np.argsort(-score, kind="stable")
    return record if (np.diff(order) > 0).all() else record.take(order)


def with_counts(
    dense_id: Ids, dense: Floats, lexical_id: Ids, found: tuple[Ints, Ints]
) -> Features:
    """Features of hypotheses: dense ones, and counts of lexical ones, those of 1 as binary."""
    row, feature, count = counts(*found, len(lexical_id))
    several, n = count > 1, dense.shape[1]

    def pointer(kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Ints:
        return np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=n))])

    return Features(
        dense_id,
        dense,
        pointer(several),
        lexical_id[feature[several]],
        count[several].astype(np.float64),
        pointer(~several),
        lexical_id[feature[~several]],
    )


def scores(features: Features, theta: Floats) -> Floats:
    """theta . f of hypotheses, added up in the order of all stages: dense, sparse, binary."""
    score = np.zeros(len(features))
    for number, row in zip(features.dense_id.tolist(), features.dense, strict=True):
        score += theta[number] * row
    sparse = (features.sparse_pointer, theta[features.sparse_id] * features.sparse_value)
    for pointer, value in (sparse, (features.binary_pointer, theta[features.binary_id])):
        np.add.at(score, np.repeat(np.arange(len(score)), np.diff(pointer)), value)
    return score


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    example = "rescore --weights w1 --feature-list lexical dev.lattice -o dev.kbest"
    p = command.parser(COMMAND, __doc__, example)
    p.add_argument("input", nargs="?", default="-", help="lattice stream (default: stdin)")
    p.add_argument("--weights", required=True, metavar="FILE", help="weights theta")
    command.add_missing_flag(p)
    p.add_argument(
        "--feature-list",
        metavar="FILE",
        action="append",
        default=[],
        help="names of lexical features to add, one a line (repeatable)",
    )
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
        "--jobs", type=command.positive_int, default=1, help="threads; the output is the same"
    )
    return command.run(body, p, argv)


def body(args: argparse.Namespace) -> None:
    """Read lattices, extract, write."""
    if [args.input, args.weights, *args.feature_list].count("-") > 1:
        raise command.UsageError("only one input can be stdin")
    weights, lexical = Weights.read(args.weights), read_lists(args.feature_list)
    settings = Settings(args.k, args.distinct, args.node_list)
    rescorer = Rescorer(weights, settings, lexical, 0.0 if args.allow_missing else None)
    how = command.signature(
        COMMAND, weights=weights.digest(), features=len(lexical.names), **vars(settings)
    )
    with (
        Reader(args.input, Lattice) as lattices,
        Writer(args.output, KBest, f"{how} < {lattices.signature}") as out,
    ):
        watched = command.progress(lattices, args, COMMAND)
        for kbest in rescorer.rescore(watched, args.jobs):
            out.write(kbest)
        if not args.allow_missing:
            weights.refuse_unknown(rescorer.names, lattices.name)
    command.say(args, f"{COMMAND}: {out.count} sentences")


def read_lists(files: Iterable[str]) -> LexicalFeatures:
    """Features of all lists; raises DataError that names the file."""
    found = (read_feature_list(read_lines(path), display_name(path)) for path in files)
    return LexicalFeatures(list(dict.fromkeys(feature for part in found for feature in part)))


if __name__ == "__main__":
    raise SystemExit(main())
