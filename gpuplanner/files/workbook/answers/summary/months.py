"""Summary, its twelve months: do nothing, the plan as advised and its layers held, and what each of the two saves."""

from typing import Final

from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import Expr, copy_of
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import Cell, maybe
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison

FIELDS: Final = (
    Field("way", "Over twelve months", width=34),
    Field("usd", "Sum, $", "usd", 22),
    Field("saved", "Saved against doing nothing, $", "change", 18),
    Field("how", "What it is", "muted", 18),
)
WAYS: Final = (
    ("nothing", "Do nothing", "Contracts run on and end; what they leave over is paid on demand"),
    ("plan", "Plan as advised", "The app's orders and follow-ups, at the prices of this book"),
    ("held", "Plan with layers held", "Today's layers for all twelve months, with sizes typed on Commitment"),
)
"""Column of Comparison, what it is called, what it is."""


def write_months(book: Book, sheet: str, comparison: Comparison, row: int, serves_less: bool) -> int:
    """The sums of the three ways below a heading; the answer is the row below them.

    serves_less: whether the plan leaves more demand to nobody than doing nothing does; then it saves nothing known.
    """
    book.write(sheet, row, 0, "The next twelve months", "section")
    table = Table(book, sheet, row + 1, len(WAYS), FIELDS)
    nothing = comparison.sums["nothing"]
    for place, (key, name, how) in enumerate(WAYS):
        whole = comparison.sums[key]
        table.put("way", place, name, "text" if key == "nothing" else "strong")
        table.put("usd", place, copy_of(whole))
        table.put("saved", place, "" if key == "nothing" else None if serves_less else _saved(nothing, whole))
        table.put("how", place, SERVES_LESS if serves_less and key != "nothing" else how)
    return table.end_row + 1


def _saved(nothing: Expr, plan: Expr) -> Expr:
    """Doing nothing less the plan, by the formula of that figure; above 0 saves."""
    cell: Cell = PLAN.value("savings_vs_do_nothing", {"do_nothing": maybe(nothing), "plan": maybe(plan)})
    return cell.live
