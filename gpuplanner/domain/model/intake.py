"""Intake: the outcome of every row of each file, data quality, and further facts from the files."""

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
from gpuplanner.domain.model.billed import BilledUse
from gpuplanner.domain.model.cube import IdleGaps
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window, instant_s, is_day
from gpuplanner.lazy_dataclass import MISSING, asdict, dataclass, fields
from gpuplanner.lazy_re import lazy_re

# --- Data quality: coverage of the fields that a plan needs, and suspicious values ----------------

GAP_HOURS_AT_LEAST: Final = 12
"""Shorter pauses are quiet nights."""

BUSY_EVENTS_A_DAY: Final = 10
"""Fewest starts and ends on the day before a gap, and on the day after; otherwise the pause is expected."""

RHYTHM_EVERY_WEEKS: Final = 2
"""Pauses of similar length that occur at least this often are nights and weekends, not gaps."""

ALIKE_PAUSE: Final = 0.75
RHYTHM_AT_LEAST: Final = 3
GAPS_KEPT: Final = 20
QUIET_HOURS_AT_LEAST: Final = 24
"""Shortest period without jobs on all clusters, between hours with jobs, that the user is asked about."""

REPEATED_SHARE: Final = 0.2
"""Share of the rows from which a repeated time is a placeholder."""

REPEATED_ROWS_AT_LEAST: Final = 20
LONG_RUNNING_S: Final = 60 * DAY_S
"""A job reported as running for over two months is most likely a stale record."""

GAP_RULE: Final = worded(
    "at least {hours} hours without a job start or end, with {events} or more on the "
    "day before and after; not if such pauses recur every other week",
    hours=whole(GAP_HOURS_AT_LEAST),
    events=whole(BUSY_EVENTS_A_DAY),
)


@dataclass(frozen=True, slots=True)
class LogGap:
    """A period without starts or ends of jobs: whole hours, epoch seconds, end exclusive."""

    start_s: int
    end_s: int

    @property
    def hours(self) -> int:
        """Length in hours."""
        return (self.end_s - self.start_s) // HOUR_S


@dataclass(frozen=True, slots=True)
class SuspiciousValue:
    """A placeholder value. field: its field; value: as text; count: rows, at least."""

    field: str
    value: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFacts:
    """Counts of the engine over accepted jobs of the whole log.

    hour, starts, ends: (n,) hours since 1970 with an event, ascending, and the jobs that started and ended in each;
    running jobs have no end. milli_gpu_seconds: GPU time, of running jobs until the last event. with_*: jobs, or GPU
    time, with the field. For the others see DataQuality.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DataQuality:
    """Data quality over accepted jobs of the whole log. None: unknown.

    hours: from the first to the last event. busy_hours: hours with a start, an end or a running job.
    gaps: longest first, at most GAPS_KEPT, see GAP_RULE. shorter_gap_hours: of all others.
    with_id, with_name, with_user: jobs with this field. with_model, with_activity: milli-GPU-seconds of gpu_time with
    it. naive: jobs with times without a zone. zero_length: jobs that end when they start. long_running: jobs still
    running after two months. clock_skew: rows that end less than an hour before they start. read_shares: shares from a
    project file that has no counts. clusters: as written in the log; empty for older project files.
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
        """Hours of all gaps, including the shorter ones."""
        return sum(gap.hours for gap in self.gaps) + self.shorter_gap_hours

    @property
    def inputs(self) -> dict[str, float | None]:
        """Inputs of its shares, by the keys of QUALITY; shares from a file are included."""
        counts = {row.key: getattr(self, row.key) for row in QUALITY.figures if row.formula is None}
        return {**counts, **dict(self.read_shares)}

    @property
    def shares(self) -> dict[str, float | None]:
        """Shares by the keys of SHARES, 0..1; None without a whole."""
        row = QUALITY.row(self.inputs, SHARES)
        return {key: row[key] for key in SHARES}


def data_quality(facts: LogFacts) -> DataQuality | None:
    """Return the data quality of a log; None without jobs."""
    if not facts.jobs or not len(facts.hour):
        return None
    hours = int(facts.hour[-1] - facts.hour[0]) + 1
    gaps = log_gaps(facts.hour, facts.starts + facts.ends)

    def part(amount: float) -> float:
        """Cap a part at all GPU time, because the parts were added in another order."""
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
    """Return the hours with an event, and those between events with a running job. Shapes (n,), hours ascending.

    starts, ends: jobs that started and ended in each hour. Jobs without an end keep later hours busy until the last
    event.
    """
    running = np.cumsum(starts) - np.cumsum(ends)
    between = np.diff(hour) - 1
    return int(len(hour) + between[running[:-1] > 0].sum())


