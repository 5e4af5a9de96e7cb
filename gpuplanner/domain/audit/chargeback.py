"""Chargeback: who pays for a window and for its idle GPUs; rows add up to paid + overflow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.cost_result import EVERYTHING, NO_JOB, NOBODY, SEVERAL_TEAMS, UNNAMED, ChargeBy
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.spend.contract_inputs import contract_amounts
from gpuplanner.domain.audit.spend.workload_spend import overflow_usd_per_unit, served_usd_per_unit
from gpuplanner.domain.audit.unit_costs.model_costs import model_shares
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row
from gpuplanner.domain.audit.utilization.row_sums import weighted_sums
from gpuplanner.domain.figures.chargeback import CHARGE, CHARGE_PART, IDLE_SHARE, OWN_IDLE, total_in_window
from gpuplanner.domain.figures.figure import by_row, fields_of, floats, gpu_hours, optional
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import grouped, known_sum, known_sums, summed
from gpuplanner.domain.model.assumptions import IdleRule
from gpuplanner.domain.model.cube import CALLED_NOBODY, Cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass

# --- Shared idle: what each team bears of the GPUs that are paid on a cluster and used by nobody, by the rule in force

NOBODYS = ""
"""The team of jobs that name neither account nor user, and of what no job answers for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleShare:
    """What one team bears of one cluster, or of what one owner answers for there.

    owner: None of what nobody answers for, or where the rule asks nobody. held, all_held: milli-GPU-seconds that it and
    all count with (of an owner both the same). shared_in_window, idle_in_window: $, None where a rate is missing.
    """

    cluster: str
    team: str
    owner: str | None
    held: int
    all_held: int
    shared_in_window: float | None
    idle_in_window: float | None


def team_of(owner: str | None) -> str:
    """The team of an account or user; NOBODYS where a log or contract names none.

    >>> team_of("vision"), team_of(" Nobody "), team_of(None)
    ('vision', '', '')
    """
    name = (owner or "").strip()
    return NOBODYS if name.casefold() == CALLED_NOBODY else name


def as_logged(names: Iterable[str], teams: Iterable[str]) -> dict[str, str]:
    """Names that people gave -> the team of the log that they mean: the very name, else the only one but for case.

    A name that no team has stays.

    >>> as_logged(["ML", "hr", "Vision"], ["ml", "vision", "VISION"])
    {'ML': 'ml', 'hr': 'hr', 'Vision': 'Vision'}
    """
    known = set(teams)
    by_fold = grouped((team.casefold(), team) for team in sorted(known))

    def found(name: str) -> str:
        alike = by_fold.get(name.casefold(), [])
        return name if name in known or len(alike) != 1 else alike[0]

    return {name: found(team_of(name)) for name in names}


def idle_shares(past: Past, audit: Audit) -> tuple[IdleShare, ...]:
    """Every team's share of every cluster. Law: they add up to what is unallocated, cluster by cluster.

    A cluster without jobs is borne by NOBODYS; without a log nobody knows what is idle.
    Source: docs/formulas/chargeback.md.
    """
    project = past.project
    if not project.has_log:
        return ()
    rule = IdleRule(project.assumptions.idle_shared_by)
    ran = gpu_time_by_team(project)
    held = _largest_hours(project) if rule is IdleRule.PEAK else ran
    teams = {team for of_cluster in ran.values() for team in of_cluster}
    drafts = [
        (hours.cluster, team, owner, own, whole, usd)
        for hours in past.clusters
        for owner, usd in _to_share(hours, project, audit, rule, teams)
        for team, own, whole in _bearers(owner, held.get(hours.cluster, {}))
    ]
    idle_in_window = IDLE_SHARE.worked_out(
        {
            "shared_in_window": floats([usd for *_, usd in drafts]),
            "held_gpu_hours": gpu_hours([own for *_, own, _, _ in drafts]),
            "all_held_gpu_hours": gpu_hours([whole for *_, whole, _ in drafts]),
        }
    )["idle_in_window"]
    return tuple(
        IdleShare(
            cluster=cluster,
            team=team,
            owner=owner,
            held=own,
            all_held=whole,
            shared_in_window=shared,
            idle_in_window=usd,
        )
        for (cluster, team, owner, own, whole, shared), usd in zip(
            drafts, optional(idle_in_window), strict=True
        )
    )


