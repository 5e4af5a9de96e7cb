"""Twelve months of the plan and of doing nothing, and what nobody serves by workload, by hand."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.plan.twelve_months import (
    NOBODY_MAY,
    OFFERS_ARE_TAKEN,
    OVER_BUDGET,
    budget_check,
    comparison_of,
    cut_at_runs,
    groups_of,
    is_left,
    leaves_unserved,
    nothing_by_month,
    unserved_checks,
    unserved_of,
)
from gpuplanner.domain.commitment.result import Unserved
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.domain.commitment.conftest import START_S, Load, case, contract, offer

HOURS = 200
BEGIN_S = START_S + HOURS * HOUR_S
A = Scenario(name="A")
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}
OD = offer("od", 0, 6.0)
FOUR = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]


def world(
    loads: Any = None, contracts: Any = (), offers: Any = (OD,), scenario: Scenario = A, **values: Any
) -> Any:
    made = case(loads or FOUR, contracts, offers, scenario, **(CALM | values))
    project = replace(made.project, mappings=(ModelMapping("H100", "H200", 2.0),))
    return ground_of(project, scenario, made.pools, AdviceCache())


def nothing(*args: Any, **values: Any) -> list[tuple[float | None, float]]:
    """Of each month $ without new commitments, and Unserved GPU-hours."""
    months = nothing_by_month(world(*args, **values))
    return [(month.do_nothing_usd, month.do_nothing_unserved_gpu_hours) for month in months]


# --- With nothing signed


def test_contracts_and_what_they_leave_over_are_paid_month_by_month() -> None:
    """3 of 4 GPUs at $1 until the middle of month 1; the rest at $6."""
    months = nothing(None, [contract("k", 3, 1.0, 1.5, HOURS)])
    before, after = 730 * (3 * 1 + 6), 730 * 4 * 6
    assert [usd for usd, _ in months] == pytest.approx([before, (before + after) / 2, *[after] * 10])
    assert {left for _, left in months} == {0.0}
    first = nothing_by_month(world(None, [contract("k", 3, 1.0, 1.5, HOURS)]))[0]
    assert first.do_nothing_use_usd == pytest.approx(730 * 6) and first.nothing_parts.known == pytest.approx(
        before
    )
    assert (first.month, first.start_s, first.plan_usd) == (0, BEGIN_S, None)
    unpriced = nothing_by_month(world(None, [contract("k", 3, None, None, HOURS)]))[0]
    assert unpriced.do_nothing_usd is None and unpriced.nothing_parts.missing == ("k",)
    assert unpriced.nothing_parts.known == pytest.approx(730 * 6)


def test_offers_serve_hour_by_hour_what_they_have() -> None:
    """3 at $6 and then 2 at $9 for hours of 2, 4 and 8 GPUs, of which 3 are nobody's in the last."""
    loads = [Load(pool=Pool.TRAINING, gpus=[2.0, 4.0, 8.0, 2.0] * (HOURS // 4))]
    offers = [offer("a", 0, 6.0, max_gpus=3), offer("b", 0, 9.0, max_gpus=2)]
    usd, left = nothing(loads, (), offers)[0]
    hourly = [2 * 6, 3 * 6 + 9, 3 * 6 + 2 * 9, 2 * 6]
    assert (usd, left) == (pytest.approx(730 * sum(hourly) / 4), pytest.approx(730 * 3 / 4))
    more = [*offers, offer("c", 0, 10.0)]
    assert nothing(loads, (), more)[0] == (pytest.approx(730 * (sum(hourly) + 30) / 4), 0.0)


def test_rows_rent_in_turn_and_mapped_gpus_do_the_work_of_several() -> None:
    """Inference takes 3 of 4 H100 at $6; training the last one and one H200 at $10 for two."""
    loads = [Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS), Load(pool=Pool.INFERENCE, gpus=[3.0] * HOURS)]
    offers = [offer("a", 0, 4.0, max_gpus=4), offer("big", 0, 10.0, gpu_model="H200", max_gpus=1)]
    assert nothing(loads, (), offers)[0] == (pytest.approx(730 * (4 * 4 + 10)), 0.0)
    parts = nothing_by_month(world(loads, (), offers))[0].nothing_parts
    assert (parts.parts, parts.missing) == (2, ())


def test_what_nobody_sells_is_unknown_and_what_nobody_may_serve_is_left() -> None:
    assert nothing(None, (), ())[0] == (None, 0.0)
    assert nothing([Load(pool=Pool.TRAINING, gpus=[0.0] * HOURS)], (), ())[0] == (0.0, 0.0)
    only = replace(A, only={"c1/team/load-000": Only("Ada")})
    assert nothing(None, (), (OD,), only)[0] == (0.0, pytest.approx(730 * 4))


def test_prices_by_use_follow_their_path_and_dated_changes() -> None:
    """They fall by a tenth a month; from the middle of month 1 on H100 cost half."""
    change = PriceChange("H100", 0.5, BEGIN_S + MONTH_S + MONTH_S // 2)
    months = nothing(scenario=replace(A, price_changes=(change,)), delta=0.1)
    whole = 730 * 4 * 6
    assert [usd for usd, _ in months[:3]] == pytest.approx([whole, 0.9 * 0.75 * whole, 0.81 * 0.5 * whole])


def test_runs_are_paid_by_use_beside_what_contracts_have_idle() -> None:
    """A run of 2 GPUs for 365 h; of 5 GPUs of a contract one is idle for it."""
    work = PlannedWork(
        name="load-001",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=2.0,
        cluster="c1",
        team="team",
        length_hours=365,
    )
    loads = [*FOUR, Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS)]
    scenario = replace(A, planned=(work,))
    assert nothing(loads, (), (OD,), scenario)[0][0] == pytest.approx(6 * (4 * 730 + 2 * 365))
    held = [contract("k", 5, 1.0, None, HOURS)]
    months = nothing(loads, held, (OD,), scenario)
    assert [usd for usd, _ in months[:2]] == pytest.approx([5 * 730 + 6 * 365, 5 * 730])
    cut = cut_at_runs(world(loads, (), (OD,), scenario))
    assert cut.outlined.moments == (BEGIN_S, BEGIN_S + 365 * HOUR_S)
    plain = world()
    assert cut_at_runs(plain) is plain


def test_a_run_that_begins_later_is_paid_in_its_hours() -> None:
    """2 GPUs from hour 1,000 to 1,600: 460 h of month 1 and 140 of month 2."""
    loads = [*FOUR, Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS)]
    run = PlannedWork(
        name="load-001",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=2.0,
        cluster="c1",
        team="team",
        begins_s=BEGIN_S + 1000 * HOUR_S,
        length_hours=600,
    )
    months = nothing(loads, (), (OD,), replace(A, planned=(run,)))
    expected = [6 * (4 * 730 + 2 * hours) for hours in (0, 460, 140, 0)]
    assert [usd for usd, _ in months[:4]] == pytest.approx(expected)


# --- Beside the plan


def test_months_of_a_plan_are_contracts_orders_and_use() -> None:
    """One GPU of a contract at $1, and of 3 more all for a year at $2; of A100 one by use."""
    loads = [*FOUR, Load(pool=Pool.BURST, gpus=[1.0] * HOURS, model="A100")]
    offers = [OD, offer("y1", 12, 2.0), offer("a", 0, 3.0, gpu_model="A100")]
    of = world(loads, [contract("k", 1, 1.0, None, HOURS)], offers)
    months = comparison_of(of, plan_of(of, AdviceCache()), nothing_by_month(of))
    first = months[0]
    assert (first.contracts_usd, first.orders_usd, first.use_usd) == pytest.approx(
        (730.0, 3 * 2 * 730, 3 * 730)
    )
    assert first.plan_usd == pytest.approx(730 * (1 + 6 + 3)) and len(months) == 12
    assert first.do_nothing_usd == pytest.approx(730 * (1 + 18 + 3))
    assert first.plan_parts.known == pytest.approx(first.plan_usd) and first.use_parts.known == pytest.approx(
        3 * 730
    )
    assert first.use_hours == (("A100", ("a",), pytest.approx(730.0)),)
    alone = comparison_of(of, plan_of(of, AdviceCache()))
    assert [month.start_s for month in alone[:2]] == [BEGIN_S, BEGIN_S + MONTH_S]
    assert alone[0].do_nothing_usd is None and alone[0].plan_usd == first.plan_usd


@pytest.mark.parametrize(
    ("plan", "without", "horizon", "is_unserved"),
    [
        ((0.0, 5.0), (0.0, 0.0), 2, True),
        ((0.0, 5.0), (0.0, 0.0), 1, False),
        ((0.0, 0.0), (0.0, 5.0), 2, True),
        ((1e-7, 0.0), (0.0, 0.0), 2, False),
    ],
)
def test_something_is_unserved_within_the_horizon(
    plan: Any, without: Any, horizon: int, is_unserved: bool
) -> None:
    months: Any = [
        SimpleNamespace(unserved_gpu_hours=ours, do_nothing_unserved_gpu_hours=theirs)
        for ours, theirs in zip(plan, without, strict=True)
    ]
    assert leaves_unserved(months, horizon) is is_unserved
    assert not is_left([]) and is_left([0.0, 1e-5]) and not is_left([1e-6])


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        ([50.0, 101.0, 130.4], ["$130", "$9", "$100"]),
        ([100.005, None, 99.0], None),
        ([100.006], ["$100", "$9", "$100"]),
    ],
)
def test_a_budget_that_is_passed_names_the_worst_month(usd: Any, said: list[str] | None) -> None:
    of: Any = SimpleNamespace(assumptions=SimpleNamespace(budget_usd_per_month=100.0, horizon_months=3))
    months: Any = [
        SimpleNamespace(plan_usd=each, contracts_usd=9.0, start_s=BEGIN_S + at * MONTH_S, month=at)
        for at, each in enumerate([*usd, *[0.0] * (3 - len(usd)), 999.0])
    ]
    found = list(budget_check(of, months))
    assert [(check.code, check.severity) for check in found] == [("over_budget", "red")] * (said is not None)
    if said:
        assert [
            f"${value}"
            for value in map(str, (found[0].message.values[name] for name in ("usd", "contracts", "budget")))
        ] == said  # type: ignore[union-attr]
        undated = [SimpleNamespace(**(vars(month) | {"start_s": 9})) for month in months]
        (check,) = budget_check(of, undated)  # type: ignore[arg-type]
        assert ("2026" in str(found[0].message)) and "2026" not in str(check.message)
    of.assumptions.budget_usd_per_month = None
    assert not list(budget_check(of, months))


