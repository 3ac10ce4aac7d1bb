#!/usr/bin/env python3
"""Tries a program built for some machine, in a minute: solve, query, verify, find, play, serve, and a solve that is
killed and resumed. The arguments are the command that starts the program, such as `wine64 greenwave.exe` or
`qemu-aarch64-static greenwave`. If the program runs without help on Linux for x86-64, the script also tries it
where the system lacks something: an old kernel, no links, no /proc, a disk that is full or only read. The option
`--lacking` tries that alone.
Prints a line for each part; the exit code is 1 if a part fails."""

import ctypes
import errno
import http.client
import json
import os
import platform
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LACKING_ALONE = sys.argv[1:2] == ["--lacking"]
COMMAND = sys.argv[1 + LACKING_ALONE :]
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
    before = options.pop("before", [])
    # A group of its own: an emulator may start the program as another process.
    return subprocess.Popen(
        before + COMMAND + arguments, env=environment, start_new_session=True, **options
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
    # The first moment at which there is something to keep is not known: later where there was nothing yet, earlier where
    # the solve had ended.
    pause, kept, err = expected["seconds"] / 8, False, b""
    for _ in range(60):
        shutil.rmtree(disturbed, ignore_errors=True)
        process = start(LONG_ARGUMENTS, disturbed)
        wait_for(lock.exists, process, "a lock")
        time.sleep(pause)
        end(process, signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
        kept = checkpoint.is_dir()
        if kept:
            break
        pause *= 0.6 if process.returncode == 0 else 1.3
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


# Calls of Linux that came after 2010, or that file systems and kernels may refuse, by their numbers on x86-64.
NEW_CALLS = {
    "statx": 332, "renameat2": 316, "copy_file_range": 326, "preadv2": 327, "pwritev2": 328, "membarrier": 324,
    "pidfd_open": 434, "clone3": 435, "close_range": 436, "openat2": 437, "faccessat2": 439, "rseq": 334,
}  # fmt: skip
LINK_CALLS = {"link": 86, "linkat": 265, "symlink": 88, "symlinkat": 266}
HINT_CALLS = {"madvise": 28, "fadvise64": 221, "fallocate": 285, "mlock": 149}


def refusing(calls, number):
    """What makes the kernel answer calls of the process that runs it with an error, as a filter of seccomp."""
    load, equal, give, allow = 0x20, 0x15, 0x06, 0x7FFF0000
    steps = [(load, 0, 0, 4), (equal, 1, 0, 0xC000003E), (give, 0, 0, allow), (load, 0, 0, 0)]
    for call in calls.values():
        steps += [(equal, 0, 1, call), (give, 0, 0, 0x00050000 | number)]
    code = b"".join(struct.pack("HBBI", *step) for step in [*steps, (give, 0, 0, allow)])
    kept = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(kept)))
    library = ctypes.CDLL(None, use_errno=True)

    def refuse(kept=kept):
        for arguments in [(38, 1, 0, 0, 0), (22, 2, program, 0, 0)]:
            if library.prctl(*arguments) != 0:
                raise OSError(ctypes.get_errno(), "prctl")

    return refuse


def without(calls, number):
    """Solves, resumes and asks without some calls of the system."""

    def part(folder):
        options = {"preexec_fn": refusing(calls, number)}
        run(["solve", "classic-3x3", "--metric", "distance", "--quiet"], folder, **options)
        name = "classic-3x3/distance.gwt"
        expect(same_table(folder / name, ROOT / "solutions" / name), True, "the published table")
        run(["solve", "classic-3x3", "--metric", "distance", "--force", "--quiet"], folder, **options)
        run(["verify", "classic-3x3", "--quiet"], folder, **options)
        out, _ = run(["query", "classic-3x3", "--json"], folder, **options)
        expect(json.loads(out)["distance"], 17, "distance of the start")
        out, _ = run(["draw", "classic-3x3", "-o", str(folder / "board.svg")], folder, **options)
        expect((folder / "board.svg").read_text()[:4], "<svg", "the picture")
        return f"without {', '.join(calls)}: the published table"

    return part


