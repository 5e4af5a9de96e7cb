"""Figures of what changed between two periods, and of a plan against what came."""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, phrased, share
from gpuplanner.domain.figures.writing import (
    GPU_HOURS,
    GPUS,
    HOURS,
    MONEY,
    MONEY_IN_ALL,
    MONEY_PER_MONTH,
    RATE,
)
from gpuplanner.domain.message import Message, capital, worded
from gpuplanner.lazy_dataclass import replace

# --- Figures of what changed between two periods: volume, efficiency and price, of clusters, workloads and contracts
# Source of all formulas: docs/formulas/variance.md. Where a formula would divide by nothing, the rates that stand in
# are chosen (domain/audit/variance.py) and are inputs here.

A_MONTH: Final = replace(MONEY_PER_MONTH, label="", short="")
HOURS_OF_GPUS: Final = replace(GPU_HOURS, label="", short="", per="")
GPU_HOURS_A_MONTH: Final = replace(writing.GPU_HOURS_PER_MONTH, short=writing.A_MONTH, per=writing.A_MONTH)
HOURS_A_MONTH: Final = replace(writing.HOURS_A_MONTH, key="exact")


def efficiency_per_month(
    idle_after: Operand, idle_before: Operand, idle_scale: Operand, idle_rate: Operand
) -> Operand:
    """Change in idle GPU-hours beyond the growth of use, at the earlier idle rate."""
    return (idle_after - idle_before * idle_scale) * idle_rate


def _gpu_hours_a_month(key: str, title: Message) -> Figure:
    """An input in GPU-hours a month, for headings that say so once."""
    return Figure(key=key, title=title, unit=GPU_HOURS_A_MONTH)


USED_BEFORE: Final = _gpu_hours_a_month("used_before", worded("used before"))
USED_AFTER: Final = _gpu_hours_a_month("used_after", worded("used after"))
PAID_BEFORE: Final = _gpu_hours_a_month("paid_before", worded("paid before"))
PAID_AFTER: Final = _gpu_hours_a_month("paid_after", worded("paid after"))
IDLE_BEFORE: Final = _gpu_hours_a_month("idle_before", worded("idle before"))
IDLE_AFTER: Final = _gpu_hours_a_month("idle_after", worded("idle after"))
COST_BEFORE: Final = Figure(
    key="cost_before",
    title=worded("Before"),
    unit=A_MONTH,
    why="changed",
    why_scope="before",
    json="before_usd_per_month",
)
COST_AFTER: Final = Figure(
    key="cost_after",
    title=worded("After"),
    unit=A_MONTH,
    why="changed",
    why_scope="after",
    json="after_usd_per_month",
)
USED_RATE: Final = Figure(key="used_rate", title=worded("cost of a used GPU-hour before"), unit=RATE)
IDLE_RATE: Final = Figure(key="idle_rate", title=worded("cost of an idle GPU-hour"), unit=RATE)
IDLE_SCALE: Final = Figure(key="idle_scale", title=worded("use growth"), unit=writing.TIMES)
PRICE_BEFORE: Final = Figure(key="price_before", title=worded("mean rate before"), unit=RATE)

PERIOD: Final = Subject(
    "period",
    (
        Figure(key="used_gpu_hours", title=titles.USED, unit=HOURS_OF_GPUS),
        Figure(key="paid_gpu_hours", title=titles.PAID, unit=HOURS_OF_GPUS),
        phrased("paid_cost", worded("paid in period"), MONEY),
        phrased("hours", worded("period hours"), HOURS),
        phrased("hours_per_month", worded("hours in a month"), HOURS_A_MONTH),
        Figure(key="overflow_cost", title=titles.OVERFLOW, unit=MONEY),
    ),
)
"""A cluster, or one of its contracts, in one period."""


@PERIOD.figure(worded("Paid per used"), writing.TIMES)
def inefficiency(paid_gpu_hours: Operand, used_gpu_hours: Operand) -> Operand:
    """Paid over used GPU-hours; unknown without used GPU-hours."""
    return share(paid_gpu_hours, used_gpu_hours)


@PERIOD.figure(RATE.label, RATE)
def rate(paid_cost: Operand, paid_gpu_hours: Operand) -> Operand:
    """Mean rate per paid GPU-hour."""
    return share(paid_cost, paid_gpu_hours)


