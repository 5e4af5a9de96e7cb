"""Existing contracts of a plan, each with what to do about it and by when: those with a question too."""

from collections.abc import Iterable, Mapping

from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import Seen, VerdictRow, decide_by, stop_or_decide_by_s
from gpuplanner.domain.figures.typed import day
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.window import has_calendar
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractRow:
    """A contract as it is at the plan's start, after renewals that can no longer be prevented.

    decision: about it, also one that only asks. judged: what the plan does with it; None if it decides nothing.
    """

    contract: Contract
    decision: NextDecision | None
    judged: VerdictRow | None
    seen: Seen

    @property
    def is_over(self) -> bool:
        """Whether it has ended when the plan begins, or on the day of writing."""
        end_s = self.contract.end_s
        return end_s is not None and end_s <= self.seen.counted_from_s

    @property
    def by_s(self) -> int | None:
        """The last day to act, epoch seconds; None without one. It is that of the notice where one is to be given."""
        if self.is_over:
            return None
        if self.decision is not None:
            notice_s = self.decision.notice_by_s
            return self.decision.by_s if notice_s is None else notice_s
        by_s = None if self.judged is None else self.judged.decide_by_s
        return notice_by_s(self.contract, self.contract.end_s) if by_s is None else by_s

    @property
    def due_s(self) -> int | None:
        """The day by which it is to be decided, epoch seconds: before its notice where an order is due earlier."""
        if self.is_over:
            return None
        return self.by_s if self.judged is None else stop_or_decide_by_s(self.judged, self.seen)

    @property
    def act_by(self) -> Text:
        """The same day in words; of a past one that it is; empty without one."""
        by_s, due_s = self.by_s, self.due_s
        if self.is_over or by_s is None or not has_calendar(by_s):
            return ""
        if self.judged is not None and (due_s is None or self.seen.is_past(due_s) or due_s == by_s):
            return decide_by(self.judged, self.seen)
        return worded("overdue: decide now") if self.seen.is_past(by_s) else worded("{day}", day=day(by_s))

    @property
    def words(self) -> Text | None:
        """What to do, with the numbers of the decision and of its orders; None where nothing is decided."""
        if self.is_over:
            return worded("Ended")
        if self.judged is not None:
            return self.judged.advice
        return None if self.decision is None else self.decision.numbered_shortly

    @property
    def is_ended(self) -> bool:
        """Whether the plan ends it."""
        decision = self.decision
        return decision is not None and decision.is_in_plan and decision.kind != "renew" and not self.is_over


def contract_rows(
    contracts: Iterable[Contract],
    verdicts: Iterable[VerdictRow],
    decisions: Iterable[NextDecision],
    seen: Seen,
) -> list[ContractRow]:
    """Return the contracts by the day to act, then by name; those that have ended come last.

    contracts: at the plan's start. verdicts: of the plan. decisions: that are open, the first of a contract counts.
    """
    judged = {row.verdict.contract_id: row for row in verdicts}
    decided: Mapping[str, NextDecision] = {
        decision.contract_id: decision for decision in reversed(tuple(decisions)) if decision.contract_id
    }
    rows = [
        ContractRow(
            contract=contract,
            decision=decided.get(contract.contract_id),
            judged=judged.get(contract.contract_id),
            seen=seen,
        )
        for contract in contracts
    ]
    return sorted(rows, key=_soonest_first)


def _soonest_first(row: ContractRow) -> tuple[bool, bool, float, str]:
    """Return a key that puts the first day to act first."""
    return row.is_over, row.by_s is None, row.by_s or 0, row.contract.contract_id
