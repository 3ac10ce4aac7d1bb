#!/usr/bin/env python3
"""Prints the software bill of materials of the program as CycloneDX 1.5 JSON: every crate that is linked
into it, from Cargo's own metadata. The argument is the target that it is built for."""

import json
import subprocess
import sys

ROOT = "greenwave"


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    if len(sys.argv) > 1:
        command += ["--filter-platform", sys.argv[1]]
    metadata = json.loads(subprocess.check_output(command))
    packages = {package["id"]: package for package in metadata["packages"]}
    edges = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    root = next(key for key, package in packages.items() if package["name"] == ROOT)

    # Linked crates: normal dependencies; build scripts and tests are not part of the program.
    linked, waiting = set(), [root]
    while waiting:
        key = waiting.pop()
        if key not in linked:
            linked.add(key)
            waiting += [dep["pkg"] for dep in edges[key] if normal(dep)]

    def reference(key):
        package = packages[key]
        return f"pkg:cargo/{package['name']}@{package['version']}"

    def component(key):
        package = packages[key]
        found = {
            "type": "application" if key == root else "library",
            "bom-ref": reference(key),
            "name": package["name"],
            "version": package["version"],
            "purl": reference(key),
        }
        if package.get("license"):
            found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        return found

    rest = sorted(linked - {root}, key=reference)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(root)},
        "components": [component(key) for key in rest],
        "dependencies": [
            {
                "ref": reference(key),
                "dependsOn": sorted({reference(dep["pkg"]) for dep in edges[key] if normal(dep)}),
            }
            for key in sorted(linked, key=reference)
        ],
    }
    json.dump(document, sys.stdout, indent=1, sort_keys=True)
    print()


def normal(dependency):
    return any(kind["kind"] is None for kind in dependency["dep_kinds"])


if __name__ == "__main__":
    main()
