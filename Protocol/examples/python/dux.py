#!/usr/bin/env python3
"""A client of protocol 1 in one file, with nothing but the standard library
(Python 3.10 or later).

As a program:

  python3 dux.py HOST:PORT watch [PATH]        each state of PATH, a line each
  python3 dux.py HOST:PORT set PATH JSON
  python3 dux.py HOST:PORT get [PATH]

As a library:

  client = Client("127.0.0.1:7389")
  client.subscribe("/todos", lambda state, seq: print(seq, state))
  client.dispatch({"type": "doc/set", "payload": {"path": "/todos", "value": []}})
  client.run()

One thread, one client. dispatch and get wait for their answer and live through lost connections; a
dispatch takes effect exactly once as long as this object lives. The section numbers are those of
protocol.md.
"""

import json
import os
import random
import secrets
import socket
import sys
import time

MISSING = object()  # The value of a path at which there is none.
FIRST_DELAY, LONGEST_DELAY = 0.25, 30.0


class Refused(Exception):
    """The server's no to one request: an error or a final reject."""

    def __init__(self, message):
        super().__init__(f"{message['code']}: {message['message']}")
        self.code = message["code"]
        self.reason = message.get("reason")


class Ended(Exception):
    """The server ended the connection for good (section 3.4); do not reconnect."""


def tokens(path):
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def apply(document, patch):
    """The document after a patch of add, remove and replace; the one given is used up."""
    for operation in patch:
        path, kind = tokens(operation["path"]), operation["op"]
        if not path:
            document = MISSING if kind == "remove" else operation["value"]
            continue
        holder = document
        for token in path[:-1]:
            holder = holder[int(token)] if isinstance(holder, list) else holder[token]
        if isinstance(holder, list):
            place = len(holder) if path[-1] == "-" else int(path[-1])
            if kind == "add":
                holder.insert(place, operation["value"])
                continue
        else:
            place = path[-1]
        if kind == "remove":
            del holder[place]
        else:
            holder[place] = operation["value"]
    return document


class Subscription:
    """What we hold of one path. The position is None until a whole snapshot has come."""

    def __init__(self, path, notify):
        self.path = path
        self.notify = notify
        self.state = MISSING
        self.epoch = None
        self.seq = None
        self.staged = None  # A snapshot of which parts are still to come (section 5.3).

    def request(self):
        request = {"op": "subscribe", "path": self.path}
        if self.seq is not None:
            request.update(since=self.seq, epoch=self.epoch)
        return request

    def take(self, message):
        kind = message["op"]
        if kind == "snapshot":
            self.staged = (message["epoch"], message["seq"], message.get("state", MISSING))
            if not message.get("more"):
                self.finish()
        elif kind == "part":
            epoch, seq, state = self.staged
            self.staged = (epoch, seq, apply(state, message["patch"]))
            if not message["more"]:
                self.finish()
        elif kind == "mark":
            self.seq = max(self.seq, message["seq"])
        elif kind == "patch" and message["seq"] > self.seq:
            self.state = apply(self.state, message["patch"])
            self.seq = message["seq"]
            self.notify(self.state, self.seq)

    def finish(self):
        self.epoch, self.seq, self.state = self.staged
        self.staged = None
        self.notify(self.state, self.seq)


