"""The settings that bring back the rules of the first version, for comparison with what knows only those."""

from dataclasses import fields

from gpuplanner.domain.model.assumptions import Assumptions

OLD_RULES = {
    "recency_half_life_days": None,
    "growth_fade": 1.0,
    "demand_fall_closes": False,
    "slices_lived": False,
    "spot_for_development": True,
    "sigma": 0.10,
    "delta": 0.02,
    "unit": 1,
    "block": 1,
}
"""What a planner sets to get the first version's plan; a case that sets one of them itself keeps its own."""


def old_rules(assumptions):
    """The assumptions with every default that has changed put back."""
    known = {field.name for field in fields(Assumptions)}
    now = {name: value for name, value in OLD_RULES.items() if name in known}
    unset = {
        name: value
        for name, value in now.items()
        if getattr(assumptions, name) == getattr(Assumptions(), name)
    }
    return assumptions.with_values(unset)


def of_first_rules(case):
    """A made case (tests/oracle/projects.py) under the old rules."""
    case.assumptions = old_rules(case.assumptions)
    return case
