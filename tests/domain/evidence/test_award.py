"""Answers about an award, worked out by hand on rows that are written here."""

from dataclasses import replace

import pytest

from gpuplanner.domain.award.award import Award, Awarded, Quote, Vendor, line_key
from gpuplanner.domain.evidence.award import OF_AWARD
from gpuplanner.domain.evidence.trace import Amount, figure
from gpuplanner.domain.figures.award import OF_VENDOR
from tests.domain.award.conftest import CONDITIONS, quote, row

A = Awarded(
    row=row("R1"),
    offer=quote("a", 2.0),
    nodes=1,
    gpus=8,
    bought_gpus=8,
    rate=2.0,
    upfront_per_gpu=100.0,
    term_months=12,
    term_hours=1000.0,
    plan_rate=3.0,
    liability=16_800.0,
    prepaid=800.0,
    at_plan_rate=24_000.0,
    saves_beside_plan=7200.0,
)
B = replace(A, row=row("R2"), offer=quote("b", 3.0), bought_gpus=4, rate=3.0, upfront_per_gpu=0.0)
QUOTES = (
    Quote(
        offer=A.offer,
        rows=(),
        against=(),
        unknown=(),
        awarded_gpus=8,
        rate=2.0,
        cost_with=500.0,
        cost_without=800.0,
        saves=300.0,
        saves_beside_plan=None,
        worth_rate=2.5,
        tried=((3.5, False), (2.0, True), (3.0, False), (2.5, True)),
    ),
    Quote(
        offer=B.offer,
        rows=(),
        against=(),
        unknown=(),
        awarded_gpus=4,
        rate=3.0,
        cost_with=500.0,
        cost_without=400.0,
        saves=-100.0,
        saves_beside_plan=None,
    ),
)
AWARD = Award(
    rows=(),
    options=(),
    conditions=CONDITIONS,
    considered=(),
    awarded=(A, B),
    open=(),
    vendors=(
        Vendor(provider="Vela", awarded=300.0, awarded_share=0.75, cost_with=500.0, cost_without=900.0),
        Vendor(provider=None, awarded=100.0, awarded_share=0.25, cost_with=500.0, cost_without=None),
    ),
    shared=None,
    quotes=QUOTES,
)


@pytest.mark.parametrize(
    # 8 x (2 $ x 1000 h + 100 $) and 4 x 3 $ x 1000 h
    ("line", "usd"),
    [(A, 16_800.0), (B, 12_000.0)],
)
def test_a_line_costs_its_hours_at_its_rate_and_what_is_paid_upfront(line: Awarded, usd: float) -> None:
    answer = OF_AWARD.answer(AWARD, figure("award_cost", line_key(line)))
    assert answer.value == usd
    assert {line.row.name, line.offer.offer_id} <= set(str(answer.title).replace(",", "").split())


@pytest.mark.parametrize(
    ("scope", "subject", "saves"),
    [("", "a", 300.0), ("", "b", -100.0), (OF_VENDOR, "Vela", 400.0), (OF_VENDOR, "", None)],
)
def test_what_is_saved_is_the_award_without_it_less_the_award(
    scope: str, subject: str, saves: float | None
) -> None:
    answer = OF_AWARD.answer(AWARD, figure("award_saves", subject, scope))
    assert answer.value == saves
    assert ("provider" in str(answer.title)) is (scope == OF_VENDOR and not subject)


def test_a_share_is_of_all_that_vendors_are_awarded_or_of_what_limits_count_with() -> None:
    of_all = [OF_AWARD.answer(AWARD, figure("award_share", name)).value for name in ("Vela", "")]
    assert of_all == [0.75, 0.25]
    limited = replace(AWARD, shared=1000.0)
    assert OF_AWARD.answer(limited, figure("award_share", "Vela")).value == 0.3
    with pytest.raises(StopIteration):
        OF_AWARD.answer(AWARD, figure("award_share", "Lyra"))


def test_a_quote_is_worth_the_highest_rate_that_is_signed_below_the_lowest_that_is_not() -> None:
    answer = OF_AWARD.answer(AWARD, figure("award_worth", "a"))
    assert answer.value == 2.5
    unit = answer.unit
    amounts = [part for part in answer.symbols if isinstance(part, Amount)]
    assert amounts == [Amount(2.5, unit), Amount(3.0, unit), Amount(2.5, unit)]
    rows = [(str(row.name), row.values[0]) for row in answer.rows]
    assert rows == [
        ("as quoted", Amount(2.0, unit)),
        ("tried", Amount(2.5, unit)),
        ("tried", Amount(3.0, unit)),
        ("tried", Amount(3.5, unit)),
    ]
    assert ["not" in str(row.values[1]) for row in answer.rows] == [False, False, True, True]
    untried = OF_AWARD.answer(AWARD, figure("award_worth", "b"))
    assert untried.value is None and not untried.rows
