"""Figures of a whole plan: what it saves beside doing nothing and beside today, how well it is used, how it binds.

Source of all formulas: docs/formulas.md, Totals.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand, least, share
from gpuplanner.domain.figures.units import (
    GPUS,
    MONEY_PER_MONTH,
    MONEY_TIMES_MONTHS,
    MONEY_TO_HORIZON,
    MONTHS,
    PERCENT,
    SHARE,
)
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.message import worded


def savings_vs_do_nothing(do_nothing: Operand, plan: Operand) -> Operand:
    """What next month costs with nothing signed, less the plan: above 0 the plan saves."""
    return do_nothing - plan


def savings(today: Operand, plan: Operand) -> Operand:
    """Today's spend less the plan; what fell away by itself is in it, and no saving."""
    return today - plan


def savings_percent(savings: Operand, today: Operand) -> Operand:
    """The same in percent of today's spend."""
    return 100 * share(savings, today)


def effective_savings_rate(plan: Operand, on_demand_equivalent: Operand) -> Operand:
    """1 less the plan over all of its demand on demand."""
    return 1 - share(plan, on_demand_equivalent)


def effective_utilization_plan(used_gpus: Operand, paid_gpus: Operand) -> Operand:
    """Mean GPUs of the demand over mean GPUs paid for, used or not."""
    return share(used_gpus, paid_gpus)


def lock_in_months(bound: Operand, plan: Operand) -> Operand:
    """Months that the plan's money is bound for, weighted by it; what is paid by use binds for none."""
    return share(bound, plan)


def cost_of_separation(plan: Operand, joint: Operand) -> Operand:
    """The plan less the same workloads in one pool for each GPU model; below 0 separate pools save."""
    return plan - joint


PLAN: Final = Subject(
    "plan",
    (
        Figure("today", worded("Today"), MONEY_PER_MONTH, phrase=worded("today's spend"), why="spend"),
        Figure(
            "do_nothing",
            worded("Doing nothing"),
            MONEY_PER_MONTH,
            phrase=worded("doing nothing"),
            why="plan_nothing",
            glossary=worded("What next month costs with nothing signed."),
            json="do_nothing_usd_per_month",
        ),
        Figure(
            "plan",
            titles.THE_PLAN,
            MONEY_PER_MONTH,
            phrase=worded("the plan"),
            why="plan_usd",
            is_better="down",
            json="plan_usd_per_month",
        ),
        Figure(
            "on_demand_equivalent",
            worded("All of it on demand"),
            MONEY_PER_MONTH,
            phrase=worded("all of it on demand"),
            json="on_demand_equivalent_usd_per_month",
        ),
        Figure("used_gpus", worded("Mean GPUs of the demand, all pools"), GPUS),
        Figure("paid_gpus", worded("Mean GPUs paid for: contracts, new commitments, by use"), GPUS),
        Figure("bound", worded("Money times the months that it is bound for"), MONEY_TIMES_MONTHS),
        Figure(
            "savings_vs_do_nothing",
            worded("Savings against doing nothing"),
            MONEY_PER_MONTH,
            savings_vs_do_nothing,
            short=worded("Savings"),
            why="plan_below_nothing",
            is_better="up",
            glossary=worded("Doing nothing less the plan."),
            json="savings_vs_do_nothing_usd_per_month",
        ),
        Figure(
            "savings",
            worded("Today less plan"),
            MONEY_PER_MONTH,
            savings,
            why="plan_saved",
            is_better="up",
            glossary=worded("Today's spend less the plan; what fell away by itself is in it, and no saving."),
            json="savings_usd_per_month",
        ),
        Figure(
            "savings_percent", worded("Today less plan, of today"), PERCENT, savings_percent, is_better="up"
        ),
        Figure(
            "effective_savings_rate",
            worded("Effective savings rate"),
            SHARE,
            effective_savings_rate,
            is_better="up",
        ),
        Figure(
            "effective_utilization_plan",
            WINDOW["effective_utilization"].title,
            SHARE,
            effective_utilization_plan,
            why="plan_utilization",
            note=worded("It is allocation, not activity. What is paid by use is always used."),
        ),
        Figure(
            "lock_in_months", worded("Lock-in"), MONTHS, lock_in_months, why="plan_lock_in", is_better="binds"
        ),
        Figure("joint", worded("The same workloads in one pool for each GPU model"), MONEY_PER_MONTH),
        Figure(
            "cost_of_separation",
            titles.COST_OF_SEPARATION,
            MONEY_PER_MONTH,
            cost_of_separation,
            why="separation",
            is_better="down",
            note=worded(
                "Separate pools do not share their peaks. It is what keeping work apart is worth paying for, or not."
            ),
            json="cost_of_separation_usd_per_month",
        ),
    ),
)
"""A plan in its first month. Why of the lock-in and of separation list what they are of, so they stay lists of rows."""


def regret(expected: Operand, least_expected: Operand) -> Operand:
    """What a way to sign costs more on a path of prices than the policy that knows the path, which costs least.

    Never below 0: where rounding brings the least above it, it counts as none.
    """
    return expected - least(expected, least_expected)


PATH: Final = Subject(
    "path",
    (
        Figure(
            "expected",
            worded("Expected"),
            MONEY_TO_HORIZON,
            phrase=worded("its $ on the path"),
            why="path_usd",
        ),
        Figure(
            "least_expected",
            worded("Signing with the path known"),
            MONEY_TO_HORIZON,
            phrase=worded("$ of signing with the path known"),
        ),
        Figure(
            "regret",
            worded("Cost of being wrong"),
            MONEY_TO_HORIZON,
            regret,
            why="path_wrong",
            is_better="down",
            json="regret_usd",
        ),
    ),
)
"""One way to sign on one path of prices, to the horizon. Source: docs/formulas.md, Price paths."""


def worth_per_month(plan_after: Operand, plan_before: Operand) -> Operand:
    """The plan with a change and all changes above it, less the plan with those above it alone."""
    return plan_after - plan_before


STEP: Final = Subject(
    "step",
    (
        Figure(
            "plan_before", worded("The plan before it"), MONEY_PER_MONTH, phrase=worded("the plan before it")
        ),
        Figure("plan_after", worded("The plan with it"), MONEY_PER_MONTH, phrase=worded("the plan with it")),
        Figure(
            "worth_per_month",
            worded("Worth of a change"),
            MONEY_PER_MONTH,
            worth_per_month,
            why="change_worth",
        ),
    ),
)
"""One change on the way from one plan to another. Source: docs/formulas.md, Comparison."""
