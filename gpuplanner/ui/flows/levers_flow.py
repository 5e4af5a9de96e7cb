"""Levers of a plan in the window: a team that stops, and the limits that the plan keeps to; one edit each."""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.app.questions.trying import Tried, Trying
from gpuplanner.domain import edits
from gpuplanner.domain.edits.find import workloads_called
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded, worded_count
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.limits import limits_of
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.kit.dialogs import stand_below
from gpuplanner.ui.plans.stop_effect import StopEffect
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr
from gpuplanner.ui.words.window_words import refusal_words


class LeversFlow(QObject):
    """Told the session and the board; everything it does is in the plan that is shown."""

    def __init__(
        self, session: Session, board: Board, headline: QWidget, answer_for: Callable[[Any], None]
    ) -> None:
        """headline: stays in sight of limits; answer_for: told of a dialog whose figures can be asked about."""
        super().__init__(session.window)
        self._session, self._board, self._headline = session, board, headline
        self._answer_for = answer_for
        self.trying = Trying(self)
        board.team_stop_asked.connect(self.ask_team)

    @property
    def _project(self) -> Project:
        return self._session.document.project

    def _teams(self, plan: Scenario) -> dict[str, tuple[str, ...]]:
        """Workloads of each team: that with the most GPU-hours a month first, work without a team last."""
        evaluation = self._session.evaluation
        gpu_hours: dict[str, float] = defaultdict(float)
        for card in evaluation.figures.cards if evaluation is not None else ():
            gpu_hours[card.owner] += card.gpu_hours_per_month
        found = edits.teams_of(self._project, plan)
        return {
            team: found[team] for team in sorted(found, key=lambda team: (not team, -gpu_hours[team], team))
        }

    # A team that stops

    def ask_team(self, team: str = "") -> None:
        """Ask which team's workloads stop, and when; team: the one to begin with, "" for that of the selected card."""
        from gpuplanner.ui.plans.team_dialog import TeamDialog, choices_of

        project, plan, scenario = self._project, self._session.plan, self._session.scenario
        if plan is None:
            return
        teams = self._teams(plan)
        if not teams:
            return
        choices = choices_of(teams, lambda key: spoken(workloads_called(project, (key,))))
        begins_s = project.plan_window.end_s
        dialog = TeamDialog(
            choices,
            begins_s,
            partial(self._refusal_of, scenario),
            self._session.palette,
            self._session.window,
            team or self._selected_team(),
        )

        dialog.chosen.connect(
            lambda team, day_s: self._try(
                dialog.effect, lambda of: edits.stop_team(of, scenario, team, day_s)
            )
        )
        self._hear(dialog, dialog.effect)
        dialog.stop_asked.connect(partial(self._stop_team, scenario))
        self._open(dialog)
        dialog.begin()

    def _selected_team(self) -> str:
        """The team of the first selected card; "" where none is selected."""
        keys = self._board.selected_keys()
        evaluation = self._session.evaluation
        cards = evaluation.figures.cards if evaluation is not None else ()
        return next((card.owner for card in cards if keys and card.key == keys[0]), "")

    def _refusal_of(self, scenario: str, team: str, day_s: int) -> str:
        """Why a team cannot stop on a day; "" where it can."""
        try:
            after = edits.stop_team(self._project, scenario, team, day_s)
        except PlannerError as fault:
            return refusal_words(fault)
        return tr("All of it is over by then") if after is self._project else ""

    def watch(self, dialog: Any, edit_of: Callable[[int, Project], Project]) -> None:
        """Has a dialog that asks for the day of a stop say what it would save. edit_of: told the moment, the edit."""
        dialog.tried.connect(lambda at_s: self._try(dialog.effect, partial(edit_of, at_s)))
        self._hear(dialog, dialog.effect)
        self._answer_for(dialog)

    def _hear(self, dialog: QDialog, effect: StopEffect) -> None:
        """While the dialog is open it is told what was worked out."""

        def tried(found: Tried) -> None:
            effect.show_plans(found.before, found.after)

        def failed(error: Exception) -> None:
            effect.show_unknown(tr("What it saves cannot be worked out: {error}", error=error))

        self.trying.answered.connect(tried)
        self.trying.failed.connect(failed)

        def let_go() -> None:
            self.trying.answered.disconnect(tried)
            self.trying.failed.disconnect(failed)

        dialog.finished.connect(lambda _: let_go())

    def _try(self, effect: StopEffect, edit: Callable[[Project], Project]) -> None:
        """Has it worked out what the plan would be after an edit."""
        evaluation = self._session.evaluator.evaluation
        if evaluation is None or evaluation.advice is None or evaluation.project is not self._project:
            effect.show_unknown(tr("The plan is being worked out: choose again once its figures are there."))
            return
        self.trying.ask(evaluation, edit(self._project))

    def _stop_team(self, scenario: str, team: str, day_s: int) -> None:
        """Stops the workloads of a team: one step."""
        label = edits.stop_team_label(self._project, team, day_s)
        self._session.gestures.edit(label, lambda project: edits.stop_team(project, scenario, team, day_s))

    # Limits

    def ask_limits(self) -> None:
        """Show the limits of the plan with what each costs, and let them be changed."""
        from gpuplanner.ui.plans.limits_dialog import Group, LimitsDialog

        plan, project = self._session.plan, self._project
        if plan is None:
            return
        groups = [Group(called, keys) for called, keys in self._groups(plan)]
        dialog = LimitsDialog(groups, edits.sellers_in(project), self._session.palette, self._session.window)

        def show(*_: object) -> None:
            """The limits as they are now, of the plan or of the question that a change of them is, and their costs."""
            now = self._session.plan
            if now is None:
                return
            values = self._project.assumptions_in(now)
            dialog.show_values(now.name, values, now.only, now.shares)
            evaluation = self._session.evaluator.evaluation
            is_this = evaluation is not None and evaluation.project is self._project
            outlook = evaluation.outlook if evaluation is not None and is_this else None
            there = {workload.key for workload in self._project.workloads}
            has_limits = bool(limits_of(now, values, there))
            dialog.show_costs(outlook, is_settling=outlook is None, has_limits=has_limits)

        def limit(group: Group, only: Only) -> None:
            """One step for all of them."""
            self._session.gestures.limit(group.keys, only, group.called)

        dialog.limit_changed.connect(self._session.gestures.set_assumption)
        dialog.only_asked.connect(limit)
        dialog.share_asked.connect(self._session.gestures.limit_share)
        self._session.document.changed.connect(show)
        self._session.evaluator.evaluated.connect(show)

        def let_go() -> None:
            self._session.document.changed.disconnect(show)
            self._session.evaluator.evaluated.disconnect(show)

        dialog.finished.connect(lambda _: let_go())
        show()
        stand_below(dialog, self._headline)  # what a limit changes is seen there
        self._open(dialog)

    def _groups(self, plan: Scenario) -> list[tuple[Any, tuple[str, ...]]]:
        """The selected workloads, those of each pool of the plan, those of each team; none that is empty."""
        project, evaluation = self._project, self._session.evaluation
        found: list[tuple[Any, tuple[str, ...]]] = []
        selected = self._board.selected_workloads() if self._board.selection.selected_keys() else ()
        if selected:
            found.append((workloads_called(project, selected), selected))
        in_pool: dict[Pool, dict[str, None]] = {pool: {} for pool in POOLS}
        for card in evaluation.figures.cards if evaluation is not None else ():
            in_pool[card.pool][whole_key(card.key, plan.splits)] = None
        for pool, keys in in_pool.items():
            if keys:
                count = worded_count(
                    len(keys), "{count} workload", "{count} workloads", count=whole(len(keys))
                )
                found.append((worded("{pool}, {count}", pool=lane_of(pool).title, count=count), tuple(keys)))
        for team, of_team in self._teams(plan).items():
            if team:
                found.append((worded("team {team}", team=team), of_team))
        return found

    def _open(self, dialog: Any) -> None:
        """Opens a dialog whose figures answer why; it goes when it is closed."""
        from PySide6.QtCore import Qt

        self._answer_for(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
