"""Who pays, in the panel Cost: a table by each of four, the rule that is named and changed, budgets typed and read."""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpuplanner.app.background import close_all
from gpuplanner.app.document import Document
from gpuplanner.app.past.waits import KeptQueue
from gpuplanner.domain import edits
from gpuplanner.domain.audit.cost_result import ChargeBy, shared_words
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.audit.unit_costs.business_costs import NO_HOUR
from gpuplanner.domain.commitment.decision_waits import ChangedWait, DecisionWaits, PoolWait
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.edits.labels import rate_label, run_label
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import lowered, worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, IdleRule
from gpuplanner.domain.model.book.contract import RATE_FIELD, Contract, filed_term
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.calendar_months import month_of
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import Pool, Tables
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.queue.later_months import LaterWaits
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.flows.panels import cost_flow, inference_flow, waiting_flow
from gpuplanner.ui.flows.panels.backtest_flow import BacktestFlow
from gpuplanner.ui.flows.panels.inference_flow import InferenceFlow
from gpuplanner.ui.flows.panels.track_flow import TrackFlow
from gpuplanner.ui.flows.panels.training_flow import TrainingFlow
from gpuplanner.ui.flows.panels.waiting_flow import WaitingFlow
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit import file_dialogs
from gpuplanner.ui.panels.actions.checks import check_rows
from gpuplanner.ui.panels.cost.cost import CostPanel
from gpuplanner.ui.panels.duration.backtest import BacktestPanel
from gpuplanner.ui.panels.today.contracts import contract_rows
from gpuplanner.ui.plans.contract_dialog import ContractDialog
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.cli.test_plan import JOB_HEADER
from tests.domain import worlds
from tests.some_of import one_in
from tests.ui.fake_app import FakeEvaluator
from tests.ui.sample_world import evaluation_of, sample_project

# --- The rate of a contract whose file states none: asked in its row, in Checks, and in answers that lack it


@pytest.fixture
def unrated(window: MainWindow) -> str:
    """A contract of the window's project whose file states no rate."""
    document = window.session.document
    first, *others = document.project.contracts
    bare = replace(first, rate_usd_per_gpu_hour=None)
    document.edit(worded("Import"), replace(document.project, contracts=(bare, *others)))
    return first.contract_id


def contract_of(window: MainWindow, contract_id: str) -> Contract:
    (row,) = [one for one in window.session.document.project.contracts if one.contract_id == contract_id]
    return row


def editor_of(window: MainWindow) -> ContractDialog:
    return window.findChildren(ContractDialog)[-1]


@pytest.mark.parametrize("panel", ["contracts", "checks"])
def test_a_row_opens_the_editor_and_one_step_takes_the_rate_back(
    window: MainWindow, unrated: str, panel: str, qtbot: QtBot
) -> None:
    getattr(window.docks, panel).list.row_opened.emit("editor", unrated)
    dialog = editor_of(window)
    assert dialog.accessibleName() == f"Contract {unrated}" and not dialog.do.isEnabled()
    for text in ("0", "-2", "cheap", "10001"):
        dialog.rate.setText(text)
        assert not dialog.do.isEnabled() and dialog.note.property("role") == "red"
    dialog.rate.setText("$2.75")
    qtbot.keyClick(dialog.rate, Qt.Key.Key_Return)
    assert contract_of(window, unrated).rate == 2.75 and not dialog.isVisible()
    stack = window.session.document.undo_stack
    assert stack.undoText() == str(rate_label(unrated, Decimal("2.75")))
    assert unrated in stack.undoText() and "$2.75" in stack.undoText()
    stack.undo()
    assert contract_of(window, unrated).rate is None


