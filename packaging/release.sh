#!/usr/bin/env bash
# Makes the archives of a release in dist/: for x86-64, and for aarch64 where its compiler and the Rust target
# are installed. The same commit and compiler give the same bytes: times come from the commit, paths of the
# machine are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out="$PWD/dist"
target="${CARGO_TARGET_DIR:-$PWD/target}"
export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
rm -rf "$out"
mkdir -p "$out"

native=x86_64-unknown-linux-gnu
targets="$native"
cross=aarch64-unknown-linux-gnu
if command -v aarch64-linux-gnu-gcc >/dev/null &&
    [ -d "$(rustc --print sysroot)/lib/rustlib/$cross" ]; then
    targets="$targets $cross"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
else
    echo "left out: $cross (install gcc-aarch64-linux-gnu, and 'rustup target add $cross')" >&2
fi

source packaging/smaller.sh
build() {
    case $1 in
        "$native") smaller ;;
        *) smaller --target "$1" -C linker=aarch64-linux-gnu-gcc ;;
    esac
    cargo rustc --profile dist --locked --package greenwave --bin greenwave --target "$1" \
        -- ${linked[@]+"${linked[@]}"}
}

build "$native"
program="$target/$native/dist/greenwave"
for triple in $targets; do
    [ "$triple" = "$native" ] || build "$triple"
    name="greenwave-$version-$triple"
    folder="$out/$name"
    mkdir -p "$folder/man/man1" "$folder/completions"
    cp "$target/$triple/dist/greenwave" README.md CHANGELOG.md CITATION.cff LICENSE-MIT LICENSE-APACHE "$folder/"
    # Pages and completions do not depend on the machine, so the native program writes them.
    "$program" man --out-dir "$folder/man/man1"
    for shell in bash zsh fish; do
        "$program" completions "$shell" > "$folder/completions/greenwave.$shell"
    done
    python3 packaging/sbom.py "$triple" > "$folder/sbom.cdx.json"
    cp "$folder/sbom.cdx.json" "$out/$name.cdx.json"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --mode='u+rw,go+r-w,a+X' -C "$out" -cf - "$name" | gzip -9 -n > "$out/$name.tar.gz"
    rm -rf "$folder"
done
cd "$out"
sha256sum ./*.tar.gz ./*.cdx.json > SHA256SUMS
cat SHA256SUMS
