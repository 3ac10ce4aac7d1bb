#!/usr/bin/env bash
# Tries a way to install Greenwave on a bare system: FOLDER is a root folder that debootstrap made. Apt installs the
# packages that the way needs, then a user without rights follows docs/start.md. Prints what is typed and answered. For
# root, on Debian's kernel or another Linux.
#
#   debootstrap --variant=minbase bookworm FOLDER
#   packaging/bare.sh FOLDER archive dist/greenwave-VERSION-x86_64-unknown-linux-musl.tar.gz
#   packaging/bare.sh FOLDER debian dist/greenwave_VERSION_amd64.deb
#   packaging/bare.sh FOLDER wheel dist/greenwave-VERSION-cp39-abi3-….whl
#   packaging/bare.sh FOLDER cargo
#
# For `cargo`, the compiler and the crates are those of this machine, which nothing but the build then uses.
set -euo pipefail
usage() { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
root=$(realpath "$1") way=$2 file=${3:-}
home=$root/home/somebody
umount_all() {
    for place in "$root"/opt/rustup "$root"/opt/cargo "$root"/proc; do umount "$place" 2>/dev/null || true; done
}
trap umount_all EXIT
umount_all
rm -rf "$home"
mkdir -p "$home" "$root/proc"
mount -t proc proc "$root/proc"

# inside USER COMMANDS: what a shell in the home folder answers to each line, after the line itself.
inside() {
    chroot --userspec="$1" "$root" /usr/bin/env -i PATH=/opt/rust:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/somebody \
        LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -c '
            cd
            while read -r line; do
                printf "%s %s\n" "$" "$line"
                eval "$line" </dev/null || exit
            done <<<"$1"' sh "$2" 2>&1
}
packages() {
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
    echo "# apt-get install --no-install-recommends $*"
}
questions='greenwave --version
greenwave query classic-3x3 ..G/.R./Y.. | head -20
greenwave solve classic-3x4 --metric value
printf "b2\nquit\n" | greenwave play classic-3x3 --seed 1 | tail -12'

[ "$way" = cargo ] || cp "${file:?}" "$home/"
name=$(basename "$file")
chown -R 65534:65534 "$home"
nobody=65534:65534
case $way in
    archive)
        inside $nobody "tar -xzf $name
cd ${name%.tar.gz}
export PATH=\"\$PWD:\$PATH\"
$questions
greenwave verify solutions/classic-3x3/distance.gwt"
        ;;
    debian)
        inside 0:0 "dpkg -i $name"
        inside $nobody "$questions"
        inside 0:0 "dpkg -r greenwave"
        ;;
    wheel)
        packages python3-venv
        inside $nobody "python3 --version
python3 -m venv venv
venv/bin/pip install --no-index ./$name
venv/bin/python -c \"import greenwave; print(greenwave.__version__, greenwave.query('classic-3x3', '..G/.R./Y..')['best'])\""
        ;;
    cargo)
        packages gcc libc6-dev time
        mkdir -p "$root/opt/rustup" "$root/opt/cargo" "$root/opt/rust"
        mount --bind "$(dirname "$(dirname "$(rustc --print sysroot)")")" "$root/opt/rustup"
        mount --bind "${CARGO_HOME:-$HOME/.cargo}/registry" "$root/opt/cargo"
        ln -sf "/opt/rustup/toolchains/$(basename "$(rustc --print sysroot)")/bin/"{cargo,rustc} "$root/opt/rust/"
        git clone --quiet --depth 1 "file://$(git -C "$(dirname "$0")" rev-parse --show-toplevel)" "$home/greenwave"
        mkdir -p "$home/.cargo"
        ln -s /opt/cargo "$home/.cargo/registry"
        chown -R 65534:65534 "$home"
        inside $nobody "cd greenwave
/usr/bin/time -f '%U s of CPU, %e s on the clock' cargo install --quiet --offline --locked --path crates/cli
export PATH=\"\$HOME/.cargo/bin:\$PATH\"
$questions"
        ;;
    *) usage ;;
esac