def test_every_term_is_edited_beside_what_the_file_says_and_given_back(window: MainWindow) -> None:
    before = window.session.document.project.contracts[0]
    window.ways.edit_contract(before.contract_id)
    dialog = editor_of(window)
    assert dialog.note.property("role") == "muted" and not dialog.do.isEnabled(), "nothing is wrong yet"
    dialog.fields["ramp"].setText("2026-09-02=16")
    assert "it has 16 GPUs" in dialog.note.text() and dialog.do.isEnabled()
    dialog.fields["ramp"].setText("2026-09-02=16000000")
    assert "at most 1,000,000" in dialog.note.text() and not dialog.do.isEnabled()
    dialog.fields["ramp"].setText("")
    dialog.gpus.setText("12")
    dialog.notice.setText("45")
    dialog.has_end.setChecked(False)
    dialog.do.click()
    after = contract_of(window, before.contract_id)
    assert (after.gpus, after.notice_days, after.end_s) == (12.0, 45, None)
    assert after.start_s == before.start_s, "a day that is left alone keeps its hour"
    assert filed_term(after, "milli_gpus") == before.milli_gpus
    window.ways.edit_contract(before.contract_id)
    dialog = editor_of(window)
    dialog.back.click()
    dialog.do.click()
    assert contract_of(window, before.contract_id) == before


def test_terms_that_most_contracts_do_not_state_are_typed_and_stand_in_its_row(window: MainWindow) -> None:
    before = window.session.document.project.contracts[0]
    window.ways.edit_contract(before.contract_id)
    dialog = editor_of(window)
    dialog.fields["take_or_pay_percent"].setText("120")
    assert not dialog.do.isEnabled() and dialog.note.property("role") == "red"
    for name, text in (
        ("take_or_pay_percent", "80"),
        ("prepaid_usd", "$1,000"),
        ("renews_months", "12"),
        ("exchange_until_s", "31 May 2027"),
        ("sla_percent", "99.9"),
    ):
        dialog.fields[name].setText(text)
    dialog.do.click()
    after = contract_of(window, before.contract_id)
    assert (after.take_or_pay_percent, after.prepaid, after.renews_months) == (80.0, 1000.0, 12)
    assert after.exchange_until_s == 1_811_721_600 and after.sla_percent == 99.9  # 31 May 2027
    project = window.session.document.project
    named = (replace(after, purchase_order="4500017"), *project.contracts[1:])
    evaluation = evaluation_of(replace(project, contracts=named), window.session.scenario)
    (row,) = [
        one for one in contract_rows(next_view_state(None, evaluation)) if one.key == before.contract_id
    ]
    assert "purchase order 4500017" in str(row.tip)
    assert "31 May 2027" in str(row.note) and "43.8 minutes" in str(row.tip)
    assert " 80% " in str(row.tip) and "$1,000 upfront" in str(row.tip)
    assert row.more.endswith("renews for 12 months · $1,000 upfront")


def test_what_happens_at_the_end_is_chosen_in_plain_words(window: MainWindow) -> None:
    before = window.session.document.project.contracts[0]
    window.ways.edit_contract(before.contract_id)
    dialog = editor_of(window)
    day = numbers.date((before.end_s or 0) - 1)
    words = [dialog.at_end.itemText(at) for at in range(dialog.at_end.count())]
    assert words[1] == f"ends on {day}" and words[2].startswith("renews for ")
    assert words[3] == f"notice given: ends {day}"
    dialog.at_end.setCurrentIndex(2)
    assert dialog.at_end.currentText() == words[2] and dialog.fields["renews_months"].text() == "12"
    dialog.at_end.setCurrentIndex(3)
    dialog.fields["cluster"].setText("granite")
    dialog.do.click()
    after = contract_of(window, before.contract_id)
    assert (after.renews_months, after.end_s, after.cluster) == (0, before.end_s, "granite")


def test_what_runs_on_has_an_end_once_its_notice_is_given(window: MainWindow) -> None:
    project = window.session.document.project
    before = project.contracts[0]
    window.session.document.edit(
        "x", edits.contracts.change_contract(project, before.contract_id, {"end_s": None})
    )
    window.ways.edit_contract(before.contract_id)
    dialog = editor_of(window)
    assert dialog.at_end.currentText() == "runs until you give notice" and not dialog.ends.isEnabled()
    dialog.at_end.setCurrentIndex(3)
    assert dialog.at_end.currentText() == "does not renew" and dialog.has_end.isChecked()
    assert dialog.terms()["renews_months"] == 0


