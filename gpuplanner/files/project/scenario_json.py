"""A plan as JSON and back, exact.

{"name", "start", "pools": {key: pool}, "pinned": [key],
 "hand_layers": [[pool, gpu_model, [[term_months, gpus], ...]], ...], "assumptions": {name: value}, "greenfield",
 "advised_around": [[pool, gpu_model], ...] (absent: none), "decisions": table of Decision,
 "leak_decisions": table of LeakDecision, "price_case": low, mid or high (absent: mid),
 "splits": {key: {"permille"} or {"at_s"} or {"hours"}} (absent: none), "merges": {name: [key, ...]} (absent: none),
 "spells": {key: {"begins_s", "ends_s"}}, "changes": table of DemandChange, "planned": table of PlannedWork,
 "price_changes": table of PriceChange (absent: none), "only": {key: {"provider", "region"}} (absent: none; with
 "not_provider" where one may not), "shares": [[{as of only}, share], ...] (absent: none),
 "scratch_of": name of a plan (absent: a plan of its own)}
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.model.book.only import Only, check_only
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, check_assumption
from gpuplanner.domain.model.scenario.dated import (
    DemandChange,
    PlannedWork,
    PriceChange,
    Spell,
    check_demand_change,
    check_planned,
    check_price_change,
    check_spell,
)
from gpuplanner.domain.model.scenario.merging import check_merges
from gpuplanner.domain.model.scenario.parting import ShareSplit, Split, TimeSplit, WeekSplit, check_split
from gpuplanner.domain.model.scenario.plan_inputs import Decision, HandLayer, LeakDecision, Scenario
from gpuplanner.domain.model.scenario.shares import check_share
from gpuplanner.files.project.field_forms import Form, as_it_is, entry_of, forms_of, values_of
from gpuplanner.files.project.field_types import check_fields
from gpuplanner.files.project.value_tables import attributes, checked, rows_of, table, whole_number


def scenario_entry(scenario: Scenario) -> dict[str, object]:
    """A plan; what JSON has no word for is said at the top."""
    return entry_of(scenario, FORMS)


def scenario_of(entry: Mapping[str, Any]) -> Scenario:
    """What `scenario_entry` wrote. Errors: as for `rows_of`."""
    scenario = Scenario(**values_of(entry, FORMS, FROM_THE_FIRST))
    check_merges(scenario.merges)
    check_fields(Scenario, attributes(scenario).items())
    for layer in (layer for layers in scenario.hand_layers.values() for layer in layers):
        check_fields(HandLayer, attributes(layer).items())
    return scenario


def _hand_layers(
    entries: Sequence[tuple[str, str | None, Sequence[Sequence[int]]]],
) -> dict[tuple[Pool, str | None], tuple[HandLayer, ...]]:
    """Layers set by hand by pool and GPU model; None is all models."""
    return {
        (Pool(pool), gpu_model): tuple(HandLayer(term, gpus) for term, gpus in layers)
        for pool, gpu_model, layers in entries
    }


def _hand_layers_entry(
    hand_layers: Mapping[tuple[Pool, str | None], tuple[HandLayer, ...]],
) -> list[object]:
    """Layers set by hand as lists, as JSON has no pairs for keys."""
    return [
        [pool, gpu_model, [[layer.term_months, layer.gpus] for layer in layers]]
        for (pool, gpu_model), layers in hand_layers.items()
    ]


def _assumptions(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values a plan changes, each checked against its range."""
    for name, value in values.items():
        check_assumption(SPEC_BY_NAME[name], value)
    return values


def _split(entry: Mapping[str, Any]) -> Split:
    """A split by the one field that it is made of. Errors: KeyError, ValueError or PlannerError."""
    ((name, value),) = entry.items()
    split: Split
    if name == "hours":
        split = WeekSplit(tuple(map(whole_number, value)))
    elif name == "permille":
        split = ShareSplit(whole_number(value))
    else:
        split = TimeSplit(whole_number(entry["at_s"]))
    check_split(split)
    return split


