"""The `unit_costs` and `variance` objects of a document."""

from typing import Any

from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.model.window import HOUR_S, Window, iso_utc
from gpuplanner.domain.reports.changes import CHANGES, TOTALS
from gpuplanner.domain.reports.costs import ENDPOINTS, EXPERIMENTS, MODELS, RUNS
from gpuplanner.domain.reports.report import entries

Document = dict[str, Any]


def cost_document(costs: UnitCosts, variance: Variance, window: Window) -> Document:
    """unit_costs and variance of an audit.

    $ are of the window for runs, a month for all else; null where a rate is missing.
    """
    return {
        "unit_costs": {
            "run_gap_hours": costs.run_gap_hours,
            "runs": entries(RUNS, costs),
            "models": entries(MODELS, costs),
            "endpoints": entries(ENDPOINTS, costs),
            "experiments": entries(EXPERIMENTS, costs),
            "consolidation_premium_usd_per_month": costs.premium_per_month,
        },
        "variance": _variance(variance, window),
    }


def _period(period: Period, window: Window) -> Document:
    """A period as ISO 8601 times, its end exclusive."""
    return {
        "start": iso_utc(window.start_s + period.first * HOUR_S),
        "end": iso_utc(window.start_s + period.last * HOUR_S),
        "hours": period.hours,
    }


def _variance(variance: Variance, window: Window) -> Document:
    """Totals first, then cluster by cluster, all per month."""
    return {
        "before": _period(variance.before, window),
        "after": _period(variance.after, window),
        **entries(TOTALS, variance)[0],
        "clusters": entries(CHANGES, variance),
    }
