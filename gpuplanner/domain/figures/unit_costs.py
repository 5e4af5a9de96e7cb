"""Figures of what single things cost: a training run, a model, an endpoint, an experiment, an order."""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, phrased, share
from gpuplanner.domain.figures.writing import (
    COUNT,
    DAYS,
    GPU_HOURS,
    GPU_HOURS_IN_ALL,
    GPUS,
    HOURS,
    KG,
    KG_PER_MONTH,
    KWH,
    KWH_PER_MONTH,
    MONEY,
    MONEY_EACH,
    MONEY_PER_MONTH,
    MONTHS,
    RATE,
    SHARE,
    Unit,
)
from gpuplanner.domain.figures.writing import MONEY_IN_ALL as IN_ALL
from gpuplanner.domain.message import capital, worded
from gpuplanner.lazy_dataclass import replace

# --- Figures of what single things cost: a training run, a model, an endpoint and its premium, an experiment
# What a thing cost hour by hour is an input. Source of all formulas: docs/formulas/unit-costs.md.

MILLION: Final = 1e6

OF_THE_RUN: Final = replace(MONEY, label="", short="", per=worded("for the whole run"))
A_MONTH: Final = replace(MONEY_PER_MONTH, label="", short="")
"""$ per month where the heading says so."""
KWH_OF_THE_RUN: Final = replace(KWH, label="", short="")
"""kWh where the heading says so."""
HOURS_OF_GPUS: Final = replace(GPU_HOURS, label="", short="", per="")
"""GPU-hours where the heading says of when."""
EACH: Final = Unit(key="rate", dimension=MONEY.dimension)
"""Money for each of what the title names."""


def _gpu_hours(why: str = "") -> Figure:
    """GPU-hours of a thing over the window. why: the kind of figure that its explanation opens."""
    return Figure(
        key="gpu_hours",
        title=titles.GPU_HOURS,
        unit=HOURS_OF_GPUS,
        short="GPU-h",
        phrase=titles.GPU_HOURS_IN_THE_WINDOW,
        why=why,
    )


def _cost_per_month(why: str) -> Figure:
    """Cost of a thing in $ a month. why: the kind of figure that its explanation opens."""
    return phrased("cost_per_month", worded("cost"), A_MONTH, short=worded("$ per\nmonth"), why=why)


MONTHS_OF_WINDOW: Final = Figure(
    key="months", title=titles.MONTHS_OF_THE_WINDOW, unit=MONTHS, phrase=worded("lookback months (730 h)")
)

WORKLOAD_GPU_HOURS: Final = Figure(
    key="workload_gpu_hours",
    title=titles.GPU_HOURS_OF_THE_WORKLOAD,
    unit=HOURS_OF_GPUS,
    phrase=worded("all its GPU-hours"),
)

RUN: Final = Subject(
    "run",
    (
        Figure(
            key="gpu_hours",
            title=titles.GPU_HOURS,
            unit=HOURS_OF_GPUS,
            short="GPU-h",
            phrase=worded("run GPU-hours"),
            why="run_hours",
        ),
        Figure(key="hours", title=worded("Run hours"), unit=HOURS, phrase=worded("hours it ran")),
        Figure(key="cost", title=titles.COST, unit=OF_THE_RUN, short=worded("$ of\nthe run"), why="run_usd"),
        phrased("workload_kwh_per_month", worded("workload energy"), KWH_PER_MONTH),
        Figure(
            key="workload_kg_per_month",
            title=worded("workload CO2"),
            unit=KG_PER_MONTH,
            phrase=worded("workload CO2"),
        ),
        phrased("months", worded("lookback months (730 h)"), MONTHS),
        WORKLOAD_GPU_HOURS,
    ),
)
"""A training run."""


@RUN.figure(titles.MEAN_GPUS, GPUS, short=worded("Mean\nGPUs"), why="run_gpus")
def mean_gpus(gpu_hours: Operand, hours: Operand) -> Operand:
    """Mean GPUs in use; for a run from its first hour to its last."""
    return gpu_hours / hours


@RUN.figure(worded("$ per GPU-hour"), RATE)
def mean_rate(cost: Operand, gpu_hours: Operand) -> Operand:
    """Mean rate of the run."""
    return cost / gpu_hours


