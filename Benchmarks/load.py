#!/usr/bin/env python3
"""Puts a running server under loads that a test is too short for, and prints what came of each.

    Benchmarks/load.py [--program PATH] [CHECK ...]

PATH is a roster or an echo; the default is .build/release/roster. Without CHECK all are run, which
takes some three minutes. Only 127.0.0.1 is talked to. Ends with 1 when a check fails.
"""
import argparse
import asyncio
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REQUEST = "GET {} HTTP/1.1\r\nHost: a\r\n\r\n"
program = os.path.join(ROOT, ".build/release/roster")


class Server:
    """A server on a free port, ended with the block it is used in."""

    def __init__(self, prefix=(), arguments=()):
        self.command = [*prefix, program, *arguments, "--port", "0"]

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        for line in self.process.stdout:
            found = re.search(rb"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                return self
        raise SystemExit(f"{program} does not start")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    @property
    def path(self):
        return "/echo" if os.path.basename(program) == "echo" else "/users.json"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}{self.path}"

    def resident(self):
        """Kilobytes in memory."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_alive(self):
        return self.process.poll() is None


def middle(url):
    """The middle one of three measurements by p99: the machine may do something else meanwhile."""
    return sorted((measure(url, 3) for _ in range(3)), key=lambda found: found[2])[1]


def measure(url, seconds=5, connections=8):
    """Requests, errors and p99 in milliseconds, by wrk."""
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency", url],
        capture_output=True, text=True, check=True,
    ).stdout
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", output).groups()
    p99 = float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
    requests = int(re.search(r"(\d+) requests in", output)[1])
    errors = sum(map(int, re.findall(r"(?:connect|read|write|timeout) (\d+)", output)))
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return requests, errors + (int(refused[1]) if refused else 0), p99


async def connect(server, **options):
    return await asyncio.open_connection("127.0.0.1", server.port, **options)


async def answer(reader):
    """Reads one answer with a Content-Length and gives its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.I)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(head[9:12])


async def slow_client(server, kind):
    """Behaves as badly as its kind for ever; comes back whenever it is thrown out."""
    while True:
        try:
            # A slow reader has little room, so that the answer waits in the server.
            reader, writer = await connect(server, limit=256 if kind == "reader" else 65536)
            if kind == "head":
                writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n")
                while not reader.at_eof():
                    writer.write(b"x: y\r\n")
                    await asyncio.wait_for(reader.read(1), 3)
            elif kind == "body":
                writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
                while not reader.at_eof():
                    writer.write(b"x")
                    await asyncio.wait_for(reader.read(1), 3)
            elif kind == "reader":
                writer.write(REQUEST.format(server.path).encode() * 20)
                await asyncio.sleep(60)
            else:
                await reader.read(1)
            writer.close()
        except asyncio.TimeoutError:
            continue
        except OSError:
            await asyncio.sleep(0.2)


async def keep_slow_clients(server, count, ready):
    kinds = ["head", "body", "reader", "idle"]
    tasks = []
    for number in range(count):
        tasks.append(asyncio.create_task(slow_client(server, kinds[number % 4])))
        if number % 50 == 0:
            await asyncio.sleep(0.01)
    ready.set()
    await asyncio.gather(*tasks)


def check_slow(report):
    """Others while 5,000 slow clients hang on."""
    with Server() as server:
        measure(server.url, 2)
        alone = middle(server.url)
        before = server.resident()
        clients = subprocess.Popen(
            # The clients need a processor themselves, which is not what is measured here.
            ["nice", "-n", "19", sys.executable, __file__, "--program", program,
             "--slow-clients", str(server.port)],
            stdout=subprocess.PIPE,
        )
        clients.stdout.readline()
        beside = middle(server.url)
        held = server.descriptors()
        after = server.resident()
        clients.kill()
        clients.wait()
        again = middle(server.url)
        usual = max(alone[2], again[2])
        report(
            "5,000 slow clients", held > 4_000 and not beside[1],
            f"{held} descriptors, {after - before} KB more; p99 of others {beside[2]:.1f} ms, "
            f"{alone[2]:.1f} before and {again[2]:.1f} after: ratio {beside[2] / usual:.2f}; "
            f"{beside[1]} errors in {beside[0]} requests",
        )


