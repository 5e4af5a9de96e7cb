"""A notice above the decisions: what is so, in a few words and a sentence, and buttons for what mends it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.ui.kit.layout import STRETCH, TOP, column, placed, row, share
from gpuplanner.ui.kit.page_parts import Drawing, label, muted_label, named_button
from gpuplanner.ui.state import plan_notice
from gpuplanner.ui.words import commands

ICON_PX = 16


class NoticeBar(QWidget):
    """Told a notice, or none; emits which of its remedies is wanted."""

    plan_from_wanted = Signal(object)  # epoch seconds of the day
    plan_from_asked = Signal()  # to choose a day
    import_asked = Signal()

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Notice"))
        self.notice: plan_notice.PlanNotice | None = None  # what it says
        self._title = label(step="strong", is_wrapped=True)
        self._sentence = muted_label()
        begin = tr("For all plans; one undo step")
        self.plan = named_button(tr("Plan from today"), begin, self._want_day)
        choose = tr("Start date of plans")
        self.other = named_button(tr("Another day"), choose, self.plan_from_asked, is_link=True)
        bring = commands.with_keys(tr("Import files of another period"), "import")
        self.bring = named_button(tr("Import files"), bring, self.import_asked, is_link=True)
        buttons = row(self.plan, self.other, self.bring, STRETCH, spacing=12)
        words = column(self._title, self._sentence, 2, buttons, spacing=2)
        drawing = placed(Drawing("triangle", "amber", ICON_PX), TOP)
        row(drawing, share(words), on=self, margins=(14, 8, 12, 6), spacing=10)
        self.hide()

    def show_notice(self, notice: plan_notice.PlanNotice | None) -> None:
        """Say this, or nothing."""
        if notice == self.notice:
            return
        self.notice = notice
        if notice is not None:
            self._title.setText(spoken(notice.title))
            self._sentence.setText(spoken(notice.sentence))
            self.plan.setText(notice.day)
            self.plan.setAccessibleName(notice.day)
            self.plan.setVisible(notice.plan_from_s is not None)
            self.other.setVisible(notice.plan_from_s is not None)
            self.bring.setVisible(notice.is_apart)
            self.setAccessibleDescription(f"{notice.title}. {notice.sentence}")
        self.setVisible(notice is not None)

    def _want_day(self) -> None:
        if self.notice is not None:
            self.plan_from_wanted.emit(self.notice.plan_from_s)
