"""Controls of chargeback: how idle GPUs are shared, and budgets."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit import chargeback
from gpuplanner.domain.audit.cost_result import RULE_WORDS
from gpuplanner.domain.figures.chargeback import CHARGE
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, IdleRule
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.ui.kit.layout import RIGHT, STRETCH, column, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, muted_label, named_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.words import numbers

SHARED_BY = "idle_shared_by"
RULE_AT_MOST_PX = 250


class ChargeControls(QWidget):
    """Told the rule and the chosen row; emits what the planner says of them."""

    rule_chosen = Signal(str)
    budget_typed = Signal(str, str)  # team, text of the amount a month; empty: none
    budgets_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._team: str | None = None
        title = spoken(SPEC_BY_NAME[SHARED_BY].title)
        tip = tr("How teams share idle cost")
        self.rule = choice_of(title, tip, ((RULE_WORDS[rule], rule.value) for rule in IdleRule), letters=12)
        self.rule.view().setAccessibleName(tr("{name}, choices", name=title))
        self.rule.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.rule.setMaximumWidth(text_px(RULE_AT_MOST_PX))
        name = tr("Team's monthly budget")
        tip = tr("Empty: none (Enter)")
        self.budget = named(QLineEdit(alignment=RIGHT, placeholderText=tr("not set")), name, tip)
        self.budget.setFixedWidth(text_px(92))
        self.read = named_button(
            tr("Import\u2026"),  # short, for the panel may be narrow
            tr("A table with columns team and usd_per_month"),
            self.budgets_asked,
            called=tr("Import budgets"),
        )
        self._budget_said = muted_label(spoken(CHARGE["budget_per_month"].title), is_wrapped=False)
        # two rows: the panel may be narrow
        rules = row(muted_label(title, is_wrapped=False), share(self.rule, 3), STRETCH, spacing=6)
        budgets = row(self._budget_said, self.budget, self.read, STRETCH, spacing=6)
        column(rules, budgets, on=self, spacing=4)
        self.rule.activated.connect(lambda at: self.rule_chosen.emit(self.rule.itemData(at)))
        self.budget.editingFinished.connect(self._take_budget)

    def show_rule(self, rule: IdleRule) -> None:
        """The rule in force."""
        self.rule.setCurrentIndex(self.rule.findData(rule.value))

    def show_row(self, row: chargeback.Charge | None, *, is_of_teams: bool) -> None:
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
            self.budget_typed.emit(self._team, numbers.plain_amount(self.budget.text()))
