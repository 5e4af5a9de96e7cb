"""Bands of cost in words: how many months fell inside."""

from dataclasses import replace

from gpuplanner.domain.commitment.outlook_result import Uncertainty
from gpuplanner.domain.commitment.words.bands import coverage_words, drawn_words
from tests.domain.commitment.words.sentence_figures import figures


def test_a_band_says_how_many_months_fell_inside() -> None:
    band = Uncertainty(coverage=7 / 9, coverage_folds=9, resamples=500)
    assert figures(coverage_words(band)) == ["7", "9"]
    assert not figures(coverage_words(replace(band, coverage=None)))
    assert figures(drawn_words(band)) == ["500"]
