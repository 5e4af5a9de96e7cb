"""Existing contracts over time: which run through a month, how long they bind, in what order they serve."""

from collections.abc import Iterable
from math import inf

from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import DAY_S, MONTH_S, Window


def month_start_s(window: Window, month: int) -> int:
    """Month t is [window end + 730 t h, window end + 730 (t + 1) h); epoch seconds.

    Months are of 730 h each, not of the calendar; month 0 begins where the window ends.
    """
    return window.end_s + month * MONTH_S


def runs_through(contract: Contract, window: Window, month: int) -> bool:
    """Whether a contract runs through all of a month.

    month: counted from 0. A contract that ends exactly with the month runs through it; one that begins inside
    it does not.
    """
    start_s = month_start_s(window, month)
    return contract.start_s <= start_s and (contract.end_s is None or contract.end_s >= start_s + MONTH_S)


def running(contracts: Iterable[Contract], window: Window, month: int) -> tuple[Contract, ...]:
    """The contracts that run through all of a month, in given order."""
    return tuple(contract for contract in contracts if runs_through(contract, window, month))


def merit(contract: Contract) -> tuple[bool, float, str]:
    """Merit order: committed first, then lower rate (unknown last), then contract_id.

    A key for sorting. Source: docs/formulas.md, Contracts over time and what they leave over.
    """
    return (not contract.is_committed, contract.rate or inf, contract.contract_id)


def first_missed_month(contract: Contract, window: Window) -> int | None:
    """e(c): the first month that a contract does not run through; None where it has no end.

    Below 0 where it ended before the window did, 0 where it ends inside month 0.
    """
    return None if contract.end_s is None else (contract.end_s - window.end_s) // MONTH_S


def remaining_months(contract: Contract, window: Window) -> float:
    """Months that a contract still binds: to its end or, without one, its notice.

    Months of 730 h; below 0 where it has ended. Notice counts from the window's end.
    """
    if contract.end_s is None:
        return (contract.notice_days or 0) * DAY_S / MONTH_S
    return (contract.end_s - window.end_s) / MONTH_S


def bound_usd(contract: Contract, window: Window) -> float | None:
    """$ x months that a contract still binds; None without a rate."""
    usd = contract.cost_per_month
    return None if usd is None else usd * remaining_months(contract, window)


def notice_s(contract: Contract) -> int:
    """Notice in seconds; none stated counts as none."""
    return (contract.notice_days or 0) * DAY_S


def has_notice_passed(contract: Contract, begin_s: int) -> bool:
    """Whether a contract that still runs can no longer be given up: its notice was due before that moment.

    begin_s: epoch seconds. False for a contract without an end or a notice, for one that is over, and for
    what is paid by use.
    """
    if contract.end_s is None or not contract.notice_days or contract.end_s <= begin_s:
        return False
    return contract.is_committed and contract.end_s - notice_s(contract) < begin_s


def monthly_usd(contracts: Iterable[Contract]) -> float | None:
    """What contracts cost a month, used or not; None where one has no rate.

    A month of 730 h. Of none it is 0.
    """
    return known_sum(contract.cost_per_month for contract in contracts)


def mean_rate(contracts: Iterable[Contract]) -> float | None:
    """$ per GPU-hour over contracts, weighted by GPUs; None where one has no rate, or there is none.

    A rate of 0 counts as none.
    """
    listed = tuple(contracts)
    rates = [contract.rate for contract in listed if contract.rate]
    if not listed or len(rates) < len(listed):
        return None
    if min(rates) == max(rates):
        return rates[0]  # not through a mean: no last digit goes astray
    milli_gpus = sum(contract.milli_gpus for contract in listed)
    return sum(rate * contract.milli_gpus for rate, contract in zip(rates, listed, strict=True)) / milli_gpus
