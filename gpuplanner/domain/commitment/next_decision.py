"""A next decision: what it says, and where it stands in a list of decisions."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Final

from gpuplanner.domain.commitment.numbers import decision_number, order_numbers
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.plan import NEXT_DECISION
from gpuplanner.domain.figures.typed import amount, day
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import day_of, has_calendar
from gpuplanner.lazy_dataclass import dataclass

ACTS: Final = {
    "order": worded("Order {subject}"),
    "renew": worded("Renew {subject}"),
    "end": worded("End {subject}"),
    "replace": worded("Replace {subject}"),
    "shorten": worded("Shorten {subject}"),
    "question": worded("Ask about {subject}"),
    "saving": worded("Accept {subject}"),
    "let_expire": worded("Let {subject} expire"),
}
"""Title of each kind of decision."""

OPEN: Final = "open"
DECLINED: Final = "declined"
"""States of a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDecision:
    """A decision that the plan made, or that the user has to make.

    number: shown as D1, D2, …; 0 before numbers are given. kind: in ACTS. subject: a contract, a saving, or GPUs and
    their term; subject_shortly: without days, for narrow places. provider: of the contract, otherwise of its orders;
    None if unknown.
    by_s: its deadline, the earlier of notice_by_s and order_by_s, epoch seconds; None without one.
    year_without, year_with: $ of twelve months without it, with all else decided again, and with it; None is unknown.
    committed_usd: commitment of its orders that are due within a month of the plan's first day; committed_later_usd: of
    the others; cash_usd: due when they are signed. is_in_plan: the plan contains it. unknown: reason for an unknown
    amount, or the parts without a price in both. contract_id, row: its contract, or its row with the term in months.
    is_overdue: the deadline was before the plan's start. is_now: it is before a month after the plan's start.
    ends_s: end of the contract, epoch seconds. orders: every order of it, whole. order_numbers: of those that are
    listed as O1, O2, …. is_quote: whether the prices of its orders are all quotes; None without orders.
    placed: orders of its first day. clusters: clusters they serve, with the GPU time needed by each.
    gap: supply for the contract's work until they start.
    """

    decision_id: str
    number: int = 0
    kind: str
    subject: Text
    subject_shortly: Text = ""
    provider: str | None = None
    by_s: int | None = None
    notice_by_s: int | None = None
    order_by_s: int | None = None
    year_without: float | None = None
    year_with: float | None = None
    committed_usd: float | None = None
    committed_later_usd: float | None = None
    cash_usd: float | None = None
    is_in_plan: bool = True
    unknown: Text = ""
    contract_id: str = ""
    row: tuple[Pool, str | None, int] | None = None
    is_overdue: bool = False
    is_now: bool = False
    ends_s: int | None = None
    orders: tuple[Order, ...] = ()
    order_numbers: tuple[int, ...] = ()
    is_quote: bool | None = None
    placed: tuple[Order, ...] = ()
    clusters: tuple[tuple[str, float], ...] = ()
    gap: Text = ""

    @property
    def usd_12_months(self) -> float | None:
        """$ saved in twelve months; negative if it costs."""
        given = {"year_without": self.year_without, "year_with": self.year_with}
        return NEXT_DECISION.row(given, ["decision_saves"])["decision_saves"]

    @property
    def is_left(self) -> bool:
        """Whether the user declined it: it is not in the plan, and is no question and no offered saving."""
        return not self.is_in_plan and self.kind not in ("question", "saving")

    @property
    def state(self) -> str:
        """DECLINED if the user declined it, otherwise OPEN; what is done is a contract and no decision any more."""
        return DECLINED if self.is_left else OPEN

    @property
    def committed_in_all_usd(self) -> float | None:
        """Commitment of all its orders, $; None if unknown."""
        return known_sum((self.committed_usd, self.committed_later_usd))

    @property
    def title(self) -> Message:
        """The decision, as End PO-108004 (40 H100)."""
        return Message(ACTS[self.kind].template, {"subject": self.subject})

    @property
    def title_shortly(self) -> Message:
        """The decision without the days of its orders, for narrow places."""
        return Message(ACTS[self.kind].template, {"subject": self.subject_shortly or self.subject})

    @property
    def text(self) -> Message:
        """The decision with its effect, as End PO-108004 (40 H100) by 28 Dec 2026: saves $716,525 in 12 months."""
        by = worded(" by {day}", day=self.by_words) if self.by_words else ""
        text = worded("{title}{by}: {saves}", title=self.title, by=by, saves=self.saves)
        return joined(filter(None, (text, self.gap)), ". ")

    @property
    def numbers(self) -> Text:
        """Its number with those of its orders, as D6 (O4, O5); empty before it has one."""
        if not self.number:
            return ""
        number = decision_number(self.number)
        if not self.order_numbers:
            return number
        return worded(
            "{number} ({orders})", number=number, orders=", ".join(order_numbers(self.order_numbers))
        )

    @property
    def numbered_text(self) -> Message:
        """The same behind its numbers, as D6 (O4, O5): Order 16 H100 …, for papers."""
        return self._behind_numbers(self.text)

    @property
    def numbered_title(self) -> Message:
        """The title behind its numbers, as D1: End PO-108004 (40 H100)."""
        return self._behind_numbers(self.title)

    @property
    def numbered_shortly(self) -> Message:
        """The same without the days of its orders, for narrow places."""
        return self._behind_numbers(self.title_shortly)

    def _behind_numbers(self, words: Message) -> Message:
        return worded("{number}: {decision}", number=self.numbers, decision=words) if self.number else words

    @property
    def by_words(self) -> Text:
        """Its deadline, marked if it is overdue; empty without one or without a calendar."""
        if self.by_s is None or not has_calendar(self.by_s):
            return ""
        day_words = worded("{day}", day=day(self.by_s))
        return worded("{day} (overdue)", day=day_words) if self.is_overdue else day_words

    @property
    def saves(self) -> Text:
        """The effect, as saves $716,525 in 12 months; otherwise why it is unknown."""
        if self.usd_12_months is None:
            return self.unknown
        return worded("{saves} in 12 months", saves=self.saves_shortly)

    @property
    def saves_shortly(self) -> Text:
        """The effect without the period, for narrow places."""
        if self.usd_12_months is None:
            return worded("amount unknown")
        usd = amount(abs(self.usd_12_months))
        if self.kind == "question":
            return worded("{usd} at stake", usd=usd)
        return worded("costs {usd}", usd=usd) if self.usd_12_months < 0 else worded("saves {usd}", usd=usd)


