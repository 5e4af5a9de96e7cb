"""The lower half of the panel Cost: what stands behind the chosen row, and the way to its jobs."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from gpuplanner.charts.kit.colours import mixed
from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.cost_result import EndpointCost
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.cost.detail import CONTRACTS, Detail
from gpuplanner.ui.state.waterfall_steps import Amount, steps_of
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of, take_out
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane
from gpuplanner.ui.words.translation import spoken, tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.hour_bars import HourBars

TABLES = 2


class CostBehind(QWidget):
    """Told a detail; emits whose jobs, contract or traffic is asked for."""

    jobs_asked = Signal(str, object, object)
    contract_asked = Signal(str)
    traffic_asked = Signal(str)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._palette = palette
        self._detail: Detail | None = None
        self._chart: Any = None  # charts are imported when the first one is shown
        self._waterfall: Any = None
        self._steps_menu: ChartMenu | None = None
        self.title = PlainLabel()
        self.title.setFont(font("total"))
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.jobs = self._link(tr("Show its jobs"), tr("The job rows behind this figure"), self._ask_jobs)
        self.traffic = self._link(
            tr("Read traffic\u2026"),
            tr("Read the requests of this endpoint from a file"),
            self._ask_traffic,
        )
        self.source: Callable[[], str] = lambda: (
            ""
        )  # from what the figures are, for charts that are handed on
        head = self._head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title, 1)
        head.addWidget(self.traffic)
        head.addWidget(self.jobs)
        self.lines = PlainLabel()
        self.lines.setWordWrap(True)
        self.lines.setFont(font("small"))
        self.lines.setProperty("role", "muted")
        self.drawn = PlainLabel(worded("$ per month by hour of the day, UTC"))
        self.drawn.setFont(font("small"))
        self.drawn.setProperty("role", "muted")
        self.tables = [
            FigureTable(tr("Behind it, {number}", number=number + 1), palette) for number in range(TABLES)
        ]
        for number, table in enumerate(self.tables):
            table.asks_by_click = False
            table.row_opened.connect(lambda key, number=number: self._open(number, key))
        inside = QWidget()
        inside.setObjectName("panel")
        self._body = QVBoxLayout(inside)
        self._body.setContentsMargins(0, 2, 0, 0)
        self._body.setSpacing(6)
        self._body.addWidget(self.drawn)
        for table in self.tables:
            self._body.addWidget(table)
        self._body.addStretch(1)
        self._scroll = scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setAccessibleName(tr("What stands behind it"))
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.lines)
        layout.addWidget(scroll, 1)
        layout.addStretch()  # words without tables stay at the top
        self.show_detail(None)

    def _link(self, words: str, tip: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(spoken(words))
        button.setProperty("link", True)
        button.setAccessibleName(words.rstrip("\u2026"))
        set_tip(button, spoken(tip))
        button.clicked.connect(pressed)
        return button

    def show_detail(self, detail: Detail | None) -> None:
        """Show what stands behind a row; nothing for None."""
        self._detail = detail
        self.setVisible(detail is not None)
        if detail is None:
            return
        self.title.setText(spoken(detail.title))
        self.lines.setText("\n".join(line for line in detail.lines if line))
        self.jobs.setVisible(detail.jobs is not None)
        self.traffic.setVisible(detail.endpoint is not None)
        for number, table in enumerate(self.tables):
            table.setVisible(number < len(detail.parts))
            if number < len(detail.parts):
                table.show_rows(detail.parts[number].columns, detail.parts[number].rows)
                table.setAccessibleName(str(detail.parts[number].columns[0].title).replace("\n", " "))
                table.clearSelection()
                table.fit_height()
        self._scroll.setVisible(self.has_body)
        self._draw(detail.endpoint)
        self._draw_steps(detail.steps)

    @property
    def has_body(self) -> bool:
        """Whether there is more to see than a few lines."""
        detail = self._detail
        return detail is not None and bool(detail.parts or detail.endpoint)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        for table in self.tables:
            table.show_palette(palette)
        take_out(self._body, self._chart)
        self._chart = None
        self._draw(None if self._detail is None else self._detail.endpoint)
        if self._steps_menu is not None:
            self._waterfall.show_colours(chart_colours(palette))
            self._steps_menu.show_palette(palette)

    # Inside

    def _draw_steps(self, steps: tuple[Amount, ...]) -> None:
        if self._steps_menu is not None:
            is_table = self._steps_menu.table is not None and not self._steps_menu.table.isHidden()
            self._waterfall.setVisible(bool(steps) and not is_table)
            self._steps_menu.button.setVisible(bool(steps))
            if self._steps_menu.table is not None and not steps:
                self._steps_menu.table.hide()
        if not steps:
            return
        from gpuplanner.charts.plots.waterfall import WaterfallPlot

        if self._steps_menu is None:
            self._waterfall = WaterfallPlot(tr("What changed, $ per month"), chart_colours(self._palette))
            self._waterfall.setFixedHeight(150)
            self._body.insertWidget(0, self._waterfall)
            self._steps_menu = ChartMenu(self._waterfall, self._palette, self._steps_sheet, is_floating=False)
            self._head.addWidget(self._steps_menu.button)
            self._waterfall.show()
        self._waterfall.show_steps(steps_of(steps))
        self._steps_menu.button.show()
        self._steps_menu.refresh()

    def _steps_sheet(self) -> Any:
        detail = self._detail
        if detail is None or not detail.steps:
            return None

        def make(palette: Palette) -> QWidget:
            from gpuplanner.charts.plots.waterfall import WaterfallPlot

            made = WaterfallPlot(tr("What changed"), chart_colours(palette))
            made.show_steps(self._waterfall.steps)
            return made

        rows = self._waterfall.table
        title = tr("What changed: {title}", title=detail.title)
        return sheet_of(title, tr("$ per month"), self.source(), make, ("", tr("$ per month")), rows, 320)

    def _hours_sheet(self) -> Any:
        detail = self._detail
        endpoint = detail.endpoint if detail is not None else None
        if detail is None or endpoint is None or endpoint.cost_per_month is None:
            return None

        def make(palette: Palette) -> QWidget:
            made = self._new_hours(palette)
            self._tell_hours(made, endpoint, palette)
            return made

        parts = [(name, usd) for name, _, usd in _hour_parts(endpoint, self._palette)]
        return sheet_of(
            tr("{title} by hour of the day", title=detail.title),
            tr("$ per month, UTC"),
            self.source(),
            make,
            (tr("Hour, UTC"), *(name for name, _ in parts), tr("Every day")),
            lambda: [
                (
                    f"{hour:02d}",
                    *(numbers.whole(float(usd[hour])) for _, usd in parts),
                    numbers.whole(float(sum(usd[hour] for _, usd in parts))),
                )
                for hour in range(24)
            ],
        )

    def _new_hours(self, palette: Palette) -> "HourBars":
        from gpuplanner.charts.plots.hour_bars import HourBars

        return HourBars(chart_colours(palette), numbers.short_dollars)

    def _tell_hours(self, chart: Any, endpoint: EndpointCost, palette: Palette) -> None:
        chart.show_hours(_hour_parts(endpoint, palette))

    def _draw(self, endpoint: EndpointCost | None) -> None:
        is_known = endpoint is not None and endpoint.cost_per_month is not None
        self.drawn.setVisible(is_known)
        if self._chart is not None:
            self._chart.setVisible(is_known)
        if endpoint is None or not is_known:
            return
        if self._chart is None:
            self._chart = self._new_hours(self._palette)
            self._chart.setFixedHeight(118)
            self._body.insertWidget(self._body.indexOf(self.drawn) + 1, self._chart)
            self._hours_menu = ChartMenu(self._chart, self._palette, self._hours_sheet)
            self._chart.show()
        self._tell_hours(self._chart, endpoint, self._palette)
        self._hours_menu.refresh()

    def _ask_jobs(self) -> None:
        if self._detail is not None and self._detail.jobs is not None:
            self.jobs_asked.emit(*self._detail.jobs)

    def _ask_traffic(self) -> None:
        if self._detail is not None and self._detail.endpoint is not None:
            self.traffic_asked.emit(self._detail.endpoint.key)

    def _open(self, number: int, key: str) -> None:
        if self._detail is None or number >= len(self._detail.parts):
            return
        if self._detail.parts[number].opens == CONTRACTS:
            self.contract_asked.emit(key)
        else:
            self.jobs_asked.emit(key, None, None)


def _hour_parts(endpoint: EndpointCost, palette: Palette) -> tuple[tuple[str, str, Any], ...]:
    """Weekdays and weekends: name, colour, $ a month in each hour of the day."""
    week = np.array(endpoint.by_weekday_per_month, dtype=np.float64)
    fill = palette.lane(Lane.INFERENCE)
    pale = mixed(fill, palette.colour("raised"), 0.45)
    return (
        ("Mon\u2013Fri", fill.name(), week[:5].sum(axis=0)),
        (tr("Sat, Sun"), pale.name(), week[5:].sum(axis=0)),
    )
