"""Compares queries along foreign keys, into JSON and of periods with the SQL that they mean.

The same rows are in SQLite and PostgreSQL. An SQLite database in memory answers the SQL. The queries
follow from a seed, which is printed: `--seed N` repeats them.
"""

import argparse
import glob
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import tables
from service import Service

NAMES = ["ada", "bob", "cy", "dora", "eve", "fay"]
CITIES = ["oslo", "rome", "bonn"]


def literal(value):
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def rows(rng):
    """Random people and parcels."""
    people = [(n, rng.choice([None, *NAMES]), rng.choice([None, *CITIES]), rng.choice([None, *range(20, 60)]))
              for n in range(1, 13)]
    parcels = []
    for n in range(1, rng.randrange(2, 120)):
        meta = {}
        if rng.random() < 0.7:
            meta["n"] = rng.choice([None, 0, 1, 2, -3, 10, 2.5, 1e3])
        if rng.random() < 0.7:
            meta["t"] = rng.choice(["a", "ab", "b", "zebra", None])
        if rng.random() < 0.5:
            meta["m"] = rng.choice([1, "1", 2, "x", True])
        if rng.random() < 0.5:
            meta["o"] = rng.choice([{"k": rng.randrange(4)}, [3, {"k": 1}], 7, {}])
        parcels.append((n, rng.choice([None, *range(1, 13)]), rng.choice([None, *range(-5, 30)]),
                        rng.choice([None, *[f"202{y}-{m:02}-{d:02}" for y in (2, 3) for m in (1, 7, 12) for d in (1, 31)]]),
                        rng.choice(["new", "sent", "lost", None]), rng.choice([None, json.dumps(meta), json.dumps(meta)])))
    return people, parcels


def script(people, parcels, document, collation=None):
    """The tables, with indexes of names and keys where a collation of texts is given."""
    statements = [
        "CREATE TABLE people (id integer PRIMARY KEY, name text, city text, age integer)",
        "CREATE TABLE parcels (id integer PRIMARY KEY, person_id integer REFERENCES people (id), total integer, "
        f"created date, status text, meta {document})",
    ]
    for name, values in (("people", people), ("parcels", parcels)):
        statements += [f"INSERT INTO {name} VALUES ({', '.join(map(literal, row))})" for row in values]
    if collation is not None:
        statements += [f"CREATE INDEX {column}s ON people ({column}{collation})" for column in ("name", "city")]
        statements.append("CREATE INDEX persons ON parcels (person_id)")
    return ";\n".join(statements)


PERSON = "(SELECT {} FROM people WHERE people.id = parcels.person_id)"
#: The paths: the SQL of the value, the operands, and whether values of one kind are compared by order.
PATHS = {
    "total": ("total", range(-5, 30), True),
    "status": ("status", ["new", "sent", "lost"], True),
    "person.name": (PERSON.format("name"), NAMES, True),
    "person.city": (PERSON.format("city"), CITIES, True),
    "person.age": (PERSON.format("age"), range(20, 60), True),
    "meta.n": ("json_extract(meta, '$.n')", [0, 1, 2, -3, 10, 2.5, 1000, 7], True),
    "meta.t": ("json_extract(meta, '$.t')", ["a", "ab", "b", "zebra", "c"], True),
    "meta.o.k": ("json_extract(meta, '$.o.k')", range(4), True),
    "meta.o.1.k": ("json_extract(meta, '$.o[1].k')", range(3), True),
    "meta.m": ("iif(json_type(meta, '$.m') = 'true', 'true', json_extract(meta, '$.m'))", [1, 2, "x"], False),
    "created:year": ("substr(created, 1, 4)", ["2022", "2023", "2024"], True),
    "created:month": ("substr(created, 1, 7)", ["2022-01", "2022-07", "2023-12"], True),
}


class Query:
    """A random query: its parameters and the SQL of its rows."""

    def __init__(self, rng):
        self.parameters, clauses = [], []
        # A request may name eight columns besides those of its list; one is counted.
        self.paths = rng.sample(list(PATHS), 7)
        for _ in range(rng.choice([0, 1, 1, 2])):
            name, value, clause = self.condition(rng)
            self.parameters.append((name, value))
            clauses.append(clause)
        if rng.random() < 0.4:
            joint = rng.choice(["or", "not"])
            text, clause = self.group(rng, joint, 1)
            self.parameters.append((joint, text))
            clauses.append(clause)
        self.where = " AND ".join(f"({c})" for c in clauses) or "1"
        self.order = "id"
        if rng.random() < 0.7:
            path = rng.choice([p for p in self.paths if PATHS[p][2]])
            sign, nulls = rng.choice(["", "-"]), rng.choice(["", ":nullsfirst"])
            self.parameters.append(("sort", f"{sign}{path}{nulls}"))
            self.order = (f"{PATHS[path][0]} {'DESC' if sign else 'ASC'} NULLS {'FIRST' if nulls else 'LAST'}, id")
        self.aggregates = rng.sample(["sum", "avg", "min", "max"], rng.randrange(3))
        self.parameters += [(function, "total") for function in self.aggregates]
        self.facet = rng.choice([None, None, "created:year", "meta.t", "person_id"])
        if self.facet:
            self.parameters.append(("facets", self.facet))
        self.parameters += [("limit", "7"), ("count", "exact")]

    def condition(self, rng):
        path = rng.choice(self.paths)
        value, operands, isOrdered = PATHS[path]
        operator = rng.choice(["eq", "ne", "in", "nin", "isnull", *(["lt", "gte"] if isOrdered else [])])
        name = path if operator == "eq" else f"{path}__{operator}"
        one = rng.choice(list(operands))
        if operator == "isnull":
            isNull = rng.random() < 0.5
            return name, str(isNull).lower(), f"{value} IS {'' if isNull else 'NOT '}NULL"
        chosen = [one] if operator not in ("in", "nin") else rng.sample(list(operands), 2)
        # In JSON, a text names the number and the text of its digits.
        both = [str(c) for c in chosen if path.startswith("meta.") and not isinstance(c, str)]
        listed = ", ".join(map(literal, chosen + both))
        text = ",".join(map(str, chosen))
        if operator in ("lt", "gte"):
            kind = "text" if isinstance(one, str) else "number"
            isKind = "= 'text'" if kind == "text" else "IN ('integer', 'real')"
            return name, text, f"{value} {'<' if operator == 'lt' else '>='} {literal(one)} AND typeof({value}) {isKind}"
        isAny = f"ifnull({value} IN ({listed}), 0)"
        return name, text, isAny if operator in ("eq", "in") else f"NOT {isAny}"

    def group(self, rng, joint, depth):
        texts, clauses = [], []
        for _ in range(rng.randrange(1, 4)):
            if depth < 3 and rng.random() < 0.25:
                inner = rng.choice(["or", "and", "not"])
                text, clause = self.group(rng, inner, depth + 1)
                texts.append(inner + text)
            else:
                name, value, clause = self.condition(rng)
                isList = name.endswith(("__in", "__nin"))
                texts.append(f"{name}=({value})" if isList else f"{name}={value}")
            clauses.append(f"ifnull(({clause}), 0)")
        clause = (" OR " if joint == "or" else " AND ").join(clauses)
        return f"({','.join(texts)})", f"NOT ({clause})" if joint == "not" else f"({clause})"

    @property
    def address(self):
        return "/parcels.json?" + urllib.parse.urlencode(self.parameters, safe="(),:.=")


