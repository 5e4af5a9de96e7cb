"""Classification: what each workload is, how sure that is, and why. Override > label > own rules > rules > score."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.own_rules import RuleHit, deciding_hits
from gpuplanner.domain.demand.shape import shape_signals
from gpuplanner.domain.demand.words import WordHit, word_hits
from gpuplanner.domain.figures.typed import Written, decimals, percent, significant, whole
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.tables import ClassRule, ScoreRow, Tables

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

    Source: docs/formulas.md, Classes; rules and points are rows of resources/class_rules.csv and class_scores.csv.
    """
    scores = _scores(workloads, cube, tables.score_rows)
    hits = word_hits(workloads, tables.class_rules, tables.pod_rules)
    own = deciding_hits(workloads, own_rules)
    said = np.array([word_points(some, tables.context_rule_ids) for some in hits]).reshape(-1, len(POOLS))
    shape = _shape_beside_words(scores.points, hits)
    shares, fits = _shares(said + shape), _shares(shape)
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
    workload: Workload,
    override: Pool | None,
    own: RuleHit | None,
    hits: tuple[WordHit, ...],
    fit: _Fit,
) -> Classification:
    """One workload: what somebody said decides; else words; else shape alone, which is never surer than
    SCORE_CEILING.
    """
    fits, share = dict(zip(POOLS, fit.by_shape, strict=True)), dict(zip(POOLS, fit.by_all, strict=True))
    best, second = sorted(POOLS, key=lambda pool: -share[pool])[:2]
    said = override or workload.label or (own.rule.pool if own else None)
    if said is not None:
        other = best if best is not said else second
        source, why, confidence, subtype = _decided_by(override, workload.label, own)
        words = [
            hit.reason if hit.rule.pool is said else worded("but {reason}", reason=hit.reason) for hit in hits
        ]
        reasons = _strongest([why, *words, *fit.reasons(said)], said, fits[said])
        return Classification(said, subtype or _subtype(said, hits, fit), confidence, reasons, other, source)
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
        return "override", worded("the planner said so"), 1.0, ""
    if label is not None or own is None:
        return "label", worded("the import says so"), 1.0, ""
    return "own_rule", own.reason, own.rule.confidence, own.rule.subtype


def word_points(hits: Sequence[WordHit], contexts: Collection[str] = ()) -> list[float]:
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
    mine = [hit.rule for hit in hits if hit.rule.pool is pool]
    named = [rule.subtype for rule in mine if rule.field == "name"] or [rule.subtype for rule in mine]
    return named[0] if named else fit.subtype(pool)


def _strongest(reasons: Sequence[Message], pool: Pool, share: float) -> tuple[Message, ...]:
    """Three reasons; where fewer rows matched, what the shape as a whole says, and that it is all there is."""
    padded = [
        *reasons,
        worded("its jobs and hours alone fit {pool} {share}", pool=pool, share=percent(share)),
        worded("nothing in the log says otherwise"),
    ]
    return tuple(padded[:REASONS_SHOWN])
