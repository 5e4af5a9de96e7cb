"""Orders of a plan: why and when each is placed, what it is of, rows, sums, and what follows a contract, by hand."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.payments import cash_rows, compute_running_rates, owed_rows
from gpuplanner.domain.commitment.plan import orders as module
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.orders import (
    all_orders,
    as_they_fall_due,
    asked_for,
    at_list,
    due_at_once_usd,
    gpus_in_rows,
    gpus_to_sign,
    is_new,
    liability_usd,
    most_bought,
    orders_by_row,
    orders_within,
    signed_for,
    to_sign,
    together_words,
    verdicts_of,
    with_rows,
)
from gpuplanner.domain.commitment.plan.row_list import Listed
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order, vendors
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, iso_day, iso_utc
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

A = Scenario(name="A")
HOURS = 200
BEGIN_S = START_S + HOURS * HOUR_S
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}


def order(start: float = 0, months: int = 12, gpus: float = 4.0, ahead: int = 0, **values: Any) -> Order:
    """So many H100 from a month of the plan on, ordered so many days ahead."""
    start_s = BEGIN_S + round(start * MONTH_S)
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="y1",
        term_months=months,
        gpus=gpus,
        start_s=start_s,
        end_s=start_s + months * MONTH_S,
        order_by_s=start_s - ahead * DAY_S,
        reason="now",
        offer_gpu_model="H100",
        offer_gpus=gpus,
        rate=2.0,
        liability=10.0,
        due_at_once=3.0,
    )
    return replace(base, **values)


# --- Sums and rows of orders


def test_orders_that_are_new_signed_or_bought() -> None:
    reasons = ["now", "contract_end", "lead_time", "growth", "planned_run", "bridge", "follows", IF_IT_LASTS]
    items = [order(reason=reason) for reason in reasons]
    assert [is_new(item) for item in items] == [True] * 6 + [False] * 2
    assert not is_new(order(reason="bridge", follows=True)) and asked_for(items) == items[:6]
    bought = order(capex_per_gpu=1.0)
    assert signed_for([items[0], items[7], bought]) == [items[0]]
    assert (liability_usd([items[0], items[7], bought]), due_at_once_usd([items[0], items[7]])) == (20.0, 3.0)
    assert liability_usd([order(liability=None)]) is None and due_at_once_usd([]) == 0.0


def test_orders_fall_due_by_day_start_pool_model_and_term() -> None:
    items = [
        order(2, ahead=0),
        order(1, ahead=0),
        order(1.5, ahead=15),
        order(1, 24),
        order(1, pool=Pool.BURST),
        order(1, gpu_model=None),
    ]
    found = as_they_fall_due(items)
    assert [items.index(item) for item in found] == [4, 5, 1, 3, 2, 0]


def test_vendors_are_providers_each_once_and_an_offer_without_one_says_so() -> None:
    items = [order(provider="Ada"), order(offer_id="x"), order(provider="Ada"), order(provider="Bo")]
    assert str(vendors(items)) == "Ada, Provider missing, Bo"


@pytest.mark.parametrize(
    ("start", "ahead", "is_due"), [(0, 0, True), (0.99, 0, True), (1, 0, False), (1, 1, True)]
)
def test_what_is_to_be_signed_within_a_month(start: float, ahead: int, is_due: bool) -> None:
    assert bool(to_sign([order(start, ahead=ahead)], BEGIN_S)) is is_due
    assert not to_sign([order(reason=IF_IT_LASTS)], BEGIN_S)


def test_the_most_gpus_that_orders_hold_at_one_time() -> None:
    """4 for a year, 2 in months 1 to 3, 5 from month 3 on: 9. Who may serve does not tell rows apart."""
    items = [
        order(),
        order(1, 2, 2.0),
        order(3, 9, 5.0),
        order(0, 1, 3.0, gpu_model="H100 @ Ada"),
        order(0, 1, 1.0, pool=Pool.BURST),
    ]
    found = {(row.pool, row.gpu_model): row.gpus for row in gpus_to_sign(items)}
    assert found == {Row(Pool.TRAINING, "H100"): 9.0, Row(Pool.BURST, "H100"): 1.0}
    assert most_bought([replace(item, offer_gpus=item.gpus / 2) for item in items]) == 5.0


def test_orders_that_join_are_one_row() -> None:
    """A month, the next of as many, one of more, one that follows the other first, and one of another offer."""
    items = with_rows(
        [
            *(order(0, 1), order(0, 1), order(1, 1), order(1, 1, 4.5)),
            *(order(1, 1, reason="follows"), order(2, 1), order(1, 1, offer_id="z")),
        ]
    )
    assert [item.row for item in items] == [0, 1, 0, 2, 1, 0, 3]
    assert [len(row) for row in orders_by_row(items)] == [3, 2, 1, 1]
    assert gpus_in_rows(items) == 4 + 4 + 4.5 + 4
    assert str(together_words(items[:3])) == "8 GPUs"
    apart = with_rows([order(0, 1), order(5, 1, 2.0)])
    words = str(together_words(apart))
    assert "6 GPUs" in words and words.endswith("at most 4 at a time")
    assert str(together_words([order(gpus=1.0, offer_gpus=1.0)])) == "1 GPU"


@pytest.mark.parametrize(
    ("first", "reason", "rows"),
    [
        ("now", "follows", [0, 0]),
        ("now", "growth", [0, 1]),
        ("bridge", "bridge", [0, 0]),
        ("if_it_lasts", "follows", [0, 1]),
    ],
)
def test_an_order_continues_one_that_it_follows_or_whose_reason_it_has(
    first: str, reason: str, rows: list[int]
) -> None:
    items = with_rows([order(0, 1, reason=first), order(1, 1, reason=reason)])
    assert [item.row for item in items] == rows


def test_orders_at_todays_list() -> None:
    """$2 when it is signed, $3 today, with $730 upfront for 8,760 hours."""
    known, gone = order(), order(offer_id="gone")
    listed = at_list([known, gone], [offer("y1", 12, 3.0, upfront_usd=Decimal(730))])
    assert [item.rate for item in listed] == [3.0, 2.0]
    assert listed[0].cost_per_month == pytest.approx(4 * (3 * 730 + 730 / 12))
    assert listed[0].liability == pytest.approx(4 * (3 * 8760 + 730)) and listed[
        0
    ].due_at_once == pytest.approx(4 * 730)


# --- Why and when orders are placed


def plan(offers: Any, contracts: Any = (), gpus: float = 4.0, **values: Any) -> tuple[Ground, list[Order]]:
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[gpus] * HOURS)],
        contracts,
        [offer("od", 0, 6.0), *offers],
        **(CALM | values),
    )
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    return ground, all_orders(ground, plan_of(ground, AdviceCache()))


def seen(orders: list[Order]) -> list[tuple[Any, ...]]:
    """Reason, GPUs, start and the day to order by, in months of the plan."""
    return [
        (
            item.reason,
            item.gpus,
            (item.start_s - BEGIN_S) / MONTH_S,
            (item.order_by_s - BEGIN_S) / MONTH_S,
            item.follows,
        )
        for item in orders
    ]


def test_orders_are_for_now_or_follow_each_other() -> None:
    _, orders = plan([offer("m6", 6, 2.0, lead_time_hours=73.0)])
    assert seen(orders) == [("now", 4.0, 0.1, 0.0, False), ("follows", 4.0, 6.1, 6.0, True)]
    assert [item.is_soonest for item in orders] == [True, False]
    assert orders[0].spans == ((0.0, 4.0),) and orders[0].offer_gpus == 4.0


def test_orders_for_when_a_contract_ends_are_placed_by_its_notice() -> None:
    """Its notice of 73 days (2.4 months) before month 6 counts before a lead of a tenth of a month."""
    held = [contract("k", 4, 1.0, 6, HOURS, notice_days=73)]
    _, orders = plan([offer("y1", 12, 2.0, lead_time_hours=73.0)], held)
    assert seen(orders) == [("contract_end", 4.0, 6.0, pytest.approx(3.6), False)]
    _, without = plan([offer("y1", 12, 2.0, lead_time_hours=73.0)], [contract("k", 4, 1.0, 6, HOURS)])
    assert seen(without) == [("contract_end", 4.0, 6.0, pytest.approx(5.9), False)]
    early = [contract("k", 4, 1.0, 1, HOURS, notice_days=30)]
    assert seen(plan([offer("y1", 12, 2.0)], early)[1])[0][3] == pytest.approx(1 - 30 * DAY_S / MONTH_S)


def test_orders_for_growth_and_long_leads() -> None:
    """4 and then 6 GPUs; what takes a month and a half is ordered now, and a month bridges the time."""
    _, grown = plan([offer("y1", 12, 2.0)], growth=0.5, growth_fade=0.0)
    assert [(reason, gpus, start) for reason, gpus, start, *_ in seen(grown)] == [
        ("now", 4.0, 0.0),
        ("growth", 2.0, 1.0),
    ]
    slow, month = offer("y1", 12, 1.0, lead_time_hours=1095.0), offer("m1", 1, 3.0)
    _, orders = plan([slow, month])
    found = [(item.offer_id, *row) for item, row in zip(orders, seen(orders), strict=True)]
    assert found[:3] == [
        ("m1", "bridge", 4.0, 0.0, 0.0, False),
        ("m1", "bridge", 4.0, 1.0, 1.0, True),
        ("y1", "lead_time", 4.0, 2.0, 0.5, True),
    ]


def test_orders_have_the_extras_and_upfront_of_their_offers() -> None:
    """$73 a month of storage are ten cents an hour; $876 of set-up over 8,760 h another ten."""
    sold = offer(
        "y1",
        12,
        2.0,
        storage_usd_per_gpu_month=73,
        setup_usd=876,
        upfront_usd=438,
        sla_percent=99.0,
        provider="Ada",
    )
    _, (item,) = plan([sold])
    assert (item.rate, item.extras_rate) == (pytest.approx(2.0), pytest.approx(0.2))
    assert (item.setup_per_gpu, item.upfront_per_gpu, item.sla_percent, item.provider) == (
        pytest.approx(876.0),
        438.0,
        99.0,
        "Ada",
    )
    _, (high,) = plan([replace(sold, lead_time_hours=73.0, lead_time_high_hours=146.0)])
    assert high.order_by_high_s == high.start_s - 146 * HOUR_S and item.order_by_high_s is None


def test_units_are_shared_out_between_reasons() -> None:
    """Nodes of 8: 4 now and 2 for growth, each a node."""
    _, orders = plan([offer("y1", 12, 2.0, unit_gpus=8)], block=1, growth=0.5, growth_fade=0.0)
    assert [(item.reason, item.gpus, item.offer_gpus) for item in orders] == [
        ("now", 4.0, 8.0),
        ("growth", 2.0, 8.0),
    ]
    assert module.merge_spans([0, 1, 3], [0.0, 2.0, 4.0, 6.0, 8.0]) == ((0.0, 4.0), (6.0, 8.0))


def test_a_block_is_one_order_but_for_what_hangs_on_young_demand() -> None:
    """Ten days of 4 GPUs from day 40 on: slice 0 is of young demand, 3 follows an order; the firm ones are one."""
    sold = offer(
        "b",
        0,
        2.0,
        pricing_category=PricingCategory.COMMITTED,
        starts=iso_day(BEGIN_S + 40 * DAY_S),
        ends=iso_day(BEGIN_S + 50 * DAY_S),
    )
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], (), [offer("od", 0, 6.0), sold], **CALM, block=1
    )
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    (row,) = planned.rows
    lasts, follows = row.signed.lasts.copy(), row.signed.orders.follows.copy()
    lasts[:, 0], follows[:, 3] = True, True
    signed = replace(row.signed, lasts=lasts, orders=replace(row.signed.orders, follows=follows))
    changed = replace(planned, rows=(replace(row, signed=signed),))
    orders = [(item.reason, item.follows, item.spans) for item in all_orders(ground, changed)]
    assert sorted(orders) == [("growth", False, ((1.0, 4.0),)), (IF_IT_LASTS, False, ((0.0, 1.0),))]


def test_orders_of_twelve_months_start_or_are_placed_in_them() -> None:
    ground, _ = plan([offer("y1", 12, 2.0)])
    inside, ahead, out = order(11.9), order(12.5, ahead=20), order(12.5)
    found = orders_within(ground, [out, ahead, inside])
    assert [item.start_s for item in found] == [inside.start_s, ahead.start_s]
    assert orders_within(ground, [out], 13)[0].start_s == out.start_s


@pytest.mark.parametrize(("until", "by"), [(None, 20), (30, 20), (5, 5), (-1, 0)])
def test_an_answer_to_a_request_is_ordered_while_it_holds(until: int | None, by: int) -> None:
    """It starts on day 20 and has no lead. One that has closed is ordered on the plan's first day at the soonest."""
    held = {} if until is None else {"valid_until": iso_utc(BEGIN_S + until * DAY_S)}
    answer = offer("q", 12, 2.0, source="Quote RFQ-20260101-AAAA R1", **held)
    ground, _ = plan([])
    row: Any = SimpleNamespace(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offers=(answer,),
        ratios={},
        prices=ground.levels,
        calendar=ground.calendar,
        slicing=Slicing(1, 4),
    )
    start_s = 20 * DAY_S
    listed = Listed(
        month=0,
        place=0,
        start_s=start_s,
        end_s=start_s + 12 * MONTH_S,
        slices=np.arange(4),
        gpus=4.0,
        paid_gpus=4.0,
        rate=2.0,
        upfront=0.0,
    )
    (item,) = module.list_entry_orders(ground, row, listed, [("now", False, [0, 1, 2, 3])], None)
    assert (item.order_by_s - BEGIN_S) / DAY_S == by
    plain = SimpleNamespace(**(vars(row) | {"offers": (replace(answer, source=None),)}))
    (other,) = module.list_entry_orders(ground, plain, listed, [("now", False, [0])], None)  # type: ignore[arg-type]
    assert (other.order_by_s - BEGIN_S) / DAY_S == 20


