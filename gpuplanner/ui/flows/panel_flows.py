"""Flows of the panels Duration & commitment, Backtest, Waiting and Track: they ask threads for what these show."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app import background
from gpuplanner.app.past import backtesting, tracking, waits
from gpuplanner.app.plans.flipping import Flipping
from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.edits import find, labels, plans
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.queue.sentences import better_checks, wait_lines
from gpuplanner.domain.queue.waits import Target
from gpuplanner.domain.track.track import Track
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import Question, errors_in_dialog, exec_once
from gpuplanner.ui.kit.file_dialogs import open_files, save_file
from gpuplanner.ui.panels.cost.track import TrackPanel
from gpuplanner.ui.panels.duration.backtest import BacktestPanel, WaitingPanel
from gpuplanner.ui.panels.duration.duration import DurationPanel
from gpuplanner.ui.words.window_words import refused_words

RULES_STEP: Final = worded("Set limits and order of jobs")
LIMIT_TABLES: Final = worded("Tables (*.csv *.xlsx *.parquet);;All files (*)")

# --- The panel Duration & commitment with what looks for its flip points: asks while they are looked at, and shows


class DurationFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: DurationPanel) -> None:
        super().__init__(session.window)
        flipping, sections = Flipping(self), panel.sections
        sections.flips_asked.connect(flipping.ask)
        sections.flips_left.connect(flipping.cancel)
        flipping.answered.connect(sections.show_flips)
        flipping.failed.connect(sections.show_no_flips)


# --- The Backtest panel with what walks for it: asks, shows, and turns a chosen setting into one undo step


class BacktestFlow(QObject):
    """Told the session and the panel. rows_dir: where job rows of imports are kept."""

    def __init__(self, session: Session, panel: BacktestPanel, tables: Tables, rows_dir: Path) -> None:
        super().__init__(session.window)
        self._session, self._rows_dir = session, rows_dir
        self.backtesting = backtesting.Backtesting(
            tables, backtesting.whole_log_from(rows_dir), backtesting.past_logs_from(rows_dir), self
        )
        panel.walk_asked.connect(self._ask)
        panel.settings_chosen.connect(self._apply)
        self.backtesting.answered.connect(panel.show_walked)
        self.backtesting.progressed.connect(panel.show_progress)
        self.backtesting.failed.connect(panel.show_failure)

    def _ask(self, is_whole_log: bool) -> None:
        """Over the whole log where its rows are here, as on a command line; else over the window."""
        project, scenario = self._session.document.project, self._session.scenario
        if scenario != TODAY:
            is_whole_log = is_whole_log or backtesting.has_rows(self._rows_dir, project)
            self.backtesting.ask(project, scenario, is_whole_log=is_whole_log)

    def _apply(self, settings: dict[str, Any], title: str) -> None:
        """Sets the settings of a backtest in the plan as one step; today has none to set."""
        if (scenario := self._session.scenario) == TODAY:
            return

        def edit(project: Project) -> Project:
            """The project with all of the settings in this plan."""
            for name, value in settings.items():
                project = plans.set_assumption(project, scenario, name, value)
            return project

        self._session.gestures.edit(labels.settings_label(title), edit)


# --- The panel Waiting with what replays the log for it -------------------------------------------


class WaitingFlow(QObject):
    """Told the session and the panel; emits the headline's lines and the log's own waits. queue: of the log."""

    lines_known = Signal(object)  # lines of the headline, none where nobody knows
    waits_known = Signal(object)  # WaitsBy of the log; None: unknown
    better_known = Signal(object)  # checks that name a size better than the plan's

    def __init__(self, session: Session, panel: WaitingPanel, queue: waits.KeptQueue) -> None:
        super().__init__(session.window)
        self._session = session
        self.queueing, self._panel = waits.Queueing(queue, self), panel
        panel.waiting_asked.connect(self._ask)
        panel.order_asked.connect(lambda is_fair: self._keep_to(is_fair_share=is_fair or None))
        choose = partial(open_files, session.window, tr("Import limits"), tr(LIMIT_TABLES))
        panel.limits_asked.connect(lambda is_on: self.read_limits(choose() if is_on else ()))
        self.queueing.answered.connect(panel.show_waiting)
        self.queueing.progressed.connect(panel.show_progress)
        self.queueing.failed.connect(panel.show_failure)
        self._rows_dir = queue.rows_dir
        self._known: tuple[object, ...] = ()
        self.headline = waits.Queueing(queue, self)
        self.headline.answered.connect(lambda waiting: self.lines_known.emit(wait_lines(waiting)))
        for replays in (self.queueing, self.headline):
            replays.answered.connect(lambda waiting: self.better_known.emit(better_checks(waiting)))
        self.headline.failed.connect(lambda _: self.lines_known.emit(()))
        self.of_log = waits.Queueing(queue, self)
        self.of_log.answered.connect(self.waits_known)
        self.waits_known.connect(panel.show_log_waits)
        self.of_log.failed.connect(lambda _: self.waits_known.emit(None))
        session.evaluator.evaluated.connect(self._follow)

    def _follow(self) -> None:
        """Asks how long jobs wait for headline and audit, once what is shown has settled; nothing stands of others."""
        if (shown := self._session.view_state) is None:
            return
        of = shown.at_start.evaluation
        known = (*waits.replayed_by(of), of.scenario)
        if not background.are_same(known, self._known):
            self._known = known
            self.headline.cancel()
            self.of_log.cancel()
            self.lines_known.emit(())
            self.waits_known.emit(None)
        is_settled = shown.is_today or not (shown.is_settling or shown.is_outlook_settling)
        if is_settled and backtesting.has_rows(self._rows_dir, of.project):
            self.headline.ask(of, sizes=0)
            self.of_log.ask_log(of)

    def read_limits(self, paths: Sequence[str]) -> None:
        """Apply limits from files, and no others. Rows that are refused are said."""
        from gpuplanner.files.lists.planner_lists import LIMITS

        with errors_in_dialog(self._session.window):
            read = LIMITS.read_files(paths).or_refused()
            known = self._session.document.project.intake
            intake = (*(file for file in known if file.kind != LIMITS.kind), *read.intake)
            self._keep_to(queue_limits=tuple(read.values) or None, intake=intake)
            if lost := refused_words(read):
                title = tr("Some rows were not read")
                exec_once(Question(self._session.window, title, "\n".join(lost), ("Close",)))
        self._panel.show_rules(self._session.document.project)

    def _keep_to(self, **rules: object) -> None:
        """By these rules all waits are replayed from now on; one undo step."""
        document = self._session.document
        document.edit(RULES_STEP, find.with_values(document.project, **rules))

    def _ask(self, target: Target | None, is_together: bool) -> None:
        """Of what the window shows, in the plan's first month."""
        if (shown := self._session.view_state) is not None:
            self.queueing.ask(shown.at_start.evaluation, target, is_together=is_together)


