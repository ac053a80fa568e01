"""A folder of WordNet's form with a dozen words."""

from __future__ import annotations

import os
from pathlib import Path

LICENCE = "  1 This software and database is being provided to you, the LICENSEE\n  2 \n"

FILES = {
    "index.noun": LICENCE
    + "automobile n 1 4 @ ~ %p ; 1 1 02958343  \n"
    + "car n 2 4 @ ~ %p ; 2 2 02958343 02959942  \n"
    + "kid n 1 2 @ ~ 1 1 09917593  \n"
    + "child n 1 2 @ ~ 1 1 09917593  \n"
    + "mouse n 1 1 @ 1 1 02330245  \n",
    "index.verb": LICENCE
    + "automobile v 1 1 @ 1 0 01930874  \n"
    + "drive v 1 1 @ 1 1 01930874  \n"
    + "begin v 1 1 @ 1 1 00345761  \n"
    + "start v 1 1 @ 1 1 00345761  \n",
    "index.adj": LICENCE + "glad a 1 1 & 1 1 01148283  \nhappy a 1 1 & 1 1 01148283  \n",
    "index.adv": LICENCE + "soon r 1 0 1 1 00033663  \n",
    "noun.exc": "children child\nmice mouse\n",
    "verb.exc": "drove drive\nbegan begin\n",
    "adj.exc": "happier happy\n",
    "adv.exc": "better well\n",
}


def write_wordnet(folder: Path) -> str:
    """Write the files; returns the folder."""
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return os.fspath(folder)
