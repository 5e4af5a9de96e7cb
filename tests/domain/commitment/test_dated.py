"""Workloads with a first and a last day, steps of demand, planned work: who is there in which month."""

from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.busy import UNDATED, Outlined, Schedule, factors_of_months, moments_of
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.layers import busiest_first
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange, Step
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S, Window
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

HOURS = 800
END_S = START_S + HOURS * 3600
OFFERS = [offer("od", 0, 6.0), offer("c3", 3, 4.0), offer("c12", 12, 3.0)]
KEYS = ("c1/team/load-000", "c1/team/load-001")
STILL: dict[str, Any] = {"sigma": 0.0, "delta": 0.0, "lambda_": 0.0}


def at(months: float) -> int:
    return END_S + round(months * MONTH_S)


def advised(*gpus: float, contracts: Any = (), model: str | None = "H100", **plan: Any) -> Advice:
    scenario = Scenario(name="Plan A", **plan)
    loads = [Load(pool=Pool.TRAINING, gpus=[one] * HOURS, model=model) for one in gpus]
    made = case(loads, contracts, OFFERS, scenario, **STILL)
    return advise(made.project, scenario, made.pools, audit())


def by_month(advice: Advice) -> list[float]:
    """Mean GPUs of each month, from doing nothing at 6 $ an hour."""
    return [round((month.do_nothing_usd or 0.0) / 730 / 6.0, 6) for month in advice.comparison]


def parts_of_months(schedules: tuple[Schedule, ...], window: Window) -> Any:
    moments = moments_of((), schedules, (), window, 4)
    return factors_of_months(Outlined({}, 1.0, schedules, moments), window, 4)


def test_a_month_is_cut_where_something_changes() -> None:
    window = Window(START_S, HOURS)
    late = Schedule(spell=Spell(at(1.25), at(3)))
    pieces = parts_of_months((UNDATED, late), window)
    assert pieces[0] == ((1.0, (1.0, 0.0)),) and pieces[2] == ((1.0, (1.0, 1.0)),)
    assert pieces[3] == pieces[0]
    assert pieces[1] == ((pytest.approx(0.25), (1.0, 0.0)), (pytest.approx(0.75), (1.0, 1.0)))
    steps = Schedule(steps=(Step(2.0, at(0)), Step(1.5, at(2.5))))
    means = [sum(share * there[0] for share, there in month) for month in parts_of_months((steps,), window)]
    assert means == [2.0, 2.0, 2.5, 3.0]
    ended = moments_of(
        [contract("k", 1, 2.0, 1.5, HOURS)], (late,), [PriceChange("H100", 2.0, at(3.5))], window, 4
    )
    assert ended == (at(1.25), at(1.5), at(3), at(3.5))


def test_who_ends_is_there_until_that_day_and_signed_for_no_longer() -> None:
    advice = advised(10, 4, spells={KEYS[1]: Spell(ends_s=at(4.5))})
    assert by_month(advice) == [14.0] * 4 + [12.0] + [10.0] * 7
    (plan,) = advice.pools
    assert {layer.term_months: layer.gpus for layer in plan.layers} == {12: 10.0, 3: 4.0}
    assert advice.workload_usd[KEYS[1]] == pytest.approx(730 * 4 * 4.0)  # a run, which costs its own orders


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_hours_of_a_month_in_parts_are_those_of_its_parts_not_of_their_mean(share: float) -> None:
    served = [contract("c", 3, 1.0, None, HOURS)] if share == 0.5 else []
    still_there = DemandChange(
        target=KEYS[0], keys=KEYS[:1], factor=1.0, from_s=at(70)
    )  # what has steps is bought by slices
    spells = {KEYS[0]: Spell(ends_s=at(share))}
    (plan,) = advised(10, 4, spells=spells, changes=(still_there,), contracts=served).pools
    left = 3.0 if served else 0.0
    assert (plan.demand.peak_gpus, plan.demand.p95_gpus) == (14.0, 14.0)
    assert plan.demand.mean_gpus == pytest.approx(4 + 10 * round(share * MONTH_S) / MONTH_S)
    shown = busiest_first(plan)
    assert sorted(set(shown.tolist()), reverse=True) == [14.0 - left, 4.0 - left]
    assert shown.mean() == pytest.approx(plan.demand.residual_gpus.mean(), abs=10 / HOURS)
    assert plan.demand.peak_gpus >= sum(layer.gpus for layer in plan.layers)
    (still,) = advised(10, 4).pools
    assert busiest_first(still).tolist() == sorted(still.demand.residual_gpus, reverse=True)


