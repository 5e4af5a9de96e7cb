"""The card of waits: by pool, team, GPU model, size or hour of the week, the longest first."""

from typing import Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.figures.waiting import WITH_ROOM
from gpuplanner.domain.message import lowered, worded
from gpuplanner.domain.queue.rows import WaitsBy
from gpuplanner.domain.reports.waiting import BY_TITLES, LOG_WAITS
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.cards import TablesCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import STRETCH, add, row
from gpuplanner.ui.kit.page_parts import choice_of
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows

MOST_NAMES: Final = 8
OF_ONE_KIND: Final = replace(LOG_WAITS, columns=tuple(one for one in LOG_WAITS.columns if one.name != "by"))


class WaitsCard(TablesCard):
    """Told the log's own waits; hidden where there are none."""

    def __init__(self) -> None:
        self.limited = LimitedTable(LOG_WAITS.title)
        frame = CardFrame(tr(LOG_WAITS.title), tr("of jobs submitted in the lookback period"))
        super().__init__(frame, self.limited)
        self.waits: tuple[WaitsBy, ...] = ()
        choices = ((title, by) for by, title in BY_TITLES.items())
        self.by = choice_of(tr("By"), worded("Grouping of waits"), choices, lambda _: self._list())
        add(frame.body, row(self.by, STRETCH), self.limited, STRETCH)
        frame.hide()

    def show_state(self, shown: ViewState) -> None:
        """They are not of the audit: `show_waits` is told of them."""

    def show_waits(self, rows: tuple[WaitsBy, ...]) -> None:
        """Show them."""
        self.waits = rows
        self.frame.setVisible(bool(rows))
        with_room = next((row.waited_with_room for row in rows if row.waited_with_room is not None), None)
        self.frame.note(
            "" if with_room is None else worded("With GPUs free: {what}", what=lowered(WITH_ROOM))
        )
        self._list()

    def _list(self) -> None:
        """The names of what is chosen."""
        waits = [row for row in self.waits if row.by == self.by.currentData()]
        waits.sort(key=lambda row: 0.0 if row.by == "month" else -row.waited_gpu_hours)
        self.limited.show_rows(
            table_columns(OF_ONE_KIND), table_rows(OF_ONE_KIND, waits), MOST_NAMES, tr("more")
        )
