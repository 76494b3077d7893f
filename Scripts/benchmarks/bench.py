"""One run of the script: its folder, the programs it built, and the servers that are up."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The load generator is not part of this package; what needs it is skipped where it is missing.
GENERATOR = os.path.join(os.path.dirname(ROOT), "shared", "bench")


class Trouble(Exception):
    """Something could not be measured; the row says why."""


def say(*words):
    """Progress, on standard error."""
    print(*words, file=sys.stderr, flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(command, **options):
    """Runs a command that must succeed; what it says goes to standard error."""
    subprocess.run(command, check=True, stdout=sys.stderr, **options)


class Bench:
    """Owns everything that must be gone afterwards; use it in a `with` statement."""

    def __init__(self, options):
        self.options = options
        self.daemon = None
        self.generator = None
        self.refserver = None
        self._crowd = None
        self._running = []

    def __enter__(self):
        os.makedirs(os.path.join(ROOT, ".build"), exist_ok=True)
        # On the disk of the checkout: a folder for temporary files may lie in memory.
        self.folder = tempfile.mkdtemp(prefix="bench-", dir=os.path.join(ROOT, ".build"))
        # PostgreSQL refuses to run as root and has to reach its folder as another user.
        os.chmod(self.folder, 0o755)
        return self

    def __exit__(self, *error):
        for server in list(self._running):
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def quick(self):
        return self.options.quick

    def scaled(self, count):
        """A large number, made ten times smaller for a quick run."""
        return count // 10 if self.quick else count

    def folder_for(self, name):
        return tempfile.mkdtemp(prefix=name + "-", dir=self.folder)

    def note_started(self, server):
        self._running.append(server)

    def note_stopped(self, server):
        if server in self._running:
            self._running.remove(server)

    def build_daemon(self):
        """The daemon to measure: the one named, or one built here in release mode."""
        if self.daemon:
            return
        if self.options.daemon:
            self.daemon = os.path.abspath(self.options.daemon)
            if not os.access(self.daemon, os.X_OK):
                raise Trouble("there is no program %s" % self.daemon)
            return
        self.daemon = os.path.join(self.build_product("duxd"), "duxd")

    def build_product(self, product, **variables):
        """Builds a product in release mode and says in which folder it lies."""
        command = ["swift", "build", "-c", "release"]
        environment = {**os.environ, **variables}
        run([*command, "--product", product], cwd=ROOT, env=environment)
        return subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True,
                              text=True, cwd=ROOT, env=environment).stdout.strip()

    def build_generator(self):
        """Builds load generator and refserver in this run's folder; says whether they are there."""
        if self.generator:
            return True
        if not os.path.isdir(GENERATOR):
            return False
        backends = [os.path.join(GENERATOR, name) for name in sorted(os.listdir(GENERATOR))
                    if name.startswith("b_") and name.endswith(".c")]
        self.generator = self._compile("fanbench", os.path.join(GENERATOR, "fanbench.c"), *backends)
        self.refserver = self._compile("refserver", os.path.join(GENERATOR, "refserver.c"))
        return True

    @property
    def crowd(self):
        """The driver of many clients that ask for a large state at once."""
        if not self._crowd:
            here = os.path.dirname(os.path.abspath(__file__))
            self._crowd = self._compile("crowd", os.path.join(here, "crowd.c"))
        return self._crowd

    def _compile(self, name, *sources):
        compiler = shutil.which("gcc") or shutil.which("cc")
        if not compiler:
            raise Trouble("there is no C compiler")
        program = os.path.join(self.folder, name)
        run([compiler, "-O2", "-o", program, *sources])
        return program