# --- What follows a contract


def verdicts(contracts: list[Any], orders: list[Order], offers: Any = ()) -> dict[str, Any]:
    ground, _ = plan([offer("y1", 12, 2.0), offer("m3", 3, 3.0, lead_time_hours=240.0), *offers], contracts)
    return {verdict.contract_id: verdict for verdict in verdicts_of(contracts, orders, {}, ground)}


def test_contracts_that_run_on_or_are_over() -> None:
    held = [
        contract("over", 1, 1.0, 0, HOURS),
        contract("open", 1, 1.0, None, HOURS, notice_days=30),
        contract("use", 1, 1.0, 3, HOURS, pricing_category=PricingCategory.STANDARD),
        contract("far", 1, 1.0, 24.1, HOURS),
        contract("later", 1, 1.0, 24, HOURS),
        contract("soon", 1, 1.0, 12, HOURS, notice_days=30),
    ]
    found = verdicts(held, [])
    assert {name: (verdict.verdict, verdict.is_later) for name, verdict in found.items()} == {
        "open": ("keep", False),
        "use": ("let_expire", False),
        "far": ("keep", False),
        "later": ("let_expire", True),
        "soon": ("let_expire", False),
    }
    assert (
        found["soon"].order_by_s == BEGIN_S + 12 * MONTH_S - 30 * DAY_S and found["open"].order_by_s is None
    )


