"""Intake: how every row of each file ended, how good the data are, and what else the files said."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Ints
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.window import QUALITY, SHARES
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.cube import IdleGaps
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window, instant_s, is_day
from gpuplanner.lazy_dataclass import MISSING, asdict, dataclass, fields
from gpuplanner.lazy_re import lazy_re

# --- Data quality: how much of what a plan stands on the log really says, and what in it looks wrong

GAP_HOURS_AT_LEAST: Final = 12
"""A shorter pause is a quiet night."""

BUSY_EVENTS_A_DAY: Final = 10
"""Starts and ends in the day before a gap, and in the day after it: else the pause is no surprise."""

RHYTHM_EVERY_WEEKS: Final = 2
"""Pauses nearly as long that come as often as this are nights and weekends, no gaps."""

ALIKE_PAUSE: Final = 0.75
RHYTHM_AT_LEAST: Final = 3
GAPS_KEPT: Final = 20
QUIET_HOURS_AT_LEAST: Final = 24
"""Whole hours without any job on any cluster, between hours that have some, that a planner is asked about."""

REPEATED_SHARE: Final = 0.2
"""A time that more of the rows have than this is no time but what stands for one."""

REPEATED_ROWS_AT_LEAST: Final = 20
LONG_RUNNING_S: Final = 60 * DAY_S
"""A job that is said to be still running after two months has most likely been lost sight of."""

GAP_RULE: Final = worded(
    "{gap_hours_at_least} hours or more without a job start or end, with {busy_events_a_day} or "
    "more on the day before and after; not if such pauses recur every other week",
    gap_hours_at_least=whole(GAP_HOURS_AT_LEAST),
    busy_events_a_day=whole(BUSY_EVENTS_A_DAY),
)


@dataclass(frozen=True, slots=True)
class LogGap:
    """A stretch without any event: whole hours, epoch seconds."""

    start_s: int
    end_s: int

    @property
    def hours(self) -> int:
        """How long it is."""
        return (self.end_s - self.start_s) // HOUR_S


@dataclass(frozen=True, slots=True)
class SuspiciousValue:
    """A value that stands for something else. field: where it stands; value: as text; count: rows, at least."""

    field: str
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What the engine counts over accepted jobs of the whole log.

    hour, starts, ends: (n,) hours since 1970 with any event, ascending, and how many jobs began and ended in each;
    a job that runs on has no end. gpu_seconds in thousandths, running jobs up to the last event.
    """

    hour: Ints
    starts: Ints
    ends: Ints
    jobs: int
    with_id: int
    with_name: int
    with_user: int
    naive: int
    zero_length: int
    long_running: int
    clock_skew: int
    clusters: tuple[str, ...]
    milli_gpu_seconds: float
    with_model: float
    with_activity: float
    suspicious: tuple[SuspiciousValue, ...] = ()


@dataclass(frozen=True, slots=True)
class DataQuality:
    """What was counted over accepted jobs of the whole log.

    hours: from the first to the last event; busy_hours: those with a start, an end or a job that runs; gaps: the
    longest first, at most GAPS_KEPT, see GAP_RULE; shorter_gap_hours: of all others. with_*: jobs with an id, a name, a
    user, and milli-GPU-seconds with a GPU model and an activity, of gpu_time; naive: jobs whose times name no zone;
    zero_length: those that end when they start. long_running: jobs still running after two months; clock_skew: rows
    that end less than an hour before they start. read_shares: of a project that kept shares alone and no counts (None).
    clusters: as the log calls them; empty in a project file that was written before they were kept.
    """

    jobs: int
    hours: int
    busy_hours: int
    gaps: tuple[LogGap, ...] = ()
    shorter_gap_hours: int = 0
    with_id: int | None = None
    with_name: int | None = None
    with_user: int | None = None
    naive: int | None = None
    zero_length: int | None = None
    gpu_time: float | None = None
    with_model: float | None = None
    with_activity: float | None = None
    long_running: int = 0
    clock_skew: int = 0
    suspicious: tuple[SuspiciousValue, ...] = ()
    read_shares: tuple[tuple[str, float | None], ...] = ()
    clusters: tuple[str, ...] = ()

    @property
    def gap_hours(self) -> int:
        """Hours of all gaps, also of those that are not kept one by one."""
        return sum(gap.hours for gap in self.gaps) + self.shorter_gap_hours

    @property
    def inputs(self) -> dict[str, float | None]:
        """What its shares are worked out from, by the keys of QUALITY; shares that were read are given."""
        counts = {row.key: getattr(self, row.key) for row in QUALITY.figures if row.formula is None}
        return {**counts, **dict(self.read_shares)}

    @property
    def shares(self) -> dict[str, float | None]:
        """Shares by the keys of SHARES, 0..1; None where there is nothing to take a share of."""
        row = QUALITY.row(self.inputs, SHARES)
        return {key: row[key] for key in SHARES}


