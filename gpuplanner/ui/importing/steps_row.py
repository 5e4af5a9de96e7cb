"""The steps that make a table ready before its columns are mapped: chips, and a menu to add one."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import add_named
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.files.tables import recipe
from gpuplanner.files.tables.column_mapping import column_place
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.layout import STRETCH, add, emptied, row
from gpuplanner.ui.kit.page_parts import label, named_button, passing_menu
from gpuplanner.ui.kit.small_dialogs import ask_fields

SIGN: Final = ";"
"""Between several columns or values in one field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedStep:
    """A step that may be added. fields: that it asks for; made: returns the step of their texts, None of others."""

    name: Text
    fields: tuple[Text, ...]
    made: Callable[[Sequence[str]], recipe.TableStep | None]


def _several(text: str) -> tuple[str, ...]:
    """The parts of a text."""
    return tuple(part.strip() for part in text.split(SIGN) if part.strip())


def _percent(column: str, percent: str) -> recipe.TableStep | None:
    """A percentage on top, as a number or as a column."""
    number = percent.strip().removesuffix("%").strip()
    is_number = number.replace(".", "", 1).replace(",", "", 1).isdecimal()
    if not (column and number):
        return None
    if is_number:
        return recipe.PercentOnTop(column=column, percent=number)
    return recipe.PercentOnTop(column=column, percent_column=percent.strip())


ASKED: Final = (
    AskedStep(
        name=worded("Heading row"),
        fields=(worded("Row"),),
        made=lambda texts: recipe.HeaderRow(row=int(texts[0])) if texts[0].isdecimal() else None,
    ),
    AskedStep(
        name=worded("Fill down"),
        fields=(worded("Column"),),
        made=lambda texts: recipe.FillDown(column=texts[0]) if texts[0] else None,
    ),
    AskedStep(
        name=worded("Skip rows"),
        fields=(worded("Column"), worded("Values, with ; between them")),
        made=lambda texts: (
            recipe.SkipRows(column=texts[0], values=_several(texts[1])) if all(texts) else None
        ),
    ),
    AskedStep(
        name=worded("Replace a word"),
        fields=(worded("Column"), worded("Word in the file"), worded("Read as")),
        made=lambda texts: (
            recipe.Reword(column=texts[0], value=texts[1], becomes=texts[2]) if all(texts[:2]) else None
        ),
    ),
    AskedStep(
        name=worded("Percent on top"),
        fields=(worded("Column of amounts"), worded("Percent, or its column")),
        made=lambda texts: _percent(texts[0], texts[1]),
    ),
    AskedStep(
        name=worded("Columns to rows"),
        fields=(
            worded("Columns, with ; between them"),
            worded("Column for headings"),
            worded("Column for cells"),
        ),
        made=lambda texts: (
            recipe.ColumnsToRows(columns=_several(texts[0]), name=texts[1], value=texts[2])
            if all(texts)
            else None
        ),
    ),
)
"""The steps that may be added."""


def step_words(step: recipe.TableStep) -> str:
    """Return a step in words, for its chip."""
    match step:
        case recipe.HeaderRow():
            return tr("Headings in row {row}", row=step.row)
        case recipe.FillDown():
            return tr("Fill down {column}", column=step.column)
        case recipe.SkipRows():
            return tr("Skip {column}: {values}", column=step.column, values=", ".join(step.values))
        case recipe.Reword():
            return tr(
                "{column}: {value} is {becomes}", column=step.column, value=step.value, becomes=step.becomes
            )
        case recipe.PercentOnTop():
            percent = step.percent_column or f"{step.percent}%"
            return tr("{column} plus {percent}", column=step.column, percent=percent)
        case recipe.ColumnsToRows():
            return tr("Rows from {columns}", columns=", ".join(step.columns))


def lacking_columns(step: recipe.TableStep, headings: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that a step names and the table does not have."""
    names = getattr(step, "columns", ()) or (getattr(step, "column", ""), getattr(step, "percent_column", ""))
    return tuple(name for name in names if name and column_place(headings, name) is None)


class StepsRow(QWidget):
    """Told the steps of a table and its headings; emits all steps once one is added or removed."""

    steps_chosen = Signal(object)  # tuple[TableStep, ...]

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Steps of the table"))
        self.steps: tuple[recipe.TableStep, ...] | None = None
        self.chips: list[QPushButton] = []
        self._headings: tuple[str, ...] = ()
        self._lane = row(on=self, spacing=6)

    def show_steps(self, steps: tuple[recipe.TableStep, ...], headings: Sequence[str]) -> None:
        """Show a chip for each step; a click on one removes it."""
        self._headings = tuple(headings)
        if steps == self.steps:
            return
        self.steps = steps
        emptied(self._lane)
        self.chips = [
            named_button(f"{step_words(step)}  \u00d7", tr("Remove this step"), partial(self._remove, place))
            for place, step in enumerate(steps)
        ]
        self.more = named_button(
            tr("Add step\u2026"), tr("Change the table before it is mapped"), self._offer
        )
        add(self._lane, label(tr("Steps"), role="muted"), *self.chips, self.more, STRETCH)

    def _remove(self, place: int, _checked: bool = False) -> None:
        """The table is made ready without a step."""
        steps = self.steps or ()
        self.steps_chosen.emit((*steps[:place], *steps[place + 1 :]))

    def _offer(self) -> None:
        """Offers the steps that may be added."""
        menu = passing_menu(self)
        for asked in ASKED:
            add_named(menu, f"{spoken(asked.name)}\u2026", partial(self.ask, asked))
        menu.popup(QCursor.pos())

    def ask(self, asked: AskedStep) -> None:
        """Asks for the fields of a step, again while it names a column that is not there, and adds it."""
        columns = tr("Columns: {names}", names=", ".join(self._headings))
        fields: Mapping[str, str] = {spoken(name): "" for name in asked.fields}
        while texts := ask_fields(self, spoken(asked.name), columns, fields, tr("Add step")):
            step = asked.made([text.strip() for text in texts])
            if step is not None and not lacking_columns(step, self._headings):
                self.steps_chosen.emit((*(self.steps or ()), step))
                return
            fields = dict(zip(fields, texts, strict=True))
