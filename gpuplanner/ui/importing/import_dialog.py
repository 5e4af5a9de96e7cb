"""Importing files: one page where all is clear, steps to look closer; nothing is taken in unasked."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QDialog, QFrame, QStackedWidget, QWidget

from gpuplanner.app.background import Background
from gpuplanner.app.importing import file_previews, import_request, loaded_logs, logs_alone
from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Term
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.files.contracts.contract_words import Row
from gpuplanner.files.system.file_names import file_name
from gpuplanner.files.system.output_file import write_table
from gpuplanner.files.system.resources import long_text
from gpuplanner.files.tables.odd_rates import ODD_RATE
from gpuplanner.files.tables.unread_columns import QUESTION, TOLD
from gpuplanner.ui.importing import (
    contracts_page,
    files_page,
    format_page,
    import_state,
    last_page,
    open_questions,
    questions,
)
from gpuplanner.ui.importing.background_reading import ImportReading
from gpuplanner.ui.importing.columns_page import ColumnsPage, nearest_words, unread_columns
from gpuplanner.ui.importing.files import ImportFiles
from gpuplanner.ui.importing.foot import ImportFoot
from gpuplanner.ui.importing.mappings import mapping_in_force, remember
from gpuplanner.ui.importing.report import ImportReport, IssuesPage, rejected_csv
from gpuplanner.ui.importing.standing import ImportStanding
from gpuplanner.ui.importing.steps import COLUMNS, CONTRACTS, FILES, FORMAT, ISSUES, LAST, STEPS, StepBar
from gpuplanner.ui.kit.dialogs import AnsweringDialog, resize_within_screen, titled
from gpuplanner.ui.kit.file_dialogs import open_files, save_file
from gpuplanner.ui.kit.layout import add, box, column, ground, row, share
from gpuplanner.ui.kit.page_parts import choice_of, refill
from gpuplanner.ui.kit.small_dialogs import ask, errors_in_dialog
from gpuplanner.ui.kit.type_scale import text_px, text_scale
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

FILTER: Final = long_text("import_files")
Page = TypeVar("Page", bound=QWidget)
SIZE_PX: Final = 1440, 900
"""Wider its lines are too long to read, and higher its tables are empty."""
REPORT_SHARE, LEAST_REPORT_PX, MOST_REPORT_PX = 0.28, 280, 420


class ImportDialog(AnsweringDialog):
    """Looks and reads as soon as it opens; emits what was read when the planner takes it in."""

    taken = Signal(object, object, bool)  # ImportRequest, ReadResult, adding

    def __init__(
        self,
        paths: list[str],
        project: Project,
        importer: Importer,
        rows_dir: Path | None,
        parent: QWidget | None = None,
        *,
        settings: Settings | None = None,
        recogniser: file_previews.Recogniser | None = None,
        previewer: file_previews.Previewer | None = None,
        kept_rows_dir: Path | None = None,
        in_parts: bool = False,
        now_s: int = 0,
    ) -> None:
        """in_parts: it is built while it is seen, so that the window never waits for the whole of it.

        rows_dir: where the rows of this import go. kept_rows_dir: where those of loaded logs are.
        now_s: a contract that ends until then has ended.
        """
        super().__init__(parent)
        self._project, self._rows_dir = project, rows_dir
        self._settings = settings
        self.chosen = ImportFiles(
            paths=paths,
            zone_of_all=self._zone_of_all,
            settings=settings,
            recogniser=recogniser,
            previewer=previewer,
            parent=self,
        )
        self.reading = ImportReading(importer, self.request, self._obstacle, self)
        self.questions = questions.ImportQuestions(
            project=project,
            chosen=self.chosen,
            reading=self.reading,
            settings=settings,
            now_s=now_s,
            parent=self,
            rows_dir=kept_rows_dir,
        )
        # where the rows are gone there is no line
        self._telling = Background(lambda _: self._take_alone(()), parent=self)
        self._alone: tuple[logs_alone.LogAlone, ...] = ()  # each log by itself, once they are read
        self._told_of: tuple[object, ...] = ()  # what they were told of
        self._facts: dict[str, str] = {}  # what each file holds, by path: the last that is known
        self._order: tuple[str, ...] = ()  # of the files in the table, once it is known what each needs
        titled(self, tr("Import"))
        chosen_px = None if settings is None else settings.import_size
        resize_within_screen(self, *(chosen_px or SIZE_PX))
        self._size_offered = self.size()
        self._is_built = False
        self._parts = self._build()
        if in_parts:
            QTimer.singleShot(0, self, self._build_on)
        else:
            deque(self._parts, 0)

    # Building

    def _build_on(self) -> None:
        """Builds the next part, and lets the window do what has come before the one after it."""
        for _ in self._parts:
            QTimer.singleShot(0, self, self._build_on)
            break

    def _build(self) -> Iterator[None]:
        """Makes the pages, the report beside them and the foot, a part at a time."""
        self.steps = StepBar()
        tip = tr("File shown in the steps")
        self.file_box = choice_of(tr("File"), tip, ())
        self.file_box.setMaximumWidth(text_px(280))
        head = box("head", row(share(self.steps), self.file_box, margins=(16, 8, 20, 8)), QFrame())
        self.pages = QStackedWidget()
        middle = row(share(self.pages), spacing=0)
        self.question = open_questions.FileQuestion()
        below = column(head, self.question, share(middle), on=self, spacing=0)
        self.files_page = self._page(files_page.FilesPage())
        yield
        self.format_page = self._page(format_page.FormatPage())
        yield
        self.columns_page = self._page(ColumnsPage())
        yield
        self.issues_page = self._page(IssuesPage())
        yield
        self.contracts_page = self._page(contracts_page.ContractsPage())
        yield
        self.last_page = self._page(last_page.LastPage())
        yield
        self.report = ImportReport()
        middle.addWidget(self.report)
        yield
        self.foot = ImportFoot()
        self.foot.can_add = not self._project.is_empty
        self.foot.private.setChecked(loaded_logs.has_pseudonyms(self._project))
        add(below, self.foot)
        yield
        self._connect()
        self._is_built = True
        self._set_widths()
        self.refresh()
        self.update()

    def _page(self, page: Page) -> Page:
        """A page of the dialog, behind those before it."""
        ground(page, "panel")
        self.pages.addWidget(page)
        return page

    def _connect(self) -> None:
        """Turns what pages and background say into changes of the files, or into another look."""
        chosen, reading = self.chosen, self.reading
        chosen.recognised.connect(self._begin_reading)
        chosen.broken.connect(reading.fail)
        chosen.previewed.connect(self._go_on_reading)
        chosen.read_otherwise.connect(self._read_otherwise)
        reading.began.connect(self.files_page.show_beginning)
        reading.progressed.connect(self._show_progress)
        reading.answered.connect(self._take_answer)
        reading.changed.connect(self.refresh)
        self.questions.changed.connect(self.refresh)
        self.steps.step_asked.connect(self.open_step)
        self.file_box.activated.connect(self.choose_file)
        files, columns = self.files_page, self.columns_page
        files.file_chosen.connect(self._look_at)
        files.kind_chosen.connect(self._then_show(self._say_kind))
        files.columns_asked.connect(self._open_columns)
        files.format_asked.connect(lambda: self.open_step(FORMAT))
        files.add_asked.connect(self._add_files)
        files.sheets_asked.connect(lambda: self._take_in(self._other_sheets()))
        files.window_choice.changed.connect(reading.begin_soon)
        files.units.answered.connect(self.questions.say)
        self.format_page.format_chosen.connect(self._then_show(chosen.set_format))
        self.format_page.quantity_chosen.connect(self._then_show(chosen.set_quantity))
        columns.steps_chosen.connect(self._then_show(chosen.set_steps))
        columns.field_chosen.connect(self._then_show(chosen.set_field))
        columns.column_chosen.connect(self._then_show(chosen.set_column))
        columns.unit_chosen.connect(self._then_show(chosen.set_unit))
        columns.zone_chosen.connect(self.questions.set_zone)
        columns.format_asked.connect(lambda: self.open_step(FORMAT))
        columns.by_hand_asked.connect(self._then_show(chosen.map_by_hand))
        self.issues_page.issue_chosen.connect(self.report.select_issue)
        self.contracts_page.terms_chosen.connect(self._change_terms)
        self.report.save_rejected_asked.connect(self._save_rejected)
        self.report.issue_chosen.connect(self._open_issue)
        for table in self.findChildren(FigureTable):
            table.pass_on(self.figure_opened)
        self.report.alike.toggled.connect(self._then_show(chosen.set_dropping))
        self.report.open_toggled.connect(self._then_show(chosen.set_open_ended))
        foot = self.foot
        self.question.answered.connect(self._answer_question)
        foot.adding.toggled.connect(lambda _: reading.begin_soon())
        foot.private.toggled.connect(lambda _: reading.begin_soon())
        foot.forget.clicked.connect(self._forget)
        foot.cancel.clicked.connect(self.reject)
        foot.back.clicked.connect(lambda: self._step(-1))
        foot.next.clicked.connect(self._go_on)

    def _then_show(self, change: Callable[..., None]) -> Callable[..., None]:
        """A change of the file that is looked at, after which everything is shown again."""

        def change_and_refresh(*said_of_it: Any) -> None:
            """Changes a file as was said, and shows it."""
            change(*said_of_it)
            self.refresh()

        return change_and_refresh

    # What is looked at

    @property
    def page(self) -> int:
        """The open step: FILES, FORMAT, COLUMNS, ISSUES or LAST."""
        return self.pages.currentIndex()

    @property
    def standing(self) -> ImportStanding:
        """How the import stands now."""
        obstacle = self._obstacle()
        return ImportStanding(
            files=self.chosen,
            reading=self.reading,
            obstacle=obstacle,
            loaded=self._project,
            joined=self._joined,
            alone=self._alone,
            questions=self.questions,
        )

    @property
    def is_working(self) -> bool:
        """Whether anything is still to come without the planner's doing."""
        return self.chosen.is_being_recognised or self.chosen.previews.is_busy or self.reading.is_busy

    def open_step(self, page: int) -> None:
        """Show a page; the keyboard goes to its first question."""
        if page in (FORMAT, COLUMNS):
            self.chosen.want_preview()
        held = [file for file in self.chosen.all if file.kind in ("contracts", "prices")]
        if page == CONTRACTS and held and self.chosen.file not in held:
            self.chosen.look_at(held[0])
        self.pages.setCurrentIndex(page)
        self.refresh()
        if page == COLUMNS:
            self.columns_page.focus_first()
        elif page == FORMAT:
            self.format_page.box.setFocus(Qt.FocusReason.OtherFocusReason)
        elif page in (ISSUES, CONTRACTS, LAST):
            self.foot.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_file(self, at: int) -> None:
        """Look at another file, by its place among those chosen."""
        if at != self.chosen.at:
            self.chosen.choose(at)
            self.refresh()

    def _look_at(self, path: str) -> None:
        """Look at the file of a row; of one that was loaded before, see how its rows ended."""
        paths = [file.path for file in self.chosen.all]
        if path in paths:
            self.choose_file(paths.index(path))
        else:
            loaded = next(file for file in self.standing.loaded_files if file.path == path)
            self.report.show_file(loaded, tr("All rows"))

    def _say_kind(self, path: str, kind: str) -> None:
        """A file is something else than was thought, and is looked at."""
        self.chosen.look_at(self.chosen.of(path))
        self.chosen.say_kind(path, kind)

    def _add_files(self) -> None:
        """Asks for more files, and takes them in with the others."""
        self._take_in(open_files(self, tr("Add files"), tr(FILTER)))

    def _take_in(self, paths: list[str]) -> None:
        """More files, whose rows and questions are put in order with the others."""
        self.chosen.add(paths)
        self._order = ()
        self.refresh()

    def _other_sheets(self) -> list[str]:
        """The paths of sheets that are left out of the workbook that is looked at."""
        path, read = self.chosen.file.path, self.standing.report.intake
        names: Any = dict(read.facts).get("other_sheets", ()) if read is not None else ()
        return [sheet for name in names if (sheet := f"{path}/{name}") not in self.chosen.paths]

    def _open_columns(self) -> None:
        """Takes an unknown file for a table of jobs, and opens its columns."""
        self.chosen.take_for_table()
        self.open_step(COLUMNS)
        if self._has_unread:
            self.columns_page.focus_unread()

    @property
    def _has_unread(self) -> bool:
        """Whether the reader of the file that is looked at did not read some columns that may be mapped."""
        read, preview = self.standing.report.intake, self.chosen.previews.of(self.chosen.file.path)
        codes = {issue.code for issue in read.issues} if read is not None else set()
        return not codes.isdisjoint((QUESTION, TOLD)) and bool(unread_columns(preview))

    def _forget(self) -> None:
        """Let the table be new again; what is mapped now is not remembered either."""
        self.chosen.forget()
        self.foot.remember.setChecked(False)
        self.refresh()

    # Reading

    def request(self) -> import_request.ImportRequest:
        """What would be read now."""
        request = import_state.request_of(
            self.chosen.all,
            timezone=self._zone_of_all(),
            window=self.files_page.window_choice.request,
            is_private=self.foot.private.isChecked(),
            rows_dir=self._rows_dir,
        )
        return self.questions.with_answers(request, is_adding=self._is_adding)

    @property
    def _is_adding(self) -> bool:
        """Whether what is read is added to what is there."""
        return self.foot.can_add and self.foot.adding.isChecked()

    @property
    def _joined(self) -> Project | None:
        """The project that the files are added to; None where they take the place of what is loaded."""
        return self._project if self._is_adding else None

    def _zone_of_all(self) -> str:
        """The zone that times without one are read in."""
        return self.questions.said_zone

    def _obstacle(self) -> str:
        """Why the files cannot be read as they are; empty if they can."""
        of_window = self.files_page.window_choice.refusal
        previews = self.chosen.previews.known
        return import_state.obstacle(self.chosen.all, previews, self._zone_of_all(), of_window)

    def _begin_reading(self) -> None:
        """Begins to read once all previews are there: they decide the mappings."""
        self.reading.begin_after_previews(is_previewing=self.chosen.previews.is_busy)

    def _go_on_reading(self) -> None:
        """Goes on once the last preview has come."""
        if not self.chosen.previews.is_busy:
            self.reading.go_on_after_previews()
        self.refresh()

    def _read_otherwise(self, path: str) -> None:
        """Forgets how a file was read, and reads again."""
        self.reading.forget(path)
        self.reading.begin_soon()

    def _show_progress(self, fraction: float, text: str) -> None:
        """Shows how far reading is, 0 to 1, and what the foot says meanwhile."""
        self.files_page.show_progress(fraction, text)
        self._show_foot(self.standing)

    def _take_answer(self, request: import_request.ImportRequest, read: Any) -> None:
        """Takes what was read, looks at the worst file and asks what is still open."""
        read = self.questions.with_stated(read)
        self.reading.answer = request, read
        if self.page == FILES:
            self.chosen.look_at_worst(self.reading.intake)
        self.questions.ask_about(request, read)
        of_logs = (request.job_paths, read.jobs.rows_sha256, read.window, read.same)
        is_told = self._told_of == of_logs and bool(read.jobs.rows_sha256)
        if not is_told:
            self._alone, self._told_of = (), of_logs
            self._telling.cancel()
        if request.job_paths and read.cube is not None and not is_told:
            rows_dir = self._rows_dir
            self._telling.start(
                lambda _, is_cancelled: logs_alone.logs_alone(read, rows_dir, is_cancelled), self._take_alone
            )
        is_first = not self._order
        self.refresh()
        if is_first and self.page == FILES and not self.standing.refusal:
            self.foot.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_alone(self, alone: tuple[logs_alone.LogAlone, ...]) -> None:
        """It is known what each log holds by itself."""
        self._alone = alone
        self.refresh()

    # Showing

    def refresh(self) -> None:
        """Show everything as it now stands."""
        standing, file, page = self.standing, self.chosen.file, self.page
        preview = self.chosen.previews.of(file.path)
        self.file_box.setVisible(len(self.chosen.all) > 1 and page not in (FILES, LAST))
        files = self.chosen.all
        called = (
            tr("{number} of {files}: {file}", number=number, files=len(files), file=file.name)
            for number, file in enumerate(files, 1)
        )
        refill(self.file_box, ((words, number) for number, words in enumerate(called)), self.chosen.at)
        self._show_files_page(standing)
        if page == FORMAT:
            self.format_page.show_file(file, preview, standing.fault)
        elif page == COLUMNS:
            seen = preview if file.kind in import_state.MAPPABLE else None
            asked = self.questions.columns_asked(file.path)
            self.columns_page.show_file(file, seen, self.chosen.zone_of(file), standing.fault, asked)
        elif page == ISSUES:
            left_out = not file.kind and file.found is not None
            self.issues_page.show_file(standing.report.intake, file.name, is_left_out=left_out)
        elif page == CONTRACTS:
            words, _ = standing.summary
            summary = " ".join(filter(None, (words, standing.agreement)))
            self.contracts_page.show_lines(
                self.questions.sentences, summary, {*self.questions.cluster_names()}
            )
        elif page == LAST:
            request, read = self.reading.answer or (None, None)
            self.last_page.show_read(request, read, standing.note_of_taking, self._joined, self._alone)
        if (question := standing.asked) is None:
            self.question.show_question("")
        else:
            is_best_first = question.issue.code != ODD_RATE
            self.question.show_question(*self.questions.of_file(*question), is_best_first=is_best_first)
        # Shows the report of the file at hand; on the last page that of all files
        if self.page == LAST and self.reading.intake:
            loaded = {file.path for file in standing.loaded_before}
            own = (file for path, file in self.reading.intake.items() if path not in loaded)
            together = import_state.all_files(own)
            self.report.show_file(together, tr("All files together"))
        else:
            self.report.show_file(*standing.report)
        self.report.show_ticks(file.choice, is_log=page != LAST and file.kind == "jobs")
        self.steps.show_steps(page, standing.settled, standing.closed_steps)
        self._show_foot(standing)

    def trace(self, figure_id: str) -> Trace:
        """Why a count is what it is. Errors: KeyError, StopIteration where it is none of the import's."""
        try:
            return self.last_page.trace(figure_id)
        except KeyError:
            return self.report.trace(figure_id)

    def _show_files_page(self, standing: ImportStanding) -> None:
        """Shows the first page: the files, the questions and how far reading is."""
        is_sorted = bool(self._order)
        page, order = self.files_page, self._rows(standing)
        self._facts |= standing.facts()
        lines = standing.file_lines(order, self._facts)
        page.show_files(lines, standing.loaded_files, self.chosen.file.path)
        preview = self.chosen.previews.of(self.chosen.file.path)
        first, nearest = import_state.first_row_words(preview), nearest_words(self.chosen.file, preview)
        sheets, has_unread = self._other_sheets(), self._has_unread
        page.show_why(self.chosen.file, standing.fault, first, nearest, sheets, has_unread=has_unread)
        read = self.reading.read
        has_logs = any(file.kind == "jobs" for file in self.chosen.all)
        window = read.window if read is not None else None
        page.show_period(window, last_page.left_out_words(self._alone), has_logs=has_logs)
        page.units.ask(self.questions.left_open(), may_move=not (is_sorted or self.questions.has_answers))
        page.bar.setVisible(self.reading.is_under_way)
        if not self.reading.is_under_way:
            page.ready.setText(files_page.ready_words(lines) if self._order else "")
            page.say(*standing.summary)
        elif not self.reading.left and page.bar.value() == 0:
            page.ready.setText(tr("Reading"))

    def _rows(self, standing: ImportStanding) -> tuple[str, ...]:
        """The order of the rows: what needs an answer first; it is set once, when that is known, and stays."""
        paths = tuple(file.path for file in self.chosen.all)
        if not self._order and not self.is_working:
            left = self.questions.left_open()
            answers = {file.path: standing.answers_of(file, left) for file in self.chosen.all}
            self._order = tuple(sorted(paths, key=lambda path: not answers[path]))
        if self._order:
            self._order += tuple(path for path in paths if path not in self._order)
        return self._order or paths

    def _answer_question(self, value: str) -> None:
        """Says what was asked of a file that disagrees with its totals, or has odd rates."""
        if (asked := self.standing.asked) is not None:
            self.questions.answer_file(*asked, value)

    def _change_terms(self, row: Row, terms: Mapping[str, Term]) -> None:
        """Changes terms of a contract or an offer where its sentence stands."""
        with errors_in_dialog(self):
            self.questions.change(row, terms)

    def _show_foot(self, standing: ImportStanding) -> None:
        """Shows the ways on and back, and what holds for all files, as the page needs it."""
        foot, page, file = self.foot, self.page, self.chosen.file
        in_force = mapping_in_force(file, self.chosen.previews.of(file.path))
        foot.show_page(
            can_add=page in (FILES, LAST),
            can_remember=page == COLUMNS and in_force is not None,
            is_remembered=file.is_remembered,
            has_back=page > FILES,
        )
        foot.show_next(*standing.way_on(page), role="muted" if standing.is_reading else "amber")

    # Answers

    def _go_on(self) -> None:
        """Enter, and the one primary button: import where all is said, else the next step."""
        waiting = self.standing.waiting
        if self.page in (FILES, LAST) and waiting is None and self.standing.is_to_confirm:
            self.open_step(CONTRACTS)
        elif self.page in (FILES, CONTRACTS, LAST) and waiting is None:
            self._take()
        elif self.page == COLUMNS and waiting is not None and not self.standing.lacking:
            self.chosen.agree()
            self.open_step(ISSUES)
        elif self.page in (FILES, COLUMNS, LAST) and waiting is not None:
            self.chosen.look_at(waiting.file)
            self.open_step(COLUMNS)
        elif self.page == FORMAT:
            self.open_step(COLUMNS if self.chosen.file.kind else LAST)
        else:
            self._step(1)

    def _step(self, by: int) -> None:
        """Opens the next step that can be opened, or with -1 the one before."""
        page = self.page + by
        while 0 <= page < len(STEPS) and not self.steps.button(page).isEnabled():
            page += by
        if 0 <= page < len(STEPS):
            self.open_step(page)

    def _open_issue(self, code: str) -> None:
        """Opens the rows of a kind of finding."""
        if self.page != LAST:
            self.pages.setCurrentIndex(ISSUES)
            self.refresh()
            self.issues_page.show_issue(code)
            self.report.select_issue(code)

    def _take(self) -> None:
        """Hands over what was read, without refused files, and remembers the mappings if that was wished."""
        if self.reading.answer is not None and not self.standing.refusal:
            request, read = import_state.without_refused(*self.reading.answer)
            if self._settings is not None and self.foot.remember.isChecked():
                stated = self.questions.stated.items()
                self._settings.stated_terms = {key: terms for key, terms in stated if terms}
            self.taken.emit(request, read, self._is_adding)
            self.accept()

    def _save_rejected(self) -> None:
        """Asks for a file and writes the rejected rows into it, never over one that is imported."""
        shown = self.standing.report.intake
        files = tuple(file for file in self.reading.intake.values() if file.rejected) or (
            (shown,) if shown is not None and shown.rejected else ()
        )
        read = Path(files[0].path) if files else None
        suggestion = str(read.parent / file_name(read.stem, "-rejected.csv")) if read is not None else ""
        path, _ = save_file(self, tr("Save rejected rows"), suggestion, tr("CSV (*.csv)"))
        if path:
            try:
                write_table(Path(path), rejected_csv(files), given=[one.path for one in self.chosen.all])
                self.foot.say(tr("Saved {file}.", file=Path(path).name), "muted")
            except PlannerError as error:
                self.foot.say(tr("{title}: {value}.", title=path, value=error.message), "red")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard, else the way on; Ctrl+Page up and down change the step."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._is_built:
            pressed: QWidget | None = self.focusWidget()
            if (
                not isinstance(pressed, QAbstractButton)
                or isinstance(pressed, QCheckBox)
                or not pressed.isVisible()
            ):
                pressed = self.foot.next
            pressed.click()
            return
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        key = Qt.Key(event.key()) if event.key() in steps else None
        if key is not None and self._is_built and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._step(steps[key])
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The title bar's close asks as Escape does; who closes it in the program has no question to answer."""
        if event.spontaneous():
            event.ignore()
            self._leave()
        else:
            super().closeEvent(event)

    def _leave(self) -> None:
        """Closes it, after a question where what was read is lost, or what is being read.

        Escape may have been meant for a list that was closed already.
        """
        leave, files = worded("Close without importing"), self.chosen.all
        name = files[0].name if len(files) == 1 else numbers.counted(len(files), "file")
        words = tr(long_text("answers_lost", name=name))
        is_lost = self._is_built and (self.is_working or self.reading.answer is not None or self._has_answers)
        answers = (leave, worded("Continue importing"))
        if not is_lost or ask(self, tr("Close without importing?"), words, answers) == leave:
            self.reject()

    @property
    def _has_answers(self) -> bool:
        """Whether the planner answered anything, or said how a file is to be read."""
        return self.questions.has_answers or any(file.is_said for file in self.chosen.all)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the report the width for the room there is."""
        super().resizeEvent(event)
        if self._is_built:
            self._set_widths()

    def _set_widths(self) -> None:
        """The width of the report for the room there is."""
        share_px = round(REPORT_SHARE * self.width())
        self.report.setFixedWidth(max(LEAST_REPORT_PX, min(MOST_REPORT_PX, share_px)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Begins to recognise files once the dialog is seen."""
        super().paintEvent(event)
        if self._is_built:
            self.chosen.recognise()

    def done(self, result: int) -> None:
        """Stops what runs in the background; mappings and a size that the planner gave are kept, however it is left."""
        if self._settings is not None and self._is_built and self.foot.remember.isChecked():
            read = {path for path, file in self.reading.intake.items() if file.rows_accepted}
            known = self.chosen.previews.known
            accepted = read | {path for path, preview in known.items() if preview.counts[1]}
            is_taken = result == QDialog.DialogCode.Accepted
            files = (file for file in self.chosen.all if is_taken or file.is_said)
            remember(self._settings, files, accepted, known)
        if self._settings is not None and self.size() != self._size_offered:
            width, height = self.size().toTuple()
            self._settings.import_size = round(width / text_scale()), round(height / text_scale())
        self.chosen.close()
        self._telling.close()
        self.reading.close(is_cancelled=result != QDialog.DialogCode.Accepted)
        super().done(result)
