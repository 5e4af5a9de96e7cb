"""A scenario: where each workload stands, how it is divided, merged and dated, and what limits the plan."""

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

# --- Dates: when a workload begins and ends, steps of demand and prices from a day on, and work that no log has yet

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
    length_hours: it ends so long after it begins, in the plan; latest_finish_s: when that has to be. every_hours: it
    starts again so long after it began, while a start lies before its end.
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
        """When it is there, in a plan that begins at a moment.

        plan_begins_s: epoch seconds. Work of a length never begins before the plan does.
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
        """The spans of a run in which it is there: epoch seconds, in order, from the plan's first moment on.

        spell: when it is there; until_s: no piece starts later.
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
        """How much of a month work of a length is there: of work that comes back the mean, of any other its part of the
        plan's first month. 1 for work in hours of the week, which is told as it is while it is there."""
        if self.length_hours is None:
            return 1.0
        if self.every_hours is not None:
            return self.length_hours / self.every_hours
        spell, ends_s = self.spell(plan_begins_s), plan_begins_s + MONTH_S
        begins_s = plan_begins_s if spell.begins_s is None else spell.begins_s
        return max(0, min(spell.ends_s or ends_s, ends_s) - begins_s) / MONTH_S

    @property
    def mean_gpu_hours(self) -> float | None:
        """GPU-hours of a mean month of work that comes back; None of any other."""
        hours, every = self.length_hours, self.every_hours
        return None if hours is None or every is None else self.gpus * hours * MONTH_S / (HOUR_S * every)

    @property
    def key(self) -> str:
        """cluster/team/name, as keys of workloads are."""
        return f"{self.cluster}/{self.team}/{self.name}"


def _in_hours(hours: frozenset[int], begins_s: int, ends_s: int) -> Iterator[tuple[int, int]]:
    """The spans between two moments that lie in some hours of the week."""
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
    """The spell itself. Errors: PlannerError where it ends before it begins.

    key: of the workload, for the message. A spell that is open on a side is sound.
    """
    if spell.begins_s is not None and spell.ends_s is not None and spell.ends_s <= spell.begins_s:
        problem = worded_both(
            "it ends {ends}, before it begins",
            "its last day lies before its first day",
            ends=iso_utc(spell.ends_s),
        )
        raise refusal(
            key,
            problem,
            worded_both(
                "enter an end after {begins}",
                "choose a later last day, or an earlier first day",
                begins=iso_utc(spell.begins_s),
            ),
        )
    return spell


def check_demand_change(change: DemandChange) -> DemandChange:
    """The step itself. Errors: PlannerError for a factor below 0 or over MOST_TIMES."""
    if not 0 <= change.factor <= MOST_TIMES:
        problem = worded("{factor} is no factor", factor=significant(change.factor))
        remedy = worded("enter 0 to {most}", most=significant(MOST_TIMES))
        raise refusal(change.of, problem, remedy)
    return change


def check_price_change(change: PriceChange) -> PriceChange:
    """The step itself. Errors: PlannerError for a factor of 0 or less or over MOST_TIMES."""
    if not 0 < change.factor <= MOST_TIMES:
        problem = worded("{factor} is no factor of a price", factor=significant(change.factor))
        remedy = worded("enter more than 0, up to {most}", most=significant(MOST_TIMES))
        raise refusal(change.gpu_model, problem, remedy)
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
            worded("its hours are not hours of the week"),
            worded("choose some of a week"),
        ),
        (
            work.length_hours is not None and work.length_hours < 1,
            worded("its length is no number over 0"),
            worded("enter 1 hour or more"),
        ),
        (
            work.every_hours is not None and work.every_hours < (work.length_hours or 1),
            worded("it starts again before it ends"),
            worded("set a gap between starts longer than one run"),
        ),
    )
    for is_at_fault, problem, remedy in faults:
        if is_at_fault:
            raise refusal(work.name or "planned", problem, remedy)
    check_spell(work.name, Spell(work.begins_s, work.ends_s))
    return work


