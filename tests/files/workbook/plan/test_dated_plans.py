"""The book of a plan with dates: its Summary and twelve months are the app's, as written and after a recalculation."""

from dataclasses import replace
from decimal import Decimal
from string import ascii_uppercase

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_figures, outlook_plan
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.files.workbook.plan.comparison_sheet import MOVED
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import (
    NOTHING,
    app_months,
    assert_same_months,
    column_of,
    months_of,
)
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of, names_of
from tests.files.workbook.test_recalculated import apart, differences, followed, light_of, summary_of, totals
from tests.files.workbook.test_the_light import said_in
from tests.files.workbook.watched_cells import watched_book, without_rule
from tests.files.workbook.what_if import assumption, by_hand, contract_days, what_ifs
from tests.oracle.crafted import daily
from tests.oracle.projects import MONTH_S, Case
from tests.some_of import some_of

PARTS = (
    ("Plan: existing contracts, $", "contracts_usd"),
    ("As advised: orders, $", "orders_usd"),
    ("As advised: on demand, $", "use_usd"),
)


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


def market(hours=192, **assumptions):
    """Two clusters, three pools, two models, a contract that ends and one on demand, leads, upfront, nodes, spot."""
    given = {"sigma": 0.0, "delta": 0.01, "growth": 0.02, "slices_lived": False, "lambda": 0.0} | assumptions
    case = Case(hours, **given)
    case.workload("alpha", "chat", "inference", daily(hours, 6, 14))
    case.workload("alpha", "sweep", "burst", daily(hours, 0, 3), longest_job_s=7200)
    case.workload("beta", "pretrain", "training", daily(hours, 1, 5), model="A100")
    case.workload("beta", "embed", "inference", [2] * hours, model="A100")
    case.contract("a", "alpha", 3, 2.5, ends=5.4, term_months=12)
    case.contract("a-flex", "alpha", 2, 4.5, pricing_category=PricingCategory.STANDARD)
    case.contract("b", "beta", 2, 1.9, model="A100", ends=20.4, term_months=24)
    case.offers_of("H100", 6.88, {3: 4.2, 12: 2.75}, lead_time_hours=240)
    case.offer(
        "node", "committed", 2.2, term_months=24, upfront_usd=Decimal(2500), unit_gpus=4, lead_time_hours=240
    )
    case.offers_of("A100", 3.5, {3: 2.4, 12: 1.6})
    case.offer("spot-H100", "spot", 2.5)
    return case


def at(months):
    """The moment so many months after the plan begins."""
    return market().end_s + round(months * MONTH_S)


def of_providers(case):
    """The same where every row says whose it is: contracts, and of H100 two providers on demand."""
    providers = {"a": "Lyra", "a-flex": "Orion", "b": "Lyra"}
    case.contracts = [replace(one, provider=providers[one.contract_id]) for one in case.contracts]
    case.offer("vega-H100", 0, 7.5)
    sold_by = {"node": "Vega", "vega-H100": "Vega", "spot-H100": "Orion"}
    case.offers = [replace(one, provider=sold_by.get(one.offer_id, "Lyra")) for one in case.offers]
    return case


def planned(case, **stated):
    """The case's evaluation with what a planner states of time, and of who may serve."""
    works = tuple(sorted(stated.pop("planned", ()), key=lambda work: work.key))
    scenario = replace(case.scenario, pools=dict(case.pools), planned=works, **stated)
    project = replace(case.project, scenarios=(scenario,), title="Dated case")
    return evaluated_in_parts(project, case.classifications)


def evaluated_in_parts(project, classifications):
    """Audit, figures, advice and outlook of the first scenario, with what is planned beside the log."""
    scenario, past = project.scenarios[0], audit(project, classifications)
    figures = evaluate_figures(project, scenario.name, past)
    advice = advise_plan(project, figures)
    return Evaluation(
        project=project,
        scenario=scenario.name,
        audit=past,
        figures=figures,
        advice=advice,
        outlook=outlook_plan(project, figures, advice),
    )


