"""Growth changed in the book of a plan set by hand: the twelve months are the app's, whoever serves the demand."""

from dataclasses import replace

import pytest

from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.files.demo.days import GOLDEN_DAY, ending
from gpuplanner.files.demo.demo_files import write_demo
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.inputs.sheet_inputs import inputs_of
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.comparison_months import app_months, assert_same_months, months_of
from tests.files.workbook.evaluations import evaluated, evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of, names_of
from tests.files.workbook.structure import FORMULA_LIMIT
from tests.files.workbook.test_recalculated import apart, differences, light_of, summary_of
from tests.files.workbook.what_if import assumption, by_hand
from tests.oracle.crafted import daily, own_rates, two_clusters
from tests.oracle.projects import Case, random_case
from tests.some_of import some_of

CHANGES = (("growth", 0.05), ("growth_training", -0.04), ("growth_inference", 0.025), ("growth_burst", 0.07))


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


def changes_of(evaluation, book):
    """Each growth that differs from the exported one and that some demand has."""
    pools = {f"growth_{pool}" for pool, _ in inputs_of(evaluation, 0).pairs}
    here = evaluation.project.assumptions
    return [
        assumption(evaluation, book, name, value)
        for name, value in CHANGES
        if name in {"growth", *pools} and getattr(here, name) != value
    ]


def assert_growth_moves_the_months(calc, evaluation, book):
    """Every change comes to the app's months, and moves none of the Summary's figures, in the book as in the app."""
    changes = changes_of(evaluation, book)
    copies = [
        changed_copy(book, book.with_name(f"{book.stem}-{number}.xlsx"), change.cells)
        for number, change in enumerate(changes)
    ]
    exported, summary = months_of(book), summary_of(book)
    same, *others = calc.recalculated(book, *copies)
    assert differences(cells_of(book), cells_of(same)) == []
    assert light_of(same) == "green"
    for change, again in zip(changes, others, strict=True):
        assert_same_months(months_of(again), app_months(change.app), change.name)
        assert apart(summary_of(again), summary) == {}, change.name
        assert light_of(again) == "changed", change.name
    assert any(months_of(again) != exported for again in others)


def untyped_among_models():
    """Jobs of unknown model that three contracts of two models share; one ends, one is pinned, one is on demand."""
    case = Case(96, sigma=0.0, delta=0.01, growth=0.0, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(96, 2, 7), model=None)
    case.workload("alpha", "run", "training", {"H100": daily(96, 1, 4), None: daily(96, 0, 2)})
    case.workload("alpha", "sweep", "burst", daily(96, 0, 3), model="A100", longest_job_s=7200)
    case.contract("h-free", "alpha", 2, 2.5, ends=5.4, term_months=12)
    case.contract("h-pinned", "alpha", 1.5, 2.9, pool=Pool.INFERENCE)
    case.contract("a-free", "alpha", 2, 1.4, model="A100", ends=7.2)
    case.offers_of("H100", 6.88, {3: 4.2, 12: 2.75})
    case.offers_of("A100", 3.5, {3: 2.4, 12: 1.6})
    return case


CASES = {
    "pinned, free and on demand, unknown models": two_clusters_with_layers,
    "unknown models among several": untyped_among_models,
    "growth when exported, a contract ends": two_clusters,
    "each pool with its own growth": own_rates,
}


@pytest.mark.long
@pytest.mark.parametrize("what", CASES)
def test_growth_changed_in_the_book_comes_to_the_apps_months(calc, tmp_path, what):
    evaluation, book = by_hand(evaluation_of(CASES[what]())), tmp_path / "plan.xlsx"
    write_workbook(evaluation, book, 0)
    assert_growth_moves_the_months(calc, evaluation, book)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_growth_changed_in_random_books_comes_to_the_apps_months(calc, tmp_path, seed):
    case = random_case(seed)
    evaluation, book = evaluation_of(case), tmp_path / "plan.xlsx"
    if seed % 5 == 0:
        scenario = replace(evaluation.project.scenarios[0], greenfield=True)
        evaluation = evaluated(replace(evaluation.project, scenarios=(scenario,)), case.classifications)
    evaluation = by_hand(evaluation)
    write_workbook(evaluation, book, 0)
    assert_growth_moves_the_months(calc, evaluation, book)


@pytest.mark.long
def test_growth_changed_in_the_demos_book_comes_to_the_apps_months(calc, tmp_path):
    write_demo(tmp_path, ending(GOLDEN_DAY))
    read = read_inputs(*([str(tmp_path / name)] for name in ("jobs.csv", "contracts.csv", "prices.csv")))
    project = read.project()
    evaluation = by_hand(evaluate(project, project.scenarios[0].name, read_tables()))
    book = tmp_path / "demo.xlsx"
    write_workbook(evaluation, book, 0)
    assert_growth_moves_the_months(calc, evaluation, book)


def test_doing_nothing_leaves_over_models_that_the_plan_has_no_row_of(tmp_path):
    """Rows on demand of another model take jobs of unknown model; what outgrows them is bought at that model's rate."""
    case = Case(96, sigma=0.0, delta=0.0, growth=0.04, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(96, 3, 5), model=None)
    case.contract("h", "alpha", 3, 2.5)
    case.contract("a", "alpha", 2, 1.5, model="A100", pricing_category=PricingCategory.STANDARD)
    case.offers_of("H100", 6.88, {12: 2.75})
    case.offers_of("A100", 3.5, {12: 1.6})
    evaluation, book = evaluation_of(case), tmp_path / "plan.xlsx"
    assert inputs_of(evaluation, 0).unplanned_pairs == ((Pool.INFERENCE, "A100"),)
    write_workbook(evaluation, book, 0)
    assert_same_months(months_of(book), app_months(evaluation))


def many_clusters(count):
    """A GPU model with a free and a pinned contract on each of so many clusters, and growth."""
    case = Case(48, horizon_months=12, sigma=0.0, growth=0.02, **{"lambda": 0.0})
    for number in range(count):
        cluster = f"c{number:02d}"
        case.workload(cluster, "chat", "inference", daily(48, 1, 3))
        case.workload(cluster, "run", "training", daily(48, 1, 2))
        case.contract(f"{cluster}-free", cluster, 1, 2.5, ends=5.4)
        case.contract(f"{cluster}-pinned", cluster, 1, 2.5, pool=Pool.INFERENCE)
    case.workload("other", "sweep", "burst", daily(48, 0, 2), model="A100", longest_job_s=7200)
    case.offers_of("H100", 6.88, {12: 2.75})
    case.offers_of("A100", 3.5, {12: 1.6})
    return evaluation_of(case)


def growth_words(book):
    """What the book says beside each growth: where a main assumption is from, and what a change of another does."""
    cells, names = cells_of(book), names_of(book)
    return {name: cells["Assumptions"][f"E{names[f'assume_{name}'][1][1:]}"] for name, _ in CHANGES}


@pytest.mark.long
@pytest.mark.parametrize("count", some_of([14, 8, 2], quick=1))
def test_growth_is_an_input_of_the_book_however_many_clusters_there_are(tmp_path, count):
    evaluation, book = many_clusters(count), tmp_path / "plan.xlsx"
    write_workbook(evaluation, book, 0)
    assert max(len(text) for cells in formulas_of(book).values() for text in cells.values()) <= FORMULA_LIMIT
    assert_same_months(months_of(book), app_months(evaluation))
    words = growth_words(book)
    assert "in the app" not in words["growth"] and "Calc months" in words["growth_training"]
