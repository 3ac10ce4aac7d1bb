#!/usr/bin/env python3
"""Tries a program built for some machine, in a minute: solve, query, verify, find, play, serve, and a solve that is
killed and resumed. The arguments are the command that starts the program, such as `wine64 greenwave.exe` or
`qemu-aarch64-static greenwave`. Prints a line for each part; the exit code is 1 if a part fails."""

import http.client
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = sys.argv[1:]
# Any one command, however slow the emulated machine.
LIMIT = 300
# A board without a published table that a slow kernel works on for a second or more.
LONG = "classic-1x13" if len(COMMAND) == 1 else "classic-1x12"
LONG_ARGUMENTS = ["solve", LONG, "--threads", "1", "--kernel", "portable", "--json", "--quiet"]
# Published tables of all kinds of games: by the sweep, by the packed sweep, on a strip, over a graph.
PUBLISHED = [
    ("classic-3x3", ["value", "distance", "nimber"]),
    ("classic-3x4", ["value"]),
    ("points-3x3", ["points"]),
    ("noughts-3x4", ["distance"]),
    ("strip", ["distance"]),
    ("ampel-4-2-1", ["value"]),
]


class Failed(Exception):
    """What a part found instead of what it expected."""


def expect(found, expected, what):
    if found != expected:
        raise Failed(f"{what}: found {found!r}, expected {expected!r}")


def start(arguments, folder, **options):
    environment = {**os.environ, "GREENWAVE_DIR": str(folder)}
    for name in ("GREENWAVE_MEMORY", "GREENWAVE_THREADS", "GREENWAVE_LIGHTS"):
        environment.pop(name, None)
    for stream in ("stdout", "stderr"):
        options.setdefault(stream, subprocess.PIPE)
    options.setdefault("stdin", subprocess.DEVNULL)
    # A group of its own: an emulator may start the program as another process.
    return subprocess.Popen(
        COMMAND + arguments, env=environment, start_new_session=True, **options
    )


