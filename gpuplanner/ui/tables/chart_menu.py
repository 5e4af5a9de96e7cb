"""The menu of every chart: button, shortcuts, export and table twin."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QLayout, QMenu, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import on_button, set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.file_names import file_name
from gpuplanner.files.system.resources import long_text, words_table
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.ui.kit.file_dialogs import save_file
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.page_parts import passing_menu
from gpuplanner.ui.kit.palettes import LIGHT, Palette
from gpuplanner.ui.kit.type_scale import font, glyphs_of_a_pdf, text_px
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.commands import COPY_PICTURE, COPY_TABLE, EXPORT_PICTURE, TABLE

if TYPE_CHECKING:
    from gpuplanner.charts.kit.series_toggle import SeriesToggle
    from gpuplanner.charts.kit.zoom import Zoom
from gpuplanner.ui.tables.chart_palette import chart_colours

KINDS: Final = words_table("picture_kind")
TIP: Final = long_text("chart_menu", copy_picture=COPY_PICTURE, export=EXPORT_PICTURE)


class ChartMenu(QObject):
    """Belongs to one chart. sheet: what goes out with it; None: nothing is shown that could.

    turn: shows the table where the panel has one; without it the table takes the chart's place in its layout.
    is_floating: the button stands on the chart's own corner; otherwise whoever makes the menu places it.
    """

    def __init__(
        self,
        chart: Any,
        sheet: Callable[[], Any],
        turn: Callable[[], None] | None = None,
        is_floating: bool = True,
    ) -> None:
        super().__init__(chart)
        self.chart_widget, self.make_sheet, self._turn = chart, sheet, turn
        self._is_floating = is_floating
        self.table: FigureTable | None = None
        name = chart.accessibleName()
        self.button = _corner_button(chart, tr("{name}: menu", name=name), TIP)
        self.button.setIcon(icon("more", "text"))
        self.button.clicked.connect(
            lambda: self._open(self.button.mapTo(chart.window(), QPoint(0, 20)), True)
        )
        tip = tr("Show all again (Home, double click)")
        self.reset = _corner_button(chart, tr("{name}: reset the zoom", name=name), tip)
        self.reset.setText(tr("Reset"))
        self.reset.setFont(font("small"))
        self.reset.hide()
        self.zoom: Zoom | None = getattr(chart, "zoom", None)
        self._toggles: SeriesToggle | None = getattr(chart, "toggles", None)
        if self.zoom is not None:
            self.reset.clicked.connect(self.zoom.reset)
            self.zoom.changed = self._show_zoomed
        if is_floating:  # of a plot with a margin for names: the corner above it is free
            chart.names_axis.room_above = 10.0
            chart.getPlotItem().getViewBox().sigResized.connect(self._place)
        chart.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chart.customContextMenuRequested.connect(self._open)
        for keys, does in (
            (COPY_TABLE, self.copy_table),
            (COPY_PICTURE, self.copy_picture),
            (EXPORT_PICTURE, self.ask_and_export),
            *(((TABLE, self.turn),) if turn is None else ()),
        ):
            _shortcut(chart, keys, does)
        self._place()

    def refresh(self) -> None:
        """The chart was told something else: so is its table, where it is seen."""
        if self.table is not None and self.table.isVisible():
            self._fill(self.table)

    def menu(self) -> QMenu:
        """What the chart offers now."""
        menu = passing_menu(self.chart_widget)
        _add(menu, tr("Copy picture"), COPY_PICTURE, self.copy_picture)
        _add(menu, tr("Copy table as text"), COPY_TABLE, self.copy_table)
        menu.addSeparator()
        for suffix, name in (("png", "PNG"), ("svg", "SVG"), ("pdf", "PDF")):
            ask = lambda suffix=suffix: self.ask_and_export(f".{suffix}")  # noqa: E731
            keys = EXPORT_PICTURE if suffix == "png" else ""
            _add(menu, tr("Export as {name}\u2026", name=name), keys, ask)
        menu.addSeparator()
        is_table = self.table is not None and self.table.isVisible()
        _add(menu, tr("Show as chart") if is_table else tr("Show as table"), TABLE, self.turn)
        if (zoom := self.zoom) is not None:
            menu.addSeparator()
            _add(menu, tr("Zoom in"), "+", lambda: zoom.by(1.25))
            _add(menu, tr("Zoom out"), "-", lambda: zoom.by(0.8)).setEnabled(zoom.is_zoomed)
            _add(menu, tr("Reset the zoom"), "Home", zoom.reset).setEnabled(zoom.is_zoomed)
        if (toggles := self._toggles) is not None and len(toggles.names) > 1:
            menu.addSeparator()
            for at, name in enumerate(toggles.names, 1):
                action = _add(menu, name, str(at) if at < 10 else "", partial(toggles.turn, name))
                set_tip(action, name)
                action.setCheckable(True)
                action.setChecked(toggles.is_visible(name))
        return menu

    # What it does

    def sheet(self) -> Any:
        """What would go out now, as it is seen: the same part, without the series that are hidden."""
        if (made := self.make_sheet()) is None:
            return None
        from gpuplanner.lazy_dataclass import replace

        return replace(made, make=lambda: self._as_seen(made.make()))

    def copy_picture(self) -> None:
        """The chart as a picture to the clipboard."""
        from gpuplanner.charts.kit.chart_export import as_image

        if (sheet := self.sheet()) is not None:
            QGuiApplication.clipboard().setImage(as_image(sheet))

    def copy_table(self) -> None:
        """The chart's figures to the clipboard, tab separated."""
        if (sheet := self.make_sheet()) is not None:
            head = tab_text(((f"{sheet.title}, {sheet.unit}",), (sheet.source,)))
            QGuiApplication.clipboard().setText(f"{head}\n{sheet.table().as_text()}")

    def ask_and_export(self, suffix: str = ".png") -> None:
        """Ask for a file and write the chart to it."""
        if (sheet := self.make_sheet()) is None:
            return
        kinds = {tr(KINDS[end]): end for end in (suffix, *(end for end in KINDS if end != suffix))}
        window, named_file = self.chart_widget.window(), file_name(sheet.title, suffix)
        chosen, kind = save_file(window, tr("Export chart"), named_file, ";;".join(kinds))
        if chosen:
            path = Path(chosen)
            by_kind = kinds.get(kind, suffix)
            self.export_to(path if path.suffix.lower() in KINDS else path.with_name(path.name + by_kind))

    def export_to(self, path: Path) -> None:
        """Write the chart to a file, by how its name ends; what goes wrong is said."""
        from gpuplanner.charts.kit.chart_export import WRITERS
        from gpuplanner.files.system.output_file import write_output
        from gpuplanner.ui.kit.small_dialogs import show_error

        try:
            suffix = path.suffix.lower()
            with glyphs_of_a_pdf() if suffix == ".pdf" else nullcontext():
                picture = WRITERS[suffix](self.sheet())
            write_output(path, picture)
        except PlannerError as error:
            show_error(self.chart_widget.window(), error)

    def turn(self) -> None:
        """Show the table instead of the chart, or the chart again, and give it the keyboard."""
        if self._turn is not None:
            self._turn()
            return
        if self.table is None:
            self._make_table()
        if self.table is None:
            return
        is_chart_next = not self.chart_widget.isVisible()
        shown, hidden = (self.chart_widget, self.table) if is_chart_next else (self.table, self.chart_widget)
        if not is_chart_next:
            self._fill(self.table)
            self.table.setFixedHeight(max(120, self.chart_widget.height()))
        hidden.hide()
        shown.show()
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    # Inside

    def _as_seen(self, made: Any) -> Any:
        """Gives a chart made anew the zoom and the hidden series of this one."""
        if self.zoom is not None and self.zoom.is_zoomed:
            made.zoom.show(*self.zoom.seen)
        if self._toggles is not None and self._toggles.hidden:
            made.toggles.show_without(self._toggles.hidden)
        return made

    def _make_table(self) -> None:
        """Makes the table beside the chart in its layout; none where the chart stands in no layout."""
        parent = self.chart_widget.parentWidget()
        layout = (
            None
            if parent is None or parent.layout() is None
            else _layout_of(parent.layout(), self.chart_widget)
        )
        if layout is None:
            return
        name = tr("{title}, as a table", title=self.chart_widget.accessibleName())
        self.table = FigureTable(name, parent)
        self.table.hide()
        place = layout.indexOf(self.chart_widget)
        layout.insertWidget(place, self.table, layout.stretch(place))
        _shortcut(self.table, TABLE, self.turn)
        self.chart_widget.destroyed.connect(self.table.deleteLater)

    def _fill(self, table: FigureTable) -> None:
        """Fills the table with what the chart shows."""
        if (sheet := self.make_sheet()) is None:
            return
        made = sheet.table()
        columns = [Column(title=title, is_figure=at > 0) for at, title in enumerate(made.columns)]
        table.show_rows(columns, [Row(tuple(Cell(text=text) for text in row)) for row in made.rows])

    def _open(self, at: QPoint, of_window: bool = False) -> None:
        """Opens the menu at a place of the chart or of its window."""
        self.menu().exec((self.chart_widget.window() if of_window else self.chart_widget).mapToGlobal(at))

    def _show_zoomed(self, is_zoomed: bool) -> None:
        """Shows the way back while the chart is zoomed; the keyboard goes to the chart when that goes."""
        had_keyboard = self.reset.hasFocus()
        self.reset.setVisible(is_zoomed)
        if had_keyboard and not is_zoomed:
            self.chart_widget.setFocus(Qt.FocusReason.OtherFocusReason)
        self._place()

    def _place(self, _view: object = None) -> None:
        """Puts the buttons in the chart's corner."""
        if self._is_floating:
            self.button.move(self.chart_widget.width() - self.button.width(), 0)
            right = self.button.x()
            self.button.raise_()
        else:
            right = self.chart_widget.width()
        self.reset.adjustSize()
        self.reset.setFixedHeight(text_px(18))
        self.reset.move(right - self.reset.width() - 2, 0)
        self.reset.raise_()


