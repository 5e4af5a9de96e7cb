"""What a planner states beside the log: days of workloads, planned work, dated changes, and who alone may serve."""

from dataclasses import dataclass, field

from tests.oracle.serving import HOUR_S, MONTH_S

ALWAYS = frozenset(range(168))
WEEK_S = 168 * HOUR_S
FIRST_HOUR_OF_WEEK = 3 * 24  # the epoch began on a Thursday; hours of the week count from Monday 00:00


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A workload that no log has. Times are epoch seconds, begins_s None: at once, ends_s None: for good (exclusive).

    hours: hours of the week (Monday 00:00 UTC is 0) at which it holds its GPUs; length_hours: it runs through from
    its beginning for so long. cluster "": no existing contract serves it.
    """

    key: str
    pool: str
    model: str | None
    gpus: float
    begins_s: int | None = None
    ends_s: int | None = None
    hours: frozenset = ALWAYS
    length_hours: float | None = None
    cluster: str = ""
    every_hours: int | None = None

    @property
    def is_run(self):
        """Work with an end or a length is bought apart."""
        return self.ends_s is not None or self.length_hours is not None

    def spans(self, plan_from_s, until_s):
        """[(from_s, to_s)] in which it holds its GPUs, from the plan's beginning on, none that begins later than
        until_s."""
        begins = plan_from_s if self.begins_s is None else self.begins_s
        if self.length_hours is not None:
            begins, length = max(begins, plan_from_s), round(self.length_hours * HOUR_S)
            ends = until_s if self.ends_s is None else min(until_s, self.ends_s)
            if self.every_hours is None:
                return [(begins, begins + length)] if begins < until_s else []
            return [(at, at + length) for at in range(begins, ends, self.every_hours * HOUR_S)]
        spans = []
        for at in range(max(begins, plan_from_s), min(self.ends_s, until_s + WEEK_S), HOUR_S):
            if (at // HOUR_S + FIRST_HOUR_OF_WEEK) % 168 in self.hours:
                end = min(at + HOUR_S, self.ends_s)
                spans[-1:] = (
                    [(spans[-1][0], end)] if spans and spans[-1][1] == at else [*spans[-1:], (at, end)]
                )
        return [span for span in spans if span[0] < until_s]

    @property
    def workload(self):
        """Whose facts count where it may run and what it pays."""
        return self

    @property
    def max_nodes(self):
        return 1

    @property
    def longest_job_s(self):
        return float("inf") if self.length_hours is None else round(self.length_hours * 3600)

    @property
    def median_job_s(self):
        return self.longest_job_s

    @property
    def max_milli_gpus(self):
        return 1000 * self.gpus


@dataclass(frozen=True, kw_only=True)
class LoggedRun:
    """A workload of the log with a stated end that holds nearly its peak all the time: bought as a run."""

    workload: object
    pool: str
    model: str
    gpus: float
    begins_s: int | None
    ends_s: int
    is_run: bool = True

    @property
    def key(self):
        return self.workload.key

    @property
    def cluster(self):
        return self.workload.cluster

    def spans(self, plan_from_s, until_s):
        """As of planned work."""
        begins = max(self.begins_s or plan_from_s, plan_from_s)
        return [(begins, self.ends_s)] if begins < until_s else []


@dataclass(frozen=True)
class Change:
    """From a day on (`by`: evenly by month up to it) demand or prices x factor.

    what: a workload's key, a class or "all" for demand; a GPU model for prices.
    """

    what: str
    factor: float
    at_s: int
    by: bool = False


@dataclass(kw_only=True)
class Stated:
    """All of it; dates are {key: (begins_s or None, ends_s or None)}, only {key: (field, name)}."""

    dates: dict = field(default_factory=dict)
    planned: list = field(default_factory=list)
    demand: list = field(default_factory=list)
    prices: list = field(default_factory=list)
    only: dict = field(default_factory=dict)

    def __bool__(self):
        return bool(self.dates or self.planned or self.demand or self.prices or self.only)


def planned_hours(one, window):
    """Milli-GPU-seconds by hour of the window: its hours of the week laid on the log's."""
    amount = round(one.gpus * 3_600_000)
    return [
        amount if ((window.start_s + h * HOUR_S) // HOUR_S + FIRST_HOUR_OF_WEEK) % 168 in one.hours else 0
        for h in range(window.hours)
    ]


def change_factor(changes, at_s, t, plan_from_s):
    """Product of dated changes at an instant of month t."""
    factor = 1.0
    for change in changes:
        if not change.by:
            factor *= change.factor if at_s >= change.at_s else 1.0
            continue
        months = max(
            0, -((plan_from_s - change.at_s) // MONTH_S)
        )  # until the first month that begins on it or later
        factor *= change.factor if t >= months else 1 + (change.factor - 1) * t / months
    return factor


def parts_of(t, plan_from_s, instants):
    """[(from_s, to_s)]: month t cut at the instants inside it."""
    begin = plan_from_s + t * MONTH_S
    cuts = sorted({begin, *(at for at in instants if at is not None and begin < at < begin + MONTH_S)})
    return list(zip(cuts, [*cuts[1:], begin + MONTH_S], strict=True))
