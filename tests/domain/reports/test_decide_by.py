"""By when to decide on a contract: a day that is still to come, or that it is now."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, instant_s
from gpuplanner.domain.reports.orders import Seen, VerdictRow, decide_by

BEGINS_S = instant_s("2026-12-01")
BY_USE = Contract("od", "c", "H100", 8_000, None, 0, pricing_category=PricingCategory.STANDARD)


@pytest.mark.parametrize(
    ("days_before", "notice_days", "said"),
    [
        (20, 10, "21 Nov 2026"),
        (10, 10, "21 Nov 2026"),
        (9, 10, "now"),
        (-3, None, "now"),
        (0, None, "1 Dec 2026"),
    ],
)
def test_what_is_to_be_stopped_has_stopped_when_the_plan_begins_where_its_notice_allows(
    days_before: int, notice_days: int | None, said: str
) -> None:
    row = VerdictRow(Verdict("od", "let_expire", 0, 0.0, None, ""), replace(BY_USE, notice_days=notice_days))
    assert str(decide_by(row, Seen(BEGINS_S - days_before * DAY_S, BEGINS_S))) == said
