"""The workbook, timed and weighed, beside openpyxl's normal mode writing the same cells in the same run.

Run: python tests/benchmarks/bench_workbook.py [WORKLOADS HOURS]. Each writes in a process of its own, forked from one
that holds the evaluation, or the cells; memory is the growth of its largest resident size. Asserts nothing of time.
"""

import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from bench_drag import made_project

from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook

Cells = list[tuple[str, list[tuple[int, int, object]]]]
MB = 2**20


def resident_bytes() -> int:
    """What this process holds now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def measured(write: Callable[[Path], None], path: Path) -> tuple[float, float, int]:
    """Seconds by the clock and of the processor, and bytes that the process grew by, in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_measure, args=(write, path, theirs))
    process.start()
    answer = ours.recv()
    process.join()
    return answer


def _measure(write: Callable[[Path], None], path: Path, answer: Connection) -> None:
    before = resident_bytes()
    begun, spent = time.perf_counter(), time.process_time()
    write(path)
    seconds, of_processor = time.perf_counter() - begun, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    answer.send((seconds, of_processor, max(0, peak - before)))


def cells_of(path: Path) -> Cells:
    """Every cell of a book that is not empty: row, column, value or formula."""
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True)
    return [
        (
            sheet.title,
            [
                (row, column, value)
                for row, cells in enumerate(sheet.iter_rows(values_only=True), 1)
                for column, value in enumerate(cells, 1)
                if value is not None
            ],
        )
        for sheet in book.worksheets
    ]


def written_by_openpyxl(sheets: Cells, path: Path) -> None:
    """The same cells, without styles, charts and names: less work than ours."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, cells in sheets:
        sheet = book.create_sheet(title)
        for row, column, value in cells:
            sheet.cell(row, column, value)
    book.save(path)


def made_evaluation(workloads: int, hours: int) -> Evaluation:
    """A project as the other benchmarks make it, evaluated whole."""
    project = made_project(workloads, hours)
    return evaluate(project, project.scenarios[0].name, read_tables())


Measured = tuple[float, float, int]


def both(evaluation: Evaluation) -> tuple[Measured, Measured, int, int]:
    """What our writer took, what openpyxl took for the same cells, how many those are, and the bytes of our file."""
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.xlsx", Path(folder) / "theirs.xlsx"
        here = measured(lambda path: write_workbook(evaluation, path, 0), ours)
        cells = cells_of(ours)
        there = measured(lambda path: written_by_openpyxl(cells, path), theirs)
        return here, there, sum(len(of_sheet) for _, of_sheet in cells), ours.stat().st_size


def main() -> None:
    """Build, write, print."""
    workloads, hours = (int(word) for word in (sys.argv[1:3] or ("50000", "2160")))
    here, there, count, size = both(made_evaluation(workloads, hours))
    print(f"{workloads:,} workloads, {hours:,} hours, {count:,} cells, {size / MB:.1f} MB")
    for name, (seconds, of_processor, grown) in (("ours", here), ("openpyxl", there)):
        print(f"{name:10} {seconds:7.1f} s {of_processor:7.1f} s of processor {grown / MB:8.0f} MB")
    print(
        f"{'ratio':10} {here[0] / there[0]:7.2f}   {here[1] / there[1]:7.2f} {here[2] / max(1, there[2]):21.2f}"
    )


if __name__ == "__main__":
    main()
