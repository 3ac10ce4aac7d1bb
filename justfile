# Every recipe is one plain command: `just --show RECIPE` prints it, and nobody needs just.

# What can be done here
default:
    @just --list --unsorted

# All tests but the slow ones
test:
    cargo test --workspace

# All tests, the slow ones included
test-slow:
    cargo test --workspace --release --features greenwave-testkit/slow-tests,greenwave-sweep/slow-tests,greenwave-solver/slow-tests,greenwave/slow-tests
    cargo test --workspace --release --features greenwave-campaigns/slow-tests --manifest-path research/Cargo.toml --target-dir target

# The book of results against its data, and short campaigns; the workspace of research/, which CI tests, too
test-research:
    cargo test --workspace --manifest-path research/Cargo.toml --target-dir target

# Pages in a real browser; needs chromium and chromedriver, or with GREENWAVE_BROWSER=firefox Firefox and geckodriver. Pictures of them are left in target/screenshots
test-browser:
    GREENWAVE_SCREENSHOTS="$PWD/target/screenshots" cargo test --workspace --features greenwave-web/browser --test browser

# Random rules, cone sweeps, faults at every file call, damaged files, hostile texts, refused and little memory, and kills, for some seconds; names of campaigns may follow
campaign seconds="600" seed="1" *names:
    cargo build --release --package greenwave && cargo campaign target/release/greenwave {{seconds}} {{seed}} {{names}}

# Miri over the parsers of tables and the safe twin of pext; needs a nightly toolchain with miri and rust-src
miri:
    MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --package greenwave-table --lib -- meta:: header:: layout:: leaf:: directory:: frame:: hash::
    MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --package greenwave-sweep --lib -- bits::pext::

# The wheel of the Python package and its tests, in a virtual environment of their own
test-python:
    python/check.sh

# Tables, results, claims, puzzles and certificates as a folder that can be deposited, verified; into dist/dataset
dataset:
    python/dataset.sh

# Formatting and lints, warnings refused
lint:
    cargo fmt --all --check && cargo clippy --workspace --all-targets -- -D warnings
    cargo fmt --all --check --manifest-path research/Cargo.toml && cargo clippy --workspace --all-targets --manifest-path research/Cargo.toml --target-dir target -- -D warnings

# The documentation of the libraries, warnings refused
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Solve the usual variants and time it
bench:
    cargo run --release -- bench

# Solve the published variants again and compare
solutions:
    cargo test --release --package greenwave --features slow-tests --test all solutions::

# Solve the published variants again and write what comes out, with the tables and the picture of the pages
solutions-write:
    GREENWAVE_BLESS=1 cargo test --release --package greenwave --features slow-tests --test all solutions::

# Solve all boards of the atlas, confirm them, and write what comes out: six hours of CPU, 12 GiB of memory, 60 GiB for waves in TMPDIR; GREENWAVE_ATLAS=classic-4x5 makes that board alone
atlas:
    GREENWAVE_BLESS=1 cargo test --release --package greenwave --features slow-tests --test all atlas::

# Work out every fact of the book of results and make its pages of them
discoveries:
    cargo discoveries

# The article as a PDF, target/article.pdf; needs pandoc and chromium
article:
    packaging/article.sh

# Write the real output of the examples into README, guides and reference
examples-write:
    GREENWAVE_BLESS=1 cargo test --release --package greenwave --test all readme::examples

# Draw the pictures of the README
picture-write:
    GREENWAVE_BLESS=1 cargo test --release --package greenwave --test all draw::the_picture

# Take the pictures of the explorer, docs/explorer.png and docs/explorer-phone.png; needs chromium
explorer-picture:
    cargo build --release && packaging/explorer-pictures.py

# Take pictures of every kind of page, in every width, scheme and language, to look through; needs chromium
explorer-looks FOLDER="target/looks":
    cargo build --release && packaging/explorer-pictures.py --all {{FOLDER}}

# Write the page of commands from what the program takes
commands-write:
    GREENWAVE_BLESS=1 cargo test --package greenwave --bins page_of_commands

# Write the JSON Schema of the documents, out of their types, and the pages that list their fields
schemas-write:
    GREENWAVE_BLESS=1 cargo test --package greenwave --bins commands::tests::

# Write what the commands really print into the snapshots
snapshots-write:
    GREENWAVE_BLESS=1 cargo test --package greenwave --test all snapshots::

# Search the two families of docs/which-game.md and write what comes out: some minutes
designs:
    cargo run --release -- design docs/families/three.toml --csv --quiet > docs/families/three.csv
    cargo run --release -- design docs/families/four.toml --csv --quiet > docs/families/four.csv
    python3 research/measures/which_game.py

# Settle all built-in claims, write the page of results and what the explorer says of each
claims:
    cargo run --release -- check --markdown --quiet > docs/claims.md
    awk -F'[*][*]' '/^## Claim /{split($0, title, " ")} /^[*][*]/{print title[3] "\t" $2}' docs/claims.md > crates/judge/verdicts.tsv

# Make the published certificates again and write them
certificates-write:
    GREENWAVE_BLESS=1 cargo test --release --package greenwave --features slow-tests --test all certify::

# The signatures that changes of game, table or solver must keep
signature:
    cargo run --release -- bench --json classic-3x3 classic-3x4 points-3x4

# Build for speed and install with manual pages and completions, below PREFIX if it is set
install:
    packaging/install.sh

# The archives of a release, with checksums and a bill of materials, into dist/
release:
    packaging/release.sh

# The explorer as a folder of static files, with the solver in WebAssembly; into target/explorer
site:
    packaging/site.sh

# Have Rocq check the proofs, and show what each theorem rests on; needs coq and ocaml-nox
proofs:
    proofs/check.sh

# What the published crates offer to others, against the lists in packaging/api; api-write writes these anew
api:
    cargo doc --workspace --no-deps && packaging/api.py

api-write:
    cargo doc --workspace --no-deps && packaging/api.py --write

# The program for other machines, tried as far as it can be run here
targets:
    packaging/targets.sh

# What cargo would publish, built from the packages alone
publish-dry-run:
    cargo publish --dry-run --workspace

# The book, and the tests of its code; needs mdbook
book:
    mdbook build docs && mdbook test docs

# Checks everything before a merge
ci:
    .ci/run
