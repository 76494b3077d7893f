"""The scenarios about the size of the state and the number of paths: Dux against itself."""
import json
import os
import re
import shutil
import statistics
import subprocess
import threading
import time

from .bench import Trouble
from .clients import Client, Followers, OpenLoop, fill, item, quantile, set_line
from .figures import LESS, Figure, Target
from .loads import Scenario
from .servers import Dux


class Crowd(Scenario):
    """Many connect at once to a large state; then to a plain server of as many bytes."""

    clients = 1_000
    request = ('{"op":"hello","protocol":1}', '{"op":"subscribe","path":""}')
    end = '"more":false}\n'

    def measure(self, bench, kind):
        server = kind(bench)
        try:
            client = Client(server.port)
            # Some 10 MB of canonical JSON; less has to be more than goes into one line.
            fill(client, 2_000 if bench.quick else 10_000, size=1_000)
            state = client.status()["stateBytes"]
            client.close()
            server.wait_until_quiet()
            server.reset_peak()
            before, cpu = server.memory_kib(), server.cpu_seconds()
            with SocketMemory() as kernel:
                dux = self.fetch(bench, server.port, self.end)
            cpu = server.cpu_seconds() - cpu
            growth = (server.memory_kib("VmHWM") - before) / 1024
        finally:
            server.stop()
        plain = self.fetch_plainly(bench, dux["bytes"])
        return {"seconds": dux["seconds"], "plain_seconds": plain["seconds"],
                "time_ratio": dux["seconds"] / plain["seconds"], "growth_mb": growth,
                "server_cpu": cpu,
                "kernel_mb": kernel.peak / (1 << 20), "state_bytes": state,
                "gen_cpu": dux["cpu"] / dux["seconds"] * 100, "problems": []}

    def fetch(self, bench, port, end):
        done = subprocess.run([bench.crowd, "fetch", str(port), str(self.clients), end,
                               *self.request], capture_output=True, text=True)
        if done.returncode != 0:
            raise Trouble(done.stderr.strip() or "crowd ended with %d" % done.returncode)
        return json.loads(done.stdout)

    def fetch_plainly(self, bench, count):
        plain = subprocess.Popen([bench.crowd, "serve", str(count)], stdout=subprocess.PIPE,
                                 text=True)
        try:
            return self.fetch(bench, int(plain.stdout.readline()), "#%d" % count)
        finally:
            plain.kill()
            plain.wait()
            plain.stdout.close()


class SocketMemory:
    """The most that the kernel holds for all of TCP meanwhile, both ends of each connection."""

    def __enter__(self):
        self.peak = 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def _watch(self):
        while not self.is_over.wait(0.05):
            with open("/proc/net/sockstat") as sockets:
                pages = int(re.search(r"^TCP:.* mem (\d+)", sockets.read(), re.M).group(1))
            self.peak = max(self.peak, pages * os.sysconf("SC_PAGE_SIZE"))

    def __exit__(self, *error):
        self.is_over.set()
        self.thread.join()


class Sizes(Scenario):
    """The same action in states of different sizes, a daemon for each.

    They take turns, since a shared machine is faster at one time and slower at another, and what
    they spent is added up: the write-ahead log is copied in every third turn or so.
    """

    turns = 24
    actions = 5_000

    def measure(self, bench, kind):
        states = []
        try:
            for size in (1_000, bench.scaled(100_000), bench.scaled(1_000_000)):
                states.append(SizedState(kind(bench), size))
            for state in states:
                state.server.wait_until_quiet()
            for turn in range(1 + self.turns):
                for state in states:
                    spent = state.change(self.actions)
                    # The first turn warms up.
                    state.spent += spent if turn else 0
            first, middle, large = [state.spent / self.turns / self.actions * 1e6
                                    for state in states]
        finally:
            for state in states:
                state.end()
        return {"cpu_1000": first, "cpu_100000": middle, "cpu_1000000": large,
                "middle_ratio": middle / first, "large_ratio": large / first, "problems": []}


class SizedState:
    """A daemon with so many items, of which one field after the other is changed."""

    def __init__(self, server, count):
        self.server, self.count = server, count
        self.changed, self.spent = 0, 0
        self.client = Client(server.port)
        fill(self.client, count)

    def change(self, actions):
        """The CPU seconds of so many changes, each to a value as long as the one before."""
        lines = [set_line(i * 7919 % self.count, "value %014d" % i)
                 for i in range(self.changed, self.changed + actions)]
        self.changed += actions
        before = self.server.cpu_seconds()
        self.client.pipeline(lines)
        return self.server.cpu_seconds() - before

    def end(self):
        self.client.close()
        self.server.stop()


