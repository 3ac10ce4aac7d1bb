#!/usr/bin/env bash
# Installs greenwave with its manual pages and completions below PREFIX (default: /usr/local for root, else
# ~/.local), where the system looks for them.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${PREFIX:-}" ]; then
    if [ "$(id -u)" = 0 ]; then PREFIX=/usr/local; else PREFIX="$HOME/.local"; fi
fi
target="${CARGO_TARGET_DIR:-target}"

source packaging/smaller.sh
smaller
cargo rustc --profile dist --locked --package greenwave --bin greenwave -- ${linked[@]+"${linked[@]}"}
program="$target/dist/greenwave"

share="$PREFIX/share"
man="$share/man/man1"
bash="$share/bash-completion/completions"
zsh="$share/zsh/site-functions"
fish="$share/fish/vendor_completions.d"
mkdir -p "$PREFIX/bin" "$man" "$bash" "$zsh" "$fish"
install -m 755 "$program" "$PREFIX/bin/greenwave"
"$program" man --out-dir "$man"
"$program" completions bash > "$bash/greenwave"
"$program" completions zsh > "$zsh/_greenwave"
"$program" completions fish > "$fish/greenwave.fish"

printf 'installed %s (%s bytes), manual pages in %s, completions for bash, zsh and fish below %s\n' \
    "$PREFIX/bin/greenwave" "$(wc -c <"$PREFIX/bin/greenwave")" "$man" "$share"
