#!/usr/bin/env python3
"""Measures Roster beside what people would use instead, in one run; `make bench` calls it.

Every server has one core and the load generator (wrk) another one. In each round every case is asked
of all servers, one behind the other, so that what the machine does besides falls on all of them
alike; medians and their spread are told. Absolute figures are the machine's, ratios are what to read.
"""

import argparse
import datetime
import json
import pathlib
import statistics
import sys

sys.dont_write_bytecode = True

import charts
import measuring
import tables
import workloads
from servers import BENCHMARKS, BUILT, Server
from servers import build_limit, datasette_program, installed, nginx_server, run, swift_build

JSON, HTML = "Accept: application/json", "Accept: text/html"
CONNECTIONS = (1, 64, 256)


def build(arguments):
    """Builds all servers; the servers, and why some are missing."""
    BUILT.mkdir(exist_ok=True)
    needed = ["wrk"]
    if arguments.peers:
        # What FlyingFox is linked with has a program of its own each.
        needed += ["curl-config=libcurl4-openssl-dev", "xml2-config=libxml2-dev"]
    if not installed(*needed):
        raise SystemExit(1)
    users = swift_build(BENCHMARKS, "users")
    programs = {"roster": users}
    settings = {"ROSTER_PORT": "PORT", "ROSTER_LOOPS": "1"}
    drawn = settings | {"ROSTER_PAGE_CACHE": "0"}
    servers = [
        Server("roster", [users], settings), Server("roster-drawn", [users], drawn),
    ]
    missing = {}

    page, limit = BUILT / "page", build_limit("limit")
    page.mkdir(exist_ok=True)
    prepare(servers[0], page)
    prepared = [f"/{path}={page}/{name}" for path, name in PREPARED.items()]
    prepared += [f"{path}={file}" for path, file in workloads.add(servers, page).items()]
    servers.append(Server("limit", [str(limit), "PORT", *prepared]))
    programs["limit"] = str(limit)
    nginx = nginx_server(page)
    if nginx:
        servers.append(nginx)
    else:
        missing["nginx"] = "not installed"
    if arguments.peers:
        for name, product in (("hummingbird", "HummingbirdUsers"), ("flyingfox", "FlyingFoxUsers")):
            program = swift_build(BENCHMARKS / "Peers", product)
            programs[name] = program
            paths = {"json": "/users", "html": "/users.html"}
            if name == "flyingfox":
                del paths["html"]
            servers.append(Server(name, [program, "PORT"], paths=paths))
    add_databases(arguments, servers, missing)
    return servers, programs, missing


#: What the limit sends, by its path: the answers of Roster, head and all.
PREPARED = {"users": "users.http", "users.html": "html.http", "small": "small.http"}


def prepare(roster, folder):
    """Keeps the answers of Roster for those who send prepared bytes."""
    roster.start()
    try:
        for name, path, field in (
            ("users", "/users", JSON), ("html", "/users.html", HTML), ("small", "/-/live", JSON),
        ):
            head, body = measuring.ask(roster, path, [field])
            (folder / f"{name}.http").write_bytes(head + body)
            (folder / ("users.html" if name == "html" else f"{name}.json")).write_bytes(body)
    finally:
        roster.stop()


def imported(program, count):
    """A database that the program has imported so many users into; kept for the next time."""
    database = BUILT / f"users-{count}.db"
    if database.exists():
        return str(database)
    names = ["Ada", "Björk", "Chiara", "Dariush", "Emília", "Fatima", "Grace", "Hannah", "Isabel"]
    occupations = ["Designer", "Engineer", "Nurse", "Pilot", "Writer"]
    cities = ["Accra", "Bogotá", "Cork", "Delft", "Essen", "Fez", "Graz"]
    file, unfinished = BUILT / "users.csv", BUILT / "users.db"
    with open(file, "w", encoding="utf-8") as lines:
        lines.write("id,firstName,lastName,occupation,city,age\n")
        for number in range(1, count + 1):
            lines.write(
                f"{number},{names[number % 9]},Name {number * 7_919 % 1_000_003},"
                f"{occupations[number % 5]},{cities[number % 7]},{18 + number % 71}\n"
            )
    unfinished.unlink(missing_ok=True)
    run([program, "import", file, "--database", unfinished])
    unfinished.rename(database)
    return str(database)


def add_databases(arguments, servers, missing):
    """Adds those who serve a database of users: both by a column whose index both can use."""
    if not arguments.users:
        missing["roster-sqlite"] = missing["datasette"] = "no users were asked for"
        return
    program = swift_build(BENCHMARKS.parent, "roster")
    database = imported(program, arguments.users)
    settings = {"ROSTER_PORT": "PORT", "ROSTER_LOOPS": "1", "ROSTER_PAGE_CACHE": "0"}
    path = "/users?sort=age&group=none&count=none&limit=50"
    servers.append(
        Server("roster-sqlite", [program, "--database", database], settings, {"json": path})
    )
    datasette, reason = datasette_program()
    if reason:
        missing["datasette"] = reason
        return
    command = [str(datasette), "serve", "--immutable", database, "--port", "PORT"]
    for setting in ("facet_time_limit_ms 0", "suggest_facets off", "default_page_size 50"):
        command += ["--setting", *setting.split()]
    path = f"/{pathlib.Path(database).stem}/users.json?_sort=age&_shape=objects&_nocount=1"
    servers.append(Server("datasette", command, paths={"json": path}))