def log_gaps(hour: Ints, events: Ints) -> tuple[LogGap, ...]:
    """Return the gaps by GAP_RULE, longest first. They do not overlap and contain no event.

    hour: hours since 1970 with events, ascending, (n,). events: starts and ends in each, (n,).
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
    """Return periods of over a day without jobs, between busy hours, in order of time.

    is_busy: hours of the window with a job, (hours,).
    """
    busy = np.flatnonzero(is_busy)
    before = np.flatnonzero(np.diff(busy) > QUIET_HOURS_AT_LEAST)
    return tuple(
        LogGap(window.start_s + (first + 1) * HOUR_S, window.start_s + last * HOUR_S)
        for first, last in zip(busy[before].tolist(), busy[before + 1].tolist(), strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A field that part of a log does not have, its effect and the remedy.

    share: 0..1, of the jobs with the field, or of the GPU time where is_of_gpu_time.
    """

    field: Message
    share: float
    is_of_gpu_time: bool
    means: Message
    remedy: Message


WORTH_SAYING_BELOW: Final = 0.995
"""A field with at least this coverage is complete."""

SERIOUS_BELOW: Final = 0.9
"""Coverage below this needs a warning."""

ACTIVITY: Final = titles.ACTIVITY
"""Most logs have no activity; views that need it explain its absence."""

WHAT_GAPS_MEAN: Final = (
    (
        "gpu_model_coverage",
        True,
        worded("GPU model"),
        worded("others use GPUs left free by known models, at the price of the cluster's models"),
        worded("map the model's column, or choose the cluster's model"),
    ),
    (
        "name_coverage",
        False,
        worded("Job name"),
        worded("without one, jobs form a workload per user"),
        worded("export the job name, and map its column"),
    ),
    (
        "user_coverage",
        False,
        worded("User or account"),
        worded("no owner: teams are unknown"),
        worded("export user or account, and map its column"),
    ),
    (
        "id_coverage",
        False,
        worded("Job id"),
        worded("duplicate exports of jobs cannot be detected"),
        worded("export the job id, and map its column"),
    ),
    (
        "activity_coverage",
        True,
        ACTIVITY,
        worded("activity and useful spend are unknown"),
        worded("import activity with the log: dcgm-exporter, Prometheus or nvidia-smi"),
    ),
)
"""Field, whether its share refers to GPU time, its name, effect and remedy; the most expensive gap first."""


def quality_gaps(quality: DataQuality) -> tuple[Gap, ...]:
    """Return the fields that the log does not have for all jobs; fields of unknown coverage are left out."""
    gaps, shares = [], quality.shares
    for name, is_of_gpu_time, field, means, remedy in WHAT_GAPS_MEAN:
        share = shares[name]
        if share is not None and share < WORTH_SAYING_BELOW:
            gaps.append(
                Gap(field=field, share=share, is_of_gpu_time=is_of_gpu_time, means=means, remedy=remedy)
            )
    return tuple(gaps)


def as_findings(files: Sequence[Sequence[SuspiciousValue]]) -> tuple[SuspiciousValue, ...]:
    """Merge the suspicious values of several files by field and value, most rows first, ties by field and value.

    files: the values of each.
    """
    counts: dict[tuple[str, str], int] = {}
    for values in files:
        for value in values:
            key = (value.field, value.value)
            counts[key] = counts.get(key, 0) + value.count
    findings = [SuspiciousValue(*key, count) for key, count in counts.items()]
    return tuple(sorted(findings, key=lambda value: (-value.count, value.field, value.value)))


# --- Intake: kind of each file and the outcome of all its rows ------------------------------------

