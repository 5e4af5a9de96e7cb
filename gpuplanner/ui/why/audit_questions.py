"""Questions about figures of the audit: the trace is requested, shown, and its rows followed."""

from collections.abc import Callable, Collection
from typing import Any, Protocol

from PySide6.QtCore import QObject, QRect, QSize, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from gpuplanner.app.past.audit_answers import Tracer
from gpuplanner.charts.kit.plain_text import show_tip_at
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.audit_evidence import hours_in, scope_words
from gpuplanner.domain.evidence.serving import OF_PLACES
from gpuplanner.domain.evidence.trace import JOBS, Trace, parts_of
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.dialogs import AnsweringDialog
from gpuplanner.ui.state.view_state import Pairs, ViewState, inputs_of
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.why.popover import WhyPopover
from gpuplanner.ui.why.written_trace import why_of

Sources = tuple[tuple[Collection[str], Callable[[str], Trace]], ...]
"""Kinds of figures that are answered at once, and what answers for them; those of the audit take a thread."""


class WayBack(Protocol):
    """A sheet that can lead back to where it was opened."""

    accepted: Any  # Signal: the way back was taken
    rejected: Any  # Signal: it was closed

    def offer_way_back(self) -> None:
        """Show the button for it."""


class AuditQuestions(QObject):
    """Told what is shown by a function; a popover says the answer, the trace of a row stands in the same popover.

    sources: who answers for figures that are none of the audit's; own_inputs: what was read for some of their kinds.
    """

    # CardFigures, hours of the window that count (None: all), in words
    jobs_asked = Signal(object, object, object)
    failed = Signal(object)

    def __init__(self, popover: WhyPopover, shown: Callable[[], ViewState | None], parent: QWidget) -> None:
        super().__init__(parent)
        self._popover, self._shown = popover, shown
        self._origin: tuple[QWidget, QRect | None] | None = None
        self._own: Callable[[str], Trace] | None = None  # of the dialog whose figure was asked about
        self._is_next = False
        self._left: tuple[Why, ...] = ()  # the answers that the jobs were opened from
        self._left_at: tuple[QWidget, QRect | None] | None = None
        self.sources: Sources = ()
        self.own_inputs: dict[str, Callable[[], Pairs]] = {}
        self.tracer = Tracer(self)
        self.tracer.answered.connect(self._take)
        self.tracer.failed.connect(self.failed)
        popover.followed.connect(self.follow)

    def ask(self, figure_id: str, origin: QWidget, place: QRect | None = None) -> None:
        """Answer for a figure that stands at a place of a widget."""
        self._origin, self._is_next, self._own = (origin, place), False, None
        self._ask(figure_id)

    def answer_for(self, dialog: AnsweringDialog) -> None:
        """A dialog that is not yet done: it answers for its own figures, the window for those of the project."""

        def ask(figure_id: str, origin: QWidget, place: QRect | None) -> None:
            """Asks for a dialog's figure, and answers beside it."""
            self._origin, self._is_next, self._own = (origin, place), False, dialog.trace
            self._ask(figure_id)

        dialog.figure_opened.connect(ask)

    def show(self, answer: Why, origin: QWidget) -> None:
        """An answer that is there; its rows lead on as those of others do."""
        self._origin, self._own = (origin, None), None
        self._popover.show_why(answer, origin)

    def follow(self, figure_id: str) -> None:
        """A row of the answer that is shown was opened: the next answer, or the jobs behind it."""
        kind, scope, key = parts_of(figure_id)
        if kind == JOBS:
            self._open_jobs(scope, key)
        else:
            self._is_next = True
            self._ask(figure_id)

    @property
    def can_resume(self) -> bool:
        """Whether the jobs in sight were opened from an answer that can be come back to."""
        return bool(self._left)

    def offer_way_back(self, sheet: WayBack) -> None:
        """A sheet of jobs that was opened from an answer leads back to it."""
        if self.can_resume:
            sheet.offer_way_back()
            sheet.accepted.connect(self.resume)
            sheet.rejected.connect(self.forget)

    def resume(self) -> None:
        """Back from the jobs to the answer that they were opened from, with the way that led there."""
        left, self._left = self._left, ()
        # of the jobs themselves much may have been asked
        at, self._left_at, self._own = (self._left_at, None, None)
        if not left or at is None or self._shown() is None:
            return
        if not (isValid(at[0]) and at[0].isVisible()):  # drawn anew, or closed, while the jobs were looked at
            window = self._popover.parentWidget()
            assert window is not None, "it stands over a window"
            at = (window, QRect(window.rect().center(), QSize(1, 1)))
        self._origin = at
        self._popover.show_again(left, *at)

    def forget(self) -> None:
        """The jobs are closed for good."""
        self._left = ()

    def _ask(self, figure_id: str) -> None:
        """Finds the trace: a dialog's own figures first, then the first source that knows the kind."""
        shown = self._shown()
        if self._own is not None:
            try:
                self._take(replace(self._own(figure_id), figure_id=figure_id))
            except (KeyError, StopIteration):  # it is none of the dialog's own
                pass
            else:
                return
        if shown is None:
            return
        answer = next((answer for kinds, answer in self.sources if parts_of(figure_id)[0] in kinds), None)
        if answer is not None:
            try:
                trace = answer(figure_id)
            except (
                KeyError,
                StopIteration,
            ):  # what is shown is of a moment before: a new answer is on its way
                self._say_settling()
                return
            self._take(trace)
        else:
            evaluation = shown.evaluation
            self.tracer.ask(evaluation.project, evaluation.audit, figure_id, shown.fit or ())

    def _say_settling(self) -> None:
        """Says beside the figure that it is being worked out anew."""
        if self._origin is not None and isValid(self._origin[0]):
            widget, place = self._origin
            at = (place or widget.rect()).bottomLeft()
            show_tip_at(widget.mapToGlobal(at), tr("Still calculating. Try again shortly."), widget)

    def _take(self, trace: Trace) -> None:
        """Shows an answer at its figure, or after the one that is open.

        Drops it where the figure is gone by now.
        """
        shown, kind = self._shown(), parts_of(trace.figure_id)[0]
        own = self.own_inputs.get(kind)
        if self._origin is None or not isValid(self._origin[0]) or (shown is None and own is None):
            return
        if own is not None:
            inputs = own()
        elif shown:
            inputs = inputs_of(shown, of_places=kind in OF_PLACES)
        else:
            inputs = ()
        answer = why_of(trace, inputs)
        if self._is_next and self._popover.isVisible():
            self._popover.show_next(answer)
        elif not self._is_next and self._origin[0].isVisible():
            self._popover.show_why(answer, *self._origin)

    def _open_jobs(self, scope: str, key: str) -> None:
        """Opens the jobs of a card, in the hours of the answer's scope.

        The answer comes back when they are closed.
        """
        shown, evidence = self._shown(), self.tracer.evidence
        card: CardFigures | None = (
            next((one for one in shown.cards if one.key == key), None) if shown else None
        )
        if card is None or (scope and evidence is None):
            return
        self._left, self._left_at = self._popover.answers, self._origin
        self._popover.hide()
        if not scope or evidence is None:
            self.jobs_asked.emit(card, None, "")
            return
        inside = hours_in(scope, evidence.project.window, evidence.hours(card.cluster))
        self.jobs_asked.emit(card, inside, scope_words(scope, card.cluster))
