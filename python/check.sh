#!/usr/bin/env bash
# Builds the wheel of the Python package in a virtual environment of its own and runs its tests there. Needs cargo and
# Python 3.11 or newer with venv; pip fetches what the tests use. GREENWAVE_PROFILE=dev builds in half the time, for
# tests alone. GREENWAVE_WHEEL=FILE tests a wheel of a release instead.
set -euo pipefail
wheel=${GREENWAVE_WHEEL:+$(realpath "$GREENWAVE_WHEEL")}
cd "$(dirname "$0")"

python3 -m venv .venv
if [ -z "$wheel" ]; then
    .venv/bin/pip install --quiet --disable-pip-version-check "maturin>=1.16,<2"
    rm -rf dist
    CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}" .venv/bin/maturin build \
        --profile "${GREENWAVE_PROFILE:-release}" --quiet --interpreter .venv/bin/python --out dist
    wheel=$(echo dist/*.whl)
fi
.venv/bin/pip install --quiet --disable-pip-version-check "$wheel[test]"
.venv/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
# From the repository, so that the installed package is tested and not the folder of its sources.
cd ..
limit=$(command -v timeout || command -v gtimeout || true)
${limit:+"$limit" 600} python/.venv/bin/python -m pytest python/tests --quiet --rootdir python --config-file python/pyproject.toml "$@"
