"""Formulas of sheets that are not protected, which the sheet Exported works out once more."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.files.workbook.answers.exported.blocks import title_of
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.cell_names import sheet_reference as spelled

LOOKS_AT_MOST: Final = 1_000_000
"""Formulas that look at all rows are worked out again up to here: so many rows are looked at in a column."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A column whose formulas are worked out again, by place. is_by_number: each row has a formula of its own, which
    goes with it wherever it is sorted to; else all have the same, which says the same of whatever is sorted there."""

    key: str
    formulas: Mapping[int, str]
    is_by_number: bool


def worked_out_again(table: Table) -> list[Repeated]:
    """The columns of formulas of a table on a sheet that is not protected, in the order of the sheet."""
    found = []
    for key, texts in sorted(table.open_formulas().items(), key=lambda one: table.column_of(one[0])):
        alike = {_for_any_row(text, table, place) for place, text in texts.items()}
        is_by_number = table.is_numbered and (len(alike) > 1 or len(texts) < table.size)
        is_of_all = is_by_number or ":" in "".join(alike)
        if table.size * len(texts) <= LOOKS_AT_MOST or not is_of_all:
            found.append(Repeated(key, texts, is_by_number))
    return found


def too_long(tables: Sequence[Table]) -> str:
    """Which columns of formulas nobody works out again, for their table is too long; "" where there are none."""
    left = []
    for table in tables:
        headings = {field.key: str(field.heading) for field in table.fields}
        again = {one.key for one in worked_out_again(table)}
        names = [headings[key] for key in table.open_formulas() if key not in again]
        left += [f"{title_of(table)} ({', '.join(names)})"] if names else []
    if not left:
        return ""
    return (
        f" Formulas that look at all rows are not worked out again in {'; '.join(left)}, for these have too many rows: "
        "one that is typed over there is found by the totals of Checks alone."
    )


def _for_any_row(text: str, table: Table, place: int) -> str:
    """A formula with its own row left out of its references."""
    own = rf"{re.escape(spelled(table.sheet))}!\$([A-Z]+)\${table.first_row + place + 1}(?![0-9:])"
    return re.sub(own, r"\1", text)
