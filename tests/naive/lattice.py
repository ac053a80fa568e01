"""A lattice by its paths: all of them, with their words, spans and features, one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from campanula.formats.feature_names.lexical import LexicalFeature
from campanula.formats.records.lattice import Lattice
from tests.naive import sparse

Path = list[int]
Entry = tuple[float, str, dict[str, float]]


def paths(lattice: Lattice, node: int | None = None) -> Iterator[Path]:
    """Yield every path from the start to a node (the end by default) as a list of arcs."""
    node = lattice.n_nodes - 1 if node is None else node
    if node == 0:
        yield []
        return
    for arc in range(lattice.pointer[node], lattice.pointer[node + 1]):
        for path in paths(lattice, int(lattice.before[arc])):
            yield [*path, arc]


def words_of(lattice: Lattice, arc: int) -> list[str]:
    text = lattice.phrase_text(int(lattice.phrase[arc]))
    return text.split(" ") if text else []


def text(lattice: Lattice, path: Path) -> str:
    return " ".join(word for arc in path for word in words_of(lattice, arc))


def dense(lattice: Lattice, path: Path) -> dict[str, float]:
    names = [lattice.names[i] for i in lattice.dense_id.tolist()]
    return {name: float(sum(lattice.dense[k, arc] for arc in path)) for k, name in enumerate(names)}


def lexical(lattice: Lattice, path: Path, features: Sequence[LexicalFeature]) -> dict[str, float]:
    """Counts, by name, of lexical features (template, words) in a path; none of 0."""
    words = text(lattice, path).split()
    pairs = [
        (f, e)
        for arc in path
        for f in list(lattice.source)[lattice.start[arc] : lattice.end[arc]]
        for e in words_of(lattice, arc)
    ]
    return words_counts(words, features, pairs)


def words_counts(
    words: Sequence[str],
    features: Sequence[LexicalFeature],
    pairs: Sequence[tuple[str, str]] = (),
) -> dict[str, float]:
    """Counts, by name, of lexical features in words and pairs of words; none of 0."""
    occurring: dict[str, list[tuple[str, ...]]] = {
        "uni": [(w,) for w in words],
        "bigram": list(pairwise(words)),
        "trigram": list(zip(words, words[1:], words[2:], strict=False)),
        "pair": list(pairs),
        "trigger": [(a, w) for j, w in enumerate(words) for a in set(words[:j])],
    }
    counts = {f.name: float(occurring[f.prefix].count(f.words)) for f in features}
    return {name: count for name, count in counts.items() if count}


def steps(lattice: Lattice, path: Path) -> list[sparse.Step]:
    """Steps of the path as tests.naive.decoder has them."""
    return [
        (int(lattice.start[arc]), int(lattice.end[arc]), tuple(words_of(lattice, arc)))
        for arc in path
    ]


def kbest(
    lattice: Lattice,
    weights: Mapping[str, float],
    features: Sequence[LexicalFeature],
    distinct: bool,
    templates: Collection[str] = (),
) -> list[Entry]:
    """All paths as (score, text, features), best first; the best of each text if distinct.

    A sparse feature of the templates has the weight 0 if it has none.
    """
    found: list[Entry] = []
    source = list(lattice.source)
    for path in paths(lattice):
        value = dense(lattice, path) | lexical(lattice, path, features)
        score = sum(weights[name] * number for name, number in value.items())
        if source:
            more = sparse.features(source, steps(lattice, path), templates)
            score += sum(weights.get(name, 0.0) * number for name, number in more.items())
            value |= {name: float(number) for name, number in more.items()}
        found.append((score, text(lattice, path), value))
    found.sort(key=lambda item: -item[0])
    if not distinct:
        return found
    best: dict[str, Entry] = {}
    for item in found:
        best.setdefault(item[1], item)
    return list(best.values())
