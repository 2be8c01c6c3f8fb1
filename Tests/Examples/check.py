"""Runs the examples and checks what they serve.

    check.py FOLDER      the folder of the built programs
"""

import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

SLOW_CLIENTS = 64


class Program:
    """A running example."""

    def __init__(self, name):
        environment = {**os.environ, "ROSTER_PORT": "0", "ROSTER_DRAIN_DELAY": "0"}
        self.process = subprocess.Popen(
            [os.path.join(sys.argv[1], name)], stderr=subprocess.PIPE, text=True, env=environment)
        line = self.process.stderr.readline()
        found = re.search(r"http://[^/]+", line)
        assert found, line
        self.address = found[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(10) == 0, "SIGTERM ends a program after open requests"

    def send(self, method, path, value=None, kind="application/json"):
        """The status and the document of a response."""
        request = urllib.request.Request(
            self.address + path, method=method,
            data=None if value is None else json.dumps(value).encode(),
            headers={"Accept": "application/json", "Content-Type": kind})
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or "null")

    def sections(self, path):
        """The sections of a page."""
        status, page = self.send("GET", path)
        assert status == 200, page
        return page["sections"]


def check_library():
    with Program("Library") as app:
        assert [s["id"] for s in app.sections("/books")] == ["Novel", "Stories"]
        status, done = app.send("POST", "/books/1/-/lend")
        assert status == 200 and "two weeks" in done["message"], done
        assert app.send("GET", "/books/1")[0] == 404


def check_colours():
    with Program("Colours") as app:
        sections = app.sections("/colours")
        assert [s["header"]["title"] for s in sections] == ["Blue", "Red", "Green"]
        assert sections[1]["footer"]["text"] == "Warm."
        assert sections[0]["rows"][0]["cells"] == {"name": "Navy", "hex": "#000080"}


def check_phone():
    with Program("Phone") as app:
        teams, people = app.sections("/phone")
        assert teams["rows"][0]["cells"] == {"name": "Home", "size": 4}
        assert [r["cells"] for r in people["rows"]][1] == {"name": "Grace", "phone": None}
        assert [r["id"] for r in people["rows"]] == ["contact-1", "contact-2"]
        assert app.send("POST", "/phone/contact-1/-/call")[1]["message"] == "Calling Ada."
        assert app.send("POST", "/phone/team-1/-/call")[0] == 404


def check_todos():
    with Program("Todos") as app:
        status, made = app.send("POST", "/todos", {"title": "Read"})
        assert status == 201, made
        path = "/todos/" + made["row"]["id"]
        assert app.send("POST", path + "/-/snooze", {"days": "x"})[0] == 422
        status, done = app.send("POST", path + "/-/snooze", {"days": 1})
        assert done["message"] == "Snoozed by somebody.", done
        patch = "application/merge-patch+json"
        assert app.send("PATCH", path, {"title": "Write"}, patch)[0] == 200
        row = app.sections("/todos")[0]["rows"][0]["cells"]
        assert row["title"] == "Write" and row["due"], row
        check_speed(app)
        assert app.send("DELETE", path)[0] == 204
        assert app.send("GET", path)[0] == 404


def check_speed(app):
    """A slow store delays neither health probes nor other lists."""
    times = {"/-/live": [], "/fast.json": []}
    with concurrent.futures.ThreadPoolExecutor(SLOW_CLIENTS) as pool:
        slow = [pool.submit(app.send, "GET", "/todos") for _ in range(SLOW_CLIENTS)]
        while not all(request.done() for request in slow):
            for path, measured in times.items():
                start = time.monotonic()
                urllib.request.urlopen(app.address + path).read()
                measured.append(time.monotonic() - start)
        assert all(request.result()[0] == 200 for request in slow)
    for path, measured in times.items():
        median = sorted(measured)[len(measured) // 2] * 1_000
        print(f"{path} beside {SLOW_CLIENTS} clients of a slow store: median {median:.1f} ms")
        # Other work of the machine may delay single requests.
        assert median < 50, measured


for check in (check_library, check_colours, check_phone, check_todos):
    print(check.__name__.replace("_", " "))
    check()