# --- The panel Track with what compares for it: asks for files, compares in a thread, tells what came of it

TITLES: Final = words_table("file_title")


class TrackFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: TrackPanel, tables: Tables) -> None:
        super().__init__(session.window)
        self._session, self._panel = session, panel
        self.tracking = tracking.Tracking(tables, self)
        panel.files_asked.connect(self._choose)
        panel.compare_asked.connect(self.tracking.ask)
        panel.cancel_asked.connect(self.tracking.cancel)
        panel.book_asked.connect(self._write)
        self.tracking.answered.connect(panel.show_track)
        self.tracking.progressed.connect(panel.show_progress)
        self.tracking.failed.connect(panel.show_failure)

    def _choose(self, kind: str) -> None:
        """Asks for files of one kind; without an answer those chosen before stay."""
        from gpuplanner.ui.importing.import_dialog import FILTER

        if paths := open_files(self._session.window, tr(TITLES[kind]), tr(FILTER)):
            self._panel.take_files(kind, tuple(paths))

    def _write(self, track: Track) -> None:
        """Asks for a file and writes the workbook of `track --out`."""
        from gpuplanner.files.workbook.write import write_track

        window = self._session.window
        path, _ = save_file(window, tr("Save the comparison"), "track.xlsx", tr("Workbooks (*.xlsx)"))
        if path:
            with errors_in_dialog(window):
                currency = self._session.document.project.currency
                write_track(track, currency, Path(path), self._session.time_s())
