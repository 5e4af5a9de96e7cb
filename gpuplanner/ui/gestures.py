"""The planner's gestures, each one edit and one step of Undo, in the scenario that is shown."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpuplanner.domain import edits
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.needs import NeedValue
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import TODAY, HandLayer


class Gestures(QObject):
    """Edits the document it is given; `scenario` names the scenario that the gestures are made in."""

    failed = Signal(object)  # PlannerError

    def __init__(self, document: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.scenario = ""  # none yet: a window shows the first plan of what is opened

    def edit(self, label: str, edit: Callable[[Project], Project], *, gesture: str = "") -> None:
        """One step of Undo; steps of the same gesture are one until it ends."""
        try:
            self._document.edit(label, edit(self._document.project), gesture=gesture)
        except PlannerError as error:
            self.failed.emit(error)

    def move(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Move workloads to another pool."""
        label = edits.move_label(self._document.project, keys, pool)
        self.edit(label, lambda project: edits.move_workloads(project, self.scenario, keys, pool))

    def label(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Say what workloads are, in every scenario."""
        label = edits.label_label(self._document.project, keys, pool)
        self.edit(label, lambda project: edits.label_workloads(project, keys, pool))

    def set_need(self, key: str, name: str, value: NeedValue) -> None:
        """Say what a workload needs of its hardware; None lets the finding of the log count again."""

        def edit(project: Project) -> Project:
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
        self.edit(words(self._document.project, keys), lambda project: edit(project, self.scenario, keys))

    def separate(self, found: Mapping[str, Classification]) -> None:
        """Put every workload that is not pinned into the pool of its class, as `found` by the audit."""
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

    def add_plan(self) -> None:
        """Another plan, which starts from the one that is shown, and is shown from now on."""
        name = edits.next_plan_name(self._document.project)
        origin = None if self.scenario == TODAY else self.scenario
        before, self.scenario = self.scenario, name
        self.edit(edits.plan_label("Add", name), lambda project: edits.add_plan(project, name, origin))
        if not self._has(name):
            self.scenario = before

    def rename_plan(self, name: str) -> None:
        """Give the plan that is shown another name."""
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
            gesture=f"level {self.scenario} {pool} {model} {changed.term_months}",
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
        return any(scenario.name == name for scenario in self._document.project.scenarios)