# --- What nobody serves


def unserved(*args: Any, **values: Any) -> list[tuple[Any, ...]]:
    of = world(*args, **values)
    found = unserved_of(of, plan_of(of, AdviceCache()))
    return [(row.pool, row.key[-3:], row.gpu_hours, row.usd_per_month, row.reason) for row in found]


def test_what_nobody_serves_is_of_those_who_ran_in_its_hours() -> None:
    """Two on demand; 3 GPUs of one and 1 of the other at the same time leave 2: 1.5 and 0.5 of twelve months."""
    loads = [Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS)]
    found = unserved(loads, (), [offer("od", 0, 6.0, max_gpus=2)])
    year = 12 * 730.0
    assert found == [
        (Pool.TRAINING, "000", pytest.approx(1.5 * year), None, OFFERS_ARE_TAKEN),
        (Pool.TRAINING, "001", pytest.approx(0.5 * year), None, OFFERS_ARE_TAKEN),
    ]
    # 3 and 1 in turn: limits go to slices from the highest, so that the lowest, which is always busy, has nobody
    apart = [
        Load(pool=Pool.TRAINING, gpus=[3.0, 0.0] * (HOURS // 2)),
        Load(pool=Pool.TRAINING, gpus=[0.0, 1.0] * (HOURS // 2)),
    ]
    assert unserved(apart, (), [offer("od", 0, 6.0, max_gpus=2)]) == [
        (Pool.TRAINING, f"00{at}", pytest.approx(0.5 * year), None, OFFERS_ARE_TAKEN) for at in range(2)
    ]
    assert unserved(loads, (), [OD]) == []


def test_who_may_be_served_by_nobody_is_told_so() -> None:
    only = replace(A, only={"c1/team/load-000": Only("Ada")})
    assert unserved(None, (), (OD,), only) == [
        (Pool.TRAINING, "000", pytest.approx(12 * 4 * 730), None, NOBODY_MAY)
    ]
    short = unserved(None, (), (OD,), only, horizon_months=6)
    assert short[0][2] == pytest.approx(6 * 4 * 730)


def test_what_a_budget_gives_up_has_its_dollars() -> None:
    """Of four GPUs at $6 two are kept for $10,000: 2 x 730 h, $8,760 a month."""
    (row,) = unserved(budget_usd_per_month=10_000.0)
    assert row == (Pool.TRAINING, "000", pytest.approx(12 * 2 * 730), pytest.approx(8760.0), OVER_BUDGET)


def test_what_a_budget_gives_up_is_of_those_who_want_that_much() -> None:
    """3 GPUs and half of one in turn: the third is given up, which is half of the hours, and the half GPU has none of
    it. 1.75 GPUs at $6 are $7,665 a month, and $5,475 without the third.
    """
    loads = [
        Load(pool=Pool.TRAINING, gpus=[3.0, 0.0] * (HOURS // 2)),
        Load(pool=Pool.TRAINING, gpus=[0.0, 0.5] * (HOURS // 2)),
    ]
    assert unserved(loads, budget_usd_per_month=6000.0) == [
        (Pool.TRAINING, "000", pytest.approx(12 * 365), pytest.approx(365 * 6), OVER_BUDGET)
    ]


def test_runs_that_nobody_serves_are_told_by_their_key() -> None:
    """A run of 3 GPUs for 100 h with two on demand; under a budget it has its dollars."""
    work = PlannedWork(
        name="load-001",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=3.0,
        cluster="c1",
        team="team",
        length_hours=100,
    )
    loads = [Load(pool=Pool.TRAINING, gpus=[0.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS)]
    scenario = replace(A, planned=(work,))
    found = unserved(loads, (), [offer("od", 0, 6.0, max_gpus=2)], scenario)
    assert found == [(Pool.TRAINING, "001", pytest.approx(100.0), None, OFFERS_ARE_TAKEN)]
    (over,) = unserved(loads, (), [OD], scenario, budget_usd_per_month=1.0)
    assert over == (Pool.TRAINING, "001", pytest.approx(300.0), pytest.approx(1800 / 12), OVER_BUDGET)
    only = replace(scenario, only={"c1/team/load-001": Only("Ada")})
    assert unserved(loads, (), [OD], only) == [(Pool.TRAINING, "001", pytest.approx(300.0), None, NOBODY_MAY)]


def left(
    pool: Pool, hours: float, reason: Any = OFFERS_ARE_TAKEN, key: str = "a", model: str | None = "H100"
) -> Unserved:
    return Unserved(pool=pool, gpu_model=model, key=key, gpu_hours=hours, usd_per_month=None, reason=reason)


def test_checks_of_what_is_unserved_are_one_a_row_or_one_for_a_budget() -> None:
    rows = [left(Pool.TRAINING, 100.0), left(Pool.TRAINING, 50.0, key="b"), left(Pool.BURST, 7.0, model=None)]
    found = [
        (str(check.subject), re.findall(r"\d+", str(check.message))[0]) for check in unserved_checks(rows)
    ]
    assert found == [("burst unknown model", "7"), ("training H100", "150")]
    over = [
        left(Pool.TRAINING, 100.0, OVER_BUDGET),
        left(Pool.BURST, 20.0, OVER_BUDGET),
        left(Pool.INFERENCE, 5.0),
    ]
    plan, other = unserved_checks(over)
    assert str(plan.subject) == "the plan" and str(other.subject) == "inference H100"
    numbers = re.findall(r"\d+", str(plan.message).replace("H100", ""))
    assert numbers == ["120", "12", "20", "100"]
    (alone,) = unserved_checks(over[:1])
    assert str(alone.subject) == "training H100"
    assert {check.severity for check in (plan, other, alone)} == {"red"}


def test_who_is_over_before_the_plan_begins_is_in_no_group() -> None:
    loads = [
        *FOUR,
        Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS, model=None),
        Load(pool=Pool.BURST, gpus=[1.0] * HOURS),
        Load(pool=Pool.TRAINING, gpus=[9.0] * HOURS),
    ]
    spells = {"c1/team/load-003": Spell(None, BEGIN_S)}
    of = world(
        loads, [contract("k", 1, 1.0, None, HOURS)], (OD,), replace(A, spells=spells), demand_training=2.0
    )
    assert groups_of(of).tolist() == [0, 0, 0, -1]
