"""Figures of an order: what is signed or bought, what it costs a month and in all, and the offers it is chosen among.

Sources of the formulas: docs/formulas.md, Orders; docs/formulas.md, Price book.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.layer import TERM_MONTHS
from gpuplanner.domain.figures.operations import Operand, share
from gpuplanner.domain.figures.units import (
    GPUS,
    HOURS,
    HOURS_A_MONTH,
    MONEY_IN_ALL,
    MONEY_PER_GPU,
    MONEY_PER_MONTH,
    RATE,
    SHARE,
)
from gpuplanner.domain.message import worded


def spread_rate(rate: Operand, upfront_per_gpu: Operand, term_hours: Operand) -> Operand:
    """$ per GPU-hour with what is paid upfront, spread over the hours of the term."""
    return rate + upfront_per_gpu / term_hours


def cost_per_month(bought_gpus: Operand, spread_rate: Operand, paid_hours: Operand) -> Operand:
    """What a whole month of it costs, what is paid upfront spread over the term."""
    return bought_gpus * spread_rate * paid_hours


def liability(bought_gpus: Operand, term_hours: Operand, rate: Operand, upfront_per_gpu: Operand) -> Operand:
    """What it costs in all: the rate over its term, and what is paid upfront."""
    return bought_gpus * (term_hours * rate + upfront_per_gpu)


def due_at_once(bought_gpus: Operand, upfront_per_gpu: Operand, capex_per_gpu: Operand) -> Operand:
    """What is to be paid when it is signed or bought: upfront, and the price of what is then owned."""
    return bought_gpus * (upfront_per_gpu + capex_per_gpu)


def below(rate: Operand, chosen_rate: Operand) -> Operand:
    """How far an offer's rate is below that of the one chosen beside it; below 0 it is above."""
    return 1 - share(rate, chosen_rate)


ORDER: Final = Subject(
    "order",
    (
        Figure("gpus", "GPUs", GPUS, why="order_gpus"),
        Figure("bought_gpus", "GPUs", GPUS, phrase="GPUs", json="offer_gpus"),
        Figure(
            "rate",
            titles.RATE,
            RATE,
            phrase=worded("rate"),
            unknown=worded("A quote is needed: enter its rate in Prices"),
            json="rate_usd_per_gpu_hour",
        ),
        Figure(
            "upfront_per_gpu", worded("Paid upfront"), MONEY_PER_GPU, phrase=worded("paid upfront for a GPU")
        ),
        Figure(
            "capex_per_gpu",
            titles.PRICE_TO_OWN,
            MONEY_PER_GPU,
            phrase=worded("price of a GPU to own"),
            json="capex_usd_per_gpu",
        ),
        TERM_MONTHS,
        Figure("term_hours", worded("Hours of the term"), HOURS, phrase=worded("hours of the term")),
        Figure(
            "paid_hours",
            titles.HOURS_PAID,
            HOURS_A_MONTH,
            phrase=worded("hours of a month"),
        ),
        Figure("spread_rate", titles.SPREAD_RATE, RATE, spread_rate),
        Figure(
            "cost_per_month",
            titles.COST,
            MONEY_PER_MONTH,
            cost_per_month,
            short=worded("$ per month"),
            why="order_usd",
            is_better="down",
            unknown=worded("A quote is needed: enter its rate in Prices"),
            json="usd_per_month",
        ),
        Figure(
            "liability",
            worded("Whole term"),
            MONEY_IN_ALL,
            liability,
            is_better="down",
            json="liability_usd",
        ),
        Figure(
            "due_at_once",
            worded("Due at once"),
            MONEY_IN_ALL,
            due_at_once,
            is_better="down",
            json="due_at_once_usd",
        ),
    ),
)
"""A commitment to sign, or GPUs to buy. Rate, upfront payment and price to own are those of the month in which it is
signed; the price to own is 0 of what is signed."""

OFFER_PAIR: Final = Subject(
    "offer_pair",
    (
        Figure("rate", titles.RATE, RATE, phrase=worded("rate of the offer")),
        Figure(
            "chosen_rate", worded("Rate of the chosen one"), RATE, phrase=worded("rate of the chosen one")
        ),
        Figure("below", worded("Below"), SHARE, below, why="offer_below"),
    ),
)
"""An offer beside the one that is chosen to compare with."""
