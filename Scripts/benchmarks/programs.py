"""What needs no peer: an app in Swift, frames of a terminal, a key's way to the screen."""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

from .bench import Trouble
from .figures import LESS, Figure
from .loads import Scenario
from .servers import Dux


class Printed(Scenario):
    """A benchmark program that prints a table of its own, which is taken as it is."""

    def __init__(self, name, title, product, sizes):
        super().__init__(name, title, [], [])
        self.product = product
        self.sizes = sizes

    def measure(self, bench, kind):
        folder = bench.build_product(self.product, DUX_BENCHMARKS="1")
        program = os.path.join(folder, self.product)
        done = subprocess.run([program, *(str(bench.scaled(size) if size > 1_000 else size)
                                          for size in self.sizes)],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Trouble("%s ended with %d" % (self.product, done.returncode))
        return {"table": done.stdout.strip(), "problems": []}


class TerminalProgram:
    """A program on a terminal of its own: what it draws can be read, and keys can be typed."""

    def __init__(self, command):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.environ.pop("NO_COLOR", None)
            os.execv(command[0], command)
        size = struct.pack("HHHH", 40, 120, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)

    def read_until_quiet(self, seconds):
        """What it draws, until it draws nothing for a while."""
        seen = b""
        while select.select([self.terminal], [], [], seconds)[0]:
            seen += os.read(self.terminal, 1 << 16)
        return seen

    def type(self, text):
        os.write(self.terminal, text)

    def cpu_seconds(self):
        with open("/proc/%d/stat" % self.pid) as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def first_drawn(programs, begun):
    """When each has begun to draw, in ms after the key."""
    times = {}
    waiting = {program.terminal: index for index, program in enumerate(programs)}
    while waiting:
        ready, _, _ = select.select(list(waiting), [], [], 10)
        now = time.monotonic()
        if not ready:
            raise Trouble("a terminal was not drawn")
        for terminal in ready:
            os.read(terminal, 1 << 16)
            times[waiting.pop(terminal)] = (now - begun) * 1_000
    return [times[index] for index in range(len(programs))]


class SampleDaemon(Dux):
    """The daemon of the sample program, which is both."""

    def command(self, flags):
        return [SampleDaemon.program, *super().command(flags)[1:]]

    def spawn(self, command, **options):
        super().spawn(command, env={**os.environ, "SAMPLE_ROLE": "daemon"}, **options)


class Terminals(Scenario):
    """From a key to what is drawn because of it, on this terminal and on another one."""

    def measure(self, bench, kind):
        SampleDaemon.program = os.path.join(bench.build_product("terminal-sample"),
                                            "terminal-sample")
        daemon = SampleDaemon(bench)
        terminals = []
        try:
            command = [SampleDaemon.program, "--connect", "127.0.0.1:%d" % daemon.port]
            terminals = [TerminalProgram(command), TerminalProgram(command)]
            return self.press(bench, terminals)
        finally:
            for terminal in terminals:
                terminal.stop()
            daemon.stop()

    @staticmethod
    def press(bench, terminals):
        for terminal in terminals:
            terminal.read_until_quiet(1)
        terminals[0].type(b"+")
        for terminal in terminals:
            terminal.read_until_quiet(0.5)
        samples = []
        for _ in range(bench.scaled(200)):
            begun = time.monotonic()
            terminals[0].type(b"+")
            samples.append(first_drawn(terminals, begun))
            for terminal in terminals:
                terminal.read_until_quiet(0.03)
        before = [terminal.cpu_seconds() for terminal in terminals]
        time.sleep(10)
        idle = max(terminal.cpu_seconds() - start
                   for terminal, start in zip(terminals, before))
        own, other = (sorted(sample[index] for sample in samples) for index in range(2))
        return {"own_ms": own[len(own) // 2], "own_p95": own[len(own) * 95 // 100],
                "other_ms": other[len(other) // 2], "other_p95": other[len(other) * 95 // 100],
                "idle_ms": idle * 1_000, "problems": []}


PROGRAMS = [
    Printed("app", "one action of an app written in Swift, by the size of its state",
            "StoreBenchmark", (1_000, 100_000, 1_000_000)),
    Printed("frame", "one frame of a terminal, from the state to the changed cells",
            "TerminalBenchmark", (2_000,)),
    Terminals("terminals", "two terminals that show one state",
              [Figure("own_ms", "from a key to the redraw of its terminal, ms", LESS),
               Figure("own_p95", "… p95, ms", LESS),
               Figure("other_ms", "… to the redraw of the other terminal, ms", LESS),
               Figure("other_p95", "… p95, ms", LESS),
               Figure("idle_ms", "CPU of a terminal program that shows a state, in 10 s, ms",
                      LESS)], []),
]
