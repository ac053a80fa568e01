"""Merging k-best lists in slow, obvious loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Hypothesis = tuple[str, dict[str, float]]


def merged(
    streams: Iterable[Iterable[tuple[int, Sequence[tuple[str, Mapping[str, float]]]]]],
) -> list[tuple[int, list[Hypothesis]]]:
    """Hypotheses (text, feature map) of every sentence: all of them, but none twice."""
    result: dict[int, list[Hypothesis]] = {}
    for stream in streams:
        for sid, hyps in stream:
            kept = result.setdefault(sid, [])
            for text, features in hyps:
                vector = {name: value for name, value in features.items() if value != 0}
                if (text, vector) not in kept:
                    kept.append((text, vector))
    return sorted(result.items())
