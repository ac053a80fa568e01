"""A phrase table without one sentence pair, from tables of all pairs and of the others."""

from __future__ import annotations


def table_without(every: list[str], others: list[str], penalty: float) -> list[str]:
    """Rows of all pairs, with the relative frequencies of the others; the penalty where none is."""
    left = {block(line): scores(line) for line in others}
    rows = []
    for line in every:
        inverse, lex_inverse, direct, lex = scores(line)
        inverse, _, direct, _ = left.get(block(line), (str(penalty), "", str(penalty), ""))
        values = " ".join((inverse, lex_inverse, direct, lex))
        rows.append(f"{' ||| '.join(block(line))} ||| {values} ||| |||")
    return rows


def block(line: str) -> tuple[str, str]:
    source, target = line.split(" ||| ")[:2]
    return source, target


def scores(line: str) -> tuple[str, str, str, str]:
    a, b, c, d = line.split(" ||| ")[2].split()
    return a, b, c, d


def table_of_others(every: list[str], others: list[str]) -> list[str]:
    """Rows of the other pairs alone, with their relative frequencies and the rest of all pairs."""
    known = {block(line) for line in others}
    return [line for line in table_without(every, others, 0.0) if block(line) in known]
