"""Dates: when a workload begins and ends, steps of demand and prices from a day on, and work that no log has yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, iso_utc

MOST_TIMES: Final = 1000.0
"""The largest factor of a step."""
ALWAYS: Final[tuple[int, ...]] = tuple(range(7 * 24))
"""Every hour of the week, Monday 00:00 first."""


MOST_GPUS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Spell:
    """First and last moment of a workload in a plan, epoch seconds; half-open; None: it was there, it stays."""

    begins_s: int | None = None
    ends_s: int | None = None


NO_SPELL: Final = Spell()


@dataclass(frozen=True, slots=True)
class Step:
    """Times `factor` from a moment on, epoch seconds. by: it gets there evenly, month by month, up to that moment."""

    factor: float
    from_s: int
    by: bool = False


@dataclass(frozen=True, slots=True)
class DemandChange:
    """Demand times `factor` from a moment on, epoch seconds.

    of: what the planner named: a workload's key, a class, or `all`. keys: the workloads that this was when it was said;
    empty for `all`. by: as of a Step.
    """

    of: str
    keys: tuple[str, ...]
    factor: float
    from_s: int
    by: bool = False


@dataclass(frozen=True, slots=True)
class PriceChange:
    """Prices of a GPU model's offers times `factor` from a moment on, epoch seconds: by use, and of new contracts.

    by: as of a Step.
    """

    gpu_model: str
    factor: float
    from_s: int
    by: bool = False


def factor_in(
    changes: Sequence[Step | DemandChange | PriceChange], at_s: int, month: int, begins_s: int
) -> float:
    """What some changes together come to at a moment of a month of a plan; begins_s: of the plan, epoch seconds.

    One that gets there by a day is 1 + (f - 1) t / n in month t, n months before the first that begins on the day or
    later, and f from then on.
    """
    factor = 1.0
    for change in changes:
        if change.by:
            months = max(0, -((begins_s - change.from_s) // MONTH_S))
            factor *= change.factor if month >= months else 1 + (change.factor - 1) * month / months
        elif change.from_s <= at_s:
            factor *= change.factor
    return factor


@dataclass(frozen=True, slots=True)
class PlannedWork:
    """Work that no log has: so many GPUs of a model in some hours of the week, between two moments.

    begins_s None: at once; ends_s None: for good; both epoch seconds. hours: of the week, Monday 00:00 is 0, ascending.
    length_hours: it ends so long after it begins, in the plan; latest_finish_s: when that has to be.
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

    def spell(self, plan_begins_s: int) -> Spell:
        """When it is there, in a plan that begins at a moment.

        plan_begins_s: epoch seconds. Work of a length never begins before the plan does.
        """
        if self.length_hours is None:
            return Spell(self.begins_s, self.ends_s)
        begins_s = plan_begins_s if self.begins_s is None else max(self.begins_s, plan_begins_s)
        return Spell(begins_s, begins_s + HOUR_S * self.length_hours)

    @property
    def key(self) -> str:
        """cluster/team/name, as keys of workloads are."""
        return f"{self.cluster}/{self.team}/{self.name}"


def check_spell(key: str, spell: Spell) -> Spell:
    """The spell itself. Errors: PlannerError where it ends before it begins.

    key: of the workload, for the message. A spell that is open on a side is sound.
    """
    if spell.begins_s is not None and spell.ends_s is not None and spell.ends_s <= spell.begins_s:
        what = worded("it ends {ends}, before it begins", ends=iso_utc(spell.ends_s))
        raise PlannerError(
            key, "usage", what, worded("enter an end after {begins}", begins=iso_utc(spell.begins_s))
        )
    return spell


def check_demand_change(change: DemandChange) -> DemandChange:
    """The step itself. Errors: PlannerError for a factor below 0 or over MOST_TIMES."""
    if not 0 <= change.factor <= MOST_TIMES:
        what = worded("{factor} is no factor", factor=significant(change.factor))
        remedy = worded("enter 0 to {most}", most=significant(MOST_TIMES))
        raise PlannerError(change.of, "usage", what, remedy)
    return change


def check_price_change(change: PriceChange) -> PriceChange:
    """The step itself. Errors: PlannerError for a factor of 0 or less or over MOST_TIMES."""
    if not 0 < change.factor <= MOST_TIMES:
        what = worded("{factor} is no factor of a price", factor=significant(change.factor))
        remedy = worded("enter more than 0, up to {most}", most=significant(MOST_TIMES))
        raise PlannerError(change.gpu_model, "usage", what, remedy)
    return change


def check_planned(work: PlannedWork) -> PlannedWork:
    """The work itself. Errors: PlannerError for one without a name, a model, GPUs or hours, or that ends too early.

    The first fault alone is said.
    """
    faults = (
        (not work.name.strip(), worded("it has no name"), worded("enter one")),
        (not work.gpu_model.strip(), worded("it has no GPU model"), worded("enter one, such as H100")),
        (not 0 < work.gpus <= MOST_GPUS, worded("its GPUs are no number over 0"), worded("enter 1 or more")),
        (not work.hours, worded("it runs in no hour of the week"), worded("choose some")),
        (
            not set(work.hours) <= set(ALWAYS),
            worded("its hours are none of the week"),
            worded("choose some of a week"),
        ),
        (
            work.length_hours is not None and work.length_hours < 1,
            worded("its length is no number over 0"),
            worded("enter 1 hour or more"),
        ),
    )
    for is_at_fault, what, remedy in faults:
        if is_at_fault:
            raise PlannerError(work.name or "planned", "usage", what, remedy)
    check_spell(work.name, Spell(work.begins_s, work.ends_s))
    return work