Facts = tuple[tuple[str, object], ...]
"""Facts about a file, by name; values are ready for JSON, unknown is None."""
BILLED: Final = "billed_by_kind"
"""Fact of a bill: $ by currency and kind."""
LEFT_OUT: Final = "billed_otherwise"
"""Fact of a bill: names of services without a kind."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A finding in a file. count: rows. first_row: line number; None: the whole file."""

    code: str
    count: int
    first_row: int | None
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedRow:
    """A rejected row: line number, code, message and text. cells: the text by column, where columns exist."""

    row: int
    code: str
    message: Message
    text: str = ""
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFigure:
    """A figure stated in a file, compared with the rows read.

    quantity: rows, gpus, usd_per_month, usd_per_year, usd_total, gpu_hours or elapsed_s. subject: `file`, `group` (the
    rows above a subtotal) or `row NUMBER`. currency: of both amounts. hours: of the month that it refers to.
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
    """Another reading of a file.

    mapping: as for --map without the kind of table. words: its meaning, as “Qty” counts GPUs. reconciliation: the
    figures stated in the file compared with this reading.
    """

    mapping: str
    words: Message
    reconciliation: tuple[StatedFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileIntake:
    """The outcome of reading a file. Law: rows_read == rows_accepted + rows_rejected + rows_duplicate + rows_ignored.

    kind: jobs, contracts, prices, ... format: the recognized dialect. sha256: of the file's bytes.
    rejected: the first 1,000 rejected rows at most; the counts are complete. columns: headings of their cells.
    noted: for each issue with accepted or ignored rows, the first of these rows as read.
    jobs_in_window: accepted jobs that touch the window; None where they were not counted by file.
    reconciliation: figures stated in the file, compared with the rows read. alternatives: readings that agree with
    them, best first.
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
COMPLETED: Final = "COMPLETED"
FAILED_STATES: Final = ("FAILED", "NODE_FAIL", OUT_OF_MEMORY, TIMEOUT)
"""States of failed work (docs/formulas/leaks.md), except TIMEOUT of inference and of runs that started again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestJob:
    """The job with the most GPU time of a workload and GPU model (None: unknown) in the window; ties by id.

    key: of the workload. milli_gpus: thousandths of a GPU. start_s, end_s: epoch seconds within the window.
    """

    key: str
    gpu_model: str | None
    job_id: str
    milli_gpus: int
    start_s: int
    end_s: int

    @property
    def milli_gpu_seconds(self) -> int:
        """GPU time in milli-GPU-seconds."""
        return self.milli_gpus * (self.end_s - self.start_s)

    def hourly(self, window: Window) -> Ints:
        """Return the milli-GPU-seconds in each hour of the window, (hours,)."""
        begins_s = window.start_s + HOUR_S * np.arange(window.hours, dtype=np.int64)
        inside = np.minimum(self.end_s, begins_s + HOUR_S) - np.maximum(self.start_s, begins_s)
        return np.asarray(self.milli_gpus * np.maximum(inside, 0), dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRun(LargestJob):
    """A whole job, not cut to the window. state: as in the scheduler's log; "" if not logged."""

    state: str = ""

    @property
    def hours(self) -> float:
        """Hours from start to end."""
        return (self.end_s - self.start_s) / HOUR_S


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFacts:
    """Sums over accepted jobs in the window; see the `jobs` object of the JSON.

    milli_gpu_seconds: thousandths of a GPU-second. peak_milli_gpus: exact maximum of concurrent GPUs, in thousandths.
    first_start_s, last_end_s: epoch seconds, within the window.
    models_written, queues: GPU models, and queues or partitions, as written in the log, with cluster and
    milli-GPU-seconds, sorted. largest: by workload and GPU model, most GPU time first; empty in older project files.
    gaps: periods without jobs, see `quiet_gaps`; None in older project files. restart_delays_s: ascending, from the end
    of a failed run to the next start of the same job. runs: finished runs of ten minutes or more, and those that ran
    out of memory, by start, of the workloads with the most GPU time; empty in older project files. billed: what bills
    state of use and cost of the jobs; empty without bills and in older project files.
    """

    count: int = 0
    gpu_jobs: int = 0
    milli_gpu_seconds: int = 0
    peak_milli_gpus: int = 0
    first_start_s: int | None = None
    last_end_s: int | None = None
    clipped: int = 0
    rows_sha256: str = ""  # of the Parquet file with the job rows; empty without one
    quality: DataQuality | None = None  # of the whole log, not only of the window
    idle_gaps: IdleGaps | None = None  # of the window; None: unknown, or too large for a project file
    models_written: tuple[tuple[str, str, int], ...] = ()
    queues: tuple[tuple[str, str, int], ...] = ()
    largest: tuple[LargestJob, ...] = ()
    gaps: tuple[LogGap, ...] | None = None
    restart_delays_s: tuple[int, ...] = ()
    runs: tuple[LoggedRun, ...] = ()
    billed: tuple[BilledUse, ...] = ()

    def __post_init__(self) -> None:
        """Check the hash. Errors: ValueError for other text, so that a received project cannot name another file."""
        if not lazy_re("([0-9a-f]{64})?").fullmatch(self.rows_sha256):
            raise ValueError(f"rows_sha256 is {self.rows_sha256!r:.80}, not 64 hexadecimal digits")

    @property
    def gpu_hours(self) -> float:
        """GPU-hours of jobs within the window."""
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


