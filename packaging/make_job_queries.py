"""Writes resources/job_queries.csv: the SQL of the job expressions, which the query compiler makes of them."""

import csv
import tempfile
from pathlib import Path
from unittest.mock import patch

from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.job_logs.judging import expression

LOG = """job_id,gpus,start,end
1,8,2026-01-01T00:00:00Z,2026-01-01T05:00:00Z
1,8,2026-01-01T00:00:00Z,2026-01-01T06:00:00Z
2,8,2026-01-02T00:00:00Z,2026-01-02T05:00:00Z
"""
"""A log with a run that is told twice: it needs every query."""

AT = Path(__file__).parents[1] / "resources" / "job_queries.csv"


def job_queries() -> dict[str, str]:
    """The SQL of every expression that reading a log compiles, by its key, with places for the ends of the window."""
    compile_one, found = expression._compiled, dict[str, str]()

    def note(table, columns, asked, arguments):  # type: ignore[no-untyped-def]
        """Compiles, and keeps what comes of it."""
        sql = compile_one(table, columns, asked, arguments)
        found[expression.query_key(table, columns, asked.__name__)] = expression.with_places(sql)
        return sql

    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(expression, "_compiled", note),
        patch.object(expression, "read_job_queries", dict),
    ):
        log = Path(folder) / "log.csv"
        log.write_text(LOG)
        read_inputs([str(log)])
    return found


if __name__ == "__main__":
    with AT.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(("query", "sql"))
        rows.writerows(sorted(job_queries().items()))
