"""Open points before the plan is signed: what is missing or unusual, who answers it, and what to do."""

from collections.abc import Iterator, Sequence
from typing import Final

from gpuplanner.domain.commitment.listed_order import PROVIDER_MISSING
from gpuplanner.domain.commitment.numbers import order_number
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.files.system.resources import rows_as
from gpuplanner.lazy_dataclass import dataclass

NAMED_AT_MOST: Final = 3
"""Subjects of a point that are named; of more their number is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPoint:
    """The open point of a check of the app. code: of the check."""

    code: str
    point: str
    who: str
    action: str


OF_CHECKS: Final = rows_as(CheckPoint, "open_points.csv")
"""In the order of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPoint:
    """One row of the page. concerns: orders, contracts or other names; who: the role that answers it."""

    point: str
    concerns: str
    who: str
    action: str


def open_points(evaluation: Evaluation) -> list[OpenPoint]:
    """Return the open points of a plan: of its orders, of its contracts, then of the checks of the app."""
    return [*_of_orders(evaluation), *_of_contracts(evaluation), *_of_checks(evaluation)]


def _of_orders(evaluation: Evaluation) -> Iterator[OpenPoint]:
    """Yield the points of orders without a provider or without a quote."""
    orders = evaluation.listed_orders
    missing = [order_number(order.number) for order in orders if order.status == PROVIDER_MISSING]
    unquoted = [order_number(order.number) for order in orders if not order.is_quote]
    if missing:
        yield OpenPoint(
            point="No provider",
            concerns=_named(missing, "orders"),
            who="Procurement",
            action="Name the provider of the offer in the app",
        )
    if unquoted:
        yield OpenPoint(
            point="No quote for any order" if len(unquoted) == len(orders) else "No quote",
            concerns=_named(unquoted, "orders"),
            who="Procurement",
            action="Wait for the RFQ replies, or approve at list price",
        )


def _of_contracts(evaluation: Evaluation) -> Iterator[OpenPoint]:
    """Yield the point of contracts without a statement on their renewal."""
    silent = [
        contract.contract_id
        for contract in evaluation.project.contracts
        if contract.is_committed and contract.end_s is not None and contract.renews_months is None
    ]
    if silent:
        yield OpenPoint(
            point="Renewal without notice is not stated",
            concerns=_named(silent, "contracts"),
            who="Vendor manager",
            action="Read the contracts and state it in the app",
        )


def _of_checks(evaluation: Evaluation) -> Iterator[OpenPoint]:
    """Yield a point for each code of OF_CHECKS that the app reports."""
    subjects = grouped((check.code, str(check.subject)) for check in evaluation.checks)
    for of_check in OF_CHECKS:
        if names := subjects.get(of_check.code):
            yield OpenPoint(
                point=of_check.point,
                concerns=_named(names, "subjects"),
                who=of_check.who,
                action=of_check.action,
            )


def _named(names: Sequence[str], kind: str) -> str:
    """Return names, or their number if there are many.

    >>> _named(["O1", "O2"], "orders"), _named(["a", "b", "c", "d"], "contracts")
    ('O1, O2', '4 contracts')
    """
    alone = list(dict.fromkeys(names))
    return ", ".join(alone) if len(alone) <= NAMED_AT_MOST else f"{len(alone)} {kind}"
