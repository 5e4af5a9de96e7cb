"""Random lists of the planner under our own columns, and lists of other tools with random damage, as lines.

A case names a list and a seed, such as `budgets 3` or `sinfo 2`.
"""

import json
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.lists import (
    budgets,
    business_figures,
    class_rules,
    interruptions,
    place_tables,
    planned_work,
    same_names,
    scheduler_limits,
    serving_results,
    traffic_tables,
    training_points,
)
from gpuplanner.files.lists.served_models import read_model
from gpuplanner.files.lists.trained_models import trained_model
from gpuplanner.files.system.resources import read_served_models
from gpuplanner.files.tables.small_table import TableKind
from tests.files.damaged import damaged
from tests.files.lists import (
    test_interruptions,
    test_served_models,
    test_serving_results,
    test_traffic_tables,
)
from tests.files.lists.nodes.test_inventories import INVENTORIES
from tests.files.lists.test_node_lists import LISTS
from tests.files.read_tables import file_lines, refusal_line
from tests.files.sources_of_text import text_source
from tests.shown import shown

# --- Our own lists -------------------------------------------------------------------------------

CELLS: Final[Mapping[str, tuple[str, ...]]] = {
    "accepted": ("yes", "no"),
    "active_params_b": ("", "", "22", "0"),
    "activation_checkpointing": ("", "full", "selective", "none", "half"),
    "allowed_site_countries": ("NO;DE", "US", "", "EU", "NO, SE"),
    "available": ("1", "0", "true", "false", "3", "", "many"),
    "begins": ("2026-09-01", "2026-10-15T06:00:00Z", "", "soon", "2027-01-01"),
    "city": ("Oslo", "Frankfurt", "Sydney", "Lima", ""),
    "cluster": ("", "atlas", "bora"),
    "confidence": ("0.9", "0.5", "1", "", "much", "2"),
    "country": ("NO", "DE", "AU", "PE", "Norway", "", "XX"),
    "cp": ("", "2"),
    "current": ("yes", "no", "", "1"),
    "dp": ("", "8"),
    "egress_usd_per_gb": ("", "0.09", "-1"),
    "host": ("fra.example.com", "", "https://a.example/ok", "a b"),
    "end": ("2026-01-05T15:00:00Z", "", "2026-01-06", "2026-01-05T09:00:00Z"),
    "ends": ("2026-12-01", "2027-09-01", "", "2026-08-01"),
    "ep": ("", "4"),
    "event": ("launched", "preempted", "stopped", "rebooted", ""),
    "every_hours": ("", "24", "168", "0"),
    "field": ("name", "owner", "queue", "cluster", "colour", ""),
    "figure": ("orders", "users", "orders per day", ""),
    "global_batch": ("512", "", "x"),
    "gpu_model": ("H100", "A100 80GB", "", "L40S", "GPU"),
    "gpus": ("8", "64", "0.5", "0", "", "1,024", "many"),
    "gpus_per_node": ("8", "", "4"),
    "grid_kg_co2_per_kwh": ("", "0.03", "9"),
    "hidden": ("4096", ""),
    "hours": ("always", "mon-fri 08-20", "sat,sun 00-24", "fri-mon 22-24", "", "8-20", "mon 20-08"),
    "key": ("", "chat", "atlas/ann/chat"),
    "kind": ("training", "cluster", "model", "", "team"),
    "latest_finish": ("", "2026-12-01", "2026-09-02"),
    "latitude": ("59.9", "50.1", "-33.9", "95", "", "0", "33.9"),
    "layers": ("32", ""),
    "length_hours": ("", "72", "0", "1000"),
    "longitude": ("10.7", "8.7", "151.2", "-77", "200", "0"),
    "max_gpus": ("4", "64", "0", "", "lots", "-1"),
    "micro_batch": ("1", ""),
    "model": ("Llama 3.1 8B", "Llama-3.1-70B", "GPT-9", ""),
    "month": ("2026-08", "2026-09", "2026-13", "Aug 2026", "2026-08-15", ""),
    "name": ("rollouts", "eval", "eval", "", "batch of ann"),
    "nic_gbps": ("400", ""),
    "node": ("a", "b", ""),
    "one_way_ms": ("12.5", "80", "-1", "", "fast", "1000000", "1000001"),
    "ours": ("H100", "atlas", "", "ann"),
    "owner": ("ann", ""),
    "params_b": ("8", "70", "", "x"),
    "pattern": ("rollouts?", "sft", ".*", "", "(", "a|b"),
    "pool": ("training", "inference", "burst", "fast", "Burst", ""),
    "pp": ("", "2"),
    "precision": ("BF16", "FP8", ""),
    "provider": ("Lambda", "Fern", ""),
    "proxy": ("", "yes"),
    "qos": ("", "high", "normal"),
    "partition": ("", "gpu"),
    "account": ("", "ml", "*"),
    "user": ("", "ann", "bob", "*"),
    "reason": ("", "by ann"),
    "rule_id": ("a", "b", "a", ""),
    "sequence": ("8192", ""),
    "sharding": ("", "ZeRO-1", "FSDP", "none", "odd"),
    "shares": ("", "2", "0", "1.5"),
    "site_id": ("eu", "us", "eu", ""),
    "stack": ("", "megatron", "plain"),
    "start": ("2026-01-05T10:00:00Z", "2026-01-05", "", "x"),
    "subtype": ("", "rollouts", "x" * 70),
    "task": ("", "pretraining", "LoRA"),
    "team": ("vision", "speech", "hr", "vision", ""),
    "theirs": ("NVIDIA-H100", "a1", "", "anna"),
    "timestamp": ("2026-01-05T10:00:00Z", "2026-01-05T13:00:00Z", "2026-01-05T17:00:00Z", "", "x"),
    "tp": ("", "2", "8"),
    "usd_per_month": ("60000", "1200.5", "", "-1", "1,000", "x"),
    "users": ("5", "1000", "", "-3", "0"),
    "value": ("120000", "0.5", "-1", "", "many"),
    "vp": ("", "2"),
}
"""What the cells of our own columns hold, sound and not."""
OWN: Final[Mapping[str, TableKind[Any]]] = {
    "budgets": budgets.BUDGETS,
    "business": business_figures.BUSINESS,
    "rules": class_rules.RULES,
    "limits": scheduler_limits.LIMITS,
    "points": training_points.POINTS,
    "users": place_tables.USERS,
    "sites": place_tables.SITES,
    "measured": place_tables.MEASURED,
    "residency": place_tables.RESIDENCY,
    "planned": planned_work.PLANNED,
    "same": same_names.SAME,
}


