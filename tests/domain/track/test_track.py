"""A plan against what came: known answers by hand, and laws of its rows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.track import OF_TRACK
from gpuplanner.domain.message import joined
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import Only, Row
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.planned_work import ALWAYS, PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool, PricingCategory, Tables
from gpuplanner.domain.model.window import MONTH_S, Window, months_on
from gpuplanner.domain.reports.changes import headline, steps_of
from gpuplanner.domain.track.holdings import spans_of, whole_hours
from gpuplanner.domain.track.track import WHAT, Track, track
from tests.arrived import arrived
from tests.domain.commitment.conftest import START_S, Load, contract, offer
from tests.domain.track.conftest import MONTH, later_of, moved, planned, tracked
from tests.some_of import examples

CENT = 0.005
ON_DEMAND = offer("od", 0, 5.0)


def flat(gpus: float, hours: int = MONTH, pool: Pool = Pool.TRAINING, **more: object) -> Load:
    return Load(pool=pool, gpus=[gpus] * hours, **more)  # type: ignore[arg-type]


def by_turns(high: float, low: float, hours: int = MONTH) -> Load:
    """High in even hours, low in odd ones."""
    return Load(pool=Pool.TRAINING, gpus=[(high, low)[hour % 2] for hour in range(hours)])


def adds_up(found: Track) -> bool:
    """Planned and rows are what was paid, to the cent; so is each cause, place by place."""
    assert found.planned is not None and found.actual is not None
    rows = sum(row.usd or 0.0 for row in found.rows)
    places = {(row.pool, row.gpu_model) for row in found.rows}
    assert len(found.rows) == len(places) * len(WHAT)
    assert quarters_add_up(found)
    assert found.planned + rows == pytest.approx(found.actual, abs=CENT)
    return True


def test_known_answer() -> None:
    """10 GPUs were planned: 6 of a contract at $2, 4 on demand at $5. As many came, 20 in every second hour."""
    signed = contract("old", 6, 2.0, 24, MONTH)
    plan = planned([flat(10)], [signed], [ON_DEMAND])
    bought = contract("new", 4, 3.0, 24, MONTH)
    given = [replace(signed, rate_usd_per_gpu_hour=Decimal("2.5")), bought]
    found = tracked(plan, [by_turns(20, 0)], given, [offer("od", 0, 4.0)])
    assert found.planned == pytest.approx(730 * (6 * 2 + 4 * 5))
    assert moved(found) == {
        "mix": 730 * (14 / 2 * 5 - 4 * 5),  # 14 are left over in every second hour, where 4 were in each
        "decision": 730
        * (4 * 3 + (10 / 2 - 14 / 2) * 5),  # nothing was ordered: the contract is at its own rate
        "price": 730 * (6 * 0.5 - 10 / 2 * 1),
    }
    assert found.actual == pytest.approx(730 * (6 * 2.5 + 4 * 3 + 5 * 4))
    assert adds_up(found)
    places = {(row.pool, row.gpu_model): row.usd for row in found.rows if row.what == "price"}
    assert places == {(None, "H100"): 730 * 3.0, Row(Pool.TRAINING, "H100"): -730 * 5.0}
    assert found.hindsight == pytest.approx(730 * (6 * 2.5 + 4 * 3 + 5 * 4))  # both ran when the plan began


def quarters_add_up(found: Track) -> bool:
    """They follow each other, each adds up, and all of them are the whole time, cause by cause."""
    edges = [(one.start_s, one.end_s) for one in found.quarters]
    assert edges[0][0] == found.window.start_s and edges[-1][1] == found.window.end_s
    assert all(before[1] == after[0] for before, after in pairwise(edges))
    whole = {"planned": found.planned, "actual": found.actual} | {what: found.moved(what) for what in WHAT}
    for key, usd in whole.items():
        assert known_sum(one.figures[key] for one in found.quarters) == pytest.approx(usd, abs=CENT)
    for one in found.quarters:
        assert one.figures["actual"] == pytest.approx(
            sum(one.figures[key] or 0.0 for key in ("planned", *WHAT)), abs=CENT
        )
    return True


def test_a_contract_signed_in_the_second_quarter_is_decided_there() -> None:
    """Four months from 31 January on; from 1 April on 4 of 10 GPUs cost $3 instead of $5 by use."""
    plan = planned([flat(10)], (), [ON_DEMAND])
    begins_s = int(datetime(2026, 4, 1, tzinfo=UTC).timestamp())
    signed = contract("late", 4, 3.0, 24, MONTH, start_s=begins_s)
    found = tracked(plan, [flat(10, 4 * MONTH)], [signed])
    first, second, *rest = found.quarters
    assert not rest and first.end_s == second.start_s == begins_s
    hours = (second.end_s - second.start_s) / 3600
    assert first.figures["decision"] == 0 and first.figures["planned"] == pytest.approx(
        10 * 5 * (first.end_s - first.start_s) / 3600
    )
    assert second.figures["decision"] == pytest.approx(hours * 4 * (3 - 5))
    assert quarters_add_up(found)


def test_a_plan_that_waits_has_waited_while_the_log_came() -> None:
    """4 GPUs at $2 once nothing keeps them from being signed, at $5 until then."""
    plan = planned([flat(4)], [], [ON_DEMAND, offer("y1", 12, 2.0)], wait_months=2)
    one, two = (tracked(plan, [flat(4, months * MONTH)]).advice_now for months in (1, 2))
    assert (one, two) == (pytest.approx(730 * 4 * 5), pytest.approx(730 * 4 * 2))


def test_what_a_plan_signed_counts_in_the_share_of_who_sold_it() -> None:
    """Half of 4 x 730 x $2 are 2 GPUs: they are signed already, so that the advice on the later log signs no more."""
    offers = [ON_DEMAND, offer("y1", 12, 2.0, provider="Elm")]
    plan = planned([flat(4)], [], offers, max_provider_share=0.5)
    assert tracked(plan, [flat(4)]).advice_now == pytest.approx(730 * (2 * 2 + 2 * 5))


def test_twice_the_demand_is_demand_alone() -> None:
    plan = planned([by_turns(8, 4)], [contract("old", 4, 2.0, 24, MONTH)], [ON_DEMAND])
    found = tracked(plan, [by_turns(16, 8, 2 * MONTH)])
    assert found.planned == pytest.approx(2 * 730 * (4 * 2 + 2 * 5))
    assert moved(found) == {"demand": pytest.approx(2 * 730 * 6 * 5)}
    assert adds_up(found)


def test_the_same_again_moves_nothing() -> None:
    offers = [ON_DEMAND, offer("m1", 1, 4.5), offer("y1", 12, 2.0)]
    loads = [by_turns(8, 4), flat(3, pool=Pool.INFERENCE, cluster="c2"), flat(2, pool=Pool.BURST, model=None)]
    plan = planned(loads, [contract("old", 4, 2.2, 24, MONTH)], offers)
    assert plan.advice is not None and plan.advice.orders
    again = [replace(load, gpus=list(load.gpus) * 3) for load in loads]
    found = tracked(plan, again)
    assert moved(found) == {}
    assert found.planned == pytest.approx(sum(month.plan_usd or 0 for month in plan.advice.comparison[:3]))
    assert found.advice_now == pytest.approx(plan.advice.totals.plan)
    assert adds_up(found)


SCENARIOS = {
    "only": Scenario(name="Plan A", only={"c1/team/load-000": Only(provider="Elm")}),
    "parts": Scenario(name="Plan A", splits={"c1/team/load-000": ShareSplit(400)}),
    "by hand": Scenario(name="Plan A", hand_layers={Row(Pool.TRAINING, "H100"): (HandLayer(12, 4),)}),
    "greenfield": Scenario(name="Plan A", greenfield=True),
}


@pytest.mark.parametrize("kind", SCENARIOS)
def test_the_same_again_moves_nothing_whatever_the_plan_says(kind: str) -> None:
    """By use an offer has a maximum, so that the next one takes the rest."""
    offers = [
        offer("od", 0, 5.0, max_gpus=3),
        offer("elm", 0, 6.0, provider="Elm"),
        offer("y1", 12, 4.9, provider="Elm", lead_time_hours=100),
    ]
    loads = [by_turns(9, 5), flat(3, pool=Pool.INFERENCE)]
    plan = planned(loads, [contract("old", 4, 2.2, 24, MONTH)], offers, SCENARIOS[kind])
    found = tracked(plan, loads)
    assert plan.advice is not None
    assert found.planned == pytest.approx(plan.advice.comparison[0].plan_usd)
    assert moved(found) == {}


def test_a_contract_that_begins_within_an_hour_counts_with_its_share_of_it() -> None:
    """4 GPUs from half past the tenth hour on, beside 10 by use: what the bill says is what they serve."""
    plan = planned([flat(10)], (), [ON_DEMAND])
    begins_s = plan.project.window.end_s + 10 * 3600 + 1800
    late = contract("late", 4, 3.0, 24, MONTH, start_s=begins_s)
    found = tracked(plan, [flat(10, 20)], [late])
    assert moved(found) == {"decision": pytest.approx(9.5 * 4 * (3 - 5))}
    assert adds_up(found)


def test_the_plan_is_that_of_the_comparison() -> None:
    """With growth, a fall of prices, leads, steps of demand and days."""
    loads = [by_turns(9, 5), flat(4, pool=Pool.INFERENCE), flat(3, pool=Pool.BURST, cluster="c2")]
    key = "c1/team/load-000"
    day_s = START_S + MONTH * 3600 + 40 * 86_400
    scenario = Scenario(
        name="Plan A",
        changes=(DemandChange(target=key, keys=(key,), factor=1.5, from_s=day_s),),
        spells={"c2/team/load-002": Spell(None, day_s)},
    )
    offers = [
        ON_DEMAND,
        offer("m1", 1, 4.4, lead_time_hours=100),
        offer("m6", 6, 3.6, lead_time_hours=900),
        offer("y1", 12, 2.9, upfront_usd=Decimal(900), unit_gpus=4, lead_time_hours=200),
    ]
    values = {"growth": 0.06, "delta": 0.02, "sigma": 0.1, "lambda_": 0.02, "recency_half_life_days": 14.0}
    plan = planned(loads, [contract("old", 5, 2.2, 6, MONTH)], offers, scenario, **values)
    assert plan.advice is not None
    begins_s = plan.project.plan_window.end_s
    starts = {order.start_s - begins_s for order in plan.advice.orders}
    assert len(starts) > 1 and any(at % MONTH_S for at in starts)
    found = tracked(plan, [flat(1, 12 * MONTH)])
    assert found.planned == pytest.approx(sum(month.plan_usd or 0 for month in plan.advice.comparison))
    assert adds_up(found)


def test_a_contract_that_ends_inside_a_month_serves_until_then() -> None:
    """10 GPUs: 6 of a contract that ends in the middle of the second month."""
    plan = planned([flat(10)], [contract("old", 6, 2.0, 1.5, MONTH)], [ON_DEMAND])
    assert plan.advice is not None
    found = tracked(plan, [flat(10, 2 * MONTH)])
    assert found.planned == pytest.approx(730 * (1.5 * (6 * 2 + 4 * 5) + 0.5 * 10 * 5))
    assert found.planned == pytest.approx(sum(month.plan_usd or 0 for month in plan.advice.comparison[:2]))
    assert moved(found) == {}


def test_what_was_signed_instead_is_decision_and_its_other_rate_price() -> None:
    """The plan orders 10 GPUs at $2; 8 of them were signed, at $3: the plan's rate until then."""
    plan = planned([flat(10)], (), [ON_DEMAND, offer("y1", 12, 2.0)])
    assert plan.advice is not None and [order.gpus for order in plan.advice.orders] == [10]
    bought = contract("signed", 8, 3.0, 12, MONTH)
    found = tracked(plan, [flat(10)], [bought])
    assert found.planned == pytest.approx(730 * 10 * 2)
    assert moved(found) == {
        "decision": pytest.approx(730 * (8 * 2 + 2 * 5 - 10 * 2)),
        "price": pytest.approx(730 * 8 * 1),
    }
    assert adds_up(found)


