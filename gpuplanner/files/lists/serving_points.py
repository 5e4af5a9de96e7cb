"""Tables of measured points of serving: which replica, under how many requests, of how many tokens."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import ServingPoint
from gpuplanner.files.sources.source import sources_of
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.small_table import rows_below
from gpuplanner.files.values.numbers import read_decimal

COLUMNS: Final = (
    "model",
    "gpu_model",
    "tensor_parallel",
    "precision",
    "concurrency",
    "input_tokens",
    "output_tokens",
)
OTHER_PRECISIONS: Final = {
    **dict.fromkeys(("FP16", "BFLOAT16", "FLOAT16", "HALF", "16"), "BF16"),
    **dict.fromkeys(("FP8_E4M3", "E4M3", "F8", "W8A8-FP8"), "FP8"),
    **dict.fromkeys(("NVFP4", "MXFP4", "F4"), "FP4"),
    **dict.fromkeys(("AWQ", "GPTQ", "W4A16", "INT4-AWQ"), "INT4"),
    "W8A8": "INT8",
}
"""What files call a precision, in capitals, and what it is here."""


def precision_of(text: str) -> str:
    """The precision that a file names; as it is written, in capitals, where it is none of ours.

    >>> precision_of("nvfp4"), precision_of("bf16"), precision_of("int3")
    ('FP4', 'BF16', 'INT3')
    """
    name = text.strip().upper()
    return OTHER_PRECISIONS.get(name, name)


def read_points(path: str) -> tuple[tuple[ServingPoint | None, str], ...]:
    """Every row below the heading as a point and "", or None and what is wrong with it.

    Errors: PlannerError missing_column where a column is not there; file_missing, file_unreadable.
    """
    with sources_of(path) as sources:
        source = sources[0]
        names = [name.strip().casefold() for name in header_columns(source.head)[1]]
        lacking = [name for name in COLUMNS if name not in names]
        if lacking:
            raise PlannerError(
                source.path,
                "missing_column",
                worded("it has no column {names}", names=", ".join(lacking)),
                worded("give a CSV with {columns}", columns=",".join(COLUMNS)),
            )
        return tuple(_point(row.texts) for _, row, _ in rows_below(source, header_columns(source.head)[1]))


def _point(texts: Mapping[str, str]) -> tuple[ServingPoint | None, str]:
    """A row as a point; None and why where a number is none, or not above 0."""
    numbers = {}
    for name in ("tensor_parallel", "concurrency", "input_tokens", "output_tokens"):
        number = read_decimal(texts.get(name, "").strip())
        if number is None or number < 0 or (number == 0 and name != "input_tokens"):
            return None, f"{name} is {texts.get(name, '')!r}"
        numbers[name] = float(number)
    return (
        ServingPoint(
            texts["model"].strip(),
            texts["gpu_model"].strip(),
            max(1, round(numbers["tensor_parallel"])),
            precision_of(texts["precision"]),
            numbers["concurrency"],
            numbers["input_tokens"],
            numbers["output_tokens"],
        ),
        "",
    )
