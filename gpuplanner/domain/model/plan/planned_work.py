"""Planned work: GPUs that a plan needs and that are not in the log."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.plan.spells import Spell, check_spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, week_hour_of
from gpuplanner.lazy_dataclass import dataclass

ALWAYS: Final[tuple[int, ...]] = tuple(range(7 * 24))
"""Every hour of the week, Monday 00:00 first."""
MOST_GPUS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWork:
    """Work that is not in the log: GPUs of a model in some hours of the week, between two instants.

    begins_s: None: from the plan's start; ends_s: None: no end; epoch seconds. hours: of the week, Monday 00:00 is 0,
    ascending. length_hours: duration of a run. latest_finish_s: its deadline, epoch seconds. every_hours: hours from
    one start to the next; runs start until `ends_s`.
    """

    name: str
    pool: Pool
    gpu_model: str
    gpus: float
    cluster: str = ""
    team: str = ""
    begins_s: int | None = None
    ends_s: int | None = None
    hours: tuple[int, ...] = ALWAYS
    length_hours: int | None = None
    latest_finish_s: int | None = None
    every_hours: int | None = None

    def spell(self, plan_begins_s: int) -> Spell:
        """Return start and end in a plan.

        plan_begins_s: epoch seconds. Work with a length never starts before the plan, but for a run whose deadline has
        passed and that its dates put before it: that one has ended as planned.
        """
        if self.length_hours is None:
            return Spell(self.begins_s, self.ends_s)
        if self.begins_s is not None and self.every_hours is None and self.latest_finish_s is not None:
            done_s = self.begins_s + HOUR_S * self.length_hours
            if done_s <= self.latest_finish_s <= plan_begins_s:
                return Spell(self.begins_s, done_s)
        begins_s = plan_begins_s if self.begins_s is None else max(self.begins_s, plan_begins_s)
        if self.every_hours is None:
            return Spell(begins_s, begins_s + HOUR_S * self.length_hours)
        if self.ends_s is None:
            return Spell(begins_s, None)
        last = max(0, -(-(self.ends_s - begins_s) // (HOUR_S * self.every_hours)) - 1)
        return Spell(begins_s, begins_s + HOUR_S * (last * self.every_hours + self.length_hours))

    def pieces(self, spell: Spell, plan_begins_s: int, until_s: int) -> tuple[tuple[int, int], ...]:
        """Return the periods in which the work runs, epoch seconds, in order, from the start of the plan.

        spell: start and end of the work. until_s: no period starts later.
        """
        begins_s = plan_begins_s if spell.begins_s is None else spell.begins_s
        ends_s = until_s if spell.ends_s is None else spell.ends_s
        spans = [(begins_s, ends_s)]
        if self.length_hours is not None and self.every_hours is not None:
            starts = range(begins_s, min(ends_s, until_s), HOUR_S * self.every_hours)
            spans = [(at_s, at_s + HOUR_S * self.length_hours) for at_s in starts]
        elif self.hours != ALWAYS:
            spans = list(_in_hours(frozenset(self.hours), begins_s, ends_s))
        clipped = ((max(from_s, plan_begins_s), to_s) for from_s, to_s in spans)
        return tuple((from_s, to_s) for from_s, to_s in clipped if from_s < to_s and from_s < until_s)

    def month_share(self, plan_begins_s: int) -> float:
        """Return the share of a month in which work with a length runs: the mean of repeated work, otherwise its share
        of the
        plan's first month. 1 for work by hours of the week, whose GPUs are those while it runs.
        """
        if self.length_hours is None:
            return 1.0
        if self.every_hours is not None:
            return self.length_hours / self.every_hours
        spell, ends_s = self.spell(plan_begins_s), plan_begins_s + MONTH_S
        begins_s = max(spell.begins_s or 0, plan_begins_s)
        return max(0, min(spell.ends_s or ends_s, ends_s) - begins_s) / MONTH_S

    @property
    def mean_gpu_hours(self) -> float | None:
        """GPU-hours per month of repeated work; None for other work."""
        hours, every = self.length_hours, self.every_hours
        return None if hours is None or every is None else self.gpus * hours * MONTH_S / (HOUR_S * every)

    @property
    def key(self) -> str:
        """cluster/team/name, as for the keys of workloads."""
        return f"{self.cluster}/{self.team}/{self.name}"


def _in_hours(hours: frozenset[int], begins_s: int, ends_s: int) -> Iterator[tuple[int, int]]:
    """Yield the periods between two instants within some hours of the week, epoch seconds."""
    from_s: int | None = None
    edge_s = begins_s - begins_s % HOUR_S
    for at_s in range(edge_s, ends_s, HOUR_S):
        is_in = week_hour_of(at_s) in hours
        if is_in and from_s is None:
            from_s = max(at_s, begins_s)
        elif not is_in and from_s is not None:
            yield from_s, at_s
            from_s = None
    if from_s is not None:
        yield from_s, ends_s


def check_planned(work: PlannedWork) -> PlannedWork:
    """Return the work if it is valid.

    Errors: PlannerError for its first fault: no name, model, GPUs or hours, a repetition shorter than a run, or an
    early end.
    """
    faults = (
        (not work.name.strip(), worded("it has no name"), worded("enter one")),
        (not work.gpu_model.strip(), worded("it has no GPU model"), worded("enter one, such as H100")),
        (not 0 < work.gpus <= MOST_GPUS, worded("its GPUs are not over 0"), worded("enter 1 or more")),
        (not work.hours, worded("it runs in no hour of the week"), worded("choose some")),
        (
            not set(work.hours) <= set(ALWAYS),
            worded("its hours are outside the week"),
            worded("choose at least one day"),
        ),
        (
            work.length_hours is not None and work.length_hours < 1,
            worded("its length is not over 0"),
            worded("enter 1 hour or more"),
        ),
        (
            work.every_hours is not None and work.every_hours < (work.length_hours or 1),
            worded("it starts again before it ends"),
            worded("make the gap between starts longer than one run"),
        ),
    )
    for is_at_fault, problem, remedy in faults:
        if is_at_fault:
            raise refusal(work.name or "planned", problem, remedy)
    check_spell(work.name, Spell(work.begins_s, work.ends_s))
    return work