def gpu_time_by_team(project: Project) -> dict[str, dict[str, int]]:
    """Milli-GPU-seconds of each team on each cluster, served or not; no team without any."""
    ran = grouped((w.cluster, w) for w in project.workloads if w.milli_gpu_seconds)
    return {
        cluster: summed((team_of(member.owner), member.milli_gpu_seconds) for member in members)
        for cluster, members in ran.items()
    }


def _to_share(
    hours: ClusterHours, project: Project, audit: Audit, rule: IdleRule, teams: Iterable[str]
) -> list[tuple[str | None, float | None]]:
    """What is to be shared on a cluster: $ by who answers for it (None: nobody).

    None where a rate is missing, or nobody has said yet which jobs a contract serves.
    """
    window = project.window
    unused = contract_amounts(hours, np.ones(window.hours, dtype=np.bool_), window.months)["unused_in_window"]
    names = as_logged((contract.owner or "" for contract in hours.contracts), teams)
    amounts = known_sums(
        (
            (names[contract.owner or ""] if rule is IdleRule.OWNER else NOBODYS) or None,
            None if contract.contract_id in audit.unknown_contracts else usd,
        )
        for contract, usd in zip(hours.contracts, unused, strict=True)
    )
    return list(amounts.items())


def _bearers(owner: str | None, held: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Who bears it: team, what it counts with, and what all do."""
    if owner is not None:
        return [(owner, 1, 1)]
    whole = sum(held.values())
    return [(team, own, whole) for team, own in sorted(held.items())] or [(NOBODYS, 1, 1)]


def _largest_hours(project: Project) -> dict[str, dict[str, int]]:
    """Milli-GPU-seconds of each team's largest hour on each cluster."""
    cube = project.cube
    of_rows = (project.workloads[place] for place in cube.workload_index.tolist())
    rows = grouped(((workload.cluster, team_of(workload.owner)), row) for row, workload in enumerate(of_rows))
    largest: dict[str, dict[str, int]] = {}
    for (cluster, team), of_team in rows.items():
        largest.setdefault(cluster, {})[team] = int(_by_hour(cube, of_team).max())
    return largest


def _by_hour(cube: Cube, rows: Sequence[int]) -> Ints:
    """Milli-GPU-seconds of some rows together in each hour; shape (hours,)."""
    total = np.zeros(cube.hours, dtype=np.int64)
    for row in rows:
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        total[cube.hour[span]] += cube.milli_gpu_seconds[span]  # an hour is once in a row
    return total


# --- What each workload is charged for a window: what served it, its share of idle GPUs, and what overflowed


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadCharge:
    """What one workload is charged. place: in Project.workloads; milli_gpu_seconds of the window.

    direct, idle, overflow: $ of the window, None where a rate is missing. is_endpoint: it is classed inference.
    """

    place: int
    key: str
    cluster: str
    team: str
    milli_gpu_seconds: int
    direct: float | None
    idle: float | None
    overflow: float | None
    is_endpoint: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Charged:
    """What a window's money is made of, before it is put into rows. rule: how idle GPUs are shared.

    shares: of idle GPUs, by cluster and team; unborne: those of them that no job answers for. months: of 730 h.
    """

    rule: IdleRule
    workloads: tuple[WorkloadCharge, ...]
    shares: tuple[IdleShare, ...]
    unborne: tuple[IdleShare, ...]
    months: float

    @property
    def teams(self) -> frozenset[str]:
        """Teams whose jobs had GPU time."""
        return frozenset(row.team for row in self.workloads)


def charged(past: Past, audit: Audit) -> Charged:
    """What each workload is charged, and what nobody is.

    Laws: direct + overflow of a workload is what it costs in the audit; all of it adds up to paid + overflow.
    Source: docs/formulas/chargeback.md.
    """
    project = past.project
    shares = idle_shares(past, audit)
    ran = gpu_time_by_team(project)
    unborne = [share for share in shares if share.team not in ran.get(share.cluster, {})]
    team_idle = known_sums(((share.cluster, share.team), share.idle_in_window) for share in shares)
    unknown: set[str] = set()
    if project.has_spend:
        unknown = {row.cluster for row in audit.clusters if row.used_gpu_hours is None}
    direct, overflow = _money(past)
    places = [place for place, workload in enumerate(project.workloads) if workload.milli_gpu_seconds]
    at = [project.workloads[place] for place in places]
    idle = OWN_IDLE.value(
        "own_idle",
        {
            "team_idle": floats([team_idle.get((w.cluster, team_of(w.owner)), 0.0) for w in at]),
            "gpu_hours": gpu_hours([workload.milli_gpu_seconds for workload in at]),
            "team_gpu_hours": gpu_hours([ran[workload.cluster][team_of(workload.owner)] for workload in at]),
        },
    )

    def known(cluster: str, usd: float | None) -> float | None:
        return None if cluster in unknown else usd

    def paid(place: int, usd: float | None) -> float | None:
        """$ on contracts and of bills; without either 0 for work that has an on-demand rate, else unknown."""
        if not project.has_spend and overflow[place] is None:
            return None
        return known(project.workloads[place].cluster, usd)

    return Charged(
        rule=IdleRule(project.assumptions.idle_shared_by),
        workloads=tuple(
            WorkloadCharge(
                place=place,
                key=workload.key,
                cluster=workload.cluster,
                team=team_of(workload.owner),
                milli_gpu_seconds=workload.milli_gpu_seconds,
                direct=paid(place, direct[place]),
                idle=paid(place, own_idle),
                overflow=known(workload.cluster, overflow[place]),
                is_endpoint=past.classifications[place].pool is Pool.INFERENCE,
            )
            for place, workload, own_idle in zip(places, at, optional(idle), strict=True)
        ),
        shares=shares,
        unborne=tuple(unborne),
        months=project.window.months,
    )


def _money(past: Past) -> tuple[list[float | None], list[float | None]]:
    """Each workload's $ of the window: what contracts served of it, and what overflowed; None: a rate is missing."""
    project = past.project
    of_row = group_of_row(project, past.clusters)

    def of_workloads(worth: Floats) -> list[float | None]:
        return optional(weighted_sums(project.cube, of_row, worth, len(project.workloads)))

    return (
        of_workloads(served_usd_per_unit(past.clusters)),
        of_workloads(overflow_usd_per_unit(project, past.clusters)),
    )


# --- Chargeback: who pays for a window, by team, workload, model or endpoint; rows add up to paid + overflow


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One row. Figures: CHARGE of domain/figures/chargeback.py; None is unknown.

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
        if self.is_nobodys:
            return _SUBJECT_OF_NOBODY
        if self.name is None:
            return _UNNAMED
        return f"={self.name}"


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
_SUBJECT_OF_NOBODY: Final = "nobody"
_UNNAMED: Final = "unnamed"
_SUMMED: Final = ("gpu_hours", "direct_in_window", "idle_in_window", "overflow_in_window")


class RowName(NamedTuple):
    """What a part is put under. rank: names first, then work without one, then nobody's."""

    rank: int
    name: str


_WORK_WITHOUT: Final = RowName(rank=1, name="")
_OF_NOBODY: Final = RowName(rank=2, name="")
_EVERYTHING: Final = RowName(rank=3, name="")


def charges(project: Project, charged: Charged, by: ChargeBy) -> Charges:
    """The rows, sorted by name; then work without one, then nobody's.

    Only rows of teams have a budget, and a team with a budget and no job has a row.
    Law: GPU-hours and $ add up to the same by whatever they are put together. Source: docs/formulas/chargeback.md.
    """
    per_month = _budgets(charged, project.budgets) if by is ChargeBy.TEAM else {}
    under = grouped((*_of_work(project, charged, by), *_of_idle(charged, by)))
    order = sorted({*under, *per_month})
    lists = [under.get(named, []) for named in order]
    lists.append([part for parts in lists for part in parts])
    figures = CHARGE.worked_out(
        {key: floats([known_sum(getattr(part, key) for part in of) for of in lists]) for key in _SUMMED}
        | {
            "budget_per_month": floats([*(per_month.get(named) for named in order), None]),
            "months": floats([charged.months] * (len(order) + 1)),
        }
    )
    *rows, whole = [
        Charge(
            by=by,
            name=named.name or None,
            team=find_row_team(named, by, parts),
            is_nobodys=named == _OF_NOBODY,
            **fields_of(Charge, row),
            parts=tuple(parts),
            is_all=named == _EVERYTHING,
        )
        for named, parts, row in zip((*order, _EVERYTHING), lists, by_row(figures), strict=True)
    ]
    return Charges(by, charged.rule, tuple(rows), whole)


def _of_work(project: Project, charged: Charged, by: ChargeBy) -> Iterator[tuple[RowName, ChargePart]]:
    """Workloads, or what each model had of them, and what each is put under."""
    drafts = [
        (named, row, milli_gpu_seconds)
        for row in charged.workloads
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
    spelling = choose_spellings(drafts) if by is ChargeBy.MODEL else {}
    for (named, row, _), part in zip(drafts, by_row(figures), strict=True):
        yield (
            spelling.get(RowName(named.rank, named.name.casefold()), named),
            ChargePart(key=row.key, cluster=row.cluster, team=row.team, **fields_of(ChargePart, part)),
        )


def _under(project: Project, row: WorkloadCharge, by: ChargeBy) -> Iterator[tuple[RowName, int]]:
    """What a workload is put under, and how many milli-GPU-seconds of it."""
    if by is ChargeBy.MODEL:
        for model, _, amount in model_shares(project.workloads[row.place]):
            yield RowName(0, model) if model else _WORK_WITHOUT, amount
    elif by is ChargeBy.TEAM:
        yield _of_team(row.team), row.milli_gpu_seconds
    elif by is ChargeBy.ENDPOINT and not row.is_endpoint:
        yield _WORK_WITHOUT, row.milli_gpu_seconds
    else:
        yield RowName(0, row.key), row.milli_gpu_seconds


def choose_spellings(drafts: Sequence[tuple[RowName, WorkloadCharge, int]]) -> dict[RowName, RowName]:
    """Models are told apart without regard to case: each in the spelling with most GPU time."""
    most: dict[RowName, tuple[int, RowName]] = {}
    for named, _, amount in drafts:
        folded = RowName(named.rank, named.name.casefold())
        most[folded] = max(most.get(folded, (0, named)), (amount, named))
    return {folded: named for folded, (_, named) in most.items()}


def _of_idle(charged: Charged, by: ChargeBy) -> Iterator[tuple[RowName, ChargePart]]:
    """Idle GPUs that no job answers for: of the team that owns them, else of nobody."""
    for share in charged.unborne:
        if share.shared_in_window != 0:
            named = _of_team(share.team) if by is ChargeBy.TEAM else _OF_NOBODY
            yield (
                named,
                ChargePart(
                    key="",
                    cluster=share.cluster,
                    team=share.team,
                    gpu_hours=0.0,
                    direct_in_window=0.0,
                    idle_in_window=share.idle_in_window,
                    overflow_in_window=0.0,
                ),
            )


def _of_team(team: str) -> RowName:
    return RowName(0, team) if team else _OF_NOBODY


def _budgets(charged: Charged, budgets: Mapping[str, float | None]) -> dict[RowName, float | None]:
    """$ a month by what rows are put under; names that mean one team add up. None is unknown."""
    owners = {share.team for share in charged.shares}
    spelled = as_logged(budgets, charged.teams | owners)
    return known_sums((_of_team(spelled[name]), usd) for name, usd in budgets.items())


def find_row_team(named: RowName, by: ChargeBy, parts: Sequence[ChargePart]) -> str | None:
    """The team of a row; None where it is of several."""
    if by is ChargeBy.TEAM or named == _OF_NOBODY:
        return named.name if by is ChargeBy.TEAM else NOBODYS
    teams = {part.team for part in parts}
    return teams.pop() if len(teams) == 1 else None
