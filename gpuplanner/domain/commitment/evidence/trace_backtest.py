"""Traces of the backtest: what each way of buying and each setting paid, month by month."""

from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import Number, summed
from gpuplanner.domain.commitment.backtest.advice_backtest import HINDSIGHT
from gpuplanner.domain.commitment.backtest.variants import Variant
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.words.backtest_words import WAY_NAMES, caveat_of
from gpuplanner.domain.figures.typed import day
from gpuplanner.domain.message import Message, worded

PAID = (TraceColumn(worded("$ of\nthe month"), "usd"),)
WORDS = worded(
    "Paid = \u03a3 over months of 730 h of what was signed so far + what ran beyond it, at its rate"
)
OVER = worded("Over hindsight = paid \u00f7 paid with hindsight \u2212 1")


def _months(evidence: PlanEvidence) -> list[Message]:
    """Names of the months that were paid for; none without a backtest."""
    folds = evidence.backtest.folds if evidence.backtest is not None else ()
    return [worded("Month from {paid_for}", paid_for=day(fold.paid_for[0])) for fold in folds]


def _paid(
    evidence: PlanEvidence, figure_id: str, title: Message, value: Number, months: list[Number]
) -> Trace:
    """A sum over months, one row each."""
    rows = [TraceRow(name, (usd,)) for name, usd in zip(_months(evidence), months, strict=True)]
    return summed(figure_id, title, value, "usd", WORDS, rows, columns=PAID, said_as=worded("in all months"))


def way_paid(evidence: PlanEvidence, scope: str, way: str) -> Trace:
    """What one way of buying paid."""
    assert evidence.backtest is not None
    months: list[Number] = [fold.usd[way] for fold in evidence.backtest.folds]
    return _paid(
        evidence,
        figure("way_paid", way),
        worded("Paid: {way}", way=WAY_NAMES[way]),
        evidence.backtest.totals[way],
        months,
    )


def way_over(evidence: PlanEvidence, scope: str, way: str) -> Trace:
    """How far a way of buying is above knowing everything."""
    assert evidence.backtest is not None
    usd, best = evidence.backtest.totals[way], evidence.backtest.totals[HINDSIGHT]
    share = usd / best if usd is not None and best else None
    rows = [
        TraceRow(worded("Paid, as a share of hindsight"), (usd, share), figure("way_paid", way)),
        TraceRow(
            worded("Less: hindsight itself"),
            (best, None if share is None else -1.0),
            figure("way_paid", HINDSIGHT),
        ),
    ]
    columns = (TraceColumn("$", "usd"), TraceColumn(worded("Share"), "share"))
    return summed(
        figure("way_over", way),
        worded("{way}, over hindsight", way=WAY_NAMES[way]),
        None if share is None else share - 1,
        "share",
        worded("{formula}. {caveat}", formula=OVER, caveat=caveat_of(evidence.backtest)),
        rows,
        columns=columns,
        column=1,
    )


def _variant(evidence: PlanEvidence, name: str) -> Variant:
    return next(one for one in evidence.variants if one.name == name)


def variant_paid(evidence: PlanEvidence, scope: str, name: str) -> Trace:
    """What the advice with another setting would have paid."""
    one = _variant(evidence, name)
    return _paid(
        evidence,
        figure("variant_paid", name),
        worded("Paid: {title}", title=one.title),
        one.usd,
        [*one.by_month],
    )


def variant_beside(evidence: PlanEvidence, scope: str, name: str) -> Trace:
    """What a setting would have changed."""
    one, as_set = _variant(evidence, name), next(row for row in evidence.variants if row.is_as_set)
    less = None if as_set.usd is None else -as_set.usd
    rows = [
        TraceRow(one.title, (one.usd,), figure("variant_paid", name)),
        TraceRow(worded("Less: {title}", title=as_set.title), (less,), figure("variant_paid", as_set.name)),
    ]
    value = None if one.usd is None or less is None else one.usd + less
    words = worded("Beside as set = paid with this setting \u2212 paid as set")
    columns = (TraceColumn("$", "usd"),)
    return summed(figure("variant_beside", name), one.title, value, "usd", words, rows, columns=columns)
