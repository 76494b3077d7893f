"""What a daemon needs: coefficients that are measured, and a model that is computed from them."""
import os
import re
import socket
import statistics

from . import figures, report
from .clients import HELLO, Client, Followers, fill, set_line
from .figures import LESS, Figure
from .loads import Scenario

CLIENTS = (10, 1_000, 100_000)
# The model's load: what a client of a status board or a shared list may see.
RATE, STATE_BYTES = 100, 10_000_000
# Recent frames of all channels; the daemon holds no more of them.
RING_MIB = 32
KEPT_ACTIONS, KEPT_BYTES = 1_000_000, 1 << 30

COEFFICIENTS = [
    Figure("base_mib", "a daemon without clients and state, MiB resident", LESS),
    Figure("kib_each", "an idle subscribed connection, KiB resident", LESS),
    Figure("kernel_kib_each", "… in the kernel, KiB", LESS),
    Figure("small_factor", "state of items of 20 bytes: resident ÷ canonical JSON", LESS),
    Figure("large_factor", "state of items of 1,000 bytes: resident ÷ canonical JSON", LESS),
    Figure("disk_each", "an action on disk, bytes", LESS),
    Figure("kept_each", "… when retention has let go of older ones, bytes for each kept", LESS),
    Figure("frame_bytes", "a delivery, bytes", LESS),
    Figure("action_us", "an action, many in flight, µs of CPU", LESS),
    Figure("single_us", "an action, one in flight, µs of CPU", LESS),
    Figure("send_us", "a send with one change in it, µs of CPU", LESS),
    Figure("delivery_us", "a delivery when many share a send, µs of CPU", LESS),
]
SUBSCRIBE = b'{"op":"subscribe","path":""}\n'
VALUE = "x" * 92


class Sizing(Scenario):
    """All coefficients, each from a daemon of its own."""

    def measure(self, bench, kind):
        sample = {"problems": []}
        for measure in (self.connections, self.states, self.disk, self.processor):
            measure(bench, kind, sample)
        return sample

    @staticmethod
    def connections(bench, kind, sample):
        count = bench.scaled(10_000)
        server = kind(bench)
        sockets = []
        try:
            Client(server.port).close()
            sample["base_mib"] = server.memory_kib() / 1024
            before, kernel = server.memory_kib(), slab_kib()
            for _ in range(count):
                connection = socket.create_connection(("127.0.0.1", server.port), 30)
                connection.sendall(HELLO + SUBSCRIBE)
                sockets.append(connection)
            for connection in sockets:
                seen = 0
                while seen < 2:
                    seen += connection.recv(4096).count(b"\n")
            sample["kib_each"] = (server.memory_kib() - before) / count
            # Both ends of each connection are here; a server has one of them.
            sample["kernel_kib_each"] = (slab_kib() - kernel) / count / 2
        finally:
            for connection in sockets:
                connection.close()
            server.stop()

    @staticmethod
    def states(bench, kind, sample):
        for key, count, size in (("small_factor", 200_000, 20), ("large_factor", 20_000, 1_000)):
            server = kind(bench)
            try:
                client = Client(server.port)
                before = server.memory_kib()
                fill(client, bench.scaled(count), size=size)
                server.wait_until_quiet()
                state = client.status()["stateBytes"]
                client.close()
                sample[key] = (server.memory_kib() - before) * 1024 / state
            finally:
                server.stop()

    @staticmethod
    def disk(bench, kind, sample):
        count = bench.scaled(400_000)
        kept = count // 4
        for key, flags, divisor in (("disk_each", (), count),
                                    ("kept_each", ("--retain-count", str(kept)), kept)):
            server = kind(bench, flags)
            try:
                client = Client(server.port)
                fill(client, 10_000)
                before = bytes_below(server.folder)
                write(client, count)
                server.wait_until_quiet()
                client.close()
                sample[key] = (bytes_below(server.folder) - before) / divisor
            finally:
                server.stop()

    @staticmethod
    def processor(bench, kind, sample):
        server = kind(bench)
        followers = None
        try:
            client = Client(server.port)
            fill(client, 10_000)
            write(client, 5_000)
            server.wait_until_quiet()
            sample["action_us"] = cpu_of(server, lambda: write(client, 5_000), 5_000)
            sample["single_us"] = cpu_of(server, lambda: write(client, 500, window=1), 500)
            count = 100
            followers = Followers(server.port, [""] * count)

            def told(actions, window):
                for first in range(0, actions, window):
                    write(client, window, window=window, first=first)
                    followers.read_lines(window * count)

            together = cpu_of(server, lambda: told(2_560, 256), 2_560)
            alone = cpu_of(server, lambda: told(200, 1), 200)
            sample["send_us"] = max((alone - sample["single_us"]) / count, 0)
            sample["delivery_us"] = max((together - sample["action_us"]) / count, 0)
            follower = next(iter(followers.sockets.values()))
            client.send(set_line(1, VALUE))
            client.receive(1)
            follower.setblocking(True)
            sample["frame_bytes"] = len(follower.recv(4096))
            client.close()
        finally:
            if followers:
                followers.close()
            server.stop()


