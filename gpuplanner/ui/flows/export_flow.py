"""What goes out in files: the place is asked for, and a thread writes what the shown plan comes to."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from gpuplanner.app import exporting, requesting
from gpuplanner.charts.kit.plain_text import by_count, spoken, tr
from gpuplanner.domain.award.deciding import OfferWorth, with_offer_worths
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.request.request import UNSAID, Terms, has_rows, reply_by_s, terms_of
from gpuplanner.files.system.resources import long_text, words_table
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.file_dialogs import last_folder, open_folder, save_file
from gpuplanner.ui.kit.layout import grid, named, share
from gpuplanner.ui.kit.page_parts import heading_label, label
from gpuplanner.ui.words.window_words import suggested

if TYPE_CHECKING:
    from gpuplanner.files.request.request_file import Written

# --- What exports have in common: a file is asked for, the plan settles, a thread writes, and it can be opened


class WritingFlow(QObject):
    """Told the session and who writes. A flow says what it starts (`_start`) and what it says at the end (`_take`)."""

    needs_outlook = True
    """Whether what is written has the ranges and price paths in it, which come after the advice."""

    def __init__(self, session: Session, settings: Any, writing: exporting.Writing) -> None:
        super().__init__(session.window)
        self._session, self._settings, self.writing = session, settings, writing
        writing.setParent(self)
        writing.written.connect(self._take)
        writing.failed.connect(self._fail)
        self._wanted: Any = None
        self._progress: dialogs.ProgressDialog | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is on its way."""
        return self._wanted is not None or self.writing.is_busy

    def close(self) -> None:
        """Want nothing any more, and wait for the thread."""
        self._let_go()
        self.writing.close()

    def _chosen_file(self, title: Text, end: str, kinds: Mapping[str, str]) -> Path | None:
        """A file to write that was asked for; None where there is none.

        end: of the name that is suggested; kinds: words of a kind of file -> its suffix, the first one where none is
        chosen. Asks again where the suffix that it adds makes it another file that is there.
        """
        document = self._session.document
        plans = [plan.name for plan in document.project.scenarios]
        start = suggested(str(last_folder()), document.name, self._session.scenario, plans, end)
        window = self._session.window
        english = tr("in English")
        heading = str(title) if english == "in English" else f"{title} ({english})"
        chosen, kind = save_file(window, heading, start, ";;".join(kinds))
        if not chosen:
            return None
        is_known = Path(chosen).suffix.lower() in kinds.values()
        path = Path(chosen if is_known else chosen + kinds.get(kind, next(iter(kinds.values()))))
        answers = ("Keep it", "Replace")  # the question speaks them, and gives them back as they are here
        if str(path) != chosen and path.exists():  # the file dialog asked about what was typed
            question = tr("Replace {name}?", name=path.name)
            return path if dialogs.ask(window, question, str(path), answers) == "Replace" else None
        return path

    def _want(self, wanted: Any, folder: Path, title: str) -> None:
        """Write what is wanted, once the plan is settled. folder: where files are asked for next time."""
        self._let_go()
        self._wanted = wanted
        self._progress = dialogs.ProgressDialog(title, self._session.window)
        self._progress.cancelled.connect(self._let_go)
        self._progress.begin()
        self.writing.progressed.connect(self._progress.show_progress)
        self._session.evaluator.evaluated.connect(self._when_settled)
        self._session.evaluator.failed.connect(self._let_go)  # the window says why
        if self._session.evaluator.evaluation is not None:
            self._when_settled(self._session.evaluator.evaluation)

    def _when_settled(self, evaluation: Evaluation) -> None:
        """Begins once all is there that is written."""
        is_told = evaluation.outlook is not None or not self.needs_outlook
        if self._wanted is not None and evaluation.advice is not None and is_told:
            wanted = self._wanted
            self._wait_no_more()
            self._start(evaluation, wanted)

    def _wait_no_more(self) -> None:
        """What was wanted is on its way, or no longer wanted."""
        if self._wanted is not None:
            self._wanted = None
            self._session.evaluator.evaluated.disconnect(self._when_settled)
            self._session.evaluator.failed.disconnect(self._let_go)

    def _start(self, evaluation: Evaluation, wanted: Any) -> None:
        """Start writing what `_want` was told."""
        raise NotImplementedError

    def _take(self, written: Any) -> None:
        """What was written is there."""
        raise NotImplementedError

    def _done(self, title: str, names: str, note: str, path: Path, opens: str = "Open") -> None:
        """Say what was written, and offer to open it. opens: what the button says, a text of `Question`."""
        self._end_progress()
        question = dialogs.Question(
            parent=self._session.window, title=title, text=names, answers=("Close", opens), note=note
        )
        dialogs.exec_once(question)
        if question.answer == opens:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def _fail(self, error: Exception) -> None:
        """Say why nothing was written."""
        self._end_progress()
        dialogs.show_error(self._session.window, error)

    def _end_progress(self) -> None:
        if self._progress is not None:
            self._progress.end()
            self._progress = None

    def _let_go(self) -> None:
        """Nothing more of it; what was at its place stays."""
        self._wait_no_more()
        self.writing.cancel()
        self._end_progress()


