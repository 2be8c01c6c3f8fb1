#!/usr/bin/env python3
"""Shows how the cost of a page grows, as charts; `make bench-growth` calls it.

Each chart has the processor time of a page of 50 rows, drawn anew each time, over one thing that
grows: the list, the connections, the sections, the columns, the length of the cells. The rounds of
all are interleaved, so that what the machine does besides falls on all of them alike.
"""

import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True

import charts
import measuring
from compare import JSON
from servers import BENCHMARKS, BUILT, Server, installed, swift_build

SETTINGS = {"ROSTER_PORT": "PORT", "ROSTER_LOOPS": "1", "ROSTER_PAGE_CACHE": "0"}
PATH = "/users?limit=50"


def round_of(server, path, connections, arguments):
    """What a round of asking for a page gives."""
    server.start()
    try:
        return measuring.load(server, path, connections, arguments.seconds, [JSON])
    finally:
        server.stop()


def wide(program, count=10_000, sections=1, columns=3, length=10):
    numbers = [str(number) for number in (count, sections, columns, length)]
    return Server("roster-growth", [program, *numbers], SETTINGS, {"json": PATH})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--largest", type=int, default=1_000_000, help="the longest list in memory")
    parser.add_argument("--databases", nargs="*", default=[], metavar="ROWS=FILE",
                        help="databases that roster has imported users into")
    parser.add_argument("--output", type=pathlib.Path, default=BUILT / "results")
    arguments = parser.parse_args()
    if not installed("wrk"):
        raise SystemExit(1)
    program = swift_build(BENCHMARKS, "users")
    points = []

    def measure(chart, line, value, server, path=PATH, connections=16):
        points.append(((chart, line, value), (server, path, connections), []))

    size = 1_000
    while size <= arguments.largest:
        measure("list", "in memory", size, wide(program, size))
        size *= 10
    if arguments.databases:
        roster = swift_build(BENCHMARKS, "roster")
        for entry in arguments.databases:
            rows, _, file = entry.partition("=")
            server = Server("roster-growth", [roster, "--database", file], SETTINGS, {"json": PATH})
            address = "/users?limit=50&group=none&sort=lastName&count=none"
            measure("list", "SQLite, sorted", int(rows), server, address)
    for connections in (1, 10, 100, 1_000, 10_000):
        measure("connections", "in memory", connections, wide(program), PATH, connections)
    for sections in (1, 2, 5, 10, 25, 50):
        measure("sections", "on a page of 50 rows", sections, wide(program, 50, sections))
    for columns in (1, 2, 4, 8, 16, 32):
        measure("columns", "50 rows", columns, wide(program, columns=columns))
    for length in (1, 10, 100, 1_000):
        measure("cells", "50 rows, 3 columns", length, wide(program, length=length))

    for number in range(arguments.rounds):
        for place, (name, question, rounds) in enumerate(points):
            at = f"round {number + 1} of {arguments.rounds}, {place + 1} of {len(points)}"
            print(at, *name, file=sys.stderr, flush=True)
            rounds.append(round_of(*question, arguments))
    figures = {}
    for (chart, line, value), _, rounds in points:
        found = measuring.median(rounds, "cpu")
        figures.setdefault(chart, {}).setdefault(line, []).append((value, found))
        print(chart, line, value, f"{found:.1f} µs")

    titles = {
        "list": "Cost of a page by the rows of the list",
        "connections": "Cost of a page by connections",
        "sections": "Cost of a page by its sections",
        "columns": "Cost of a page by its columns",
        "cells": "Cost of a page by the letters of its cells",
    }
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "growth.json").write_text(json.dumps(figures, indent=1) + "\n")
    for name, series in figures.items():
        picture = charts.lines(titles[name], "µs of processor", series, name)
        (arguments.output / f"growth-{name}.svg").write_text(picture)


if __name__ == "__main__":
    main()
