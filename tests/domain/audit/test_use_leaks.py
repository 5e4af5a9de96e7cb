"""The consolidation premium at equal terms: rows add up, idle counts, longer terms and long leads are no match."""

from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs import past_of, unit_costs
from gpuplanner.domain.figures.unit_costs import PREMIUM
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR, START_S
from tests.oracle.projects import random_case
from tests.some_of import some_of

HOURS = 730
YEAR_S = 8760 * 3600


def held(workload: int, first: int, last: int, gpus: float) -> list[tuple[int, int, int, int]]:
    return [(workload, 0, hour, int(gpus * GPU_HOUR)) for hour in range(first, last)]


def committed(world: Any, name: str, rate: str, months: int, **facts: object) -> Any:
    return world.offer(name, rate, pricing_category="COMMITTED", term_months=months, **facts)


def premium_of(project: Any, *pools: Pool) -> Any:
    from tests.domain.audit.conftest import classified

    costs = unit_costs(past_of(project, audit(project, classified(*pools))))
    return costs.endpoints[0].premium


@pytest.mark.parametrize("seed", some_of(range(12), quick=4))
def test_the_rows_add_up_and_each_is_its_hours_at_two_rates(seed: int) -> None:
    case = random_case(seed)
    past = past_of(case.project, audit(case.project, case.classifications))
    costs = unit_costs(past)
    known = [row.premium.premium_per_month for row in costs.endpoints]
    if None not in known:
        assert costs.premium_per_month == pytest.approx(sum(known))
    for row in costs.endpoints:
        one = row.premium
        if one.premium_per_month is not None:
            paid = one.paid_rate / one.paid_utilization
            asked = one.offer_rate / one.offer_utilization
            per_month = row.gpu_hours / case.project.window.months * (paid - asked)
            assert one.premium_per_month == pytest.approx(per_month, abs=0.004)
            parts = one.rate_premium_per_month + one.idle_premium_per_month
            assert one.premium_per_month == pytest.approx(parts, abs=1e-9)
            rate = row.gpu_hours / case.project.window.months * (one.paid_rate - one.offer_rate)
            assert one.rate_premium_per_month == pytest.approx(rate, abs=0.004)


def test_all_inference_pays_what_its_contracts_are_paid_and_the_overflow(world: Any) -> None:
    work = [world.workload("chat"), world.workload("rank")]
    rows = held(0, 0, 300, 4) + held(1, 100, HOURS, 3)
    contracts = [world.contract("a", 3, "2"), world.contract("b", 2, "3", start_s=START_S + 36_000)]
    project = world.project(HOURS, work, rows, contracts, [world.offer("od", "6.88")])
    answer = audit(project, world.classified(Pool.INFERENCE, Pool.INFERENCE))
    parts = past_of(project, answer).equal_terms
    (cluster,) = answer.clusters
    spent = sum(one.paid_usd for of_place in parts.values() for one in of_place)
    assert spent == pytest.approx(cluster.paid_in_window + cluster.overflow_in_window)


def test_29_rate_premium_and_idle_premium_add_up() -> None:
    """7.90 paid at 50%, 2.25 at 90%: 5.65 + 7.65 = 13.30 for a GPU-hour."""
    found = PREMIUM.row(
        {
            "compared_gpu_hours": 1.0, "paid_rate": 7.90, "offer_rate": 2.25,
            "paid_in_window": 7.90 / 0.5, "offer_in_window": 2.25 / 0.9, "months": 1.0,
        }
    )  # fmt: skip
    keys = ("rate_premium_per_month", "idle_premium_per_month", "premium_per_month")
    assert [found[key] for key in keys] == pytest.approx([5.65, 7.65, 13.30])


