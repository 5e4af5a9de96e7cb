"""One class rule: what it looks for, what it says, and what it would change, before it is applied."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRect, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import Trace
from gpuplanner.domain.demand.own_rules import OWN_CONFIDENCE, RULE_FIELDS, check_rule
from gpuplanner.domain.demand.rule_pattern import HELP
from gpuplanner.domain.demand.rule_preview import RulePreview
from gpuplanner.domain.demand.rule_proposals import RuleProposal, rule_id_for
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.ui.kit.dialogs import cancel_button, foot, resize_within_screen
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.rules.rows import (
    CLASS_COLUMNS,
    EFFECT_COLUMNS,
    class_rows,
    effect_rows,
    effect_sentence,
    proposal_text,
)
from gpuplanner.ui.rules.traces import preview_trace
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import ACCEPT
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import sentence, spoken, tr

TYPING_PAUSE_MS = 250
FIELD_TITLES = {"name": worded("Names with"), "queue": worded("Queue"), "owner": worded("Owner")}


class RuleDialog(QDialog):
    """Told proposals, or a rule to change; asks for previews and is told them; emits the rule that was accepted."""

    preview_asked = Signal(object)  # ClassRule
    rule_accepted = Signal(object)  # ClassRule
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(
        self,
        proposals: Sequence[RuleProposal],
        rules: Sequence[ClassRule],
        palette: Palette,
        parent: QWidget | None = None,
        changed: ClassRule | None = None,
        pool: Pool = Pool.TRAINING,
    ) -> None:
        super().__init__(parent)
        self._proposals, self._changed = tuple(proposals), changed
        self._taken = {rule.rule_id for rule in rules}
        self._asked: ClassRule | None = None
        self._preview: RulePreview | None = None  # what is shown
        title = tr("Change a rule") if changed is not None else tr("Make a rule")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        resize_within_screen(self, 860, 640)
        heading = PlainLabel(spoken(title))
        heading.setFont(font("page"))
        note = PlainLabel(
            tr(
                "It holds in all plans and for logs imported later. Labels stand above it, the shipped rules below. "
                "Cards that you placed stay in their pools."
            )
        )
        note.setProperty("role", "muted")
        note.setWordWrap(True)
        self.error = PlainLabel()
        self.error.setProperty("role", "red")
        self.error.setWordWrap(True)
        self.said = PlainLabel()
        self.said.setFont(font("strong"))
        self.said.setWordWrap(True)
        self.table = FigureTable(tr("What it would change"), palette)
        self.classes = FigureTable(tr("Classes now and with the rule"), palette)
        for table in (self.table, self.classes):
            table.figure_opened.connect(partial(self._ask_why, table))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(heading)
        layout.addWidget(note)
        layout.addLayout(self._what(palette))
        layout.addLayout(self._by_hand())
        layout.addWidget(self.error)
        layout.addSpacing(4)
        layout.addWidget(self.said)
        layout.addWidget(self.table, 1)
        layout.addSpacing(8)
        layout.addWidget(self.classes)
        layout.addStretch(0)
        layout.addLayout(self._buttons(tr("Change rule") if changed is not None else tr("Add rule")))
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._look)
        self._begin(changed, pool)

    def _what(self, palette: Palette) -> QHBoxLayout:
        """The line of what a rule says: workloads like this are of that class."""
        self.likes = QComboBox()
        self.likes.setAccessibleName(tr("Workloads like this"))
        set_tip(self.likes, tr("What the workloads have in common; all are found as whole words"))
        for proposal in self._proposals:
            self.likes.addItem(proposal_text(proposal))
        self.likes.currentIndexChanged.connect(self._take_proposal)
        self.pools = QComboBox()
        self.pools.setAccessibleName(tr("Class"))
        set_tip(self.pools, tr("What they are"))
        for pool in POOLS:
            self.pools.addItem(icon(lane_of(pool).icon, palette.lane(lane_of(pool))), tr(pool))
        self.pools.currentIndexChanged.connect(self._look_soon)
        self.subtype = QLineEdit()
        self.subtype.setAccessibleName(tr("Subtype"))
        self.subtype.setPlaceholderText(tr("subtype: worked out"))
        set_tip(self.subtype, tr("Such as fine-tuning; left empty, it is worked out"))
        self.subtype.setFixedWidth(160)
        self.subtype.textEdited.connect(self._look_soon)
        self.field = QComboBox()
        self.field.setAccessibleName(tr("Where it looks"))
        set_tip(self.field, tr("Where the words are looked for"))
        for name, title in FIELD_TITLES.items():
            self.field.addItem(spoken(title), name)
        self.field.currentIndexChanged.connect(self._look_soon)
        self.pattern = QLineEdit()
        self.pattern.setAccessibleName(tr("Words"))
        set_tip(self.pattern, numbers.capital(spoken(HELP)))
        self.pattern.textEdited.connect(self._look_soon)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(PlainLabel(tr("Workloads:")))
        row.addWidget(self.likes, 1)
        row.addWidget(self.field)
        row.addWidget(self.pattern, 1)
        row.addWidget(PlainLabel(tr("are")))
        row.addWidget(self.pools)
        row.addWidget(self.subtype)
        return row

    def _by_hand(self) -> QVBoxLayout:
        """The way to write the words of a rule, with a hint of their signs."""
        self.hand = QCheckBox(tr("Write the words myself"))
        set_tip(self.hand, tr("Change where the rule looks and for which words"))
        self.hand.toggled.connect(self._show_by_hand)
        self._hint = PlainLabel(
            tr(
                "rollout|replay: one or the other.  rollouts?: with or without the s.  roll*: any ending.  "
                "Whole words; case and signs do not matter, digits only in queues and owners."
            )
        )
        self._hint.setFont(font("small"))
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self._hint)
        column.addWidget(self.hand)
        return column

    def _buttons(self, verb: str) -> QHBoxLayout:
        """Cancel, and the button that keeps the rule."""
        self.accept_button = QPushButton(spoken(verb))
        self.accept_button.setAccessibleName(spoken(verb))
        set_tip(self.accept_button, tr("One undo step ({keys})", keys=ACCEPT))
        self.accept_button.setProperty("primary", True)
        self.accept_button.setAutoDefault(False)
        self.accept_button.clicked.connect(self._accept)
        return foot(cancel_button(self, tr("Change nothing (Esc)")), self.accept_button)

    # What to show

    def show_preview(self, preview: RulePreview) -> None:
        """What the rule that was asked about would change; answers to another are passed by."""
        if self._asked is None or self._asked not in preview.rules:
            return
        self._preview = preview
        self.said.setText(effect_sentence(preview))
        rows = effect_rows(preview)
        self.table.show_rows(EFFECT_COLUMNS, rows)
        heading = self.table.horizontalHeader().sizeHint().height()
        self.table.setMaximumHeight(heading + max(1, len(rows)) * self.table.row_height + 2)
        self.classes.show_rows(CLASS_COLUMNS, class_rows(preview))
        self.classes.fit_height()

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the preview is what it is. Errors: KeyError where it is none of its own."""
        if self._preview is None:
            raise KeyError(figure_id)
        return preview_trace(self._preview, figure_id)

    def _ask_why(self, table: FigureTable, figure_id: str, place: QRect) -> None:
        """Passes a question about a figure on."""
        self.figure_opened.emit(figure_id, table, place)

    def rule(self) -> ClassRule:
        """The rule as it is put together now; it may not be one that can be."""
        pool = POOLS[max(0, self.pools.currentIndex())]
        pattern = self.pattern.text().strip()
        subtype = " ".join(self.subtype.text().split())
        if self._changed is not None:
            field = self.field.currentData()
            return replace(self._changed, field=field, pattern=pattern, pool=pool, subtype=subtype)
        rule_id = rule_id_for(pool, pattern, self._taken)
        return ClassRule(rule_id, self.field.currentData(), pattern, pool, subtype, OWN_CONFIDENCE, "")

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
        is_blank = not rule.pattern
        try:
            if not is_blank:
                check_rule(rule)
        except PlannerError as error:
            self._refuse(
                tr(
                    "{what}. {remedy}.",
                    what=sentence(error.what),
                    remedy=sentence(error.remedy),
                )
            )
            return
        self.error.setVisible(False)
        if is_blank:
            self._refuse("")
            self.said.setText(tr("Write the words that the workloads have in common."))
            return
        self.accept_button.setEnabled(True)
        set_tip(self.accept_button, tr("One undo step ({keys})", keys=ACCEPT))
        if rule != self._asked:
            self._asked = rule
            self.preview_asked.emit(rule)

    def _refuse(self, why: str) -> None:
        """Says why the rule cannot be, and shows nothing of what it would do."""
        self._asked = None
        self.error.setText(spoken(why))
        self.error.setVisible(bool(why))
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
