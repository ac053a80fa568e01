"""Names of dense features, and named sets of them.

    moses           the dense features that Moses has, as far as the model has them
    none            no dense features, for models of sparse features alone
    tillmann-zhang  features (a) to (g) of Tillmann and Zhang (section VI-B): direct model p(f | e),
                    lexical weight, first word and rest in the language model, outbound and inbound
                    distortion, target length

Names are numbered as Moses does it: a number for each feature of a kind, then `_` and one for each
of its values, as in TranslationModel0_2.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

DISTORTION = ("OutboundDistortion0", "InboundDistortion0")
LM_SPLIT = ("LMFirst0", "LMRest0")
PENALTIES = ("Distortion0", "WordPenalty0", "PhrasePenalty0", "UnknownWordPenalty0")
SCORES = ("TranslationModel0_0", "TranslationModel0_1")
TILLMANN_ZHANG = (*SCORES, *LM_SPLIT, *DISTORTION, "WordPenalty0")
MOSES = "moses"
NONE = "none"
PRESETS: dict[str, tuple[str, ...]] = {
    MOSES: (),  # `chosen` takes all that the model has
    "tillmann-zhang": TILLMANN_ZHANG,
    NONE: (),
}


def chosen(
    asked: Iterable[str], names: list[str], labels: Iterable[tuple[str, str]] = ()
) -> list[str]:
    """Return the `names` that `asked` selects, by name, by label (TranslationModel0) or by set.

    labels: pairs of our label and the model's own label for the same feature.  Raises KeyError for
    an item that no name matches, except that `moses` selects whatever names there are.
    """
    on: set[str] = set()
    label_in_model = dict(labels)
    for item in asked:
        if item == MOSES:
            on |= {name for name in names if name not in (*LM_SPLIT, *DISTORTION)}
        for label in PRESETS.get(item, (item,)):
            if item in PRESETS:
                kind, line, number = label.partition("_")
                label = f"{label_in_model.get(kind, kind)}{line}{number}"
            matches = {name for name in names if name == label or name.startswith(f"{label}_")}
            if not matches:
                raise KeyError(label)
            on |= matches
    return [name for name in names if name in on]


def numbered_names(label: str, names: Container[str]) -> list[str]:
    """Return `label_0`, `label_1`, ..., as far as they are in `names` without a gap."""
    numbered: list[str] = []
    while f"{label}_{len(numbered)}" in names:
        numbered.append(f"{label}_{len(numbered)}")
    return numbered


def names_of(label: str | None, width: int) -> list[str]:
    """Return the feature names of a label with `width` values; F0, F1, ... if label is None."""
    if label is None:
        return [f"F{i}" for i in range(width)]
    return [label] if width == 1 else [f"{label}_{i}" for i in range(width)]
