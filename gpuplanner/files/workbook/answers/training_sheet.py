"""Training: each stated run on every GPU model, its network and its checkpoints."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.reports import training
from gpuplanner.domain.training.answer import Answer
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.figure_cells import looks_of, write_report

TRAINING: Final = "Training"


def write_training(book: Book, answers: Sequence[Answer]) -> None:
    """Write the sheet: each run that is stated on every GPU model, what its network costs, what else they train."""
    row = book.title(
        TRAINING,
        f"Whether a run fits, when it is done, and at which $. {VALUES}Change runs in the panel Hardware fit, rates "
        "on Prices, both in the app, and export again.",
        "Hours with P10 and P90 of measured over predicted, from published runs; nothing of these is measured here."
        if answers
        else "No run is stated yet. In the app open the panel Hardware fit, choose a model and say its tokens.",
    )
    sheet = book.sheets[TRAINING]
    if not answers:
        book.print_nothing(TRAINING)
        return
    for answer in answers:
        blocks = (
            (answer.stated.called, training.TRAINING_RUNS, answer.choices),
            (training.NETWORKS.title, training.NETWORKS, answer.networks),
            (training.LARGEST_MODELS.title, training.LARGEST_MODELS, answer.choices),
            (training.CHIPS.title, training.CHIPS, answer.chips),
        )
        for heading, report, about in blocks:
            if about:
                table = write_report(book, TRAINING, row, report, about, 12, looks_of("run"), heading=heading)
                row = table.end_row + 1
            if report is training.TRAINING_RUNS:
                widest = table
                for sentence in (
                    () if answer.best is None else training.sentences_of(answer.best, answer.asked)
                ):
                    book.write(TRAINING, row, 0, book.in_currency(sentence), "muted")
                    row += 1
        book.check()
    widest.widen()
    sheet.freeze_panes(0, 1)
    sheet.print_up_to(row - 1, widest.column_of("offer"))
