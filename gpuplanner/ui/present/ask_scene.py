"""Scene Ask: what is to be decided, as the recommendations have it: sign what, by when, and what else."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.reports.plan.order_days import Seen as SeenPlan
from gpuplanner.ui.panels.actions.recommendations import recommendation_rows
from gpuplanner.ui.present.big_table import BigRow, BigTable
from gpuplanner.ui.present.scene import Content, Seen, missing, of_the_plan, of_the_window, plan_first
from gpuplanner.ui.state.order_words import seen_now
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import by_count, spoken, tr


def content(seen: Seen) -> Content:
    """The rows of the panel Recommendations in their order, as many as there is room for."""
    shown, title = seen.view_state, tr("What is to be decided")
    project = shown.evaluation.project
    if shown.is_today:
        remedy = plan_first(shown, tr("to see what to sign."))
        return missing(title, tr("There is nothing to sign in the past."), remedy, of_the_window(shown))
    foot = of_the_plan(shown)
    if shown.advice is None:
        return missing(title, tr("The advice is being worked out."), tr("It appears here by itself."), foot)
    rows = recommendation_rows(shown, seen.now_s)
    if not rows and not project.offers:
        return missing(title, tr("No prices yet."), tr("Import a price list to see what to sign."), foot)
    if not rows:
        return missing(
            title,
            tr("Nothing to decide."),
            tr("Contracts stay as they are, and nothing new is bought."),
            foot,
        )
    made = [_row(seen, row) for row in rows]
    table = BigTable(tr("To decide"), (), made, seen.palette)
    plan = seen_now(project, seen.now_s)
    due = plan.to_approve(shown.advice.orders)
    foot = f"{_counted_in(due)}{foot}"
    return Content(_title(shown.advice, due, plan), table, table.accessibleDescription(), foot)


def _row(seen: Seen, row: ListRow) -> BigRow:
    """A recommendation as a row, names hidden where that is wanted."""
    project = seen.view_state.evaluation.project
    title, note, more = (
        seen.names.in_text(spoken(text), project) for text in (row.title, row.note, row.more)
    )
    if row.is_heading:
        return BigRow((title, row.amount), is_heading=True)
    return BigRow(
        (title, row.amount), note, row.note_role, more, icon=row.icon or "info", icon_role=row.icon_role
    )


def _counted_in(due: Sequence[Order]) -> str:
    """What the GPUs of the title are, beside those of one pool in scene Duration."""
    at_once = sum(order.bought_gpus for order in due if not order.month)
    later = sum(order.bought_gpus for order in due if order.month)
    bought = [order for order in due if order.is_bought]
    usd = known_sum(order.due_at_once for order in bought)
    said = tr("{usd} is due when GPUs are bought. ", usd=numbers.dollars(usd)) if bought else ""
    if not later:
        return said
    return said + tr(
        "To sign now: {at_once} GPUs to begin with, {later} that start later, as contracts end or "
        "demand grows. ",
        at_once=numbers.gpus(at_once),
        later=numbers.gpus(later),
    )


def _title(advice: Advice, due: Sequence[Order], plan: SeenPlan) -> str:
    """What to sign and by when; or that there is nothing, or that nobody can know."""
    if not due and advice.totals.plan is None:
        return tr("What to sign is not known: prices are missing")
    if not due:
        return tr("Nothing to sign now")
    if all(map(plan.has_lapsed, due)):
        return tr("Ask again: no quote of what is to sign now is still valid")
    gpus = sum(order.bought_gpus for order in due)
    first = min(order.order_by_s for order in due)
    when = tr("by {first}", first=numbers.date(first)) if first > plan.written_s else tr("now")
    bought = sum(order.bought_gpus for order in due if order.is_bought)
    if bought and bought == gpus:
        return by_count(
            bought,
            "Buy {gpus} GPU {when}, all pools together",
            "Buy {gpus} GPUs {when}, all pools together",
            gpus=numbers.gpus(bought),
            when=when,
        )
    if bought:
        return tr(
            "Buy {bought} GPUs and sign for {signed} {when}, all pools together",
            bought=numbers.gpus(bought),
            signed=numbers.gpus(gpus - bought),
            when=when,
        )
    return by_count(
        gpus,
        "Sign {gpus} GPU {when}, all pools together",
        "Sign {gpus} GPUs {when}, all pools together",
        gpus=numbers.gpus(gpus),
        when=when,
    )
