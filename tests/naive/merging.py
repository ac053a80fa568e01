"""Merging k-best lists in slow, obvious loops."""


def merged(streams):
    """Hypotheses (text, feature map) of every sentence: all of them, but none twice."""
    result = {}
    for stream in streams:
        for sid, hyps in stream:
            kept = result.setdefault(sid, [])
            for text, features in hyps:
                vector = {name: value for name, value in features.items() if value != 0}
                if (text, vector) not in kept:
                    kept.append((text, vector))
    return sorted(result.items())
