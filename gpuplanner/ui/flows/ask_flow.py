"""Asks in words: a question or a change that is typed, answered in a dialog; what is kept is one step of Undo."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject

from gpuplanner.app.past.waits import KeptQueue, Queueing
from gpuplanner.app.plans.trying import Trying
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.ask.answers import OF_OUTLOOK, SLOW, answer_question
from gpuplanner.domain.ask.changes import Change, Question, answer_change, asked_of, understood
from gpuplanner.domain.ask.reading import Asked, NotUnderstoodError
from gpuplanner.domain.edits import labels
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text
from gpuplanner.files.system.resources import (
    gpu_families,
    read_question_figures,
    read_question_forms,
    read_tables,
)
from gpuplanner.files.tables.provider_words import provider_named
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import open_once
from gpuplanner.ui.words.question_words import question_words


class AskFlow(QObject):
    """Told the session; open_panel: brings a panel into view, by its name and that of a view."""

    def __init__(self, session: Session, open_panel: Callable[..., None]) -> None:
        super().__init__(session.window)
        self.session, self._open_panel = session, open_panel
        self.trying = Trying(self)
        self._queueing: Queueing | None = None

    def hear_queue(self, queue: KeptQueue) -> None:
        """Where the jobs of the log are kept, for who waits."""
        self._queueing = Queueing(queue, self)

    def asked(self) -> Asked | None:
        """The plan that is shown as something to ask; None while it is worked out, and on Today."""
        evaluation = self.session.evaluator.evaluation
        if self.session.plan is None or evaluation is None:
            return None
        if evaluation.advice is None or evaluation.advice.is_settling:
            return None
        if evaluation.project is not self.session.document.project:
            return None
        return asked_of(evaluation, gpu_families(), read_tables().node_gpus, provider_named)

    def ask(self, typed: str) -> None:
        """Answer what was typed, in a dialog."""
        from gpuplanner.ui.plans.ask_dialog import AskDialog

        asked, evaluation = self.asked(), self.session.evaluator.evaluation
        dialog = AskDialog(typed, self.session.window)
        dialog.asked_instead.connect(self.ask)
        open_once(dialog)
        if asked is None or evaluation is None:
            why = tr("Still calculating. Try again shortly.")
            if self.session.plan is None:
                why = tr("Today is read only. Ask again in a plan.")
            dialog.show_no_answer(why)
            return
        forms = read_question_forms()
        try:
            meant = understood(typed, forms, asked)
            if isinstance(meant, Question):
                self._answer(dialog, meant, evaluation)
            else:
                self._try(dialog, meant, typed, evaluation)
        except NotUnderstoodError as fault:
            dialog.show_not_understood(fault.what, fault.instead)

    def _answer(self, dialog: Any, meant: Question, evaluation: Evaluation) -> None:
        """Shows figures of the plan, and where they stand."""
        page = next((form.page.split() for form in read_question_forms() if form.form == meant.form), [])
        if evaluation.outlook is None and meant.form in OF_OUTLOOK:
            dialog.show_no_answer(tr("Still calculating. Try again shortly."))
            return
        dialog.show_meaning("", can_be_kept=False, has_page=bool(page))
        dialog.page_asked.connect(partial(self._open_panel, *page))
        if meant.form in SLOW and self._queueing is not None:
            _show_once(dialog, self._queueing, lambda found: found.sentence)
            self._queueing.ask_question(meant, evaluation, self.session.now_s or 0)
        else:
            dialog.show_answer(answer_question(meant, evaluation, read_question_figures()).sentence)

    def _try(self, dialog: Any, change: Change, typed: str, evaluation: Evaluation) -> None:
        """Has the plan worked out with the change; kept, it is one step."""
        project, scenario = self.session.document.project, self.session.scenario
        after = change.edit(project)
        words = question_words(after, after.scenario(scenario), project.scenario(scenario))
        dialog.show_meaning(
            (spoken(change.title) or words) * change.is_kept, can_be_kept=change.is_kept, has_page=False
        )

        def keep() -> None:
            self.session.gestures.edit(labels.asked_label(typed), change.edit)

        _show_once(
            dialog, self.trying, lambda tried: answer_change(change, tried.before, tried.after).sentence
        )
        dialog.keep_asked.connect(keep)
        self.trying.ask(evaluation, after)


def _show_once(dialog: Any, thread: Trying | Queueing, sentence: Callable[[Any], Text]) -> None:
    """Shows what a thread answers, or why it cannot, for as long as the dialog is there."""

    def answered(found: object) -> None:
        dialog.show_answer(sentence(found))

    def failed(error: object) -> None:
        dialog.show_no_answer(tr("Cannot be calculated: {error}", error=str(error)))

    def left(_: int) -> None:
        thread.cancel()  # what nobody waits for holds up what is asked next
        thread.answered.disconnect(answered)
        thread.failed.disconnect(failed)

    thread.answered.connect(answered)
    thread.failed.connect(failed)
    dialog.finished.connect(left)
