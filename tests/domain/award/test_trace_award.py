"""Why of an award: the formula comes to the figure that is kept, to the bit, from what went in."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.evidence.trace import arrived, figure
from gpuplanner.domain.award.award import Award, award_of
from gpuplanner.domain.award.trace_award import ANSWERS, answer, line_key
from gpuplanner.domain.award.worth_signing import worth_signing
from gpuplanner.domain.figures.award import OF_VENDOR, QUOTE
from tests.domain.award.conftest import CONDITIONS, quote, row


@pytest.fixture(scope="module")
def award() -> Award:
    rows = [row(), row("R2", 40, term_months=24)]
    offers = [
        quote("a", 2.0, max_gpus=8, upfront_usd=100),
        quote("b", 2.5),
        quote("c", 1.9, 24, provider="Vendor b"),
        quote("d", 2.2, 24, provider=None),
    ]
    found = award_of(rows, offers, CONDITIONS)
    assert found is not None and len(found.awarded) == 3
    return found


def test_lines_quotes_and_vendors_are_arrived_at(award: Award) -> None:
    asked = set()
    expected = {
        **{figure("award_cost", line_key(one)): one.liability for one in award.awarded},
        **{figure("award_saves", one.offer.offer_id): one.saves for one in award.quotes if one.rows},
        **{figure("award_saves", one.provider or "", OF_VENDOR): one.saves for one in award.vendors},
        **{figure("award_share", one.provider or ""): one.awarded_share for one in award.vendors},
    }
    for figure_id, value in expected.items():
        trace = answer(award, figure_id)
        assert (trace.value, trace.figure_id) == (value, figure_id)
        assert arrived(trace) == value
        asked.add(figure_id.split(":")[0])
    assert asked == set(ANSWERS) - {"award_worth"}


def test_what_a_quote_is_worth_is_the_highest_rate_tried_that_is_signed(award: Award) -> None:
    worth = worth_signing(2.0, lambda rate: rate <= 2.3)
    quotes = tuple(replace(one, worth_rate=worth.rate, tried=worth.tried) for one in award.quotes)
    trace = answer(replace(award, quotes=quotes), figure("award_worth", "a"))
    rates = {row.values[0].value: str(row.values[1]) for row in trace.rows}  # type: ignore[union-attr]
    signed = {rate for rate, said in rates.items() if said == "signs it"}
    assert trace.value == arrived(trace) == worth.rate == max(signed) and signed < set(rates)
    assert [str(row.name) for row in trace.rows].count("as quoted") == 1 and list(rates) == sorted(rates)
    assert QUOTE["worth_rate"].why == "award_worth"


def test_operands_are_what_went_in(award: Award) -> None:
    one = award.awarded[0]
    trace = answer(award, figure("award_cost", line_key(one)))
    shown = [str(traced.name) for traced in trace.rows]
    assert len(shown) == 4 and "R1, a" in str(trace.title)


def test_what_there_is_not_is_refused(award: Award) -> None:
    with pytest.raises(StopIteration):
        answer(award, figure("award_saves", "nobody's"))
    with pytest.raises(KeyError):
        answer(award, figure("award_nothing", "a"))
