"""Places as files: users' cities, sites, measured transit, data residency, regions and countries."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, TypeVar

from gpuplanner.domain.figures.typed import exact, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.domain.model.places import (
    NAME_OF_CODE,
    MeasuredTransit,
    Places,
    ResidencyRule,
    Site,
    UserCity,
    city_key,
    measured_key,
    places_of,
    sites_in,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.json_values import begins_json, json_members, json_paths, json_records, text_of
from gpuplanner.files.sources.source import PARQUET, Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.delimited import as_written, header_columns
from gpuplanner.files.values.numbers import POINT, decide_style, phrases, read_amount, read_decimal
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- On which side of the equator and of Greenwich a country lies, to notice a coordinate with the wrong sign

_NORTH_EAST: Final = phrases(
    "austria|belgium|bulgaria|china|croatia|czechia|denmark|egypt|estonia|finland|germany|greece|hungary"
    "|india|israel|italy|japan|jordan|kuwait|latvia|lithuania|luxembourg|malaysia|netherlands|nigeria"
    "|norway|oman|pakistan|philippines|poland|qatar|romania|russia|saudi arabia|serbia|singapore|slovakia"
    "|slovenia|south korea|sweden|switzerland|taiwan|thailand|turkey|ukraine|united arab emirates|vietnam"
    "|hong kong"
)
_NORTH_WEST: Final = phrases(
    "canada|colombia|costa rica|cuba|iceland|ireland|mexico|morocco|panama|portugal|usa|united states"
    "|venezuela"
)
_SOUTH_EAST: Final = (
    *("australia", "botswana", "lesotho", "madagascar", "malawi", "mauritius", "mozambique", "namibia"),
    *("new zealand", "rwanda", "south africa", "tanzania", "zambia", "zimbabwe"),
)
_SOUTH_WEST: Final = ("argentina", "bolivia", "chile", "paraguay", "peru", "uruguay")
_NORTH: Final = ("france", "spain", "uk", "united kingdom", "algeria", "ghana")
_WEST: Final = ("brazil", "ecuador")

SIGNS_OF: Final = {
    **dict.fromkeys(_NORTH_EAST, (1, 1)),
    **dict.fromkeys(_NORTH_WEST, (1, -1)),
    **dict.fromkeys(_SOUTH_EAST, (-1, 1)),
    **dict.fromkeys(_SOUTH_WEST, (-1, -1)),
    **dict.fromkeys(_NORTH, (1, 0)),
    **dict.fromkeys(_WEST, (0, -1)),
}
"""Signs of latitude and longitude by country, in lower case; 0 where it lies on both sides. Countries with
far islands are judged by their mainland."""


def is_sign_wrong(place: str, latitude: float, longitude: float) -> bool:
    """Whether a coordinate lies on another side of the earth than the country that ends the place's name.

    False for countries that are not known. A place within a degree of the line is never wrong.

    >>> is_sign_wrong("Lima, Peru", 12.0, -77.0), is_sign_wrong("Lima, Peru", -12.0, -77.0)
    (True, False)
    """
    country = place.rpartition(",")[2].strip().casefold()
    latitude_sign, longitude_sign = SIGNS_OF.get(country, (0, 0))
    return latitude * latitude_sign < -1 or longitude * longitude_sign < -1


# --- Places: a cloud's regions with coordinates or with the carbon of their grid, and countries with their centres

KIND: Final = "sites"

_REGION: Final = ("google cloud region", "region", "cloud region")
_CFE: Final = ("google cfe", "carbon-free energy", "cfe")
_INTENSITY_WORD: Final = "carbon intensity"


# ---------------------------------------------------------------- coordinates


@dataclass(frozen=True, slots=True)
class _Placed:
    """A region or country; latitude and longitude in degrees, None where one of them is not known.

    is_wrong: its coordinates lie on another side of the earth than its country.
    """

    name: str
    latitude: float | None = None
    longitude: float | None = None
    is_wrong: bool = False


_AXES: Final = (("latitude", 90), ("longitude", 180))


def _sniff_regions(head: str) -> float:
    """How sure it is that a text is an object of regions, each with a latitude and a longitude, 0..1."""
    ends = {path.rpartition(".") for path in json_paths(head)}
    regions = {start for start, _, end in ends if end == "latitude" and start and "." not in start}
    return 0.95 if regions - {"item"} else 0.0


def _sniff_countries(head: str) -> float:
    """How sure it is that a text is an array of countries with their centres, 0..1."""
    needed = {"item.country", "item.latitude", "item.longitude", "item.name"}
    return 0.95 if needed <= json_paths(head).keys() else 0.0


def _regions(source: Source, *_: object) -> small_table.Rows:
    """Each member of the JSON as a region."""
    return _member_rows((name, value) for name, value in json_members(source, ""))


def _countries(source: Source, *_: object) -> small_table.Rows:
    """Two letters are a code and never a missing value, so NA is Namibia."""
    return _member_rows((_text_at(value, "country"), value) for _, value in json_records(source))


def _member_rows(members: Iterable[tuple[str, object]]) -> small_table.Rows:
    """Each key with its object's texts, numbered from 1."""
    for number, (key, value) in enumerate(members, 1):
        texts = {name: _text_at(value, name) for name in ("name", "latitude", "longitude")}
        texts |= {"key": key, "is_object": "1" if isinstance(value, Mapping) else ""}
        yield number, small_table.Row(texts=texts), text_of(value)


