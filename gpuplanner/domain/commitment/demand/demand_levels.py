"""Levels of demand: a random walk on a grid of levels, whose expected value stays that of today."""

from math import exp, sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats

EDGE: Final = 10
"""The grid runs from -EDGE to EDGE; 0 is today's level."""


def level_step(sigma: float) -> float:
    """Distance s between two levels of the grid, as a logarithm, for a volatility of sigma a month.

    Source: the step of a trinomial lattice, sqrt(3) standard deviations; docs/formulas/demand.md, Levels of demand.

    >>> round(level_step(0.1), 6)
    0.173205
    """
    return sigma * sqrt(3)


def level_factors(sigma: float) -> Floats:
    """f_j = exp(j s) for j = -10..10, shape (21,); the one level 1 without volatility, shape (1,).

    Ratios to today's demand, ascending; the middle one is exactly 1.

    >>> level_factors(0.0).tolist(), level_factors(0.2)[EDGE].item(), len(level_factors(0.2))
    ([1.0], 1.0, 21)
    """
    if sigma == 0:
        return np.ones(1)
    return np.asarray(np.exp(np.arange(-EDGE, EDGE + 1) * level_step(sigma)), dtype=np.float64)


def transition(sigma: float) -> Floats:
    """Chance of going from level i (row) to level j (column) in one month; shape (levels, levels).

    Law: rows add up to 1, and the expected factor is kept from every level but the two at the edge.
    Source: a trinomial lattice matched to mean and variance; the outward step at an edge stays.
    """
    levels = len(level_factors(sigma))
    if levels == 1:
        return np.ones((1, 1))
    up = 1 / (3 * (1 + exp(level_step(sigma))))
    down = exp(level_step(sigma)) * up
    chances = np.zeros((levels, levels))
    inner = np.arange(levels)
    chances[inner, np.minimum(inner + 1, levels - 1)] += up
    chances[inner, np.maximum(inner - 1, 0)] += down
    chances[inner, inner] += 1 - up - down
    return chances


def after_months(sigma: float, months: int) -> Floats:
    """Chances over several months: E_T is this matrix times a column of values by level.

    Shapes: (levels, levels); row i: the chances of every level `months` after level i, adding up to 1. sigma:
    volatility a month, a ratio; at 0 there is one level. Source: docs/formulas/demand.md, Levels of demand.
    """
    return np.asarray(np.linalg.matrix_power(transition(sigma), months), dtype=np.float64)
