"""The marks of a card: what to know before it runs where it stands, and where it stands out."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gpuplanner.charts.kit.plain_text import Markup, escaped
from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.files.system.resources import long_text, words_table
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.state.view_state import ViewState, is_planned, lane_of_card
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import MOVES
from gpuplanner.ui.words.lanes import LANES, Lane, lane_of

# --- Which cards a mark is drawn on: those that stand out among their peers, not what a whole pool is like
# A finding of few cards of a column is drawn on all of them. One of many says something of the pool: its head counts
# them, and only those are marked that cost most, where to act is worth something. What a card says of itself in its tip
# and its details is the same in either case.

FEW_SHARE: Final = 0.10
FEW_AT_LEAST: Final = 3
"""A finding of at most a tenth of a column's cards, or of three, is an exception."""
DOLLAR_SHARE: Final = 0.05
"""Of a finding that is no exception, a card is marked from this share of its column's $ per month on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What several cards of a column have in common: how many, and on how many of them its mark is drawn."""

    icon: str
    role: str
    cards: int
    marked: int

    @property
    def is_of_the_pool(self) -> bool:
        """Whether more cards have it than are marked, so that the head of the column says how many."""
        return self.marked < self.cards


def most_few(peers: int) -> int:
    """How many of so many cards are few."""
    return max(FEW_AT_LEAST, math.ceil(FEW_SHARE * peers))


def standing_out(keys: Sequence[str], weights: Mapping[str, float], is_amber: bool = False) -> frozenset[str]:
    """Of the cards with a finding those that are marked. weights: $ per month of every card of the column, by key.

    is_amber: what most of them have is marked on one alone, as a map of models gives one light to all.

    >>> sorted(standing_out("abcd", {"a": 50.0, "b": 30.0, "c": 19.5, "d": 0.5, "e": 0.0}))
    ['a', 'b', 'c']
    >>> sorted(standing_out("de", {"a": 50.0, "b": 30.0, "c": 19.5, "d": 0.5, "e": 0.0}))
    ['d', 'e']
    """
    few = 1 if is_amber and 2 * len(keys) > len(weights) else most_few(len(weights))
    if len(keys) <= few:
        return frozenset(keys)
    least = DOLLAR_SHARE * sum(weights.values())
    heaviest = sorted(keys, key=lambda key: (-weights[key], key))[:few]
    return frozenset(key for key in heaviest if weights[key] > 0 and weights[key] >= least)