def _placed(row: small_table.Row) -> _Placed:
    """A row as a place; coordinates that cannot be read leave it without any, and a wrong sign is noted.

    Errors: RowError `bad_number` where the entry is no object.
    """
    name = row.texts["key"]
    if not row.texts["is_object"]:
        raise small_table.RowError(
            "bad_number", worded("{name} has no coordinates", name=name), worded("add latitude and longitude")
        )
    latitude, longitude = (_degrees(row.texts[axis], most) for axis, most in _AXES)
    if latitude is None or longitude is None:
        if any(row.texts[axis] for axis, _ in _AXES):
            row.notes.append("bad_number")
        return _Placed(name)
    is_wrong = is_sign_wrong(row.texts["name"], latitude, longitude)
    if is_wrong:
        row.notes.append("wrong_place")
    return _Placed(name, latitude, longitude, is_wrong)


def _placed_facts(noun: str, places: Sequence[_Placed]) -> Facts:
    """How many places there are, their bounds in degrees, and which lie on the wrong side of the globe."""
    latitudes = [place.latitude for place in places if place.latitude is not None]
    longitudes = [place.longitude for place in places if place.longitude is not None]
    return (
        (noun, len({place.name for place in places})),
        ("southmost_latitude", min(latitudes, default=None)),
        ("northmost_latitude", max(latitudes, default=None)),
        ("westmost_longitude", min(longitudes, default=None)),
        ("eastmost_longitude", max(longitudes, default=None)),
        ("without_coordinates", len(places) - len(latitudes)),
        ("wrong_places", [place.name for place in places if place.is_wrong]),
    )


def _text_at(value: object, key: str) -> str:
    """A member's text; empty if it is no object or lacks it."""
    return text_of(value.get(key)) if isinstance(value, Mapping) else ""


def _degrees(text: str, most: int) -> float | None:
    """A text as degrees; None if it is no number or beyond the limit."""
    number = read_decimal(text)
    return None if number is None or abs(number) > most else float(number)


def _of_coordinates(
    noun: str, why: Message, told_by: Callable[[str], float], rows: Callable[..., small_table.Rows]
) -> small_table.TableKind[_Placed]:
    """Every place of a file counts, also two of one name."""
    return small_table.TableKind(
        kind=KIND,
        format="",
        columns=(),
        needed=(),
        reader=small_table.one_value(_placed),
        key=id,
        why=why,
        rows=rows,
        told_by=told_by,
        facts=lambda places: _placed_facts(noun, places),
    )


REGIONS: Final = _of_coordinates("regions", worded("regions with coordinates"), _sniff_regions, _regions)
COUNTRIES: Final = _of_coordinates(
    "countries", worded("countries with their centers"), _sniff_countries, _countries
)


# ---------------------------------------------------------------- carbon


