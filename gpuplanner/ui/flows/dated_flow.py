"""What a plan says of time and what it keeps to: dates, planned work, steps, a team that stops, limits."""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.app.plans.trying import Tried, Trying
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.edits import dates, find, labels, plans, seller_limits
from gpuplanner.domain.edits.teams import stop_team
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded, worded_count
from gpuplanner.domain.model.book.only import Only, gpu_model_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.limits import limits_of
from gpuplanner.domain.model.plan.planned_work import PlannedWork, check_planned
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import open_once, stand_below
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.date_verbs import ASKING, BACK, BEGIN, END, STOP
from gpuplanner.ui.words.dated_words import change_words
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.window_words import refusal_words

if TYPE_CHECKING:
    from gpuplanner.ui.plans.stop_effect import StopEffect

# --- What a plan says of time, in the window: dates of workloads, work that no log has, steps of demand; one edit each

OFFERED_DAYS = 90
"""How long after a plan begins an end is proposed that nobody said yet."""

NAMED_AT_MOST = 12
"""Workloads that a question names; of more it says how many."""

Edit = Callable[[Project], Project]


class DatedFlow(QObject):
    """Told the session and the board; everything it does is in the plan that is shown."""

    def __init__(
        self, session: Session, board: Board, watch: Callable[[Any, Callable[[Any, Project], Project]], None]
    ) -> None:
        """watch: has a dialog, with its edit by what is chosen, say what that would save or cost."""
        super().__init__(session.window)
        self.session, self._board, self._watch = session, board, watch
        self._edit = session.gestures.edit
        board.dates_asked.connect(self.ask_dates)
        board.planned_asked.connect(self.ask_planned)
        board.planned_dropped.connect(self.drop_planned)
        board.demand_asked.connect(self.ask_demand)
        self._new_key = ""  # planned work whose card, or whose card's place, is still to come
        self._is_new_shown = False
        session.evaluator.evaluated.connect(self._show_new)

    def _refusal(self, edit: Edit) -> str:
        """Why an edit cannot be; "" where it can."""
        try:
            edit(self.session.project)
        except PlannerError as fault:
            return refusal_words(fault)
        return ""

    # When workloads are there

    def ask_dates(self, verb: str, keys: tuple[str, ...]) -> None:
        """Do, or ask for the day of, one of DATE_VERBS."""
        if self.session.plan is None:
            return
        if verb in ASKING:
            self._ask_day(verb, keys)
        elif verb == BACK:
            self.bring_back(keys)
        else:
            label = labels.dates_label(self.session.project, keys, is_cleared=True)
            scenario = self.session.scenario
            self._edit(label, lambda project: dates.date_workloads(project, scenario, keys, None, None))

    def bring_back(self, keys: tuple[str, ...]) -> None:
        """Say that workloads that stopped are there again when the plan begins."""
        scenario, label = self.session.scenario, labels.comes_back_label(self.session.project, keys)
        self._edit(label, lambda project: dates.bring_back(project, scenario, keys))

    def stop(self, keys: tuple[str, ...]) -> None:
        """Say that workloads are over when the plan begins."""
        scenario, label = self.session.scenario, labels.stop_label(self.session.project, keys)
        self._edit(label, lambda project: dates.stop_workloads(project, scenario, keys))

    def ask_fall(self, check: Check) -> None:
        """Ask whether the workloads that made demand fall come back or are over."""
        from gpuplanner.ui.kit.small_dialogs import ask

        if (plan := self.session.plan) is None:
            return
        keys = tuple(dict.fromkeys(whole_key(key, plan.splits) for key in check.keys))
        is_one = len(keys) == 1
        back = worded("Repeats") if is_one else worded("They come back")
        over = worded("It has ended") if is_one else worded("They have ended")
        is_job = check.code == "one_job"
        named = {"row": spoken(check.subject), "names": self._names(keys)}
        text = (
            tr(long_text("one_job_dominates", **named)) if is_job else tr(long_text("terms_closed", **named))
        )
        answers = (back, over, worded("Leave it open"))
        title = tr("One job dominates") if is_job else tr("Demand has fallen")
        if (answer := ask(self.session.window, title, text, answers)) == back:
            self.bring_back(keys)
        elif answer == over:
            self.stop(keys)

    def ask_notice(self, contract_id: str) -> None:
        """Ask whether notice was given in time to a contract whose last day for it has passed."""
        from gpuplanner.ui.kit.small_dialogs import ask

        plan, scenario = self.session.plan, self.session.scenario
        if plan is None:
            return
        ids, given = (contract_id,), worded("Notice was given")
        states = partial(plans.state_of_contracts, scenario=scenario, contract_ids=ids)
        gives, renews = (partial(states, statement=statement) for statement in ("notice_given", "runs_on"))
        contract = next(c for c in self.session.project.contracts if c.contract_id == contract_id)
        notice, renewal = (
            partial(labels.notice_label, contract_id),
            partial(labels.renewal_label, contract_id),
        )
        if contract_id in plan.notice_given:
            text = tr("Notice given: {contract_id} ends with its term.", contract_id=contract_id)
            answers = {worded("It was not given"): (notice(False), partial(gives, holds=False))}
        elif contract_id in plan.runs_on:
            text = tr("{contract_id} renews unless you give notice.", contract_id=contract_id)
            answers = {worded("It does not renew"): (renewal(False), partial(renews, holds=False))}
        elif contract.renews_months is None:
            text = tr(long_text("notice_and_renewal_unknown", contract_id=contract_id))
            answers = {worded("It renews"): (renewal(True), renews), given: (notice(True), gives)}
        else:
            text = tr(long_text("notice_was_due", contract_id=contract_id))
            answers = {given: (notice(True), gives)}
        title, leave = tr("Notice of {contract_id}", contract_id=contract_id), worded("Leave it")
        answer = ask(self.session.window, title, text, (*answers, leave))
        for choice, edit in answers.items():
            if choice == answer:
                self._edit(*edit)

    def ask_gap(self, check: Check) -> None:
        """Ask whether days without any job are missing in the log, or stood idle."""
        from gpuplanner.ui.kit.small_dialogs import ask

        plan, scenario = self.session.plan, self.session.scenario
        if plan is None:
            return
        missing, idle = worded("They are missing"), worded("They were idle")
        gap = f"{sentence(check.message)}."
        text = tr("{gap} Idle time counts, missing time does not.", gap=gap)
        answer = ask(self.session.window, tr("Days without any job"), text, (missing, idle))
        if answer in (missing, idle):
            is_missing = answer == missing
            edit = lambda project: plans.set_gap_missing(project, scenario, is_missing)  # noqa: E731
            self._edit(labels.gap_label(is_missing), edit)

    def _names(self, keys: tuple[str, ...]) -> str:
        """Which workloads are asked about; of many the first, and how many more."""
        named = [spoken(find.workloads_called(self.session.project, (key,))) for key in keys[:NAMED_AT_MOST]]
        if len(keys) > NAMED_AT_MOST:
            named.append(tr("{count} more", count=numbers.whole(len(keys) - NAMED_AT_MOST)))
        return ", ".join(named)

    def _ask_day(self, verb: str, keys: tuple[str, ...]) -> None:
        """Asks from or until which day some workloads are there, and edits the plan so."""
        from gpuplanner.ui.plans.dates_dialog import DatesDialog
        from gpuplanner.ui.plans.stop_effect import StopEffect

        project, plan, scenario = self.session.project, self.session.plan, self.session.scenario
        if plan is None:
            return
        ways: dict[str, tuple[Callable[..., Project], Callable[..., Message]]] = {
            STOP: (dates.stop_workloads, labels.stop_label),
            END: (dates.end_workloads, labels.ends_label),
            BEGIN: (dates.begin_workloads, labels.begins_label),
        }
        change, label_of = ways[verb]

        def edit_of(at_s: int, of: Project) -> Project:
            """The project with the day said."""
            return change(of, scenario, keys, at_s)

        begins_s = project.plan_window.end_s
        own = dates.spells_of(project, plan, keys).values()
        known = {spell.ends_s if verb == END else spell.begins_s for spell in own} - {None}
        offered_s = begins_s + (OFFERED_DAYS * DAY_S if verb == END else 0)
        if verb != STOP and len(known) == 1:
            offered_s = known.pop() or offered_s
        dialog = DatesDialog(
            verb=verb,
            called=spoken(find.workloads_called(project, keys)),
            first_s=min(project.window.start_s, offered_s),
            moment_s=offered_s,
            refusal=lambda at_s: self._refusal(partial(edit_of, at_s)),
            parent=self.session.window,
            names=self._names(keys) if len(keys) > 1 else "",
            effect=StopEffect() if verb == STOP else None,
        )
        dialog.moment_chosen.connect(
            lambda at_s: self._edit(label_of(self.session.project, keys, at_s), partial(edit_of, at_s))
        )
        if dialog.effect is not None:
            self._watch(dialog, edit_of)
            dialog.begin()
        open_once(dialog)

    # Work that no log has

    def ask_planned(self, key: str) -> None:
        """Ask for planned work; key: of what is to be changed, "" for more."""
        from gpuplanner.ui.plans.planned_dialog import PlannedDialog

        plan, scenario = self.session.plan, self.session.scenario
        if plan is None:
            return
        work = next((work for work in plan.planned if work.key == key), None)
        refusal, window = partial(self._refusal_of, scenario, key), self.session.window
        choices = planned_choices(self.session.project, self.session.evaluation)
        dialog = PlannedDialog(work, choices, refusal, window)
        dialog.work_chosen.connect(partial(self._plan_work, scenario, key if work is not None else ""))
        self._watch(dialog, lambda work, now: dates.change_planned(now, scenario, key, check_planned(work)))
        open_once(dialog)

    def _plan_work(self, scenario: str, key: str, work: PlannedWork) -> None:
        """Adds planned work, or changes the one with this key."""
        if key:
            label = labels.planned_label((work,), is_changed=True)
            self._edit(label, lambda project: dates.change_planned(project, scenario, key, work))
        else:
            self._new_key, self._is_new_shown = work.key, False
            label = labels.planned_label((work,))
            self._edit(label, lambda project: dates.plan_work(project, scenario, (work,)))

    def _show_new(self, evaluation: Evaluation) -> None:
        """The card of work that was just planned is selected and in sight, also at the place that its $ give it.

        Whoever selects another card before those are known is not taken away from it.
        """
        board, key = self._board, self._new_key
        if not key or evaluation.scenario != self.session.scenario:
            return
        if not self._is_new_shown or board.selected_keys() == (key,):
            board.show_workload(key)
            self._is_new_shown = key in board.selected_keys()
        if self._is_new_shown and evaluation.advice is not None:
            self._new_key = ""

    def _refusal_of(self, scenario: str, key: str, work: PlannedWork) -> str:
        """Why planned work cannot be entered like this; empty if it can."""
        # of more work the key is no other's: `change_planned` says so of one that has none yet
        return self._refusal(lambda now: dates.change_planned(now, scenario, key, check_planned(work)))

    def drop_planned(self, keys: tuple[str, ...]) -> None:
        """Take planned work out of the plan."""
        plan, scenario = self.session.plan, self.session.scenario
        works = tuple(work for work in plan.planned if work.key in keys) if plan is not None else ()
        if works:
            label = labels.drop_planned_label(works)
            self._edit(label, lambda project: dates.drop_planned(project, scenario, keys))

    # Steps of demand

    def ask_demand(self, key: str = "", above: QWidget | None = None) -> None:
        """Show the steps of demand of the plan, and ask for one more; key: of the workload that it is to be of.

        above: the dialog that it is asked from; None: the window.
        """
        from gpuplanner.ui.plans.demand_dialog import DemandDialog

        plan, project = self.session.plan, self.session.project
        if plan is None:
            return
        begins_s = project.plan_window.end_s
        named = (key, spoken(find.workloads_called(project, (key,)))) if key else None
        dialog = DemandDialog(
            of=named,
            begins_s=begins_s,
            first_s=project.window.start_s,
            refusal=lambda *wanted: self._refusal(partial(self._with_step, *wanted)),
            parent=above or self.session.window,
        )
        dialog.step_chosen.connect(self.add_step)
        dialog.step_removed.connect(self.remove_step)

        def show(now: Project) -> None:
            """Shows the plan's steps of demand as they are now."""
            shown_plan = self.session.plan  # a question, once the first step of one is added
            dialog.show_steps([change_words(now, step) for step in shown_plan.changes] if shown_plan else [])

        show(project)
        self.session.document.changed.connect(show)
        dialog.finished.connect(lambda _: self.session.document.changed.disconnect(show))
        open_once(dialog)

    def _with_step(self, of: str, factor: float, day_s: int, is_by: bool, project: Project) -> Project:
        """The project with one more step of demand in the plan that is shown."""
        scenario = self.session.scenario
        change = dates.demand_change(project, scenario, of, factor, day_s, self._classes(), is_by)
        return dates.change_demand(project, scenario, (*project.scenario(scenario).changes, change))

    def add_step(self, of: str, factor: float, day_s: int, is_by: bool) -> None:
        """Adds a step of demand."""
        count = len(self.session.project.scenario(self.session.scenario).changes) + 1
        edit = partial(self._with_step, of, factor, day_s, is_by)
        self._edit(labels.demand_change_label(count), edit)

    def remove_step(self, number: int) -> None:
        """Takes away the step of this number, from 0."""
        scenario = self.session.scenario
        changes = self.session.project.scenario(scenario).changes
        kept = (*changes[:number], *changes[number + 1 :])
        label = labels.demand_change_label(len(changes) - 1)
        self._edit(label, lambda project: dates.change_demand(project, scenario, kept))

    def _classes(self) -> dict[str, Pool]:
        """The class of every workload of the log, by key."""
        evaluation = self.session.evaluation
        rows = () if evaluation is None else evaluation.audit.workloads
        return {row.key: row.classification.pool for row in rows}


