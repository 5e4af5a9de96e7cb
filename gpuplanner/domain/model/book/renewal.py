"""Renewal: notice of contracts, whose has passed, how long they are then bound, and when they can end first."""

from gpuplanner.domain.model.book.contract import Contract, usd_in_month
from gpuplanner.domain.model.window import DAY_S, MONTH_S, Window


def has_notice_passed(contract: Contract, begin_s: int, log_end_s: int) -> bool:
    """Whether a contract can no longer be given up: its notice was due before that moment.

    begin_s: of the plan, log_end_s: of its log, epoch seconds; one that ended between them has renewed where it says by
    how many months it does, and is over else. False for a contract without an end or a notice, for one that is over,
    and for what is paid by use.
    """
    if contract.end_s is None or not contract.is_committed or contract.end_s <= log_end_s:
        return False
    if contract.end_s <= begin_s:
        return bool(contract.renews_months)
    return bool(notice_s(contract)) and contract.end_s - notice_s(contract) < begin_s


def with_renewal(contract: Contract, begin_s: int, log_end_s: int) -> Contract:
    """A contract that renews and whose notice has passed ends later, as often as it takes; any other is the very same.

    begin_s, log_end_s: as for `has_notice_passed`. A notice period alone is no renewal.
    Source: docs/formulas/contracts.md.
    """
    is_bound = contract.renews_months and has_notice_passed(contract, begin_s, log_end_s)
    if contract.end_s is None or not is_bound:
        return contract
    return contract.ending(contract.renewed_until_s(contract.end_s, begin_s + (notice_s(contract) or 1)))


def first_end_s(contract: Contract, begin_s: int, log_end_s: int) -> int | None:
    """When a contract that may renew can end first, epoch seconds: its end with what a passed notice has bound; without
    an end when its notice is over, 24 h at least, by the month that it renews for. None: it cannot renew, or is over.

    begin_s, log_end_s: as for `has_notice_passed`. Source: docs/formulas/policy.md, Whole decisions.
    """
    bound = with_renewal(contract, begin_s, log_end_s)
    if not contract.may_renew or (bound.end_s is not None and bound.end_s <= begin_s):
        return None
    if bound.end_s is not None:
        return bound.end_s
    first_s = max(begin_s + max(notice_s(contract), DAY_S), contract.start_s + DAY_S)
    return contract.renewed_until_s(contract.start_s, first_s) if contract.renews_months else first_s


def remaining_months(contract: Contract, window: Window) -> float:
    """Return the months until a contract ends or, without an end, the months of its notice.

    Months of 730 h from the window's end; negative if it has ended.
    """
    ends_s = None if contract.is_dollars and contract.bound_until_s is not None else contract.end_s
    until_s = contract.bound_until_s if ends_s is None else ends_s
    return (notice_s(contract) if until_s is None else until_s - window.end_s) / MONTH_S


def bound_usd(contract: Contract, window: Window) -> float | None:
    """Return the remaining commitment in $: cost of month 0 x remaining months; None without a rate."""
    usd = usd_in_month((contract,), window, 0)
    return None if usd is None else usd * remaining_months(contract, window)


def notice_s(contract: Contract) -> int:
    """Return the notice of a contract in seconds."""
    return contract.notice * DAY_S


def decided_by_s(contract: Contract, end_s: int) -> int:
    """Return the last second to decide that a contract ends at end_s (exclusive), epoch seconds: the days of notice
    before
    its last day.
    """
    return end_s - notice_s(contract) - 1


def notice_by_s(contract: Contract, end_s: int | None) -> int | None:
    """Return the last second to give notice, epoch seconds; None without an end or a notice."""
    return None if end_s is None or not notice_s(contract) else decided_by_s(contract, end_s)
