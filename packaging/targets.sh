#!/usr/bin/env bash
# Builds the program for other machines, quickly and not to be shipped, and tries it as far as it can be run here.
# The arguments are targets of Rust; without any, all of these:
#
#   x86_64-pc-windows-gnu        cross-built by mingw, run by wine
#   aarch64-unknown-linux-gnu    cross-built by GCC, run by qemu; the tests of the NEON kernels, too
#
# Root gets what is missing by apt-get. A table of Markdown says what was built and tried; the exit code is 1 if
# something failed. A target whose tools are missing is left out, with a line that says so.
set -euo pipefail
cd "$(dirname "$0")/.."

all=(x86_64-pc-windows-gnu aarch64-unknown-linux-gnu)
[ $# -gt 0 ] || set -- "${all[@]}"
folder="${CARGO_TARGET_DIR:-$PWD/target}"
# Pictures as PNG are left out: drawing is the same code everywhere.
features=(--no-default-features --features serve)
failed=0

# Packages of Debian that have a command or a file, where it is missing.
need() {
    local what=$1
    shift
    command -v "$what" >/dev/null && return 0
    [ -e "$what" ] && return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends "$@" >/dev/null && return 0
    fi
    echo "left out: $target needs $what (apt-get install $*)"
    return 1
}

# The standard library of a target.
library() {
    [ -d "$(rustc --print target-libdir --target "$target")" ] && return 0
    command -v rustup >/dev/null && rustup target add "$target" >&2 && return 0
    echo "left out: $target is not installed (rustup target add $target)"
    return 1
}

# Warnings are errors, as on the machines that all tests run on.
build() {
    local said
    said=$(mktemp)
    if ! cargo build --profile quick --quiet --locked --package greenwave --bin greenwave "${features[@]}" \
        --target "$target" 2>"$said" || grep -q '^warning' "$said"; then
        cat "$said" >&2
        rm "$said"
        echo "| build | FAILED | | |"
        return 1
    fi
    rm "$said"
    ls -l "$folder/$target/quick/$program" |
        awk '{ printf "| build | ok | | %.1f MB, not optimised |\n", $5 / 1e6 }'
}

suite() {
    python3 packaging/suite.py "$@"
}

# Wine of Debian 12 lacks a library with one function that the standard library asks for random numbers.
random_numbers() {
    cat >"$folder/$target/quick/bcryptprimitives.c" <<'END'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) {
    return RtlGenRandom(to, length);
}
END
    x86_64-w64-mingw32-gcc -shared -o "$folder/$target/quick/bcryptprimitives.dll" \
        "$folder/$target/quick/bcryptprimitives.c" -ladvapi32
}

windows() {
    library && need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 && need /usr/lib/wine/wine64 wine64 || return 0
    build && random_numbers || return 1
    export WINEPREFIX="$folder/wine" WINEDEBUG=-all WINEDLLOVERRIDES="bcryptprimitives=n;mscoree=d;mshtml=d"
    suite /usr/lib/wine/wine64 "$folder/$target/quick/$program"
}

arm() {
    local compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64-static
    library && need "$compiler" gcc-aarch64-linux-gnu libc6-dev-arm64-cross &&
        need "$emulator" qemu-user-static || return 0
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=$compiler
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$emulator -L /usr/aarch64-linux-gnu"
    export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
    # With settings of the allocator the server does not begin anew, which an emulated process cannot.
    export GLIBC_TUNABLES=glibc.malloc.arena_max=2
    build && suite "$emulator" "$folder/$target/quick/$program" || return 1
    echo "The kernels for NEON against plain words:"
    cargo test --quiet --profile quick --locked --package greenwave-solver --lib --target "$target" -- \
        neon:: small_boards_have_the_values_of_the_plain_engine small_boards_are_solved_alike
}

for target; do
    printf '\n%s\n\n| part | | time | |\n| --- | --- | --- | --- |\n' "$target"
    program=greenwave
    case $target in
        *-windows-*) kind=windows program=greenwave.exe ;;
        aarch64-*-linux-gnu) kind=arm ;;
        *)
            echo "found the target '$target', expected one of: ${all[*]}" >&2
            exit 2
            ;;
    esac
    ("$kind") || failed=1
done
exit "$failed"
