# To be sourced. `smaller` sets `linked` to flags with which the linker makes a smaller program, those of them
# that this machine's can do, and its loader: places to be adjusted at the start as a bitmap (glibc 2.36 or
# later), functions of the same code once. Its arguments are flags of rustc, for programs that do not run here.
smaller() {
    local empty flag
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
