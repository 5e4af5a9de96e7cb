"""One class rule: its words, its class, and the change before it is applied."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.demand.own_rules import HELP, OWN_CONFIDENCE, RULE_FIELDS, check_rule
from gpuplanner.domain.demand.rule_preview import RulePreview, RuleProposal, rule_id_for
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import column, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label, named_button
from gpuplanner.ui.plans import rule_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import ACCEPT
from gpuplanner.ui.words.lanes import lane_of

TYPING_PAUSE_MS = 250
FIELD_TITLES = {"name": worded("Names with"), "queue": worded("Queue"), "owner": worded("Owner")}


class RuleDialog(dialogs.AnsweringDialog):
    """Told proposals, or a rule to change; asks for previews and is told them; emits the rule that was accepted."""

    preview_asked = Signal(object)  # ClassRule
    rule_accepted = Signal(object)  # ClassRule

    def __init__(
        self,
        proposals: Sequence[RuleProposal],
        rules: Sequence[ClassRule],
        parent: QWidget | None = None,
        changed: ClassRule | None = None,
        pool: Pool = Pool.TRAINING,
    ) -> None:
        super().__init__(parent)
        self._proposals, self._changed = tuple(proposals), changed
        self._taken = {rule.rule_id for rule in rules}
        self.asked: ClassRule | None = None
        self._preview: RulePreview | None = None  # what is shown
        title = dialogs.titled(self, tr("Change rule") if changed is not None else tr("Make a rule"))
        dialogs.resize_within_screen(self, 860, 640)
        note = tr(long_text("rule_applies"))
        self.error = label(role="red", is_wrapped=True)
        self.said = label(step="strong", is_wrapped=True)
        self.table = FigureTable(tr("Preview"))
        self.classes = FigureTable(tr("Classes now and with the rule"))
        for table in (self.table, self.classes):
            table.pass_on(self.figure_opened)
        written = (self._what(), self._by_hand(), self.error)
        changes = (4, self.said, share(self.table), 8, self.classes, share(None, 0))
        buttons = self._buttons(tr("Change rule") if changed is not None else tr("Add rule"))
        head = (label(title, step="page"), label(note, role="muted", is_wrapped=True))
        column(*head, *written, *changes, buttons, on=self, margins=(20, 16, 20, 16), spacing=8)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._look)
        self._begin(changed, pool)

    def _what(self) -> QHBoxLayout:
        """The line of what a rule says: workloads like this are of that class."""
        tip = tr("Whole words that the workloads share")
        proposals = ((rule_rows.proposal_text(proposal), None) for proposal in self._proposals)
        self.likes = choice_of(tr("Workloads like this"), tip, proposals, self._take_proposal)
        self.pools = choice_of(tr("Class"), tr("Their class"), ((pool, None) for pool in POOLS))
        for at, lane in enumerate(map(lane_of, POOLS)):
            self.pools.setItemIcon(at, icon(lane.icon, lane))
        self.pools.currentIndexChanged.connect(self._look_soon)
        self.subtype = QLineEdit(placeholderText=tr("subtype: detected"))
        named(self.subtype, tr("Subtype"), tr("Such as fine-tuning; empty: detected"))
        self.subtype.setFixedWidth(160)
        self.subtype.textEdited.connect(self._look_soon)
        fields = ((title, name) for name, title in FIELD_TITLES.items())
        tip = tr("Where the words are")
        self.field = choice_of(tr("Search in"), tip, fields, self._look_soon)
        self.pattern = named(QLineEdit(), tr("Words"), numbers.capital(spoken(HELP)))
        self.pattern.textEdited.connect(self._look_soon)
        which = (label(f"{tr('Workloads')}:"), share(self.likes), self.field, share(self.pattern))
        return row(*which, label(tr("are")), self.pools, self.subtype, spacing=8)

    def _by_hand(self) -> QVBoxLayout:
        """The way to write the words of a rule, with a hint of their signs."""
        self.hand = QCheckBox(tr("Write the words myself"))
        set_tip(self.hand, tr("Change the field and words of the rule"))
        self.hand.toggled.connect(self._show_by_hand)
        self._hint = muted_label(tr(long_text("rule_pattern")))
        return column(self._hint, self.hand, spacing=4)

    def _buttons(self, verb: str) -> QHBoxLayout:
        """Cancel, and the button that keeps the rule."""
        self.accept_button = named_button(verb, tr("One undo step ({keys})", keys=ACCEPT), self._accept)
        self.accept_button.setProperty("primary", True)
        return dialogs.foot(dialogs.cancel_button(self), self.accept_button)

    # What to show

    def show_preview(self, preview: RulePreview) -> None:
        """What the rule that was asked about would change; answers to another are passed by."""
        if self.asked is None or self.asked not in preview.rules:
            return
        self._preview = preview
        self.said.setText(rule_rows.effect_sentence(preview))
        rows = rule_rows.effect_rows(preview)
        self.table.show_rows(rule_rows.EFFECT_COLUMNS, rows)
        heading = self.table.horizontalHeader().sizeHint().height()
        self.table.setMaximumHeight(heading + max(1, len(rows)) * self.table.row_height + 2)
        self.classes.show_whole(rule_rows.CLASS_COLUMNS, rule_rows.class_rows(preview))

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the preview is what it is. Errors: KeyError where it is none of its own."""
        if self._preview is None:
            raise KeyError(figure_id)
        return rule_rows.preview_trace(self._preview, figure_id)

    def rule(self) -> ClassRule:
        """The rule as it is put together now; it may not be one that can be."""
        pool = POOLS[max(0, self.pools.currentIndex())]
        pattern = self.pattern.text().strip()
        subtype = " ".join(self.subtype.text().split())
        if self._changed is not None:
            field = self.field.currentData()
            return replace(self._changed, field=field, pattern=pattern, pool=pool, subtype=subtype)
        rule_id = rule_id_for(pool, pattern, self._taken)
        return ClassRule(
            rule_id=rule_id,
            field=self.field.currentData(),
            pattern=pattern,
            pool=pool,
            subtype=subtype,
            confidence=OWN_CONFIDENCE,
            reason="",
        )

    # Inside

    def _begin(self, changed: ClassRule | None, pool: Pool) -> None:
        """Shows the rule to be changed, else the first proposal, else empty fields to write in."""
        first = changed or (self._proposals[0].rule if self._proposals else None)
        with QSignalBlocker(self.pools):
            self.pools.setCurrentIndex(POOLS.index(first.pool if first is not None else pool))
        self.hand.setVisible(bool(self._proposals))
        if first is not None:
            self._fill(first)
        self.hand.setChecked(not self._proposals)
        self._show_by_hand(not self._proposals)
        (self.likes if self._proposals else self.pattern).setFocus()
        self._look()

    def _fill(self, rule: ClassRule) -> None:
        """Puts a rule's words into the fields."""
        with QSignalBlocker(self.field):
            self.field.setCurrentIndex(list(RULE_FIELDS).index(rule.field))
        self.pattern.setText(rule.pattern)
        self.subtype.setText(rule.subtype)

    def _take_proposal(self, place: int) -> None:
        """Shows another proposal and what it would change."""
        if 0 <= place < len(self._proposals):
            self._fill(self._proposals[place].rule)
            self._look()

    def _show_by_hand(self, by_hand: bool) -> None:
        """Shows the fields to write in, or the list of proposals in their place."""
        for widget in (self.field, self.pattern, self._hint):
            widget.setVisible(by_hand)
        self.likes.setVisible(not by_hand)
        if not by_hand:
            self._take_proposal(self.likes.currentIndex())

    def _look_soon(self) -> None:
        """Looks what the rule would change once typing rests."""
        self._typing.start()

    def _look(self) -> None:
        """Ask what the rule would change, or say why it cannot be one."""
        self._typing.stop()
        rule = self.rule()
        if not rule.pattern:
            self._refuse("")
            self.said.setText(tr("Write whole words that the workloads share."))
            return
        try:
            check_rule(rule)
        except PlannerError as error:
            what, remedy = sentence(error.what), sentence(error.remedy)
            self._refuse(tr("{what}. {remedy}.", what=what, remedy=remedy))
            return
        self.error.setVisible(False)
        self.accept_button.setEnabled(True)
        set_tip(self.accept_button, tr("One undo step ({keys})", keys=ACCEPT))
        if rule != self.asked:
            self.asked = rule
            self.preview_asked.emit(rule)

    def _refuse(self, why: str) -> None:
        """Says why the rule cannot be, and shows nothing of what it would do."""
        self.asked = None
        self.error.show_text(why)
        self.accept_button.setEnabled(False)
        set_tip(self.accept_button, spoken(why) or tr("Write the words first"))
        self.said.setText("")
        for table in (self.table, self.classes):
            table.show_rows((), ())

    def _accept(self) -> None:
        """Looks once more, and keeps the rule if it can be."""
        self._look()
        if self.accept_button.isEnabled():
            self.rule_accepted.emit(self.rule())
            self.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a field looks, Ctrl+Enter accepts; a button that has the keyboard is pressed."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._accept()
            elif isinstance(focused, QPushButton):
                focused.click()
            else:
                self._look()
            return
        super().keyPressEvent(event)
