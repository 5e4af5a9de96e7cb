"""What differs between two versions of a project, thing by thing: for a planner who has to say which of them stays."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.same_values import is_same


@dataclass(frozen=True, slots=True)
class Difference:
    """One kind of thing: names of those that only we have, only they have, and that both have in two ways.

    A kind of which there is only one has no names, and is_one.
    """

    what: Message
    only_ours: tuple[str, ...] = ()
    only_theirs: tuple[str, ...] = ()
    in_two_ways: tuple[str, ...] = ()
    is_one: bool = False


def _by(name: str, rows: Iterable[Any]) -> dict[str, Any]:
    """Things by a field that names each."""
    return {str(getattr(row, name)): row for row in rows}


def _fields_of(value: Any) -> dict[str, Any]:
    """The fields of a value, each a thing by its name."""
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _mappings(project: Project) -> dict[str, Any]:
    return {f"{one.gpu_model} \u2192 {one.offer_model}": one for one in project.mappings}


def _earlier(project: Project) -> dict[str, Any]:
    """Earlier rates by offer and day."""
    return {f"{one.offer_id}, {one.as_of}": one for one in project.earlier_offers}


def _business(project: Project) -> dict[str, Any]:
    """Figures of the business by name and month."""
    return {f"{one.name}, {one.month}": one for one in project.business}


MANY: Final[Mapping[str, tuple[Message, Callable[[Project], Mapping[str, Any]]]]] = {
    "scenarios": (worded("Plans"), lambda project: _by("name", project.scenarios)),
    "notes": (worded("Notes on cards"), lambda project: project.notes),
    "labels": (worded("Classes set by hand"), lambda project: project.labels),
    "assumptions": (worded("Assumptions"), lambda project: _fields_of(project.assumptions)),
    "rules": (worded("Class rules"), lambda project: _by("rule_id", project.rules)),
    "contracts": (worded("Contracts"), lambda project: _by("contract_id", project.contracts)),
    "offers": (worded("Prices"), lambda project: _by("offer_id", project.offers)),
    "earlier_offers": (worded("Earlier rates"), _earlier),
    "needs": (worded("Needs"), lambda project: project.needs),
    "mappings": (worded("Models mapped"), _mappings),
    "same": (worded("Names matched"), lambda project: _by("text", project.same)),
    "budgets": (worded("Budgets of teams"), lambda project: project.budgets),
    "business": (worded("Business figures"), _business),
    "exchange": (worded("Rates of exchange"), lambda project: _by("code", project.exchange)),
    "traffic": (worded("Requests of endpoints"), lambda project: project.traffic),
    "serving": (worded("Endpoints sized"), lambda project: project.serving),
    "workloads": (worded("Workloads"), lambda project: _by("key", project.workloads)),
    "intake": (worded("Imported files"), lambda project: _by("path", project.intake)),
}
"""Fields of a project that hold many things, by a name of each."""

ONE: Final[Mapping[str, Message]] = {
    "title": worded("Title"),
    "currency": worded("The currency of amounts"),
    "plan_from_s": worded("The day plans begin"),
    "window": worded("The window of the log"),
    "jobs": worded("Sums of the jobs"),
    "cube": worded("GPU time by the hour"),
    "places": worded("Users and sites"),
}
"""Those that hold one."""


def differences(ours: Project, theirs: Project) -> tuple[Difference, ...]:
    """All that differs, in the order of the tables; nothing where both hold the same.

    Things are compared by value.
    """
    found = [_of_many(what, of(ours), of(theirs)) for what, of in MANY.values()]
    ones = [
        Difference(what, is_one=True)
        for name, what in ONE.items()
        if not is_same(getattr(ours, name), getattr(theirs, name))
    ]
    return (*(one for one in found if one is not None), *ones)


def _of_many(what: Message, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Difference | None:
    """What differs among things of one kind; None where nothing does."""
    if ours is theirs:
        return None
    only_ours = tuple(name for name in ours if name not in theirs)
    only_theirs = tuple(name for name in theirs if name not in ours)
    both = tuple(name for name in ours if name in theirs and not is_same(ours[name], theirs[name]))
    return Difference(what, only_ours, only_theirs, both) if only_ours or only_theirs or both else None
