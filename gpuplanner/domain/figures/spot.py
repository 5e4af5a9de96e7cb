"""Figures of spot: the share of a workload's work that interruptions cost.

Source of the formulas: docs/formulas.md, Spot (first-order checkpoint model, Young 1974, Daly 2006).
"""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.operations import Operand
from gpuplanner.domain.figures.units import COUNT, HOURS, SHARE
from gpuplanner.domain.message import worded

OF_ITS_WORK: Final = replace(SHARE, per=worded("of its work"))
A_NOTE: Final = worded("A node is interrupted that often on spot, as assumed. Young 1974, Daly 2006.")


def between_hours(node_hours: Operand, nodes: Operand) -> Operand:
    """Hours between interruptions of a job: one of its nodes is enough."""
    return node_hours / nodes


def lost_with_checkpoints(
    checkpoint_hours: Operand, interval_hours: Operand, restart_hours: Operand, between_hours: Operand
) -> Operand:
    """Writing checkpoints, half of an interval done again, and restarts, 0..1; from 1 on the work cannot finish."""
    return checkpoint_hours / interval_hours + (interval_hours / 2 + restart_hours) / between_hours


def lost_without_checkpoints(
    longest_hours: Operand, restart_hours: Operand, between_hours: Operand
) -> Operand:
    """Half of the job done again, and restarts: of one that is over before its first checkpoint."""
    return (longest_hours / 2 + restart_hours) / between_hours


SPOT: Final = Subject(
    "spot",
    (
        Figure(
            "node_hours",
            worded("Hours between interruptions of a node"),
            HOURS,
            phrase=worded("hours between interruptions of a node"),
        ),
        Figure(
            "nodes",
            worded("Nodes of its widest job"),
            COUNT,
            phrase=worded("nodes of its widest job"),
            why="card_nodes",
        ),
        Figure(
            "checkpoint_hours",
            worded("Hours to write a checkpoint"),
            HOURS,
            phrase=worded("hours to write a checkpoint"),
        ),
        Figure(
            "interval_hours",
            worded("Hours between checkpoints"),
            HOURS,
            phrase=worded("hours between checkpoints"),
        ),
        Figure("restart_hours", worded("Hours to restart"), HOURS, phrase=worded("hours to restart")),
        Figure(
            "longest_hours",
            worded("Hours of its longest job"),
            HOURS,
            phrase=worded("hours of its longest job"),
            why="card_longest",
        ),
        Figure("between_hours", worded("Hours between interruptions"), HOURS, between_hours),
        Figure(
            "lost_with_checkpoints",
            titles.LOST_ON_SPOT,
            OF_ITS_WORK,
            lost_with_checkpoints,
            why="card_lost",
            is_better="down",
            note=A_NOTE,
        ),
        Figure(
            "lost_without_checkpoints",
            titles.LOST_ON_SPOT,
            OF_ITS_WORK,
            lost_without_checkpoints,
            why="card_lost",
            is_better="down",
            note=A_NOTE,
        ),
    ),
)
"""A workload on spot, that writes checkpoints or is over before the first."""
