"""Cost by model as bars, and the log by month as lines, each above its table."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gpuplanner.app.past.costing import Costs
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit import series
from gpuplanner.domain.figures.window import SERIES
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.ui.kit.layout import STRETCH, column, row
from gpuplanner.ui.kit.page_parts import label, muted_label
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.month_lines import MonthLinesChart
    from gpuplanner.charts.plots.waterfall import RankedBar, RankedBars


MOST: Final = 8
"""Models with a bar of their own; the others share the last one."""
OTHERS: Final = "\0others"
LINES: Final = (
    ("paid_per_month", False, Qt.PenStyle.SolidLine),
    ("stranded_audit", True, Qt.PenStyle.SolidLine),
    ("stranded_metered", False, Qt.PenStyle.DashLine),
)
"""Figures of a month that are drawn, which is the strong one, its dashes."""
MONTHS_HEIGHT: Final = 170


class CostChart(QWidget):
    """Told the rows that it draws; hidden where they are fewer than two.

    unit: of what is drawn; new: makes the chart; tell: draws rows on it; sheet: rows as a table, its headings first.
    """

    def __init__(
        self,
        title: str,
        unit: Text,
        new: Callable[[Palette], Any],
        tell: Callable[[Any, Sequence[Any]], object],
        sheet: Callable[[Sequence[Any]], Sequence[tuple[str, ...]]],
        source: Callable[[], str],
    ) -> None:
        super().__init__()
        self._title, self._unit, self._tell, self._told, self._source = title, unit, tell, sheet, source
        self._drawn: Sequence[Any] = ()
        self._head = row(label(title, step="strong"), muted_label(unit, is_wrapped=False), STRETCH)
        self._rows = column(self._head, on=self, spacing=2)
        self.chart = SeenChart(new, self._put, self._sheet, self._head)
        self.hide()

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Draw these rows; one of them alone is no chart."""
        self._drawn = rows
        self.setVisible(len(rows) > 1)
        if len(rows) > 1:
            self._tell(self.chart.ready(), rows)
            self.chart.menu.refresh()

    def _put(self, chart: QWidget) -> None:
        self._rows.addWidget(chart)

    def _sheet(self) -> Any:
        rows = self._drawn
        headings, *cells = self._told(rows)
        make = self.chart.drawn(lambda made, _: self._tell(made, rows))
        return sheet_of(self._title, spoken(self._unit), self._source(), make, headings, lambda: cells)


def model_chart(opened: Callable[[str], object], source: Callable[[], str]) -> CostChart:
    """What each model costs, as bars. opened: told the key of a bar that was."""
    title, unit = tr("Cost by model"), worded("$ per month")

    def new(palette: Palette) -> "RankedBars":
        from gpuplanner.charts.plots.waterfall import RankedBars

        made = RankedBars(title, spoken(unit), chart_colours(palette))
        made.bar_opened.connect(opened)
        return made

    def sheet(bars: Sequence["RankedBar"]) -> list[tuple[str, ...]]:
        headings = (tr("Model"), tr("$ per month"), *(name for name, _ in bars[0].lines))
        return [headings, *((bar.name, bar.label, *(value for _, value in bar.lines)) for bar in bars)]

    return CostChart(
        title=title,
        unit=unit,
        new=new,
        tell=lambda chart, bars: chart.show_bars(bars),
        sheet=sheet,
        source=source,
    )


def model_bars(costs: Costs) -> list[Any]:
    """A bar a model, most expensive first, and one for what is left."""
    from gpuplanner.charts.plots.waterfall import RankedBar

    models = sorted(costs.unit.models, key=lambda row: -(row.cost_per_month or 0.0))
    first, rest = models[:MOST], models[MOST:]
    bars = [
        RankedBar(
            key=row.subject,
            name=row.model or tr("Unknown model"),
            amount=row.cost_per_month,
            label=numbers.whole(row.cost_per_month),
            lines=(
                (tr("GPU-h in the lookback period"), numbers.whole(row.gpu_hours)),
                (tr("Workloads"), numbers.whole(row.workloads)),
            ),
        )
        for row in first
    ]
    if rest:
        usd = known_sum(row.cost_per_month for row in rest)
        lines = (
            (tr("GPU-h in the lookback period"), numbers.whole(sum(row.gpu_hours for row in rest))),
            (tr("Workloads"), numbers.whole(sum(row.workloads for row in rest))),
        )
        bars.append(
            RankedBar(
                key=OTHERS,
                name=tr("{rest} others", rest=len(rest)),
                amount=usd,
                label=numbers.whole(usd),
                lines=lines,
            )
        )
    return bars


def months_chart(source: Callable[[], str]) -> CostChart:
    """What the months of the log cost, as lines."""
    title = spoken(MONTHS.title)

    def new(palette: Palette) -> "MonthLinesChart":
        from gpuplanner.charts.plots.month_lines import MonthLinesChart

        made = MonthLinesChart(chart_colours(palette), title)
        made.setFixedHeight(text_px(MONTHS_HEIGHT))
        return made

    def tell(chart: "MonthLinesChart", months: Sequence[series.MonthRow]) -> None:
        from gpuplanner.charts.plots.month_lines import MonthLine

        lines = [
            MonthLine(SERIES[key].title, tuple(month.figures[key] for month in months), is_main, dash)
            for key, is_main, dash in LINES
        ]
        chart.show_lines(lines, [month.month for month in months])

    def sheet(months: Sequence[series.MonthRow]) -> list[tuple[str, ...]]:
        headings = (tr("Month"), *(spoken(SERIES[key].title) for key, *_ in LINES))
        cells = ((month.month, *(numbers.whole(month.figures[key]) for key, *_ in LINES)) for month in months)
        return [headings, *cells]

    return CostChart(
        title=title, unit=worded("$ per month of 730 h"), new=new, tell=tell, sheet=sheet, source=source
    )
