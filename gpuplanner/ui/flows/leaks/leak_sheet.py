"""The sheet of a leak: its place, formula, workloads or contracts, and decisions."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.plan.scenario import LeakStatus
from gpuplanner.ui.flows.leaks.leak_story import LeakStory, LeakView, story_of
from gpuplanner.ui.kit.dialogs import AnsweringDialog, resize_within_screen
from gpuplanner.ui.kit.layout import RIGHT, STRETCH, box, column, named, placed, row, share
from gpuplanner.ui.kit.page_parts import label, named_button, refill
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.tables.figure_button import FigureButton
from gpuplanner.ui.tables.figure_table import FigureTable

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
