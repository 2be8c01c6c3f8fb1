"""Sends random requests to every route in every format, with every documented parameter in
combinations, and fails where the process ends or an answer is a 5xx.

The program serves lists of 10, 300 and 15,000 rows: files, SQLite, PostgreSQL, and an app with a list
in memory. Routes and parameters come from /-/openapi.json; values come from the rows, from links of
earlier answers, and from garbage. SEED=n repeats the choices of a seed.

    requests.py SECONDS
"""

import glob
import http.client
import json
import os
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../Browser"), os.path.join(HERE, "../Differential")]
import tables  # noqa: E402
from service import Service  # noqa: E402

PROGRAM = os.environ.get("ROSTER_PROGRAM", os.path.join(HERE, "../../.build/release/roster"))
EXAMPLE = os.path.join(os.path.dirname(PROGRAM), "DifferentialExample")
SIZES = [10, 300, 15_000]
COLUMNS = ["id", "name", "team_id", "score", "joined", "seen", "active", "meta", "tags", "note"]
NAMES = ["Ada", "Bob & Co", "Zoë", "", "<b>", "O'Neil", "100%", "a,b", "日本", "x" * 70]
GARBAGE = ["", "x", "0", "-1", "9223372036854775807", "1e999", "%00", "'", "()", "or=(", "~", "*",
           "2024-02-30", "null", "true", "\u202e", "AAAA", "a.b.c", "meta.", ":year", "[]", ","]
# Longer reads are no errors of the program.
PATIENCE = ["--rows-time", "20000"]


def rows(count):
    """The rows of the lists, all of whose columns have types and gaps of their own."""
    for n in range(1, count + 1):
        yield [n, NAMES[n * 7 % len(NAMES)], n % 5 + 1 if n % 6 else None, n * 37 % 1000 / 4 if n % 4 else None,
               f"20{n % 30:02}-{n % 12 + 1:02}-{n % 28 + 1:02}" if n % 9 else None,
               f"2024-{n % 12 + 1:02}-01T{n % 24:02}:30:00Z", ["true", "false"][n % 2],
               json.dumps({"k": n % 7, "s": NAMES[n % 5], "deep": {"e": [n, n % 3]}}) if n % 5 else None,
               json.dumps([f"t{n % 4}", n % 3]), "A long note. " * (n % 9)]


def write_csv(folder, count):
    teams = f"{folder}/teams.csv"
    with open(teams, "w", encoding="utf-8") as file:
        file.write("id,name,boss_id\n" + "".join(f"{n},Team {n},{n % 5 + 1}\n" for n in range(1, 6)))
    path = f"{folder}/people.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(COLUMNS) + "\n")
        for row in rows(count):
            file.write(",".join(tables.csv_field(None if cell is None else str(cell)) for cell in row) + "\n")
    return [path, teams, "--relate", "people.team_id=teams,teams.boss_id=teams"]


SCHEMA = """CREATE TABLE teams (id integer PRIMARY KEY, name text, boss_id integer REFERENCES teams (id));
CREATE TABLE people (id integer PRIMARY KEY, name text, team_id integer REFERENCES teams (id), score real,
    joined date, seen timestamp, active boolean, meta {json}, tags {json}, note text);
"""


def write_sqlite(folder, count):
    path = f"{folder}/shop.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA.format(json="text"))
    connection.executemany("INSERT INTO teams VALUES (?, ?, ?)",
                           [(n, f"Team {n}", n % 5 + 1) for n in range(1, 6)])
    connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           [[*row[:6], row[6] == "true", *row[7:]] for row in rows(count)])
    connection.commit()
    connection.close()
    return [path]


def postgres_script(count):
    def spelled(cell):
        return "NULL" if cell is None else "'" + str(cell).replace("'", "''") + "'"
    lines = [f"INSERT INTO people VALUES ({', '.join(map(spelled, row))});" for row in rows(count)]
    teams = "".join(f"INSERT INTO teams VALUES ({n}, 'Team {n}', {n});" for n in range(1, 6))
    return SCHEMA.format(json="jsonb") + teams + "\n".join(lines)


def write_app(folder, count):
    types = ["integer:number", "text:name", "integer:team", "real:score", "date:joined", "boolean:active"]
    records = [["integer", *types]]
    for row in rows(count):
        cells = [row[0], row[1], row[2], row[3], row[4], row[6]]
        records.append([str(row[0])] + ["" if cell is None else f"{kind.split(':')[0]}:{cell}"
                                        for kind, cell in zip(types, cells)])
    path = f"{folder}/rows"
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join("\x1f".join(record) + "\x1e" for record in records))
    return path


