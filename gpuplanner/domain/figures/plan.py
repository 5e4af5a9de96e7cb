"""Figures of a plan: savings compared with do nothing and with today, utilization, and commitment.

Source of all formulas: docs/formulas/totals.md.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, least, phrased, share
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.figures.writing import (
    COUNT,
    GPU_HOURS_PER_MONTH,
    GPUS,
    HOURS_A_MONTH,
    MONEY_IN_ALL,
    MONEY_OF_SPAN,
    MONEY_PER_MONTH,
    MONEY_TIMES_MONTHS,
    MONEY_TO_HORIZON,
    MONTHS,
    PERCENT,
    RATE,
    SHARE,
)
from gpuplanner.domain.message import capital, worded
from gpuplanner.lazy_dataclass import replace

PLAN: Final = Subject(
    "plan",
    (
        Figure(
            key="today",
            title=worded("Today"),
            unit=MONEY_PER_MONTH,
            phrase=worded("today's spend"),
            why="spend",
        ),
        Figure(
            key="do_nothing",
            title=titles.DO_NOTHING,
            unit=MONEY_PER_MONTH,
            phrase=worded("doing nothing"),
            why="plan_nothing",
            glossary=worded("Next month's cost without new orders."),
        ),
        phrased("plan", worded("the plan"), MONEY_PER_MONTH, why="plan_usd", is_better="down"),
        phrased("on_demand_equivalent", worded("all on demand"), MONEY_PER_MONTH),
        Figure(key="used_gpus", title=worded("Mean GPUs of the demand, all pools"), unit=GPUS),
        Figure(
            key="paid_gpus", title=worded("Mean paid GPUs: contracts, new commitments, on demand"), unit=GPUS
        ),
        Figure(key="bound", title=worded("Amount × months left"), unit=MONEY_TIMES_MONTHS),
        Figure(key="apart", title=worded("The plan's pools with one pool's certainty"), unit=MONEY_PER_MONTH),
        Figure(key="joint", title=worded("The workloads in one pool per GPU model"), unit=MONEY_PER_MONTH),
    ),
)
"""A plan in its first month. The explanations of average term left and of separation are lists of rows."""


@PLAN.figure(
    worded("Savings against doing nothing"),
    MONEY_PER_MONTH,
    short=worded("Savings"),
    why="plan_below_nothing",
    is_better="up",
    glossary=worded("Do nothing minus the plan."),
)
def savings_vs_do_nothing(do_nothing: Operand, plan: Operand) -> Operand:
    """Do nothing less the plan; above 0 the plan saves."""
    return do_nothing - plan


@PLAN.figure(
    worded("Today less plan"),
    MONEY_PER_MONTH,
    why="plan_saved",
    is_better="up",
    glossary=worded("Today's spend minus the plan. Includes ended work, not a saving."),
)
def savings(today: Operand, plan: Operand) -> Operand:
    """Spend today less the plan; includes cost that ends without a decision."""
    return today - plan


@PLAN.figure(worded("Today less plan, of today"), PERCENT, is_better="up")
def savings_percent(savings: Operand, today: Operand) -> Operand:
    """Spend today less the plan, in percent of today."""
    return 100 * share(savings, today)


@PLAN.figure(worded("Effective savings rate"), SHARE, is_better="up")
def effective_savings_rate(plan: Operand, on_demand_equivalent: Operand) -> Operand:
    """1 less the plan over the cost of all its demand on demand."""
    return 1 - share(plan, on_demand_equivalent)


LEAST_SHARE_SAVED: Final = -1.0
"""Below this, a share of savings has no meaning: the plan costs over twice the base, which is often near zero."""


def telling_share(saved: float | None) -> float | None:
    """Return a share of savings for display; None if unknown, or below LEAST_SHARE_SAVED.

    >>> telling_share(0.25), telling_share(-0.4), telling_share(-418.499)
    (0.25, -0.4, None)
    """
    return None if saved is None or saved < LEAST_SHARE_SAVED else saved


@PLAN.figure(
    WINDOW["effective_utilization"].title,
    SHARE,
    why="plan_utilization",
    note=worded("Allocation, not activity. On-demand GPUs count as used."),
)
def effective_utilization_plan(used_gpus: Operand, paid_gpus: Operand) -> Operand:
    """Mean GPUs of the demand over mean GPUs paid, used or idle."""
    return share(used_gpus, paid_gpus)


@PLAN.figure(worded("Average term left"), MONTHS, why="plan_lock_in", is_better="binds")
def lock_in_months(bound: Operand, plan: Operand) -> Operand:
    """Months of commitment left, weighted by dollars; on demand counts as 0 months."""
    return share(bound, plan)


@PLAN.figure(
    titles.COST_OF_SEPARATION,
    MONEY_PER_MONTH,
    why="separation",
    is_better="down",
    note=worded("Cost of separation: separate pools do not share peaks."),
)
def cost_of_separation(apart: Operand, joint: Operand) -> Operand:
    """Plan with separate pools less the plan with one pool for each GPU model."""
    return apart - joint


SAVINGS_STEP: Final = Subject(
    "savings_step",
    (
        Figure(
            key="cost_before",
            title=worded("Cost before"),
            unit=MONEY_PER_MONTH,
            phrase=worded("cost before"),
            json="before_usd_per_month",
        ),
        Figure(
            key="cost_after",
            title=capital(worded("cost with it")),
            unit=MONEY_PER_MONTH,
            phrase=worded("cost with it"),
            json="after_usd_per_month",
        ),
        phrased("year_before", worded("12 months before"), MONEY_IN_ALL),
        phrased("year_after", worded("12 months with it"), MONEY_IN_ALL),
    ),
)
"""One of the five steps from today to the plan, or a cut of demand."""


@SAVINGS_STEP.figure(
    worded("Saved by the step"), MONEY_PER_MONTH, short=titles.SAVES, why="savings_step", is_better="up"
)
def saved_per_month(cost_before: Operand, cost_after: Operand) -> Operand:
    """Plan before the step less the plan with the step.

    Source: docs/formulas/savings.md.
    """
    return cost_before - cost_after


@SAVINGS_STEP.figure(
    worded("Saved by the step in 12 months"),
    MONEY_IN_ALL,
    short=worded("12 months"),
    why="savings_step_in_year",
    is_better="up",
    json="usd_12_months",
)
def saved_in_year(year_before: Operand, year_after: Operand) -> Operand:
    """Twelve months without the step less twelve months with the step.

    Source: docs/formulas/savings.md.
    """
    return year_before - year_after


NEXT_DECISION: Final = Subject(
    "next_decision",
    (
        phrased("year_without", worded("12 months without it, recalculated"), MONEY_IN_ALL),
        phrased("year_with", worded("12 months with it"), MONEY_IN_ALL),
        phrased("saves_in_month_12", worded("saved in month 12"), MONEY_PER_MONTH),
        phrased("months_after", worded("months from month 12 to the end of its last order"), MONTHS),
        Figure(
            key="committed_usd",
            title=worded("Commits now"),
            unit=MONEY_IN_ALL,
            phrase=worded("commitment of its orders that are due within a month"),
            json="committed_usd",
        ),
    ),
)
"""A decision of the plan, or one that remains open."""


@NEXT_DECISION.figure(
    worded("Saves in 12 months"), MONEY_IN_ALL, why="next_decision", is_better="up", json="usd_12_months"
)
def decision_saves(year_without: Operand, year_with: Operand) -> Operand:
    """Twelve months without the decision less twelve months with the decision.

    Source: docs/formulas/savings.md, Next decisions.
    """
    return year_without - year_with


@NEXT_DECISION.figure(
    worded("Saves over its term"),
    MONEY_IN_ALL,
    why="next_decision_term",
    is_better="up",
    json="usd_over_term",
)
def saves_over_term(decision_saves: Operand, saves_in_month_12: Operand, months_after: Operand) -> Operand:
    """Twelve months, and then what month 12 saves until the end of the last order.

    Source: docs/formulas/savings.md, Next decisions.
    """
    return decision_saves + saves_in_month_12 * months_after


SEPARATION: Final = Subject(
    "separation",
    (
        Figure(
            key="separation_per_month", title=worded("In money"), unit=MONEY_PER_MONTH, why="separation_usd"
        ),
        Figure(key="hours", title=titles.HOURS_OF_THE_WINDOW, unit=COUNT, why="separation_hours"),
    ),
)
"""Cost of separate pools in the plan, or cost that they avoid in the log."""


SAVINGS_BUY: Final = Subject(
    "savings_buy",
    (
        replace(PLAN["savings_vs_do_nothing"], formula=None),
        phrased("by_use_per_month", worded("the plan's on-demand cost"), MONEY_PER_MONTH),
        Figure(
            key="by_use_gpu_hours_per_month",
            title=worded("On-demand GPU-hours"),
            unit=GPU_HOURS_PER_MONTH,
            phrase=worded("its GPU-hours"),
        ),
        Figure(
            key="month_hours",
            title=titles.HOURS_IN_A_MONTH,
            unit=HOURS_A_MONTH,
            phrase=worded("hours in a month"),
        ),
    ),
)
"""GPUs that the savings against doing nothing would buy, at the plan's on-demand rate in its first month."""


