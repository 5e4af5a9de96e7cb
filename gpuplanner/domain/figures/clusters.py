"""Figures of a cluster: what is paid for it, what of that served jobs, and what of it is stranded, in two readings.

Source of all formulas: docs/formulas/utilization.md.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, if_enough, phrased, share
from gpuplanner.domain.figures.unit_costs import mean_gpus
from gpuplanner.domain.figures.use import A_MONTH_IS, CONTRACT, IDLE_IS_PAID, allocated_per_month, utilization
from gpuplanner.domain.figures.writing import GPU_HOURS, GPUS, HOURS, MONEY, MONEY_PER_MONTH, SHARE
from gpuplanner.domain.message import capital, joined, worded
from gpuplanner.lazy_dataclass import replace

ALLOCATION: Final = worded("Allocation, not activity.")
OVERFLOW: Final = titles.OVERFLOW
TOO_FEW: Final = worded(
    "Unknown: too few hours without training (under 5%, or under both a week and half the period)."
)
OF_THOSE_HOURS: Final = "idle"
"""The scope of figures that are about hours without training."""

CLUSTER: Final = Subject(
    "cluster",
    (
        replace(
            CONTRACT["paid_gpu_hours"],
            formula=None,
            why="paid_hours",
            glossary="",
            note="",
            json="capacity_gpu_hours",
        ),
        replace(CONTRACT["used_gpu_hours"], why="used", unknown="", glossary=""),
        replace(
            CONTRACT["utilization"],
            why="utilization",
            unknown=worded("Unknown: no contract for this cluster. Import one."),
            note=ALLOCATION,
        ),
        CONTRACT["below_40_percent"],
        phrased(
            "activity",
            worded("activity"),
            SHARE,
            why="activity",
            is_better="up",
            unknown=worded("Unknown: some jobs have no activity."),
            glossary=worded("Activity of allocated GPUs, weighted by GPU time."),
        ),
        Figure(key="training_hours", title=worded("Hours with training"), unit=HOURS),
        Figure(
            key="non_training_hours",
            title=worded("Hours without training"),
            unit=HOURS,
            short=worded("Hours without\ntraining"),
            why="idle_hours",
        ),
        Figure(
            key="non_training_used_gpu_hours",
            title=worded("Used without training"),
            unit=GPU_HOURS,
            phrase=worded("used without training"),
            why="used",
            why_scope=OF_THOSE_HOURS,
        ),
        Figure(
            key="non_training_paid_gpu_hours",
            title=worded("Paid without training"),
            unit=GPU_HOURS,
            phrase=worded("paid without training"),
            why="paid_hours",
            why_scope=OF_THOSE_HOURS,
            json="non_training_capacity_gpu_hours",
        ),
        Figure(key="overflow_gpu_hours", title=OVERFLOW, unit=GPU_HOURS, is_better="down"),
        Figure(key="overflow_in_window", title=OVERFLOW, unit=MONEY),
        Figure(
            key="eligible_overflow_in_window",
            title=worded("Overflow at fitting on-demand rates"),
            unit=MONEY,
            phrase=worded("overflow at fitting on-demand rates"),
        ),
        Figure(key="paid_in_window", title=CONTRACT["paid_in_window"].title, unit=MONEY),
        Figure(key="allocated_in_window", title=CONTRACT["allocated_in_window"].title, unit=MONEY),
        Figure(key="unallocated_in_window", title=titles.IDLE_COST, unit=MONEY),
        Figure(
            key="non_training_unallocated_in_window",
            title=worded("Idle cost without training"),
            unit=MONEY,
            phrase=worded("idle cost without training"),
        ),
        CONTRACT["months"],
        Figure(
            key="allocated_per_month",
            title=CONTRACT["allocated_per_month"].title,
            unit=MONEY_PER_MONTH,
            formula=allocated_per_month,
            why="served",
            is_of_hours=True,
            note=A_MONTH_IS,
        ),
    ),
)
"""A cluster over the window."""


@CLUSTER.figure(titles.MEAN_PAID_GPUS, GPUS)
def mean_paid_gpus(paid_gpu_hours: Operand, training_hours: Operand, non_training_hours: Operand) -> Operand:
    """Mean of the GPUs paid in the lookback period."""
    return mean_gpus(paid_gpu_hours, training_hours + non_training_hours)


@CLUSTER.figure(
    worded("Utilization without training"),
    SHARE,
    short=worded("In hours\nwithout training"),
    why="utilization",
    why_scope=OF_THOSE_HOURS,
    unknown=TOO_FEW,
    glossary=worded("Utilization in hours without a training job."),
)
def non_training_utilization(
    training_hours: Operand,
    non_training_hours: Operand,
    non_training_used_gpu_hours: Operand,
    non_training_paid_gpu_hours: Operand,
) -> Operand:
    """Utilization in hours without training; unknown if such hours are too few."""
    return if_enough(
        non_training_hours,
        training_hours,
        utilization(non_training_used_gpu_hours, non_training_paid_gpu_hours),
    )


@CLUSTER.figure(
    capital(worded("idle share without training")),
    SHARE,
    phrase=worded("idle share without training"),
    why="utilization",
    why_scope=OF_THOSE_HOURS,
)
def non_training_idle_share(
    training_hours: Operand,
    non_training_hours: Operand,
    non_training_used_gpu_hours: Operand,
    non_training_paid_gpu_hours: Operand,
) -> Operand:
    """Idle share of the GPU-hours paid in hours without training, 0 to 1."""
    return if_enough(
        non_training_hours,
        training_hours,
        share(non_training_paid_gpu_hours - non_training_used_gpu_hours, non_training_paid_gpu_hours),
    )


@CLUSTER.figure(titles.SPEND, MONEY)
def spent_in_window(paid_in_window: Operand, eligible_overflow_in_window: Operand) -> Operand:
    """Cost of contracts, plus overflow at the cheapest eligible on-demand rates."""
    return paid_in_window + eligible_overflow_in_window


@CLUSTER.figure(capital(worded("useful")), MONEY, phrase=worded("useful"))
def useful_in_window(allocated_in_window: Operand, activity: Operand) -> Operand:
    """Cost of active GPU time; known only if every GPU job has an activity."""
    return allocated_in_window * activity


@CLUSTER.figure(worded("Allocated but idle"), MONEY)
def allocated_idle_in_window(allocated_in_window: Operand, useful_in_window: Operand) -> Operand:
    """Cost of GPU time that was allocated but inactive."""
    return allocated_in_window - useful_in_window


@CLUSTER.figure(
    titles.COST,
    MONEY_PER_MONTH,
    phrase=worded("cost"),
    why="cost",
    glossary=worded("Monthly cost of all contracts, used or not"),
    note=joined((worded("Paid, used or not."), A_MONTH_IS), " "),
    json="cost_usd_per_month",
)
def cost_per_month(paid_in_window: Operand, months: Operand) -> Operand:
    """Cost per month of 730 h, used or idle."""
    return paid_in_window / months


@CLUSTER.figure(
    CONTRACT["unused_per_month"].title,
    MONEY_PER_MONTH,
    why="idle",
    is_of_hours=True,
    is_better="down",
    note=IDLE_IS_PAID,
)
def unallocated_per_month(unallocated_in_window: Operand, months: Operand) -> Operand:
    """Idle cost per month of 730 h."""
    return unallocated_in_window / months


@CLUSTER.figure(
    worded("Stranded (metered)"),
    MONEY_PER_MONTH,
    short=worded("Stranded\n(metered)"),
    phrase=worded("stranded (metered)"),
    why="idle",
    why_scope=OF_THOSE_HOURS,
    is_better="down",
    glossary=worded("Paid, not allocated, in hours without training: adds up to the invoice"),
    note=joined(
        (worded("With allocated cost and idle cost during training it equals the invoice."), IDLE_IS_PAID),
        " ",
    ),
    json="metered_usd_per_month",
)
def stranded_metered(non_training_unallocated_in_window: Operand, months: Operand) -> Operand:
    """Idle cost in hours without training, per month; part of the invoice."""
    return non_training_unallocated_in_window / months


@CLUSTER.figure(
    worded("Stranded (audit estimate)"),
    MONEY_PER_MONTH,
    short=worded("Stranded\n(audit estimate)"),
    phrase=worded("stranded (audit estimate)"),
    why="stranded_audit",
    is_better="down",
    unknown=TOO_FEW,
    glossary=worded("Σ over clusters ((1 − used share in hours without training) × cost)"),
    note=worded("Treats every hour as one without training; metered counts only those."),
    json="audit_usd_per_month",
)
def stranded_audit(non_training_idle_share: Operand, cost_per_month: Operand) -> Operand:
    """Idle share of the hours without training, applied to the whole cost."""
    return non_training_idle_share * cost_per_month


@CLUSTER.figure(worded("Literal: U \u00d7 cost"), MONEY_PER_MONTH)
def literal_reading(non_training_utilization: Operand, cost_per_month: Operand) -> Operand:
    """Used share of the cost, as the audit formula is written; this is not stranded."""
    return non_training_utilization * cost_per_month


@CLUSTER.figure(
    OVERFLOW,
    MONEY_PER_MONTH,
    why="overflow",
    is_better="down",
    note=joined((worded("Separate from paid cost, never part of it."), A_MONTH_IS), " "),
)
def overflow_per_month(eligible_overflow_in_window: Operand, months: Operand) -> Operand:
    """Overflow at the cheapest eligible on-demand rates, per month."""
    return eligible_overflow_in_window / months


@CLUSTER.figure(
    worded("Idle while training ran"),
    MONEY_PER_MONTH,
    why="idle",
    why_scope="busy",
    note=joined((worded("Not stranded: training may need the free GPUs."), A_MONTH_IS), " "),
)
def idle_while_training(unallocated_per_month: Operand, stranded_metered: Operand) -> Operand:
    """Idle cost in hours with training; not stranded."""
    return unallocated_per_month - stranded_metered


@CLUSTER.figure(
    worded("Scaled to all hours"),
    MONEY_PER_MONTH,
    why="scaled",
    glossary=worded("Added by treating every hour as without training; not invoiced"),
    note=worded("Idle share of hours without training, applied to every hour."),
)
def scaled_to_all_hours(stranded_audit: Operand, stranded_metered: Operand) -> Operand:
    """Difference of the two stranded figures; may be below 0."""
    return stranded_audit - stranded_metered
