"""Answers about what is there and when: GPUs, offers, contracts with their days, months of the log.

Of the plan (`worlds.plan`), which begins on 31 January 2026 at 10:00: K1 has 4 H100 of c1 from Ada for 6 months, K2 8
of c2 from Bo for 2, K3 5 A100 of Ada without an end. It orders 4 and 2 H100 of y1, and twice 4 of q3.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.ask import fleet
from gpuplanner.domain.ask.reading import Named
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s
from tests.domain import worlds
from tests.domain.ask.small_plan import PLAN_S, values_of, with_advice, with_project
from tests.domain.commitment.conftest import contract


def noticed() -> tuple[Contract, ...]:
    """The contracts, K3 with a notice of 30 days."""
    held = worlds.plan().project.contracts
    return tuple(replace(item, notice_days=30) if item.contract_id == "K3" else item for item in held)


def test_quotes_are_valid_until_their_last_day() -> None:
    of = worlds.plan()
    last_s = instant_s("2026-03-05")
    dated = tuple(
        replace(item, valid_until="2026-03-05") if item.offer_id == "y1" else item
        for item in of.project.offers
    )
    (row,) = fleet.valid(with_project(offers=dated), {})
    assert (row.value, row.last_s) == (last_s + DAY_S, last_s + DAY_S - 1) and "Ada" in str(row.title)
    assert fleet.valid(with_project(offers=dated), {"party": frozenset({"Bo"})}) == []
    assert fleet.valid(with_project(offers=dated), {"offered": "A100"}) == []


def test_gpus_are_held_with_a_provider_a_cluster_or_of_a_contract() -> None:
    """K1 4 H100 and K3 5 A100 of Ada, K2 8 of Bo on c2."""
    of = worlds.plan()
    assert values_of(fleet.held_with(of, {"party": frozenset({"Ada"})})) == [9.0, 4.0, 5.0]
    assert values_of(fleet.held_with(of, {"party": frozenset({"K2"})})) == [8.0, 8.0]
    assert values_of(fleet.held_with(of, {"party": frozenset({"c2"})}))[0] == 8.0
    spelled = tuple(replace(item, gpu_model=f"{item.gpu_model} 80GB") for item in of.project.contracts)
    assert [item.contract_id for item in fleet.of_party(spelled, {"model": "A100"})] == ["K3"]


def test_contracts_are_owed_until_they_end_and_later_ones_apart() -> None:
    """K1 4 x 4,380 h x $2; K2 8 x 1,460 x $1.50 or its fee and notice; K3 5 x 720 h of notice x $1."""
    of = with_project(contracts=noticed())
    (in_all,) = fleet.owed_of(of, {})
    assert (in_all.value, in_all.path) == (56_160.0, "owed_if_stopped_usd")
    one = fleet.owed_of(of, {"contract": Named("contract", "K1")})
    assert values_of(one) == [35_040.0]
    ada = fleet.owed_of(of, {"party": frozenset({"Ada"})})
    assert values_of(ada) == [38_640.0, 35_040.0, 3600.0] and ada[0].path == ""
    assert values_of(fleet.owed_of(of, {"party": frozenset({"X"})}))[:1] == [0.0]
    later = contract(
        "K4", 2, 1.0, 12, worlds.HOURS, start_s=PLAN_S + MONTH_S, provider="Ada",
        pricing_category=PricingCategory.COMMITTED,
    )  # fmt: skip
    both = with_project(contracts=(*noticed(), later))
    rows = fleet.owed_of(both, {})
    assert values_of(rows) == [56_160.0, 2 * 11 * 730.0] and "K4" in str(rows[1].title)
    assert values_of(fleet.owed_of(both, {"contract": Named("contract", "K4")})) == [2 * 11 * 730.0]


def test_notice_is_given_before_the_end_and_else_a_contract_renews() -> None:
    """K2 ends on 2 April at 06:00, 15 days before on 18 March; renewed for 3 months it binds 8 x 2,190 h x $1.50."""
    of = worlds.plan()
    (number,) = fleet.notices(of, {})
    assert (number.value, number.path) == (1_773_813_600, "contract_verdicts[contract_id=K2].order_by")
    assert number.last_s == 1_773_813_599
    renews = tuple(
        replace(item, renews_months=3) if item.contract_id == "K2" else item for item in of.project.contracts
    )
    both = with_project(contracts=renews)
    notice, until, binds = fleet.notices(both, {"contract": Named("contract", "K2")})
    end_s = of.project.contracts[1].end_s
    assert end_s is not None and notice.value == 1_773_813_600
    assert until.value == renews[1].renewed_until_s(end_s, end_s + 1) and until.last_s == until.value - 1
    assert binds.value == pytest.approx(8 * (until.value - end_s) / HOUR_S * 1.5)
    assert fleet.notices(both, {"contract": Named("contract", "K1")}) == []
    assert fleet.notices(both, {"party": frozenset({"Ada"})}) == []
    assert values_of(fleet.notices(of, {"party": frozenset({"Bo"})})) == [1_773_813_600]
    assert fleet.notices(both, {}) == []  # the plan lets it run on: none is to be given
    none = with_project(contracts=noticed())
    assert fleet.notices(none, {"contract": Named("contract", "K3")}) == []  # it has no end


def test_a_peak_is_of_the_busiest_hour_of_all_a_pool_or_a_model() -> None:
    """8 train in all hours, 4 serve in the first half, 3 A100 in every other: 15 from the first hour on."""
    of = worlds.plan()
    first = float(of.project.window.start_s)
    held = with_project(jobs=replace(of.project.jobs, peak_milli_gpus=16_500))
    assert values_of(fleet.peak(held, {})) == [16.5, 15.0, first]
    assert values_of(fleet.peak(of, {})) == pytest.approx([15.0, first, 12.5])
    assert values_of(fleet.peak(held, {"pool": Pool.INFERENCE})) == pytest.approx([4.0, first, 3.0])
    assert values_of(fleet.peak(held, {"model": "H100"})) == pytest.approx([12.0, first, 11.0])
    assert fleet.peak(held, {"pool": Pool.BURST, "model": "H100"}) == []
    pools = list(of.advised.pools)
    burst = next(row for row in pools if row.pool == Pool.BURST)
    later = replace(burst, demand=replace(burst.demand, hourly_gpus=np.eye(1, 730, 5)[0]))
    moved = with_advice(pools=tuple(later if row is burst else row for row in pools))
    _, day, _ = fleet.peak(moved, {"pool": Pool.BURST})
    assert day.value == first + 5 * HOUR_S


def test_terms_are_the_rate_the_end_and_the_notice() -> None:
    of = worlds.plan()
    rate, end, notice = fleet.terms(of, {"contract": Named("contract", "K2")})
    (held,) = (row for row in of.project.contracts if row.contract_id == "K2")
    assert (rate.value, end.value) == (1.5, float(held.end_s or 0))
    assert notice.value == float(held.end_s or 0) - 15 * DAY_S
    assert values_of(fleet.terms(of, {"contract": Named("contract", "K3")})) == [1.0, None]
    (open_end,) = fleet.expiring(of, {"party": frozenset({"K3"})})
    assert "K3" in str(open_end.sentence) and open_end.value is None
    assert len(fleet.expiring(of, {"party": frozenset({"Ada"})})) == 1
    assert fleet.expiring(of, {"party": frozenset({"Azure"})}) == []


def test_months_of_the_log_are_the_last_three_or_one_in_gpu_hours_or_dollars() -> None:
    months = [
        SimpleNamespace(month=f"2025-{at:02d}", is_cut=False, hours=720, gpu_hours=100.0 * at, paid_in_window=at,
                        classes={pool: SimpleNamespace(gpu_hours=10.0 * at, usd=2.0 * at) for pool in Pool})
        for at in (9, 10, 11, 12)
    ]  # fmt: skip

    def numbers(**values: Any) -> list[tuple[float | None, str]]:
        found = fleet.history(months, lambda: False, worlds.plan(), values)  # type: ignore[arg-type]
        return [(number.value, number.path) for number in found]

    assert [value for value, _ in numbers()] == [1000.0, 1100.0, 1200.0]
    assert numbers(past="-10") == [(1000.0, "series[month=2025-10].gpu_hours")]
    assert numbers(past="2025-12", usd="spend") == [(12, "series[month=2025-12].paid_usd")]
    assert numbers(past="-09", pool=Pool.TRAINING) == [
        (90.0, "series[month=2025-09].classes.training.gpu_hours")
    ]
    assert numbers(past="-09", pool=Pool.TRAINING, usd="") == [
        (18.0, "series[month=2025-09].classes.training.usd")
    ]
    assert numbers(past="-01") == []
    assert fleet.history(None, lambda: False, worlds.plan(), {}) == []


def test_notices_stand_by_their_days() -> None:
    """K1 with 200 days of notice is due before K2 with 15."""
    held = tuple(
        replace(item, notice_days=180) if item.contract_id == "K1" else item
        for item in worlds.plan().project.contracts
    )
    days = values_of(fleet.notices(with_project(contracts=held), {}))
    assert days == sorted(days) and days[0] == 1_785_621_600 - 180 * DAY_S


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ({}, [17.0, 0.0, 12.5]),
        ({"model": "A100"}, [5.0, 0.0, 1.5]),
        ({"day": PLAN_S + 9 * DAY_S + 24 * 3600}, [17.0, 4.0, 12.5]),  # y1 of training begins
        ({"day": PLAN_S + 10 * DAY_S - 1}, [17.0, 0.0, 12.5]),
        ({"day": 1_775_109_599}, [17.0, 6.0, 12.5]),
        ({"day": 1_775_109_600}, [9.0, 6.0, 12.5]),  # K2 has ended
        ({"day": 1_775_109_600, "model": "H100"}, [4.0, 6.0, 11.0]),
        ({"day": 1_801_389_599}, [5.0, 10.0, 12.5]),
        ({"day": 1_801_389_600}, [5.0, 6.0]),  # q3 has ended, and the twelve months
    ],
)
def test_gpus_of_a_day_are_committed_ordered_and_needed(
    values: dict[str, Any], result: list[float | None]
) -> None:
    assert values_of(fleet.gpus(worlds.plan(), values)) == pytest.approx(result)


def test_a_month_is_that_of_the_day_or_the_nearest() -> None:
    of = worlds.plan()
    for values, month in (
        ({}, 0),
        ({"day": PLAN_S + MONTH_S - 1}, 0),
        ({"day": PLAN_S + MONTH_S}, 1),
        ({"month": PLAN_S - MONTH_S // 2}, 0),
        ({"month": PLAN_S + MONTH_S // 2}, 1),
        ({"day": PLAN_S + 12 * MONTH_S - 1}, 11),
    ):
        plan, _ = fleet.spend_in(of, values)
        assert plan.path == f"comparison[{month}].plan_usd"
    assert fleet.spend_in(of, {"day": PLAN_S + 12 * MONTH_S}) == []
    assert values_of(fleet.spend_in(of, {"day": PLAN_S + MONTH_S})) == [pytest.approx(29_565), 29_930.0]


def test_gpus_without_a_contract_are_unknown() -> None:
    of = with_project(contracts=())
    assert values_of(fleet.gpus(of, {}))[:2] == [None, None]
    held = tuple(
        replace(item, pricing_category=PricingCategory.STANDARD) for item in worlds.plan().project.contracts
    )
    assert values_of(fleet.gpus(with_project(contracts=held), {}))[1] == 17.0


@pytest.mark.parametrize(
    ("asked", "name", "at", "is_meant"),
    [
        ("", "2026 Q1", 0, True),
        ("q1", "2026 Q1", 3, True),
        ("q1 2026", "2026 Q1", 3, True),
        ("q2", "2026 Q1", 0, False),
        ("this quarter", "2026 Q1", 0, True),
        ("this quarter", "2026 Q1", 1, False),
        ("next quarter", "2026 Q2", 1, True),
        ("next quarter", "2026 Q2", 2, False),
    ],
)
def test_a_quarter_is_named_or_the_next(asked: str, name: str, at: int, *, is_meant: bool) -> None:
    assert fleet.is_asked({"quarter": asked} if asked else {}, name, at) is is_meant


def test_sellers_are_paid_by_their_contracts_the_most_first() -> None:
    of = worlds.plan()
    assert values_of(fleet.by_seller(of, {"kind": "provider"})) == [9490.0, 8760.0]
    (ada,) = fleet.by_seller(of, {"vendor": Named("provider", "Ada")})
    assert ada.value == 9490.0
    held = tuple(
        replace(item, country="DE; FR" if item.provider == "Ada" else "DE") for item in of.project.contracts
    )
    rows = fleet.by_seller(with_project(contracts=held), {"kind": "country"})
    both, alone = rows
    assert (both.value, alone.value) == (9490.0, 8760.0)  # Ada's may run in either of two countries
    assert both.title.template != alone.title.template  # type: ignore[union-attr]
    ada = fleet.by_seller(with_project(contracts=held), {"kind": "provider"})[0]
    assert ada.title.template == alone.title.template  # type: ignore[union-attr]


def test_spot_is_paid_what_the_mix_has_and_saves_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each workload counts once; nobody is on spot where nothing is paid for it."""
    of = worlds.outlook_of(worlds.plan)
    assert of.outlook is not None
    (row,) = of.outlook.spot
    rows = (row, replace(row, gpu_model="A100"), replace(row, key="d"), replace(row, key="e", on_spot=False))
    steps = (
        SimpleNamespace(step="terms", usd_per_month=7.0),
        SimpleNamespace(step="spot", usd_per_month=-9.0),
    )
    spot_of = replace(of, outlook=replace(of.outlook, spot=rows, savings_steps=steps))
    mix = [
        SimpleNamespace(category="spot", usd_now=1.0, usd_plan=20.0),
        SimpleNamespace(category="on_demand", usd_now=300.0, usd_plan=None),
        SimpleNamespace(category="spot", usd_now=2.0, usd_plan=40.0),
    ]
    monkeypatch.setattr(fleet, "MIX", SimpleNamespace(rows=lambda of: mix))
    assert values_of(fleet.spot(spot_of, {})) == [2.0, 60.0, 9.0]
    assert values_of(fleet.paid_by(of, {"way": PricingCategory.DYNAMIC})) == [3.0, 60.0]
    assert values_of(fleet.paid_by(of, {"way": PricingCategory.STANDARD})) == [300.0, None]
    mix[:] = mix[1:2]
    assert values_of(fleet.spot(spot_of, {})) == [0.0, 0.0, 9.0]
    assert values_of(fleet.spot(replace(of, outlook=None), {})) == [0.0, 0.0, None]