@SAVINGS_BUY.figure(
    capital(worded("one more on-demand GPU-hour")),
    RATE,
    phrase=worded("one more on-demand GPU-hour"),
    why="marginal_rate",
    json="marginal_rate_usd_per_gpu_hour",
)
def marginal_rate(by_use_per_month: Operand, by_use_gpu_hours_per_month: Operand) -> Operand:
    """Rate of an added GPU-hour: on-demand cost over on-demand GPU-hours."""
    return share(by_use_per_month, by_use_gpu_hours_per_month)


@SAVINGS_BUY.figure(
    worded("GPU-hours from the savings"),
    GPU_HOURS_PER_MONTH,
    phrase=worded("GPU-hours from the savings"),
    why="bought_hours",
    json="gpu_hours_per_month",
)
def bought_gpu_hours_per_month(savings_vs_do_nothing: Operand, marginal_rate: Operand) -> Operand:
    """GPU-hours that the savings could buy on demand, per month."""
    return share(savings_vs_do_nothing, marginal_rate)


@SAVINGS_BUY.figure(
    worded("GPUs for a year from the savings"), GPUS, why="bought_gpus", json="gpus_for_a_year"
)
def bought_gpus(bought_gpu_hours_per_month: Operand, month_hours: Operand) -> Operand:
    """GPUs that the savings could buy on demand, busy all month."""
    return share(bought_gpu_hours_per_month, month_hours)


