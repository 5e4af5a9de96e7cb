"""The energy of a plan: layers in use and idle, the largest hour, what is owned, and the limit."""

from dataclasses import replace
from functools import partial

import pytest

from gpuplanner.domain.audit.energy import RatedPower, WindowEnergy
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.evidence.plan.layers import of_plan_energy, peak
from gpuplanner.domain.figures.energy import PLAN_ENERGY
from gpuplanner.domain.model.places import Places, Site
from gpuplanner.domain.model.tables import Pool
from tests.domain.model.book.test_offer import NODE

HOURS = 2160
QUIET = {"delta": 0.0, "sigma": 0.0, "lambda_": 0.0, "slices_lived": False, "recency_half_life_days": None}
POWERS = {"H100": RatedPower(1.0, False), "A100": RatedPower(0.5, False)}


@pytest.fixture
def planned(make_case, make_load, make_audit):
    def of(offers, contracts=(), places=None, powers=POWERS, **values):
        load = [8.0 if hour % 2 else 2.0 for hour in range(HOURS)]
        made = make_case([make_load(Pool.TRAINING, load)], contracts, offers, **(QUIET | values))
        project = made.project if places is None else replace(made.project, places=places)
        audit = replace(make_audit(), energy=WindowEnergy(powers=powers))
        return advise(project, project.scenarios[0], made.pools, audit)

    return of


def close(value):
    return pytest.approx(value, rel=1e-9)


def test_what_is_paid_by_use_draws_while_it_is_used(planned, make_offer):
    energy = planned([make_offer("od", 0, 5.0)]).energy
    assert energy.kwh_per_month == close(5 * 0.8 * 1.3 * 730)
    assert energy.peak_kw == close(8 * 0.8 * 1.3)
    assert energy.kg_co2_per_month is None
    (pool,) = energy.by_pool
    assert (pool.pool, pool.kwh_per_month, pool.peak_kw) == (
        Pool.TRAINING,
        energy.kwh_per_month,
        energy.peak_kw,
    )


def test_what_is_signed_draws_idle_too_and_existing_gpus_as_well(planned, make_offer, make_contract):
    signed = planned([make_offer("od", 0, 50.0), make_offer("c12", 12, 1.0)]).energy
    assert signed.kwh_per_month == close((5 * 0.8 + 3 * 0.3) * 1.3 * 730)
    assert signed.peak_kw == close(8 * 0.8 * 1.3)
    contract = replace(make_contract("k", 8, 2.0, None, HOURS), grid_kg_co2_per_kwh=0.5)
    existing = planned([make_offer("od", 0, 5.0)], [contract]).energy
    assert existing.kwh_per_month == close(signed.kwh_per_month)
    assert existing.kg_co2_per_month == close(0.5 * signed.kwh_per_month)
    assert existing.peak_kw == close(signed.peak_kw)
    assert [row.pool for row in existing.by_pool] == [Pool.TRAINING, None]
    assert sum(row.kwh_per_month for row in existing.by_pool) == close(existing.kwh_per_month)
    assert sum(row.kwh_per_month for row in existing.layers) == close(existing.kwh_per_month)


def test_the_largest_hour_is_of_twelve_months(planned, make_offer):
    grown = planned([make_offer("od", 0, 5.0)], growth=0.1, growth_fade=1.0).energy
    assert grown.peak_kw == close(8 * 0.8 * 1.3 * 1.1**11)


def test_what_takes_the_largest_hour_adds_up_and_why_says_it(planned, make_offer, make_contract):
    contract = replace(make_contract("k", 12, 2.0, None, HOURS), grid_kg_co2_per_kwh=0.5)
    advice = planned([make_offer("od", 0, 5.0)], [contract])
    energy = advice.energy
    assert energy.peak.hour % 2 == 1  # the hours with 8 of the 12 in use
    assert energy.peak.kw == {Pool.TRAINING: close(8 * 0.8 * 1.3), None: close(4 * 0.3 * 1.3)}
    assert sum(energy.peak.kw.values()) == close(energy.peak_kw)

    class Evidence:
        pass

    Evidence.advice = advice
    trace = peak(Evidence, "", "")
    assert trace.value == energy.peak_kw and len(trace.rows) == 2
    for key in ("kwh_per_month", "kg_co2_per_month"):
        answer = partial(of_plan_energy, PLAN_ENERGY[key])
        assert answer(Evidence, "", "").value == getattr(energy, key)
        assert answer(Evidence, "", "training").value == getattr(energy.by_pool[0], key)
        for number, layer in enumerate(energy.layers):
            assert answer(Evidence, "layer", str(number)).value == getattr(layer, key)


