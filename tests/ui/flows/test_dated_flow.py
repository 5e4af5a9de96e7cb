"""Dates of workloads, work that no log has and steps of demand, in the window: one step of Undo each, and seen."""

from dataclasses import replace
from types import SimpleNamespace
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit
from pytestqt.qtbot import QtBot

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.domain import edits
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.edits.dates import stop_workloads
from gpuplanner.domain.edits.find import teams_of
from gpuplanner.domain.edits.teams import stop_team
from gpuplanner.domain.evaluation import advise_plan, evaluate_figures
from gpuplanner.domain.evidence.trace import parts_of
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.cards.details import details_of
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.cards.model import CARD_ROLE, FACE_ROLE
from gpuplanner.ui.compare.move_rows import date_words, same_words
from gpuplanner.ui.kit import small_dialogs
from gpuplanner.ui.panels.actions.checks import check_rows
from gpuplanner.ui.plans.assumptions_dialog import AssumptionsDialog
from gpuplanner.ui.plans.dates_dialog import DatesDialog
from gpuplanner.ui.plans.demand_dialog import DemandDialog
from gpuplanner.ui.plans.limits_dialog import LimitsDialog
from gpuplanner.ui.plans.planned_dialog import PlannedChoices, PlannedDialog
from gpuplanner.ui.plans.stop_effect import stop_values
from gpuplanner.ui.plans.team_dialog import TeamDialog
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane
from tests.some_of import one_in
from tests.ui.plans_world import KEYS, opened_again, plans_project, settle

# --- Dates of workloads, work that no log has and steps of demand, in the window: one step of Undo each,
# and seen

PROJECT = plans_project()
PROJECT = replace(PROJECT, offers=tuple(replace(one, provider=f"p-{one.offer_id}") for one in PROJECT.offers))
"""Each offer is by a provider of its own, so that a limit on one has an effect."""
END_S = PROJECT.window.end_s
PLAN = PROJECT.scenarios[0].name
TRAIN, VLLM = KEYS[2], KEYS[3]
WORK = PlannedWork(name="next", pool=Pool.TRAINING, gpu_model="H100", gpus=16.0, cluster="", team="lab")


Kind = TypeVar("Kind", bound=QDialog)


def opened(window: MainWindow, kind: type[Kind]) -> Kind:
    """The dialog of a kind that is open."""
    return next(one for one in window.findChildren(kind) if one.isVisible())


def type_into(field: QLineEdit, text: str) -> None:
    field.setText(text)
    field.setModified(True)
    field.editingFinished.emit()


def spells(window: MainWindow) -> dict[str, Spell]:
    return dict(window.session.document.project.scenarios[0].spells)


def face(window: MainWindow, key: str):  # type: ignore[no-untyped-def]
    """What the card of a workload shows."""
    for column in window.board.columns.values():
        row = column.model.row_of(key)
        if row is not None:
            index = column.model.index(row)
            assert index.data(CARD_ROLE).key == key
            return index.data(FACE_ROLE)
    raise AssertionError(key)


@pytest.mark.long
def test_a_last_day_is_asked_for_one_step_and_stands_on_the_cards(planner: MainWindow) -> None:
    before = planner.board.columns[Lane.TRAINING].heading.sums
    planner.board.selection.select((TRAIN, VLLM), TRAIN)
    planner.actions_by_id["date_end"].trigger()
    dialog = opened(planner, DatesDialog)
    assert "2 workloads" in dialog.windowTitle()
    last_s = END_S // DAY_S * DAY_S + 40 * DAY_S
    dialog.day.show_day(last_s)
    dialog.do.click()
    settle(planner)
    assert spells(planner) == dict.fromkeys((TRAIN, VLLM), Spell(None, last_s + DAY_S))
    assert planner.session.document.undo_stack.undoText().startswith("End 2 workloads on ")
    assert face(planner, TRAIN).dates.texts[0] == f"ends {numbers.date(last_s)}"
    sums = planner.board.columns[Lane.TRAINING].heading.sums
    assert sums is not None and before is not None
    there = (last_s + DAY_S - END_S) / (365 * DAY_S)  # its part of the twelve months that are told
    assert sums.gpu_hours_per_month == pytest.approx(there * before.gpu_hours_per_month, rel=0.01)
    assert 0 < sums.usd_per_month < before.usd_per_month
    (decision,) = planner.session.document.project.scenarios[0].decisions
    assert str(decision.text).startswith("End 2 workloads on ")
    planner.session.document.undo_stack.undo()
    settle(planner)
    assert spells(planner) == {} and face(planner, TRAIN).dates.texts == ()


