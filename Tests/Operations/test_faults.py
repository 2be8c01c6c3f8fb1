"""System calls that fail: no crash, nothing wrong, nothing acknowledged lost, and a cause told."""

import errno
import fcntl
import http.client
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from service import Service

HERE = pathlib.Path(__file__).parent
PROGRAM = os.environ.get("ROSTER_PROGRAM", str(HERE.parents[1] / ".build/release/roster"))
COMPILER = shutil.which("clang") or shutil.which("cc")


@unittest.skipUnless(COMPILER, "there is no C compiler")
class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.library = f"{cls.folder}/faults.so"
        subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", str(HERE / "faults.c"), "-o",
                        cls.library, "-ldl"], check=True)

    def setUp(self):
        self.place = tempfile.mkdtemp(dir=self.folder)
        self.people = f"{self.place}/people.csv"
        with open(self.people, "w") as file:
            file.write("id,name,city\n")
            file.writelines(f"{n},Name {n * 7919 % 4001},City {n % 9}\n" for n in range(1, 4001))
        self.database = f"{self.place}/people.sqlite"
        self.arguments = [self.people, "--database", self.database, "--loops", "2",
                          "--allow-anonymous-writes"]
        self.begin = f"{self.place}/begin"
        self.written = {}

    def service(self, *faults):
        """A server whose calls fail when it serves; `CALL:NAME or short:ONE_IN` each."""
        return Service(*self.arguments, program=PROGRAM, environment={
            "LD_PRELOAD": self.library,
            "FAULTS": ",".join(self.numbered(fault) for fault in faults),
            "FAULTS_WHILE": self.begin,
        })

    @staticmethod
    def numbered(fault):
        call, name, one_in = fault.split(":")
        return f"{call}:{name if name == 'short' else getattr(errno, name)}:{one_in}"

    def ask(self, service, method, target, row=None):
        """The status and the members of an answer; None where the connection broke."""
        connection = http.client.HTTPConnection(service.base.split("//")[1], timeout=60)
        try:
            connection.request(method, target, None if row is None else json.dumps(row), {
                "Accept": "application/json", "Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            isJSON = answer.headers.get_content_subtype().endswith("json")
            return answer.status, json.loads(content) if isJSON else content
        except (ConnectionError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def use(self, service, rounds=60):
        """Reads and writes; what came back, but for what was right."""
        style = re.search(r'href="(/[^"]+\.css[^"]*)"', service.get("/people", "text/html")[1])[1]
        open(self.begin, "w").close()
        strange = []
        for number in range(rounds):
            for method, target, row in [
                ("GET", "/people?limit=50", None),
                ("GET", "/people?sort=name&limit=200", None),
                ("GET", style, None),
                ("PUT", f"/people/{number + 5000}", {"name": "x" * number, "city": "Oslo"}),
            ]:
                answer = self.ask(service, method, target, row)
                if answer is None:
                    strange.append("broken")
                elif answer[0] not in (200, 201):
                    strange.append(answer[0])
                    self.assertIn("title", answer[1])
                elif method == "PUT":
                    self.written[str(number + 5000)] = row["name"]
                elif target.startswith("/people"):
                    rows = sum(len(section["rows"]) for section in answer[1]["sections"])
                    self.assertEqual(rows, int(target.split("=")[-1]))
            self.assertIsNone(service.process.poll(), "the server has ended")
        os.remove(self.begin)
        return strange

    def assert_kept(self):
        """A new server has all that was acknowledged, in a database that is whole."""
        with Service(*self.arguments, program=PROGRAM) as service:
            for row, name in self.written.items():
                status, members = self.ask(service, "GET", f"/people/{row}")
                self.assertEqual(status, 200, row)
                self.assertEqual(members["row"]["cells"]["name"], name)
            self.assertEqual(self.ask(service, "GET", "/people?sort=name&limit=200")[0], 200)
        database = sqlite3.connect(self.database)
        schema = " ".join(row[0] for row in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
        for name in set(re.findall(r"COLLATE\s+\"?(\w+)", schema)):
            database.create_collation(name, lambda one, other: (one > other) - (one < other))
        self.assertEqual(database.execute("PRAGMA quick_check").fetchall(), [("ok",)])

    def test_calls_that_are_interrupted_are_made_again(self):
        with self.service("recv:EINTR:3", "sendmsg:EINTR:3", "accept4:EINTR:3", "epoll_wait:EINTR:3",
                          "sendfile:EINTR:3", "read:EINTR:5", "pread64:EINTR:5",
                          "pwrite64:EINTR:5") as service:
            self.assertEqual(self.use(service), [])
        self.assert_kept()

    def test_calls_that_would_wait_are_made_later(self):
        with self.service("recv:EAGAIN:3", "sendmsg:EAGAIN:3", "accept4:EAGAIN:3",
                          "sendfile:EAGAIN:3") as service:
            self.assertEqual(self.use(service), [])
        self.assert_kept()

    def test_calls_that_do_a_part_are_made_for_the_rest(self):
        with self.service("recv:short:2", "sendmsg:short:2", "sendfile:short:2", "read:short:2",
                          "pread64:short:5", "pwrite64:short:5", "epoll_wait:short:2") as service:
            self.assertEqual(self.use(service), [])
        self.assert_kept()

    def test_connections_that_cannot_be_taken_now_are_taken_later(self):
        for name in ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "ECONNABORTED", "EPROTO"]:
            with self.subTest(name), self.service(f"accept4:{name}:3") as service:
                strange = self.use(service, 15)
                # Without a descriptor the connection is taken by one kept for that, and closed:
                # its client knows at once.
                self.assertLessEqual(set(strange), {"broken"})
                self.assertLess(len(strange), 30)
                # A loop whose last call failed may close the connection that comes next.
                self.ask(service, "GET", "/people?limit=1")
                self.assertEqual(self.use(service, 0), [])
                if name not in ["ECONNABORTED", "EPROTO"]:
                    service.process.terminate()
                    said = service.process.stdout.read()
                    self.assertIn(os.strerror(getattr(errno, name)), said)

    def test_broken_connections_cost_nobody_else_anything(self):
        with self.service("recv:ECONNRESET:9", "sendmsg:EPIPE:9", "sendmsg:ETIMEDOUT:9") as service:
            strange = self.use(service)
            self.assertEqual(set(strange), {"broken"})
            self.assertEqual(self.ask(service, "GET", "/people?limit=5")[0], 200)
            self.assertLess(len(strange), 200)
        self.assert_kept()

    def test_a_full_disk_is_told_and_loses_nothing(self):
        with self.service("pwrite64:ENOSPC:4") as service:
            strange = self.use(service)
            self.assertEqual(set(strange), {507})
            self.assertEqual(self.ask(service, "PUT", "/people/9000", {"name": "y"})[0], 201)
            self.written["9000"] = "y"
        self.assert_kept()

    def test_a_failing_disk_is_told_and_loses_nothing(self):
        for faults in [["fdatasync:EIO:4"], ["pwrite64:EIO:6"], ["pread64:EIO:6"],
                       ["open64:EMFILE:2", "fdatasync:EIO:9"], ["ftruncate64:EIO:1"]]:
            with self.subTest(faults=faults):
                with self.service(*faults) as service:
                    strange = self.use(service)
                    self.assertLessEqual(set(strange), {503, 507})
                    if faults[0].startswith(("fdatasync", "pwrite64")):
                        self.assertTrue(strange)
                    answer = self.ask(service, "PUT", "/people/9000", {"name": "y"})
                    self.assertIn(answer[0], (200, 201), answer)
                    self.written["9000"] = "y"
                    if strange:
                        service.process.terminate()
                        self.assertRegex(service.process.stdout.read(), "(?i)disk|I/O|database")
                self.assert_kept()


class Locks(unittest.TestCase):
    """What is answered while somebody else keeps a database to himself."""

    def test_whoever_knows_a_page_of_a_foreign_database_is_told_so_without_reading_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/their.db"
            writer = sqlite3.connect(path, isolation_level=None)
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)")
            writer.execute("INSERT INTO people VALUES (1, 'Ada')")
            # What was written just now has no lasting version.
            os.utime(path, (1_000_000, 1_000_000))
            with Service(path, "--loops", "1", program=PROGRAM) as service:
                tag = self.head(service)[1]
                # Nobody may read: all marks of readers are taken (walformat.html, 2.3.1).
                with open(f"{path}-shm", "r+b") as index:
                    fcntl.lockf(index, fcntl.LOCK_EX | fcntl.LOCK_NB, 5, 123)
                    self.assertEqual(self.head(service, tag), (304, tag))
                writer.execute("UPDATE people SET name = 'Grace'")
                status, other = self.head(service, tag)
                self.assertEqual(status, 200)
                self.assertNotEqual(other, tag)
            writer.close()

    @staticmethod
    def head(service, known=None):
        """The status and the tag of an answer."""
        connection = http.client.HTTPConnection(service.base.split("//")[1], timeout=60)
        try:
            connection.request("GET", "/people", headers={
                "Accept": "application/json", **({"If-None-Match": known} if known else {})})
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.headers["ETag"]
        finally:
            connection.close()


if __name__ == "__main__":
    unittest.main()