def list_text(kind: str, seed: int) -> str:
    """Return a random list under our own columns; columns that it can do without are left out now and then."""
    chance = random.Random(f"{kind} {seed}")
    needed = {name for names in OWN[kind].needed for name in names}
    columns = [name for name in OWN[kind].columns if name in needed or chance.random() < 0.8]
    rows = [[_cell(chance, name) for name in columns] for _ in range(chance.randint(4, 7))]
    if chance.random() < 0.3:
        rows.append(rows[0])
    return "".join(",".join(cells) + "\n" for cells in (columns, *rows))


def _cell(chance: random.Random, name: str) -> str:
    """Return a sound text three times of four; the first texts of a column are sound."""
    cells = CELLS[name]
    cell = chance.choice(cells[:2] if chance.random() < 0.75 else cells)
    return f'"{cell}"' if "," in cell else cell


def own_list_lines(case: str) -> str:
    """Return a random list, its values, and what is said of its rows."""
    kind, _, seed = case.rpartition(" ")
    text = list_text(kind, int(seed))
    path = str(text_source(text, f"{kind}.csv").at)
    try:
        if kind == "same":
            same = same_names.import_same([path])
            values: Iterable[Any] = same.said
            files = same.intake
        else:
            reader = planned_work.import_planned if kind == "planned" else OWN[kind].read_files
            read = reader([path])
            values = read.works if kind == "planned" else read.values
            files = read.intake
    except PlannerError as error:
        return text + refusal_line(error)
    return "\n".join((text, *map(shown, values), *_said_of(files))).replace(path, f"{kind}.csv")


