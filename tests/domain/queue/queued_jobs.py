"""A log of a few jobs on contracts that a test states: the plan of `worlds`, seen from today."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.logged import JobKind, QueueLog
from tests.domain import worlds
from tests.domain.commitment.conftest import START_S

H = 3600
TRAINS, SERVES, BURSTS = range(3)
"""Kinds of jobs, and the workloads that they are of: H100 of c1, H100 of c2, and A100 of c1."""
KINDS = tuple(
    JobKind(at, cluster, "team", model)
    for at, (cluster, model) in enumerate((("c1", "H100"), ("c2", "H100"), ("c1", "A100")))
)


class Row(NamedTuple):
    """A job; hours are those of the window, planned_h more than it ran."""

    kind: int
    gpus: float
    eligible_h: float
    start_h: float
    end_h: float
    nodes: int = 1
    planned_h: float = 0
    is_known: bool = True


def log_of(rows: Sequence[Row], kinds: Sequence[JobKind] = KINDS) -> QueueLog:
    """These jobs as a log has them."""

    def column(values: Sequence[float]) -> np.ndarray:
        return np.array([round(value) for value in values], dtype=np.int64)

    return QueueLog(
        tuple(kinds),
        column([row.kind for row in rows]),
        column([1000 * row.gpus for row in rows]),
        column([row.nodes for row in rows]),
        column([START_S + H * row.eligible_h for row in rows]),
        column([START_S + H * row.start_h for row in rows]),
        column([START_S + H * row.end_h for row in rows]),
        column([H * (row.end_h - row.start_h + row.planned_h) for row in rows]),
        [f"j{at}" for at in range(len(rows))],
        np.array([row.is_known for row in rows], dtype=np.bool_),
        1.0,
    )


def queued(
    rows: Sequence[Row],
    contracts: Sequence[Contract] = (),
    kinds: Sequence[JobKind] = KINDS,
    without: str = "",
    **assumptions: float | None,
) -> Queueing:
    """The log on what these contracts have today."""
    of = worlds.plan()
    project = replace(
        of.project, contracts=tuple(contracts), assumptions=replace(of.project.assumptions, **assumptions)
    )
    return Queueing(replace(of, project=project, scenario="Today"), log_of(rows, kinds), without)
