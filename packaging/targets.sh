#!/usr/bin/env bash
# Builds the program for other machines and tries it as far as it can be run here. The arguments are targets of Rust;
# without any, all of these:
#
#   x86_64-unknown-linux-musl    static; run here, and by qemu as a processor without AVX2
#   x86_64-pc-windows-gnu        cross-built by mingw, run by wine
#   aarch64-unknown-linux-gnu    cross-built by GCC, run by qemu; the tests of the NEON kernels, too
#   aarch64-unknown-linux-musl   the same, static
#   aarch64-apple-darwin         checked with the C parts, which zig compiles (pip install ziglang); nothing is run
#   x86_64-apple-darwin          the same
#
# The builds are quick ones, not to be shipped. With GREENWAVE_ARCHIVES=FOLDER the programs are those of the archives
# that release.sh has left there, so that what is tried is what is shipped.
#
# Root gets what is missing by apt-get. A table of Markdown says what was built and tried; the exit code is 1 if
# something failed. A target whose tools are missing is left out, with a line that says so.
set -euo pipefail
cd "$(dirname "$0")/.."

all=(
    x86_64-unknown-linux-musl x86_64-pc-windows-gnu aarch64-unknown-linux-gnu aarch64-unknown-linux-musl
    aarch64-apple-darwin x86_64-apple-darwin
)
[ $# -gt 0 ] || set -- "${all[@]}"
folder="${CARGO_TARGET_DIR:-$PWD/target}"
archives="${GREENWAVE_ARCHIVES:-}"
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

# The program of the target, whose path is then in `made`. Warnings are errors, as where all tests run.
build() {
    local said archive
    if [ -n "$archives" ]; then
        made="$folder/archives/$target"
        rm -rf "$made"
        mkdir -p "$made"
        archive=$(ls "$archives"/greenwave-*-"$target".* 2>/dev/null) || {
            echo "| archive | FAILED | | found none for $target in $archives |"
            return 1
        }
        case $archive in
            *.zip) python3 -m zipfile -e "$archive" "$made" ;;
            *) tar -xzf "$archive" -C "$made" ;;
        esac
        made=$(echo "$made"/greenwave-*/"$program")
        ls -l "$archive" "$made" |
            awk '{ size[NR] = $5 / 1e6 }
                END { printf "| archive | ok | | %.1f MB, the program %.1f MB |\n", size[1], size[2] }'
        return 0
    fi
    made="$folder/$target/quick/$program"
    said=$(mktemp)
    if ! cargo build --profile quick --quiet --locked --package greenwave --bin greenwave "${features[@]}" \
        --target "$target" 2>"$said" || grep -q '^warning' "$said"; then
        cat "$said" >&2
        rm "$said"
        echo "| build | FAILED | | |"
        return 1
    fi
    rm "$said"
    ls -l "$made" |
        awk '{ printf "| build | ok | | %.1f MB, not optimised |\n", $5 / 1e6 }'
}

suite() {
    python3 packaging/suite.py "$@"
}

# Wine of Debian 12 lacks a library with one function that the standard library asks for random numbers.
random_numbers() {
    local place
    place=$(dirname "$made")
    cat >"$place/bcryptprimitives.c" <<'END'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) {
    return RtlGenRandom(to, length);
}
END
    x86_64-w64-mingw32-gcc -shared -o "$place/bcryptprimitives.dll" "$place/bcryptprimitives.c" -ladvapi32
}

windows() {
    library && need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 && need /usr/lib/wine/wine64 wine64 || return 0
    build && random_numbers || return 1
    export WINEPREFIX="$folder/wine" WINEDEBUG=-all WINEDLLOVERRIDES="bcryptprimitives=n;mscoree=d;mshtml=d"
    suite /usr/lib/wine/wine64 "$made"
}

