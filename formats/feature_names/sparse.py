r"""Names of the decoder's sparse features; any word can be read back, whatever characters it has.

    prefix _ [head _] phrase ~~ phrase      words of a phrase are joined by ~

    hback_M_das~Haus~~the~house
    pair_haus~~house    block_das~Haus~~the~house    back_L_das~Haus~~the~house    jump_+3
    plen_2_the~house    fert_2_das~Haus
    uni_the    bigram_of~the    trigram_one~of~the    trigger_not~~but

In a word, `%`, `=`, `|`, `~`, `,`, blanks of any kind and control characters are written as %XX,
byte by byte of their UTF-8 form.  A phrase without words is the empty string.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

Phrase = tuple[str, ...]
ORIENTATIONS = "RLN"  # right of the block before, left of it, neither (Tillmann and Zhang)
HIERARCHICAL_ORIENTATIONS = "MSD"  # monotone, swap, discontinuous (Galley and Manning 2008)


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of sparse feature.

    head: regular expression of the text before the phrases, "" if there is none; sides: one letter
    per phrase, `s` for source and `t` for target words; local: whether the features of a block
    depend on its words alone, so that they can be computed before the search
    (kernels/sparse/local.py).
    """

    prefixes: tuple[str, ...]
    head: str
    sides: str
    local: bool = False


COUNT = "0|[1-9][0-9]{0,8}"
JUMP = "0|[+-][1-9][0-9]{0,8}"
ORIENTATION = f"[{ORIENTATIONS}]"
HIERARCHICAL_ORIENTATION = f"[{HIERARCHICAL_ORIENTATIONS}]"
TEMPLATES = {
    "block": Template(("block",), "", "st", local=True),
    "word-pair": Template(("pair",), "", "st", local=True),
    "source-length": Template(("slen",), COUNT, "", local=True),
    "target-length": Template(("tlen",), COUNT, "", local=True),
    "phrase-length": Template(("plen",), COUNT, "t", local=True),
    "unigram": Template(("uni",), "", "t", local=True),
    "bigram": Template(("bi",), "", "t", local=True),
    "trigram": Template(("tri",), "", "t", local=True),
    "source-triplet": Template(("stri",), "", "st", local=True),
    "target-triplet": Template(("ttri",), "", "st", local=True),
    "ngram": Template(("uni", "bigram", "trigram"), "", "t"),
    "orientation": Template(("orient",), ORIENTATION, ""),
    "block-orientation": Template(("back", "forw"), ORIENTATION, "st"),
    "jump": Template(("jump",), JUMP, ""),
    "target-phrases": Template(("tph",), "", "tt"),
    "source-phrases": Template(("sph",), "", "ss"),
    "boundary": Template(("bound",), "", "tt"),
    "hierarchical-orientation": Template(("hback", "hforw"), HIERARCHICAL_ORIENTATION, "st"),
    "fertility": Template(("fert",), COUNT, "s", local=True),
}
# no named template: there are too many triggers, so only listed ones are on
TRIGGER = Template(("trigger",), "", "tt")
EVERY = [*TEMPLATES.values()]
# The order gives the kinds their numbers, and inventories on disk have keys made of these: a new
# template goes to the end of the table, and TRIGGER stays number 17.
EVERY.insert(17, TRIGGER)
BY_PREFIX = {prefix: template for template in EVERY for prefix in template.prefixes}
WORDS: dict[str, tuple[int, ...]] = {
    "pair": (1, 1),
    "stri": (2, 1),
    "ttri": (1, 2),
    "bound": (1, 1),
    "trigger": (1, 1),
}
WORDS |= {"uni": (1,), "bi": (2,), "tri": (3,), "bigram": (2,), "trigram": (3,)}
"""Number of words in each phrase, for the prefixes that fix it."""

PREFIXES = list(BY_PREFIX)


@dataclass(frozen=True, slots=True)
class SparseFeature:
    """The components of a sparse feature's name; the words are not escaped."""

    prefix: str
    head: str = ""
    phrases: tuple[Phrase, ...] = ()

    def __str__(self) -> str:
        """Return the feature's name."""
        return sparse_name(self.prefix, self.head, *self.phrases)


def escaped(word: str) -> str:
    """Return the word with all characters escaped that mean something in names or n-best lists."""
    # nearly all words, and no character with a meaning in names is a letter or a digit
    if word.isalnum():
        return word
    return "".join(c if is_plain(c) else _percent(c) for c in word)


def is_plain(c: str) -> bool:
    """Whether a character of a word needs no escape in a name."""
    return c.isprintable() and not c.isspace() and c not in "%=|~,"


def _percent(c: str) -> str:
    return "".join(f"%{byte:02X}" for byte in c.encode("utf-8"))


def sparse_name(prefix: str, head: str = "", *phrases: Phrase) -> str:
    """Return the name of a sparse feature."""
    body = "~~".join("~".join(map(escaped, phrase)) for phrase in phrases)
    return "_".join(part for part in (prefix, head) if part) + ("_" + body if phrases else "")


def split_name(name: str) -> SparseFeature | None:
    """Parse a name; None when it is not the name of a sparse feature."""
    prefix, _, rest = name.partition("_")
    template = BY_PREFIX.get(prefix)
    if template is None:
        return None
    head = ""
    if template.head:
        head, _, rest = rest.partition("_")
        if not re.fullmatch(template.head, head):
            return None
    phrases: tuple[Phrase, ...] = ()
    if template.sides:
        parts = rest.split("~~")
        phrases = tuple(tuple(map(unquote, part.split("~"))) if part else () for part in parts)
    feature = SparseFeature(prefix, head, phrases)
    fits = len(phrases) == len(template.sides) and not any("" in phrase for phrase in phrases)
    if prefix in WORDS:
        fits = fits and tuple(map(len, phrases)) == WORDS[prefix]
    # one feature must have one name: another spelling of it, such as %41 for A, is refused
    return feature if fits and str(feature) == name else None