# --- Export workbook and FOCUS rows: a file is asked for, and a thread writes it -----------------


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

    def _start(self, evaluation: Evaluation, wanted: Path) -> None:
        valued = with_offer_worths(evaluation, self._worths(evaluation))
        self.writing.start(valued, wanted, self._session.time_s())

    def _take(self, written: Path) -> None:
        title = tr("Workbook exported")
        note = tr("Formulas are live; the sheet {sheet} proves the totals.", sheet="Checks")
        if written.suffix.lower() == exporting.FOCUS_SUFFIX:
            title, orders = tr("FOCUS rows exported"), spoken(self.writing.words)
            note = tr("Contract commitments with status Proposed: {orders}.", orders=orders)
        if written.suffix.lower() == exporting.CALENDAR_SUFFIX:
            title, note = (tr("Calendar exported"), tr("One event per deadline; alarm 14 days before."))
        self._done(title, str(written), note, written)


# --- Asks what stands above requests for quote: who asks, by when to reply, on what terms --------

LINES: Final = words_table("request_line")
"""What is asked as a text, by its name in the terms."""


class RequestDialog(QDialog):
    """Told what was said last time, by name.

    Emits the texts that were entered, and the terms that they make.
    """

    terms_chosen = Signal(object, object)  # dict[str, str], Terms

    def __init__(self, terms: Mapping[str, str], today_s: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, tr("Requests for quote"), 560)
        self.lines = {
            name: named(QLineEdit(terms.get(name, ""), placeholderText=getattr(UNSAID, name)), words)
            for name, words in LINES.items()
        }
        self.reply_by = DayField(tr("Reply by"), tr("Last day for a reply, UTC"), today_s - today_s % DAY_S)
        self.reply_by.show_day(reply_by_s(UNSAID, today_s))
        self.reply_by.changed.connect(self._check)
        for name in ("buyer", "decide_days"):
            self.lines[name].textChanged.connect(self._check)
        lines = [(label(words), self.lines[name]) for name, words in LINES.items()]
        self.note = dialogs.note_label(3)
        self.choose = dialogs.primary_button(tr("Choose a folder"), self._go_on)
        fields = grid(*lines, (label(tr("Reply by")), self.reply_by), spacing=(8, 8))
        foot = dialogs.foot(dialogs.cancel_button(self), self.choose)
        dialogs.dialog_column(self, heading_label(title), fields, self.note, share(None, 0), foot)
        self._check()

    def _check(self) -> None:
        """The button waits for a day that can be."""
        note = tr(long_text("request_files"))
        tip = tr("Write the files (Enter)")
        refusal, first, days = self.reply_by.refusal, "", self.lines["decide_days"].text().strip()
        if days and not days.isdecimal():
            refusal = refusal or tr("Enter whole days, such as 5.")
        if not refusal and not self.lines["buyer"].text().strip():
            refusal = first = tr("Enter the buyer's name.")
        dialogs.tell_whether(self.note, self.choose, refusal, note, tip, first)

    def _go_on(self) -> None:
        texts = {name: line.text().strip() for name, line in self.lines.items()}
        day_s = self.reply_by.day_s
        day = {} if day_s is None else {"reply_by": iso_utc(day_s)[:10]}
        self.accept()
        self.terms_chosen.emit(texts, terms_of(texts | day))


# --- Export requests for quote: terms and a folder are asked for, and a thread writes a file for each vendor


class RequestFlow(WritingFlow):
    """Told the session. Requests bear the day on which they are asked for."""

    writing: requesting.Requesting
    needs_outlook = False

    def __init__(self, session: Session, settings: Any) -> None:
        super().__init__(session, settings, requesting.Requesting())
        session.asks.export_requests_asked.connect(self.export)

    def export(self) -> None:
        """Ask what stands above them and for a folder, and write them of the plan shown, unless it asks for nothing."""
        evaluation, now_s = self._session.evaluator.evaluation, self._session.time_s()
        settled = None if evaluation is None or evaluation.advice is None else evaluation
        if settled is not None and not has_rows(settled, now_s, UNSAID):
            self._say_nothing_to_ask()
            return
        dialog = RequestDialog(self._settings.request_terms, now_s, self._session.window)
        dialog.terms_chosen.connect(self._choose_folder)
        dialogs.exec_once(dialog)

    def _choose_folder(self, texts: dict[str, str], terms: Terms) -> None:
        self._settings.request_terms = texts
        if chosen := open_folder(self._session.window, tr("Folder for requests for quote")):
            self.export_to(Path(chosen), terms)

    def export_to(self, folder: Path, terms: Terms) -> None:
        """Write the requests into a folder, once the plan is settled."""
        self._want((folder, terms), folder, tr("Exporting requests for quote"))

    def _start(self, evaluation: Evaluation, wanted: tuple[Path, Terms]) -> None:
        folder, terms = wanted
        self.writing.start(evaluation, folder, self._session.time_s(), terms)

    def _take(self, written: "Written") -> None:
        """Says what was written and offers to open the folder."""
        if not written.paths:
            self._end_progress()
            self._say_nothing_to_ask()
            return
        folder, count = written.paths[0].parent, len(written.paths)
        title = by_count(
            count,
            "{count} request for quote written",
            "{count} requests for quote written",
            count=whole(count),
        )
        names = "\n".join(path.name for path in written.paths)
        place = tr("In {folder}. Import the answers later.", folder=folder.name)
        self._done(title, names, f"{spoken(written.said)} {place}", folder, "Open folder")

    def _say_nothing_to_ask(self) -> None:
        note = tr("No rows left to request.")
        dialogs.exec_once(
            dialogs.Question(
                parent=self._session.window,
                title=tr("No request was written"),
                text="",
                answers=("Close",),
                note=note,
            )
        )