class Requests:
    """Random requests to one service, from what it says of itself and from its answers."""

    def __init__(self, service, rng):
        self.host = service.base.removeprefix("http://")
        self.rng = rng
        self.links = []
        self.count = 0
        self.description = json.loads(service.get("/-/openapi.json")[1])
        self.ids = {}

    def operation(self):
        path, item = self.rng.choice(list(self.description["paths"].items()))
        method = self.rng.choice([name for name in item if name in ("get", "post", "put", "patch", "delete")])
        if method != "get" and self.rng.random() < 0.5:
            method = next((name for name in item if name == "get"), method)
        parameters = [self.resolved(p) for p in item.get("parameters", []) + item[method].get("parameters", [])]
        return path, method, [p for p in parameters if p.get("in") == "query"]

    def resolved(self, part):
        while "$ref" in part:
            found = self.description
            for name in part["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            part = found
        return part

    def value(self, name, schema):
        rng = self.rng
        schema = self.resolved(schema)
        for choice in ("oneOf", "anyOf"):
            if choice in schema:
                schema = self.resolved(rng.choice(schema[choice]))
        if schema.get("type") == "array":
            schema = self.resolved(schema.get("items", {}))
        if rng.random() < 0.04:
            return rng.choice(GARBAGE)
        if "enum" in schema and rng.random() < 0.9:
            return str(rng.choice(schema["enum"]))
        if name in ("sort", "group", "facets", "columns", "sum", "avg", "min", "max", "statistics", "on"):
            return self.path() if name in ("group", "statistics") else ",".join(
                rng.choice(["", "-"] if name == "sort" else [""]) + self.path() for _ in range(rng.choice([1, 1, 2])))
        if name in ("or", "not"):
            return f"({','.join(self.condition() for _ in range(rng.choice([1, 2, 3])))})"
        if name == "embed":
            return rng.choice(["team", "people", "boss", "team(name)", "team,people", "teams"])
        if name in ("limit", "page", "offset", "per_section", "around"):
            return str(rng.choice([1, 2, 3, 7, 50, 200]))
        if name in ("after", "before", "since", "section", "collapsed", "expanded", "jump"):
            return rng.choice(["all", "A", "1", "Team 1", "t1", "2024-01", "~"])
        return str(rng.choice([rng.choice(NAMES), rng.randrange(16_000), "2024-02-01", "true", "t1"]))

    def path(self):
        return self.rng.choice(COLUMNS + ["team.name", "boss.name", "team.id", "meta.k", "meta.deep.e.0", "meta.s",
                                          "tags[]", "joined:year", "seen:month", "seen:day", "name:initial",
                                          "number", "team", "id", "nothing", "meta.deep.e[]", "?"])

    def condition(self):
        rng = self.rng
        operator = rng.choice(["", "", "__ne", "__lt", "__lte", "__gt", "__gte", "__contains", "__startswith", "__in",
                               "__nin", "__isnull", "__is", "__has", "__endswith"])
        row = rng.choice(self.samples)
        value = rng.choice([str(cell) for cell in row if cell is not None])
        if operator in ("__in", "__nin"):
            value += f",{rng.choice(NAMES)}"
        value = rng.choice(["true", "false"]) if operator == "__isnull" else value
        return f"{self.path()}{operator}={urllib.parse.quote(value, safe='')}"

    def whole_list(self):
        """A list in some format, mostly without a limit, whose query derives columns."""
        rng = self.rng
        items = rng.sample([f"sort={self.path()}", f"group={self.path()}", f"facets={self.path()},{self.path()}",
                            self.condition(), self.condition(), f"or=({self.condition()},{self.condition()})",
                            f"limit={rng.choice([1, 3, 500])}", f"statistics={self.path()}", f"q={urllib.parse.quote(rng.choice(NAMES))}"],
                           rng.choice([1, 1, 2, 2, 3, 4]))
        path = rng.choice(["people", "people", "teams", "users", "t", "people/-/sections", "people/-/sections/all"])
        return f"/{path}{rng.choice(['.json', '.html', '.csv', '.ndjson', '.xlsx'])}?{'&'.join(items)}"

    def target(self, path, parameters):
        rng = self.rng
        if self.links and rng.random() < 0.25:
            return rng.choice(self.links)
        def fill(match):
            name = match.group(1).lower()
            if "section" in name:
                return rng.choice(["all", "1", "Ada", "2024-01", "~"])
            return urllib.parse.quote(rng.choice(["1", "2", "7", "300", "none", "name", "delete", "edit"]))
        path = re.sub(r"\{([^}]*)\}", fill, path)
        last = path.rsplit("/", 1)[-1]
        if "." not in last and rng.random() < 0.6:
            path += rng.choice([".json", ".html", ".csv", ".ndjson", ".xlsx"])
        chosen = rng.sample(parameters, min(len(parameters), rng.choice([0, 1, 1, 2, 3, 4, 6])))
        items = [f"{p['name']}={urllib.parse.quote(self.value(p['name'], p.get('schema', {})), safe='')}"
                 for p in chosen if "{" not in p["name"]]
        items += [self.condition() for _ in range(rng.choice([0, 0, 1, 1, 2]))]
        rng.shuffle(items)
        return path + ("?" + "&".join(items) if items else "")

    def body(self, method, path):
        rng = self.rng
        if method == "get":
            return None, {}
        if rng.random() < 0.4:
            text = rng.choice(["all=true", "id=1&id=2", "name=Ada&score=1", "score=x", "id=1&all=true"])
            return text, {"Content-Type": "application/x-www-form-urlencoded"}
        row = {"name": rng.choice(NAMES), "score": rng.choice([1, None, "x", 2.5]), "meta": rng.choice([None, {"k": 1}])}
        row = {name: value for name, value in row.items() if rng.random() < 0.7}
        made = rng.choice([row, [row, row], {"ids": ["1", "2"]}, {"all": True}, "x", [], {"row": row}])
        text = json.dumps(made) if rng.random() < 0.95 else "{"
        return text, {"Content-Type": rng.choice(["application/json"] * 8 + ["text/csv", "text/plain"])}

    def send(self, connection):
        rng = self.rng
        path, method, parameters = self.operation()
        if path.endswith("/changes") and "event" in rng.choice(["event", "page"]):
            path = path.replace("/changes", "/schema")
        target = self.whole_list() if method == "get" and rng.random() < 0.4 else self.target(path, parameters)
        if "/-/changes" in target:
            target = target.split("?")[0] + "?since=AAAA"
        text, fields = self.body(method, path)
        if method == "get" and rng.random() < 0.1:
            method = rng.choice(["head", "options"])
        fields["Accept"] = rng.choice(["application/json", "text/html", "*/*"])
        if rng.random() < 0.2:
            fields["Prefer"] = rng.choice(["return=minimal", "count=exact", "handling=lenient"])
        connection.request(method.upper(), target, text, fields)
        answer = connection.getresponse()
        content = answer.read()
        self.count += 1
        if answer.status >= 500:
            raise Failure(f"{answer.status} to {method.upper()} {target} {text or ''}\n{content[:2000].decode(errors='replace')}")
        if answer.status == 200 and content[:1] in (b"{", b"<") and len(self.links) < 4_000:
            found = re.findall(r'"(/[^"\\ ]{1,2000})"', content[:200_000].decode(errors="replace"))
            found = [link.replace("&amp;", "&") for link in found if "/-/assets" not in link and "changes" not in link]
            self.links += rng.sample(found, min(len(found), 3))


class Failure(Exception):
    """An answer that no request may get, or the end of the process."""


def hammer(service, seed, seconds, samples):
    """Sends requests on some connections until the time is over; returns their number."""
    failures, counts = [], []
    end = time.monotonic() + seconds

    def run(number):
        requests = Requests(service, random.Random(f"{seed}-{number}"))
        requests.samples = samples
        host, port = requests.host.split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=90)
        try:
            while time.monotonic() < end and not failures:
                try:
                    requests.send(connection)
                except (http.client.HTTPException, ConnectionError, TimeoutError) as error:
                    connection.close()
                    if service.process.poll() is not None:
                        raise Failure(f"the process ended: {service.process.returncode}") from error
        except Failure as failure:
            failures.append(failure)
        except Exception as error:  # A fault of this program fails the test, too.
            failures.append(error)
        counts.append(requests.count)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return sum(counts)


