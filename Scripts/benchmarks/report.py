"""The figures as Markdown, and their places in the documentation."""
import datetime
import os
import platform
import re

from . import figures
from .bench import ROOT, Trouble
from .servers import SERVERS

PAGES = os.path.join(ROOT, "Sources", "DuxServer", "DuxServer.docc")
# The servers that have a column of their own; others share one.
COLUMNS = ("dux", "refserver", "redis")


def machine(bench, results):
    """Where and with what it was measured, one line each."""
    lines = ["- %s, %d cores, Linux %s, %s, %s" % (
        cpu_model(), os.cpu_count(), platform.release(), distribution(), disk(bench.folder))]
    measured = {name for servers in results.values() for name in servers}
    versions = [("%s %s" % (server.title, server.version(bench))).strip()
                for server in SERVERS.values() if server.name in measured
                and server.name != "redis-stream"]
    lines.append("- %s" % ", ".join(versions))
    rounds = max([len(samples) for servers in results.values() for samples in servers.values()],
                 default=0)
    lines.append("- %s, %d round%s%s" % (
        datetime.date.today().isoformat(), rounds, "" if rounds == 1 else "s",
        ", `--quick`: smaller and shorter" if bench.quick else ""))
    return lines


def cpu_model():
    with open("/proc/cpuinfo") as cpus:
        found = re.search(r"^model name\s*:\s*(.+)$", cpus.read(), re.M)
    return found.group(1) if found else platform.machine()


def distribution():
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        return ""


def disk(folder):
    """File system and kind of disk that a folder lies on."""
    best, kind, device = "", "unknown file system", ""
    with open("/proc/mounts") as mounts:
        for line in mounts:
            source, point, system = line.split()[:3]
            if (folder + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best):
                best, kind, device = point, system, os.path.basename(source)
    name = re.sub(r"p?\d+$", "", device)
    try:
        with open("/sys/block/%s/queue/rotational" % name) as rotational:
            turning = rotational.read().strip() == "1"
    except OSError:
        return kind
    sort = "virtual disk" if name.startswith("vd") else "NVMe" if name.startswith("nvme") \
        else "hard disk" if turning else "SSD"
    return "%s on a %s" % (kind, sort)


def table(scenarios, results, skipped):
    """The table of all scenarios that have figures of Dux and its peers."""
    lines = ["| | measured | Dux | refserver | Redis | others | ÷ refserver | ÷ Redis | target | |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for scenario in scenarios:
        lines += rows(scenario, results.get(scenario.name, {}), skipped)
    return lines


def rows(scenario, servers, skipped):
    heading = "| **%s** | **%s** |%s" % (scenario.name, scenario.title, " |" * 8)
    lines = [heading]
    for name in scenario.servers:
        if (scenario.name, name) in skipped:
            lines.append("| %s | %s: skipped, %s |%s" % (
                scenario.name, SERVERS[name].title, skipped[scenario.name, name], " |" * 8))
    dux = servers.get("dux", [])
    for figure in scenario.figures:
        cells = [figures.cell(servers.get(name, []), figure) for name in COLUMNS]
        others = ["%s %s" % (SERVERS[name].title, figures.cell(samples, figure))
                  for name, samples in servers.items() if name not in COLUMNS]
        if cells == ["–"] * 3 and not others:
            continue
        against = []
        for name in ("refserver", "redis"):
            found = figures.ratios(dux, servers.get(name, []), figure.key)
            against.append(figures.text(figures.ratio(dux, servers.get(name, []), figure.key))
                           + figures.spread(found) if found else "–")
        wanted, reached = judgement(scenario, servers, figure)
        lines.append("| %s | %s |" % (scenario.name, " | ".join([
            figure.title, *cells, "; ".join(others) or "–", *against, wanted, reached])))
    for problem in figures.problems({scenario.name: servers}):
        lines.append("| %s | **not valid:** %s |%s" % (
            scenario.name, problem.replace("|", "/"), " |" * 8))
    return lines


def judgement(scenario, servers, figure):
    """The targets of a figure, and whether each is met."""
    wanted, reached = [], []
    for target in scenario.targets:
        if target.key != figure.key:
            continue
        sign = "≥" if figure.better == figures.MORE else "≤"
        if target.than:
            wanted.append("%s %g × %s" % (sign, target.bound, SERVERS[target.than].title))
        else:
            wanted.append(("%s %g %s" % (sign, target.bound, target.unit)).strip())
        value = target_value(target, servers)
        if value is None:
            reached.append("not measured")
        else:
            reached.append("met" if figures.is_met(value, target.bound, figure.better)
                           else "missed")
    return "; ".join(wanted), "; ".join(reached)


def target_value(target, servers):
    dux = servers.get("dux", [])
    if target.than:
        return figures.ratio(dux, servers.get(target.than, []), target.key)
    return figures.median(dux, target.key)


NOTES = [
    "",
    "Medians of the rounds, in brackets the lowest and the highest. A ratio is the median of the"
    " rounds' ratios, not the ratio of the medians. †: the load generator used more than 95% of its"
    " core, so the figure is its limit and the CPU of the server is what compares.",
]


def printed_tables(scenarios, results):
    """The tables of those programs that print their own."""
    lines = []
    for scenario in scenarios:
        for samples in results.get(scenario.name, {}).values():
            tables = [sample["table"] for sample in samples if sample.get("table")]
            if tables:
                lines += ["", scenario.title[0].upper() + scenario.title[1:] + ":", "",
                          tables[-1]]
    return lines


def markdown(bench, scenarios, results, skipped):
    """All of it."""
    lines = [*machine(bench, results), ""]
    tabled = [scenario for scenario in scenarios if scenario.figures]
    if tabled:
        lines += [*table(tabled, results, skipped), *NOTES]
    return "\n".join(lines + printed_tables(scenarios, results)) + "\n"


def put_between(page, name, text):
    """The page with `text` between its markers of that name; they stay."""
    begin, end = "<!-- %s -->" % name, "<!-- end of %s -->" % name
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise Trouble("the page has no place for %s" % name)
    return "%s%s\n\n%s\n\n%s%s" % (before, begin, text.strip(), end, after)


def write(page, name, text):
    path = os.path.join(PAGES, page)
    with open(path) as file:
        changed = put_between(file.read(), name, text)
    with open(path, "w") as file:
        file.write(changed)
