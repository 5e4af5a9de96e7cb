"""Next decisions by hand: what twelve months cost without each of them."""

from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.next_decisions import BY_HAND, LEAVES_WORK, AlternativePlans, next_decisions
from gpuplanner.domain.commitment.outlook_result import Outlook, SavingsStep
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.comparison import Horizon, HorizonRow, horizon_row, saved_inputs
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import START_S, Case, Load, audit, case, contract, decided, offer

HOURS = 2160
DEFAULTS: dict[str, Any] = {"delta": 0.004, "recency_half_life_days": 7.0}
OFFERS = [
    offer("od", 0, 6.88),
    offer("m01", 1, 3.50, lead_time_hours=48.0),
    offer("m36", 36, 2.00, lead_time_hours=48.0),
]
MONTHLY = contract("PO-1", 32, 3.50, None, HOURS, notice_days=30.0, renews_months=1)
ROW = (Pool.INFERENCE, "H100", 36)


def planned(scenario: Scenario | None = None, *contracts: Any) -> tuple[Case, Scenario, Advice]:
    """16 GPUs in use all the time, beside some contracts."""
    loads = [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)]
    made = case(loads, contracts, OFFERS, scenario or Scenario(name="Plan A"), **DEFAULTS)
    plan = decided(made)
    return made, plan, advise(made.project, plan, made.pools, audit())


def decisions(made: Case, advice: Advice, outlook: Outlook | None = None) -> dict[str, NextDecision]:
    (plan,) = made.project.scenarios
    rows = next_decisions(made.project, plan, made.pools, advice, outlook or Outlook(), AdviceCache())
    return {row.decision_id: row for row in rows}


def committed(*rows: NextDecision) -> float:
    """$ that decisions commit, now and later."""
    return sum(row.committed_in_all_usd or 0.0 for row in rows)


def year(advice: Advice) -> float:
    return sum(month.plan_usd or 0.0 for month in advice.comparison)


def test_without_its_only_reserved_gpus_work_is_left() -> None:
    """Nobody sells the GPUs on demand, and no other term is open where the order is left out."""
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)],
        (),
        [offer("days", 1, 3.00, term_days=7)],
        **DEFAULTS,
    )
    advice = advise(made.project, decided(made), made.pools, audit())
    assert decisions(made, advice)["order:inference:H100:1"].unknown is LEAVES_WORK


def test_a_contract_that_ends_saves_what_it_would_cost_to_keep_it() -> None:
    made, _, advice = planned(None, MONTHLY)
    ended = decisions(made, advice)["contract:PO-1"]
    kept = planned(Scenario(name="Plan A", kept=("PO-1",)), MONTHLY)[2]
    assert (ended.kind, ended.is_in_plan, ended.contract_id) == ("end", True, "PO-1")
    assert ended.usd_12_months == pytest.approx(year(kept) - year(advice))
    assert year(kept) == pytest.approx(32 * 3.50 * 8760)  # all of it, and nothing beside it
    assert str(ended.title) == (
        "End PO-1 (32 H100) and order 2 H100 from 2 May 2026 to 2 May 2027, monthly"
        " + 14 H100 for 36 months from 2 May 2026"
    )


def test_what_decisions_commit_is_what_all_orders_bind() -> None:
    made, _, advice = planned(None, MONTHLY)
    rows = decisions(made, advice).values()
    assert committed(*rows) == pytest.approx(advice.totals.liability) and advice.totals.liability
    now_usd = sum(row.committed_usd or 0.0 for row in rows)
    assert now_usd == pytest.approx(advice.totals.liability_now)
    named = sorted(order for row in rows for order in map(repr, row.orders))
    assert named == sorted(map(repr, advice.orders))  # each whole, in one decision


def test_a_decision_that_the_planner_overruled_is_listed_with_what_it_would_save() -> None:
    _, _, free = planned(None, MONTHLY)
    made, _, advice = planned(Scenario(name="Plan A", kept=("PO-1",)), MONTHLY)
    overruled = decisions(made, advice)["contract:PO-1"]
    assert (overruled.kind, overruled.is_in_plan) == ("end", False)
    assert overruled.usd_12_months == pytest.approx(year(advice) - year(free))


