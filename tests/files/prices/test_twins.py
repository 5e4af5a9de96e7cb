"""Price lists whose rows differ in the rate alone: volume tiers, machines and questions; values by hand."""

from decimal import Decimal
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.tables.column_mapping import DIFFERS

TIERS = {(1, 63, "0.82"), (64, 255, "0.77"), (256, None, "0.72")}


def _read(folder: Path, text: str, words: str | None = None, name: str = "list.csv") -> PricesRead:
    path = folder / name
    path.write_text(text)
    return import_prices([str(path)], {str(path): DIFFERS + words} if words else None)


def _refusal(folder: Path, text: str, name: str = "list.csv") -> PlannerError:
    read = _read(folder, text, name=name)
    assert not read.offers
    (fault,) = read.refused
    return fault


def _tiers(read: PricesRead) -> set[tuple[int, int | None, str]]:
    """First and last GPU of each offer, and its rate."""
    return {
        (offer.min_gpus or 1, offer.max_gpus_per_order, str(offer.rate_usd_per_gpu_hour))
        for offer in read.offers
    }


def _tier_list(heading: str, *cells: str) -> str:
    rates = ("0.82", "0.77", "0.72")
    return "\n".join(
        (
            f"GPU,Region,{heading},12 months",
            *(f"L40S,AMS,{c},{r}" for c, r in zip(cells, rates, strict=True)),
            "",
        )
    )


@pytest.mark.parametrize(
    "heading",
    [
        "Volume (GPUs)",
        "Quantity",
        "GPUs",
        "Min. qty",
        "Tier",
        "Band",
        "Commit size",
        "Staffel",
        "Palier",
        "X",
    ],
)
def test_ranges_are_tiers_under_any_heading(tmp_path: Path, heading: str) -> None:
    assert _tiers(_read(tmp_path, _tier_list(heading, "1-63", "64-255", "256+"))) == TIERS


@pytest.mark.parametrize(
    "cells",
    [
        ("up to 63 GPUs", "64 to 255 GPUs", "from 256 GPUs"),
        ("<64", "64–255", ">255"),
        ("up to 63", "up to 255", "over 255"),
        ("bis 63", "von 64 bis 255", "ab 256"),
        ("jusqu'à 63", "de 64 à 255", "à partir de 256"),
        ("≤ 63 GPUs", "64..255 GPUs", "≥ 256 GPUs"),
        ("1 - 63", "64 - 255", "256"),
        ("1-63 units", "64-255 units", "256 or more"),
    ],
)
def test_ranges_are_read_in_words_and_signs(tmp_path: Path, cells: tuple[str, ...]) -> None:
    assert _tiers(_read(tmp_path, _tier_list("Volume", *cells))) == TIERS


def test_tiers_that_only_state_where_they_begin(tmp_path: Path) -> None:
    starts = {(1, None, "0.82"), (64, None, "0.77"), (256, None, "0.72")}
    assert _tiers(_read(tmp_path, _tier_list("GPUs", "1", "64", "256"))) == starts
    assert _tiers(_read(tmp_path, _tier_list("Min GPUs", "1+", "64+", "256+"))) == starts


@pytest.mark.parametrize("field", ["min_gpus", "min_gpus..max_gpus", "prices.min_gpus..max_gpus"])
def test_a_column_of_ranges_is_mapped_by_hand(tmp_path: Path, field: str) -> None:
    words = f"{field.removeprefix('prices.')}=Volume"
    assert _tiers(_read(tmp_path, _tier_list("Volume", "1-63", "64-255", "256+"), words)) == TIERS


def test_tiers_of_nodes_are_read_in_gpus_or_asked(tmp_path: Path) -> None:
    text = "GPU,Nodes,USD per GPU-hour\nH100,1-7,2.5\nH100,8-31,2.2\nH100,32+,1.9\n"
    assert _tiers(_read(tmp_path, text)) == {(8, 56, "2.5"), (64, 248, "2.2"), (256, None, "1.9")}
    assert "gpus_per_node" in str(_refusal(tmp_path, text.replace("H100", "L40S")))


