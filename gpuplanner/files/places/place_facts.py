"""Places: a cloud's regions with coordinates or with the carbon of their grid, and countries with their centres."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from gpuplanner.domain.model.log.intake import Facts, FileIntake
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.places.place_signs import is_sign_wrong
from gpuplanner.files.sources.json_objects import json_records, text_of
from gpuplanner.files.sources.json_values import json_members, json_paths
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.described_tables import RowNotes, table_rows
from gpuplanner.files.tables.headers import header_columns
from gpuplanner.files.values.numbers import read_decimal

KIND: Final = "sites"
REGIONS_WHY: Final = worded("it is a list of regions with their coordinates")
CARBON_WHY: Final = worded("it is a list of regions with the carbon of their grid")
COUNTRIES_WHY: Final = worded("it is a list of countries with their centres")

_REGION: Final = ("google cloud region", "region", "cloud region")
_CFE: Final = ("google cfe", "carbon-free energy", "cfe")
_INTENSITY_WORD: Final = "carbon intensity"


def sniff_regions(head: str) -> float:
    """How sure it is that a text is an object of regions, each with a latitude and a longitude, 0..1."""
    ends = {path.rpartition(".") for path in json_paths(head)}
    regions = {start for start, _, end in ends if end == "latitude" and start and "." not in start}
    return 0.95 if regions - {"item"} else 0.0


def sniff_countries(head: str) -> float:
    """How sure it is that a text is an array of countries with their centres, 0..1."""
    needed = {"item.country", "item.latitude", "item.longitude", "item.name"}
    return 0.95 if needed <= json_paths(head).keys() else 0.0


def sniff_carbon(head: str) -> float:
    """How sure it is that a text is a table of regions and the carbon of their grid, 0..1."""
    columns = header_columns(head)[1]
    has_intensity = any(_INTENSITY_WORD in name for name in columns)
    return 0.95 if has_intensity and set(columns) & set(_REGION) else 0.0


def describe_regions(source: Source) -> FileIntake:
    """Regions and where they span; a coordinate whose sign belies the region's country is said. Errors: as JSON's."""
    members = ((name, value) for name, value in json_members(source, ""))
    return _described(source, members, "regions")


def describe_countries(source: Source) -> FileIntake:
    """Countries; two letters are a code and never a missing value, so NA is Namibia. Errors: as JSON's."""
    members = ((_text_at(value, "country"), value) for _, value in json_records(source))
    return _described(source, members, "countries")


def _described(source: Source, members: Iterable[tuple[str, object]], noun: str) -> FileIntake:
    notes = RowNotes()
    ids: set[str] = set()
    latitudes: list[float] = []
    longitudes: list[float] = []
    wrong: list[str] = []
    unplaced = 0
    for row, (name, value) in enumerate(members, 1):
        notes.read += 1
        if not isinstance(value, Mapping):
            notes.reject("bad_number", row, worded("{name} has no coordinates", name=name), text_of(value))
            continue
        ids.add(name)
        latitude, longitude = (_degrees(_text_at(value, key), most) for key, most in _AXES)
        if latitude is None or longitude is None:
            unplaced += 1
            if any(_text_at(value, key) for key, _ in _AXES):
                notes.note("bad_number", row)
            continue
        latitudes.append(latitude)
        longitudes.append(longitude)
        if is_sign_wrong(_text_at(value, "name"), latitude, longitude):
            wrong.append(name)
            notes.note("wrong_place", row)
    facts: Facts = (
        (noun, len(ids)),
        ("southmost_latitude", min(latitudes, default=None)),
        ("northmost_latitude", max(latitudes, default=None)),
        ("westmost_longitude", min(longitudes, default=None)),
        ("eastmost_longitude", max(longitudes, default=None)),
        ("without_coordinates", unplaced),
        ("wrong_places", wrong),
    )
    return notes.intake(source, KIND, "", facts)


_AXES: Final = (("latitude", 90), ("longitude", 180))


def describe_carbon(source: Source) -> FileIntake:
    """Regions, how much of their power is free of carbon, and grams of CO2 a kWh."""
    notes = RowNotes()
    columns = header_columns(source.head)[1]
    intensity = next(name for name in columns if _INTENSITY_WORD in name)
    region = next(name for name in _REGION if name in columns)
    share = next((name for name in _CFE if name in columns), "")
    ids: set[str] = set()
    grams: list[Decimal] = []
    shares: list[Decimal] = []
    with table_rows(source, notes) as rows:
        for line, row in rows:
            value, free = read_decimal(row.get(intensity, "")), read_decimal(row.get(share, ""))
            if value is None or value < 0:
                text = row.get(intensity, "")
                notes.reject(
                    "bad_number",
                    line,
                    worded("the carbon intensity is {text}", text=f"{text!r}"),
                    ",".join(row.values()),
                )
                continue
            ids.add(row.get(region, ""))
            grams.append(value)
            if free is not None:
                shares.append(free)
    facts: Facts = (
        ("regions", len(ids)),
        ("lowest_gco2_per_kwh", _number(min(grams, default=None))),
        ("highest_gco2_per_kwh", _number(max(grams, default=None))),
        ("lowest_carbon_free_share", _number(min(shares, default=None))),
        ("highest_carbon_free_share", _number(max(shares, default=None))),
    )
    return notes.intake(source, KIND, "", facts)


def _text_at(value: object, key: str) -> str:
    return text_of(value.get(key)) if isinstance(value, Mapping) else ""


def _degrees(text: str, most: int) -> float | None:
    number = read_decimal(text)
    return None if number is None or abs(number) > most else float(number)


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
