"""What a plan keeps to: longest term, one provider's share, budget, power, who alone may serve; and what each costs."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.edits.labels import share_label
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions, AssumptionValue
from gpuplanner.domain.model.book.only import ANYBODY, Only, Sellers, who_words
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.limits import ASSUMED, Limit
from gpuplanner.domain.reports.savings import LIMITS
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, grid, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, heading_label, label, named_button, retell
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words.typed_assumptions import share_text, typed_share, typed_value, value_words


@dataclass(frozen=True, slots=True)
class Group:
    """Workloads that may be limited together: how they are called, and their keys."""

    called: Text
    keys: tuple[str, ...]


class LimitsDialog(dialogs.AnsweringDialog):
    """Told the limits in force and what they cost; emits one change at a time, each an undo step."""

    limit_changed = Signal(str, object)  # --set name, value
    only_asked = Signal(object, object)  # Group, Only
    share_asked = Signal(object, object)  # Only, share 0..1 or None

    def __init__(self, groups: Sequence[Group], sellers: Sellers, parent: QWidget | None = None) -> None:
        """sellers: the names that offers and contracts have."""
        super().__init__(parent)
        self._groups = groups
        self._only: Mapping[str, Only] = {}
        self._shares: Mapping[Only, float] = {}
        self._shown: dict[str, str] = {}
        self.title, note = dialogs.title_and_note(
            dialogs.titled(self, tr("Limits")),
            tr("Only for this plan. Empty: no limit. Each change is one undo step."),
        )
        self.fields: dict[str, QLineEdit] = {}
        self.said, self.costs = dialogs.note_label(2), dialogs.note_label(2, "muted")
        self.table = FigureTable(tr("Cost of limits"))
        self.table.pass_on(self.figure_opened)
        keeps = self.table.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)  # nothing moves under the mouse when rows come and go
        self.table.setSizePolicy(keeps)
        self.close_button = dialogs.close_button(self)
        fields = (self._fields(), self._pins(sellers), self._share_fields(sellers), self.said)
        cost = (heading_label(tr("Cost of limits")), self.costs, share(self.table))
        dialogs.dialog_column(self, self.title, note, *fields, *cost, dialogs.foot(self.close_button))
        dialogs.resize_within_screen(self, 1080, 470)
        self.fields[ASSUMED[0].name].setFocus()

    def _fields(self) -> QGridLayout:
        """Two columns of a limit with its unit."""
        lines: list[list[QWidget]] = []
        for number, name in enumerate(one.name for one in ASSUMED):
            spec = SPEC_BY_NAME[name]
            field = _limit_field(spec.title, tr("{first}, {second}", first=spec.title, second=spec.unit))
            field.editingFinished.connect(partial(self._take, name))
            self.fields[name] = field
            if number % 2 == 0:
                lines.append([])
            lines[-1] += (label(spec.title), field, label(spec.unit, role="muted"))
        made = grid(*lines, shares=(0, 0, 1, 0, 0, 1))
        made.setHorizontalSpacing(12)
        return made

    def _pins(self, sellers: Sellers) -> QHBoxLayout:
        """Whose demand one provider or region alone may serve, or anybody but one."""
        who = [ANYBODY, *(Only(name) for name in sellers.providers)]
        who += [Only(region=name) for name in sellers.regions]
        who += [Only(country=name) for name in sellers.countries]
        who += [Only(not_provider=name) for name in sellers.providers]
        groups = ((group.called, group) for group in self._groups)
        tip = tr("A pool or team: its current workloads")
        self.whose = choice_of(tr("Whose workloads"), tip, groups, lambda _: self._show_who())
        tip = tr("No other offers or contracts then serve them")
        self.who = choice_of(
            tr("Allowed providers or regions"), tip, ((who_words(seller), seller) for seller in who)
        )
        for box in (self.whose, self.who):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        tip = tr("One undo step; “any” removes the limit")
        self.pin = named_button(tr("Set"), tip, self._ask_only, called=tr("Set allowed providers"))
        return row(self.whose, label(tr("served by")), self.who, self.pin, STRETCH, spacing=8)

    def _share_fields(self, sellers: Sellers) -> QHBoxLayout:
        """How much of the first month's $ a provider or a region that is named may have."""
        regions = ((tr("region {region}", region=name), Only(region=name)) for name in sellers.regions)
        tip = tr("Provider or region of an offer or contract")
        sellers_named = (*((name, Only(name)) for name in sellers.providers), *regions)
        self.of = choice_of(tr("Limited share"), tip, sellers_named, lambda _: self._show_share())
        self.of.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        tip = tr("Share of cost: contracts of the first month, and all orders; empty: no limit")
        self.share = _limit_field(tr("At most this share"), tip)
        self.share.returnPressed.connect(self._ask_share)
        tip = tr("One undo step; empty removes the limit")
        self.keep = named_button(tr("Set"), tip, self._ask_share, called=tr("Set the share"))
        for widget in (self.of, self.share, self.keep):
            widget.setEnabled(bool(self.of.count()))
        unit = label(SPEC_BY_NAME["max_provider_share"].unit, role="muted")
        return row(self.of, label(tr("at most")), self.share, unit, self.keep, STRETCH, spacing=8)

    def _show_who(self) -> None:
        """Who may serve the workloads that are chosen as it is now; anybody where they differ."""
        group: Group | None = self.whose.currentData()
        now = {self._only.get(key, ANYBODY) for key in (group.keys if group else ())}
        who = now.pop() if len(now) == 1 else ANYBODY
        if not (places := [at for at in range(self.who.count()) if self.who.itemData(at) == who]):
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
            self.costs.setText(tr("Calculating…"))
            return
        if outlook.limits:
            words = tr("Extra cost against the plan without this limit; other limits stay.")
        elif has_limits:
            words = tr("A power limit has no cost. Exceeding it is an error in Checks.")
        else:
            words = tr("No limit set.")
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
        self._say(limit if value is None or value is False else spoken(Limit(name, float(value)).words))
        self.limit_changed.emit(name, value)

    def _ask_only(self) -> None:
        """Says whose demand is limited to whom."""
        group: Group = self.whose.currentData()
        only: Only = self.who.currentData()
        self._say(tr("{title}: {value}", title=self.whose.currentText(), value=self.who.currentText()))
        self.only_asked.emit(group, only)

    def _ask_share(self) -> None:
        """Takes the share that was typed; a refusal is said, and the share that holds comes back."""
        who: Only = self.of.currentData()
        try:
            most = typed_share(self.share.text())
        except PlannerError as error:
            self._refuse(self.of.currentText(), error)
            self._show_share()
            return
        self._say(spoken(share_label(who, most)))
        self.share_asked.emit(who, most)

    def _refuse(self, title: Text, error: PlannerError) -> None:
        """Says what of a limit could not be taken, and what to enter."""
        words = tr("{title}: {what}. {remedy}", title=title, what=error.what, remedy=sentence(error.remedy))
        self._say(words, is_wrong=True)

    def _say(self, words: str, *, is_wrong: bool = False) -> None:
        """What was done, or why it was not."""
        retell(self.said, words, "red" if is_wrong else "muted")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes a value or presses the button that has the keyboard; it does not close the dialog."""
        if not dialogs.takes_enter(self, event):
            super().keyPressEvent(event)


def _limit_field(name: Text, tip: Text) -> QLineEdit:
    """A field for a limit, which may be left empty."""
    field = QLineEdit(alignment=Qt.AlignmentFlag.AlignRight, placeholderText=tr("no limit"))
    field.setFixedWidth(120)
    return named(field, name, tip)
