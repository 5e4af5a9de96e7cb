"""Why a workload is taken for what it is: three reasons and the runner-up, beside its card, with the decisions."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.ui.board.review_foot import DECISION_KEYS, decision_tip, key_of_pool
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr

WIDTH = 388
MARGIN = 8


class ReviewWhy(QFrame):
    """Told a card and where it is; T, I and B decide here too. Gives the keyboard back when closed."""

    decided = Signal(object)  # Pool
    rule_asked = Signal()
    jobs_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("popover")
        self.setAccessibleName(tr("Why this class?"))
        self._palette = palette
        self._origin: QWidget | None = None
        self.setFixedWidth(WIDTH)
        self._name, self._where = _label("", "title"), _label("", "small", "muted")
        self._icon = PlainLabel()
        self._found, self._other = _label("", "strong"), _label("", "body", "muted")
        self._reasons = [_label("", "body") for _ in range(3)]
        self._close = QToolButton()
        self._close.setAccessibleName(tr("Close"))
        set_tip(self._close, tr("Close (Esc)"))
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self.close)
        head = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._name)
        words.addWidget(self._where)
        head.addLayout(words, 1)
        head.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        found = QHBoxLayout()
        found.setSpacing(6)
        found.addWidget(self._icon)
        found.addWidget(self._found)
        found.addWidget(self._other)
        found.addStretch(1)
        box = QFrame()
        box.setObjectName("box")
        inside = QVBoxLayout(box)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.setSpacing(4)
        inside.addLayout(found)
        for label in self._reasons:
            inside.addWidget(label)
        body = QVBoxLayout()
        body.setContentsMargins(16, 12, 16, 12)
        body.setSpacing(10)
        body.addLayout(head)
        body.addWidget(box)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addLayout(body)
        layout.addWidget(self._foot())
        self.show_palette(palette)

    def _foot(self) -> QFrame:
        """The decisions as buttons, each with its key, and the ways on to a rule and to the jobs."""
        foot = QFrame()
        foot.setObjectName("popover_foot")
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(6)
        self._decisions = {}
        for pool in POOLS:
            button = _button(
                key_of_pool(pool),
                tr("{pool} ({pool_2})", pool=lane_of(pool).title, pool_2=key_of_pool(pool)),
                decision_tip(pool),
            )
            button.clicked.connect(lambda _=False, pool=pool: self._decide(pool))
            self._decisions[pool] = button
            row.addWidget(button)
        row.addStretch(1)
        for text, tip, asked in (
            (
                tr("Make a rule\u2026"),
                with_keys(tr("Say so of every name like this"), "make_rule"),
                self.rule_asked,
            ),
            (tr("Show jobs"), with_keys(tr("The jobs behind the card"), "jobs"), self.jobs_asked),
        ):
            button = _button(text, text.rstrip("\u2026"), tip)
            button.clicked.connect(lambda _=False, asked=asked: self._ask(asked))
            row.addWidget(button)
        return foot

    def show_card(
        self, card: CardFigures, usd: float | None, origin: QWidget, place: QRect, more: int = 0
    ) -> None:
        """Open beside a card; place: its rectangle in `origin`; more: other cards that are selected with it."""
        self._origin = origin
        found = card.classification
        lane = lane_of(found.pool)
        self._name.setText(
            card.name + (tr(" and {more} more selected", more=numbers.whole(more)) if more else "")
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
        self._icon.setPixmap(icon(lane.icon, self._palette.lane(lane)).pixmap(16, 16))
        sure = numbers.whole_percent(found.confidence)
        self._found.setText(f"{lane.title}{'?' if card.in_review else ''} {sure}")
        other = "" if found.runner_up is None else tr(", else {runner_up}", runner_up=found.runner_up)
        self._other.setText(f"{tr(found.subtype)}{other}")
        for label, reason in zip(self._reasons, (*found.reasons, "", "", ""), strict=False):
            label.setText(f"\u2022 {spoken(reason)}")
            label.setVisible(bool(reason))
        self.adjustSize()
        corner = origin.mapToGlobal(QPoint(place.left(), place.bottom() + 4))
        window, screen = origin.window(), origin.screen().availableGeometry()
        right = window.mapToGlobal(QPoint(window.width() - self.width() - MARGIN, 0)).x()
        lowest = screen.bottom() - MARGIN - self.height()
        self.move(max(screen.left(), min(corner.x(), right)), min(corner.y(), lowest))
        self.show()
        self._decisions[found.pool].setFocus(Qt.FocusReason.PopupFocusReason)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self._close.setIcon(icon("close", palette.muted))
        for pool, button in self._decisions.items():
            lane = lane_of(pool)
            button.setIcon(icon(lane.icon, palette.lane(lane)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key of a class decides; Return presses the button that has the keyboard."""
        pool = DECISION_KEYS.get(Qt.Key(event.key()))
        if pool is not None and not event.modifiers():
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


def _button(text: str, name: str, tip: str) -> QPushButton:
    button = QPushButton(spoken(text))
    button.setAccessibleName(spoken(name))
    set_tip(button, spoken(tip))
    return button


def _label(text: str, step: str, role: str = "") -> QLabel:
    label = PlainLabel(spoken(text))
    label.setFont(font(step))
    label.setWordWrap(step == "body" and not role)
    if role:
        label.setProperty("role", role)
    return label
