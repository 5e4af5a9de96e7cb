"""Session: the project of one window, the planner's gestures on it, and the ways that flows can lead to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from PySide6.QtCore import QElapsedTimer, QObject, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.app.document import Document
from gpuplanner.app.evaluating.evaluator import Evaluator
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.edits import cards, labels, money, needs, plans, seller_limits, workloads
from gpuplanner.domain.edits.decisions import with_numbers
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model import assumptions, errors
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.hardware_needs import NeedValue
from gpuplanner.domain.model.plan.merged_cards import merge_of, with_those_merged
from gpuplanner.domain.model.plan.scenario import TODAY, Decision, HandLayer, Scenario
from gpuplanner.domain.model.plan.splits import Split
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.small_dialogs import errors_in_dialog
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.table_habits import Action, short

STEPS_LOOKED_BACK: Final = 8
"""The steps that an edit may take back so that neither stays in the plan's log."""

# --- The planner's gestures, each one edit and one step of Undo, in the shown scenario ---


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """A gesture of several steps: the project at its beginning, and the project now."""

    gesture: str
    start: Project
    now: Project


class Gestures(QObject):
    """Edits its document. `scenario` is the name of the scenario that the gestures change."""

    failed = Signal(object)  # PlannerError

    def __init__(
        self, document: Any, parent: QObject | None = None, time_s: Callable[[], int] | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._time_s = document, time_s
        self._held: _Held | None = None
        self.scenario = ""  # none yet: a window shows the first plan of a project
        self.is_asking = False  # whether changes to a plan are a question, in a scratch copy next to the plan

    def edit(self, label: Message, edit: Callable[[Project], Project], *, gesture: str = "") -> None:
        """Make one step of Undo. Steps of the same gesture are one step until the gesture ends.

        Changes to the plan go to its log. An edit that is refused, or changes nothing, is no step. While a question is
        asked, changes to a plan go to a scratch copy of it, which is shown from then on.
        """
        before = self._document.project
        try:
            after = edit(before)
        except errors.PlannerError as error:
            self.failed.emit(error)
            return
        start = self._start_of(before, gesture)
        if after is not before and self._time_s is not None:
            if start is not None and plans.say_the_same(start, after):
                after = start  # dragged there and back: no decision was made
            else:
                decided = plans.log_decision(
                    before, after, self.scenario, self._time_s(), label, self._log_of(start)
                )
                logs = zip(before.scenarios, decided.scenarios, strict=False)
                is_logged = any(old.decisions is not new.decisions for old, new in logs)
                back = (
                    is_logged
                    and not plans.say_the_same(before, after)  # a note takes nothing back
                    and next(filter(partial(plans.say_the_same, after), self._earlier()), None)
                )
                after = back or decided  # taken back: neither this nor the earlier edit was a decision
        if self.is_asking:
            after = self._asked(before, after, start)
        self._document.edit(label, after, gesture=gesture)
        self._held = None if start is None else _Held(gesture, start, self._document.project)

    def _earlier(self) -> Iterator[Project]:
        """Return the states of the project before the last few steps."""
        return islice(self._document.earlier(), STEPS_LOOKED_BACK)

    def _asked(self, before: Project, after: Project, start: Project | None) -> Project:
        """Return `after` with the question in a shown scratch copy; `start` if a drag came back to the plan."""
        plan = after.plan_before(self.scenario)
        if plan is not None and start is not None and not _has(start, self.scenario):
            if plans.asks_nothing(after, self.scenario):
                self.scenario = plan.name
                return start
            return after
        if (asked := plans.asked_apart(before, after, self.scenario)) is not after:
            names = {scenario.name for scenario in before.scenarios}
            self.scenario = next(scenario.name for scenario in asked.scenarios if scenario.name not in names)
        return asked

    def keep_question(self, proposed: str) -> None:
        """Turn the question that is shown into a plan of its own.

        proposed: the plan's name, unless another plan has it.
        """
        before, names = self.scenario, {scenario.name for scenario in self._document.project.scenarios}

        def kept(project: Project) -> Project:
            after = plans.keep_question(project, before, proposed)
            self.scenario = next(
                (scenario.name for scenario in after.scenarios if scenario.name not in names), before
            )
            return after

        self.edit(labels.plan_label("Keep", before), kept)

    def discard_question(self) -> None:
        """Discard the question that is shown, and show the plan behind it."""
        plan, asked = self._document.project.plan_before(self.scenario), self.scenario
        if plan is not None:
            self.scenario, label = plan.name, labels.plan_label("Discard", asked)
            self.edit(label, lambda project: plans.discard_question(project, asked))

    def _start_of(self, before: Project, gesture: str) -> Project | None:
        """Return the project at the beginning of a gesture; None if it isn't a gesture of several steps."""
        if (held := self._held) is not None and held.gesture == gesture and held.now is before:
            return held.start
        return before if gesture else None

    def _log_of(self, start: Project | None) -> tuple[Decision, ...] | None:
        """Return the decisions of the shown plan in a project, or of the plan behind the shown question."""
        by_name = {} if start is None else {plan.name: plan for plan in start.scenarios}
        asked_of = self._document.project.plan_before(self.scenario)
        plan = by_name.get(self.scenario) or (None if asked_of is None else by_name.get(asked_of.name))
        return None if plan is None else plan.decisions

    def end_gesture(self) -> None:
        """End the gesture, when the handle is released: the next step is a new one, even with the same handle."""
        self._held = None
        self._document.end_gesture()

    def move(self, keys: tuple[str, ...], pool: Pool, classes: workloads.Classes | None = None) -> None:
        """Move workloads to another pool. classes: see `move_workloads`."""
        label = labels.move_label(self._document.project, self._merged(keys), pool)
        self.edit(
            label, lambda project: workloads.move_workloads(project, self.scenario, keys, pool, classes)
        )

    def limit(self, keys: tuple[str, ...], only: Only, called: Text = "") -> None:
        """Limit workloads to a provider, region or country.

        called: a name for them all; "": their names, or their number.
        """
        project = self._document.project
        label = labels.only_label_of(called, only) if called else labels.only_label(project, keys, only)
        self.edit(label, lambda project: seller_limits.limit_workloads(project, self.scenario, keys, only))

    def limit_share(self, who: Only, share: float | None) -> None:
        """Limit the share of the first month's $ that one provider or place may have, 0..1; None: no limit."""
        label = labels.share_label(who, share)
        self.edit(label, lambda project: seller_limits.limit_share(project, self.scenario, who, share))

    def split(self, key: str, split: Split, pool: Pool | None) -> None:
        """Divide a card in two. pool: for the second part; None leaves it next to the first.

        Other plans keep the card whole.
        """
        label = labels.split_label(self._document.project, key)
        self.edit(label, lambda project: cards.split_workload(project, self.scenario, key, split, pool))

    def merge(self, keys: tuple[str, ...]) -> None:
        """Merge parts of workloads into whole workloads again."""
        label = labels.merge_label(self._document.project, self._whole(keys))
        self.edit(label, lambda project: cards.merge_parts(project, self.scenario, keys))

    def merge_cards(self, keys: tuple[str, ...], name: str, pool: Pool) -> None:
        """Merge these cards into one in a pool.

        name: of the new card; its figures are the sums of theirs.
        """
        label = labels.merge_cards_label(name, len(self._merged(keys)))
        self.edit(label, lambda project: cards.merge_cards(project, self.scenario, keys, name, pool))

    def take_apart(self, keys: tuple[str, ...]) -> None:
        """Divide merged cards into single cards again."""
        merges = self._document.project.scenario(self.scenario).merges
        names = dict.fromkeys(name for key in keys if (name := merge_of(key, merges)) is not None)
        label = labels.take_apart_label(", ".join(names))
        self.edit(label, lambda project: cards.take_apart(project, self.scenario, keys))

    def _merged(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return these cards and all cards that are merged with them."""
        if self.scenario == TODAY:
            return keys
        return with_those_merged(keys, self._document.project.scenario(self.scenario).merges)

    def write_note(self, key: str, text: str) -> None:
        """Write a note about a workload, in every scenario. Empty text removes the note."""
        label = labels.note_label(self._document.project, key, text)
        self.edit(label, lambda project: cards.set_note(project, key, text))

    def _whole(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the workloads behind cards: for a part, its whole workload; with all workloads merged with them."""
        if self.scenario == TODAY:
            return keys
        known = {workload.key for workload in self._document.project.workloads}
        wholes = cards.whole_keys(self._document.project.scenario(self.scenario), keys)
        return tuple(key for key in wholes if key in known)

    def label(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Set the class of workloads, in every scenario. The class of planned work is its planned pool."""
        wholes = self._whole(keys)
        if keys and not wholes:
            self.move(keys, pool)
            return
        keys = wholes
        label = labels.label_label(self._document.project, keys, pool)
        self.edit(label, lambda project: workloads.label_workloads(project, keys, pool))

    def set_need(self, key: str, name: str, value: NeedValue) -> None:
        """Set a need of a workload for its hardware. None: the finding from the log counts again."""

        def edit(project: Project) -> Project:
            """Return the project with the need stated, or with the worked-out need."""
            if value is None:
                return needs.clear_need(project, (key,), name)
            return needs.set_need(project, (key,), name, value)

        self.edit(labels.need_label(self._document.project, (key,), name, value), edit)

    def pin(self, keys: tuple[str, ...], pinned: bool) -> None:
        """Pin workloads to their pools, or unpin them."""
        words, edit = (labels.unpin_label, workloads.unpin_workloads)
        if pinned:
            words, edit = (labels.pin_label, workloads.pin_workloads)
        label = words(self._document.project, self._merged(keys))
        self.edit(label, lambda project: edit(project, self.scenario, keys))

    def separate(self, classes: Mapping[str, Classification]) -> None:
        """Put every workload that is not pinned into the pool of its class in the audit. classes: by key.

        Does nothing on Today, which shows the past.
        """
        if self.scenario != TODAY:
            edit = workloads.separate_automatically
            self.edit(labels.SEPARATE_LABEL, lambda project: edit(project, self.scenario, classes))

    def turn_greenfield(self) -> None:
        """Leave existing contracts out of the plan, or count them again."""
        if self.scenario != TODAY:
            wanted = not self._document.project.scenario(self.scenario).greenfield
            label = labels.greenfield_label(wanted)
            self.edit(label, lambda project: plans.set_greenfield(project, self.scenario, wanted))

    def accept_saving(self, step: str, is_accepted: bool) -> None:
        """Add an offered saving to the plan, or remove it; does nothing on Today. step: one of DEMAND_CUTS."""
        if self.scenario != TODAY:
            label = labels.saving_label(step, is_accepted)
            edit = plans.accept_saving
            self.edit(label, lambda project: edit(project, self.scenario, step, is_accepted))

    def add_plan(self, origin: str | None = None) -> None:
        """Add a plan and show it. origin: the scenario to start from; None: the scenario that is shown.

        With Today as a stated origin, the plan starts as today; if Today is only shown, the plan starts separated.
        """
        name = plans.next_plan_name(self._document.project)
        if origin is None and self.scenario != TODAY:
            origin = self.scenario
        before, self.scenario = self.scenario, name
        self.edit(labels.plan_label("Add", name), lambda project: plans.add_plan(project, name, origin))
        if not self._has(name):
            self.scenario = before

    def duplicate_plan(self) -> None:
        """Copy the plan that is shown, and show the copy. Its place is right after the plan."""
        if (origin := self.scenario) == TODAY:
            return
        self.scenario = plans.next_plan_name(self._document.project)
        label = labels.plan_label("Duplicate", origin)
        self.edit(label, lambda project: plans.duplicate_plan(project, origin))
        if not self._has(self.scenario):
            self.scenario = origin

    def shift_plan(self, places: int) -> None:
        """Move the tab of the plan that is shown.

        places: to the left below zero, to the right above.
        """
        if self.scenario != TODAY:
            name = self.scenario
            label = labels.plan_label("Move left" if places < 0 else "Move right", name)
            self.edit(label, lambda project: plans.shift_plan(project, name, places))

    def rename_plan(self, name: str) -> None:
        """Rename the plan that is shown.

        Does nothing for an empty name or the same name.
        """
        if (old := self.scenario) == TODAY or not name or name == old:
            return
        self.scenario = name
        self.edit(labels.plan_label("Rename", old), lambda project: plans.rename_plan(project, old, name))
        if not self._has(name):
            self.scenario = old

    def delete_plan(self) -> None:
        """Delete the plan that is shown."""
        if self.scenario != TODAY:
            name = self.scenario
            self.edit(labels.plan_label("Delete", name), lambda project: plans.delete_plan(project, name))

    def take_quote(self, offer_id: str) -> None:
        """Accept a quote as quoted, despite its vendor's remark."""
        label = labels.offers_label("Take", offer_id)
        self.edit(label, lambda project: money.take_as_quoted(project, offer_id))

    def set_assumption(self, name: str, value: assumptions.AssumptionValue, *, gesture: str = "") -> None:
        """Change an assumption of the plan that is shown; on Today, of all plans."""
        scenario = None if self.scenario == TODAY else self.scenario
        label = labels.assumption_label(name, value)
        self.edit(label, lambda now: plans.set_assumption(now, scenario, name, value), gesture=gesture)

    def say_why(self, number: int, reason: str) -> None:
        """Set the reason of a line in the plan's log of decisions.

        number: of the line, from 0, oldest first. A number without a line does nothing.
        """
        if not self._has(self.scenario):
            return
        decisions = self._document.project.scenario(self.scenario).decisions
        if 0 <= number < len(decisions):
            label = labels.reason_label(decisions[number].text, reason)
            self.edit(label, lambda project: plans.set_reason(project, self.scenario, number, reason))

    def note(self, step: Text, at_s: int, reason: str) -> None:
        """Add a line to the log of the shown plan, for a step that has no line, or for the plan itself.

        at_s: epoch seconds UTC.
        """
        label = labels.reason_label(step, reason)
        self.edit(label, lambda now: plans.add_decision(now, self.scenario, at_s, step, reason))

    def set_levels(
        self,
        pool: Pool,
        model: str | None,
        layers: tuple[HandLayer, ...],
        changed: HandLayer,
        is_rest_advised: bool,
    ) -> None:
        """Set levels of one pool and model by hand. While `changed` is dragged, all edits are one step."""
        label = labels.level_label(changed.term_months, changed.gpus)
        gesture = f"level {pool} {model} {changed.term_months}"
        self._set_layers(label, pool, model, layers, is_rest_advised, gesture)

    def _set_layers(
        self,
        label: Message,
        pool: Pool,
        model: str | None,
        layers: tuple[HandLayer, ...] | None,
        is_rest_advised: bool = False,
        gesture: str = "",
    ) -> None:
        """Edit the levels of one pool and model once. None: the advised levels."""
        scenario = self.scenario
        self.edit(
            label,
            lambda now: plans.set_hand_layers(now, scenario, pool, model, layers, is_rest_advised),
            gesture=gesture,
        )

    def hold_level(
        self,
        pool: Pool,
        model: str | None,
        layers: tuple[HandLayer, ...] | None,
        meant: HandLayer,
        is_rest_advised: bool,
        is_held: bool,
    ) -> None:
        """Hold a level while the other levels follow the advice, or release it."""
        label = labels.hold_label(meant.term_months, meant.gpus, is_held)
        self._set_layers(label, pool, model, layers, is_rest_advised)

    def use_advice(self, pool: Pool, model: str | None) -> None:
        """Replace the levels of one pool and model that were set by hand with the advice."""
        self._set_layers(labels.advice_label(pool), pool, model, None)

    def _has(self, name: str) -> bool:
        """Return whether a plan of this name exists."""
        return _has(self._document.project, name)


def _has(project: Project, name: str) -> bool:
    """Return whether a project has a plan of this name."""
    return any(scenario.name == name for scenario in project.scenarios)


# --- Session: the state of one window, from document to time, and its signals to the flows --------


class Asks(QObject):
    """Signals of all commands of the planner. The flows connect themselves to them."""

    new_asked = Signal()
    open_asked = Signal()
    open_path_asked = Signal(str)
    demo_asked = Signal()
    import_asked = Signal()
    contracts_asked = Signal()
    public_prices_asked = Signal()
    files_dropped = Signal(list)  # paths
    save_asked = Signal()
    save_as_asked = Signal()
    export_asked = Signal()
    export_focus_asked = Signal()
    export_calendar_asked = Signal()
    export_requests_asked = Signal()
    export_brief_asked = Signal()
    export_statements_asked = Signal()
    jobs_asked = Signal(object)  # CardFigures whose jobs to show
    merged_jobs_asked = Signal(object, object)  # merged CardFigures, and names of its workloads by key
    # CardFigures, hours that count (None: all), in words
    jobs_in_hours_asked = Signal(object, object, object)
    rows_asked = Signal(object, object, object)  # CardFigures, start and end (epoch s) of the jobs to show
    traffic_asked = Signal(str)  # key of the endpoint whose requests to read from a file
    window_asked = Signal()
    names_asked = Signal()  # for things that have two names
    rule_asked = Signal()  # a rule from the last decisions, or from the selected cards
    rules_asked = Signal()
    present_asked = Signal()
    tour_asked = Signal()
    today_view_chosen = Signal(str)
    plan_view_chosen = Signal(str)
    number_format_asked = Signal(str)
    language_asked = Signal(str)
    palette_chosen = Signal(str)
    board_view_changed = Signal(str)  # the view of the board, as text to save
    close_asked = Signal(object)  # QCloseEvent: ignore it to stay


class Session(QObject):
    """The state of one window, for the flows. The window here is only the parent of dialogs and the owner of flows.

    now_s: the time at the start, epoch seconds UTC; None: no clock, so the time is always the end of the log's window.
    """

    def __init__(
        self,
        document: Document,
        evaluator: Evaluator,
        window: QWidget | None = None,
        now_s: int | None = None,
    ) -> None:
        super().__init__(window)
        self.document, self.evaluator, self.window, self.now_s = document, evaluator, window, now_s
        self.has_workspace = False  # whether a project is shown rather than the welcome page
        self.view_state: ViewState | None = None  # also None before the first figures
        # as chosen, without and with What if
        self.horizons = dict.fromkeys((False, True), Horizon.TWELVE_MONTHS)
        self._seen: tuple[int, Project] | None = None  # number of the load, and the project followed last
        self.asks = Asks(self)
        self.gestures = Gestures(document, self, self.time_s)
        self._running = QElapsedTimer()
        self._running.start()
        document.number_by(self._with_numbers)

    def _with_numbers(self, project: Project) -> Project:
        """Return a project with the numbers of the decisions and orders that are shown."""
        shown = self.view_state
        if shown is None:
            return project
        return with_numbers(project, shown.evaluation.scenario, shown.outlook)

    @property
    def project(self) -> Project:
        """The project as it is now."""
        return self.document.project

    def edit(self, label: Message, after: Callable[[], Project]) -> None:
        """Make one step of Undo. A dialog shows the error if the edit is refused."""
        with errors_in_dialog(self.window):
            self.document.edit(label, after())

    @property
    def scenario(self) -> str:
        """The scenario that is shown, which the gestures change."""
        return self.gestures.scenario

    @property
    def plan(self) -> Scenario | None:
        """The plan that is shown; None for Today, and if the plan is gone."""
        return next((plan for plan in self.document.project.scenarios if plan.name == self.scenario), None)

    @property
    def is_asking(self) -> bool:
        """Whether a question is asked, or may be: What if is open, or a scratch copy is shown."""
        return self.gestures.is_asking or self.document.project.plan_before(self.scenario) is not None

    @property
    def horizon(self) -> Horizon:
        """How far ahead the headline looks."""
        return self.horizons[self.is_asking]

    def choose_horizon(self, horizon: Horizon) -> None:
        """Set the horizon of the headline."""
        self.horizons[self.is_asking] = horizon

    def follow(self, project: Project) -> None:
        """Show an existing plan: after Undo or Redo, the plan or the question of that step."""
        loads, gestures = self.document.loads, self.gestures
        before = self._seen[1] if self._seen is not None and self._seen[0] == loads else None
        if before is None and self.evaluation is not None and self.evaluation.project is not project:
            self.view_state = None  # figures of another project don't belong to this one
        self._seen = (loads, project)
        names = [plan.name for plan in project.scenarios]
        known = {plan.name for plan in (before or project).scenarios}
        came = [plan for plan in project.scenarios if plan.name not in known]
        if gestures.scenario == TODAY:
            return
        if gestures.scenario in names:
            asked = [plan.name for plan in came if plan.scratch_of == gestures.scenario]
            gestures.scenario = asked[0] if len(asked) == 1 else gestures.scenario
            return
        plan = None if before is None else before.plan_before(gestures.scenario)
        if len(came) == 1:
            gestures.scenario = came[0].name
        elif plan is not None and plan.name in names:
            gestures.scenario = plan.name
        else:
            gestures.scenario = names[0] if names else TODAY

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation that is shown.

        None before the first one.
        """
        return None if self.view_state is None else self.view_state.at_start.evaluation

    def show(self, evaluation: Evaluation) -> ViewState:
        """Show an evaluation. Figures that it doesn't have yet stay as they were."""
        self.view_state = next_view_state(self.view_state, evaluation)
        return self.view_state

    def time_s(self) -> int:
        """Return the time in epoch seconds UTC, from the clock at the start; without a clock, the window's end."""
        if self.now_s is None:
            return int(self.document.project.window.end_s)
        return self.now_s + self._running.elapsed() // 1000


# --- Ways that flows can lead to in their window, without access to it: the window fills them in ---


def _nowhere(*_: Any) -> None:
    """A way that no window has filled in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """Each way shows something, or an answer. Without a window the ways lead nowhere.

    why takes the figure's id, its widget and the place in the widget (QRect; None: all); answer_for takes a dialog that
    can explain its own figures; back takes a sheet that an answer may have led to.
    """

    workload: Callable[[str], None] = _nowhere  # by its key
    contract: Callable[[str], None] = _nowhere  # by its id
    edit_contract: Callable[[str], None] = _nowhere  # its editor, by its id
    offer: Callable[[str], None] = _nowhere  # by its id
    panel: Callable[..., None] = _nowhere  # by its name, and the name of a view if it has views
    scenario: Callable[[str], None] = _nowhere  # by its name
    stop_team: Callable[[str], None] = _nowhere  # to the question when a team's workloads stop, by its name
    ask: Callable[[str], None] = _nowhere  # to the answer of a question or a change in words
    jobs: Callable[[str], None] = _nowhere  # of a workload, by its key
    why: Callable[..., None] = _nowhere
    answer_for: Callable[[Any], None] = _nowhere
    back: Callable[[Any], None] = _nowhere


def ways_of_names(project: Project, ways: Ways, names: Sequence[str]) -> list[Action]:
    """Return the ways to the first workload, contract and offer with one of the names (key, id or name), or []."""
    keys = {row.name: row.key for row in reversed(project.workloads)}
    keys |= {row.key: row.key for row in project.workloads}
    contracts = {row.contract_id: row.contract_id for row in project.contracts}
    kinds = (
        (worded("Go to workload"), keys, ways.workload),
        (worded("Edit contract"), contracts, ways.edit_contract),
        (worded("Go to contract"), contracts, ways.contract),
        (worded("Go to offer"), {row.offer_id: row.offer_id for row in project.offers}, ways.offer),
    )
    actions = []
    for words, known, leads in kinds:
        if (name := next((each for each in names if each in known), None)) is not None:
            to = tr("{way} {name}", way=words, name=short(name))
            actions.append(Action(to, partial(leads, known[name])))
    return actions
