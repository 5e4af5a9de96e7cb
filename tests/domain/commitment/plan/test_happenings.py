"""What happens in a span: from its first second to before its last."""

from dataclasses import replace
from typing import Any

from gpuplanner.domain.commitment.plan.happenings import happening
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.domain.commitment.conftest import contract
from tests.domain.commitment.plan.small_plan import BEGIN_S, HOURS


def order(start: int, by: int, **values: Any) -> Order:
    start_s = BEGIN_S + start * DAY_S
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="y1",
        term_months=12,
        gpus=4.0,
        start_s=start_s,
        end_s=start_s + 30 * DAY_S,
        order_by_s=BEGIN_S + by * DAY_S,
        reason="now",
    )
    return replace(base, **values)


def test_what_happens_in_a_span_is_from_its_first_to_before_its_last_second() -> None:
    """Starts on day 10, ends on day 40, is to be ordered by day 5."""
    item, lasting = order(10, 5), order(10, 5, reason=IF_IT_LASTS)
    ends = contract("k", 1, 1.0, 1, HOURS, notice_days=10)
    forever = contract("l", 1, 1.0, None, HOURS, notice_days=10)

    def counts(from_day: float, to_day: float) -> list[int]:
        found = happening(
            [item, lasting],
            [ends, forever],
            BEGIN_S + round(from_day * DAY_S),
            BEGIN_S + round(to_day * DAY_S),
        )
        return [
            len(each)
            for each in (found.starting, found.ending, found.to_sign, found.contracts_ending, found.notices)
        ]

    month = MONTH_S / DAY_S
    assert counts(10, 11) == [1, 0, 0, 0, 0] and counts(9, 10) == [0, 0, 0, 0, 0]
    assert counts(40, 41) == [0, 1, 0, 0, 0] and counts(5, 6) == [0, 0, 1, 0, 0]
    assert counts(month, month + 1) == [0, 0, 0, 1, 0] and counts(month - 1, month) == [0, 0, 0, 0, 0]
    assert counts(month - 10.5, month - 10) == [0, 0, 0, 0, 1] and counts(month - 10, month - 9) == [
        0,
        0,
        0,
        0,
        0,
    ]
    assert counts(0, 99) == [1, 1, 1, 1, 1]
