"""A roster of its own for a test: real files, a real process, a port that was free."""

import csv
import json
import os
import pathlib
import re
import subprocess
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ROSTER_PROGRAM", str(ROOT / ".build/debug/roster"))

#: What must stay text wherever it is shown.
HOSTILE = [
    "<script>document.title='owned'</script>",
    "\"><img src=x onerror=document.title='owned'>",
    "' onmouseover='document.title=1' x='",
    "javascript:document.title='owned'",
    "=HYPERLINK(\"http://evil.example\",\"x\")",
    "</td></tr></table><h1>owned</h1>",
    "{{constructor.constructor('document.title=1')()}}",
    "\u202egnp.exe \u0000\u0007",
    "𝕌𝕟𝕚𝕔𝕠𝕕𝕖 שלום مرحبا 日本語",
]

CITIES = ["Berlin", "Oslo", "Paris", "Lisbon", None]
NAMES = ["Ada", "Barbara", "Dennis", "Edsger", "Frances", "Grace", "Ken", "Élodie", "Žofia"]


def clean_environment():
    """The variables of this process that are no settings of the program."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ROSTER_")}


class Service:
    """A running program; use it in a with statement."""

    def __init__(self, *arguments, program=PROGRAM, environment=None, stdin=None):
        self.program = program
        self.arguments = arguments
        self.stdin = stdin
        self.environment = environment or {}

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program, *self.arguments],
            stdin=self.stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**clean_environment(), "ROSTER_PORT": "0", **self.environment},
        )
        self.said = []
        for line in self.process.stdout:
            self.said.append(line)
            found = re.search(r"http://[^\s/]+:\d+", line)
            if found:
                self.base = found.group(0)
                return self
        raise RuntimeError("roster did not start:\n" + "".join(self.said))

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def get(self, path, accept="application/json"):
        """The status and the text of an answer."""
        request = urllib.request.Request(self.base + path, headers={"Accept": accept})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def json(self, path):
        """The members of an answer."""
        return json.loads(self.get(path)[1])

    def send(self, method, path, row=None):
        """Writes a row."""
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if row is None else json.dumps(row).encode(),
            headers={"Content-Type": "application/json", "Accept": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()


def write_people(path, count):
    """A table of people in a handful of cities, some of whom nobody should trust."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "email", "city", "age", "born", "active", "site", "notes"])
        for index in range(count):
            name = f"{NAMES[index % len(NAMES)]} {chr(65 + index * 7 % 26)}{index:04}"
            table.writerow([
                index + 1,
                name,
                f"u{index}@example.org" if index % 7 else "",
                CITIES[index * 3 % len(CITIES)] or "",
                20 + index * 11 % 60 if index % 5 else "",
                f"{1950 + index % 50}-{1 + index % 12:02}-{1 + index % 28:02}",
                "true" if index % 3 else "false",
                f"https://example.org/{index}" if index % 2 else "",
                "A long note. " * 9 if index % 11 == 0 else "",
            ])


def write_wide(path, rows=1000, columns=24):
    """A table of many columns, of which every second row has a falcon."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "name"] + [f"column {number}" for number in range(columns - 2)])
        for index in range(rows):
            row = [index + 1, f"{'Falcon' if index % 2 else 'Heron'} {NAMES[index % len(NAMES)]}"]
            for number in range(columns - 2):
                row.append([
                    "Words that go on " * (1 + index % 5), index * 37 % 10_000,
                    f"{1950 + index % 50}-{1 + index % 12:02}-{1 + index % 28:02}",
                    "" if index % 3 else "short",
                ][number % 4])
            table.writerow(row)


def write_hostile(path):
    """A table with hostile names of columns and hostile values in every cell."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        texts = [text.replace("\0", "") for text in HOSTILE]
        table.writerow(["id", "<b>name</b>", "a\"b'c", "javascript:1"])
        for index, text in enumerate(texts):
            table.writerow([f"{index}-{text}"[:60], text, texts[-index], text])
