#!/usr/bin/env python3
"""Shows how the cost of a page grows, as charts; `make bench-growth` calls it.

Each chart has the processor time of a page of 50 rows, drawn anew each time, over one thing that
grows: the list, the connections, the sections, the columns, the length of the cells.
"""

import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True

import charts
import measuring
from compare import JSON
from servers import BENCHMARKS, BUILT, Server, swift_build

SETTINGS = {"ROSTER_PORT": "PORT", "ROSTER_LOOPS": "1", "ROSTER_PAGE_CACHE": "0"}
PATH = "/users?limit=50"


def cost(server, path, connections, arguments):
    """The processor time of a page, the median of the rounds."""
    server.start()
    try:
        rounds = [
            measuring.load(server, path, connections, arguments.seconds, [JSON])
            for _ in range(arguments.rounds)
        ]
    finally:
        server.stop()
    return measuring.median(rounds, "cpu")


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
    program = swift_build(BENCHMARKS, "users")
    figures = {}

    def measure(chart, line, value, server, path=PATH, connections=16):
        found = cost(server, path, connections, arguments)
        figures.setdefault(chart, {}).setdefault(line, []).append((value, found))
        print(chart, line, value, f"{found:.1f} µs", file=sys.stderr, flush=True)

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