def test_a_contract_that_renews_may_be_ended_by_the_planner() -> None:
    cheap = contract("PO-1", 16, 1.50, None, HOURS, notice_days=30.0, renews_months=1)
    made, _, advice = planned(None, cheap)
    renewed = decisions(made, advice)["contract:PO-1"]
    assert (renewed.kind, renewed.committed_usd) == ("renew", 0.0)
    made, _, ended = planned(Scenario(name="Plan A", ended=("PO-1",)), cheap)
    assert [verdict.verdict for verdict in ended.verdicts] == ["end"]
    assert renewed.usd_12_months == pytest.approx(year(ended) - year(advice))
    own = decisions(made, ended)["contract:PO-1"]
    assert (own.kind, own.is_in_plan) == ("end", True)  # notice and orders are still to be given
    assert own.usd_12_months == pytest.approx(-(renewed.usd_12_months or 0.0))
    assert committed(own) == pytest.approx(ended.totals.liability)


def test_an_order_saves_what_the_next_best_term_costs_more() -> None:
    made, plan, advice = planned()
    order = decisions(made, advice)["order:inference:H100:36"]
    without = planned(replace(plan, left_terms=frozenset({ROW})))[2]
    assert order.usd_12_months == pytest.approx(year(without) - year(advice))
    assert {row.term_months for row in without.orders} == {1}
    assert [(placed.gpus, placed.term_months) for placed in order.orders] == [(14, 36)]


def test_an_order_that_is_too_large_at_first_pays_later() -> None:
    """40 GPUs at $3 for 16 that grow by 5% a month, $6 on demand. From month 13 on each month counts as month 12."""
    offers = [offer("od", 0, 6.0), offer("m36", 36, 3.0, min_gpus=40)]
    values = {"delta": 0.0, "sigma": 0.0, "growth_inference": 0.05}
    loads = [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)]
    made = case(loads, (), offers, Scenario(name="Plan A"), **values)
    plan = decided(made)
    advice = advise(made.project, plan, made.pools, audit())
    order = decisions(made, advice)["order:inference:H100:36"]
    left = advise(made.project, replace(plan, left_terms=frozenset({ROW})), made.pools, audit())
    sides = zip(left.comparison, advice.comparison, strict=True)
    saved = [(without.plan_usd or 0.0) - (own.plan_usd or 0.0) for without, own in sides]
    assert advice.comparison[0].plan_usd == pytest.approx(730 * 40 * 3.0)
    assert sum(saved) < 0 < saved[-1] and order.usd_12_months == pytest.approx(sum(saved))
    saved += [saved[-1]] * 24
    assert order.usd_over_term == pytest.approx(sum(saved))
    first = next(month for month in range(1, 37) if sum(saved[:month]) >= 0)
    assert order.pays_from_month == first == 15


def test_an_order_that_costs_says_what_all_orders_commit_less_with_it() -> None:
    """Two years at $2.50 cost less in the first year than one at $2.55, and commit twice as much. Prices fall."""
    offers = [offer("od", 0, 6.0), offer("m12", 12, 2.55), offer("m24", 24, 2.50)]
    values = {"delta": 0.01, "sigma": 0.0, "recency_half_life_days": 7.0}
    loads = [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)]
    made = case(loads, (), offers, Scenario(name="Plan A"), **values)
    plan = decided(made)
    advice = advise(made.project, plan, made.pools, audit())
    order = decisions(made, advice)["order:inference:H100:12"]
    left = replace(plan, left_terms=frozenset({(Pool.INFERENCE, "H100", 12)}))
    other = advise(made.project, left, made.pools, audit())
    assert order.usd_12_months is not None and order.usd_12_months < 0
    assert order.less_committed_usd == pytest.approx(
        (other.totals.liability or 0.0) - (advice.totals.liability or 0.0)
    )
    assert order.less_committed_usd and str(amount(order.less_committed_usd)) in str(order.reason)


def test_a_contract_that_expires_would_run_on_by_its_own_term() -> None:
    made, _, advice = planned(None, contract("old", 16, 4.00, 1, HOURS, term_months=12))
    expires = decisions(made, advice)["contract:old"]
    kept = planned(
        Scenario(name="Plan A", kept=("old",)), contract("old", 16, 4.00, 1, HOURS, term_months=12)
    )[2]
    assert year(kept) == pytest.approx(16 * 4.00 * 8760)
    assert kept.comparison[5].do_nothing_usd == advice.comparison[5].do_nothing_usd  # it is not kept there
    assert expires.usd_12_months == pytest.approx(year(kept) - year(advice))
    assert (expires.committed_usd or 0.0) > 0  # of what follows it


