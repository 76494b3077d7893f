"""Scripts/bench without measuring: ratios, targets, checks, tables and its command line."""
import contextlib
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Scripts"))
sys.dont_write_bytecode = True

from benchmarks import command, figures, loads, report, sizing
from benchmarks.bench import Trouble
from benchmarks.clients import OpenLoop, quantile
from benchmarks.figures import LESS, MORE, Figure, Target
from benchmarks.servers import SERVERS, Dux


def scenario(**changes):
    """A scenario of one figure, with a target against Redis."""
    made = loads.Scenario("x", "a load", [Figure("speed", "speed/s")],
                          [Target("speed", 1.5, "redis")], ("dux", "refserver", "redis", "nats"),
                          kept=("speed",))
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def samples(*speeds, **others):
    return [{"speed": speed, "problems": [], **others} for speed in speeds]


class RatioTests(unittest.TestCase):
    def test_a_ratio_is_taken_within_each_round(self):
        # The machine was twice as slow in the last round, for both.
        ours, theirs = samples(200, 210, 100), samples(100, 100, 50)
        self.assertEqual(figures.ratios(ours, theirs, "speed"), [2.0, 2.1, 2.0])
        self.assertEqual(figures.ratio(ours, theirs, "speed"), 2.0)

    def test_a_round_without_a_figure_gives_no_ratio(self):
        ours = samples(200) + [{"problems": ["it broke"]}]
        self.assertEqual(figures.ratios(ours, samples(100, 100), "speed"), [2.0])
        self.assertIsNone(figures.ratio(ours, [], "speed"))
        self.assertIsNone(figures.ratio(ours, samples(0), "speed"))

    def test_the_median_is_of_the_rounds_that_have_one(self):
        self.assertEqual(figures.median(samples(3, 1, 2), "speed"), 2)
        self.assertIsNone(figures.median([{"problems": []}], "speed"))


class CheckTests(unittest.TestCase):
    def test_a_loss_depends_on_what_is_better(self):
        self.assertAlmostEqual(figures.loss(2.0, 1.6, MORE), 0.2)
        self.assertAlmostEqual(figures.loss(2.0, 2.4, LESS), 0.2)
        self.assertLess(figures.loss(2.0, 2.4, MORE), 0)
        self.assertLess(figures.loss(2.0, 1.6, LESS), 0)

    def verdicts(self, now, better=MORE):
        stored = {"x": {"value": 1.0, "better": better}}
        return figures.compare(stored, {} if now is None else {"x": (now, better)})

    def test_more_than_fifteen_per_cent_lost_fails(self):
        self.assertFalse(self.verdicts(0.86)[0].failed)
        self.assertTrue(self.verdicts(0.84)[0].failed)
        self.assertFalse(self.verdicts(1.14, LESS)[0].failed)
        self.assertTrue(self.verdicts(1.16, LESS)[0].failed)
        self.assertFalse(self.verdicts(9)[0].failed)

    def test_what_was_not_measured_is_said_and_does_not_fail(self):
        verdict = self.verdicts(None)[0]
        self.assertFalse(verdict.failed)
        self.assertIn("skipped", str(verdict))

    def test_each_verdict_says_both_ratios(self):
        self.assertRegex(str(self.verdicts(0.5)[0]), r"LOST.* 1\.00.*0\.500.*worse by 50%")
        self.assertRegex(str(self.verdicts(1.5)[0]), r"kept.*better by 50%")

    def test_the_ratios_kept_are_those_to_peers_and_those_of_one_server(self):
        one = loads.Scenario("h", "sizes", [Figure("flat", "÷", LESS)], [], kept_alone=("flat",))
        found = figures.measured_ratios([scenario(), one], {
            "x": {"dux": samples(200, 220), "redis": samples(100, 100)},
            "h": {"dux": [{"flat": 1.2, "problems": []}]}})
        self.assertEqual(found, {"x speed ÷ redis": (2.1, MORE), "h flat": (1.2, LESS)})

    def check(self, stored, results):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            return command.check(stored, [scenario()], results), said.getvalue()

    def test_a_check_fails_on_a_loss_and_where_nothing_compares(self):
        stored = {"x speed ÷ redis": {"value": 2.0, "better": MORE}}
        results = {"x": {"dux": samples(200), "redis": samples(100)}}
        self.assertTrue(self.check(stored, results)[0])
        results["x"]["dux"] = samples(100)
        kept, said = self.check(stored, results)
        self.assertFalse(kept)
        self.assertIn("LOST", said)
        self.assertFalse(self.check(stored, {})[0])

    def test_the_stored_ratios_are_all_that_a_check_measures(self):
        checked = [command.SCENARIOS[name] for name in command.CHECKED]
        results = {}
        for each in checked:
            sample = {figure.key: 1.0 for figure in each.figures}
            results[each.name] = dict.fromkeys(("dux", "redis", "refserver"), [sample])
        measured = figures.measured_ratios(checked, results)
        stored = command.stored_ratios()
        self.assertEqual({name: kept["better"] for name, kept in stored.items()},
                         {name: better for name, (_, better) in measured.items()})
        for name, kept in stored.items():
            self.assertGreater(kept["value"], 0, name)


