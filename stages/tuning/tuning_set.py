"""All scored k-best lists of a stream in memory, as the arrays that losses and solvers work on."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from formats.columns import Floats, Ints
from formats.errors import DataError
from formats.kbest import KBest
from formats.names import Names
from formats.references import References
from formats.stream import Reader
from stages import command
from stages.kernels.lists import Lists
from stages.kernels.losses import Targets
from stages.tuning.packing import join
from stages.tuning.reaching import reaching


@dataclass(frozen=True, slots=True)
class TuningSet:
    """Lists of features with gain and stats of every hypothesis (n_hyps,), sids (n_lists,).

    reaches (n_hyps,) says whether a hypothesis is a reference; stats (n_hyps, n_stats) or none.
    """

    lists: Lists
    gain: Floats
    reaches: np.ndarray[tuple[int], np.dtype[np.bool_]]
    stats: Ints | None
    sid: Ints
    names: Names
    source: str
    signature: str
    checksum: str

    @classmethod
    def read(
        cls, path: str, args: argparse.Namespace, references: References | None = None
    ) -> TuningSet:
        """Read a scored k-best stream; raises DataError for one without gains or lists."""
        sid, features, gain, reaches, stats = [], [], [], [], []
        with Reader(path, KBest) as reader:
            for kbest in command.progress(reader, args, "reading"):
                sid.append(kbest.sid)
                features.append(kbest.features)
                gain.append(gain_of(kbest, reader.name))
                reaches.append(reaching(kbest, references))
                stats.append(kbest.stats)
        if not sid:
            raise DataError(reader.name, None, "expected k-best lists, found none")
        known = [part for part in stats if part is not None]
        return cls(
            join(features),
            np.concatenate(gain),
            np.concatenate(reaches),
            np.concatenate(known) if len(known) == len(stats) else None,
            np.array(sid, np.int64),
            reader.names,
            reader.name,
            reader.signature,
            reader.checksum,
        )

    def targets(self, alpha: float) -> Targets:
        """What losses know of the hypotheses: costs alpha (1 - gain), and no sampled pairs."""
        none = np.zeros(0, np.int64)
        pointer = np.zeros(self.lists.n_lists + 1, np.int64)
        cost = alpha * (1.0 - self.gain)
        return Targets(cost, self.gain, self.reaches, pointer, none, none)


def gain_of(kbest: KBest, source: str) -> Floats:
    """Gains of a list; raises DataError if it has none."""
    if kbest.gain is None:
        problem = "expected gains (score-bleu adds them), found none"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    return kbest.gain
