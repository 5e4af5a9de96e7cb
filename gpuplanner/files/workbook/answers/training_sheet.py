"""Training: each stated run on every GPU model, its network and its checkpoints."""

from collections.abc import Sequence

from gpuplanner.domain.reports import training
from gpuplanner.domain.training.answer import Answer
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.figure_cells import looks_of, write_report
from gpuplanner.files.workbook.kit.sheets import STUDIES


def write_training(book: Book, answers: Sequence[Answer]) -> None:
    """Write each stated run on every GPU model, the cost of its network, and other models that fit."""
    row = book.title(
        STUDIES,
        f"Fit, end and cost of each run. {VALUES}Change runs in the panel Hardware fit of the app and export again.",
        "P10 and P90: measured over predicted hours of published runs. No hour is measured here.",
        title="Training",
    )
    for answer in answers:
        blocks = (
            (answer.stated.called, training.TRAINING_RUNS, answer.choices),
            (training.NETWORKS.title, training.NETWORKS, answer.networks),
            (training.LARGEST_MODELS.title, training.LARGEST_MODELS, answer.choices),
            (training.CHIPS.title, training.CHIPS, answer.chips),
        )
        for heading, report, about in blocks:
            if about:
                table = write_report(book, STUDIES, row, report, about, 12, looks_of("run"), heading=heading)
                row = table.end_row + 1
            if report is training.TRAINING_RUNS:
                widest = table
                for sentence in (
                    () if answer.best is None else training.sentences_of(answer.best, answer.asked)
                ):
                    book.write(STUDIES, row, 0, book.in_currency(sentence), "muted")
                    row += 1
        book.check()
    widest.widen()
