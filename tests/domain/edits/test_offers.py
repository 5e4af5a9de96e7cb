"""Offers: every edit goes back, entered rates are of their day, and vendors take quotes back."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits.offers import without_taken_back
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, row_key
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.commitment.conftest import offer
from tests.domain.edits.loaded_project import loaded


def test_quotes_are_taken_back_by_the_row_that_they_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    quoted = replace(offer("a", 12, 2.0, provider="Ada"), source=quote_source("RFQ-1", "R1"))
    nameless, plain = replace(quoted, offer_id="b", provider=None), offer("c", 0, 2.0, provider="Ada")
    other = replace(quoted, offer_id="d", source=quote_source("RFQ-1", "R2"))
    offers, files = (
        (quoted, nameless, plain, other),
        (
            FileIntake(
                path="a",
                kind="prices",
                format="own",
                rows_read=0,
                rows_accepted=0,
                rows_rejected=0,
                rows_duplicate=0,
                rows_ignored=0,
            ),
        ),
    )
    assert without_taken_back(offers, files) == (offers, ())
    monkeypatch.setattr(edits.offers, "taken_back", lambda _: {row_key("ada", "RFQ-1", "R1")})
    assert without_taken_back(offers, files) == ((nameless, plain, other), (quoted,))
    monkeypatch.setattr(edits.offers, "taken_back", lambda _: {row_key("", "RFQ-1", "R1")})
    assert without_taken_back(offers, files) == ((quoted, plain, other), (nameless,))


def test_every_edit_of_an_offer_is_taken_back_by_the_edit_that_undoes_it() -> None:
    before = loaded()
    for field, value in (
        ("rate_usd_per_gpu_hour", Decimal("2.60")),
        ("rate_low", Decimal("1.50")),
        ("max_gpus", 16),
        ("lead_time_hours", 72.0),
        ("min_term_months", 6),
        ("as_of", "2026-10-01"),
        ("source", "a quote"),
        ("offer_id", "o9"),
    ):
        old = getattr(before.offers[0], field)
        there = edits.money.change_offer(before, "o1", field, value)
        assert getattr(there.offers[0], field) == value
        assert edits.money.change_offer(there, there.offers[0].offer_id, field, old).offers == before.offers
        assert edits.money.change_offer(before, "o1", field, old) is before
    copied = edits.money.duplicate_offer(before, "o1")
    assert [offer.offer_id for offer in copied.offers] == ["o1", "o1 copy"]
    again = edits.money.duplicate_offer(copied, "o1")
    assert [offer.offer_id for offer in again.offers] == ["o1", "o1 copy", "o1 copy 2"]
    assert edits.money.remove_offer(copied, "o1 copy").offers == before.offers
    gone = edits.money.remove_offer(before, "o1")
    assert edits.money.add_offer(gone, before.offers[0]).offers == before.offers


def test_an_offer_that_cannot_be_is_refused() -> None:
    project = edits.money.duplicate_offer(loaded(), "o1")
    for refused in (
        lambda: edits.money.change_offer(project, "o1", "offer_id", "o1 copy"),
        lambda: edits.money.change_offer(project, "o2", "max_gpus", 1),
        lambda: edits.money.change_offer(project, "o1", "max_gpus", 0),
        lambda: edits.money.add_offer(project, project.offers[0]),
        lambda: edits.money.add_offer(
            project,
            Offer(
                offer_id="o3",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=0,
                rate_usd_per_gpu_hour=None,
            ),
        ),
        lambda: edits.money.remove_offer(project, "o2"),
        lambda: edits.money.duplicate_offer(project, "o2"),
        lambda: edits.plans.set_price_case(project, TODAY, PriceCase.LOW),
    ):
        with pytest.raises(PlannerError) as fault:
            refused()
        assert all((fault.value.where, fault.value.what, fault.value.remedy))


def test_a_price_case_is_of_one_plan_and_goes_back() -> None:
    before = loaded()
    low = edits.plans.set_price_case(before, "Plan A", PriceCase.LOW)
    assert [plan.price_case for plan in low.scenarios] == [PriceCase.LOW, PriceCase.MID]
    assert edits.plans.set_price_case(low, "Plan A", PriceCase.LOW) is low
    assert edits.plans.set_price_case(low, "Plan A", PriceCase.MID).scenarios == before.scenarios


def test_steps_about_offers_have_names() -> None:
    assert " low rate of o1 to $2.10 " in str(edits.labels.offer_label("o1", "rate_low", Decimal("2.10")))
    assert "quote" in str(edits.labels.offer_label("o1", "rate_usd_per_gpu_hour", None))
    assert str(edits.labels.offer_label("o1", "bare_metal", True)).endswith(" of o1 to yes")
    assert str(edits.labels.offer_label("o1", "max_gpus", 1200)).endswith(" o1 to 1,200 GPUs")
    assert str(edits.labels.offers_label("Remove", "o1")) == "Remove offer o1"
    assert str(edits.labels.price_case_label(PriceCase.HIGH)) == "Count with high rates"


def test_a_rate_that_is_entered_is_of_its_day_and_the_one_before_is_kept() -> None:
    old = edits.money.change_offer(loaded(), "o1", "as_of", "2026-01-15")
    rate = old.offers[0].rate_usd_per_gpu_hour
    new = edits.money.change_offer(old, "o1", "rate_usd_per_gpu_hour", Decimal("1.90"), "2026-10-01")
    assert (new.offers[0].rate, new.offers[0].as_of) == (1.90, "2026-10-01")
    assert [(one.rate_usd_per_gpu_hour, one.as_of) for one in new.earlier_offers] == [(rate, "2026-01-15")]
    mistake = edits.money.change_offer(new, "o1", "rate_usd_per_gpu_hour", Decimal("1.95"), "2026-10-01")
    assert mistake.earlier_offers == new.earlier_offers  # of the same day: not a rate that ever was
    named = edits.money.change_offer(new, "o1", "offer_id", "o9")
    assert [one.offer_id for one in named.earlier_offers] == ["o9"]
    for other in ("source", "region"):
        assert (
            edits.money.change_offer(new, "o1", other, "x", "2026-11-01").earlier_offers == new.earlier_offers
        )
    quote = edits.money.change_offer(new, "o1", "rate_usd_per_gpu_hour", None, "2026-11-01")
    assert (quote.offers[0].as_of, quote.earlier_offers) == ("2026-10-01", new.earlier_offers)


@pytest.mark.parametrize("adding", [True, False])
def test_an_import_keeps_the_rates_that_it_takes_the_place_of(adding: bool) -> None:
    old = edits.money.change_offer(loaded(), "o1", "as_of", "2026-01-15")
    newer = replace(old.offers[0], rate_usd_per_gpu_hour=Decimal("1.80"), as_of="2026-09-01")
    oldest = replace(newer, rate_usd_per_gpu_hour=Decimal("4.00"), as_of="2025-01-01")
    after = edits.inputs.import_inputs(old, offers=[newer], earlier_offers=[oldest], adding=adding)
    assert after.offers == (newer,)
    assert after.earlier_offers == (oldest, old.offers[0])
    late = edits.inputs.import_inputs(after, offers=[replace(oldest, as_of="2026-05-01")], adding=True)
    assert late.offers == (newer,)  # an older list that joins the book changes no rate
    assert [one.as_of for one in late.earlier_offers] == ["2025-01-01", "2026-01-15", "2026-05-01"]


def test_a_quote_is_taken_as_quoted_whatever_its_remark_says() -> None:
    source = "Quote RFQ-20261001-7C1E R1; plus VAT"
    before = edits.money.change_offer(loaded(), "o1", "source", source)
    after = edits.money.take_as_quoted(before, "o1")
    (offer,) = [one for one in after.offers if one.offer_id == "o1"]
    assert offer.source == source.replace(";", " as quoted;")
    assert edits.money.take_as_quoted(after, "o1") is after
    (first,) = [one for one in before.offers if one.offer_id == "o1"]
    first = replace(first, starts="2026-12-01", term_months=1)
    days = {"R4": "2026-12-31", "R7": "2027-01-31", "R9": "2027-01-10"}
    renewing = [
        replace(first, offer_id=row, starts=day, source=source.replace("R1", row))
        for row, day in days.items()
    ]
    line = edits.money.take_as_quoted(replace(before, offers=(first, *renewing)), "R7")
    taken = {one.offer_id for one in line.offers if " as quoted" in (one.source or "")}
    assert taken == {"o1", "R4", "R7"}, "a line with what renews it, and no other row"
    with pytest.raises(PlannerError):
        edits.money.take_as_quoted(before, "nobody")