def test_a_contract_is_followed_by_the_term_with_most_gpus() -> None:
    """5 GPUs that end with month 3: of 3 for a year and 4 for a quarter, all of the quarter and one of the year."""
    held = [contract("k", 5, 1.0, 3, HOURS, term_months=12)]
    quarter = order(3, 3, 4.0, 10, offer_id="m3", reason="contract_end")
    year = order(3, 12, 3.0, reason="contract_end")
    verdict = verdicts(held, [year, quarter])["k"]
    assert (verdict.verdict, verdict.then_term_months, verdict.gpus) == ("shorten", 3, 5.0)
    assert verdict.shares == ((4.0, (3, None)), (1.0, (12, None)))
    assert verdict.order_by_s == BEGIN_S + 3 * MONTH_S - 10 * DAY_S  # the longer lead
    assert (
        verdict.last_day_s == quarter.last_day_s and verdict.due_gpus == 4.0 and not verdict.if_it_lasts_gpus
    )
    like_it = verdicts([replace(held[0], term_months=3)], [quarter])["k"]
    assert (like_it.verdict, like_it.gpus) == ("replace", 4.0)
    young = verdicts(held, [replace(quarter, reason=IF_IT_LASTS)])["k"]
    assert (young.verdict, young.gpus, young.if_it_lasts_gpus) == ("let_expire", 0.0, 4.0)
    tie = verdicts(held, [replace(year, gpus=4.0), quarter])["k"]
    assert tie.then_term_months == 3  # the shorter