def test_contracts_paid_by_use_serve_too() -> None:
    hourly = contract("hourly", 4, 4.0, None, MONTH, pricing_category=PricingCategory.STANDARD)
    plan = planned([flat(10)], [hourly], [ON_DEMAND])
    found = tracked(plan, [flat(10)], [hourly])
    assert found.planned == pytest.approx(730 * 10 * 5)  # planned afresh
    assert moved(found) == {"decision": pytest.approx(730 * 4 * (4 - 5))}


def test_what_nobody_planned_is_level_at_the_price_book_of_the_plan() -> None:
    """Burst comes that the plan does not have: 2 GPUs on average, of which a contract serves all but 1.5."""
    offers = [ON_DEMAND, offer("a100", 0, 3.0, gpu_model="A100")]
    plan = planned([flat(4)], (), offers)
    bursts = Load(pool=Pool.BURST, gpus=[(4.0, 0.0)[hour % 2] for hour in range(MONTH)], model="A100")
    found = tracked(
        plan, [flat(4), bursts], (), [offer("od", 0, 5.0), offer("a100", 0, 2.0, gpu_model="A100")]
    )
    assert moved(found) == {"demand": pytest.approx(730 * 2 * 3), "price": pytest.approx(-730 * 2 * 1)}
    where = {(row.pool, row.gpu_model) for row in found.rows if row.usd}
    assert where == {Row(Pool.BURST, "A100")}


