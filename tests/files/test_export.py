"""FOCUS rows of what is proposed: the specification's columns, and back through our own reader once signed."""

import csv
import errno
import io
import json
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.cli.project_words import no_project
from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.edits.labels import assumption_label, plan_label
from gpuplanner.domain.edits.money import counted_in
from gpuplanner.domain.edits.plans import add_decision
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer, months_of_days, owned_at
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import Decision, Scenario
from gpuplanner.domain.model.project import INTERCONNECTS, Project
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import iso_day
from gpuplanner.files import export
from gpuplanner.files.export import (
    FOCUS_COLUMNS,
    LISTED,
    decisions_csv,
    decisions_text,
    frame_of,
    prices_text,
    proposed_commitments,
    tables_of,
    write_decisions,
    write_focus,
    write_price_file,
    write_tables,
)
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import two_clusters_evaluated
from tests.files.workbook.recalculate import cells_of
from tests.some_of import examples

# --- FOCUS rows of what is proposed: the specification's columns, and back through our own reader once
# signed

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
    assert [name for name in FOCUS_COLUMNS if name.startswith("x_")] == list(FOCUS_COLUMNS[-22:])
    assert all(row[name] for row in rows for name in REQUIRED_BY_FOCUS_1_3)
    assert {row["x_ContractCommitmentLifecycleStatus"] for row in rows} == {"Proposed"}
    assert {row["ContractCommitmentUnit"] for row in rows} == {"GPU-Hours"}
    assert len({row["ContractCommitmentId"] for row in rows}) == len(rows)
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


# --- The price book as a file: reading what was written gives the same offers, whatever is in them

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs", "Cf", "Co", "Cn"))
    | st.sampled_from(' ,;|"=+-@'),
    min_size=1,
    max_size=20,
).filter(lambda text: text == text.strip() and bool(text))
MONEY = st.decimals(Decimal("0.000001"), 10_000, places=6, allow_nan=False)
SHORT_MONEY = st.decimals(Decimal("0.01"), 99, places=3, allow_nan=False)
FLOATS = st.integers(0, 10**9).map(lambda number: number / 10**5)  # hours and GB as people give them


@st.composite
def an_offer(draw: st.DrawFn) -> Offer:
    category = draw(
        st.sampled_from((PricingCategory.STANDARD, PricingCategory.COMMITTED, PricingCategory.DYNAMIC))
    )
    maybe = st.none()
    is_commitment = category is PricingCategory.COMMITTED
    days = draw(maybe | st.integers(1, 700)) if is_commitment else None
    instant = maybe | st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(
        lambda at: iso_day(int(at.replace(tzinfo=UTC).timestamp()))
    )
    return Offer(
        offer_id=draw(NAMES),
        gpu_model=draw(st.sampled_from(("H100", "A100", "MI300X"))),
        pricing_category=category,
        term_months=months_of_days(days) if days else draw(st.integers(1, 60)) if is_commitment else 0,
        rate_usd_per_gpu_hour=draw(maybe | MONEY | SHORT_MONEY),
        provider=draw(maybe | NAMES),
        rate_low=draw(maybe | MONEY | SHORT_MONEY),
        rate_high=draw(maybe | MONEY),
        max_gpus=draw(maybe | st.integers(1, 10_000)),
        lead_time_hours=draw(FLOATS),
        min_term_months=draw(st.integers(0, 36)),
        gpu_memory_gb=draw(maybe | FLOATS),
        bare_metal=draw(maybe | st.booleans()),
        interconnect=draw(maybe | st.sampled_from(INTERCONNECTS)),
        egress_usd_per_gb=draw(maybe | SHORT_MONEY),
        region=draw(maybe | NAMES),
        source=draw(maybe | NAMES),
        as_of=draw(maybe | st.dates().map(lambda day: day.isoformat())),
        min_gpus=draw(maybe | st.integers(1, 512)),
        unit_gpus=draw(maybe | st.sampled_from((2, 4, 8))),
        upfront_usd=draw(maybe | SHORT_MONEY),
        sla_percent=draw(maybe | st.sampled_from((99.0, 99.9, 99.95))),
        term_days=days,
        starts=draw(instant),
        ends=draw(instant),
        valid_until=draw(instant),
    )


@pytest.mark.long
@given(st.lists(an_offer(), min_size=1, max_size=6, unique_by=lambda offer: offer.offer_id))
@settings(max_examples=examples(10), deadline=None)
def test_reading_what_was_written_gives_the_same_offers(
    tmp_path_factory: pytest.TempPathFactory, offers: list[Offer]
) -> None:
    path = tmp_path_factory.mktemp("prices") / "prices.csv"
    write_price_file(offers, path)
    read = import_prices([str(path)])
    assert read.offers == tuple(sorted(offers, key=lambda offer: offer.offer_id))
    assert [file.rows_rejected for file in read.intake] == [0]