def test_a_saving_is_listed_while_it_is_not_accepted_and_saves_something() -> None:
    made, _, advice = planned()
    steps = (
        SavingsStep(
            step="right_size",
            cost_before=None,
            cost_after=None,
            saved_per_month=None,
            year_before=100.0,
            year_after=60.0,
            saved_in_year=40.0,
        ),
        SavingsStep(
            step="autoscale",
            cost_before=None,
            cost_after=None,
            saved_per_month=None,
            year_before=60.0,
            year_after=60.0,
            saved_in_year=0.0,
        ),
    )
    listed = decisions(made, advice, Outlook(savings_offered=steps))
    assert "saving:autoscale" not in listed
    saving = listed["saving:right_size"]
    assert (saving.usd_12_months, saving.is_in_plan) == (40.0, False)
    assert str(saving.text) == "Accept right-sizing: saves $40 in 12 months"


def test_a_term_that_was_left_is_listed_with_what_it_would_save() -> None:
    made, _, advice = planned(Scenario(name="Plan A", left_terms=frozenset({ROW})))
    again = decisions(made, advice)["order:inference:H100:36"]
    assert again.is_left and (again.usd_12_months or 0.0) > 0
    assert {row.term_months for row in advice.orders} == {1}  # at any time


def test_levels_that_the_planner_set_have_no_amount() -> None:
    held = Scenario(name="Plan A", hand_layers={ROW[:2]: (HandLayer(36, 8),)})
    made, _, advice = planned(held)
    by_hand = decisions(made, advice)["order:inference:H100:36"]
    assert by_hand.usd_12_months is None and by_hand.unknown


def test_nothing_is_decided_without_a_price() -> None:
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)], [MONTHLY], (), Scenario(name="Plan A"), **DEFAULTS
    )
    advice = advise(made.project, decided(made), made.pools, audit())
    assert decisions(made, advice) == {}


def test_an_order_that_starts_late_is_part_of_the_contract_that_it_follows() -> None:
    late = offer("m36", 36, 2.00, lead_time_hours=45 * 24.0)
    loads = [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)]
    made = case(loads, [MONTHLY], [OFFERS[0], late], Scenario(name="Plan A"), **DEFAULTS)
    advice = advise(made.project, decided(made), made.pools, audit())
    rows = decisions(made, advice)
    assert {order.reason for order in advice.orders} == {"lead_time"}
    assert set(rows) == {"contract:PO-1"}
    assert committed(rows["contract:PO-1"]) == pytest.approx(advice.totals.liability)


def test_the_rest_of_an_order_is_a_decision_of_its_own() -> None:
    made, _, advice = planned(None, contract("old", 8, 4.00, 1, HOURS, term_months=12))
    rows = decisions(made, advice)
    orders = [row for row in rows.values() if row.kind == "order"]
    follow = sum(gpus for verdict in advice.verdicts for _, gpus in verdict.takes)
    assert follow == 8
    of_both = (committed(rows["contract:old"]), committed(*orders))
    assert sum(of_both) == pytest.approx(advice.totals.liability)
    assert all(of_both)


def test_an_end_that_the_planner_states_as_the_plan_would_is_in_it() -> None:
    made, _, advice = planned(Scenario(name="Plan A", ended=("PO-1",)), MONTHLY)
    ended = decisions(made, advice)["contract:PO-1"]
    assert (ended.kind, ended.is_in_plan) == ("end", True)
    own = decisions(*planned(None, MONTHLY)[::2])["contract:PO-1"]
    assert ended.usd_12_months == pytest.approx(own.usd_12_months)


def test_a_term_that_the_planner_does_not_sign_is_left_with_its_gpus() -> None:
    made, _, advice = planned(Scenario(name="Plan A", left_terms=frozenset({ROW})))
    left = decisions(made, advice)["order:inference:H100:36"]
    signed = planned()[2]
    assert (left.is_in_plan, [order.gpus for order in left.orders]) == (False, [14])
    assert left.usd_12_months == pytest.approx(year(advice) - year(signed))


