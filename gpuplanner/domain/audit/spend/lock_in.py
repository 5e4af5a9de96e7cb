"""Lock-in: months still to be paid on existing contracts."""

from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts
from gpuplanner.domain.model.book.contract import in_month, usd_in_month
from gpuplanner.domain.model.book.renewal import bound_usd
from gpuplanner.domain.model.project import Project


def lock_in_now_months(project: Project) -> float | None:
    """Return the months still to be paid, weighted by $ of month 0, over existing contracts that run in it, or None.

    A contract without an end counts with its notice. A contract whose notice has passed counts to its renewed end.
    Source: docs/formulas/totals.md.
    """
    weighted = paid = 0.0
    for contract in in_month(held_contracts(project), project.plan_window, 0):
        if contract.is_committed:
            bound = bound_usd(contract, project.plan_window)
            if bound is None:
                return None
            weighted += bound
            paid += usd_in_month((contract,), project.plan_window, 0) or 0.0
    return weighted / paid if paid else None
