"""Utilization by hour and weekday on the audit page: a heatmap with a table as its twin; an hour answers why."""

from math import isnan
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRect, Qt

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.use.hours_of_week import HoursOfWeek
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.weekdays import DAYS
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.twins import Twins
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_colours import heat_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.contracts_that_ran import TO_MATCH
from gpuplanner.ui.words.translation import tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.heatmap import Heatmap

COLUMNS: Final = (Column("UTC", False), *(Column(day) for day in DAYS))
NO_CONTRACTS: Final = worded("No contracts yet. Import contracts to see how much of what is paid is used.")
NONE_RAN: Final = worded(
    "No contract ran in the window of the log: nothing was paid for that could be used. Compare its dates with theirs."
)
NO_HOUR: Final = worded("Unknown: no GPUs were paid for in this hour, or the window has no such hour.")


class HoursCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr("Utilization by hour and weekday"), tr("% of GPU-h paid"))
        self._palette = palette
        self._shown: ViewState | None = None
        self.heat: Heatmap | None = None
        self._week: HoursOfWeek | None = None
        self.table = FigureTable(tr("Utilization by hour and weekday, as a table"), palette)
        self.twins = Twins(self.frame, 190)
        self.said = muted_label(tr(NO_CONTRACTS), is_wrapped=False)
        self.said.setWordWrap(True)
        self.frame.body.addWidget(self.said, 0, Qt.AlignmentFlag.AlignTop)
        self.frame.body.addWidget(self.twins, 1)
        self.frame.body.addStretch(0)
        self.show_palette(palette)

    def make_heat(self) -> "Heatmap":
        """The heatmap; charts are imported when the first one is shown."""
        from gpuplanner.charts.plots.heatmap import Heatmap

        if self.heat is None:
            self.heat = Heatmap(heat_colours(self._palette))
            self.twins.put(self.heat, self.table)
            self._menu = ChartMenu(
                self.heat, self._palette, self._sheet, turn=self.twins.turn, is_floating=False
            )
            self.frame.head.addWidget(self._menu.button)
        return self.heat

    def _sheet(self) -> Any:
        """The heatmap as a table to be shown large; None while there is nothing to show."""
        from gpuplanner.ui.tables.heat_tables import heat_sheet, heat_table

        use = None if self._shown is None else self._shown.evaluation.audit.use
        if self._shown is None or use is None or self._week is None:
            return None
        return heat_sheet(heat_table(use.everything), self.frame.title, source_words(self._shown))

    def show_state(self, shown: ViewState) -> None:
        """Show the week of all clusters; without contracts there is nothing to be a share of."""
        from gpuplanner.ui.tables.heat_tables import has_heat, heat_table

        self._shown = shown
        found = shown.evaluation.audit.use
        use = found.everything if found is not None else None
        known = use is not None and has_heat(use)
        self._week = use.hours_of_week if use is not None and known else None
        heat = self.make_heat()
        self.said.setText(tr(self._why_nothing()))
        self.said.setVisible(not known)
        self.twins.show_both(known)
        if use is not None and known:
            heat.show_heat(heat_table(use))
            self.table.show_rows(COLUMNS, hour_rows(use.hours_of_week))

    def figure_ids(self) -> list[str]:
        """Every hour and day that is known, as a figure."""
        return self.table.figure_ids() if self._week is not None else []

    def figure_of_current(self) -> str:
        """The figure of the cell that has the keyboard; "" where it is unknown."""
        day, hour = self.make_heat().current
        week = self._week
        known = week is not None and week.capacity is not None and week.capacity[day, hour]
        return cell_figure(day, hour) if known else ""

    def place_of_current(self) -> QRect:
        """Where the cell stands that has the keyboard."""
        heat = self.make_heat()
        return heat.cell_rect(*heat.current)

    def as_text(self) -> str:
        """The week as a table: a line an hour, a column a day."""
        return self.table.as_text() if self._week is not None else tr(self._why_nothing())

    def _why_nothing(self) -> Message:
        """Why there is no heatmap: no contracts, unmatched clusters, or none ran in the window."""
        if self._shown is None or not self._shown.evaluation.audit.contracts:
            return NO_CONTRACTS
        return TO_MATCH if self._shown.evaluation.audit.unknown_contracts else NONE_RAN

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.twins.show_palette(palette)
        self.table.show_palette(palette)
        if self.heat is not None:
            self.heat.show_palette(heat_colours(palette))
            self._menu.show_palette(palette)


def cell_figure(day: int, hour: int) -> str:
    """The figure of one hour of the week."""
    return figure("utilization", "", f"hour-{day}-{hour}")


def hour_rows(week: HoursOfWeek) -> tuple[Row, ...]:
    """A row an hour of the day, and the mean of each weekday over all its hours."""
    cells, means = week.utilization.tolist(), week.utilization_by_day.tolist()
    rows = [
        Row((Cell(f"{hour:02d}:00"), *(_share(cells[day][hour], cell_figure(day, hour)) for day in range(7))))
        for hour in range(24)
    ]
    total = (_share(means[day], figure("utilization", "", f"day-{day}")) for day in range(7))
    return (*rows, Row((Cell(tr("Mean")), *total), is_total=True))


def _share(share: float, figure_id: str) -> Cell:
    """A share of an hour in percent; a dash where nothing was paid for in it."""
    if isnan(share):  # nothing was paid for
        return Cell(numbers.UNKNOWN, tip=NO_HOUR)
    return Cell(numbers.percent(share), figure_id=figure_id)