def test_a_term_that_is_left_commits_what_it_committed_in_the_plan() -> None:
    """14 GPUs for 36 months: 6 follow the contract, and 8 are an order of their own."""
    held = contract("old", 8, 4.00, 1, HOURS, term_months=12)
    made, _, advice = planned(None, held)
    own = decisions(made, advice)["order:inference:H100:36"]
    left = decisions(*planned(Scenario(name="Plan A", left_terms=frozenset({ROW})), held)[::2])[
        own.decision_id
    ]
    assert own.committed_usd == pytest.approx(8 * 2.00 * 730 * 36)
    assert (left.is_in_plan, left.committed_usd) == (False, pytest.approx(own.committed_usd))


def test_a_contract_that_is_paid_by_use_is_to_be_stopped() -> None:
    held = contract("held", 32, 6.88, None, HOURS, pricing_category=PricingCategory.STANDARD)
    made, _, advice = planned(None, held)
    stop = decisions(made, advice)["contract:held"]
    assert (stop.kind, stop.by_s, stop.is_overdue) == ("end", made.end_s, False)
    kept = planned(Scenario(name="Plan A", kept=("held",)), held)[2]
    assert year(kept) == pytest.approx(32 * 6.88 * 8760)
    assert stop.usd_12_months == pytest.approx(year(kept) - year(advice))


def test_a_contract_of_which_nobody_knows_the_use_is_a_question() -> None:
    made, plan, advice = planned(None, MONTHLY)
    assert plan.whole_decisions is not None and plan.whole_decisions.ends
    unknown = replace(advice, verdicts=(), whole_decisions=plan.whole_decisions)
    asked = decisions(made, unknown)["contract:PO-1"]
    assert (asked.kind, asked.is_in_plan, str(asked.subject)) == ("question", False, "PO-1 (32 H100)")
    assert asked.usd_12_months == decisions(made, advice)["contract:PO-1"].usd_12_months
    assert asked.by_s == plan.whole_decisions.ends[0][1] - 30 * 86_400 - 1


@pytest.mark.parametrize(("renews", "kind"), [(None, "end"), (0, "let_expire")])
def test_a_contract_that_ends_is_ended_by_a_notice_or_expires_without_one(
    renews: int | None, kind: str
) -> None:
    """What happens without the notice of 30 days is not stated, or it expires then."""
    idle: dict[str, Any] = {"gpu_model": "V100", "notice_days": 30.0, "renews_months": renews}
    fixed = contract("F", 64, 3.50, 6, HOURS, **idle)
    made, _, advice = planned(None, fixed)
    assert [row.verdict for row in advice.verdicts] == ["let_expire"]
    assert decisions(made, advice)["contract:F"].kind == kind


@pytest.mark.parametrize(
    ("days_after", "given", "is_asked"),
    [(31, {}, True), (69, {}, False), (31, {"kept": ("F",)}, False), (31, {"notice_given": ("F",)}, False)],
)
def test_a_contract_of_unknown_use_is_a_question_in_the_month_its_notice_is_due(
    days_after: int, given: dict[str, tuple[str, ...]], is_asked: bool
) -> None:
    """Its notice of 30 days is due so many days after the plan begins, less 30; the user may have answered already."""
    ends_s = START_S + HOURS * 3600 + days_after * 86_400
    fixed = contract("F", 8, 3.50, None, HOURS, end_s=ends_s, notice_days=30.0)
    made, plan, advice = planned(Scenario(name="Plan A", **given), fixed)
    rows = decisions(made, replace(advice, verdicts=(), whole_decisions=plan.whole_decisions))
    assert ("contract:F" in rows) is is_asked
    if is_asked:
        assert (rows["contract:F"].kind, rows["contract:F"].is_now) == ("question", True)
        assert rows["contract:F"].usd_12_months, "what it costs to keep it"


def test_what_has_no_price_in_both_plans_cancels_out() -> None:
    unpriced = contract("bare", 4, None, None, HOURS, gpu_model="V100")
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[6.0] * HOURS, model="V100"),
    ]
    made = case(loads, [MONTHLY, unpriced], OFFERS, Scenario(name="Plan A"), **DEFAULTS)
    advice = advise(made.project, decided(made), made.pools, audit())
    assert advice.comparison[0].plan_usd is None
    priced = planned(None, MONTHLY)
    saved = decisions(made, advice)["contract:PO-1"].usd_12_months
    assert saved == pytest.approx(decisions(*priced[::2])["contract:PO-1"].usd_12_months)


