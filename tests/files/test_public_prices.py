"""The list of public prices: what it covers, where each rate comes from, and the laws that its rates keep."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from statistics import median

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import is_dated
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.system.resources import read_tables

ON_DEMAND, SPOT, COMMITTED = PricingCategory.STANDARD, PricingCategory.DYNAMIC, PricingCategory.COMMITTED
COLLECTED = date(2026, 11, 21)
FAMILIES = {
    "A100 40GB", "A100 80GB", "H100", "H200", "B200", "B300", "GB200", "L40S", "L4", "MI300X", "MI355X"
}  # fmt: skip
CLOUDS = {
    "AWS", "Azure", "Google Cloud", "Oracle", "CoreWeave", "Lambda", "Nebius", "Crusoe", "RunPod", "Together"
}  # fmt: skip
ASKED = "no public figure: enter the rate you are quoted"


@pytest.fixture(scope="module")
def offers() -> tuple[Offer, ...]:
    return import_prices(["builtin"]).offers


@pytest.fixture(scope="module")
def priced(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    return tuple(offer for offer in offers if offer.rate)


def test_it_is_read_whole_and_sorted(offers: tuple[Offer, ...]) -> None:
    file = import_prices(["builtin"]).intake[0]
    assert file.rows_accepted == file.rows_read == len(offers)
    assert {issue.code for issue in file.issues} <= {"quote_needed"}
    ids = [offer.offer_id for offer in offers]
    assert ids == sorted(set(ids))


def test_it_covers_the_models_and_clouds_it_promises(priced: tuple[Offer, ...]) -> None:
    assert {offer.gpu_model for offer in priced} == FAMILIES
    assert {offer.provider for offer in priced} == CLOUDS | {"Bare metal"}
    for model in FAMILIES:
        assert any(offer.gpu_model == model and offer.pricing_category is ON_DEMAND for offer in priced), (
            model
        )


def test_every_model_is_a_family_of_the_table_in_its_own_words(offers: tuple[Offer, ...]) -> None:
    """No PCIe or NVL: jobs whose log says H100 alone would be planned on the lesser card."""
    families = families_of(read_tables().gpu_models)
    for offer in offers:
        read = families.read(offer.gpu_model)
        assert read is not None
        assert (read.family, read.variant) == (offer.gpu_model, "")
        memory = next(one.memory_gb for one in families.models if one.name == read.family)
        assert offer.gpu_memory_gb is not None
        assert memory is None or abs(offer.gpu_memory_gb - memory) <= 0.1 * memory


def test_one_row_a_provider_model_way_and_term(offers: tuple[Offer, ...]) -> None:
    ways = [
        (offer.provider, offer.gpu_model, offer.pricing_category, offer.term_months, offer.term_days)
        for offer in offers
    ]
    assert len(ways) == len(set(ways))


def test_every_rate_has_its_source_and_day(offers: tuple[Offer, ...]) -> None:
    for offer in offers:
        if not offer.rate:
            assert (offer.source, offer.as_of) == (ASKED, None)
            continue
        assert is_dated(offer)
        assert offer.source
        assert offer.source != ASKED
        age = COLLECTED - date.fromisoformat(offer.as_of or "")
        assert 0 <= age.days < 365
        assert "2026" in offer.source


def test_no_marketplace_is_an_offer(offers: tuple[Offer, ...]) -> None:
    text = " ".join(f"{offer.provider} {offer.source}" for offer in offers)
    assert not re.search(r"vast|community|tensordock|spheron|akash|market median", text, re.I)


def test_ranges_hold_their_rate(priced: tuple[Offer, ...]) -> None:
    for offer in priced:
        assert offer.rate_low is None or offer.rate is None or offer.rate_low <= offer.rate + 0.01
        assert offer.rate_high is None or offer.rate is None or offer.rate <= offer.rate_high


def _of_one_kind(priced: tuple[Offer, ...]) -> Iterator[list[float]]:
    def kind(offer: Offer) -> tuple[str, str]:
        return offer.gpu_model, offer.pricing_category.value

    for _, alike in groupby(sorted(priced, key=kind), kind):
        yield [float(offer.rate or 0) for offer in alike]


def test_no_rate_is_far_from_those_of_its_family(priced: tuple[Offer, ...]) -> None:
    for rates in _of_one_kind(priced):
        middle = median(rates)
        assert all(middle / 4 <= rate <= middle * 4 for rate in rates)


def test_spot_and_longer_terms_are_cheaper(priced: tuple[Offer, ...]) -> None:
    """Of one provider and model: three years, one year, on demand, in this order; spot below on demand."""
    rates = {
        (offer.provider, offer.gpu_model, offer.pricing_category, offer.term_months): offer.rate or 0
        for offer in priced
    }
    compared = 0
    for (provider, model, category, term), rate in rates.items():
        on_demand = rates.get((provider, model, ON_DEMAND, 0))
        if category is not ON_DEMAND and on_demand is not None:
            assert rate <= on_demand, (provider, model, category)
            compared += 1
        year = rates.get((provider, model, COMMITTED, 12))
        if category is COMMITTED and term == 36 and year is not None:
            assert rate <= year, (provider, model)
    assert compared > 15
    assert any(category is SPOT for _, _, category, _ in rates)


def test_rates_that_documents_state_stay(offers: tuple[Offer, ...]) -> None:
    stated = {offer.offer_id: offer.rate for offer in offers}
    assert stated["aws-h100-on-demand"] == 6.88
    assert stated["gcp-h100-on-demand"] == 11.68
    assert stated["azure-h100-on-demand"] == 12.29
    assert stated["bare-metal-h100-01m"] == 2.75
    assert stated["aws-h100-12m"] is stated["azure-h100-36m"] is None