def check_rows(servers):
    """Sees to it that all serve the same rows."""
    pages = {}
    for server in servers:
        if server.name in ("roster", "hummingbird", "flyingfox"):
            server.start()
            _, body = measuring.ask(server, "/users", [JSON])
            server.stop()
            sections = json.loads(body)["sections"]
            pages[server.name] = [
                (row["id"], sorted(row["cells"].items())) for part in sections for row in part["rows"]
            ]
    expected = pages.pop("roster")
    for name, rows in pages.items():
        if rows != expected:
            raise SystemExit(f"{name} serves other rows than roster")


def cases(servers):
    """What is asked of whom: the name of the case, the server, its address and how it is asked."""
    by_name = {server.name: server for server in servers}
    for server in servers:
        if not server.weighed:
            continue
        for count in CONNECTIONS:
            if server.name == "datasette" and count > 64:
                continue
            fields = [] if server.name == "datasette" else [JSON]
            yield f"json-{count}", server, server.paths["json"], count, fields, "again"
        if "html" in server.paths:
            yield "html-64", server, server.paths["html"], 64, [HTML], "again"
    limit, roster = by_name["limit"], by_name["roster"]
    yield "small-64", limit, "/small", 64, [JSON], "again"
    yield "small-64", roster, "/-/live", 64, [JSON], "again"
    # A version names a start of the program too, so the tag is asked for at each start.
    for name in ("roster", "roster-drawn"):
        yield "unchanged-64", by_name[name], "/users", 64, None, "again"
    yield "small-pipelined", limit, "/small", 64, [JSON], "pipelined"
    yield "small-pipelined", roster, "/-/live", 64, [JSON], "pipelined"
    yield from workloads.cases(by_name)


def tag_of(server, path):
    head, _ = measuring.ask(server, path, [JSON])
    lines = head.decode().split("\r\n")
    return next(line for line in lines if line.startswith("ETag: ")).removeprefix("ETag: ")


def measure(arguments):
    servers, programs, missing = build(arguments)
    check_rows(servers)
    wanted = [case for case in cases(servers) if arguments.only in case[0]]
    names = list(dict.fromkeys(case[0] for case in wanted))
    # Who is compared is asked one behind the other: a shared machine differs by more from minute to
    # minute than servers do.
    wanted.sort(key=lambda case: names.index(case[0]))
    asked = [server for server in servers if any(case[1] is server for case in wanted)]
    rounds = {}
    for number in range(arguments.rounds):
        try:
            for server in asked:
                server.start()
            for name, server, path, count, fields, manner in wanted:
                if fields is None:
                    fields = [JSON, "If-None-Match: " + tag_of(server, path)]
                found = measuring.load(server, path, count, arguments.seconds, fields, manner)
                rounds.setdefault(name, {}).setdefault(server.name, []).append(found)
                print(number + 1, name, server.name, found, file=sys.stderr, flush=True)
        finally:
            for server in asked:
                server.stop()
    memory, starts, sizes = {}, {}, {}
    for server in servers:
        if not server.weighed:
            continue
        path = server.paths["json"]
        if server.name != "datasette":
            server.start()
            memory[server.name] = measuring.memory_by_connections(
                server, path, arguments.held_connections
            )
            server.stop()
        times = []
        for _ in range(3 if server.name == "datasette" else 9):
            times.append(server.start())
            if server.name == "datasette":
                memory[server.name] = {0: server.memory()}
            server.stop()
        starts[server.name] = statistics.median(times)
        if server.name in programs:
            sizes[server.name] = measuring.stripped_size(programs[server.name])
    return {
        "date": datetime.date.today().isoformat(),
        "machine": measuring.machine(),
        "seconds": arguments.seconds,
        "bytes": {
            name: (BUILT / "page" / name).stat().st_size for name in ("users.json", "users.html")
        },
        "rounds": rounds,
        "memory": memory,
        "starts": starts,
        "sizes": sizes,
        "missing": missing,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each case (15)")
    parser.add_argument("--seconds", type=int, default=1, help="seconds of each in a round (1)")
    parser.add_argument("--only", default="", help="only the cases whose name has this in it")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="leave out what "
                        "has to be fetched and built: Hummingbird, FlyingFox")
    parser.add_argument("--users", type=int, default=1_000_000, help="the users of the database that "
                        "is served by Roster and by Datasette (1,000,000); 0 leaves both out")
    parser.add_argument("--held-connections", type=int, nargs="*", default=[1000, 10000])
    parser.add_argument("--output", type=pathlib.Path, default=BUILT / "results",
                        help="the folder for raw figures, table and charts")
    arguments = parser.parse_args()
    results = measure(arguments)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "figures.json").write_text(json.dumps(results, indent=1) + "\n")
    table = tables.markdown(results)
    (arguments.output / "table.md").write_text(table)
    for name, picture in charts.comparison(results).items():
        (arguments.output / name).write_text(picture)
    print(table)


if __name__ == "__main__":
    main()