class Restart(Scenario):
    """A start on the files that a kill left behind, made once and copied for each round."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.prepared = None

    def prepare(self, bench):
        count = bench.scaled(1_000_000)
        server = Dux(bench)
        try:
            client = Client(server.port)
            fill(client, count)
            for begin in range(0, count, 10_000):
                client.pipeline([set_line(i * 7919 % count, "value %d" % i)
                                 for i in range(begin, begin + 10_000)], window=2_000)
            status = client.status()
            client.close()
            server.kill()
            self.prepared = bench.folder_for("killed")
            shutil.move(os.path.join(server.folder, "data"), os.path.join(self.prepared, "data"))
            self.tail = status["seq"] - status["checkpointSeq"]
        finally:
            server.stop()

    def measure(self, bench, kind):
        if not self.prepared:
            self.prepare(bench)
        server = kind(bench)
        try:
            server.kill()
            data = os.path.join(server.folder, "data")
            shutil.rmtree(data)
            shutil.copytree(os.path.join(self.prepared, "data"), data)
            begun = time.monotonic()
            server.start()
            client = Client(server.port)
            answer = client.ask({"op": "get", "path": "/items/%s/n" % item(1)})
            seconds = time.monotonic() - begun
            client.close()
            problems = [] if answer.get("value") == 1 else ["a value is missing: %s" % answer]
            return {"serving_s": seconds, "tail": self.tail, "problems": problems}
        finally:
            server.stop()

    def forget(self):
        if self.prepared:
            shutil.rmtree(self.prepared, ignore_errors=True)
            self.prepared = None


class Paths(Scenario):
    """Many watch a path each, and every action is told to one of them."""

    def measure(self, bench, kind):
        few = self.cpu_per_action(bench, kind, watched=10, changed=10)
        beside = self.cpu_per_action(bench, kind, watched=1_000, changed=10)
        many = self.cpu_per_action(bench, kind, watched=1_000, changed=1_000)
        return {"cpu_10": few, "cpu_1000": many, "paths_ratio": many / few,
                "beside_ratio": beside / few, "problems": []}

    @staticmethod
    def cpu_per_action(bench, kind, watched, changed, actions=16_000):
        server = kind(bench)
        followers = None
        try:
            client = Client(server.port)
            fill(client, 10_000)
            followers = Followers(server.port, ["/items/" + item(i) for i in range(watched)])
            server.wait_until_quiet()
            # So few at a time, and each to the next path: no two of a group go to one subscriber,
            # and an action costs one send, however many paths there are.
            window = 8
            samples = []
            for begin in range(0, actions, 2_000):
                before = server.cpu_seconds()
                for first in range(begin, begin + 2_000, window):
                    client.pipeline([set_line(i % changed, "value %d" % i)
                                     for i in range(first, first + window)])
                    followers.read_lines(window)
                samples.append((server.cpu_seconds() - before) / 2_000 * 1e6)
            client.close()
            # The first were still warming up.
            return statistics.median(samples[2:])
        finally:
            if followers:
                followers.close()
            server.stop()


class Checkpoint(Scenario):
    """Acks at a fixed rate while a large state is written down beside them.

    A checkpoint is due when the log has grown by the size of the state since the last. So the log
    is first brought close to that, as fast as it goes, and the rest comes at the fixed rate.
    """

    rate = 1_000

    def measure(self, bench, kind):
        count = bench.scaled(100_000)
        server = kind(bench)
        try:
            disk = Disk(server.folder)
            client = Client(server.port)
            fill(client, count, size=1_000)
            self.approach(client, count)
            client.close()
            server.wait_until_quiet()
            disk.wait_until_as_before()
            loop = OpenLoop(server.port, self.rate, lambda n: set_line(
                n * 7919 % count, value(n), number=n))
            loop.run(lambda loop, seconds: bool(loop.checkpoints)
                     and seconds > loop.checkpoints[-1][1] - loop.due[0] + 4, limit=90)
            return self.judge(loop)
        finally:
            server.stop()

    @staticmethod
    def approach(client, count):
        """Writes until a checkpoint has been taken, then until the next is near."""
        step, sent = 2_000, 0

        def write():
            nonlocal sent
            client.pipeline([set_line((sent + i) * 7919 % count, value(i))
                             for i in range(step)], window=500)
            sent += step
            return client.status()

        before = client.status()
        status = write()
        per_action = (status["logBytes"] - before["logBytes"]) / step
        limit = sent + 4 * status["stateBytes"] / per_action
        while status["checkpointSeq"] == before["checkpointSeq"]:
            if sent > limit:
                raise Trouble("no checkpoint was taken in %d actions" % sent)
            status = write()
        # Some 5 s at the fixed rate are left for the time before it.
        due = status["checkpointSeq"] + status["stateBytes"] / per_action
        while status["seq"] + step < due - 5 * Checkpoint.rate:
            status = write()

    @staticmethod
    def judge(loop):
        if not loop.is_complete:
            return {"problems": ["%d actions were not acked" % (len(loop.due) - len(loop.acked))]}
        spans = loop.checkpoint_spans()
        within, beside = loop.latencies(spans)
        # The first second is the connection's.
        beside = beside[Checkpoint.rate:]
        if not within or len(beside) < Checkpoint.rate:
            return {"problems": ["no checkpoint was taken at the fixed rate"]}
        during, normal = (quantile(samples, 0.999) * 1e3 for samples in (within, beside))
        return {"during_ms": during, "normal_ms": normal, "checkpoint_ratio": during / normal,
                "checkpoint_s": sum(end - start for start, end in spans) / len(spans),
                "actions_within": len(within), "lateness_ms": quantile(loop.lateness, 0.999) * 1e3,
                "problems": []}


class Disk:
    """How long a sync takes, before much is written and after.

    A virtual disk lends what it has in store and is slow for a while when that is used up, longer
    than the kernel has something to write. What is slow then is not the daemon.
    """

    probes = 200

    def __init__(self, folder):
        self.path = os.path.join(folder, "probe")
        self.usual = statistics.median(self.probe())

    def probe(self):
        """The seconds that syncs of 4 KiB take, one every 10 ms."""
        took = []
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            for _ in range(self.probes):
                start = time.monotonic()
                os.pwrite(file, b"p" * 4_096, 0)
                os.fdatasync(file)
                took.append(time.monotonic() - start)
                time.sleep(0.01)
        finally:
            os.close(file)
        return took

    def wait_until_as_before(self, seconds=90):
        deadline = time.monotonic() + seconds
        while max(self.probe()) > 5 * self.usual + 0.002 and time.monotonic() < deadline:
            pass


def value(number):
    return "%d:" % number + "x" * 990


STATES = [
    Crowd("g", "1,000 clients connect at once to a state of 10 MB",
          [Figure("time_ratio", "time ÷ that of a plain server with sendfile", LESS),
           Figure("seconds", "all have it after, s", LESS),
           Figure("plain_seconds", "the plain server, s", LESS),
           Figure("server_cpu", "the daemon's CPU, s", LESS),
           Figure("growth_mb", "memory above idle, MiB", LESS),
           Figure("kernel_mb", "unread in the kernel at most, both ends, MiB", LESS)],
          [Target("time_ratio", 1.5, unit="×"), Target("growth_mb", 50, unit="MiB")]),
    Sizes("h", "one field changed in states of 1,000 to 1,000,000 items",
          [Figure("large_ratio", "CPU per action, 1,000,000 items ÷ 1,000", LESS),
           Figure("middle_ratio", "… 100,000 items ÷ 1,000", LESS),
           Figure("cpu_1000", "… of 1,000 items, µs", LESS),
           Figure("cpu_1000000", "… of 1,000,000 items, µs", LESS)],
          [Target("large_ratio", 1.3, unit="×")], kept_alone=("large_ratio", "middle_ratio")),
    Restart("i", "start after kill -9: a state of 1,000,000 items, 1,000,000 actions since",
            [Figure("serving_s", "to the first value served, s", LESS),
             Figure("tail", "actions since the last checkpoint", LESS)],
            [Target("serving_s", 3, unit="s")]),
    Paths("j", "1,000 clients on 1,000 paths, each action told to one",
          [Figure("paths_ratio", "CPU per action, 1,000 paths ÷ 10", LESS),
           Figure("beside_ratio", "… 10 of 1,000 paths ÷ 10: what the other paths cost", LESS),
           Figure("cpu_1000", "… with 1,000 paths, µs", LESS),
           Figure("cpu_10", "… with 10 paths, µs", LESS)],
          [Target("paths_ratio", 1.2, unit="×")], kept_alone=("paths_ratio", "beside_ratio")),
    Checkpoint("k", "acks at 1,000 actions/s while a state of 100 MB is written down",
               [Figure("checkpoint_ratio", "ack p99.9, during ÷ beside", LESS),
                Figure("during_ms", "… during, ms", LESS),
                Figure("normal_ms", "… beside, ms", LESS),
                Figure("checkpoint_s", "the checkpoint takes, s", LESS)],
               [Target("checkpoint_ratio", 2, unit="×")]),
]
