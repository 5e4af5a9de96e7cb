"""Figures of what a fleet's spend is for, beside those that others publish."""

from typing import Final

from gpuplanner.domain.figures.figure import Figure, Operand, Subject, share
from gpuplanner.domain.figures.window import SERIES
from gpuplanner.domain.figures.writing import MONEY_OF_SPAN, MONEY_PER_MONTH, SHARE
from gpuplanner.domain.message import worded

# --- Published figures beside this fleet's. Source of all formulas: docs/formulas.md, Published figures

LONG_RUN: Final = 80 / 20
"""$ of inference for each $ of training in the long run, as published."""


def inference_share(inference_per_month: Operand, classes_per_month: Operand) -> Operand:
    """What inference costs over what all classes cost, 0..1."""
    return share(inference_per_month, classes_per_month)


def inference_of_two(inference_per_month: Operand, training_per_month: Operand) -> Operand:
    """What inference costs over what it and training cost, 0..1."""
    return share(inference_per_month, inference_per_month + training_per_month)


def at_long_run(training_per_month: Operand) -> Operand:
    """What inference would cost beside this training at the published split, per month of 730 h."""
    return training_per_month * LONG_RUN


def to_long_run(at_long_run: Operand, inference_per_month: Operand) -> Operand:
    """What inference would cost more than now at that split, per month of 730 h."""
    return at_long_run - inference_per_month


# --- What stands beside GPUs on bills. Source: docs/formulas.md, Hidden share

KINDS: Final = ("gpu", "storage", "network", "support", "egress")
"""Of $ on a bill."""


def hidden_share(
    gpu_billed: Operand,
    storage_billed: Operand,
    network_billed: Operand,
    support_billed: Operand,
    egress_billed: Operand,
) -> Operand:
    """What storage, network, support and egress come to over what GPUs do, as a ratio; unknown without GPUs."""
    return share(storage_billed + network_billed + support_billed + egress_billed, gpu_billed)


_BILLED: Final = (
    worded("GPUs billed"),
    worded("Storage billed"),
    worded("Network billed"),
    worded("Support billed"),
    worded("Egress billed"),
)
BILL: Final = Subject(
    "bill",
    (
        *(
            Figure(f"{kind}_billed", title, MONEY_OF_SPAN, json=f"{kind}_usd")
            for kind, title in zip(KINDS, _BILLED, strict=True)
        ),
        Figure("hidden_share", worded("On top of GPUs"), SHARE, hidden_share, json="share"),
    ),
)
"""The bills of a project, by kind of charge."""


PUBLISHED: Final = Subject(
    "published",
    (
        Figure("inference_per_month", worded("Cost of inference"), MONEY_PER_MONTH),
        Figure("training_per_month", worded("Cost of training"), MONEY_PER_MONTH),
        Figure("classes_per_month", SERIES["classes_usd"].title, MONEY_PER_MONTH),
        Figure("own", worded("This fleet"), SHARE, unknown=worded("Unknown: this log does not say it.")),
        Figure("inference_share", worded("Inference, share of $"), SHARE, inference_share),
        Figure("inference_of_two", worded("Inference to training"), SHARE, inference_of_two),
        Figure(
            "at_long_run",
            worded("Inference at 80:20"),
            MONEY_PER_MONTH,
            at_long_run,
            json="inference_at_80_20_usd_per_month",
        ),
        Figure(
            "to_long_run",
            worded("More than now"),
            MONEY_PER_MONTH,
            to_long_run,
            json="more_than_now_usd_per_month",
        ),
    ),
)
"""A figure that others publish, and what it is here."""