def test_unknown_models_are_split_by_who_serves_them() -> None:
    """What the contract that was signed serves counts with its model, the rest with that of the plan's contract."""
    offers = [ON_DEMAND, offer("a100", 0, 3.0, gpu_model="A100")]
    old = contract("old", 4, 2.0, 24, MONTH)
    plan = planned([flat(10, model=None)], [old], offers)
    assert moved(tracked(plan, [flat(10, model=None)])) == {}
    other = contract("other", 3, 1.0, 24, MONTH, gpu_model="A100")
    found = tracked(plan, [flat(10, model=None)], [old, other], offers)
    by_model = {
        row.gpu_model: row.usd for row in found.rows if row.what == "mix" and row.pool is Pool.TRAINING
    }
    # A100: nothing was planned, and 3 came, level, so that it is demand; H100: 7 of 10 came
    demand = {
        row.gpu_model: row.usd for row in found.rows if row.what == "demand" and row.pool is Pool.TRAINING
    }
    assert demand == {"A100": pytest.approx(730 * 3 * 3), "H100": pytest.approx(-730 * 3 * 5)}
    assert by_model == {"A100": pytest.approx(0), "H100": pytest.approx(0)}
    assert found.moved("rest") == pytest.approx(0, abs=CENT)
    assert found.actual == pytest.approx(730 * (4 * 2 + 3 * 1 + 3 * 5))
    assert adds_up(found)


