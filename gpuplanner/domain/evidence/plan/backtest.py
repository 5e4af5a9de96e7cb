"""Answers about the backtest: amounts paid by month, beside hindsight and with other settings."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.commitment.advice_backtest import HINDSIGHT, WAY_NAMES, Backtest, Variant, caveat_of
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Listed
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.figures import writing
from gpuplanner.domain.figures.typed import day
from gpuplanner.domain.message import Text, worded

WHY: Final = Answers[PlanEvidence]()

OF_MONTH = (trace.TraceColumn(worded("$ of\nthe month"), "usd"),)
OVER = worded("Over hindsight = paid ÷ paid with hindsight − 1")


def _paid(
    evidence: PlanEvidence, name: Text, value: trace.Number, months: Sequence[trace.Number]
) -> trace.Trace:
    """A sum over months, one row each; no month without a backtest."""
    folds = evidence.backtest.folds if evidence.backtest is not None else ()
    rows = [
        trace.TraceRow(worded("Month from {paid_for}", paid_for=day(fold.paid_for[0])), (usd,))
        for fold, usd in zip(folds, months, strict=True)
    ]
    words = worded("Paid = Σ over 730-h months (orders so far + remaining demand at its rate)")
    said_as = worded("in all months")
    return trace.summed(worded("Paid: {way}", way=name), value, "usd", words, rows, OF_MONTH, said_as=said_as)


def _backtest(evidence: PlanEvidence) -> Backtest:
    assert evidence.backtest is not None
    return evidence.backtest


@WHY.gives("way_paid")
def way_paid(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """What one way of buying paid."""
    backtest = _backtest(evidence)
    return _paid(evidence, WAY_NAMES[key], backtest.totals[key], [fold.usd[key] for fold in backtest.folds])


@WHY.gives("way_over")
def way_over(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """How far a way of buying is above knowing everything."""
    backtest = _backtest(evidence)
    usd, best = backtest.totals[key], backtest.totals[HINDSIGHT]
    share = backtest.over_hindsight(usd)
    itself = (best, None if share is None else -1.0)
    rows = [
        trace.TraceRow(worded("Paid ÷ hindsight"), (usd, share), trace.figure("way_paid", key)),
        trace.TraceRow(trace.minus(worded("hindsight itself")), itself, trace.figure("way_paid", HINDSIGHT)),
    ]
    return trace.summed(
        worded("{way}, over hindsight", way=WAY_NAMES[key]),
        None if share is None else share - 1,
        "share",
        worded("{formula}. {caveat}", formula=OVER, caveat=caveat_of(backtest)),
        rows,
        (trace.TraceColumn("$", "usd"), trace.TraceColumn(worded("Share"), "share")),
        1,
    )


def _variant(evidence: PlanEvidence, name: str) -> Variant:
    return next(variant for variant in evidence.variants if variant.name == name)


@WHY.gives("variant_paid")
def variant_paid(evidence: PlanEvidence, scope: str, name: str) -> trace.Trace:
    """What the advice with another setting would have paid."""
    variant = _variant(evidence, name)
    return _paid(evidence, variant.title, variant.usd, variant.by_month)


@WHY.sums(
    "",
    writing.MONEY,
    worded("Difference = paid with this setting − with the current one"),
    (trace.TraceColumn("$", "usd"),),
)
def variant_beside(evidence: PlanEvidence, scope: str, name: str) -> Listed:
    """What a setting would have changed."""
    variant, as_set = _variant(evidence, name), next(row for row in evidence.variants if row.is_as_set)
    taken = trace.less(as_set.usd)
    less = trace.minus(as_set.title)
    rows = [
        trace.TraceRow(variant.title, (variant.usd,), trace.figure("variant_paid", name)),
        trace.TraceRow(less, (taken,), trace.figure("variant_paid", as_set.name)),
    ]
    return Listed(
        value=None if variant.usd is None or taken is None else variant.usd + taken,
        rows=rows,
        name=variant.title,
    )
