#!/usr/bin/env bash
# Makes the files of a release in dist/:
#
#   greenwave-VERSION-TARGET.tar.gz   the program, its manual pages and completions, the licences, a bill of
#                                     materials and the published tables; .zip for Windows
#   greenwave_VERSION_ARCH.deb        the static program for Debian and its kin, where dpkg-deb is installed
#   greenwave-VERSION-….whl           the Python package for the same targets, where Python 3 has venv
#   greenwave-VERSION-explorer.zip    the explorer as a folder of files, where Rust's target for it is installed
#   sbom.json                         all crates of all targets, as CycloneDX
#   SHA256SUMS
#
# The arguments are targets of Rust; without any, those below whose compilers are installed. One of them has to run
# here, since it writes the manual pages. The same commit and compilers
# give the same bytes: times come from the commit, and no path of this machine is in the files.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC

# What compiles the C parts and links. Static programs need no C library but the one that Rust brings, and the few
# functions that zstd and BLAKE3 ask of it are those of any other.
declare -A linkers=(
    [x86_64-unknown-linux-gnu]=x86_64-linux-gnu-gcc
    [x86_64-unknown-linux-musl]=x86_64-linux-gnu-gcc
    [aarch64-unknown-linux-gnu]=aarch64-linux-gnu-gcc
    [aarch64-unknown-linux-musl]=aarch64-linux-gnu-gcc
    [x86_64-pc-windows-gnu]=x86_64-w64-mingw32-gcc
)
order=(
    x86_64-unknown-linux-musl x86_64-unknown-linux-gnu aarch64-unknown-linux-musl aarch64-unknown-linux-gnu
    x86_64-pc-windows-gnu
)
targets=("$@")
for target in "$@"; do
    [ -n "${linkers[$target]:-}" ] ||
        { echo "found the target '$target', expected one of: ${order[*]}" >&2; exit 2; }
done
for target in "${order[@]}"; do
    [ $# -eq 0 ] || break
    if command -v "${linkers[$target]}" >/dev/null && [ -d "$(rustc --print target-libdir --target "$target")" ]; then
        targets+=("$target")
    else
        echo "left out: $target (needs ${linkers[$target]} and 'rustup target add $target')" >&2
    fi
done

# The wheels are linked by zig, so that they ask for an old glibc; pip brings it. Both versions are fixed, as they
# decide about bytes.
maturin=("maturin==1.16.0" "ziglang==0.15.2")

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
sources="/tmp/greenwave-$version"
if [ -e "$sources" ]; then
    echo "found '$sources', where the wheels are compiled, expected nothing; remove it: rm -r $sources" >&2
    exit 2
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out="$PWD/dist"
folder="${CARGO_TARGET_DIR:-$PWD/target}"
registry="${CARGO_HOME:-$HOME/.cargo}"
export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=$registry=cargo"
export CFLAGS="${CFLAGS:-} -ffile-prefix-map=$PWD=. -ffile-prefix-map=$registry=cargo"
rm -rf "$out"
mkdir -p "$out"

source packaging/smaller.sh
# The program for a target. Flags of C add up, so each build has a shell of its own.
build() (
    target=$1 compiler=${linkers[$1]}
    name=${target//-/_}
    export "CC_$name=$compiler" "CARGO_TARGET_${name^^}_LINKER=$compiler"
    # GCC would call functions of its library for glibc.
    case $target in *-musl) CFLAGS="$CFLAGS -U_FORTIFY_SOURCE" ;; esac
    case $target in aarch64-*-musl) CFLAGS="$CFLAGS -mno-outline-atomics" ;; esac
    case $target in
        "$(uname -m)"-unknown-linux-*) smaller --target "$target" ;;
        *) smaller --target "$target" -C "linker=$compiler" ;;
    esac
    # These are for ELF.
    case $target in *-windows-*) linked=() ;; esac
    cargo rustc --profile dist --locked --package greenwave --bin greenwave --target "$target" \
        -- ${linked[@]+"${linked[@]}"}
)

# Whether Python can make wheels here, with its tools in a virtual environment.
wheels() {
    python3 -c 'import ensurepip, venv' 2>/dev/null && python3 -m venv "$folder/maturin" &&
        "$folder/maturin/bin/pip" install --quiet --disable-pip-version-check "${maturin[@]}"
}

# The wheel for a target, one for all versions of Python from 3.9 on. The crates lie outside of the workspace of the
# package, so cargo knows them by their whole paths, and names in the code come from these: they are compiled in a copy
# at the same place everywhere.
wheel() (
    target=$1
    flags=(--zig)
    case $target in
        *-windows-*) flags=() CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=${linkers[$target]} ;;
        *-musl) flags+=(--compatibility musllinux_1_2) ;;
        *) flags+=(--compatibility manylinux_2_17) ;;
    esac
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER ZIG_GLOBAL_CACHE_DIR="$folder/zig"
    export PATH="$folder/maturin/bin:$PATH" CARGO_TARGET_DIR="$folder"
    export RUSTFLAGS="$RUSTFLAGS --remap-path-prefix=$sources=."
    export CFLAGS="$CFLAGS -ffile-prefix-map=$sources=."
    cd "$sources/python"
    maturin build --profile release --strip --locked --quiet --target "$target" "${flags[@]}" --out "$out"
)