def _corner_button(chart: QWidget, name: str, tip: Text) -> QToolButton:
    """A small button in the chart's corner."""
    button = named(QToolButton(chart), name, tip)
    button.setIconSize(QSize(16, 16))
    button.setFixedHeight(text_px(18))
    button.setCursor(Qt.CursorShape.ArrowCursor)
    return button


def _shortcut(widget: QWidget, keys: str, does: Callable[[], None]) -> None:
    """Keys that hold while the keyboard is in a widget."""
    made = QShortcut(QKeySequence(keys), widget, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
    made.activated.connect(does)


def _add(menu: QMenu, words: str, keys: str, does: Callable[[], Any]) -> QAction:
    """Adds an entry with its keys."""
    action = menu.addAction(on_button(words))
    if keys:
        action.setShortcut(QKeySequence(keys))
        action.setShortcutVisibleInContextMenu(True)
    action.triggered.connect(lambda _=False: does())
    return action


def _layout_of(layout: QLayout, widget: QWidget) -> QBoxLayout | None:
    """The box that a widget stands in, however deep."""
    if isinstance(layout, QBoxLayout) and layout.indexOf(widget) >= 0:
        return layout
    for at in range(layout.count()):
        item = layout.itemAt(at)
        inner = None if item is None else item.layout()
        if inner is not None and (box := _layout_of(inner, widget)) is not None:
            return box
    return None


def sheet_of(
    title: Text,
    unit: str,
    source: str,
    make: Callable[[Palette], QWidget],
    columns: tuple[str, ...],
    rows: Callable[[], Any],
    height: int = 400,
) -> Any:
    """A ChartSheet in the light palette. make: the chart in a palette; rows: its figures as texts."""
    from gpuplanner.charts.kit.chart_export import ChartSheet, ChartTable

    return ChartSheet(
        title=title,
        unit=unit,
        source=source,
        make=lambda: make(LIGHT),
        table=lambda: ChartTable(columns, tuple(tuple(row) for row in rows())),
        colours=chart_colours(LIGHT),
        title_font=font("page"),
        height=height,
    )
