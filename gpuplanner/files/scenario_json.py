"""A plan as JSON and back, exact.

{"name", "start", "pools": {key: pool}, "pinned": [key],
 "hand_layers": [[pool, gpu_model, [[term_months, gpus], ...]], ...], "assumptions": {name: value}, "greenfield",
 "advised_around": [[pool, gpu_model], ...] (absent: none), "decisions": table of Decision,
 "leak_decisions": table of LeakDecision, "price_case": low, mid or high (absent: mid),
 "splits": {key: {"permille"} or {"at_s"} or {"hours"}} (absent: none), "merges": {name: [key, ...]} (absent: none),
 "spells": {key: {"begins_s", "ends_s"}}, "changes": table of DemandChange, "planned": table of PlannedWork
 (absent: none)}
"""

from collections.abc import Mapping
from typing import Any, Final

from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, check_assumption
from gpuplanner.domain.model.dated import DemandChange, PlannedWork, Spell, check_planned, check_spell
from gpuplanner.domain.model.merging import check_merges
from gpuplanner.domain.model.parting import ShareSplit, Split, TimeSplit, WeekSplit, check_split
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.price_case import PriceCase
from gpuplanner.domain.model.scenario import Decision, HandLayer, LeakDecision, Scenario
from gpuplanner.files.field_types import check_fields
from gpuplanner.files.value_tables import attributes, rows_of, table, whole_number

_NO_ROWS: Final[Mapping[str, Any]] = {"fields": [], "rows": []}


def scenario_entry(scenario: Scenario) -> dict[str, object]:
    """A plan; what JSON has no word for is said at the top."""
    hand_layers = [
        [pool, gpu_model, [[layer.term_months, layer.gpus] for layer in layers]]
        for (pool, gpu_model), layers in scenario.hand_layers.items()
    ]
    return {
        "name": scenario.name,
        "start": scenario.start,
        "pools": dict(scenario.pools),
        "pinned": sorted(scenario.pinned),
        "hand_layers": hand_layers,
        "advised_around": sorted(
            ([pool, gpu_model] for pool, gpu_model in scenario.advised_around),
            key=lambda pair: (pair[0], pair[1] or ""),
        ),
        "assumptions": dict(scenario.assumptions),
        "greenfield": scenario.greenfield,
        "decisions": table(Decision, scenario.decisions),
        "leak_decisions": table(LeakDecision, scenario.leak_decisions),
        "price_case": scenario.price_case,
        "splits": {key: attributes(split) for key, split in scenario.splits.items()},
        "merges": {name: list(keys) for name, keys in scenario.merges.items()},
        "spells": {key: attributes(spell) for key, spell in scenario.spells.items()},
        "changes": table(DemandChange, scenario.changes),
        "planned": table(PlannedWork, scenario.planned),
    }


def scenario_of(entry: Mapping[str, Any]) -> Scenario:
    """What `scenario_entry` wrote. Errors: as for `rows_of`."""
    for name, value in entry["assumptions"].items():
        check_assumption(SPEC_BY_NAME[name], value)
    scenario = Scenario(
        name=entry["name"],
        start=entry["start"],
        pools=pools_of(entry["pools"]),
        pinned=frozenset(entry["pinned"]),
        hand_layers={
            (Pool(pool), gpu_model): tuple(HandLayer(term, gpus) for term, gpus in layers)
            for pool, gpu_model, layers in entry["hand_layers"]
        },
        advised_around=frozenset(
            (Pool(pool), gpu_model) for pool, gpu_model in entry.get("advised_around", [])
        ),
        assumptions=entry["assumptions"],
        greenfield=entry["greenfield"],
        decisions=rows_of(Decision, entry["decisions"]),
        leak_decisions=rows_of(LeakDecision, entry.get("leak_decisions", _NO_ROWS)),
        price_case=PriceCase(entry.get("price_case", PriceCase.MID)),
        splits={str(key): _split(split) for key, split in entry.get("splits", {}).items()},
        merges={str(name): tuple(map(str, keys)) for name, keys in entry.get("merges", {}).items()},
        spells={
            str(key): check_spell(str(key), Spell(**spell)) for key, spell in entry.get("spells", {}).items()
        },
        changes=rows_of(DemandChange, entry.get("changes", _NO_ROWS)),
        planned=tuple(map(check_planned, rows_of(PlannedWork, entry.get("planned", _NO_ROWS)))),
    )
    check_merges(scenario.merges)
    check_fields(Scenario, attributes(scenario).items())
    for layer in (layer for layers in scenario.hand_layers.values() for layer in layers):
        check_fields(HandLayer, attributes(layer).items())
    return scenario


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


def pools_of(entries: Mapping[str, str]) -> dict[str, Pool]:
    """Pools by their names."""
    return {key: Pool(pool) for key, pool in entries.items()}
