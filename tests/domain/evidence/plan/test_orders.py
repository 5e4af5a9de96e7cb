"""Answers about orders that are written here, in the plan of `tests/domain/worlds.py`; and about its contracts."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evidence.plan.layers import PlanEvidence, order_subject
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure, quoted_words
from gpuplanner.domain.model.book.contract import RATE_FIELD
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.domain import worlds
from tests.domain.award.conftest import order
from tests.domain.commitment.conftest import contract, offer
from tests.domain.tables import plain

BEGINS_S = worlds.PLAN_S  # 31 January 2026, 10:00
DAY_1_S = BEGINS_S - 10 * 3600


def made(days: int, until: int, row: int, **values: object) -> Order:
    """From so many days after 31 January 2026 to so many after it."""
    return order(4.0, start_s=DAY_1_S + days * DAY_S, end_s=DAY_1_S + until * DAY_S, row=row, **values)


FIRST = made(1, 11, 0, offer_id="a", order_by_s=DAY_1_S + DAY_S)
AGAIN = made(11, 21, 0, offer_id="b", order_by_s=DAY_1_S + DAY_S)
ALONE = made(2, 12, 1, offer_id="c", order_by_s=DAY_1_S + DAY_S)


def evidence_with(*orders: Order, due: Sequence[Order] = ()) -> PlanEvidence:
    evidence = worlds.evidence_of_plan(worlds.plan())
    assert evidence.advice is not None
    return replace(evidence, advice=replace(evidence.advice, orders=orders), due=tuple(due))


@pytest.mark.parametrize(
    # the last day is the one before a midnight, of an end and of when it is ordered by; a row goes on until its last
    # order ends
    ("asked", "days"),
    [
        (FIRST, "2026-02-01 2026-02-10 2026-01-31 pays off now 2026-02-20"),
        (AGAIN, "2026-02-11 2026-02-20 2026-01-31 pays off now"),
        (ALONE, "2026-02-02 2026-02-11 2026-01-31 pays off now"),
    ],
)
def test_an_order_runs_to_its_last_day_and_its_row_until_nothing_follows(asked: Order, days: str) -> None:
    trace = answer(evidence_with(ALONE, FIRST, AGAIN), figure("order_gpus", order_subject(asked)))
    assert trace.value == 4.0
    assert plain(trace.note) == f"{days} {asked.offer_id}"


@pytest.mark.parametrize(
    # 4 GPUs in a month of 730 h
    ("values", "usd", "in_note"),
    [
        ({"rate": 2.0}, 5840.0, ""),
        ({"rate": 2.0, "extras_rate": 0.5}, 7300.0, ""),
        ({"rate": 2.0, "upfront_per_gpu": 876.0}, 6132.0, "876"),  # $0.10 an hour over 8,760 h
        ({"rate": None}, None, ""),
        ({"rate": None, "extras_rate": 0.5}, None, ""),
    ],
)
def test_an_order_costs_its_rate_its_extras_and_what_is_paid_upfront(
    values: dict[str, float | None], usd: float | None, in_note: str
) -> None:
    asked = made(1, 366, 0, **values)
    trace = answer(evidence_with(asked), figure("order_usd", order_subject(asked)))
    assert trace.value == (None if usd is None else pytest.approx(usd))
    assert in_note in str(trace.note) and ("upfront" in str(trace.note)) is bool(in_note)


def test_a_commitment_in_dollars_costs_its_dollars_and_says_what_it_covers() -> None:
    asked = replace(made(1, 366, 0, rate=82.56, gpu_model="$/h H100;H200"), gpus=1.0, offer_gpus=None)
    trace = answer(evidence_with(asked), figure("order_usd", order_subject(asked)))
    assert trace.value == pytest.approx(82.56 * 730) and "$82.56 " in str(trace.title)
    assert "H100, H200" in str(trace.note)


def test_what_is_bought_says_what_is_due_on_its_day() -> None:
    asked = made(1, 366, 0, rate=0.5, capex_per_gpu=1000.0, due_at_once=4321.0)
    trace = answer(evidence_with(asked), figure("order_usd", order_subject(asked)))
    assert "4,321" in str(trace.note) and "upfront" not in str(trace.note)


def test_what_is_due_costs_a_month_and_binds_over_its_terms() -> None:
    """The first month ends 730 h after the plan begins; an order that is signed only if demand lasts binds nothing."""
    evidence = evidence_with()
    assert evidence.advice is not None
    begins_s = evidence.advice.comparison[0].start_s
    due = [
        replace(
            FIRST, start_s=begins_s + MONTH_S - 1, cost_per_month=100.0, liability=1000.0, due_at_once=10.0
        ),
        replace(ALONE, start_s=begins_s + MONTH_S, cost_per_month=200.0, liability=2000.0, due_at_once=20.0),
        replace(AGAIN, start_s=begins_s, reason="if_it_lasts", cost_per_month=7.0, liability=70.0),
    ]
    evidence = evidence_with(*due, due=due)
    month, bound = answer(evidence, "orders_usd::"), answer(evidence, "orders_bind::")
    assert (month.value, [row.values for row in month.rows]) == (107.0, [(4.0, 100.0), (4.0, 7.0)])
    assert (bound.value, [row.values for row in bound.rows]) == (3000.0, [(4.0, 1000.0), (4.0, 2000.0)])
    assert "30" in str(bound.note)
    unknown = evidence_with(due=[due[0], replace(due[1], liability=None, due_at_once=None)])
    assert answer(unknown, "orders_bind::").value is None and not answer(unknown, "orders_bind::").note
    none = answer(evidence_with(), "orders_bind::")
    assert none.value == 0 and "0" in str(none.note)


@pytest.mark.parametrize(
    ("saves", "values"), [((5.0, None, 0.0, -3.0, 0.5), [-5.0, -0.5]), ((0.0,), []), ((1.0,), [-1.0])]
)
def test_checkpoints_save_what_their_best_interval_saves(
    saves: Sequence[float | None], values: list[float]
) -> None:
    advice = tuple(
        SpotAdvice(
            key=f"w{at}",
            pool=Pool.BURST,
            gpu_model="H100",
            nodes=1,
            longest_job_hours=1.0,
            interval_hours=1.0,
            lost_share=0.1,
            best_interval_hours=None,
            best_lost_share=0.1,
            on_spot=True,
            on_spot_at_best=True,
            saves_usd_per_month=usd,
        )
        for at, usd in enumerate(saves)
    )
    evidence = evidence_with()
    trace = answer(replace(evidence, outlook=replace(evidence.outlook, spot=advice)), "spot_saves::")
    assert trace.value == sum(values)
    assert [row.values for row in trace.rows] == [(usd,) for usd in values]


# --- Contracts, and what a rate is quoted in


def test_all_contracts_are_those_in_force_when_plans_begin() -> None:
    """4 x 730 x $2, 8 x 730 x $1.50 and 5 x 730 x $1; each opens its own."""
    trace = answer(evidence_with(), "contracts_usd::")
    assert trace.value == pytest.approx(5840 + 8760 + 3650)
    assert [row.opens for row in trace.rows] == [figure("contract_usd", name) for name in ("K1", "K2", "K3")]
    ended = evidence_with()
    contracts = tuple(
        replace(held, end_s=BEGINS_S) if held.contract_id == "K2" else held
        for held in ended.project.contracts
    )
    ended = replace(ended, project=replace(ended.project, contracts=contracts))
    assert answer(ended, "contracts_usd::").value == pytest.approx(9490.0)


RATE = offer("a", 0, 2.0)


@pytest.mark.parametrize(
    ("currency", "exchange", "rate", "words"),
    [
        ("USD", Decimal(1), 2.0, ""),
        ("EUR", Decimal("1.25"), 2.0, "2 EUR 1.25 USD"),
        ("EUR", None, 2.0, "2 EUR unknown USD"),
        ("EUR", Decimal("1.25"), None, ""),
    ],
)
def test_a_rate_in_other_money_says_what_it_counts(
    currency: str, exchange: Decimal | None, rate: float | None, words: str
) -> None:
    quoted = replace(offer("a", 0, rate), currency=currency, exchange=exchange)
    assert plain(quoted_words(quoted, "USD")) == words


def test_a_rate_that_the_planner_states_says_so() -> None:
    held = contract("K", 4, 2.0, 6, 730)
    assert quoted_words(held, "USD") == ""
    stated = replace(held, filed=((RATE_FIELD, "1.50"),))
    assert str(quoted_words(stated, "USD")) == "entered by you"
    assert plain(quoted_words(replace(stated, currency="EUR"), "USD")) == "2 EUR 1 USD"
