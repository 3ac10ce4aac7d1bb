#!/usr/bin/env bash
# Takes the pictures of the explorer for the README, docs/explorer.png and docs/explorer-phone.png, with a headless
# Chromium.
# packaging/explorer-picture.sh [PROGRAM], default target/release/greenwave.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/greenwave}")
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "found no Chromium, expected one (apt-get install chromium)" >&2
    exit 2
}
home=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$home"' EXIT

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$program" serve --quiet --port "$port" --dir solutions &
curl --silent --fail --retry 60 --retry-delay 1 --retry-connrefused --output "$home/ready" "http://127.0.0.1:$port/healthz"
address="http://127.0.0.1:$port/classic-3x3?lang=en&position=..G/.R./Y.."
# take NAME SIZE ADDRESS: the page in a window of that size; Chromium has none narrower than 500 pixels.
take() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$home/profile" \
        --window-size="$2" --virtual-time-budget=3000 --screenshot="$home/$1.png" "$3" >"$home/log" 2>&1 ||
        { tail -3 "$home/log" >&2; exit 1; }
    install -m 644 "$home/$1.png" "docs/$1.png"
    echo "wrote docs/$1.png"
}
take explorer 1280,860 "$address"
take explorer-phone 500,844 "$address"
