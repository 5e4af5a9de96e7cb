"""Classification of workloads: signals from their hours and jobs, class by rules and score, confidence and reasons."""

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

# --- Result: the class of a workload and its confidence -------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """The class of a workload. confidence: 0..1. reasons: the three strongest, in words. source: the deciding input.

    subtype: name for such work, may be empty. runner_up: second likeliest class; None without a score.
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
        """Whether the user, a user's rule or the import decided it, so that it needs no review."""
        return self.source in ("override", "label", "own_rule", "planned")


# --- Signals of each workload: numbers from its hours and jobs for the score table ----------------

HOURS_PER_DAY = 24
DAYS_PER_WEEK = 7
ALWAYS_ON = 0.9
"""Duty cycle from which flatness and daily wave are meaningful."""
MOSTLY_ON = 0.8
"""Duty cycle from which the length of unbroken use is meaningful."""
WEEKS_TO_RECUR = 4
"""Fewest active weeks for a weekly pattern."""
DAYS_TO_RECUR = 12
"""Fewest active days for a daily pattern; fewer match by chance."""
MANY_NODES = 4
"""Services rarely span so many; a job of weeks on them is a training run."""
LONG_RUN_S = 3 * 3600
"""Jobs of at least this length are runs; conclusions from their size or activity do not apply to short ones."""
WORKDAY_S = (8 * 3600, 16 * 3600)
"""Jobs of this length that also follow the day run during working hours."""
SWINGS_DAILY = (0.3, 0.85)
"""Daily peaks in this range follow the day; above it, use is always in the same few hours."""
RESTS = 0.1
"""Below this share of GPU time in its quietest two days, a workload follows the working week."""


def shape_signals(workloads: Sequence[Workload], cube: Cube) -> Mapping[str, Floats]:
    """Return one number per workload and signal; NaN where unknown, so that no row of the score table matches.

    Shapes: each (workloads,). Of all jobs: median length, largest size, jobs per week, failures, activity. Signals that
    start with `long_run` are known if the median job lasts at least LONG_RUN_S, `short_jobs` if less; `always_on` from
    a duty cycle of ALWAYS_ON, `long_runs` below it and on one node. `workday_jobs` last a working day, follow the day,
    rest at weekends and are not in `long_runs`. For signals by hour see `_hourly_signals`.
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
    has_a_week = cube.hours >= HOURS_OF_WEEK  # shorter logs show no week
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
    """Return the signals from the cube. An hour with two GPU models counts as two entries.

    duty_cycle: share of the window's hours with GPU time; NaN for a window under a week. always_on_flatness,
    part_time_flatness: mean² / mean of squares over active hours (1 is flat). always_on_daily_wave: amplitude of the 24
    h harmonic relative to the mean. part_time_daily_peak: half of that for part-time use (1: always the same hour),
    from DAYS_TO_RECUR days on. mostly_on_stretch_hours: mean length of unbroken use. weekly_recurrence: share of GPU
    time in the busiest 24 of 168 hours of the week. quiet_days: share in the quietest 48 consecutive hours.
    """
    rows = cube.workload_index
    lengths = np.diff(cube.offsets)
    amount = cube.milli_gpu_seconds.astype(np.float64)
    active = np.minimum(_by_workload(rows, lengths, count), cube.hours)
    total = _by_workload(rows, cube.row_totals, count)
    squares = _by_workload(rows, _row_sums(amount * amount, cube), count)
    clock = np.arange(cube.hours)  # a lookup, because dividing every entry's hour takes several times as long
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
    """Return how often each workload started to use GPUs after an hour without; shape (workloads,)."""
    begins = np.ones(len(cube.hour), dtype=np.int64)
    begins[1:] = np.diff(cube.hour) != 1
    begins[cube.offsets[:-1]] = 1
    return _by_workload(cube.workload_index, _row_sums(begins, cube), count)


def _quietest_48_hours(week: Floats) -> Floats:
    """Return the least GPU time in 48 consecutive hours of the week; shapes (workloads, 168) -> (workloads,)."""
    twice = np.concatenate((np.zeros((len(week), 1)), week, week[:, :48]), axis=1).cumsum(axis=1)
    return np.asarray((twice[:, 48:] - twice[:, :-48]).min(axis=1).clip(0))


def _by_workload(rows: Ints, amount: Floats | Ints, count: int) -> Floats:
    """Return the sum of each workload's rows; shape (workloads,)."""
    return np.asarray(np.bincount(rows, weights=amount, minlength=count), dtype=np.float64)


