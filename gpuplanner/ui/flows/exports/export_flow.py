"""Export of the workbook and of FOCUS rows."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gpuplanner.app import exporting
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.award.offer_worths import OfferWorth, with_offer_worths
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.files.workbook.kit.sheets import METHOD_AND_CHECKS
from gpuplanner.ui.flows.exports.writing_flow import WritingFlow
from gpuplanner.ui.flows.session import Session

KnownWorths = Callable[[Evaluation], Sequence[OfferWorth]]


class ExportFlow(WritingFlow):
    """Told the session. exporter: writes the workbook, which bears the time of its export; worths: what
    each term on offer is worth, where that is known already."""

    writing: exporting.Exporter

    def __init__(
        self, session: Session, settings: Any, exporter: exporting.Exporter, worths: KnownWorths
    ) -> None:
        super().__init__(session, settings, exporter)
        self._worths = worths
        session.asks.export_asked.connect(self.export)
        session.asks.export_focus_asked.connect(self.export_focus)
        session.asks.export_calendar_asked.connect(self.export_calendar)

    def export(self) -> None:
        """Ask for a file and write the workbook of the scenario shown, once its advice is there."""
        self._ask_and_export(tr("Export workbook"), ".xlsx", tr("Workbooks (*.xlsx)"))

    def export_focus(self) -> None:
        """Ask for a file and write what is to be bought as FOCUS rows, once the advice is there."""
        kinds = tr("CSV (*.csv)")
        self._ask_and_export(tr("Export FOCUS rows"), exporting.FOCUS_SUFFIX, kinds)

    def export_calendar(self) -> None:
        """Ask for a file and write the deadlines, once the advice is there."""
        self._ask_and_export(tr("Export calendar"), exporting.CALENDAR_SUFFIX, tr("iCalendar files (*.ics)"))

    def _ask_and_export(self, title: str, suffix: str, kinds: str) -> None:
        if (path := self._chosen_file(title, suffix, {kinds: suffix})) is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the workbook to a file; FOCUS rows where its name ends in .csv, deadlines where in .ics."""
        kinds = {exporting.FOCUS_SUFFIX: tr("FOCUS rows"), exporting.CALENDAR_SUFFIX: tr("the calendar")}
        kind = kinds.get(path.suffix.lower(), tr("the workbook"))
        self._want(path, path.parent, tr("Exporting {what}", what=kind))

    def start_writing(self, evaluation: Evaluation, wanted: Path) -> None:
        valued = with_offer_worths(evaluation, self._worths(evaluation))
        self.writing.start(valued, wanted, self.session.time_s())

    def show_written(self, written: Path) -> None:
        title = tr("Workbook exported")
        note = tr("Formulas are live; the sheet {sheet} proves the totals.", sheet=METHOD_AND_CHECKS)
        if written.suffix.lower() == exporting.FOCUS_SUFFIX:
            title, orders = tr("FOCUS rows exported"), spoken(self.writing.words)
            note = tr("Contract commitments with status Proposed: {orders}.", orders=orders)
        if written.suffix.lower() == exporting.CALENDAR_SUFFIX:
            title, note = (tr("Calendar exported"), tr("One event per deadline; alarm 14 days before."))
        self._done(title, str(written), note, written)
