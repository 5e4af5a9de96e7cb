"""Export requests for quote: terms and a folder are asked for, and a thread writes a file for each vendor."""

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog

from gpuplanner.app.requesting import Requesting
from gpuplanner.domain.commitment.requests.asked_rows import asked_of_vendors, order_day_s
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import whole
from gpuplanner.files.request.terms import Terms
from gpuplanner.files.request.write import Written
from gpuplanner.ui.flows.exports.writing_flow import WritingFlow
from gpuplanner.ui.kit.message import Question
from gpuplanner.ui.plans.request_dialog import RequestDialog
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import by_count, spoken, tr


class RequestFlow(WritingFlow):
    """Told the session. Requests bear the day on which they are asked for."""

    writing: Requesting
    needs_outlook = False

    def __init__(self, session: Session, settings: Any) -> None:
        super().__init__(session, settings, Requesting())
        session.asks.export_requests_asked.connect(self.export)

    def export(self) -> None:
        """Ask what stands above them and for a folder, and write them of the plan shown."""
        said = self._settings.request_terms
        evaluation, now_s = self._session.evaluation, self._session.time_s()
        advice = None if evaluation is None else evaluation.advice
        first_s = None
        if evaluation is not None and advice is not None:
            offers = evaluation.in_parts.project.offers
            first_s = order_day_s(asked_of_vendors(advice.orders, offers), now_s)
        dialog = RequestDialog(said, now_s, first_s, self._session.window)
        dialog.terms_chosen.connect(self._choose_folder)
        dialog.exec()

    def _choose_folder(self, said: dict[str, str], terms: Terms) -> None:
        self._settings.request_terms = said
        start = str(self._settings.last_folder or Path.home())
        title = tr("Folder for requests for quote")
        chosen = QFileDialog.getExistingDirectory(self._session.window, title, start)
        if chosen:
            self.export_to(Path(chosen), terms)

    def export_to(self, folder: Path, terms: Terms) -> None:
        """Write the requests into a folder, once the plan is settled."""
        self._want((folder, terms), folder, tr("Exporting requests for quote"))

    def _start(self, evaluation: Evaluation, wanted: tuple[Path, Terms]) -> None:
        folder, terms = wanted
        self.writing.start(evaluation, folder, self._session.time_s(), terms)

    def _take(self, written: Written) -> None:
        """Says what was written and offers to open the folder."""
        if not written.paths:
            self._end_progress()
            note = tr("Nothing is left to ask vendors for.")
            Question(self._session.window, tr("No request is written"), "", ("Close",), note).exec()
            return
        folder, count = written.paths[0].parent, len(written.paths)
        title = by_count(
            count,
            "{count} request for quote written",
            "{count} requests for quote written",
            count=whole(count),
        )
        names = "\n".join(path.name for path in written.paths)
        place = tr("In {folder}. Import the answers as they come back.", folder=folder.name)
        note = f"{spoken(written.said)} {place}"
        self._done(title, names, note, folder, "Open folder")
