"""The servers that are measured: each run has a fresh one, in a folder and on a port of its own."""
import os
import re
import shutil
import signal
import socket
import subprocess
import time

from .bench import GENERATOR, Trouble, free_port

# Hello, and what the load generator looks for in the answers. It does not look for refusals: a
# refused action is never acked, which ends the run with status 3 as well, and the generator would
# search each line once more for them. For the same reason it takes one id a line, right behind a
# mark that only a patch holds: searched as whole lines, the patches cost it 0.4 µs each, and at
# 1,000 subscribers it, not the daemon, was the limit.
DUX_LINES = [
    "--hello", '{"op":"hello","protocol":1,"client":"fb@run@-@c@"}', "--ready", '"op":"welcome"',
    "--capture", '"epoch":"',
    "--act", '{"op":"dispatch","n":@n1@,"action":{"type":"doc/set","payload":'
    '{"path":"/items/@item@/v","value":"@val@"}}}',
    "--ack", '"op":"ack"', "--ack-id", '"n":', "--ack-kind", "n1",
    "--patch", '"op":"patch"', "--patch-id", '"value":"g#']
DUX_RESUME = ["--sub", '{"op":"subscribe","path":"","since":@from@,"epoch":"@cap@"}',
              "--sub-ready", '"op":"resumed"']
# Without writers nobody learns the epoch.
DUX_FRESH = ["--sub", '{"op":"subscribe","path":""}', "--sub-ready", '"op":"snapshot"']


class Server:
    """A process that is started for one run and ended by its id."""
    name = ""
    title = ""
    backend = "jsonl"
    end_signal = signal.SIGTERM

    def __init__(self, bench, flags=()):
        self.bench = bench
        self.folder = bench.folder_for(self.name)
        self.port = 0
        self.process = None
        self.start(flags)

    @classmethod
    def missing(cls, bench):
        """Why it can't be measured here, or None."""
        return None

    @classmethod
    def version(cls, bench):
        return ""

    def command(self, flags):
        raise NotImplementedError

    def start(self, flags=()):
        self.port = free_port()
        self.spawn(self.command(flags))
        self.wait_for_port()

    def spawn(self, command, **options):
        with open(os.path.join(self.folder, "said"), "ab") as said:
            options = {"stdout": said, "stderr": subprocess.STDOUT, **options}
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
        self.bench.note_started(self)

    def wait_for_port(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        self.did_not_start()

    def did_not_start(self):
        with open(os.path.join(self.folder, "said"), errors="replace") as said:
            words = said.read().strip().splitlines()
        self.stop()
        raise Trouble("%s did not start: %s" % (
            self.title, words[-1] if words else "it said nothing"))

    def lines(self, arguments):
        """What the load generator must be told to speak with it."""
        return []

    def stop(self):
        self.end(self.end_signal)
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self, number):
        """Ends the process and keeps its folder."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.bench.note_stopped(self)

    def cpu_seconds(self):
        """What all its threads have spent, from the scheduler's clock of nanoseconds."""
        total = 0
        folder = "/proc/%d/task" % self.process.pid
        for thread in os.listdir(folder):
            with open("%s/%s/schedstat" % (folder, thread)) as figures:
                total += int(figures.read().split()[0])
        return total / 1e9

    def memory_kib(self, field="VmRSS"):
        """Resident memory now, or at its highest since the last reset (VmHWM)."""
        with open("/proc/%d/status" % self.process.pid) as status:
            return int(re.search(field + r":\s+(\d+)", status.read()).group(1))

    def reset_peak(self):
        with open("/proc/%d/clear_refs" % self.process.pid, "w") as references:
            references.write("5")

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def wait_until_quiet(self, seconds=60):
        """Waits until it has spent next to nothing for half a second: what it does in the
        background after much work is not part of what comes next."""
        deadline = time.monotonic() + seconds
        before = self.cpu_seconds()
        while time.monotonic() < deadline:
            time.sleep(0.5)
            now = self.cpu_seconds()
            if now - before < 0.01:
                return
            before = now


