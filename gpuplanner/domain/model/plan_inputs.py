"""Inputs of a scenario: pools, splits, merges, dates and limits."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from gpuplanner.domain.figures.typed import amount, percent, significant, whole, worded_whole
from gpuplanner.domain.message import Message, Text, worded, worded_both, worded_count
from gpuplanner.domain.model.assumptions import Assumptions, AssumptionValue
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import ANYBODY, Only, named_words, who_words
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAYS, HOUR_S, HOURS_OF_WEEK, MONTH_S, iso_utc, week_hour_of
from gpuplanner.lazy_dataclass import dataclass, field, fields, replace

# --- Dates: start and end of workloads, steps of demand and prices, and work that is not in the log ----------------

MOST_TIMES: Final = 1000.0
"""Largest factor of a step."""
ALWAYS: Final[tuple[int, ...]] = tuple(range(7 * 24))
"""Every hour of the week, Monday 00:00 first."""


MOST_GPUS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Spell:
    """Start and end of a workload in a plan, epoch seconds, end exclusive; None: no start, or no end."""

    begins_s: int | None = None
    ends_s: int | None = None


NO_SPELL: Final = Spell()


@dataclass(frozen=True, slots=True)
class Step:
    """A factor that applies from an instant, epoch seconds. by: the factor grows evenly by month until that instant."""

    factor: float
    from_s: int
    by: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandChange:
    """A factor on demand from an instant, epoch seconds.

    of: as the user named it: a workload's key, a class, or `all`. keys: the workloads at that time; empty for `all`.
    by: as for Step.
    """

    of: str
    keys: tuple[str, ...]
    factor: float
    from_s: int
    by: bool = False


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A factor on the rates of a GPU model's offers from an instant, epoch seconds: on demand and for new contracts.

    by: as for Step.
    """

    gpu_model: str
    factor: float
    from_s: int
    by: bool = False


