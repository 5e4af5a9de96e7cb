"""Worth of quotes: which are weighed, how many, and what a plan without a rate saves."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.award import offer_worths as worths_on_offer
from gpuplanner.domain.award import quote_worths
from gpuplanner.domain.award.award import line_key
from gpuplanner.domain.award.offer_worths import offer_worths
from gpuplanner.domain.award.quote_worths import NOT_TRIED, with_worth
from gpuplanner.domain.award.worth_signing import Planning
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.audit.conftest import make_project
from tests.domain.award.conftest import order, quote, row
from tests.domain.award.decided_awards import as_asked, awarded, evaluated
from tests.domain.award.small_awards import award
from tests.ui.priced_world import priced_project


def evaluation_of(offers: Sequence[Offer]) -> Any:
    project = make_project(10, [], [], offers=offers)
    audit = SimpleNamespace(classifications=())
    return SimpleNamespace(
        in_parts=SimpleNamespace(project=project, audit=audit),
        figures=SimpleNamespace(basis=SimpleNamespace(plan=project.scenarios[0]), workload_pools=()),
    )


@pytest.fixture
def signed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Every offer is signed up to $4; which were asked of, beside which others, once each."""
    asked: list[tuple[str, list[str]]] = []

    def signs(self: Planning, offer: Offer, rate: float) -> bool:
        entry = (offer.offer_id, [each.offer_id for each in self.project.offers])
        if entry not in asked:
            asked.append(entry)
        return rate <= 4.0

    monkeypatch.setattr(Planning, "signs", signs)
    return asked


def test_each_quote_that_qualifies_is_weighed_and_the_rest_is_left(
    signed: list[tuple[str, list[str]]],
) -> None:
    """$2 is signed, and so is $4: twice the rate, a margin of $2."""
    offers = [quote("a", 2.0), quote("b", 2.5), quote("short", 1.0, 6)]
    shares: list[float] = []
    whole = with_worth(
        award([row()], offers), evaluation_of(offers), on_progress=lambda share, _: shares.append(share)
    )
    assert whole is not None
    by_id = {each.offer.offer_id: each for each in whole.quotes}
    assert list(by_id) == ["a", "b", "short"] and shares == [0.0, 0.5]
    for name, rate in (("a", 2.0), ("b", 2.5)):
        found = by_id[name]
        assert found.worth_rate == pytest.approx(4.0, rel=2e-3) and (found.worth_rate or 9) <= 4.0
        assert found.margin == pytest.approx((found.worth_rate or 0) - rate) and found.why_not_worth is None
        assert found.margin_share == pytest.approx((found.worth_rate or 0) / rate - 1)
        assert any(tried > 4.0 for tried, _ in found.tried)
    assert (by_id["short"].worth_rate, by_id["short"].margin, by_id["short"].tried) == (None, None, ())
    assert [name for name, _ in signed] == ["a", "b"]
    assert with_worth(award([row()], offers), evaluation_of(offers), lambda: True) is None


def test_the_worth_of_a_twin_is_tried_first(signed: list[tuple[str, list[str]]]) -> None:
    """What was found of a is right for b of the same rate: the rate that is signed, and the next that is not."""
    offers = [quote("a", 2.0), quote("b", 2.0)]
    whole = with_worth(award([row()], offers), evaluation_of(offers))
    assert whole is not None
    first, second = whole.quotes
    assert first.worth_rate == second.worth_rate and len(second.tried) == 2 < len(first.tried)
    other = [quote("a", 2.0), quote("b", 2.0, 24)]
    apart = with_worth(award([row(), row("R2", term_months=24)], other), evaluation_of(other))
    assert apart is not None and len(apart.quotes[0].tried) == len(apart.quotes[1].tried) > 2


def test_no_more_quotes_are_weighed_than_may_be(
    signed: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quote_worths, "MOST_TRIED", 2)
    monkeypatch.setattr(worths_on_offer, "MOST_TRIED", 2)
    offers = [quote(name, 2.0) for name in "abc"]
    shares: list[float] = []
    whole = with_worth(
        award([row()], offers), evaluation_of(offers), on_progress=lambda share, _: shares.append(share)
    )
    assert whole is not None and [each.worth_rate is None for each in whole.quotes] == [False, False, True]
    assert whole.quotes[2].why_not_worth == NOT_TRIED and shares == [0.0, 0.5, 1.0]
    terms = [quote(name, rate) for name, rate in (("x", 3.0), ("a", 2.0), ("z", 1.0))]
    worths = offer_worths(evaluation_of([*terms, quote("use", 1.0, 0), quote("none", None)]))
    assert worths is not None
    assert [(each.offer.offer_id, each.rate, each.worth_rate is None) for each in worths] == [
        ("a", 2.0, False),
        ("x", 3.0, True),
        ("z", 1.0, False),
    ]
    assert worths[1].why_not_worth == NOT_TRIED and worths[1].margin_share is None
    assert worths[0].margin_share == pytest.approx((worths[0].worth_rate or 0) / 2.0 - 1)
    assert offer_worths(evaluation_of(terms), lambda: True) is None
    assert {name for name, _ in signed} == {"a", "b", "z"}


def test_a_plan_without_a_rate_has_nothing_to_save() -> None:
    """16 GPUs at $2 for 12 months of 730 h, in place of $3."""
    known = award([row()], [quote("a", 2.0)])
    assert known.quotes[0].saves_beside_plan == pytest.approx(16 * 12 * 730)
    assert [line_key(line) for line in known.awarded] == ["R1 a"]
    unknown = row(orders=(order(16.0, rate=None, spread_rate=None),))
    found = award([unknown], [quote("a", 2.0)])
    assert found.quotes[0].saves_beside_plan is None and found.awarded[0].plan_rate is None
    assert award([row()], [quote("b", 2.0), quote("a", 1.0)]).quotes[1].saves_beside_plan is None
    half = award([row(), replace(unknown, name="R2")], [quote("a", 2.0)])
    assert half.quotes[0].saves_beside_plan is None  # of one of both rows nobody knows it


@pytest.mark.long
def test_what_qualifies_has_a_worth_or_says_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    quoted = tuple(replace(offer, valid_until="2030-01-01") for offer in priced_project().offers)
    evaluation = evaluated(replace(priced_project(), offers=quoted))
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
    assert {one.quoted_for for one in award.considered} == {(award.rows[0].name,)}
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
