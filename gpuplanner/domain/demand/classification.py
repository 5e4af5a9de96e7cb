"""Classification: the shape of each workload, what it is by rules and score, how sure that is, and why."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.demand.own_rules import RuleHit, WordHit, deciding_hits, word_hits
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, floats
from gpuplanner.domain.figures.typed import Written, decimals, percent, significant, whole
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool, ScoreRow, Tables
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.lazy_dataclass import dataclass

# --- What a workload was found to be, and how sure we are ----------------------------------------


@dataclass(frozen=True, slots=True)
class Classification:
    """Class of one workload. confidence 0..1; reasons: the three strongest, in words; source says what decided.

    subtype: what such work is called, may be empty. runner_up: the next likeliest class; None where nothing
    was weighed. source: one of override, label, own_rule, rule, score, planned.
    Source: docs/formulas/classes.md.
    """

    pool: Pool
    subtype: Text
    confidence: float
    reasons: tuple[Text, ...]
    runner_up: Pool | None
    source: str  # override | label | own_rule | rule | score | planned

    @property
    def is_settled(self) -> bool:
        """Said by the planner, for this workload or by a rule, or by the import: never in review."""
        return self.source in ("override", "label", "own_rule", "planned")


# --- Shape of each workload: what its hours and its jobs look like, as numbers that the score table reads

HOURS_PER_DAY = 24
DAYS_PER_WEEK = 7
ALWAYS_ON = 0.9
"""From this duty cycle on, flatness and daily wave say something about how a workload is held."""
MOSTLY_ON = 0.8
"""From this duty cycle on, how long it runs without a pause says something."""
WEEKS_TO_RECUR = 4
"""Fewer active weeks than this cannot show a weekly pattern."""
DAYS_TO_RECUR = 12
"""Fewer active days than this cannot show a daily one: chance alone would."""
MANY_NODES = 4
"""Services seldom span so many: a job of weeks on them is a run that did not stop."""
LONG_RUN_S = 3 * 3600
"""Jobs of this length or longer are runs; what their size or activity says is not true of short ones."""
WORKDAY_S = (8 * 3600, 16 * 3600)
"""Jobs of such a length that also swing with the day are there while people work."""
SWINGS_DAILY = (0.3, 0.85)
"""Daily peaks between these follow the day; beyond, it is always the same few hours."""
RESTS = 0.1
"""With less than this share of its GPU time in the quietest two days, a workload keeps the working week."""


def shape_signals(workloads: Sequence[Workload], cube: Cube) -> Mapping[str, Floats]:
    """One number per workload and signal; NaN where it is unknown, so that no row of the score table matches.

    Shapes: each (workloads,). Of all jobs: their median length, largest size, number a week, failures, activity. A
    signal that starts with `long_run` is known where the median job lasts LONG_RUN_S or more, `short_jobs` where it
    lasts less; `always_on` from a duty cycle of ALWAYS_ON, `long_runs` below it and on one node; `workday_jobs` last
    about as long as people work, swing with the day, rest at weekends and are no `long_runs`; those of hours are in
    `_hourly_signals`.
    """
    count = len(workloads)
    by_hour = _hourly_signals(count, cube)
    jobs = np.array([workload.gpu_jobs for workload in workloads], dtype=np.float64)
    spent = np.array([workload.milli_gpu_seconds for workload in workloads], dtype=np.float64)
    failed = np.array([workload.failed_milli_gpu_seconds for workload in workloads], dtype=np.float64)
    median_s = _positive(np.array([workload.median_job_s for workload in workloads], dtype=np.float64))
    nodes = floats([workload.max_nodes for workload in workloads])
    gpus = _positive(np.array([workload.max_milli_gpus for workload in workloads]) / 1000)
    activity = floats([workload.activity for workload in workloads])
    has_a_week = cube.hours >= HOURS_OF_WEEK  # less says nothing about a week
    jobs_per_week = _positive(jobs * HOURS_OF_WEEK / cube.hours) if has_a_week else np.full(count, np.nan)
    is_long, is_short = median_s >= LONG_RUN_S, median_s < LONG_RUN_S
    is_always_on = by_hour["duty_cycle"] >= ALWAYS_ON
    peak = by_hour["part_time_daily_peak"]
    follows_days = (peak >= SWINGS_DAILY[0]) & (peak < SWINGS_DAILY[1])
    rests = by_hour["quiet_days"] < RESTS
    is_a_workday = follows_days & rests & (median_s >= WORKDAY_S[0]) & (median_s < WORKDAY_S[1])
    is_a_list = is_long & ~is_always_on & ~is_a_workday & ~(nodes >= 2)  # its pieces fit a machine
    at_once = _ratio(by_hour.pop("mean_gpus_when_active"), gpus)
    return {
        **by_hour,
        "largest_job_nodes": nodes,
        "largest_job_gpus": gpus,
        "long_run_nodes": _where(is_long, nodes),
        "long_run_gpus": _where(is_long, gpus),
        "median_job_hours": median_s / 3600,
        "median_job_minutes": median_s / 60,
        "median_hours_on_few_nodes": _where(~(nodes >= MANY_NODES), median_s / 3600),
        "jobs_per_week": jobs_per_week,
        "short_jobs_per_week": _where(is_short, jobs_per_week),
        "long_runs_per_week": _where(is_a_list, jobs_per_week),
        "workday_jobs_per_week": _where(is_a_workday, jobs_per_week),
        "always_on_jobs_at_once": _where(is_always_on, at_once),
        "activity": activity,
        "always_on_activity": _where(is_always_on, activity),
        "long_run_activity": _where(is_long & ~is_always_on, activity),
        "mostly_on_stretch_hours": _where(is_long, by_hour["mostly_on_stretch_hours"]),
        "short_jobs_activity": _where(is_short & ~is_always_on, activity),
        "failed_share": _ratio(failed, spent),
    }


def _hourly_signals(count: int, cube: Cube) -> dict[str, Floats]:
    """The signals that come from the cube. Amounts of one hour in two GPU models count as two entries there.

    duty_cycle: share of the window's hours with GPU time; a window under a week says nothing of it. always_on_flatness
    and part_time_flatness: mean² / mean of squares of the active hours (1 is flat). always_on_daily_wave: amplitude of
    the 24 h harmonic relative to the mean. part_time_daily_peak: half of that for what runs less (1: always at the same
    hour), from DAYS_TO_RECUR days on. mostly_on_stretch_hours: mean length of unbroken use. weekly_recurrence: share
    of GPU time in the busiest 24 of 168 hours of the week. quiet_days: share in the quietest 48 of them in a row.
    """
    rows = cube.workload_index
    lengths = np.diff(cube.offsets)
    amount = cube.milli_gpu_seconds.astype(np.float64)
    active = np.minimum(_by_workload(rows, lengths, count), cube.hours)
    total = _by_workload(rows, cube.row_totals, count)
    squares = _by_workload(rows, _row_sums(amount * amount, cube), count)
    clock = np.arange(cube.hours)  # looked up: to divide every entry's hour takes several times as long
    slot = np.repeat(rows * HOURS_OF_WEEK, lengths)
    slot += (clock % HOURS_OF_WEEK)[cube.hour]  # workload x 168 + hour of the week
    week = np.bincount(slot, weights=amount, minlength=count * HOURS_OF_WEEK).astype(np.float64)
    week = week.reshape(count, HOURS_OF_WEEK)
    day = week.reshape(count, DAYS_PER_WEEK, HOURS_PER_DAY).sum(axis=1)
    turn = np.exp(2j * np.pi * np.arange(HOURS_PER_DAY) / HOURS_PER_DAY)
    harmonic = np.abs(day @ turn)
    duty_cycle = active / cube.hours if cube.hours >= HOURS_OF_WEEK else np.full(count, np.nan)
    always_on = duty_cycle >= ALWAYS_ON
    busiest = np.partition(week, -HOURS_PER_DAY, axis=1)[:, -HOURS_PER_DAY:].sum(axis=1)
    days, weeks = _active_days_and_weeks(count, cube, lengths)
    recurs = weeks >= WEEKS_TO_RECUR
    flatness = _ratio(total * total, active * squares)
    stretch_hours = _ratio(active, _stretches(count, cube))
    return {
        "duty_cycle": _positive(duty_cycle),
        "mean_gpus_when_active": _ratio(total, active * MILLI_GPU_SECONDS_PER_GPU_HOUR),
        "always_on_flatness": _where(always_on, flatness),
        "part_time_flatness": _where(~always_on, flatness),
        "always_on_daily_wave": _where(always_on, _ratio(2 * harmonic, total)),
        "part_time_daily_peak": _where(~always_on & (days >= DAYS_TO_RECUR), _ratio(harmonic, total)),
        "mostly_on_stretch_hours": _where(duty_cycle >= MOSTLY_ON, stretch_hours),
        "weekly_recurrence": _where(recurs, _ratio(busiest, total)),
        "quiet_days": _where(recurs & (days >= DAYS_TO_RECUR), _ratio(_quietest_48_hours(week), total)),
    }


def _stretches(count: int, cube: Cube) -> Floats:
    """How often each workload began to use GPUs after an hour without; shape (workloads,)."""
    begins = np.ones(len(cube.hour), dtype=np.int64)
    begins[1:] = np.diff(cube.hour) != 1
    begins[cube.offsets[:-1]] = 1
    return _by_workload(cube.workload_index, _row_sums(begins, cube), count)


def _quietest_48_hours(week: Floats) -> Floats:
    """GPU time in the 48 hours of the week, in a row, that have least; shapes (workloads, 168) -> (workloads,)."""
    twice = np.concatenate((np.zeros((len(week), 1)), week, week[:, :48]), axis=1).cumsum(axis=1)
    return np.asarray((twice[:, 48:] - twice[:, :-48]).min(axis=1).clip(0))


def _by_workload(rows: Ints, amount: Floats | Ints, count: int) -> Floats:
    """Sum of the rows of each workload; shape (workloads,)."""
    return np.asarray(np.bincount(rows, weights=amount, minlength=count), dtype=np.float64)


def _row_sums(amount: Floats | Ints, cube: Cube) -> Floats:
    """Sum of each row's entries; no row of a cube is empty."""
    return np.add.reduceat(amount, cube.offsets[:-1]).astype(np.float64) if len(amount) else np.zeros(0)


