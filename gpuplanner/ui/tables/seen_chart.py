"""A chart that is imported and created when it is first visible."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic

from PySide6.QtWidgets import QBoxLayout, QWidget

from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.layout import add
from gpuplanner.ui.kit.palettes import Palette, in_use

if TYPE_CHECKING:
    from gpuplanner.charts.plots.month_lines import MonthLinesChart
    from gpuplanner.charts.plots.waterfall import WaterfallPlot
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of
from gpuplanner.ui.tables.chart_palette import Plot, chart_colours, recolour_plot


def new_waterfall(title: Text, palette: Palette) -> "WaterfallPlot":
    """A waterfall without steps yet."""
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

    return WaterfallPlot(title, chart_colours(palette))


def new_month_lines(title: Text, palette: Palette) -> "MonthLinesChart":
    """Lines by month, none yet."""
    from gpuplanner.charts.plots.month_lines import MonthLinesChart

    return MonthLinesChart(chart_colours(palette), title)


def waterfall_sheet(seen: "SeenChart[WaterfallPlot]", title: Text, unit: str, source: str) -> Any:
    """The steps of a waterfall as they go out; None before it was seen."""
    if (plot := seen.plot) is None:
        return None
    make = seen.drawn(lambda made, _: made.show_steps(plot.steps))
    return sheet_of(title, unit, source, make, ("", unit), plot.table, 320)


class SeenChart(Generic[Plot]):
    """Nothing until it is seen. plot: the chart; None: nobody has seen it.

    new: imports and makes the chart; put: connects it and stands it in its layout. sheet, turn: as of ChartMenu, and
    without a sheet there is no menu. head: the line that the menu's button ends; without one it stands on the chart's
    own corner. recolour: gives the chart other colours.
    """

    def __init__(
        self,
        new: Callable[[Palette], Plot],
        put: Callable[[Plot], object],
        sheet: Callable[[], Any] | None = None,
        head: QBoxLayout | None = None,
        turn: Callable[[], None] | None = None,
        recolour: Callable[[Plot, Palette], object] = recolour_plot,
    ) -> None:
        self.plot: Plot | None = None
        self._palette, self._recolour = in_use(), recolour
        self._new, self._put, self.make_sheet, self._head, self._turn = new, put, sheet, head, turn

    def ready(self) -> Plot:
        """The chart in the colours in use, made now where nobody has seen it."""
        before, palette = self._palette, in_use()
        self._palette = palette
        if self.plot is not None and before is not palette:
            self._recolour(self.plot, palette)
        if self.plot is None:
            self.plot = self._new(palette)
            self._put(self.plot)
            if self.make_sheet is not None:
                self.menu = ChartMenu(self.plot, self.make_sheet, self._turn, is_floating=self._head is None)
                if self._head is not None:
                    add(self._head, self.menu.button)
        return self.plot

    def show(self, is_known: bool = True) -> None:
        """Show it, unless nothing is known or its table stands in its place."""
        if self.plot is not None:
            table = self.menu.table
            self.plot.setVisible(is_known and (table is None or table.isHidden()))

    def drawn(self, tell: Callable[[Plot, Palette], object]) -> Callable[[Palette], QWidget]:
        """Makes the chart that goes out: another one in a palette, told what to show."""

        def make(palette: Palette) -> QWidget:
            made = self._new(palette)
            tell(made, palette)
            return made

        return make