@dataclass(frozen=True, slots=True)
class _Grid:
    """What feeds a region: grams of CO2 a kWh, and the share of power that is free of carbon, None where not told."""

    region: str
    gco2_per_kwh: Decimal
    carbon_free_share: Decimal | None


def _grid_names(columns: Sequence[str]) -> Sequence[str]:
    """Our names of the columns that say it; others keep theirs."""
    intensity = next((name for name in columns if _INTENSITY_WORD in name), None)
    region = next((name for name in _REGION if name in columns), None)
    share = next((name for name in _CFE if name in columns), None)
    ours = {intensity: "gco2_per_kwh", region: "region", share: "carbon_free_share"}
    return [ours.get(name, name) for name in columns]


def _grid(row: small_table.Row) -> _Grid:
    """A row as the carbon of a region's grid in gCO2e a kWh; RowError if that is none.

    The free share may be unknown.
    """
    text = row.text("gco2_per_kwh") or ""
    grams = read_decimal(text)
    if grams is None or grams < 0:
        raise small_table.RowError(
            "bad_number", worded("{column} is {text}", column=_INTENSITY_WORD, text=repr(text))
        )
    return _Grid(row.text("region") or "", grams, read_decimal(row.text("carbon_free_share") or ""))


def _grid_facts(grids: Sequence[_Grid]) -> Facts:
    """Regions with the lowest and highest carbon intensity and carbon-free share; None where none is stated."""
    grams = [grid.gco2_per_kwh for grid in grids]
    shares = [grid.carbon_free_share for grid in grids if grid.carbon_free_share is not None]
    return (
        ("regions", len({grid.region for grid in grids})),
        ("lowest_gco2_per_kwh", _number(min(grams, default=None))),
        ("highest_gco2_per_kwh", _number(max(grams, default=None))),
        ("lowest_carbon_free_share", _number(min(shares, default=None))),
        ("highest_carbon_free_share", _number(max(shares, default=None))),
    )


def _number(value: Decimal | None) -> float | None:
    """Decimal as float for JSON; None stays None."""
    return None if value is None else float(value)


CARBON: Final = small_table.TableKind(
    kind=KIND,
    format="",
    columns=("region", "gco2_per_kwh", "carbon_free_share"),
    needed=(("region",), ("gco2_per_kwh",)),
    reader=small_table.one_value(_grid),
    key=id,
    why=worded("regions with grid carbon intensity"),
    names_of=_grid_names,
    sureness=0.95,
    facts=_grid_facts,
)
"""Every region of a file counts, also two of one name: a list may have several years."""


Item = TypeVar("Item")

OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "latitude": ("lat",),
    "longitude": ("lon", "lng", "long"),
    "users": ("user_count",),
    "site_id": ("site",),
    "one_way_ms": ("oneway_ms",),
    "round_trip_ms": phrases("rtt_ms|rtt|ping|ping_ms|rtt_avg_ms|avg_rtt_ms|rtt_(ms)|round_trip_time_ms"),
    "latency_ms": ("latency", "ms", "avg", "avg_ms", "mean_ms", "latency_(ms)", "avg_latency_ms"),
}
"""What else people call a column."""

