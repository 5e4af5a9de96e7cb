"""Review of a class: the keys that decide it, its reasons, and the offer to make a rule."""

from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import on_button
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, TOP, box, column, named, placed, row, share
from gpuplanner.ui.kit.page_parts import Drawing, label, named_button, tool_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.lanes import lane_of

# --- Under the cards of Review: what a key says a workload is, as buttons, and why it is asked ---

DECISION_KEYS: Final = {Qt.Key.Key_T: Pool.TRAINING, Qt.Key.Key_I: Pool.INFERENCE, Qt.Key.Key_B: Pool.BURST}
"""In Review a key says what a workload is."""


def key_of_pool(pool: Pool) -> str:
    """The letter of a pool."""
    return pool.value[0].upper()


def decision_name(pool: Pool) -> str:
    """Training (T)."""
    return tr("{name} ({note})", name=lane_of(pool).title, note=key_of_pool(pool))


def decision_tip(pool: Pool) -> str:
    """What a decision does, and what dragging does."""
    return tr(long_text("label_cards", pool=pool, pool_2=key_of_pool(pool)))


LEAST_PX: Final = 34
"""So narrow may the button of a pool be."""


class ReviewFoot(QFrame):
    """Three decisions and a question; told nothing but colours."""

    decided = Signal(object)  # Pool
    why_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("What is it?"), look="foot")
        self.buttons = {pool: self._decision(pool) for pool in POOLS}
        why = tr("Reasons and other possible classes (Enter)")
        self.why = self._button("?", tr("Why?"), why)
        self.why.setMinimumWidth(self.why.sizeHint().width())  # where it is narrow the pools give way
        self.why.clicked.connect(self.why_asked)
        row(*self.buttons.values(), STRETCH, self.why, on=self, margins=(6, 6, 6, 6), spacing=3)

    def _decision(self, pool: Pool) -> QToolButton:
        """The button of a pool: its icon and its letter."""
        button = self._button(key_of_pool(pool), decision_name(pool), decision_tip(pool))
        button.setIcon(icon(lane_of(pool).icon, lane_of(pool)))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setMinimumWidth(LEAST_PX)
        button.clicked.connect(lambda: self.decided.emit(pool))
        return button

    def _button(self, text: str, name: str, tip: str) -> QToolButton:
        """A framed button that leaves the keyboard with the cards when it is clicked."""
        button = named(tool_button(name, tip, px=14), step="body")
        button.setText(text)
        button.setProperty("framed", True)
        button.setProperty("dense", True)
        return button


# --- Why a workload is taken for what it is: three reasons and the runner-up, beside its card, with the decisions

REVIEW_WIDTH = 388
MARGIN = 8


