"""Every figure that the window shows of a plan, of costs, prices and a backtest has an answer that arrives at it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.app.document import Document
from gpuplanner.app.past.audit_answers import ANSWERS as OF_AUDIT
from gpuplanner.cli.documents.awards import award_document
from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.cli.documents.tracks import track_document
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import MonthsChart
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.evidence.costs.cost_answers import WHY as OF_COSTS
from gpuplanner.domain.evidence.plan import plan_answers
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.logged import JobKind, QueueLog
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.waiting import waiting_of
from gpuplanner.domain.reports.waiting import SIZES
from gpuplanner.domain.track.track import track
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.tables.odd_rates import market_of_offer
from gpuplanner.files.workbook.write import write_workbook
from gpuplanner.ui.flows.why_everywhere import column_figure
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.panels.cost.rows import VIEWS
from gpuplanner.ui.panels.cost.today_to_plan import TodayToPlanPanel
from gpuplanner.ui.panels.duration.sections import CHEAPEST, PATHS, SCREEN, VALUE
from gpuplanner.ui.state import headline_figures
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.tables.cells import Cell
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.why.plan_answers import plan_evidence, why
from gpuplanner.ui.why.written_trace import why_of
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.arrived import arrived
from tests.files.workbook.evaluations import evaluation_of
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals
from tests.oracle.new_worlds import RULES, new_world
from tests.some_of import one_in, stride
from tests.ui.fake_app import FakeEvaluator
from tests.ui.panels.cost.test_track_panel import found_of
from tests.ui.panels.duration.test_backtest_panel import walked
from tests.ui.priced_world import plan, priced_project

DATE = re.compile(r"^\d{1,2} \w{3}( \d{4})?$")
NUMBER = re.compile(r"^[\u2212+\u00b1$-]?\$?[\d,]+(\.\d+)?%?$")


@pytest.fixture(scope="module")
def window(qapp: QApplication) -> Iterator[MainWindow]:
    """A window that shows a plan that the engine worked out, with a backtest and with its costs."""
    apply_palette(qapp, LIGHT)
    shown = plan()
    made = MainWindow(Document(priced_project()), FakeEvaluator(lambda *_: shown.evaluation))
    made.session.evaluator.evaluated.connect(lambda _: made.docks.show_waiting())
    made.resize(1440, 900)
    made.show_project(priced_project())
    made.show()
    yield made
    made.docks.cost.costing.close()
    made.why.hide()
    made.close()
    delete(made)


def amount(text: str) -> float:
    """A number as it stands in a cell."""
    plain = (
        text.replace(",", "").replace(numbers.MINUS, "-").replace("\u00b1", "").replace("$", "").split(" ")[0]
    )
    return float(plain.rstrip("%").lstrip("+"))


def agrees(trace: Trace, text: str) -> bool:
    """Whether the value of an answer is the number that is written, within what is rounded away."""
    if trace.value is None:
        return False
    value = float(trace.value)
    if trace.unit == "milli_gpu_seconds":
        value /= MILLI_GPU_SECONDS_PER_GPU_HOUR
    if text.endswith("%"):
        value *= 100
    shown = amount(text)
    decimals = len(text.rstrip("%").partition(".")[2])
    return abs(value - shown) <= 0.5 * 10**-decimals + 1e-9


def figures_of(table: FigureTable) -> list[tuple[str, Cell]]:
    """The cells under the headings of figures that hold a number."""
    found = []
    for at in range(table.model().rowCount()):
        row = table.row_at(at)
        for column, cell in zip(table.columns, row.cells, strict=False):
            if column.is_figure and NUMBER.match(cell.text) and not DATE.match(cell.text):
                found.append((f"{row.cells[0].text}, {column.title!r}: {cell.text}", cell))
    return found


def trace_of(window: MainWindow, figure_id: str) -> Trace:
    """As the window answers: what no panel knows is asked of the audit."""
    if figure_id.split(":", 1)[0] not in OF_AUDIT:
        return window.why_everywhere.trace(figure_id)
    evaluation = window.session.view_state.evaluation
    return OF_AUDIT.answer(evidence_of(evaluation.project, evaluation.audit), figure_id)


def check(window: MainWindow, where: str, cells: list[tuple[str, Cell]]) -> None:
    assert cells, where
    without = [name for name, cell in cells if not cell.figure_id]
    assert not without, f"{where}: no answer is asked for {without}"
    for name, cell in cells:
        trace = trace_of(window, cell.figure_id)
        assert trace.figure_id == cell.figure_id, (where, name)
        assert agrees(trace, cell.text), (where, name, trace.value)
        made = arrived(trace)
        # whole dollars are rounded together, so that a column adds up: each may be a dollar off, a step between two of
        # them two
        slack = 2.0 if isinstance(trace.value, int) and trace.unit == "usd" else 0.01
        assert made == pytest.approx(trace.value, abs=slack), (where, name, made, trace.value)


def test_no_kind_of_figure_has_two_answers() -> None:
    tables = [set(table) for table in (OF_AUDIT, plan_answers.ANSWERS, OF_COSTS)]
    assert sum(len(table) for table in tables) == len(set.union(*tables))


@pytest.mark.long
def test_every_layer_of_every_pool_and_model(window: MainWindow) -> None:
    panel = window.docks.duration
    window.docks.raise_panel("duration")
    for fold in (SCREEN, VALUE):
        panel.sections.folds[fold].head.click()
    advice = plan().advice
    assert advice is not None
    for row in advice.pools:
        panel.choose(row.pool, row.gpu_model)
        where = f"{row.pool} {row.gpu_model}"
        check(window, where, figures_of(panel.table))
        for title, table in panel.sections.tables.items():
            if title in (SCREEN, VALUE) and table.model().rowCount():
                check(window, f"{where}, {title}", figures_of(table))


def test_every_way_to_sign_on_every_path_of_prices(window: MainWindow) -> None:
    sections = window.docks.duration.sections
    window.docks.raise_panel("duration")
    sections.folds[PATHS].head.click()
    table = sections.tables[PATHS]
    cells = [
        (f"{row.cells[0].text}: {cell.text}", replace(cell, text=cell.text.removeprefix(CHEAPEST)))
        for row in (table.row_at(at) for at in range(table.model().rowCount()))
        for cell in row.cells[1:]
    ]
    assert len(cells) == 15
    check(window, "paths", cells)


@pytest.mark.parametrize("name", ["decisions", "contracts"])
def test_every_amount_of_a_list(window: MainWindow, name: str) -> None:
    window.show_place(name)
    rows = (window.page if name == "decisions" else window.docks.contracts).list.rows
    window.choose_plan_view("board")
    amounts = [
        (row.title, Cell(text=row.amount.split(" ")[0], figure_id=row.figure_id))
        for row in rows
        if re.search(r"\d", row.amount)
    ]
    check(window, name, amounts)


def test_contracts_over_time(window: MainWindow) -> None:
    window.docks.raise_panel("contracts")
    panel = window.docks.contracts
    panel.show_view("timeline")
    check(window, "timeline", figures_of(panel.twin))


@pytest.mark.long
@pytest.mark.parametrize("view", [view.name for view in VIEWS])
def test_every_cost_and_what_stands_behind_it(window: MainWindow, qtbot: QtBot, view: str) -> None:
    panel = window.docks.cost
    window.docks.raise_panel("cost")
    qtbot.waitUntil(lambda: panel.costs is not None)
    panel.show_view(view)
    if not panel.table.model().rowCount():
        pytest.skip("the sample has none")
    check(window, view, figures_of(panel.table)[:: stride(7)])
    for at in range(min(3, panel.table.model().rowCount())):
        panel.choose(panel.table.row_at(at).key)
        for table in panel.behind.tables:
            if not table.isHidden():
                check(window, f"behind {view}", figures_of(table))


@pytest.mark.parametrize("view", one_in(2, ["clusters", "contracts", "gpu_models", "teams"]))
def test_every_figure_of_utilization(window: MainWindow, view: str) -> None:
    window.docks.raise_panel("utilization")
    panel = window.docks.utilization
    panel.choose(view)
    check(window, view, figures_of(panel.table))
    if view == "clusters" and panel.contended.model().rowCount():
        check(window, "contention", figures_of(panel.contended))


@pytest.mark.parametrize("view", ["offers", "compare"])
def test_every_price(window: MainWindow, view: str) -> None:
    window.docks.raise_panel("prices")
    panel = window.docks.prices
    panel.show_view(view)
    tables = [table for table in panel.findChildren(FigureTable) if table.isVisible()]
    for table in tables[:1]:
        check(window, view, [one for one in figures_of(table) if "GPU-h" in one[0] or "%" in one[0]])


@pytest.mark.long
def test_every_figure_of_a_backtest(window: MainWindow) -> None:
    window.docks.raise_panel("backtest")
    window.docks.backtest.show_walked(walked())
    check(window, "ways", figures_of(window.docks.backtest.ways))
    check(window, "settings", figures_of(window.docks.backtest.variants))


def test_the_steps_from_today_to_the_plan(window: MainWindow) -> None:
    window.docks.raise_panel("today_to_plan")
    panel = window.docks.today_to_plan
    assert isinstance(panel, TodayToPlanPanel)
    steps = [step for step in panel.bridge.plot.steps if step.figure_id != "spend::"]
    check(window, "bridge", [(step.name, Cell(text=step.label, figure_id=step.figure_id)) for step in steps])


def test_the_bars_and_tables_of_what_came(window: MainWindow) -> None:
    window.docks.raise_panel("track")
    panel = window.docks.track
    panel.show_track(found_of(plan()))
    plot = panel.chart.plot
    check(
        window, "bars", [(step.name, Cell(text=step.label, figure_id=step.figure_id)) for step in plot.steps]
    )
    for name in ("workloads", "contracts"):
        check(window, name, [one for one in figures_of(panel.tables[name]) if one[1].figure_id])
    window.why.hide()
    assert window.why_everywhere.ask_why_of(plot) and window.why.isVisible()
    window.why.hide()


def test_the_columns_of_the_board(window: MainWindow) -> None:
    for lane, column in window.board.columns.items():
        sums = column.heading.sums
        assert sums is not None
        for kind, text in (
            ("column_usd", numbers.whole(sums.whole_usd_per_month)),
            ("column_hours", numbers.whole(sums.gpu_hours_per_month)),
        ):
            trace = window.why_everywhere.trace(column_figure(lane, kind))
            if text != numbers.UNKNOWN:
                assert agrees(trace, text), (lane, kind, trace.value, text)
                assert arrived(trace) == pytest.approx(trace.value, abs=1.0 if kind == "column_usd" else 0.01)
                total = why_of(trace, ()).rows[-1]
                assert text in [cell.text for cell in total.cells]


def test_what_is_loaded_and_the_mean_demand(window: MainWindow) -> None:
    for figure_id in window.status.figure_ids():
        trace = window.why_everywhere.trace(figure_id)
        assert numbers.whole(trace.value) in window.status.left.text() and arrived(trace) == trace.value
    window.docks.raise_panel("demand")
    said = window.docks.demand.facts.text()
    for figure_id in re.findall(r"href='([^']+)'", said):
        trace = window.why_everywhere.trace(figure_id)
        assert numbers.one_decimal(trace.value) in said
        assert arrived(trace) == pytest.approx(trace.value, abs=0.05)


def test_a_click_on_a_figure_opens_its_answer_and_back_leads_home(window: MainWindow, qtbot: QtBot) -> None:
    window.docks.raise_panel("duration")
    table = window.docks.duration.table
    window.why_everywhere.ask_about("layer_usd::" + table.row_at(0).cells[-1].figure_id.split("::")[1], table)
    assert window.why.isVisible() and window.why.copy.isVisible()
    window.questions.follow("plan_usd::")
    assert window.why.back.isVisible()
    window.why.go_back()
    assert not window.why.back.isVisible()
    window.why.hide()


def test_from_the_jobs_there_is_a_way_back_to_the_answer(window: MainWindow) -> None:
    heading = next(iter(window.board.columns.values())).heading
    window.questions.ask("plan_usd::", heading)
    window.questions.follow("plan_signed::")
    key = window.board.columns[next(iter(window.board.columns))].model.cards[0].key
    window.questions.follow(f"jobs::{key}")
    assert not window.why.isVisible() and window.questions.can_resume
    window.questions.resume()
    assert window.why.isVisible() and window.why.back.isVisible()
    window.why.hide()


def test_a_click_on_the_heading_of_a_column_asks_about_it(window: MainWindow) -> None:
    lane, column = next(iter(window.board.columns.items()))
    heading = column.heading
    for share, words in ((0.9, "per month"), (0.1, "GPU-h")):
        place = QPointF(share * heading.width(), 10)
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        kind = QEvent.Type.MouseButtonRelease
        at = QPointF(heading.mapToGlobal(place.toPoint()))
        QApplication.sendEvent(heading, QMouseEvent(kind, place, at, left, left, none))
        assert window.why.isVisible() and words in window.why.why.as_text(), lane
        window.why.hide()


def test_a_figure_of_a_moment_before_is_said_to_settle(window: MainWindow) -> None:
    window.questions.ask("layer_usd::burst\tno such model\tall", window.headline)
    assert not window.why.isVisible()


def test_the_box_of_a_level_answers_too(window: MainWindow) -> None:
    panel = window.docks.duration
    window.docks.raise_panel("duration")
    term, spin = next(iter(panel.table.spins.items()))
    assert window.why_everywhere.ask_why_of(spin)
    assert window.why.isVisible() and f"{term} month" in window.why.why.title
    window.why.hide()


@pytest.mark.parametrize("figure_id", ["spend", "savings"])
def test_the_rows_of_the_headline_lead_on_to_answers_that_agree(window: MainWindow, figure_id: str) -> None:
    answer = why(figure_id, plan())
    led = [row for row in answer.rows if row.key and row.key != "spend::"]
    assert led
    for row in led:
        assert row.cells[-1].icon
        text = next(cell.text for cell in reversed(row.cells[:-1]) if cell.text)
        value = window.why_everywhere.trace(row.key).value
        # rows are rounded so that they add up: by less than a dollar each
        assert value is not None and abs(abs(value) - abs(amount(text))) < 1, row.cells[0].text


def test_a_row_of_the_headline_opens_in_the_same_popover(window: MainWindow) -> None:
    window.why_flow.ask("mean_spend::")
    key = next(row.key for row in window.why.why.rows if row.key)
    window.questions.follow(key)
    assert window.why.back.isVisible()
    window.why.go_back()
    assert window.why.why.title.startswith("Spend")
    window.why.hide()


def test_figures_of_a_panel_that_is_made_later_are_asked_about(window: MainWindow) -> None:
    panel = window.docks.waiting
    assert not panel.findChildren(FigureTable)  # it was not seen yet
    window.docks.raise_panel("waiting")
    assert {*panel.findChildren(FigureTable)} <= {*window.why_everywhere.views}
    assert panel.tables


def test_every_wait_of_the_panel_and_of_the_audit(window: MainWindow) -> None:
    """Four jobs of two GPUs, one after the other on two; the audit lists their waits too."""
    shown = plan().evaluation
    begins, one = shown.project.window.start_s, shown.project.workloads[0]
    eligible_s, starts_s = (begins + HOUR_S * np.array(hours) for hours in ((0, 0, 0, 1), (0, 2, 4, 6)))
    log = QueueLog(
        kinds=(JobKind(0, one.cluster, "ml", "H100"),), kind=np.zeros(4, dtype=np.int64),
        milli_gpus=np.full(4, 2_000), nodes=np.zeros(4, dtype=np.int64), eligible_s=eligible_s, start_s=starts_s,
        end_s=starts_s + 2 * HOUR_S, planned_s=np.full(4, 2 * HOUR_S), job_ids=tuple("abcd"),
        is_known=np.ones(4, dtype=np.bool_), limit_known=0.0,
    )  # fmt: skip
    queueing, panel = Queueing(shown, log), window.docks.waiting
    window.docks.raise_panel("waiting")
    panel.show_waiting(waiting_of(queueing))
    window.audit.show_waits(log_waits(queueing))
    panel.show_log_waits(log_waits(queueing))
    for table in (*panel.tables, panel.log_waits.limited.table, window.audit.waits.limited.table):
        if cells := figures_of(table):
            check(window, table.accessibleName(), cells)
    measured = {cell.text for _, cell in figures_of(panel.log_waits.limited.table)}
    assert {"2.8", "2.0", "5.0"} <= measured  # waits of 0, 2, 4 and 5 h
    for point in panel.list_points:
        assert trace_of(window, f"wait_usd_per_month:sizes:{SIZES.key(point)}").value == point.usd_per_month


# --- Window, Why, workbook, brief, award, track and JSON say the same of one plan

WHY_AND_JSON = {
    "plan_usd": "plan_usd_per_month",
    "plan_nothing": "do_nothing_usd_per_month",
    "plan_saved": "savings_usd_per_month",
    "plan_below_nothing": "savings_vs_do_nothing_usd_per_month",
    "plan_utilization": "effective_utilization_plan",
    "plan_lock_in": "lock_in_months",
    "plan_unused": "unused_plan_usd_per_month",
    "separation": "cost_of_separation_usd_per_month",
    "orders_bind": "liability_now_usd",
}
BRIEF_AND_JSON = {
    "liability_now": "liability_now_usd",
    "due_at_once_now": "due_at_once_now_usd",
    "liability": "liability_usd",
    "unused_plan": "unused_plan_usd_per_month",
    "effective_utilization_plan": "effective_utilization_plan",
    "lock_in_months": "lock_in_months",
}
HEADLINE_AND_JSON = {
    "spend": ("plan_usd_per_month", 1, 0.51),
    "savings": ("savings_vs_do_nothing_usd_per_month", 1, 0.51),
    "unused_per_month": ("unused_plan_usd_per_month", 1, 0.51),
    "utilization": ("effective_utilization_plan", 100, 0.051),
    "lock_in": ("lock_in_months", 1, 0.051),
}


def differing(pairs: dict[str, tuple[Any, Any]], by: float = 0.005) -> dict[str, tuple[Any, Any]]:
    """Figures that one medium has and another has not, or that differ by more."""
    return {
        name: (one, other)
        for name, (one, other) in pairs.items()
        if (one is None) != (other is None) or (one is not None and abs(one - other) > by)
    }


@pytest.mark.long
@pytest.mark.parametrize("seed", range(500, 520))
def test_every_medium_says_the_same_of_a_plan(seed: int, tmp_path: Path) -> None:
    """Random projects, every second one with renewals and minimums."""
    always = frozenset({"renews", "least"} if seed % 2 else ())
    evaluation = evaluation_of(new_world(seed, set(RULES), always))
    project, said, begin_s = (
        evaluation.project,
        plan_document(evaluation),
        evaluation.project.plan_window.end_s,
    )
    figures, months = said["totals"], said["comparison"]

    write_workbook(evaluation, tmp_path / "plan.xlsx", begin_s)
    book = summary_of(tmp_path / "plan.xlsx")
    assert apart(book, totals(evaluation)) == {} and light_of(tmp_path / "plan.xlsx") == "green"
    assert differing({name: (value, figures[name]) for name, value in book.items() if name in figures}) == {}

    shown = next_view_state(None, evaluation)
    evidence = plan_evidence(shown, begin_s)
    asked = {figure(kind): figures[name] for kind, name in WHY_AND_JSON.items()}
    asked |= {figure("month_plan", str(row["month"])): row["plan_usd"] for row in months}
    asked |= {figure("month_nothing", str(row["month"])): row["do_nothing_usd"] for row in months}
    answers = {one: (plan_answers.answer(evidence, one).value, usd) for one, usd in asked.items()}
    assert differing(answers, 0.51) == {}  # in whole dollars where rounded parts are to add up

    pages = brief_of(evaluation, begin_s, "", Sensitivity((), ())).pages
    large = {one.key: one.amount for page in pages for one in page.figures}
    assert differing({key: (large[key], figures[name]) for key, name in BRIEF_AND_JSON.items()}) == {}
    if None not in (usd := [row["plan_usd"] for row in months]):
        assert large["plan_12_months"] == pytest.approx(sum(usd))
    charts = [block for page in pages for row in page.rows for block in row if isinstance(block, MonthsChart)]
    drawn = {tuple(line.usd) for chart in charts for line in chart.lines}
    assert drawn and drawn <= {tuple(row[name] for row in months) for name in ("plan_usd", "do_nothing_usd")}

    for one in headline_figures.figures_of(shown):
        name, times, by = HEADLINE_AND_JSON[one.figure_id]
        is_known = bool(re.search(r"\d", one.plan))
        assert is_known == (figures[name] is not None), one.figure_id
        assert not is_known or abs(amount(one.plan) - times * figures[name]) <= by, one.figure_id

    later = replace(project, window=project.window.later(HOUR_S * project.window.hours))
    tracked = track(evaluation, later, read_tables(), has_contracts=False, has_prices=False)
    assert tracked is not None
    came = track_document(tracked)
    if None not in (came["planned_usd"], came["actual_usd"]):
        assert came["planned_usd"] + sum(row["usd"] for row in came["rows"]) == pytest.approx(
            came["actual_usd"]
        )
    awarded = decide(evaluation, begin_s, market_of_offer)
    assert awarded is not None
    given = award_document(awarded)
    assert given["totals"]["asked_gpus"] == sum(row["gpus"] for row in given["rows"])
    assert len(given["rows"]) == len(awarded.rows)
    for entry, row in zip(given["rows"], awarded.rows, strict=True):  # with what is paid upfront, spread
        assert set(row.orders) <= set(evaluation.advice.orders)
        if entry["plan_usd_per_gpu_hour"] is not None:
            usd = sum(order.bought_gpus * (order.spread_rate or 0.0) for order in row.orders)
            assert entry["plan_usd_per_gpu_hour"] == pytest.approx(usd / row.ordered_gpus)