def factor_in(
    changes: Sequence[Step | DemandChange | PriceChange], at_s: int, month: int, begins_s: int
) -> float:
    """Return the product of changes at an instant of a plan month.

    at_s, begins_s: the instant and the plan's start, epoch seconds. month: 0 for the first. A gradual change (`by`) is
    1 + (f - 1) t / n in month t, where n months come before the first month at or after its day, and f from there on.
    """
    factor = 1.0
    for change in changes:
        if change.by:
            months = max(0, -((begins_s - change.from_s) // MONTH_S))
            factor *= change.factor if month >= months else 1 + (change.factor - 1) * month / months
        elif change.from_s <= at_s:
            factor *= change.factor
    return factor


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

        plan_begins_s: epoch seconds. Work with a length never starts before the plan.
        """
        if self.length_hours is None:
            return Spell(self.begins_s, self.ends_s)
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
        begins_s = plan_begins_s if spell.begins_s is None else spell.begins_s
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


def check_spell(key: str, spell: Spell) -> Spell:
    """Return the spell if it is valid. key: of the workload, for the message.

    Errors: PlannerError if it ends at or before its start.
    """
    if spell.begins_s is not None and spell.ends_s is not None and spell.ends_s <= spell.begins_s:
        problem = worded_both(
            "it ends {ends}, before it starts", "its last day precedes its first", ends=iso_utc(spell.ends_s)
        )
        raise refusal(
            key,
            problem,
            worded_both(
                "enter an end after {begins}",
                "choose a later last day or an earlier first day",
                begins=iso_utc(spell.begins_s),
            ),
        )
    return spell


def check_demand_change(change: DemandChange) -> DemandChange:
    """Return the change if it is valid. Errors: PlannerError for a factor below 0 or over MOST_TIMES."""
    if not 0 <= change.factor <= MOST_TIMES:
        problem = worded("{value} is not allowed", value=significant(change.factor))
        remedy = worded("enter 0 to {most}", most=significant(MOST_TIMES))
        raise refusal(change.of, problem, remedy)
    return change


def check_price_change(change: PriceChange) -> PriceChange:
    """Return the change if it is valid. Errors: PlannerError for a factor of 0 or less, or over MOST_TIMES."""
    if not 0 < change.factor <= MOST_TIMES:
        problem = worded("{value} is not allowed", value=significant(change.factor))
        remedy = worded("enter more than 0, up to {most}", most=significant(MOST_TIMES))
        raise refusal(change.gpu_model, problem, remedy)
    return change


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


# --- Splits of a workload in a plan: by share of GPU time, at an instant, or by hours of the week -

FIRST, SECOND = 1, 2


@dataclass(frozen=True, slots=True)
class ShareSplit:
    """A split by share: the second part has `permille` thousandths of the GPU time of every hour."""

    permille: int


@dataclass(frozen=True, slots=True)
class TimeSplit:
    """A split at an instant: the second part runs from `at_s` on (epoch seconds UTC, a whole hour)."""

    at_s: int


@dataclass(frozen=True, slots=True)
class WeekSplit:
    """A split by hours of the week: the second part runs in `hours` (0 is Monday 00:00 UTC; ascending, each once)."""

    hours: tuple[int, ...]


Split = ShareSplit | TimeSplit | WeekSplit
Splits = Mapping[str, Split]
"""Splits of a plan, by the key of the workload or part that is split."""


def check_split(split: Split) -> None:
    """Check that both parts can have GPU time.

    Errors: PlannerError unless a share is 1 to 999 thousandths, an instant is a whole hour, and hours of the week are
    some but not all.
    """
    if isinstance(split, ShareSplit):
        if not 1 <= split.permille <= 999:
            raise refusal(
                "share", worded("a part would be empty"), worded("enter more than 0% and under 100%")
            )
    elif isinstance(split, TimeSplit):
        if split.at_s % HOUR_S:
            raise refusal("time", worded("not a whole hour"), worded("enter a whole hour, UTC"))
    elif (
        not 0 < len(split.hours) < HOURS_OF_WEEK
        or list(split.hours) != sorted(set(split.hours))
        or not 0 <= split.hours[0] <= split.hours[-1] < HOURS_OF_WEEK
    ):
        problem = worded("a part would be empty")
        raise refusal("hours of the week", problem, worded("choose some, not all, hours of the week"))


def part_key(key: str, number: int) -> str:
    """Return the key of a part. Names of workloads never end with # and digits, so the key is unique.

    >>> part_key("main/ml/chat", SECOND)
    'main/ml/chat#2'
    """
    return f"{key}#{number}"


def whole_key(key: str, splits: Splits) -> str:
    """Return the workload of a card: the key itself, or the workload that was split, however often.

    splits: of the plan; without its split, a key is not a part.

    >>> whole_key("a#2#1", {"a": ShareSplit(300), "a#2": ShareSplit(500)}), whole_key("a#1", {})
    ('a', 'a#1')
    """
    divided = divided_key(key, splits)
    while divided is not None:
        key, divided = divided, divided_key(divided, splits)
    return key


def divided_key(key: str, splits: Splits) -> str | None:
    """Return the key that was split into this part; None if the key is not a part in this plan."""
    before, mark, number = key.rpartition("#")
    return before if mark and number in ("1", "2") and before in splits else None


def bare_key(key: str) -> str:
    """Return a key without part numbers, where the plan is unknown.

    >>> bare_key("main/ml/chat#2#1")
    'main/ml/chat'
    """
    while key.endswith(("#1", "#2")):
        key = key[:-2]
    return key


def leaf_keys(key: str, splits: Splits) -> tuple[str, ...]:
    """Return the cards of a workload or part, from left to right: its parts if it is split, otherwise itself.

    >>> leaf_keys("a", {"a": ShareSplit(300), "a#2": ShareSplit(500)})
    ('a#1', 'a#2#1', 'a#2#2')
    """
    if key not in splits:
        return (key,)
    return tuple(leaf for number in (FIRST, SECOND) for leaf in leaf_keys(part_key(key, number), splits))


def part_words(split: Split, number: int) -> Text:
    """Return a part in words: 30%; from 3 Jul 2026 05:00; Mon–Fri 08–18; other hours.

    Times are UTC. number: FIRST or SECOND; the first part of a split by week has the other hours.
    """
    if isinstance(split, ShareSplit):
        permille = split.permille if number == SECOND else 1000 - split.permille
        return f"{permille / 10:g}%"
    if isinstance(split, TimeSplit):
        from datetime import UTC, datetime

        at = datetime.fromtimestamp(split.at_s, UTC)
        return f"{'from' if number == SECOND else 'before'} {at.day} {at:%b %Y %H:%M}"
    return week_words(split.hours) if number == SECOND else worded("other hours")


def week_words(hours: tuple[int, ...]) -> Text:
    """Return hours of the week in words; only their number if they are no block of days and times.

    hours: Monday 00:00 UTC is 0, ascending, at least one.

    >>> str(week_words(tuple(range(24))))
    'Mon'
    """
    days = sorted({hour // 24 for hour in hours})
    times = sorted({hour % 24 for hour in hours})
    is_block = len(hours) == len(days) * len(times)
    runs = times[-1] - times[0] + 1 == len(times) and days[-1] - days[0] + 1 == len(days)
    if not (is_block and runs):
        return worded("{hours} hours of the week", hours=whole(len(hours)))
    first, last = DAYS[days[0]], DAYS[days[-1]]
    named = first if first == last else f"{first}\u2013{last}"
    return named if len(times) == 24 else f"{named} {times[0]:02}\u2013{times[-1] + 1:02}"


# --- A scenario: the pool of each workload, and everything else that the user set -----------------

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

    what: `Message` for our sentences, plain text for names from the user.
    """

    at_s: int
    what: Text
    reason: Text = ""


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
        stated, of = {*getattr(self, statement)}, {*contract_ids}
        changed: dict[str, Any] = {statement: tuple(sorted(stated | of if holds else stated - of))}
        if holds and (other := {"kept": "ended", "ended": "kept"}.get(statement)):
            changed[other] = tuple(name for name in getattr(self, other) if name not in of)
        return replace(self, **changed)

    def stated_of_contracts(self) -> set[tuple[str, str]]:
        """Return the user's statements on contracts, as (statement, contract_id)."""
        return {(name, contract_id) for name in STATEMENTS for contract_id in getattr(self, name)}

    def decision_on(self, leak_id: str) -> LeakDecision | None:
        """Return the decision on a leak; None while it is open."""
        return next((decision for decision in self.leak_decisions if decision.leak_id == leak_id), None)


_PLANNED: Final = tuple(
    each.name
    for each in fields(Scenario)
    if each.name not in ("name", "decisions", "leak_decisions", "merges", "scratch_of")
)
"""Fields that change a plan's figures: all but its name, its logs, merged cards and the plan it was copied from."""


# --- Merged cards: several workloads or parts shown as one on the board, by name ------------------

Merges = Mapping[str, tuple[str, ...]]
"""Merged cards of a plan: by name the keys of the cards, ascending, at least two; a card is in at most one."""

LONGEST_NAME: Final = 120


def merge_of(key: str, merges: Merges) -> str | None:
    """Return the name of the merged card with this card; None for a single card."""
    return next((name for name, keys in merges.items() if key in keys), None)


def with_those_merged(keys: Iterable[str], merges: Merges) -> tuple[str, ...]:
    """Return these cards and all cards merged with them, each once, so that an edit applies to all.

    Order as given; cards of a merged card in the order of its keys.
    """
    given = tuple(keys)
    if not merges:
        return given
    group = {key: members for members in merges.values() for key in members}
    return tuple(dict.fromkeys(card for key in given for card in group.get(key, (key,))))


def without_cards(merges: Merges, gone: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the merged cards without the cards in `gone`; a merged card with one card left is dropped."""
    left = {name: tuple(key for key in keys if key not in gone) for name, keys in merges.items()}
    return {name: keys for name, keys in left.items() if len(keys) > 1}


def check_merges(merges: Merges) -> None:
    """Check the merged cards of a plan.

    Errors: PlannerError unless each name is 1 to 120 printable characters without surrounding spaces, and its cards are
    two or more, sorted, and in one merged card each.
    """
    seen: set[str] = set()
    for name, keys in merges.items():
        if not name or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise refusal(
                "name",
                worded("not a valid name"),
                worded("enter 1 to {most} letters on one line", most=whole(LONGEST_NAME)),
            )
        if len(keys) < 2 or list(keys) != sorted(set(keys)) or seen & set(keys):
            raise refusal(
                name, worded("its cards cannot be merged"), worded("choose two or more cards, each once")
            )
        seen |= set(keys)


# --- Limits of a plan: the table of possible limits, the limits set, and the plan without a limit -

ONLY: Final = "only"
SHARE: Final = "share"
"""Limits that are not assumptions: allowed providers or regions, and their largest share."""


@dataclass(frozen=True, slots=True)
class AssumedLimit:
    """A limit that is an assumption. name: by --set. words: return its wording for a value. off: the value without a
    limit.

    has_cost: whether the plan is changed to meet it; otherwise the limit is only checked and exceeding it is an error.
    """

    name: str
    words: Callable[[float], Message]
    has_cost: bool = True
    off: bool | None = None


def _term_words(months: float) -> Message:
    return worded_count(
        months, "No term over {months} month", "No term over {months} months", months=whole(months)
    )


ASSUMED: Final = (
    AssumedLimit("max_term_months", _term_words),
    AssumedLimit(
        "max_provider_share", lambda share: worded("At most {share} with one provider", share=percent(share))
    ),
    AssumedLimit("budget_usd_per_month", lambda usd: worded("A budget of {usd} per month", usd=amount(usd))),
    AssumedLimit("power_limit_kw", lambda kw: worded("At most {kw} kW", kw=whole(kw)), has_cost=False),
    AssumedLimit("training_never_by_use", lambda _: worded("Training never on demand"), off=False),
)
"""In the order of the dialog."""

_ASSUMED: Final = {spec.name: spec for spec in ASSUMED}


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that is set. limit: a --set name, ONLY or SHARE. value: None for ONLY. who: for ONLY and SHARE. keys: the
    workloads of ONLY, sorted.
    """

    limit: str
    value: float | None = None
    who: Only = ANYBODY
    keys: tuple[str, ...] = ()

    @property
    def words(self) -> Message:
        """The limit in words, as No term over 12 months, or No more than 40% with CoreWeave."""
        if self.limit in _ASSUMED:
            return _ASSUMED[self.limit].words(self.value or 0.0)
        if self.limit == SHARE:
            share = percent(self.value or 0.0)
            return worded("At most {share} with {who}", share=share, who=named_words(self.who))
        count = len(self.keys)
        return worded_whole(
            count, "{who} for {count} workload", "{who} for {count} workloads", who=who_words(self.who)
        )

    def lifted(self, plan: Scenario) -> Scenario:
        """Return the plan without this limit."""
        if self.limit == ONLY:
            keys = set(self.keys)
            return replace(plan, only={key: who for key, who in plan.only.items() if key not in keys})
        if self.limit == SHARE:
            return replace(plan, shares={who: share for who, share in plan.shares.items() if who != self.who})
        return replace(plan, assumptions={**plan.assumptions, self.limit: _ASSUMED[self.limit].off})


def limits_of(plan: Scenario, assumptions: Assumptions, pools_present: Collection[str]) -> tuple[Limit, ...]:
    """Return the limits that are set: assumptions by name, then allowed providers, then shares, each sorted.

    assumptions: in force in the plan. pools_present: keys of its workloads.
    """
    values = {spec.name: getattr(assumptions, spec.name) for spec in ASSUMED}
    set_ones = [
        Limit(name, float(value)) for name, value in sorted(values.items()) if value != _ASSUMED[name].off
    ]
    keys_of: dict[Only, list[str]] = {}
    for key, who in sorted(plan.only.items()):
        if key in pools_present and who != ANYBODY:
            keys_of.setdefault(who, []).append(key)
    return (
        *set_ones,
        *(Limit(ONLY, None, who, tuple(keys)) for who, keys in sorted(keys_of.items())),
        *(Limit(SHARE, share, who) for who, share in sorted(plan.shares.items())),
    )


def has_cost(limit: Limit) -> bool:
    """Return whether the plan is changed to meet a limit, so that the limit may cost money."""
    return limit.limit not in _ASSUMED or _ASSUMED[limit.limit].has_cost
