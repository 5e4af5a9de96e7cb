"""Terms of contracts: each may be what its bounds are, and nothing beyond."""

from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.edits import contracts
from gpuplanner.domain.model.book.contract import MORE_TERMS, RATE_FIELD
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import MOST_GPUS
from tests.domain.edits.small_inputs import OF


def is_term_refused(name: str, value: Any) -> bool:
    """Whether a term of K1 may not have a value."""
    try:
        changed = contracts.change_contract(OF, "K1", {name: value})
    except PlannerError:
        return True
    (row,) = (row for row in changed.contracts if row.contract_id == "K1")
    assert getattr(row, name) == value
    return False


@pytest.mark.parametrize(
    ("name", "kept", "gone"),
    [
        (RATE_FIELD, (Decimal("0.01"), Decimal(10_000)), (Decimal(0), Decimal(-1), Decimal("10000.01"))),
        ("notice_days", (0, 36_500), (-1, 36_501)),
        ("milli_gpus", (MOST_GPUS * 1000,), (MOST_GPUS * 1000 + 1,)),
        ("take_or_pay_percent", (0.0, 100.0), (-0.1, 100.1)),
        ("cancel_fee_usd", (Decimal(0), Decimal(10**12)), (Decimal(-1), Decimal(10**12 + 1))),
    ],
)
def test_a_term_may_be_what_its_bounds_are_and_nothing_beyond(
    name: str, kept: tuple[Any, ...], gone: tuple[Any, ...]
) -> None:
    assert [is_term_refused(name, value) for value in (*kept, *gone)] == [False] * len(kept) + [True] * len(
        gone
    )
    assert (name in MORE_TERMS) is (name in ("take_or_pay_percent", "cancel_fee_usd"))