# --- How a workload is divided in a plan: by a share of its GPU time, at an hour, or by hours of the week

FIRST, SECOND = 1, 2


@dataclass(frozen=True, slots=True)
class ShareSplit:
    """The second part has `permille` thousandths of the GPU time of every hour."""

    permille: int


@dataclass(frozen=True, slots=True)
class TimeSplit:
    """The second part is what runs from `at_s` on (epoch seconds UTC, a whole hour)."""

    at_s: int


@dataclass(frozen=True, slots=True)
class WeekSplit:
    """The second part is what runs in these hours of the week: 0 is Monday 00:00 UTC; ascending, each once."""

    hours: tuple[int, ...]


Split = ShareSplit | TimeSplit | WeekSplit
Splits = Mapping[str, Split]
"""Of a plan, by the key of the workload or of the part that is divided."""


def check_split(split: Split) -> None:
    """Errors: PlannerError where a part would have everything or nothing whatever the log says.

    A share is 1 to 999 thousandths, a time on the hour, hours of the week some but not all.
    """
    if isinstance(split, ShareSplit):
        if not 1 <= split.permille <= 999:
            raise refusal(
                "share", worded("a part would be empty"), worded("enter more than 0% and less than 100%")
            )
    elif isinstance(split, TimeSplit):
        if split.at_s % HOUR_S:
            raise refusal("time", worded("it is not on the hour"), worded("enter a whole hour, UTC"))
    elif (
        not 0 < len(split.hours) < HOURS_OF_WEEK
        or list(split.hours) != sorted(set(split.hours))
        or not 0 <= split.hours[0] <= split.hours[-1] < HOURS_OF_WEEK
    ):
        problem = worded("a part would be empty")
        raise refusal("hours of the week", problem, worded("choose some hours of the week, not all"))


def part_key(key: str, number: int) -> str:
    """The key of a part: no name that ends a workload's key ends with # and digits, so none has this one.

    >>> part_key("main/ml/chat", SECOND)
    'main/ml/chat#2'
    """
    return f"{key}#{number}"


def whole_key(key: str, splits: Splits) -> str:
    """The workload that a card's key is of: itself, or what was divided into it, however often.

    splits: of the plan, in which alone a key is a part.

    >>> whole_key("a#2#1", {"a": ShareSplit(300), "a#2": ShareSplit(500)}), whole_key("a#1", {})
    ('a', 'a#1')
    """
    divided = divided_key(key, splits)
    while divided is not None:
        key, divided = divided, divided_key(divided, splits)
    return key


def divided_key(key: str, splits: Splits) -> str | None:
    """What was divided into this part; None for what is no part in a plan."""
    before, mark, number = key.rpartition("#")
    return before if mark and number in ("1", "2") and before in splits else None


def bare_key(key: str) -> str:
    """A key without the numbers of parts: of what may be a part, in a plan that nobody names.

    >>> bare_key("main/ml/chat#2#1")
    'main/ml/chat'
    """
    while key.endswith(("#1", "#2")):
        key = key[:-2]
    return key


def leaf_keys(key: str, splits: Splits) -> tuple[str, ...]:
    """The cards that a workload or part has become: its parts where it is divided, else itself.

    From left to right.

    >>> leaf_keys("a", {"a": ShareSplit(300), "a#2": ShareSplit(500)})
    ('a#1', 'a#2#1', 'a#2#2')
    """
    if key not in splits:
        return (key,)
    return tuple(leaf for number in (FIRST, SECOND) for leaf in leaf_keys(part_key(key, number), splits))


def part_words(split: Split, number: int) -> Text:
    """A part in words: 30%; from 3 Jul 2026 05:00; Mon–Fri 08–18; other hours.

    Times are UTC. number: FIRST or SECOND; the first part of a week has the other hours.
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
    """Hours of the week in words; of an odd choice only how many there are.

    hours: of the week, Monday 00:00 UTC is 0, ascending, at least one.

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