@RUN.figure(worded("Run energy"), KWH_OF_THE_RUN, short="kWh", why="run_kwh", json="kwh")
def run_kwh(
    workload_kwh_per_month: Operand, months: Operand, gpu_hours: Operand, workload_gpu_hours: Operand
) -> Operand:
    """Energy of the run: the energy of its workload, shared by GPU time."""
    return workload_kwh_per_month * months * share(gpu_hours, workload_gpu_hours)


@RUN.figure(worded("Run CO2"), KG, why="run_co2", json="kg_co2")
def run_kg_co2(
    workload_kg_per_month: Operand, months: Operand, gpu_hours: Operand, workload_gpu_hours: Operand
) -> Operand:
    """CO2 of the run, shared the same way."""
    return workload_kg_per_month * months * share(gpu_hours, workload_gpu_hours)


MODEL_PART: Final = Subject(
    "model_part",
    (
        _gpu_hours("part_hours"),
        WORKLOAD_GPU_HOURS,
        phrased("workload_cost_per_month", worded("workload cost"), MONEY_PER_MONTH),
    ),
)
"""What one workload spent on a model."""


@MODEL_PART.figure(worded("Share"), SHARE, phrase=worded("its share"))
def share_of_workload(gpu_hours: Operand, workload_gpu_hours: Operand) -> Operand:
    """Share of the model in the GPU time of the workload."""
    return share(gpu_hours, workload_gpu_hours)


@MODEL_PART.figure(
    titles.COST,
    A_MONTH,
    key="cost_per_month",
    short=worded("$ per\nmonth"),
    why="part_usd",
    note=worded("Workload cost ÷ GPU time of its models."),
)
def part_cost_per_month(workload_cost_per_month: Operand, share_of_workload: Operand) -> Operand:
    """Cost of the workload, shared by GPU time."""
    return workload_cost_per_month * share_of_workload


MODEL_COST: Final = Subject(
    "model",
    (
        Figure(key="workloads", title=worded("Workloads"), unit=COUNT, why="model_workloads"),
        _gpu_hours("model_hours"),
        _cost_per_month("model_usd"),
    ),
)
"""A model: sums over its workloads."""

TRAFFIC: Final = Subject(
    "traffic",
    (
        phrased("cost", worded("cost in that time"), MONEY),
        phrased("context_tokens", worded("tokens read"), COUNT),
        phrased("generated_tokens", worded("tokens generated"), COUNT),
    ),
)
"""Tokens of an endpoint in the time that traffic and window share."""


@TRAFFIC.figure(titles.TOKENS, COUNT, phrase=worded("tokens, read and generated"))
def tokens(context_tokens: Operand, generated_tokens: Operand) -> Operand:
    """Tokens read and generated."""
    return context_tokens + generated_tokens


@TRAFFIC.figure(
    worded("$ per 1M tokens"),
    EACH,
    short=worded("$ per 1M\ntokens"),
    why="endpoint_tokens",
    note=worded("For the time with traffic and log."),
    json="usd_per_million_tokens",
)
def cost_per_million_tokens(cost: Operand, tokens: Operand) -> Operand:
    """Cost of a million tokens, over the time of the traffic file."""
    return share(cost, tokens) * MILLION


@TRAFFIC.figure(worded("$ per 1M generated"), EACH, json="usd_per_million_generated_tokens")
def cost_per_million_generated_tokens(cost: Operand, generated_tokens: Operand) -> Operand:
    """The same cost over generated tokens only."""
    return share(cost, generated_tokens) * MILLION


EQUAL_TERMS: Final = Subject(
    "equal_terms",
    (
        Figure(key="served_gpu_hours", title=titles.GPU_HOURS, unit=HOURS_OF_GPUS, short="GPU-h"),
        Figure(key="rate", title=titles.RATE, unit=RATE),
        Figure(key="utilization", title=titles.UTILIZATION, unit=SHARE),
    ),
)
"""GPU-hours that one contract served, or that an offer would serve."""


