"""Placement: a map of users and sites, the best sites for each number of them, and what egress costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from gpuplanner.app.sourcing.placing import Placer
from gpuplanner.charts.kit.plain_text import set_tip, spoken, tr
from gpuplanner.domain.evidence.serving import city_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.serving import SITE_SET
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import Places, Site
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.serving import CITIES, SITE_SETS, NamedSet, named_sets
from gpuplanner.domain.serving.placement import Placement, SiteSet, egress_from_sites
from gpuplanner.domain.serving.transit import Egress, Leg, tokens_per_month
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.layout import LEFT, RIGHT, STRETCH, TOP, add, named, placed, row, share
from gpuplanner.ui.kit.page_parts import Drawing, heading_label, label, muted_label, named_button, tool_button
from gpuplanner.ui.kit.theme import Palette, base_font, font, icon, in_use, text_px, text_width
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Filled, Row, filled_row, filled_rows, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import filled_columns
from gpuplanner.ui.tables.rows_model import LazyRows
from gpuplanner.ui.words import commands, numbers, window_words

if TYPE_CHECKING:
    from gpuplanner.charts.plots.map_places import MapCity, MapColours, MapSite


# --- Placement as rows of tables and words: cities with their ways, sets of sites with their price, the
# headline


SHORT_MS: Final = 40
"""One way; under it the map draws a way as short. No rule hangs on it."""

MOST_DRAWN: Final = 500
"""Cities on the map: more would be a cloud, and slow to move."""

NOTHING_TITLE: Final = worded("No users and sites yet")
NOTHING_TEXT: Final = long_text("placement_how_to")
NO_SITES: Final = long_text("no_sites")
NO_USERS: Final = worded("No users yet. Import city, country, latitude, longitude and users.")


def headline_words(site_set: SiteSet) -> tuple[str, bool]:
    """The sentence about the top 80% of users, and whether it needs the triangle."""
    mean = site_set.mean_one_way_ms
    if not site_set.sites:
        return tr("Latency to the top 80% of users is unknown: no site is marked as current."), True
    if mean is None:
        return tr("Top 80% of users: unknown, data residency leaves some without a site."), True
    side = tr("Over") if site_set.service.is_over_80 else tr("Within")
    flag = f"{side}\u00a0{LONGEST_MS}\u00a0ms."
    text = tr(
        "Top 80% of users: {one_way} ms one way, {round_trip} ms round trip. {flag}",
        one_way=numbers.way_ms(mean),
        round_trip=numbers.way_ms(site_set.round_trip_ms),
        flag=flag,
    )
    return text, site_set.service.is_over_80


def cheapest_words(placement: Placement) -> str:
    """Cheapest within 80 ms: ap-south, $11,600 a month, 49.4 ms one way."""
    if (cheapest := placement.cheapest_within) is None:
        if not placement.proposed:
            return ""
        return tr("No sites with known prices within {longest_ms} ms.", longest_ms=LONGEST_MS)
    return tr(
        "Cheapest within {longest_ms} ms: {sites}, {usd_per_month} per month, {mean_one_way_ms} ms one way.",
        longest_ms=LONGEST_MS,
        sites=", ".join(cheapest.sites),
        usd_per_month=numbers.dollars(cheapest.usd_per_month),
        mean_one_way_ms=numbers.way_ms(cheapest.mean_one_way_ms),
    )


def change_words(site_set: SiteSet, today: SiteSet) -> str:
    """Adds ap-southeast. +$12,900 a month, 57.5 ms less one way."""
    if not (site_set.adds or site_set.drops):
        return tr("These are today's sites.")
    parts = [tr("Adds {adds}.", adds=", ".join(site_set.adds)) if site_set.adds else ""]
    parts.append(tr("Drops {drops}.", drops=", ".join(site_set.drops)) if site_set.drops else "")
    amounts = []
    if site_set.usd_per_month is not None and today.usd_per_month is not None:
        change = numbers.dollar_change(site_set.usd_per_month - today.usd_per_month)
        amounts.append(tr("{value} per month", value=change))
    if site_set.mean_one_way_ms is not None and today.mean_one_way_ms is not None:
        less = today.mean_one_way_ms - site_set.mean_one_way_ms
        ms = numbers.one_decimal(abs(less))
        words = tr("{less} ms less one way", less=ms) if less >= 0 else tr("{less} ms more one way", less=ms)
        amounts.append(words)
    parts.append(f"{', '.join(amounts)}." if amounts else "")
    return " ".join(part for part in parts if part)


def set_table(sets: Sequence[NamedSet]) -> tuple[tuple[Filled[NamedSet], ...], list[Row]]:
    """Each set: which sites, how long the way is, what they cost; names are as wide as the longest."""
    looks: dict[str, dict[str, Any]] = {
        "name": {
            "width": text_width(tr("Best 15"), base_font("strong")) + 14,
            "cell": lambda one: Cell(text=one.name, is_strong=True),
        },
        "sites": {"is_cut_at_end": True, "cell": _sites_cell},
        "mean_one_way_ms": {
            "width": _wide(tr(titles.ONE_WAY)),
            "cell": lambda one: _way_cell(
                one.sites.mean_one_way_ms,
                one.sites.service.is_over_80,
                figure("set_way", one.key),
                one.sites.shortest_ms,
            ),
        },
        "round_trip_ms": {
            "width": _wide(tr(titles.ROUND_TRIP)),
            "cell": lambda one: written(
                numbers.way_ms, one.sites.round_trip_ms, figure_id=figure("set_both", one.key)
            ),
        },
        "cost_per_month": {"cell": _set_usd_cell},
    }
    columns = filled_columns(SITE_SETS, looks)
    return columns, filled_rows(columns, sets, lambda one: one.key)


def _sites_cell(site_set: NamedSet) -> Cell:
    return Cell(text=", ".join(site_set.sites.sites) or tr("none"), tip=", ".join(site_set.sites.sites))


def _set_usd_cell(site_set: NamedSet) -> Cell:
    usd = site_set.sites.usd_per_month
    tip = tr(SITE_SET["cost_per_month"].unknown) if usd is None else ""
    return written(numbers.whole, usd, tip=tip, figure_id=figure("set_usd", site_set.key))


def _way_cell(ms: float | None, is_over: bool, figure_id: str, at_best: float | None = None) -> Cell:
    if ms is None:
        return Cell(text=numbers.UNKNOWN, tip=tr(SITE_SET["mean_one_way_ms"].unknown))
    tips = [tr("Over {longest_ms} ms one way", longest_ms=LONGEST_MS)] if is_over else []
    if at_best is not None:
        tips.append(tr("No set of this size under {ms} ms", ms=numbers.way_ms(at_best)))
    icon = "triangle" if is_over else ""
    tip = "\n".join(tips)
    return written(numbers.way_ms, ms, icon=icon, icon_role="amber", tip=tip, figure_id=figure_id)


def city_columns(is_wide: bool, set_key: str = "today") -> tuple[Filled[Leg], ...]:
    """The columns of the cities as a set of sites serves them; how a way is known has one where there is room.

    Cities beyond the top 80% of users are muted.
    """

    def asks(kind: str, leg: Leg) -> str:
        return figure(kind, city_subject(set_key, leg))

    looks: dict[str, dict[str, Any]] = {
        "city": {
            "cell": lambda leg: Cell(
                text=leg.city.city, role="text" if leg.is_top else "muted", tip=city_tip(leg)
            )
        },
        "users": {
            "width": _wide("1,234,567", "body"),
            "cell": lambda leg: Cell(
                text=numbers.significant(float(leg.city.users), 12), figure_id=asks("city_users", leg)
            ),
        },
        "site_id": {
            "width": _wide("ap-southeast-2" if is_wide else "ap-southeast", "body"),
            "cell": _site_cell,
        },
        "one_way_ms": {
            "width": _wide(tr(titles.ONE_WAY)) + 6,
            "cell": lambda leg: _way_cell(leg.one_way_ms, way_of(leg) == "over", asks("city_way", leg)),
        },
        "round_trip_ms": {
            "width": _wide(tr(titles.ROUND_TRIP)),
            "cell": lambda leg: written(numbers.way_ms, leg.round_trip_ms, figure_id=asks("city_both", leg)),
        },
    }
    if is_wide:
        looks["by"] = {"width": _wide(tr("measured"), "body"), "cell": _by_cell}
    return filled_columns(CITIES, looks)


def _site_cell(leg: Leg) -> Cell:
    role = "muted" if leg.site_id is None else "text"
    return Cell(text=leg.site_id or tr("no site may"), role=role, tip=city_tip(leg))


def _by_cell(leg: Leg) -> Cell:
    if leg.site_id is None:
        known_by = ""
    elif leg.is_measured:
        known_by = tr("measured")
    else:
        known_by = tr("distance")
    return Cell(text=known_by, role="muted")


def city_id(leg: Leg) -> str:
    """One key for the table and the map."""
    city = leg.city
    return f"{city.city}|{city.country}|{city.latitude}|{city.longitude}"


def city_tip(leg: Leg) -> str:
    """All about one city."""
    city = leg.city
    name = tr("{first}, {second}", first=city.city, second=city.country) if city.country else city.city
    users = tr("{users} users", users=numbers.whole(float(city.users)))
    if not leg.is_top:
        users = tr("{first}, {second}", first=users, second=tr("beyond the top 80%"))
    if leg.site_id is None:
        return tr("{name}: {users}\nData residency excludes all these sites", name=name, users=users)
    way = tr("measured") if leg.is_measured else tr("by distance, {km} km", km=numbers.whole(leg.km))
    return tr(
        "{name}: {users}\nfrom {site_id}: {one_way_ms} ms one way, {both} ms round trip, {way}",
        name=name,
        users=users,
        site_id=leg.site_id,
        one_way_ms=numbers.way_ms(leg.one_way_ms),
        both=numbers.way_ms(leg.round_trip_ms),
        way=way,
    )


def way_of(leg: Leg) -> str:
    """How the map draws a way: near, far, over; empty where there is none."""
    if leg.one_way_ms is None:
        return ""
    if leg.one_way_ms > LONGEST_MS:
        return "over"
    if leg.one_way_ms > SHORT_MS:
        return "far"
    return "near"


def covered_words(placement: Placement, places: Places) -> str:
    """11 of 20 cities hold 81.3% of users."""
    if (share := placement.today.covered_share) is None:
        return tr("These cities have no users.")
    top = placement.today.table.covering
    cities = numbers.counted(len(places.cities), "city", "cities")
    text = tr(long_text("users_covered", top=numbers.whole(top), cities=cities, share=numbers.percent(share)))
    more = tr("The map draws the {most_drawn} with most users.", most_drawn=numbers.whole(MOST_DRAWN))
    return f"{text} {more}" if len(places.cities) > MOST_DRAWN else text


def egress_words(egress: Egress) -> str:
    """What leaving data costs, and why text does not count."""
    amount = tr("unknown") if egress.usd is None else tr("{usd} per month", usd=numbers.cents(egress.usd))
    return tr("Egress: {amount}. {sentence}", amount=amount, sentence=spoken(egress.sentence))


def _wide(text: str, step: str = "small") -> int:
    return text_width(text, base_font(step)) + 12


# --- What the map of the panel Placement shows of a set of sites, and in which colours -----------


def places_on_map(placement: Placement, shown: SiteSet) -> "tuple[list[MapCity], list[MapSite]]":
    """Cities and sites, as a set serves them."""
    from gpuplanner.charts.plots.map_places import MapCity, MapSite

    places = placement.today.table.places
    place_of = {site.site_id: at for at, site in enumerate(places.sites)}
    most = max((float(city.users) for city in places.cities), default=0.0) or 1.0
    cities = [
        MapCity(
            key=city_id(leg),
            name=leg.city.city,
            latitude=leg.city.latitude,
            longitude=leg.city.longitude,
            size=float(leg.city.users) / most,
            site=None if leg.site_id is None else place_of[leg.site_id],
            way=way_of(leg),
            is_top=leg.is_top,
            tip=city_tip(leg),
        )
        for leg in shown.service.legs[:MOST_DRAWN]
    ]
    sites = [
        MapSite(
            name=site.site_id,
            latitude=site.latitude,
            longitude=site.longitude,
            is_used=site.site_id in shown.sites,
            tip=_site_tip(site),
        )
        for site in places.sites
    ]
    return cities, sites


def _site_tip(site: Site) -> str:
    called = ", ".join(filter(None, (site.site_id, site.city)))
    usd = numbers.dollars(None if site.usd_per_month is None else float(site.usd_per_month))
    words = tr("{site}\n{usd} per month", site=called, usd=usd)
    return tr("{first}, {second}", first=words, second=tr("in use today")) if site.is_current else words


def map_colours(palette: Palette) -> "MapColours":
    """The colours of the map in a palette."""
    from gpuplanner.charts.plots.map_places import MapColours

    return MapColours(
        sea=palette.raised,
        land=palette.track,
        line=palette.grid,
        text=palette.text,
        muted=palette.muted,
        edge=palette.edge,
        near=palette.muted,
        far=palette.text,
        over=palette.amber,
        focus=palette.focus,
        small=font("small"),
        strong=font("small_strong"),
    )


# --- What leaves for users beside tokens, and what a GB of it costs: two amounts that the planner types

MEDIA: Final = "media_gb_per_month"
RATE: Final = "egress_usd_per_gb"


class EgressAmounts(QWidget):
    """Told the assumptions; emits what was typed for one of them."""

    amount_typed = Signal(str, str)  # name of the assumption, text

    def __init__(self) -> None:
        super().__init__()
        self.media, self.rate = _line(MEDIA), _line(RATE)
        media = muted_label(tr("Media, GB per month"), is_wrapped=False, of=self.media)
        rate = muted_label(tr("at $ per GB"), is_wrapped=False, of=self.rate)
        row(media, self.media, rate, self.rate, STRETCH, on=self, spacing=6)
        for name, line in ((MEDIA, self.media), (RATE, self.rate)):
            line.editingFinished.connect(lambda name=name, line=line: self._take_amount(name, line))

    def show_assumptions(self, values: Assumptions) -> None:
        """Show the amounts, but for one that is being typed."""
        for name, line in ((MEDIA, self.media), (RATE, self.rate)):
            value = getattr(values, name)
            if not line.isModified():
                line.setText("" if value is None else numbers.significant(float(value)))

    def _take_amount(self, name: str, line: QLineEdit) -> None:
        if line.isModified():
            line.setModified(False)
            self.amount_typed.emit(name, numbers.plain_number(line.text()))


def _line(name: str) -> QLineEdit:
    is_media = name == MEDIA
    line = QLineEdit(alignment=RIGHT, placeholderText=tr("not set") if is_media else "")
    line.setFixedWidth(text_px(92 if is_media else 60))
    if is_media:
        tip = tr("Images, audio, video; GB per month; empty: unknown (Enter)")
        return named(line, tr("Media sent, GB per month"), tip)
    tip = tr(long_text("egress_rates", low=numbers.significant(0.08), high=numbers.significant(0.12)))
    return named(line, tr("Egress price, $ per GB"), tip)


# --- Placement: a map of users and sites, the way to the top 80% of users, the best sites for each number of them

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

    about = About(
        name="placement", title=worded("Placement"), beside="recommendations", letter="M", is_closed=True
    )

    assumption_set = Signal(str, str)  # name, text

    def build(self) -> None:
        self._places: Places | None = None
        self._placement: Placement | None = None
        self._set = "today"
        self._is_wide = self._has_places = False
        self.map: Any = None  # the map is imported when the first one is shown
        self.legend: Any = None
        self.placer = Placer(self)
        self.placer.answered.connect(self._take)
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
        add(columns.second, *of_sites, egress, self.egress, self.amounts, self.refusal, share(None, 0))
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
            self._placement = None
        if self._placement is None:
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
        if self._placement is not None and self._is_wide != (self.width() >= text_px(WIDE_FROM)):
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

    def _named(self) -> tuple[NamedSet, ...]:
        return () if self._placement is None else named_sets(self._placement)

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
        self.no_map.hide()
        self._fit_map()
        self.refusal.hide()
        for part in (self.empty_title, self.empty, self.importer):
            part.setVisible(not has_places)

    def _take(self, placement: Placement) -> None:
        self._placement = placement
        self._make_map()
        self._show_parts(True)
        named = self._named()
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
        return next((one.sites for one in self._named() if one.key == self._set), None)

    def _draw_set(self) -> None:
        """The chosen set: on the map, city by city, and how it differs from today."""
        placement, shown = self._placement, self._current()
        if placement is None or shown is None or self.map is None:
            return
        name = next(one.name for one in self._named() if one.key == self._set)
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
        needs_it = shown is not None and headline_words(shown)[1]
        self.flag.show_drawing(*(("triangle", "amber") if needs_it else ("tick", "green")))

    def _show_egress(self, project: Project) -> None:
        values = project.assumptions
        tokens = tokens_per_month(project.traffic.values())
        self.egress.setText(egress_words(egress_from_sites(values, project.places, tokens)))
        self.refusal.hide()
        self.amounts.show_assumptions(values)

    def _choose_set(self, at: int) -> None:
        named = self._named()
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
