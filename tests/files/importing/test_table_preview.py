"""Preview of contracts and prices: the same rows as the import, and a mapping that can be changed and kept."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.importing.table_preview import parse_mapping_of, preview_table
from gpuplanner.files.tables.column_mapping import ColumnMapping, mapping_text

CONTRACTS = (
    "GPU contracts 2026,,,,,,\n"
    "Contract no,Provider,System,GPU,Qty,Price/mo (USD),Start date,Until\n"
    'N-1,Northwind,atlas,H100,64,"$98,550",01/02/2026,31/01/2027\n'
    "C-1,Contoso,borealis,A100,many,900,01/03/2026,28/02/2027\n"
)
PRICES = "Cloud,GPU Type,GPUs,On-demand\nAcme,H100,8,40.00\nAcme,A100,8,none\n"


@pytest.fixture
def contracts(tmp_path: Path) -> str:
    path = tmp_path / "contracts.csv"
    path.write_text(CONTRACTS)
    return str(path)


def test_a_messy_sheet_is_shown_as_it_is_imported(contracts: str) -> None:
    shown = preview_table(contracts, "contracts")
    (file,) = import_contracts([contracts]).intake
    assert shown.counts == (file.rows_read, file.rows_accepted, file.rows_rejected, 0, file.rows_ignored)
    assert shown.is_mapped and not shown.missing
    readings = {reading.field: reading for reading in shown.fields}
    assert readings["gpus"].column == "Qty" and str(readings["gpus"].read_as) == "64 GPUs"
    assert readings["rate_usd_per_gpu_hour"].unit in readings["rate_usd_per_gpu_hour"].units
    assert str(readings["start"].read_as) == "1 Feb 2026" and "mdy" in readings["start"].units


def test_the_mapping_shown_is_the_mapping_used(contracts: str) -> None:
    shown = preview_table(contracts, "contracts")
    assert shown.mapping is not None
    words = mapping_text(shown.mapping)
    assert parse_mapping_of("contracts", words) == shown.mapping
    as_shown = import_contracts([contracts], {contracts: words})
    assert as_shown.contracts == import_contracts([contracts]).contracts


def test_another_column_or_unit_changes_what_comes_of_it(contracts: str) -> None:
    first = preview_table(contracts, "contracts").mapping
    per_gpu = ColumnMapping(first.columns, {**first.units, "rate_usd_per_gpu_hour": "gpu_month"})
    shown = {reading.field: reading for reading in preview_table(contracts, "contracts", per_gpu).fields}
    assert str(shown["rate_usd_per_gpu_hour"].read_as) == "$135.00 per GPU-hour"
    without = ColumnMapping({k: v for k, v in first.columns.items() if k != "gpus"}, first.units)
    (missing,) = preview_table(contracts, "contracts", without).missing
    assert "gpus" in str(missing)


def test_a_price_list_of_machines(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(PRICES)
    shown = preview_table(str(path), "prices")
    assert shown.counts[:2] == (2, 2) and len(import_prices([str(path)]).offers) == 2
    readings = {reading.field: reading for reading in shown.fields}
    assert str(readings["rate_on_demand"].read_as) == "$5.00 per GPU-hour"


@given(st.binary(max_size=300), st.sampled_from(["contracts", "prices"]))
def test_any_bytes_are_shown_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, kind: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "a.csv"
    path.write_bytes(content)
    try:
        shown = preview_table(str(path), kind)
    except PlannerError:
        return
    assert shown.counts[0] == sum(shown.counts[1:])


def test_the_rows_below_the_first_are_shown_as_they_are_read(contracts: str) -> None:
    Path(contracts).write_text(
        CONTRACTS + 'N-2,Northwind,atlas,H200,32,"$60,000",01/04/2026,31/03/2027\n', encoding="utf-8"
    )
    below = {reading.field: reading.below for reading in preview_table(contracts, "contracts").fields}
    assert [str(text) for text in below["gpus"]] == ["", "32 GPUs"]  # "many" is rejected
    assert str(below["end"][1]) == "31 Mar 2027 (last day)"


def test_a_mapping_with_states_and_remarks_is_read_again() -> None:
    text = "gpus=Qty,start=From,status=Status,notes=Comments"
    assert parse_mapping_of("contracts", text).columns["status"] == "Status"


def test_what_is_said_of_all_is_of_the_contracts_that_name_no_cluster(tmp_path: Path) -> None:
    """Two of three name theirs in a remark: they were taken for the third's, too."""
    path = tmp_path / "orders.csv"
    path.write_text(
        "PO,GPU,GPUs,Start,Comments\na,H100,8,2026-01-01,Slurm cluster granite\nb,H100,8,2026-01-01,granite\n"
        "c,H100,8,2026-01-01,pilot\n"
    )
    shown = preview_table(str(path), "contracts")
    assert shown.mapping is not None
    said = ColumnMapping({**shown.mapping.columns, "cluster": "=eks"}, shown.mapping.units)
    for preview in (shown, preview_table(str(path), "contracts", said)):
        (why,) = (reading.why for reading in preview.fields if reading.field == "cluster")
        assert str(why) == "1 of 3 contracts without a cluster"
    read = import_contracts([str(path)], {str(path): mapping_text(said)}).contracts
    assert [contract.cluster for contract in read] == ["granite", "granite", "eks"]
