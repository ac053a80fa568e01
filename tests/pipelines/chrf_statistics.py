"""chrF's statistics by sacrebleu: chrf_statistics.py HYPOTHESES REFERENCES GAINS."""

import sys
from pathlib import Path

from sacrebleu.metrics import CHRF

texts, lines = (Path(name).read_text("utf-8").split("\n")[:-1] for name in sys.argv[1:3])
references = [list(column) for column in zip(*(line.split("\t") for line in lines), strict=True)]
with open(sys.argv[3], "w", encoding="utf-8") as gains:
    for statistics in CHRF()._extract_corpus_statistics(texts, references):
        print(*statistics, file=gains)