@given(
    st.builds(
        Offer,
        offer_id=st.just("own"),
        gpu_model=st.just("H100"),
        pricing_category=st.just(PricingCategory.OWNED),
        term_months=st.just(0),
        rate_usd_per_gpu_hour=st.none() | MONEY,  # worked out: it is not read
        capex_usd_per_gpu=st.none() | MONEY,
        life_months=st.none() | st.integers(1, 120),
        residual_share=st.none() | st.integers(0, 100).map(lambda percent: percent / 100),
        kw_per_gpu=st.none() | SHORT_MONEY.map(float),
        pue=st.none() | st.integers(100, 300).map(lambda percent: percent / 100),
        usd_per_kwh=st.none() | SHORT_MONEY,
        space_usd_per_kw_month=st.none() | MONEY,
        staff_usd_per_gpu_month=st.none() | MONEY,
    )
)
@settings(max_examples=examples(10), deadline=None)
def test_owned_gpus_come_back_at_the_same_rate(
    tmp_path_factory: pytest.TempPathFactory, offer: Offer
) -> None:
    path = tmp_path_factory.mktemp("prices") / "prices.csv"
    write_price_file([offer], path)
    read = import_prices([str(path)])
    assert owned_at(read.offers, 0.1, 1.3) == owned_at((offer,), 0.1, 1.3)
    (codes,) = [{issue.code for issue in file.issues} for file in read.intake]
    is_known = offer.capex_usd_per_gpu is not None and offer.life_months is not None
    assert ("quote_needed" in codes) is not is_known


def test_no_cell_begins_a_formula() -> None:
    offer = Offer(
        offer_id="=1+1",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        provider="@sum",
        source="'=kept",
    )
    (line,) = prices_text([offer]).splitlines()[1:]
    assert not any(cell.startswith(tuple("=+-@")) for cell in line.split(","))


def test_the_shipped_offers_come_back(tmp_path: Path) -> None:
    shipped = import_prices(["builtin"]).offers
    write_price_file(shipped, tmp_path / "prices.csv")
    assert import_prices([str(tmp_path / "prices.csv")]).offers == shipped


def test_an_upfront_payment_without_a_term_is_spread_over_nothing(tmp_path: Path) -> None:
    offer = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal(3),
        upfront_usd=Decimal(100),
    )
    assert offer.spread_rate == 3
    write_price_file([offer], tmp_path / "prices.csv")
    assert import_prices([str(tmp_path / "prices.csv")]).offers == (offer,)


def test_a_model_is_written_as_its_list_wrote_it() -> None:
    offer = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        gpu_model_written="NVIDIA H100 80GB HBM3",
    )
    assert "o,,NVIDIA H100 80GB HBM3,STANDARD" in prices_text([offer])


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(PlannerError) as fault:
        write_price_file([], tmp_path / "nowhere" / "prices.csv")
    assert fault.value.code == "file_unreadable"
    assert "choose another folder" in str(fault.value.remedy)
    assert not list(tmp_path.iterdir())


# --- The logs of decisions as files: every line once, safe in a spreadsheet, whole or not at all

PLANS = (
    Scenario(
        name="Plan A", decisions=(Decision(0, "Move a to burst", "it is, cheaper"), Decision(3600, "Pin b"))
    ),
    Scenario(name="=Plan", decisions=(Decision(7200, "=1+1", "@x"),)),
    Scenario(name="Plan C"),
)


def test_a_table_has_a_row_for_every_decision() -> None:
    rows = list(csv.reader(io.StringIO(decisions_csv(PLANS, "USD"))))
    assert rows[:3] == [
        ["plan", "at", "decision", "reason"],
        ["Plan A", "1970-01-01T00:00:00Z", "Move a to burst", "it is, cheaper"],
        ["Plan A", "1970-01-01T01:00:00Z", "Pin b", ""],
    ]
    assert len(rows) == 4
    assert not any(cell.startswith(("=", "@", "+", "-")) for row in rows for cell in row)


def test_a_text_is_for_people() -> None:
    first, moved, why, pinned = decisions_text(PLANS[:1], "USD").replace("\n\n", "\n").splitlines()
    assert (first, moved, pinned) == (
        "Plan A",
        "1970-01-01T00:00:00Z  Move a to burst",
        "1970-01-01T01:00:00Z  Pin b",
    )
    assert why.endswith(": it is, cheaper")
    assert decisions_text(PLANS[2:], "USD") == "\n"


