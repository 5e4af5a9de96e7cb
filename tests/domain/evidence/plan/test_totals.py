"""Why of a plan's totals and layers: the formula comes to the figure that is kept, to the bit."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.layers import mean_rate
from gpuplanner.domain.commitment.plan.month_advice import with_cards
from gpuplanner.domain.evidence.plan.layers import (
    ALL,
    PlacedCard,
    PlanEvidence,
    order_subject,
    part_of,
    row_subject,
)
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.plan.totals import check_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.writing import MONEY, MONEY_PER_MONTH
from gpuplanner.domain.model.tables import Pool
from tests.domain import worlds
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.domain.evidence.plan.planned import OFFERS, evidence_of, planned_evidence


@pytest.fixture
def evidence() -> PlanEvidence:
    return planned_evidence()


def test_totals_come_to_what_is_kept(evidence: PlanEvidence) -> None:
    assert evidence.advice is not None
    totals = evidence.advice.totals
    kept = {
        "plan_below_nothing": totals.savings_vs_do_nothing,
        "plan_saved": totals.savings,
        "plan_utilization": totals.effective_utilization_plan,
        "plan_lock_in": totals.lock_in_months,
        "plan_unused": totals.unused_plan,
        "month_nothing": evidence.advice.comparison[0].do_nothing_usd,
        "month_plan": evidence.advice.comparison[0].plan_usd,
    }
    assert kept["plan_below_nothing"] is not None
    for kind, value in kept.items():
        subject = "0" if kind.startswith("month") else ""
        assert answer(evidence, figure(kind, subject)).value == value, kind


def test_savings_are_unknown_where_demand_is_left_to_nobody() -> None:
    """64 GPUs, of which 16 are served by use: the totals have no savings, and the answer said today less plan."""
    made = case([Load(pool=Pool.INFERENCE, gpus=[64.0] * 700)], (), [offer("od", 0, 7.0, max_gpus=16)])
    of, cache = (made.project, made.project.scenarios[0], made.pools), AdviceCache()
    advice = with_cards(*of, advise(*of, audit(), cache), cache)
    evidence = PlanEvidence(
        project=made.project,
        scenario=of[1].name,
        audit=audit(),
        advice=advice,
        offers=made.project.offers,
        cards=(),
        due=(),
        is_today=False,
    )
    assert advice.totals.savings is None and None not in (advice.totals.today, advice.totals.plan)
    for kind in ("plan_saved", "plan_below_nothing"):
        found = answer(evidence, figure(kind))
        assert found.value is None and str(found.note) == "Unknown: some demand is unserved"
        assert [row.values[0].value for row in found.rows][1] == advice.totals.plan  # type: ignore[union-attr]


def test_what_binds_is_what_the_month_pays_times_the_months_left(evidence: PlanEvidence) -> None:
    assert evidence.advice is not None
    rows = [row.values for row in answer(evidence, figure("plan_lock_in", "")).rows]
    assert [bound for *_, bound in rows] == pytest.approx([usd * months for usd, months, _ in rows])
    assert sum(usd for usd, *_ in rows) == pytest.approx(evidence.advice.totals.plan)


def test_a_contract_that_ends_within_the_month_idles_for_its_hours() -> None:
    """Of 8 GPUs for half the month and 2 for all of it, 1 is used: on average 5 stand idle, not 9."""
    held = [contract("k1", 2, 3.0, 40, 700), contract("ends_soon", 8, 3.0, 0.5, 700)]
    evidence = evidence_of([1.0] * 700, held)
    (idle,) = evidence.worked_out.idle_existing
    found = answer(evidence, figure("idle_gpus", idle.gpu_model or ""))
    assert found.value == idle.gpus == pytest.approx(5.0)
    assert [row.values for row in found.rows] == [pytest.approx((gpus,)) for gpus in (4.0, 2.0, -1.0)]


def test_layers_come_to_what_is_kept(evidence: PlanEvidence) -> None:
    assert evidence.advice is not None
    (plan,) = evidence.advice.pools
    assert len(plan.layers) >= 3
    for at, layer in enumerate(plan.layers):
        subject = row_subject(plan, part_of(layer))
        assert answer(evidence, figure("layer_usd", subject)).value == layer.cost_per_month
        assert answer(evidence, figure("layer_used", subject)).value == layer.utilization
        value = answer(evidence, figure("value", row_subject(plan, str(at)), "value"))
        assert value.value == layer.value_per_month
    whole = row_subject(plan, ALL)
    assert answer(evidence, figure("layer_rate", whole)).value == mean_rate(plan.layers) is not None
    paid = sum(layer.mean_gpus * layer.paid_hours for layer in plan.layers)
    assert answer(evidence, figure("layer_paid", whole)).value == pytest.approx(paid)
    for term in plan.break_even:
        subject = row_subject(plan, str(term.term_months))
        assert answer(evidence, figure("term_break_even", subject)).value == term.break_even
        assert answer(evidence, figure("compared", subject)).value == term.compared_per_month


def test_orders_come_to_what_is_kept(evidence: PlanEvidence) -> None:
    assert evidence.advice is not None and evidence.advice.orders
    for order in evidence.advice.orders:
        found = answer(evidence, figure("order_usd", order_subject(order)))
        assert found.value == order.cost_per_month is not None


def test_a_card_costs_its_share_of_what_serves_its_pool(evidence: PlanEvidence) -> None:
    assert evidence.advice is not None
    costs = evidence.advice.cards
    assert costs is not None
    for key, usd in costs.usd.items():
        placed = PlacedCard(
            key=key,
            name=key,
            pool=Pool.INFERENCE,
            in_review=False,
            gpu_hours_per_month=costs.gpu_hours[key],
            usd_per_month=usd,
        )
        found = answer(replace(evidence, cards=(placed,)), figure("card_usd", key))
        assert found.value == usd is not None
        paid, served = costs.contracts_usd[key], costs.contracts_gpu_hours[key]
        assert paid is not None
        assert [row.values for row in found.rows] == [
            (served, paid),
            (costs.gpu_hours[key] - served, usd - paid),
        ]
        opened = {opens for _, opens in found.more}
        assert {figure("layer_usd", row_subject(plan, ALL)) for plan in evidence.advice.pools} <= opened
        waiting = replace(evidence, cards=(replace(placed, usd_per_month=None),), advice=None)
        assert answer(waiting, figure("card_usd", key)).value is None


def test_only_a_contract_without_a_rate_is_said_to_be_none_for_free() -> None:
    held = [contract("paid", 4, 3.0, 40, 700), contract("open", 4, None, 40, 700)]
    made = case([Load(pool=Pool.INFERENCE, gpus=[6.0] * 700)], held, OFFERS)
    project, found = made.project, audit()
    seen = PlanEvidence(
        project=project,
        scenario=project.scenarios[0].name,
        audit=found,
        advice=None,
        offers=project.offers,
        cards=(),
        due=(),
        is_today=False,
    )
    notes = {one.contract_id: str(answer(seen, figure("contract_usd", one.contract_id)).note) for one in held}
    assert not notes["paid"] and "without a rate" in notes["open"]


def test_a_column_lists_what_is_priced_by_its_cost_and_then_the_rest_by_its_hours(
    evidence: PlanEvidence,
) -> None:
    of = {"a": (900.0, None), "b": (10.0, 20.0), "c": (5.0, 70.0), "d": (1000.0, None)}
    cards = tuple(
        PlacedCard(
            key=key, name=key, pool=Pool.BURST, in_review=False, gpu_hours_per_month=hours, usd_per_month=usd
        )
        for key, (hours, usd) in of.items()
    )
    rows = answer(replace(evidence, cards=cards), figure("column_usd", "burst")).rows
    assert [row.name for row in rows] == ["c", "b", "d", "a"]


@pytest.mark.parametrize(
    ("kind", "month"), [("ahead_plan", "month_plan"), ("ahead_nothing", "month_nothing")]
)
def test_twelve_months_open_each_month_of_the_same_figure(kind: str, month: str) -> None:
    evidence = worlds.evidence_of_plan(worlds.plan())
    trace = answer(evidence, f"{kind}::twelve_months")
    assert [row.opens for row in trace.rows] == [figure(month, str(at)) for at in range(12)]
    each = [answer(evidence, row.opens).value for row in trace.rows]
    assert [row.values[0] for row in trace.rows] == pytest.approx(each)
    assert trace.value == pytest.approx(sum(value or 0.0 for value in each))
    assert answer(evidence, f"{kind}::next_month").value == pytest.approx(each[0])
    assert answer(evidence, f"{kind}::month_12").value == pytest.approx(each[11])


@pytest.mark.parametrize(("code", "is_whole"), [("order_by_passed", True), ("idle_beside_orders", False)])
def test_a_check_costs_a_month_or_all_of_a_renewal(code: str, is_whole: bool) -> None:
    evidence = worlds.evidence_of_plan(worlds.plan())
    assert evidence.advice is not None
    base: Any = next(iter(worlds.divided().advised.checks))
    checks = tuple(
        replace(base, code=code, subject=name, usd_per_month=usd)
        for name, usd in (("K1", 12.4), ("K2", None))
    )
    changed = replace(evidence, advice=replace(evidence.advice, checks=checks))
    assert [check_subject(check) for check in checks] == [f"{code}\tK1\t12", f"{code}\tK2\t0"]
    traces = [answer(changed, figure("check_usd", check_subject(check))) for check in checks]
    assert [trace.value for trace in traces] == [12.4, None]
    unit = MONEY if is_whole else MONEY_PER_MONTH
    assert {str(trace.said_as) for trace in traces} == {str(unit.per)}
    for words in (str(traces[0].title), str(traces[0].words)):
        assert ("Idle" in words or "idle" in words) is not is_whole
