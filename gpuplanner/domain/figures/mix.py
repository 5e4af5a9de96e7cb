"""Figures of what a fleet's spend is for, beside those that others publish."""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Formula, Operand, Subject, answering, share
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.message import Text, worded


def _money(key: str, title: Text, formula: Formula | None = None, json: str = "") -> Figure:
    return Figure(key=key, title=title, unit=writing.MONEY_PER_MONTH, formula=formula, json=json)


# --- Published figures beside this fleet's. Source of all formulas: docs/formulas/spend.md, Published figures

LONG_RUN: Final = 80 / 20
"""$ of inference for each $ of training in the long run, as published."""


def at_long_run(training_per_month: Operand) -> Operand:
    """Cost of inference if it were 80% of both, with training as it is."""
    return training_per_month * LONG_RUN


def to_long_run(at_long_run: Operand, inference_per_month: Operand) -> Operand:
    """Added cost of inference at that split."""
    return at_long_run - inference_per_month


# --- What stands beside GPUs on bills. Source: docs/formulas/spend.md, Hidden share

_BILLED: Final = {
    "gpu": worded("GPUs billed"),
    "storage": worded("Storage billed"),
    "network": worded("Network billed"),
    "support": worded("Support billed"),
    "egress": worded("Egress billed"),
}
KINDS: Final = tuple(_BILLED)
"""Of $ on a bill."""


def hidden_share(
    gpu_billed: Operand,
    storage_billed: Operand,
    network_billed: Operand,
    support_billed: Operand,
    egress_billed: Operand,
) -> Operand:
    """Storage, network, support and egress over the GPU cost."""
    return share(storage_billed + network_billed + support_billed + egress_billed, gpu_billed)


BILL: Final = Subject(
    "bill",
    (
        *answering(
            "bill",
            *(
                Figure(key=f"{kind}_billed", title=title, unit=writing.MONEY_OF_SPAN, json=f"{kind}_usd")
                for kind, title in _BILLED.items()
            ),
            Figure(
                key="hidden_share",
                title=worded("Cost beyond GPUs"),
                unit=writing.SHARE,
                formula=hidden_share,
                json="share",
            ),
        ),
    ),
)
"""The bills of a project, by kind of charge."""


# --- GPU models beside each other. Source: docs/formulas/spend.md, Compare GPU models


def h100_gpu_hours(gpu_hours: Operand, ratio: Operand) -> Operand:
    """GPU-hours converted to H100-hours with the ratio of the model."""
    return gpu_hours / ratio


def h100_rate(rate: Operand, ratio: Operand) -> Operand:
    """Rate for an hour of H100 work."""
    return rate * ratio


def premium(
    gpu_hours: Operand, rate: Operand, against_rate: Operand, ratio: Operand, months: Operand
) -> Operand:
    """Added cost over the same work on another model, with its ratio."""
    return gpu_hours * (rate - against_rate / ratio) / months


_PAID: Final = answering(
    "model",
    Figure(key="gpu_hours", title=titles.PAID_GPU_HOURS, unit=writing.GPU_HOURS),
    Figure(key="rate", title=titles.RATE, unit=writing.RATE),
    Figure(
        key="ratio",
        title=worded("Work of one"),
        unit=writing.TIMES,
        unknown=worded("Unknown: no ratio stated."),
    ),
)
EQUIVALENT: Final = Subject(
    "equivalent",
    (
        *_PAID,
        *answering(
            "equivalent",
            Figure(
                key="h100_gpu_hours",
                title=worded("H100-hours"),
                unit=writing.GPU_HOURS,
                formula=h100_gpu_hours,
                json="gpu_hours",
            ),
            Figure(
                key="h100_rate",
                title=worded("Per H100-hour"),
                unit=writing.RATE,
                formula=h100_rate,
                json="rate_usd_per_gpu_hour",
            ),
        ),
    ),
)
"""A GPU model in H100s."""
MODEL_PREMIUM: Final = Subject(
    "model_premium",
    (
        *_PAID,
        CONTRACT["months"],
        *answering(
            "model",
            Figure(key="against_rate", title=worded("The other's rate"), unit=writing.RATE),
            _money("premium", worded("Premium at this ratio"), premium, "usd_per_month"),
        ),
    ),
)
"""A GPU model beside a cheaper one."""


RUN_KIND: Final = Subject(
    "run_kind",
    (
        *answering(
            "run_kind",
            Figure(key="runs", title=worded("Runs of this kind"), unit=writing.COUNT),
            Figure(key="median_usd", title=worded("Cost, median"), unit=writing.MONEY_OF_SPAN),
            Figure(key="low_usd", title=worded("Cost, P10"), unit=writing.MONEY_OF_SPAN),
            Figure(key="high_usd", title=worded("Cost, P90"), unit=writing.MONEY_OF_SPAN),
            Figure(key="median_hours", title=worded("Length, median"), unit=writing.HOURS),
            Figure(key="low_hours", title=worded("Length, P10"), unit=writing.HOURS),
            Figure(key="high_hours", title=worded("Length, P90"), unit=writing.HOURS),
        ),
    ),
)
"""Training runs of one kind of model."""


def gap(rate: Operand, against_rate: Operand) -> Operand:
    """Difference of the rates of two models."""
    return rate - against_rate


GAP: Final = Subject(
    "price_gap",
    (
        Figure(key="rate", title=worded("Cheapest rate, first model"), unit=writing.RATE),
        Figure(key="against_rate", title=worded("Cheapest rate, second model"), unit=writing.RATE),
        Figure(
            key="gap",
            title=worded("Premium per GPU-hour"),
            unit=writing.RATE,
            formula=gap,
            json="usd_per_gpu_hour",
            why="price_gap",
        ),
    ),
)
"""Two GPU models in a month."""
WEEK: Final = Subject(
    "week",
    (
        *answering(
            "week",
            *(Figure(key=f"h{hour:02d}", title=f"{hour:02d}", unit=writing.SHARE) for hour in range(24)),
        ),
    ),
)
"""A day of the week by hour, of what is paid."""


PUBLISHED: Final = Subject(
    "published",
    (
        _money("inference_per_month", worded("Inference cost")),
        _money("training_per_month", worded("Training cost")),
        *answering(
            "published",
            Figure(
                key="own",
                title=worded("This fleet"),
                unit=writing.SHARE,
                unknown=worded("Unknown: not in this log."),
            ),
            _money(
                "at_long_run", worded("Inference at 80:20"), at_long_run, "inference_at_80_20_usd_per_month"
            ),
            _money("to_long_run", worded("Increase"), to_long_run, "more_than_now_usd_per_month"),
        ),
    ),
)
"""A figure that others publish, and what it is here."""

FLAT: Final = {
    "served": Figure(key="served", title=titles.CAN_SERVE, unit=writing.SHARE, why="flat_served"),
    "usd_per_month": Figure(
        key="usd_per_month", title=titles.COST, unit=writing.MONEY_PER_MONTH, why="flat_usd"
    ),
    "same_work_now": Figure(
        key="same_work_now",
        title=titles.SAME_WORK_TODAY,
        unit=writing.MONEY_PER_MONTH,
        unknown=worded("A rate is missing."),
        glossary=worded("Today's cost of the work that the provider can serve, idle GPU-hours included."),
        why="flat_same_work",
    ),
}
"""A provider at its flat rates, for the work of the lookback period."""