def _active_days_and_weeks(count: int, cube: Cube, lengths: Ints) -> tuple[Ints, Ints]:
    """Days and weeks of the window in which each workload had GPU time; shapes (workloads,)."""
    weeks = cube.hours // HOURS_OF_WEEK + 1
    days = weeks * DAYS_PER_WEEK
    place = np.repeat(cube.workload_index * days, lengths)
    place += (np.arange(cube.hours) // HOURS_PER_DAY)[cube.hour]
    seen = np.zeros(count * days, dtype=bool)
    seen[place] = True
    by_week = seen.reshape(count, weeks, DAYS_PER_WEEK)
    return by_week.sum(axis=(1, 2)), by_week.any(axis=2).sum(axis=1)


def _where(holds: npt.NDArray[np.bool_], values: Floats) -> Floats:
    """The values where something holds, NaN elsewhere."""
    return np.where(holds, values, np.nan)


def _positive(values: npt.NDArray[np.float64]) -> Floats:
    """Values above 0, NaN elsewhere: a count of 0 is one that nobody knows."""
    return np.where(values > 0, values, np.nan)


def _ratio(part: Floats, whole: Floats) -> Floats:
    """part / whole, NaN where the whole is 0."""
    answer = np.full(len(part), np.nan)
    np.divide(part, whole, out=answer, where=whole > 0)
    return answer


# --- Classification: what each workload is, how sure that is, and why. Override > label > own rules > rules > score

REASONS_SHOWN: Final = 3
FURTHER_WORDS: Final = 0.25
"""What a second word of the same class adds, as a share of its points: words of one name are not independent."""
RUNS_LIKE_TRAINING: Final = frozenset(("simulation", "data pipeline", "rendering", "batch inference"))
SURE_WORD: Final = 0.85
DOUBT: Final = 0.35
"""What a word loses of its confidence where nothing in the shape supports its class; nothing where shape is even."""
WORD_CEILING: Final = 0.99
SCORE_CEILING: Final = 0.80
"""Shape alone, or with words less sure than this, is never surer."""

SUBTYPE_BY_SHAPE: Final = {
    Pool.TRAINING: worded("training run"),
    Pool.INFERENCE: worded("online inference"),
    Pool.BURST: worded("intermittent"),
}


def classify(
    workloads: Sequence[Workload],
    cube: Cube,
    labels: Mapping[str, Pool],
    tables: Tables,
    own_rules: Sequence[ClassRule] = (),
) -> tuple[Classification, ...]:
    """One classification per workload, in their order. labels: the planner's, by workload key; own_rules: too.

    Source: docs/formulas/classes.md; rules and points are rows of resources/class_rules.csv and class_scores.csv.
    """
    scores = _scores(workloads, cube, tables.score_rows)
    hits = word_hits(workloads, tables.class_rules, tables.pod_rules)
    own = deciding_hits(workloads, own_rules)
    points = np.array([word_points(some, tables.context_rule_ids) for some in hits]).reshape(-1, len(POOLS))
    shape = _shape_beside_words(scores.points, hits)
    shares, fits = _shares(points + shape), _shares(shape)
    return tuple(
        _one(workload, labels.get(workload.key), own[place], hits[place], _Fit(scores, place, *row))
        for place, (workload, *row) in enumerate(zip(workloads, shares.tolist(), fits.tolist(), strict=True))
    )


VALUE_AS: Final[Mapping[str, Callable[[float], Written]]] = {
    "": whole,
    "whole": whole,
    "decimals": decimals,
    "percent": percent,
    "significant": significant,
}
"""How the value of a signal is written, by its column in the table; empty where no reason says it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """points by class, (workloads, classes); reasons(place, pool) reads the rows behind them."""

    points: Floats
    rows: tuple[ScoreRow, ...]
    matched: npt.NDArray[np.bool_]
    values: Floats

    def reasons(self, place: int, pool: Pool) -> list[Message]:
        """Rows of the class that matched, those of most points first; of equals the first of the table."""
        matched = [row for row in np.flatnonzero(self.matched[:, place]) if self.rows[row].pool is pool]
        matched.sort(key=lambda row: -self.rows[row].points)
        return [
            worded(
                self.rows[row].reason, value=VALUE_AS[self.rows[row].value_as](float(self.values[row, place]))
            )
            for row in matched
        ]

    def subtype(self, place: int, pool: Pool) -> str:
        """That of the first row of the class that matched and has one."""
        named = (row for row in np.flatnonzero(self.matched[:, place]) if self.rows[row].pool is pool)
        return next((self.rows[row].subtype for row in named if self.rows[row].subtype), "")


@dataclass(frozen=True, slots=True)
class _Fit:
    """How one workload fits each class, in the order of POOLS: by words and shape, and by shape alone."""

    scores: _Scores
    place: int
    by_all: list[float]
    by_shape: list[float]

    def reasons(self, pool: Pool) -> list[Message]:
        """What its shape says for a class, the weightiest first."""
        return self.scores.reasons(self.place, pool)

    def subtype(self, pool: Pool) -> Text:
        """What work of that class and shape is called."""
        return self.scores.subtype(self.place, pool) or SUBTYPE_BY_SHAPE[pool]


def _scores(workloads: Sequence[Workload], cube: Cube, rows: tuple[ScoreRow, ...]) -> _Scores:
    """What the shape of every workload gives to each class. A signal that is unknown (NaN) matches no row."""
    signals = shape_signals(workloads, cube)
    unknown = np.full(len(workloads), np.nan)
    values = (
        np.stack([signals.get(row.signal, unknown) for row in rows])
        if rows
        else np.zeros((0, len(workloads)))
    )
    low = np.array([row.low for row in rows]).reshape(-1, 1)
    high = np.array([row.high for row in rows]).reshape(-1, 1)
    matched = (values >= low) & (values < high)
    weight = np.array([[row.points * (row.pool is pool) for row in rows] for pool in POOLS]).reshape(
        len(POOLS), -1
    )
    return _Scores((weight @ matched).T, rows, matched, values)


def _one(
    workload: Workload, override: Pool | None, own: RuleHit | None, hits: tuple[WordHit, ...], fit: _Fit
) -> Classification:
    """One workload: what somebody said decides; else words; else shape alone, which is never surer than
    SCORE_CEILING.
    """
    fits, share = dict(zip(POOLS, fit.by_shape, strict=True)), dict(zip(POOLS, fit.by_all, strict=True))
    best, second = sorted(POOLS, key=lambda pool: -share[pool])[:2]
    stated = override or workload.label or (own.rule.pool if own else None)
    if stated is not None:
        other = best if best is not stated else second
        source, why, confidence, subtype = _decided_by(override, workload.label, own)
        words = [
            hit.reason if hit.rule.pool is stated else worded("but {reason}", reason=hit.reason)
            for hit in hits
        ]
        reasons = _strongest([why, *words, *fit.reasons(stated)], stated, fits[stated])
        return Classification(
            stated, subtype or _subtype(stated, hits, fit), confidence, reasons, other, source
        )
    by_shape = fit.reasons(best)
    if not hits:
        confidence = min(share[best], SCORE_CEILING)
        reasons = _strongest([*by_shape, worded("no known word in its name or queue")], best, fits[best])
        return Classification(best, _subtype(best, hits, fit), confidence, reasons, second, "score")
    agreeing = [hit.reason for hit in hits if hit.rule.pool is best]
    against = [worded("but {reason}", reason=hit.reason) for hit in hits if hit.rule.pool is not best][:1]
    like = max(POOLS, key=lambda pool: (fits[pool], pool is best))
    if not against and like is not best:
        against = [worded("but {reason}", reason=reason) for reason in fit.reasons(like)][:1]
    words = [*agreeing[: REASONS_SHOWN - len(against)], *against]
    reasons = _strongest([*words, *by_shape], best, fits[best])
    source = "rule" if agreeing else "score"
    surest = max((hit.rule.confidence for hit in hits if hit.rule.pool is best), default=0.0)
    ceiling = WORD_CEILING if surest >= SCORE_CEILING else SCORE_CEILING
    confidence = min(share[best], ceiling) * (1 - DOUBT * max(0.0, 1 - len(POOLS) * fits[best]))
    return Classification(best, _subtype(best, hits, fit), confidence, reasons, second, source)


def _decided_by(
    override: Pool | None, label: Pool | None, own: RuleHit | None
) -> tuple[str, Message, float, str]:
    """Who said what a workload is: source, reason, confidence, and the subtype where that was said too."""
    if override is not None:
        return "override", worded("set by you"), 1.0, ""
    if label is not None or own is None:
        return "label", worded("set at import"), 1.0, ""
    return "own_rule", own.reason, own.rule.confidence, own.rule.subtype


def word_points(hits: Sequence[WordHit], contexts: Collection[str]) -> list[float]:
    """Points that words give to each class, in the order of POOLS: the surest in full, each further one a quarter.

    A word that is right in a share p of names gives ln(2p / (1 - p)): alone, it makes its class p sure. What a job is
    about or made with counts a quarter where a sure word says that it does something else: models of the climate are
    trained, and vLLM is benchmarked. So does its queue or account: a benchmark in the queue for training is none.
    """
    points = dict.fromkeys(POOLS, 0.0)
    done = {
        hit.rule.pool
        for hit in hits
        if hit.rule.field == "name" and hit.rule.confidence >= SURE_WORD and hit.rule.rule_id not in contexts
    }
    for hit in hits:
        chance, pool = hit.rule.confidence, hit.rule.pool
        is_beside = hit.rule.rule_id in contexts or hit.rule.field != "name"
        is_outdone = is_beside and bool(done - {pool})
        share = FURTHER_WORDS if points[pool] or is_outdone else 1.0
        points[pool] += share * math.log(2 * chance / (1 - chance))
    return list(points.values())


def _shape_beside_words(points: Floats, hits: Sequence[tuple[WordHit, ...]]) -> Floats:
    """Points of shape, (workloads, classes), where words say what is done.

    Simulations and pipelines run as long and as wide as training: what their shape gives training it gives them too.
    """
    runs_long = [
        any(hit.rule.subtype in RUNS_LIKE_TRAINING and hit.rule.confidence >= SURE_WORD for hit in some)
        for some in hits
    ]
    burst, training = POOLS.index(Pool.BURST), POOLS.index(Pool.TRAINING)
    answer = points.copy()
    answer[runs_long, burst] = points[runs_long][:, [burst, training]].max(axis=1)
    return answer


def _shares(points: Floats) -> Floats:
    """Softmax of each row; shapes (workloads, classes). Rounded: the last bits depend on how many rows there are."""
    powers = np.exp(points - points.max(axis=1, keepdims=True, initial=0.0))
    return np.asarray(np.round(powers / powers.sum(axis=1, keepdims=True), 9))


def _subtype(pool: Pool, hits: tuple[WordHit, ...], fit: _Fit) -> Text:
    """That of the surest word of the name, else of another text; else what the shape of such jobs is called."""
    rules = [hit.rule for hit in hits if hit.rule.pool is pool]
    named = [rule.subtype for rule in rules if rule.field == "name"] or [rule.subtype for rule in rules]
    return named[0] if named else fit.subtype(pool)


def _strongest(reasons: Sequence[Message], pool: Pool, share: float) -> tuple[Message, ...]:
    """Three reasons; where fewer rows matched, what the shape as a whole says, and that it is all there is."""
    padded = [
        *reasons,
        worded("its jobs and hours fit {pool} {share}", pool=pool, share=percent(share)),
        worded("no other sign in the log"),
    ]
    return tuple(padded[:REASONS_SHOWN])
