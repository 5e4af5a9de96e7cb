"""Price lists of clouds as JSON, days and sellers of a list, networks in descriptions. Values by hand."""

import json
from pathlib import Path

import pytest

from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.prices.quotes import seller_of


def _read(folder: Path, text: str, name: str = "") -> PricesRead:
    path = folder / (name or ("list.json" if text[:1] in "[{" else "list.csv"))
    path.write_text(text)
    return import_prices([str(path)])


def _oci(name: str, value: float, **more: object) -> dict[str, object]:
    prices = [{"model": "PAY_AS_YOU_GO", "value": value}]
    return {
        "partNumber": "B1",
        "displayName": name,
        "metricName": "GPU Per Hour",
        "serviceCategory": "Compute - GPU",
        "currencyCodeLocalizations": [
            {"currencyCode": "EUR", "prices": [{"model": "PAY_AS_YOU_GO", "value": value * 2}]},
            {"currencyCode": "USD", "prices": prices},
        ],
        **more,
    }


def test_oracle_s_price_list_has_prices_of_a_gpu(tmp_path: Path) -> None:
    items = [
        _oci("Oracle Cloud Infrastructure - Compute - GPU - H100", 10),
        _oci("Compute - GPU - A100 - v2", 4, partNumber="B2"),
        _oci("Compute - GPU - L40S", 3.5, partNumber="B3"),
        _oci("Compute - Standard - E5", 0.03, partNumber="B4", metricName="OCPU Per Hour"),
        _oci("Compute - GPU - Memory", 0.1, partNumber="B5", metricName="Gigabyte Per Hour"),
    ]
    read = _read(tmp_path, json.dumps({"lastUpdated": "2026-11-01", "items": items}))
    assert {(o.provider, o.gpu_model, o.rate) for o in read.offers} == {
        ("Oracle", "H100", 10.0),
        ("Oracle", "A100", 4.0),
        ("Oracle", "L40S", 3.5),
    }


def _aws(instance: str, hourly: str, **attributes: str) -> dict[str, object]:
    year = {"LeaseContractLength": "1yr", "OfferingClass": "standard", "PurchaseOption": "No Upfront"}
    per_hour = {"a": {"unit": "Hrs", "pricePerUnit": {"USD": "32.00"}}}
    return {
        "product": {
            "productFamily": "Compute Instance",
            "attributes": {
                "instanceType": instance,
                "regionCode": "us-east-1",
                "operatingSystem": "Linux",
                **attributes,
            },
        },
        "terms": {
            "OnDemand": {"x": {"priceDimensions": {"y": {"unit": "Hrs", "pricePerUnit": {"USD": hourly}}}}},
            "Reserved": {"z": {"priceDimensions": per_hour, "termAttributes": year}},
        },
    }


@pytest.mark.parametrize("written", [json.dumps, lambda product: product], ids=["texts", "objects"])
def test_products_of_aws_are_on_demand_and_reserved(tmp_path: Path, written) -> None:
    products = [
        _aws("p5.48xlarge", "55.04"),
        _aws("p5.48xlarge", "90", operatingSystem="Windows"),
        _aws("p5.48xlarge", "60", tenancy="Dedicated"),
        _aws("p5.48xlarge", "0", capacitystatus="AllocatedCapacityReservation"),
        _aws("m5.large", "0.1"),
    ]
    read = _read(tmp_path, json.dumps({"FormatVersion": "aws_v1", "PriceList": [*map(written, products)]}))
    assert {(o.gpu_model, o.term_months, o.rate) for o in read.offers} == {
        ("H100", 0, 6.88),
        ("H100", 12, 4.0),
    }
    assert read.intake[0].rows_ignored == 4


def test_a_training_plan_of_sagemaker_is_a_fee_over_its_hours(tmp_path: Path) -> None:
    """$4,608 / (48 h x 4 x 8 GPUs) = $3."""
    part = {
        "InstanceType": "ml.p5.48xlarge",
        "InstanceCount": 4,
        "AvailabilityZone": "us-west-2a",
        "DurationHours": 48,
        "StartTime": "2026-12-10T11:30:00+00:00",
        "EndTime": "2026-12-12T11:30:00+00:00",
    }
    plan = {
        "TrainingPlanOfferingId": "t",
        "UpfrontFee": "4608",
        "CurrencyCode": "USD",
        "ReservedCapacityOfferings": [part],
    }
    (offer,) = _read(tmp_path, json.dumps({"TrainingPlanOfferings": [plan]})).offers
    assert (offer.gpu_model, offer.rate, offer.term_days, offer.min_gpus) == ("H100", 3.0, 2, 32)
    assert (offer.starts or "")[:10] == "2026-12-10"


