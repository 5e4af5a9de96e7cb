"""Logs of every kind, sound or with random damage, and what is read of them as lines of a golden table.

A case names a shape of `log_shapes` and a seed, such as `sacct 3`; with seed 0 the log is sound.
"""

import tempfile
from pathlib import Path

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_jobs import ReadOptions
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.damaged import damaged
from tests.files.job_logs.log_shapes import SHAPES
from tests.files.job_logs.rich_logs import rich_log
from tests.files.sniffed import sniffed_lines
from tests.shown import class_lines, message_values


def log_text(case: str) -> str:
    """Return what each dialect thinks of a log's head, what is read of it, and what is said of its rows."""
    shape, _, seed = case.rpartition(" ")
    text = damaged(SHAPES[shape].text, int(seed))
    sure = {dialect.format: dialect.sniff(text) for dialect in DIALECTS}
    sniffed = " ".join(f"{name} {confidence:g}" for name, confidence in sure.items() if confidence)
    return "\n".join((f"sniffed: {sniffed or 'by none'}", *read_lines(text, SHAPES[shape].mapping)))


def rich_log_text(case: str) -> str:
    """Return what is read of a log with all columns or units, and what is said of its rows. case: as of `rich_log`."""
    return "\n".join(read_lines(*rich_log(case)))


def read_lines(text: str, mapping: str | None = None) -> list[str]:
    """Return what is read of a log, and what is said of its rows."""
    with tempfile.TemporaryDirectory(prefix="log-") as folder:
        path = Path(folder) / "log"
        path.write_text(text, encoding="utf-8", newline="")
        options = ReadOptions(mapping=mapping)
        try:
            read = read_inputs([str(path)], options=options, window_request=WindowRequest(whole_log=True))
        except PlannerError as error:
            return [f"refused: {error.code} {message_values(error.what)}"]
    (file, *_) = read.intake
    lines = [
        f"{file.format}: read {file.rows_read}, accepted {file.rows_accepted}, ignored {file.rows_ignored}, in the "
        f"window {file.jobs_in_window}"
    ]
    lines += [
        f"row {row.row} {row.code}: {message_values(row.message)}" for row in (*file.rejected, *file.noted)
    ]
    lines += [
        f"{issue.code} {issue.count} row {issue.first_row}: {message_values(issue.message)}"
        for issue in file.issues
    ]
    lines += [f"{name} {value}" for name, value in file.facts]
    parts = (read.window, read.cube, read.workloads, read.jobs)
    return [line.replace(f"{folder}/", "") for line in (*lines, *class_lines(parts).splitlines())]


def sniffed_text(case: str) -> str:
    """Return how sure each dialect is of a sound log. case: its shape."""
    return sniffed_lines(SHAPES[case].text, lambda: DIALECTS)
