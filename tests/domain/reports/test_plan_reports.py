"""Tables about plans, their orders and awards on rows that are written here, and about tracks of them."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

import pytest

from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.order_days import SeenOrder, ShownOrder
from gpuplanner.domain.commitment.result import IdleExisting, Layer, Order
from gpuplanner.domain.commitment.words.terms import row_term_words
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.quote_source import noted_source
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.domain.reports import award, changes, costs, orders, plan_layers, savings, waiting
from gpuplanner.domain.reports.report import EVERYWHERE, SHEET, Medium
from gpuplanner.domain.track.track import WHAT, Track, TrackQuarter, TrackRow
from tests.domain import worlds
from tests.domain.award.conftest import order, quote, row
from tests.domain.tables import plain

Row = SimpleNamespace


# --- Layers

LAYER = Layer(
    existing=False,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id="y1",
    gpus=4.0,
    busy_gpus=3.0,
    rate=2.5,
    cost_per_month=100.0,
)


def layer_rows(usd: tuple[float | None, ...], *idle: IdleExisting, gpus: float = 4.0) -> list[Any]:
    """Layers of the training row with these $ a month, and GPUs that stand idle."""
    advice = worlds.plan().advised
    (own,) = [plan for plan in advice.pools if plan.pool is Pool.TRAINING]
    layers = tuple(
        replace(LAYER, term_months=at + 1, cost_per_month=of, gpus=gpus) for at, of in enumerate(usd)
    )
    changed = replace(advice, pools=(replace(own, layers=layers),), idle_existing=idle)
    return plan_layers.list_layer_rows(changed)


def test_layers_are_placed_by_their_dollars_and_those_without_gpus_are_none() -> None:
    rows = layer_rows((10.0, None, 30.0, 0.0, 0.5, 30.0))
    # the first of two that cost the same goes before; unknown is as nothing
    assert [row.place for row in rows] == [2, 4, 0, 5, 3, 1]
    assert layer_rows((10.0, 20.0), gpus=0.0) == []
    assert len(layer_rows((10.0,), gpus=0.5)) == 1


def test_gpus_that_stand_idle_by_a_trifle_are_none() -> None:
    least = plan_layers.IDLE_AT_LEAST
    idle = [
        IdleExisting(gpu_model="H100", gpus=gpus, rate=2.0, cost_per_month=7.0)
        for gpus in (least, 2 * least, 0.0, 1.0)
    ]
    assert [row.mean_gpus for row in layer_rows((), *idle)] == [2 * least, 1.0]


def test_a_brief_lists_the_most_expensive_in_the_order_of_the_plan() -> None:
    listed = plan_layers.LISTED_IN_BRIEF
    rows = layer_rows(tuple(float(at) for at in range(listed + 2)))
    table = replace(plan_layers.PLAN_LAYERS, rows=lambda of: rows)
    shown = table.rows_in(Medium.BRIEF, None)
    assert [row.cost_per_month for row in shown] == [float(at) for at in range(2, listed + 2)]
    rest: Any = table.rest_in(Medium.BRIEF, None)
    assert len(shown) == listed and rest is not None and plain(rest.pool) == "2"


@pytest.mark.parametrize(
    ("asked", "model", "gpus", "words"),
    [
        ("H100", "H200", 5.04, "5"),
        ("H100", "H200", 123456.78, "123,456.8"),
        ("H100", "H200", None, None),
        ("H100", None, 5.0, None),
        (None, "H200", 5.0, None),
        ("H100", "H100", 5.0, None),
    ],
)
def test_gpus_of_another_model_are_said_beside_those_of_the_row(
    asked: str | None, model: str | None, gpus: float | None, words: str | None
) -> None:
    bought = replace(LAYER, offer_gpu_model=model, offer_gpus=gpus)
    assert [str(part) for part in plan_layers.in_offer(asked, bought)] == (
        [] if words is None else [f"{words} H200"]
    )


def test_rows_of_a_plan_have_keys_where_nothing_is_known_too() -> None:
    (first,) = layer_rows((10.0,))
    key = plan_layers.PLAN_LAYERS.key
    assert key(first).split("\t")[:2] == ["Training", "H100"]
    assert key(replace(first, gpu_model=None)).split("\t")[1] == ""
    assert [plan_layers.IDLE.key(Row(gpu_model=model)) for model in ("H100", None)] == ["H100", ""]
    assert [plan_layers.LAYERS.key(Row(offer_id=name)) for name in ("y1", None)] == ["y1", ""]


# --- Orders

TERM = next(column for column in orders.SHOWN_ORDERS.columns if column.value is orders.write_term)


def made(**values: Any) -> Order:
    return order(4.0, **values)


def shown(signed: Order, count: int) -> str:
    listed = ListedOrder(number=1, orders=(signed,) * count, order_ids=("a",) * count)
    return str(TERM.of(ShownOrder(signed, None, listed)))


def test_a_term_is_said_with_how_often_it_is_signed() -> None:
    signed = made(term_months=12)
    term = str(term_words(12, None))
    assert [shown(signed, count) == term for count in (1, 2)] == [True, False]
    assert shown(signed, 2).startswith("2 ") and term in shown(signed, 2)
    assert shown(signed, 3).startswith("3 ")
    bought = made(term_months=48, capex_per_gpu=100.0)
    assert str(term_words(48, None)) != shown(bought, 1) and "48" in shown(bought, 1)
    assert "buy" in shown(bought, 1) and "buy" not in shown(signed, 1)


def test_a_term_of_days_that_renews_is_said_as_its_row_is() -> None:
    signed = made(term_months=12)
    days = made(term_months=1, term_days=10, end_s=made().start_s + 30 * DAY_S)
    once = made(term_months=1, term_days=10, end_s=made().start_s + 10 * DAY_S)
    for seen in ((days,), (signed, signed), (days, days)):
        row = SeenOrder(
            order=seen[0],
            whole_cost=None,
            order_by="",
            starts="",
            whole_liability=None,
            whole_due=None,
            orders=seen,
        )
        assert str(TERM.of(row)) == str(row_term_words(seen))
    for alone in (signed, once):
        row = SeenOrder(
            order=alone,
            whole_cost=None,
            order_by="",
            starts="",
            whole_liability=None,
            whole_due=None,
            orders=(alone,),
        )
        assert str(TERM.of(row)) == str(term_words(alone.term_months, alone.term_days))


def test_gpus_are_written_as_the_row_has_them_and_as_they_are_bought() -> None:
    gpus = next(column for column in orders.SHOWN_ORDERS.columns if column.value is orders.write_gpus)
    bought_as = replace(made(), gpus=123456.78125, offer_gpu_model="H200", offer_gpus=5.0)
    assert str(gpus.of(Row(order=bought_as))) == "123,456.781 = 5 H200"
    assert str(gpus.of(Row(order=replace(bought_as, offer_gpu_model="H100")))) == "123,456.781"


@pytest.mark.parametrize(
    ("asked", "bought", "words"),
    [
        ("H100", "H200", "H200 for H100"),
        ("H100", "H100", "H100"),
        ("H100", None, "H100"),
        (None, "H200", "unknown model"),
        (None, None, "unknown model"),
    ],
)
def test_an_order_is_served_by_the_model_of_its_offer(
    asked: str | None, bought: str | None, words: str
) -> None:
    served = next(column for column in orders.ORDERS.columns if column.value is orders.name_served_model)
    bought_as = replace(made(), gpu_model=asked, offer_gpu_model=bought)
    assert str(served.of(Row(order=bought_as))) == words


# --- Awards


def line(given: bool = True, **changes: Any) -> Any:
    asked = row("R1", **changes)
    offer = quote("a", 2.0, source=noted_source("a.csv", "plus VAT"))
    return Row(row=asked, given=Row(row=asked, offer=offer) if given else None, left=None)


def test_a_line_of_an_award_has_the_key_and_the_remark_of_who_is_given_it() -> None:
    who = award.ROWS.column("provider")
    remark = award.ROWS.column("remark")
    assert who.tip is not None
    assert [award.ROWS.key(of) for of in (line(), line(given=False))] == ["R1 a", "R1"]
    assert [bool(str(remark.of(of))) for of in (line(), line(given=False))] == [True, False]
    assert [str(who.tip(of)).startswith("a, ") for of in (line(), line(given=False))] == [True, False]


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        ({}, ""),
        ({"is_far_from_market": True, "market": (1.234, 2.0)}, "1.23–2.00"),
        ({"is_far_from_market": True, "market": (1.234, 1.234)}, "1.23"),
        ({"opens_gpus": 3}, "3"),
        ({"is_far_from_market": False, "market": (1.0, 2.0)}, ""),
    ],
)
def test_a_quote_is_marked_with_its_market_and_with_what_nobody_else_serves(
    values: dict[str, Any], numbers: str
) -> None:
    given = {"unknown": (), "rows": (1,), "awarded_gpus": 8, "is_far_from_market": None, "opens_gpus": 0}
    marked: Any = award.list_remarks(Row(**(given | values)))  # type: ignore[arg-type]
    assert "".join(part for part in str(marked) if part in "0123456789.–") == numbers
    assert bool(str(marked)) is bool(numbers)


def test_a_quote_that_saves_nothing_is_marked_where_it_qualifies() -> None:
    given = {"unknown": (), "is_far_from_market": None, "opens_gpus": 0}
    marks = [
        bool(str(award.list_remarks(Row(**given, rows=rows, awarded_gpus=gpus))))  # type: ignore[arg-type]
        for rows, gpus in (((1,), 0), ((1,), 8), ((), 0))
    ]
    assert marks == [True, False, False]


@pytest.mark.parametrize(
    ("share", "percent", "higher"),
    [(0.1234, "12.3%", True), (-0.1234, "12.3%", False), (0.0, "0.0%", True), (None, "0.0%", True)],
)
def test_a_margin_is_how_far_a_rate_may_rise_or_has_to_fall(
    share: float | None, percent: str, higher: bool
) -> None:
    words = str(award.describe_margin(Row(margin_share=share)))  # type: ignore[arg-type]
    assert percent in words and ("above" in words) is higher


def test_why_an_offer_is_not_worth_its_rate_is_said_where_it_is_known() -> None:
    why = award.OFFER_WORTHS.column("why_not_worth")
    worth = award.OFFER_WORTHS.column("worth_rate")
    of = [Row(why_not_worth=words) for words in ("Too dear", None)]
    assert [why.of(row) for row in of] == ["Too dear", None]
    assert [worth.unknown_of(row).why for row in of] == ["Too dear", ""]


@pytest.mark.parametrize(
    # 16 GPUs for $32,000, of which 12 are wanted: 4 of 16 cost $8,000
    ("ordered", "usd"),
    [(12.0, "$8,000"), (16.0, None), (16.0 - 4e-7, None), (16.0 - 6e-7, "$0"), (12.0000004, "$8,000")],
)
def test_gpus_that_fill_nodes_cost_their_part_of_the_award(ordered: float, usd: str | None) -> None:
    asked = row("R1", 16, orders=(order(ordered),))
    assert asked.ordered_gpus == ordered
    of = Row(
        rows=(asked,),
        options=(),
        gone=(),
        unread=(),
        quotes=(),
        conditions=Row(max_share=None, shares={}, max_prepaid=None),
        unasked="",
        awarded=(Row(liability=32_000.0, row=asked),),
        asked_gpus=16,
        open=(),
        prepaid=0.0,
        shared=None,
    )
    sentences = [str(words) for words in award.notes(of)]  # type: ignore[arg-type]
    assert len(sentences) == (usd is not None)
    if usd is not None:
        assert usd in sentences[0]


# --- Tracks


def track(
    planned: float | None, actual: float | None, rows: tuple[TrackRow, ...] = (), quarters: int = 0
) -> Track:
    made_of = tuple(TrackQuarter(at, at + 1, {}) for at in range(quarters))
    return Track(
        plan="Plan A",
        window=Window(0, 86_400),
        planned=planned,
        actual=actual,
        rows=rows,
        advice_now=None,
        hindsight=None,
        contracts=(),
        quarters=made_of,
    )


@pytest.mark.parametrize(
    ("planned", "actual", "word"),
    [(100.0, 101.0, "more"), (101.0, 100.0, "less"), (100.4, 99.6, "planned"), (100.0, 102.0, "more")],
)
def test_a_headline_says_what_its_whole_dollars_come_to(planned: float, actual: float, word: str) -> None:
    assert word in str(changes.headline(track(planned, actual))).split()[-1]


def test_places_that_moved_are_listed_by_cause_and_then_by_their_dollars() -> None:
    usd = (0.5, -0.5, 0.49, None, 3.0, -4.0, 0.0)
    rows = tuple(
        TrackRow(what=WHAT[1], pool=Pool.TRAINING, gpu_model=f"m{at}", usd=of, before=None, after=None)
        for at, of in enumerate(usd)
    )
    first = TrackRow(what=WHAT[0], pool=Pool.TRAINING, gpu_model="first", usd=0.6, before=None, after=None)
    listed = changes.MOVED.rows_in(Medium.WINDOW, track(1.0, 1.0, (*rows, first)))
    assert [row.gpu_model for row in listed] == ["first", "m5", "m4", "m0", "m1", "m3"]


def test_quarters_are_listed_where_they_are_several() -> None:
    counts = [
        len(changes.QUARTERS.rows_in(Medium.WINDOW, track(1.0, 1.0, quarters=count))) for count in range(4)
    ]
    assert counts == [0, 0, 2, 3]


@pytest.mark.parametrize(
    # 2026: 1 January, 1 April, 1 July and 1 October, each a second before and after
    ("start_s", "quarter"),
    [
        (1_767_225_600, "Q1 2026"),
        (1_775_001_599, "Q1 2026"),
        (1_775_001_600, "Q2 2026"),
        (1_782_864_000, "Q3 2026"),
        (1_790_812_800, "Q4 2026"),
        (1_798_761_599, "Q4 2026"),
    ],
)
def test_a_quarter_has_three_months(start_s: int, quarter: str) -> None:
    name = changes.QUARTERS.column("quarter")
    assert str(name.of(TrackQuarter(start_s, start_s + 10, {}))).split(",")[0] == quarter


def test_a_contract_runs_out_on_its_last_day() -> None:
    (day,) = [
        column for column in changes.BURN_DOWNS.columns_in(Medium.TERMINAL) if column.name == "runs_out"
    ]
    assert [day.of(Row(runs_out_s=at)) for at in (100, None)] == [99, None]


# --- Spend beside the business, savings, waits


def business(held_from: str, *, is_planned: bool) -> Any:
    return Row(month="2026-12", held_from=held_from, is_planned=is_planned)


def test_a_month_of_the_plan_says_whose_count_it_has() -> None:
    past = business("", is_planned=False)
    own, kept = (business(month, is_planned=True) for month in ("2026-12", "2026-07"))
    assert costs.write_month(past) == "2026-12"
    assert [plain(costs.write_month(of)) for of in (own, kept)] == ["2026-12", "2026-12"]
    assert [str(costs.write_month(of)) != "2026-12" for of in (own, kept)] == [True, True]
    assert costs.describe_held_count(past) == "" != costs.describe_held_count(own)
    assert plain(costs.describe_held_count(kept)) == "2026-07" != plain(costs.describe_held_count(own))


def test_an_unknown_of_savings_is_null_where_there_is_none() -> None:
    for fields in (savings.STEP, savings.BUY):
        unknown = fields[-1]
        assert [unknown.of(Row(unknown=words)) for words in ("No rate", "")] == ["No rate", None]


def test_a_number_of_planned_work_is_a_number_for_programs_and_words_for_people() -> None:
    number, words = waiting.build_work_fields("gpus", "GPUs")
    assert words.media == waiting.PAGE - SHEET and number.media == EVERYWHERE - words.media
    assert Medium.WORKBOOK in number.media and Medium.WINDOW in words.media
    run = Row(work=Row(gpus=8.0))
    assert number.of(run) == 8.0 and str(words.of(run)) == "8"


def test_rows_of_waits_have_keys_without_a_gpu_model_too() -> None:
    of = {"pool": Pool.TRAINING, "gpus": 8, "is_shared": True, "is_together": False}
    for model, name in (("H100", "H100"), (None, "")):
        wait = Row(gpu_model=model, **of)
        assert waiting.POOL_WAITS.key(wait) == f"training\t{name}"
        assert waiting.SIZES.key(wait) == f"training\t{name}\t8\tTrue\tFalse"
        assert waiting.POOL_WAITS.column("gpu_model").of(wait) == name


# --- Names of layers

BY_USE: Final = replace(LAYER, pricing_category=PricingCategory.STANDARD, term_months=None)


@pytest.mark.parametrize(
    ("values", "name", "shortly", "in_sentence"),
    [
        ({"existing": True, "rate": None}, "Existing contracts", "Existing", "existing"),
        ({"term_months": 12}, "12 months", "12 months", "12 months"),
        ({"term_months": 2, "term_days": 45}, "45 days", "45 days", "45 days"),
        ({}, "On demand", "On demand", "on demand"),
        ({"pricing_category": PricingCategory.DYNAMIC}, "Spot", "Spot", "spot"),
        (
            {"pricing_category": PricingCategory.MIXED},
            "On demand and spot",
            "On demand and spot",
            "on demand and spot",
        ),
        ({"rate": None}, "No price yet", "No price yet", "on demand"),
    ],
)
def test_a_layer_has_one_name_in_every_medium(
    values: dict[str, Any], name: str, shortly: str, in_sentence: str
) -> None:
    layer = replace(BY_USE, **values)
    assert str(plan_layers.layer_words(layer)) == name
    assert str(plan_layers.layer_words(layer, is_short=True)) == shortly
    assert str(plan_layers.layer_in_sentence(layer)) == in_sentence