# --- Interruptions of spot nodes from files: the mean time between interruptions (docs/formulas/spot.md)

KIND: Final = "interruptions"
"""Kind of a file with observed interruptions."""

NODE_MTBF: Final = "spot_node_mtbf_hours"
NODE_HOURS, INTERRUPTIONS, BY_MODEL = "node_hours", "interruptions", "by_model"
"""Facts of such a file."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Observed spot nodes. node_hours: hours summed over nodes. interruptions: nodes taken away by the provider."""

    node_hours: float
    interruptions: int
    paths: tuple[str, ...] = ()
    by_model: tuple["ObservedModel", ...] = ()

    @property
    def mtbf_hours(self) -> float | None:
        """Hours of a node between two interruptions; None without an interruption, or out of the assumption's range."""
        if not self.interruptions:
            return None
        spec, hours = SPEC_BY_NAME[NODE_MTBF], self.node_hours / self.interruptions
        return hours if spec.low <= hours <= spec.high else None


@dataclass(frozen=True, slots=True)
class ObservedModel:
    """Observed spot nodes of one provider and GPU model."""

    provider: str
    gpu_model: str
    observed: Observed


def observed(intake: Iterable[FileIntake]) -> Observed | None:
    """Return the observations of all files of interruptions; None without one.

    Files without node-hours are left out. node_hours and interruptions cover rows without provider and GPU model; the
    other rows are in by_model, sorted.
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
    """Add the node-hours and interruptions of several facts."""
    return Observed(
        fsum(float(str(fact[NODE_HOURS])) for fact in facts),
        sum(int(str(fact[INTERRUPTIONS])) for fact in facts),
    )


NodeTimes = Mapping[tuple[str, str], float]
"""Hours between two interruptions of a spot node, by provider and GPU model in case-folded letters."""


def node_times(intake: Iterable[FileIntake]) -> NodeTimes:
    """Return the observed hours between interruptions by provider and GPU model; empty without a file of them."""
    log = observed(intake)
    return {
        (row.provider.casefold(), row.gpu_model.casefold()): hours
        for row in (log.by_model if log else ())
        if (hours := row.observed.mtbf_hours) is not None
    }


def with_observed(assumptions: Assumptions, intake: Iterable[FileIntake]) -> Assumptions:
    """Return the assumptions with observed values; themselves if no value was observed.

    Only the mean time between interruptions of a spot node is observed.
    """
    log = observed(intake)
    hours = None if log is None else log.mtbf_hours
    return assumptions if hours is None else assumptions.with_values({NODE_MTBF: hours})


def source_words(name: str, value: object, intake: Iterable[FileIntake]) -> Message | None:
    """Return the source of an assumption's observed value; None if no file has it.

    value: in force; a value set by the user was not observed.
    """
    log = observed(intake) if name == NODE_MTBF else None
    if log is None or log.mtbf_hours is None or value != log.mtbf_hours:
        return None
    return worded(
        "observed: {hours} node-hours ÷ {interruptions} interruptions, {files}",
        hours=whole(log.node_hours),
        interruptions=whole(log.interruptions),
        files=", ".join(path.replace("\\", "/").rsplit("/", 1)[-1] for path in log.paths),
    )


# --- Rows of sent RFQs in the files that returned, answered or not --------------------------------

FACT: Final = "asked"
"""Name of the fact with the RFQ rows of a returned file."""
QUOTED: Final = "quoted"
NO_BID: Final = "no bid"
UNANSWERED: Final = "none"
UNREAD: Final = "not read"
"""Outcomes of an RFQ row in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRow:
    """An RFQ row in a returned file. name: O1, O2, … as its order; R1, R2, … of old. line: its line in the file.

    term_months, term_days: as for AskedRow, both 0 if unreadable. start, quoted_on: ISO dates; None: not stated.
    region, interconnect: as requested; empty and None for any. gpus, bare_metal, memory_gb: as requested; gpus is None
    where the three are not stated. is_soonest: start is the earliest date that the RFQ allows, not the plan's date.
    reply_by, orders_from: ISO dates of the RFQ: last day for a reply, first day for orders; None: not stated.
    answer: QUOTED, NO_BID, UNANSWERED or UNREAD. vendor: sender of the file; "" if not stated.
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
        """Number of the row in the RFQ."""
        return int(self.name[1:])

    @property
    def fact(self) -> dict[str, object]:
        """The row as a fact of its file. Law: `sent_in` reads it back."""
        return asdict(self)


def sent_in(file: FileIntake) -> tuple[SentRow, ...]:
    """Return the RFQ rows of a file, in order; empty for a file that is no answer, or has an invalid fact."""
    rows: Any = dict(file.facts).get(FACT, ())
    return tuple(SentRow(**row) for row in rows if isinstance(row, dict) and _NEEDED <= row.keys() <= _NAMES)


_NAMES: Final = {field.name for field in fields(SentRow)}
_NEEDED: Final = {field.name for field in fields(SentRow) if field.default is MISSING}


_ISSUED: Final = lazy_re(r"RFQ-(\d{4})(\d\d)(\d\d)-")


def issued_on(reference: str) -> str | None:
    """Return the ISO date in an RFQ reference; None without one."""
    match = _ISSUED.match(reference)
    day = "" if match is None else "-".join(match.groups())
    return day if is_day(day) else None


@dataclass(frozen=True, slots=True)
class RequestDays:
    """The dates of an RFQ, epoch seconds at 00:00 UTC; orders wait for the replies and the decision.

    today_s: date of the RFQ. reply_by_s: last day for a reply. decide_s: seconds from there to the first order.
    """

    today_s: int
    reply_by_s: int
    decide_s: int

    @property
    def orders_from_s(self) -> int:
        """First day for orders, epoch seconds."""
        return self.reply_by_s + self.decide_s

    @property
    def soonest_s(self) -> int:
        """First day for orders that cannot wait, epoch seconds; vendors have at least LEAST_REPLY_S to reply."""
        return min(self.reply_by_s, self.today_s + LEAST_REPLY_S) + self.decide_s


LEAST_REPLY_S: Final = 3 * DAY_S


def days_answered(intake: Iterable[FileIntake]) -> RequestDays | None:
    """Return the dates of the newest returned RFQ, filled in or not; None if no file states them."""
    sent = {(row.reference, row.reply_by, row.orders_from) for file in intake for row in sent_in(file)}
    requests = []
    for reference, reply_by, orders_from in sent:
        texts = issued_on(reference) or "", reply_by or "", orders_from or ""
        if all(map(is_day, texts)) and texts == tuple(sorted(texts)):
            issued_s, reply_s, from_s = map(instant_s, texts)
            requests.append(RequestDays(issued_s, reply_s, from_s - reply_s))
    return max(requests, key=lambda days: (days.today_s, days.orders_from_s), default=None)


RowKey = tuple[str, str, str]
"""Vendor, reference and row name, case-folded."""


def row_key(vendor: str, reference: str, name: str) -> RowKey:
    """Return one key for names that differ only in case or spaces."""
    return " ".join(vendor.casefold().split()), reference.casefold(), name.casefold()


def taken_back(intake: Sequence[FileIntake]) -> frozenset[RowKey]:
    """Return the rows whose latest answer by the vendor is no bid, even if an earlier file has a quote.

    intake: in order of import. The latest date of a quote counts; if a date is missing or equal, the file imported
    last. Source: docs/formats/rfq.md, Answers.
    """
    last = _last_answers(intake, (QUOTED, NO_BID))
    return frozenset(key for key, row in last.items() if row.answer == NO_BID)


def unread_answers(intake: Sequence[FileIntake]) -> tuple[SentRow, ...]:
    """Return the rows whose latest answer has an unreadable cell, so that it is no offer; see `taken_back`."""
    last = _last_answers(intake, (QUOTED, NO_BID, UNREAD))
    return tuple(row for row in last.values() if row.answer == UNREAD)


def _last_answers(intake: Sequence[FileIntake], kinds: Sequence[str]) -> dict[RowKey, SentRow]:
    """Return the latest answer to each row among answers of these kinds."""
    answers: dict[RowKey, list[SentRow]] = {}
    for file in intake:
        for row in sent_in(file):
            if row.answer in kinds:
                answers.setdefault(row_key(row.vendor, row.reference, row.name), []).append(row)
    return {key: _last(rows) for key, rows in answers.items()}


def _last(rows: Sequence[SentRow]) -> SentRow:
    """Return the latest of the answers to one row, given in order of import."""
    is_told = all(row.quoted_on for row in rows)
    return max(enumerate(rows), key=lambda entry: (entry[1].quoted_on or "" if is_told else "", entry[0]))[1]