@pytest.mark.long
def test_what_stops_is_seen_as_gone_and_can_come_back(planner: MainWindow) -> None:
    before = planner.session.evaluation
    planner.board.selection.select((VLLM,), VLLM)
    planner.actions_by_id["date_stop"].trigger()
    opened(planner, DatesDialog).do.click()
    settle(planner)
    after = planner.session.evaluation
    assert before is not None and after is not None and before.advice is not None and after.advice is not None
    assert spells(planner)[VLLM].ends_s is not None and face(planner, VLLM).dates.is_over
    assert (
        "stopped" in "".join(face(planner, VLLM).dates.texts) or "ended" in face(planner, VLLM).dates.texts[0]
    )
    assert after.advice.workload_usd[VLLM] == 0.0
    assert after.advice.totals.plan < before.advice.totals.plan  # type: ignore[operator]
    planner.actions_by_id["date_back"].trigger()
    assert spells(planner) == {VLLM: Spell(END_S, None)}
    planner.actions_by_id["date_clear"].trigger()
    assert spells(planner) == {}
    assert planner.session.document.undo_stack.undoText().endswith(" vllm")


def test_an_end_before_the_beginning_is_said_in_the_dialog(planner: MainWindow) -> None:
    planner.session.gestures.edit(
        "Begin", lambda of: edits.dates.begin_workloads(of, PLAN, (TRAIN,), END_S + 50 * DAY_S)
    )
    planner.dated.ask_dates("end", (TRAIN,))
    dialog = opened(planner, DatesDialog)
    before = dialog.note.text()
    assert dialog.do.isEnabled()
    dialog.day.show_day(END_S + 40 * DAY_S)
    assert not dialog.do.isEnabled() and dialog.note.text() not in ("", before)
    dialog.reject()


@pytest.mark.long
def test_work_is_planned_changed_dragged_and_removed_each_one_step(planner: MainWindow) -> None:
    planner.actions_by_id["plan_work"].trigger()
    dialog = opened(planner, PlannedDialog)
    assert not dialog.do.isEnabled()
    assert dialog.cluster.currentText() == "c"  # the only one with contracts of its model
    dialog.cluster.setEditText("")
    dialog.name.setText("next")
    dialog.gpus.setValue(16)
    dialog.team.setEditText("lab")
    dialog.do.click()
    settle(planner)
    assert planner.session.document.project.scenarios[0].planned == (WORK,)
    assert planner.session.document.undo_stack.undoText() == "Plan next"
    assert planner.board.selection.selected_keys() == (WORK.key,)
    assert "planned" in str(
        planner.board.columns[Lane.TRAINING].model.index(0).data(CARD_ROLE).classification.subtype
    )

    planner.board.selection.select((WORK.key,), WORK.key)
    planner.board.ask_planned()
    change = opened(planner, PlannedDialog)
    assert change.work() == WORK
    change.hours.setEditText("mon-fri 08-20")
    change.do.click()
    settle(planner)
    assert len(planner.session.document.project.scenarios[0].planned[0].hours) == 60
    assert planner.session.document.undo_stack.undoText() == "Change planned next"

    planner.board.move_selected(Pool.BURST)
    settle(planner)
    plan = planner.session.document.project.scenarios[0]
    assert plan.planned[0].pool is Pool.BURST and not plan.pools
    assert planner.board.columns[Lane.BURST].model.row_of(WORK.key) is not None
    assert planner.session.document.undo_stack.undoText().split()[1::2] == ["next", "burst"]

    planner.board.selection.select((WORK.key,), WORK.key)
    planner.actions_by_id["drop_planned"].trigger()
    assert planner.session.document.project.scenarios[0].planned == ()
    for _ in range(4):
        planner.session.document.undo_stack.undo()
    assert planner.session.document.project is PROJECT
    settle(planner)