def assert_is_the_apps(book, evaluation):
    assert light_of(book) == "green", [
        row for row in cells_of(book)["Check list"].items() if row[1] in ("red", "changed")
    ]
    assert apart(summary_of(book), totals(evaluation)) == {}
    assert_same_months(months_of(book), app_months(evaluation))
    for heading, key in PARTS:
        said = [getattr(month, key) for month in evaluation.advice.comparison]
        assert column_of(book, heading) == pytest.approx(said, abs=0.01), heading


def written(evaluation, folder):
    folder.mkdir(parents=True, exist_ok=True)
    write_workbook(evaluation, folder / "plan.xlsx", 0)
    return folder / "plan.xlsx"


def assert_recalculate(calc, evaluations, folder):
    """Books of some evaluations, by name: recalculated they say what was written, which is what the app says."""
    books = {name: written(one, folder / str(at)) for at, (name, one) in enumerate(evaluations.items())}
    copies = [book.rename(book.with_name(f"{at}.xlsx")) for at, book in enumerate(books.values())]
    for (name, one), book, again in zip(evaluations.items(), copies, calc.recalculated(*copies), strict=True):
        assert differences(cells_of(book), cells_of(again)) == [], name
        assert_is_the_apps(again, one)


PRICE_STEPS = {
    "in the first month": (PriceChange("H100", 0.7, at(0.5)), PriceChange("H100", 1.2, at(0.75))),
    "up to a day": (PriceChange("A100", 1.5, at(5.5), by=True), PriceChange("A100", 0.9, at(2))),
    "ahead": (PriceChange("H100", 0.7, at(3.25)),),
    "that has happened": (PriceChange("H100", 0.8, at(-1)), PriceChange("A100", 1.1, at(0), by=True)),
}


@pytest.mark.long
@pytest.mark.parametrize("which", some_of(PRICE_STEPS, 1))
def test_steps_of_prices_are_the_apps(tmp_path, which):
    evaluation, without = planned(market(), price_changes=PRICE_STEPS[which]), planned(market())
    assert app_months(evaluation) != app_months(without)
    assert_is_the_apps(written(evaluation, tmp_path), evaluation)


@pytest.mark.long
def test_steps_of_prices_recalculate(calc, tmp_path):
    changes = tuple(change for some in PRICE_STEPS.values() for change in some)
    assert_recalculate(calc, {"all": planned(market(), price_changes=changes)}, tmp_path)


@pytest.mark.long
def test_another_factor_in_the_book_is_followed(calc, tmp_path):
    """Doing nothing signs nothing: it comes to what the app says of the other factor."""
    change = PRICE_STEPS["ahead"][0]
    evaluation = planned(market(), price_changes=(change,))
    there = planned(market(), price_changes=(replace(change, factor=0.5),))
    book = written(evaluation, tmp_path)
    prices = SheetCells(cells_of(book)["Offer inputs"])
    cell = prices.under("Times", A="H100")
    assert prices.cells[cell] == 0.7
    [again] = calc.recalculated(changed_copy(book, tmp_path / "moved.xlsx", {("Offer inputs", cell): 0.5}))
    said = [row.do_nothing_usd for row in there.advice.comparison]
    assert column_of(again, NOTHING) == pytest.approx(said, abs=0.01)
    assert light_of(again) == "changed"
    assert "H100: Times ('Offer inputs'!" in said_in(again)


