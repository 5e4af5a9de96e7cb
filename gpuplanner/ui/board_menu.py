"""The menu of selected cards: everything that can be done with them, each with its key."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.ui import numbers
from gpuplanner.ui.icons import icon
from gpuplanner.ui.lanes import lane_of
from gpuplanner.ui.theme import Palette


@dataclass(frozen=True, slots=True)
class CardVerbs:
    """What the board does with the selected cards."""

    open_jobs: Callable[[], None]
    move: Callable[[Pool], None]
    label: Callable[[Pool], None]
    make_rule: Callable[[], None]
    toggle_pin: Callable[[], None]


def card_menu(
    keys: tuple[str, ...],
    are_pinned: bool,
    is_read_only: bool,
    verbs: CardVerbs,
    palette: Palette,
    parent: QWidget,
) -> QMenu:
    """The menu of the cards of these keys; on a read only board only what changes nothing."""
    menu = QMenu(parent)
    jobs = menu.addAction(icon("job_log", palette.text), "Show its jobs", verbs.open_jobs)
    jobs.setShortcut(QKeySequence("Return"))
    if is_read_only:
        return menu
    menu.addSeparator()
    count = "" if len(keys) == 1 else f" {numbers.counted(len(keys), 'workload')}"
    for number, pool in enumerate(POOLS, 1):
        lane = lane_of(pool)
        action = menu.addAction(icon(lane.icon, palette.lane(lane)), f"Move{count} to {pool}")
        action.setShortcut(QKeySequence(f"Alt+{number}"))
        action.triggered.connect(lambda _=False, pool=pool: verbs.move(pool))
    label = menu.addMenu(f"Label{count} as")
    for pool in POOLS:
        label.addAction(pool.capitalize(), lambda pool=pool: verbs.label(pool))
    rule = menu.addAction("Make a rule\u2026", verbs.make_rule)
    rule.setShortcut(QKeySequence("Ctrl+R"))
    menu.addSeparator()
    menu.addAction(icon("lock", palette.text), "Unpin" if are_pinned else "Pin", verbs.toggle_pin)
    return menu
