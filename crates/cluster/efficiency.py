#!/usr/bin/env python3
"""Draws docs/cluster.svg: how simulated ranks get on with 4x5, beside what 'plan' says.

efficiency.py PROGRAM    greenwave-cluster, built with --release
"""
import json
import math
import subprocess
import sys

RANKS = [1, 2, 4, 8, 16, 32, 64]
LINKS = [("100", "2"), ("10", "20"), ("1", "50")]
COLOURS = ["#1a7f37", "#9a6700", "#cf222e"]
BOARD = "classic-4x5"


def seconds(*args):
    done = subprocess.run([sys.argv[1], *args, "--json"], stdout=subprocess.PIPE, timeout=300)
    return json.loads(done.stdout)["seconds"]


def main():
    left, top, width, height = 60, 20, 500, 260
    x = lambda ranks: left + width * math.log2(ranks) / math.log2(RANKS[-1])
    y = lambda efficiency: top + height * (1 - min(efficiency, 1.1) / 1.1)
    lines = []
    for (network, delay), colour in zip(LINKS, COLOURS):
        run, plan = [], []
        for ranks in RANKS:
            park = ["--ranks", str(ranks)]
            # The least of two: the machine does other things, too.
            run.append(min(
                seconds("solve", BOARD, "--no-table", "--quiet", *park, "--simulate", network, "--delay", delay)
                for _ in range(2)
            ))
            plan.append(seconds(
                "plan", BOARD, "--memory", "8G", *park, "--network", network, "--delay", delay
            ))
        of = lambda times: [times[0] / ranks / time for ranks, time in zip(RANKS, times)]
        print(f"{network} Gbit/s, {delay} us")
        for ranks, a, b, c, d in zip(RANKS, run, of(run), plan, of(plan)):
            print(f"{ranks:3} ranks: simulated {a:.3f} s, efficiency {b:.2f}; planned {c:.3f} s, {d:.2f}")
        for times, dash in [(run, ""), (plan, ' stroke-dasharray="5 4"')]:
            points = " ".join(f"{x(r):.0f},{y(e):.0f}" for r, e in zip(RANKS, of(times)))
            lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 20} {top + height + 110}" '
        'font-family="sans-serif" font-size="13">',
        "<title>Efficiency of simulated ranks on classic-4x5</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for tenths in range(0, 11, 2):
        at = y(tenths / 10)
        text.append(f'<path d="M{left} {at:.0f}h{width}" stroke="#d0d7de"/>')
        text.append(f'<text x="{left - 8}" y="{at + 4:.0f}" text-anchor="end">{tenths * 10} %</text>')
    for ranks in RANKS:
        text.append(f'<text x="{x(ranks):.0f}" y="{top + height + 18}" text-anchor="middle">{ranks}</text>')
    text.append(f'<text x="{left + width // 2}" y="{top + height + 38}" text-anchor="middle">ranks of one thread</text>')
    text += lines
    for number, ((network, delay), colour) in enumerate(zip(LINKS, COLOURS)):
        at = left + number * 175
        text.append(f'<path d="M{at} {top + height + 60}h24" stroke="{colour}" stroke-width="2"/>')
        text.append(f'<text x="{at + 30}" y="{top + height + 64}">{network} Gbit/s, {delay} µs</text>')
    text.append(f'<text x="{left}" y="{top + height + 90}">solid: simulated; dashed: as plan says</text>')
    text.append("</svg>")
    with open("docs/cluster.svg", "w", encoding="utf-8") as file:
        file.write("\n".join(text) + "\n")


main()
