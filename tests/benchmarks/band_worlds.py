"""Made demand whose future is known: walks in weekly steps, and weeks that vary around one level."""

import numpy as np

from gpuplanner.domain.commitment.uncertainty.bands import band_of, draws_of, measured_on, moves_of, past_of

WEEK_H, PART_H, MONTH_H, MONTHS = 168, 58, 730, 12
ANSWER_14 = {
    "walk 10%": (0.10, 0.0),
    "walk 20%": (0.20, 0.0),
    "weeks 15%": (0.0, 0.15),
    "weeks 30%": (0.0, 0.30),
    "weeks 5%": (0.0, 0.05),
}
"""Volatility a month and noise of single weeks."""


def month_of(weekly, weeks):
    """Means of months of some weeks: four of them and 58 h of a fifth; weeks (draws, 5)."""
    return (weekly[weeks[:, :4]].sum(axis=1) * WEEK_H + weekly[weeks[:, 4]] * PART_H) / MONTH_H


def weekly_demand(random, walk, noise, weeks):
    steps = random.normal(0, 1, weeks) * walk / np.sqrt(4.35)
    return 10 * np.exp(np.cumsum(steps) + random.normal(0, 1, weeks) * noise)


def is_held(weekly, origin, half_life_days=7.0):
    """Whether the band of a log of `origin` weeks holds the month that follows, all of it paid by use."""
    log = np.repeat(weekly[:origin], WEEK_H)

    def cost(level, weeks):
        return level * month_of(weekly, weeks)

    past = past_of(log, half_life_days)
    drawn = draws_of(past.week_weights, False)
    factor = measured_on(log, half_life_days, None, cost).factor
    levels = drawn.levels(past.variance(1))
    band = band_of(cost(levels, drawn.weeks[:, 0]), levels, len(past.week_weights), cost).wider(factor)
    return band.holds(float(month_of(weekly, np.arange(origin, origin + 5)[None])[0]))


def is_year_held(weekly, origin, half_life_days=7.0):
    """Whether the band of the year holds the twelve months that follow, all of them paid by use."""
    log = np.repeat(weekly[:origin], WEEK_H)

    def cost(level, weeks):
        return level * month_of(weekly, weeks)

    past = past_of(log, half_life_days)
    drawn = draws_of(past.week_weights, False, MONTHS)
    levels, (moves,) = drawn.levels(past.variance(MONTHS)), moves_of(log, past.volatility.noise, 0.9, [0.0])
    usd = sum(cost(levels * moves[:, month], drawn.weeks[:, month]) for month in range(MONTHS))
    band = band_of(usd, levels * moves.mean(axis=1), origin, lambda *drawn: MONTHS * cost(*drawn))
    factor = measured_on(log, half_life_days, None, cost).factor
    firsts = origin + np.arange(MONTHS) * MONTH_H // WEEK_H
    return band.wider(max(factor, 1.0)).holds(float(month_of(weekly, firsts[:, None] + np.arange(5)).sum()))


def held_share(walk, noise, weeks, worlds, *, of_year=False):
    """Share of worlds whose next month, or year, fell between P10 and P90."""
    random = np.random.default_rng(round(1000 * walk + 10 * noise) + 7)
    held, ahead = (is_year_held, 55) if of_year else (is_held, 5)
    return np.mean([held(weekly_demand(random, walk, noise, weeks + ahead), weeks) for _ in range(worlds)])
