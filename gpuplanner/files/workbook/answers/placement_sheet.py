"""Placement: cities by sites with distances as formulas, who is served from where, the mean way, what egress costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.serving import SITE_SET, WAY
from gpuplanner.domain.figures.units import LONGEST_MS
from gpuplanner.domain.model.places import Places, Site, UserCity
from gpuplanner.domain.reports.placement import CITIES, SITE_SETS
from gpuplanner.domain.serving.distance import DETOUR, EARTH_RADIUS_KM, FIXED_MS, KM_PER_MS_IN_FIBRE
from gpuplanner.domain.serving.egress import BYTES_PER_GB, BYTES_PER_TOKEN, tokens_per_month
from gpuplanner.domain.serving.placement import Placement, SiteSet, columns_of, placement_of
from gpuplanner.domain.serving.transit import TOP_SHARE_PERCENT, Service, TransitTable
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content, Table
from gpuplanner.files.workbook.kit.cell_names import column_letters, reference
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Range, Value, call, known, lift, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import (
    Look,
    figure_field,
    maybe,
    report_fields,
    text_field,
    write_figures,
)
from gpuplanner.files.workbook.kit.input_rules import take_between, take_lone_number, take_numbers, take_words
from gpuplanner.files.workbook.kit.looks import AMBER
from gpuplanner.files.workbook.kit.watch import Watch

SHEET: Final = "Placement"
YES, NO = "yes", "no"
MOST_CITIES: Final = 1_000
"""Written one by one; more only where the top 80% of users live in more."""

EMPTY: Final = (
    "No users and sites are loaded. Import the cities of your users (city, country, latitude, longitude, users) and",
    "the sites that serve them or could (site_id, city, country, latitude, longitude, usd_per_month, current) in the",
    "application, and export this book again.",
)
RESULT_FIELDS: Final = (
    Field("what", "Top 80% of users", width=30),
    Field("today", "Today", "mean", 14),
    Field("tried", "Tried", "mean", 14),
    Field("note", "", "muted", 16),
)
SITE_FIELDS: Final = (
    Field("site_id", "Site", "strong", 30),
    text_field(CITIES, "city", 14),
    text_field(CITIES, "country", 14),
    Field("latitude", "Latitude", "gpus.input", 16),
    Field("longitude", "Longitude", "gpus.input", 14),
    figure_field(SITE_SET["cost_per_month"], style="usd.input"),
    Field("current", "In use today", "text.input", 12, "yes or no."),
    Field("tried", "Tried", "text.input", 14, "yes or no: try any set of sites."),
)
SET_FIELDS: Final = (
    Field("name", "Best sets, from the application", width=30),
    *report_fields(SITE_SETS, 14, {"cost_per_month": Look(16)}),
)
CITY_FIELDS: Final = (
    text_field(CITIES, "city", 30),
    text_field(CITIES, "country", 14),
    figure_field(WAY["users"], 14, style="usd.input"),
    Field("latitude", "Latitude", "gpus.input", 16),
    Field("longitude", "Longitude", "gpus.input", 14),
    Field("top", "In the top 80%", "text", 12),
    Field("served", "Served from today", width=12),
    Field("today", "One way today, ms", "mean", 14),
    Field("both", "Round trip today, ms", "mean", 12),
    Field("tried", "One way tried, ms", "mean", 12),
)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the rows of the sites stand above the table of cities, and its blocks of columns beside it.

    Each Range is a row of cells, a column a site: number from 1, name, latitude, longitude, today and tried yes or no.
    """

    numbers: Range
    names: Range
    north: tuple[Expr, ...]
    east: tuple[Expr, ...]
    today: Range
    tried: Range
    first_ms: int
    first_input: int