_WAYS: Final = ("one_way_ms", "round_trip_ms", "latency_ms")
_NUMBERS: Final = (
    "latitude",
    "longitude",
    "users",
    "usd_per_month",
    "grid_kg_co2_per_kwh",
    "egress_usd_per_gb",
    *_WAYS,
)
_FROM: Final = phrases("source|from|origin|source_country|from_country|country_from|user_country|country")
_TO: Final = phrases("destination|to|target|destination_country|to_country|country_to|site_country")
"""What tables of ways between countries call their ends; `country,country` is both."""
_BETWEEN_COUNTRIES: Final = lazy_re("[;,|]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesRead:
    """The rows of each kind of file (None where no file of it was given), their intake, and what was refused."""

    cities: tuple[UserCity, ...] | None = None
    sites: tuple[Site, ...] | None = None
    measured: tuple[MeasuredTransit, ...] | None = None
    residency: tuple[ResidencyRule, ...] | None = None
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether a file of any of the kinds was given."""
        return any(part is not None for part in (self.cities, self.sites, self.measured, self.residency))

    def in_money_of(self, project: Project) -> "PlacesRead":
        """The same with the prices of sites, which files state in US dollars, in the money of a project."""
        into = exchange_between(USD, project.currency, project.exchange)
        return self if self.sites is None or into == 1 else replace(self, sites=sites_in(self.sites, into))

    def over(self, places: Places, *, adding: bool = False) -> Places:
        """Places with what was read in place of their own of the same kind; themselves where nothing was read.

        adding: what was read joins what is there, and takes the place of what is of the same city, site or way.
        """
        if not self.is_any:
            return places

        def part(read: tuple[Item, ...] | None, own: tuple[Item, ...]) -> tuple[Item, ...]:
            """What was read of one kind, in place of what there was or added to it.

            None, not read, leaves it.
            """
            if read is None:
                return own
            return (*read, *own) if adding else read

        after = places_of(
            part(self.cities, places.cities),
            part(self.sites, places.sites),
            part(self.measured, places.measured),
            part(self.residency, places.residency),
        )
        return places if after.has_the_same(places) else after


NO_PLACES_READ: Final = PlacesRead()


def import_places(
    users: Sequence[str] = (),
    sites: Sequence[str] = (),
    measured: Sequence[str] = (),
    residency: Sequence[str] = (),
) -> PlacesRead:
    """Read files of places; of two rows that are about the same, also in two files, the first is kept.

    Errors: PlannerError file_missing, file_unreadable, truncated_file. A file of another kind is refused.
    """
    reads = [
        _read_files(kind, paths)
        for kind, paths in zip(PLACE_KINDS, (users, sites, measured, residency), strict=True)
    ]
    cities, places, ways, rules = (read.values if read.intake else None for read in reads)
    intake = tuple(file for read in reads for file in read.intake)
    refused = tuple(fault for read in reads for fault in read.refused)
    return PlacesRead(
        cities=cities, sites=places, measured=ways, residency=rules, intake=intake, refused=refused
    )


def _read_files(kind: small_table.TableKind[Any], paths: Sequence[str]) -> small_table.TablesRead[Any]:
    """Reads files of one kind of place, each by itself: one that is refused does not stop the others."""
    return small_table.read_files(paths, lambda _, source: read_places(source, kind), kind.key, kind.refused)


def read_places(source: Source, kind: small_table.TableKind[Any]) -> small_table.TableRead[Any]:
    """The rows of one file. Errors: PlannerError missing_column, file_unreadable."""
    if kind is MEASURED and source.kind != PARQUET and is_way_matrix(source.head):
        return _matrix(source)
    is_other = source.kind != PARQUET and kind.lacks(_our_names(header_columns(source.head)[1]))
    other = next((kind for kind in PLACE_KINDS if sniff(source.head, kind)), None) if is_other else None
    if other is not None:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded(
                "contains {found}, not {wanted}", found=kind_words(other.kind), wanted=kind_words(kind.kind)
            ),
            worded("use it with --{kind}", kind=other.kind),
        )
    return kind.read(source)


def _matrix(source: Source) -> small_table.TableRead[MeasuredTransit]:
    """A row for each country, a column for each: round trips, since that is what is measured from one end."""
    delimiter, columns = header_columns(source.head)

    def rows() -> small_table.Rows:
        """Each row of the matrix, its cells by the names of the end points in the heading."""
        with source.rows(delimiter) as opened:
            lines = iter(opened)
            names = [cell.strip() for cell in next(lines, (0, []))[1]]
            for line, cells in lines:
                row = small_table.Row(texts=dict(zip(("", *names[1:]), cells, strict=False))).of_width(
                    cells, columns, source
                )
                yield line, row, delimiter.join(cells)

    def read_row(row: small_table.Row) -> tuple[MeasuredTransit, ...]:
        """A row of round trips as one-way times to each end point: half of each, which is noted."""
        begin = row.required("")
        ends = [name for name in row.texts if name and row.text(name) is not None]
        both = [(end, _needed_number(row, end, 0, 10**6)) for end in ends]
        row.say("undecided", _ROUND_TRIPS)
        return tuple(MeasuredTransit(begin, end, ms / 2, begin) for end, ms in both)

    return MEASURED.collect(source, rows(), read_row)


def is_way_matrix(head: str) -> bool:
    """Whether a text begins a table of countries by countries (or regions by regions) with a number in each cell."""
    delimiter, columns = header_columns(head)
    lines = [line for line in head.splitlines() if line.strip()][1 : 1 + _ROWS_LOOKED_AT]
    ends = set(columns[1:]) - {""}
    if len(ends) < 2 or len(ends) != len(columns) - 1 or not lines:
        return False
    rows = [next(csv.reader([line], delimiter=delimiter), []) for line in lines]
    begins = [row[0].strip().casefold() in ends for row in rows if row]
    cells = [cell for row in rows for cell in row[1:] if cell.strip()]
    are_numbers = cells and all(read_amount(cell).number is not None for cell in cells)
    return bool(are_numbers) and 2 * sum(begins) > len(lines)


_ROWS_LOOKED_AT: Final = 20


def sniff(head: str, kind: small_table.TableKind[Any]) -> float:
    """How sure it is that a text begins a table of a kind, 0..1."""
    is_matrix = kind is MEASURED and not begins_json(head) and is_way_matrix(head)
    return 0.95 if is_matrix else kind.sniff(head)


def describe(source: Source, kind: small_table.TableKind[Any]) -> FileIntake:
    """What `check` says of a file of a kind."""
    try:
        return read_places(source, kind).intake
    except PlannerError as fault:
        return kind.refused(source, fault)


# ---------------------------------------------------------------- rows


def _our_names(columns: Sequence[str]) -> tuple[str, ...]:
    """The columns by our names; a column of ours stands before one that is only called alike."""
    columns = _with_ends(columns)
    ours = {other: name for name, others in OTHER_NAMES.items() for other in others if name not in columns}
    return tuple(ours.get("_".join(name.split()), "_".join(name.split())) for name in columns)


def _with_ends(columns: Sequence[str]) -> Sequence[str]:
    """The columns with `from_country` and `to_country` where they are those of ways between countries."""
    names = ["_".join(name.split()) for name in columns]
    has_way = any(name in (way, *OTHER_NAMES.get(way, ())) for way in _WAYS for name in names)
    if not has_way or {"city", "site_id", "site"} & set(names):
        return columns
    begins = next((names.index(name) for name in _FROM if name in names), None)
    ends = next((names.index(name) for name in _TO if name in names), None)
    if begins is not None and ends is None:
        ends = next((at for at, name in enumerate(names) if name == "country" and at != begins), None)
    if begins is None or ends is None:
        return columns
    names[begins], names[ends] = FROM_COUNTRY, TO_COUNTRY
    return names


FROM_COUNTRY, TO_COUNTRY = "from_country", "to_country"


def _rows(source: Source, names: Sequence[str], _: str | None) -> small_table.Rows:
    """Rows below the header; numbers of a column are read as most of it writes them, with points or with commas."""
    delimiter = header_columns(source.head)[0]
    with source.rows(delimiter) as opened:
        lines = list(opened)
    body = [
        (line, dict(zip(names, map(as_written, cells), strict=False)), cells) for line, cells in lines[1:]
    ]
    styles = {
        name: decide_style(texts.get(name, "") for _, texts, _ in body)[0] or POINT
        for name in _NUMBERS
        if name in names
    }
    for line, texts, cells in body:
        for name, style in styles.items():
            number = read_amount(texts.get(name, ""), style).number
            if number is not None:
                texts[name] = f"{number:f}"
        if delimiter == ";" and names and names[-1] == "allowed_site_countries":
            # the countries took the separator of the columns
            texts[names[-1]] = ";".join(cells[len(names) - 1 :])
            row = small_table.Row(texts=texts).of_width(cells[: len(names)], names, source)
        else:
            row = small_table.Row(texts=texts).of_width(cells, names, source)
        yield line, row, delimiter.join(cells)


def _needed_number(row: small_table.Row, column: str, low: int, high: int) -> Decimal:
    """A number within limits; RowError `bad_number` otherwise."""
    text = row.required(column)
    value = row.number(column, low, high)
    if value is None:
        raise small_table.RowError(
            "bad_number",
            worded(
                "{column} is {text}, not a number from {low} to {high}",
                column=column,
                text=f"{text!r}",
                low=whole(low),
                high=whole(high),
            ),
        )
    return value


def _where(row: small_table.Row) -> tuple[float, float]:
    """Latitude and longitude in degrees; a sign that does not fit the country is noted, not corrected."""
    place = (
        float(_needed_number(row, "latitude", -90, 90)),
        float(_needed_number(row, "longitude", -180, 180)),
    )
    country = row.text("country") or ""
    if is_sign_wrong(NAME_OF_CODE.get(country.casefold(), country), *place):
        row.say(
            "wrong_place",
            worded(
                "{value}, {country}", value=row.text("city") or row.text("site_id") or "", country=country
            ),
        )
    return place


def _city(row: small_table.Row) -> UserCity:
    """A row as a city with its users."""
    name = row.required("city")
    users = _needed_number(row, "users", 0, 10**12)
    latitude, longitude = _where(row)
    return UserCity(
        city=name, country=row.text("country") or "", latitude=latitude, longitude=longitude, users=users
    )


def _site(row: small_table.Row) -> Site:
    """A row as a site; without a price it is noted, and its price stays unknown."""
    site_id = row.required("site_id")
    place = _where(row)
    usd = row.number("usd_per_month")
    if usd is None and "bad_number" not in row.notes:
        row.notes.append("no_site_price")
    latitude, longitude = place
    return Site(
        site_id=site_id,
        city=row.text("city") or "",
        country=row.text("country") or "",
        latitude=latitude,
        longitude=longitude,
        usd_per_month=usd,
        is_current=row.flag("current") or False,
        grid_kg_co2_per_kwh=row.real("grid_kg_co2_per_kwh"),
        egress_usd_per_gb=row.number("egress_usd_per_gb"),
    )


def _measured(row: small_table.Row) -> MeasuredTransit:
    """Between a city and a site, or between two countries: then the city and its country are that country."""
    city = row.text("city") or row.required(FROM_COUNTRY)
    site_id = row.text("site_id") or row.required(TO_COUNTRY)
    country = (row.text("country") or "") if row.text("city") else city
    return MeasuredTransit(city, site_id, _one_way_ms(row), country)


_ROUND_TRIPS: Final = worded("halved as round trips; if one way, name the column one_way_ms")


def _one_way_ms(row: small_table.Row) -> Decimal:
    """As its heading says; the time of a way of which nobody says whether there and back is, as a ping's, of both."""
    if row.text("one_way_ms") is None and row.text("round_trip_ms") is not None:
        both = _needed_number(row, "round_trip_ms", 0, 10**6)
        row.say("computed", worded("one way: half of {both} ms", both=exact(both)))
        return both / 2
    if row.text("one_way_ms") is None and row.text("latency_ms") is not None:
        both = _needed_number(row, "latency_ms", 0, 10**6)
        row.say("undecided", _ROUND_TRIPS)
        return both / 2
    return _needed_number(row, "one_way_ms", 0, 10**6)


def _rule(row: small_table.Row) -> ResidencyRule:
    """A row as a rule of residency; no country at all is allowed and noted."""
    country = row.required("country")
    parts = _BETWEEN_COUNTRIES.split(row.text("allowed_site_countries") or "")
    allowed = tuple(dict.fromkeys(name.strip() for name in parts if name.strip()))
    if not allowed:
        row.notes.append("allowed_nowhere")
    return ResidencyRule(country, allowed)


# ---------------------------------------------------------------- what a file holds


def _city_facts(cities: Sequence[UserCity]) -> Facts:
    """Cities, countries, users added up, and the bounds."""
    return (
        ("cities", len(cities)),
        ("countries", sorted({city.country for city in cities if city.country})),
        ("users", float(sum((city.users for city in cities), Decimal(0)))),
        *_bounds(cities),
    )


def _site_facts(sites: Sequence[Site]) -> Facts:
    """Sites, those in use today, and the range of their prices in USD a month.

    Unpriced ones are counted apart.
    """
    prices = [site.usd_per_month for site in sites if site.usd_per_month is not None]
    return (
        ("sites", len(sites)),
        ("current", sorted(site.site_id for site in sites if site.is_current)),
        ("countries", sorted({site.country for site in sites if site.country})),
        ("without_price", len(sites) - len(prices)),
        ("lowest_usd_per_month", float(min(prices)) if prices else None),
        ("highest_usd_per_month", float(max(prices)) if prices else None),
        ("currency", "USD"),
        *_bounds(sites),
    )


def _bounds(places: Sequence[UserCity] | Sequence[Site]) -> Facts:
    """The outermost coordinates in degrees; None without any place."""
    return (
        ("southmost_latitude", min((place.latitude for place in places), default=None)),
        ("northmost_latitude", max((place.latitude for place in places), default=None)),
        ("westmost_longitude", min((place.longitude for place in places), default=None)),
        ("eastmost_longitude", max((place.longitude for place in places), default=None)),
    )


def _measured_facts(rows: Sequence[MeasuredTransit]) -> Facts:
    """Measurements by city and site, shortest and longest one-way time in ms."""
    ways = [float(row.one_way_ms) for row in rows]
    return (
        ("measurements", len(rows)),
        ("cities", len({row.city.casefold() for row in rows})),
        ("sites", sorted({row.site_id for row in rows})),
        ("shortest_one_way_ms", min(ways, default=None)),
        ("longest_one_way_ms", max(ways, default=None)),
    )


def _rule_facts(rules: Sequence[ResidencyRule]) -> Facts:
    """The countries with a rule, and those in which any of them allows a site."""
    return (
        ("countries", sorted({rule.country for rule in rules})),
        ("allowed_site_countries", sorted({name for rule in rules for name in rule.allowed_site_countries})),
    )


_PLACE: Final = (("latitude",), ("longitude",))
USERS: Final = small_table.TableKind(
    kind="users",
    format="own_users",
    columns=("city", "country", "latitude", "longitude", "users"),
    needed=(("city",), *_PLACE, ("users",)),
    reader=small_table.one_value(_city),
    key=city_key,
    why=worded("cities with users"),
    names_of=_our_names,
    rows=_rows,
    facts=_city_facts,
)
SITES: Final = small_table.TableKind(
    kind="sites",
    format="own_sites",
    columns=phrases(
        "site_id|city|country|latitude|longitude|usd_per_month|current|grid_kg_co2_per_kwh|egress_usd_per_gb"
    ),
    needed=(("site_id",), *_PLACE),
    reader=small_table.one_value(_site),
    key=lambda site: site.site_id.casefold(),
    why=worded("sites with coordinates"),
    names_of=_our_names,
    rows=_rows,
    facts=_site_facts,
)
MEASURED: Final = small_table.TableKind(
    kind="measured",
    format="own_measured",
    columns=("city", "site_id", "one_way_ms"),
    needed=(("city", FROM_COUNTRY), ("site_id", TO_COUNTRY), _WAYS),
    reader=small_table.one_value(_measured),
    key=measured_key,
    why=worded("measured latencies from cities to sites"),
    names_of=_our_names,
    rows=_rows,
    facts=_measured_facts,
)
RESIDENCY: Final = small_table.TableKind(
    kind="residency",
    format="own_residency",
    columns=("country", "allowed_site_countries"),
    needed=(("country",), ("allowed_site_countries",)),
    reader=small_table.one_value(_rule),
    key=lambda rule: (
        rule.country.strip().casefold(),
        *sorted(map(str.casefold, rule.allowed_site_countries)),
    ),
    why=worded("data residency by country"),
    names_of=_our_names,
    rows=_rows,
    facts=_rule_facts,
)
PLACE_KINDS: Final[tuple[small_table.TableKind[Any], ...]] = (USERS, SITES, MEASURED, RESIDENCY)
"""The four kinds, in the order in which the command line names them."""