def test_the_cheapest_is_of_each_kind_or_of_a_term_and_open() -> None:
    of = worlds.plan()
    closed = tuple(
        replace(item, valid_until="2026-01-01") if item.offer_id == "y1" else item
        for item in of.project.offers
    )
    by_use, year = fleet.cheapest(of, {"offered": "H100"})
    assert (by_use.value, year.value) == (4.0, pytest.approx(2.5833333))
    assert "12 months" in str(year.title) and "Ada" in str(year.title) and "month" not in str(by_use.title)
    assert values_of(fleet.cheapest(of, {"offered": "H100", "months": 3})) == [3.5]
    assert values_of(fleet.cheapest(of, {"offered": "A100"})) == [2.0, 0.8]
    assert values_of(fleet.cheapest(of, {"offered": "A100", "way": PricingCategory.DYNAMIC})) == [0.8]
    assert values_of(fleet.cheapest(with_project(offers=closed), {"offered": "H100"})) == [4.0, 3.5]
    assert fleet.cheapest(of, {"offered": "B200"}) == []


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ({}, [1_775_109_600, 1_785_621_600]),
        ({"period": (0, PLAN_S + 1460 * HOUR_S)}, [1_775_109_600]),
        ({"period": (0, PLAN_S + 1459 * HOUR_S)}, []),
        ({"period": (1_775_109_600, 1_785_621_600)}, [1_785_621_600]),
        ({"party": frozenset({"Ada"})}, [1_785_621_600]),
        ({"party": frozenset({"K3"})}, [None]),  # it has no end
    ],
)
def test_contracts_end_in_a_time_and_of_whom_is_asked(
    values: dict[str, Any], ends: list[float | None]
) -> None:
    """K2 on 2 April at 06:00, 1,460 hours after the plan begins; K1 on 1 August."""
    assert values_of(fleet.expiring(worlds.plan(), values)) == ends


