# For other scripts to source. `smaller` sets `linked` to the flags for a smaller program that the linker and the
# loader of this machine know. They choose the linker that comes with Rust, store the places that the start adjusts
# as a bitmap (glibc 2.36 or musl 1.2.4, or later), and store functions of the same code once. The arguments are
# flags of rustc, for programs that do not run here.
# It also leaves those searches of zstd out that the one level of tables never takes, which changes no file.
smaller() {
    local empty flags search own
    for search in GREEDY LAZY LAZY2 BTLAZY2 BTOPT BTULTRA; do
        CFLAGS="${CFLAGS:-} -DZSTD_EXCLUDE_${search}_BLOCK_COMPRESSOR"
    done
    export CFLAGS
    linked=()
    empty=$(mktemp -d)
    own="$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/gcc-ld"
    for flags in "-C link-arg=-B$own -C link-arg=-fuse-ld=lld" "-C link-arg=-Wl,-z,pack-relative-relocs" \
        "-C link-arg=-Wl,--icf=all"; do
        if echo 'fn main() {}' |
            rustc "$@" ${linked[@]+"${linked[@]}"} $flags -o "$empty/program" - >/dev/null 2>&1 &&
            { [ $# -gt 0 ] || "$empty/program"; }; then
            linked+=($flags)
        fi
    done
    rm -rf "$empty"
}