program() {
    case $1 in
        *-windows-*) echo greenwave.exe ;;
        *) echo greenwave ;;
    esac
}

writer=
for target in "${targets[@]}"; do
    build "$target"
    made="$folder/$target/dist/$(program "$target")"
    case $target in "$(uname -m)"-unknown-linux-*) writer=${writer:-$made} ;; esac
done
[ -n "$writer" ] || { echo "found no target that runs here, expected one such as ${order[0]}" >&2; exit 2; }

# One time and one set of permissions for all files below a folder.
even() {
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    chmod -R u+rw,go+r-w,a+X "$1"
}

# The package of Debian: what install.sh installs, below /usr.
debian() {
    local target=$1 root="$out/debian" size shells
    local architecture=amd64
    [ "${target%%-*}" = x86_64 ] || architecture=arm64
    shells="$root/usr/share"
    mkdir -p "$root/DEBIAN" "$root/usr/bin" "$shells/man/man1" "$shells/doc/greenwave" \
        "$shells/bash-completion/completions" "$shells/zsh/vendor-completions" "$shells/fish/vendor_completions.d"
    install -m 755 "$folder/$target/dist/greenwave" "$root/usr/bin/greenwave"
    "$writer" man --out-dir "$shells/man/man1"
    gzip -9 -n "$shells/man/man1"/*
    "$writer" completions bash >"$shells/bash-completion/completions/greenwave"
    "$writer" completions zsh >"$shells/zsh/vendor-completions/_greenwave"
    "$writer" completions fish >"$shells/fish/vendor_completions.d/greenwave.fish"
    cp LICENSE-MIT LICENSE-APACHE "$shells/doc/greenwave/"
    gzip -9 -n <CHANGELOG.md >"$shells/doc/greenwave/changelog.gz"
    size=$(du -sk --apparent-size "$root/usr" | cut -f1)
    cat >"$root/DEBIAN/control" <<END
Package: greenwave
Version: $version
Architecture: $architecture
Maintainer: The Greenwave developers <greenwave@localhost>
Installed-Size: $size
Section: games
Priority: optional
Description: solves the Traffic Lights family of board games
 Tells for every position who wins, in how many plies, and what each move
 is worth; plays, makes puzzles, and shows all of it in a browser.
END
    even "$root"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/greenwave_${version}_$architecture.deb" >/dev/null
    rm -rf "$root"
}

for target in "${targets[@]}"; do
    name="greenwave-$version-$target"
    mkdir -p "$out/$name/man/man1" "$out/$name/completions"
    cp "$folder/$target/dist/$(program "$target")" README.md CHANGELOG.md CITATION.cff LICENSE-MIT LICENSE-APACHE \
        "$out/$name/"
    "$writer" man --out-dir "$out/$name/man/man1"
    for shell in bash zsh fish; do
        "$writer" completions "$shell" >"$out/$name/completions/greenwave.$shell"
    done
    git ls-files 'solutions/*.gwt' | while read -r table; do
        mkdir -p "$out/$name/$(dirname "$table")"
        cp "$table" "$out/$name/$table"
    done
    python3 packaging/sbom.py "$target" >"$out/$name/sbom.cdx.json"
    even "$out/$name"
    if [ "$(program "$target")" = greenwave.exe ]; then
        (cd "$out" && find "$name" | sort | zip -q -X -9 -@ "$name.zip")
    else
        tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
            -C "$out" -cf - "$name" | gzip -9 -n >"$out/$name.tar.gz"
    fi
    rm -rf "${out:?}/$name"
    case $target in
        *-musl) if command -v dpkg-deb >/dev/null; then debian "$target"; fi ;;
    esac
done

if wheels; then
    trap 'git worktree remove --force "$sources"' EXIT
    git worktree add --quiet --force --detach "$sources" HEAD
    for target in "${targets[@]}"; do wheel "$target"; done
else
    echo "left out: the wheels (need Python 3 with venv, and pip's index)" >&2
fi
if [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ]; then
    name="greenwave-$version-explorer"
    # RUSTFLAGS would take the place of the flags that the module needs.
    env -u RUSTFLAGS GREENWAVE_SITE_FLAGS="$RUSTFLAGS" packaging/site.sh "$out/$name"
    even "$out/$name"
    (cd "$out" && find "$name" | sort | zip -q -X -9 -@ "$name.zip")
    rm -rf "${out:?}/$name"
else
    echo "left out: the explorer as a folder (needs 'rustup target add wasm32-unknown-unknown')" >&2
fi
python3 packaging/sbom.py >"$out/sbom.json"
cd "$out"
shopt -s nullglob
sha256sum -- *.tar.gz *.zip *.deb *.whl sbom.json >SHA256SUMS
cat SHA256SUMS
