#!/usr/bin/env python3
"""Points the conformance tools that are installed at a running roster, and prints what they find.

    Benchmarks/conformance.py [--program PATH]

PATH defaults to .build/release/roster. Known are REDbot, httplint and HTTPolice (from PyPI;
HTTPolice needs bitstring < 4), curl, ab, h2load and wrk; what is missing is reported as skipped.
Ends with 1 when something is found that is not in `ACCEPTED`.
"""
import argparse
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile

# What Python would leave beside the script is no part of the tree.
sys.dont_write_bytecode = True
import load  # noqa: E402

# What the tools say that is left as it is, and why.
ACCEPTED = {
    "1277": "X-Content-Type-Options and X-Request-Id are the names everybody knows",
    "1302": "immutable is for the browsers that know it; TLS ends at a proxy",
    "1025": "HTTP/1.0 has no other end of a stream",
    "1031": "the request is refused for exactly that",
    "1070": "the request is refused for exactly that",
    "The server didn't understand the request.": "which is what 400 says",
    "Cache-Control: public is probably not necessary.":
        "it lets shared caches keep assets that were asked for with credentials",
}


def request(target, fields="", method="GET", version="1.1", body=""):
    return (
        f"{method} {target} HTTP/{version}\r\nHost: 127.0.0.1\r\nUser-Agent: conformance/1\r\n"
        f"{fields}{'Connection: close' + chr(13) + chr(10) if version == '1.1' else ''}\r\n{body}"
    ).encode()


def exchange(port, sent):
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def curl(*arguments):
    return subprocess.run(
        ["curl", "-s", "-m", "20", *arguments], capture_output=True, check=False
    ).stdout


def requests(port):
    """What is looked at: a title and the bytes of a request."""
    page = curl(f"http://127.0.0.1:{port}/users.html").decode()
    asset = re.search(r"/-/assets/style[^\"]+", page)[0]
    head = curl("-I", f"http://127.0.0.1:{port}/users.json").decode()
    tag = re.search(r"(?i)^etag: (.*?)\r?$", head, re.M)[1]
    yield "list as JSON", request("/users.json")
    yield "list, negotiated", request("/users", "Accept: text/html\r\n")
    yield "list, gzip", request("/users.json", "Accept-Encoding: gzip\r\n")
    yield "list, known", request("/users.json", f"If-None-Match: {tag}\r\n")
    yield "list, HEAD", request("/users", method="HEAD")
    yield "row", request("/users/19.json")
    yield "asset", request(asset)
    yield "asset, gzip", request(asset, "Accept-Encoding: gzip\r\n")
    yield "asset, range", request(asset, "Range: bytes=0-99\r\n")
    yield "asset, range behind the end", request(asset, "Range: bytes=9999999-\r\n")
    yield "export stream", request("/users.csv")
    yield "export to HTTP/1.0", request("/users.csv", version="1.0")
    yield "no such place", request("/nope")
    yield "unknown parameter", request("/users?x=1")
    yield "nothing acceptable", request("/users", "Accept: image/png\r\n")
    yield "method not allowed", request("/users", method="DELETE")
    yield "OPTIONS", request("/users", method="OPTIONS")
    yield "no Host", b"GET / HTTP/1.1\r\n\r\n"


def check_httpolice(server, report):
    with tempfile.TemporaryDirectory() as folder:
        for title, sent in requests(server.port):
            paths = [os.path.join(folder, name) for name in ("request", "response")]
            for path, data in zip(paths, (sent, exchange(server.port, sent))):
                with open(path, "wb") as file:
                    file.write(data)
            run = subprocess.run(
                ["httpolice", "-i", "streams", *paths], capture_output=True, text=True
            )
            if run.returncode and "Traceback" in run.stderr:
                return report("HTTPolice", None, run.stderr.strip().splitlines()[-1])
            notes = re.findall(r"^([EC]) (\d+) (.*)$", run.stdout, re.M)
            found = [" ".join(note) for note in notes if note[1] not in ACCEPTED]
            report(f"HTTPolice: {title}", not found, "; ".join(found))


def check_httplint(server, report):
    if not importlib.util.find_spec("httplint"):
        return report("httplint", None, "is not installed")
    from httplint import HttpResponseLinter, levels

    for title, sent in requests(server.port):
        if sent.startswith(b"HEAD"):
            # It would miss the content that Content-Length speaks of.
            continue
        head, _, body = exchange(server.port, sent).partition(b"\r\n\r\n")
        first, *lines = head.split(b"\r\n")
        version, code, reason = first.split(b" ", 2)
        linter = HttpResponseLinter()
        linter.process_response_topline(version, code, reason)
        fields = [(name, value.strip()) for name, value in (line.split(b":", 1) for line in lines)]
        linter.process_headers(fields)
        linter.feed_content(body)
        linter.finish_content(True)
        found = [
            note.summary for note in linter.notes
            if note.level in (levels.BAD, levels.WARN) and note.summary not in ACCEPTED
        ]
        report(f"httplint: {title}", not found, "; ".join(found))