def data_quality(facts: LogFacts) -> DataQuality | None:
    """The card of a log; None where it has no job.

    The longest gaps are kept one by one, of the others their hours.
    """
    if not facts.jobs or not len(facts.hour):
        return None
    hours = int(facts.hour[-1] - facts.hour[0]) + 1
    gaps = log_gaps(facts.hour, facts.starts + facts.ends)

    def part(amount: float) -> float:
        """Of all GPU time: parts were added up in another order, and may come out a trifle above it."""
        return min(amount, facts.milli_gpu_seconds)

    return DataQuality(
        jobs=facts.jobs,
        hours=hours,
        busy_hours=busy_hours(facts.hour, facts.starts, facts.ends),
        gaps=gaps[:GAPS_KEPT],
        shorter_gap_hours=sum(gap.hours for gap in gaps[GAPS_KEPT:]),
        with_id=facts.with_id,
        with_name=facts.with_name,
        with_user=facts.with_user,
        naive=facts.naive,
        zero_length=facts.zero_length,
        gpu_time=facts.milli_gpu_seconds,
        with_model=part(facts.with_model),
        with_activity=part(facts.with_activity),
        long_running=facts.long_running,
        clock_skew=facts.clock_skew,
        suspicious=facts.suspicious,
        clusters=facts.clusters,
    )


def busy_hours(hour: Ints, starts: Ints, ends: Ints) -> int:
    """Hours with an event, and those between events while a job runs. Shapes (n,), hours ascending.

    starts, ends: jobs that began and ended in each hour. Jobs that run on keep every later hour busy up to
    the last event.
    """
    running = np.cumsum(starts) - np.cumsum(ends)
    between = np.diff(hour) - 1
    return int(len(hour) + between[running[:-1] > 0].sum())


def log_gaps(hour: Ints, events: Ints) -> tuple[LogGap, ...]:
    """Gaps by GAP_RULE, the longest first. Shapes (n,): hours with events, ascending, and how many each has.

    An hour is counted from 1970. Law: gaps do not overlap, and none has an event in it.
    """
    pauses = np.diff(hour) - 1
    long = np.flatnonzero(pauses >= GAP_HOURS_AT_LEAST)
    if not len(long):
        return ()
    weeks = (int(hour[-1] - hour[0]) + 1) / (24 * 7)
    often = max(RHYTHM_AT_LEAST, weeks / RHYTHM_EVERY_WEEKS)
    lengths = np.sort(pauses[long])
    so_far = np.concatenate(([0], np.cumsum(events)))
    gaps = []
    for at in long:
        length = int(pauses[at])
        alike = len(lengths) - int(np.searchsorted(lengths, ALIKE_PAUSE * length))
        first = int(np.searchsorted(hour, hour[at] - 23))
        last = int(np.searchsorted(hour, hour[at + 1] + 24))
        before, after = so_far[at + 1] - so_far[first], so_far[last] - so_far[at + 1]
        if min(before, after) >= BUSY_EVENTS_A_DAY and alike < often:
            gaps.append(LogGap(int(hour[at] + 1) * HOUR_S, int(hour[at + 1]) * HOUR_S))
    return tuple(sorted(gaps, key=lambda gap: (gap.start_s - gap.end_s, gap.start_s)))


