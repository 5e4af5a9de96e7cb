"""A replay of the autoscaler: requests that are late, replicas at their moments, and sums of a replay."""

from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.serving import autoscaling
from gpuplanner.domain.serving.autoscaling import Autoscaler, replay, stretches
from gpuplanner.domain.serving.load import Load, LoadHour
from tests.domain.serving.stated_load import load_at

SCALER = Autoscaler(delay_s=10, start_s=20, cool_down_s=50, least=1, spare=0, most=5)


@pytest.mark.parametrize(
    ("at_s", "came", "queued", "capacity", "may_wait_s", "late"),
    [
        # 10 a second for 10 s, 5 of them served: who comes waits as long as it has been going on
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 0.0, 100.0),
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 5.0, 50.0),
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 8.0, 20.0),
        ([0, 10, 20], [0, 100, 100], [0, 50, 0], 5.0, 10.0, 0.0),
        # the same where the traffic ends before they are served
        ([0, 10], [0, 100], [0, 50], 5.0, 5.0, 50.0),
        ([0, 10], [0, 100], [0, 50], 5.0, 10.0, 0.0),
        # after 10 quiet seconds 20 such, and nothing after them
        ([0, 10, 30], [0, 0, 200], [0, 0, 100], 5.0, 10.0, 100.0),
        ([0, 10, 30], [0, 0, 200], [0, 0, 100], 5.0, 20.0, 0.0),
        # nothing is ever served
        ([0, 10], [0, 100], [0, 100], 0.0, 1000.0, 100.0),
        # nobody waits, and nobody comes
        ([0, 10], [0, 100], [0, 0], 20.0, 0.0, 0.0),
        ([0, 10], [0, 0], [0, 0], 20.0, 0.0, 0.0),
    ],
)
def test_requests_are_late_that_are_not_served_within_their_wait(
    at_s: list[float], came: list[float], queued: list[float], capacity: float, may_wait_s: float, late: float
) -> None:
    arrays = (np.array(values, dtype=float) for values in (at_s, came, queued))
    assert autoscaling.missed_requests(*arrays, capacity, may_wait_s) == pytest.approx(late, abs=1e-6)


def spans(load: Load, **facts: Any) -> list[tuple[float, int, int]]:
    """Seconds with so many replicas that are ready and paid, however they are cut."""
    parts = stretches(load, 1.0, 1.0, replace(SCALER, **facts))
    alike = groupby(parts, lambda part: (part.ready, part.paid))
    return [(sum(part.seconds for part in parts), *held) for held, parts in alike]


def hundreds(*rates: float) -> Load:
    return replace(load_at(1.0), hours=tuple(LoadHour(at, rate, 100.0) for at, rate in enumerate(rates)))


def test_replicas_are_ordered_paid_ready_and_go_at_their_moments() -> None:
    assert spans(hundreds(1, 3, 1)) == [(110, 1, 1), (20, 1, 3), (120, 3, 3), (50, 1, 1)]
    assert spans(hundreds(1, 3, 3)) == [(110, 1, 1), (20, 1, 3), (170, 3, 3)]
    assert spans(hundreds(1, 3), spare=1) == [(110, 2, 2), (20, 2, 4), (70, 4, 4)]
    assert spans(hundreds(0, 0), spare=1) == [(200, 1, 1)]  # none beside what nobody asks for
    assert spans(hundreds(9), least=2) == [(100, 5, 5)] and spans(hundreds(1), least=2) == [(100, 2, 2)]
    assert spans(hundreds(9), least=7) == [(100, 7, 7)]  # the least is more than the most
    assert spans(hundreds(0), least=0) == [(100, 0, 0)] and spans(hundreds()) == []
    # what starts when the hour has ended serves in the next
    assert spans(hundreds(1, 2, 2), start_s=120) == [(110, 1, 1), (120, 1, 2), (70, 2, 2)]
    # what is on its way is not ordered twice, and what is asked for beside it is
    assert spans(hundreds(1, 2, 3), start_s=120) == [(110, 1, 1), (100, 1, 2), (20, 1, 3), (70, 2, 3)]
    assert spans(hundreds(3, 2, 1), cool_down_s=0) == [(100, 3, 3), (100, 2, 2), (100, 1, 1)]
    assert spans(hundreds(3, 2, 1, 1), cool_down_s=100) == [(200, 3, 3), (100, 2, 2), (100, 1, 1)]


def test_a_replay_adds_up_what_is_paid_asked_for_and_waits() -> None:
    """1, 3 and 1 requests/s in hundreds of seconds: 60 wait when two more serve, which only keep up with the rate.

    Three are kept for 50 s more: 2 a second leave. Paid: 100 + 10 + 3 x (20 + 70 + 50) + 50 = 580 replica-seconds.
    """
    of = replay(hundreds(1, 3, 1), 1.0, 1.0, SCALER)
    assert of.replicas_flat == 5 and of.replicas_mean == pytest.approx(580 / 300)
    assert of.replicas_perfect == pytest.approx(5 / 3)
    assert of.backlog_most == pytest.approx(60.0)
    assert of.backlog_hours == pytest.approx((100 + 30) / 3600)
    # all who come in the second hundred, and in the 30 s after it
    assert of.missed_share == pytest.approx((300 + 30) / 500)
    assert replay(hundreds(1, 3, 1), 1.0, 1.0, SCALER, 61.0).missed_share == 0.0
    idle = replay(hundreds(0), 1.0, 1.0, replace(SCALER, least=0))
    assert (idle.replicas_mean, idle.replicas_perfect, idle.missed_share, idle.backlog_most) == (0, 0, 0, 0)
    assert replay(hundreds(1, 1), 1.0, 1.0, SCALER).missed_share == 0.0
    few = replay(hundreds(1, 1.005), 1.0, 1.0, replace(SCALER, most=1))  # half a request waits at the end
    assert (few.backlog_most, few.backlog_hours) == pytest.approx((0.5, 100 / 3600))
