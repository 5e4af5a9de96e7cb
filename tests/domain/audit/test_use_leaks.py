"""The consolidation premium at equal terms: rows add up, idle counts, longer terms and long leads are no match."""

from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.audit.use_leaks import describe_offer, mean_rate, permanent_burst
from gpuplanner.domain.figures.unit_costs import PREMIUM
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.oracle.projects import random_case
from tests.some_of import some_of

H = 3600
TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST

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


# --- Leaks of use


@pytest.mark.parametrize(
    ("rates", "mean"),
    [
        ([(2.0, 5.0)], 2.0),
        ([(2.0, 1.0), (4.0, 3.0)], 3.5),
        ([(None, 1.0), (4.0, 3.0)], None),
        ([(None, 1.0), (None, 3.0)], None),
        ([(0.1, 1.0), (0.1, 3.0)], 0.1),
    ],
)
def test_a_mean_rate_is_by_gpu_hours(rates: list[tuple[float | None, float]], mean: float | None) -> None:
    assert mean_rate(rates) == mean


@pytest.mark.parametrize(
    ("name", "months", "has_term"), [("od", 0, False), ("y", 12, True), ("y for 12 months", 12, False)]
)
def test_an_offer_says_its_term_where_its_name_does_not(name: str, months: int, *, has_term: bool) -> None:
    text = describe_offer(make_offer(name, "2.5", term_months=months))
    values = text.values
    assert (str(values["offer"]), str(values["rate"])) == (name, "2.50")
    assert ("12" in str(values["term"])) is has_term


@pytest.mark.parametrize(
    ("ends_h", "category", "is_leak"),
    [
        (None, "COMMITTED", True),
        (731, "COMMITTED", True),
        (730, "COMMITTED", False),
        (None, "STANDARD", False),
    ],
)
def test_burst_is_on_contracts_of_over_a_month(ends_h: int | None, category: str, *, is_leak: bool) -> None:
    """3 hours of 2 H100 of burst, and of 2 that serve, at $2."""
    end_s = None if ends_h is None else START_S + ends_h * H
    contract = make_contract("k", 4, "2", start_s=START_S, end_s=end_s, pricing_category=category)
    entries = [(place, 0, hour, 2 * GPU_HOUR) for place in (0, 1) for hour in range(3)]
    works = [make_workload("sweep"), make_workload("chat")]
    project = make_project(3, works, entries, [contract])
    claims = permanent_burst(past_of(project, audit(project, classified(BURST, INFERENCE))))
    parts = [(part.origin.id, part.gpu_hours, part.rate) for claim in claims for part in claim.parts]
    assert parts == ([("atlas/team/sweep", 6.0, 2.0)] if is_leak else [])


@pytest.mark.parametrize(("days", "gpu_hours"), [(19, 19 * 2.0), (20, 0.0)])
def test_burst_that_has_lived_long_enough_for_its_term_is_no_leak(days: int, gpu_hours: float) -> None:
    """A term of 2 months asks for 20 days: 2 GPUs have them, 2 more only where they ran on 20 days, too."""
    end_s = START_S + 2 * 730 * H
    contract = make_contract("k", 4, "2", start_s=START_S, end_s=end_s)
    hours = 24 * 21
    entries = [(0, 0, 24 * day, (4 if day < days else 2) * GPU_HOUR) for day in range(20)]
    project = make_project(hours, [make_workload("sweep")], entries, [contract])
    claims = permanent_burst(past_of(project, audit(project, classified(BURST))))
    leaked = sum(part.gpu_hours for claim in claims for part in claim.parts)
    assert leaked == gpu_hours
