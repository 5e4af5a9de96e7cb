"""The page of savings: the steps that they come from, as bars and as a table that add up to them; and separation."""

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.brief.figure_words import change, dollars, joined, whole
from gpuplanner.domain.brief.pages import Bar, BridgeChart, Page, TableBlock
from gpuplanner.domain.brief.report_block import report_block
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.savings_words import SAVING_STEPS, bought_words
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.reports.plan.savings import (
    SAVINGS,
    SEPARATION_LINES,
    SavingsStory,
    StoryRow,
    savings_story,
)


def savings_page(advice: Advice, outlook: Outlook | None, audit: Audit, has_today: bool) -> Page:
    """Savings against doing nothing by step, then what leads to today less the plan; separation on both sides.

    has_today: there are contracts; without them what is spent today is all on demand. Bars of savings that are unknown
    would be an empty picture: the table says why.
    """
    story = savings_story(advice, outlook, audit, has_today)
    table = report_block(SAVINGS, story, "Step by step", {"called": 1.2, "what": 3.0})
    noted = TableBlock(table.title, table.columns, table.rows, table.total, bought_words(story.buy))
    apart = report_block(SEPARATION_LINES, story, str(SEPARATION_LINES.title), {"called": 1.5, "source": 3.0})
    tables: tuple[tuple[BridgeChart | TableBlock, ...], ...] = ((noted,), (apart,))
    rows = ((_bars(story),), *tables) if _saved(story) is not None else tables
    return Page("savings", "Savings", _title(story), rows)


def _saved(story: SavingsStory) -> float | None:
    """$ per month against doing nothing; None where they are unknown."""
    return next(row.exact for row in story.steps if row.key == "savings_vs_do_nothing")


def _title(story: SavingsStory) -> str:
    saved = str(PLAN["savings_vs_do_nothing"].title)
    own = {row.key: row for row in story.steps}
    nothing = _saved(story)
    if nothing is None:
        return f"{saved} are unknown"
    steps = [own[name] for name in SAVING_STEPS]
    title = f"{saved}: {dollars(nothing)} per month"
    if any(step.exact is None for step in steps):
        return title
    parts = [f"{str(step.called).lower()} {change(step.saved_per_month)}" for step in steps]
    return f"{title}, {joined(parts)}"


def _bars(story: SavingsStory) -> BridgeChart:
    """Steps that save, what they add up to, then what came or fell away by itself; up is less to pay."""
    bars = tuple(map(_bar, (*story.steps, story.total)))
    return BridgeChart("Where savings come from, $ per month", bars)


def _bar(row: StoryRow) -> Bar:
    """A step with its sign, a total as it is; the longest name on two lines."""
    if not row.is_total:
        return Bar(str(row.called), str(row.note), row.exact, "step", change(row.saved_per_month))
    if row.key == "savings_vs_do_nothing":
        return Bar("Savings against", "doing nothing", row.exact, "result", whole(row.exact))
    return Bar(str(row.called), "", row.exact, "result", whole(row.exact))