DAYS = [
    ("scraped_at", "generated_at"),
    ("observed_at", "updated"),
    ("date", "updated"),
    ("as_of", "generated_at"),
]


@pytest.mark.parametrize(("own", "page"), DAYS)
def test_a_record_s_own_day_counts_before_that_of_its_file(tmp_path: Path, own: str, page: str) -> None:
    rows = [
        {"gpu": "H100", "price_per_hour": rate, own: day}
        for rate, day in ((4.5, "2024-01-01"), (4.4, "2024-01-02"))
    ]
    read = _read(tmp_path, json.dumps({page: "2026-11-29", "rows": rows}))
    assert [(offer.rate, offer.as_of) for offer in read.offers] == [(4.4, "2024-01-02")]
    assert [offer.as_of for offer in read.earlier_offers] == ["2024-01-01"]
    one = _read(tmp_path, json.dumps({page: "2026-11-29", "rows": rows[:1]}))
    assert [offer.as_of for offer in one.offers] == ["2024-01-01"]


def test_of_two_days_of_a_table_the_older_counts(tmp_path: Path) -> None:
    rows = "H100,4.5,2026-11-29,2024-01-01\nA100,2.5,2026-11-29,2024-01-01\n"
    text = f"gpu,price_per_hour,generated_at,scraped_at\n{rows}"
    assert {offer.as_of for offer in _read(tmp_path, text).offers} == {"2024-01-01"}


@pytest.mark.parametrize(
    "described",
    [
        "L40S 48GB node, 4 GPU, 100G Ethernet",
        "L40S 48GB, 2x100G",
        "L40S 48GB, 400G RoCE",
        "L40S 48GB with 8x 400 Gb/s InfiniBand",
        "L40S 48 GB, RoCE 200G",
        "L40S 48GB, 100GbE",
        "L40S 48GB, 25 Gbps uplink",
    ],
)
def test_a_network_is_never_memory(tmp_path: Path, described: str) -> None:
    (offer,) = _read(tmp_path, f'Description,Term,USD per GPU-hour\n"{described}",12 months,0.72\n').offers
    assert (offer.gpu_model, offer.gpu_memory_gb) == ("L40S", 48.0)


@pytest.mark.parametrize(
    ("title", "seller"),
    [
        ("Orbis Cloud - GPU price list 2026-11", "Orbis Cloud"),
        ("Price list of Northwind Compute", "Northwind Compute"),
        ("Rate card: Aspen AI", "Aspen AI"),
        ("Preisliste Birke Rechenzentrum GmbH", "Birke Rechenzentrum GmbH"),
        ("Vela Compute GPU pricing (valid until 2026-12-31)", "Vela Compute"),
        ("H100 price list", ""),
        ("Public list prices, November 2026", ""),
        ("Price list for Acme Corp", ""),
        ("All prices in USD", ""),
        ("Exchange rate: 1 EUR = 1.1 USD", ""),
    ],
)
def test_the_title_of_a_list_names_who_sells(title: str, seller: str) -> None:
    assert seller_of(title) == seller


def test_who_sells_and_until_when_stand_in_titles_or_the_file_s_name(tmp_path: Path) -> None:
    table = "GPU,12 months,36 months\nL40S,0.82,0.65\n"
    titles = "Orbis Cloud GPU price list,,\nValid until 2026-12-31,,\n"
    offers = _read(tmp_path, titles + table).offers
    assert {(offer.provider, offer.valid_until) for offer in offers} == {("Orbis Cloud", "2026-12-31")}
    assert {offer.provider for offer in _read(tmp_path, table, "lambda_prices_2026.csv").offers} == {"Lambda"}
    own = "Provider,GPU,12 months\nElm,L40S,0.82\n"
    assert {offer.provider for offer in _read(tmp_path, "Orbis Cloud price list,,\n" + own).offers} == {"Elm"}


@pytest.mark.parametrize(
    ("heading", "closed"),
    [("available", "False"), ("In stock", "no"), ("status", "sold out"), ("Availability", "unavailable")],
)
def test_what_cannot_be_bought_is_no_offer(tmp_path: Path, heading: str, closed: str) -> None:
    read = _read(tmp_path, f"Provider,GPU,{heading},price_per_hour\nA,H100,yes,2.5\nA,H100,{closed},1.5\n")
    assert [offer.rate for offer in read.offers] == [2.5]
    assert {issue.code: issue.count for issue in read.intake[0].issues}["left_out"] == 1
