"""The ibis expression as SQL of the embedded engine, compiled once a process for tables of the same columns."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.files.system.engine import Engine

if TYPE_CHECKING:
    import ibis

_KEPT: Final = 64


def compiled(engine: Engine, table: str, expression: "Callable[..., ibis.Table]", *arguments: object) -> str:
    """SQL for expression(table, *arguments). table: of the engine; arguments: values that can be hashed.

    To compile takes longer than to run it on a small log, and the next log has the same columns.
    """
    columns = tuple((name, kind) for name, kind, *_ in engine.all(f'describe "{table}"'))
    return _compiled(table, columns, expression, arguments)


@lru_cache(_KEPT)
def _compiled(
    table: str,
    columns: tuple[tuple[str, str], ...],
    expression: "Callable[..., ibis.Table]",
    arguments: tuple[Any, ...],
) -> str:
    """The SQL of an expression over a table of these columns; no table has to be there."""
    import ibis
    from ibis.backends.sql.datatypes import DuckDBType

    schema = ibis.schema({name: DuckDBType.from_string(kind) for name, kind in columns})
    return str(ibis.to_sql(expression(ibis.table(schema, name=table), *arguments), dialect="duckdb"))