def test_who_begins_later_costs_nothing_before() -> None:
    advice = advised(10, 4, spells={KEYS[1]: Spell(begins_s=at(2))})
    assert by_month(advice) == [10.0] * 2 + [14.0] * 10
    assert advice.workload_usd[KEYS[1]] == 0.0
    assert [layer.gpus for layer in advice.pools[0].layers] == [10.0]
    assert [(order.gpus, order.start_s) for order in advice.orders] == [(10.0, at(0)), (4.0, at(2))]


def test_who_is_over_when_the_plan_begins_is_as_if_it_had_never_been() -> None:
    over, never = advised(10, 4, spells={KEYS[1]: Spell(ends_s=at(0))}), advised(10)
    assert by_month(over) == by_month(never) and over.totals.plan == never.totals.plan
    assert (
        over.pools[0].demand.gpu_hours == never.pools[0].demand.gpu_hours
        and over.workload_usd[KEYS[1]] == 0.0
    )


def test_an_end_beyond_the_horizon_changes_nothing() -> None:
    dated, plain = advised(10, 4, spells={KEYS[1]: Spell(ends_s=at(61))}), advised(10, 4)
    assert dated.totals == plain.totals and by_month(dated) == by_month(plain)
    assert [layer.gpus for layer in dated.pools[0].layers] == [layer.gpus for layer in plain.pools[0].layers]


def test_contracts_serve_who_is_there() -> None:
    held = [contract("k1", 12, 2.0, 40, HOURS)]
    advice = advised(10, 4, contracts=held, spells={KEYS[1]: Spell(ends_s=at(1))})
    paid = 730 * 12 * 2.0
    assert advice.comparison[0].do_nothing_usd == pytest.approx(paid + 730 * 2 * 6.0)
    assert advice.comparison[1].do_nothing_usd == pytest.approx(paid)


@pytest.mark.parametrize("model", ["H100", None])
def test_steps_multiply_what_they_name(model: str | None) -> None:
    contracts = [] if model else [contract("k1", 1, 2.0, None, HOURS)]
    one = (DemandChange(target=KEYS[0], keys=(KEYS[0],), factor=2.0, from_s=at(3)),)
    rest = 0.0 if model else 730 * 1 * 2.0 / 730 / 6.0 - 1
    assert by_month(advised(10, 4, model=model, contracts=contracts, changes=one)) == pytest.approx(
        [14.0 + rest] * 3 + [24.0 + rest] * 9, abs=1e-5
    )
    both = (DemandChange(target="all", keys=(), factor=0.5, from_s=at(1)), *one)
    assert by_month(advised(10, 4, model=model, contracts=contracts, changes=both)) == pytest.approx(
        [14.0 + rest] + [7.0 + rest] * 2 + [12.0 + rest] * 9, abs=1e-5
    )


def test_a_step_by_a_day_gets_there_evenly_month_by_month() -> None:
    ramp = (DemandChange(target="all", keys=(), factor=3.0, from_s=at(3.5), by=True),)
    assert by_month(advised(10, 4, changes=ramp)) == pytest.approx([14.0, 21.0, 28.0, 35.0] + [42.0] * 8)


def test_a_stated_end_is_no_fall_and_a_stated_return_counts_as_lived() -> None:
    """40 GPUs that stopped 20 days ago beside 8 that run on."""
    gone = np.where(np.arange(1200) < 1200 - 480, 40.0, 0.0)
    loads = [Load(pool=Pool.TRAINING, gpus=list(gone)), Load(pool=Pool.TRAINING, gpus=[8.0] * 1200)]
    rules: dict[str, Any] = STILL | {"demand_fall_closes": True, "slices_lived": True}

    def plan(spell: Spell | None = None) -> Advice:
        scenario = Scenario(name="Plan A", spells={KEYS[0]: spell} if spell else {})
        made = case(loads, (), OFFERS, scenario, recency_half_life_days=None, **rules)
        return advise(made.project, scenario, made.pools, audit())

    def signed(advice: Advice) -> dict[int | None, float]:
        return {layer.term_months: layer.gpus for layer in advice.pools[0].layers if layer.term_months}

    end_s = START_S + 1200 * 3600
    unsaid, ended, back = plan(), plan(Spell(ends_s=end_s)), plan(Spell(begins_s=end_s))
    assert any(check.code == "demand_fell" for check in unsaid.checks) and signed(unsaid) == {3: 8.0}
    for said in (ended, back):
        assert not any(check.code == "demand_fell" for check in said.checks)
    assert signed(ended) == {12: 8.0} and signed(back) == {12: 48.0}


