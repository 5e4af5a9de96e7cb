"""A next decision: what it says, and where it stands in a list of decisions."""

from collections.abc import Iterable, Sequence
from math import ceil, inf
from typing import Final

from gpuplanner.domain.commitment.decision_waits import DecisionWaits
from gpuplanner.domain.commitment.numbers import decision_number, order_numbers
from gpuplanner.domain.commitment.result import Order, vendors
from gpuplanner.domain.figures.plan import NEXT_DECISION
from gpuplanner.domain.figures.typed import amount, day, whole
from gpuplanner.domain.message import Message, Text, capital, joined, lowered, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.calendar_months import MONTHS_OF_YEAR
from gpuplanner.domain.model.plan.scenario import DoneDecision, Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, day_of, has_calendar
from gpuplanner.lazy_dataclass import dataclass, replace

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

ROUNDING_MONTHS: Final = 1e-9
"""Part of a month that is only what dividing dollars leaves."""
OPEN: Final = "open"
DONE: Final = "done"
NOT_NOW: Final = "not_now"
DECLINED: Final = "declined"
STATES: Final = (OPEN, NOT_NOW, DECLINED, DONE)
"""States of a decision, in the order of a list."""
MARKS: Final = {NOT_NOW: worded("Not now: {decision}"), DONE: worded("Done: {decision}")}
NUMBERED_MARKS: Final = {
    NOT_NOW: worded("{number}, not now: {decision}"),
    DONE: worded("{number}, done: {decision}"),
}
"""How lists without sections mark a state, without and with the number."""
SHOWN_AGAIN_S: Final = 14 * DAY_S
"""How long before its day a decision that was put off is shown again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDecision:
    """A decision that the plan made, or that the user has to make.

    number: shown as D1, D2, …; 0 before numbers are given. kind: in ACTS. subject: a contract, a saving, or GPUs and
    their term; subject_shortly: without days, for narrow places. provider: of its orders, in a list if there are
    several; of the contract if it has no orders; None if unknown.
    by_s: its deadline, the earlier of notice_by_s and order_by_s, epoch seconds; None without one.
    year_without, year_with: $ of twelve months without it, with all else decided again, and with it; None is unknown.
    saves_in_month_12: $, None if unknown. less_committed_usd: $ that all orders commit less with it than without it, if
    it costs in twelve months; None otherwise, or if unknown. months_after: from month 12 to the end of its last order;
    None unless it costs more than it saves in twelve months and its orders run on.
    committed_usd: commitment of its orders that are due within a month of the plan's first day; committed_later_usd: of
    the others; cash_usd: due when they are signed. is_in_plan: the plan contains it. unknown: reason for an unknown
    amount, or the parts without a price in both. contract_id, row: its contract, or its row with the term in months.
    is_postponed: the user put it off until SHOWN_AGAIN_S before its day. is_done: the user marked it as done;
    can_reopen: what was recorded then is known.
    is_overdue: the deadline was before the plan's start. is_now: it is before a month after the plan's start.
    ends_s: end of the contract, epoch seconds. orders: every order of it, whole. order_numbers: of those that are
    listed as O1, O2, …. is_quote: whether the prices of its orders are all quotes; None without orders.
    placed: orders of its first day. clusters: clusters they serve, with the GPU time needed by each.
    gap: supply for the contract's work until they start. late_usd_per_day: most that each day costs by which each of
    `orders` is late, $; None if unknown. waiting_usd_per_day: most that each day costs by which the decision is put
    off, $; None if unknown. waits: of a decision that ends GPUs; None until the log is replayed, and if it cannot be.
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
    saves_in_month_12: float | None = None
    less_committed_usd: float | None = None
    months_after: float | None = None
    committed_usd: float | None = None
    committed_later_usd: float | None = None
    cash_usd: float | None = None
    is_in_plan: bool = True
    is_postponed: bool = False
    is_done: bool = False
    can_reopen: bool = False
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
    late_usd_per_day: tuple[float | None, ...] = ()
    waiting_usd_per_day: float | None = None
    waits: DecisionWaits | None = None

    @property
    def ends_gpus(self) -> bool:
        """Whether the plan ends, replaces or shortens a contract with it, so that GPUs leave."""
        return bool(self.is_in_plan and self.contract_id and self.kind != "renew" and self.ends_s is not None)

    @property
    def provider_words(self) -> Text:
        """With whom it is signed: the providers of its orders, or that one is missing; without orders that of its
        contract, empty if unknown."""
        return vendors(self.orders) if self.orders else self.provider or ""

    @property
    def usd_12_months(self) -> float | None:
        """$ saved in twelve months; negative if it costs."""
        given = {"year_without": self.year_without, "year_with": self.year_with}
        return NEXT_DECISION.row(given, ["decision_saves"])["decision_saves"]

    @property
    def usd_over_term(self) -> float | None:
        """$ saved until its last order ends if it costs in twelve months; None if it saves, or unknown.

        After month 12, each month saves as month 12 does. Source: docs/formulas/savings.md, Next decisions.
        """
        given = {
            "year_without": self.year_without,
            "year_with": self.year_with,
            "saves_in_month_12": self.saves_in_month_12,
            "months_after": self.months_after,
        }
        return NEXT_DECISION.row(given, ["decision_saves", "saves_over_term"])["saves_over_term"]

    @property
    def pays_from_month(self) -> int | None:
        """First month, counted from 1, from which it has saved what it cost; None if it saves in twelve months anyway.

        None too if it costs over its whole term.
        """
        over_term, year = self.usd_over_term, self.usd_12_months
        if over_term is None or over_term < 0 or year is None or not self.saves_in_month_12:
            return None
        return MONTHS_OF_YEAR + ceil(-year / self.saves_in_month_12 - ROUNDING_MONTHS)

    @property
    def reason(self) -> Text:
        """Why it costs more than it saves in twelve months, as pays from month 14: $20,000 over its term.

        What it is for where it costs over its term too: shorter terms than without it commit less.
        """
        less_usd = self.less_committed_usd or 0.0
        if self.pays_from_month is not None or not self.is_in_plan or less_usd < 1:
            return self._over_term
        less = worded("lowers the total commitment by {usd}", usd=amount(less_usd))
        return joined(filter(None, (self._over_term, less)), ", ")

    @property
    def _over_term(self) -> Text:
        """What it saves or costs over its term if it costs in twelve months; empty if unknown."""
        if self.usd_over_term is None:
            return ""
        usd = amount(abs(self.usd_over_term))
        if self.pays_from_month is None:
            return worded("costs {usd} over its term", usd=usd)
        return worded(
            "pays from month {month}: {usd} over its term", month=whole(self.pays_from_month), usd=usd
        )

    @property
    def is_left(self) -> bool:
        """Whether the user declined it: it is not in the plan, and is no question and no offered saving."""
        return not self.is_in_plan and self.kind not in ("question", "saving")

    @property
    def state(self) -> str:
        """DONE, DECLINED or NOT_NOW if the user said so, otherwise OPEN."""
        if self.is_done:
            return DONE
        if self.is_left:
            return DECLINED
        return NOT_NOW if self.is_postponed else OPEN

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
        if self.is_done:
            return self.title
        by = worded(" by {day}", day=self.by_words) if self.by_words else ""
        text = worded("{title}{by}: {saves}", title=self.title, by=by, saves=self.saves)
        effect = joined(filter(None, (text, self.reason)), ", ")
        wait = capital(self.waits.text) if self.waits is not None and self.waits.is_changed else ""
        return joined(filter(None, (effect, self.gap, wait)), ". ")

    @property
    def wait_words(self) -> Message:
        """The decision with its wait, as D4 End LF-004 (40 L40S): training P90 4.8 → 64.0 h from Jul 2027."""
        wait = "" if self.waits is None else self.waits.text
        number = decision_number(self.number)
        return worded("{number} {title}: {wait}", number=number, title=self.title_shortly, wait=wait)

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

    @property
    def marked_title(self) -> Message:
        """The title without the days of its orders, marked if it was put off or is done, for lists without sections."""
        return marked(self.title_shortly, "", self.state)

    def _behind_numbers(self, words: Message) -> Message:
        """Return words about it behind its numbers, marked if it was put off or is done."""
        return marked(words, self.numbers, self.state)

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


