#!/usr/bin/env bash
# Makes the venv of the golden tools under build/golden-venv (Python 3.9 to 3.12; PyPI through pip).
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
[ -x build/golden-venv/bin/python ] || "$python" -m venv build/golden-venv
build/golden-venv/bin/python -m pip install --quiet --disable-pip-version-check -r tools/golden/requirements.txt
build/golden-venv/bin/python -c 'import mediapipe; print("mediapipe", mediapipe.__version__, "ready in build/golden-venv")'
