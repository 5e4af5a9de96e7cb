"""Renewal: contracts whose notice has passed, how long they are then bound, and when they can end first."""

from gpuplanner.domain.model.book.contract import Contract, notice_s
from gpuplanner.domain.model.window import DAY_S


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
