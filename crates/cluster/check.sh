#!/usr/bin/env bash
# The tests of ranks that MPI starts: the program, built with Open MPI, on 1, 2 and 4 ranks against
# 'greenwave solve', and what becomes of ranks that fail. Installs Open MPI and libclang where the system
# lets that be done, and says so where it cannot.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec </dev/null

installed() {
    command -v mpirun >/dev/null && command -v mpicc >/dev/null &&
        [ -n "$(find /usr/lib /usr/lib64 -name 'libclang*.so*' -print -quit 2>/dev/null)" ]
}
if ! installed && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    timeout 120 apt-get update -qq &&
        timeout 240 apt-get install -y -qq openmpi-bin libopenmpi-dev libclang-dev >/dev/null || true
fi
if ! installed; then
    echo "left out: Open MPI is not installed (apt-get install openmpi-bin libopenmpi-dev libclang-dev)"
    exit 0
fi

# Of the workspace, and with an example, which has cargo take the features of the tests: so hardly anything is built
# again.
timeout 900 cargo build --workspace --features greenwave-cluster/mpi --example best_move \
    --bin greenwave --bin greenwave-cluster
greenwave=$PWD/target/debug/greenwave
cluster=$PWD/target/debug/greenwave-cluster
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The same machine many times over, which it would refuse.
flags=(--oversubscribe --bind-to none)
[ "$(id -u)" = 0 ] && flags+=(--allow-run-as-root)
ranks() { timeout 300 mpirun "${flags[@]}" -n "$@"; }

failed() {
    echo "$1" >&2
    cat "$work/told" >&2
    exit 1
}

# What must be the same: all but times, memory and threads.
same() {
    python3 -c '
import json, sys
document = json.load(sys.stdin)
for field in ("seconds", "positions_per_second", "peak_memory_bytes", "threads", "kernel"):
    document.pop(field)
print(json.dumps(document, sort_keys=True))'
}

compare() {
    local variant=$1 metric=$2
    shift 2
    "$greenwave" solve "$variant" --metric "$metric" --no-table --json --quiet --dir "$work" | same >"$work/alone"
    for n in "$@"; do
        ranks "$n" "$cluster" solve "$variant" --metric "$metric" --threads 1 --no-table --json --quiet \
            2>"$work/told" | same >"$work/shared"
        cmp "$work/alone" "$work/shared" || failed "$variant for $metric on $n ranks is not as on one machine"
        echo "$variant for $metric on $n ranks: as on one machine"
    done
}

compare classic-3x4 value 1 2 3 4 7
compare signal-3x4 distance 2 4
compare classic-4x4 value 1 2 4

# Tables: one of leaves, which the first rank writes, and one of families, which all make.
printf 'patterns = ["111"]\n[board]\nsize = "4x6"\nlevels = 1\n' >"$work/thin.toml"
for variant in classic-3x4 "$work/thin.toml"; do
    "$greenwave" solve "$variant" --metric value --quiet --dir "$work/alone.tables" >/dev/null
    for n in 1 2 3; do
        ranks "$n" "$cluster" solve "$variant" --threads 1 --quiet --dir "$work/tables.$n" >/dev/null 2>"$work/told"
    done
    for file in $(cd "$work/alone.tables" && find . -name '*.gwt'); do
        for n in 1 2 3; do
            cmp "$work/alone.tables/$file" "$work/tables.$n/$file" ||
                failed "the table $file by $n ranks is not that of one machine"
        done
    done
    echo "the table of $(basename "$variant") by 1, 2 and 3 ranks: as on one machine"
done

# One error from one rank, and 2.
refused() {
    local says=$1 code=0
    shift
    ranks 3 "$cluster" "$@" >"$work/out" 2>"$work/told" || code=$?
    if [ "$code" != 2 ] || [ -s "$work/out" ] || [ "$(grep -c '^error:' "$work/told")" != 1 ] ||
        ! grep -q "^error:.*$says" "$work/told"; then
        failed "'$*' ended with $code, expected 2 and one error that says '$says'"
    fi
    echo "'$*': one error, exit 2"
}
refused 'has no sweep' solve points-3x3 --no-table
refused 'leave out --ranks' solve classic-3x3 --no-table --ranks 2
refused 'may use 16' solve classic-4x5 --no-table --memory 16M

# A rank that is killed ends the job.
timeout 300 mpirun "${flags[@]}" -n 3 "$cluster" solve classic-4x5 --no-table --kernel portable --threads 1 \
    >"$work/out" 2>"$work/told" &
job=$!
rank=
for _ in $(seq 100); do
    sleep 0.2
    mpirun=$(pgrep -P "$job" || true)
    rank=$(pgrep -P "${mpirun:-$job}" -f "$cluster" | head -n 1 || true)
    [ -n "$rank" ] && break
done
sleep 2
begun=$SECONDS
kill -KILL "$rank"
code=0
wait "$job" || code=$?
took=$((SECONDS - begun))
if [ "$code" = 0 ] || [ "$code" = 124 ] || ! grep -q 'signal 9' "$work/told"; then
    failed "a rank was killed: exit $code after $took s, expected that the job ends"
fi
echo "a rank that is killed: the job ends with $code after $took s"
echo "ranks that MPI starts: all good"
