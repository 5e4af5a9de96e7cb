"""Audit, its end: energy and CO2 of the window by contract, and of the plan by pool, as the app worked them out."""

from typing import Any, Final

from gpuplanner.domain.commitment.result import EnergyOfPool
from gpuplanner.domain.figures import titles
from gpuplanner.domain.reports.energy import ENERGY_OF_CONTRACTS, ENERGY_OF_PLAN
from gpuplanner.domain.reports.report import Medium, Report
from gpuplanner.files.workbook.demand.audit_sheet import SHEET
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import Look, put_rows, report_fields

LOOKS: Final = dict.fromkeys(("kwh_per_month", "kg_co2_per_month"), Look(14, style="hours"))
PEAK: Final = Field("peak_kw", "Largest hour, kW", "mean")


def write_energy(book: Book, inputs: Inputs, row: int) -> None:
    """Write both blocks from a row on, each with its sum and the kW of its largest hour."""
    energy = inputs.audit.energy
    row = _block(book, ENERGY_OF_CONTRACTS, inputs.audit, energy.peak_kw, row)
    plan = inputs.advice.energy
    _block(book, ENERGY_OF_PLAN, plan, plan.peak_kw, row)


def _block(book: Book, report: Report, about: Any, peak_kw: float | None, row: int) -> int:
    """A report's rows as values, what they add up to, and the largest hour; the answer is the row below.

    Under them why a sum is unknown, where one is.
    """
    book.write(SHEET, row, 0, f"{report.title}: counted by the app, hour by hour", "section")
    fields = (*report_fields(report, 14, LOOKS), PEAK)
    count = len(report.rows_in(Medium.WORKBOOK, about))
    table = Table(book, SHEET, row + 1, count + 1, fields)
    put_rows(table, report, about)
    for place, one in enumerate(report.rows_in(Medium.WORKBOOK, about)):
        peak = one.peak_kw if isinstance(one, EnergyOfPool) and one.pool is not None else ""
        table.put(PEAK.key, place, peak)
    table.put("name", count, str(titles.ALL_OF_IT), "strong")
    whys = []
    for column in report.columns_in(Medium.WORKBOOK):
        if column.figure is not None:
            total = table.range(column.name, 0, count).known_sum() if count else 0
            table.put(column.name, count, total, "hours.total")
            if isinstance(total, Expr) and not total.is_known:
                whys.append(f"{DASH} {column.figure.title}: {column.figure.unknown}")
    table.put(PEAK.key, count, peak_kw)
    for place, why in enumerate(whys):
        book.write(SHEET, table.end_row + place, 0, why, "note")
    return table.end_row + len(whys) + 1
