"""The Hardware sheet: its lights are the app's, after a recalculation too, and follow what is changed in the book."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

WORDS = {Light.RED: "red", Light.AMBER: "amber", Light.GREEN: "green", None: "—"}
ROWS = {
    "memory": "Memory",
    "model_memory": "Memory",
    "interconnect": "Network",
    "training_grade": "Network",
    "bare_metal": "Bare metal",
    "own_cluster": "Own cluster",
}


def crafted():
    """Every light of every row somewhere: three clusters of other hardware, needs known, unknown and set."""
    hours = 48
    case = Case(hours, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    case.workload("fast", "sft", "training", daily(hours, 2, 4), max_nodes=4, longest_job_s=36_000)
    case.workload("fast", "eval", "burst", daily(hours, 0, 1))
    case.workload("slow", "pretrain", "training", daily(hours, 2, 6), max_nodes=2, longest_job_s=72_000)
    case.workload("slow", "chat", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("slow", "vllm-30b", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("slow", "vllm-70b", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("bare", "tune", "training", daily(hours, 1, 2), max_nodes=None)
    case.workload("none", "sweep", "burst", daily(hours, 1, 1))
    case.contract(
        "f", "fast", 8, 2.5, ends=5.0, interconnect="infiniband", bare_metal=True, gpu_memory_gb=141.0
    )
    case.contract(
        "s", "slow", 4, 2.5, ends=5.0, interconnect="ethernet", bare_metal=False, gpu_memory_gb=79.0
    )
    case.contract("b", "bare", 8, 2.5, term_months=12)
    case.offers_of("H100", 6.88, {12: 2.75})
    project = case.project
    sized = tuple(replace(one, max_milli_gpus=1000, sample_name=one.name) for one in project.workloads)
    project = replace(project, workloads=sized)
    keys = {workload.name: workload.key for workload in project.workloads}
    project = edits.set_need(project, [keys["vllm-30b"]], "kv_cache_gb", 11.1)  # 71.1 of 79 GB: exactly 90%
    project = edits.set_need(project, [keys["tune"]], "own_cluster", False)
    evaluation = evaluated(project, case.classifications)
    return replace(evaluation, fit=fit_project(project, evaluation.audit, read_tables()))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    evaluation, book = crafted(), tmp_path_factory.mktemp("hardware") / "hardware.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def lights_of(book, evaluation):
    """The lights of each workload as the book says them, by key and heading."""
    sheet = SheetCells(cells_of(book)["Hardware"])
    heads = {
        pool: max(row for row in rows_with(sheet, "Light") if row <= first)
        for pool in Pool
        for first in [min((place(sheet, fit.key) for fit in evaluation.fit if fit.pool is pool), default=0)]
        if first
    }
    found = {}
    for fit in evaluation.fit:
        row, head = place(sheet, fit.key), heads[fit.pool]
        for heading in ("Light", *(ROWS[one.need] for one in fit.rows if one.need in ROWS)):
            letters, _ = sheet.column(heading, head)
            found[fit.key, heading] = sheet.cells[f"{letters}{row}"]
    return found


def rows_with(sheet, text):
    return [int("".join(filter(str.isdigit, at))) for at, value in sheet.cells.items() if value == text]


def place(sheet, key):
    return sheet.rows(B=key)[0]


def lights_of_app(evaluation):
    found = {(fit.key, "Light"): WORDS[fit.light] for fit in evaluation.fit}
    for fit in evaluation.fit:
        found |= {(fit.key, ROWS[row.need]): WORDS[row.light] for row in fit.rows if row.need in ROWS}
    return found


def test_the_crafted_book_has_every_light(made):
    assert {row.light for fit in made[0].fit for row in fit.rows} == set(WORDS)


def test_the_lights_of_the_book_are_those_of_the_app(made):
    assert lights_of(made[1], made[0]) == lights_of_app(made[0])


@pytest.mark.long
def test_a_book_of_an_evaluation_without_fit_says_the_same(made, tmp_path):
    write_workbook(replace(made[0], fit=None), tmp_path / "other.xlsx", 0)
    assert lights_of(tmp_path / "other.xlsx", made[0]) == lights_of_app(made[0])


def test_the_run_on_both_networks_is_that_of_the_app(made):
    sheet = SheetCells(cells_of(made[1])["Hardware"])
    costs = {fit.key: fit.network for fit in made[0].fit if fit.network is not None}
    assert len(costs) == 2
    for key, cost in costs.items():
        for heading, value in (
            ("On InfiniBand, h", cost.infiniband.run_hours),
            ("Over Ethernet, h", cost.ethernet.run_hours),
            ("On InfiniBand, $", cost.infiniband.run_usd),
            ("Over Ethernet, $", cost.ethernet.run_usd),
        ):
            assert sheet.cells[sheet.under(heading, B=key)] == pytest.approx(value)


def changes(cells, evaluation):
    """What a reader may change, and the light that follows; in each list, one change a light."""
    sheet = SheetCells(cells["Hardware"])
    keys = {fit.key.rsplit("/", 1)[1]: fit.key for fit in evaluation.fit}

    def cell(heading, name):
        return ("Hardware", f"{sheet.column(heading)[0]}{place(sheet, keys[name])}")

    return (
        [
            ("pretrain", "Network", {cell("Has network", "pretrain"): "roce_400"}, "amber"),
            ("pretrain", "Memory", {cell("Has GB per GPU", "pretrain"): 80}, "amber"),
            ("sft", "Memory", {cell("Has GB per GPU", "sft"): 140}, "amber"),
            ("sft", "Own cluster", {cell("In contended hours, GPU-h", "sft"): 0.5}, "red"),
        ],
        [
            ("pretrain", "Network", {cell("Needs network", "pretrain"): "ethernet"}, "green"),
            ("pretrain", "Memory", {cell("Has GB per GPU", "pretrain"): 141}, "green"),
            ("sft", "Own cluster", {cell("Needs its own", "sft"): "no"}, "green"),
        ],
        [("pretrain", "Bare metal", {cell("Nodes", "pretrain"): 1}, "amber")],  # one node needs no network
    )


@pytest.mark.long
def test_the_book_recalculates_to_the_same_and_follows_a_change(made, need_tool, tmp_path):
    evaluation, book = made
    calc = Recalculator(need_tool("soffice"), tmp_path)
    wanted = changes(cells_of(book), evaluation)
    books = [book]
    for number, together in enumerate(wanted):
        cells = {place: value for _, _, changed, _ in together for place, value in changed.items()}
        books.append(changed_copy(book, tmp_path / f"change{number}.xlsx", cells))
    again = calc.recalculated(*books)
    assert lights_of(again[0], evaluation) == lights_of_app(evaluation)
    before, after = cells_of(book)["Hardware"], cells_of(again[0])["Hardware"]
    assert before.keys() == after.keys()
    keys = {fit.key.rsplit("/", 1)[1]: fit.key for fit in evaluation.fit}
    for together, changed in zip(wanted, again[1:], strict=True):
        lights = lights_of(changed, evaluation)
        for name, heading, _, light in together:
            assert lights[keys[name], heading] == light, (name, heading, light)
