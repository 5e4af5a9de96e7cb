"""Figures of the business: what one order or user costs, in a month of the log and in the plan's twelfth.

What a month of the log cost hour by hour is an input. Source of all formulas: docs/formulas.md, Cost of the business.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.costs.unit_costs import OF_THE_RUN
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand, share
from gpuplanner.domain.figures.units import COUNT, DAYS, GPU_HOURS_IN_ALL, MONEY_EACH, SHARE
from gpuplanner.domain.figures.units import MONEY_IN_ALL as IN_ALL
from gpuplanner.domain.message import worded


def counted_value(value: Operand, counted_share: Operand) -> Operand:
    """The part of a month's count that falls into the hours whose $ are known, as if it came evenly."""
    return value * counted_share


def cost_each(business_cost: Operand, counted_value: Operand) -> Operand:
    """$ for one of what was counted."""
    return share(business_cost, counted_value)


BUSINESS: Final = Subject(
    "business",
    (
        Figure(
            "value", worded("Count of the month"), COUNT, short=worded("Count"), phrase=worded("its count")
        ),
        Figure(
            "counted_share",
            worded("Share of the month that counts"),
            SHARE,
            short=worded("Hours\nthat count"),
            phrase=worded("share of the month's hours that count"),
            glossary=worded("Hours of the month in the window; of month 12, a month of 730 h."),
            json="hours_share",
        ),
        Figure(
            "business_cost",
            worded("Spend in these hours"),
            IN_ALL,
            short=titles.SPEND,
            phrase=worded("what was spent in these hours"),
            why="business_usd",
            json="usd",
        ),
        Figure(
            "unserved",
            worded("Left unserved in these hours"),
            GPU_HOURS_IN_ALL,
            short=worded("Left\nunserved"),
            why="business_unserved",
            is_better="down",
            unknown=worded("Nobody looked: what ran in the log was served."),
            glossary=worded(
                "Of month 12: GPU-hours that the plan serves nobody with; its $ do not have them."
            ),
            json="unserved_gpu_hours",
        ),
        Figure("counted_value", worded("Count in these hours"), COUNT, counted_value),
        Figure(
            "cost_each",
            worded("Spend for one of it"),
            MONEY_EACH,
            cost_each,
            short=worded("For one"),
            why="business_each",
            is_better="down",
            json="usd_each",
        ),
    ),
)
"""A figure of the business in a month."""


def cost_per_run(runs_cost: Operand, runs: Operand) -> Operand:
    """What one run of a workload cost on average."""
    return share(runs_cost, runs)


RETRAINING: Final = Subject(
    "retraining",
    (
        Figure(
            "runs",
            worded("Runs in the window"),
            COUNT,
            short=worded("Runs"),
            phrase=worded("its runs"),
            why="retrain_runs",
        ),
        Figure(
            "days_between",
            worded("Days between starts"),
            DAYS,
            why="retrain_days",
            unknown=worded("Unknown: fewer than two runs began in the window."),
            glossary=worded("Half of the gaps between the starts of its runs are shorter, half are longer."),
        ),
        Figure("runs_cost", worded("Cost of its runs"), OF_THE_RUN, phrase=worded("what its runs cost")),
        Figure(
            "cost_per_run",
            worded("Cost of a run"),
            OF_THE_RUN,
            cost_per_run,
            short=worded("$ of\na run"),
            why="retrain_usd",
            json="usd_per_run",
        ),
    ),
)
"""How often a training workload is run again."""
