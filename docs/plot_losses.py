"""Plot every loss along one direction on a real k-best list: makes docs/losses.svg.

    python docs/plot_losses.py

The direction is the language model's weight, from the weights of examples/ on.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from matplotlib import rcParams
from matplotlib.figure import Figure

from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages.kernels.lists import scores, total_losses
from campanula.stages.kernels.lists.formulas import Targets
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.packing import join
from campanula.stages.tuning.pairs import PairSampling, with_pairs

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
FEATURE, ALPHA = "LM0", 10.0
STEPS = np.linspace(-1.0, 1.5, 1001)
GROUPS = {
    "hard": ("ramp1", "ramp2", "ramp3", "perceptron-kbest", "hinge-kbest"),
    "soft": ("soft-ramp1", "soft-ramp2", "soft-ramp3", "log-kbest", "softmax-margin-kbest"),
    "reaching the reference": ("perceptron", "hinge", "log", "latent-log", "softmax-margin"),
    "others": ("perceptron-gamma", "bayes-risk", "expected-bleu", "pairwise"),
}


def real_list() -> KBest:
    """The longest scored list of the examples whose best gain is not at its top."""
    bin_ = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        scored = f"{folder}/dev.kbest"
        lists = subprocess.run(
            [bin_ / "import-nbest", "-q", EXAMPLES / "dev.nbest.gz"],
            stdout=subprocess.PIPE,
            check=True,
        )
        refs = [f"--ref={EXAMPLES / name}" for name in ("dev.web", "dev.kjv")]
        command = [bin_ / "score-bleu", "-q", *refs, "-", "-o", scored]
        subprocess.run(command, input=lists.stdout, check=True)
        with Reader(scored, KBest) as reader:
            records = [kbest for kbest in reader if kbest.gain is not None and kbest.gain.argmax()]
    return max(records, key=lambda kbest: (len(kbest), float(np.ptp(kbest.gain))))


def main() -> None:
    """Draw the four groups of losses."""
    kbest = real_list()
    assert kbest.gain is not None
    lists, n = join([kbest.features]), len(kbest)
    reaches = kbest.gain == kbest.gain.max()  # stands for the reference, which few lists reach
    targets = Targets.of(kbest.gain, reaches, ALPHA, n_lists=1)
    targets = with_pairs(targets, lists.list_pointer, np.array([kbest.sid]), PairSampling(5000, 20))
    weights = Weights.read(str(EXAMPLES / "weights"))
    theta = weights.vector(kbest.names, 0.0)
    along = np.zeros_like(theta)
    along[kbest.names.id(FEATURE)] = 1.0
    best = [int(scores.score_lists(lists, theta + x * along).argmax()) for x in STEPS]
    turns = STEPS[1:][np.diff(best) != 0]
    rcParams["svg.hashsalt"] = "campanula"  # the same picture, the same bytes
    figure = Figure(figsize=(11, 8))
    axes = figure.subplots(2, 2, sharex=True)
    for axis, (title, names) in zip(axes.flat, GROUPS.items(), strict=True):
        for name in names:
            part = lists, targets, LOSSES[name].formula
            axis.plot(STEPS, [at(part, theta + x * along) for x in STEPS], label=name)
        low, _ = axis.get_ylim()
        axis.plot(turns, np.full(len(turns), low), "k.", clip_on=False)
        axis.set_title(title)
        axis.legend(frameon=False, fontsize="small")
    for axis in axes[1]:
        axis.set_xlabel(f"change of the weight of {FEATURE}")
    figure.suptitle(f"losses of one list of {n} hypotheses")
    figure.tight_layout()
    figure.savefig(HERE / "losses.svg", metadata={"Date": None})


def at(part: tuple[object, ...], theta: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Loss at theta."""
    lists, targets, loss = part
    none = np.zeros(0)
    return float(total_losses.total_loss(lists, theta, targets, loss, none, none.copy()))


if __name__ == "__main__":
    drawn = {name for name, loss in LOSSES.items() if loss.has_C and not loss.is_absolute}
    assert set().union(*GROUPS.values()) == drawn  # squares of scores would dwarf the others
    main()
