"""Dates of a card: when its workload runs in the shown plan, and whether it has ended."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.commitment.result import CardCosts
from gpuplanner.domain.edits.find import planned_keys
from gpuplanner.domain.model.plan.spells import NO_SPELL, Spell
from gpuplanner.domain.model.plan.splits import leaf_keys
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state.month_words import run_figures, run_money
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.dated_words import is_at_once_for_good, is_over, short_spell_words


@dataclass(frozen=True, slots=True)
class CardDates:
    """texts: when it is there, longest first; of a card that stands for several of which not all have these dates,
    none. is_over: it is gone when the plan begins. run_usd: of all of a planned run, short, where it is known."""

    texts: tuple[str, ...] = ()
    is_over: bool = False
    run_usd: str = ""


UNDATED: Final = CardDates()
Dates = Mapping[str, CardDates]


def gone_of(costs: CardCosts | None) -> frozenset[str]:
    """The workloads that no month of a plan expects."""
    return (
        frozenset(key for key, expected in costs.gpu_hours.items() if not expected) if costs else frozenset()
    )


def card_dates(shown: ViewState, gone: frozenset[str] | None = None) -> Dates:
    """Of every card that has dates, by its key; nothing of the past has any. gone: of its costs, where it is known."""
    if shown.is_today:
        return {}
    gone = gone_of(shown.costs) if gone is None else gone
    plan, project = shown.evaluation.figures.basis.plan, shown.evaluation.project
    begins_s = project.plan_window.end_s
    if not (gone or plan.spells or plan.planned):
        return {}
    works = planned_keys(project, plan)
    ended = {work.key: work.last_end_s for work in project.workloads if work.key in gone}
    spells = {key: Spell(None, min(at_s, begins_s)) for key, at_s in ended.items() if at_s is not None}
    spells |= {leaf: spell for key, spell in plan.spells.items() for leaf in leaf_keys(key, plan.splits)}
    dated = [work for work in plan.planned if work.key in works and not is_at_once_for_good(work, begins_s)]
    spells |= {work.key: work.spell(begins_s) for work in dated}
    for first, keys in shown.members.items():
        all_spells = {spells.get(key, NO_SPELL) for key in keys}
        spells[first] = all_spells.pop() if len(all_spells) == 1 else NO_SPELL
    money = {run.key: run_money(run, shown) for run in run_figures(shown)}
    return {
        key: CardDates(short_spell_words(spell, begins_s), is_over(spell, begins_s), money.get(key, ""))
        for key, spell in spells.items()
        if spell != NO_SPELL
    }
