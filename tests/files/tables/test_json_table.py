"""Price lists as JSON: as scrapers and providers' interfaces write them, read by the rules of tables."""

from pathlib import Path

import pytest

from gpuplanner.files.importing.import_tables import PricesRead, import_contracts, import_prices
from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.files.sources.source import survey
from gpuplanner.files.tables.json_table import json_table


def _read(folder: Path, text: str) -> PricesRead:
    path = folder / "list.json"
    path.write_text(text)
    return import_prices([str(path)])


LISTS = {
    "objects with humps and a flag of spot": (
        '[{"provider": "A", "gpuModel": "H100", "gpuCount": 8, "pricePerHour": 24, "isSpot": false},'
        '{"provider": "A", "gpuModel": "H100", "gpuCount": 8, "pricePerHour": 12, "isSpot": true}]',
        {("A 8 x H100", 0, 3.0), ("A 8 x H100, spot", 0, 1.5)},
    ),
    "lines with tiers and readings": (
        '{"vendor": "A", "gpu": "H100", "tier": "on_demand", "usd_per_gpu_hour": 6.88, "timestamp": 1763625600}\n'
        '{"vendor": "A", "gpu": "H100", "tier": "on_demand", "usd_per_gpu_hour": 6.8, "timestamp": 1763712000}\n'
        '{"vendor": "A", "gpu": "H100", "tier": "36mo", "usd_per_gpu_hour": 2.97, "timestamp": 1763712000}\n',
        {("A H100", 0, 6.8), ("A H100, 36 months", 36, 2.97)},
    ),
    "providers that hold machines": (
        '{"count": 1, "currency": "USD", "providers": [{"name": "A", "instances": [{"name": "m8", "gpu": {"name": '
        '"H100", "count": 8}, "pricing": {"on_demand": 48, "spot": 16, "reserved": {"3yr": 24}}}]}]}',
        {
            ("A m8 8 x H100, on demand", 0, 6.0),
            ("A m8 8 x H100, spot", 0, 2.0),
            ("A m8 8 x H100, 36 months", 36, 3.0),
        },
    ),
    "what a machine has under a key that says no more": (
        '{"instance_types": [{"id": "g8", "gpu_info": {"count": 8, "model": "nvidia_h100", "vram": {"amount": 640, '
        '"unit": "gib"}}, "price_hourly": 23.92, "price_monthly": 17461.6}]}',
        {("g8", 0, 2.99)},
    ),
    "lists under the names of GPUs": (
        '{"prices": {"H100": [{"provider": "A", "type": "on-demand", "price": 3}, {"provider": "A", "type": '
        '"reserved-1y", "price": 2}], "A100": [{"provider": "B", "type": "spot", "price": 1}]}}',
        {("A H100", 0, 3.0), ("A H100, 12 months", 12, 2.0), ("B A100, spot", 0, 1.0)},
    ),
    "commitments beside the price": (
        '[{"provider": "A", "gpu": "H100", "gpus": 8, "on_demand_price": 24, "commitments": ['
        '{"term": "1 year", "price": 18}, {"term": "3 years", "price": 14}]},'
        '{"provider": "A", "gpu": "H200", "gpus": 8, "on_demand_price": 32, "commitments": []}]',
        {
            ("A 8 x H100", 0, 3.0),
            ("A 8 x H100, 12 months", 12, 2.25),
            ("A 8 x H100, 36 months", 36, 1.75),
            ("A 8 x H200", 0, 4.0),
        },
    ),
    "by provider and model": (
        '{"prices": {"aws": {"H100": {"on_demand": 6.88, "spot": 3}, "A100": {"on_demand": 2.74, "spot": null}}}}',
        {("aws H100, on demand", 0, 6.88), ("aws H100, spot", 0, 3.0), ("aws A100", 0, 2.74)},
    ),
    "by model, providers inside": (
        '{"H100": {"aws": 6.88, "lambda": 2.99}, "H200": {"aws": 7.9, "lambda": null}}',
        {
            ("AWS H100, on demand", 0, 6.88),
            ("Lambda H100, on demand", 0, 2.99),
            ("AWS H200, on demand", 0, 7.9),
        },
    ),
    "by region, one of them or two": (
        '[{"gpu_type": "H100", "regions": {"us-east-1": {"on_demand": 3.1}, "eu-west-1": {"on_demand": 3.4}}},'
        '{"gpu_type": "H200", "regions": {"us-east-1": {"on_demand": 4.1}}}]',
        {("H100 us-east-1", 0, 3.1), ("H100 eu-west-1", 0, 3.4), ("H200 us-east-1", 0, 4.1)},
    ),
    "periods inside a price": (
        '{"data": [{"provider": "A", "gpu_name": "H100", "num_gpus": 8, "price": {"hourly": {"usd": 24}}},'
        '{"provider": "A", "gpu_name": "H100", "num_gpus": 1, "price": {"hourly": {"usd": 3}}}]}',
        {("A 8 x H100", 0, 3.0), ("A H100", 0, 3.0)},
    ),
    "numbers by model": (
        '{"as_of": "2026-11-01", "H100": 2.49, "A100": "$1.29/hr"}',
        {("H100", 0, 2.49), ("A100", 0, 1.29)},
    ),
    "prices of a model in a list": ('{"H100": [2.49, 2.99]}', {("H100", 0, 2.99)}),
    "a map below another key, by day": (
        '{"snapshots": [{"date": "2026-11-01", "prices": {"H100": 2.49}}, {"date": "2026-11-08", "prices": {"H100": '
        "2.4}}]}",
        {("H100", 0, 2.4)},
    ),
    "days as keys, providers inside": (
        '{"2026-11-01": {"aws": {"H100": 3.9, "A100": 2}}, "2026-11-08": {"aws": {"H100": 3.8, "A100": 1.9}}}',
        {("aws H100, on demand", 0, 3.8), ("aws A100, on demand", 0, 1.9)},
    ),
    "regions as keys, a local zone among them": (
        '{"L4": {"us-east-1": 0.8, "us-east-1-atl-1": 0.95}, "A10G": {"us-east-1": 1.0}}',
        {("L4 us-east-1", 0, 0.8), ("L4 us-east-1-atl-1", 0, 0.95), ("A10G us-east-1", 0, 1.0)},
    ),
    "ways to pay as keys": (
        '{"on_demand": {"H100": 2.49, "A100": 1.29}, "spot": {"H100": 1.2, "A100": 0.6}}',
        {
            ("H100, on demand", 0, 2.49),
            ("A100, on demand", 0, 1.29),
            ("H100, spot", 0, 1.2),
            ("A100, spot", 0, 0.6),
        },
    ),
    "counts of models beside a price": (
        '[{"provider": "A", "gpu": "H100", "gpus": {"H100": 8}, "price_per_gpu": 2.5}]',
        {("A H100", 0, 2.5)},
    ),
    "one model of each provider": (
        '{"lambda": {"H100": 2.49}, "runpod": {"H100": 2.19}}',
        {("lambda H100, on demand", 0, 2.49), ("runpod H100, on demand", 0, 2.19)},
    ),
    "sellers beside statistics of the market": (
        '{"H100": {"min": 1.5, "median": 2.49, "max": 4, "best_deal": {"provider": "lambda", "price": 1.5}, "offers": ['
        '{"provider": "lambda", "price": 1.99}, {"provider": "coreweave", "price": 4}]}}',
        {("lambda H100", 0, 1.99), ("coreweave H100", 0, 4.0)},
    ),
    "sellers with statistics of their own": (
        '{"gpu_type": "H100", "price_stats": {"min": 1, "median": 1.99, "max": 3}, "by_provider": {"hyperstack": {'
        '"count": 1, "min": 2.4, "avg": 2.4}, "dc_roan": {"count": 4, "min": 1, "avg": 1.4}}}',
        {("hyperstack H100", 0, 2.4), ("dc_roan H100", 0, 1.4)},
    ),
    "Azure's retail prices": (
        '{"Items": [{"currencyCode": "USD", "retailPrice": 98.32, "armRegionName": "eastus", "productName": "NDsr",'
        '"unitOfMeasure": "1 Hour", "type": "Consumption", "armSkuName": "Standard_ND96isr_H100_v5", "savingsPlan": ['
        '{"retailPrice": 70, "term": "1 Year"}]},'
        '{"currencyCode": "USD", "retailPrice": 40, "armRegionName": "eastus", "skuName": "ND96isr H100 v5 Spot",'
        '"unitOfMeasure": "1 Hour", "type": "Consumption"},'
        '{"currencyCode": "USD", "retailPrice": 420480, "armRegionName": "eastus", "armSkuName": '
        '"Standard_ND96isr_H100_v5", "unitOfMeasure": "1 Hour", "type": "Reservation", "reservationTerm": "1 Year"},'
        '{"retailPrice": 120, "armSkuName": "Standard_ND96isr_H100_v5", "productName": "NDsr H100 Windows"},'
        '{"retailPrice": 0.5, "armSkuName": "Standard_D4s_v3", "type": "Consumption"}]}',
        {
            ("Azure Standard_ND96isr_H100_v5 8 x H100 eastus", 0, 12.29),
            ("Azure Standard_ND96isr_H100_v5 8 x H100 eastus, spot", 0, 5.0),
            ("Azure Standard_ND96isr_H100_v5 8 x H100 eastus, 12 months", 12, 6.0),
            ("Azure Standard_ND96isr_H100_v5 8 x H100 eastus, savings plan, 12 months", 12, 8.75),
        },
    ),
}


