"""Session: what one window works on, the planner's gestures on it, and where flows can lead to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from PySide6.QtCore import QElapsedTimer, QObject, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.app.document import Document
from gpuplanner.app.evaluator import Evaluator
from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.edits import labels, money, plans, workloads
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model import plan_inputs
from gpuplanner.domain.model.assumptions import AssumptionValue
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import NeedValue, Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.dialogs import errors_in_dialog
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.table_habits import Action, short

STEPS_LOOKED_BACK: Final = 8
"""How many steps an edit may take back so that neither stays in the plan's log."""

# --- The planner's gestures, each one edit and one step of Undo, in the scenario that is shown ---


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """A gesture of several steps: the project as it was when it began, and as it is now."""

    gesture: str
    start: Project
    now: Project


class Gestures(QObject):
    """Edits the document it is given; `scenario` names the scenario that the gestures are made in."""

    failed = Signal(object)  # PlannerError

    def __init__(
        self, document: Any, parent: QObject | None = None, time_s: Callable[[], int] | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._time_s = document, time_s
        self._held: _Held | None = None
        self.scenario = ""  # none yet: a window shows the first plan of what is opened
        self.is_asking = False  # whether what is changed in a plan is a question, in a scratch copy beside it

    def edit(self, label: Message, edit: Callable[[Project], Project], *, gesture: str = "") -> None:
        """One step of Undo; steps of the same gesture are one until it ends.

        What changes the plan is in its log.

        An edit that is refused, or changes nothing, is no step. While a question is asked, what it changes in a plan
        is in a scratch copy of it, which is shown from then on.
        """
        before = self._document.project
        try:
            after = edit(before)
        except PlannerError as error:
            self.failed.emit(error)
            return
        start = self._start_of(before, gesture)
        if after is not before and self._time_s is not None:
            if start is not None and plans.say_the_same(start, after):
                after = start  # dragged there and back: nothing was decided
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
                after = back or decided  # taken back: neither it nor what it takes back was decided
        if self.is_asking:
            after = self._asked(before, after, start)
        self._held = None if start is None else _Held(gesture, start, after)
        self._document.edit(label, after, gesture=gesture)

    def _earlier(self) -> Iterator[Project]:
        """What the project was before the last few steps."""
        return islice(self._document.earlier(), STEPS_LOOKED_BACK)

    def _asked(self, before: Project, after: Project, start: Project | None) -> Project:
        """`after` with the question in a scratch copy, which is shown; `start` where a drag came back to the plan."""
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
        """Make the question that is shown a plan of its own.

        proposed: its name, where no plan has it yet.
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
        """Take the question that is shown away, and show the plan that it was asked of."""
        plan, asked = self._document.project.plan_before(self.scenario), self.scenario
        if plan is not None:
            self.scenario, label = plan.name, labels.plan_label("Discard", asked)
            self.edit(label, lambda project: plans.discard_question(project, asked))

    def _start_of(self, before: Project, gesture: str) -> Project | None:
        """The project as it was when a gesture began; None for what is no gesture of several steps."""
        if (held := self._held) is not None and held.gesture == gesture and held.now is before:
            return held.start
        return before if gesture else None

    def _log_of(self, start: Project | None) -> tuple[plan_inputs.Decision, ...] | None:
        """The decisions of the shown plan in a project, or of the plan that it asks a question of."""
        by_name = {} if start is None else {plan.name: plan for plan in start.scenarios}
        asked_of = self._document.project.plan_before(self.scenario)
        plan = by_name.get(self.scenario) or (None if asked_of is None else by_name.get(asked_of.name))
        return None if plan is None else plan.decisions

    def end_gesture(self) -> None:
        """The handle was let go: the next step is one of its own, also with the same handle."""
        self._held = None
        self._document.end_gesture()

    def move(self, keys: tuple[str, ...], pool: Pool, classes: workloads.Classes | None = None) -> None:
        """Move workloads to another pool. classes: see `move_workloads`."""
        label = labels.move_label(self._document.project, self._merged(keys), pool)
        self.edit(
            label, lambda project: workloads.move_workloads(project, self.scenario, keys, pool, classes)
        )

    def limit(self, keys: tuple[str, ...], only: Only, called: Text = "") -> None:
        """Say who alone may serve workloads. called: what they are together; "" by their name or number."""
        project = self._document.project
        label = labels.only_label_of(called, only) if called else labels.only_label(project, keys, only)
        self.edit(label, lambda project: workloads.limit_workloads(project, self.scenario, keys, only))

    def limit_share(self, who: Only, share: float | None) -> None:
        """Say how much of the first month's $ one may have, 0..1; None: any."""
        label = labels.share_label(who, share)
        self.edit(label, lambda project: workloads.limit_share(project, self.scenario, who, share))

    def split(self, key: str, split: plan_inputs.Split, pool: Pool | None) -> None:
        """Divide a card in two; pool: where the second part goes, None leaves it beside the first.

        Other plans keep the card whole.
        """
        label = labels.split_label(self._document.project, key)
        self.edit(label, lambda project: workloads.split_workload(project, self.scenario, key, split, pool))

    def merge(self, keys: tuple[str, ...]) -> None:
        """Make whole what these cards are parts of."""
        label = labels.merge_label(self._document.project, self._whole(keys))
        self.edit(label, lambda project: workloads.merge_parts(project, self.scenario, keys))

    def merge_cards(self, keys: tuple[str, ...], name: str, pool: Pool) -> None:
        """Make these cards one in a pool.

        name: of the one card; its figures are the sums of theirs.
        """
        label = labels.merge_cards_label(name, len(self._merged(keys)))
        self.edit(label, lambda project: workloads.merge_cards(project, self.scenario, keys, name, pool))

    def take_apart(self, keys: tuple[str, ...]) -> None:
        """Make single cards again of those that are merged."""
        merges = self._document.project.scenario(self.scenario).merges
        names = dict.fromkeys(name for key in keys if (name := plan_inputs.merge_of(key, merges)) is not None)
        label = labels.take_apart_label(", ".join(names))
        self.edit(label, lambda project: workloads.take_apart(project, self.scenario, keys))

    def _merged(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """These cards and all that stand as one with them."""
        if self.scenario == plan_inputs.TODAY:
            return keys
        return plan_inputs.with_those_merged(keys, self._document.project.scenario(self.scenario).merges)

    def write_note(self, key: str, text: str) -> None:
        """Write what is to be known about a workload, in every scenario; empty text takes it away."""
        label = labels.note_label(self._document.project, key, text)
        self.edit(label, lambda project: workloads.set_note(project, key, text))

    def _whole(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """The workloads that cards are of: a part is of what was divided; those merged with them that are there."""
        if self.scenario == plan_inputs.TODAY:
            return keys
        known = {workload.key for workload in self._document.project.workloads}
        wholes = workloads.whole_keys(self._document.project.scenario(self.scenario), keys)
        return tuple(key for key in wholes if key in known)

    def label(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Say what workloads are, in every scenario. The class of planned work is the pool that it is planned for."""
        wholes = self._whole(keys)
        if keys and not wholes:
            self.move(keys, pool)
            return
        keys = wholes
        label = labels.label_label(self._document.project, keys, pool)
        self.edit(label, lambda project: workloads.label_workloads(project, keys, pool))

    def set_need(self, key: str, name: str, value: NeedValue) -> None:
        """Say what a workload needs of its hardware; None lets the finding of the log count again."""

        def edit(project: Project) -> Project:
            """The project with the need stated, or taken back to what is worked out."""
            if value is None:
                return workloads.clear_need(project, (key,), name)
            return workloads.set_need(project, (key,), name, value)

        self.edit(labels.need_label(self._document.project, (key,), name, value), edit)

    def pin(self, keys: tuple[str, ...], pinned: bool) -> None:
        """Pin workloads where they stand, or let them go."""
        words, edit = (labels.unpin_label, workloads.unpin_workloads)
        if pinned:
            words, edit = (labels.pin_label, workloads.pin_workloads)
        label = words(self._document.project, self._merged(keys))
        self.edit(label, lambda project: edit(project, self.scenario, keys))

    def separate(self, classes: Mapping[str, Classification]) -> None:
        """Put every workload that is not pinned into the pool of its class, as the audit has it. classes: by key.

        Nothing on Today, where the past stands as it was.
        """
        if self.scenario != plan_inputs.TODAY:
            edit = workloads.separate_automatically
            self.edit(labels.SEPARATE_LABEL, lambda project: edit(project, self.scenario, classes))

    def turn_greenfield(self) -> None:
        """Leave existing contracts out of the plan, or let them count again."""
        if self.scenario != plan_inputs.TODAY:
            wanted = not self._document.project.scenario(self.scenario).greenfield
            label = labels.greenfield_label(wanted)
            self.edit(label, lambda project: plans.set_greenfield(project, self.scenario, wanted))

    def accept_saving(self, step: str, is_accepted: bool) -> None:
        """Take a saving on offer into the plan, or out of it; nothing on Today. step: of DEMAND_CUTS."""
        if self.scenario != plan_inputs.TODAY:
            label = labels.saving_label(step, is_accepted)
            edit = plans.accept_saving
            self.edit(label, lambda project: edit(project, self.scenario, step, is_accepted))

    def add_plan(self, origin: str | None = None) -> None:
        """Another plan, shown from now on. origin: what it starts from; None: the scenario that is shown.

        From Today, where it is asked for by name, it starts as today; where Today is only shown, it starts separated.
        """
        name = plans.next_plan_name(self._document.project)
        if origin is None and self.scenario != plan_inputs.TODAY:
            origin = self.scenario
        before, self.scenario = self.scenario, name
        self.edit(labels.plan_label("Add", name), lambda project: plans.add_plan(project, name, origin))
        if not self._has(name):
            self.scenario = before

    def duplicate_plan(self) -> None:
        """A copy of the plan that is shown, right after it, and shown from now on."""
        if (origin := self.scenario) == plan_inputs.TODAY:
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
        if self.scenario != plan_inputs.TODAY:
            name = self.scenario
            label = labels.plan_label("Move left" if places < 0 else "Move right", name)
            self.edit(label, lambda project: plans.shift_plan(project, name, places))

    def rename_plan(self, name: str) -> None:
        """Give the plan that is shown another name.

        Nothing for an empty name or the same one.
        """
        if (old := self.scenario) == plan_inputs.TODAY or not name or name == old:
            return
        self.scenario = name
        self.edit(labels.plan_label("Rename", old), lambda project: plans.rename_plan(project, old, name))
        if not self._has(name):
            self.scenario = old

    def delete_plan(self) -> None:
        """Take the plan that is shown away."""
        if self.scenario != plan_inputs.TODAY:
            name = self.scenario
            self.edit(labels.plan_label("Delete", name), lambda project: plans.delete_plan(project, name))

    def take_quote(self, offer_id: str) -> None:
        """Take a quote as it is, whatever its vendor's remark says."""
        label = labels.offers_label("Take", offer_id)
        self.edit(label, lambda project: money.take_as_quoted(project, offer_id))

    def set_assumption(self, name: str, value: AssumptionValue, *, gesture: str = "") -> None:
        """Change an assumption of the plan that is shown; on Today, of all plans."""
        scenario = None if self.scenario == plan_inputs.TODAY else self.scenario
        label = labels.assumption_label(name, value)
        self.edit(label, lambda now: plans.set_assumption(now, scenario, name, value), gesture=gesture)

    def say_why(self, number: int, reason: str) -> None:
        """Give a line of the plan's log of decisions its reason.

        number: of the line, from 0, oldest first; one that is gone is left alone.
        """
        if not self._has(self.scenario):
            return
        decisions = self._document.project.scenario(self.scenario).decisions
        if 0 <= number < len(decisions):
            label = labels.reason_label(decisions[number].what, reason)
            self.edit(label, lambda project: plans.set_reason(project, self.scenario, number, reason))

    def note(self, step: Text, at_s: int, reason: str) -> None:
        """A line of its own in the log of the plan that is shown, of a step that no line speaks of, or of the plan.

        at_s: epoch seconds UTC.
        """
        label = labels.reason_label(step, reason)
        self.edit(label, lambda now: plans.add_decision(now, self.scenario, at_s, step, reason))

    def set_levels(
        self,
        pool: Pool,
        model: str | None,
        layers: tuple[plan_inputs.HandLayer, ...],
        changed: plan_inputs.HandLayer,
        is_rest_advised: bool,
    ) -> None:
        """Set levels of one pool and model by hand; while `changed` is dragged, all is one step."""
        label = labels.level_label(changed.term_months, changed.gpus)
        gesture = f"level {pool} {model} {changed.term_months}"
        self._set_layers(label, pool, model, layers, is_rest_advised, gesture)

    def _set_layers(
        self,
        label: Message,
        pool: Pool,
        model: str | None,
        layers: tuple[plan_inputs.HandLayer, ...] | None,
        is_rest_advised: bool = False,
        gesture: str = "",
    ) -> None:
        """One edit of the levels of one pool and model; None: as they are advised."""
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
        layers: tuple[plan_inputs.HandLayer, ...] | None,
        meant: plan_inputs.HandLayer,
        is_rest_advised: bool,
        is_held: bool,
    ) -> None:
        """Hold a level while the rest is advised around it, or let it go."""
        label = labels.hold_label(meant.term_months, meant.gpus, is_held)
        self._set_layers(label, pool, model, layers, is_rest_advised)

    def use_advice(self, pool: Pool, model: str | None) -> None:
        """Let go of the levels of one pool and model that were set by hand."""
        self._set_layers(labels.advice_label(pool), pool, model, None)

    def _has(self, name: str) -> bool:
        """Whether a plan of this name is there."""
        return _has(self._document.project, name)


def _has(project: Project, name: str) -> bool:
    """Whether a project has a plan of this name."""
    return any(scenario.name == name for scenario in project.scenarios)


# --- Session: what one window works on, from document to time, and what it asks of others --------


class Asks(QObject):
    """Emitted by whatever the planner presses; heard by the flows, who connect themselves."""

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
    jobs_asked = Signal(object)  # CardFigures whose jobs are to be seen
    merged_jobs_asked = Signal(object, object)  # merged CardFigures, and names of its workloads by key
    # CardFigures, hours that count (None: all), in words
    jobs_in_hours_asked = Signal(object, object, object)
    rows_asked = Signal(object, object, object)  # CardFigures, start and end (epoch s) of the jobs to be seen
    traffic_asked = Signal(str)  # key of the endpoint whose requests are to be read from a file
    window_asked = Signal()
    names_asked = Signal()  # what is one though it has two names
    rule_asked = Signal()  # a rule from what was decided last, or from the selected cards
    rules_asked = Signal()
    present_asked = Signal()
    tour_asked = Signal()
    today_view_chosen = Signal(str)
    number_format_asked = Signal(str)
    language_asked = Signal(str)
    palette_chosen = Signal(str)
    board_view_changed = Signal(str)  # how the board is looked at, as text to be remembered
    close_asked = Signal(object)  # QCloseEvent: ignore it to stay


class Session(QObject):
    """Flows are told of it. The window is here only as the parent of their dialogs, and as what they live as long as.

    now_s: the time at the start, epoch seconds UTC; None: there is no clock, it is always the end of the log's window.
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
        self.is_led_on = False  # whether one sentence leads on: since an import, until it is hidden
        self.has_workspace = False  # whether a project is shown rather than the welcome page
        self.view_state: ViewState | None = None  # also None until the first figures are there
        # as chosen, without and with What if
        self.horizons = dict.fromkeys((False, True), Horizon.TWELVE_MONTHS)
        self._seen: tuple[int, Project] | None = None  # of which load, and the project that was followed last
        self.asks = Asks(self)
        self.gestures = Gestures(document, self, self.time_s)
        self._running = QElapsedTimer()
        self._running.start()

    @property
    def project(self) -> Project:
        """The project as it is now."""
        return self.document.project

    def edit(self, label: Message, after: Callable[[], Project]) -> None:
        """One step of Undo; what is refused is said in a dialog."""
        with errors_in_dialog(self.window):
            self.document.edit(label, after())

    @property
    def scenario(self) -> str:
        """The scenario that is shown, which the gestures are made in."""
        return self.gestures.scenario

    @property
    def plan(self) -> plan_inputs.Scenario | None:
        """The plan that is shown; None for Today, and where it is gone."""
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
        """Look so far ahead from now on."""
        self.horizons[self.is_asking] = horizon

    def follow(self, project: Project) -> None:
        """Show a plan that is there: what was undone, or done again, is followed to its plan or its question."""
        loads, gestures = self.document.loads, self.gestures
        before = self._seen[1] if self._seen is not None and self._seen[0] == loads else None
        if before is None and self.evaluation is not None and self.evaluation.project is not project:
            self.view_state = None  # figures of another project are none of this one's
        self._seen = (loads, project)
        names = [plan.name for plan in project.scenarios]
        known = {plan.name for plan in (before or project).scenarios}
        came = [plan for plan in project.scenarios if plan.name not in known]
        if gestures.scenario == plan_inputs.TODAY:
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
            gestures.scenario = names[0] if names else plan_inputs.TODAY

    @property
    def evaluation(self) -> Evaluation | None:
        """What is known of what is shown.

        None before the first one.
        """
        return None if self.view_state is None else self.view_state.at_start.evaluation

    def show(self, evaluation: Evaluation) -> ViewState:
        """What is shown from now on: what the evaluation does not know yet stays as it was."""
        self.view_state = next_view_state(self.view_state, evaluation)
        return self.view_state

    def time_s(self) -> int:
        """The time in epoch seconds UTC, from the clock that was read at the start; without one, the window's end."""
        if self.now_s is None:
            return int(self.document.project.window.end_s)
        return self.now_s + self._running.elapsed() // 1000


# --- Where flows can lead to in their window, without knowing it: the window fills the ways in ---


def _nowhere(*_: Any) -> None:
    """A way that no window has filled in."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Each brings something into view, or an answer. Without a window they lead nowhere.

    why is asked with the figure's id, the widget it stands in and where (QRect; None: all of it); answer_for with a
    dialog that knows why its own figures are what they are; back with a sheet that an answer may have led to.
    """

    workload: Callable[[str], None] = _nowhere  # by its key
    contract: Callable[[str], None] = _nowhere  # by its id
    edit_contract: Callable[[str], None] = _nowhere  # its editor, by its id
    offer: Callable[[str], None] = _nowhere  # by its id
    panel: Callable[..., None] = _nowhere  # by its name, and that of one of its views where it has some
    scenario: Callable[[str], None] = _nowhere  # by its name
    stop_team: Callable[[str], None] = _nowhere  # to the question when a team's workloads stop, by its name
    ask: Callable[[str], None] = _nowhere  # to the answer of a question or a change in words
    jobs: Callable[[str], None] = _nowhere  # of a workload, by its key
    why: Callable[..., None] = _nowhere
    answer_for: Callable[[Any], None] = _nowhere
    back: Callable[[Any], None] = _nowhere


def ways_of_names(project: Project, ways: Ways, names: Sequence[str]) -> list[Action]:
    """The way to the first workload, contract and offer that is called so, by key, id or name; [] where none is."""
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
