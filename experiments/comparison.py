"""Runs `compare` on outputs and reads its JSON: corpus values, intervals, p against the first."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

System = Mapping[str, Any]


class SystemComparison(NamedTuple):
    """A metric's signature, and the results of each system by name, as in the JSON."""

    signature: str
    systems: dict[str, System]

    def interval(self, name: str) -> str:
        """The 95 % interval of a system's value: 33.1 to 34.8."""
        low, high = self.systems[name]["interval"]
        return f"{low:.1f} to {high:.1f}"

    def p(self, name: str) -> str:
        """The p of the randomisation test against the first system; empty for the first itself."""
        value = self.systems[name]["randomisation_p"]
        return "" if value is None else f"{value:.2g}"


def compare(
    outputs: Mapping[str, Sequence[str]], refs: Sequence[str], metrics: Sequence[str] = ("bleu",)
) -> list[SystemComparison]:
    """Run `compare` with the first system as baseline; outputs: files of replicates, by system."""
    # files with commas between them are replicates, which `compare` takes as one system
    argv = ["compare", *(f"{name}={','.join(files)}" for name, files in outputs.items())]
    argv += [word for ref in refs for word in ("--ref", ref)]
    argv += [word for metric in metrics for word in ("--metric", metric)]
    done = subprocess.run([*argv, "--format", "json"], check=True, stdout=subprocess.PIPE)
    return [
        SystemComparison(one["signature"], {system["name"]: system for system in one["systems"]})
        for one in json.loads(done.stdout)
    ]
