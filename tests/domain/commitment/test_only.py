"""Only: demand that one provider or region alone may serve is planned by itself, at what that one sells."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.book.only import Only, check_only, gpu_model_of, limited_name, only_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import START_S, Case, Load, audit, case, contract, offer
from tests.some_of import examples

HOURS = 800
END_S = START_S + HOURS * 3600
KEYS = tuple(f"c1/team/load-{number:03d}" for number in range(3))
STILL: dict[str, Any] = {"sigma": 0.0, "delta": 0.0, "lambda_": 0.0, "wacc": 0.0, "horizon_months": 12}
ONE, TWO = {"provider": "one", "region": "east"}, {"provider": "two", "region": "west"}
OFFERS = [
    offer("od1", 0, 6.0, **ONE),
    offer("m1", 1, 3.0, **ONE),
    offer("od2", 0, 8.0, **TWO),
    offer("m2", 1, 5.0, **TWO),
]


def made(loads: list[Load], contracts: Any = (), offers: Any = OFFERS, **only: Only) -> tuple[Case, Scenario]:
    limits = {KEYS[int(name[1:])]: one for name, one in only.items()}
    scenario = Scenario(name="Plan A", only=limits)
    return case(loads, contracts, offers, scenario, **STILL), scenario


def advised(loads: list[Load], contracts: Any = (), offers: Any = OFFERS, **only: Only) -> Advice:
    project, scenario = made(loads, contracts, offers, **only)
    return advise(project.project, scenario, project.pools, audit())


def steady(*gpus: float, model: str | None = "H100") -> list[Load]:
    return [Load(pool=Pool.TRAINING, gpus=[one] * HOURS, model=model) for one in gpus]


def layers(advice: Advice) -> dict[str | None, list[tuple[str | None, float]]]:
    return {pool.gpu_model: [(x.offer_id, x.gpus) for x in pool.layers] for pool in advice.pools}


@pytest.mark.parametrize("only", [Only("two"), Only("TWO"), Only(region="west"), Only("two", "west")])
def test_it_buys_of_that_one_alone_and_the_rest_of_anybody(only: Only) -> None:
    advice = advised(steady(4, 2), w1=only)
    assert layers(advice) == {"H100": [("m1", 4.0)], f"H100 @ {only}": [("m2", 2.0)]}
    assert advice.totals.plan == pytest.approx(730 * (4 * 3.0 + 2 * 5.0))
    assert advice.totals.do_nothing == pytest.approx(730 * (4 * 6.0 + 2 * 8.0))
    assert advice.workload_usd == {KEYS[0]: pytest.approx(730 * 12), KEYS[1]: pytest.approx(730 * 10)}


def test_contracts_of_others_do_not_serve_it_and_those_it_may_use_serve_it_first() -> None:
    held = [contract("a", 4, 1.0, None, HOURS, **ONE), contract("b", 1, 2.0, None, HOURS, **TWO)]
    advice = advised(steady(4, 2), held, w1=Only("two"))
    existing = {x.gpu_model: x.layers[0].gpus for x in advice.pools if x.layers[0].existing}
    assert existing == {"H100": 4.0, "H100 @ two": 1.0}
    assert advice.idle_existing == () and [x.gpus for x in advice.orders if x.start_s == END_S] == [1.0]
    alone = advised(steady(2), held, w0=Only("two"))
    assert [(x.existing, x.gpus) for x in alone.pools[0].layers] == [(True, 1.0), (False, 1.0)]
    assert [idle.gpus for idle in alone.idle_existing] == [pytest.approx(4.0)]


def test_demand_of_unknown_model_keeps_its_limit() -> None:
    held = [contract("a", 4, 1.0, None, HOURS, **ONE), contract("b", 1, 2.0, None, HOURS, **TWO)]
    advice = advised(steady(4, 2, model=None), held, w1=Only("two"))
    assert {pool.gpu_model: pool.demand.mean_gpus for pool in advice.pools} == {
        "H100": 4.0,
        "H100 @ two": 2.0,
    }
    assert [(x.offer_id, x.gpus) for x in advice.orders if x.start_s == END_S] == [("m2", 1.0)]


def test_what_nobody_offers_is_unserved_and_red() -> None:
    advice = advised(steady(4, 2), w1=Only("three"))
    assert [(one.key, one.usd_per_month) for one in advice.unserved] == [(KEYS[1], None)]
    assert advice.unserved[0].gpu_hours == pytest.approx(12 * 730 * 2)
    assert advice.totals.plan == pytest.approx(730 * 4 * 3.0)
    (check,) = [one for one in advice.checks if one.code == "unserved"]
    assert check.severity == "red" and check.subject == "training H100 @ three"


@pytest.mark.parametrize("use", [True, False])
def test_what_a_limit_leaves_to_nobody_and_others_would_serve_is_no_saving(use: bool) -> None:
    """By use of another, or by a contract that runs: doing nothing under the limit leaves it to nobody as well."""
    held = [] if use else [contract("a", 6, 1.0, None, HOURS, **ONE)]
    offers = OFFERS if use else ()
    project, scenario = made(steady(4, 2), held, offers, w1=Only("three"))
    advice = advise(project.project, scenario, project.pools, audit())
    totals = advice.totals
    assert totals.plan is not None and totals.do_nothing is not None
    assert (
        totals.savings,
        totals.savings_percent,
        totals.savings_vs_do_nothing,
        totals.effective_savings_rate,
    ) == (None,) * 4
    (check,) = [one for one in advice.checks if one.code == "unserved"]
    assert check.severity == "red" and "savings" in str(check.message)
    steps = outlook(project.project, scenario, project.pools, advice).savings_steps
    assert {one.step for one in steps if one.usd_per_month is not None} <= {"demand"}


def test_a_limit_that_somebody_serves_under_leaves_savings_known() -> None:
    totals = advised(steady(4, 2), w1=Only("two")).totals
    assert totals.savings_vs_do_nothing == pytest.approx(730 * (4 * 3.0 + 2 * 3.0))


def test_one_who_sells_no_use_is_signed_for_where_it_can_be() -> None:
    offers = [one for one in OFFERS if one.offer_id != "od2"]
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS),
        Load(pool=Pool.TRAINING, gpus=[0.0, 3.0] * (HOURS // 2)),
    ]
    advice = advised(loads, offers=offers, w1=Only("two"))
    assert layers(advice)["H100 @ two"] == [("m2", 3.0)]
    assert advice.unserved == () and advice.totals.plan == pytest.approx(730 * (2 * 3 + 3 * 5))


GPUS = st.lists(st.integers(0, 4), min_size=24, max_size=24)


def of_day(gpus: list[int]) -> list[float]:
    return (np.resize(gpus, HOURS) + 0.0).tolist()


@settings(max_examples=examples(8), deadline=None)
@given(GPUS, GPUS, st.sampled_from([0, 2]))
def test_a_limit_that_limits_nothing_changes_nothing(a: list[int], b: list[int], held: int) -> None:
    """All offers and contracts are of the one that may serve: to the bit."""
    a[0] = b[0] = 1
    loads = [Load(pool=Pool.TRAINING, gpus=of_day(a)), Load(pool=Pool.TRAINING, gpus=of_day(b))]
    contracts = [contract("k", held, 1.0, None, HOURS, **ONE)] if held else []
    free, limited = (
        advised(loads, contracts, OFFERS[:2], **only) for only in ({}, {"w1": Only("one", "east")})
    )
    assert limited.totals == free.totals and layers(limited) == layers(free)
    assert limited.orders == free.orders and limited.workload_usd == free.workload_usd


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(GPUS, st.sampled_from([0, 2]), st.sampled_from(["one", "two"]))
def test_all_of_a_row_limited_to_whom_it_buys_of_anyway_is_planned_as_before(
    a: list[int], held: int, who: str
) -> None:
    a[0] = 1
    loads = [Load(pool=Pool.TRAINING, gpus=of_day(a))]
    contracts = [contract("k", held, 1.0, None, HOURS, provider=who)] if held else []
    offers = [offer("od", 0, 6.0, provider=who), offer("m", 1, 3.0, provider=who), offer("dear", 0, 9.0)]
    free, limited = (advised(loads, contracts, offers, **only) for only in ({}, {"w0": Only(who)}))
    assert limited.totals == free.totals
    assert [x.layers for x in limited.pools] == [x.layers for x in free.pools]


@settings(max_examples=examples(8), deadline=None)
@given(GPUS, GPUS, st.sampled_from([0, 2]), st.sampled_from([Only("one"), Only("two"), Only(region="west")]))
def test_a_limit_never_makes_a_plan_cheaper(a: list[int], b: list[int], held: int, only: Only) -> None:
    """Month by month terms and nothing that moves: what a slice costs is what it is best planned at."""
    a[0] = b[0] = 1
    loads = [Load(pool=Pool.TRAINING, gpus=of_day(a)), Load(pool=Pool.TRAINING, gpus=of_day(b))]
    contracts = [contract("k", held, 1.0, None, HOURS, **ONE)] if held else []
    free, limited = (advised(loads, contracts, **which) for which in ({}, {"w1": only}))
    assert (limited.totals.plan or 0) >= (free.totals.plan or 0) - 1e-6
    assert sum(x.demand.gpu_hours for x in limited.pools) == pytest.approx(
        sum(x.demand.gpu_hours for x in free.pools)
    )
    assert sum(x or 0 for x in limited.workload_usd.values()) + sum(
        x.cost_per_month or 0 for x in limited.idle_existing
    ) == pytest.approx(limited.totals.plan)


def test_the_joint_plan_keeps_the_limits() -> None:
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS),
        Load(pool=Pool.BURST, gpus=[3.0] * HOURS),
        Load(pool=Pool.BURST, gpus=[1.0] * HOURS),
    ]
    project, scenario = made(loads, w1=Only("two"), w2=Only("two"))
    advice = advise(project.project, scenario, project.pools, audit())
    later = outlook(project.project, scenario, project.pools, advice)
    assert {x.gpu_model: x.demand.mean_gpus for x in later.separation.joint} == {
        "H100": 2.0,
        "H100 @ two": 4.0,
    }
    assert later.separation.cost_usd() == pytest.approx(0)


def test_a_mapped_model_serves_within_the_limit() -> None:
    from gpuplanner.domain.model.book.only import ModelMapping

    project, scenario = made(steady(4), offers=[offer("b", 1, 4.0, gpu_model="B200", **TWO)], w0=Only("two"))
    mapped = replace(project.project, mappings=(ModelMapping("H100", "B200", 2.0),))
    advice = advise(mapped, scenario, project.pools, audit())
    (layer,) = advice.pools[0].layers
    assert (layer.offer_id, layer.offer_gpus) == ("b", 2.0)
    assert advice.totals.plan == pytest.approx(730 * 2 * 4.0)


@pytest.mark.parametrize("model", ["H100", None])
@pytest.mark.parametrize("only", [Only(), Only("a b"), Only(region="eu-1"), Only("a", "eu 1")])
def test_a_name_says_model_and_limit(model: str | None, only: Only) -> None:
    name = limited_name(model, only)
    assert (gpu_model_of(name), only_of(name)) == (model, only)


@pytest.mark.parametrize("only", [Only("a [b]"), Only(region="x]"), Only("a @ b"), Only(" a")])
def test_names_that_could_not_be_told_are_refused(only: Only) -> None:
    with pytest.raises(PlannerError, match="provider or region"):
        check_only("key", only)


# --- Countries: as a column states, else of the region; where nobody knows it nothing is served

IN_THE_US, IN_GERMANY = {"region": "us-east-1"}, {"country": "DE"}


@pytest.mark.parametrize(
    "there", [IN_GERMANY, {"country": "germany"}, {"region": "eu-central-1"}, {"country": "FR;DE"}]
)
def test_a_rule_by_country_buys_where_it_may_at_what_that_costs(there: dict[str, str]) -> None:
    offers = [offer("a", 0, 2.0, **IN_THE_US), offer("e", 0, 2.6, **there)]
    free, bound = (advised(steady(64), offers=offers, **who) for who in ({}, {"w0": Only(country="DE;FR")}))
    assert bound.totals.plan - free.totals.plan == pytest.approx(64 * 730 * 0.60)  # $28,032
    assert not [one for one in bound.checks if one.code.startswith("residency")]


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (IN_THE_US, {("residency_broken", "red")}),
        ({"region": "dc-7"}, {("residency_broken", "red"), ("residency_unknown", "amber")}),
        ({}, {("residency_broken", "red"), ("residency_unknown", "amber")}),
    ],
)
def test_where_nobody_may_serve_it_is_red_and_an_unknown_country_serves_none(there: Any, found: Any) -> None:
    offers = [offer("a", 0, 2.0, **there), offer("b", 0, 2.0, **IN_THE_US)]
    advice = advised(steady(64), offers=offers, w0=Only(country="DE"))
    assert {(one.code, one.severity) for one in advice.checks if one.code.startswith("residency")} == found
    assert [one.gpu_hours for one in advice.unserved] == [pytest.approx(64 * 8760)]


def test_a_contract_elsewhere_does_not_serve_it() -> None:
    held = [contract("k", 64, 1.0, None, HOURS, **IN_THE_US)]
    advice = advised(steady(64), held, [offer("e", 0, 2.6, **IN_GERMANY)], w0=Only(country="DE"))
    assert [idle.gpus for idle in advice.idle_existing] == [pytest.approx(64.0)]


def test_names_with_countries_are_read_back() -> None:
    for only in (
        Only(country="DE;FR"),
        Only("x", "eu-1", country="DE"),
        Only(not_provider="x", country="FR"),
    ):
        assert only_of(limited_name("H100", only)) == only
        assert gpu_model_of(limited_name("H100", only)) == "H100"
