"""A network of its own on one machine: a proxy, two servers and a database, each a host.

Hosts are network namespaces behind one bridge, as containers are. Needs root; nothing of it is left
when the lab is closed. The proxies run as Benchmarks/Deployment configures them.
"""

import glob
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from service import clean_environment

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ROSTER_PROGRAM", str(ROOT / ".build/release/roster"))
DEPLOYMENT = ROOT / "Benchmarks/Deployment"
ROWS = 5_000


def missing():
    """Why there can be no lab here; None where there can."""
    if os.getuid() != 0:
        return "only root may make networks"
    for program in ["ip", "tc", "iptables", "nginx", "haproxy", "runuser"]:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            return f"there is no {program}"
    if not postgres_programs():
        return "there is no PostgreSQL"
    if subprocess.run(["ip", "netns", "add", "roster-try"], capture_output=True).returncode:
        return "the kernel makes no network namespaces for us"
    subprocess.run(["ip", "netns", "delete", "roster-try"], check=True)
    return None


def postgres_programs():
    found = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    return os.path.dirname(sorted(found)[-1]) if found else None


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def wait_until(isTrue, seconds, what):
    end = time.monotonic() + seconds
    while not isTrue():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.05)


class Host:
    """A namespace with one address."""

    def __init__(self, lab, name, number):
        self.name = f"{lab.prefix}-{name}"
        self.address = f"{lab.network}.{number}"
        self.link = link = f"{lab.prefix}-{number}"
        run("ip", "netns", "add", self.name)
        lab.hosts[name] = self
        run("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", link, "master", lab.bridge, "up")
        run("ip", "-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        run("ip", "-n", self.name, "link", "set", "eth0", "up")
        run("ip", "-n", self.name, "link", "set", "lo", "up")

    def run(self, *words):
        return run("ip", "netns", "exec", self.name, *words)

    def start(self, *words, **options):
        return subprocess.Popen(["ip", "netns", "exec", self.name, *words], **options)

    def cut(self, other):
        """Lets nothing through to another host or from it, and tells neither."""
        self.run("iptables", "-A", "OUTPUT", "-d", other.address, "-j", "DROP")
        self.run("iptables", "-A", "INPUT", "-s", other.address, "-j", "DROP")

    def lose(self, share):
        """Loses a share of what it sends."""
        self.run("iptables", "-A", "OUTPUT", "-m", "statistic", "--mode", "random",
                 "--probability", str(share), "-j", "DROP")

    def slow(self, rate):
        """Sends no faster than a rate, as tc writes it."""
        self.run("tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", rate,
                 "burst", "4kb", "latency", "400ms")

    def mend(self):
        self.run("iptables", "-F")
        subprocess.run(["ip", "netns", "exec", self.name, "tc", "qdisc", "del", "dev", "eth0",
                        "root"], capture_output=True)

    def remove(self):
        for process in run("ip", "netns", "pids", self.name).split():
            try:
                os.kill(int(process), signal.SIGKILL)
            except ProcessLookupError:
                pass
        # The namespace itself goes when its last process has.
        subprocess.run(["ip", "link", "delete", self.link], capture_output=True)
        run("ip", "netns", "delete", self.name)


class Database:
    """A PostgreSQL on a host, with a table of people."""

    def __init__(self, host, folder):
        self.host = host
        self.folder = f"{folder}/database"
        self.programs = postgres_programs()
        os.mkdir(self.folder)
        shutil.chown(self.folder, "postgres", "postgres")
        run("runuser", "-u", "postgres", "--", f"{self.programs}/initdb", "--auth=trust",
            "--username=roster", "--encoding=UTF8", "--no-sync", self.folder)
        with open(f"{self.folder}/pg_hba.conf", "a") as file:
            file.write("host all all 0.0.0.0/0 trust\n")
        self.control("start")
        self.query("CREATE DATABASE roster", "postgres")
        self.query(
            'CREATE TABLE users (id serial PRIMARY KEY, "firstName" text NOT NULL,'
            ' "lastName" text NOT NULL, occupation text, city text);'
            ' INSERT INTO users ("firstName", "lastName", occupation, city) SELECT'
            " (array['Ada','Grace','Ken','Barbara'])[1 + n % 4], 'Name ' || n * 7919 % 20011,"
            " (array['Writer','Nurse','Pilot','Farmer'])[1 + n / 3 % 4],"
            f" 'City ' || n % 40 FROM generate_series(1, {ROWS}) n;"
            ' CREATE INDEX ON users ("lastName", id); ANALYZE users')

    def control(self, action, *more):
        self.host.run("runuser", "-u", "postgres", "--", f"{self.programs}/pg_ctl", "-D", self.folder,
                      "-l", f"{self.folder}/log", "-w", "-o",
                      f"-c listen_addresses=* -c unix_socket_directories={self.folder} -c fsync=off",
                      action, *more)

    def query(self, sql, database="roster"):
        return self.host.run(f"{self.programs}/psql", "-h", self.folder, "-U", "roster", "-qAt", "-v",
                             "ON_ERROR_STOP=1", "-c", sql, database)


class Server:
    """A roster on a host."""

    def __init__(self, host, lab):
        self.host = host
        self.lab = lab
        self.log = open(f"{lab.folder}/{host.name}.log", "a")
        self.start()

    def start(self):
        self.process = self.host.start(
            PROGRAM, f"postgres://roster@{self.lab.hosts['database'].address}/roster",
            f"{self.lab.folder}/towns.csv",
            "--host", "0.0.0.0", "--port", "8080", "--loops", "1", "--drain-delay", "2",
            "--allow-anonymous-writes", "--cursor-secret-file", self.lab.secret,
            stdout=self.log, stderr=self.log, env=clean_environment())
        wait_until(lambda: self.isReady, 10, f"{self.host.name} is ready")

    @property
    def isReady(self):
        try:
            return ask(self.host.address, "/-/ready", seconds=1)[0] == 200
        except OSError:
            return False

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ends as an orchestrator does; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    @property
    def pages(self):
        """How many pages it has answered since it was started."""
        text = ask(self.host.address, "/-/metrics")[2].decode()
        found = re.search(r'^roster_request_seconds_count{list="users"} (\d+)', text, re.MULTILINE)
        return int(found[1]) if found else 0

    @property
    def said(self):
        with open(self.log.name) as file:
            return file.read()


def ask(address, target, method="GET", body=None, fields=None, seconds=10):
    """The status, the fields and the content of an answer, over a connection of its own."""
    connection = http.client.HTTPConnection(address, 8080, timeout=seconds)
    try:
        connection.request(method, target, None if body is None else json.dumps(body),
                           {"Accept": "application/json", "Content-Type": "application/json",
                            **(fields or {})})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Lab:
    """All hosts; use it in a with statement."""

    prefix = f"r{os.getpid()}"
    network = "10.66.7"
    bridge = f"r{os.getpid()}-net"

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="roster-lab-")
        os.chmod(self.folder, 0o755)
        self.hosts = {}
        self.servers = {}
        self.proxies = []
        self.secret = f"{self.folder}/secret"
        with open(self.secret, "w") as file:
            file.write("0123456789abcdef0123456789abcdef\n")
        with open(f"{self.folder}/towns.csv", "w") as file:
            file.write("id,name\n" + "".join(f"{n},Town {n}\n" for n in range(1, 100)))
        try:
            run("ip", "link", "add", self.bridge, "type", "bridge")
            run("ip", "addr", "add", f"{self.network}.1/24", "dev", self.bridge)
            run("ip", "link", "set", self.bridge, "up")
            for number, name in enumerate(["nginx", "haproxy", "a", "b", "database"], 10):
                Host(self, name, number)
            self.database = Database(self.hosts["database"], self.folder)
            for name in ["a", "b"]:
                self.servers[name] = Server(self.hosts[name], self)
            self.start_proxies()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_proxies(self):
        names = "".join(f"{self.hosts[name].address} roster-{name}\n" for name in ["a", "b"])
        for name, words in [
            ("nginx", ["nginx", "-p", self.folder, "-g", f"daemon off; pid {self.folder}/nginx.pid;"
                       " error_log stderr;", "-c", str(DEPLOYMENT / "nginx.conf")]),
            ("haproxy", ["haproxy", "-f", str(DEPLOYMENT / "haproxy.cfg")]),
        ]:
            # A namespace sees the files of this folder in place of those in /etc.
            place = f"/etc/netns/{self.hosts[name].name}"
            os.makedirs(place, exist_ok=True)
            with open(f"{place}/hosts", "w") as file:
                file.write(f"127.0.0.1 localhost\n{names}")
            log = open(f"{self.folder}/{name}.log", "w")
            environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"}
            self.proxies.append(self.hosts[name].start(*words, stdout=log, stderr=log,
                                                       env=environment))
            address = self.hosts[name].address
            wait_until(lambda: answers(address), 10, f"{name} answers")

    def __exit__(self, *_):
        for host in self.hosts.values():
            host.remove()
            shutil.rmtree(f"/etc/netns/{host.name}", ignore_errors=True)
        subprocess.run(["ip", "link", "delete", self.bridge], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def uses_all(self, proxy):
        """Whether a proxy sends requests to every server."""
        before = {server: server.pages for server in self.servers.values()}
        isAnswering = all(answers(proxy.address) for _ in range(2 * len(before)))
        return isAnswering and all(server.pages > count for server, count in before.items())

    def mend(self):
        """As it was at the beginning."""
        for host in self.hosts.values():
            host.mend()
        for server in self.servers.values():
            if server.process.poll() is not None:
                server.start()


def answers(address):
    try:
        return ask(address, "/users?limit=1", seconds=2)[0] == 200
    except OSError:
        return False


class Readers:
    """Threads that read pages through a host while something happens; use it in a with statement."""

    targets = ["/users?limit=20", "/users?sort=lastName&limit=20", "/users?city=City%203&limit=20",
               "/users?group=occupation&per_section=5", "/users?sort=-lastName&limit=20"]

    def __init__(self, host, count=4):
        self.address = host.address
        self.answered = 0
        self.failures = []
        self.slowest = 0
        self.isEnding = False
        self.threads = [threading.Thread(target=self.read, args=[n]) for n in range(count)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.isEnding = True
        for thread in self.threads:
            thread.join()

    def read(self, number):
        connection = None
        while not self.isEnding:
            target = self.targets[number % len(self.targets)]
            number += 1
            start = time.monotonic()
            try:
                if connection is None:
                    connection = http.client.HTTPConnection(self.address, 8080, timeout=30)
                connection.request("GET", target, headers={"Accept": "application/json"})
                answer = connection.getresponse()
                content = answer.read()
                if answer.status != 200:
                    self.failures.append((target, answer.status, content[:300]))
                elif not json.loads(content)["sections"]:
                    self.failures.append((target, 200, content[:300]))
                else:
                    self.answered += 1
            except (OSError, ValueError, http.client.HTTPException) as error:
                self.failures.append((target, repr(error)))
                connection = None
            self.slowest = max(self.slowest, time.monotonic() - start)

    def wait_for(self, count):
        """Waits until so many more have been answered."""
        goal = self.answered + count
        wait_until(lambda: self.answered >= goal or self.failures, 60, f"{count} answers")
