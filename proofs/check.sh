#!/usr/bin/env bash
# Has Rocq check every proof, and shows what each theorem rests on. Needs coqc 8.16 or newer (apt-get install coq).
# Exit 0: all theorems hold and rest on what they may; 1: one does not; 2: a tool is missing.
set -euo pipefail
cd "$(dirname "$0")"

command -v coqc >/dev/null || { echo "proofs/check.sh: no coqc; install it (apt-get install coq ocaml-nox)" >&2; exit 2; }
make --silent --jobs=1 all

# Every theorem of these files must be closed: no axiom at all.
closed=(Basics Copying)
theorems() { sed -n 's/^Theorem \([A-Za-z0-9_]*\).*/\1/p' "$1.v"; }

{
    for file in Game "${closed[@]}"; do echo "From Greenwave Require Import $file."; done
    for file in "${closed[@]}"; do
        for theorem in $(theorems "$file"); do
            echo "Check $theorem. Print Assumptions $theorem."
        done
    done
} >Assumptions.v
coqc -q -Q . Greenwave Assumptions.v >assumptions.txt
cat assumptions.txt

count=$(for file in "${closed[@]}"; do theorems "$file"; done | wc -l)
found=$(grep -c '^Closed under the global context$' assumptions.txt)
if [ "$count" != "$found" ] || grep -q '^Axioms:' assumptions.txt; then
    echo "proofs/check.sh: $found of $count theorems are closed under the global context; all must be" >&2
    exit 1
fi
if grep -nE '^[[:space:]]*(Axiom|Parameter|Conjecture|Admitted|admit)\b' ./*.v; then
    echo "proofs/check.sh: these lines assume what they should prove" >&2
    exit 1
fi
echo "$count theorems, all closed under the global context"
