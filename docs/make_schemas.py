"""Write resources/json_schemas.json, which `gpuplanner schema COMMAND` prints: `python docs/make_schemas.py`.

The source is resources/json_fields.csv: document, path, type, unit and description of each field. `[]` in a path is an
item of an array, `*` a name from the log. Null is allowed everywhere except in the first three fields. With --check,
write nothing and list the fields that the code declares and the table does not have.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from gpuplanner.cli import place, size
from gpuplanner.cli.arguments import COMMAND_NAMES
from gpuplanner.cli.documents import (
    audit,
    awards,
    backtests,
    demand,
    energy,
    hardware_fit,
    intake,
    outlook,
    plan,
    tracks,
    unit_costs,
    waits,
    window_use,
    workloads,
)
from gpuplanner.cli.documents.head import SCHEMA
from gpuplanner.domain.audit.use_by import MODELS, TEAMS
from gpuplanner.domain.reports import (
    award,
    cash,
    changes,
    clusters,
    costs,
    leaks,
    mix,
    orders,
    plan_layers,
    savings,
    series,
    serving,
    training,
    use,
    waiting,
)
from gpuplanner.domain.reports.report import Column, Fields, Medium, Report, named
from gpuplanner.files.importing import read_facts
from gpuplanner.files.system.resources import rows_of

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "resources" / "json_schemas.json"
Schema = dict[str, Any]

_READ: Final = ("head", "reduce")
PARTS: Final[dict[str, tuple[str, ...]]] = {
    "reduce": _READ,
    "audit": (*_READ, "audit"),
    "plan": (*_READ, "audit", "plan"),
    "award": (*_READ, "award"),
    "queue": (*_READ, "queue"),
    "track": (*_READ, "track"),
    "backtest": (*_READ, "backtest"),
    "export": (*_READ, "audit", "plan", "export"),
}
"""Documents of the table that make up a command's document; of any other the head and its own fields."""
WITH_INTAKE: Final = ("size", "train", "place")
"""Commands that read files and no log: they have the intake of `reduce` and nothing else of it."""


# --- From the table to schemas -------------------------------------------------------------------


@cache
def rows() -> tuple[dict[str, str], ...]:
    """The table of fields."""
    return tuple(rows_of("json_fields.csv"))


def of_type(kind: str) -> Schema:
    """The schema of a type as the table names it: number, array of string, boolean|number, map, any."""
    if kind == "any":
        return {}
    name, _, items = kind.partition(" of ")
    made: Schema = {"type": [*("object" if one == "map" else one for one in name.split("|")), "null"]}
    if items:
        made["items"] = of_type(items)
    return made


def described(row: dict[str, str]) -> Schema:
    """The schema of a field without the fields inside it: type, description and unit."""
    unit = f" ({row['unit']})" if row["unit"] and row["unit"] not in row["description"] else ""
    return of_type(row["type"]) | {"description": f"{row['description']}{unit}."}


def add(made: Schema, path: str, below: Schema) -> None:
    """Add a field to the schema of a document, at its path."""
    *inside, last = path.split(".")
    for name in inside:
        plain = name.rstrip("[]")
        made = made["additionalProperties"] if plain == "*" else made["properties"][plain]
        for _ in range(name.count("[]")):
            made = made["items"]
    if last == "*":
        made["additionalProperties"] = below
    else:
        made.setdefault("properties", {})[last] = below


def schema_of(command: str) -> Schema:
    """The JSON Schema of a command's document."""
    first = {"schema": {"const": SCHEMA}, "command": {"const": command}}
    made: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"gpuplanner {command} --json",
        "type": "object",
        "required": ["schema", "command", "version"],
    }
    parts = PARTS.get(command, ("head", command))
    for row in rows():
        is_intake = row["path"].partition(".")[0] == "intake" and command in WITH_INTAKE
        if row["document"] in parts or (row["document"] == "reduce" and is_intake):
            add(made, row["path"], described(row) | first.get(row["path"], {}))
    return made


