#!/usr/bin/env bash
# The explorer as a folder of static files with the solver in WebAssembly, for any web host or a USB stick;
# into FOLDER (default: target/explorer). GREENWAVE_SITE_FLAGS are further flags of rustc for the module.
set -euo pipefail
cd "$(dirname "$0")/.."

wasm=wasm32-unknown-unknown
if [ ! -d "$(rustc --print target-libdir --target "$wasm")" ]; then
    echo "the site is not built: Rust has no target '$wasm' here; add it with: rustup target add $wasm" >&2
    exit 1
fi
folder="${1:-target/explorer}"
target="${CARGO_TARGET_DIR:-target}"

# Deep games need more than the megabyte of stack that modules usually have.
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128 -C link-arg=-zstack-size=16777216 ${GREENWAVE_SITE_FLAGS:-}" \
    cargo build --profile site --locked --target "$wasm" --package greenwave-site
engine="$target/$wasm/site/greenwave_site.wasm"
gzip --best --no-name --stdout "$engine" > "$engine.gz"
# Of the workspace and not of the package, so that hardly anything is built again.
cargo build --quiet --locked --workspace --example site
"$target/debug/examples/site" "$engine.gz" "$folder"

printf 'the module takes %s bytes, compressed %s, the folder %s KiB\n' \
    "$(wc -c <"$engine")" "$(wc -c <"$engine.gz")" "$(du -sk "$folder" | cut -f1)"