# --- A scenario: which workload stands in which pool, and what else the planner set by hand ------

TODAY: Final = "Today"
SEPARATED: Final = "separated"
AS_TODAY: Final = "as_today"


RIGHT_SIZE, AUTOSCALE, IDLE_ENDED = "right_size", "autoscale", "idle_ended"
DEMAND_CUTS: Final = {
    RIGHT_SIZE: worded("Right-sizing"),
    AUTOSCALE: worded("Autoscaling"),
    IDLE_ENDED: worded("Ending idle work"),
}
"""Savings that a plan has once they are accepted, each a cut of demand, in the order in which they are worked out."""


def check_cut(step: str) -> str:
    """The step itself. Errors: PlannerError for one that is none of DEMAND_CUTS."""
    if step not in DEMAND_CUTS:
        raise refusal(
            step, worded("it is no saving on offer"), worded("use one of ") + ", ".join(DEMAND_CUTS)
        )
    return step


@dataclass(frozen=True, slots=True)
class HandLayer:
    """One committed layer whose size the planner set: `gpus` whole GPUs for `term_months` (0 GPUs: none)."""

    term_months: int
    gpus: int


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the decision log: when (epoch seconds UTC), what, and why if the planner said.

    what: `Message` where it is our sentence, plain text where it is a name of the planner's.
    """

    at_s: int
    what: Text
    reason: Text = ""


BEFORE_RENEWALS: Final = Decision(0, "before renewals")
"""Stands in a plan that was saved before renewals had to be stated, until its contracts are known."""


class LeakStatus(StrEnum):
    """What the planner decided about a leak; one that is in neither state is open."""

    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class LeakDecision:
    """What was decided about one leak in a plan, and when (epoch seconds UTC).

    reason: why it was dismissed; owner: who is to do what was accepted, in the planner's words ("" : nobody yet).
    pool: where its workloads were put; None where the plan has no way to show it, so that it is an action to be done.
    workloads: how many were put there. gpu_hours (window) and usd_per_month (None: unknown): as when it was decided.
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
    """GPUs of the minimum of an offer that are a pool's, bought whole from a day on, epoch seconds, and again each time
    it ends. gpus of all its pools: the minimum."""

    start_s: int
    offer_id: str
    pool: Pool
    gpus: int


@dataclass(frozen=True, slots=True)
class WholeDollars:
    """A commitment in dollars that is bought once, from a moment on, epoch seconds. cents: per hour."""

    start_s: int
    offer_id: str
    cents: int


@dataclass(frozen=True, slots=True)
class WholeDecisions:
    """What a plan decides as a whole: contracts that may renew and end, with their ends (epoch seconds), sorted; all
    others that may run on. minima, dollars: those that are bought. Source: docs/formulas/policy.md, Whole decisions."""

    ends: tuple[tuple[str, int], ...] = ()
    minima: tuple[WholeMinimum, ...] = ()
    dollars: tuple[WholeDollars, ...] = ()


RowTerm = tuple[Pool, str | None, int]
"""Pool, GPU model and term in months of what could be signed."""

