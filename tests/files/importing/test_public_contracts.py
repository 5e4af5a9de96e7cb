"""The public examples of commitments and prices beside the project give the figures that are known of them."""

from pathlib import Path

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_prices


def _facts(path: Path) -> dict[str, object]:
    (file,) = check_file(str(path))
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert file.rows_read == sum(ends)
    return {"kind": file.kind, "format": file.format, "ends": ends, **dict(file.facts)}


def test_commitments_in_euros_and_dollars(shared_data: Path) -> None:
    facts = _facts(shared_data / "contracts/focus_contract_commitment_scenario_1.csv")
    assert (facts["kind"], facts["format"], facts["ends"]) == ("contracts", "focus", (0, 0, 0, 3))
    assert facts["exchange_rates"] == {"EUR per USD": 0.925}
    assert facts["cost_by_billing_currency"] == {"EUR": 1_082_250.0}
    assert facts["cost_by_pricing_currency"] == {"USD": 1_170_000.0}
    assert facts["commitments_by_unit"] == {"Credits": 1, "Instance-Hours": 1, "USD": 1}
    assert facts["statuses"] == {"Active": 2, "Pending": 1}


def test_commitments_in_terabytes_and_one_of_nothing(shared_data: Path) -> None:
    facts = _facts(shared_data / "contracts/focus_contract_commitment_scenario_3.csv")
    assert facts["ends"] == (0, 0, 0, 3)
    assert (facts["rows_with_quantity_0"], facts["currency"]) == (1, "USD")
    assert facts["quantity_by_unit"] == {"Terabytes": 1100.0}
    assert facts["statuses"] == {"Active": 2, "Exhausted": 1}


def test_prices_of_clouds(shared_data: Path) -> None:
    facts = _facts(shared_data / "prices/cloud-gpus.csv")
    assert (facts["kind"], facts["ends"], facts["rows"]) == ("prices", (244, 0, 2, 11), 257)
    empty = facts["empty_cells"]
    assert isinstance(empty, dict)
    assert (empty["On-demand"], empty["Spot"], empty["Name"]) == (6, 178, 133)
    assert facts["per_gpu_mismatches_by_provider"] == {"Cudo Compute": 21, "Oblivus Cloud": 3}
    assert isinstance(facts["providers"], list) and len(facts["providers"]) == 18
    of_gpus = facts["on_demand_usd_per_gpu_hour"]
    assert isinstance(of_gpus, dict)
    assert of_gpus["H100"] == {"rows": 22, "lowest": 0.69, "highest": 10.0}
    read = import_prices([str(shared_data / "prices" / "cloud-gpus.csv")])
    assert sum(offer.rate is None for offer in read.offers) == 6


def test_prices_without_servers(shared_data: Path) -> None:
    facts = _facts(shared_data / "prices/serverless-gpus.csv")
    assert (facts["rows"], facts["offers"], facts["rows_with_dollar_sign"]) == (72, 72, 4)
    assert facts["quotes_needed"] == 0
