#!/bin/bash
# From images of lines to the table of the test set: from_images.sh FOLDER, which gets an environment with
# the recogniser, the lists that it makes, and what run.sh makes of them.
set -euo pipefail
ocr=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/ocr"
cp "$ocr"/*.py "$ocr/run.sh" "$1/ocr"
cd "$1"

python3 -m venv env
env/bin/pip install --quiet --requirement "$ocr/requirements.txt"
env/bin/python ocr/make_lists.py
ocr/run.sh .