def quiet_gaps(is_busy: Bools, window: Window) -> tuple[LogGap, ...]:
    """Stretches of a day or more in which nothing ran, between hours in which something did, in order of time.

    is_busy: hours of the window in which some job ran, (hours,).
    """
    busy = np.flatnonzero(is_busy)
    before = np.flatnonzero(np.diff(busy) > QUIET_HOURS_AT_LEAST)
    return tuple(
        LogGap(window.start_s + (first + 1) * HOUR_S, window.start_s + last * HOUR_S)
        for first, last in zip(busy[before].tolist(), busy[before + 1].tolist(), strict=True)
    )


@dataclass(frozen=True, slots=True)
class Gap:
    """A field that part of a log does not have: what that means, and what to do about it.

    share: of jobs, or of GPU time where is_of_gpu_time, that has it (0..1).
    """

    field: Message
    share: float
    is_of_gpu_time: bool
    means: Message
    remedy: Message


WORTH_SAYING_BELOW: Final = 0.995
"""A field that all but a few rows have is there."""

SERIOUS_BELOW: Final = 0.9
"""Less than this of a log is too little to plan on without a word of warning."""

ACTIVITY: Final = titles.ACTIVITY
"""Most logs have none; what hangs on it is said where it is shown."""

WHAT_GAPS_MEAN: Final = (
    (
        "gpu_model_coverage",
        True,
        worded("GPU model"),
        worded("others use GPUs that known models leave free, at the cluster models' price"),
        worded("map the model's column, or answer which model the cluster has"),
    ),
    (
        "name_coverage",
        False,
        worded("Job name"),
        worded("jobs without one are one workload per user"),
        worded("export the job name, and map its column"),
    ),
    (
        "user_coverage",
        False,
        worded("User or account"),
        worded("these workloads have no owner, so teams are unknown"),
        worded("export user or account, and map its column"),
    ),
    (
        "id_coverage",
        False,
        worded("Job id"),
        worded("duplicate exports of a job cannot be detected"),
        worded("export the job id, and map its column"),
    ),
    (
        "activity_coverage",
        True,
        ACTIVITY,
        worded("activity of allocated GPUs and useful spend are unknown"),
        worded("import activity with the log: dcgm-exporter, Prometheus or nvidia-smi"),
    ),
)
"""Field, whether its share is of GPU time, its name, what a gap means, and what to do; the most expensive gap first."""


def quality_gaps(quality: DataQuality) -> tuple[Gap, ...]:
    """Fields that part of the log, or all of it, does not have; what nobody can tell is left out."""
    gaps, shares = [], quality.shares
    for name, is_of_gpu_time, field, means, remedy in WHAT_GAPS_MEAN:
        share = shares[name]
        if share is not None and share < WORTH_SAYING_BELOW:
            gaps.append(Gap(field, share, is_of_gpu_time, means, remedy))
    return tuple(gaps)


def as_findings(files: Sequence[Sequence[SuspiciousValue]]) -> tuple[SuspiciousValue, ...]:
    """The same field and value of several files as one, most rows first.

    files: those of each. Ties by field, then value.
    """
    counts: dict[tuple[str, str], int] = {}
    for values in files:
        for value in values:
            key = (value.field, value.value)
            counts[key] = counts.get(key, 0) + value.count
    findings = [SuspiciousValue(*key, count) for key, count in counts.items()]
    return tuple(sorted(findings, key=lambda value: (-value.count, value.field, value.value)))


# --- Intake: what each file was, and how every one of its rows ended -----------------------------

