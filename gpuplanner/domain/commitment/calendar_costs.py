"""Cost of the plan and of do nothing by calendar month (UTC), for budgets."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.result import Advice, ComparisonMonth
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.calendar_months import month_bounds, month_of
from gpuplanner.domain.model.window import MONTH_S, has_calendar
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarCost:
    """Cost of one calendar month, $; None is unknown.

    start_s, end_s: epoch seconds, end exclusive; of the first and last month only the part in the plan's twelve months.
    """

    start_s: int
    end_s: int
    do_nothing_usd: float | None
    plan_usd: float | None

    @property
    def saved_usd(self) -> float | None:
        """$ saved compared with do nothing."""
        if self.do_nothing_usd is None or self.plan_usd is None:
            return None
        return self.do_nothing_usd - self.plan_usd

    @property
    def is_cut(self) -> bool:
        """Whether the plan has only a part of the month."""
        return month_bounds(month_of(self.start_s)) != (self.start_s, self.end_s)


def calendar_costs(advice: Advice) -> tuple[CalendarCost, ...]:
    """Return the twelve months of the plan by calendar month; each plan month is spread evenly over its hours.

    Empty for a plan without dates. Law: the months add up to the twelve months of the plan.
    """
    months = advice.comparison
    if not months or not has_calendar(months[0].start_s):
        return ()
    costs = []
    start_s, last_s = months[0].start_s, months[-1].start_s + MONTH_S
    while start_s < last_s:
        end_s = min(month_bounds(month_of(start_s))[1], last_s)
        inside = [(month, _share(month, start_s, end_s)) for month in months]
        costs.append(
            CalendarCost(
                start_s=start_s,
                end_s=end_s,
                do_nothing_usd=_spread([(month.do_nothing_usd, share) for month, share in inside]),
                plan_usd=_spread([(month.plan_usd, share) for month, share in inside]),
            )
        )
        start_s = end_s
    return tuple(costs)


def _share(month: ComparisonMonth, start_s: int, end_s: int) -> float:
    """Return the share of a plan month within a span, 0 to 1; the span in epoch seconds."""
    return max(0, min(month.start_s + MONTH_S, end_s) - max(month.start_s, start_s)) / MONTH_S


def _spread(parts: Sequence[tuple[float | None, float]]) -> float | None:
    """Return the sum of shares of costs, $; None if one of them is unknown."""
    return known_sum(None if usd is None else usd * share for usd, share in parts if share)