@pytest.mark.parametrize(
    ("values", "takes"),
    [
        ({}, True),
        ({"start_s": BEGIN_S + 3 * MONTH_S - 1}, False),
        ({"start_s": BEGIN_S + 4 * MONTH_S - 1}, True),
        ({"start_s": BEGIN_S + 4 * MONTH_S}, False),
        ({"gpu_model": "A100"}, False),
        ({"gpu_model": "H100 @ Ada"}, True),
        ({"follows": True}, False),
    ],
)
def test_which_orders_take_a_contracts_place(values: dict[str, Any], takes: bool) -> None:
    """What begins within a month of its end."""
    held = [contract("k", 5, 1.0, 3, HOURS)]
    assert bool(verdicts(held, [order(3, **values)])["k"].gpus) is takes
    pinned = [contract("k", 5, 1.0, 3, HOURS, pool=Pool.BURST)]
    assert not verdicts(pinned, [order(3, **values)])["k"].gpus


def test_contracts_that_end_first_take_first() -> None:
    held = [contract("b", 3, 1.0, 3, HOURS), contract("a", 3, 1.0, 3.5, HOURS)]
    found = verdicts(held, [order(3.5, gpus=4.0)])
    assert (found["b"].gpus, found["a"].gpus) == (3.0, 1.0)


