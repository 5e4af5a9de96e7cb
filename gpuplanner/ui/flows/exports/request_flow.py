"""Export of requests for quote: terms and a folder are asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from gpuplanner.app import requesting
from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.request.request import (
    UNSAID,
    VENDORS,
    Terms,
    has_rows,
    reply_by_s,
    terms_of,
    vendors_of,
)
from gpuplanner.files.system.resources import long_text, words_table
from gpuplanner.lazy_dataclass import asdict
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit import dialogs, small_dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.file_dialogs import open_folder
from gpuplanner.ui.kit.layout import grid, named, share
from gpuplanner.ui.kit.page_parts import heading_label, label

if TYPE_CHECKING:
    from gpuplanner.files.request.request_file import Written
from gpuplanner.ui.flows.exports.writing_flow import WritingFlow

# --- Asks what stands in requests for quote: who asks whom, by when to reply, on what terms ------

LINES: Final = words_table("request_line")
"""What is asked as a text, by its name in the terms; and VENDORS."""


def names_in(text: str) -> tuple[str, ...]:
    """The names of a text with commas between them.

    >>> names_in("Vela,  Orrin Hosting,")
    ('Vela', 'Orrin Hosting')
    """
    return tuple(filter(None, map(str.strip, text.split(","))))


class RequestDialog(QDialog):
    """Told what was said last time, by name, and which vendors the price list has.

    Emits the texts that were entered, the terms that they make, and the vendors.
    """

    terms_chosen = Signal(object, object, object)  # dict[str, str], Terms, tuple[str, ...]

    def __init__(
        self,
        terms: Mapping[str, str],
        today_s: int,
        parent: QWidget | None = None,
        vendors: Sequence[str] = (),
    ) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, tr("Requests for quote"), 560)
        unsaid = {**asdict(UNSAID), VENDORS: ", ".join(vendors)}
        self._vendors = tuple(vendors)
        self.lines = {
            name: named(QLineEdit(terms.get(name, ""), placeholderText=unsaid[name]), words)
            for name, words in LINES.items()
        }
        self.reply_by = DayField(tr("Reply by"), tr("Last day for a reply, UTC"), today_s - today_s % DAY_S)
        self.reply_by.show_day(reply_by_s(UNSAID, today_s))
        self.reply_by.changed.connect(self._check)
        for name in ("buyer", VENDORS, "decide_days"):
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
        if not refusal and not (names_in(self.lines[VENDORS].text()) or self._vendors):
            refusal = first = tr("Enter a vendor's name.")
        if not refusal and not self.lines["buyer"].text().strip():
            refusal = first = tr("Enter the buyer's name.")
        dialogs.tell_whether(self.note, self.choose, refusal, note, tip, first)

    def _go_on(self) -> None:
        texts = {name: line.text().strip() for name, line in self.lines.items()}
        day_s = self.reply_by.day_s
        day = {} if day_s is None else {"reply_by": iso_utc(day_s)[:10]}
        self.accept()
        of_terms = {name: text for name, text in texts.items() if name != VENDORS}
        self.terms_chosen.emit(texts, terms_of(of_terms | day), names_in(texts[VENDORS]))


# --- Export requests for quote: terms and a folder are asked for, and a thread writes a file for each vendor


class RequestFlow(WritingFlow):
    """Told the session. Requests bear the day on which they are asked for."""

    writing: requesting.Requesting

    def __init__(self, session: Session, settings: Any) -> None:
        super().__init__(session, settings, requesting.Requesting())
        session.asks.export_requests_asked.connect(self.export)

    def export(self) -> None:
        """Ask what stands above them and for a folder, and write them of the plan shown, unless it asks for nothing."""
        evaluation, now_s = self.session.evaluator.evaluation, self.session.time_s()
        settled = None if evaluation is None or evaluation.outlook is None else evaluation
        if settled is not None and not has_rows(settled, now_s):
            self._say_nothing_to_ask()
            return
        vendors = () if settled is None else vendors_of(settled)
        dialog = RequestDialog(self.settings.request_terms, now_s, self.session.window, vendors)
        dialog.terms_chosen.connect(self.choose_folder)
        dialogs.exec_once(dialog)

    def choose_folder(self, texts: dict[str, str], terms: Terms, vendors: tuple[str, ...] = ()) -> None:
        self.settings.request_terms = texts
        if chosen := open_folder(self.session.window, tr("Folder for requests for quote")):
            self.export_to(Path(chosen), terms, vendors)

    def export_to(self, folder: Path, terms: Terms, vendors: tuple[str, ...] = ()) -> None:
        """Write the requests into a folder, once the plan is settled. vendors: who is asked; nobody: all known."""
        self._want((folder, terms, vendors), folder, tr("Exporting requests for quote"))

    def start_writing(self, evaluation: Evaluation, wanted: tuple[Path, Terms, tuple[str, ...]]) -> None:
        folder, terms, vendors = wanted
        self.writing.start(evaluation, folder, self.session.time_s(), terms, vendors)

    def show_written(self, written: "Written") -> None:
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
            small_dialogs.Question(
                parent=self.session.window,
                title=tr("No request was written"),
                text="",
                answers=("Close",),
                note=note,
            )
        )