Facts = tuple[tuple[str, object], ...]
"""What a file says of itself, by name; values are ready for JSON, unknown is None."""
BILLED: Final = "billed_by_kind"
"""Fact of a bill: $ by currency and kind."""
LEFT_OUT: Final = "billed_otherwise"
"""Fact of a bill: names of services that are of no kind."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One kind of finding in one file: how many rows, the first of them (a line number; None: the whole file)."""

    code: str
    count: int
    first_row: int | None
    message: Message


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """One row that was not taken: its line number, why, its text; cells: the same by column, where there are any."""

    row: int
    code: str
    message: Message
    text: str = ""
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A figure that a file states, against what was read of it.

    quantity: rows, gpus, usd_per_month, usd_per_year, usd_total, gpu_hours or elapsed_s. subject: `file`, `group` (the
    rows above a subtotal) or `row NUMBER`. currency: of money, that in which both are; hours: of the month that it is
    for.
    """

    quantity: str
    subject: str
    stated: float
    read: float
    agrees: bool
    currency: str = "USD"
    hours: int = 730


@dataclass(frozen=True, slots=True)
class AlternativeReading:
    """Another way to read a file. mapping: as --map takes it, without the kind of table, in place of the one in use.

    words: what it means, as in “Qty” counts GPUs; reconciliation: what the file states against this reading.
    """

    mapping: str
    words: Message
    reconciliation: tuple[StatedFigure, ...]


@dataclass(frozen=True, slots=True)
class FileIntake:
    """Law: rows_read == rows_accepted + rows_rejected + rows_duplicate + rows_ignored.

    kind: jobs, contracts, prices, ... ; format: the recognised dialect; sha256 of the file's bytes.
    rejected holds at most the first 1,000 rejected rows; the counts are complete. columns: the headings of their cells.
    noted: of each issue whose rows were accepted or ignored, the first of these rows, as they were understood.
    jobs_in_window: accepted rows of a job log that touch the window; None where they were not counted by file.
    reconciliation: the figures that the file states, against what was read; alternatives: where they disagree, the
    readings that would agree, the best first.
    """

    path: str
    kind: str
    format: str
    rows_read: int
    rows_accepted: int
    rows_rejected: int
    rows_duplicate: int
    rows_ignored: int
    issues: tuple[Issue, ...] = ()
    rejected: tuple[RejectedRow, ...] = ()
    sha256: str = ""
    facts: Facts = ()
    columns: tuple[str, ...] = ()
    noted: tuple[RejectedRow, ...] = ()
    jobs_in_window: int | None = None
    reconciliation: tuple[StatedFigure, ...] = ()
    alternatives: tuple[AlternativeReading, ...] = ()


OUT_OF_MEMORY: Final = "OUT_OF_MEMORY"
TIMEOUT: Final = "TIMEOUT"
FAILED_STATES: Final = ("FAILED", "NODE_FAIL", OUT_OF_MEMORY, TIMEOUT)
"""States whose GPU time is failed work (docs/formulas/leaks.md), but for TIMEOUT of inference."""


@dataclass(frozen=True, slots=True)
class LargestJob:
    """The job with most GPU time in the window of a workload and GPU model (None: unknown); of equal ones the first id.

    key: of the workload; milli_gpus thousandths of a GPU; start_s, end_s epoch seconds, inside the window.
    """

    key: str
    gpu_model: str | None
    job_id: str
    milli_gpus: int
    start_s: int
    end_s: int

    @property
    def milli_gpu_seconds(self) -> int:
        """Its GPU time in the window."""
        return self.milli_gpus * (self.end_s - self.start_s)

    def hourly(self, window: Window) -> Ints:
        """Milli-GPU-seconds in each hour of the window, (hours,)."""
        begins_s = window.start_s + HOUR_S * np.arange(window.hours, dtype=np.int64)
        inside = np.minimum(self.end_s, begins_s + HOUR_S) - np.maximum(self.start_s, begins_s)
        return np.asarray(self.milli_gpus * np.maximum(inside, 0), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class LoggedRun(LargestJob):
    """A job as it was, not cut to the window. state: as schedulers say; "" where the log does not."""

    state: str = ""

    @property
    def hours(self) -> float:
        """From its start to its end."""
        return (self.end_s - self.start_s) / HOUR_S


@dataclass(frozen=True, slots=True)
class JobFacts:
    """What the accepted jobs add up to in the window; see the `jobs` object of the JSON.

    Units: milli_gpu_seconds integer thousandths of a GPU-second; peak_milli_gpus the exact concurrent maximum;
    first_start_s and last_end_s epoch seconds, after clipping. models_written: GPU models as the log wrote them, with
    the cluster and their milli_gpu_seconds, sorted. queues: the same of queues and partitions. largest: of each
    workload and GPU model, most GPU time first; empty in a project file that was written before they were kept. gaps:
    without any job, as of `quiet_gaps`; None likewise. restart_delays_s: ascending, from the end of a run that did not
    complete to the start of the next of the same job. runs: ended ones of ten minutes and more, and those that ran out
    of memory, by start, of the workloads with most GPU time; empty in a file from before they were kept.
    """

    count: int = 0
    gpu_jobs: int = 0
    milli_gpu_seconds: int = 0
    peak_milli_gpus: int = 0
    first_start_s: int | None = None
    last_end_s: int | None = None
    clipped: int = 0
    rows_sha256: str = ""  # of the Parquet file that keeps the job rows; empty where none was kept
    quality: DataQuality | None = None  # of the whole log, not of the window
    idle_gaps: IdleGaps | None = None  # of the window; None: not known, or more than a project keeps
    models_written: tuple[tuple[str, str, int], ...] = ()
    queues: tuple[tuple[str, str, int], ...] = ()
    largest: tuple[LargestJob, ...] = ()
    gaps: tuple[LogGap, ...] | None = None
    restart_delays_s: tuple[int, ...] = ()
    runs: tuple[LoggedRun, ...] = ()

    def __post_init__(self) -> None:
        """Errors: ValueError where the rows have no hash for a name: whoever sends a project chooses no file."""
        if not lazy_re("([0-9a-f]{64})?").fullmatch(self.rows_sha256):
            raise ValueError(f"rows_sha256 is {self.rows_sha256!r:.80}, not 64 hexadecimal digits")

    @property
    def gpu_hours(self) -> float:
        """GPU-hours in the window.

        Jobs are clipped to the window.
        """
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


# --- Interruptions of spot nodes that files observed: the mean time between them (docs/formulas/spot.md)

KIND: Final = "interruptions"
"""The kind of file that observes them."""

NODE_MTBF: Final = "spot_node_mtbf_hours"
NODE_HOURS, INTERRUPTIONS, BY_MODEL = "node_hours", "interruptions", "by_model"
"""Facts of such a file."""


@dataclass(frozen=True, slots=True)
class Observed:
    """node_hours: spot nodes were there so long, in hours over all nodes; interruptions: how often one was taken."""

    node_hours: float
    interruptions: int
    paths: tuple[str, ...] = ()
    by_model: tuple["ObservedModel", ...] = ()

    @property
    def mtbf_hours(self) -> float | None:
        """Node-hours by interruption; None without any, or where it is out of what the assumption may be.

        Units: hours of one node between two interruptions.
        """
        if not self.interruptions:
            return None
        spec, hours = SPEC_BY_NAME[NODE_MTBF], self.node_hours / self.interruptions
        return hours if spec.low <= hours <= spec.high else None


@dataclass(frozen=True, slots=True)
class ObservedModel:
    """What was observed of the spot nodes of one provider and GPU model."""

    provider: str
    gpu_model: str
    observed: Observed


def observed(intake: Iterable[FileIntake]) -> Observed | None:
    """What all files of interruptions came to together; None without one.

    Files of that kind which state no node-hours are left out. Node-hours and interruptions are of rows that name no
    provider and GPU model; those that do are in by_model, sorted.
    """
    files = [file for file in intake if file.kind == KIND and dict(file.facts).get(NODE_HOURS) is not None]
    if not files:
        return None
    facts = [dict(file.facts) for file in files]
    named: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for fact in facts:
        for row in fact.get(BY_MODEL, ()):  # type: ignore[attr-defined]
            named.setdefault((str(row["provider"]), str(row["gpu_model"])), []).append(row)
    by_model = tuple(ObservedModel(*pair, _summed(named[pair])) for pair in sorted(named))
    every = _summed(facts)
    return Observed(
        max(every.node_hours - fsum(row.observed.node_hours for row in by_model), 0.0),
        every.interruptions - sum(row.observed.interruptions for row in by_model),
        tuple(file.path for file in files),
        by_model,
    )


def _summed(facts: Sequence[Mapping[str, object]]) -> Observed:
    """Node-hours and interruptions of several together."""
    return Observed(
        fsum(float(str(fact[NODE_HOURS])) for fact in facts),
        sum(int(str(fact[INTERRUPTIONS])) for fact in facts),
    )


NodeTimes = Mapping[tuple[str, str], float]
"""Hours between two interruptions of a spot node, by provider and GPU model, both without regard to case."""


def node_times(intake: Iterable[FileIntake]) -> NodeTimes:
    """Those that files of interruptions observed; empty without one."""
    log = observed(intake)
    return {
        (row.provider.casefold(), row.gpu_model.casefold()): hours
        for row in (log.by_model if log else ())
        if (hours := row.observed.mtbf_hours) is not None
    }


def with_observed(assumptions: Assumptions, intake: Iterable[FileIntake]) -> Assumptions:
    """The assumptions with what was observed in place of theirs; themselves where it proposes nothing.

    Only the mean time between failures of a spot node is observed.
    """
    log = observed(intake)
    hours = None if log is None else log.mtbf_hours
    return assumptions if hours is None else assumptions.with_values({NODE_MTBF: hours})


def source_words(name: str, value: object, intake: Iterable[FileIntake]) -> Message | None:
    """Where the value of an assumption was observed, in words; None where no file says it.

    value: as it is in force; one that the planner set instead was not observed.
    """
    log = observed(intake) if name == NODE_MTBF else None
    if log is None or log.mtbf_hours is None or value != log.mtbf_hours:
        return None
    return worded(
        "observed: {hours} node-hours by {interruptions} interruptions, {files}",
        hours=whole(log.node_hours),
        interruptions=whole(log.interruptions),
        files=", ".join(path.replace("\\", "/").rsplit("/", 1)[-1] for path in log.paths),
    )


# --- The rows of requests that were sent, as the files that came back show them: answered ones and all others

FACT: Final = "asked"
"""Under what name a file that came back says its rows among its facts."""
QUOTED: Final = "quoted"
NO_BID: Final = "no bid"
UNANSWERED: Final = "none"
UNREAD: Final = "not read"
"""What became of a row in a file."""


@dataclass(frozen=True, slots=True)
class SentRow:
    """One row of a request in one file. name: R1, R2 ... of that request; line: where it stands in the file.

    term_months, term_days: as AskedRow, both 0 where the term cannot be read; start, quoted_on: ISO days, None: not
    told. region, interconnect: asked for, empty and None for any; gpus, bare_metal, memory_gb too, gpus None where
    these three are not told. is_soonest: start is the first day that the request allows, not that of the plan.
    reply_by, orders_from: ISO days of the request, the last for a reply and the first of orders, None: not told.
    answer: QUOTED, NO_BID, UNANSWERED or UNREAD; vendor: who sent the file, empty where it does not say.
    """

    reference: str
    name: str
    gpu_model: str
    term_months: int
    term_days: int
    start: str | None
    is_option: bool
    region: str
    interconnect: str | None
    vendor: str
    quoted_on: str | None
    answer: str
    line: int
    gpus: int | None = None
    bare_metal: bool = False
    memory_gb: float | None = None
    is_soonest: bool = False
    reply_by: str | None = None
    orders_from: str | None = None

    @property
    def number(self) -> int:
        """That of its name."""
        return int(self.name[1:])

    @property
    def fact(self) -> dict[str, object]:
        """As a file says it among its facts. Law: `sent_in` reads it back."""
        return asdict(self)


def sent_in(file: FileIntake) -> tuple[SentRow, ...]:
    """The rows of requests that a file has, in its order; none of a file that is no answer, or whose fact is none."""
    rows: Any = dict(file.facts).get(FACT, ())
    return tuple(SentRow(**row) for row in rows if isinstance(row, dict) and _NEEDED <= row.keys() <= _NAMES)


_NAMES: Final = {field.name for field in fields(SentRow)}
_NEEDED: Final = {field.name for field in fields(SentRow) if field.default is MISSING}


_ISSUED: Final = lazy_re(r"RFQ-(\d{4})(\d\d)(\d\d)-")


def issued_on(reference: str) -> str | None:
    """The day of a request, ISO, by its reference; None where that does not tell."""
    match = _ISSUED.match(reference)
    day = "" if match is None else "-".join(match.groups())
    return day if is_day(day) else None


@dataclass(frozen=True, slots=True)
class RequestDays:
    """The days of a request, epoch seconds, 00:00 UTC: nothing is ordered before replies are in and decided on.

    today_s: that of the request; decide_s: seconds from the last reply to the first order.
    """

    today_s: int
    reply_by_s: int
    decide_s: int

    @property
    def orders_from_s(self) -> int:
        """The day from which on orders can be placed."""
        return self.reply_by_s + self.decide_s

    @property
    def soonest_s(self) -> int:
        """The same for what has a day of its own and cannot wait: vendors have LEAST_REPLY_S at least."""
        return min(self.reply_by_s, self.today_s + LEAST_REPLY_S) + self.decide_s


LEAST_REPLY_S: Final = 3 * DAY_S


def days_answered(intake: Iterable[FileIntake]) -> RequestDays | None:
    """The days of the newest request that came back, filled in or not; None where no file of one tells them."""
    sent = {(row.reference, row.reply_by, row.orders_from) for file in intake for row in sent_in(file)}
    requests = []
    for reference, reply_by, orders_from in sent:
        texts = issued_on(reference) or "", reply_by or "", orders_from or ""
        if all(map(is_day, texts)) and texts == tuple(sorted(texts)):
            issued_s, reply_s, from_s = map(instant_s, texts)
            requests.append(RequestDays(issued_s, reply_s, from_s - reply_s))
    return max(requests, key=lambda days: (days.today_s, days.orders_from_s), default=None)


RowKey = tuple[str, str, str]
"""Vendor, reference and number of a row, in small letters."""


def row_key(vendor: str, reference: str, name: str) -> RowKey:
    """The same for names that differ in case or blanks."""
    return " ".join(vendor.casefold().split()), reference.casefold(), name.casefold()


def taken_back(intake: Sequence[FileIntake]) -> frozenset[RowKey]:
    """The rows for which a vendor's last answer is that it does not bid, whichever file had a quote before.

    intake: in the order in which the files were read. Of several answers the one quoted on last counts; where a day is
    not told, or it is the same, that of the file read last. Source: docs/formats/rfq.md, Answers.
    """
    last = _last_answers(intake, (QUOTED, NO_BID))
    return frozenset(key for key, row in last.items() if row.answer == NO_BID)


def unread_answers(intake: Sequence[FileIntake]) -> tuple[SentRow, ...]:
    """The rows to which a vendor's last answer has a cell that cannot be read, so that it is no offer; as above."""
    last = _last_answers(intake, (QUOTED, NO_BID, UNREAD))
    return tuple(row for row in last.values() if row.answer == UNREAD)


def _last_answers(intake: Sequence[FileIntake], kinds: Sequence[str]) -> dict[RowKey, SentRow]:
    """Of the answers of some kinds to each row that which counts."""
    answers: dict[RowKey, list[SentRow]] = {}
    for file in intake:
        for row in sent_in(file):
            if row.answer in kinds:
                answers.setdefault(row_key(row.vendor, row.reference, row.name), []).append(row)
    return {key: _last(rows) for key, rows in answers.items()}


def _last(rows: Sequence[SentRow]) -> SentRow:
    """The answer that counts, of those to one row in the order in which they were read."""
    is_told = all(row.quoted_on for row in rows)
    return max(enumerate(rows), key=lambda entry: (entry[1].quoted_on or "" if is_told else "", entry[0]))[1]
