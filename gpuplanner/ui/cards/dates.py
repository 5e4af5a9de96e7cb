"""What a card says of time: when its workload is there in the plan that is shown, and whether it is gone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.edits import planned_keys
from gpuplanner.domain.model.scenario.dated import NO_SPELL, Spell
from gpuplanner.domain.model.scenario.parting import leaf_keys
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.dated_words import is_over, short_spell_words


@dataclass(frozen=True, slots=True)
class CardDates:
    """texts: when it is there, longest first; of a card that stands for several of which not all have these dates,
    none. is_over: it is gone when the plan begins."""

    texts: tuple[str, ...] = ()
    is_over: bool = False


UNDATED: Final = CardDates()
Dates = Mapping[str, CardDates]


def card_dates(shown: ViewState) -> Dates:
    """Of every card that has dates, by its key; nothing of the past has any."""
    if shown.is_today:
        return {}
    plan, project = shown.evaluation.figures.basis.plan, shown.evaluation.project
    if not (plan.spells or plan.planned):
        return {}
    begins_s = project.plan_window.end_s
    works = planned_keys(project, plan)
    spells = {leaf: spell for key, spell in plan.spells.items() for leaf in leaf_keys(key, plan.splits)}
    spells |= {work.key: work.spell(begins_s) for work in plan.planned if work.key in works}
    for first, keys in shown.members.items():
        all_spells = {spells.get(key, NO_SPELL) for key in keys}
        spells[first] = all_spells.pop() if len(all_spells) == 1 else NO_SPELL
    return {key: _of(spell, begins_s) for key, spell in spells.items() if spell != NO_SPELL}


def _of(spell: Spell, begins_s: int) -> CardDates:
    """What a card says of its spell, and whether that is over before the plan begins."""
    return CardDates(short_spell_words(spell, begins_s), is_over(spell, begins_s))
