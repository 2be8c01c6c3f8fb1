#!/usr/bin/env python3
"""Counts the instructions and allocations of pieces of the work, and compares them with what they
were; `make bench-counts` calls it.

Counted by callgrind, so the figures do not depend on the clock or on what else the machine does. A
piece is done so often and twice as often; the difference is what it costs. Above a baseline by more
than five parts in a hundred, or allocating more than it did, a piece fails. --update writes the
baselines: do so where a change is worth what it costs, and say so in the commit.

Below stands what a page of the same rows costs where a C program steps a prepared statement over an
index of SQLite and copies the bytes (`Limit/step.c`), and what ours cost beside it.
"""

import argparse
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BASELINES = HERE / "counts.json"
TOLERANCE = 0.05
STATEMENT = """SELECT id, revision, firstName, lastName, occupation FROM users
    ORDER BY lastName, id LIMIT 50"""
ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"}


def program():
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
    command += ["--package-path", str(HERE.parent), "--product", "CountsBenchmark"]
    subprocess.run(command + ["--quiet"], check=True)
    shown = subprocess.run(
        command + ["--show-bin-path"], check=True, capture_output=True, text=True
    )
    built = pathlib.Path(shown.stdout.strip()) / "CountsBenchmark"
    # What describes the source is more than valgrind reads.
    copy = pathlib.Path(tempfile.mkdtemp()) / "counts"
    subprocess.run(["strip", "-g", "-o", str(copy), str(built)], check=True)
    return copy


def count(command, within=()):
    """The instructions and allocations of a run, within a command that makes what it needs."""
    with tempfile.NamedTemporaryFile() as figures:
        subprocess.run(
            [*within, "valgrind", "--tool=callgrind", f"--callgrind-out-file={figures.name}"]
            + command,
            check=True,
            capture_output=True,
            # Random seeds of hashes would add to one of two runs what they do not to the other.
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        )
        text = pathlib.Path(figures.name).read_text()
    instructions = int(re.search(r"^(?:summary|totals): (\d+)", text, re.M).group(1))
    names, allocations, called = {}, 0, None
    for line in text.splitlines():
        if line.startswith(("fn=", "cfn=")):
            number, _, name = line.partition("=")[2].partition(" ")
            if name:
                names[number] = name
            if line.startswith("cfn="):
                called = names.get(number)
        elif line.startswith("calls=") and called in ALLOCATORS:
            allocations += int(line[6:].split()[0])
    return instructions, allocations


def measure(command, times, within=()):
    """What each time costs of a command that is told how often to do its work."""
    once, twice = count(command(times), within), count(command(2 * times), within)
    return {
        "instructions": round((twice[0] - once[0]) / times),
        "allocations": round((twice[1] - once[1]) / times, 1),
    }


def make_database(path):
    """The users of the pieces, in a database with an index for their order."""
    first = ["Ada", "Björk", "Chiara", "Dariush", "Élodie"]
    last = ["Abernathy", "Conceição", "D'Angelo", "Mwangi"]
    work = ["Designer", "Engineer", "Writer"]
    rows = [
        (number + 1, 1, first[number % 5], f"{last[number % 4]} {number}", work[number % 3])
        for number in range(200)
    ]
    columns = "id INTEGER PRIMARY KEY, revision, firstName, lastName, occupation"
    with sqlite3.connect(path) as database:
        database.execute(f"CREATE TABLE users ({columns})")
        database.execute("CREATE INDEX ordered ON users (lastName, id)")
        database.executemany("INSERT INTO users VALUES (?, ?, ?, ?, ?)", rows)
    database.close()


def measure_step(times):
    """What a page costs that plain C reads."""
    folder = pathlib.Path(tempfile.mkdtemp())
    source, stepper, path = HERE / "Limit" / "step.c", folder / "step", folder / "users.db"
    subprocess.run(["cc", "-O2", "-o", str(stepper), str(source), "-lsqlite3"], check=True)
    make_database(path)
    return measure(lambda pages: [str(stepper), str(path), str(pages), STATEMENT], times)


def is_worse(found, known):
    limit = known["instructions"] * (1 + TOLERANCE)
    return found["instructions"] > limit or found["allocations"] > known["allocations"] + 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="write the baselines")
    parser.add_argument("--only", default="", help="only pieces whose name has this in it")
    parser.add_argument("--times", type=int, default=500, help="how often a piece is done (500)")
    arguments = parser.parse_args()
    built = program()
    names = subprocess.run([str(built)], check=True, capture_output=True, text=True).stdout
    known = json.loads(BASELINES.read_text()) if BASELINES.exists() else {}
    worse, figures = [], {}
    print(f"{'piece':40}{'instructions':>14}{'was':>14}{'allocations':>13}{'were':>8}")
    for name in names.splitlines():
        if arguments.only not in name:
            continue
        within = [str(built), "--with-postgres"] if "PostgreSQL" in name else []
        found = measure(lambda times: [str(built), name, str(times)], arguments.times, within)
        before, figures[name] = known.get(name), found["instructions"]
        print(
            f"{name:40}{found['instructions']:>14,}"
            f"{before['instructions'] if before else 0:>14,}{found['allocations']:>13}"
            f"{before['allocations'] if before else 0:>8}",
            flush=True,
        )
        if before and is_worse(found, before):
            worse.append(name)
        if not before and not arguments.update:
            worse.append(f"{name} (it has no baseline)")
        if arguments.update:
            known[name] = found
    stored = {name: figure for name, figure in figures.items() if name == "page from SQLite"}
    if stored:
        step = measure_step(arguments.times)["instructions"]
        print(f"{'the same page, stepped by C':32}{step:>14,}")
        for name, figure in stored.items():
            print(f"{name:32}{figure / step:>13.1f} ×")
    if arguments.update:
        BASELINES.write_text(json.dumps(known, indent=1) + "\n")
    elif worse:
        sys.exit("More than it was: " + ", ".join(worse))


if __name__ == "__main__":
    main()