CHAT, SWEEP, PRETRAIN, EMBED = "alpha/team/chat", "alpha/team/sweep", "beta/team/pretrain", "beta/team/embed"
STATED = {
    "planned work": {
        "planned": (
            PlannedWork(
                name="titan",
                pool=Pool.TRAINING,
                gpu_model="H100",
                gpus=6,
                cluster="",
                team="core",
                begins_s=at(1),
                ends_s=at(4.5),
            ),
            PlannedWork(
                name="nightly",
                pool=Pool.BURST,
                gpu_model="A100",
                gpus=3,
                cluster="beta",
                team="core",
                begins_s=at(0.3),
                ends_s=None,
                hours=tuple(range(20, 24)),
            ),
            PlannedWork(
                name="tune",
                pool=Pool.TRAINING,
                gpu_model="A100",
                gpus=2,
                cluster="beta",
                team="team",
                begins_s=None,
                ends_s=None,
                length_hours=400,
            ),
        )
    },
    "an end and a beginning in month 0": {
        "spells": {CHAT: Spell(None, at(0.5)), SWEEP: Spell(at(0.25), None), EMBED: Spell(at(0.75), at(6))}
    },
    "over before the plan, and later than its months": {
        "spells": {EMBED: Spell(None, at(-0.01)), SWEEP: Spell(at(14), None)}
    },
    "a step of all": {"changes": (DemandChange(target="all", keys=(), factor=1.4, from_s=at(2)),)},
    "a step within month 0": {
        "changes": (DemandChange(target="chat", keys=(CHAT,), factor=1.5, from_s=at(0.4)),)
    },
    "a step that has happened": {
        "changes": (DemandChange(target="chat", keys=(CHAT,), factor=0.8, from_s=at(-1)),)
    },
    "steps up to a day, and two alike": {
        "changes": (
            DemandChange(target="chat", keys=(CHAT,), factor=1.6, from_s=at(4.5), by=True),
            DemandChange(target="embed", keys=(EMBED,), factor=0.5, from_s=at(3.3)),
            DemandChange(target="sweep", keys=(SWEEP,), factor=0.5, from_s=at(3.3)),
        )
    },
    "an end": {"spells": {PRETRAIN: Spell(None, at(3.5))}},
}


@pytest.mark.long
@pytest.mark.parametrize("which", some_of(STATED, 1))
def test_what_is_stated_of_demand_is_the_apps(tmp_path, which):
    evaluation, without = planned(market(), **STATED[which]), planned(market())
    assert app_months(evaluation) != app_months(without)
    book = written(evaluation, tmp_path)
    assert_is_the_apps(book, evaluation)
    assert without_rule(book) == []


@pytest.mark.long
def test_a_factor_in_words_is_named(calc, tmp_path):
    book = written(planned(market(), price_changes=PRICE_STEPS["ahead"]), tmp_path)
    cell = SheetCells(cells_of(book)["Offer inputs"]).under("Times", A="H100")
    [again] = calc.recalculated(changed_copy(book, tmp_path / "half.xlsx", {("Offer inputs", cell): "half"}))
    sheet, all_checks = names_of(again)["all_checks"]
    light = cells_of(again)[sheet][all_checks]
    assert light.startswith("red:"), light
    assert f"('Offer inputs'!{cell})" in light, light


@pytest.mark.long
def test_who_is_there_is_a_value_and_factors_of_its_steps_are_locked(calc, tmp_path):
    """Neither is yellow, and a factor that is typed over is named as any input of the app is."""
    book = written(planned(market(), **STATED["steps up to a day, and two alike"]), tmp_path)
    hours = SheetCells(cells_of(book)["Calc pools"]).column("Hours")[0]
    below = SheetCells(cells_of(book)["Calc pools"]).rows(A="Pools")[0]
    formulas = [cell for cell in formulas_of(book)["Calc pools"] if int(cell.strip(ascii_uppercase)) < below]
    assert {cell.rstrip("0123456789") for cell in formulas} == {hours}
    watched = watched_book(book)
    assert "Calc pools" not in watched.inputs
    cell = SheetCells(cells_of(book)["Calc pools"]).under("Times", A="chat")
    assert cell in {one.coordinate for one in watched.fixed["Calc pools"]}
    [again] = calc.recalculated(changed_copy(book, tmp_path / "typed.xlsx", {("Calc pools", cell): 3.0}))
    assert light_of(again) == "changed"
    assert f"chat: Times ('Calc pools'!{cell}" in said_in(again)


