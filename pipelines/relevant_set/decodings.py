"""Tasks that make lists of a run's texts, by decoding or oracle search.

    truth, bag    oracle-search of the training text: V_5, z_0
    lists         decode of the training text, under weights
    outputs       decode of dev and test sets, under weights: the best of each sentence

With sparse features all lists are against one inventory.  Decoding the training text adds names to
it; dev and test sets use only the names that the weights have, so that names that a later iteration
adds change no output.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from campanula.pipelines.data_set import DataSet
from campanula.pipelines.decoder import EmbeddedDecoder, values_of
from campanula.pipelines.relevant_set.settings import DecoderFlags
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Argument, Leaf, Product, StageTask, stage
from campanula.stages.command import UsageError

OWN = ("--inventory", "--no-extend", "--no-count")
"""Flags of `decode` that the loop sets itself."""

SEARCHED = (
    *("--model", "--moses-ini", "--phrase-table", "--reordering-table", "--lm"),
    *("--class-lm", "--classes"),
    *("--distortion-table", "--dense-features", "--features", "--feature-list", "--cache"),
)
"""Flags of `decode` that say the same to `oracle-search`."""

# K of V_K in Tillmann and Zhang's Table II
N_TRUTHS = 5


@dataclass(frozen=True, slots=True)
class SetTrainingText:
    """A text to train on; alignment is there where a sentence's own blocks are to be left out."""

    data: DataSet
    alignment: Leaf | None = None


@dataclass(frozen=True, slots=True)
class Decodings:
    """Makes the tasks; inventory None: dense features alone, by their names.

    extends: whether the lists of the training text add to the inventory.
    """

    cache: Cache
    flags: DecoderFlags
    inventory: Leaf | None
    extends: bool
    jobs: int = 1
    engine: tuple[str, ...] = ()

    @property
    def free(self) -> tuple[str, ...]:
        """Flags of any command that works on the lists, which change no byte: threads, cache."""
        return tuple(EmbeddedDecoder(self.flags.given, self.jobs).free)

    def truth(self, text: SetTrainingText) -> StageTask:
        """Task that finds the block sequences of highest gain: V_K."""
        return self._searched(text, "--n", str(N_TRUTHS))

    def bag(self, text: SetTrainingText, seed: int) -> StageTask:
        """Task that takes a random block for each span of a sentence: z_0."""
        return self._searched(text, "--bag-of-blocks", "--seed", str(seed))

    def _searched(self, text: SetTrainingText, *what: str) -> StageTask:
        words = EmbeddedDecoder(searched(self.flags.given), self.jobs)
        refs: list[Argument] = [part for ref in text.data.refs for part in ("--ref", ref)]
        settings = (*refs, *what, *words.arguments(self.cache), *self._of_training(text))
        return self._stage("oracle-search", text.data, settings, words.free)

    def lists(self, text: SetTrainingText, weights: Product, k: int) -> StageTask:
        """Task that decodes the training text."""
        own = self._of_training(text)
        if text.alignment is not None:
            own += ("--singleton-penalty", self.flags.penalty)
        return self._decoded(text.data, weights, k, own)

    def outputs(self, data: DataSet, weights: Product) -> StageTask:
        """Task that decodes another text: the best output of each sentence."""
        # no new names: what training has not seen has no weight
        return self._decoded(data, weights, 1, self._against("--no-extend"))

    def _decoded(
        self, data: DataSet, weights: Product, k: int, own: tuple[Argument, ...]
    ) -> StageTask:
        words = EmbeddedDecoder(self.flags.given, self.jobs)
        settings = ("--weights", weights, "-k", str(k), *words.arguments(self.cache), *own)
        engine = self.engine if os.path.isdir(data.source.path) else ()
        return self._stage("decode", data, settings, [*words.free, *engine])

    def _stage(
        self, command: str, data: DataSet, settings: tuple[Argument, ...], free: Sequence[str]
    ) -> StageTask:
        settings += ("--reordering", self.flags.reordering)
        source = data.source
        return stage(self.cache, command, source, *settings, suffix=".kbest", free=tuple(free))

    def _of_training(self, text: SetTrainingText) -> tuple[Argument, ...]:
        """Flags for the training text alone."""
        left_out: tuple[Argument, ...] = ()
        if text.alignment is not None:
            left_out = ("--leave-one-out", text.data.refs[0], text.alignment)
        return (*left_out, *self._against("--no-count" if self.extends else "--no-extend"))

    def _against(self, growth: str) -> tuple[Argument, ...]:
        return () if self.inventory is None else ("--inventory", self.inventory, growth)


def searched(flags: tuple[str, ...]) -> list[str]:
    """Flags of the decoder that `oracle-search` takes as well."""
    values = values_of(flags, SEARCHED)
    return [word for flag in SEARCHED for value in values[flag] for word in (flag, value)]


def refuse_own(flags: tuple[str, ...]) -> None:
    """Raise UsageError for decoder flags that the loop sets itself."""
    for word in flags:
        if word.partition("=")[0] in OWN:
            raise UsageError(f"{word} is no flag of this loop: its inventory is in --work-dir")
