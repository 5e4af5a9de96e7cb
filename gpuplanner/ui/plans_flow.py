"""Plans in the window: added, named, moved, compared, asked "what if", and remembered; told the window once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from gpuplanner.charts.shown_text import add_named
from gpuplanner.domain.model.scenario import TODAY
from gpuplanner.ui.compare_flow import CompareFlow
from gpuplanner.ui.history_flow import HistoryFlow
from gpuplanner.ui.marked_slider import MarkedSlider
from gpuplanner.ui.said import said
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.what_if import WhatIfStrip
from gpuplanner.ui.what_if_flow import WhatIfFlow
from gpuplanner.ui.window_bars import bar_of

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow

OF_A_TAB = ("rename_plan", "duplicate_plan", "plan_left", "plan_right", "delete_plan")


class PlansFlow(QObject):
    """Belongs to one main window. pages: the stack that a comparison is shown in."""

    def __init__(self, window: "MainWindow", pages: Any) -> None:
        super().__init__(window)
        self._window = window
        by_id, gestures, bar = window.actions_by_id, window.gestures, window.scenario_bar
        self.compare = CompareFlow(window, pages, by_id["compare"])
        self.history = HistoryFlow(window, window.docks.history)
        self.what_if_bar = bar_of(window, said("What if bar"), strip := WhatIfStrip(window.palette_in_use))
        self.what_if_bar.hide()
        self.what_if = WhatIfFlow(window, strip)
        by_id["what_if"].toggled.connect(self._turn_what_if)
        handlers: dict[str, Callable[[], object]] = {
            "new_plan": gestures.add_plan,
            "rename_plan": self._ask_name,
            "duplicate_plan": gestures.duplicate_plan,
            "delete_plan": gestures.delete_plan,
            "plan_left": lambda: gestures.shift_plan(-1),
            "plan_right": lambda: gestures.shift_plan(1),
            "note": self.history.note,
            "palette": self._find_command,
        }
        for action_id, handler in handlers.items():
            by_id[action_id].triggered.connect(lambda _=False, handler=handler: handler())
        bar.plan_asked.connect(gestures.add_plan)
        bar.plan_asked_from.connect(gestures.add_plan)
        bar.plan_menu_asked.connect(self._open_menu)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.compare.show_palette(palette)
        self.what_if.show_palette(palette)

    def close(self) -> None:
        """Want nothing more, and wait for the threads."""
        self.compare.close()
        self.what_if.close()

    def show_for(self, *, is_plan: bool) -> None:
        """What belongs to a plan that is looked at alone is there, or is not."""
        is_shown = is_plan and not self.compare.is_shown and self._window.actions_by_id["what_if"].isChecked()
        if self.what_if_bar.isHidden() == is_shown:
            self.what_if_bar.setVisible(is_shown)
            self.what_if.turn(is_shown)

    def _turn_what_if(self, is_wanted: bool) -> None:
        self.show_for(is_plan=self._window.scenario != TODAY and self._window.has_workspace)
        first = self.what_if_bar.findChild(MarkedSlider)
        if is_wanted and self.what_if_bar.isVisible() and first is not None:
            first.setFocus()

    def fill_menu(self, names: tuple[str, ...]) -> None:
        """The menu of all scenarios, the first nine with a shortcut."""
        menu = self._window.menus["Scenario/Go to"]
        titles = [said(TODAY), *names]
        if [action.data() for action in menu.actions()] == titles:
            return
        menu.clear()
        for number, (title, name) in enumerate(zip(titles, (TODAY, *names), strict=True), 1):
            action = add_named(menu, title, lambda name=name: self._window.choose_scenario(name))
            action.setData(title)
            if number < 10:
                action.setShortcut(QKeySequence(f"Ctrl+{number}"))

    def _ask_name(self) -> None:
        from gpuplanner.ui.message import ask_text

        window = self._window
        if window.scenario != TODAY:
            name = ask_text(window, said("Rename plan"), said("Name of the plan"), window.scenario, "Rename")
            window.gestures.rename_plan(name or "")

    def _open_menu(self, name: str, place: QPoint) -> None:
        if name != self._window.scenario:
            self._window.choose_scenario(name)
        menu = QMenu(self._window)
        menu.addActions([self._window.actions_by_id[action_id] for action_id in OF_A_TAB])
        menu.exec(place)

    def _find_command(self) -> None:
        from gpuplanner.ui.command_palette import open_palette

        open_palette(self._window)
