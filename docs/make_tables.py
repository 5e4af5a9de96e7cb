"""Writes the tables of these pages that declarations hold: `python docs/make_tables.py`.

A table stands between `<!-- made: NAME -->` and `<!-- end -->`. What a declaration says comes first in its last
column; what only a person can say of a row stands in remarks.toml, under the table's name and the row's.
"""

import argparse
import ast
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from gpuplanner.cli import arguments, place, size
from gpuplanner.cli.documents import audit, head, plan, plan_results, workloads
from gpuplanner.domain.audit.use_by import MODELS, TEAMS
from gpuplanner.domain.figures import subjects
from gpuplanner.domain.figures.figure import Figure, Quantity, leaf
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.assumptions import ASSUMPTIONS, AssumptionSpec, AssumptionValue
from gpuplanner.domain.model.book.price_book import OFFER_FIELDS
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
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.workbook.kit.looks import SHEETS
from gpuplanner.ui.words.commands import COMMANDS
from gpuplanner.ui.words.glossary import WORDS

DOCS: Final = Path(__file__).resolve().parent
Rows = Iterable[tuple[Text, ...]]
MADE: Final = re.compile(r"(<!-- made: ([^>]+?) -->\n).*?(<!-- end -->)", re.S)


def of(report: Report) -> Fields:
    """What documents have of a row of a report."""
    return report.columns_in(Medium.DOCUMENT)


# --- The objects of documents: their path, as the page heads it, and what is declared of them ----

