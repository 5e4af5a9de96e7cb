"""Places as files: users' cities, sites, measured transit, data residency."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import Any, Final, TypeVar

from gpuplanner.domain.figures.typed import exact, whole
from gpuplanner.domain.message import worded
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
from gpuplanner.domain.serving.measuring import is_host
from gpuplanner.files.lists.hemispheres import is_sign_wrong
from gpuplanner.files.lists.latency_rows import are_latency_rows, latency_rows, read_latency
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.source import PARQUET, Source
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.column_mapping import without_not_needed
from gpuplanner.files.tables.delimited import as_written, header_columns
from gpuplanner.files.tables.recipe import Recipe
from gpuplanner.files.tables.recipe_file import of_recipe, with_recipe
from gpuplanner.files.tables.unread_columns import Verdict, refuse_if_asked, words_of
from gpuplanner.files.values.amounts import COMMA, POINT, decide_style, read_amount
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

Item = TypeVar("Item")

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
NOTHING_SAID: Final[Mapping[str, str | Recipe]] = {}


def import_places(
    users: Sequence[str] = (),
    sites: Sequence[str] = (),
    measured: Sequence[str] = (),
    residency: Sequence[str] = (),
    *,
    mappings: Mapping[str, str | Recipe] = NOTHING_SAID,
    refuses_unread: bool = False,
) -> PlacesRead:
    """Read files of places; of two rows that are about the same, also in two files, the first is kept.

    mappings: by path or kind, what is read otherwise than by the names of columns, in words or by a recipe.
    refuses_unread: refuse files with an unread column that is a question.

    Errors: PlannerError file_missing, file_unreadable, truncated_file. A file of another kind is refused.
    """
    reads = [
        _read_files(kind, paths, mappings, refuses_unread=refuses_unread)
        for kind, paths in zip(PLACE_KINDS, (users, sites, measured, residency), strict=True)
    ]
    cities, places, ways, rules = (read.values if read.intake else None for read in reads)
    intake = tuple(file for read in reads for file in read.intake)
    refused = tuple(fault for read in reads for fault in read.refused)
    return PlacesRead(
        cities=cities, sites=places, measured=ways, residency=rules, intake=intake, refused=refused
    )


def _read_files(
    kind: small_table.TableKind[Any],
    paths: Sequence[str],
    mappings: Mapping[str, str | Recipe],
    *,
    refuses_unread: bool,
) -> small_table.TablesRead[Any]:
    """Reads files of one kind of place, each by itself: one that is refused does not stop the others."""

    def read(path: str, source: Source) -> small_table.TableRead[Any]:
        """One file by its mapping, else by that of its kind."""
        mapping = mappings.get(path, mappings.get(kind.kind))
        if isinstance(mapping, Recipe):
            changed = with_recipe(source, mapping)
            of_words = read_places(changed.source, kind, mapping.words or None)
            of_source = of_recipe(of_words, mapping, changed.skipped)
        else:
            of_source = read_places(source, kind, mapping)
        if refuses_unread:
            refuse_if_asked(of_source.intake)
        return of_source

    return small_table.read_files(paths, read, kind.key, kind.refused)


def read_places(
    source: Source, kind: small_table.TableKind[Any], mapping: str | None = None
) -> small_table.TableRead[Any]:
    """The rows of one file. mapping: what is read otherwise than by the names of columns, in words.

    Errors: PlannerError missing_column, file_unreadable, usage.
    """
    if kind is MEASURED and source.kind != PARQUET and are_latency_rows(source.head):
        return MEASURED.collect(source, latency_rows(source), read_latency)
    if kind is MEASURED and source.kind != PARQUET and is_way_matrix(source.head):
        return _matrix(source)
    is_told = without_not_needed(mapping).of_fields is not None
    is_other = (
        not is_told and source.kind != PARQUET and kind.lacks(_our_names(header_columns(source.head).columns))
    )
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
    return kind.read(source, mapping=mapping)


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
    if kind is MEASURED and are_latency_rows(head):
        return 0.97
    is_matrix = kind is MEASURED and not begins_json(head) and is_way_matrix(head)
    return 0.95 if is_matrix else kind.sniff(head)


def describe(source: Source, mapping: str | None = None, *, kind: small_table.TableKind[Any]) -> FileIntake:
    """What `check` says of a file of a kind. mapping: as read_places."""
    try:
        return read_places(source, kind, mapping).intake
    except PlannerError as fault:
        return kind.refused(source, fault)


@cache
def _words() -> Mapping[str, tuple[str, int]]:
    """Return by the words of a heading the field that they mean, and their rank among the words of that field."""
    return {
        word: (row["field"], rank)
        for row in rows_of("place_words.csv")
        for rank, word in enumerate(row["words"].split("|"))
    }


def _our_names(columns: Sequence[str]) -> tuple[str, ...]:
    """The columns by our names; a column of ours stands before one that is only called alike, and each stands once."""
    names = ["_".join(name.split()) for name in _with_ends(columns)]
    called = (
        (rank, place, own)
        for place, name in enumerate(names)
        for own, rank in _meant(name)
        if own not in names
    )
    taken: dict[str, int] = {}
    for _, place, own in sorted(called):
        taken.setdefault(own, place)
    for own, place in taken.items():
        names[place] = own
    return tuple(names)


def _meant(name: str) -> Iterator[tuple[str, int]]:
    """Yield the field that a heading means by its words, with their rank; nothing of one that means none."""
    meaning = _words().get(" ".join(words_of(name)))
    if meaning is not None:
        yield meaning


def _with_ends(columns: Sequence[str]) -> Sequence[str]:
    """The columns with `from_country` and `to_country` where they are those of ways between countries."""
    names = ["_".join(name.split()) for name in columns]
    has_way = any(own in _WAYS for name in names for own, _ in (*_meant(name), (name, 0)))
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
    """Rows below the header; numbers of a file are written in one style, with points or with commas."""
    delimiter = header_columns(source.head).delimiter
    with source.rows(delimiter) as opened:
        lines = list(opened)
    body = [
        (line, dict(zip(names, map(as_written, cells), strict=False)), cells) for line, cells in lines[1:]
    ]
    numbers = [name for name in _NUMBERS if name in names]
    style = _style_of({name: [texts.get(name, "") for _, texts, _ in body] for name in numbers})
    for line, texts, cells in body:
        for name in numbers:
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


def _style_of(columns: Mapping[str, Sequence[str]]) -> str:
    """Return the style of all numbers of a file: as any of them proves, else the one in which all users are whole."""
    proven = decide_style(chain.from_iterable(columns.values())).style
    if proven is not None:
        return proven
    users = [cell for cell in columns.get("users", ()) if cell]
    return next((style for style in (POINT, COMMA) if all(_is_whole(cell, style) for cell in users)), POINT)


def _is_whole(cell: str, style: str) -> bool:
    """Return whether a cell is a whole number in a style."""
    number = read_amount(cell, style).number
    return number is not None and number == number.to_integral_value()


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
    if users != users.to_integral_value():
        problem = worded("users is {text}, not a whole number", text=exact(users))
        raise small_table.RowError("bad_number", problem, worded("write whole users, in one number style"))
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
        host=_host(row),
    )


def _host(row: small_table.Row) -> str:
    """The host of a site; empty, and noted, where it is no name and no address."""
    host = row.text("host") or ""
    if host and not is_host(host):
        row.say("unknown_value", small_table.cell_is("host", host))
        return ""
    return host


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
    unread=Verdict.ASKED,
)
SITES: Final = small_table.TableKind(
    kind="sites",
    format="own_sites",
    columns=phrases(
        "site_id|city|country|latitude|longitude|host|usd_per_month|current|grid_kg_co2_per_kwh|egress_usd_per_gb"
    ),
    needed=(("site_id",), *_PLACE),
    reader=small_table.one_value(_site),
    key=lambda site: site.site_id.casefold(),
    why=worded("sites with coordinates"),
    names_of=_our_names,
    rows=_rows,
    facts=_site_facts,
    unread=Verdict.ASKED,
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

FIELDS_OF_PLACES: Final = {kind.kind: kind.fields for kind in (USERS, SITES)}
"""By kind of place that a mapping is of, the fields that it names."""