def check_idle(report):
    """19,000 idle connections."""
    wanted = 19_000
    for title, asks in [("only opened", False), ("kept after an answer", True)]:
        with Server() as server:
            measure(server.url, 1)
            before, clients = server.resident(), []
            start = time.monotonic()
            for _ in range(wanted):
                client = socket.socket()
                client.connect(("127.0.0.1", server.port))
                if asks:
                    client.send(REQUEST.format("/-/live").encode())
                clients.append(client)
            took = time.monotonic() - start
            # An answer says that the loops have taken all that were before.
            measure(server.url, 1, 2)
            held, after = server.descriptors(), server.resident()
            requests, errors, p99 = measure(server.url, 2, 2)
            report(
                f"19,000 connections, {title}", held > wanted and not errors,
                f"{held} descriptors after {took:.0f} s, {(after - before) * 1024 // held} bytes each; "
                f"beside them {requests} requests, {errors} errors, p99 {p99:.1f} ms",
            )
            for client in clients:
                client.close()


async def serve_in_turn(server, count):
    async def one():
        reader, writer = await connect(server)
        writer.write(REQUEST.format(server.path).encode())
        status = await asyncio.wait_for(answer(reader), 60)
        await asyncio.sleep(0.05)
        writer.close()
        return status
    return await asyncio.gather(*(one() for _ in range(count)), return_exceptions=True)


def check_few(report):
    """500 clients with 64 descriptors."""
    with Server(["prlimit", "--nofile=64:64"]) as server:
        began = server.processor_seconds()
        start = time.monotonic()
        statuses = asyncio.run(serve_in_turn(server, 500))
        took = time.monotonic() - start
        used = server.processor_seconds() - began
        report(
            "500 clients, 64 descriptors", statuses == [200] * 500 and server.is_alive(),
            f"{statuses.count(200)} served in {took:.1f} s, {used:.2f} s of a processor",
        )
        # Nobody can be let in while all places are taken by requests under way.
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
        for client in held:
            client.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(1)
        began = server.processor_seconds()
        time.sleep(5)
        used = server.processor_seconds() - began
        report("spinning while full", used < 0.25, f"{used:.2f} s of a processor in 5 s")
        for client in held:
            client.close()
        statuses = asyncio.run(serve_in_turn(server, 20))
        report("served again", statuses == [200] * 20, f"{statuses.count(200)} of 20")


def check_exhaustion(report):
    """A process that has no descriptor left, under its own cap of connections."""
    with Server() as server:
        keeper = socket.create_connection(("127.0.0.1", server.port))
        keeper.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(0.2)
        limit = server.descriptors() + 2
        subprocess.run(
            ["prlimit", "--pid", str(server.process.pid), f"--nofile={limit}:"], check=True
        )
        began = server.processor_seconds()
        statuses = asyncio.run(serve_in_turn(server, 200))
        used = server.processor_seconds() - began
        served, turned_away = statuses.count(200), sum(
            isinstance(status, (OSError, EOFError)) for status in statuses
        )
        report(
            "no descriptor left", served + turned_away == 200 and served and server.is_alive(),
            f"{served} of 200 served with two places, {turned_away} turned away, none left "
            f"waiting; {used:.2f} s of a processor",
        )
        keeper.close()


def check_leaks(report):
    """Descriptors and memory before and after 100,000 connections."""
    with Server() as server:
        load = ["ab", "-q", "-c", "50", server.url.replace(server.path, "/-/live")]
        subprocess.run(load[:2] + ["-n", "2000"] + load[2:], capture_output=True)
        time.sleep(1)
        before = server.descriptors(), server.resident()
        output = ""
        # Each address has some 28,000 ports to connect from.
        for _ in range(5):
            output += subprocess.run(
                load[:2] + ["-n", "20000"] + load[2:], capture_output=True, text=True
            ).stdout
        time.sleep(1)
        after = server.descriptors(), server.resident()
        done = sum(map(int, re.findall(r"Complete requests:\s+(\d+)", output)))
        failed = sum(map(int, re.findall(r"Failed requests:\s+(\d+)", output)))
        report(
            "100,000 connections", done == 100_000 and not failed and before[0] == after[0],
            f"{done} done, {failed} failed; descriptors {before[0]} before, {after[0]} after; "
            f"{after[1] - before[1]} KB more",
        )