def write(client, count, window=256, first=0):
    client.pipeline([set_line((first + i) * 7919 % 10_000, "%08d" % (first + i) + VALUE)
                     for i in range(count)], window)


def cpu_of(server, work, count, rounds=3):
    """µs of the daemon's CPU for each of `count` pieces of work."""
    samples = []
    for _ in range(rounds):
        before = server.cpu_seconds()
        work()
        samples.append((server.cpu_seconds() - before) / count * 1e6)
    return statistics.median(samples)


def slab_kib():
    with open("/proc/meminfo") as memory:
        return int(re.search(r"^Slab:\s+(\d+)", memory.read(), re.M).group(1))


def bytes_below(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            # The files of a database come and go.
            try:
                total += os.stat(os.path.join(place, name)).st_blocks * 512
            except FileNotFoundError:
                pass
    return total


def model(known, clients, rate=RATE, state=STATE_BYTES):
    """What a daemon needs for so many clients, from the coefficients; MiB, seconds, Mbit/s."""
    us = 1e-6
    # Retention counts the bytes of actions and patches; rows, indexes and freed pages come on top.
    disk_share = 1.5
    alone = rate * (known["single_us"] + clients * known["send_us"]) * us
    return {
        "memory_mib": known["base_mib"] + clients * known["kib_each"] / 1024
        + state * known["small_factor"] / (1 << 20) + RING_MIB,
        "kernel_mib": clients * known["kernel_kib_each"] / 1024,
        "disk_million_mib": 1e6 * known["disk_each"] / (1 << 20),
        # Beside the actions: the checkpoint in force, the next one, and one to be overwritten.
        "disk_kept_mib": (min(KEPT_ACTIONS * known["kept_each"], KEPT_BYTES * disk_share)
                          + 3 * state) / (1 << 20),
        "network_all": rate * clients * known["frame_bytes"] * 8 / 1e6,
        "network_own": rate * known["frame_bytes"] * 8 / 1e6,
        # Beyond one core changes gather while the last ones are being sent, and share sends.
        "cores": min(alone, 1.0), "is_full": alone > 1,
        "pass_ms": clients * known["send_us"] / 1e3,
        "rate_all": 1 / ((known["action_us"] + clients * known["delivery_us"]) * us),
        "rate_own": 1 / ((known["action_us"] + known["send_us"]) * us),
        "descriptors": clients + 64,
    }


MODEL_ROWS = [
    ("resident memory of the daemon, MiB", "memory_mib"),
    ("kernel memory for its sockets while idle, MiB", "kernel_mib"),
    ("descriptors", "descriptors"),
    ("disk for a million actions before retention, MiB", "disk_million_mib"),
    ("disk at most with the default retention, MiB", "disk_kept_mib"),
    ("network, all watch everything, Mbit/s", "network_all"),
    ("network, each action concerns one client, Mbit/s", "network_own"),
    ("CPU, all watch everything, cores", "cores"),
    ("one pass over all subscribers, ms", "pass_ms"),
    ("actions/s at most, all watch everything", "rate_all"),
    ("actions/s at most, each action concerns one client", "rate_own"),
]


def model_table(known):
    needs = [model(known, clients) for clients in CLIENTS]
    lines = ["| | %s |" % " | ".join("%s clients" % format(count, ",") for count in CLIENTS),
             "|---|%s" % ("---|" * len(CLIENTS))]
    for title, key in MODEL_ROWS:
        cells = [figures.text(need[key]) + (" (full)" if key == "cores" and need["is_full"] else "")
                 for need in needs]
        lines.append("| %s | %s |" % (title, " | ".join(cells)))
    return lines


def markdown(bench, results):
    """The coefficients, and what the model makes of them."""
    samples = results["sizing"]["dux"]
    known = {figure.key: figures.median(samples, figure.key) for figure in COEFFICIENTS}
    lines = [*report.machine(bench, results), "", "| coefficient | measured |", "|---|---|"]
    lines += ["| %s | %s |" % (figure.title, figures.cell(samples, figure))
              for figure in COEFFICIENTS]
    if None in known.values():
        return "\n".join([*lines, "", "Without all coefficients there is no model."]) + "\n"
    lines += ["", "With %s actions/s and a state of %d MB in small items:" % (
        RATE, STATE_BYTES // 1_000_000), ""]
    return "\n".join(lines + model_table(known)) + "\n"


SIZING = Sizing("sizing", "the coefficients of the page on sizing", COEFFICIENTS, [])