def test_the_row_says_what_was_said_and_opens_the_editor_again(window: MainWindow, unrated: str) -> None:
    after = edits.contracts.change_contract(
        window.session.document.project, unrated, {RATE_FIELD: Decimal("2.75")}
    )
    evaluation = replace(evaluation_of(after, window.session.scenario), project=after)
    (row,) = [row for row in contract_rows(next_view_state(None, evaluation)) if row.key == unrated]
    before = evaluation_of(window.session.document.project, window.session.scenario)
    (unsaid,) = [one for one in contract_rows(next_view_state(None, before)) if one.key == unrated]
    added = [line for line in str(row.note).splitlines() if line not in str(unsaid.note).splitlines()]
    assert row.kind == "editor" and any("rate" in line for line in added) and row.amount != "quote needed"
    said = Check(code="rate_said", severity="info", subject=unrated, message="by you")
    (_, check) = check_rows((said,), {}, after.contracts)
    assert check.kind == "editor" and check_rows((said,), {})[1].kind == ""


def test_an_answer_with_a_dash_opens_the_editor_and_one_without_has_none(
    window: MainWindow, unrated: str, qtbot: QtBot
) -> None:
    button = window.headline.buttons[0]
    known = Why(title="Spend", formula="$1", note="", columns=(), rows=())
    window.why.show_why(known, button)
    assert window.why.asked.isHidden()
    for lacking in (
        replace(known, title="Spend: \u2265 $1"),
        replace(known, readings=(("Audit", "\u2014"),)),
    ):
        window.why.show_why(lacking, button)
        assert not window.why.asked.isHidden() and window.why.asked.hasFocus()
        assert unrated in window.why.asked.text()
    qtbot.keyClick(window.why.asked, Qt.Key.Key_Return)
    editor_of(window).rate.setText("3")
    editor_of(window).do.click()
    assert contract_of(window, unrated).rate == 3 and not window.why.isVisible()
    window.why.show_why(replace(known, title="\u2014"), button)
    assert window.why.asked.isHidden()  # nothing is left to ask for


# --- Who pays, in the panel Cost: a table by each of four, the rule that is named and changed, budgets
# typed and read


@pytest.fixture
def panel(window: MainWindow, qtbot: QtBot) -> CostPanel:
    """The panel on who pays by team, worked out."""
    made = window.docks.cost
    window.docks.show_view("cost", "charges_team")
    qtbot.waitUntil(lambda: made.costs is not None and not made.costing.is_busy)
    return made


def rows_of(panel: CostPanel) -> dict[str, list[str]]:
    table = panel.table
    rows = [table.row_at(at) for at in range(table.model().rowCount())]
    return {row.key: [cell.text for cell in row.cells] for row in rows}


def settle(panel: CostPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.costing.is_busy)


def test_every_way_to_share_it_out_has_a_table_that_adds_up(panel: CostPanel) -> None:
    for by in ChargeBy:
        panel.show_view(f"charges_{by}")
        rows = rows_of(panel)
        assert panel.costs is not None
        found = panel.costs.charges[by]
        assert list(rows)[-1] == "all" and len(rows) == len(found.rows) + 1
        assert str(shared_words(IdleRule.GPU_HOURS)) in panel.caption.text()
        assert not panel.charge_controls.isHidden()
        assert panel.charge_controls.budget.isHidden() == (by is not ChargeBy.TEAM)
    panel.show_view("runs")
    assert panel.charge_controls.isHidden()


def test_the_rule_is_one_undo_step_and_is_named(window: MainWindow, panel: CostPanel, qtbot: QtBot) -> None:
    document, before = window.session.document, window.session.document.project
    controls = panel.charge_controls
    at = controls.rule.findData(IdleRule.PEAK.value)
    controls.rule.setCurrentIndex(at)
    controls.rule.activated.emit(at)
    assert document.project.assumptions.idle_shared_by == IdleRule.PEAK
    title = lowered(SPEC_BY_NAME["idle_shared_by"].title)
    assert document.undo_stack.text(0) == f"Change {title} to {IdleRule.PEAK.value}"
    document.undo_stack.undo()
    assert document.project is before
    settle(panel, qtbot)


def test_a_budget_is_typed_shown_and_taken_away(window: MainWindow, panel: CostPanel, qtbot: QtBot) -> None:
    document, controls = window.session.document, panel.charge_controls
    key = next(iter(rows_of(panel)))
    panel.choose(key)
    team = key.removeprefix("=")
    for text, budgets in (("60000", {team: 60_000.0}), ("", {})):
        controls.budget.setText(text)
        controls.budget.setModified(True)
        controls.budget.editingFinished.emit()
        assert dict(document.project.budgets) == budgets
        settle(panel, qtbot)
        qtbot.waitUntil(lambda: ("Left" in headings(panel)) == bool(document.project.budgets))
    while document.undo_stack.canUndo():
        document.undo_stack.undo()


