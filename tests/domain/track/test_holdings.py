"""Holdings of a plan: spans and quarters, contracts and orders that serve in them, and unknown amounts."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window
from gpuplanner.domain.track.came import running_contracts
from gpuplanner.domain.track.expected import (
    CostPlace,
    add_to,
    by_place,
    in_order,
    month_span,
    of_quarter,
    place_of,
)
from gpuplanner.domain.track.holdings import (
    Holdings,
    Span,
    quarter_start_s,
    quarters_of,
    saved_plan,
    spans_of,
    usd_per_hour,
    whole_hours,
)
from tests.domain.commitment.conftest import contract, offer
from tests.domain.track.conftest import MONTH, planned
from tests.domain.track.level_demand import END_S, ON_DEMAND, at_s, flat

# --- Spans


@pytest.mark.parametrize(
    ("start", "end", "share"),
    [
        (0, None, 1.0),
        (0, 10, 1.0),
        (5, 30, 0.5),
        (-9, 4, 0.4),
        (2, 3, 0.1),
        (10, 30, 0.0),
        (-9, 0, 0.0),
        (20, None, 0.0),
    ],
)
def test_a_share_of_a_span_is_that_in_which_it_runs(start: int, end: int | None, share: float) -> None:
    assert Span(0, 10, 0).share_of(start, end) == pytest.approx(share)


def test_quarters_are_of_the_calendar() -> None:
    """1 February lies in the quarter from 1 January, 1 April begins the next."""
    assert quarter_start_s(at_s(2026, 2)) == quarter_start_s(at_s(2026, 3, 31)) == at_s(2026, 1)
    assert quarter_start_s(at_s(2026, 4)) == at_s(2026, 4)
    assert quarter_start_s(at_s(2026, 11), 1) == at_s(2027, 1)
    assert quarter_start_s(at_s(2026, 2), -1) == at_s(2025, 10)
    year = Window(at_s(2026, 2), 24 * 59)  # to the end of March
    assert quarters_of(year) == (at_s(2026, 1),)
    assert quarters_of(replace(year, hours=24 * 59 + 1)) == (at_s(2026, 1), at_s(2026, 4))
    assert Span(at_s(2026, 5), at_s(2026, 5) + 5400, 0).hours == 1.5
    assert Span(at_s(2026, 5), at_s(2026, 6), 0).quarter_s == at_s(2026, 4)


def test_spans_are_cut_at_months_quarters_and_moments_inside() -> None:
    """A plan from 1 March on: its months begin 730 h apart, on 31 March at 10:00 the second."""
    plan_window = Window(at_s(2026, 2), 24 * 28)
    begins_s = plan_window.end_s
    window = Window(begins_s, 2 * MONTH)
    moments = (begins_s - 5, begins_s + 100, window.end_s, window.end_s + 5)
    spans = spans_of(window, plan_window, moments)
    edges = [begins_s, begins_s + 100, begins_s + MONTH_S, at_s(2026, 4), window.end_s]
    assert [(span.start_s, span.end_s) for span in spans] == [*pairwise(edges)]
    assert [span.month for span in spans] == [0, 0, 1, 1]
    whole = whole_hours(window, spans, plan_window)
    assert [span.start_s - begins_s for span in whole] == [0, 3600, MONTH_S, at_s(2026, 4) - begins_s]


# --- Holdings


def test_contracts_are_there_in_a_span_by_their_dates() -> None:
    span = Span(END_S, END_S + 10 * HOUR_S, 0)
    held = Holdings(
        (
            contract("a", 4, 1.0, None, MONTH),
            contract("b", 4, 1.0, 5, MONTH, start_s=END_S + 5 * HOUR_S),
            contract("c", 4, 1.0, 0, MONTH),
            contract("d", 1, 1.0, 5, MONTH, cluster="c2"),
        )
    )
    assert held.there_in(span) == {"a": 1.0, "b": 0.5, "d": 1.0}
    first, half = running_contracts(held, "c1", span)
    assert first is held.contracts[0] and half == replace(held.contracts[1], milli_gpus=2000)
    few = Holdings((replace(held.contracts[1], milli_gpus=1),))
    assert running_contracts(few, "c1", span)[0].milli_gpus == 1
    assert [item.contract_id for item in running_contracts(held, "c2", span)] == ["d"]
    assert held.moments == {
        held.contracts[0].start_s, END_S + 5 * HOUR_S, END_S + 5 * MONTH_S, END_S
    }  # fmt: skip


def test_orders_serve_their_row_with_runs_or_without() -> None:
    plan = planned([flat(4)], (), [ON_DEMAND, offer("y1", 12, 2.0)])
    assert plan.advice is not None
    (order,) = plan.advice.orders
    run, other = replace(order, reason="planned_run", gpus=3.0), replace(order, pool=Pool.BURST)
    held = Holdings((), (order, run, other))
    span = Span(order.start_s - 5 * HOUR_S, order.start_s + 5 * HOUR_S, 0)
    row = Row(Pool.TRAINING, "H100")
    assert held.ordered_gpus(row, span, with_runs=True) == 3.5
    assert held.ordered_gpus(row, span, with_runs=False) == 2.0
    assert held.moments == {order.start_s, order.end_s}
    assert (usd_per_hour(order), usd_per_hour(replace(order, spread_rate=None))) == (8.0, None)


def test_months_of_a_window_are_of_the_plan() -> None:
    plan = saved_plan(planned([flat(4)], (), [ON_DEMAND]))
    window = Window(END_S + MONTH_S, 1000)
    assert month_span(window, plan, 0) == Span(END_S + MONTH_S, END_S + 2 * MONTH_S, 1)
    assert month_span(window, plan, 1) == Span(END_S + 2 * MONTH_S, window.end_s, 2)


def test_what_is_unknown_stays_unknown_in_its_quarter_and_place() -> None:
    first, second = Span(at_s(2026, 1), at_s(2026, 2), 0), Span(at_s(2026, 4), at_s(2026, 5), 3)
    a, b = CostPlace(Pool.TRAINING, "H100"), CostPlace(None, None)
    parts: dict[Any, float | None] = {}
    for span, place, rate, amount in (
        (first, a, 2.0, 3.0), (first, a, 1.0, 4.0), (second, a, 5.0, 2.0), (second, b, None, 1.0), (second, b, 1.0, 1.0)
    ):  # fmt: skip
        add_to(parts, span, place, rate, amount)
    assert parts == {(at_s(2026, 1), a): 10.0, (at_s(2026, 4), a): 10.0, (at_s(2026, 4), b): None}
    assert by_place(parts) == {a: 20.0, b: None}
    assert (of_quarter(parts, at_s(2026, 1)), of_quarter(parts, at_s(2026, 4))) == (10.0, None)
    assert sorted([b, a, CostPlace(Pool.BURST, None)], key=in_order) == [Row(Pool.BURST, None), a, b]
    assert place_of(Row(Pool.BURST, "H100")) == Row(Pool.BURST, "H100")
