"""Write the workbook: every sheet in the order in which values follow from one another, then one safe replace."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final
from zipfile import ZipFile

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text, joined
from gpuplanner.domain.model.errors import Cancelled
from gpuplanner.domain.queue.sentences import with_waiting
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports.changes import TRACK_REPORTS, beside, headline
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.track.track import Track
from gpuplanner.files.system.memory import few_collections
from gpuplanner.files.system.output_file import output_file, unwritable
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.workbook.answers.advice_sheet import write_advice
from gpuplanner.files.workbook.answers.checks_sheet import Written, write_checks
from gpuplanner.files.workbook.answers.method_sheet import write_method
from gpuplanner.files.workbook.answers.studies_sheet import studies_of, write_studies
from gpuplanner.files.workbook.answers.summary_sheet import write_summary
from gpuplanner.files.workbook.demand.audit_sheet import write_audit, write_sums, write_window_use
from gpuplanner.files.workbook.demand.demand_months import DemandAhead, write_today, write_use_hours
from gpuplanner.files.workbook.demand.leaks_sheet import write_chargeback, write_leaks
from gpuplanner.files.workbook.demand.pools_sheet import write_pool_money, write_pools
from gpuplanner.files.workbook.front.by_number import write_by_number
from gpuplanner.files.workbook.front.contracts_page import write_contracts_page
from gpuplanner.files.workbook.front.decisions_sheet import write_decisions
from gpuplanner.files.workbook.front.orders_sheet import write_orders_page
from gpuplanner.files.workbook.front.pages import Fronts, form_of
from gpuplanner.files.workbook.front.quotes_page import write_quotes_page
from gpuplanner.files.workbook.front.savings_sheet import write_savings
from gpuplanner.files.workbook.inputs import assumptions_sheet, demand_sheet, prices_sheet, sheet_inputs
from gpuplanner.files.workbook.inputs.contracts_sheet import write_contracts, write_timeline, write_use
from gpuplanner.files.workbook.inputs.workloads_sheet import write_dates, write_shares, write_workloads
from gpuplanner.files.workbook.kit import cells, figure_cells
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.sheets import DECISIONS, SHEETS, STUDIES, Group, Sheet
from gpuplanner.files.workbook.plan import commitment_sheet, comparison_sheet, order_rows, quotes_sheet


# The file that a workbook is packed into: every write asks first whether the planner still wants it.
class CheckedFile:
    """A binary file for one zip archive. The first write after a refusal raises it; what comes then goes nowhere.

    An archive that is given up still writes its end, and must not fail a second time while it is being let go.
    """

    def __init__(self, target: BinaryIO, check: Callable[[], None]) -> None:
        """check: raises where the work is to end."""
        self._target, self._check, self._is_given_up, self._at = target, check, False, 0

    def write(self, data: bytes) -> int:
        """Write, or raise what `check` raises."""
        self._at += len(data)
        if self._is_given_up:
            return len(data)
        try:
            self._check()
            return self._target.write(data)
        except BaseException:
            self._is_given_up = True
            raise

    def tell(self) -> int:
        """Where the next write goes."""
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go there."""
        self._at = offset if self._is_given_up else self._target.seek(offset, whence)
        return self._at

    def flush(self) -> None:
        """Hand on what was written."""
        if not self._is_given_up:
            self._target.flush()

    def give_up(self) -> None:
        """Take no more."""
        self._is_given_up = True


OnShare = Callable[[float], None]
OnProgress = Callable[[float, Text], None]
"""Called with how much of the whole is done, 0..1, and what is being done."""

xlsxwriter.workbook.ZipFile = partial(ZipFile, compresslevel=5)  # 6 takes half as long again for 4% less

OPTIONS: Final = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": False,
    "default_date_format": "d mmm yyyy",
    "default_format_properties": {"font_name": "Arial", "font_size": 10},
}


