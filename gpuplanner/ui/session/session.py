"""Session: what one window works on, from document to time, and what it asks of others."""

from PySide6.QtCore import QElapsedTimer, QObject, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.app.document import Document
from gpuplanner.app.evaluator import Evaluator
from gpuplanner.domain.commitment.comparison.horizons import Horizon
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import TODAY, Scenario
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.session.gestures import Gestures
from gpuplanner.ui.state.view_state import ViewState, next_view_state


class Asks(QObject):
    """Emitted by whatever the planner presses; heard by the flows, who connect themselves."""

    new_asked = Signal()
    open_asked = Signal()
    open_path_asked = Signal(str)
    demo_asked = Signal()
    import_asked = Signal()
    contracts_asked = Signal()
    public_prices_asked = Signal()
    files_dropped = Signal(list)  # paths
    save_asked = Signal()
    save_as_asked = Signal()
    export_asked = Signal()
    export_focus_asked = Signal()
    export_requests_asked = Signal()
    export_brief_asked = Signal()
    export_statements_asked = Signal()
    jobs_asked = Signal(object)  # CardFigures whose jobs are to be seen
    merged_jobs_asked = Signal(object, object)  # merged CardFigures, and names of its workloads by key
    jobs_in_hours_asked = Signal(
        object, object, object
    )  # CardFigures, the hours that count (None: all), in words
    rows_asked = Signal(
        object, object, object
    )  # CardFigures, and the start and end (epoch s) of the jobs to be seen
    traffic_asked = Signal(str)  # key of the endpoint whose requests are to be read from a file
    window_asked = Signal()
    names_asked = Signal()  # what is one though it has two names
    rule_asked = Signal()  # a rule from what was decided last, or from the selected cards
    rules_asked = Signal()
    present_asked = Signal()
    tour_asked = Signal()
    today_view_chosen = Signal(str)
    number_format_asked = Signal(str)
    palette_chosen = Signal(str)
    board_view_changed = Signal(str)  # how the board is looked at, as text to be remembered
    close_asked = Signal(object)  # QCloseEvent: ignore it to stay


class Session(QObject):
    """Flows are told of it. The window is here only as the parent of their dialogs, and as what they live as long as.

    now_s: the time at the start, epoch seconds UTC; None: there is no clock, it is always the end of the log's window.
    """

    def __init__(
        self,
        document: Document,
        evaluator: Evaluator,
        palette: Palette,
        window: QWidget | None = None,
        now_s: int | None = None,
    ) -> None:
        super().__init__(window)
        self.document, self.evaluator, self.window, self.now_s = document, evaluator, window, now_s
        self.palette = palette  # the colours that are drawn in
        self.has_workspace = False  # whether a project is shown rather than the welcome page
        self.view_state: ViewState | None = (
            None  # None on the welcome page, and until the first figures are there
        )
        self.horizons = {
            False: Horizon.NEXT_MONTH,
            True: Horizon.TWELVE_MONTHS,
        }  # as chosen, without and with What if
        self._seen: tuple[int, Project] | None = None  # of which load, and the project that was followed last
        self.asks = Asks(self)
        self.gestures = Gestures(document, self, self.time_s)
        self._running = QElapsedTimer()
        self._running.start()

    @property
    def scenario(self) -> str:
        """The scenario that is shown, which the gestures are made in."""
        return self.gestures.scenario

    @property
    def plan(self) -> Scenario | None:
        """The plan that is shown; None for Today, and where it is gone."""
        plans = self.document.project.scenarios
        return next((plan for plan in plans if plan.name == self.scenario), None)

    @property
    def is_asking(self) -> bool:
        """Whether a question is asked, or may be: What if is open, or a scratch copy is shown."""
        return self.gestures.is_asking or self.document.project.plan_before(self.scenario) is not None

    @property
    def horizon(self) -> Horizon:
        """How far ahead the headline looks."""
        return self.horizons[self.is_asking]

    def choose_horizon(self, horizon: Horizon) -> None:
        """Look so far ahead from now on."""
        self.horizons[self.is_asking] = horizon

    def follow(self, project: Project) -> None:
        """Show a plan that is there: what was undone, or done again, is followed to its plan or its question."""
        loads, gestures = self.document.loads, self.gestures
        before = self._seen[1] if self._seen is not None and self._seen[0] == loads else None
        self._seen = (loads, project)
        names = [plan.name for plan in project.scenarios]
        known = {plan.name for plan in (before or project).scenarios}
        came = [plan for plan in project.scenarios if plan.name not in known]
        if gestures.scenario == TODAY:
            return
        if gestures.scenario in names:
            asked = [plan.name for plan in came if plan.scratch_of == gestures.scenario]
            gestures.scenario = asked[0] if len(asked) == 1 else gestures.scenario
            return
        plan = None if before is None else before.plan_before(gestures.scenario)
        if len(came) == 1:
            gestures.scenario = came[0].name
        elif plan is not None and plan.name in names:
            gestures.scenario = plan.name
        else:
            gestures.scenario = names[0] if names else TODAY

    @property
    def evaluation(self) -> Evaluation | None:
        """What is known of what is shown.

        None before the first one.
        """
        return None if self.view_state is None else self.view_state.evaluation

    def show(self, evaluation: Evaluation) -> ViewState:
        """What is shown from now on: what the evaluation does not know yet stays as it was."""
        self.view_state = next_view_state(self.view_state, evaluation)
        return self.view_state

    def time_s(self) -> int:
        """The time in epoch seconds UTC, from the clock that was read at the start; without one, the window's end."""
        if self.now_s is None:
            return int(self.document.project.window.end_s)
        return self.now_s + self._running.elapsed() // 1000