class WholeCheckTests(unittest.TestCase):
    """`Scripts/bench --check` from its arguments to its status, with figures made up."""

    stored = {"a2 acked_s ÷ redis": {"value": 1.5, "better": MORE},
              "a2 acked_s ÷ refserver": {"value": 0.5, "better": MORE},
              "b100 cpu_delivery ÷ redis": {"value": 0.8, "better": LESS},
              "h large_ratio": {"value": 1.3, "better": LESS},
              "j paths_ratio": {"value": 1.2, "better": LESS}}
    speeds = {"dux": 300_000, "redis": 200_000, "refserver": 600_000}
    costs = {"dux": 0.2, "redis": 0.25, "refserver": 0.1}

    def measure(self, bench, kind):
        return {"acked_s": self.speeds[kind.name], "cpu_delivery": self.costs[kind.name],
                "large_ratio": 1.3, "paths_ratio": 1.2, "problems": [], **self.changes}

    def run_it(self, stored, *words, missing=(), **changes):
        """The script's status, what it prints, and what it says beside."""
        self.changes = changes
        said, beside = io.StringIO(), io.StringIO()
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = os.path.join(folder, "stored.json")
            if stored is not None:
                with open(path, "w") as file:
                    file.write(stored if isinstance(stored, str) else json.dumps(stored))
            patch = lambda *arguments: stack.enter_context(mock.patch.object(*arguments))
            patch(command, "STORED", path)
            patch(command.signal, "signal", lambda *_: None)
            self.measured = 0

            def measure(bench, kind):
                self.measured += 1
                return self.measure(bench, kind)

            for name in command.CHECKED:
                patch(command.SCENARIOS[name], "measure", measure)
                patch(command.SCENARIOS[name], "missing", lambda bench: None)
            for name in ("redis", "refserver"):
                reason = "it is not installed" if name in missing else None
                patch(SERVERS[name], "missing", lambda bench, reason=reason: reason)
            stack.enter_context(contextlib.redirect_stdout(said))
            stack.enter_context(contextlib.redirect_stderr(beside))
            status = command.main(["--daemon", "/bin/true", "--rounds", "2", *words])
            if "--store" in words:
                with open(path) as file:
                    self.written = json.load(file)
        return status, said.getvalue(), beside.getvalue()

    def test_what_was_kept_ends_with_zero(self):
        status, said, beside = self.run_it({"ratios": self.stored}, "--check")
        self.assertEqual((status, said.count("kept "), said.count("\n")), (0, 5, 5), said + beside)
        # Three servers in a2 and b100, Dux alone in h and j, two rounds each.
        self.assertEqual(self.measured, 16)

    def test_one_ratio_lost_ends_with_one(self):
        status, said, _ = self.run_it({"ratios": self.stored}, "--check", large_ratio=1.6)
        self.assertEqual((status, said.count("kept ")), (1, 4))
        self.assertIn("LOST     h large_ratio: stored 1.30, now 1.60, worse by 23%", said)

    def test_a_broken_promise_ends_with_one_though_all_was_kept(self):
        status, said, beside = self.run_it({"ratios": self.stored}, "--check", problems=["lost 1"])
        self.assertEqual((status, said.count("kept ")), (1, 5))
        self.assertIn("a2, dux, round 1: lost 1", beside)

    def test_a_peer_that_is_missing_is_skipped(self):
        status, said, beside = self.run_it(
            {"ratios": self.stored}, "--check", missing=("redis", "refserver"))
        self.assertEqual((status, said.count("kept "), said.count("skipped ")), (0, 2, 3))
        self.assertIn("it is not installed", beside)

    def test_without_stored_ratios_nothing_is_measured(self):
        for stored in (None, "{", "{}", '{"ratios": {"a2": 1}}', '{"ratios": []}'):
            status, said, beside = self.run_it(stored, "--check")
            self.assertEqual((status, said, self.measured), (1, "", 0), stored)
            self.assertIn("--store", beside)

    def test_what_is_stored_is_what_the_next_check_compares_with(self):
        self.assertEqual(self.run_it(None, "--store")[0], 0)
        status, said, _ = self.run_it(self.written, "--check")
        self.assertEqual((status, "LOST" in said, "skipped" in said), (0, False, False))
        self.assertEqual(self.written["ratios"]["a2 acked_s ÷ redis"], self.stored[
            "a2 acked_s ÷ redis"])


