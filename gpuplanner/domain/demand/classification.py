"""Classification: what each workload is, how sure that is, and why. Override > label > own rules > rules > score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.own_rules import RuleHit, deciding_hits
from gpuplanner.domain.demand.shape import shape_signals
from gpuplanner.domain.demand.words import WordHit, word_hits
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.tables import ClassRule, ScoreRow, Tables
from gpuplanner.domain.model.workload import Workload

Floats = npt.NDArray[np.float64]

REASONS_SHOWN: Final = 3
CONTRADICTION: Final = 0.5
"""How much of its confidence a word loses to an equally sure word of another class."""
SHAPE_NUDGE: Final = 0.09
"""How far shape moves the confidence of a word, up when it agrees and half as far down when it does not."""
SCORE_CEILING: Final = 0.80
"""Shape alone is never surer than this."""

SUBTYPE_BY_SHAPE: Final = {
    Pool.TRAINING: "training run",
    Pool.INFERENCE: "service",
    Pool.BURST: "intermittent",
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
    hits = word_hits(workloads, tables.class_rules)
    own = deciding_hits(workloads, own_rules)
    return tuple(
        _one(workload, labels.get(workload.key), own[place], hits[place], scores, place)
        for place, workload in enumerate(workloads)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """share: softmax of the points by class, (workloads, classes); reasons(place, pool) reads the rows behind it."""

    share: Floats
    rows: tuple[ScoreRow, ...]
    matched: npt.NDArray[np.bool_]
    values: Floats

    def reasons(self, place: int, pool: Pool) -> list[str]:
        matched = [row for row in np.flatnonzero(self.matched[:, place]) if self.rows[row].pool is pool]
        matched.sort(key=lambda row: -self.rows[row].points)
        return [self.rows[row].reason.format(value=self.values[row, place]) for row in matched]


def _scores(workloads: Sequence[Workload], cube: Cube, rows: tuple[ScoreRow, ...]) -> _Scores:
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
    points = np.exp((weight @ matched).T)
    return _Scores(points / points.sum(axis=1, keepdims=True), rows, matched, values)


def _one(
    workload: Workload,
    override: Pool | None,
    own: RuleHit | None,
    hits: tuple[WordHit, ...],
    scores: _Scores,
    place: int,
) -> Classification:
    share = dict(zip(POOLS, scores.share[place].tolist(), strict=True))
    strength = {
        pool: max((hit.rule.confidence for hit in hits if hit.rule.pool is pool), default=0.0)
        for pool in POOLS
    }
    ranked = sorted(POOLS, key=lambda pool: (-strength[pool], -share[pool], POOLS.index(pool)))
    best, second = ranked[0], ranked[1]
    said = override or workload.label or (own.rule.pool if own else None)
    if said is not None:
        other = best if best is not said else second
        source, why, confidence, subtype = _said_by(override, workload.label, own)
        words = [hit.reason if hit.rule.pool is said else f"but {hit.reason}" for hit in hits]
        reasons = _strongest([why, *words, *scores.reasons(place, said)], said, share[said])
        return Classification(said, subtype or _subtype(said, hits), confidence, reasons, other, source)
    by_shape = scores.reasons(place, best)
    if not hits:
        confidence = min(share[best], SCORE_CEILING)
        reasons = _strongest([*by_shape, "no known word in its name or queue"], best, share[best])
        return Classification(best, _subtype(best, hits), confidence, reasons, second, "score")
    agreeing = [hit.reason for hit in hits if hit.rule.pool is best]
    against = [f"but {hit.reason}" for hit in hits if hit.rule.pool is not best][:1]
    words = [*agreeing[: REASONS_SHOWN - len(against)], *against]
    confidence = _word_confidence(strength[best], strength[second], share[best])
    reasons = _strongest([*words, *by_shape], best, share[best])
    return Classification(best, _subtype(best, hits), confidence, reasons, second, "rule")


def _said_by(override: Pool | None, label: Pool | None, own: RuleHit | None) -> tuple[str, str, float, str]:
    """Who said what a workload is: source, reason, confidence, and the subtype where that was said too."""
    if override is not None:
        return "override", "the planner said so", 1.0, ""
    if label is not None or own is None:
        return "label", "the import says so", 1.0, ""
    return "own_rule", own.reason, own.rule.confidence, own.rule.subtype


def _word_confidence(best: float, second: float, share: float) -> float:
    """Confidence of a word, less what a contradicting word takes, moved a little by what the shape says.

    A word much less sure than the best takes little: the loss falls with the square of their ratio.
    """
    lost = CONTRADICTION * second * (second / best) ** 2 if best > 0 else 0.0
    nudge = SHAPE_NUDGE * (share - 1 / len(POOLS))
    return min(max(best * (1 - lost) + nudge, 0.01), 0.99)


def _subtype(pool: Pool, hits: tuple[WordHit, ...]) -> str:
    return next((hit.rule.subtype for hit in hits if hit.rule.pool is pool), SUBTYPE_BY_SHAPE[pool])


def _strongest(reasons: Sequence[str], pool: Pool, share: float) -> tuple[str, ...]:
    """Three reasons; where fewer rows matched, what the shape as a whole says, and that it is all there is."""
    padded = [
        *reasons,
        f"its jobs and hours alone fit {pool} {share:.0%}",
        "nothing in the log says otherwise",
    ]
    return tuple(padded[:REASONS_SHOWN])