def _only_entry(only: Only) -> dict[str, object]:
    """Who may serve; the one who may not is left out where there is none, so that older versions read it."""
    return {name: value for name, value in attributes(only).items() if value or name != "not_provider"}


def _shares(entries: Sequence[tuple[Mapping[str, Any], float]]) -> dict[Only, float]:
    """Shares by whom they are of, each checked as if it had just been entered. Errors: ValueError for one of two."""
    shares = {who: check_share(who, share) for one, share in entries for who in (checked(Only, one),)}
    if len(shares) < len(entries):
        raise ValueError("one has two shares")
    return dict(sorted(shares.items()))


def _planned(entry: Mapping[str, Any]) -> tuple[PlannedWork, ...]:
    """Planned work by key, each checked as if it had just been entered. Errors: ValueError for two of one key."""
    works = {work.key: check_planned(work) for work in rows_of(PlannedWork, entry)}
    if len(works) < len(entry["rows"]):
        raise ValueError("two planned workloads have one key")
    return tuple(works[key] for key in sorted(works))


def pools_of(entries: Mapping[str, str]) -> dict[str, Pool]:
    """Pools by their names."""
    return {key: Pool(pool) for key, pool in entries.items()}


FORMS: Final[Mapping[str, Form]] = forms_of(
    Scenario,
    {
        "name": Form(str, as_it_is),
        "start": Form(str, as_it_is),
        "pools": Form(dict, pools_of),
        "pinned": Form(sorted, frozenset),
        "hand_layers": Form(_hand_layers_entry, _hand_layers),
        "assumptions": Form(dict, _assumptions),
        "greenfield": Form(bool, as_it_is),
        "decisions": Form(
            lambda decisions: table(Decision, decisions), lambda entry: rows_of(Decision, entry)
        ),
        "leak_decisions": Form(
            lambda decisions: table(LeakDecision, decisions), lambda entry: rows_of(LeakDecision, entry)
        ),
        "price_case": Form(as_it_is, PriceCase),
        "advised_around": Form(
            lambda pairs: sorted((list(pair) for pair in pairs), key=lambda pair: (pair[0], pair[1] or "")),
            lambda pairs: frozenset((Pool(pool), gpu_model) for pool, gpu_model in pairs),
        ),
        "splits": Form(
            lambda splits: {key: attributes(split) for key, split in splits.items()},
            lambda entries: {str(key): _split(split) for key, split in entries.items()},
        ),
        "merges": Form(
            lambda merges: {name: list(keys) for name, keys in merges.items()},
            lambda entries: {str(name): tuple(map(str, keys)) for name, keys in entries.items()},
        ),
        "spells": Form(
            lambda spells: {key: attributes(spell) for key, spell in spells.items()},
            lambda entries: {
                str(key): check_spell(str(key), checked(Spell, spell)) for key, spell in entries.items()
            },
        ),
        "changes": Form(
            lambda changes: table(DemandChange, changes),
            lambda entry: tuple(map(check_demand_change, rows_of(DemandChange, entry))),
        ),
        "planned": Form(
            lambda planned: table(PlannedWork, planned),
            _planned,
        ),
        "price_changes": Form(
            lambda changes: table(PriceChange, changes),
            lambda entry: tuple(map(check_price_change, rows_of(PriceChange, entry))),
        ),
        "only": Form(
            lambda limits: {key: _only_entry(only) for key, only in limits.items()},
            lambda entries: {
                str(key): check_only(str(key), checked(Only, only)) for key, only in entries.items()
            },
        ),
        "scratch_of": Form(str, as_it_is),
        "shares": Form(lambda shares: [[_only_entry(who), share] for who, share in shares.items()], _shares),
    },
)
"""How each field is written and read; a new field of Scenario has a line here."""

FROM_THE_FIRST: Final = frozenset(FORMS) - {
    "leak_decisions",
    "price_case",
    "advised_around",
    "splits",
    "merges",
    "spells",
    "changes",
    "planned",
    "price_changes",
    "only",
    "scratch_of",
    "shares",
}
"""Fields that a plan has in every file."""