def headings(panel: CostPanel) -> str:
    model = panel.table.model()
    return " ".join(str(model.headerData(at, panel.table.horizontalHeader().orientation()))
                    for at in range(model.columnCount()))  # fmt: skip


def test_budgets_are_read_from_a_file(window: MainWindow, panel: CostPanel, tmp_path: Path) -> None:
    document, path = window.session.document, tmp_path / "budgets.csv"
    path.write_text("team,usd_per_month\nhr,500\nops,1000\n", "utf-8")
    window.cost_flow.read_budgets([str(path)])
    assert dict(document.project.budgets) == {"hr": 500.0, "ops": 1000.0}
    assert document.project.intake[-1].kind == "budgets"
    assert document.undo_stack.text(0) == "Import 2 budgets"
    document.undo_stack.undo()


def test_limits_and_the_order_of_jobs_are_steps_of_the_project(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """Rows that are refused are said; the button takes the limits back, and so does Undo. Each asks for a replay."""
    asked, said, limits = list[object](), list[str](), (Limit(user="ann", max_gpus=4),)
    document = window.session.document
    monkeypatch.setattr(waiting_flow, "Question", lambda *words: said.append(words[2]) or Said())
    window.docks.raise_panel("waiting")
    panel, path = window.docks.waiting, tmp_path / "limits.csv"
    monkeypatch.setattr(waiting_flow, "open_files", lambda *_: [str(path)])
    flow = WaitingFlow(window.session, panel, KeptQueue(tmp_path))
    panel.waiting_asked.connect(lambda *of: asked.append(document.project.queue_limits))
    path.write_text("user,max_gpus\nann,4\nbob,lots\n", "utf-8")
    panel.limits.click()
    assert document.project.queue_limits == limits and panel.limits.isChecked()
    assert "limits.csv, row 3" in said[-1] and "'lots'" in said[-1]
    before = document.project.intake
    assert (before[-1].kind, before[-1].rows_rejected) == ("limits", 1)
    panel.order.setCurrentIndex(1)
    assert (document.project.queue_limits, document.project.is_fair_share) == (limits, True)
    panel.limits.click()
    assert document.project.queue_limits is None and not panel.limits.isChecked()
    assert document.project.intake == before[:-1]
    document.undo_stack.undo()
    assert (document.project.queue_limits, document.project.is_fair_share) == (limits, True)
    qtbot.waitUntil(lambda: panel.limits.isChecked() and panel.order.currentData() is True)
    assert asked[-1] == limits
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project.queue_limits is document.project.is_fair_share is None and len(said) == 1
    flow.deleteLater()


def test_the_waits_of_decisions_are_asked_for_after_the_headline_and_told_of_their_plan_alone(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the first month is replayed, its decisions are; an answer about a plan that is gone is not shown."""
    session, asked, told = window.session, list[str](), list[Evaluation]()
    shown = session.evaluation
    assert shown is not None
    decision = NextDecision(
        decision_id="contract:PO-1", kind="end", subject="PO-1", contract_id="PO-1", ends_s=0
    )
    outlook = Outlook(next_decisions=(decision,))
    window.show_replayed(replace(shown, outlook=outlook))
    monkeypatch.setattr(waiting_flow.backtesting, "has_rows", lambda *_: True)
    flow = WaitingFlow(session, window.docks.waiting, KeptQueue(tmp_path))
    flow.replay_known.connect(told.append)
    for name in ("headline", "later"):
        monkeypatch.setattr(getattr(flow, name), "ask", lambda *_, name=name, **__: asked.append(name))
    monkeypatch.setattr(flow.of_log, "ask_log", lambda _: None)
    session.evaluator.evaluated.emit(session.evaluation)
    assert asked == ["headline"]
    first = worlds.waiting()
    flow.headline.answered.emit(first)
    assert asked == ["headline", "later"]
    pool = ChangedWait(
        without=PoolWait(pool=Pool.TRAINING, p90_h=0.0), after=PoolWait(pool=Pool.TRAINING, p90_h=10.0)
    )
    waits = DecisionWaits(begins_s=0, month=0, pools=(pool,))
    whole = replace(first, later=LaterWaits(decisions={"contract:PO-1": waits}))
    told.clear()
    flow.later.answered.emit(whole)
    (evaluation,) = told
    assert evaluation.outlook is not None
    assert [row.waits for row in evaluation.outlook.next_decisions] == [waits]
    told.clear()
    assert shown.advice is not None
    window.show_evaluation(replace(shown, advice=replace(shown.advice), outlook=outlook))
    told.clear()
    flow.later.answered.emit(whole)
    assert told == []
    flow.deleteLater()


def test_business_figures_are_read_from_a_file(
    window: MainWindow, panel: CostPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    document, path = window.session.document, tmp_path / "business.csv"
    month = month_of(document.project.window.end_s - 3600)
    path.write_text(f"month,figure,value\n{month},orders,1000\n1999-01,orders,5\n", "utf-8")
    panel.show_view("business")
    window.cost_flow.read_business([str(path)])
    assert document.undo_stack.text(0) == "Import 2 business figures"
    qtbot.waitUntil(lambda: panel.table.model().rowCount() >= 2)
    assert panel.costs is not None
    row = next(row for row in panel.costs.business if row.month == month)
    assert row.hours and (row.cost_each is None) is bool(
        row.unknown
    )  # without prices what overflows has no rate
    assert f"1999-01: {NO_HOUR}" in panel.caption.text()
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: not panel.table.isVisible() or not panel.table.model().rowCount())


def test_budgets_that_cannot_be_read_are_said(
    window: MainWindow, panel: CostPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(
        cost_flow, "Question", lambda _, title, text, __: said.append(f"{title}: {text}") or Said()
    )
    document, path = window.session.document, tmp_path / "budgets.csv"
    for rows, budgets in (("hr,lots\nops,1000\n", {"ops": 1000.0}), ("hr,lots\n", {})):
        path.write_text(f"team,usd_per_month\n{rows}", "utf-8")
        window.cost_flow.read_budgets([str(path)])
        assert dict(document.project.budgets) == budgets
        assert "budgets.csv, row 2" in said[-1] and "'lots'" in said[-1]
        document.undo_stack.undo()
    assert len(said) == 2


class Said:
    """A message that was closed."""

    def exec(self) -> int:
        return 0

    deleteLater = exec  # noqa: N815


# --- The flow behind the panel Inference: choices are undo steps, files are read, what cannot be read is
# said

WEEK = "hour_of_week,requests_per_s\n" + "".join(f"{hour},{5 + hour % 24}\n" for hour in range(168))


@pytest.fixture
def flow(window: MainWindow) -> Iterator[InferenceFlow]:
    made = InferenceFlow(window.session, window.docks.inference, window.actions_by_id["assumptions"])
    yield made
    close_all(made)


@pytest.mark.long
def test_choices_are_steps_that_can_be_undone(
    qtbot: QtBot, window: MainWindow, flow: InferenceFlow, tmp_path: Path
) -> None:
    panel, document = window.docks.inference, window.session.document
    window.docks.raise_panel("inference")
    before, key = document.project, panel.key
    assert key
    path, config = tmp_path / "week.csv", tmp_path / "own.json"
    path.write_text(WEEK, encoding="utf-8")
    config.write_text(
        json.dumps({"name": "own", "parameters": 7e9, "layers": 32, "kv_heads": 8, "head_dim": 128}), "utf-8"
    )
    with qtbot.waitSignal(document.changed):
        flow.files.read_load(key, path)
    assert document.project.serving[key].week.source == "week.csv"
    with qtbot.waitSignal(document.changed):
        flow.files.read_model(key, config)
    assert document.project.serving[key].model == ServedModel(
        name="own", parameters=7_000_000_000, layers=32, kv_heads=8, head_dim=128, source="own.json"
    )
    qtbot.waitUntil(lambda: panel.table.isVisible() and not flow.sizing.is_busy)
    panel.keep.click()
    assert document.project.serving[key].gpu_model
    texts = [document.undo_stack.text(at) for at in range(document.undo_stack.count())]
    name = panel.endpoint.currentText()
    assert texts[:2] == [f"Read requests of {name}", f"Serve own from {name}"]
    assert texts[2].startswith(f"Size {name} on ")
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project is before
    qtbot.waitUntil(lambda: not panel.table.isVisible())


def test_a_model_of_the_table_and_none(window: MainWindow, flow: InferenceFlow) -> None:
    panel, document = window.docks.inference, window.session.document
    window.docks.raise_panel("inference")
    panel.model_chosen.emit("", panel.choice.models[0])
    assert document.project.serving[""].model == panel.choice.models[0]
    panel.model_chosen.emit("", None)
    assert document.project.serving == {}


OWN_RESULTS = (
    "model,gpu_model,tensor_parallel,precision,concurrency,input_tokens,output_tokens,output_tokens_per_s\n"
    "{model},H100,1,BF16,64,1000,250,{speed}\n"
)


def test_results_ratios_and_plans_are_steps(
    qtbot: QtBot, window: MainWindow, flow: InferenceFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, document = window.docks.inference, window.session.document
    window.docks.raise_panel("inference")
    key, said, own = panel.key, list[Exception](), tmp_path / "own.csv"
    monkeypatch.setattr(inference_flow, "show_error", lambda parent, error: said.append(error))
    monkeypatch.setattr(
        "gpuplanner.ui.kit.small_dialogs.show_error", lambda parent, error: said.append(error)
    )
    monkeypatch.setattr(inference_flow, "open_file", lambda *words: str(own))
    panel.model_chosen.emit(key, next(one for one in panel.choice.models if one.name == "Llama 3.1 8B"))
    for model, speed in (("Llama-3.1-8B", 5000), ("Llama-3.1-8B", 4000)):
        own.write_text(OWN_RESULTS.format(model=model, speed=speed), encoding="utf-8")
        with qtbot.waitSignal(document.changed):
            panel.measure.click()
    (kept,) = document.project.serving[key].measured  # of one point the newest counts
    assert (kept.tokens_per_s, kept.source) == (4000, "own.csv")
    own.write_text(OWN_RESULTS.format(model="Mistral-7B", speed=1), encoding="utf-8")
    panel.measure.click()
    qtbot.waitUntil(lambda: bool(said))
    assert "own.csv" in str(said[0]) and "Llama 3.1 8B" in str(said[0])
    panel.measured_dropped.emit(key)
    assert document.project.serving[key].measured == ()
    other = max(edits.model_mappings.demand_models(document.project) - {"H100"})
    panel.mapping_chosen.emit(other, "H100", 2.5)
    assert document.project.mappings == (ModelMapping(other, "H100", 2.5),)
    said.clear()
    typed = ["40", "1200", "300", "mon-fri 08-20", ""]
    monkeypatch.setattr(inference_flow, "ask_fields", lambda *words: tuple(typed))
    panel.type.click()
    week = document.project.serving[key].week
    assert (week.context_tokens, week.generated_tokens, week.rates_per_s[0]) == (1200, 300, 0)
    assert sum(week.rates_per_s) == pytest.approx(
        40 * 60
    )  # the log gives the shape, the mean is what was typed
    typed[0] = "many"
    panel.type.click()
    assert document.project.serving[key].week == week and "many" in str(said[-1])
    monkeypatch.setattr(inference_flow, "ask_text", lambda *words: "L4=1200")
    panel.rates_asked.emit(key)
    assert document.project.serving[key].rates == (("L4", 1200.0),)
    window.choose_scenario(TODAY)
    panel.plan_asked.emit(
        key, (PlannedWork(name="chat, sized", pool=Pool.INFERENCE, gpu_model="L4", gpus=5.0),)
    )
    assert str(said[-1]).startswith("Today: ")


def test_what_cannot_be_read_is_said(
    qtbot: QtBot, window: MainWindow, flow: InferenceFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Exception] = []
    monkeypatch.setattr(inference_flow, "show_error", lambda _, error: said.append(error))
    monkeypatch.setattr("gpuplanner.ui.kit.small_dialogs.show_error", lambda _, error: said.append(error))
    flow.files.read_load("", tmp_path / "gone.csv")
    qtbot.waitUntil(lambda: bool(said))
    assert "gone.csv" in str(said[0])
    window.docks.inference.row_chosen.emit("nobody", "H100", "BF16", 1)
    assert "no such workload" in str(said[1])


# --- Who asks for a backtest gets it over the whole log where its rows are on this computer, else over
# the window


@pytest.mark.parametrize(
    ("has_rows", "asked", "walked"),
    one_in(2, [(True, False, True), (False, False, False), (False, True, True)]),
)
def test_the_whole_log_is_walked_where_it_is_or_is_asked_for(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_rows: bool, asked: bool, walked: bool
) -> None:
    project = sample_project()
    project = replace(project, jobs=replace(project.jobs, rows_sha256="0" * 64))
    if has_rows:
        path = rows_path(tmp_path, project.jobs.rows_sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    panel = BacktestPanel()
    qtbot.addWidget(panel)
    session = Session(Document(project), FakeEvaluator(evaluation_of))
    session.gestures.scenario = project.scenarios[0].name
    flow, seen = BacktestFlow(session, panel, Tables(), tmp_path), list[bool]()
    monkeypatch.setattr(
        flow.backtesting, "ask", lambda project, scenario, *, is_whole_log: seen.append(is_whole_log)
    )
    flow.ask(asked)
    close_all(flow)
    assert seen == [walked]


# --- The flow behind the panel Track: files are asked for, compared in a thread, and what came of it is
# shown


@pytest.fixture
def tracking(window: MainWindow) -> Iterator[TrackFlow]:
    made = TrackFlow(window.session, window.docks.track, read_tables())
    yield made
    close_all(made)


@pytest.mark.long
def test_a_chosen_log_is_compared(
    qtbot: QtBot, window: MainWindow, tracking: TrackFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, project = window.docks.track, window.session.document.project
    begins_s = project.plan_window.end_s
    path = tmp_path / "later.csv"
    work = project.workloads[0]
    path.write_text(
        f"{JOB_HEADER}1,{work.cluster},later,H100,4,1,{iso_utc(begins_s)},{iso_utc(begins_s + 7200)},training\n",
        encoding="utf-8",
    )
    chosen = [str(path)]
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    window.choose_scenario(project.scenarios[0].name)
    window.docks.raise_panel("track")
    qtbot.waitUntil(
        lambda: window.session.view_state is not None and window.session.view_state.advice is not None
    )
    panel.buttons["jobs"].click()
    assert tracking.tracking.is_busy and panel.files.jobs == (str(path),)
    qtbot.waitUntil(lambda: panel.track is not None and not tracking.tracking.is_busy)
    assert panel.track is not None and panel.track.window.hours == 2
    assert window.session.document.project is project  # it stays as it is

    chosen.clear()  # the dialog is left without an answer: what was chosen stays
    panel.buttons["jobs"].click()
    assert panel.files.jobs == (str(path),)


# --- The flow behind the training runs of Hardware fit: stated, answered, planned on the board and undone


@pytest.fixture
def training(window: MainWindow) -> Iterator[TrainingFlow]:
    made = TrainingFlow(window.session, window.docks.hardware_fit.runs, 1_790_812_800)
    yield made
    close_all(made)


@pytest.mark.long
def test_a_run_is_stated_answered_planned_and_undone(
    qtbot: QtBot,
    window_of_panels: MainWindow,
    training: TrainingFlow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = window_of_panels
    view, document = window.docks.hardware_fit.runs, window.session.document
    before = document.project
    window.docks.show_view("hardware_fit", "runs")
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps({"name": "own", "parameters": 7e9, "layers": 32, "kv_heads": 8, "head_dim": 128}), "utf-8"
    )
    with qtbot.waitSignal(training.training.model_read):
        training.training.read_model(None, config)
    qtbot.keyClicks(view.fields["tokens"], "20B")
    qtbot.keyClick(view.fields["tokens"], Qt.Key.Key_Return)
    assert [run.called for run in document.project.runs] == ["own, 20B tokens"]
    qtbot.waitUntil(lambda: view.chosen is not None)
    monkeypatch.setattr(
        window.session.evaluator, "evaluate_soon", lambda *_: None
    )  # the sample plans no work
    qtbot.mouseClick(view.plan, Qt.MouseButton.LeftButton)
    (work,) = document.project.scenario(window.session.scenario).planned
    assert view.chosen is not None and (work.gpus, work.name) == (view.chosen.run.gpus, "own, 20B tokens")
    assert [document.undo_stack.text(at) for at in range(2)] == [
        str(run_label(document.project.runs[0])),
        "Plan own, 20B tokens",
    ]
    for _ in range(2):
        document.undo_stack.undo()
    assert document.project is before