def check_redbot(server, report):
    for _, sent in requests(server.port):
        target = sent.split(b" ")[1].decode()
        if b"HTTP/1.0" in sent or not sent.startswith(b"GET /") or target == "/":
            continue
        run = subprocess.run(
            ["redbot", "-o", "text", f"http://127.0.0.1:{server.port}{target}"],
            capture_output=True, text=True, env={**os.environ, "NO_COLOR": ""},
        )
        # REDbot colours what is wrong or doubtful only on a terminal; these are its words for it.
        found = re.findall(
            r"\* (.*(?:incorrect|isn't|not supported|missing|invalid|should not|doesn't|differs"
            r"|must not|cannot be parsed).*)", run.stdout,
        )
        report(f"REDbot: {target}", run.stdout.startswith("HTTP/1.1") and not found,
               "; ".join(found) or run.stderr[:80])


def check_curl(server, report):
    base = f"http://127.0.0.1:{server.port}"
    page = curl(f"{base}/users.html").decode()
    asset = base + re.search(r"/-/assets/style[^\"]+", page)[0]
    with tempfile.NamedTemporaryFile() as large:
        large.write(bytes(3_000_000))
        large.flush()
        cases = [
            ("400", "--path-as-is", base + "/../../etc/passwd"),
            ("200", "--path-as-is", base + "/users/../users.json"),
            ("400", "--path-as-is", base + "/%2e%2e/etc/passwd"),
            ("404", "--path-as-is", base + "/-/assets/..%2f..%2fetc%2fpasswd"),
            ("200", "--http1.0", base + "/users.json"),
            ("200", "--http1.0", base + "/users.csv"),
            ("200", "--http2", base + "/users.json"),
            ("206", "-r", "0-99", asset),
            ("206", "-r", "-100", asset),
            ("416", "-r", "99999999999999999999-", asset),
            ("200", "-r", "5-4", asset),
            ("200", "-r", "0-1,3-4", asset),
            ("200", "-r", "0-99", base + "/users.json"),
            ("200", "-z", "Mon, 01 Jan 1990 00:00:00 GMT", asset),
            ("405", "-H", "Expect: 100-continue", "-d", "{}", base + "/users"),
            ("413", "--data-binary", "@" + large.name, base + "/users"),
            ("405", "-X", "TRACE", base + "/users"),
            ("501", "-X", "FOO", base + "/users"),
            ("204", "-X", "OPTIONS", "--request-target", "*", base + "/"),
            ("400", "-H", "Host:", base + "/users"),
        ]
        for status, *arguments in cases:
            form = "%{http_code} %{time_total}"
            code, took = curl("-o", "/dev/null", "-w", form, *arguments).decode().split()
            title = " ".join(arguments).replace(base, "").replace(large.name, "3-MB-file")
            # A client that waits for 100 in vain waits a second.
            report(f"curl {title}"[:64], code == status and float(took) < 0.9,
                   f"{code} after {float(took) * 1000:.0f} ms")


def check_load(server, report):
    base = f"http://127.0.0.1:{server.port}"
    for path in ("/users.json", "/users/19.json", "/users.csv", "/nope"):
        for command in (
            ["ab", "-q", "-n", "300", "-c", "8"], ["ab", "-q", "-k", "-n", "300", "-c", "8"],
            ["h2load", "--h1", "-n", "300", "-c", "8"], ["wrk", "-t1", "-c8", "-d1"],
        ):
            # To h2load a 404 is a failure.
            if not shutil.which(command[0]) or (command[0] == "h2load" and path == "/nope"):
                continue
            title = f"{' '.join(command)} {path}"
            try:
                output = subprocess.run(
                    [*command, base + path], capture_output=True, text=True, timeout=60
                ).stdout
            except subprocess.TimeoutExpired:
                report(title, False, "hangs")
                continue
            failed = re.search(r"Failed requests:\s+(\d+)|(\d+) failed, (\d+) errored", output)
            bad = re.search(r"Socket errors: .*", output)
            count = sum(int(number) for number in failed.groups("0")) if failed else 0
            report(title, output and not count and not bad, bad[0] if bad else f"{count} failed")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", default=load.program)
    load.program = os.path.abspath(parser.parse_args().program)
    failures = 0

    def report(title, is_right, text):
        nonlocal failures
        verdict = "SKIPPED" if is_right is None else "ok" if is_right else "FAILED"
        failures += verdict == "FAILED"
        print(f"{verdict:7} {title:64} {text}", flush=True)

    with load.Server() as server:
        for tool, check in [
            ("httpolice", check_httpolice), ("python3", check_httplint), ("redbot", check_redbot),
            ("curl", check_curl), ("wrk", check_load),
        ]:
            if shutil.which(tool):
                check(server, report)
            else:
                report(tool, None, "is not installed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