class TableTests(unittest.TestCase):
    def rows(self, servers, skipped=None, **changes):
        return "\n".join(report.rows(scenario(**changes), servers, skipped or {}))

    def test_a_row_has_medians_spreads_ratios_and_the_target(self):
        text = self.rows({"dux": samples(300, 320, 310), "refserver": samples(600, 600, 600),
                          "redis": samples(200, 200, 200), "nats": samples(100, 100, 100)})
        self.assertIn("| x | speed/s | 310 (300–320) | 600 | 200 | NATS JetStream 100 "
                      "| 0.517 (0.500–0.533) | 1.55 (1.50–1.60) | ≥ 1.5 × Redis | met |", text)

    def test_a_target_can_be_missed_or_not_measured(self):
        self.assertIn("| missed |", self.rows({"dux": samples(200), "redis": samples(200)}))
        self.assertIn("| not measured |", self.rows({"dux": samples(200)}))

    def test_a_target_without_a_peer_is_for_the_figure_itself(self):
        target = {"targets": [Target("speed", 3, unit="s")], "figures": [
            Figure("speed", "time, s", LESS)]}
        self.assertIn("| ≤ 3 s | met |", self.rows({"dux": samples(2.9)}, **target))
        self.assertIn("| ≤ 3 s | missed |", self.rows({"dux": samples(3.1)}, **target))

    def test_what_broke_a_promise_or_was_skipped_is_in_the_table(self):
        text = self.rows({"dux": [{"problems": ["ended with 3: lost 7"]}]},
                         {("x", "redis"): "it is not installed"})
        self.assertIn("**not valid:** x, dux, round 1: ended with 3: lost 7", text)
        self.assertIn("Redis: skipped, it is not installed", text)

    def test_all_rows_have_as_many_cells_as_the_heading(self):
        lines = report.table([scenario()], {"x": {"dux": samples(1), "nats": [
            {"problems": ["a | in it"]}]}}, {("x", "redis"): "no"})
        self.assertEqual({line.count("|") for line in lines}, {lines[0].count("|")})

    def test_a_generator_at_its_limit_is_marked(self):
        speed = figures.Figure("speed", "speed")
        self.assertIn("100 †", figures.cell(samples(100, gen_cpu=97), speed))
        self.assertNotIn("†", figures.cell(samples(100, gen_cpu=94), speed))
        memory = figures.Figure("speed", "memory", is_of_load=False)
        self.assertNotIn("†", figures.cell(samples(100, gen_cpu=97), memory))

    def test_a_page_keeps_its_markers_and_what_is_around_them(self):
        page = "before\n<!-- bench -->\nold\n<!-- end of bench -->\nafter\n"
        changed = report.put_between(page, "bench", "new\n")
        self.assertEqual(changed, "before\n<!-- bench -->\n\nnew\n\n<!-- end of bench -->\nafter\n")
        self.assertEqual(report.put_between(changed, "bench", "new"), changed)
        with self.assertRaises(Trouble):
            report.put_between("no markers", "bench", "new")

    def test_the_pages_have_their_places(self):
        for page, name in (("Performance.md", "bench"), ("Sizing.md", "sizing")):
            with open(os.path.join(report.PAGES, page)) as file:
                report.put_between(file.read(), name, "")


