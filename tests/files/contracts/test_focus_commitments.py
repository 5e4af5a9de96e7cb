"""FOCUS contract commitments: GPU-hours become GPUs by their period or interval, all else is told and left out."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.contracts import focus_commitments
from gpuplanner.files.contracts.export_form import Record, plain
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import ContractsRead, import_contracts
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.tables.small_table import Row

COMMITMENT = {
    "ContractCommitmentId": "cmt-1",
    "ContractId": "agr-1",
    "ContractCommitmentCategory": "Usage",
    "ContractCommitmentUnit": "GPU-Hours",
    "ContractCommitmentQuantity": "87600",
    "ContractCommitmentFulfillmentInterval": "Full Commitment Period",
    "ContractCommitmentPeriodStart": "2026-01-01",
    "ContractCommitmentPeriodEnd": "2027-01-01",
    "ContractCommitmentDurationType": "1 Year",
    "ContractCommitmentDescription": "Reserved H100 capacity",
    "ContractCommitmentLifecycleStatus": "Active",
    "ContractCommitmentCost": "219000",
    "BillingCurrency": "USD",
    "PricingCurrency": "USD",
    "PricingCurrencyContractCommitmentCost": "219000",
    "ServiceProviderName": "Alpha",
}
INTERVALS = {
    "Hourly": 1,
    "Daily": 24,
    "Weekly": 168,
    "Monthly": 730,
    "Quarterly": 2190,
    "Semi-Annual": 4380,
    "Annual": 8760,
}


def _read(folder: Path, *rows: dict[str, str]) -> tuple[ContractsRead, FileIntake]:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [",".join(columns), *(",".join(row.get(name, "") for name in columns) for row in rows)]
    path = folder / "commitments.csv"
    path.write_text("\r\n".join(lines), encoding="utf-8")
    assert (recognise(str(path)).kind, recognise(str(path)).format) == ("contracts", "focus")
    read = import_contracts([str(path)])
    (file,) = read.intake
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert file.rows_read == sum(ends) == len(rows)
    return read, file


def _texts(**changes: str) -> tuple[dict[str, str], Row]:
    row = Row(texts={})
    record = Record(line=2, texts={plain(name): text for name, text in {**COMMITMENT, **changes}.items()})
    return dict(focus_commitments.texts_of(record, row)[0]), row


def test_gpu_hours_of_a_period_become_gpus_and_the_reading_is_said(tmp_path: Path) -> None:
    read, file = _read(tmp_path, COMMITMENT)
    (contract,) = read.contracts
    assert (contract.contract_id, contract.provider, contract.gpu_model) == ("cmt-1", "Alpha", "H100")
    assert (contract.gpus, contract.rate, contract.term_months) == (10.0, 2.5, 12)
    (issue,) = file.issues
    assert issue.code == "computed"
    assert "cmt-1: 87,600" in str(issue.message) and "8,760 h" in str(issue.message)
    assert "$219,000 / (10 GPUs x 8,760 h) = $2.5" in str(issue.message)


@pytest.mark.parametrize(("interval", "hours"), INTERVALS.items())
@given(gpus=st.integers(1, 5000))
def test_an_interval_divides_instead_of_the_period(interval: str, hours: int, gpus: int) -> None:
    texts, row = _texts(
        ContractCommitmentFulfillmentInterval=interval, ContractCommitmentQuantity=str(gpus * hours)
    )
    assert Decimal(texts["gpus"]) == gpus
    assert f"of its {interval.lower()} interval" in str(row.said["computed"])


@given(st.integers(1, 10**6), st.integers(1, 36))
def test_gpus_times_hours_of_the_period_is_the_quantity(quantity: int, months: int) -> None:
    year, month = divmod(months, 12)
    texts, _ = _texts(
        ContractCommitmentQuantity=str(quantity),
        ContractCommitmentPeriodEnd=f"{2026 + year}-{month + 1:02}-01",
    )
    from gpuplanner.files.contracts.export_form import hours_between

    hours = hours_between("2026-01-01", texts["end"])
    assert hours is None or abs(Decimal(texts["gpus"]) * hours - quantity) < Decimal("0.001")


@pytest.mark.parametrize(
    ("unit", "gpus"),
    [
        ("GPU Hours", 10.0),
        ("H100 GPU-Hour", 10.0),
        ("H100-Hours", 10.0),
        ("gpuhrs", 10.0),
        ("GPU-Days", 240.0),
        ("GPUs", 87_600.0),
        ("GPU-Months", 7300.0),
    ],
)
def test_units_of_gpus(tmp_path: Path, unit: str, gpus: float) -> None:
    read, _ = _read(tmp_path, {**COMMITMENT, "ContractCommitmentUnit": unit})
    assert read.contracts[0].gpus == gpus


@pytest.mark.parametrize(
    "changes",
    [
        {"ContractCommitmentUnit": "USD", "ContractCommitmentCategory": "Spend"},
        {"ContractCommitmentUnit": "Terabytes"},
        {"ContractCommitmentUnit": "Credits"},
        {"ContractCommitmentUnit": "Instance-Hours"},
        {"ContractCommitmentUnit": ""},
        {"ContractCommitmentQuantity": "0"},
        {"ContractCommitmentLifecycleStatus": "Proposed"},
        {"ContractCommitmentLifecycleStatus": "Canceled"},
    ],
    ids=str,
)
def test_what_commits_no_gpus_is_left_out_with_words(tmp_path: Path, changes: dict[str, str]) -> None:
    read, file = _read(tmp_path, {**COMMITMENT, **changes})
    assert (read.contracts, file.rows_ignored) == ((), 1)
    (issue,) = file.issues
    assert issue.code == "left_out" and "cmt-1" in str(issue.message)


def test_columns_of_our_own_stand_beside_with_x(tmp_path: Path) -> None:
    read, _ = _read(
        tmp_path,
        {
            **COMMITMENT,
            "x_GpuModel": "B200",
            "x_Cluster": "atlas",
            "x_RateUsdPerGpuHour": "3.25",
            "x_Pool": "training",
            "x_Interconnect": "infiniband",
            "x_NoticeDays": "90",
        },
        {**COMMITMENT, "ContractCommitmentId": "cmt-2", "ContractCommitmentUnit": "USD", "x_Gpus": "16"},
        {
            **COMMITMENT,
            "ContractCommitmentId": "cmt-3",
            "ContractCommitmentUnit": "Instance-Hours",
            "x_InstanceType": "p5.48xlarge",
        },
    )
    one, two, three = read.contracts
    assert (one.gpu_model, one.cluster, one.rate, str(one.pool)) == ("B200", "atlas", 3.25, "training")
    assert (one.interconnect, one.notice_days) == ("infiniband", 90)
    assert two.gpus == 16.0
    assert (three.gpus, three.gpu_model) == (80.0, "H100")


def test_fields_of_the_next_version_may_stand_with_x_and_count_behind_its_own() -> None:
    """The interval of a file of 1.3; where both names stand, the plain one counts."""
    interval = "ContractCommitmentFulfillmentInterval"
    bare = {name: text for name, text in COMMITMENT.items() if name != interval}
    monthly, daily = {f"x_{interval}": "Monthly"}, {interval: "Daily"}
    gpus = []
    for texts in ({**bare, **monthly}, {**bare, **monthly, **daily}, bare):
        record = Record(line=2, texts={plain(name): text for name, text in texts.items()})
        gpus.append(dict(focus_commitments.texts_of(record, Row(texts={}))[0])["gpus"])
    assert gpus == ["120", "3650", "10"]  # 87,600 GPU-hours in 730, in 24, and in the 8,760 of its year


def test_euros_are_said_and_kept_as_they_are_quoted(tmp_path: Path) -> None:
    euros = {"BillingCurrency": "EUR", "PricingCurrency": "EUR"}
    read, file = _read(tmp_path, {**COMMITMENT, **euros})
    (contract,) = read.contracts
    assert (contract.rate, contract.currency) == (None, "EUR")
    assert contract.rate_usd_per_gpu_hour is not None
    assert "other_currency" in {issue.code for issue in file.issues}


def test_dollars_to_price_and_euros_to_bill(tmp_path: Path) -> None:
    row = {**COMMITMENT, "BillingCurrency": "EUR", "ContractCommitmentCost": "202575"}
    read, _ = _read(tmp_path, row)
    assert read.contracts[0].rate == 2.5
    facts = dict(check_file(str(tmp_path / "commitments.csv"))[0].facts)
    assert facts["exchange_rates"] == {"EUR per USD": 0.925}
    assert facts["cost_by_billing_currency"] == {"EUR": 202575.0}
    assert (facts["commitments_by_unit"], facts["statuses"]) == ({"GPU-Hours": 1}, {"Active": 1})
    assert facts["contract_ids"] == ["agr-1"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ContractCommitmentQuantity": "many"}, "bad_number"),
        ({"ContractCommitmentQuantity": "-5"}, "bad_number"),
        ({"ContractCommitmentPeriodStart": "soon"}, "bad_time"),
        (
            {
                "ContractCommitmentPeriodStart": "2028-01-01",
                "ContractCommitmentFulfillmentInterval": "Hourly",
            },
            "end_before_start",
        ),
    ],
    ids=str,
)
def test_faults_are_rejected_by_name(tmp_path: Path, changes: dict[str, str], code: str) -> None:
    _, file = _read(tmp_path, {**COMMITMENT, **changes})
    assert [row.code for row in file.rejected] == [code]


def test_the_other_reading_of_a_quantity_is_said_and_may_be_chosen(tmp_path: Path) -> None:
    """10 GPU-hours each hour, or in a whole year: both are in the message, and either can be asked for."""
    hourly = {
        **COMMITMENT,
        "ContractCommitmentFulfillmentInterval": "Hourly",
        "ContractCommitmentQuantity": "8760",
    }
    path = tmp_path / "commitments.csv"
    path.write_text(",".join(hourly) + "\n" + ",".join(hourly.values()) + "\n")
    as_stated = import_contracts([str(path)])
    other = import_contracts([str(path)], {str(path): "quantity=period"})
    assert [contract.gpus for contract in as_stated.contracts] == [8760.0]
    assert [contract.gpus for contract in other.contracts] == [1.0]
    assert any("period = 1 GPU" in str(one.message) for one in other.intake[0].issues)
    assert not any("1 GPUs" in str(one.message) for one in other.intake[0].issues)
    for read, words in (
        (as_stated, "1 GPU if the quantity is for its whole period"),
        (other, "8,760 GPUs if"),
    ):
        (message,) = [str(i.message) for i in read.intake[0].issues if i.code == "computed"]
        assert words in message
        assert "--focus-quantity" in message


def test_an_export_serves_the_cluster_that_is_said(tmp_path: Path) -> None:
    _read(tmp_path, COMMITMENT)
    path = str(tmp_path / "commitments.csv")
    for said in ("cluster==atlas", "+cluster==atlas"):
        assert [one.cluster for one in import_contracts([path], {path: said}).contracts] == ["atlas"]


@pytest.mark.parametrize("also", ["", ",gpus=Cards"])
@pytest.mark.parametrize(
    "order", ["+cluster==atlas{also},quantity=period", "+quantity=period,cluster==atlas{also}"]
)
def test_its_cluster_and_what_its_quantity_is_for_are_said_together(
    tmp_path: Path, also: str, order: str
) -> None:
    """Also beside what differs in another table of the call; the cluster alone was heard, or the quantity."""
    row, path = COMMITMENT | {"ContractCommitmentFulfillmentInterval": "Hourly"}, tmp_path / "commitments.csv"
    path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n")
    other = tmp_path / "other.csv"
    other.write_text("Vendor,Contract,GPU Type,Cards,Start,End\nV,A-1,H100,8,2026-01-01,2026-12-31\n")
    said = order.format(also=also)
    read = import_contracts([str(path), *([str(other)] if also else [])], {str(path): said, str(other): said})
    found = [(one.contract_id, one.cluster, one.gpus) for one in read.contracts]
    assert found == [("A-1", "atlas", 8)] * bool(also) + [("cmt-1", "atlas", 10)]
