"""Today's spend is what contracts are paid and what overflows; its parts, where the sum is unknown."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.spend.total_spend import current_parts, eligible_usd_by_hour
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.amounts import PartSum, unexchanged
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.reports.clusters import CLUSTERS
from gpuplanner.domain.reports.report import Medium
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.domain.audit.spend.conftest import H100

HOURS_IN_MONTH = 730
TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
MONTH_H = 730
CLASSES = [TRAINING, INFERENCE]


def test_a_cluster_costs_at_least_what_its_contracts_with_a_rate_are_paid(world):
    """2 GPUs at $3 beside some without a rate, and some in a currency whose rate nobody states."""
    abroad = replace(world.contract("m", 2, "3.00"), currency="EUR", exchange=None)
    contracts = [world.contract("k", 2, None), world.contract("l", 2, "3.00"), abroad]
    project = world.project(2, [world.workload("a")], [(0, 0, 0, GPU_HOUR)], contracts)
    (cluster,) = (answer := audit(project, world.classified(BURST))).clusters
    assert (
        cluster.inputs.paid_parts
        == PartSum(pytest.approx(6 * 730), 3, ("k", unexchanged("m")))
        == answer.paid_parts
    )
    (cost,) = (one for one in CLUSTERS.columns_in(Medium.TERMINAL) if one.name == "cost_per_month")
    assert cost.unknown_of(cluster).known.is_at_least


def test_what_is_known_of_spend_holds_the_overflow_beside_a_contract_without_a_rate(world):
    """3 H100 run in the one hour and 2 are held, at no known rate: one at $5 is known, in a month of 730 h."""
    entries = [(0, H100, 0, 3 * GPU_HOUR)]
    contracts, offers = [world.contract("new", 2, None)], [world.offer("rent", "5")]
    project = world.project(1, [world.workload("train")], entries, contracts, offers)
    answer = audit(project, world.classified(Pool.TRAINING))
    assert answer.spend is None
    assert (answer.spend_parts.known, answer.spend_parts.parts) == (pytest.approx(5 * HOURS_IN_MONTH), 2)


def wanting() -> Any:
    """One hour: 3 H100 of training and 3 of inference, of 4 that are held at $2; a third of each overflows."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 0, 3 * GPU_HOUR)]
    offers = [make_offer("own", "6"), make_offer("new", "4", gpu_model="B200")]
    return make_project(1, works, entries, [make_contract("k", 4, "2")], offers)


def test_spend_of_hours_is_what_is_paid_and_what_overflows() -> None:
    """$8 for 4 H100, and 2 on demand at $6; the second hour has no demand."""
    project = replace(wanting(), window=Window(START_S, 2))
    project = replace(project, cube=replace(project.cube, hours=2))
    clusters = dispatch_window(project, CLASSES)
    rates = eligible_rates(project, CLASSES)
    by_hour = eligible_usd_by_hour(clusters, rates)
    assert by_hour is not None and by_hour.tolist() == [20.0, 8.0]
    assert eligible_usd_by_hour([], rates) is None
    unsold = replace(rates, offers=rates.offers[1:])
    assert eligible_usd_by_hour(clusters, unsold) is None
    unrated = replace(project, contracts=(make_contract("k", 4, None),))
    assert eligible_usd_by_hour(dispatch_window(unrated, CLASSES), rates) is None


def test_parts_of_spend_are_named_where_the_sum_is_unknown() -> None:
    """4 H100 at $2 and 2 on demand at $6 are $20 in the one hour; l, without a rate, is held for it, and m is over."""
    project = wanting()
    rates = eligible_rates(project, CLASSES)
    assert current_parts(project, dispatch_window(project, CLASSES), rates, 5.0, []).parts == 0
    more = (
        *project.contracts,
        make_contract("l", 1, None, gpu_model="A100"),
        make_contract("m", 1, None, gpu_model="A100", end_s=START_S),
    )
    unrated = replace(project, contracts=more)
    clusters = dispatch_window(unrated, CLASSES)
    parts = current_parts(unrated, clusters, rates, None, [])
    assert (parts.known, parts.parts, parts.missing) == (pytest.approx(20.0 * MONTH_H), 3, ("l",))
    unmatched = current_parts(unrated, clusters, rates, None, ["atlas"])
    assert unmatched.known == pytest.approx(8.0 * MONTH_H)
    assert [str(name) for name in unmatched.missing] == ["l", "H100"]
