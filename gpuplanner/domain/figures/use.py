"""Figures of GPUs that are paid for: how much of them was used, what they cost, what of it is unused.

Source of all formulas: docs/formulas/utilization.md.
"""

from typing import Final

from gpuplanner.domain.figures import layer, titles, unit_costs, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, is_below, phrased, priced, share
from gpuplanner.domain.message import capital, joined, worded

FLAG_PERCENT: Final = 40
"""Utilization strictly below this is flagged."""


A_MONTH_IS: Final = worded("A month is 730 h: amounts × 730 ÷ lookback hours.")
IDLE_IS_PAID: Final = joined(
    (A_MONTH_IS, worded("Idle take-or-pay cost: the minimum payment above use.")), " "
)
ON_DEMAND: Final = titles.ON_DEMAND
AN_INPUT: Final = worded("From the imported contracts.")
BOTH_RATES: Final = worded("Below this, on demand would cost less. Uses contract and price rates.")

CONTRACT: Final = Subject(
    "contract",
    (
        Figure(key="gpus", title=worded("GPUs"), unit=writing.GPUS, why="contract_gpus", note=AN_INPUT),
        Figure(key="run_hours", title=titles.HOURS_IT_RAN, unit=writing.HOURS, phrase=worded("hours it ran")),
        Figure(
            key="used_gpu_hours",
            title=titles.USED,
            unit=writing.GPU_HOURS,
            phrase=worded("used GPU-h"),
            why="contract_used",
            is_of_hours=True,
            is_better="up",
            unknown=worded("Unknown: match log and contract names first"),
            glossary=worded("GPU-hours allocated to jobs, not activity."),
        ),
        phrased("committed_rate", worded("rate paid"), writing.RATE),
        Figure(
            key="on_demand_rate",
            title=ON_DEMAND,
            unit=writing.RATE,
            phrase=worded("cheapest fitting on-demand rate"),
            unknown=worded("Unknown: no on-demand price to compare. Import prices."),
        ),
        phrased("rate", worded("rate"), writing.RATE, unknown=writing.QUOTE_NEEDED),
        phrased("full_rate", worded("rate"), writing.RATE, unknown=writing.QUOTE_NEEDED),
        phrased("idle_rate", worded("rate"), writing.RATE, unknown=writing.QUOTE_NEEDED),
        unit_costs.MONTHS_OF_WINDOW,
    ),
)
"""A contract over the window."""


@CONTRACT.figure(
    titles.PAID,
    writing.GPU_HOURS,
    phrase=worded("paid GPU-h"),
    why="contract_paid_hours",
    is_of_hours=True,
    glossary=worded("Paid GPU-hours, used or not."),
    note=worded("Contract GPUs and dates, as imported."),
    json="committed_gpu_hours",
)
def paid_gpu_hours(gpus: Operand, run_hours: Operand) -> Operand:
    """GPU-hours paid: GPUs times the hours of the contract in the lookback period."""
    return gpus * run_hours


@CONTRACT.figure(
    titles.IDLE,
    writing.GPU_HOURS,
    phrase=worded("idle GPU-h"),
    why="contract_idle_hours",
    is_of_hours=True,
    is_better="down",
)
def idle_gpu_hours(paid_gpu_hours: Operand, used_gpu_hours: Operand) -> Operand:
    """GPU-hours paid without a job."""
    return paid_gpu_hours - used_gpu_hours


@CONTRACT.figure(
    titles.UTILIZATION,
    writing.SHARE,
    why="contract_utilization",
    is_of_hours=True,
    is_better="up",
    unknown=worded("Outside the period"),
    glossary=worded("Allocated ÷ paid GPU-hours, not activity."),
    note=worded("Flagged when 100 \u00d7 used < 40 \u00d7 paid; exactly 40% is not."),
)
def utilization(used_gpu_hours: Operand, paid_gpu_hours: Operand) -> Operand:
    """Used over paid GPU-hours, 0 to 1; unknown without paid GPU-hours."""
    return share(used_gpu_hours, paid_gpu_hours)


@CONTRACT.figure(titles.UNDER_40, writing.FLAG, is_better="down", glossary=worded("Utilization under 40%"))
def below_40_percent(used_gpu_hours: Operand, paid_gpu_hours: Operand) -> Operand:
    """1 if utilization is below 40%, otherwise 0; compared in exact GPU time."""
    return is_below(100 * used_gpu_hours, FLAG_PERCENT * paid_gpu_hours)


@CONTRACT.figure(
    capital(worded("break-even utilization")),
    writing.SHARE,
    short=titles.BREAK_EVEN,
    phrase=worded("break-even utilization"),
    why="break_even",
    unknown=worded("Unknown: on demand, or no on-demand rate to compare"),
    glossary=worded("Above this utilization, a commitment beats on demand."),
    note=BOTH_RATES,
)
def break_even_utilization(committed_rate: Operand, on_demand_rate: Operand) -> Operand:
    """Utilization below which on-demand GPUs cost less: the paid rate over the cheapest on-demand rate that fits."""
    return committed_rate / on_demand_rate


@CONTRACT.figure(titles.PAID, writing.MONEY)
def paid_in_window(paid_gpu_hours: Operand, rate: Operand) -> Operand:
    """Cost of the lookback period, used or idle."""
    return priced(paid_gpu_hours, rate)


