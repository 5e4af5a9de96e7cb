"""Cost by model as bars, over the table that is their twin."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.app.questions.costing import Costs
from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.ranked_bars import RankedBars

MOST: Final = 8
"""Models with a bar of their own; the others share the last one."""
OTHERS: Final = "\0others"


class CostBars(QWidget):
    """Told the costs; emits the key of the model whose bar was opened. Hidden where another cost is looked at."""

    key_chosen = Signal(str)

    def __init__(self, palette: Palette, source: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._palette, self._source = palette, source
        self.chart: Any = None  # charts are imported when the first one is shown
        title = PlainLabel(tr("Cost by model"))
        title.setFont(font("strong"))
        unit = PlainLabel(worded("$ per month"))
        unit.setProperty("role", "muted")
        unit.setFont(font("small"))
        self._head = QHBoxLayout()
        self._head.addWidget(title)
        self._head.addWidget(unit)
        self._head.addStretch(1)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self._rows.addLayout(self._head)
        self.hide()

    def show_costs(self, view: str, costs: Costs) -> None:
        """Show the bars of these costs, where models are looked at."""
        bars = model_bars(costs) if view == "models" else []
        self.setVisible(len(bars) > 1)
        if len(bars) < 2:
            return
        if self.chart is None:
            self.chart = self._new(self._palette)
            self.chart.bar_opened.connect(self._open)
            self._rows.addWidget(self.chart)
            self._menu = ChartMenu(self.chart, self._palette, self._sheet, is_floating=False)
            self._head.addWidget(self._menu.button)
        self.chart.show_bars(bars)
        self._menu.refresh()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        if self.chart is not None:
            self.chart.show_colours(chart_colours(palette))
            self._menu.show_palette(palette)

    def _new(self, palette: Palette) -> "RankedBars":
        from gpuplanner.charts.plots.ranked_bars import RankedBars

        return RankedBars(tr("Cost by model"), tr("$ per month"), chart_colours(palette))

    def _open(self, key: str) -> None:
        if key != OTHERS:
            self.key_chosen.emit(key)

    def _sheet(self) -> Any:
        bars = self.chart.bars

        def make(palette: Palette) -> QWidget:
            made = self._new(palette)
            made.show_bars(bars)
            return made

        rows = [(bar.name, bar.label, *(value for _, value in bar.lines)) for bar in bars]
        columns = (tr("Model"), tr("$ per month"), *(name for name, _ in bars[0].lines))
        height = self.chart.sizeHint().height()
        return sheet_of(
            tr("Cost by model"), tr("$ per month"), self._source(), make, columns, lambda: rows, height
        )


def model_bars(costs: Costs) -> list[Any]:
    """A bar a model, most expensive first, and one for what is left."""
    from gpuplanner.charts.plots.ranked_bars import RankedBar

    models = sorted(costs.unit.models, key=lambda row: -(row.cost_per_month or 0.0))
    first, rest = models[:MOST], models[MOST:]
    bars = [
        RankedBar(
            row.subject,
            row.model or tr("Unknown model"),
            row.cost_per_month,
            numbers.whole(row.cost_per_month),
            (
                (tr("GPU-h in the window"), numbers.whole(row.gpu_hours)),
                (tr("Workloads"), numbers.whole(row.workloads)),
            ),
        )
        for row in first
    ]
    if rest:
        usd = known_sum(row.cost_per_month for row in rest)
        lines = (
            (tr("GPU-h in the window"), numbers.whole(sum(row.gpu_hours for row in rest))),
            (tr("Workloads"), numbers.whole(sum(row.workloads for row in rest))),
        )
        bars.append(RankedBar(OTHERS, tr("{rest} others", rest=len(rest)), usd, numbers.whole(usd), lines))
    return bars