@PERIOD.figure(worded("$ per GPU-hour used"), RATE)
def cost_of_used(inefficiency: Operand, rate: Operand) -> Operand:
    """Cost per used GPU-hour, idle hours included."""
    return inefficiency * rate


@PERIOD.figure(
    titles.COST,
    A_MONTH,
    why="changed",
    note=worded("Contract GPU-hours × rates, used or not, without overflow."),
    is_of_hours=True,
)
def cost_per_month(paid_cost: Operand, hours_per_month: Operand, hours: Operand) -> Operand:
    """Cost of a period, per month of 730 h."""
    return paid_cost * hours_per_month / hours


@PERIOD.figure(titles.USED, GPU_HOURS_A_MONTH)
def used_per_month(used_gpu_hours: Operand, hours_per_month: Operand, hours: Operand) -> Operand:
    """GPU-hours served by contracts, per month."""
    return used_gpu_hours * hours_per_month / hours


@PERIOD.figure(titles.PAID, GPU_HOURS_A_MONTH)
def paid_per_month(paid_gpu_hours: Operand, hours_per_month: Operand, hours: Operand) -> Operand:
    """GPU-hours paid, per month."""
    return paid_gpu_hours * hours_per_month / hours


@PERIOD.figure(titles.IDLE, GPU_HOURS_A_MONTH)
def idle_per_month(paid_per_month: Operand, used_per_month: Operand) -> Operand:
    """Idle GPU-hours per month."""
    return paid_per_month - used_per_month


CHANGE: Final = Subject(
    "change",
    (
        COST_BEFORE,
        COST_AFTER,
        USED_BEFORE,
        USED_AFTER,
        PAID_AFTER,
        IDLE_BEFORE,
        IDLE_AFTER,
        USED_RATE,
        IDLE_RATE,
        IDLE_SCALE,
        PRICE_BEFORE,
        Figure(
            key="efficiency_per_month",
            title=worded("Efficiency"),
            unit=A_MONTH,
            formula=efficiency_per_month,
            glossary=worded("Paid ÷ used GPU-hours"),
            why="changed",
            why_scope="efficiency",
        ),
    ),
)
"""A cluster from one period to the next, or all of them."""


@CHANGE.figure(worded("Change"), A_MONTH)
def change_per_month(cost_after: Operand, cost_before: Operand) -> Operand:
    """Change in cost per month."""
    return cost_after - cost_before


@CHANGE.figure(
    worded("Volume"), A_MONTH, glossary=worded("Change in used GPU-hours"), why="changed", why_scope="volume"
)
def volume_per_month(used_after: Operand, used_before: Operand, used_rate: Operand) -> Operand:
    """Change in used GPU-hours, at the earlier cost per used GPU-hour."""
    return (used_after - used_before) * used_rate


@CHANGE.figure(
    worded("Price"), A_MONTH, glossary=worded("$ per paid GPU-hour"), why="changed", why_scope="price"
)
def price_per_month(cost_after: Operand, paid_after: Operand, price_before: Operand) -> Operand:
    """Cost less the same GPU-hours at the earlier rate."""
    return cost_after - paid_after * price_before


@CHANGE.figure(worded("Mix"), A_MONTH)
def mix_per_month(
    volume_per_month: Operand, used_after: Operand, used_before: Operand, cost_before: Operand
) -> Operand:
    """Volume less the volume if all clusters had grown by the same share."""
    return volume_per_month - (used_after - used_before) * share(cost_before, used_before)


CELLS: Final = ("cost_before", "volume_per_month", "efficiency_per_month", "price_per_month", "cost_after")
"""Keys of CHANGE from the first period to the second, as tables and the waterfall have them."""

WORKLOAD_CHANGE: Final = Subject("workload_change", (USED_BEFORE, USED_AFTER, USED_RATE))
"""A workload's part of a cluster's volume; asked about with the scope of its cluster."""


