#!/usr/bin/env python3
"""Counts the source files that one request passes; `make bench-walk` calls it.

callgrind records the functions of the server while it responds to one request. The debug
information of the program names the file of each. A function that the compiler has inlined is not
recorded, so that each number is a lower bound.

    Benchmarks/walk.py [--files] [--maximum NAME=NUMBER]...
"""

import argparse
import collections
import http.client
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "Sources"
CHANGE = '{"occupation":"Editor"}'
REQUESTS = {
    "GET": ([], "GET", "/users?section=Writer&limit=10", None, {}),
    "PATCH": (
        ["--allow-anonymous-writes"],
        "PATCH",
        "/users/7",
        CHANGE,
        {"Content-Type": "application/json"},
    ),
}
# Functions that the compiler makes, which no one reads: copies, destructors, metadata, merged ones.
MADE = re.compile(r"(WO\w|M\w|W[lLVb]|Tm|w[a-z]{2})$")


def program():
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
    command += ["--package-path", str(HERE.parent)]
    subprocess.run([*command, "--product", "roster", "--quiet"], check=True)
    shown = subprocess.run(
        [*command, "--show-bin-path"], check=True, capture_output=True, text=True
    )
    built = pathlib.Path(shown.stdout.strip()) / "roster"
    # valgrind cannot read the debug information.
    stripped = pathlib.Path(tempfile.mkdtemp()) / "roster"
    subprocess.run(["strip", "-g", "-o", str(stripped), str(built)], check=True)
    return built, stripped


def recorded(stripped, options, method, target, body, fields):
    """The symbols of the functions that the server calls during one request."""
    folder = tempfile.mkdtemp()
    profile = pathlib.Path(folder) / "profile"
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no"]
    command += [f"--callgrind-out-file={profile}", str(stripped), "--port", "0", "--loops", "1"]
    command += options
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for line in server.stdout:
            if found := re.search(r"http://[^ ]*?:(\d+)", line):
                break
        else:
            sys.exit("the server does not start")
        switch = ["callgrind_control", "--instr=on", str(server.pid)]
        subprocess.run(switch, check=True, capture_output=True)
        client = http.client.HTTPConnection("127.0.0.1", int(found.group(1)), timeout=120)
        client.request(method, target, body, fields)
        response = client.getresponse()
        text = response.read()
        if response.status != 200:
            sys.exit(f"{method} {target}: {response.status} {text[:300]}")
        switch[1] = "--instr=off"
        subprocess.run(switch, check=True, capture_output=True)
    finally:
        server.terminate()
        server.communicate(timeout=120)
    profiles = pathlib.Path(folder).glob("profile*")
    text = "".join(path.read_text() for path in profiles)
    names = re.findall(r"^c?fn=\(\d+\) ([^\s']+)", text, re.M)
    return {name for name in names if not MADE.search(name)}


def files(built, symbols):
    """The source files of functions, relative to the folder of the sources."""
    listed = subprocess.run(["nm", str(built)], check=True, capture_output=True, text=True)
    addresses = {}
    for line in listed.stdout.splitlines():
        address, _, rest = line.partition(" ")
        if (name := rest[2:]) in symbols and address:
            addresses[name] = address
    shown = subprocess.run(
        ["llvm-symbolizer", "--no-inlines", f"--obj={built}", "--output-style=GNU", "--no-demangle"],
        input="\n".join("0x" + address for address in addresses.values()),
        check=True,
        capture_output=True,
        text=True,
    )
    places = (line.rpartition(":")[0] for line in shown.stdout.splitlines())
    prefix = f"{SOURCES}/"
    return sorted({place.removeprefix(prefix) for place in places if place.startswith(prefix)})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", action="store_true", help="name the files")
    parser.add_argument(
        "--maximum", action="append", default=[], metavar="NAME=NUMBER", help="fail above it"
    )
    arguments = parser.parse_args()
    maximums = dict(text.split("=") for text in arguments.maximum)
    built, stripped = program()
    above = []
    for name, request in REQUESTS.items():
        passed = files(built, recorded(stripped, *request))
        targets = collections.Counter(path.partition("/")[0] for path in passed)
        summary = ", ".join(f"{target} {count}" for target, count in targets.most_common())
        lines = sum(len((SOURCES / path).read_text().splitlines()) for path in passed)
        print(f"{name}: {len(passed)} files with {lines:,} lines: {summary}", flush=True)
        if arguments.files:
            print("\n".join(f"    {path}" for path in passed))
        if len(passed) > int(maximums.get(name, len(passed))):
            above.append(name)
    if above:
        sys.exit("More files than the maximum: " + ", ".join(above))


if __name__ == "__main__":
    main()
