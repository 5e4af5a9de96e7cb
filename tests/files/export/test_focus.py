"""FOCUS rows of what is proposed: the specification's columns, and back through our own reader once signed."""

import csv
from dataclasses import replace

import pytest

from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import instant_s
from gpuplanner.files.export.focus import FOCUS_COLUMNS, proposed_commitments, write_focus
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import two_clusters_evaluated
from tests.files.workbook.recalculate import cells_of

REQUIRED_BY_FOCUS_1_3 = {
    *(
        "BillingCurrency",
        "ContractCommitmentCategory",
        "ContractCommitmentCost",
        "ContractCommitmentDescription",
    ),
    *("ContractCommitmentId", "ContractCommitmentPeriodEnd", "ContractCommitmentPeriodStart"),
    *("ContractCommitmentQuantity", "ContractCommitmentType", "ContractCommitmentUnit"),
    *("ContractId", "ContractPeriodEnd", "ContractPeriodStart"),
}


@pytest.fixture(scope="module")
def evaluation():
    return two_clusters_evaluated()


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_columns_are_those_of_the_specification(evaluation, tmp_path):
    write_focus(evaluation, tmp_path / "focus.csv")
    rows = rows_of(tmp_path / "focus.csv")
    assert len(rows[:-1]) == len(evaluation.advice.orders)
    assert float(rows[-1]["ContractCommitmentQuantity"]) == 0.0
    assert {name for name in rows[0] if not name.startswith("x_")} == REQUIRED_BY_FOCUS_1_3
    assert [name for name in FOCUS_COLUMNS if name.startswith("x_")] == list(FOCUS_COLUMNS[-23:])
    assert all(row[name] for row in rows for name in REQUIRED_BY_FOCUS_1_3)
    assert {row["x_ContractCommitmentLifecycleStatus"] for row in rows} == {"Proposed"}
    assert {row["ContractCommitmentUnit"] for row in rows} == {"GPU-Hours"}
    assert len({row["ContractCommitmentId"] for row in rows}) == len(rows)
    numbers = {
        (one.offer_id, one.start_s): listed.number
        for listed in evaluation.listed_orders
        for one in listed.orders
    }
    found = {
        (row["x_OfferId"], instant_s(row["ContractCommitmentPeriodStart"])): row["x_OrderNumber"]
        for row in rows[:-1]
    }
    assert found == {order: f"O{number}" for order, number in numbers.items()}
    assert rows[-1]["x_OrderNumber"] == ""
    for row in rows[:-1]:
        cost = float(row["ContractCommitmentQuantity"]) * float(row["x_RateUsdPerGpuHour"])
        assert float(row["ContractCommitmentCost"]) == pytest.approx(cost, abs=0.01)


def test_a_contract_has_one_period_with_all_its_commitments_in_it(evaluation, tmp_path):
    first = evaluation.advice.orders[0]
    later = replace(first, start_s=first.start_s + 90 * 86_400)
    orders = (*evaluation.advice.orders, later)
    write_focus(replace(evaluation, advice=replace(evaluation.advice, orders=orders)), tmp_path / "focus.csv")
    periods = {}
    for row in rows_of(tmp_path / "focus.csv"):
        period = (row["ContractPeriodStart"], row["ContractPeriodEnd"])
        assert periods.setdefault(row["ContractId"], period) == period
        assert (
            period[0]
            <= row["ContractCommitmentPeriodStart"]
            < row["ContractCommitmentPeriodEnd"]
            <= period[1]
        )


def test_files_with_the_six_names_as_they_were_are_read_the_same(evaluation, tmp_path):
    path = tmp_path / "focus.csv"
    write_focus(evaluation, path)
    now = path.read_text(encoding="utf-8").replace(",Proposed,", ",Active,")
    read = []
    for text in (
        now,
        now.replace("x_ContractCommitment", "ContractCommitment")
        .replace("x_Pricing", "Pricing")
        .replace("x_ServiceProviderName", "ServiceProviderName"),
    ):
        path.write_text(text, encoding="utf-8")
        read.append(import_contracts([str(path)]))
    assert read[0].contracts == read[1].contracts != ()
    assert [one.intake[0].issues for one in read] == [read[0].intake[0].issues] * 2


def test_signed_they_come_back_as_contracts_of_the_same_gpus_rate_and_dates(evaluation, tmp_path):
    path = tmp_path / "focus.csv"
    write_focus(evaluation, path)
    assert import_contracts([str(path)]).contracts == (), "what is only proposed is not in force"
    path.write_text(path.read_text(encoding="utf-8").replace(",Proposed,", ",Active,"), encoding="utf-8")
    read = import_contracts([str(path)])
    assert read.intake[0].rows_rejected == 0
    found = {contract.contract_id: contract for contract in read.contracts}
    said = proposed_commitments(approval_on(evaluation.advice, evaluation.project), evaluation.project)
    assert set(found) == {one.name for one in said}
    for one in said:
        contract = found[one.name]
        assert (contract.gpus, contract.rate) == (one.order.gpus, one.offer.rate)
        assert (contract.gpu_model, contract.pool, contract.term_months) == (
            one.order.gpu_model,
            one.order.pool,
            one.order.term_months,
        )
        assert contract.start_s == one.order.start_s
        assert (contract.end_s - contract.start_s) / 3600 == one.hours
        assert contract.is_committed


def test_gpus_and_rate_follow_from_quantity_and_cost_alone(evaluation, tmp_path):
    path = tmp_path / "focus.csv"
    write_focus(evaluation, path)
    rows = rows_of(path)
    kept = [name for name in FOCUS_COLUMNS if name not in ("x_Gpus", "x_RateUsdPerGpuHour")]
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, kept, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(row | {"x_ContractCommitmentLifecycleStatus": "Pending"} for row in rows)
    for contract, row in zip(import_contracts([str(path)]).contracts, rows[:-1], strict=True):
        assert contract.gpus == float(row["x_Gpus"])
        assert contract.rate == pytest.approx(float(row["x_RateUsdPerGpuHour"]))


@pytest.mark.long
def test_the_sheet_says_what_the_file_says(evaluation, tmp_path):
    write_workbook(evaluation, tmp_path / "plan.xlsx", 0)
    write_focus(evaluation, tmp_path / "focus.csv")
    cells = cells_of(tmp_path / "plan.xlsx")["FOCUS"]
    head = next(int(cell[1:]) for cell, value in cells.items() if value == "BillingCurrency")
    letters = {
        value: cell[: -len(str(head))]
        for cell, value in cells.items()
        if cell.endswith(str(head)) and value in FOCUS_COLUMNS
    }
    for number, row in enumerate(rows_of(tmp_path / "focus.csv"), head + 1):
        for column in FOCUS_COLUMNS:
            here = cells.get(f"{letters[column]}{number}")
            if isinstance(here, int | float):
                assert here == pytest.approx(float(row[column]))
            else:
                assert (here or "") == row[column]


def test_names_that_look_like_formulas_are_none(evaluation, tmp_path):
    offers = tuple(
        replace(offer, provider="=1+1\x00", region="@SUM(A1)") for offer in evaluation.project.offers
    )
    project = replace(evaluation.project, offers=offers)
    write_focus(replace(evaluation, project=project), tmp_path / "focus.csv")
    row = rows_of(tmp_path / "focus.csv")[0]
    assert (row["x_ServiceProviderName"], row["x_Region"]) == ("'=1+1", "'@SUM(A1)")


def test_a_place_that_cannot_be_written_is_said(evaluation, tmp_path):
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_focus(evaluation, tmp_path / "nowhere" / "focus.csv")
    assert list(tmp_path.iterdir()) == []
