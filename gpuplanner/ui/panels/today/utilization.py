"""Utilization: when GPUs that are paid for are used, by cluster, contract, GPU model or team."""

from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.use_by import CLUSTERS, TEAMS, WHOLE, Use
from gpuplanner.domain.commitment.evidence.trace_use_rows import week_subject
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.names.names_apart import told_apart
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.use import USES, name_of
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.panels.today.utilization_rows import CONTENTION_COLUMNS, contention_rows, why_no_map
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_colours import heat_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.commands import TABLE
from gpuplanner.ui.words.translation import spoken, tr

MAP_ROW: Final = 18
MARKS: Final = worded("Solid mark: 40% flag. Dashed mark: break-even.")
SHOW_FIGURES, SHOW_COLOURS = worded("Show figures"), worded("Show colours")
NO_JOBS: Final = worded("No jobs yet. Import a job log to see when GPUs are used.")


class UtilizationPanel(Panel):
    """Told what is shown. The row that is chosen in the table is the one whose week the map shows."""

    about = About(
        "utilization",
        titles.UTILIZATION,
        beside="duration",
        needs=(
            Need("workloads", worded("A job log shows how much of what is paid for is used, hour by hour.")),
        ),
        also=worded("use used under 40% idle unused contracts activity stranded"),
    )

    def build(self) -> None:
        self._drawn: Audit | None = None
        self._map: Any = None  # charts are imported when the first one is shown
        self._chosen = dict.fromkeys(USES, WHOLE)
        self.view = QComboBox()
        self.view.setAccessibleName(tr("Utilization by"))
        self.view.view().setAccessibleName(tr("Ways to look at utilization"))
        set_tip(self.view, tr("By cluster, contract, GPU model or team"))
        for name, report in USES.items():
            self.view.addItem(spoken(report.title), name)
        self.figures = QPushButton(spoken(SHOW_FIGURES))
        self.figures.setCheckable(True)
        self.figures.setAccessibleName(spoken(SHOW_FIGURES))
        set_tip(self.figures, tr("Show the week as figures, or as colours ({keys})", keys=TABLE))
        self._heading = PlainLabel()
        self._heading.setFont(font("strong"))
        self._heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._unit = PlainLabel()
        self._unit.setProperty("role", "muted")
        self._unit.setFont(font("small"))
        self._note = PlainLabel()
        self._note.setProperty("role", "muted")
        self._note.setWordWrap(True)
        self._marks = PlainLabel(tr(MARKS))
        self._marks.setProperty("role", "muted")
        self._marks.setFont(font("small"))
        self._marks.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.week = FigureTable(tr("The week in figures"), self._palette)
        self.week.row_height = 20
        self.table = FigureTable(tr(titles.UTILIZATION), self._palette)
        self.table.asks_by_click = False
        self.contended = FigureTable(tr("Contended hours"), self._palette)
        self._lay_out()
        self.view.currentIndexChanged.connect(lambda _: self._draw_uses())
        self.figures.toggled.connect(self._show_as)
        shortcut = QShortcut(QKeySequence(TABLE), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.figures.toggle)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))

    def _lay_out(self) -> None:
        head = self._head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.view)
        head.addStretch(1)
        head.addWidget(self.figures)
        tables = self.scrolled(worded("Utilization, tables"), (14, 4, 12, 8), 4)
        tables.addWidget(self.week)
        tables.addWidget(self.table)
        tables.addWidget(self._marks)
        tables.addSpacing(8)
        tables.addWidget(self.contended)
        tables.addStretch(1)
        self._above = QVBoxLayout()
        self._above.setContentsMargins(14, 10, 12, 4)
        self._above.setSpacing(4)
        self._above.addLayout(head)
        self._above.addSpacing(4)
        self._above.addWidget(self._heading)
        self._above.addWidget(self._unit)
        self._above.addWidget(self._note)
        self.fill(self._above, self.scroll_area)

    @property
    def heatmap(self) -> Any:
        """The map of the week; None before the panel was seen."""
        return self._map

    def draw(self, shown: ViewState) -> None:
        """Show the past of an evaluation; it does not move when cards do."""
        if self._drawn is not shown.evaluation.audit:
            self._draw_uses()

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        if self._map is not None:
            self._map.show_palette(heat_colours(palette))
            self._menu.show_palette(palette)

    def choose(self, view: str, name: str | None = None) -> None:
        """Show one view and, of it, the row of that name; all of them where it is None."""
        self.view.setCurrentIndex(self.view.findData(view))
        self._select(WHOLE if name is None else name)

    # Inside

    def _row(self) -> Use | None:
        """The chosen row, or all of them; None where nothing was used."""
        use = None if self._shown is None else self._shown.evaluation.audit.use
        if use is None:
            return None
        view = self.view.currentData()
        rows = USES[view].rows_in(Medium.WINDOW, use)
        return next((row for row in rows if row.subject == self._chosen[view]), use.everything)

    def _draw_uses(self) -> None:
        shown, view = self._shown, self.view.currentData()
        if shown is None:
            return
        audit = shown.evaluation.audit
        self._drawn = audit
        rows = () if audit.use is None else table_rows(USES[view], audit.use, are_opened=True)
        for widget in (self.table, self.figures, self._heading, self._unit):
            widget.setVisible(bool(rows))
        contended = contention_rows(audit.contention, told_apart(shown.cards))
        self.contended.setVisible(bool(contended) and view == CLUSTERS)
        self.contended.show_rows(CONTENTION_COLUMNS, contended)
        self.contended.fit_height()
        chosen = self._chosen[view]
        self.table.show_rows(table_columns(USES[view], are_bars_short=True), rows)
        self.table.fit_height()
        self._marks.setVisible(bool(rows) and view != TEAMS)
        if rows:
            self._select(chosen)
        else:
            self._note.setText(tr(NO_JOBS))
            self._note.show()
            self.week.hide()
            if self._map is not None:
                self._map.hide()

    def _select(self, key: str) -> None:
        """Choose the row of a key, of all where it is gone, of the only one where there is no sum."""
        model = self.table.model()
        keys = [self.table.row_at(row).key for row in range(model.rowCount())]
        if not keys:
            return
        place = keys.index(key) if key in keys else keys.index(WHOLE) if WHOLE in keys else 0
        self.table.setCurrentIndex(model.index(place, 0))
        self._choose(place)

    def _choose(self, place: int) -> None:
        if 0 <= place < self.table.model().rowCount():
            self._chosen[self.view.currentData()] = self.table.row_at(place).key
            top = self.table.horizontalHeader().height() + place * self.table.row_height
            if self.table.hasFocus():
                self.scroll_area.ensureVisible(0, self.table.y() + top + self.table.row_height // 2, 0, 40)
            self._show_chosen()

    def _sheet(self) -> Any:
        from gpuplanner.ui.tables.heat_tables import heat_sheet, heat_table

        shown, row = self._shown, self._row()
        if shown is None or row is None:
            return None
        return heat_sheet(heat_table(row), self._heading.text(), source_words(shown))

    def _show_as(self, as_figures: bool) -> None:
        words = SHOW_COLOURS if as_figures else SHOW_FIGURES
        self.figures.setText(spoken(words))
        self.figures.setAccessibleName(spoken(words))
        self._show_chosen()

    def _show_chosen(self) -> None:
        """The week of the chosen row, in colours or in figures."""
        row = self._row()
        if row is None or not self.isVisible():
            return
        from gpuplanner.charts.plots.heatmap import HOURS, Heatmap
        from gpuplanner.domain.model.weekdays import DAYS
        from gpuplanner.ui.tables.heat_tables import heat_table

        table = heat_table(row)
        if self._map is None:
            self._map = Heatmap(heat_colours(self._palette))
            self._map.setMaximumHeight(self._map.height_with_rows(MAP_ROW))
            self._above.addWidget(self._map)
            menu = ChartMenu(
                self._map, self._palette, self._sheet, turn=self.figures.toggle, is_floating=False
            )
            self._head.addWidget(menu.button)
            self._menu = menu
        name = tr("All") if row.is_all else name_of(row)
        self._heading.setText(
            tr(
                "{name}: {map}",
                name=name,
                map=spoken(table.title)[:1].lower() + spoken(table.title)[1:],
            )
        )
        set_tip(self._heading, self._heading.text())
        self._unit.setText(spoken(table.unit))
        why = why_no_map(row)
        self._note.setText(spoken(why))
        self._note.setVisible(bool(why))
        self._map.setVisible(not why and not self.figures.isChecked())
        self._map.show_heat(table)
        self.week.setVisible(not why and self.figures.isChecked())
        columns = (Column("UTC", False), *(Column(day) for day in DAYS))
        view = self.view.currentData()

        def cell(value: float, day: int, hour: int | None = None) -> Cell:
            text = _bare(table.figure(value))
            subject = week_subject(row, day, hour)
            is_known = any(sign.isdigit() for sign in text)
            return Cell(text, figure_id=figure("use_week", subject, view) if is_known else "")

        rows = [
            Row(
                (
                    Cell(f"{hour:02d}", "muted"),
                    *(cell(table.values[day, hour], day, hour) for day in range(len(DAYS))),
                )
            )
            for hour in range(HOURS)
        ]
        means = (Cell(table.mean_title), *(cell(mean, day) for day, mean in enumerate(table.row_means)))
        self.week.show_rows(columns, (*rows, Row(means, is_total=True)))
        self.week.fit_height()


def _bare(figure: str) -> str:
    """A figure without its sign of unit: the heading has it."""
    return figure.removesuffix("%")
