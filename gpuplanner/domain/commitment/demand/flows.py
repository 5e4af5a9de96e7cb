"""Flows: demand in groups that come, go and step together, and how much of each is there in every month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gpuplanner.domain.model.book.contract_months import month_start_s
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.scenario.dated import NO_SPELL, Spell, Step, factor_in
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.domain.model.window import Window


@dataclass(frozen=True, slots=True)
class Schedule:
    """What the workloads of one group have in common: when they are there, and the steps of their demand.

    steps: in order of time.
    """

    spell: Spell = NO_SPELL
    steps: tuple[Step, ...] = ()
    is_planned: bool = False

    @property
    def grows(self) -> bool:
        """Planned work is what it was planned to be."""
        return not self.is_planned

    @property
    def is_stated(self) -> bool:
        """Whether the planner said when it is there: its going is no fall."""
        return self.is_planned or self.spell != NO_SPELL

    @property
    def counts_as_lived(self) -> bool:
        """Whether its slices need not have run: planned, or said to come back."""
        return self.is_planned or self.spell.begins_s is not None

    @property
    def moments(self) -> tuple[int, ...]:
        """When it changes.

        Epoch seconds, not sorted. Gradual steps (`by`) change with every month and have no moment of their
        own.
        """
        steps = (step.from_s for step in self.steps if not step.by)
        ends = (self.spell.begins_s, self.spell.ends_s, *steps)
        return tuple(at for at in ends if at is not None)

    def factor_at(self, at_s: int, month: int, plan_begins_s: int) -> float:
        """How many times its own demand is there at a moment of a month of a plan that begins then.

        at_s, plan_begins_s: epoch seconds; month: that of `at_s`. 0 before it begins and from its end on; a
        ratio otherwise, 1 without steps.
        """
        begins, ends = self.spell.begins_s, self.spell.ends_s
        if (begins is not None and at_s < begins) or (ends is not None and at_s >= ends):
            return 0.0
        return factor_in(self.steps, at_s, month, plan_begins_s)


UNDATED = Schedule()


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Workloads of one schedule: a cube of their rows alone, over all workloads of the project.

    cube: the hours of the others are left out, but places and numbers of workloads stay.
    """

    schedule: Schedule
    cube: Cube


def schedules_of(workloads: Sequence[Workload], scenario: Scenario, begins_s: int) -> tuple[Schedule, ...]:
    """Of each workload, in their order. begins_s: when the plan does, epoch seconds.

    Shapes: one for each workload. Source: docs/formulas.md, Who is there when.
    """
    return schedules_for([workload.key for workload in workloads], scenario, begins_s)


def schedules_for(card_keys: Sequence[str], scenario: Scenario, begins_s: int) -> tuple[Schedule, ...]:
    """Of the cards of these keys: workloads, parts of them, or work that no log has.

    Steps come in order of time; one without keys is for everybody. A spell that the planner set counts before
    that of planned work.
    """
    changes = [
        (Step(change.factor, change.from_s, change.by), frozenset(change.keys))
        for change in sorted(scenario.changes, key=lambda change: change.from_s)
    ]
    planned = {work.key: work.spell(begins_s) for work in scenario.planned}
    answer = []
    for key in card_keys:
        whole = whole_key(key, scenario.splits)  # what is said of a workload is said of its parts
        steps = tuple(step for step, keys in changes if not keys or whole in keys)
        spell = scenario.spells.get(whole) or planned.get(key) or NO_SPELL
        answer.append(Schedule(spell, steps, key in planned))
    return tuple(answer)


def groups_of(cube: Cube, schedules: Sequence[Schedule], begins_s: int) -> tuple[Group, ...]:
    """The undated group first, then the others in order of their first workload; who is over before a plan begins is
    in none. begins_s: of the plan, epoch seconds."""
    number = {UNDATED: 0}
    group_of = np.empty(len(schedules), dtype=np.int64)
    for place, schedule in enumerate(schedules):
        is_over = schedule.spell.ends_s is not None and schedule.spell.ends_s <= begins_s
        group_of[place] = -1 if is_over else number.setdefault(schedule, len(number))
    return tuple(Group(schedule, cube.of_workloads(group_of == place)) for schedule, place in number.items())


def spans_of_months(
    schedules: Sequence[Schedule], window: Window, months: int
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Of each month the spans between whose edges nothing begins, ends or steps; (from, to) in epoch seconds.

    Law: the spans of a month follow each other without a gap, and are together the month.
    """
    moments = sorted({at for schedule in schedules for at in schedule.moments})
    answer = []
    for month in range(months):
        start_s, end_s = month_start_s(window, month), month_start_s(window, month + 1)
        edges = [start_s, *(at for at in moments if start_s < at < end_s), end_s]
        answer.append(tuple(pairwise(edges)))
    return tuple(answer)


def pieces_of_months(
    schedules: Sequence[Schedule], window: Window, months: int
) -> tuple[tuple[tuple[float, tuple[float, ...]], ...], ...]:
    """Of each month its pieces: the share of the month, and the factor of every schedule in it.

    Law: the shares of a month add up to 1; a month in which nothing begins, ends or steps has one piece.
    """
    answer = []
    for month, spans in enumerate(spans_of_months(schedules, window, months)):
        whole_s = spans[-1][1] - spans[0][0]
        pieces: dict[tuple[float, ...], float] = {}
        for from_s, to_s in spans:
            factors = tuple(schedule.factor_at(from_s, month, window.end_s) for schedule in schedules)
            pieces[factors] = pieces.get(factors, 0.0) + (to_s - from_s) / whole_s
        answer.append(tuple((share, factors) for factors, share in pieces.items()))
    return tuple(answer)


def shares_of_month_0(pieces: tuple[tuple[float, tuple[float, ...]], ...]) -> Mapping[int, float]:
    """How much of each group is there in month 0, by its number.

    pieces: of month 0, each its share of the month and the factor of every group. Without steps a share is
    0..1.
    """
    count = len(pieces[0][1])
    return {group: sum(share * factors[group] for share, factors in pieces) for group in range(count)}
