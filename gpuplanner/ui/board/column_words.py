"""What the board says in a column: in place of cards, in the slot under a card that hovers, and why none may land."""

from gpuplanner.charts.kit.plain_text import Markup, escaped
from gpuplanner.domain.message import lowered
from gpuplanner.domain.model.pool import Pool
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.model import Slot
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane, lane_of
from gpuplanner.ui.words.translation import tr

NARROW_PX = 260
"""Under this width a slot says /month."""


def slot_of(pool: Pool, change: HoverChange, width: int) -> Slot:
    """What a drop on a pool would change: the whole plan, then each pool, this one first."""
    changed = [
        (other, amount) for other, amount in change.pools.items() if amount is not None and round(amount)
    ]
    changed.sort(key=lambda item: (item[0] is not pool, -abs(item[1])))
    details = tuple((lane_of(other), numbers.change(amount)) for other, amount in changed)
    title = tr("Whole plan") if change.total is not None else tr("Cost unknown")
    unit = tr("/month") if width < NARROW_PX else tr(" per month")
    amount = "" if change.total is None else f"{numbers.dollar_change(change.total)}{unit}"
    saving = change.total is not None and round(change.total) < 0
    return Slot(title, amount, saving, details)


def refusal_of(lane: Lane, is_read_only: bool) -> str:
    """Why cards may not be dropped on a column; empty where they may."""
    if is_read_only:
        return tr("Today is the past: open a plan to move cards")
    return tr("Review is for what is not decided: drop on a pool") if lane is Lane.REVIEW else ""


def empty_words(lane: Lane, shown: ViewState, view: BoardView) -> str | Markup:
    """What stands in a column without cards; may hold one link."""
    if not shown.cards:
        return Markup(tr("No jobs yet. <a href='#'>Import a job log</a>")) if lane is Lane.TRAINING else ""
    if view.is_filtered:
        searched = view.search.strip()
        quoted = escaped(f"\u201c{searched}\u201d" if searched else tr("the filter"))
        return Markup(
            tr("No workload matches {quoted}. <a href='#'>Clear search</a>", quoted=quoted)
            if searched
            else tr("No workload matches {quoted}. <a href='#'>Clear filter</a>", quoted=quoted)
        )
    if shown.is_today:
        return tr("Nothing ran where {pool} runs.", pool=lowered(lane.word))
    return (
        tr("Nothing to decide.")
        if lane is Lane.REVIEW
        else tr("No {pool} workloads. Drop a card here.", pool=lowered(lane.word))
    )
