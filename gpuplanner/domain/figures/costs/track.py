"""Figures of a plan against what came: what moved its cost, and what is left of each contract.

Source of the formulas: docs/formulas.md, Track.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.costs.changes import CHANGE
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand
from gpuplanner.domain.figures.units import GPU_HOURS, GPUS, HOURS, MONEY, MONEY_IN_ALL, MONEY_PER_MONTH, RATE
from gpuplanner.domain.message import worded


def committed_gpu_hours(gpus: Operand, life_hours: Operand) -> Operand:
    """GPU-hours that a contract commits to from its start to its end."""
    return gpus * life_hours


def left_gpu_hours(gpus: Operand, left_hours: Operand) -> Operand:
    """GPU-hours that it is still paid for."""
    return gpus * left_hours


def committed_cost(committed_gpu_hours: Operand, rate: Operand) -> Operand:
    """What they cost in all."""
    return committed_gpu_hours * rate


def used_cost(used_gpu_hours: Operand, rate: Operand) -> Operand:
    """What was used of them, at its rate."""
    return used_gpu_hours * rate


def left_cost(left_gpu_hours: Operand, rate: Operand) -> Operand:
    """What is still to be paid until it ends."""
    return left_gpu_hours * rate


def moved(after: Operand, before: Operand) -> Operand:
    """What one cause moved in one place; below 0 it cost less."""
    return after - before


def came(
    planned: Operand, demand: Operand, mix: Operand, decision: Operand, price: Operand, rest: Operand
) -> Operand:
    """What was paid in a quarter: what was planned for it, and what each cause moved."""
    return planned + demand + mix + decision + price + rest


NO_END: Final = worded("It has no end: its notice decides")
BURN_DOWN: Final = Subject(
    "burn_down",
    (
        Figure("gpus", "GPUs", GPUS),
        Figure("rate", titles.RATE, RATE, phrase=worded("rate")),
        Figure("life_hours", worded("Hours of its life"), HOURS),
        Figure("left_hours", worded("Hours left"), HOURS),
        Figure(
            "used_gpu_hours", titles.USED, GPU_HOURS, phrase=worded("used GPU-hours"), why="burn_used_hours"
        ),
        Figure(
            "committed_gpu_hours",
            titles.COMMITTED,
            GPU_HOURS,
            committed_gpu_hours,
            phrase=worded("committed GPU-hours"),
            why="burn_committed_hours",
            unknown=NO_END,
        ),
        Figure("left_gpu_hours", worded("GPU-hours left"), GPU_HOURS, left_gpu_hours, unknown=NO_END),
        Figure(
            "committed_cost",
            worded("Committed in all"),
            MONEY_IN_ALL,
            committed_cost,
            unknown=NO_END,
            json="committed_usd",
        ),
        Figure("used_cost", worded("Used of it"), MONEY_IN_ALL, used_cost, json="used_usd"),
        Figure(
            "left_cost",
            worded("Left to pay"),
            MONEY_IN_ALL,
            left_cost,
            why="burn_left",
            is_better="down",
            unknown=NO_END,
            json="left_usd",
        ),
    ),
)
"""One contract at the end of what was logged: over its life, and from then to its end."""

TRACK: Final = Subject(
    "track",
    (
        Figure(
            "planned",
            worded("As planned"),
            MONEY,
            short=titles.THE_PLAN,
            is_better="down",
            json="planned_usd",
        ),
        Figure("actual", worded("What came"), MONEY, short=titles.PAID, is_better="down", json="actual_usd"),
        Figure("before", worded("Before it"), MONEY, phrase=worded("before it")),
        Figure("after", worded("With it"), MONEY, phrase=worded("with it")),
        Figure(
            "moved", worded("What moved it"), MONEY, moved, why="track_moved", is_better="down", json="usd"
        ),
        Figure("level", worded("Then at"), MONEY, is_better="down"),
        Figure(
            "advice_now",
            worded("The plan made again"),
            MONEY_PER_MONTH,
            is_better="down",
            json="advice_now_usd",
        ),
        Figure("hindsight", worded("Bought in hindsight"), MONEY, is_better="down", json="hindsight_usd"),
    ),
)
"""A plan over the time that is compared. moved: by one cause, below 0 it cost less, from what a place
costs before it to what it costs with it; level: what all of it then comes to."""


TRACK_QUARTER: Final = Subject(
    "track_quarter",
    (
        Figure("planned", TRACK["planned"].title, MONEY, is_better="down", json="planned_usd"),
        Figure("demand", worded("Demand"), MONEY, is_better="down", json="demand_usd"),
        Figure("mix", CHANGE["mix_per_month"].title, MONEY, is_better="down", json="mix_usd"),
        Figure("decision", worded("Decision"), MONEY, is_better="down", json="decision_usd"),
        Figure("price", worded("Price"), MONEY, is_better="down", json="price_usd"),
        Figure("rest", worded("Rest"), MONEY, is_better="down", json="rest_usd"),
        Figure(
            "actual",
            TRACK["actual"].title,
            MONEY,
            came,
            why="track_quarter",
            is_better="down",
            json="actual_usd",
        ),
    ),
)
"""One calendar quarter of the time that is compared: what was planned, what each cause moved, and what came of both."""
