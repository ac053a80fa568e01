#!/bin/bash
# From the recogniser's lists to weights, and to the table of the test set: run.sh FOLDER, which gets what
# is made on the way.  docs/reranking-ocr.md explains each step.
set -euo pipefail
ocr=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

estimate-lm "$ocr/lm.text.gz" --order 3 -o lm.arpa
gzip -dc "$ocr/lm.text.gz" | python3 "$ocr/describe.py" | estimate-lm - --order 6 -o letters.arpa

for set in tune test; do
  gzip -dc "$ocr/$set.jsonl.gz" | python3 "$ocr/describe.py" "$ocr/lm.text.gz" | import-nbest - |
    add-feature lm --arpa lm.arpa --name LM |
    add-feature lm --arpa letters.arpa --text-field letters --name LetterLM |
    add-feature length --name Words |
    add-feature length --unit characters --name Letters -o $set.kbest
done

score-bleu --metric wer --ref "$ocr/tune.ref" tune.kbest -o tune.scored.kbest
printf '%s\n' 'CTC 1' 'LM 0' 'LetterLM 0' 'Unknown 0' 'Words 0' 'Letters 0' > initial
optimize tune.scored.kbest --weights initial --loss bayes-risk --solver lbfgs --C 0.01 -o tuned

rerank test.kbest --weights initial --format keyed -o 1-best.out
rerank test.kbest --weights tuned --format keyed -o tuned.out
compare 1-best.out tuned.out --keyed --ref "$ocr/test.ref" --metric wer
