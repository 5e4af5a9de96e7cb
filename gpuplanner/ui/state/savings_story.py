"""Where the savings of the shown plan come from, as the bars of a waterfall."""

from typing import TYPE_CHECKING, Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.savings_words import STEP_NAMES
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.plan.savings import SavingsStory, StoryRow, savings_story
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.state.waterfall_steps import Amount
from gpuplanner.ui.words.translation import spoken

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import StepKind

BARS: Final[dict[str, tuple[Text, Text]]] = {
    "terms": (worded("Terms,"), worded("rates")),
    "separation": (worded("Moves"), ""),
    "spot": (STEP_NAMES["spot"], ""),
    "savings_vs_do_nothing": (worded("Savings"), ""),
    "demand": (worded("Demand"), worded("by itself")),
    "ending": (worded("Ends"), worded("by itself")),
    "savings": (worded("Today"), worded("less plan")),
}
"""Two short lines under each bar, which is narrow; its tip has the whole name."""
TOTALS: Final = {
    "savings_vs_do_nothing": figure("plan_below_nothing"),
    "savings": figure("plan_saved"),
}


def story_of_plan(shown: ViewState, advice: Advice) -> SavingsStory:
    """The story of the plan that is shown. advice: its own, which is there."""
    has_today = bool(shown.evaluation.project.contracts)
    return savings_story(advice, shown.outlook, shown.evaluation.audit, has_today)


def story_amounts(story: SavingsStory) -> tuple[Amount, ...]:
    """Its bars, up is less to pay: what saves, what that comes to, what came or fell away, today less plan."""
    return tuple(map(_amount, (*story.steps, story.total)))


def _amount(row: StoryRow) -> Amount:
    name, note = BARS[row.key]
    opens = TOTALS[row.key] if row.is_total else figure("savings_step", row.key)
    tip = f"{spoken(row.called)}. {spoken(row.what)}"
    kind: StepKind = "result" if row.is_total else "step"
    return Amount(name, note, row.saved_per_month, kind, tip, "" if row.exact is None else opens)
