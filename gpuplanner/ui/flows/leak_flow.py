"""The sheet of a leak: what it is, where, how it is worked out, and each decision on it as one edit."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip, speak, spoken, tr
from gpuplanner.domain.audit.leak_list import LEAK_RULES, classes_by_key, remedy_of
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.edits import labels, plans
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence import money
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.plan_inputs import SEPARATED, TODAY, LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.dialogs import AnsweringDialog, resize_within_screen
from gpuplanner.ui.kit.layout import RIGHT, STRETCH, box, column, named, placed, row, share
from gpuplanner.ui.kit.page_parts import label, named_button, refill
from gpuplanner.ui.kit.theme import font
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import FactsLabel, FigureButton
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

# --- One leak in words and rows: its formula in numbers, its parts that add up, and what accepting it would do


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakView:
    """What a sheet needs of one leak.

    plans: those it can be decided in; plan: the name of the one shown, empty without any. classes and names: of the
    workloads, by key. months: of 730 h, in the window.
    """

    leak: Leak
    plans: tuple[Scenario, ...]
    plan: str
    classes: Mapping[str, Pool]
    names: Mapping[str, Text]
    months: float

    @property
    def decision(self) -> LeakDecision | None:
        """What was decided in the plan that is shown; None while it is open."""
        chosen = next((plan for plan in self.plans if plan.name == self.plan), None)
        return chosen.decision_on(self.leak.leak_id) if chosen else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakStory:
    """Everything that a sheet says, as texts and rows."""

    title: Message
    where: str
    usd: str
    amount: str
    rule: Message
    formula: str
    worked_out: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    counted: tuple[tuple[str, str], ...]  # figure id and words
    counted_once: str
    action: Text
    remedy: Text
    decided: str

    def __post_init__(self) -> None:
        speak(self, "title", "rule", "formula", "action", "remedy", "decided")


WHAT_A_PLAN_CANNOT_SHOW: Final = long_text("leak_without_plan")


def story_of(shown: LeakView) -> LeakStory:
    """All the words of one leak."""
    leak = shown.leak
    rule = LEAK_RULES[leak.code]
    of = numbers.counted(len(leak.parts), rule.claims)
    hours, usd = numbers.whole(leak.counted_gpu_hours), numbers.dollars(leak.counted_per_month)
    sums = partial(figure, "leak_sum", leak.leak_id)
    return LeakStory(
        title=rule.title,
        where=numbers.MIDDOT.join((leak.leak_id.partition(":")[2] or tr("jobs without a cluster"), of)),
        usd=numbers.dollars(leak.leaked_per_month),
        amount=tr(long_text("leak_hours", gpu_hours=numbers.whole(leak.gpu_hours))),
        rule=rule.words,
        formula=tr("$ per month = {formula} ÷ lookback months", formula=rule.formula),
        worked_out=_worked_out(leak, shown.months),
        columns=columns_of(leak),
        rows=part_rows(leak, shown.names),
        counted=(
            (sums("counted_per_month"), tr("{value} per month", value=usd)),
            (sums("counted_gpu_hours"), tr("{hours} GPU-h in the lookback period", hours=hours)),
        ),
        counted_once=f". {spoken(COUNTED_ONCE)}",
        action=leak.action,
        remedy=_remedy(shown),
        decided=_decided(shown.decision),
    )


def _worked_out(leak: Leak, months: float) -> str:
    """The formula in numbers: GPU-hours times the mean rate over the months; a dash where no rate is stated."""
    hours = tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(leak.gpu_hours))
    if leak.average_rate is None:
        return tr("{hours} × unknown rate = —: enter the rate, or import a price list.", hours=hours)
    rate = numbers.fine_rate(leak.average_rate)
    mean = tr("mean {rate} per GPU-h", rate=rate)
    if LEAK_RULES[leak.code].rate:
        mean = tr("mean {rate} per GPU-h above that offer", rate=rate)
    return tr(
        "{hours} \u00d7 {rate} \u00f7 {months} months of 730 h = {usd_per_month}",
        hours=hours,
        rate=mean,
        months=numbers.fine(months),
        usd_per_month=numbers.cents(leak.leaked_per_month),
    )


def columns_of(leak: Leak) -> tuple[Column, ...]:
    """Headings of the parts: contracts stand idle and open their panel, workloads ran and open their jobs."""
    is_contract = LEAK_RULES[leak.code].claims == "contract"
    return (
        Column(title="Contract" if is_contract else "Workload", is_figure=False),
        *(Column(title=LEAK[key].heading("\n")) for key in money.PART_COLUMNS),
        Column(title="", is_figure=False, width=104),
    )


def part_rows(leak: Leak, names: Mapping[str, Text]) -> tuple[Row, ...]:
    """Its parts, most expensive first, and a total; whole figures that add up to it rounded, each with an answer."""
    columns = [money.whole_parts(leak, column) for column in money.PART_COLUMNS]
    rows = [
        Row(
            (
                Cell(text=names.get(part.id, part.id), tip=part.id),
                *(
                    _asked(whole[place], figure("leak_part", money.part_subject(leak, part), column), tip)
                    for column, whole, tip in zip(money.PART_COLUMNS, columns, _tips(part), strict=True)
                ),
                Cell(text=tr("Show jobs") if part.kind == "workload" else tr("Show contract"), role="accent"),
            ),
            key=f"{part.kind}:{part.id}",
        )
        for place, part in enumerate(money.parts_most_expensive_first(leak))
    ]
    leak_sum = partial(figure, "leak_sum", leak.leak_id)
    sums = (_asked(getattr(leak, column), leak_sum(column)) for column in money.PART_COLUMNS)
    return (*rows, Row((Cell(text=tr("Total")), *sums, Cell()), is_total=True))


def _asked(amount: float | None, figure_id: str, tip: str = "") -> Cell:
    """An amount that answers why; a dash for unknown, which has nothing to answer."""
    return written(numbers.whole, amount, tip=tip, figure_id="" if amount is None else figure_id)


def _tips(part: LeakPart) -> tuple[str, ...]:
    """The four figures of a part unrounded, in the order of its columns."""
    return (
        tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(part.gpu_hours)),
        numbers.cents(part.leaked_per_month),
        tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(part.counted_gpu_hours)),
        numbers.cents(part.counted_per_month),
    )


def _remedy(shown: LeakView) -> Text:
    """What accepting would do in the chosen plan.

    Move workloads, or only be noted, or nothing as it is so already.
    """
    remedy = remedy_of(shown.leak, shown.classes)
    if not shown.plans:
        return tr("To accept it, add a plan.")
    if remedy.pool is None:
        return WHAT_A_PLAN_CANNOT_SHOW
    chosen = next((plan for plan in shown.plans if plan.name == shown.plan), None)
    # they are of the class of that pool
    begin = remedy.pool if chosen and chosen.start == SEPARATED else None
    there = sum(1 for key in remedy.keys if chosen and chosen.pools.get(key, begin) is remedy.pool)
    of, pool = numbers.counted(len(remedy.keys), "workload"), lane_of(remedy.pool).title
    if there == len(remedy.keys):
        return tr("{of} already in {pool}: accepting only logs it.", of=of, pool=pool)
    left = tr("{keys} of its {of}", keys=len(remedy.keys) - there, of=of) if there else of
    return tr("Accepting moves {left} to {pool}; the plan shows the savings.", left=left, pool=pool)


def _decided(decision: LeakDecision | None) -> str:
    """When it was decided, by whom or why, and what that means for the plan's spend; empty while it is open."""
    if decision is None:
        return ""
    when = numbers.date(decision.at_s)
    if decision.status is LeakStatus.DISMISSED:
        return tr("Dismissed on {when}: {reason}", when=when, reason=decision.reason)
    if decision.owner:
        when = tr("{when}, owner {owner}", when=when, owner=decision.owner)
    if decision.pool is None:
        usd = tr("{value} per month", value=numbers.dollars(decision.usd_per_month))
        return tr(long_text("leak_logged", when=when, usd=usd))
    of, pool = numbers.counted(decision.workloads, "workload"), lane_of(decision.pool).title
    return tr("Accepted on {when}: {of} in {pool}.", when=when, of=of, pool=pool)


