"""The servers that are compared: how each is built, started and asked."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = HERE.parent
BUILT = BENCHMARKS / ".build-comparison"
SERVER_CORE, CLIENT_CORE = "0", "1"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pinned(core):
    if shutil.which("taskset") and (os.cpu_count() or 1) > 1:
        return ["taskset", "-c", core]
    return []


class Server:
    """A program that answers on a port of its own, bound to one core."""

    def __init__(self, name, command, environment=None, paths=None, weighed=True):
        self.name = name
        self.command = command
        self.environment = environment or {}
        #: The address of each kind of page.
        self.paths = paths or {"json": "/users", "html": "/users.html"}
        #: Whether its memory and its start are measured, too.
        self.weighed = weighed
        self.process = None
        self.port = None

    def start(self):
        """Starts the program and returns the seconds until its first answer."""
        self.port = free_port()
        command = [part.replace("PORT", str(self.port)) for part in self.command]
        environment = {
            name: value.replace("PORT", str(self.port)) for name, value in self.environment.items()
        }
        BUILT.mkdir(exist_ok=True)
        log = open(BUILT / f"{self.name}.log", "ab")
        began = time.perf_counter()
        self.process = subprocess.Popen(
            pinned(SERVER_CORE) + command,
            env=os.environ | environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        path = next(iter(self.paths.values()))
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
        while time.perf_counter() - began < 60:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=30) as client:
                    client.sendall(request)
                    if client.recv(12).startswith(b"HTTP/1.1 200"):
                        return time.perf_counter() - began
            except OSError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.0002)
        self.stop()
        raise RuntimeError(f"{self.name} does not answer; see {log.name}")

    def stop(self):
        if self.process is None:
            return
        for signal_sent in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, signal_sent)
                self.process.wait(timeout=5)
                break
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        self.process = None

    def processes(self):
        """The ids of the program's processes."""
        found, waiting = [], [self.process.pid]
        while waiting:
            process = waiting.pop()
            found.append(process)
            try:
                for task in os.listdir(f"/proc/{process}/task"):
                    children = pathlib.Path(f"/proc/{process}/task/{task}/children").read_text()
                    waiting += [int(child) for child in children.split()]
            except OSError:
                continue
        return found

    def cpu_seconds(self):
        """The time the program's threads have run, by the scheduler's account."""
        total = 0
        for process in self.processes():
            try:
                for task in os.listdir(f"/proc/{process}/task"):
                    text = pathlib.Path(f"/proc/{process}/task/{task}/schedstat").read_text()
                    total += int(text.split()[0])
            except OSError:
                continue
        return total / 1e9

    def memory(self):
        """Resident bytes, those that are shared counted in part where the kernel says so."""
        total = 0
        for process in self.processes():
            for line in pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Rss:"):
                    total += int(line.split()[1]) * 1024
        return total


def run(command, **options):
    print("$", " ".join(str(part) for part in command), file=sys.stderr, flush=True)
    subprocess.run([str(part) for part in command], check=True, **options)


def installed(*programs):
    """Whether programs are there or could be installed; where not, what to install was said."""
    command = BENCHMARKS.parent / ".ci" / "install"
    return subprocess.run([command, *programs], check=False).returncode == 0


def swift_build(package, product):
    """Builds a program as `make build` does, and says where it is."""
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
    run([*command, "--package-path", package, "--product", product, "--quiet"])
    return str(package / ".build" / "release" / product)


def build_limit(name, *libraries):
    BUILT.mkdir(exist_ok=True)
    run(["cc", "-O2", "-o", BUILT / name, BENCHMARKS / "Limit" / f"{name}.c", *libraries])
    return BUILT / name


def nginx_server(folder):
    """nginx as its documentation tunes it for static files: sendfile, open files kept."""
    if not installed("nginx=nginx-light"):
        return None
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    configuration = folder / "nginx.conf"
    # The port is found when the server is started, so the file is written then.
    script = f"""
cat >{configuration} <<END
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
events {{ worker_connections 20000; multi_accept on; }}
worker_rlimit_nofile 40000;
http {{
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000000;
  keepalive_timeout 600; open_file_cache max=100; open_file_cache_valid 600s;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{
    listen 127.0.0.1:$1 backlog=4096; root {folder};
    location = /users {{ default_type application/json; alias {folder}/users.json; }}
    location = /users.html {{ default_type text/html; }}
  }}
}}
END
exec {program} -c {configuration} -p {folder}
"""
    return Server("nginx", ["sh", "-c", script, "sh", "PORT"])


def datasette_program():
    """Where datasette is, installed into a folder of its own; or why it is not there."""
    folder = BUILT / "datasette"
    program = folder / "bin" / "datasette"
    if program.exists():
        return program, None
    try:
        run([sys.executable, "-m", "venv", folder])
        run([folder / "bin" / "pip", "install", "--quiet", "datasette"])
        return program, None
    except (subprocess.CalledProcessError, OSError) as error:
        return None, f"pip cannot install it here ({error})"
