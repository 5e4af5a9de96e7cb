"""Price lists of clouds and tools: each is known by its content, each record has one fate, its rates are of one GPU."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.system.resources import gpu_families
from tests.files.prices.price_texts import PRICE_TEXTS
from tests.some_of import examples


def _written(folder: Path, name: str, text: str | None = None) -> str:
    path = folder / name
    path.write_text(PRICE_TEXTS[name][1] if text is None else text)
    return str(path)


def _rates(offers: tuple[Offer, ...]) -> dict[str, float | None]:
    return {offer.offer_id: offer.rate for offer in offers}


@pytest.mark.parametrize("name", PRICE_TEXTS)
def test_a_list_is_known_by_its_content_and_every_record_ends_once(tmp_path: Path, name: str) -> None:
    format_name, _ = PRICE_TEXTS[name]
    found = recognise(_written(tmp_path, name))
    assert (found.kind, found.format) == ("prices", format_name)
    (file,) = check_file(str(tmp_path / name))
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert (file.format, file.rows_read) == (format_name, sum(ends))
    assert file.rows_accepted
    assert dict(file.facts)["offers"]


def _fates(file: FileIntake) -> tuple[int, int, int, int, int]:
    return (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)


def test_a_catalogue_prices_whole_instances_and_repeats_zones(tmp_path: Path) -> None:
    read = import_prices([_written(tmp_path, "aws.csv")])
    assert _fates(read.intake[0]) == (6, 3, 0, 1, 2)
    assert _rates(read.offers) == {
        "AWS p4de.24xlarge 8 x A100 80GB us-east-1, on demand": 5.12125,
        "AWS p5.48xlarge 8 x H100 80 GB us-east-1, on demand": 6.88,
        "AWS p5.48xlarge 8 x H100 80 GB us-east-1, spot": 2.515,
        "AWS p5.48xlarge 8 x H100 80 GB us-east-1, spot use1-az2": 2.64,
    }
    (file,) = check_file(str(tmp_path / "aws.csv"))
    assert sorted(dict(file.facts)["left_out"].values()) == [1, 1]


def test_accelerators_without_their_machine_are_said(tmp_path: Path) -> None:
    (file,) = import_prices([_written(tmp_path, "gcp.csv")]).intake
    said = {issue.code: issue.message for issue in file.issues}
    assert _fates(file) == (4, 1, 0, 1, 2)
    assert "undecided" in said


def test_lambda_asks_cents_for_the_whole_instance(tmp_path: Path) -> None:
    read = import_prices([_written(tmp_path, "lambda.json")])
    assert sorted(_rates(read.offers).values(), key=lambda rate: rate or 0) == [0.75, 4.49]
    assert _fates(read.intake[0]) == (3, 2, 0, 0, 1)


def test_runpod_asks_for_one_gpu_in_several_ways(tmp_path: Path) -> None:
    read = import_prices([_written(tmp_path, "runpod.json")])
    by_way = sorted(
        (str(o.pricing_category), o.term_months, o.rate) for o in read.offers if "H100" in o.gpu_model
    )
    assert by_way == [
        ("COMMITTED", 1, 2.5),
        ("DYNAMIC", 0, 1.25),
        ("STANDARD", 0, 1.99),
        ("STANDARD", 0, 2.89),
    ]
    assert _fates(read.intake[0]) == (3, 2, 0, 0, 1)  # 0 is no offer, and what is unknown is no GPU


def test_an_offer_of_vast_is_one_machine(tmp_path: Path) -> None:
    read = import_prices([_written(tmp_path, "vast.json")])
    assert _fates(read.intake[0]) == (5, 4, 0, 1, 0)
    found = sorted((o.gpu_model, str(o.pricing_category), o.rate, o.max_gpus) for o in read.offers)
    assert found == [
        ("H100 SXM", "STANDARD", 2.27, 2),
        ("H200", "DYNAMIC", 2.5, 8),
        ("L40S", "DYNAMIC", 0.3, 4),
        ("L40S", "STANDARD", 0.8, 4),
        ("L40S", "STANDARD", 0.9, 4),
    ]


def test_reserved_instances_keep_what_is_paid_at_once(tmp_path: Path) -> None:
    read = import_prices([_written(tmp_path, "reserved.json")])
    assert _fates(read.intake[0]) == (4, 2, 0, 0, 2)
    partial, whole = sorted(read.offers, key=lambda offer: offer.term_months)
    assert (partial.term_months, partial.rate, partial.upfront, partial.spread_rate) == (
        12,
        1.25,
        10950.0,
        2.5,
    )
    assert (whole.term_months, whole.rate, whole.upfront) == (36, 2.378234, 0.0)  # all at once, spread


def test_a_savings_plan_s_rate_is_of_the_instance(tmp_path: Path) -> None:
    (offer,) = import_prices([_written(tmp_path, "savings.json")]).offers
    assert (offer.gpu_model, offer.term_months, offer.rate, offer.region) == ("H100", 12, 3.933, "us-east-1")


def test_a_capacity_block_is_a_fee_for_days(tmp_path: Path) -> None:
    read = import_prices([_written(tmp_path, "blocks.json")])
    (offer,) = read.offers
    assert (offer.rate, offer.term_days, offer.max_gpus, offer.min_gpus) == (4.6875, 14, 16, 16)
    assert (offer.starts, offer.ends) == ("2026-12-01T11:30:00Z", "2026-12-15T11:30:00Z")
    (refused,) = read.intake[0].rejected
    assert "InstanceType" in str(refused.message)


def test_opencost_s_prices_of_gpus_and_of_nodes_with_gpus(tmp_path: Path) -> None:
    assert sorted(_rates(import_prices([_written(tmp_path, "opencost.json")]).offers).values()) == [
        1.308,
        2.95,
    ]
    read = import_prices([_written(tmp_path, "opencost.csv")])
    assert {o.gpu_model: (o.rate, o.as_of) for o in read.offers} == {
        "H100": (6.88, "2026-04-17"),
        "L40S": (0.95, "2026-04-17"),
    }
    nameless = json.dumps({**json.loads(PRICE_TEXTS["opencost.json"][1]), "gpuModel": ""})
    (refused,) = import_prices([_written(tmp_path, "nameless.json", nameless)]).intake[0].rejected
    assert refused.code and "model" in str(refused.message)


CELLS = st.sampled_from(["", "8", "-1", "abc", "0", "1e99", "H100", "nan", "2.5", "p5.48xlarge", "1,5"])


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from([name for name in PRICE_TEXTS if name.endswith(".csv")]),
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=14), max_size=6),
)
def test_every_line_of_a_catalogue_is_a_row_whatever_it_holds(
    tmp_path: Path, name: str, rows: list[list[str]]
) -> None:
    lines = PRICE_TEXTS[name][1].splitlines()
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    more = [line for line in made.getvalue().splitlines() if line.strip()]
    path = _written(tmp_path, name, "\n".join((*lines, *more)) + "\n")
    (file,) = import_prices([path]).intake
    assert file.rows_read == len(lines) - 1 + len(more)
    assert file.rows_read == sum(_fates(file)[1:])


VALUES = st.one_of(CELLS, st.none(), st.booleans(), st.floats(-10, 1e6), st.lists(st.integers(), max_size=2))


@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), name=st.sampled_from([name for name in PRICE_TEXTS if name.endswith(".json")]))
def test_every_record_of_a_list_ends_once_whatever_its_fields_hold(
    tmp_path: Path, data: st.DataObject, name: str
) -> None:
    """Any field of any record may hold anything: no crash, and the law of rows."""

    def spoilt(value: object, depth: int = 0) -> object:
        if isinstance(value, dict):
            return {key: spoilt(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list):
            return [spoilt(item, depth + 1) for item in value]
        return data.draw(VALUES) if data.draw(st.integers(0, 5)) == 0 else value

    text = json.dumps(spoilt(json.loads(PRICE_TEXTS[name][1])))
    read = import_prices([_written(tmp_path, name, text)])
    for file in read.intake:
        assert file.rows_read == sum(_fates(file)[1:])
    assert all(offer.rate is None or offer.rate > 0 for offer in read.offers)


@pytest.mark.parametrize(
    ("instance", "model"),
    [
        ("gpu_1x_h100_pcie", "H100 PCIe"),
        ("gpu_8x_h100_sxm5", "H100 SXM"),
        ("1x_H100-NVL_SECURE", "H100 NVL"),
        ("p5.48xlarge", "H100"),
    ],
)
def test_a_catalogue_s_instance_type_tells_the_form_of_its_gpus(
    tmp_path: Path, instance: str, model: str
) -> None:
    head = "InstanceType,AcceleratorName,AcceleratorCount,Price,Region,SpotPrice\n"
    read = import_prices([_written(tmp_path, "sky.csv", f"{head}{instance},H100,1,2.49,us-east-1,\n")])
    found = gpu_families().read(read.offers[0].gpu_model_written or read.offers[0].gpu_model)
    assert found is not None
    assert found.full == model


@pytest.mark.parametrize(
    ("model", "count", "mib", "gb"),
    [("A100", 8, 655360, 80), ("H100", 8, 204800, None), ("H100", 1, 81920, 80), ("B200", 1, 229376, 224)],
)
def test_memory_of_all_gpus_or_of_the_machine_is_none_of_one_and_nines_are_no_price(
    tmp_path: Path, model: str, count: int, mib: int, gb: float | None
) -> None:
    info = f"\"{{'Gpus': [{{'Name': '{model}', 'MemoryInfo': {{'SizeInMiB': {mib}}}}}]}}\""
    text = (
        "InstanceType,AcceleratorName,AcceleratorCount,Price,Region,GpuInfo,SpotPrice\n"
        f"m,{model},{count},{count * 2},x,{info},99999999\n"
    )
    (offer,) = import_prices([_written(tmp_path, "sky.csv", text)]).offers
    assert (offer.rate, offer.gpu_memory_gb, str(offer.pricing_category)) == (2.0, gb, "STANDARD")


def test_records_under_their_own_names_are_records(tmp_path: Path) -> None:
    text = json.dumps(
        {
            name: {"id": name, "name": "x", "secure_price": price, "last_updated": "2025-05-17T12:28:35"}
            for name, price in (("NVIDIA H200", 3.99), ("NVIDIA L4", 0.43), ("NVIDIA GeForce RTX 3070", 0))
        }
    )
    read = import_prices([_written(tmp_path, "runpod.json", text)])
    assert _fates(read.intake[0]) == (3, 2, 0, 0, 1)
    assert sorted(_rates(read.offers).values(), key=lambda rate: rate or 0) == [0.43, 3.99]
