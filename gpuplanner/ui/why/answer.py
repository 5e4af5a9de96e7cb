"""One answer to 'Why this number?': formula, rows and inputs, and its text."""

from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.domain.message import Text
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state.view_state import Pairs
from gpuplanner.ui.tables.cells import Column, Row
from gpuplanner.ui.words import numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a figure is what it is. A row whose key is a figure opens the answer for it."""

    title: str
    formula: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    remark: str = ""
    inputs: Pairs = ()
    readings_title: str = ""
    readings: Pairs = ()
    more: Pairs = ()  # words, and the figure that they open

    def __post_init__(self) -> None:
        speak(self, "title", "formula", "note", "remark", "readings_title")

    @property
    def has_unknown(self) -> bool:
        """Whether a figure in it, or all of what it answers for, is unknown or known in part."""
        said = (
            self.title,
            *(cell.text for row in self.rows for cell in row.cells),
            *(text for _, text in self.readings),
        )
        return any(mark in str(text) for text in said for mark in (numbers.UNKNOWN, numbers.AT_LEAST))

    def as_text(self) -> str:
        """Everything as plain text, for a mail or a note."""
        rows: list[tuple[Text, ...]] = [(self.title,), (self.formula,), (self.note,), ("",)]
        if self.columns:
            rows.append(tuple(column.title for column in self.columns))
            rows += [tuple(cell.text for cell in row.cells) for row in self.rows]
        rows += [(self.remark,), ("",), (tr("Inputs"),), *self.inputs]
        if self.readings:
            rows += [("",), (self.readings_title,), *self.readings]
        return tab_text([map(str, row) for row in rows]).strip() + "\n"
