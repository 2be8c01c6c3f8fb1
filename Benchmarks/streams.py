#!/usr/bin/env python3
"""Open streams: their memory, and what one write costs.

    Benchmarks/streams.py .build/release/roster [--streams 5000]

Starts the program on a file of 20,000 people, lets so many clients follow it – first all the same
page, then each a page of its own – and writes to one row. Needs as many descriptors twice, see
`ulimit -n`. The figures are the server's: resident memory for each stream, processor time for a
write, and the time until the last client was told.
"""

import argparse
import json
import os
import re
import resource
import selectors
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request


def people(path):
    with open(path, "w") as file:
        file.write("id,firstName,lastName,occupation,city,age\n")
        for n in range(1, 20_001):
            occupation = ("Writer", "Nurse", "Pilot", "Farmer")[n % 4]
            file.write(f"{n},Ada,Name {n * 7919 % 20_011},{occupation},Oslo,{n % 90}\n")


class Server:
    def __init__(self, program, folder, streams):
        people(f"{folder}/users.csv")
        self.process = subprocess.Popen(
            [program, f"{folder}/users.csv", "--database", f"{folder}/users.sqlite", "--port", "0",
             "--loops", "1", "--streams", str(streams), "--allow-anonymous-writes"],
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"at http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found[1])
                return
        raise SystemExit("the server did not start")

    def get(self, target):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{target}") as answer:
            return json.load(answer)

    def rename(self, row, city):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/users/{row}", json.dumps({"city": city}).encode(),
            {"Content-Type": "application/json"}, method="PATCH")
        urllib.request.urlopen(request).close()

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) * 1024

    def processor(self):
        """Seconds of all threads."""
        tasks = f"/proc/{self.process.pid}/task"
        return sum(int(open(f"{tasks}/{task}/schedstat").read().split()[0])
                   for task in os.listdir(tasks)) / 1e9

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


class Clients:
    def __init__(self, port, targets):
        self.selector = selectors.DefaultSelector()
        self.events = 0
        self.bytes = 0
        self.sockets = []
        for target in targets:
            client = socket.create_connection(("127.0.0.1", port))
            client.sendall((f"GET {target} HTTP/1.1\r\nHost: localhost\r\n"
                            "Accept: text/event-stream\r\n\r\n").encode())
            client.setblocking(False)
            self.selector.register(client, selectors.EVENT_READ)
            self.sockets.append(client)

    def read(self, seconds):
        """Reads for so long; returns the seconds until the last event."""
        start = last = time.monotonic()
        while time.monotonic() - start < seconds:
            for key, _ in self.selector.select(0.05):
                data = key.fileobj.recv(65_536)
                if not data:
                    raise SystemExit("a stream was closed")
                self.bytes += len(data)
                if found := data.count(b"event: changes"):
                    self.events += found
                    last = time.monotonic()
        return last - start

    def close(self):
        for client in self.sockets:
            client.close()


def measure(server, name, targets, row):
    before = server.memory()
    clients = Clients(server.port, targets)
    clients.read(3)
    memory = (server.memory() - before) / len(targets)
    start = server.processor()
    clients.read(5)
    idle = (server.processor() - start) / 5
    told = []
    for number in range(5):
        clients.events = 0
        start = server.processor()
        server.rename(row, f"City {number}")
        seconds = clients.read(3)
        told.append((server.processor() - start - idle * 3, seconds, clients.events))
    cost, seconds, events = sorted(told)[len(told) // 2]
    print(f"{len(targets)} streams of {name}: {memory / 1024:.1f} KiB a stream, "
          f"{idle * 100:.1f} % of a core while nothing happens; "
          f"one write: {events} events, {cost * 1000:.0f} ms of processor time "
          f"({cost * 1e6 / len(targets):.1f} µs a stream), the last one told after "
          f"{seconds * 1000:.0f} ms", flush=True)
    clients.close()
    time.sleep(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--streams", type=int, default=5_000)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for name, choose in (("one page", one_page), ("pages of their own", pages_of_their_own)):
        # What one round leaves behind would be taken for the memory of the next.
        with tempfile.TemporaryDirectory() as folder:
            server = Server(options.program, folder, options.streams)
            try:
                row = server.get("/users?limit=50")["sections"][0]["rows"][0]["id"]
                measure(server, name, choose(server, options.streams), row)
            finally:
                server.stop()


def one_page(server, streams):
    return [server.get("/users?limit=50")["links"]["changes"]] * streams


def pages_of_their_own(server, streams):
    pages = []
    for sort in ("lastName", "-lastName", "age,id", "-age,id", "city,id", "id"):
        target = f"/users?sort={sort}&group=none&limit=20"
        while target and len(pages) < streams:
            answer = server.get(target)
            pages.append(answer["links"]["changes"])
            target = answer["links"]["next"]
    return pages


if __name__ == "__main__":
    main()