class Client:
    """Connects when first needed, and again whenever the connection is lost."""

    def __init__(self, address, name=None, token=None, log=lambda text: None):
        host, _, port = address.rpartition(":")
        self.address = (host.strip("[]") or "127.0.0.1", int(port))
        # Two programs of one name would throw each other out, so ours is unique (section 3.2).
        place = f"{socket.gethostname()[:40]}-{os.getpid()}"
        self.name = name or f"dux.py-{place}-{secrets.token_hex(4)}"
        self.token = token
        self.log = log
        self.subscriptions = {}
        self.waiting = {}  # Requests by id that have no answer yet, in the order of sending.
        self.answers = {}
        self.last_id = 0
        self.last_n = 0
        self.socket = None
        self.buffer = b""
        self.heartbeat = 15.0
        self.delay = FIRST_DELAY
        self.attempts = 0

    # What a program asks for

    def subscribe(self, path, notify):
        """Calls notify(state, seq) with the state of path now and after each change."""
        self.subscriptions[path] = Subscription(path, notify)
        if self.socket:
            self.write([self.subscriptions[path].request()])

    def dispatch(self, *actions, conditions=()):
        """Carries out the actions as one step, exactly once; the ack, or Refused."""
        self.connect()
        self.last_n += 1
        request = {"op": "dispatch", "n": self.last_n, "actions": list(actions)}
        if conditions:
            request["if"] = list(conditions)
        pause = FIRST_DELAY
        while True:
            answer = self.ask(request)
            if answer["op"] == "ack":
                return answer
            if answer.get("final") is not False:
                raise Refused(answer)
            # Transient: no effect, no outcome. No larger n was sent, so the same one may be (4.4).
            self.log(f"{answer['code']}: {answer['message']}; sending again")
            time.sleep(max(random.uniform(0, pause), answer.get("retryMs", 0) / 1000))
            pause = min(2 * pause, LONGEST_DELAY)

    def get(self, path="", at=None):
        """The value and the seq it is of; the value is MISSING where there is none."""
        request = {"op": "get", "path": path}
        if at is not None:
            request["at"] = at
        answer = self.ask(request)
        if answer["op"] != "value":
            raise Refused(answer)
        return answer.get("value", MISSING), answer["seq"]

    def run(self):
        """Follows the subscriptions for ever."""
        while True:
            self.step()

    # Requests and their answers

    def ask(self, request):
        """Sends until an answer has come: gets change nothing, and a dispatch has its n."""
        self.connect()
        self.last_id += 1
        request = {**request, "id": self.last_id}
        self.waiting[self.last_id] = request
        self.write([request])
        while request["id"] not in self.answers:
            self.step()
        return self.answers.pop(request["id"])

    def step(self):
        """Takes in one message, reconnecting first if need be."""
        self.connect()
        try:
            self.take(self.read())
        except (OSError, ValueError, KeyError, IndexError, TypeError) as problem:
            self.lose(problem)

    def take(self, message):
        kind = message["op"]
        if kind == "bye":
            self.leave(message)
        elif kind in ("snapshot", "part", "patch", "mark"):
            subscription = self.subscriptions.get(message["path"])
            if subscription:
                self.follow(subscription, message)
        elif kind == "error" and message.get("id") not in self.waiting:
            self.log(f"{message['code']}: {message['message']}")
        elif kind in ("ack", "reject", "value", "error"):
            if self.waiting.pop(message["id"], None):
                self.answers[message["id"]] = message
        self.delay, self.attempts = FIRST_DELAY, 0  # Something useful came (section 3.5).

    def follow(self, subscription, message):
        try:
            subscription.take(message)
        except (KeyError, IndexError, TypeError, ValueError):
            subscription.seq = None  # Our copy is no good: start again from a snapshot.
            raise

    def leave(self, message):
        self.close()
        if "retryMs" not in message:
            raise Ended(f"{message['code']}: {message['message']}")
        self.log(f"{message['code']}: {message['message']}")
        self.attempts += 1
        self.delay = message["retryMs"] / 1000

    # The connection

    def connect(self):
        while self.socket is None:
            if self.attempts:
                time.sleep(random.uniform(0, self.delay))
                self.delay = min(max(2 * self.delay, FIRST_DELAY), LONGEST_DELAY)
            self.attempts += 1
            try:
                self.socket = socket.create_connection(self.address, timeout=10)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.buffer = b""
                self.hello()
            except (OSError, ValueError, KeyError) as problem:
                self.lose(problem)

    def hello(self):
        """Says hello; behind it, what waits for answers, then the subscriptions (section 3.5)."""
        hello = {"op": "hello", "id": 0, "protocol": 1, "client": self.name}
        if self.token is not None:
            hello["token"] = self.token
        subscriptions = [one.request() for one in self.subscriptions.values()]
        for one in self.subscriptions.values():
            one.staged = None
        self.write([hello, *self.waiting.values(), *subscriptions])
        message = self.read()
        if message["op"] == "bye":
            return self.leave(message)
        if message["op"] == "error":
            self.close()
            raise Ended(f"{message['code']}: {message['message']}")
        self.heartbeat = message["heartbeatMs"] / 1000
        self.last_n = max(self.last_n, message["lastN"])
        self.log(f"connected to {message['server']} at seq {message['seq']}")

    def write(self, messages):
        lines = [json.dumps(one, separators=(",", ":")) + "\n" for one in messages]
        try:
            if self.socket:
                self.socket.sendall("".join(lines).encode())
        except OSError as problem:
            self.lose(problem)

    def read(self):
        """The next message. A silent server is asked for a sign of life, then given up."""
        pieces = [self.buffer]
        heard = time.monotonic()
        while b"\n" not in pieces[-1]:
            self.socket.settimeout(self.heartbeat)
            try:
                piece = self.socket.recv(1 << 16)
            except TimeoutError:
                if time.monotonic() - heard >= 2.5 * self.heartbeat:
                    raise ConnectionError("nothing heard for too long") from None
                self.socket.sendall(b'{"op":"ping"}\n')
                continue
            if not piece:
                raise ConnectionError("the connection ended")
            heard = time.monotonic()
            pieces.append(piece)
        line, self.buffer = b"".join(pieces).split(b"\n", 1)
        return json.loads(line)

    def lose(self, problem):
        self.log(f"connection lost: {problem}")
        self.attempts = max(self.attempts, 1)
        self.close()

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None


def show(state):
    return "missing" if state is MISSING else json.dumps(state, ensure_ascii=False)


def main(words):
    try:
        address, verb, *rest = words
        client = Client(address, log=lambda text: print(text, file=sys.stderr))
        if verb == "watch" and len(rest) <= 1:
            client.subscribe(*rest or [""], lambda state, seq: print(seq, show(state), flush=True))
            client.run()
        elif verb == "set" and len(rest) == 2:
            payload = {"path": rest[0], "value": json.loads(rest[1])}
            print(client.dispatch({"type": "doc/set", "payload": payload})["seq"])
        elif verb == "get" and len(rest) <= 1:
            value, _ = client.get(*rest)
            print(show(value))
            return 1 if value is MISSING else 0
        else:
            raise ValueError("no such verb")
    except (Refused, Ended) as problem:
        print(problem, file=sys.stderr)
        return 1
    except ValueError as problem:
        print(f"{problem}\n{__doc__}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