def in_mounts(script):
    """A shell that mounts what a part needs, seen by it alone, and then becomes the program."""
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", f'{script}; exec "$@"', "sh"]


def without_proc(folder):
    before = in_mounts("mount -t tmpfs none /proc")
    out, _ = run(["solve", "classic-3x3", "--metric", "distance", "--json", "--quiet"], folder, before=before)
    expect(json.loads(out)["peak_memory_bytes"], None, "the peak of memory")
    name = "classic-3x3/distance.gwt"
    expect(same_table(folder / name, ROOT / "solutions" / name), True, "the published table")
    out, _ = run(["query", "classic-3x3", "--json"], folder, before=before)
    expect(json.loads(out)["distance"], 17, "distance of the start")
    return "the published table; the peak of memory is unknown"


def one_error(err):
    lines = err.strip().splitlines()
    expect(sum(line.startswith("error:") for line in lines), 1, f"errors ({err})")
    return " ".join(line.strip() for line in lines)


def full_disk(folder):
    """A disk of 16 kilobytes: nothing half is left there, which `ls` says after the program."""
    before = in_mounts(f"mount -t tmpfs -o size=16k none '{folder}'")
    before[-2] = before[-2].replace('exec "$@"', f'code=0; "$@" || code=$?; find "{folder}" -type f; exit $code')
    out, err = run(["solve", "classic-3x3", "--metric", "distance", "--quiet"], folder, code=2, before=before)
    expect(out.strip(), "", "what is left")
    return one_error(err).replace(str(folder), "…")


def read_only(folder):
    run(["solve", "classic-3x3", "--metric", "distance", "--quiet"], folder)
    before = in_mounts(f"mount --bind '{folder}' '{folder}' && mount -o remount,ro,bind '{folder}'")
    _, err = run(["solve", "classic-3x4", "--metric", "value", "--quiet"], folder, code=2, before=before)
    out, _ = run(["query", "classic-3x3", "--json"], folder, before=before)
    expect(json.loads(out)["distance"], 17, "distance of the start")
    run(["verify", "classic-3x3", "--quiet"], folder, before=before)
    return one_error(err).replace(str(folder), "…")


def old_processor(folder):
    """A processor of 2006, by an emulator: no AVX2, and whoever asks for it is refused."""
    before = ["qemu-x86_64-static", "-cpu", "core2duo"]
    out, _ = run(["--version"], folder, before=before)
    expect("AVX" in out, False, f"AVX in {out}")
    run(["solve", "classic-3x3", "--metric", "distance", "--quiet"], folder, before=before)
    name = "classic-3x3/distance.gwt"
    expect(same_table(folder / name, ROOT / "solutions" / name), True, "the published table")
    _, err = run(["solve", "classic-3x3", "--kernel", "avx2", "--force"], folder, code=2, before=before)
    return one_error(err)


def lacking():
    """What is tried where the system lacks something, as far as this one can play it."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return
    yield "kernel", without(NEW_CALLS, errno.ENOSYS)
    yield "links", without(LINK_CALLS, errno.EPERM)
    yield "hints", without(HINT_CALLS, errno.ENOSYS)
    if shutil.which("qemu-x86_64-static"):
        yield "processor", old_processor
    else:
        print("left out: qemu-x86_64-static is not installed (apt-get install qemu-user-static)")
    if subprocess.run(in_mounts("mount -t tmpfs none /proc") + ["true"], capture_output=True).returncode != 0:
        print("left out: this system lets nobody mount (unshare --user --mount)")
        return
    yield "proc", without_proc
    yield "full", full_disk
    yield "read", read_only


def main():
    if not COMMAND:
        sys.exit(__doc__)
    # What a shell runs in the background ignores Ctrl-C, and so would the programs that are started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
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
    if LACKING_ALONE:
        parts = []
    if len(COMMAND) == 1 and not COMMAND[0].endswith(".exe"):
        parts += [(name, part, folder / name) for name, part in lacking()]
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
