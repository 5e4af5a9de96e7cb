"""Tabs that there is no room for: what is seen is whole, and an ellipsis at the end has a menu of all of them."""

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtWidgets import QFrame, QMenu, QTabBar, QToolButton

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import tr

SCROLLERS: Final = ("ScrollLeftButton", "ScrollRightButton")
"""What Qt calls its buttons where there are more tabs than room."""
BEFORE, AFTER = 8, 12
"""Pixels of a tab beside its words (the style sheet): a tab that has lost no more is whole."""
ELLIPSIS: Final = "\u2026"


class TabEdges(QObject):
    """Covers the rest of a tab at either edge of a bar, never the chosen one; it lives as long as the bar.

    In the place of Qt's two arrows stands the ellipsis: who presses it chooses among all tabs of the bar.
    """

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._scrollers = [bar.findChild(QToolButton, name) for name in SCROLLERS]
        for arrow in filter(None, self._scrollers):
            set_tip(arrow, tr("More panels this way; all are in the menu Panels"))
            arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it lies under the ellipsis
        self.covers = (self._cover(), self._cover())
        self.more = self._more()
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks again whenever the bar is painted: it says nothing of how far it has scrolled."""
        if event.type() == QEvent.Type.Paint:
            place = self._end()
            for cover, cut in zip(self.covers, self.cut_off(place), strict=True):
                if not cut.isEmpty() and cover.geometry() != cut:
                    cover.setGeometry(cut)
                if cover.isHidden() != cut.isEmpty():
                    cover.setHidden(cut.isEmpty())
            if self.more.geometry() != place and not place.isEmpty():
                self.more.setGeometry(place)
            if self.more.isHidden() != place.isEmpty():
                self.more.setHidden(place.isEmpty())
                self.more.raise_()
        return super().eventFilter(watched, event)

    def _end(self) -> QRect:
        """Where Qt would show its arrows; empty where all tabs have room."""
        arrows = [button for button in self._scrollers if button is not None and button.isVisible()]
        left = min((arrow.x() for arrow in arrows), default=self._bar.width())
        return QRect(left, 0, self._bar.width() - left, self._bar.height())

    def cut_off(self, end: QRect) -> tuple[QRect, QRect]:
        """What is seen of tabs that are cut off, at the left and at the right; empty where all are whole."""
        bar, found = self._bar, [QRect(), QRect()]
        if not end.isEmpty():
            room = QRect(0, 0, end.left(), bar.height())
            for at in range(bar.count()):
                tab = bar.tabRect(at)
                seen = tab.intersected(room)
                if at != bar.currentIndex() and not seen.isEmpty():
                    if seen.left() - tab.left() > BEFORE:
                        found[0] = seen
                    elif tab.right() - seen.right() > AFTER:
                        found[1] = seen
        return found[0], found[1]

    def _cover(self) -> QFrame:
        """Of the bar's own colour."""
        cover = QFrame(self._bar)
        cover.setObjectName("panel")
        cover.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        cover.hide()
        return cover

    def _more(self) -> QToolButton:
        """The button at the end, with a menu of all tabs."""
        button = QToolButton(self._bar)
        button.setText(ELLIPSIS)
        button.setFont(font("strong"))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the bar itself is stepped through by keys
        button.setAccessibleName(tr("All tabs here"))
        set_tip(button, tr("All tabs here; every panel is in the menu Panels"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(button)
        menu.aboutToShow.connect(partial(self._fill, menu))
        button.setMenu(menu)
        button.hide()
        return button

    def _fill(self, menu: QMenu) -> None:
        """The tabs in their order, the chosen one ticked."""
        menu.clear()
        for at in range(self._bar.count()):
            action = menu.addAction(self._bar.tabText(at))
            action.setCheckable(True)
            action.setChecked(at == self._bar.currentIndex())
            action.triggered.connect(partial(self._choose, at))

    def _choose(self, at: int, _is_checked: bool = False) -> None:
        """Brings a tab to the front."""
        self._bar.setCurrentIndex(at)
