"""Figures of a window: its use as a whole and by class, cluster or team, and how much of its log is there."""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.clusters import CLUSTER, cost_per_month, unallocated_per_month
from gpuplanner.domain.figures.figure import Figure, Formula, Operand, Subject, phrased, share
from gpuplanner.domain.figures.figure import share as share_of
from gpuplanner.domain.figures.unit_costs import RUN, mean_gpus
from gpuplanner.domain.figures.use import A_MONTH_IS, CONTRACT, utilization
from gpuplanner.domain.figures.writing import COUNT, GPU_HOURS, GPU_TIME, HOURS, MONEY_PER_MONTH, SHARE, Unit
from gpuplanner.domain.message import Message, Text, capital, worded
from gpuplanner.lazy_dataclass import replace

# --- Figures of the use of a window by one class, cluster, contract, GPU model or team: asked for, used, and what it
# cost
# Source of all formulas: docs/formulas/classes.md; docs/formulas/utilization.md.

ASKED: Final = replace(GPU_HOURS, label="GPU-h", short="")
A_MONTH: Final = replace(MONEY_PER_MONTH, short="")
"""$ per month where the short title says so."""
SHORT_MONTH: Final = worded("$ per\nmonth")


def share_of_all(gpu_hours: Operand, all_gpu_hours: Operand) -> Operand:
    """Share of all GPU-hours, 0 to 1."""
    return share_of(gpu_hours, all_gpu_hours)


CLASS: Final = Subject(
    "class",
    (
        Figure(key="workloads", title=worded("Workloads"), unit=COUNT, why="class_workloads"),
        Figure(key="jobs", title=worded("Jobs"), unit=COUNT, why="class_jobs"),
        Figure(
            key="gpu_hours",
            title=worded("Demand"),
            unit=GPU_HOURS,
            phrase=worded("class GPU-hours"),
            why="class_gpu_hours",
        ),
        Figure(
            key="all_gpu_hours",
            title=worded("All lookback GPU-hours"),
            unit=GPU_HOURS,
            phrase=worded("all lookback GPU-hours"),
        ),
        Figure(
            key="share",
            title=capital(worded("share of GPU-hours")),
            unit=SHARE,
            formula=share_of_all,
            short=worded("Share"),
            why="class_share",
            note=worded("Moving a card changes the workload's pool, not its class."),
        ),
        Figure(
            key="cost_per_month",
            title=titles.COST,
            unit=MONEY_PER_MONTH,
            why="class_cost",
            is_better="down",
            unknown=worded("Unknown: a rate is missing. Import contracts and prices."),
        ),
    ),
)
"""Training, inference or burst: the workloads that are taken for it, over the window."""


def gpu_hours(used_gpu_hours: Operand, overflow_gpu_hours: Operand) -> Operand:
    """GPU-hours of its jobs: served by contracts, plus overflow."""
    return used_gpu_hours + overflow_gpu_hours


def _of_view(figure: Figure, why: str = "") -> Figure:
    """A figure that can be asked about in a view: its id says which view, and which row of it."""
    return replace(figure, why=why, is_of_hours=bool(why))


USE: Final = Subject(
    "use",
    (
        _of_view(CONTRACT["used_gpu_hours"]),
        Figure(
            key="overflow_gpu_hours",
            title=CLUSTER["overflow_gpu_hours"].title,
            unit=GPU_HOURS,
            phrase=worded("overflow GPU-h"),
        ),
        Figure(
            key="gpu_hours",
            title=worded("Asked for"),
            unit=ASKED,
            formula=gpu_hours,
            short="GPU-h",
            phrase=worded("its GPU-h"),
        ),
        replace(CLASS["all_gpu_hours"], why=""),
        replace(CLASS["share"], formula=share_of_all, why="", note=""),
        phrased("hours", worded("lookback hours"), HOURS),
        replace(RUN["mean_gpus"], formula=mean_gpus, why=""),
        _of_view(replace(CLUSTER["paid_gpu_hours"], unknown="")),
        replace(
            CONTRACT["utilization"],
            why="use_utilization",
            is_better="",
            unknown=worded("Unknown: no paid GPUs here. Import the contract."),
            note=worded("Allocation, not activity."),
        ),
        CONTRACT["below_40_percent"],
        CONTRACT["committed_rate"],
        CONTRACT["on_demand_rate"],
        replace(
            CONTRACT["break_even_utilization"],
            why="use_break_even",
            is_of_hours=True,
            unknown=worded("Unknown: no on-demand price to compare. Import prices."),
            note=worded("Below this, on demand would cost less. Uses mean contract rates by paid GPU-hours."),
        ),
        replace(
            CLUSTER["activity"],
            why="use_activity",
            is_of_hours=True,
            is_better="",
            unknown=worded("Unknown: some GPU jobs have no activity. Import it from DCGM or a log."),
        ),
        CLUSTER["paid_in_window"],
        CONTRACT["months"],
        Figure(
            key="cost_per_month",
            title=CONTRACT["paid_per_month"].title,
            unit=A_MONTH,
            formula=cost_per_month,
            short=SHORT_MONTH,
            why="use_usd",
            is_of_hours=True,
            unknown=CONTRACT["paid_per_month"].unknown,
            note=A_MONTH_IS,
        ),
    ),
)
"""What one cluster, contract or GPU model was paid for and used, or all of them."""