def test_a_pin_that_the_audit_does_not_know_is_the_rest() -> None:
    """4 GPUs are pinned to inference; the audit lets them serve what trains."""
    pinned = contract("pinned", 4, 2.0, 24, MONTH, pool=Pool.INFERENCE)
    plan = planned([flat(10)], [pinned], [ON_DEMAND])
    found = tracked(plan, [flat(10)], [pinned])
    assert moved(found) == {"rest": pytest.approx(-730 * 4 * 5)}
    assert adds_up(found)


def test_spot_leaves_no_rest() -> None:
    offers = [ON_DEMAND, offer("spot", 0, 2.0, pricing_category=PricingCategory.DYNAMIC)]
    plan = planned([flat(6, pool=Pool.BURST)], (), offers)
    assert plan.advice is not None and plan.advice.pools[0].flex.spot_share == 1
    found = tracked(plan, [flat(6, pool=Pool.BURST)], (), offers)
    assert found.moved("rest") == pytest.approx(0, abs=CENT)
    assert found.actual == pytest.approx(found.planned)


def test_a_window_that_begins_later_has_the_later_months() -> None:
    plan = planned([flat(10)], (), [ON_DEMAND], delta=0.1)
    found = tracked(plan, [flat(10)], after_hours=MONTH)
    assert found.planned == pytest.approx(730 * 10 * 5 * 0.9)
    assert moved(found) == {}


def test_an_unknown_rate_is_no_zero() -> None:
    plan = planned([flat(10)], [contract("old", 4, 2.0, 24, MONTH)], [ON_DEMAND])
    found = tracked(plan, [flat(10)], [contract("old", 4, None, 24, MONTH)])
    assert (found.actual, found.moved("price"), found.hindsight) == (None, None, None)
    assert found.moved("decision") == 0
    assert "unknown" in str(headline(found))
    without = tracked(planned([flat(10)]), [flat(10)], [contract("all", 10, 2.0, 24, MONTH)])
    assert (without.planned, without.actual) == (None, pytest.approx(730 * 10 * 2))
    assert "actual $14,600" in str(headline(without)) and "unknown" in str(headline(without))
    nobody = tracked(plan, [flat(10), flat(2, model="B200")], ())
    assert nobody.moved("demand") is None and nobody.actual is None


