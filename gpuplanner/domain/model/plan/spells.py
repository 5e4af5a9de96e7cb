"""Spells: start and end of a workload in a plan."""

from typing import Final

from gpuplanner.domain.message import worded_both
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Spell:
    """Start and end of a workload in a plan, epoch seconds, end exclusive; None: no start, or no end."""

    begins_s: int | None = None
    ends_s: int | None = None


NO_SPELL: Final = Spell()


def check_spell(key: str, spell: Spell) -> Spell:
    """Return the spell if it is valid. key: of the workload, for the message.

    Errors: PlannerError if it ends at or before its start.
    """
    if spell.begins_s is not None and spell.ends_s is not None and spell.ends_s <= spell.begins_s:
        problem = worded_both(
            "it ends {ends}, before it starts", "its last day precedes its first", ends=iso_utc(spell.ends_s)
        )
        raise refusal(
            key,
            problem,
            worded_both(
                "enter an end after {begins}",
                "choose a later last day or an earlier first day",
                begins=iso_utc(spell.begins_s),
            ),
        )
    return spell
