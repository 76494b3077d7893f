"""The scenarios that the load generator drives, against Dux and its peers alike."""
import json
import re
import subprocess
import threading
import time

from .bench import Trouble
from .figures import LESS, MORE, Figure, Target

ACKED = Figure("acked_s", "durable actions/s")
ACK_P50 = Figure("ack_p50", "ack p50, ms", LESS)
ACK_P99 = Figure("ack_p99", "ack p99, ms", LESS)
CPU_ACTION = Figure("cpu_action", "server CPU per action, µs", LESS)
DELIVERIES = Figure("deliv_s", "deliveries/s")
CPU_DELIVERY = Figure("cpu_delivery", "server CPU per delivery, µs", LESS)
LAST_P50 = Figure("last_p50", "last delivery p50, ms", LESS)
LAST_P99 = Figure("last_p99", "last delivery p99, ms", LESS)


class Scenario:
    """One row group of the table: what is measured, on which servers, and what Dux must reach."""

    def __init__(self, name, title, figures, targets, servers=("dux",), kept=(), kept_alone=()):
        self.name = name
        self.title = title
        self.figures = figures
        self.targets = targets
        self.servers = servers
        # Figures whose ratio to a peer, or which by themselves, `--check` compares.
        self.kept = kept
        self.kept_alone = kept_alone

    def measure(self, bench, server):
        """One run: a sample of figures, with `problems` and `notes` as lists of text."""
        raise NotImplementedError

    def missing(self, bench):
        """Why it can't be measured here at all, or None."""
        return None

    def forget(self):
        """Lets go of what was prepared once for all rounds."""


