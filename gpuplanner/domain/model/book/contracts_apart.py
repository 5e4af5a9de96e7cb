"""Contracts beside the log: whether any runs while it does, and from which day a plan would count with them."""

from collections.abc import Iterable
from dataclasses import dataclass

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import DAY_S, Window


@dataclass(frozen=True, slots=True)
class ContractsApart:
    """Contracts of which none runs in the window of the log.

    begin_s and end_s: from the first that begins to the last that ends, epoch seconds UTC; end_s None: one has no end.
    """

    count: int
    begin_s: int
    end_s: int | None
    contracts: tuple[Contract, ...]

    def runs_at(self, at_s: int) -> bool:
        """Whether one of them runs at a moment.

        at_s: epoch seconds.
        """
        return any(contract.overlaps(at_s, at_s + 1) for contract in self.contracts)

    def day_to_plan_from_s(self, window: Window, today_s: int) -> int | None:
        """The day that a plan has to begin on to count with them: today where one runs, else the day of most GPUs.

        Whole days UTC after the window; None where all are over by its end.
        """
        today_s = today_s // DAY_S * DAY_S
        if today_s > window.end_s and self.runs_at(today_s):
            return today_s
        starts = {max(one.start_s, window.end_s) for one in self.contracts}
        days = sorted(-(-start_s // DAY_S) * DAY_S for start_s in starts)
        held = [sum(one.milli_gpus for one in self.contracts if one.overlaps(day, day + 1)) for day in days]
        return days[held.index(max(held))] if any(held) else None


def any_ran(contracts: Iterable[Contract], window: Window) -> bool:
    """Whether a contract was paid for in the window: without one nothing is known of what is spent today."""
    return any(contract.overlaps(window.start_s, window.end_s) for contract in contracts)


def contracts_apart(contracts: Iterable[Contract], window: Window) -> ContractsApart | None:
    """What there is to say of contracts that all lie outside the window; None where one runs in it.

    None without contracts, too.
    """
    listed = tuple(contracts)
    if not listed or any_ran(listed, window):
        return None
    ends = [contract.end_s for contract in listed]
    known = [end_s for end_s in ends if end_s is not None]
    return ContractsApart(
        len(listed),
        min(contract.start_s for contract in listed),
        max(known) if len(known) == len(ends) else None,
        listed,
    )