STATEMENTS: Final = ("notice_given", "runs_on", "kept", "ended")
"""Fields of Scenario in which the planner states something of contracts, each their ids."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A plan (any scenario but Today).

    start: SEPARATED (each workload begins in its class's pool) or AS_TODAY (in its cluster's pool).
    pools: where the planner put a workload, by key; being here takes a card out of review.
    pinned: keys that "Separate automatically" leaves alone.
    hand_layers: committed layers set by hand, by (pool, GPU model or None), longest term first; a pair that
    is present is not advised: its slices are taken by these layers from the bottom, the rest is usage-priced.
    advised_around: those of these pairs whose layers are held (0 GPUs: not that term) while all else is advised.
    assumptions: the values (by --set name) that differ from the project's.
    price_case: which rate of each offer counts in it.
    leak_decisions: at most one a leak, by leak_id; those of leaks that an import no longer shows stay.
    splits: workloads, or parts of them, that stand as two parts in this plan, by key
    (domain/model/plan_inputs.py); pools and pins name the parts. What the whole had is kept, and holds again once
    the parts are merged.
    merges: cards that stand as one on the board, by its name
    (domain/model/plan_inputs.py); figures are of each of them.
    spells: when workloads begin and end, by key; one with neither is not there. changes: steps of demand, in the order
    given. planned: work that no log has, no two of one key, sorted by key. price_changes: steps of prices, likewise.
    only: who alone may serve a workload, by its key; the rest may be served by anybody.
    shares: how much of the first month's $ a provider or a region may have, 0 to less than 1, sorted.
    notice_given: contracts to which notice was given in time though its last day has passed, by contract_id, sorted.
    provider_ends: when providers stop, epoch seconds, by their names: their contracts end and their offers close then.
    accepted: those of DEMAND_CUTS that the plan has, in their order.
    is_gap_missing: whether days without any job are missing in the log, and count for nothing; else they stood idle.
    scratch_of: the name of the plan that this one is a scratch copy of, in which a question is asked; "" for any other.
    runs_on: contracts with a notice and no stated renewal that renew where none is given, by contract_id, sorted.
    left_terms: terms in months that a pool does not sign for a GPU model, whatever the advice.
    kept, ended: contracts that this plan lets run on, or end as soon as they can, whatever it would decide itself; by
    contract_id, sorted.
    whole_decisions: what the plan decides as a whole, found when it is evaluated; None: it was not tried yet.
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
        """Whether another one plans the same: all but name and logs is of the very parts (a cheap question).

        By identity of the parts: two that are equal and not the same are taken to differ, which costs an
        evaluation and no error.
        """
        for part in _PLANNED:
            own, others = getattr(self, part), getattr(other, part)
            if own is not others and not (isinstance(own, str | bool) and own == others):
                return False
        return True

    def stating(self, statement: str, contract_ids: Iterable[str], *, holds: bool = True) -> "Scenario":
        """With one of STATEMENTS said of contracts, or said no more; what is kept is not ended, and the other way."""
        stated, of = {*getattr(self, statement)}, {*contract_ids}
        changed: dict[str, Any] = {statement: tuple(sorted(stated | of if holds else stated - of))}
        if holds and (other := {"kept": "ended", "ended": "kept"}.get(statement)):
            changed[other] = tuple(name for name in getattr(self, other) if name not in of)
        return replace(self, **changed)

    def stated_of_contracts(self) -> set[tuple[str, str]]:
        """What the planner states of contracts: each of STATEMENTS with an id."""
        return {(name, contract_id) for name in STATEMENTS for contract_id in getattr(self, name)}

    def decision_on(self, leak_id: str) -> LeakDecision | None:
        """What was decided about a leak; None while it is open."""
        return next((decision for decision in self.leak_decisions if decision.leak_id == leak_id), None)


_PLANNED: Final = tuple(
    each.name
    for each in fields(Scenario)
    if each.name not in ("name", "decisions", "leak_decisions", "merges", "scratch_of")
)
"""What a plan plans with: all but its name, its logs, what stands as one card, and which plan it was copied from."""


# --- Cards of a plan that stand on the board as one: by name, the workloads or parts that it is made of

Merges = Mapping[str, tuple[str, ...]]
"""Of a plan: name of a merged card -> keys of its cards, ascending, at least two; a card is in at most one."""

LONGEST_NAME: Final = 120


def merge_of(key: str, merges: Merges) -> str | None:
    """The merged card that a card is in; None for one that stands alone.

    Its name, of which there is one at most.
    """
    return next((name for name, keys in merges.items() if key in keys), None)


def with_those_merged(keys: Iterable[str], merges: Merges) -> tuple[str, ...]:
    """These cards and all that are merged with one of them, each once: what is done to one is done to all.

    In given order, those of a merged card in that of its keys.
    """
    given = tuple(keys)
    if not merges:
        return given
    group = {key: members for members in merges.values() for key in members}
    return tuple(dict.fromkeys(card for key in given for card in group.get(key, (key,))))


def without_cards(merges: Merges, gone: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Merged cards without these; one that has a single card left is no merged card any more.

    gone: keys of cards. Names stay.
    """
    left = {name: tuple(key for key in keys if key not in gone) for name, keys in merges.items()}
    return {name: keys for name, keys in left.items() if len(keys) > 1}


