"""Volatility of demand a month: what the planner set, else what is taken where nothing is known."""

from typing import Final

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.pool import Pool

UNKNOWN_SIGMA: Final = 0.10
"""A month, as a ratio: where the planner set none."""


def volatility_of(assumptions: Assumptions, pool: Pool | None) -> float:
    """sigma of a pool (None: of demand in no one pool), a ratio a month."""
    own = assumptions.sigma_of(pool)
    return UNKNOWN_SIGMA if own is None else own
