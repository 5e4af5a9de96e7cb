"""Waiting: waits by pool and GPU model on the plan, and today."""

from typing import Final

from gpuplanner.domain.queue.sentences import by_standing, trust_words
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports.waiting import POOL_WAITS, SIZES, WINDOWS
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.figure_cells import looks_of, write_report

WAITING: Final = "Waiting"


def write_waiting(book: Book, waiting: Waiting | None) -> None:
    """Write the sheet: waits by pool and model on the plan, by pool today and as measured, and sizes with their $."""
    row = book.title(
        WAITING,
        f"The jobs of the log run again on the GPUs of the plan. {VALUES}Change the plan or the target in the panel "
        "Waiting of the app, and export again.",
        *(
            (
                "Nothing is known: the log does not say when jobs were submitted, or its rows are not kept here. "
                "Import it again.",
            )
            if waiting is None
            else map(book.in_currency, trust_words(waiting))
        ),
    )
    sheet = book.sheets[WAITING]
    if waiting is None or not waiting.frontier:
        book.print_nothing(WAITING)
        return
    for heading, report, about in (
        ("Replaying the log on the plan's GPUs", POOL_WAITS, waiting.by_model if waiting.is_planned else ()),
        ("Replaying the log on today's GPUs", POOL_WAITS, waiting.today),
        ("As measured in the log", POOL_WAITS, waiting.measured),
        (WINDOWS.title, WINDOWS, waiting.windows),
        *((title, SIZES, points) for title, points in by_standing(waiting.frontier)),
    ):
        if about:
            table = write_report(
                book, WAITING, row, report, about, 12, looks_of("wait"), heading=heading, is_long=True
            )
            row = table.end_row + 1
    table.widen()
    sheet.freeze_panes(0, 1)
    sheet.print_up_to(row - 1, table.column_of("mark"))