@CONTRACT.figure(titles.ALLOCATED, writing.MONEY)
def allocated_in_window(used_gpu_hours: Operand, full_rate: Operand) -> Operand:
    """Cost of the GPU-hours that served jobs, at the paid rate."""
    return priced(used_gpu_hours, full_rate)


@CONTRACT.figure(titles.UNUSED, writing.MONEY)
def unused_in_window(idle_gpu_hours: Operand, idle_rate: Operand) -> Operand:
    """Cost of idle GPUs; for take-or-pay at most the minimum."""
    return priced(idle_gpu_hours, idle_rate)


@CONTRACT.figure(
    titles.PAID,
    writing.MONEY_PER_MONTH,
    unknown=worded("Unknown: a contract has no rate. Enter it in Contracts."),
    json="cost_usd_per_month",
)
def paid_per_month(paid_in_window: Operand, months: Operand) -> Operand:
    """Cost per month of 730 h, used or idle."""
    return paid_in_window / months


@CONTRACT.figure(titles.COMMITTED, writing.MONEY_PER_MONTH)
def committed_per_month(paid_gpu_hours: Operand, committed_rate: Operand, months: Operand) -> Operand:
    """Cost of the commitment per month, used or idle; unknown for on-demand contracts."""
    return priced(paid_gpu_hours, committed_rate) / months


@CONTRACT.figure(ON_DEMAND, writing.MONEY_PER_MONTH)
def on_demand_per_month(paid_gpu_hours: Operand, on_demand_rate: Operand, months: Operand) -> Operand:
    """Cost of the same GPU-hours on demand, per month."""
    return priced(paid_gpu_hours, on_demand_rate) / months


@CONTRACT.figure(worded("Allocated to jobs"), writing.MONEY_PER_MONTH)
def allocated_per_month(allocated_in_window: Operand, months: Operand) -> Operand:
    """Cost of the GPU-hours that served jobs, per month."""
    return allocated_in_window / months


@CONTRACT.figure(
    titles.UNUSED,
    writing.MONEY_PER_MONTH,
    why="contract_unused",
    is_better="down",
    unknown=worded("Unknown: a contract has no rate. Enter it in Contracts."),
    glossary=worded("Cost of GPUs without a job."),
    note=IDLE_IS_PAID,
)
def unused_per_month(unused_in_window: Operand, months: Operand) -> Operand:
    """Idle cost per month."""
    return unused_in_window / months


CONTRACT_MONTH: Final = Subject("contract_month", (CONTRACT["gpus"], layer.HOURS_OF_MONTH, CONTRACT["rate"]))
"""A contract in a month through which it runs, whatever the window saw of it. Source: docs/formulas/totals.md."""


@CONTRACT_MONTH.figure(titles.COST, writing.MONEY_PER_MONTH, why="contract_usd", unknown=writing.QUOTE_NEEDED)
def cost_per_month(gpus: Operand, month_hours: Operand, rate: Operand) -> Operand:
    """Cost of a whole month, used or idle."""
    return gpus * month_hours * rate


@CONTRACT_MONTH.figure(
    worded("Not paid in the plan"), writing.MONEY_PER_MONTH, why="contract_usd", why_scope="ends"
)
def no_more_per_month(cost_per_month: Operand) -> Operand:
    """Change in cost if the contract ends; below 0."""
    return -1 * cost_per_month


HELD: Final = Subject(
    "held",
    (
        Figure(
            key="cost_per_month",
            title=titles.COST,
            unit=writing.MONEY_PER_MONTH,
            phrase=worded("cost per month"),
            why="held_usd",
        ),
        Figure(
            key="gpu_hours_per_month",
            title=titles.GPU_HOURS,
            unit=writing.GPU_HOURS_PER_MONTH,
            phrase=worded("its GPU-hours"),
            why="held_hours",
        ),
        phrased("activity", worded("activity"), writing.SHARE, why="held_activity"),
        Figure(
            key="night_gpu_hours",
            title=worded("GPU-hours at night and on weekends"),
            unit=writing.GPU_HOURS_PER_MONTH,
            phrase=worded("GPU-hours at night and on weekends"),
            why="held_nights",
            json="gpu_hours_per_month",
        ),
        Figure(
            key="known_idle_nights",
            title=worded("At least"),
            unit=writing.MONEY_PER_MONTH,
            json="at_least_usd_per_month",
            why="idle_nights_known",
        ),
    ),
)
"""A workload that holds GPUs, whether it does something with them or not."""


@HELD.figure(
    worded("Useful GPU-hour"),
    writing.RATE,
    is_better="down",
    unknown=worded("Unknown: some jobs have no activity."),
    json="usd_per_useful_gpu_hour",
    why="useful_rate",
)
def useful_rate(cost_per_month: Operand, gpu_hours_per_month: Operand, activity: Operand) -> Operand:
    """Cost per active GPU-hour."""
    return share(cost_per_month, gpu_hours_per_month * activity)


@HELD.figure(
    worded("Idle nights"),
    writing.MONEY_PER_MONTH,
    is_better="down",
    unknown=worded("Unknown: some jobs have no activity."),
    json="usd_per_month",
    why="idle_nights",
)
def idle_nights(
    night_gpu_hours: Operand, activity: Operand, cost_per_month: Operand, gpu_hours_per_month: Operand
) -> Operand:
    """Cost of inactive GPU-hours at night and on weekends."""
    return night_gpu_hours * (1 - activity) * share(cost_per_month, gpu_hours_per_month)
