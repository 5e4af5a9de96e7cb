"""Palettes: all colors of the window as data, for light, dark and high contrast."""

from typing import Final

from PySide6.QtGui import QColor

from gpuplanner.files.system.user_files import rows_of
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.words.lanes import LANES, Lane

_LANES: Final = frozenset(Lane)


@dataclass(frozen=True, slots=True)
class LaneColours:
    """Colors of a pool. fill: also for lines; on_fill: text on the fill; tint: column behind a drop."""

    fill: str
    on_fill: str
    tint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """A palette. Contrast (WCAG 2): text at least 4.5; edge, focus and pools at least 3.0 on all three backgrounds."""

    name: str
    is_dark: bool
    window: str  # behind panels and columns
    surface: str  # bars, columns, formula boxes
    raised: str  # cards, inputs, docks, popovers
    text: str
    muted: str
    line: str  # hairlines; never the only sign
    edge: str  # inputs, zero lines, total rules, drop targets
    accent: str  # one primary button, links, the current tab; never data
    on_accent: str
    focus: str
    selection: str
    red: str
    amber: str
    green: str
    grid: str
    track: str  # behind a bar
    handle: str  # of a scroll bar
    lanes: dict[Lane, LaneColours]
    terms: dict[int, str]  # months -> colour; 0 is on demand
    hatch: str  # of usage-priced layers
    heat: tuple[str, ...]  # low to high

    def colour(self, role: str) -> QColor:
        """Return the color of a role; the name of a pool gives its fill."""
        return self.lane(Lane(role)) if role in _LANES else QColor(getattr(self, role))

    def lane(self, lane: Lane) -> QColor:
        """Return the fill of a pool."""
        return QColor(self.lanes[lane].fill)

    def term(self, months: int) -> QColor:
        """Return the color of a term; a term between two steps takes the lower one."""
        known = max((step for step in self.terms if step <= months), default=0)
        return QColor(self.terms[known])


_TERM_MONTHS: Final = (0, 1, 3, 6, 12, 24, 36)


def _palette(name: str) -> Palette:
    """Return a palette of the shipped table."""
    role = {row["role"]: row[name] for row in rows_of("palettes.csv")}
    lanes = {lane: LaneColours(*role.pop(lane).split()) for lane in LANES}
    terms = dict(zip(_TERM_MONTHS, role.pop("terms").split(), strict=True))
    is_dark, heat = role.pop("is_dark") == "yes", tuple(role.pop("heat").split())
    return Palette(name=name, is_dark=is_dark, lanes=lanes, terms=terms, heat=heat, **role)


LIGHT, DARK, HIGH_CONTRAST = map(_palette, ("light", "dark", "high contrast"))

PALETTES: Final = {palette.name: palette for palette in (LIGHT, DARK, HIGH_CONTRAST)}

_IN_USE: list[Palette] = [LIGHT]


def in_use() -> Palette:
    """Return the palette in use."""
    return _IN_USE[0]


def use(palette: Palette) -> None:
    """Use a palette from now on; see kit/style_sheet.py."""
    # a new object each time, so that charts detect the change
    _IN_USE[0] = replace(palette)
