"""The page of savings: the steps that they come from, as bars and as a table that add up to them."""

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.brief.figure_words import change, dollars, joined, whole
from gpuplanner.domain.brief.pages import Bar, BridgeChart, Column, Page, TableBlock
from gpuplanner.domain.commitment.plan.savings import step_usd
from gpuplanner.domain.commitment.result import Outlook, SavingsStep, Totals
from gpuplanner.domain.commitment.words.savings_words import (
    OTHER_STEPS,
    SAVING_STEPS,
    STEP_MEANINGS,
    STEP_NAMES,
    avoided_words,
    saved_dollars,
)
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text


def savings_page(outlook: Outlook | None, totals: Totals, audit: Audit, has_today: bool) -> Page:
    """Savings against doing nothing by step, then what leads to today less the plan.

    has_today: there are contracts; without them what is spent today is all on demand.
    """
    steps = outlook.savings_steps if outlook else ()
    nothing, today = totals.savings_vs_do_nothing, totals.savings
    own = saved_dollars(steps, SAVING_STEPS, nothing)
    others = saved_dollars(steps, OTHER_STEPS, today, nothing)
    saved = str(PLAN["savings_vs_do_nothing"].title)
    before = "Today less the plan" if has_today else "All on demand less the plan"
    title = f"{saved}: {dollars(nothing)} a month"
    if nothing is None:
        title = f"{saved} are unknown"
    elif None not in own:
        parts = zip(SAVING_STEPS, own, strict=True)
        title += f", {joined([f'{str(STEP_NAMES[name]).lower()} {change(usd)}' for name, usd in parts])}"
    words = avoided_words(audit)
    rows: tuple[tuple[BridgeChart | TableBlock, ...], ...] = (
        (_bars(steps, own, others, totals, before),),
        (_table(own, others, totals, before, words),),
    )
    return Page("savings", "Savings", title, rows)


def _bars(
    steps: tuple[SavingsStep, ...],
    own: list[int | None],
    others: list[int | None],
    totals: Totals,
    before: str,
) -> BridgeChart:
    """Steps that save, what they add up to, then what came or fell away by itself; up is less to pay."""

    def bar(name: str, whole_usd: int | None) -> Bar:
        usd = step_usd(steps, name)
        note = "" if name in SAVING_STEPS else "no saving"
        known = None if usd is None or whole_usd is None else -usd
        return Bar(str(STEP_NAMES[name]), note, known, "step", change(whole_usd))

    saved, whole_saved = totals.savings_vs_do_nothing, whole(totals.savings_vs_do_nothing)
    bars = (
        *map(bar, SAVING_STEPS, own),
        Bar("Savings against", "doing nothing", saved, "result", whole_saved),
        *map(bar, OTHER_STEPS, others),
        Bar(before, "", totals.savings, "result", whole(totals.savings)),
    )
    return BridgeChart("Where savings come from, $ per month", bars)


def _table(
    own: list[int | None], others: list[int | None], totals: Totals, before: str, note: Text
) -> TableBlock:
    """The same in whole dollars that add up, with what each step is."""
    rows: tuple[tuple[Text, ...], ...] = (
        *(
            (STEP_NAMES[name], whole(usd), STEP_MEANINGS[name])
            for name, usd in zip(SAVING_STEPS, own, strict=True)
        ),
        (PLAN["savings_vs_do_nothing"].title, whole(totals.savings_vs_do_nothing), "The three above."),
        *(
            (STEP_NAMES[name], whole(usd), STEP_MEANINGS[name])
            for name, usd in zip(OTHER_STEPS, others, strict=True)
        ),
    )
    columns = (Column("Step", False, 1.2), Column("Saves, $ per month"), Column("What it is", False, 3.0))
    return TableBlock(
        "Step by step", columns, rows, (before, whole(totals.savings), "Savings and the two above."), note
    )
