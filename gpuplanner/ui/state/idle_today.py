"""Idle cost today, at least the known part if a rate is missing."""

from gpuplanner.domain.model.amounts import NOTHING_KNOWN, PartSum, part_sum
from gpuplanner.ui.state.view_state import ViewState


def unused_now(shown: ViewState) -> PartSum:
    """What contracts are paid and served nothing today, $ a month; with a rate missing at least what is known."""
    audit = shown.evaluation.audit
    if audit.unused_per_month is None and shown.advice is not None:
        return shown.advice.at_least.get("unused_now", NOTHING_KNOWN)
    if audit.unused_per_month is None:
        return part_sum((contract.contract_id, contract.unused_per_month) for contract in audit.contracts)
    return PartSum(audit.unused_per_month)