# A static program of x86-64, as this machine's processor and as one of 2006.
static() {
    library && need cc gcc libc6-dev || return 0
    export CC_x86_64_unknown_linux_musl=cc CFLAGS=-U_FORTIFY_SOURCE
    build && alone && suite "$made" || return 1
    need qemu-x86_64-static qemu-user-static || return 0
    printf '\nAs a processor without AVX2:\n\n| part | | time | |\n| --- | --- | --- | --- |\n'
    suite qemu-x86_64-static -cpu core2duo "$made"
}

# That a program needs no library and no loader.
alone() {
    if readelf --program-headers "$made" | grep -q INTERP; then
        echo "| static | FAILED | | it asks for a loader |"
        return 1
    fi
}

arm() {
    local compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64-static name=${target//-/_}
    library && need "$compiler" gcc-aarch64-linux-gnu libc6-dev-arm64-cross &&
        need "$emulator" qemu-user-static || return 0
    export "CC_$name=$compiler" "CARGO_TARGET_${name^^}_LINKER=$compiler"
    export "CARGO_TARGET_${name^^}_RUNNER=$emulator -L /usr/aarch64-linux-gnu"
    # With settings of the allocator the server does not begin anew, which an emulated process cannot.
    export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu GLIBC_TUNABLES=glibc.malloc.arena_max=2
    case $target in
        *-musl)
            # GCC would call functions of its library for glibc.
            export CFLAGS="-mno-outline-atomics -U_FORTIFY_SOURCE"
            build && alone && suite "$emulator" "$made"
            return
            ;;
    esac
    build && suite "$emulator" "$made" || return 1
    [ -z "$archives" ] || return 0
    echo "The kernels for NEON against plain words:"
    cargo test --quiet --profile quick --locked --package greenwave-sweep --lib --target "$target" -- \
        neon:: small_boards_have_the_values_of_the_plain_engine small_boards_are_solved_alike
}

# Neither Apple's linker nor its libraries are here, so the program is checked and not linked; zig has the headers
# that the C code of zstd and BLAKE3 needs.
apple() {
    local zig processor="${target%%-*}" name=${target//-/_}
    library || return 0
    zig=$(command -v zig || python3 -c 'import os, ziglang
print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))' 2>/dev/null) || {
        echo "left out: $target needs zig (pip install ziglang)"
        return 0
    }
    mkdir -p "$folder/apple"
    # The names of targets, processors and systems are Apple's own, which zig does not take.
    cat >"$folder/apple/$processor-cc" <<END
#!/usr/bin/env bash
flags=()
while [ \$# -gt 0 ]; do
    case \$1 in
        --target=* | -mmacosx-version-min=*) ;;
        -arch | -isysroot) shift ;;
        *) flags+=("\$1") ;;
    esac
    shift
done
exec "$zig" cc -target $processor-macos "\${flags[@]}"
END
    printf '#!/usr/bin/env bash\nexec "%s" ar "$@"\n' "$zig" >"$folder/apple/ar"
    chmod +x "$folder/apple/$processor-cc" "$folder/apple/ar"
    export "CC_$name=$folder/apple/$processor-cc" "AR_$name=$folder/apple/ar" SDKROOT=/
    export ZIG_GLOBAL_CACHE_DIR="$folder/apple/cache" ZIG_LOCAL_CACHE_DIR="$folder/apple/cache"
    RUSTFLAGS="-D warnings" cargo check --profile quick --quiet --locked --package greenwave --target "$target" || {
        echo "| check | FAILED | | |"
        return 1
    }
    echo "| check | ok | | the whole program; $(find "$folder/$target/quick/build" -name '*.a' | wc -l) libraries of C |"
}

for target; do
    printf '\n%s\n\n| part | | time | |\n| --- | --- | --- | --- |\n' "$target"
    program=greenwave
    case $target in
        *-windows-*) kind=windows program=greenwave.exe ;;
        aarch64-*-linux-*) kind=arm ;;
        x86_64-*-linux-musl) kind=static ;;
        *-apple-darwin) kind=apple ;;
        *)
            echo "found the target '$target', expected one of: ${all[*]}" >&2
            exit 2
            ;;
    esac
    ("$kind") || failed=1
done
exit "$failed"
