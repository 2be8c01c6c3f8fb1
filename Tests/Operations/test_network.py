"""Two servers on one PostgreSQL behind a proxy, while hosts and links between them fail."""

import concurrent.futures
import http.client
import json
import re
import time
import unittest

import lab
from lab import Readers, ask, wait_until


@unittest.skipIf(lab.missing(), lab.missing())
class Network(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = cls.enterClassContext(lab.Lab())
        cls.a, cls.b = cls.lab.servers["a"], cls.lab.servers["b"]
        cls.proxy = cls.lab.hosts["nginx"]

    def tearDown(self):
        self.lab.mend()
        for server in [self.a, self.b]:
            wait_until(lambda: lab.answers(server.host.address), 20, f"{server.host.name} answers")
        # A proxy leaves alone for a while what has failed; without both a next test has none.
        for name in ["nginx", "haproxy"]:
            wait_until(lambda: self.lab.uses_all(self.lab.hosts[name]), 20, f"{name} uses both")

    def json(self, host, target):
        status, _, content = ask(host.address, target)
        self.assertEqual(status, 200, content)
        return json.loads(content)

    def seconds_for(self, host, target):
        start = time.monotonic()
        self.assertEqual(ask(host.address, target, seconds=20)[0], 200)
        return time.monotonic() - start

    def wait_until_read(self, server):
        """Waits as an orchestrator does, until the proxy has seen that a server is there again."""
        wait_until(lambda: server.pages > 0, 20, f"{server.host.name} is sent readers again")

    def assert_none_failed(self, readers):
        said = "\n".join(server.said[-2000:] for server in [self.a, self.b])
        self.assertEqual(readers.failures[:5], [], said)
        self.assertGreater(readers.answered, 50)

    def test_cursors_and_versions_are_good_at_every_server(self):
        page = self.json(self.a.host, "/users?sort=lastName&limit=10")
        here = self.json(self.a.host, page["links"]["next"])
        there = self.json(self.b.host, page["links"]["next"])
        self.assertEqual(here["sections"], there["sections"])
        row = page["sections"][0]["rows"][0]
        status, _, content = ask(self.a.host.address, f"/users/{row['id']}", "PATCH",
                                 {"city": f"City {time.time_ns()}"})
        self.assertEqual(status, 200, content)
        for server in [self.a, self.b]:
            wait_until(lambda: self.json(server.host, page["links"]["changes"])["stages"], 5,
                       f"{server.host.name} tells the change")

    def test_a_killed_server_costs_no_reader_anything(self):
        with Readers(self.proxy) as readers:
            readers.wait_for(100)
            self.a.kill()
            readers.wait_for(300)
            self.a.start()
            self.wait_until_read(self.a)
            self.b.kill()
            readers.wait_for(300)
        self.assert_none_failed(readers)

    def test_servers_are_replaced_one_after_another_and_nobody_notices(self):
        for name in ["nginx", "haproxy"]:
            with self.subTest(name), Readers(self.lab.hosts[name]) as readers:
                readers.wait_for(100)
                for server in [self.a, self.b]:
                    self.assertEqual(server.stop(), 0)
                    readers.wait_for(50)
                    server.start()
                    self.wait_until_read(server)
            self.assert_none_failed(readers)

    def test_a_server_cut_off_from_the_database_says_so_in_time(self):
        with Readers(self.proxy) as readers:
            readers.wait_for(50)
            follower = Follower(self.a.host.address, "/users?sort=lastName&limit=10")
            follower.connect()
            self.a.host.cut(self.lab.hosts["database"])
            start = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(4) as clients:
                waiting = [clients.submit(ask, self.a.host.address, target, seconds=20)
                           for target in ["/users?limit=5", "/users?limit=6", "/users/1", "/"]]
                # What asks for no database is answered as ever, whoever waits and follows.
                longest = max(self.seconds_for(self.a.host, target)
                              for _ in range(25) for target in ["/-/live", "/towns?limit=5"])
                status, fields, content = waiting[0].result()
            elapsed = time.monotonic() - start
            follower.close()
            self.assertLess(longest, 1)
            self.assertEqual(status, 503, content)
            self.assertEqual(fields["Content-Type"], "application/problem+json")
            self.assertTrue(fields["Retry-After"])
            # Two seconds of its own, and what was waiting before it.
            self.assertLess(elapsed, 12)
            self.assertTrue(self.json(self.b.host, "/users?limit=5")["sections"])
            readers.wait_for(100)
        self.assert_none_failed(readers)
        self.a.host.mend()
        wait_until(lambda: lab.answers(self.a.host.address), 15, "it recovers by itself")

    def test_the_database_restarts(self):
        self.lab.database.control("stop", "-m", "immediate")
        for server in [self.a, self.b]:
            status, fields, content = ask(server.host.address, "/users?limit=5", seconds=20)
            self.assertEqual(status, 503, content)
            self.assertTrue(fields["Retry-After"])
            self.assertEqual(ask(server.host.address, "/-/live")[0], 200)
        self.lab.database.control("start")
        for server in [self.a, self.b]:
            wait_until(lambda: lab.answers(server.host.address), 15, "it recovers by itself")

    def test_slow_and_lossy_links_make_answers_slow_and_none_wrong(self):
        for name, hurt in [("slow", lambda host: host.slow("1mbit")),
                           ("lossy", lambda host: host.lose(0.1))]:
            with self.subTest(name):
                for host in [self.a.host, self.b.host]:
                    hurt(host)
                with Readers(self.proxy) as readers:
                    readers.wait_for(60)
                self.assertEqual(readers.failures[:5], [])
                self.lab.mend()

    def test_a_follower_loses_no_change_when_its_server_dies(self):
        follower = Follower(self.proxy.address, "/users?sort=lastName&limit=10")
        row = follower.ids[0]
        for number in range(4):
            city = f"City {number} {time.time_ns()}"
            status, _, content = ask(self.proxy.address, f"/users/{row}", "PATCH", {"city": city})
            self.assertEqual(status, 200, content)
            follower.wait_for(city)
            server = [self.a, self.b][number % 2]
            server.kill()
            server.start()
        follower.close()


class Follower:
    """Follows a page over an event stream; connects again where it is cut off, as browsers do."""

    def __init__(self, address, target):
        self.address = address
        _, _, content = ask(address, target)
        page = json.loads(content)
        self.ids = [row["id"] for section in page["sections"] for row in section["rows"]]
        self.target = page["links"]["changes"]
        self.last = None
        self.connection = None

    def connect(self):
        self.connection = http.client.HTTPConnection(self.address, 8080, timeout=10)
        fields = {"Accept": "text/event-stream"}
        if self.last:
            fields["Last-Event-ID"] = self.last
        self.connection.request("GET", self.target, headers=fields)
        self.answer = self.connection.getresponse()

    def lines(self):
        while True:
            try:
                if self.connection is None:
                    self.connect()
                line = self.answer.readline().decode()
                if line:
                    yield line
                    continue
            except (OSError, http.client.HTTPException):
                pass
            self.close()

    def wait_for(self, text):
        """Reads on until an event tells of a text."""
        end = time.monotonic() + 30
        for line in self.lines():
            if found := re.match(r"id: ?(.*)\n", line):
                self.last = found[1]
            if line.startswith("data:") and text in line:
                return
            if time.monotonic() > end:
                raise TimeoutError(f"nobody told of {text}")

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


if __name__ == "__main__":
    unittest.main()
