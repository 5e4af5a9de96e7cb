"""Figures of placement: how long the way is from users to the sites that serve them, and what the sites cost.

Source: docs/formulas.md, Placement. Ways are measured, or worked out over the great circle in domain/serving.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.units import COUNT, MILLISECONDS, MONEY_PER_MONTH
from gpuplanner.domain.message import worded

SITE_SET: Final = Subject(
    "site_set",
    (
        Figure(
            "mean_one_way_ms",
            worded("Mean one way"),
            MILLISECONDS,
            short=titles.ONE_WAY,
            why="set_way",
            is_better="down",
            unknown=worded("Data residency leaves some of the top 80% of users without a site"),
            glossary=worded("Over the top 80% of users, weighted by users."),
        ),
        Figure("round_trip_ms", titles.ROUND_TRIP, MILLISECONDS, why="set_both", is_better="down"),
        Figure(
            "cost_per_month",
            titles.COST,
            MONEY_PER_MONTH,
            why="set_usd",
            is_better="down",
            unknown=worded("The price of one of these sites is unknown"),
            json="usd_per_month",
        ),
    ),
)
"""A set of sites, with what it gives the users."""

WAY: Final = Subject(
    "way",
    (
        Figure("users", worded("Users"), COUNT, why="city_users"),
        Figure("one_way_ms", titles.ONE_WAY, MILLISECONDS, why="city_way", is_better="down"),
        Figure("round_trip_ms", titles.ROUND_TRIP, MILLISECONDS, why="city_both", is_better="down"),
    ),
)
"""The users of one city, and their way to the site that serves them."""