ONE_PROVIDER: Final = Subject(
    "one_provider",
    (
        Figure(
            key="serves",
            title=titles.CAN_SERVE,
            unit=SHARE,
            glossary=worded("Share of the plan's GPU-hours that it sells."),
        ),
        Figure(
            key="same_work_now",
            title=titles.SAME_WORK_TODAY,
            unit=MONEY_PER_MONTH,
            glossary=worded("Today's cost of the work that it serves, idle GPU-hours included."),
            json="same_work_now_usd",
        ),
        Figure(key="served", title=worded("Of its own"), unit=MONEY_PER_MONTH),
        Figure(
            key="from_scratch",
            title=worded("From scratch"),
            unit=MONEY_PER_MONTH,
            glossary=worded("First month with only its offers, no contract."),
        ),
        phrased(
            "alone_year",
            worded("12 months with it alone"),
            MONEY_IN_ALL,
            short=worded("12 months"),
            why="alone_year",
            glossary=worded("Existing contracts to their end, then only its offers."),
            json="year_usd",
        ),
        phrased("plan_year", worded("the plan's 12 months"), MONEY_IN_ALL),
    ),
)
"""A plan with only one provider's offers."""


@ONE_PROVIDER.figure(
    worded("Against the plan's 12 months"),
    MONEY_IN_ALL,
    short=worded("Against\nthe plan"),
    why="alone_beside",
    is_better="down",
)
def beside_plan(alone_year: Operand, plan_year: Operand) -> Operand:
    """Twelve months with one provider less the plan with all providers."""
    return alone_year - plan_year


PATH: Final = Subject(
    "path",
    (
        Figure(
            key="expected",
            title=worded("Expected"),
            unit=MONEY_TO_HORIZON,
            phrase=worded("its $ on the path"),
            why="path_usd",
        ),
        Figure(
            key="least_expected",
            title=worded("With known prices"),
            unit=MONEY_TO_HORIZON,
            phrase=worded("$ with the price path known"),
        ),
    ),
)
"""One way to sign on one path of prices, to the horizon. Source: docs/formulas/uncertainty.md, Price paths."""


@PATH.figure(worded("Cost of being wrong"), MONEY_TO_HORIZON, why="path_wrong", is_better="down")
def regret(expected: Operand, least_expected: Operand) -> Operand:
    """Added cost over the policy that knows the price path.

    Never below 0: where rounding brings the least above it, it counts as none.
    """
    return expected - least(expected, least_expected)


