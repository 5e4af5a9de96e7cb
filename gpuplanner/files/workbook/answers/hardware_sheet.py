"""Hardware: each workload beside what it needs, its lights and a run on two networks as formulas over yellow inputs."""

from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.needs import RULE, number_of
from gpuplanner.domain.fit.rules import TRAINING_MEMORY_LEAST_GB
from gpuplanner.domain.fit.workload_fit import FitRow, WorkloadFit
from gpuplanner.domain.model.needs import NEED_BY_NAME, NeedValue
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, highest, known, lift, lowest, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.input_rules import take_numbers, take_words
from gpuplanner.files.workbook.kit.looks import AMBER, GREEN, RED
from gpuplanner.files.workbook.kit.watch import Watch

SHEET: Final = "Hardware"
NO_END: Final = "no end"
NONE: Final = "none"
NETWORKS: Final = ("infiniband", "nvlink", "roce_400", "roce", "ethernet", NONE, DASH)

WHO: Final = (
    Field("name", "Workload", width=32),
    Field("key", "Key", "muted", 34),
    Field("gpu_model", "GPU model", width=12),
    Field("runs_on", "Runs on", width=20),
    Field("usd", "Today, $ per month", "usd", 12),
    Field("light", "Light", "strong", 9, "The worst of its lights."),
)
WATCH: Final = Watch(columns=frozenset(("name", "key", "gpu_model", "runs_on", "usd")), named_by=("name",))
TRAINING_FIELDS: Final = (
    *WHO,
    Field("memory_light", "Memory", "strong", 9),
    Field("network_light", "Network", "strong", 9),
    Field("metal_light", "Bare metal", "strong", 11),
    Field("cluster_light", "Own cluster", "strong", 11),
    Field("memory", "Has GB per GPU", "mean.input", 10),
    Field("least", "Needs GB at least", "mean.input", 10),
    Field("wished", "Better GB", "mean.input", 10),
    Field("nodes", "Nodes", "count.input", 9),
    Field("network", "Has network", "text.input", 13),
    Field("needs_network", "Needs network", "text.input", 13, "infiniband, roce_400, ethernet or none."),
    Field("metal", "Has bare metal", "text.input", 11, "yes, no, or a dash where it is not stated."),
    Field("needs_metal", "Needs bare metal", "text.input", 11),
    Field("shared", "Shares its cluster", "text.input", 11),
    Field("contended", "In contended hours, GPU-h", "mean.input", 12),
    Field("needs_own", "Needs its own", "text.input", 11),
    Field(
        "run_network", "Its run is on", "text.input", 13, "The network of its longest run, where it is known."
    ),
    Field("run_hours", "Longest run, h", "mean.input", 10),
    Field("run_gpus", "On GPUs", "gpus.input", 9),
    Field("rate", "Paid, $ per GPU-h", "rate.input", 10),
    Field("fast_hours", "On InfiniBand, h", "mean", 11),
    Field("slow_hours", "Over Ethernet, h", "mean", 11),
    Field("fast_usd", "On InfiniBand, $", "usd", 11),
    Field("slow_usd", "Over Ethernet, $", "usd", 11),
    Field("sources", "Needs from", "muted", 60),
)
INFERENCE_FIELDS: Final = (
    *WHO,
    Field("memory_light", "Memory", "strong", 9),
    Field("network_light", "Network", "strong", 9),
    Field("needed", "Weights and cache, GB", "mean", 11, "Weights alone where the KV cache is unknown."),
    Field("has", "Memory of a job, GB", "mean", 11),
    Field("memory", "Has GB per GPU", "mean.input", 10),
    Field("nodes", "Nodes", "count.input", 9),
    Field("gpus", "GPUs per node", "gpus.input", 10),
    Field("size", "Parameters, billion", "gpus.input", 10),
    Field("bytes", "Bytes per parameter", "gpus.input", 10),
    Field("cache", "KV cache, GB", "mean.input", 10),
    Field("full", "Full", "ratio", 9),
    Field("network", "Has network", "text.input", 13),
    Field("needs_network", "Needs network", "text.input", 13),
    Field("sources", "Needs from", "muted", 60),
)
BURST_FIELDS: Final = (
    *WHO,
    Field("term", "Term, h", "hours.input", 10),
    Field("active", "Active, h", "hours.input", 10),
    Field("beyond", "Bound beyond it, h", "hours", 11, "Hours of the term in which it would not run."),
    Field("active_share", "Active, of the term", "ratio", 11),
    Field("sources", "Needs from", "muted", 60),
)


