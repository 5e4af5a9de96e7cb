"""The known answers that every change of the model must keep (docs/formulas/README.md, Known answers)."""

import random
from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.demand.pools import move_hours, pool_hours
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.serving.placement import current_placement
from tests.domain.serving.small_places import city, site, world
from tests.oracle import brute_force
from tests.oracle.comparison import advice_of
from tests.oracle.projects import Case, random_case


def audit_of(case):
    return audit(case.project, case.classifications)


def test_1_a_cluster_of_100_000_dollars_at_20_percent_strands_80_000():
    case = Case(200)
    case.workload("a", "run", "training", [50] * 100 + [0] * 100)
    case.workload("a", "chat", "inference", [0] * 100 + [10] * 100)
    case.contract("k", "a", 50, Decimal(100_000) / (50 * 730))
    (cluster,) = audit_of(case).clusters
    assert cluster.non_training_utilization == pytest.approx(0.2)
    assert cluster.stranded_audit == pytest.approx(80_000, abs=0.01)
    assert cluster.stranded_metered == pytest.approx(40_000, abs=0.01)  # half of the hours train


@pytest.mark.parametrize(("used_gpus", "is_flagged"), [(2.0, False), (1.999, True)])
def test_2_exactly_40_percent_is_not_flagged(used_gpus, is_flagged):
    case = Case(200)
    case.workload("a", "chat", "inference", used_gpus)
    case.contract("k", "a", 5, 2)
    answer = audit_of(case)
    assert answer.clusters[0].below_40_percent is is_flagged
    assert answer.contracts[0].below_40_percent is is_flagged


@pytest.mark.parametrize(("ms", "is_flagged"), [("80.0", False), ("80.0000001", True)])
def test_2_exactly_80_ms_is_not_flagged(ms, is_flagged):
    places = world(
        [city("A", 3), city("B", 7)], [site("s", is_current=True)], [("A", "s", ms), ("B", "s", ms)]
    )
    assert current_placement(places).current.service.is_over_80 is is_flagged


@pytest.mark.parametrize("seed", range(5))
def test_3_gpu_time_is_the_same_over_workloads_pools_and_hours_and_moves_are_exact(seed):
    case = random_case(seed)
    project, pools = case.project, list(case.pool_of_each)
    total = project.cube.total
    hours = pool_hours(project.cube, pools)
    assert sum(sum(hourly) for hourly in case.demand.values()) == total
    assert sum(workload.milli_gpu_seconds for workload in project.workloads) == total
    assert sum(int(hourly.sum()) for hourly in hours.values()) == total
    moved = hours
    steps = []
    r = random.Random(seed)
    for _ in range(10):
        index = r.randrange(len(pools))
        source, target = pools[index], r.choice([pool for pool in POOLS if pool != pools[index]])
        moved = move_hours(moved, project.cube, index, source, target)
        pools[index] = target
        steps.append((index, target, source))
        assert sum(int(hourly.sum()) for hourly in moved.values()) == total
    assert any((moved[pool] != pool_hours(project.cube, pools)[pool]).sum() == 0 for pool in POOLS)
    for index, source, target in reversed(steps):
        moved = move_hours(moved, project.cube, index, source, target)
    for pool in POOLS:
        assert np.array_equal(moved[pool], hours[pool])
        assert moved[pool].dtype == np.int64


@pytest.mark.parametrize("seed", range(5))
def test_6_the_newsvendor_level_is_the_best_of_all_levels(seed):
    r = random.Random(seed)
    hourly = [r.randrange(9) for _ in range(200)]
    rate = r.uniform(0.5, 4.5)
    case = Case(200, horizon_months=r.choice([1, 7, 12]), sigma=0, delta=0, wacc=0, **{"lambda": 0})
    case.workload("a", "chat", "inference", hourly)
    case.offers_of("H100", 5, {1: rate})
    (pool,) = advice_of(case).pools
    committed = sum(layer.gpus for layer in pool.layers if layer.term_months)
    assert committed == brute_force.newsvendor_level(hourly, 1, rate, 5)


def test_5_terms_shorten_going_up_the_slices():
    """With the defaults and two months of demand that is always there at its base: long below, short at the margin."""
    case = Case(1440)
    case.workload("a", "chat", "inference", [4 + round(6 * (h % 24) / 23) for h in range(1440)])
    case.offers_of("H100", 6.88, {1: 5.5, 12: 4.1, 36: 2.75})
    (pool,) = advice_of(case).pools
    terms = [run.term_months for run in pool.runs]
    assert terms == sorted(terms, reverse=True)
    assert terms[0] > 1
    assert pool.pool is Pool.INFERENCE


def _what_is_signed(hourly, **settings):
    case = Case(len(hourly), sigma=0.1, delta=0.004, **settings)
    case.workload("a", "run", "training", hourly)
    case.offers_of("H100", 6.88, {1: 4.5, 3: 3.8, 12: 3.1, 36: 2.2})
    advice = advice_of(case)
    layers = [layer for pool in advice.pools for layer in pool.layers if layer.term_months]
    return advice, {layer.term_months for layer in layers}, sum(layer.gpus for layer in layers)


def test_11_what_stopped_is_not_signed_for_and_a_lone_run_for_a_month():
    gone = [40.0] * (2160 - 768) + [0.0] * 768
    advice, terms, _ = _what_is_signed(gone)
    assert not terms and not advice.orders
    assert [month.do_nothing_usd for month in advice.comparison] == [0.0] * 12
    assert [check.severity for check in advice.checks if check.code == "demand_fell"] == ["red"]
    lone = [0.0] * (2160 - 504) + [108.0] * 504
    advice, terms, _ = _what_is_signed(lone)
    assert terms <= {1}
    assert {order.term_months for order in advice.orders if order.reason != "if_it_lasts"} <= {1}


def test_12_growth_does_not_coarsen_or_inflate_what_is_signed_today():
    _, _, flat = _what_is_signed([40.0] * 1440)
    for growth in (0.25, 0.3, 0.5):
        advice, _, gpus = _what_is_signed([40.0] * 1440, growth=growth)
        (pool,) = advice.pools
        assert 0.5 * flat <= gpus <= 3 * flat and flat > 0
        assert set(pool.slicing.widths[:40].tolist()) == {1.0}
