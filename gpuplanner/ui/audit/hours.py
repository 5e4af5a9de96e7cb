"""Utilization by hour and weekday on the audit page: the week as a heatmap; a cell answers why."""

from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.audit.trace import figure
from gpuplanner.domain.audit.use import Use
from gpuplanner.ui.audit.card import CardFrame, muted_label
from gpuplanner.ui.chart_colours import heat_colours
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette

NO_CONTRACTS = "No contracts yet. Import contracts to see how much of what is paid is used."


class HoursCard:
    """Told what is shown; the heatmap is made when there is something to show."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame("Utilization by hour and weekday", "% of GPU-h paid")
        self._palette = palette
        self.heat: Any = None
        self._use: Use | None = None
        self._place = QWidget()
        self._inside = QVBoxLayout(self._place)
        self._inside.setContentsMargins(0, 4, 0, 0)
        self.said = muted_label(NO_CONTRACTS)
        self.said.setWordWrap(True)
        self._inside.addWidget(self.said, 0, Qt.AlignmentFlag.AlignTop)
        self.frame.body.addWidget(self._place, 1)

    def make_heat(self) -> Any:
        """The heatmap; charts are imported when the first one is shown."""
        from gpuplanner.charts.heatmap import Heatmap

        if self.heat is None:
            self.heat = Heatmap(heat_colours(self._palette))
            self._inside.insertWidget(0, self.heat, 1)
        return self.heat

    def show_shown(self, shown: Shown) -> None:
        """Show the week of all clusters; without contracts there is nothing to be a share of."""
        from gpuplanner.ui.heat_tables import has_heat, heat_table

        found = shown.evaluation.audit.use
        use = found.everything if found is not None else None
        known = use is not None and has_heat(use)
        self._use = use if known else None
        self.said.setVisible(not known)
        heat = self.make_heat()
        heat.setVisible(known)
        if use is not None and known:
            heat.show_heat(heat_table(use))

    def figure_ids(self) -> list[str]:
        """Every cell that is known, as a figure."""
        if self._use is None or self._use.hours_of_week.capacity is None:
            return []
        capacity = self._use.hours_of_week.capacity
        return [cell_figure(day, hour) for day in range(7) for hour in range(24) if capacity[day, hour]]

    def place_of_current(self) -> QRect:
        """Where the cell stands that has the keyboard."""
        rect: QRect = self.heat.cell_rect(*self.heat.current)
        return rect

    def as_text(self) -> str:
        """The week as a table: a line an hour, a column a day."""
        from gpuplanner.ui.heat_tables import heat_table

        return heat_table(self._use).as_text() if self._use is not None else NO_CONTRACTS

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        if self.heat is not None:
            self.heat.show_palette(heat_colours(palette))


def cell_figure(day: int, hour: int) -> str:
    """The figure of one hour of the week."""
    return figure("utilization", "", f"hour-{day}-{hour}")
