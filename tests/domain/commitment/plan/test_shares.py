"""Shares of who is named: a provider or a region may have no more than so much of the first month's $."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.plan.shares import share_rooms, usd_of_share
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.edits.seller_limits import limit_share
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Case, Load, audit, case, contract, offer
from tests.some_of import examples

HOURS = 192
STILL: dict[str, Any] = {"lambda_": 0.0, "delta": 0.0, "sigma": 0.0, "wacc": 0.0, "horizon_months": 12}
ONE, TWO = {"provider": "one", "region": "east"}, {"provider": "two", "region": "west"}
BY_MONTH = [offer("od", 0, 5.0), offer("one", 1, 2.0, **ONE), offer("two", 1, 3.0, **TWO)]
LONG = [*BY_MONTH, offer("one3", 3, 1.5, **ONE), offer("two6", 6, 1.0, **TWO)]
HELD = [contract("k", 2, 2.0, None, HOURS, **ONE)]
Shares = dict[Only, float]


def made(demand: list[float], shares: Shares, offers: Any = BY_MONTH, **values: Any) -> tuple[Case, Scenario]:
    plan = Scenario(name="Plan A", shares=shares)
    load = Load(pool=Pool.TRAINING, gpus=np.resize(demand, HOURS).tolist())
    return case([load], HELD, offers, plan, **(STILL | values)), plan


def advised(demand: list[float], shares: Shares, offers: Any = BY_MONTH, **values: Any) -> Advice:
    of, plan = made(demand, shares, offers, **values)
    return advise(of.project, plan, of.pools, audit())


def signed(advice: Advice) -> dict[str | None, float]:
    return {layer.offer_id: layer.gpus for layer in advice.pools[0].layers if layer.term_months}


@pytest.mark.parametrize("who", [Only("one"), Only("ONE"), Only(region="east"), Only("one", "east")])
def test_one_who_is_named_gets_no_more_than_its_share_and_others_the_rest(who: Only) -> None:
    # half of 20 x 730 $: 4 are the contract's, so that three GPUs at 2 fit; two has no limit, so all others are its
    advice = advised([10.0], {who: 0.5})
    assert signed(advice) == {"one": 3.0, "two": 5.0}
    assert not [check for check in advice.checks if check.code == "over_provider_share"]
    both = advised([10.0], {who: 0.5, Only(region="west"): 0.25})
    assert signed(both) == {"one": 3.0, "two": 1.0}  # a quarter of 20: one GPU at 3
    general = advised([10.0], {who: 0.3}, max_provider_share=0.5)
    assert signed(general) == {
        "one": 1.0,
        "two": 3.0,
    }  # the tighter one holds of the first, that of all of the second


def test_contracts_alone_over_a_share_are_said_and_nothing_new_is_signed() -> None:
    advice = advised([10.0], {Only(region="east"): 0.15})
    (check,) = [check for check in advice.checks if check.code == "over_provider_share"]
    assert (check.severity, str(check.subject)) == ("amber", "region east")
    assert "one" not in signed(advice)


def test_a_name_that_nobody_has_is_said_with_those_like_it() -> None:
    advice = advised([10.0], {Only("on"): 0.5})
    (check,) = [check for check in advice.checks if check.code == "nobody_called_so"]
    assert check.severity == "amber" and "50%" in str(check.subject) and str(check.subject).endswith(" on")
    assert str(check.message).endswith(" one?")
    assert signed(advice) == {"one": 8.0}


@pytest.mark.parametrize(("growth", "most_gpus"), [(0.0, 8.0), (0.2, 8.0)])
def test_all_of_it_binds_what_one_provider_is_signed_later(growth: float, most_gpus: float) -> None:
    """All 20 x 730 $ of month 0: 4 are the contract's, so that 8 GPUs at 2 are ever signed, however demand grows."""
    kept = advised([10.0], {}, BY_MONTH[:2], growth=growth, max_provider_share=1.0)
    starts = sorted({one.start_s for one in kept.orders})
    by_month = [sum(one.gpus for one in kept.orders if one.start_s == at) for at in starts]
    assert len(starts) == 12
    assert max(by_month) == by_month[0] == most_gpus
    free = advised([10.0], {}, BY_MONTH[:2], growth=growth)
    assert (kept.orders == free.orders) is (growth == 0.0)


def test_all_of_it_takes_back_the_share_of_who_is_named() -> None:
    project = made([10.0], {Only("one"): 0.5})[0].project
    for share in (1.0, None):
        assert limit_share(project, "Plan A", Only("one"), share).scenario("Plan A").shares == {}


@pytest.mark.parametrize(
    ("who", "share"),
    [(Only("one"), 1.5), (Only("one"), -0.1), (Only(), 0.5), (Only(not_provider="one"), 0.5)],
)
def test_what_is_no_share_of_anybody_is_refused(who: Only, share: float) -> None:
    with pytest.raises(PlannerError):
        limit_share(made([10.0], {})[0].project, "Plan A", who, share)


DEMAND = st.lists(st.integers(0, 6), min_size=24, max_size=24)
WHO = st.sampled_from([Only("one"), Only("two"), Only(region="east")])
SHARE = st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8])


def on(demand: list[int]) -> list[float]:
    return [1.0, *map(float, demand[1:])]


@pytest.mark.long
@settings(max_examples=examples(12), deadline=None)
@given(DEMAND, WHO, st.lists(SHARE, min_size=2, max_size=2, unique=True))
def test_a_tighter_share_never_makes_a_plan_cheaper(
    demand: list[int], who: Only, shares: list[float]
) -> None:
    """Month by month terms and nothing that moves: what a slice costs is what it is best planned at."""
    plans = [advised(on(demand), {who: share}).totals.plan or 0.0 for share in sorted(shares)]
    plans.append(advised(on(demand), {}).totals.plan or 0.0)
    assert all(tight >= loose - 1e-6 for tight, loose in pairwise(plans))


@settings(max_examples=examples(12), deadline=None)
@given(DEMAND, WHO, SHARE, st.sampled_from([0.0, 0.1]), st.sampled_from([0.7, 1.0]))
def test_nobody_is_over_its_share_but_by_contracts_alone(
    demand: list[int], who: Only, share: float, growth: float, most_of_one: float
) -> None:
    of, plan = made(on(demand), {who: share}, LONG, growth=growth, max_provider_share=most_of_one)
    ground = ground_of(of.project, plan, of.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    whole = advised(on(demand), {}, LONG, growth=growth).totals.plan or 0.0
    for key, most in share_rooms(ground).items():
        alone = usd_of_share((), ground, key)
        assert usd_of_share(planned.bought, ground, key) <= max(most * whole, alone) + 1e-6
