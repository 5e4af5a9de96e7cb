"""Palettes: every colour of the window as data, for light, dark and high contrast."""

from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtGui import QColor

from gpuplanner.ui.words.lanes import LANES, Lane

_LANES: Final = frozenset(Lane)


@dataclass(frozen=True, slots=True)
class LaneColours:
    """One pool: fill and line are one colour; tint is the column behind a drop; text is what is written on the fill."""

    fill: str
    on_fill: str
    tint: str


@dataclass(frozen=True, slots=True)
class Palette:
    """One look. Contrast (WCAG 2): text roles 4.5 and more, edge, focus and pools 3.0 and more on all three grounds."""

    name: str
    is_dark: bool
    window: str  # behind panels and columns
    surface: str  # bars, columns, formula boxes
    raised: str  # cards, inputs, docks, popovers
    text: str
    muted: str
    line: str  # hairlines; never the only sign of anything
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
    lanes: dict[Lane, LaneColours]
    terms: dict[int, str]  # months -> colour; 0 is on demand
    hatch: str  # the hatching of usage-priced layers
    heat: tuple[str, ...]  # low to high

    def colour(self, role: str) -> QColor:
        """A role as a colour; the name of a pool is its fill."""
        return self.lane(Lane(role)) if role in _LANES else QColor(getattr(self, role))

    def lane(self, lane: Lane) -> QColor:
        """The fill of a pool."""
        return QColor(self.lanes[lane].fill)

    def term(self, months: int) -> QColor:
        """The ramp by commitment; a term between two steps takes the one below it."""
        known = max((step for step in self.terms if step <= months), default=0)
        return QColor(self.terms[known])


def _lanes(*rows: tuple[str, str, str]) -> dict[Lane, LaneColours]:
    """The colours of all columns, in their order."""
    return {lane: LaneColours(*row) for lane, row in zip(LANES, rows, strict=True)}


_TERM_MONTHS: Final = (0, 1, 3, 6, 12, 24, 36)


def _terms(*colours: str) -> dict[int, str]:
    """A colour for each term, in months."""
    return dict(zip(_TERM_MONTHS, colours, strict=True))


_HEAT: Final = ("#F4F0E1", "#CAE7CF", "#94D3C1", "#5DB5BA", "#398BA9", "#32618E", "#2C3969")
_INK: Final = "#0B0F14"

LIGHT: Final = Palette(
    name="light",
    is_dark=False,
    window="#ECEEF2",
    surface="#F7F8FA",
    raised="#FFFFFF",
    text="#1A1E26",
    muted="#596170",
    line="#D9DDE4",
    edge="#7D8695",
    accent="#4B45C6",
    on_accent="#FFFFFF",
    focus="#4B45C6",
    selection="#E7E6FA",
    red="#C02A2A",
    amber="#8A5B06",
    green="#1B753F",
    grid="#E4E7EC",
    track="#E4E7EC",
    lanes=_lanes(
        ("#1F58AE", "#FFFFFF", "#EBF0F8"),
        ("#0F9484", _INK, "#E9F5F4"),
        ("#C96F04", _INK, "#FAF2E8"),
        ("#6B5D52", "#FFFFFF", "#F2F0EF"),
    ),
    terms=_terms("#E7EAF3", "#D2D8EC", "#B3BDDC", "#94A0C8", "#7381B1", "#526094", "#323E72"),
    hatch="#7381B1",
    heat=_HEAT,
)

DARK: Final = Palette(
    name="dark",
    is_dark=True,
    window="#121419",
    surface="#191C22",
    raised="#22262E",
    text="#E8EAEF",
    muted="#9EA6B4",
    line="#31363F",
    edge="#747D8C",
    accent="#A29DF8",
    on_accent="#14131F",
    focus="#BDB9FF",
    selection="#302E55",
    red="#FF8078",
    amber="#E9BC55",
    green="#62CB8B",
    grid="#2C313A",
    track="#31363F",
    lanes=_lanes(
        ("#4F88EC", _INK, "#262E3D"),
        ("#4FD6C1", _INK, "#26343A"),
        ("#EFA13D", _INK, "#32302F"),
        ("#A0948A", _INK, "#2C2F35"),
    ),
    terms=_terms("#303646", "#3C445D", "#4D577B", "#626E99", "#7886BA", "#94A2D4", "#B6C3EC"),
    hatch="#7886BA",
    heat=_HEAT[::-1],
)

HIGH_CONTRAST: Final = Palette(
    name="high contrast",
    is_dark=True,
    window="#000000",
    surface="#000000",
    raised="#000000",
    text="#FFFFFF",
    muted="#E0E0E0",
    line="#8C8C8C",
    edge="#FFFFFF",
    accent="#FFE14D",
    on_accent="#000000",
    focus="#FFE14D",
    selection="#1F3A5C",
    red="#FF8A80",
    amber="#FFD54A",
    green="#7CFF9B",
    grid="#4A4A4A",
    track="#3A3A3A",
    lanes=_lanes(
        ("#6FA8FF", _INK, "#000000"),
        ("#5FF0D8", _INK, "#000000"),
        ("#FFB020", _INK, "#000000"),
        ("#A69C95", _INK, "#000000"),
    ),
    terms=_terms("#000000", "#555555", "#717171", "#8F8F8F", "#AEAEAE", "#D1D1D1", "#FFFFFF"),
    hatch="#AEAEAE",
    heat=_HEAT[::-1],
)

PALETTES: Final = {palette.name: palette for palette in (LIGHT, DARK, HIGH_CONTRAST)}


class Coloured(Protocol):
    """A view that is told which colours to draw in."""

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