def drain(stream):
    """Reads the log, which would fill its pipe; the end of it tells of a trap."""
    lines = []
    def read():
        for line in stream:
            lines.append(line)
            del lines[:-1_000]
    threading.Thread(target=read, daemon=True).start()
    return lines


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = os.environ.get("SEED") or str(random.randrange(10**6))
    folder = tempfile.mkdtemp(prefix="roster-requests-")
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    cluster = None
    kinds = ["files", "database", "sqlite", "app", "users"]
    try:
        if programs:
            cluster = tables.Cluster(os.path.dirname(programs[-1]))
            kinds.append("postgres")
        else:
            print("SKIPPED: requests to PostgreSQL, which is not installed", file=sys.stderr)
        turns = [(kind, size) for size in SIZES for kind in kinds]
        for kind, size in turns:
            place = f"{folder}/{kind}{size}"
            os.mkdir(place)
            program, stdin, words = PROGRAM, None, [*PATIENCE, "--allow-anonymous-writes", "--loops", "2"]
            if kind in ("files", "database"):
                words += write_csv(place, size)
                words += ["--database", f"{place}/kept.db"] if kind == "database" else []
            elif kind == "sqlite":
                words += write_sqlite(place, size)
            elif kind == "postgres":
                cluster.load(f"s{size}", postgres_script(size))
                words += [cluster.address(f"s{size}")]
            elif kind == "app":
                program, stdin, words = EXAMPLE, open(write_app(place, size), encoding="utf-8"), []
            with Service(*words, program=program, stdin=stdin) as service:
                log = drain(service.process.stdout)
                try:
                    count = hammer(service, f"{seed}-{kind}-{size}", seconds / len(turns), list(rows(10)))
                except Exception as failure:
                    start = next((n for n, line in enumerate(log) if "Fatal error" in line), len(log) - 20)
                    told = "".join(log[max(start, 0):][:40])
                    print(f"failed: {kind} of {size} rows: {failure}\nSEED={seed}\n{told}", file=sys.stderr)
                    return 1
                print(f"{kind:9}{size:7} rows {count:8} requests", flush=True)
        return 0
    finally:
        if cluster:
            cluster.close()
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