def test_the_same_offer_as_the_contract_leaves_only_what_stands_idle(world: Any) -> None:
    offers = [world.offer("od", "6.00"), committed(world, "same", "3", 12)]
    contracts = [world.contract("k", 8, "3", term_months=12)]
    project = world.project(HOURS, [world.workload("chat")], held(0, 0, HOURS, 2), contracts, offers)
    one = premium_of(project, Pool.INFERENCE)
    assert (one.paid_utilization, one.offer_utilization) == (0.25, 1.0)
    assert one.premium_per_month == pytest.approx(6 * 3 * HOURS)
    assert (one.rate_premium_per_month, one.idle_premium_per_month) == (0.0, one.premium_per_month)
    assert not one.is_leak  # no GPU-hour that it used was dearer


def test_the_utilization_it_would_have_is_that_of_its_newsvendor_level(world: Any) -> None:
    offers = [world.offer("od", "6.00"), committed(world, "year", "3", 12)]
    contracts = [world.contract("k", 4, "4", term_months=12)]
    rows = held(0, 0, 657, 3) + held(0, 657, HOURS, 2)  # three GPUs for 90% of the hours
    project = world.project(HOURS, [world.workload("chat")], rows, contracts, offers)
    one = premium_of(project, Pool.INFERENCE)
    assert one.offer_utilization == pytest.approx((2 + 0.9) / 3)
    assert one.premium_per_month == pytest.approx((4 * 4 - 3 * 3) * HOURS)


def test_a_gpu_that_is_seldom_busy_compares_with_use(world: Any) -> None:
    offers = [world.offer("od", "6.00"), committed(world, "year", "3", 12)]
    contracts = [world.contract("k", 1, "4", term_months=12)]
    project = world.project(HOURS, [world.workload("chat")], held(0, 0, 73, 1), contracts, offers)
    one = premium_of(project, Pool.INFERENCE)
    assert (one.offer_id, one.offer_utilization) == ("od", 1.0)
    assert one.premium_per_month == pytest.approx(4 * HOURS - 6 * 73)


@pytest.mark.parametrize(
    ("contract", "offer", "found"),
    [
        ({"term_months": 12}, {"term_months": 12}, "it"),
        ({"term_months": 12}, {"term_months": 36}, "od"),
        ({"term_months": 36}, {"term_months": 12}, "it"),
        ({"start_s": START_S, "end_s": START_S + 90 * 86_400}, {"term_months": 3}, "it"),
        ({"pricing_category": "STANDARD"}, {"term_months": 1}, "od"),
        ({"term_months": 12, "start_s": START_S}, {"term_months": 12, "lead_time_hours": 729}, "it"),
        ({"term_months": 12, "start_s": START_S}, {"term_months": 12, "lead_time_hours": 4380}, "od"),
        (
            {"term_months": 12, "start_s": START_S - YEAR_S},
            {"term_months": 12, "lead_time_hours": 4380},
            "it",
        ),
        ({"term_months": 12}, {"term_months": 12, "starts": "2027-01-01"}, "od"),
        ({"term_months": 12}, {"term_months": 12, "ends": "2026-07-02"}, "od"),
        ({"term_months": 12}, {"term_months": 6, "min_term_months": 12}, "od"),
        ({"term_months": 12}, {"term_months": 12, "upfront_usd": 100_000}, "od"),
    ],
)
def test_what_is_of_the_same_or_a_shorter_term_and_could_serve_by_now(
    world: Any, contract: dict[str, Any], offer: dict[str, Any], found: str
) -> None:
    months = offer.pop("term_months")
    offers = [world.offer("od", "6.00"), committed(world, "it", "2", months, **offer)]
    contracts = [world.contract("k", 1, "4", **contract)]
    project = world.project(HOURS, [world.workload("chat")], held(0, 0, HOURS, 1), contracts, offers)
    assert premium_of(project, Pool.INFERENCE).offer_id == found


def test_without_an_offer_the_premium_is_unknown(world: Any) -> None:
    project = world.project(
        HOURS, [world.workload("chat")], held(0, 0, HOURS, 1), [world.contract("k", 1, "4")]
    )
    answer = audit(project, world.classified(Pool.INFERENCE))
    assert answer.premium.usd_per_month is None
