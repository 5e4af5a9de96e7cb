"""The year: each month is the comparison's, row by row, and what happens in it is shared out among the months."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.happenings import happening
from gpuplanner.domain.commitment.plan.month_advice import advise_in_month
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.some_of import some_of

HOURS = 24 * 40
PLAIN = Scenario(name="Plan A")


@pytest.fixture
def case(make_case: Callable, three_pools: tuple, make_contract: Callable, make_offer: Callable):  # type: ignore[no-untyped-def,type-arg]
    contracts = [
        make_contract("soon", 5, 3.0, 2.4, HOURS, cluster="c2", term_months=36, notice_days=60),
        make_contract("far", 2, 2.0, 40, HOURS),
    ]
    offers = [
        make_offer("t06", 6, 4.0, lead_time_hours=1500),
        make_offer("t12", 12, 3.2, lead_time_hours=100),
        make_offer("od", 0, 6.88),
    ]
    return make_case(three_pools, contracts, offers)


def plans(case) -> dict[str, Scenario]:  # type: ignore[no-untyped-def]
    """Plans whose months differ by growth, prices, dates, steps, a start from scratch, and what is set by hand."""
    end_s = case.project.window.end_s
    first, second = (workload.key for workload in case.project.workloads[:2])
    return {
        "plain": PLAIN,
        "growing": replace(PLAIN, assumptions={"growth": 0.05, "delta": 0.02}),
        "scratch": replace(PLAIN, greenfield=True),
        "dated": replace(
            PLAIN,
            spells={first: Spell(ends_s=end_s + 4 * MONTH_S + 9 * DAY_S)},
            changes=(
                DemandChange(target=second, keys=(second,), factor=2.0, from_s=end_s + 6 * MONTH_S + DAY_S),
            ),
        ),
        "budget": replace(PLAIN, assumptions={"budget_usd_per_month": 40_000.0}),
    }


@pytest.mark.long
@pytest.mark.parametrize("name", some_of(["dated", "growing", "budget", "scratch", "plain"], quick=3))
def test_each_month_costs_what_the_comparison_says_of_it(case, make_audit, name: str) -> None:  # type: ignore[no-untyped-def]
    plan, audit = plans(case)[name], make_audit()
    advice = advise(case.project, plan, case.pools, audit)
    for month, compared in enumerate(advice.comparison):
        found = advise_in_month(case.project, plan, case.pools, audit, advice, month)
        of_pools = sum(row.cost_per_month for row in found.pools)
        idle = sum(row.cost_per_month for row in found.idle_existing)
        assert of_pools + idle == pytest.approx(compared.plan_usd, abs=0.005)
        assert sum(found.workload_usd.values()) == pytest.approx(of_pools, abs=0.005)
        assert found.totals.plan == compared.plan_usd and found.totals.do_nothing == compared.do_nothing_usd
        unserved = sum(row.unserved_gpu_hours for row in found.pools)
        assert unserved == pytest.approx(compared.unserved_gpu_hours, abs=1e-6)
        assert found.orders is advice.orders and found.verdicts is advice.verdicts


def test_the_first_month_is_the_advice_itself(case, make_audit) -> None:  # type: ignore[no-untyped-def]
    advice = advise(case.project, PLAIN, case.pools, make_audit())
    assert advise_in_month(case.project, PLAIN, case.pools, make_audit(), advice, 0) is advice
    with pytest.raises(IndexError):
        advise_in_month(case.project, PLAIN, case.pools, make_audit(), advice, 12)


def test_a_month_in_which_all_is_as_before_has_the_layers_of_before(
    make_case: Callable,
    make_load: Callable,
    make_contract: Callable,
    make_offer: Callable,
    make_audit: Callable,  # type: ignore[type-arg]
) -> None:
    """By hand: 4 GPUs all the time, 3 of them under a contract for two months and a half, the rest by use at $2."""
    made = make_case(
        [make_load(Pool.TRAINING, np.full(HOURS, 4.0))],
        [make_contract("k", 3, 1.0, 2.5, HOURS)],
        [make_offer("od", 0, 2.0)],
    )
    plan = replace(PLAIN, assumptions={"delta": 0.0})
    advice = advise(made.project, plan, made.pools, make_audit())

    def layers(month: int) -> list[tuple[bool, float, float]]:
        found = advise_in_month(made.project, plan, made.pools, make_audit(), advice, month)
        ((row),) = found.pools
        return [(layer.existing, layer.mean_gpus, layer.cost_per_month or 0.0) for layer in row.layers]

    assert layers(1) == layers(0) == [(True, 3.0, 3 * 730.0), (False, 1.0, 730 * 2.0)]
    assert [gpus for _, gpus, _ in layers(2)] == pytest.approx([1.5, 2.5])
    assert layers(3) == layers(11) == [(False, 4.0, 4 * 730 * 2.0)]


def test_spans_share_out_all_that_happens(case, make_audit) -> None:  # type: ignore[no-untyped-def]
    project = case.project
    advice = advise(project, replace(PLAIN, assumptions={"growth": 0.05}), case.pools, make_audit())
    edges = [month.start_s for month in advice.comparison] + [advice.comparison[-1].start_s + MONTH_S]
    months = [happening(advice.orders, project.contracts, *span) for span in pairwise(edges)]
    whole = happening(advice.orders, project.contracts, edges[0], edges[-1])
    assert whole.starting and whole.to_sign and whole.contracts_ending
    for kind in ("starting", "ending", "to_sign", "contracts_ending", "notices"):
        shared = [one for month in months for one in getattr(month, kind)]
        assert sorted(map(id, shared)) == sorted(map(id, getattr(whole, kind))), kind
    assert not any(order.reason == "if_it_lasts" for order in whole.starting)
    [one] = project.contracts[:1]
    ends = replace(
        one, end_s=edges[1] + 30 * DAY_S, notice_days=30
    )  # the last second is in the first of both months
    found = [happening((), (ends,), *span).notices for span in pairwise(edges)]
    assert found[:2] == [(ends,), ()] and not any(found[2:])
    first = whole.starting[0]
    assert happening([first], (), first.start_s, first.start_s + 1).starting == (first,)
    assert happening([first], (), first.start_s - 9, first.start_s).starting == ()
