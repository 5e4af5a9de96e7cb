"""Questions in the window: edits while What if is open go into a scratch copy, kept or discarded."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.plan.comparison import changes_of
from gpuplanner.domain.demand.model_names import ModelMix
from gpuplanner.domain.edits import dates, labels
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import TODAY, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.frame.question_bar import QuestionBar
from gpuplanner.ui.words import numbers, plan_changes
from gpuplanner.ui.words.dated_words import change_words, price_change_words, price_changes_words
from gpuplanner.ui.words.question_words import kept_name, question_words
from gpuplanner.ui.words.window_words import refusal_words

DEMAND, PRICE = "demand", "price"


class QuestionFlow(QObject):
    """Told the session, the bar of the question, how to learn what the sliders of a plan start from, and who answers
    why.
    """

    def __init__(
        self, session: Session, bar: QuestionBar, mix: Callable[[], ModelMix | None], ways: Ways
    ) -> None:
        super().__init__(session.window)
        self.session, self._bar, self._mix, self._ways = session, bar, mix, ways
        bar.change_opened.connect(self._ask_why)
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
        words = "" if asked is None else question_words(project, *asked, self._mix())
        self._bar.show_question(words, self.change_words() if words else "")
        if (plan := self.session.plan) is not None:
            demand = [(DEMAND, at, change_words(project, change)) for at, change in enumerate(plan.changes)]
            prices = [(PRICE, at, price_change_words(change)) for at, change in enumerate(plan.price_changes)]
            self._bar.show_steps((*demand, *prices))

    def change_words(self) -> str:
        """Return what the question changes of the plan's cost in the headline's period, and next month if its sign
        differs; an ellipsis until it is known, empty if it is unknown."""
        shown = self.session.view_state
        after = None if shown is None else shown.at_start.evaluation.advice
        if (
            shown is None
            or after is None
            or shown.before is None
            or shown.evaluation.scenario != self.session.scenario
        ):
            return plan_changes.PENDING
        changes, horizon = changes_of(shown.before, after), self.session.horizon
        parts = (plan_changes.change_words(changes[horizon]), plan_changes.beside_words(horizon, changes))
        return numbers.MIDDOT.join(filter(None, parts))

    def _ask_why(self) -> None:
        """Ask why the question changes the plan's cost by that much."""
        if self.session.view_state is not None and self.change_words() != plan_changes.PENDING:
            self._ways.why(figure(AHEAD["changed"].why, self.session.horizon.value), self._bar.change)

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
