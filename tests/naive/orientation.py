"""Where blocks stand in the source, by the words of the definitions: sets of covered words, stacks.

A derivation is a list of spans (start, end) of source words in the order of the target.  All
orientations are 0 monotone, 1 swap, 2 discontinuous.
"""

from __future__ import annotations

Span = tuple[int, int]
MONOTONE, SWAP, DISCONTINUOUS = range(3)


def towards(before: Span, span: Span) -> int:
    """Orientation of a span after another."""
    if span[0] == before[1]:
        return MONOTONE
    if span[1] == before[0]:
        return SWAP
    return DISCONTINUOUS


def block_orientations(spans: list[Span]) -> list[tuple[int, int | None]]:
    """Backward orientation of each block, and forward one, of all but the last."""
    turns = [towards(before, span) for before, span in zip([(-1, 0), *spans], spans, strict=False)]
    return list(zip(turns, [*turns[1:], None], strict=False))


def search_orientations(spans: list[Span]) -> list[tuple[int, int | None]]:
    """What a search from left to right can say: Moses's hierarchical orientations.

    Backward, what stands before is the run of covered words that the last block belongs to.
    Forward, all that lies between the block and the next one, or beyond the next one, may come
    later and join it, unless the word beside the block is covered already.
    """
    found: list[tuple[int, int | None]] = []
    for i, span in enumerate(spans):
        covered = {word for start, end in spans[:i] for word in range(start, end)}
        run = (-1, 0)
        if i > 0:
            low, high = spans[i - 1]
            while low - 1 in covered:
                low -= 1
            while high in covered:
                high += 1
            run = (low, high)
        forward = None
        if i + 1 < len(spans):
            after = spans[i + 1]
            covered |= {word for start, end in (span, after) for word in range(start, end)}
            if after[0] == span[1] or (after[0] > span[1] and span[1] not in covered):
                forward = MONOTONE
            elif after[1] == span[0] or (after[1] < span[0] and span[0] - 1 not in covered):
                forward = SWAP
            else:
                forward = DISCONTINUOUS
        found.append((towards(run, span), forward))
    return found


def exact_orientations(spans: list[Span]) -> list[tuple[int, int | None]]:
    """The definition (Galley and Manning 2008): the block before is the top of a parser's stack."""
    backward = [towards(top, span) for top, span in zip(tops(spans), spans, strict=True)]
    mirrored = [(-end, -start) for start, end in reversed(spans)]
    tops_after = list(reversed(tops(mirrored)))
    forward: list[int | None] = [
        towards(top, (-end, -start)) for top, (start, end) in zip(tops_after, spans, strict=True)
    ]
    return list(zip(backward, [*forward[:-1], None], strict=False))


def tops(spans: list[Span]) -> list[Span]:
    """Top of the stack before each span; what stands before all is (-1, 0)."""
    stack: list[Span] = []
    found = []
    for span in spans:
        found.append(stack[-1] if stack else (-1, 0))
        stack.append(span)
        while len(stack) > 1 and (stack[-1][0] == stack[-2][1] or stack[-1][1] == stack[-2][0]):
            one, two = stack.pop(), stack.pop()
            stack.append((min(one[0], two[0]), max(one[1], two[1])))
    return found


def has_tree(spans: list[Span]) -> bool:
    """Whether a binary tree has the derivation: the parser ends with one block."""
    top = tops([*spans, (max(end for _, end in spans) + 5, 0)])[-1]
    return top == (0, max(end for _, end in spans))
