"""Rows of GPUs of one's own: what is missing, and what cannot be, leaves no rate rather than a cheap one."""

import pytest

from gpuplanner.domain.model.book.offer import owned_at
from gpuplanner.files.export.price_file import prices_text
from gpuplanner.files.importing.import_tables import import_prices

HEAD = (
    "offer_id,gpu_model,pricing_category,rate_usd_per_gpu_hour,"
    "capex_usd_per_gpu,life_months,residual_share,kw_per_gpu,pue,usd_per_kwh"
)


def offer_of(tmp_path, row):
    (tmp_path / "prices.csv").write_text(f"{HEAD}\n{row}\n", encoding="utf-8")
    read = import_prices([str(tmp_path / "prices.csv")])
    (offer,) = owned_at(read.offers, 0.1, 1.3)
    return offer, {issue.code: str(issue.message) for file in read.intake for issue in file.issues}


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("own,H100,OWNED,2.0,,48,0.15,1.2,1.3,0.08", "own needs capex_usd_per_gpu and life_months"),
        ("own,H100,OWNED,2.0,38000,,0.15,1.2,1.3,0.08", "own needs capex_usd_per_gpu and life_months"),
        ("own,H100,OWNED,2.0,38000,0,0.15,1.2,1.3,0.08", "life_months of own"),
        ("own,H100,OWNED,2.0,38000,48,1.5,1.2,1.3,0.08", "residual_share of own"),
        ("own,H100,OWNED,2.0,38000,48,0.15,-1,0.5,0.08", "kw_per_gpu, pue of own"),
        ("own,H100,OWNED,2.0,38000,48,0.15,1.2,130,0.08", "pue of own"),
    ],
)
def test_there_is_no_rate(tmp_path, row, named):
    offer, said = offer_of(tmp_path, row)
    assert offer.rate is None
    assert named in said["quote_needed"]
    assert "computed" not in said


def test_what_is_empty_counts_as_nothing_and_is_said(tmp_path):
    offer, said = offer_of(tmp_path, "own,H100,OWNED,2.0,38000,48,15%,,,")
    assert offer.rate is not None
    assert offer.residual_share == 0.15
    assert "kw_per_gpu, usd_per_kwh" in said["computed"]


UNITS = "offer_id,model,pricing_category,term_months,unit_usd_per_hour,tokens_per_minute_per_unit,min_units"


def test_provisioned_throughput_has_units_for_gpus_and_is_written_as_it_is_read(tmp_path):
    """Its own columns count before those of GPUs, which a list may have beside them."""
    (tmp_path / "own.csv").write_text(f"{UNITS}\nptu,gpt-4o,COMMITTED,1,0.5,2500,15\n", encoding="utf-8")
    both = f"{UNITS},gpu_model,rate_usd_per_gpu_hour\nptu,gpt-4o,COMMITTED,1,0.5,2500,15,,\nod,,STANDARD,,,,,H100,2\n"
    (tmp_path / "both.csv").write_text(both, encoding="utf-8")
    (offer,) = import_prices([str(tmp_path / "own.csv")]).offers
    assert (offer.gpu_model, offer.rate, offer.min_gpus) == ("gpt-4o", 0.5, 15)
    assert (offer.tokens_per_minute_per_unit, offer.term_months) == (2500.0, 1)
    gpus, units = import_prices([str(tmp_path / "both.csv")]).offers
    assert units == offer
    assert (gpus.gpu_model, gpus.rate, gpus.tokens_per_minute_per_unit) == ("H100", 2.0, None)
    (tmp_path / "again.csv").write_text(prices_text([offer]), encoding="utf-8")
    assert import_prices([str(tmp_path / "again.csv")]).offers == (offer,)
