"""Terms in words: how long, how often an order renews, and which sold term names a layer."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.orders import verdicts_of
from gpuplanner.domain.commitment.result import Layer, Order, PoolPlan
from gpuplanner.domain.commitment.uncertainty.screening import screening_of
from gpuplanner.domain.commitment.words.terms import row_term_words, term_name
from gpuplanner.domain.evidence.plan.layers import row_name, term_inputs
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.domain.commitment.words.small_orders import order


def test_a_row_of_orders_is_told_by_its_term_and_how_often_it_renews() -> None:
    first, second = order(0), order(1)
    assert str(row_term_words([first])) == "1 month"
    assert str(row_term_words([first, second])) == "monthly, until 30 Nov 2026"
    assert str(row_term_words([first, second], has_end=False)) == "monthly"
    assert str(row_term_words([order(0, 3), order(3, 3)])).startswith("3 months at a time, until")
    for days, how in ((7, "weekly"), (1, "daily"), (10, "10 days at a time")):
        assert str(row_term_words([order(term_days=days)], has_end=False)) == how
    whole = order(term_days=10)
    assert str(row_term_words([replace(whole, end_s=whole.start_s + 10 * DAY_S)])) == "10 days"


def test_a_term_is_called_after_what_is_bought_then_after_what_is_offered() -> None:
    def plan(layers: list[Layer], *terms: tuple[int, int | None]) -> Any:
        offered = [SimpleNamespace(term_months=months, term_days=days) for months, days in terms]
        return SimpleNamespace(layers=layers, break_even=offered)

    held = Layer(
        existing=False,
        pricing_category=PricingCategory.COMMITTED,
        term_months=3,
        offer_id="d",
        gpus=4,
        busy_gpus=4,
        rate=1.0,
        term_days=90,
    )
    assert str(term_name(plan([held], (3, None)), 3)) == "90 days"
    assert str(term_name(plan([replace(held, gpus=0)], (3, None)), 3)) == "3 months"
    assert str(term_name(plan([held], (12, 365)), 12)) == "365 days"
    assert str(term_name(plan([replace(held, existing=True)]), 3)) == "3 months"


QUARTER, YEAR = offer("d90", 3, 3.0, term_days=90), offer("y1", 12, 6.5)
TERM_NAMES_GPUS = [6.5 + hour % 12 for hour in range(700)]


def _plan() -> PoolPlan:
    made = case([Load(pool=Pool.INFERENCE, gpus=TERM_NAMES_GPUS)], (), [offer("od", 0, 7.0), QUARTER, YEAR])
    (found,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    return found


def test_rows_break_evens_and_screening_of_a_term_of_days_say_days() -> None:
    plan = _plan()
    assert [one.term_days for one in plan.layers if one.is_new] == [90]
    names = {months: str(term_name(plan, months)) for months in (3, 12, 24)}
    assert names == {3: "90 days", 12: "12 months", 24: "24 months"}
    assert str(row_name(plan, "3")).endswith(", 90 days")
    screening = screening_of(plan)
    assert screening is not None
    assert [(one.term_months, one.term_days) for one in screening.terms] == [(12, None), (3, 90)]
    assert [str(term_inputs(plan, one).title).split(", ")[1] for one in plan.break_even] == [
        "90 days",
        "12 months",
    ]


def test_a_verdict_says_the_days_of_what_follows() -> None:
    held = contract("k", 16, 3.0, 0.5, 720)
    made = case([Load(pool=Pool.INFERENCE, gpus=[16.0] * 720)], [held], [QUARTER, YEAR])
    ground = ground_of(made.project, made.project.scenarios[0], made.pools, AdviceCache())
    ends_s = held.end_s or 0
    orders = [
        Order(
            pool=Pool.INFERENCE,
            gpu_model="H100",
            offer_id=one.offer_id,
            term_months=one.term_months,
            gpus=8.0,
            start_s=ends_s,
            end_s=ends_s + round(one.term_hours * 3600),
            order_by_s=ends_s,
            reason="contract_end",
            term_days=one.term_days,
        )
        for one in (QUARTER, YEAR)
    ]
    (verdict,) = verdicts_of([held], orders, {}, ground)
    assert verdict.shares == ((8.0, (3, 90)), (8.0, (12, None)))
    assert "90 days" in str(verdict.reason) and "12 months" in str(verdict.reason)