def test_a_contract_that_ends_by_itself_would_run_on() -> None:
    made, _, advice = planned(None, contract("PO-1", 16, 3.50, 2, HOURS, renews_months=0))
    row = decisions(made, advice)["contract:PO-1"]
    kept = planned(
        Scenario(name="Plan A", kept=("PO-1",)), contract("PO-1", 16, 3.50, 2, HOURS, renews_months=0)
    )[2]
    assert year(kept) == pytest.approx(16 * 3.50 * 8760)
    assert row.usd_12_months == pytest.approx(year(kept) - year(advice)) and row.usd_12_months > 0


def test_what_a_provider_ends_is_no_decision_and_its_orders_are() -> None:
    held = contract("PO-1", 16, 1.50, None, HOURS, notice_days=30.0, renews_months=1, provider="Vela")
    stops = Scenario(name="Plan A", provider_ends={"Vela": START_S + (HOURS + 1000) * 3600})
    made, _, advice = planned(stops, held)
    rows = decisions(made, advice)
    assert advice.orders and not any(row.contract_id for row in rows.values())
    assert committed(*rows.values()) == pytest.approx(advice.totals.liability)


def test_a_stop_that_is_left_can_be_planned_again() -> None:
    held = contract("held", 32, 6.88, None, HOURS, pricing_category=PricingCategory.STANDARD)
    made, _, advice = planned(Scenario(name="Plan A", kept=("held",)), held)
    left = decisions(made, advice)["contract:held"]
    assert (left.kind, left.is_left, left.committed_usd) == ("end", True, None)
    stop = decisions(*planned(None, held)[::2])["contract:held"]
    assert left.usd_12_months == pytest.approx(stop.usd_12_months)
    assert (left.ends_s, left.by_s) == (stop.ends_s, stop.by_s) == (made.end_s, made.end_s)


def test_the_day_of_an_end_is_that_of_the_first_order_in_it() -> None:
    slow = [OFFERS[0], offer("m36", 36, 2.00, lead_time_hours=20 * 24.0)]
    held = contract("PO-1", 16, 3.50, 5, HOURS, notice_days=0.0, renews_months=12)
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)], [held], slow, Scenario(name="Plan A"), **DEFAULTS
    )
    advice = advise(made.project, decided(made), made.pools, audit())
    (end,) = decisions(made, advice).values()
    assert (end.kind, end.by_s) == ("end", min(order.last_day_s for order in advice.orders))


def test_levels_by_hand_cannot_be_marked_as_done() -> None:
    for around in (frozenset[Any](), frozenset({ROW[:2]})):
        held = Scenario(name="Plan A", hand_layers={ROW[:2]: (HandLayer(36, 8),)}, advised_around=around)
        made, _, advice = planned(held)
        rows = [row for row in decisions(made, advice).values() if row.kind == "order"]
        assert rows and all(row.unknown == BY_HAND and not row.placed for row in rows)


