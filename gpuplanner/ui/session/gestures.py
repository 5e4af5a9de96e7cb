"""The planner's gestures, each one edit and one step of Undo, in the scenario that is shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpuplanner.domain import edits
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.needs import NeedValue
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import AssumptionValue
from gpuplanner.domain.model.scenario.merging import merge_of, with_those_merged
from gpuplanner.domain.model.scenario.parting import Split
from gpuplanner.domain.model.scenario.plan_inputs import TODAY, Decision, HandLayer


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
            if start is not None and edits.say_the_same(start, after):
                after = start  # dragged there and back: nothing was decided
            else:
                base = self._log_of(start)
                after = edits.log_decision(before, after, self.scenario, self._time_s(), label, base)
        if self.is_asking:
            after = self._asked(before, after, start)
        self._held = None if start is None else _Held(gesture, start, after)
        self._document.edit(label, after, gesture=gesture)

    def _asked(self, before: Project, after: Project, start: Project | None) -> Project:
        """`after` with the question in a scratch copy, which is shown; `start` where a drag came back to the plan."""
        plan = after.plan_before(self.scenario)
        if plan is not None and start is not None and not _has(start, self.scenario):
            if edits.asks_nothing(after, self.scenario):
                self.scenario = plan.name
                return start
            return after
        asked = edits.asked_apart(before, after, self.scenario)
        if asked is not after:
            there = {scenario.name for scenario in before.scenarios}
            self.scenario = next(one.name for one in asked.scenarios if one.name not in there)
        return asked

    def keep_question(self, proposed: str) -> None:
        """Make the question that is shown a plan of its own.

        proposed: its name, where no plan has it yet.
        """
        before, there = self.scenario, {one.name for one in self._document.project.scenarios}

        def kept(project: Project) -> Project:
            after = edits.keep_question(project, before, proposed)
            self.scenario = next((one.name for one in after.scenarios if one.name not in there), before)
            return after

        self.edit(edits.plan_label("Keep", before), kept)

    def discard_question(self) -> None:
        """Take the question that is shown away, and show the plan that it was asked of."""
        plan, asked = self._document.project.plan_before(self.scenario), self.scenario
        if plan is not None:
            self.scenario = plan.name
            self.edit(
                edits.plan_label("Discard", asked), lambda project: edits.discard_question(project, asked)
            )

    def _start_of(self, before: Project, gesture: str) -> Project | None:
        """The project as it was when a gesture began; None for what is no gesture of several steps."""
        held = self._held
        if held is not None and held.gesture == gesture and held.now is before:
            return held.start
        return before if gesture else None

    def _log_of(self, start: Project | None) -> tuple[Decision, ...] | None:
        """The decisions of the shown plan in a project, or of the plan that it asks a question of."""
        plans = {} if start is None else {plan.name: plan for plan in start.scenarios}
        asked_of = self._document.project.plan_before(self.scenario)
        plan = plans.get(self.scenario) or (None if asked_of is None else plans.get(asked_of.name))
        return None if plan is None else plan.decisions

    def end_gesture(self) -> None:
        """The handle was let go: the next step is one of its own, also with the same handle."""
        self._held = None
        self._document.end_gesture()

    def move(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Move workloads to another pool."""
        label = edits.move_label(self._document.project, self._merged(keys), pool)
        self.edit(label, lambda project: edits.move_workloads(project, self.scenario, keys, pool))

    def limit(self, keys: tuple[str, ...], only: Only, called: Text = "") -> None:
        """Say who alone may serve workloads. called: what they are together; "" by their name or number."""
        project = self._document.project
        label = edits.only_label_of(called, only) if called else edits.only_label(project, keys, only)
        self.edit(label, lambda project: edits.limit_workloads(project, self.scenario, keys, only))

    def limit_share(self, who: Only, share: float | None) -> None:
        """Say how much of the first month's $ one may have, 0..1; None: any."""
        label = edits.share_label(who, share)
        self.edit(label, lambda project: edits.limit_share(project, self.scenario, who, share))

    def split(self, key: str, split: Split, pool: Pool | None) -> None:
        """Divide a card in two; pool: where the second part goes, None leaves it beside the first.

        Other plans keep the card whole.
        """
        label = edits.split_label(self._document.project, key)
        self.edit(label, lambda project: edits.split_workload(project, self.scenario, key, split, pool))

    def merge(self, keys: tuple[str, ...]) -> None:
        """Make whole what these cards are parts of."""
        label = edits.merge_label(self._document.project, self._whole(keys))
        self.edit(label, lambda project: edits.merge_parts(project, self.scenario, keys))

    def merge_cards(self, keys: tuple[str, ...], name: str, pool: Pool) -> None:
        """Make these cards one in a pool.

        name: of the one card; its figures are the sums of theirs.
        """
        label = edits.merge_cards_label(name, len(self._merged(keys)))
        self.edit(label, lambda project: edits.merge_cards(project, self.scenario, keys, name, pool))

    def take_apart(self, keys: tuple[str, ...]) -> None:
        """Make single cards again of those that are merged."""
        merges = self._document.project.scenario(self.scenario).merges
        names = dict.fromkeys(name for key in keys if (name := merge_of(key, merges)) is not None)
        label = edits.take_apart_label(", ".join(names))
        self.edit(label, lambda project: edits.take_apart(project, self.scenario, keys))

    def _merged(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """These cards and all that stand as one with them."""
        if self.scenario == TODAY:
            return keys
        return with_those_merged(keys, self._document.project.scenario(self.scenario).merges)

    def write_note(self, key: str, text: str) -> None:
        """Write what is to be known about a workload, in every scenario; empty text takes it away."""
        label = edits.note_label(self._document.project, key, text)
        self.edit(label, lambda project: edits.set_note(project, key, text))

    def _whole(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """The workloads that cards are of: a part is of what was divided; those merged with them that are there."""
        if self.scenario == TODAY:
            return keys
        there = {workload.key for workload in self._document.project.workloads}
        wholes = edits.whole_keys(self._document.project.scenario(self.scenario), keys)
        return tuple(key for key in wholes if key in there)

    def label(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Say what workloads are, in every scenario. The class of planned work is the pool that it is planned for."""
        wholes = self._whole(keys)
        if keys and not wholes:
            self.move(keys, pool)
            return
        keys = wholes
        label = edits.label_label(self._document.project, keys, pool)
        self.edit(label, lambda project: edits.label_workloads(project, keys, pool))

    def set_need(self, key: str, name: str, value: NeedValue) -> None:
        """Say what a workload needs of its hardware; None lets the finding of the log count again."""

        def edit(project: Project) -> Project:
            """The project with the need stated, or taken back to what is worked out."""
            return (
                edits.clear_need(project, (key,), name)
                if value is None
                else edits.set_need(project, (key,), name, value)
            )

        self.edit(edits.need_label(self._document.project, (key,), name, value), edit)

    def pin(self, keys: tuple[str, ...], pinned: bool) -> None:
        """Pin workloads where they stand, or let them go."""
        words, edit = (
            (edits.pin_label, edits.pin_workloads) if pinned else (edits.unpin_label, edits.unpin_workloads)
        )
        self.edit(
            words(self._document.project, self._merged(keys)),
            lambda project: edit(project, self.scenario, keys),
        )

    def separate(self, found: Mapping[str, Classification]) -> None:
        """Put every workload that is not pinned into the pool of its class, as `found` by the audit.

        Nothing on Today, where the past stands as it was.
        """
        if self.scenario == TODAY:
            return
        self.edit(
            edits.SEPARATE_LABEL,
            lambda project: edits.separate_automatically(project, self.scenario, found),
        )

    def turn_greenfield(self) -> None:
        """Leave existing contracts out of the plan, or let them count again."""
        if self.scenario == TODAY:
            return
        wanted = not self._document.project.scenario(self.scenario).greenfield
        self.edit(
            edits.greenfield_label(wanted),
            lambda project: edits.set_greenfield(project, self.scenario, wanted),
        )

    def add_plan(self, origin: str | None = None) -> None:
        """Another plan, shown from now on. origin: what it starts from; None: the scenario that is shown.

        From Today, where it is asked for by name, it starts as today; where Today is only shown, it starts separated.
        """
        name = edits.next_plan_name(self._document.project)
        if origin is None and self.scenario != TODAY:
            origin = self.scenario
        before, self.scenario = self.scenario, name
        self.edit(edits.plan_label("Add", name), lambda project: edits.add_plan(project, name, origin))
        if not self._has(name):
            self.scenario = before

    def duplicate_plan(self) -> None:
        """A copy of the plan that is shown, right after it, and shown from now on."""
        origin = self.scenario
        if origin == TODAY:
            return
        self.scenario = edits.next_plan_name(self._document.project)
        label = edits.plan_label("Duplicate", origin)
        self.edit(label, lambda project: edits.duplicate_plan(project, origin))
        if not self._has(self.scenario):
            self.scenario = origin

    def shift_plan(self, places: int) -> None:
        """Move the tab of the plan that is shown.

        places: to the left below zero, to the right above.
        """
        if self.scenario != TODAY:
            name = self.scenario
            label = edits.plan_label("Move left" if places < 0 else "Move right", name)
            self.edit(label, lambda project: edits.shift_plan(project, name, places))

    def rename_plan(self, name: str) -> None:
        """Give the plan that is shown another name.

        Nothing for an empty name or the same one.
        """
        old = self.scenario
        if old == TODAY or not name or name == old:
            return
        self.scenario = name
        self.edit(edits.plan_label("Rename", old), lambda project: edits.rename_plan(project, old, name))
        if not self._has(name):
            self.scenario = old

    def delete_plan(self) -> None:
        """Take the plan that is shown away."""
        if self.scenario != TODAY:
            name = self.scenario
            self.edit(edits.plan_label("Delete", name), lambda project: edits.delete_plan(project, name))

    def set_assumption(self, name: str, value: AssumptionValue, *, gesture: str = "") -> None:
        """Change an assumption of the plan that is shown; on Today, of all plans."""
        scenario = None if self.scenario == TODAY else self.scenario
        self.edit(
            edits.assumption_label(name, value),
            lambda project: edits.set_assumption(project, scenario, name, value),
            gesture=gesture,
        )

    def say_why(self, number: int, reason: str) -> None:
        """Give a line of the plan's log of decisions its reason.

        number: of the line, from 0, oldest first; one that is gone is left alone.
        """
        if not self._has(self.scenario):
            return
        decisions = self._document.project.scenario(self.scenario).decisions
        if 0 <= number < len(decisions):
            label = edits.reason_label(decisions[number].what, reason)
            self.edit(label, lambda project: edits.set_reason(project, self.scenario, number, reason))

    def note(self, what: Text, at_s: int, reason: str) -> None:
        """A line of its own in the log of the plan that is shown.

        Of a step that no line speaks of, or of the plan.

        at_s: epoch seconds UTC.
        """
        self.edit(
            edits.reason_label(what, reason),
            lambda project: edits.add_decision(project, self.scenario, at_s, what, reason),
        )

    def set_levels(
        self,
        pool: Pool,
        model: str | None,
        layers: tuple[HandLayer, ...],
        changed: HandLayer,
        is_rest_advised: bool,
    ) -> None:
        """Set levels of one pool and model by hand; while `changed` is dragged, all is one step."""
        self.edit(
            edits.level_label(changed.term_months, changed.gpus),
            lambda project: edits.set_hand_layers(
                project, self.scenario, pool, model, layers, is_rest_advised
            ),
            gesture=f"level {pool} {model} {changed.term_months}",
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
        """Hold a level while the rest is advised around it, or let it go."""
        self.edit(
            edits.hold_label(meant.term_months, meant.gpus, is_held),
            lambda project: edits.set_hand_layers(
                project, self.scenario, pool, model, layers, is_rest_advised
            ),
        )

    def use_advice(self, pool: Pool, model: str | None) -> None:
        """Let go of the levels of one pool and model that were set by hand."""
        self.edit(
            edits.advice_label(pool),
            lambda project: edits.set_hand_layers(project, self.scenario, pool, model, None),
        )

    def _has(self, name: str) -> bool:
        """Whether a plan of this name is there."""
        return _has(self._document.project, name)


def _has(project: Project, name: str) -> bool:
    """Whether a project has a plan of this name."""
    return any(scenario.name == name for scenario in project.scenarios)
