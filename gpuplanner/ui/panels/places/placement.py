"""The panel Placement: the best sites for each number of them, and the network latency to users."""

from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.app.sourcing.placing import Placer
from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.serving import NamedSet, named_sets
from gpuplanner.domain.serving.measuring import HOW_TO, Measuring, measuring_of
from gpuplanner.domain.serving.placement import Placement, SiteSet, egress_from_sites
from gpuplanner.domain.serving.transit import tokens_per_month
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import LEFT, TOP, add, placed, row, share
from gpuplanner.ui.kit.page_parts import Drawing, heading_label, label, muted_label, named_button, tool_button
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.panels.places.egress_amounts import EgressAmounts
from gpuplanner.ui.panels.places.placement_map import map_colours, places_on_map
from gpuplanner.ui.panels.places.placement_rows import (
    NO_SITES,
    NO_USERS,
    NOTHING_TEXT,
    NOTHING_TITLE,
    change_words,
    cheapest_words,
    city_columns,
    city_id,
    covered_words,
    egress_words,
    headline_words,
    set_table,
)
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import filled_row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.rows_model import LazyRows
from gpuplanner.ui.words import commands, window_words

WIDE_FROM: Final = 520
"""Width of the panel, in pixels, from which the table of cities also says how a way is known."""

MAP_PX: Final = 420
LOW_MAP_PX: Final = 140
MAP_SHARE: Final = 0.45
"""Of the panel's height, which is what a map above its tables takes at most."""
MAP_FROM_PX: Final = 300
"""Height of the panel from which there is a map above its tables: in less, no row of them would be in sight."""

ZOOMS: Final = (
    ("plus", worded("Nearer (+)"), 1.5),
    ("minus", worded("Farther (-)"), 1 / 1.5),
    ("globe", worded("Whole world (0)"), 0.0),
)


