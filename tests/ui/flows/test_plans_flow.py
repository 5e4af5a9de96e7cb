"""A question is asked in a copy that the window shows and follows: kept, discarded, undone, saved, never lost."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from gpuplanner.charts.kit.plain_text import spoken
from gpuplanner.charts.kit.translation import tr
from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.words.horizons import HORIZON_MEANINGS
from gpuplanner.domain.edits.plans import LONGEST_NAME
from gpuplanner.domain.edits.teams import stop_team
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.message import lowered
from gpuplanner.domain.model.amounts import whole_change
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS, TODAY, HandLayer
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.flows import plans_flow
from gpuplanner.ui.frame.question_bar import QuestionBar
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.state.plan_money import story_of_plan
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.plan_changes import in_period
from gpuplanner.ui.words.question_words import kept_name, question_words
from gpuplanner.ui.words.sliders import SLIDERS
from tests.ui.plans_world import KEYS, opened_again, plans_project, settle, wait_until

PROJECT = plans_project()
ASKED = "Plan A \u00b7 what if"


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    opened_again(shared, PROJECT)
    shared.session.horizons.update({False: Horizon.NEXT_MONTH, True: Horizon.TWELVE_MONTHS})
    if not shared.actions_by_id["what_if"].isChecked():
        shared.actions_by_id["what_if"].trigger()
    qapp.processEvents()
    return shared


def bar(planner: MainWindow) -> QuestionBar:
    return planner.plans.question_flow


def ask(planner: MainWindow, text: str) -> None:
    field = bar(planner).field
    field.setFocus()
    field.clear()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(planner)


def grow(planner: MainWindow, typed: str = "10") -> None:
    field = planner.plans.what_if.strip.cells["growth"].value
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(planner)


def asked_parts(planner: MainWindow) -> list[str]:
    """What the chip says after its first words, each thing by itself."""
    return bar(planner).words.whole.partition(": ")[2].split(", ")


def names(planner: MainWindow) -> list[str]:
    return [plan.name for plan in planner.session.document.project.scenarios]


def headline(planner: MainWindow) -> list[tuple[str, str, str]]:
    figures = [button.figure for button in planner.headline.buttons]
    return [(one.now, one.plan, str(one.second[0])) for one in figures if one is not None]


@pytest.mark.long
def test_what_is_typed_right_after_what_if_opens_is_a_change_in_words(planner: MainWindow) -> None:
    for _ in range(2):  # closed, and opened again
        planner.actions_by_id["what_if"].trigger()
    focused = planner.focusWidget()
    assert focused is bar(planner).field
    QTest.keyClicks(focused, "inference doubles by March")
    assert "\u00d7 2" in bar(planner).note.whole and "Enter" in bar(planner).note.whole
    bar(planner).field.clear()


def test_a_team_that_stops_is_named_and_so_is_one_workload() -> None:
    before, after = PROJECT.scenario("Plan A"), stop_team(PROJECT, "Plan A", "o")
    assert question_words(PROJECT, after.scenario("Plan A"), before) == "team o stopped"
    one = replace(before, spells={KEYS[0]: after.scenario("Plan A").spells[KEYS[0]]})
    assert question_words(PROJECT, one, before) == "dev stopped"


@pytest.mark.long
def test_a_kept_question_has_a_name_of_whole_words(planner: MainWindow) -> None:
    planner.session.gestures.set_assumption("max_term_months", 12)
    grow(planner)
    ask(planner, "inference x2 by 2024-03")
    project, scenario = planner.session.document.project, planner.session.scenario
    name = kept_name(project, project.scenario(scenario), project.scenario("Plan A"))
    said = question_words(project, project.scenario(scenario), project.scenario("Plan A")).split(", ")
    of_plan, _, kept = name.partition(" \u00b7 ")
    assert of_plan == "Plan A" and kept.split(", ")[:-1] == said[:2] and kept.endswith(", 1 more")
    assert len(said) == 3 and said[0].endswith("10%") and "12" in said[1]


@pytest.mark.long
def test_the_name_of_a_long_question_ends_with_a_whole_word(planner: MainWindow) -> None:
    before = PROJECT.scenario("Plan A")
    long = replace(before, name="A plan with a name of many letters")
    ask(planner, "prices +15% by 2027-09")
    project, scenario = planner.session.document.project, planner.session.scenario
    name = kept_name(project, project.scenario(scenario), long)
    said = question_words(project, project.scenario(scenario), project.scenario("Plan A"))
    whole = f"{long.name} \u00b7 {said}"
    assert len(name) <= LONGEST_NAME < len(whole)
    assert name.endswith("\u2026") and whole.startswith(f"{name[:-1]} ")


@pytest.mark.long
def test_a_typed_value_is_a_question_beside_the_plan_and_the_chip_says_it(planner: MainWindow) -> None:
    assert bar(planner).isVisible() and not bar(planner).chip.isVisible()
    grow(planner)
    assert planner.session.scenario == ASKED
    assert names(planner) == ["Plan A", ASKED, "Plan B"]
    kept = planner.session.document.project.scenario("Plan A")
    assert replace(kept, decision_numbers={}, order_numbers={}) == PROJECT.scenario("Plan A")
    assert bar(planner).chip.isVisible()
    assert bar(planner).words.whole == "What if: growth 10%"
    assert planner.session.document.undo_stack.count() == 1


def slide(planner: MainWindow, name: str, step: int) -> list[str]:
    slider = planner.plans.what_if.strip.cells[name].slider
    slider.setValue(step)
    planner.session.gestures.end_gesture()
    settle(planner)
    return asked_parts(planner)


@pytest.mark.long
def test_the_chip_says_what_a_slider_says(planner: MainWindow) -> None:
    short = {slider.name: tr(lowered(slider.short)) for slider in SLIDERS}
    share, models = f"{title_of_slider('share')} 60%", f"{title_of_slider('models')} 2 \u2192 4"
    assert slide(planner, "share", 60) == [share]
    assert slide(planner, "models", 4) == [models, share]
    assert slide(planner, "delta", 12) == [f"{short['delta']} 1.2%", models, share]


def title_of_slider(name: str) -> str:
    return tr(lowered(next(slider.title for slider in SLIDERS if slider.name == name)))


@pytest.mark.long
def test_the_chip_says_other_assumptions_with_their_units(planner: MainWindow) -> None:
    gestures = planner.session.gestures
    for name, value in (
        ("demand_inference", 1.24),
        ("power_limit_kw", 150.0),
        ("sigma_burst", 0.05),
        ("max_term_months", 12),
        ("budget_usd_per_month", 450_000.0),
    ):
        gestures.set_assumption(name, value)
    settle(planner)
    values = ("$450,000 per month", "\u00d7 1.24", "12 months", "150 kW", "5% per month")
    parts = asked_parts(planner)
    assert len(parts) == len(values)
    assert all(part.endswith(f" {value}") for part, value in zip(parts, values, strict=True)), parts
    assert parts[3] == f"{tr(lowered(SPEC_BY_NAME['power_limit_kw'].title))} 150 kW"


@pytest.mark.long
def test_the_window_says_over_twelve_months_what_documents_say(planner: MainWindow) -> None:
    grow(planner)
    project = planner.session.document.project
    rows = plan_document(evaluate(project, ASKED, read_tables()))["horizons"]
    for row, horizon in zip(rows, Horizon, strict=True):
        planner.headline.horizon.buttons[horizon].click()
        (before, after, change), (saved_before, saved, _), *others = headline(planner)
        assert (before, after) == (numbers.dollars(row["before_usd"]), numbers.dollars(row["plan_usd"]))
        assert row["change_usd"] == pytest.approx(row["plan_usd"] - row["before_usd"])
        said = numbers.dollar_change(whole_change(row["before_usd"], row["plan_usd"]))
        bar = planner.plans.question_flow.change.text()
        whole = whole_change(row["before_usd"], row["plan_usd"]) or 0
        assert bar.startswith(in_period(horizon, whole))  # another period follows where its sign differs
        assert change == "As in Plan A" if not row["change_usd"] else change.startswith(said), row
        assert change.endswith("Plan A")
        assert saved == numbers.dollars(row["savings_vs_do_nothing_usd"])
        assert saved_before
        assert all(now for now, _, _ in others)
    assert rows[2]["change_usd"] > 0


def test_the_tip_of_the_spend_of_a_question_names_the_sum_of_twelve_months_that_the_headline_shows(
    planner: MainWindow,
) -> None:
    grow(planner)
    tip = planner.headline.buttons[0].toolTip()
    assert spoken(HORIZON_MEANINGS[Horizon.TWELVE_MONTHS]) in tip
    assert "mean" not in tip


def test_without_what_if_the_headline_is_of_next_month_and_each_remembers_its_own(
    planner: MainWindow,
) -> None:
    assert planner.session.horizon is Horizon.TWELVE_MONTHS
    planner.headline.horizon.buttons[Horizon.MONTH_12].click()
    planner.actions_by_id["what_if"].trigger()
    assert planner.session.horizon is Horizon.NEXT_MONTH
    assert planner.headline.horizon.buttons[Horizon.NEXT_MONTH].isChecked()
    assert not bar(planner).isVisible()
    planner.actions_by_id["what_if"].trigger()
    assert planner.headline.horizon.buttons[Horizon.MONTH_12].isChecked()
    planner.choose_scenario(TODAY)
    settle_today(planner)
    assert not planner.headline.horizon.isVisible()


def settle_today(planner: MainWindow) -> None:
    QTest.qWait(1)
    QApplication.processEvents()


@pytest.mark.long
def test_undo_takes_a_step_back_redo_goes_on_and_the_window_follows(planner: MainWindow) -> None:
    stack = planner.session.document.undo_stack
    grow(planner)
    ask(planner, "inference x2 by 2030-01")
    first, second = asked_parts(planner)
    assert first == "growth 10%"
    assert second.startswith("Inference") and "\u00d7 2 " in second and second.endswith("1 Jan 2030")
    stack.undo()
    assert bar(planner).words.whole == "What if: growth 10%"
    stack.undo()
    assert planner.session.document.project is PROJECT
    assert planner.session.scenario == "Plan A"
    stack.redo()
    assert planner.session.scenario == ASKED
    settle(planner)


@pytest.mark.long
def test_the_menu_of_a_tab_leaves_what_is_shown_until_something_is_chosen(
    planner: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right click on the tab of a plan brought it to the front."""
    menus: list[QMenu] = []

    class Menu(QMenu):  # what is put into QMenu itself is not called: Qt has `exec` with and without a menu
        def exec(self, *_: object) -> None:  # type: ignore[override]
            menus.append(self)

    monkeypatch.setattr(page_parts, "QMenu", Menu)
    planner.choose_scenario(TODAY)
    settle_today(planner)
    before = names(planner)
    planner.scenario_bar.plan_menu_asked.emit("Plan A", QPoint())
    assert planner.session.scenario == TODAY
    (menu,) = menus
    titles = [action.text() for action in menu.actions()]
    assert titles == [planner.actions_by_id[name].text() for name in plans_flow.OF_A_TAB]
    next(action for action in menu.actions() if "Duplicate" in action.text().replace("&", "")).trigger()
    assert len(names(planner)) == len(before) + 1 and planner.session.scenario not in (TODAY, "Plan A")


