"""What a client knows and OpenAPI 3.1 cannot say, for schemathesis.

Only requests that are meant to be right are touched: which parameters exclude one another, and what
must come from an earlier answer. Cursors are those of pages that were read, and entity tags those of
rows that are there; how many of them were taken is said at the end, and none is a failure.
"""

import atexit
import collections
import itertools
import json
import re
import urllib.parse
import urllib.request

import schemathesis

MAXIMUM_CONDITIONS = 16
RESERVED = {
    "limit", "after", "before", "page", "offset", "around", "sort", "group", "section", "per_section", "columns",
    "q", "count", "facets", "jump", "layout", "collapsed", "expanded", "segment", "on_duplicate", "on",
    "or", "not", "sum", "avg", "min", "max", "statistics", "embed", "bom", "shape", "pretty",
}
# Parameters that only JSON has, and the endings of other formats.
OF_JSON = {"embed", "shape", "pretty"}
OTHERS = (".html", ".csv", ".ndjson", ".xlsx")
keys = itertools.count()
turns = itertools.count()
# The queries of the links behind and before pages that were read, by the addresses of lists.
links = collections.defaultdict(lambda: collections.deque(maxlen=50))
# What was sent with a cursor or a tag, and what came of it.
sent = {}
taken = collections.Counter()


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None:
        return
    if case.headers:
        # A tag that was made up names no state: whatever else is wrong, 412 goes before it.
        case.headers.pop("If-Match", None)
        if case.method != "GET":
            case.headers.pop("If-None-Match", None)
    if not case.meta.generation.mode.is_positive:
        return
    # What is written is a row, and not its page for people, to which a link leads.
    row = (case.path_parameters or {}).get("row")
    if case.method != "GET" and isinstance(row, str):
        case.path_parameters["row"] = row.removesuffix(".html")
    if case.path.endswith("/-/changes"):
        case.query = {"since": version(case)}
    if case.query:
        agree(case.query, case.path)
        if "on" in case.query:
            find_rows(case)
        if any(str(part).endswith(OTHERS) for part in (case.path_parameters or {}).values()):
            for name in OF_JSON:
                case.query.pop(name, None)
    if case.method == "GET" and links[case.path] and next(turns) % 3 == 0:
        case.query = dict(links[case.path][next(turns) % len(links[case.path])])
        sent[case.id] = "cursors"
    elif case.method in ("PUT", "PATCH", "DELETE") and isinstance(row, str):
        match(case)
    # A key that was used names another request.
    key = (case.headers or {}).get("Idempotency-Key")
    if key:
        case.headers["Idempotency-Key"] = f"{key}-{next(keys)}"[-255:]


@schemathesis.hook
def after_call(context, case, response):
    kind = sent.pop(case.id, None)
    if kind and 200 <= response.status_code < 300:
        taken[kind] += 1
    if case.method != "GET" or response.status_code != 200:
        return
    if not response.headers.get("content-type", [""])[0].startswith("application/json"):
        return
    page = response.json()
    if not isinstance(page, dict) or "page" not in page:
        return
    for name in ("next", "prev"):
        link = page["links"].get(name)
        if link and urllib.parse.urlsplit(link).path == case.path:
            query = urllib.parse.urlsplit(link).query
            links[case.path].append(urllib.parse.parse_qs(query, keep_blank_values=True))


def match(case):
    """Sends a change to a row that is there every other time, with the tag that it has."""
    if next(turns) % 2:
        return
    page = first_page(case, "/{row}")
    there = [row for section in page["sections"] for row in section["rows"]]
    if not there:
        return
    row = there[next(turns) % len(there)]
    case.path_parameters["row"] = row["id"]
    case.headers["If-Match"] = row["etag"]
    sent[case.id] = "tags"


@atexit.register
def report():
    print(f"Taken from answers: {taken['cursors']} cursors, {taken['tags']} entity tags")


def first_page(case, suffix):
    """The page that a list shows when nothing is asked for; the suffix is what follows its address."""
    address = case.operation.base_url.rstrip("/") + case.path.removesuffix(suffix) + ".json"
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def version(case):
    """The version of the page that the list shows when nothing is asked for."""
    changes = first_page(case, "/-/changes")["links"]["changes"]
    return urllib.parse.parse_qs(urllib.parse.urlsplit(changes).query)["since"][0]


def agree(query, path):
    """Makes parameters agree that a schema can only describe one by one."""
    for unknown in ("after", "before", "section", "collapsed", "expanded", "around"):
        query.pop(unknown, None)
    if "page" in query:
        query.pop("offset", None)
        query.pop("jump", None)
        query.pop("per_section", None)
        bound(query, "page")
    if "offset" in query:
        query.pop("jump", None)
        query["offset"] = int(query["offset"]) % 20
    # A group names columns and values that they can have.
    for joint in ("or", "not"):
        if joint in query:
            query[joint] = ["(id=1,not(id__in=(2,3)))"]
    if not path.endswith(".csv"):
        query.pop("bom", None)
    # Letters are those of the first column that rows stand by, where that is a text: of users.
    if not path.startswith("/users"):
        query.pop("jump", None)
    if "jump" in query:
        query.pop("sort", None)
        query.pop("group", None)
    if "per_section" in query:
        query.setdefault("limit", 1)
        bound(query, "per_section")
        bound(query, "limit")
    if "sort" in query:
        query["sort"] = once(query["sort"])
    if not re.search(r"[^\W_]", str(query.get("q", "x"))):
        query.pop("q")
    conditions = [name for name in query if name not in RESERVED]
    # The groups above have two conditions each.
    rest = MAXIMUM_CONDITIONS - 2 * len({"or", "not"} & set(query))
    for name in conditions[rest:]:
        query.pop(name)


def find_rows(case):
    """Finds rows by columns only where each row that is sent has them."""
    names = case.query["on"].split(",") if isinstance(case.query["on"], str) else case.query["on"]
    rows = case.body if isinstance(case.body, list) else [None]
    if not all(isinstance(row, dict) and row.get(name) is not None for row in rows for name in names):
        case.query.pop("on")
    elif case.query.get("on_duplicate", "error") == "error":
        case.query["on_duplicate"] = "replace"


def bound(query, name):
    """Brings a number below what two of them may make together."""
    query[name] = 1 + (int(query[name]) - 1) % 20


def once(keys):
    """Each column once, whichever its direction."""
    seen = {}
    for key in keys.split(",") if isinstance(keys, str) else keys:
        seen.setdefault(key.lstrip("-").split(":")[0], key)
    return ",".join(seen.values()) if isinstance(keys, str) else list(seen.values())