COUNTS: Final = (*of(clusters.CLASSES),)
ENERGY_PARTS: Final = tuple(
    map(named, ("workloads", "teams", "contracts", "overflow", "sites", "by_pool", "today"))
)
CLUSTER: Final = (*of(clusters.CLUSTERS), *audit.CONTENTION, *audit.CLUSTER_USE, *mix.OF_CLUSTER)
OBJECTS: Final[dict[str, Fields]] = {
    "head": tuple(map(named, ("schema", "command", "version"))),
    "intake": (named("files"),),
    "intake.files[]": head.FILE,
    "window": audit.WINDOW,
    "jobs": audit.JOBS,
    "cube": (*audit.CUBE, named("sha256")),
    "classes": tuple(map(named, ("training", "inference", "burst"))),
    "classes.training": COUNTS,
    "workloads[]": workloads.WORKLOAD,
    "rules[]": audit.RULE,
    "clusters[]": CLUSTER,
    "contracts[]": (*of(clusters.CONTRACTS), *audit.CONTRACT_USE),
    "bridge": audit.WHOLE_BRIDGE,
    "by_gpu_model[]": of(use.USES[MODELS]),
    "by_team[]": (*of(use.USES[TEAMS]), *audit.TEAM_WEEK),
    "leaks[]": of(leaks.LEAKS),
    "leaks_total": audit.LEAKS_TOTAL,
    "chargeback[]": costs.OF_ASKED,
    "hardware_fit[]": workloads.WORKLOAD_FIT,
    "hardware_fit_pools[]": workloads.POOL_FIT,
    "energy": (*workloads.ENERGY, *ENERGY_PARTS),
    "energy.today": workloads.ENERGY,
    "energy.workloads[]": of(use.ENERGY_OF_WORKLOADS),
    "energy.contracts[]": of(use.ENERGY_OF_CONTRACTS),
    "energy.teams[]": of(use.ENERGY_OF_TEAMS),
    "energy.overflow[]": (named("cluster"), *workloads.AMOUNTS),
    "energy.sites[]": workloads.SITE,
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
    "variance.before": audit.PERIOD,
    "variance.after": audit.PERIOD,
    "variance.clusters[]": of(changes.CHANGES),
    "pools[]": plan.POOL,
    "idle_existing[]": of(plan_layers.IDLE),
    "orders[]": of(orders.ORDERS),
    "planned_runs[]": plan.PLANNED_RUN,
    "planned_runs[].alternatives[]": plan.RUN_WAY,
    "log_support[]": plan.LOG_SUPPORT,
    "spot[]": plan.SPOT,
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
    "price_paths[]": plan.PRICE_PATH,
    "price_changes[]": plan.PRICE_CHANGE,
    "price_falls[]": plan.PRICE_FALL,
    "interruptions": plan.INTERRUPTIONS,
    "interruptions.by_model[]": plan.OBSERVED_MODEL,
    "unserved[]": plan.UNSERVED,
    "uncertainty": plan.UNCERTAINTY,
    "coverage": plan.COVERAGE,
    "one_provider[]": of(savings.PROVIDERS_ALONE),
    "one_provider[].not_served[]": savings.NOT_SERVED,
    "price_pairs[]": of(award.PRICE_PAIRS),
    "worth_signing[]": of(award.OFFER_WORTHS),
    "price_sensitivity[]": plan.PRICE_CASE,
    "decisions[]": plan.DECISION,
    "data_quality": read_facts.DATA_QUALITY,
    "waits[]": of(waiting.LOG_WAITS),
    "waiting[]": plan.OF_POOL,
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
            inner.setdefault(name, []).append(Column(column.figure, rest, form=column.form))
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


def field_row(path: str, column: Column, called: str = "") -> tuple[Text, ...]:
    """A field as the page lists it: its name, its unit, and how its figure is worked out."""
    name = column.json_name
    return f"`{called or name}`", unit_of(column), words_of(f"{path}.{name}", column.figure)


def field_rows(path: str) -> Rows:
    """The fields of one object."""
    return [field_row(path, column) for column in objects()[path]]


ENDS: Final = (
    ("usd_per_gpu_hour", "$ per GPU-h"),
    ("gpu_hours", "GPU-h"),
    ("_gpus", "GPUs"),
    ("_hours", "h"),
    ("_ms", "ms"),
    ("_gb", "GB"),
    ("_share", "0 to 1"),
    ("utilization", "0 to 1"),
    ("coverage", "0 to 1"),
    ("kwh_per_month", "kWh"),
    ("kg_co2_per_month", "kg"),
    ("_days", "days"),
    ("_percent", "%"),
    ("_months", "months"),
    ("_tokens", "tokens"),
)
"""What a name says of its unit, by how it ends or what is in it."""
ALONE: Final = {
    "hours": "h", "gpus": "GPUs", "jobs": "jobs", "share": "0 to 1", "usd": "$", "confidence": "0 to 1",
    "activity": "0 to 1", "utilization": "0 to 1", "kwh": "kWh", "km": "km",
}  # fmt: skip


def unit_of(column: Column) -> Text:
    """The unit of a field: of its figure, or as its name has it; empty for texts and flags."""
    name = column.json_name
    if column.holds or name.startswith(("is_", "below_", "has_", "over_")):
        return ""
    if column.form == "date":
        return "time"
    if re.search(r"(^|_)usd(_|$)", name) and not name.endswith("per_gpu_hour"):
        return "$"
    told = next((unit for end, unit in ENDS if name.endswith(end)), "")
    if told or name in ALONE:
        return told or ALONE[name]
    if "gpu_hours_" in name:
        return "GPU-h"
    return "" if column.figure is None else column.figure.unit.label


def flat_rows(document: str, table: Fields, before: str = "") -> Iterator[tuple[Text, ...]]:
    """The fields of a document in one table, each with the fields that it stands inside before it."""
    for column in table:
        name = f"{before}{column.json_name}"
        if not column.holds:
            yield field_row(f"{document}.{before}".rstrip("."), column, name)
        else:
            name += "[]" * column.is_list
            yield f"`{name}`", "", remark("fields", f"{document}.{name}")
            yield from flat_rows(document, column.holds, f"{name}.")


# --- What declarations and people say of a row ---------------------------------------------------


@cache
def remarks() -> dict[str, dict[str, str]]:
    """What is said by hand, by table and row."""
    return tomllib.loads((DOCS / "remarks.toml").read_text("utf-8"))


def remark(table: str, row: str) -> str:
    """What is said of a row by hand; empty where nothing is."""
    return remarks().get(table, {}).get(row, "")


def said(declared: Text, by_hand: str) -> str:
    """Both, the declared words first."""
    words = str(declared).rstrip(".")
    if words[1:2].islower() or words[1:2] == " ":
        words = words[0].lower() + words[1:]
    return "; ".join(filter(None, (words, by_hand)))


def words_of(path: str, figure: Figure | None) -> str:
    """How a figure is worked out, and what is said of the field by hand."""
    return said("" if figure is None else sentence_of(figure), remark("fields", path))


def sentence_of(figure: Figure) -> str:
    """The first sentence of its formula; of an input empty."""
    words = "" if figure.formula is None else inspect.getdoc(figure.formula) or ""
    return words.partition("\n")[0].rstrip(".")


# --- Tables, by name -----------------------------------------------------------------------------


def assumption_rows() -> Rows:
    """Name, title, unit, default and range of every assumption."""
    for spec in ASSUMPTIONS:
        low, high = (shown(spec, bound) for bound in (spec.low, spec.high))
        words = "true, false" if spec.kind == "flag" else ", ".join(spec.choices)
        span = words or f"{low} to {high}".replace("-", "\u2212")
        yield f"`{spec.name}`", spec.title, spec.unit, shown(spec, spec.default), span


def shown(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """A value as `--set` takes it."""
    if value is None:
        return "not set"
    if spec.kind == "flag":
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return f"{100 * float(value):g}%" if spec.kind == "ratio" else f"{float(value):g}"


def shortcut_rows() -> Rows:
    """The commands of the window that have a shortcut."""
    for command in COMMANDS:
        if command.shortcut:
            yield f"`{command.shortcut}`", command.title.rstrip("\u2026").replace("/", ", ")


def word_rows() -> Rows:
    """The glossary of *Help*: each word with its meaning."""
    return WORDS.items()


SUBJECTS: Final = {one.name: one for one in subjects.SUBJECTS}


def figure_rows(names: str) -> Rows:
    """Figures of some subjects that have a formula; one of several subjects is shown for the first of them."""
    for name in names.split():
        for figure in SUBJECTS[name].figures:
            if figure.formula is not None and first_subjects()[figure.key, figure.formula] == name:
                unit = str(figure.unit.label).removesuffix(" in the window")
                yield (
                    f"`{figure.key}`{', ' if unit else ''}{unit}",
                    sentence_of(figure),
                    f"`{formula_of(figure)}`",
                    example_of(name, figure),
                )


@cache
def first_subjects() -> dict[tuple[str, Callable[..., object] | None], str]:
    """By key and formula the first subject that has the figure."""
    return {
        (one.key, one.formula): name
        for name, of in reversed(SUBJECTS.items())
        for one in reversed(of.figures)
    }


def figure_sources(names: str) -> str:
    """Modules of the formulas of some subjects, from the package on."""
    modules = {
        one.formula.__module__
        for name in names.split()
        for one in SUBJECTS[name].figures
        if one.formula is not None
    }
    paths = (f"`{module.removeprefix('gpuplanner.').replace('.', '/')}.py`" for module in sorted(modules))
    return f"Source: {', '.join(paths)}.\n"


@cache
def examples() -> dict[str, float]:
    """Inputs of worked examples, by figure or by subject and figure."""
    return tomllib.loads((DOCS / "examples.toml").read_text("utf-8"))


@cache
def worked_example(name: str) -> dict[str, Quantity]:
    """Every figure of a subject, worked out by its formula from the inputs of its example.

    Errors: KeyError for an input that has none.
    """
    subject, given = SUBJECTS[name], examples()
    needed = {key for figure in subject.figures for key in figure.parameters}
    return subject.worked_out(
        {
            figure.key: leaf(
                given.get(f"{name}.{figure.key}", given.get(figure.key)), figure.unit, figure.name
            )
            for figure in subject.figures
            if figure.formula is None and figure.key in needed
        }
    )


def example_of(name: str, figure: Figure) -> str:
    """The formula with the numbers of the example, and its result."""
    found = worked_example(name)
    result = found[figure.key]
    inputs = {key: ast.Name(in_digits(found[key], 6)) for key in figure.parameters}
    return f"{written(Filled(inputs).visit(expression_of(figure)))} = **{in_digits(result)}**"


def in_digits(quantity: Quantity, digits: int = 4) -> str:
    """So many significant digits, or all digits of a whole number."""
    value = quantity.number
    if value is None:
        return "unknown"
    if abs(value) >= 1000 or value == round(value):
        return f"{value:,.0f}".replace("-", "\u2212")
    return f"{value:.{digits}g}".replace("-", "\u2212")


def formula_of(figure: Figure) -> str:
    """A formula in one line, with the signs of arithmetic."""
    return written(expression_of(figure))


def expression_of(figure: Figure) -> ast.expr:
    """What a formula returns: its steps and helpers replaced by their arithmetic, constants by their numbers.

    Errors: ValueError for a formula that does more than assign names and return.
    """
    formula = figure.formula
    (function,) = ast.parse(inspect.getsource(formula) if formula is not None else "").body
    numbers = {name: ast.Name(f"{value:.12g}") for name, value in constants_of(formula).items()}
    steps: dict[str, ast.expr] = {**numbers}
    for line in getattr(function, "body", []):
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            steps[line.targets[0].id] = Filled(steps).visit(line.value)
        elif isinstance(line, ast.Return) and line.value is not None:
            result: ast.expr = Filled(steps).visit(line.value)
            return result
    raise ValueError(f"{figure.key}: its formula cannot be written in one line")


def constants_of(formula: Callable[..., object] | None) -> dict[str, float]:
    """Numbers that a formula reads from its module, by name."""
    names: dict[str, object] = getattr(formula, "__globals__", {})
    return {name: value for name, value in names.items() if name.isupper() and isinstance(value, int | float)}


IN_ARITHMETIC: Final = {
    "share": "a / b",
    "share_of": "a / b",
    "share_of_all": "a / b",
    "utilization": "a / b",
    "mean_gpus": "a / b",
    "priced": "a * b",
    "is_below": "a < b",
    "if_any": "b",
    "if_enough": "c",
    "discounted": "(1 + a) ** (-b / 12)",
    "least": "min(a, b)",
    "repaid": "((1 + a) ** (1 / 12) - 1) / (1 - (1 + a) ** (-b / 12))",
}
"""Helpers of formulas as arithmetic, by their first operands a, b and c."""


class Filled(ast.NodeTransformer):
    """Puts expressions in place of names, and arithmetic in place of helpers."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name becomes its expression."""
        return self.values.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A helper becomes its arithmetic. Errors: KeyError for one that has none."""
        operands: list[ast.expr] = [self.visit(one) for one in node.args]
        name = getattr(node.func, "id", "")
        if name == "min":
            return ast.Call(node.func, operands, [])
        tree = ast.parse(IN_ARITHMETIC[name], mode="eval").body
        filled: ast.expr = Filled(dict(zip("abc", operands, strict=False))).visit(tree)
        return filled


def written(tree: ast.expr) -> str:
    """An expression with the signs of arithmetic and thousands parted."""
    words = re.sub(r"(?<![\w.,])\d{4,}(?![\w.,])", lambda found: f"{int(found[0]):,}", ast.unparse(tree))
    for sign, mark in (
        (" * ", " \u00d7 "),
        (" / ", " \u00f7 "),
        (" - ", " \u2212 "),
        (" ** ", "^"),
        ("-", "\u2212"),
    ):
        words = words.replace(sign, mark)
    return words


def command_rows() -> Rows:
    """Every command, with the files that it takes."""
    takers = {name: {one for some in forms.values() for one in some} for name, forms in options().items()}
    for command, title in arguments.COMMANDS.items():
        names = ("--jobs", "--contracts", "--prices") if command in takers["--jobs"] else ()
        inputs = (f"`{name}`" for name in names if command in takers[name])
        yield f"`{command}`", ", ".join(inputs), said(title, remark("commands", command))


@cache
def options() -> dict[str, dict[tuple[str, str], list[str]]]:
    """Option -> how it is written and what its help says -> the commands that take it so."""
    (choices,) = (
        action.choices for action in arguments.build_parser()._actions if isinstance(action.choices, dict)
    )
    found: dict[str, dict[tuple[str, str], list[str]]] = {}
    for name, parser in choices.items():
        for action in parser._actions:
            for option in action.option_strings:
                if option.startswith("--"):
                    more = (
                        "..."
                        if action.nargs == "+"
                        else " " + str(action.metavar)
                        if action.nargs == 2
                        else ""
                    )
                    value = f" {action.metavar}{more}" if action.metavar else ""
                    value = value or (f" {'|'.join(action.choices)}" if action.choices else "")
                    key = (f"{option}{value}", (action.help or "").replace("%%", "%"))
                    found.setdefault(option, {}).setdefault(key, []).append(name)
    return found


def option_rows() -> Rows:
    """Every option, with the commands that take it."""
    for option, forms in sorted(options().items()):
        for (written, words), commands in forms.items():
            key = written if written in remarks()["options"] else option
            taken = "all" if len(commands) == len(arguments.COMMANDS) else ", ".join(commands)
            yield f"`{written}`", taken, said(words, remark("options", key))


def issue_rows() -> Rows:
    """Every issue code: what is so, and what to do."""
    codes = [*ISSUE_TEXTS, *(code for code in remarks()["issues"] if code not in ISSUE_TEXTS)]
    for code in codes:
        what, remedy = ISSUE_TEXTS.get(code, ("", ""))
        yield f"`{code}`", said(what, remark("issues", code)), remedy


def check_rows() -> Rows:
    """Every check with its severity, in the order in which the product has them."""
    for code, severity in dict.fromkeys(_checks()):
        yield f"`{code}`", severity, remark("checks", code)


def _checks() -> Iterator[tuple[str, str]]:
    """The plain texts of every call of `Check`."""
    for source in sorted((DOCS.parent / "gpuplanner" / "domain").rglob("*.py")):
        text = source.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "Check(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Check" and len(node.args) > 2:
                code, severity = node.args[:2]
                if isinstance(code, ast.Constant) and isinstance(severity, ast.Constant):
                    yield str(code.value), str(severity.value)


def dialect_rows() -> Rows:
    """Every format of job log."""
    for dialect in DIALECTS:
        yield f"`{dialect.format}`", remark("formats", dialect.format) or dialect.title
    yield "`mapped`", remark("formats", "mapped")


def layer_rows() -> Rows:
    """Which rooms stand on which, by folder, as import-linter has it."""
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract["containers"] != ["gpuplanner"]:
            folder = contract["containers"][0].removeprefix("gpuplanner.").replace(".", "/")
            yield f"`{folder}`", " > ".join(f"`{layer}`" for layer in contract["layers"])


def room_rows() -> Rows:
    """Every room below the layers, with the first line of its package."""
    for package in sorted((DOCS.parent / "gpuplanner").glob("*/*/**/__init__.py")):
        room = package.parent.relative_to(DOCS.parent / "gpuplanner").as_posix()
        words = ast.get_docstring(ast.parse(package.read_text("utf-8"))) or ""
        yield f"`{room}`", words.partition("\n")[0].rstrip(".")


def sheet_rows() -> Rows:
    """Every sheet of the workbook."""
    for sheet in SHEETS:
        yield f"`{sheet.name}`", said(sheet.holds, remark("sheets", sheet.name))


def price_rows() -> Rows:
    """Every column of a price list."""
    for field in OFFER_FIELDS:
        yield f"`{field.name}`", field.unit, remark("prices", field.name)
    yield "`currency`", "", remark("prices", "currency")


OF_BACKTEST: Final = (
    Column(key="folds", holds=plan_results.FOLD, is_list=True),
    Column(key="totals", holds=plan_results.BACKTEST_TOTALS),
    *map(named, ("verdict", "caveat")),
    Column(key="variants", holds=plan_results.VARIANT, is_list=True),
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
    Column(key="shares", holds=plan_results.SHARE, is_list=True),
    *map(named, ("shares_of_usd", "max_prepaid_usd")),
    Column(
        key="rows",
        holds=(
            *plan_results.AWARD_ROW,
            *map(named, ("asked_as", "open_gpus", "open_reason")),
            Column(key="awards", holds=plan_results.GIVEN, is_list=True),
        ),
        is_list=True,
    ),
    *map(named, ("options",)),
    Column(key="considered", holds=plan_results.CONSIDERED, is_list=True),
    Column(key="totals", holds=plan_results.AWARD_TOTALS),
    Column(key="vendors", holds=of(award.VENDORS), is_list=True),
    Column(key="quotes", holds=of(award.QUOTE_ENTRIES), is_list=True),
)
OF_TRACK: Final = (
    *plan_results.TRACK_TOTALS,
    Column(key="rows", holds=of(changes.ROW_ENTRIES), is_list=True),
    Column(key="contracts", holds=of(changes.BURN_DOWNS), is_list=True),
    Column(key="quarters", holds=changes.OF_QUARTER, is_list=True),
)
OF_QUEUE: Final = (
    named("submit_known"),
    Column(key="measured", holds=(Column(key="POOL", holds=plan.ROW),)),
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
    Column(key="target", holds=plan.TARGET),
    Column(key="windows", holds=of(waiting.WINDOWS), is_list=True),
    *map(named, ("never_fit", "fragment_gpu_hours", "fragment_usd")),
)
FLAT: Final[dict[str, Fields]] = {
    "backtest": OF_BACKTEST,
    "sizing": OF_SIZING,
    "training": OF_TRAINING,
    "placement": OF_PLACEMENT,
    "award": OF_AWARD,
    "track": OF_TRACK,
    "queue": OF_QUEUE,
}
"""Documents of a few objects, each in one table."""

TABLES: Final[dict[str, tuple[tuple[str, ...], Callable[[], Rows]]]] = {
    "assumptions": (("Name", "Meaning", "Unit", "Default", "Range"), assumption_rows),
    "words": (("term", "meaning"), word_rows),
    "shortcuts": (("keys", "what they do"), shortcut_rows),
    "commands": (("command", "files", "what it does"), command_rows),
    "options": (("option", "of", "what it says"), option_rows),
    "issues": (("code", "what is so", "what to do"), issue_rows),
    "checks": (("code", "severity", "when"), check_rows),
    "job logs": (("format", "what it is"), dialect_rows),
    "layers": (("in", "rooms and modules, the highest first"), layer_rows),
    "rooms": (("room", "its job"), room_rows),
    "sheets": (("sheet", "what is on it"), sheet_rows),
    "prices": (("column", "unit", "what it holds"), price_rows),
}
OF_FIELDS: Final[tuple[str, ...]] = ("field", "unit", "what")


def table_named(name: str) -> str:
    """A table as Markdown, by the name of its marker. Errors: KeyError for a name that there is not."""
    kind, _, path = name.partition(" ")
    alike = next((one for one, table in objects().items() if table == objects().get(path)), path)
    if kind == "fields" and alike != path:
        return f"As `{alike}`.\n"
    if kind == "fields":
        head_of, rows = OF_FIELDS, field_rows(path)
    elif kind == "figures":
        head_of, rows = ("Figure, unit", "Meaning", "Formula", "Example"), figure_rows(path)
    elif kind == "document":
        head_of, rows = OF_FIELDS, flat_rows(path, FLAT[path])
    else:
        head_of, make = TABLES[name]
        rows = make()
    cells = [tuple(str(cell).replace("|", "\\|") for cell in row) for row in rows]
    space = "" if kind in ("figures", "assumptions") else " "
    lines = ["|".join(f"{space}{cell}{space}" if cell else " " for cell in row) for row in (head_of, *cells)]
    lines.insert(1, "|".join(("---",) * len(head_of)))
    table = "".join(f"|{line}|\n" for line in lines)
    return f"{table}\n{figure_sources(path)}" if kind == "figures" else table


def made(text: str) -> str:
    """A page with its tables as the declarations have them."""
    return MADE.sub(lambda found: f"{found[1]}\n{table_named(found[2])}\n{found[3]}", text)


def stale() -> list[Path]:
    """The pages with a table that is not as the declarations have it."""
    return [
        page
        for page in sorted(DOCS.rglob("*.md"))
        if made(page.read_text("utf-8")) != page.read_text("utf-8")
    ]


def main() -> int:
    """Write what is stale; with --check only say it. Exit status: 1 where something is stale and was left so."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; say which pages are stale")
    is_check = parser.parse_args().check
    pages = stale()
    for page in pages:
        sys.stdout.write(f"{page.relative_to(DOCS)}\n")
        if not is_check:
            page.write_text(made(page.read_text("utf-8")), "utf-8")
    return int(bool(pages) and is_check)


if __name__ == "__main__":
    sys.exit(main())