@EQUAL_TERMS.figure(worded("Including idle cost"), MONEY)
def cost_with_idle(served_gpu_hours: Operand, rate: Operand, utilization: Operand) -> Operand:
    """Cost of GPU-hours including their share of idle hours."""
    return served_gpu_hours * rate / utilization


PREMIUM: Final = Subject(
    "premium",
    (
        Figure(key="compared_gpu_hours", title=titles.GPU_HOURS, unit=HOURS_OF_GPUS),
        Figure(key="paid_rate", title=titles.PAID, unit=RATE, json="usd_per_gpu_hour"),
        Figure(key="offer_rate", title=worded("Offer"), unit=RATE),
        phrased("paid_in_window", worded("paid for its contracts"), MONEY, why="endpoint_paid"),
        Figure(
            key="offer_in_window",
            title=worded("At the offer"),
            unit=MONEY,
            phrase=worded("the same at the offer"),
            why="endpoint_at_offer",
        ),
        MONTHS_OF_WINDOW,
    ),
)
"""What an endpoint pays beside the cheapest offer that fits it."""


@PREMIUM.figure(titles.USED, SHARE, json="utilization")
def paid_utilization(compared_gpu_hours: Operand, paid_rate: Operand, paid_in_window: Operand) -> Operand:
    """Utilization that explains the cost at the paid rate."""
    return share(compared_gpu_hours * paid_rate, paid_in_window)


@PREMIUM.figure(worded("Would be used"), SHARE)
def offer_utilization(compared_gpu_hours: Operand, offer_rate: Operand, offer_in_window: Operand) -> Operand:
    """Utilization that explains the cost at the rate of the offer."""
    return share(compared_gpu_hours * offer_rate, offer_in_window)


@PREMIUM.figure(worded("Paid per used GPU-hour"), RATE)
def paid_per_used(paid_in_window: Operand, compared_gpu_hours: Operand) -> Operand:
    """Cost of a used GPU-hour, idle hours included."""
    return share(paid_in_window, compared_gpu_hours)


@PREMIUM.figure(worded("Offer per used GPU-hour"), RATE)
def offer_per_used(offer_in_window: Operand, compared_gpu_hours: Operand) -> Operand:
    """Cost of a used GPU-hour at the offer, idle hours included."""
    return share(offer_in_window, compared_gpu_hours)


@PREMIUM.figure(
    titles.PREMIUM,
    A_MONTH,
    short=worded("Consolidation\npremium, $"),
    why="endpoint_premium",
    json="usd_per_month",
)
def premium_per_month(paid_in_window: Operand, offer_in_window: Operand, months: Operand) -> Operand:
    """Cost above the cheapest offer that fits, at equal terms."""
    return (paid_in_window - offer_in_window) / months


@PREMIUM.figure(titles.RATE_PREMIUM, A_MONTH)
def rate_premium_per_month(
    compared_gpu_hours: Operand, paid_rate: Operand, offer_rate: Operand, months: Operand
) -> Operand:
    """Part of the premium that comes from rates."""
    return compared_gpu_hours * (paid_rate - offer_rate) / months


@PREMIUM.figure(titles.IDLE_PREMIUM, A_MONTH)
def idle_premium_per_month(premium_per_month: Operand, rate_premium_per_month: Operand) -> Operand:
    """Part of the premium that comes from idle hours."""
    return premium_per_month - rate_premium_per_month


ENDPOINT: Final = Subject(
    "endpoint",
    (_gpu_hours(), _cost_per_month("endpoint_usd"), phrased("activity", worded("activity"), SHARE)),
)
"""An inference workload."""


@ENDPOINT.figure(worded("Active"), MONEY_PER_MONTH, json="busy_usd_per_month")
def active_per_month(cost_per_month: Operand, activity: Operand) -> Operand:
    """Cost of the active share of the endpoint."""
    return cost_per_month * activity


@ENDPOINT.figure(
    worded("Inactive cost"),
    A_MONTH,
    short=worded("Inactive, $\nper month"),
    why="endpoint_idle",
    unknown=worded("No activity logged: active and inactive are unknown."),
    json="idle_usd_per_month",
)
def inactive_per_month(cost_per_month: Operand, active_per_month: Operand) -> Operand:
    """Cost of the inactive share of the endpoint."""
    return cost_per_month - active_per_month