def test_owned_gpus_take_their_own_power_and_building(planned, make_offer):
    site = Site(
        site_id="hall", city="Oslo", country="Norway", latitude=60.0, longitude=11.0, grid_kg_co2_per_kwh=0.25
    )
    own = replace(NODE, kw_per_gpu=2.0, pue=1.1, region="hall")
    energy = planned([make_offer("od", 0, 50.0), own], places=Places(sites=(site,))).energy
    assert energy.kwh_per_month == close((5 * 0.8 + 3 * 0.3) * 2.0 * 1.1 * 730)
    assert energy.kg_co2_per_month == close(0.25 * energy.kwh_per_month)
    assert energy.peak_kw == close(8 * 0.8 * 2.0 * 1.1)


def test_an_offer_takes_the_grid_that_contracts_of_its_region_agree_on(planned, make_offer, make_contract):
    def co2(*stated, places=None):
        contracts = [
            replace(
                make_contract(f"k{at}", 1, 2.0, None, HOURS),
                region="US-East",
                grid_kg_co2_per_kwh=grid,
                gpu_model="A100",
            )
            for at, grid in enumerate(stated)
        ]
        offer = replace(make_offer("od", 0, 5.0), region="us-east")
        (training, *_) = planned([offer], contracts, places).energy.by_pool
        return training.kg_co2_per_month, training.kwh_per_month

    assert co2(None)[0] is None
    known, kwh = co2(0.5, None, 0.5)
    assert known == close(0.5 * kwh)
    assert co2(0.5, 0.4)[0] is None
    site = Site(
        site_id="us-east",
        city="Ashburn",
        country="US",
        latitude=39.0,
        longitude=-77.5,
        grid_kg_co2_per_kwh=0.2,
    )
    of_site, kwh = co2(0.5, 0.4, places=Places((), (site,)))
    assert of_site == close(0.2 * kwh)


def test_assumptions_move_it_and_a_model_without_power_is_unknown(planned, make_offer):
    offers = [make_offer("od", 0, 5.0)]
    assert planned(offers, power_share=0.5, pue=2.0).energy.kwh_per_month == close(5 * 0.5 * 2.0 * 730)
    dark = planned(offers, powers={}).energy
    assert (dark.kwh_per_month, dark.peak_kw, dark.by_pool[0].kwh_per_month) == (None, None, None)


def test_a_plan_over_the_limit_is_red_and_exactly_the_limit_is_not(planned, make_offer):
    offers = [make_offer("od", 0, 5.0)]
    most = planned(offers).energy.peak_kw
    for limit, is_over in ((most - 0.01, True), (most, False), (None, False)):
        checks = planned(offers, power_limit_kw=limit).checks
        assert [one.severity for one in checks if one.code == "over_power_limit"] == ["red"] * is_over


def test_what_a_budget_leaves_to_nobody_draws_nothing_in_the_largest_hour(planned, make_offer):
    whole = planned([make_offer("od", 0, 5.0)]).energy
    advice = planned([make_offer("od", 0, 5.0)], budget_usd_per_month=2 * 5.0 * 730, power_limit_kw=2.5)
    assert advice.unserved
    assert advice.energy.kwh_per_month == close(2 * 0.8 * 1.3 * 730)
    assert advice.energy.peak_kw == close(2 * 0.8 * 1.3) == close(whole.peak_kw / 4)
    assert not any(check.code == "over_power_limit" for check in advice.checks)
