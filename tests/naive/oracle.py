"""All block sequences of a sentence with their BLEU+1, highest first; the oracle search's twin."""

from __future__ import annotations

from tests.naive import bleu
from tests.naive.decoder import NaiveModel, Step, derivations, features


def text_of(steps: list[Step]) -> str:
    return " ".join(word for step in steps for word in step[2])


def gain_of(steps: list[Step], references: list[str]) -> float:
    return bleu.bleu_plus_one(bleu.statistics(text_of(steps), references))


def block_sequences(
    model: NaiveModel, source: tuple[str, ...], references: list[str]
) -> list[tuple[float, int, list[Step]]]:
    """(gain, number of blocks, steps), highest gain first, of equals those of fewer blocks."""
    every = [
        (gain_of(steps, references), len(steps), steps) for steps in derivations(model, source)
    ]
    return sorted(every, key=lambda item: (-round(item[0], 10), item[1]))


def segmentation(steps: list[Step]) -> str:
    """Moses's form, for blocks with target words."""

    def span(start: int, end: int) -> str:
        return f"{start}-{end - 1}" if end > start + 1 else f"{start}"

    parts, place = [], 0
    for step in steps:
        words = len(step[2])
        target = span(place, place + words) if words else f"{max(place, 1)}-{max(place, 1) - 1}"
        parts.append(f"{span(step[0], step[1])}={target}")
        place += words
    return " ".join(parts)


def orientation(steps: list[Step]) -> str:
    sides = []
    for i, step in enumerate(steps):
        if step[0] == (steps[i - 1][1] if i else 0):
            sides.append("R")
        elif i and step[1] == steps[i - 1][0]:
            sides.append("L")
        else:
            sides.append("N")
    return " ".join(sides)


__all__ = ["block_sequences", "features", "orientation", "segmentation", "text_of"]
