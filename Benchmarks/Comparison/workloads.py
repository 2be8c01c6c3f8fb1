"""Requests as people send them: other addresses each time, filters, tokens.

They are asked of the program and its sample users, so that the table has the same page beside each
other: asked again and again, as most comparisons do, and asked for the first time.
"""

import csv
import hashlib
import json

import measuring
from servers import BENCHMARKS, BUILT, Server, run, swift_build

JSON, HTML = "Accept: application/json", "Accept: text/html"
TOKEN = "roster_comparison"
#: The cases: what is asked of which server, how often it is new, and what the limit sends then.
CASES = {
    "sample-json-same": ("roster-samples", "/users", [JSON], "again", "/samples"),
    "sample-json-new": ("roster-samples", "/users?utm_s=NUMBER", [JSON], "new", "/samples"),
    "sample-json-drawn": ("roster-samples-drawn", "/users", [JSON], "again", "/samples"),
    "sample-json-token": (
        "roster-samples-token", "/users", [JSON, f"Authorization: Bearer {TOKEN}"], "again",
        "/samples",
    ),
    "sample-json-filter": (
        "roster-samples", "/users?age__gte=1&age__ne=NUMBER", [JSON], "new", "/samples"
    ),
    "sample-html-same": ("roster-samples", "/users", [HTML], "again", "/samples.html"),
    "sample-html-new": ("roster-samples", "/users?utm_s=NUMBER", [HTML], "new", "/samples.html"),
    "sample-html-drawn": ("roster-samples-drawn", "/users", [HTML], "again", "/samples.html"),
    "sample-sqlite-same": ("roster-samples-sqlite", "/users", [JSON], "again", "/imported"),
    "sample-sqlite-new": (
        "roster-samples-sqlite", "/users?utm_s=NUMBER", [JSON], "new", "/imported"
    ),
}
TITLES = {
    "sample-json": "JSON",
    "sample-html": "HTML",
    "sample-sqlite": "JSON, imported into SQLite",
}
MANNERS = {
    "same": "the same URL again",
    "new": "a new URL each time",
    "drawn": "the same URL, page cache off",
    "token": "the same URL with a token",
    "filter": "a new filter each time",
}


def add(servers, folder):
    """Adds the servers of the sample users; returns what the limit sends besides, by its path."""
    program = swift_build(BENCHMARKS.parent, "roster")
    settings = {"ROSTER_PORT": "PORT", "ROSTER_LOOPS": "1"}
    samples = Server("roster-samples", [program], settings, weighed=False)
    tokens = folder / "tokens"
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    tokens.write_text(f"comparison sha256:{digest} *:read\n")
    made = [
        samples,
        Server("roster-samples-drawn", [program], settings | {"ROSTER_PAGE_CACHE": "0"},
               weighed=False),
        Server("roster-samples-token", [program, "--anonymous", "read", "--tokens", str(tokens)],
               settings, weighed=False),
        Server("roster-samples-sqlite", [program, "--database", imported(program, samples)],
               settings, weighed=False),
    ]
    prepared = {}
    for server, path, field, name in (
        (samples, "/users", JSON, "samples"), (samples, "/users", HTML, "samples.html"),
        (made[-1], "/users", JSON, "imported"),
    ):
        server.start()
        try:
            head, body = measuring.ask(server, path, [field])
        finally:
            server.stop()
        file = folder / f"{name}.http"
        file.write_bytes(head + body)
        prepared["/" + name] = file
    servers += made
    return prepared


def imported(program, samples):
    """A database that the sample users were imported into; kept for the next time."""
    database, file = BUILT / "samples.db", BUILT / "samples.csv"
    if database.exists():
        return str(database)
    samples.start()
    try:
        _, body = measuring.ask(samples, "/users?group=none&limit=500", [JSON])
    finally:
        samples.stop()
    page = json.loads(body)
    columns = [column["id"] for column in page["columns"]]
    with open(file, "w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines)
        writer.writerow(columns)
        for row in page["sections"][0]["rows"]:
            writer.writerow(row["cells"][column] for column in columns)
    run([program, "import", file, "--list", "users", "--database", database])
    return str(database)


def cases(by_name):
    """The cases, each of the limit and of the program."""
    for name, (server, path, fields, manner, limit) in CASES.items():
        yield name, by_name["limit"], limit, 64, fields, "again"
        yield name, by_name[server], path, 64, fields, manner
