"""The panel Utilization: when paid GPUs are used, by cluster, contract, GPU model or team."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QSizePolicy

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use_by import CLUSTERS, TEAMS, WHOLE, Use
from gpuplanner.domain.audit.utilization.contention import Contention
from gpuplanner.domain.evidence.plan.inputs import week_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.titles import NOT_STATED
from gpuplanner.domain.message import Text, lowered, worded
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.use import USES, name_of
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.layout import STRETCH, add, column, row
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label, named_button
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.chart_palette import heat_colours, recolour_heat
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import TABLE

if TYPE_CHECKING:
    from gpuplanner.charts.plots.heatmap import Heatmap


# --- What the Utilization panel says beside its reports: contended hours, and why a map of the week is empty

Contended = tuple[str, Contention]
"""A cluster that was asked for more than it had, and how."""


def contention_table(
    contention: Mapping[str, Contention], names: Mapping[str, Text]
) -> tuple[Sequence[Column], list[Row]]:
    """The columns, and one row for each cluster that was asked for more than it had. names: of workloads, by key."""

    def hours(of: Contended, amount: float, scope: str, tip: str = "") -> Cell:
        return written(numbers.whole, amount, tip=tip, figure_id=figure("contended", of[0], scope))

    def shared(of: Contended) -> str:
        return _shared_tip([names.get(key, key) for key in of[1].shared_training])

    columns: tuple[Filled[Contended], ...] = (
        Filled(
            title=titles.CONTENDED_HOURS,
            is_figure=False,
            cell=lambda of: Cell(text=of[0] or NOT_STATED, is_strong=True),
        ),
        Filled(title="Hours", cell=lambda of: hours(of, of[1].contention_hours, "hours")),
        Filled(title="GPU-h\nbeyond", cell=lambda of: hours(of, of[1].overflow_gpu_hours, "beyond")),
        Filled(
            title="Training with\ninference, h",
            cell=lambda of: hours(of, of[1].beside_inference_hours, "beside", shared(of)),
        ),
    )
    found = [(cluster, one) for cluster, one in contention.items() if one.contention_hours]
    return columns, filled_rows(columns, found, lambda of: of[0])


def why_no_map(row: Use) -> str:
    """One sentence for a map that has nothing known in it."""
    if row.hours_of_week.capacity is not None and not row.paid_gpu_hours:
        name = numbers.capital(spoken(name_of(row)))
        return tr(long_text("contract_missing", name=name))
    return ""


def _shared_tip(names: Sequence[Text]) -> str:
    if not names:
        return tr("Training and inference never ran together.")
    shown = ", ".join(map(str, names[:6]))
    if len(names) > 6:
        shown = tr("{names} and {more} more", names=shown, more=len(names) - 6)
    return tr("Training that ran then: {shown}", shown=shown)


# --- Utilization: when GPUs that are paid for are used, by cluster, contract, GPU model or team

MAP_ROW: Final = 18
SHOW_FIGURES, SHOW_COLOURS = worded("Show figures"), worded("Show colors")


class UtilizationPanel(Panel):
    """Told what is shown. The row that is chosen in the table is the one whose week the map shows."""

    about = About(
        name="utilization",
        title=titles.UTILIZATION,
        beside="duration",
        needs=(Need("workloads", worded("Import a job log to see this.")),),
    )

    def build(self) -> None:
        self.drawn: Audit | None = None
        self._chosen = dict.fromkeys(USES, WHOLE)
        titled = [(report.title, name) for name, report in USES.items()]
        tip = tr("By cluster, contract, GPU model or team")
        self.view = choice_of(tr("Utilization by"), tip, titled)
        self.view.view().setAccessibleName(tr(titles.UTILIZATION))
        tip = tr("Show the week as figures or colors ({keys})", keys=TABLE)
        self.figures = named_button(SHOW_FIGURES, tip)
        self.figures.setCheckable(True)
        self.heading = label(step="strong")
        self._unit = muted_label(is_wrapped=False)
        self._note = label(role="muted", is_wrapped=True)
        self._marks = muted_label(worded("Solid: 40% flag. Dashed: break-even."), is_wrapped=False)
        for words in (self.heading, self._marks):
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.week = FigureTable(tr("Week in figures"))
        self.week.row_height = 20
        self.table = FigureTable(tr(titles.UTILIZATION))
        self.table.asks_by_click = False
        self.contended = FigureTable(tr(titles.CONTENDED_HOURS))
        self._head = row(self.view, STRETCH, self.figures, spacing=8)
        self.heatmap = SeenChart(
            new=_new_map,
            put=self._put,
            sheet=self._sheet,
            head=self._head,
            turn=self.figures.toggle,
            recolour=recolour_heat,
        )
        tables = self.scrolled(titles.UTILIZATION, (14, 4, 12, 8), 4)
        add(tables, self.week, self.table, self._marks, 8, self.contended, STRETCH)
        parts = (self._head, 4, self.heading, self._unit, self._note)
        self._above = column(*parts, margins=(14, 10, 12, 4), spacing=4)
        self.fill(self._above, self.scroll_area)
        self.view.currentIndexChanged.connect(lambda _: self._draw_uses())
        self.figures.toggled.connect(self._show_as)
        shortcut = QShortcut(QKeySequence(TABLE), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.figures.toggle)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))

    def draw(self, shown: ViewState) -> None:
        """Show the past of an evaluation; it does not move when cards do."""
        if self.drawn is not shown.evaluation.audit:
            self._draw_uses()
        elif self.heatmap.plot is not None:
            self.heatmap.ready()  # in the colours in use

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
        self.drawn = audit
        rows = () if audit.use is None else table_rows(USES[view], audit.use, are_opened=True)
        for widget in (self.figures, self.heading, self._unit):
            widget.setVisible(bool(rows))
        columns, contended = contention_table(audit.contention, told_apart(shown.cards))
        self.contended.show_all(columns, contended if view == CLUSTERS else ())
        chosen = self._chosen[view]
        self.table.show_all(table_columns(USES[view], are_bars_short=True), rows)
        self._marks.setVisible(bool(rows) and view != TEAMS)
        if rows:
            self._select(chosen)
        else:
            self._note.setText(tr("Import a job log to see this."))
            self._note.show()
            self.week.hide()
            self.heatmap.show(False)

    def _select(self, key: str) -> None:
        """Choose the row of a key, of all where it is gone, of the only one where there is no sum."""
        model = self.table.model()
        if not (keys := [self.table.row_at(row).key for row in range(model.rowCount())]):
            return
        if key in keys:
            place = keys.index(key)
        elif WHOLE in keys:
            place = keys.index(WHOLE)
        else:
            place = 0
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
        return heat_sheet(heat_table(row), self.heading.text(), source_words(shown))

    def _put(self, week_map: "Heatmap") -> None:
        week_map.setMaximumHeight(week_map.height_with_rows(MAP_ROW))
        self._above.addWidget(week_map)

    def _show_as(self, as_figures: bool) -> None:
        words = SHOW_COLOURS if as_figures else SHOW_FIGURES
        self.figures.setText(spoken(words))
        self.figures.setAccessibleName(spoken(words))
        self._show_chosen()

    def _show_chosen(self) -> None:
        """The week of the chosen row, in colours or in figures."""
        if (row := self._row()) is None or not self.isVisible():
            return
        from gpuplanner.charts.plots.heatmap import HOURS
        from gpuplanner.domain.model.window import DAYS
        from gpuplanner.ui.tables.heat_tables import heat_table

        table = heat_table(row)
        week_map = self.heatmap.ready()
        name = tr("All") if row.is_all else name_of(row)
        self.heading.setText(tr("{title}: {value}", title=name, value=lowered(table.title)))
        set_tip(self.heading, self.heading.text())
        self._unit.setText(spoken(table.unit))
        why = why_no_map(row)
        self._note.show_text(why)
        week_map.setVisible(not why and not self.figures.isChecked())
        week_map.show_heat(table)
        self.week.setVisible(not why and self.figures.isChecked())
        columns = (Column(title="UTC", is_figure=False), *(Column(title=day) for day in DAYS))
        view = self.view.currentData()

        def cell(value: float, day: int, hour: int | None = None) -> Cell:
            text = table.figure(value).removesuffix("%")  # the heading has the unit
            subject = week_subject(row, day, hour)
            is_known = any(sign.isdigit() for sign in text)
            return Cell(text=text, figure_id=figure("use_week", subject, view) if is_known else "")

        rows = [
            Row(
                (
                    Cell(text=f"{hour:02d}", role="muted"),
                    *(cell(table.values[day, hour], day, hour) for day in range(len(DAYS))),
                )
            )
            for hour in range(HOURS)
        ]
        means = (Cell(text=table.mean_title), *(cell(mean, day) for day, mean in enumerate(table.row_means)))
        self.week.show_whole(columns, (*rows, Row(means, is_total=True)))


def _new_map(palette: Palette) -> "Heatmap":
    from gpuplanner.charts.plots.heatmap import Heatmap

    return Heatmap(heat_colours(palette))