STEP: Final = Subject(
    "step",
    (
        phrased("plan_before", worded("the plan before it"), MONEY_PER_MONTH),
        Figure(
            key="plan_after",
            title=capital(worded("the plan with it")),
            unit=MONEY_PER_MONTH,
            phrase=worded("the plan with it"),
        ),
    ),
)
"""One change on the way from one plan to another. Source: docs/formulas/totals.md, Comparison."""


@STEP.figure(worded("Worth of a change"), MONEY_PER_MONTH, why="change_worth")
def worth_per_month(plan_after: Operand, plan_before: Operand) -> Operand:
    """Plan with this change and those above, less the plan with those above."""
    return plan_after - plan_before


LIMIT: Final = Subject(
    "limit",
    (
        PLAN["plan"],
        phrased("plan_without_limit", worded("plan without the limit"), MONEY_PER_MONTH),
        phrased("plan_in_year", worded("the plan's 12 months"), MONEY_IN_ALL),
        phrased("without_limit_in_year", worded("12 months without the limit"), MONEY_IN_ALL),
    ),
)
"""One limit of the user, compared with the plan without the limit. Source: docs/formulas/savings.md, Limits."""


@LIMIT.figure(
    worded("The limit costs"),
    MONEY_PER_MONTH,
    short=worded("Costs"),
    why="limit_cost",
    is_better="down",
    note=worded("Recalculated without this limit alone."),
    json="costs_usd_per_month",
)
def limit_cost(plan: Operand, plan_without_limit: Operand) -> Operand:
    """Plan less the plan without this limit."""
    return plan - plan_without_limit


@LIMIT.figure(
    worded("The limit costs in 12 months"),
    MONEY_IN_ALL,
    short=worded("12 months"),
    why="limit_cost_in_year",
    is_better="down",
    note=worded("Recalculated without this limit alone."),
    json="costs_usd_in_12_months",
)
def limit_cost_in_year(plan_in_year: Operand, without_limit_in_year: Operand) -> Operand:
    """Twelve months of the plan less twelve months without this limit."""
    return plan_in_year - without_limit_in_year


STOP: Final = Subject(
    "stop",
    (
        PLAN["plan"],
        LIMIT["plan_in_year"],
        phrased("plan_after_stop", worded("plan without them"), MONEY_PER_MONTH),
        phrased("after_stop_in_year", worded("12 months without them"), MONEY_IN_ALL),
    ),
)
"""Workloads that would stop, before they do. Source: docs/formulas/demand.md, Start and end dates."""


@STOP.figure(worded("Stopping saves"), MONEY_PER_MONTH, is_better="up")
def stop_saves(plan: Operand, plan_after_stop: Operand) -> Operand:
    """Plan less the plan after the stop."""
    return plan - plan_after_stop


@STOP.figure(worded("Stopping saves in 12 months"), MONEY_IN_ALL, is_better="up")
def stop_saves_in_year(plan_in_year: Operand, after_stop_in_year: Operand) -> Operand:
    """Twelve months of the plan less twelve months after the stop."""
    return plan_in_year - after_stop_in_year


def saved(do_nothing: Operand, plan: Operand) -> Operand:
    """Do nothing less the plan, over the span of time."""
    return do_nothing - plan


AHEAD: Final = Subject(
    "ahead",
    (
        replace(PLAN["do_nothing"], unit=MONEY_OF_SPAN, why="ahead_nothing", glossary=""),
        replace(PLAN["plan"], unit=MONEY_OF_SPAN, why="ahead_plan"),
        Figure(
            key="before",
            title=worded("Before the question"),
            unit=MONEY_OF_SPAN,
            phrase=worded("plan before the question"),
            why="ahead_before",
            unknown=worded("Other plans have no question."),
        ),
        replace(
            PLAN["savings_vs_do_nothing"],
            key="saved",
            unit=MONEY_OF_SPAN,
            formula=saved,
            why="ahead_saved",
            glossary="",
            json="savings_vs_do_nothing_usd",
        ),
    ),
)
"""A plan in one horizon: next month, month 12, or twelve months in all. Source: docs/formulas/totals.md, Horizons."""


@AHEAD.figure(
    worded("Change by the question"),
    MONEY_OF_SPAN,
    why="ahead_change",
    is_better="down",
    unknown=worded("Other plans have no question."),
    json="change_usd",
)
def changed(plan: Operand, before: Operand) -> Operand:
    """Plan with the question less the plan before; above 0 the answer costs more."""
    return plan - before