EXPERIMENT: Final = Subject(
    "experiment",
    (
        Figure(
            key="jobs", title=worded("Jobs"), unit=COUNT, phrase=worded("its GPU jobs"), why="experiment_jobs"
        ),
        _gpu_hours(),
        _cost_per_month("experiment_usd"),
        MONTHS_OF_WINDOW,
    ),
)
"""A sweep or search: all trials of a workload."""


@EXPERIMENT.figure(titles.COST_IN_THE_WINDOW, MONEY)
def cost_in_window(cost_per_month: Operand, months: Operand) -> Operand:
    """Total cost of the experiment in the lookback period."""
    return cost_per_month * months


@EXPERIMENT.figure(worded("$ per job"), EACH, why="experiment_job_usd", json="usd_per_job")
def cost_per_job(cost_in_window: Operand, jobs: Operand) -> Operand:
    """Cost per job with GPU time."""
    return share(cost_in_window, jobs)


# --- Figures of the business: what one order or user costs, in a month of the log and in the plan's twelfth
# What a month of the log cost hour by hour is an input.
# Source of all formulas: docs/formulas/unit-costs.md, Cost of the business.


BUSINESS: Final = Subject(
    "business",
    (
        Figure(
            key="value",
            title=worded("Month's count"),
            unit=COUNT,
            short=worded("Count"),
            phrase=worded("its count"),
        ),
        Figure(
            key="counted_share",
            title=worded("Counted share of the month"),
            unit=SHARE,
            short=worded("Hours\nthat count"),
            phrase=worded("counted share of the month"),
            glossary=worded("Logged hours of the month; month 12 has 730 h."),
            json="hours_share",
        ),
        Figure(
            key="business_cost",
            title=worded("Spend in these hours"),
            unit=IN_ALL,
            short=titles.SPEND,
            phrase=worded("spend in these hours"),
            why="business_usd",
            json="usd",
        ),
        Figure(
            key="unserved",
            title=worded("Left unserved in these hours"),
            unit=GPU_HOURS_IN_ALL,
            short=worded("Left\nunserved"),
            why="business_unserved",
            is_better="down",
            unknown=worded("Not applicable: all logged work was served."),
            glossary=worded("Month 12: unserved GPU-hours, not in its cost."),
            json="unserved_gpu_hours",
        ),
        Figure(key="each_growth", title=worded("Growth in the month"), unit=SHARE),
    ),
)
"""A figure of the business in a month."""


@BUSINESS.figure(worded("Count in these hours"), COUNT)
def counted_value(value: Operand, counted_share: Operand) -> Operand:
    """Count that falls into the hours with known cost, spread evenly over the month."""
    return value * counted_share


@BUSINESS.figure(
    worded("Spend per unit"),
    MONEY_EACH,
    short=worded("For one"),
    why="business_each",
    is_better="down",
    json="usd_each",
)
def cost_each(business_cost: Operand, counted_value: Operand) -> Operand:
    """Spend per counted unit."""
    return share(business_cost, counted_value)


RETRAINING: Final = Subject(
    "retraining",
    (
        Figure(
            key="runs",
            title=worded("Runs in the lookback period"),
            unit=COUNT,
            short=worded("Runs"),
            phrase=worded("its runs"),
            why="retrain_runs",
        ),
        Figure(
            key="days_between",
            title=worded("Days between starts"),
            unit=DAYS,
            why="retrain_days",
            unknown=worded("Unknown: fewer than two runs in the lookback period."),
            glossary=worded("Half the gaps between starts are shorter."),
        ),
        Figure(
            key="runs_cost",
            title=capital(worded("cost of runs")),
            unit=OF_THE_RUN,
            phrase=worded("cost of runs"),
        ),
    ),
)
"""How often a training workload is run again."""


@RETRAINING.figure(
    worded("Cost per run"), OF_THE_RUN, short=worded("$ per\nrun"), why="retrain_usd", json="usd_per_run"
)
def cost_per_run(runs_cost: Operand, runs: Operand) -> Operand:
    """Mean cost of a run."""
    return share(runs_cost, runs)
