"""The term that matches work, and the mix of each class: by hand, and as sums of the audit and the plan.

100 h of 8 GPUs in a window of 730 h are 800 GPU-h; of a blend of 400 on demand at $4 and 400 on spot that cost $2,400,
$1,600 are on demand and $800 spot.
"""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.commitment import term_mix
from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.commitment.term_mix import matching_term, mix_rows, term_matches
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain import worlds

HOURS = 90 * 24
ALWAYS = np.arange(HOURS)
BLEND = Layer(
    existing=False,
    pricing_category=PricingCategory.MIXED,
    term_months=0,
    offer_id=None,
    gpus=8.0,
    busy_gpus=800 / 730,
    rate=3.0,
    spot_share=0.5,
    on_demand_rate=4.0,
)


def row_of(*terms, on_demand=4.0):
    """The first row of a plan with these terms: months and break-even of each."""
    row = worlds.plan().advised.pools[-1]
    made = tuple(replace(row.break_even[0], term_months=months, break_even=even) for months, even in terms)
    return replace(row, break_even=made, supply=replace(row.supply, on_demand_rate=on_demand))


TERMS = row_of((1, 0.9), (3, 0.6), (12, 0.5), (36, 0.35))


@pytest.mark.parametrize(
    ("ran", "months"),
    [
        (ALWAYS, 36),
        (ALWAYS[HOURS - 44 * 24 :], 3),  # 44 days: 45 are needed for 12 months
        (ALWAYS[HOURS - 30 * 24 :], 3),
        (ALWAYS[HOURS - 29 * 24 :], 1),  # 29 days are not enough for 3
        (ALWAYS[::2], 12),  # half of the hours on each of 90 days: exactly the break-even of 12
        (ALWAYS[::3], 0),
        (ALWAYS[: HOURS - 28 * 24], 36),  # exactly 28 days without it
        (ALWAYS[: HOURS - 28 * 24 - 1], 0),
    ],
    ids=["always", "44 days", "30 days", "29 days", "half", "a third", "paused", "ended"],
)
def test_a_term_matches_by_days_and_by_busy_share(ran, months):
    if months == 12:
        assert matching_term([row_of((12, 0.5), (36, 0.51))], ran, HOURS) == 12
    else:
        assert matching_term([TERMS], ran, HOURS) == months


def test_work_with_a_stated_end_takes_no_term_beyond_it():
    assert matching_term([TERMS], ALWAYS, HOURS, 12.0) == 12
    assert matching_term([TERMS], ALWAYS, HOURS, 11.9) == 3


def test_without_an_offer_the_term_is_unknown_and_by_use_it_is_0():
    assert matching_term([], ALWAYS, HOURS) is None
    assert matching_term([row_of(on_demand=None)], ALWAYS, HOURS) is None
    assert matching_term([row_of()], ALWAYS, HOURS) == 0
    # nobody sells by use: every term that the days allow
    assert matching_term([row_of((12, None), on_demand=None)], ALWAYS, HOURS) == 12


def test_the_plans_end_of_a_workload_counts():
    of = worlds.plan()
    past, key = past_of(of.project, of.audit), "c1/team/load-000"
    ends = Spell(ends_s=of.project.plan_window.end_s + 2 * 730 * 3600)
    plan = replace(of.plan, spells={key: ends})
    (first, *_) = term_matches(past, frozenset(), of.advised, plan, {key: Pool.TRAINING})
    assert (first.key, first.matching_term_months) == (key, 0)  # terms of 3 and 12 months are on offer


def test_contracts_that_are_asked_about_leave_their_cluster_unknown():
    of = worlds.plan()
    past, asked = past_of(of.project, of.audit), frozenset({"K1"})
    left = {row.key: row.committed_months_left for row in term_matches(past, asked, of.advised, of.plan, {})}
    assert left == {"c1/team/load-000": None, "c2/team/load-001": pytest.approx(2), "c1/team/load-002": None}
    rows = mix_rows(past, asked, of.advised)
    known = {row.pool for row in rows if row.category == term_mix.RESERVED and row.usd_now is not None}
    assert known == {Pool.INFERENCE}


@pytest.mark.parametrize(
    "world", [worlds.plan, worlds.limited, worlds.asked], ids=["plan", "limited", "asked"]
)
def test_the_mix_adds_up_to_the_spend_and_to_the_plan(world):
    of = world()
    rows = mix_rows(past_of(of.project, of.audit), of.audit.unknown_contracts, of.advised)
    assert sum(row.usd_now for row in rows) == pytest.approx(of.audit.spend, abs=0.01)
    assert sum(row.usd_plan for row in rows) == pytest.approx(of.advised.totals.plan, abs=0.01)
    paid = sum(c.paid_gpu_hours + c.overflow_gpu_hours for c in of.audit.clusters)
    assert sum(row.gpu_hours_now for row in rows) == pytest.approx(paid / of.project.window.months)
    assert sum(row.gpu_hours_plan for row in rows) == pytest.approx(of.advised.inputs.paid_gpus * 730)


def test_the_classes_of_the_mix_are_those_of_the_audit():
    of = worlds.plan()
    rows = mix_rows(past_of(of.project, of.audit), frozenset(), of.advised)
    for pool, share in of.audit.classes.items():
        own = [row for row in rows if row.pool is pool]
        assert sum(row.usd_now for row in own) == pytest.approx(share.cost_per_month)
        assert sum(row.gpu_hours_now for row in own) == pytest.approx(
            share.gpu_hours / of.project.window.months
        )


@pytest.mark.parametrize(
    ("layer", "on_demand", "spot"),
    [
        (replace(BLEND, cost_per_month=2400.0), (400, 1600), (400, 800)),
        (replace(BLEND, cost_per_month=1000.0), (400, 1000), (400, 0)),
        (replace(BLEND, cost_per_month=None), (400, None), (400, None)),
        (replace(BLEND, cost_per_month=2400.0, on_demand_rate=None), (400, None), (400, None)),
    ],
    ids=["known", "below the rate", "no cost", "no rate"],
)
def test_a_blend_is_parted_at_the_on_demand_rate(layer, on_demand, spot):
    of = worlds.plan()
    plan = replace(of.advised, pools=(replace(of.advised.pools[0], layers=(layer,)),), idle_existing=())
    rows = mix_rows(past_of(of.project, of.audit), frozenset(), plan)
    parts = {row.category: (row.gpu_hours_plan, row.usd_plan) for row in rows if row.pool is Pool.BURST}
    assert parts["on_demand"] == pytest.approx(on_demand)
    assert parts["spot"] == pytest.approx(spot)