# --- One leak: what it is, where, how it is worked out, the workloads or contracts behind it, and what to do about it

ROWS_SEEN, ROWS_AT_LEAST = 9, 3
WIDTH = 760


class LeakSheet(AnsweringDialog):
    """Told one leak; emits which part is to be seen, and what the planner decides about it in which plan."""

    workload_asked = Signal(str)  # key, to see its jobs
    contract_asked = Signal(str)  # contract_id
    plan_chosen = Signal(str)
    leak_accepted = Signal(str, str)  # plan, owner
    leak_dismissed = Signal(str, str)  # plan, reason
    leak_reopened = Signal(str)  # plan

    def __init__(self, shown: LeakView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(560)
        self._build()
        self.show_leak(shown)
        layout = self.layout()
        assert layout is not None
        resize_within_screen(self, WIDTH, layout.totalHeightForWidth(WIDTH))
        self._fit_table()

    # What to show

    @property
    def leak_id(self) -> str:
        """The leak that is shown."""
        return self.shown.leak.leak_id

    def show_leak(self, shown: LeakView) -> None:
        """Another leak, or the same after something was decided."""
        self.shown = shown
        story = story_of(shown)
        self.setWindowTitle(spoken(story.title))
        self.setAccessibleName(spoken(story.title))
        for words, text in (
            (self.title, story.title),
            (self.where, story.where),
            (self.amount, story.amount),
            (self.rule, story.rule),
            (self.formula, story.formula),
            (self.worked_out, story.worked_out),
            (self.action, story.action),
        ):
            words.setText(spoken(text))
        leak_id, is_known = shown.leak.leak_id, shown.leak.leaked_per_month is not None
        self.usd.show_figure(story.usd, story.title, figure("leak", leak_id) if is_known else "")
        before = tr("In the total of all leaks:") + " "
        self.counted.show_facts(story.counted, before, ", ", story.counted_once)
        self.table.show_rows(story.columns, story.rows)
        self._show_decision(story)
        self._fit_table()

    def _fit_table(self) -> None:
        """As high as its first rows; where the screen has no room for all of the sheet, the rows scroll."""
        table, rows = self.table, self.table.model().rowCount()
        heading = table.horizontalHeader().sizeHint().height() + 4
        table.setMinimumHeight(heading + min(rows, ROWS_AT_LEAST) * table.row_height)
        table.setMaximumHeight(heading + min(rows, ROWS_SEEN) * table.row_height)

    def _show_decision(self, story: LeakStory) -> None:
        """Shows the buttons that fit: accept and dismiss while it is open, open it again once it is decided."""
        decision = self.shown.decision
        refill(self.plan, ((plan.name, plan.name) for plan in self.shown.plans), self.shown.plan)
        is_open = decision is None
        self.remedy.setText(spoken(story.remedy))
        self.remedy.setVisible(is_open)
        self.words.clear()
        self.words.setVisible(is_open)
        self.dismiss_button.setVisible(is_open)
        self.reopen_button.setVisible(not is_open)
        self.decided.setVisible(not is_open)
        self.decided.setText(story.decided)
        is_dismissed = decision is not None and decision.status is LeakStatus.DISMISSED
        for part in (self.usd, self.rule, self.action):
            _say(part, "role", "muted" if is_dismissed else "")
        self._ask_reason(False)
        self.accept_button.setVisible(is_open)

    def _ask_reason(self, is_asked: bool) -> None:
        """The one line of text is the reason of a dismissal, or the owner of what is accepted."""
        self._asks_reason = is_asked
        hint = tr("Why it is no leak") if is_asked else tr("Who does it (optional)")
        self.words.setPlaceholderText(hint)
        self.words.setAccessibleName(tr("Reason for dismissing") if is_asked else tr("Owner"))
        self.dismiss_button.setText(tr("Dismiss") if is_asked else tr("Dismiss…"))
        self.dismiss_button.setAccessibleName(self.dismiss_button.text())
        self.dismiss_button.setFont(font("strong" if is_asked else "body"))
        _say(self.dismiss_button, "primary", is_asked)
        self.accept_button.setVisible(not is_asked)
        self.keep_button.setVisible(is_asked)
        self._show_can_dismiss()

    def _show_can_dismiss(self) -> None:
        """Lets it be dismissed only with a reason, and says so in the tip."""
        can = not self._asks_reason or bool(self.words.text().strip())
        self.dismiss_button.setEnabled(can)
        kept = tr("Close the leak, with a reason")
        set_tip(self.dismiss_button, kept if can else tr("Enter a reason first"))

    # Building

    def _build(self) -> None:
        """Makes the parts of the sheet, from the title down to the foot."""
        self.title, self.where = _line("title"), _line("body", "muted")
        self.usd = FigureButton("figure")
        self.usd.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.usd, None))
        self.amount = label(step="small", role="muted")
        self.amount.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.rule, self.formula, self.worked_out = _line("body"), _line("strong"), _line("body")
        self.counted = FactsLabel()
        self.counted.setWordWrap(True)
        self.counted.figure_asked.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, self.counted, None)
        )
        self.action, self.remedy, self.decided = _line("strong"), _line("body", "muted"), _line("body")
        self.table = FigureTable(tr("Details"))
        self.table.row_opened.connect(self._open_part)
        self.table.pass_on(self.figure_opened)
        words = column(self.title, self.where, spacing=2)
        money = column(placed(self.usd, RIGHT), self.amount, spacing=2)
        formula = column(self.formula, self.worked_out, margins=(12, 8, 12, 8), spacing=4)
        lines = column(
            row(share(words), money, spacing=16),
            self.rule,
            box("box", formula, QFrame()),
            share(self.table, 100),  # all of its rows before anything stays empty
            self.counted,
            STRETCH,
            margins=(20, 16, 20, 16),
            spacing=12,
        )
        body = box("panel", lines, QWidget())
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column(share(body), self._foot(), on=self, spacing=0)

    def _foot(self) -> QFrame:
        """The line of buttons, with the plan in which it is decided and the field for owner or reason."""
        self.plan = named(QComboBox(), tr("Plan"), tr("Plan for the decision"))
        self.plan.activated.connect(lambda _: self.plan_chosen.emit(self.plan.currentText()))
        self.words = QLineEdit()
        self.words.textChanged.connect(lambda _: self._show_can_dismiss())
        self.words.returnPressed.connect(self._enter)
        accept = tr("Apply and log; one undo step")
        self.accept_button = _primary(named_button(tr("Accept into the plan"), accept, self._press_accept))
        keep = tr("Back, without dismissing it (Esc)")
        self.keep_button = named_button(tr("Keep it open"), keep, self._keep_open)
        self.dismiss_button = named_button("", does=self._press_dismiss)
        reopen = tr("Reopen the leak; moved cards stay")
        self.reopen_button = _primary(
            named_button(
                tr("Open it again"), reopen, lambda: self.leak_reopened.emit(self.plan.currentText())
            )
        )
        self.close_button = named_button(tr("Close"), tr("Back to the audit (Esc)"), self.close)
        buttons = (self.close_button, self.keep_button, self.dismiss_button, self.reopen_button)
        decision = row(self.plan, share(self.words), share(None, 0), *buttons, self.accept_button, spacing=8)
        parts = (self.action, self.remedy, self.decided, decision)
        lines = column(*parts, margins=(20, 12, 20, 12), spacing=8)
        return box("foot", lines, QFrame())

    # What the planner does

    def _open_part(self, key: str) -> None:
        """Asks for the workload or contract behind a row, by the kind in its key."""
        kind, _, part_id = key.partition(":")
        if kind == "workload":
            self.workload_asked.emit(part_id)
        elif kind == "contract":
            self.contract_asked.emit(part_id)

    def _enter(self) -> None:
        """Return does what the field is for: the reason dismisses, the owner accepts."""
        if self._asks_reason:
            self._press_dismiss()
        else:
            self._press_accept()

    def _press_accept(self) -> None:
        self.leak_accepted.emit(self.plan.currentText(), self.words.text().strip())

    def _keep_open(self) -> None:
        """Takes the question for a reason back."""
        self.words.clear()
        self._ask_reason(False)

    def _press_dismiss(self) -> None:
        """First asks for a reason, then dismisses with it."""
        if not self._asks_reason:
            self._ask_reason(True)
            self.words.setFocus()
        elif self.words.text().strip():
            self.leak_dismissed.emit(self.plan.currentText(), self.words.text().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc first takes back the question for a reason."""
        if event.key() == Qt.Key.Key_Escape and self._asks_reason:
            self._keep_open()
        else:
            super().keyPressEvent(event)


def _line(step: str, role: str = "") -> PlainLabel:
    """Words to be filled in, in as many lines as they need."""
    return label(step=step, role=role, is_wrapped=True)


def _primary(button: QPushButton) -> QPushButton:
    """The button that goes on."""
    button.setProperty("primary", True)
    return named(button, step="strong")


def _say(widget: QWidget, name: str, value: object) -> None:
    """A property that the style sheet looks at, and the look of it."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


# --- The sheet of a leak on a project: shows what is decided, and turns each decision into one edit


def open_leak(session: Session, leak_id: str, ways: Ways) -> None:
    """Open the sheet of one leak of the audit that is shown: what is behind it, and what to do about it."""
    if session.evaluation is None or session.window is None:
        return
    there = next((sheet for sheet in session.window.findChildren(LeakSheet) if sheet.isVisible()), None)
    if there is not None and there.leak_id == leak_id:  # asked for again: it may lie behind
        there.raise_()
        there.activateWindow()
        return
    sheet = LeakFlow(session, session.evaluation, leak_id).sheet
    sheet.workload_asked.connect(ways.jobs)
    sheet.contract_asked.connect(sheet.close)  # the panel lies behind it
    sheet.contract_asked.connect(ways.contract)
    sheet.figure_opened.connect(ways.why)
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if there is not None:  # one sheet: another leak stands where the one before stood
        sheet.resize(max(sheet.width(), there.width()), sheet.height())
        sheet.move(there.pos())
        there.close()
    sheet.show()  # not modal: the jobs of a part open beside it


class LeakFlow(QObject):
    """Told an evaluation and one of its leaks; edits the session's document, and lets the sheet show what became of it.

    Errors: StopIteration where the audit has no such leak.
    """

    def __init__(self, session: Session, evaluation: Evaluation, leak_id: str) -> None:
        super().__init__()
        self.session = session
        self._leak = next(leak for leak in evaluation.audit.leaks if leak.leak_id == leak_id)
        self._classes = classes_by_key(evaluation.audit)
        self._names = told_apart(evaluation.project.workloads)
        self._plan = "" if evaluation.scenario == TODAY else evaluation.scenario
        self.sheet = LeakSheet(self._view(), session.window)
        self.setParent(self.sheet)  # it lives as long as what it answers
        self.sheet.plan_chosen.connect(self._choose)
        self.sheet.leak_accepted.connect(self._accept)
        self.sheet.leak_dismissed.connect(self._dismiss)
        self.sheet.leak_reopened.connect(self._reopen)
        session.document.changed.connect(self._show_again)  # also by Undo

    def _view(self) -> LeakView:
        """What the sheet shows; a plan that is gone gives way to the first one."""
        project = self.session.document.project
        if all(plan.name != self._plan for plan in project.scenarios):
            self._plan = project.scenarios[0].name if project.scenarios else ""
        return LeakView(
            leak=self._leak,
            plans=project.scenarios,
            plan=self._plan,
            classes=self._classes,
            names=self._names,
            months=project.window.months,
        )

    def _choose(self, plan: str) -> None:
        """Shows the leak as another plan has decided it."""
        self._plan = plan
        self._show_again()

    def _show_again(self, _project: Project | None = None) -> None:
        """Shows the leak as it is decided now, after any edit."""
        self.sheet.show_leak(self._view())

    def _accept(self, plan: str, owner: str) -> None:
        """Accepts the leak into a plan, to be done by its owner."""
        leak, at_s, classes = self._leak, self.session.time_s(), self._classes
        self._decide("Accept", lambda project: plans.accept_leak(project, plan, leak, classes, at_s, owner))

    def _dismiss(self, plan: str, reason: str) -> None:
        """Dismisses the leak in a plan for a reason."""
        leak, at_s = self._leak, self.session.time_s()
        self._decide("Dismiss", lambda project: plans.dismiss_leak(project, plan, leak, reason, at_s))

    def _reopen(self, plan: str) -> None:
        """Makes it an open leak of a plan again."""
        leak, at_s = self._leak, self.session.time_s()
        self._decide("Reopen", lambda project: plans.reopen_leak(project, plan, leak, at_s))

    def _decide(self, verb: str, edit: Callable[[Project], Project]) -> None:
        """One step that can be undone, named by the verb and the leak."""
        self.session.gestures.edit(labels.leak_label(verb, self._leak), edit)
