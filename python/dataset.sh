#!/usr/bin/env bash
# Writes the data that can be deposited into a folder that is not there yet (dist/dataset if none is named), and verifies
# them: checksums, tables and certificates, and the description by Frictionless.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-dist/dataset}"

cargo build --release --quiet
python/.venv/bin/python -c 'import greenwave, frictionless' 2>/dev/null || python/check.sh
python/.venv/bin/python python/dataset.py "$folder"
python/.venv/bin/python "$folder/verify_deposit.py"
(cd "$folder" && "$OLDPWD/python/.venv/bin/frictionless" validate datapackage.json)
