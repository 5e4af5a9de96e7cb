"""Data quality: how much of what a plan stands on the log really says, and what in it looks wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.quality import QUALITY, SHARES
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.window import DAY_S, HOUR_S

GAP_HOURS_AT_LEAST: Final = 12
"""A shorter pause is a quiet night."""

BUSY_EVENTS_A_DAY: Final = 10
"""Starts and ends in the day before a gap, and in the day after it: else the pause is no surprise."""

RHYTHM_EVERY_WEEKS: Final = 2
"""Pauses nearly as long that come as often as this are nights and weekends, no gaps."""

ALIKE_PAUSE: Final = 0.75
RHYTHM_AT_LEAST: Final = 3
GAPS_KEPT: Final = 20
REPEATED_SHARE: Final = 0.2
"""A time that more of the rows have than this is no time but what stands for one."""

REPEATED_ROWS_AT_LEAST: Final = 20
LONG_RUNNING_S: Final = 60 * DAY_S
"""A job that is said to be still running after two months has most likely been lost sight of."""

GAP_RULE: Final = worded(
    "{gap_hours_at_least} hours and more without a start or end of a job, with at least "
    "{busy_events_a_day} of them in the day before and in the day after; pauses of that length "
    "that come at least every other week are left out",
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

    @property
    def gap_hours(self) -> int:
        """Hours of all gaps, also of those that are not kept one by one."""
        return sum(gap.hours for gap in self.gaps) + self.shorter_gap_hours

    @property
    def inputs(self) -> dict[str, float | None]:
        """What its shares are worked out from, by the keys of QUALITY; shares that were read are given."""
        counts = {one.key: getattr(self, one.key) for one in QUALITY.figures if one.formula is None}
        return {**counts, **dict(self.read_shares)}

    @property
    def shares(self) -> dict[str, float | None]:
        """Shares by the keys of SHARES, 0..1; None where there is nothing to take a share of."""
        found = QUALITY.row(self.inputs, SHARES)
        return {key: found[key] for key in SHARES}


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
    found = []
    for at in long:
        length = int(pauses[at])
        alike = len(lengths) - int(np.searchsorted(lengths, ALIKE_PAUSE * length))
        first = int(np.searchsorted(hour, hour[at] - 23))
        last = int(np.searchsorted(hour, hour[at + 1] + 24))
        before, after = so_far[at + 1] - so_far[first], so_far[last] - so_far[at + 1]
        if min(before, after) >= BUSY_EVENTS_A_DAY and alike < often:
            found.append(LogGap(int(hour[at] + 1) * HOUR_S, int(hour[at + 1]) * HOUR_S))
    return tuple(sorted(found, key=lambda gap: (gap.start_s - gap.end_s, gap.start_s)))


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
        worded("the rest is served by what known models leave over, and priced as the models of its cluster"),
        worded("map the column that has the model, or answer which model the cluster has"),
    ),
    (
        "name_coverage",
        False,
        worded("Job name"),
        worded("jobs without one are one workload for each user"),
        worded("export the job name, and map its column"),
    ),
    (
        "user_coverage",
        False,
        worded("User or account"),
        worded("nobody owns these workloads, and teams cannot be told apart"),
        worded("export user or account, and map its column"),
    ),
    (
        "id_coverage",
        False,
        worded("Job id"),
        worded("jobs that were exported twice cannot be told"),
        worded("export the job id, and map its column"),
    ),
    (
        "activity_coverage",
        True,
        ACTIVITY,
        worded("what GPUs did while they were held is unknown, and useful spend with it"),
        worded("import activity beside the log: dcgm-exporter, Prometheus or nvidia-smi"),
    ),
)
"""Field, whether its share is of GPU time, its name, what a gap means, and what to do; the most expensive gap first."""


def quality_gaps(quality: DataQuality) -> tuple[Gap, ...]:
    """Fields that part of the log, or all of it, does not have; what nobody can tell is left out."""
    found, shares = [], quality.shares
    for name, is_of_gpu_time, field, means, remedy in WHAT_GAPS_MEAN:
        share = shares[name]
        if share is not None and share < WORTH_SAYING_BELOW:
            found.append(Gap(field, share, is_of_gpu_time, means, remedy))
    return tuple(found)


def as_findings(files: Sequence[Sequence[SuspiciousValue]]) -> tuple[SuspiciousValue, ...]:
    """The same field and value of several files as one, most rows first.

    files: those of each. Ties by field, then value.
    """
    counts: dict[tuple[str, str], int] = {}
    for values in files:
        for value in values:
            key = (value.field, value.value)
            counts[key] = counts.get(key, 0) + value.count
    found = [SuspiciousValue(*key, count) for key, count in counts.items()]
    return tuple(sorted(found, key=lambda value: (-value.count, value.field, value.value)))
