#!/usr/bin/env bash
# Makes the article a PDF: target/article.pdf. Needs pandoc and chromium (apt-get install pandoc chromium).
# Exit 0: made; 2: a tool is missing or fails.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in pandoc chromium; do
    command -v "$tool" >/dev/null ||
        { echo "packaging/article.sh: no $tool; install it (apt-get install pandoc chromium)" >&2; exit 2; }
done
target=$PWD/target
mkdir -p "$target"
pandoc docs/article/article.md --from markdown --to html5 --standalone --self-contained --metadata lang=en \
    --resource-path docs/article --css docs/article/article.css --output "$target/article.html" ||
    { echo "packaging/article.sh: pandoc failed" >&2; exit 2; }
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
# As root the sandbox of chromium does not start.
sandbox=$([ "$(id -u)" = 0 ] && echo --no-sandbox || true)
chromium --headless $sandbox --disable-gpu --user-data-dir="$profile" --no-pdf-header-footer \
    --print-to-pdf="$target/article.pdf" "file://$target/article.html" 2>/dev/null ||
    { echo "packaging/article.sh: chromium failed" >&2; exit 2; }
echo "target/article.pdf: $(stat -c %s "$target/article.pdf") bytes"