def write_placement(book: Book, inputs: Inputs, named: Named) -> None:
    """Write the sheet; without users or sites it says what to import."""
    places = inputs.project.places
    if not places.can_be_placed:
        book.title(SHEET, SHEET, *EMPTY)
        book.sheets[SHEET].set_column(0, 0, 60)
        return
    placement = placement_of(places)
    table = placement.today.table
    tried = placement.cheapest_within or next(iter(placement.proposed), placement.today.current)
    row = book.title(
        SHEET,
        SHEET,
        "Who is served from where, and how long the way is to the top 80% of users. Yellow cells are inputs.",
        f"One way = measured, else km / {KM_PER_MS_IN_FIBRE:g} x {DETOUR:g} + {FIXED_MS:g} ms, over the great circle. "
        f"More than {LONGEST_MS} ms one way is flagged; exactly {LONGEST_MS}.0 is not.",
        "Which sets are best is worked out by the application. Any set can be tried here: write yes or no under Tried.",
        *placement.notes,
    )
    shown = [
        at
        for at, site in enumerate(places.sites)
        if site.is_current or site.site_id not in set(placement.left_out)
    ]
    cities = places.cities[: max(table.covering, MOST_CITIES)]
    results = Table(book, SHEET, row, 8, RESULT_FIELDS)
    sites = _sites(book, places, shown, tried, results.end_row + 1)
    _sets(book, placement, sites, shown, sites.end_row + 1)
    first = (
        sites.end_row + len(placement.proposed) + 2
    )  # the rows of the sites stand at the right of the sets
    grid = _grid(book, sites, [places.sites[at] for at in shown], tried, first)
    rest = sum((city.users for city in places.cities[len(cities) :]), places.cities[0].users * 0)
    book.write(SHEET, first + 3, 0, "Users in cities that are not listed", "muted")
    total = book.write(SHEET, first + 3, 2, float(rest), "usd.input")
    take_lone_number(book, SHEET, first + 3, 2)
    measured = _measured(book, first + 5, len(cities), grid, [places.sites[at] for at in shown])
    of_cities = Table(book, SHEET, first + 5, len(cities), CITY_FIELDS)
    take_numbers(of_cities, "users")
    _take_coordinates(of_cities)
    _blocks(of_cities, measured, grid, shown, table, cities)
    _cities(of_cities, grid, table, placement, tried, cities, total)
    _results(book, results, sites, of_cities, placement, tried, named, inputs)
    of_cities.widen()
    sheet = book.sheets[SHEET]
    sheet.freeze_panes(0, 1)
    sheet.print_up_to(of_cities.end_row, len(CITY_FIELDS) - 1)
    sheet.conditional_format(
        *(results.first_row + 2, 1, results.first_row + 2, 2),
        {
            "type": "cell",
            "criteria": "==",
            "value": f'"{YES}"',
            "format": book.workbook.add_format({"font_color": AMBER, "bold": True}),
        },
    )


# ---------------------------------------------------------------- sites and sets


def _sites(book: Book, places: Places, shown: Sequence[int], tried: SiteSet, row: int) -> Table:
    """Writes the sites as a table; yes and no may be changed to try another set."""
    table = Table(book, SHEET, row, len(shown), SITE_FIELDS)
    for place, at in enumerate(shown):
        site = places.sites[at]
        table.put("site_id", place, site.site_id)
        table.put("city", place, site.city)
        table.put("country", place, site.country)
        table.put("latitude", place, site.latitude)
        table.put("longitude", place, site.longitude)
        table.put("cost_per_month", place, None if site.usd_per_month is None else float(site.usd_per_month))
        table.put("current", place, YES if site.is_current else NO)
        table.put("tried", place, YES if site.site_id in tried.sites else NO)
    for key in ("current", "tried"):
        take_words(table, key, (YES, NO))
    _take_coordinates(table)
    take_numbers(table, "cost_per_month", or_unknown=True)
    return table


def _take_coordinates(table: Table) -> None:
    """Degrees north and east."""
    take_between(table, "latitude", None, -90, 90)
    take_between(table, "longitude", None, -180, 180)


def _sets(book: Book, placement: Placement, sites: Table, shown: Sequence[int], row: int) -> None:
    """Writes today's sites and the best set of each size: mean way in ms, dollars a month, names."""
    named = [("Today", placement.today.current)]
    named += [(f"Best {len(one.sites)}", one) for one in placement.proposed]
    table = Table(book, SHEET, row, len(named), SET_FIELDS)
    transit = placement.today.table
    for place, (name, one) in enumerate(named):
        table.put("name", place, name)
        way = table.put("mean_one_way_ms", place, one.mean_one_way_ms)
        write_figures(table, place, SITE_SET, {"mean_one_way_ms": maybe(way)}, ("round_trip_ms",))
        prices = [sites.cell("cost_per_month", shown.index(at)) for at in columns_of(transit, one.sites)]
        table.put("cost_per_month", place, _sum_of(prices) if prices else 0.0)
        table.put("sites", place, ", ".join(one.sites))