@pytest.mark.long
def test_compared_a_question_is_held_against_its_plan(planner: MainWindow) -> None:
    grow(planner)
    planner.actions_by_id["compare"].trigger()
    wait_until(lambda: not planner.plans.compare.comparing.is_busy)
    comparison = planner.plans.compare.page.comparison
    assert comparison is not None
    assert [side.scenario.name for side in comparison.sides] == ["Plan A", ASKED]
    heads = [str(column.title) for column in planner.plans.compare.page.figures.table.columns]
    assert heads[3:5] == ["Plan A", "what if"]
    planner.plans.compare.leave()


def test_discarded_it_is_gone_and_undo_brings_it_back(planner: MainWindow) -> None:
    grow(planner)
    bar(planner).discard.click()
    settle(planner)
    assert (planner.session.scenario, names(planner)) == ("Plan A", ["Plan A", "Plan B"])
    assert not bar(planner).chip.isVisible()
    planner.session.document.undo_stack.undo()
    assert planner.session.scenario == ASKED
    settle(planner)


def test_kept_it_is_a_plan_named_after_the_question(planner: MainWindow) -> None:
    grow(planner)
    bar(planner).keep.click()
    settle(planner)
    assert planner.session.scenario == "Plan A \u00b7 growth 10%"
    assert names(planner) == ["Plan A", "Plan A \u00b7 growth 10%", "Plan B"]
    assert planner.session.document.project.scenario("Plan A \u00b7 growth 10%").scratch_of == ""
    planner.session.document.undo_stack.undo()
    assert planner.session.scenario == ASKED
    settle(planner)


