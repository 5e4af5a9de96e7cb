"""What can be done with a decision, and its menu."""

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.next_decisions import BY_HAND
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.decisions.actions import actions_of, menu_of

PLACED = Order(
    pool=Pool.BURST,
    gpu_model="H100",
    offer_id="m12",
    term_months=12,
    gpus=8.0,
    start_s=0,
    end_s=DAY_S,
    order_by_s=0,
    reason="now",
)
END = NextDecision(
    decision_id="contract:PO-1",
    number=1,
    kind="end",
    subject="PO-1 (32 H100)",
    provider="Vela",
    by_s=86_399,
    year_without=500.0,
    year_with=100.0,
    committed_usd=0.0,
    contract_id="PO-1",
)
ORDER = NextDecision(
    decision_id="order:x",
    number=2,
    kind="order",
    subject="8 H100 for 12 months",
    by_s=None,
    year_without=100.0,
    year_with=130.0,
    row=(Pool.BURST, "H100", 12),
    placed=(PLACED,),
    committed_usd=5_000.0,
)
SAVING = NextDecision(
    decision_id="saving:right_size",
    number=3,
    kind="saving",
    subject="right-sizing",
    by_s=None,
    year_without=90.0,
    year_with=60.0,
    is_in_plan=False,
)
UNKNOWN = NextDecision(
    decision_id="contract:PO-2",
    kind="renew",
    subject="PO-2 (8 H100)",
    unknown="a rate is missing",
    contract_id="PO-2",
)
OF_A_RUN = Order(
    pool=Pool.BURST,
    gpu_model="H100",
    offer_id="m12",
    term_months=12,
    gpus=8.0,
    start_s=0,
    end_s=DAY_S,
    order_by_s=0,
    reason="planned_run",
    run="big",
)


@pytest.mark.parametrize(
    ("decision", "actions"),
    [
        (END, ("done", "leave", "open", "why")),
        (replace(UNKNOWN, by_s=0), ("done", "leave", "open", "why")),
        (SAVING, ("take", "not_now", "open", "why")),
        (replace(ORDER, by_s=0, unknown=BY_HAND, placed=()), ("open", "why")),
        (replace(ORDER, by_s=0, placed=()), ("open", "leave", "why")),
        (replace(ORDER, by_s=0, orders=(OF_A_RUN,), placed=(OF_A_RUN,)), ("done", "open", "why")),
        (replace(END, by_s=14 * DAY_S), ("done", "leave", "open", "why")),
        (replace(END, by_s=15 * DAY_S), ("done", "leave", "not_now", "open", "why")),
        (replace(END, is_postponed=True), ("done", "leave", "now", "open", "why")),
        (replace(END, is_done=True), ()),
        (replace(END, is_done=True, can_reopen=True), ("reopen",)),
        (
            NextDecision(decision_id="x", kind="end", subject="x", is_in_plan=False, contract_id="x"),
            ("take", "open", "why"),
        ),
    ],
)
def test_its_menu_has_all_that_can_be_done(
    decision: NextDecision, actions: tuple[str, ...], qtbot: QtBot
) -> None:
    assert actions_of(decision, 0) == actions
    chosen: list[str] = []
    menu = menu_of(decision, 0, lambda action, _: chosen.append(action), None)
    qtbot.addWidget(menu)
    for entry in menu.actions():
        entry.trigger()
    assert tuple(chosen) == actions
