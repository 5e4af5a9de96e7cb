"""The first rows of a log as a file of their own, so that the same steps read them."""

import csv
import glob
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

from gpuplanner.files.sources.source import Source, survey, unsound_parquet
from gpuplanner.files.sources.spreadsheet import sheet_rows
from gpuplanner.files.sources.unpack import Part
from gpuplanner.files.system.engine import quiet_connection, sql_text
from gpuplanner.lazy_dataclass import dataclass

_CHUNK_BYTES: Final = 2**20
_BYTES_AT_MOST: Final = 256 * 2**20
_LINES_AFTER_AN_OPEN_QUOTE: Final = 200


@dataclass(frozen=True, slots=True)
class LogSample:
    """source: of the rows alone, under the name of the whole; is_whole: whether these are all the rows there are."""

    source: Source
    is_whole: bool


def sample_of(part: Part, folder: Path, rows_at_most: int, check: Callable[[], None]) -> LogSample:
    """The first rows, with the numbers they have in the file. check: called often; may raise to stop.

    Rows of a workbook become CSV; a Parquet file keeps its types. Errors: as survey.
    """
    at = (
        folder / f"first_{rows_at_most}_{len([*folder.iterdir()])}"
    )  # a name of its own: theirs may be too long
    with part.at.open("rb") as file:
        first = file.read(4)
    if first.startswith(b"PAR1"):
        is_whole = _of_parquet(part, at, rows_at_most)
    elif first.startswith(b"PK"):
        is_whole = _of_workbook(part, at, rows_at_most, check)
    elif first.startswith((b"\xff\xfe", b"\xfe\xff")):
        return LogSample(survey(part.path, lambda count: check(), part.at), is_whole=True)
    else:
        is_whole = _of_text(part, at, rows_at_most, check)
    return LogSample(survey(part.path, lambda count: check(), at), is_whole)


def _of_text(part: Part, at: Path, rows_at_most: int, check: Callable[[], None]) -> bool:
    """Lines as they are, with the header; where a quote is still open at the end, up to where it is closed."""
    lines = quotes = size = 0
    with part.at.open("rb") as file, at.open("wb") as out:
        for line in iter(lambda: file.readline(_CHUNK_BYTES), b""):
            is_open = quotes % 2 == 1 and lines < rows_at_most + _LINES_AFTER_AN_OPEN_QUOTE
            if (lines > rows_at_most and not is_open) or size > _BYTES_AT_MOST:
                return not line.strip() and not file.read(_CHUNK_BYTES).strip()
            if lines % 5000 == 0:
                check()
            out.write(line)
            lines += line.endswith(b"\n")
            quotes += line.count(b'"')
            size += len(line)
    return True


def _of_workbook(part: Part, at: Path, rows_at_most: int, check: Callable[[], None]) -> bool:
    """Writes the first rows of a sheet as CSV, each on the line of its own row number.

    True if that is all of it.
    """
    with sheet_rows(part.at, part.path) as rows, at.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        written = 0
        for number, cells in islice(rows, rows_at_most + 1):
            if number % 1000 == 0:
                check()
            out.write("\n" * (number - written - 1))
            writer.writerow([" ".join(cell.splitlines()) for cell in cells])
            written = number
        return next(rows, None) is None


def _of_parquet(part: Part, at: Path, rows_at_most: int) -> bool:
    """Writes the first rows of a Parquet file as another; true if that is all of it."""
    import duckdb

    try:
        with quiet_connection() as connection:
            connection.execute("set timezone = 'UTC'")
            connection.execute(
                f"copy (select * from read_parquet(?, hive_partitioning=false) limit {rows_at_most}) "
                f"to {sql_text(at)} (format parquet)",
                [glob.escape(str(part.at))],
            )
            found = connection.execute(
                "select sum(num_rows) from parquet_file_metadata(?)", [glob.escape(str(part.at))]
            ).fetchone()
    except duckdb.Error as fault:
        raise unsound_parquet(part.path) from fault
    return found is not None and int(found[0] or 0) <= rows_at_most
