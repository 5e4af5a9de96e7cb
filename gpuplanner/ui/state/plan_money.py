"""From today's spend to the plan's, and the source of its savings, as amounts of bridges."""

from typing import TYPE_CHECKING, Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.plan.layers import layer_dollars
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.savings import SavingsStory, StoryRow, savings_story
from gpuplanner.domain.evidence.trace import figure, less
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum, whole_dollars
from gpuplanner.files.system.resources import rows_of, words_table
from gpuplanner.ui.state.view_state import ViewState

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import StepKind
from gpuplanner.ui.state.waterfall_steps import Amount

# --- From today's spend to the plan's: the steps of the bridge, and what each of twelve months costs either way

STEPS: Final = tuple(
    (row["part"], worded(row["name"]), worded(row["note"]), worded(row["tip"]))
    for row in rows_of("plan_steps.csv")
)
"""Part of the plan's spend, two lines of its name, and what it is."""


def plan_amounts(shown: ViewState) -> tuple[Amount, ...]:
    """Six bars in whole dollars: today, what ends, overflow no more, what is signed, what is paid by use, the plan.

    Law: today and the four steps are the plan, wherever all of them are known. What is signed and paid by use are the
    dollars of the layers as every panel writes them; what ends takes what is rounded away.
    """
    advice = shown.advice
    totals = advice.totals if advice else None
    today = whole_dollars(totals.today if totals else None)
    overflow = whole_dollars(
        known_sum(less(row.overflow_per_month) for row in shown.evaluation.audit.clusters)
    )
    plan = whole_dollars(totals.plan if totals else None)
    is_known = advice is not None and bool(advice.pools) and is_priced(advice.pools)
    signed, by_use = (
        (_layers(advice, True), _layers(advice, False)) if advice is not None and is_known else (None, None)
    )
    others = (today, overflow, signed, by_use)
    rest = None if plan is None or None in others else plan - sum(usd for usd in others if usd is not None)
    known = {"contracts": rest, "overflow": overflow, "signed": signed, "by_use": by_use}
    return (
        Amount(
            name=tr("Today"),
            note="",
            usd=today,
            kind="start",
            tip=tr("Contracts and on-demand overflow"),
            figure_id="spend::",
        ),
        *(
            Amount(name=name, note=note, usd=known[part], kind="step", tip=tip, figure_id=f"plan_{part}::")
            for part, name, note, tip in STEPS
        ),
        Amount(
            name=tr("Plan"),
            note="",
            usd=plan,
            kind="result",
            tip=tr("The plan's first-month cost"),
            figure_id="plan_usd::",
        ),
    )


def _layers(advice: result.Advice, is_signed: bool) -> int | None:
    """Whole dollars of new commitments, or of what is paid by use."""
    whole = [
        usd
        for (_, _, is_existing, _, term_months, _), usd in layer_dollars(advice).items()
        if not is_existing and bool(term_months) == is_signed
    ]
    return None if None in whole else sum(usd for usd in whole if usd is not None)


# --- Where the savings of the shown plan come from, as the bars of a waterfall -------------------

_BELOW: Final = words_table("bar_below")
BARS: Final = {key: (words, _BELOW.get(key, "")) for key, words in words_table("bar").items()}
"""Two short lines under each bar, which is narrow; its tip has the whole name."""
TOTALS: Final = {"savings_vs_do_nothing": figure("plan_below_nothing"), "savings": figure("plan_saved")}


def story_of_plan(shown: ViewState, advice: result.Advice) -> SavingsStory:
    """The story of the plan that is shown. advice: its own, which is there."""
    has_today = shown.evaluation.project.has_spend
    return savings_story(advice, shown.outlook, shown.evaluation.audit, has_today)


def story_amounts(story: SavingsStory) -> tuple[Amount, ...]:
    """Its bars, up is less to pay: what saves, what that comes to, what came or fell away, today less plan."""
    return tuple(map(_amount, (*story.steps, story.total)))


def _amount(row: StoryRow) -> Amount:
    name, note = BARS[row.key]
    opens = TOTALS[row.key] if row.is_total else figure("savings_step", row.key)
    tip = f"{spoken(row.called)}. {spoken(row.meaning)}"
    kind: StepKind = "result" if row.is_total else "step"
    return Amount(
        name=name,
        note=note,
        usd=row.saved_per_month,
        kind=kind,
        tip=tip,
        figure_id="" if row.exact is None else opens,
    )
