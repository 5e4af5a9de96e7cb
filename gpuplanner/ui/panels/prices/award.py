"""Award: who gets what of what the plan asks for, and what each quote saves and would be worth."""

from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal

from gpuplanner.app.sourcing.awarding import Awarding, Found
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.award.award import Award
from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.reports.award import (
    BENCHMARKS,
    LEFT_OUT,
    QUOTES,
    ROWS,
    UNDECIDED,
    VENDORS,
    headline,
    notes,
)
from gpuplanner.domain.reports.report import Report
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.fields import PlainNumber
from gpuplanner.ui.kit.layout import LEFT, STRETCH, add, named, placed, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, named_button
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables import dash_reasons, figure_table, report_table

OF_A_PLAN: Final = worded("Open a plan to award its orders.")
SETTLING: Final = worded("Working out the plan.")
NOTHING_ASKED: Final = worded("The plan has no orders to award.")
HOW_TO_ASK: Final = long_text("award_how_to")
NO_LIMIT: Final = worded("no limit")
STEP: Final = 10_000
NO_LIMIT_AT: Final = -float(STEP)
"""What the field of the limit holds where there is none: one step below $0."""
MOST_PREPAID: Final = 1e12
TABLES: Final[tuple[tuple[str, Report, Message], ...]] = (
    ("rows", ROWS, worded("Rows of the award")),
    ("undecided", UNDECIDED, worded("Quotes to clarify, with a possible award")),
    ("vendors", VENDORS, worded("Vendors of the award")),
    ("quotes", QUOTES, worded("Quotes and savings")),
    ("left_out", LEFT_OUT, worded("Rejected offers")),
    ("benchmarks", BENCHMARKS, worded("List prices beside the award")),
)
"""From above, each with what it is called to who listens."""


