"""Workloads, values of the app: the matching term and the hardware fit of each workload, and the lists below them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.evaluation import Evaluation, fit_project
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.reports import serving, training
from gpuplanner.domain.reports.plan_layers import MIX, TERM_MATCH
from gpuplanner.domain.reports.report import Medium, Report
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Content, Table
from gpuplanner.files.workbook.kit.figure_cells import Look, looks_of, report_fields, write_report
from gpuplanner.files.workbook.kit.looks import AMBER, GREEN, RED, Field
from gpuplanner.files.workbook.kit.sheets import CALC_WORKLOADS
from gpuplanner.lazy_dataclass import replace

SAID_BEFORE: Final = frozenset(("name", "cost_today", "pool", "usd_per_month", "key"))
"""Columns of the two reports that the list of workloads has already."""
TODAY: Final = {"gpu_model": "GPU model today"}
"""The list of workloads has the GPU model of the plan, too."""

Facts = Mapping[str, Mapping[str, Content]]
"""Cells of workloads by key of the workload, then by key of the column."""


def _fields(report: Report, looks: str) -> tuple[Field, ...]:
    """Return the columns of a report that the list of workloads does not have."""
    return tuple(
        replace(field, key=f"of_{field.key}", heading=TODAY.get(field.key, field.heading))
        for field in report_fields(report, 14, looks_of(looks))
        if field.key not in SAID_BEFORE
    )


FIELDS: Final = (*_fields(TERM_MATCH, "term"), *_fields(serving.FITS, "fit"))
LIGHTS: Final = ("of_light", "of_term_light")
"""The first and the last column with a light."""


def facts_of(inputs: Inputs) -> Facts:
    """Return the matching term and the hardware fit of each workload, as cells under FIELDS."""
    rows = [serving.NamedFit(name="", usd_per_month=None, fit=fit) for fit in _fits(inputs.evaluation)]
    facts: dict[str, dict[str, Content]] = {}
    _add(facts, TERM_MATCH, ((row.key, row) for row in TERM_MATCH.rows(inputs.evaluation)))
    _add(facts, serving.FITS, ((row.fit.key, row) for row in rows))
    return facts


def _fits(evaluation: Evaluation) -> Sequence[WorkloadFit]:
    """Return the hardware fit of each workload."""
    if evaluation.fit is not None:
        return evaluation.fit
    return fit_project(evaluation.project, evaluation.audit, read_tables())


def _add(facts: dict[str, dict[str, Content]], report: Report, rows: Iterable[tuple[str, Any]]) -> None:
    """Add the cells of a report. rows: the key of the workload and the row of each."""
    columns = [
        (f"of_{column.name}", column.of)
        for column in report.columns_in(Medium.WORKBOOK)
        if column.name not in SAID_BEFORE
    ]
    for key, row in rows:
        facts.setdefault(key, {}).update({name: value_of(row) for name, value_of in columns})


def color_lights(table: Table) -> None:
    """Color the lights of the hardware fit."""
    for word, color in (("red", RED), ("amber", AMBER), ("green", GREEN)):
        look = table.book.workbook.add_format({"font_color": color, "bold": True})
        rule = {"type": "cell", "criteria": "==", "value": f'"{word}"', "format": look}
        table.book.sheets[table.sheet].conditional_format(*table.area(*LIGHTS), rule)


def write_below(book: Book, inputs: Inputs) -> None:
    """Write the lists below the workloads: the mix of each class, runs on spot, runs out of memory, other hardware."""
    evaluation = inputs.evaluation
    fits = _fits(evaluation)
    row = book.sheets[CALC_WORKLOADS].free_row
    about: Any
    for report, about in (
        (MIX, evaluation),
        (training.SPOT_RUNS, evaluation.outlook),
        (training.OUT_OF_MEMORY, fits),
        (training.OTHER_HARDWARE, fits),
    ):
        if report.rows(about):
            looks = {"pool": Look(32, style="strong")} if report is MIX else {}
            table = write_report(
                book, CALC_WORKLOADS, row, report, about, 14, looks, heading=report.title, is_long=True
            )
            row = table.end_row + 1