TEAM: Final = Subject(
    "team",
    (
        _of_view(replace(USE["gpu_hours"], formula=None), "use_hours"),
        USE["all_gpu_hours"],
        _of_view(USE["share"], "use_share"),
        USE["hours"],
        _of_view(USE["mean_gpus"], "use_mean"),
        USE["activity"],
        Figure(
            key="cost_per_month",
            title=CLASS["cost_per_month"].title,
            unit=A_MONTH,
            short=SHORT_MONTH,
            why="use_usd",
            is_of_hours=True,
            unknown=worded("Unknown: a rate is missing. Import contracts and prices."),
        ),
    ),
)
"""A team, which has no GPUs of its own: what its workloads asked for, served or not."""


# --- Figures of a window as a whole: how much of what is paid was used, what it cost a month, what of that was unused
# Source of all formulas: docs/formulas/spend.md, Spend today.


def spend(spent_in_window: Operand, months: Operand) -> Operand:
    """Cost of contracts plus overflow at on-demand rates, per month."""
    return spent_in_window / months


def _input(figure: Figure) -> Figure:
    """A figure of another subject as this one takes it: its key, names and unit alone."""
    return Figure(key=figure.key, title=figure.title, unit=figure.unit, phrase=figure.phrase)


WINDOW: Final = Subject(
    "window",
    (
        _input(CONTRACT["paid_gpu_hours"]),
        _input(CONTRACT["used_gpu_hours"]),
        Figure(
            key="effective_utilization",
            title=worded("Effective utilization"),
            unit=SHARE,
            formula=utilization,
            why="utilization",
            is_of_hours=True,
            is_better="up",
            glossary=CONTRACT["utilization"].glossary,
            json="effective_utilization_now",
        ),
        _input(CLUSTER["spent_in_window"]),
        _input(CLUSTER["unallocated_in_window"]),
        CONTRACT["months"],
        Figure(
            key="spend",
            title=CLUSTER["spent_in_window"].title,
            unit=MONEY_PER_MONTH,
            formula=spend,
            why="spend",
            is_better="down",
            json="current_usd_per_month",
        ),
        Figure(
            key="unused_per_month",
            title=CONTRACT["unused_per_month"].title,
            unit=MONEY_PER_MONTH,
            formula=unallocated_per_month,
            why="contracts_unused",
            is_better="down",
            json="unused_now_usd_per_month",
        ),
    ),
)
"""All clusters over the window."""


# --- Figures of a calendar month of the log; each is that of an audit of the month alone ---------


def usd_share(class_usd: Operand, classes_usd: Operand) -> Operand:
    """Share of a class in the cost of all classes, 0 to 1."""
    return share_of(class_usd, classes_usd)


def _of_month(key: str, title: Text, unit: Unit = writing.MONEY_OF_SPAN, json: str = "") -> Figure:
    return Figure(key=key, title=title, unit=unit, json=json)


SERIES: Final = Subject(
    "series",
    (
        _of_month("gpu_hours", CLASS["gpu_hours"].title, writing.GPU_HOURS_IN_ALL),
        _of_month("paid_in_window", titles.PAID, json="paid_usd"),
        CONTRACT["months"],
        Figure(key="paid_per_month", title=titles.PAID, unit=MONEY_PER_MONTH, formula=cost_per_month),
        _of_month("utilization", CONTRACT["utilization"].title, SHARE),
        _of_month(
            "stranded_audit", CLUSTER["stranded_audit"].title, MONEY_PER_MONTH, "stranded_audit_usd_per_month"
        ),
        _of_month(
            "stranded_metered",
            CLUSTER["stranded_metered"].title,
            MONEY_PER_MONTH,
            "stranded_metered_usd_per_month",
        ),
        _of_month("class_usd", worded("Class cost")),
        _of_month("classes_usd", worded("Cost of all classes")),
        Figure(key="usd_share", title=worded("Spend share"), unit=SHARE, formula=usd_share),
        _of_month("experiments", worded("Experiment kinds"), COUNT),
        _of_month("found", worded("Leaks found"), json="leaks.found_usd"),
        _of_month("counted", worded("Leaks counted"), json="leaks.counted_usd"),
        _of_month("accepted", worded("Leaks accepted"), json="leaks.accepted_usd"),
        _of_month("dismissed", worded("Leaks dismissed"), json="leaks.dismissed_usd"),
    ),
)
"""A calendar month; $ are of its hours, but stranded spend, which is per month of 730 h as in the audit."""


