"""Net present value: what signing as advised saves over the horizon, against paying all by use."""

import numpy as np

from gpuplanner.domain.commitment.plan import row_plans
from gpuplanner.domain.commitment.recursion.allocation import policy_of
from gpuplanner.domain.model.amounts import known_sum


def npv_usd(planned: row_plans.Planned) -> float | None:
    """Over all rows, $ of today; None where a rate is missing or layers are set by hand.

    Both sides are the expected, discounted cost of month 0 to the horizon, so churn, price fall and volatility
    are in. Law: never below 0, since paying by use is one of the policies. Source: docs/formulas/policy.md.
    """
    return known_sum([_of_row(row) for row in planned.rows])


def _of_row(planned: row_plans.PlannedRow) -> float | None:
    """Waiting less the advice, $ of today; 0 for a row without slices, None where one of them is unknown."""
    row = planned.row
    if not row.slices:
        return 0.0
    if row.flex.rate is None or row.use is not None or np.isnan(planned.signed.value_usd).any():
        return None
    waiting = policy_of(row, 0, row.ways([offer.offer_id for offer in row.offers]))
    today = waiting.value[len(waiting.value) // 2]
    return float((today - planned.signed.value_usd).sum())