@pytest.mark.parametrize("heading", ["Notice (days)", "RAM (GB)", "Delivery (weeks)", "Annual spend (USD)"])
def test_ranges_of_other_quantities_are_no_tiers(tmp_path: Path, heading: str) -> None:
    read = _read(tmp_path, _tier_list(heading, "1-63", "64-255", "256+"))
    assert all(offer.max_gpus_per_order is None for offer in read.offers)


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Support", ("basic", "premium")),
        ("SLA class", ("A", "B")),
        ("Annual spend from (USD)", ("0", "500000")),
        ("Go-live", ("2026-11-01", "2026-12-01")),
        ("Customer group", ("1", "2")),
    ],
)
def test_what_else_tells_rates_apart_is_asked(tmp_path: Path, heading: str, cells: tuple[str, str]) -> None:
    text = f"GPU,Region,{heading},12 months\nL40S,AMS,{cells[0]},0.82\nL40S,AMS,{cells[1]},0.92\n"
    fault = _refusal(tmp_path, text)
    assert fault.code == "missing_column"
    assert heading in str(fault)


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("vCPUs", ("32", "16")),
        ("RAM GB", ("256", "128")),
        ("Local disk", ("2 TB", "1 TB")),
        ("CPU", ("Xeon", "EPYC")),
    ],
)
def test_machines_name_their_offers(tmp_path: Path, heading: str, cells: tuple[str, str]) -> None:
    text = f"Provider,GPU,{heading},$/GPU-h\nElm,L40S,{cells[0]},0.80\nElm,L40S,{cells[1]},0.72\n"
    names = {offer.offer_id: str(offer.rate_usd_per_gpu_hour) for offer in _read(tmp_path, text).offers}
    assert names == {f"Elm L40S, {cells[0]} {heading}": "0.80", f"Elm L40S, {cells[1]} {heading}": "0.72"}


def test_rows_that_differ_in_a_term_are_named_by_it(tmp_path: Path) -> None:
    text = "GPU,Interconnect,$/GPU-h\nH100,InfiniBand,2.5\nH100,Ethernet,2.2\n"
    names = {offer.offer_id for offer in _read(tmp_path, text).offers}
    assert names == {"H100, interconnect infiniband", "H100, interconnect ethernet"}


def test_of_rows_that_differ_in_nothing_the_dearer_is_kept_and_told(tmp_path: Path) -> None:
    read = _read(tmp_path, "GPU,SKU,$/GPU-h\nH100,a-1,2.5\nH100,a-2,2.9\nH100,a-3,2.2\n")
    assert [(offer.offer_id, offer.rate_usd_per_gpu_hour) for offer in read.offers] == [
        ("H100", Decimal("2.9"))
    ]
    assert {issue.code: issue.count for issue in read.intake[0].issues}["left_out"] == 2


def test_rows_with_one_rate_are_one_offer(tmp_path: Path) -> None:
    read = _read(tmp_path, "GPU,SKU,$/GPU-h\nH100,a-1,2.5\nH100,a-2,2.5\n")
    assert [offer.offer_id for offer in read.offers] == ["H100"]
    assert read.intake[0].rows_duplicate == 1


@pytest.mark.parametrize(
    ("low", "high"), [("Qty from", "Qty to"), ("min", "max"), ("From GPUs", "To GPUs"), ("ab", "bis")]
)
def test_two_columns_are_the_ends_of_tiers_that_follow_each_other(
    tmp_path: Path, low: str, high: str
) -> None:
    text = f"GPU,{low},{high},12 months\nL40S,1,63,0.82\nL40S,64,255,0.77\nL40S,256,,0.72\n"
    assert _tiers(_read(tmp_path, text)) == TIERS
    rows = '{"min": 1, "max": 63, "price": 0.82}, {"min": 64, "max": 255, "price": 0.77}, {"min": 256, "price": 0.72}'
    assert (
        _tiers(_read(tmp_path, f'{{"gpus": [{{"name": "L40S", "tiers": [{rows}]}}]}}', name="list.json"))
        == TIERS
    )


@pytest.mark.parametrize(
    "headings",
    ["1-63 GPUs,64-255 GPUs,256+ GPUs", "Tier 1 (1-63),Tier 2 (64-255),Tier 3 (256+)", "<64,64-255,>255"],
)
def test_tiers_as_columns(tmp_path: Path, headings: str) -> None:
    read = _read(tmp_path, f"GPU,Term (months),{headings}\nL40S,12,0.82,0.77,0.72\n")
    assert _tiers(read) == TIERS
    assert {offer.term_months for offer in read.offers} == {12}


def test_prices_of_machines_under_unknown_words_are_divided(tmp_path: Path) -> None:
    header = "Instance,GPU,GPU count,Linux On-Demand cost,Linux Reserved 1yr"
    text = f"{header}\np5.48xlarge,H100,8,$55.04 hourly,$34.40 hourly\n"
    assert sorted(offer.rate or 0 for offer in _read(tmp_path, text).offers) == [4.3, 6.88]