def planned_choices(project: Project, evaluation: Evaluation | None) -> "Any":
    """What the project has to choose from: its GPU models (those of the log first), clusters and teams.

    evaluation: whose plan says what runs in each pool.
    """
    from gpuplanner.ui.plans.planned_dialog import PlannedChoices

    offered = sorted({offer.gpu_model for offer in project.offers if offer.gpu_model})
    models = dict.fromkeys((*project.cube.gpu_models, *offered))
    clusters = {workload.cluster for workload in project.workloads}
    clusters |= {contract.cluster for contract in project.contracts}
    teams = {workload.owner for workload in project.workloads}
    plans = evaluation.advice.pools if evaluation is not None and evaluation.advice else ()
    least_first = sorted(plans, key=lambda plan: plan.demand.gpu_hours)
    return PlannedChoices(
        gpu_models=tuple(models),
        clusters=tuple(sorted(clusters - {""})),
        teams=tuple(sorted(teams - {""})),
        begins_s=project.plan_window.end_s,
        usual={one.pool: model for one in least_first if (model := gpu_model_of(one.gpu_model)) is not None},
        contracts=project.contracts,
    )


# --- Levers of a plan in the window: a team that stops, and the limits that the plan keeps to; one edit each


class LeversFlow(QObject):
    """Told the session and the board; everything it does is in the plan that is shown."""

    def __init__(
        self, session: Session, board: Board, headline: QWidget, answer_for: Callable[[Any], None]
    ) -> None:
        """headline: stays in sight of limits; answer_for: told of a dialog whose figures can be asked about."""
        super().__init__(session.window)
        self.session, self._board, self._headline = session, board, headline
        self._answer_for = answer_for
        self.trying = Trying(self)
        board.team_stop_asked.connect(self.ask_team)

    def _teams(self, plan: Scenario) -> dict[str, tuple[str, ...]]:
        """Workloads of each team: that with the most GPU-hours a month first, work without a team last."""
        evaluation = self.session.evaluation
        gpu_hours: dict[str, float] = defaultdict(float)
        for card in evaluation.figures.cards if evaluation is not None else ():
            gpu_hours[card.owner] += card.gpu_hours_per_month
        teams = find.teams_of(self.session.project, plan)
        return {
            team: teams[team] for team in sorted(teams, key=lambda team: (not team, -gpu_hours[team], team))
        }

    # A team that stops

    def ask_team(self, team: str = "") -> None:
        """Ask which team's workloads stop, and when; team: the one to begin with, "" for that of the selected card."""
        from gpuplanner.ui.plans.team_dialog import TeamDialog, choices_of

        project, plan, scenario = self.session.project, self.session.plan, self.session.scenario
        if plan is None:
            return
        if not (teams := self._teams(plan)):
            return
        choices = choices_of(teams, lambda key: spoken(find.workloads_called(project, (key,))))
        dialog = TeamDialog(
            choices=choices,
            begins_s=project.plan_window.end_s,
            refusal=partial(self._refusal_of, scenario),
            parent=self.session.window,
            team=team or self._selected_team(),
        )

        def try_stop(team: str, day_s: int) -> None:
            """What the plan would be without the team from that day on."""
            self._try(dialog.effect, lambda project: stop_team(project, scenario, team, day_s))

        dialog.chosen.connect(try_stop)
        self._hear(dialog, dialog.effect)
        dialog.stop_asked.connect(partial(self._stop_team, scenario))
        self._open(dialog)
        dialog.begin()

    def _selected_team(self) -> str:
        """The team of the first selected card; "" where none is selected."""
        keys = self._board.selected_keys()
        evaluation = self.session.evaluation
        cards = evaluation.figures.cards if evaluation is not None else ()
        return next((card.owner for card in cards if keys and card.key == keys[0]), "")

    def _refusal_of(self, scenario: str, team: str, day_s: int) -> str:
        """Why a team cannot stop on a day; "" where it can."""
        try:
            after = stop_team(self.session.project, scenario, team, day_s)
        except PlannerError as fault:
            return refusal_words(fault)
        return tr("It has ended by then") if after is self.session.project else ""

    def watch(self, dialog: Any, edit_of: Callable[[Any, Project], Project]) -> None:
        """Has a dialog say what its choice would save or cost. edit_of: told the choice, the edit."""
        dialog.tried.connect(lambda at_s: self._try(dialog.effect, partial(edit_of, at_s)))
        self._hear(dialog, dialog.effect)
        self._answer_for(dialog)

    def _hear(self, dialog: QDialog, effect: "StopEffect") -> None:
        """While the dialog is open it is told what was worked out."""

        def tried(found: Tried) -> None:
            effect.show_plans(found.before, found.after)

        def failed(error: Exception) -> None:
            effect.show_unknown(tr("Cannot be calculated: {error}", error=error))

        self.trying.answered.connect(tried)
        self.trying.failed.connect(failed)

        def let_go() -> None:
            self.trying.answered.disconnect(tried)
            self.trying.failed.disconnect(failed)

        dialog.finished.connect(lambda _: let_go())

    def _try(self, effect: "StopEffect", edit: Callable[[Project], Project]) -> None:
        """Has it worked out what the plan would be after an edit."""
        evaluation = self.session.evaluator.evaluation
        advice = None if evaluation is None else evaluation.advice
        is_newest = evaluation is not None and evaluation.project is self.session.project
        if evaluation is None or advice is None or advice.is_settling or not is_newest:
            effect.show_unknown(tr("Still calculating. Try again shortly."))
            return
        self.trying.ask(evaluation, edit(self.session.project))

    def _stop_team(self, scenario: str, team: str, day_s: int) -> None:
        """Stops the workloads of a team: one step."""
        label = labels.stop_team_label(self.session.project, team, day_s)
        self.session.gestures.edit(label, lambda project: stop_team(project, scenario, team, day_s))

    # Limits

    def ask_limits(self) -> None:
        """Show the limits of the plan with what each costs, and let them be changed."""
        from gpuplanner.ui.plans.limits_dialog import Group, LimitsDialog

        plan, project = self.session.plan, self.session.project
        if plan is None:
            return
        groups = [Group(called, keys) for called, keys in self._groups(plan)]
        dialog = LimitsDialog(groups, seller_limits.sellers_in(project), self.session.window)

        def show(*_: object) -> None:
            """The limits as they are now, of the plan or of the question that a change of them is, and their costs."""
            if (now := self.session.plan) is None:
                return
            values = self.session.project.assumptions_in(now)
            dialog.show_values(now.name, values, now.only, now.shares)
            evaluation = self.session.evaluator.evaluation
            is_this = evaluation is not None and evaluation.project is self.session.project
            outlook = evaluation.outlook if evaluation is not None and is_this else None
            logged = {workload.key for workload in self.session.project.workloads}
            has_limits = bool(limits_of(now, values, logged))
            dialog.show_costs(outlook, is_settling=outlook is None, has_limits=has_limits)

        def limit(group: Group, only: Only) -> None:
            """One step for all of them."""
            self.session.gestures.limit(group.keys, only, group.called)

        dialog.limit_changed.connect(self.session.gestures.set_assumption)
        dialog.only_asked.connect(limit)
        dialog.share_asked.connect(self.session.gestures.limit_share)
        self.session.document.changed.connect(show)
        self.session.evaluator.evaluated.connect(show)

        def let_go() -> None:
            self.session.document.changed.disconnect(show)
            self.session.evaluator.evaluated.disconnect(show)

        dialog.finished.connect(lambda _: let_go())
        show()
        stand_below(dialog, self._headline)  # what a limit changes is seen there
        self._open(dialog)

    def _groups(self, plan: Scenario) -> list[tuple[Any, tuple[str, ...]]]:
        """The selected workloads, those of each pool of the plan, those of each team; none that is empty."""
        project, evaluation = self.session.project, self.session.evaluation
        found: list[tuple[Any, tuple[str, ...]]] = []
        selected = self._board.selected_workloads() if self._board.selection.selected_keys() else ()
        if selected:
            found.append((find.workloads_called(project, selected), selected))
        in_pool: dict[Pool, dict[str, None]] = {pool: {} for pool in POOLS}
        for card in evaluation.figures.cards if evaluation is not None else ():
            in_pool[card.pool][whole_key(card.key, plan.splits)] = None
        for pool, keys in in_pool.items():
            if keys:
                many = whole(len(keys))
                count = worded_count(len(keys), "{count} workload", "{count} workloads", count=many)
                found.append(
                    (worded("{first}, {second}", first=lane_of(pool).title, second=count), tuple(keys))
                )
        teams = self._teams(plan).items()
        found += [(worded("team {team}", team=team), of_team) for team, of_team in teams if team]
        return found

    def _open(self, dialog: QDialog) -> None:
        """Opens a dialog whose figures answer why."""
        self._answer_for(dialog)
        open_once(dialog)
