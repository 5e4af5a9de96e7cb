"""Plans in the window: added, named, moved, compared and asked 'what if'."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QStackedWidget, QToolBar

from gpuplanner.charts.kit.plain_text import add_named
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.flows.compare_flow import CompareFlow
from gpuplanner.ui.flows.history_flow import HistoryFlow
from gpuplanner.ui.flows.question_flow import QuestionFlow
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.flows.what_if_flow import WhatIfFlow
from gpuplanner.ui.frame.question_bar import QuestionBar
from gpuplanner.ui.frame.scenario_bar import ScenarioBar
from gpuplanner.ui.frame.what_if import WhatIfStrip
from gpuplanner.ui.kit.page_parts import passing_menu
from gpuplanner.ui.panels.actions.history import HistoryPanel
from gpuplanner.ui.words.commands import plan_keys

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
        self.question = QuestionFlow(session, question, self.what_if.mix, ways)
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
        from gpuplanner.ui.kit.small_dialogs import ask_text

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