def write_hardware(book: Book, inputs: Inputs, named: Named) -> dict[Pool, Table]:
    """Write the sheet: a table a class, the most expensive workload first."""
    evaluation = inputs.evaluation
    fits = evaluation.fit
    if fits is None:
        fits = fit_project(evaluation.project, evaluation.audit, read_tables())
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    names = {workload.key: workload.name for workload in evaluation.project.workloads}
    row = book.title(
        SHEET,
        "Hardware fit",
        "Each workload beside what it runs on today. Red does not fit, amber fits at a cost, a dash is unknown.",
        "What it has and what it needs are yellow inputs; lights, and the run on both networks, follow them.",
        "The seconds of a training step stand on the sheet Assumptions. Printed are the lights; what they follow from, "
        "and where each need is from, stands in the columns at the right.",
    )
    tables = {}
    for pool, (fields, put) in PARTS.items():
        own = [fit for fit in fits if fit.pool is pool]
        own.sort(key=lambda fit: (usd[fit.key] is None, -(usd[fit.key] or 0.0), fit.key))
        book.write(SHEET, row, 0, pool_words(pool), "section")
        table = tables[pool] = Table(book, SHEET, row + 1, len(own), fields, kept=(), watch=WATCH)
        for place, fit in enumerate(own):
            _who(table, place, fit, names[fit.key], usd[fit.key])
            put(table, place, fit, named)
        table.finish()
        _take_inputs(table)
        row = table.end_row + 1
    tables[Pool.TRAINING].widen()
    book.sheets[SHEET].freeze_panes(0, 1)
    book.sheets[SHEET].print_up_to(row, tables[Pool.TRAINING].column_of("cluster_light"))
    _colour_lights(book, row)
    return tables


def _take_inputs(table: Table) -> None:
    """Rules for the yellow columns: words where words are read, numbers elsewhere."""
    for field in table.fields:
        if "input" not in field.style.split("."):
            continue
        if "network" in field.key:
            take_words(table, field.key, NETWORKS)
        elif field.style.startswith("text"):
            take_words(table, field.key, ("yes", "no", DASH))
        else:
            take_numbers(table, field.key)


def _colour_lights(book: Book, last_row: int) -> None:
    """Colours the columns of lights by their words."""
    for word, color in (("red", RED), ("amber", AMBER), ("green", GREEN)):
        look = book.workbook.add_format({"font_color": color, "bold": True})
        rule = {"type": "cell", "criteria": "==", "value": f'"{word}"', "format": look}
        book.sheets[SHEET].conditional_format(4, 5, last_row, 9, rule)


def _who(table: Table, place: int, fit: WorkloadFit, name: str, usd: float | None) -> None:
    """Writes what a row is: the workload, what it runs on, its cost and where its needs come from."""
    table.put("name", place, name)
    table.put("key", place, fit.key)
    table.put("gpu_model", place, model_words(fit.gpu_model))
    table.put("runs_on", place, ", ".join(one.of for one in fit.hardware if one.of) or "no contract")
    table.put("usd", place, usd)
    sources = (f"{NEED_BY_NAME[need].title}: {needed.source_words}" for need, needed in fit.needs.items())
    table.put("sources", place, "; ".join(sources))


