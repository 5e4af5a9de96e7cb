"""Class rules, in the order in which they decide; one of them; and what "Separate automatically" would move."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import by_count, sentence, set_tip, spoken, tr
from gpuplanner.domain import edits
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.own_rules import HELP, OWN_CONFIDENCE, RULE_FIELDS, check_rule
from gpuplanner.domain.demand.pools import is_in_review
from gpuplanner.domain.demand.rule_preview import RuleAmount, RulePreview, RuleProposal, rule_id_for
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import Trace, parts_of
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import whole_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, Part, column, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label, named_button, retell
from gpuplanner.ui.kit.theme import icon
from gpuplanner.ui.plans import rule_rows
from gpuplanner.ui.plans.split_dialog import MOVE, MOVES, move_trace, moves_trace
from gpuplanner.ui.state.view_state import ViewState, lane_of_card
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_rows, written
from gpuplanner.ui.tables.figure_table import ROW_HEIGHT, FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import ACCEPT
from gpuplanner.ui.words.glossary import Lane, lane_of

# --- Class rules: the planner's own in the order in which they decide, and what each does; the shipped ones to read

NO_RULES = worded("No rules yet. Add or import one, or use a card in Review.")
_NEEDS_ROW = ("change", "remove", "up", "down")


class RulesDialog(dialogs.AnsweringDialog):
    """Told a project and amounts; emits what is to be done, which stays an undo step each."""

    add_asked = Signal()
    change_asked = Signal(str)  # rule_id
    remove_asked = Signal(str)
    move_asked = Signal(str, int)  # places
    import_asked = Signal()
    export_asked = Signal()

    def __init__(self, project: Project, shipped: Sequence[ClassRule], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project, self._shipped = project, tuple(shipped)
        self._amounts: dict[str, RuleAmount] = {}
        heading = label(dialogs.titled(self, tr("Class rules")), step="page")
        dialogs.resize_within_screen(self, 860, 560)
        note = tr(long_text("rules_order"))
        self.table = FigureTable(tr("Class rules"))
        self.table.setSelectionMode(self.table.SelectionMode.SingleSelection)
        self.table.pass_on(self.figure_opened)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._enable())
        self.table.doubleClicked.connect(lambda _: self._ask(self.change_asked))
        self._empty = label(tr(NO_RULES), role="muted", is_wrapped=True)
        self.said = label(role="muted", is_wrapped=True)
        self.all = QCheckBox(tr("Show shipped rules too"))
        set_tip(self.all, tr("Read-only; yours come first"))
        self.all.toggled.connect(lambda _: self._show())
        bottom = row(self.all, 12, share(self.said), dialogs.close_button(self))
        head = (heading, label(note, role="muted", is_wrapped=True), self._tools(), self._empty)
        column(*head, share(self.table), bottom, on=self, margins=(20, 16, 20, 16), spacing=8)
        self._show()
        (self.table if project.rules else self.buttons["add"]).setFocus()

    def _tools(self) -> QHBoxLayout:
        """The buttons above the list."""
        parts: list[Part] = []
        self.buttons: dict[str, QPushButton] = {}
        self._tips: dict[str, str] = {}
        for name, text, tip, pressed in (
            ("add", tr("Add\u2026"), tr("With a preview (Insert)"), self.add_asked),
            ("change", tr("Edit\u2026"), tr("Change rule (Enter)"), lambda: self._ask(self.change_asked)),
            ("remove", tr("Remove"), tr("Remove rule (Delete)"), lambda: self._ask(self.remove_asked)),
            ("up", tr("Move up"), tr("Before the rule above (Alt+Up)"), lambda: self._move(-1)),
            ("down", tr("Move down"), tr("After the rule below (Alt+Down)"), lambda: self._move(1)),
            ("import", tr("Import\u2026"), tr("From an exported CSV file"), self.import_asked),
            ("export", tr("Export\u2026"), tr("As a CSV file"), self.export_asked),
        ):
            self._tips[name] = tip
            self.buttons[name] = named_button(text, does=pressed, called=text.rstrip("\u2026"))
            parts += (self.buttons[name], 10 if name in ("remove", "down") else None)
        return row(*parts, STRETCH, spacing=6)

    # What to show

    def show_project(self, project: Project) -> None:
        """Other rules, or another log; what each decides comes with `show_amounts`."""
        self._project = project
        self._show()

    def show_amounts(self, amounts: Sequence[RuleAmount]) -> None:
        """What each rule decides."""
        self._amounts = {amount.rule_id: amount for amount in amounts}
        self._show()

    def say(self, text: str) -> None:
        """What was just done."""
        self.said.setText(spoken(text))

    @property
    def selected(self) -> str:
        """The id of the selected rule of the planner's own; empty where there is none."""
        index = self.table.currentIndex()
        return self.table.row_at(index.row()).key if index.isValid() else ""

    def select(self, rule_id: str) -> None:
        """Select a rule."""
        for place, rule in enumerate(self._project.rules):
            if rule.rule_id == rule_id:
                self.table.selectRow(place)

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of a rule is what it is. Errors: KeyError where it is none of the list."""
        return rule_rows.rule_trace(self._amounts[parts_of(figure_id)[2]], figure_id)

    # Inside

    def _show(self) -> None:
        """Shows the rules, the shipped ones below if wished; selection and place stay."""
        selected, place = self.selected, self.table.currentIndex().row()
        rules = self._project.rules
        rows = rule_rows.rule_rows(rules, self._amounts)
        if self.all.isChecked():
            shipped = Cell(text=tr("Shipped rules; the surest decides"), role="muted")
            rows.append(Row((Cell(), shipped, *(Cell() for _ in rule_rows.RULE_COLUMNS[2:]))))
            rows += rule_rows.rule_rows(self._shipped, {}, is_shipped=True)
        self.table.show_rows(rule_rows.RULE_COLUMNS, rows)
        self._empty.setVisible(not rules)
        ids = [rule.rule_id for rule in rules]
        if selected in ids:
            self.select(selected)
        elif ids:
            self.table.selectRow(min(max(place, 0), len(ids) - 1))
        self._enable()

    def _enable(self) -> None:
        """Lets each button be pressed, or says in its tip why not."""
        rule_id, ids = self.selected, [rule.rule_id for rule in self._project.rules]
        refused = {} if rule_id else dict.fromkeys(_NEEDS_ROW, tr("Select a rule first"))
        if rule_id and rule_id == ids[0]:
            refused["up"] = tr("Already the first")
        if rule_id and rule_id == ids[-1]:
            refused["down"] = tr("Already the last")
        if not ids:
            refused["export"] = tr("No rules to export")
        for name, button in self.buttons.items():
            button.setEnabled(name not in refused)
            set_tip(button, refused.get(name, self._tips[name]))

    def _ask(self, asked: SignalInstance) -> None:
        """Asks something of the selected rule."""
        if self.selected:
            asked.emit(self.selected)

    def _move(self, places: int) -> None:
        """Asks for the selected rule to go up or down."""
        if self.selected:
            self.move_asked.emit(self.selected, places)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the buttons; Enter never closes."""
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if isinstance(focused, QPushButton):
                focused.click()
            else:
                self._ask(self.change_asked)
        elif event.key() == Qt.Key.Key_Delete:
            self._ask(self.remove_asked)
        elif event.key() == Qt.Key.Key_Insert:
            self.add_asked.emit()
        elif event.key() in moves and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._move(moves[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


# --- One class rule: what it looks for, what it says, and what it would change, before it is applied

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
        self._asked: ClassRule | None = None
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
        if self._asked is None or self._asked not in preview.rules:
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
        if rule != self._asked:
            self._asked = rule
            self.preview_asked.emit(rule)

    def _refuse(self, why: str) -> None:
        """Says why the rule cannot be, and shows nothing of what it would do."""
        self._asked = None
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


# --- What "Separate automatically" would move, and why: worked out before it is done -------------


@dataclass(frozen=True, slots=True)
class SeparationMove:
    """One card that would go to another column."""

    card: CardFigures
    origin: Lane
    target: Lane
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class Separation:
    """All moves, most expensive first; and how many cards stay: unsure ones in review, pinned ones, parts."""

    moves: tuple[SeparationMove, ...]
    in_review: int
    pinned: int
    parts: int


def separation_of(shown: ViewState, found: Mapping[str, Classification]) -> Separation:
    """What the edit of that name would change on the board that is shown. found: classes by key, of the audit."""
    evaluation = shown.evaluation
    basis = evaluation.figures.basis
    before = basis.plan
    project = edits.workloads.separate_automatically(evaluation.project, before.name, found)
    plan, usd = project.scenario(before.name), shown.usd
    moves = []
    for card, begin in zip(shown.cards, basis.begin, strict=True):
        if plan.pools.get(card.key) is before.pools.get(card.key):
            continue
        origin = lane_of_card(card)
        waits = is_in_review(card.key, card.classification, plan, basis.review_below)
        target = Lane.REVIEW if waits else lane_of(plan.pools.get(card.key, begin))
        if target is not origin:
            moves.append(SeparationMove(card, origin, target, usd.get(card.key)))
    moves.sort(key=lambda move: (-(move.usd_per_month or 0.0), move.card.key))
    moved = {move.card.key for move in moves}
    stay = [card for card in shown.cards if card.key not in moved]
    return Separation(
        tuple(moves),
        sum(card.in_review for card in stay),
        sum(card.is_pinned for card in stay),
        sum(bool(before.splits) and whole_key(card.key, before.splits) != card.key for card in stay),
    )


def reason_of(card: CardFigures) -> str:
    """Why a card is put where it goes: its class and what tells it most."""
    found = card.classification
    reason = found.reasons[0] if found.reasons else tr("no better class")
    percent = round(100 * found.confidence)
    return tr("{percent}% {pool}: {reason}", percent=percent, pool=found.pool, reason=reason)


def stays_words(separation: Separation) -> str:
    """What stays where it is: 3 unsure in review, 2 pinned, 2 parts of divided workloads. Empty where nothing does."""
    parts = (
        (separation.in_review, tr("unsure, in review")),
        (separation.pinned, tr("pinned")),
        (separation.parts, tr("parts of divided workloads")),
    )
    said = ", ".join(f"{numbers.whole(count)} {words}" for count, words in parts if count)
    return tr("These do not move: {said}.", said=said) if said else ""


# --- Before "Separate automatically": a list of what moves and why; then one step of Undo --------

AROUND_PX: Final = 190
"""Title, sentence, headings and buttons of the dialog."""


class SeparationDialog(dialogs.AnsweringDialog):
    """Told what would move; emits that it is to be done."""

    confirmed = Signal()

    def __init__(self, separation: Separation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        count, stays = len(separation.moves), stays_words(separation)
        workloads = numbers.counted(count, "workload")
        sentence = tr("All movable cards are in their class's pool. {separation}", separation=stays)
        if count:
            sentence = by_count(
                count,
                "{workloads} goes to the pool of its class. {separation}",
                "{workloads} go to the pool of their class. {separation}",
                workloads=workloads,
                separation=stays,
            )
        title, self.said = dialogs.title_and_note(
            dialogs.titled(self, tr("Separate automatically")), sentence
        )
        self._moves = separation.moves
        self.table = FigureTable(tr("What moves"))
        self.table.pass_on(self.figure_opened)
        self.table.show_rows(*_table(separation.moves))
        verb = tr("Separate {workloads}", workloads=workloads) if count else tr("Close")
        self.do = dialogs.primary_button(verb, self._go_on if count else self.reject)
        set_tip(self.do, tr("One undo step (Enter)") if count else tr("Nothing to do (Enter)"))
        cancel = dialogs.cancel_button(self)
        cancel.setVisible(bool(count))
        self.table.setVisible(bool(count))
        self.net = label(tr("Whole plan: calculating"), role="muted")
        self.net.setVisible(bool(count))
        last = row(self.net, STRETCH, cancel, self.do, spacing=8)
        dialogs.dialog_column(self, title, self.said, share(self.table), last)
        high = min(520, AROUND_PX + ROW_HEIGHT * (count + 2)) if count else 150
        dialogs.resize_within_screen(self, 860, high)
        self.do.setFocus()

    def show_net(self, change: HoverChange) -> None:
        """What all the moves change of the whole plan, then of each pool: the $ of the list only go along."""
        of_pools = numbers.MIDDOT.join(
            f"{lane_of(pool).title} {numbers.change(usd)}"
            for pool, usd in change.pools.items()
            if usd is not None and round(usd)
        )
        usd, time = change.per_period(worded(" per month"))
        if usd is None:
            return self.net.setText(tr("Whole plan: cost unknown"))
        net = f"{tr('Whole plan')} {numbers.dollar_change(usd)}{tr(time)}"
        retell(self.net, f"{net} ({of_pools})" if of_pools else net, "green" if round(usd) < 0 else "text")

    def _go_on(self) -> None:
        """Closes, then says that the moves are wanted."""
        self.accept()
        self.confirmed.emit()

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the list is what it is. Errors: KeyError where it is none of it."""
        kind, _, key = parts_of(figure_id)
        moves = self._moves
        if kind == MOVES:
            return moves_trace([(move.card, move.usd_per_month) for move in moves])
        for move, usd in zip(moves, _written(moves), strict=True):
            if kind == MOVE and move.card.key == key:
                return move_trace(move.card, move.usd_per_month, usd)
        raise KeyError(figure_id)


def _written(moves: tuple[SeparationMove, ...]) -> list[int | None]:
    """Whole dollars of the moves that add up to their sum."""
    usd = [move.usd_per_month for move in moves]
    return largest_remainder(usd, known_sum(usd))


def _table(moves: tuple[SeparationMove, ...]) -> tuple[Sequence[Column], list[Row]]:
    """The columns; the moves, and their sum: whole dollars that add up."""
    names = told_apart([move.card for move in moves])
    usd = dict(zip((move.card.key for move in moves), _written(moves), strict=True))
    columns: tuple[Filled[SeparationMove], ...] = (
        Filled(
            title="Workload",
            is_figure=False,
            width=210,
            cell=lambda move: Cell(text=names[move.card.key], tip=move.card.key),
        ),
        Filled(title="From", is_figure=False, width=104, cell=lambda move: _lane_cell(move.origin)),
        Filled(title="To", is_figure=False, width=104, cell=lambda move: _lane_cell(move.target)),
        Filled(title="Why", is_figure=False, is_cut_at_end=True, cell=_why_cell),
        Filled(
            title="$\nper month",
            is_figure=True,
            width=84,
            cell=lambda one: _usd_cell(usd[one.card.key], MOVE, one.card.key),
        ),
    )
    rows = filled_rows(columns, moves, lambda move: move.card.key)
    if len(rows) > 1:
        total = known_sum([move.usd_per_month for move in moves])
        cells = (Cell(text=tr("Together")), Cell(), Cell(), Cell(), _usd_cell(total, MOVES))
        rows.append(Row(cells, is_total=True))
    return columns, rows


def _lane_cell(lane: Lane) -> Cell:
    return Cell(text=lane.title, icon=lane.icon, icon_role=lane.value)


def _why_cell(move: SeparationMove) -> Cell:
    reasons = map(spoken, move.card.classification.reasons)
    return Cell(text=reason_of(move.card), role="muted", tip="\n".join(reasons))


def _usd_cell(usd: float | None, kind: str, key: str = "") -> Cell:
    return written(numbers.whole, usd, figure_id=asked(usd, kind, key))
