"""A cloud's regions or countries with their coordinates: described, not read as places."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.lists.hemispheres import is_sign_wrong
from gpuplanner.files.sources.json_values import json_members, json_paths, json_records, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass

KIND: Final = "sites"


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
