"""Importing files: what each is, how its rows ended, and one button that takes them in. Nothing loaded is lost."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.app.importing import Importer, ImportRequest, with_loaded_logs
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.ui import numbers
from gpuplanner.ui.dialog_size import resize_within_screen
from gpuplanner.ui.figure_table import Cell, Column, FigureTable, Row
from gpuplanner.ui.import_report import ImportReport, is_refused, rejected_csv
from gpuplanner.ui.log_question import LogQuestion
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font
from gpuplanner.ui.window_words import in_window_words

KINDS: Final = (
    ("jobs", "Job log", "job_log"),
    ("contracts", "Contracts", "contract"),
    ("prices", "Prices", "price"),
    ("", "Leave out", "more"),
)
NAIVE: Final = "naive_time_assumed_utc"
FILTER: Final = "Logs, contracts, prices (*.csv *.txt *.tsv *.xlsx *.log *.psv *.parquet);;All files (*)"


def kind_of(path: str) -> tuple[str, str]:
    """What a file is by its content (jobs, contracts, prices or empty), and why; never an error."""
    from gpuplanner.files.recognise import recognise

    try:
        found = recognise(path)
    except PlannerError as error:
        return "", in_window_words(f"{error.what}; {error.remedy}")
    return (found.kind if found.kind in ("jobs", "contracts", "prices") else "", found.why)


class ImportDialog(QDialog):
    """Reads as soon as it opens; emits what was read when the planner takes it in."""

    taken = Signal(object, object, bool)  # ImportRequest, ReadResult, adding

    def __init__(
        self,
        paths: list[str],
        project: Project,
        importer: Importer,
        palette: Palette,
        rows_dir: Path | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._palette, self._project, self._importer, self._rows_dir = palette, project, importer, rows_dir
        self._paths = list(dict.fromkeys(paths))
        found = {path: kind_of(path) for path in self._paths}
        self._why = {path: why for path, (_, why) in found.items()}
        self._kinds = {path: kind for path, (kind, _) in found.items()}
        self._answer: tuple[ImportRequest, Any] | None = None
        self._error: PlannerError | None = None
        self.setWindowTitle("Import")
        self.setAccessibleName("Import")
        resize_within_screen(self, 1000, 600)
        self._build()
        importer.progressed.connect(self._show_progress)
        importer.imported.connect(self._show_answer)
        importer.failed.connect(self._show_error)
        importer.cancelled.connect(self._show_cancelled)
        self._read()

    # Building

    def _build(self) -> None:
        palette = self._palette
        title = QLabel("Import")
        title.setFont(font("page"))
        self._said = QLabel()
        self._said.setProperty("role", "muted")
        self._said.setWordWrap(True)
        self._table = FigureTable("Files", palette)
        self._table.row_height = 34
        self._table.selectionModel().currentRowChanged.connect(lambda now, _: self._show_file(now.row()))
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress of reading")
        left = QWidget()
        left.setObjectName("panel")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(left)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        column.addWidget(title)
        column.addWidget(self._said)
        column.addWidget(self._bar)
        column.addWidget(self._table, 1)
        self._ask_about_log(column)
        self.report = ImportReport(palette)
        self.report.setFixedWidth(360)
        self.report.save_rejected_asked.connect(self._save_rejected)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(left, 1)
        middle.addWidget(self.report)
        foot = self._foot()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(middle, 1)
        layout.addWidget(foot)
        self.again.hide()
        loaded = self._project
        self.adding.setVisible(bool(loaded.workloads or loaded.contracts or loaded.offers))
        self._show_files(())

    def _ask_about_log(self, column: QVBoxLayout) -> None:
        """What a log may leave open; each is asked only when a log does."""
        self.zone = LogQuestion(
            "Times in this log carry no zone. Read them as",
            "Time zone of the log",
            "Times in the log carry no zone: say in which zone the cluster's clock runs",
        )
        self.cluster = LogQuestion(
            "Jobs in this log name no cluster. They ran on",
            "Cluster of the log",
            "Contracts serve the cluster they name: say on which cluster these jobs ran",
        )
        for question in (self.zone, self.cluster):
            question.changed.connect(self._mark_stale)
            column.addWidget(question)

    def _foot(self) -> QFrame:
        foot = QFrame()
        foot.setObjectName("foot")
        self.adding = QCheckBox("Add to what is loaded")
        self.adding.setAccessibleName("Add to what is loaded")
        self.adding.setToolTip("Keep what is loaded and add these files; without it they take its place")
        self.adding.setChecked(True)
        self.adding.toggled.connect(lambda _: self._mark_stale())
        self.again = QPushButton("Read again")
        self.again.setAccessibleName("Read again")
        self.again.setToolTip("Read the files with what was chosen here")
        self.again.clicked.connect(self._read)
        self.cancel = QPushButton("Cancel")
        self.cancel.setAccessibleName("Cancel")
        self.cancel.setToolTip("Take nothing in; what is loaded stays as it is (Esc)")
        self.cancel.clicked.connect(self.reject)
        self.take = QPushButton("Import")
        self.take.setAccessibleName("Import")
        self.take.setProperty("primary", True)
        self.take.setFont(font("strong"))
        self.take.setDefault(True)
        self.take.clicked.connect(self._take)
        row = QHBoxLayout(foot)
        row.setContentsMargins(20, 10, 20, 10)
        row.setSpacing(8)
        row.addWidget(self.adding)
        row.addStretch(1)
        for button in (self.again, self.cancel, self.take):
            row.addWidget(button)
        return foot

    # Reading

    def request(self) -> ImportRequest:
        """What would be read now."""
        of_kind = {
            kind: tuple(path for path in self._paths if self._kinds[path] == kind) for kind, _, _ in KINDS
        }
        request = ImportRequest(
            of_kind["jobs"],
            of_kind["contracts"],
            of_kind["prices"],
            timezone=self.zone.answer or None,
            cluster=self.cluster.answer or None,
            rows_dir=self._rows_dir,
        )
        return (
            with_loaded_logs(request, self._project)
            if self.adding.isChecked() and request.job_paths
            else request
        )

    def _read(self) -> None:
        request = self.request()
        self._answer = self._error = None
        self.again.hide()
        if not request.paths:
            self._say(
                "None of these files is a job log, contracts or prices. Say what each is, or choose others.",
                "amber",
            )
            self._bar.hide()
            self._set_take(False, "No file to take in")
            return
        self._say("Reading", "muted")
        self._bar.setRange(0, 1000)
        self._bar.setValue(0)
        self._bar.show()
        self._set_take(False, "The files are being read")
        self._importer.start(request)

    def _show_progress(self, fraction: float, text: str) -> None:
        if fraction >= 1:
            self._bar.setRange(0, 0)  # read, but not yet put together: how long that takes is not known
            self._say("Putting the jobs together", "muted")
            return
        self._bar.setValue(round(1000 * fraction))
        self._say(text[:1].upper() + text[1:], "muted")

    def _show_answer(self, request: ImportRequest, read: Any) -> None:
        self._answer = (request, read)
        self._bar.hide()
        self._show_files(tuple(read.intake))
        codes = {issue.code for file in read.intake for issue in file.issues}
        if NAIVE in codes or request.timezone:
            self._offer_zone(request.timezone or "UTC")
        if request.cluster or any(not workload.cluster for workload in read.workloads):
            contracts = {*read.contracts, *self._project.contracts}
            names = sorted({contract.cluster for contract in contracts} - {""})
            self.cluster.ask(["", *names], request.cluster or "")
        if request.job_paths and not read.accepted_jobs:
            self._say(f"No row was accepted as a job. {_remedy(read)}", "red")
            self._set_take(False, "No row was accepted as a job")
            return
        refused = [Path(file.path).name for file in read.intake if is_refused(file)]
        left_out = f" Not taken: {', '.join(refused)}; why is said at the right." if refused else ""
        if refused and len(refused) == len(read.intake):
            self._say(f"Nothing can be taken in. {_remedy(read)}", "red")
            self._set_take(False, "None of the files could be taken")
            return
        alike = _alike_clusters(
            {workload.cluster for workload in read.workloads}
            | {contract.cluster for contract in (*read.contracts, *self._project.contracts)}
        )
        self._say(_summary(request, read) + left_out + alike, "amber" if left_out or alike else "muted")
        self._set_take(True, "Take these files in; one undo step (Enter)")
        self.take.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_error(self, error: Exception) -> None:
        self._bar.hide()
        if isinstance(error, PlannerError):
            remedy = numbers.sentence(in_window_words(error.remedy))
            self._say(f"{error.where}: {in_window_words(error.what)}. {remedy}.", "red")
        else:
            self._say(f"Reading failed: {error}. What is loaded stays as it is.", "red")
        self._set_take(False, "The files could not be read")
        self.again.show()

    def _show_cancelled(self) -> None:
        self._bar.hide()
        self._say("Stopped. Nothing was taken in.", "muted")
        self.again.show()

    # Showing

    def _say(self, text: str, role: str) -> None:
        self._said.setText(text)
        self._said.setProperty("role", role)
        self._said.style().unpolish(self._said)
        self._said.style().polish(self._said)

    def _set_take(self, can: bool, tip: str) -> None:
        self.take.setEnabled(can)
        self.take.setToolTip(tip)

    def _show_files(self, intake: tuple[FileIntake, ...]) -> None:
        known = {file.path: file for file in intake}
        others = tuple(file for file in intake if file.path not in self._paths)
        self._files = [*(known.get(path) for path in self._paths), *others]
        icons = {kind: name for kind, _, name in KINDS}
        rows = []
        for path, file in zip([*self._paths, *(file.path for file in others)], self._files, strict=True):
            kind = self._kinds.get(path, "jobs")
            if file is None:
                said = ("muted", "not read yet") if kind else ("amber", "not recognised")
            elif is_refused(file):
                said = ("red", "refused")
            elif not file.rows_read:
                said = ("amber", "no rows")
            else:
                bad = file.rows_rejected
                said = ("red" if bad else "green", f"{numbers.whole(bad)} rejected" if bad else "read")
            status = {"red": "octagon", "green": "tick", "amber": "triangle", "muted": "more"}[said[0]]
            rows.append(
                Row(
                    (
                        Cell(
                            Path(path).name,
                            icon=icons[kind],
                            is_strong=True,
                            tip=f"{path}\n{self._why.get(path, 'Loaded before')}",
                        ),
                        Cell("" if path in self._kinds else "Job log, loaded before", "muted"),
                        Cell(_format(file), "muted"),
                        Cell(
                            numbers.whole(file.rows_accepted)
                            if file and not is_refused(file)
                            else numbers.UNKNOWN
                        ),
                        Cell(said[1], icon=status, icon_role=said[0], tip=self._reason(path, file)),
                    ),
                    key=path,
                )
            )
        columns = (
            Column("File", False),
            Column("What it is", False, 134),
            Column("Format", False, 84),
            Column("Rows taken"),
            Column("", False, 124),
        )
        self._table.show_rows((), ())
        self._table.show_rows(columns, rows)
        for at, path in enumerate(self._paths):
            self._table.setIndexWidget(self._table.model().index(at, 1), self._kind_box(path))
        self._table.selectRow(_worst(self._files))
        self._show_file(_worst(self._files))

    def _reason(self, path: str, file: FileIntake | None) -> str:
        """Why a file stands where it does: what was wrong with it, else by what it was recognised."""
        if file is not None and is_refused(file):
            return numbers.sentence(in_window_words(file.issues[0].message))
        return self._why.get(path, "")

    def _kind_box(self, path: str) -> QWidget:
        box = QComboBox()
        box.setAccessibleName(f"What {Path(path).name} is")
        box.setToolTip("Recognised by content; choose another if it is wrong")
        for kind, title, _ in KINDS:
            box.addItem(title, kind)
        box.setCurrentIndex([kind for kind, _, _ in KINDS].index(self._kinds[path]))
        box.currentIndexChanged.connect(lambda at, path=path: self._set_kind(path, KINDS[at][0]))
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(8, 3, 4, 3)
        row.addWidget(box)
        return holder

    def _set_kind(self, path: str, kind: str) -> None:
        self._kinds[path] = kind
        self._mark_stale()

    def _mark_stale(self) -> None:
        self._importer.cancel()
        self._answer = None
        self.again.show()
        self._bar.hide()
        self._say("Read the files again to see what comes of that.", "muted")
        self._set_take(False, "Read the files again first")

    def _offer_zone(self, chosen: str) -> None:
        from zoneinfo import available_timezones

        self.zone.ask(["UTC", *sorted(zone for zone in available_timezones() if "/" in zone)], chosen)

    def _show_file(self, at: int) -> None:
        self.report.show_file(self._files[at] if 0 <= at < len(self._files) else None)

    # Answers

    def _take(self) -> None:
        if self._answer is not None:
            request, read = _without_refused(*self._answer)
            self.taken.emit(request, read, self.adding.isChecked() and self.adding.isVisible())
            self.accept()

    def _save_rejected(self) -> None:
        files = tuple(file for file in self._files if file is not None and file.rejected)
        suggestion = str(Path(files[0].path).with_suffix("")) + "-rejected.csv" if files else ""
        path, _ = QFileDialog.getSaveFileName(self, "Save rejected rows", suggestion, "CSV (*.csv)")
        if path:
            try:
                Path(path).write_text(rejected_csv(files), encoding="utf-8", newline="")
                self._say(f"Saved {Path(path).name}.", "muted")
            except OSError as error:
                self._say(f"{path}: it cannot be written ({error.strerror}). Choose another folder.", "red")

    def done(self, result: int) -> None:
        for signal, slot in (
            (self._importer.progressed, self._show_progress),
            (self._importer.imported, self._show_answer),
            (self._importer.failed, self._show_error),
            (self._importer.cancelled, self._show_cancelled),
        ):
            signal.disconnect(slot)
        if result != QDialog.DialogCode.Accepted:
            self._importer.cancel()
        super().done(result)


def _format(file: FileIntake | None) -> str:
    """How a file is laid out, in a word."""
    if file is None:
        return ""
    if file.format.startswith("own_"):
        return "own " + Path(file.path).suffix[1:].upper()
    return file.format.replace("_", " ")


def _worst(files: list[FileIntake | None]) -> int:
    """The file to look at first: one that was refused, else the one with most rejected rows."""
    counts = [
        0.0 if file is None else float("inf") if is_refused(file) else file.rows_rejected for file in files
    ]
    return counts.index(max(counts)) if counts else -1


def _remedy(read: Any) -> str:
    """What to do where nothing could be read."""
    if not read.refused:
        return "See why each row was not taken, at the right."
    return numbers.sentence(in_window_words(f"{read.refused[0].what}; {read.refused[0].remedy}")) + "."


def _without_refused(request: ImportRequest, read: Any) -> tuple[ImportRequest, Any]:
    """What is taken in: a file that gave nothing is no source of the project."""
    refused = {file.path for file in read.intake if is_refused(file)}
    if not refused:
        return request, read
    kept = {
        field: tuple(path for path in getattr(request, field) if path not in refused)
        for field in ("job_paths", "contract_paths", "price_paths")
    }
    intake = tuple(file for file in read.intake if file.path not in refused)
    return replace(request, **kept), replace(read, intake=intake)


def _alike_clusters(names: set[str]) -> str:
    """Names of clusters that differ in capitals or blanks only: said, for contracts serve the cluster they name."""
    by_letters: dict[str, list[str]] = {}
    for name in sorted(names - {""}):
        by_letters.setdefault(name.strip().casefold(), []).append(name)
    return "".join(
        f" {' and '.join(alike)} are taken as {len(alike)} clusters; write one name where they are one."
        for alike in by_letters.values()
        if len(alike) > 1
    )


def _summary(request: ImportRequest, read: Any) -> str:
    parts = []
    if request.job_paths:
        parts.append(
            f"{numbers.counted(read.accepted_jobs, 'job')} in {numbers.counted(len(read.workloads), 'workload')}"
        )
        if read.window is not None:
            parts.append(numbers.span(read.window.start_s, read.window.end_s))
    if request.contract_paths:
        parts.append(numbers.counted(len(read.contracts), "contract"))
    if request.price_paths:
        parts.append(numbers.counted(len(read.offers), "offer"))
    return " \u00b7 ".join(parts) + "."
