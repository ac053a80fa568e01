"""Files that a run leaves in its folder for its report, beside weights, translations and history.

    before/NAME.out    translations of every data set under the initial weights
    theta.jsonl        {"iteration": 0, "weights": {NAME: value, ...}}, a line an iteration
    dev.kbest          a link to the lists that the last iteration tuned on

Where there are more than MOST features, theta.jsonl has those whose weights moved furthest.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Mapping, Sequence

from campanula.formats.atomic import output_folder, remove
from campanula.formats.files import Output
from campanula.formats.weights import Weights
from campanula.pipelines import translations
from campanula.pipelines.copying import copy
from campanula.pipelines.links import link
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Product, StageTask

BEFORE, THETA, LISTS = "before", "theta.jsonl", "dev.kbest"
MOST = 200
"""Number of features whose weights theta.jsonl has."""


def before(
    cache: Cache, folder: str, scored: Mapping[str, StageTask]
) -> Generator[Iterable[StageTask], None, None]:
    """Write the translations of the first iteration, `scored` by data set, to `folder`.

    The cache keeps a copy, so that the lists, which `--trim` removes, need not be made again.
    """
    target = os.path.join(folder, BEFORE)
    output_folder(target)
    for name, task in scored.items():
        kept = f"before-{task.digest}"
        path = os.path.join(cache.folder, f"{kept}.out")
        if not cache.whole(kept, [path]):
            yield [task]
            translations.write(path, task)
            cache.seal(kept, [path])
        # a copy, since the user may remove the cache
        copy(path, os.path.join(target, f"{name}.out"))


def after(folder: str, theta: Sequence[Product], lists: Product) -> None:
    """Write the weights of all iterations, and a link to the last lists where these exist.

    A run whose weights are all in the cache builds no lists; `--trim` may have removed them.
    """
    write_theta(os.path.join(folder, THETA), [Weights.read(one.path) for one in theta])
    path = os.path.join(folder, LISTS)
    if os.path.exists(lists.path):
        link(lists.path, path)
    else:
        # or the link of an earlier run would lead to lists of other weights
        remove(path)


def write_theta(path: str, theta: Sequence[Mapping[str, float]]) -> None:
    """Write the weights of iterations 0, 1, ..., of those features that have moved furthest."""
    names = dict.fromkeys(name for weights in theta for name in weights)
    if len(names) > MOST:
        far = {name: _moved(name, theta) for name in names}
        names = dict.fromkeys(sorted(names, key=lambda name: (-far[name], name))[:MOST])
    with Output(path) as out:
        for iteration, weights in enumerate(theta):
            row = {name: weights[name] for name in names if name in weights}
            out.write_line(json.dumps({"iteration": iteration, "weights": row}, ensure_ascii=False))


def _moved(name: str, theta: Sequence[Mapping[str, float]]) -> float:
    """Range of a weight over the iterations; a weight that an iteration lacks counts as 0."""
    values = [weights.get(name, 0.0) for weights in theta]
    return max(values) - min(values)


def read_theta(path: str) -> list[dict[str, float]]:
    """Weights of a theta.jsonl, one dictionary an iteration; empty without such a file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line)["weights"] for line in lines]
