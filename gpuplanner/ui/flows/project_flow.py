"""Opening, saving, importing, exporting: what the window asks for, done with the app's services and said in words."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFileDialog

from gpuplanner.app.background import Background
from gpuplanner.app.importing import Importer, ImportRequest, imported_project, rewindowed_project
from gpuplanner.app.previewing import Previewer, Recogniser
from gpuplanner.app.questions.reading_traffic import TrafficReader, project_with_traffic
from gpuplanner.app.rows_on_trial import rows_on_trial, take_rows
from gpuplanner.app.saving import Saver
from gpuplanner.app.settings import Settings
from gpuplanner.domain.edits import log_decision, traffic_label, window_label
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.cube import empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.system.suggested_names import file_name
from gpuplanner.files.system.user_folder import ROWS
from gpuplanner.ui.flows.shared_file_flow import SharedFileFlow
from gpuplanner.ui.frame.file_notice_bar import FileNoticeBar
from gpuplanner.ui.kit.message import ask, show_error
from gpuplanner.ui.kit.progress import ProgressDialog
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.session.ways import Ways
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

SUFFIX: Final = ".gpuplan"
PROJECTS: Final = worded("Projects (*{suffix})", suffix=SUFFIX)
THEME_OF_PALETTE: Final = {"light": "light", "dark": "dark", "high contrast": "contrast"}


def new_project(now_s: int) -> Project:
    """A project with nothing in it; its window is the hour before now until a log says better."""
    return Project(Window(now_s // 3600 * 3600 - 3600, 1), empty_cube(1))


SAVE: Final = worded("Save")
DISCARD: Final = worded("Discard changes")


class ProjectFlow(QObject):
    """Connects a session with the services of the app. workers: what else is closed before the window goes."""

    titled = Signal(str, bool)  # the file's name ("": none), and whether it is saved
    recent_found = Signal(list)  # projects opened before: path, name, folder, day
    closing = Signal()  # the planner closes the window

    def __init__(
        self,
        session: Session,
        saver: Saver,
        settings: Settings,
        data_folder: Path,
        now_s: int,
        notice: FileNoticeBar,
        workers: Sequence[Any],
        ways: Ways,
    ) -> None:
        super().__init__(session.window)
        self._session, self._document, self._workers, self._ways = session, session.document, workers, ways
        self._saver, self._settings, self._data, self._now_s = saver, settings, data_folder, now_s
        self._importer = Importer(parent=self)
        self._recogniser, self._previewer = Recogniser(parent=self), Previewer(parent=self)
        self._is_put_away = False
        self._after_save: Any = None
        self.autosave: Any = None  # the journal, once the window is open
        self.rules: Any = None  # the planner's own class rules, which need the shipped ones beside them
        self.backtest: Any = None  # walks over logs, with the shipped tables
        self.duration: Any = None  # looks for flip points
        self.names: Any = None  # matches names
        self.exports: Any = None  # writes the workbook and FOCUS rows
        self.brief: Any = None  # writes the board brief
        self.statements: Any = None  # writes the statements of teams
        self.requests: Any = None  # writes requests for quote
        self.inference: Any = None  # sizes endpoints, with the shipped tables
        self.track: Any = None  # holds plans against later logs, with the shipped tables
        self._progress: ProgressDialog | None = None
        self._rows_dir = data_folder / ROWS
        self._rewindow = Background(self._fail_rewindow, self._show_demo_progress, self)
        self._traffic = TrafficReader(self)
        self._traffic.found.connect(self._take_traffic)
        self._traffic.failed.connect(self._fail)
        self._demo = Background(self._fail_demo, self._show_demo_progress, self)
        asks = session.asks
        asks.new_asked.connect(self.new)
        asks.open_asked.connect(self.choose_project)
        asks.open_path_asked.connect(lambda path: self.open(Path(path)))
        asks.demo_asked.connect(self.open_demo)
        asks.import_asked.connect(self.choose_files)
        asks.contracts_asked.connect(self.choose_contracts)
        asks.public_prices_asked.connect(self.take_public_prices)
        asks.files_dropped.connect(self.take_files)
        asks.jobs_asked.connect(self.show_jobs)
        asks.board_view_changed.connect(lambda view: setattr(settings, "board_view", view))
        asks.merged_jobs_asked.connect(lambda card, names: self.show_jobs(card, names=names))
        asks.jobs_in_hours_asked.connect(self.show_jobs_in)
        asks.rows_asked.connect(self.show_jobs)
        asks.traffic_asked.connect(self.read_traffic)
        asks.window_asked.connect(self.choose_window)
        asks.save_asked.connect(self.save)
        asks.save_as_asked.connect(self.save_as)
        asks.palette_chosen.connect(self._remember_theme)
        asks.today_view_chosen.connect(lambda view: setattr(settings, "today_view", view))
        asks.close_asked.connect(self._close)
        session.document.changed.connect(self._show_title)
        saver.saved.connect(self._take_saved)
        saver.opened.connect(self._take_opened)
        saver.failed.connect(self._fail)
        self.shared = SharedFileFlow(session, saver, notice, self.open)
        self.shared.not_saved.connect(self._forget_after_save)

    # Projects

    def new(self) -> None:
        """Nothing loaded, after asking about changes."""
        self._after_asking(lambda: self._document.load(new_project(self._now_s)))

    def choose_project(self) -> None:
        """Ask for a project file and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self._session.window, tr("Open project"), self._folder(), tr(PROJECTS)
        )
        if path:
            self.open(Path(path))

    def open(self, path: Path) -> None:
        """Open a project file, after asking about changes."""
        self._after_asking(lambda: self._saver.open(path))

    def open_demo(self) -> None:
        """Make the demo in a thread and open it as an untitled project."""
        self._after_asking(self._start_demo)

    def save(self) -> None:
        """Save to the file it came from, or ask for one."""
        if self._document.path is None:
            self.save_as()
        else:
            self._saver.save()

    def save_as(self) -> None:
        """Ask for a file and save to it."""
        start = str(Path(self._folder()) / file_name(self._document.name, SUFFIX))
        path, _ = QFileDialog.getSaveFileName(self._session.window, tr("Save project"), start, tr(PROJECTS))
        if path:
            target = Path(path if path.endswith(SUFFIX) else path + SUFFIX)
            self._settings.last_folder = target.parent
            self._saver.save(
                target, is_any_replaced=str(target) == path
            )  # the file dialog asked about that name
        else:
            self._after_save = None

    def show_recent(self) -> None:
        """Tell of the projects opened before that can be found."""
        rows = []
        for path in self._settings.recent_files:
            try:
                when = numbers.date(int(path.stat().st_mtime))
            except OSError:
                continue
            rows.append((str(path), path.name, str(path.parent), when))
        self.recent_found.emit(rows)

    # Files

    def choose_contracts(self) -> None:
        """Ask for files of contracts and import them."""
        self.choose_files(tr("Add contracts"))

    def choose_files(self, title: str = "") -> None:
        """Ask for files and import them."""
        from gpuplanner.ui.importing.import_dialog import FILTER

        paths, _ = QFileDialog.getOpenFileNames(
            self._session.window, title or tr("Import files"), self._folder(), tr(FILTER)
        )
        if paths:
            self._settings.last_folder = Path(paths[0]).parent
            self.take_files(paths)

    def take_public_prices(self) -> None:
        """Import the price list that comes with the program; it is looked at like any other first."""
        from gpuplanner.files.prices.price_tables import builtin_path

        try:
            path = builtin_path()
        except PlannerError as error:
            show_error(self._session.window, error)
            return
        self.take_files([path])

    def take_files(self, paths: list[str]) -> None:
        """Import these; a project among them is opened instead."""
        from gpuplanner.files.lists.rules_file import begins_rules
        from gpuplanner.ui.importing.import_dialog import ImportDialog

        projects = [path for path in paths if path.endswith(SUFFIX)]
        if projects:
            self.open(Path(projects[0]))
            return
        rules = [path for path in paths if path.lower().endswith(".csv") and begins_rules(Path(path))]
        if rules and self.rules is not None and self._document.project.workloads:
            self.rules.import_files(rules)
            paths = [path for path in paths if path not in rules]
            if not paths:
                return
        with rows_on_trial(self._rows_dir) as on_trial:
            dialog = ImportDialog(
                paths,
                self._document.project,
                self._importer,
                self._session.palette,
                on_trial,
                self._session.window,
                settings=self._settings,
                recogniser=self._recogniser,
                previewer=self._previewer,
            )
            dialog.taken.connect(self._take_import)
            self._ways.answer_for(dialog)
            dialog.exec()
            dialog.deleteLater()

    def _take_import(self, request: ImportRequest, read: Any, adding: bool) -> None:
        """Takes in what was read as one step; its job rows are kept under their hash first."""
        before, scenario = self._document.project, self._session.scenario
        try:
            after = imported_project(before, request, read, adding=adding, scenario=scenario)
        except PlannerError as error:
            show_error(self._session.window, error)
            return
        if request.rows_dir is not None:
            take_rows(request.rows_dir, self._rows_dir, after.jobs.rows_sha256)
        if read.planned:
            after = log_decision(before, after, scenario, self._session.time_s(), request.label)
        self._document.edit(request.label, after)
        if self.names is not None:
            self.names.ask_if_unmatched()

    # The jobs behind the cards

    def show_jobs(
        self,
        card: CardFigures,
        start_s: int | None = None,
        end_s: int | None = None,
        *,
        hours: Any = None,
        scope: Text = "",
        names: Mapping[str, str] | None = None,
    ) -> None:
        """The jobs of one workload, from the rows kept when its log was imported; of a part of the window if said.

        hours: only these hours of the window count, which `scope` names. names: of the workloads of a merged card, by
        key, whose jobs are shown together.
        """
        from gpuplanner.app.questions.drilling import JobDrill, kept_rows, reader_in
        from gpuplanner.ui.jobs.sheet import JobsSheet

        project = self._document.project
        path = kept_rows(self._rows_dir, project.jobs.rows_sha256)
        has_rows = bool(project.jobs.rows_sha256) and path.exists()
        window = project.window
        if start_s is not None and end_s is not None:
            window = Window(start_s, (end_s - start_s) // HOUR_S, window.timezone)
        read = reader_in(hours, project.same)
        drill = JobDrill(path, tuple(names or (card.key,)), window, read) if has_rows else None
        is_part, palette = window is not project.window, self._session.palette
        sheet = JobsSheet(
            card,
            window,
            drill,
            palette,
            self._session.window,
            is_part=is_part,
            scope=scope,
            names=names or {},
        )
        sheet.import_asked.connect(self.choose_files)
        self._ways.answer_for(sheet)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._ways.back(sheet)
        sheet.show()

    def show_jobs_in(self, card: CardFigures, hours: Any, scope: Text) -> None:
        """The jobs of one workload of which only some hours of the window count; None: all of them."""
        self.show_jobs(card, hours=hours, scope=scope)

    def read_traffic(self, key: str) -> None:
        """Ask for the list of requests of an endpoint, and read it beside the window; one undo step."""
        path, _ = QFileDialog.getOpenFileName(
            self._session.window, tr("Requests of the endpoint"), self._folder()
        )
        if path:
            self._traffic.start(key, Path(path))

    def _take_traffic(self, key: str, traffic: Any, intake: Any) -> None:
        """Sets a trace of requests; refused where its endpoint is gone by now."""
        project = self._document.project
        try:
            after = project_with_traffic(project, key, traffic, intake)
        except PlannerError as error:  # another log was imported meanwhile
            show_error(self._session.window, error)
            return
        self._document.edit(traffic_label(project, key, traffic), after)

    def choose_window(self) -> None:
        """Look at another past of the log that is loaded; one undo step."""
        from gpuplanner.app.questions.drilling import kept_rows
        from gpuplanner.ui.plans.window_dialog import WindowDialog

        project = self._document.project
        has_rows = (
            bool(project.jobs.rows_sha256) and kept_rows(self._rows_dir, project.jobs.rows_sha256).exists()
        )
        dialog = WindowDialog(project.window, has_rows, self._session.window)
        dialog.window_chosen.connect(self._change_window)
        dialog.import_asked.connect(self.choose_files)
        dialog.exec()

    def _change_window(self, request: Any, words: str) -> None:
        """Reads the kept job rows over another window, in a thread."""
        project, rows_dir = self._document.project, self._rows_dir
        self._progress = self._show_progress_of(tr("Changing the window"), self._rewindow.cancel)
        self._rewindow.start(
            lambda said, is_cancelled: rewindowed_project(project, rows_dir, request, said, is_cancelled),
            lambda after: self._take_window(after, words),
        )

    def _take_window(self, after: Project, words: str) -> None:
        """Takes the project over its new window as one step."""
        self._end_progress()
        self._document.edit(window_label(words), after)

    def _fail_rewindow(self, error: Exception) -> None:
        """Ends the progress and says why the window stays as it was."""
        self._end_progress()
        show_error(self._session.window, error)

    # The demo

    def _start_demo(self) -> None:
        """Makes the demo in a thread, its six months ending yesterday."""
        from gpuplanner.files.demo.demo_days import ending_yesterday
        from gpuplanner.files.demo.demo_project import make_demo

        folder, days = self._data / "demo", ending_yesterday(self._session.time_s())
        self._progress = self._show_progress_of(tr("Opening the demo"), self._demo.cancel)
        self._demo.start(
            lambda said, is_cancelled: make_demo(
                folder, days, said, is_cancelled, rows_dir=self._rows_dir, is_folder_ours=True
            ),
            self._take_demo,
        )

    def _show_demo_progress(self, fraction: float, text: Text) -> None:
        """Shows how far the demo is, 0 to 1."""
        if self._progress is not None:
            self._progress.show_progress(fraction, text)

    def _take_demo(self, project: Project) -> None:
        """Opens the demo as a new project."""
        self._end_progress()
        self._document.load(project)

    def _fail_demo(self, error: Exception) -> None:
        """Ends the progress and says why there is no demo."""
        self._end_progress()
        show_error(self._session.window, error)

    # Inside

    def _show_progress_of(self, title: str, cancel: Any) -> ProgressDialog:
        """A progress with a title, whose Cancel calls `cancel`."""
        dialog = ProgressDialog(title, self._session.window)
        dialog.cancelled.connect(cancel)
        dialog.begin()
        return dialog

    def _end_progress(self) -> None:
        """Takes the progress away, if one is there."""
        if self._progress is not None:
            self._progress.end()
            self._progress.deleteLater()
            self._progress = None

    def _after_asking(self, go_on: Any) -> None:
        """Go on at once, or after the changes are saved or let go."""
        if not self._document.is_modified:
            go_on()
            return
        answer = self._ask_about_changes()
        if answer == DISCARD:
            go_on()
        elif answer == SAVE:
            self._after_save = go_on
            self.save()

    def _ask_about_changes(self) -> Text:
        """Asks what to do with changes before they are lost; the answer is cancel, discard or save."""
        document = self._document
        name = document.path.name if document.path else document.name
        text = tr("{name} has changes that no file holds yet.", name=name)
        return ask(self._session.window, tr("Save the changes?"), text, ("Cancel", DISCARD, SAVE))

    def _take_saved(self, path: Path) -> None:
        """Remembers the file, and goes on with what waited for it unless more was changed meanwhile."""
        self._settings.remember_file(path)
        self.show_recent()
        go_on, self._after_save = self._after_save, None
        if go_on is not None and not self._document.is_modified:
            go_on()

    def _take_opened(self, path: Path) -> None:
        """Remembers the file and its folder."""
        self._settings.remember_file(path)
        self._settings.last_folder = path.parent
        self.show_recent()

    def _forget_after_save(self) -> None:
        """What waited for the file waits no more: it was not saved."""
        self._after_save = None

    def _fail(self, error: Exception) -> None:
        """Says what went wrong; what waited for the file waits no more."""
        self._after_save = None
        show_error(self._session.window, error)

    def _show_title(self) -> None:
        """Tells the title's name and whether a file holds all of it; empty for an empty project without file."""
        document, project = self._document, self._document.project
        name = document.path.name if document.path else document.name
        is_named = not project.is_empty or document.path is not None
        self.titled.emit(name if is_named else "", not document.is_modified)

    def _folder(self) -> str:
        """The folder that dialogs begin in: the last one used, else the user's own."""
        return str(self._settings.last_folder or Path.home())

    def _remember_theme(self, palette: str) -> None:
        """Keeps the colours that were chosen for the next time."""
        self._settings.theme = THEME_OF_PALETTE[palette]

    def _close(self, event: QCloseEvent) -> None:
        """The window is about to close. It is inside its own close(), where another close() does nothing."""
        answer = self._ask_about_changes() if self._document.is_modified else DISCARD
        if answer == DISCARD:
            self.closing.emit()
            self._put_away()
            event.accept()
            return
        event.ignore()
        if answer == SAVE:
            self._after_save = self._close_window  # saved by then, so it asks no more
            self.save()

    def _close_window(self) -> None:
        if self._session.window is not None:
            self._session.window.close()

    def leave_quietly(self) -> None:
        """Close everything in good order, asking and remembering nothing."""
        self._put_away()
        self._close_window()

    def leave_at_once(self) -> None:
        """The system ends us: nobody is asked, and what no file holds is there to recover at the next start."""
        if self.autosave is not None:
            self.autosave.keep()
            self.autosave = None
        self._put_away()

    def _put_away(self) -> None:
        """Nothing works on any more, and nothing is left to recover; once is enough."""
        if self._is_put_away:
            return
        self._is_put_away = True
        for service in (
            self._importer,
            self._recogniser,
            self._previewer,
            self._demo,
            self._rewindow,
            self._traffic,
            self._session.evaluator,
            self._saver,
            self.shared,
            *self._workers,
        ):
            service.close()
        others = (
            self.rules,
            self.backtest,
            self.duration,
            self.names,
            self.inference,
            self.track,
            self.exports,
            self.brief,
            self.statements,
            self.requests,
        )
        for flow in others:
            if flow is not None:
                flow.close()
        if self.autosave is not None:
            self.autosave.close()
            self.autosave = None
        self._session.asks.close_asked.disconnect(self._close)