def test_a_file_is_of_the_kind_of_its_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    write_decisions(PLANS, tmp_path / "log.csv", "USD")
    assert (tmp_path / "log.csv").read_text("utf-8-sig").startswith("plan,at,decision,reason")
    write_decisions(PLANS, tmp_path / "log.txt", "USD")
    assert "Why: it is, cheaper" in (tmp_path / "log.txt").read_text("utf-8-sig")
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_decisions(PLANS, tmp_path / "no" / "log.csv", "USD")


@pytest.mark.parametrize(
    ("code", "said"), [("USD", "$ per month"), ("EUR", "\u20ac per month"), ("CHF", "CHF per month")]
)
def test_amounts_are_in_the_money_of_the_project(code: str, said: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    budget = Decision(0, assumption_label("budget_usd_per_month", 1_234_567.0), "below $2M, they said")
    plans = (Scenario(name="Plan A", decisions=(budget, Decision(0, "Plan at $5"))),)
    (_, decided, named) = csv.reader(io.StringIO(decisions_csv(plans, code)))
    assert decided[2:] == [f"Change budget to 1,234,567 {said}", "below $2M, they said"]
    assert named[2] == "Plan at $5"
    text = decisions_text(plans, code)
    assert f"1,234,567 {said}\n" in text and "below $2M, they said\n" in text
    write_decisions(plans, tmp_path / "log.txt", code)
    assert (tmp_path / "log.txt").read_text("utf-8-sig") == text


def test_a_plan_that_is_named_for_an_amount_keeps_its_name_in_another_money() -> None:
    project = replace(no_project(), scenarios=(Scenario(name="Plan $5"),), currency="EUR")
    decided = (
        plan_label("Rename", "Plan $5"),
        worded("Take {usd} a month for {plan}, in $", usd=amount(-5), plan="Plan $5"),
    )
    for what in (*decided, "Plan $5"):
        project = add_decision(project, "Plan $5", 0, what)
    assert [one.count("\u2212\u20ac5") for one in _said(project)] == [0, 1, 0]
    assert _said(project)[-1] == "Plan $5" and "Plan $5" in _said(project)[0]
    francs = _said(counted_in(project, "CHF"))
    assert [one.count("\u2212EUR\u00a05") for one in francs] == [0, 1, 0] and francs[-1] == "Plan $5"
    assert all("Plan $5" in one for one in francs)


def _said(project: Project) -> list[str]:
    """What the log says was decided, as a table and as a text have it."""
    said = [row[2] for row in csv.reader(io.StringIO(decisions_csv(project.scenarios, project.currency)))][1:]
    lines = decisions_text(project.scenarios, project.currency).splitlines()
    assert lines[2:] == [f"1970-01-01T00:00:00Z  {what}" for what in said]
    return said


DOCUMENT = {
    "command": "plan",
    "totals": {"usd": 2.5, "sign": [{"pool": "burst", "gpus": 4}]},
    "rate": None,
    "out": ["a.csv", "b.csv"],
    "grid": [[1, 2], [3, 4]],
    "none": [],
    "pools": [
        {"pool": "burst", "layers": [], "reasons": [], "cost": {"low": 1, "high": None}},
        {"pool": "=x", "layers": [{"gpus": 1, "of": ["c1"]}, {"gpus": 2, "of": []}], "reasons": ["why", 1]},
    ],
    "needs": [{"is": True, "value": 1}, {"is": None, "value": "ten"}],
}
TABLES = {
    "plan": [{"command": "plan", "totals.usd": 2.5, "rate": None}],
    "totals.sign": [{"pool": "burst", "gpus": 4}],
    "out": [{"out": "a.csv"}, {"out": "b.csv"}],
    "grid": [{0: 1, 1: 2}, {0: 3, 1: 4}],
    "none": [],
    "pools": [
        {"pool": "burst", "reasons": "[]", "cost.low": 1, "cost.high": None},
        {"pool": "=x", "reasons": '["why", 1]'},
    ],
    "pools.layers": [{"pools": 1, "gpus": 1, "of": '["c1"]'}, {"pools": 1, "gpus": 2, "of": "[]"}],
    "needs": [{"is": True, "value": 1}, {"is": None, "value": "ten"}],
}


def test_each_list_is_a_table_of_its_name_and_the_rest_is_one_row() -> None:
    assert tables_of(DOCUMENT) == TABLES


def test_a_frame_has_a_column_a_field() -> None:
    frame = frame_of("pools", DOCUMENT["pools"])
    assert list(frame.columns) == ["pool", "layers", "reasons", "cost.low", "cost.high"]
    assert frame["layers"].tolist() == [[], DOCUMENT["pools"][1]["layers"]] and pd.isna(frame["cost.low"][1])
    assert frame_of("out", ["a.csv"]).to_dict("list") == {"out": ["a.csv"]}
    assert frame_of("grid", [[1, 2], [3, 4]]).to_numpy().tolist() == [[1, 2], [3, 4]]
    assert frame_of("none", []).empty


def read_csv(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))