class ReviewWhy(QFrame):
    """Told a card and where it is; T, I and B decide here too. Gives the keyboard back when closed."""

    decided = Signal(object)  # Pool
    rule_asked = Signal()
    jobs_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        named(self, tr("Why this class?"), look="popover")
        self._origin: QWidget | None = None
        self.setFixedWidth(text_px(REVIEW_WIDTH))
        self._name, self._where = label(step="title"), label(step="small", role="muted")
        self._icon = Drawing()
        self.decision, self.other = label(step="strong"), label(step="body", role="muted")
        self.reasons = [label(step="body", is_wrapped=True) for _ in range(3)]
        self._close = tool_button(tr("Close"), tr("Close (Esc)"), self.close, drawing="close")
        found = row(self._icon, self.decision, self.other, STRETCH, spacing=6)
        reasons = column(found, *self.reasons, margins=(12, 8, 12, 8), spacing=4)
        names = row(share(column(self._name, self._where, spacing=2)), placed(self._close, TOP))
        body = column(names, box("box", reasons, QFrame()), margins=(16, 12, 16, 12), spacing=10)
        column(body, self._foot(), on=self, margins=1, spacing=0)

    def _foot(self) -> QFrame:
        """The decisions as buttons, each with its key, and the ways on to a rule and to the jobs."""
        self._decisions = {
            pool: named_button(
                key_of_pool(pool),
                decision_tip(pool),
                lambda _=False, pool=pool: self._decide(pool),
                called=decision_name(pool),
                drawn=icon(lane_of(pool).icon, lane_of(pool)),
            )
            for pool in POOLS
        }
        words, tip = tr("Make a rule\u2026"), with_keys(tr("Rule for all names like this"), "make_rule")
        called = words.rstrip("\u2026")
        rule = named_button(words, tip, lambda: self._ask(self.rule_asked), called=called)
        tip = with_keys(tr("Jobs of the card"), "jobs")
        jobs = named_button(tr("Show jobs"), tip, lambda: self._ask(self.jobs_asked))
        foot = row(*self._decisions.values(), STRETCH, rule, jobs, margins=(12, 8, 12, 8), spacing=6)
        return box("popover_foot", foot, QFrame())

    def show_card(
        self, card: CardFigures, usd: float | None, origin: QWidget, place: QRect, more: int = 0
    ) -> None:
        """Open beside a card; place: its rectangle in `origin`; more: other cards that are selected with it."""
        self._origin = origin
        found = card.classification
        lane = lane_of(found.pool)
        self._name.setText(
            tr("{name} and {names} more", name=card.name, names=numbers.whole(more)) if more else card.name
        )
        self._where.setText(
            tr(
                "{cluster} \u00b7 {owner} \u00b7 {usd} and {gpu_hours_per_month} GPU-h per month",
                cluster=card.cluster,
                owner=card.owner or tr("no owner"),
                usd=numbers.dollars(usd),
                gpu_hours_per_month=numbers.whole(card.gpu_hours_per_month),
            )
        )
        self._icon.show_drawing(lane.icon, lane)
        sure = numbers.whole_percent(found.confidence)
        self.decision.setText(f"{lane.title}{'?' if card.in_review else ''} {sure}")
        other = tr(found.subtype)
        if found.runner_up is not None:
            other = tr("{subtype}, else {runner_up}", subtype=other, runner_up=found.runner_up)
        self.other.setText(other)
        for line, reason in zip(self.reasons, (*found.reasons, "", "", ""), strict=False):
            line.setText(f"\u2022 {spoken(reason)}")
            line.setVisible(bool(reason))
        self.adjustSize()
        corner = origin.mapToGlobal(QPoint(place.left(), place.bottom() + 4))
        window, screen = origin.window(), origin.screen().availableGeometry()
        right = window.mapToGlobal(QPoint(window.width() - self.width() - MARGIN, 0)).x()
        lowest = screen.bottom() - MARGIN - self.height()
        self.move(max(screen.left(), min(corner.x(), right)), min(corner.y(), lowest))
        self.show()
        self._decisions[found.pool].setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key of a class decides; Return presses the button that has the keyboard."""
        if (pool := DECISION_KEYS.get(Qt.Key(event.key()))) is not None and not event.modifiers():
            self._decide(pool)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if isinstance(focused, QPushButton | QToolButton):
                focused.click()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Gives the keyboard back to whoever asked."""
        super().hideEvent(event)
        if self._origin is not None:
            self._origin.setFocus(Qt.FocusReason.PopupFocusReason)

    def _decide(self, pool: object) -> None:
        """Closes and says which class it is."""
        self.close()
        self.decided.emit(pool)

    def _ask(self, asked: SignalInstance) -> None:
        """Closes and passes a question on."""
        self.close()
        asked.emit()


# --- After a decision: a bar that says what was done and offers to make it a rule. It asks nothing and takes no key


class RuleOffer(QFrame):
    """Told two sentences; hidden until then."""

    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Offer"), look="foot")
        self._done = label(role="muted")
        tip = with_keys(tr("Preview the change"), "make_rule")
        self.take = named_button("", tip, self.taken, called=tr("Make this a rule"), is_link=True)
        self.take.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        closes = tr("Close; also under Edit, Make a rule")
        self.dismiss = tool_button(tr("Close"), closes, self.hide, 14, drawing="close")
        row(self._done, self.take, STRETCH, self.dismiss, on=self, margins=(12, 3, 9, 3), spacing=8)
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return f"{self._done.text()} {self.take.text()}"

    def show_offer(self, done: str, offer: str) -> None:
        """What was done, and what may follow from it."""
        self._done.setText(spoken(done))
        self.take.setText(on_button(offer))
        self.take.setAccessibleName(f"{done} {offer}")
        self.show()
