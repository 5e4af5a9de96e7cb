"""What a plan comes to next month, in month 12 and in twelve months in all, beside the plan before the question."""

from dataclasses import dataclass
from enum import StrEnum

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.model.amounts import known_sum


class Horizon(StrEnum):
    """How far a plan is looked ahead. NEXT_MONTH: a month with all of the plan's first month running."""

    NEXT_MONTH = "next_month"
    MONTH_12 = "month_12"
    TWELVE_MONTHS = "twelve_months"


@dataclass(frozen=True, slots=True)
class HorizonRow:
    """One horizon, in $ of that time by the keys of AHEAD; None is unknown. before: None where no question is asked."""

    horizon: Horizon
    do_nothing: float | None
    plan: float | None
    before: float | None
    saved: float | None
    changed: float | None


def horizons_of(advice: Advice, before: Advice | None) -> tuple[HorizonRow, ...]:
    """Next month, month 12, and all twelve. before: of the plan before the question; None: none is asked.

    Savings are unknown where the plan leaves unserved what doing nothing serves.
    Law: all twelve are the sum of the comparison's months. Source: docs/formulas.md, Horizons.
    """
    return tuple(horizon_row(horizon, advice, before) for horizon in Horizon)


def is_priced_ahead(advice: Advice) -> bool:
    """Whether anything is known of what the plan or doing nothing costs ahead."""
    return any(row.plan is not None or row.do_nothing is not None for row in horizons_of(advice, None))


def plan_usd_in(advice: Advice, horizon: Horizon) -> float | None:
    """What a plan costs in a horizon, $."""
    return _usd_in(horizon, advice.totals.plan, [month.plan_usd for month in advice.comparison])


def nothing_usd_in(advice: Advice, horizon: Horizon) -> float | None:
    """What signing nothing costs in a horizon, $."""
    return _usd_in(horizon, advice.totals.do_nothing, [month.do_nothing_usd for month in advice.comparison])


def _usd_in(horizon: Horizon, next_month: float | None, months: list[float | None]) -> float | None:
    """Of $ of the next month and of each of the twelve those of a horizon; None where there are no months."""
    if horizon is Horizon.NEXT_MONTH:
        return next_month
    return known_sum(months[-1:] if horizon is Horizon.MONTH_12 else months) if months else None


def compares_with_nothing(advice: Advice) -> bool:
    """Whether a plan may be held against doing nothing: it serves what that serves."""
    return advice.totals.savings_vs_do_nothing is not None or not advice.unserved


def compared_nothing(advice: Advice, horizon: Horizon) -> float | None:
    """What signing nothing costs where a plan may be held against it."""
    return nothing_usd_in(advice, horizon) if compares_with_nothing(advice) else None


def saved_share(saved: float | None, do_nothing: float | None) -> float | None:
    """What a plan saves, as a share of what doing nothing costs; None where one is unknown, or that costs nothing."""
    return saved / do_nothing if saved is not None and do_nothing else None


def horizon_row(horizon: Horizon, advice: Advice, before: Advice | None) -> HorizonRow:
    """One of `horizons_of`."""
    inputs = {
        "do_nothing": compared_nothing(advice, horizon),
        "plan": plan_usd_in(advice, horizon),
        "before": None if before is None else plan_usd_in(before, horizon),
    }
    found = AHEAD.row(inputs)
    return HorizonRow(
        horizon,
        nothing_usd_in(advice, horizon),
        inputs["plan"],
        inputs["before"],
        found["saved"],
        found["changed"],
    )
