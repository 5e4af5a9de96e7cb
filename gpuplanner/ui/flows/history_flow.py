"""The panel History on a document: its steps, reasons, and the logs as files."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from gpuplanner.app.document import step_name
from gpuplanner.charts.kit.translation import currency, tr
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.plan.scenario import TODAY, Decision
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.file_dialogs import save_file
from gpuplanner.ui.kit.small_dialogs import errors_in_dialog
from gpuplanner.ui.panels.actions.history import HistoryPanel, StepLine

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
        reasons: dict[str, Text] = {str(decision.text): decision.reason for decision in decisions}
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
            return decisions[self._chosen].text, decisions[self._chosen].reason
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
        what = step_name(self.session.document.undo_stack, number - 1)
        self._chosen = found = _last(self._decisions(), what)
        reason = "" if found is None else self._decisions()[found].reason
        self._prompt(what if self._plan else "", reason, is_asked=True)

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
    return next((number for number in latest if str(decisions[number].text) == str(what)), None)
