"""Changes of contracts: what a newer file says otherwise of a contract that the project has."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.figures.typed import amount, day, exact, gpus, significant, whole
from gpuplanner.domain.message import Message, Part, joined, worded
from gpuplanner.domain.model.book.contract import (
    CONTRACT_TERMS,
    RATE_FIELD,
    UNDATED_S,
    Contract,
    Term,
    filed_term,
    is_money,
)
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.lazy_dataclass import replace

CONTRACT_CHANGED: Final = "contract_changed"
"""The issue of a file whose contracts have other terms than before."""
CONTRACTS_LISTED: Final = 3


def with_contract_changes(
    files: Sequence[FileIntake], before: Collection[Contract], after: Collection[Contract]
) -> tuple[FileIntake, ...]:
    """Return the files, those of contracts with what they change of contracts that were there before.

    before, after: the contracts of the project. What a file stated is compared, not what the planner corrected.
    """
    known = {contract.contract_id: contract for contract in before}
    changes = [
        (contract.contract_id, terms)
        for contract in after
        if contract.contract_id in known and (terms := _changed_terms(known[contract.contract_id], contract))
    ]
    if not changes:
        return tuple(files)
    listed = [
        worded("{contract}: {terms}", contract=contract_id, terms=joined(terms, ", "))
        for contract_id, terms in changes[:CONTRACTS_LISTED]
    ]
    if len(changes) > CONTRACTS_LISTED:
        listed.append(worded("{count} more", count=whole(len(changes) - CONTRACTS_LISTED)))
    issue = Issue(CONTRACT_CHANGED, len(changes), None, joined(listed, "; "))
    return tuple(
        replace(file, issues=(*file.issues, issue)) if file.kind == "contracts" else file for file in files
    )


def _changed_terms(before: Contract, after: Contract) -> list[Message]:
    """The terms that a contract's file states otherwise than before, in the order of the editor."""
    return [
        worded("{term} {before} to {after}", term=title, before=_said(name, was), after=_said(name, now))
        for name, title in CONTRACT_TERMS.items()
        if (was := filed_term(before, name)) != (now := filed_term(after, name))
    ]


def _said(name: str, value: Term) -> Part:
    """A term in words; the last day of an end, which is stored as the first day after."""
    if value in (None, "") or (name == "start_s" and value == UNDATED_S):
        return worded("none")
    if isinstance(value, str):
        return value
    if name == "milli_gpus":
        return gpus(float(value) / 1000)
    if name.endswith("_s"):
        return day(int(value) - (name == "end_s"))
    if name == RATE_FIELD:
        return exact(Decimal(str(value)))
    return amount(float(value)) if is_money(name) else significant(float(value))
