"""Waiting: waits by pool and GPU model on the plan, and today."""

from gpuplanner.domain.queue.sentences import by_standing, trust_words
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports.waiting import POOL_WAITS, SIZES, WINDOWS
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.figure_cells import looks_of, write_report
from gpuplanner.files.workbook.kit.sheets import STUDIES


def write_waiting(book: Book, waiting: Waiting) -> None:
    """Write waits by pool and model on the plan, by pool today and as measured, and sizes with their $."""
    row = book.title(
        STUDIES,
        f"The jobs of the log replayed on the GPUs of the plan. {VALUES}Change the plan or the target in the panel "
        "Waiting of the app and export again.",
        *map(book.in_currency, trust_words(waiting)),
        title="Waiting",
    )
    for heading, report, about in (
        ("Replaying the log on the plan's GPUs", POOL_WAITS, waiting.by_model if waiting.is_planned else ()),
        ("Replaying the log on today's GPUs", POOL_WAITS, waiting.today),
        ("As measured in the log", POOL_WAITS, waiting.measured),
        (WINDOWS.title, WINDOWS, waiting.windows),
        *((title, SIZES, points) for title, points in by_standing(waiting.frontier)),
    ):
        if about:
            table = write_report(
                book, STUDIES, row, report, about, 12, looks_of("wait"), heading=heading, is_long=True
            )
            row = table.end_row + 1
    table.widen()
