"""What can be done with a decision: on a card, on the page, and in the menu of either."""

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QMenu, QWidget

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import SHOWN_AGAIN_S, NextDecision
from gpuplanner.domain.commitment.next_decisions import BY_HAND
from gpuplanner.domain.commitment.numbers import order_number
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.window import day_of
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.kit.page_parts import passing_menu

DONE, LEAVE, TAKE, OPEN, WHY = "done", "leave", "take", "open", "why"
NOT_NOW, NOW, REOPEN = "not_now", "now", "reopen"
ACTIONS: Final = words_table("decision")
"""What can be done with a decision."""


def actions_of(decision: NextDecision, today_s: int) -> tuple[str, ...]:
    """What can be done with a decision, the nearest first; all of it is in its menu.

    today_s: epoch seconds. What is done is opened again, unless it was marked before what it recorded was kept.
    """
    if decision.is_done:
        return (REOPEN,) if decision.can_reopen else ()
    if decision.is_left:
        return (TAKE, OPEN, WHY)
    put_off = (NOT_NOW,) if _can_wait(decision, today_s) else ()
    if decision.is_postponed:
        put_off = (NOW,)
    if not decision.is_in_plan:
        return (TAKE, *put_off, OPEN, WHY)
    is_left_elsewhere = decision.unknown == BY_HAND or any(order.run for order in decision.orders)
    left = () if is_left_elsewhere else (LEAVE,)
    is_markable = bool(decision.contract_id or decision.placed)
    return (DONE, *left, *put_off, OPEN, WHY) if is_markable else (OPEN, *left, *put_off, WHY)


def _can_wait(decision: NextDecision, today_s: int) -> bool:
    """Return whether a decision that is put off today, epoch seconds, would be hidden."""
    return decision.by_s is None or day_of(today_s) < day_of(decision.by_s) - SHOWN_AGAIN_S


def step_label(action: str, decision: NextDecision) -> Message:
    """Mark as done: End PO-108004 (40 H100)."""
    return worded("{title}: {value}", title=ACTIONS[action], value=decision.title)


def choice_label(order: ListedOrder) -> Message:
    """Order O2 at list price; of one that is, Get a quote for O2 first."""
    number = order_number(order.number)
    if order.is_at_list_price:
        return worded("Get a quote for {number} first", number=number)
    return worded("Order {number} at list price", number=number)


def menu_of(
    decision: NextDecision, today_s: int, asks: Callable[[str, NextDecision], object], parent: QWidget | None
) -> QMenu:
    """What can be done with a decision.

    today_s: epoch seconds. asks: told the action that was chosen. parent: of the menu.
    """
    menu = passing_menu(parent)
    for action in actions_of(decision, today_s):
        entry = menu.addAction(spoken(ACTIONS[action]))
        entry.triggered.connect(lambda _=False, action=action: asks(action, decision))
    return menu
