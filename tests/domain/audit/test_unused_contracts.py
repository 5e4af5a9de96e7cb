"""Contracts that are hardly used: the blocks of thirty days that are looked at, and the use of each."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.idle_leaks import is_block_unused, split_into_blocks, unmaterialised
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.audit.conftest import GPU_HOUR, START_S, make_contract, make_project, make_workload


@pytest.mark.parametrize(
    ("start_d", "end_d", "blocks"),
    [
        (-200, None, [(70, 100), (40, 70), (10, 40)]),
        (-200, 50, [(20, 50), (0, 20)]),  # the third lies before the log
        (80, None, []),
        (69, None, [(69, 100)]),
        (70, None, [(70, 100)]),
        (71, None, []),
        (5, None, [(70, 100), (40, 70), (10, 40)]),
        (-10, 60, [(30, 60), (0, 30)]),  # younger, but its start is in no log
        (-200, 29, []),
    ],
)
def test_a_contract_is_looked_at_in_blocks_of_thirty_days(
    start_d: int, end_d: int | None, blocks: list[tuple[int, int]]
) -> None:
    """Of a log of 100 days; in days."""
    window = Window(START_S, 2400)
    held = make_contract(
        "k",
        4,
        "2",
        start_s=START_S + start_d * DAY_S,
        end_s=None if end_d is None else START_S + end_d * DAY_S,
    )
    assert [(block.start // 24, block.stop // 24) for block in split_into_blocks(held, window)] == blocks


@pytest.mark.parametrize(
    ("served", "is_unused"), [((9, 0, 0, 9), True), ((0, 10, 9, 0), True), ((0, 10, 10, 0), False)]
)
def test_under_a_tenth_of_a_block_is_hardly_used(served: tuple[int, ...], *, is_unused: bool) -> None:
    assert is_block_unused(np.array(served), np.array([50, 100, 100, 50]), slice(1, 3)) is is_unused


def test_nothing_held_is_not_hardly_used() -> None:
    assert not is_block_unused(np.array([0, 0]), np.array([0, 0]), slice(0, 2))


@pytest.mark.parametrize(
    ("end_d", "used", "gpu_hours", "has_ended"),
    [
        (None, 71, 1440 - 71, False),
        (30, 71, 1440 - 71, True),
        (31, 71, 1440 - 71, False),
        (None, 144, None, False),
        (None, 143, 1440 - 143, False),
        (29, 1, None, False),
    ],
)
def test_a_contract_is_a_leak_where_each_of_its_blocks_is_hardly_used(
    end_d: int | None, used: int, gpu_hours: float | None, *, has_ended: bool
) -> None:
    """2 GPUs for the 30 days of the log: 1,440 GPU-h, of which a tenth is 144."""
    end_s = None if end_d is None else START_S + end_d * DAY_S
    contract = make_contract("k", 2, "2", start_s=START_S, end_s=end_s)
    entries = [(0, 0, hour, GPU_HOUR) for hour in range(used)]
    project = make_project(720, [make_workload("w")], entries, [contract])
    past: Any = SimpleNamespace(project=project, clusters=dispatch_window(project, [Pool.BURST]))
    claims = unmaterialised(past)
    assert [(claim.contract_id, claim.parts[0].gpu_hours, bool(claim.action)) for claim in claims] == (
        [] if gpu_hours is None else [("k", gpu_hours, has_ended)]
    )
