"""One leak: what it is, where, how it is worked out, the workloads or contracts behind it, and what to do about it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.model.scenario.plan_inputs import LeakStatus
from gpuplanner.ui.audit.leak_words import LeakStory, LeakView, story_of
from gpuplanner.ui.kit.dialogs import resize_within_screen
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.tables.figure_button import FigureButton
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import spoken, tr

ROWS_SEEN, ROWS_AT_LEAST = 9, 3
WIDTH = 760


class LeakSheet(QDialog):
    """Told one leak; emits which part is to be seen, and what the planner decides about it in which plan."""

    workload_asked = Signal(str)  # key, to see its jobs
    contract_asked = Signal(str)  # contract_id
    plan_chosen = Signal(str)
    leak_accepted = Signal(str, str)  # plan, owner
    leak_dismissed = Signal(str, str)  # plan, reason
    leak_reopened = Signal(str)  # plan
    figure_opened = Signal(
        str, object, object
    )  # figure id, the widget it stands in, and where (QRect; None: all)

    def __init__(self, shown: LeakView, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(560)
        self._build(palette)
        self.show_leak(shown)
        layout = self.layout()
        assert layout is not None
        resize_within_screen(self, WIDTH, layout.totalHeightForWidth(WIDTH))
        self._fit_table()

    # What to show

    @property
    def leak_id(self) -> str:
        """The leak that is shown."""
        return self._shown.leak.leak_id

    def show_leak(self, shown: LeakView) -> None:
        """Another leak, or the same after something was decided."""
        self._shown = shown
        story = story_of(shown)
        self.setWindowTitle(spoken(story.title))
        self.setAccessibleName(spoken(story.title))
        for label, text in (
            (self.title, story.title),
            (self.where, story.where),
            (self.amount, story.amount),
            (self.rule, story.rule),
            (self.formula, story.formula),
            (self.worked_out, story.worked_out),
            (self.action, story.action),
        ):
            label.setText(spoken(text))
        leak_id, is_known = shown.leak.leak_id, shown.leak.leaked_per_month is not None
        self.usd.show_figure(story.usd, story.title, figure("leak", leak_id) if is_known else "")
        self.counted.show_facts(
            story.counted, tr("Counted in the total of all leaks:") + " ", ", ", story.counted_once
        )
        self.table.show_rows(story.columns, story.rows)
        self._show_decision(story)
        self._fit_table()

    def _fit_table(self) -> None:
        """As high as its first rows; where the screen has no room for all of the sheet, the rows scroll."""
        layout = self.layout()
        if layout is None:
            return
        table, rows = self.table, self.table.model().rowCount()
        least, most = (table.horizontalHeader().sizeHint().height() + 4,) * 2
        least += min(rows, ROWS_AT_LEAST) * table.row_height
        most += min(rows, ROWS_SEEN) * table.row_height
        table.setFixedHeight(most)
        for inner in (*self.findChildren(QLayout), layout):
            inner.invalidate()
        over = layout.totalHeightForWidth(self.width()) - self.height()
        if self.testAttribute(Qt.WidgetAttribute.WA_Resized) and over > 0:
            table.setFixedHeight(max(least, most - over))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the table the height that its rows need at the new width."""
        super().resizeEvent(event)
        self._fit_table()

    def _show_decision(self, story: LeakStory) -> None:
        """Shows the buttons that fit: accept and dismiss while it is open, open it again once it is decided."""
        plans, decision = self._shown.plans, self._shown.decision
        self.plan.blockSignals(True)
        self.plan.clear()
        self.plan.addItems([plan.name for plan in plans])
        self.plan.setCurrentText(self._shown.plan)
        self.plan.blockSignals(False)
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
        for label in (self.usd, self.rule, self.action):
            _say(label, "role", "muted" if is_dismissed else "")
        self._ask_reason(False)
        self.accept_button.setVisible(is_open)

    def _ask_reason(self, is_asked: bool) -> None:
        """The one line of text is the reason of a dismissal, or the owner of what is accepted."""
        self._asks_reason = is_asked
        self.words.setPlaceholderText(
            tr("Why is it no leak? Kept in the log") if is_asked else tr("Who does it (optional)")
        )
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
        set_tip(
            self.dismiss_button,
            tr("Leave it out of the open leaks, with a reason that is kept")
            if can
            else tr("Enter a reason first"),
        )

    # Building

    def _build(self, palette: Palette) -> None:
        """Makes the parts of the sheet, from the title down to the foot."""
        self.title = self._label("title")
        self.where = self._label("body", "muted")
        self.usd = FigureButton("figure")
        self.usd.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.usd, None))
        self.amount = self._label("small", "muted")
        self.amount.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.amount.setWordWrap(False)
        self.rule, self.formula = self._label("body"), self._label("strong")
        self.worked_out = self._label("body")
        self.counted = FactsLabel(palette)
        self.counted.setWordWrap(True)
        self.counted.figure_asked.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, self.counted, None)
        )
        self.action = self._label("strong")
        self.remedy = self._label("body", "muted")
        self.decided = self._label("body")
        self.table = FigureTable(tr("What is behind it"), palette)
        self.table.row_opened.connect(self._open_part)
        self.table.figure_opened.connect(
            lambda figure_id, place: self.figure_opened.emit(figure_id, self.table, place)
        )
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.where)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addLayout(words, 1)
        money = QVBoxLayout()
        money.setSpacing(2)
        money.addWidget(self.usd, 0, Qt.AlignmentFlag.AlignRight)
        money.addWidget(self.amount)
        head.addLayout(money)
        box = QFrame()
        box.setObjectName("box")
        inside = QVBoxLayout(box)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.setSpacing(4)
        for label in (self.formula, self.worked_out):
            inside.addWidget(label)
        body = QWidget()
        body.setObjectName("panel")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addLayout(head)
        for widget in (self.rule, box, self.table, self.counted):
            column.addWidget(widget)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(body, 1)
        layout.addWidget(self._foot())

    def _foot(self) -> QFrame:
        """The line of buttons, with the plan in which it is decided and the field for owner or reason."""
        self.plan = QComboBox()
        self.plan.setAccessibleName(tr("Plan"))
        set_tip(self.plan, tr("In which plan it is decided"))
        self.plan.activated.connect(lambda _: self.plan_chosen.emit(self.plan.currentText()))
        self.words = QLineEdit()
        self.words.textChanged.connect(lambda _: self._show_can_dismiss())
        self.words.returnPressed.connect(self._enter)
        self.accept_button = self._button(tr("Accept into the plan"), self._press_accept, primary=True)
        set_tip(self.accept_button, tr("Do in the plan what it can show, and note it, in one undoable step"))
        self.keep_button = self._button(tr("Keep it open"), self._keep_open)
        set_tip(self.keep_button, tr("Back, without dismissing it (Esc)"))
        self.dismiss_button = self._button("", self._press_dismiss)
        self.reopen_button = self._button(
            tr("Open it again"), lambda: self.leak_reopened.emit(self.plan.currentText()), primary=True
        )
        set_tip(
            self.reopen_button, tr("Count it among the open leaks again; what was moved stays where it is")
        )
        self.close_button = self._button(tr("Close"), self.close)
        set_tip(self.close_button, tr("Back to the audit (Esc)"))
        foot = QFrame()
        foot.setObjectName("foot")
        column = QVBoxLayout(foot)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(8)
        for label in (self.action, self.remedy, self.decided):
            column.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.plan)
        row.addWidget(self.words, 1)
        row.addStretch(0)
        buttons = (self.close_button, self.keep_button, self.dismiss_button, self.reopen_button)
        for button in (*buttons, self.accept_button):
            row.addWidget(button)
        column.addLayout(row)
        return foot

    def _label(self, step: str, role: str = "") -> QLabel:
        label = PlainLabel()
        label.setFont(font(step))
        label.setWordWrap(True)
        if role:
            label.setProperty("role", role)
        return label

    def _button(self, text: str, pressed: Callable[[], object], primary: bool = False) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        if primary:
            button.setProperty("primary", True)
            button.setFont(font("strong"))
        button.clicked.connect(lambda _=False: pressed())
        return button

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


def _say(widget: QWidget, name: str, value: object) -> None:
    """A property that the style sheet looks at, and the look of it."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
