"""Look of a page: fonts, sizes, colors and distances."""

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtGui import QFont

from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.chart_export import as_text_in_a_pdf
from gpuplanner.domain.brief import pages
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.brief import sheets
from gpuplanner.lazy_dataclass import dataclass, replace

FAMILIES: Final = (
    "Segoe UI",
    "Helvetica Neue",
    "Noto Sans",
    "Liberation Sans",
    "Arial",
    "Inter",
    "DejaVu Sans",
)
"""Those first whose digits share one width as they are: on paper no feature of a font may make them so."""
POINTS: Final = {
    "kicker": (10.5, 600),
    "title": (17.0, 600),
    "figure": (17.0, 600),
    "heading": (10.5, 600),
    "body": (10.5, 400),
    "table": (10.5, 400),
    "table_strong": (10.5, 600),
    "small": (10.5, 400),
    "small_strong": (10.5, 600),
}
"""Step -> points and weight; whole pixels, to which fonts are rounded."""
GAP: Final = 18.0
HEADING_LINE: Final = 16.0
HEADING_GAP: Final = 4.0
TITLE_LINE: Final = 28.0
PARAGRAPH_GAP: Final = 6.0
CELL_PAD: Final = 5.0
LEAST_CHART: Final = 150.0
FIGURES_HEIGHT: Final = 92.0
"""Of a strip of large figures whose notes have two lines."""
NOTE_LINE: Final = 16.0
SCALES: Final = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7)
"""Of the type of a page with much to say, tried in turn."""
LEAST: Final = 0.86
"""At which a page is parted: 9 points. Only what cannot be parted is set smaller."""
FORM_LINE: Final = 22.0
"""Least height of a row that is filled in by hand."""
FRAME_PAD: Final = 6.0
"""Between a frame and its text."""
HOURS_PER_DAY: Final = 24
NAMES_GAP: Final = 24
"""Pixels beside the names of lines."""


Row = tuple[pages.Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What pages are painted with. Colours are of the form #rrggbb, terms: by months, 0 is what is paid by use.

    margin: at both sides of a sheet. gap: between blocks; row_pad: of a row of a table beside its lines. scales: of the
    type, tried in turn; least: the one at which a page is parted for a screen. say: how the few words of a chart's own
    are read.
    """

    ground: str
    text: str
    muted: str
    grid: str
    edge: str
    accent: str
    red: str
    amber: str
    amber_ground: str
    hatch: str
    existing: str
    pools: Mapping[Pool, str]
    terms: Mapping[int, str]
    margin: float = 46.0
    gap: float = GAP
    row_pad: float = 5.0
    scale: float = 1.0
    scales: tuple[float, ...] = SCALES
    least: float = LEAST
    say: Callable[[Text], str] = str

    def font(self, step: str) -> QFont:
        """One step, of glyphs that a PDF knows as letters.

        step: of POINTS. Errors: KeyError for another.
        """
        points, weight = POINTS[step]
        made = QFont()
        made.setFamilies(list(FAMILIES))
        made.setPointSizeF(points * self.scale)
        made.setWeight(QFont.Weight(weight))
        made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return as_text_in_a_pdf(made)

    def term(self, months: int) -> str:
        """The step of the ramp that a term is drawn in; a term between two steps takes the one below it."""
        return self.terms[max(step for step in self.terms if step <= months)]

    @property
    def chart_colours(self) -> ChartColours:
        """What charts are drawn with: their type does not become smaller with that of a page."""
        whole = replace(self, scale=1.0)
        small, strong = whole.font("small"), whole.font("small_strong")
        return ChartColours(
            raised=self.ground,
            text=self.text,
            muted=self.muted,
            grid=self.grid,
            edge=self.edge,
            small=small,
            strong=strong,
        )


PAPER: Final = Look(
    ground=sheets.GROUND,
    text=sheets.TEXT,
    muted=sheets.MUTED,
    grid=sheets.GRID,
    edge=sheets.EDGE,
    accent=sheets.ACCENT,
    red=sheets.RED,
    amber=sheets.AMBER,
    amber_ground=sheets.AMBER_GROUND,
    hatch=sheets.HATCH,
    existing=sheets.EXISTING,
    pools=sheets.POOLS,
    terms=sheets.TERMS,
)
"""As the window's light palette has it, whatever the window wears."""
SIGNED: Final = replace(PAPER, gap=8.0, row_pad=2.0, margin=38.0, least=0.7)
"""Of pages that are signed: what belongs together stands on one sheet, in 7 points at least."""