# --- What is paid when


def test_what_is_owned_pays_no_capital_by_the_hour() -> None:
    """$8,760 a GPU for 12 months without interest are a dollar an hour of the rate; energy is left of it."""
    own = offer(
        "own",
        0,
        None,
        pricing_category=PricingCategory.OWNED,
        capex_usd_per_gpu=Decimal(8760),
        life_months=12,
        kw_per_gpu=1.0,
        pue=1.0,
        usd_per_kwh=Decimal("0.5"),
        provider="Own",
    )
    made = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], (), [offer("od", 0, 6.0), own], **CALM)
    advice = advise(made.project, A, made.pools, audit())
    (item,) = [each for each in advice.orders if each.offer_id == "own"][:1]
    assert item.is_bought and item.rate == pytest.approx(1.0 + 0.5)
    priced = made.project.priced_in(A)
    assert compute_running_rates(priced, A, advice)[0] == pytest.approx(0.5)
    (first, *_) = cash_rows(priced, A, advice)
    assert first.figures["at_once"] == pytest.approx(4 * 8760)
    unpriced: Any = SimpleNamespace(orders=(replace(item, rate=None),))
    assert compute_running_rates(priced, A, unpriced) == [None]
    setup: Any = SimpleNamespace(orders=(order(rate=2.0, extras_rate=0.3, setup_per_gpu=876.0),))
    assert compute_running_rates(priced, A, setup) == [pytest.approx(2.0 + 0.3 - 0.1)]


def test_a_ramp_in_force_is_owed_with_its_later_steps() -> None:
    first = contract("k", 1, 1.0, 2, HOURS)
    second = contract("k (2)", 2, 1.0, 5, HOURS, start_s=BEGIN_S + 2 * MONTH_S)
    later = contract("n", 1, 1.0, 5, HOURS, start_s=BEGIN_S + MONTH_S)
    project = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], [first, second, later]).project
    assert [row.key for row in owed_rows(project, A)] == ["k", "k (2)"]
    assert [row.key for row in owed_rows(project, A, is_later=True)] == ["n"]


