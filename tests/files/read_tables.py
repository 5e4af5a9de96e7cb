"""How a table of contracts or prices is read, as lines of a golden table: its columns, rows, values and issues."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.tables.column_mapping import ColumnReading, TableMapping
from gpuplanner.files.tables.mapped_cells import mapped_rows
from gpuplanner.files.tables.propose_mapping import propose_table_mapping
from tests.files.random_tables import random_table
from tests.files.sources_of_text import text_source
from tests.shown import message_values, shown_fields

SHOWN_ISSUES = 8


def table_lines(kind: str, seed: int) -> str:
    """Return the columns of a random table, and what its rows say of each field."""
    return "\n".join((*column_lines(kind, seed), *cell_lines(kind, seed)))


def table_values(kind: str, seed: int) -> str:
    """Return the contracts or offers of a random table, and what is said of its file."""
    source = text_source(random_table(kind, seed), f"{kind}.csv")
    path = str(source.at)
    if kind == "contracts":
        contracts = import_contracts([path])
        values, files, refused = contracts.contracts, contracts.intake, contracts.refused
    else:
        prices = import_prices([path])
        values, files, refused = (*prices.offers, *prices.earlier_offers), prices.intake, prices.refused
    lines = [shown_fields(value) for value in values]
    lines += [line for file in files for line in file_lines(file)]
    lines += [refusal_line(error) for error in refused]
    return "\n".join(line.replace(f"{Path(path).parent}/", "") for line in lines)


def file_lines(file: FileIntake) -> Iterator[str]:
    """Yield the counts of a file's rows, and its issues with their first rows."""
    yield (
        f"{file.format}: read {file.rows_read}, accepted {file.rows_accepted}, ignored {file.rows_ignored}, "
        f"rejected {[(row.row, row.code) for row in file.rejected]}"
    )
    for issue in file.issues[:SHOWN_ISSUES]:
        yield f"{issue.code} {issue.count} row {issue.first_row}: {message_values(issue.message)}"


def refusal_line(error: PlannerError) -> str:
    return f"refused: {error.code} {message_values(error.what)}"


# --- Columns and cells ---------------------------------------------------------------------------


def column_lines(kind: str, seed: int) -> Sequence[str]:
    """Return how the columns are read: field, heading, unit, currency, style, confidence.

    `?`: the planner is asked about it, `!`: it has a note.
    """
    try:
        mapping = propose_table_mapping(text_source(random_table(kind, seed), f"{kind}.csv"), kind)
    except PlannerError as error:
        return [refusal_line(error)]
    head = f"headings in {mapping.header_row}+{mapping.header_rows}, {mapping.delimiter!r}"
    return [f"{head}, own" if mapping.is_own else head, *map(_column_line, mapping.columns)]


def _column_line(column: ColumnReading) -> str:
    marks = ("?" if column.is_asked else "") + ("!" if column.note else "")
    parts = [f"{column.field} = {column.column}", column.unit, column.currency, column.style]
    return ", ".join(filter(None, (*parts, f"{column.confidence:g}", message_values(column.why), marks)))


def cell_lines(kind: str, seed: int) -> Iterator[str]:
    """Yield the texts of each row under our own names, without empty ones, and what is said of it."""
    source = text_source(random_table(kind, seed), f"{kind}.csv")
    try:
        mapping: TableMapping = propose_table_mapping(source, kind)
        rows = [row for _, row, _ in mapped_rows(source, mapping, lambda cells, texts, row: texts)]
    except PlannerError:
        return
    for row in rows:
        if row.left_out is not None:
            yield f"left out: {message_values(row.left_out)}"
            continue
        texts = [f"{field}={cell}" for field, cell in row.texts.items() if cell]
        notes = [f"<{message_values(note)}>" for note in row.notes]
        yield "; ".join([*texts, *notes, *(f"[{code}]" for code in row.said)])
