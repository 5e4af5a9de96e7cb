"""Plans in the window: added, named, moved, compared, asked "what if", and their History."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QStackedWidget, QToolBar
from shiboken6 import isValid

from gpuplanner.app.document import step_name
from gpuplanner.charts.kit.plain_text import add_named, currency, tr
from gpuplanner.domain.demand.model_names import ModelMix
from gpuplanner.domain.edits import dates, labels
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import TODAY, Decision, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.ui.flows.compare_flow import CompareFlow
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.flows.what_if_flow import WhatIfFlow
from gpuplanner.ui.frame.headline import QuestionBar, ScenarioBar
from gpuplanner.ui.frame.what_if import WhatIfStrip
from gpuplanner.ui.kit.dialogs import errors_in_dialog
from gpuplanner.ui.kit.file_dialogs import save_file
from gpuplanner.ui.kit.page_parts import passing_menu
from gpuplanner.ui.panels.actions.recommendations import HistoryPanel, StepLine
from gpuplanner.ui.words.commands import plan_keys
from gpuplanner.ui.words.dated_words import (
    change_words,
    kept_name,
    price_change_words,
    price_changes_words,
    question_words,
)
from gpuplanner.ui.words.window_words import refusal_words

# --- Questions in the window: what is changed while What if is open is asked in a scratch copy, kept or discarded here

DEMAND, PRICE = "demand", "price"


class QuestionFlow(QObject):
    """Told the session, the bar of the question, and how to learn what the sliders of a plan start from."""

    def __init__(self, session: Session, bar: QuestionBar, mix: Callable[[], ModelMix | None]) -> None:
        super().__init__(session.window)
        self.session, self._bar, self._mix = session, bar, mix
        bar.kept.connect(self.keep)
        bar.discarded.connect(self.discard)
        bar.typed.connect(self._read_back)
        bar.said.connect(self._ask)
        bar.step_removed.connect(self._remove)

    @property
    def asked(self) -> tuple[Scenario, Scenario] | None:
        """The question that is shown and the plan that it is asked of; None where none is."""
        project, scenario = self.session.document.project, self.session.scenario
        before = project.plan_before(scenario)
        return None if before is None else (project.scenario(scenario), before)

    def show(self) -> None:
        """Say what is asked of the plan that is shown, and which dated changes it has."""
        project, asked = self.session.document.project, self.asked
        self._bar.show_question("" if asked is None else question_words(project, *asked, self._mix()))
        if (plan := self.session.plan) is not None:
            demand = [(DEMAND, at, change_words(project, change)) for at, change in enumerate(plan.changes)]
            prices = [(PRICE, at, price_change_words(change)) for at, change in enumerate(plan.price_changes)]
            self._bar.show_steps((*demand, *prices))

    def follow(self) -> None:
        """More is known of the plan that is shown: a question is said as its sliders say it."""
        if self.asked is not None:
            self.show()

    def keep(self) -> None:
        """Make the question a plan of its own, named after it."""
        if (asked := self.asked) is not None:
            name = kept_name(self.session.document.project, *asked, self._mix())
            self.session.gestures.keep_question(name)

    def discard(self) -> None:
        """Go back to the plan before the question."""
        if self.asked is not None:
            self.session.gestures.discard_question()

    def say(self) -> None:
        """Give the keyboard to the field where a change is said."""
        self._bar.field.setFocus()
        self._bar.field.selectAll()

    def show_refusal(self, words: str) -> None:
        """Say why what was typed cannot be."""
        self._bar.show_note(words, is_refusal=bool(words))

    # Changes in words

    def _changed(self, text: str, project: Project) -> Project:
        """The project with a change more in the plan that is shown. Errors: PlannerError."""
        starts = dates.year_starts(project, self.session.scenario)
        change = dates.read_change(text, project.plan_window.end_s, starts)
        return dates.with_change(project, self.session.scenario, change, self._classes, gpu_families())

    def _classes(self) -> Mapping[str, Pool]:
        """The class of every workload of the log, by key."""
        evaluation = self.session.evaluation
        rows = evaluation.audit.workloads if evaluation is not None else ()
        return {row.key: row.classification.pool for row in rows}

    def _read_back(self, text: str) -> None:
        """Says how a change is understood while it is written."""
        if not text.strip() or self.session.scenario == TODAY:
            self._bar.show_note("")
            return
        try:
            after = self._changed(text, self.session.document.project)
        except PlannerError:
            self._bar.show_note("")  # not written to its end: why it is refused is said once it is meant
            return
        self._bar.show_note(tr("{change} · Enter", change=self._newest_words(after)))

    def _newest_words(self, after: Project) -> str:
        """The step that a project has more than the one of now, in words."""
        plan, before = after.scenario(self.session.scenario), self.session.plan
        if before is not None and plan.price_changes != before.price_changes:
            return ", ".join(price_changes_words(after, plan.price_changes[len(before.price_changes) :]))
        return change_words(after, plan.changes[-1])

    def _ask(self, text: str) -> None:
        """Asks what was said; refused words stay in their field, with why."""
        if not text.strip() or self.session.plan is None:
            return
        try:
            after = self._changed(text, self.session.document.project)
        except PlannerError as fault:
            self.show_refusal(refusal_words(fault))
            self._bar.field.selectAll()  # what is typed next is said instead
            return
        is_price = after.scenario(self.session.scenario).price_changes != self.session.plan.price_changes
        self._edit(partial(self._changed, text), is_price=is_price)
        self._bar.field.setText("")  # what was asked is a step of the project, none of the field

    def _edit(self, edit: Callable[[Project], Project], *, is_price: bool) -> None:
        plan = self.session.plan
        count = 0 if plan is None else 1 + len(plan.price_changes if is_price else plan.changes)
        label = labels.price_change_label(count) if is_price else labels.demand_change_label(count)
        self.session.gestures.edit(label, edit)

    def _remove(self, kind: str, number: int) -> None:
        """Takes out a dated change."""
        plan, scenario = self.session.plan, self.session.scenario
        if plan is None:
            return
        gestures = self.session.gestures
        if kind == PRICE:
            prices = (*plan.price_changes[:number], *plan.price_changes[number + 1 :])
            label = labels.price_change_label(len(prices))
            gestures.edit(label, lambda project: dates.change_prices(project, scenario, prices))
        else:
            demand = (*plan.changes[:number], *plan.changes[number + 1 :])
            label = labels.demand_change_label(len(demand))
            gestures.edit(label, lambda project: dates.change_demand(project, scenario, demand))


# --- The panel History on a document: its steps as they are done and undone, reasons, and the logs as files

REASON_STEPS = ("Say why: ", "Remove reason of: ")
"""How the names of steps begin that only give or take a reason: what they are about is asked for, not they."""


class HistoryFlow(QObject):
    """Told the session and the panel; draws only while the panel is seen."""

    def __init__(self, session: Session, panel: HistoryPanel, ways: Ways) -> None:
        super().__init__(session.window)
        self.session, self._panel, self._ways = session, panel, ways
        self._times: list[int] = []
        self._about: Text = ""  # what the reason asked for is of, as it was named and not as it is shown
        self._chosen: int | None = None  # a decision picked from the log; None: the newest step
        session.document.undo_stack.indexChanged.connect(self._follow)
        session.document.changed.connect(lambda _: self._draw())
        panel.seen.connect(self._draw)
        panel.step_chosen.connect(self._go_to)
        panel.reason_asked.connect(self._ask_of_step)
        panel.decision_chosen.connect(self._ask_of_decision)
        panel.reason_given.connect(self._give)
        panel.copy_asked.connect(self._copy)
        panel.export_asked.connect(self._export)

    def note(self) -> None:
        """Open the panel with the cursor in the reason of the newest step."""
        self._ways.panel("history")
        self._chosen = None
        self._draw()
        self._prompt(*self._asked(), is_asked=True)

    def _follow(self, index: int) -> None:
        """A step was done, undone or taken over: what is done now was done now."""
        if not isValid(self.session.document.undo_stack):
            return  # the stack says goodbye after the window is gone
        count = self.session.document.undo_stack.count()
        self._chosen = None
        if index == count and count != len(self._times):
            del self._times[max(0, index - 1) :]
            now_s = self.session.time_s() if index else 0
            self._times += [now_s] * (index - len(self._times))
        else:
            del self._times[count:]
        self._draw()

    # Showing

    @property
    def _plan(self) -> str:
        """The plan that is shown; empty for today and for a plan that is gone."""
        shown = self.session.scenario
        names = {plan.name for plan in self.session.document.project.scenarios}
        return shown if shown != TODAY and shown in names else ""

    def _decisions(self) -> tuple[Decision, ...]:
        """The decisions of the plan that is shown, oldest first."""
        plan = self._plan
        return tuple(self.session.document.project.scenario(plan).decisions) if plan else ()

    def _draw(self) -> None:
        """Shows steps, decisions and the question for a reason; nothing while the panel is hidden.

        Nor before the window says amounts in the project's currency, which the next evaluation brings: it asks again.
        """
        if not self._panel.isVisible() or self.session.document.project.currency != currency():
            return
        stack = self.session.document.undo_stack
        decisions = self._decisions()
        reasons: dict[str, Text] = {str(decision.what): decision.reason for decision in decisions}
        texts = [step_name(stack, number) for number in range(stack.count())]
        times = [*self._times, *[None] * (len(texts) - len(self._times))]
        steps = [
            StepLine(text, at_s, reasons.get(str(text), ""), str(text).startswith(REASON_STEPS))
            for text, at_s in zip(texts, times, strict=True)
        ]
        self._panel.show_steps(steps, stack.index())
        self._panel.show_decisions(self._plan, decisions)
        self._prompt(*self._asked())

    def _prompt(self, what: Text, reason: Text, *, is_asked: bool = False) -> None:
        """Asks why something was done, and remembers what the answer is about."""
        self._about = what
        self._panel.show_prompt(what, reason, is_asked=is_asked)

    def _asked(self) -> tuple[Text, Text]:
        """What a reason is asked for now, and the one that it has."""
        decisions = self._decisions()
        if self._chosen is not None and self._chosen < len(decisions):
            return decisions[self._chosen].what, decisions[self._chosen].reason
        what = self._newest()
        found = _last(decisions, what)
        return what, "" if found is None else decisions[found].reason

    def _newest(self) -> Text:
        """The name of the last step that is not itself a reason; the plan where there is none."""
        stack = self.session.document.undo_stack
        for number in range(stack.index() - 1, -1, -1):
            if not str(name := step_name(stack, number)).startswith(REASON_STEPS):
                return name if self._plan else ""
        return self._plan

    # What was asked of it

    def _go_to(self, index: int) -> None:
        """Undoes or does again up to a step."""
        if index != self.session.document.undo_stack.index():
            self.session.document.jump_to(index)

    def _ask_of_step(self, number: int) -> None:
        """Asks why a step was done; its latest decision has the reason given so far."""
        step = step_name(self.session.document.undo_stack, number - 1)
        self._chosen = number_of_decision = _last(self._decisions(), step)
        reason = "" if number_of_decision is None else self._decisions()[number_of_decision].reason
        self._prompt(step if self._plan else "", reason, is_asked=True)

    def _ask_of_decision(self, number: int) -> None:
        """Asks why a decision was made."""
        self._chosen = number
        self._prompt(*self._asked(), is_asked=True)

    def _give(self, reason: str) -> None:
        """Keeps the reason with its decision; a step that has none gets one noted."""
        decisions, gestures = self._decisions(), self.session.gestures
        number, what = self._chosen, self._about
        if number is None or number >= len(decisions):
            number = _last(decisions, what)
        if number is not None:
            gestures.say_why(number, reason)
        elif reason and self._plan:
            gestures.note(what, self.session.time_s(), reason)
        self._draw()

    def _copy(self) -> None:
        """Puts the decisions of the plan on the clipboard as text."""
        from gpuplanner.files.export.decision_log import decisions_text

        if plan := self._plan:
            project = self.session.document.project
            QGuiApplication.clipboard().setText(decisions_text([project.scenario(plan)], project.currency))

    def _export(self) -> None:
        """Asks for a file and writes the decisions of all plans into it."""
        kinds = tr("Tables (*.csv);;Text (*.txt)")
        path, _ = save_file(self.session.window, tr("Export the decisions"), "decisions.csv", kinds)
        if path:
            self.export_to(Path(path))

    def export_to(self, path: Path) -> None:
        """Write the logs of all plans to a file; what goes wrong is said."""
        from gpuplanner.files.export.decision_log import write_decisions

        with errors_in_dialog(self.session.window):
            project = self.session.document.project
            write_decisions(project.scenarios, path, project.currency)


def _last(decisions: tuple[Decision, ...], what: Text) -> int | None:
    """The number of the latest decision of these words; None if there is none."""
    latest = range(len(decisions) - 1, -1, -1)
    return next((at for at in latest if str(decisions[at].what) == str(what)), None)


# --- Plans in the window: added, named, moved, compared, asked "what if", and remembered ---------

OF_A_TAB = ("rename_plan", "duplicate_plan", "plan_left", "plan_right", "delete_plan")


class PlansFlow(QObject):
    """Told the session and the views of plans. pages: the stack that a comparison is shown in; go_to: the menu of all
    scenarios; what_if_bar: what holds the strip; question_bar: what holds the row of the question.
    """

    horizon_changed = Signal()

    def __init__(
        self,
        session: Session,
        bar: ScenarioBar,
        by_id: Mapping[str, QAction],
        go_to: QMenu,
        pages: QStackedWidget,
        history: HistoryPanel,
        what_if_bar: QToolBar,
        strip: WhatIfStrip,
        question_bar: QToolBar,
        question: QuestionBar,
        ways: Ways,
    ) -> None:
        super().__init__(session.window)
        self.session, self._by_id, self._go_to, self._ways = session, by_id, go_to, ways
        gestures = session.gestures
        self.compare = CompareFlow(session, pages, by_id["compare"], ways)
        self.history = HistoryFlow(session, history, ways)
        self.what_if_bar = what_if_bar
        self.what_if_bar.hide()
        self.what_if = WhatIfFlow(session, strip)
        self.question_bar, self.question_flow = question_bar, question
        self.question_bar.hide()
        self.question = QuestionFlow(session, question, self.what_if.mix)
        self.what_if.refused.connect(self.question.show_refusal)
        bar.plan_asked.connect(gestures.add_plan)
        bar.plan_asked_from.connect(gestures.add_plan)
        bar.plan_menu_asked.connect(self._open_menu)

    def show_for(self, *, is_plan: bool) -> None:
        """What belongs to a plan that is looked at alone is there, or is not."""
        is_alone = is_plan and not self.compare.is_visible
        is_visible = is_alone and self._by_id["what_if"].isChecked()
        self.session.gestures.is_asking = is_visible
        self.question_bar.setVisible(is_alone and self.session.is_asking)
        if is_alone:
            self.question.show()
        if self.what_if_bar.isHidden() == is_visible:
            self.what_if_bar.setVisible(is_visible)
            self.what_if.turn(is_visible)

    def turn_what_if(self) -> None:
        """Show the sliders over the board, or hide them, as the tick says; what is typed next is a change in words."""
        self.show_for(is_plan=self.session.scenario != TODAY and self.session.has_workspace)
        self.horizon_changed.emit()
        if self._by_id["what_if"].isChecked() and self.what_if_bar.isVisible():
            self.question.say()

    def fill_menu(self, names: tuple[str, ...]) -> None:
        """The menu of all scenarios, the first nine with a shortcut."""
        menu = self._go_to
        titles = [tr(TODAY), *names]
        if [action.data() for action in menu.actions()] == titles:
            return
        menu.clear()
        for number, (title, name) in enumerate(zip(titles, (TODAY, *names), strict=True), 1):
            action = add_named(menu, title, lambda name=name: self._ways.scenario(name))
            action.setData(title)
            action.setShortcut(QKeySequence(plan_keys(number)))

    def ask_in_words(self) -> None:
        """Open What if, with the keyboard in the field where a change is said."""
        if not self._by_id["what_if"].isChecked():
            self._by_id["what_if"].trigger()
        self.question.say()

    def ask_name(self) -> None:
        """Ask for another name of the plan that is shown."""
        from gpuplanner.ui.kit.dialogs import ask_text

        session = self.session
        if session.scenario != TODAY:
            title, label = tr("Rename plan"), tr("Plan name")
            name = ask_text(session.window, title, label, session.scenario, "Rename")
            session.gestures.rename_plan(name or "")

    def _open_menu(self, name: str, place: QPoint) -> None:
        """Opens the menu of a plan's tab; the plan is shown once something of it is chosen."""
        menu = passing_menu(self.session.window)
        for action in (self._by_id[action_id] for action_id in OF_A_TAB):
            menu.addAction(action.text(), partial(self._do, name, action)).setShortcut(action.shortcut())
        menu.exec(place)

    def _do(self, name: str, action: QAction) -> None:
        """Does what an action does with a plan."""
        if name != self.session.scenario:
            self._ways.scenario(name)
        action.trigger()
