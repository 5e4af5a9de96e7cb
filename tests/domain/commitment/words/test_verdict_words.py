"""What follows a contract, in words: from how many to how many."""

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.commitment.words.verdict_words import change_words, verdict_words
from gpuplanner.domain.model.book.contract import Contract

CONTRACT = Contract("k", "c", "H100", 64_000, None, 0, term_months=36)


def test_a_change_says_from_how_many_to_how_many() -> None:
    verdict = Verdict("k", "shorten", 12, 10.0, 0, "", ((10.0, 12),))
    assert str(change_words(verdict, CONTRACT)) == "64 \u2192 10 GPUs, 36 \u2192 12 months"
    assert str(verdict_words(verdict, CONTRACT, "H100")).endswith("64 \u2192 10 H100, 36 \u2192 12 months")


def test_terms_of_several_kinds_are_said_to_be_mostly_one() -> None:
    verdict = Verdict("k", "shorten", 12, 1_200.0, 0, "", ((1_000.0, 12), (200.0, 24)))
    assert "36 \u2192 mostly 12 months" in str(change_words(verdict, CONTRACT))
    assert "64 \u2192 1,200 GPUs" in str(change_words(verdict, CONTRACT))


def test_what_stays_the_same_has_no_arrow() -> None:
    assert str(change_words(Verdict("k", "renew", 36, 64.0, 0, ""), CONTRACT)) == "64 GPUs, 36 months"
    assert str(change_words(Verdict("k", "renew", 1, 1.5, 0, ""), None)) == "1.5 GPUs, 1 month"
    assert str(change_words(Verdict("k", "let_expire", 0, 0.0, 0, ""), CONTRACT)) == ""
    assert str(verdict_words(Verdict("k", "let_expire", 0, 0.0, 0, ""), CONTRACT)) == "let it end"