def _training(table: Table, place: int, fit: WorkloadFit, named: Named) -> None:
    """Writes memory, network, bare metal and sharing of a training workload with a light for each."""
    rows = {row.need: row for row in fit.rows}
    memory = _number(table, "memory", place, rows["memory"].has)
    own = fit.needs["memory_gb_per_gpu"]
    wished = number_of(fit.needs, "memory_gb_per_gpu")
    least = table.put("least", place, TRAINING_MEMORY_LEAST_GB if own.source == RULE else wished)
    better = table.put("wished", place, wished)
    nodes = table.put("nodes", place, number_of(fit.needs, "nodes") or 1)
    network = _text(table, "network", place, rows["interconnect"].has)
    needs_network = table.put("needs_network", place, _words(fit.needs["interconnect"].value, NONE))
    metal = _text(table, "metal", place, rows["bare_metal"].has)
    needs_metal = _text(table, "needs_metal", place, fit.needs["bare_metal"].value)
    shared = _text(table, "shared", place, fit.sharing.is_shared)
    contended = table.put("contended", place, fit.sharing.contended_gpu_hours)
    needs_own = _text(table, "needs_own", place, fit.needs["own_cluster"].value)

    lights = (
        table.put(
            "memory_light",
            place,
            when(_is_number(memory), _steps(memory, least, better), "amber"),
        ),
        table.put("network_light", place, when(nodes > 1, _network_light(network, needs_network), "green")),
        table.put(
            "metal_light",
            place,
            when(
                _any(_is(metal, "yes"), _is(needs_metal, "no")),
                "green",
                when(_is(metal, "no"), when(nodes > 1, "red", "amber"), "amber"),
            ),
        ),
        table.put(
            "cluster_light",
            place,
            when(
                _is(needs_own, "no"),
                "green",
                when(contended > 0, "red", when(_is(shared, "yes"), "amber", "green")),
            ),
        ),
    )
    table.put("light", place, worst(lights))
    _run(table, place, fit, named)


def _steps(has: Expr, least: Expr, better: Expr) -> Expr:
    """Green from the better value on, amber from the least on, else red."""
    return when(has >= better, "green", when(has >= least, "amber", "red"))


def _network_light(has: Expr, needs: Expr) -> Expr:
    """As rules.training_interconnect has it, by the rank of what it has and of what it needs."""
    rank, asked = _rank(has), _rank(needs)
    return when(
        rank >= asked,
        "green",
        when(rank < 0, when(asked.equals(0), "green", "amber"), when(rank.equals(1), "amber", "red")),
    )


def _rank(cell: Expr) -> Expr:
    """2 for InfiniBand and NVLink, 1 for RoCE of 400 Gb/s, 0 for less, -1 where it is not stated."""
    return when(
        _any(_is(cell, "infiniband"), _is(cell, "nvlink")),
        2,
        when(
            _is(cell, "roce_400"),
            1,
            when(_any(_is(cell, "roce"), _is(cell, "ethernet"), _is(cell, NONE)), 0, lift(-1)),
        ),
    )


def _run(table: Table, place: int, fit: WorkloadFit, named: Named) -> None:
    """Writes hours and dollars of one run on a fast and on a slow network; unknown where the run is."""
    cost = fit.network
    network = table.put("run_network", place, None if cost is None else cost.has)
    hours = table.put("run_hours", place, None if cost is None else cost.run_hours)
    gpus = table.put("run_gpus", place, None if cost is None else cost.run_gpus)
    rate = table.put("rate", place, None if cost is None else cost.usd_per_gpu_hour)
    fast, slow = (named.assumptions[f"step_seconds_{name}"] for name in ("infiniband", "ethernet"))
    own = when(_is(network, "infiniband"), fast, when(_is(network, "ethernet"), slow, DASH))
    for name, step in (("fast", fast), ("slow", slow)):
        on = table.put(f"{name}_hours", place, known([hours, own], hours * step / own))
        table.put(f"{name}_usd", place, known([on, gpus, rate], on * gpus * rate))


def _inference(table: Table, place: int, fit: WorkloadFit, named: Named) -> None:
    """Writes whether model and cache fit into the memory of the GPUs, and the network it runs on."""
    rows = {row.need: row for row in fit.rows}
    memory = _number(table, "memory", place, _memory_of(fit, rows["model_memory"]))
    nodes = table.put("nodes", place, number_of(fit.needs, "nodes") or 1)
    gpus = table.put("gpus", place, number_of(fit.needs, "gpus_per_node"))
    size = table.put("size", place, number_of(fit.needs, "parameters_billion"))
    width = table.put("bytes", place, number_of(fit.needs, "bytes_per_parameter"))
    cache = table.put("cache", place, number_of(fit.needs, "kv_cache_gb"))
    network = _text(table, "network", place, rows["training_grade"].has)
    needs_network = table.put("needs_network", place, _words(fit.needs["interconnect"].value, NONE))
    extra = call("N", cache.number if cache.is_known else 0.0, cache)
    needed = table.put("needed", place, known([size, width], size * width + extra))
    has = table.put("has", place, known([memory, gpus], memory * gpus * nodes))
    table.put("full", place, known([needed, has], needed / has))
    is_whole = _is_number(cache)
    fits = when(
        needed > has * named.fixed["memory_full"] * (1 + 1e-12), "amber", when(is_whole, "green", DASH)
    )
    inside = when(needed > has, "red", fits)
    unstated = when(is_whole, when(_is_number(memory), DASH, "amber"), DASH)
    light = when(_is_number(needed), when(_is_number(has), inside, unstated), DASH)
    lights = (
        table.put("memory_light", place, light),
        table.put(
            "network_light",
            place,
            when(_is(network, "infiniband"), when(_is(needs_network, NONE), "amber", "green"), "green"),
        ),
    )
    table.put("light", place, worst(lights))


