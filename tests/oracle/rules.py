"""The switches of the model, read from the assumptions; the old rule where they lack a field."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Rules:
    """Switches as in --set; each default is the rule before the model changed.

    Units: max_term_months months; max_provider_share 0..1; budget_usd_per_month $; growth_fade a factor a month.
    new_slices, all_orders, new_spot have no switch: they hold as soon as the assumptions have the fields that came
    with them (growth_fade, short_leads, spot_for_development).
    """

    growth_fade: float = 1.0
    short_leads: str = "free"
    demand_fall_closes: bool = False
    slices_lived: bool = False
    spot_for_development: bool = True
    unit: int | None = None
    max_term_months: int | None = None
    max_provider_share: float | None = None
    budget_usd_per_month: float | None = None
    new_slices: bool = False
    all_orders: bool = False
    new_spot: bool = False

    @property
    def leads_are_free(self):
        return self.short_leads == "free"


MARKS = {"new_slices": "growth_fade", "all_orders": "short_leads", "new_spot": "spot_for_development"}
"""Rules without a switch, each with the switch whose coming says that the assumptions know it."""

SWITCHES = tuple(field.name for field in fields(Rules) if field.name not in MARKS)


def rules_of(assumptions, beyond):
    """Rules of a plan: the assumptions' fields, then those of `beyond` ({name: value}) that they do not have."""
    found = {}
    for name in SWITCHES:
        if hasattr(assumptions, name):
            found[name] = getattr(assumptions, name)
        elif name in beyond:
            found[name] = beyond[name]
    found |= {rule: switch in found for rule, switch in MARKS.items()}
    found["all_orders"] = beyond.get("all_orders", found["all_orders"])
    found["new_slices"] |= type(assumptions)().block is None  # they came before growth fades
    return Rules(**found)


def setting(assumptions, beyond, name):
    """An assumption that may be None in the new model (block, sigma): `beyond` wins, as the engine may not take it."""
    return beyond[name] if name in beyond else getattr(assumptions, name)