def proxies(folder, ports, ready):
    """For each proxy installed: its name, its port, how to run it and its settings."""
    port = free_port()
    servers = "".join(f"server 127.0.0.1:{number}; " for number in ports)
    if shutil.which("nginx") or os.path.exists("/usr/sbin/nginx"):
        yield "nginx", port, ["nginx", "-c", f"{folder}/nginx", "-p", folder], f"""
            daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors crit;
            events {{ worker_connections 1024; }}
            http {{ access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
            fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
            upstream lists {{ {servers} keepalive 64; }}
            server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://lists;
            proxy_http_version 1.1; proxy_set_header Connection ''; proxy_set_header Host a; }} }} }}
            """
    port = free_port()
    # HAProxy stops asking a server that says it is not ready; nginx asks another one.
    servers = "".join(f"\n server s{n} 127.0.0.1:{number} check" for n, number in enumerate(ports))
    if shutil.which("haproxy") or os.path.exists("/usr/sbin/haproxy"):
        yield "haproxy", port, ["haproxy", "-q", "-f", f"{folder}/haproxy"], f"""
defaults
 mode http
 timeout connect 5s
 timeout client 30s
 timeout server 30s
 option redispatch
 option httpchk GET {ready}
 retries 3
 retry-on conn-failure empty-response 503
frontend f
 bind 127.0.0.1:{port}
 default_backend lists
backend lists
 default-server inter 200ms fall 1 rise 1{servers}
"""


def free_port():
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def check_drain(report):
    """SIGTERM to one of two servers behind a proxy, under load of kept connections."""
    with tempfile.TemporaryDirectory() as folder, Server() as staying:
        ready = "/" if staying.path == "/echo" else "/-/ready"
        names = [name for name, _, _, _ in proxies(folder, [1], "/")]
        for name in names:
            with Server() as leaving:
                _, port, command, settings = next(
                    proxy for proxy in proxies(folder, [staying.port, leaving.port], ready)
                    if proxy[0] == name
                )
                with open(f"{folder}/{name}", "w") as file:
                    file.write(settings)
                environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"}
                proxy = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
                url = f"http://127.0.0.1:{port}{staying.path}"
                subprocess.run(
                    ["curl", "-sf", "-o", "/dev/null", "--retry", "20", "--retry-all-errors",
                     "--retry-delay", "1", url], check=True,
                )
                load = subprocess.Popen(
                    ["wrk", "-t1", "-c32", "-d6", url], stdout=subprocess.PIPE, text=True
                )
                time.sleep(3)
                leaving.process.send_signal(signal.SIGTERM)
                code = leaving.process.wait(15)
                output = load.communicate()[0]
                proxy.kill()
                proxy.wait()
                requests = int(re.search(r"(\d+) requests in", output)[1])
                failed = sum(map(int, re.findall(r"(?:connect|read|write|timeout) (\d+)", output)))
                refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
                failed += int(refused[1]) if refused else 0
                report(
                    f"SIGTERM behind {name}", failed == 0 and code == 0,
                    f"{requests} requests, {failed} failed, exit code {code}",
                )


def check_slowhttptest(report):
    """The four modes of slowhttptest, 15 s and 500 connections each."""
    for mode, option in [("slow head", "-H"), ("slow body", "-B"), ("ranges", "-R"),
                         ("slow read", "-X")]:
        with Server() as server:
            before = server.resident()
            output = subprocess.run(
                ["slowhttptest", option, "-c", "500", "-r", "200", "-i", "3", "-l", "15",
                 "-w", "1", "-y", "8", "-n", "3", "-k", "3", "-u", server.url],
                capture_output=True, text=True,
            ).stdout
            plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
            available = re.findall(r"service available:\s+(\w+)", plain)
            ended = re.search(r"Test ended on (.*)\s+Exit status: (.*)", plain)
            report(
                f"slowhttptest {option} ({mode})",
                bool(available) and "NO" not in available and server.is_alive(),
                f"available {available.count('YES')} of {len(available)} times; ended on "
                f"{ended[1] if ended else '?'}: {ended[2] if ended else '?'}; "
                f"{server.resident() - before} KB more",
            )


