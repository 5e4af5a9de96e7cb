"""Chargeback: who pays for a window, by team, workload, model or endpoint; rows add up to paid + overflow."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.costs.charge_words import (
    EVERYTHING,
    NO_JOB,
    NOBODY,
    SEVERAL_TEAMS,
    UNNAMED,
    ChargeBy,
)
from gpuplanner.domain.audit.costs.chargeback import Charged, WorkloadCharge
from gpuplanner.domain.audit.costs.idle_shares import NOBODYS, as_logged
from gpuplanner.domain.audit.costs.unit_costs import model_shares
from gpuplanner.domain.figures.columns import by_row, floats, gpu_hours
from gpuplanner.domain.figures.costs.chargeback import CHARGE, CHARGE_PART, total_in_window
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import IdleRule


@dataclass(frozen=True, slots=True)
class ChargePart:
    """A workload in a row: all of it, or what one model had of it; without a key, idle GPUs of a cluster alone.

    Units: GPU-hours and $ of the window; None where a rate is missing.
    """

    key: str
    cluster: str
    team: str
    gpu_hours: float
    direct_in_window: float | None
    idle_in_window: float | None
    overflow_in_window: float | None

    @property
    def total_in_window(self) -> float | None:
        """What is charged of it."""
        direct, idle, overflow = self.direct_in_window, self.idle_in_window, self.overflow_in_window
        if direct is None or idle is None or overflow is None:
            return None
        # plain numbers, not columns of one: rows of a large log are sorted by it
        total: float = total_in_window(direct, idle, overflow)
        return total


@dataclass(frozen=True, slots=True)
class Charge:
    """One row. Figures: CHARGE of figures/costs/chargeback.py; None is unknown.

    name: the team, the key of the workload or endpoint, or the model; None of work that has no such name, and of the
    row of nobody: of jobs without a team, or of what no job answers for. team: whose all of it is, None of several.
    parts: they add up to it. used_up_s: beginning of the first month of a plan at whose end its $ exceed its budget,
    epoch seconds.
    """

    by: ChargeBy
    name: str | None
    team: str | None
    is_nobodys: bool
    gpu_hours: float
    direct_in_window: float | None
    idle_in_window: float | None
    overflow_in_window: float | None
    total_in_window: float | None
    budget_per_month: float | None
    budget_in_window: float | None
    left_in_window: float | None
    parts: tuple[ChargePart, ...]
    is_all: bool = False
    used_up_s: int | None = None

    @property
    def called(self) -> Text:
        """What it is called where a person reads it."""
        if self.is_all:
            return EVERYTHING
        if self.is_nobodys:
            return NOBODY if self.by is ChargeBy.TEAM else NO_JOB
        return UNNAMED[self.by] if self.name is None else self.name

    @property
    def whose(self) -> Text:
        """The team of a row that is none itself; empty where no job stands behind it."""
        if self.is_all or self.is_nobodys:
            return ""
        return SEVERAL_TEAMS if self.team is None else self.team or NOBODY

    @property
    def subject(self) -> str:
        """What tells it from the other rows, in ids of figures."""
        if self.is_all:
            return WHOLE
        return _NOBODYS if self.is_nobodys else _UNNAMED if self.name is None else f"={self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Charges:
    """A chargeback: all rows of one kind, and all of it together. rule: how idle GPUs were shared."""

    by: ChargeBy
    rule: IdleRule
    rows: tuple[Charge, ...]
    whole: Charge

    def row(self, subject: str) -> Charge:
        """The row of a subject. Errors: StopIteration where there is none."""
        return next(row for row in (*self.rows, self.whole) if row.subject == subject)


WHOLE: Final = "all"
_NOBODYS: Final = "nobody"
_UNNAMED: Final = "unnamed"
_SUMMED: Final = ("gpu_hours", "direct_in_window", "idle_in_window", "overflow_in_window")
_Named = tuple[int, str]
"""What a part is put under: names first, then work without one, then nobody's."""
_WORK_WITHOUT: Final = (1, "")
_OF_NOBODY: Final = (2, "")
_EVERYTHING: Final = (3, "")


