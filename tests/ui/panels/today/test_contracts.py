"""Contracts over time: every contract and order has its row, dates are the verdicts', what is late comes first."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.commitment.plan.orders import with_rows
from gpuplanner.domain.commitment.result import Order, Verdict
from gpuplanner.domain.commitment.words.verdicts import ANEW, VERDICTS
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.panels.today.contract_dates import (
    ORDER_KEY,
    dates_of,
    late_words,
    order_key,
    order_words,
    orders_in,
    twin_table,
)
from gpuplanner.ui.panels.today.contract_times import timeline_rows, timeline_ticks
from gpuplanner.ui.panels.today.contracts import ContractsPanel, build_contract_row, contract_rows
from gpuplanner.ui.state.commitment_words import reason_words
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.words import numbers
from tests.ui.fake_app import recoloured
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
END_S = PROJECT.window.end_s
LATE = Order(
    pool=Pool.BURST,
    gpu_model="A100",
    offer_id="a-3",
    term_months=3,
    gpus=5.0,
    start_s=END_S + 3 * DAY_S,
    end_s=END_S + 3 * DAY_S + 3 * MONTH_S,
    order_by_s=END_S - 12 * DAY_S,
    reason="contract_end",
)


def planned(**changes: Any) -> ViewState:
    """The first plan of the sample, with an order that is late already."""
    evaluation = evaluation_of(PROJECT, PROJECT.scenarios[0].name)
    assert evaluation.advice is not None
    values = {"orders": (*evaluation.advice.orders, LATE)} | changes
    values["orders"] = tuple(with_rows(values["orders"]))
    return next_view_state(None, replace(evaluation, advice=replace(evaluation.advice, **values)))


@pytest.fixture
def panel(qtbot: QtBot) -> ContractsPanel:
    made = ContractsPanel(END_S)
    qtbot.addWidget(made)
    made.resize(420, 320)
    made.show_state(planned())
    made.show()
    return made


def test_dates_are_those_of_the_verdict_and_of_the_contracts_own_notice() -> None:
    atlas, borealis, cedar = PROJECT.contracts
    verdict = Verdict(
        contract_id="atlas",
        verdict="replace",
        then_term_months=12,
        gpus=64.0,
        order_by_s=END_S + 59 * DAY_S,
        reason="64 GPUs for 12 months",
    )
    found = dates_of(atlas, verdict, planned())
    assert atlas.end_s is not None
    notice_s = atlas.end_s - 30 * DAY_S
    assert (found.order_by_s, found.notice_by_s) == (END_S + 59 * DAY_S, notice_s - 1)
    assert found.then.startswith(f"{VERDICTS['replace']} (")
    found = dates_of(atlas, replace(verdict, verdict="end", order_by_s=notice_s), planned())
    assert (found.order_by_s, found.notice_by_s) == (notice_s - 1, notice_s - 1)
    assert found.then.startswith(f"{ANEW} (") and "96 \u2192 64 " in found.then and "12 months" in found.then
    ending = dates_of(
        cedar,
        Verdict(
            contract_id="cedar",
            verdict="let_expire",
            then_term_months=0,
            gpus=0.0,
            order_by_s=1,
            reason="nothing follows it",
        ),
        planned(),
    )
    assert (ending.order_by_s, ending.then) == (None, "let expire")
    assert cedar.end_s is not None
    assert ending.notice_by_s == cedar.end_s - 30 * DAY_S - 1
    assert dates_of(replace(cedar, renews_months=0), None, planned()).notice_by_s is None  # it ends by itself
    assert dates_of(borealis, None, planned()).notice_by_s is None  # it has no end
    assert (
        dates_of(
            cedar,
            Verdict(
                contract_id="cedar", verdict="keep", then_term_months=0, gpus=64.0, order_by_s=1, reason=""
            ),
            planned(),
        ).notice_by_s
        is None
    )


def test_late_is_a_day_before_today_not_an_hour() -> None:
    today_s = 100 * DAY_S + 5
    assert late_words(100 * DAY_S, today_s) == ""
    assert late_words(100 * DAY_S - 1, today_s) == "1 day ago"
    assert late_words(88 * DAY_S, today_s) == "12 days ago"


def test_every_contract_and_order_is_a_row_with_its_times() -> None:
    shown = planned()
    assert shown.advice is not None
    rows = {row.key: row for row in timeline_rows(shown, LIGHT, END_S)}
    assert list(rows)[:3] == ["cedar", "atlas", "borealis"]  # by their ends, none last
    orders = shown.advice.orders
    assert set(rows) == {one.contract_id for one in PROJECT.contracts} | {
        order_key(order) for order in orders
    }
    for contract in PROJECT.contracts:
        spans = rows[contract.contract_id].spans
        assert (spans[0].start_s, spans[0].end_s) == (contract.start_s, contract.end_s)
        assert not spans[0].is_pale
    follow = rows["atlas"].spans[1]
    atlas = PROJECT.contracts[0]
    assert atlas.end_s is not None
    assert (follow.start_s, follow.end_s, follow.is_pale) == (atlas.end_s, atlas.end_s + 12 * MONTH_S, True)
    assert rows["borealis"].spans[0].is_hatched  # paid by use
    for order in orders:
        row = rows[order_key(order)]
        assert (row.spans[0].start_s, row.marks[0].at_s) == (order.start_s, order.last_day_s)
        assert row.spans[0].end_s == order.start_s + order.term_months * MONTH_S
        assert row.marks[0].is_late == (order_key(order) == order_key(LATE))
    assert "13 days ago" in rows[order_key(LATE)].tip  # by that midnight: the day before it


def test_the_twin_has_the_rows_of_the_timeline() -> None:
    shown = planned()
    keys = [row.key for row in timeline_rows(shown, LIGHT, END_S)]
    for is_wide in (False, True):
        columns, rows = twin_table(shown, END_S, is_wide)
        assert [row.key for row in rows] == keys
        assert {len(row.cells) for row in rows} == {len(columns)}
    late = next(row for row in rows if row.key == order_key(LATE))
    assert (late.cells[3].icon, late.cells[3].role) == ("octagon", "red")


def test_orders_that_continue_each_other_are_one_row_everywhere() -> None:
    """A bridge of three months, month by month, and what is signed when it ends: two rows, not four."""
    months = [LATE.start_s + at * MONTH_S for at in range(4)]
    bridge = [
        replace(LATE, term_months=1, start_s=from_s, end_s=from_s + MONTH_S, reason="bridge", follows=at > 0)
        for at, from_s in enumerate(months[:3])
    ]
    after = replace(LATE, offer_id="a-36", term_months=36, start_s=months[3], end_s=months[3] + 36 * MONTH_S)
    after = replace(after, reason="lead_time", order_by_s=LATE.order_by_s + DAY_S)
    shown = planned(orders=(*bridge, after))
    ends = numbers.date(months[3] - 1)
    assert [[one.start_s for one in row] for row in orders_in(shown, END_S)] == [months[:3], months[3:]]
    signed = [order_words(row) for row in orders_in(shown, END_S)]
    assert f"5 A100, monthly, until {ends}, " in signed[0] and "5 A100 for 36 months, " in signed[1]
    assert reason_words(bridge[0]) != reason_words(after)
    drawn = [row for row in timeline_rows(shown, LIGHT, END_S) if row.key.startswith(ORDER_KEY)]
    assert [row.name for row in drawn] == ["+ 5 A100, monthly", "+ 5 A100, 36 months"]
    assert [(span.start_s, span.end_s) for span in drawn[0].spans] == list(pairwise(months))
    cells = [row.cells[2].text for row in twin_table(shown, END_S, False)[1] if row.key.startswith(ORDER_KEY)]
    assert cells[0] == ends


def test_what_stands_on_a_quote_that_has_ended_is_to_be_asked_again_everywhere() -> None:
    shown = planned()
    project = shown.evaluation.project
    ids = {one.offer_id for one in project.offers}
    order = next(row[0] for row in orders_in(shown, END_S) if row[0].offer_id in ids)
    over = tuple(
        replace(one, valid_until="2020-01-01") if one.offer_id == order.offer_id else one
        for one in project.offers
    )
    shown = replace(shown, evaluation=replace(shown.evaluation, project=replace(project, offers=over)))
    keys = {order_key(row[0]) for row in orders_in(shown, END_S) if row[0].offer_id == order.offer_id}
    assert keys
    for row in timeline_rows(shown, LIGHT, END_S):
        assert ("ask again" in row.tip) is (row.key in keys)
        assert row.key not in keys or row.marks[0].is_late
    for line in twin_table(shown, END_S, True)[1]:
        assert any(cell.text == "ask again" for cell in line.cells) is (line.key in keys)


def test_ticks_are_first_days_from_the_window_to_three_years_on() -> None:
    window = PROJECT.window
    few, many = (timeline_ticks(window, window.end_s + 36 * MONTH_S, wide) for wide in (False, True))
    assert set(few) < set(many)
    assert all(window.start_s <= at_s <= window.end_s + 36 * MONTH_S for at_s, _ in many)
    assert [text for _, text in few if text.isdecimal()] == ["2027", "2028", "2029"]


def test_the_list_of_a_later_month_has_those_last_that_ended_before_it() -> None:
    shown = planned()
    (first, *_) = months = shown.advice.comparison  # type: ignore[union-attr]
    dated = sorted(one.end_s for one in PROJECT.contracts if one.end_s is not None)
    advice = replace(shown.advice, comparison=[first, replace(first, month=1, start_s=dated[0])], verdicts=())
    assert months and not any("ended before" in spoken(row.title) for row in contract_rows(shown))
    later = replace(shown, advice=advice, evaluation=replace(shown.evaluation, advice=advice), month=1)
    heading, *rows = contract_rows(later)
    (at,) = [place for place, row in enumerate(rows) if row.is_heading]
    ended = [one.contract_id for one in PROJECT.contracts if one.end_s == dated[0]]
    assert [row.key for row in rows[at + 1 :]] == ended and {row.key for row in rows if row.key} == {
        one.contract_id for one in PROJECT.contracts
    }
    assert spoken(heading.title).startswith(f"{len(PROJECT.contracts) - len(ended)} contract")
    assert not any(row.amount or row.figure_id for row in rows[at + 1 :]) and not heading.figure_id


def test_the_sum_of_the_list_is_of_what_is_in_force() -> None:
    """One that has ended, and one that begins later, are listed; GPUs and $ are never there at once."""
    first, *others = PROJECT.contracts
    over = replace(first, contract_id="over", start_s=END_S - 9 * DAY_S, end_s=END_S - DAY_S)
    comes = replace(first, contract_id="comes", start_s=END_S + DAY_S)
    shown = planned()
    (alone, *_) = contract_rows(shown)
    project = replace(shown.evaluation.project, contracts=(first, over, comes, *others))
    heading, *rows = contract_rows(replace(shown, evaluation=replace(shown.evaluation, project=project)))
    assert len(rows) == 5 and heading.amount == alone.amount and heading.figure_id == alone.figure_id != ""
    assert spoken(heading.title).startswith("3 contracts, 208 GPUs ")


def test_a_notice_that_nobody_can_read_is_shown_in_the_words_of_its_file() -> None:
    cedar = replace(PROJECT.contracts[2], notice_days=None, notice_written="see MSA")
    assert "notice unknown: “see MSA”" in build_contract_row(cedar, None, None, planned()).more
    assert "notice unknown" not in build_contract_row(PROJECT.contracts[2], None, None, planned()).more


def test_the_past_has_contracts_and_nothing_to_sign() -> None:
    shown = next_view_state(None, evaluation_of(PROJECT, "Today"))
    assert [row.key for row in timeline_rows(shown, LIGHT, END_S)] == ["cedar", "atlas", "borealis"]


def test_a_contract_that_has_renewed_has_its_next_notice_in_the_timeline() -> None:
    """The day that has passed decides nothing any more. Of a notice that was given nothing is due."""
    cedar = replace(PROJECT.contracts[2], end_s=END_S + 20 * DAY_S, notice_days=30, renews_months=1)
    project = replace(PROJECT, contracts=(*PROJECT.contracts[:2], cedar))
    verdicts = (
        Verdict(
            contract_id="cedar",
            verdict="end",
            then_term_months=0,
            gpus=0.0,
            order_by_s=END_S + 20 * DAY_S,
            reason="",
            ends_s=END_S + 50 * DAY_S,
        ),
    )
    shown = planned(orders=(), verdicts=verdicts)
    shown = replace(shown, evaluation=replace(shown.evaluation, project=project))
    row = next(row for row in timeline_rows(shown, LIGHT, END_S) if row.key == "cedar")
    assert [(mark.at_s, mark.is_order, mark.is_late) for mark in row.marks] == [
        (END_S + 20 * DAY_S - 1, False, False)
    ]
    twin = next(row for row in twin_table(shown, END_S, False)[1] if row.key == "cedar")
    assert twin.cells[3].role != "red"
    followed = (replace(verdicts[0], then_term_months=12, gpus=64.0),)
    again = replace(shown, advice=replace(shown.advice, verdicts=followed))  # type: ignore[type-var]
    spans = next(row for row in timeline_rows(again, LIGHT, END_S) if row.key == "cedar").spans
    assert [one.start_s for one in spans[1:]] == [END_S + 50 * DAY_S, cedar.end_s]  # not while it still runs
    basis = shown.evaluation.figures.basis
    gone = Verdict(
        contract_id="cedar",
        verdict="let_expire",
        then_term_months=0,
        gpus=0.0,
        order_by_s=1,
        reason="nothing follows it",
    )
    stops = {cedar.provider or "": cedar.end_s - DAY_S}  # what its provider stops needs no notice either
    for no_notice in ({"notice_given": frozenset({"cedar"})}, {"provider_ends": stops}):
        given = replace(basis, plan=replace(basis.plan, **no_notice))
        figures = replace(shown.evaluation.figures, basis=given)
        told = planned(orders=(), verdicts=(gone,))
        told = replace(told, evaluation=replace(shown.evaluation, figures=figures))
        assert dates_of(cedar, gone, told).notice_by_s is None


def test_a_contract_that_runs_on_has_no_day_in_the_timeline() -> None:
    for verdict, marks in (("end", 1), ("renew", 0)):
        decided = Verdict(
            contract_id="cedar", verdict=verdict, then_term_months=0, gpus=0.0, order_by_s=1, reason=""
        )
        shown = planned(orders=(), verdicts=(decided,))
        row = next(row for row in timeline_rows(shown, LIGHT, END_S) if row.key == "cedar")
        assert len(row.marks) == marks
        assert dates_of(PROJECT.contracts[2], decided, shown).then == str(VERDICTS[verdict])


@pytest.mark.parametrize("end_s", [END_S + 90 * DAY_S, None])
def test_a_contract_that_ends_sooner_than_its_file_states_is_drawn_until_then(end_s: int | None) -> None:
    """Its provider stops, or it has no end and its notice is given: what follows it begins there."""
    cedar = replace(PROJECT.contracts[2], end_s=end_s)
    ends_s = END_S + 40 * DAY_S
    verdict = Verdict(
        contract_id="cedar",
        verdict="replace",
        then_term_months=12,
        gpus=64.0,
        order_by_s=ends_s,
        reason="",
        ends_s=ends_s,
    )
    shown = planned(orders=(), verdicts=(verdict,))
    project = replace(PROJECT, contracts=(*PROJECT.contracts[:2], cedar))
    shown = replace(shown, evaluation=replace(shown.evaluation, project=project))
    row = next(row for row in timeline_rows(shown, LIGHT, END_S) if row.key == "cedar")
    assert [(one.start_s, one.end_s) for one in row.spans] == [
        (cedar.start_s, ends_s),
        (ends_s, ends_s + 12 * MONTH_S),
    ]


def test_the_chart_turns_into_its_table_and_back(panel: ContractsPanel, qtbot: QtBot) -> None:
    assert panel.chart.plot.isVisible()
    panel.chart.plot.setFocus()
    qtbot.keyClick(panel.chart.plot, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    assert panel.twin.isVisible()
    assert not panel.chart.plot.isVisible()
    panel.turner.click()
    assert panel.chart.plot.isVisible()
    recoloured(panel, DARK)
    panel.show_view("list")
    assert panel.list.isVisible()
    assert not panel.turner.isVisible()


def test_a_contract_opens_in_the_list_and_an_order_in_its_layers(panel: ContractsPanel) -> None:
    opened: list[tuple[Pool, str | None]] = []
    panel.layers_asked.connect(lambda pool, model: opened.append((pool, model)))
    panel.open_row(order_key(LATE))
    assert opened == [(Pool.BURST, "A100")]
    panel.open_row("cedar")
    assert panel.list.isVisible()
    assert panel.list.rows[panel.list.currentIndex().row()].key == "cedar"


def test_without_contracts_the_panel_says_what_to_do(panel: ContractsPanel) -> None:
    bare = replace(planned(), advice=None)
    project = replace(PROJECT, contracts=())
    panel.show_state(replace(bare, evaluation=replace(bare.evaluation, project=project)))
    assert panel.empty.isVisible()
    assert not panel.chart.plot.isVisible()
