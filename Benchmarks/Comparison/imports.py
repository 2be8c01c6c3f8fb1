#!/usr/bin/env python3
"""Measures imports of a generated CSV file beside other programs; `make bench-imports` calls it.

Each program imports the same file in turn, for several rounds. The table has the median of the
processor time and of the time on the clock, and their ratios to `.import` of sqlite3. Programs that
are not installed are left out: sqlite3, DuckDB and sqlite-utils (both from PyPI).
"""

import argparse
import contextlib
import importlib.util
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True

from servers import BUILT, free_port

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
ROSTER = REPOSITORY / ".build/release/roster"
NAMES = "Anna Ben Clara David Eva Felix Greta Hans Ida Jonas Karla Lukas Mia Noah Olga".split()
FAMILIES = "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Koch".split()
CITIES = "Berlin Hamburg München Köln Frankfurt Stuttgart Leipzig Dortmund Essen Dresden".split()


def generate(path, rows):
    """Writes people with eight columns of several types."""
    chance = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,name,email,city,amount,joined,active,note\n")
        for number in range(1, rows + 1):
            name, family = chance.choice(NAMES), chance.choice(FAMILIES)
            date = f"20{chance.randint(10, 25)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
            file.write(
                f"{number},{name} {family},{name.lower()}.{number}@example.org,"
                f"{chance.choice(CITIES)},{chance.random() * 10000:.2f},{date},"
                f"{'true' if chance.random() < 0.7 else 'false'},"
                f"Note {number} about order {chance.randint(1, 99999)}\n"
            )


def run(command):
    """The seconds on the clock and of the processor that a program takes."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_megabytes(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0


def fetch(port, query=""):
    address = f"http://127.0.0.1:{port}/people?limit=3{query}"
    with urllib.request.urlopen(address, timeout=30) as response:
        response.read()


def serve(source, database):
    """Serves a file. Yields what happened with its times: readable, indexed, a search."""
    port, log = free_port(), database.with_suffix(".log")
    command = [ROSTER, f"people={source}", "--database", database, "--port", str(port)]
    start = time.monotonic()
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=output)
    try:
        while True:
            with contextlib.suppress(OSError):
                fetch(port)
                break
            if process.poll() is not None:
                raise SystemExit(log.read_text(encoding="utf-8"))
            time.sleep(0.01)
        yield "Roster, rows are readable", time.monotonic() - start, processor_seconds(process)
        # The log names the end of the work in the background.
        while "indexes are complete" not in log.read_text(encoding="utf-8"):
            if process.poll() is not None or time.monotonic() - start > 600:
                raise SystemExit(log.read_text(encoding="utf-8"))
            time.sleep(0.05)
        yield "Roster, indexes are complete", time.monotonic() - start, processor_seconds(process)
        spent, start = processor_seconds(process), time.monotonic()
        fetch(port, "&note__contains=" + urllib.parse.quote("ote 4999"))
        yield ("Roster, first `contains`", time.monotonic() - start,
               processor_seconds(process) - spent)
        print(f"Roster used at most {peak_megabytes(process):.0f} MB of memory", file=sys.stderr)
    finally:
        process.terminate()
        process.wait()


def programs(source, folder):
    """The commands of other programs by name."""
    database = folder / "other.db"
    if shutil.which("sqlite3"):
        yield "sqlite3, .import", ["sqlite3", database, ".mode csv", f".import {source} people"]
    if importlib.util.find_spec("duckdb"):
        code = f"import duckdb; duckdb.connect({str(database)!r}).execute(\"CREATE TABLE people AS FROM read_csv('{source}')\")"
        yield "DuckDB, read_csv", [sys.executable, "-c", code]
    if shutil.which("sqlite-utils"):
        yield ("sqlite-utils, insert",
               ["sqlite-utils", "insert", database, "people", source, "--csv", "--pk", "id"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000, help="50,000 or more")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if not ROSTER.exists():
        raise SystemExit("there is no .build/release/roster; `make build` makes it")
    folder = BUILT / "imports"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"people-{arguments.rows}.csv"
    if not source.exists():
        generate(source, arguments.rows)
    figures = {}
    for number in range(arguments.rounds):
        print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr)
        for name, command in programs(source, folder):
            (folder / "other.db").unlink(missing_ok=True)
            figures.setdefault(name, []).append(run(command))
        for path in folder.glob("roster.db*"):
            path.unlink()
        for name, *times in serve(source, folder / "roster.db"):
            figures.setdefault(name, []).append(times)
    reference = figures.get("sqlite3, .import")
    print(f"{arguments.rows:,} rows, {source.stat().st_size / 1e6:.0f} MB, "
          f"median of {arguments.rounds} rounds; ratios to sqlite3\n")
    print("| | clock | ratio | processor | ratio |\n|---|---|---|---|---|")
    for name, times in figures.items():
        cells = []
        for kind in (0, 1):
            median = statistics.median(time[kind] for time in times)
            ratio = median / statistics.median(time[kind] for time in reference) if reference else 0
            cells.append(f"{median:.2f} s | {ratio:.2f}" if reference else f"{median:.2f} s | –")
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
