"""The comparison of plans in the window: its plans, when it is shown and left."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from gpuplanner.app.plans.comparing import Comparing, Comparison
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.plan.comparison import OF_COMPARISON
from gpuplanner.domain.evidence.plan.layers import ComparisonEvidence
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.small_dialogs import show_error
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.ui.compare.page import ComparePage


class CompareFlow(QObject):
    """Told the session and the stack of pages. The page is made when it is asked for first."""

    turned = Signal(bool)  # whether plans are compared from now on

    def __init__(self, session: Session, pages: QStackedWidget, action: QAction, ways: Ways) -> None:
        super().__init__(session.window)
        self.session, self._pages, self._action, self._ways = session, pages, action, ways
        self._page: ComparePage | None = None
        self.names: tuple[str, ...] = ()
        self._before: QWidget | None = None
        self._came_from: QWidget | None = None
        # what its answers stand on, once asked for
        self._evidence: tuple[Comparison, ComparisonEvidence] | None = None
        self.comparing = Comparing(self)
        self.comparing.compared.connect(self._take)
        self.comparing.failed.connect(self._fail)
        action.setCheckable(True)
        session.document.changed.connect(self._follow)
        session.evaluator.evaluated.connect(self._ask_of)

    @property
    def is_visible(self) -> bool:
        """Whether plans are compared now."""
        return self._page is not None and self._pages.currentWidget() is self._page

    @property
    def page(self) -> "ComparePage":
        """The page."""
        from gpuplanner.ui.compare.page import ComparePage

        if self._page is None:
            page = ComparePage()
            page.head.chosen.connect(self.compare)
            page.left.connect(self.leave)
            page.head.cancel_asked.connect(self._cancel)
            page.duplicate_asked.connect(self.session.gestures.duplicate_plan)
            page.workload_asked.connect(self._show_workload)
            page.figure_opened.connect(self._ways.why)
            self.comparing.progressed.connect(page.head.show_progress)
            self._pages.addWidget(page)
            self._page = page
        return self._page

    def trace(self, figure_id: str) -> Trace:
        """The answer for a figure of the comparison. Errors: KeyError, StopIteration where there is none."""
        from gpuplanner.ui.compare.comparison_evidence import comparison_evidence

        comparison = None if self._page is None else self._page.comparison
        if comparison is None:
            raise KeyError(figure_id)
        if self._evidence is None or self._evidence[0] is not comparison:
            self._evidence = comparison, comparison_evidence(comparison, self.session.time_s())
        return OF_COMPARISON.answer(self._evidence[1], figure_id)

    def ask_why_of(self, widget: QWidget) -> bool:
        """Ask about the figure that the keyboard stands on in a widget; whether it is one of the comparison."""
        return self._page is not None and self.is_visible and self._page.ask_why_of(widget)

    def turn(self) -> None:
        """Compare, or go back to the plan."""
        if self.is_visible:
            self.leave()
        else:
            self.enter()

    def enter(self) -> None:
        """Compare a question with its plan, another plan with the one beside it, or the plans compared last."""
        page = self.page
        focused = QApplication.focusWidget()
        self._came_from = focused if self._is_of_window(focused) else None
        self._pages.setCurrentWidget(page)
        self.turned.emit(True)
        self._action.setChecked(True)
        self.compare(self._standing(self.names))
        (page.head.first if len(self.names) > 1 else page.alone.button).setFocus()

    def leave(self) -> None:
        """Back to the plan that was shown, and to what had the keyboard."""
        self.comparing.cancel()
        self._action.setChecked(False)
        if self.is_visible:
            self.turned.emit(False)
            if self._came_from is not None and self._came_from.isVisible():
                self._came_from.setFocus()

    def compare(self, names: tuple[str, ...]) -> None:
        """Compare these plans, two or three, or one with do nothing."""
        self.names = names
        self.page.show_names(self._all(), self.names)
        self._ask()

    def _is_of_window(self, focused: QWidget | None) -> bool:
        """Whether a widget is in the main window, and not in a dialog or the presenter."""
        window = self.session.window
        return focused is not None and window is not None and window.isAncestorOf(focused)

    def _all(self) -> tuple[str, ...]:
        """The names of all plans in their order."""
        return tuple(plan.name for plan in self.session.document.project.scenarios)

    def _standing(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the wanted plans that there are; else the one shown and its neighbour.

        A question is held against the plan that it is asked of, and so it is once it is kept, by its name.
        """
        names = self._all()
        kept = tuple(name for name in wanted if name in names)
        shown = self.session.scenario
        asked_of = self.session.document.project.plan_before(shown)
        if asked_of is not None and not {asked_of.name, shown} <= {*kept}:
            return (asked_of.name, shown)
        if len(kept) >= 2 and (shown == TODAY or shown in kept):
            return kept
        if sources := [name for name in names if shown.startswith(f"{name}{numbers.MIDDOT}")]:
            return (max(sources, key=len), shown)
        first = shown if shown in names else next(iter(names), "")
        at = names.index(first) if first else 0
        beside = names[at + 1 : at + 2] or names[at - 1 : at] if len(names) > 1 else ()
        return tuple(sorted((first, *beside) if first else (), key=names.index))

    def _follow(self, project: Project) -> None:
        """The project changed while plans are compared."""
        if not self.is_visible:
            return
        if not (project.workloads or project.contracts or project.offers):
            self.leave()
            return
        self.names = self._standing(self.names)
        self.page.show_names(self._all(), self.names)

    def _ask(self) -> None:
        """Asks for the comparison of what is evaluated now."""
        if self.session.evaluation is not None:
            self._ask_of(self.session.evaluation)

    def _ask_of(self, evaluation: Evaluation) -> None:
        """Work out what is compared, from the audit that is known of the newest project."""
        if not {*self.names} <= {*self._all()}:  # Undo took a plan, and the session shows another one by now
            self._follow(evaluation.project)
        if not self.is_visible or not self.names:
            return
        if evaluation.project is self.session.document.project:
            self.comparing.ask(evaluation.project, evaluation.audit, self.names)

    def _take(self, comparison: Comparison) -> None:
        """Shows a comparison if it is still the one that is wanted.

        It comes twice, the second time with worths.
        """
        if comparison.worths is not None and self._page is not None:
            self._page.head.end_progress()
        if self.is_visible and tuple(side.scenario.name for side in comparison.sides) == self.names:
            self.page.show_comparison(comparison)

    def _cancel(self) -> None:
        """Stops working out what changes are worth; the rest stays."""
        self.comparing.cancel()
        self.page.head.end_progress()

    def _fail(self, error: Exception) -> None:
        self.page.head.end_progress()
        show_error(self.session.window, error)

    def _show_workload(self, key: str) -> None:
        """Leaves the comparison and goes to a card."""
        self.leave()
        self._ways.workload(key)