WRITES = """
local number = 0
local fields = {["Content-Type"] = "application/json", ["Prefer"] = "return=minimal"}
function request()
  number = number + 1
  local row = string.format('{"name":"n%d","city":"Oslo","age":%d}', number, number % 90)
  return wrk.format("POST", "/people", fields, row)
end
"""


def flushes(path, seconds=2):
    """The median of the times of fdatasync, in milliseconds."""
    times = []
    with open(path, "wb") as file:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.perf_counter()
            os.pwrite(file.fileno(), b"x" * 4120, len(times) % 1000 * 4120)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begin)
    return sorted(times)[len(times) // 2] * 1000


def check_writes(report):
    """Rows written to a SQLite file by 1, 64 and 1,000 clients at once."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(program)) as folder:
        script = f"{folder}/writes.lua"
        with open(script, "w") as file:
            file.write(WRITES)
        with open(f"{folder}/people.csv", "w") as file:
            file.write("id,name,city,age\n1,Ada,London,36\n")
        print(f"fdatasync: {flushes(f'{folder}/flushes'):.3f} ms", flush=True)
        for clients in [1, 64, 1_000]:
            database = f"{folder}/{clients}.db"
            arguments = [
                f"{folder}/people.csv", "--database", database, "--allow-anonymous-writes",
            ]
            with Server(arguments=arguments) as server:
                url = f"http://127.0.0.1:{server.port}"
                command = ["wrk", "-t1", f"-c{clients}", "-d6", "--timeout", "30", "--latency"]
                output = subprocess.run(
                    [*command, "-s", script, url], capture_output=True, text=True, check=True
                ).stdout
            p99 = re.search(r"99%\s+([\d.]+\w+)", output)[1]
            done = int(re.search(r"(\d+) requests in", output)[1])
            refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
            refused = int(refused[1]) if refused else 0
            # The server was killed under load.
            with sqlite3.connect(database) as connection:
                rows = connection.execute("SELECT count(*) - 1 FROM people").fetchone()[0]
            report(
                f"writes of {clients} clients", not refused and rows >= done,
                f"{done / 6:.0f} a second, p99 {p99}, {refused} refused; "
                f"{done} acknowledged, {rows} stored",
            )


CHECKS = {
    "writes": (check_writes, ["wrk"]),
    "slow": (check_slow, ["wrk"]),
    "idle": (check_idle, ["wrk"]),
    "few": (check_few, ["prlimit"]),
    "exhaustion": (check_exhaustion, ["prlimit"]),
    "leaks": (check_leaks, ["ab"]),
    "drain": (check_drain, ["wrk", "curl"]),
    "slowhttptest": (check_slowhttptest, ["slowhttptest"]),
}


def main():
    global program
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", default=program)
    parser.add_argument("--slow-clients", type=int, help=argparse.SUPPRESS)
    parser.add_argument("check", nargs="*", choices=[[], *CHECKS])
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if arguments.slow_clients:
        server = Server()
        server.port = arguments.slow_clients

        async def run():
            ready = asyncio.Event()
            clients = asyncio.create_task(keep_slow_clients(server, 5_000, ready))
            await ready.wait()
            print("ready", flush=True)
            await clients
        return asyncio.run(run())

    failures = 0

    def report(title, is_right, text):
        nonlocal failures
        failures += not is_right
        print(f"{'ok' if is_right else 'FAILED':7} {title:36} {text}", flush=True)

    for name in arguments.check or CHECKS:
        check, tools = CHECKS[name]
        missing = [tool for tool in tools if not shutil.which(tool)]
        if missing:
            print(f"SKIPPED {name}: {', '.join(missing)} is not installed", flush=True)
        else:
            check(report)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
