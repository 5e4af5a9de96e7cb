"""Limits of a scheduler: a table with whose they are, and max_gpus or shares."""

from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.planned_work import MOST_GPUS
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.files.lists.cell_errors import bad_cell
from gpuplanner.files.tables.small_table import Row, RowError, TableKind, one_value
from gpuplanner.files.tables.unread_columns import Verdict

_WHOSE: Final = ("user", "account", "qos", "partition")


def _read_limit(row: Row) -> Limit:
    """A row as a limit. Errors: RowError where it names nobody, or where there is no number or a bad one."""
    names = {column: row.text(column) or "" for column in _WHOSE}
    numbers: dict[str, float | None] = {}
    for column, least in (("max_gpus", 0.0), ("shares", 1e-9)):
        number = numbers[column] = row.real(column, high=MOST_GPUS)
        if row.text(column) is not None and (number is None or number < least):
            raise bad_cell(
                row, column, worded("write a number over 0, at most {most}", most=whole(MOST_GPUS))
            )
    for columns, values in ((names, names.values()), (numbers, numbers.values())):
        if all(value in ("", None) for value in values):
            raise RowError(
                "missing_column", worded("{column} is empty", column=", ".join(columns)), worded("fill it in")
            )
    is_of_one = names["user"] or names["account"]
    is_of_more = names["qos"] or names["partition"] or "*" in names.values()
    if numbers["shares"] and (is_of_more or not is_of_one):
        raise bad_cell(row, "shares", worded("give shares to one user or one account"))
    return Limit(
        user=names["user"],
        account=names["account"],
        qos=names["qos"],
        partition=names["partition"],
        gpu_model=row.text("gpu_model") or "",
        max_gpus=numbers["max_gpus"],
        shares=numbers["shares"],
    )


LIMITS: Final = TableKind(
    kind="limits",
    format="own_limits",
    columns=(*_WHOSE, "gpu_model", "max_gpus", "shares"),
    needed=(_WHOSE, ("max_gpus", "shares")),
    reader=one_value(_read_limit),
    key=lambda limit: (*limit.names, limit.max_gpus is None),
    why=worded("has a user, account, qos or partition, and max_gpus or shares"),
    unread=Verdict.TOLD,
)
"""Of two rows of the same names the first is kept; `*` stands for each user, account, QOS, partition or GPU model."""
