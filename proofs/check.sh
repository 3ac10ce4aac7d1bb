#!/usr/bin/env bash
# Has Rocq check every proof, and shows what each theorem rests on. Needs coqc 8.16 or newer (apt-get install coq).
# Exit 0: all theorems hold and rest on what they may; 1: one does not; 2: a tool is missing.
set -euo pipefail
cd "$(dirname "$0")"

refuse() { echo "proofs/check.sh: $*" >&2; exit 1; }

command -v coqc >/dev/null || { echo "proofs/check.sh: no coqc; install it (apt-get install coq ocaml-nox)" >&2; exit 2; }
make --silent --jobs=1 all

if grep -nE '^[[:space:]]*(Axiom|Parameter|Conjecture|Admitted|Unset)\b|\badmit\b' [A-Z]*.v; then
    refuse "these lines assume what they should prove"
fi

# Files whose theorems rest on no axiom at all, and files whose theorems may rest on Rocq's integers and arrays.
closed=(Basics Copying)
primitive=(Table Boards3x3 Boards3x4)
[ "$(printf '%s\n' Game Lists "${closed[@]}" "${primitive[@]}" | sort | sed 's/$/.v/')" = "$(ls [A-Z]*.v | grep -v '^Assumptions' | sort)" ] ||
    refuse "a file of proofs is in neither list"

theorems() { sed -n 's/^Theorem \([A-Za-z0-9_]*\).*/\1/p' "$1.v"; }

# Sentences for Rocq, one for each theorem of some files; @ stands for the theorem. The libraries stay closed, so that an
# axiom of theirs is shown with the name of its library.
ask() {
    local sentences=$1 file theorem
    shift
    {
        echo "From Coq Require Import List NArith."
        for file in Game Basics "$@"; do echo "From Greenwave Require Import $file."; done
        echo "Set Printing Width 118."
        for file in "$@"; do
            for theorem in $(theorems "$file"); do echo "${sentences//@/$theorem}"; done
        done
    } >Assumptions.v
    coqc -q -Q . Greenwave Assumptions.v
}

count=$(for file in "${closed[@]}"; do theorems "$file"; done | wc -l)
ask 'Check @. Print Assumptions @.' "${closed[@]}" | tee assumptions.txt
[ "$count" = "$(grep -c '^Closed under the global context$' assumptions.txt)" ] && ! grep -q '^Axioms:' assumptions.txt ||
    refuse "not all of the $count theorems above are closed under the global context"

boards=$(for file in "${primitive[@]}"; do theorems "$file"; done | wc -l)
echo
ask 'Check @.' "${primitive[@]}"
ask 'Print Assumptions @.' "${primitive[@]}" >assumptions.txt
[ "$boards" = "$(grep -cE '^(Axioms:|Closed under the global context)$' assumptions.txt)" ] ||
    refuse "the assumptions of $boards theorems were expected"
axioms=$(grep '^[^ ]' assumptions.txt | grep -vE '^(Axioms:|Closed under the global context)$' | sed 's/ .*//' | sort -u)
printf '\nWhat Print Assumptions names for these %s theorems, and nothing else:\n%s\n' "$boards" "$(fmt -w 116 <<<"$axioms")"
foreign=$(grep -vE '^(PrimInt63|Uint63|PArray)\.' <<<"$axioms" || true)
[ -z "$foreign" ] || refuse "axioms that are not of primitive integers and arrays: $foreign"

echo
echo "$count theorems closed under the global context; $boards on primitive integers and arrays"
