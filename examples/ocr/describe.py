"""Give every hypothesis of JSON lines two things more: words out of a vocabulary, and letters.

The feature `Unknown` counts words that a text has not, whatever their case and punctuation.  The
field `letters` spells the hypothesis in single letters, `t h e _ c a t`, for a language model of
letters; without lists, standard input is such a text, and is spelt.

Example:  zcat tune.jsonl.gz | python3 describe.py lm.text.gz | import-nbest - -o tune.kbest
          zcat lm.text.gz | python3 describe.py | estimate-lm - --order 6 -o letters.arpa
"""

import gzip
import json
import re
import sys


def words(text: str) -> list[str]:
    """Words in lower case, without punctuation."""
    return re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower())


def letters(text: str) -> str:
    """Letters with blanks between them; a blank is `_`."""
    return " ".join(text.replace(" ", "_"))


def main() -> None:
    """Describe lists, or spell a text."""
    if len(sys.argv) == 1:
        sys.stdout.writelines(f"{letters(line.rstrip())}\n" for line in sys.stdin)
        return
    with gzip.open(sys.argv[1], "rt") as text:
        vocabulary = set(words(text.read()))
    for line in sys.stdin:
        sentence = json.loads(line)
        for hypothesis in sentence["hyps"]:
            unknown = sum(word not in vocabulary for word in words(hypothesis["text"]))
            hypothesis["features"]["Unknown"] = unknown
            hypothesis["fields"] = {"letters": letters(hypothesis["text"])}
        print(json.dumps(sentence))


if __name__ == "__main__":
    main()
