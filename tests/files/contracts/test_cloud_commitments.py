"""Reservations and commitments of the clouds: instances become GPUs, dollars do not, and every record is told."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.contracts.aws_commitments import sniff_reservations
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import ContractsRead, import_contracts
from gpuplanner.files.importing.recognise import recognise

RESERVATION = {
    "ReservedInstancesId": "ri-1",
    "OfferingType": "Partial Upfront",
    "AvailabilityZone": "us-west-1c",
    "Start": "2026-01-01T00:00:00.086Z",
    "End": "2027-01-01T00:00:00.000Z",
    "Duration": 31536000,
    "ProductDescription": "Linux/UNIX",
    "UsagePrice": 0.0,
    "RecurringCharges": [{"Amount": 12.0, "Frequency": "Hourly"}],
    "State": "active",
    "FixedPrice": 35040.0,
    "CurrencyCode": "USD",
    "InstanceTenancy": "default",
    "InstanceType": "p5.48xlarge",
    "InstanceCount": 2,
}
PLAN = {
    "savingsPlanId": "sp-1",
    "savingsPlanArn": "arn:aws:savingsplans::1:savingsplan/sp-1",
    "start": "2026-01-01T00:00:00.000Z",
    "end": "2029-01-01T00:00:00.000Z",
    "state": "active",
    "ec2InstanceFamily": "p5",
    "savingsPlanType": "EC2Instance",
    "currency": "USD",
    "commitment": "22.0",
    "termDurationInSeconds": 94608000,
}
AZURE = {
    "id": "/providers/microsoft.capacity/reservationOrders/o-1/reservations/r-1",
    "name": "o-1/r-1",
    "location": "westeurope",
    "sku": {"name": "Standard_ND96isr_H100_v5"},
    "properties": {
        "reservedResourceType": "VirtualMachines",
        "displayName": "VM_RI",
        "quantity": 3,
        "term": "P3Y",
        "effectiveDateTime": "2026-01-01T08:00:00.0000000Z",
        "expiryDate": "2029-01-01",
        "provisioningState": "Succeeded",
        "appliedScopeType": "Shared",
    },
}
GOOGLE = {
    "kind": "compute#commitment",
    "name": "cud-1",
    "region": "https://www.googleapis.com/compute/v1/projects/p/regions/us-central1",
    "plan": "THIRTY_SIX_MONTH",
    "status": "ACTIVE",
    "type": "ACCELERATOR_OPTIMIZED_A3",
    "startTimestamp": "2026-01-01T00:00:00.000-08:00",
    "endTimestamp": "2029-01-01T00:00:00.000-08:00",
    "resources": [
        {"type": "VCPU", "amount": "208"},
        {"type": "MEMORY", "amount": "1916928"},
        {
            "type": "ACCELERATOR",
            "amount": "8",
            "acceleratorType": "https://www.googleapis.com/compute/v1/projects/p/zones/z/acceleratorTypes/nvidia-h100-80gb",
        },
    ],
}


def _read(folder: Path, text: str, format_name: str) -> tuple[ContractsRead, FileIntake]:
    path = folder / "export"
    path.write_text(text, encoding="utf-8")
    assert (recognise(str(path)).kind, recognise(str(path)).format) == ("contracts", format_name)
    read = import_contracts([str(path)])
    (file,) = read.intake
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert file.rows_read == sum(ends)
    assert dict(check_file(str(path))[0].facts)["contracts"] == len(read.contracts)
    return read, file


def _aws(*reservations: dict[str, object]) -> str:
    return json.dumps({"ReservedInstances": reservations}, indent=4)


def test_reserved_instances_become_gpus_at_their_full_rate(tmp_path: Path) -> None:
    read, file = _read(tmp_path, _aws(RESERVATION), "aws_reservations")
    (contract,) = read.contracts
    assert (contract.contract_id, contract.provider, contract.gpu_model) == ("ri-1", "AWS", "H100")
    assert (contract.gpus, contract.rate, contract.term_months) == (16.0, 2.0, 12)  # (35040 / 8760 + 12) / 8
    assert (contract.start_s, contract.end_s, contract.region) == (1767225600, 1798761600, "us-west-1c")
    assert "($35,040 / 8,760 h + $12.0) / 8 GPUs = $2" in str(file.issues[0].message).replace(
        "35,040.0", "35,040"
    )


@pytest.mark.parametrize(
    ("change", "ending"),
    [
        ({"InstanceType": "m5.large"}, "ignored"),
        ({"State": "payment-failed"}, "ignored"),
        ({"InstanceType": "p99.48xlarge"}, "unknown_value"),
        ({"InstanceCount": "some"}, "bad_number"),
        ({"InstanceCount": None}, "bad_number"),
        ({"Start": "soon", "End": None}, "bad_time"),
    ],
    ids=str,
)
def test_every_reservation_that_is_not_taken_says_why(
    tmp_path: Path, change: dict[str, object], ending: str
) -> None:
    text = _aws(RESERVATION, {**RESERVATION, "ReservedInstancesId": "ri-2", **change})
    read, file = _read(tmp_path, text, "aws_reservations")
    assert [contract.contract_id for contract in read.contracts] == ["ri-1"]
    if ending == "ignored":
        assert file.rows_ignored == 1
        assert "left_out" in {issue.code for issue in file.issues}
    else:
        assert [(row.row, row.code) for row in file.rejected] == [(2, ending)]


def test_a_reservation_without_prices_needs_a_quote(tmp_path: Path) -> None:
    bare = {
        name: value for name, value in RESERVATION.items() if "Price" not in name and "Charges" not in name
    }
    read, file = _read(tmp_path, _aws(bare), "aws_reservations")
    assert read.contracts[0].rate is None
    assert "quote_needed" in {issue.code for issue in file.issues}


def test_the_consoles_table_gives_the_same(tmp_path: Path) -> None:
    text = (
        "Reserved instance ID,Instance type,Scope,Availability zone,Instance count,Start,Expires,Term,"
        "Offering class,Payment option,Upfront price,Hourly charges,Platform,State\n"
        "ri-1,p5.48xlarge,Zone,us-west-1c,2,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,1 year,standard,"
        'Partial upfront,"$35,040.00",$12.00,Linux/UNIX,Active\n'
    )
    read, _ = _read(tmp_path, text, "aws_reservations")
    assert read.contracts == import_contracts([_write(tmp_path / "json", _aws(RESERVATION))]).contracts


def _write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_savings_plans_are_dollars_per_hour_to_the_cent(tmp_path: Path) -> None:
    compute = {**PLAN, "savingsPlanType": "Compute", "ec2InstanceFamily": None}
    plans = [
        {**PLAN, "commitment": "100.01"},
        {**PLAN, "savingsPlanId": "sp-2", "ec2InstanceFamily": "m5"},
        {**compute, "savingsPlanId": "sp-3", "commitment": "22.345", "x_DiscountPercent": "H100=40;H200=35"},
        {**compute, "savingsPlanId": "sp-4", "savingsPlanType": "SageMaker"},
        {**PLAN, "savingsPlanId": "sp-5", "state": "queued-deleted"},
    ]
    read, file = _read(tmp_path, json.dumps({"savingsPlans": plans}), "aws_savings_plans")
    one, other = read.contracts
    assert (one.commitment_usd_per_hour, one.discount_percent, one.term_months) == (Decimal("100.01"), "", 36)
    assert (other.commitment_usd_per_hour, other.discount_percent) == (Decimal("22.345"), "H100=40;H200=35")
    assert (one.gpu_model, one.region, other.is_dollars) == ("$/h H100", None, True)
    assert sum(row.cost_per_month or 0 for row in read.contracts) == pytest.approx((100.01 + 22.345) * 730)
    assert file.rows_ignored == 3 and "quote_needed" in {issue.code for issue in file.issues}


CUD = {
    "billing_account_id": "010101-F0FFF0-10XX01",
    "cud_product": {"id": "344f", "display_name": "Compute Flexible CUD", "type": "Spend-Based"},
    "consumption_model": {"id": "5515", "description": "Compute Flexible CUD - 1 Year"},
    "subscription": {"entitlement_scope": "billingAccounts/0", "instance_id": "c-1", "display_name": "flex"},
    "region": "global",
    "commitent_amount": {"unit": "$/hr", "value": "50.25"},
    "term": "P1Y",
    "start_time": "2026-01-01 00:00:00 UTC",
    "end_time": "2027-01-01 00:00:00 UTC",
    "state": "Active",
}


@pytest.mark.parametrize("is_table", [False, True])
def test_spend_based_commitments_of_google_are_dollars_per_hour(tmp_path: Path, is_table: bool) -> None:
    database = {
        **CUD,
        "cud_product": {"display_name": "Cloud SQL CUD"},
        "consumption_model": {"description": "SQL"},
    }
    text = "\n".join(map(json.dumps, [CUD, database]))
    if is_table:
        flat = {f"{k}.{n}": v for k, of in CUD.items() if isinstance(of, dict) for n, v in of.items()}
        flat |= {k: v for k, v in CUD.items() if isinstance(v, str)}
        sql = {**flat, "cud_product.display_name": "Cloud SQL CUD", "consumption_model.description": "SQL"}
        text = "\n".join(",".join(line) for line in (flat, flat.values(), sql.values())) + "\n"
    read, file = _read(tmp_path, text, "google_commitments")
    (contract,) = read.contracts
    assert (contract.contract_id, contract.commitment_usd_per_hour) == ("c-1", Decimal("50.25"))
    assert (contract.start_s, contract.end_s, contract.term_months) == (1767225600, 1798761600, 12)
    assert file.rows_ignored == 1


def test_azure_reservations(tmp_path: Path) -> None:
    plain = {**AZURE, "name": "o-1/r-2", "id": "r-2", "sku": {"name": "Standard_D2s_v3"}}
    files = {**AZURE, "name": "o-1/r-3", "properties": {"reservedResourceType": "AzureFiles", "quantity": 1}}
    read, file = _read(tmp_path, json.dumps({"value": [AZURE, plain, files]}), "azure_reservations")
    assert [
        (c.contract_id, c.gpu_model, c.gpus, c.rate, c.term_months, c.region) for c in read.contracts
    ] == [("r-1", "H100", 24.0, None, 36, "westeurope")]
    assert file.rows_ignored == 2


def test_azure_transactions_have_the_amounts(tmp_path: Path) -> None:
    text = (
        "Amount,ArmSkuName,BillingFrequency,Currency,EventDate,EventType,Quantity,Region,ReservationOrderId,Term\n"
        "525600,Standard_ND96isr_H100_v5,OneTime,USD,2026-01-01,Purchase,2,westeurope,o-1,P3Y\n"
        "14600,Standard_ND96isr_H100_v5,Recurring,USD,2026-01-01,Purchase,1,westeurope,o-2,P1Y\n"
        "14600,Standard_ND96isr_H100_v5,Recurring,EUR,2026-01-01,Purchase,1,westeurope,o-3,P1Y\n"
        "-5,Standard_ND96isr_H100_v5,OneTime,USD,2026-02-01,Refund,1,westeurope,o-4,P1Y\n"
    )
    read, file = _read(tmp_path, text, "azure_reservations")
    assert [(c.contract_id, c.gpus, c.rate) for c in read.contracts] == [
        ("o-1", 16.0, 1.25),
        ("o-2", 8.0, 2.5),
        ("o-3", 8.0, None),
    ]
    assert (read.contracts[2].currency, read.contracts[2].rate_usd_per_gpu_hour) == ("EUR", Decimal("2.5"))
    assert (file.rows_ignored, "other_currency" in {issue.code for issue in file.issues}) == (1, True)


def test_google_commitments(tmp_path: Path) -> None:
    processors = {**GOOGLE, "name": "cud-2", "resources": GOOGLE["resources"][:2]}  # type: ignore[index]
    gone = {**GOOGLE, "name": "cud-3", "status": "CANCELLED"}
    read, file = _read(tmp_path, json.dumps([GOOGLE, processors, gone]), "google_commitments")
    (contract,) = read.contracts
    assert (contract.contract_id, contract.gpu_model, contract.gpus) == ("cud-1", "H100", 8.0)
    assert (contract.gpu_memory_gb, contract.term_months, contract.region) == (80.0, 36, "us-central1")
    assert (contract.rate, file.rows_ignored) == (None, 2)


@pytest.mark.parametrize(
    "text", [_aws(RESERVATION)[:-9], '{"ReservedInstances": [{"ReservedInstancesId": 1,,}]}']
)
def test_json_that_is_cut_off_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(
        text.replace(
            '"ReservedInstancesId": 1', '"ReservedInstancesId": 1, "InstanceType": "p5", "InstanceCount": 1'
        )
    )
    with pytest.raises(PlannerError, match=r"file_unreadable|truncated_file"):
        import_contracts([str(path)])


def test_a_contract_in_two_exports_is_one(tmp_path: Path) -> None:
    path = _write(tmp_path / "one.json", _aws(RESERVATION))
    other = _write(
        tmp_path / "two.json",
        json.dumps(RESERVATION) + "\n" + json.dumps({**RESERVATION, "ReservedInstancesId": "ri-9"}),
    )
    read = import_contracts([path, other])
    assert [contract.contract_id for contract in read.contracts] == ["ri-1", "ri-9"]
    assert [(file.rows_accepted, file.rows_duplicate) for file in read.intake] == [(1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("columns", "sure"),
    [
        ("ReservedInstancesId,InstanceType,InstanceCount,Duration", 0.95),
        ("InstanceType,InstanceCount,OfferingClass,Platform", 0.95),
        ("InstanceType,InstanceCount,Duration", 0.8),
        ("ReservedInstancesId,Type,Count", 0.8),
        ("ReservedInstancesId,Type", 0.0),
        ("ReservedInstancesId,Count", 0.0),
        ("Type,Count", 0.0),
        ("InstanceType,Duration", 0.0),
    ],
)
def test_reservations_are_known_by_their_id_or_by_what_is_offered(columns: str, sure: float) -> None:
    assert sniff_reservations(f"{columns}\n") == sure