class Dux(Server):
    name, title = "dux", "Dux"

    @classmethod
    def version(cls, bench):
        return output_of([bench.daemon, "--version"])

    def command(self, flags):
        return [self.bench.daemon, "--data", os.path.join(self.folder, "data"),
                "--listen", "127.0.0.1:0", "--socket", "none", "--durability", "full",
                "--max-clients", "20000", "--log-level", "warning", *flags]

    def start(self, flags=()):
        self.flags = flags
        self.spawn(self.command(flags), stdout=subprocess.PIPE, stderr=None, text=True)
        found = re.search(r" at 127\.0\.0\.1:(\d+)", self.process.stdout.readline())
        if not found:
            self.did_not_start()
        self.port = int(found.group(1))

    def kill(self):
        self.end(signal.SIGKILL)

    def lines(self, arguments):
        followers = DUX_FRESH if "--writers 0" in " ".join(arguments) else DUX_RESUME
        return DUX_LINES + followers


class Refserver(Server):
    name, title = "refserver", "refserver"

    @classmethod
    def missing(cls, bench):
        return None if bench.build_generator() else "there is no ../shared/bench"

    def command(self, flags):
        return [self.bench.refserver, str(self.port), os.path.join(self.folder, "log"), "sync"]


class Redis(Server):
    name, title, backend = "redis", "Redis", "redis"

    @classmethod
    def missing(cls, bench):
        return None if shutil.which("redis-server") else "redis-server is not installed (--install)"

    @classmethod
    def version(cls, bench):
        found = re.search(r"v=(\S+)", output_of(["redis-server", "--version"]))
        return found.group(1) if found else ""

    def command(self, flags):
        return ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "",
                "--dir", self.folder, "--appendonly", "yes", "--appendfsync", "always",
                "--maxclients", "12000", "--tcp-backlog", "4096", "--daemonize", "no"]


class RedisStreams(Redis):
    name, title, backend = "redis-stream", "Redis Streams", "redis-stream"


class Nats(Server):
    name, title, backend = "nats", "NATS JetStream", "nats-js"

    @classmethod
    def missing(cls, bench):
        return None if shutil.which("nats-server") else "nats-server is not installed"

    @classmethod
    def version(cls, bench):
        return output_of(["nats-server", "--version"]).split("v")[-1]

    def command(self, flags):
        configuration = os.path.join(self.folder, "nats.conf")
        with open(configuration, "w") as file:
            file.write('listen: "127.0.0.1:%d"\nmax_connections: 20000\n'
                       'jetstream { store_dir: "%s/js" }\n' % (self.port, self.folder))
        return ["nats-server", "-c", configuration]


class Postgres(Server):
    name, title, backend = "postgres", "PostgreSQL", "pg"
    end_signal = signal.SIGINT

    @staticmethod
    def programs():
        base = "/usr/lib/postgresql"
        versions = sorted(os.listdir(base), key=int) if os.path.isdir(base) else []
        return os.path.join(base, versions[-1], "bin") if versions else None

    @classmethod
    def missing(cls, bench):
        if not cls.programs() or not shutil.which("psql"):
            return "postgresql is not installed"
        return None if bench.build_generator() else "there is no ../shared/bench"

    @classmethod
    def version(cls, bench):
        return output_of([os.path.join(cls.programs(), "postgres"), "--version"]).split()[2]

    def command(self, flags):
        return [*self.as_owner(), os.path.join(self.programs(), "postgres"),
                "-D", os.path.join(self.folder, "data"), "-p", str(self.port),
                "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
                "-c", "max_connections=1100", "-c", "shared_buffers=256MB",
                "-c", "synchronous_commit=on", "-c", "fsync=on"]

    @staticmethod
    def as_owner():
        """It refuses to run as root."""
        if os.geteuid() != 0:
            return []
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]

    def start(self, flags=()):
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        try:
            subprocess.run(
                [*self.as_owner(), os.path.join(self.programs(), "initdb"), "-A", "trust",
                 "-D", os.path.join(self.folder, "data"), "-U", "postgres", "-E", "UTF8",
                 "--no-locale"], check=True, capture_output=True, cwd=self.folder)
            super().start(flags)
            ask = ["psql", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]
            self.talk([*ask, "-c", "create database fb"])
            self.talk([*ask, "-d", "fb", "-f", os.path.join(GENERATOR, "pg.sql")])
        except (OSError, LookupError, subprocess.CalledProcessError) as error:
            raise Trouble("PostgreSQL can't be prepared: %s" % error) from None

    @staticmethod
    def talk(command):
        for attempt in range(50):
            done = subprocess.run(command, capture_output=True)
            if done.returncode == 0:
                return
            # It listens a moment before it answers.
            time.sleep(0.1)
        raise Trouble("PostgreSQL can't be prepared: %s" % done.stderr.decode()[:200])


def output_of(command):
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


SERVERS = {server.name: server
           for server in (Dux, Refserver, Redis, RedisStreams, Nats, Postgres)}
