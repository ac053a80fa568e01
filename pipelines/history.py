"""The history of a tuning run: one line of JSON an iteration.

Iteration t decodes with the weights theta_t and makes theta_t+1; theta_0 are the initial weights.
The log, the learning curve and `kept` count in the same way.

    iteration    from 0; it decodes with the weights of that number
    dev          corpus metric of the decoder's first hypotheses under them
    test         the same of every test set, by name
    objective    of the weights that the iteration made, on its lists; null if it made none
    lists        how many the iteration tuned on; `hypotheses` alike
    seconds      decode, score, optimise, and orchestration, which is all the rest
    train        of `tune relevant-set` alone, as the next two: mean sentence gain of the training
                 text's outputs (of BLEU without brevity penalty)
    new          how many outputs of the newest set the sets before had not
    also         corpus values by further metrics, {metric: {data set: value}}
    tuned        in the last line: dev and test under the final weights
    kept         in the last line: the final weights are those of this iteration
    stopped      in the last line: why there is no further one
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from campanula.formats.files import Output

OPTIONAL = ("tuned", "kept", "stopped", "train", "new", "also")
"""Fields that a line has only where they are not None."""

ByMetric = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Values:
    """Corpus metric of dev, of every test set by name, and those of other metrics."""

    dev: float
    test: dict[str, float] = field(default_factory=dict)
    also: ByMetric | None = None

    def __str__(self) -> str:
        named = {"dev": self.dev, **self.test}
        digits = digits_of(named.values())
        return ", ".join(f"{name} {value:.{digits}f}" for name, value in named.items())


@dataclass(frozen=True, slots=True)
class Iteration:
    """One line of the history."""

    iteration: int
    dev: float
    test: dict[str, float]
    objective: float | None
    lists: int
    hypotheses: int
    seconds: dict[str, float]
    tuned: Values | None = None
    kept: int | None = None
    stopped: str | None = None
    train: float | None = None
    new: int | None = None
    also: ByMetric | None = None

    @property
    def values(self) -> Values:
        """Corpus metric of the decoder's output in this iteration."""
        return Values(self.dev, self.test)

    def summary(self, without_objective: str) -> str:
        """The iteration in a line for the user.

        without_objective: word in the place of an objective where the iteration has none.
        """
        train = "" if self.train is None else f"train {self.train:.4f}, "
        objective = without_objective
        if self.objective is not None:
            objective = f"objective {self.objective:.6g}"
        sizes = f"on {self.hypotheses} hypotheses"
        if self.new is not None:
            sizes += f", {self.new} of the last set were new"
        seconds = seconds_shown(self.seconds)
        return f"iteration {self.iteration}: {train}{self.values}; {objective} {sizes}; {seconds}"

    def to_json(self) -> str:
        """The iteration as a line of history.jsonl."""
        fields = dataclasses.asdict(self)
        # only the loop of the relevant set has further metrics, and so the key
        if self.tuned is not None and self.tuned.also is None:
            del fields["tuned"]["also"]
        return json.dumps({k: v for k, v in fields.items() if v is not None or k not in OPTIONAL})

    @classmethod
    def of_json(cls, line: str) -> Iteration:
        """The iteration that a line of history.jsonl describes."""
        fields: dict[str, Any] = json.loads(line)
        tuned = fields.pop("tuned", None)
        return cls(**fields, tuned=Values(**tuned) if tuned else None)


def digits_of(values: Iterable[float]) -> int:
    """Digits after the point of corpus values: two of percents, four of gains from 0 to 1."""
    sizes = [abs(value) for value in values]
    return 2 if max(sizes, default=0.0) > 1.0 or not any(sizes) else 4


def seconds_shown(seconds: Mapping[str, float]) -> str:
    """Seconds by phase for a message: decode 1.2 s, score 0.3 s."""
    return ", ".join(f"{phase} {value:.1f} s" for phase, value in seconds.items())


def write(path: str, history: Sequence[Iteration]) -> None:
    """Write a history, whole or not at all."""
    # all of it each time: an append that is cut short would leave half a line
    with Output(path) as out:
        for iteration in history:
            out.write_line(iteration.to_json())


def read(path: str) -> list[Iteration]:
    """Read a history."""
    with open(path, encoding="utf-8") as lines:
        return [Iteration.of_json(line) for line in lines]
