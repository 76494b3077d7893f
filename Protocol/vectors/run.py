#!/usr/bin/env python3
"""Runs the vectors of this folder against a server of protocol 1 (see README.md).

  run.py --start "duxd --listen 127.0.0.1:0 --data {data}" [NAME…]
  run.py --connect 127.0.0.1:7389 [NAME…]

NAME picks the vectors whose file name contains it. Exit code: 0 all passed, 1 some failed, 2 usage.
"""

import argparse
import base64
import json
import os
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
STEP_SECONDS = 10
PRESENCE = "@presence"


class Failure(Exception):
    """The server did not do what the vector says."""


# JSON that keeps what the protocol tells apart: -0 is a double, 1 and 1.0 are two values.


def pairs(members):
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("duplicate key")
    return found


def decode(text):
    return json.loads(text, object_pairs_hook=pairs, parse_int=integer)


def integer(digits):
    return -0.0 if digits == "-0" else int(digits)


def encode(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def same(left, right):
    """Equality as stored: kinds of numbers and the sign of zero count."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return repr(left) == repr(right)


# The replica of a subscription: snapshot, parts and patches, as section 5 of protocol.md says.

MISSING = object()  # No value at the path.
UNKNOWN = object()  # A resume from a position that this runner does not hold.


def tokens(path):
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def apply(document, patch):
    for operation in patch:
        kind = operation.get("op")
        if kind not in ("add", "remove", "replace"):
            raise Failure(f"a patch may hold add, remove and replace only: {encode(operation)}")
        document = apply_one(document, kind, tokens(operation["path"]), operation.get("value"))
    return document


def apply_one(document, kind, path, value):
    if not path:
        if document is MISSING and kind != "add":
            raise Failure(f"{kind} of a value that is missing")
        return MISSING if kind == "remove" else value
    holder = document
    try:
        for token in path[:-1]:
            holder = holder[int(token)] if isinstance(holder, list) else holder[token]
        last = path[-1]
        if isinstance(holder, list):
            apply_to_list(holder, kind, last, value)
        elif kind == "add":
            holder[last] = value
        elif kind == "remove":
            del holder[last]
        else:
            holder[last]
            holder[last] = value
    except (KeyError, IndexError, TypeError, ValueError):
        raise Failure(f"the patch does not fit the replica: {kind} at {path}") from None
    return document


def apply_to_list(items, kind, token, value):
    index = len(items) if token == "-" and kind == "add" else int(token)
    if not 0 <= index <= len(items) - (kind != "add"):
        raise IndexError
    if kind == "add":
        items.insert(index, value)
    elif kind == "remove":
        del items[index]
    else:
        items[index] = value


class Subscription:
    """What a client holds of one path."""

    def __init__(self, state, position, partial=False):
        self.state = state
        self.position = position
        self.partial = partial
        self.acked = 0
        self.time = 0


class Connection:
    """One socket, its lines, and the rules that hold whatever the vector is about."""

    def __init__(self, name, address, earlier=None):
        self.name = name
        self.earlier = earlier.everything() if earlier else {}
        self.socket = socket.create_connection(address, timeout=STEP_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.subscriptions = {}
        self.max_line = 1 << 62

    def everything(self):
        return {**self.earlier, **self.subscriptions}

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # The server may close while we write; what it said before is still to be read.

    def line(self, deadline):
        """The next line's text, or None at the end of the stream."""
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Failure(f"nothing came on {self.name} in time")
            self.socket.settimeout(left)
            try:
                received = self.socket.recv(1 << 20)
            except TimeoutError:
                continue
            except ConnectionResetError:
                received = b""
            if not received:
                if self.buffer:
                    raise Failure(f"{self.name} ended inside a line: {self.buffer[:200]!r}")
                return None
            self.buffer += received
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def message(self, deadline, marks=False):
        """The next message, or None at the end; marks are passed over unless asked for."""
        while True:
            line = self.line(deadline)
            if line is None:
                return None
            try:
                message = decode(line.decode("utf-8"))
                operation = message["op"]
            except (ValueError, KeyError, TypeError) as problem:
                raise Failure(f"not a message: {line[:200]!r} ({problem})") from None
            self.check(message, operation, len(line))
            if operation != "mark" or marks:
                return message

    def check(self, message, operation, length):
        if operation == "welcome":
            self.max_line = message["maxLine"]
        elif operation == "snapshot":
            state = MISSING if message.get("missing") else decode(encode(message["state"]))
            self.subscriptions[message["path"]] = Subscription(
                state, message["seq"], message.get("more") is True
            )
        elif operation == "resumed":
            path, position = message["path"], message["from"]
            known = self.everything().get(path)
            fits = known and known.position == position and not known.partial
            self.subscriptions[path] = Subscription(known.state if fits else UNKNOWN, position)
        elif operation in ("part", "patch", "mark"):
            self.check_frame(message, operation, length)
        elif operation == "unsubscribed":
            self.subscriptions.pop(message["path"], None)
        elif operation == "ack":
            for path, subscription in self.subscriptions.items():
                if path != PRESENCE:
                    subscription.acked = max(subscription.acked, message["seq"])

    def check_frame(self, message, operation, length):
        path, seq = message["path"], message["seq"]
        subscription = self.subscriptions.get(path)
        if subscription is None:
            raise Failure(f"{operation} for {path!r}, which is not subscribed")
        if operation == "part":
            if not subscription.partial:
                raise Failure("a part without a snapshot before it")
            if length > self.max_line and len(message["patch"]) > 1:
                raise Failure(f"a part of {length} bytes, over maxLine")
            subscription.state = apply(subscription.state, message["patch"])
            subscription.partial = message["more"]
            return
        if subscription.partial:
            raise Failure(f"{operation} between the parts of a snapshot")
        if operation == "mark":
            if seq < subscription.position:
                raise Failure(f"mark {seq} after {subscription.position}")
            subscription.position = seq
            return
        if seq <= subscription.position:
            raise Failure(f"patch {seq} of {path!r} after {subscription.position}")
        if path in ("", PRESENCE) and seq != subscription.position + 1:
            raise Failure(f"patch {seq} of {path!r} after {subscription.position}: a gap")
        if seq <= subscription.acked:
            raise Failure(f"patch {seq} of {path!r} after the ack of {subscription.acked}")
        if path != PRESENCE:
            if message["time"] < subscription.time:
                raise Failure(f"time falls at seq {seq}")
            subscription.time = message["time"]
        subscription.position = seq
        if subscription.state is not UNKNOWN:
            subscription.state = apply(subscription.state, message["patch"])

    def close(self):
        self.socket.close()


# Placeholders

SUM = re.compile(r"\$([A-Za-z][A-Za-z0-9]*)([+-][0-9]+)?")
KINDS = {
    "$any": lambda value: True,
    "$int": lambda value: type(value) is int,
    "$number": lambda value: type(value) in (int, float),
    "$string": lambda value: isinstance(value, str),
    "$bool": lambda value: isinstance(value, bool),
    "$array": lambda value: isinstance(value, list),
    "$object": lambda value: isinstance(value, dict),
}


class Names:
    def __init__(self):
        self.values = {}
        self.run = secrets.token_hex(4)

    def resolve(self, value):
        """What a placeholder stands for in a message to send."""
        if isinstance(value, dict):
            return {key: self.resolve(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.resolve(item) for item in value]
        if not isinstance(value, str) or not value.startswith("$"):
            return value
        if value.startswith("$$"):
            return value[1:]
        if value.startswith("$client:"):
            return f"{value[8:]}-{self.run}"
        found = SUM.fullmatch(value)
        if not found or found[1] not in self.values:
            raise SystemExit(f"a vector sends {value}, which has no value yet")
        known = self.values[found[1]]
        return known + int(found[2]) if found[2] else known

    def differences(self, expected, got, place=""):
        """Where got departs from expected, as texts; binds names seen for the first time."""
        if isinstance(expected, str) and expected.startswith("$"):
            return self.placeholder(expected, got, place)
        if isinstance(expected, dict) and isinstance(got, dict):
            found = [f"{place}/{key}: unexpected" for key in got if place and key not in expected]
            for key, value in expected.items():
                if value == "$absent":
                    if key in got:
                        found.append(f"{place}/{key}: {encode(got[key])}, not absent")
                elif key not in got:
                    found.append(f"{place}/{key}: missing")
                else:
                    found += self.differences(value, got[key], f"{place}/{key}")
            return found
        if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
            return [
                text
                for index, (one, other) in enumerate(zip(expected, got))
                for text in self.differences(one, other, f"{place}/{index}")
            ]
        return [] if same(expected, got) else [f"{place}: {encode(got)}, not {encode(expected)}"]

    def placeholder(self, expected, got, place):
        if expected in KINDS:
            return [] if KINDS[expected](got) else [f"{place}: {encode(got)}, not {expected}"]
        found = SUM.fullmatch(expected)
        if found and not found[2] and found[1] not in self.values:
            self.values[found[1]] = got
            return []
        wanted = self.resolve(expected)
        if same(wanted, got):
            return []
        return [f"{place}: {encode(got)}, not {encode(wanted)} ({expected})"]


# The server

ADDRESS = re.compile(r"(\d+\.\d+\.\d+\.\d+|localhost):(\d+)")


class Started:
    """A server of our own, with a data folder of its own."""

    def __init__(self, command):
        self.command = command
        self.data = tempfile.mkdtemp(prefix="dux-vectors-")
        self.errors = open(os.path.join(self.data, "stderr"), "wb+")
        self.process = None
        try:
            self.start()
        except (Failure, OSError):
            self.finish()
            raise

    def start(self):
        words = [
            word.replace("{data}", os.path.join(self.data, "data"))
            for word in shlex.split(self.command)
        ]
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=self.errors, stdin=subprocess.DEVNULL
        )
        watchdog = threading.Timer(STEP_SECONDS, self.process.kill)
        watchdog.start()
        try:
            for line in self.process.stdout:
                found = ADDRESS.search(line.decode("utf-8", "replace"))
                if found and found[2] != "0":
                    self.address = (found[1], int(found[2]))
                    threading.Thread(target=self.process.stdout.read, daemon=True).start()
                    return
        finally:
            watchdog.cancel()
        self.process.wait()
        raise Failure(f"the server did not tell its address; stderr: {self.said()}")

    def restart(self, kind):
        self.process.send_signal(kind)
        try:
            self.process.wait(STEP_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure("the server did not stop in time") from None
        self.start()

    def said(self):
        self.errors.seek(0)
        return self.errors.read()[-2000:].decode("utf-8", "replace").strip()

    def finish(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.errors.close()
        shutil.rmtree(self.data, ignore_errors=True)


class Running:
    """A server that is already there; its state is emptied before each vector."""

    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self.address = (host.strip("[]") or "127.0.0.1", int(port))

    def said(self):
        return ""

    def finish(self):
        pass


# Steps


class Run:
    def __init__(self, server):
        self.server = server
        self.names = Names()
        self.connections = {}

    def prepare(self):
        """Empties the state and binds $base to the head."""
        connection = Connection("runner", self.server.address)
        deadline = time.monotonic() + STEP_SECONDS
        connection.send(b'{"op":"hello","protocol":1}\n{"op":"ping"}\n')
        if connection.message(deadline)["op"] != "welcome":
            raise Failure("the runner was not welcomed")
        head = connection.message(deadline)["seq"]
        if head > 0:
            action = {"type": "doc/set", "payload": {"path": "", "value": {}}}
            connection.send(encode({"op": "dispatch", "action": action}).encode() + b"\n")
            head = connection.message(deadline)["seq"]
        connection.close()
        self.names.values["base"] = head

    def step(self, step):
        seconds = step.get("within", STEP_SECONDS)
        self.deadline = time.monotonic() + seconds
        for verb in ("connect", "open", "close", "restart", "kill"):
            if verb in step:
                return getattr(self, verb)(step)
        connection = self.connections[step["on"]]
        for verb in (
            "send", "expect", "expectAnyOrder", "until", "expectSnapshot", "expectBye", "closed",
            "nothing", "replica", "converged", "finish",
        ):
            if verb in step:
                return getattr(self, verb)(connection, step)
        raise SystemExit(f"no such step: {encode(step)}")

    def connect(self, step):
        name = step["connect"]
        earlier = self.connections.get(name)
        self.connections[name] = Connection(name, self.server.address, earlier)

    def open(self, step):
        name = step["open"]
        self.connect({"connect": name})
        connection = self.connections[name]
        client = self.names.resolve("$client:" + step.get("as", name))
        hello = {"op": "hello", "protocol": 1, "client": client}
        connection.send(encode(hello).encode() + b"\n")
        self.match(connection, {"op": "welcome", "client": client, "epoch": "$epoch"})

    def close(self, step):
        self.connections[step["close"]].close()

    def restart(self, step):
        self.server.restart(signal.SIGTERM)

    def kill(self, step):
        self.server.restart(signal.SIGKILL)

    def send(self, connection, step):
        connection.send(self.bytes(step["send"]))

    def bytes(self, part):
        if isinstance(part, str):
            return part.encode()
        if isinstance(part, list):
            return b"".join(map(self.bytes, part))
        if "base64" in part:
            return base64.b64decode(part["base64"])
        if "repeat" in part:
            text = part["repeat"]
            return b"".join(text.replace("{i}", str(i)).encode() for i in range(part["times"]))
        return encode(self.names.resolve(part)).encode() + b"\n"

    def finish(self, connection, step):
        connection.socket.shutdown(socket.SHUT_WR)

    def match(self, connection, expected):
        got = connection.message(self.deadline, marks=expected.get("op") == "mark")
        if got is None:
            raise Failure(f"{connection.name} was closed\n  expected: {encode(expected)}")
        found = self.names.differences(expected, got)
        if found:
            raise Failure(self.difference(connection, expected, got, found))

    def difference(self, connection, expected, got, found):
        lines = [
            f"another message on {connection.name}",
            f"  expected: {encode(expected)}",
            f"  got:      {encode(got)[:2000]}",
        ]
        return "\n".join(lines + ["  " + text for text in found])

    def expect(self, connection, step):
        expected = step["expect"]
        for one in expected if isinstance(expected, list) else [expected] * step.get("times", 1):
            self.match(connection, one)

    def expectAnyOrder(self, connection, step):
        open_ones = list(step["expectAnyOrder"])
        while open_ones:
            got = connection.message(self.deadline)
            if got is None:
                raise Failure(f"{connection.name} was closed\n  expected: {encode(open_ones)}")
            for index, one in enumerate(open_ones):
                kept = dict(self.names.values)
                if not self.names.differences(one, got):
                    del open_ones[index]
                    break
                self.names.values = kept
            else:
                raise Failure(self.difference(connection, open_ones, got, ["fits none of these"]))

    def until(self, connection, step):
        """Whatever comes, up to the message that fits."""
        got = connection.message(self.deadline)
        while got is not None and self.names.differences(step["until"], got):
            got = connection.message(self.deadline)
        if got is None:
            raise Failure(f"{connection.name} was closed\n  expected: {encode(step['until'])}")

    def expectSnapshot(self, connection, step):
        """A snapshot that comes in parts, to the last one."""
        self.match(connection, {"op": "snapshot", "more": True, **step["expectSnapshot"]})
        more = True
        while more:
            got = connection.message(self.deadline)
            if got is None or got["op"] != "part" or not isinstance(got.get("more"), bool):
                raise Failure(f"not a part: {encode(got)[:300]}")
            more = got["more"]

    def expectBye(self, connection, step):
        self.match(connection, {"op": "bye", "message": "$string", **step["expectBye"]})
        self.closed(connection, step)

    def closed(self, connection, step):
        got = connection.message(self.deadline)
        if got is not None:
            raise Failure(f"{connection.name} still speaks\n  got: {encode(got)[:2000]}")

    def nothing(self, connection, step):
        """Nothing is under way: the answer to a ping is the next line."""
        probe = "nothing-" + secrets.token_hex(4)
        connection.send(encode({"op": "ping", "id": probe}).encode() + b"\n")
        self.match(connection, {"op": "pong", "id": probe})

    def replica(self, connection, step):
        subscription = connection.subscriptions.get(step["replica"])
        if subscription is None:
            raise Failure(f"{step['replica']!r} is not subscribed on {connection.name}")
        self.compare(subscription.state, MISSING if step.get("missing") else step["is"])

    def converged(self, connection, step):
        path = step["converged"]
        connection.send(encode({"op": "get", "id": "converged", "path": path}).encode() + b"\n")
        got = connection.message(self.deadline)
        while got is not None and got["op"] == "patch":
            got = connection.message(self.deadline)
        if got is None or got.get("op") != "value":
            raise Failure(f"no value for {path!r}: {encode(got)[:300]}")
        value = MISSING if got.get("missing") else got["value"]
        self.compare(connection.subscriptions[path].state, value)

    def compare(self, state, wanted):
        names = {MISSING: "missing", UNKNOWN: "unknown"}
        texts = [names[one] if type(one) is object else encode(one) for one in (wanted, state)]
        if not same(state, wanted):
            wanted_text, text = (one[:2000] for one in texts)
            raise Failure(f"another replica\n  wanted:  {wanted_text}\n  replica: {text}")


def needs_own_server(vector):
    """Whether it restarts the server, or needs one whose state has never had a lease."""
    restarts = any("restart" in step or "kill" in step for step in vector["steps"])
    return restarts or vector.get("fresh", False)


def run_vector(vector, make_server):
    """None if it passed, else what went wrong."""
    server = None
    run = None
    place = "start of the server"
    try:
        server = make_server()
        run = Run(server)
        run.prepare()
        for index, step in enumerate(vector["steps"]):
            place = f"step {index + 1} {encode(step)[:300]}"
            run.step(step)
    except (Failure, OSError) as problem:
        said = server.said() if server else ""
        return f"{place}\n  {problem}" + (f"\n  server's stderr: {said}" if said else "")
    finally:
        for connection in run.connections.values() if run else []:
            connection.close()
        if server:
            server.finish()
    return None


def load(names):
    vectors = []
    for file in sorted(os.listdir(FOLDER)):
        if file.endswith(".json") and (not names or any(name in file for name in names)):
            with open(os.path.join(FOLDER, file), encoding="utf-8") as opened:
                vectors.append((file[:-5], decode(opened.read())))
    return vectors


def main():
    usage = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    which = usage.add_mutually_exclusive_group(required=True)
    which.add_argument("--start", metavar="COMMAND", help="one server a vector; {data}: its folder")
    which.add_argument("--connect", metavar="HOST:PORT", help="a running server: ITS STATE IS LOST")
    usage.add_argument("names", nargs="*", metavar="NAME")
    given = usage.parse_args()
    if given.start:
        make_server = lambda: Started(given.start)
    else:
        running = Running(given.connect)
        make_server = lambda: running
        try:
            socket.create_connection(running.address, timeout=STEP_SECONDS).close()
        except OSError as problem:
            usage.error(f"no server at {given.connect}: {problem}")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, vector in load(given.names):
        if needs_own_server(vector) and not given.start:
            counts["skipped"] += 1
            print(f"skip {name}: needs a server of its own")
            continue
        problem = run_vector(vector, make_server)
        counts["failed" if problem else "passed"] += 1
        told = f"FAIL {name}: {vector['about']}\n  {problem}" if problem else f"ok   {name}"
        print(told, flush=True)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
