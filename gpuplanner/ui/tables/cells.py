"""What a table of figures shows: its columns, and rows of cells with text, bar, swatch and figure id."""

from collections.abc import Iterable
from dataclasses import dataclass

from gpuplanner.domain.message import Text
from gpuplanner.files.tables.harmless_cells import tab_text
from gpuplanner.ui.words.translation import speak


@dataclass(frozen=True, slots=True)
class Column:
    """A heading (its unit after a line break), the side its values stand on, and a width (0: what is left)."""

    title: Text
    is_figure: bool = True
    width: int = 0
    is_cut_at_end: bool = (
        False  # where there is no room: sentences begin with what matters, names need both ends
    )
    scale: tuple[tuple[float, str], ...] = ()  # labels over the bars of the column, at shares of its width


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in a cell: a share 0..1 in a palette role (or "lane:" and a pool), a solid mark and a dashed one."""

    share: float
    role: str = "neutral"
    solid_mark: float | None = None
    dashed_mark: float | None = None
    has_track: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows. `swatch` is a colour; `role` a palette role of the text; `icon` and its role come first.

    figure_id: the figure that "Why this number?" answers for; "" where there is nothing to ask.
    """

    text: Text = ""
    role: str = "text"
    is_strong: bool = False
    icon: str = ""
    icon_role: str = "muted"
    swatch: str = ""
    is_hatched: bool = False
    bar: Bar | None = None
    tip: Text = ""
    figure_id: str = ""

    def __post_init__(self) -> None:
        speak(self, "text", "tip")


@dataclass(frozen=True, slots=True)
class Row:
    """Cells from left to right; a total stands under a rule. key: what the row is about."""

    cells: tuple[Cell, ...]
    is_total: bool = False
    key: str = ""


def rows_as_text(columns: Iterable[Column], rows: Iterable[Row]) -> str:
    """Headings and rows, tab separated, for the clipboard."""
    head = [str(column.title).replace("\n", " ").strip() for column in columns]
    return tab_text((head, *([str(cell.text) for cell in row.cells] for row in rows)))