@pytest.mark.long
def test_what_is_stated_of_demand_recalculates(calc, tmp_path):
    assert_recalculate(calc, {name: planned(market(), **stated) for name, stated in STATED.items()}, tmp_path)


ONLY = {
    "nobody by use": {PRETRAIN: Only("Vega")},
    "with dates": {CHAT: Only("Vega")},
    "one provider": {CHAT: Only("Vega")},
    "one provider, who has a contract": {CHAT: Only("Lyra"), EMBED: Only("Lyra")},
    "two of them": {CHAT: Only("Vega"), SWEEP: Only("Orion")},
    "spot alone": {SWEEP: Only("Orion")},
}


def limited(which):
    with_dates = STATED["an end and a beginning in month 0"] | {"price_changes": PRICE_STEPS["ahead"]}
    return planned(of_providers(market()), only=ONLY[which], **(with_dates if which == "with dates" else {}))


@pytest.mark.long
@pytest.mark.parametrize("which", some_of(ONLY, 1))
def test_who_alone_may_serve_is_the_apps(tmp_path, which):
    evaluation, without = limited(which), planned(of_providers(market()))
    is_unserved = any(month.unserved_gpu_hours for month in evaluation.advice.comparison)
    assert is_unserved is (which == "nobody by use")
    assert app_months(evaluation) != app_months(without)
    assert_is_the_apps(written(evaluation, tmp_path), evaluation)


@pytest.mark.long
def test_who_alone_may_serve_recalculates(calc, tmp_path):
    assert_recalculate(calc, {which: limited(which) for which in ONLY}, tmp_path)


@pytest.mark.long
def test_changes_in_the_book_come_to_what_the_app_says(calc, tmp_path):
    """A rate, GPUs of a contract, a layer's size and growth, each in the book and in the app."""
    step = DemandChange(target="chat", keys=(CHAT,), factor=1.3, from_s=at(3.5))
    stated = {
        "changes": (step,),
        "spells": {SWEEP: Spell(at(0.4), at(7.2))},
        "price_changes": PRICE_STEPS["ahead"],
    }
    evaluation = by_hand(planned(market(), **stated))
    book = written(evaluation, tmp_path)
    changes = [
        *what_ifs(evaluation, cells_of(book)),
        assumption(evaluation, book, "growth", 0.05),
        assumption(evaluation, book, "recency_half_life_days", 3.0),
    ]
    copies = [changed_copy(book, tmp_path / f"{at}.xlsx", one.cells) for at, one in enumerate(changes)]
    assert len(changes) >= 6
    for change, again in zip(changes, calc.recalculated(*copies), strict=True):
        assert apart(followed(summary_of(again)), followed(totals(change.app))) == {}, change.name
        assert_same_months(months_of(again), app_months(change.app), change.name)
        assert app_months(change.app) != app_months(evaluation), change.name
        assert light_of(again) == "changed", change.name