# --- Figures of how much of a log is there: shares of its jobs, of their GPU time, and of its hours
# Source: docs/formulas/basics.md, Data quality.

OF_GPU_TIME: Final = replace(SHARE, per=worded("of the GPU time"))


def time_coverage(busy_hours: Operand, hours: Operand) -> Operand:
    """Hours with a job over all hours of the log."""
    return share(busy_hours, hours)


def id_coverage(with_id: Operand, jobs: Operand) -> Operand:
    """Share of jobs with an id."""
    return share(with_id, jobs)


def name_coverage(with_name: Operand, jobs: Operand) -> Operand:
    """Share of jobs with a name."""
    return share(with_name, jobs)


def user_coverage(with_user: Operand, jobs: Operand) -> Operand:
    """Share of jobs with an account or user."""
    return share(with_user, jobs)


def gpu_model_coverage(with_model: Operand, gpu_time: Operand) -> Operand:
    """Share of GPU time with a known GPU model."""
    return share(with_model, gpu_time)


def activity_coverage(with_activity: Operand, gpu_time: Operand) -> Operand:
    """Share of GPU time with a measured activity."""
    return share(with_activity, gpu_time)


def naive_time_share(naive: Operand, jobs: Operand) -> Operand:
    """Share of jobs whose times have no time zone."""
    return share(naive, jobs)


def zero_length_share(zero_length: Operand, jobs: Operand) -> Operand:
    """Share of jobs with a length of 0."""
    return share(zero_length, jobs)


def _share(key: str, title: Message, formula: Formula, unit: Unit = SHARE) -> Figure:
    return Figure(key=key, title=title, unit=unit, formula=formula, why="quality_share")


QUALITY: Final = Subject(
    "quality",
    (
        phrased("hours", worded("hours from first to last event"), COUNT),
        phrased("busy_hours", worded("hours with a job"), COUNT),
        Figure(
            key="jobs",
            title=worded("Imported jobs"),
            unit=COUNT,
            phrase=worded("imported jobs, all logs"),
            why="quality_jobs",
        ),
        phrased("with_id", worded("jobs with an id"), COUNT),
        phrased("with_name", worded("jobs with a name"), COUNT),
        phrased("with_user", worded("jobs with an account or user"), COUNT),
        phrased("naive", worded("jobs without a time zone"), COUNT),
        phrased("zero_length", worded("jobs without length"), COUNT),
        Figure(key="gpu_time", title=worded("GPU-hours of imported jobs"), unit=GPU_TIME),
        Figure(key="with_model", title=worded("GPU-hours of jobs with a GPU model"), unit=GPU_TIME),
        Figure(key="with_activity", title=worded("GPU-hours of jobs with known activity"), unit=GPU_TIME),
        Figure(
            key="time_coverage",
            title=worded("Hours with jobs"),
            unit=SHARE,
            formula=time_coverage,
            why="quality_hours",
            note=worded("Hours with a job that ran, started or ended."),
        ),
        _share("id_coverage", worded("Jobs with an id"), id_coverage),
        _share("name_coverage", worded("Jobs with a name"), name_coverage),
        _share("user_coverage", worded("Jobs with a user"), user_coverage),
        _share("gpu_model_coverage", worded("GPU-hours with a model"), gpu_model_coverage, OF_GPU_TIME),
        _share("activity_coverage", worded("GPU-hours with activity"), activity_coverage, OF_GPU_TIME),
        _share("naive_time_share", worded("Jobs without a time zone"), naive_time_share),
        _share("zero_length_share", worded("Jobs without length"), zero_length_share),
    ),
)
"""A log as a whole, also outside of the window."""
SHARES: Final = tuple(figure.key for figure in QUALITY.figures if figure.formula is not None)
"""Keys of what is worked out of it, each 0..1."""
