"""A scenario: the pool of each workload, and everything else that the user set."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.assumptions import AssumptionValue
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import Split
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, field, fields, replace

TODAY: Final = "Today"
SEPARATED: Final = "separated"
AS_TODAY: Final = "as_today"
RIGHT_SIZE, AUTOSCALE, IDLE_ENDED = "right_size", "autoscale", "idle_ended"
DEMAND_CUTS: Final = {
    RIGHT_SIZE: worded("Right-sizing"),
    AUTOSCALE: worded("Autoscaling"),
    IDLE_ENDED: worded("Ending idle work"),
}
"""Savings that a plan may accept, each a cut of demand, in order of calculation."""


def check_cut(step: str) -> str:
    """Return the step if it is valid. Errors: PlannerError for a step that is not in DEMAND_CUTS."""
    if step not in DEMAND_CUTS:
        raise refusal(
            step, worded("not an offered saving"), worded("use one of {known}", known=", ".join(DEMAND_CUTS))
        )
    return step


@dataclass(frozen=True, slots=True)
class HandLayer:
    """A commitment layer with a size set by the user: whole GPUs for `term_months` (0 GPUs: no layer)."""

    term_months: int
    gpus: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A line of the decision log: time (epoch seconds UTC), decision, and the reason if the user gave one.

    text: `Message` for our sentences, plain text for names from the user.
    """

    at_s: int
    text: Text
    reason: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneDecision:
    """A next decision of a plan that the user marked as done: the notice was given, or the order was placed.

    decision_id: of the decision, with its number, as the same contract or term may be decided on again. number: as
    people read it. kind, subject, provider: as in NextDecision. by_s: its last day, epoch seconds. usd_12_months,
    committed_usd: as calculated on the day that it was marked; None: unknown.
    contract_ids: contracts whose notice or renewal it recorded, or that its orders became, by is_placed; empty in files
    from before decisions could be opened again. end_s, renews_months: of the contract before its notice was recorded.
    """

    decision_id: str
    number: int
    kind: str
    subject: Message
    provider: str | None = None
    by_s: int | None = None
    usd_12_months: float | None = None
    committed_usd: float | None = None
    contract_ids: tuple[str, ...] = ()
    is_placed: bool = False
    end_s: int | None = None
    renews_months: int | None = None

    @property
    def open_id(self) -> str:
        """The id of the decision while it was open."""
        return self.decision_id.rpartition(DONE_MARK)[0]


DONE_MARK: Final = ":done:"
"""Stands between the id of a decision and its number in the id of what is done."""
BEFORE_RENEWALS: Final = Decision(0, "before renewals")
"""Marks a plan that was saved before renewals had to be stated, until its contracts are known."""


class LeakStatus(StrEnum):
    """The user's decision on a leak; without one the leak is open."""

    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakDecision:
    """The user's decision on a leak in a plan. at_s: epoch seconds UTC.

    reason: for the dismissal. owner: person who carries out an accepted action ("": not assigned). pool: new pool of
    its workloads; None where the plan cannot show the action. workloads: number of moved workloads. gpu_hours (of the
    window), usd_per_month (None: unknown): at the time of the decision.
    """

    leak_id: str
    status: LeakStatus
    at_s: int
    reason: str = ""
    owner: str = ""
    pool: Pool | None = None
    workloads: int = 0
    gpu_hours: float = 0.0
    usd_per_month: float | None = None


@dataclass(frozen=True, slots=True)
class WholeMinimum:
    """A pool's share of an offer's minimum, bought whole from start_s on (epoch seconds), and again when its term
    ends. gpus: the shares of all pools add up to the minimum.
    """

    start_s: int
    offer_id: str
    pool: Pool
    gpus: int


@dataclass(frozen=True, slots=True)
class WholeDollars:
    """A commitment in dollars, bought once. start_s: epoch seconds. cents: per hour."""

    start_s: int
    offer_id: str
    cents: int


@dataclass(frozen=True, slots=True)
class WholeDecisions:
    """Decisions of a plan as a whole. ends: contracts that may renew but end, with their ends (epoch seconds), sorted;
    all others continue. minima, dollars: the ones bought. Source: docs/formulas/policy.md, Whole decisions.
    """

    ends: tuple[tuple[str, int], ...] = ()
    minima: tuple[WholeMinimum, ...] = ()
    dollars: tuple[WholeDollars, ...] = ()