def test_hindsight_counts_each_month_as_long_as_it_is() -> None:
    """A month and a half, 10 GPUs: a term of a month at $4, or of two at $3, of which the second is half."""
    offers = [ON_DEMAND, offer("m1", 1, 4.0), offer("m2", 2, 3.0)]
    plan = planned([flat(10)], (), offers)
    hours = MONTH + 365
    found = tracked(plan, [flat(10, hours)])
    assert found.hindsight == pytest.approx(10 * 3 * hours)
    quiet = tracked(plan, [Load(pool=Pool.TRAINING, gpus=[10.0] * MONTH + [1.0] * 365)])
    assert quiet.hindsight == pytest.approx(
        3 * hours + 9 * 4 * MONTH if 9 * 3 * hours > 9 * 4 * MONTH else 30 * hours
    )


def test_burn_down() -> None:
    """A year of 6 GPUs, of which 11 months are over when the log ends; without an end nothing is known."""
    hours = MONTH
    signed = contract("dated", 6, 2.0, 2, hours, start_s=START_S - 9 * MONTH * 3600)
    endless = contract("open", 1, 3.0, None, hours)
    plan = planned([flat(4)], [signed, endless], [ON_DEMAND])
    dated, open_end = tracked(plan, [flat(5)]).contracts
    assert (dated.contract_id, dated.figures["committed_gpu_hours"]) == ("dated", 6 * 12 * MONTH)
    assert dated.figures["used_gpu_hours"] == pytest.approx(
        (4 + 5) * MONTH
    )  # of the plan's log and of the later one
    assert (dated.figures["committed_cost"], dated.figures["left_cost"]) == (
        2 * 6 * 12 * MONTH,
        2 * 6 * MONTH,
    )
    assert dated.runs_out_s == signed.end_s
    assert (open_end.figures["committed_gpu_hours"], open_end.figures["left_cost"], open_end.runs_out_s) == (
        None,
        None,
        None,
    )


DAY_H = 24


@pytest.mark.parametrize("is_given", [False, True])
@pytest.mark.parametrize(
    ("notice_days", "renews_months", "given", "left_h"),
    [
        (0, None, False, MONTH),  # no notice: it ends
        (40, None, False, MONTH),  # a notice alone is no renewal
        (40, 6, False, MONTH + 6 * MONTH),
        (40, 6, True, MONTH),  # notice was given
    ],
)
def test_a_contract_whose_notice_has_passed_is_left_to_pay_until_it_has_renewed_to(
    notice_days: int, renews_months: int | None, given: bool, left_h: int, is_given: bool
) -> None:
    """6 GPUs at $2 that end a month after the log which came."""
    signed = replace(
        contract("old", 6, 2.0, 2, MONTH),
        term_months=12,
        notice_days=notice_days or None,
        renews_months=renews_months,
    )
    scenario = Scenario(name="Plan A", notice_given=("old",) if given else ())
    plan = planned([flat(4)], [signed], [ON_DEMAND], scenario)
    found = tracked(plan, [flat(5)], [signed] if is_given else None)
    (row,) = found.contracts
    assert row.runs_out_s is not None
    left = (row.runs_out_s - found.window.end_s) / 3600
    assert left == pytest.approx(left_h, abs=4 * DAY_H)  # months of the calendar
    assert row.figures["left_cost"] == pytest.approx(6 * 2 * left)
    held_h = (row.runs_out_s - signed.start_s) / 3600
    assert row.figures["committed_gpu_hours"] == pytest.approx(6 * held_h)


def test_one_that_had_renewed_in_the_plan_has_renewed_though_its_first_end_is_over() -> None:
    signed = replace(contract("old", 6, 2.0, 0.5, MONTH), notice_days=40, renews_months=12)
    (row,) = tracked(planned([flat(4)], [signed], [ON_DEMAND]), [flat(5)]).contracts
    assert row.runs_out_s is not None and signed.end_s is not None
    assert row.runs_out_s - signed.end_s == pytest.approx(12 * MONTH_S, abs=4 * DAY_H * 3600)


