"""All scored k-best lists of a stream in memory, as the arrays that losses and solvers work on."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from formats.columns import Floats, Ints
from formats.errors import DataError
from formats.hope import Hope
from formats.kbest import KBest
from formats.names import Names
from formats.stream import Reader
from stages import command
from stages.kernels.lists import Lists
from stages.packing import join


@dataclass(frozen=True, slots=True)
class TuningSet:
    """Lists of features with the gain (n_hyps,) of every hypothesis, and the sids (n_lists,)."""

    lists: Lists
    gain: Floats
    sid: Ints
    names: Names
    source: str
    checksum: str

    @classmethod
    def read(cls, path: str, args: argparse.Namespace) -> TuningSet:
        """Read a scored k-best stream; raises DataError for one without gains or lists."""
        sid, features, gain = [], [], []
        with Reader(path, KBest) as reader:
            for kbest in command.progress(reader, args, "reading"):
                if kbest.gain is None:
                    problem = "expected gains (score-bleu adds them), found none"
                    raise DataError(reader.name, f"sentence {kbest.sid}", problem)
                sid.append(kbest.sid)
                features.append(kbest.features)
                gain.append(kbest.gain)
        if not sid:
            raise DataError(reader.name, None, "expected k-best lists, found none")
        return cls(
            join(features),
            np.concatenate(gain),
            np.array(sid, np.int64),
            reader.names,
            reader.name,
            reader.checksum,
        )


@dataclass(frozen=True, slots=True)
class Hopes:
    """Imputed hopes of all lists: those of list i are place[pointer[i]:pointer[i + 1]].

    place counts from the start of its list; weight is the hope's share, 1 for a maximum.
    """

    pointer: Ints
    place: Ints
    weight: Floats

    @classmethod
    def of(cls, gradient: Floats, lists: Lists) -> Hopes:
        """Hopes from the gradient (n_hyps,) of a term in the scores."""
        at = np.flatnonzero(gradient)
        pointer = np.searchsorted(at, lists.list_pointer)
        start = np.repeat(lists.list_pointer[:-1], np.diff(pointer))
        return cls(pointer.astype(np.int64), at - start, gradient[at])

    @classmethod
    def read(cls, path: str, lists: TuningSet) -> Hopes:
        """Read a hope stream; raises DataError unless it has just the lists' sentences."""
        with Reader(path, Hope) as reader:
            hopes = list(reader)
        sizes = [end - start for start, end in pairwise(lists.lists.list_pointer.tolist())]
        for hope, sid, size in zip(hopes, lists.sid.tolist(), sizes, strict=False):
            if (hope.sid, hope.size) != (sid, size):
                problem = f"expected sentence {sid} with {size} hypotheses as in {lists.source}"
                found = f"found sentence {hope.sid} with {hope.size}"
                raise DataError(reader.name, f"sentence {hope.sid}", f"{problem}, {found}")
        if len(hopes) != len(sizes):
            problem = f"expected {len(sizes)} sentences as in {lists.source}, found {len(hopes)}"
            raise DataError(reader.name, None, problem)
        pointer = np.zeros(len(hopes) + 1, np.int64)
        np.cumsum([len(hope.index) for hope in hopes], out=pointer[1:])
        place = np.concatenate([hope.index for hope in hopes])
        return cls(pointer, place, np.concatenate([hope.weight for hope in hopes]))
