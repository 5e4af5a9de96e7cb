"""Places: regions with coordinates or the carbon of their grid, countries, and signs of coordinates."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.sources.json_values import json_members, json_paths, json_records, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import Row, RowError
from gpuplanner.files.tables.table_kind import Rows, TableKind, one_value
from gpuplanner.files.values.numbers import phrases, read_decimal

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


def _regions(source: Source, *_: object) -> Rows:
    """Each member of the JSON as a region."""
    return _rows((name, value) for name, value in json_members(source, ""))


def _countries(source: Source, *_: object) -> Rows:
    """Two letters are a code and never a missing value, so NA is Namibia."""
    return _rows((_text_at(value, "country"), value) for _, value in json_records(source))


def _rows(members: Iterable[tuple[str, object]]) -> Rows:
    """Each key with its object's texts, numbered from 1."""
    for number, (key, value) in enumerate(members, 1):
        texts = {name: _text_at(value, name) for name in ("name", "latitude", "longitude")}
        texts |= {"key": key, "is_object": "1" if isinstance(value, Mapping) else ""}
        yield number, Row(texts), text_of(value)


def _placed(row: Row) -> _Placed:
    """A row as a place; coordinates that cannot be read leave it without any, and a wrong sign is noted.

    Errors: RowError `bad_number` where the entry is no object.
    """
    name = row.texts["key"]
    if not row.texts["is_object"]:
        raise RowError(
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
    noun: str, why: Message, told_by: Callable[[str], float], rows: Callable[..., Rows]
) -> TableKind[_Placed]:
    """Every place of a file counts, also two of one name."""
    return TableKind(
        KIND,
        "",
        (),
        (),
        one_value(_placed),
        id,
        why,
        rows=rows,
        told_by=told_by,
        facts=lambda places: _placed_facts(noun, places),
    )


REGIONS: Final = _of_coordinates(
    "regions", worded("it is a list of regions with their coordinates"), _sniff_regions, _regions
)
COUNTRIES: Final = _of_coordinates(
    "countries", worded("it is a list of countries with their centres"), _sniff_countries, _countries
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


def _grid(row: Row) -> _Grid:
    """A row as the carbon of a region's grid in gCO2e a kWh; RowError if that is none.

    The free share may be unknown.
    """
    text = row.text("gco2_per_kwh") or ""
    grams = read_decimal(text)
    if grams is None or grams < 0:
        raise RowError("bad_number", worded("the carbon intensity is {text}", text=repr(text)))
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


CARBON: Final = TableKind(
    KIND,
    "",
    ("region", "gco2_per_kwh", "carbon_free_share"),
    (("region",), ("gco2_per_kwh",)),
    one_value(_grid),
    id,
    worded("it is a list of regions with the carbon of their grid"),
    _grid_names,
    sureness=0.95,
    facts=_grid_facts,
)
"""Every region of a file counts, also two of one name: a list may have several years."""
