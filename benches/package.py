"""Time of the package: nine million positions as a frame, and a million questions.

    python/.venv/bin/python benches/package.py [FOLDER OF TABLES]
"""

import resource
import sys
import time

import greenwave
import numpy
import polars

VARIANT = "classic-3x4"
QUESTIONS = 1_000_000


def measured(what, work):
    used, begun = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    found = work()
    wall, now = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_SELF)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    print(f"{what}: {len(found):,} rows, {wall:.2f} s, {cpu:.2f} CPU s, {len(found) / wall:,.0f} rows/s, "
          f"peak so far {now.ru_maxrss / 2**20:.2f} GiB")
    return found


def main():
    tables = greenwave.Tablebase(sys.argv[1] if len(sys.argv) > 1 else "solutions")

    def frame():
        return polars.DataFrame(tables.find(VARIANT, "1 = 1", "value"))

    positions = measured("every position as a frame", frame)["position"]
    order = numpy.random.default_rng(1).permutation(len(positions))[:QUESTIONS]
    for what, chosen in (("in order", numpy.sort(order)), ("shuffled", order)):
        asked = positions.gather(chosen)
        for run in ("first", "from memory"):
            measured(f"query_many, {what}, {run}", lambda: tables.query_many(VARIANT, asked))


main()