def test_a_minimum_that_pools_share_is_placed_whole() -> None:
    loads = [Load(pool=Pool.INFERENCE, gpus=[10.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[14.0] * HOURS)]
    least = offer("min24", 12, 1.50, min_gpus=24)
    made = case(loads, (), [OFFERS[0], least], Scenario(name="Plan A"), **DEFAULTS)
    advice = advise(made.project, decided(made), made.pools, audit())
    rows = decisions(made, advice)
    assert [sum(order.bought_gpus for order in row.placed) for row in rows.values()] == [24, 24]


def test_a_question_names_the_contract_alone() -> None:
    open_ = contract("PO-1", 32, 3.50, 0.5, HOURS, notice_days=60.0, term_months=12)
    made, _, advice = planned(None, open_)
    row = decisions(made, advice)["contract:PO-1"]
    assert (row.kind, str(row.title)) == ("question", "Ask about PO-1 (32 H100)")


def test_a_rate_that_is_missing_is_named() -> None:
    unpriced = contract("bare", 16, None, None, HOURS, notice_days=30.0, renews_months=1)
    made, _, advice = planned(None, unpriced)
    row = decisions(made, advice)["contract:bare"]
    assert (row.usd_12_months, str(row.unknown)) == (None, "— (no rate for bare)")


def test_a_plan_from_scratch_decides_nothing_about_contracts() -> None:
    made, _, advice = planned(Scenario(name="Plan A", greenfield=True), MONTHLY)
    assert not [row for row in decisions(made, advice).values() if row.contract_id]


def test_a_day_that_has_passed_is_overdue() -> None:
    late = contract("late", 16, 4.00, 0.5, HOURS, notice_days=60.0, term_months=12)
    made, _, advice = planned(None, late)
    row = decisions(made, advice)["contract:late"]
    assert row.is_overdue and row.is_now and "(overdue)" in str(row.text)


@pytest.mark.parametrize(("notice_days", "is_now"), [(30.5, True), (29.5, False)])
def test_what_is_due_within_730_hours_of_the_plans_first_day_is_for_now(
    notice_days: float, is_now: bool
) -> None:
    """The contract ends two months of 730 hours after the plan's first day; a month is 30.4 days."""
    due = contract("due", 16, 4.00, 2, HOURS, notice_days=notice_days, renews_months=12, term_months=12)
    made, _, advice = planned(None, due)
    decision = decisions(made, advice)["contract:due"]
    assert decision.is_now is is_now and not decision.is_overdue


def savings_with(rate: float | None, *more: Any, **of_both: Any) -> tuple[Advice, list[HorizonRow]]:
    """The case above with 4 V100 of which no rate is known, or one."""
    bare = contract("bare", 4, rate, None, HOURS, gpu_model="V100", **of_both)
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[6.0] * HOURS, model="V100"),
    ]
    offers = [*OFFERS, *more]
    made = case(loads, [MONTHLY, bare], offers, Scenario(name="Plan A"), **DEFAULTS)
    advice = advise(made.project, decided(made), made.pools, audit())
    return advice, [horizon_row(horizon, advice, None) for horizon in Horizon]


def test_a_rate_that_plan_and_doing_nothing_lack_leaves_the_savings_known() -> None:
    """4 V100 under contract and 2 by use cost the same in both, whatever their rate."""
    (advice, rows), (priced, known) = (
        savings_with(None), savings_with(9.0, offer("v", 0, 1.0, gpu_model="V100")),
    )  # fmt: skip
    assert advice.totals.plan is None and (rows[2].saved or 0.0) > 0
    assert advice.totals.savings_vs_do_nothing == pytest.approx(priced.totals.savings_vs_do_nothing)
    assert [row.saved for row in rows] == pytest.approx([row.saved for row in known])
    assert [row.plan for row in rows] == [None, None, None]
    values, note = saved_inputs(Horizon.TWELVE_MONTHS, advice)
    assert AHEAD.row(values, ["saved"])["saved"] == rows[2].saved
    assert str(note) == "In both plans, without a price: bare, inference V100"


def test_a_rate_that_one_side_lacks_is_named_and_the_savings_stay_unknown() -> None:
    """The plan ends V100 that cost more than on demand: their rate is missing where nothing is signed alone."""
    by_use = {"notice_days": 0.0, "pricing_category": PricingCategory.STANDARD}
    advice, rows = savings_with(None, offer("v", 0, 1.0, gpu_model="V100"), **by_use)
    assert advice.totals.savings_vs_do_nothing is None and rows[2].saved is None
    assert str(saved_inputs(Horizon.TWELVE_MONTHS, advice)[1]) == "unknown: no rate for bare"


def test_days_between_an_end_and_the_orders_that_follow_run_on_demand() -> None:
    """PO-1 ends after 752 h. 15 GPUs start with day 45 (328 h later), the 16th with month 3 (708 h later)."""
    late = offer("m36", 36, 2.00, lead_time_hours=45 * 24.0)
    loads = [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)]
    made = case(loads, [MONTHLY], [OFFERS[0], late], Scenario(name="Plan A"), **DEFAULTS)
    advice = advise(made.project, decided(made), made.pools, audit())
    end = decisions(made, advice)["contract:PO-1"]
    usd = (15 * 328 + 708) * 6.88 * 0.996
    assert str(end.gap) == f"From 2 May 2026 to 31 May 2026, on-demand GPUs cover the gap: ${usd:,.0f}"
    assert str(end.text).endswith(f". {end.gap}")
    assert decisions(*planned(None, MONTHLY)[::2])["contract:PO-1"].gap == ""


