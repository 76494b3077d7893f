"""The command line: which scenarios, in rounds, and what becomes of their figures."""
import argparse
import datetime
import difflib
import json
import os
import shutil
import signal
import subprocess
import sys

from . import figures, report, sizing
from .bench import Bench, Trouble, run, say
from .loads import LOADS
from .programs import PROGRAMS
from .servers import SERVERS
from .states import STATES

SCENARIOS = {scenario.name: scenario for scenario in [*LOADS, *STATES, *PROGRAMS, sizing.SIZING]}
# What is measured without names: the table. The others take their time and are asked for.
TABLE = [scenario.name for scenario in [*LOADS, *STATES]]
# The ratios that the machine's other work disturbs least.
CHECKED = ("a2", "b100", "h", "j")
STORED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stored.json")
USAGE, FAILED = 64, 1


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print("bench: %s; see Scripts/bench --help" % message, file=sys.stderr)
        sys.exit(USAGE)


def parser():
    names = "\n".join("  %-10s %s" % (name, scenario.title)
                      for name, scenario in SCENARIOS.items())
    servers = ", ".join(SERVERS)
    options = Parser(
        prog="Scripts/bench", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Measures the daemon and its peers on this machine and prints a table in "
                    "Markdown.\n\nEvery run has a fresh server, with data in a temporary folder "
                    "below .build and on a port\nof its own on loopback. Rounds take turns: each "
                    "server once, then each again, since\nonly what is measured side by side "
                    "compares. Progress goes to standard error.",
        epilog="scenarios:\n%s\n\nWithout names %s to %s are measured. a1 to f need the load "
               "generator in ../shared/bench,\nand say so where it is missing; peers are measured "
               "if they are installed.\n\nservers: %s\n\nexit status: 0 all is well; 1 something "
               "could not be measured or broke a promise, or a\nratio was lost; 64 the command "
               "line is wrong\n\nexamples:\n"
               "  Scripts/bench                       the whole table, about half an hour\n"
               "  Scripts/bench --quick a2 j          two scenarios, small\n"
               "  Scripts/bench --write --json raw.json\n"
               "                                      the table into the documentation\n"
               "  Scripts/bench --check               has anything become worse?\n"
               "  Scripts/bench sizing --write        the page on sizing"
               % (names, TABLE[0], TABLE[-1], servers))
    options.add_argument("names", nargs="*", metavar="NAME", help="a scenario")
    options.add_argument("--rounds", type=positive, default=3, metavar="N",
                         help="runs of each server in each scenario (3)")
    options.add_argument("--quick", action="store_true",
                         help="a tenth of the large numbers, a quarter of the time")
    options.add_argument("--daemon", metavar="PATH",
                         help="the duxd to measure; otherwise one is built in release mode")
    options.add_argument("--peers", metavar="NAMES",
                         help="measure only these servers beside Dux, with commas; none for none")
    options.add_argument("--write", action="store_true",
                         help="put the table into the documentation's page on performance, what "
                              "`sizing` finds into the one on sizing")
    options.add_argument("--json", metavar="FILE", help="write all samples of all rounds there")
    options.add_argument("--check", action="store_true",
                         help="measure %s and compare their ratios with the stored ones: status 1 "
                              "where more than %.0f%%%% were lost"
                              % (", ".join(CHECKED), figures.TOLERANCE * 100))
    options.add_argument("--store", action="store_true",
                         help="measure the same and store the ratios")
    options.add_argument("--install", action="store_true",
                         help="install redis-server from Debian's packages where it is missing")
    return options


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be 1 or more")
    return number


def pick(options, arguments):
    """The scenarios and peers that were asked for; a name that is not known ends the script."""
    for name in arguments.names:
        require(options, "scenario", name, SCENARIOS)
    if arguments.check or arguments.store:
        if arguments.names or arguments.quick or arguments.write:
            options.error("--check and --store measure the same every time: no names, no --quick, "
                          "no --write")
        names = CHECKED
    else:
        names = list(dict.fromkeys(arguments.names)) or TABLE
        if arguments.write and (arguments.quick or set(names) not in ({"sizing"}, set(TABLE))):
            options.error("--write takes the whole table, or `sizing`, and no --quick")
    if arguments.peers is None:
        peers = set(SERVERS) - {"dux"}
    else:
        peers = {name for name in arguments.peers.split(",") if name and name != "none"}
        for name in peers:
            require(options, "server", name, SERVERS)
    if arguments.check or arguments.store:
        peers &= {"redis", "refserver"}
    return [SCENARIOS[name] for name in names], peers


def require(options, what, name, known):
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        options.error("there is no %s %s%s; there is %s" % (
            what, name, ", did you mean %s?" % close[0] if close else "", ", ".join(known)))


