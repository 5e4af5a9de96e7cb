"""Orders to sign now, and all of twelve months: the same rows and the same $ wherever they are told."""

import csv
from dataclasses import replace

import pytest

from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.cli.documents.requests import approval_document, request_document
from gpuplanner.domain.brief.briefs import plan_brief
from gpuplanner.domain.commitment.plan.orders import to_sign
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.export.focus import TO_THE_PLAN, write_focus
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.request.request import UNSAID, request_of
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook
from tests.domain.brief.test_approval_purchase import OWNED
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import cells_of
from tests.oracle.new_worlds import new_world
from tests.some_of import some_of

CENT = 0.01


def told_everywhere(evaluation, tmp_path, days=0):
    """$ to sign now and in all, by who tells them, and how many orders each has: so many days after the plan begins."""
    at_s, orders = evaluation.project.plan_window.end_s + days * DAY_S, evaluation.advice.orders
    certain = [one for one in orders if one.is_certain and one.end_s > at_s // DAY_S * DAY_S]
    now = [one for one in to_sign(orders, at_s) if one in certain]
    document = plan_document(evaluation)
    entries = document["orders"]
    listed = [entries[orders.index(one)]["liability_usd"] for one in certain]
    approval = approval_document(evaluation, at_s, entries)
    told = {"json": (approval["now"]["liability_usd"], approval["left"]["liability_usd"], len(listed))}
    told["orders"] = sum(one.liability for one in now), sum(listed), len(listed)
    over = approval["over"]["liability_usd"]
    assert document["totals"]["liability_usd"] == pytest.approx(sum(listed) + over, abs=CENT)
    if not days:
        assert document["totals"]["liability_now_usd"] == pytest.approx(told["json"][0], abs=CENT)
    brief = plan_brief(evaluation, at_s, "1")
    figures = {one.key: one.amount for page in brief.pages[:1] for one in page.figures}
    of_brief = figures["to_approve" if days else "liability_now"]
    told["brief"] = of_brief, of_brief + figures["later_commitments"], len(certain)
    assert_request_adds_up(evaluation, at_s)
    write_focus(evaluation, tmp_path / "focus.csv", at_s)
    with (tmp_path / "focus.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["ContractCommitmentId"] for row in rows].count(TO_THE_PLAN) == bool(certain)
    of_now = sum(float(row["x_PlanCost"]) for row in rows if row["x_ToSign"] == "now")
    of_now += sum(one.liability for one in now if one.is_bought)
    assert sum(float(row["x_PlanCost"]) for row in rows) == pytest.approx(told["orders"][1], abs=CENT)
    bought = sum(one.is_bought for one in certain)
    cost = sum(float(row["ContractCommitmentCost"]) for row in rows)
    told["focus"] = of_now, cost, len(rows[:-1]) + bought
    write_workbook(evaluation, tmp_path / "plan.xlsx", at_s)
    cells = SheetCells(cells_of(tmp_path / "plan.xlsx")["Calc months"])
    buys = " and GPUs to buy" if bought else ""
    now_usd = cells.cells[cells.under("$", A=f"Orders to sign{buys} now")]
    later = cells.cells[cells.under("$", A="Orders later in the twelve months")]
    told["workbook"] = now_usd, now_usd + later, len(certain)
    return told


def assert_request_adds_up(evaluation, at_s):
    """What a request asks for, and what it does not, are the orders of the plan."""
    orders, entries = evaluation.advised.orders, plan_document(evaluation)["orders"]
    request = request_document(request_of(evaluation, read_tables(), at_s, UNSAID), orders, entries)
    parts = [*(row for row in request["rows"] if not row["is_option"]), *request["not_asked"]]
    certain = [place for place, order in enumerate(orders) if order.is_certain]
    assert sorted(place for row in parts for place in row["orders"]) == certain
    owed = sum(entries[place]["liability_usd"] for place in certain)
    assert request["liability_usd"] == pytest.approx(owed, abs=CENT)
    assert sum(row["liability_usd"] for row in parts) == pytest.approx(owed, abs=CENT)


def assert_one(told):
    usd_now, in_all, count = told["orders"]
    for who, (here_now, here, many) in told.items():
        assert (here_now, here) == (pytest.approx(usd_now, abs=CENT), pytest.approx(in_all, abs=CENT)), who
        assert many == count, who


@pytest.mark.long
def test_of_the_demo(golden_world, tmp_path):
    told = told_everywhere(golden_world, tmp_path)
    assert told["orders"][1] > told["orders"][0] > 0
    assert_one(told)


@pytest.mark.long
@pytest.mark.parametrize("days", [330, 4000])
def test_of_a_plan_that_began_long_before_it_is_written(days, tmp_path):
    """Some of its orders are over, in the end all."""
    told = told_everywhere(evaluated(new_world(5)), tmp_path, days)
    assert (told["orders"][1] == 0) is (days == 4000)
    assert_one(told)


def evaluated(case):
    """A world with its plan in the project, as the application has it."""
    plan = replace(case.plan, name="Plan A")
    return evaluate(replace(case.project, scenarios=(plan,)), plan.name, read_tables())


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of([3, 5, 8, 17], quick=1))
def test_of_a_random_world(seed, tmp_path):
    """Orders that renew, that only young demand keeps, and none for now among them."""
    assert_one(told_everywhere(evaluated(new_world(seed)), tmp_path))


@pytest.mark.long
def test_with_gpus_that_are_bought(tmp_path):
    case = two_clusters_with_layers()
    case.offers.append(OWNED)
    evaluation = evaluation_of(case)
    assert {one.is_bought for one in evaluation.advice.orders} == {True, False}
    assert_one(told_everywhere(evaluation, tmp_path))


def test_of_a_public_log(shared_data, golden_demo, tmp_path):
    jobs = str(shared_data / "traces" / "openb_pod_list_default.csv")
    read = read_inputs([jobs], (), [str(golden_demo / "prices.csv")])
    project = read.project()
    evaluation = evaluate(project, project.scenarios[0].name, read_tables())
    assert_one(told_everywhere(evaluation, tmp_path))
