"""What a plan says of time, in the window: dates of workloads, work that no log has, steps of demand; one edit each."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gpuplanner.domain import edits
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.edits.find import workloads_called
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.dated import PlannedWork, check_planned
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.date_verbs import ASKING, BACK, BEGIN, END, STOP
from gpuplanner.ui.words.dated_words import change_words
from gpuplanner.ui.words.translation import spoken, tr
from gpuplanner.ui.words.window_words import refusal_words

OFFERED_DAYS = 90
"""How long after a plan begins an end is proposed that nobody said yet."""

NAMED_AT_MOST = 12
"""Workloads that a question names; of more it says how many."""

Edit = Callable[[Project], Project]


class DatedFlow(QObject):
    """Told the session and the board; everything it does is in the plan that is shown."""

    def __init__(
        self, session: Session, board: Board, watch: Callable[[Any, Callable[[int, Project], Project]], None]
    ) -> None:
        """watch: has a dialog for the day of a stop, with its edit by the moment, say what that would save."""
        super().__init__(session.window)
        self._session, self._board, self._watch = session, board, watch
        board.dates_asked.connect(self.ask_dates)
        board.planned_asked.connect(self.ask_planned)
        board.planned_dropped.connect(self.drop_planned)
        board.demand_asked.connect(self.ask_demand)
        self._new_key = ""  # planned work whose card, or whose card's place, is still to come
        self._is_new_shown = False
        session.evaluator.evaluated.connect(self._show_new)

    @property
    def _project(self) -> Project:
        """The project as it is now."""
        return self._session.document.project

    def _edit(self, label: Message, edit: Edit) -> None:
        """One step that can be undone."""
        self._session.gestures.edit(label, edit)

    def _refusal(self, edit: Edit) -> str:
        """Why an edit cannot be; "" where it can."""
        try:
            edit(self._project)
        except PlannerError as fault:
            return refusal_words(fault)
        return ""

    # When workloads are there

    def ask_dates(self, verb: str, keys: tuple[str, ...]) -> None:
        """Do, or ask for the day of, one of DATE_VERBS."""
        if self._session.plan is None:
            return
        if verb in ASKING:
            self._ask_day(verb, keys)
        elif verb == BACK:
            self.bring_back(keys)
        else:
            label = edits.dates_label(self._project, keys, is_cleared=True)
            scenario = self._session.scenario
            self._edit(label, lambda project: edits.date_workloads(project, scenario, keys, None, None))

    def bring_back(self, keys: tuple[str, ...]) -> None:
        """Say that workloads that stopped are there again when the plan begins."""
        scenario, label = self._session.scenario, edits.comes_back_label(self._project, keys)
        self._edit(label, lambda project: edits.bring_back(project, scenario, keys))

    def stop(self, keys: tuple[str, ...]) -> None:
        """Say that workloads are over when the plan begins."""
        scenario, label = self._session.scenario, edits.stop_label(self._project, keys)
        self._edit(label, lambda project: edits.stop_workloads(project, scenario, keys))

    def ask_fall(self, check: Check) -> None:
        """Ask whether the workloads that made demand fall come back or are over."""
        from gpuplanner.ui.kit.message import ask

        plan = self._session.plan
        if plan is None:
            return
        keys = tuple(dict.fromkeys(whole_key(key, plan.splits) for key in check.keys))
        is_one = len(keys) == 1
        back, over, leave = (
            worded("It comes back") if is_one else worded("They come back"),
            worded("It has ended") if is_one else worded("They have ended"),
            worded("Leave it open"),
        )
        text = tr(
            "Terms over 3 months stay closed to {row} until you say what becomes of {names}.",
            row=spoken(check.subject),
            names=self._names(keys),
        )
        answer = ask(self._session.window, tr("Demand has fallen"), text, (back, over, leave))
        if answer == back:
            self.bring_back(keys)
        elif answer == over:
            self.stop(keys)

    def _names(self, keys: tuple[str, ...]) -> str:
        """Which workloads are asked about; of many the first, and how many more."""
        named = [spoken(workloads_called(self._project, (key,))) for key in keys[:NAMED_AT_MOST]]
        if len(keys) > NAMED_AT_MOST:
            named.append(tr("{count} more", count=numbers.whole(len(keys) - NAMED_AT_MOST)))
        return ", ".join(named)

    def _ask_day(self, verb: str, keys: tuple[str, ...]) -> None:
        """Asks from or until which day some workloads are there, and edits the plan so."""
        from gpuplanner.ui.plans.dates_dialog import DatesDialog
        from gpuplanner.ui.plans.stop_effect import StopEffect

        project, plan, scenario = self._project, self._session.plan, self._session.scenario
        if plan is None:
            return
        ways: dict[str, Callable[[int, Project], Project]] = {
            STOP: lambda at_s, of: edits.stop_workloads(of, scenario, keys, at_s),
            END: lambda at_s, of: edits.end_workloads(of, scenario, keys, at_s),
            BEGIN: lambda at_s, of: edits.begin_workloads(of, scenario, keys, at_s),
        }
        edit_of = ways[verb]
        labels: dict[str, Callable[[Project, tuple[str, ...], int], Message]] = {
            STOP: edits.stop_label,
            END: edits.ends_label,
            BEGIN: edits.begins_label,
        }
        label_of = labels[verb]
        begins_s = project.plan_window.end_s
        own = edits.spells_of(project, plan, keys).values()
        known = {spell.ends_s if verb == END else spell.begins_s for spell in own} - {None}
        offered_s = begins_s + (OFFERED_DAYS * DAY_S if verb == END else 0)
        if verb != STOP and len(known) == 1:
            offered_s = known.pop() or offered_s
        dialog = DatesDialog(
            verb,
            spoken(workloads_called(project, keys)),
            min(project.window.start_s, offered_s),
            offered_s,
            lambda at_s: self._refusal(partial(edit_of, at_s)),
            self._session.window,
            names=self._names(keys) if len(keys) > 1 else "",
            effect=StopEffect(self._session.palette) if verb == STOP else None,
        )
        dialog.moment_chosen.connect(
            lambda at_s: self._edit(label_of(self._project, keys, at_s), partial(edit_of, at_s))
        )
        if dialog.effect is not None:
            self._watch(dialog, edit_of)
            dialog.begin()
        self._open(dialog)

    # Work that no log has

    def ask_planned(self, key: str) -> None:
        """Ask for planned work; key: of what is to be changed, "" for more."""
        from gpuplanner.ui.plans.planned_dialog import PlannedDialog

        plan, scenario = self._session.plan, self._session.scenario
        if plan is None:
            return
        work = next((work for work in plan.planned if work.key == key), None)
        dialog = PlannedDialog(
            work,
            planned_choices(self._project),
            partial(self._refusal_of, scenario, key),
            self._session.window,
        )
        dialog.work_chosen.connect(partial(self._plan_work, scenario, key if work is not None else ""))
        self._open(dialog)

    def _plan_work(self, scenario: str, key: str, work: PlannedWork) -> None:
        """Adds planned work, or changes the one with this key."""
        if key:
            label = edits.planned_label((work,), is_changed=True)
            self._edit(label, lambda project: edits.change_planned(project, scenario, key, work))
        else:
            self._new_key, self._is_new_shown = work.key, False
            self._edit(
                edits.planned_label((work,)), lambda project: edits.plan_work(project, scenario, (work,))
            )

    def _show_new(self, evaluation: Evaluation) -> None:
        """The card of work that was just planned is selected and in sight, also at the place that its $ give it.

        Whoever selects another card before those are known is not taken away from it.
        """
        board, key = self._board, self._new_key
        if not key or evaluation.scenario != self._session.scenario:
            return
        if not self._is_new_shown or board.selected_keys() == (key,):
            board.show_workload(key)
            self._is_new_shown = key in board.selected_keys()
        if self._is_new_shown and evaluation.advice is not None:
            self._new_key = ""

    def _refusal_of(self, scenario: str, key: str, work: PlannedWork) -> str:
        """Why planned work cannot be entered like this; empty if it can."""
        # of more work the key is no other's: `change_planned` says so of one that has none yet
        return self._refusal(
            lambda project: edits.change_planned(project, scenario, key, check_planned(work))
        )

    def drop_planned(self, keys: tuple[str, ...]) -> None:
        """Take planned work out of the plan."""
        plan, scenario = self._session.plan, self._session.scenario
        works = tuple(work for work in plan.planned if work.key in keys) if plan is not None else ()
        if works:
            label = edits.drop_planned_label(works)
            self._edit(label, lambda project: edits.drop_planned(project, scenario, keys))

    # Steps of demand

    def ask_demand(self, key: str = "", above: QWidget | None = None) -> None:
        """Show the steps of demand of the plan, and ask for one more; key: of the workload that it is to be of.

        above: the dialog that it is asked from; None: the window.
        """
        from gpuplanner.ui.plans.demand_dialog import DemandDialog

        plan, project = self._session.plan, self._project
        if plan is None:
            return
        begins_s = project.plan_window.end_s
        named = (key, spoken(workloads_called(project, (key,)))) if key else None
        dialog = DemandDialog(
            named,
            begins_s,
            project.window.start_s,
            lambda *wanted: self._refusal(partial(self._with_step, *wanted)),
            self._session.palette,
            above or self._session.window,
        )
        dialog.step_chosen.connect(self._add_step)
        dialog.step_removed.connect(self._remove_step)

        def show(now: Project) -> None:
            """Shows the plan's steps of demand as they are now."""
            there = self._session.plan  # a question, once the first step of one is added
            dialog.show_steps([change_words(now, step) for step in there.changes] if there else [])

        show(project)
        self._session.document.changed.connect(show)
        dialog.finished.connect(lambda _: self._session.document.changed.disconnect(show))
        self._open(dialog)

    def _with_step(self, of: str, factor: float, day_s: int, is_by: bool, project: Project) -> Project:
        """The project with one more step of demand in the plan that is shown."""
        scenario = self._session.scenario
        change = edits.demand_change(project, scenario, of, factor, day_s, self._classes(), is_by)
        return edits.change_demand(project, scenario, (*project.scenario(scenario).changes, change))

    def _add_step(self, of: str, factor: float, day_s: int, is_by: bool) -> None:
        """Adds a step of demand."""
        count = len(self._project.scenario(self._session.scenario).changes) + 1
        edit = partial(self._with_step, of, factor, day_s, is_by)
        self._edit(edits.demand_change_label(count), edit)

    def _remove_step(self, number: int) -> None:
        """Takes away the step of this number, from 0."""
        scenario = self._session.scenario
        changes = self._project.scenario(scenario).changes
        kept = (*changes[:number], *changes[number + 1 :])
        self._edit(
            edits.demand_change_label(len(kept)),
            lambda project: edits.change_demand(project, scenario, kept),
        )

    def _classes(self) -> dict[str, Pool]:
        """The class of every workload of the log, by key."""
        evaluation = self._session.evaluation
        if evaluation is None:
            return {}
        return {row.key: row.classification.pool for row in evaluation.audit.workloads}

    def _open(self, dialog: Any) -> None:
        """Opens a dialog that goes when it is closed."""
        from PySide6.QtCore import Qt

        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


def planned_choices(project: Project) -> "Any":
    """What the project has to choose from: its GPU models (those of the log first), clusters and teams."""
    from gpuplanner.ui.plans.planned_dialog import PlannedChoices

    offered = sorted({offer.gpu_model for offer in project.offers if offer.gpu_model})
    models = dict.fromkeys((*project.cube.gpu_models, *offered))
    clusters = {workload.cluster for workload in project.workloads}
    clusters |= {contract.cluster for contract in project.contracts}
    teams = {workload.owner for workload in project.workloads}
    return PlannedChoices(
        tuple(models), tuple(sorted(clusters - {""})), tuple(sorted(teams - {""})), project.plan_window.end_s
    )