def ask(base, address):
    try:
        with urllib.request.urlopen(base + address) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{error.code} {error.read().decode()[:600]}") from None


def check(base, query, oracle):
    """Compares the rows of all pages, labels, aggregates and counted values with SQL."""
    wanted = oracle.execute(f"SELECT id, person_id FROM parcels WHERE {query.where} ORDER BY {query.order}").fetchall()
    first = page = ask(base, query.address)
    found = []
    while True:
        shown = [row for section in page["sections"] for row in section["rows"]]
        found += [(row["cells"]["id"], row["cells"]["person_id"], row.get("display", {}).get("person_id")) for row in shown]
        if not page["links"]["next"] or len(found) > len(wanted):
            break
        page = ask(base, page["links"]["next"])
    names = dict(oracle.execute("SELECT id, name FROM people"))
    # A row without a name shows its id.
    labels = [(i, p, p and (names[p] or str(p))) for i, p in wanted]
    if found != labels:
        place = next((n for n, (a, b) in enumerate(zip(found, labels)) if a != b), min(len(found), len(labels)))
        raise AssertionError(f"row {place} of {len(found)}, {len(labels)}: "
                             f"{found[place:place + 3]} instead of {labels[place:place + 3]}")
    assert first["total"]["value"] == len(wanted), f"total {first['total']} of {len(wanted)}"
    for function in query.aggregates:
        value = oracle.execute(f"SELECT {function}(total) FROM parcels WHERE {query.where}").fetchone()[0]
        given = first["aggregates"][function]["total"]
        isSame = given == value or (None not in (given, value) and abs(given - value) < 1e-9)
        assert isSame, f"{function} {given} instead of {value}"
    # Conditions on the counted column itself do not narrow its values.
    if query.facet and not any(name.split("__")[0] == query.facet for name, _ in query.parameters):
        value = PATHS[query.facet][0] if query.facet in PATHS else query.facet
        counts = dict(oracle.execute(f"SELECT {value}, count(*) FROM parcels WHERE {query.where} GROUP BY 1"))
        given = {v["value"]: v["count"] for v in first["facets"][0]["values"]}
        assert given == counts, f"facet {given} instead of {counts}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("ROSTER_PROGRAM", os.path.join(
        os.path.dirname(__file__), "../../.build/release/roster")))
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    rng = random.Random(options.seed)
    folder = tempfile.mkdtemp(prefix="roster-relations-")
    cluster = None
    failures = done = 0
    try:
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if found:
            cluster = tables.Cluster(os.path.dirname(found[-1]))
        else:
            print("SKIPPED: relations in PostgreSQL: it is not installed", file=sys.stderr)
        perTable, number = 100, 0
        while done < options.queries:
            number += 1
            people, parcels = rows(rng)
            oracle = sqlite3.connect(":memory:")
            oracle.executescript(script(people, parcels, "text"))
            path = f"{folder}/{number}.db"
            with sqlite3.connect(path) as file:
                file.executescript(script(people, parcels, "text", "" if number % 2 else None))
            sources = [("sqlite", path)]
            if cluster:
                cluster.load(f"r{number}", script(people, parcels, "jsonb", ' COLLATE "C"' if number % 2 else None))
                sources.append(("postgres", cluster.address(f"r{number}")))
            batch = [Query(rng) for _ in range(min(perTable, options.queries - done))]
            for engine, source in sources:
                with Service(source, "--loops", "1", "--rows-time", "20000", "--facets-time", "5000",
                             program=options.program) as service:
                    for query in batch:
                        try:
                            check(service.base, query, oracle)
                        except AssertionError as error:
                            failures += 1
                            print(f"{engine} {query.address}\n  {query.where} ORDER BY {query.order}\n  {error}", flush=True)
            done += len(batch)
            if cluster:
                cluster.drop(f"r{number}")
            if failures > 20:
                break
    finally:
        if cluster:
            cluster.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{done} queries, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