@pytest.mark.long
def test_a_contract_of_other_days_is_followed_but_where_it_cuts_a_month_that_was_whole(calc, tmp_path):
    """Doing nothing is the app's in every month, or a dash with its reason beside it and on the Summary."""
    evaluation = by_hand(planned(market()))
    book = written(evaluation, tmp_path)
    cells = cells_of(book)
    first, flex, other = evaluation.project.contracts
    changes = [
        (contract_days(evaluation, cells, first, end_s=at(8)), []),
        (contract_days(evaluation, cells, first, end_s=at(5)), []),
        (contract_days(evaluation, cells, first, end_s=at(8.3)), [8]),
        (contract_days(evaluation, cells, first, end_s=at(30)), []),
        (contract_days(evaluation, cells, other, end_s=at(3)), []),
        (contract_days(evaluation, cells, flex, start_s=at(2)), []),
        (contract_days(evaluation, cells, other, start_s=at(0.4), end_s=at(9)), [0]),
    ]
    copies = [
        changed_copy(book, tmp_path / f"{place}.xlsx", one.cells) for place, (one, _) in enumerate(changes)
    ]
    for (change, dashes), again in zip(changes, calc.recalculated(*copies), strict=True):
        said = [row.do_nothing_usd for row in change.app.advice.comparison]
        here = column_of(again, NOTHING)
        assert [month for month, usd in enumerate(here) if usd is None] == dashes, change.name
        assert [usd for usd in here if usd is not None] == pytest.approx(
            [usd for month, usd in enumerate(said) if month not in dashes], abs=0.01
        ), change.name
        why = column_of(again, "Why a dash")
        assert [month for month, words in enumerate(why) if words] == dashes, change.name
        assert (light_of(again), MOVED in said_in(again)) == ("changed", bool(dashes))


@pytest.mark.long
def test_steps_of_prices_of_models_that_serve_others_recalculate(calc, tmp_path):
    """H200 may serve H100: a blend of both moves by the shares of its $, and the past keeps its rates."""
    case = market()
    case.offer("od-H200", 0, 5.0, "H200")
    case.offer("c12-H200", 12, 2.0, "H200")
    mappings = (ModelMapping("H100", "H200", 1.25),)
    ahead = (PriceChange("H200", 0.7, at(0.5)), PriceChange("H100", 1.3, at(2.2)))
    made = {}
    for name, changes in (("ahead", ahead), ("past", (PriceChange("H200", 0.7, at(-1)),))):
        scenario = replace(case.scenario, pools=dict(case.pools), price_changes=changes)
        project = replace(case.project, scenarios=(scenario,), mappings=mappings, title="Mapped case")
        made[name] = evaluated_in_parts(project, case.classifications)
    assert {"od-H200"} & {pool.flex.offer_id for pool in made["ahead"].advice.pools}
    assert_recalculate(calc, made, tmp_path)


@pytest.mark.long
def test_a_quote_is_firm_where_list_prices_have_stepped(calc, tmp_path):
    case = market()
    case.offer("quoted", "committed", 1.9, term_months=12)
    source = "Quote RFQ-20261001-7C1E R1"
    case.offers = [replace(one, source=source) if one.offer_id == "quoted" else one for one in case.offers]
    evaluation = planned(case, price_changes=(PriceChange("H100", 0.5, case.end_s - 5 * 86_400),))
    book = written(evaluation, tmp_path)
    (again,) = calc.recalculated(book)
    assert_is_the_apps(again, evaluation)
    assert differences(cells_of(book), cells_of(again)) == []


def test_steady_work_that_ends_and_nodes_of_bare_metal_are_the_apps(tmp_path):
    """Bought as a run; planned work is on the only cluster that has contracts of its model."""
    case = market()
    case.nodes = {"H100": 2, "A100": 2}
    case.offers = [replace(offer, bare_metal=True) for offer in case.offers]
    works = [PlannedWork(name="next", pool=Pool.TRAINING, gpu_model="A100", gpus=3, begins_s=at(2.5))]
    evaluation = planned(case, spells={"beta/team/embed": Spell(None, at(3.3))}, planned=works)
    assert [run.key for run in evaluation.advised.planned_runs] == ["beta/team/embed"]
    assert {pool.block for pool in evaluation.advised.pools} == {1, 2, 4}  # the run has a row of its own
    assert_is_the_apps(written(evaluation, tmp_path), evaluation)
    cells = cells_of(tmp_path / "plan.xlsx")["Calc workloads"]
    (row,) = [name[1:] for name, said in cells.items() if said == "embed"]
    assert "bought as a run" in [said for name, said in cells.items() if name.lstrip("ABCDEFGHI") == row]
