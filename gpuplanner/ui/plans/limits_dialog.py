"""What a plan keeps to: longest term, one provider's share, budget, power, who alone may serve; and what each costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.edits import share_label
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.only import ANYBODY, Only, who_words
from gpuplanner.domain.model.book.who_sells import Sellers
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, Assumptions, AssumptionValue
from gpuplanner.domain.model.scenario.limits import ASSUMED, Limit
from gpuplanner.domain.reports.plan.limits import LIMITS
from gpuplanner.ui.kit.dialogs import dialog_column, resize_within_screen, title_and_note
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.assumption_values import (
    share_text,
    typed_share,
    typed_value,
    value_words,
)
from gpuplanner.ui.words.translation import sentence, spoken, tr

NAMES_AT_LEAST_PX: Final = 330
"""A limit is a sentence: what it does is scrolled to before it is cut."""


@dataclass(frozen=True, slots=True)
class Group:
    """Workloads that may be limited together: how they are called, and their keys."""

    called: Text
    keys: tuple[str, ...]


class LimitsDialog(QDialog):
    """Told the limits in force and what they cost; emits one change at a time, each an undo step."""

    limit_changed = Signal(str, object)  # --set name, value
    only_asked = Signal(object, object)  # Group, Only
    share_asked = Signal(object, object)  # Only, share 0..1 or None
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(
        self,
        groups: Sequence[Group],
        sellers: Sellers,
        palette: Palette,
        parent: QWidget | None = None,
    ) -> None:
        """sellers: the names that offers and contracts have."""
        super().__init__(parent)
        self._groups = groups
        self._only: Mapping[str, Only] = {}
        self._shares: Mapping[Only, float] = {}
        self._shown: dict[str, str] = {}
        self.setWindowTitle(tr("Limits"))
        self.setAccessibleName(self.windowTitle())
        self.title, note = title_and_note(
            tr("Limits"),
            tr(
                "What this plan keeps to; other plans keep theirs. Each change is one undo step; empty is no limit."
            ),
        )
        self.fields: dict[str, QLineEdit] = {}
        layout = dialog_column(self, self.title, note)
        layout.addLayout(self._fields())
        layout.addLayout(self._pins(sellers))
        layout.addLayout(self._share_fields(sellers))
        self.said = PlainLabel()
        self.said.setWordWrap(True)
        self.said.setMinimumHeight(self.said.fontMetrics().lineSpacing() + 4)
        heading = PlainLabel(tr("What they cost"))
        heading.setFont(font("title"))
        self.costs = PlainLabel()
        self.costs.setProperty("role", "muted")
        self.costs.setWordWrap(True)
        self.table = FigureTable(tr("What limits cost"), palette)
        self.table.names_at_least_px = NAMES_AT_LEAST_PX
        self.table.figure_opened.connect(
            lambda figure_id, place: self.figure_opened.emit(figure_id, self.table, place)
        )
        self.close_button = QPushButton(tr("Close"))
        self.close_button.setAccessibleName(tr("Close"))
        set_tip(self.close_button, tr("Close (Esc)"))
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.accept)
        layout.addWidget(self.said)
        layout.addWidget(heading)
        layout.addWidget(self.costs)
        layout.addWidget(self.table, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.close_button)
        layout.addLayout(row)
        resize_within_screen(self, 1080, 470)
        self.fields[ASSUMED[0].name].setFocus()

    def _fields(self) -> QGridLayout:
        """Two columns of a limit with its unit."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        for number, name in enumerate(one.name for one in ASSUMED):
            spec = SPEC_BY_NAME[name]
            field = self.fields[name] = QLineEdit()
            field.setAccessibleName(spoken(spec.title))
            set_tip(field, tr("{title}, {unit}", title=spec.title, unit=spec.unit))
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.setPlaceholderText(tr("no limit"))
            field.setFixedWidth(120)
            field.editingFinished.connect(partial(self._take, name))
            unit = PlainLabel(spoken(spec.unit))
            unit.setProperty("role", "muted")
            row, column = number // 2, 3 * (number % 2)
            for place, widget in enumerate((PlainLabel(spoken(spec.title)), field, unit)):
                grid.addWidget(widget, row, column + place)
        grid.setColumnStretch(2, 1)
        grid.setColumnStretch(5, 1)
        return grid

    def _pins(self, sellers: Sellers) -> QHBoxLayout:
        """Whose demand one provider or region alone may serve, or anybody but one."""
        self.whose, self.who = QComboBox(), QComboBox()
        for group in self._groups:
            self.whose.addItem(spoken(group.called), group)
        named = [Only(name) for name in sellers.providers]
        named += [Only(region=name) for name in sellers.regions]
        named += [Only(not_provider=name) for name in sellers.providers]
        for one in (ANYBODY, *named):
            self.who.addItem(spoken(who_words(one)), one)
        self.whose.currentIndexChanged.connect(lambda _: self._show_who())
        self.pin = QPushButton(tr("Set"))
        self.pin.setAccessibleName(tr("Set who may serve"))
        set_tip(self.pin, tr("One undo step; anybody takes the limit back"))
        self.pin.setAutoDefault(False)
        self.pin.clicked.connect(self._ask_only)
        for box, name, tip in (
            (
                self.whose,
                tr("Whose workloads"),
                tr("A pool of this plan, or a team: the workloads that it has now"),
            ),
            (
                self.who,
                tr("Who may serve them"),
                tr("What others offer, and contracts with them, then do not serve them"),
            ),
        ):
            box.setAccessibleName(name)
            set_tip(box, tip)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        return _in_a_row(self.whose, PlainLabel(tr("served by")), self.who, self.pin)

    def _share_fields(self, sellers: Sellers) -> QHBoxLayout:
        """How much of the first month's $ a provider or a region that is named may have."""
        self.of, self.share, self.keep = QComboBox(), QLineEdit(), QPushButton(tr("Set"))
        for name in sellers.providers:
            self.of.addItem(name, Only(name))
        for name in sellers.regions:
            self.of.addItem(tr("region {name}", name=name), Only(region=name))
        self.of.setAccessibleName(tr("Whose share is limited"))
        set_tip(self.of, tr("A provider or a region that offers or contracts name"))
        self.of.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.of.currentIndexChanged.connect(lambda _: self._show_share())
        self.share.setAccessibleName(tr("At most this share"))
        set_tip(
            self.share,
            tr("Contracts of the first month, and all that is ever signed, of its $; empty is no limit"),
        )
        self.share.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.share.setPlaceholderText(tr("no limit"))
        self.share.setFixedWidth(120)
        self.share.returnPressed.connect(self._ask_share)
        self.keep.setAccessibleName(tr("Set the share"))
        set_tip(self.keep, tr("One undo step; an empty share takes the limit back"))
        self.keep.setAutoDefault(False)
        self.keep.clicked.connect(self._ask_share)
        for widget in (self.of, self.share, self.keep):
            widget.setEnabled(bool(self.of.count()))
        unit = PlainLabel(spoken(SPEC_BY_NAME["max_provider_share"].unit))
        unit.setProperty("role", "muted")
        return _in_a_row(self.of, PlainLabel(tr("at most")), self.share, unit, self.keep)

    def _show_who(self) -> None:
        """Who may serve the workloads that are chosen as it is now; anybody where they differ."""
        group: Group | None = self.whose.currentData()
        now = {self._only.get(key, ANYBODY) for key in (group.keys if group else ())}
        who = now.pop() if len(now) == 1 else ANYBODY
        places = [at for at in range(self.who.count()) if self.who.itemData(at) == who]
        if not places:
            self.who.addItem(spoken(who_words(who)), who)
        self.who.setCurrentIndex(places[0] if places else self.who.count() - 1)

    def _show_share(self) -> None:
        """The share of whom is chosen as it is now."""
        self.share.setText(share_text(self._shares.get(self.of.currentData())))

    def show_values(
        self, scenario: str, values: Assumptions, only: Mapping[str, Only], shares: Mapping[Only, float]
    ) -> None:
        """The limits that are in force in a plan; what is being typed stays.

        only: who may serve, by key; shares: by whom they are of.
        """
        if only != self._only:
            self._only = only
            self._show_who()
        if shares != self._shares:
            self._shares = shares
            self._show_share()
        self.title.setText(tr("Limits of {scenario}", scenario=scenario))
        for name, field in self.fields.items():
            spec = SPEC_BY_NAME[name]
            self._shown[name] = value_words(spec, getattr(values, spec.field))
            if not field.isModified():
                field.setText(self._shown[name])

    def show_costs(self, outlook: Outlook | None, *, is_settling: bool, has_limits: bool) -> None:
        """What each limit costs; while it is worked out what was known stays."""
        if is_settling or outlook is None:
            self.costs.setText(tr("Working out what they cost"))
            return
        words = (
            tr("Each row: what the plan costs more than without that one limit. All other limits stay.")
            if outlook.limits
            else tr("A limit on power costs nothing: a plan whose largest hour takes more is a red check.")
            if has_limits
            else tr("No limit is set.")
        )
        self.costs.setText(words)
        self.table.setVisible(bool(outlook.limits))
        self.table.show_rows(table_columns(LIMITS), table_rows(LIMITS, outlook))

    def _take(self, name: str) -> None:
        """Takes what was typed; a refusal is said, and the value that holds comes back."""
        field, spec = self.fields[name], SPEC_BY_NAME[name]
        if not field.isModified():
            return
        field.setModified(False)
        try:
            value: AssumptionValue = typed_value(spec, field.text())
        except PlannerError as error:
            self._refuse(spec.title, error)
            field.setText(self._shown[name])
            return
        limit = tr("{title}: no limit", title=spec.title)
        self._say(limit if value is None else spoken(Limit(name, float(value)).words))
        self.limit_changed.emit(name, value)

    def _ask_only(self) -> None:
        """Says whose demand is limited to whom."""
        group: Group = self.whose.currentData()
        only: Only = self.who.currentData()
        self._say(tr("{whose}: {who}", whose=self.whose.currentText(), who=self.who.currentText()))
        self.only_asked.emit(group, only)

    def _ask_share(self) -> None:
        """Takes the share that was typed; a refusal is said, and the share that holds comes back."""
        who: Only = self.of.currentData()
        try:
            share = typed_share(self.share.text())
        except PlannerError as error:
            self._refuse(self.of.currentText(), error)
            self._show_share()
            return
        limit = share_label(who, share)
        self._say(spoken(limit))
        self.share_asked.emit(who, share)

    def _refuse(self, title: Text, error: PlannerError) -> None:
        """Says what of a limit could not be taken, and what to enter."""
        words = tr("{title}: {what}. {remedy}", title=title, what=error.what, remedy=sentence(error.remedy))
        self._say(words, is_wrong=True)

    def _say(self, words: str, *, is_wrong: bool = False) -> None:
        """What was done, or why it was not."""
        self.said.setText(words)
        self.said.setProperty("role", "red" if is_wrong else "muted")
        self.said.style().polish(self.said)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes a value or presses the button that has the keyboard; it does not close the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if isinstance(focused, QPushButton):
                focused.click()
            return
        super().keyPressEvent(event)


def _in_a_row(*widgets: QWidget) -> QHBoxLayout:
    """Widgets beside each other, from the left."""
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row
