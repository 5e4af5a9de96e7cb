"""Edits: Project -> Project, one function a gesture, and the words that Undo shows for each.

A no-op returns its argument, so `after is before` says that nothing happened. Today is read only: an edit of a
scenario is refused there with a PlannerError. Nothing loaded is ever forgotten: labels, moves and pins of a workload
that an import no longer brings stay in the project and hold again when it comes back.
"""

from gpuplanner.domain.edits import (
    cards,
    class_rules,
    contracts,
    dates,
    endpoints,
    find,
    inputs,
    labels,
    model_mappings,
    money,
    needs,
    offers,
    plans,
    same_names,
    seller_limits,
    successors,
    teams,
    training_runs,
    workloads,
)

__all__ = [
    "cards",
    "class_rules",
    "contracts",
    "dates",
    "endpoints",
    "find",
    "inputs",
    "labels",
    "model_mappings",
    "money",
    "needs",
    "offers",
    "plans",
    "same_names",
    "seller_limits",
    "successors",
    "teams",
    "training_runs",
    "workloads",
]
