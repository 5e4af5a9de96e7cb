"""Contracts outside the log: whether any runs during it, and the first day of a plan that covers them."""

from collections.abc import Iterable

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ContractsApart:
    """Contracts that all lie outside the window of the log.

    begin_s, end_s: first start and last end, epoch seconds UTC; end_s None: a contract has no end.
    """

    begin_s: int
    end_s: int | None
    contracts: tuple[Contract, ...]

    def runs_at(self, at_s: int) -> bool:
        """Return whether a contract runs at an instant, epoch seconds."""
        return any(contract.overlaps(at_s, at_s + 1) for contract in self.contracts)

    def day_to_plan_from_s(self, window: Window, today_s: int) -> int | None:
        """Return the start of a plan that covers the contracts: today if one runs, otherwise the day with most GPUs.

        Epoch seconds of whole days UTC after the window. today_s: epoch seconds. None if all end before the window
        does.
        """
        today_s = today_s // DAY_S * DAY_S
        if today_s > window.end_s and self.runs_at(today_s):
            return today_s
        starts = {max(contract.start_s, window.end_s) for contract in self.contracts}
        days = sorted(-(-start_s // DAY_S) * DAY_S for start_s in starts)
        held = [sum(c.milli_gpus for c in self.contracts if c.overlaps(day, day + 1)) for day in days]
        return days[held.index(max(held))] if any(held) else None


def any_ran(contracts: Iterable[Contract], window: Window) -> bool:
    """Return whether a contract was paid for in the window; without one, today's spend is unknown."""
    return any(contract.overlaps(window.start_s, window.end_s) for contract in contracts)


def any_paid(project: Project) -> bool:
    """Return whether contracts or bills were paid for in a project's window."""
    return bool(project.jobs.billed) or any_ran(project.contracts, project.window)


def contracts_apart(contracts: Iterable[Contract], window: Window) -> ContractsApart | None:
    """Return the contracts if all lie outside the window; None if one runs in it, or without contracts."""
    listed = tuple(contracts)
    if not listed or any_ran(listed, window):
        return None
    ends = [contract.end_s for contract in listed]
    known = [end_s for end_s in ends if end_s is not None]
    return ContractsApart(
        min(contract.start_s for contract in listed), max(known) if len(known) == len(ends) else None, listed
    )