@pytest.mark.parametrize("is_given", [False, True])
def test_56_a_contract_that_renewed_by_its_notice_is_paid_until_its_renewed_end(is_given: bool) -> None:
    """480 h to run, a notice of 60 days that has passed, renews by 3 months: 32 GPUs at $2.60 for 1,440 h."""
    signed = contract("k", 32, 2.60, 480 / 730, MONTH, notice_days=60, renews_months=3)
    found = tracked(
        planned([flat(32)], [signed], [ON_DEMAND]), [flat(32, 1440)], [signed] if is_given else None
    )
    assert (found.planned, found.actual) == pytest.approx((119_808.0, 119_808.0))
    assert found.moved("decision") == found.moved("rest") == 0
    (left,) = found.contracts
    renewed_s = months_on(signed.end_s or 0, 3)
    assert left.runs_out_s == renewed_s
    assert left.figures["left_hours"] == (renewed_s - found.window.end_s) / 3600


def test_hindsight_signs_any_term_on_the_day_on_which_a_contract_ends() -> None:
    """8 GPUs under contract for 200 h, then a year at $2 of which the 800 h of the window are paid; by use at $5."""
    signed = contract("k", 8, 3.0, 200 / 730, MONTH)
    plan = planned([flat(8)], [signed], [ON_DEMAND])
    found = tracked(plan, [flat(8, 1000)], None, [ON_DEMAND, offer("y1", 12, 2.0)])
    assert found.hindsight == pytest.approx(8 * (200 * 3 + 800 * 2))


def test_what_was_used_before_the_log_is_said_to_be_unknown() -> None:
    before, since = START_S - MONTH * 3600, START_S
    for start_s, is_said in ((before, True), (since, False)):
        signed = contract("old", 6, 2.0, 12, MONTH, start_s=start_s)
        said = [str(note) for note in tracked(planned([flat(4)], [signed], [ON_DEMAND]), [flat(4)]).notes]
        assert any("is known from 1 Jan 2026" in note for note in said) is is_said


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Load], list[Load], list[float], bool]:
    """Loads that were planned and that came, GPUs of contracts, and whether contracts are given."""

    def loads(hours: int) -> list[Load]:
        found = []
        for number, pool in enumerate((Pool.TRAINING, Pool.INFERENCE, Pool.BURST)):
            high, low = draw(st.integers(0, 12)), draw(st.integers(0, 6))
            model = draw(st.sampled_from(("H100", None, "A100" if number == 1 else "H100")))
            gpus = [float((high, low)[hour % 24 in range(8, 20)]) for hour in range(hours)]
            found.append(Load(pool=pool, gpus=[1.0, *gpus[1:]], model=model, cluster=f"c{1 + number % 2}"))
        return found

    return (
        loads(200),
        loads(draw(st.integers(100, 900))),
        draw(st.lists(st.integers(1, 8), max_size=3)),
        draw(st.booleans()),
    )


@pytest.mark.long
@given(worlds())
@settings(max_examples=examples(8), deadline=None)
def test_rows_always_add_up(world: tuple[list[Load], list[Load], Sequence[float], bool]) -> None:
    was, came, sizes, is_given = world
    contracts = [
        contract(f"k{at}", gpus, 1.5 + at, (0.7, 3, None)[at], 200, pool=(None, Pool.TRAINING, None)[at])
        for at, gpus in enumerate(sizes)
    ]
    offers = [ON_DEMAND, offer("a", 0, 3.0, gpu_model="A100"), offer("y1", 12, 2.0), offer("m1", 1, 3.5)]
    plan = planned(was, contracts[:2], offers, growth=0.05, delta=0.02)
    found = tracked(plan, came, contracts if is_given else None)
    assert adds_up(found)
    assert found.hindsight is None or found.actual is None or found.hindsight <= found.actual
    if not is_given:
        assert found.moved("decision") == found.moved("price") == found.moved("rest") == 0


RUN_BEGINS_S = START_S + (MONTH + 200) * 3600


