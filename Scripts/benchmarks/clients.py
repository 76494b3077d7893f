"""Clients of the daemon's protocol, for what the load generator does not do."""
import bisect
import gc
import json
import re
import select
import socket
import time

from .bench import Trouble

HELLO = b'{"op":"hello","protocol":1}\n'
ACK = re.compile(rb'"op":"ack","n":(\d+),"seq":(\d+)')


class Client:
    """One connection that sends lines and counts answers."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(120)
        self.send(HELLO)
        self.receive(1)

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def receive(self, count):
        """Reads lines until `count` have come; a refusal ends the measurement."""
        while count > 0:
            data = self.socket.recv(1 << 18)
            if not data:
                raise Trouble("the daemon closed the connection")
            if b'"op":"reject"' in data or b'"op":"error"' in data:
                raise Trouble("refused: %s" % data[:300].decode(errors="replace"))
            count -= data.count(b"\n")

    def pipeline(self, lines, window=256):
        """Sends all lines, at most `window` unanswered."""
        for start in range(0, len(lines), window):
            group = lines[start:start + window]
            self.send(b"".join(group))
            self.receive(len(group))

    def ask(self, request):
        """The one line that answers a request."""
        self.send(json.dumps(request).encode() + b"\n")
        data = b""
        while not data.endswith(b"\n"):
            more = self.socket.recv(1 << 18)
            if not more:
                raise Trouble("the daemon closed the connection")
            data += more
        return json.loads(data)

    def status(self):
        return self.ask({"op": "status"})


def item(index):
    return "item%07d" % index


def set_line(index, value, number=None):
    """A `doc/set` of one field of an item."""
    return (b'{"op":"dispatch",%s"action":{"type":"doc/set","payload":'
            b'{"path":"/items/%s/v","value":"%s"}}}\n' % (
                b"" if number is None else b'"n":%d,' % number, item(index).encode(),
                value.encode()))


def fill(client, count, size=20):
    """Makes a state of `count` items whose field has `size` bytes."""
    step = max(1, 500_000 // (size + 60))
    for first in range(0, count, step):
        items = {item(i): {"v": "x" * size, "n": i}
                 for i in range(first, min(first + step, count))}
        action = {"type": "doc/merge", "payload": {"path": "", "value": {"items": items}}}
        client.pipeline([json.dumps({"op": "dispatch", "action": action}).encode() + b"\n"])


class Followers:
    """Subscribers that read and throw away what they are told."""

    def __init__(self, port, paths):
        self.poll = select.epoll()
        self.sockets = {}
        self.lines = 0
        for path in paths:
            follower = socket.create_connection(("127.0.0.1", port), 30)
            self.sockets[follower.fileno()] = follower
            follower.sendall(HELLO + json.dumps({"op": "subscribe", "path": path}).encode() + b"\n")
            follower.setblocking(False)
            self.poll.register(follower, select.EPOLLIN)
        self.read_lines(2 * len(self.sockets))

    def read_lines(self, count, seconds=60):
        """Reads until `count` more lines have come to all of them together."""
        wanted = self.lines + count
        deadline = time.monotonic() + seconds
        while self.lines < wanted:
            if time.monotonic() > deadline:
                raise Trouble("%d lines did not come" % (wanted - self.lines))
            for number, _ in self.poll.poll(1, 256):
                try:
                    data = self.sockets[number].recv(1 << 18)
                except BlockingIOError:
                    continue
                if not data:
                    raise Trouble("the daemon closed a subscriber's connection")
                self.lines += data.count(b"\n")

    def close(self):
        self.poll.close()
        for follower in self.sockets.values():
            follower.close()


class OpenLoop:
    """Actions at a fixed rate, however long the answers take, and what `status` says meanwhile.

    An action's time begins when it was due, so a stall of either side is not hidden.
    """

    def __init__(self, port, rate, line_of):
        self.client = Client(port)
        self.watcher = Client(port)
        self.rate = rate
        self.line_of = line_of
        self.due, self.acked, self.seqs, self.lateness = [], [], [], []
        # (seq of a checkpoint, when it was first told)
        self.checkpoints = []

    def run(self, is_over, limit):
        """Goes on until `is_over(loop, seconds)` says so, or for `limit` seconds; then drains."""
        gc.disable()
        try:
            self._run(is_over, limit)
        finally:
            gc.enable()

    def _run(self, is_over, limit):
        talk, watch = self.client.socket, self.watcher.socket
        talk.setblocking(False)
        watch.setblocking(False)
        checkpoint, asked, unsent, rest = None, False, b"", b""
        begun = time.monotonic()
        next_status, ending = begun, False
        while True:
            now = time.monotonic()
            ending = ending or now - begun > limit or is_over(self, now - begun)
            if ending and (len(self.acked) == len(self.due) or now - begun > limit + 30):
                break
            lines = []
            while not ending and (due := begun + len(self.due) / self.rate) <= now:
                self.due.append(due)
                self.lateness.append(now - due)
                lines.append(self.line_of(len(self.due)))
            unsent = self._send(talk, unsent + b"".join(lines))
            if not asked and now >= next_status:
                watch.send(b'{"op":"status"}\n')
                asked, next_status = True, now + 0.02
            wait = 0.005 if ending else max(0, begun + len(self.due) / self.rate - now)
            ready = select.select([talk, watch], [talk] if unsent else [], [], min(wait, 0.02))[0]
            now = time.monotonic()
            if talk in ready:
                data = rest + talk.recv(1 << 18)
                complete = data.rfind(b"\n") + 1
                rest = data[complete:]
                for _, seq in ACK.findall(data[:complete]):
                    self.acked.append(now)
                    self.seqs.append(int(seq))
            if watch in ready:
                asked = False
                seq = json.loads(watch.recv(1 << 16))["checkpointSeq"]
                if checkpoint is not None and seq != checkpoint:
                    self.checkpoints.append((seq, now))
                checkpoint = seq

    @staticmethod
    def _send(talk, data):
        if data:
            try:
                return data[talk.send(data):]
            except BlockingIOError:
                pass
        return data

    @property
    def is_complete(self):
        return len(self.acked) == len(self.due)

    def checkpoint_spans(self):
        """From the ack of the step that a checkpoint holds to when the checkpoint was told of."""
        spans = []
        for seq, told in self.checkpoints:
            index = bisect.bisect_left(self.seqs, seq)
            if index < len(self.seqs):
                spans.append((self.acked[index], told))
        return spans

    def latencies(self, spans):
        """Seconds of the actions that were under way in a span, and of the others."""
        within, beside = [], []
        for due, acked in zip(self.due, self.acked):
            inside = any(due <= end and acked >= start for start, end in spans)
            (within if inside else beside).append(acked - due)
        return within, beside


def quantile(samples, share):
    """The value below which `share` of the samples lie."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