@pytest.mark.long
def test_a_drag_in_what_if_is_a_question_whose_figures_are_there_at_once(planner: MainWindow) -> None:
    planner.session.gestures.move(KEYS[:2], Pool.TRAINING)
    evaluation = planner.session.evaluation
    assert evaluation.scenario == ASKED
    assert evaluation.figures.pools[Pool.TRAINING].workloads == 3
    settle(planner)
    (moved,) = asked_parts(planner)
    assert moved.startswith(f"{numbers.counted(2, 'card')} ")
    fresh = evaluate(planner.session.document.project, ASKED, read_tables())
    assert planner.session.evaluation.advice.totals == fresh.advice.totals
    assert planner.session.evaluation.before.totals == fresh.before.totals


@pytest.mark.long
def test_one_card_that_is_moved_is_named(planner: MainWindow) -> None:
    planner.session.gestures.move(KEYS[:1], Pool.TRAINING)
    name = KEYS[0].split("/")[-1]
    assert bar(planner).words.whole == f"What if: {name} in Training"
    settle(planner)


@pytest.mark.long
def test_a_switch_and_whole_numbers_are_said_with_what_they_are(planner: MainWindow) -> None:
    planner.session.gestures.set_assumption("wait_months", 3)
    planner.session.gestures.set_assumption("spot", False)
    spot, wait = (tr(lowered(SPEC_BY_NAME[name].title)) for name in ("spot", "wait_months"))
    settle(planner)
    assert asked_parts(planner) == [f"{spot}: no", f"{wait} 3 months"]


