"""Figures of an award: what a vendor is given of what is asked for, and what each quote saves and is worth.

Source of the formulas: docs/formulas/quotes.md, Award.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, phrased, share
from gpuplanner.domain.figures.layer import TERM_MONTHS
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.writing import FLAG, GPUS, MONEY_IN_ALL, RATE, SHARE
from gpuplanner.domain.message import capital, worded
from gpuplanner.lazy_dataclass import replace

OF_VENDOR: Final = "vendor"
"""Scope of what is of all quotes of a vendor, in ids of figures."""

AWARD: Final = Subject(
    "award",
    (
        Figure(key="gpus", title=worded("GPUs awarded"), unit=GPUS, short=worded("Gets"), phrase="GPUs"),
        ORDER["bought_gpus"],
        ORDER["rate"],
        ORDER["upfront_per_gpu"],
        TERM_MONTHS,
        ORDER["term_hours"],
        phrased("plan_rate", worded("plan rate"), RATE),
        replace(ORDER["liability"], why="award_cost"),
    ),
)
"""GPUs of one row that one offer is given. rate and upfront_per_gpu are as quoted, in GPUs of the offer's own model."""


@AWARD.figure(capital(worded("prepaid")), MONEY_IN_ALL, is_better="down")
def prepaid(bought_gpus: Operand, upfront_per_gpu: Operand) -> Operand:
    """Part of the total commitment that is due when the term starts."""
    return bought_gpus * upfront_per_gpu


@AWARD.figure(worded("At the plan's rate"), MONEY_IN_ALL, json="at_plan_rate_usd")
def at_plan_rate(gpus: Operand, term_hours: Operand, plan_rate: Operand) -> Operand:
    """Cost of the same GPU-hours at the rate in the plan."""
    return gpus * term_hours * plan_rate


@AWARD.figure(
    worded("Saves against the plan rate"), MONEY_IN_ALL, short=worded("Against the plan"), is_better="up"
)
def saves_beside_plan(at_plan_rate: Operand, liability: Operand) -> Operand:
    """Cost at the plan rate less the quote; below 0 the quote costs more."""
    return at_plan_rate - liability


QUOTE: Final = Subject(
    "quote",
    (
        Figure(
            key="rate",
            title=titles.RATE,
            unit=RATE,
            phrase=worded("rate quoted"),
            unknown=worded("Quote needed: enter its rate in Prices"),
            json="rate_usd_per_gpu_hour",
        ),
        Figure(key="cost_with", title=worded("Award with it"), unit=MONEY_IN_ALL, json="award_usd"),
        Figure(
            key="cost_without",
            title=worded("Award without it"),
            unit=MONEY_IN_ALL,
            unknown=worded("Without it, some GPUs have no other quote"),
            json="award_without_usd",
        ),
        Figure(key="if_taken", title=worded("Award as quoted"), unit=MONEY_IN_ALL, short=worded("If taken")),
        Figure(
            key="worth_rate",
            title=titles.BREAK_EVEN_RATE,
            unit=RATE,
            unknown=worded("Not recommended, even at $0"),
            why="award_worth",
            json="worth_signing_usd_per_gpu_hour",
        ),
        Figure(
            key="is_far_from_market",
            title=worded("Far from the market"),
            unit=FLAG,
            is_better="down",
            glossary=worded("The market rate is under a quarter or over four times this rate."),
            json="far_from_market",
        ),
    ),
)
"""One quote: what it saves, and what it would still be worth."""


@QUOTE.figure(
    titles.SAVES,
    MONEY_IN_ALL,
    is_better="up",
    unknown=worded("Without it, some GPUs have no other quote"),
    why="award_saves",
)
def saves(cost_without: Operand, cost_with: Operand) -> Operand:
    """Cost of the award without the quote, less with the quote."""
    return cost_without - cost_with


@QUOTE.figure(worded("Margin"), RATE, is_better="up")
def margin(worth_rate: Operand, rate: Operand) -> Operand:
    """Break-even rate less the quoted rate."""
    return worth_rate - rate


@QUOTE.figure(worded("Rate margin"), SHARE, short=worded("Margin"), is_better="up")
def margin_share(margin: Operand, rate: Operand) -> Operand:
    """Margin over the quoted rate."""
    return share(margin, rate)


VENDOR: Final = Subject(
    "vendor",
    (
        Figure(key="awarded", title=worded("Awarded"), unit=MONEY_IN_ALL),
        Figure(key="awarded_in_all", title=worded("Total awarded"), unit=MONEY_IN_ALL),
        QUOTE["cost_with"],
        QUOTE["cost_without"],
        replace(QUOTE["saves"], why_scope=OF_VENDOR),
    ),
)
"""One provider of an award. Money is the cost in all of its terms."""


@VENDOR.figure(worded("Award share"), SHARE, short=worded("Share"), why="award_share")
def awarded_share(awarded: Operand, awarded_in_all: Operand) -> Operand:
    """Share of the provider in the award."""
    return share(awarded, awarded_in_all)