def run(arguments, folder, code=0, **options):
    text = options.pop("input", None)
    if text is not None:
        options["stdin"] = subprocess.PIPE
    process = start(arguments, folder, **options)
    try:
        out, err = process.communicate(text, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        end(process, signal.SIGKILL)
        raise Failed(f"{arguments} takes longer than {LIMIT} s") from None
    if process.returncode != code:
        raise Failed(f"{arguments} exits with {process.returncode}, expected {code}: {err.decode()}")
    return out.decode().replace("\r\n", "\n"), err.decode().replace("\r\n", "\n")


def end(process, number):
    """Sends a signal to the program and what stands around it."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def documents(arguments, folder, **options):
    out, _ = run([*arguments, "--json"], folder, **options)
    return [json.loads(line) for line in out.splitlines()]


def wait_for(condition, process, what):
    until = time.monotonic() + LIMIT
    while not condition():
        if process.poll() is not None:
            raise Failed(f"the program ended before {what}: {process.stderr.read().decode()}")
        if time.monotonic() > until:
            raise Failed(f"{what}: not within {LIMIT} s")
        time.sleep(0.002)


def published(variant):
    return json.loads((ROOT / "solutions" / variant / "summary.json").read_text())


def same_table(one, other):
    """Whether two tables are the same to the byte, whatever version of the program wrote them: that stands in the
    metadata, of which the preamble has the place and a checksum."""

    def parts(path):
        table = path.read_bytes()
        metadata = int.from_bytes(table[40:48], "little")
        return table[64:metadata], re.sub(rb"greenwave \d+\.\d+\.\d+", b"greenwave", table[metadata:])

    return parts(one) == parts(other)


def version(folder):
    out, _ = run(["--version"], folder)
    number = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    expect(out.startswith(f"greenwave {number} "), True, out)
    return out.strip().removeprefix("greenwave ")


def solve(folder):
    """Tables are those of `solutions/`, byte for byte, and nothing is left beside them."""
    count = 0
    for variant, metrics in PUBLISHED:
        for metric in metrics:
            run(["solve", variant, "--metric", metric, "--quiet"], folder)
            name = f"{variant}/{metric}.gwt"
            same = same_table(folder / name, ROOT / "solutions" / name)
            expect(same, True, f"{name} is the published table")
            count += 1
    others = [str(path) for path in folder.rglob("*") if path.is_file() and path.suffix != ".gwt"]
    expect(others, [], "files beside the tables")
    return f"{count} tables byte for byte as published"


def query(folder):
    [answer] = documents(["query", "classic-3x3"], folder)
    solved = {one["metric"]: one for one in published("classic-3x3")["solved"]}
    expect(answer["value"], solved["value"]["value"], "value of the start")
    expect(answer["distance"], solved["distance"]["distance"], "distance of the start")
    expect(answer["nimber"], solved["nimber"]["nimber"], "nimber of the start")
    return f"{answer['value']} in {answer['distance']}"


def verify(folder):
    out, _ = run(["verify", "classic-3x3", "--quiet"], folder)
    damaged = folder / "damaged.gwt"
    table = bytearray((folder / "classic-3x3" / "value.gwt").read_bytes())
    table[100] ^= 1
    damaged.write_bytes(table)
    run(["verify", str(damaged), "--quiet"], folder, code=2)
    damaged.unlink()
    return f"{len(out.splitlines())} lines; a changed byte is found"


def find(folder):
    [found] = documents(["find", "classic-3x3", "value = loss", "--count"], folder)
    by_distance = published("classic-3x3")["stats"]["by_distance"]
    expected = sum(one["count"] for one in by_distance if one["value"] == "loss")
    expect(found["count"], expected, "lost positions")
    return f"{expected} lost positions"


def play(folder):
    lines = documents(["play", "classic-3x3", "--seed", "1"], folder, input=b"b2\nquit\n")
    expect([line.get("by") for line in lines], ["human", "machine", None], "who moves")
    expect(lines[-1]["result"], "quit", "the end")
    return f"answers {lines[1]['move']} on a pipe"


def serve(folder):
    process = start(["serve", "--port", "0"], folder)
    try:
        readable, _, _ = select.select([process.stderr], [], [], LIMIT)
        line = process.stderr.readline().decode() if readable else ""
        address = re.search(r"http://(127\.0\.0\.1:\d+)/", line)
        if not address:
            raise Failed(f"no address in {line!r}")
        connection = http.client.HTTPConnection(address[1], timeout=LIMIT)
        connection.request("GET", "/api/v1/query?variant=classic-3x3")
        response = connection.getresponse()
        body = response.read()
        expect(response.status, 200, body.decode())
        expect(json.loads(body)["distance"], 17, "distance of the start")
        connection.request("GET", "/")
        response = connection.getresponse()
        page = response.read()
        expect((response.status, b"<html" in page), (200, True), "the first page")
        connection.close()
    finally:
        end(process, signal.SIGTERM)
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            end(process, signal.SIGKILL)
            process.communicate()
    return f"one request and a page of {len(page)} bytes"


def interrupted(folder):
    """Stops a solve by Ctrl-C when a checkpoint is possible, kills the one that resumes, and compares the end."""
    undisturbed, disturbed = folder / "undisturbed", folder / "disturbed"
    [expected] = [json.loads(run(LONG_ARGUMENTS, undisturbed)[0])]
    checkpoint = disturbed / LONG / "distance.checkpoint"
    lock = disturbed / LONG / "distance.checkpoint.lock"
    # The first moment at which there is something to keep is not known: a later one each time.
    pause, kept = expected["seconds"] / 8, False
    while not kept and pause < 2 * expected["seconds"]:
        process = start(LONG_ARGUMENTS, disturbed)
        wait_for(lock.exists, process, "a lock")
        time.sleep(pause)
        end(process, signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
        kept = checkpoint.is_dir()
        if process.returncode == 0:
            raise Failed(f"was not interrupted within {pause:.1f} s")
        pause *= 1.3
    expect(kept, True, f"a checkpoint is kept ({err.decode()})")
    expect(lock.exists(), False, "a lock is left")
    process = start(LONG_ARGUMENTS, disturbed)
    wait_for(lock.exists, process, "a lock")
    end(process, signal.SIGKILL)
    process.communicate(timeout=LIMIT)
    out, err = run([*LONG_ARGUMENTS[:-1], "--progress", "log"], disturbed)
    resumed = json.loads(out)
    for field in ("signature", "by_value", "openings"):
        expect(resumed[field], expected[field], field)
    expect("resum" in err, True, f"says that it resumes ({err})")
    [table] = (disturbed / LONG).iterdir()
    expect(table.name, "distance.gwt", "what is left")
    expect(table.read_bytes() == (undisturbed / LONG / table.name).read_bytes(), True, "the same table")
    return "killed after a checkpoint, resumed, the same table"


def names(folder):
    """Spaces and letters of other alphabets in a path."""
    place = folder / "with spaces" / "Ampel – сигнал – 信号"
    place.mkdir(parents=True)
    run(["solve", "classic-3x3", "--metric", "distance", "--quiet"], place)
    name = "classic-3x3/distance.gwt"
    expect(same_table(place / name, ROOT / "solutions" / name), True, "the published table")
    [answer] = documents(["query", "classic-3x3"], place)
    expect(answer["distance"], 17, "distance of the start")
    return str(place.relative_to(folder))


def refused(folder):
    """A file where the folder of tables should be: one error, and the file stays."""
    file = folder / "file"
    file.write_text("in the way")
    _, err = run(["solve", "classic-3x3"], file, code=2)
    expect(len(err.strip().splitlines()), 1, f"lines of the error ({err})")
    expect(file.read_text(), "in the way", "the file")
    return err.strip().replace(str(folder), "…")


def main():
    if not COMMAND:
        sys.exit(__doc__)
    failures = 0
    folder = Path(tempfile.mkdtemp(prefix="greenwave-suite-"))
    tables = folder / "tables"
    parts = [
        ("version", version, tables),
        ("solve", solve, tables),
        ("query", query, tables),
        ("verify", verify, tables),
        ("find", find, tables),
        ("play", play, tables),
        ("serve", serve, tables),
        ("resume", interrupted, folder / "resume"),
        ("path", names, folder / "path"),
        ("refuse", refused, folder / "refuse"),
    ]
    for name, part, place in parts:
        place.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        try:
            found, verdict = part(place), "ok"
        except (Failed, OSError, ValueError, KeyError, subprocess.TimeoutExpired) as failure:
            found, verdict = str(failure), "FAILED"
            failures += 1
        print(f"| {name} | {verdict} | {time.monotonic() - begun:.1f} s | {found} |", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(parts) - failures} passed, {failures} failed", flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