TRACK_SHEET: Final = Sheet(
    key="track",
    name="Track",
    group=Group.PEOPLE,
    is_printed=True,
    is_protected=True,
    holds="Plan vs. actual, as values",
)


def write_workbook(
    evaluation: Evaluation,
    path: Path,
    generated_at_s: int,
    on_progress: OnProgress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    is_told: bool = False,
    waiting: Waiting | None = None,
    paper: str = "a4",
) -> list[dict[str, object]]:
    """Write an evaluation with its advice as an XLSX file with live formulas and their cached values.

    The file is written beside `path` and then put in its place: it is there whole or not at all. The answer is what
    stands in it, as `cells.told` has it; nothing unless is_told.
    generated_at_s: epoch seconds UTC. on_progress: how much of the whole is done, 0..1, and what. waiting: how long
    jobs wait, where it is known. paper: a4 or letter, of the front
    pages.
    Errors: Cancelled where is_cancelled() turned true; PlannerError where the file cannot be written or is open
    elsewhere; ValueError where the evaluation has no advice or no outlook yet.
    """

    def check() -> None:
        """Stops between rows where the planner has cancelled; the file there was stays as it is."""
        if is_cancelled is not None and is_cancelled():
            raise Cancelled

    def tell(share: float) -> None:
        """Tells which share is written, 0 to 1; also a place to stop."""
        check()
        if on_progress is not None:
            on_progress(share, "Writing the workbook")

    evaluation = with_waiting(evaluation, waiting)
    write = partial(_write_sheets, evaluation, generated_at_s, tell, waiting, paper)
    book = _written(path, generated_at_s, write, evaluation.project.currency, check, tell, is_told)
    if on_progress is not None:
        on_progress(1.0, "Workbook written")
    return book


def write_track(track: Track, currency: str, path: Path, generated_at_s: int) -> None:
    """Write a plan beside what came as an XLSX file of values, a table below the other.

    currency: of its amounts. generated_at_s: epoch seconds UTC. Errors: as `write_workbook`.
    """

    def write(book: Book) -> None:
        book.add_sheet(TRACK_SHEET)
        row = book.title(TRACK_SHEET.name, str(headline(track)), title="Plan vs. actual")
        for report in TRACK_REPORTS:
            if report.rows_in(Medium.WORKBOOK, track):
                table = figure_cells.write_report(
                    book, TRACK_SHEET.name, row, report, track, 14, heading=report.title, is_long=True
                )
                row = table.end_row + 1
        noted = (joined((one.title, one.note), ": ") for one in TRACK_REPORTS if one.note)
        for at, words in enumerate((beside(track), *noted, *track.notes)):
            book.write(TRACK_SHEET.name, row + at, 0, words, "note")
        sheet = book.sheets[TRACK_SHEET.name]
        sheet.set_column(0, 0, 40)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)

    _written(path, generated_at_s, write, currency)


def _written(
    path: Path,
    generated_at_s: int,
    write: Callable[[Book], None],
    currency: str,
    check: Callable[[], None] = lambda: None,
    tell: OnShare = lambda _: None,
    is_told: bool = False,
) -> list[dict[str, object]]:
    """A whole book in its place. write: its sheets."""
    try:
        with output_file(path) as target, own_folder() as workings, few_collections():
            packed = CheckedFile(target, check)
            workbook = xlsxwriter.Workbook(packed, {**OPTIONS, "tmpdir": str(workings)})
            created = datetime.fromtimestamp(generated_at_s, UTC).replace(tzinfo=None)
            workbook.set_properties(
                {"title": "GPU capacity plan", "author": "gpuplanner", "created": created}
            )
            workbook.set_calc_mode("auto")
            book = Book(workbook=workbook, check=check, currency=currency, is_told=is_told)
            try:
                write(book)
                for number, sheet in enumerate(book.sheets.values()):
                    sheet.begun = partial(tell, 0.6 + 0.35 * number / len(book.sheets))
                workbook.close()
                values = cells.told(book.told, book.tables)
            finally:
                packed.give_up()
                book.close()
            check()
    except XlsxWriterException as error:
        cause = next((one for one in error.args if isinstance(one, OSError)), OSError(str(error)))
        raise unwritable(path, cause) from error
    return values