@pytest.mark.parametrize(
    ("cluster", "month_usd", "run_usd"),
    [
        ("c9", None, 6 * 900 * 5),  # 6 GPUs, 900 h, where nothing is held
        ("c1", None, (6 - 4) * 900 * 5),  # 4 of a contract of 8 are idle beside the log's 4
        ("c9", 3.0, 6 * (730 * 3 + 170 * 5)),  # one month is ordered, the 170 h after it are paid by use
        ("c1", 3.0, (6 - 4) * (730 * 3 + 170 * 5)),
    ],
)
def test_a_run_of_the_plan_stands_by_date(cluster: str, month_usd: float | None, run_usd: float) -> None:
    """By its own orders, what it takes of contracts, and use beside them; also in a part of its time."""
    run = PlannedWork(
        name="run",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=6.0,
        cluster=cluster,
        begins_s=RUN_BEGINS_S,
        length_hours=900,
    )
    offers = [ON_DEMAND, *([offer("m1", 1, month_usd)] if month_usd else [])]
    scenario = Scenario(name="Plan A", planned=(run,))
    plan = planned([flat(4)], [contract("old", 8, 2.0, 24, MONTH)], offers, scenario)
    assert plan.advice is not None
    found = tracked(plan, [flat(4, 3 * MONTH)])
    assert found.planned == pytest.approx(3 * MONTH * 8 * 2 + run_usd)
    assert found.planned == pytest.approx(sum(month.plan_usd or 0 for month in plan.advice.comparison[:3]))
    assert adds_up(found)
    late = tracked(plan, [flat(4, MONTH)], after_hours=MONTH)
    assert late.planned == pytest.approx(plan.advice.comparison[1].plan_usd)


@pytest.mark.parametrize("has_come", [False, True])
def test_a_run_that_was_planned_has_a_row_and_is_named_where_nothing_of_it_came(has_come: bool) -> None:
    """200 h of 6 GPUs by use at $5, beside 4 of the log: its GPU-hours are on nobody else's row."""
    run = PlannedWork(
        name="run", pool=Pool.TRAINING, gpu_model="H100", gpus=6.0, begins_s=RUN_BEGINS_S, length_hours=200
    )
    plan = planned([flat(4)], (), [ON_DEMAND], Scenario(name="Plan A", planned=(run,)))
    later = later_of(plan, [flat(4, 3 * MONTH), flat(1, 3 * MONTH)])
    if has_come:
        work = replace(later.workloads[1], key=run.key)
        later = replace(later, workloads=(later.workloads[0], work, *later.workloads[2:]))
    found = track(plan, later, Tables(), has_contracts=False, has_prices=False)
    assert found is not None
    rows = {row.key: row.figures for row in found.by_workload}
    assert rows[run.key]["planned_gpu_hours"] == pytest.approx(6 * 200)
    assert rows["c1/team/load-000"]["planned_gpu_hours"] == pytest.approx(4 * 3 * MONTH)
    assert rows["c1/team/load-000"]["more"] == pytest.approx(0)
    assert found.planned == pytest.approx(5 * sum(row["planned_gpu_hours"] or 0 for row in rows.values()))
    said = [str(note) for note in found.notes]
    named = f"Planned run {run.key} did not happen. Its $6,000 on demand are in Demand and Mix"
    assert any(named in note for note in said) is not has_come
    assert adds_up(found)


def test_what_is_planned_in_place_of_a_workload_is_one_row_with_what_came_of_it() -> None:
    """4 GPUs of the log end for 2 all day and 3 more in half of the hours; 4 came, as the log's jobs are called."""
    hours = tuple(range(0, 168, 2))
    sized = [
        PlannedWork(
            name=name, pool=Pool.INFERENCE, gpu_model="H100", gpus=gpus, cluster="c1", team="team", hours=of
        )
        for name, gpus, of in (
            ("load-000, sized", 2.0, ALWAYS),
            ("load-000, sized, busy hours", 3.0, hours),
            ("load-0001, sized", 1.0, ALWAYS),  # of another name
        )
    ]
    works = tuple(sorted(sized, key=lambda one: one.key))
    ended = {"c1/team/load-000": Spell(None, START_S + MONTH_S)}
    for spells, is_one in ((ended, True), ({}, False)):
        scenario = Scenario(name="Plan A", planned=works, spells=spells)
        found = tracked(planned([flat(4)], (), [ON_DEMAND], scenario), [flat(4, MONTH)])
        rows = {row.key: row.figures for row in found.by_workload}
        assert ("c1/team/load-000" in rows) is not is_one and adds_up(found)
        assert ("c1/team/load-000, sized, busy hours" in rows) is not is_one
        came = rows["c1/team/load-000, sized" if is_one else "c1/team/load-000"]["came_gpu_hours"]
        assert came == pytest.approx(4 * MONTH)
        if is_one:
            assert rows["c1/team/load-000, sized"]["planned_gpu_hours"] == pytest.approx(
                3.5 * MONTH, rel=0.01
            )


