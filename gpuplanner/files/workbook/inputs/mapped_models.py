"""Mapped GPU models in the book: their ratios as yellow inputs, rates at them, and whole GPUs of the offer's model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from gpuplanner.domain.model.book.model_mapping import LEAST_RATIO, MOST_RATIO, ModelMapping
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import Expr, Range, call, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.input_rules import take_between
from gpuplanner.files.workbook.kit.watch import Watch


@dataclass(frozen=True, slots=True)
class Ratios:
    """Cells of the ratios by (model of the demand, model of the offer), and all of them (None: there are none)."""

    cells: Mapping[tuple[str, str], Expr]
    column: Range | None


WORTH = Field(
    "worth",
    "Ratio",
    "amount",
    8,
    "GPUs of the row's model that one GPU of the offer's model does the work of.",
)
PAID = Field(
    "paid",
    "GPUs paid for",
    "mean",
    10,
    "In GPUs of the row's model: whole GPUs of the offer's model, or whole units of them, times the ratio.",
)

_FIELDS = (
    Field("gpu_model", "GPU model"),
    Field("offer_model", "May be served by"),
    Field("ratio", "Ratio", "amount"),
)


_WATCH = Watch("Ratios of GPU models", named_by=("gpu_model", "offer_model"), values=True)


def write_mappings(book: Book, sheet: str, row: int, mappings: Sequence[ModelMapping]) -> Ratios:
    """A table of the ratios, where there are any; nothing is written without them."""
    if not mappings:
        return Ratios({}, None)
    book.write(sheet, row, 0, "GPU models that may serve others: one GPU does the work of so many", "section")
    table = Table(book, sheet, row + 1, len(mappings), _FIELDS, watch=_WATCH)
    cells = {}
    for place, one in enumerate(mappings):
        table.put("gpu_model", place, one.gpu_model)
        table.put("offer_model", place, one.offer_model)
        cells[one.gpu_model, one.offer_model] = table.put("ratio", place, one.ratio, "amount.input")
    take_between(table, "ratio", None, LEAST_RATIO, MOST_RATIO)
    return Ratios(cells, table.range("ratio"))


def at_ratio(rate: Expr, ratio: Expr | None) -> Expr:
    """A rate for the work of one GPU of the demand's model; text stays text."""
    if ratio is None:
        return Expr(rate.text, rate.value, True)
    value = rate.value if isinstance(rate.value, str) else rate.value / ratio.number
    return Expr(f"IF(ISNUMBER({rate.text}),{rate.text}/{ratio.text},{rate.text})", value, True)


def paid_for(gpus: Expr, ratio: Expr | None, before: Sequence[Expr], unit: Expr) -> Expr:
    """GPUs of the demand's model that are paid for where `gpus` are bought in whole GPUs of the offer's model.

    ratio: None for the model itself. before: what is bought of the same offer at the same time in rows above; all are
    ordered together. unit: GPUs that the offer sells together.
    """
    worth = 1.0 if ratio is None else ratio.number
    divided = "" if ratio is None else f"/{ratio.text}"

    def whole(parts: Sequence[Expr]) -> Expr:
        """Whole GPUs of the offer's model for the sum of some layers, rounded up."""
        total = sum(part.number for part in parts)
        text = "+".join(part.text for part in parts) or "0"
        count = float(ceil(total / worth / unit.number - 1e-9))
        return call("ROUNDUP", count, f"({text}){divided}/{unit.text}-1E-9", 0) * unit

    more = whole((*before, gpus)) - whole(before) if before else whole((gpus,))
    return when(gpus.equals(0), 0, more if ratio is None else more * ratio)