def _write_sheets(
    evaluation: Evaluation,
    generated_at_s: int,
    tell: OnShare,
    waiting: Waiting | None,
    paper: str,
    book: Book,
) -> None:
    """Every sheet, in the order of what needs what; the tabs have their own order."""
    inputs = sheet_inputs.inputs_of(evaluation, generated_at_s)
    studies = studies_of(inputs, waiting)
    for sheet in SHEETS:
        if sheet.name != STUDIES or studies.are_there:
            book.add_sheet(sheet)
    tell(0.02)
    form = form_of(inputs, paper)
    named = assumptions_sheet.write_assumptions(book, inputs, form)
    dates = write_dates(book, inputs)
    prices = prices_sheet.write_prices(book, inputs, named, dates.edges)
    contracts = write_contracts(named, dates)
    tell(0.05)
    hours = demand_sheet.HourSheet(book, inputs, named)
    write_today(hours, contracts.table)
    tell(0.1)
    ahead = DemandAhead(hours, contracts, dates)
    ahead.write_month_0()
    write_use(contracts, prices, hours)
    write_timeline(book, named, contracts)
    tell(0.2)
    audit = write_audit(prices, contracts.table, hours)
    workloads = write_workloads(named, prices, ahead.dates)
    pools = write_pools(prices, hours, workloads)
    tell(0.4)
    orders = commitment_sheet.write_list(book, inputs, named, prices)
    comparison = comparison_sheet.write_comparison(pools, orders, ahead)
    commitment = commitment_sheet.write_commitment(named, contracts, pools, comparison)
    write_pool_money(pools, commitment.layers, comparison.advised.run_usd)
    write_shares(workloads, pools.table, named)
    commitment_sheet.write_layer_charts(hours, pools, commitment)
    of_break_even = commitment_sheet.write_ladder(
        named, orders.prices, pools.table, commitment.totals.end_row + 1
    )
    quotes = quotes_sheet.write_quotes(named, orders)
    of_orders = [*quotes.checks, *order_rows.write_focus_sheet(named, orders)]
    write_studies(book, inputs, studies)
    write_sums(inputs, audit, contracts.table, pools.table.range("open_usd"))
    write_use_hours(hours)
    write_window_use(contracts.table, hours, audit, workloads)
    leaks = write_leaks(named, contracts.table)
    of_teams = write_chargeback(named, audit.total("paid"))
    summary = write_summary(named, audit, pools, commitment, comparison)
    advice = write_advice(named, commitment, comparison, summary.cells)
    numbered = write_by_number(named, orders, contracts.table, advice)
    fronts = Fronts(
        book=book,
        form=form,
        inputs=inputs,
        numbered=numbered,
        advice=advice,
        comparison=comparison,
        figures=summary.cells,
        saved=summary.horizons.cell("saved", list(Horizon).index(Horizon.TWELVE_MONTHS)),
    )
    write_orders_page(fronts)
    write_savings(fronts)
    write_contracts_page(fronts)
    write_quotes_page(fronts, quotes)
    light = write_checks(
        book,
        inputs,
        Written(
            contracts=contracts,
            hours=hours,
            audit=audit,
            leaks=leaks,
            workloads=workloads,
            pools=pools,
            commitment=commitment,
            comparison=comparison,
            summary=summary,
            of_months=[*summary.checks, *advice.checks],
            of_orders=[*of_orders, *numbered.checks],
            of_break_even=of_break_even,
            of_teams=of_teams,
        ),
    )
    write_decisions(fronts, light)
    hours.finish()
    assumptions_sheet.write_provenance(book, inputs)
    write_method(book, inputs, light, form)
    book.sheets[DECISIONS].activate()
    tell(0.6)
