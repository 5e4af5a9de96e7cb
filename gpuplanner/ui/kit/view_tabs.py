"""Tabs over the views of one panel: one is down, its view is shown."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import Message
from gpuplanner.ui.words.translation import spoken, tr

ROOM: Final = 30
"""Pixels beside a tab's words, at most."""


def view_tabs(
    panel: QWidget, subject: str, views: Sequence[tuple[str, Message, Message]], show: Callable[[str], None]
) -> tuple[QHBoxLayout, dict[str, QToolButton]]:
    """A line with a tab for each view, given as (name, title, tip); the first is down. The line and the tabs by name.

    subject: what the panel is about, for the tabs' accessible names; show is told the name of a clicked tab.
    """
    line = QHBoxLayout()
    line.setContentsMargins(10, 0, 12, 0)
    line.setSpacing(2)
    group = QButtonGroup(panel)
    tabs: dict[str, QToolButton] = {}
    for at, (name, title, tip) in enumerate(views):
        button = QToolButton()
        button.setText(spoken(title))
        button.setProperty("tab", True)
        button.setCheckable(True)
        button.setChecked(at == 0)
        button.setAccessibleName(tr("{subject}: {title}", subject=subject, title=title))
        set_tip(button, spoken(tip))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _=False, name=name: show(name))
        group.addButton(button)
        # narrow where it has to be, so that a panel is no wider than its dock; wider by itself, not without end
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setMaximumWidth(button.fontMetrics().horizontalAdvance(spoken(title)) + ROOM)
        line.addWidget(button)
        tabs[name] = button
    line.addStretch()
    return line, tabs