@WORKLOAD_CHANGE.figure(
    worded("Added GPU-hours"),
    GPU_HOURS_A_MONTH,
    key="gpu_hours_per_month",
    short="GPU-h",
    phrase=worded("Added GPU-hours per month"),
    why="volume_hours",
    is_of_hours=True,
)
def more_used(used_after: Operand, used_before: Operand) -> Operand:
    """Change in used GPU-hours of a workload."""
    return used_after - used_before


@WORKLOAD_CHANGE.figure(
    worded("Volume"),
    A_MONTH,
    key="volume_per_month",
    short=worded("$ per\nmonth"),
    why="volume_usd",
    json="usd_per_month",
    is_of_hours=True,
)
def volume_of_workload(gpu_hours_per_month: Operand, used_rate: Operand) -> Operand:
    """Part of the workload in the volume of its cluster."""
    return gpu_hours_per_month * used_rate


CONTRACT_CHANGE: Final = Subject(
    "contract_change",
    (
        PAID_BEFORE,
        PAID_AFTER,
        IDLE_BEFORE,
        IDLE_AFTER,
        Figure(key="paid_growth", title=worded("growth of paid GPU-hours"), unit=writing.TIMES),
        IDLE_SCALE,
        IDLE_RATE,
        Figure(key="own_rate", title=worded("its rate"), unit=RATE),
        PRICE_BEFORE,
        Figure(
            key="efficiency_per_month",
            title=worded("Efficiency"),
            unit=A_MONTH,
            formula=efficiency_per_month,
            short=worded("Efficiency, $\nper month"),
            why="contract_change",
            why_scope="efficiency",
            note=worded("Share of the cluster's change in paid ÷ used, by change in idle time"),
        ),
    ),
)
"""A contract's parts of efficiency and price."""


@CONTRACT_CHANGE.figure(titles.PAID_GPU_HOURS, GPU_HOURS_A_MONTH, key="paid_gpu_hours_per_month")
def more_paid(paid_after: Operand, paid_before: Operand) -> Operand:
    """Change in paid GPU-hours."""
    return paid_after - paid_before


@CONTRACT_CHANGE.figure(
    titles.IDLE,
    GPU_HOURS_A_MONTH,
    key="idle_gpu_hours_per_month",
    short=capital(worded("idle GPU-h")),
    why="contract_change",
    why_scope="idle",
)
def more_idle(idle_after: Operand, idle_before: Operand) -> Operand:
    """Change in idle GPU-hours."""
    return idle_after - idle_before


@CONTRACT_CHANGE.figure(
    worded("Price"),
    A_MONTH,
    key="price_per_month",
    short=worded("Price, $\nper month"),
    why="contract_change",
    why_scope="price",
    note=worded("Share of the cluster's rate change, by paid GPU-hours"),
)
def price_of_contract(
    paid_after: Operand, paid_before: Operand, paid_growth: Operand, own_rate: Operand, price_before: Operand
) -> Operand:
    """Part of a contract in the price step: growth of its share, times its rate above the earlier mean."""
    return (paid_after - paid_before * paid_growth) * (own_rate - price_before)


# --- Figures of a plan against what came: what moved its cost, and what is left of each contract
# Source of the formulas: docs/formulas/backtest.md, Track.


TRACK_WORKLOAD: Final = Subject(
    "track_workload",
    (
        Figure(key="planned_gpu_hours", title=worded("Planned GPU-h"), unit=GPU_HOURS),
        Figure(key="came_gpu_hours", title=worded("Actual GPU-h"), unit=GPU_HOURS),
        Figure(key="planned_rate", title=worded("Planned rate"), unit=RATE),
    ),
)
"""A workload against its plan."""


@TRACK_WORKLOAD.figure(worded("More, at the plan's mean rate"), MONEY_IN_ALL, why="track_more", json="usd")
def more(planned_gpu_hours: Operand, came_gpu_hours: Operand, planned_rate: Operand) -> Operand:
    """Actual less planned GPU-hours, at the mean rate of the plan."""
    return (came_gpu_hours - planned_gpu_hours) * planned_rate