def test_co2_of_a_year_is_twelve_months() -> None:
    of = worlds.plan()
    energy = replace(of.advice.energy, kg_co2_per_month=100.0, kwh_per_month=None)
    assert values_of(fleet.co2_year(with_advice(energy=energy), {})) == [1200.0, None]


@pytest.mark.parametrize(
    ("model", "asked_model", "is_of"),
    [
        ("A100 80GB", "A100", True),
        ("A100", "A100", True),
        ("A100", "A100 80GB", False),
        ("L40S", "L40", False),
        (None, "A100", False),
    ],
)
def test_a_family_of_gpu_models_is_asked_for_by_its_first_word(
    model: str | None, asked_model: str, is_of: bool
) -> None:
    assert fleet.is_of(model, {"model": asked_model}) is fleet.is_of(model, {"offered": asked_model}) is is_of
    assert fleet.is_of(model, {})


def test_a_contract_that_has_renewed_renews_from_then_on() -> None:
    """K2 ended on 2 March at 10:00, its notice of 40 days passed before the plan: renewed by two months to 2 May."""
    of = worlds.plan()
    end_s = instant_s("2026-03-02T10:00:00Z")
    held = tuple(
        replace(row, end_s=end_s, notice_days=40, renews_months=2) if row.contract_id == "K2" else row
        for row in of.project.contracts
    )
    renewed = replace(of, project=replace(of.project, contracts=held))
    notice, until, binds = fleet.notices(renewed, {"contract": Named("contract", "K2")})
    day = [instant_s(f"2026-{month}-02T10:00:00Z") for month in ("05", "07")]
    assert (notice.value, until.value, until.last_s) == (day[0] - 40 * 86_400, day[1], day[1] - 1)
    assert binds.value == pytest.approx(8 * 61 * 24 * 1.5)


@pytest.mark.parametrize(("first", "is_in"), [("2026-01-01", True), ("2026-04-01", False)])
def test_a_contract_to_the_last_day_of_a_quarter_ends_in_it(first: str, *, is_in: bool) -> None:
    of = worlds.plan()
    held = tuple(
        replace(row, end_s=instant_s("2026-04-01")) if row.contract_id == "K2" else row
        for row in of.project.contracts
    )
    quarter = instant_s(first), instant_s(first) + 90 * 86_400
    rows = fleet.expiring(replace(of, project=replace(of.project, contracts=held)), {"period": quarter})
    assert [row.last_s for row in rows] == ([instant_s("2026-04-01") - 1] if is_in else [])