def _sum_of(cells: Sequence[Expr]) -> Expr:
    """Their sum; the dash where one is unknown."""
    is_known = all(cell.is_known for cell in cells)
    total = call("SUM", sum(cell.number for cell in cells) if is_known else DASH, *cells)
    return known(cells, total)


# ---------------------------------------------------------------- the grid of cities and sites


def _grid(book: Book, sites: Table, shown: Sequence[Site], tried: SiteSet, row: int) -> _Grid:
    """The rows of the sites above the table of cities: what stands in the table of sites, a column a site."""
    first_ms = len(CITY_FIELDS) + 1
    first_input = first_ms + len(shown) + 1
    labels = ("Number", "Latitude", "Longitude", "In use today", "Tried")
    for place, label in enumerate(labels):
        book.write(SHEET, row + place, first_ms - 1, label, "muted_right")
    north, east = [], []
    for place in range(len(shown)):
        column = first_ms + place
        book.write(SHEET, row, column, place + 1, "count.muted_right")
        north.append(book.write(SHEET, row + 1, column, sites.cell("latitude", place), "gpus"))
        east.append(book.write(SHEET, row + 2, column, sites.cell("longitude", place), "gpus"))
        book.write(SHEET, row + 3, column, sites.cell("current", place), "muted_right")
        book.write(SHEET, row + 4, column, sites.cell("tried", place), "muted_right")
        book.write(SHEET, row + 5, column, sites.cell("site_id", place), "heading_right")
    book.write(
        SHEET, row + 4, first_input, "Measured one way, ms; no where data residency forbids it", "muted"
    )

    def cells(below: int, values: Sequence[Value]) -> Range:
        """The cells of one row of the grid of ways, by site."""
        return _across(row + below, first_ms, values)

    return _Grid(
        cells(0, [float(place + 1) for place in range(len(shown))]),
        cells(5, [site.site_id for site in shown]),
        tuple(north),
        tuple(east),
        cells(3, [YES if site.is_current else NO for site in shown]),
        cells(4, [YES if site.site_id in tried.sites else NO for site in shown]),
        first_ms,
        first_input,
    )


def _across(row: int, column: int, values: Sequence[Value]) -> Range:
    """Neighbouring cells of one row as a range."""
    left, right = column_letters(column), column_letters(column + len(values) - 1)
    return Range(f"{SHEET}!${left}${row + 1}:${right}${row + 1}", tuple(values))


def _measured(book: Book, row: int, cities: int, grid: _Grid, shown: Sequence[Site]) -> Table:
    """The table of what was measured between cities and sites, beside the one of the cities."""
    fields = [Field(f"m{at}", AsWritten(site.site_id), "mean.input", 12) for at, site in enumerate(shown)]
    table = Table(book, SHEET, row, cities, fields, grid.first_input, watch=Watch("Measured one way"))
    words = "Enter ms one way; leave it empty where nobody measured, or write no."
    take_numbers(table, *(field.key for field in fields), words=words, or_unknown=True)
    return table


def _blocks(
    cities: Table,
    measured: Table,
    grid: _Grid,
    shown: Sequence[int],
    table: TransitTable,
    listed: Sequence[UserCity],
) -> None:
    """One way between every city and site, by what was measured or by distance."""
    sites = table.places.sites
    for place, city in enumerate(listed):
        row = cities.first_row + place
        north = _reference(cities, "latitude", place, city.latitude)
        east = _reference(cities, "longitude", place, city.longitude)
        for at, site in enumerate(shown):
            content: Content = ""
            if not table.places.may_serve(sites[site], city):
                content = NO
            elif table.is_measured[place, site]:
                content = float(table.exact[place, site])
            own = measured.put(f"m{at}", place, content)
            ms = float(table.ms[place, site])
            way = _one_way(north, east, grid.north[at], grid.east[at], ms)
            formula = call(
                "IF",
                DASH if content == NO else ms,
                call("ISNUMBER", float(isinstance(content, float)), own),
                own,
                call("IF", DASH if content == NO else ms, f'{own.text}="{NO}"', f'"{DASH}"', way),
            )
            cities.book.write(SHEET, row, grid.first_ms + at, formula, "mean")
        cities.book.check()


