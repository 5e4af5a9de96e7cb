"""Tabs that are cut off at an edge of their bar are covered by an arrow, so that those that are seen are whole."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtWidgets import QTabBar, QToolButton

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.ui.words.translation import tr

SCROLLERS: Final = ("ScrollLeftButton", "ScrollRightButton")
"""What Qt calls its buttons where there are more tabs than room."""
BEFORE, AFTER = 8, 12
"""Pixels of a tab beside its words (the style sheet): a tab that has lost no more is whole."""


class TabEdges(QObject):
    """Covers the rest of a tab at either edge of a bar, never the chosen one; it lives as long as the bar.

    Who presses a cover scrolls to what is under it.
    """

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._scrollers = [bar.findChild(QToolButton, name) for name in SCROLLERS]
        self.covers = tuple(map(self._cover, (Qt.ArrowType.LeftArrow, Qt.ArrowType.RightArrow), SCROLLERS))
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks again whenever the bar is painted: it says nothing of how far it has scrolled."""
        if event.type() == QEvent.Type.Paint:
            for cover, place in zip(self.covers, self.cut_off(), strict=True):
                if not place.isEmpty() and cover.geometry() != place:
                    cover.setGeometry(place)
                if cover.isHidden() != place.isEmpty():
                    cover.setHidden(place.isEmpty())
        return super().eventFilter(watched, event)

    def cut_off(self) -> tuple[QRect, QRect]:
        """What is seen of tabs that are cut off, at the left and at the right; empty where all are whole."""
        bar, found = self._bar, [QRect(), QRect()]
        buttons = [button for button in self._scrollers if button is not None and button.isVisible()]
        if buttons:
            room = QRect(0, 0, min(button.x() for button in buttons), bar.height())
            for at in range(bar.count()):
                tab = bar.tabRect(at)
                seen = tab.intersected(room)
                if at != bar.currentIndex() and not seen.isEmpty():
                    if seen.left() - tab.left() > BEFORE:
                        found[0] = seen
                    elif tab.right() - seen.right() > AFTER:
                        found[1] = seen
        return found[0], found[1]

    def _cover(self, arrow: Qt.ArrowType, scroller: str) -> QToolButton:
        cover = QToolButton(self._bar)
        cover.setArrowType(arrow)
        cover.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # as Qt's own: the bar itself is stepped through by keys
        cover.setAccessibleName(tr("More panels this way"))
        set_tip(cover, tr("More panels this way; all are in the menu Panels"))
        own = self._bar.findChild(QToolButton, scroller)
        if own is not None:
            cover.clicked.connect(own.click)
        cover.hide()
        return cover