def test_outside_of_what_if_a_plan_is_changed_as_ever(planner: MainWindow) -> None:
    planner.actions_by_id["what_if"].trigger()
    planner.session.gestures.move(KEYS[:1], Pool.TRAINING)
    assert (planner.session.scenario, names(planner)) == ("Plan A", ["Plan A", "Plan B"])
    settle(planner)


@pytest.mark.long
def test_a_question_that_was_saved_is_there_again_with_its_delta(
    planner: MainWindow, tmp_path: object
) -> None:
    grow(planner)
    path = tmp_path / "asked.gpuplan"  # type: ignore[operator]
    save_project(planner.session.document.project, path)
    planner.session.document.load(open_project(path), path)
    planner.choose_scenario(ASKED)
    settle(planner)
    assert bar(planner).words.whole == "What if: growth 10%"
    assert headline(planner)[0][0] != ""


@pytest.mark.long
def test_changes_are_read_back_asked_refused_and_taken_out(planner: MainWindow) -> None:
    strip = bar(planner)
    strip.field.setFocus()
    QTest.keyClicks(strip.field, "H100 -20% from 2030-05")
    read, _, hint = strip.note.whole.partition(" \u00b7 ")
    assert read.startswith("Prices ") and "H100 \u00d7 0.8" in read and read.endswith("1 May 2030") and hint
    QTest.keyClick(strip.field, Qt.Key.Key_Return)
    settle(planner)
    assert (strip.field.text(), strip.note.isVisible()) == ("", False)
    assert strip.steps.text() == "Dated changes: 1"
    ask(planner, "nobody x2 by 2030-05")
    assert strip.note.property("role") == "red"
    assert "team:NAME" in strip.note.whole and strip.steps.text().endswith(": 1")
    assert strip.field.text() == "nobody x2 by 2030-05"
    QTest.keyClick(strip.field, Qt.Key.Key_Escape)
    assert strip.field.text() == ""
    strip.menu.actions()[0].trigger()
    settle(planner)
    assert not planner.session.document.project.scenario(ASKED).price_changes
    assert not strip.steps.isVisible()


@pytest.mark.long
def test_what_is_typed_beyond_the_scale_is_taken_and_what_cannot_be_says_why(planner: MainWindow) -> None:
    cells = planner.plans.what_if.strip.cells
    grow(planner, "30")
    assert planner.session.document.project.scenario(ASKED).assumptions["growth"] == pytest.approx(0.3)
    assert cells["growth"].slider.value() == 60
    assert cells["growth"].slider.maximum() > 60
    before = planner.session.document.project
    grow(planner, "80")
    assert planner.session.document.project is before
    said = bar(planner).note.whole
    assert said.startswith("80% ") and "\u221250% to 50%" in said and bar(planner).note.isVisible()
    assert cells["growth"].value.text() == "30%"
    grow(planner, "2.75%")
    assert cells["growth"].value.text() == "2.75%"
    assert not bar(planner).note.isVisible()


