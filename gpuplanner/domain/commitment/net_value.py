"""Net present value: what signing as advised is expected to save over the horizon, against paying all by use."""

import numpy as np

from gpuplanner.domain.commitment.plan import Planned, PlannedRow
from gpuplanner.domain.commitment.rates import term_rates
from gpuplanner.domain.commitment.recursion import cheapest_policy
from gpuplanner.domain.model.amounts import known_sum


def npv_usd(planned: Planned) -> float | None:
    """Over all rows, $ of today; None where a rate is missing or layers are set by hand.

    Both sides are the expected, discounted cost of month 0 to the horizon, so churn, price fall and volatility
    are in. Law: never below 0, since paying by use is one of the policies. Source: docs/formulas.md, Policy.
    """
    return known_sum([_of_row(one) for one in planned.rows])


def _of_row(one: PlannedRow) -> float | None:
    row = one.row
    if not row.slices:
        return 0.0
    if row.flex.rate is None or row.use is not None or np.isnan(one.signed.value_usd).any():
        return None
    waiting = cheapest_policy(
        row.busy.shares,
        row.busy.state_of_month,
        term_rates((), row.market.horizon_months),
        row.flex.rate,
        row.market,
        row.slicing.widths,
    )
    today = waiting.value[len(waiting.value) // 2]
    return float((today - one.signed.value_usd).sum())
