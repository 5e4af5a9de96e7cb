"""What becomes of a decision: A -> B -> A, and facts that all plans have."""

from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.commitment.outlook_result import NextDecision
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.edits.decisions import give_notice, leave, place_orders, take
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import START_S, Load, case, contract, offer

HOURS = 24
ROW = (Pool.INFERENCE, "H100", 36)
OFFER = offer("c36", 36, 2.00, provider="nebula", upfront_usd=Decimal(10), region="eu")


def project() -> Project:
    held = contract("PO-1", 8, 3.0, None, HOURS, renews_months=1, notice_days=30)
    return case([Load(Pool.INFERENCE, [4.0] * HOURS)], [held], [OFFER], Scenario("A")).project


def decision(kind: str, **more: Any) -> NextDecision:
    return NextDecision(f"{kind}:x", kind, "x", **more)


@pytest.mark.parametrize(
    ("made", "field", "value"),
    [
        (decision("end", contract_id="PO-1"), "kept", ("PO-1",)),
        (decision("let_expire", contract_id="PO-1"), "kept", ("PO-1",)),
        (decision("renew", contract_id="PO-1"), "ended", ("PO-1",)),
        (decision("order", row=ROW), "left_terms", frozenset({ROW})),
    ],
)
def test_a_decision_that_is_left_is_taken_again(made: NextDecision, field: str, value: object) -> None:
    before = project()
    left = leave(before, "A", made)
    assert getattr(left.scenario("A"), field) == value
    assert take(left, "A", made).scenario("A") == before.scenario("A")


def test_a_saving_is_accepted() -> None:
    saving = NextDecision("saving:right_size", "saving", "right-sizing")
    assert take(project(), "A", saving).scenario("A").accepted == ("right_size",)


def test_a_notice_that_was_given_is_a_fact_of_the_contract() -> None:
    ends_s = START_S + 40 * DAY_S
    after = give_notice(project(), "A", "PO-1", ends_s)
    (held,) = after.contracts
    assert (held.end_s, held.renews_months) == (ends_s, 0)
    assert dict(held.filed) == {"end_s": "", "renews_months": "1"}  # its file still says otherwise
    assert after.scenario("A").notice_given == ("PO-1",)


def test_an_order_that_was_placed_is_a_contract_at_what_its_offer_says() -> None:
    start_s = START_S + DAY_S
    order = Order(
        Pool.INFERENCE, "H100", "c36", 36, 8.0, start_s, start_s + 36 * MONTH_S, START_S, "now", rate=2.0
    )
    gone, owned = replace(order, offer_id="gone"), replace(order, capex_per_gpu=1.0)
    after = place_orders(project(), [order, order, gone, owned], "c1")
    first, second = (row for row in after.contracts if row.contract_id != "PO-1")
    assert (first.gpus, first.rate_usd_per_gpu_hour, first.provider, first.region) == (
        8.0,
        Decimal(2),
        "nebula",
        "eu",
    )
    assert (first.cluster, first.pool, first.start_s, first.end_s) == (
        "c1",
        Pool.INFERENCE,
        order.start_s,
        order.end_s,
    )
    assert (first.prepaid_usd, first.renews_months) == (Decimal(80), None)
    assert second.contract_id == f"{first.contract_id} (2)" and first.contract_id.startswith("c36 20")
