"""Word alignment of a parallel text in both directions, by the models of sil-thot.

Each direction is estimated in a process of its own.  Its result is, for every word of the text that
is predicted, the place of its link; a heuristic then joins the links of both, pair by pair.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from array import array
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.text.alignments import alignment_line
from campanula.formats.text.corpus import Corpus
from campanula.stages.command_line.bars import bar

if TYPE_CHECKING:
    import thot.common

MODELS = {
    "eflomal": "EflomalAlignmentModel",
    "hmm": "HmmAlignmentModel",
    "fast-align": "FastAlignModel",
    "ibm1": "Ibm1AlignmentModel",
}
HEURISTICS = (
    "grow-diag-final-and",
    "grow-diag-final",
    "grow-diag",
    "grow",
    "intersection",
    "union",
    "och",
    "source-to-target",
    "target-to-source",
)
EM_ITERATIONS = 5


@dataclass(frozen=True, slots=True)
class AlignSettings:
    """Settings of the estimation.

    model: a key of MODELS.  symmetrise: the heuristic that joins the links of both directions.
    iterations: None for the model's default.  samplers, seed: of eflomal.
    """

    model: str = "eflomal"
    symmetrise: str = HEURISTICS[0]
    iterations: int | None = None
    samplers: int = 3
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Direction:
    """The estimation of a model of p(predicted | given) from some sentence pairs.

    pairs: numbers of the pairs to align.  quiet: no progress bar.
    """

    given: Corpus
    predicted: Corpus
    pairs: list[int]
    settings: AlignSettings
    quiet: bool


def align(
    source: Corpus,
    target: Corpus,
    pairs: list[int],
    settings: AlignSettings,
    jobs: int = 2,
    quiet: bool = True,
) -> Iterator[str]:
    """Yield the line of links of every sentence pair, an empty one for pairs not in `pairs`.

    The directions are estimated in processes, `jobs` at a time.  The first direction shows a
    progress bar unless `quiet`.
    """
    # one bar alone: both processes would draw theirs in the same line
    directions = [
        Direction(source, target, pairs, settings, quiet),
        Direction(target, source, pairs, settings, quiet=True),
    ]
    # spawned, since thot reads OMP_NUM_THREADS when it is loaded, and a fork may have it loaded
    spawn = get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, _start, (os.getpid(),)) as pool:
        forward, backward = pool.map(align_direction, directions)
    in_pairs = set(pairs)
    sizes = zip(np.diff(source.start).tolist(), np.diff(target.start).tolist(), strict=True)
    for pair, (n_source, n_target) in enumerate(sizes):
        if pair not in in_pairs:
            yield ""
            continue
        links = _matrix(forward, int(target.start[pair]), n_source, n_target)
        backward_links = _matrix(backward, int(source.start[pair]), n_target, n_source)
        # the second direction has rows for the target; joined are matrices of source by target
        backward_links.transpose()
        yield alignment_line(_joined(links, backward_links, settings.symmetrise))


def align_direction(direction: Direction) -> array[int]:
    """Return, for every word of the predicted text, the place of its link in the given sentence.

    Places count from 1; 0 is a word without a link.
    """
    model = _model(direction.settings)
    given = _sentences(direction.given)
    predicted = _sentences(direction.predicted)
    for pair in direction.pairs:
        model.add_sentence_pair(given[pair], predicted[pair], 1)
    model.start_training()
    n_sweeps = direction.settings.iterations or EM_ITERATIONS
    if direction.settings.model == "eflomal":
        n_sweeps = model.scheduled_iterations
    for _ in bar(range(n_sweeps), direction.quiet, "aligning", n_sweeps):
        model.train()
    model.end_training()
    # zeros, 4 bytes each: words of pairs that are left out have no link
    place = array("i", bytes(4 * len(direction.predicted.token)))
    for number, pair in enumerate(direction.pairs):
        begin, end = direction.predicted.start[pair : pair + 2].tolist()
        place[begin:end] = array("i", model.get_training_alignment(number)[1].to_list())
    return place


def _start(parent: int) -> None:
    """Set up the process of one direction: one thread, and an end with its parent process."""
    os.environ["OMP_NUM_THREADS"] = "1"  # before thot is loaded
    # Ctrl-C goes to all processes of the terminal: the parent reports it, this one just ends
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process soon after its parent.

    A parent that SIGKILL ends cannot end its children; a process without a parent gets another one.
    """
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _model(settings: AlignSettings) -> Any:
    import thot.alignment

    model = getattr(thot.alignment, MODELS[settings.model])()
    model.emit_training_alignments = True
    if settings.model == "eflomal":
        model.seed = settings.seed
        model.num_samplers = settings.samplers
        model.deterministic = True
        if settings.iterations:
            before = max(1, settings.iterations // 4)  # as sil-thot divides its own schedule
            model.set_iterations(max(2, before), before, settings.iterations)
    return model


def _sentences(corpus: Corpus) -> list[list[str]]:
    """Return the sentences with numbers for words: thot gives a meaning to some, such as NULL."""
    token = [str(word) for word in corpus.token.tolist()]
    bounds = corpus.start.tolist()
    return [token[a:b] for a, b in pairwise(bounds)]


def alignable(source: Corpus, target: Corpus, model: str) -> list[int]:
    """Return the numbers of the sentence pairs that the model can align.

    Both sides have words, and fewer than the longest sentence of the model.
    """
    import thot.alignment

    longest = getattr(thot.alignment, MODELS[model])().max_sentence_length
    n_source = np.diff(source.start)
    n_target = np.diff(target.start)
    shorter = np.minimum(n_source, n_target)
    longer = np.maximum(n_source, n_target)
    # strictly: the models count NULL among the words of a sentence
    pairs: list[int] = np.flatnonzero((shorter > 0) & (longer < longest)).tolist()
    return pairs


def _matrix(
    place: array[int], begin: int, n_given: int, n_predicted: int
) -> thot.common.WordAlignmentMatrix:
    from thot.common import WordAlignmentMatrix

    matrix = WordAlignmentMatrix(n_given, n_predicted)
    matrix.put_list(place[begin : begin + n_predicted].tolist())
    return matrix


def _joined(
    forward: thot.common.WordAlignmentMatrix,
    backward: thot.common.WordAlignmentMatrix,
    heuristic: str,
) -> list[tuple[int, int]]:
    """Return the links (source place, target place) of both directions, joined and sorted."""
    if heuristic == "target-to-source":
        forward = backward
    elif heuristic != "source-to-target":
        # thot's methods are called as the heuristics, but for two; they change the matrix itself
        method = {"intersection": "intersect", "och": "och_symmetrize"}.get(heuristic, heuristic)
        getattr(forward, method.replace("-", "_"))(backward)
    source, target = np.nonzero(forward.to_numpy())
    return list(zip(source.tolist(), target.tolist(), strict=True))
