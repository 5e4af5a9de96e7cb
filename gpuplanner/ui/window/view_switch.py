"""Tabs above the middle of the window: Today as audit or board, a plan as decisions or board."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.files.system.resources import views_of
from gpuplanner.ui.kit.layout import STRETCH, named, row
from gpuplanner.ui.kit.page_parts import ElidedLabel, named_button, press_beside
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.words import numbers

AUDIT: Final = "audit"
BOARD: Final = "board"
DECISIONS: Final = "decisions"
VIEWS, COSTS = views_of("today"), views_of("past_costs")
"""Views of the panel Cost that belong to an audit, and the links that open them."""
OF_A_PLAN: Final = views_of("plan")

HEIGHT: Final = 38


class ViewSwitch(QWidget):
    """Tabs with one of them pressed; arrow keys go from one to the other."""

    view_chosen = Signal(str)

    def __init__(self, called: Message, views: Sequence[tuple[str, Text, Text]], name_of: Message) -> None:
        """Make the tabs. called: of the whole; views: name, title and tip of each; name_of: of a tab, with {title}."""
        super().__init__(accessibleName=tr(called))
        self.setFixedHeight(text_px(HEIGHT))
        group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for name, title, tip in views:
            tab_name = Message(name_of.template, {"title": lowered(title)})
            button = self.buttons[name] = named(QToolButton(), tab_name, tip)
            button.setText(spoken(title))
            button.setProperty("tab", True)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _=False, name=name: self.view_chosen.emit(name))
            group.addButton(button)

    def show_view(self, name: str) -> None:
        """Mark the view that is shown."""
        self.buttons[name].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right choose the view beside."""
        if not press_beside([*self.buttons.values()], event, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)


class TodaySwitch(ViewSwitch):
    """Today as audit or board, and links to what the panel Cost says of the same past."""

    costs_asked = Signal(str)  # a view of the panel Cost

    def __init__(self) -> None:
        super().__init__(worded("Today as"), VIEWS, worded("Today as {title}"))
        emit = self.costs_asked.emit
        self.links = {  # Enter presses them, too, as it does in a dialog
            name: named_button(
                title, tip, lambda _=False, name=name: emit(name), is_link=True, takes_enter=True
            )
            for name, title, tip in COSTS
        }
        views, links = self.buttons.values(), self.links.values()
        row(*views, STRETCH, *links, on=self, margins=(9, 0, 9, 0), spacing=4)
        self.show_view(AUDIT)


class PlanSwitch(ViewSwitch):
    """A plan as decisions or board, with how many are open, and what is to be approved by when."""

    def __init__(self) -> None:
        super().__init__(worded("Plan as"), OF_A_PLAN, worded("Plan as {title}"))
        self.asks = ElidedLabel(role="muted", step="small")
        row(*self.buttons.values(), STRETCH, self.asks, on=self, margins=(9, 0, 12, 0), spacing=4)
        self.show_view(BOARD)

    def show_count(self, count: int) -> None:
        """Say how many decisions are open; nothing for none."""
        title = next(title for name, title, _ in OF_A_PLAN if name == DECISIONS)
        words = spoken(title)
        if count:
            words = tr("{title} {count}", title=title, count=numbers.whole(count))
        self.buttons[DECISIONS].setText(words)
