"""What is measured: rates, latencies, processor time, memory, starts and sizes."""

import json
import os
import pathlib
import resource
import shutil
import socket
import statistics
import subprocess
import time

from servers import BUILT, CLIENT_CORE, pinned

# Longer than ours waits before it gives memory back.
IDLE_SECONDS = 6

REPORT = """
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%.6f,"p50":%.4f,"p99":%.4f,"errors":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"""
PIPELINE = """
init = function(args)
  local one, all = wrk.format(), {}
  for index = 1, 16 do all[index] = one end
  pipelined = table.concat(all)
end
request = function() return pipelined end
"""
# Every request has another number, also after those of earlier rounds.
NEW = """
number = os.time() % 1000000 * 1000000
request = function()
  number = number + 1
  return wrk.format(nil, (string.gsub(wrk.path, "NUMBER", string.format("%d", number))))
end
"""
SCRIPTS = {"again": "", "pipelined": PIPELINE, "new": NEW}


def load(server, path, connections, seconds, fields=(), manner="again"):
    """Asks a server as fast as it answers; the figures of one round.

    The manner is one of SCRIPTS: the same again, 16 at a time, or NUMBER in the path is a new one.
    """
    BUILT.mkdir(exist_ok=True)
    script = BUILT / f"{manner}.lua"
    script.write_text(REPORT + SCRIPTS[manner])
    command = pinned(CLIENT_CORE) + ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
    for field in fields:
        command += ["-H", field]
    command += ["-s", str(script), f"http://127.0.0.1:{server.port}{path}"]
    before = server.cpu_seconds()
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    spent = server.cpu_seconds() - before
    rest(server)
    figures = json.loads(next(line for line in output.splitlines() if line.startswith("{")))
    if figures["errors"] or not figures["requests"]:
        raise RuntimeError(f"{server.name}{path}: {figures}")
    return {
        "rate": figures["requests"] / figures["seconds"],
        "p50": figures["p50"],
        "p99": figures["p99"],
        "cpu": spent / figures["requests"] * 1e6,
    }


def rest(server):
    """Waits until a server works no more: a slow one still answers those who have gone, and would do
    so on the core of whoever is asked next."""
    worked = server.cpu_seconds()
    while True:
        time.sleep(0.05)
        before, worked = worked, server.cpu_seconds()
        if worked - before < 0.005:
            return


def median(rounds, figure):
    return statistics.median(entry[figure] for entry in rounds)


def spread(rounds, figure):
    """How far the rounds lie apart, as a part of their median."""
    values = [entry[figure] for entry in rounds]
    return (max(values) - min(values)) / (statistics.median(values) or 1)


def ask(server, path, fields=()):
    """One answer, whole: the head as it was sent, and the body."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *fields]
        client.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        received = b""
        while b"\r\n\r\n" not in received:
            received += client.recv(65536)
        head, body = received.split(b"\r\n\r\n", 1)
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(body) < length:
            body += client.recv(65536)
        return head + b"\r\n\r\n", body


def memory_by_connections(server, path, counts):
    """The memory of a server that so many clients hold connections to, each answered once.

    Nobody has asked an idle one for IDLE_SECONDS.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    time.sleep(IDLE_SECONDS)
    found = {0: server.memory()}
    clients = []
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    try:
        for count in counts:
            while len(clients) < count:
                client = socket.create_connection(("127.0.0.1", server.port), timeout=30)
                clients.append(client)
                client.sendall(request)
                client.recv(1 << 20)
            found[count] = server.memory()
    finally:
        for client in clients:
            client.close()
    return found


def stripped_size(program):
    copy = BUILT / "stripped"
    shutil.copy(os.path.realpath(program), copy)
    subprocess.run(["strip", str(copy)], check=False)
    return copy.stat().st_size


def machine():
    """What the figures were taken on."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "kernel": os.uname().release,
        "swift": swift.splitlines()[0] if swift else "",
    }