def install():
    """Installs what is free to install; says how to get the rest."""
    if shutil.which("redis-server"):
        say("redis-server is installed")
    else:
        as_root = [] if os.geteuid() == 0 else ["sudo"]
        run([*as_root, "apt-get", "update", "-qq"])
        # Without this Debian starts the service, which nobody asked for.
        run([*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "install",
             "-y", "-qq", "--no-install-recommends", "redis-server"])
    for name in ("nats-server", "postgresql"):
        say("for %s: apt-get install --no-install-recommends %s" % (name, name))


def measure(bench, scenarios, peers, rounds):
    """All samples, `scenario -> server -> [sample]`, and what was skipped for which reason."""
    results, skipped = {}, {}
    for scenario in scenarios:
        kinds = []
        for name in scenario.servers:
            if name != "dux" and name not in peers:
                continue
            reason = scenario.missing(bench) or SERVERS[name].missing(bench)
            if reason:
                skipped[scenario.name, name] = reason
                say("%s, %s: skipped, %s" % (scenario.name, SERVERS[name].title, reason))
            else:
                kinds.append(SERVERS[name])
        servers = results.setdefault(scenario.name, {kind.name: [] for kind in kinds})
        for index in range(rounds if scenario.figures else 1):
            for kind in kinds:
                servers[kind.name].append(measure_once(bench, scenario, kind, index, rounds))
        scenario.forget()
    return results, skipped


def measure_once(bench, scenario, kind, index, rounds):
    try:
        sample = scenario.measure(bench, kind)
    except (Trouble, OSError, subprocess.SubprocessError) as error:
        sample = {"problems": [str(error)]}
    told = ["%s %s" % (figure.key, figures.text(sample[figure.key]))
            for figure in scenario.figures if sample.get(figure.key) is not None]
    say("%s, round %d of %d, %s: %s" % (scenario.name, index + 1, rounds, kind.title,
                                        "; ".join([*told, *sample["problems"]])))
    return sample


def stored_ratios():
    """What `--store` has written: `name -> {"value", "better"}`."""
    try:
        with open(STORED) as file:
            return {name: {"value": float(kept["value"]), "better": kept["better"]}
                    for name, kept in json.load(file)["ratios"].items()}
    except OSError as error:
        raise Trouble("there are no stored ratios: %s; --store makes them" % error) from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Trouble("%s does not hold ratios (%r); --store makes it anew"
                      % (STORED, error)) from None


def check(stored, scenarios, results):
    """Prints one line for each stored ratio; says whether all were kept."""
    verdicts = figures.compare(stored, figures.measured_ratios(scenarios, results))
    for verdict in verdicts:
        print(verdict)
    if all(verdict.now is None for verdict in verdicts):
        say("bench: nothing could be compared")
        return False
    return not any(verdict.failed for verdict in verdicts)


def store(bench, scenarios, results):
    ratios = figures.measured_ratios(scenarios, results)
    kept = {"measured": datetime.date.today().isoformat(),
            "machine": report.machine(bench, results)[0][2:],
            "ratios": {name: {"value": round(value, 4), "better": better}
                       for name, (value, better) in ratios.items()}}
    with open(STORED, "w") as file:
        json.dump(kept, file, indent=2, ensure_ascii=False)
        file.write("\n")
    for name, (value, _) in ratios.items():
        print("stored   %s: %s" % (name, figures.text(value)))


def publish(bench, scenarios, results, skipped, arguments):
    """Prints what was found, and writes it where it was asked to."""
    tables = [scenario for scenario in scenarios if scenario is not sizing.SIZING]
    if tables:
        text = report.markdown(bench, tables, results, skipped)
        print(text, end="")
        if arguments.write:
            report.write("Performance.md", "bench", text)
    if sizing.SIZING in scenarios:
        text = sizing.markdown(bench, results)
        print(text, end="")
        if arguments.write:
            report.write("Sizing.md", "sizing", text)


def main(words):
    options = parser()
    arguments = options.parse_args(words)
    scenarios, peers = pick(options, arguments)
    # An end from outside must end the servers as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        if arguments.install:
            install()
            if not arguments.names and not (arguments.check or arguments.store):
                return 0
        # Before all the measuring, which would be in vain without them.
        stored = stored_ratios() if arguments.check else {}
        with Bench(arguments) as bench:
            bench.build_daemon()
            results, skipped = measure(bench, scenarios, peers, arguments.rounds)
            if arguments.json:
                with open(arguments.json, "w") as file:
                    json.dump({"machine": report.machine(bench, results), "results": results},
                              file, indent=1, ensure_ascii=False)
            problems = figures.problems(results)
            is_kept = True
            if arguments.check:
                is_kept = check(stored, scenarios, results)
            if arguments.store and not problems:
                store(bench, scenarios, results)
            if not arguments.check and not arguments.store:
                publish(bench, scenarios, results, skipped, arguments)
    except (Trouble, OSError, subprocess.CalledProcessError) as error:
        print("bench: %s" % error, file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    for problem in problems:
        say("bench: %s" % problem)
    return FAILED if problems or not is_kept else 0