def charges(project: Project, found: Charged, by: ChargeBy) -> Charges:
    """The rows, sorted by name; then work without one, then nobody's.

    Only rows of teams have a budget, and a team with a budget and no job has a row.
    Law: GPU-hours and $ add up to the same by whatever they are put together. Source: docs/formulas.md, Who pays.
    """
    grouped: dict[_Named, list[ChargePart]] = {}
    for named, part in (*_of_work(project, found, by), *_of_idle(found, by)):
        grouped.setdefault(named, []).append(part)
    per_month = _budgets(found, project.budgets) if by is ChargeBy.TEAM else {}
    for named in per_month:
        grouped.setdefault(named, [])
    order = sorted(grouped)
    lists = [*(grouped[named] for named in order), [part for named in order for part in grouped[named]]]
    figures = CHARGE.worked_out(
        {key: floats([known_sum(getattr(part, key) for part in of) for of in lists]) for key in _SUMMED}
        | {
            "budget_per_month": floats([*(per_month.get(named) for named in order), None]),
            "months": floats([found.months] * (len(order) + 1)),
        }
    )
    *rows, whole = [
        Charge(
            by=by,
            name=named[1] or None,
            team=_whose(named, by, parts),
            is_nobodys=named == _OF_NOBODY,
            gpu_hours=row["gpu_hours"] or 0.0,
            direct_in_window=row["direct_in_window"],
            idle_in_window=row["idle_in_window"],
            overflow_in_window=row["overflow_in_window"],
            total_in_window=row["total_in_window"],
            budget_per_month=row["budget_per_month"],
            budget_in_window=row["budget_in_window"],
            left_in_window=row["left_in_window"],
            parts=tuple(parts),
            is_all=named == _EVERYTHING,
        )
        for named, parts, row in zip((*order, _EVERYTHING), lists, by_row(figures), strict=True)
    ]
    return Charges(by, found.rule, tuple(rows), whole)


def _of_work(project: Project, found: Charged, by: ChargeBy) -> Iterator[tuple[_Named, ChargePart]]:
    """Workloads, or what each model had of them, and what each is put under."""
    drafts = [
        (named, row, milli_gpu_seconds)
        for row in found.workloads
        for named, milli_gpu_seconds in _under(project, row, by)
    ]
    figures = CHARGE_PART.worked_out(
        {
            "gpu_hours": gpu_hours([amount for *_, amount in drafts]),
            "workload_gpu_hours": gpu_hours([row.milli_gpu_seconds for _, row, _ in drafts]),
            "workload_direct": floats([row.direct for _, row, _ in drafts]),
            "workload_idle": floats([row.idle for _, row, _ in drafts]),
            "workload_overflow": floats([row.overflow for _, row, _ in drafts]),
        }
    )
    spelling = _spelling(drafts) if by is ChargeBy.MODEL else {}
    for (named, row, _), part in zip(drafts, by_row(figures), strict=True):
        yield (
            spelling.get((named[0], named[1].casefold()), named),
            ChargePart(
                key=row.key,
                cluster=row.cluster,
                team=row.team,
                gpu_hours=part["gpu_hours"] or 0.0,
                direct_in_window=part["direct_in_window"],
                idle_in_window=part["idle_in_window"],
                overflow_in_window=part["overflow_in_window"],
            ),
        )


def _under(project: Project, row: WorkloadCharge, by: ChargeBy) -> Iterator[tuple[_Named, int]]:
    """What a workload is put under, and how many milli-GPU-seconds of it."""
    if by is ChargeBy.MODEL:
        for model, _, amount in model_shares(project.workloads[row.place]):
            yield (0, model) if model else _WORK_WITHOUT, amount
    elif by is ChargeBy.TEAM:
        yield _of_team(row.team), row.milli_gpu_seconds
    elif by is ChargeBy.ENDPOINT and not row.is_endpoint:
        yield _WORK_WITHOUT, row.milli_gpu_seconds
    else:
        yield (0, row.key), row.milli_gpu_seconds


def _spelling(drafts: Sequence[tuple[_Named, WorkloadCharge, int]]) -> dict[_Named, _Named]:
    """Models are told apart without regard to case: each in the spelling with most GPU time."""
    most: dict[_Named, tuple[int, _Named]] = {}
    for named, _, amount in drafts:
        folded = (named[0], named[1].casefold())
        most[folded] = max(most.get(folded, (0, named)), (amount, named))
    return {folded: named for folded, (_, named) in most.items()}


def _of_idle(found: Charged, by: ChargeBy) -> Iterator[tuple[_Named, ChargePart]]:
    """Idle GPUs that no job answers for: of the team that owns them, else of nobody."""
    for one in found.unborne:
        if one.shared_in_window != 0:
            named = _of_team(one.team) if by is ChargeBy.TEAM else _OF_NOBODY
            yield named, ChargePart("", one.cluster, one.team, 0.0, 0.0, one.idle_in_window, 0.0)


def _of_team(team: str) -> _Named:
    return (0, team) if team else _OF_NOBODY


def _budgets(found: Charged, budgets: Mapping[str, float | None]) -> dict[_Named, float | None]:
    """$ a month by what rows are put under; names that mean one team add up. None is unknown."""
    owners = {one.team for one in found.shares}
    spelled = as_logged(budgets, found.teams | owners)
    summed: dict[_Named, float | None] = {}
    for name, usd in budgets.items():
        named = _of_team(spelled[name])
        summed[named] = known_sum((summed.get(named, 0.0), usd))
    return summed


def _whose(named: _Named, by: ChargeBy, parts: Sequence[ChargePart]) -> str | None:
    """The team of a row; None where it is of several."""
    if by is ChargeBy.TEAM or named == _OF_NOBODY:
        return named[1] if by is ChargeBy.TEAM else NOBODYS
    teams = {part.team for part in parts}
    return teams.pop() if len(teams) == 1 else None