def test_a_run_that_is_over_costs_nothing_from_now_on() -> None:
    """900 h of 6 GPUs from hour 200 of the plan on: after a month 370 h are left, after two none."""
    run = PlannedWork(
        name="run", pool=Pool.TRAINING, gpu_model="H100", gpus=6.0, begins_s=RUN_BEGINS_S, length_hours=900
    )
    plan = planned([flat(4)], (), [ON_DEMAND], Scenario(name="Plan A", planned=(run,)))
    for months, left_h in ((1, 370), (2, 0)):
        found = tracked(plan, [flat(4, months * MONTH)])
        assert found.advice_now == pytest.approx(5 * (4 * MONTH + 6 * left_h))


def test_steps_and_workloads_say_why() -> None:
    """Every bar and every workload is the sum of its rows."""
    plan = planned([flat(4), flat(2, model="A100")], (), [ON_DEMAND, offer("a", 0, 3.0, gpu_model="A100")])
    found = tracked(plan, [flat(6), flat(1, model="A100")])
    for step in steps_of(found):
        trace = OF_TRACK.answer(found, figure("track_step", step.what))
        value = step.moved if step.is_change else step.level
        assert trace.value == value == pytest.approx(arrived(trace))
        assert {row.name for row in trace.rows} == {
            joined(("Training", model), " ") for model in ("A100", "H100")
        }
    for row in found.by_workload:
        trace = OF_TRACK.answer(found, figure("track_more", row.key))
        assert trace.value == row.figures["more"] == pytest.approx(arrived(trace))


def test_orders_serve_from_their_start_to_their_end_whether_their_demand_lasts_or_not() -> None:
    """A year may be signed after 45 days: 30 are in the log, so that it begins with month 1, while that lasts."""
    offers = [ON_DEMAND, offer("y1", 12, 3.0, upfront_usd=Decimal(8760))]
    loads = [flat(5), flat(5, model="A100")]
    plan = planned(loads, (), [*offers, offer("a", 0, 4.0, gpu_model="A100")], slices_lived=True)
    assert plan.advice is not None
    (order,) = plan.advice.orders
    begins_s = plan.project.plan_window.end_s
    assert (order.reason, order.start_s - begins_s, order.term_hours) == ("if_it_lasts", MONTH_S, 8760)
    found = tracked(plan, [replace(load, gpus=[5.0] * 12 * MONTH) for load in loads])
    h100 = 730 * 5 * 5 + 11 * 730 * 5 * (3 + 1)  # $8,760 of a GPU are $1 an hour of its year
    assert found.planned == pytest.approx(h100 + 8760 * 5 * 4)
    assert moved(found) == {}
    assert adds_up(found)


def test_a_workload_is_priced_at_what_its_own_model_costs() -> None:
    """730 h of 10 H100 at $5 and of 4 A100 at $2 are planned; 12 and 1 came: 2 x $5 more and 3 x $2 less an hour."""
    offers = [ON_DEMAND, offer("a", 0, 2.0, gpu_model="A100")]
    plan = planned([flat(10), flat(4, model="A100")], (), offers)
    rows = tracked(plan, [flat(12), flat(1, model="A100")]).by_workload
    assert [row.figures["more"] for row in rows] == pytest.approx([730 * 2 * 5, -730 * 3 * 2])
    assert [[part["planned_rate"] for part in row.by_model.values()] for row in rows] == [[5.0], [2.0]]
    assert [row.figures["planned_gpu_hours"] for row in rows] == pytest.approx([7300, 2920])
    assert [row.figures["came_gpu_hours"] for row in rows] == pytest.approx([8760, 730])


def test_an_hour_in_which_something_begins_is_a_span_of_its_own() -> None:
    """Ten hours of the plan's first month, cut 90 minutes in: the hour of the cut is apart."""
    plan_window = Window(START_S, 31 * 24)
    window = Window(plan_window.end_s, 10)
    cut = spans_of(window, plan_window, [window.start_s + 5400])
    assert [(span.start_s - window.start_s, span.month) for span in cut] == [(0, 0), (5400, 0)]
    whole = whole_hours(window, cut, plan_window)
    edges = [(span.start_s - window.start_s, span.end_s - window.start_s) for span in whole]
    assert edges == [(0, 3600), (3600, 7200), (7200, 36_000)]
    assert whole[1].share_of(window.start_s + 5400, None) == 0.5  # half an hour of it
