# To be sourced. `smaller` sets `linked` to flags with which the linker makes a smaller program, those of them
# that this machine's can do, and its loader: places to be adjusted at the start as a bitmap (glibc 2.36 or
# later), functions of the same code once. Its arguments are flags of rustc, for programs that do not run here.
# It also leaves those searches of zstd out that the one level of tables never takes, which changes no file.
smaller() {
    local empty flag search
    for search in GREEDY LAZY LAZY2 BTLAZY2 BTOPT BTULTRA; do
        CFLAGS="${CFLAGS:-} -DZSTD_EXCLUDE_${search}_BLOCK_COMPRESSOR"
    done
    export CFLAGS
    linked=()
    empty=$(mktemp -d)
    for flag in -z,pack-relative-relocs --icf=all; do
        if echo 'fn main() {}' |
            rustc "$@" -C "link-arg=-Wl,$flag" -o "$empty/program" - >/dev/null 2>&1 &&
            { [ $# -gt 0 ] || "$empty/program"; }; then
            linked+=(-C "link-arg=-Wl,$flag")
        fi
    done
    rm -rf "$empty"
}