def _row_sums(amount: Floats | Ints, cube: Cube) -> Floats:
    """Return the sum of each row's entries; a cube has no empty row."""
    return np.add.reduceat(amount, cube.offsets[:-1]).astype(np.float64) if len(amount) else np.zeros(0)


def _active_days_and_weeks(count: int, cube: Cube, lengths: Ints) -> tuple[Ints, Ints]:
    """Return the number of days and weeks with GPU time of each workload; shapes (workloads,)."""
    weeks = cube.hours // HOURS_OF_WEEK + 1
    days = weeks * DAYS_PER_WEEK
    place = np.repeat(cube.workload_index * days, lengths)
    place += (np.arange(cube.hours) // HOURS_PER_DAY)[cube.hour]
    seen = np.zeros(count * days, dtype=bool)
    seen[place] = True
    by_week = seen.reshape(count, weeks, DAYS_PER_WEEK)
    return by_week.sum(axis=(1, 2)), by_week.any(axis=2).sum(axis=1)


def _where(holds: npt.NDArray[np.bool_], values: Floats) -> Floats:
    """Return the values where a condition is true, NaN elsewhere."""
    return np.where(holds, values, np.nan)


def _positive(values: npt.NDArray[np.float64]) -> Floats:
    """Return values above 0, NaN elsewhere, because a count of 0 is unknown."""
    return np.where(values > 0, values, np.nan)


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Return part / whole, NaN where the whole is 0."""
    answer = np.full(len(part), np.nan)
    np.divide(part, whole, out=answer, where=whole > 0)
    return answer


# --- Classification: class, confidence and reasons. Override > label > own rules > rules > score

REASONS_SHOWN: Final = 3
FURTHER_WORDS: Final = 0.25
"""Weight of a second word of the same class, because words of one name are not independent."""
RUNS_LIKE_TRAINING: Final = frozenset(("simulation", "data pipeline", "rendering", "batch inference"))
SURE_WORD: Final = 0.85
DOUBT: Final = 0.35
"""Largest loss of a word's confidence if the shape does not support its class; no loss if the shape is neutral."""
WORD_CEILING: Final = 0.99
SCORE_CEILING: Final = 0.80
"""Largest confidence from shape alone, or with words less sure than this."""

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
    """Return one classification per workload, in order. labels: the user's, by workload key. own_rules: the user's.

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
"""Number format of a signal's value by its column in the table; empty where no reason shows it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """Scores by class: points (workloads, classes); matched (rows, workloads), values (rows, workloads)."""

    points: Floats
    rows: tuple[ScoreRow, ...]
    matched: npt.NDArray[np.bool_]
    values: Floats

    def reasons(self, place: int, pool: Pool) -> list[Message]:
        """Return the reasons of matching rows of a class, most points first; ties in table order."""
        matched = [row for row in np.flatnonzero(self.matched[:, place]) if self.rows[row].pool is pool]
        matched.sort(key=lambda row: -self.rows[row].points)
        return [
            worded(
                self.rows[row].reason, value=VALUE_AS[self.rows[row].value_as](float(self.values[row, place]))
            )
            for row in matched
        ]

    def subtype(self, place: int, pool: Pool) -> str:
        """Return the subtype of the first matching row of the class with one; "" without one."""
        named = (row for row in np.flatnonzero(self.matched[:, place]) if self.rows[row].pool is pool)
        return next((self.rows[row].subtype for row in named if self.rows[row].subtype), "")


@dataclass(frozen=True, slots=True)
class _Fit:
    """Fit of a workload to each class, in the order of POOLS: by words and shape, and by shape alone."""

    scores: _Scores
    place: int
    by_all: list[float]
    by_shape: list[float]

    def reasons(self, pool: Pool) -> list[Message]:
        """Return the reasons for a class from the shape, strongest first."""
        return self.scores.reasons(self.place, pool)

    def subtype(self, pool: Pool) -> Text:
        """Return the name for work of this class and shape."""
        return self.scores.subtype(self.place, pool) or SUBTYPE_BY_SHAPE[pool]


def _scores(workloads: Sequence[Workload], cube: Cube, rows: tuple[ScoreRow, ...]) -> _Scores:
    """Return the points of each class from the shape of every workload. An unknown signal (NaN) matches no row."""
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
    """Return the class of one workload: as stated, otherwise by words, otherwise by shape alone.

    Shape alone never exceeds SCORE_CEILING.
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
            pool=stated,
            subtype=subtype or _subtype(stated, hits, fit),
            confidence=confidence,
            reasons=reasons,
            runner_up=other,
            source=source,
        )
    by_shape = fit.reasons(best)
    if not hits:
        confidence = min(share[best], SCORE_CEILING)
        reasons = _strongest([*by_shape, worded("no known word in name or queue")], best, fits[best])
        return Classification(
            pool=best,
            subtype=_subtype(best, hits, fit),
            confidence=confidence,
            reasons=reasons,
            runner_up=second,
            source="score",
        )
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
    return Classification(
        pool=best,
        subtype=_subtype(best, hits, fit),
        confidence=confidence,
        reasons=reasons,
        runner_up=second,
        source=source,
    )


def _decided_by(
    override: Pool | None, label: Pool | None, own: RuleHit | None
) -> tuple[str, Message, float, str]:
    """Return who stated a class: source, reason, confidence, and the subtype if stated."""
    if override is not None:
        return "override", worded("set by you"), 1.0, ""
    if label is not None or own is None:
        return "label", worded("set at import"), 1.0, ""
    return "own_rule", own.reason, own.rule.confidence, own.rule.subtype


def word_points(hits: Sequence[WordHit], contexts: Collection[str]) -> list[float]:
    """Return the points of each class from words, in the order of POOLS: the surest in full, further ones a quarter.

    A word that is right in a share p of names gives ln(2p / (1 - p)): alone, it makes its class p sure. A word on a
    job's subject or tools, or in its queue or account, counts a quarter if a sure word in the name means another
    activity: a benchmark of vLLM, or in the training queue, is a benchmark.
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
    """Return the points of shape, (workloads, classes), for use with words.

    Simulations and pipelines run as long and as wide as training, so they also get the points that their shape gives to
    training.
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
    """Return the softmax of each row; shapes (workloads, classes).

    Rounded, because the last bits depend on the row count.
    """
    powers = np.exp(points - points.max(axis=1, keepdims=True, initial=0.0))
    return np.asarray(np.round(powers / powers.sum(axis=1, keepdims=True), 9))


def _subtype(pool: Pool, hits: tuple[WordHit, ...], fit: _Fit) -> Text:
    """Return the subtype: of the surest word in the name, otherwise in another text, otherwise of the shape."""
    rules = [hit.rule for hit in hits if hit.rule.pool is pool]
    named = [rule.subtype for rule in rules if rule.field == "name"] or [rule.subtype for rule in rules]
    return named[0] if named else fit.subtype(pool)


def _strongest(reasons: Sequence[Message], pool: Pool, share: float) -> tuple[Message, ...]:
    """Return three reasons; with fewer matching rows, the fit of the shape, and that there is no further sign."""
    padded = [
        *reasons,
        worded("its jobs and hours fit {pool} {share}", pool=pool, share=percent(share)),
        worded("no other sign in the log"),
    ]
    return tuple(padded[:REASONS_SHOWN])