def in_order(decisions: Iterable[NextDecision]) -> tuple[NextDecision, ...]:
    """Sort decisions as every medium lists them: now by day, then later by day, those without a day last.

    Of one day the largest amount comes first, an unknown one last; then by id.
    Source: docs/formulas/savings.md, Next decisions.
    """
    return tuple(sorted(decisions, key=_place))


def first_few(
    decisions: Sequence[NextDecision], count: int, *, is_by_dollars: bool = False
) -> tuple[NextDecision, ...]:
    """Return the decisions that a medium with little room shows: those for now, then the largest of the later ones.

    decisions: sorted by `in_order`. count: the most to return. is_by_dollars: of more decisions for now than that,
    those that save or commit most, for a page that asks for their sum.
    """
    now = [decision for decision in decisions if decision.is_now]
    if is_by_dollars:
        largest = sorted(now, key=_dollars, reverse=True)[:count]
        now = [decision for decision in now if decision in largest]
    later = sorted((decision for decision in decisions if not decision.is_now), key=_amount)
    return tuple([*now, *later][:count])


def _place(decision: NextDecision) -> tuple[bool, float, float, str]:
    """Return the key by which decisions are sorted."""
    day_s = inf if decision.by_s is None else float(day_of(decision.by_s))
    return not decision.is_now, day_s, _amount(decision), decision.decision_id


def _dollars(decision: NextDecision) -> float:
    """Return what a decision saves or commits now, whichever is more, $."""
    return max(abs(decision.usd_12_months or 0.0), decision.committed_usd or 0.0)


def _amount(decision: NextDecision) -> float:
    """Return a key that sorts the largest savings first and unknown ones last."""
    return inf if decision.usd_12_months is None else -decision.usd_12_months