class Load(Scenario):
    """A scenario of the load generator."""

    def __init__(self, name, title, arguments, seconds, figures, targets, servers, **kept):
        super().__init__(name, title, figures, targets, servers, **kept)
        self.arguments = arguments
        self.seconds = seconds

    def missing(self, bench):
        return None if bench.build_generator() else "there is no ../shared/bench"

    def duration(self, bench):
        return max(1, self.seconds // 4) if bench.quick else self.seconds

    def measure(self, bench, server):
        return self.generate(bench, server, self.arguments.split())

    def generate(self, bench, kind, arguments):
        server = kind(bench)
        try:
            sample = generate(bench, server, [
                *arguments, "--duration", str(self.duration(bench))])
            return derive(sample, arguments)
        finally:
            server.stop()


class Idle(Load):
    def measure(self, bench, server):
        return self.generate(bench, server, [
            "--writers", "0", "--subs", str(bench.scaled(10_000)), "--warm", "1"])


class Stalled(Load):
    """The same load without and with a subscriber that never reads, each twice.

    The second of two runs finds a disk that has much behind it, so neither is always the second.
    """

    def measure(self, bench, server):
        def run(*arguments):
            return self.generate(bench, server, [*self.arguments.split(), *arguments])

        calm = [run("--subs", "100")]
        stalled = [run("--subs", "101", "--stalled", "1") for _ in range(2)]
        calm.append(run("--subs", "100"))
        sample = {"gen_cpu": stalled[0].get("gen_cpu"),
                  "stalled_cut": stalled[0].get("stalled_cut"),
                  "problems": [text for run in calm + stalled for text in run["problems"]]}
        if sample["problems"]:
            return sample

        def mean(runs, name):
            return sum(run[name] for run in runs) / len(runs)

        sample["calm_p99"], sample["last_p99"] = mean(calm, "last_p99"), mean(stalled, "last_p99")
        sample["p99_ratio"] = sample["last_p99"] / sample["calm_p99"]
        sample["growth_mb"] = (mean(stalled, "peak_rss") - mean(calm, "peak_rss")) / 1024
        return sample


class Storm(Load):
    """Many come back at once; memory is taken from just before to its highest."""

    def measure(self, bench, kind):
        server = kind(bench)
        watch = ConnectionWatch(server, threshold=bench.scaled(1_000) // 2)
        try:
            sample = generate(bench, server, [
                *self.arguments.split(), "--subs", str(bench.scaled(1_000)),
                "--storm", str(bench.scaled(1_000))])
            idle = watch.stop()
            if idle and "storm_all_s" in sample:
                sample["growth_mb"] = (server.memory_kib("VmHWM") - idle) / 1024
            if sample.get("storm_all_s"):
                sample["gen_cpu"] = sample["self_cpu"] / sample["storm_all_s"] * 100
            return sample
        finally:
            watch.stop()
            server.stop()


class ConnectionWatch:
    """Notes a server's memory until many connections are open, and lets its peak begin there."""

    def __init__(self, server, threshold):
        self.server = server
        # A few of them tell that the storm has begun; the process has files open besides.
        self.threshold = server.descriptors() + min(threshold, 20)
        self.idle = None
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def _watch(self):
        try:
            while not self.is_over.wait(0.005):
                if self.server.descriptors() > self.threshold:
                    return
                self.server.reset_peak()
                self.idle = self.server.memory_kib()
        except OSError:
            self.idle = None

    def stop(self):
        """The memory in KiB just before the connections came."""
        self.is_over.set()
        self.thread.join()
        return self.idle


def generate(bench, server, arguments):
    """Runs the load generator: its figures, and as problems all that breaks a promise.

    It leaves with 0 only if every action was acked, and every subscriber saw each acked action
    once, in one order, and each writer's in that writer's order.
    """
    command = [bench.generator, "--backend", server.backend, "--port", str(server.port),
               "--server-pid", str(server.process.pid), *arguments, *server.lines(arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        raise Trouble("the load generator did not come to an end") from None
    found = re.search(r"^JSON (.*)$", done.stdout, re.M)
    # Figures of a run that was too short are not numbers.
    sample = json.loads(re.sub(r":-?(nan|inf)", ":null", found.group(1))) if found else {}
    sample["problems"] = []
    if done.returncode != 0 or not found:
        words = (done.stderr or done.stdout).strip().splitlines()
        broken = ["%s %d" % (name, sample[name])
                  for name in ("short", "lost", "dup", "misorder", "errors", "resets")
                  if sample.get(name)]
        sample["problems"].append("the generator ended with %d: %s" % (
            done.returncode, ", ".join(broken) or (words[-1] if words else "not all was acked")))
    # The next server begins when the ends of this one's connections are gone.
    time.sleep(0.3)
    return sample


def derive(sample, arguments):
    """Adds what follows from the generator's figures."""
    if sample.get("deliv_s"):
        sample["cpu_delivery"] = sample["srv_cpu"] * 1e4 / sample["deliv_s"]
    if sample.get("acked_s"):
        sample["cpu_action"] = sample["srv_cpu"] * 1e4 / sample["acked_s"]
    if "rss0" in sample:
        count = int(arguments[arguments.index("--subs") + 1])
        sample["kib_each"] = (sample["rss1"] - sample["rss0"]) / count
    return sample


LOADS = [
    Load("a1", "1 writer, 1 action in flight, 1 subscriber",
         "--writers 1 --depth 1 --subs 1 --preload 10000", 4, [ACKED, ACK_P50, ACK_P99],
         [Target("acked_s", 1.05, "redis"), Target("acked_s", 0.9, "refserver")],
         ("dux", "refserver", "redis", "nats", "postgres"), kept=("acked_s",)),
    Load("a2", "16 writers, 16 actions in flight each, 1 subscriber",
         "--writers 16 --depth 16 --subs 1 --preload 10000", 4, [ACKED, ACK_P99, CPU_ACTION],
         [Target("acked_s", 1.5, "redis")],
         ("dux", "refserver", "redis", "nats", "postgres"), kept=("acked_s", "cpu_action")),
    Load("b1000", "4 writers, 16 in flight each, 1,000 subscribers",
         "--writers 4 --depth 16 --subs 1000 --preload 10000", 4,
         [DELIVERIES, CPU_DELIVERY, LAST_P50],
         [Target("deliv_s", 1.3, "redis"), Target("cpu_delivery", 0.7, "redis")],
         ("dux", "refserver", "redis", "redis-stream", "nats"), kept=("deliv_s", "cpu_delivery")),
    Load("b100", "4 writers, 16 in flight each, 100 subscribers",
         "--writers 4 --depth 16 --subs 100 --preload 10000", 4,
         [CPU_DELIVERY, DELIVERIES, LAST_P50], [Target("cpu_delivery", 0.8, "redis")],
         ("dux", "refserver", "redis", "redis-stream", "nats"), kept=("cpu_delivery",)),
    Load("c", "1,000 actions/s at a fixed rate, 100 subscribers",
         "--writers 4 --rate 1000 --subs 100 --preload 10000", 8,
         [LAST_P99, LAST_P50, Figure("srv_cpu", "server CPU, % of a core", LESS)],
         [Target("last_p99", 0.7, "redis")],
         ("dux", "refserver", "redis", "redis-stream", "nats"), kept=("last_p99",)),
    Idle("d", "10,000 idle subscribed connections", "", 3,
         [Figure("kib_each", "resident memory each, KiB", LESS, False),
          Figure("conn_s", "time to connect all, s", LESS)],
         [Target("kib_each", 1.5, unit="KiB")], ("dux", "refserver", "redis", "nats")),
    Stalled("e", "2,000 actions/s of 1,000 bytes, 100 subscribers; with one more that never reads",
            "--writers 4 --rate 2000 --size 1000 --preload 10000", 20,
            [Figure("growth_mb", "memory that it costs at most, MiB", LESS, False),
             Figure("p99_ratio", "the others' p99, with ÷ without it", LESS),
             Figure("calm_p99", "last delivery p99 without it, ms", LESS)],
            [Target("growth_mb", 4, unit="MiB"), Target("p99_ratio", 1.1, unit="×")],
            ("dux", "redis")),
    Storm("f", "1,000 clients come back at once, 1,000 missed changes each",
          "--writers 4 --depth 64 --preload 10000", 1,
          [Figure("storm_all_s", "all caught up after, s", LESS),
           Figure("growth_mb", "memory above idle, MiB", LESS, False)],
          [Target("storm_all_s", 0.4, unit="s"), Target("growth_mb", 50, unit="MiB")],
          ("dux", "refserver", "redis-stream", "nats")),
]