def marked(words: Message, numbers: Text, state: str) -> Message:
    """Return words about a decision with its state: D4, not now: end PO-108004 …; D4: End PO-108004 … if it is open.

    numbers: of the decision or its orders; "" without any. state: in STATES.
    """
    if not numbers:
        mark = MARKS.get(state)
        return words if mark is None else Message(mark.template, {"decision": words})
    if state in NUMBERED_MARKS:
        template = NUMBERED_MARKS[state].template
        return Message(template, {"number": numbers, "decision": lowered(words)})
    return worded("{number}: {decision}", number=numbers, decision=words)


def with_states(decisions: Iterable[NextDecision], plan: Scenario, day_s: int) -> tuple[NextDecision, ...]:
    """Return decisions with what the user noted on them, in the order of STATES; those that are done latest first.

    decisions: of the plan. day_s: epoch seconds of the day on which the list is read.
    """
    noted = [
        replace(decision, is_postponed=_is_hidden(decision, plan, day_s))
        if decision.decision_id in plan.postponed
        else decision
        for decision in decisions
    ]
    done = [_as_decision(done) for done in reversed(plan.done)]
    return tuple(sorted((*noted, *done), key=lambda decision: STATES.index(decision.state)))


def _is_hidden(decision: NextDecision, plan: Scenario, day_s: int) -> bool:
    """Return whether a decision is put off on a day, epoch seconds; one without a day is until the user takes it up."""
    if decision.decision_id not in plan.postponed:
        return False
    return decision.by_s is None or day_of(day_s) < day_of(decision.by_s) - SHOWN_AGAIN_S


def _as_decision(done: DoneDecision) -> NextDecision:
    """Return a decision that is done, with the figures of the day on which it was marked."""
    usd = done.usd_12_months
    return NextDecision(
        decision_id=done.decision_id,
        number=done.number,
        kind=done.kind,
        subject=done.subject,
        provider=done.provider,
        by_s=done.by_s,
        year_without=usd,
        year_with=None if usd is None else 0.0,
        committed_usd=done.committed_usd,
        is_in_plan=False,  # it is a fact by now
        is_done=True,
        can_reopen=bool(done.contract_ids),
    )


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

    What was put off comes last. decisions: sorted by `in_order`. count: the most to return. is_by_dollars: of more
    decisions for now than that, those that save or commit most, for a page that asks for their sum.
    """
    now = [decision for decision in decisions if decision.is_now and not decision.is_postponed]
    if is_by_dollars:
        largest = sorted(now, key=_dollars, reverse=True)[:count]
        now = [decision for decision in now if decision in largest]
    put_off = [decision for decision in decisions if decision.is_postponed]
    later = [decision for decision in decisions if not decision.is_now and not decision.is_postponed]
    return tuple([*now, *sorted(later, key=_amount), *sorted(put_off, key=_amount)][:count])


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
