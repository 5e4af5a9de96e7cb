"""Unit costs of random and crafted worlds: runs, models, endpoints, experiments, business figures, as golden tables."""

from dataclasses import fields, replace
from typing import Any, Final

from gpuplanner.domain.audit.unit_costs import business_costs, cost_lists, retraining
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.window import iso_day
from tests.domain.random_worlds import evaluation_of
from tests.golden.tables import Table
from tests.shown import shown

FOLDER: Final = "tables_audit_unit_costs"
WORLDS: Final = (
    "nothing_on_demand",
    "untyped_cluster",
    "spot_mix",
    "edge 9",
    "edge 17",
    "random 6",
    "new 2",
    "new 8",
    "new 22",
    "new 30",
    "new 49",
    "edge 4 stated",
    "new 2 stated",
    "random 3 stated",
)
MOST: Final = 4
"""Rows of each list that are shown."""


def value_text(value: Any) -> str:
    """Return a value; of hours of a day or a week only how much they are in all, and at noon."""
    if isinstance(value, tuple) and len(value) == 24:
        return f"{value_text(None if None in value else sum(value))} at noon {shown(value[12])}"
    if isinstance(value, tuple) and len(value) == 7:
        return f"by weekday {value_text(value[0])}, {value_text(value[6])}"
    return shown(value)


def rows_text(title: str, rows: Any) -> list[str]:
    """Return how many rows a list has, and the fields of its first ones."""
    listed = list(rows)
    lines = (
        " ".join(
            f"{field.name} {value_text(getattr(row, field.name))}"
            for field in fields(row)
            if field.name != "name"
        )
        for row in listed[:MOST]
    )
    return [f"{title} {len(listed)}", *(f"  {line}" for line in lines)]


def costs_text(name: str) -> str:
    """Return the unit costs of a world. name: of the world."""
    evaluation = evaluation_of(name)
    project = evaluation.project
    month, key = iso_day(project.window.start_s)[:7], project.workloads[0].key if project.workloads else ""
    figures = (
        BusinessFigure("chats", month, 700.0, key),
        BusinessFigure("orders", month, 1000.0),
        BusinessFigure("other", month, 9.0, "nobody"),
    )
    project = replace(project, business=figures)
    past = past_of(project, evaluation.audit)
    found = unit_costs(past)
    lines = [f"gap {shown(found.run_gap_hours)} premium {shown(found.premium)}"]
    for title in ("runs", "models", "endpoints", "experiments"):
        lines += rows_text(title, getattr(found, title))
    lines += rows_text("retraining", retraining.retraining_of(found.runs, project.window))
    lines += rows_text("business", business_costs.business_costs(project, business_costs.spend_by_hour(past)))
    return "\n".join(lines)


EXPENSIVE: Final = ((3.0, "a"), (None, "b"), (5.0, "c"), (3.0, "d"), (0.0, "e"), (None, "f"), (-1.0, "g"))


def lists_text(_: str) -> str:
    """Return rows of known and unknown costs, the most expensive first."""
    return shown(cost_lists.most_expensive_first(list(EXPENSIVE), lambda row: row))


TABLES: Final = {
    "costs.txt": Table(text_of=costs_text, cases=WORLDS),
    "lists.txt": Table(text_of=lists_text, cases=("lists",)),
}