@pytest.mark.parametrize(
    ("asked", "words"), [((), "— (a rate is missing)"), (("H100",), "— (unknown until names are matched)")]
)
def test_an_amount_without_a_missing_name_says_why_it_is_unknown(asked: tuple[str, ...], words: str) -> None:
    made, scenario, advice = planned(None, MONTHLY)
    advice = replace(advice, asked_models=asked)
    plans = AlternativePlans(
        project=made.project, scenario=scenario, pools=made.pools, advice=advice, cache=AdviceCache()
    )
    month = SimpleNamespace(plan_side=(PartSum(1.0, 1, ("",)), frozenset()), unserved_gpu_hours=0.0)
    nameless: Any = [month] * len(advice.comparison)
    assert [str(plans.beside_months(nameless)[2])] == [words]


def test_an_order_of_two_contracts_is_whole_in_the_decision_of_one() -> None:
    """14 GPUs for 36 months follow 10 of one contract and 4 of another, which has 2 monthly GPUs alone."""
    held = [
        contract(name, gpus, 4.00, 1, HOURS, term_months=12) for name, gpus in (("big", 10), ("small", 6))
    ]
    made, _, advice = planned(None, *held)
    rows = decisions(made, advice)
    counted = [repr(order) for row in rows.values() for order in row.orders]
    assert sorted(counted) == sorted(map(repr, advice.orders))
    assert [(order.gpus, order.term_months) for order in rows["contract:big"].orders] == [(14, 36)]
    assert {order.term_months for order in rows["contract:small"].orders} == {1}
    assert sum(gpus for verdict in advice.verdicts for _, gpus in verdict.takes) == 16


# --- What a day costs by which a decision is put off


def test_an_order_that_is_a_day_late_costs_at_most_its_gpus_on_demand() -> None:
    """14 GPUs at 6.88 in place of 2.00, and 2 at 6.88 in place of 3.50, 24 h."""
    made, _, advice = planned()
    late = [row.waiting_usd_per_day for row in decisions(made, advice).values()]
    assert late == pytest.approx([14 * 24 * (6.88 - 2.00), 2 * 24 * (6.88 - 3.50)])


def test_a_late_order_costs_on_demand_at_the_mean_use_of_its_gpus() -> None:
    """8 GPUs at all times and 8 in every other hour: 12 in the mean at 6.88, in place of 16 at 2.00."""
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[16.0, 8.0] * (HOURS // 2))],
        (),
        [offer("od", 0, 6.88), offer("m36", 36, 2.00, lead_time_hours=48.0)],
        delta=0.0,
        sigma=0.0,
    )
    advice = advise(made.project, decided(made), made.pools, audit())
    (row,) = decisions(made, advice).values()
    assert sum(order.bought_gpus for order in row.orders) == 16
    assert sum(usd or 0.0 for usd in row.late_usd_per_day) == pytest.approx(24 * (12 * 6.88 - 16 * 2.00))


def test_a_contract_paid_by_use_costs_on_until_it_is_stopped() -> None:
    by_use = contract("PO-9", 20, 8.0, None, HOURS, pricing_category=PricingCategory.STANDARD)
    made, _, advice = planned(None, by_use)
    assert decisions(made, advice)["contract:PO-9"].waiting_usd_per_day == pytest.approx(20 * 24 * 8.0)


def test_a_contract_that_ends_by_itself_costs_what_its_orders_are_late() -> None:
    """Ordered in the third month 2 GPUs cost 3.50 x 0.996^2 and 14 cost 2.00 x 0.996^2; on demand they are 6.88 x
    0.996^3 when they start."""
    made, _, advice = planned(None, contract("PO-8", 16, 1.0, 3, HOURS))
    assert decisions(made, advice)["contract:PO-8"].waiting_usd_per_day == pytest.approx(
        2 * 24 * (6.88 * 0.996**3 - 3.50 * 0.996**2) + 14 * 24 * (6.88 * 0.996**3 - 2.00 * 0.996**2)
    )


def test_nobody_knows_what_a_day_costs_after_which_a_contract_renews() -> None:
    made, _, advice = planned(None, MONTHLY)
    assert decisions(made, advice)["contract:PO-1"].waiting_usd_per_day is None


def test_a_day_without_gpus_that_nobody_sells_on_demand_has_no_cost_in_dollars() -> None:
    offers = [offer("m36", 36, 2.00, lead_time_hours=48.0)]
    made = case([Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)], (), offers, **DEFAULTS)
    advice = advise(made.project, decided(made), made.pools, audit())
    assert {row.waiting_usd_per_day for row in decisions(made, advice).values()} == {None}
