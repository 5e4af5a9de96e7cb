"""The panel Waiting: the log is replayed for it, and its limits are steps of Undo."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app import background
from gpuplanner.app.past import backtesting, waits
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.edits import find
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.queue.sentences import wait_lines, with_waiting
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import Target
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import exec_once
from gpuplanner.ui.kit.file_dialogs import open_files
from gpuplanner.ui.kit.small_dialogs import Question, errors_in_dialog
from gpuplanner.ui.panels.duration.waiting import WaitingPanel
from gpuplanner.ui.words.window_words import refused_words

RULES_STEP: Final = worded("Set limits and order of jobs")
LIMIT_TABLES: Final = worded("Tables (*.csv *.xlsx *.parquet);;All files (*)")


class WaitingFlow(QObject):
    """Told the session and the panel; emits the headline's lines and the log's own waits. queue: of the log."""

    lines_known = Signal(object)  # lines of the headline by Horizon, none where nobody knows
    waits_known = Signal(object)  # WaitsBy of the log; None: unknown
    replay_known = Signal(object)  # Evaluation that is shown, with what a replay says of its plan

    def __init__(self, session: Session, panel: WaitingPanel, queue: waits.KeptQueue) -> None:
        super().__init__(session.window)
        self.session = session
        self.queueing, self._panel = waits.Queueing(queue, self), panel
        panel.waiting_asked.connect(self.ask)
        panel.order_asked.connect(lambda is_fair: self._keep_to(is_fair_share=is_fair or None))
        choose = partial(open_files, session.window, tr("Import limits"), tr(LIMIT_TABLES))
        panel.limits_asked.connect(lambda is_on: self.read_limits(choose() if is_on else ()))
        self.queueing.answered.connect(panel.show_waiting)
        self.queueing.progressed.connect(panel.show_progress)
        self.queueing.failed.connect(panel.show_failure)
        self._rows_dir = queue.rows_dir
        self._known: tuple[object, ...] = ()
        self.headline = waits.Queueing(queue, self)
        self.headline.answered.connect(self._tell_lines)
        # its own: months and decisions take many replays, and the headline's first lines do not wait for them
        self.later = waits.Queueing(queue, self)
        self.later.answered.connect(self._tell_later)
        self._asked_of: Evaluation | None = None
        self.headline.answered.connect(self._ask_later)
        for replays in (self.queueing, self.headline):
            replays.answered.connect(self._tell)
        self.headline.failed.connect(lambda _: self.lines_known.emit({}))
        self.of_log = waits.Queueing(queue, self)
        self.of_log.answered.connect(self.waits_known)
        self.waits_known.connect(panel.show_log_waits)
        self.of_log.failed.connect(lambda _: self.waits_known.emit(None))
        session.evaluator.evaluated.connect(self._follow)

    def _follow(self) -> None:
        """Asks how long jobs wait for headline and audit, once what is shown has settled; nothing stands of others."""
        if (shown := self.session.view_state) is None:
            return
        of = shown.at_start.evaluation
        known = (*waits.replayed_by(of), of.scenario)
        if not background.are_same(known, self._known):
            self._known = known
            self.headline.cancel()
            self.later.cancel()
            self.of_log.cancel()
            self.lines_known.emit({})
            self.waits_known.emit(None)
        is_settled = shown.is_today or not (shown.is_settling or shown.is_outlook_settling)
        if is_settled and backtesting.has_rows(self._rows_dir, of.project):
            self._asked_of = of
            self.headline.ask(of, sizes=0)
            self.of_log.ask_log(of)

    def _tell_lines(self, waiting: Waiting) -> None:
        """Tell the lines of the headline in each period."""
        self.lines_known.emit({horizon: wait_lines(waiting, horizon) for horizon in Horizon})

    def _tell(self, waiting: Waiting) -> None:
        """Tell the evaluation that is shown with what a replay says."""
        if (shown := self.session.evaluation) is not None:
            self.replay_known.emit(with_waiting(shown, waiting))

    def _ask_later(self, _: Waiting) -> None:
        """Ask for the waits of later months and of decisions, once those of the first month are there."""
        asked = self._asked_of
        if asked is not None and asked.outlook is not None and asked.outlook.next_decisions:
            self.later.ask(asked, sizes=0, is_later=True)

    def _tell_later(self, waiting: Waiting) -> None:
        """Tell the waits of later months, unless another plan is shown by now."""
        shown, asked = self.session.evaluation, self._asked_of
        if shown is not None and asked is not None and shown.advice is asked.advice:
            self._tell_lines(waiting)
            self._tell(waiting)

    def read_limits(self, paths: Sequence[str]) -> None:
        """Apply limits from files, and no others. Rows that are refused are said."""
        from gpuplanner.files.lists.scheduler_limits import LIMITS

        with errors_in_dialog(self.session.window):
            read = LIMITS.read_files(paths).or_refused()
            known = self.session.document.project.intake
            intake = (*(file for file in known if file.kind != LIMITS.kind), *read.intake)
            self._keep_to(queue_limits=tuple(read.values) or None, intake=intake)
            if lost := refused_words(read):
                title = tr("Some rows were not read")
                exec_once(Question(self.session.window, title, "\n".join(lost), ("Close",)))
        self._panel.show_rules(self.session.document.project)

    def _keep_to(self, **rules: object) -> None:
        """By these rules all waits are replayed from now on; one undo step."""
        document = self.session.document
        document.edit(RULES_STEP, find.with_values(document.project, **rules))

    def ask(self, target: Target | None, is_together: bool) -> None:
        """Of what the window shows, in the plan's first month."""
        if (shown := self.session.view_state) is not None:
            self.queueing.ask(shown.at_start.evaluation, target, is_together=is_together)
