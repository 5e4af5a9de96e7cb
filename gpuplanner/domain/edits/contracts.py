"""Contracts: all replaced, some added, and terms that the planner knows beside the file."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from operator import attrgetter
from typing import Final

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.edits.taken_rows import one_spelling, rows_by_id
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import (
    CONTRACT_TERMS,
    LARGEST_TERM,
    MORE_TERMS,
    OF_A_RAMP,
    RATE_FIELD,
    Contract,
    Term,
    filed_term,
    last_of_ramp,
    parts_of_ramp,
    term_text,
    with_known_terms,
    with_terms,
)
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.plan.planned_work import MOST_GPUS
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

LARGEST_RATE: Final = Decimal(10_000)
"""$ per GPU-hour."""
LONGEST_NOTICE_DAYS: Final = 36_500
OF_ALL_PARTS: Final = ("take_or_pay_percent", "cluster")
"""Terms of a ramp that count over all of its parts, whichever of them they are changed on."""


def replace_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts and no others.

    GPU models are spelled as the project spells them, amounts count at its rates of exchange; of two of one
    id the later counts. What the planner said of a contract stays as long as its file says what it said then.
    """
    before = {contract.contract_id: contract for contract in project.contracts if contract.filed}
    kept = list[Contract]()
    for row in contracts:
        known, first = (
            with_known_terms(row, before.get(contract_id)) for contract_id in (row.contract_id, row.whole_id)
        )
        if first.ramp == row.ramp:
            kept.append(known)
        elif row.contract_id == row.whole_id:
            kept += _as_ramp(first, project.contracts)
    return with_values(project, contracts=rows_by_id(one_spelling(project, kept), attrgetter("contract_id")))


def _as_ramp(contract: Contract, before: Iterable[Contract]) -> tuple[Contract, ...]:
    """A contract in the parts of the ramp that it has now. before: contracts, those of its last ramp among them.

    A part of the same day, else the next that is new, keeps what the planner said of the one before; without a ramp
    all its GPUs are there from the day of its file on. Errors: PlannerError for what is no ramp.
    """
    text = contract.ramp or filed_term(contract, "ramp")
    terms = {"milli_gpus": filed_term(contract, "milli_gpus")}
    with suppress(ValueError, OverflowError):
        terms["milli_gpus"] = max(round(float(last_of_ramp(text)) * 1000), 1)
    if not contract.ramp:
        terms["start_s"] = filed_term(contract, "start_s")
    first, *later = parts_of_ramp(with_terms(replace(contract, contract_id=contract.whole_id), terms))
    days = {part.contract_id for part in later}
    was = {part.contract_id: part for part in before if part.whole_id == first.contract_id}
    was.pop(first.contract_id, None)
    moved = iter(sorted((part for day, part in was.items() if day not in days), key=attrgetter("start_s")))
    return first, *(
        _with_terms_before(part, was.get(part.contract_id) or next(moved, None)) for part in later
    )


def _with_terms_before(part: Contract, before: Contract | None) -> Contract:
    """A part of a ramp with what the planner said of it before, where its file says the same still."""
    if before is None:
        return part
    filed = {name: filed_term(part, name) for name in CONTRACT_TERMS if name not in OF_A_RAMP}
    filed_names = {name for name, text in before.filed if name in filed and term_text(filed[name]) == text}
    return with_terms(part, {**filed, **{name: getattr(before, name) for name in filed_names}})


def change_contract(project: Project, contract_id: str, terms: Mapping[str, Term]) -> Project:
    """The project with terms of a contract as the planner knows them, beside what its file says.

    terms: by field (CONTRACT_TERMS); a rate is in the contract's own currency; None: unknown, no end, no notice.
    With a ramp the other terms are of this part. Errors: PlannerError for an unknown contract, and for what is no
    rate, count, span or notice.
    """
    contract = next((row for row in project.contracts if row.contract_id == contract_id), None)
    if contract is None:
        raise refusal(contract_id, worded("no such contract"), worded("use a contract listed in Contracts"))
    amounts = {name: value for name, value in terms.items() if not isinstance(value, str)}
    rate, notice = amounts.get(RATE_FIELD), amounts.get("notice_days")
    if rate is not None and not 0 < rate <= LARGEST_RATE:
        problem = worded("{value} is not allowed", value=f"{rate:f}"[:40])
        raise refusal(contract_id, problem, worded("enter $ per GPU-hour, over 0, at most 10,000"))
    if notice is not None and not 0 <= notice <= LONGEST_NOTICE_DAYS:
        problem = worded("{value} is not allowed", value=f"{notice}"[:40])
        raise refusal(contract_id, problem, worded("enter notice days, 0 or more"))
    for name, value in amounts.items():
        most = 100 if name.endswith("_percent") else LARGEST_TERM
        if name in MORE_TERMS and value is not None and not 0 <= value <= most:
            problem = worded(
                "{value} is not allowed for {term}", value=f"{value}"[:40], term=CONTRACT_TERMS[name]
            )
            raise refusal(contract_id, problem, worded("enter 0 to {most}", most=significant(most)))
    name = contract.whole_id
    if "ramp" not in terms:
        if contract.ramp_of and not terms.keys().isdisjoint(OF_A_RAMP):
            problem = worded("its GPUs and first day come from GPUs by day")
            raise refusal(contract_id, problem, worded("change them there"))
        changed = {
            row.contract_id: {term: terms[term] for term in OF_ALL_PARTS if term in terms}
            for row in project.contracts
            if row.whole_id == name
        } | {contract_id: terms}
        rows = [with_terms(row, changed.get(row.contract_id, {})) for row in project.contracts]
    else:
        of_part = {term: value for term, value in terms.items() if term not in OF_A_RAMP}
        before = change_contract(project, contract_id, of_part).contracts
        first = next(part for part in before if part.contract_id == name)
        parts = _as_ramp(with_terms(first, {"ramp": terms["ramp"]}), before)
        if not terms["ramp"]:
            parts = (with_terms(parts[0], {term: terms[term] for term in OF_A_RAMP if term in terms}),)
        rows = [*(part for part in before if part.whole_id != name), *parts]
    if (milli_gpus := sum(row.milli_gpus for row in rows if row.whole_id == name)) > MOST_GPUS * 1000:
        problem = worded(
            "{gpus} GPUs exceed a contract's limit", gpus=whole(min(milli_gpus // 1000, LARGEST_TERM))
        )
        raise refusal(contract_id, problem, worded("enter at most {most}", most=whole(MOST_GPUS)))
    return with_values(project, contracts=tuple(sorted(rows, key=attrgetter("contract_id"))))


def add_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts too; one with an id that is there already takes its place.

    Law: adding what is there already gives the project itself.
    """
    added = tuple(contracts)
    taken = {contract.whole_id for contract in added}  # the parts of its last ramp go with it
    others = (contract for contract in project.contracts if contract.whole_id not in taken)
    return replace_contracts(project, (*others, *added))
