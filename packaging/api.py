#!/usr/bin/env python3
"""Compares what the published crates offer to others with the lists in packaging/api/. Reads target/doc, which
`cargo doc --workspace --no-deps` writes. Exit 1: something that a list names is gone or has changed. What is new breaks
nobody, so it is only counted.

    packaging/api.py            compares
    packaging/api.py --write    writes the lists anew
"""

import difflib
import html.parser
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOC = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "doc"
LISTS = ROOT / "packaging" / "api"
# The pages are those of this compiler; another may word the same items in another way.
RUSTDOC = "1.95"
# Of a page: its declaration, the functions of the item, the traits that it has; not what the compiler adds to all.
PARTS = {"implementations-list": "h4", "trait-implementations-list": "h3"}
KINDS = re.compile(r"^(struct|enum|union|trait|fn|type|constant|static|macro|attr|derive|traitalias)\.")


class Page(html.parser.HTMLParser):
    """The declarations on a page of rustdoc, one a line."""

    def __init__(self):
        super().__init__()
        self.version, self.lines, self.heading, self.text, self.end = "", [], None, None, None
        self.hidden = False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        if tag == "meta" and "data-rustdoc-version" in attributes:
            self.version = attributes["data-rustdoc-version"]
        elif tag == "div" and (attributes.get("id") or "").endswith("-list"):
            self.heading = PARTS.get(attributes["id"])
        elif tag == "summary":
            # "Show 13 variants", which is no part of the declaration.
            self.hidden = "hideme" in classes
        elif self.text is None and (
            (tag == "pre" and "item-decl" in classes)
            or (tag == self.heading and "code-header" in classes)
        ):
            self.text, self.end = [], tag

    def handle_data(self, data):
        if self.text is not None and not self.hidden:
            self.text.append(data)

    def handle_endtag(self, tag):
        if tag == "summary":
            self.hidden = False
        elif tag == self.end:
            text = "".join(self.text)
            # A type that may grow is listed by its members, so that a new one changes no line.
            lines = re.split(r"\n(?:    (?=\w)|(?=}))", text) if text.startswith("#[non_exhaustive]") else [text]
            lines = [" ".join(line.split()) for line in lines]
            self.lines += [line for line in lines if line not in self.lines]
            self.text = self.end = None


def published():
    """The names of the crates that `cargo publish` takes and that are libraries."""
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        text = manifest.read_text()
        if "publish = false" not in text and (manifest.parent / "src" / "lib.rs").is_file():
            yield re.search(r'^name = "(.*)"', text, re.M)[1]


def offered(crate):
    """All that a crate offers, an item with its path and what belongs to it."""
    folder = DOC / crate.replace("-", "_")
    index = folder / "all.html"
    if not index.is_file():
        sys.exit(f"{index} is missing; run cargo doc --workspace --no-deps first")
    found = []
    for address in sorted(set(re.findall(r'<li><a href="([^":]+\.html)"', index.read_text()))):
        *modules, name = address.removesuffix(".html").split("/")
        if KINDS.match(name):
            page = Page()
            page.feed((folder / address).read_text())
            if not page.version.startswith(RUSTDOC):
                print(f"left out: the pages are by rustdoc {page.version}, the lists are for {RUSTDOC}")
                sys.exit(0)
            path = "::".join([*modules, name.split(".", 1)[1]])
            found += [f"{path}: {line}" for line in page.lines if "StructuralPartialEq" not in line]
    return found


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    gone, new, count = [], 0, 0
    LISTS.mkdir(exist_ok=True)
    for crate in published():
        listed = LISTS / f"{crate}.txt"
        now = offered(crate)
        count += len(now)
        if sys.argv[1:]:
            listed.write_text("".join(f"{line}\n" for line in now))
            continue
        before = listed.read_text().splitlines() if listed.is_file() else []
        missing = [line for line in before if line not in set(now)]
        new += len([line for line in now if line not in set(before)])
        # The change of a declaration is easier to see beside the old one.
        changed = [line for line in now if line not in set(before)]
        for line in missing:
            near = difflib.get_close_matches(line, changed, 1, 0.8)
            gone.append(f"{crate}\n  was {line}" + "".join(f"\n  now {other}" for other in near))
    print("\n".join([*gone, f"{count} declarations, {new} of them new, {len(gone)} gone or changed"]))
    if gone:
        sys.exit("say so in CHANGELOG.md, and write the lists anew with packaging/api.py --write")


if __name__ == "__main__":
    main()
