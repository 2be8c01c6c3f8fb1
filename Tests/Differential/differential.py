"""Compares the program's answers to random queries of random tables with a plain evaluator.

A table and its queries follow from a seed. What fails is cut down as far as it goes on failing, and
printed with the seed: `SEED=n make differential` repeats it.
"""

import argparse
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

import checks
import evaluator
import queries
import tables
from service import Service

PROGRAM = os.environ.get("ROSTER_PROGRAM", os.path.join(os.path.dirname(__file__), "../../.build/release/roster"))

EXAMPLE = os.path.join(os.path.dirname(PROGRAM), "DifferentialExample")


class Sources:
    """Makes tables into what the program reads, in a folder of its own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="roster-differential-")
        self.number = 0
        self.cluster = None

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.cluster:
            self.cluster.close()

    def start_postgres(self):
        """Starts PostgreSQL; returns why there is none."""
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not found:
            return "PostgreSQL is not installed"
        try:
            self.cluster = tables.Cluster(os.path.dirname(found[-1]))
        except (OSError, RuntimeError) as error:
            return str(error)
        return None

    def make(self, table):
        """The arguments that serve a table, its rows, and what undoes it."""
        self.number += 1
        if table["engine"] == "postgres":
            schema = f"s{self.number}"
            self.cluster.load(schema, tables.postgres_script(table))
            return [self.cluster.address(schema)], tables.postgres_rows(table), lambda: self.cluster.drop(schema)
        folder = f"{self.folder}/{self.number}"
        os.mkdir(folder)
        path = f"{folder}/t.{table['engine']}"
        if table["engine"] == "sqlite":
            rows = tables.write_sqlite(table, path)
        else:
            write = tables.write_memory if table["engine"] == "memory" else tables.write_file
            write(table, path)
            rows = tables.file_rows(table)
        return [path], rows, lambda: shutil.rmtree(folder)


def serve(sources, table, body):
    """Serves a table while a function looks at the list."""
    arguments, rows, undo = sources.make(table)
    try:
        return serve_rows(arguments, table, rows, body)
    finally:
        undo()


def serve_rows(arguments, table, rows, body):
    flavour = table["engine"] if table["engine"] in ("sqlite", "postgres") else "own"
    try:
        if table["engine"] == "memory":
            with open(arguments[0]) as file:
                service = Service(program=EXAMPLE, stdin=file).__enter__()
        else:
            # Edits of files stay in memory: some files cannot hold all values.
            isKept = "--database" in arguments
            memory = ["--database", ":memory:"] if flavour == "own" and not isKept else []
            service = Service(*arguments, *memory, "--loops", "1", "--allow-anonymous-writes",
                              "--rows-time", "20000", "--facets-time", "5000", program=PROGRAM).__enter__()
    except RuntimeError as error:
        raise checks.Failure("start", " ".join(arguments), "a list", str(error)) from None
    listing = None
    try:
        listing = checks.Listing(service.base, flavour, rows, table["ties"])
        return body(listing)
    finally:
        if listing and listing.connection:
            listing.connection.close()
        service.__exit__()


# Files that are written and read again.

def run(*words, expected=0):
    done = subprocess.run([PROGRAM, *words], capture_output=True, timeout=60)
    if done.returncode != expected:
        raise checks.Failure("command", " ".join(words), expected, f"{done.returncode} {done.stderr.decode()[:500]}")
    return done.stdout


def read_again(value, format):
    """The value that an export makes of one when it is imported."""
    if value is None:
        return None
    return evaluator.csv_value(value.text) if format == "csv" else evaluator.json_value(evaluator.json_token(value))


def round_trip(sources, table, format):
    """Imports a file, exports the list, and imports that: by commands and over HTTP."""
    arguments, rows, undo = sources.make(table)
    folder = os.path.dirname(arguments[0])
    again = [(identifier, key, {name: read_again(value, format) for name, value in values.items()})
             for identifier, key, values in rows]
    isSame = all((value and (value.kind, value.key)) == (other[2][name] and (
        other[2][name].kind, other[2][name].key)) for row, other in zip(rows, again)
        for name, value in row[2].items())
    try:
        run("import", arguments[0], "--database", f"{folder}/first.db", "--list", "t")
        content = run("export", "t", "--database", f"{folder}/first.db", "--format", format)
        with open(f"{folder}/u.{format}", "wb") as file:
            file.write(content)
        run("import", f"{folder}/u.{format}", "--database", f"{folder}/second.db", "--list", "t")
        everything = {"limit": 500, "csv": True, "ndjson": True}
        serve_rows(["--database", f"{folder}/second.db"], table, again, lambda listing: listing.check(everything))
        if format == "json" or not isSame:
            return
        serve_rows(arguments, table, rows, lambda listing: import_own(listing, format, everything))
    finally:
        undo()


def import_own(listing, format, everything):
    """Imports over HTTP what the list itself exports, which changes nothing."""
    type = {"csv": "text/csv", "ndjson": "application/x-ndjson"}[format]
    target = "/t/-/import?on_duplicate=replace"
    # A table has the ids of numbered rows only where they are named.
    names = ",".join(dict.fromkeys(["id", *listing.columns]))
    chosen = f"?columns={urllib.parse.quote(names)}" if format == "csv" else ""
    content = listing.get(f"/t.{format}{chosen}")[1]
    answer, said = listing.get(target, {"Content-Type": type}, "POST", content)
    if answer.status != 202:
        raise checks.Failure("import", target, 202, f"{answer.status} {said[:500].decode()}")
    progress = answer.headers["Location"]
    end = time.monotonic() + 20
    while (state := listing.json(progress))["state"] in ("waiting", "checking", "writing"):
        if time.monotonic() > end:
            raise checks.Failure("import", progress, "an end", state)
        time.sleep(0.01)
    if state["state"] != "done":
        raise checks.Failure("import", f"{target} of {format}", "an import", state)
    listing.check(everything)


# Cases.

def seeded(seed, engines, features):
    """The table of a seed and the generator that goes on with its queries."""
    rng = random.Random(seed)
    engine = rng.choice(engines)
    return tables.random_table(rng, engine, features), rng


def try_case(sources, table, query):
    """The failure of one query of one table; None where there is none."""
    try:
        if query is None:
            serve(sources, table, lambda listing: listing.json("/t.json"))
        elif query.get("roundtrip"):
            round_trip(sources, table, query["roundtrip"])
        else:
            serve(sources, table, lambda listing: listing.check(query))
    except checks.Failure as failure:
        return failure
    except (KeyError, IndexError, ZeroDivisionError):
        # A query of what the table has no longer.
        return None
    return None


def without(table, places=(), names=()):
    """A table without the rows at some places and without some columns."""
    kept = [place for place in range(len(table["ids"])) if place not in places]
    # Rows without a key are numbered anew.
    ids = list(range(1, len(kept) + 1)) if table["key"] == "none" else [table["ids"][place] for place in kept]
    return {**table, "ids": ids,
            "columns": [{**column, "values": [column["values"][place] for place in kept]}
                        for column in table["columns"] if column["name"] not in names]}


def smaller(table, query):
    count = len(table["ids"])
    size = count // 2
    while size:
        for start in range(0, count, size):
            if size < count:
                yield without(table, range(start, min(count, start + size)))
        size //= 2
    for column in table["columns"] if len(table["columns"]) > 1 else []:
        if json.dumps(column["name"]) not in json.dumps(query or {}):
            yield without(table, (), [column["name"]])
    for index in range(len(table.get("indexes", []))):
        yield {**table, "indexes": table["indexes"][:index] + table["indexes"][index + 1:]}
    if table.get("strict"):
        yield {**table, "strict": False}


def cut_down(sources, table, query, failure, seconds=40):
    """The smallest table and query found that fail in the same way."""
    end = time.monotonic() + seconds
    isBetter = True
    while isBetter:
        isBetter = False
        options = [(table, q) for q in queries.simpler(query)] if query else []
        options += [(t, query) for t in smaller(table, query)]
        for candidate in options:
            if time.monotonic() > end:
                return table, query, failure
            found = try_case(sources, *candidate)
            if found and found.kind == failure.kind:
                (table, query), failure, isBetter = candidate, found, True
                break
    return table, query, failure


def source_text(table):
    """A table as its file or its statements."""
    if table["engine"] == "postgres":
        return tables.postgres_script(table)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/t.{table['engine']}"
        if table["engine"] != "sqlite":
            (tables.write_memory if table["engine"] == "memory" else tables.write_file)(table, path)
            with open(path, encoding="utf-8") as file:
                return file.read()
        tables.write_sqlite(table, path)
        connection = tables.sqlite3.connect(path)
        try:
            return "\n".join(connection.iterdump())
        finally:
            connection.close()


def report(seed, options, table, query, failure):
    source = "postgres://…" if table["engine"] == "postgres" else f"t.{table['engine']}"
    print(f"\nFAILED: {failure.kind}, seed {seed}", file=sys.stderr)
    print(f"repeat:   SEED={seed} make differential ARGS='--engines {options.engines}"
          f" --features {options.features}'", file=sys.stderr)
    print(f"command:  roster {source}", file=sys.stderr)
    text = source_text(table)
    print(f"table:\n{text[:6000]}{'…' if len(text) > 6000 else ''}", file=sys.stderr)
    print(f"query:    {failure.target}\n          {json.dumps(query, ensure_ascii=False)}", file=sys.stderr)
    print(f"expected: {failure.expected!r:.3000}\ngot:      {failure.got!r:.3000}", file=sys.stderr, flush=True)


class Tally:
    def __init__(self):
        self.tables, self.queries, self.requests, self.open, self.unknown = {}, 0, 0, 0, 0
        self.failures = {}

    def add(self, listing):
        self.requests += listing.requests
        self.open += listing.open
        self.unknown += listing.unknown


def run_seed(sources, seed, options, tally):
    """Asks a table of a seed its queries; returns the query that failed, and how."""
    table, rng = seeded(seed, options.engine_list, options.feature_list)
    tally.tables[table["engine"]] = tally.tables.get(table["engine"], 0) + 1
    query = None

    def body(listing):
        nonlocal query
        asker = queries.Asker(rng, listing, table["engine"], options.feature_list)
        try:
            for _ in range(options.queries):
                query = asker.query()
                tally.queries += 1
                listing.check(query)
        finally:
            tally.add(listing)

    try:
        serve(sources, table, body)
        if table["engine"] in ("csv", "ndjson", "json") and rng.random() < 0.3:
            query = {"roundtrip": rng.choice(["csv"] * tables.is_usual(table) + ["ndjson", "json"])}
            round_trip(sources, table, query["roundtrip"])
    except checks.Failure as failure:
        return table, query, failure
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, help="asks the table of this seed alone")
    parser.add_argument("--first", type=int, help="the seed of the first table; random by default")
    parser.add_argument("--engines", default=",".join(tables.ENGINES), help="of " + ",".join(tables.ENGINES))
    parser.add_argument("--features", default="all", help="all, clean, or some of " + ",".join(tables.FEATURES))
    parser.add_argument("--queries", type=int, default=60, help="of each table")
    parser.add_argument("--keep-going", action="store_true", help="reports one failure of each kind")
    options = parser.parse_args()
    options.engine_list = options.engines.split(",")
    options.feature_list = {"all": tables.FEATURES, "clean": []}.get(options.features, options.features.split(","))
    unknown = set(options.engine_list) - set(tables.ENGINES) | set(options.feature_list) - set(tables.FEATURES)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sources, tally = Sources(), Tally()
    start = time.monotonic()
    try:
        if "postgres" in options.engine_list and (reason := sources.start_postgres()):
            print(f"SKIPPED: tables of PostgreSQL: {reason}", file=sys.stderr)
            options.engine_list.remove("postgres")
        seed = next((seed for seed in (options.seed, options.first) if seed is not None),
                    random.SystemRandom().randrange(1 << 40))
        while options.engine_list:
            found = run_seed(sources, seed, options, tally)
            if found:
                label = f"{found[0]['engine']}: {found[2].kind}"
                tally.failures[label] = tally.failures.get(label, 0) + 1
                if tally.failures[label] == 1:
                    report(seed, options, *cut_down(sources, *found))
            isLast = options.seed is not None or time.monotonic() > start + options.seconds
            if isLast or found and not options.keep_going:
                break
            seed += 1
    finally:
        sources.close()
    minutes = (time.monotonic() - start) / 60
    counts = ", ".join(f"{engine} {count}" for engine, count in sorted(tally.tables.items()))
    print(f"{sum(tally.tables.values())} tables ({counts}), {tally.queries} queries, {tally.requests} requests:"
          f" {tally.queries / minutes:.0f} queries and {tally.requests / minutes:.0f} requests a minute;"
          f" left open by the rules {tally.open}, counts not in time {tally.unknown}")
    for label, count in sorted(tally.failures.items()):
        print(f"{count} failed: {label}")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
