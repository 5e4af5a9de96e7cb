"""Hardware: each workload beside what it needs, by class."""

from typing import Any, Final

from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports import serving, training
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.figure_cells import looks_of, write_report
from gpuplanner.files.workbook.kit.looks import AMBER, GREEN, RED

HARDWARE: Final = "Hardware"


def write_hardware(book: Book, inputs: Inputs) -> None:
    """Write the sheet: each workload beside what it needs, by class, the most expensive first."""
    evaluation = inputs.evaluation
    fits = evaluation.fit
    if fits is None:
        fits = fit_project(evaluation.project, evaluation.audit, read_tables())
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    names = {workload.key: workload.name for workload in evaluation.project.workloads}
    rows = [serving.NamedFit(names[fit.key], usd[fit.key], fit) for fit in fits]
    pools = tuple(Pool)
    rows.sort(
        key=lambda row: (
            pools.index(row.fit.pool),
            row.usd_per_month is None,
            -(row.usd_per_month or 0.0),
            row.fit.key,
        )
    )
    row = book.title(
        HARDWARE,
        "Each workload: its $, its longest run on two networks, then its lights on what it runs on today. Red does not "
        "fit, amber is over-specified, a dash is unknown. Below: other GPU models, and what ran out of memory.",
        f"{VALUES}Change needs in the panel Hardware fit, hardware on Contracts, both in the app, and export again.",
        title="Hardware fit",
    )
    table = write_report(book, HARDWARE, row, serving.FITS, rows, 12, looks_of("fit"), is_long=True)
    table.widen()
    sheet = book.sheets[HARDWARE]
    sheet.freeze_panes(table.first_row, 1)
    book.group_workings(table, "sources")
    for word, color in (("red", RED), ("amber", AMBER), ("green", GREEN)):
        look = book.workbook.add_format({"font_color": color, "bold": True})
        rule = {"type": "cell", "criteria": "==", "value": f'"{word}"', "format": look}
        sheet.conditional_format(*table.area("light", "term_light"), rule)
    row = table.end_row + 1
    about: Any  # the longest one is not printed
    for of, about in (
        (training.SPOT_RUNS, evaluation.outlook),
        (training.OUT_OF_MEMORY, fits),
        (training.OTHER_HARDWARE, fits),
    ):
        if of.rows(about):
            row = write_report(book, HARDWARE, row, of, about, 12, heading=of.title, is_long=True).end_row + 1
