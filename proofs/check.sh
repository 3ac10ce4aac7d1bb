#!/usr/bin/env bash
# Has Rocq check every proof, and shows what each theorem rests on. Needs coqc 8.16 or newer (apt-get install coq).
# Exit 0: all theorems hold and rest on what they may; 1: one does not; 2: a tool is missing.
set -euo pipefail
cd "$(dirname "$0")"

refuse() { echo "proofs/check.sh: $*" >&2; exit 1; }

for tool in coqc ocamlopt make; do
    command -v "$tool" >/dev/null ||
        { echo "proofs/check.sh: no $tool; install it (apt-get install coq ocaml-nox make)" >&2; exit 2; }
done
make --silent --jobs=1 all

if grep -nE '^[[:space:]]*(Axiom|Parameter|Conjecture|Admitted|Unset)\b|\badmit\b' [A-Z]*.v; then
    refuse "these lines assume what they should prove"
fi

# Files whose theorems rest on no axiom at all, and files whose theorems may rest on Rocq's integers and arrays.
closed=(Basics Copying Certificate CertificateFile Certified)
primitive=(Table Boards3x3 Boards3x4)
others=(Game Lists CertificateNoughts Extract Texts)
[ "$(printf '%s.v\n' "${others[@]}" "${closed[@]}" "${primitive[@]}" | sort)" = "$(ls [A-Z]*.v | grep -v '^Assumptions' | sort)" ] ||
    refuse "a file of proofs is in none of the lists"

for file in "${others[@]}"; do
    ! grep -q '^Theorem' "$file.v" || refuse "$file.v has a theorem and is in neither list"
done

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
# All of them at once: each by itself would go through the same libraries again.
{
    for file in "${primitive[@]}"; do echo "From Greenwave Require Import $file."; done
    printf 'Definition together := ('
    for file in "${primitive[@]}"; do printf '@%s, ' $(theorems "$file"); done
    printf 'tt).\nPrint Assumptions together.\n'
} >Assumptions.v
coqc -q -Q . Greenwave Assumptions.v >assumptions.txt
grep -q '^Axioms:$' assumptions.txt || refuse "the assumptions of $boards theorems were expected"
axioms=$(grep '^[^ ]' assumptions.txt | grep -vE '^(Axioms:|Closed under the global context)$' | sed 's/ .*//' | sort -u)
printf '\nWhat Print Assumptions names for these %s theorems together, and nothing else:\n%s\n' "$boards" "$(fmt -w 116 <<<"$axioms")"
foreign=$(grep -vE '^(PrimInt63|Uint63|PArray)\.' <<<"$axioms" || true)
[ -z "$foreign" ] || refuse "axioms that are not of primitive integers and arrays: $foreign"

# The checker as a program, on the published certificates.
echo
./check_certificate ../solutions/{classic-3x3,signal-3x3,green-3x3,classic-3x4,noughts-3x4}/certificate.txt \
    ../solutions/noughts-3x3/certificate-{first,second}.txt
if command -v zstd >/dev/null; then
    zstd -dc ../solutions/classic-4x4/certificate.txt.zst | ./check_certificate -
else
    echo "left out: zstd is not installed, so classic-4x4 is not checked"
fi

# What it has to refuse: a text on standard input, with an exit code.
refused() {
    local code=0 said
    said=$(./check_certificate - 2>&1) || code=$?
    [ "$code" = "$1" ] || refuse "$2: exit $code, expected $1: $said"
    printf 'refused, %s: %s\n' "$2" "${said:0:160}"
}
# Another legal reply in one line: the first empty square that is not the reply is lit.
changed() {
    awk -v number="$1" 'NR != number { print; next }
    { ranks = split($1, rows, "/")
      for (r = 1; r <= ranks; r++) for (f = 1; f <= length(rows[1]); f++) {
          square = sprintf("%c%d", 96 + f, ranks - r + 1)
          if (substr(rows[r], f, 1) == "." && index($2, square) != 1) { print $1 " " square "R"; next } } }' "$2"
}
small=../solutions/classic-3x3/certificate.txt large=../solutions/classic-3x4/certificate.txt
changed 17 "$small" | refused 1 "one reply of classic-3x3 changed"
changed 100 "$large" | refused 1 "one reply of classic-3x4 changed"
sed '$d; s/^positions 16$/positions 15/' "$small" | refused 1 "a reply left out"
sed 's/^winner first/winner second/' "$small" | refused 1 "the other player"
head -c 300 "$small" | refused 2 "cut off"
tr 'b' 'z' <"$small" | refused 2 "damaged"
sed 's/^pattern 222$/pattern 221/' "$small" | refused 2 "other rules"
sed 's/^variant .*/variant slider/' "$small" | refused 2 "another game"
sed 's/^variant .*/variant classic-10000x10000/' "$small" | refused 2 "10⁸ squares"
head -c 100000 /bin/sh | refused 2 "foreign"
refused 2 "empty" </dev/null
# The checker stops reading before the end.
{ head -c 150000000 /dev/zero || true; } 2>/dev/null | refused 2 "huge"

echo
echo "$count theorems closed under the global context; $boards on primitive integers and arrays"