@pytest.mark.long
def test_verbs_of_the_log_leave_planned_work_alone(planner: MainWindow) -> None:
    planner.session.gestures.edit("Plan", lambda of: edits.dates.plan_work(of, PLAN, (WORK,)))
    settle(planner)
    project = planner.session.document.project
    planner.board.selection.select((WORK.key,), WORK.key)
    planner.board.ask_split()
    planner.board.toggle_pin()
    assert planner.session.document.project is project
    planner.board.label_selected(Pool.INFERENCE)  # its class is its pool
    assert planner.session.document.project.scenarios[0].planned[0].pool is Pool.INFERENCE
    assert not planner.session.document.project.labels.get(WORK.key)
    settle(planner)
    planner.board.show_workload(WORK.key)
    planner.board.show_details()
    assert planner.board.sheet.title.text() == "next" and not planner.board.sheet.change.isHidden()
    planner.board.show_details()


def test_what_cannot_be_planned_is_said_beside_the_fields(qapp: QApplication) -> None:
    choices = PlannedChoices(gpu_models=("H100",), clusters=("c",), teams=("o",), begins_s=END_S)
    dialog = PlannedDialog(None, choices, lambda work: "name taken" if work.name == "a" else "")
    dialog.name.setText("a")
    assert dialog.note.text() == "name taken" and not dialog.do.isEnabled()
    dialog.name.setText("b")
    assert dialog.do.isEnabled()
    dialog.hours.setEditText("weekdays")
    assert "'weekdays'" in dialog.note.text() and not dialog.do.isEnabled()
    dialog.of_length.setChecked(True)
    dialog.length.setValue(500)
    dialog.has_latest.setChecked(True)
    dialog.latest.show_day(END_S + 9 * DAY_S)
    work = dialog.work()
    assert (work.length_hours, work.ends_s, len(work.hours)) == (500, None, 168)
    assert work.latest_finish_s == (END_S + 9 * DAY_S) // DAY_S * DAY_S + DAY_S


def test_planned_work_says_what_it_costs_before_it_is_added(qapp: QApplication) -> None:
    dialog, tried = (
        PlannedDialog(
            None,
            PlannedChoices(gpu_models=("H100",), clusters=("c",), teams=(), begins_s=END_S),
            lambda work: "",
        ),
        list[PlannedWork](),
    )
    dialog.tried.connect(tried.append)
    dialog.name.setText("next")
    assert [work.name for work in tried] == ["next"] and "Calculating" in dialog.cost.text()
    plans = (
        SimpleNamespace(totals=SimpleNamespace(plan=1.0)),
        SimpleNamespace(totals=SimpleNamespace(plan=1.0)),
    )
    for year, words in (((1000.0, 82_433.0), "$81,433"), ((None, 5.0), "unknown")):
        with pytest.MonkeyPatch.context() as patch:
            usd = dict(zip(map(id, plans), year, strict=True))
            patch.setattr(
                "gpuplanner.ui.plans.stop_effect.plan_usd_in", lambda plan, _, usd=usd: usd[id(plan)]
            )
            dialog.show_plans(*plans)
        assert words in dialog.cost.text()
    dialog.name.setText("")
    assert not dialog.cost.text()