def _memory_of(fit: WorkloadFit, row: FitRow) -> float | None:
    """GB of one GPU of the hardware whose row stands in the table: the worst of several."""
    gpus = number_of(fit.needs, "gpus_per_node")
    if gpus is None:
        return fit.hardware[0].memory_gb
    return row.has / (gpus * (number_of(fit.needs, "nodes") or 1)) if isinstance(row.has, float) else None


def _burst(table: Table, place: int, fit: WorkloadFit, _: Named) -> None:
    """Writes how long a contract binds beside how long the workload is active."""
    (row,) = fit.rows
    term = table.put("term", place, _term_content(row))
    active = table.put("active", place, number_of(fit.needs, "active_hours"))
    bound = when(term <= active, "green", when(term.equals(0), "green", "amber"))
    light = when(
        _is(term, NO_END), "amber", when(_is_number(term), when(_is_number(active), bound, DASH), DASH)
    )
    table.put("light", place, worst((light,)))
    hours, ran = (Expr(cell.text, cell.number if cell.is_known else 0.0, True) for cell in (term, active))
    table.put("beyond", place, known([term, active], highest(0, hours - ran)))
    share = when(hours > 0, lowest(1, ran / hours), DASH)
    table.put("active_share", place, known([term, active], share))


def _term_content(row: FitRow) -> float | str | None:
    """The term in months, the word for no end, or None where nothing is stated."""
    if isinstance(row.has, float):
        return row.has
    return NO_END if row.reason else None


Writer = Callable[[Table, int, WorkloadFit, Named], None]

PARTS: Final[dict[Pool, tuple[tuple[Field, ...], Writer]]] = {
    Pool.TRAINING: (TRAINING_FIELDS, _training),
    Pool.INFERENCE: (INFERENCE_FIELDS, _inference),
    Pool.BURST: (BURST_FIELDS, _burst),
}
"""A table a class, in the order of the sheet: its columns, and what writes a row."""


# ---------------------------------------------------------------- formulas over words


def worst(lights: Sequence[Expr]) -> Expr:
    """The worst of some lights; the dash where none has one."""
    answer: Expr | str = DASH
    for word in ("green", "amber", "red"):
        answer = when(_any(*(_is(light, word) for light in lights)), word, answer)
    assert isinstance(answer, Expr)
    return answer


def _is(cell: Expr, word: str) -> Expr:
    """1 where a cell holds a word, else 0."""
    return Expr(f'{cell.inner}="{word}"', float(cell.value == word))


def _any(*conditions: Expr) -> Expr:
    """1 where any condition holds, else 0."""
    return (
        conditions[0]
        if len(conditions) == 1
        else call("OR", float(any(one.value for one in conditions)), *conditions)
    )


def _is_number(cell: Expr) -> Expr:
    """1 where a cell holds a number, else 0: unknown is a dash."""
    return call("ISNUMBER", float(cell.is_known), cell)


def _number(table: Table, key: str, place: int, value: NeedValue) -> Expr:
    """Puts a need's number, empty if it is none."""
    return table.put(key, place, float(value) if isinstance(value, int | float) else None)


def _text(table: Table, key: str, place: int, value: NeedValue) -> Expr:
    """Puts a need's words, empty if there are none."""
    return table.put(key, place, _words(value, None))


def _words(value: NeedValue, without: str | None) -> str | None:
    """A need's value in words: yes and no for a flag, `without` for none."""
    if value is None:
        return without
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
