"""Figures, targets and ratios, without any measuring: what `Tests/ScriptTests` can test."""
import statistics
from typing import NamedTuple, Optional

MORE, LESS = "more", "less"
# A loss beyond this share of a stored ratio fails a check.
TOLERANCE = 0.15
# Above this share of a core the generator is taken for the limit of what it measured.
GENERATOR_LIMIT = 95


class Figure(NamedTuple):
    """One thing that a scenario measures; `key` names it in a sample."""
    key: str
    title: str
    better: str = MORE
    # Whether a generator that can do no more shows in it.
    is_of_load: bool = True


class Target(NamedTuple):
    """What Dux must reach: a bound on a figure, or on its ratio to that of another server."""
    key: str
    bound: float
    than: Optional[str] = None
    unit: str = ""


def values(samples, key):
    """The figure in each sample that has it."""
    return [sample[key] for sample in samples if sample.get(key) is not None]


def median(samples, key):
    """The median over the rounds, or None where nothing was measured."""
    found = values(samples, key)
    return statistics.median(found) if found else None


def ratios(ours, theirs, key):
    """The ratio of each round: servers measured side by side share the machine's mood."""
    return [our[key] / their[key] for our, their in zip(ours, theirs)
            if our.get(key) is not None and their.get(key)]


def ratio(ours, theirs, key):
    """The median of the rounds' ratios, or None."""
    found = ratios(ours, theirs, key)
    return statistics.median(found) if found else None


def is_met(value, bound, better):
    return value >= bound if better == MORE else value <= bound


def loss(stored, now, better):
    """By which share a ratio has become worse; negative where it became better."""
    if not stored:
        return 0.0
    return 1 - now / stored if better == MORE else now / stored - 1


def text(value):
    """A figure with three or four digits."""
    if value is None:
        return "–"
    if abs(value) >= 100:
        return format(round(value), ",")
    digits = 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return "%.*f" % (digits, value)


def spread(found):
    """The lowest and the highest of several figures, in brackets; nothing for one."""
    if len(found) < 2 or text(min(found)) == text(max(found)):
        return ""
    return " (%s–%s)" % (text(min(found)), text(max(found)))


def cell(samples, figure):
    """Median and spread; a dagger where the generator was the limit."""
    found = values(samples, figure.key)
    if not found:
        return "–"
    mark = " †" if figure.is_of_load and is_generator_bound(samples) else ""
    return text(statistics.median(found)) + mark + spread(found)


def is_generator_bound(samples):
    share = median(samples, "gen_cpu")
    return share is not None and share > GENERATOR_LIMIT


def problems(results):
    """What was wrong in any run: `scenario, server, round N: what`."""
    return ["%s, %s, round %d: %s" % (scenario, server, index + 1, problem)
            for scenario, servers in results.items()
            for server, samples in servers.items()
            for index, sample in enumerate(samples)
            for problem in sample.get("problems", [])]


def measured_ratios(scenarios, results):
    """All ratios that can be kept: `name -> (value, better)`.

    A scenario compares its servers, or has figures that are ratios of two states of one server.
    """
    found = {}
    for scenario in scenarios:
        servers = results.get(scenario.name, {})
        better = {figure.key: figure.better for figure in scenario.figures}
        for key in scenario.kept:
            for than in ("redis", "refserver"):
                value = ratio(servers.get("dux", []), servers.get(than, []), key)
                if value is not None:
                    found["%s %s ÷ %s" % (scenario.name, key, than)] = (value, better[key])
        for key in scenario.kept_alone:
            value = median(servers.get("dux", []), key)
            if value is not None:
                found["%s %s" % (scenario.name, key)] = (value, better[key])
    return found


class Verdict(NamedTuple):
    """How one stored ratio compares: `loss` is None where it could not be measured."""
    name: str
    stored: float
    now: Optional[float]
    loss: Optional[float]

    @property
    def failed(self):
        return self.loss is not None and self.loss > TOLERANCE

    def __str__(self):
        if self.now is None:
            return "skipped  %s: stored %s, not measured" % (self.name, text(self.stored))
        return "%s  %s: stored %s, now %s, %s by %.0f%%" % (
            "LOST   " if self.failed else "kept   ", self.name, text(self.stored), text(self.now),
            "worse" if self.loss > 0 else "better", abs(self.loss) * 100)


def compare(stored, measured):
    """One verdict for each stored ratio, `name -> {"value", "better"}`, in their order."""
    verdicts = []
    for name, kept in stored.items():
        now = measured[name][0] if name in measured else None
        change = None if now is None else loss(kept["value"], now, kept["better"])
        verdicts.append(Verdict(name, kept["value"], now, change))
    return verdicts
