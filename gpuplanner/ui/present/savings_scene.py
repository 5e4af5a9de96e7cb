"""Scene Savings: where the savings come from, as bars that add up; what separate pools cost beside what they avoid."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.commitment.words.savings_words import bought_words
from gpuplanner.domain.reports.plan.savings import SAVINGS, SEPARATION_LINES, SavingsStory, SeparationRow
from gpuplanner.ui.present import scene_dollars
from gpuplanner.ui.present.big_table import BigRow, BigTable
from gpuplanner.ui.present.large_type import large_chart_colours, roomy
from gpuplanner.ui.present.scene import Content, Seen, label, missing, of_the_plan, of_the_window, plan_first
from gpuplanner.ui.state.savings_story import story_amounts, story_of_plan
from gpuplanner.ui.state.waterfall_steps import steps_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr


def content(seen: Seen) -> Content:
    """The bars of the panel Today to plan, and what stands under them there."""
    shown, title = seen.view_state, tr("Where savings come from")
    if shown.is_today:
        remedy = plan_first(shown, tr("to see what it saves."))
        return missing(
            title, tr("Today saves nothing: it is what is paid now."), remedy, of_the_window(shown)
        )
    foot = of_the_plan(shown)
    if shown.advice is None:
        return missing(title, tr("The advice is being worked out."), tr("It appears here by itself."), foot)
    if shown.advice.totals.plan is None:
        remedy = tr("Import prices and contracts to see it.")
        return missing(title, tr("What the plan saves is unknown."), remedy, foot)
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

    story = story_of_plan(shown, shown.advice)
    chart = WaterfallPlot(spoken(SAVINGS.title), large_chart_colours(seen.palette))
    chart.show_steps(steps_of(story_amounts(story)))
    headings = ("", tr("$ per month"), tr("Hours"))
    rows = [_row(row) for row in story.separation]
    table = BigTable(spoken(SEPARATION_LINES.title), headings, rows, seen.palette)
    body = QWidget()
    body.setObjectName("page")
    layout = QVBoxLayout(body)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(roomy(8))
    layout.addWidget(chart, 3)
    layout.addWidget(label(spoken(bought_words(story.buy)), "small", "muted"))
    layout.addWidget(table, 5)
    said = f"{chart.accessibleDescription()}. {table.accessibleDescription()}"
    return Content(_title(story), body, said, foot)


def _title(story: SavingsStory) -> str:
    """What the plan saves against doing nothing."""
    saved = next(row for row in story.steps if row.key == "savings_vs_do_nothing").exact
    if saved is None:
        return tr("What the plan saves is unknown")
    words = scene_dollars.amount(abs(saved))
    if saved >= 0:
        return tr("Where {words} less per month comes from", words=words)
    return tr("Where {words} more per month comes from", words=words)


def _row(row: SeparationRow) -> BigRow:
    """A line of what separate pools cost or avoid, with where it comes from."""
    usd = scene_dollars.amount(row.separation_per_month) if row.separation_per_month is not None else ""
    hours = numbers.whole(row.hours) if row.hours is not None else ""
    unknown = not usd and not hours
    if unknown:
        usd, hours = ("", numbers.UNKNOWN) if row.is_of_hours else (numbers.UNKNOWN, "")
    return BigRow((spoken(row.called), usd, hours), spoken(row.unknown if unknown else row.source))