class AwardPanel(Panel):
    """Told what is shown; asks for the award once it is seen."""

    about = About(name="award", title=worded("Award"), beside="contracts", letter="A", is_closed=True)

    take_asked = Signal(str)  # offer_id

    _project: tuple[int, str] | None = None  # known before the content is there

    def build(self) -> None:
        self.awarding = Awarding(self)
        self.awarding.answered.connect(self.show_answer)
        self.awarding.progressed.connect(self._say_notes)
        self.awarding.failed.connect(
            lambda error: self._say_only(worded("Cannot be calculated: {error}", error=str(error)))
        )
        self.answer: Found | None = None
        self._reasons: dict[str, None] = {}
        prepaid = tr("Upfront, at most")
        self.prepaid = named(
            PlainNumber(), prepaid, tr("In the project's currency. GPUs beyond it stay unassigned")
        )
        self.prepaid.setRange(NO_LIMIT_AT, MOST_PREPAID)
        self.prepaid.setSingleStep(STEP)
        self.prepaid.setSpecialValueText(tr(NO_LIMIT))
        self.prepaid.setValue(NO_LIMIT_AT)
        self.prepaid.setKeyboardTracking(False)
        self.prepaid.valueChanged.connect(self._take_limit)
        self.headline = label(step="strong", is_wrapped=True)
        self.note = muted_label()
        self.tables = {name: figure_table.FigureTable(tr(title)) for name, _, title in TABLES}
        self.headings = {name: heading_label(report.title) for name, report, _ in TABLES}
        tip = worded("Import vendors' quotes")
        self.importer = named_button(worded("Import answers\u2026"), tip, self.import_asked)
        self.taker = named_button(
            worded("Take as quoted"),
            worded("Accept the cells, ignore the remark; one undo step"),
            self._take_chosen,
        )
        columns = TwoColumns(6)
        self.scrolled(worded("Award"), (14, 10, 12, 12), 6).addWidget(columns)
        limit = row(label(prepaid, of=self.prepaid), self.prepaid, STRETCH)
        add(columns.first, self.headline, self.note, limit)
        for name, report, _ in TABLES:
            table = self.tables[name]
            side = columns.first if report in (ROWS, UNDECIDED) else columns.second
            add(side, self.headings[name], table)
        add(columns.first, placed(self.taker, LEFT))
        columns.first.addStretch()
        add(columns.second, placed(self.importer, LEFT), share(None, 0))
        self.fill(self.scroll_area)

    def draw(self, shown: ViewState) -> None:
        """Ask for the award of the plan that is shown; what was found last stays until another is there."""
        evaluation = shown.evaluation
        if shown.is_today:
            self._say_only(OF_A_PLAN)
        elif evaluation.advice is None:
            self._say_only(SETTLING)
        else:
            if self.answer is None:
                self._say_only(worded("Calculating…"))
            today_s = evaluation.project.plan_window.end_s if self._now_s is None else self._now_s
            self.awarding.ask(evaluation, today_s, self.max_prepaid)

    def show_project(self, loads: int, currency: str) -> None:
        """Another project, or its money in another currency, has no limit of what is prepaid until one is entered.

        loads: how often a project was loaded; currency: of its money.
        """
        if self._project not in (None, (loads, currency)):
            with QSignalBlocker(self.prepaid):  # it is drawn once its plan is there
                self.prepaid.setValue(NO_LIMIT_AT)
            self.answer = None
        self._project = loads, currency

    @property
    def award(self) -> Award | None:
        """The award that is shown; None while there is none."""
        return None if self.answer is None else self.answer.award

    def _take_limit(self, limit: float) -> None:
        """Another limit; below $0 there is none."""
        if NO_LIMIT_AT < limit < 0:
            self.prepaid.setValue(NO_LIMIT_AT)
        else:
            self.redraw()

    @property
    def max_prepaid(self) -> float | None:
        """What may be paid upfront in all, in the money of the project; None: any amount."""
        return None if self.prepaid.value() < 0 else self.prepaid.value()

    # Inside

    def _say_only(self, words: Message) -> None:
        """A sentence in place of tables."""
        self.answer = None
        if words in (OF_A_PLAN, SETTLING):
            self.awarding.cancel()
        self.headline.setText(spoken(words))
        self.note.setText(spoken(HOW_TO_ASK))
        self.show_tables(None)

    def _take_chosen(self) -> None:
        """Asks to take the quote of the chosen row, the first where none is chosen."""
        table = self.tables["undecided"]
        self.take_asked.emit(table.row_at(max(0, table.currentIndex().row())).key)

    def show_answer(self, answer: Found) -> None:
        """Shows an award; where nothing is asked for any more what waits for the buyer all the same."""
        award = answer.award
        if not award.rows and not UNDECIDED.rows(award):
            self._say_only(NOTHING_ASKED)
            self.note.setText(spoken(award.unasked or HOW_TO_ASK))
            return
        self.answer = answer
        self.headline.setText(spoken(headline(award) if award.rows else NOTHING_ASKED))
        self._reasons = dict.fromkeys(self.show_tables(award))  # of several tables one may be the same
        self._say_notes(0.0)

    def _say_notes(self, done: float, doing: object = None) -> None:
        """What is to be known of the award that is shown. done: share of what its quotes are worth, 0..1."""
        if self.answer is None:
            return
        lines = [*notes(self.answer.award)]
        if not self.answer.is_whole:
            words = worded("Valuing the quotes: {share}", share=percent(done))
            lines.append(words)
        self.note.setText("\n".join((spoken(joined(lines, " ")), *self._reasons)))

    def show_tables(self, award: Award | None) -> list[str]:
        """Shows the tables, and says why a column of theirs has nothing but dashes."""
        reasons: list[str] = []
        for name, report, _ in TABLES:
            is_chosen = report is UNDECIDED
            has_keys = report in (UNDECIDED, LEFT_OUT)  # the others lead on by their figures
            rows = () if award is None else report_table.table_rows(report, award, are_opened=has_keys)
            columns = report_table.table_columns(report)
            if report is ROWS and not any(row.cells[-1].text for row in rows):  # nobody remarked anything
                columns, rows = columns[:-1], tuple(replace(row, cells=row.cells[:-1]) for row in rows)
            reasons += dash_reasons.dash_reasons(columns, rows)
            self.tables[name].show_all(columns, rows)
            self.headings[name].setVisible(bool(rows))
            if is_chosen:
                self.taker.setVisible(bool(rows))
        return reasons