def _one_way(north: Expr, east: Expr, to_north: Expr, to_east: Expr, ms: float) -> Expr:
    """The haversine and the time over it, as a formula of four cells."""
    half = (
        f"SIN(RADIANS({to_north.text}-{north.text})/2)^2+COS(RADIANS({north.text}))*COS(RADIANS({to_north.text}))"
        f"*SIN(RADIANS({to_east.text}-{east.text})/2)^2"
    )
    km = f"2*{EARTH_RADIUS_KM!r}*ASIN(SQRT(MIN(1,{half})))"
    return Expr(f"{km}/{KM_PER_MS_IN_FIBRE:g}*{DETOUR:g}+{FIXED_MS:g}", ms)


def _reference(table: Table, key: str, place: int, value: Value) -> Expr:
    """A cell of a table that is written later."""
    return Expr(reference(SHEET, table.first_row + place, table.column_of(key)), value, is_atom=True)


def _cities(
    cities: Table,
    grid: _Grid,
    table: TransitTable,
    placement: Placement,
    tried: SiteSet,
    listed: Sequence[UserCity],
    others: Expr,
) -> None:
    """Writes each city with the site that serves it today and in the set that is tried, and its way in ms."""
    users = Range(cities.range("users").text, tuple(float(city.users) for city in listed))
    total = float(sum(city.users for city in table.places.cities))
    today, then = placement.today.current.service, tried.service
    names = {site.site_id: site.site_id for site in table.places.sites}
    for place, city in enumerate(listed):
        cities.put("city", place, city.city)
        cities.put("country", place, city.country)
        own = cities.put("users", place, float(city.users))
        cities.put("latitude", place, city.latitude)
        cities.put("longitude", place, city.longitude)
        is_top = YES if place < table.covering else NO
        before = (
            f"SUMPRODUCT((({users.text}>{own.text})+({users.text}={own.text})*(ROW({users.text})<ROW({own.text})))"
            f"*{users.text})"
        )
        all_users = f"(SUM({users.text})+{others.text})"
        inside = f"100*{before}<{TOP_SHARE_PERCENT}*{all_users}*(1-1E-12)"
        cities.put("top", place, call("IF", is_top if total else NO, inside, f'"{YES}"', f'"{NO}"'))
        ways = _across(cities.first_row + place, grid.first_ms, [0.0] * len(grid.names.values))
        leg = today.legs[place]
        way = cities.put("today", place, _nearest(ways, grid.today, leg.one_way_ms))
        number = call("_xlfn.MINIFS", 0.0, grid.numbers, grid.today, f'"{YES}"', ways, way)
        served = call("INDEX", leg.site_id or DASH, grid.names, number)
        cities.put(
            "served",
            place,
            call(
                "IF",
                names.get(leg.site_id or "", DASH),
                call("ISNUMBER", float(way.is_known), way),
                call("IF", leg.site_id or DASH, f"{number.text}=0", f'"{DASH}"', served),
                f'"{DASH}"',
            ),
        )
        cities.put("both", place, WAY.value("round_trip_ms", {"one_way_ms": maybe(way)}).live)
        cities.put("tried", place, _nearest(ways, grid.tried, then.legs[place].one_way_ms))


def _nearest(ways: Range, flags: Range, ms: float | None) -> Expr:
    """The shortest way from a site that is flagged and may serve; the dash without one."""
    value: Value = DASH if ms is None else ms
    count = call("COUNTIFS", 0.0, flags, f'"{YES}"', ways, '">=0"')
    return call(
        "IF", value, f"{count.text}=0", f'"{DASH}"', call("_xlfn.MINIFS", value, ways, flags, f'"{YES}"')
    )


# ---------------------------------------------------------------- what it comes to