def _said_of(files: Iterable[Any]) -> list[str]:
    return [
        line
        for file in files
        for line in (*file_lines(file), *(f"{name} {shown(value)}" for name, value in file.facts))
    ]


# --- Lists of other tools ------------------------------------------------------------------------


REGIONS: Final = json.dumps(
    {
        "us-east-1": {"name": "Virginia", "latitude": 38.9, "longitude": -77.4},
        "eu-central-1": {"name": "Frankfurt", "latitude": 50.1, "longitude": 8.7},
        "sa-east-1": {"name": "Brazil", "latitude": -23.5, "longitude": -46.6},
        "ap-southeast-2": {"name": "Australia", "latitude": 33.9, "longitude": 151.2},
        "xx-1": {"name": "nowhere", "latitude": 95, "longitude": 8.7},
        "xx-2": {"name": "nowhere"},
        "xx-3": "none",
    },
    indent=1,
)
COUNTRIES: Final = json.dumps(
    [
        {"country": "NO", "latitude": 60.5, "longitude": 8.5, "name": "Norway"},
        {"country": "NA", "latitude": -22.9, "longitude": 18.5, "name": "Namibia"},
        {"country": "AU", "latitude": 25.3, "longitude": 133.8, "name": "Australia"},
        {"country": "PE", "latitude": -9.2, "longitude": -181, "name": "Peru"},
        {"country": "XX", "latitude": "", "longitude": "", "name": ""},
    ],
    indent=1,
)


def _texts() -> Mapping[str, str]:
    """Return the sound files of other tools by name."""
    results = {
        f"results of {name}": json.dumps(form, indent=1) for name, form in test_serving_results.FORMS.items()
    }
    results |= {
        "results in YAML": test_serving_results.LLM_D_YAML,
        "results of MLPerf": test_serving_results.MLPERF,
    }
    traffic = {f"traffic of {name}": text for name, text in test_traffic_tables.TRACES.items()}
    traffic |= {"traffic": test_traffic_tables.OURS, "traffic of others": test_traffic_tables.OF_OTHERS}
    traffic |= {
        "traffic of a week": "hour_of_week,requests_per_s\n"
        + "".join(f"{hour},{hour % 5}\n" for hour in range(168))
    }
    models = {
        f"model {name}": json.dumps(config, indent=1)
        for name, config in (
            ("llama", test_served_models.LLAMA),
            ("own", test_served_models.OWN),
            ("mixtral", test_served_models.MIXTRAL),
            ("deepseek", test_served_models.DEEPSEEK),
        )
    }
    stays = {f"interruptions by {name}": text for name, (text, *_) in test_interruptions.FILES.items()}
    return {
        "regions": REGIONS,
        "countries": COUNTRIES,
        **LISTS,
        **INVENTORIES,
        **results,
        **traffic,
        **models,
        **stays,
    }


TEXTS: Final = _texts()


def other_list_lines(case: str) -> str:
    """Return what is read of a list of another tool, and what is said of its rows."""
    name, _, seed = case.rpartition(" ")
    text = damaged(TEXTS[name], int(seed))
    path = str(text_source(text, "list").at)
    lines = [] if seed == "0" else [text]
    try:
        lines += _said_of(check_file(path))
        lines += [shown(value) for value in _values(name)(path)]
    except PlannerError as error:
        lines.append(refusal_line(error))
    return "\n".join(lines).replace(path, "list").replace(path.rpartition("/")[0], "")


def _values(name: str) -> Callable[[str], Iterable[Any]]:
    """Return the reader of a list's values."""
    if name.startswith("results"):
        return lambda path: serving_results.read_points(path)
    if name.startswith("traffic"):
        return lambda path: [traffic_tables.read_load(path)[0]]
    if name.startswith("model"):
        return lambda path: [read_model(path, read_served_models())[0], trained_model(path)[0]]
    if name.startswith("interruptions"):
        return lambda path: [file.kind for file in interruptions.import_interruptions([path]).intake]
    return lambda path: import_contracts([path]).contracts