@pytest.mark.long
def test_undo_after_a_change_was_asked_is_of_the_question_not_of_its_words(planner: MainWindow) -> None:
    field = bar(planner).field
    field.setFocus()
    QTest.keyClicks(field, "all x2 by 2099-01")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(planner)
    assert names(planner) == ["Plan A", ASKED, "Plan B"] and field.text() == ""
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert planner.session.document.project is PROJECT and field.text() == ""
    settle(planner)


def test_undo_is_the_windows_where_nothing_is_typed(planner: MainWindow) -> None:
    grow(planner)
    field = planner.plans.what_if.strip.cells["growth"].value
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert planner.session.document.project is PROJECT
    settle(planner)


@pytest.mark.long
def test_dialogs_that_stay_open_go_on_in_the_question(planner: MainWindow) -> None:
    begins_s = planner.session.document.project.plan_window.end_s
    planner.dated.ask_demand()
    planner.dated.add_step("all", 2.0, begins_s, False)
    planner.dated.add_step("all", 0.5, begins_s + 86_400, False)
    settle(planner)
    assert names(planner) == ["Plan A", ASKED, "Plan B"]
    assert len(planner.session.document.project.scenario(ASKED).changes) == 2
    planner.dated.remove_step(0)
    assert len(planner.session.document.project.scenario(ASKED).changes) == 1
    settle(planner)


@pytest.mark.long
def test_a_level_that_is_dragged_is_one_step_and_one_question(planner: MainWindow) -> None:
    stack, gestures = planner.session.document.undo_stack, planner.session.gestures
    for gpus in (1, 2, 3):
        layer = HandLayer(12, gpus)
        gestures.set_levels(Pool.TRAINING, "H100", (layer,), layer, False)
    gestures.end_gesture()
    settle(planner)
    assert stack.count() == 1
    assert names(planner) == ["Plan A", ASKED, "Plan B"]
    assert len(planner.session.document.project.scenario(ASKED).decisions) == 1
    assert planner.session.document.project.scenario(ASKED).hand_layers.keys() == {(Pool.TRAINING, "H100")}
    (said,) = asked_parts(planner)
    assert "levels" in said


@pytest.mark.long
def test_times_the_demand_are_said_in_three_digits(planner: MainWindow) -> None:
    planner.session.gestures.set_assumption("demand", 1.5238095)
    assert bar(planner).words.whole == "What if: demand \u00d7 1.52"
    settle(planner)


@pytest.mark.long
def test_keep_and_discard_are_offered_where_there_is_a_question(planner: MainWindow) -> None:
    actions = [planner.actions_by_id[name] for name in ("keep_question", "discard_question")]
    assert not any(action.isEnabled() for action in actions)
    grow(planner)
    assert all(action.isEnabled() for action in actions)
    actions[1].trigger()
    settle(planner)
    assert planner.session.scenario == "Plan A"


@pytest.mark.long
def test_a_saving_is_accepted_by_its_button_and_taken_back(planner: MainWindow) -> None:
    panel, document = planner.docks.today_to_plan, planner.session.document
    planner.docks.raise_panel("today_to_plan")
    settle(planner)
    panel.savings["idle_ended"].click()
    settle(planner)
    assert document.project.scenario(planner.session.scenario).accepted == ("idle_ended",)
    name = tr(DEMAND_CUTS["idle_ended"])
    assert document.undo_stack.undoText() == f"Accept: {name}"
    assert panel.savings["idle_ended"].text() == f"Take back {name}"
    shown = planner.session.view_state
    assert shown is not None and shown.advice is not None
    assert "idle_ended" in {row.key for row in story_of_plan(shown, shown.advice).steps}
    panel.savings["idle_ended"].click()
    settle(planner)
    assert document.project.scenario(planner.session.scenario).accepted == ()
    assert panel.savings["right_size"].text().startswith("Accept Right-sizing: ")