@pytest.mark.parametrize(("running", "falls"), [(40.0, (False, False)), (4.0, (True, True))])
def test_a_future_end_makes_no_fall_of_others(running: float, falls: tuple[bool, bool]) -> None:
    """Some GPUs that run on beside 16 that fell to 6: what is said is of the log, before and after an end is given."""
    fell = np.where(np.arange(1200) < 1200 - 336, 16.0, 6.0)
    loads = [Load(pool=Pool.TRAINING, gpus=[running] * 1200), Load(pool=Pool.TRAINING, gpus=list(fell))]
    found = []
    for spells in ({}, {KEYS[0]: Spell(ends_s=START_S + 4800 * 3600)}):
        scenario = Scenario(name="Plan A", spells=spells)
        made = case(
            loads, (), OFFERS, scenario, recency_half_life_days=None, **STILL | {"demand_fall_closes": True}
        )
        advice = advise(made.project, scenario, made.pools, audit())
        found.append(next((check for check in advice.checks if check.code == "demand_fell"), None))
    assert tuple(check is not None for check in found) == falls
    if found[1] is not None:
        assert found[1].keys == (KEYS[1],)
        assert "14 days" in str(found[1].message) and "45%" in str(found[1].message)


def test_demand_that_went_silent_is_said_so_and_not_in_percent() -> None:
    """A run of the last month but for its last week: the last 14 days hold more than the mean."""
    hours = np.arange(1200)
    silent = list(np.where((hours >= 600) & (hours < 1200 - 168), 8.0, 0.0))
    rules = STILL | {"demand_fall_closes": True}
    made = case([Load(pool=Pool.TRAINING, gpus=silent)], (), OFFERS, recency_half_life_days=None, **rules)
    advice = advise(made.project, made.project.scenarios[0], made.pools, audit())
    (check,) = (check for check in advice.checks if check.code == "demand_fell")
    assert "7 days" in str(check.message) and "%" not in str(check.message)


def test_an_advice_after_a_drag_is_a_fresh_one_to_the_bit() -> None:
    """One project, one cache; a date moves and prices step, then a card moves, then all go back."""
    loads = [
        Load(pool=Pool.TRAINING, gpus=[one] * HOURS, model=model)
        for one in (10.0, 4.0)
        for model in ("H100", None)
    ]
    made = case(loads, [contract("k1", 6, 2.0, 3, HOURS)], OFFERS, **STILL)
    changes = (DemandChange(target="all", keys=(), factor=1.3, from_s=at(4)),)
    first = Scenario(name="Plan A", spells={KEYS[1]: Spell(begins_s=at(1.5))}, changes=changes)
    steps = (PriceChange("H100", 0.5, at(2)),)
    spells = {KEYS[1]: Spell(begins_s=at(1.5), ends_s=at(7))}
    other = Scenario(name="Plan A", spells=spells, changes=changes, price_changes=steps)
    moved = (Pool.INFERENCE, Pool.BURST, *made.pools[2:])
    cache = AdviceCache()
    for scenario, pools in (
        (first, made.pools),
        (other, made.pools),
        (other, moved),
        (first, moved),
        (first, made.pools),
    ):
        quick = advise(made.project, scenario, pools, audit(), cache)
        fresh = advise(made.project, scenario, pools, audit())
        assert quick.totals == fresh.totals and quick.comparison == fresh.comparison
        assert [plan.layers for plan in quick.pools] == [plan.layers for plan in fresh.pools]
        assert quick.workload_usd == fresh.workload_usd and quick.orders == fresh.orders
