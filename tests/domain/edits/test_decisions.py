"""What becomes of a decision: A -> B -> A, and facts that all plans have."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision, with_states
from gpuplanner.domain.commitment.next_decisions import next_decisions
from gpuplanner.domain.commitment.numbers import keep_numbers, numbered
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.edits.decisions import (
    leave,
    mark_done,
    order_at_list_price,
    placed_contracts,
    postpone,
    reopen,
    with_numbers,
)
from gpuplanner.domain.edits.plans import add_plan, asks_nothing, say_the_same
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import TODAY, DoneDecision, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import START_S, Case, Load, audit, case, contract, decided, offer

HOURS = 2160
ROW = (Pool.INFERENCE, "H100", 36)
START = START_S + DAY_S
OFFER = offer(
    "c36",
    36,
    2.00,
    provider="nebula",
    region="eu",
    upfront_usd=Decimal(10),
    setup_usd=Decimal(5),
    support_percent=10.0,
    storage_usd_per_gpu_month=Decimal(7),
    network_usd_per_gpu_month=Decimal(3),
    staff_usd_per_gpu_month=Decimal(4),
    egress_usd_per_gb=Decimal("0.05"),
    sla_percent=99.9,
    country="DE",
)
ORDER = Order(
    pool=ROW[0],
    gpu_model=ROW[1],
    offer_id="c36",
    term_months=36,
    gpus=16.0,
    start_s=START,
    end_s=START + 36 * MONTH_S,
    order_by_s=START_S,
    reason="now",
    rate=2.0,
)


def project(*offers: Any) -> Project:
    held = contract("PO-1", 8, 3.0, None, 24, renews_months=1, notice_days=30)
    return case(
        [Load(pool=Pool.INFERENCE, gpus=[4.0] * 24)], [held], offers or [OFFER], Scenario(name="A")
    ).project


def decision(kind: str, **more: Any) -> NextDecision:
    return NextDecision(decision_id=f"{kind}:x", kind=kind, subject="x", **more)


ORDERED = decision("order", row=ROW, placed=(ORDER,), clusters=(("c1", 3.0),))


def placed(after: Project) -> list[Contract]:
    return [row for row in after.contracts if row.contract_id != "PO-1"]


@pytest.mark.parametrize(
    ("made", "field", "value"),
    [
        (decision("end", contract_id="PO-1"), "kept", ("PO-1",)),
        (decision("let_expire", contract_id="PO-1"), "kept", ("PO-1",)),
        (decision("renew", contract_id="PO-1"), "ended", ("PO-1",)),
        (decision("order", row=ROW), "left_terms", frozenset({ROW})),
    ],
)
def test_a_decision_that_is_left_is_taken_again(made: NextDecision, field: str, value: object) -> None:
    before = project()
    left = leave(before, "A", made)
    assert getattr(left.scenario("A"), field) == value
    assert leave(left, "A", made, is_left=False).scenario("A") == before.scenario("A")


def test_a_saving_is_accepted() -> None:
    saving = NextDecision(decision_id="saving:right_size", kind="saving", subject="right-sizing")
    after = leave(project(), "A", saving, is_left=False)
    assert after.scenario("A").accepted == ("right_size",)


def test_a_notice_that_was_given_is_a_fact_of_the_contract() -> None:
    ends_s = START_S + 40 * DAY_S
    before = project()
    after = mark_done(before, "A", decision("end", contract_id="PO-1", ends_s=ends_s), before)
    (held,) = after.contracts
    assert (held.end_s, held.renews_months) == (ends_s, 0)
    assert dict(held.filed) == {"end_s": "", "renews_months": "1"}  # its file still says otherwise
    assert after.scenario("A").notice_given == ("PO-1",)


def test_a_decision_that_is_put_off_is_taken_up_again_and_changes_no_figure() -> None:
    before, made = project(), decision("order", row=ROW)
    after = postpone(before, "A", made)
    assert after.scenario("A").postponed == {"order:x"}
    assert after.scenario("A").plans_as(before.scenario("A"))
    assert not say_the_same(before, after)  # else it was no step of Undo
    assert postpone(after, "A", made, is_postponed=False).scenario("A") == before.scenario("A")


def test_an_order_is_placed_at_list_price_or_waits_for_its_quote_again() -> None:
    before, listed = project(), ListedOrder(number=1, orders=(), order_ids=("order:x:1", "order:x:2"))
    after = order_at_list_price(before, "A", listed)
    assert after.scenario("A").at_list_price == {"order:x:1"}
    assert after.scenario("A").plans_as(before.scenario("A"))
    assert not say_the_same(before, after)  # else it was no step of Undo
    undone = order_at_list_price(after, "A", listed, is_at_list_price=False)
    assert undone.scenario("A") == before.scenario("A")


def test_what_is_done_is_listed_by_the_plan_with_a_number_that_no_other_decision_gets(tmp_path: Path) -> None:
    numbers = {"end:x": 2, "order:y": 1}
    plan = Scenario(name="A", decision_numbers=numbers, postponed=frozenset({"end:x"}))
    before = replace(project(), scenarios=(plan, Scenario(name="B")))
    made = decision("end", contract_id="PO-1", number=2, year_without=9.0, year_with=4.0, provider="Vela")
    after = mark_done(before, "A", made, before)
    (done,) = after.scenario("A").done
    assert (done.number, done.kind, str(done.subject), done.usd_12_months) == (2, "end", "x", 5.0)
    assert after.scenario("A").postponed == frozenset() and after.scenario("B").done == ()
    given = numbered(after.scenario("A").decision_numbers, ["end:x"])
    assert given == {"end:x": 3}  # the contract is decided on again
    save_project(after, tmp_path / "p.gpuplan")
    assert open_project(tmp_path / "p.gpuplan").scenario("A").done == (done,)


def test_a_notice_without_its_orders_is_done_alone_and_the_orders_stay_to_be_decided() -> None:
    before = project()
    both = decision(
        "replace",
        contract_id="PO-1",
        number=4,
        orders=(ORDER,),
        provider="Vela",
        notice_by_s=START_S + 5 * DAY_S,
        year_without=9.0,
        year_with=4.0,
        committed_usd=7.0,
    )
    (done,) = mark_done(before, "A", both, before).scenario("A").done
    assert (done.kind, str(done.subject), done.by_s) == ("end", "PO-1", both.notice_by_s)
    assert (done.usd_12_months, done.committed_usd) == (None, 0.0)
    assert done.provider == before.contracts[0].provider != both.provider


def test_what_is_done_is_listed_by_each_plan_that_had_it(tmp_path: Path) -> None:
    """Plan B knew the decision as D7; Plan C never showed it."""
    plans = (Scenario(name="A"), Scenario(name="B", decision_numbers={"end:x": 7}), Scenario(name="C"))
    before = replace(project(), scenarios=plans)
    after = mark_done(before, "A", decision("end", contract_id="PO-1", number=2), before)
    assert [[done.number for done in plan.done] for plan in after.scenarios] == [[2], [7], []]


@pytest.mark.parametrize(
    "made",
    [
        decision("end", contract_id="PO-1", ends_s=START_S + 40 * DAY_S),
        decision("renew", contract_id="PO-1"),
        decision("replace", contract_id="PO-1", orders=(ORDER,)),  # its notice alone is done
        ORDERED,
        replace(ORDERED, kind="replace", contract_id="PO-1"),
    ],
    ids=lambda made: made.decision_id,
)
def test_what_is_done_is_opened_again_with_all_that_was_before_it(made: NextDecision, tmp_path: Path) -> None:
    """Plan B knew the decision as D7; what is saved is opened again, too."""
    numbered_plans = [Scenario(name=name, decision_numbers={made.decision_id: 7}) for name in "AB"]
    before = replace(project(), scenarios=(*numbered_plans, Scenario(name="C")))
    done = mark_done(before, "A", replace(made, number=7), before)
    save_project(done, tmp_path / "p.gpuplan")
    saved = open_project(tmp_path / "p.gpuplan")
    assert saved.scenarios == done.scenarios
    (listed,) = [one for one in with_states((), saved.scenario("A"), 0) if one.can_reopen]
    after = reopen(saved, "A", listed)
    assert (after.contracts, after.scenarios) == (before.contracts, before.scenarios)
    assert reopen(after, "A", listed) is after


def test_a_decision_that_was_decided_on_anew_keeps_its_later_number() -> None:
    before = replace(project(), scenarios=(Scenario(name="A", decision_numbers={"end:x": 2}),))
    done = mark_done(before, "A", decision("end", contract_id="PO-1", number=2), before)
    plan = done.scenario("A")
    again = replace(plan, decision_numbers=keep_numbers(plan.decision_numbers, {"end:x": 3}))
    (listed,) = with_states((), again, 0)
    numbers = reopen(replace(done, scenarios=(again,)), "A", listed).scenario("A").decision_numbers
    assert numbers == {"end:x:done:2": 2, "end:x": 3}, "no other decision is called D2"


def test_what_became_of_a_contract_since_is_left() -> None:
    before = project()
    done = mark_done(before, "A", replace(ORDERED, number=1), before)
    (listed,) = with_states((), done.scenario("A"), 0)
    deleted = replace(done, contracts=before.contracts)  # the user took the new contract out
    after = reopen(deleted, "A", listed)
    assert after.contracts == before.contracts and after.scenario("A").done == ()
    old = replace(done.scenario("A").done[0], contract_ids=())  # of a file from before
    (unknown,) = with_states((), replace(done.scenario("A"), done=(old,)), 0)
    assert not unknown.can_reopen


def test_a_done_decision_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    done = DoneDecision(decision_id="x", number=1, kind="foo", subject=worded("x"))
    with pytest.raises(PlannerError):
        save_project(
            replace(project(), scenarios=(Scenario(name="A", done=(done,)),)), tmp_path / "p.gpuplan"
        )


def test_a_renewal_that_is_settled_is_kept() -> None:
    before = project()
    after = mark_done(before, "A", decision("renew", contract_id="PO-1"), before)
    assert after.scenario("A").kept == ("PO-1",) and after.contracts == before.contracts


def test_an_order_that_was_placed_is_a_contract_with_all_that_its_offer_says() -> None:
    before = project()
    (held,) = placed(mark_done(before, "A", ORDERED, before))
    assert (held.gpus, held.cluster, held.pool, held.start_s, held.end_s) == (
        *(16.0, "c1", Pool.INFERENCE),
        *(START, ORDER.end_s),
    )
    of_offer = (
        "gpu_model rate_usd_per_gpu_hour provider region pricing_category term_months support_percent "
        "storage_usd_per_gpu_month network_usd_per_gpu_month staff_usd_per_gpu_month egress_usd_per_gb "
        "sla_percent country bare_metal interconnect gpu_memory_gb currency exchange"
    )
    for name in of_offer.split():
        assert getattr(held, name) == getattr(OFFER, name), name
    assert held.prepaid_usd == (10 + 5) * 16 and held.renews_months == 0


def test_what_is_done_is_a_fact_of_all_plans() -> None:
    both = replace(project(), scenarios=(Scenario(name="A"), Scenario(name="B")))
    ordered = mark_done(both, "A", ORDERED, both)
    assert [plan.notice_given for plan in ordered.scenarios] == [
        ("c36 c1 2026-01-02",)
    ] * 2  # it ends by itself
    ended = mark_done(both, "A", decision("end", contract_id="PO-1"), both)
    assert [plan.notice_given for plan in ended.scenarios] == [("PO-1",)] * 2


@pytest.mark.parametrize("dropped", ["setup_usd", "support_percent"])
def test_it_costs_what_the_offer_costs(dropped: str) -> None:
    plain = replace(OFFER, **{dropped: None})
    before = project(plain)
    (held,) = placed(mark_done(before, "A", ORDERED, before))
    assert held.rate == pytest.approx(plain.spread_rate)


def test_gpus_that_are_bought_cost_what_the_plan_worked_out() -> None:
    owned = replace(
        OFFER, pricing_category=PricingCategory.OWNED, rate_usd_per_gpu_hour=None, upfront_usd=None
    )
    before = replace(
        project(), offers=(replace(owned, setup_usd=None, currency="EUR", exchange=Decimal("1.25")),)
    )
    bought = replace(ORDERED, placed=(replace(ORDER, rate=1.5, capex_per_gpu=9.0),))
    (held,) = placed_contracts(before, bought)
    assert (held.bare_rate, held.staff_usd_per_gpu_month, held.prepaid_usd) == (1.5, None, None)
    assert held.is_committed


def test_orders_of_several_clusters_are_a_contract_for_each_in_whole_units() -> None:
    before = project(replace(OFFER, unit_gpus=8))
    several = replace(
        ORDERED, placed=(replace(ORDER, gpus=26.0),), clusters=(("east", 6.0), ("west", 2.0), ("far", 0.1))
    )
    made = placed_contracts(before, several)
    assert {row.cluster: row.gpus for row in made} == {"east": 18.0, "west": 8.0}
    assert len({row.contract_id for row in made}) == 2
    (nowhere,) = placed_contracts(before, replace(ORDERED, clusters=()))
    assert nowhere.cluster == ""


def test_a_decision_is_marked_once() -> None:
    before = project()
    after = mark_done(before, "A", ORDERED, before)
    assert mark_done(after, "A", ORDERED, before) is after  # pressed again, before there is another plan
    again = mark_done(after, "A", ORDERED, after)  # the same again of the plan after it is another order
    assert [row.contract_id[-4:] for row in placed(again)] == ["1-02", " (2)"]


def replanned(made: Case, pools: tuple[Pool, ...]) -> dict[str, NextDecision]:
    plan = decided(made)
    advice = advise(made.project, plan, pools, audit())
    rows = next_decisions(made.project, plan, pools, advice, Outlook(), AdviceCache())
    return {row.decision_id: row for row in rows}


@pytest.mark.parametrize("clusters", [("c1",), ("c1", "c2"), ("",)])
def test_an_order_that_was_placed_is_not_ordered_again_nor_asked_about(clusters: tuple[str, ...]) -> None:
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[16.0 / len(clusters)] * HOURS, cluster=cluster)
        for cluster in clusters
    ]
    offers = [offer("od", 0, 6.88), offer("m36", 36, 2.00, lead_time_hours=48.0)]
    made = case(loads, (), offers, delta=0.0)
    (order,) = replanned(made, made.pools).values()
    after = mark_done(made.project, "Plan A", order, made.project)
    assert sorted(row.cluster for row in after.contracts) == sorted(clusters)
    assert sum(row.gpus for row in after.contracts) == order.placed[0].bought_gpus
    assert replanned(replace(made, project=after), made.pools) == {}


def test_all_of_it_is_saved(tmp_path: Path) -> None:
    before = project()
    after = mark_done(before, "A", ORDERED, before)
    after = mark_done(after, "A", decision("end", contract_id="PO-1", ends_s=START_S + 9 * DAY_S), after)
    after = leave(leave(after, "A", decision("order", row=ROW)), "A", decision("end", contract_id="PO-1"))
    save_project(after, tmp_path / "a.gpuplan")
    opened = open_project(tmp_path / "a.gpuplan")
    assert opened.contracts == after.contracts and opened.scenarios == after.scenarios


def test_a_term_that_goes_on_is_ordered_again_and_nothing_is_asked_of_the_contract() -> None:
    offers = [offer("od", 0, 6.88), offer("m01", 1, 2.00)]
    made = case([Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)], (), offers, delta=0.0)
    (order,) = replanned(made, made.pools).values()
    after = mark_done(made.project, "Plan A", order, made.project)
    (later,) = replanned(replace(made, project=after), made.pools).values()
    assert later.kind == "order" and later.placed[0].start_s == order.placed[0].end_s


def test_a_renewal_that_is_done_is_asked_about_no_more() -> None:
    cheap = contract("PO-1", 16, 1.50, None, HOURS, notice_days=30.0, renews_months=1)
    offers = [offer("od", 0, 6.88), offer("m01", 1, 3.50)]
    made = case([Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)], [cheap], offers)
    renew = replanned(made, made.pools)["contract:PO-1"]
    assert renew.kind == "renew"
    after = mark_done(made.project, "Plan A", renew, made.project)
    assert replanned(replace(made, project=after), made.pools) == {}


def test_what_is_done_in_all_plans_is_done_in_a_new_one() -> None:
    both = replace(project(), scenarios=(Scenario(name="A"), Scenario(name="B", notice_given=("own",))))
    done = mark_done(both, "A", decision("end", contract_id="PO-1"), both)
    new = add_plan(add_plan(done, "C"), "D", TODAY).scenarios[-2:]
    assert [plan.notice_given for plan in new] == [("PO-1",)] * 2


def at_once(seed: int) -> Case:
    """A small project: up to two clusters that are busy by day, by night, always or at random, and some contracts."""
    random = np.random.default_rng(seed)

    def load(pool: Pool) -> Load:
        gpus, hours = int(random.integers(4, 17)), np.arange(HOURS) + 12 * int(random.integers(2))
        shapes = (np.full(HOURS, gpus), gpus * (hours % 24 < 12), random.integers(0, gpus + 1, HOURS))
        shape = shapes[random.integers(3)].astype(float)
        return Load(pool=pool, gpus=shape.tolist(), cluster=str(random.choice(["c1", "c2"])))

    loads = [load(pool) for pool in (Pool.TRAINING, Pool.INFERENCE) for _ in range(2)]
    terms = [
        offer(f"m{term}", term, rate, lead_time_hours=48.0) for term, rate in ((1, 3.5), (6, 2.9), (12, 2.5))
    ]
    held = [
        contract("PO-1", 8, float(random.choice([1.5, 3.5])), None, HOURS, notice_days=30.0, renews_months=1),
        contract("old", 4, 2.8, 2, HOURS, term_months=12, cluster="c2"),
    ]
    return case(
        loads, held, [offer("od", 0, 6.88), *(terms[at] for at in {*random.integers(3, size=2).tolist()})]
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_is_done_leaves_all_else_of_the_plan_as_it_was(seed: int) -> None:
    """An order is a contract then: GPUs and dollars of each month are the same."""

    def totals(made: Case) -> tuple[list[float], list[float]]:
        advice, begin_s = advise(made.project, decided(made), made.pools, audit()), made.end_s
        held = [(row.gpus, row.start_s, row.end_s or begin_s + 99 * MONTH_S) for row in advice.contracts]
        held += [(row.bought_gpus, row.start_s, row.end_s) for row in advice.orders]
        months = [begin_s + month * MONTH_S for month in range(12)]
        gpu_s = [sum(n * max(0, min(e, at + MONTH_S) - max(s, at)) for n, s, e in held) for at in months]
        return [month.plan_usd or 0.0 for month in advice.comparison], gpu_s

    made = at_once(seed)
    before = totals(made)
    decisions = [row for row in replanned(made, made.pools).values() if row.is_in_plan]
    assert any(row.placed for row in decisions)
    for row in decisions:
        after = replace(made, project=mark_done(made.project, "Plan A", row, made.project))
        for now, then in zip(totals(after), before, strict=True):
            assert now == pytest.approx(then), row.decision_id


def test_numbers_that_were_read_are_kept_and_none_changes() -> None:
    plan = Scenario(name="Plan A", decision_numbers={"contract:a": 1}, order_numbers={"order:a": 1})
    before = replace(project(), scenarios=(plan,))
    seen = Outlook(
        next_decisions=(
            NextDecision(decision_id="contract:a", number=9, kind="end", subject="a"),
            NextDecision(decision_id="contract:b", number=2, kind="end", subject="b"),
        ),
        listed_orders=(ListedOrder(number=2, orders=(), order_ids=("order:b",)),),
    )
    kept = with_numbers(before, "Plan A", seen).scenario("Plan A")
    assert kept.decision_numbers == {"contract:a": 1, "contract:b": 2}
    assert kept.order_numbers == {"order:a": 1, "order:b": 2}
    assert kept.plans_as(plan), "no figure depends on them"


def test_a_project_that_has_the_numbers_is_the_same() -> None:
    plan = Scenario(name="Plan A", decision_numbers={"contract:a": 1})
    before = replace(project(), scenarios=(plan,))
    seen = Outlook(
        next_decisions=(NextDecision(decision_id="contract:a", number=1, kind="end", subject="a"),)
    )
    assert with_numbers(before, "Plan A", seen) is before
    assert with_numbers(before, "Plan B", seen) is before
    assert with_numbers(before, "Plan A", None) is before


def test_numbers_alone_are_no_change_and_no_question() -> None:
    """A move that is taken back leads to the plan as it was, whatever was read meanwhile."""
    before = project()
    seen = Outlook(
        next_decisions=(NextDecision(decision_id="contract:a", number=1, kind="end", subject="a"),)
    )
    assert say_the_same(before, with_numbers(before, "A", seen))
    asked = replace(before.scenarios[0], name="A?", scratch_of="A")
    asking = replace(before, scenarios=(*before.scenarios, asked))
    assert asks_nothing(with_numbers(asking, "A?", seen), "A?")
