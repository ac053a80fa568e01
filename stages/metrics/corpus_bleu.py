"""Corpus BLEU of summed statistics, as sacrebleu computes and prints it.

    BLEU = 100 BP exp(1/4 sum_n log p_n),    p_n = m_n / t_n        (Papineni et al. 2002)

The k-th order without a match counts 1 / (2^k t_n) (Chen and Cherry 2014, method 3).  Step by step
sacrebleu's `compute_bleu`, without loading it: it loads readers of its data sets, which takes
longer than all else that a short command does.
"""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Sequence
from importlib import import_module, util

from campanula.stages.metrics.report import Report

ORDER = 4
NO_LOG = -9999999999  # of 0, as sacrebleu has it
VERSION = re.compile(r"^__version__ *(?:= *version *)?= *['\"]([^'\"]+)['\"]$", re.MULTILINE)


def report(sums: Sequence[int], n_refs: int, case: str) -> Report:
    """Return corpus BLEU of one sum (10,): c, r, matches of 1..4, totals of 1..4."""
    length, ref_length, *counts = map(int, sums)
    precisions = [0.0] * ORDER
    penalty = brevity_penalty(length, ref_length)
    value = 0.0
    # sacrebleu gives 0 where nothing matches at all, which smoothing would make more of
    if any(counts[:ORDER]):
        precisions = smoothed(counts[:ORDER], counts[ORDER:])
        # a plain sum from order 1 on, in sacrebleu's order: another one may differ in the last bit
        value = penalty * math.exp(sum(map(log, precisions)) / ORDER)
    ratio = length / ref_length if ref_length else 0
    detail = (
        f"{'/'.join(f'{p:.1f}' for p in precisions)} (BP = {penalty:.3f} ratio = {ratio:.3f} "
        f"hyp_len = {length:d} ref_len = {ref_length:d})"
    )
    fields = {
        "nrefs": n_refs,
        "case": case,
        "eff": "no",
        "tok": "none",
        "smooth": "exp",
        "version": version(),
    }
    signature = tuple(f"{name}:{field}" for name, field in fields.items())
    return Report("BLEU", signature, value, f"{value:.2f}", detail)


def brevity_penalty(length: int, ref_length: int) -> float:
    """Return BP of a corpus; 0 where only the references have words."""
    if length >= ref_length:
        return 1.0
    return math.exp(1 - ref_length / length) if length > 0 else 0.0


def smoothed(matches: Sequence[int], totals: Sequence[int]) -> list[float]:
    """Return precisions in percent; 0 from the first order on that has no n-grams."""
    precisions = [0.0] * ORDER
    halved = 1.0
    for n, (match, total) in enumerate(zip(matches, totals, strict=True)):
        # as sacrebleu: orders beyond the longest sentence keep precision 0, so BLEU is 0 without
        # effective order
        if total == 0:
            break
        if match == 0:
            halved *= 2
            precisions[n] = 100.0 / (halved * total)
        else:
            precisions[n] = 100.0 * match / total
    return precisions


def log(number: float) -> float:
    """Return the logarithm of a number, NO_LOG of 0."""
    return NO_LOG if number == 0.0 else math.log(number)


@functools.cache
def version() -> str:
    """Return the version of the installed sacrebleu, without importing it."""
    spec = util.find_spec("sacrebleu")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = os.path.join(folder, "version.py")
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                match = VERSION.search(file.read())
            if match is not None:
                return match[1]
    loaded: str = import_module("sacrebleu").__version__
    return loaded