class GeneratorTests(unittest.TestCase):
    def generate(self, script):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "generator")
            with open(program, "w") as file:
                file.write("#!/bin/sh\n" + script)
            os.chmod(program, 0o755)
            bench = types.SimpleNamespace(generator=program)
            server = types.SimpleNamespace(
                backend="jsonl", port=1, process=types.SimpleNamespace(pid=1),
                lines=lambda arguments: [])
            return loads.generate(bench, server, [])

    def test_a_run_that_kept_all_promises_has_no_problem(self):
        sample = self.generate("echo 'JSON {\"acked_s\":7,\"lost\":0}'\nexit 0\n")
        self.assertEqual(sample, {"acked_s": 7, "lost": 0, "problems": []})

    def test_a_status_other_than_zero_is_a_problem_that_says_what_was_broken(self):
        sample = self.generate("echo 'JSON {\"acked_s\":7,\"lost\":3}'\nexit 3\n")
        self.assertEqual(sample["problems"], ["the generator ended with 3: lost 3"])

    def test_no_figures_are_a_problem(self):
        sample = self.generate("echo 'only 7 of 100 got ready' >&2\nexit 1\n")
        self.assertIn("only 7 of 100", sample["problems"][0])
        self.assertTrue(self.generate("exit 0\n")["problems"])

    def test_figures_that_are_not_numbers_are_none(self):
        self.assertIsNone(self.generate("echo 'JSON {\"rx_b\":-nan}'\n")["rx_b"])

    def test_a_problem_of_any_run_is_told(self):
        found = figures.problems({"x": {"dux": [{"problems": []}, {"problems": ["bad"]}]}})
        self.assertEqual(found, ["x, dux, round 2: bad"])