def test_csv_files_hold_what_the_tables_hold(tmp_path: Path) -> None:
    paths = write_tables(DOCUMENT, tmp_path / "new", ".csv")
    assert [path.name for path in paths] == [f"{name}.csv" for name in TABLES]
    assert read_csv(tmp_path / "new" / "pools.csv") == [
        ["pool", "reasons", "cost.low", "cost.high"],
        ["burst", "[]", "1", ""],  # unknown is empty, never 0
        ["'=x", '["why", 1]', "", ""],  # text is no formula
    ]
    assert read_csv(tmp_path / "new" / "needs.csv")[1:] == [["true", "1"], ["", "ten"]]
    assert (tmp_path / "new" / "none.csv").read_bytes() == b""


def test_parquet_files_hold_what_the_tables_hold(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".parquet")
    pools = pd.read_parquet(tmp_path / "pools.parquet")
    assert pools["pool"].tolist() == ["burst", "=x"] and pd.isna(pools["cost.low"][1])
    assert pd.read_parquet(tmp_path / "needs.parquet")["value"].tolist() == ["1", "ten"]
    assert pd.read_parquet(tmp_path / "grid.parquet").columns.tolist() == ["0", "1"]
    assert pd.read_parquet(tmp_path / "none.parquet").empty


def test_what_we_wrote_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".csv")
    write_tables(DOCUMENT, tmp_path, ".parquet")
    write_tables(DOCUMENT | {"out": ["c.csv"]}, tmp_path, ".csv")
    assert read_csv(tmp_path / "out.csv") == [["out"], ["c.csv"]]
    listed = set(json.loads((tmp_path / LISTED).read_text())["tables"])
    assert listed == {f"{name}{suffix}" for name in TABLES for suffix in (".csv", ".parquet")}

    (tmp_path / "pools.csv").write_text("mine")
    before = (tmp_path / "out.csv").read_bytes()
    with pytest.raises(PlannerError, match=r"pools\.csv: file_unreadable: .* has changed"):
        write_tables(DOCUMENT, tmp_path, ".csv")
    assert (tmp_path / "pools.csv").read_text() == "mine"
    assert (tmp_path / "out.csv").read_bytes() == before  # nothing was written


def test_a_write_that_stops_anywhere_leaves_all_tables_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    write_tables(DOCUMENT, tmp_path, ".csv")
    before, real = held(), export.output_file
    other = DOCUMENT | {"out": ["d.csv"], "more": [{"a": 1}]}
    for stop in range(len(TABLES) + 1):
        left = [stop]

        def some(*words: object, left: list[int] = left) -> AbstractContextManager[BinaryIO]:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, "no room")
            return real(*words)

        monkeypatch.setattr(export, "output_file", some)
        with pytest.raises((OSError, PlannerError)):
            write_tables(other, tmp_path, ".csv")
        assert held() == before
    monkeypatch.setattr(export, "output_file", real)
    write_tables(other, tmp_path, ".csv")
    assert held() != before and set(held()) == set(before) | {"more.csv"}


def test_a_list_of_a_version_before_is_read(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".csv")
    path = tmp_path / LISTED
    held = {name: one for name, (one,) in json.loads(path.read_text())["tables"].items()}
    path.write_text(json.dumps({"tables": held}))
    write_tables(DOCUMENT, tmp_path, ".csv")


@pytest.mark.parametrize("there", ["no JSON", "[]", '{"tables": 1}'])
def test_a_list_that_is_none_of_ours_is_left_alone(tmp_path: Path, there: str) -> None:
    (tmp_path / LISTED).write_text(there)
    with pytest.raises(PlannerError, match=LISTED):
        write_tables(DOCUMENT, tmp_path, ".csv")
    assert (tmp_path / LISTED).read_text() == there


def test_files_that_are_read_are_never_written_to(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".csv")
    with pytest.raises(PlannerError, match=r"pools\.csv"):
        write_tables(DOCUMENT, tmp_path, ".csv", [tmp_path / "pools.csv"])
