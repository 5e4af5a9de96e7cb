"""Worth of quotes beside evaluated plans: it is there or says why not, whatever others were asked."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.award import quote_worths
from gpuplanner.domain.award.quote_worths import with_worth
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.award.decided_awards import as_asked, awarded, evaluated
from tests.ui.priced_world import plan, priced_project


@pytest.mark.long
def test_what_qualifies_has_a_worth_or_says_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = plan().evaluation
    award = awarded(evaluation)
    whole = with_worth(award, evaluation)
    assert whole is not None
    assert [one.offer for one in whole.quotes] == [one.offer for one in award.quotes]
    for one in whole.quotes:
        if one.rows:
            assert (one.worth_rate is None) == (one.why_not_worth is not None)
        else:
            assert one.worth_rate is None
        if one.worth_rate is not None and one.rate is not None:
            assert one.margin == pytest.approx(one.worth_rate - one.rate)
    assert any(quote.worth_rate for quote in whole.quotes)
    shares: list[float] = []
    with_worth(award, evaluation, on_progress=lambda share, words: shares.append(share))
    assert (
        shares == sorted(shares)
        and shares[0] == 0.0
        and len(shares) == sum(bool(one.rows) for one in award.quotes)
    )
    assert with_worth(award, evaluation, lambda: True) is None
    monkeypatch.setattr(quote_worths, "MOST_TRIED", 3)
    many = replace(award, quotes=award.quotes[:1] * 4)
    told = with_worth(replace(many, quotes=many.quotes), evaluation)
    assert told is not None and [quote.why_not_worth for quote in told.quotes[:3]] == [None] * 3
    assert told.quotes[-1].why_not_worth is not None and told.quotes[-1].worth_rate is None


@pytest.mark.long
def test_what_is_quoted_for_another_row_is_no_alternative() -> None:
    """Two quotes of one vendor alike: each is worth what it is without the other."""
    project = priced_project()
    (row, *_) = awarded(evaluated(project)).rows
    first = Offer(
        offer_id="first",
        gpu_model=row.gpu_model,
        pricing_category=PricingCategory.COMMITTED,
        term_months=row.term_months,
        rate_usd_per_gpu_hour=Decimal("1.50"),
        provider="Elm",
        source="Quote RFQ-1 R1",
        interconnect=row.needs.interconnect,
        bare_metal=row.needs.bare_metal,
        gpu_memory_gb=row.needs.memory_gb,
    )
    both = evaluated(replace(project, offers=(*project.offers, first, replace(first, offer_id="second"))))
    award = awarded(both)
    assert {one.quoted_for for one in award.considered} == {None, (award.rows[0].name,)}
    other = tuple(
        replace(one, quoted_for=("R99",)) if one.offer.offer_id == "second" else one
        for one in award.considered
    )
    rates = {}
    for name, considered in (("beside", award.considered), ("apart", other)):
        whole = with_worth(replace(award, considered=considered), both)
        assert whole is not None
        rates[name] = next(one.worth_rate for one in whole.quotes if one.offer.offer_id == "first")
    assert rates["beside"] == pytest.approx(1.5, abs=0.02)
    assert rates["apart"] is not None and rates["apart"] > 1.6


@pytest.mark.long
def test_a_quote_that_meets_its_own_request_has_a_worth_whatever_others_were_asked() -> None:
    """Law: what another request asked for does not change what a quote is worth."""
    project = priced_project()
    (row, *_) = awarded(evaluated(project)).rows
    one = as_asked(row, "one", said=" at 99%", sla_percent=99.5)
    strict = as_asked(row, "strict", "9.00", " at 99.95%", provider="Oak", sla_percent=99.95)
    worths = []
    for offers in ((one,), (one, strict)):
        evaluation = evaluated(replace(project, offers=(*project.offers, *offers)))
        whole = with_worth(awarded(evaluation), evaluation)
        assert whole is not None
        worths += [quote.worth_rate for quote in whole.quotes if quote.offer.offer_id == "one"]
    assert worths[0] is not None and worths[1] == pytest.approx(worths[0])
