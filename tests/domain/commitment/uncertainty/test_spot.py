"""Spot: the best interval of checkpoints, by hand."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.recursion.rates import Barrier
from gpuplanner.domain.commitment.uncertainty import spot
from gpuplanner.domain.commitment.uncertainty.spot import best_way, spot_advice
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.commitment.conftest import Load, audit, case, offer
from tests.domain.commitment.uncertainty.calm_world import CALM, A


def test_the_best_way_on_spot_writes_checkpoints_where_they_pay() -> None:
    """6 min each, a node taken each 100 h, 30 min to restart: the best interval is sqrt(2 x 0.1 x 100) = 4.47 h.

    Written, 0.1 / 4.472 + (2.236 + 0.5) / 100 = 0.0497 are lost; without, of a job of 8 h (4 + 0.5) / 100.
    """
    assumed = replace(
        Assumptions(), spot_node_mtbf_hours=100.0, spot_checkpoint_minutes=6.0, spot_restart_minutes=30.0
    )
    lost, takes = best_way(assumed, 1, 10 * 3600)
    assert (lost, takes) == (pytest.approx(0.1 / 20**0.5 + (20**0.5 / 2 + 0.5) / 100), True)
    assert best_way(assumed, 1, 8 * 3600) == (pytest.approx(0.045), False)
    free = replace(assumed, spot_checkpoint_minutes=0.0)
    assert best_way(free, 1, 8 * 3600) == (pytest.approx(0.005), True)
    assert best_way(free, 4, 8 * 3600) == (pytest.approx(0.02), True)


@pytest.mark.parametrize(
    ("on_demand", "lost", "answer"),
    [
        (4.0, 0.2, (2.5, True)),
        (2.5, 0.2, (2.5, False)),  # no cheaper
        (2.4, 0.2, (2.4, False)),
        (4.0, 1.0, (4.0, False)),
        (None, 0.2, (2.5, True)),
        (None, 1.0, (None, False)),
    ],
)
def test_use_is_the_cheaper_of_both(on_demand: Any, lost: float, answer: Any) -> None:
    assert spot.choose_cheaper_use(on_demand, 2.0, lost) == answer


def spots(*offers: Any, **values: Any) -> Any:
    """Two workloads in bursts: 3 GPUs whose jobs run 20 h, and 1 whose jobs run 2 h."""
    loads = [
        Load(pool=Pool.BURST, gpus=[3.0] * 400, longest_job_s=20 * 3600),
        Load(pool=Pool.BURST, gpus=[1.0] * 400, longest_job_s=2 * 3600),
    ]
    assumed = {
        "spot_node_mtbf_hours": 100.0,
        "spot_checkpoint_minutes": 6.0,
        "spot_restart_minutes": 30.0,
        "spot_interval_hours": 10.0,
    }
    made = case(loads, (), [offer("od", 0, 6.0), *offers], **(CALM | assumed | values))
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    return spot_advice(ground, advise(made.project, A, made.pools, audit()).pools)


SPOT = offer("spot", 0, 1.0, pricing_category=PricingCategory.DYNAMIC)


def test_spot_saves_what_the_rate_of_a_workload_falls() -> None:
    """Every 10 h 0.01 + 5.5 / 100 = 0.065 is lost, at best 0.0497; the short one writes none: 1.5 / 100 both ways."""
    first, second = spots(SPOT)
    best = 0.1 / 20**0.5 + (20**0.5 / 2 + 0.5) / 100
    assert (first.key, first.pool, first.gpu_model, first.nodes) == (
        "c1/team/load-000",
        Pool.BURST,
        "H100",
        1,
    )
    assert (first.lost_share, first.best_lost_share) == (pytest.approx(0.065), pytest.approx(best))
    assert (first.interval_hours, first.best_interval_hours) == (10.0, pytest.approx(20**0.5))
    assert (first.longest_job_hours, first.node_hours) == (20.0, 100.0)
    assert first.saves_usd_per_month == pytest.approx(730 * 3 * (1 / 0.935 - 1 / (1 - best)))
    assert (second.best_interval_hours, second.saves_usd_per_month) == (None, pytest.approx(0.0))
    assert (first.on_spot, first.on_spot_at_best) == (True, True)


def test_spot_that_only_pays_at_its_best_interval() -> None:
    """At $5.65 it costs $6.04 for the work as assumed, $5.95 at its best, beside $6 on demand."""
    best = 0.1 / 20**0.5 + (20**0.5 / 2 + 0.5) / 100
    dear = spots(replace(SPOT, rate_usd_per_gpu_hour=5.65))[0]
    assert (dear.on_spot, dear.on_spot_at_best) == (False, True)
    assert dear.saves_usd_per_month == pytest.approx(730 * 3 * (6.0 - 5.65 / (1 - best)))
    assert spots() == () and spots(SPOT, spot=False) == ()


def test_long_training_that_is_kept_off_has_what_spot_would_make_of_it() -> None:
    """40 h on 2 nodes of 8: M is 12 h, every sqrt(2 x 5 min x 12 h) = 1.41 h 13.9% is lost, so 46.4 h."""
    work = Workload(
        key="a", name="a", cluster="c", owner="t", max_nodes=2, max_milli_gpus=16_000, longest_job_s=40 * 3600
    )
    row = (Pool.TRAINING, "H100")
    kept_off = spot.advise_spot(Assumptions(), work, row, (6.0, 2.0), 10.0, Barrier.TOO_LONG)
    lost = 5 / 60 / 2**0.5 + (2**0.5 / 2 + 0.25) / 12
    assert kept_off.best_lost_share == pytest.approx(lost) == pytest.approx(0.1387, abs=1e-4)
    assert kept_off.run_hours == pytest.approx(40 / (1 - lost)) == pytest.approx(46.44, abs=0.01)
    assert kept_off.run_usd == pytest.approx(16 * 2 * 40 / (1 - lost))
    assert kept_off.run_usd_on_demand == 16 * 40 * 6
    assert (kept_off.barrier, kept_off.on_spot, kept_off.on_spot_at_best) == ("too_long", False, True)
    assert kept_off.saves_usd_per_month == pytest.approx(730 * 10 * (6 - 2 / (1 - lost)))
    may = spot.advise_spot(Assumptions(), work, row, (None, 2.0), 10.0)
    assert (may.barrier, may.on_spot, may.run_usd_on_demand) == (None, True, None)
    many = spot.advise_spot(Assumptions(), replace(work, max_nodes=99), row, (6.0, 2.0), 10.0)
    assert many.run_hours is many.run_usd is None