def check_merges(merges: Merges) -> None:
    """Errors: PlannerError for a name or members that no merged card can have.

    A name is 1 to 120 printable letters without blanks around it; cards are two or more, sorted, in one
    merged card each.
    """
    seen: set[str] = set()
    for name, keys in merges.items():
        if not name or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise refusal(
                "name",
                worded("it is no name"),
                worded("enter 1 to {longest_name} letters on one line", longest_name=whole(LONGEST_NAME)),
            )
        if len(keys) < 2 or list(keys) != sorted(set(keys)) or seen & set(keys):
            raise refusal(
                name, worded("its cards cannot be merged"), worded("choose two cards or more, each once")
            )
        seen |= set(keys)


# --- Limits: what a plan may keep to, as one table, and those that are set in it, each with the plan without it alone

ONLY: Final = "only"
SHARE: Final = "share"
"""Limits that are no assumption: who alone may serve, and how much one that is named may have."""


@dataclass(frozen=True, slots=True)
class AssumedLimit:
    """A limit that is an assumption. name: by --set; words: of its value; has_cost: whether a plan is made to keep it;
    off: the value that is none.

    One without a cost is looked at alone: a plan over it is a red check.
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
        "max_provider_share",
        lambda share: worded("No more than {share} with one provider", share=percent(share)),
    ),
    AssumedLimit("budget_usd_per_month", lambda usd: worded("A budget of {usd} per month", usd=amount(usd))),
    AssumedLimit("power_limit_kw", lambda kw: worded("No more than {kw} kW", kw=whole(kw)), has_cost=False),
    AssumedLimit("training_never_by_use", lambda _: worded("Training never on demand"), off=False),
)
"""In the order in which they are asked for."""

_ASSUMED: Final = {spec.name: spec for spec in ASSUMED}


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that is set. limit: a --set name, ONLY or SHARE; value: of it, None of ONLY; who: of the last two.

    keys: the workloads that ONLY is of, sorted.
    """

    limit: str
    value: float | None = None
    who: Only = ANYBODY
    keys: tuple[str, ...] = ()

    @property
    def words(self) -> Message:
        """No term over 12 months; Only CoreWeave for 3 workloads; No more than 40% with CoreWeave."""
        if self.limit in _ASSUMED:
            return _ASSUMED[self.limit].words(self.value or 0.0)
        if self.limit == SHARE:
            share = percent(self.value or 0.0)
            return worded("No more than {share} with {who}", share=share, who=named_words(self.who))
        count = len(self.keys)
        return worded_whole(
            count, "{who} for {count} workload", "{who} for {count} workloads", who=who_words(self.who)
        )

    def lifted(self, plan: Scenario) -> Scenario:
        """The plan without it, all others in force."""
        if self.limit == ONLY:
            keys = set(self.keys)
            return replace(plan, only={key: who for key, who in plan.only.items() if key not in keys})
        if self.limit == SHARE:
            return replace(plan, shares={who: share for who, share in plan.shares.items() if who != self.who})
        return replace(plan, assumptions={**plan.assumptions, self.limit: _ASSUMED[self.limit].off})


def limits_of(plan: Scenario, assumptions: Assumptions, pools_present: Collection[str]) -> tuple[Limit, ...]:
    """The limits that are set: those of the assumptions by name, then who alone may serve, then shares, by who.

    assumptions: in force in the plan; pools_present: keys of the workloads that it has.
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
    """Whether a plan is made to keep a limit, so that it may cost something."""
    return limit.limit not in _ASSUMED or _ASSUMED[limit.limit].has_cost