@unittest.skipUnless(shutil.which("gcc") or shutil.which("cc"), "there is no C compiler")
class CrowdTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.crowd = os.path.join(cls.folder.name, "crowd")
        source = os.path.join(ROOT, "Scripts", "benchmarks", "crowd.c")
        subprocess.run([shutil.which("gcc") or "cc", "-O1", "-Wall", "-Wextra", "-Werror",
                        "-o", cls.crowd, source], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def fetch(self, port, end):
        done = subprocess.run([self.crowd, "fetch", str(port), "5", end, "hello"],
                              capture_output=True, text=True, timeout=60)
        return done.returncode, json.loads(done.stdout or "{}")

    def test_all_clients_get_all_bytes(self):
        with subprocess.Popen([self.crowd, "serve", "3000000"], stdout=subprocess.PIPE,
                              text=True) as plain:
            try:
                status, said = self.fetch(int(plain.stdout.readline()), "#3000000")
            finally:
                plain.kill()
        self.assertEqual((status, said["bytes"]), (0, 3_000_000))

    def serve(self, answer, closes):
        listener = socket.create_server(("127.0.0.1", 0), backlog=16)

        def accept():
            open_ones = []
            for _ in range(5):
                client, _ = listener.accept()
                client.recv(100)
                client.sendall(answer)
                open_ones.append(client)
                if closes:
                    client.close()
            ended.wait(30)
            for client in open_ones:
                client.close()

        ended = threading.Event()
        thread = threading.Thread(target=accept)
        thread.start()
        self.addCleanup(listener.close)
        self.addCleanup(thread.join)
        self.addCleanup(ended.set)
        return listener.getsockname()[1]

    def test_an_end_with_a_line_behind_it_is_an_end(self):
        port = self.serve(b"x" * 70_000 + b"the end\nand a mark\n", closes=False)
        self.assertEqual(self.fetch(port, "the end\n")[0], 0)

    def test_a_connection_that_ends_before_is_a_failure(self):
        self.assertEqual(self.fetch(self.serve(b"half", closes=True), "the end")[0], 1)


class RoundTests(unittest.TestCase):
    def test_servers_take_turns_and_trouble_is_kept(self):
        order = []

        def measure(bench, kind):
            order.append(kind.name)
            if kind.name == "redis":
                raise Trouble("it did not start")
            return {"speed": 1, "problems": []}

        made = scenario(servers=("dux", "redis"), measure=measure)
        said = io.StringIO()
        missing, SERVERS["redis"].missing = SERVERS["redis"].missing, lambda bench: None
        try:
            with contextlib.redirect_stderr(said):
                results, _ = command.measure(None, [made], {"redis"}, 2)
        finally:
            SERVERS["redis"].missing = missing
        self.assertEqual(order, ["dux", "redis", "dux", "redis"])
        self.assertEqual(figures.problems(results), [
            "x, redis, round 1: it did not start", "x, redis, round 2: it did not start"])

    def test_what_is_missing_is_skipped_aloud(self):
        made = scenario(servers=("dux",), missing=lambda bench: "there is no generator")
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            results, skipped = command.measure(None, [made], set(), 1)
        self.assertEqual(results, {"x": {}})
        self.assertEqual(skipped, {("x", "dux"): "there is no generator"})
        self.assertIn("skipped", said.getvalue())


class OpenLoopTests(unittest.TestCase):
    def test_the_actions_of_a_checkpoint_are_those_under_way_in_it(self):
        loop = OpenLoop.__new__(OpenLoop)
        loop.due = [0.0, 1.0, 2.0, 3.0, 4.0]
        loop.acked = [0.1, 1.1, 2.5, 3.1, 4.1]
        loop.seqs = [10, 11, 12, 13, 14]
        # Of the state at seq 11, which was acked at 1.1; told of at 2.2.
        loop.checkpoints = [(11, 2.2)]
        self.assertEqual(loop.checkpoint_spans(), [(1.1, 2.2)])
        within, beside = loop.latencies(loop.checkpoint_spans())
        self.assertEqual([round(time, 1) for time in within], [0.1, 0.5])
        self.assertEqual(len(beside), 3)

    def test_a_quantile_is_one_of_the_samples(self):
        self.assertEqual(quantile(range(1_000), 0.999), 999)
        self.assertEqual(quantile([5], 0.999), 5)


class SizingTests(unittest.TestCase):
    known = {"base_mib": 10, "kib_each": 1, "kernel_kib_each": 4, "small_factor": 3,
             "large_factor": 1.5, "disk_each": 500, "kept_each": 600, "frame_bytes": 250,
             "action_us": 5, "single_us": 50, "send_us": 7, "delivery_us": 0.25}

    def test_each_client_adds_its_part(self):
        few, many = (sizing.model(self.known, count) for count in (10, 1_034))
        self.assertAlmostEqual(many["memory_mib"] - few["memory_mib"], 1)
        self.assertAlmostEqual(many["kernel_mib"] - few["kernel_mib"], 4)
        self.assertEqual(few["disk_million_mib"], many["disk_million_mib"])

    def test_a_full_core_is_said(self):
        self.assertFalse(sizing.model(self.known, 10)["is_full"])
        self.assertTrue(sizing.model(self.known, 100_000)["is_full"])
        self.assertIn("1.00 (full)", "\n".join(sizing.model_table(self.known)))

    def test_the_rate_falls_with_the_audience(self):
        few, many = (sizing.model(self.known, count) for count in (10, 1_000))
        self.assertGreater(few["rate_all"], many["rate_all"])
        self.assertEqual(few["rate_own"], many["rate_own"])


class CommandLineTests(unittest.TestCase):
    def bench(self, *words):
        return subprocess.run([sys.executable, os.path.join(ROOT, "Scripts", "bench"), *words],
                              capture_output=True, text=True)

    def test_help_names_all_options_scenarios_and_servers(self):
        done = self.bench("--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ["--rounds", "--quick", "--daemon", "--peers", "--write", "--json", "--check",
                     "--store", "--install", *command.SCENARIOS, *SERVERS]:
            self.assertTrue(re.search(r"(^|\W)%s(\W|$)" % re.escape(word), done.stdout), word)

    def test_names_that_are_not_known_are_refused_with_those_that_are(self):
        for words in (["b10000"], ["--peers", "reddis"]):
            done = self.bench(*words)
            self.assertEqual(done.returncode, 64)
            self.assertIn("did you mean", done.stderr)
            self.assertIn("refserver" if "--peers" in words else "b1000, b100", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_combinations_without_meaning_are_refused(self):
        for words in (["--check", "a1"], ["--store", "--quick"],
                      ["--check", "--write"], ["--write", "a1"],
                      ["--write", "--quick"], ["--rounds", "0"], ["--nonsense"]):
            self.assertEqual(self.bench(*words).returncode, 64, words)

    def test_every_target_is_of_a_figure_that_is_measured_against_a_server_that_runs(self):
        for made in command.SCENARIOS.values():
            keys = {figure.key for figure in made.figures}
            for target in made.targets:
                self.assertIn(target.key, keys)
                self.assertIn(target.than, (None, *made.servers))
            self.assertLessEqual({*made.kept, *made.kept_alone}, keys)
            self.assertLessEqual(set(made.servers), set(SERVERS))

    def test_a_daemon_resumes_unless_there_is_no_writer(self):
        lines = Dux.lines(None, ["--writers", "4"])
        self.assertIn('"op":"resumed"', lines)
        self.assertIn('"op":"snapshot"', Dux.lines(None, ["--writers", "0"]))
        self.assertNotIn("--reject", lines)


if __name__ == "__main__":
    unittest.main()