def _results(
    book: Book,
    results: Table,
    sites: Table,
    cities: Table,
    placement: Placement,
    tried: SiteSet,
    named: Named,
    inputs: Inputs,
) -> None:
    """Writes mean way, round trip, the share of users and the cost, for today and for the set that is tried."""
    top, users = cities.range("top"), cities.range("users")
    sides = (("today", placement.today.current), ("tried", tried))
    ways = (SITE_SET[key].heading(", ") for key in ("mean_one_way_ms", "round_trip_ms"))
    for place, what in enumerate((*ways, f"Over {LONGEST_MS} ms one way")):
        results.put("what", place, what, "strong")
    results.put("what", 3, "Share of users in these cities")
    results.put("what", 4, SITE_SET["cost_per_month"].heading(", "))
    for key, one in sides:
        way = results.put(key, 0, _mean(top, users, cities.range(key), one.service), "mean.strong")
        results.put(key, 1, SITE_SET.value("round_trip_ms", {"mean_one_way_ms": maybe(way)}).live)
        is_over = YES if one.service.is_over_80 else NO
        answer = call("IF", is_over, f"ROUND({way.text},9)>{LONGEST_MS}", f'"{YES}"', f'"{NO}"')
        flag = when(call("ISNUMBER", float(way.is_known), way), answer, DASH)
        results.put(key, 2, flag, "muted_right")
        flags, prices = sites.range("current" if key == "today" else "tried"), sites.range("cost_per_month")
        unknown = f'SUMPRODUCT(({flags.text}="{YES}")*ISTEXT({prices.text}))'
        usd: Value = DASH if one.usd_per_month is None else one.usd_per_month
        money = call("SUMIFS", usd, prices, flags, f'"{YES}"')
        results.put(key, 4, call("IF", usd, f"{unknown}>0", f'"{DASH}"', money), "usd")
    share: Value = DASH if placement.today.covered_share is None else placement.today.covered_share
    held = f'SUMPRODUCT(({top.text}="{YES}")*{users.text})'
    everybody = f"(SUM({users.text})+{reference(SHEET, cities.first_row - 3, 2)})"
    results.put("today", 3, call("IF", share, f"{everybody}=0", f'"{DASH}"', f"{held}/{everybody}"), "ratio")
    _egress(results, named, inputs)


def _mean(top: Range, users: Range, ways: Range, service: Service) -> Expr:
    """Weighted by users, over the top cities; the dash where one of them is served from nowhere."""
    value: Value = DASH if service.mean_one_way_ms is None else service.mean_one_way_ms
    unserved = f'SUMPRODUCT(({top.text}="{YES}")*ISTEXT({ways.text}))'
    held = f'SUMPRODUCT(({top.text}="{YES}")*{users.text})'
    spent = f'SUMPRODUCT(({top.text}="{YES}")*{users.text},{ways.text})'
    return call("IF", value, f"OR({unserved}>0,{held}=0)", f'"{DASH}"', f"{spent}/{held}")


def _egress(results: Table, named: Named, inputs: Inputs) -> None:
    """Gigabytes times the rate: text from tokens, media as stated on Assumptions."""
    read = tokens_per_month(inputs.project.traffic.values())
    stated, media, rate = (
        named.assumptions[name] for name in ("tokens_per_month", "media_gb_per_month", "egress_usd_per_gb")
    )
    otherwise: Expr | str = DASH if read is None else lift(read)
    tokens = when(call("ISNUMBER", float(stated.is_known), stated), stated, otherwise)
    results.put("what", 5, "Text that leaves, tokens per month")
    said = results.put("today", 5, tokens, "hours")
    results.put("note", 5, "5 bytes a token: negligible, unlike media")
    results.put("what", 6, "Egress of text, $ per month")
    gigabytes = said * BYTES_PER_TOKEN / BYTES_PER_GB
    text = results.put("today", 6, known((said, rate), gigabytes * rate), "rate")
    results.put("what", 7, "Egress with media, $ per month", "strong")
    of_media = known((media, rate), media * rate)
    amounts = [one.number for one in (text, of_media) if one.is_known]
    value: Value = sum(amounts) if amounts else DASH
    media_usd = f"IF(ISNUMBER({media.text}),{media.text}*{rate.text},0)"
    text_usd = f"IF(ISNUMBER({text.text}),{text.text},0)"
    is_any = f"COUNT({text.text},{media.text})=0"
    results.put("today", 7, call("IF", value, is_any, f'"{DASH}"', f"{text_usd}+{media_usd}"), "rate.strong")
    results.put("note", 7, "Media, its price and tokens stand on Assumptions")
