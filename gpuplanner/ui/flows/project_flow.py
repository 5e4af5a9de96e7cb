"""Opening, saving, importing, exporting a project, and a file of it that others may write too."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent

from gpuplanner.app.background import Background, close_all
from gpuplanner.app.differences import differences
from gpuplanner.app.file_watch import FileWatch
from gpuplanner.app.importing import file_previews, import_request, importer, into_project, trial_rows
from gpuplanner.app.saving import Saver
from gpuplanner.app.settings import Settings
from gpuplanner.app.sourcing.traffic import TrafficReader, project_with_traffic
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits.changed_figures import count_changes
from gpuplanner.domain.edits.labels import traffic_label, window_label
from gpuplanner.domain.edits.plans import log_decision
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.project.project_backups import ChangedElsewhereError, free_name, replaced_name
from gpuplanner.files.project.project_file import has_figures_of_today, open_project
from gpuplanner.files.system.file_names import file_name
from gpuplanner.files.system.user_files import ROWS
from gpuplanner.ui.flows.exports.writing_flow import WritingFlow
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.frame.changed_dialog import KEEP_BOTH, REPLACE, ChangedDialog
from gpuplanner.ui.frame.file_notice import FileNoticeBar
from gpuplanner.ui.kit.dialogs import exec_once
from gpuplanner.ui.kit.file_dialogs import open_file, open_files, save_file
from gpuplanner.ui.kit.progress_dialog import ProgressDialog
from gpuplanner.ui.kit.small_dialogs import ask, errors_in_dialog, show_error
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.file_words import FileNotice, figures_notice, notice_of

if TYPE_CHECKING:
    from gpuplanner.app.autosave import Autosave

# --- A project file that others may write too: says what is so of it, and asks before anything of theirs is replaced


class SharedFileFlow(QObject):
    """Told the session, who saves, the bar that it speaks in, and who opens a file."""

    not_saved = Signal()  # the planner was asked, and thought better of saving

    def __init__(
        self, session: Session, saver: Saver, bar: FileNoticeBar, open_path: Callable[[Path], None]
    ) -> None:
        super().__init__(session.window)
        self.session, self.document, self._bar = session, session.document, bar
        self._saver, self._open = saver, open_path
        self._said: FileNotice | None = None
        self._of_figures: FileNotice | None = None
        self._loads = 0  # how often a project had been opened when its figures were looked at
        self.watch = FileWatch(session.document, saver, session.time_s, self)
        self._reading = Background(self._fail_to_look, parent=self)
        self._dialog: ChangedDialog | None = None
        bar.open_asked.connect(self._open_theirs)
        bar.save_asked.connect(session.asks.save_asked)
        self.watch.told.connect(lambda _: self._show())
        session.document.changed.connect(lambda _: self._show())
        saver.changed_elsewhere.connect(self._ask_soon)
        saver.saved_anew.connect(self._say_anew)

    def _show(self) -> None:
        """Shows what is so of the file now, else what was said of it last."""
        news = self.watch.news
        if self._said is not None and (news is None or news.path != self.document.path):
            self._said = None
        if self._loads != self.document.loads:
            self._loads, self._of_figures = self.document.loads, self._changed_figures()
        notice = notice_of(news, is_modified=self.document.is_modified)
        self._bar.show_notice(notice or self._said or self._of_figures)

    def _changed_figures(self) -> FileNotice | None:
        """What to say of the figures of a project that was just opened; None where its file has them already."""
        path = self.document.path
        if path is None:
            return None
        with suppress(PlannerError):  # moved since: the watch says so
            if not has_figures_of_today(path):
                return figures_notice(path.name, count_changes(self.document.project))
        return None

    def _open_theirs(self) -> None:
        """Opens the file as the others saved it."""
        if self.document.path is not None:
            self._open(self.document.path)

    def _say_anew(self, path: Path) -> None:
        """Says that a file that was gone has been written again."""
        title = tr("{name} is back", name=path.name)
        sentence = tr("It was moved, renamed or deleted, and saved again.")
        self._said = FileNotice(title, sentence)
        self._show()

    def _ask_soon(self, error: ChangedElsewhereError) -> None:
        """Asks after the event at hand: a dialog must not stand inside a signal of the saver."""
        QTimer.singleShot(0, self, lambda: self._ask(error))

    def _ask(self, error: ChangedElsewhereError) -> None:
        """Asks whether to keep both, replace theirs or save nothing.

        Looking at the differences reads theirs in a thread.
        """
        path, there = error.path, error.there
        copy, kept = free_name(path), replaced_name(path, error.there)
        written_s, window = there.look[2] // 10**9, self.session.window
        dialog = self._dialog = ChangedDialog(
            path=path, written_s=written_s, copy_name=copy.name, kept_name=kept, parent=window
        )
        ours = self.document.project
        dialog.look_asked.connect(
            lambda: self._reading.run(lambda: differences(ours, open_project(path)), self._show_differences)
        )
        exec_once(dialog)
        self._dialog = None
        self._reading.cancel()
        answer = dialog.answer
        if answer == KEEP_BOTH:
            self._saver.save(copy)
        elif answer == REPLACE:
            self._saver.save(path, replaced=there)
        else:
            self.watch.look_soon()
            self.not_saved.emit()

    def _show_differences(self, found: Any) -> None:
        """Shows what differs, if the question is still open."""
        if self._dialog is not None:
            self._dialog.show_differences(found)

    def _fail_to_look(self, error: Exception) -> None:
        """Says why theirs cannot be read, if the question is still open."""
        if self._dialog is not None:
            self._dialog.show_problem(error)


# --- Opening, saving, importing, exporting: what the window asks for, done with the app's services and said in words

SUFFIX: Final = ".gpuplan"
PROJECTS: Final = worded("Projects (*{suffix})", suffix=SUFFIX)
THEME_OF_PALETTE: Final = {"light": "light", "dark": "dark", "high contrast": "contrast"}


def new_project(now_s: int) -> Project:
    """A project with nothing in it; its window is the hour before now until a log says better."""
    return Project(window=Window(now_s // 3600 * 3600 - 3600, 1), cube=empty_cube(1))


SAVE: Final = worded("Save")
DISCARD: Final = worded("Discard changes")


class ProjectFlow(QObject):
    """Connects a session with the services of the app.

    import_rules: takes files of the planner's own class rules;
    ask_names: asks what is one, where an import leaves names unmatched.
    """

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
        ways: Ways,
        import_rules: Callable[[Sequence[str]], None],
        ask_names: Callable[[], None],
    ) -> None:
        super().__init__(session.window)
        self.session, self.document, self._ways = session, session.document, ways
        self._import_rules, self._ask_names = import_rules, ask_names
        self._saver, self.settings, self._data, self._now_s = saver, settings, data_folder, now_s
        self._importer = importer.Importer(parent=self)
        self._recogniser = file_previews.Recogniser(parent=self)
        self._previewer = file_previews.Previewer(parent=self)
        self._is_put_away = False
        self.after_save: Callable[[], object] | None = None
        self.autosave: Autosave | None = None  # the journal, once the window is open
        self._progress: ProgressDialog | None = None
        self._rows_dir = data_folder / ROWS
        self._rewindow = Background(self._fail_slow, self._show_demo_progress, self)
        self._traffic = TrafficReader(self)
        self._traffic.found.connect(self._take_traffic)
        self._traffic.failed.connect(self._fail)
        self._demo = Background(self._fail_slow, self._show_demo_progress, self)
        asks = session.asks
        asks.new_asked.connect(self.new)
        asks.open_asked.connect(self.choose_project)
        asks.open_path_asked.connect(lambda path: self.open(Path(path)))
        asks.demo_asked.connect(lambda: self._after_asking(self._start_demo))
        asks.import_asked.connect(self.choose_files)
        asks.contracts_asked.connect(lambda: self.choose_files(tr("Add contracts")))
        asks.public_prices_asked.connect(self.take_public_prices)
        asks.files_dropped.connect(self.take_files)
        asks.jobs_asked.connect(self.show_jobs)
        asks.board_view_changed.connect(lambda view: setattr(settings, "board_view", view))
        asks.merged_jobs_asked.connect(lambda card, names: self.show_jobs(card, names=names))
        asks.jobs_in_hours_asked.connect(
            lambda card, hours, scope: self.show_jobs(card, hours=hours, scope=scope)
        )
        asks.rows_asked.connect(self.show_jobs)
        asks.traffic_asked.connect(self.read_traffic)
        asks.window_asked.connect(self.choose_window)
        asks.save_asked.connect(self.save)
        asks.save_as_asked.connect(self.save_as)
        asks.palette_chosen.connect(lambda name: setattr(settings, "theme", THEME_OF_PALETTE[name]))
        asks.today_view_chosen.connect(lambda view: setattr(settings, "today_view", view))
        asks.plan_view_chosen.connect(lambda view: setattr(settings, "plan_view", view))
        asks.close_asked.connect(self._close)
        session.document.changed.connect(self._show_title)
        saver.saved.connect(self._take_saved)
        saver.opened.connect(self._take_opened)
        saver.failed.connect(self._fail)
        self.shared = SharedFileFlow(session, saver, notice, self.open)
        notice.log_asked.connect(self._show_log)
        self.shared.not_saved.connect(lambda: setattr(self, "after_save", None))

    def _show_log(self) -> None:
        """Show the log that states which figures changed: of the plan that is shown, else of the first that has any."""
        plans = [*count_changes(self.document.project)]
        if plans and self.session.scenario not in plans:
            self._ways.scenario(plans[0])
        self._ways.panel("history")

    # Projects

    def new(self) -> None:
        """Nothing loaded, after asking about changes."""
        self._after_asking(lambda: self.document.load(new_project(self._now_s)))

    def choose_project(self) -> None:
        """Ask for a project file and open it."""
        if path := open_file(self.session.window, tr("Open project"), tr(PROJECTS)):
            self.open(Path(path))

    def open(self, path: Path) -> None:
        """Open a project file, after asking about changes."""
        self._after_asking(lambda: self._saver.open(path))

    def save(self) -> None:
        """Save to the file it came from, or ask for one."""
        if self.document.path is None:
            self.save_as()
        else:
            self._saver.save()

    def save_as(self) -> None:
        """Ask for a file and save to it."""
        name = file_name(self.document.name, SUFFIX)
        path, _ = save_file(self.session.window, tr("Save project"), name, tr(PROJECTS))
        if path:
            target = Path(path if path.endswith(SUFFIX) else path + SUFFIX)
            # the file dialog asked about that name
            self._saver.save(target, is_any_replaced=str(target) == path)
        else:
            self.after_save = None

    def show_recent(self) -> None:
        """Tell of the projects opened before that can be found."""
        rows = []
        for path in self.settings.recent_files:
            try:
                when = numbers.date(int(path.stat().st_mtime))
            except (OSError, ValueError):  # gone, or no name that a file may have
                continue
            rows.append((str(path), path.name, str(path.parent), when))
        self.recent_found.emit(rows)

    # Files

    def choose_files(self, title: str = "") -> None:
        """Ask for files and import them."""
        from gpuplanner.ui.importing.import_dialog import FILTER

        if paths := open_files(self.session.window, title or tr("Import files"), tr(FILTER)):
            self.take_files(paths)

    def take_public_prices(self) -> None:
        """Import the price list that comes with the program; it is looked at like any other first."""
        from gpuplanner.files.prices.price_tables import builtin_path

        with errors_in_dialog(self.session.window):
            self.take_files([builtin_path()])

    def take_files(self, paths: list[str]) -> None:
        """Import these; a project among them is opened instead."""
        from gpuplanner.files.lists.class_rules import begins_rules
        from gpuplanner.ui.importing.import_dialog import ImportDialog

        if projects := [path for path in paths if path.endswith(SUFFIX)]:
            self.open(Path(projects[0]))
            return
        rules = [path for path in paths if path.lower().endswith(".csv") and begins_rules(Path(path))]
        if rules and self.document.project.workloads:
            self._import_rules(rules)
            if not (paths := [path for path in paths if path not in rules]):
                return
        with trial_rows.rows_on_trial(self._rows_dir) as on_trial:
            dialog = ImportDialog(
                paths=paths,
                project=self.document.project,
                importer=self._importer,
                rows_dir=on_trial,
                kept_rows_dir=self._rows_dir,
                parent=self.session.window,
                settings=self.settings,
                recogniser=self._recogniser,
                previewer=self._previewer,
                in_parts=True,
                now_s=self.session.time_s(),
            )
            dialog.taken.connect(self._take_import)
            self._ways.answer_for(dialog)
            exec_once(dialog)

    def _take_import(self, request: import_request.ImportRequest, read: Any, adding: bool) -> None:
        """Takes in what was read as one step; its job rows are kept under their hash first."""
        before, scenario = self.document.project, self.session.scenario
        try:
            after = into_project.imported_project(before, request, read, adding=adding, scenario=scenario)
        except PlannerError as error:
            show_error(self.session.window, error)
            return
        if request.rows_dir is not None:
            trial_rows.take_rows(request.rows_dir, self._rows_dir, after.jobs.rows_sha256)
        if read.planned:
            after = log_decision(before, after, scenario, self.session.time_s(), request.label)
        self.document.edit(request.label, after)
        self._ask_names()

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
        from gpuplanner.app.past.job_pages import JobDrill, kept_rows, reader_in
        from gpuplanner.ui.board.job_sheet import JobsSheet

        project, window = self.document.project, self.document.project.window
        path = kept_rows(self._rows_dir, project.jobs.rows_sha256)
        has_rows = bool(project.jobs.rows_sha256) and path.exists()
        if start_s is not None and end_s is not None:
            window = Window(start_s, (end_s - start_s) // HOUR_S, window.timezone)
        read = reader_in(hours, project.same)
        drill = JobDrill(path, tuple(names or (card.key,)), window, read) if has_rows else None
        sheet = JobsSheet(
            card,
            window,
            drill,
            self.session.window,
            is_part=window is not project.window,
            scope=scope,
            names=names or {},
        )
        sheet.import_asked.connect(self.choose_files)
        self._ways.answer_for(sheet)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._ways.back(sheet)
        sheet.show()

    def read_traffic(self, key: str) -> None:
        """Ask for the list of requests of an endpoint, and read it beside the window; one undo step."""
        title, window = tr("Requests of the endpoint"), self.session.window
        if path := open_file(window, title):
            self._traffic.start(key, Path(path))

    def _take_traffic(self, key: str, traffic: Any, intake: Any) -> None:
        """Sets a trace of requests; refused where its endpoint is gone by now."""
        project = self.document.project
        with errors_in_dialog(self.session.window):  # another log was imported meanwhile
            after = project_with_traffic(project, key, traffic, intake)
            self.document.edit(traffic_label(project, key, traffic), after)

    def choose_window(self) -> None:
        """Look at another past of the log that is loaded; one undo step."""
        from gpuplanner.app.past.job_pages import kept_rows
        from gpuplanner.ui.plans.window_dialog import WindowDialog

        project = self.document.project
        kept = kept_rows(self._rows_dir, project.jobs.rows_sha256)
        has_rows = bool(project.jobs.rows_sha256) and kept.exists()
        dialog = WindowDialog(project.window, has_rows, self.session.window)
        dialog.window_chosen.connect(self.change_window)
        dialog.import_asked.connect(self.choose_files)
        exec_once(dialog)

    def change_window(self, request: Any, words: str) -> None:
        """Reads the kept job rows over another window, in a thread."""
        project, rows_dir = self.document.project, self._rows_dir
        self._progress = self._show_progress_of(tr("Changing the lookback period"), self._rewindow.cancel)
        self._rewindow.start(
            lambda progress, is_cancelled: into_project.rewindowed_project(
                project, rows_dir, request, progress, is_cancelled
            ),
            lambda after: self._take_window(after, words),
        )

    def _take_window(self, after: Project, words: str) -> None:
        """Takes the project over its new window as one step."""
        self._end_progress()
        self.document.edit(window_label(words), after)

    # The demo

    def _start_demo(self) -> None:
        """Makes the demo in a thread, its six months ending yesterday."""
        from gpuplanner.files.demo.days import ending_yesterday
        from gpuplanner.files.demo.demo_project import make_demo

        folder, days = self._data / "demo", ending_yesterday(self.session.time_s())
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
        self.document.load(project)

    def _fail_slow(self, error: Exception) -> None:
        """Ends the progress and says why there is no demo, or why the window stays as it was."""
        self._end_progress()
        show_error(self.session.window, error)

    # Inside

    def _show_progress_of(self, title: str, cancel: Callable[[], object]) -> ProgressDialog:
        """A progress with a title, whose Cancel calls `cancel`."""
        dialog = ProgressDialog(title, self.session.window)
        dialog.cancelled.connect(cancel)
        dialog.begin()
        return dialog

    def _end_progress(self) -> None:
        """Takes the progress away, if one is there."""
        if self._progress is not None:
            self._progress.end()
            self._progress = None

    def _after_asking(self, go_on: Callable[[], object]) -> None:
        """Go on at once, or after the changes are saved or let go."""
        if not self.document.is_modified:
            go_on()
            return
        if (answer := self._ask_about_changes()) == DISCARD:
            go_on()
        elif answer == SAVE:
            self.after_save = go_on
            self.save()

    def _ask_about_changes(self) -> Text:
        """Asks what to do with changes before they are lost; the answer is cancel, discard or save."""
        document = self.document
        name = document.path.name if document.path else document.name
        text = tr("{name} has unsaved changes.", name=name)
        return ask(self.session.window, tr("Save the changes?"), text, ("Cancel", DISCARD, SAVE))

    def _take_saved(self, path: Path) -> None:
        """Remembers the file, and goes on with what waited for it unless more was changed meanwhile."""
        self.settings.remember_file(path)
        self.show_recent()
        go_on, self.after_save = self.after_save, None
        if go_on is not None and not self.document.is_modified:
            go_on()

    def _take_opened(self, path: Path) -> None:
        """Remembers the file and its folder."""
        self.settings.remember_file(path)
        self.settings.last_folder = path.parent
        self.show_recent()

    def _fail(self, error: Exception) -> None:
        """Says what went wrong; what waited for the file waits no more."""
        self.after_save = None
        show_error(self.session.window, error)

    def _show_title(self) -> None:
        """Tells the title's name and whether a file holds all of it; empty for an empty project without file."""
        document, project = self.document, self.document.project
        name = document.path.name if document.path else document.name
        is_named = not project.is_empty or document.path is not None
        self.titled.emit(name if is_named else "", not document.is_modified)

    def _close(self, event: QCloseEvent) -> None:
        """The window is about to close. It is inside its own close(), where another close() does nothing."""
        answer = self._ask_about_changes() if self.document.is_modified else DISCARD
        if answer == DISCARD:
            self.closing.emit()
            self._put_away()
            event.accept()
            return
        event.ignore()
        if answer == SAVE:
            self.after_save = self._close_window  # saved by then, so it asks no more
            self.save()

    def _close_window(self) -> None:
        if self.session.window is not None:
            self.session.window.close()

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
        around: QObject = self.session.window or self
        writing = around.findChildren(WritingFlow)
        ending: tuple[Any, ...] = (self.session.evaluator, self._saver, self.shared.watch, *writing)
        for service in ending:
            service.close()
        close_all(around)
        if self.autosave is not None:
            self.autosave.close()
            self.autosave = None
        self.session.asks.close_asked.disconnect(self._close)
