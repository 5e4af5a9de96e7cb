import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.spot import best_interval_h, lost_share, may_use_spot
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.pool import Pool

LONG_S = 100 * 3600
HOUR_S = 3600


@pytest.mark.parametrize(("nodes", "percent"), [(1, 11.5), (4, 39.6)])
def test_the_lost_share_with_the_defaults(nodes: int, percent: float) -> None:
    assert 100 * lost_share(Assumptions(), nodes, LONG_S) == pytest.approx(percent, abs=0.05)


def test_sixteen_nodes_lose_everything() -> None:
    assert lost_share(Assumptions(), 16, LONG_S) > 1


def test_a_job_shorter_than_the_interval_writes_no_checkpoints() -> None:
    assert lost_share(Assumptions(), 2, 2 * HOUR_S) == pytest.approx((1 + 0.25) / 12)
    assert lost_share(Assumptions(), 1, 4 * HOUR_S) == pytest.approx(
        5 / 240 + 2.25 / 24
    )  # as long as tau: it does


@given(st.floats(0.05, 20), st.integers(1, 8))
def test_no_interval_loses_less_than_the_best_one(interval_h: float, nodes: int) -> None:
    best = Assumptions(spot_interval_hours=best_interval_h(Assumptions(), nodes))
    other = Assumptions(spot_interval_hours=interval_h)
    assert lost_share(best, nodes, 1000 * HOUR_S) <= lost_share(other, nodes, 1000 * HOUR_S) + 1e-12


@pytest.mark.parametrize(
    ("pool", "hours", "checkpoints", "long_training", "allowed"),
    [
        (Pool.INFERENCE, 1, True, True, False),
        (Pool.BURST, 500, False, False, True),
        (Pool.TRAINING, 4, False, False, True),
        (Pool.TRAINING, 4.01, False, False, False),
        (Pool.TRAINING, 24, True, False, True),
        (Pool.TRAINING, 24.01, True, False, False),
        (Pool.TRAINING, 500, False, True, True),
    ],
)
def test_who_may_use_spot(
    pool: Pool, hours: float, checkpoints: bool, long_training: bool, allowed: bool
) -> None:
    assumptions = Assumptions(training_checkpoints=checkpoints, spot_long_training=long_training)
    assert may_use_spot(assumptions, pool, hours * HOUR_S) is allowed
