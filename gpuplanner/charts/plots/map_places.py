"""Places on a map of the world: cities, sites, and the colors in which they are drawn."""

from collections.abc import Sequence

from PySide6 import QtGui

from gpuplanner.lazy_dataclass import dataclass

Coasts = Sequence[tuple[str, Sequence[tuple[float, float]]]]
"""land or water, and the corners of a closed line as (longitude, latitude)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapColours:
    """What the map is drawn with.

    Colours as #rrggbb. small, strong: fonts of cities and of sites.
    """

    sea: str
    land: str
    line: str
    text: str
    muted: str
    edge: str
    near: str  # a short way
    far: str  # a longer one
    over: str  # too long; dashed as well
    focus: str
    small: QtGui.QFont
    strong: QtGui.QFont


@dataclass(frozen=True, slots=True, kw_only=True)
class MapCity:
    """A city: size is its users' share of the largest city's, 0..1; way: near, far, over, or none where it is unserved.

    site: place of its site in the list of sites, None without; is_top: filled, else a ring; tip: all of it in words.
    """

    key: str
    name: str
    latitude: float
    longitude: float
    size: float
    site: int | None
    way: str
    is_top: bool
    tip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSite:
    """A site: one of the shown set is filled and named, another is an empty square.

    Units: degrees, north and east positive; tip: all of it in words.
    """

    name: str
    latitude: float
    longitude: float
    is_used: bool
    tip: str