RowTerm = tuple[Pool, str | None, int]
"""Pool, GPU model and term in months of a possible commitment."""
STATEMENTS: Final = ("notice_given", "runs_on", "kept", "ended")
"""Fields of Scenario with the user's statements on contracts, each a tuple of ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A plan (any scenario but Today).

    start: SEPARATED (workloads start in their class's pool) or AS_TODAY (in their cluster's pool).
    pools: pools that the user chose, by workload key; such workloads need no review.
    pinned: keys that "Separate automatically" skips.
    hand_layers: commitment layers set by the user, by (pool, GPU model or None), longest term first. These pairs get no
    advice: the layers serve their slices from the bottom, on-demand GPUs the rest.
    advised_around: pairs whose layers are fixed (0 GPUs: not that term) while the rest is advised.
    assumptions: values by --set name that differ from the project's.
    greenfield: the plan ignores existing contracts.
    price_case: the rate of each offer that counts.
    leak_decisions: at most one a leak, by leak_id; kept when an import no longer shows the leak.
    splits: workloads, or their parts, with two parts in this plan, by key; pools and pins name the parts. Settings of
    the whole are kept for a later merge.
    merges: cards shown as one on the board, by name; figures remain separate.
    spells: start and end of workloads, by key; only entries with a date. changes: steps of demand, in the given order.
    planned: work that is not in the log, unique and sorted by key. price_changes: steps of prices, in the given order.
    only: providers and regions that may serve a workload, by its key; all others may be served by any.
    shares: largest share of the first month's cost by provider or region, from 0 to below 1, sorted.
    notice_given: contracts with notice given in time though the deadline is past, by contract_id, sorted.
    provider_ends: end of each provider's contracts and offers, epoch seconds.
    accepted: accepted steps, in the order of DEMAND_CUTS.
    is_gap_missing: days without jobs are missing in the log and do not count; otherwise the GPUs were idle.
    scratch_of: name of the plan that this scratch copy was made from for a question; "" for any other plan.
    runs_on: contracts with a notice and no stated renewal that renew without notice, by contract_id, sorted.
    left_terms: terms in months that a pool does not commit to for a GPU model, whatever the advice.
    kept, ended: contracts that this plan renews, or ends as early as possible, whatever it would decide; by
    contract_id, sorted. whole_decisions: decisions of the plan as a whole, found by its evaluation; None: not
    evaluated.
    decision_numbers, order_numbers: numbers that people have read (D1, O1), by id; no figure depends on them.
    postponed: ids of decisions that the user put off; they stay in the plan. done: decisions marked as done, the
    latest last. at_list_price: ids of orders that the user places at list price, without a quote.
    """

    name: str
    start: str = SEPARATED
    pools: Mapping[str, Pool] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    hand_layers: Mapping[tuple[Pool, str | None], tuple[HandLayer, ...]] = field(default_factory=dict)
    assumptions: Mapping[str, AssumptionValue] = field(default_factory=dict)
    greenfield: bool = False
    decisions: tuple[Decision, ...] = ()
    leak_decisions: tuple[LeakDecision, ...] = ()
    price_case: PriceCase = PriceCase.MID
    advised_around: frozenset[tuple[Pool, str | None]] = frozenset()
    splits: Mapping[str, Split] = field(default_factory=dict)
    merges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spells: Mapping[str, Spell] = field(default_factory=dict)
    changes: tuple[DemandChange, ...] = ()
    planned: tuple[PlannedWork, ...] = ()
    price_changes: tuple[PriceChange, ...] = ()
    only: Mapping[str, Only] = field(default_factory=dict)
    scratch_of: str = ""
    shares: Mapping[Only, float] = field(default_factory=dict)
    notice_given: tuple[str, ...] = ()
    is_gap_missing: bool = False
    provider_ends: Mapping[str, int] = field(default_factory=dict)
    accepted: tuple[str, ...] = ()
    runs_on: tuple[str, ...] = ()
    left_terms: "frozenset[RowTerm]" = frozenset()
    kept: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    whole_decisions: "WholeDecisions | None" = None
    decision_numbers: Mapping[str, int] = field(default_factory=dict)
    order_numbers: Mapping[str, int] = field(default_factory=dict)
    postponed: frozenset[str] = frozenset()
    done: tuple[DoneDecision, ...] = ()
    at_list_price: frozenset[str] = frozenset()

    def plans_as(self, other: "Scenario") -> bool:
        """Return whether another scenario plans the same: all parts except name and logs are the same objects.

        A cheap check by identity. Equal parts that are different objects count as a difference, which costs an
        evaluation but is no error.
        """
        for part in _PLANNED:
            own, others = getattr(self, part), getattr(other, part)
            if own is not others and not (isinstance(own, str | bool) and own == others):
                return False
        return True

    def stating(self, statement: str, contract_ids: Iterable[str], *, holds: bool = True) -> "Scenario":
        """Return the scenario with a statement on contracts made or withdrawn; `kept` and `ended` exclude each other.

        statement: in STATEMENTS. holds: False withdraws it.
        """
        stated, named = {*getattr(self, statement)}, {*contract_ids}
        changed: dict[str, Any] = {statement: tuple(sorted(stated | named if holds else stated - named))}
        if holds and (other := {"kept": "ended", "ended": "kept"}.get(statement)):
            changed[other] = tuple(name for name in getattr(self, other) if name not in named)
        return replace(self, **changed)

    def stated_of_contracts(self) -> set[tuple[str, str]]:
        """Return the user's statements on contracts, as (statement, contract_id)."""
        return {(name, contract_id) for name in STATEMENTS for contract_id in getattr(self, name)}

    def decision_on(self, leak_id: str) -> LeakDecision | None:
        """Return the decision on a leak; None while it is open."""
        return next((decision for decision in self.leak_decisions if decision.leak_id == leak_id), None)


NUMBERS: Final = ("decision_numbers", "order_numbers")
"""Fields of Scenario with numbers that people have read; they decide nothing."""
MARKS: Final = ("postponed", "done", "at_list_price")
"""Fields of Scenario with what the user noted on decisions and orders; no figure depends on them."""

_PLANNED: Final = tuple(
    each.name
    for each in fields(Scenario)
    if each.name not in ("name", "decisions", "leak_decisions", "merges", "scratch_of", *NUMBERS, *MARKS)
)
"""Fields that change a plan's figures.

These are all but its name, its logs, merged cards, the plan it was copied from, and what people read or noted of
decisions.
"""
