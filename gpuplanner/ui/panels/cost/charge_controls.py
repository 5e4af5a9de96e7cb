"""Who pays: how idle GPUs are shared, the budget of the chosen team, and budgets from a file."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.costs.charge_rows import Charge
from gpuplanner.domain.audit.costs.charge_words import RULE_WORDS
from gpuplanner.domain.audit.costs.idle_shares import CALLED_NOBODY
from gpuplanner.domain.figures.costs.chargeback import CHARGE
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, IdleRule
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.numbers import plain_amount
from gpuplanner.ui.words.translation import spoken, tr

SHARED_BY = "idle_shared_by"
RULE_AT_MOST_PX = 250


class ChargeControls(QWidget):
    """Told the rule and the chosen row; emits what the planner says of them."""

    rule_chosen = Signal(str)
    budget_typed = Signal(str, str)  # team, text of the amount a month; empty: none
    budgets_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._team: str | None = None
        self.rule = QComboBox()
        title = spoken(SPEC_BY_NAME[SHARED_BY].title)
        self.rule.setAccessibleName(title)
        self.rule.view().setAccessibleName(tr("{name}, choices", name=title))
        set_tip(self.rule, tr("What teams pay of the GPUs that are paid for and used by nobody"))
        self.rule.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.rule.setMinimumContentsLength(12)
        self.rule.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.rule.setMaximumWidth(RULE_AT_MOST_PX)
        for rule in IdleRule:
            self.rule.addItem(spoken(RULE_WORDS[rule]), rule.value)
        self.budget = QLineEdit()
        self.budget.setFixedWidth(92)
        self.budget.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.budget.setPlaceholderText(tr("not set"))
        self.budget.setAccessibleName(tr("Budget of the chosen team per month"))
        set_tip(self.budget, tr("What the chosen team may be charged per month; empty: no budget (Enter)"))
        self.read = QPushButton(tr("Import\u2026"))  # short, for the panel may be narrow
        self.read.setAccessibleName(tr("Import budgets"))
        set_tip(self.read, tr("A table with the columns team and usd_per_month, in US dollars"))
        self._budget_said = _muted(CHARGE["budget_per_month"].title)
        both = QVBoxLayout(self)  # two rows: the panel may be narrow
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(4)
        for widgets in (
            (_muted(SPEC_BY_NAME[SHARED_BY].title), self.rule),
            (self._budget_said, self.budget, self.read),
        ):
            row = QHBoxLayout()
            row.setSpacing(6)
            for widget in widgets:
                row.addWidget(widget, 3 if widget is self.rule else 0)  # its words are long
            row.addStretch(1)
            both.addLayout(row)
        self.rule.activated.connect(lambda at: self.rule_chosen.emit(self.rule.itemData(at)))
        self.budget.editingFinished.connect(self._take_budget)
        self.read.clicked.connect(self.budgets_asked)

    def show_rule(self, rule: IdleRule) -> None:
        """The rule in force."""
        self.rule.setCurrentIndex(self.rule.findData(rule.value))

    def show_row(self, row: Charge | None, *, is_of_teams: bool) -> None:
        """The budget of a team's row; none where rows are of something else, or it is that of all."""
        for one in (self._budget_said, self.budget, self.read):
            one.setVisible(is_of_teams)
        team = None if row is None or row.is_all else row.name or (CALLED_NOBODY if row.is_nobodys else None)
        if team == self._team and self.budget.isModified():
            return
        self._team = team
        self.budget.setEnabled(team is not None)
        usd = None if row is None else row.budget_per_month
        self.budget.setText("" if usd is None else numbers.significant(usd, 12))

    def _take_budget(self) -> None:
        if self.budget.isModified() and self._team is not None:
            self.budget.setModified(False)
            self.budget_typed.emit(self._team, plain_amount(self.budget.text()))


def _muted(words: Text) -> PlainLabel:
    """Muted words beside a field."""
    label = PlainLabel(spoken(words))
    label.setFont(font("small"))
    label.setProperty("role", "muted")
    return label