class PlacementPanel(Panel):
    """Told what is shown; a chosen set of sites is drawn on the map. Emits what the planner typed of egress."""

    about = About(name="placement", title=worded("Placement"), beside="contracts", letter="M", is_closed=True)

    assumption_set = Signal(str, str)  # name, text

    def build(self) -> None:
        self._places: Places | None = None
        self.placement: Placement | None = None
        self._set = "today"
        self._is_wide = self._has_places = False
        self.map: Any = None  # the map is imported when the first one is shown
        self.legend: Any = None
        self.placer = Placer(self)
        self.placer.answered.connect(self.show_placement)
        self.placer.failed.connect(
            lambda error: self._say_only(tr("Cannot be calculated: {error}", error=error))
        )
        self._make_parts()
        self._lay_out()
        self._connect()

    def _make_parts(self) -> None:
        self.headline = label(step="strong", is_wrapped=True)
        self.headline.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.flag = Drawing()
        self.flag.setFixedSize(16, 18)
        self.covered, self.cheapest, self.change = muted_label(), muted_label(), muted_label()
        self.shown_set = label(step="small_strong", is_wrapped=True)
        needs_room = tr("Maximize panel to see the map")
        self.no_map = muted_label(commands.with_keys(needs_room, "maximise_panel"))
        self.zooms = [tool_button(spoken(tip).split(" (", maxsplit=1)[0], tip) for _, tip, _ in ZOOMS]
        for button, (name, _, _) in zip(self.zooms, ZOOMS, strict=True):
            button.setIcon(icon(name, "muted", "edge"))
        self.sets = FigureTable(tr("Sets of sites"))
        set_tip(self.sets, tr("Choose a set for the map"))
        self.cities = FigureTable(tr("Cities and sites"))
        for table in (self.sets, self.cities):
            table.asks_by_click = False  # a click shows the row on the map
        self.measure = named_button(
            tr("Copy ping lines"),
            tr("Copies the users' cities and a line per site to run there"),
            self._copy_lines,
        )
        self.notes = muted_label()
        self.egress = muted_label()
        self.amounts = EgressAmounts()
        self.refusal = label(role="red", step="small", is_wrapped=True)
        self.empty_title = heading_label(NOTHING_TITLE)
        self.empty = muted_label()
        self.importer = named_button(
            tr("Import files\u2026"),
            commands.with_keys(tr("Choose or drop their files"), "import"),
            called=tr("Import users and sites"),
        )

    def _lay_out(self) -> None:
        columns = self._columns = TwoColumns(6)
        self.scrolled(worded("Placement"), (14, 10, 12, 12), 6).addWidget(columns)
        head = row(placed(self.flag, TOP), share(self.headline), spacing=6)
        over_map = row(share(self.shown_set), *self.zooms, spacing=4)
        self._body = add(columns.first, head, self.covered, self.no_map, over_map)
        self._map_at = self._body.count()
        self._titles = sites, cities, egress = [
            heading_label(title) for title in (tr("Sites"), tr("Cities"), tr("Egress"))
        ]
        for title in self._titles:
            title.setContentsMargins(0, 8, 0, 0)
        add(columns.first, self.empty_title, self.empty, placed(self.importer, LEFT), share(None, 0))
        of_sites = (sites, self.cheapest, self.sets, self.change, self.notes, cities, share(self.cities))
        add(
            columns.second,
            *of_sites,
            placed(self.measure, LEFT),
            egress,
            self.egress,
            self.amounts,
            self.refusal,
            share(None, 0),
        )
        self.fill(self.scroll_area)

    def _connect(self) -> None:
        self.importer.clicked.connect(self.import_asked)
        self.amounts.amount_typed.connect(self.assumption_set)
        self.sets.selectionModel().currentRowChanged.connect(lambda now, _: self._choose_set(now.row()))
        self.cities.selectionModel().currentRowChanged.connect(lambda now, _: self._choose_city(now.row()))
        for button, (_, _, factor) in zip(self.zooms, ZOOMS, strict=True):
            button.clicked.connect(lambda _=False, factor=factor: self._zoom(factor))

    # What to show

    def draw(self, shown: ViewState) -> None:
        """Show users and sites, which are looked into when they are others."""
        project = shown.evaluation.project
        is_same = project.places is self._places
        self._places = project.places
        self._show_egress(project)
        if not is_same:
            self.placement = None
        if self.placement is None:
            self._ask()

    def recolour_content(self) -> None:
        super().recolour_content()
        if self.map is not None:
            self.map.show_colours(map_colours(in_use()))
            self.legend.show_colours(map_colours(in_use()))

    def refuse(self, error: PlannerError) -> None:
        """Say why what was typed cannot be taken."""
        self.refusal.setText(window_words.refusal_words(error))
        self.refusal.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_map()
        if self.placement is not None and self._is_wide != (self.width() >= text_px(WIDE_FROM)):
            self._draw_set()

    def _fit_map(self) -> None:
        """Above its tables the map leaves them room, and goes where there is too little for both."""
        if self.map is not None:
            has_room = self._columns.are_beside or self.height() >= MAP_FROM_PX
            for part in (self.shown_set, *self.zooms, self.map, self.legend):
                part.setVisible(self._has_places and has_room)
            self.no_map.setVisible(self._has_places and not has_room)
            above = max(LOW_MAP_PX, round(MAP_SHARE * self.height()))
            self.map.setMaximumHeight(MAP_PX if self._columns.are_beside else min(MAP_PX, above))

    # Inside

    @property
    def _measuring(self) -> Measuring | None:
        return None if self._places is None else measuring_of(self._places)

    def _copy_lines(self) -> None:
        """Put on the clipboard what measures the latency."""
        if (measuring := self._measuring) is not None:
            QGuiApplication.clipboard().setText(measuring.text(spoken(HOW_TO)))

    def _ask(self) -> None:
        if (places := self._places) is None or not (places.cities or places.sites):
            self._say_only(NOTHING_TEXT, NOTHING_TITLE)
        elif not places.can_be_placed:
            self._say_only(NO_USERS if places.sites else NO_SITES, NOTHING_TITLE)
        else:
            # else what was drawn stays until the answer is there
            if self.map is None or self.sets.isHidden():
                self._say_only(worded("Assigning users to sites."))
                self.importer.hide()
            self.placer.ask(places)

    def list_sets(self) -> tuple[NamedSet, ...]:
        return () if self.placement is None else named_sets(self.placement)

    def _say_only(self, text: Text, title: Text = "") -> None:
        """A sentence and a button instead of a map."""
        self._show_parts(False)
        self.empty_title.setVisible(bool(title))
        self.empty.setText(spoken(text))

    def _show_parts(self, has_places: bool) -> None:
        self._has_places = has_places
        for part in (
            *(self.headline, self.flag, self.covered, self.shown_set, *self.zooms, self.sets, self.change),
            *(self.notes, self.cities, self.cheapest, self.egress, self.amounts, *self._titles),
        ):
            part.setVisible(has_places)
        self.measure.setVisible(has_places and self._measuring is not None)
        self.no_map.hide()
        self._fit_map()
        self.refusal.hide()
        for part in (self.empty_title, self.empty, self.importer):
            part.setVisible(not has_places)

    def show_placement(self, placement: Placement) -> None:
        self.placement = placement
        self._make_map()
        self._show_parts(True)
        named = self.list_sets()
        if all(one.key != self._set for one in named):
            self._set = "today"
        self.covered.setText(covered_words(placement, placement.today.table.places))
        self.cheapest.setText(cheapest_words(placement))
        self.notes.show_text("\n".join(map(spoken, placement.notes)))
        self.sets.show_all(*set_table(named))
        self._select(self.sets, next(at for at, one in enumerate(named) if one.key == self._set))
        self._draw_set()

    def _make_map(self) -> None:
        if self.map is not None:
            return
        from gpuplanner.charts.plots.map_legend import MapLegend
        from gpuplanner.charts.plots.world_map import WorldMap
        from gpuplanner.files.system.resources import read_coasts

        colours = map_colours(in_use())
        self.map = WorldMap(tr("Map of users and sites"), colours, read_coasts())
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.map.setSizePolicy(policy)
        self.legend = MapLegend(colours)
        self._fit_map()
        self._body.insertWidget(self._map_at, self.legend)
        self._body.insertWidget(self._map_at, self.map)
        self.map.city_chosen.connect(self._choose_on_map)
        QWidget.setTabOrder(self.zooms[-1], self.map)  # made last, but read before the tables

    def _current(self) -> SiteSet | None:
        return next((site_set.sites for site_set in self.list_sets() if site_set.key == self._set), None)

    def _draw_set(self) -> None:
        """The chosen set: on the map, city by city, and how it differs from today."""
        placement, shown = self.placement, self._current()
        if placement is None or shown is None or self.map is None:
            return
        name = next(site_set.name for site_set in self.list_sets() if site_set.key == self._set)
        text, _ = headline_words(shown)
        self.headline.setText(spoken(text))
        words = tr("{title}: {value}", title=name, value=", ".join(shown.sites))
        self.shown_set.setText(spoken(name) if self._set == "today" else words)
        set_tip(self.shown_set, ", ".join(shown.sites))
        self._show_flag()
        self.change.setText(change_words(shown, placement.today.current))
        legs = shown.service.legs
        self.map.show_places(*places_on_map(placement, shown))
        self.legend.show_unserved(any(leg.site_id is None for leg in legs))
        is_wide, of_set = self.width() >= text_px(WIDE_FROM), self._set
        self._is_wide = is_wide
        columns = city_columns(is_wide, of_set)
        made = LazyRows(len(legs), lambda at: filled_row(columns, legs[at], city_id(legs[at])))
        self.cities.show_rows(columns, made)
        self.cities.take_room()

    def _show_flag(self) -> None:
        shown = self._current()
        needs_triangle = False
        if shown is not None:
            _, needs_triangle = headline_words(shown)
        self.flag.show_drawing(*(("triangle", "amber") if needs_triangle else ("tick", "green")))

    def _show_egress(self, project: Project) -> None:
        values = project.assumptions
        tokens = tokens_per_month(project.traffic.values())
        self.egress.setText(egress_words(egress_from_sites(values, project.places, tokens)))
        self.refusal.hide()
        self.amounts.show_assumptions(values)

    def _choose_set(self, at: int) -> None:
        named = self.list_sets()
        if 0 <= at < len(named) and named[at].key != self._set:
            self._set = named[at].key
            self._draw_set()

    def _choose_city(self, at: int) -> None:
        if at >= 0 and self.map is not None:
            self.map.choose(self.cities.row_at(at).key)

    def _choose_on_map(self, key: str) -> None:
        shown = self._current()
        legs = () if shown is None else shown.service.legs
        at = next((at for at, leg in enumerate(legs) if city_id(leg) == key), None)
        if at is not None:
            self.cities.selectRow(at)
            self.cities.scrollTo(self.cities.model().index(at, 0))

    def _select(self, table: FigureTable, at: int) -> None:
        with QSignalBlocker(table.selectionModel()):
            table.selectRow(at)

    def _zoom(self, factor: float) -> None:
        if self.map is not None:
            self.map.zoom_by(factor) if factor else self.map.show_world()