# --- The marks of a card: what to know before it runs where it stands, and the words of its tool tip


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One mark: an icon, its status (a palette role) and what it says.

    is_drawn: whether the card stands out by it among its peers; what it says is in the tip and read out in any case.
    lost: how much of the card's GPU-hours nobody serves, 0..1.
    """

    icon: str
    role: str
    text: str
    is_drawn: bool = True
    lost: float = 0.0

    def __post_init__(self) -> None:
        speak(self, "text")


MARKS: Final = {
    "hardware_red": ("fit", "red"),
    "hardware_amber": ("fit", "amber"),
    "spot_infeasible": ("interruption", "amber"),
    "inference_on_spot": ("interruption", "red"),
    "contention": ("cluster", "amber"),
    "transit_over_80_ms": ("residency", "amber"),
}
"""Checks that are about one workload -> the icon and status that its card carries."""


def unserved_marks(shown: ViewState) -> Iterator[tuple[str, Mark]]:
    """By workload key what nobody serves of it in the twelve months of the plan that is shown."""
    if shown.advice is None or shown.is_today:
        return
    hours: dict[str, float] = {}
    for one in shown.advice.unserved:
        hours[one.key] = hours.get(one.key, 0.0) + one.gpu_hours
    for card in shown.cards if hours else ():
        if lost := hours.get(card.key):
            words = tr("Unserved in 12 months: {hours} GPU-h", hours=numbers.whole(lost))
            of = MONTHS_OF_YEAR * card.gpu_hours_per_month
            yield (
                card.key,
                Mark(icon="octagon", role="red", text=words, lost=min(lost / of, 1.0) if of else 1.0),
            )


MONTHS_OF_YEAR: Final = 12


def marks_by_key(checks: Iterable[Check]) -> dict[str, tuple[Mark, ...]]:
    """The marks of every card that has some, by workload key (the check's subject)."""
    made: dict[str, tuple[Mark, ...]] = {}
    for check in checks:
        if check.code in MARKS:
            icon, role = MARKS[check.code]
            mark = Mark(
                icon=icon, role="red" if check.severity == "red" else role, text=spoken(check.message)
            )
            made[str(check.subject)] = (*made.get(str(check.subject), ()), mark)
    return made


FIT_ROLES: Final = {Light.RED: "red", Light.AMBER: "amber"}


def _each_once(marks: Iterable[Mark]) -> Iterator[Mark]:
    """One mark of each icon and status; its words are those of the first, and how many more there are."""
    alike: dict[tuple[str, str], list[str]] = {}
    for mark in marks:
        alike.setdefault((mark.icon, mark.role), []).append(mark.text)
    for (icon, role), texts in alike.items():
        more = len(texts) - 1
        yield Mark(
            icon=icon,
            role=role,
            text=tr("{names} and {more} more", names=texts[0], more=more) if more else texts[0],
        )


WORDS: Final = {tuple(name.split()): words for name, words in words_table("finding").items()}
"""Of a mark's icon and status: what cards that have it have in common."""


CHIP_WORDS: Final = words_table("chip")
"""Of a mark's icon: the word beside it on a card that has room for it."""


def finding_words(finding: Finding) -> str:
    """33 cards with hardware that does not fit. Marked: the 4 that cost most."""
    mark = WORDS.get((finding.icon, finding.role), worded("a warning"))
    words = tr("{cards} with {what}.", cards=numbers.counted(finding.cards, "card"), what=mark)
    if not finding.marked:
        return words
    if finding.marked == 1:
        return tr("{said} The most expensive one is marked.", said=words)
    return tr(long_text("marked_most", said=words, marked=numbers.whole(finding.marked)))


class CardMarks(Mapping[str, tuple[Mark, ...]]):
    """The marks of every card that has some, by its key: the planner's note, its hardware today, the checks about it.

    Those of the hardware are made when a card is painted: thousands of cards are never seen.
    """

    def __init__(self, shown: ViewState) -> None:
        self._of_checks = marks_by_key(shown.checks)
        for key, mark in unserved_marks(shown):
            self._of_checks[key] = (mark, *self._of_checks.get(key, ()))
        self._fits = {fit.key: fit for fit in shown.fit or () if fit.light in FIT_ROLES}
        self._made: dict[str, tuple[Mark, ...]] = {}
        self._notes = shown.evaluation.project.notes
        self._splits = {} if shown.is_today else shown.evaluation.figures.basis.plan.splits
        self._members = shown.members
        self.findings, self._drawn = self._standing_out(shown)

    def _standing_out(
        self, shown: ViewState
    ) -> tuple[Mapping[Lane, tuple[Finding, ...]], Mapping[tuple[str, str], frozenset[str]]]:
        """What the cards of each column have in common, and by icon and status the cards that are marked."""
        weights: dict[Lane, dict[str, float]] = {lane: {} for lane in LANES}
        groups: dict[tuple[Lane, str, str], list[str]] = {}
        has_dollars, usd, is_plain = any(shown.usd.values()), shown.usd, not (self._members or self._splits)
        for card in shown.cards:
            lane, key = lane_of_card(card), card.key
            weights[lane][key] = (usd.get(key) or 0.0) if has_dollars else card.gpu_hours_per_month
            if is_plain and key not in self._of_checks:  # most cards
                if (fit := self._fits.get(key)) is not None and fit.light is not None:
                    groups.setdefault((lane, "fit", FIT_ROLES[fit.light]), []).append(key)
                continue
            for icon, role in self._kinds_of(key):
                groups.setdefault((lane, icon, role), []).append(key)
        findings: dict[Lane, list[Finding]] = {lane: [] for lane in LANES}
        drawn: dict[tuple[str, str], frozenset[str]] = {}
        for (lane, icon, role), keys in groups.items():
            marked = standing_out(keys, weights[lane], is_amber=role == "amber")
            drawn[icon, role] = drawn.get((icon, role), frozenset()) | marked
            findings[lane].append(Finding(icon, role, len(keys), len(marked)))
        order = {
            lane: sorted(of, key=lambda row: (row.role != "red", -row.cards)) for lane, of in findings.items()
        }
        return {lane: tuple(of) for lane, of in order.items()}, drawn

    def _kinds_of(self, key: str) -> set[tuple[str, str]]:
        """Icon and status of whatever was found of a card, or of those that are merged in it."""
        kinds: set[tuple[str, str]] = set()
        for one in self._members.get(key, (key,)) if self._members else (key,):
            kinds.update((mark.icon, mark.role) for mark in self._of_checks.get(one, ()))
            fit = self._fits.get(whole_key(one, self._splits) if self._splits else one)
            if fit is not None and fit.light is not None:
                kinds.add(("fit", FIT_ROLES[fit.light]))
        return kinds

    def _is_drawn(self, mark: Mark, key: str) -> bool:
        """Whether a mark is of the planner, or one that the card stands out by."""
        return (mark.icon, mark.role) not in WORDS or key in self._drawn.get((mark.icon, mark.role), ())

    def __getitem__(self, key: str) -> tuple[Mark, ...]:
        if (made := self._made.get(key)) is not None:
            return made
        if (members := self._members.get(key)) is not None:
            each = [mark for member in members for mark in self._of_one(member)]
            merged = Mark(
                icon="merge", role="muted", text=tr("Merged: {members} cards", members=len(members))
            )
            marks: tuple[Mark, ...] = (merged, *_each_once(each))
        else:
            marks = self._of_one(key)
        if not marks:
            raise KeyError(key)
        marks = tuple(mark if self._is_drawn(mark, key) else replace(mark, is_drawn=False) for mark in marks)
        self._made[key] = marks
        return marks

    def _of_one(self, key: str) -> tuple[Mark, ...]:
        """The marks of one card: its note, its light, then what the checks found."""
        whole = whole_key(key, self._splits) if self._splits else key
        checks = self._of_checks.get(key, ())
        fit, note = self._fits.get(whole), self._notes.get(whole)
        if fit is not None and fit.light is not None:
            tip = tr("Hardware today: {reasons}", reasons=spoken(fit.reasons))
            checks = (Mark(icon="fit", role=FIT_ROLES[fit.light], text=tip), *checks)
        if note:
            checks = (Mark(icon="note", role="muted", text=tr("Note: {note}", note=note)), *checks)
        return checks

    def has_warning(self, key: str) -> bool:
        """Whether a card has a mark that is a status."""
        keys = self._members.get(key, (key,)) if self._members else (key,)
        wholes = [whole_key(one, self._splits) for one in keys] if self._splits else keys
        return any(each in self._of_checks for each in keys) or any(whole in self._fits for whole in wholes)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._of_checks, **self._fits, **self._notes, **self._members})

    def __len__(self) -> int:
        return len(self._of_checks.keys() | self._fits.keys() | self._notes.keys() | self._members.keys())