@pytest.mark.parametrize(("text", "figures"), LISTS.values(), ids=LISTS)
def test_a_list_is_read_as_its_table_would_be(
    tmp_path: Path, text: str, figures: set[tuple[str, int, float]]
) -> None:
    assert {(o.offer_id, o.term_months, o.rate) for o in _read(tmp_path, text).offers} == figures


@pytest.mark.parametrize("text", ['{"a": [1, 2]}', '[{"gpu": "H100", "price": 2', '{"price": 1}'])
def test_other_json_is_no_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "one.json"
    path.write_text(text)
    assert json_table(survey(str(path))) is None


def test_what_stands_around_a_record_keeps_its_own_heading(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(
        '[{"id": "A", "offers": [{"id": "x", "price": 1e0}, {"id": "y", "price": {"units": 2, "nanos": 5}}]}]'
    )
    table = json_table(survey(str(path)))
    assert table is not None
    with table.rows() as rows:
        assert list(rows) == [
            (1, ["outer id", "id", "price"]),
            (2, ["A", "x", "1"]),
            (3, ["A", "y", "2.000000005"]),
        ]


def test_a_known_export_stays_as_it_is_and_any_other_list_is_shown_as_its_table(tmp_path: Path) -> None:
    known, other = tmp_path / "known.json", tmp_path / "other.json"
    known.write_text(LISTS["Azure's retail prices"][0])
    other.write_text(LISTS["providers that hold machines"][0])
    for path, mapped in ((known, False), (other, True)):
        shown = preview_table(str(path), "prices")
        assert shown.counts[1] > 0
        assert shown.is_mapped is mapped


@pytest.mark.parametrize("corner", ["Criteria", "Kriterium", "Merkmal"])
def test_who_stands_across_a_sheet_of_fields_offers(tmp_path: Path, corner: str) -> None:
    path = tmp_path / "offers.csv"
    rows = "GPU model,H100,H200\nGPUs,64,64\nPrice per GPU hour,2.10,2.90\nTerm (months),12,24\n"
    path.write_text(f"{corner},Alpha Cloud,Beta Metal\n{rows}")
    assert [offer.provider for offer in import_prices([str(path)]).offers] == ["Alpha Cloud", "Beta Metal"]
    path.write_text(f"{corner},C-1,C-2\n{rows}Start,2026-01-01,2026-02-01\nEnd,2027-01-01,2028-02-01\n")
    assert {one.provider for one in import_contracts([str(path)]).contracts} == {
        None
    }  # they have names of contracts
    path.write_text(f"{corner},Offer 1,Offer 2\nVendor,Alpha,Beta\n{rows}")
    assert [offer.provider for offer in import_prices([str(path)]).offers] == ["Alpha", "Beta"]


def test_a_feed_with_several_names_of_a_gpu_is_read_by_the_one_that_says_most(tmp_path: Path) -> None:
    read = _read(
        tmp_path,
        '{"offers": [{"gpu_family": "A100", "gpu_key": "A100 40GB SXM", "gpu_model_raw": "A100-SXM4", "gpu_count": 8,'
        '"price_total_hr": 5.16, "pricing_type": "spot", "provider_id": "crusoe"},'
        '{"gpu_family": "H100", "gpu_key": "H100 80GB PCIe", "gpu_model_raw": "H100", "gpu_count": 2,'
        '"price_total_hr": 6.58, "pricing_type": "on-demand", "provider_id": "lambda"}]}',
    )
    assert {(o.provider, o.gpu_model, str(o.pricing_category), o.rate) for o in read.offers} == {
        ("crusoe", "A100 40GB SXM", "DYNAMIC", 0.645),
        ("lambda", "H100 PCIe", "STANDARD", 3.29),
    }


@pytest.mark.parametrize("empty", ["{}", "[]", "null", '""', '"N/A"'])
@pytest.mark.parametrize(
    ("full", "name", "issue"),
    [
        ('"H100": 2.5, "A100": 1.2', "L40S", "quote_needed"),
        ('"H100": {"price": 2.5}, "A100": {"price": 1.2}', "L40S", "quote_needed"),
        (
            '"H100": [{"provider": "A", "price": 2.5}], "A100": [{"provider": "B", "price": 1.2}]',
            "L40S",
            "quote_needed",
        ),
        ('"H100": [2.5], "A100": [1.2]', "L40S", "quote_needed"),
        ('"lambda": {"H100": 2.5, "A100": 1.2}, "runpod": {"H100": 2.2}', "vast", "not_a_row"),
        (
            '"lambda": [{"gpu": "H100", "price": 2.5}], "runpod": [{"gpu": "H100", "price": 2.2}]',
            "vast",
            "not_a_row",
        ),
    ],
)
def test_an_entry_without_a_price_is_said_and_the_others_are_read(
    tmp_path: Path, empty: str, full: str, name: str, issue: str
) -> None:
    whole, read = _read(tmp_path, f"{{{full}}}"), _read(tmp_path, f'{{{full}, "{name}": {empty}}}')
    rated = [offer for offer in read.offers if offer.rate]
    assert [(offer.gpu_model, offer.provider, offer.rate) for offer in rated] == [
        (offer.gpu_model, offer.provider, offer.rate) for offer in whole.offers
    ]
    file = read.intake[0]
    said = {found.code: str(found.message) for found in file.issues}
    assert issue in said and file.rows_read == whole.intake[0].rows_read + 1
    assert name in ("L40S" if any(offer.gpu_model == "L40S" for offer in read.offers) else said[issue])


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ('{"us-east-1": {"p5.48xlarge": 48, "g5.xlarge": 1}, "ap-south-1": {}}', [1.0, 6.0]),
        ('{"lambda": {"H100": [2.5, 2.6]}, "runpod": {"H100": [2.2]}}', [2.2, 2.6]),
    ],
)
def test_keys_inside_of_regions_and_providers_are_machines_and_models(
    tmp_path: Path, text: str, rates: list[float]
) -> None:
    assert sorted(offer.rate or 0 for offer in _read(tmp_path, text).offers) == rates