def test_parts_of_a_ramp_are_owed_with_the_one_in_force() -> None:
    """Parts of k, one of them in force; parts of z begin later alone, as n does."""
    held = [
        contract("p1", 1, 1.0, 2, HOURS, ramp_of="k"),
        contract("p2", 2, 1.0, 5, HOURS, start_s=BEGIN_S + 2 * MONTH_S, ramp_of="k"),
        contract("n", 1, 1.0, 5, HOURS, start_s=BEGIN_S + MONTH_S),
        contract("x", 1, 1.0, 5, HOURS, start_s=BEGIN_S + MONTH_S, ramp_of="z"),
    ]
    project = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], held).project
    owed = {row.key: row.figures["owed"] for row in owed_rows(project, A)}
    assert owed == {"p1": 2 * 730.0, "p2": 2 * 3 * 730.0}
    assert [row.key for row in owed_rows(project, A, is_later=True)] == ["n", "x"]


@pytest.mark.parametrize("block", [2, 4, 8])
def test_orders_and_payments_of_wide_slices(block: int) -> None:
    """Six blocks for half of the hours, four at all: four are signed for a year at $2, with $730 upfront each GPU.

    What is left is used half of the hours at $6 by the hour.
    """
    sold = offer("y1", 12, 2.0, unit_gpus=block, upfront_usd=Decimal(730), lead_time_hours=73.0)
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0 * block, 6.0 * block] * (HOURS // 2))]
    values: Any = CALM | {"block": block, "horizon_months": 24}
    made = case(loads, (), [offer("od", 0, 3.0), sold], **values)
    advice = advise(made.project, A, made.pools, audit())
    (item,) = [each for each in advice.orders if not each.follows]
    assert (item.reason, item.gpus, item.offer_gpus) == ("now", 4.0 * block, 4.0 * block)
    assert item.spans == ((0.0, 4.0 * block),)
    assert (item.start_s - BEGIN_S, item.order_by_s) == (73 * HOUR_S, BEGIN_S)
    assert item.liability == pytest.approx(4 * block * (2 * 8760 + 730))
    assert item.due_at_once == pytest.approx(4 * block * 730)
    # a tenth of month 0 passes by use: 5 blocks on average, then one
    assert advice.comparison[0].use_usd == pytest.approx(block * 3 * (5 * 73 + 1 * 657))
    assert advice.comparison[1].use_usd == pytest.approx(block * 3 * 730)
    assert advice.comparison[1].plan_usd == pytest.approx(block * (3 * 730 + 4 * (2 * 730 + 730 / 12)))
    rows = cash_rows(made.project.priced_in(A), A, advice)
    assert rows[0].figures["at_once"] == pytest.approx(4 * block * 730)
    hours = sum(row.figures["by_hour"] or 0.0 for row in rows)
    assert hours == pytest.approx(block * (3 * (5 * 73 + 8687) + 4 * 2 * 8687))
    (pool,) = advice.pools
    assert [(layer.gpus, layer.term_months) for layer in pool.layers if layer.gpus and layer.term_months] == [
        (4.0 * block, 12)
    ]


@pytest.mark.parametrize(("after_days", "is_said"), [(29, False), (30, False), (31, True)])
def test_a_commitment_that_follows_a_month_later_is_told(after_days: int, is_said: bool) -> None:
    """A month has 30.4 days; the order begins once its lead has passed, or it does not hang on the lead."""
    ground, _ = plan([offer("y1", 12, 2.0)])
    held = contract("k", 4, 1.0, 1, HOURS)
    lead = MONTH_S + after_days * DAY_S
    begins = order(start_s=BEGIN_S + lead) if after_days else order()
    assert (
        bool(module.describe_later_order(held, [module.OpenOrder(begins, lead, None, 4.0)], ground))
        is is_said
    )
    assert not module.describe_later_order(held, [module.OpenOrder(begins, lead - 1, None, 4.0)], ground)
    assert not module.describe_later_order(held, [module.OpenOrder(begins, lead, None, 0.0)], ground)
    assert not module.describe_later_order(held, [], ground)


def test_a_commitment_follows_later_from_a_whole_month_on() -> None:
    """The contract ends with month 1; what begins with month 2 or later does not take its place."""
    ground, _ = plan([offer("y1", 12, 2.0)])
    held = contract("k", 4, 1.0, 1, HOURS)

    def is_said(lead: int) -> bool:
        begins = order(start_s=BEGIN_S + lead)
        return bool(module.describe_later_order(held, [module.OpenOrder(begins, lead, None, 4.0)], ground))

    assert is_said(2 * MONTH_S) and not is_said(2 * MONTH_S - 1)