_ELSE: Final = "{subtype}, else {runner_up}"


def tool_tip(
    card: CardFigures, usd: float | None, marks: tuple[Mark, ...], is_settling: bool, when: str = ""
) -> Markup:
    """A card in words: where it stands, what it was found to be, and why. when: it is there in the plan."""
    found = card.classification
    of = f"{card.cluster} \u00b7 {card.owner or 'no owner'} \u00b7 {', '.join(card.gpu_models) or 'model unknown'}"
    sums = {"usd": numbers.cents(usd), "gpu_hours_per_month": numbers.one_decimal(card.gpu_hours_per_month)}
    title, subtype = lane_of(found.pool).title, escaped(tr(found.subtype))
    confidence = numbers.whole_percent(found.confidence)
    taken = tr("{title}, {subtype}: {confidence}", title=title, subtype=subtype, confidence=confidence)
    lines = [
        f"<b>{escaped(card.name)}</b>",
        escaped(of),
        tr("{usd} per month (calculating) · {gpu_hours_per_month} GPU-h per month", **sums)
        if is_settling
        else tr("{usd} per month \u00b7 {gpu_hours_per_month} GPU-h per month", **sums),
        taken if found.runner_up is None else tr(_ELSE, subtype=taken, runner_up=found.runner_up),
        *(f"\u2022 {escaped(spoken(reason))}" for reason in found.reasons),
        *(escaped(mark.text) for mark in marks),
        *([tr("In this plan: {when}", when=escaped(when))] if when else []),
    ]
    if card.is_pinned:
        lines.append(tr("Pinned: Separate automatically leaves it here."))
    if card.in_review:
        lines.append(tr("Press T, I or B to set its class in all plans, Enter to see why."))
        lines.append(tr("To set only its pool in this plan, drag it or press {keys}.", keys=MOVES))
    else:
        lines.append(tr("Drag it, or press {keys}.", keys=MOVES))
    return Markup("<p style='white-space:pre; margin:0'>" + "<br>".join(lines) + "</p>")


def read_out(card: CardFigures, usd: float | None, marks: tuple[Mark, ...], when: str = "") -> str:
    """The accessible name: name, pool, $ a month, GPU-h, confidence (or that it is planned), marks, dates."""
    money = tr("cost unknown") if usd is None else tr("{usd} per month", usd=numbers.dollars(usd))
    found, hours = card.classification, numbers.whole(card.gpu_hours_per_month)
    sure = numbers.whole_percent(found.confidence)
    parts = [
        card.name,
        lane_of_card(card).title,
        money,
        tr("{gpu_hours_per_month} GPU-hours per month", gpu_hours_per_month=hours),
        tr("planned: in no log")
        if is_planned(card)
        else tr("{pool}, confidence {confidence}", pool=found.pool, confidence=sure),
        *([when] if when else []),
        *(mark.text for mark in marks),
    ]
    return ", ".join([*parts, "pinned"] if card.is_pinned else parts)
