"""How inputs are damaged: numbers, words, lines and bytes that a file of its kind may hold."""

from __future__ import annotations

import random
import re

ODD_VALUES: tuple[object, ...] = (
    *(-1, 0, 1, 2, 7, 1 << 31, 1 << 63, 1 << 200, 1.0),
    *(True, None, "1", [], {}),
)
"""What stands in a JSON file in the place of another value: other types, and numbers too large."""

_NUMBERS = (
    "0 1 -1 -0 0.0 1e-300 1e300 1e308 -1e308 1e309 1e400 -1e39 3.5e38 nan NaN inf -inf Infinity"
    " 0x10 1_000 1,5 ,5 . - + e 1e 1e+ --1 +-1 00 007 1. .5 -.5 +.5 1E-5 9999999999999999999"
    " 2147483648 4294967296 9223372036854775807 9223372036854775808 -9223372036854775808 1d5 1f"
    " \uff15 \u0663 \u00bd 1/2 5%"
)
_WORDS = (
    "||| ||||  | || = : a= =a a=b=c a:b # #x <s> </s> <unk> <UNK> [weight] [feature] { } [] \" '"
    " \\ \\data\\ \\end\\ \\1-grams: ngram 0-0 0-1=1 |0-1| @@ a@@ \u2581a LM0= LM0=1 F0="
    " TM0_0 TM0_1 S-0 H-0 D-0 null true [0] \u00a0 \u2028 \u0085 \x1c \x00 \ufeff \u00e9 e\u0301"
    " \U0001f44d \t \r \v \f % %s %d {0} $HOME"
)
NUMBERS = _NUMBERS.split(" ")
LONG = ("9" * 400, "1" + "0" * 30, "-" * 50, "0" * 5000, "1e" + "9" * 400)
WORDS = [*_WORDS.split(" "), "", " ", "  ", "\r\n", "\n\n", "x" * 300]
TOKEN = re.compile(r"[^\s=|:,{}\[\]\"]+")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def number(rng: random.Random) -> str:
    """An odd number, or what looks like one."""
    return rng.choice(LONG) if rng.random() < 0.05 else rng.choice(NUMBERS)


def word(rng: random.Random) -> str:
    """An odd word."""
    return number(rng) if rng.random() < 0.2 else rng.choice(WORDS)


def text(data: str, rng: random.Random) -> bytes:
    """A text with a few faults; sometimes bytes that are no text."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 6))):
        data = rng.choice(TEXT_FAULTS)(data, rng)
    raw = data.encode("utf-8", "surrogatepass")
    return raw_bytes(raw, rng) if rng.random() < 0.06 else raw


def raw_bytes(data: bytes, rng: random.Random) -> bytes:
    """Bytes with a fault: flipped, cut, doubled, or of another encoding."""
    if not data:
        return bytes([rng.randrange(256)])
    at = rng.randrange(len(data))
    choice = rng.randrange(6)
    if choice == 0:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    if choice == 1:
        return data[:at]
    if choice == 2:
        return data[:at] + bytes(rng.randrange(256) for _ in range(4)) + data[at:]
    if choice == 3:
        return b"\xef\xbb\xbf" + data
    if choice == 4:
        return data.decode("utf-8", "replace").encode("utf-16")
    return data[:at] + data[at + 1 + rng.randrange(8) :]


def _replaced(data: str, rng: random.Random, pattern: re.Pattern[str], new: str) -> str:
    places = [m.span() for m in pattern.finditer(data)]
    if not places:
        return data + new
    start, end = rng.choice(places)
    return data[:start] + new + data[end:]


def change_number(data: str, rng: random.Random) -> str:
    return _replaced(data, rng, NUMBER, number(rng))


def change_token(data: str, rng: random.Random) -> str:
    return _replaced(data, rng, TOKEN, word(rng))


def swap_tokens(data: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(data)
    return _replaced(data, rng, TOKEN, rng.choice(tokens)) if tokens else data


def insert(data: str, rng: random.Random) -> str:
    at = rng.randint(0, len(data))
    return data[:at] + word(rng) + data[at:]


def change_character(data: str, rng: random.Random) -> str:
    at = rng.randint(0, len(data))
    return (
        data[:at]
        + rng.choice(" \t\n\r|=:#-+.,eE0\"'\\[]{}\x00\u00a0\u2028é")
        + data[at + rng.randint(0, 1) :]
    )


def delete(data: str, rng: random.Random) -> str:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.choice((1, 1, 2, 5, 20)) :]


def cut(data: str, rng: random.Random) -> str:
    return data[: rng.randint(0, len(data))]


def change_lines(data: str, rng: random.Random) -> str:
    """A line is dropped, doubled, moved, emptied, or joined with the next."""
    lines = data.split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    choice = rng.randrange(6)
    if choice == 0:
        del lines[at]
    elif choice == 1:
        lines.insert(to, lines[at])
    elif choice == 2:
        lines.insert(to, lines.pop(at))
    elif choice == 3:
        lines[at] = rng.choice(("", " ", "\t", "#"))
    elif choice == 4 and at + 1 < len(lines):
        lines[at : at + 2] = [lines[at] + lines[at + 1]]
    else:
        return data.replace("\n", "\r\n")
    return "\n".join(lines)


def change_bars(data: str, rng: random.Random) -> str:
    """A field between bars, or tabs, is dropped, doubled or moved, in one line or all."""
    mark = " ||| " if " ||| " in data else "\t" if "\t" in data else " "
    lines = data.split("\n")
    some = range(len(lines)) if rng.random() < 0.4 else (rng.randrange(len(lines)),)
    choice, pick = rng.randrange(4), rng.random()
    for at in some:
        fields = lines[at].split(mark)
        place = int(pick * len(fields))
        if choice == 0:
            del fields[place]
        elif choice == 1:
            fields.insert(place, fields[place])
        elif choice == 2:
            fields.insert(0, fields.pop(place))
        else:
            fields.insert(place, word(rng))
        lines[at] = mark.join(fields)
    return "\n".join(lines)


TEXT_FAULTS = (
    change_number,
    change_number,
    change_token,
    change_token,
    swap_tokens,
    insert,
    change_character,
    delete,
    cut,
    change_lines,
    change_bars,
)
