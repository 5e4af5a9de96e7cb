"""Importing files: one page where all is clear, steps to look closer; nothing is taken in unasked."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.app.importing import Importer, ImportRequest, has_pseudonyms, with_loaded_logs
from gpuplanner.app.previewing import FoundFile, Previewer, Recogniser
from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.files.job_logs.mapping import ColumnMapping
from gpuplanner.files.log_choice import NONE_GIVEN, LogChoice
from gpuplanner.files.log_preview import header_key
from gpuplanner.ui import numbers
from gpuplanner.ui.dialog_size import resize_within_screen
from gpuplanner.ui.import_columns_page import ColumnsPage, naive_sentence
from gpuplanner.ui.import_files_page import FilesPage
from gpuplanner.ui.import_foot import ImportFoot
from gpuplanner.ui.import_format_page import MAPPED, FormatPage
from gpuplanner.ui.import_issues_page import IssuesPage
from gpuplanner.ui.import_last_page import LastPage
from gpuplanner.ui.import_mapping import NOTHING_MAPPED, adopted, forget, remember, with_column, with_unit
from gpuplanner.ui.import_previews import FilePreviews, Wanted, said_of
from gpuplanner.ui.import_report import ImportReport, is_refused, rejected_csv
from gpuplanner.ui.import_state import (
    MAPPABLE,
    OF_PLACES,
    ChosenFile,
    all_files,
    bytes_text,
    request_of,
    time_left,
    unreadable,
)
from gpuplanner.ui.import_steps import STEPS, StepBar
from gpuplanner.ui.import_words import refusal_of, report_of, sentence_of_import, without_refused
from gpuplanner.ui.likely_cluster import likely_cluster
from gpuplanner.ui.said import said
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.window_words import in_window_words

NAIVE: Final = "naive_time_assumed_utc"
ALIKE: Final = "possible_duplicate"
FILTER: Final = (
    "Logs, contracts, prices (*.csv *.txt *.tsv *.xlsx *.log *.psv *.parquet *.json *.jsonl *.ndjson "
    "*.gz *.zst *.zip);;All files (*)"
)
FILES, FORMAT, COLUMNS, ISSUES, LAST = range(len(STEPS))
LARGE_BYTES: Final = 20_000_000
READ_AFTER_MS: Final = 250
"""After the last change: so many are made in a row that reading after each would only be cancelled again."""
WIDE_REPORT_FROM_PX, WIDE_REPORT_PX, NARROW_REPORT_PX = 1080, 336, 280


class ImportDialog(QDialog):
    """Looks and reads as soon as it opens; emits what was read when the planner takes it in."""

    taken = Signal(object, object, bool)  # ImportRequest, ReadResult, adding

    def __init__(
        self,
        paths: list[str],
        project: Project,
        importer: Importer,
        palette: Palette,
        rows_dir: Path | None,
        parent: QWidget | None = None,
        *,
        settings: Settings | None = None,
        recogniser: Recogniser | None = None,
        previewer: Previewer | None = None,
    ) -> None:
        super().__init__(parent)
        self._palette, self._project, self._importer, self._rows_dir = palette, project, importer, rows_dir
        self._settings = settings
        self._files = [ChosenFile(path) for path in dict.fromkeys(paths)]
        self._intake: dict[str, FileIntake] = {}
        self._answer: tuple[ImportRequest, Any] | None = None
        self._error = ""
        self._at = 0
        self._is_at_chosen = False  # by the planner: else the file to look at first is shown
        self._is_read_due = False
        self._clock = QElapsedTimer()
        self._left = ""
        self._recogniser = recogniser or Recogniser(parent=self)
        self._previews = FilePreviews(previewer or Previewer(parent=self), self._wanted, self)
        self._reader = QTimer(self)
        self._reader.setSingleShot(True)
        self._reader.setInterval(READ_AFTER_MS)
        self._reader.timeout.connect(self._read)
        self.setWindowTitle(said("Import"))
        self.setAccessibleName(said("Import"))
        resize_within_screen(self, 1200, 700)
        self._build()
        self.foot.private.setChecked(has_pseudonyms(project))
        self._connect()
        self._refresh()
        self._recogniser.start([file.path for file in self._files])

    # Building

    def _build(self) -> None:
        palette = self._palette
        self.steps = StepBar(palette)
        self.file_box = QComboBox()
        self.file_box.setAccessibleName(said("File"))
        self.file_box.setToolTip(said("The file that Format, Columns and Issues are of"))
        self.file_box.setMaximumWidth(280)
        for number, file in enumerate(self._files, 1):
            self.file_box.addItem(f"{number} of {len(self._files)}: {file.name}")
        head = QFrame()
        head.setObjectName("head")
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 8, 20, 8)
        row.addWidget(self.steps, 1)
        row.addWidget(self.file_box)
        self.files_page = FilesPage(palette)
        self.format_page = FormatPage(palette)
        self.columns_page = ColumnsPage(palette)
        self.issues_page = IssuesPage(palette)
        self.last_page = LastPage(palette)
        self.pages = QStackedWidget()
        for page in (self.files_page, self.format_page, self.columns_page, self.issues_page, self.last_page):
            page.setObjectName("panel")
            page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            self.pages.addWidget(page)
        self.report = ImportReport(palette)
        self.foot = ImportFoot()
        loaded = self._project
        self.foot.can_add = not loaded.is_empty
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.pages, 1)
        middle.addWidget(self.report)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addLayout(middle, 1)
        layout.addWidget(self.foot)

    def _connect(self) -> None:
        self._recogniser.recognised.connect(self._take_found)
        self._recogniser.failed.connect(self._show_error)
        self._previews.previewed.connect(self._take_preview)
        self._previews.failed.connect(self._take_preview_fault)
        self._importer.progressed.connect(self._show_progress)
        self._importer.imported.connect(self._show_answer)
        self._importer.failed.connect(self._show_error)
        self.steps.step_asked.connect(self.open_step)
        self.file_box.activated.connect(self._choose_file)
        files, columns = self.files_page, self.columns_page
        files.file_chosen.connect(self._choose_file)
        files.kind_chosen.connect(self._set_kind)
        files.columns_asked.connect(self._open_columns)
        files.format_asked.connect(lambda: self.open_step(FORMAT))
        for question in (files.zone, files.cluster):
            question.changed.connect(self._change_question)
        self.format_page.format_chosen.connect(self._set_format)
        columns.column_chosen.connect(self._set_column)
        columns.unit_chosen.connect(self._set_unit)
        columns.zone_chosen.connect(self._set_zone)
        columns.format_asked.connect(lambda: self.open_step(FORMAT))
        columns.by_hand_asked.connect(self._map_by_hand)
        self.issues_page.issue_chosen.connect(self.report.select_issue)
        self.last_page.window_changed.connect(self._read_soon)
        self.report.save_rejected_asked.connect(self._save_rejected)
        self.report.issue_chosen.connect(self._open_issue)
        self.report.alike_toggled.connect(self._set_dropping)
        foot = self.foot
        foot.adding.toggled.connect(lambda _: self._read_soon())
        foot.private.toggled.connect(lambda _: self._read_soon())
        foot.forget.clicked.connect(self._forget)
        foot.cancel.clicked.connect(self.reject)
        foot.back.clicked.connect(lambda: self.open_step(self.page - 1))
        foot.next.clicked.connect(self._go_on)

    # What is looked at

    @property
    def page(self) -> int:
        """The open step: FILES, FORMAT, COLUMNS, ISSUES or LAST."""
        return self.pages.currentIndex()

    @property
    def file(self) -> ChosenFile:
        """The file that is looked at."""
        return self._files[self._at]

    @property
    def files(self) -> tuple[ChosenFile, ...]:
        """All files, as they are to be read."""
        return tuple(self._files)

    @property
    def answer(self) -> tuple[ImportRequest, Any] | None:
        """What was asked for and what was read, once it is there."""
        return self._answer

    @property
    def is_working(self) -> bool:
        """Whether anything is still to come without the planner's doing."""
        return (
            self._recogniser.is_busy
            or self._previews.is_busy
            or self._importer.is_busy
            or self._reader.isActive()
        )

    def open_step(self, page: int) -> None:
        """Show a page; the keyboard goes to its first question."""
        if page in (FORMAT, COLUMNS):
            self._want_preview(self.file.path)
        self.pages.setCurrentIndex(page)
        self._refresh()
        if page == COLUMNS:
            self.columns_page.focus_first()
        elif page == FORMAT:
            self.format_page.box.setFocus(Qt.FocusReason.OtherFocusReason)
        elif page in (ISSUES, LAST):
            self.foot.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_file(self, at: int) -> None:
        if 0 <= at < len(self._files) and at != self._at:
            self._at, self._is_at_chosen = at, True
            self._want_preview(self.file.path)
            self._refresh()
        elif at >= len(self._files):
            loaded = [file for path, file in self._intake.items() if path not in self._paths]
            self.report.show_file(loaded[at - len(self._files)], "All rows read")

    @property
    def _paths(self) -> set[str]:
        return {file.path for file in self._files}

    def _set_file(self, at: int, file: ChosenFile) -> None:
        """A file is to be read in another way: what was read of it holds no longer."""
        if file == self._files[at]:
            return
        self._files[at] = file
        self._intake.pop(file.path, None)
        self._previews.forget_fault(file.path)
        if file.kind and self._previews.is_newest(file.path):
            self._adopt(at, self._previews.of(file.path))
        self._want_preview(file.path)
        self._read_soon()

    # Looking

    def _take_found(self, found: tuple[FoundFile, ...]) -> None:
        by_path = {one.path: one for one in found}
        self._files = [file.recognised(by_path[file.path]) for file in self._files]
        for file in self._files:
            if file.kind == "jobs" or (file.found is not None and file.found.kind == "unknown"):
                self._want_preview(file.path)  # of one not known too: its header may have been mapped before
        if self._size() < LARGE_BYTES or not self._previews.is_busy:
            self._read()
        else:
            self._is_read_due = True  # the first rows first: beside a whole log they would take long
            self._refresh()

    def _size(self) -> int:
        return sum(Path(path).stat().st_size for path in self.request().paths if Path(path).is_file())

    def _read_if_due(self) -> None:
        if self._is_read_due and not self._previews.is_busy:
            self._is_read_due = False
            self._read()

    def _want_preview(self, path: str) -> None:
        self._previews.ask(path, is_urgent=path == self.file.path)

    def _wanted(self, path: str) -> Wanted | None:
        """As which kind and how a file is to be previewed, with what was said of all of them."""
        file = next(file for file in self._files if file.path == path)
        if file.found is None or not file.found.kind or file.kind in ("activity", *OF_PLACES):
            return None
        if file.kind in ("contracts", "prices"):
            return file.kind, file.choice
        return "jobs", replace(file.choice, timezone=self._zone_of(file) or None)

    def _zone_of(self, file: ChosenFile) -> str:
        """The zone in which times of a file are read; empty where none was said."""
        zone = file.choice.timezone or self.files_page.zone.answer
        return zone if zone and _is_zone(zone) else ""

    def _take_preview(self, path: str, preview: Any) -> None:
        at = next(at for at, file in enumerate(self._files) if file.path == path)
        header = header_key([column.heading for column in preview.columns])
        self._files[at] = replace(self._files[at], header=header)
        self._adopt(at, preview)
        self._read_if_due()
        self._refresh()

    def _adopt(self, at: int, preview: Any) -> None:
        """A mapping that is remembered or proposed becomes the one that is read with."""
        before = self._files[at]
        after = adopted(before, preview, self._settings)
        if after != before:
            self._files[at] = after
            if not after.is_remembered:
                self._previews.keep(after.path)
            self._intake.pop(after.path, None)
            self._want_preview(after.path)
            self._read_soon()

    def _take_preview_fault(self, path: str) -> None:
        self._read_if_due()
        self._refresh()

    # What was said

    def _set_kind(self, at: int, kind: str) -> None:
        self._at, self._is_at_chosen = at, True
        file = self._files[at]
        choice = file.choice if kind == "jobs" else NONE_GIVEN
        self._set_file(at, replace(file, kind=kind, choice=choice))
        self._refresh()

    def _set_format(self, kind: str, choice: LogChoice) -> None:
        file = self.file
        if choice == NONE_GIVEN and kind == "jobs" and file.found is not None:
            self._set_file(self._at, replace(file.recognised(file.found), choice=choice, is_remembered=False))
        else:
            zone = file.choice.timezone if kind == "jobs" else None
            drops_alike = kind == "jobs" and file.choice.drops_alike
            chosen = replace(choice, timezone=zone, drops_alike=drops_alike)
            self._set_file(self._at, replace(file, kind=kind, choice=chosen, is_remembered=False))
        self._refresh()

    def _open_columns(self) -> None:
        """The mapping of the file that is looked at; one that nobody knows becomes a table to map."""
        if not self.file.kind:
            self._set_file(self._at, replace(self.file, kind="jobs"))
        self.open_step(COLUMNS)

    def _map_by_hand(self) -> None:
        """What the content says is not what the planner wants: the columns are mapped."""
        if self.file.kind == "jobs":
            self._set_format("jobs", LogChoice(format=MAPPED))

    def _mapping(self) -> ColumnMapping:
        preview = self._previews.of(self.file.path)
        proposed = preview.mapping if preview is not None else None
        return self.file.choice.mapping or proposed or NOTHING_MAPPED

    def _set_column(self, field: str, heading: str) -> None:
        preview = self._previews.of(self.file.path)
        columns = preview.columns if preview is not None else ()
        samples = next((column.samples for column in columns if column.heading == heading), ())
        self._set_mapping(with_column(self._mapping(), field, heading, self.file.kind, samples))

    def _set_unit(self, field: str, unit: str) -> None:
        self._set_mapping(with_unit(self._mapping(), field, unit))

    def _set_mapping(self, mapping: ColumnMapping) -> None:
        choice = replace(self.file.choice, mapping=mapping, format=None)
        self._set_file(self._at, replace(self.file, choice=choice, is_remembered=False))
        self._refresh()

    def _set_dropping(self, drops_alike: bool) -> None:
        """Rows of the file that are alike count once, or each; the counts follow."""
        choice = replace(self.file.choice, drops_alike=drops_alike)
        self._set_file(self._at, replace(self.file, choice=choice))
        self._refresh()

    def _set_zone(self, zone: str) -> None:
        zone = zone.strip()
        if not _is_zone(zone) or zone == (self._zone_of(self.file) or "UTC"):
            return
        if sum(file.kind == "jobs" for file in self._files) == 1:
            self._offer_zone(zone)  # one log, one answer: it is the question on the first page
            self._change_question()
        else:
            choice = replace(self.file.choice, timezone=zone)
            self._set_file(self._at, replace(self.file, choice=choice))
            self._refresh()

    def _change_question(self) -> None:
        if self.file.kind == "jobs":
            self._want_preview(self.file.path)
        self._read_soon()

    def _forget(self) -> None:
        """Let the table be new again; what is mapped now is not remembered either."""
        if self._settings is not None:
            forget(self._settings, self.file)
        self.foot.remember.setChecked(False)
        self._files[self._at] = replace(self.file, is_remembered=False)
        self._refresh()

    # Reading

    def request(self) -> ImportRequest:
        """What would be read now."""
        request = request_of(
            self._files,
            timezone=self.files_page.zone.answer,
            cluster=self.files_page.cluster.answer,
            window=self.last_page.window_choice.request,
            is_private=self.foot.private.isChecked(),
            rows_dir=self._rows_dir,
        )
        return with_loaded_logs(request, self._project) if self._is_adding and request.job_paths else request

    @property
    def _is_adding(self) -> bool:
        return self.foot.can_add and self.foot.adding.isChecked()

    @property
    def _joined(self) -> Project | None:
        """The project that the files are added to; None where they take the place of what is loaded."""
        return self._project if self._is_adding else None

    def _read_soon(self) -> None:
        """What was read holds no longer; read again once nothing more is changed."""
        self._importer.cancel()
        self._answer, self._error, self._left = None, "", ""
        self._reader.start()
        self._refresh()

    def _read(self) -> None:
        self._importer.cancel()
        self._answer, self._error, self._left = None, "", ""
        if not self._cannot_read():
            self.files_page.bar.setRange(0, 1000)
            self.files_page.bar.setValue(0)
            self._clock.start()
            self._importer.start(self.request())
        self._refresh()

    def _cannot_read(self) -> str:
        """Why nothing can be read as things stand; empty where it can."""
        if self._recogniser.is_busy or any(file.found is None for file in self._files):
            return "The files are being looked at."
        zone = self.files_page.zone.answer
        if zone and not _is_zone(zone):
            return f"{zone} is no time zone: choose one such as Europe/Oslo."
        if refusal := self.last_page.window_choice.refusal:
            return refusal
        waiting = unreadable(self._files, self._previews.known)
        if waiting is not None:
            return f"{waiting[1]} Map its columns, or leave it out."
        if all(file.is_closed for file in self._files):
            first = self._files[0]
            why = first.found.why if first.found is not None else ""
            return f"{first.name} cannot be opened: {in_window_words(why)}."
        if not any(file.kind for file in self._files):
            return (
                "None of these files is a job log, contracts, prices, users or sites. "
                "Say what each is, or choose others."
            )
        return ""

    def _show_progress(self, fraction: float, text: str) -> None:
        bar = self.files_page.bar
        if fraction >= 1:
            bar.setRange(0, 0)  # read, but not yet put together: how long that takes is not known
        else:
            bar.setValue(round(1000 * fraction))
        size = self._size()
        for path in self.request().paths:
            text = text.replace(path, Path(path).name)
        self._left = time_left(self._clock.elapsed() / 1000, fraction)
        done = f"{bytes_text(round(fraction * size))} of {bytes_text(size)}" if size > 5e6 else ""
        text = "Putting the jobs together" if fraction >= 1 else numbers.sentence(text)
        left = "" if "left" in text.split() else self._left  # the reader may have said it
        self.files_page.say(numbers.MIDDOT.join(part for part in (text, done, left) if part), "muted")
        self._show_foot()

    def _show_answer(self, request: ImportRequest, read: Any) -> None:
        self._answer = (request, read)
        self._intake = {file.path: file for file in read.intake}
        if not self._is_at_chosen and self.page == FILES:
            self._at = self._worst()
        self._ask_about(request, read)
        self._refresh()
        if self.page == FILES and not self._refusal():
            self.foot.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _worst(self) -> int:
        """The file to look at first: one that was refused, else the one with most rejected rows, else a log."""

        def rank(at: int) -> tuple[bool, int, bool]:
            read = self._intake.get(self._files[at].path)
            if read is None:
                return (False, -1, False)
            return (is_refused(read), read.rows_rejected, self._files[at].kind == "jobs")

        return max(range(len(self._files)), key=rank)

    def _ask_about(self, request: ImportRequest, read: Any) -> None:
        """What a log leaves open, asked only where a log does; a likely cluster is proposed, and read with."""
        page = self.files_page
        if request.cluster or any(not workload.cluster for workload in read.workloads):
            contracts = {*read.contracts, *self._project.contracts}
            names = sorted({contract.cluster for contract in contracts} - {""})
            likely = "" if page.cluster.is_asked else likely_cluster(request.job_paths, names)
            page.cluster.ask([*dict.fromkeys(("", *names, likely))], request.cluster or likely)
            if page.cluster.answer != (request.cluster or ""):
                self._read_soon()
                return  # a zone that nobody was asked for is not one that was given
        codes = {issue.code for file in read.intake for issue in file.issues}
        if NAIVE in codes or request.timezone:
            self._offer_zone(request.timezone or "UTC")

    def _offer_zone(self, chosen: str) -> None:
        from zoneinfo import available_timezones

        zones = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone)]
        self.files_page.zone.ask(zones, chosen)

    def _show_error(self, error: Exception) -> None:
        self._error = said_of(error)
        self._refresh()

    # Showing

    def _refresh(self) -> None:
        """Show everything as it now stands."""
        file, page = self.file, self.page
        preview = self._previews.of(file.path)
        fault = self._previews.fault(file.path) if file.kind in MAPPABLE else ""
        self.file_box.setVisible(len(self._files) > 1 and page not in (FILES, LAST))
        self.file_box.setCurrentIndex(self._at)
        self._show_files_page()
        if page == FORMAT:
            self.format_page.show_file(file, preview, fault)
        elif page == COLUMNS:
            self.columns_page.show_file(
                file, preview if file.kind in MAPPABLE else None, self._zone_of(file), fault
            )
        elif page == ISSUES:
            left_out = not file.kind and file.found is not None
            self.issues_page.show_file(self._report_of(file)[0], file.name, is_left_out=left_out)
        elif page == LAST:
            request, read = self._answer or (None, None)
            self.last_page.show_read(request, read, self._note_of_taking(), self._joined)
        self._show_report()
        self._show_steps()
        self._show_foot()

    def _show_files_page(self) -> None:
        page = self.files_page
        waiting = unreadable(self._files, self._previews.known)
        missing = {waiting[0].path: waiting[1]} if waiting is not None else {}
        loaded = [file for path, file in self._intake.items() if path not in self._paths]
        page.show_files(self._files, loaded, self._intake, missing, self._at)
        page.show_why(self.file, self._previews.fault(self.file.path) if self.file.kind in MAPPABLE else "")
        page.zone.show_meaning(self._meaning())
        page.bar.setVisible(self._importer.is_busy)
        if not self._importer.is_busy:
            page.say(*self._said())
        elif not self._left and page.bar.value() == 0:
            page.say("Reading", "muted")

    def _meaning(self) -> str:
        """What the zone makes of a time of a log: the one that is looked at, else the first that has such times."""
        for file in (self.file, *self._files):
            preview = self._previews.of(file.path)
            if file.kind == "jobs" and preview is not None and preview.naive_sample is not None:
                name = f"{file.name}: " if len(self._files) > 1 else ""
                return name + naive_sentence(preview.naive_sample, self._zone_of(file))
        return ""

    def _said(self) -> tuple[str, str]:
        """What has come of it so far, and its palette role."""
        if self._answer is None:
            if self._error:
                return self._error, "red"
            if cannot := self._cannot_read():
                return cannot, "muted" if self._recogniser.is_busy else "amber"
            return "Reading", "muted"
        return sentence_of_import(*self._answer, self._files, self._project.contracts, self._joined)

    def _refusal(self) -> str:
        """Why nothing can be taken in now; empty where it can."""
        if self._answer is not None:
            return refusal_of(*self._answer)
        if self._error:
            return self._error
        if cannot := self._cannot_read():
            return cannot
        return f"The files are being read{', ' + self._left if self._left else ''}."

    def _report_of(self, file: ChosenFile) -> tuple[FileIntake | None, str]:
        """What is known of the rows of a file, and which rows that is of."""
        is_reading = self._importer.is_busy or self._reader.isActive() or self._is_read_due
        return report_of(
            file, self._intake.get(file.path), self._previews.of(file.path), is_reading=is_reading
        )

    def _show_report(self) -> None:
        if self.page == LAST and self._intake:
            self.report.show_file(all_files(self._intake.values()), "All files together")
        else:
            self.report.show_file(*self._report_of(self.file))
        self._offer_dropping()

    def _offer_dropping(self) -> None:
        """Where the log that is looked at has rows that are alike, or had any that were dropped."""
        shown, dropped = self._report_of(self.file)[0], self.file.choice.drops_alike
        has_any = shown is not None and any(issue.code == ALIKE for issue in shown.issues)
        is_offered = self.page != LAST and self.file.kind == "jobs" and (has_any or dropped)
        self.report.offer_dropping(is_offered=is_offered, is_dropped=dropped)

    def _show_steps(self) -> None:
        file = self.file
        is_read = file.path in self._intake and not is_refused(self._intake[file.path])
        preview = self._previews.of(file.path)
        settled = (
            all(one.is_known or one.kind for one in self._files),
            bool(file.kind),
            is_read or bool(preview and file.kind in MAPPABLE and not preview.missing),
            is_read and not self._intake[file.path].rows_rejected,
            self._answer is not None and not self._refusal(),
        )
        refusals = [""] * len(STEPS)
        if file.found is None or not file.found.kind:
            why = "The file is being looked at" if file.found is None else "The file cannot be opened"
            refusals[FORMAT] = refusals[COLUMNS] = refusals[ISSUES] = why
        elif not file.kind:
            refusals[COLUMNS] = refusals[ISSUES] = "This file is left out: say in Format what it is"
        self.steps.show_steps(self.page, settled, tuple(refusals))

    def _show_foot(self) -> None:
        foot, page = self.foot, self.page
        waiting = unreadable(self._files, self._previews.known)
        foot.show_page(
            can_add=page in (FILES, LAST),
            can_remember=page == COLUMNS and self.file.choice.mapping is not None,
            is_remembered=self.file.is_remembered,
            has_back=page > FILES,
        )
        if page in (FILES, LAST) and waiting is None:
            foot.show_next("Import", self._refusal(), "Take these files in; one undo step (Enter)")
        elif page in (FILES, LAST):
            foot.show_next("Next: map the columns", "", f"{waiting[1] if waiting else ''}")
        elif page == FORMAT:
            foot.show_next(
                "Next: look at the columns" if self.file.kind else "Next: import",
                "" if self.file.found is not None else "The file is being looked at.",
                "Which column is which field (Enter)",
            )
        elif page == COLUMNS:
            foot.show_next("Next: review issues", self._lacking(), "How the rows ended (Enter)")
        else:
            foot.show_next("Next: import", "", "What is taken in (Enter)")

    def _lacking(self) -> str:
        """What the file that is looked at lacks before it can be read; empty where nothing."""
        preview = self._previews.of(self.file.path)
        if self.file.kind not in MAPPABLE or preview is None or not preview.missing:
            return ""
        return f"{self.file.name} cannot be read yet: {'; '.join(preview.missing)}."

    def _note_of_taking(self) -> str:
        if not self.foot.can_add:
            return "Import is one step: Undo takes it back."
        if self._is_adding:
            return "These files join what is loaded; logs are read together, so that repeated jobs are found."
        return "These files take the place of what is loaded of their kind. Plans, moves and labels stay."

    # Answers

    def _go_on(self) -> None:
        """Enter, and the one primary button: import where all is said, else the next step."""
        waiting = unreadable(self._files, self._previews.known)
        if self.page in (FILES, LAST):
            if waiting is None:
                self._take()
                return
            self._at = self._files.index(waiting[0])
            self.open_step(COLUMNS)
        elif self.page == FORMAT:
            self.open_step(COLUMNS if self.file.kind else LAST)
        elif self.page == COLUMNS and waiting is not None:
            self._at = self._files.index(waiting[0])
            self.open_step(COLUMNS)
        else:
            self.open_step(self.page + 1)

    def _open_issue(self, code: str) -> None:
        if self.page != LAST:
            self.pages.setCurrentIndex(ISSUES)
            self._refresh()
            self.issues_page.show_issue(code)
            self.report.select_issue(code)

    def _take(self) -> None:
        if self._answer is not None and not self._refusal():
            request, read = without_refused(*self._answer)
            if self._settings is not None and self.foot.remember.isChecked():
                remember(self._settings, self._files, {f.path for f in read.intake if f.rows_accepted})
            self.taken.emit(request, read, self._is_adding)
            self.accept()

    def _save_rejected(self) -> None:
        shown = self._report_of(self.file)[0]
        files = tuple(file for file in self._intake.values() if file.rejected) or (
            (shown,) if shown is not None and shown.rejected else ()
        )
        suggestion = str(Path(files[0].path).with_suffix("")) + "-rejected.csv" if files else ""
        path, _ = QFileDialog.getSaveFileName(self, "Save rejected rows", suggestion, "CSV (*.csv)")
        if path:
            try:
                Path(path).write_text(rejected_csv(files), encoding="utf-8-sig", newline="")
                self.foot.say(f"Saved {Path(path).name}.", "muted")
            except OSError as error:
                self.foot.say(
                    f"{path}: it cannot be written ({error.strerror}). Choose another folder.", "red"
                )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard, else the way on; Ctrl+Page up and down change the step."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            is_button = isinstance(focused, QAbstractButton) and not isinstance(focused, QCheckBox)
            (focused if is_button and focused.isVisible() else self.foot.next).click()
            return
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        key = Qt.Key(event.key()) if event.key() in steps else None
        if key is not None and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            page = self.page + steps[key]
            if 0 <= page < len(STEPS) and self.steps.button(page).isEnabled():
                self.open_step(page)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= WIDE_REPORT_FROM_PX
        self.report.setFixedWidth(WIDE_REPORT_PX if is_wide else NARROW_REPORT_PX)

    def done(self, result: int) -> None:
        for signal, slot in (
            (self._importer.progressed, self._show_progress),
            (self._importer.imported, self._show_answer),
            (self._importer.failed, self._show_error),
            (self._recogniser.recognised, self._take_found),
            (self._recogniser.failed, self._show_error),
        ):
            signal.disconnect(slot)
        self._reader.stop()
        self._recogniser.cancel()
        self._previews.close()
        if result != QDialog.DialogCode.Accepted:
            self._importer.cancel()
        super().done(result)


def _is_zone(name: str) -> bool:
    from gpuplanner.files.job_logs.times import check_timezone

    try:
        check_timezone(name)
    except PlannerError:
        return False
    return True