NO_END: Final = worded("No end: the notice period decides")
BURN_DOWN: Final = Subject(
    "burn_down",
    (
        Figure(key="gpus", title="GPUs", unit=GPUS),
        phrased("rate", worded("rate"), RATE),
        Figure(key="life_hours", title=worded("Life in hours"), unit=HOURS),
        Figure(key="left_hours", title=worded("Hours left"), unit=HOURS),
        Figure(
            key="used_gpu_hours",
            title=titles.USED,
            unit=GPU_HOURS,
            phrase=worded("used GPU-h"),
            why="burn_used_hours",
        ),
    ),
)
"""One contract at the end of what was logged: over its life, and from then to its end."""


@BURN_DOWN.figure(
    titles.COMMITTED,
    GPU_HOURS,
    phrase=worded("committed GPU-hours"),
    why="burn_committed_hours",
    unknown=NO_END,
)
def committed_gpu_hours(gpus: Operand, life_hours: Operand) -> Operand:
    """GPU-hours from the start of the contract to its end."""
    return gpus * life_hours


@BURN_DOWN.figure(worded("GPU-hours left"), GPU_HOURS, unknown=NO_END)
def left_gpu_hours(gpus: Operand, left_hours: Operand) -> Operand:
    """GPU-hours left to the end of the contract."""
    return gpus * left_hours


@BURN_DOWN.figure(titles.TOTAL_COMMITMENT, MONEY_IN_ALL, unknown=NO_END)
def committed_cost(committed_gpu_hours: Operand, rate: Operand) -> Operand:
    """Total commitment of the contract."""
    return committed_gpu_hours * rate


@BURN_DOWN.figure(titles.USED, MONEY_IN_ALL)
def used_cost(used_gpu_hours: Operand, rate: Operand) -> Operand:
    """Cost of the used GPU-hours."""
    return used_gpu_hours * rate


@BURN_DOWN.figure(
    titles.REMAINING_COMMITMENT, MONEY_IN_ALL, why="burn_left", is_better="down", unknown=NO_END
)
def left_cost(left_gpu_hours: Operand, rate: Operand) -> Operand:
    """Remaining commitment."""
    return left_gpu_hours * rate


TRACK: Final = Subject(
    "track",
    (
        Figure(
            key="planned",
            title=capital(worded("as planned")),
            unit=MONEY,
            short=titles.THE_PLAN,
            is_better="down",
        ),
        Figure(key="actual", title=worded("Actual"), unit=MONEY, short=titles.PAID, is_better="down"),
        phrased("before", worded("before it"), MONEY),
        phrased("after", worded("with it"), MONEY),
        Figure(key="level", title=worded("Then at"), unit=MONEY, is_better="down"),
        Figure(
            key="advice_now",
            title=worded("Plan recalculated"),
            unit=MONEY_PER_MONTH,
            is_better="down",
            json="advice_now_usd",
        ),
        Figure(key="hindsight", title=worded("Bought in hindsight"), unit=MONEY, is_better="down"),
    ),
)
"""A plan over the time that is compared. moved: by one cause, below 0 it cost less, from what a place
costs before it to what it costs with it; level: what all of it then comes to."""


@TRACK.figure(worded("Effect"), MONEY, why="track_moved", is_better="down", json="usd")
def moved(after: Operand, before: Operand) -> Operand:
    """Change in cost from one cause; below 0 it cost less."""
    return after - before


TRACK_QUARTER: Final = Subject(
    "track_quarter",
    (
        Figure(key="planned", title=TRACK["planned"].title, unit=MONEY, is_better="down"),
        Figure(key="demand", title=worded("Demand"), unit=MONEY, is_better="down"),
        Figure(key="mix", title=CHANGE["mix_per_month"].title, unit=MONEY, is_better="down"),
        Figure(key="decision", title=worded("Decision"), unit=MONEY, is_better="down"),
        Figure(key="price", title=worded("Price"), unit=MONEY, is_better="down"),
        Figure(key="rest", title=worded("Rest"), unit=MONEY, is_better="down"),
    ),
)
"""One calendar quarter of the time that is compared: what was planned, what each cause moved, and what came of both."""


@TRACK_QUARTER.figure(TRACK["actual"].title, MONEY, key="actual", why="track_quarter", is_better="down")
def came(
    planned: Operand, demand: Operand, mix: Operand, decision: Operand, price: Operand, rest: Operand
) -> Operand:
    """Actual cost of a quarter: planned cost plus each cause."""
    return planned + demand + mix + decision + price + rest
