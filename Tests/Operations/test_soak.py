"""Everything at once for a long time: nothing fails, and nothing grows.

ROSTER_TEST_SOAK is how many seconds; descriptors, threads and memory are compared when nobody
asks anything, after a first part and at the end.
"""

import contextlib
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import socket
import struct
import tempfile
import threading
import time
import unittest

from service import Service

HERE = pathlib.Path(__file__).parent
PROGRAM = os.environ.get("ROSTER_PROGRAM", str(HERE.parents[1] / ".build/release/roster"))
SECONDS = float(os.environ.get("ROSTER_TEST_SOAK", "120"))
ROWS = 20_000


class Clients:
    """Threads that each do one kind of thing until they are told to stop."""

    def __init__(self, base):
        self.host = base.split("//")[1]
        self.failures = []
        self.done = {}
        self.isEnding = threading.Event()
        kinds = [self.read, self.read, self.write, self.follow, self.wait, self.export, self.abort,
                 self.look]
        self.threads = [threading.Thread(target=self.repeat, args=[kind, seed])
                        for seed, kind in enumerate(kinds)]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.isEnding.set()
        for thread in self.threads:
            thread.join()

    def repeat(self, kind, seed):
        generator = random.Random(seed)
        name = kind.__name__
        while not self.isEnding.is_set():
            try:
                kind(generator)
                self.done[name] = self.done.get(name, 0) + 1
            except Exception as error:
                self.failures.append(f"{name}: {error!r}")
                if len(self.failures) > 20:
                    return

    def ask(self, method, target, row=None, fields=None, allowed=(200,), connection=None):
        own = connection or http.client.HTTPConnection(self.host, timeout=60)
        own.request(method, target, None if row is None else json.dumps(row), {
            "Accept": "application/json", "Content-Type": "application/json", **(fields or {})})
        answer = own.getresponse()
        content = answer.read()
        if answer.status not in allowed:
            raise AssertionError(f"{method} {target}: {answer.status} {content[:300]}")
        if answer.headers["Content-Encoding"] == "gzip":
            content = gzip.decompress(content)
        if connection is None:
            own.close()
        return answer, content

    def read(self, generator):
        """Many pages over one connection, in every form."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        for _ in range(50):
            letter = chr(97 + generator.randrange(26))
            target = generator.choice([
                "/users?limit=50", "/users?sort=lastName&limit=50", "/users?sort=-age,city",
                f"/users?city=City%20{generator.randrange(40)}", f"/users?q=name{letter}",
                "/users?group=occupation&per_section=3", "/users?facets=city", "/users?count=exact",
                f"/users?sort=lastName&jump={letter}", "/users/-/sections?group=city",
                "/users/-/schema", f"/users/{1 + generator.randrange(ROWS)}",
            ])
            fields = {"Accept": generator.choice(["text/html", "application/json"])}
            if generator.random() < 0.3:
                fields["Accept-Encoding"] = "gzip"
            answer, content = self.ask("GET", target, fields=fields, connection=connection,
                                       allowed=(200, 404) if "/users/" in target else (200,))
            if answer.status == 200 and answer.headers["ETag"] and generator.random() < 0.3:
                fields["If-None-Match"] = answer.headers["ETag"]
                self.ask("GET", target, fields=fields, connection=connection, allowed=(200, 304, 404))
            if generator.random() < 0.2 and "json" in answer.headers["Content-Type"]:
                links = json.loads(content).get("links", {})
                if "next" in links:
                    self.ask("GET", links["next"], connection=connection)
            if answer.headers["Connection"] == "close" or self.isEnding.is_set():
                break
        connection.close()

    def write(self, generator):
        """A row comes, changes, and goes, so that there are as many at the end."""
        row = {"firstName": "Soak", "lastName": f"Name {generator.random()}", "occupation": "Writer"}
        answer, _ = self.ask("POST", "/users", row, allowed=(201,))
        place = answer.headers["Location"]
        self.ask("PATCH", place, {"city": f"City {generator.randrange(40)}"})
        self.ask("PATCH", "/users/7", {"age": generator.randrange(90)})
        self.ask("DELETE", place, allowed=(204,))
        self.isEnding.wait(0.01)

    def changes(self, target):
        _, content = self.ask("GET", target)
        return json.loads(content)["links"]["changes"]

    def follow(self, generator):
        """Reads a stream for a while and leaves."""
        target = self.changes(f"/users?limit={generator.randrange(5, 50)}")
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request("GET", target, headers={"Accept": "text/event-stream"})
        answer = connection.getresponse()
        if answer.status != 200:
            raise AssertionError(f"{target}: {answer.status}")
        for _ in range(generator.randrange(1, 40)):
            if self.isEnding.is_set() or not answer.readline():
                break
        connection.close()

    def wait(self, generator):
        target = self.changes("/users?sort=lastName&limit=10")
        self.ask("GET", target, fields={"Prefer": "wait=1"}, allowed=(200, 410))

    def export(self, generator):
        self.ask("GET", f"/users.{generator.choice(['csv', 'ndjson'])}")

    def abort(self, generator):
        """Half a request, or half an answer, and then a reset."""
        host, port = self.host.split(":")
        client = socket.create_connection((host, int(port)), timeout=60)
        whole = f"GET /users.csv HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode()
        client.sendall(whole[:generator.randrange(1, len(whole) + 1)] if generator.random() < 0.5
                       else whole)
        if generator.random() < 0.5:
            client.settimeout(0.05)
            try:
                client.recv(1000)
            except TimeoutError:
                pass
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        self.isEnding.wait(0.01)

    def look(self, generator):
        """What operators ask all the time, and what nobody may ask."""
        self.ask("GET", "/-/live")
        self.ask("GET", "/-/ready")
        self.ask("GET", "/users?nonsense=1", allowed=(400,))
        self.ask("GET", "/nobody", allowed=(404,))
        self.isEnding.wait(0.05)


def state(process):
    """Descriptors, threads and resident KiB of a process."""
    with open(f"/proc/{process}/status") as file:
        text = file.read()
    return {
        "descriptors": len(os.listdir(f"/proc/{process}/fd")),
        "threads": int(re.search(r"Threads:\s+(\d+)", text)[1]),
        "memory": int(re.search(r"VmRSS:\s+(\d+)", text)[1]),
    }


class Soak(unittest.TestCase):
    def test_nothing_fails_and_nothing_grows(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        with open(f"{folder}/users.csv", "w") as file:
            file.write("id,firstName,lastName,occupation,city,age\n")
            for n in range(1, ROWS + 1):
                letter = chr(97 + n % 26)
                occupation = ("Writer", "Nurse", "Pilot", "Farmer")[n % 4]
                file.write(f"{n},Ada,Name{letter} {n * 7919 % 20011},{occupation},City {n % 40},{n % 90}\n")
        with Service(f"{folder}/users.csv", "--database", f"{folder}/users.sqlite", "--loops", "2",
                     "--allow-anonymous-writes", program=PROGRAM) as service:
            reader = threading.Thread(target=lambda: service.said.extend(service.process.stdout))
            reader.start()
            first = self.part(service, SECONDS / 2)
            print(f"after {SECONDS / 2:.0f} s: {first}", flush=True)
            last = self.part(service, SECONDS / 2)
            print(f"after {SECONDS:.0f} s: {last}", flush=True)
            # Threads that answer for the loops open the database when they are first needed, which
            # may be late: the two that look after followed pages, and one or two more.
            late = 4
            self.assertLessEqual(last["threads"], first["threads"] + 2, "threads")
            self.assertLessEqual(last["descriptors"], first["descriptors"] + 6 * late, "descriptors")
            self.assertLessEqual(last["memory"], first["memory"] * 1.05 + 3_000 * late)
        reader.join()
        self.assertFalse([line for line in service.said if "fail" in line or "fatal" in line][:5])

    def part(self, service, seconds):
        clients = Clients(service.base)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not clients.failures:
            time.sleep(0.2)
        clients.stop()
        self.assertEqual(clients.failures[:5], [])
        for name in ["read", "write", "follow", "wait", "export", "abort", "look"]:
            self.assertGreater(clients.done.get(name, 0), 0, name)
        print("  ".join(f"{name} {count}" for name, count in sorted(clients.done.items())), flush=True)
        # What was reset under the server is closed as soon as it looks.
        wait = time.monotonic() + 20
        while time.monotonic() < wait and self.connections(service) > 0:
            time.sleep(0.1)
        self.assertEqual(self.connections(service), 0)
        # Free memory is given back once nobody has asked for five seconds.
        time.sleep(7)
        return state(service.process.pid)

    @staticmethod
    def connections(service):
        """How many connections the server holds open."""
        folder = f"/proc/{service.process.pid}/fd"
        sockets = 0
        for name in os.listdir(folder):
            # One that is closed between the two calls is not held.
            with contextlib.suppress(FileNotFoundError):
                sockets += os.readlink(f"{folder}/{name}").startswith("socket:")
        return sockets - Soak.listeners(service)

    @staticmethod
    def listeners(service):
        port = f"{int(service.base.rsplit(':', 1)[1]):04X}"
        with open("/proc/net/tcp") as file:
            return sum(1 for line in file.readlines()[1:]
                       if line.split()[1].endswith(f":{port}") and line.split()[3] == "0A")


if __name__ == "__main__":
    unittest.main()
