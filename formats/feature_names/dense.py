"""Names of dense features, and the sets of them that go by a name.

    moses           Moses's own: all but those of the other set that Moses has not
    none            none at all, for models of sparse features alone
    tillmann-zhang  features (a) to (g) of Tillmann and Zhang (section VI-B): direct model p(f | e),
                    lexical weight, first word and rest in the language model, outbound and inbound
                    distortion, target length

Names end as Moses's do: a number for each feature of a kind, and one for each of its values.
"""

from __future__ import annotations

from collections.abc import Iterable

DISTORTION = ("OutboundDistortion0", "InboundDistortion0")
LM_SPLIT = ("LMFirst0", "LMRest0")
PENALTIES = ("Distortion0", "WordPenalty0", "PhrasePenalty0", "UnknownWordPenalty0")
SCORES = ("TranslationModel0_0", "TranslationModel0_1")
TILLMANN_ZHANG = (*SCORES, *LM_SPLIT, *DISTORTION, "WordPenalty0")
MOSES, NONE = "moses", "none"
PRESETS: dict[str, tuple[str, ...]] = {
    MOSES: (),  # whatever there is of Moses's
    "tillmann-zhang": TILLMANN_ZHANG,
    NONE: (),
}


def chosen(
    asked: Iterable[str], names: list[str], labels: Iterable[tuple[str, str]] = ()
) -> list[str]:
    """Those of `names` that are asked for, by name, by label (TranslationModel0) or by set.

    Of `moses` those that there are; raises KeyError for another that there is not.  `labels` are
    pairs of our label and the one that the model has for it.
    """
    on: set[str] = set()
    called = dict(labels)
    for item in asked:
        if item == MOSES:
            on |= {name for name in names if name not in (*LM_SPLIT, *DISTORTION)}
        for label in PRESETS.get(item, (item,)):
            if item in PRESETS:
                kind, line, number = label.partition("_")
                label = f"{called.get(kind, kind)}{line}{number}"
            found = {name for name in names if name == label or name.startswith(f"{label}_")}
            if not found:
                raise KeyError(label)
            on |= found
    return [name for name in names if name in on]


def names_of(label: str | None, width: int) -> list[str]:
    """Feature names of a label with `width` values."""
    if label is None:
        return [f"F{i}" for i in range(width)]
    return [label] if width == 1 else [f"{label}_{i}" for i in range(width)]
