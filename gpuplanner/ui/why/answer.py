"""One answer to "Why this number?": its formula, rows and inputs, and the whole of it as text."""

from dataclasses import dataclass

from gpuplanner.domain.message import Text
from gpuplanner.files.tables.harmless_cells import tab_text
from gpuplanner.ui.state.inputs import Pairs
from gpuplanner.ui.tables.cells import Column, Row
from gpuplanner.ui.words.translation import speak, tr


@dataclass(frozen=True, slots=True)
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