def schemas() -> str:
    """The schemas of all commands, one a line."""
    lines = (
        f'"{command}": {json.dumps(schema_of(command), separators=(",", ":"))}' for command in COMMAND_NAMES
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def of(report: Report) -> Fields:
    """What documents have of a row of a report."""
    return report.columns_in(Medium.DOCUMENT)


# --- Fields that the code declares ----------------------------------------------------------------

COUNTS: Final = (*of(clusters.CLASSES),)
ENERGY_PARTS: Final = tuple(
    map(named, ("workloads", "teams", "contracts", "overflow", "sites", "by_pool", "today"))
)
CLUSTER: Final = (*of(clusters.CLUSTERS), *window_use.CONTENTION, *window_use.CLUSTER_USE, *mix.OF_CLUSTER)
OBJECTS: Final[dict[str, Fields]] = {
    "head": tuple(map(named, ("schema", "command", "version"))),
    "intake": (named("files"),),
    "intake.files[]": intake.FILE,
    "window": demand.WINDOW,
    "jobs": demand.JOBS,
    "cube": (*demand.CUBE, named("sha256")),
    "classes": tuple(map(named, ("training", "inference", "burst"))),
    "classes.training": COUNTS,
    "workloads[]": workloads.WORKLOAD,
    "rules[]": audit.RULE,
    "clusters[]": CLUSTER,
    "contracts[]": (*of(clusters.CONTRACTS), *window_use.CONTRACT_USE),
    "bridge": window_use.WHOLE_BRIDGE,
    "restart_delays": audit.RESTART_DELAYS,
    "by_gpu_model[]": of(use.USES[MODELS]),
    "by_team[]": (*of(use.USES[TEAMS]), *window_use.TEAM_WEEK),
    "leaks[]": of(leaks.LEAKS),
    "leaks_total": audit.LEAKS_TOTAL,
    "chargeback[]": costs.OF_ASKED,
    "hardware_fit[]": hardware_fit.WORKLOAD_FIT,
    "hardware_fit_pools[]": hardware_fit.POOL_FIT,
    "energy": (*energy.ENERGY, *ENERGY_PARTS),
    "energy.today": energy.ENERGY,
    "energy.workloads[]": of(use.ENERGY_OF_WORKLOADS),
    "energy.contracts[]": of(use.ENERGY_OF_CONTRACTS),
    "energy.teams[]": of(use.ENERGY_OF_TEAMS),
    "energy.overflow[]": (named("cluster"), *energy.AMOUNTS),
    "energy.sites[]": energy.SITE,
    "energy.by_pool[]": of(use.ENERGY_OF_PLAN),
    **{f"{name}[]": of(one) for name, one in (*mix.LISTED.items(), *cash.PAID.items())},
    "hidden_share": of(mix.HIDDEN),
    "series[]": of(series.MONTHS),
    "quarter[]": of(mix.QUARTER),
    "checks[]": audit.CHECK,
    "unit_costs": (
        named("run_gap_hours"),
        *map(named, ("runs", "models", "endpoints", "experiments", "retraining")),
        named("consolidation_premium_usd_per_month"),
        named("rate_premium_usd_per_month"),
        named("idle_premium_usd_per_month"),
    ),
    "unit_costs.runs[]": of(costs.RUNS),
    "unit_costs.models[]": of(costs.MODELS),
    "unit_costs.endpoints[]": of(costs.ENDPOINTS),
    "unit_costs.experiments[]": of(costs.EXPERIMENTS),
    "unit_costs.retraining[]": of(costs.RETRAININGS),
    "business[]": of(costs.BUSINESS_COSTS),
    "variance": (named("before"), named("after"), *changes.TOTALS, named("clusters")),
    "variance.before": unit_costs.PERIOD,
    "variance.after": unit_costs.PERIOD,
    "variance.clusters[]": of(changes.CHANGES),
    "pools[]": plan.POOL,
    "idle_existing[]": of(plan_layers.IDLE),
    "orders[]": (*of(orders.ORDERS), *orders.NUMBERED),
    "planned_runs[]": plan.PLANNED_RUN,
    "planned_runs[].alternatives[]": plan.RUN_WAY,
    "recurring_runs[]": plan.RECURRING,
    "log_support[]": outlook.LOG_SUPPORT,
    "spot[]": outlook.SPOT,
    "contract_verdicts[]": of(orders.VERDICT_ROWS),
    "totals": plan_layers.TOTALS,
    "at_least": plan_layers.AT_LEAST,
    "horizons[]": of(savings.QUESTION),
    "comparison[]": plan.COMPARISON_MONTH,
    "savings_steps[]": savings.STEP,
    "savings_offered[]": savings.OFFERED_STEP,
    "next_decisions[]": of(orders.NEXT_DECISIONS),
    "savings_buy": savings.BUY,
    "limits[]": of(savings.LIMITS),
    "separation_avoids": savings.AVOIDED,
    "price_paths[]": outlook.PRICE_PATH,
    "price_changes[]": plan.PRICE_CHANGE,
    "price_falls[]": outlook.PRICE_FALL,
    "interruptions": outlook.INTERRUPTIONS,
    "interruptions.by_model[]": outlook.OBSERVED_MODEL,
    "unserved[]": plan.UNSERVED,
    "uncertainty": outlook.UNCERTAINTY,
    "coverage": outlook.COVERAGE,
    "one_provider[]": of(savings.PROVIDERS_ALONE),
    "one_provider[].not_served[]": savings.NOT_SERVED,
    "price_pairs[]": of(award.PRICE_PAIRS),
    "worth_signing[]": of(award.OFFER_WORTHS),
    "price_sensitivity[]": outlook.PRICE_CASE,
    "flip_points[]": outlook.FLIP_POINT,
    "decisions[]": plan.DECISION,
    "data_quality": read_facts.DATA_QUALITY,
    "waits[]": of(waiting.LOG_WAITS),
    "waiting[]": waits.OF_POOL,
}
"""Of the documents of `reduce`, `audit` and `plan`; what stands inside these is found in them."""


def found_in(path: str, table: Fields) -> Iterator[tuple[str, Fields]]:
    """An object and all that stand inside it: path, and what each has of its own."""
    own: dict[str, Column] = {}
    inner: dict[str, list[Column]] = {}
    for column in table:
        name, _, rest = column.json_name.partition(".")
        own.setdefault(name, named(name) if rest else column)
        if rest:
            inner.setdefault(name, []).append(Column(figure=column.figure, key=rest, form=column.form))
    yield path, tuple(own.values())
    for name, column in own.items():
        if column.holds:
            yield from found_in(f"{path}.{name}{'[]' if column.is_list else ''}", column.holds)
    for name, columns in inner.items():
        yield f"{path}.{name}", tuple(columns)


@cache
def objects() -> dict[str, Fields]:
    """Every object of a plan's document, by path."""
    return {path: table for top, of_top in OBJECTS.items() for path, table in found_in(top, of_top)}


# --- Documents of a few objects, each in one table -----------------------------------------------


OF_BACKTEST: Final = (
    Column(key="folds", holds=backtests.FOLD, is_list=True),
    Column(key="totals", holds=backtests.BACKTEST_TOTALS),
    *map(named, ("verdict", "caveat")),
    Column(key="variants", holds=backtests.VARIANT, is_list=True),
    named("suggestion"),
)
OF_SIZING: Final = (
    *map(named, ("model", "gpu_model")),
    Column(key="best", holds=size.ROW_ID),
    Column(key="runner_up", holds=size.BESIDE),
    Column(key="nearest", holds=size.BESIDE),
    Column(key="measured", holds=of(serving.MEASURED), is_list=True),
    Column(key="ratios", holds=of(serving.RATIOS), is_list=True),
    Column(key="api", holds=size.API),
    Column(key="shorter_ways", holds=size.WAY, is_list=True),
    Column(key="planned", holds=size.PLANNED, is_list=True),
    Column(key="regions", holds=size.REGION, is_list=True),
    Column(key="regions_in_all", holds=size.REGIONS_IN_ALL),
    Column(key="egress", holds=size.EGRESS),
    Column(key="autoscaling", holds=size.REPLAY),
    Column(key="rows", holds=of(serving.SIZES), is_list=True),
    Column(key="architecture", holds=size.ARCHITECTURE),
    Column(key="load", holds=size.LOAD),
    Column(key="terms", holds=size.TERMS),
)
OF_TRAINING: Final = (
    *map(named, ("model", "tokens", "left_out")),
    Column(key="best", holds=training.BEST),
    Column(key="rows", holds=of(training.TRAINING_RUNS), is_list=True),
    Column(key="largest_model_b", holds=training.LARGEST, is_list=True),
    Column(key="network_cost", holds=training.NETWORK_COST, is_list=True),
    Column(key="chips", holds=of(training.CHIPS), is_list=True),
    Column(key="virtual", holds=training.VIRTUAL),
)
OF_PLACEMENT: Final = (
    Column(key="current", holds=place.CURRENT),
    Column(key="proposed", holds=place.PROPOSAL, is_list=True),
    *map(named, ("cheapest_within_80_ms", "left_out", "egress_usd_per_month")),
    Column(key="egress", holds=place.EGRESS),
    *map(named, ("only", "checks", "notes")),
)
OF_AWARD: Final = (
    *map(named, ("order_day", "sla_percent", "max_provider_share")),
    Column(key="shares", holds=awards.SHARE, is_list=True),
    *map(named, ("shares_of_usd", "max_prepaid_usd")),
    Column(
        key="rows",
        holds=(
            *awards.AWARD_ROW,
            *map(named, ("asked_as", "open_gpus", "open_reason")),
            Column(key="awards", holds=awards.GIVEN, is_list=True),
        ),
        is_list=True,
    ),
    *map(named, ("options",)),
    Column(key="considered", holds=awards.CONSIDERED, is_list=True),
    Column(key="totals", holds=awards.AWARD_TOTALS),
    Column(key="vendors", holds=of(award.VENDORS), is_list=True),
    Column(key="quotes", holds=of(award.QUOTE_ENTRIES), is_list=True),
)
OF_TRACK: Final = (
    *tracks.TRACK_TOTALS,
    Column(key="rows", holds=of(changes.ROW_ENTRIES), is_list=True),
    Column(key="contracts", holds=of(changes.BURN_DOWNS), is_list=True),
    Column(key="quarters", holds=changes.OF_QUARTER, is_list=True),
)
OF_QUEUE: Final = (
    named("submit_known"),
    Column(key="measured", holds=(Column(key="POOL", holds=waits.ROW),)),
    *map(named, ("today", "replayed")),
    Column(
        key="calibrated",
        holds=(
            Column(
                key="POOL",
                holds=(
                    *(named(f"{one}_{side}_h") for one in ("p50", "p90", "p99") for side in ("low", "high")),
                    named("miss"),
                ),
            ),
        ),
    ),
    *map(named, ("error", "by_model")),
    Column(key="frontier", holds=of(waiting.SIZES), is_list=True),
    Column(key="target", holds=waits.TARGET),
    Column(key="windows", holds=of(waiting.WINDOWS), is_list=True),
    *map(named, ("never_fit", "fragment_gpu_hours", "fragment_usd")),
)
FLAT: Final[dict[str, Fields]] = {
    "backtest": OF_BACKTEST,
    "size": OF_SIZING,
    "train": OF_TRAINING,
    "place": OF_PLACEMENT,
    "award": OF_AWARD,
    "track": OF_TRACK,
    "queue": OF_QUEUE,
}
"""Documents of a few objects, each in one table."""


def inside(table: Fields, before: str = "") -> Iterator[str]:
    """The paths of a table and of all that its fields contain. POOL stands for a name from the log."""
    for column in table:
        name = f"{before}{column.json_name}".replace("POOL", "*")
        yield name
        yield from inside(column.holds, f"{name}{'[]' * column.is_list}.")


def declared() -> Iterator[tuple[str, str]]:
    """Document and path of every field that the code declares; a plan's document stands for its parts."""
    for path, table in objects().items():
        before = "" if path == "head" else f"{path}."
        yield from (("plan", f"{before}{column.json_name}") for column in table)
    for command, table in FLAT.items():
        yield from ((command, path) for path in inside(table))


def without_row() -> list[tuple[str, str]]:
    """Fields that the code declares and the table does not have."""
    known = {(row["document"], row["path"]) for row in rows()}
    return [
        (command, path)
        for command, path in declared()
        if not any((part, path) in known for part in PARTS.get(command, ("head", command)))
    ]


def main() -> int:
    """Write the schemas. Exit status: 1 where a declared field has no row or, with --check, the file is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    missing = without_row()
    sys.stdout.writelines(f"no row in json_fields.csv: {command} {path}\n" for command, path in missing)
    made = schemas()
    is_stale = made != OUT.read_text(encoding="utf-8")
    if not is_check:
        OUT.write_text(made, encoding="utf-8")
    return int(bool(missing) or (is_check and is_stale))


if __name__ == "__main__":
    sys.exit(main())
