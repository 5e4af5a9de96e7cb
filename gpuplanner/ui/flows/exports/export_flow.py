"""Export workbook and FOCUS rows: a file is asked for, and a thread writes it."""

from pathlib import Path
from typing import Any

from gpuplanner.app.exporting import FOCUS_SUFFIX, Exporter
from gpuplanner.domain.commitment.plan.orders import signed_for
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.commitment.words.order_counts import new_orders_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.ui.flows.exports.writing_flow import WritingFlow
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import spoken, tr


class ExportFlow(WritingFlow):
    """Told the session. now_s: the day that a workbook bears."""

    writing: Exporter

    def __init__(self, session: Session, settings: Any, now_s: int) -> None:
        super().__init__(session, settings, Exporter())
        self._now_s = now_s
        self._orders: tuple[Order, ...] = ()
        session.asks.export_asked.connect(self.export)
        session.asks.export_focus_asked.connect(self.export_focus)

    def export(self) -> None:
        """Ask for a file and write the workbook of the scenario shown, once its advice is there."""
        self._ask_and_export(tr("Export workbook"), ".xlsx", tr("Workbooks (*.xlsx)"))

    def export_focus(self) -> None:
        """Ask for a file and write what is to be bought as FOCUS rows, once the advice is there."""
        self._ask_and_export(tr("Export FOCUS rows"), FOCUS_SUFFIX, tr("FOCUS contract commitments (*.csv)"))

    def _ask_and_export(self, title: str, suffix: str, kinds: str) -> None:
        path = self._chosen_file(title, suffix, {kinds: suffix})
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the workbook to a file; FOCUS rows where its name ends in .csv."""
        what = tr("FOCUS rows") if path.suffix.lower() == FOCUS_SUFFIX else tr("the workbook")
        self._want(path, path.parent, tr("Exporting {what}", what=what))

    def _start(self, evaluation: Evaluation, wanted: Path) -> None:
        self._orders = evaluation.advice.orders if evaluation.advice is not None else ()
        self.writing.start(evaluation, wanted, self._now_s)

    def _take(self, written: Path) -> None:
        title, note = (
            tr("Workbook exported"),
            tr("Its formulas are live; the Checks sheet proves the totals."),
        )
        if written.suffix.lower() == FOCUS_SUFFIX:
            title, note = (
                tr("FOCUS rows exported"),
                tr(
                    "Each is a contract commitment, status Proposed: {orders}.",
                    orders=spoken(new_orders_words(len(signed_for(self._orders)), self._orders)),
                ),
            )
        self._done(title, str(written), note, written)
