"""Unit costs, variance and chargeback as JSON."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.audit.costs.business import BusinessCost
from gpuplanner.domain.audit.costs.charge_rows import Charges
from gpuplanner.domain.audit.costs.retraining import retraining_of
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports.business import BUSINESS_COSTS, RETRAININGS
from gpuplanner.domain.reports.changes import CHANGES, TOTALS
from gpuplanner.domain.reports.chargeback import OF_ASKED, OF_TEAMS
from gpuplanner.domain.reports.costs import ENDPOINTS, EXPERIMENTS, MODELS, RUNS
from gpuplanner.domain.reports.entries import entries, entry, fields, named


class _PeriodRow(NamedTuple):
    """A period, and the window that its hours are counted in."""

    period: Period
    window: Window


PERIOD: Final = fields(
    named("start", lambda row: row.window.start_s + row.period.first * HOUR_S, "date"),
    named("end", lambda row: row.window.start_s + row.period.last * HOUR_S, "date"),
    named("hours", "period.hours"),
)
"""ISO 8601, the end exclusive."""


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
            "retraining": entries(RETRAININGS, retraining_of(costs.runs, window)),
            "consolidation_premium_usd_per_month": costs.premium_per_month,
        },
        "variance": {
            "before": entry(PERIOD, _PeriodRow(variance.before, window)),
            "after": entry(PERIOD, _PeriodRow(variance.after, window)),
            **entry(TOTALS, variance),
            "clusters": entries(CHANGES, variance),
        },
    }


def business_document(rows: Sequence[BusinessCost]) -> Document:
    """Spend for one of the business figures; nothing where none are given."""
    return {"business": entries(BUSINESS_COSTS, rows)} if rows else {}


def charge_document(charges: Charges, *, has_names: bool) -> Document:
    """The chargeback of an audit, $ of the window. has_names: whether it was said by what, which rows then name."""
    table = OF_ASKED if has_names else OF_TEAMS
    return {"chargeback": [entry(table, row) for row in charges.rows]}