def test_a_gpu_model_that_is_new_here_is_asked_about_before_it_is_added(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = PlannedDialog(
        None,
        PlannedChoices(gpu_models=("H100", "A100"), clusters=(), teams=(), begins_s=END_S),
        lambda work: "",
    )
    qtbot.addWidget(dialog)
    chosen, asked = list[PlannedWork](), list[str]()
    dialog.work_chosen.connect(chosen.append)

    def answer(parent: object, title: str, text: str, answers: tuple[object, ...]) -> object:
        asked.append(title)
        return answers[len(asked) - 1]

    monkeypatch.setattr(small_dialogs, "ask", answer)
    dialog.show()
    dialog.name.setText("next")
    field = dialog.gpu_model.lineEdit()
    assert field is not None
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    assert field.selectedText() == "H100"
    QTest.keyClicks(field, "H1000")
    assert dialog.gpu_model.currentText() == "H1000"
    dialog.do.click()
    assert asked == ["H1000 is a new GPU model"] and not chosen and dialog.isVisible()
    dialog.do.click()
    assert [work.gpu_model for work in chosen] == ["H1000"]
    known = PlannedDialog(
        replace(WORK, gpu_model="X9"),
        PlannedChoices(gpu_models=("H100",), clusters=(), teams=(), begins_s=END_S),
        lambda work: "",
    )
    qtbot.addWidget(known)
    known.do.click()
    assert len(asked) == 2, "what was planned already is not asked about again"


@pytest.mark.parametrize(
    "work",
    one_in(
        2,
        [
            WORK,
            replace(WORK, gpus=12.5, begins_s=END_S + 5_000, ends_s=END_S + 90 * DAY_S + 7, cluster="c"),
            replace(WORK, length_hours=77, latest_finish_s=END_S + 9_999, begins_s=END_S),
            replace(WORK, hours=(0, 30, 31), team=""),
        ],
    ),
)
def test_a_dialog_that_is_left_as_it_was_changes_nothing(qapp: QApplication, work: PlannedWork) -> None:
    dialog = PlannedDialog(
        work,
        PlannedChoices(gpu_models=("A100", "H100"), clusters=(), teams=(), begins_s=END_S),
        lambda work: "",
    )
    assert dialog.work() == work


@pytest.mark.long
def test_steps_of_demand_are_listed_added_and_removed(planner: MainWindow) -> None:
    planner.board.selection.select((VLLM,), VLLM)
    planner.actions_by_id["change_demand"].trigger()
    dialog = opened(planner, DemandDialog)
    assert dialog.of.currentText() == "vllm"
    dialog.factor.setValue(3)
    day_s = dialog.day.day_s
    dialog.add.click()
    dialog.of.setCurrentText("Burst")
    dialog.how.setCurrentText("evenly by")
    dialog.add.click()
    changes = planner.session.document.project.scenarios[0].changes
    assert changes == (
        DemandChange(target=VLLM, keys=(VLLM,), factor=3.0, from_s=day_s),
        DemandChange(target="burst", keys=KEYS[:2], factor=3.0, from_s=day_s, by=True),
    )
    assert len(dialog.removers) == 2
    assert "evenly to" in dialog.removers[1].accessibleName()
    dialog.removers[0].click()
    assert planner.session.document.project.scenarios[0].changes == changes[1:] and len(dialog.removers) == 1
    assert " 1 " in planner.session.document.undo_stack.undoText()
    dialog.reject()
    settle(planner)


@pytest.mark.long
def test_what_is_said_of_time_is_listed_and_held_against_another_plan(planner: MainWindow) -> None:
    def edit(project: Project) -> Project:
        project = edits.dates.plan_work(project, PLAN, (WORK,))
        project = edits.dates.end_workloads(project, PLAN, (TRAIN,), END_S + 30 * DAY_S)
        change = edits.dates.demand_change(project, PLAN, "all", 2.0, END_S, {})
        return edits.dates.change_demand(project, PLAN, (change,))

    planner.session.gestures.edit("Plan", edit)
    settle(planner)
    planner.show_decisions()
    rows = planner.page.list.rows
    at = next(at for at, row in enumerate(rows) if row.title == "Dates and planned work")
    day = numbers.date(END_S + 30 * DAY_S - 1)
    titles = [row.title for row in rows[at + 1 :]]
    assert titles == [
        "next is planned: 16 H100",
        f"train: ends {day}",
        f"All demand \u00d7 2 from {numbers.date(END_S)}",
    ]
    planner.page.list.row_opened.emit("workload", WORK.key)
    assert planner.board.selection.current_key() == WORK.key
    planner.page.list.row_opened.emit("demand", "0")
    opened(planner, DemandDialog).reject()
    sides = [
        Side(scenario=plan, figures=None, advice=None, steps=None)
        for plan in planner.session.document.project.scenarios[:2]
    ]  # type: ignore[arg-type]
    comparison = Comparison(
        project=planner.session.document.project, audit=planner.session.evaluation.audit, sides=tuple(sides)
    )  # type: ignore[union-attr]
    assert date_words(comparison, comparison.sides) == [f"{title} (Plan A)" for title in titles]
    same = (comparison.sides[0], comparison.sides[0])
    assert date_words(replace(comparison, sides=same), same) == []
    assert "Same demand" not in same_words(comparison)


def test_a_fall_offers_the_ways_out(planner: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    fell = Check(
        code="demand_fell",
        severity="red",
        subject="inference H100",
        message="demand has fallen",
        keys=(VLLM, TRAIN),
    )
    (heading, row) = check_rows((fell,), {})
    assert heading.is_heading and row.kind == "fall"
    for answer, wanted in (
        ("Leave it open", {}),
        ("They come back", dict.fromkeys((VLLM, TRAIN), Spell(END_S, None))),
        ("They have ended", dict.fromkeys((VLLM, TRAIN), Spell(None, END_S))),
    ):

        def choose(
            parent: object, title: str, text: str, answers: tuple[Message, ...], answer: str = answer
        ) -> Message:
            assert "vllm" in text and "train" in text
            return next(one for one in answers if str(one) == answer)

        monkeypatch.setattr(small_dialogs, "ask", choose)
        planner.docks.checks.fall_asked.emit(fell)
        assert spells(planner) == wanted
    settle(planner)


@pytest.mark.long
def test_steps_of_demand_are_reached_from_the_assumptions_of_a_plan(
    planner: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def use(dialog: AssumptionsDialog) -> int:
        dialog.show()
        dialog.demand_button.click()
        steps = dialog.findChild(DemandDialog)
        assert (
            isinstance(steps, DemandDialog) and steps.isVisible() and steps.of.currentText() == "All demand"
        )
        steps.add.click()
        steps.reject()
        dialog.reject()
        return 0

    monkeypatch.setattr(AssumptionsDialog, "exec", use)
    planner.actions_by_id["assumptions"].trigger()
    assert [change.target for change in planner.session.document.project.scenarios[0].changes] == ["all"]
    assert AssumptionsDialog(PROJECT, None).demand_button.isHidden()
    settle(planner)


def right_click(window: MainWindow, key: str) -> None:
    for column in window.board.columns.values():
        row = column.model.row_of(key)
        if row is not None:
            place = column.cards.visualRect(column.model.index(row)).center()
            QTest.mouseClick(column.cards.viewport(), Qt.MouseButton.RightButton, pos=place)


def test_the_right_button_takes_the_card_it_is_on_unless_that_is_selected(planner: MainWindow) -> None:
    planner.board.selection.select((TRAIN,), TRAIN)
    right_click(planner, VLLM)
    assert planner.board.selection.selected_keys() == (VLLM,)
    planner.board.selection.select((TRAIN, VLLM), TRAIN)
    right_click(planner, VLLM)
    assert set(planner.board.selection.selected_keys()) == {TRAIN, VLLM}


def test_a_question_about_several_names_them(planner: MainWindow) -> None:
    planner.dated.ask_dates("stop", (TRAIN, VLLM))
    dialog = opened(planner, DatesDialog)
    assert "vllm" in dialog.names.text() and dialog.names.isVisible()
    dialog.reject()
    planner.dated.ask_dates("stop", (VLLM,))
    dialog = opened(planner, DatesDialog)
    assert not dialog.names.isVisible()
    dialog.reject()


# --- A team that stops and the limits of a plan, in the window: one step of Undo each, and what they cost
# beside them

TEAMS = teams_of(PROJECT, PROJECT.scenarios[0])
TEAM = next(team for team, keys in TEAMS.items() if KEYS[3] in keys)


def texts(dialog: TeamDialog | LimitsDialog | DatesDialog) -> list[list[str]]:
    table = dialog.table if isinstance(dialog, LimitsDialog) else dialog.effect.table  # type: ignore[union-attr]
    return [[str(cell.text) for cell in table.row_at(at).cells] for at in range(table.model().rowCount())]


def test_what_a_stop_would_save_is_what_the_plan_then_costs_less(planner, qtbot) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["stop_team"].trigger()
    dialog = opened(planner, TeamDialog)
    before = planner.session.evaluator.evaluation
    assert isinstance(dialog, TeamDialog) and before is not None and before.advice is not None
    with qtbot.waitSignal(planner.levers.trying.answered):
        dialog.team.setCurrentIndex(dialog.team.findData(TEAM))
    after = stop_team(PROJECT, PLAN, TEAM)
    advice = advise_plan(after, evaluate_figures(after, PLAN, before.audit))
    values = stop_values(before.advice, advice)
    assert texts(dialog)[-1][1:] == [f"{values[key]:,.0f}" for key in ("stop_saves", "stop_saves_in_year")]
    for cell in dialog.effect.table.row_at(2).cells[1:]:
        assert dialog.trace(cell.figure_id).value == values[parts_of(cell.figure_id)[0]]
    assert "contract GPUs" in dialog.effect.freed.text()
    dialog.do.click()
    stack = planner.session.document.undo_stack
    assert planner.session.document.project.scenario(PLAN).spells == after.scenario(PLAN).spells
    assert stack.undoText() == f"Stop team {TEAM}"
    stack.undo()
    assert planner.session.document.project is PROJECT


def test_a_single_stop_says_what_it_would_save_and_an_end_does_not(planner, qtbot) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    with qtbot.waitSignal(planner.levers.trying.answered):
        planner.dated.ask_dates("stop", (KEYS[3],))
    dialog = opened(planner, DatesDialog)
    before = planner.session.evaluator.evaluation
    assert before is not None and before.advice is not None
    after = stop_workloads(PROJECT, PLAN, (KEYS[3],), dialog.moment_s)
    advice = advise_plan(after, evaluate_figures(after, PLAN, before.audit))
    values = stop_values(before.advice, advice)
    assert texts(dialog)[-1][1:] == [f"{values[key]:,.0f}" for key in ("stop_saves", "stop_saves_in_year")]
    dialog.reject()
    planner.dated.ask_dates("end", (KEYS[3],))
    dialog = opened(planner, DatesDialog)
    assert dialog.effect is None
    dialog.reject()


def test_the_team_of_the_selected_card_is_asked_about_and_each_is_found_by_name(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.board.show_workload(KEYS[3])
    planner.board.ask_team_stop()
    dialog = opened(planner, TeamDialog)
    assert dialog.team.currentData() == TEAM
    dialog.reject()
    entry = next(one for one in planner.commands() if one.title == f"Stop team {TEAM}")
    entry.run()
    opened(planner, TeamDialog).reject()
    planner.choose_scenario(TODAY)
    planner.levers.ask_team()
    assert not [one for one in planner.findChildren(TeamDialog) if one.isVisible()]


@pytest.mark.long
def test_the_largest_team_is_offered_first(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    workloads = tuple(replace(one, owner="a" if one.key == KEYS[0] else "z") for one in PROJECT.workloads)
    opened_again(planner, replace(PROJECT, workloads=workloads))
    settle(planner)
    planner.levers.ask_team()
    dialog = opened(planner, TeamDialog)
    assert [dialog.team.itemData(at) for at in range(dialog.team.count())] == ["z", "a"]
    dialog.reject()


@pytest.mark.long
def test_a_limit_is_a_step_and_says_what_it_costs(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["limits"].trigger()
    dialog = opened(planner, LimitsDialog)
    assert not texts(dialog) and dialog.costs.text()
    assert dialog.table.isHidden()  # headings over nothing
    field = dialog.fields["max_term_months"]
    type_into(field, "0")
    assert "out of range" in dialog.said.text() and field.text() == ""
    type_into(field, "1")
    settle(planner)
    project = planner.session.document.project
    assert project.scenario(PLAN).assumptions == {"max_term_months": 1}
    evaluation = planner.session.evaluator.evaluation
    assert evaluation is not None and evaluation.outlook is not None
    (one,) = evaluation.outlook.limits
    assert one.limit_cost is not None
    ((limit, *_),) = texts(dialog)
    assert "1 month" in limit and dialog.table.isVisible()
    (figure_id,) = {
        cell.figure_id for cell in dialog.table.row_at(0).cells if "limit_cost:" in cell.figure_id
    }
    assert figure_id == f"limit_cost::{limit}"
    dialog.accept()
    planner.session.document.undo_stack.undo()
    assert planner.session.document.project is PROJECT


@pytest.mark.long
def test_a_limit_that_is_asked_in_what_if_is_shown_where_it_is_asked(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["what_if"].trigger()
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    assert dialog.title.text() == f"Limits of {PLAN}"
    field = dialog.fields["max_term_months"]
    type_into(field, "12")
    settle(planner)
    asked = planner.session.scenario
    assert asked != PLAN and planner.session.document.project.scenario(PLAN).assumptions == {}
    assert field.text() == "12" and dialog.title.text() == f"Limits of {asked}"
    ((limit, *_),) = texts(dialog)
    assert "12 months" in limit
    planner.session.document.undo_stack.undo()
    assert field.text() == "" and dialog.title.text() == f"Limits of {PLAN}"
    dialog.accept()
    planner.actions_by_id["what_if"].trigger()


def test_limits_that_are_asked_stand_in_their_fields_and_a_budget_is_taken_as_it_is_said(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["what_if"].trigger()
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    assert dialog.title.text() == f"Limits of {PLAN}"
    for name, typed in (("max_term_months", "1"), ("budget_usd_per_month", "$400k")):
        type_into(dialog.fields[name], typed)
    asked = planner.session.document.project.scenario(planner.session.scenario)
    assert asked.name != PLAN and asked.assumptions == {"max_term_months": 1, "budget_usd_per_month": 400_000}
    assert dialog.title.text() == f"Limits of {asked.name}"
    assert [field.text() for field in dialog.fields.values()] == ["1", "", "400,000", "", "no"]
    dialog.accept()
    planner.plans.question.discard()
    planner.actions_by_id["what_if"].trigger()


def test_a_team_is_limited_as_one_and_let_go(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    dialog.whose.setCurrentIndex(dialog.whose.findText(f"team {TEAM}"))
    dialog.who.setCurrentIndex(1)
    dialog.pin.click()
    only = dialog.who.currentData()
    project = planner.session.document.project
    assert project.scenario(PLAN).only == dict.fromkeys(TEAMS[TEAM], only) and only != Only()
    assert planner.session.document.undo_stack.undoText() == f"Only {only} for team {TEAM}"
    dialog.whose.setCurrentIndex(0)
    dialog.whose.setCurrentIndex(dialog.whose.findText(f"team {TEAM}"))
    assert dialog.who.currentData() == only  # it shows what holds
    dialog.who.setCurrentIndex(0)
    dialog.pin.click()
    assert planner.session.document.project.scenario(PLAN).only == {}
    dialog.accept()


def test_a_share_of_one_who_is_named_is_a_step_and_a_fault_is_said(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    who = dialog.of.currentData()
    for typed, words in (("150%", "150%"), ("40", f"40% with {who}")):
        dialog.share.setText(typed)
        dialog.share.returnPressed.emit()
        assert words in dialog.said.text()
    project, stack = (planner.session.document.project, planner.session.document.undo_stack)
    assert project.scenario(PLAN).shares == {who: 0.4} and dialog.share.text() == "40%"
    step = stack.undoText()
    assert step.endswith(f"40% with {who}")
    settle(planner)
    assert [row[0] for row in texts(dialog)] == [step]
    dialog.share.setText("")
    dialog.keep.click()
    assert planner.session.document.project.scenario(PLAN).shares == {}
    assert stack.undoText().endswith(f" {who}") and "%" not in stack.undoText()
    dialog.accept()


def test_the_energy_of_the_plan_stands_beside_that_of_today_and_moves_with_the_plan(planner, qtbot) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.docks.raise_panel("cost")
    panel = planner.docks.cost
    qtbot.waitUntil(lambda: panel.costs is not None)
    panel.show_view("energy_of_plan")

    def shown() -> tuple[str, str]:
        *_, total = (panel.table.row_at(at) for at in range(panel.table.model().rowCount()))
        return str(total.cells[1].text), panel.caption.text()

    evaluation = planner.session.evaluator.evaluation
    assert evaluation is not None and evaluation.advice is not None
    energy, today = evaluation.advice.energy, evaluation.audit.energy
    assert shown()[0] == f"{energy.kwh_per_month:,.0f}"
    assert f"today {today.kwh_per_month:,.0f} kWh" in shown()[1]
    planner.session.gestures.edit(worded("Stop"), lambda project: stop_workloads(project, PLAN, KEYS[:3]))
    settle(planner)
    after = planner.session.evaluator.evaluation
    assert after is not None and after.advice is not None
    wanted = f"{after.advice.energy.kwh_per_month:,.0f}"
    assert wanted != f"{energy.kwh_per_month:,.0f}"
    qtbot.waitUntil(lambda: shown()[0] == wanted)  # panels are drawn one by one, after the board
    assert f"today {today.kwh_per_month:,.0f} kWh" in shown()[1]


def test_a_card_says_what_its_jobs_took(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    shown = planner.session.view_state
    assert shown is not None
    (card,) = [card for card in shown.cards if card.key == KEYS[3]]
    details = details_of((card,), shown, CardFacts())
    (row,) = [row for row in shown.evaluation.audit.energy.workloads if row.name == KEYS[3]]
    assert details is not None
    (line,) = [line for section in details.sections for line in section.lines if "Energy" in str(line.text)]
    assert line.figure == f"{row.kwh_per_month:,.0f}" and line.figure_id == f"energy_kwh::workload\t{KEYS[3]}"


def chosen(answer: str, answers: tuple[Message, ...]) -> Message | str:
    """The answer that reads so; an empty one closes the dialog."""
    return next((one for one in answers if str(one) == answer), "")


def test_notice_that_was_given_is_said_by_a_click_and_undone(
    planner: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = Check(
        code="order_by_passed", severity="amber", subject="k", message="the last day for notice passed"
    )
    (heading, row) = check_rows((passed,), {})
    assert heading.is_heading and row.kind == "notice" and row.key == "k"
    answers = ["It runs on", "Notice was given", "It was not given"]
    monkeypatch.setattr(small_dialogs, "ask", lambda *given: chosen(answers.pop(0), given[-1]))
    document = planner.session.document
    given = lambda: document.project.scenario(planner.session.scenario).notice_given  # noqa: E731
    for expected in ((), ("k",), ()):
        planner.docks.checks.notice_asked.emit("k")
        assert given() == expected
    planner.actions_by_id["undo"].trigger()
    assert given() == ("k",)
    answers.append("It was not given")
    planner.docks.contracts.list.row_opened.emit("notice", "k")
    assert given() == ()
    assert len(answers) == 0


def test_a_gap_is_missing_or_idle_by_a_click(planner: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    gap = Check(code="log_gap", severity="amber", subject="log", message="no job for 30 h")
    (_, row) = check_rows((gap,), {})
    assert row.kind == "gap" and "missing" in row.tip
    answers = ["They are missing", "They were idle", ""]
    monkeypatch.setattr(small_dialogs, "ask", lambda *given: chosen(answers.pop(0), given[-1]))
    document = planner.session.document
    for expected in (True, False, False):
        planner.docks.checks.gap_asked.emit(gap)
        assert document.project.scenario(planner.session.scenario).is_gap_missing is expected


def test_new_work_is_proposed_on_what_its_pool_runs_on_and_where_contracts_of_it_are(
    qapp: QApplication,
) -> None:
    held = [
        make_contract("k", "H100", "pike"),
        make_contract("a", "A100", "here"),
        make_contract("b", "A100", "there"),
    ]
    usual = {Pool.TRAINING: "H100", Pool.BURST: "A100"}
    choices = PlannedChoices(
        gpu_models=("A100", "H100"),
        clusters=("here", "pike", "there"),
        teams=(),
        begins_s=END_S,
        usual=usual,
        contracts=held,
    )
    dialog = PlannedDialog(None, choices, lambda work: "")
    assert (dialog.work().gpu_model, dialog.work().cluster) == ("H100", "pike")
    dialog.pool.setCurrentIndex(POOLS.index(Pool.BURST))
    assert (dialog.work().gpu_model, dialog.work().cluster) == (
        "A100",
        "",
    )  # several have some: one is to be named
    dialog.pool.setCurrentIndex(POOLS.index(Pool.INFERENCE))
    assert dialog.work().gpu_model == "A100"  # nothing runs there
    again = PlannedDialog(replace(WORK, cluster=""), choices, lambda work: "")
    assert again.work() == replace(WORK, cluster="")


def make_contract(contract_id: str, gpu_model: str, cluster: str) -> Contract:
    return replace(PROJECT.contracts[0], contract_id=contract_id, gpu_model=gpu_model, cluster=cluster)
